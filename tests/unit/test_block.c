// Results of a block of games: their marks, the texts of several results, and their form as bytes for another process.
#include "run_fixture.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/search/block.h"
#include "runtime/search/wire.h"

// ---- blocks -----------------------------------------------------------------------------------------------

static QueryInfo query[2];
static const Matcher matcher = {CQL_MAGIC, CQL_ABI_VERSION, 2, query, "test", CQL_LAYOUT};
static const char *const outputs[] = {"first", "second"};

static Plan plan_of(const SearchOptions *options)
{
    for (int q = 0; q < 2; q++)
        query[q].name = query[q].source = "";
    return plan_search(&matcher, options);
}

// Numbers that differ from each other and fill all bytes.
static int64_t next_number;

static int64_t number(void)
{
    return (int64_t)((uint64_t)++next_number * 0x0102030405060708 + 1); // modulo 2^64
}

static void fill_totals(SearchTotals *t)
{
    *t = (SearchTotals){.games = number(),
                        .matches = number(),
                        .hits = number(),
                        .positions = number(),
                        .damaged = number(),
                        .errors = number()};
}

static void fill_query(QueryTotals *t)
{
    *t = (QueryTotals){.matches = number(),
                       .hits = number(),
                       .errors = number(),
                       .by_tags = number(),
                       .by_moves = number(),
                       .evaluated = number(),
                       .seconds = (double)(++next_number) + 0.25};
}

static void expect_totals(const SearchTotals *a, const SearchTotals *b)
{
    assert_true(a->games == b->games && a->matches == b->matches && a->hits == b->hits);
    assert_true(a->positions == b->positions && a->damaged == b->damaged && a->errors == b->errors);
}

static void expect_query(const QueryTotals *a, const QueryTotals *b)
{
    assert_true(a->matches == b->matches && a->hits == b->hits && a->errors == b->errors);
    assert_true(a->by_tags == b->by_tags && a->by_moves == b->by_moves && a->evaluated == b->evaluated);
    assert_true(a->seconds == b->seconds);
}

static void expect_text(const Buffer *a, const Buffer *b)
{
    assert_int_equal(a->length, b->length);
    assert_true(a->length == 0 || memcmp(a->start, b->start, a->length) == 0);
}

// A part with `matches` marks and as many games with texts.
static void fill_part(Part *p, int matches)
{
    fill_totals(&p->totals);
    p->totals.matches = matches;
    buffer_text(&p->foreign, "another variant\n");
    p->begins_line = true;
    for (int i = 0; i < matches; i++) {
        const size_t reports = p->reports.length, messages = p->messages.length;
        buffer_format(&p->reports, "damage %d\n", i);
        const size_t damage = p->reports.length;
        buffer_format(&p->reports, "error %d\n", i);
        buffer_format(&p->messages, "message %d\n", i);
        buffer_format(&p->output, "game %d\n", i);
        SortedGame *game = sorted_add(&p->sorted, number(), "index;text", 10);
        game->index_length = 6;
        sorted_key_bytes(game, true, false, -5 - i, NULL, 0);
        sorted_key_bytes(game, true, true, 0, "word", 4);
        sorted_key_bytes(game, false, true, 0, NULL, 0);
        sorted_key_bytes(game, true, false, 0, "", 0);
        for (uint32_t q = 0; q < p->query_count; q++)
            fill_query(&p->query[q]);
        part_end_texts(p, 10 + i, reports, messages, damage, i % 2 == 0);
        part_set_mark(p);
        fill_totals(&p->mark[i].totals);
    }
}

static void expect_sorted(const SortedGames *a, const SortedGames *b)
{
    assert_int_equal(a->count, b->count);
    assert_int_equal(a->memory, b->memory);
    for (size_t i = 0; i < a->count; i++) {
        const SortedGame *x = &a->game[i], *y = &b->game[i];
        assert_true(x->number == y->number && x->length == y->length && x->index_length == y->index_length);
        assert_memory_equal(x->text, y->text, x->length);
        assert_int_equal(x->key_count, y->key_count);
        for (size_t k = 0; k < x->key_count; k++) {
            const SortedKey *p = &x->key[k], *q = &y->key[k];
            assert_true(p->has_value == q->has_value && p->is_min == q->is_min && p->number == q->number);
            assert_true(!p->text == !q->text && p->length == q->length);
            assert_true(!p->text || memcmp(p->text, q->text, p->length) == 0);
        }
    }
}

