// The typed tree as text of CQL 6.2.
#include "internal.h"

#include <string.h>

#include "runtime/game/game.h"
#include "compiler/language/hhdb.h"
#include "compiler/language/signs.h"

// ---- variables and dictionaries ---------------------------------------------------------------------------

// The first mention of a dictionary declares it.
static const char *variable(Printer *p, const Variable *v)
{
    if (v->kind != VARIABLE_DICTIONARY || p->introduced[v->number])
        return print_name(p, v);
    p->introduced[v->number] = true;
    return arena_printf(p->arena, "%sdictionary %s", v->local ? "local " : "", print_name(p, v));
}

static const char *slice(Printer *p, const Ast *node)
{
    const char *low = node->kid_left != NULL ? print_at_least(p, node->kid_left, LEVEL_SUM) : "";
    const char *high = node->kid_right != NULL ? print_at_least(p, node->kid_right, LEVEL_SUM) : "";
    return arena_printf(p->arena, "[ %s : %s ]", low, high);
}

// ---- forms ------------------------------------------------------------------------------------------------

static const char *operand(Printer *p, const Ast *node, char how)
{
    switch (how) {
    case 'b':
        return print_braced(p, node);
    case 'f':
        return print_filter(p, node);
    default:
        return print_at_least(p, node,
                              how == 'p'   ? LEVEL_PRIMARY
                              : how == 'a' ? LEVEL_AT
                              : how == 't' ? LEVEL_POSTFIX
                              : how == 'm' ? LEVEL_MOVE
                              : how == 's' ? LEVEL_SUM
                                           : LEVEL_IN);
    }
}

// The replacement of `@` and the sign; `how`: the character after it.
static const char *fill_in(Printer *p, const Ast *node, char sign, char how)
{
    switch (sign) {
    case 'l':
        return print_list(p, node->kid, node->kid_count);
    case 'v':
        return variable(p, node->variable);
    case 'w':
        return variable(p, node->variable2);
    case 'q':
        return print_quoted(p, node, node->text, node->text_length);
    case 's':
        return slice(p, node);
    case 'r':
        return print_range(p, &node->range);
    case 'x':
        return print_flags(p, node->flags);
    default:
        return operand(p, node->kid[sign - '0'], how);
    }
}

static const char *by_form(Printer *p, const Ast *node, const char *form)
{
    const char *text = "", *sign;
    for (; (sign = strpbrk(form, "@?")) != NULL; form = sign) {
        text = arena_printf(p->arena, "%s%.*s", text, (int)(sign - form), form);
        if (*sign++ == '?') {
            if (node->kid_count == 0)
                return text;
            continue;
        }
        text = arena_printf(p->arena, "%s%s", text, fill_in(p, node, *sign, sign[1]));
        sign += *sign == '0' || *sign == '1' ? 2 : 1;
    }
    return arena_printf(p->arena, "%s%s", text, form);
}

// CQL 6.2 has no counterpart of what only CQLi has.
static const char *refuse_cqli(Printer *p, const Ast *node, const char *what)
{
    return print_refuse(p, node->span, "`%s`%s, which only CQLi has", op_info[node->op].name, what);
}

// One part of the syntax, empty when the node has nothing for it; `before`: the text before it.
static const char *by_part(Printer *p, const Ast *node, SyntaxPart part, const char *before)
{
    switch (part.kind) {
    case SYNTAX_FLAGS:
        return print_flags(p, node->flags & part.flags);
    case SYNTAX_RANGE:
        return print_range(p, &node->range);
    case SYNTAX_NAME:
        if (node->text == NULL)
            return refuse_cqli(p, node, " with a computed name");
        if (tag_is_refused(node->text))
            return print_refuse(p, node->span,
                                node->text[0] != '*'    ? "the tag `%s`"
                                : node->text[1] == '\0' ? "`:tag %s`"
                                                        : "the tag `%s` as it is written",
                                node->text + (node->text[0] == '*' && node->text[1] != '\0'));
        // fall through
    case SYNTAX_QUOTED:
        return arena_printf(p->arena, " %s", print_quoted(p, node, node->text, node->text_length));
    case SYNTAX_ITEMS:
        return arena_printf(p->arena, strchr(before, ' ') != NULL ? " %s" : "%s",
                            print_items(p, node->kid, node->kid_count));
    default:
        if (node->kid_count == 0)
            return "";
        // in braces, a piece variable would be a set
        return part.kind == SYNTAX_OPEN
                   ? arena_printf(p->arena, "(%s)", print_list(p, node->kid, node->kid_count))
                   : arena_printf(p->arena, " %s", print_at_least(p, node->kid[0], LEVEL_PRIMARY));
    }
}

