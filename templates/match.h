// Finds the positions of a game at which QUERY_matches is true.
static void QUERY_match_game(Context *c)
{
    for (int32_t n = 0; n < c->game->count; n++) {
        c->at = n;
        if (QUERY_matches(c, n, c->position[n], c->depth)) {
            c->hit[c->hit_count++] = n;
            if (c->show)
                c->rt->show(c);
        }
    }
}
