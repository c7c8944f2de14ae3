// Memory of a query: what an arena takes from its account, and what it gives.
#include "test.h"

#include "compiler/base/arena.h"
#include "runtime/value/account.h"

static void test_contents(void **state)
{
    (void)state;
    Arena *arena = arena_new();
    for (size_t size = 1; size < 200000; size = size * 3 + 1) {
        unsigned char *memory = arena_alloc(arena, size);
        assert_int_equal((uintptr_t)memory % 16, 0);
        for (size_t i = 0; i < size; i++)
            assert_int_equal(memory[i], 0);
        memset(memory, 0xAA, size);
    }
    assert_string_equal(arena_copy(arena, "a\0b", 3), "a");
    assert_string_equal(arena_printf(arena, "%s-%d", "x", 7), "x-7");
    int *array = NULL, count = 0;
    for (int i = 0; i < 1000; i++)
        ARENA_PUSH(arena, array, count, i);
    for (int i = 0; i < 1000; i++)
        assert_int_equal(array[i], i);
    arena_free(arena);
    arena_free(NULL);
}

// The sizes of pieces that are taken one after the other, and what each of them adds to the account.
typedef struct Piece {
    size_t size;
    int chunks;    // of 64 KB
    size_t larger; // bytes of a block of its own
} Piece;

typedef struct Pieces {
    Account account;
    const Piece *piece;
    size_t count;
} Pieces;

static void take(void *user)
{
    Pieces *p = user;
    Arena *arena = arena_new();
    const size_t chunk = p->account.used, head = chunk - 64 * 1024;
    assert_true(head >= 1 && head <= 64);
    for (size_t i = 0; i < p->count; i++) {
        const Piece *piece = &p->piece[i];
        const size_t before = p->account.used;
        arena_alloc(arena, piece->size);
        const size_t expected = (size_t)piece->chunks * chunk + (piece->larger ? piece->larger + head : 0);
        if (p->account.used - before != expected)
            fail_msg("piece %zu: %zu bytes, expected %zu", i, p->account.used - before, expected);
    }
    arena_free(arena);
    assert_int_equal(p->account.used, 0);
}

#define TAKE(...)                                                                                            \
    do {                                                                                                     \
        static const Piece pieces_[] = {__VA_ARGS__};                                                        \
        Pieces p_ = {                                                                                        \
            .account = {.most = 1 << 30}, .piece = pieces_, .count = sizeof pieces_ / sizeof *pieces_};      \
        assert_true(account_run(&p_.account, take, &p_));                                                    \
    } while (0)

// Chunks have 64 KB and are used to the last byte; sizes are multiples of 16. What is larger than a quarter of a chunk and does not fit
// has a block of its own, and the chunk stays in use.
static void test_chunks(void **state)
{
    (void)state;
    TAKE({65536, 0, 0}, {1, 1, 0}, {65520, 0, 0}, {1, 1, 0});
    TAKE({65520, 0, 0}, {16, 0, 0}, {0, 0, 0}, {15, 1, 0}, {65504, 0, 0}, {16, 0, 0}, {16, 1, 0});
    TAKE({65520, 0, 0}, {17, 1, 0}, {65504, 0, 0}, {1, 1, 0});
    TAKE({65520, 0, 0}, {16385, 0, 16400}, {65536, 0, 65536}, {16, 0, 0}, {1, 1, 0});
    TAKE({49168, 0, 0}, {16384, 1, 0}, {49152, 0, 0}, {1, 1, 0});
    TAKE({65537, 0, 65552}, {65536, 0, 0}, {100000, 0, 100000}, {1, 1, 0});
}

// A text takes its characters and one more: 4096 texts of 15 characters fill a chunk.
static void take_texts(void *user)
{
    Account *account = user;
    Arena *arena = arena_new();
    const size_t chunk = account->used;
    const char *first = NULL;
    for (int i = 0; i < 4 * 4096; i++) {
        const char *text =
            i % 2 ? arena_copy(arena, "0123456789abcdef", 15) : arena_printf(arena, "%s", "0123456789abcde");
        first = i == 0 ? text : first;
        assert_string_equal(first, "0123456789abcde");
        assert_int_equal(account->used, (size_t)(i / 4096 + 1) * chunk);
    }
    for (int i = 0; i < 4; i++) { // 16 characters do not fit in as much
        const char *text =
            i % 2 ? arena_copy(arena, "0123456789abcdef", 16) : arena_printf(arena, "0123456789abcde%c", 'f');
        memset(arena_alloc(arena, 1), 'x', 16);
        assert_string_equal(text, "0123456789abcdef");
    }
    arena_free(arena);
}

static void test_texts(void **state)
{
    (void)state;
    Account account = {.most = 1 << 30};
    assert_true(account_run(&account, take_texts, &account));
}

// What no memory has is charged, and leaves the work.
static void take_all(void *user)
{
    Arena *arena = arena_new();
    arena_alloc(arena, SIZE_MAX - *(size_t *)user);
    fail_msg("there is no such memory");
}

static void test_more_than_there_is(void **state)
{
    (void)state;
    for (size_t less = 0; less < 80; less++) {
        Account account = {.most = 1 << 30};
        assert_false(account_run(&account, take_all, &less));
        assert_true(account.exceeded);
        assert_int_equal(account.used, 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_contents),
        cmocka_unit_test(test_chunks),
        cmocka_unit_test(test_texts),
        cmocka_unit_test(test_more_than_there_is),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
