// The bare loop.
#include "bare.h"

#include <stdio.h>
#include <stdlib.h>

#include "bench.h"
#include "runtime/search/inputs.h"

// A white rook on the seventh rank.
static const Bitboard mask = 0x00FF000000000000;

// ---- reading ----------------------------------------------------------------------------------------------

static void *grown(void *array, size_t *capacity, size_t needed, size_t size)
{
    if (needed <= *capacity)
        return array;
    *capacity = needed + *capacity / 2 + 1024;
    void *memory = realloc(array, *capacity * size);
    if (!memory)
        abort();
    return memory;
}

static bool is_plain(const Game *g)
{
    bool plain = !g->has_fen && !g->skipped;
    for (int i = 1; i < g->view.count && plain; i++)
        plain = (g->view.node[i].move.flags & MOVE_NULL) == 0;
    return plain;
}

static void add_game(BareLines *lines, const Game *g)
{
    const size_t plies = (size_t)g->view.count - 1;
    lines->word = grown(lines->word, &lines->word_capacity, lines->words + plies, sizeof *lines->word);
    lines->end = grown(lines->end, &lines->game_capacity, lines->games + 1, sizeof *lines->end);
    for (int i = 1; i < g->view.count; i++)
        lines->word[lines->words++] = word_of(g->view.node[i].move);
    for (int i = 0; i < g->view.count; i++)
        lines->expected += (g->view.position[i]->white.rook & mask) != 0;
    lines->end[lines->games++] = lines->words;
    lines->positions += g->view.count;
}

void bare_load(BareLines *lines, const char *const *input, size_t count)
{
    Buffer reports = {0};
    SearchOptions options = {.input = input, .input_count = count};
    Inputs in = {.options = &options};
    Game game;
    GameText text;
    game_init(&game);
    while (inputs_next_game(&in, &reports, &text)) {
        game_parse(&game, &text, 0, NULL, NULL);
        if (is_plain(&game))
            add_game(lines, &game);
        reports.length = 0;
    }
    inputs_close(&in);
    lines->bytes = in.earlier_bytes;
    game_free(&game);
    buffer_free(&reports);
}

void bare_free(BareLines *lines)
{
    free(lines->word);
    free(lines->end);
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

// The plain form branches on the kind of the move; the other one only on whether the move is a special one.
static inline void play_plain(Side *own, Side *other, MoveWord word)
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

static inline void play_tuned(Side *own, Side *other, MoveWord word)
{
    const unsigned from = word & 63, to = word >> 6 & 63;
    const int kind = word_kind(word);
    if (__builtin_expect(kind > WORD_KING, 0)) {
        play_special(own, other, from, to, kind);
        return;
    }
    own->set[kind] ^= 1ULL << from | 1ULL << to;
    for (int type = WORD_PAWN; type < WORD_KING; type++)
        other->set[type] &= ~(1ULL << to);
}

int64_t bare_replay(const BareLines *lines)
{
    int64_t found = 0;
    const MoveWord *word = lines->word;
    for (size_t game = 0; game < lines->games; game++) {
        const MoveWord *const end = lines->word + lines->end[game];
        Side side[2] = {start[WHITE], start[BLACK]};
        found += (side[WHITE].set[WHITE_ROOK] & mask) != 0;
        for (int mover = WHITE; word < end; word++, mover = !mover) {
            play_plain(&side[mover], &side[!mover], *word);
            found += (side[WHITE].set[WHITE_ROOK] & mask) != 0;
        }
    }
    return found;
}

int64_t bare_replay_tuned(const BareLines *lines)
{
    int64_t found = 0;
    const MoveWord *word = lines->word;
    for (size_t game = 0; game < lines->games; game++) {
        const MoveWord *const end = lines->word + lines->end[game];
        Side white = start[WHITE], black = start[BLACK];
        found += (white.set[WHITE_ROOK] & mask) != 0;
        for (; word < end; word++) {
            play_tuned(&white, &black, *word++);
            found += (white.set[WHITE_ROOK] & mask) != 0;
            if (word == end)
                break;
            play_tuned(&black, &white, *word);
            found += (white.set[WHITE_ROOK] & mask) != 0;
        }
    }
    return found;
}

double bare_rate(const BareLines *lines, BareLoop *loop, double seconds, int rounds)
{
    double best = 0;
    for (int round = 0; round < rounds; round++) {
        int64_t passes = 0;
        const double begin = bench_processor();
        double time;
        do {
            if (loop(lines) != lines->expected) {
                fputs("bench: the bare loop is wrong\n", stderr);
                exit(1);
            }
            passes++;
            time = bench_processor() - begin;
        } while (time < seconds);
        const double rate = (double)(passes * lines->positions) / time;
        best = rate > best ? rate : best;
    }
    return best;
}