static const char *by_syntax(Printer *p, const Ast *node)
{
    const OpInfo *info = &op_info[node->op];
    const char *text = info->name, *syntax = info->syntax;
    if (syntax == NULL || !(info->dialects & IN_CQL6))
        return print_refuse(p, node->span, "`%s`", info->name);
    for (SyntaxPart part; syntax_next(&syntax, &part);) {
        if (part.kind == SYNTAX_SEARCH)
            return node->text != NULL ? print_tag_search(p, node, text) : text;
        text = arena_printf(p->arena, "%s%s", text, by_part(p, node, part, text));
        if (part.kind == SYNTAX_OPEN) // the parts inside are printed
            break;
    }
    return text;
}

static const char *compound(Printer *p, const Ast *node)
{
    return print_braces(p, print_list(p, node->kid, node->kid_count));
}

// ---- values -----------------------------------------------------------------------------------------------

static const char *number(Printer *p, const Ast *node)
{
    return print_number(p, node->number);
}

static const char *group(Printer *p, const Ast *node)
{
    return print_group(p, node, node->op == OP_GROUP ? "\\" : "\\-");
}

// The parentheses are kept, because `str`, `pieceid` and `assert` treat a bare variable differently.
static const char *value_of_variable(Printer *p, const Ast *node)
{
    return arena_printf(p->arena, node->flags & AST_PAREN ? "(%s)" : "%s", print_name(p, node->variable));
}

static const char *size_of_set(Printer *p, const Ast *node)
{
    return by_form(p, node, node->kid[0]->op == OP_COMPLEMENT ? "#@0f" : "#@0p");
}

static const char *chain(Printer *p, const Ast *node)
{
    const char **set = arena_alloc(p->arena, (size_t)node->kid_count * sizeof *set);
    for (int i = 0; i < node->kid_count; i++)
        set[i] = print_at_least(p, node->kid[i], LEVEL_UNION);
    return print_joined(p, set, node->kid_count, node->flags & AST_LEFT_CHAIN ? " <- " : " -> ");
}

static const char *in_directions(Printer *p, const Ast *node)
{
    return arena_printf(p->arena, "%s%s %s", print_directions(p, node->number) + 1,
                        print_range(p, &node->range), print_braced(p, node->kid[0]));
}

static const char *ray(Printer *p, const Ast *node)
{
    return arena_printf(p->arena, "ray%s (%s)",
                        node->flags & AST_CAPTURE ? " attack" : print_directions(p, node->number),
                        print_list(p, node->kid, node->kid_count));
}

// The first set decides the value.
static const char *pin(Printer *p, const Ast *node)
{
    const char *const set[] = {print_parameter(p, "through", node->kid_extra),
                               print_parameter(p, "from", node->kid_left),
                               print_parameter(p, "to", node->kid_right)};
    const int first = node->number, second = first == 0 ? 1 : 0, third = first == 2 ? 1 : 2;
    return arena_printf(p->arena, "pin%s%s%s", set[first], set[second], set[third]);
}

static const char *makesquare(Printer *p, const Ast *node)
{
    return by_form(p, node, node->kid_count == 1 ? "makesquare(@0s)" : "makesquare(@l)");
}

static const char *fen(Printer *p, const Ast *node)
{
    return node->kid_count == 0 ? "fen" : print_fen_pattern(p, node);
}

