// The steps of sieve.h, with the functions of setwise_code.h, which includes this once for each kind of processor.
#include "sieve.h"

typedef uint64_t SieveRow[SIEVE_POSITIONS];

typedef struct SieveState {
    int count; // of the positions that are left
    bool all;  // all are left: their numbers are 0, 1, 2 ...
    const Position *at[SIEVE_POSITIONS];
    uint8_t number[SIEVE_POSITIONS]; // unless `all`
    SieveRow row[SIEVE_REGISTERS] __attribute__((aligned(64)));
} SieveState;

// Several cells of a row. Rows have cells for whole groups, so that those after the last position may be written.
enum { SIEVE_LANES = 8 };
typedef uint64_t SieveLanes __attribute__((vector_size(8 * SIEVE_LANES), may_alias));
typedef int64_t SieveSigned __attribute__((vector_size(8 * SIEVE_LANES)));

#define SIEVE_AT(row) (*(SieveLanes *)((row) + i))
#define SIEVE_EACH_GROUP(expression)                                                                         \
    for (int i = 0; i < count; i += SIEVE_LANES)                                                             \
    SIEVE_AT(to) = (expression)

// For all positions that are left.
#define SIEVE_EACH for (int i = 0; i < count; i++)
// Where the step is wanted, too.
#define SIEVE_EACH_WANTED                                                                                    \
    for (int i = 0; i < count; i++)                                                                          \
        if (guard && !guard[i])                                                                              \
            to[i] = 0;                                                                                       \
        else

// The number of 64 bits that has the lower 32 bits of this one, and their sign.
RAYS_INLINE uint64_t sieve_signed(uint64_t number)
{
    return (uint64_t)(int64_t)(int32_t)(uint32_t)number;
}

// Sets moved in one direction: a shift for all of them.
RAYS_INLINE void sieve_move(uint64_t *to, const uint64_t *a, int count, int files, int ranks)
{
    // the squares that do not leave the board
    const Bitboard kept = bb_step(bb_step(BB_ALL, files, ranks), -files, -ranks);
    const int distance = ranks * 8 + files;
    if (distance >= 0)
        SIEVE_EACH_GROUP((SIEVE_AT(a) & kept) << distance);
    else
        SIEVE_EACH_GROUP((SIEVE_AT(a) & kept) >> -distance);
}

RAYS_INLINE uint64_t sieve_power(const Position *p, Bitboard set)
{
    const Pieces *white = &p->white, *black = &p->black;
    return (uint64_t)(sw_count(set & (white->pawn | black->pawn)) +
                      3 * sw_count(set & (white->knight | black->knight | white->bishop | black->bishop)) +
                      5 * sw_count(set & (white->rook | black->rook)) +
                      9 * sw_count(set & (white->queen | black->queen)));
}

// The positions at which the condition is not 0, by their places in the rows.
RAYS_INLINE uint64_t sieve_true(const uint64_t *condition, int count)
{
    uint64_t found = 0;
#if RAYS_WIDEST
    typedef long long SieveInts __attribute__((vector_size(64)));
    for (int i = 0; i < count; i += SIEVE_LANES)
        found |= (uint64_t)__builtin_ia32_ptestmq512((SieveInts)SIEVE_AT(condition),
                                                     (SieveInts)SIEVE_AT(condition), (unsigned char)-1)
                 << i;
#elif RAYS_WIDE
    typedef double SieveHalf __attribute__((vector_size(32)));
    typedef uint64_t SieveHalfLanes __attribute__((vector_size(32), may_alias));
    for (int i = 0; i < count; i += SIEVE_LANES / 2)
        found |=
            (uint64_t)__builtin_ia32_movmskpd256((SieveHalf)(*(const SieveHalfLanes *)(condition + i) != 0))
            << i;
#else
    for (int i = 0; i < count; i++)
        found |= (uint64_t)(condition[i] != 0) << i;
#endif
    return count < SIEVE_POSITIONS ? found & ((1ULL << count) - 1) : found;
}

static void sieve_keep(SieveState *s, const uint64_t *condition, uint64_t registers)
{
    const uint64_t found = sieve_true(condition, s->count);
    int kept = 0;
    for (uint64_t rest = found; rest; rest &= rest - 1) {
        const int from = __builtin_ctzll(rest);
        s->at[kept] = s->at[from];
        s->number[kept++] = s->all ? (uint8_t)from : s->number[from];
    }
    for (; registers; registers &= registers - 1) {
        uint64_t *row = s->row[__builtin_ctzll(registers)];
        int to = 0;
        for (uint64_t rest = found; rest; rest &= rest - 1)
            row[to++] = row[__builtin_ctzll(rest)];
    }
    s->count = kept;
    s->all = false;
}

// The numbers of the positions that are left and at which the condition is not 0.
static uint64_t sieve_last(const SieveState *s, const uint64_t *condition)
{
    const uint64_t found = sieve_true(condition, s->count);
    if (s->all)
        return found;
    uint64_t kept = 0;
    for (uint64_t rest = found; rest; rest &= rest - 1)
        kept |= 1ULL << s->number[__builtin_ctzll(rest)];
    return kept;
}

