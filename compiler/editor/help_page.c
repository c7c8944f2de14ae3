// Help about words of the language: pages of the manual, and words of older dialects.
#include "help_page.h"

#include <string.h>

#include "wrap.h"
#include "compiler/language/table.h"
#include "runtime/format/fields.h"
#include "runtime/format/format.h"

// ---- what the tables say -----------------------------------------------------------------------------------

bool help_is_text(ManualText name, const char *word)
{
    return word != NULL && strlen(word) == name.length && memcmp(word, name.start, name.length) == 0;
}

// The row of the language with this name: of a filter or operator before that of a word. Pages about the program have none.
static const OpInfo *row_of(const ManualPage *page, ManualText name)
{
    if (help_is_text(page->group, "The program"))
        return NULL;
    const OpInfo *found = NULL;
    for (int i = 0; i < OP_COUNT_; i++) {
        const OpInfo *info = &op_info[i];
        const bool older =
            info->row >= ROW_OLDER || !(info->dialects & (IN_BOTH | IN_CQLI_PARAMETERS | IN_EXTENSION));
        if (!older && (help_is_text(name, info->name) || help_is_text(name, info->unicode)) &&
            (found == NULL || (found->row >= ROW_WORD && info->row < ROW_WORD)))
            found = info;
    }
    return found;
}

static const char *name_help(const ManualPage *page, ManualText name)
{
    const OpInfo *row = row_of(page, name);
    if (row != NULL && !help_is_text(name, row->unicode))
        return row->help;
    for (int i = 0; i < FORMAT_COUNT_; i++)
        if (help_is_text(name, format_info[i].name))
            return format_info[i].help;
    return NULL;
}

// ---- text and lists ---------------------------------------------------------------------------------------

// Text in which only pairs of backquotes have a meaning for Markdown.
static void write_escaped(FILE *out, const char *text, size_t length)
{
    bool code = false;
    for (size_t i = 0; i < length; i++) {
        const bool ends = memchr(text + i + 1, '`', length - i - 1) != NULL;
        if (text[i] == '`' && (code || ends))
            code = !code;
        else if (!code && (strchr("\\`*_<>[]#|~", text[i]) || (i == 0 && strchr("+-", text[i]))))
            fputc('\\', out);
        fputc(text[i], out);
    }
}

// A paragraph; on a terminal it begins in column `at`, and lines that follow are indented.
static void write_words(const HelpWriter *w, const char *text, size_t length, int at, int indent)
{
    if (!w->markdown) {
        wrap_words(w->out, text, length, at, indent);
        return;
    }
    write_escaped(w->out, text, length);
    fputs("\n\n", w->out);
}

// An entry of a list.
static void write_entry(const HelpWriter *w, const char *name, int width, const char *text)
{
    if (!w->markdown) {
        wrap_entry(w->out, name, width, text);
        return;
    }
    fprintf(w->out, strchr(name, '`') ? "- %s: " : "- `%s`: ", name);
    write_escaped(w->out, text, strlen(text));
    fputc('\n', w->out);
}

// What only a terminal shows.
static void write_spaces(const HelpWriter *w, int count)
{
    fprintf(w->out, "%*s", w->markdown ? 0 : count, "");
}

static void write_heading(const HelpWriter *w, const char *text)
{
    fprintf(w->out, w->markdown ? "\n#### %s\n\n" : "%s\n", text);
}

static void write_fence(const HelpWriter *w, const char *language)
{
    if (w->markdown)
        fprintf(w->out, "```%s\n", language);
}

// ---- pages --------------------------------------------------------------------------------------------------

