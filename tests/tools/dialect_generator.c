#include "dialect_generator.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "tests/tools/random.h"

// In a template
//   %s set  %b condition  %n number  %q string  %p position  %l position list  %t test of a list
//   %c change of `imagine`  %d designator  %D designator without squares  %r range of small numbers
//   %v a fresh name, which %1 repeats  %w another one, %2
// everything else is text. Templates without other templates in them end the recursion.
typedef struct Template {
    char type;
    const char *text;
} Template;

static const Template cql5[] = {
    {'s', "%d"},
    {'s', "%d"},
    {'s', "%d"},
    {'s', "."},
    {'s', "lightsquares"},
    {'s', "darksquares"},
    {'s', "{%s or %s}"},
    {'s', "{%s on %s}"},
    {'s', "{not %s}"},
    {'s', "{attack (%s %s)}"},
    {'s', "{between (%s %s)}"},
    {'s', "{ray (%s %s)}"},
    {'s', "{ray attack (%s %s %s)}"},
    {'s', "{ray up right (%s %s)}"},
    {'s', "{up %s}"},
    {'s', "{diagonal 1 3 %s}"},
    {'s', "{northeast 0 2 %s}"},
    {'s', "{move from %s}"},
    {'s', "{move to %s}"},
    {'s', "{move previous from %s}"},
    {'s', "{move primary from %s to %s}"},
    {'s', "{square %v in %s attack (A%1 %s)}"},
    {'s', "{square %v in %s %b}"},
    {'s', "{piece %v in A next* {not %1}}"},
    {'s', "{piece %v in %D %b {origin %1 on %s}}"},
    {'s', "{flipcolor %s}"},
    {'s', "{flipvertical %s}"},
    {'b', "%s"},
    {'b', "%s"},
    {'b', "check"},
    {'b', "wtm"},
    {'b', "btm"},
    {'b', "terminal"},
    {'b', "mainline"},
    {'b', "mate"},
    {'b', "variation"},
    {'b', "beginvariation"},
    {'b', "stalemate"},
    {'b', "initial"},
    {'b', "{not %b}"},
    {'b', "{%b or %b}"},
    {'b', "{%b %b}"},
    {'b', "{countsquares %r %s}"},
    {'b', "{power 3 9 %s}"},
    {'b', "{powerdifference -3 4 (%s %s)}"},
    {'b', "{attack %r (%s %s)}"},
    {'b', "{ray %r (%s %s)}"},
    {'b', "{ray %r attack (%s %s)}"},
    {'b', "{ray %r orthogonal (%s %s)}"},
    {'b', "{square %r %v in %s %b}"},
    {'b', "{square all %v in %s {A%1 or %b}}"},
    {'b', "{next (%b %b)}"},
    {'b', "{next2 (%b %b)}"},
    {'b', "{next (%b %b* %b)}"},
    {'b', "{next 2 6 (%b check? %b)}"},
    {'b', "{previous (%b %b)}"},
    {'b', "{next* %b}"},
    {'b', "{next nestban (%b %b+)}"},
    {'b', "{next ((%b %b){1 2} %b)}"},
    {'b', "{next* 1 9 %b}"},
    {'b', "{previous* %b}"},
    {'b', "{next* depth 4 %b}"},
    {'b', "{next ({move from %s} %b)}"},
    {'b', "{relation %b (mismatch 0 4)}"},
    {'b', "{relation (sourcesquares %s targetsquares %s match 1 8)}"},
    {'b', "{relation %b (tomove match) (lcasum 1 6)}"},
    {'b', "{relation %b (ancestor) (mismatch 0 8)}"},
    {'b', "{relation (descendant) (lcatarget 1 3) (sourcesquares %s mismatch 1 2)}"},
    {'b', "{relation %b (lcamax 1 4) (tomove mismatch)}"},
    {'b', "{relation %b (lcasubstring 1 4)}"},
    {'b', "{relation echoflipvertical (sourcesquares %s mismatch 0)}"},
    {'b', "{relation %b echoflip (sourcesquares %s targetsquares %s match 1 9 mismatch 0 3)}"},
    {'b', "{relation %b echodihedral (sourcesquares %D mismatch 0 2) (tomove mismatch)}"},
    {'b', "{relation %b echofliphorizontal (sourcesquares %s match 0 30) (mismatch 1 64)}"},
    {'b', "{relation %b echorotate90 (sourcesquares {%D or %s} mismatch 0 2) (descendant)}"},
    {'b',
     "{terminal relation terminal echoshift (sourcesquares %D targetsquares %s match 1 6 mismatch 0 4)}"},
    {'b', "{%b relation check echoshifthorizontal (sourcesquares %s match 1 64 mismatch 0 9) (lcasum 1 4)}"},
    {'b', "{%b relation (ancestor) (lcasum 1 3) echoshiftvertical (sourcesquares %s mismatch 0 3)}"},
    {'b', "{relation %b echoshift (sourcesquares [Kk] mismatch 0) (tomove match)}"},
    {'b', "{%b relation echoshifthorizontal (sourcesquares {[Kk] or %s} mismatch 0)}"},
    {'b', "{flipcolor {%b relation %b echoflipvertical (sourcesquares %s mismatch 0 1)}}"},
    {'b', "{flip {%b relation (descendant) (lcasum 1 2) (sourcesquares %s targetsquares %s match 1 4)}}"},
    {'b',
     "{fliphorizontal {terminal relation (lcasum 1 2) echoshifthorizontal (sourcesquares %s mismatch 0 2)}}"},
    {'b', "{square %v in %s relation (sourcesquares {%1 or %s} mismatch 0 1) (lcasum 1 3)}"},
    {'b', "{relation %b (match 2 62 mismatch 0 20) (sort \"far\" lcamax 1 9)}"},
    {'b', "{relation %b (lcasource 0 3) (lcatarget 1 2) (sourcesquares %s match 0)}"},
    {'b', "{relation {relation %b (mismatch 0 3)} (lcasubstring 1 9) (match 30 64)}"},
    {'b', "{flip %r %b}"},
    {'b', "{shift 1 3 %s}"},
    {'b', "{shiftvertical %r {%s %b}}"},
    {'b', "{rotate45 1 2 {up 1 %D}}"},
    {'b', "{flipcolor {flip 1 4 %s}}"},
    {'s', "{shift %s}"},
    {'b', "{flip 2 9 {flipcolor %b}}"},
    {'b', "{flipcolor 1 2 attack ({flip %s} %s)}"},
    {'b', "{elo white 1500 3000}"},
    {'b', "{elo 0 2000}"},
    {'b', "{year 1990 2030}"},
    {'b', "result 1-0"},
    {'b', "player \"a\""},
    {'b', "player white \"Player\""},
    {'b', "movenumber 2 20"},
    {'b', "{flip %s}"},
    {'b', "{flipcolor 1 %b}"},
    {'b', "{rotate90 1 3 %s}"},
    {'b', "{shifthorizontal %b}"},
    {'b', "{fliphorizontal %b}"},
    {'b', "{move promote Q}"},
    {'b', "{move promote [Rr]}"},
    {'b', "{move enpassant}"},
    {'b', "{sort \"material\" power 0 99 %s}"},
    {'b', "{comment \"x\"}"},
    {'b', "{hascomment \"a\"}"}};

