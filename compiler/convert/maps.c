// Symmetries and shifts of sets of squares in the text of a printed query.
#include "maps.h"

#include <limits.h>

// ---- lines ------------------------------------------------------------------------------------------------

void lines_add(Lines *l, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    const char *text = arena_vprintf(l->arena, format, arguments);
    va_end(arguments);
    if (*text != '\0')
        ARENA_PUSH(l->arena, l->line, l->count, text);
}

const char *lines_text(Printer *p, const Lines *l)
{
    return print_joined(p, l->line, l->count, "\n");
}

const char *lines_block(Printer *p, const Lines *l)
{
    return arena_printf(p->arena, "{\n%s\n}", print_indented(p, lines_text(p, l)));
}

// ---- counts -----------------------------------------------------------------------------------------------

bool limits_allow_all(Limits limits)
{
    return limits.low <= 0 && limits.high >= MOST_SQUARES;
}

bool limits_allow_none(Limits limits)
{
    return limits.low <= 0 && limits.high == 0;
}

const char *print_count_test(Printer *p, const char *number, Limits limits)
{
    if (limits.low > MOST_SQUARES || limits.high < 0)
        return "false";
    if (limits_allow_all(limits))
        return "";
    const int64_t low = limits.low <= 0 && limits.high != 0 ? INT32_MIN : limits.low;
    return print_long_limits(p, number, low <= 0 && limits.high == 0 ? 0 : low,
                             limits.high >= MOST_SQUARES ? INT32_MAX : limits.high);
}

// ---- functions --------------------------------------------------------------------------------------------

const char *print_image_function(Printer *p)
{
    const char *image = print_word(p, "moved"), *square = print_word(p, "place");
    const char *right = print_word(p, "files_away"), *up = print_word(p, "ranks_away");
    Lines l = {.arena = p->arena}, loop = {.arena = p->arena};
    lines_add(&loop, "%s = file %s - 1", right, square);
    lines_add(&loop, "%s = rank %s - 1", up, square);
    lines_add(&loop, "%s |= right %s {up %s a1}", image, right, up);
    lines_add(&l, "%s = []", image);
    lines_add(&l, "square all %s in set %s", square, lines_block(p, &loop));
    lines_add(&l, "%s", image);
    return print_function(p, "image", "set",
                          "The squares of a set where the transform around, `flip` for one, puts them.",
                          lines_text(p, &l));
}

const char *print_shift_function(Printer *p)
{
    const char *body =
        arena_printf(p->arena, "right %s {up %s set}", print_word(p, "files"), print_word(p, "ranks"));
    return print_function(p, "shifted", "set", "The squares of a set, shifted by `files` and `ranks`.", body);
}

const char *print_moved_function(Printer *p)
{
    return print_function(p, "is_moved", "", "Every transform begins with a copy that leaves all in place.",
                          "not a1 & notransform a1");
}

// ---- loops over shifts ------------------------------------------------------------------------------------

static const char *loop_over(Printer *p, const char *steps, const char *found, Lines *body)
{
    Lines l = {.arena = p->arena};
    lines_add(body, "%s += 1", steps);
    lines_add(&l, "%s = -7", steps);
    lines_add(&l, "while (%s <= 7 and %s == 0) %s", steps, found, lines_block(p, body));
    return lines_text(p, &l);
}

const char *print_some_shift(Printer *p, bool along_files, bool along_ranks, const char *prepared,
                             const Lines *conditions)
{
    const char *files = print_word(p, "files"), *ranks = print_word(p, "ranks");
    const char *found = print_word(p, "found");
    Lines l = {.arena = p->arena}, inner = {.arena = p->arena}, outer = {.arena = p->arena};
    lines_add(&inner, "%s", prepared);
    lines_add(&inner, "if %s then %s = 1", lines_block(p, conditions), found);
    lines_add(&l, "%s = 0", found);
    if (!along_files || !along_ranks) {
        lines_add(&l, "%s = 0", along_files ? ranks : files);
        lines_add(&l, "%s", loop_over(p, along_files ? files : ranks, found, &inner));
    } else {
        lines_add(&outer, "%s", loop_over(p, ranks, found, &inner));
        lines_add(&l, "%s", loop_over(p, files, found, &outer));
    }
    lines_add(&l, "%s == 1", found);
    return lines_text(p, &l);
}
