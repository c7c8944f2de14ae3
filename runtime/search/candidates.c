// Conditions on tags over the columns of a database.
#include "candidates.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/value/memory.h"

// What an atom is for a value: CAN_HOLD, CAN_FAIL, UNSURE.
enum { UNSEEN = 0 };
typedef _Atomic uint8_t Verdict;

// The numbers of dates, ratings and openings are below these.
enum { DATES = 1 << 20, RATINGS = 4001, OPENINGS = 1 << 17 };

// What is known about one database.
typedef struct Values {
    struct Values *next;
    Database *database;
    bool usable;
    NameList name[COLUMN_SITE + 1]; // by column; that of Black is that of White
    Verdict ***
        verdict; // by query and atom: by value; NULL: it reads several columns, or the verdicts are those of `tag_same`
} Values;

struct Candidates {
    const Matcher *matcher;
    unsigned columns, names; // that the queries need; whose names are wanted
    pthread_mutex_t mutex;
    Values *values;
};

struct CandidateSearch {
    Game game; // with the values of some columns
    char eco[6];
    ChunkColumns columns;
    uint16_t *state; // by game, of TagGames
    bool *unsure;    // by game: an atom was asked that is not known
    size_t state_capacity, unsure_capacity;
};

// ---- the values of a database -----------------------------------------------------------------------------

static int name_column(int column)
{
    return column == COLUMN_BLACK ? COLUMN_WHITE : column;
}

static size_t value_count(const Values *v, int column)
{
    switch (column) {
    case COLUMN_DATE:
        return DATES;
    case COLUMN_RESULT:
        return RESULT_BITS + 1;
    case COLUMN_WHITE_ELO:
    case COLUMN_BLACK_ELO:
        return RATINGS;
    case COLUMN_ECO:
        return OPENINGS;
    default:
        return v->name[name_column(column)].count;
    }
}

static bool reads_one(int32_t columns)
{
    return (columns & (columns - 1)) == 0 && !(columns & 1 << COLUMN_OTHER);
}

static unsigned columns_of(const QueryInfo *query)
{
    unsigned columns = query->results ? 1u << COLUMN_RESULT : 0;
    for (int i = 0; i < query->tag_atom_count; i++)
        if (!(query->tag_columns[i] & 1 << COLUMN_OTHER))
            columns |= (unsigned)query->tag_columns[i];
    if (query->tags_decide)
        columns |= 1u << COLUMN_PLIES;
    return columns ? columns | 1u << COLUMN_RESULT : 0;
}

static Values *values_new(const Candidates *c, Database *d)
{
    Values *v = memory_zeroed(1, sizeof *v);
    v->database = d;
    v->usable = true;
    for (int i = 0; i <= COLUMN_SITE && v->usable; i++) {
        const unsigned same = i == COLUMN_WHITE ? 1u << COLUMN_WHITE | 1u << COLUMN_BLACK : 1u << i;
        if (i == name_column(i) && (c->names & same))
            v->usable = database_names(d, i, &v->name[i]);
    }
    v->verdict = memory_zeroed(c->matcher->query_count, sizeof *v->verdict);
    for (uint32_t q = 0; q < c->matcher->query_count && v->usable; q++) {
        const QueryInfo *query = &c->matcher->query[q];
        v->verdict[q] = memory_zeroed((size_t)query->tag_atom_count + 1, sizeof *v->verdict[q]);
        for (int i = 0; i < query->tag_atom_count; i++)
            if (reads_one(query->tag_columns[i]) && query->tag_same[i] == i)
                v->verdict[q][i] =
                    memory_zeroed(value_count(v, __builtin_ctz((unsigned)query->tag_columns[i])) + 1,
                                  sizeof *v->verdict[q][i]);
    }
    return v;
}

static void values_free(const Candidates *c, Values *v)
{
    for (int i = 0; i <= COLUMN_SITE; i++)
        name_list_free(&v->name[i]);
    for (uint32_t q = 0; q < c->matcher->query_count; q++) {
        for (int i = 0; v->verdict[q] && i < c->matcher->query[q].tag_atom_count; i++)
            free(v->verdict[q][i]);
        free(v->verdict[q]);
    }
    free(v->verdict);
    free(v);
}

