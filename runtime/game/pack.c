// Packed text: movetext without its main line.
#include <string.h>

#include "runtime/chess/usual.h"
#include "lex.h"
#include "pack.h"
#include "scan.h"

static inline unsigned number_length(const MoveNumber *n)
{
    return n->digits + (n->black ? 3 : 1);
}

// The bits in which 8 bytes differ from the number.
static inline uint64_t number_differs(const MoveNumber *n, const char *p)
{
    uint64_t text;
    memcpy(&text, p, sizeof text);
    if (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__)
        text = __builtin_bswap64(text);
    return text ^ n->bytes;
}

// Is the number with its dots at p? There are 8 bytes.
static inline bool number_is_at(const MoveNumber *n, const char *p)
{
    return n->digits > 0 && number_differs(n, p) << 8 * (sizeof n->bytes - number_length(n)) == 0;
}

// The number with its dots that ends at `end`: its beginning, not before `from`, or NULL.
static inline const char *number_before(const MoveNumber *n, const char *from, const char *end,
                                        const char *text_end)
{
    const char *p = end - number_length(n);
    char bytes[sizeof n->bytes] = {0};
    if (p < from)
        return NULL;
    if (text_end - p >= (ptrdiff_t)sizeof bytes)
        return number_is_at(n, p) ? p : NULL;
    memcpy(bytes, p, (size_t)(end - p));
    return number_is_at(n, bytes) ? p : NULL;
}

// ---- packing ----------------------------------------------------------------------------------------------

// Packed text on its way.
typedef struct Packer {
    char *to;
    const char *from; // what is not yet written
    const char *end;  // of the text
    MoveNumber number;
} Packer;

// Writes what comes before `before` as it is. There is room for some more bytes.
static inline void pack_text(Packer *k, const char *before)
{
    enum { AT_ONCE = 16 };
    const size_t length = (size_t)(before - k->from);
    if (length <= AT_ONCE && k->end - k->from >= AT_ONCE)
        memcpy(k->to, k->from, AT_ONCE);
    else
        memcpy(k->to, k->from, length);
    k->to += length;
}

// Writes the move that ends before `after`, as `code` after the text before `before`.
static inline void pack_piece(Packer *k, int code, const char *before, const char *after)
{
    if (k->from != before)
        pack_text(k, before);
    *k->to++ = (char)code;
    k->from = after;
}

// The same, and goes to the next move number.
static inline void pack_move(Packer *k, int code, const char *before, const char *after)
{
    pack_piece(k, code, before, after);
    next_number(&k->number);
}

// The longest form of what comes between k->from and the move at `p`; *start: where it begins.
static inline int code_before(const Packer *k, const char *p, const char **start)
{
    const char *from = k->from;
    const bool space = p > from && p[-1] == ' ';
    const char *q = p - space, *number = q > from ? number_before(&k->number, from, q, k->end) : NULL;
    if (!number) {
        *start = q;
        return space ? PACK_SPACE : PACK_MOVE;
    }
    const bool lead = number > from && number[-1] == ' ';
    *start = number - lead;
    return space  ? lead ? PACK_SPACE_NUMBER_SPACE : PACK_NUMBER_SPACE
           : lead ? PACK_SPACE_NUMBER
                  : PACK_NUMBER;
}

static inline bool is_ordinary(Move m)
{
    return !((m.flags & ~(MOVE_CAPTURE | MOVE_DOUBLE_STEP)) | m.promoted);
}

// True for the most frequent forms of the usual spelling: a text that was read as `m` and names neither the origin of a piece
// nor a promotion. As it was read, no other piece can make the move.
static inline bool is_plain(Move m, const char *text, size_t length)
{
    // without branches, because the kinds of moves are hard to predict
    const bool capture = m.flags & MOVE_CAPTURE, pawn = (m.piece == WHITE_PAWN) | (m.piece == BLACK_PAWN);
    const size_t usual = 3u + capture - (pawn & !capture);
    const bool first = pawn ? text[0] == 'a' + (m.from & 7) : (text[0] >= 'A') & (text[0] <= 'Z');
    return is_ordinary(m) & (length == usual) & (!capture | (text[1] == 'x')) &
           (text[length - 1] == '1' + (m.to >> 3)) & first;
}

