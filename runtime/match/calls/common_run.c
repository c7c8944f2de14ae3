// Runs of moves that two lines have in common (language reference 6.10).
#include "comments.h"
#include "runtime/match/imaginary.h"

// The longest common run and its last positions on both lines. Of equally long ones, the one that ends first on
// the first line, then first on the second.
typedef struct CommonRun {
    int32_t length, x_end, y_end;
} CommonRun;

// The longest common run of one `consecutivemoves` filter in this game.
typedef struct KeptRun {
    CommonRun run;
    String x_name, y_name;
} KeptRun;

typedef struct CommonRunState {
    KeptRun *kept; // by filter number
    size_t capacity;
    int32_t *line; // scratch: positions of two lines, lengths of runs
    size_t line_capacity;
} CommonRunState;

static void common_run_begin_game(Context *c)
{
    CommonRunState *s = c->run->common_run;
    for (size_t i = 0; i < s->capacity; i++)
        s->kept[i].run.length = 0;
}

const Subject common_run_subject = {.size = sizeof(CommonRunState), .begin_game = common_run_begin_game};

static int32_t plies_below(const Context *c, int32_t ancestor, int32_t n)
{
    return c->node[n].ply - c->node[ancestor].ply;
}

// Writes the positions after `ancestor` down to `n`.
static void write_line(const Context *c, int32_t *line, int32_t ancestor, int32_t n)
{
    for (int32_t i = plies_below(c, ancestor, n) - 1; i >= 0; i--, n = c->node[n].parent)
        line[i] = n;
}

// The piece, its origin and its destination decide; promotion, captures and the like do not.
static bool same_move(const Context *c, int32_t a, int32_t b)
{
    const Move x = c->node[a].move, y = c->node[b].move;
    return x.from == y.from && x.to == y.to && x.piece == y.piece;
}

static CommonRun common_run(Context *c, int32_t x, int32_t y)
{
    CommonRunState *s = c->run->common_run;
    CommonRun best = {0, x, y};
    if (is_imaginary(c, x) || is_imaginary(c, y))
        return best;
    const int32_t ancestor = rt_lca(c, x, y);
    if (ancestor == x || ancestor == y)
        return best;
    const int32_t rows = plies_below(c, ancestor, x), columns = plies_below(c, ancestor, y);
    s->line = run_grow(c, s->line, &s->line_capacity, (size_t)(rows + 2 * columns), sizeof *s->line);
    int32_t *const x_line = s->line, *const y_line = x_line + rows, *const length = y_line + columns;
    write_line(c, x_line, ancestor, x);
    write_line(c, y_line, ancestor, y);
    memset(length, 0, (size_t)columns * sizeof *length);
    for (int32_t i = 0; i < rows; i++) {
        int32_t diagonal = 0; // length of the common run that ends at (i - 1, j - 1)
        for (int32_t j = 0; j < columns; j++) {
            const int32_t above = length[j];
            length[j] = same_move(c, x_line[i], y_line[j]) ? diagonal + 1 : 0;
            if (length[j] > best.length)
                best = (CommonRun){length[j], x_line[i], y_line[j]};
            diagonal = above;
        }
    }
    return best;
}

int32_t rt_common_run(Context *c, int32_t x, int32_t y)
{
    return common_run(c, x, y).length;
}

void rt_common_run_keep(Context *c, int32_t filter, int32_t x, int32_t y, String x_name, String y_name)
{
    CommonRunState *s = c->run->common_run;
    if (!c->run->log.wanted)
        return;
    s->kept = run_grow(c, s->kept, &s->capacity, (size_t)filter + 1, sizeof *s->kept);
    const CommonRun found = common_run(c, x, y);
    if (found.length > s->kept[filter].run.length)
        s->kept[filter] = (KeptRun){found, string_or_empty(x_name), string_or_empty(y_name)};
}

static void log_run(Context *c, int32_t end, int32_t length, String name)
{
    // SOURCEPATH and TARGETPATH of CQL 5 (11.7)
    const char *format = c->query->flags & QUERY_CQL5 ? "%s: %d" : "%s-move[%d]";
    for (int32_t i = length; i > 0; i--, end = c->node[end].parent)
        log_append(c, end, run_format(c, format, name->bytes, (int)i));
}

void common_run_comments(Context *c)
{
    const CommonRunState *s = c->run->common_run;
    if (!log_level_is(c, QUERY_SILENT | QUERY_QUIET))
        return;
    for (size_t i = 0; i < s->capacity; i++) {
        const KeptRun *kept = &s->kept[i];
        log_run(c, kept->run.x_end, kept->run.length, kept->x_name);
        log_run(c, kept->run.y_end, kept->run.length, kept->y_name);
    }
}
