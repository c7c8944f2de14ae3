#include "query_generator.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "compiler/language/ast.h"
#include "tests/tools/random.h"

typedef struct Generator {
    uint64_t state;
    char *out;
    size_t size, length;
    int loops;      // loop variables in use
    int names;      // names given so far
    bool transform; // inside a transform: no further one
    bool rotation;  // inside rotate45: no designators with squares
    bool functions; // those of `functions` below are defined and may be called
} Generator;

static int below(Generator *g, int limit)
{
    return (int)(random_next(&g->state) % (uint32_t)limit);
}

static void put(Generator *g, const char *text)
{
    size_t length = strlen(text);
    if (g->length + length + 1 < g->size) {
        memcpy(g->out + g->length, text, length + 1);
        g->length += length;
    }
}

static void put_number(Generator *g, int number)
{
    char text[16];
    snprintf(text, sizeof text, "%d", number);
    put(g, text);
}

// Forms whose operands the table only marks with `!`. In a template
//   %s set  %n number  %b condition  %q string  %p position  %d designator  %D designator without squares
//   %r range of 0..4  %v, %w fresh names, which %1, %2 repeat  %(a|b|c%) some of these in any order; everything else is text.
typedef struct Template {
    const char *type, *text;
} Template;

static const Template templates[] = {
    {"set", "%d"},
    {"set", "%d"},
    {"set", "%d"},
    {"set", "%d"},
    {"set", "."},
    {"set", "[]"},
    {"set", "{%s & %s}"},
    {"set", "{%s | %s}"},
    {"set", "{~%s}"},
    {"set", "{%s -> %s}"},
    {"set", "{%s <- %s}"},
    {"set", "{%s attacks %s}"},
    {"set", "{%s attackedby %s}"},
    {"set", "{%s -> %s -> %s}"},
    {"set", "{%s <- %s <- %s}"},
    {"set", "{%s -> %s -> %s -> %s}"},
    {"set", "{up %r{%s}}"},
    {"set", "{left %s}"},
    {"set", "{northeast %r{%s}}"},
    {"set", "{diagonal %s}"},
    {"set", "{vertical %r{%s}}"},
    {"set", "{anydirection 1 %s}"},
    {"set", "{ray(%s %s)}"},
    {"set", "{ray attack(%s %s %s)}"},
    {"set", "{ray up right(%s %s)}"},
    {"set", "{xray(%s %s %s)}"},
    {"set", "pin"},
    {"set", "{pin %(from {%s}|through {%s}|to {%s}%)}"},
    {"set", "{makesquare(%n %n)}"},
    {"set", "{makesquare %q}"},
    {"set", "{%b %s}"},
    {"set", "{if %b then %s else %s}"},
    {"set", "{%p:%s}"},
    {"set", "{%v [element] %s {%1 & %s}}"},
    {"set", "{%v [element] %d {%b #%1 == 1}}"},
    {"set", "{[Aa]%v [element] %s {%b #%1 == 1}}"},
    {"set", "{local dictionary %v %1[{ %n }]=%s %1[{ %n }]}"},
    {"set", "{local dictionary %v %1[{%q}]=%s %1[{%q}]=%s %1[{%q}]}"},
    {"set", "{square %v in %s {%b #%1 == 1}}"},
    {"set", "{%v=%s %1}"},
    {"set", "{piece %v in %s {parent:%1}}"},
    {"set", "{%v=? %s %1}"},
    {"set", "{--(%s)}"},
    {"set", "{legal %d--}"},
    {"set", "{pseudolegal --}"},
    {"set", "{move from {%s} %(to {%s}|capture {%s}|promote %D|previous|primary%)}"},
    {"set", "{move to {%s} %(from {%s}|capture {%s}|secondary|enpassant|previous%)}"},
    {"set", "{move capture {%s} %(from {%s}|to {%s}|enpassantsquare {%s}|previous|primary%)}"},
    {"set", "{move from {%s} legal %(to {%s}|enpassant%)}"},
    {"set", "from"},
    {"set", "to"},
    {"set", "{position %n & %p}"},
    {"set", "{currentmove --(%s)}"},
    {"int", "%i"},
    {"int", "%i"},
    {"int", "{%n + %n}"},
    {"int", "{%n - %n}"},
    {"int", "{%n * %n}"},
    {"int", "{%n / %n}"},
    {"int", "{%n % %n}"},
    {"int", "{-%n}"},
    {"int", "#%s"},
    {"int", "#%s"},
    {"int", "{#%q}"},
    {"int", "{max(%n %n)}"},
    {"int", "{min(%n %n %n)}"},
    {"int", "{if %b then %n else %n}"},
    {"int", "{%b %n}"},
    {"int", "{%n < %n}"},
    {"int", "{%s >= %n}"},
    {"int", "{%v=%n %1}"},
    {"int", "{%v=%n %1+=%n %1}"},
    {"int", "{%p:%n}"},
    {"int", "{find all %b}"},
    {"int", "{find count %b}"},
    {"int", "{elo white}"},
    {"int", "clock"},
    {"int", "elapsed"},
    {"int", "eval"},
    {"int", "elo"},
    {"int", "{indexof(%q %q)}"},
    {"int", "{countmoves --}"},
    {"int", "{countmoves legal --}"},
    {"int", "{path -- %b}"},
    {"int", "{path %d-- * --}"},
    {"int", "{line --> %b --> %b}"},
    {"int", "{line --> %b {+}}"},
    {"int", "{ascii %q}"},
    {"int", "{--(%n)}"},
    {"int", "{distance(%p %p)}"},
    {"int", "{path focus %d --{1,3}}"},
    {"int", "{path max #%s --{,3} --}"},
    {"int", "{line <-- %b <-- %b}"},
    {"int", "{move legal count %(from {%s}|to {%s}|o-o%)}"},
    {"int", "{move pseudolegal %(from {%s}|to {%s}|castle|enpassant%) count}"},
    {"int", "{%b sort %n}"},
    {"int", "{sort \"largest\" #%s}"},
    {"int", "{sort min \"least\" {%n + 0}}"},
    {"int", "{sort quiet #%s}"},
    {"int", "{atomic %v=%n path -- {%1+=1 %b} --* {%1>2}}"},
    {"int", "{atomic %v=%n path --{1,2} {%1-=%n %b} -- {%1>=0}}"},
    {"int", "{local dictionary %v %1[{%s}]=%n %1[{%s}]}"},
    {"int", "{local dictionary %v %1[{%p}]=%n %1[{%p}]=%n #%1}"},
    {"int", "{local dictionary %v %1[{ %n }]=%n %1[{ %n }]=%n %w [element] %1 {comment(%2) %1[%2]=%n} #%1}"},
    {"int", "{path %(verbose|title \"part\"|keepallbest|quiet%) -- %b}"},
    {"int", "{path focus %d %(piecepath|verbose|title \"hero\"%) --{,3}}"},
    {"int", "{path singlecolor %(piecepath|verbose|keepallbest%) --{,2} --}"},
    {"bool", "{%s}"},
    {"bool", "{%s}"},
    {"bool", "{not %b}"},
    {"bool", "{%b and %b}"},
    {"bool", "{%b or %b}"},
    {"bool", "{%n < %n}"},
    {"bool", "{%n == %n}"},
    {"bool", "{%n != %n}"},
    {"bool", "{%n <= %n < %n}"},
    {"bool", "{%s == %s}"},
    {"bool", "{%s != %s}"},
    {"bool", "{%s in %s}"},
    {"bool", "{%s > %n}"},
    {"bool", "{%q < %q}"},
    {"bool", "{%q == %q}"},
    {"bool", "{%q in %q}"},
    {"bool", "{if %b then %b else %b}"},
    {"bool", "{%b %b}"},
    {"bool", "{%p:%b}"},
    {"bool", "{%v=%n}"},
    {"bool", "{%v=%s %1|=%s #%1>2}"},
    {"bool", "{[forall] %v [element] %s {%b}}"},
    {"bool", "{square all %v in %s {%s & %1}}"},
    {"bool", "{find %b}"},
    {"bool", "{find <-- %b}"},
    {"bool", "{find 1 3 %b}"},
    {"bool", "{equal(%n %n)}"},
    {"bool", "{result 1-0}"},
    {"bool", "{player white \"Player A\"}"},
    {"bool", "{%p == %p}"},
    {"bool", "{%p [<] %p}"},
    {"bool", "{fen \"......../......../......../......../....P.../......../......../........\"}"},
    {"bool", "{comment(%n %s)}"},
    {"bool", "{%d--%d}"},
    {"bool", "{%d[x]%d}"},
    {"bool", "{--(%b)}"},
    {"bool", "{%d--(%b %b)}"},
    {"bool", "{--=Q}"},
    {"bool", "{currentmove %d--}"},
    {"bool", "{previous [x]%d}"},
    {"bool", "{move %(from {%s}|to {%s}|capture {%s}|promote %D|previous|primary|castle%)}"},
    {"bool", "{move %(from {%s}|to {%s}|capture {%s}|enpassant|secondary|o-o-o|previous%)}"},
    {"bool", "{move %(null|from {%s}|to {%s}|previous|primary%)}"},
    {"bool", "{move legal %(from {%s}|to {%s}|o-o-o|enpassantsquare {%s}%)}"},
    {"bool", "{move %(from {%s}|to {%s}|previous%) comment(%n %s)}"},
    {"bool", "{[forall] [Aa]%v [element] %d {%b %1}}"},
    {"bool", "{local dictionary %v %1[{%s}]=%s %1[{%s}]=%s %w [element] %1 {comment(%2 %1[%2])} %1[{%s}]}"},
    {"bool", "{local dictionary %v %1[{%q}]=%q %w [element] %1 {%b comment(%2)} %1[{%q}]}"},
    {"bool", "{local dictionary %v %1[{%s}]=%q unbind %1[{%s}] %b #%1>0}"},
    {"bool", "{local dictionary %v %1[{%p}]=%s %w [element] %1 {%2:%b comment(%2)}}"},
    {"bool", "{message(%n %s)}"},
    {"bool", "{message quiet %q}"},
    {"bool", "{settag(\"Mark\" %q)}"},
    {"bool", "{%b removecomment}"},
    {"bool", "{comment %q %b}"},
    {"bool", "{/// %n %q\n}"},
    {"bool", "{path %d-- %b}"},
    {"bool", "{path (-- %b)+ --}"},
    {"bool", "{path %b -- ? -- %b}"},
    {"bool", "{path nestban --{2} %b}"},
    {"bool", "{path singlecolor -- %b}"},
    {"bool", "{path firstmatch --* %b}"},
    {"bool", "{line singlecolor --> %b --> %b}"},
    {"bool", "{echo quiet (%v %w) {%1:A == A %1 < %2 distance(%1 %2) > %n %b}}"},
    {"bool", "{echo quiet (%v %w) {%1 > %2 %1:a == %2:a}}"},
    {"bool", "{line --> (%b --> %b){1,2} --> %b}"},
    {"bool", "{move legal to %d}"},
    {"bool", "{loop {%b false}}"},
    {"bool", "{%v=3 while (%1>0) {%1-=1}}"},
    {"bool", "{ancestor(%p %p)}"},
    {"bool", "{local dictionary %v %1[{ %n }]=%n %1[{ %n }]}"},
    {"bool", "{%q ~~ \"[a-e]+\"}"},
    {"bool", "{echo (%v %w) {ply < 6 %b}}"},
    {"bool",
     "{echo quiet (%v %w) {ply < 9 %(%1 < %2|%1:%b|%2:%b|%1:k == %2:k|%1:A == a|distance(%1 %2) > %i%)}}"},
    {"bool", "{echo (%v %w) {ply < 9 %(%2 <= %1|%2:%b|%2:power A == %1:power a|%1:q == %2:Q|%b%)}}"},
    {"bool", "{echo (%v %w) {ply < 9 %(%1:power A < %2:power A + %i|%1:#P != %2:#p|abs(%1:ply - %2:ply) > %i|"
             "distance(%1 %2) < %i|not {%1:#A >= %2:#a}|%b%)}}"},
    {"bool", "{echo quiet (%v %w) {%1 < %2 %1:#{%s} < %2:#{%s}}}"},
    {"bool", "{echo quiet (%v %w) {%1:A == %2:A %1:ply - %2:ply <= %i}}"},
    {"bool", "{%v = %n find quiet {%n < %1 - %i %b}}"},
    {"bool", "{find quiet {%b find quiet <-- %b}}"},
    {"bool", "{find quiet all {%b find quiet 0 2 %b}}"},
    {"bool", "{find <-- 0 %i {%b parent:%b}}"},
    {"bool", "{%v = %i find {%b %1 < ply}}"},
    {"bool", "{path keepallbest -- --(%b)}"},
    {"bool", "{path quiet lastposition -- --? }"},
    {"bool", "{--=N}"},
    {"bool", "{primary}"},
    {"string", "\"a\""},
    {"string", "\"e4\""},
    {"string", "{str(%n %s)}"},
    {"string", "{%q + %q}"},
    {"string", "{%q[%n]}"},
    {"string", "{%q[%n:]}"},
    {"string", "{uppercase %q}"},
    {"string", "fen"},
    {"string", "{player white}"},
    {"string", "eco"},
    {"string", "{%q ~~ \"a|e\"}"},
    {"string", "{if %b then %q else %q}"},
    {"string", "{%p:%q}"},
    {"string", "{tag \"Event\"}"},
    {"string", "{local dictionary %v %1[{ %n }]=%q %1[{ %n }]=%q %1[{ %n }]}"},
    {"string", "{ascii %n}"},
    {"string", "{max(%q %q)}"},
    {"string", "{%v=%q %1+=%q %1}"},
    {"string", "date"},
    {"string", "{lowercase %q}"},
    {"string", "currenttransform"},
    {"position", "currentposition"},
    {"position", "parent"},
    {"position", "child"},
    {"position", "initialposition"},
    {"position", "{position %n}"},
    {"position", "{find %b}"},
    {"position", "{%b currentposition}"},
    {"position", "{%p:%p}"},
    {"position", "{if %b then %p else %p}"},
    {"position", "{path lastposition --{,2} --}"},
    {"position", "{local dictionary %v %1[{ %n }]=%p %1[{ %n }]}"},
    {"position", "{lca(%p %p)}"},
    {"position", "{%v=%p %1}"},
    {"position", "{find <-- %b}"},
    {"position", "{line lastposition --> %b --> %b}"},
};

