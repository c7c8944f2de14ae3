// Compares boards under symmetries and shifts in the text of a printed query.
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
    if (print_limits_allow_none(limits))
        return print_limits(p, number, 0, 0);
    return print_long_limits(p, number, limits.low <= 0 ? INT32_MIN : limits.low,
                             limits.high >= MOST_SQUARES ? INT32_MAX : limits.high);
}

// ---- functions --------------------------------------------------------------------------------------------

const char *print_image_function(Printer *p)
{
    return print_function(p, "image", "set",
                          "The image of a set under the surrounding transform, such as `flip`.",
                          print_code(p, "$moved = []\n"
                                        "square all $place in set {\n"
                                        "    $files_away = file $place - 1\n"
                                        "    $ranks_away = rank $place - 1\n"
                                        "    $moved |= right $files_away {up $ranks_away a1}\n"
                                        "}\n"
                                        "$moved"));
}

const char *print_first_square_function(Printer *p)
{
    return print_function(p, "first_square", "set", "The first square of a set.",
                          print_code(p, "$found = []\n"
                                        "square $place in set { if #$found == 0 then $found = $place }\n"
                                        "$found"));
}

const char *print_shift_function(Printer *p)
{
    return print_function(p, "shifted", "set", "A set shifted by `files` and `ranks`.",
                          print_code(p, "right $files {up $ranks set}"));
}

const char *print_moved_function(Printer *p)
{
    return print_function(p, "is_moved", "",
                          "False in the first variant of a transform, which moves nothing.",
                          "not a1 & notransform a1");
}

// ---- loops over shifts ------------------------------------------------------------------------------------

static const char *loop_over(Printer *p, const char *steps, const char *body)
{
    return print_code(p,
                      "%s = -7\n"
                      "while (%s <= 7 and $found == 0) {\n"
                      "%s\n"
                      "    %s += 1\n"
                      "}",
                      steps, steps, print_indented(p, body), steps);
}

const char *print_some_shift(Printer *p, bool along_files, bool along_ranks, const char *prepared,
                             const Lines *conditions)
{
    Lines all = {0}, one = {0};
    print_add(p, &one, "%s", prepared);
    print_add(p, &one, "if %s then $found = 1", print_block(p, conditions));
    const char *loop = print_added(p, &one);
    print_add(p, &all, "$found = 0");
    if (along_ranks)
        loop = loop_over(p, print_word(p, "ranks"), loop);
    else
        print_add(p, &all, "$ranks = 0");
    if (along_files)
        loop = loop_over(p, print_word(p, "files"), loop);
    else
        print_add(p, &all, "$files = 0");
    print_add(p, &all, "%s", loop);
    print_add(p, &all, "$found == 1");
    return print_added(p, &all);
}