static void expect_groups(const GroupTable *a, const GroupTable *b)
{
    assert_int_equal(a->count, b->count);
    expect_text(&a->values, &b->values);
    for (size_t i = 0; i < a->count; i++) {
        const Group *x = &a->group[i], *y = &b->group[i];
        assert_true(x->query == y->query && x->start == y->start && x->length == y->length);
        assert_memory_equal(&x->numbers, &y->numbers, sizeof x->numbers);
    }
}

static void expect_part(const Part *a, const Part *b)
{
    expect_text(&a->reports, &b->reports);
    expect_text(&a->messages, &b->messages);
    expect_text(&a->output, &b->output);
    expect_text(&a->foreign, &b->foreign);
    assert_true(a->begins_line == b->begins_line && a->exhausted == b->exhausted);
    expect_totals(&a->totals, &b->totals);
    assert_int_equal(a->query_count, b->query_count);
    for (uint32_t q = 0; q < a->query_count; q++)
        expect_query(&a->query[q], &b->query[q]);
    expect_sorted(&a->sorted, &b->sorted);
    assert_int_equal(a->mark_count, b->mark_count);
    for (size_t i = 0; i < a->mark_count; i++) {
        const Mark *x = &a->mark[i], *y = &b->mark[i];
        assert_true(x->reports == y->reports && x->messages == y->messages && x->output == y->output);
        assert_true(x->sorted == y->sorted && x->texts == y->texts);
        expect_totals(&x->totals, &y->totals);
    }
    for (size_t i = 0; i < a->mark_count * a->query_count; i++)
        expect_query(&a->mark_query[i], &b->mark_query[i]);
    assert_int_equal(a->texts_count, b->texts_count);
    for (size_t i = 0; i < a->texts_count; i++) {
        const GameTexts *x = &a->texts[i], *y = &b->texts[i];
        assert_true(x->game == y->game && x->failed == y->failed && x->damage == y->damage);
        assert_true(x->reports == y->reports && x->messages == y->messages);
    }
    expect_groups(&a->groups, &b->groups);
}

// What block_get makes of the bytes, which end where memory does: a sanitizer sees what reads beyond them.
static Block *get(const Plan *plan, const char *bytes, size_t length)
{
    char *exactly = memory_resized(memory_copy(bytes, length), length ? length : 1, 1);
    Block *block = block_get(plan, exactly, length);
    free(exactly);
    return block;
}

static bool passes(const Plan *plan, const Block *block)
{
    Buffer bytes = {0};
    block_put(&bytes, block, false);
    Block *got = get(plan, bytes.start, bytes.length);
    if (got)
        block_free(got);
    buffer_free(&bytes);
    return got != NULL;
}

// ---- results as bytes -------------------------------------------------------------------------------------

// What is written is read again, whole; bytes that end earlier, or go on, are refused.
static void expect_same(const Plan *plan, const Block *block, bool more)
{
    Buffer bytes = {0};
    block_put(&bytes, block, more);
    uint64_t sequence;
    bool follows;
    assert_int_equal(share_block_head(bytes.start, &sequence, &follows), !block->partial);
    assert_true(sequence == block->sequence && follows == more);
    for (size_t length = 0; length < bytes.length; length++)
        assert_null(get(plan, bytes.start, length));
    Block *got = get(plan, bytes.start, bytes.length);
    assert_non_null(got);
    assert_true(got->sequence == block->sequence && got->failed == block->failed &&
                got->partial == block->partial);
    assert_true(got->more == more && got->games == block->games && got->positions == block->positions);
    assert_true(got->bytes == block->bytes);
    expect_text(&got->reports, &block->reports);
    assert_int_equal(got->part_count, block->part_count);
    for (uint32_t r = 0; r < block->part_count; r++)
        expect_part(&got->part[r], &block->part[r]);
    block_free(got);
    buffer_append(&bytes, "", 1);
    assert_null(get(plan, bytes.start, bytes.length));
    buffer_free(&bytes);
}

