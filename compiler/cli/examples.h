// The shipped queries, which are part of the program. The table is made from examples/*.cql and examples/subjects.txt.
#ifndef CQL_CLI_EXAMPLES_H
#define CQL_CLI_EXAMPLES_H

#include <stdbool.h>
#include <stdio.h>

// Stands for the folder of the shipped queries in the name of a query file; no real name begins with it.
#define EXAMPLE_FOLDER "<examples>/"

typedef struct Example {
    const char *subject, *name;
    const char *file; // as the name of a query file: read_source knows it
    const char *text; // begins with a comment; its first line is the title
} Example;
extern const Example example_list[]; // grouped by subject
extern const int example_count;

// The example with this name, with or without `.cql`; or NULL.
const Example *example_find(const char *name);

// example_find; NULL after a message.
const Example *example_wanted(const char *name);

// The example with this name of a query file, or NULL.
const Example *example_of_file(const char *file);

// True when `cqlgen examples WORD` lists or prints something.
bool example_mentioned(const char *word);

// Writes all names, each followed by a space.
void example_print_names(FILE *out);

#endif
