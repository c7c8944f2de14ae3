// Conditions on tags over the columns of a database: for each game what the formula says, also where an atom fails.
#include "folder_fixture.h"
#include "run_fixture.h"

#include "runtime/search/candidates.h"

// ---- games ------------------------------------------------------------------------------------------------

typedef struct Tags {
    const char *white, *black, *event, *site, *date;
    int ratings[2], result, plies;
    bool variant, damaged;
} Tags;

// Names with characters of Latin-1 may be written in two ways; others cannot.
static const char *const whites[] = {"A", "B", "Zo\xC3\xAB", "\xC5\x81", "x\xC3"}, *const events[] = {
                                                                                       "first", "fails", ""};
static const char *const results[] = {"*", "1-0", "0-1", "1/2-1/2"};

enum { GAMES = 60 };
static Tags games[GAMES];

static unsigned random_below(unsigned n)
{
    static unsigned state = 12345;
    state = state * 1103515245u + 12345u;
    return (state >> 16) % n;
}

static const char *import_games(void)
{
    static const char *const moves[] = {"", "1. e4", "1. e4 e5", "1. e4 e5 2. d4"};
    FILE *f = fopen(path("games.pgn"), "w");
    for (int i = 0; i < GAMES; i++) {
        Tags *t = &games[i];
        *t = (Tags){whites[random_below(4)],
                    whites[random_below(4)],
                    events[random_below(3)],
                    whites[random_below(4)],
                    random_below(2) ? "1999.05.03" : "2001.??.??",
                    {1900 + (int)random_below(200), 1900 + (int)random_below(200)},
                    (int)random_below(4),
                    1 + (int)random_below(3),
                    i % 20 == 7,
                    i % 20 == 9};
        fprintf(f,
                "[White \"%s\"]\n[Black \"%s\"]\n[Event \"%s\"]\n[Site \"%s\"]\n[Date \"%s\"]\n[WhiteElo "
                "\"%d\"]\n[BlackElo "
                "\"%d\"]\n[Result \"%s\"]\n%s\n%s%s %s\n\n",
                t->white, t->black, t->event, t->site, t->date, t->ratings[0], t->ratings[1],
                results[t->result], t->variant ? "[Variant \"Atomic\"]\n" : "", moves[t->plies],
                t->damaged ? " Ke8" : "", results[t->result]);
    }
    fclose(f);
    const char *database = path("games.cqldb");
    char command[400];
    snprintf(command, sizeof command, "cqlgen import -q %s -o %s 2>/dev/null", path("games.pgn"), database);
    assert_int_equal(system(command) & 0xFF, 0);
    return database;
}

// ---- atoms ------------------------------------------------------------------------------------------------

enum { IS_A, IS_ZOE, RATING, YEAR, EVENT, SITE, BOTH, ATOMS };
static const int32_t columns[ATOMS] = {1 << COLUMN_WHITE,
                                       1 << COLUMN_WHITE,
                                       1 << COLUMN_WHITE_ELO,
                                       1 << COLUMN_DATE,
                                       1 << COLUMN_EVENT,
                                       1 << COLUMN_SITE,
                                       1 << COLUMN_WHITE | 1 << COLUMN_EVENT};

static bool is_text(String s, const char *text)
{
    return s && s->length == strlen(text) && memcmp(s->bytes, text, s->length) == 0;
}

static int32_t tag_atom(Context *c, int32_t atom)
{
    String white = NULL, event = NULL;
    int32_t number = 0;
    switch (atom) {
    case IS_A:
        return rt_player(c, 0, &white) && is_text(white, "A");
    case IS_ZOE:
        return rt_player(c, 0, &white) && is_text(white, "Zo\xC3\xAB");
    case RATING:
        return rt_elo(c, 0, &number) && number >= 2000;
    case YEAR:
        return rt_year(c, &number) && number < 2000;
    case EVENT:
        rt_tag(c, STR("Event"), &event);
        if (is_text(event, "fails"))
            rt_raise(c, RAISE_ABORT, NULL);
        return is_text(event, "first");
    case SITE:
        return rt_tag(c, STR("Site"), &event) && is_text(event, "Zo\xC3\xAB");
    default:
        rt_tag(c, STR("Event"), &event);
        rt_player(c, 0, &white);
        if (is_text(event, "fails") && is_text(white, "B"))
            rt_raise(c, RAISE_ABORT, NULL);
        return is_text(event, "first") || is_text(white, "A");
    }
}