// Is the text, without a check mark, how the move in `before` is usually written?
static inline bool is_usual(const Position *before, Move m, const char *text, size_t length)
{
    char san[SAN_MAX];
    if (is_plain(m, text, length))
        return true;
    return (size_t)san_write_move(before, m, san) == length && memcmp(text, san, length) == 0;
}

static inline bool gives_check(const Position *after, Move m)
{
    return after->check != CHECK_NONE && !(m.flags & MOVE_NULL) && pos_in_check(after, after->side);
}

// A king may go next to the other one when a game is read.
static inline bool is_legal_answer(const Position *p, Move m)
{
    const bool king = m.piece == WHITE_KING || m.piece == BLACK_KING;
    return !(m.flags & MOVE_NULL) && ((p->check == CHECK_GIVEN && !king) || pos_is_legal(p, m));
}

size_t game_movetext_start(const Game *g)
{
    return g->memory->movetext;
}

const Position *game_start(const Game *g)
{
    return &g->memory->start;
}

static inline MoveWord word_of_any(Move m)
{
    return is_ordinary(m) ? word_of_plain(m) : word_of(m);
}

// Room for the packed text of a game, where each move adds at most a byte, and some more bytes.
static Packer packer(Buffer *out, const Game *g, size_t plies)
{
    const Text t = g->source.text;
    const size_t most = t.length - g->memory->movetext + plies + 16;
    out->start = memory_grow(out->start, &out->capacity, out->length + most, 1);
    return (Packer){.to = out->start + out->length,
                    .from = t.start + g->memory->movetext,
                    .end = t.start + t.length,
                    .number = first_number(g->clocks, g->memory->start.side)};
}

static MoveWord *room_for_words(Buffer *out, size_t plies)
{
    out->start = memory_grow(out->start, &out->capacity, out->length + plies * sizeof(MoveWord), 1);
    return (MoveWord *)(out->start + out->length);
}

static void end_packing(Packer *k, Buffer *out)
{
    pack_text(k, k->end);
    out->length = (size_t)(k->to - out->start);
}

static inline void record_facts(MainLine *line, Move m, int side)
{
    line->flags[side] |= m.flags & (uint8_t) ~(MOVE_CAPTURE | MOVE_DOUBLE_STEP);
    line->promoted[side] |= m.promoted;
}

void game_main_line(const Game *g, MainLine *line)
{
    *line = (MainLine){.plies = g->ply_count, .last = *g->view.position[g->ply_count]};
    for (int32_t i = 1; i <= g->ply_count; i++) {
        record_facts(line, g->view.node[i].move, (g->memory->start.side + i - 1) & 1);
    }
}

// ---- games that were read ---------------------------------------------------------------------------------

// The check mark that the move number `i` of the main line should have, or 0.
static inline char check_mark(const Game *g, int32_t i)
{
    const Position *after = &g->memory->line[i + 1];
    if (!gives_check(after, g->view.node[i + 1].move))
        return 0;
    // a next move shows that it is not mate, unless the reader alone allows it
    const Move next = i + 1 < g->ply_count ? g->view.node[i + 2].move : (Move){.flags = MOVE_NULL};
    return is_legal_answer(after, next) || pos_has_legal_move(after) ? '+' : '#';
}

// The length of the usual spelling of the move number `i` at `p`, or 0.
static inline size_t usual_length(const Game *g, int32_t i, const char *p, const char *end)
{
    size_t length = g->memory->move_text[i].length;
    length -= p[length - 1] == '+' || p[length - 1] == '#';
    if (!is_usual(&g->memory->line[i], g->view.node[i + 1].move, p, length))
        return 0;
    const char mark = check_mark(g, i);
    if (!mark)
        return length;
    return p + length < end && p[length] == mark ? length + 1 : 0;
}

