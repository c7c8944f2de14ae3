// The values of fields.
#include "fields.h"

#include <stdlib.h>
#include <string.h>

#include "runtime/value/memory.h"
#include "found.h"
#include "writers.h"

const FieldInfo field_info[FIELD_TAG] = {
#define GAME false
#define POSITION true
#define FIELD(id, name, level, help) [FIELD_##id] = {name, level, help},
#include "fields.def"
#undef GAME
#undef POSITION
};

// ---- lists ------------------------------------------------------------------------------------------------

#define F(name)                                                                                              \
    {                                                                                                        \
        .id = FIELD_##name                                                                                   \
    }
#define PLACE_FIELDS F(POSITION), F(PLY), F(NUMBER), F(SAN), F(UCI), F(NEXT_SAN), F(NEXT_UCI)
#define PLAYER_FIELDS                                                                                        \
    F(WHITE), F(BLACK), F(WHITE_ELO), F(BLACK_ELO), F(RESULT), F(DATE), F(EVENT), F(SITE), F(ROUND), F(ECO)
#define ROW_FIELDS F(GAME), F(FILE), F(QUERY), PLACE_FIELDS, F(FEN)
#define GAME_FIELDS F(GAME), F(FILE), F(GAME_IN_FILE), PLAYER_FIELDS, F(PLY_COUNT), F(TAGS), PLACE_FIELDS
#define COMMENT_FIELDS F(COMMENT), F(CLOCK), F(ELAPSED), F(EVAL), F(SORT)

const FieldList *fields_of_tables(bool context)
{
    static const FieldList usual = {{ROW_FIELDS, PLAYER_FIELDS, COMMENT_FIELDS}, 26},
                           around = {{ROW_FIELDS, F(BEFORE), F(AFTER), PLAYER_FIELDS, COMMENT_FIELDS}, 28};
    return context ? &around : &usual;
}

const FieldList *fields_of_database(bool context)
{
    static const FieldList usual = {{GAME_FIELDS, COMMENT_FIELDS}, 27},
                           around = {{GAME_FIELDS, F(BEFORE), F(AFTER), COMMENT_FIELDS}, 29};
    return context ? &around : &usual;
}

static FieldId find_field(Text name)
{
    FieldId id = 0;
    while (id < FIELD_TAG && !text_equal(text_of(field_info[id].name), name))
        id++;
    return id;
}

static char *unknown_field(Text name)
{
    Buffer names = {0};
    for (FieldId id = 0; id < FIELD_TAG; id++)
        buffer_format(&names, "%s%s", id > 0 ? ", " : "", field_info[id].name);
    char *message = memory_format("`%.*s` is neither a field nor a tag (tags begin with a capital letter); "
                                  "the fields are %.*s",
                                  (int)name.length, name.start, (int)names.length, names.start);
    buffer_free(&names);
    return message;
}

char *fields_read(FieldList *list, const char *names)
{
    list->count = 0;
    for (const char *p = names;; p++) {
        const Text name = {p, strcspn(p, ",")};
        const FieldId id = find_field(name);
        if (name.length == 0)
            return memory_format("write names with commas between them, as in game,fen,White");
        if (id == FIELD_TAG && (*p < 'A' || *p > 'Z'))
            return unknown_field(name);
        for (int i = 0; i < list->count; i++)
            if (text_equal(field_name(&list->field[i]), name))
                return memory_format("`%.*s` comes twice", (int)name.length, name.start);
        if (list->count == MOST_FIELDS)
            return memory_format("more than %d fields", MOST_FIELDS);
        list->field[list->count++] = (Field){id, name};
        p += name.length;
        if (!*p)
            return NULL;
    }
}

bool fields_of_positions(const FieldList *list)
{
    for (int i = 0; i < list->count; i++)
        if (list->field[i].id != FIELD_TAG && field_info[list->field[i].id].of_position)
            return true;
    return false;
}

