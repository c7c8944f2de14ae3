// Finishes the code of a function: removes braces around single statements and declares locals. A local is declared
// at its first value, when that is an assignment which everything else follows; otherwise outside loops, before the
// first statement that mentions it; otherwise at the top of the function, with the value 0. Works on the code of the
// body, in which each name of a local means that local only.
#include "emit_internal.h"
#include "runtime/value/memory.h"

#include <stdlib.h>
#include <string.h>

// A block in braces.
typedef struct Block {
    int parent;
    int in_statement; // of the parent
    const char *end;
    bool repeats; // a loop's body, or in one
} Block;

typedef struct Statement {
    const char *start; // its first character, after the indentation
    const char *end;   // of its first line
} Statement;

// What the code does with a local.
typedef struct Usage {
    const char *name;
    int local;
    const char *first; // the first mention, or NULL
    int statement, block;
    int home; // innermost block with all mentions
    int assignments;
    bool begins_assigned; // the first mention begins an assignment that has no other one
    bool has_pointer;
} Usage;

typedef struct Jump {
    const char *name, *from, *to;
    size_t length;
} Jump;

typedef struct Insertion {
    const char *place;
    const char *text;
} Insertion;

typedef struct Scan {
    Emit *e;
    const char *code;
    Block *block;
    int block_count;
    Statement *statement;
    int statement_count;
    Usage *usage; // sorted by name
    int usage_count;
    Jump *jump;
    int jump_count;
    Insertion *insertion;
    int insertion_count;
    int now;         // block
    int parentheses; // that are open
    bool in_statement;
} Scan;

// ---- reading the code ------------------------------------------------------------------------------------

static int common_block(const Scan *s, int a, int b)
{
    while (a != b)
        if (a > b)
            a = s->block[a].parent;
        else
            b = s->block[b].parent;
    return a;
}

static int compare_usages(const void *a, const void *b)
{
    return strcmp(((const Usage *)a)->name, ((const Usage *)b)->name);
}

static void note_mention(Scan *s, const char *word, size_t length)
{
    char name[64];
    if (length >= sizeof name)
        return;
    memcpy(name, word, length);
    name[length] = 0;
    const Usage key = {.name = name};
    Usage *u = bsearch(&key, s->usage, (size_t)s->usage_count, sizeof *s->usage, compare_usages);
    if (u == NULL)
        return;
    // A long value begins on the next line.
    const char *after = word + length;
    const bool assigns = strncmp(after, " = ", 3) == 0 || strncmp(after, " =\n", 3) == 0;
    const bool changes = assigns || strncmp(after, " |=", 3) == 0 || strncmp(after, " &=", 3) == 0 ||
                         strncmp(after, " ^=", 3) == 0;
    const Statement *statement = &s->statement[s->statement_count - 1];
    u->assignments += changes;
    u->has_pointer |= word[-1] == '&';
    if (u->first == NULL) {
        u->first = word;
        u->statement = s->statement_count - 1;
        u->block = u->home = s->now;
        u->begins_assigned = assigns && word == statement->start;
    } else {
        u->begins_assigned &= u->statement != s->statement_count - 1;
        u->home = common_block(s, u->home, s->now);
    }
}

static void note_jump(Scan *s, const char *name, bool is_label)
{
    const size_t length = strcspn(name, ":;");
    for (int i = 0; i < s->jump_count; i++)
        if (s->jump[i].length == length && memcmp(s->jump[i].name, name, length) == 0) {
            if (is_label)
                s->jump[i].to = name;
            return;
        }
    const Jump jump = {name, name, NULL, length};
    ARENA_PUSH(s->e->arena, s->jump, s->jump_count, jump);
}

static void begin_statement(Scan *s, const char *start, const char *end)
{
    const Statement statement = {start, end};
    ARENA_PUSH(s->e->arena, s->statement, s->statement_count, statement);
}

static void begin_block(Scan *s, int statement)
{
    const char *head = s->statement[statement].start;
    const bool is_loop = strncmp(head, "for ", 4) == 0 || strncmp(head, "while ", 6) == 0;
    const Block block = {s->now, statement, NULL, is_loop || s->block[s->now].repeats};
    ARENA_PUSH(s->e->arena, s->block, s->block_count, block);
    s->now = s->block_count - 1;
}

