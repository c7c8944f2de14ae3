// Running a query over games.
#include <pthread.h>
#include <stdlib.h>

#include "calls/comments.h"
#include "set_text.h"
#include "runtime/chess/variant.h"

// Budgets for one game.
#define DEFAULT_STEPS 200000000LL
#define STACK_RESERVE ((size_t)2 << 20)
#define STRING_CAP ((size_t)64 << 20)
#define GAME_MEMORY ((size_t)1 << 30)

// ---- set-up -----------------------------------------------------------------------------------------------

// Persistent variables are bound from the beginning (7.4): numbers to 0, sets and strings to empty ones.
static void init_persistent(Context *c)
{
    for (int32_t i = 0; i < c->query->persistent_count; i++) {
        const PersistentInfo *info = &c->query->persistent[i];
        if (info->type == 2)
            c->slot[info->slot].t = &string_empty;
        if (info->bound_slot >= 0)
            c->slot[info->bound_slot].i = 1;
    }
}

static void init_matchstring(Log *log, const QueryInfo *query)
{
    const char *text = query->matchstring ? query->matchstring : "CQL";
    if (*text && !(query->flags & (QUERY_QUIET | QUERY_SILENT)))
        log->matchstring = string_copy(text, strlen(text));
}

Run *run_new(const QueryInfo *query, const RunOptions *options, const Run *like, char **message)
{
    Run *run = memory_zeroed(1, sizeof *run);
    Context *c = &run->context;
    struct RunState *state = &run->state;
    *c = (Context){.rt = &cql_runtime, .run = state, .query = query};
    c->slot = run_zeroed(c, query->slot_count, sizeof(Slot));
    if (options)
        state->options = *options;
    c->show = state->options.show && query->show;
    state->log.wanted = state->options.comments && !(query->flags & QUERY_SILENT);
    if (state->options.memory == 0)
        state->options.memory = GAME_MEMORY;
    state->strings.cap = run_memory_cap(c, STRING_CAP);
    state->like = like;
    init_matchstring(&state->log, query);
    init_persistent(c);
#define SUBJECT(name, State) state->name = run_zeroed(c, 1, name##_subject.size);
    SUBJECTS(SUBJECT)
#undef SUBJECT
    for (const Subject *const *s = run_subjects; *s; s++)
        if ((*s)->init && !state->failure)
            (*s)->init(c);
    *message = state->failure;
    if (*message) {
        run_free(run);
        return NULL;
    }
    return run;
}

void run_free(Run *run)
{
    for (const Subject *const *s = run_subjects; *s; s++)
        if ((*s)->release)
            (*s)->release(&run->context);
    string_free(run->state.log.matchstring);
    string_arena_free(&run->state.strings);
    buffer_free(&run->state.scratch);
    pool_free(&run->state.pool);
    free(run);
}

// ---- one game ---------------------------------------------------------------------------------------------

// Where this thread's stack must end: leaves room for the frames of a function and the runtime calls it makes.
static const char *stack_end(void)
{
    static _Thread_local const char *end;
    pthread_attr_t attributes;
    void *lowest;
    size_t size;
    if (end || pthread_getattr_np(pthread_self(), &attributes) != 0)
        return end;
    if (pthread_attr_getstack(&attributes, &lowest, &size) == 0)
        end = (const char *)lowest + (size / 4 < STACK_RESERVE ? size / 4 : STACK_RESERVE);
    pthread_attr_destroy(&attributes);
    return end;
}

// Resets everything that does not outlive a game. The cost does not depend on the size of the game.
static void begin_game(Run *run, const Game *game)
{
    Context *c = &run->context;
    struct RunState *state = &run->state;
    run->tags_of = NULL;
    c->game = &game->view;
    c->position = game->view.position;
    c->node = game->view.node;
    c->hit_count = 0;
    c->at = -1;
    c->stack_end = stack_end();
    c->depth = state->options.max_depth > 0 ? state->options.max_depth : RUN_DEPTH;
    c->steps = 0;
    state->stopped = state->exhausted = false;
    state->steps_left = state->options.max_steps > 0 ? state->options.max_steps : DEFAULT_STEPS;
    run_give_steps(c);
    state->error[0] = '\0';
    state->game_serial++;
    string_arena_reset(&state->strings);
    log_begin_game(c);
    for (const Subject *const *s = run_subjects; *s; s++)
        if ((*s)->begin_game)
            (*s)->begin_game(c);
}

