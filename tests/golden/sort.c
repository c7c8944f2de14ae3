// sort.cql, compiled by cqlgen
//
//     // A sort and strings.
//     cql(result 1-0)
//     sort min "elo of White" elo white
//     mate
//     comment("mate by " player white)
#include <cqlgen/matcher.h>

TEXT(text_mate_by, "mate by ");
TEXT(text, "<false>");

// What the query remembers: the cells of c->slot.
typedef struct {
    Number place_in_the_query;
} State;

static int32_t white_elo_fits(Context *c, int32_t n, const Position *p, int32_t depth)
{
    int32_t elo = 0;
    return c->rt->elo(c, 0, &elo) != 0;
}

// The body of the query at position n.
static int32_t matches(Context *c, int32_t n, const Position *p, int32_t depth)
{
    State *const state = (State *)c->slot;
    const int32_t mark = c->rt->log_mark(c);
    // 3: sort min "elo of White" elo white
    state->place_in_the_query = PLACE(3, 1);
    int32_t elo = 0;
    if (c->rt->elo(c, 0, &elo)) {
        c->rt->sort_int(c, 0, 0, elo, 2147483647);
        // 4: mate
        if (king_attacked(c, p) && !c->rt->has_legal_move(p)) {
            // 5: comment("mate by " player white)
            state->place_in_the_query = PLACE(5, 1);
            if (!c->rt->log_wanted(c))
                return 1;
            String player = 0;
            String string = 0;
            if (c->rt->player(c, 0, &player))
                string = player;
            else
                string = STRING(text);
            c->rt->log_add(c, n, c->rt->concat(c, STRING(text_mate_by), string));
            return 1;
        }
    }
    c->rt->log_cut(c, mark);
    return 0;
}

// Whether an atom of the condition on tags is true.
static int32_t tag_atom(Context *c, int32_t atom)
{
    return white_elo_fits(c, -1, 0, c->depth);
}

// Looks for games that may match, straight from their moves.
static void screen(const LineGroup *line, int32_t count, int32_t (*const *found)[LINE_LANES])
{
    for (int32_t group = 0; group < count; group++, line++)
        for (int32_t lane = 0; lane < LINE_LANES; lane += LANES) {
            const Lanes facts = lanes_read(line->facts + lane);
            const Lanes possible = ~lanes_equal(facts & LINE_MATE, lanes_all(0));
            lanes_write(found[0][group] + lane, possible & 1);
        }
}

// Finds the positions of a game at which matches is true.
static void match_game(Context *c)
{
    match_positions(c, matches);
}

static const int32_t tag_columns[] = {1 << COLUMN_WHITE_ELO};
static const int32_t tag_formula[] = {0};

static const SortKeyInfo sort_keys[] = {
    {"elo of White", 0, 1, 0},
};

static const QueryInfo queries[] = {
    {
        .name = "sort.cql",
        .source = "// A sort and strings.\n"
            "cql(result 1-0)\n"
            "sort min \"elo of White\" elo white\n"
            "mate\n"
            "comment(\"mate by \" player white)\n",
        .flags = QUERY_NEEDS_TAGS | QUERY_COMMENTS,
        .results = 1 << RESULT_WHITE,
        .slot_count = 1,
        .place_cell = 1,
        .sort_key_count = 1,
        .sort_key = sort_keys,
        .tag_atom_count = 1,
        .tag_columns = tag_columns,
        .tag_formula_count = 1,
        .tag_formula = tag_formula,
        .tag_atom = tag_atom,
        .match_game = match_game,
        .screen = SCREEN(screen, 24),
        .screen_cost = SCREEN_COST(24),
    },
};

EXPORT_QUERIES(queries)
