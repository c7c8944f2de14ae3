// The tokens of movetext (language reference 9.4): what each one is, and where it ends.
#include "test.h"

#include <stdio.h>
#include <stdlib.h>

#include "runtime/game/lex.h"
#include "runtime/game/view.h"

// A text, and its tokens with a letter for the kind and, of glyphs and results, the value.
typedef struct Lexed {
    const char *text, *tokens;
} Lexed;

static const char kinds[] = {
    [PGN_NUMBER] = 'n', [PGN_MOVE] = 'm', [PGN_ODD_MOVE] = 'b', [PGN_COMMENT] = 'c', [PGN_OPEN_COMMENT] = 'o',
    [PGN_LINE] = 'l',   [PGN_OPEN] = 'p', [PGN_CLOSE] = 'p',    [PGN_GLYPH] = 'g',   [PGN_IGNORED] = 'i',
    [PGN_RESULT] = 'r', [PGN_TAG] = 't',  [PGN_WORD] = 'w'};

// In memory of its own size: the sanitizers notice a byte that is read after its end.
static void check_lexed(const Lexed *cases, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const size_t length = strlen(cases[i].text);
        char *text = malloc(length + 1), found[400] = "";
        memcpy(text, cases[i].text, length);
        const char *const end = text + length;
        for (const char *p = pgn_skip_white(text, end); p < end;) {
            const PgnToken token = pgn_lex(text, p, end);
            size_t used = strlen(found);
            used += (size_t)sprintf(found + used, "%s%c", used > 0 ? " " : "", kinds[token.kind]);
            if (token.kind == PGN_GLYPH || token.kind == PGN_RESULT)
                used += (size_t)sprintf(found + used, "%d", token.value);
            assert_true(token.end > p && token.end <= end);
            sprintf(found + used, ":%.*s", (int)(token.end - p), p);
            p = pgn_skip_white(token.end, end);
        }
        if (strcmp(found, cases[i].tokens) != 0)
            fail_msg("\"%s\"\n    is %s\n    not %s", cases[i].text, found, cases[i].tokens);
        free(text);
    }
}

#define LEXED(...)                                                                                           \
    do {                                                                                                     \
        static const Lexed cases_[] = {__VA_ARGS__};                                                         \
        check_lexed(cases_, sizeof cases_ / sizeof cases_[0]);                                               \
    } while (0)

static void test_numbers(void **state)
{
    (void)state;
    LEXED({"1.", "n:1."}, {"1...", "n:1..."}, {"12", "n:12"}, {"0", "n:0"}, {"9.9", "n:9. n:9"},
          {"..", "n:.."}, {"1234567.e4", "n:1234567. m:e4"}, {"1 .e4", "n:1 n:. m:e4"}, {"1e4", "n:1 m:e4"},
          {"0e4", "n:0 m:e4"});
}

static void test_results(void **state)
{
    (void)state;
    LEXED({"1-0", "r1:1-0"}, {"0-1", "r2:0-1"}, {"1:0", "r1:1:0"}, {"0:1", "r2:0:1"},
          {"1/2-1/2", "r3:1/2-1/2"}, {"1/2:1/2", "r3:1/2:1/2"}, {"1/2", "r3:1/2"}, {"*", "r0:*"},
          {"1-1", "n:1 w:-1"}, {"0-2", "n:0 w:-2"}, {"1/3", "n:1 w:/3"}, {"2/2", "n:2 w:/2"});
    LEXED({"1/2-1/3", "n:1 w:/2-1/3"}, {"1/2-1", "n:1 w:/2-1"}, {"1/2+1/2", "r3:1/2 i:+ r3:1/2"},
          {"1-0-0", "n:1 w:-0-0"}, {"1-00", "n:1 w:-00"}, {"1-0x", "n:1 w:-0x"}, {"1-0/", "n:1 w:-0/"},
          {"1-0)", "r1:1-0 p:)"}, {"1-0{x}", "r1:1-0 c:{x}"}, {"1-0;", "r1:1-0 l:;"},
          {"1/2-1/2/", "n:1 w:/2-1/2/"}, {"1/2-1/22", "n:1 w:/2-1/22"});
}

