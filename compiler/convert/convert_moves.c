// Moves, paths and lines of a printed query (language reference 4 and 5).
#include "internal.h"

static bool is_designator(const Ast *node)
{
    return node->op == OP_DESIGNATOR || node->op == OP_ALL_SQUARES;
}

// An operand is attached to its dash. Parentheses would be a target.
static const char *dash_operand(Printer *p, const Ast *node)
{
    return node == NULL ? "" : is_designator(node) ? print_filter(p, node) : print_braced(p, node);
}

static const char *dash_operands(Printer *p, const Ast *node)
{
    const char *left = dash_operand(p, node->kid_left), *right = dash_operand(p, node->kid_right);
    const char *promotion = "";
    if (node->kid_extra != NULL)
        promotion = arena_printf(p->arena, "=%s", dash_operand(p, node->kid_extra));
    return arena_printf(p->arena, "%s%s%s%s", left, node->flags & AST_CAPTURE ? "[x]" : "--", right,
                        promotion);
}

// arrow-x dash arrow-x [ "=" filter ] [ "(" filter { filter } ")" ]
const char *print_dash(Printer *p, const Ast *node)
{
    const char *operands = dash_operands(p, node);
    if (node->kid_count == 0)
        return operands;
    return arena_printf(p->arena, "%s(%s)", operands, print_list(p, node->kid, node->kid_count));
}

// ( "legal" | "pseudolegal" ) dash
const char *print_legal(Printer *p, const Ast *node)
{
    static const char *const targets[] = {[LEGAL_ANY] = "",
                                          [LEGAL_SHORT] = "(o-o)",
                                          [LEGAL_LONG] = "(o-o-o)",
                                          [LEGAL_CASTLE] = "(castle)",
                                          [LEGAL_EN_PASSANT] = "(enpassant)"};
    return arena_printf(p->arena, "%s %s%s", node->flags & AST_PSEUDOLEGAL ? "pseudolegal" : "legal",
                        dash_operands(p, node), targets[node->number]);
}

// ---- move -------------------------------------------------------------------------------------------------

// A combination that CQL 6.2 does not allow with or without `legal` (4.7), or NULL.
static const char *refused_combination(const Ast *node)
{
    if (node->flags & AST_BACKWARD)
        return "`move reverse`";
    if (node->low & MOVE_WORD_DROP)
        return "`drop` of `move`";
    if (!(node->flags & (AST_LEGAL | AST_PSEUDOLEGAL)))
        return node->flags & AST_COUNT ? "`count` of `move` without `legal`" : NULL;
    return node->kid_extra != NULL       ? "`capture` with `move legal`"
           : node->pieces != 0           ? "`promote` with `move legal`"
           : node->flags & AST_NULL      ? "`null` with `move legal`"
           : node->flags & AST_PRIMARY   ? "`primary` with `move legal`"
           : node->flags & AST_SECONDARY ? "`secondary` with `move legal`"
                                         : NULL;
}

// "move" { parameter }: the first parameter decides the type.
const char *print_move(Printer *p, const Ast *node)
{
    enum { FROM, TO, CAPTURE, SQUARE, SETS };
    static const int firsts[] = {
        SQUARE, [MOVE_GIVES_FROM] = FROM, [MOVE_GIVES_TO] = TO, [MOVE_GIVES_VICTIM] = CAPTURE};
    static const char *const kinds[] = {"castle", "o-o", "o-o-o", "enpassant"}; // by MOVE_WORD_
    const char *refused = refused_combination(node);
    if (refused != NULL)
        return print_refuse(p, node->span, "%s", refused);
    const char *set[SETS] = {print_parameter(p, "from", node->kid_left),
                             print_parameter(p, "to", node->kid_right),
                             print_parameter(p, "capture", node->kid_extra),
                             print_parameter(p, "enpassantsquare", node->kid_extra2)};
    const int first = firsts[node->number];
    const char *words = print_flags(p, node->flags), *text;
    for (int i = 0; i < 4; i++)
        if (node->low >> i & 1)
            words = arena_printf(p->arena, "%s %s", words, kinds[i]);
    if (node->pieces != 0)
        words = arena_printf(p->arena, "%s promote %s", words, print_pieces(p, node->pieces));
    text = arena_printf(p->arena, "move%s%s", node->number == 0 ? words : set[first],
                        node->number == 0 ? set[first] : words);
    for (int i = 0; i < SETS; i++)
        if (i != first)
            text = arena_printf(p->arena, "%s%s", text, set[i]);
    if (node->kid_count > 0)
        text = arena_printf(p->arena, "%s comment%s", text, print_items(p, node->kid, node->kid_count));
    return text;
}

