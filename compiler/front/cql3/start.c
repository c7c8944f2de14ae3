// Numbers of start positions (language reference 12b.6.7).
#include "internal.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum { START_NUMBERS = 3840 };

// Names that a chess server gives to positions. The manual lists them without the positions.
static const char servers_names[] = " misc/bishops-only misc/knights-only misc/little-game misc/no-queens "
                                    "misc/pawns-only misc/pyramid misc/queen-rooks"
                                    " misc/queens-only misc/rooks-only misc/runaway endings/kbbk "
                                    "endings/kbnk pawns/pawns-only pawns/wild-five wild/5"
                                    " wild/7 wild/8 wild/19 ";

// n | n "-" m | "*"
static bool read_numbers(const char *text, Range *range)
{
    char *end;
    if (strcmp(text, "*") == 0) {
        *range = build_range(1, START_NUMBERS);
        return true;
    }
    if (*text < '0' || *text > '9' || strlen(text) > 9)
        return false;
    const long low = strtol(text, &end, 10);
    const char *second = *end == '-' ? end + 1 : text;
    if (*second < '0' || *second > '9')
        return false;
    const long high = strtol(second, &end, 10);
    *range = build_range((int32_t)low, (int32_t)high);
    return *end == '\0' && low <= high && high <= START_NUMBERS;
}

bool cql3_start_numbers(Cql3 *c, const Item *list, int *i, Test *test)
{
    int count;
    const char **word = cql3_words_at(c, list, *i, &count);
    for (int k = 0; k < count; k++) {
        Range range;
        if (strstr(servers_names, arena_printf(c->arena, " %s ", word[k])) != NULL)
            return cql3_error(c, cql3_span_at(list, *i),
                              "the CQL-S manual does not say which position `%s` is; write a number",
                              word[k]);
        if (!read_numbers(word[k], &range))
            break;
        ARENA_PUSH(c->arena, test->numbers, test->number_count, range);
    }
    if (count == 0 || test->number_count < count)
        return cql3_error(c, cql3_span_at(list, *i),
                          "expected numbers of start positions from 0 to 3840, or ranges such as `1-960`, "
                          "separated by commas, found %s",
                          cql3_item_text(c, cql3_item_at(list, *i)));
    ++*i;
    return true;
}

// The pawns are at home, and both first ranks have the same pieces in some order, bishops on both colours.
static const char has_number[] =
    "wtm #P==8 #Pa-h2==8 #p==8 #pa-h7==8 #A==16 #a==16 #Ra-h1==2 #Na-h1==2 #Ba-h1==2 #Qa-h1==1 #Ka-h1==1"
    " B[b1,d1,f1,h1] B[a1,c1,e1,g1]"
    " {up 7 Ra-h1}==ra-h8 {up 7 Na-h1}==na-h8 {up 7 Ba-h1}==ba-h8 {up 7 Qa-h1}==qa-h8 {up 7 Ka-h1}==ka-h8";

// The number by the usual scheme: bishops, queen among the squares that they leave, then the pair of knights (`$2` is the number of
// free squares left of the first one).
static const char by_scheme[] =
    "$2 = 4 - #{right 1 7 N & ~B & ~Q & a-h1}"
    " $1 = #{left 1 7 B[b1,d1,f1,h1] & [b1,d1,f1,h1]} + 4 * #{left 1 7 B[a1,c1,e1,g1] & [a1,c1,e1,g1]}"
    " + 16 * #{left 1 7 Q & ~B & a-h1} + 96 * ($2 * (9 - $2) / 2 + #{left 1 7 N & ~B & ~Q & a-h1} - $2 - 1)"
    " if $1 == 0 $1 = 960";

// By the place of the king; between the rooks, by the castling rights, of which the standard position without a FEN has all.
static const char by_king[] =
    "$2 = #{left 1 7 K & R} $1 = if $2 == 2 then $1 + 960 else if $2 == 0 then $1 + 1920"
    " else if {not tag \"FEN\"} or tag \"FEN\" ~~ \"^[^ ]* w [A-Za-z]{4} \" then $1"
    " else if tag \"FEN\" ~~ \"^[^ ]* w - \" then $1 + 2880 else 0";

Ast *cql3_start_position(Cql3 *c, const Test *test)
{
    Ast *number = cql3_variable(c, "start_number", VARIABLE_INT),
        *part = cql3_variable(c, "part", VARIABLE_INT);
    Ast *has = cql3_tree(c, has_number), *compute = cql3_tree(c, by_scheme, number, part),
        *place = cql3_tree(c, by_king, number, part);
    Ast **any = arena_alloc(c->arena, sizeof *any * (size_t)(test->number_count + 1));
    for (int i = 0; i < test->number_count; i++)
        any[i] = build_in_range(c->arena, ast_copy(c->arena, number), test->numbers[i]);
    int count = test->number_count;
    if (count == 0)
        any[count++] = build_in_range(
            c->arena, ast_copy(c->arena, number),
            build_range(1, test->keyword == OP_CQL3_ISCHESS960 || test->keyword == OP_CQL3_GAME_ISCHESS960
                               ? 960
                               : START_NUMBERS));
    return cql3_tree(c, "initialposition:{$1 = 0 if {$2} {$3 $4} $5}", number, has, compute, place,
                     cql3_any(c, any, count));
}