static void test_castling(void **state)
{
    (void)state;
    LEXED({"O-O", "m:O-O"}, {"O-O-O", "m:O-O-O"}, {"OO", "m:OO"}, {"OOO", "m:OOO"}, {"0-0", "m:0-0"},
          {"0-0-0", "m:0-0-0"}, {"00", "m:00"}, {"000", "m:000"}, {"o-o", "m:o-o"}, {"ooo", "m:ooo"},
          {"O-OO", "m:O-OO"}, {"O0-o", "m:O0-o"}, {"O", "w:O"}, {"O-", "w:O-"}, {"O-P", "w:O-P"},
          {"Ohm", "w:Ohm"}, {"O-Om", "b:O-Om"}, {"O-ONf3", "m:O-O m:Nf3"}, {"O-O+", "m:O-O i:+"},
          {"O-O-+", "m:O-O g19:-+"}, {"O-O-/+", "m:O-O g17:-/+"}, {"O-O-x", "b:O-O-x"}, {"O-O--", "b:O-O--"},
          {"O-O5.", "m:O-O n:5."}, {"0-01-0", "m:0-0 r1:1-0"}, {"0-05", "b:0-05"}, {"00.", "n:00."},
          {"0-0.", "b:0-0."}, {"O-O0-1", "m:O-O r2:0-1"}, {"O-O-O-O", "b:O-O-O-O"}, {"O-O!", "m:O-O g1:!"});
}

static void test_null_moves(void **state)
{
    (void)state;
    LEXED({"--", "m:--"}, {"---", "m:---"}, {"----", "w:----"}, {"--->", "w:--->"}, {"-->", "w:-->"},
          {"--e4", "m:-- m:e4"}, {"null", "m:null"}, {"nullx", "w:nullx"}, {"null1", "w:null1"},
          {"null!", "m:null g1:!"}, {"nul", "w:nul"}, {"Z0", "m:Z0"}, {"Z0+", "m:Z0 i:+"}, {"Z01", "w:Z01"},
          {"Z0x", "w:Z0x"}, {"Z1", "w:Z1"}, {"Z", "w:Z"}, {"-", "w:-"}, {"e4--", "m:e4 m:--"},
          {"e4null", "m:e4 m:null"}, {"e4nul", "b:e4nul"});
}

static void test_pieces(void **state)
{
    (void)state;
    LEXED({"Nf3", "m:Nf3"}, {"Bb5", "m:Bb5"}, {"Ra1", "m:Ra1"}, {"Qd4", "m:Qd4"}, {"Kh8", "m:Kh8"},
          {"Nbd2", "m:Nbd2"}, {"N1d2", "m:N1d2"}, {"Nb1d2", "m:Nb1d2"}, {"Ng1-f3", "m:Ng1-f3"},
          {"Nxf3", "m:Nxf3"}, {"N:f3", "m:N:f3"}, {"Qd4:", "m:Qd4:"}, {"Nf9", "w:Nf9"}, {"Ni3", "w:Ni3"},
          {"Nf", "w:Nf"}, {"N3", "w:N3"}, {"Nx", "w:Nx"}, {"nf3", "b:nf3"}, {"kd2", "b:kd2"},
          {"qd2", "b:qd2"}, {"ra1", "b:ra1"}, {"nf", "w:nf"}, {"Sf3", "b:Sf3"}, {"Nf3Nc6", "m:Nf3 m:Nc6"},
          {"Nf3e5", "m:Nf3e5"}, {"Nf3+", "m:Nf3 i:+"}, {"Nf3#", "m:Nf3 i:#"}, {"Nf3++", "m:Nf3 i:+ i:+"},
          {"Nf3-+", "m:Nf3 g19:-+"}, {"Nf3--", "m:Nf3 m:--"}, {"Nf3-/+", "m:Nf3 g17:-/+"},
          {"Nf3=", "m:Nf3 g10:="}, {"Nf32.", "m:Nf3 n:2."}, {"Nf3123456.", "m:Nf3 n:123456."},
          {"Nf31234567.", "m:Nf31 n:234567."}, {"Nf31-0", "m:Nf3 r1:1-0"}, {"Nf3O-O", "m:Nf3 m:O-O"},
          {"Nf3o-o", "m:Nf3 m:o-o"}, {"Nf3y", "b:Nf3y"}, {"Nf3D", "m:Nf3 g201:D"}, {"Nf3Z0", "m:Nf3 m:Z0"},
          {"Nf3Pe5", "m:Nf3 m:Pe5"}, {"Nf3A", "b:Nf3A"}, {"Nf3(", "m:Nf3 p:("}, {"Nf3)", "m:Nf3 p:)"},
          {"Nf3*", "m:Nf3 r0:*"}, {"Nf3$1", "m:Nf3 g1:$1"}, {"Nf3[x", "m:Nf3 w:[x"}, {"Nf3~", "m:Nf3 g13:~"},
          {"Nf3%x", "m:Nf3 l:%x"}, {"Nf3;x", "m:Nf3 l:;x"}, {"Nf3}", "m:Nf3 i:}"}, {"Nf3\"", "m:Nf3 w:\""},
          {"Nf\"", "w:Nf\""});
}

