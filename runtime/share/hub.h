// The middle of a search that several processes share: hands out blocks, keeps what they find, and gives it out in order.
//
// What comes before its turn waits in a file: an unlinked temporary one or, with a journal, one that a later
// search goes on with. All functions may be called by any thread.
#ifndef CQL_SHARE_HUB_H
#define CQL_SHARE_HUB_H

#include "runtime/search/search.h"
#include "runtime/value/buffer.h"

typedef struct Hub Hub;

typedef struct HubOptions {
    int members;         // processes, with the numbers 0 (this one), 1, …
    uint64_t blocks;     // of all inputs, about; 0: not known
    const char *journal; // file name; NULL: none
    const char *key;     // of the search: a journal with another key is refused
    size_t key_length;
    const Buffer *files;   // that the search reads (fingerprint.h): so is one of other files; NULL: none
    double (*clock)(void); // seconds, from any start; NULL: those that pass
} HubOptions;

// Returns NULL after a message.
Hub *hub_new(const HubOptions *options);

// keep: the journal stays for a later search, unless it has nothing.
void hub_free(Hub *h, bool keep);

// The number of blocks that the journal already has.
uint64_t hub_done(const Hub *h);

// The blocks from *begin to before *end may be searched by one member only, and so may others with other members. Without any
// such call all members search all blocks. Returns the number of the span.
size_t hub_add_span(Hub *h, uint64_t begin, uint64_t end);
void hub_allow(Hub *h, int member, size_t span);

typedef enum HubAnswer {
    HUB_RANGE, // search these blocks
    HUB_WAIT,  // ask again later: too much is ahead of the output
    HUB_NONE   // nothing is left to be searched
} HubAnswer;

// The next blocks for a member, in ascending order, more of them when it was quick. `wait`: until the answer is not
// HUB_WAIT.
HubAnswer hub_claim(Hub *h, int member, bool wait, uint64_t *begin, uint64_t *end);

// Takes results of a block that a member gave (SearchShare.give). False after a message.
bool hub_put(Hub *h, const char *bytes, size_t length);

// The same for any number of them, each after its length (a uint64_t): a message of another process. False after a message when
// it is not whole.
bool hub_put_all(Hub *h, const char *bytes, size_t length);

// A member has read up to this place (SearchShare.reached).
void hub_reached(Hub *h, const SharePlace *place);

// The last known place at or before block `number`; false: none.
bool hub_place(Hub *h, uint64_t number, SharePlace *place);

// The number of calls of hub_reached.
uint64_t hub_places(const Hub *h);

// The inputs have `count` blocks.
void hub_ended(Hub *h, uint64_t count);

// Ends the search with a failure that has been reported.
void hub_fail(Hub *h);

// The share of this process, which is member 0 and collects the results. Valid until hub_free.
SearchShare hub_share(Hub *h);

// The number of blocks that this process has searched.
uint64_t hub_searched(const Hub *h);

// Seconds that the threads of this process have waited for blocks.
double hub_waited(const Hub *h);

#endif
