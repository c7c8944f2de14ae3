// What a search shows of its progress on standard error.
#ifndef CQL_PROGRESS_H
#define CQL_PROGRESS_H

#include "search.h"

typedef struct Progress {
    bool wanted;
    bool terminal; // one line that is written anew each time; else a line each time
    bool shown;    // the line stands on the terminal now
    double next;   // seconds after the start of the search
} Progress;

Progress progress_new(const SearchOptions *options);

// Seconds between two looks at progress_show.
double progress_interval(const Progress *p);

// Shows how far the search is, when it is time: its totals so far, and which part of the inputs has been read
// (0: that is not known).
void progress_show(Progress *p, const SearchTotals *totals, double part);

// Takes the line away, before something else is written to the terminal.
void progress_clear(Progress *p);

#endif
