// Makes the condition on tags that every game with a match satisfies: a formula over atoms. It decides about a game before its
// moves are read. Each atom reads as few columns of a database as possible, so that it is evaluated once for each value and
// not once for each game. What the formula cannot say is left out: it may hold for games without a match, but never fails
// for one with a match, nor for a game in which the body does more than read. The conditions also stay in the body,
// because a program that runs a matcher need not ask the formula.
#include "internal.h"

#include <string.h>

#include "runtime/game/game.h"

enum { MOST_ATOMS = 64, MOST_PARTS = 16, MOST_SIZE = 2000, MOST_WORK = 2000000, BOTH = 2 };

typedef enum FormulaOp { ALWAYS, NEVER, ALL, SOME, ATOM } FormulaOp;

typedef struct Formula {
    FormulaOp op;
    bool exact; // true exactly when the condition that it was made of is true
    bool negated;
    int atom;
    int size; // atoms and operations
    const struct Formula *a, *b;
} Formula;

typedef struct Split {
    Module *m;
    const IrFunction *body;
    int *writers;          // by local: how many nodes of the body write it
    int *inside;           // the same of a part of it, while that is looked at; else 0
    int *moved;            // the same: its copy in the atom that is made, or -1
    const Ir **definition; // by local: the node that has certainly been true before and wrote it; NULL: none
    int32_t *columns, *same; // by atom
    const Ir **own;          // by atom: its condition; of White if it is one of Black
    int *number;             // of its function, by atom
    int atom_count;
    int *left; // nodes that may still be looked at; below 0: conditions are left out
    int32_t *formula;
    int formula_count;
} Split;

// A condition with the nodes before it that write the locals it reads.
typedef struct Parts {
    const Ir *part[MOST_PARTS];
    int count;
    int awaited;      // parts that are added as soon as those that they need are
    unsigned columns; // that it reads
} Parts;

// ---- what a condition reads -------------------------------------------------------------------------------

// The columns that a call reads, 0: none; false when it reads more than tags, or may do something.
static bool call_columns(const Module *m, const Ir *call, unsigned *columns)
{
    static const struct {
        const char *name;
        int column;
    } tags[] = {{"White", COLUMN_WHITE}, {"Black", COLUMN_BLACK}, {"Event", COLUMN_EVENT},
                {"Site", COLUMN_SITE},   {"Date", COLUMN_DATE},   {"Result", COLUMN_RESULT},
                {"ECO", COLUMN_ECO}};
    const Ir *first = call->kid_count > 0 ? call->kid[0] : NULL;
    const bool both = first && first->op == IR_INT && first->number == BOTH;
    *columns = 0;
    switch ((IrCall)call->number) {
    case IR_CALL_tag:
        for (size_t i = 0; first->op == IR_STRING && i < sizeof tags / sizeof *tags; i++) {
            const IrText *text = &m->text[first->number];
            if (text->length == strlen(tags[i].name) && memcmp(text->bytes, tags[i].name, text->length) == 0)
                *columns = 1u << tags[i].column;
        }
        *columns = *columns ? *columns : 1u << COLUMN_OTHER;
        return true;
    case IR_CALL_player:
    case IR_CALL_elo:
        if (first->op != IR_INT)
            return false;
        *columns = both ? 3u << WHITE : 1u << first->number;
        if (call->number == IR_CALL_elo)
            *columns <<= COLUMN_WHITE_ELO;
        return true;
    case IR_CALL_year:
        *columns = 1u << COLUMN_DATE;
        return true;
    case IR_CALL_hhdb_code:
        *columns = 1u << COLUMN_BLACK;
        return true;
    case IR_CALL_hhdb_award:
    case IR_CALL_hhdb_award_holds:
        *columns = 1u << COLUMN_EVENT;
        return true;
    default:
        return ir_is_call_that(call, TAGS_ONLY);
    }
}

// Ir.mark: what was found of a tree before.
enum { MARK_TRACES = 16, MARK_NO_TRACES = 32, MARK_NOT_TAGS = 64 };