static const Template cql3[] = {
    {'l', "(position %t)"},
    {'l', "(position %t %t)"},
    {'l', "(position %t %t)"},
    {'l', "(position %t %t %t)"},
    {'l', "(position %t :flipcolor)"},
    {'l', "(position %t %t :flipvertical)"},
    {'l', "(position %d %d :flip)"},
    {'l', "(position %d :shifthorizontal)"},
    {'l', "(position %t %d :not)"},
    {'l', "(position %d %d :fliphorizontal :flipvertical)"},
    {'t', "%d"},
    {'t', "%d"},
    {'t', "%d"},
    {'t', "%d"},
    {'t', ":wtm"},
    {'t', ":btm"},
    {'t', ":check"},
    {'t', ":nocheck"},
    {'t', ":mate"},
    {'t', ":terminal"},
    {'t', ":piececount %d 1 3"},
    {'t', ":piececount %d 0 9"},
    {'t', ":attackcount %d %d 1 4"},
    {'t', ":attackcount %d %d 0"},
    {'t', ":power %d 1 20"},
    {'t', ":powerdifference %d -3 3"},
    {'t', ":ray (%d %d)"},
    {'t', ":ray (%d %d %d) 1 3"},
    {'t', ":rayattack (%d %d) 1 2"},
    {'t', ":rayorthogonal (%d %d)"},
    {'t', ":raydiagonal (%d %d) 0 2"},
    {'t', ":rayhorizontal (%d %d)"},
    {'t', ":movefrom %d"},
    {'t', ":moveto %d"},
    {'t', ":movefrom %D :moveto %D"},
    {'t', ":movenumber 2 30"},
    {'t', ":result 1-0"},
    {'t', ":elo 0 3000"},
    {'t', ":and (%l %l)"},
    {'t', ":or (%l %l)"},
    {'t', ":or (%l %l %l)"},
    {'t', ":sequence (%l %l)"},
    {'t', ":gappedsequence (%l %l)"},
    {'t', ":matchcount 1 9"},
    {'t', ":enpassant"},
    {'t', ":promote Q"},
    {'l', "(position %t %d :shift)"},
    {'l', "(position %d %t :shiftvertical :flipcolor)"},
    {'l', "(position %d %d :shiftdiagonal)"},
    {'l', "(position %d %t :flipdiagonal)"},
    {'l', "(position %d %d :flipoffdiagonal :shiftmaindiagonal)"},
    {'l', "(position %d %d :shift :accumulate sum :sumrange sum 1 3)"},
    {'l', "(position %d %t :flip :accumulate sum)"},
    {'l', "(position %t :flipvertical :pretransformmatchcount 1 4)"},
    {'l', "(position %d %d :flip :flipcolor :shifthorizontal)"},
    {'l', "(position %d :rayhorizontal (%d %d) :flip)"},
    {'l', "(position :castling Kq %d :flipcolor)"},
    {'l', "(position %d :shiftvertical :not)"},
    {'l', "(position %t :gappedsequence (%l %l) :flipcolor)"},
    {'t', ":xor (%l %l %l)"},
    {'t', ":cond (%l %l %l %l)"},
    {'t', ":not %l"},
    {'t', ":relation (:samesidetomove)"},
    {'t', ":relation (:changesidetomove :newpiececount %D %r)"},
    {'t', ":relation (:missingpiececount %d 1 2 :newpiececount U 0 1)"},
    {'t', ":relation (:ignoresidetomove :missingpiececount U 0 2 :newpiececount %d 0 2 "
          ":originaldifferentcount 1 3)"},
    {'t', ":relation (:flip :missingpiececount U 0 1 :newpiececount U 0 1)"},
    {'t', ":relation (:pattern :flip :ignoresidetomove :missingpiececount %d 0 1)"},
    {'t', ":relation (:pattern :ignoresidetomove :originalsamecount 1 9)"},
    {'l', "(position %d :terminal :relation (:pattern :shift :ignoresidetomove :newpiececount U 0 9))"},
    {'l', "(position %d :terminal :relation (:pattern :flip :shift :variations :newpiececount %d 0 9))"},
    {'l', "(position %d %d :flip :relation (:pattern :ignoresidetomove :newpiececount U 0 2 "
          ":missingpiececount U 0 2))"},
    {'l', "(position %d %d :shifthorizontal :relation (:ignoresidetomove :newpiececount N 0 2 "
          ":missingpiececount U 0 1))"},
    {'l', "(position %d :flipcolor :relation (:flip :missingpiececount N 0 2 :newpiececount n 0 1))"}};