bool game_pack(const Game *g, Buffer *out, Buffer *words, MainLine *line)
{
    const struct GameMemory *m = g->memory;
    const char *start = g->source.text.start, *end = start + g->source.text.length;
    if (scan_has_below(start + m->movetext, end, PACK_MEANINGS))
        return false;
    Packer k = packer(out, g, (size_t)g->ply_count);
    MoveWord *word = room_for_words(words, (size_t)g->ply_count);
    game_main_line(g, line);
    game_keep_clocks(g);
    for (int32_t i = 0; i < g->ply_count; i++) {
        const char *move = start + m->move_text[i].start, *before = move;
        const size_t usual = g->language ? 0 : usual_length(g, i, move, end);
        const int code = usual ? code_before(&k, move, &before) : PACK_SKIP;
        pack_move(&k, code, before, move + usual);
        word[i] = word_of_any(g->view.node[i + 1].move);
    }
    words->length += (size_t)g->ply_count * sizeof *word;
    line->variations = m->has_variations;
    line->notes = m->has_notes;
    for (const char *p = start + m->read; (p = pgn_skip_white(p, end)) < end;) {
        const PgnToken t = pgn_lex(start, p, end);
        line->variations |= t.kind == PGN_OPEN;
        line->notes |= t.kind == PGN_COMMENT || t.kind == PGN_GLYPH;
        p = t.end;
    }
    end_packing(&k, out);
    return true;
}

// ---- games that are read meanwhile ------------------------------------------------------------------------

#define INLINE static inline __attribute__((always_inline))

// What each move changes.
typedef struct PackState {
    Packer k;
    MoveWord *word;  // of the next move
    bool check_open; // the last move gives check, as written: not yet known whether it is mate
} PackState;

// More than the longest usual gap and move; where the copy of the end of the text begins at the latest.
enum { READ_AHEAD = 24, TAIL = 2 * READ_AHEAD, TAIL_ROOM = 1 + TAIL + READ_AHEAD };

// The last move with a check mark that the next move is to confirm: where it is written, and what was not yet written before
// it.
typedef struct OpenCheck {
    char *to;
    const char *from, *text; // of the source; the beginning of the move
    bool in_tail;
} OpenCheck;

// The reader of a main line without variations and damage, in a game from the standard position.
typedef struct PackReader {
    struct GameMemory *m;
    const char *start;     // of the text, or of `tail`
    const char *end;       // of the text
    const MoveWord *first; // of the words
    PackState state;
    OpenCheck open; // with state.check_open
    Position now;
    MainLine *line;
    int result;    // -1: not read
    int32_t coded; // the ply whose comment was last packed as its values
    bool codes;    // comments may be
    bool refused;
    bool wide; // the processor has what SCAN_WIDE needs
    bool in_tail;
    char *tail; // TAIL_ROOM: a byte, up to TAIL bytes at the end of the text, zeros
} PackReader;

// What comes before the move of `side` after `p`, to which everything is written: the usual forms, by what is expected.
// Returns where the move begins, or NULL. *line: a line ends at `p`, which is not part of *code. There are 16 bytes at `p`.
INLINE const char *usual_gap(const MoveNumber *n, const char *p, int side, int *code, bool *line)
{
    // whether a line ends is hard to predict: no branches
    const bool space = *p == ' ';
    *line = *p == '\n';
    if (!(space | *line))
        return NULL;
    *code = PACK_MOVE + space;
    const char *q = p + 1;
    if (side == WHITE || *q <= '9') { // after a comment there is a number before Black's move, too
        const unsigned dots = side == WHITE ? 1 : 3;
        const uint64_t counts = side == WHITE ? n->white : n->white << 16 | 0xFFFF;
        if (number_differs(n, q) & counts)
            return NULL;
        q += n->digits + dots;
        const bool trail = *q == ' ';
        *code += PACK_NUMBER - PACK_MOVE + 2 * trail;
        q += trail;
    }
    return *q > '9' ? q : NULL;
}

// Is the move that has just given check, usually spelled from `text` to `end` but for its check mark, spelled so? *end: the
// end of the move.
INLINE bool takes_mark(PackReader *r, PackState *s, const char *text, const char **end)
{
    s->check_open = **end == '+';
    const bool usual = s->check_open || (**end == '#' && !pos_has_legal_move(&r->now));
    r->open = (OpenCheck){s->k.to, s->k.from, text, r->in_tail};
    (*end)++;
    return usual;
}

// Writes the last move as it is, because it is mate and has the mark of a check, and all that follows.
static bool respell_mate(PackReader *r)
{
    Packer *k = &r->state.k;
    if (!r->open.in_tail)
        k->end = r->end;
    k->to = r->open.to;
    k->from = r->open.from;
    pack_move(k, PACK_SKIP, r->open.text, r->open.text);
    return true;
}

