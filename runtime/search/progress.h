// The progress of a search on standard error.
#ifndef CQL_PROGRESS_H
#define CQL_PROGRESS_H

#include "search.h"

typedef struct Progress {
    bool wanted;
    bool terminal; // rewrite one line; otherwise print a line each time
    bool json;     // print a line of JSON each time
    bool shown;    // the line is on the terminal now
    double next;   // time of the next update, in seconds after the start of the search
} Progress;

Progress progress_new(const SearchOptions *options);

// Seconds between two calls of progress_show.
double progress_interval(const Progress *p);

// Shows the progress when it is time: the totals so far, and which part of the inputs has been read (0:
// unknown).
void progress_show(Progress *p, const SearchTotals *totals, double part);

// Removes the line, before something else is written to the terminal.
void progress_clear(Progress *p);

#endif
