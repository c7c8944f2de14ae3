// Comparing the boards of two positions: the calls of `relation` in CQL 5 and CQL 3 (language reference 11.7, 12.7) over random
// games, against the rules of these chapters, square by square.
#include "run_fixture.h"

#include <stdio.h>

#include "runtime/match/calls/relation.h"

static uint32_t random_below(uint32_t limit)
{
    static uint64_t state = 1;
    state = state * 6364136223846793005ULL + 1442695040888963407ULL;
    return (uint32_t)(state >> 33) % limit;
}

// ---- games ------------------------------------------------------------------------------------------------

// In most of them so few men that boards often come again, elsewhere or mirrored.
static const char *const starts[] = {
    "8/8/3k4/8/8/4K3/8/8 w - - 0 1",     "8/8/3k4/8/8/2N1K3/8/8 w - - 0 1",
    "8/3k4/3p4/8/8/3P4/3K4/8 w - - 0 1", "7k/7p/8/8/8/8/P7/K7 w - - 0 1",
    "8/8/2bk4/8/8/4KB2/8/8 w - - 0 1",   "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
};

// One run over all of them.
static void over_games(void (*body)(Context *c), int plies)
{
    Fixture f = {.query = {.name = "test", .source = "", .match_game = body}};
    fixture_open(&f);
    for (size_t i = 0; i < sizeof starts / sizeof *starts; i++) {
        char pgn[4000];
        size_t length = (size_t)sprintf(pgn, "[FEN \"%s\"]\n\n", starts[i]);
        Position p = pos_start, next;
        assert_null(fen_parse(starts[i], strlen(starts[i]), &p, NULL));
        for (int ply = 0; ply < plies; ply++) {
            Move moves[MAX_MOVES];
            char san[SAN_MAX];
            const int count = pos_legal_moves(&p, moves);
            if (count == 0)
                break;
            const Move m = moves[random_below((uint32_t)count)];
            san_write(&p, m, san);
            length += (size_t)sprintf(pgn + length, "%s ", san);
            pos_make(&next, &p, m);
            p = next;
        }
        strcpy(pgn + length, "*");
        fixture_play(&f, pgn);
        assert_null(f.result.error);
        game_free(&f.game);
    }
    run_free(f.run);
}

// ---- maps -------------------------------------------------------------------------------------------------

typedef struct Map {
    int symmetry; // 0: none, files mirrored, ranks mirrored, both; 4 to 7: after an exchange of files and ranks
    int files, ranks;
} Map;

// The square to which a map takes a square, or -1.
static int image(Map m, int square)
{
    int file = square & 7, rank = square >> 3;
    if (m.symmetry >= 4) {
        const int other = file;
        file = rank;
        rank = other;
    }
    file = (m.symmetry & 1 ? 7 - file : file) + m.files;
    rank = (m.symmetry & 2 ? 7 - rank : rank) + m.ranks;
    return file < 0 || file > 7 || rank < 0 || rank > 7 ? -1 : 8 * rank + file;
}

static const Map every_symmetry[] = {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {3, 0, 0},
                                     {4, 0, 0}, {5, 0, 0}, {6, 0, 0}, {7, 0, 0}};
// A quarter turn takes (file, rank) to (rank, 7 - file) or to (7 - rank, file).
static const Map turns[] = {{4 + 2, 0, 0}, {3, 0, 0}, {4 + 1, 0, 0}};

// Calls `test` for each map of an echo transform; true when it once is.
static bool some_map(enum EchoTransform transform, bool (*test)(Map m, const void *user), const void *user)
{
    const Map *list = transform == ECHO_FLIP             ? every_symmetry
                      : transform == ECHO_FLIPVERTICAL   ? every_symmetry + 1
                      : transform == ECHO_FLIPHORIZONTAL ? every_symmetry + 2
                                                         : turns;
    const int count = transform == ECHO_FLIP ? 8 : transform == ECHO_ROTATE90 ? 3 : 1;
    const int files = transform == ECHO_SHIFTVERTICAL ? 0 : 7,
              ranks = transform == ECHO_SHIFTHORIZONTAL ? 0 : 7;
    if (transform < ECHO_SHIFT) {
        for (int i = 0; i < count; i++)
            if (test(list[i], user))
                return true;
        return false;
    }
    for (int f = -files; f <= files; f++)
        for (int r = -ranks; r <= ranks; r++)
            if ((f || r) && test((Map){0, f, r}, user))
                return true;
    return false;
}

