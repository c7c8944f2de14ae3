// `similarposition` (language reference 6.15).
#include "runtime/match/similar.h"

#include "runtime/match/run_state.h"

// The state: the file, NULL when the query does not use one.
static SimilarFile **file_of(const Context *c)
{
    return c->run->subject[SUBJECT_similar];
}

static const char *similar_init(Context *c, const Run *like)
{
    const char *message = NULL;
    if (!c->query->similar_file)
        return NULL;
    if (like)
        *file_of(c) = similar_share(*file_of(&like->context));
    else
        *file_of(c) =
            similar_read(c->query->similar_file, (c->query->flags & QUERY_SIMILAR_PLAIN) != 0, &message);
    return message;
}

static void similar_release(Context *c)
{
    similar_free(*file_of(c));
}

const Subject similar_subject = {sizeof(SimilarFile *), similar_init, NULL, NULL, similar_release};

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
    const SimilarFile *file = *file_of(c);
    const bool comments = c->run->log.wanted && log_level_is(c, QUERY_SILENT);
    SimilarMatch match;
    int32_t cursor = -1;
    bool found = false;
    if (!file)
        run_raise(c, "similarposition: no file was read");
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