// Function bodies and calls, by type. Calls nest only by their arguments.
static const Template functions[] = {
    {"set", "function common(one two) {one & up {two} | %s}"},
    {"set", "function reached(one two) {%v [element] one {%1 attacks two %b}}"},
    {"int", "function weigh(one two) {#one + %n * two}"},
    {"bool", "function among(one two) {comment(one two) {one & two} %b}"},
    {"string", "function spell(one two) {str(one) + two}"}};
static const Template calls[] = {{"set", "common(%s %s)"},
                                 {"set", "reached(%s %s)"},
                                 {"int", "weigh(%s { %n })"},
                                 {"bool", "among(%s %s)"},
                                 {"string", "spell(%s {%q})"}};

static const char *const header[] = {
    "variations", "quiet",           "silent",           "matchstring \"Found\"", "matchcount 1 30",
    "result 1-0", "gamenumber 1 40", "matchstring \"\"", "sort matchcount 0 9"};

static const char *const transforms[] = {"flip",     "flipvertical", "fliphorizontal",  "flipcolor",
                                         "rotate90", "shift",        "shifthorizontal", "shiftvertical",
                                         "rotate45", "reversecolor", "notransform"};

static const char *const pieces[] = {"K", "Q", "R", "B", "N", "P",    "k",    "q",    "r",    "b",
                                     "n", "p", "A", "a", "_", "[Aa]", "[QR]", "[rn]", "[Pp]", "[BNb]"};
