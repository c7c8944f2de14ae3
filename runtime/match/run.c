// Running a query over games: the table of runtime functions, set-up, and what one evaluation leaves behind.
#include <pthread.h>
#include <stdlib.h>

#include "imaginary.h"
#include "variants.h"
#include "runtime/value/memory.h"

// Budgets for one game.
#define DEFAULT_STEPS 200000000LL
#define SHOW_STEPS 1000000LL // for QueryInfo.show
#define STACK_RESERVE ((size_t)2 << 20)
#define STEPS_AT_ONCE 65536 // between two questions whether the search is to end
#define STRING_CAP ((size_t)64 << 20)
#define KEPT_CAP ((size_t)256 << 20)

const Runtime cql_runtime = {
    .abi_version = CQL_ABI_VERSION,
    .size = sizeof(Runtime),
    .knight_table = knight_table,
    .king_table = king_table,
    .pawn_table = pawn_table[0],
    .between_table = between_table[0],
    .line_table = line_table[0],
    .ray_table = ray_table[0],
#define CALL(name, result, parameters, effect, c_result, prototype, help) .name = rt_##name,
#include "calls.def"
};

void *run_grow(void *array, int32_t *capacity, int32_t needed, size_t size)
{
    if (needed <= *capacity)
        return array;
    int64_t larger = (int64_t)needed + needed / 2 + 16;
    if (larger > INT32_MAX)
        larger = INT32_MAX;
    array = memory_resized(array, (size_t)larger, size);
    *capacity = (int32_t)larger;
    return array;
}

static void *zeroed(int32_t count, size_t size)
{
    return memory_zeroed((size_t)count, size);
}

// ---- set-up -----------------------------------------------------------------------------------------------

// Compiles the query's regular expressions and makes room for the largest match record.
static bool compile_patterns(struct RunState *run, const QueryInfo *query, const char **message)
{
    int groups = 0;
    run->pattern = zeroed(query->pattern_count, sizeof *run->pattern);
    run->pattern_capacity = query->pattern_count;
    for (int32_t i = 0; i < query->pattern_count; i++) {
        const String text = query->pattern[i];
        run->pattern[i] = regex_new(text->bytes, text->length, regex_flags(query), message);
        if (!run->pattern[i])
            return false;
        if (regex_groups(run->pattern[i]) > groups)
            groups = regex_groups(run->pattern[i]);
    }
    run->record.offset = zeroed(2 * (groups + 1), sizeof *run->record.offset);
    run->record_capacity = 2 * (groups + 1);
    return true;
}

static bool read_similar(struct RunState *run, const QueryInfo *query, const Run *like, const char **message)
{
    if (!query->similar_file)
        return true;
    if (like) {
        run->similar = similar_share(like->state.similar);
        return true;
    }
    run->similar = similar_read(query->similar_file, (query->flags & QUERY_SIMILAR_PLAIN) != 0, message);
    return run->similar != NULL;
}

// Persistent variables are bound from the beginning (7.4): numbers to 0, sets and strings to empty ones.
static void init_persistent(Context *c)
{
    for (int32_t i = 0; i < c->query->persistent_count; i++) {
        const PersistentInfo *info = &c->query->persistent[i];
        if (info->type == 2)
            c->slot[info->slot].t = &run_empty;
        if (info->bound_slot >= 0)
            c->slot[info->bound_slot].i = 1;
    }
}

static String string_copy(const char *text)
{
    const size_t length = strlen(text);
    CqlString *s = memory_new(sizeof *s + length);
    s->length = (uint32_t)length;
    memcpy(s->bytes, text, length + 1);
    return s;
}

static void init_matchstring(struct RunState *run, const QueryInfo *query)
{
    const char *text = query->matchstring ? query->matchstring : "CQL";
    if (*text && !(query->flags & (QUERY_QUIET | QUERY_SILENT)))
        run->matchstring = string_copy(text);
}

