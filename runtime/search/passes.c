// All games of some inputs, shown one by one.
#include "passes.h"

#include <stdlib.h>
#include <string.h>

#include "runtime/value/memory.h"
#include "runtime/value/terminal.h"

enum { MOST_THREADS = 256 };

void pass_end(GamePass *p)
{
    pthread_mutex_lock(&p->input);
    p->ended = p->cut = true;
    pthread_mutex_unlock(&p->input);
}

void pass_note_change(PassReader *r)
{
    GamePass *p = r->pass;
    pthread_mutex_lock(&p->output);
    p->from->changed = r->block.input;
    pthread_mutex_unlock(&p->output);
    pass_end(p);
}

// The games of a chunk that cannot be read are left alone.
static void note_damage(PassReader *r, char *message)
{
    GamePass *p = r->pass;
    pthread_mutex_lock(&p->output);
    if (p->first || !p->from->lost)
        printf_sanitized(stderr, "%s: error: %s\n", r->block.input, message);
    p->from->lost = p->from->failed = true;
    pthread_mutex_unlock(&p->output);
    free(message);
}

static bool take_block(PassReader *r)
{
    GamePass *p = r->pass;
    Buffer reports = {0};
    pthread_mutex_lock(&p->input);
    const bool got = !p->ended && inputs_next_block(&p->in, &reports, &r->block);
    p->ended = !got;
    if (got)
        p->from->input[p->in.next - 1] = (InputGames){r->block.number_base, true};
    if (p->first && reports.length > 0)
        print_lines(stderr, reports.start, reports.length);
    pthread_mutex_unlock(&p->input);
    buffer_free(&reports);
    return got;
}

bool pass_read_text(PassReader *r)
{
    char *message = NULL;
    if (r->source) {
        r->whole = *r->source;
        return true;
    }
    if (!database_read_game(r->block.database, CHUNK_TAGS | CHUNK_TEXTS, &r->chunk, r->at, &message)) {
        note_damage(r, message);
        return false;
    }
    r->whole = r->stored->tags;
    r->text.length = 0;
    if (!chunk_game_text(r->stored, &r->scratch, &r->text)) {
        note_damage(r, memory_format("game %lld is damaged", (long long)r->stored->tags.number));
        return false;
    }
    r->whole.text = (Text){r->text.start, r->text.length};
    return true;
}

// Stored moves are those of chess.
bool pass_has_stored_moves(const PassReader *r)
{
    return r->stored && !(r->stored->flags & (STORED_RAW | STORED_VARIANT));
}

bool pass_read_tags(PassReader *r)
{
    char *message = NULL;
    if (!pass_has_stored_moves(r)) {
        if (!pass_read_text(r))
            return false;
        game_parse_tags(&r->game, &r->whole);
        return true;
    }
    if (!database_read_game(r->block.database, CHUNK_TAGS, &r->chunk, r->at, &message)) {
        note_damage(r, message);
        return false;
    }
    r->whole = r->stored->tags;
    game_parse_tags(&r->game, &r->stored->tags);
    return true;
}

// The words of the main line of a game that was parsed.
static void list_words(PassReader *r)
{
    r->words.length = 0;
    for (int32_t i = 1; i < r->game.view.count; i++) {
        const MoveWord word = word_of(r->game.view.node[i].move);
        buffer_append(&r->words, (const char *)&word, sizeof word);
    }
    r->word = (const MoveWord *)(const void *)r->words.start;
    r->count = r->words.length / sizeof *r->word;
}

void pass_read_moves(PassReader *r)
{
    const int tag = pass_has_stored_moves(r) ? RESULT_UNKNOWN : r->game.view.result;
    r->stride = 1;
    r->readable = true;
    if (pass_has_stored_moves(r)) {
        r->word = r->stored->word;
        r->stride = r->stored->stride;
        r->count = r->stored->ply_count;
        r->result = r->stored->result;
    } else if (game_read_line(&r->line, &r->game)) {
        r->word = r->line.word;
        r->count = r->line.count;
        r->result = r->line.result;
    } else {
        game_parse(&r->game, &r->whole, 0, NULL, NULL);
        list_words(r);
        r->result = r->game.view.result;
        r->readable = !r->game.cut && !r->game.skipped && r->game.variant != VARIANT_FOREIGN;
    }
    r->result = r->result != RESULT_UNKNOWN ? r->result : tag;
}

Text pass_movetext(const PassReader *r)
{
    const size_t start = game_movetext_start(&r->game);
    return (Text){r->whole.text.start + start, r->whole.text.length - start};
}

static void read_chunk(PassReader *r, int64_t chunk, size_t *game)
{
    Database *database = r->block.database;
    const size_t count = (size_t)database_chunk_games(database, chunk);
    char *message;
    const bool good = database_read_chunk(database, chunk, r->pass->parts, &r->chunk, &message);
    if (!good)
        note_damage(r, message);
    for (size_t i = 0; i < count; i++, ++*game) {
        r->at = i;
        r->stored = good && i < r->chunk.count ? chunk_game(&r->chunk, i) : NULL;
        r->pass->visit(r, *game);
    }
}

static void read_block(PassReader *r)
{
    const InputBlock *b = &r->block;
    const size_t first = (size_t)(b->number_base + (b->database ? b->first_game : b->pgn.game[0].number) - 1);
    size_t game = first;
    r->keys.length = r->details.length = 0;
    r->source = NULL;
    r->stored = NULL;
    for (int64_t i = 0; b->database && i < b->chunk_count; i++)
        read_chunk(r, b->chunk + i, &game);
    for (size_t i = 0; !b->database && i < b->pgn.count; i++, game++) {
        r->source = &b->pgn.game[i];
        r->pass->visit(r, game);
    }
    if (r->pass->end_block)
        r->pass->end_block(r, first);
    pgn_block_free(&r->block.pgn);
    r->block = (InputBlock){0};
}

static void *read_blocks(void *pass)
{
    PassReader r = {.pass = pass};
    game_init(&r.game);
    game_init(&r.scratch);
    r.game.by_variant = true;
    while (take_block(&r))
        read_block(&r);
    game_free(&r.game);
    game_free(&r.scratch);
    game_line_free(&r.line);
    chunk_free(&r.chunk);
    Buffer *const buffers[] = {&r.text, &r.names, &r.words, &r.keys, &r.details};
    for (size_t i = 0; i < sizeof buffers / sizeof *buffers; i++)
        buffer_free(buffers[i]);
    return NULL;
}

bool pass_run(GamePass *p, int threads)
{
    GameSource *s = p->from;
    pthread_t thread[MOST_THREADS];
    int started = 0;
    p->in = (Inputs){.options = &s->options, .spool = s->inputs.spool};
    pthread_mutex_init(&p->input, NULL);
    pthread_mutex_init(&p->output, NULL);
    for (int i = 1; i < threads && i < MOST_THREADS; i++)
        started += pthread_create(&thread[started], NULL, read_blocks, p) == 0;
    read_blocks(p);
    for (int i = 0; i < started; i++)
        pthread_join(thread[i], NULL);
    const bool stopped = inputs_stopped(&p->in);
    if (p->first)
        s->games = (size_t)inputs_games(&p->in);
    else if (!stopped && !p->cut && inputs_games(&p->in) != (int64_t)s->games)
        s->changed = s->options.input[0];
    s->failed |= p->in.failed;
    p->in.spool = NULL; // owned by s->inputs
    inputs_close(&p->in);
    pthread_mutex_destroy(&p->output);
    pthread_mutex_destroy(&p->input);
    return !stopped && !p->cut && !s->changed;
}
