// Patterns of CQL-S as regular expressions (language reference 12b.4).
#include "internal.h"

#include <stdlib.h>
#include <string.h>

#include "compiler/front/shared/characters.h"
#include "runtime/value/buffer.h"

// ---- the text ---------------------------------------------------------------------------------------------

typedef enum PartKind {
    PART_END,
    PART_LITERAL,
    PART_ANY,  // `*`
    PART_ONE,  // `?`
    PART_BLANK // a run of blanks
} PartKind;

typedef struct Part {
    PartKind kind;
    unsigned char byte;          // of a literal
    bool in_group;               // ( … ): wildcards stay within a word
    bool in_braces;              // { … }: blanks and delimiters are only themselves
    bool word_starts, word_ends; // asserted before, after this part
} Part;

typedef struct Parts {
    Part *part; // the last one is PART_END
    int count;
} Parts;

typedef struct Mark {
    const char *at;
    bool paired;
} Mark;

static bool is_delimiter(unsigned char byte)
{
    return byte != '\0' && strchr("!?.,;:", byte) != NULL;
}

static bool in_word(unsigned char byte)
{
    return byte >= 0x80 || (byte >= '0' && byte <= '9') || ((byte | 32) >= 'a' && (byte | 32) <= 'z');
}

// An opening sign and the next sign are a pair if that closes it; otherwise neither is paired with anything.
static Mark *find_pairs(Cql3 *c, const char *text)
{
    Mark *mark = arena_alloc(c->arena, (strlen(text) + 1) * sizeof *mark);
    int count = 0;
    for (const char *p = text; *p != '\0'; p++) {
        if (*p == '\\' && p[1] != '\0')
            p++;
        else if (strchr("(){}", *p) != NULL)
            mark[count++].at = p;
    }
    for (int i = 0; i + 1 < count; i++) {
        const char open = *mark[i].at, close = *mark[i + 1].at;
        if (open != '(' && open != '{')
            continue;
        mark[i].paired = mark[i + 1].paired = close == (open == '(' ? ')' : '}');
        i++;
    }
    return mark;
}

static bool wildcard_or_in_word(const char *p)
{
    return *p == '*' || *p == '?' || (*p == '\\' ? in_word((unsigned char)p[1]) : in_word((unsigned char)*p));
}

typedef struct Scan {
    Cql3 *c;
    const Item *item;
    Parts parts;
    bool in_group, in_braces, word_starts;
    bool never; // a word ends before the first part
} Scan;

static void add_part(Scan *s, PartKind kind, char byte)
{
    const Part part = {.kind = kind,
                       .byte = (unsigned char)byte,
                       .in_group = s->in_group,
                       .in_braces = s->in_braces,
                       .word_starts = s->word_starts};
    s->word_starts = false;
    ARENA_PUSH(s->c->arena, s->parts.part, s->parts.count, part);
}

static void end_word(Scan *s)
{
    if (s->parts.count > 0)
        s->parts.part[s->parts.count - 1].word_ends = true;
    else
        s->never = true;
}

static void read_sign(Scan *s, const char *p, bool paired)
{
    const bool brace = *p == '{' || *p == '}', opens = *p == '(' || *p == '{';
    if (brace && !paired) {
        add_part(s, PART_LITERAL, *p);
        return;
    }
    if (brace)
        s->in_braces = opens;
    else if (paired)
        s->in_group = opens;
    const Part *last = s->parts.count > 0 ? &s->parts.part[s->parts.count - 1] : NULL;
    const bool after_word = last != NULL && last->in_braces &&
                            (last->kind != PART_LITERAL || in_word(last->byte)) && last->kind != PART_BLANK;
    if (opens)
        s->word_starts |= !brace || wildcard_or_in_word(p + 1);
    else if (!brace || after_word)
        end_word(s);
}

