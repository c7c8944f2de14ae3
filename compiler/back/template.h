// The C that emitted matchers are made of, as strings (see the Makefile).
#ifndef CQL_TEMPLATE_H
#define CQL_TEMPLATE_H

extern const char template_header[]; // cqlgen/matcher.h
extern const char template_match[];  // once a query; QUERY_ stands for the query's prefix

#endif
