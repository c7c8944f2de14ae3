// `cqlgen bench`: what is measured, in turns, and whether all programs find the same.
#include "bench.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "runtime/search/input.h"
#include "runtime/search/output.h"
#include "runtime/value/folder.h"
#include "runtime/value/memory.h"
#include "runtime/value/terminal.h"
#include "cli.h"
#include "examples.h"
#include "signals.h"

enum { MOST_CHOICES = 16, USUAL_ROUNDS = 5, USUAL_SECONDS = 5 };

typedef struct BenchQuery {
    const char *name, *expression; // expression: of -e, or NULL
    char *file;                    // for other programs
} BenchQuery;

// One file that is searched.
typedef struct BenchSource {
    const char *input, *kind; // as on the command line; pgn or database
    char *path;
    bool temporary; // a database that was made of the input
    int64_t games, positions, bytes;
} BenchSource;

typedef struct Bench {
    const Arguments *arguments;
    BenchFolder folder;
    const atomic_int *stop;
    char *empty; // a PGN file with a game that has no moves
    BenchQuery *query;
    size_t query_count;
    BenchSource *source;
    size_t source_count, source_capacity;
    Competitor *competitor;
    int competitor_count;
    char *engine[MOST_CHOICES]; // names, for both caches
    int engine_count;
    int threads[MOST_CHOICES];
    int threads_count;
    int rounds;
    double seconds;
    BenchFormat format;
    OutputFile *out;
    BenchRow *row;
    size_t row_count, row_capacity;
    int status;
} Bench;

// ---- messages ---------------------------------------------------------------------------------------------

static void clear_line(const Bench *b)
{
    if (isatty(2) && !b->arguments->value[OPTION_QUIET])
        status_clear();
}

static void show_progress(const Bench *b, const BenchQuery *query, const char *input, int round)
{
    if (!isatty(2) || b->arguments->value[OPTION_QUIET])
        return;
    char *line = memory_format("round %d of at most %d: %.40s, %.40s", round, b->rounds, query->name, input);
    status_show(line);
    free(line);
}

// Reports a fault that does not end the benchmark; the first worst status counts.
static void note_fault(Bench *b, int status, const char *where, const char *what)
{
    clear_line(b);
    complain(NULL, "%s: %s", where, what);
    if (b->status == STATUS_OK || status > b->status)
        b->status = status;
}

// ---- measurements -----------------------------------------------------------------------------------------

typedef enum CacheUse { CACHE_OTHER, CACHE_WARM, CACHE_COLD } CacheUse;

// A command that is measured.
typedef struct Measure {
    char **word;
    CacheUse cache; // CACHE_OTHER: another program
    const Competitor *competitor;
    double *time, *processor;
    size_t time_capacity, processor_capacity;
    int runs;
    double spent;
    int64_t memory, matches;
    const char *counted;
    char *problem;
} Measure;

// This program.
static const char *self(void)
{
    static const char *const link = "/proc/self/exe";
    return access(link, X_OK) == 0 ? link : program_invocation_name;
}

// The words of a search by this program; freed with competitor_free_words.
static char **own_words(const BenchQuery *query, const char *input, const char *engine, int threads)
{
    const bool option = input[0] == '-' || input[0] == '@'; // as a file, not as what else it could mean
    char **word = memory_zeroed(16, sizeof *word);
    int count = 0;
    const char *const begin[] = {self(), "search", "-q", "-f", "count", "--engine"};
    for (size_t i = 0; i < sizeof begin / sizeof *begin; i++)
        word[count++] = memory_format("%s", begin[i]);
    word[count++] = memory_format("%.*s", (int)strcspn(engine, "-"), engine);
    word[count++] = memory_format("-j%d", threads);
    if (query->expression) {
        word[count++] = memory_format("--expression=%s", query->expression);
        word[count++] = memory_format("--");
    } else {
        word[count++] = memory_format("--");
        word[count++] = memory_format("%s", query->name);
    }
    word[count] = memory_format("%s%s", option ? "./" : "", input);
    return word;
}

