// Conditions on tags over the columns of a database: for each game what the formula says, also where an atom fails.
#include "database_fixture.h"
#include "mutex_fixture.h"
#include "run_fixture.h"

#include "runtime/database/checksum.h"
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

// Those of Black ask the same as those of White; NUMBER reads what no column has.
enum { IS_A, IS_ZOE, RATING, OF_BLACK, YEAR = 2 * OF_BLACK, EVENT, SITE, BOTH, NUMBER, ATOMS };
static const int32_t columns[ATOMS] = {1 << COLUMN_WHITE,
                                       1 << COLUMN_WHITE,
                                       1 << COLUMN_WHITE_ELO,
                                       1 << COLUMN_BLACK,
                                       1 << COLUMN_BLACK,
                                       1 << COLUMN_BLACK_ELO,
                                       1 << COLUMN_DATE,
                                       1 << COLUMN_EVENT,
                                       1 << COLUMN_SITE,
                                       1 << COLUMN_WHITE | 1 << COLUMN_EVENT,
                                       1 << COLUMN_OTHER | 1 << COLUMN_WHITE};
static const int32_t same[ATOMS] = {IS_A, IS_ZOE, RATING, IS_A, IS_ZOE, RATING,
                                    YEAR, EVENT,  SITE,   BOTH, NUMBER};

static bool is_text(String s, const char *text)
{
    return s && s->length == strlen(text) && memcmp(s->bytes, text, s->length) == 0;
}