static void test_pawns(void **state)
{
    (void)state;
    LEXED({"e4", "m:e4"}, {"Pe4", "m:Pe4"}, {"pe4", "b:pe4"}, {"exd5", "m:exd5"}, {"ed5", "m:ed5"},
          {"ed", "m:ed"}, {"de", "m:de"}, {"ec", "w:ec"}, {"ee", "w:ee"}, {"exd", "m:exd"}, {"e", "w:e"},
          {"e2e4", "m:e2e4"}, {"e2-e4", "m:e2-e4"}, {"e7e8Q", "m:e7e8Q"}, {"abc", "w:abc"}, {"edz", "w:edz"},
          {"ed!", "m:ed g1:!"}, {"e4e5", "m:e4e5"}, {"P", "w:P"}, {"Ped", "m:Ped"});
    LEXED({"a8Q", "m:a8Q"}, {"a8=Q", "m:a8=Q"}, {"a8N", "m:a8N"}, {"a8=K", "m:a8=K"}, {"a8K", "m:a8 i:K"},
          {"a8q", "m:a8q"}, {"a8=q", "m:a8=q"}, {"a8b", "m:a8b"}, {"a8=b", "m:a8=b"}, {"a8=k", "m:a8=k"},
          {"a8=", "m:a8 g10:="}, {"a8=x", "m:a8 g10:= w:x"}, {"a8Q+", "m:a8Q i:+"}, {"a8Qd5", "m:a8 m:Qd5"},
          {"a8Q1", "m:a8 w:Q1"}, {"a8Qx", "m:a8 w:Qx"}, {"a8Q-+", "m:a8Q g19:-+"},
          {"a8=Qd5", "m:a8 g10:= m:Qd5"}, {"axb8Q", "m:axb8Q"}, {"abQ", "m:abQ"}, {"ab=Q", "m:ab=Q"},
          {"ab=q", "m:ab g10:= w:q"}, {"abq", "w:abq"}, {"a8QNf3", "m:a8Q m:Nf3"}, {"a8qq", "b:a8qq"});
    LEXED({"e4:", "m:e4:"}, {"ed5x", "m:ed5x"}, {"a7xb", "m:a7xb"}, {"a7b", "m:a7b"}, {"b7b", "m:b7b"},
          {"a7xbQ", "m:a7xbQ"}, {"a7x8b", "m:a7x8b"}, {"b8b8b", "m:b8b8b"});
    LEXED({"exd6ep", "m:exd6 i:ep"}, {"exd6e.p.", "m:exd6 i:e.p."}, {"exd6 e.p", "m:exd6 i:e.p"},
          {"ep", "i:ep"}, {"e.p.", "i:e.p."}, {"epx", "w:epx"}, {"ep1", "w:ep1"}, {"e.", "w:e."},
          {"e.q", "w:e.q"}, {"ep!", "i:ep g1:!"});
}

