// Ranges of dates in the match list of CQL-S (language reference 12b.6.4).
#include "internal.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

// ---- days -------------------------------------------------------------------------------------------------

typedef Cql3Day Day;

static int days_of_month(int year, int month)
{
    static const int days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    const bool leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
    return days[month - 1] + (month == 2 && leap);
}

static int compare_days(Day a, Day b)
{
    return a.year != b.year ? a.year - b.year : a.month != b.month ? a.month - b.month : a.day - b.day;
}

static Day next_day(Day d)
{
    if (++d.day > days_of_month(d.year, d.month)) {
        d.day = 1;
        d.year += d.month == 12;
        d.month = d.month % 12 + 1;
    }
    return d;
}

static Day previous_day(Day d)
{
    if (--d.day == 0) {
        d.month = d.month == 1 ? 12 : d.month - 1;
        d.year -= d.month == 12;
        d.day = days_of_month(d.year, d.month);
    }
    return d;
}

// Keeps the day, or takes the last one of a shorter month.
static Day add_months(Day d, int months)
{
    const int sum = 12 * d.year + d.month - 1 + months;
    d.year = sum / 12;
    d.month = sum % 12 + 1;
    const int days = days_of_month(d.year, d.month);
    d.day = d.day < days ? d.day : days;
    return d;
}

// ---- reading ----------------------------------------------------------------------------------------------

static bool read_digits(const char **text, int from, int to, int *value)
{
    const size_t length = strspn(*text, "0123456789");
    if ((int)length < from || (int)length > to)
        return false;
    *value = atoi(*text);
    *text += length;
    return true;
}

// ("+"|"-") digits ("y"|"m"|"d")
static bool read_offset(const char **text, Day *day)
{
    const int sign = **text == '-' ? -1 : 1;
    int number;
    ++*text;
    if (!read_digits(text, 1, 5, &number) || strchr("ymd", **text) == NULL || **text == '\0')
        return false;
    const char unit = *(*text)++;
    if (unit != 'd') {
        const int months = sign * number * (unit == 'y' ? 12 : 1),
                  sum = 12 * day->year + day->month - 1 + months;
        if (sum < 12 || sum >= 12 * 10000)
            return false;
        *day = add_months(*day, months);
    }
    for (int i = unit == 'd' ? number : 0; i > 0 && day->year >= 1 && day->year <= 9999; i--)
        *day = sign < 0 ? previous_day(*day) : next_day(*day);
    return day->year >= 1 && day->year <= 9999;
}

// date = yyyy [ "-" mm [ "-" dd { offset } ] ]
static bool parse_date(const char *text, Cql3Dates *date)
{
    Day d = {0, 0, 0};
    if (!read_digits(&text, 4, 4, &d.year) || d.year == 0)
        return false;
    if (*text == '-' && (text++, !read_digits(&text, 2, 2, &d.month) || d.month < 1 || d.month > 12))
        return false;
    if (d.month > 0 && *text == '-' &&
        (text++, !read_digits(&text, 2, 2, &d.day) || d.day < 1 || d.day > days_of_month(d.year, d.month)))
        return false;
    while (d.day > 0 && (*text == '+' || *text == '-'))
        if (!read_offset(&text, &d))
            return false;
    date->first = (Day){d.year, d.month > 0 ? d.month : 1, d.day > 0 ? d.day : 1};
    date->last = d.day > 0     ? d
                 : d.month > 0 ? (Day){d.year, d.month, days_of_month(d.year, d.month)}
                               : (Day){d.year, 12, 31};
    return *text == '\0';
}

static bool is_date(const char *text)
{
    return strspn(text, "0123456789") == 4 && (text[4] == '\0' || text[4] == '-');
}

static bool read_date(Cql3 *c, const Item *list, int i, const char *text, Cql3Dates *date)
{
    if (parse_date(text, date))
        return true;
    if (is_date(text))
        return cql3_error(c, cql3_span_at(list, i),
                          "`%s` is not a valid date; expected one such as `1998-05-20` or `1998-05-20+3m`",
                          text);
    return cql3_error(c, cql3_span_at(list, i),
                      "expected a date such as `1998`, `1998-05` or `1998-05-20`, found %s",
                      cql3_item_text(c, cql3_item_at(list, i)));
}

static const Day beginning = {0, 1, 1}, end_of_time = {9999, 12, 31};