// Plays and writes the move from p to `end` as san_parse reads it. Returns false where the general reader must decide.
static bool take_other_move(PackReader *r, const char *p, const char *end)
{
    const Position last = r->now;
    const size_t length = (size_t)(end - p);
    const char *before;
    const int code = code_before(&r->state.k, p, &before);
    Move m;
    if (san_parse(&last, p, length, &m) != SAN_OK || (r->state.check_open && !is_legal_answer(&last, m)))
        return false;
    record_facts(r->line, m, last.side);
    pos_play(&r->now, m);
    pos_find_check(&r->now);
    *r->state.word++ = word_of(m);
    r->state.check_open = false;
    bool usual = is_usual(&last, m, p, length);
    if (usual && gives_check(&r->now, m))
        usual = takes_mark(r, &r->state, p, &end);
    if (usual)
        pack_move(&r->state.k, code, before, end);
    else
        pack_move(&r->state.k, PACK_SKIP, p, p);
    return true;
}

// O-O or O-O-O; NULL where san_parse must decide.
static const char *castle(PackReader *r, const char *text, MoveWord *word)
{
    const int side = r->now.side;
    const char *end = usual_castle(&r->now, text, word);
    if (end)
        r->line->flags[side] |= end - text == 5 ? MOVE_CASTLE_QUEEN : MOVE_CASTLE_KING;
    return end;
}

// As origin_is_usual, by way of the general writer.
static bool origin_is_written(const Position *now, const char *text, size_t length, MoveWord word,
                              UsualUndo undo)
{
    Position last;
    Move m;
    usual_undo(&last, now, word, undo);
    return word_move(&last, word, &m) && is_usual(&last, m, text, length);
}

// Is a move that names where the piece comes from, and has been played, spelled as usual?
static bool origin_is_usual(const Position *now, const char *text, size_t length, MoveWord word,
                            UsualUndo undo)
{
    const size_t from = word & 63, to = word >> 6 & 63, kind = word >> 12;
    const int side = !now->side;
    const bool takes = text[length - 3] == 'x';
    const Bitboard occupied = now->board[BOARD_OCCUPIED] | usual_bit(from), *between = between_table[to];
    const size_t king = usual_first(now->board[piece_make(side, WHITE_KING)]);
    if (kind < WHITE_KNIGHT || kind > WHITE_QUEEN || length != 4u + takes ||
        usual_check_before(undo) != CHECK_NONE)
        return origin_is_written(now, text, length, word, undo);
    Bitboard others = 0; // the other pieces that can make the move
    for (Bitboard rest = now->board[side * 6 + (int)kind] & ~usual_bit(to) & reach_table[kind][to]; rest;
         rest &= rest - 1) {
        const size_t other = usual_first(rest);
        if (between[other] & occupied)
            continue;
        if (line_table[king][other] & usual_sliders(now, !side)) // it may be pinned
            return origin_is_written(now, text, length, word, undo);
        others |= usual_bit(other);
    }
    const bool same_file = others & BB_FILE_A << (from & 7), same_rank = others & BB_RANK_1 << (from & 56);
    const bool names_file = text[1] >= 'a';
    return takes == (undo.captured != EMPTY) && others && (names_file ? !same_file : same_file && !same_rank);
}

// Plays a move of `side`; returns its end, but for a check mark, and whether it is spelled as usual. NULL: san_parse must
// decide.
INLINE const char *play_usual(PackReader *r, const char *text, MoveWord *word, int side, bool *usual)
{
    UsualUndo undo;
    *usual = true;
    if (*text == 'O')
        return castle(r, text, word);
    const Spelling s = usual_spelling(text);
    if (s.length == 0 || !usual_step_side(&r->now, &s, word, &undo, side))
        return NULL;
    *usual = s.between == 0 || s.between == 'x' ? (s.between != 0) == (undo.captured != EMPTY)
                                                : origin_is_usual(&r->now, text, s.length, *word, undo);
    return text + s.length;
}

// Does the last move of a side give check?
INLINE bool has_given_check(const Position *now, int side)
{
    return now->check != CHECK_NONE && (now->check == CHECK_GIVEN || pos_in_check(now, !side));
}

