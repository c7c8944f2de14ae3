// Formats for other programs: JSON Lines, CSV, TSV, FEN.
#include "runtime/value/memory.h"

#include <stdio.h>
#include <string.h>

#include "found.h"
#include "text.h"
#include "writers.h"

// ---- JSON Lines -------------------------------------------------------------------------------------------

void write_json_tags(Buffer *out, const FormatMemory *m)
{
    buffer_text(out, "{");
    for (size_t i = 0; i < m->tag_count; i++) {
        if (found_tag_repeats(m, i)) // names in an object are unique
            continue;
        if (i > 0)
            buffer_append(out, ",", 1);
        text_json(out, m->tag[i].name);
        buffer_append(out, ":", 1);
        text_json(out, m->tag[i].value);
    }
    buffer_text(out, "}");
}

// Words with spaces between them as an array.
static void json_words(Buffer *out, Text words)
{
    buffer_append(out, "[", 1);
    for (size_t at = 0; at < words.length;) {
        const char *start = words.start + at, *space = memchr(start, ' ', words.length - at);
        const size_t length = space ? (size_t)(space - start) : words.length - at;
        if (at > 0)
            buffer_append(out, ",", 1);
        text_json(out, (Text){start, length});
        at += length + 1;
    }
    buffer_append(out, "]", 1);
}

static void json_value(Buffer *out, FieldValue value)
{
    if (value.kind == FIELD_NONE)
        buffer_text(out, "null");
    else if (value.kind == FIELD_INTEGER)
        buffer_format(out, "%lld", (long long)value.number);
    else if (value.kind == FIELD_WORDS)
        json_words(out, value.text);
    else if (value.kind == FIELD_TEXT)
        text_json(out, value.text);
    else
        buffer_append(out, value.text.start, value.text.length);
}

// The members of a position, after its id. It has no member without a value.
static void json_position(Buffer *out, const FoundGame *g, FormatMemory *m, int32_t id)
{
    static const FieldId members[] = {
        FIELD_PLY,    FIELD_FEN,   FIELD_NUMBER,  FIELD_SAN,   FIELD_UCI,     FIELD_NEXT_SAN, FIELD_NEXT_UCI,
        FIELD_BEFORE, FIELD_AFTER, FIELD_COMMENT, FIELD_CLOCK, FIELD_ELAPSED, FIELD_EVAL};
    buffer_format(out, "{\"id\":%d", (int)id);
    for (size_t i = 0; i < sizeof members / sizeof *members; i++) {
        if ((members[i] == FIELD_BEFORE || members[i] == FIELD_AFTER) && g->context == 0)
            continue;
        const FieldValue value = field_value(&(Field){.id = members[i]}, g, m, NULL, id);
        if (value.kind == FIELD_NONE)
            continue;
        buffer_text(out, ",\"");
        buffer_text(out, field_info[members[i]].name);
        buffer_text(out, "\":");
        json_value(out, value);
    }
    buffer_text(out, "}");
}

void write_json_positions(Buffer *out, const FoundGame *g, FormatMemory *m, const RunResult *result)
{
    buffer_text(out, "[");
    for (int32_t i = 0; i < result->hit_count; i++) {
        if (i > 0)
            buffer_append(out, ",", 1);
        json_position(out, g, m, result->hit[i]);
    }
    buffer_text(out, "]");
}

// The comments added at positions that do not match.
void write_json_comments(Buffer *out, const FoundGame *g, const FormatMemory *m, const RunResult *result)
{
    const GameView *view = &g->game->view;
    int32_t hit = 0;
    bool any = false;
    buffer_text(out, "[");
    for (int32_t id = 0; id < view->count; id++) {
        while (hit < result->hit_count && result->hit[hit] < id)
            hit++;
        bool matches = hit < result->hit_count && result->hit[hit] == id;
        if (matches || m->added[id].length == 0)
            continue;
        buffer_format(out, "%s{\"id\":%d,\"ply\":%d,\"comment\":", any ? "," : "", (int)id,
                      (int)view->node[id].ply);
        text_json(out, m->added[id]);
        buffer_text(out, "}");
        any = true;
    }
    buffer_text(out, "]");
}

