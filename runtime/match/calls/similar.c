// `similarposition` (language reference 6.15).
#include "runtime/match/similar.h"

#include "runtime/match/run_state.h"

typedef struct SimilarState {
    SimilarFile *file; // NULL: the query does not use one
} SimilarState;

static void similar_init(Context *c)
{
    const char *path = c->query->similar_file;
    const Run *like = c->run->like;
    if (path)
        c->run->similar->file =
            like ? similar_share(like->state.similar->file)
                 : similar_read(
                       path, c->run->options.any_similar || files_may_use(path, c->run->options.allow_files),
                       (c->query->flags & QUERY_SIMILAR_PLAIN) != 0, c->run->options.stopped,
                       c->run->options.user, &c->run->failure);
}

static void similar_release(Context *c)
{
    similar_free(c->run->similar->file);
}

const Subject similar_subject = {
    .size = sizeof(SimilarState), .init = similar_init, .release = similar_release};

// The comment `see FILE game: G at move: M wtm NAME`.
static void add_comment(Context *c, int32_t n, const SimilarMatch *match)
{
    char name[SIMILAR_NAME_MAX];
    similar_map_name(match->map, name);
    log_append(c, n,
               run_format(c, "see %s game: %d at move: %d %s %s", c->query->similar_file, (int)match->game,
                          (int)match->move_number, c->position[n]->side == WHITE ? "wtm" : "btm", name));
}

int32_t rt_similar(Context *c, int32_t n, int32_t *game)
{
    const SimilarFile *file = c->run->similar->file;
    const bool comments = c->run->log.wanted && log_level_is(c, QUERY_SILENT);
    SimilarMatch match;
    int32_t cursor = -1;
    bool found = false;
    // Games come in ascending order, so the first is the smallest.
    while ((!found || comments) && similar_next(file, c->position[n], &cursor, &match)) {
        if (!found)
            *game = match.game;
        found = true;
        if (comments)
            add_comment(c, n, &match);
    }
    return found;
}
