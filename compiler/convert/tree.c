// The typed tree as text of CQL 6.2.
#include "internal.h"

#include <stdio.h>
#include <string.h>

#include "runtime/chess/chess.h"
#include "runtime/game/view.h"
#include "compiler/front/cql6/parser.h"

// ---- variables and dictionaries ---------------------------------------------------------------------------

// The first mention declares the dictionary.
static const char *dictionary(Printer *p, const Variable *v)
{
    const bool declared = p->introduced[v->number];
    p->introduced[v->number] = true;
    if (declared)
        return print_name(p, v);
    return arena_printf(p->arena, "%sdictionary %s", v->local ? "local " : "", print_name(p, v));
}

static const char *key(Printer *p, const Ast *node)
{
    return arena_printf(p->arena, "[ %s ]", print_filter(p, node));
}

static const char *assignment(Printer *p, const Ast *node)
{
    const char *word = node->flags & AST_PERSISTENT ? "persistent "
                       : node->flags & AST_ATOMIC   ? "atomic "
                                                    : "";
    const char *quiet = node->flags & AST_QUIET ? "quiet " : "";
    return arena_printf(p->arena, "%s%s%s %s %s", word, quiet, print_name(p, node->variable),
                        punctuation_spelling[node->number], print_at_least(p, node->kid[0], LEVEL_SUM));
}

static const char *slice(Printer *p, const Ast *node)
{
    const char *low = node->kid_left != NULL ? print_at_least(p, node->kid_left, LEVEL_SUM) : "";
    const char *high = node->kid_right != NULL ? print_at_least(p, node->kid_right, LEVEL_SUM) : "";
    return arena_printf(p->arena, "[ %s : %s ]", low, high);
}

static const char *set_loop(Printer *p, const Ast *node)
{
    const char *set = print_at_least(p, node->kid[0], LEVEL_MOVE), *body = print_braced(p, node->kid[1]);
    return arena_printf(p->arena, "%s %s%s in %s %s", node->flags & AST_PIECES ? "piece" : "square",
                        node->flags & AST_ALL ? "all " : "", print_name(p, node->variable), set, body);
}

// ---- words ------------------------------------------------------------------------------------------------

// A number as a branch is no condition; a sum is. `else` ends an assignment as the next filter does.
static const char *branch(Printer *p, const Ast *node)
{
    if (node->op == OP_NUMBER && p->older)
        return arena_printf(p->arena, "{ %s + 0 }", print_number(p, node->number));
    return node->op == OP_ASSIGN ? print_filter(p, node) : print_braced(p, node);
}

static const char *choice(Printer *p, const Ast *node)
{
    const char *test = print_test(p, node->kid[0]), *then = branch(p, node->kid[1]);
    if (node->kid_count < 3)
        return arena_printf(p->arena, "if %s then %s", test, then);
    return arena_printf(p->arena, "if %s then %s else %s", test, then, branch(p, node->kid[2]));
}

static const char *consecutive_moves(Printer *p, const Ast *node)
{
    const char *quiet = node->flags & AST_QUIET ? " quiet" : "", *range = print_range(p, &node->range);
    if (node->kid_count == 0)
        return arena_printf(p->arena, "consecutivemoves%s%s (%s %s)", quiet, range,
                            print_name(p, node->variable), print_name(p, node->variable2));
    const char *first = print_fresh_name(p, "first"), *second = print_fresh_name(p, "second");
    return arena_printf(p->arena, "{%s = %s %s = %s consecutivemoves%s%s (%s %s)}", first,
                        print_at_least(p, node->kid[0], LEVEL_SUM), second,
                        print_at_least(p, node->kid[1], LEVEL_SUM), quiet, range, first, second);
}

// In CQL 6.2 only a named key has a direction.
static const char *sort(Printer *p, const Ast *node)
{
    const char *quiet = node->flags & AST_QUIET ? "quiet " : "";
    const char *direction = node->flags & AST_MIN ? "min " : node->flags & AST_MAX ? "max " : "";
    const char *name = node->text != NULL && node->text_length > 0
                           ? print_quoted(p, node, node->text, node->text_length)
                       : *direction ? "\"sort value\""
                                    : "";
    return arena_printf(p->arena, "sort %s%s%s %s", quiet, direction, name, print_braced(p, node->kid[0]));
}

