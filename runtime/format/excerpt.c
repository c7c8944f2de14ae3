// Games cut to the moves around what was found in them, as PGN.
#include <stdlib.h>
#include <string.h>

#include "runtime/value/memory.h"
#include "found.h"
#include "writers.h"

// What is kept of a game. `left` and `to` are by position of the whole game, the others of what is kept.
typedef struct Excerpt {
    int32_t first, count; // where it begins; its positions
    int32_t *left;        // so many moves of context may follow the position; less than 0: it is left out
    int32_t *to;          // the position in the excerpt
    int32_t *last_child;
    Node *node;
    const Position **position;
    Note *note;
    Text *added;
    bool *drop;
    Pool pool;
} Excerpt;

static void *take(Excerpt *e, size_t count, size_t size)
{
    size_t capacity = 0;
    return pool_enlarged(&e->pool, NULL, &capacity, count, size);
}

// The position `moves` before another, or the first one.
static int32_t before(const GameView *view, int32_t id, int moves)
{
    for (; moves > 0 && id > 0; moves--)
        id = view->node[id].parent;
    return id;
}

// The last position from which both can be reached.
static int32_t common(const GameView *view, int32_t a, int32_t b)
{
    while (a != b) { // the later one in preorder cannot lead to the other
        int32_t *later = a > b ? &a : &b;
        *later = view->node[*later].parent;
    }
    return a;
}

// Keeps the matching positions, the way to them, and what follows them.
static void choose(Excerpt *e, const FoundGame *g, const FormatMemory *m)
{
    const GameView *view = &g->game->view;
    e->first = -1;
    for (int32_t id = 0; id < view->count; id++) {
        e->left[id] = m->position[id].hit ? g->context : -1;
        if (!m->position[id].hit)
            continue;
        const int32_t start = before(view, id, g->context);
        e->first = e->first < 0 ? start : common(view, e->first, start);
    }
    for (int32_t id = e->first + 1; id <= view->node[e->first].last; id++) { // after its parent
        const int32_t given = e->left[view->node[id].parent] - 1;
        if (given > e->left[id])
            e->left[id] = given;
    }
    for (int32_t id = view->node[e->first].last; id > e->first; id--) // before its parent
        if (e->left[id] >= 0 && e->left[view->node[id].parent] < 0)
            e->left[view->node[id].parent] = 0;
    e->left[e->first] = e->left[e->first] < 0 ? 0 : e->left[e->first];
}

static void add_node(Excerpt *e, const FoundGame *g, const GameChanges *changes, int32_t id)
{
    const GameView *view = &g->game->view;
    const int32_t at = e->count++, parent = at > 0 ? e->to[view->node[id].parent] : -1;
    Node *node = &e->node[at];
    e->to[id] = at;
    *node = view->node[id];
    node->parent = parent;
    node->first_child = node->next_sibling = -1;
    node->ply = at > 0 ? e->node[parent].ply + 1 : 0;
    e->last_child[at] = -1;
    e->position[at] = view->position[id];
    e->note[at] = g->game->note[id];
    e->added[at] = changes->added[id];
    e->drop[at] = changes->drop_comment && changes->drop_comment[id];
    if (parent < 0)
        return;
    const int32_t sibling = e->last_child[parent];
    node->index = sibling < 0 ? 0 : e->node[sibling].index + 1;
    *(sibling < 0 ? &e->node[parent].first_child : &e->node[sibling].next_sibling) = at;
    e->last_child[parent] = at;
}

// The comments of the search at the start of the game come first.
static void keep_header(Excerpt *e, const GameChanges *changes)
{
    const Text header = changes->added[0], own = e->added[0];
    if (e->first == 0 || header.length == 0)
        return;
    Buffer both = {0};
    buffer_append(&both, header.start, header.length);
    if (own.length > 0)
        buffer_append(&both, changes->forms && changes->forms->apart ? "" : " ", 1);
    buffer_append(&both, own.start, own.length);
    char *text = take(e, both.length, 1);
    memcpy(text, both.start, both.length);
    e->added[0] = (Text){text, both.length};
    buffer_free(&both);
}

static void write(Buffer *out, Excerpt *e, const FoundGame *g, const FormatMemory *m,
                  const GameChanges *changes)
{
    char fen[FEN_MAX];
    Game game = *g->game; // owns nothing of its own
    GameChanges own = *changes;
    game.view.count = e->count;
    game.view.node = e->node;
    game.view.position = e->position;
    game.note = e->note;
    own.added = e->added;
    own.drop_comment = e->drop;
    if (e->first > 0) {
        const int length = found_fen(m, g, e->first, fen);
        Tag *tag = take(e, changes->set_tag_count + 2, sizeof *tag);
        for (size_t i = 0; i < changes->set_tag_count; i++)
            tag[i] = changes->set_tag[i];
        tag[own.set_tag_count++] = (Tag){.name = text_of("SetUp"), .value = text_of("1")};
        tag[own.set_tag_count++] = (Tag){.name = text_of("FEN"), .value = {fen, (size_t)length}};
        own.set_tag = tag;
        game.has_fen = false; // that of the whole game
        game.clocks.fullmove = (int32_t)strtol(strrchr(fen, ' '), NULL, 10);
    }
    game_write_pgn(out, &game, &own);
}

bool write_pgn_excerpt(Buffer *out, const FoundGame *g, FormatMemory *m, const GameChanges *changes)
{
    const size_t count = (size_t)g->game->view.count;
    Excerpt e = {0};
    found_clocks(m, g);
    if (found_mark_hits(m, g) == 0)
        return false;
    e.left = take(&e, count, sizeof *e.left);
    e.to = take(&e, count, sizeof *e.to);
    e.last_child = take(&e, count, sizeof *e.last_child);
    e.node = take(&e, count, sizeof *e.node);
    e.position = take(&e, count, sizeof *e.position);
    e.note = take(&e, count, sizeof *e.note);
    e.added = take(&e, count, sizeof *e.added);
    e.drop = take(&e, count, sizeof *e.drop);
    choose(&e, g, m);
    for (int32_t id = e.first; id <= g->game->view.node[e.first].last; id++)
        if (e.left[id] >= 0)
            add_node(&e, g, changes, id);
    keep_header(&e, changes);
    write(out, &e, g, m, changes);
    pool_free(&e.pool);
    return true;
}
