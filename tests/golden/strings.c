// A matcher made by cqlgen.
#include "matcher.h"

TEXT(literal_0, 5, "Event");
TEXT(literal_1, 4, "*/ }");
TEXT(literal_2, 1, "\"");
TEXT(literal_3, 3, "; \\");
TEXT(literal_4, 5, "%s \\n");
TEXT(literal_5, 1, "\\");
TEXT(literal_6, 2, "/*");

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

#ifdef __TINYC__
#define MADE_BY "cqlgen, TinyCC"
#else
#define MADE_BY "cqlgen, cc " __VERSION__
#endif

const Matcher *cql_matcher(void);

const Matcher *cql_matcher(void)
{
    static const Matcher matcher = {
        .magic = CQL_MAGIC,
        .abi_version = CQL_ABI_VERSION,
        .query_count = sizeof queries / sizeof *queries,
        .query = queries,
        .made_by = MADE_BY,
    };
    return &matcher;
}