static const char *echo(Printer *p, const Ast *node)
{
    return arena_printf(p->arena, "echo %s(%s %s) %s%s", node->flags & AST_QUIET ? "quiet " : "",
                        print_name(p, node->variable), print_name(p, node->variable2),
                        node->flags & AST_IN_ALL ? "in all " : "", print_braced(p, node->kid[0]));
}

static const char *find(Printer *p, const Ast *node)
{
    return arena_printf(p->arena, "find%s%s%s%s %s", node->flags & AST_QUIET ? " quiet" : "",
                        node->flags & AST_BACKWARD ? " <--" : "", node->flags & AST_ALL ? " all" : "",
                        print_range(p, &node->range), print_braced(p, node->kid[0]));
}

static const char *pin(Printer *p, const Ast *node)
{
    static const char *const words[] = {" through ", " from ", " to "};
    const Ast *const sets[] = {node->kid_extra, node->kid_left, node->kid_right};
    const char *text = "pin";
    for (int i = 0; i < 3; i++) {
        const int k = i == 0              ? node->number
                      : i <= node->number ? i - 1
                                          : i; // the first one decides the value
        if (sets[k] != NULL)
            text = arena_printf(p->arena, "%s%s%s", text, words[k], print_braced(p, sets[k]));
    }
    return text;
}

static const char *transform(Printer *p, const Ast *node)
{
    if (print_counts_equal_copies(node))
        return print_counted_transform(p, node, true);
    const Ast *operand = ast_unwrap(node->kid[0]);
    const int transforms = p->transforms;
    p->transforms = node->op == OP_NOTRANSFORM ? 0 : transforms + 1;
    const char *text =
        print_is_transform(node->kid[0]) ? print_filter(p, node->kid[0]) : print_braced(p, node->kid[0]);
    p->transforms = transforms;
    if (print_counts_equal_copies(operand)) // one transform would take its range from the other
        text = print_braces(p, arena_printf(p->arena, "true %s", text));
    return arena_printf(p->arena, "%s%s %s", op_info[node->op].name, print_range(p, &node->range), text);
}

static const char *original_comment(Printer *p, const Ast *node)
{
    if (node->number > 0)
        return arena_printf(p->arena, "originalcomment \"$%d\"", node->number);
    return node->text != NULL ? print_tag_search(p, node, "originalcomment") : "originalcomment";
}

static const char *coloured(Printer *p, const Ast *node)
{
    const char *colour = node->flags & AST_WHITE ? " white" : node->flags & AST_BLACK ? " black" : "";
    const char *source = arena_printf(p->arena, "%s%s", op_info[node->op].name, colour);
    return node->text != NULL ? print_tag_search(p, node, source) : source;
}

static const char *result(const Ast *node)
{
    return node->number == RESULT_WHITE   ? "result 1-0"
           : node->number == RESULT_BLACK ? "result 0-1"
                                          : "result 1/2-1/2";
}

// The words are those of the source, without the parentheses that may stand around them.
static const char *hhdb(Printer *p, const Ast *node)
{
    const char *text = p->query->source.text + node->span.start,
               *end = p->query->source.text + node->span.end;
    for (; text < end && (*text == '(' || *text == ' '); text++)
        if (*text == '(')
            while (end > text && *--end != ')')
                ;
    while (end > text && end[-1] == ' ')
        end--;
    return arena_printf(p->arena, "%.*s", (int)(end - text), text);
}

// Operands by the syntax of filters.def.
static const char *by_syntax(Printer *p, const Ast *node)
{
    const OpInfo *info = &op_info[node->op];
    if (info->syntax == NULL)
        return print_refuse(p, node->span, "`%s`", info->name);
    if (node->text != NULL)
        return print_tag_search(p, node, info->name);
    if (node->kid_count == 0)
        return info->name;
    if (info->syntax[0] == '(')
        return arena_printf(p->arena, "%s(%s)", info->name, print_list(p, node->kid, node->kid_count));
    // a piece variable in braces would be a set
    return arena_printf(p->arena, "%s %s", info->name, print_at_least(p, node->kid[0], LEVEL_PRIMARY));
}

// As it stands in the source.
static const char *source_text(Printer *p, const Ast *node)
{
    const char *text = p->query->source.text + node->span.start;
    return arena_copy(p->arena, text, node->span.end - node->span.start);
}

// ---- statements and functions -----------------------------------------------------------------------------

