// Attacks and material for compilers that do not optimise: the host's compiled functions do the work.

#define attackers_among(c, p, kinds, from, to) ((c)->rt->attackers(p, from, to))
#define some_attack(c, p, kinds, from, to) ((c)->rt->attackers(p, from, to) != 0)
#define attacked_from(c, p, kinds, from) ((c)->rt->attacked(p, from))
#define king_attacked(c, p) ((p)->check != CHECK_NONE && (c)->rt->in_check(p))
#define power_of(c, p, kinds, set) ((c)->rt->power(p, set))
#define chain_starts(c, p, directions, sliders, ...) ((c)->rt->chain_from(p, directions, sliders, __VA_ARGS__))
#define chain_ends(c, p, directions, sliders, ...) ((c)->rt->chain_to(p, directions, sliders, __VA_ARGS__))
#define pin_squares(c, p, from, through, to, which) ((c)->rt->pin(p, from, through, to, which))
