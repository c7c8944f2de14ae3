// Signals that end the work of a command in good order.
#ifndef CQL_SIGNALS_H
#define CQL_SIGNALS_H

#include <stdatomic.h>

// Makes SIGINT, SIGTERM and SIGHUP, unless they are ignored, set a number that is 0 before; returns its address.
const atomic_int *signals_catch(void);

// After such a signal ends the program as the signal would have.
void signals_end(void);

#endif