static void test_glyphs(void **state)
{
    (void)state;
    LEXED({"$1", "g1:$1"}, {"$0", "g0:$0"}, {"$255", "g255:$255"}, {"$256", "g0:$256"},
          {"$99999999999", "g0:$99999999999"}, {"$", "w:$"}, {"$x", "w:$x"}, {"$1$2", "g1:$1 g2:$2"},
          {"$007", "g7:$007"}, {"$2550", "g0:$2550"}, {"$2559", "g0:$2559"}, {"$1000", "g0:$1000"},
          {"!", "g1:!"}, {"?", "g2:?"}, {"!!", "g3:!!"}, {"?\?", "g4:?\?"}, {"!?", "g5:!?"}, {"?!", "g6:?!"},
          {"!!?", "g3:!!?"}, {"?!?!", "g6:?!?!"}, {"!?x", "g5:!? w:x"});
    LEXED({"=", "g10:="}, {"~", "g13:~"}, {"+=", "g14:+="}, {"+/=", "g14:+/="}, {"=+", "g15:=+"},
          {"=/+", "g15:=/+"}, {"+/-", "g16:+/-"}, {"-/+", "g17:-/+"}, {"+-", "g18:+-"}, {"-+", "g19:-+"},
          {"+", "i:+"}, {"++", "i:+ i:+"}, {"#", "i:#"});
    LEXED({"=/-", "g10:= w:/-"}, {"=x+", "g10:= w:x+"}, {"=/", "g10:= w:/"}, {"+/+", "i:+ w:/+"},
          {"+x=", "i:+ w:x="}, {"+x-", "i:+ w:x-"}, {"+/", "i:+ w:/"}, {"-/-", "w:-/-"}, {"-x+", "w:-x+"},
          {"-/=", "w:-/="}, {"--+", "m:-- i:+"}, {"~~", "g13:~ g13:~"}, {"==", "g10:= g10:="},
          {"+=+", "g14:+= i:+"}, {"=++", "g15:=+ i:+"});
    LEXED({"N", "g146:N"}, {"D", "g201:D"}, {"Diagram", "i:Diagram"}, {"D1", "i:D1"}, {"D)", "g201:D p:)"},
          {"B", "i:B"}, {"R", "i:R"}, {"Q", "i:Q"}, {"K", "i:K"}, {"N!", "g146:N g1:!"}, {"B.", "i:B n:."},
          {"N-", "w:N-"}, {"B:", "w:B:"}, {"A", "w:A"});
}

// Moves in the spelling of other programs, languages and books, and words that may be moves.
static void test_other_spellings(void **state)
{
    (void)state;
    LEXED({"♘f3", "m:♘f3"}, {"♟exd5+", "m:♟exd5 i:+"},
          {"♘\xEF\xB8\x8E"
           "bd2!",
           "m:♘\xEF\xB8\x8E"
           "bd2 g1:!"},
          {"♘", "b:♘"}, {"a8=♛", "m:a8=♛"}, {"a8♕+", "m:a8♕ i:+"}, {"e2–e4", "m:e2–e4"}, {"B×f7", "m:B×f7"},
          {"B×", "i:B w:×"}, {"0–0–0", "m:0–0–0"}, {"O—O+", "m:O—O i:+"}, {"e4–+", "m:e4 g19:–+"},
          {"e4+−", "m:e4 g18:+−"}, {"Nс3", "m:Nс3"}, {"ехd5", "m:ехd5"});
    LEXED({"Sf3", "b:Sf3"}, {"Sbd2+", "b:Sbd2 i:+"}, {"Dxh7#", "b:Dxh7 i:#"}, {"Dxh7{x}", "b:Dxh7 c:{x}"},
          {"Крf2", "b:Крf2"}, {"Ф", "w:Ф"}, {"a8=D+", "m:a8=D i:+"}, {"a8D", "m:a8D"}, {"e4D", "m:e4 g201:D"},
          {"a8(Q)", "m:a8(Q)"}, {"a8=(q)+", "m:a8=(q) i:+"}, {"a8/R", "m:a8/R"}, {"a1(D)", "m:a1(D)"},
          {"a8(1.", "m:a8 p:( n:1."}, {"a7a8q", "m:a7a8q"}, {"a7(Q)", "m:a7 p:( i:Q p:)"},
          {"a8Rch", "m:a8R i:ch"},
          {"a8\xA0"
           "Q",
           "m:a8 i:Q"});
    LEXED({"5254", "b:5254"}, {"57781", "b:57781"}, {"57785", "n:57785"}, {"5254!", "b:5254 g1:!"},
          {"5254.", "n:5254."}, {"5259", "n:5259"}, {"525", "n:525"}, {"1.5254 5755", "n:1. b:5254 b:5755"},
          {"5254x", "n:5254 w:x"}, {"P@f6", "b:P@f6"}, {"N@f6", "b:N@f6"}, {"Q@f6", "b:Q@f6"},
          {"@f6", "b:@f6"}, {"PxP", "b:PxP"}, {"P-K4", "b:P-K4"},
          {"Kt-KB3", "b:Kt-KB3"}, {"E4", "b:E4"}, {"C42", "w:C42"}, {"word", "w:word"},
          {"Nimzo-Indian", "w:Nimzo-Indian"}, {"novelty(see", "w:novelty p:( w:see"},
          {"novelty{e5}", "w:novelty c:{e5}"});
    LEXED({"ch", "i:ch"}, {"Qh5ch", "m:Qh5 i:ch"}, {"Qh5ch.", "m:Qh5 i:ch."}, {"dbl", "i:dbl"},
          {"dis.ch!", "i:dis. i:ch g1:!"}, {"e4disch", "m:e4 i:disch"}, {"mate", "i:mate"},
          {"Qxf7mate.", "m:Qxf7 i:mate."}, {"checkmate", "i:checkmate"}, {"checks", "w:checks"},
          {"cha", "w:cha"}, {"Qh5†", "m:Qh5 i:†"}, {"Qh5‡", "m:Qh5 i:‡"});
    LEXED({"1…Nf6", "n:1… m:Nf6"}, {"…", "n:…"}, {"1–0", "r1:1–0"}, {"0—1", "r2:0—1"}, {"½-½", "r3:½-½"},
          {"½", "r3:½"}, {"½–½)", "r3:½–½ p:)"}, {"\xBD-\xBD", "r3:\xBD-\xBD"}, {"1 - 0", "r1:1 - 0"},
          {"0 :  1", "r2:0 :  1"}, {"1/2 - 1/2", "r3:1/2 - 1/2"}, {"1 - 1", "n:1 w:- n:1"},
          {"1 -- e5", "n:1 m:-- m:e5"}, {"1 - 0x", "n:1 w:- n:0 w:x"});
}

