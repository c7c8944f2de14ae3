// The C that emitted matchers are made of, as strings (see the Makefile).
#ifndef CQL_TEMPLATE_H
#define CQL_TEMPLATE_H

extern const char template_header[];      // cqlgen/matcher.h
extern const char template_bare_header[]; // the same without comments, for code that nobody reads
extern const char template_match[];       // once a query; QUERY_ is replaced by the query's prefix
// Names that declarations in emitted C must not use: functions, macros, types and constants of the header. Sorted.
extern const char *const template_words[];
extern const int template_word_count;

#endif
