// Variants of chess (language reference 16): a table with a row for each, positions with what their rules need
// besides the board, their moves and their ends.
//
// Ordinary positions are plain Positions. A position of a variant is the first member of a VariantPosition and says so:
// its `check` has CHECK_VARIANT, and is always known. pos_make and the like make ordinary positions of any.
#ifndef CQL_VARIANT_H
#define CQL_VARIANT_H

#include "chess.h"

// In the order of the table in 16.1.
enum Variant {
    VARIANT_STANDARD,
    VARIANT_CHESS960,
    VARIANT_ATOMIC,
    VARIANT_CRAZYHOUSE,
    VARIANT_GIVEAWAY,
    VARIANT_HORDE,
    VARIANT_KING_OF_THE_HILL,
    VARIANT_LOSERS,
    VARIANT_RACING_KINGS,
    VARIANT_SUICIDE,
    VARIANT_THREE_CHECK,
    VARIANTS,
    VARIANT_FOREIGN = 255 // unknown rules
};

// How a game ended for the side to move, as bits.
enum { VARIANT_END_WON = 1, VARIANT_END_LOST = 2, VARIANT_END_DRAWN = 4 };

enum { CHECKS_TO_GIVE = 3 };

typedef struct VariantPosition {
    Position board;
    Bitboard promoted; // squares of men that were pawns
    uint8_t variant;
    uint8_t pocket[2][WHITE_QUEEN + 1]; // by colour and type
    uint8_t checks[2];                  // that each colour still has to give
} VariantPosition;

// Differences from chess.
enum {
    RULE_EXPLOSIONS = 1, // captures explode; kings side by side are safe
    RULE_POCKETS = 2,    // captured men are dropped
    RULE_COMPULSORY = 4, // a side that can capture must
    RULE_PROMOTES_TO_KING = 8,
    RULE_NO_CHECKS = 16, // no move may leave either king attacked
    RULE_COUNTS_CHECKS = 32,
    RULE_NO_CASTLING = 64,
    RULE_NO_PAWNS = 128,
    RULE_FIRST_RANK = 256,   // White's pawns may stand on the first rank, and step twice from there
    RULE_GOES_ON = 512,      // moves after the end are read as before it
    RULE_CHESS = 1024,       // differs from chess only in how it ends: `move legal` follows 4.2.2
    RULE_ANY_CASTLING = 2048 // castling is read without a right, too
};

typedef struct VariantRules {
    const char *name;
    const char *start; // FEN; NULL: the array
    unsigned rules;
    bool royal[2];          // may the king of a colour not be left attacked?
    uint8_t least_kings[2]; // in a FEN, by colour
    uint8_t most_kings[2];
    uint8_t most_men[2];
    uint8_t castling; // rights that are assumed where a FEN says nothing
    // How a rule other than want of moves has ended the game, as VARIANT_END_ bits. NULL: never.
    int (*over)(const VariantPosition *p);
    // The same for a side without a legal move. NULL: as in chess, no rule of the variant.
    int (*stuck)(const VariantPosition *p);
} VariantRules;

extern const VariantRules variant_rules[VARIANTS];

static inline bool variant_is(const Position *p)
{
    return p->check & CHECK_VARIANT;
}

static inline const VariantPosition *variant_position(const Position *p)
{
    return (const VariantPosition *)(const void *)p;
}

static inline const VariantRules *variant_rules_of(const Position *p)
{
    return &variant_rules[variant_is(p) ? variant_position(p)->variant : VARIANT_STANDARD];
}

// Begins a position of the variant with a board; its pockets are empty and no check was given.
void variant_begin(VariantPosition *v, int variant, const Position *board);

// Sets the `check` of a position of a variant whose board was changed.
void variant_find_check(VariantPosition *v);

// The following take any position of a variant.

// Sets *next to the position after a pseudo-legal or null move. next must not be p.
void variant_make(VariantPosition *restrict next, const Position *restrict p, Move m);

// The king of `colour`, if it is royal, is attacked.
bool variant_in_check(const Position *p, int colour);

// How a rule other than want of moves has ended the game; how any rule has (16.2).
int variant_over(const Position *p);
int variant_ended(const Position *p);

// Does the side to move have a move, as `mate` and `stalemate` ask? A position that is over is not stalemate, and mate only
// where the game may go on.
bool variant_has_move(const Position *p);

enum { MAX_VARIANT_MOVES = MAX_MOVES + 5 * 64 };

// All moves, castling by the rights, none in a position that is over; returns their number. Legal ones or, `pseudo`, also
// those that the safety of kings, compulsory captures or the ban on checks forbid.
int variant_moves(const Position *p, bool pseudo, Move moves[MAX_VARIANT_MOVES]);

// Is a pseudo-legal move legal for the reader (16.5)?
bool variant_is_legal(const Position *p, Move m);

// As pos_castling_move, by the rules of the variant.
bool variant_castling_move(const Position *p, int wing, bool need_right, Move *m);

// The squares on which men other than pawns may arrive.
Bitboard variant_targets(const Position *p);

// Has each side as many kings as it may have?
bool variant_has_kings(const VariantRules *rules, const Position *p);

// Which condition of 16.4 the men on the board break, for a message, or NULL.
const char *variant_men_fault(const VariantRules *rules, const Position *p);

// `legalposition` (16.6).
bool variant_is_legal_position(const Position *p);

// Drops: type 1..5 on an empty square.
static inline Move variant_drop(int colour, int type, int to)
{
    return (Move){.from = to,
                  .to = to,
                  .victim = NO_SQUARE,
                  .piece = piece_make(colour, type),
                  .flags = MOVE_DROP,
                  .rook_from = NO_SQUARE,
                  .rook_to = NO_SQUARE};
}

// Reads a FEN of the variant (16.4), as fen_parse does.
const char *variant_fen_parse(int variant, const char *text, size_t length, VariantPosition *v,
                              FenClocks *clocks);

#endif
