// The games that reach a position, and what follows there.
#include "exploring.h"

#include <stdlib.h>
#include <string.h>

#include "runtime/chess/variant.h"
#include "runtime/format/explorer.h"
#include "runtime/value/ascii.h"
#include "runtime/value/memory.h"
#include "grouping.h"

struct Exploring {
    ExplorerTable table;
    Position target;
    uint64_t number[PIECE_CODES][64]; // random ones of men on squares; 0 of no man
    uint64_t key, start_key;          // the sums of those of the target, and of the standard position
    Bitboard homes;                   // pawns of the target that have not moved
    Bitboard passed; // with a pawn that has just passed over one of these, a capture en passant is legal
    int men[2];
    size_t *ply; // at which the position occurs in the game,
    size_t plies, plies_capacity;
    MoveWord *word; // and the moves of a game that is not stored
    size_t words, words_capacity;
};

static uint64_t key_of(const Exploring *e, const Position *p)
{
    uint64_t key = 0;
    for (int square = 0; square < 64; square++)
        key ^= e->number[p->square[square]][square];
    return key;
}

// The squares over which a pawn may have passed just before the position, such that it can be captured.
static Bitboard passed_squares(Position p)
{
    Bitboard passed = 0;
    for (int file = 0; file < 8; file++) {
        p.en_passant = (uint8_t)(file + (p.side == WHITE ? 40 : 16));
        passed |= pos_legal_en_passant(&p) & bb_of(p.en_passant);
    }
    return passed;
}

static Exploring *exploring_new(const ExplorerTable *table)
{
    Exploring *e = memory_zeroed(1, sizeof *e);
    const Position *p = &table->node[0].position;
    uint64_t x = 1;
    for (int i = 64; i < PIECE_CODES * 64; i++) {
        x ^= x << 13, x ^= x >> 7, x ^= x << 17;
        e->number[i / 64][i % 64] = x * 0x2545F4914F6CDD1DULL;
    }
    explorer_begin(&e->table, p, table->fullmove, table->plies);
    e->target = *p;
    e->key = key_of(e, p);
    e->start_key = key_of(e, &pos_start);
    e->homes = (p->white.pawn & BB_RANK_1 << 8) | (p->black.pawn & BB_RANK_1 << 48);
    e->passed = passed_squares(*p);
    e->men[WHITE] = bb_count(p->white_pieces);
    e->men[BLACK] = bb_count(p->black_pieces);
    return e;
}

static Exploring *exploring_of(Worker *w)
{
    if (!w->exploring)
        w->exploring = exploring_new(w->plan->options->explorer);
    return w->exploring;
}

void exploring_free(Exploring *e)
{
    if (!e)
        return;
    explorer_free(&e->table);
    free(e->ply);
    free(e->word);
    free(e);
}

// ---- lines from the standard position ---------------------------------------------------------------------

// The board of a line while it is played.
typedef struct Board {
    uint8_t square[64];
    uint64_t key;
    Bitboard touched; // squares from and to which men have moved
    int men[2];
} Board;

static void put_piece(const Exploring *e, Board *b, int square, int piece)
{
    b->key ^= e->number[b->square[square]][square] ^ e->number[piece][square];
    b->square[square] = (uint8_t)piece;
}

// Plays castling, a capture en passant or a promotion of `side`.
static void play_special(const Exploring *e, Board *b, MoveWord word, int side)
{
    const int from = word & 63, to = word >> 6 & 63, kind = word_kind(word), rank = from & 56;
    const int piece = b->square[from];
    put_piece(e, b, from, EMPTY);
    if (kind >= WORD_CASTLE_KING) {
        const int wing = kind == WORD_CASTLE_QUEEN;
        put_piece(e, b, to, EMPTY);
        put_piece(e, b, rank + (wing ? 2 : 6), piece);
        put_piece(e, b, rank + (wing ? 3 : 5), piece_make(side, WHITE_ROOK));
    } else if (kind == WORD_EN_PASSANT) {
        put_piece(e, b, rank + square_file(to), EMPTY);
        put_piece(e, b, to, piece);
    } else {
        put_piece(e, b, to, piece_make(side, WHITE_KNIGHT + kind - WORD_PROMOTION));
    }
}

// Is the position of the board, after the move `last`, the target, with its rights?
static bool is_target(const Exploring *e, const Board *b, MoveWord last)
{
    static const Bitboard squares[] = {0x90, 0x11, 0x90ULL << 56,
                                       0x11ULL << 56}; // of kings and rooks, by right
    const int from = last & 63, to = last >> 6 & 63, middle = (from + to) / 2;
    if (memcmp(b->square, e->target.square, sizeof b->square) != 0)
        return false;
    for (int right = 0; right < 4; right++)
        if (((b->touched & squares[right]) == 0) != (e->target.castling >> right & 1))
            return false;
    const bool steps = word_kind(last) == WORD_PAWN && (from - to == 16 || to - from == 16);
    return (steps && e->passed >> middle & 1 ? middle : NO_SQUARE) == e->target.en_passant;
}