static const char *const squares[] = {"e4", "a-h1", "a1-8", "d-e4-5", "a-h7-8", "[a1,h8]", "c3-6", "f-g2"};

static void value(Generator *g, const char *type, int depth);

static void designator(Generator *g, bool with_squares)
{
    bool letters = below(g, 8) > 0 || !with_squares || g->rotation;
    if (letters)
        put(g, pieces[below(g, (int)(sizeof pieces / sizeof *pieces))]);
    if (with_squares && !g->rotation && (!letters || below(g, 2)))
        put(g, squares[below(g, (int)(sizeof squares / sizeof *squares))]);
}

static void put_name(Generator *g, int number)
{
    put(g, "name");
    put_number(g, number);
}

// Returns one past the alternative that begins here: the `%)` or the `|` after it.
static const char *alternative_end(const char *text)
{
    while (*text != '|' && !(text[0] == '%' && text[1] == ')'))
        text++;
    return text;
}

// name: of %v and %w.
static void fill(Generator *g, const char *text, const char *end, int name[2], int depth);

// Some of the alternatives up to `%)`, in random order. Returns the text after them.
static const char *fill_some(Generator *g, const char *text, int name[2], int depth)
{
    enum { MOST = 8 };
    const char *first[MOST], *last[MOST];
    int count = 0;
    for (bool more = true; more; text = last[count++] + 1) {
        first[count] = text;
        last[count] = alternative_end(text);
        more = *last[count] == '|';
    }
    for (int wanted = below(g, count + 1); wanted > 0; wanted--) {
        int chosen = below(g, count--);
        fill(g, first[chosen], last[chosen], name, depth);
        put(g, " ");
        first[chosen] = first[count];
        last[chosen] = last[count];
    }
    return text;
}