// ---- statements -------------------------------------------------------------------------------------------

static const char *assignment(Printer *p, const Ast *node)
{
    const char *words = print_flags(p, node->flags);
    return arena_printf(p->arena, "%s%s%s %s %s", *words ? words + 1 : "", *words ? " " : "",
                        print_name(p, node->variable), punctuation_spelling[node->number],
                        print_at_least(p, node->kid[0], LEVEL_SUM));
}

static const char *set_loop(Printer *p, const Ast *node)
{
    return by_form(p, node, node->flags & AST_PIECES ? "piece@x @v in @0m @1b" : "square@x @v in @0m @1b");
}

// A number is not a condition, so a branch of CQL 5 or CQL 3 becomes a sum. `else` ends an assignment, as the
// next filter does.
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

// A bare search as the test would be a loop over its matches.
static const char *while_loop(Printer *p, const Ast *node)
{
    return by_form(p, node, node->kid[0]->op == OP_REGEX ? "while (@0b) @1b" : "while (@0f) @1b");
}

static const char *regex_loop(Printer *p, const Ast *node)
{
    const char *test = print_regex(p, node);
    return arena_printf(p->arena, "while (%s) %s", test, print_braced(p, node->kid[1]));
}

// The text of the source.
static const char *source_text(Printer *p, const Ast *node)
{
    const char *text = p->query->source.text + node->span.start;
    return arena_copy(p->arena, text, node->span.end - node->span.start);
}

static const char *function(Printer *p, const Ast *node)
{
    return p->keeps_functions ? source_text(p, node) : "true";
}

static const char *call(Printer *p, const Ast *node)
{
    return p->keeps_functions ? source_text(p, node) : compound(p, node);
}

static const char *bound_test(Printer *p, const Ast *node)
{
    const bool known = node->variable != NULL && node->variable->kind < VARIABLE_FUNCTION;
    return arena_printf(p->arena, "%s %s", op_info[node->op].name,
                        known ? print_name(p, node->variable)
                              : print_quoted(p, node, node->text, node->text_length));
}

// In CQL 6.2, only a named key has a direction.
static const char *sort(Printer *p, const Ast *node)
{
    const char *name =
        node->text != NULL && node->text_length > 0
            ? arena_printf(p->arena, " %s", print_quoted(p, node, node->text, node->text_length))
        : node->flags & (AST_MIN | AST_MAX) ? " \"sort value\""
                                            : "";
    return arena_printf(p->arena, "sort%s%s %s", print_flags(p, node->flags), name,
                        print_braced(p, node->kid[0]));
}

// ---- games ------------------------------------------------------------------------------------------------

static const char *consecutive_moves(Printer *p, const Ast *node)
{
    if (node->kid_count == 0)
        return by_form(p, node, "consecutivemoves@x@r (@v @w)");
    const char *first = print_fresh_name(p, "first"), *second = print_fresh_name(p, "second");
    const char *first_value = print_at_least(p, node->kid[0], LEVEL_SUM);
    const char *second_value = print_at_least(p, node->kid[1], LEVEL_SUM);
    return arena_printf(p->arena, "{%s = %s %s = %s consecutivemoves%s%s (%s %s)}", first, first_value,
                        second, second_value, print_flags(p, node->flags), print_range(p, &node->range),
                        first, second);
}

static const char *echo(Printer *p, const Ast *node)
{
    if (p->older)
        return by_form(p, node, "echo quiet (@v @w) @0b");
    return by_form(p, node, node->flags & AST_IN_ALL ? "echo@x (@v @w) in all @0b" : "echo@x (@v @w) @0b");
}

static const char *original_comment(Printer *p, const Ast *node)
{
    if (node->number > 255) { // CQL 6.2 names each
        const char *any = "(originalcomment \"$1\"";
        for (int nag = 2; nag <= 255; nag++)
            any = arena_printf(p->arena, "%s or originalcomment \"$%d\"", any, nag);
        return arena_printf(p->arena, "%s)", any);
    }
    if (node->number > 0)
        return arena_printf(p->arena, "originalcomment \"$%d\"", node->number);
    return node->text != NULL ? print_tag_search(p, node, "originalcomment") : "originalcomment";
}

