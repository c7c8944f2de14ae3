// strings.cql, compiled by cqlgen
//
//     // Text of the query never becomes code.
//     cql()
//     initial
//     event == "*/ }" + /" + "; /"
//     comment("%s /n" // "/*")
#include <cqlgen/matcher.h>

TEXT(text_Event, "Event");
TEXT(text, "*/ }");
TEXT(text_2, "\"");
TEXT(text_3, "; \\");
TEXT(text_4, "%s \\n");
TEXT(text_5, "\\");
TEXT(text_6, "/*");

// What the query remembers: the cells of c->slot.
typedef struct {
    Number fact_of_the_game;
    Number place_in_the_query;
} State;

static int32_t event_fits(Context *c, int32_t n, const Position *p, int32_t depth)
{
    String tag = 0;
    return c->rt->tag(c, STRING(text_Event), &tag) &&
        c->rt->compare(c, tag,
                       c->rt->concat(c, c->rt->concat(c, STRING(text), STRING(text_2)), STRING(text_3))) == 0;
}

// The body of the query at position n.
static int32_t matches(Context *c, int32_t n, const Position *p, int32_t depth)
{
    State *const state = (State *)c->slot;
    // 3: initial
    if (n != 0)
        return 0;
    // 4: event == "*/ }" + /" + "; /"
    if (state->fact_of_the_game == 0) {
        state->fact_of_the_game = 1;
        String tag = 0;
        if (c->rt->tag(c, STRING(text_Event), &tag) &&
            c->rt->compare(c, tag,
                           c->rt->concat(c, c->rt->concat(c, STRING(text), STRING(text_2)),
                                         STRING(text_3))) == 0)
            state->fact_of_the_game = 2;
    }
    if (state->fact_of_the_game != 2)
        return 0;
    // 5: comment("%s /n" // "/*")
    state->place_in_the_query = PLACE(5, 1);
    if (!c->rt->log_wanted(c))
        return 1;
    c->rt->log_add(c, n, c->rt->concat(c, c->rt->concat(c, STRING(text_4), STRING(text_5)), STRING(text_6)));
    return 1;
}

// Whether an atom of the condition on tags is true.
static int32_t tag_atom(Context *c, int32_t atom)
{
    return event_fits(c, -1, 0, c->depth);
}

// Finds the positions of a game at which matches is true.
static void match_game(Context *c)
{
    match_positions(c, matches);
}

static const int32_t tag_columns[] = {1 << COLUMN_EVENT};
static const int32_t tag_same[] = {0};
static const int32_t tag_formula[] = {0};

static const QueryInfo queries[] = {
    {
        .name = "strings.cql",
        .source = "// Text of the query never becomes code.\n"
            "cql()\n"
            "initial\n"
            "event == \"*/ }\" + \\\" + \"; \\\"\n"
            "comment(\"%s \\n\" \\\\ \"/*\")\n",
        .flags = QUERY_NEEDS_TAGS | QUERY_COMMENTS,
        .slot_count = 2,
        .place_cell = 2,
        .tag_atom_count = 1,
        .tag_columns = tag_columns,
        .tag_same = tag_same,
        .tag_formula_count = 1,
        .tag_formula = tag_formula,
        .tag_atom = tag_atom,
        .match_game = match_game,
    },
};

EXPORT_QUERIES(queries)
