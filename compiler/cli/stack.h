// The stack that the program runs on.
#ifndef CQL_CLI_STACK_H
#define CQL_CLI_STACK_H

// Calls run(count, argument) with a stack of at least 8 MB, whatever the limit for this process is. Returns what it returns, or
// STATUS_MEMORY after a message.
int run_with_stack(int (*run)(int count, char **argument), int count, char **argument);

#endif
