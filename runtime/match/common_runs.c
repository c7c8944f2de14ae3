// Runs of moves that two lines have in common (language reference 6.10).
#include <stdio.h>

#include "imaginary.h"

// The last positions of the longest common run on both lines; of equal ones that which ends first on the
// first line, then first on the second.
typedef struct CommonRun {
    int32_t length, x_end, y_end;
} CommonRun;

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
    struct RunState *run = c->run;
    CommonRun best = {0, x, y};
    if (is_imaginary(c, x) || is_imaginary(c, y))
        return best;
    const int32_t ancestor = rt_lca(c, x, y);
    if (ancestor == x || ancestor == y)
        return best;
    const int32_t rows = plies_below(c, ancestor, x), columns = plies_below(c, ancestor, y);
    run->line = run_grow(run->line, &run->line_capacity, rows + 2 * columns, sizeof *run->line);
    int32_t *const x_line = run->line, *const y_line = x_line + rows, *const length = y_line + columns;
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
    struct RunState *run = c->run;
    if (!run->logging)
        return;
    if (filter >= run->kept_run_count) {
        const int32_t old = run->kept_run_count;
        run->kept_run = run_grow(run->kept_run, &run->kept_run_capacity, filter + 1, sizeof *run->kept_run);
        memset(run->kept_run + old, 0, (size_t)(filter + 1 - old) * sizeof *run->kept_run);
        run->kept_run_count = filter + 1;
    }
    KeptRun *kept = &run->kept_run[filter];
    const CommonRun found = common_run(c, x, y);
    if (found.length > kept->length)
        *kept = (KeptRun){found.length, found.x_end, found.y_end, run_text(x_name), run_text(y_name)};
}

static void log_run(Context *c, int32_t end, int32_t length, String name)
{
    for (int32_t i = length; i > 0; i--, end = c->node[end].parent) {
        char number[24];
        const bool cql5 = c->query->flags & QUERY_CQL5; // SOURCEPATH and TARGETPATH (11.7)
        const int n = snprintf(number, sizeof number, cql5 ? ": %d" : "-move[%d]", (int)i);
        log_append(c, end, rt_concat(c, name, run_string(c, number, (size_t)n)));
    }
}

void log_kept_runs(Context *c)
{
    for (int32_t i = 0; i < c->run->kept_run_count; i++) {
        const KeptRun *kept = &c->run->kept_run[i];
        if (kept->length > 0) {
            log_run(c, kept->x_end, kept->length, kept->x_name);
            log_run(c, kept->y_end, kept->length, kept->y_name);
        }
    }
}
