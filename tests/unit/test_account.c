// Tests for memory with a limit: what is charged, what happens to it when the work is left.
#include "test.h"

#include <stdio.h>
#include <stdlib.h>

#include "compiler/base/arena.h"
#include "runtime/value/account.h"
#include "runtime/value/memory.h"

enum { KILO = 1024, MEGA = KILO * KILO };

static void take_and_give(void *user)
{
    int *numbers = account_new(100, sizeof *numbers);
    for (int i = 0; i < 100; i++)
        assert_int_equal(numbers[i], 0);
    char *other = account_new(1, 1);
    size_t capacity = 100;
    numbers[99] = 7;
    numbers = account_grow(numbers, &capacity, 101, sizeof *numbers);
    assert_int_equal(capacity, 200);
    assert_int_equal(numbers[99], 7);
    assert_int_equal(((Account *)user)->used, 200 * sizeof *numbers + 1);
    account_free(numbers);
    assert_int_equal(((Account *)user)->used, 1);
    account_free(other);
    account_free(NULL);
}

static void charges_and_frees(void **state)
{
    (void)state;
    Account account = {.most = KILO};
    assert_true(account_run(&account, take_and_give, &account));
    assert_int_equal(account.used, 0);
    assert_null(account.newest);
    char *nobody = account_new(10 * KILO, 1);
    assert_int_equal(account.used, 0);
    account_free(nobody);
}

// All of the account in one piece, and as an array that grows into it.
static void take_all(void *user)
{
    Account *account = user;
    char *bytes = account_new(account->most, 1);
    assert_int_equal(account->used, account->most);
    account_free(bytes);
    size_t capacity = 3, others = 4;
    bytes = account_new(3, 1);
    char *other = account_new(4, 1);
    bytes = account_grow(bytes, &capacity, account->most - 4, 1);
    assert_int_equal(capacity, account->most - 4);
    assert_int_equal(account->used, account->most);
    assert_ptr_equal(account_grow(bytes, &capacity, capacity, 1), bytes); // it is large enough
    account_grow(other, &others, 5, 1);
    fail();
}

// What is one byte too much, or far too much, leaves the work before anything is allocated.
static void take_more(void *user)
{
    account_new(((Account *)user)->most + 1, 1);
    fail();
}

static void take_far_more(void *user)
{
    (void)user;
    account_new(SIZE_MAX / 4, 1);
    fail();
}

static void takes_all(void **state)
{
    (void)state;
    void (*const works[])(void *) = {take_all, take_more, take_far_more};
    for (size_t i = 0; i < 3; i++) {
        Account account = {.most = 100};
        assert_false(account_run(&account, works[i], &account));
        assert_true(account.exceeded);
        assert_int_equal(account.used, 0);
        assert_null(account.newest);
    }
}

// Blocks that move while they grow stay in the list of what the work has made: in the middle, first and last.
static void grow_in_turns(void *user)
{
    enum { BLOCKS = 3, ROUNDS = 60 };
    char *block[BLOCKS];
    size_t capacity[BLOCKS], all = 0;
    for (size_t i = 0; i < BLOCKS; i++) {
        block[i] = account_new(1, 1);
        *block[i] = (char)('a' + i);
        capacity[i] = 1;
    }
    for (size_t round = 0; round < ROUNDS; round++) {
        const size_t i = (round * 2 + round / 7) % BLOCKS;
        block[i] = account_grow(block[i], &capacity[i], capacity[i] + 100 * round, 1);
        assert_int_equal(*block[i], 'a' + i);
    }
    for (size_t i = 0; i < BLOCKS; i++)
        all += capacity[i];
    assert_int_equal(((Account *)user)->used, all);
    account_free(block[1]);
    assert_int_equal(((Account *)user)->used, capacity[0] + capacity[2]);
    account_new(SIZE_MAX / 4, 1); // leaves two of them
}

static void blocks_move(void **state)
{
    (void)state;
    Account account = {.most = 64 * MEGA};
    assert_false(account_run(&account, grow_in_turns, &account));
    assert_int_equal(account.used, 0);
    assert_null(account.newest);
}

// What the works of these tests make.
typedef struct Made {
    Account account;
    Arena *arena;
    char *text;
    size_t length;
    bool came_back;
} Made;

static void make_arena(void *user)
{
    Made *m = user;
    m->arena = arena_new();
    arena_alloc(m->arena, 100 * KILO);
}

static void exceed(void *user)
{
    Made *m = user;
    FILE *out = memory_stream(&m->text, &m->length);
    Arena *own = arena_new();
    account_new(1000, 10);
    arena_alloc(own, 100 * KILO);
    for (;;) {
        fputs("text that is not in the account", out);
        arena_alloc(m->arena, KILO);
        arena_alloc(own, KILO);
    }
}

// The arena from before stays, with what the second work has put into it.
static void leaves_what_was_before(void **state)
{
    (void)state;
    Made m = {.account.most = MEGA};
    assert_true(account_run(&m.account, make_arena, &m));
    const size_t before = m.account.used;
    assert_true(before >= 100 * KILO);
    assert_false(account_run(&m.account, exceed, &m));
    assert_true(m.account.exceeded);
    assert_true(m.account.used >= before && m.account.used <= m.account.most);
    arena_free(m.arena);
    assert_int_equal(m.account.used, 0);
    assert_null(m.account.newest);
}