static bool reads_tags_only(const Split *s, const Ir *tree, unsigned *columns);

static bool kids_read_tags_only(const Split *s, const Ir *tree, unsigned *columns)
{
    if (--*s->left < 0)
        return false;
    const unsigned locals = IR_READS_LOCAL | IR_WRITES_LOCAL;
    unsigned own = 0;
    if (tree->op == IR_GAME) {
        if (tree->number != IR_GAME_RESULT && tree->number != IR_GAME_NUMBER)
            return false;
        own = 1u << (tree->number == IR_GAME_RESULT ? COLUMN_RESULT : COLUMN_OTHER);
    } else if (tree->op == IR_CALL) {
        if (!call_columns(s->m, tree, &own))
            return false;
    } else if ((ir_op_info[tree->op].effects & ~locals) != 0 || tree->op == IR_WHILE || tree->op == IR_AT ||
               ir_is_loop(tree))
        return false;
    *columns |= own;
    for (int i = 0; i < tree->kid_count; i++)
        if (!reads_tags_only(s, tree->kid[i], columns))
            return false;
    return true;
}

// A condition on tags alone. *columns: those that it reads are added.
static bool reads_tags_only(const Split *s, const Ir *tree, unsigned *columns)
{
    if (tree->mark & MARK_NOT_TAGS)
        return false;
    const bool tags_only = kids_read_tags_only(s, tree, columns);
    ((Ir *)tree)->mark |= tags_only ? 0 : MARK_NOT_TAGS;
    return tags_only;
}

// Whether evaluating the tree does something that remains when the game does not match.
static bool leaves_traces(const Split *s, const Ir *tree)
{
    if (tree->mark & (MARK_TRACES | MARK_NO_TRACES))
        return (tree->mark & MARK_TRACES) != 0;
    bool traces = --*s->left < 0 ||
                  (tree->op == IR_STORE ? tree->number < s->m->info.persistent_slots
                   : tree->op == IR_CALL
                       ? ir_is_call_that(tree, EFFECT) && !ir_is_call_that(tree, FORGOTTEN)
                       : (ir_op_info[tree->op].effects & (IR_WRITES_SLOT | IR_EFFECT | IR_INVOKES)) != 0);
    for (int i = 0; i < tree->kid_count && !traces; i++)
        traces = leaves_traces(s, tree->kid[i]);
    ((Ir *)tree)->mark |= traces ? MARK_TRACES : MARK_NO_TRACES;
    return traces;
}

// ---- locals -----------------------------------------------------------------------------------------------

// Notes what is certainly written when the condition is true, or forgets it.
static void define(Split *s, const Ir *tree, bool known)
{
    if (tree->op == IR_LET || (tree->op == IR_CALL && tree->out >= 0))
        s->definition[ir_written_local(tree)] = known ? tree : NULL;
    if (tree->op == IR_AND || tree->op == IR_PLACE)
        for (int i = 0; i < tree->kid_count; i++)
            define(s, tree->kid[i], known);
}

static bool add_part(const Split *s, Parts *p, const Ir *tree);

// Adds the definitions of the locals that the tree reads and that are not in s->inside.
static bool add_definitions(const Split *s, Parts *p, const Ir *tree)
{
    if (tree->op == IR_LOCAL && s->inside[tree->number] == 0)
        return s->definition[tree->number] != NULL && add_part(s, p, s->definition[tree->number]);
    for (int i = 0; i < tree->kid_count; i++)
        if (!add_definitions(s, p, tree->kid[i]))
            return false;
    return true;
}

// Adds a condition after the definitions of the locals that it reads and does not write.
static bool add_part(const Split *s, Parts *p, const Ir *tree)
{
    for (int i = 0; i < p->count; i++)
        if (p->part[i] == tree)
            return true;
    if (p->count + p->awaited == MOST_PARTS || !reads_tags_only(s, tree, &p->columns))
        return false;
    p->awaited++;
    ir_count_uses(tree, NULL, s->inside, 1);
    const bool complete = add_definitions(s, p, tree);
    ir_count_uses(tree, NULL, s->inside, -1);
    p->awaited--;
    if (complete)
        p->part[p->count++] = tree;
    return complete;
}