static const char *print_text(Printer *p, const Ast *node)
{
    Arena *a = p->arena;
    switch (node->op) {
    case OP_MAX:
    case OP_MIN:
        return arena_printf(a, "%s(%s)", op_info[node->op].name, print_list(p, node->kid, node->kid_count));
    case OP_ASCII:
    case OP_ASSERT:
        return arena_printf(a, "%s %s", op_info[node->op].name,
                            print_at_least(p, node->kid[0], LEVEL_PRIMARY));
    case OP_STR:
    case OP_COMMENT:
        return arena_printf(a, "%s%s", op_info[node->op].name, print_items(p, node->kid, node->kid_count));
    case OP_MESSAGE:
        return arena_printf(a, "message %s%s", node->flags & AST_QUIET ? "quiet " : "",
                            print_items(p, node->kid, node->kid_count));
    case OP_TAG:
    case OP_CQL_ASSERTVARIATIONS:
        return arena_printf(a, "%s %s", op_info[node->op].name,
                            print_quoted(p, node, node->text, node->text_length));
    case OP_SETTAG:
        return arena_printf(a, "settag(%s %s)", print_quoted(p, node, node->text, node->text_length),
                            print_braced(p, node->kid[0]));
    default:
        return by_syntax(p, node);
    }
}

static const char *print_dictionary(Printer *p, const Ast *node)
{
    Arena *a = p->arena;
    switch (node->op) {
    case OP_DICTIONARY:
        return dictionary(p, node->variable);
    case OP_COUNT_DICTIONARY:
        return arena_printf(a, "#%s", dictionary(p, node->variable));
    case OP_ENTRY: {
        const char *name = dictionary(p, node->variable);
        return arena_printf(a, "%s%s", name, key(p, node->kid[0]));
    }
    case OP_ENTRY_ASSIGN: {
        const char *name = dictionary(p, node->variable), *index = key(p, node->kid[0]);
        return arena_printf(a, "%s%s = %s", name, index, print_braced(p, node->kid[1]));
    }
    case OP_DICTIONARY_LOOP: {
        const char *name = dictionary(p, node->variable2);
        return arena_printf(a, "%s [element] %s %s", print_name(p, node->variable), name,
                            print_braced(p, node->kid[0]));
    }
    case OP_UNBIND:
        if (node->variable->kind != VARIABLE_DICTIONARY)
            return arena_printf(a, "unbind %s", print_name(p, node->variable));
        return node->kid_count == 0
                   ? arena_printf(a, "unbind %s", dictionary(p, node->variable))
                   : arena_printf(a, "unbind %s%s", dictionary(p, node->variable), key(p, node->kid[0]));
    default:
        return print_text(p, node);
    }
}

// A test that is a search alone would make a loop over its matches.
static const char *while_loop(Printer *p, const Ast *node)
{
    const Ast *test = node->kid[0];
    return arena_printf(p->arena, "while (%s) %s",
                        test->op == OP_REGEX ? print_braced(p, test) : print_filter(p, test),
                        print_braced(p, node->kid[1]));
}

static const char *print_programming(Printer *p, const Ast *node)
{
    Arena *a = p->arena;
    switch (node->op) {
    case OP_ASSIGN:
        return assignment(p, node);
    case OP_PIECE_ASSIGN:
        return arena_printf(a, "piece %s = %s", print_name(p, node->variable),
                            print_at_least(p, node->kid[0], LEVEL_MOVE));
    case OP_INDEX_ASSIGN:
        return arena_printf(a, "%s%s = %s", print_name(p, node->variable), key(p, node->kid[0]),
                            print_at_least(p, node->kid[1], LEVEL_SUM));
    case OP_SLICE_ASSIGN:
        return arena_printf(a, "%s%s = %s", print_name(p, node->variable), slice(p, node),
                            print_at_least(p, node->kid[0], LEVEL_SUM));
    case OP_SET_LOOP:
        return set_loop(p, node);
    case OP_IF:
        return choice(p, node);
    case OP_WHILE:
        return while_loop(p, node);
    case OP_REGEX_LOOP: {
        const char *test = print_regex(p, node);
        return arena_printf(a, "while (%s) %s", test, print_braced(p, node->kid[1]));
    }
    case OP_FUNCTION:
        return p->keeps_functions ? source_text(p, node) : "true";
    case OP_ISBOUND:
    case OP_ISUNBOUND:
        return arena_printf(a, "%s %s", op_info[node->op].name,
                            node->variable != NULL && node->variable->kind < VARIABLE_FUNCTION
                                ? print_name(p, node->variable)
                                : print_quoted(p, node, node->text, node->text_length));
    case OP_SORT:
        return sort(p, node);
    default:
        return print_dictionary(p, node);
    }
}

