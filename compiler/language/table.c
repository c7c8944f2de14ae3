// The table of the language (filters.def), and the way from a spelling to its row.
#include "ast.h"
#include "compiler/front/cql6/token.h"

#include <stdlib.h>
#include <string.h>

const OpInfo op_info[OP_COUNT_] = {
#define FILTER(op, word, unicode, type, args, condition, chapter, help)                                      \
    [OP_##op] = {word, unicode, type, args, CONDITION_##condition, chapter, help, ROW_FILTER},
#define STRUCTURE(op, name, type, condition, help)                                                           \
    [OP_##op] = {name, NULL, type, NULL, CONDITION_##condition, "", help, ROW_STRUCTURE},
#define WORD(op, word, unicode, chapter, help)                                                               \
    [OP_##op] = {word, unicode, "*", NULL, CONDITION_VALUE, chapter, help, ROW_WORD},
#include "filters.def"
};

// Filled once before main and constant from then on.
static const char *words[OP_COUNT_]; // sorted
static int16_t word_op[OP_COUNT_];
static size_t word_count;
static int16_t symbol_op[OP_COUNT_];
static size_t symbol_count;

static int compare_ops(const void *a, const void *b)
{
    return strcmp(op_info[*(const int16_t *)a].name, op_info[*(const int16_t *)b].name);
}

static void __attribute__((constructor)) fill_tables(void)
{
    for (int16_t op = 0; op < OP_COUNT_; op++) {
        if (op_info[op].row != ROW_STRUCTURE)
            word_op[word_count++] = op;
        if (op_info[op].unicode != NULL)
            symbol_op[symbol_count++] = op;
    }
    qsort(word_op, word_count, sizeof word_op[0], compare_ops);
    for (size_t i = 0; i < word_count; i++)
        words[i] = op_info[word_op[i]].name;
}

int op_from_word(const char *word, size_t length)
{
    size_t low = 0, high = word_count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        int order = strncmp(words[middle], word, length);
        if (order == 0 && words[middle][length] == '\0')
            return word_op[middle];
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return -1;
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

const char *const *op_words(size_t *count)
{
    *count = word_count;
    return words;
}