static const Template cqli[] = {{'s', "%d"},
                                {'s', "%d"},
                                {'s', "%d"},
                                {'s', "."},
                                {'s', "[]"},
                                {'s', "{%s & %s}"},
                                {'s', "{%s | %s}"},
                                {'s', "{~%s}"},
                                {'s', "{%s attacks %s}"},
                                {'s', "{%s attackedby %s}"},
                                {'s', "{up %s}"},
                                {'s', "{diagonal 0 2 %s}"},
                                {'s', "{ray(%s %s)}"},
                                {'s', "{xray(%s %s %s)}"},
                                {'s', "{pin from %s}"},
                                {'s', "`%s"},
                                {'s', "{if %b then %s else %s}"},
                                {'s', "{%p:%s}"},
                                {'s', "{square %v in %s {%b #%1 == 1}}"},
                                {'s', "{piece %v in %s {parent:%1}}"},
                                {'s', "{%v=%s %1}"},
                                {'s', "{move from %d}"},
                                {'s', "{move to %s previous}"},
                                {'s', "{move capture %d legal}"},
                                {'s', "{move legal from %s : %b}"},
                                {'s', "{flipcolor %s}"},
                                {'s', "{move to . legal promote Q}"},
                                {'s', "{imagine remove %s : %s}"},
                                {'s', "{move from %s reverse}"},
                                {'s', "{move capture %s reverse to %s}"},
                                {'s', "{move from %s previous : %b}"},
                                {'s', "{move to %s legal primary}"},
                                {'s', "promotedpieces"},
                                {'n', "1"},
                                {'n', "3"},
                                {'n', "{%n + %n}"},
                                {'n', "{%n - %n}"},
                                {'n', "{%n / %n}"},
                                {'n', "#%s"},
                                {'n', "{#%q}"},
                                {'n', "ply"},
                                {'n', "{power %s}"},
                                {'n', "{max(%n %n)}"},
                                {'n', "{if %b then %n else %n}"},
                                {'n', "{%v=%n %1+=%n %1}"},
                                {'n', "{%p:%n}"},
                                {'n', "{find all %b}"},
                                {'n', "{move count legal}"},
                                {'n', "{move count}"},
                                {'n', "{move legal count : %b}"},
                                {'n', "{imagine %c %c : %n}"},
                                {'n', "{move reverse count}"},
                                {'n', "{move reverse from %s count : %b}"},
                                {'n', "halfmoveclock"},
                                {'n', "`%n"},
                                {'n', "{line --> %b --> %b}"},
                                {'n', "{distance(%p %p)}"},
                                {'n', "{indexof(%q %q)}"},
                                {'n', "{echo (%v %w) {ply < 4 %n}}"},
                                {'b', "{%s}"},
                                {'b', "{%s}"},
                                {'b', "check"},
                                {'b', "wtm"},
                                {'b', "mainline"},
                                {'b', "terminal"},
                                {'b', "{not %b}"},
                                {'b', "{%b and %b}"},
                                {'b', "{%b or %b}"},
                                {'b', "{%n < %n}"},
                                {'b', "{%n == %n}"},
                                {'b', "{%s == %s}"},
                                {'b', "{%s in %s}"},
                                {'b', "{%q == %q}"},
                                {'b', "{%q in %q}"},
                                {'b', "{%p == %p}"},
                                {'b', "{%p != %p}"},
                                {'b', "{%p [<] %p}"},
                                {'b', "{%p:%b}"},
                                {'b', "{find %b}"},
                                {'b', "{find quiet <-- %b}"},
                                {'b', "{find 1 3 %b}"},
                                {'b', "{move legal all : %b}"},
                                {'b', "{move null}"},
                                {'b', "{flip %b}"},
                                {'b', "{echo (%v %w) {distance(%1 %2) < 4 %b}}"},
                                {'b', "{echo quiet (%v %w) in all {%1 != %2 %b}}"},
                                {'b', "{line --> (%b --> %b){1,2} --> %b}"},
                                {'b', "{move legal : {currentmutation == %q}}"},
                                {'b', "{imagine %c : %b}"},
                                {'b', "{imagine %c %c : %b}"},
                                {'b', "{move reverse from %s : %b}"},
                                {'b', "{move reverse to %s promote A}"},
                                {'b', "{move reverse all : %b}"},
                                {'b', "{move legal : {%v = saveposition} %1:%b}"},
                                {'b', "{imagine %c : {%b %v = saveposition} %1:%b}"},
                                {'b', "{imagine %c : %v = currentposition isunbound %1}"},
                                {'b', "{move pseudolegal secondary capture %s}"},
                                {'b', "{move previous : %b}"},
                                {'b', "legalposition"},
                                {'b', "{%q ~~ %q}"},
                                {'b', "{%q ~~ \"(?<one>[a-e])\" \\{one} == %q}"},
                                {'b', "{consecutivemoves(%p %p) >= 1}"},
                                {'b', "{result 1-0}"},
                                {'b', "{comment(%n %s)}"},
                                {'b', "{loop {%b false}}"},
                                {'q', "\"a\""},
                                {'q', "\"é4\""},
                                {'q', "{%q + %q}"},
                                {'q', "currentmutation"},
                                {'q', "{imagine %c : %q}"},
                                {'q', "{move reverse : %v = currentmutation %1}"},
                                {'q', "currentfen"},
                                {'q', "{%q[%n]}"},
                                {'q', "{%q[%n:]}"},
                                {'q', "{uppercase %q}"},
                                {'q', "{player white}"},
                                {'q', "{str(%n %q)}"},
                                {'q', "{if %b then %q else %q}"},
                                {'q', "{%q ~~ \"a|é\"}"},
                                {'q', "fen"},
                                {'p', "currentposition"},
                                {'p', "parent"},
                                {'p', "child"},
                                {'p', "initialposition"},
                                {'p', "{position %n}"},
                                {'p', "{find %b}"},
                                {'p', "{lca(%p %p)}"},
                                {'p', "`%p"},
                                {'p', "saveposition"},
                                {'p', "{imagine %c : saveposition}"},
                                {'p', "{imagine %c : %p}"},
                                {'c', "sidetomove reverse"},
                                {'c', "sidetomove white"},
                                {'c', "remove {%s & [QRBNPqrbnp]}"},
                                {'c', "remove %s"},
                                {'c', "add q {%s & _}"},
                                {'c', "Nd5"},
                                {'c', "_e4"},
                                {'c', "add R {a1-8 & _}"},
                                {'c', "pe5"}};

