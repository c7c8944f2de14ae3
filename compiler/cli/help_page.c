// The pages of the manual on a terminal.
#include "help_page.h"

#include <stdio.h>
#include <string.h>

#include "cli.h"
#include "wrap.h"
#include "runtime/format/fields.h"
#include "runtime/format/format.h"

// ---- what the tables say -----------------------------------------------------------------------------------

static bool is_text(ManualText name, const char *word)
{
    return word != NULL && strlen(word) == name.length && memcmp(word, name.start, name.length) == 0;
}

// The row of the language with this name: of a filter or operator before that of a word. Pages about the program have none.
static const OpInfo *row_of(const ManualPage *page, ManualText name)
{
    if (is_text(page->group, "The program"))
        return NULL;
    const OpInfo *found = NULL;
    for (int i = 0; i < OP_COUNT_; i++) {
        const OpInfo *info = &op_info[i];
        const bool older =
            info->row >= ROW_OLDER || !(info->dialects & (IN_BOTH | IN_CQLI_PARAMETERS | IN_EXTENSION));
        if (!older && (is_text(name, info->name) || is_text(name, info->unicode)) &&
            (found == NULL || (found->row >= ROW_WORD && info->row < ROW_WORD)))
            found = info;
    }
    return found;
}

static const char *name_help(const ManualPage *page, ManualText name)
{
    const OpInfo *row = row_of(page, name);
    if (row != NULL && !is_text(name, row->unicode))
        return row->help;
    for (int i = 0; i < FORMAT_COUNT_; i++)
        if (is_text(name, format_info[i].name))
            return format_info[i].help;
    return NULL;
}

// ---- pages --------------------------------------------------------------------------------------------------

// The names with their explanations; the column is as wide as the longest.
static void print_names(const ManualPage *page)
{
    ManualText names = page->names, name;
    int width = 0;
    wrap_words(stdout, page->names.start, page->names.length, 0, 0);
    if (page->gloss.length > 0) {
        printf("    ");
        wrap_words(stdout, page->gloss.start, page->gloss.length, 4, 4);
    }
    while (manual_name(&names, &name))
        if (name_help(page, name) != NULL && wrap_columns(name.start, name.length) > width)
            width = wrap_columns(name.start, name.length);
    for (names = page->names; manual_name(&names, &name);) {
        char left[64];
        snprintf(left, sizeof left, "%.*s", (int)name.length, name.start);
        if (name_help(page, name) != NULL)
            wrap_entry(stdout, left, width, name_help(page, name));
    }
}

static bool begins(ManualText line, const char *start)
{
    return line.length >= strlen(start) && memcmp(line.start, start, strlen(start)) == 0;
}

// Appends to `line`; what does not fit is left out.
static size_t append(char *line, size_t size, size_t used, const char *before, ManualText text)
{
    const int length = snprintf(line + used, size - used, "%s%.*s", before, (int)text.length, text.start);
    return used + (size_t)length < size ? used + (size_t)length : size - 1;
}

static ManualText rest_of(ManualText line, size_t length)
{
    return (ManualText){line.start + length, line.length - length};
}

// `    finds 1 4: TEXT` and the lines that continue it, as a sentence.
static void print_finding(ManualText line, ManualText *body)
{
    char text[1024];
    const ManualText whole = rest_of(line, strlen("    finds "));
    const char *colon = memchr(whole.start, ':', whole.length);
    const ManualText list = {whole.start, colon != NULL ? (size_t)(colon - whole.start) : whole.length};
    const bool many = memchr(list.start, ' ', list.length) != NULL;
    const char *what = is_text(list, "all")    ? "all games"
                       : is_text(list, "none") ? "no game"
                       : many                  ? "games"
                                               : "game";
    size_t used = append(text, sizeof text, 0, "finds ", (ManualText){what, strlen(what)});
    if (list.start[0] >= '0' && list.start[0] <= '9')
        for (const char *p = list.start, *end = p + list.length, *next; p < end; p = next + 1) {
            next = memchr(p, ' ', (size_t)(end - p));
            next = next != NULL ? next : end;
            used = append(text, sizeof text, used, p == list.start ? " " : ", ",
                          (ManualText){p, (size_t)(next - p)});
        }
    used = append(text, sizeof text, used, "", rest_of(whole, list.length));
    for (ManualText next = *body; manual_line(&next, &line) && begins(line, "    "); *body = next)
        used = append(text, sizeof text, used, " ", rest_of(line, 4));
    printf("        ");
    wrap_words(stdout, text, used, 8, 8);
}