static void test_same(void **state)
{
    (void)state;
    const SearchOptions forms[] = {{.format = FORMAT_PGN},
                                   {.format = FORMAT_PGN, .limit = 5},
                                   {.format = FORMAT_PGN, .outputs = outputs},
                                   {.format = FORMAT_PGN, .outputs = outputs, .limit = 1}};
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        Plan plan = plan_of(&forms[i]);
        Block *block = block_new(&plan);
        expect_same(&plan, block, false); // without results
        block->sequence = (uint64_t)number();
        block->games = number(), block->positions = number(), block->bytes = number();
        block->failed = i % 2 == 0;
        block->partial = i >= 2;
        buffer_text(&block->reports, "of the input\n");
        for (uint32_t r = 0; r < block->part_count; r++) {
            fill_part(&block->part[r], 1 + (int)r);
            block->part[r].exhausted = i != 0;
            if (forms[i].limit == 0)
                block->part[r].mark_count = 0;
        }
        expect_same(&plan, block, i % 2 == 1);
        block_free(block);
        plan_free(&plan);
    }
}

static void test_groups(void **state)
{
    (void)state;
    GroupSpec spec = {0};
    assert_null(group_spec_read(&spec, "result,eco"));
    const SearchOptions options = {.format = FORMAT_TEXT, .count_by = &spec}, none = {.format = FORMAT_PGN};
    Plan plan = plan_of(&options), without = plan_of(&none);
    Block *block = block_new(&plan);
    GroupTable *groups = &block->part->groups;
    for (uint32_t q = 0; q < 3; q++) {
        Buffer values = {0};
        const GroupFacts facts = {.result = RESULT_WHITE, .eco = {q == 1 ? "B01" : "", q == 1 ? 3 : 0}};
        const GroupNumbers numbers = {number(), number(), number(), number(), number(), number()};
        group_values(&spec, &values, &facts, NULL);
        groups_add(groups, q < 2 ? q : GROUP_NO_QUERY, values.start, values.length, &numbers);
        buffer_free(&values);
    }
    expect_same(&plan, block, false);
    assert_false(passes(&without, block)); // nothing is counted there
    groups->group[1].query = 2;            // there are two queries
    assert_false(passes(&plan, block));
    groups->group[1].query = 1;
    assert_true(passes(&plan, block));
    groups->group[1].length--; // not the values of two keys
    assert_false(passes(&plan, block));
    block_free(block);
    plan_free(&plan);
    plan_free(&without);
    group_spec_free(&spec);
}

// A game may have any number of keys, and a result of any number of games with the shortest texts.
static void test_many_keys(void **state)
{
    (void)state;
    const SearchOptions options = {.format = FORMAT_PGN};
    Plan plan = plan_of(&options);
    Block *block = block_new(&plan);
    SortedGame *game = sorted_add(&block->part->sorted, 1, "", 0);
    for (int k = 0; k < 500; k++)
        sorted_key_bytes(game, false, false, 0, NULL, 0);
    assert_true(passes(&plan, block));
    for (int i = 0; i < 500; i++)
        sorted_add(&block->part->sorted, i, "", 0);
    assert_true(passes(&plan, block));
    block_free(block);
    plan_free(&plan);
}

// Lengths that do not fit what they are lengths of.
static void test_wrong(void **state)
{
    (void)state;
    const SearchOptions all = {.format = FORMAT_PGN, .outputs = outputs},
                        limited = {.format = FORMAT_PGN, .outputs = outputs, .limit = 5},
                        together = {.format = FORMAT_PGN, .limit = 5};
    Plan plan = plan_of(&limited), unlimited = plan_of(&all), joined = plan_of(&together);
    Block *block = block_new(&plan);
    Part *part = block->part;
    fill_part(part, 2);
    assert_true(passes(&plan, block));
    assert_false(passes(&unlimited, block)); // which has no marks
    assert_false(passes(&joined, block));    // which has another number of parts
    part->totals.matches = 3;                // a mark is missing
    assert_false(passes(&plan, block));
    part->totals.matches = 2;
    Mark *first = &part->mark[0], *last = &part->mark[1];
    GameTexts *text = &part->texts[1];
    const struct {
        size_t *length, earlier, whole; // what it may be
    } lengths[] = {{&last->reports, first->reports, part->reports.length},
                   {&last->messages, first->messages, part->messages.length},
                   {&last->output, first->output, part->output.length},
                   {&last->sorted, first->sorted, part->sorted.count},
                   {&last->texts, first->texts, part->texts_count},
                   {&text->damage, part->texts[0].reports, text->reports},
                   {&text->reports, text->damage, part->reports.length},
                   {&text->messages, part->texts[0].messages, part->messages.length},
                   {&part->sorted.game[1].index_length, 0, part->sorted.game[1].length}};
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        const size_t right = *lengths[i].length;
        const struct {
            size_t length;
            bool good;
        } tried[] = {{lengths[i].earlier, true},
                     {lengths[i].whole, true},
                     {lengths[i].earlier - 1, false},
                     {lengths[i].whole + 1, false},
                     {SIZE_MAX, false}};
        for (size_t k = 0; k < sizeof tried / sizeof *tried; k++) {
            *lengths[i].length = tried[k].length;
            if (passes(&plan, block) != tried[k].good)
                fail_msg("length %d: %zu", (int)i, tried[k].length);
        }
        *lengths[i].length = right;
    }
    assert_true(passes(&plan, block));
    block_free(block);
    plan_free(&plan);
    plan_free(&unlimited);
    plan_free(&joined);
}

