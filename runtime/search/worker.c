// One thread of a search: its queries, and the blocks that it takes.
#include <stdlib.h>
#include <string.h>

#include "runtime/value/memory.h"
#include "runtime/database/database.h"
#include "chunks.h"
#include "evaluate.h"
#include "exploring.h"
#include "grouping.h"
#include "visits.h"

// ---- begin and end -------------------------------------------------------------------------------------------

Worker *worker_open(const Plan *plan, const Ending *ending, const Worker *like, int number,
                    const char **query, char **message)
{
    Run **run = runs_make(plan, ending, plan->matcher, like ? like->run : NULL, query, message);
    if (!run)
        return NULL;
    Worker *w = memory_zeroed(1, sizeof *w);
    w->plan = plan;
    w->number = number;
    w->ending = ending;
    w->matcher = plan->matcher;
    w->run = run;
    w->result = memory_zeroed(w->matcher->query_count, sizeof *w->result);
    w->wanted = memory_zeroed(w->matcher->query_count, sizeof *w->wanted);
    w->found = memory_zeroed(w->matcher->query_count, sizeof *w->found);
    w->open = memory_zeroed(plan->result_count, sizeof *w->open);
    w->reached = memory_zeroed(plan->result_count, sizeof *w->reached);
    w->record = memory_zeroed(plan->result_count, sizeof *w->record);
    Game *games[] = {&w->line, &w->tree, &w->whole, &w->scratch};
    for (size_t i = 0; i < sizeof games / sizeof *games; i++) {
        game_init(games[i]);
        games[i]->alias = plan->options->alias;
        games[i]->alias_count = plan->options->alias_count;
        games[i]->by_variant = plan->variants && games[i] != &w->scratch;
        games[i]->as_chess = plan->as_chess;
    }
    return w;
}

void worker_close(Worker *w)
{
    runs_free(w->run, w->matcher->query_count);
    free(w->result);
    free(w->wanted);
    free(w->found);
    free(w->open);
    free(w->reached);
    for (uint32_t r = 0; r < w->plan->result_count; r++)
        game_record_free(&w->record[r]);
    free(w->record);
    game_free(&w->line);
    game_free(&w->tree);
    game_free(&w->whole);
    game_free(&w->scratch);
    buffer_free(&w->text);
    if (w->chunk)
        chunk_reader_free(w->chunk);
    free(w->chunk);
    chunks_free(w->memory_of_chunks);
    grouping_free(w->grouping);
    exploring_free(w->exploring);
    visits_free(w->visited);
    format_memory_free(&w->memory);
    free(w);
}

// Searches the chunks of a block one after the other.
static void search_chunks(Worker *w, Block *block)
{
    InputBlock *input = &block->input;
    for (int64_t left = input->chunk_count; left > 0 && evaluate_goes_on(w, block); left--) {
        if (w->plan->visits)
            visits_of_chunk(w, block);
        else
            chunks_search(w, block);
        input->first_game += database_chunk_games(input->database, input->chunk++);
    }
}

void worker_search(Worker *w, Block *block)
{
    w->block = block;
    runs_begin_block(w);
    if (block->input.database)
        search_chunks(w, block);
    const size_t games = block->input.pgn.count;
    if (w->plan->visits)
        visits_of_games(w, block);
    for (size_t i = w->plan->visits ? games : chunks_search_pgn(w, block);
         i < games && evaluate_goes_on(w, block); i++)
        evaluate_game(w, block, &(Candidate){.source = block->input.pgn.game[i]});
    runs_end_block(w, block);
    w->block = NULL;
    w->chunk_is_open = false;
}

void worker_print_persistent(const Worker *w, FILE *out)
{
    for (uint32_t q = 0; q < w->matcher->query_count; q++) {
        run_print_persistent(w->run[q], out);
        if (w->plan->options->show_dictionaries)
            run_print_dictionaries(w->run[q], out);
    }
}