Run *run_new(const QueryInfo *query, const RunOptions *options, const Run *like, const char **message)
{
    Run *run = zeroed(1, sizeof *run);
    struct RunState *state = &run->state;
    *message = NULL;
    run->context = (Context){.rt = &cql_runtime, .run = state, .query = query};
    run->context.slot = zeroed(query->slot_count, sizeof(Slot));
    if (options)
        state->options = *options;
    run->context.show = state->options.show && query->show;
    state->logging = state->options.comments && !(query->flags & QUERY_SILENT);
    state->strings.cap = STRING_CAP;
    state->kept.cap = KEPT_CAP;
    state->kept_limit = 65536;
    state->sort = zeroed(query->sort_key_count, sizeof *state->sort);
    state->sort_texts = zeroed(query->sort_key_count, sizeof *state->sort_texts);
    state->marks = zeroed(query->mark_set_count, sizeof *state->marks);
    state->dictionary = zeroed(query->dictionary_count, sizeof *state->dictionary);
    for (int32_t i = 0; i < query->dictionary_count; i++) {
        state->dictionary[i].key_type = query->dictionary[i].key_type;
        state->dictionary[i].value_type = query->dictionary[i].value_type;
    }
    init_matchstring(state, query);
    init_persistent(&run->context);
    if (!compile_patterns(state, query, message) || !read_similar(state, query, like, message)) {
        run_free(run);
        return NULL;
    }
    return run;
}

static void free_path_state(struct RunState *state)
{
    for (int32_t i = 0; i < state->texts_count; i++)
        free(state->texts[i].entry);
    for (int32_t i = 0; i < state->trail_count; i++) {
        Trail *t = &state->trail[i];
        for (int32_t k = 0; k < t->record_capacity; k++) {
            free(t->record[k].position);
            free(t->record[k].texts.entry);
        }
        free(t->record);
        free(t->position);
    }
    for (int32_t i = 0; i < state->memo_count; i++)
        free(state->memo[i].entry);
    free(state->memo);
    free(state->texts);
    free(state->trail);
    free(state->line);
}

static void free_log(struct RunState *state, const QueryInfo *query)
{
    for (int32_t i = 0; i < query->sort_key_count; i++)
        free(state->sort_texts[i].entry);
    free(state->sort_texts);
    free(state->sort);
    free(state->log);
    free(state->kept_run);
    free(state->pair);
    free(state->drop);
    free(state->set_tag);
    free((void *)(uintptr_t)state->matchstring);
    buffer_free(&state->messages);
    buffer_free(&state->scratch);
}

static void free_values(struct RunState *state, const QueryInfo *query)
{
    dictionaries_free(state, query->dictionary_count);
    free(state->dictionary);
    for (int32_t i = 0; i < query->pattern_count + state->computed_count; i++)
        regex_free(state->pattern[i]);
    for (int32_t i = 0; i < state->computed_count; i++)
        free((void *)(uintptr_t)state->computed[i]);
    free(state->pattern);
    free(state->computed);
    regex_memory_free(&state->regex);
    free(state->record.offset);
    free(state->loop);
    for (int32_t i = 0; i < state->written_count; i++)
        free(state->written[i]);
    free(state->written);
    string_arena_free(&state->strings);
    string_arena_free(&state->kept);
}

void run_free(Run *run)
{
    if (!run)
        return;
    struct RunState *state = &run->state;
    const QueryInfo *query = run->context.query;
    free_path_state(state);
    free_log(state, query);
    free_values(state, query);
    for (int32_t i = 0; i < query->mark_set_count; i++)
        free(state->marks[i].bits);
    free(state->marks);
    imaginary_free(state);
    similar_free(state->similar);
    relation_free(state);
    free(state->history);
    free(state->squares);
    free(state->moves);
    free(state->slots_before);
    free(state->identities);
    free(run->context.slot);
    free(run->context.hit);
    free(run);
}

// ---- one game ---------------------------------------------------------------------------------------------

// Where this thread's stack must not grow any more: room is left for the frames of a function and of what it
// calls.
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

void run_give_steps(Context *c)
{
    struct RunState *state = c->run;
    const int64_t steps = state->steps_left < STEPS_AT_ONCE ? state->steps_left : STEPS_AT_ONCE;
    c->steps += steps;
    state->steps_left -= steps;
}

void run_pause(Context *c)
{
    struct RunState *state = c->run;
    if (!state->options.stopped || !state->options.stopped(state->options.user))
        return;
    state->stopped = true;
    run_raise(c, "the search was stopped");
}

