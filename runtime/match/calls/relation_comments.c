// The comments of `relation` (language reference 11.7): `SOURCE i [t1 t2 …]`, `TARGET j [s1 s2 …]` and
// `LCA [i,j] …`.
//
// They list all partners of a position, numbered in the order of their first match. A hit therefore adds empty
// entries to the log, which may be cut like any other; those that remain get their texts at the end.
#include <stdlib.h>

#include "comments.h"

enum { ROLE_SOURCE, ROLE_TARGET, ROLE_LCA, ROLE_COUNT };
enum { PAIR_CAP = 1000000 }; // of one game; more are not written

// A pair of positions for which a `relation` is true; relations are numbered from 0.
typedef struct RelationPair {
    int32_t relation, source, target;
} RelationPair;

typedef struct PairsState {
    RelationPair *pair; // found in this game
    int32_t count;
    size_t capacity;
} PairsState;

static void pairs_begin_game(Context *c)
{
    c->run->pairs->count = 0;
}

const Subject pairs_subject = {.size = sizeof(PairsState), .begin_game = pairs_begin_game};

static int32_t role_of(const LogEntry *entry)
{
    return (entry->part - 1) % ROLE_COUNT;
}

static const RelationPair *pair_of(const Context *c, const LogEntry *entry)
{
    return &c->run->pairs->pair[(entry->part - 1) / ROLE_COUNT];
}

void rt_relation_pair(Context *c, int32_t relation, int32_t source, int32_t target, int32_t with_lca)
{
    PairsState *s = c->run->pairs;
    if (!rt_comments_wanted(c) || s->count >= PAIR_CAP)
        return;
    s->pair = run_grow(c, s->pair, &s->capacity, (size_t)s->count + 1, sizeof *s->pair);
    const int32_t part = 1 + ROLE_COUNT * s->count;
    s->pair[s->count++] = (RelationPair){relation, source, target};
    log_append_entry(c, (LogEntry){source, part + ROLE_SOURCE, &string_empty});
    log_append_entry(c, (LogEntry){target, part + ROLE_TARGET, &string_empty});
    if (with_lca)
        log_append_entry(c, (LogEntry){rt_lca(c, source, target), part + ROLE_LCA, &string_empty});
}

// The entries of one relation.
typedef struct Chains {
    int32_t relation;
    int32_t *number[2];         // of a source or target, by position; 0: none
    int32_t count[2];           // given so far
    int32_t *first[ROLE_COUNT]; // by position: 1 + the first entry with that role; 0: none
    int32_t *last[ROLE_COUNT];
    int32_t *next; // by entry: 1 + the next one at the same position
} Chains;

static void link_entry(Chains *chains, const LogEntry *log, int32_t i)
{
    const int32_t role = role_of(&log[i]), position = log[i].position;
    if (role != ROLE_LCA && chains->number[role][position] == 0)
        chains->number[role][position] = ++chains->count[role];
    if (chains->first[role][position] == 0)
        chains->first[role][position] = i + 1;
    else
        chains->next[chains->last[role][position] - 1] = i + 1;
    chains->last[role][position] = i + 1;
    chains->next[i] = 0;
}

// The text of the entries that begin with entry i: all partners of a source or target, or all pairs of a
// position.
static String chain_text(Context *c, const Chains *chains, int32_t i)
{
    static const char *const names[] = {"SOURCE", "TARGET", "LCA"};
    const LogEntry *log = c->run->log.list.entry;
    Buffer *b = run_scratch(c);
    const int32_t role = role_of(&log[i]);
    buffer_text(b, names[role]);
    if (role != ROLE_LCA)
        buffer_format(b, " %d [", (int)chains->number[role][log[i].position]);
    for (int32_t k = i + 1; k > 0; k = chains->next[k - 1]) {
        const RelationPair *pair = pair_of(c, &log[k - 1]);
        const int source = (int)chains->number[ROLE_SOURCE][pair->source];
        const int target = (int)chains->number[ROLE_TARGET][pair->target];
        if (role == ROLE_LCA)
            buffer_format(b, " [%d,%d]", source, target);
        else
            buffer_format(b, k == i + 1 ? "%d" : " %d", role == ROLE_SOURCE ? target : source);
    }
    buffer_text(b, role == ROLE_LCA ? "" : "]");
    return run_scratch_string(c);
}

static bool belongs(const Context *c, const Chains *chains, const LogEntry *entry)
{
    return entry->part > 0 && pair_of(c, entry)->relation == chains->relation;
}

static void write_relation(Context *c, Chains *chains)
{
    const LogList *log = &c->run->log.list;
    for (int32_t i = 0; i < log->count; i++)
        if (belongs(c, chains, &log->entry[i]))
            link_entry(chains, log->entry, i);
    for (int32_t i = 0; i < log->count; i++) {
        LogEntry *entry = &log->entry[i];
        if (belongs(c, chains, entry) && chains->first[role_of(entry)][entry->position] == i + 1)
            entry->text = chain_text(c, chains, i);
    }
}

void relation_comments(Context *c)
{
    const PairsState *s = c->run->pairs;
    int32_t relations = 0;
    for (int32_t i = 0; i < s->count; i++)
        relations = s->pair[i].relation >= relations ? s->pair[i].relation + 1 : relations;
    if (relations == 0)
        return;
    const size_t positions = (size_t)c->game->count, lists = 2 + 2 * ROLE_COUNT;
    int32_t *room = memory_new((lists * positions + (size_t)c->run->log.list.count) * sizeof *room);
    for (int32_t r = 0; r < relations; r++) {
        memset(room, 0, lists * positions * sizeof *room);
        Chains chains = {.relation = r, .number = {room, room + positions}, .next = room + lists * positions};
        for (int role = 0; role < ROLE_COUNT; role++) {
            chains.first[role] = room + (2 + 2 * (size_t)role) * positions;
            chains.last[role] = chains.first[role] + positions;
        }
        write_relation(c, &chains);
    }
    free(room);
}
