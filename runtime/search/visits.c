// Shows the games of a block one by one.
#include "visits.h"

#include <stdlib.h>

#include "runtime/value/memory.h"
#include "evaluate.h"
#include "sink.h"

bool visit_text(VisitedGame *v)
{
    Worker *w = v->worker;
    if (v->source) {
        v->whole = *v->source;
        return true;
    }
    if (!v->stored)
        return false;
    w->text.length = 0;
    const bool good = chunk_reader_text(w->chunk, w->block, v->stored, &w->scratch, &w->text);
    v->whole = v->stored->tags;
    v->whole.text = (Text){w->text.start, w->text.length};
    return good;
}

// Stored moves are those of chess.
bool visit_has_stored_moves(const VisitedGame *v)
{
    return v->stored && !(v->stored->flags & (STORED_RAW | STORED_VARIANT));
}

bool visit_tags(VisitedGame *v)
{
    Worker *w = v->worker;
    if (!visit_has_stored_moves(v)) {
        if (!visit_text(v))
            return false;
    } else {
        if (!chunk_reader_read(w->chunk, w->block, CHUNK_TAGS, v->stored))
            return false;
        v->whole = v->stored->tags;
    }
    game_parse_tags(v->game, &v->whole);
    return true;
}

// The words of the main line of a game that was parsed, or of a stored game.
static void list_words(VisitedGame *v, const StoredGame *stored)
{
    const Node *node = v->game->view.node;
    v->count = stored ? stored->ply_count : (size_t)v->game->view.count - 1;
    v->stride = 1;
    v->word = v->words = memory_grow(v->words, &v->words_capacity, v->count + 1, sizeof *v->words);
    for (size_t i = 0; i < v->count; i++)
        v->words[i] = stored ? stored->word[i * stored->stride] : word_of(node[i + 1].move);
}

void visit_moves(VisitedGame *v)
{
    v->readable = true;
    if (visit_has_stored_moves(v)) {
        v->word = v->stored->word;
        v->stride = v->stored->stride;
        v->count = v->stored->ply_count;
        v->result = v->stored->result;
    } else if (game_read_line(&v->line, v->game)) {
        v->word = v->line.word;
        v->stride = 1;
        v->count = v->line.count;
        v->result = v->line.result;
    } else {
        game_parse(v->game, &v->whole, 0, NULL, NULL);
        list_words(v, NULL);
        v->result = v->game->view.result;
        v->readable = !v->game->cut && !v->game->skipped && v->game->variant != VARIANT_FOREIGN;
    }
}

void visit_pack_moves(VisitedGame *v)
{
    if (v->stride > 1)
        list_words(v, v->stored);
}

Text visit_movetext(const VisitedGame *v)
{
    const size_t start = game_movetext_start(v->game);
    return (Text){v->whole.text.start + start, v->whole.text.length - start};
}

// Shows a game with this number in its file.
static void show_visited(Worker *w, Block *block, int64_t number, const GameText *source,
                         const StoredGame *stored)
{
    const SearchSink *sink = w->plan->options->sink;
    VisitedGame *v = w->visited;
    if (!v)
        v = w->visited = memory_zeroed(1, sizeof *v);
    v->worker = w;
    v->block = &block->input;
    v->game = &w->line;
    v->number = block->input.number_base + number;
    v->source = source;
    v->stored = stored;
    GameText amended;
    v->amended.length = 0;
    if (source && sink->amend &&
        sink->amend(sink->amend_user, source, &w->scratch, &v->amended, &v->scratch)) {
        amended = *source;
        amended.text = (Text){v->amended.start, v->amended.length};
        v->source = &amended;
    }
    game_record_begin(w->record, v->number);
    sink->visit(sink->user, &w->record->output, v);
    evaluate_end_game(w, block);
}

void visits_of_chunk(Worker *w, Block *block)
{
    const int64_t count = database_chunk_games(block->input.database, block->input.chunk);
    if (!w->chunk)
        w->chunk = memory_zeroed(1, sizeof *w->chunk);
    Chunk *chunk = &w->chunk->chunk;
    chunk_reader_open(w->chunk, block, w->plan->options->sink->chunk_parts);
    for (size_t i = 0; i < (size_t)count; i++)
        show_visited(w, block, block->input.first_game + (int64_t)i, NULL,
                     i < chunk->count ? chunk_game(chunk, i) : NULL);
    evaluate_ruled_out(w, block, count, 0);
}

void visits_of_games(Worker *w, Block *block)
{
    const PgnBlock *games = &block->input.pgn;
    for (size_t i = 0; i < games->count; i++)
        show_visited(w, block, games->game[i].number, &games->game[i], NULL);
    evaluate_ruled_out(w, block, (int64_t)games->count, 0);
}

void visits_free(VisitedGame *v)
{
    if (!v)
        return;
    game_line_free(&v->line);
    buffer_free(&v->names);
    buffer_free(&v->amended);
    buffer_free(&v->scratch);
    free(v->words);
    free(v);
}