static Measure own_measure(const BenchQuery *query, const char *input, const char *engine, int threads)
{
    return (Measure){.word = own_words(query, input, engine, threads),
                     .cache = ends_with(engine, "-cold") ? CACHE_COLD : CACHE_WARM,
                     .matches = -1};
}

static Measure competitor_measure(const Bench *b, const Competitor *r, const BenchQuery *query,
                                  const char *input, int threads)
{
    const bool option = input[0] == '-';
    char *file = memory_format("%s%s", option ? "./" : "", input), *out = bench_path(&b->folder, "out.pgn");
    const CompetitorValues values = {.input = file, .query = query->file, .out = out, .threads = threads};
    const Measure m = {.word = competitor_words(r, &values), .competitor = r, .matches = -1};
    free(file);
    free(out);
    return m;
}

// ---- games found ------------------------------------------------------------------------------------------

// Reads how many games the last run has found.
static void count_matches(const Bench *b, Measure *m)
{
    char *text = bench_read(b->folder.out, false), *end;
    const char *begin = text + strspn(text, " \t\r\n");
    const long long number = strtoll(begin, &end, 10);
    if (m->competitor && m->competitor->out) {
        char *out = bench_path(&b->folder, "out.pgn");
        m->matches = bench_count_games(out);
        m->counted = "counted the games in {out}";
        free(out);
    } else if (end != begin && end[strspn(end, " \t\r\n")] == 0) {
        m->matches = number;
        m->counted = m->competitor ? "took the number on standard output" : "took the number of the search";
    } else if (*begin == '[') {
        m->matches = bench_count_games(b->folder.out);
        m->counted = "counted the games on standard output";
    }
    free(text);
}

// ---- rounds -----------------------------------------------------------------------------------------------

// Runs the command once; false when a signal ends the benchmark.
static bool measure_once(const Bench *b, Measure *m, bool counts)
{
    char *cold = bench_path(&b->folder, "cold"), *out = bench_path(&b->folder, "out.pgn");
    BenchRun run;
    unlink(out);
    const char *cache = m->cache == CACHE_COLD ? cold : m->cache == CACHE_WARM ? b->folder.cache : NULL;
    const bool ended = bench_run(&b->folder, m->word, cache, b->stop, &run);
    if (m->cache == CACHE_COLD)
        folder_remove(cold);
    free(cold);
    free(out);
    if (!ended || run.problem) {
        m->problem = run.problem;
        return ended;
    }
    if (m->matches < 0)
        count_matches(b, m);
    if (!counts && run.seconds < b->seconds)
        return true;
    m->time = memory_grow(m->time, &m->time_capacity, (size_t)m->runs + 1, sizeof *m->time);
    m->processor =
        memory_grow(m->processor, &m->processor_capacity, (size_t)m->runs + 1, sizeof *m->processor);
    m->time[m->runs] = run.seconds;
    m->processor[m->runs++] = run.processor;
    m->spent += run.seconds;
    m->memory = run.memory > m->memory ? run.memory : m->memory;
    return true;
}

// Compiles the query with the system compiler where an engine is to find it in the cache. What goes wrong is seen later.
static bool fill_cache(const Bench *b, const BenchQuery *query)
{
    bool wanted = false, ended = true;
    for (int e = 0; e < b->engine_count; e++)
        wanted |= strcmp(b->engine[e], "cc") == 0 || strcmp(b->engine[e], "auto") == 0;
    if (wanted) {
        char **word = own_words(query, b->empty, "cc", 1);
        BenchRun run;
        ended = bench_run(&b->folder, word, b->folder.cache, b->stop, &run);
        free(run.problem);
        competitor_free_words(word);
    }
    return ended;
}

// Lets the measurements take turns. The first round warms up and counts only for what has no time for another.
static bool measure_all(const Bench *b, const BenchQuery *query, const char *input, Measure *m, size_t count)
{
    for (int round = 0; round <= b->rounds; round++) {
        show_progress(b, query, input, round);
        for (size_t i = 0; i < count; i++) {
            const bool wanted = !m[i].problem && (m[i].runs == 0 || m[i].spent < b->seconds);
            if (wanted && !measure_once(b, &m[i], round > 0))
                return false;
        }
    }
    clear_line(b);
    return true;
}

