// The bare loop, the yardstick of the machine (`out/bench GAMES`): the main lines of all games as move words in memory, replayed
// one game after the other on twelve bitboards, with one mask tested in each position. Nothing is found out about a position but
// where the pieces are.
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "runtime/chess/word.h"
#include "runtime/search/inputs.h"
#include "runtime/value/memory.h"

// The lines are contiguous, whatever the input was.
typedef struct BareLines {
    MoveWord *word;
    size_t *end; // by game: the index after its last word
    size_t words, games, word_capacity, game_capacity;
    int64_t positions; // with the starting positions
    int64_t expected;  // positions in which the mask matches, by the ordinary reader
} BareLines;

// A white rook on the seventh rank.
static const Bitboard mask = 0x00FF000000000000;

// ---- reading ----------------------------------------------------------------------------------------------

static bool is_plain(const Game *g)
{
    bool plain = !g->has_fen && !g->skipped;
    for (int i = 1; i < g->view.count && plain; i++)
        plain = (g->view.node[i].move.flags & MOVE_NULL) == 0;
    return plain;
}

static void add_game(BareLines *lines, const Game *g)
{
    for (int i = 1; i < g->view.count; i++)
        MEMORY_PUSH(lines->word, lines->words, lines->word_capacity, word_of(g->view.node[i].move));
    for (int i = 0; i < g->view.count; i++)
        lines->expected += (g->view.position[i]->white.rook & mask) != 0;
    MEMORY_PUSH(lines->end, lines->games, lines->game_capacity, lines->words);
    lines->positions += g->view.count;
}

// Reads the main lines. Leaves out games that do not start from the standard position or contain null moves.
static void load(BareLines *lines, const char *const *input, size_t count)
{
    Buffer reports = {0};
    SearchOptions options = {.input = input, .input_count = count};
    Inputs in = {.options = &options};
    Game game;
    InputBlock block = {0};
    game_init(&game);
    while (inputs_next_block(&in, &reports, &block)) {
        for (size_t i = 0; i < block.pgn.count; i++) {
            game_parse(&game, &block.pgn.game[i], 0, NULL, NULL);
            if (is_plain(&game))
                add_game(lines, &game);
        }
        pgn_block_free(&block.pgn);
        reports.length = 0;
    }
    inputs_close(&in);
    game_free(&game);
    buffer_free(&reports);
}

// ---- replaying --------------------------------------------------------------------------------------------

// The pieces of one colour, by the kinds of move words that move them.
typedef struct Side {
    Bitboard set[WORD_KING + 1]; // [0] is not used
} Side;

static const Side start[2] = {{{0, 0xFF00, 0x42, 0x24, 0x81, 0x08, 0x10}},
                              {{0, 0x00FF000000000000, 0x4200000000000000, 0x2400000000000000,
                                0x8100000000000000, 0x0800000000000000, 0x1000000000000000}}};

static void play_special(Side *own, Side *other, unsigned from, unsigned to, int kind)
{
    const unsigned rank = from & 56;
    if (kind >= WORD_CASTLE_KING) {
        const unsigned wing = kind == WORD_CASTLE_QUEEN;
        own->set[WORD_KING] = 1ULL << (rank + (wing ? 2 : 6));
        own->set[WHITE_ROOK] = (own->set[WHITE_ROOK] & ~(1ULL << to)) | 1ULL << (rank + (wing ? 3 : 5));
        return;
    }
    own->set[WORD_PAWN] ^= 1ULL << from;
    own->set[kind == WORD_EN_PASSANT ? WORD_PAWN : WHITE_KNIGHT + kind - WORD_PROMOTION] |= 1ULL << to;
    if (kind == WORD_EN_PASSANT)
        other->set[WORD_PAWN] &= ~(1ULL << (rank | (to & 7)));
    for (int type = WORD_PAWN; type < WORD_KING; type++)
        other->set[type] &= ~(1ULL << to);
}

static inline void play_word(Side *own, Side *other, MoveWord word)
{
    const unsigned from = word & 63, to = word >> 6 & 63;
    const int kind = word_kind(word);
    const Bitboard to_set = 1ULL << to, both = 1ULL << from | to_set;
    switch (kind) {
    case WORD_PAWN:
        own->set[WORD_PAWN] ^= both;
        break;
    case WHITE_KNIGHT:
        own->set[WHITE_KNIGHT] ^= both;
        break;
    case WHITE_BISHOP:
        own->set[WHITE_BISHOP] ^= both;
        break;
    case WHITE_ROOK:
        own->set[WHITE_ROOK] ^= both;
        break;
    case WHITE_QUEEN:
        own->set[WHITE_QUEEN] ^= both;
        break;
    case WORD_KING:
        own->set[WORD_KING] ^= both;
        break;
    default:
        play_special(own, other, from, to, kind);
        return;
    }
    for (int type = WORD_PAWN; type < WORD_KING; type++)
        other->set[type] &= ~to_set;
}

// Positions in which the mask matches.
static int64_t replay(const BareLines *lines)
{
    int64_t found = 0;
    const MoveWord *word = lines->word;
    for (size_t game = 0; game < lines->games; game++) {
        const MoveWord *const end = lines->word + lines->end[game];
        Side side[2] = {start[WHITE], start[BLACK]};
        found += (side[WHITE].set[WHITE_ROOK] & mask) != 0;
        for (int mover = WHITE; word < end; word++, mover = !mover) {
            play_word(&side[mover], &side[!mover], *word);
            found += (side[WHITE].set[WHITE_ROOK] & mask) != 0;
        }
    }
    return found;
}

// Positions a second of processor time; ends the program when the replay finds anything else than the ordinary reader.
static double rate(const BareLines *lines)
{
    int64_t passes = 0;
    const clock_t begin = clock();
    clock_t time;
    do {
        if (replay(lines) != lines->expected) {
            fputs("bench: the bare loop is wrong\n", stderr);
            exit(1);
        }
        passes++;
        time = clock() - begin;
    } while (time < CLOCKS_PER_SEC / 6);
    return (double)(passes * lines->positions) * CLOCKS_PER_SEC / (double)time;
}

int main(int count, char **argument)
{
    BareLines lines = {0};
    load(&lines, (const char *const *)argument + 1, (size_t)(count - 1));
    double best = 0;
    for (int round = 0; round < 3; round++) {
        const double again = rate(&lines);
        best = again > best ? again : best;
    }
    printf("bare loop: %.1f million positions a second\n", best / 1e6);
    free(lines.word);
    free(lines.end);
    return 0;
}