static void run_inner(void *user)
{
    Made *m = user;
    make_arena(m);
    assert_false(account_run(&m->account, exceed, m));
    m->came_back = true;
    exceed(m);
}

static void works_are_nested(void **state)
{
    (void)state;
    Made m = {.account.most = MEGA};
    assert_false(account_run(&m.account, run_inner, &m));
    assert_true(m.came_back);
    assert_int_equal(m.account.used, 0); // the arena is of the outer work
    assert_null(m.account.newest);
}

// What lives longer than its account is charged to nobody.
static void account_ends(void **state)
{
    (void)state;
    Made m = {.account.most = MEGA};
    assert_true(account_run(&m.account, make_arena, &m));
    account_close(&m.account);
    assert_int_equal(m.account.used, 0);
    arena_alloc(m.arena, 2 * MEGA);
    arena_free(m.arena);
    assert_int_equal(m.account.used, 0);
    assert_null(m.account.newest);
}

static void run_out(void *user)
{
    make_arena(user);
    memory_exhausted();
}

static void memory_runs_out(void **state)
{
    (void)state;
    Made m = {.account.most = MEGA};
    MemoryEscape escape;
    if (setjmp(escape.jump) == 0) {
        memory_escape_begin(&escape);
        account_run(&m.account, run_out, &m);
        fail();
    }
    assert_int_equal(m.account.used, 0);
}

// After a work, whether it was left or not, nobody is charged, and memory that runs out is a matter of whoever was asked before. That
// an account was exceeded is not said of the next work.
static void after_works(void **state)
{
    (void)state;
    static MemoryEscape escape;
    static Made m;
    static volatile int rounds;
    m = (Made){.account.most = MEGA};
    if (setjmp(escape.jump) == 0 || rounds < 3) {
        memory_escape_begin(&escape);
        switch (rounds++) {
        case 0:
            assert_true(account_run(&m.account, make_arena, &m));
            break;
        case 1:
            assert_false(account_run(&m.account, exceed, &m));
            assert_true(m.account.exceeded);
            arena_free(m.arena);
            assert_int_equal(m.account.used, 0);
            break;
        default:
            account_run(&m.account, run_out, &m);
            fail();
        }
        const size_t used = m.account.used;
        account_free(account_new(10, 1));
        char *nobody = account_new(10, 1);
        assert_int_equal(m.account.used, used);
        account_free(nobody);
        assert_int_equal(m.account.used, used);
        memory_exhausted();
    }
    assert_int_equal(rounds, 3);
    assert_false(m.account.exceeded);
}

// Sizes that no number of bytes can express.
static void impossible_sizes(void **state)
{
    (void)state;
    static char array[8];
    size_t capacity = 1;
    Pool pool = {0};
    MemoryEscape escape;
    volatile int tries = 0;
    if (setjmp(escape.jump) == 0 || tries < 3) {
        memory_escape_begin(&escape);
        switch (tries++) {
        case 0:
            account_new(SIZE_MAX / 2, 4);
            break;
        case 1:
            memory_resized(array, SIZE_MAX / 2, 4);
            break;
        default:
            pool_enlarged(&pool, NULL, &capacity, SIZE_MAX / 2, 4);
        }
        fail();
    }
    assert_int_equal(tries, 3);
    assert_int_equal(capacity, 1);
}

// Streams need not be closed in the order in which they were opened.
static void streams_overlap(void **state)
{
    (void)state;
    char *text[3];
    size_t length[3];
    FILE *stream[3];
    for (int i = 0; i < 3; i++)
        stream[i] = memory_stream(&text[i], &length[i]);
    for (int i = 0; i < 3; i++) {
        fprintf(stream[i], "%d", i);
        fclose(stream[i]);
        assert_int_equal(length[i], 1);
        assert_int_equal(text[i][0], '0' + i);
        free(text[i]);
    }
}

static void empty_texts(void **state)
{
    (void)state;
    char *text = memory_format("%s", ""), *copy = memory_copy(NULL, 0), *array = NULL;
    assert_string_equal(text, "");
    assert_string_equal(copy, "");
    array = memory_resized(array, 0, 4);
    assert_non_null(array);
    free(text);
    free(copy);
    free(array);
}

// The text of a stream, with the NUL after it: 16 bytes at first, then twice as many as there were.
static void write_bytes(void *user)
{
    Made *m = user;
    FILE *out = memory_stream(&m->text, &m->length);
    for (size_t written = 0; written < 33; written++) {
        assert_int_equal(m->account.used, written < 16 ? 16 : written < 32 ? 32 : 64);
        fputc('a', out);
        fflush(out);
    }
    fclose(out);
    assert_int_equal(m->account.used, 0);
}

static void streams_grow(void **state)
{
    (void)state;
    Made m = {.account.most = 64};
    assert_true(account_run(&m.account, write_bytes, &m));
    assert_int_equal(m.length, 33);
    free(m.text);
    m = (Made){.account.most = 63};
    assert_false(account_run(&m.account, write_bytes, &m));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(charges_and_frees), cmocka_unit_test(leaves_what_was_before),
        cmocka_unit_test(works_are_nested),  cmocka_unit_test(account_ends),
        cmocka_unit_test(memory_runs_out),   cmocka_unit_test(impossible_sizes),
        cmocka_unit_test(streams_overlap),   cmocka_unit_test(streams_grow),
        cmocka_unit_test(takes_all),         cmocka_unit_test(blocks_move),
        cmocka_unit_test(empty_texts),       cmocka_unit_test(after_works),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
