// Symmetries and shifts of sets of squares in the text of a printed query.
#include "internal.h"

#include <limits.h>

// ---- counts -----------------------------------------------------------------------------------------------

bool print_limits_allow_all(Limits limits)
{
    return limits.low <= 0 && limits.high >= MOST_SQUARES;
}

bool print_limits_allow_none(Limits limits)
{
    return limits.low <= 0 && limits.high == 0;
}

const char *print_count_test(Printer *p, const char *number, Limits limits)
{
    if (limits.low > MOST_SQUARES || limits.high < 0)
        return "false";
    if (print_limits_allow_all(limits))
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
    Lines l = {0}, loop = {0};
    print_add(p, &loop, "%s = file %s - 1", right, square);
    print_add(p, &loop, "%s = rank %s - 1", up, square);
    print_add(p, &loop, "%s |= right %s {up %s a1}", image, right, up);
    print_add(p, &l, "%s = []", image);
    print_add(p, &l, "square all %s in set %s", square, print_block(p, &loop));
    print_add(p, &l, "%s", image);
    return print_function(p, "image", "set",
                          "The squares of a set where the transform around, `flip` for one, puts them.",
                          print_added(p, &l));
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
    Lines l = {0};
    print_add(p, body, "%s += 1", steps);
    print_add(p, &l, "%s = -7", steps);
    print_add(p, &l, "while (%s <= 7 and %s == 0) %s", steps, found, print_block(p, body));
    return print_added(p, &l);
}

const char *print_some_shift(Printer *p, bool along_files, bool along_ranks, const char *prepared,
                             const Lines *conditions)
{
    const char *files = print_word(p, "files"), *ranks = print_word(p, "ranks");
    const char *found = print_word(p, "found");
    Lines l = {0}, inner = {0}, outer = {0};
    print_add(p, &inner, "%s", prepared);
    print_add(p, &inner, "if %s then %s = 1", print_block(p, conditions), found);
    print_add(p, &l, "%s = 0", found);
    if (!along_files || !along_ranks) {
        print_add(p, &l, "%s = 0", along_files ? ranks : files);
        print_add(p, &l, "%s", loop_over(p, along_files ? files : ranks, found, &inner));
    } else {
        print_add(p, &outer, "%s", loop_over(p, ranks, found, &inner));
        print_add(p, &l, "%s", loop_over(p, files, found, &outer));
    }
    print_add(p, &l, "%s == 1", found);
    return print_added(p, &l);
}