// The names with their explanations; the column is as wide as the longest.
static void write_names(const HelpWriter *w, const ManualPage *page)
{
    ManualText names = page->names, name;
    int width = 0;
    fputs(w->markdown ? "### " : "", w->out);
    write_words(w, page->names.start, page->names.length, 0, 0);
    if (page->gloss.length > 0) {
        write_spaces(w, 4);
        write_words(w, page->gloss.start, page->gloss.length, 4, 4);
    }
    while (manual_name(&names, &name))
        if (name_help(page, name) != NULL && wrap_columns(name.start, name.length) > width)
            width = wrap_columns(name.start, name.length);
    for (names = page->names; manual_name(&names, &name);) {
        char left[64];
        snprintf(left, sizeof left, "%.*s", (int)name.length, name.start);
        if (name_help(page, name) != NULL)
            write_entry(w, left, width, name_help(page, name));
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
static void write_finding(const HelpWriter *w, ManualText line, ManualText *body)
{
    char text[1024];
    const ManualText whole = rest_of(line, strlen("    finds "));
    const char *colon = memchr(whole.start, ':', whole.length);
    const ManualText list = {whole.start, colon != NULL ? (size_t)(colon - whole.start) : whole.length};
    const bool many = memchr(list.start, ' ', list.length) != NULL;
    const char *what = help_is_text(list, "all")    ? "all games"
                       : help_is_text(list, "none") ? "no game"
                       : many                       ? "games"
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
    write_spaces(w, 8);
    write_words(w, text, used, 8, 8);
}

// Lists that the program knows better than the manual.
static bool write_list(const HelpWriter *w, ManualText line)
{
    if (help_is_text(line, "{formats}")) {
        for (int i = 0; i < FORMAT_COUNT_; i++)
            write_entry(w, format_info[i].name, 12, format_info[i].help);
        return true;
    }
    if (help_is_text(line, "{fields}")) {
        for (int i = 0; i < FIELD_TAG; i++)
            write_entry(w, field_info[i].name, 12, field_info[i].help);
        return true;
    }
    if (!help_is_text(line, "{commands}") && !help_is_text(line, "{options}"))
        return false;
    return w->list == NULL || w->list(w, line);
}

static bool is_query(ManualText line)
{
    return begins(line, "> ");
}

// The lines of an example, from `line` on.
static void write_query(const HelpWriter *w, ManualText line, ManualText *body)
{
    write_fence(w, "cql");
    for (ManualText next = *body;; *body = next) {
        write_spaces(w, 4);
        fprintf(w->out, "%.*s\n", (int)line.length - 2, line.start + 2);
        if (!manual_line(&next, &line) || !is_query(line))
            break;
    }
    write_fence(w, "");
}

// A line of the text: of a paragraph, or indented.
static void write_line(const HelpWriter *w, ManualText line)
{
    if (w->markdown && !begins(line, "    "))
        write_escaped(w->out, line.start, line.length);
    else
        fwrite(line.start, 1, line.length, w->out);
    fputc('\n', w->out);
}

static void write_body(const HelpWriter *w, const ManualPage *page)
{
    ManualText body = page->body, line;
    bool begun = false;
    fputs(w->markdown ? "" : "\n", w->out);
    write_heading(w, "Syntax");
    write_fence(w, "");
    while (manual_line(&body, &line) && line.length > 0) {
        write_spaces(w, 4);
        fprintf(w->out, "%.*s\n", (int)line.length, line.start);
    }
    write_fence(w, "");
    fputc('\n', w->out);
    while (manual_line(&body, &line)) {
        if (begins(line, "see ")) {
            fputs("See also: ", w->out);
            write_words(w, line.start + 4, line.length - 4, (int)strlen("See also: "), 4);
            continue;
        }
        if (is_query(line) && !begun) {
            write_heading(w, "Examples, over examples/help.pgn");
            begun = true;
        }
        if (is_query(line))
            write_query(w, line, &body);
        else if (begins(line, "    finds "))
            write_finding(w, line, &body);
        else if (!write_list(w, line))
            write_line(w, line);
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
static void write_grouped(const HelpWriter *w, const ManualPage *page, Describe *describe)
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
        write_words(w, line, used, 0, 4);
    }
}

static void write_reference(const HelpWriter *w, const ManualPage *page)
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
        if (help_is_text((ManualText){section.start, chapter}, files[i].chapter))
            fprintf(w->out, "Reference: docs/language/%s.md, section %.*s\n", files[i].file,
                    (int)section.length, section.start);
}

static void write_page(const HelpWriter *w, const ManualPage *page)
{
    write_names(w, page);
    write_body(w, page);
    write_grouped(w, page, describe_value);
    write_grouped(w, page, describe_dialects);
    write_reference(w, page);
}

bool help_pages(const HelpWriter *w, const char *word)
{
    ManualPage page = {0};
    bool found = false;
    while (manual_next(&page)) {
        if (!manual_has(&page, word))
            continue;
        if (found)
            fputc('\n', w->out);
        write_page(w, &page);
        found = true;
    }
    return found;
}

ManualText help_syntax(const char *word)
{
    ManualPage page = {0};
    while (manual_next(&page))
        if (manual_has(&page, word)) {
            ManualText rest = page.body, line;
            while (manual_line(&rest, &line) && line.length > 0)
                page.body.length = (size_t)(line.start + line.length - page.body.start);
            return page.body;
        }
    return (ManualText){"", 0};
}

void help_subjects(FILE *out)
{
    ManualPage page = {0};
    for (ManualText last = {NULL, 0}; manual_next(&page); last = page.group) {
        if (page.group.start != last.start)
            fprintf(out, "\n%.*s\n", (int)page.group.length, page.group.start);
        ManualText names = page.names, name;
        for (bool first = true; manual_name(&names, &name); first = false) {
            const char *help = name_help(&page, name);
            char left[64], text[256];
            snprintf(left, sizeof left, "%.*s", (int)name.length, name.start);
            snprintf(text, sizeof text, "%.*s", (int)page.gloss.length, page.gloss.start);
            if (help != NULL || (first && page.gloss.length > 0))
                wrap_entry(out, left, 20, help != NULL ? help : text);
        }
    }
}

// ---- older dialects ---------------------------------------------------------------------------------------

// True when `word` names a row; the colon of CQL 3 keywords may be left out.
static bool is_written(const OpInfo *info, const char *word)
{
    return strcmp(info->name, word) == 0 || (info->name[0] == ':' && strcmp(info->name + 1, word) == 0);
}

bool help_older(const HelpWriter *w, const char *word)
{
    bool found = false;
    for (int i = 0; i < OP_COUNT_; i++) {
        const OpInfo *info = &op_info[i];
        const char *dialect = op_older_dialect((Op)i);
        if (dialect == NULL || !is_written(info, word))
            continue;
        fprintf(w->out, w->markdown ? "\n### `%s` (%s)\n\n" : "%s  (%s)\n    ", info->name, dialect);
        write_words(w, info->help, strlen(info->help), 4, 4);
        if (info->modern)
            fprintf(w->out, w->markdown ? "In CQL 6.2: `%s`\n\n" : "    in CQL 6.2: %s\n", info->modern);
        write_spaces(w, 4);
        fprintf(w->out, "see `cqlgen help %s`\n", info->dialects & IN_CQL5 ? "cql5" : "cql3");
        found = true;
    }
    return found;
}
