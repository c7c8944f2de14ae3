// Primitives for compilers that do not optimise: the host's compiled functions do the work.

#ifdef CQL_IN_MEMORY // the program that compiles this lends its own
extern int32_t count_squares(Bitboard set);
extern int32_t first_square(Bitboard set);
#else
INLINE int32_t count_squares(Bitboard set)
{
    int32_t count = 0;
    for (; set; set &= set - 1)
        count++;
    return count;
}

INLINE int32_t first_square(Bitboard set)
{
    return count_squares((set & -set) - 1);
}
#endif

#define attackers_among(c, p, kinds, from, to) ((c)->rt->attackers(p, from, to))
#define some_attack(c, p, kinds, from, to) ((c)->rt->attackers(p, from, to) != 0)
#define attacked_from(c, p, kinds, from) ((c)->rt->attacked(p, from))
#define king_attacked(c, p) ((c)->rt->in_check(p))
