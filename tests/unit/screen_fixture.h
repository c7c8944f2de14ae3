// Tables of bodies and the screens that they need.
#ifndef CQL_TEST_SCREEN_FIXTURE_H
#define CQL_TEST_SCREEN_FIXTURE_H

#include "ir_text.h"

#include "compiler/middle/screen/screen.h"

typedef struct Row {
    const char *cells, *locals, *body;
    const char *function; // number 1, with the same locals; NULL: there is none
    const char *
        wanted; // conditions with `;` between them, each at the three places with `|` between them if they differ;
                // `!` before: exact; NULL: no screen
} Row;

// The next part of a text that ends there or at the sign.
static inline char *next_part(Arena *a, const char **text, char sign)
{
    const char *end = strchr(*text, sign);
    const size_t length = end != NULL ? (size_t)(end - *text) : strlen(*text);
    char *part = arena_copy(a, *text, length);
    *text += length + (end != NULL);
    return part;
}

static inline void check_screen(Module *m, const char *wanted)
{
    screen_module(m);
    if ((wanted != NULL) != (m->screen != NULL)) {
        ir_print(stderr, m);
        fail_msg("wanted: %s", wanted != NULL ? wanted : "no screen");
    }
    if (wanted == NULL)
        return;
    if (m->screen->is_exact != (*wanted == '!'))
        ir_print(stderr, m);
    assert_int_equal(m->screen->is_exact, *wanted == '!');
    wanted += *wanted == '!';
    int count = 0;
    for (; *wanted != '\0'; count++) {
        const char *condition = next_part(m->arena, &wanted, ';');
        const bool is_same = strchr(condition, '|') == NULL;
        const char *all = condition;
        for (int place = 0; place < SCREEN_PLACES; place++)
            if (count < m->screen->count)
                assert_ir(m, m->screen->condition[count][place],
                          is_same ? all : next_part(m->arena, &condition, '|'));
    }
    if (count != m->screen->count)
        ir_print(stderr, m);
    assert_int_equal(count, m->screen->count);
}

static inline void check_rows(const Row *row, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        Module *m =
            module_of_text(row[i].cells, row[i].locals, row[i].function != NULL ? "TRUE" : row[i].body);
        if (row[i].function != NULL) {
            add_ir_function(m, row[i].locals, row[i].function);
            m->function[0]->body = ir_from_text(m, m->function[0], row[i].body);
            assert_null(ir_verify(m));
        }
        check_screen(m, row[i].wanted);
        arena_free(m->arena);
    }
}

#define CHECK(rows) check_rows(rows, sizeof rows / sizeof *rows)

#endif