typedef struct Language {
    Dialect dialect;
    const Template *table;
    size_t count;
    const char *const *pieces, *const *squares; // ended by NULL
    const char *name;                           // of variables, a number follows
    char top;                                   // type of what a query consists of
    const char *before, *between, *after;
} Language;

static const char *const pieces5[] = {"K", "Q", "R", "B", "N", "P", "k",    "q",    "r", "b",
                                      "n", "p", "A", "a", "U", "_", "[QR]", "[pP]", NULL};
static const char *const pieces3[] = {"K", "Q", "R", "B", "N", "P", "k",    "q",    "r", "b",
                                      "n", "p", "A", "a", "U", ".", "[QR]", "[pP]", NULL};
static const char *const piecesi[] = {"K", "Q", "R", "B", "N", "P", "k",    "q",    "r",
                                      "b", "n", "p", "A", "a", "_", "[QR]", "[Aa]", NULL};
static const char *const squares5[] = {"e4", "a-h1", "a1-8", "d-e4-5", "a-h7-8", "[a1,h8]", "c3-6", NULL};
static const char *const squares3[] = {"e4",       "[a-h1]",  "[a1-8]", "[d-e4-5]",
                                       "[a-h7-8]", "[a1,h8]", "[c3-6]", NULL};

#define TABLE(t) t, sizeof t / sizeof *t
static const Language languages[] = {
    {DIALECT_CQL5, TABLE(cql5), pieces5, squares5, "$x", 'b', "", "\n", "\n"},
    {DIALECT_CQL3, TABLE(cql3), pieces3, squares3, "", 'l', "(match ", " ", ")\n"},
    {DIALECT_CQLI, TABLE(cqli), piecesi, squares5, "name", 'b', "", "\n", "\n"},
};

