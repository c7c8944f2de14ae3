// Signals that end the work of a command in good order, and a limit for the time of a compilation.
#ifndef CQL_SIGNALS_H
#define CQL_SIGNALS_H

#include <stdatomic.h>
#include <stdint.h>

// Makes SIGINT, SIGTERM and SIGHUP, unless they are ignored, set a number that is 0 before; returns its address.
const atomic_int *signals_catch(void);

// After such a signal ends the program as the signal would have; after the limit of limit_begin with a message.
void signals_end(void);

// Databases are mapped: a page beyond its end, when another program has made it shorter, ends the program with a message and
// STATUS_INPUT. The output has no name yet.
void signals_catch_short_files(void);

// Ends the program after `seconds` (0: never) with a message and STATUS_GAME_ERRORS: at once, or, after signals_catch, by that
// number and signals_end. Nothing may be half written meanwhile.
void limit_begin(int64_t seconds);

// Takes the limit back. Returns the seconds that are left of it, more than 0; 0: there was none.
double limit_end(void);

#endif
