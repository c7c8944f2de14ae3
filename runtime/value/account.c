// Memory with a limit.
#include "account.h"

#include <stdint.h>
#include <stdlib.h>
#include <time.h>

#include "memory.h"

static _Thread_local Account *current; // of the work that this thread does

// Ends what pieces of work after the first `works` have entered.
static void end_since(Account *account, unsigned works)
{
    while (account->newest && account->newest->work > works)
        account->newest->end(account->newest);
}

bool account_run(Account *account, void (*work)(void *user), void *user)
{
    Account *const outer = current;
    const unsigned works = account ? account->works : 0;
    MemoryEscape escape;
    if (!account) {
        work(user);
        return true;
    }
    if (setjmp(escape.jump) != 0) {
        end_since(account, works);
        current = outer;
        if (!account->exceeded)
            memory_exhausted();
        return false;
    }
    memory_escape_begin(&escape);
    account->exceeded = false;
    account->works++;
    current = account;
    work(user);
    current = outer;
    memory_escape_end(&escape);
    return true;
}

void account_enter(AccountEntry *entry, void (*end)(AccountEntry *entry))
{
    *entry = (AccountEntry){.account = current, .end = end};
    if (!current)
        return;
    entry->work = current->works;
    entry->older = current->newest;
    if (entry->older)
        entry->older->newer = entry;
    current->newest = entry;
}

static bool is_late(const Account *account)
{
    struct timespec now;
    return account->end > 0 && clock_gettime(CLOCK_MONOTONIC, &now) == 0 && now.tv_sec >= account->end;
}

// Leaves the work when its account has not as many bytes, or its time is over.
static void check(const Account *account, size_t bytes)
{
    if (!account || account != current)
        return;
    const bool fits = bytes <= account->most && account->used <= account->most - bytes;
    current->late = fits && is_late(account);
    if (fits && !current->late)
        return;
    current->exceeded = true;
    memory_exhausted();
}

void account_charge(AccountEntry *entry, size_t bytes)
{
    check(entry->account, bytes);
    if (entry->account)
        entry->account->used += bytes;
    entry->bytes += bytes;
}

void account_leave(AccountEntry *entry)
{
    Account *account = entry->account;
    if (!account)
        return;
    account->used -= entry->bytes;
    *(entry->newer ? &entry->newer->older : &account->newest) = entry->older;
    if (entry->older)
        entry->older->newer = entry->newer;
    entry->account = NULL;
}

void account_close(Account *account)
{
    while (account->newest)
        account_leave(account->newest);
}

// ---- memory -----------------------------------------------------------------------------------------------

typedef struct Block {
    AccountEntry entry; // first
    _Alignas(max_align_t) char memory[];
} Block;

static void end_block(AccountEntry *entry)
{
    account_leave(entry);
    free(entry);
}

static Block *block_of(void *memory)
{
    return (Block *)(void *)((char *)memory - offsetof(Block, memory));
}

static size_t bytes_of(size_t count, size_t size)
{
    if (count > (SIZE_MAX - sizeof(Block)) / size)
        memory_exhausted();
    return count * size;
}

void *account_new(size_t count, size_t size)
{
    const size_t bytes = bytes_of(count, size);
    check(current, bytes);
    Block *b = memory_zeroed(1, sizeof *b + bytes);
    account_enter(&b->entry, end_block);
    account_charge(&b->entry, bytes);
    return b->memory;
}

void *account_resized(void *memory, size_t count, size_t size)
{
    if (!memory)
        return account_new(count, size);
    Block *b = block_of(memory);
    const size_t bytes = bytes_of(count, size), old = b->entry.bytes;
    if (bytes > old)
        account_charge(&b->entry, bytes - old);
    b = memory_checked(realloc(b, sizeof *b + bytes));
    AccountEntry *e = &b->entry;
    if (e->account) {
        *(e->newer ? &e->newer->older : &e->account->newest) = e;
        if (e->older)
            e->older->newer = e;
    }
    return b->memory;
}

void *account_grow(void *array, size_t *capacity, size_t need, size_t size)
{
    if (need <= *capacity)
        return array;
    const size_t twice = 2 * *capacity, wanted = need > twice ? need : twice;
    array = account_resized(array, wanted, size);
    *capacity = wanted;
    return array;
}

void account_free(void *memory)
{
    if (memory)
        end_block(&block_of(memory)->entry);
}
