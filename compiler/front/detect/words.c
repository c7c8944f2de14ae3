// The words of CQL 5 and CQL 3 for the help (language reference 11, 12).
#include "words.h"

#include "compiler/front/cql3/internal.h"
#include "compiler/front/cql5/lexer.h"

// Filled once before main and constant from then on.
static DialectWord words[CQL5_WORD_COUNT + KEY_COUNT_];
static size_t word_count;

static void __attribute__((constructor)) fill_words(void)
{
    for (int i = 0; i < CQL5_WORD_COUNT; i++) {
        const Cql5WordInfo *info = &cql5_words[i];
        words[word_count++] =
            (DialectWord){info->word, "CQL 5", info->help != NULL ? info->help : op_info[info->op].help,
                          info->modern, info->help != NULL};
    }
    for (int i = 0; i < KEY_COUNT_; i++)
        if (i != KEY_DESIGNATOR)
            words[word_count++] =
                (DialectWord){cql3_words[i].written, "CQL 3", cql3_words[i].help, NULL, true};
}

const DialectWord *dialect_words(size_t *count)
{
    *count = word_count;
    return words;
}
