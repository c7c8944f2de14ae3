// Ending a search by a signal.
#ifndef CQL_CLI_INTERRUPT_H
#define CQL_CLI_INTERRUPT_H

#include <stdatomic.h>

// Makes SIGINT, SIGTERM and SIGHUP, unless they are ignored, end the search in good order: the flag becomes
// the number of the signal. A later signal ends the program.
void interrupt_catch(void);
const atomic_int *interrupt_flag(void);

// Ends the program as the signal would have.
void interrupt_end(void);

#endif