static void read_words(Scan *s, const char *line, const char *end)
{
    for (const char *c = line; c < end;) {
        const char *word = c;
        while (emit_is_word(*c))
            c++;
        if (c > word && !(*word >= '0' && *word <= '9') &&
            (word == line || (word[-1] != '.' && word[-1] != '>')))
            note_mention(s, word, (size_t)(c - word));
        s->parentheses += *c == '(' ? 1 : *c == ')' ? -1 : 0;
        c++;
    }
}

static void read_line(Scan *s, const char *line, const char *end)
{
    line += strspn(line, " ");
    if (strncmp(line, "//", 2) == 0 || line == end)
        return;
    int statement = s->statement_count - 1;
    if (*line == '}') { // perhaps of an else, which continues the statement
        s->block[s->now].end = line;
        statement = s->block[s->now].in_statement;
        s->now = s->block[s->now].parent;
    } else if (!s->in_statement) {
        begin_statement(s, line, end);
        statement = s->statement_count - 1;
    }
    read_words(s, line, end);
    const char *jump = strstr(line, "goto ");
    if (jump != NULL && jump < end)
        note_jump(s, jump + 5, false);
    else if (end[-1] == ';' && end[-2] == ':')
        note_jump(s, line, true);
    if (end[-1] == '{')
        begin_block(s, statement);
    s->in_statement = s->parentheses > 0 || (end[-1] != ';' && end[-1] != '{' && end[-1] != '}');
}

// ---- deciding --------------------------------------------------------------------------------------------

// Does a jump lead from before the place to after it, inside the block?
static bool is_jumped_over(const Scan *s, const char *place, const Block *block)
{
    for (int i = 0; i < s->jump_count; i++)
        if (s->jump[i].from < place && s->jump[i].to > place &&
            (block->end == NULL || s->jump[i].to < block->end))
            return true;
    return false;
}

// The statement of the block `home` in which the first mention is.
static const Statement *statement_in(const Scan *s, const Usage *u)
{
    int statement = u->statement;
    for (int block = u->block; block != u->home; block = s->block[block].parent)
        statement = s->block[block].in_statement;
    return &s->statement[statement];
}

static const char *declaration(Scan *s, const Usage *u, const char *tail)
{
    const char *type = emit_type(s->e->f->local[u->local]);
    return arena_printf(s->e->arena, "%s %s = 0;\n%s", type, u->name, tail);
}

static void declare(Scan *s, const Usage *u)
{
    const char *type = emit_type(s->e->f->local[u->local]);
    const Statement *statement = statement_in(s, u);
    Insertion insertion;
    if (u->begins_assigned && u->block == u->home && !is_jumped_over(s, u->first, &s->block[u->home])) {
        const bool is_constant = u->assignments == 1 && !u->has_pointer;
        insertion = (Insertion){u->first, arena_printf(s->e->arena, is_constant ? "const %s " : "%s ", type)};
    } else if (!s->block[u->home].repeats && !is_jumped_over(s, statement->start, &s->block[u->home])) {
        const char *line = statement->start;
        while (line > s->code && line[-1] == ' ')
            line--;
        const char *indent = arena_printf(s->e->arena, "%.*s", (int)(statement->start - line), line);
        insertion = (Insertion){statement->start, declaration(s, u, indent)};
    } else {
        emit_line(s->e, "%s %s = 0;", type, u->name);
        return;
    }
    ARENA_PUSH(s->e->arena, s->insertion, s->insertion_count, insertion);
}

// ---- writing ---------------------------------------------------------------------------------------------

static int compare_places(const void *a, const void *b)
{
    const Insertion *x = a, *y = b;
    const int x_lines = strchr(x->text, '\n') != NULL, y_lines = strchr(y->text, '\n') != NULL;
    return x->place != y->place ? (x->place > y->place ? 1 : -1)
           : x_lines != y_lines ? y_lines - x_lines // a line of its own goes before the type
                                : strcmp(x->text, y->text);
}

