// Comments that some filters add when the game has matched, after its last position (language reference
// 10.4.1). Called in this order.
#ifndef CQL_COMMENTS_H
#define CQL_COMMENTS_H

#include "runtime/match/run_state.h"

void common_run_comments(Context *c); // of `consecutivemoves` (6.10)
void sort_comments(Context *c);       // texts kept for the sort keys, in the order of their filters
void relation_comments(Context *c);   // of `relation` (11.7): fills in entries of the log
void sort_value_comment(Context *c);  // the values of all loud keys, as one text at the root

#endif
