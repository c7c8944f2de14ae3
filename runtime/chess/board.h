// The layout of the board, moves and tree nodes, shared by generated matchers, the chess rules and the game
// reader. It is part of the header of generated C, so it includes only the
// integer types.
//
// Squares: a1 = 0, b1 = 1, ... h1 = 7, a2 = 8, ... h8 = 63. A Bitboard is a set of squares, bit s = square s.
#ifndef CQL_BOARD_H
#define CQL_BOARD_H

#include "runtime/value/integers.h"

typedef uint64_t Bitboard;

// The contents of a square. The values also index Position.board.
enum {
    EMPTY = 0,
    WHITE_PAWN = 1,
    WHITE_KNIGHT,
    WHITE_BISHOP,
    WHITE_ROOK,
    WHITE_QUEEN,
    WHITE_KING,
    BLACK_PAWN = 7,
    BLACK_KNIGHT,
    BLACK_BISHOP,
    BLACK_ROOK,
    BLACK_QUEEN,
    BLACK_KING,
    PIECE_CODES // 13
};

// More indexes of Position.board: unions, updated by each move.
enum { BOARD_WHITE = 13, BOARD_BLACK = 14, BOARD_OCCUPIED = 15, BOARD_COUNT = 16 };

enum { WHITE = 0, BLACK = 1 };

enum { NO_SQUARE = 64 };

// Bits of Position.castling.
enum { CASTLE_WHITE_KING = 1, CASTLE_WHITE_QUEEN = 2, CASTLE_BLACK_KING = 4, CASTLE_BLACK_QUEEN = 8 };

// Position.check. Anything but CHECK_UNKNOWN also says that each side has one king, that the kings are not neighbours,
// and that the side that has moved is not in check. With the bit CHECK_VARIANT it says only whether check is given, by the
// rules of a variant, and the position is part of a VariantPosition (runtime/chess/variant.h).
enum { CHECK_UNKNOWN, CHECK_NONE, CHECK_GIVEN, CHECK_VARIANT = 4 };

// The pieces of one colour.
typedef struct Pieces {
    Bitboard pawn, knight, bishop, rook, queen, king;
} Pieces;

// One position. Its sets of squares have names; `board` has the same sets by piece code and BOARD_ index.
typedef struct Position {
    union {
        Bitboard board[BOARD_COUNT];
        struct {
            Bitboard empty;
            Pieces white, black;
            Bitboard white_pieces, black_pieces, occupied;
        };
    };
    uint8_t square[64];   // piece code of each square
    uint8_t side;         // the side to move, WHITE or BLACK
    uint8_t castling;     // CASTLE_ bits
    uint8_t en_passant;   // the square a pawn has just passed over (or the FEN's), or NO_SQUARE
    uint8_t rook_file[4]; // 0..7, the rook's file for each castling right, in bit order; usually 7 0 7 0
    uint8_t check;        // CHECK_: what is known about the king of the side to move
} Position;

// Move.flags
enum {
    MOVE_NULL = 1,
    MOVE_CAPTURE = 2,
    MOVE_EN_PASSANT = 4, // set together with MOVE_CAPTURE
    MOVE_CASTLE_KING = 8,
    MOVE_CASTLE_QUEEN = 16,
    MOVE_DOUBLE_STEP = 32,
    MOVE_DROP = 64, // in Crazyhouse: from == to, the empty square on which `piece` is put
    MOVE_CASTLE = MOVE_CASTLE_KING | MOVE_CASTLE_QUEEN
};

// One move (language reference 4.1). Castling: from and to are the king's squares (in Chess960 too: to is on
// the g or c file), rook_from and rook_to the rook's. Null move: from == to == the square of the king of the
// side that passes.
typedef struct Move {
    uint8_t from, to;
    uint8_t victim;             // square of the captured piece, or NO_SQUARE
    uint8_t promoted;           // piece code after promotion, or EMPTY
    uint8_t piece;              // code of the moving piece (before promotion)
    uint8_t flags;              // MOVE_ bits
    uint8_t rook_from, rook_to; // castling only, else NO_SQUARE
} Move;

// One node of the game tree, indexed by positionid (preorder, language reference 6.1.1). In preorder, the
// first child of a node is the next id, and the subtree of a node is the interval [id, last].
typedef struct Node {
    int32_t parent;       // -1 at the root
    int32_t first_child;  // id + 1, or -1 at a terminal position
    int32_t next_sibling; // -1: none
    int32_t last;         // greatest id in the subtree
    int32_t ply;          // edges from the root
    int32_t depth;        // secondary moves on the path from the root
    int32_t index;        // 0: reached by a primary move; 1, 2, ...: by a variation, in the order written
    int32_t reserved;
    Move move; // the move that leads here; all zero at the root
} Node;

#endif
