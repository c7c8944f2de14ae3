// What every matcher is written with.

#ifdef __TINYC__ // does not inline, so macros serve for what is short
#define INLINE static inline
#else
#define INLINE static inline __attribute__((unused, always_inline))
// A query may well ask for what can never be.
#pragma GCC diagnostic ignored "-Wtautological-compare"
#endif

// A string of the query, with the layout of CqlString.
#define TEXT(name, literal)                                                                                  \
    static const struct {                                                                                    \
        uint32_t length;                                                                                     \
        char bytes[sizeof(literal)];                                                                         \
    } name = {sizeof(literal) - 1, literal}
#define STRING(name) ((String)(const void *)&name)

INLINE void give_up(const Context *c, int32_t reason)
{
    static const CqlString no_detail = {0, ""};
    c->rt->raise((Context *)c, reason, &no_detail);
}

// Every round of a loop takes a step of the game's budget.
#define take_step(c)                                                                                         \
    do {                                                                                                     \
        if (--(c)->steps <= 0)                                                                               \
            give_up(c, RAISE_STEPS);                                                                         \
    } while (0)

// The depth for a function called from one at `depth`.
INLINE int32_t deeper(Context *c, int32_t depth)
{
    take_step(c);
    if (depth <= 0 || (const char *)__builtin_frame_address(0) < c->stack_end)
        give_up(c, RAISE_MEMORY);
    return depth - 1;
}

// ---- numbers (modulo 2^32) ----

INLINE int32_t add(int32_t a, int32_t b)
{
    return (int32_t)((uint32_t)a + (uint32_t)b);
}

INLINE int32_t subtract(int32_t a, int32_t b)
{
    return (int32_t)((uint32_t)a - (uint32_t)b);
}

INLINE int32_t multiply(int32_t a, int32_t b)
{
    return (int32_t)((uint32_t)a * (uint32_t)b);
}

INLINE int32_t divide(int32_t a, int32_t b)
{
    return b == 0 ? 0 : b == -1 ? subtract(0, a) : a / b;
}

INLINE int32_t modulo(int32_t a, int32_t b)
{
    return b == 0 || b == -1 ? 0 : a % b;
}

INLINE int32_t square_root(int32_t value)
{
    int32_t root = 0;
    for (int32_t bit = 1 << 15; bit; bit >>= 1)
        if ((int64_t)(root + bit) * (root + bit) <= value)
            root += bit;
    return root;
}

// ---- sets of squares ----

// What can stand on a square, as bits: a set of kinds tells the primitives below which pieces need be looked
// at.
enum {
    KIND_P = 1 << WHITE_PAWN,
    KIND_N = 1 << WHITE_KNIGHT,
    KIND_B = 1 << WHITE_BISHOP,
    KIND_R = 1 << WHITE_ROOK,
    KIND_Q = 1 << WHITE_QUEEN,
    KIND_K = 1 << WHITE_KING,
    KIND_p = 1 << BLACK_PAWN,
    KIND_n = 1 << BLACK_KNIGHT,
    KIND_b = 1 << BLACK_BISHOP,
    KIND_r = 1 << BLACK_ROOK,
    KIND_q = 1 << BLACK_QUEEN,
    KIND_k = 1 << BLACK_KING,
    ANY_KIND = (1 << PIECE_CODES) - 2
};

INLINE Bitboard square_set(int32_t square)
{
    return (uint32_t)square < 64 ? 1ULL << square : 0;
}

// Ends the file of a matcher: exports the queries.
#ifdef __TINYC__
#define MADE_BY "cqlgen, TinyCC"
#else
#define MADE_BY "cqlgen, cc " __VERSION__
#endif
#define EXPORT_QUERIES(queries)                                                                              \
    const Matcher *cql_matcher(void);                                                                        \
    const Matcher *cql_matcher(void)                                                                         \
    {                                                                                                        \
        static const Matcher matcher = {                                                                     \
            .magic = CQL_MAGIC,                                                                              \
            .abi_version = CQL_ABI_VERSION,                                                                  \
            .query_count = sizeof queries / sizeof *queries,                                                 \
            .query = queries,                                                                                \
            .made_by = MADE_BY,                                                                              \
        };                                                                                                   \
        return &matcher;                                                                                     \
    }