static bool read_character(Scan *s, const char **text)
{
    const char *p = *text;
    const bool escaped = *p == '\\' && p[1] != '\0';
    p += escaped;
    if (s->in_group && (is_space(*p) || (is_delimiter((unsigned char)*p) && (escaped || *p != '?'))))
        return cql3_error(s->c, s->item->span,
                          "`( )` in a pattern may not contain blanks or delimiters, found `%c`", *p);
    if (escaped || strchr("*? \t", *p) == NULL || (is_space(*p) && s->in_braces))
        add_part(s, PART_LITERAL, *p);
    else if (*p == '*')
        add_part(s, PART_ANY, 0);
    else if (*p == '?')
        add_part(s, PART_ONE, 0);
    else if (s->parts.count == 0 || s->parts.part[s->parts.count - 1].kind != PART_BLANK)
        add_part(s, PART_BLANK, 0);
    *text = p + 1;
    return true;
}

// ---- the regular expression -------------------------------------------------------------------------------

#define LETTER "A-Za-z0-9\\x80-\\xFF"

static void put(Buffer *out, const char *text)
{
    buffer_append(out, text, strlen(text));
}

static void put_literal(Buffer *out, unsigned char byte, bool sensitive)
{
    char text[3] = {(char)byte, '\0', '\0'};
    if (!sensitive && byte >= 'A' && byte <= 'Z')
        text[0] = (char)(byte | 32);
    if (strchr(".^$*+?()[]{}|\\", (char)byte) != NULL) {
        text[1] = text[0];
        text[0] = '\\';
    }
    put(out, text);
}

// A letter is next, and none before.
static void put_word_start(Buffer *out, const Part *next)
{
    const bool wildcard = next->kind == PART_ANY || next->kind == PART_ONE;
    if (wildcard)
        put(out, "(?:\\b(?=[A-Za-z0-9])|\\B(?=[\\x80-\\xFF]))");
    else if (next->kind != PART_LITERAL || !in_word(next->byte))
        put(out, "(?!)");
    else
        put(out, next->byte < 0x80 ? "\\b" : "\\B");
}

// The part ends with a letter, and none is next.
static void put_word_end(Buffer *out, const Part *last)
{
    if (last->kind == PART_ANY)
        put(out, "(?:\\b|[\\x80-\\xFF])");
    else if (last->kind == PART_ONE)
        put(out, "\\b");
    else if (last->kind != PART_LITERAL || !in_word(last->byte))
        put(out, "(?!)");
    put(out, "(?![" LETTER "])");
}

static bool touches_delimiter(const Part *part, const Part *first)
{
    const Part *after = part + 1, *before = part > first ? part - 1 : NULL;
    return (after->kind == PART_LITERAL && !after->in_braces && is_delimiter(after->byte)) ||
           (before != NULL && before->kind == PART_LITERAL && !before->in_braces &&
            is_delimiter(before->byte));
}

static void put_part(Buffer *out, const Part *part, const Part *first, bool sensitive)
{
    if (part->word_starts)
        put_word_start(out, part);
    if (part->kind == PART_LITERAL)
        put_literal(out, part->byte, sensitive);
    else if (part->kind == PART_ANY)
        put(out, part->in_group ? "[^ !?.,;:]*" : ".*");
    else if (part->kind == PART_ONE)
        put(out, part->in_group ? "[^ !?.,;:\\x80-\\xBF][\\x80-\\xBF]*" : "[^\\x80-\\xBF][\\x80-\\xBF]*");
    else if (part->kind == PART_BLANK)
        put(out, touches_delimiter(part, first) ? " *" : " +");
    if (part->word_ends)
        put_word_end(out, part);
}

// Blanks after commas, and dots and blanks at the end, are not seen in the names of players as filters give them (9.2.1).
static bool names_blanks(const Parts *parts)
{
    for (int i = 0; parts->part[i].kind != PART_END; i++) {
        const Part *part = &parts->part[i], *next = part + 1;
        const bool literal = part->kind == PART_LITERAL, comma = literal && part->byte == ',';
        if ((literal && (part->byte == ' ' || part->in_braces || (part->byte == '(' || part->byte == ')'))) ||
            (comma && next->kind != PART_BLANK && next->kind != PART_ANY && next->kind != PART_END) ||
            (literal && part->byte == '.' && next->kind == PART_END))
            return true;
    }
    return false;
}