static void fill(Generator *g, const char *text, const char *end, int name[2], int depth)
{
    for (; text < end; text++) {
        char one[2] = {*text, 0};
        if (*text != '%' || text[1] == ' ') {
            put(g, one);
            continue;
        }
        switch (*++text) {
        case 's':
            value(g, "set", depth - 1);
            break;
        case 'n':
            value(g, "int", depth - 1);
            break;
        case 'b':
            value(g, "bool", depth - 1);
            break;
        case 'q':
            value(g, "string", depth - 1);
            break;
        case 'p':
            value(g, "position", depth - 1);
            break;
        case 'd':
            designator(g, true);
            break;
        case 'D':
            designator(g, false);
            break;
        case 'i':
            put_number(g, below(g, 12));
            break;
        case 'v':
            put_name(g, name[0] = ++g->names);
            break;
        case 'w':
            put_name(g, name[1] = ++g->names);
            break;
        case '1':
            put_name(g, name[0]);
            break;
        case '2':
            put_name(g, name[1]);
            break;
        case '(':
            text = fill_some(g, text + 1, name, depth);
            break;
        case 'r':
            put_number(g, below(g, 3));
            put(g, " ");
            if (below(g, 2)) {
                put_number(g, 3 + below(g, 4));
                put(g, " ");
            }
            break;
        default:
            break;
        }
    }
}

