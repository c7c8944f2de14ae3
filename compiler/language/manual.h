// The manual: the pages of `cqlgen help`, from compiler/language/manual/*.txt, which the program contains. What the table of
// the language knows (short explanations, types, dialects, sections) is not repeated there.
//
//   // …                 a comment of the file, before the first page
//   == SUBJECT           begins a group of pages
//   = NAME, NAME …       begins a page: words and signs in each spelling that users type
//   gloss: TEXT          a line about the names that are not in the table
//   section: N.N         of the language reference, where the table does not say it
//   dialect: NAME        of the examples; without it CQL 6.2
//   (syntax lines, then an empty line, then the text, at most 76 columns wide, with its examples:)
//   > QUERY              a line of an example; without `cql(…)` it has the header cql()
//       finds 1 4: TEXT  the numbers of the games of examples/help.pgn that match (or `all`, `none`), and what is found
//   see NAME, NAME …     the neighbours, at the end
#ifndef CQL_LANGUAGE_MANUAL_H
#define CQL_LANGUAGE_MANUAL_H

#include <stdbool.h>
#include <stddef.h>

// A part of the manual.
typedef struct ManualText {
    const char *start;
    size_t length;
} ManualText;

typedef struct ManualPage {
    ManualText group, names;
    ManualText gloss, section, dialect; // empty: not given
    ManualText body;                    // syntax, text, examples and `see`
} ManualPage;

// Moves to the next page; begin with a zeroed page. False after the last.
bool manual_next(ManualPage *page);

// Takes the next name from a list of names. False at its end.
bool manual_name(ManualText *names, ManualText *name);

// Takes the next line, without its end, from a text. False at its end.
bool manual_line(ManualText *text, ManualText *line);

// True when the word is a name of the page.
bool manual_has(const ManualPage *page, const char *word);

#endif
