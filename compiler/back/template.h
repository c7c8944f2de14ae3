// The texts that emitted C is made of, generated from runtime/match/matcher.h and templates/ (see
// templates/embed.awk).
#ifndef CQL_TEMPLATE_H
#define CQL_TEMPLATE_H

extern const char template_matcher[]; // the matcher's interface with everything it includes
extern const char template_prelude[], template_inline_tcc[], template_inline_cc[];
extern const char template_match[]; // once a query; QUERY_ stands for the query's prefix
extern const char template_entry[];

#endif