static int32_t tag_atom(Context *c, int32_t atom)
{
    String white = NULL, event = NULL;
    int32_t number = 0;
    const bool black = atom >= OF_BLACK && atom < 2 * OF_BLACK;
    switch (atom - (black ? OF_BLACK : 0)) {
    case IS_A:
        return rt_player(c, black, &white) && is_text(white, "A");
    case IS_ZOE:
        return rt_player(c, black, &white) && is_text(white, "Zo\xC3\xAB");
    case RATING:
        return rt_elo(c, black, &number) && number >= 2000;
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

static int atom_of(const Tags *t, int atom)
{
    const bool black = atom >= OF_BLACK && atom < 2 * OF_BLACK;
    const char *name = black ? t->black : t->white;
    bool holds = false;
    switch (atom - (black ? OF_BLACK : 0)) {
    case NUMBER:
        return UNKNOWN;
    case IS_A:
        holds = strcmp(name, "A") == 0;
        break;
    case IS_ZOE:
        holds = strcmp(name, "Zo\xC3\xAB") == 0;
        break;
    case SITE:
        holds = strcmp(t->site, "Zo\xC3\xAB") == 0;
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
        if (strcmp(t->event, "fails") == 0 && strcmp(name, "B") == 0)
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
    if (random_below(3) == 0)
        formula[(*count)++] = TAGS_NOT;
    formula[(*count)++] = (int32_t)random_below(ATOMS);
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
    const int known = atom_of(t, op);
    *unknown |= asked && known == UNKNOWN;
    return known & wanted;
}

static int32_t expected(const QueryInfo *query, const Tags *t)
{
    const int32_t *formula = query->tag_formula;
    bool unknown = false;
    if (t->damaged || (t->variant && !(query->flags & QUERY_AS_CHESS)))
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
    Database *d = database_open(import_games(), DATABASE_READ, NULL, &message);
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
                                   .tag_same = same,
                                   .tag_formula = formula[q],
                                   .tag_formula_count = length,
                                   .tags_decide = random_below(2),
                                   .flags = (uint32_t[]){0, QUERY_VARIANTS, QUERY_AS_CHESS}[random_below(3)] |
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
                const bool may = t->damaged || (t->variant && !(query[2].flags & QUERY_AS_CHESS)) ||
                                 t->result == round % 4;
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

// ---- single values ----------------------------------------------------------------------------------------

// A game with one ply, and a query that wants one of two texts in a tag of it.
typedef struct Single {
    int column;
    const char *value, *wanted[2];
    int32_t count;
} Single;

enum { KNOWN = 2 }; // positions

// The greatest value of each column; names that are written in UTF-8 or in Latin-1.
static const Single singles[] = {
    {COLUMN_DATE, "2047.12.31", {"2047.12.31"}, KNOWN},
    {COLUMN_DATE, "2047.12.31", {"2047.12.30"}, 0},
    {COLUMN_RESULT, "*", {"*"}, KNOWN},
    {COLUMN_RESULT, "1-0", {"1-0"}, KNOWN},
    {COLUMN_RESULT, "0-1", {"1-0"}, 0},
    {COLUMN_RESULT, "1/2-1/2", {"1/2-1/2"}, KNOWN},
    {COLUMN_WHITE_ELO, "4000", {"4000"}, KNOWN},
    {COLUMN_BLACK_ELO, "4000", {"4000"}, KNOWN},
    {COLUMN_BLACK_ELO, "3999", {"4000"}, 0},
    {COLUMN_ECO, "E99", {"E99"}, KNOWN},
    {COLUMN_ECO, "E99z4", {"E99z4"}, KNOWN},
    {COLUMN_ECO, "A00", {"E99z4"}, 0},
    {COLUMN_WHITE, "Zo\xC3\xAB", {"Zo\xC3\xAB"}, KNOWN},
    {COLUMN_WHITE, "Zo\xEB", {"Zo\xC3\xAB"}, KNOWN},
    {COLUMN_WHITE, "Zo\xEB", {"Zo\xEB"}, 0},
    {COLUMN_BLACK, "\xA1x\xFFy", {"\xC2\xA1x\xC3\xBFy"}, KNOWN},
    {COLUMN_BLACK, "\xC3\x80\xC2\xBF", {"\xC3\x80\xC2\xBF"}, KNOWN},
    {COLUMN_BLACK, "\xC3\xAB\xC5\x81", {"\xC3\xAB\xC5\x81"}, KNOWN},
    {COLUMN_EVENT, "Z\xFCrich", {"Z\xC3\xBCrich"}, KNOWN},
    {COLUMN_SITE, "Z\xC3\xBCrich", {"Z\xC3\xBCrich"}, KNOWN},
    {COLUMN_SITE, "Bern", {"Bern"}, KNOWN},
};
enum { SINGLES = sizeof singles / sizeof *singles };
static QueryInfo single_query[SINGLES];

static int32_t single_atom(Context *c, int32_t atom)
{
    const Single *s = &singles[c->query - single_query];
    String value = NULL;
    int32_t number = 0;
    char digits[12];
    (void)atom;
    switch (s->column) {
    case COLUMN_WHITE:
    case COLUMN_BLACK:
        rt_player(c, s->column == COLUMN_BLACK, &value);
        break;
    case COLUMN_WHITE_ELO:
    case COLUMN_BLACK_ELO:
        snprintf(digits, sizeof digits, "%d",
                 rt_elo(c, s->column == COLUMN_BLACK_ELO, &number) ? (int)number : 0);
        return strcmp(digits, s->wanted[0]) == 0;
    default:
        rt_tag(c,
               s->column == COLUMN_EVENT    ? STR("Event")
               : s->column == COLUMN_SITE   ? STR("Site")
               : s->column == COLUMN_DATE   ? STR("Date")
               : s->column == COLUMN_RESULT ? STR("Result")
                                            : STR("ECO"),
               &value);
    }
    return is_text(value, s->wanted[0]) || (s->wanted[1] && is_text(value, s->wanted[1]));
}

static void test_values(void **state)
{
    (void)state;
    static const char *const tag[STORED_COLUMNS] = {
        [COLUMN_WHITE] = "White",        [COLUMN_BLACK] = "Black",        [COLUMN_EVENT] = "Event",
        [COLUMN_SITE] = "Site",          [COLUMN_DATE] = "Date",          [COLUMN_RESULT] = "Result",
        [COLUMN_WHITE_ELO] = "WhiteElo", [COLUMN_BLACK_ELO] = "BlackElo", [COLUMN_ECO] = "ECO"};
    static const int32_t formula[] = {0};
    static int32_t columns_of[SINGLES], count[SINGLES * SINGLES];
    static Run *run[SINGLES];
    const RunOptions options = {0};
    char *message;
    FILE *f = fopen(path("games.pgn"), "w");
    for (int i = 0; i < SINGLES; i++) {
        const Single *s = &singles[i];
        fprintf(f, "[%s \"%s\"]\n\n1. e4 %s\n\n", tag[s->column], s->value,
                s->column == COLUMN_RESULT ? s->value : "*");
        columns_of[i] = 1 << s->column;
        single_query[i] = (QueryInfo){.name = "",
                                      .source = "",
                                      .match_game = match_nothing,
                                      .tag_atom = single_atom,
                                      .tag_atom_count = 1,
                                      .tag_columns = &columns_of[i],
                                      .tag_same = formula,
                                      .tag_formula = formula,
                                      .tag_formula_count = 1,
                                      .tags_decide = true};
        assert_non_null(run[i] = run_new(&single_query[i], &options, NULL, &message));
    }
    fclose(f);
    Database *d =
        database_open(make("games.cqldb", read_file(path("games.pgn"))), DATABASE_READ, NULL, &message);
    assert_non_null(d);
    const Matcher matcher = {CQL_MAGIC, CQL_ABI_VERSION, SINGLES, single_query, "test", CQL_LAYOUT};
    Candidates *c = candidates_new(&matcher, 0);
    CandidateSearch *s = candidate_search_new();
    assert_int_equal(candidates_find(c, s, run, d, 0, count), CANDIDATES_FOUND);
    for (int i = 0; i < SINGLES; i++) {
        if (count[i * SINGLES + i] != singles[i].count)
            fail_msg("%s, case %d: %d", singles[i].value, i, (int)count[i * SINGLES + i]);
        run_free(run[i]);
    }
    candidate_search_free(s);
    candidates_free(c);
    database_close(d);
}

// ---- what is read -----------------------------------------------------------------------------------------

static int asked; // calls of an atom

static int32_t is_ann(Context *c, int32_t atom)
{
    String name = NULL;
    (void)atom;
    asked++;
    return rt_player(c, 0, &name) && is_text(name, "Ann");
}

// The answers of one query for the games of a database, as CandidatesResult and in `count`.
static CandidatesResult find_in(Candidates *c, const QueryInfo *query, Database *d, int32_t *count)
{
    char *message;
    const RunOptions options = {0};
    Run *run = run_new(query, &options, NULL, &message);
    assert_non_null(run);
    CandidateSearch *s = candidate_search_new();
    const CandidatesResult result = candidates_find(c, s, &run, d, 0, count);
    candidate_search_free(s);
    run_free(run);
    return result;
}

// Whatever the search does not need may be damaged.
static void test_needed(void **state)
{
    (void)state;
    enum { NAMES = 1 << STORED_COLUMNS }; // and those of players, events, sites
    static const int32_t of_white[] = {1 << COLUMN_WHITE}, of_event[] = {1 << COLUMN_EVENT},
                         of_site[] = {1 << COLUMN_SITE}, of_elo[] = {1 << COLUMN_WHITE_ELO},
                         of_black[] = {1 << COLUMN_BLACK},
                         of_other[] = {1 << COLUMN_OTHER | 1 << COLUMN_SITE}, plain[] = {0};
    static const struct {
        const int32_t *columns, *formula;
        int32_t length;
        bool decides;
        unsigned results, needed;
    } cases[] = {
        {NULL, NULL, 0, false, 1 << RESULT_DRAW, 1 << COLUMN_RESULT},
        {of_elo, plain, 1, false, 0, 1 << COLUMN_RESULT | 1 << COLUMN_WHITE_ELO},
        {of_elo, plain, 1, true, 0, 1 << COLUMN_RESULT | 1 << COLUMN_WHITE_ELO | 1 << COLUMN_PLIES},
        {of_white, plain, 1, false, 0, 1 << COLUMN_RESULT | 1 << COLUMN_WHITE | NAMES},
        {of_black, plain, 1, false, 0, 1 << COLUMN_RESULT | 1 << COLUMN_BLACK | NAMES},
        {of_other, plain, 1, true, 0, 1 << COLUMN_RESULT | 1 << COLUMN_PLIES},
        {of_event, plain, 1, false, 0, 1 << COLUMN_RESULT | 1 << COLUMN_EVENT | NAMES << 1},
        {of_site, plain, 1, false, 0, 1 << COLUMN_RESULT | 1 << COLUMN_SITE | NAMES << 2},
    };
    static const char *const stored[] = {"white",        "black",       "event",     "site", "date",
                                         "result",       "white_elo",   "black_elo", "eco",  "ply_count",
                                         "player_names", "event_names", "site_names"};
    const char *const good = make("games.cqldb", "[White \"Ann\"]\n\n1. e4 *\n");
    for (int column = 0; column < STORED_COLUMNS + 3; column++) {
        char statement[100], copy[300], *message;
        const char *const name = path("damaged.cqldb");
        unlink(name);
        snprintf(copy, sizeof copy, "VACUUM INTO '%s'", name);
        change(good, copy);
        snprintf(statement, sizeof statement, "UPDATE columns SET %s = x'00'", stored[column]);
        change(name, statement);
        Database *d = database_open(name, DATABASE_READ, NULL, &message);
        for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
            const QueryInfo query = {.name = "",
                                     .source = "",
                                     .match_game = match_nothing,
                                     .tag_atom = is_ann,
                                     .tag_atom_count = cases[i].columns != NULL,
                                     .tag_columns = cases[i].columns,
                                     .tag_same = plain,
                                     .tag_formula = cases[i].formula,
                                     .tag_formula_count = cases[i].length,
                                     .tags_decide = cases[i].decides,
                                     .results = cases[i].results};
            const Matcher matcher = {CQL_MAGIC, CQL_ABI_VERSION, 1, &query, "test", CQL_LAYOUT};
            int32_t count;
            Candidates *c = candidates_new(&matcher, 0);
            const CandidatesResult wanted =
                cases[i].needed >> column & 1 ? CANDIDATES_DAMAGED : CANDIDATES_FOUND;
            if (find_in(c, &query, d, &count) != wanted)
                fail_msg("case %d with %s", (int)i, statement);
            candidates_free(c);
        }
        database_close(d);
    }
    unlink(path("damaged.cqldb"));
}

// Each database has its own names, which are asked for once.
static void test_databases(void **state)
{
    (void)state;
    static const int32_t columns_read[] = {1 << COLUMN_WHITE}, formula[] = {0};
    static const char *const games_of[] = {"[White \"Ann\"]\n\n1. e4 *\n\n[White \"Bob\"]\n\n1. d4 *\n",
                                           "[White \"Bob\"]\n\n1. e4 *\n\n[White \"Ann\"]\n\n1. d4 *\n"};
    const QueryInfo query = {.name = "",
                             .source = "",
                             .match_game = match_nothing,
                             .tag_atom = is_ann,
                             .tag_atom_count = 1,
                             .tag_columns = columns_read,
                             .tag_same = formula,
                             .tag_formula = formula,
                             .tag_formula_count = 1};
    const Matcher matcher = {CQL_MAGIC, CQL_ABI_VERSION, 1, &query, "test", CQL_LAYOUT};
    Candidates *c = candidates_new(&matcher, 0);
    Database *d[2];
    char *message;
    for (int i = 0; i < 2; i++)
        d[i] = database_open(make(i ? "other.cqldb" : "games.cqldb", games_of[i]), DATABASE_READ, NULL,
                             &message);
    asked = 0;
    for (int i = 0; i < 6; i++) {
        int32_t count[2];
        assert_int_equal(find_in(c, &query, d[i % 2], count), CANDIDATES_FOUND);
        assert_int_equal(count[i % 2], CANDIDATE);
        assert_int_equal(count[1 - i % 2], 0);
        assert_int_equal(asked, i == 0 ? 2 : 4);
    }
    candidates_free(c);
    for (int i = 0; i < 2; i++)
        database_close(d[i]);
    unlink(path("other.cqldb"));
}

// A game whose name has a number that no name has may be any game.
static void test_wrong_numbers(void **state)
{
    (void)state;
    static const int32_t one[] = {1 << COLUMN_WHITE}, two[] = {1 << COLUMN_WHITE | 1 << COLUMN_EVENT},
                         plain[] = {0}, negated[] = {TAGS_NOT, 0};
    const char *const name =
        make("games.cqldb", "[White \"Ann\"]\n\n1. e4 *\n\n[White \"Bob\"]\n\n1. d4 *\n");
    for (int number = 1; number <= 5; number++) { // Ann, "?", Bob, and none
        const unsigned char white[] = {(unsigned char)(number == 5 ? 255 : number), 2};
        const uint64_t sum = (uint64_t)checksum_of(white, 2);
        char statement[100], *message;
        snprintf(statement, sizeof statement, "UPDATE columns SET white = x'%02X%02X%016llX'", white[0],
                 white[1], (unsigned long long)__builtin_bswap64(sum));
        change(name, statement);
        Database *d = database_open(name, DATABASE_READ, NULL, &message);
        for (int i = 0; i < 4; i++) {
            const QueryInfo query = {.name = "",
                                     .source = "",
                                     .match_game = match_nothing,
                                     .tag_atom = is_ann,
                                     .tag_atom_count = 1,
                                     .tag_columns = i & 1 ? two : one,
                                     .tag_same = plain,
                                     .tag_formula = i & 2 ? negated : plain,
                                     .tag_formula_count = i & 2 ? 2 : 1};
            const Matcher matcher = {CQL_MAGIC, CQL_ABI_VERSION, 1, &query, "test", CQL_LAYOUT};
            Candidates *c = candidates_new(&matcher, 0);
            int32_t count[2];
            assert_int_equal(find_in(c, &query, d, count), CANDIDATES_FOUND);
            const bool unknown = number > 3, holds = number == 1;
            assert_int_equal(count[0], unknown || holds == !(i & 2) ? CANDIDATE : 0);
            assert_int_equal(count[1], i & 2 ? CANDIDATE : 0);
            candidates_free(c);
        }
        database_close(d);
    }
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
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_formulas),      cmocka_unit_test(test_values),
                                       cmocka_unit_test(test_needed),        cmocka_unit_test(test_databases),
                                       cmocka_unit_test(test_wrong_numbers), cmocka_unit_test(test_none),
                                       cmocka_unit_test(test_mutexes)};
    return cmocka_run_group_tests(tests, open_folder, remove_folder);
}
