// Printing pages of the manual.
#ifndef CQL_CLI_HELP_PAGE_H
#define CQL_CLI_HELP_PAGE_H

#include "compiler/language/manual.h"

// Prints a page: names with what the table of the language says about them, syntax, text, examples, neighbours, dialects and
// the place in docs/language.
void print_page(const ManualPage *page);

// Prints all subjects with a line for each of their words.
void print_subjects(void);

#endif