typedef struct Generator {
    const Language *language;
    uint64_t state;
    char *out;
    size_t size, length;
    int names;
    int costly; // filters around this place that must not be nested
} Generator;

static int below(Generator *g, int limit)
{
    return (int)(random_next(&g->state) % (uint32_t)limit);
}

static void put(Generator *g, const char *text)
{
    const size_t length = strlen(text);
    if (g->length + length + 1 < g->size) {
        memcpy(g->out + g->length, text, length + 1);
        g->length += length;
    }
}

static void put_name(Generator *g, int number)
{
    char text[32];
    snprintf(text, sizeof text, "%s%d", g->language->name, number);
    put(g, text);
}

static void put_one_of(Generator *g, const char *const *list)
{
    int count = 0;
    while (list[count])
        count++;
    put(g, list[below(g, count)]);
}

static void put_range(Generator *g)
{
    char text[32];
    const int low = below(g, 3);
    snprintf(text, sizeof text, "%d %d", low, low + below(g, 4));
    put(g, text);
}

static bool is_leaf(const char *text)
{
    for (; (text = strchr(text, '%')) != NULL; text++)
        if (strchr("sbnqplt", text[1]) != NULL)
            return false;
    return true;
}

// Transforms inside transforms make too many copies, and pairs of positions for each pair take too long.
static bool is_costly(const char *text)
{
    return strstr(text, "relation") || strstr(text, "flip") || strstr(text, "shift") ||
           strstr(text, "rotate") || strstr(text, "reverse");
}

