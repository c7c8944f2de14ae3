// The comments of `relation` (language reference 11.7): `SOURCE i [t1 t2 …]`, `TARGET j [s1 s2 …]` and
// `LCA [i,j] …`.
//
// They name all partners of a position, by numbers that are given in the order of the first match. So a hit
// leaves three empty entries in the log, which may be cut away like any other, and what is left of them
// becomes texts at the end.
#include <stdlib.h>
#include <string.h>

#include "runtime/value/memory.h"
#include "run_state.h"

enum { ROLE_SOURCE, ROLE_TARGET, ROLE_LCA, ROLE_COUNT };
enum { PAIR_CAP = 1000000 }; // of one game; more are not written

static int32_t role_of(const LogEntry *entry)
{
    return (entry->part - 1) % ROLE_COUNT;
}

static const RelationPair *pair_of(const struct RunState *run, const LogEntry *entry)
{
    return &run->pair[(entry->part - 1) / ROLE_COUNT];
}

void rt_relation_pair(Context *c, int32_t relation, int32_t source, int32_t target, int32_t with_lca)
{
    struct RunState *run = c->run;
    if (!rt_comments_wanted(c) || run->pair_count >= PAIR_CAP)
        return;
    if (run->pair_count == run->pair_capacity)
        run->pair = run_grow(run->pair, &run->pair_capacity, run->pair_count + 1, sizeof *run->pair);
    const int32_t part = 1 + ROLE_COUNT * run->pair_count;
    run->pair[run->pair_count++] = (RelationPair){relation, source, target};
    log_append_entry(c, (LogEntry){source, part + ROLE_SOURCE, &run_empty});
    log_append_entry(c, (LogEntry){target, part + ROLE_TARGET, &run_empty});
    if (with_lca)
        log_append_entry(c, (LogEntry){rt_lca(c, source, target), part + ROLE_LCA, &run_empty});
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
    struct RunState *run = c->run;
    Buffer *b = &run->scratch;
    const int32_t role = role_of(&run->log[i]);
    b->length = 0;
    buffer_text(b, names[role]);
    if (role != ROLE_LCA)
        buffer_format(b, " %d [", (int)chains->number[role][run->log[i].position]);
    for (int32_t k = i + 1; k > 0; k = chains->next[k - 1]) {
        const RelationPair *pair = pair_of(run, &run->log[k - 1]);
        const int source = (int)chains->number[ROLE_SOURCE][pair->source];
        const int target = (int)chains->number[ROLE_TARGET][pair->target];
        if (role == ROLE_LCA)
            buffer_format(b, " [%d,%d]", source, target);
        else
            buffer_format(b, k == i + 1 ? "%d" : " %d", role == ROLE_SOURCE ? target : source);
    }
    buffer_text(b, role == ROLE_LCA ? "" : "]");
    return run_string(c, b->start, b->length);
}

static bool belongs(const struct RunState *run, const Chains *chains, int32_t i)
{
    return run->log[i].part > 0 && pair_of(run, &run->log[i])->relation == chains->relation;
}

static void write_relation(Context *c, Chains *chains)
{
    struct RunState *run = c->run;
    for (int32_t i = 0; i < run->log_count; i++)
        if (belongs(run, chains, i))
            link_entry(chains, run->log, i);
    for (int32_t i = 0; i < run->log_count; i++) {
        if (!belongs(run, chains, i))
            continue;
        const int32_t role = role_of(&run->log[i]);
        if (chains->first[role][run->log[i].position] == i + 1)
            run->log[i].text = chain_text(c, chains, i);
    }
}

void log_pairs(Context *c)
{
    struct RunState *run = c->run;
    int32_t relations = 0;
    for (int32_t i = 0; i < run->pair_count; i++)
        relations = run->pair[i].relation >= relations ? run->pair[i].relation + 1 : relations;
    if (relations == 0)
        return;
    const size_t positions = (size_t)c->game->count, lists = 2 + 2 * ROLE_COUNT;
    int32_t *room = memory_new((lists * positions + (size_t)run->log_count) * sizeof *room);
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
