// The table of the language (filters.def), and the way from a spelling to its row.
#include "table.h"

#include <stdlib.h>
#include <string.h>

#include "runtime/chess/chess.h"
#include "ast.h"

// Columns that most rows do not have.
#define SPELLED(text) .unicode = text,
#define ALWAYS .condition = CONDITION_ALWAYS,
#define NO_CONDITION .condition = CONDITION_ERROR,
#define CONDITION_OF_LAST .condition = CONDITION_LAST,
#define SEQUENTIAL .order = ORDER_SEQUENTIAL,
#define CAREFUL .order = ORDER_CAREFUL,
#define WRITES .effect = EFFECT_WRITES,
#define MAY_WRITE .effect = EFFECT_MAY_WRITE,
#define LEVEL(name) .level = LEVEL_##name,
#define DIRECTIONS(set) .directions = set,
#define OPERATES(name) .canonical = OP_##name,
#define FLAG(name) .flag = AST_##name,
#define TO(direction) 1 << direction
#define ALL_DIRECTIONS 0xff
#define ONLY_CQL6 .dialects = IN_CQL6,
#define ONLY_CQLI .dialects = IN_CQLI,
#define ONLY_CQL5 .dialects = IN_CQL5,
#define ONLY_CQL3 .dialects = IN_CQL3,
#define ONLY_PARAMETER .dialects = IN_CQLI_PARAMETERS,
#define OF_CQLGEN .dialects = IN_EXTENSION,
#define CQLI_PARAMETER .dialects = IN_CQL6 | IN_CQLI_PARAMETERS,

#define FORM(text) .form = text,
#define CQL5_TOO .also = IN_CQL5,

#define COMMON(id, text, what) .name = text, .canonical = OP_##id, .help = what, .dialects = IN_BOTH