bool run_is_foreign(const QueryInfo *query, const Game *game)
{
    if (query->flags & QUERY_AS_CHESS)
        return false;
    return query->flags & QUERY_VARIANTS ? game->variant == VARIANT_FOREIGN : !game_is_chess(game);
}

char *run_foreign_message(const QueryInfo *query, const Game *game)
{
    enum { SHOWN = 80 };
    Text tag;
    game_variant(game, &tag);
    const int length = tag.length > SHOWN ? SHOWN : (int)tag.length;
    if (query->flags & QUERY_VARIANTS)
        return memory_format("the variant \"%.*s\" is not supported", length, tag.start);
    return memory_format("games of the variant \"%.*s\" are not searched as chess", length, tag.start);
}

// ---- conditions on tags -----------------------------------------------------------------------------------

uint8_t run_tag_atom(Run *run, const Game *game, int32_t atom)
{
    Context *c = &run->context;
    jmp_buf escape;
    // Atoms leave nothing but strings.
    if (run->tags_of != game)
        begin_game(run, game);
    string_arena_reset(&run->state.strings);
    run->tags_of = game;
    run->state.escape = &escape;
    if (setjmp(escape)) {
        run->tags_of = NULL;
        return UNSURE;
    }
    return c->query->tag_atom(c, atom) != 0 ? CAN_HOLD : CAN_FAIL;
}

// Of the games with the state `in`, those that do not satisfy the formula become `out`. Returns what follows it. free: a state
// that none has, nor any above it.
static const int32_t *find_tags(TagGames *g, const int32_t *formula, uint16_t in, uint16_t out, uint16_t free)
{
    if (*formula == TAGS_AND)
        return find_tags(g, find_tags(g, formula + 1, in, out, free), in, out, free);
    if (*formula == TAGS_OR) {
        const uint16_t above = (uint16_t)(free + 1);
        formula = find_tags(g, find_tags(g, formula + 1, in, free, above), free, out, above);
        for (size_t i = 0; i < g->count; i++)
            g->state[i] = g->state[i] == free ? in : g->state[i];
        return formula;
    }
    const bool negated = *formula == TAGS_NOT;
    g->ask(g, formula[negated], negated ? CAN_FAIL : CAN_HOLD, in, out);
    return formula + 1 + negated;
}

void run_find_tags(const QueryInfo *query, TagGames *games)
{
    if (query->tag_formula_count > 0)
        find_tags(games, query->tag_formula, TAGS_IN, TAGS_OUT, TAGS_IN + 1);
}

// A game that is tested.
typedef struct Tested {
    Run *run;
    const Game *game;
} Tested;

// The result is not known: the movetext can change it.
static void ask_game(TagGames *g, int32_t atom, uint8_t wanted, uint16_t in, uint16_t out)
{
    const Tested *t = g->user;
    const bool is_known = !(t->run->context.query->tag_columns[atom] & 1 << COLUMN_RESULT);
    if (*g->state == in && is_known && !(run_tag_atom(t->run, t->game, atom) & wanted))
        *g->state = out;
}

bool run_game_test(Run *run, const Game *game)
{
    const QueryInfo *query = run->context.query;
    const int32_t number = game->view.number;
    if (query->flags & QUERY_HAS_GAMENUMBER &&
        (number < query->gamenumber_low || number > query->gamenumber_high))
        return false;
    if (run_is_foreign(query, game))
        return false;
    if (query->comment_part && !game_may_comment(game, text_of(query->comment_part)))
        return false;
    if (query->tag_formula_count == 0)
        return true;
    run->tags_of = NULL; // it may have been another game
    uint16_t state = TAGS_IN;
    run_find_tags(query, &(TagGames){1, &state, ask_game, &(Tested){run, game}});
    return state == TAGS_IN;
}

