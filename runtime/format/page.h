// What the user wants of a page (FORMAT_PAGE).
#ifndef CQL_FORMAT_PAGE_H
#define CQL_FORMAT_PAGE_H

#include <stdbool.h>

typedef struct PageOptions {
    const char *title; // and heading; NULL: the titles of the queries
    bool no_query;     // show neither the queries nor their names
    bool quiz;         // a diagram for each position; its moves are hidden until they are asked for
    int sheet;         // print a worksheet, with so many diagrams on a sheet; 0: no worksheet
} PageOptions;

#endif