Text field_name(const Field *field)
{
    return field->id == FIELD_TAG ? field->tag : text_of(field_info[field->id].name);
}

Text field_tag(const Field *field)
{
    static const char *const tags[FIELD_TAG] = {
        [FIELD_WHITE] = "White",       [FIELD_BLACK] = "Black", [FIELD_RESULT] = "Result",
        [FIELD_DATE] = "Date",         [FIELD_EVENT] = "Event", [FIELD_SITE] = "Site",
        [FIELD_ROUND] = "Round",       [FIELD_ECO] = "ECO",     [FIELD_WHITE_ELO] = "WhiteElo",
        [FIELD_BLACK_ELO] = "BlackElo"};
    if (field->id == FIELD_TAG)
        return field->tag;
    return tags[field->id] ? text_of(tags[field->id]) : (Text){0};
}

// ---- values -----------------------------------------------------------------------------------------------

void fields_begin(const FoundGame *g, FormatMemory *m, const Found *found)
{
    found_comments(m, g, found, 1, true);
    found_tags(m, g, found, 1);
}

static FieldValue integer(int64_t number)
{
    return (FieldValue){.kind = FIELD_INTEGER, .number = number};
}

static FieldValue text(Text value)
{
    return (FieldValue){.kind = FIELD_TEXT, .text = value};
}

// What was written to m->value.
static FieldValue written(const FormatMemory *m, FieldKind kind)
{
    return (FieldValue){.kind = kind, .text = {m->value.start, m->value.length}};
}

static FieldValue tag_value(const FormatMemory *m, Text name)
{
    for (size_t i = 0; i < m->tag_count; i++)
        if (text_equal(m->tag[i].name, name))
            return text(m->tag[i].value);
    return (FieldValue){0};
}

// A rating, unless it is not a number.
static FieldValue rating(const FormatMemory *m, Text tag)
{
    enum { DIGITS = 9 };
    const FieldValue value = tag_value(m, tag);
    int64_t number = 0;
    for (size_t i = 0; i < value.text.length; i++) {
        const char c = value.text.start[i];
        if (c < '0' || c > '9' || i >= DIGITS)
            return value;
        number = 10 * number + c - '0';
    }
    return value.text.length > 0 ? integer(number) : value;
}

// Appends the move that leads to a position, after a space unless it is the first.
static void add_move(Buffer *out, const GameView *view, int32_t id, bool uci)
{
    char move[SAN_MAX];
    const Position *before = view->position[view->node[id].parent];
    if (out->length > 0)
        buffer_append(out, " ", 1);
    buffer_append(out, move,
                  (size_t)(uci ? uci_write(before, view->node[id].move, move) : view_san(view, id, move)));
}

// The move that leads to a position; none for the start and the end of a line.
static FieldValue move_value(const GameView *view, FormatMemory *m, int32_t id, bool uci)
{
    if (id <= 0)
        return (FieldValue){0};
    add_move(&m->value, view, id, uci);
    return written(m, FIELD_TEXT);
}

// Up to `most` moves on the line of a position: the last ones before it, or those that follow.
static FieldValue moves_before(const GameView *view, FormatMemory *m, int32_t id, int most)
{
    int32_t first = id;
    for (int i = 0; i < most && first > 0; i++)
        first = view->node[first].parent;
    const int count = view->node[id].ply - view->node[first].ply;
    for (int i = count; i > 0; i--) {
        int32_t at = id;
        for (int k = 1; k < i; k++)
            at = view->node[at].parent;
        add_move(&m->value, view, at, false);
    }
    return written(m, FIELD_WORDS);
}

static FieldValue moves_after(const GameView *view, FormatMemory *m, int32_t id, int most, bool uci)
{
    for (int i = 0; i < most && (id = view->node[id].first_child) >= 0; i++)
        add_move(&m->value, view, id, uci);
    return written(m, FIELD_WORDS);
}

