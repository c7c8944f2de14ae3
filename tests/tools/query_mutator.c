#include "query_mutator.h"

#include <ctype.h>
#include <string.h>

#include "tests/tools/random.h"

typedef struct Mutator {
    uint64_t state;
    Text query, other;
    Buffer *out;
} Mutator;

static size_t below(Mutator *m, size_t limit)
{
    return limit ? random_next(&m->state) % limit : 0;
}

// ---- pieces of text ---------------------------------------------------------------------------------------

// Strings that must stay strings, comments that must end where they end, and things at the limits of the
// lexer.
static const Text hostile[] = {
#define T(s)                                                                                                 \
    {                                                                                                        \
        s, sizeof s - 1                                                                                      \
    }
    T("\"*/ injected(); /*\""),
    T("\"?\?/\""),
    T("\"%s%n%d\""),
    T("\"\\\\\""),
    T("\"\\\""),
    T("\"a\\nb\""),
    T("\"\n\""),
    T("\"\xff\xfe\x80\""),
    T("\"\xc3\""),
    T("\"\\x41\\101\\u1234\""),
    T("\"'\"'\""),
    T("\"\0\""),
    T("\""),
    T("\"\""),
    T("// injected(); \\\n"),
    T("// ?\?/\n"),
    T("/* */"),
    T("/* // */ "),
    T("*/"),
    T("/*"),
    T("//\n"),
    T("///"),
    T("/// \"*/\" \\\n"),
    T("#include \"/dev/null\"\n"),
    T("\n#error injected\n"),
    T("\r\n"),
    T("\r"),
    T("\t"),
    T("\v\f"),
    T("\0"),
    T("\xef\xbb\xbf"),
    T("\xe2\x80\xa8"),
    T("\xc0\x80"),
    T("\xf4\x90\x80\x80"),
    T("\xed\xa0\x80"),
    T("$"),
    T("@"),
    T("`"),
    T("\\"),
    T("?\?/"),
    T("comment(\"*/ %s \\\" ?\?/ \\\\\")"),
    T("message \"%s%n\""),
    T("settag \"A\\\"]\" \"x\\\"]\\n\""),
    T("tag \"*/\" == \"/*\""),
    T("\"(a|b)*c\" "),
    T("event ~~ \"(\""),
    T("event ~~ \"(a*)*b\" "),
    T("event ~~ \"\\\\\""),
    T("fen ~~ \"[^\\x00-\\xff]+(?R)\" "),
    T("x=\"\" while (#x<1000000) x+=\"aaaaaaaa\""),
    T("v=0 while (true) v+=1"),
    T("function F(){F()} F()"),
    T("function Q1(x){x x} Q1(1)"),
    T("{"),
    T("}"),
    T("("),
    T(")"),
    T("["),
    T("]"),
    T("[]"),
    T("[a-h1-8]"),
    T("[KQ"),
    T("a9"),
    T("i1"),
    T("h8-1"),
    T("[a1,b2,]"),
    T("-->"),
    T("<--"),
    T("--"),
    T("->"),
    T("<-"),
    T("=="),
    T("!="),
    T("<="),
    T("="),
    T("=?"),
    T("+="),
    T("%="),
    T("&"),
    T("|"),
    T("~"),
    T("#"),
    T("{0}"),
    T("{,}"),
    T("{3,1}"),
    T("{1,99999}"),
    T("*"),
    T("+"),
    T("?"),
    T(":"),
    T("$1"),
    T("\\1"),
    T("/ 0"),
    T("% 0"),
    T("/(-1)"),
    T("-2147483648 / -1"),
    T("-2147483647-1"),
    T("2147483647+1"),
    T("abs(-2147483647-1)"),
    T("x[0:-1]"),
    T("up -7 7 ."),
    T("up 8 K"),
    T("shift shift {Pa2}"),
    T("flip shift flipcolor {K k}"),
    T("rotate45 {up K & k}"),
    T("shift {A->a}"),
    T("echo (s t) true"),
    T("find all true"),
    T("path --* --* --*"),
    T("path (--*)*"),
    T("line --> .* --> .*"),
    T("sort \"x\""),
    T("sort min 1"),
    T("persistent q=0"),
    T("dictionary D D[1]=D"),
    T("local dictionary D D[currentposition]=1"),
    T("readfile \"/etc/passwd\""),
    T("writefile(\"x\" \"y\")"),
    T("unbind x"),
    T("piece x in . x"),
    T("square x in . x"),
    T("legal --"),
    T("pseudolegal --(check)"),
    T("--=Q"),
    T("o-o"),
    T("O-O-O"),
    T("a[x]b"),
    T("\xe2\x96\xa6"),
    T("\xe2\x99\x98"),
    T("if"),
    T("then"),
    T("else"),
    T("not"),
    T("and"),
    T("or"),
    T("in"),
    T("true"),
    T("cql()"),
    T("cql(variations)"),
    T("cql(input \"x\" output \"*/\" matchcount 1 0 gamenumber 2147483647 result 1-0)"),
    T("assert false"),
    T("abort"),
#undef T
};