// Finds the plies at which the position occurs, up to the move after which it cannot occur. With `once` stops at the first one.
static bool find_in_line(Exploring *e, const MoveWord *word, size_t stride, size_t count, bool once)
{
    Board b = {.key = e->start_key, .men = {16, 16}};
    MoveWord last = 0;
    memcpy(b.square, pos_start.square, sizeof b.square);
    e->plies = 0;
    for (size_t ply = 0;; ply++, word += stride) {
        const int side = ply & 1;
        if (b.key == e->key && side == e->target.side && is_target(e, &b, last)) {
            MEMORY_PUSH(e->ply, e->plies, e->plies_capacity, ply);
            if (once)
                return true;
        }
        if (ply == count)
            return e->plies > 0;
        last = *word;
        const int from = last & 63, to = last >> 6 & 63, kind = word_kind(last), victim = b.square[to];
        const Bitboard squares = bb_of(from) | bb_of(to);
        if (squares & e->homes)
            return e->plies > 0;
        b.touched |= squares;
        b.men[!side] -= (victim != EMPTY && kind < WORD_CASTLE_KING) || kind == WORD_EN_PASSANT;
        if (b.men[!side] < e->men[!side])
            return e->plies > 0;
        if (kind > WORD_KING) {
            play_special(e, &b, last, side);
            continue;
        }
        const int piece = b.square[from];
        b.key ^= e->number[piece][from] ^ e->number[piece][to] ^ e->number[victim][to];
        b.square[from] = EMPTY;
        b.square[to] = (uint8_t)piece;
    }
}

bool exploring_reaches(Worker *w, const LineGroup *group, size_t lane)
{
    Exploring *e = exploring_of(w);
    for (int side = WHITE; side <= BLACK; side++)
        if (group->men[side][lane] > e->men[side])
            return false;
    return find_in_line(e, group->word + lane, LINE_LANES, group->length[lane], true);
}

// ---- games ------------------------------------------------------------------------------------------------

// The same in the main line of a game that was read. Keeps its moves.
static bool find_in_game(Exploring *e, const Game *game)
{
    const GameView *view = &game->view;
    e->plies = e->words = 0;
    for (int32_t id = game->skipped ? -1 : 0; id >= 0; id = view->node[id].first_child) {
        const Position *p = view->position[id];
        if (id > 0)
            MEMORY_PUSH(e->word, e->words, e->words_capacity, word_of(view->node[id].move));
        if (pos_same(p, &e->target))
            MEMORY_PUSH(e->ply, e->plies, e->plies_capacity, e->words);
    }
    return e->plies > 0;
}

// The game as chess, with its positions.
static const Game *read_game(Worker *w, const GameText *source, const StoredGame *stored)
{
    if (w->candidate.variant == VARIANT_STANDARD && (w->candidate.line_read || w->candidate.tree_read))
        return w->candidate.tree_read ? &w->tree : &w->line;
    const GameText text = stored ? evaluate_stored_text(w, stored) : *source;
    game_parse(&w->scratch, &text, w->plan->options->bad_start_standard ? PARSE_BAD_START_STANDARD : 0, NULL,
               NULL);
    return &w->scratch;
}

static ExplorerFacts facts_of(const GroupFacts *f, int64_t number)
{
    int year = 0;
    for (int i = 0; i < 4; i++)
        year = is_digit(f->date[i]) && year >= 0 ? 10 * year + f->date[i] - '0' : -1;
    return (ExplorerFacts){number, {f->rating[WHITE], f->rating[BLACK]}, year > 0 ? year : 0, f->result};
}

// The tags of a game that was found.
typedef struct FoundTags {
    Worker *worker;
    const Game *game; // NULL: not read yet,
    size_t index;     // from this place in the chunk
} FoundTags;

static const Game *found_tags_of(void *user)
{
    FoundTags *t = user;
    t->game = t->game ? t->game : grouping_stored_tags(t->worker, t->worker->block, t->index);
    return t->game;
}

void exploring_found(Worker *w, const GameText *source)
{
    Exploring *e = exploring_of(w);
    const InputBlock *input = &w->block->input;
    const StoredGame *stored = w->candidate.stored;
    FoundTags tags = {.worker = w};
    if (input->database) {
        tags.index = (size_t)(source->number - input->number_base - input->first_game);
        stored = tags.index < w->chunk->chunk.count ? chunk_game(&w->chunk->chunk, tags.index) : NULL;
    }
    const bool line = stored && !(stored->flags & STORED_UNGROUPED);
    if (!(line ? find_in_line(e, stored->word, stored->stride, stored->ply_count, false)
               : find_in_game(e, read_game(w, source, input->database ? stored : NULL))))
        return;
    const GroupFacts facts = grouping_facts(w, source);
    tags.game = facts.game;
    const ExplorerSource game = {facts_of(&facts, source->number), found_tags_of, &tags};
    const MoveWord *word = line ? stored->word : e->word;
    const size_t stride = line ? stored->stride : 1, count = line ? stored->ply_count : e->words;
    for (size_t i = 0; i < e->plies; i++)
        explorer_add(&e->table, &game, word + e->ply[i] * stride, stride, count - e->ply[i]);
}

void exploring_counted(Worker *w, int64_t number)
{
    const GameText source = {.number = number + w->block->input.number_base};
    w->candidate = (Candidate){.source = source, .counted = true};
    exploring_found(w, &source);
    w->candidate = (Candidate){0};
}

void exploring_give(Worker *w)
{
    if (w->exploring)
        explorer_add_all(w->plan->options->explorer, &w->exploring->table);
}