// Does something else than the parts, whose writers are counted in s->inside, write the local that the node uses?
static bool shares_local(const Ir *node, const void *split)
{
    const Split *s = split;
    const int local = ir_used_local(node);
    return local >= 0 && s->inside[local] != s->writers[local];
}

// The parts of a condition on tags alone; false when it is none.
static bool find_parts(const Split *s, const Ir *tree, Parts *p)
{
    *p = (Parts){0};
    if (!add_part(s, p, tree))
        return false;
    for (int i = 0; i < p->count; i++)
        ir_count_uses(p->part[i], NULL, s->inside, 1);
    bool owns = true;
    for (int i = 0; i < p->count && owns; i++)
        owns = !ir_has_node(p->part[i], shares_local, s);
    for (int i = 0; i < p->count; i++)
        ir_count_uses(p->part[i], NULL, s->inside, -1);
    return owns && p->columns != 0;
}

// ---- atoms ------------------------------------------------------------------------------------------------

static const Formula *new_formula(const Split *s, Formula formula)
{
    Formula *f = arena_alloc(s->m->arena, sizeof *f);
    *f = formula;
    return f;
}

static const Formula *always(const Split *s, bool exact)
{
    return new_formula(s, (Formula){.op = ALWAYS, .exact = exact});
}

// Makes a condition on Black's column one on White's; false when it reads the column in another way.
static bool whiten(Module *m, Ir *tree)
{
    unsigned columns = 0;
    if (tree->op == IR_CALL && call_columns(m, tree, &columns) && columns != 0) {
        if (tree->number == IR_CALL_tag)
            tree->kid[0] = ir_string(m, "White");
        else if (tree->number == IR_CALL_player || tree->number == IR_CALL_elo)
            tree->kid[0] = ir_int(m->arena, WHITE);
        else
            return false;
        return true;
    }
    for (int i = 0; i < tree->kid_count; i++)
        if (!whiten(m, tree->kid[i]))
            return false;
    return true;
}

// The condition as one on White, if it is one on Black.
static const Ir *asked_of_white(Module *m, const Ir *condition, unsigned columns)
{
    Ir *white = ir_copy(condition);
    const bool black = columns == 1u << COLUMN_BLACK || columns == 1u << COLUMN_BLACK_ELO;
    return black && whiten(m, white) ? white : condition;
}

static void add_atom(Split *s, IrFunction own, unsigned columns)
{
    const int atom = s->atom_count++;
    s->own[atom] = asked_of_white(s->m, own.body, columns);
    s->columns[atom] = (int32_t)columns;
    for (s->same[atom] = 0; !ir_equal(s->own[s->same[atom]], s->own[atom]);)
        s->same[atom]++;
    const bool is_one = (columns & (columns - 1)) == 0;
    const char *name =
        is_one ? arena_printf(s->m->arena, "%s_fits", game_column_name[__builtin_ctz(columns)]) : "tags_fit";
    IrFunction *function = ir_new_function(s->m, name, &s->number[atom]);
    function->local = own.local;
    function->local_count = own.local_count;
    function->body = own.body;
}

static void forget_moved(const Split *s, const Ir *tree)
{
    const int local = ir_used_local(tree);
    if (local >= 0)
        s->moved[local] = -1;
    for (int i = 0; i < tree->kid_count; i++)
        forget_moved(s, tree->kid[i]);
}