// ---- the rows of a query and an input ---------------------------------------------------------------------

// The measurements of a query and an input; `start` goes before the rest, over no games.
typedef struct Group {
    const BenchQuery *query;
    Measure *measure;
    size_t count, capacity;
    size_t *start_of; // by row: its place in `measure`, or SIZE_MAX
    size_t start_capacity;
    size_t starts, first_row;
} Group;

static size_t add_measure(Group *g, Measure m)
{
    g->measure = memory_grow(g->measure, &g->capacity, g->count + 1, sizeof *g->measure);
    g->measure[g->count] = m;
    return g->count++;
}

static void add_row(Bench *b, Group *g, const BenchSource *s, const char *program, bool other, int threads,
                    size_t start, Measure m)
{
    const size_t place = b->row_count - g->first_row;
    b->row = memory_grow(b->row, &b->row_capacity, b->row_count + 1, sizeof *b->row);
    g->start_of = memory_grow(g->start_of, &g->start_capacity, place + 1, sizeof *g->start_of);
    g->start_of[place] = start;
    add_measure(g, m);
    b->row[b->row_count++] = (BenchRow){.query = g->query->name,
                                        .input = s->input,
                                        .source = s->kind,
                                        .program = program,
                                        .other = other,
                                        .threads = threads,
                                        .games = s->games,
                                        .positions = s->positions,
                                        .bytes = s->bytes,
                                        .start = -1,
                                        .matches = -1};
}

static void add_starts(const Bench *b, Group *g)
{
    for (int e = 0; e < b->engine_count; e++)
        add_measure(g, own_measure(g->query, b->empty, b->engine[e], 1));
    for (int r = 0; r < b->competitor_count; r++) {
        if (b->competitor[r].games) // it may fail; the time is unknown then
            add_measure(g, competitor_measure(b, &b->competitor[r], g->query, b->empty, 1));
    }
    g->starts = g->count;
}

static void add_rows(Bench *b, Group *g, const BenchSource *s)
{
    const bool pgn = strcmp(s->kind, "pgn") == 0;
    for (int t = 0; t < b->threads_count; t++)
        for (int e = 0; e < b->engine_count; e++)
            add_row(b, g, s, b->engine[e], false, b->threads[t], (size_t)e,
                    own_measure(g->query, s->path, b->engine[e], b->threads[t]));
    size_t start = (size_t)b->engine_count;
    for (int r = 0; r < b->competitor_count; r++) {
        const Competitor *competitor = &b->competitor[r];
        for (int t = 0; t < (competitor->threads ? b->threads_count : 1); t++)
            if (pgn == competitor->games)
                add_row(b, g, s, competitor->name, true, competitor->threads ? b->threads[t] : 0,
                        pgn ? start : SIZE_MAX,
                        competitor_measure(b, competitor, g->query, s->path, b->threads[t]));
        start += competitor->games;
    }
}

static void fill_row(BenchRow *row, Measure *m, Measure *start)
{
    row->runs = m->runs;
    row->median = bench_median_of(m->time, m->runs);
    row->least = m->runs > 0 ? m->time[0] : 0;
    row->most = m->runs > 0 ? m->time[m->runs - 1] : 0;
    row->processor = bench_median_of(m->processor, m->runs);
    row->memory = m->memory;
    row->matches = m->matches;
    row->counted = m->counted;
    row->problem = m->problem;
    m->problem = NULL; // the row owns it now
    if (start && start->runs > 0 && !start->problem)
        row->start = bench_median_of(start->time, start->runs);
}

// Compares what the programs of the group have found, and reports what has failed.
static void check_rows(Bench *b, size_t first)
{
    const BenchRow *known = NULL;
    for (size_t i = first; i < b->row_count; i++) {
        BenchRow *row = &b->row[i];
        char *where = memory_format("%s, %s, %s", row->query, row->input, row->program), *what = NULL;
        if (row->problem)
            what = memory_format("failed: %s", row->problem);
        else if (row->matches >= 0 && !known)
            known = row;
        else if (row->matches >= 0 && row->matches != known->matches)
            what = memory_format("finds %lld games, but %s finds %lld", (long long)row->matches,
                                 known->program, (long long)known->matches);
        row->differs = what && !row->problem;
        if (what)
            note_fault(b, STATUS_NO_MATCH, where, what);
        free(where);
        free(what);
    }
}

