// Finds the positions of a game at which QUERY_matches is true.
static void QUERY_match_game(Context *c)
{
    match_positions(c, QUERY_matches);
}