static void value(Generator *g, char type, int depth);

static void fill(Generator *g, const char *text, int depth)
{
    int first = 0, second = 0;
    for (; *text; text++) {
        if (*text != '%') {
            put(g, (char[]){*text, 0});
            continue;
        }
        switch (*++text) {
        case 'd':
            put_one_of(g, g->language->pieces);
            if (below(g, 2))
                put_one_of(g, g->language->squares);
            break;
        case 'D':
            put_one_of(g, g->language->pieces);
            break;
        case 'r':
            put_range(g);
            break;
        case 'v':
            put_name(g, first = ++g->names);
            break;
        case 'w':
            put_name(g, second = ++g->names);
            break;
        case '1':
            put_name(g, first);
            break;
        case '2':
            put_name(g, second);
            break;
        default:
            value(g, *text, depth - 1);
            break;
        }
    }
}

static void value(Generator *g, char type, int depth)
{
    for (;;) {
        const Template *t = &g->language->table[below(g, (int)g->language->count)];
        const bool ends = is_leaf(t->text), costly = is_costly(t->text);
        // lists of CQL 3 have no leaves, so that their tests end the recursion
        if (t->type != type || (depth <= 0 && !ends && type != 'l') || (costly && g->costly > 0))
            continue;
        g->costly += costly;
        fill(g, t->text, depth);
        g->costly -= costly;
        return;
    }
}

void generate_dialect_query(Dialect dialect, uint64_t seed, char *out, size_t size)
{
    Generator g = {
        .state = 0x9E3779B97F4A7C15ULL ^ (seed * 0xD1B54A32D192ED03ULL + 1), .out = out, .size = size};
    for (size_t i = 0; i < sizeof languages / sizeof *languages; i++)
        if (languages[i].dialect == dialect)
            g.language = &languages[i];
    out[0] = 0;
    for (int i = 0; i < 20; i++)
        below(&g, 2);
    put(&g, g.language->before);
    const int parts = 1 + below(&g, 2);
    for (int i = 0; i < parts; i++) {
        put(&g, i > 0 ? g.language->between : "");
        value(&g, g.language->top, 1 + below(&g, 3));
    }
    put(&g, g.language->after);
}