static void fill_template(Generator *g, const char *text, int depth)
{
    fill(g, text, text + strlen(text), (int[2]){0}, depth);
}

static const char *operand_type(SyntaxKind kind)
{
    switch (kind) {
    case SYNTAX_SET:
    case SYNTAX_TIGHT_SET:
        return "set";
    case SYNTAX_NUMBER:
        return "int";
    case SYNTAX_STRING:
    case SYNTAX_TIGHT_STRING:
        return "string";
    case SYNTAX_POSITION:
        return "position";
    default:
        return "bool";
    }
}

// Not generated: files, ends of the search, words that need surroundings of their own.
static bool is_left_out(const Generator *g, Op op)
{
    switch (op) {
    case OP_READFILE:
    case OP_WRITEFILE:
    case OP_CQL_ABORT:
    case OP_PATHDEBUG:
    case OP_LOOP:
    case OP_NOT:
    case OP_FROM:
        return true;
    case OP_LIGHT:
    case OP_DARK:
        return g->rotation;
    default:
        return (op_info[op].dialects & IN_CQL6) == 0;
    }
}

// Files, tags and the like: their names mean something to the filter.
static bool takes_quoted(const char *syntax)
{
    for (SyntaxPart part; syntax_next(&syntax, &part);)
        if (part.kind == SYNTAX_QUOTED && !part.optional)
            return true;
    return false;
}