static const Values *find_values(Candidates *c, Database *d)
{
    Values *v = c->values;
    while (v && v->database != d)
        v = v->next;
    if (!v) {
        v = values_new(c, d);
        v->next = c->values;
        c->values = v;
    }
    return v;
}

static const Values *values_of(Candidates *c, Database *d)
{
    MemoryEscape escape;
    pthread_mutex_lock(&c->mutex);
    if (setjmp(escape.jump) != 0) { // other threads wait for the mutex
        pthread_mutex_unlock(&c->mutex);
        memory_exhausted();
    }
    memory_escape_begin(&escape);
    const Values *v = find_values(c, d);
    memory_escape_end(&escape);
    pthread_mutex_unlock(&c->mutex);
    return v;
}

Candidates *candidates_new(const Matcher *matcher, unsigned columns)
{
    Candidates *c = memory_zeroed(1, sizeof *c);
    c->matcher = matcher;
    for (uint32_t q = 0; q < matcher->query_count; q++)
        c->columns |= columns_of(&matcher->query[q]);
    c->names = c->columns | columns;
    pthread_mutex_init(&c->mutex, NULL);
    return c;
}

void candidates_free(Candidates *c)
{
    if (!c)
        return;
    while (c->values) {
        Values *v = c->values;
        c->values = v->next;
        values_free(c, v);
    }
    pthread_mutex_destroy(&c->mutex);
    free(c);
}

CandidateSearch *candidate_search_new(void)
{
    CandidateSearch *s = memory_zeroed(1, sizeof *s);
    const GameText empty = {.text = {"", 0}};
    game_init(&s->game);
    game_parse_tags(&s->game, &empty);
    return s;
}

void candidate_search_free(CandidateSearch *s)
{
    if (!s)
        return;
    game_free(&s->game);
    chunk_columns_free(&s->columns);
    free(s->state);
    free(s->unsure);
    free(s);
}

// ---- atoms ------------------------------------------------------------------------------------------------

static Text name_of(const Values *v, int column, int32_t value)
{
    const NameList *l = &v->name[name_column(column)];
    if ((size_t)value >= l->count)
        return (Text){0};
    const NamePlace place = l->place[value];
    return (Text){place.length > 0 ? l->text.start + place.start : NULL, place.length};
}

static void set_name(TagRoster *r, int column, Text name)
{
    *(column == COLUMN_WHITE   ? &r->white
      : column == COLUMN_BLACK ? &r->black
      : column == COLUMN_EVENT ? &r->event
                               : &r->site) = name;
}

static void set_value(CandidateSearch *s, const Values *v, int column, int32_t value)
{
    TagRoster *r = game_roster(&s->game);
    switch (column) {
    case COLUMN_DATE:
        column_date(value, r->date);
        r->year = value >> 9;
        break;
    case COLUMN_RESULT:
        s->game.view.result = value & RESULT_BITS;
        break;
    case COLUMN_WHITE_ELO:
    case COLUMN_BLACK_ELO:
        r->rating[column - COLUMN_WHITE_ELO] = value;
        break;
    case COLUMN_ECO:
        r->eco = (Text){s->eco, column_eco(value, s->eco)};
        break;
    default:
        set_name(r, column, name_of(v, column, value));
    }
}

// A query and the games of a chunk.
typedef struct Search {
    CandidateSearch *s;
    const Values *values;
    const QueryInfo *query;
    uint32_t q;
    Run *run;
} Search;

static int32_t bits_of(int column)
{
    return column == COLUMN_RESULT ? RESULT_BITS : INT32_MAX;
}

// Evaluates an atom for a game by the columns that it reads.
static uint8_t judge(const Search *e, int atom, size_t game)
{
    unsigned rest = (unsigned)e->query->tag_columns[atom];
    if (rest & 1u << COLUMN_OTHER)
        return UNSURE;
    for (; rest; rest &= rest - 1) {
        const int column = __builtin_ctz(rest);
        const int32_t value = e->s->columns.value[column][game] & bits_of(column);
        if ((size_t)value >= value_count(e->values, column))
            return UNSURE;
        set_value(e->s, e->values, column, value);
    }
    return run_tag_atom(e->run, &e->s->game, atom);
}