bool run_more_steps(Context *c)
{
    struct RunState *state = c->run;
    run_pause(c);
    state->exhausted = state->steps_left <= 0;
    if (state->exhausted)
        return false;
    run_give_steps(c);
    return true;
}

// Brings everything that does not outlive a game to its initial state. Costs nothing that grows with the
// game.
static void begin_game(Run *run, const Game *game)
{
    Context *c = &run->context;
    struct RunState *state = &run->state;
    c->game = &game->view;
    c->position = game->view.position;
    c->node = game->view.node;
    imaginary_begin_game(c);
    c->hit_count = 0;
    c->at = -1;
    c->stack_end = stack_end();
    c->depth = state->options.max_depth > 0 ? state->options.max_depth : RUN_DEPTH;
    c->steps = 0;
    state->stopped = state->exhausted = false;
    state->steps_left = state->options.max_steps > 0 ? state->options.max_steps : DEFAULT_STEPS;
    state->show_steps = state->steps_left < SHOW_STEPS ? state->steps_left : SHOW_STEPS;
    run_give_steps(c);
    state->error[0] = '\0';
    state->game_serial++;
    relation_reset(state);
    state->history_count = 0;
    state->identities_count = 0;
    state->squares_count = 0;
    state->moves_count = 0;
    for (int32_t i = 0; i < c->query->mark_set_count; i++)
        state->marks[i].used = false;
    for (int32_t i = 0; i < state->texts_count; i++)
        state->texts[i].count = 0;
    string_arena_reset(&state->strings);
    kept_compact(c);
    dictionaries_begin_game(c);
    regex_begin_game(state, c->query->pattern_count);
}

bool run_game_test(Run *run, const Game *game)
{
    Context *c = &run->context;
    const QueryInfo *query = c->query;
    const int32_t number = game->view.number;
    if (query->flags & QUERY_HAS_GAMENUMBER &&
        (number < query->gamenumber_low || number > query->gamenumber_high))
        return false;
    Text variant;
    if (query->flags & QUERY_CQLI && variant_is_foreign(game, &variant))
        return false;
    if (!query->game_test)
        return true;
    begin_game(run, game);
    jmp_buf escape;
    run->state.escape = &escape;
    // What goes wrong here goes wrong again, with its message, when the game is evaluated.
    if (setjmp(escape))
        return true;
    return query->game_test(c);
}

static bool results_hold(const QueryInfo *query, int32_t result)
{
    return (query->results & ~(1u << result)) == 0;
}

static bool count_holds(const QueryInfo *query, int32_t count)
{
    if (!(query->flags & QUERY_HAS_MATCHCOUNT))
        return count > 0;
    return count >= query->matchcount_low && count <= query->matchcount_high;
}

// Evaluates the game; false when it was given up.
static bool evaluate(Run *run)
{
    Context *c = &run->context;
    jmp_buf escape;
    run->state.escape = &escape;
    if (setjmp(escape))
        return false;
    log_begin(c);
    c->query->match_game(c);
    if (count_holds(c->query, c->hit_count))
        log_finish(c);
    return true;
}

static void give_result(Run *run, RunResult *result)
{
    const Context *c = &run->context;
    const struct RunState *state = &run->state;
    result->matched = !result->error && count_holds(c->query, c->hit_count);
    result->hit = c->hit;
    result->hit_count = c->hit_count;
    result->log = state->log;
    result->log_count = result->matched && state->logging ? state->log_count : 0;
    result->sort = state->sort;
    result->drop_comment = state->dropping ? state->drop : NULL;
    result->position_count = c->game->count;
    result->set_tag = state->set_tag;
    result->set_tag_count = state->set_tag_count;
    result->squares = state->squares;
    result->squares_count = state->squares_count;
    result->moves = state->moves;
    result->moves_count = state->moves_count;
    result->messages = state->messages.start;
    result->messages_length = state->messages.length;
}

void run_game(Run *run, Game *game, RunResult *result)
{
    Context *c = &run->context;
    *result = (RunResult){0};
    if (game->skipped || !results_hold(c->query, game->view.result))
        return;
    begin_game(run, game);
    c->hit = run_grow(c->hit, &run->hit_capacity, game->view.count, sizeof *c->hit);
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
            fprintf(out, "\"%.*s\"", (int)run_text(value.t)->length, run_text(value.t)->bytes);
        fputc('\n', out);
    }
}
