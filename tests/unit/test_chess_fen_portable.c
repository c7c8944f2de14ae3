// The tests of test_chess_fen.c for the portable form of writing.
#define fen_parse portable_fen_parse
#define fen_write portable_fen_write
#define fen_write_board portable_fen_write_board
#include "test_chess.h"
#undef __x86_64__
#include "runtime/chess/fen.c"
#include "test_chess_fen.c"
