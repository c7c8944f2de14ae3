// The words of CQL 5 and CQL 3 for the help (language reference 11, 12).
#include "words.h"

#include "compiler/front/cql5/lexer.h"

enum {
    WORD_ROOM = CQL5_WORD_COUNT
#define MATCH(id, word, parameters, help) +1
#define POSITION(id, word, parameters, changes, help) +1
#define SETTING(id, word, help) +1
#define TRANSFORMATION(id, word, help) +1
#define RELATION(id, word, parameters, help) +1
#include "compiler/front/cql3/keywords.def"
};

// Filled once before main and constant from then on.
static DialectWord words[WORD_ROOM];
static size_t word_count;

static void add(DialectWord word)
{
    words[word_count++] = word;
}

static void __attribute__((constructor)) fill_words(void)
{
    for (int i = 0; i < CQL5_WORD_COUNT; i++) {
        const Cql5WordInfo *info = &cql5_words[i];
        add((DialectWord){info->word, "CQL 5", info->help != NULL ? info->help : op_info[info->op].help,
                          info->modern, info->help != NULL});
    }
#define CQL3_WORD(word, help)                                                                                \
    if (sizeof word > 1)                                                                                     \
        add((DialectWord){":" word, "CQL 3", help, NULL, true});
#define MATCH(id, word, parameters, help) CQL3_WORD(word, help)
#define POSITION(id, word, parameters, changes, help) CQL3_WORD(word, help)
#define SETTING(id, word, help) CQL3_WORD(word, help)
#define TRANSFORMATION(id, word, help) CQL3_WORD(word, help)
#define RELATION(id, word, parameters, help) CQL3_WORD(word, help)
#include "compiler/front/cql3/keywords.def"
}

const DialectWord *dialect_words(size_t *count)
{
    *count = word_count;
    return words;
}