static bool write_report(Bench *b, const Buffer *text)
{
    if (text->length == 0 || output_write(b->out, text->start, text->length))
        return true;
    b->status = STATUS_OUTPUT; // output_close says why
    return false;
}

// Measures a query over an input, which has one or two sources. False: the benchmark ends.
static bool run_group(Bench *b, const BenchQuery *query, size_t source, size_t sources)
{
    Group g = {.query = query, .first_row = b->row_count};
    add_starts(b, &g);
    for (size_t i = source; i < source + sources; i++)
        add_rows(b, &g, &b->source[i]);
    bool good = fill_cache(b, query) && measure_all(b, query, b->source[source].input, g.measure, g.count);
    for (size_t i = g.first_row; i < b->row_count; i++) {
        const size_t start = g.start_of[i - g.first_row];
        fill_row(&b->row[i], &g.measure[g.starts + i - g.first_row],
                 start != SIZE_MAX ? &g.measure[start] : NULL);
    }
    if (good) {
        Buffer text = {0};
        check_rows(b, g.first_row);
        if (g.first_row == 0)
            bench_begin(&text, b->format);
        bench_rows(&text, b->format, b->row + g.first_row, b->row_count - g.first_row, g.first_row == 0);
        good = write_report(b, &text);
        buffer_free(&text);
    }
    for (Measure *m = g.measure; m < g.measure + g.count; m++) {
        competitor_free_words(m->word);
        free(m->time);
        free(m->processor);
        free(m->problem);
    }
    free(g.measure);
    free(g.start_of);
    return good;
}

// ---- queries and inputs -----------------------------------------------------------------------------------

// Runs this program for another purpose than time. False when a signal ends the benchmark; *problem: as in BenchRun.
static bool run_aside(Bench *b, const char *const *word, char **problem)
{
    BenchRun run;
    const bool ended = bench_run(&b->folder, (char *const *)word, b->folder.cache, b->stop, &run);
    *problem = run.problem;
    return ended;
}

// Keeps the queries that compile; the messages of the others are shown.
static bool check_queries(Bench *b)
{
    size_t kept = 0;
    for (size_t q = 0; q < b->query_count; q++) {
        char **word = own_words(&b->query[q], b->empty, "interp", 1), *problem;
        const bool ended = run_aside(b, (const char *const *)word, &problem);
        competitor_free_words(word);
        if (ended && problem) {
            char *text = bench_read(b->folder.errors, false);
            print_lines(stderr, text, strlen(text));
            free(text);
            note_fault(b, STATUS_QUERY, b->query[q].name, "not measured");
            free(b->query[q].file);
        } else
            b->query[kept++] = b->query[q];
        free(problem);
        if (!ended)
            return false;
    }
    b->query_count = kept;
    return true;
}

// Other programs read a query from a file. Frees its name.
static bool write_query(const Bench *b, BenchQuery *q, char *name, const char *text)
{
    q->file = bench_path(&b->folder, name);
    free(name);
    return write_file(q->file, text, strlen(text));
}

static bool open_queries(Bench *b, int files)
{
    const Arguments *a = b->arguments;
    b->query = memory_zeroed((size_t)(files + a->expression_count), sizeof *b->query);
    bool written = true;
    for (int i = 0; i < files; i++) {
        const Example *example = example_of_file(a->words[i]);
        BenchQuery *q = &b->query[b->query_count++];
        *q = (BenchQuery){a->words[i], NULL, example ? NULL : memory_format("%s", a->words[i])};
        if (example && written)
            written = write_query(b, q, memory_format("%s.cql", example->name), example->text);
    }
    for (int i = 0; i < a->expression_count; i++) {
        BenchQuery *q = &b->query[b->query_count++];
        *q = (BenchQuery){a->expressions[i], a->expressions[i], NULL};
        char *text = memory_format("cql()\n%s\n", q->expression);
        written = written && write_query(b, q, memory_format("query-%d.cql", i + 1), text);
        free(text);
    }
    if (!written)
        b->status = STATUS_OUTPUT;
    return written && check_queries(b);
}

