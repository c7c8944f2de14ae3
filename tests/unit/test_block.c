// Results of a block of games: records, where limits end them, the texts of several results, their form as bytes for another process.
#include "run_fixture.h"
#include "record_fixture.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/search/wire.h"
#include "runtime/value/bytes.h"

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

static void fill_totals(Part *p)
{
    Buffer bytes = {0};
    for (size_t size = 0; size < part_totals_size(p); size += sizeof(uint64_t))
        bytes_put(&bytes, (uint64_t)number(), sizeof(uint64_t));
    part_take_totals(p, bytes.start);
    buffer_free(&bytes);
}

static void expect_text(const Buffer *a, const Buffer *b)
{
    assert_int_equal(a->length, b->length);
    assert_true(a->length == 0 || memcmp(a->start, b->start, a->length) == 0);
}

// Ends the record of a game, with the totals of the part where a limit may end it.
static void end_record(Part *p, GameRecord *record, bool limited)
{
    if (limited)
        part_put_totals(&record->totals, p);
    game_record_put(&p->records, record);
    game_record_free(record);
}

// A part with `matches` games, each of which leaves everything.
static void fill_part(Part *p, int matches, bool limited)
{
    fill_totals(p);
    buffer_text(&p->foreign, "another variant\n");
    for (int i = 0; i < matches; i++) {
        GameRecord record = {
            .game = 10 + i, .matches = true, .failed = i % 2 == 0, .begins_line = i % 2 == 0};
        buffer_format(&record.reports, "damage %d\n", i);
        record.damage = record.reports.length;
        buffer_format(&record.reports, "error %d\n", i);
        buffer_format(&record.messages, "message %d\n", i);
        buffer_format(&record.output, "game %d\n", i);
        game_record_add_number(&record, false, -5 - i);
        fill_totals(p);
        p->totals.matches = i + 1;
        end_record(p, &record, limited);
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
    expect_text(&a->records, &b->records);
    expect_text(&a->foreign, &b->foreign);
    assert_int_equal(a->exhausted, b->exhausted);
    Buffer x = {0}, y = {0};
    part_put_totals(&x, a);
    part_put_totals(&y, b);
    expect_text(&x, &y);
    buffer_free(&x);
    buffer_free(&y);
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
            fill_part(&block->part[r], 1 + (int)r, forms[i].limit > 0);
            block->part[r].exhausted = i != 0;
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
    assert_null(group_measures_read(&spec, NULL));
    const SearchOptions options = {.format = FORMAT_TEXT, .count_by = &spec}, none = {.format = FORMAT_PGN};
    Plan plan = plan_of(&options), without = plan_of(&none);
    Block *block = block_new(&plan);
    GroupTable *groups = &block->part->groups;
    for (uint32_t q = 0; q < 3; q++) {
        Buffer values = {0};
        const GroupFacts facts = {.result = RESULT_WHITE, .eco = {q == 1 ? "B01" : "", q == 1 ? 3 : 0}};
        const GroupNumbers numbers = {number(), number(), number(), number(), number(), number()};
        for (size_t k = 0; k < spec.count; k++)
            group_put_values(&spec.key[k], &values, &facts, NULL, -1);
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

// Records that cannot be those of the part.
static void test_wrong(void **state)
{
    (void)state;
    const SearchOptions all = {.format = FORMAT_PGN, .outputs = outputs},
                        limited = {.format = FORMAT_PGN, .outputs = outputs, .limit = 5},
                        together = {.format = FORMAT_PGN, .limit = 5},
                        files = {.format = FORMAT_PGN, .output = "{White}.pgn", .split_output = true};
    Plan plan = plan_of(&limited), unlimited = plan_of(&all), joined = plan_of(&together),
         split = plan_of(&files);
    Block *block = block_new(&plan), *whole = block_new(&split);
    Part *part = block->part;
    fill_part(part, 2, true);
    assert_true(passes(&plan, block));
    assert_false(passes(&unlimited, block)); // whose records have no totals
    assert_false(passes(&joined, block));    // which has another number of parts
    part->totals.matches = 3;                // a matching game is missing
    assert_false(passes(&plan, block));
    part->totals.matches = 2;
    part->records.length--; // a record that is cut
    assert_false(passes(&plan, block));
    part->records.length++;
    assert_true(passes(&plan, block));
    fill_part(whole->part, 1, false);
    assert_false(passes(&split, whole)); // the game goes to no file
    whole->part->records.length = 0;
    GameRecord named = {.game = 1, .matches = true};
    buffer_text(&named.output, "game");
    buffer_text(&named.file, "Ann.pgn");
    end_record(whole->part, &named, false);
    assert_true(passes(&split, whole));
    const struct {
        size_t damage;
        bool good;
    } lengths[] = {{0, true}, {7, true}, {8, false}, {SIZE_MAX, false}};
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        GameRecord record = {.game = 1, .damage = lengths[i].damage};
        part->records.length = 0;
        part->totals.matches = 0;
        buffer_text(&record.reports, "1234567");
        buffer_text(&record.output, "1234");
        end_record(part, &record, false);
        assert_int_equal(passes(&plan, block), lengths[i].good);
    }
    block_free(block);
    block_free(whole);
    plan_free(&plan);
    plan_free(&unlimited);
    plan_free(&joined);
    plan_free(&split);
}

// ---- limits -----------------------------------------------------------------------------------------------

// A part that is cut has the state after one of its matching games.
static void test_cut(void **state)
{
    (void)state;
    const SearchOptions options = {.format = FORMAT_PGN, .limit = 5};
    Plan plan = plan_of(&options);
    Block *block = block_new(&plan), *wanted = block_new(&plan);
    next_number = 100;
    fill_part(block->part, 3, true);
    next_number = 100;
    fill_part(wanted->part, 2, true);
    part_cut(block->part, 2);
    expect_part(block->part, wanted->part);
    assert_int_equal(record_count(block->part), 2);
    assert_int_equal(block->part->totals.matches, 2);
    block_free(block);
    block_free(wanted);
    plan_free(&plan);
}

// A limit leaves a game that does not match where it is, with what it says, unless it comes after the last one.
static void test_cut_between(void **state)
{
    (void)state;
    const SearchOptions options = {.format = FORMAT_PGN, .limit = 5};
    Plan plan = plan_of(&options);
    Block *block = block_new(&plan);
    Part *part = block->part;
    static const bool matches[] = {false, true, false, true, false};
    for (int i = 0; i < 5; i++) {
        GameRecord record = {.game = i, .matches = matches[i]};
        buffer_format(&record.reports, "%d", i);
        part->totals.games++;
        part->totals.matches += matches[i];
        end_record(part, &record, matches[i]);
    }
    part_cut(part, 2);
    EXPECT_TEXTS(part, reports, "0123");
    assert_int_equal(part->totals.games, 4);
    part_cut(part, 1);
    EXPECT_TEXTS(part, reports, "01");
    assert_int_equal(part->totals.games, 2);
    block_free(block);
    plan_free(&plan);
}

// ---- order ------------------------------------------------------------------------------------------------

// Keys in the order that they should have: each has smaller bytes than the next one.
static void test_keys(void **state)
{
    (void)state;
    enum { KEYS = 7 };
    static const Text texts[KEYS] = {{"", 0},   {"\0", 1}, {"\0\0", 2}, {"\0a", 2},
                                     {"\1", 1}, {"a", 1},  {"aa", 2}};
    static const int32_t numbers[KEYS] = {INT32_MIN, -256, -1, 0, 255, 256, INT32_MAX};
    for (int kind = 0; kind < 4; kind++) {
        const bool is_min = kind & 1;
        GameRecord record = {0};
        size_t begin = 0, before = 0; // where this key and the one before begin
        for (int i = 0; i <= KEYS; i++) {
            const int place = is_min ? i : KEYS - 1 - i;
            if (i == KEYS)
                game_record_add_no_key(&record); // comes last
            else if (kind < 2)
                game_record_add_text(&record, is_min, texts[place].start, texts[place].length);
            else
                game_record_add_number(&record, is_min, numbers[place]);
            const size_t a = begin - before, b = record.keys.length - begin;
            const char *bytes = record.keys.start;
            assert_true(i == 0 || memcmp(bytes + before, bytes + begin, a < b ? a : b) < 0);
            before = begin;
            begin = record.keys.length;
        }
        game_record_free(&record);
    }
}

// ---- texts of several results -----------------------------------------------------------------------------

// Adds the texts of a game to a part; an empty one says nothing.
static void add_texts(Part *p, int64_t game, const char *damage, const char *error, const char *message)
{
    GameRecord record = {.game = game, .failed = *error};
    buffer_text(&record.reports, damage);
    record.damage = record.reports.length;
    buffer_text(&record.reports, error);
    buffer_text(&record.messages, message);
    end_record(p, &record, false);
}

static void expect_joined(const Block *block, const bool *complete, const char *reports, const char *messages,
                          int64_t damaged, int64_t errors)
{
    BlockTexts texts = block_texts(block, complete);
    expect_bytes(&texts.reports, reports);
    expect_bytes(&texts.messages, messages);
    assert_int_equal(texts.damaged, damaged);
    assert_int_equal(texts.errors, errors);
    block_texts_free(&texts);
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

// Messages that need a line of their own get one.
static void test_lines(void **state)
{
    (void)state;
    const SearchOptions options = {.format = FORMAT_PGN};
    Plan plan = plan_of(&options);
    Block *block = block_new(&plan);
    static const struct {
        const char *message;
        bool begins_line;
    } games[] = {{"first\n", true}, {".", false}, {".", false}, {"second\n", true}, {"third\n", true}};
    for (int i = 0; i < 5; i++) {
        GameRecord record = {.game = i, .begins_line = games[i].begins_line};
        buffer_text(&record.messages, games[i].message);
        end_record(block->part, &record, false);
    }
    expect_joined(block, NULL, "", "first\n..\nsecond\nthird\n", 0, 0);
    BlockTexts texts = block_texts(block, NULL);
    assert_true(texts.begins_line);
    block_texts_free(&texts);
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
            fill_part(&used->part[r], 2, false);
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
        Buffer *texts[] = {&p->records, &p->foreign};
        for (size_t i = 0; i < 2; i++) {
            buffer_text(texts[i], "1234567");
            assert_int_equal(block_bytes(block), sum += 7);
        }
        groups_add(&p->groups, 0, "Ann", 3, &one);
        assert_int_equal(block_bytes(block), sum += groups_bytes(&p->groups));
    }
    block_free(block);
    plan_free(&plan);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_same),  cmocka_unit_test(test_groups),      cmocka_unit_test(test_wrong),
        cmocka_unit_test(test_cut),   cmocka_unit_test(test_cut_between), cmocka_unit_test(test_keys),
        cmocka_unit_test(test_join),  cmocka_unit_test(test_lines),       cmocka_unit_test(test_clear),
        cmocka_unit_test(test_bytes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