// ---- evaluation -------------------------------------------------------------------------------------------

static bool results_hold(const QueryInfo *query, int32_t result)
{
    return (query->results & ~(1u << result)) == 0;
}

// Adds what follows the comments of the last position (10.4.1).
static void finish_log(Context *c)
{
    Log *log = &c->run->log;
    if (!log->wanted)
        return;
    if (log_has_number(c))
        log->list.entry[0].text = run_format(c, "Game number %d", (int)c->game->number);
    log_hits(c);
    if (c->run->options.first && c->hit_count > 0)
        log->list.count = log->first_end;
    common_run_comments(c);
    sort_comments(c);
    relation_comments(c);
    if (log_has_own_texts(c))
        sort_value_comment(c);
    if (log_bytes(&log->list) > c->run->options.memory)
        run_raise_memory(c);
}

// Evaluates the game; false when it was abandoned.
static bool evaluate(Run *run)
{
    Context *c = &run->context;
    jmp_buf escape;
    run->state.escape = &escape;
    if (setjmp(escape))
        return false;
    c->query->match_game(c);
    if (run_counts_match(c->query, c->hit_count))
        finish_log(c);
    return true;
}

static void give_result(Run *run, RunResult *result)
{
    Context *c = &run->context;
    const Log *log = &run->state.log;
    result->matched = !result->error && run_counts_match(c->query, c->hit_count);
    result->hit = c->hit;
    result->hit_count = run->state.options.first && c->hit_count > 1 ? 1 : c->hit_count;
    result->log = log->list.entry;
    result->log_count = result->matched && log->wanted ? log->list.count : 0;
    result->position_count = c->game->count;
    for (const Subject *const *s = run_subjects; *s; s++)
        if ((*s)->result)
            (*s)->result(c, result);
}

void run_game(Run *run, Game *game, RunResult *result)
{
    Context *c = &run->context;
    *result = (RunResult){0};
    if (game->skipped || !results_hold(c->query, game->view.result))
        return;
    begin_game(run, game);
    c->hit = run_grow(c, c->hit, &run->hit_capacity, (size_t)game->view.count, sizeof *c->hit);
    const int32_t first = c->query->persistent_slots;
    if (c->query->slot_count > first)
        memset(c->slot + first, 0, (size_t)(c->query->slot_count - first) * sizeof *c->slot);
    if (!evaluate(run)) {
        const int32_t place = c->query->place_cell > 0 ? c->slot[c->query->place_cell - 1].i : 0;
        result->error = run->state.error;
        result->error_line = place / PLACE_COLUMNS;
        result->error_column = place % PLACE_COLUMNS;
        result->error_position = c->at;
        result->exhausted = run->state.exhausted;
        result->stopped = run->state.stopped;
    }
    give_result(run, result);
}

// ---- the end of the search --------------------------------------------------------------------------------

void run_print_persistent(Run *run, FILE *out)
{
    const QueryInfo *query = run->context.query;
    for (int32_t i = 0; i < query->persistent_count; i++) {
        const PersistentInfo *info = &query->persistent[i];
        const Slot value = run->context.slot[info->slot];
        char text[SET_TEXT_MAX];
        if (info->quiet)
            continue;
        fprintf(out, "%s: ", info->name);
        if (info->bound_slot >= 0 && !run->context.slot[info->bound_slot].i)
            fputs("<unbound>", out);
        else if (info->type == 0)
            fprintf(out, "%d", (int)value.i);
        else if (info->type == 1)
            fwrite(text, 1, (size_t)set_text(value.s, text), out);
        else
            fprintf(out, "\"%.*s\"", (int)string_or_empty(value.t)->length, string_or_empty(value.t)->bytes);
        fputc('\n', out);
    }
}

void run_print_dictionaries(Run *run, FILE *out)
{
    dictionaries_print(&run->context, out);
}