// Counts games and positions by a search for every game.
static bool count_source(Bench *b, BenchSource *s, char **problem)
{
    const char *word[] = {self(),   "search",         "-e",  "true", "-f",    "count", "--engine",
                          "interp", "--no-prefilter", "-j1", "--",   s->path, NULL};
    char *path = s->path[0] == '-' || s->path[0] == '@' ? memory_format("./%s", s->path) : NULL;
    word[11] = path ? path : s->path;
    const bool ended = run_aside(b, word, problem);
    free(path);
    char *text = bench_read(b->folder.errors, true);
    long long games = 0, positions = 0;
    for (const char *line = text; line && *line; line = strchr(line, '\n') ? strchr(line, '\n') + 1 : NULL)
        if (sscanf(line, "%*d of %lld games match (%lld positions", &games, &positions) == 2)
            break;
    s->games = games;
    s->positions = positions;
    free(text);
    return ended;
}

static bool is_database(const char *path)
{
    InputFile *file = input_open(path, NULL);
    const bool found = file && input_database(file);
    if (file)
        input_close(file);
    return found;
}

static BenchSource *add_source(Bench *b, const char *input, char *path)
{
    struct stat status;
    b->source = memory_grow(b->source, &b->source_capacity, b->source_count + 1, sizeof *b->source);
    BenchSource *s = &b->source[b->source_count++];
    *s = (BenchSource){.input = input, .kind = "pgn", .path = path};
    s->bytes = stat(path, &status) == 0 ? status.st_size : 0;
    return s;
}

static void drop_source(Bench *b)
{
    free(b->source[--b->source_count].path);
}

// Makes a database of the source that was added last.
static bool import_source(Bench *b)
{
    const BenchSource *from = &b->source[b->source_count - 1];
    const BenchSource counted = *from;
    char name[40], *problem;
    snprintf(name, sizeof name, "games-%zu.cqldb", b->source_count);
    char *path = bench_path(&b->folder, name);
    char *input = memory_format("%s%s", strchr("-@", from->path[0]) ? "./" : "", from->path);
    const char *const word[] = {self(), "import", "-q", "-o", path, "--", input, NULL};
    const bool ended = run_aside(b, word, &problem);
    free(input);
    if (ended && problem) {
        char *what = memory_format("no database could be made of it: %s", problem);
        note_fault(b, STATUS_INPUT, counted.input, what);
        free(what);
    }
    if (ended && !problem) {
        BenchSource *s = add_source(b, counted.input, path);
        s->kind = "database";
        s->temporary = true;
        s->games = counted.games;
        s->positions = counted.positions;
    } else
        free(path);
    free(problem);
    return ended;
}

// Adds the sources of an input; none after a message.
static bool open_input(Bench *b, const char *name)
{
    struct stat status;
    if (stat(name, &status) != 0 || !S_ISREG(status.st_mode)) {
        const bool missing = strcmp(name, "-") != 0 && access(name, F_OK) != 0;
        note_fault(b, STATUS_INPUT, name,
                   missing ? strerror(errno) : "not a file that can be read again and again");
        return true;
    }
    BenchSource *s = add_source(b, name, memory_format("%s", name));
    if (is_database(name))
        s->kind = "database";
    char *problem;
    const bool ended = count_source(b, s, &problem);
    const bool good = ended && !problem && s->games > 0;
    if (ended && !good)
        note_fault(b, STATUS_INPUT, name, problem ? problem : "no games");
    if (!good)
        drop_source(b);
    free(problem);
    if (good && strcmp(s->kind, "pgn") == 0 && !b->arguments->value[OPTION_NO_DATABASE])
        return import_source(b);
    return ended;
}

// ---- options ----------------------------------------------------------------------------------------------