static void test_texts(void **state)
{
    (void)state;
    LEXED({"{a}", "c:{a}"}, {"{}", "c:{}"}, {"{a {b} c}d", "c:{a {b} c} w:d"}, {"{a {b}", "c:{a {b}"},
          {"{", "o:{"}, {"}", "i:}"}, {"{a}}", "c:{a} i:}"}, {";a {\nb5", "l:;a { m:b5"},
          {"%a\rb5", "l:%a m:b5"}, {";", "l:;"}, {"()", "p:( p:)"}, {"abc)d", "w:abc p:) w:d"},
          {"<>", "m:<>"}, {"<", "w:<"}, {"@@@@", "m:@@@@"}, {"@@@", "b:@@@"},
          {"\xE2\x99\x98"
           "f3",
           "m:\xE2\x99\x98"
           "f3"},
          {"0000", "b:0000"});
    // A tag line: a name, white space, a quotation mark, at the beginning of a line.
    LEXED({"[A \"b\"]\nc4", "t:[A \"b\"] m:c4"}, {"e4\n [A \"b\"]", "m:e4 t:[A \"b\"]"},
          {"e4 [A \"b\"]", "m:e4 w:[A w:\"b\"]"}, {"e4\r\t\xEF\xBB\xBF[A \"b\"]", "m:e4 t:[A \"b\"]"},
          {"[A\"b\"]", "t:[A\"b\"]"}, {"[A b]", "w:[A w:b]"}, {"[ A \"b\"]", "t:[ A \"b\"]"},
          {"[A  \"", "t:[A  \""}, {"[A", "w:[A"}, {"[A ", "w:[A"}, {"[ \"b\"]", "w:[ w:\"b\"]"},
          {"[A\n\"b\"]", "w:[A w:\"b\"]"}, {"[A] \"b\"", "w:[A] w:\"b\""});
}

// Whether a tag line begins, as soon as that can be known, whatever follows.
static void test_tag_lines(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        int known, tag; // the bytes of it that tell, and what they tell
    } cases[] = {
        {"[A \"b\"]", 4, 1}, {"[A  \"\"", 5, 1}, {"[ \t A\t\"", 7, 1}, {"[A]  \"", 3, 0},   {"[] \"\"", 2, 0},
        {"[\"A\"", 2, 0},    {"[A\"b\"", 3, 1},  {"[A\n\"b\"", 3, 0},  {"[A\r\"b\"", 3, 0}, {"[A x\"", 4, 0},
        {"[A \n\"", 4, 0},   {"[\nA \"", 2, 0},  {"[ \rA \"", 3, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *const text = cases[i].text;
        for (int length = 1; length <= (int)strlen(text); length++)
            assert_int_equal(pgn_is_tag_line(text, text + length),
                             length < cases[i].known ? -1 : cases[i].tag);
    }
}