// ---- echo transforms (11.7) -------------------------------------------------------------------------------

typedef struct Echo {
    const Position *source, *target;
    Bitboard squares;
    int match_low, match_high, mismatch_low, mismatch_high;
} Echo;

// The rule of 11.7 for one map.
static bool echoes(Map m, const void *user)
{
    const Echo *e = user;
    int matches = 0, mismatches = 0;
    Bitboard hit = 0;
    for (int s = 0; s < 64; s++) {
        if (!(e->squares >> s & 1))
            continue;
        const int t = image(m, s);
        hit |= t >= 0 ? 1ULL << t : 0;
        *(e->source->square[s] == (t >= 0 ? e->target->square[t] : EMPTY) ? &matches : &mismatches) += 1;
    }
    for (int t = 0; t < 64; t++)
        if (e->squares >> t & 1 && !(hit >> t & 1))
            *(e->target->square[t] == EMPTY ? &matches : &mismatches) += 1;
    matches = matches > 64 ? 64 : matches;
    mismatches = mismatches > 64 ? 64 : mismatches;
    return matches >= e->match_low && matches <= e->match_high && mismatches >= e->mismatch_low &&
           mismatches <= e->mismatch_high;
}

static Bitboard some_squares(const Position *p)
{
    const Bitboard men = p->board[BOARD_OCCUPIED];
    Bitboard any = 0;
    for (int i = 0; i < 6; i++)
        any |= 1ULL << random_below(64);
    switch (random_below(6)) {
    case 0:
        return BB_ALL;
    case 1:
        return men;
    case 2:
        return p->board[WHITE_KING] | p->board[BLACK_KING];
    case 3:
        return men | any;
    case 4:
        return men & ~any;
    default:
        return any;
    }
}

static int found, missed; // how often a call was true and false

static void compare_echoes(Context *c)
{
    static const int ranges[][4] = {{0, 64, 0, 0}, {0, 64, 0, 1},   {0, 64, 1, 2},  {64, 64, 0, 64},
                                    {0, 0, 0, 64}, {60, 63, 0, 64}, {0, 64, 0, 64}, {0, 64, 3, 3},
                                    {1, 2, 0, 64}, {0, 64, 4, 6}};
    const uint32_t count = (uint32_t)c->game->count;
    int32_t source = 0;
    for (int i = 0; i < 600; i++) {
        const int32_t target = (int32_t)random_below(count);
        source = random_below(3) ? source : (int32_t)random_below(count);
        const int *r = ranges[random_below(sizeof ranges / sizeof *ranges)];
        const enum EchoTransform transform = random_below(ECHO_SHIFTVERTICAL + 1);
        const Echo e = {c->position[source],
                        c->position[target],
                        some_squares(c->position[source]),
                        r[0],
                        r[1],
                        r[2],
                        r[3]};
        const bool wanted = some_map(transform, echoes, &e);
        ++*(wanted ? &found : &missed);
        if (!!rt_echo_squares(c, source, target, e.squares, transform, r[0], r[1], r[2], r[3]) != wanted)
            fail_msg("positions %d, %d, squares %llx, transform %d, %d %d %d %d", (int)source, (int)target,
                     (unsigned long long)e.squares, (int)transform, r[0], r[1], r[2], r[3]);
        Bitboard equal = 0;
        for (int s = 0; s < 64; s++)
            equal |= e.source->square[s] == e.target->square[s] ? 1ULL << s : 0;
        assert_true(rt_same_contents(c, source, target) == equal);
    }
}

static void test_echoes(void **state)
{
    (void)state;
    found = missed = 0;
    over_games(compare_echoes, 120);
    assert_true(found > 500 && missed > 500);
}

