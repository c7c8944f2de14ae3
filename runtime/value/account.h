// A limit on memory, and on time: what a thread takes for one piece of work is charged to an account; work that needs more is left at
// once, and what it has taken is freed.
//
// Charged are the memory of account_new and what owners like arenas (compiler/base/arena.h) charge, and the texts of streams
// (memory_stream) while they are open.
#ifndef CQL_ACCOUNT_H
#define CQL_ACCOUNT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Zero-initialised but for `most` and `end`. It stays where it is while something is charged to it, and belongs to one thread at a time.
typedef struct Account {
    size_t most, used;           // bytes
    struct AccountEntry *newest; // what is charged
    unsigned works;              // how many pieces of work it has paid for
    bool exceeded;               // the last one needed more, or, then `late` too, went on after `end`
    bool late;
    int64_t end; // in seconds of CLOCK_MONOTONIC: work that takes memory later is left; 0: never
} Account;

// A member of what is charged to an account, and ended when the work that made it is left.
typedef struct AccountEntry {
    Account *account; // NULL: nobody pays
    struct AccountEntry *older, *newer;
    size_t bytes;                            // charged so far
    unsigned work;                           // the number of the piece of work
    void (*end)(struct AccountEntry *entry); // calls account_leave and frees what the entry is a member of
} AccountEntry;

// Runs work(user). While it runs, what this thread takes is charged to the account. Returns false when that was more than the account
// has: then everything that the work made is freed, and what it was working on is lost. Returns true, and charges nobody, when
// `account` is NULL. When memory runs out, frees the same and goes to the escape outside (memory.h).
bool account_run(Account *account, void (*work)(void *user), void *user);

// Adds an entry to the account of the running work, if any.
void account_enter(AccountEntry *entry, void (*end)(AccountEntry *entry));

// Charges more bytes to an entry, before they are taken; leaves the work when its account has not as many.
void account_charge(AccountEntry *entry, size_t bytes);

// Removes the entry; its bytes are free again. Its object is freed elsewhere.
void account_leave(AccountEntry *entry);

// Takes entries off the account, which is about to be gone; they are charged to nobody.
void account_close(Account *account);

// Zeroed memory that is charged, and freed with account_free or when the work is left.
void *account_new(size_t count, size_t size);

// As memory_resized and memory_grow, for memory of account_new or NULL. What is added is not zero.
void *account_resized(void *memory, size_t count, size_t size);
void *account_grow(void *array, size_t *capacity, size_t need, size_t size);

// NULL is allowed.
void account_free(void *memory);

#endif
