// strings.cql, compiled by cqlgen
//
//     // Text of the query never becomes code.
//     cql()
//     initial
//     event == "*/ }" + /" + "; /"
//     comment("%s /n" // "/*")
#include <cqlgen/matcher.h>

TEXT(literal_0, "Event");
TEXT(literal_1, "*/ }");
TEXT(literal_2, "\"");
TEXT(literal_3, "; \\");
TEXT(literal_4, "%s \\n");
TEXT(literal_5, "\\");
TEXT(literal_6, "/*");

// The state of the query, cells of c->slot.
enum {
    slot_0_place_in_the_query = 0,
};

// The body of the query at position n.
static int32_t matches(Context *c, int32_t n, const Position *p, int32_t depth)
{
    (void)p;
    (void)depth;
    String string_0 = 0;
    int32_t number_1 = c->rt->log_mark(c);
    // 3: initial
    if (n == 0) {
        // 4: event == "*/ }" + /" + "; /"
        if (c->rt->tag(c, STRING(literal_0), &string_0) && c->rt->compare(string_0, c->rt->concat(c,
            c->rt->concat(c, STRING(literal_1), STRING(literal_2)), STRING(literal_3))) == 0) {
            // 5: comment("%s /n" // "/*")
            c->slot[slot_0_place_in_the_query].i = PLACE(5, 1);
            if (!c->rt->log_wanted(c))
                goto label_4;
            c->rt->log_add(c, n, c->rt->concat(c, c->rt->concat(c, STRING(literal_4), STRING(literal_5)),
                STRING(literal_6)));
        label_4:;
            return 1;
        }
    }
    c->rt->log_cut(c, number_1);
    return 0;
}

// Finds the positions of a game at which matches holds.
static void match_game(Context *c)
{
    for (int32_t n = 0; n < c->game->count; n++) {
        c->at = n;
        if (matches(c, n, c->position[n], c->depth)) {
            c->hit[c->hit_count++] = n;
            if (c->show)
                c->rt->show(c);
        }
    }
}

static const QueryInfo queries[] = {
    {
        .name = "strings.cql",
        .source = "// Text of the query never becomes code.\n"
        "cql()\n"
        "initial\n"
        "event == \"*/ }\" + \\\" + \"; \\\"\n"
        "comment(\"%s \\n\" \\\\ \"/*\")\n",
        .flags = 640,
        .slot_count = 1,
        .place_cell = 1,
        .match_game = match_game,
    },
};

EXPORT_QUERIES(queries)