// Reads a move of `side` in the usual spelling before `last`, and what may come before it. Returns the end, or NULL; *good:
// not where the general reader must decide.
INLINE const char *read_usual_move(PackReader *r, PackState *s, const char *p, const char *last, int side,
                                   bool *good)
{
    const char *text = NULL, *before = p;
    int code = 0;
    bool line = false, usual;
    if (p >= last)
        return NULL;
    if (p == s->k.from)
        text = usual_gap(&s->k.number, p, side, &code, &line);
    const bool gap = text != NULL;
    if (!gap) {
        text = scan_numbers(p, s->k.end);
        if (text >= last)
            return NULL;
        Packer k = s->k; // a copy, so that *s has no address
        k.number.black = side == BLACK;
        code = code_before(&k, text, &before);
    }
    const char *end = play_usual(r, text, s->word, side, &usual);
    if (!end)
        return NULL;
    // an answer shows that a check is not mate, unless kings meet, which the reader alone allows
    if (s->check_open & (r->now.check == CHECK_UNKNOWN)) {
        *good = false;
        return NULL;
    }
    s->word++;
    const char *plain = end;
    s->check_open = false;
    if (has_given_check(&r->now, side) && usual)
        usual = takes_mark(r, s, text, &end);
    if (usual && gap) {
        s->k.to[0] = '\n';
        s->k.to += line;
        *s->k.to++ = (char)code;
        s->k.from = end;
    } else {
        pack_piece(&s->k, usual ? code : PACK_SKIP, usual ? before : text, usual ? end : text);
    }
    if (side == BLACK)
        add_one(&s->k.number);
    return (unsigned char)*plain <= ' ' ? plain : scan_check_mark(plain, s->k.end);
}

// Adds what a comment after the ply before `word` says, and returns it. The game is refused when that replaces the values of a
// comment that is packed as them.
static NoteClocks add_clocks(PackReader *r, const MoveWord *word, const char *p, const char *close)
{
    const int32_t ply = (int32_t)(word - r->first);
    const NoteClocks read = clocks_add_ply(r->m, ply, p + 1, close);
    r->line->notes = true;
    r->refused |= read.has && r->coded == ply;
    return read;
}

// Reads the comment after the space at p and after the ply before `word`, unless it contains braces or does not end. Returns the
// end, or NULL. *form: not 0 if it can be packed as its values.
static const char *take_comment(PackReader *r, const MoveWord *word, const char *p, const char *end,
                                unsigned *form)
{
    const int32_t ply = (int32_t)(word - r->first);
    const char *after;
    *form = r->codes ? clocks_add_usual(r->m, ply, p, end, &after) : 0;
    if (*form) {
        r->refused |= r->coded == ply;
        r->coded = ply;
        r->line->notes = r->line->clock_codes = true;
        return after;
    }
    const char *close = scan_brace(p + 2, end);
    if (close == end || *close == '{')
        return NULL;
    const NoteClocks read = add_clocks(r, word, p + 1, close);
    *form = read.has && r->codes ? clocks_form(&read, p, close + 1) : 0;
    if (*form) {
        r->coded = ply;
        r->line->clock_codes = true;
    }
    return close + 1;
}

// Reads a comment after a space before `last`, if there is one, and writes everything up to its end, which it returns.
INLINE const char *read_usual_comment(PackReader *r, PackState *s, const char *p, const char *last)
{
    if (p >= last || p[0] != ' ' || p[1] != '{')
        return p;
    unsigned form;
    const char *end = take_comment(r, s->word, p, s->k.end, &form);
    if (!end)
        return p;
    const char *raw = form ? p : end;
    if (s->k.from != raw)
        pack_text(&s->k, raw);
    s->k.from = end;
    if (form) {
        *s->k.to++ = PACK_CLOCKS;
        *s->k.to++ = (char)form;
    }
    return end;
}

// Reads moves in the usual spelling, as far as they go, and what may come before them. *place: the text that was read.
// Returns false where the general reader must decide.
INLINE bool read_usual_moves(PackReader *r, const char **place)
{
    PackState s = r->state; // in registers
    const char *last = s.k.end - (r->in_tail ? 0 : READ_AHEAD);
    bool good = true, black = r->now.side == BLACK;
    for (const char *p = *place; p; black = false) {
        *place = p = read_usual_comment(r, &s, p, last);
        p = black ? p : read_usual_move(r, &s, p, last, WHITE, &good);
        if (!p)
            break;
        *place = p = read_usual_comment(r, &s, p, last);
        p = read_usual_move(r, &s, p, last, BLACK, &good);
    }
    s.k.number.black = r->now.side == BLACK;
    r->state = s;
    return good;
}