// What is known of an atom from the columns alone.
enum { HOLDS = 1, FAILS = 2, UNKNOWN = 3 };

static bool has_two_forms(const char *name)
{
    return strcmp(name, "Zo\xC3\xAB") == 0;
}

static int atom_of(const Tags *t, int atom, bool black)
{
    const char *name = black ? t->black : t->white;
    bool holds = false;
    switch (atom) {
    case IS_A:
        holds = strcmp(name, "A") == 0;
        break;
    case IS_ZOE: // as it is written in UTF-8, but not in Latin-1
        if (has_two_forms(name))
            return UNKNOWN;
        break;
    case SITE:
        if (has_two_forms(t->site))
            return UNKNOWN;
        break;
    case RATING:
        holds = t->ratings[black] >= 2000;
        break;
    case YEAR:
        holds = strcmp(t->date, "2000") < 0;
        break;
    case EVENT:
        if (strcmp(t->event, "fails") == 0)
            return UNKNOWN;
        holds = strcmp(t->event, "first") == 0;
        break;
    default:
        if (has_two_forms(name) || (strcmp(t->event, "fails") == 0 && strcmp(name, "B") == 0))
            return UNKNOWN;
        holds = strcmp(t->event, "first") == 0 || strcmp(name, "A") == 0;
    }
    return holds ? HOLDS : FAILS;
}

// ---- formulas ---------------------------------------------------------------------------------------------

enum { LONGEST = 64 };

static void random_formula(int32_t *formula, int32_t *count, int depth)
{
    const unsigned kind = depth > 0 ? random_below(5) : 4;
    if (kind < 4) {
        formula[(*count)++] = kind % 2 ? TAGS_AND : TAGS_OR;
        random_formula(formula, count, depth - 1);
        random_formula(formula, count, depth - 1);
        return;
    }
    const int32_t atom = (int32_t)random_below(ATOMS);
    if (random_below(3) == 0)
        formula[(*count)++] = TAGS_NOT;
    if (random_below(3) == 0 && (atom == IS_A || atom == IS_ZOE || atom == RATING))
        formula[(*count)++] = TAGS_BLACK;
    formula[(*count)++] = atom;
}

// Whether the formula may be true of the game; *unknown: an atom that was needed for this is not known.
static bool may_be(const Tags *t, const int32_t **formula, bool asked, bool *unknown)
{
    int32_t op = *(*formula)++;
    if (op == TAGS_AND) {
        const bool first = may_be(t, formula, asked, unknown);
        return may_be(t, formula, asked && first, unknown) && first;
    }
    if (op == TAGS_OR) {
        const bool first = may_be(t, formula, asked, unknown);
        return may_be(t, formula, asked && !first, unknown) || first;
    }
    const int wanted = op == TAGS_NOT ? FAILS : HOLDS;
    if (op == TAGS_NOT)
        op = *(*formula)++;
    const bool black = op == TAGS_BLACK;
    if (black)
        op = *(*formula)++;
    const int known = atom_of(t, op, black);
    *unknown |= asked && known == UNKNOWN;
    return known & wanted;
}

static int32_t expected(const QueryInfo *query, const Tags *t)
{
    const int32_t *formula = query->tag_formula;
    bool unknown = false;
    if (t->damaged || (t->variant && query->flags & QUERY_CQLI))
        return CANDIDATE; // its columns say little
    if (!may_be(t, &formula, true, &unknown) || (query->results && !(query->results >> t->result & 1)))
        return 0;
    return query->tags_decide && !(query->flags & QUERY_VARIATIONS) && !unknown ? t->plies + 1 : CANDIDATE;
}