static const char *const numbers[] = {"0",
                                      "-1",
                                      "1",
                                      "7",
                                      "8",
                                      "64",
                                      "255",
                                      "256",
                                      "32767",
                                      "65536",
                                      "100000",
                                      "100001",
                                      "1000000",
                                      "2147483647",
                                      "2147483648",
                                      "4294967295",
                                      "4294967296",
                                      "9223372036854775807",
                                      "9223372036854775808",
                                      "99999999999999999999999999999999999999",
                                      "00000000000000000000000000000000000001",
                                      "1e9",
                                      "0x10",
                                      "3.5"};

// What begins a level of nesting, and what ends it.
static const struct Nesting {
    const char *open, *close;
} nestings[] = {{"(", ")"},
                {"{", "}"},
                {"{not ", "}"},
                {"not ", ""},
                {"~", ""},
                {"#", ""},
                {"-", ""},
                {"[", "]"},
                {"flip ", ""},
                {"flipcolor {", "}"},
                {"shift ", ""},
                {"if ", " then . else ."},
                {"K->", ""},
                {". & ", ""},
                {"1+", ""},
                {"up ", ""},
                {"parent:", ""},
                {"find ", ""},
                {"path -- ", ""},
                {"line --> ", ""},
                {"--(", ")"},
                {"/*", "*/"},
                {"true or ", ""},
                {"while (false) ", ""},
                {"sort ", ""},
                {"str(", ")"},
                {"comment(", ")"},
                {"(-- ", ")*"},
                {"square x in ", " true"},
                {"x=", ""},
                {"echo (s t) ", ""},
                {"light ", ""},
                {"abs ", ""},
                {"(", ""},
                {"{", ""}};

static const int depths[] = {1, 2, 3, 8, 40, 300, 999, 1000, 1001, 5000, 60000};

// ---- tokens -----------------------------------------------------------------------------------------------

static bool word_byte(unsigned char c)
{
    return isalnum(c) || c == '_' || c >= 0x80;
}

// A piece of text that begins at or after a random place: a word, a string, or one other character.
static Text random_token(Mutator *m, Text text)
{
    size_t i = below(m, text.length);
    const unsigned char *p = (const unsigned char *)text.start;
    while (i > 0 && word_byte(p[i]) && word_byte(p[i - 1]))
        i--;
    while (i < text.length && isspace(p[i]))
        i++;
    size_t end = i;
    while (end < text.length && word_byte(p[end]))
        end++;
    if (end == i && i < text.length && p[i] == '"') {
        const void *quote = memchr(p + i + 1, '"', text.length - i - 1);
        end = quote ? (size_t)((const unsigned char *)quote - p) + 1 : text.length;
    } else if (end == i && i < text.length) {
        end = i + 1;
    }
    return (Text){text.start + i, end - i};
}

// The query with the part at `cut` taken out and `put` in its place.
static void replace(Mutator *m, Text cut, Text put)
{
    size_t before = (size_t)(cut.start - m->query.start);
    buffer_append(m->out, m->query.start, before);
    buffer_append(m->out, put.start, put.length);
    buffer_append(m->out, cut.start + cut.length, m->query.length - before - cut.length);
}

static Text as_text(const char *s)
{
    return (Text){s, strlen(s)};
}

// ---- mutations --------------------------------------------------------------------------------------------

static void delete_token(Mutator *m)
{
    replace(m, random_token(m, m->query), (Text){"", 0});
}

static void duplicate_token(Mutator *m)
{
    Text token = random_token(m, m->query);
    Buffer twice = {0};
    for (size_t i = 2 + below(m, 3); i > 0; i--) {
        buffer_append(&twice, token.start, token.length);
        if (below(m, 2))
            buffer_text(&twice, " ");
    }
    replace(m, token, (Text){twice.start, twice.length});
    buffer_free(&twice);
}

static void swap_tokens(Mutator *m)
{
    Text a = random_token(m, m->query), b = random_token(m, m->query);
    if (a.start > b.start) {
        Text c = a;
        a = b;
        b = c;
    }
    if (a.start + a.length > b.start) {
        replace(m, a, a);
        return;
    }
    const char *end = m->query.start + m->query.length;
    buffer_append(m->out, m->query.start, (size_t)(a.start - m->query.start));
    buffer_append(m->out, b.start, b.length);
    buffer_append(m->out, a.start + a.length, (size_t)(b.start - a.start) - a.length);
    buffer_append(m->out, a.start, a.length);
    buffer_append(m->out, b.start + b.length, (size_t)(end - b.start) - b.length);
}

