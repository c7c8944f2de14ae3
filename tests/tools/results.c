#include "results.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/match/run.h"

static uint64_t mix(uint64_t hash, const void *bytes, size_t length)
{
    const unsigned char *b = bytes;
    for (size_t i = 0; i < length; i++)
        hash = (hash ^ b[i]) * 0x100000001B3ULL;
    return hash;
}

// A fingerprint of the results of evaluating a game.
static uint64_t fingerprint(const RunResult *r, const QueryInfo *query, Detail detail)
{
    uint64_t hash = 0xCBF29CE484222325ULL;
    hash = mix(hash, &r->matched, sizeof r->matched);
    if (r->error)
        return mix(hash, r->error, detail == EVERYTHING ? strlen(r->error) : 0);
    hash = mix(hash, r->hit, (size_t)r->hit_count * sizeof *r->hit);
    if (detail == POSITIONS)
        return hash;
    for (int i = 0; i < r->log_count && r->matched; i++) {
        hash = mix(hash, &r->log[i].position, sizeof r->log[i].position);
        hash = mix(hash, r->log[i].text->bytes, r->log[i].text->length);
    }
    for (int k = 0; k < query->sort_key_count; k++)
        if (r->sort[k].has_value) {
            hash = mix(hash, &r->sort[k].number, sizeof r->sort[k].number);
            if (r->sort[k].text)
                hash = mix(hash, r->sort[k].text->bytes, r->sort[k].text->length);
        }
    for (int i = 0; i < r->set_tag_count; i++) {
        hash = mix(hash, r->set_tag[i].name.start, r->set_tag[i].name.length);
        hash = mix(hash, r->set_tag[i].value.start, r->set_tag[i].value.length);
    }
    if (r->drop_comment)
        hash = mix(hash, r->drop_comment, (size_t)r->position_count * sizeof *r->drop_comment);
    return mix(hash, r->messages, r->messages_length);
}

void run_query(const QueryInfo *query, Games *games, Detail detail, int64_t steps, uint64_t *result,
               int32_t *hits)
{
    int32_t none[MAX_GAMES];
    if (!hits)
        hits = none;
    RunOptions options = {.max_steps = steps, .comments = true};
    char *message = NULL;
    Run *run = run_new(query, &options, NULL, &message);
    if (!run) {
        fprintf(stderr, "%s\n", message);
        exit(1);
    }
    int too_long = 0;
    for (int g = 0; g < games->count; g++) {
        result[g] = too_long < 4 ? 0 : UINT64_MAX;
        hits[g] = NOT_EVALUATED;
        if (too_long == 4 || games->game[g].skipped || !run_game_test(run, &games->game[g]))
            continue;
        RunResult found;
        run_game(run, &games->game[g], &found);
        hits[g] = found.error && strstr(found.error, "step") ? NOT_EVALUATED
                  : found.error                              ? -1
                                                             : found.hit_count;
        if (found.error && strstr(found.error, "step")) {
            result[g] = UINT64_MAX; // the budget counts steps, which the optimiser saves
            too_long++;
        } else if (found.matched || found.error)
            result[g] = fingerprint(&found, query, detail);
    }
    run_free(run);
}
