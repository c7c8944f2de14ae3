// Lines and names of the manual, and its pages one after the other.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "compiler/language/manual.h"

static ManualText text_of(const char *text)
{
    return (ManualText){text, strlen(text)};
}

// What `take` takes from the text, with `|` after each part.
static void check_parts(bool (*take)(ManualText *, ManualText *), const char *text, const char *expected)
{
    char parts[100] = "";
    ManualText rest = text_of(text), part;
    while (take(&rest, &part)) {
        strncat(parts, part.start, part.length);
        strcat(parts, "|");
    }
    assert_string_equal(parts, expected);
    assert_int_equal(rest.length, 0);
}

// Names are separated by a comma and a space; a comma alone is part of a name.
static void test_names(void **state)
{
    (void)state;
    check_parts(manual_name, "", "");
    check_parts(manual_name, "a", "a|");
    check_parts(manual_name, "a, b", "a|b|");
    check_parts(manual_name, "{n,m}, {,4}, x y", "{n,m}|{,4}|x y|");
    check_parts(manual_name, "a,  b", "a| b|");
    check_parts(manual_name, "a,", "a,|");
    check_parts(manual_name, "a, ", "a|");
    static const ManualPage page = {.names = {"ab, {2,}, c, d and more", 11}};
    static const char *const named[] = {"ab", "{2,}", "c"}, *const others[] = {"",      "a", "abc", "{2",
                                                                               "{2,} ", "d", ","};
    for (size_t i = 0; i < sizeof named / sizeof *named; i++)
        assert_true(manual_has(&page, named[i]));
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        assert_false(manual_has(&page, others[i]));
}

static void test_lines(void **state)
{
    (void)state;
    check_parts(manual_line, "", "");
    check_parts(manual_line, "\n", "|");
    check_parts(manual_line, "a", "a|");
    check_parts(manual_line, "a\n", "a|");
    check_parts(manual_line, "a\n\nbc", "a||bc|");
}

// Each page has names and a body that begins with its syntax or text, and ends before the next page or group.
static void test_pages(void **state)
{
    (void)state;
    ManualPage page = {.names = {NULL, 0}};
    int pages = 0, glosses = 0, sections = 0, dialects = 0;
    for (; manual_next(&page); pages++) {
        assert_true(page.group.length > 0 && page.names.length > 0 && page.body.length > 0);
        assert_false(page.names.start[-1] != ' ' || page.names.start[-2] != '=' ||
                     page.names.start[-3] != '\n');
        assert_false(page.group.start[-1] != ' ' || page.group.start[-2] != '=' ||
                     page.group.start[-3] != '=');
        assert_int_equal(page.body.start[-1], '\n');
        assert_int_equal(page.body.start[page.body.length - 1], '\n');
        const char *next = page.body.start + page.body.length;
        assert_true(*next == '\0' || strncmp(next, "= ", 2) == 0 || strncmp(next, "== ", 3) == 0);
        ManualText rest = page.body, line;
        while (manual_line(&rest, &line))
            assert_false(line.length >= 2 && memcmp(line.start, "= ", 2) == 0);
        const ManualText *const keys[] = {&page.gloss, &page.section, &page.dialect};
        const char *const heads[] = {"gloss: ", "section: ", "dialect: "};
        for (int k = 0; k < 3; k++) {
            assert_false(strncmp(page.body.start, heads[k], strlen(heads[k])) == 0);
            if (keys[k]->start != NULL)
                assert_memory_equal(keys[k]->start - strlen(heads[k]), heads[k], strlen(heads[k]));
            assert_true((keys[k]->start != NULL) == (keys[k]->length > 0));
        }
        glosses += page.gloss.start != NULL;
        sections += page.section.start != NULL;
        dialects += page.dialect.start != NULL;
    }
    assert_true(pages > 100 && glosses > 0 && sections > 0 && dialects > 0 && dialects < pages);
    assert_false(manual_next(&page));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_names), cmocka_unit_test(test_lines),
                                       cmocka_unit_test(test_pages)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