// True when a command with long options takes it.
static bool is_long_option(OptionId id)
{
    for (int i = 0; i < COMMAND_COUNT; i++)
        if (command_info[i].style == STYLE_LONG && option_info[id].commands & 1U << i)
            return true;
    return false;
}

// Lists that the program knows better than the manual.
static bool print_list(ManualText line)
{
    if (is_text(line, "{formats}")) {
        for (int i = 0; i < FORMAT_COUNT_; i++)
            wrap_entry(stdout, format_info[i].name, 12, format_info[i].help);
        return true;
    }
    if (is_text(line, "{fields}")) {
        for (int i = 0; i < FIELD_TAG; i++)
            wrap_entry(stdout, field_info[i].name, 12, field_info[i].help);
        return true;
    }
    if (is_text(line, "{commands}")) {
        for (int i = 0; i < COMMAND_COUNT; i++)
            wrap_entry(stdout, command_info[i].name, 12, command_info[i].help);
        return true;
    }
    if (!is_text(line, "{options}"))
        return false;
    for (int i = 0; i < OPTION_COUNT; i++)
        if (is_long_option(i))
            print_option(stdout, STYLE_LONG, &option_info[i]);
    return true;
}

static void print_body(const ManualPage *page)
{
    ManualText body = page->body, line;
    bool syntax = true, begun = false;
    printf("\nSyntax\n");
    while (manual_line(&body, &line)) {
        if (begins(line, "see ") && !syntax) {
            printf("See also: ");
            wrap_words(stdout, line.start + 4, line.length - 4, (int)strlen("See also: "), 4);
            continue;
        }
        if (begins(line, "> ") && !begun) {
            printf("Examples, over examples/help.pgn\n");
            begun = true;
        }
        if (begins(line, "> "))
            printf("    %.*s\n", (int)line.length - 2, line.start + 2);
        else if (begins(line, "    finds "))
            print_finding(line, &body);
        else if (!print_list(line))
            printf("%s%.*s\n", syntax && line.length > 0 ? "    " : "", (int)line.length, line.start);
        syntax = syntax && line.length > 0;
    }
}

// What the value of a filter is, and what it means as a condition.
static void describe_value(const OpInfo *info, char *text, size_t size)
{
    const OpInfo *row = &op_info[info->canonical];
    const char *condition = row->condition == CONDITION_ALWAYS  ? "always true"
                            : row->condition == CONDITION_ERROR ? "an error"
                            : row->condition == CONDITION_LAST  ? "that of its last operand"
                            : row->type == TYPE_SET             ? "true when it is not empty"
                            : row->type == TYPE_ANY ? "true when it has a value (a set: when not empty)"
                                                    : "true when it has a value";
    if (info->row == ROW_WORD || info->row == ROW_RESERVED || info->row == ROW_REFUSED)
        *text = 0;
    else if (row->type == TYPE_BOOL && row->condition == CONDITION_VALUE)
        snprintf(text, size, "Value: true or false");
    else
        snprintf(text, size, "Value: %s; as a condition: %s",
                 row->type == TYPE_ANY    ? "depends on the form"
                 : row->type == TYPE_BOOL ? "true or false"
                 : row->type == TYPE_INT  ? "number"
                                          : type_name(row->type),
                 condition);
}

// The dialects that have the word, with this meaning or another.
static void describe_dialects(const OpInfo *info, char *text, size_t size)
{
    static const struct {
        unsigned bits;
        const char *name;
    } known[] = {{IN_CQL6 | IN_EXTENSION, "CQL 6.2"},
                 {IN_CQLI | IN_CQLI_PARAMETERS | IN_EXTENSION, "CQLi"},
                 {IN_CQL5, "CQL 5"},
                 {IN_CQL3, "CQL 3"}};
    unsigned dialects = info->dialects | info->also;
    for (int i = 0; i < OP_COUNT_; i++)
        if (op_info[i].row >= ROW_OLDER &&
            strcmp(op_info[i].name + (op_info[i].name[0] == ':'), info->name) == 0)
            dialects |= op_info[i].dialects;
    const char *before = "In: ";
    for (size_t i = 0, used = 0; i < sizeof known / sizeof *known; i++)
        if (dialects & known[i].bits) {
            used += (size_t)snprintf(text + used, size - used, "%s%s", before, known[i].name);
            before = ", ";
        }
}