// A filter that the table describes completely: operands by their syntax.
static bool simple_filter(Generator *g, const char *type, int depth)
{
    int start = below(g, OP_COUNT_);
    for (int i = 0; i < OP_COUNT_; i++) {
        const Op op = (Op)((start + i) % OP_COUNT_);
        const OpInfo *info = &op_info[op];
        const char *syntax = info->syntax;
        if (syntax == NULL || takes_quoted(syntax) || is_left_out(g, op) || info->type == TYPE_ANY ||
            strcmp(type_name(info->type), type) != 0)
            continue;
        if (info->type == TYPE_BOOL && info->condition == CONDITION_ERROR)
            continue;
        put(g, "{");
        put(g, info->name);
        put(g, " ");
        for (SyntaxPart part; syntax_next(&syntax, &part);) {
            if (part.optional)
                continue;
            if (part.kind == SYNTAX_OPEN || part.kind == SYNTAX_CLOSE)
                put(g, part.kind == SYNTAX_OPEN ? "(" : ")");
            else
                value(g, operand_type(part.kind), depth - 1);
            put(g, " ");
        }
        put(g, "}");
        return true;
    }
    return false;
}

static void transformed(Generator *g, const char *type, int depth)
{
    const char *word = transforms[below(g, (int)(sizeof transforms / sizeof *transforms))];
    bool rotation = g->rotation;
    g->transform = true;
    g->rotation |= strcmp(word, "rotate45") == 0;
    put(g, "{");
    put(g, word);
    put(g, " {");
    value(g, type, depth - 1);
    put(g, "}}");
    g->transform = false;
    g->rotation = rotation;
}

// A call of one of the functions that have this type.
static bool call(Generator *g, const char *type, int depth)
{
    enum { CALLS = sizeof calls / sizeof *calls };
    int start = below(g, CALLS);
    for (int i = 0; i < CALLS; i++) {
        const Template *t = &calls[(start + i) % CALLS];
        if (strcmp(t->type, type) == 0) {
            fill_template(g, t->text, depth);
            return true;
        }
    }
    return false;
}

static void value(Generator *g, const char *type, int depth)
{
    bool can_transform = strcmp(type, "string") != 0 && strcmp(type, "position") != 0;
    if (depth > 1 && !g->transform && can_transform && below(g, 12) == 0) {
        transformed(g, type, depth);
        return;
    }
    if (depth > 0 && below(g, 4) == 0 && simple_filter(g, type, depth))
        return;
    if (depth > 0 && g->functions && !g->rotation && below(g, 8) == 0 && call(g, type, depth))
        return;
    int count = (int)(sizeof templates / sizeof *templates);
    for (;;) {
        const Template *t = &templates[below(g, count)];
        bool leaf = !strstr(t->text, "%s") && !strstr(t->text, "%n") && !strstr(t->text, "%b") &&
                    !strstr(t->text, "%q") && !strstr(t->text, "%p");
        if (strcmp(t->type, type) != 0 || (depth <= 0 && !leaf))
            continue;
        if (g->rotation && strstr(t->text, "fen \""))
            continue;
        fill_template(g, t->text, depth);
        return;
    }
}