// The longest text of braces that nest, and one brace more: 16 levels.
#define OPEN_16 "{{{{{{{{{{{{{{{{"
#define CLOSED_16 "}}}}}}}}}}}}}}}}"

static void test_inner_comments(void **state)
{
    (void)state;
    // they nest unless a move follows the first }
    LEXED({"{a {b} c}", "c:{a {b} c}"},
          {"{a {b}\n{c {d}} 1-0 * de -- ; 12. $1 !}", "c:{a {b}\n{c {d}} 1-0 * de -- ; 12. $1 !}"},
          {"{a {b} e5 c }", "c:{a {b} m:e5 w:c i:}"}, {"{a {b} 2.Nf3}", "c:{a {b} n:2. m:Nf3 i:}"},
          {"{a {b} (O-O)}", "c:{a {b} p:( m:O-O p:) i:}"}, {"{a {b} {e5} c}", "c:{a {b} {e5} c}"},
          {"{a {{b} e5} c}", "c:{a {{b} m:e5 i:} w:c}"}, {"{a {{b}} e5}", "c:{a {{b} i:} m:e5 i:}"},
          {"{a {b} nf3}", "c:{a {b} b:nf3 i:}"}, {"{a {b} 1858}", "c:{a {b} 1858}"});
    // nor without as many closing ones, nor around a tag line
    LEXED({"{a {b} c", "c:{a {b} w:c"}, {"{a {b} {c} d", "c:{a {b} c:{c} w:d"}, {"{a {b", "o:{a {b"},
          {"{a {b}\n[c \"d\"] e}", "c:{a {b} t:[c \"d\"] e}"},
          {"{a {b} [c \"d\"] e}", "c:{a {b} [c \"d\"] e}"});
    // a comment with { that a tag line comes before has no end
    LEXED({"{a\n[b \"c\"] {d} e5", "o:{a\n[b \"c\"] {d} e5"},
          {"{a\n[b \"c\"] {d} e}", "c:{a\n[b \"c\"] {d} e}"}, {"{a\n[b \"c\"]}", "c:{a\n[b \"c\"]}"});
    LEXED({OPEN_16 CLOSED_16, "c:" OPEN_16 CLOSED_16}, {"{" OPEN_16 "}}", "c:{" OPEN_16 "} i:}"});
}

// No-break spaces in UTF-8 and Latin-1 and byte order marks are white space, not the same bytes in other characters.
static void test_white(void **state)
{
    (void)state;
    LEXED({" \t\n\v\f\re4", "m:e4"},
          {"e4\xC2\xA0"
           "e5\xA0"
           "c4\xEF\xBB\xBF"
           "c5",
           "m:e4 m:e5 m:c4 m:c5"},
          {"\xC2\xA0", ""}, {"\xA0", ""}, {"\xEF\xBB\xBF", ""}, {"y\xC2\xA0z", "w:y w:z"},
          {"y\xA0z", "w:y w:z"}, {"\xC3\xA0z", "w:\xC3\xA0z"}, {"\xC2\xA1z", "w:\xC2\xA1z"},
          {"\xC2", "w:\xC2"}, {"\xEF\xBB", "w:\xEF\xBB"}, {"\xEF", "w:\xEF"},
          {"\xEF\xBB\xBEz", "w:\xEF\xBB\xBEz"}, {"y\xEF\xBB\xBFz", "w:y w:z"},
          {"y\xEF\xBCz", "w:y\xEF\xBCz"});
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_numbers),  cmocka_unit_test(test_results),
        cmocka_unit_test(test_castling), cmocka_unit_test(test_null_moves),
        cmocka_unit_test(test_pieces),   cmocka_unit_test(test_pawns),
        cmocka_unit_test(test_glyphs),   cmocka_unit_test(test_other_spellings),
        cmocka_unit_test(test_texts),    cmocka_unit_test(test_inner_comments),
        cmocka_unit_test(test_white),    cmocka_unit_test(test_tag_lines),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