static bool read_moves_plain(PackReader *r, const char **place)
{
    return read_usual_moves(r, place);
}

#ifdef SCAN_WIDE
SCAN_WIDE static bool read_moves_wide(PackReader *r, const char **place)
{
    return read_usual_moves(r, place);
}
#else
#define read_moves_wide read_moves_plain
#endif

// Continues in a copy of the end of the text at p, which may be read beyond its end. Returns where.
static const char *enter_tail(PackReader *r, const char *p)
{
    Packer *k = &r->state.k;
    const size_t length = (size_t)(k->end - p);
    memset(r->tail, 0, TAIL_ROOM);
    r->tail[0] = p > r->start ? p[-1] : '\n';
    memcpy(r->tail + 1, p, length);
    pack_text(k, p);
    r->in_tail = true;
    r->start = r->tail;
    k->from = r->tail + 1;
    k->end = k->from + length;
    return k->from;
}

// Reads a token other than a move in the usual spelling. Returns false where the general reader must decide, and at the end.
static bool read_other(PackReader *r, const char *p, PgnToken t)
{
    switch (t.kind) {
    case PGN_MOVE:
        return take_other_move(r, p, t.end);
    case PGN_COMMENT:
        add_clocks(r, r->state.word, p, t.end - 1);
        return true;
    case PGN_GLYPH:
        r->line->notes = true;
        return true;
    case PGN_NUMBER:
    case PGN_LINE:
    case PGN_IGNORED:
        return true;
    case PGN_RESULT:
        r->result = t.value;
        return false;
    default:
        return false;
    }
}

// Reads everything up to the result; true when nothing follows.
static bool read_main_line(PackReader *r)
{
    const char *p = r->state.k.from, *end = r->state.k.end;
    for (;;) {
        if (!(r->wide ? read_moves_wide(r, &p) : read_moves_plain(r, &p)))
            return false;
        if (!r->in_tail && end - p <= TAIL && p >= r->state.k.from) {
            p = enter_tail(r, p);
            end = r->state.k.end;
            continue;
        }
        p = pgn_skip_white(p, end);
        if (p == end)
            return false;
        const PgnToken t = pgn_lex(r->start, p, end);
        if (!read_other(r, p, t))
            return r->result >= 0 && pgn_skip_white(t.end, end) == end &&
                   (!r->state.check_open || pos_has_legal_move(&r->now) || respell_mate(r));
        p = t.end;
    }
}

bool game_read_packed(Game *g, Buffer *out, Buffer *words, MainLine *line)
{
    struct GameMemory *m = g->memory;
    const Text t = g->source.text;
    const size_t most = (t.length - m->movetext) / 2; // plies
    const char *moves = t.start + m->movetext, *end = t.start + t.length;
    const bool low = scan_has_below(moves, end, PACK_CLOCKS + 1);
    if (g->has_fen || g->variant != VARIANT_STANDARD || m->fen_error || most > MAIN_LINE_PLIES ||
        memchr(t.start, 0, m->movetext) || (low && scan_has_below(moves, end, PACK_MEANINGS)))
        return false;
    MoveWord *word = room_for_words(words, most);
    *line = (MainLine){0};
    m->ply_clock_count = 0;
    char tail[TAIL_ROOM];
    PackReader r = {.m = m,
                    .start = t.start,
                    .end = end,
                    .first = word,
                    .state = {packer(out, g, most), word, false},
                    .line = line,
                    .result = -1,
                    .coded = -1,
                    .codes = !low,
                    .now = pos_start,
                    .tail = tail};
#ifdef SCAN_WIDE
    r.wide = cpu_is_wide();
#endif
    if (!read_main_line(&r) || r.refused)
        return false;
    words->length = (size_t)((char *)r.state.word - words->start);
    end_packing(&r.state.k, out);
    line->plies = (int32_t)(r.state.word - word);
    line->last = r.now;
    g->view.result = r.result;
    g->both_lose = g->cut = false;
    g->ignored_words = 0;
    g->language = NULL;
    g->ply_count = line->plies;
    m->tags_read = false;
    return true;
}