// One or two parameters of the header, of different kinds.
static void put_header(Generator *g)
{
    enum { PARAMETERS = sizeof header / sizeof *header };
    int first = below(g, PARAMETERS), second = below(g, PARAMETERS);
    put(g, "cql(input games.pgn ");
    put(g, header[first]);
    if (second != first && strstr(header[first], "matchcount") == NULL) {
        put(g, " ");
        put(g, header[second]);
    }
    put(g, ")\n");
}

static void define_functions(Generator *g)
{
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
        fill_template(g, functions[i].text, 2);
        put(g, "\n");
    }
    g->functions = true;
}

// Steps from a king, their unions and complements, which conditions use again and again: what compiled searches remember.
enum { SHARED = 4, SHARED_SIZE = 200 };

static void append(char *text, const char *end)
{
    const size_t length = strlen(text);
    snprintf(text + length, SHARED_SIZE - length, "%s", end);
}

// A set, with `first` as one of its terms unless that is NULL.
static void put_shared(Generator *g, char *text, const char *first)
{
    static const char *const directions[] = {"up",        "down",      "left",      "right",
                                             "northeast", "northwest", "southeast", "southwest"};
    const char *king = below(g, 4) > 0 ? " K" : " k";
    const int terms = below(g, 2) ? 1 : 2 + below(g, 3);
    const bool complement = below(g, 4) == 0;
    text[0] = 0;
    append(text, complement ? "(~(" : "(");
    for (int i = 0; i < terms; i++) {
        append(text, i > 0 ? " | " : "");
        if (i == 0 && first != NULL) {
            append(text, first);
        } else {
            append(text, directions[below(g, 8)]);
            append(text, below(g, 2) ? " 1" : " 2");
            append(text, king);
        }
    }
    append(text, complement ? "))" : ")");
}

static void shared_conditions(Generator *g)
{
    static const char *const forms[] = {
        "%d & %S",       "not %d & %S",   "#(%d & %S) == %N",  "%d & (%S | %S)", "#(%d & %S) + #(%d & %S) > %N",
        "%d & %S & ~%S", "%d attacks %S", "not %S attacks %d", "#%S > %N"};
    char first[SHARED_SIZE], set[SHARED][SHARED_SIZE];
    put_shared(g, first, NULL);
    for (int i = 0; i < SHARED; i++)
        put_shared(g, set[i], i == 1 ? first : NULL);
    memcpy(set[0], first, sizeof first);
    for (int left = 2 + below(g, 4); left > 0; left--) {
        for (const char *p = forms[below(g, (int)(sizeof forms / sizeof *forms))]; *p != 0; p++) {
            const char text[] = {*p, 0};
            if (*p != '%')
                put(g, text);
            else if (*++p == 'd')
                designator(g, below(g, 4) == 0);
            else if (*p == 'S')
                put(g, set[below(g, SHARED)]);
            else
                put_number(g, below(g, 4));
        }
        put(g, "\n");
    }
}

void generate_query(uint64_t seed, char *out, size_t size)
{
    Generator g = {
        .state = 0x9E3779B97F4A7C15ULL ^ (seed * 0xD1B54A32D192ED03ULL + 1), .out = out, .size = size};
    out[0] = 0;
    for (int i = 0; i < 20; i++)
        random_next(&g.state);
    if (seed % 4 == 3) {
        shared_conditions(&g);
        return;
    }
    if (below(&g, 3) == 0)
        put_header(&g);
    if (below(&g, 3) == 0)
        define_functions(&g);
    int filters = 1 + below(&g, 3);
    for (int i = 0; i < filters; i++) {
        value(&g, "bool", 1 + below(&g, 4));
        put(&g, "\n");
    }
}