// ---- chess ------------------------------------------------------------------------------------------------

static const char *print_older(Printer *p, const Ast *node)
{
    switch (node->op) {
    case OP_ATTACK_PAIRS:
    case OP_RAY_PAIRS:
    case OP_RAY_ENDS:
        return print_pairs(p, node, NULL);
    case OP_RELATION:
        return print_relation(p, node);
    case OP_RELATION_LCA:
        return print_relation_number(p, node);
    case OP_VARIANTS:
        return print_variants(p, node);
    case OP_RESEMBLES:
        return print_resemblance(p, node);
    case OP_SPECULATIVE:
        return print_refuse(p, node->span, "a speculative move (it has no positions that were not played)");
    case OP_CURRENTMUTATION:
        return print_refuse(p, node->span, "`currentmutation` (it has no positions that were not played)");
    default:
        return print_programming(p, node);
    }
}

static const char *print_game(Printer *p, const Ast *node)
{
    Arena *a = p->arena;
    switch (node->op) {
    case OP_DASH:
        return print_dash(p, node);
    case OP_LEGAL:
        return print_legal(p, node);
    case OP_CURRENTMOVE:
    case OP_COUNTMOVES:
        return arena_printf(a, "%s %s", op_info[node->op].name, print_filter(p, node->kid[0]));
    case OP_MOVE:
        return print_move(p, node);
    case OP_PATH:
        return print_path(p, node);
    case OP_LINE:
        return print_line(p, node);
    case OP_CHILD:
        return node->kid_count == 0
                   ? "child"
                   : arena_printf(a, "child(%s)", print_at_least(p, node->kid[0], LEVEL_SUM));
    case OP_FIND:
        return find(p, node);
    case OP_ECHO:
        return echo(p, node);
    case OP_CONSECUTIVEMOVES:
        return consecutive_moves(p, node);
    case OP_ORIGINALCOMMENT:
        return original_comment(p, node);
    case OP_SIMILARPOSITION:
        return arena_printf(a, "similarposition %s%s%s", node->flags & AST_NOSORT ? "nosort " : "",
                            node->flags & AST_NOTRANSFORM ? "notransform " : "",
                            print_quoted(p, node, node->text, node->text_length));
    case OP_PLAYER:
    case OP_ELO:
        return coloured(p, node);
    case OP_RESULT:
        return result(node);
    case OP_HHDB:
        return hhdb(p, node);
    default:
        return print_older(p, node);
    }
}

static const char *print_sets(Printer *p, const Ast *node)
{
    Arena *a = p->arena;
    switch (node->op) {
    case OP_DESIGNATOR:
        return print_designator(p, node);
    case OP_COMPLEMENT:
        return arena_printf(a, "~%s", print_at_least(p, node->kid[0], LEVEL_AT));
    case OP_COUNT_SET:
        if (node->kid[0]->op == OP_COMPLEMENT)
            return arena_printf(a, "#%s", print_filter(p, node->kid[0]));
        return arena_printf(a, "#%s", print_at_least(p, node->kid[0], LEVEL_PRIMARY));
    case OP_COUNT_STRING:
        return arena_printf(a, "#%s", print_at_least(p, node->kid[0], LEVEL_PRIMARY));
    case OP_ARROW: {
        const char *text = print_at_least(p, node->kid[0], LEVEL_UNION);
        for (int i = 1; i < node->kid_count; i++)
            text = arena_printf(a, "%s %s %s", text, node->flags & AST_LEFT_CHAIN ? "<-" : "->",
                                print_at_least(p, node->kid[i], LEVEL_UNION));
        return text;
    }
    case OP_UP:
        return arena_printf(a, "%s%s %s", print_directions(p, node->number) + 1, print_range(p, &node->range),
                            print_braced(p, node->kid[0]));
    case OP_RAY:
        return arena_printf(a, "ray%s (%s)",
                            node->flags & AST_CAPTURE ? " attack" : print_directions(p, node->number),
                            print_list(p, node->kid, node->kid_count));
    case OP_PIN:
        return pin(p, node);
    case OP_MAKESQUARE:
        return arena_printf(a, "makesquare(%s)",
                            node->kid_count == 1 ? print_at_least(p, node->kid[0], LEVEL_SUM)
                                                 : print_list(p, node->kid, node->kid_count));
    case OP_FEN:
        return node->kid_count == 0 ? "fen" : print_fen_pattern(p, node);
    default:
        return print_game(p, node);
    }
}