// More men of a kind than are counted: those outside of the squares that are compared do not matter.
static void compare_many(Context *c)
{
    const Bitboard men = c->position[0]->board[WHITE_KNIGHT];
    assert_int_equal(bb_count(men), 17);
    Bitboard squares = BB_ALL;
    for (Bitboard rest = men; rest; rest &= rest - 1) {
        squares &= ~(rest & -rest);
        assert_int_equal(1, rt_echo_squares(c, 0, 0, squares, ECHO_FLIP, 0, 64, 0, 0));
    }
    assert_int_equal(1, rt_echo_squares(c, 0, 0, BB_ALL, ECHO_FLIP, 0, 64, 0, 0));
    assert_false(rt_echo_squares(c, 0, 0, BB_ALL, ECHO_FLIPHORIZONTAL, 0, 64, 0, 0));
}

static void test_many_men(void **state)
{
    (void)state;
    with_game("[FEN \"NNNNNNNN/NNNNNNNN/N7/8/8/8/8/K6k w - - 0 1\"]\n\n*", compare_many);
}

// ---- comments (11.7) ----------------------------------------------------------------------------------------

// 1 is with 2, 3 and 4, and 4 with 3: sources and targets have numbers in the order of their first match, in each relation.
static void pairs_body(Context *c)
{
    c->hit[c->hit_count++] = 0;
    rt_relation_pair(c, 0, 1, 2, 1);
    rt_relation_pair(c, 0, 1, 3, 1);
    rt_relation_pair(c, 1, 3, 2, 0);
    rt_relation_pair(c, 0, 1, 4, 0);
    rt_relation_pair(c, 0, 4, 3, 1);
}

static void test_pairs(void **state)
{
    (void)state;
    static const struct {
        int32_t position;
        const char *text;
    } expected[] = {{0, "CQL"},
                    {1, "SOURCE 1 [1 2 3]"},
                    {2, "TARGET 1 [1]"},
                    {1, "LCA [1,1] [1,2]"},
                    {3, "TARGET 2 [1 2]"},
                    {3, "SOURCE 1 [1]"},
                    {2, "TARGET 1 [1]"},
                    {4, "TARGET 3 [1]"},
                    {4, "SOURCE 2 [2]"},
                    {3, "LCA [2,2]"}};
    Fixture f = {.query = {.name = "test", .match_game = pairs_body},
                 .options = {.comments = true, .no_header = true}};
    fixture_open(&f);
    for (int game = 0; game < 2; game++) {
        fixture_play(&f, "1. e4 e5 2. Nf3 Nc6 *");
        assert_null(f.result.error);
        size_t texts = 0;
        for (int32_t i = 0; i < f.result.log_count; i++) {
            const LogEntry *entry = &f.result.log[i];
            if (entry->text->length == 0) // it says nothing more
                continue;
            assert_true(texts < sizeof expected / sizeof *expected);
            assert_int_equal(entry->position, expected[texts].position);
            assert_string_equal(entry->text->bytes, expected[texts++].text);
        }
        assert_int_equal(texts, sizeof expected / sizeof *expected);
        game_free(&f.game);
    }
    run_free(f.run);
}

// ---- positions that a shift may have made -------------------------------------------------------------------

// The only shift that can bring both kings there brings each man on the squares to a man, and is none that leaves all in place.
static bool may_be_shifted(const Position *from, const Position *to, Bitboard squares)
{
    const int king = bb_first(from->board[WHITE_KING]), there = bb_first(to->board[WHITE_KING]);
    const Map m = {0, (there & 7) - (king & 7), (there >> 3) - (king >> 3)};
    if (king == there || image(m, bb_first(from->board[BLACK_KING])) != bb_first(to->board[BLACK_KING]))
        return false;
    for (int s = 0; s < 64; s++)
        if (squares >> s & 1 && from->square[s] != EMPTY &&
            (image(m, s) < 0 || to->square[image(m, s)] == EMPTY))
            return false;
    return true;
}

static void compare_shifts(Context *c)
{
    for (int32_t source = 0; source < c->game->count; source++) {
        const Position *p = c->position[source];
        const Bitboard squares[] = {BB_ALL, p->board[WHITE_KING] | p->board[BLACK_KING],
                                    ~p->board[WHITE_KING], ~p->board[BLACK_KING], 0};
        for (int i = 0; i < 5; i++) {
            int32_t last = -1;
            for (int32_t n = 0; n < c->game->count; n++) {
                if (i < 2 && !may_be_shifted(p, c->position[n], squares[i]))
                    continue;
                assert_int_equal(rt_shifted_next(c, source, squares[i], last), n);
                last = n;
                ++*(i < 2 ? &found : &missed);
            }
            assert_int_equal(rt_shifted_next(c, source, squares[i], last), -1);
        }
    }
}