static const char *game_fault(Printer *p, const Ast *node)
{
    return print_refuse(p, node->span, "faults in the text of a game");
}

static const char *result(Printer *p, const Ast *node)
{
    return node->number == RESULT_UNKNOWN ? "{not result 1-0 not result 0-1 not result 1/2-1/2}"
                                          : arena_printf(p->arena, "result %s", result_text(node->number));
}

// The flags, then the kind.
static const char *award(Printer *p, const Ast *node)
{
    const char *text = "hhdb";
    for (size_t i = hhdb_word_count; i-- > 0;) {
        const HhdbWord *w = &hhdb_words[i];
        if (!w->cqli &&
            (w->place == HHDB_FLAG ? node->high & w->value : w->place == HHDB_KIND && node->low == w->value))
            text = arena_printf(p->arena, "%s %s", text, w->word);
    }
    return text;
}

// The words of the source, without surrounding parentheses.
static const char *hhdb(Printer *p, const Ast *node)
{
    const bool is_award = node->number == HHDB_AWARD;
    if (is_award ? node->high & AWARD_NONSPECIAL : node->number >= HHDB_DISTINCTION)
        return refuse_cqli(p, node, " with this word");
    if (is_award)
        return award(p, node);
    const char *text = p->query->source.text + node->span.start,
               *end = p->query->source.text + node->span.end;
    for (; text < end && (*text == '(' || *text == ' '); text++)
        if (*text == '(')
            while (end > text && *--end != ')')
                ;
    while (end > text && end[-1] == ' ')
        end--;
    // An option of the command line gives its text apart from the source.
    const bool apart = end - text > 2 && memcmp(end - 2, "\"\"", 2) == 0;
    return apart ? arena_printf(p->arena, "%.*s%s", (int)(end - text) - 2, text,
                                print_quoted(p, node, node->text, node->text_length))
                 : arena_printf(p->arena, "%.*s", (int)(end - text), text);
}

// ---- transforms -----------------------------------------------------------

static bool names_squares(const Ast *node, void *user)
{
    (void)user;
    return (node->op == OP_DESIGNATOR && node->mask != 0 && ~node->mask != 0) || node->op == OP_LIGHT ||
           node->op == OP_DARK;
}

static const char *transform(Printer *p, const Ast *node)
{
    if (node->op == OP_ROTATE45 && p->query->cqli && ast_contains(node, names_squares, NULL))
        return refuse_cqli(p, node, " over particular squares");
    if (print_counts_equal_copies(node))
        return print_counted_transform(p, node, true);
    const Ast *operand = ast_unwrap(node->kid[0]);
    const int transforms = p->transforms;
    p->transforms = node->op == OP_NOTRANSFORM ? 0 : transforms + 1;
    const char *text =
        print_is_transform(node->kid[0]) ? print_filter(p, node->kid[0]) : print_braced(p, node->kid[0]);
    p->transforms = transforms;
    if (print_counts_equal_copies(operand)) // directly nested transforms would share this range
        text = print_braces(p, arena_printf(p->arena, "true %s", text));
    return arena_printf(p->arena, "%s%s %s", op_info[node->op].name, print_range(p, &node->range), text);
}

static bool is_one_square(const Ast *set)
{
    return set->op == OP_DESIGNATOR && set->mask != 0 && (set->mask & (set->mask - 1)) == 0;
}

// CQLi takes the piece on the first square of the set.
static const char *piece_assignment(Printer *p, const Ast *node)
{
    const char *set = print_at_least(p, node->kid[0], LEVEL_MOVE);
    if (p->query->cqli && node->kid[0]->op != OP_VARIABLE && !is_one_square(node->kid[0]))
        set = arena_printf(p->arena, "%s(%s)", print_first_square_function(p), set);
    return arena_printf(p->arena, "piece %s = %s", variable(p, node->variable), set);
}