// ---- marks ------------------------------------------------------------------------------------------------

// A part that is cut has the state after one of its matching games, and goes on from there.
static void test_cut(void **state)
{
    (void)state;
    const SearchOptions options = {.format = FORMAT_PGN, .limit = 5};
    Plan plan = plan_of(&options);
    Block *block = block_new(&plan), *fresh = block_new(&plan);
    Part *part = block->part;
    assert_int_equal(block_bytes(block), 0);
    next_number = 100;
    fill_part(part, 3);
    const Mark wanted = part->mark[1];
    const QueryTotals query_wanted[2] = {part->mark_query[2], part->mark_query[3]};
    part_cut(part, 2);
    assert_int_equal(part->mark_count, 2);
    assert_int_equal(part->sorted.count, 2);
    assert_int_equal(part->texts_count, 2);
    assert_true(part->reports.length == wanted.reports && part->messages.length == wanted.messages);
    assert_int_equal(part->output.length, wanted.output);
    expect_totals(&part->totals, &wanted.totals);
    expect_query(&part->query[0], &query_wanted[0]);
    expect_query(&part->query[1], &query_wanted[1]);
    const size_t texts =
        part->reports.length + part->messages.length + part->output.length + part->foreign.length;
    buffer_text(&block->reports, "12345");
    size_t games = 0;
    for (size_t i = 0; i < 2; i++) // each with four keys, one of them a word
        games += 2 * sizeof(SortedGame) + 10 + 4 * sizeof(SortedKey) + 4;
    assert_int_equal(block_bytes(block), 5 + texts + games);
    part->exhausted = true;
    block->games = block->positions = 7;
    groups_add(&part->groups, 0, "", 0, &(GroupNumbers){.games = 1});
    assert_int_equal(block_bytes(block), 5 + texts + games + groups_bytes(&part->groups));
    block_clear(block);
    assert_int_equal(block_bytes(block), 0);
    assert_true(block->games == 0 && block->positions == 0);
    expect_part(part, fresh->part);
    block_free(block);
    block_free(fresh);
    plan_free(&plan);
}

// ---- texts of several results -----------------------------------------------------------------------------

// Adds the texts of a game to a part; an empty one says nothing.
static void add_texts(Part *p, int64_t game, const char *damage, const char *error, const char *message)
{
    const size_t reports = p->reports.length, messages = p->messages.length;
    buffer_text(&p->reports, damage);
    const size_t end = p->reports.length;
    buffer_text(&p->reports, error);
    buffer_text(&p->messages, message);
    part_end_texts(p, game, reports, messages, end, *error);
}

static void expect_joined(const Block *block, const bool *complete, const char *reports, const char *messages,
                          int64_t damaged, int64_t errors)
{
    Buffer r = {0}, m = {0};
    SearchTotals totals = {.damaged = 100, .errors = 200};
    block_join_texts(block, complete, &r, &m, &totals);
    buffer_append(&r, "", 1);
    buffer_append(&m, "", 1);
    assert_string_equal(r.start, reports);
    assert_string_equal(m.start, messages);
    assert_int_equal(totals.damaged, 100 + damaged);
    assert_int_equal(totals.errors, 200 + errors);
    buffer_free(&r);
    buffer_free(&m);
}

