// Help about words of the language, as text for a terminal or as Markdown for an editor.
#ifndef CQL_EDITOR_HELP_PAGE_H
#define CQL_EDITOR_HELP_PAGE_H

#include <stdio.h>

#include "compiler/language/manual.h"

// Where and how help is written.
typedef struct HelpWriter {
    FILE *out;
    bool markdown; // with headings and fences of code; otherwise lines of at most 79 columns
    // Writes a list that only the program knows, such as `{options}`, and returns true; NULL: such lists are left out.
    bool (*list)(const struct HelpWriter *w, ManualText name);
} HelpWriter;

// Writes the pages of the manual about a word: names with what the table of the language says about them, syntax, text, examples,
// neighbours, dialects and the place in docs/language. False when there is none.
bool help_pages(const HelpWriter *w, const char *word);

// Writes the meaning of the word in older dialects, where it differs. False when there is none.
bool help_older(const HelpWriter *w, const char *word);

// The syntax of the first page about the word: lines, each with its end; empty when there is none.
ManualText help_syntax(const char *word);

// Writes all subjects with a line for each of their words, for a terminal.
void help_subjects(FILE *out);

// True when the manual has the word as `name`.
bool help_is_text(ManualText name, const char *word);

#endif