static void json_sort(Buffer *out, const Found *found)
{
    buffer_text(out, "{");
    for (int32_t k = 0; k < found->query->sort_key_count; k++) {
        const SortValue *value = &found->result->sort[k];
        if (k > 0)
            buffer_append(out, ",", 1);
        text_json(out, text_of(found->query->sort_key[k].name));
        buffer_append(out, ":", 1);
        found_sort_value(out, value, text_json, "null");
    }
    buffer_text(out, "}");
}

static void json_member(Buffer *out, const Field *field, const FoundGame *g, FormatMemory *m,
                        const Found *found, int32_t id)
{
    text_json(out, field_name(field));
    buffer_append(out, ":", 1);
    if (field->id == FIELD_SORT)
        json_sort(out, found);
    else
        json_value(out, field_value(field, g, m, found, id));
}

// The members that the user has named.
static void json_fields(Buffer *out, const FoundGame *g, FormatMemory *m, const Found *found, int32_t id)
{
    for (int i = 0; i < g->fields->count; i++) {
        buffer_append(out, i > 0 ? "," : "{", 1);
        json_member(out, &g->fields->field[i], g, m, found, id);
    }
    buffer_text(out, "}\n");
}

// The usual members: comments and sort keys only where there are some.
static void json_usual(Buffer *out, const FoundGame *g, FormatMemory *m, const Found *found)
{
    static const Field members[] = {{.id = FIELD_GAME},
                                    {.id = FIELD_FILE},
                                    {.id = FIELD_QUERY},
                                    {.id = FIELD_TAGS},
                                    {.id = FIELD_POSITIONS}};
    enum { COUNT = sizeof members / sizeof *members };
    for (int i = 0; i < COUNT; i++) {
        buffer_append(out, i > 0 ? "," : "{", 1);
        json_member(out, &members[i], g, m, found, 0);
    }
    const FieldValue comments = field_value(&(Field){.id = FIELD_COMMENTS}, g, m, found, 0);
    if (comments.text.length > strlen("[]")) {
        buffer_text(out, ",\"comments\":");
        json_value(out, comments);
    }
    if (found->query->sort_key_count > 0) {
        buffer_text(out, ",\"sort\":");
        json_sort(out, found);
    }
    buffer_text(out, "}\n");
}

void write_jsonl(Buffer *out, const FoundGame *g, FormatMemory *m)
{
    const bool own = g->fields && g->fields->count > 0, each = own && fields_of_positions(g->fields);
    found_clocks(m, g);
    for (size_t i = 0; i < g->count; i++) {
        const Found *found = &g->found[i];
        fields_begin(g, m, found);
        if (!own)
            json_usual(out, g, m, found);
        for (int32_t k = 0; own && k < (each ? found->result->hit_count : 1); k++)
            json_fields(out, g, m, found, each ? found->result->hit[k] : 0);
    }
}

// ---- tables -----------------------------------------------------------------------------------------------

// CSV, or TSV: values without quotes.
typedef struct Table {
    const char *between, *end; // of columns, of rows
    TextWriter text;
} Table;

// By whether texts that would be formulas are marked.
static const Table csv[] = {{",", "\r\n", text_csv}, {",", "\r\n", text_csv_safe}};
static const Table tsv[] = {{"\t", "\n", text_tsv}, {"\t", "\n", text_tsv_safe}};

static bool named_before(const Matcher *matcher, uint32_t query, int32_t key)
{
    const char *name = matcher->query[query].sort_key[key].name;
    for (uint32_t q = 0; q <= query; q++)
        for (int32_t k = 0; k < (q < query ? matcher->query[q].sort_key_count : key); k++)
            if (strcmp(matcher->query[q].sort_key[k].name, name) == 0)
                return true;
    return false;
}