enum { DESCRIPTION = 128 };
typedef void Describe(const OpInfo *info, char *text, size_t size);

// Prints each description once, with the names that it is about unless it is about all.
static void print_grouped(const ManualPage *page, Describe *describe)
{
    char shown[16][DESCRIPTION], text[DESCRIPTION], line[1024];
    size_t count = 0;
    ManualText names = page->names, name;
    while (manual_name(&names, &name)) {
        const OpInfo *row = row_of(page, name);
        size_t i = 0;
        if (row == NULL)
            continue;
        describe(row, text, sizeof text);
        while (i < count && strcmp(shown[i], text) != 0)
            i++;
        if (i == count && *text && count < sizeof shown / sizeof *shown)
            strcpy(shown[count++], text);
    }
    for (size_t i = 0; i < count; i++) {
        size_t used = append(line, sizeof line, 0, "", (ManualText){shown[i], strlen(shown[i])});
        const char *before = "  (";
        for (names = page->names; count > 1 && manual_name(&names, &name);) {
            const OpInfo *row = row_of(page, name);
            if (row != NULL)
                describe(row, text, sizeof text);
            if (row == NULL || strcmp(text, shown[i]) != 0)
                continue;
            used = append(line, sizeof line, used, before, name);
            before = ", ";
        }
        if (count > 1)
            used = append(line, sizeof line, used, ")", (ManualText){"", 0});
        wrap_words(stdout, line, used, 0, 4);
    }
}

static void print_reference(const ManualPage *page)
{
    static const struct {
        const char *chapter, *file;
    } files[] = {{"1", "01-lexical-structure"},
                 {"2", "02-grammar-and-types"},
                 {"3", "03-position-filters"},
                 {"4", "04-moves"},
                 {"5", "05-paths"},
                 {"6", "06-game-tree"},
                 {"7", "07-variables-and-programming"},
                 {"8", "08-transforms"},
                 {"9", "09-games-and-tags"},
                 {"10", "10-output"},
                 {"11", "11-dialect-cql5"},
                 {"12", "12-dialect-cql3"},
                 {"13", "13-dialect-cqli"},
                 {"14", "14-dialect-detection"},
                 {"15", "15-clocks-and-evaluations"},
                 {"16", "16-variants"},
                 {"17", "17-positions-and-tablebases"}};
    ManualText names = page->names, name, section = page->section;
    while (section.length == 0 && manual_name(&names, &name)) {
        const OpInfo *row = row_of(page, name);
        if (row != NULL && row->section != NULL)
            section = (ManualText){row->section, strlen(row->section)};
    }
    size_t chapter = 0;
    while (chapter < section.length && section.start[chapter] != '.')
        chapter++;
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        if (is_text((ManualText){section.start, chapter}, files[i].chapter))
            printf("Reference: docs/language/%s.md, section %.*s\n", files[i].file, (int)section.length,
                   section.start);
}

void print_page(const ManualPage *page)
{
    print_names(page);
    print_body(page);
    print_grouped(page, describe_value);
    print_grouped(page, describe_dialects);
    print_reference(page);
}

void print_subjects(void)
{
    ManualPage page = {0};
    for (ManualText last = {NULL, 0}; manual_next(&page); last = page.group) {
        if (page.group.start != last.start)
            printf("\n%.*s\n", (int)page.group.length, page.group.start);
        ManualText names = page.names, name;
        for (bool first = true; manual_name(&names, &name); first = false) {
            const char *help = name_help(&page, name);
            char left[64], text[256];
            snprintf(left, sizeof left, "%.*s", (int)name.length, name.start);
            snprintf(text, sizeof text, "%.*s", (int)page.gloss.length, page.gloss.start);
            if (help != NULL || (first && page.gloss.length > 0))
                wrap_entry(stdout, left, 20, help != NULL ? help : text);
        }
    }
}