// Copies of the parts.
static const Formula *new_atom(Split *s, const Parts *p, bool negated)
{
    Arena *a = s->m->arena;
    IrFunction own = {.arena = a};
    Ir *all = ir_new(a, IR_AND, IRT_BOOL, 0);
    for (int i = 0; i < p->count; i++) {
        Ir *copy = ir_copy(p->part[i]);
        ir_move_locals(copy, &own, s->body, s->moved);
        ir_add_kid(all, copy);
    }
    for (int i = 0; i < p->count; i++)
        forget_moved(s, p->part[i]);
    own.body = fold_node(all);
    int atom = 0;
    while (atom < s->atom_count && !ir_equal(s->m->function[s->number[atom]]->body, own.body))
        atom++;
    if (atom == MOST_ATOMS)
        return always(s, false);
    if (atom == s->atom_count)
        add_atom(s, own, p->columns);
    return new_formula(s, (Formula){.op = ATOM, .exact = true, .negated = negated, .atom = atom, .size = 1});
}

static const Formula *with_exact(const Split *s, const Formula *f, bool exact)
{
    Formula copy = *f;
    copy.exact = exact;
    return new_formula(s, copy);
}

static const Formula *join(const Split *s, FormulaOp op, const Formula *a, const Formula *b)
{
    const bool exact = a->exact && b->exact;
    const FormulaOp decides = op == ALL ? NEVER : ALWAYS, neutral = op == ALL ? ALWAYS : NEVER;
    if (a->op == decides || b->op == decides) {
        const Formula *f = a->op == decides ? a : b;
        return f->exact ? f : with_exact(s, f, b->op == decides && b->exact);
    }
    if (a->op == neutral || b->op == neutral)
        return with_exact(s, a->op == neutral ? b : a, exact);
    const int size = a->size + b->size + 1;
    if (size > MOST_SIZE)
        return always(s, false);
    return new_formula(s, (Formula){.op = op, .exact = exact, .size = size, .a = a, .b = b});
}

// ---- the formula ------------------------------------------------------------------------------------------

static const Formula *split(Split *s, const Ir *node, bool want);

// The kids of an AND that is to be true or of an OR that is to be false (`all`), or the opposite.
static const Formula *split_kids(Split *s, const Ir *node, bool want)
{
    const bool all = (node->op == IR_AND) == want;
    const FormulaOp op = all ? ALL : SOME;
    const Formula *values = new_formula(s, (Formula){.op = all ? ALWAYS : NEVER, .exact = true}), *f = values;
    int done = 0;
    for (bool stopped = false; done < node->kid_count && !stopped; done++) {
        const Ir *kid = node->kid[done];
        const Formula *g = split(s, kid, want);
        // What only asks for a value comes last: few games without it are left then.
        if (ir_written_local(kid) >= 0)
            values = join(s, op, values, g);
        else
            f = join(s, op, f, g);
        if (node->op == IR_AND)
            define(s, kid, true);
        stopped = all && leaves_traces(s, kid);
    }
    f = join(s, op, f, values);
    if (done < node->kid_count)
        f = with_exact(s, f, false);
    for (int i = 0; node->op == IR_AND && i < done; i++)
        define(s, node->kid[i], false);
    return f;
}

static const Formula *split_choice(Split *s, const Ir *node, bool want)
{
    if (leaves_traces(s, node->kid[0]))
        return NULL;
    const Formula *fails = split(s, node->kid[0], false);
    const Formula *otherwise = split(s, node->kid[2], want);
    const Formula *holds = split(s, node->kid[0], true);
    define(s, node->kid[0], true);
    const Formula *then = split(s, node->kid[1], want);
    define(s, node->kid[0], false);
    const Formula *yes = join(s, ALL, holds, then), *no = join(s, ALL, fails, otherwise);
    return join(s, SOME, yes, no);
}

// Does an atom of the formula read other columns than these?
static bool reads_others(const Split *s, const Formula *f, unsigned columns)
{
    return f->op == ATOM ? s->columns[f->atom] != (int32_t)columns
                         : f->a != NULL && (reads_others(s, f->a, columns) || reads_others(s, f->b, columns));
}

