// The rules of chess on Position: attacks, legal moves, making moves, SAN, FEN, Chess960 castling, null
// moves. Module prefixes: bb_ (bitboards), attacks_ / *_attacks, pos_ (positions), san_, fen_.
//
// The files, lowest first: attacks.c (with sliders.h), position.c, movegen.c, key.c, san.c, san_other.c, san_play.c (with usual.h), fen.c,
// written.c, retract.c.
#ifndef CQL_CHESS_H
#define CQL_CHESS_H

#include <stdbool.h>
#include <stddef.h>

#include "board.h"

// ---- bitboards --------------------------------------------------------------------------------------------

static inline int bb_count(Bitboard b)
{
    return __builtin_popcountll(b);
}

// The lowest square of a non-empty set.
static inline int bb_first(Bitboard b)
{
    return __builtin_ctzll(b);
}

static inline Bitboard bb_of(int square)
{
    return 1ULL << square;
}

// Exchanges the files a and h, b and g, ...
static inline Bitboard bb_mirror_files(Bitboard b)
{
    b = (b & 0x5555555555555555ULL) << 1 | (b >> 1 & 0x5555555555555555ULL);
    b = (b & 0x3333333333333333ULL) << 2 | (b >> 2 & 0x3333333333333333ULL);
    return (b & 0x0F0F0F0F0F0F0F0FULL) << 4 | (b >> 4 & 0x0F0F0F0F0F0F0F0FULL);
}

// Exchanges the ranks 1 and 8, 2 and 7, ...
static inline Bitboard bb_mirror_ranks(Bitboard b)
{
    return __builtin_bswap64(b);
}

// Exchanges files and ranks: reflects in the diagonal from a1 to h8.
static inline Bitboard bb_exchange_files_and_ranks(Bitboard b)
{
    Bitboard t = 0x0F0F0F0F00000000ULL & (b ^ b << 28);
    b ^= t ^ t >> 28;
    t = 0x3333000033330000ULL & (b ^ b << 14);
    b ^= t ^ t >> 14;
    t = 0x5500550055005500ULL & (b ^ b << 7);
    return b ^ t ^ t >> 7;
}

// The eight symmetries of the board as bits: files and ranks are exchanged first, then each is mirrored.
enum { MIRROR_FILES = 1, MIRROR_RANKS = 2, EXCHANGE_FILES_AND_RANKS = 4, BOARD_SYMMETRIES = 8 };

static inline Bitboard bb_image(Bitboard b, int symmetry)
{
    b = symmetry & EXCHANGE_FILES_AND_RANKS ? bb_exchange_files_and_ranks(b) : b;
    b = symmetry & MIRROR_FILES ? bb_mirror_files(b) : b;
    return symmetry & MIRROR_RANKS ? bb_mirror_ranks(b) : b;
}

#define BB_FILE_A 0x0101010101010101ULL
#define BB_RANK_1 0xFFULL
#define BB_ALL 0xFFFFFFFFFFFFFFFFULL
#define BB_DARK 0xAA55AA55AA55AA55ULL // a1 is dark
#define BB_LIGHT 0x55AA55AA55AA55AAULL

// The set moved by files and ranks (each -7..7); what leaves the board is dropped.
static inline Bitboard bb_step(Bitboard set, int files, int ranks)
{
    const Bitboard kept = files >= 0 ? 0xFFu >> files : 0xFFu << -files & 0xFFu;
    const int distance = 8 * ranks + files;
    set &= kept * BB_FILE_A;
    return distance >= 0 ? set << distance : set >> -distance;
}

static inline int square_file(int square)
{
    return square & 7;
}

static inline int square_rank(int square)
{
    return square >> 3;
}

// Writes a square's name, not NUL-terminated.
static inline void square_name(int square, char out[2])
{
    out[0] = (char)('a' + square_file(square));
    out[1] = (char)('1' + square_rank(square));
}

static inline int square_image(int square, int symmetry)
{
    square = symmetry & EXCHANGE_FILES_AND_RANKS ? square_file(square) << 3 | square_rank(square) : square;
    return square ^ (symmetry & MIRROR_FILES ? 7 : 0) ^ (symmetry & MIRROR_RANKS ? 56 : 0);
}

// The colour of a piece that is not EMPTY.
static inline int piece_colour(int piece)
{
    return piece >= BLACK_PAWN;
}

// 1 pawn ... 6 king, 0 empty.
static inline int piece_type(int piece)
{
    return piece > 6 ? piece - 6 : piece;
}