// The next item of a list with commas (malloc'd), or NULL.
static char *next_item(const char **list)
{
    const size_t length = strcspn(*list, ",");
    if (length == 0)
        return NULL;
    char *item = memory_copy(*list, length);
    *list += length + ((*list)[length] == ',' && (*list)[length + 1]);
    return item;
}

const char *const bench_engine_names[BENCH_ENGINES] = {"interp", "tcc", "cc", "cc-cold", "auto", "auto-cold"};

static bool read_engines(Bench *b)
{
    const char *list = b->arguments->value[OPTION_ENGINES];
    if (!list)
        list = "interp,tcc,cc,cc-cold";
    char *item;
    while (b->engine_count < MOST_CHOICES && (item = next_item(&list))) {
        size_t i = 0;
        while (i < BENCH_ENGINES && strcmp(bench_engine_names[i], item) != 0)
            i++;
        b->engine[b->engine_count++] = item;
        if (i == BENCH_ENGINES)
            return complain(
                NULL, "unknown engine `%s`; the engines are interp, tcc, cc, cc-cold, auto and auto-cold",
                item);
    }
    return (b->engine_count > 0 && !*list) ||
           complain(NULL, "option `--engines` needs engines with commas: interp,tcc,cc");
}

static bool read_threads(Bench *b)
{
    const char *list = b->arguments->value[OPTION_THREAD_LIST];
    list = list ? list : "1";
    const char *whole = list;
    while (b->threads_count < MOST_CHOICES && *list) {
        char *end;
        const long number = strtol(list, &end, 10);
        if (end == list || number < 1 || number > 1024 || (*end && *end != ','))
            break;
        b->threads[b->threads_count++] = (int)number;
        list = end + (*end == ',' && end[1]);
    }
    return !*list ||
           complain(NULL, "option `-j` needs numbers from 1 to 1024 with commas, not `%s`: -j 1,2", whole);
}

static bool read_seconds(Bench *b)
{
    const char *text = b->arguments->value[OPTION_SECONDS];
    char *end = NULL;
    b->rounds = b->arguments->value[OPTION_ROUNDS] ? (int)b->arguments->low[OPTION_ROUNDS] : USUAL_ROUNDS;
    b->seconds = text ? strtod(text, &end) : USUAL_SECONDS;
    const bool good = !text || (end != text && !*end && b->seconds > 0 && b->seconds < 1e9);
    return good || complain(NULL, "option `--seconds` needs a number greater than 0, not `%s`", text);
}

static bool read_format(Bench *b)
{
    static const char *const names[] = {"text", "csv", "json", "svg"};
    const char *name = b->arguments->value[OPTION_REPORT], *output = b->arguments->value[OPTION_OUTPUT];
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char ending[8];
        snprintf(ending, sizeof ending, ".%s", names[i]);
        if (name ? strcmp(name, names[i]) == 0 : output && ends_with(output, ending))
            b->format = (BenchFormat)i;
    }
    if (!b->arguments->value[OPTION_CSV_SAFE])
        return true;
    if (b->format != BENCH_CSV)
        return complain(NULL, "--csv-safe is for csv, not for the format %s", names[b->format]);
    b->format = BENCH_CSV_SAFE;
    return true;
}

static bool read_rivals(Bench *b)
{
    const Arguments *a = b->arguments;
    b->competitor = memory_zeroed((size_t)a->competitor_count, sizeof *b->competitor);
    for (int i = 0; i < a->competitor_count; i++) {
        Competitor *r = &b->competitor[b->competitor_count++];
        char *wrong = competitor_open(r, a->competitors[i]);
        if (wrong)
            complain(NULL, "--against '%s': %s", a->competitors[i], wrong);
        free(wrong);
        if (wrong)
            return false;
        for (int k = 0; k < i; k++)
            if (strcmp(b->competitor[k].name, r->name) == 0)
                return complain(
                    NULL, "two programs of --against are called `%s`; name one of them: --against 'NAME=%s'",
                    r->name, a->competitors[i]);
    }
    return true;
}

// The file of a report must not be an input.
static bool check_output(const char *output, const InputNames *inputs)
{
    for (size_t i = 0; output && i < inputs->count; i++)
        if (output_is_input(output, inputs->name[i]))
            return complain(NULL, "%s is both an input and the output; choose another output name", output);
    return true;
}