static char *with_insertions(Scan *s, char *code)
{
    char *longer;
    size_t length;
    FILE *out = memory_stream(&longer, &length);
    const char *rest = code;
    if (s->insertion_count > 0)
        qsort(s->insertion, (size_t)s->insertion_count, sizeof *s->insertion, compare_places);
    for (int i = 0; i < s->insertion_count; i++) {
        fwrite(rest, 1, (size_t)(s->insertion[i].place - rest), out);
        fputs(s->insertion[i].text, out);
        rest = s->insertion[i].place;
    }
    fputs(rest, out);
    fclose(out);
    free(code);
    return longer;
}

// ---- braces ----------------------------------------------------------------------------------------------

static const char *next_line(const char *line)
{
    line += strcspn(line, "\n");
    return line + (*line != 0);
}

static bool is_declaration(const char *statement)
{
    static const char *const type[] = {"const ", "int32_t ", "Bitboard ", "String "};
    for (size_t i = 0; i < sizeof type / sizeof *type; i++)
        if (strncmp(statement, type[i], strlen(type[i])) == 0)
            return true;
    return false;
}

// A statement on a line of its own, neither label nor comment nor declaration.
static bool is_statement(const char *line, size_t indent)
{
    const char *end = line + strcspn(line, "\n");
    return strspn(line, " ") == indent && end > line && end[-1] == ';' && end[-2] != ':' &&
           line[indent] != '/' && !is_declaration(line + indent);
}

static bool is_line(const char *line, size_t indent, const char *text)
{
    return strspn(line, " ") == indent && strncmp(line + indent, text, strlen(text)) == 0;
}

// Removes the braces of an `if` whose branches are one line each.
static char *without_braces(char *code)
{
    char *tidied;
    size_t length;
    FILE *out = memory_stream(&tidied, &length);
    for (const char *line = code; *line; line = next_line(line)) {
        const size_t indent = strspn(line, " "), size = strcspn(line, "\n");
        const char *body = next_line(line), *end = next_line(body), *other = next_line(end),
                   *last = next_line(other);
        const bool is_if =
            strncmp(line + indent, "if (", 4) == 0 && line[size - 1] == '{' && is_statement(body, indent + 4);
        const bool is_plain = is_if && is_line(end, indent, "}\n");
        const bool is_double = is_if && is_line(end, indent, "} else {\n") &&
                               is_statement(other, indent + 4) && is_line(last, indent, "}\n");
        if (!is_plain && !is_double) {
            fwrite(line, 1, size, out);
            fputc('\n', out);
            continue;
        }
        fprintf(out, "%.*s\n%.*s", (int)size - 2, line, (int)(end - body), body);
        if (is_double)
            fprintf(out, "%*selse\n%.*s", (int)indent, "", (int)(last - other), other);
        line = is_double ? last : end;
    }
    fclose(out);
    free(code);
    return tidied;
}

static char *with_declarations(Emit *e, char *code)
{
    Scan s = {.e = e, .code = code};
    const Block body = {0};
    ARENA_PUSH(e->arena, s.block, s.block_count, body);
    for (int i = e->f->parameter_count; i < e->f->local_count; i++)
        if (e->local[i].name != NULL && !e->local[i].in_loop) {
            const Usage usage = {.name = e->local[i].name, .local = i};
            ARENA_PUSH(e->arena, s.usage, s.usage_count, usage);
        }
    if (s.usage_count == 0)
        return code;
    qsort(s.usage, (size_t)s.usage_count, sizeof *s.usage, compare_usages);
    for (const char *line = code; *line;) {
        const char *end = line + strcspn(line, "\n");
        read_line(&s, line, end);
        line = end + (*end != 0);
    }
    for (int i = 0; i < s.usage_count; i++)
        if (s.usage[i].first != NULL)
            declare(&s, &s.usage[i]);
    return with_insertions(&s, code);
}

char *emit_declared(Emit *e, char *code)
{
    if (e->f != NULL)
        code = with_declarations(e, code);
    return e->is_read ? without_braces(code) : code;
}