static inline int piece_make(int colour, int type)
{
    return colour * 6 + type;
}

// " PNBRQKpnbrqk": the letter of each piece code in FEN; the capital letters by piece type are those of SAN.
extern const char fen_letters[PIECE_CODES + 1];

// ---- attacks ----------------------------------------------------------------------------------------------

// Tables, filled by a constructor before main and constant from then on.
extern Bitboard knight_table[64], king_table[64];
extern Bitboard pawn_table[2][64];            // squares attacked, by colour and square
extern Bitboard between_table[64][64];        // squares strictly between two squares on one line, else 0
extern Bitboard line_table[64][64];           // the whole line through two squares, ends included, else 0
extern Bitboard ray_table[8][64];             // from a square to the edge, exclusive; by Direction
extern Bitboard reach_table[PIECE_CODES][64]; // squares attacked on an empty board, by piece code and square

// The eight directions.
enum Direction { NORTH, NORTH_EAST, EAST, SOUTH_EAST, SOUTH, SOUTH_WEST, WEST, NORTH_WEST };

// The squares that the piece on `square` attacks (language reference 3.3); empty when the square is empty.
Bitboard attacks_from(const Position *p, int square);

// All pieces of both colours that attack `square`, with `occupied` as blockers.
Bitboard attackers_to(const Position *p, int square, Bitboard occupied);

// The pieces of `colour` that attack `square`.
static inline Bitboard attackers_of_colour(const Position *p, int square, int colour)
{
    return attackers_to(p, square, p->board[BOARD_OCCUPIED]) & p->board[BOARD_WHITE + colour];
}

// ---- positions and moves ----------------------------------------------------------------------------------

// Fills in all of board[] from square[], after a position was set up square by square.
void pos_rebuild(Position *p);

// The standard starting position.
extern const Position pos_start;

// True when a piece other than the enemy king attacks the king of `colour` (false when there is no such
// king).
bool pos_in_check(const Position *p, int colour);

// Sets p->check from the board.
void pos_find_check(Position *p);

// Sets *next to the position after `m`, which must be pseudo-legal (or null) in `p`. next must not be p. Its `check`
// is unknown.
void pos_make(Position *restrict next, const Position *restrict p, Move m);

// Plays `m` in place.
void pos_play(Position *p, Move m);

enum { MAX_MOVES = 1152 }; // with any men: 8 lines and 8 knights lead to a square, and 9 more promotions

// All legal moves (promotions as four moves, castling included), in no particular order. Returns their
// number. Legal means: the side's own king (if any) is not attacked afterwards; capturing a king is never
// legal. Pseudo-legal moves ignore only the safety of the king: they do not capture a king either, and
// castling meets all its conditions (language reference 4.2.1), by the rights in p->castling.
int pos_legal_moves(const Position *p, Move moves[MAX_MOVES]);
int pos_pseudolegal_moves(const Position *p, Move moves[MAX_MOVES]);

// The square to which a pawn can legally capture en passant, or no square.
Bitboard pos_legal_en_passant(const Position *p);

// Are they the same position: board, side to move, castling rights and legal captures en passant (language reference 17.1)? What
// variants of chess add is not compared.
bool pos_same(const Position *a, const Position *b);

// True when there is a legal move; stops at the first one.
bool pos_has_legal_move(const Position *p);

// True when pseudo-legal `m` leaves the side's own king safe.
bool pos_is_legal(const Position *p, Move m);

// A move that is not castling, en passant, a promotion or a double step.
static inline Move pos_plain_move(int piece, int from, int to, bool capture)
{
    return (Move){.from = from,
                  .to = to,
                  .victim = capture ? to : NO_SQUARE,
                  .piece = piece,
                  .flags = capture ? MOVE_CAPTURE : 0,
                  .rook_from = NO_SQUARE,
                  .rook_to = NO_SQUARE};
}

// The null move in `p`. It does not need a king; without one, from = to = 0.
Move pos_null_move(const Position *p);

// Fills *m and returns true when the side to move may castle to `wing` (0 kingside, 1 queenside). With
// `need_right` false the castling right itself is not needed, only king and rook at home, empty squares and
// safe squares (language reference 4.2.1).
bool pos_castling_move(const Position *p, int wing, bool need_right, Move *m);

// The same, whether or not squares are attacked.
bool pos_castling_way(const Position *p, int wing, bool need_right, Move *m);

// ---- hash keys --------------------------------------------------------------------------------------------