static void table_sort_value(Buffer *out, const Table *t, const char *name, const Found *found)
{
    for (int32_t k = 0; k < found->query->sort_key_count; k++) {
        const SortValue *value = &found->result->sort[k];
        if (strcmp(found->query->sort_key[k].name, name) == 0 && value->has_value)
            return found_sort_value(out, value, t->text, "");
    }
}

// A column for each distinct name among the sort keys of all queries, in order: its value, or without `found` its name.
static void table_sort(Buffer *out, const Table *t, const Matcher *matcher, const Found *found, bool *first)
{
    for (uint32_t q = 0; q < matcher->query_count; q++) {
        for (int32_t k = 0; k < matcher->query[q].sort_key_count; k++) {
            const char *name = matcher->query[q].sort_key[k].name;
            if (named_before(matcher, q, k))
                continue;
            buffer_text(out, *first ? "" : t->between);
            *first = false;
            if (found)
                table_sort_value(out, t, name, found);
            else
                t->text(out, text_of(name));
        }
    }
}

static const FieldList *table_fields(const FieldList *own, int context)
{
    return own && own->count > 0 ? own : fields_of_tables(context > 0);
}

static void table_header(Buffer *out, const Table *t, const FormatSearch *s)
{
    const FieldList *list = table_fields(s->fields, s->context);
    bool first = true;
    for (int i = 0; i < list->count; i++) {
        if (list->field[i].id == FIELD_SORT) {
            table_sort(out, t, s->matcher, NULL, &first);
            continue;
        }
        buffer_text(out, first ? "" : t->between);
        t->text(out, field_name(&list->field[i]));
        first = false;
    }
    buffer_text(out, t->end);
}

static void table_row(Buffer *out, const Table *t, const FieldList *list, const FoundGame *g, FormatMemory *m,
                      const Found *found, int32_t id)
{
    bool first = true;
    for (int i = 0; i < list->count; i++) {
        if (list->field[i].id == FIELD_SORT) {
            table_sort(out, t, g->matcher, found, &first);
            continue;
        }
        buffer_text(out, first ? "" : t->between);
        first = false;
        const FieldValue value = field_value(&list->field[i], g, m, found, id);
        if (value.kind == FIELD_INTEGER)
            buffer_format(out, "%lld", (long long)value.number);
        else
            t->text(out, value.text);
    }
    buffer_text(out, t->end);
}

static void table_game(Buffer *out, const Table *t, const FoundGame *g, FormatMemory *m)
{
    const FieldList *list = table_fields(g->fields, g->context);
    const bool each = fields_of_positions(list);
    found_clocks(m, g);
    for (size_t i = 0; i < g->count; i++) {
        const Found *found = &g->found[i];
        fields_begin(g, m, found);
        for (int32_t k = 0; k < (each ? found->result->hit_count : 1); k++)
            table_row(out, t, list, g, m, found, each ? found->result->hit[k] : 0);
    }
}

void write_csv_header(Buffer *out, const FormatSearch *search)
{
    table_header(out, &csv[search->csv_safe], search);
}

void write_csv(Buffer *out, const FoundGame *g, FormatMemory *m)
{
    table_game(out, &csv[g->csv_safe], g, m);
}

void write_tsv_header(Buffer *out, const FormatSearch *search)
{
    table_header(out, &tsv[search->csv_safe], search);
}

void write_tsv(Buffer *out, const FoundGame *g, FormatMemory *m)
{
    table_game(out, &tsv[g->csv_safe], g, m);
}

// ---- FEN --------------------------------------------------------------------------------------------------

void write_fen(Buffer *out, const FoundGame *g, FormatMemory *m)
{
    char fen[FEN_MAX];
    found_clocks(m, g);
    found_mark_hits(m, g);
    for (int32_t id = 0; id < g->game->view.count; id++)
        if (m->position[id].hit)
            buffer_format(out, "%.*s\n", found_fen(m, g, id, fen), fen);
}