static void match_nothing(Context *c)
{
    (void)c;
}

static void test_formulas(void **state)
{
    (void)state;
    enum { QUERIES = 5, ROUNDS = 300 };
    char *message;
    Database *d = database_open(import_games(), DATABASE_READ, &message);
    assert_non_null(d);
    assert_int_equal(database_game_count(d), GAMES);
    for (int round = 0; round < ROUNDS; round++) {
        int32_t formula[QUERIES][LONGEST], count[GAMES * QUERIES];
        QueryInfo query[QUERIES];
        Run *run[QUERIES];
        const RunOptions options = {0};
        for (int q = 0; q < QUERIES; q++) {
            int32_t length = 0;
            random_formula(formula[q], &length, 1 + round % 4);
            query[q] = (QueryInfo){.name = "",
                                   .source = "",
                                   .match_game = match_nothing,
                                   .tag_atom = tag_atom,
                                   .tag_atom_count = ATOMS,
                                   .tag_columns = columns,
                                   .tag_formula = formula[q],
                                   .tag_formula_count = length,
                                   .tags_decide = random_below(2),
                                   .flags = (random_below(4) ? 0 : QUERY_CQLI) |
                                            (random_below(4) ? 0 : QUERY_VARIATIONS),
                                   .results = random_below(2) ? 0 : 1u << random_below(4)};
        }
        query[1] = (QueryInfo){.name = "", .source = "", .match_game = match_nothing}; // without a condition
        query[2].tag_atom_count = query[2].tag_formula_count = 0;                      // on the result alone
        query[2].tags_decide = 0;
        query[2].results = 1u << (round % 4);
        const Matcher matcher = {CQL_MAGIC, CQL_ABI_VERSION, QUERIES, query, "test", CQL_LAYOUT};
        Candidates *c = candidates_new(&matcher, 0);
        CandidateSearch *s = candidate_search_new();
        for (int q = 0; q < QUERIES; q++)
            assert_non_null(run[q] = run_new(&query[q], &options, NULL, &message));
        for (int again = 0; again < 2; again++) { // the second time the values are known
            memset(count, 77, sizeof count);
            assert_int_equal(candidates_find(c, s, run, d, 0, count), CANDIDATES_FOUND);
            for (int i = 0; i < GAMES; i++) {
                const Tags *t = &games[i];
                assert_int_equal(count[i * QUERIES + 1], CANDIDATE);
                const bool may =
                    t->damaged || (t->variant && query[2].flags & QUERY_CQLI) || t->result == round % 4;
                assert_int_equal(count[i * QUERIES + 2], may ? CANDIDATE : 0);
                for (int q = 0; q < QUERIES; q++)
                    if (q != 1 && q != 2 && count[i * QUERIES + q] != expected(&query[q], t))
                        fail_msg("round %d, query %d, game %d: %d, expected %d", round, q, i + 1,
                                 count[i * QUERIES + q], expected(&query[q], t));
            }
        }
        for (int q = 0; q < QUERIES; q++)
            run_free(run[q]);
        candidate_search_free(s);
        candidates_free(c);
    }
    database_close(d);
}

// Without a condition there is nothing to find.
static void test_none(void **state)
{
    (void)state;
    const QueryInfo query = {.name = "", .source = "", .match_game = match_nothing};
    const Matcher matcher = {CQL_MAGIC, CQL_ABI_VERSION, 1, &query, "test", CQL_LAYOUT};
    Candidates *c = candidates_new(&matcher, 0);
    assert_false(candidates_any(c));
    assert_int_equal(candidates_find(c, NULL, NULL, NULL, 0, NULL), CANDIDATES_ALL);
    candidates_free(c);
}

static int remove_folder(void **state)
{
    (void)state;
    static const char *const names[] = {"games.pgn", "games.cqldb"};
    return remove_files(names, sizeof names / sizeof *names);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_formulas), cmocka_unit_test(test_none)};
    return cmocka_run_group_tests(tests, open_folder, remove_folder);
}