static void sieve_step(SieveState *s, const SieveStep *step)
{
    uint64_t *to = s->row[step->to];
    const uint64_t *a = s->row[step->a], *b = s->row[step->b];
    const uint64_t *guard = step->guard == SIEVE_NO_GUARD ? NULL : s->row[step->guard];
    const Position *const *at = s->at;
    const Bitboard set = step->set;
    const int count = s->count, number = step->number;
    switch ((SieveOp)step->op) {
    case SIEVE_CONSTANT:
        SIEVE_EACH_GROUP(set - (SieveLanes){0});
        break;
    case SIEVE_BOARD:
        SIEVE_EACH to[i] = at[i]->board[number];
        break;
    case SIEVE_AND_BOARD:
        SIEVE_EACH to[i] = a[i] & at[i]->board[number];
        break;
    case SIEVE_OR_BOARD:
        SIEVE_EACH to[i] = a[i] | at[i]->board[number];
        break;
    case SIEVE_AND_CONSTANT:
        SIEVE_EACH_GROUP(SIEVE_AT(a) & set);
        break;
    case SIEVE_SIDE:
        SIEVE_EACH to[i] = at[i]->side;
        break;
    case SIEVE_AND:
        SIEVE_EACH_GROUP(SIEVE_AT(a) & SIEVE_AT(b));
        break;
    case SIEVE_OR:
        SIEVE_EACH_GROUP(SIEVE_AT(a) | SIEVE_AT(b));
        break;
    case SIEVE_XOR:
        SIEVE_EACH_GROUP(SIEVE_AT(a) ^ SIEVE_AT(b));
        break;
    case SIEVE_NOT:
        SIEVE_EACH_GROUP(~SIEVE_AT(a));
        break;
    case SIEVE_SELECT:
        SIEVE_EACH_GROUP((SIEVE_AT(a) & -SIEVE_AT(guard)) | (SIEVE_AT(b) & (SIEVE_AT(guard) - 1)));
        break;
    case SIEVE_MOVED:
        sieve_move(to, a, count, number, step->low);
        break;
    case SIEVE_KNIGHT_MOVES:
        SIEVE_EACH to[i] = sw_knight_moves(a[i]);
        break;
    case SIEVE_KING_MOVES:
        SIEVE_EACH to[i] = sw_king_moves(a[i]);
        break;
    case SIEVE_COUNT:
        SIEVE_EACH to[i] = (uint64_t)sw_count(a[i]);
        break;
    case SIEVE_ADD:
        SIEVE_EACH to[i] = sieve_signed(a[i] + b[i]);
        break;
    case SIEVE_SUBTRACT:
        SIEVE_EACH to[i] = sieve_signed(a[i] - b[i]);
        break;
    case SIEVE_MULTIPLY:
        SIEVE_EACH to[i] = sieve_signed(a[i] * b[i]);
        break;
    case SIEVE_EQUAL:
        SIEVE_EACH_GROUP((SieveLanes)(SIEVE_AT(a) == SIEVE_AT(b)) & 1);
        break;
    case SIEVE_LESS:
        SIEVE_EACH_GROUP((SieveLanes)((SieveSigned)SIEVE_AT(a) < (SieveSigned)SIEVE_AT(b)) & 1);
        break;
    case SIEVE_SOME:
        SIEVE_EACH_GROUP((SieveLanes)(SIEVE_AT(a) != 0) & 1);
        break;
    case SIEVE_FALSE:
        SIEVE_EACH_GROUP((SieveLanes)(SIEVE_AT(a) == 0) & 1);
        break;
    case SIEVE_ATTACKED:
        if (number & ~SW_SLIDERS)
            SIEVE_EACH_WANTED to[i] = a[i] ? sw_attacked(at[i], a[i]) : 0;
        else
            SIEVE_EACH_WANTED to[i] = a[i] ? sw_attacked_by(at[i], a[i], number) : 0;
        break;
    case SIEVE_ATTACKERS:
        if (number & ~SW_SLIDERS)
            SIEVE_EACH_WANTED to[i] = a[i] ? sw_attackers(at[i], a[i], b[i]) : 0;
        else
            SIEVE_EACH_WANTED to[i] = a[i] ? sw_attackers_by(at[i], a[i], b[i], number) : 0;
        break;
    case SIEVE_POWER:
        SIEVE_EACH_WANTED to[i] = sieve_power(at[i], a[i]);
        break;
    case SIEVE_IN_CHECK:
        SIEVE_EACH_WANTED to[i] =
            at[i]->check == CHECK_UNKNOWN ? pos_in_check(at[i], at[i]->side) : at[i]->check == CHECK_GIVEN;
        break;
    case SIEVE_CAN_MOVE:
        SIEVE_EACH_WANTED to[i] = pos_has_legal_move(at[i]);
        break;
    case SIEVE_KEEP:
        sieve_keep(s, a, set);
        break;
    }
}

static uint64_t sw_sieve(const SieveStep *step, int steps, const Position *const *position, int count)
{
    SieveState s;
    s.count = count;
    s.all = true;
    for (int i = 0; i < count; i++)
        s.at[i] = position[i];
    for (int i = 0; i < steps - 1 && s.count > 0; i++)
        sieve_step(&s, &step[i]);
    return sieve_last(&s, s.row[step[steps - 1].a]); // the last step is SIEVE_KEEP
}