// What a pattern without assertions and blanks can match.
static void weigh(Cql3Pattern *pattern, const Parts *parts, bool never)
{
    int wildcards = 0, literals = 0, others = 0;
    char *plain = pattern->plain;
    for (const Part *part = parts->part; part->kind != PART_END; part++) {
        const bool question = part->kind == PART_ONE || (part->kind == PART_LITERAL && part->byte == '?');
        wildcards += part->kind == PART_ANY;
        literals += part->kind == PART_LITERAL;
        others +=
            part->kind == PART_BLANK || part->word_starts || part->word_ends ? 2 : part->kind != PART_ANY;
        pattern->question |= question;
        *plain++ = (char)(!pattern->sensitive && part->byte >= 'A' && part->byte <= 'Z' ? part->byte | 32
                                                                                        : part->byte);
    }
    others += 2 * (never || parts->part[parts->count - 1].word_starts);
    if (literals + 1 != parts->count || others != literals)
        pattern->plain = NULL;
    pattern->empty = others == 0;
    pattern->everything = others == 0 && wildcards > 0;
    pattern->question = pattern->everything || (pattern->question && others == 1);
}

bool cql3_pattern(Cql3 *c, const Item *item, Cql3Pattern *pattern)
{
    const char *text = item->text;
    *pattern = (Cql3Pattern){.sensitive = *text == '!'};
    text += pattern->sensitive;
    Scan s = {.c = c, .item = item};
    for (const Mark *mark = find_pairs(c, text); *text != '\0';) {
        if (text == mark->at) {
            read_sign(&s, text, mark->paired);
            mark++;
            text++;
        } else if (!read_character(&s, &text)) {
            return false;
        }
    }
    s.in_group = s.in_braces = false;
    add_part(&s, PART_END, 0);
    Buffer out = {0};
    if (s.never)
        put(&out, "(?!)");
    for (int i = 0; i < s.parts.count; i++)
        put_part(&out, &s.parts.part[i], s.parts.part, pattern->sensitive);
    pattern->regex = arena_copy(c->arena, out.start != NULL ? out.start : "", out.length);
    buffer_free(&out);
    pattern->plain = arena_alloc(c->arena, (size_t)s.parts.count + 1);
    pattern->as_written = names_blanks(&s.parts);
    weigh(pattern, &s.parts, s.never);
    return true;
}

// ---- trees ------------------------------------------------------------------------------------------------

// `?` and the empty text are no value.
Ast *cql3_is_known(Cql3 *c, Ast *value)
{
    return cql3_tree(c, "$1 ~~ \"^(?!\\?$).\"", value);
}

Ast *cql3_matches_pattern(Cql3 *c, Ast *value, const Cql3Pattern *pattern)
{
    if (pattern->everything)
        return cql3_node(c, OP_TRUE, TYPE_BOOL);
    if (pattern->empty)
        return cql3_tree(c, "not $1", cql3_is_known(c, value));
    Ast *read = pattern->sensitive ? value : cql3_tree(c, "lowercase $1", value);
    if (pattern->plain != NULL && !pattern->question)
        return cql3_tree(c, "$1 == $2", read, cql3_string(c, pattern->plain));
    return cql3_regex(c, read,
                      arena_printf(c->arena, pattern->question ? "^(?!\\?$)%s$" : "^%s$", pattern->regex));
}

Ast *cql3_holds_pattern(Cql3 *c, Ast *value, const Cql3Pattern *pattern)
{
    return cql3_regex(c, pattern->sensitive ? value : cql3_tree(c, "lowercase $1", value), pattern->regex);
}