// ---- the command ------------------------------------------------------------------------------------------

static bool write_chart(const Bench *b, const char *name)
{
    Buffer text = {0};
    bench_chart(&text, b->row, b->row_count);
    const bool good = write_file(name, text.start, text.length);
    buffer_free(&text);
    return good;
}

// The sources of the same input as the first one.
static size_t same_input(const Bench *b, size_t first)
{
    return first + 1 < b->source_count && b->source[first + 1].temporary ? 2 : 1;
}

static bool run_bench(Bench *b, int files, const InputNames *inputs)
{
    static const char one_game[] = "[Event \"?\"]\n\n*\n";
    b->empty = bench_path(&b->folder, "empty.pgn");
    if (!write_file(b->empty, one_game, sizeof one_game - 1)) {
        b->status = STATUS_OUTPUT;
        return false;
    }
    if (!open_queries(b, files))
        return false;
    for (size_t i = 0; i < inputs->count; i++)
        if (!open_input(b, inputs->name[i]))
            return false;
    for (size_t q = 0; q < b->query_count; q++)
        for (size_t s = 0; s < b->source_count; s += same_input(b, s))
            if (!run_group(b, &b->query[q], s, same_input(b, s)))
                return false;
    return true;
}

// Measures and writes the report.
static void run_report(Bench *b, int files, const InputNames *inputs)
{
    const char *chart = b->arguments->value[OPTION_SVG];
    Buffer text = {0};
    b->out = output_open(b->arguments->value[OPTION_OUTPUT], 0);
    if (!b->out) {
        b->status = STATUS_OUTPUT;
        return;
    }
    bool whole = run_bench(b, files, inputs) && b->row_count > 0;
    if (whole) {
        bench_end(&text, b->format, b->row, b->row_count);
        whole = write_report(b, &text);
    }
    if (!output_close(b->out, whole) || (whole && chart && !write_chart(b, chart)))
        b->status = STATUS_OUTPUT;
    buffer_free(&text);
}

static void bench_close(Bench *b)
{
    for (size_t i = 0; i < b->query_count; i++)
        free(b->query[i].file);
    for (size_t i = 0; i < b->row_count; i++)
        free((char *)b->row[i].problem);
    while (b->source_count > 0)
        drop_source(b);
    for (int i = 0; i < b->competitor_count; i++)
        competitor_close(&b->competitor[i]);
    for (int i = 0; i < b->engine_count; i++)
        free(b->engine[i]);
    free(b->query);
    free(b->source);
    free(b->competitor);
    free(b->row);
    free(b->empty);
    bench_folder_close(&b->folder);
}

static int bench_with(Bench *b, int files, const InputNames *inputs)
{
    const Arguments *a = b->arguments;
    if (!check_output(a->value[OPTION_OUTPUT], inputs) || !check_output(a->value[OPTION_SVG], inputs))
        return STATUS_QUERY;
    if (!bench_folder_open(&b->folder)) {
        complain(NULL, "cannot make a temporary folder: %s", strerror(errno));
        return STATUS_OUTPUT;
    }
    b->stop = signals_catch();
    run_report(b, files, inputs);
    return b->status;
}

int command_bench(int count, char **argument)
{
    Arguments a;
    InputNames inputs = {0};
    if (!read_arguments(&a, COMMAND_BENCH, NULL, NULL, count, argument))
        return STATUS_QUERY;
    Bench b = {.arguments = &a};
    int files = 0, status = STATUS_QUERY;
    while (files < a.word_count && is_query_name(a.words[files]))
        files++;
    if (files + a.expression_count == 0 || files == a.word_count)
        complain(NULL, "expected queries and games: `cqlgen bench QUERY.cql... GAMES...`");
    else if (!read_inputs(&inputs, &a, files))
        status = STATUS_INPUT;
    else if (read_engines(&b) && read_threads(&b) && read_seconds(&b) && read_format(&b) && read_rivals(&b))
        status = bench_with(&b, files, &inputs);
    bench_close(&b);
    inputs_free(&inputs);
    signals_end();
    return status;
}