static void test_shifts(void **state)
{
    (void)state;
    found = missed = 0;
    over_games(compare_shifts, 100);
    assert_true(found > 500);
}

// ---- positions that differ by some men (12.7) -------------------------------------------------------------

typedef struct Likeness {
    const Position *before, *now;
    Bitboard squares, missing_squares, added_squares;
    int32_t missing, added; // symbols
    int missing_low, missing_high, added_low, added_high;
} Likeness;

static bool is_of(int32_t symbols, int piece)
{
    return symbols >> piece & 1 || symbols >> (piece_colour(piece) == WHITE ? BOARD_WHITE : BOARD_BLACK) & 1;
}

static bool is_like(const Likeness *l, Map m)
{
    int missing = 0, added = 0;
    for (int s = 0; s < 64; s++) {
        if (!(l->squares >> s & 1))
            continue;
        const int t = image(m, s), before = l->before->square[s], now = t < 0 ? EMPTY : l->now->square[t];
        if (before == now)
            continue;
        if (before != EMPTY && now != EMPTY)
            return false;
        if (now == EMPTY && !(is_of(l->missing, before) && l->missing_squares >> s & 1))
            return false;
        if (before == EMPTY && !(is_of(l->added, now) && l->added_squares >> s & 1))
            return false;
        ++*(now == EMPTY ? &missing : &added);
    }
    return missing >= l->missing_low && missing <= l->missing_high && added >= l->added_low &&
           added <= l->added_high;
}

static bool some_likeness(const Likeness *l, int maps)
{
    const int shift = maps & 2 ? 7 : 0;
    for (int symmetry = 0; symmetry < (maps & 1 ? 8 : 1); symmetry++)
        for (int f = -shift; f <= shift; f++)
            for (int r = -shift; r <= shift; r++)
                if (is_like(l, (Map){symmetry, f, r}))
                    return true;
    return false;
}

static void compare_likeness(Context *c)
{
    static const int ranges[][2] = {{0, 0}, {0, 1}, {1, 1}, {1, 2}, {0, 3}, {2, 40}, {0, 64}};
    const int32_t all = 1 << BOARD_WHITE | 1 << BOARD_BLACK;
    const int32_t symbols[] = {all, all, 1 << BOARD_WHITE, 1 << BOARD_BLACK | 1 << WHITE_KNIGHT,
                               1 << WHITE_PAWN | 1 << BLACK_PAWN | 1 << WHITE_KING};
    const uint32_t count = (uint32_t)c->game->count;
    for (int i = 0; i < 400; i++) {
        const int32_t other = (int32_t)random_below(count), now = (int32_t)random_below(count);
        const int *m = ranges[random_below(7)], *a = ranges[random_below(7)];
        const int32_t maps = (int32_t)random_below(4);
        const Likeness l = {.before = c->position[other],
                            .now = c->position[now],
                            .squares = random_below(3) ? BB_ALL : some_squares(c->position[other]),
                            .missing_squares = random_below(3) ? BB_ALL : some_squares(c->position[other]),
                            .added_squares = random_below(3) ? BB_ALL : some_squares(c->position[now]),
                            .missing = symbols[random_below(5)],
                            .added = symbols[random_below(5)],
                            .missing_low = m[0],
                            .missing_high = m[1],
                            .added_low = a[0],
                            .added_high = a[1]};
        const bool wanted = some_likeness(&l, maps);
        ++*(wanted ? &found : &missed);
        if (!!rt_resembles(c, l.now, other, l.squares, maps, l.missing, l.missing_squares, m[0], m[1],
                           l.added, l.added_squares, a[0], a[1]) != wanted)
            fail_msg("positions %d, %d, squares %llx, maps %d", (int)other, (int)now,
                     (unsigned long long)l.squares, (int)maps);
    }
}

static void test_likeness(void **state)
{
    (void)state;
    found = missed = 0;
    over_games(compare_likeness, 120);
    assert_true(found > 200 && missed > 200);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pairs),  cmocka_unit_test(test_many_men), cmocka_unit_test(test_echoes),
        cmocka_unit_test(test_shifts), cmocka_unit_test(test_likeness),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