// ( ">" | ">=" | "<" | "<=" ) date
static bool read_comparison(Cql3 *c, const Item *list, int *i, const char *text, Cql3Dates *dates)
{
    const bool equal = text[1] == '=';
    Cql3Dates date;
    if (!read_date(c, list, *i, text + 1 + equal, &date))
        return false;
    ++*i;
    dates->first = *text == '<' ? beginning : equal ? date.first : next_day(date.last);
    dates->last = *text == '>' ? end_of_time : equal ? date.last : previous_day(date.first);
    return true;
}

// dates = "*" | "-" | ( ">" | ">=" | "<" | "<=" ) date | date | date date | date ".." date
bool cql3_dates(Cql3 *c, const Item *list, int *i, Cql3Dates *dates)
{
    const int start = *i;
    const char *text = cql3_word_at(c, list, start);
    Cql3Dates second;
    *dates = (Cql3Dates){0};
    if (strcmp(text, "*") == 0 || strcmp(text, "-") == 0) {
        dates->special = *text;
        ++*i;
        return true;
    }
    if (*text == '<' || *text == '>')
        return read_comparison(c, list, i, text, dates);
    if (!read_date(c, list, start, text, dates))
        return false;
    text = cql3_word_at(c, list, ++*i);
    const bool half_open = strcmp(text, "..") == 0;
    if (!half_open && !is_date(text))
        return true;
    *i += half_open;
    if (!read_date(c, list, *i, cql3_word_at(c, list, *i), &second))
        return false;
    const Span span = {list->item[start]->span.start, list->item[*i]->span.end};
    ++*i;
    const bool reversed = compare_days(second.first, dates->first) < 0;
    if (reversed && !half_open)
        return cql3_error(c, span, "these dates are reversed; write the earlier one first");
    if (reversed)
        dates->first = next_day(second.last);
    else
        dates->last = half_open ? previous_day(second.first) : second.last;
    return compare_days(dates->first, dates->last) <= 0 ||
           cql3_error(c, span, "this range of dates is empty, since `..` leaves out the second date");
}

// ---- trees ------------------------------------------------------------------------------------------------

// Days that their month does not have, February 29 of other than leap years among them.
static const char impossible[] =
    "^\\d{4}\\.(?:02\\.3|0[469]\\.31|11\\.31)"
    "|^(?!(?:\\d\\d(?:0[48]|[2468][048]|[13579][26])|(?:[02468][048]|[13579][26])00)\\.)\\d{4}\\.02\\.29";

static const char *day_text(Cql3 *c, Day day)
{
    return arena_printf(c->arena, "%04d.%02d.%02d", day.year, day.month, day.day);
}

// The greatest date, as text, whose days are all up to this one. `?` is greater than every digit.
static const char *upper_bound(Cql3 *c, Day day)
{
    if (day.month == 12 && day.day == 31)
        return arena_printf(c->arena, "%04d.\?\?.\?\?", day.year);
    if (day.day == days_of_month(day.year, day.month))
        return arena_printf(c->arena, "%04d.%02d.\?\?", day.year, day.month);
    return day_text(c, day);
}

// A pattern of the dates that begin before this day although their text is greater. NULL: there are none.
static const char *too_early(Cql3 *c, Day day)
{
    if (day.month == 1 && day.day == 1)
        return NULL;
    if (day.day == 1)
        return arena_printf(c->arena, "^%04d\\.\\?", day.year);
    return arena_printf(c->arena, "^%04d\\.(?:\\?|%02d\\.\\?)", day.year, day.month);
}

// A date without day or month is in the range if all the days that it can be are.
Ast *cql3_date_in(Cql3 *c, Ast *date, const Cql3Dates *dates)
{
    Ast *all[4];
    int count = 0;
    Ast *known = cql3_tree(c, "$1 not $2", cql3_regex(c, date, "^\\d"),
                           cql3_regex(c, ast_copy(c->arena, date), impossible));
    if (dates->special != 0)
        return dates->special == '*' ? known : cql3_tree(c, "not {$1}", known);
    if (dates->first.year > 9999)
        return cql3_node(c, OP_FALSE, TYPE_BOOL);
    const char *early = too_early(c, dates->first);
    if (dates->first.year > 0)
        all[count++] =
            cql3_tree(c, "$1 >= $2", ast_copy(c->arena, date), cql3_string(c, day_text(c, dates->first)));
    if (dates->last.year < 9999)
        all[count++] =
            cql3_tree(c, "$1 <= $2", ast_copy(c->arena, date), cql3_string(c, upper_bound(c, dates->last)));
    if (early != NULL)
        all[count++] = cql3_tree(c, "not $1", cql3_regex(c, ast_copy(c->arena, date), early));
    all[count++] = known;
    return cql3_all(c, all, count);
}