static void test_join(void **state)
{
    (void)state;
    const SearchOptions options = {.format = FORMAT_PGN, .outputs = outputs};
    Plan plan = plan_of(&options);
    Block *block = block_new(&plan);
    Part *a = &block->part[0], *b = &block->part[1];
    expect_joined(block, NULL, "", "", 0, 0);
    add_texts(a, 2, "[damage 2]", "[a fails in 2]", "(a in 2)");
    add_texts(b, 2, "[damage 2]", "[b fails in 2]", "(b in 2)");
    add_texts(a, 3, "", "", ""); // says nothing
    assert_int_equal(a->texts_count, 1);
    add_texts(b, 4, "", "[b fails in 4]", "");
    add_texts(a, 5, "", "", "(a in 5)");
    add_texts(a, 6, "[damage 6]", "", "");
    add_texts(b, 7, "[damage 7]", "", "(b in 7)");
    expect_joined(block, NULL, "[damage 2][a fails in 2][b fails in 2][b fails in 4][damage 6][damage 7]",
                  "(a in 2)(b in 2)(a in 5)(b in 7)", 3, 2);
    expect_joined(block, (const bool[]){true, false}, "[damage 2][b fails in 2][b fails in 4][damage 7]",
                  "(b in 2)(b in 7)", 2, 2);
    expect_joined(block, (const bool[]){false, true}, "[damage 2][a fails in 2][damage 6]",
                  "(a in 2)(a in 5)", 2, 1);
    expect_joined(block, (const bool[]){true, true}, "", "", 0, 0);
    block_free(block);
    plan_free(&plan);
}

// A block whose results were given away is like a new one.
static void test_clear(void **state)
{
    (void)state;
    const SearchOptions apart = {.format = FORMAT_PGN, .outputs = outputs};
    const GroupNumbers one = {.games = 1};
    Plan plan = plan_of(&apart);
    Block *used = block_new(&plan), *fresh = block_new(&plan);
    fresh->sequence = used->sequence = 7;
    fresh->partial = used->partial = true; // what is known of its end stays
    for (int round = 0; round < 2; round++) {
        used->games = used->positions = used->bytes = 5;
        buffer_text(&used->reports, "of the input\n");
        for (uint32_t r = 0; r < 2; r++) {
            fill_part(&used->part[r], 2);
            used->part[r].exhausted = true;
            groups_add(&used->part[r].groups, 0, "Ann", 3, &one);
        }
        block_clear(used);
        assert_int_equal(block_bytes(used), 0);
        assert_int_equal(used->sequence, 7);
        assert_true(used->partial);
        assert_true(used->games + used->positions + used->bytes == 0 && used->reports.length == 0);
        for (uint32_t r = 0; r < 2; r++)
            expect_part(&used->part[r], &fresh->part[r]);
    }
    block_free(used);
    block_free(fresh);
    plan_free(&plan);
}

// The bytes of a block are those of all that its parts have.
static void test_bytes(void **state)
{
    (void)state;
    const SearchOptions apart = {.format = FORMAT_PGN, .outputs = outputs};
    const GroupNumbers one = {.games = 1};
    Plan plan = plan_of(&apart);
    Block *block = block_new(&plan);
    size_t sum = 0;
    assert_int_equal(block_bytes(block), 0);
    buffer_text(&block->reports, "1234");
    assert_int_equal(block_bytes(block), sum += 4);
    for (uint32_t r = 0; r < 2; r++) {
        Part *p = &block->part[r];
        Buffer *texts[] = {&p->reports, &p->messages, &p->output, &p->foreign};
        for (size_t i = 0; i < 4; i++) {
            buffer_text(texts[i], "1234567");
            assert_int_equal(block_bytes(block), sum += 7);
        }
        sorted_add(&p->sorted, 1, "12345", 5);
        assert_int_equal(p->sorted.memory, sizeof(SortedGame) + 5);
        assert_int_equal(block_bytes(block), sum += 2 * sizeof(SortedGame) + 5); // keys come later
        groups_add(&p->groups, 0, "Ann", 3, &one);
        assert_int_equal(block_bytes(block), sum += groups_bytes(&p->groups));
    }
    block_free(block);
    plan_free(&plan);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_same),  cmocka_unit_test(test_groups), cmocka_unit_test(test_many_keys),
        cmocka_unit_test(test_wrong), cmocka_unit_test(test_cut),    cmocka_unit_test(test_join),
        cmocka_unit_test(test_clear), cmocka_unit_test(test_bytes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