// An atom that reads one column is evaluated once for each value.
static void ask_chunk(TagGames *g, int32_t atom, uint8_t wanted, uint16_t in, uint16_t out)
{
    const Search *e = g->user;
    Verdict *known = e->values->verdict[e->q][e->query->tag_same[atom]], of_game;
    const int column = known ? __builtin_ctz((unsigned)e->query->tag_columns[atom]) : COLUMN_RESULT;
    const int32_t *value = e->s->columns.value[column], bits = bits_of(column);
    const int32_t count = (int32_t)value_count(e->values, column);
    for (size_t i = 0; i < g->count; i++) {
        if (g->state[i] != in)
            continue;
        const int32_t v = (value[i] & bits) < count ? value[i] & bits : count;
        uint8_t verdict = known ? atomic_load_explicit(&known[v], memory_order_relaxed) : UNSEEN;
        if (verdict == UNSEEN) {
            verdict = judge(e, atom, i);
            atomic_store_explicit(known ? &known[v] : &of_game, verdict, memory_order_relaxed);
        }
        g->state[i] = verdict & wanted ? in : out;
        if (verdict == UNSURE)
            e->s->unsure[i] = true;
    }
}

static void find_games(Search *e, int32_t *count, uint32_t queries)
{
    const QueryInfo *query = e->query;
    const int32_t *result = e->s->columns.value[COLUMN_RESULT];
    const int32_t unknown = RESULT_RAW | (query->flags & QUERY_AS_CHESS ? 0 : RESULT_VARIANT);
    const int32_t *plies =
        query->tags_decide && !(query->flags & QUERY_VARIATIONS) ? e->s->columns.value[COLUMN_PLIES] : NULL;
    TagGames games = {e->s->columns.count, e->s->state, ask_chunk, e};
    for (size_t i = 0; i < games.count; i++)
        games.state[i] = TAGS_IN;
    memset(e->s->unsure, 0, games.count * sizeof *e->s->unsure);
    run_find_tags(query, &games);
    for (size_t i = 0; i < games.count; i++) {
        const bool is_known = !(query->flags & QUERY_VARIANTS) || database_knows_rules(e->values->database);
        const bool may = games.state[i] == TAGS_IN &&
                         (!query->results || (query->results >> (result[i] & RESULT_BITS) & 1));
        count[i * queries + e->q] = result[i] & unknown || !is_known ? CANDIDATE
                                    : !may                           ? 0
                                    : plies && !e->s->unsure[i]      ? plies[i] + 1
                                                                     : CANDIDATE;
    }
}

const NameList *candidates_names(Candidates *c, Database *d)
{
    const Values *v = values_of(c, d);
    return v->usable ? v->name : NULL;
}

bool candidates_any(const Candidates *c)
{
    return c->columns != 0;
}

CandidatesResult candidates_find(Candidates *c, CandidateSearch *s, Run *const *run, Database *d,
                                 int64_t chunk, int32_t *count)
{
    if (!candidates_any(c))
        return CANDIDATES_ALL;
    const Values *values = values_of(c, d);
    if (!values->usable || !database_read_columns(d, chunk, c->columns, &s->columns))
        return CANDIDATES_DAMAGED;
    const uint32_t queries = c->matcher->query_count;
    s->state = memory_grow(s->state, &s->state_capacity, s->columns.count + 1, sizeof *s->state);
    s->unsure = memory_grow(s->unsure, &s->unsure_capacity, s->columns.count + 1, sizeof *s->unsure);
    for (uint32_t q = 0; q < queries; q++) {
        Search e = {s, values, &c->matcher->query[q], q, run[q]};
        if (columns_of(e.query)) {
            find_games(&e, count, queries);
            continue;
        }
        for (size_t i = 0; i < s->columns.count; i++)
            count[i * queries + q] = CANDIDATE;
    }
    return CANDIDATES_FOUND;
}