// True in every game in which the condition has the value `want` or leaves traces.
static const Formula *split(Split *s, const Ir *node, bool want)
{
    if (--*s->left < 0)
        return always(s, false);
    if (node->op == IR_PLACE)
        return split(s, node->kid[0], want);
    if (node->op == IR_NOT)
        return split(s, node->kid[0], !want);
    if (node->op == IR_TRUE || node->op == IR_FALSE)
        return new_formula(s, (Formula){.op = (node->op == IR_TRUE) == want ? ALWAYS : NEVER, .exact = true});
    Parts parts;
    const bool whole = find_parts(s, node, &parts);
    if (whole && (parts.columns & (parts.columns - 1)) == 0)
        return new_atom(s, &parts, !want);
    const Formula *f = NULL;
    const int atoms = s->atom_count, functions = s->m->function_count;
    if ((node->op == IR_AND || node->op == IR_OR) && node->kid_count > 0)
        f = split_kids(s, node, want);
    else if (node->op == IR_IF || node->op == IR_CHOOSE)
        f = split_choice(s, node, want);
    else if (ir_always_true(node) && !leaves_traces(s, node))
        f = new_formula(s, (Formula){.op = want ? ALWAYS : NEVER, .exact = true});
    if (whole && f &&
        !reads_others(s, f, parts.columns)) { // parts that read as much say no more than the whole
        s->atom_count = atoms;
        s->m->function_count = functions;
        return new_atom(s, &parts, !want);
    }
    if (whole && !(f && f->exact)) {
        const Formula *atom = new_atom(s, &parts, !want);
        return f ? with_exact(s, join(s, ALL, f, atom), atom->exact) : atom;
    }
    return f ? f : always(s, false);
}

static void write_formula(Split *s, const Formula *f)
{
    if (f->op == ATOM) {
        if (f->negated)
            ARENA_PUSH(s->m->arena, s->formula, s->formula_count, TAGS_NOT);
        ARENA_PUSH(s->m->arena, s->formula, s->formula_count, f->atom);
        return;
    }
    ARENA_PUSH(s->m->arena, s->formula, s->formula_count, f->op == ALL ? TAGS_AND : TAGS_OR);
    write_formula(s, f->a);
    write_formula(s, f->b);
}

void split_tags(Module *m)
{
    const IrFunction *body = m->function[0];
    const size_t locals = (size_t)body->local_count + 1;
    int left = MOST_WORK;
    Split s = {.m = m,
               .body = body,
               .left = &left,
               .writers = arena_alloc(m->arena, locals * sizeof *s.writers),
               .inside = arena_alloc(m->arena, locals * sizeof *s.inside),
               .moved = arena_alloc(m->arena, locals * sizeof *s.moved),
               .definition = arena_alloc(m->arena, locals * sizeof *s.definition),
               .columns = arena_alloc(m->arena, MOST_ATOMS * sizeof *s.columns),
               .same = arena_alloc(m->arena, MOST_ATOMS * sizeof *s.same),
               .own = arena_alloc(m->arena, MOST_ATOMS * sizeof *s.own),
               .number = arena_alloc(m->arena, MOST_ATOMS * sizeof *s.number)};
    // `matchcount 0` asks for games without a matching position.
    if (m->info.flags & QUERY_HAS_MATCHCOUNT && m->info.matchcount_low <= 0)
        return;
    memset(s.moved, 0xFF, locals * sizeof *s.moved);
    ir_count_uses(body->body, NULL, s.writers, 1);
    const Formula *f = split(&s, body->body, true);
    m->info.tags_decide = f->op != NEVER && f->exact && !leaves_traces(&s, body->body);
    if (f->op == ALWAYS || f->op == NEVER)
        return;
    write_formula(&s, f);
    m->tag_atom = s.number;
    m->info.tag_atom_count = s.atom_count;
    m->info.tag_columns = s.columns;
    m->info.tag_same = s.same;
    m->info.tag_formula_count = s.formula_count;
    m->info.tag_formula = s.formula;
}