#pragma GCC diagnostic ignored "-Woverride-init" // rows override the columns of their kind
const OpInfo op_info[OP_COUNT_] = {
#define FILTER(op, word, result, operands, part, chapter, help, ...)                                         \
    [OP_##op] = {COMMON(op, word, help),                                                                     \
                 .row = ROW_FILTER,                                                                          \
                 .type = TYPE_##result,                                                                      \
                 .syntax = operands,                                                                         \
                 .family = FAMILY_##part,                                                                    \
                 .section = chapter,                                                                         \
                 __VA_ARGS__},
#define CHECKED(op, word, type, syntax, finish, family, section, help, ...)                                  \
    FILTER(op, word, type, syntax, family, section, help, __VA_ARGS__)
#define OWN(op, word, type, reader, family, section, help, ...)                                              \
    FILTER(op, word, type, NULL, family, section, help, __VA_ARGS__)
#define SYNONYM(op, word, other, chapter, what, ...)                                                         \
    [OP_##op] = {.name = word,                                                                               \
                 .canonical = OP_##other,                                                                    \
                 .help = what,                                                                               \
                 .dialects = IN_BOTH,                                                                        \
                 .row = ROW_FILTER,                                                                          \
                 .section = chapter,                                                                         \
                 __VA_ARGS__},
#define WORD(op, word, chapter, help, ...)                                                                   \
    [OP_##op] = {COMMON(op, word, help), .row = ROW_WORD, .type = TYPE_ANY, .section = chapter, __VA_ARGS__},
#define PREFIX(op, word, reader, section, help, ...) WORD(op, word, section, help, __VA_ARGS__)
#define RESERVED(op, word, chapter, ...)                                                                     \
    [OP_##op] = {COMMON(op, word, "reserved"), .row = ROW_RESERVED, .type = TYPE_ANY, .section = chapter,    \
                 __VA_ARGS__},
#define REFUSED(op, word, chapter, help, ...)                                                                \
    [OP_##op] = {COMMON(op, word, help), .row = ROW_REFUSED, .type = TYPE_ANY, .section = chapter,           \
                 __VA_ARGS__},
#define STRUCTURE(op, name, result, part, help, ...)                                                         \
    [OP_##op] = {COMMON(op, name, help), .row = ROW_STRUCTURE, .type = TYPE_##result,                        \
                 .family = FAMILY_##part, __VA_ARGS__},
#define CQL5_WORD(op, word, spelling, what, ...)                                                             \
    [OP_##op] = {COMMON(op, word, what), .row = ROW_OLDER_WORD, .dialects = IN_CQL5,                         \
                 .modern = spelling,     .section = "11",       __VA_ARGS__},
#define CQL5(op, word, operands, template, spelling, help, ...)                                              \
    CQL5_WORD(op, word, spelling, help, .row = ROW_OLDER, .syntax = operands, .meaning = template,           \
              __VA_ARGS__)
#define CQL3_WORD(op, word, place, operands, template, what)                                                 \
    [OP_##op] = {COMMON(op, word, what), .row = ROW_OLDER_WORD, .dialects = IN_##place,                      \
                 .syntax = operands,     .meaning = template,   .section = "12"},
#define CQL3(op, word, place, operands, template, what)                                                      \
    [OP_##op] = {COMMON(op, word, what), .row = ROW_OLDER,    .dialects = IN_##place,                        \
                 .syntax = operands,     .meaning = template, .section = "12"},
#define OPERATOR(op, sign, type, own, first, second, family, help, ...)                                      \
    STRUCTURE(op, sign, type, family, help, .level = LEVEL_##own, .left = LEVEL_##first,                     \
              .right = LEVEL_##second, __VA_ARGS__)
#include "filters.def"
};

const char *type_name(Type type)
{
    static const char *const names[] = {"bool", "int", "set", "string", "position", "any"};
    return names[type];
}

Level op_level(Op op)
{
    const OpInfo *info = &op_info[op];
    if (info->level != LEVEL_PREFIX || info->syntax == NULL)
        return info->level;
    if (info->syntax[0] == '\0' || info->syntax[0] == '(')
        return LEVEL_PRIMARY;
    return strcmp(info->syntax, "set") == 0 ? LEVEL_MOVE : LEVEL_PREFIX;
}

bool op_is_transform(Op op)
{
    return op >= OP_FLIP && op <= OP_REVERSECOLOR;
}

DirectionSet directions_of(Op op)
{
    return op_info[op].directions;
}

// ---- syntax -----------------------------------------------------------------------------------------------

static const char *const part_names[SYNTAX_FLAGS] = {[SYNTAX_OPEN] = "(",
                                                     [SYNTAX_CLOSE] = ")",
                                                     [SYNTAX_SET] = "set",
                                                     [SYNTAX_TIGHT_SET] = "tight-set",
                                                     [SYNTAX_NUMBER] = "number",
                                                     [SYNTAX_STRING] = "string",
                                                     [SYNTAX_TIGHT_STRING] = "tight-string",
                                                     [SYNTAX_POSITION] = "position",
                                                     [SYNTAX_FILTER] = "filter",
                                                     [SYNTAX_CONDITION] = "condition",
                                                     [SYNTAX_TIGHT_CONDITION] = "tight-condition",
                                                     [SYNTAX_VALUE] = "value",
                                                     [SYNTAX_ITEMS] = "items",
                                                     [SYNTAX_RANGE] = "range",
                                                     [SYNTAX_QUOTED] = "quoted",
                                                     [SYNTAX_NAME] = "name",
                                                     [SYNTAX_SEARCH] = "search"};

// The flags of the words up to the end of the part: `white|black`.
static unsigned flags_of_words(const char *text, size_t length)
{
    unsigned flags = 0;
    for (size_t at = 0, end; at < length; at = end + 1) {
        for (end = at; end < length && text[end] != '|';)
            end++;
        const int op = op_from_word(text + at, end - at, IN_CQL6);
        flags |= op >= 0 ? op_info[op].flag : 0;
    }
    return flags;
}

bool syntax_next(const char **syntax, SyntaxPart *part)
{
    const char *text = *syntax + strspn(*syntax, " ]}");
    if (*text == '\0')
        return false;
    *part = (SyntaxPart){.kind = SYNTAX_FLAGS, .optional = *text == '[', .repeated = *text == '{'};
    text += part->optional || part->repeated;
    const size_t length = *text == '(' || *text == ')' ? 1 : strcspn(text, " ()[]{}");
    for (int kind = 0; kind < SYNTAX_FLAGS; kind++)
        if (strlen(part_names[kind]) == length && memcmp(text, part_names[kind], length) == 0)
            part->kind = (SyntaxKind)kind;
    if (part->kind == SYNTAX_FLAGS)
        part->flags = flags_of_words(text, length);
    *syntax = text + length;
    return true;
}

// ---- from spellings to rows -------------------------------------------------------------------------------

// Filled once before main and constant from then on.
static int16_t word_op[OP_COUNT_]; // sorted by their words
static size_t word_count;
enum { DIALECT_BITS = 8 };
static const char *words[DIALECT_BITS][OP_COUNT_]; // of each dialect, sorted
static size_t words_of[DIALECT_BITS];
static int16_t symbol_op[OP_COUNT_];
static size_t symbol_count;

static int compare_ops(const void *a, const void *b)
{
    return strcmp(op_info[*(const int16_t *)a].name, op_info[*(const int16_t *)b].name);
}

static void __attribute__((constructor)) fill_tables(void)
{
    for (int16_t op = 0; op < OP_COUNT_; op++) {
        if ((op_info[op].dialects | op_info[op].also) != 0 && op_info[op].row != ROW_STRUCTURE)
            word_op[word_count++] = op;
        if (op_info[op].unicode != NULL)
            symbol_op[symbol_count++] = op;
    }
    qsort(word_op, word_count, sizeof word_op[0], compare_ops);
    for (size_t i = 0; i < word_count; i++) {
        const OpInfo *info = &op_info[word_op[i]];
        for (int d = 0; d < DIALECT_BITS; d++)
            if ((info->dialects | info->also) >> d & 1)
                words[d][words_of[d]++] = info->name;
    }
}

// Less than, equal to or greater than 0 as the word of the i-th row comes before, equals or comes after `word`.
static int compare_word(size_t i, const char *word, size_t length)
{
    const char *name = op_info[word_op[i]].name;
    const size_t own = strlen(name); // the word may contain a NUL byte
    const int order = memcmp(name, word, own < length ? own : length);
    return order != 0 ? order : (own > length) - (own < length);
}

int op_from_word(const char *word, size_t length, unsigned dialects)
{
    size_t low = 0, high = word_count;
    while (low < high) {
        const size_t middle = (low + high) / 2;
        if (compare_word(middle, word, length) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    for (; low < word_count && compare_word(low, word, length) == 0; low++)
        if ((op_info[word_op[low]].dialects | op_info[word_op[low]].also) & dialects)
            return word_op[low];
    return -1;
}

const char *op_older_dialect(Op op)
{
    const unsigned dialects = op_info[op].dialects;
    return op_info[op].row < ROW_OLDER ? NULL
           : dialects & IN_CQL5        ? "CQL 5"
           : dialects & IN_CQL3        ? "CQL 3"
                                       : NULL;
}

int op_from_symbol(const char *text, size_t available, size_t *length)
{
    for (size_t i = 0; i < symbol_count; i++) {
        const char *symbol = op_info[symbol_op[i]].unicode;
        size_t bytes = strlen(symbol);
        if (bytes <= available && memcmp(text, symbol, bytes) == 0) {
            *length = bytes;
            return symbol_op[i];
        }
    }
    return -1;
}

const char *const *op_words(unsigned dialect, size_t *count)
{
    const int d = __builtin_ctz(dialect);
    *count = words_of[d];
    return words[d];
}