// A hash of the men, the side to move, the castling rights, and the file of the en passant square if a pawn
// attacks it (language reference 13.15).
uint64_t pos_key(const Position *p);

// ---- SAN --------------------------------------------------------------------------------------------------

typedef enum { SAN_OK, SAN_NOT_A_MOVE, SAN_ILLEGAL, SAN_AMBIGUOUS } SanResult;

enum { SAN_MAX = 16 };

// The letters that a language has for knight, bishop, rook, queen and king, in UTF-8.
typedef struct SanLetters {
    const char *language;
    const char *letter[5];
} SanLetters;
enum { SAN_LANGUAGES = 21 };
extern const SanLetters san_languages[SAN_LANGUAGES];

// Reads one move in the forms of language reference 9.4.1 (SAN, coordinate moves, castling, null moves, "x"
// "-" ":" skipped, figurines) from text[0..length) in position `p`, without generating all legal moves. The caller cuts
// off check marks, glyphs and "e.p.". SAN_NOT_A_MOVE: the string does not have the form of a move.
SanResult san_parse(const Position *p, const char *text, size_t length, Move *m);

// The same for a move in ASCII.
SanResult san_parse_plain(const Position *p, const char *text, size_t length, Move *m);

// The same for a numeric move (5254) or one with the piece letters of a language and no others. NULL: the letters of PGN.
SanResult san_parse_in(const Position *p, const SanLetters *letters, const char *text, size_t length,
                       Move *m);

// What a character that is not ASCII means in a move: the letter of a figurine, '-' for a dash, 'x' for a cross, the file that
// a Cyrillic letter looks like; else 0.
// *length: of the character.
char san_sign(const char *p, const char *end, int *length);

enum { SAN_PLAY_BYTES = 8 };

// Plays a move in the usual spelling, like Nf3, Nbd2, R1xe4, e4, exd5 or O-O. Looks at text[0..SAN_PLAY_BYTES). Sets *m, and
// *next to the position after it, and knows its `check`. Returns the end of the move. NULL: only san_parse can read the text, which is so for rare moves, for everything that
// is not a legal move, and always when p->check is unknown; then *next and *m are undefined.
const char *san_play(Position *restrict next, const Position *restrict p, const char *text, Move *restrict m);

// Writes the move as SAN with + or # (language reference 10.2.2), NUL-terminated; returns the length.
int san_write(const Position *p, Move m, char out[SAN_MAX]);

// The same, where `next` is the position after the move.
int san_write_into(const Position *p, Move m, const Position *next, char out[SAN_MAX]);

// The same without + or #, not NUL-terminated.
int san_write_move(const Position *p, Move m, char out[SAN_MAX]);

// Writes the move as UCI (e2e4, e7e8q, castling as the king's move; Chess960: king takes rook; null move
// 0000).
int uci_write(const Position *p, Move m, char out[SAN_MAX]);

// ---- FEN --------------------------------------------------------------------------------------------------

// What a FEN contains besides the position.
typedef struct FenClocks {
    int halfmove; // 0 when absent or invalid
    int fullmove; // 1 when absent or invalid
} FenClocks;

// Reads a FEN by the rules of language reference 9.5 (missing slashes, absent castling field, Chess960
// rights, X-FEN, a meaningless en passant square ignored). On failure returns a static message and leaves *p
// undefined; on success returns NULL. `clocks` may be NULL.
const char *fen_parse(const char *text, size_t length, Position *p, FenClocks *clocks);

// The same; on failure *fault is the offset of the character, or of the field, that is wrong.
const char *fen_parse_to(const char *text, size_t length, Position *p, FenClocks *clocks, size_t *fault);

// Reads a position as people write it: a FEN of four to six fields, whose counters do not matter, or the moves that lead to it
// from the first position of chess, with or without numbers (`1.e4 c5 2.Nf3`); no move at all is that position. NULL: *p is
// set. Else what is wrong or expected, at text[*fault] for *fault_length bytes (0: at the end). `clocks` may be NULL; after moves
// they have only the number of the next one.
const char *pos_read(const char *text, size_t length, Position *p, FenClocks *clocks, size_t *fault,
                     size_t *fault_length);

enum { FEN_MAX = 256 };

// Writes the complete FEN with six fields, NUL-terminated; returns the length.
int fen_write(const Position *p, FenClocks clocks, char out[FEN_MAX]);

// Writes only the placement field; returns the length.
int fen_write_board(const Position *p, char out[FEN_MAX]);

#endif