static void take_other_token(Mutator *m)
{
    Text token = random_token(m, m->query);
    if (below(m, 2))
        token.length = 0;
    replace(m, token, random_token(m, m->other));
}

// A longer piece of the other query, in place of nothing or of a token.
static void take_other_piece(Mutator *m)
{
    Text from = random_token(m, m->other), to = random_token(m, m->other), token = random_token(m, m->query);
    if (from.start > to.start) {
        Text c = from;
        from = to;
        to = c;
    }
    if (below(m, 2))
        token.length = 0;
    replace(m, token, (Text){from.start, (size_t)(to.start - from.start) + to.length});
}

static void insert_hostile(Mutator *m)
{
    Text token = random_token(m, m->query), text = hostile[below(m, sizeof hostile / sizeof *hostile)];
    bool spaced = below(m, 3) != 0;
    Buffer piece = {0};
    buffer_text(&piece, spaced ? " " : "");
    buffer_append(&piece, text.start, text.length);
    buffer_text(&piece, spaced ? " " : "");
    if (below(m, 2))
        token.length = 0;
    replace(m, token, (Text){piece.start, piece.length});
    buffer_free(&piece);
}

// Puts hostile bytes into a string literal of the query, when there is one.
static void poison_string(Mutator *m)
{
    static const Text poison[] = {{"*/", 2},   {"\\", 1},   {"\"", 1}, {"\n", 1},  {"?\?/", 3},
                                  {"%s%n", 4}, {"\xff", 1}, {"\0", 1}, {"\\0", 2}, {"//", 2},
                                  {"'", 1},    {"\\x4", 3}, {"]", 1},  {"}", 1},   {"{", 1}};
    Text token = random_token(m, m->query);
    for (int i = 0; i < 20 && (token.length < 2 || token.start[0] != '"'); i++)
        token = random_token(m, m->query);
    if (token.length > 0) {
        token.start += 1 + below(m, token.length - 1);
        token.length = 0;
    }
    replace(m, token, poison[below(m, sizeof poison / sizeof *poison)]);
}

static void change_byte(Mutator *m)
{
    size_t at = below(m, m->query.length);
    buffer_append(m->out, m->query.start, m->query.length);
    if (m->out->length > 0)
        m->out->start[at] =
            (char)(below(m, 2) ? m->out->start[at] ^ (1 << below(m, 8)) : (int)random_next(&m->state));
}

static void truncate_query(Mutator *m)
{
    buffer_append(m->out, m->query.start, below(m, m->query.length + 1));
}

static void change_number(Mutator *m)
{
    Text token = random_token(m, m->query);
    for (int i = 0; i < 20 && (token.length == 0 || !isdigit((unsigned char)token.start[0])); i++)
        token = random_token(m, m->query);
    replace(m, token, as_text(numbers[below(m, sizeof numbers / sizeof *numbers)]));
}

static void nest(Mutator *m)
{
    const struct Nesting *n = &nestings[below(m, sizeof nestings / sizeof *nestings)];
    int depth = depths[below(m, sizeof depths / sizeof *depths)];
    Text token = random_token(m, m->query);
    Buffer piece = {0};
    for (int i = 0; i < depth; i++)
        buffer_text(&piece, n->open);
    buffer_append(&piece, token.start, token.length);
    for (int i = 0; i < depth; i++)
        buffer_text(&piece, n->close);
    replace(m, token, (Text){piece.start, piece.length});
    buffer_free(&piece);
}

typedef void Mutation(Mutator *m);

// Gentle changes, which leave many queries acceptable, come more often than the others.
static Mutation *const mutations[] = {delete_token,     duplicate_token,  swap_tokens,      take_other_token,
                                      take_other_token, take_other_token, take_other_piece, take_other_piece,
                                      insert_hostile,   insert_hostile,   poison_string,    change_byte,
                                      truncate_query,   change_number,    change_number,    nest};

void mutate_query(uint64_t seed, Text query, Text other, Buffer *out)
{
    Mutator m = {.state = (seed + 1) * 0x9E3779B97F4A7C15ULL, .query = query, .other = other};
    for (int i = 0; i < 4; i++)
        random_next(&m.state);
    Buffer now = {0};
    buffer_append(&now, query.start, query.length);
    for (size_t steps = below(&m, 2) ? 1 : 1 + below(&m, 4); steps > 0; steps--) {
        out->length = 0;
        buffer_append(out, "", 0);
        m.out = out;
        m.query = (Text){now.start ? now.start : "", now.length};
        mutations[below(&m, sizeof mutations / sizeof *mutations)](&m);
        now.length = 0;
        buffer_append(&now, out->start ? out->start : "", out->length);
    }
    buffer_free(&now);
}