// ---- the entry --------------------------------------------------------------------------------------------

// `(V >= low) <= high` or `V == number` of constants.
static bool read_limits(const Ast *node, const Ast **value, Range *range)
{
    const Ast *inner = node->kid[0];
    if (node->op != OP_EQ && (node->op != OP_LE || inner->op != OP_GE))
        return false;
    const Ast *low = node->op == OP_EQ ? node->kid[1] : inner->kid[1], *high = node->kid[1];
    *value = node->op == OP_EQ ? inner : inner->kid[0];
    *range = (Range){.present = true, .low = {.value = low->number}, .high = {.value = high->number}};
    return low->op == OP_NUMBER && high->op == OP_NUMBER;
}

static bool is_pairs(const Ast *node)
{
    return node->op == OP_ATTACK_PAIRS || node->op == OP_RAY_PAIRS || node->op == OP_RAY_ENDS;
}

// A filter of CQL 5 and CQL 3 of which only the success matters, where that makes a shorter text; NULL
// otherwise.
static const char *condition(Printer *p, const Ast *node)
{
    const Ast *value;
    Range range;
    if (print_counts_equal_copies(node))
        return print_counted_transform(p, node, false);
    if ((node->op != OP_EQ && node->op != OP_LE) || !read_limits(node, &value, &range))
        return NULL;
    if (is_pairs(value))
        return print_pairs(p, value, &range);
    return print_long_limits(p, print_at_least(p, value, LEVEL_SUM), range.low.value, range.high.value);
}

const char *print_node(Printer *p, const Ast *node, bool is_condition)
{
    Arena *a = p->arena;
    const char *shorter = is_condition && p->older ? condition(p, node) : NULL;
    if (shorter != NULL)
        return shorter;
    if (node->op == OP_NE && node->kid[0]->type == TYPE_POSITION) // holds too when one has no value
        return arena_printf(a, "{not %s == %s}", print_at_least(p, node->kid[0], LEVEL_SUM),
                            print_at_least(p, node->kid[1], LEVEL_SUM));
    const char *operation = print_operation(p, node);
    if (operation != NULL)
        return operation;
    if (print_is_transform(node))
        return transform(p, node);
    switch (node->op) {
    case OP_CALL:
        if (p->keeps_functions)
            return source_text(p, node);
        return print_braces(p, print_list(p, node->kid, node->kid_count));
    case OP_COMPOUND:
        return print_braces(p, print_list(p, node->kid, node->kid_count));
    case OP_ALL_SQUARES:
        return ".";
    case OP_NO_SQUARES:
        return "[]";
    case OP_NUMBER:
        return print_number(p, node->number);
    case OP_STRING:
        return print_string(p, node);
    case OP_GROUP:
        return print_group(p, node, "\\");
    case OP_GROUP_OFFSET:
        return print_group(p, node, "\\-");
    case OP_VARIABLE: // in parentheses `str`, `pieceid` and `assert` see its value only
        return node->flags & AST_PAREN ? arena_printf(a, "(%s)", print_name(p, node->variable))
                                       : print_name(p, node->variable);
    case OP_NEGATE:
        return arena_printf(a, "-%s", print_at_least(p, node->kid[0], LEVEL_PRIMARY));
    case OP_NOT:
        return arena_printf(a, "not %s", print_at_least(p, node->kid[0], LEVEL_IN));
    case OP_SUBSCRIPT:
        return arena_printf(a, "%s%s", print_at_least(p, node->kid[0], LEVEL_POSTFIX), key(p, node->kid[1]));
    case OP_SLICE:
        return arena_printf(a, "%s%s", print_at_least(p, node->kid[0], LEVEL_POSTFIX), slice(p, node));
    case OP_REGEX:
        return print_regex(p, node);
    default:
        return print_sets(p, node);
    }
}