// ---- constituents -----------------------------------------------------------------------------------------

static const char *repetition(Printer *p, const Ast *node)
{
    if (node->high == REPEAT_UNLIMITED && node->low <= 1)
        return node->low == 0 ? "{*}" : "{+}";
    if (node->low == 0 && node->high == 1 && node->number == 0)
        return "?";
    return arena_printf(p->arena, "{%d,%d}", node->low, node->high);
}

// A move filter alone, perhaps in braces.
static bool is_bare_move(const Ast *node)
{
    while (node->op == OP_COMPOUND && node->kid_count == 1)
        node = node->kid[0];
    return node->op == OP_DASH;
}

// In braces, because words could be read as parameters and signs have other meanings at the top of a path
// (1.12). A bare move filter in braces would end the path (5.2).
static const char *constituent_filter(Printer *p, const Ast *node)
{
    if (is_bare_move(node))
        return arena_printf(p->arena, "{ true %s }", print_braced(p, node));
    return node->op == OP_DESIGNATOR ? print_filter(p, node) : print_braced(p, node);
}

static const char *constituents(Printer *p, Ast *const *node, int count, const char *arrow);

// `before`: the constituent before it, or NULL.
static const char *constituent(Printer *p, const Ast *node, const Ast *before, const char *arrow)
{
    switch (node->op) {
    case OP_REPEAT: // what is repeated twice is a group: CQL 6.2 refuses `++` and `+{2}` (5.12)
        return arena_printf(p->arena, node->kid[0]->op == OP_REPEAT ? "(%s) %s" : "%s %s",
                            constituent(p, node->kid[0], before, arrow), repetition(p, node));
    case OP_GROUP_CHAIN:
        if (before != NULL && before->op == OP_PATH_DASH) // a target that is a bare move filter (5.2)
            return arena_printf(p->arena, "(%s)", print_held(p, print_dash(p, node->kid[0])));
        return arena_printf(p->arena, "(%s)",
                            print_held(p, constituents(p, node->kid, node->kid_count, arrow)));
    case OP_PATH_DASH: {
        Lines parts = {0};
        ARENA_PUSH(p->arena, parts.line, parts.count, dash_operands(p, node));
        for (int i = 0; i < node->kid_count; i++)
            ARENA_PUSH(p->arena, parts.line, parts.count, constituent_filter(p, node->kid[i]));
        return print_joined(p, parts.line, parts.count, " ");
    }
    default:
        return constituent_filter(p, node);
    }
}

static const char *constituents(Printer *p, Ast *const *node, int count, const char *arrow)
{
    Lines parts = {0};
    for (int i = 0; i < count; i++)
        ARENA_PUSH(p->arena, parts.line, parts.count,
                   constituent(p, node[i], i > 0 ? node[i - 1] : NULL, arrow));
    return print_joined(p, parts.line, parts.count, arrow);
}

// ---- paths and lines --------------------------------------------------------------------------------------

// "path" { parameter } constituent { constituent }
const char *print_path(Printer *p, const Ast *node)
{
    const char *focus = "", *max = "", *title = "";
    if (node->text != NULL)
        title = arena_printf(p->arena, " title %s", print_quoted(p, node, node->text, node->text_length));
    if (node->kid_left != NULL)
        focus = arena_printf(p->arena, " focus %s%s", node->flags & AST_CAPTURE ? "capture " : "",
                             constituent_filter(p, node->kid_left));
    if (node->kid_right != NULL)
        max = arena_printf(p->arena, " max %s", constituent_filter(p, node->kid_right));
    return arena_printf(p->arena, "path%s%s%s%s%s %s", print_range(p, &node->range),
                        print_flags(p, node->flags), title, focus, max,
                        constituents(p, node->kid, node->kid_count, " "));
}

// "line" { parameter } arrow constituent { arrow constituent }
const char *print_line(Printer *p, const Ast *node)
{
    const char *arrow = node->flags & AST_BACKWARD ? " <-- " : " --> ";
    return arena_printf(p->arena, "line%s%s%s%s", print_range(p, &node->range),
                        print_flags(p, node->flags & ~(unsigned)(AST_BACKWARD | AST_KEEPALLBEST)), arrow,
                        constituents(p, node->kid, node->kid_count, arrow));
}