static FieldValue json_value(const Field *field, const FoundGame *g, FormatMemory *m, const Found *found)
{
    Buffer *out = &m->json; // the values of its members are in m->value
    out->length = 0;
    if (field->id == FIELD_TAGS)
        write_json_tags(out, m);
    else if (field->id == FIELD_POSITIONS)
        write_json_positions(out, g, m, found->result);
    else
        write_json_comments(out, g, m, found->result);
    return (FieldValue){.kind = FIELD_JSON, .text = {out->start, out->length}};
}

static FieldValue fen_value(const FoundGame *g, FormatMemory *m, int32_t id)
{
    char fen[FEN_MAX];
    buffer_append(&m->value, fen, (size_t)found_fen(m, g, id, fen));
    return written(m, FIELD_TEXT);
}

static FieldValue comment_value(const FoundGame *g, FormatMemory *m, int32_t id)
{
    const Text comment = found_comment(m, g, id);
    return comment.length > 0 ? text(comment) : (FieldValue){0};
}

// The value that a comment gives the position (language reference 15).
static FieldValue number_in_comment(bool (*read)(const Game *g, int32_t id, int32_t *value), const Game *g,
                                    int32_t id)
{
    int32_t value;
    return read(g, id, &value) ? integer(value) : (FieldValue){0};
}

static FieldValue game_value(const Field *field, const FoundGame *g, FormatMemory *m, const Found *found)
{
    const GameView *view = &g->game->view;
    switch (field->id) {
    case FIELD_GAME:
        return integer(g->number);
    case FIELD_FILE:
        return text(text_of(g->input));
    case FIELD_GAME_IN_FILE:
        return integer(g->number_in_file);
    case FIELD_OFFSET:
        return g->offset >= 0 ? integer(g->offset) : (FieldValue){0};
    case FIELD_QUERY:
        return text(text_of(found->query->name));
    case FIELD_TAGS:
    case FIELD_POSITIONS:
    case FIELD_COMMENTS:
        return json_value(field, g, m, found);
    case FIELD_MOVES:
    case FIELD_UCI_MOVES:
        return moves_after(view, m, 0, view->count, field->id == FIELD_UCI_MOVES);
    case FIELD_WHITE_ELO:
    case FIELD_BLACK_ELO:
        return rating(m, field_tag(field));
    case FIELD_PLY_COUNT:
        return integer(g->game->ply_count);
    default:
        return tag_value(m, field_tag(field));
    }
}

static FieldValue position_value(const Field *field, const FoundGame *g, FormatMemory *m, int32_t id)
{
    const GameView *view = &g->game->view;
    const Node *node = &view->node[id];
    switch (field->id) {
    case FIELD_POSITION:
        return integer(id);
    case FIELD_PLY:
        return integer(node->ply);
    case FIELD_NUMBER:
        return id > 0 ? integer(found_move_number(g, id)) : (FieldValue){0};
    case FIELD_SAN:
    case FIELD_UCI:
        return move_value(view, m, id, field->id == FIELD_UCI);
    case FIELD_NEXT_SAN:
    case FIELD_NEXT_UCI:
        return move_value(view, m, node->first_child, field->id == FIELD_NEXT_UCI);
    case FIELD_FEN:
        return fen_value(g, m, id);
    case FIELD_COMMENT:
        return comment_value(g, m, id);
    case FIELD_CLOCK:
        return number_in_comment(game_clock, g->game, id);
    case FIELD_ELAPSED:
        return number_in_comment(game_elapsed, g->game, id);
    case FIELD_EVAL:
        return number_in_comment(game_eval, g->game, id);
    case FIELD_BEFORE:
        return moves_before(view, m, id, g->context);
    default:
        return moves_after(view, m, id, g->context, false);
    }
}

FieldValue field_value(const Field *field, const FoundGame *g, FormatMemory *m, const Found *found,
                       int32_t id)
{
    m->value.length = 0;
    return field->id < FIELD_TAG && field_info[field->id].of_position ? position_value(field, g, m, id)
                                                                      : game_value(field, g, m, found);
}