// A value that is a condition in CQLi: it is assigned when there is one.
static const char *value_as_condition(Printer *p, const Ast *node)
{
    Ast *value = ast_copy_node(p->arena, node);
    value->flags &= ~(unsigned)AST_AS_CONDITION;
    const char *name = print_fresh_name(p, "value");
    return arena_printf(p->arena, "{%s %s %s}", name, node->type == TYPE_SET ? "=?" : "=",
                        print_at_least(p, value, LEVEL_SUM));
}

static const char *pairs(Printer *p, const Ast *node)
{
    return print_pairs(p, node, NULL);
}

// ---- the entry --------------------------------------------------------------------------------------------

typedef const char *Print(Printer *p, const Ast *node);

static Print *const printers[OP_COUNT_] = {
    [OP_COMPOUND] = compound,
    [OP_NUMBER] = number,
    [OP_STRING] = print_string,
    [OP_GROUP] = group,
    [OP_GROUP_OFFSET] = group,
    [OP_VARIABLE] = value_of_variable,
    [OP_REGEX] = print_regex,
    [OP_DESIGNATOR] = print_designator,
    [OP_COUNT_SET] = size_of_set,
    [OP_ARROW] = chain,
    [OP_UP] = in_directions,
    [OP_RAY] = ray,
    [OP_PIN] = pin,
    [OP_MAKESQUARE] = makesquare,
    [OP_FEN] = fen,
    [OP_ASSIGN] = assignment,
    [OP_PIECE_ASSIGN] = piece_assignment,
    [OP_SET_LOOP] = set_loop,
    [OP_IF] = choice,
    [OP_WHILE] = while_loop,
    [OP_REGEX_LOOP] = regex_loop,
    [OP_FUNCTION] = function,
    [OP_CALL] = call,
    [OP_ISBOUND] = bound_test,
    [OP_ISUNBOUND] = bound_test,
    [OP_SORT] = sort,
    [OP_DASH] = print_dash,
    [OP_LEGAL] = print_legal,
    [OP_MOVE] = print_move,
    [OP_PATH] = print_path,
    [OP_LINE] = print_line,
    [OP_ECHO] = echo,
    [OP_CONSECUTIVEMOVES] = consecutive_moves,
    [OP_ORIGINALCOMMENT] = original_comment,
    [OP_GAME_FAULT] = game_fault,
    [OP_RESULT] = result,
    [OP_HHDB] = hhdb,
    [OP_ATTACK_PAIRS] = pairs,
    [OP_RAY_PAIRS] = pairs,
    [OP_RAY_ENDS] = pairs,
    [OP_RELATION_SQUARES] = print_mapped_squares,
    [OP_VARIANTS] = print_variants,
    [OP_RESEMBLES] = print_resemblance,
};

// `(V >= low) <= high` or `V == number` with constants.
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

// The short form of a filter of CQL 5 or CQL 3 that is used as a condition, or NULL.
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
    const char *shorter = is_condition && p->older ? condition(p, node) : NULL;
    if (shorter != NULL)
        return shorter;
    if (node->op != OP_MOVE && node->flags & AST_AS_CONDITION)
        return value_as_condition(p, node);
    if (node->op == OP_NE && node->kid[0]->type == TYPE_POSITION) // also true when an operand has no value
        return by_form(p, node, "{not @0s == @1s}");
    if (op_info[node->op].dialects == IN_CQLI)
        return refuse_cqli(p, node, op_info[node->op].row == ROW_FILTER ? "" : ", a speculative move");
    if (op_info[node->op].dialects == IN_EXTENSION)
        return print_refuse(p, node->span, "`%s`, an extension of cqlgen", op_info[node->op].name);
    const char *operation = print_operation(p, node);
    if (operation != NULL)
        return operation;
    if (print_is_transform(node))
        return transform(p, node);
    if (printers[node->op] != NULL)
        return printers[node->op](p, node);
    const char *form = op_info[node->op].form;
    return form != NULL ? by_form(p, node, form) : by_syntax(p, node);
}
