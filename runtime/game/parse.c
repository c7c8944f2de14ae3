// Movetext to tree (language reference 9.4, 6.1, 6.17).
//
// Nodes are collected in text order, which is the order of positionid as long as no side line is kept;
// otherwise the tree is renumbered at the end. Positions of the main line are in one array by ply, those of
// side lines in another; a side line that is not kept gives its room back when it closes.
#include <stdio.h>
#include <string.h>

#include "lex.h"
#include "game_memory.h"
#include "notes.h"
#include "scan.h"
#include "runtime/chess/usual.h"

typedef struct Reader {
    Game *game;
    struct GameMemory *m;
    ReportFn *report;
    void *user;
    const char *start, *end; // the game's text
    int32_t nodes;
    int32_t depth;      // of m->level
    int32_t line_count; // positions of the main line
    bool varied;        // by the rules of a variant: the positions are in m->varied
    bool keep_side, keep_move_texts;
    bool keep_notes, keep_texts, keep_clocks; // notes: texts or clocks or both
    const SanLetters *letters;                // NULL: of PGN
    bool decided;                             // whether other letters are to be tried
    const char *unread;   // the first move that may have other letters, while that is not decided
    const char *reported; // what comes before is reported already
    const char *line_at;  // the place of the last report, whose line number is `line`
    uint64_t line;
    bool trial, failed; // letters are tried; a move cannot be read with them
    // A move that cannot be read: no more moves, variations, comments or glyphs up to the end of the level.
    bool stopped;
    int32_t stopped_level;
    bool word_reported, close_reported, unclosed;
    bool all_words; // report each one
    bool result_read;
} Reader;

// ---- reports ---------------------------------------------------------------------------------------------

static void report_at(Reader *r, const char *where, const char *message)
{
    if (r->trial)
        return;
    r->game->damaged = true;
    if (!r->report || where < r->reported)
        return;
    if (!r->line_at || where < r->line_at) {
        r->line_at = r->start;
        r->line = r->game->source.line;
    }
    r->line += scan_count_lines(r->line_at, where);
    r->line_at = where;
    r->report(r->user, r->line, r->game->source.number, message);
}

static int clip(size_t length)
{
    return length > 40 ? 40 : (int)length;
}

// Control characters could change the terminal.
static void report_printable(Reader *r, const char *where, char *message)
{
    for (char *c = message; *c; c++)
        if ((unsigned char)*c < ' ' || *c == 0x7F)
            *c = '?';
    report_at(r, where, message);
}

static void report_word(Reader *r, const char *p, const char *end)
{
    char message[96];
    r->game->ignored_words++;
    if (r->word_reported && !r->all_words)
        return;
    r->word_reported = true;
    snprintf(message, sizeof message, "unknown word \"%.*s\" ignored", clip((size_t)(end - p)), p);
    report_printable(r, p, message);
}

// The number of the move after a node.
static int move_number(const Reader *r, int32_t node)
{
    const int black_first = r->m->start.side == BLACK;
    return r->game->clocks.fullmove + (r->m->node[node].ply + black_first) / 2;
}

static void report_move(Reader *r, int side, const char *p, PgnToken t, SanResult result)
{
    char message[160];
    const bool odd = t.kind == PGN_ODD_MOVE;
    snprintf(message, sizeof message, "%s move %d%s %.*s%s, the rest of the %s is dropped",
             result == SAN_AMBIGUOUS ? "ambiguous"
             : odd                   ? "unreadable"
                                     : "illegal",
             move_number(r, r->m->level[r->depth].node), side == WHITE ? "." : "...",
             clip((size_t)(t.end - p)), p,
             odd && pgn_is_foreign(p, t.end) ? " (PGN uses the piece letters K Q R B N)" : "",
             r->depth == 0 ? "game" : "variation");
    report_printable(r, p, message);
}

// ---- positions and nodes ---------------------------------------------------------------------------------

// Makes room for so many nodes.
static void grow_nodes(Reader *r, size_t need)
{
    struct GameMemory *m = r->m;
    m->node = memory_grow(m->node, &m->node_capacity, need, sizeof *m->node);
    m->place = memory_grow(m->place, &m->place_capacity, m->node_capacity, sizeof *m->place);
    if (r->keep_notes)
        m->note = memory_grow(m->note, &m->note_capacity, m->node_capacity, sizeof *m->note);
    if (r->varied)
        m->varied = memory_grow(m->varied, &m->varied_capacity, m->node_capacity, sizeof *m->varied);
}

static void grow_line(struct GameMemory *m, size_t need)
{
    m->line = memory_grow(m->line, &m->line_capacity, need, sizeof *m->line);
    m->line_pointer = memory_resized(m->line_pointer, m->line_capacity, sizeof *m->line_pointer);
    m->move_text = memory_resized(m->move_text, m->line_capacity, sizeof *m->move_text);
    for (size_t i = 0; i < m->line_capacity; i++)
        m->line_pointer[i] = &m->line[i];
}

// Links the new node as the last child of its parent.
static void link_child(struct GameMemory *m, int32_t child)
{
    Node *n = &m->node[child], *parent = &m->node[n->parent];
    if (parent->first_child < 0) {
        parent->first_child = child;
    } else {
        Node *before = &m->node[parent->last];
        before->next_sibling = child;
        n->index = before->index + 1;
        n->depth++;
    }
    parent->last = child; // until the tree is finished: the last child
}

// Appends a node, whose position is at `place` and whose move is there already; returns its number in text order.
static inline int32_t append_node(Reader *r, int32_t parent, int32_t place)
{
    struct GameMemory *m = r->m;
    const int32_t id = r->nodes++;
    Node *n = &m->node[id];
    const Node *p = &m->node[parent];
    n->parent = parent;
    n->first_child = n->next_sibling = -1;
    n->last = id;
    n->ply = p->ply + 1;
    n->depth = p->depth;
    n->index = n->reserved = 0;
    m->place[id] = place;
    if (r->keep_notes)
        m->note[id] = (Note){0};
    return id;
}

static void append_root(Reader *r)
{
    struct GameMemory *m = r->m;
    grow_nodes(r, (size_t)r->nodes + 1);
    if (m->line_capacity == 0)
        grow_line(m, 2);
    m->line[0] = m->start;
    if (r->varied)
        m->varied[0] = m->varied_start;
    m->node[0] = (Node){-1, -1, -1, 0, 0, 0, 0, 0, {0}};
    m->place[0] = 0;
    if (r->keep_notes)
        m->note[0] = (Note){0};
    r->nodes = 1;
    r->line_count = 1;
}

// ---- moves and levels ------------------------------------------------------------------------------------

// The position before the next move of the innermost level, and room for the move and the position after it.
typedef struct Step {
    const Position *now;
    Position *next;
    Move *move;
} Step;

static inline Step next_step(Reader *r)
{
    struct GameMemory *m = r->m;
    if ((size_t)r->nodes >= m->node_capacity)
        grow_nodes(r, (size_t)r->nodes + 1);
    Move *move = &m->node[r->nodes].move;
    if (r->depth == 0) {
        if ((size_t)r->line_count >= m->line_capacity)
            grow_line(m, (size_t)r->line_count + 1);
        return (Step){&m->line[r->line_count - 1], &m->line[r->line_count], move};
    }
    m->side = memory_grow(m->side, &m->side_capacity, (size_t)m->side_count + 1, sizeof *m->side);
    return (Step){position_of(m, m->level[r->depth].node), &m->side[m->side_count], move};
}

// The same in a game of a variant.
static Step next_varied_step(Reader *r)
{
    struct GameMemory *m = r->m;
    if ((size_t)r->nodes >= m->node_capacity)
        grow_nodes(r, (size_t)r->nodes + 1);
    return (Step){&m->varied[m->level[r->depth].node].board, &m->varied[r->nodes].board,
                  &m->node[r->nodes].move};
}

// Appends the move and the position that were put into the room of next_step.
static inline void take_step(Reader *r)
{
    struct GameMemory *m = r->m;
    Level *level = &m->level[r->depth];
    const int32_t place = r->depth == 0 ? r->line_count++ : ~m->side_count++;
    level->node = append_node(r, level->node, place);
    if (r->keep_side) {
        link_child(m, level->node);
        if (r->keep_notes && !level->moved && r->depth > 0)
            m->note[level->node].start_comment = level->start_comment;
    }
    level->moved = true;
}

// Keeps where the last move of the main line is written.
static inline void keep_move_text(Reader *r, int32_t ply, const char *p, const char *end)
{
    if (r->keep_move_texts)
        r->m->move_text[ply - 1] = (MoveText){(size_t)(p - r->start), (size_t)(end - p)};
}

// The level ends here.
static void stop_level(Reader *r)
{
    r->stopped = true;
    r->stopped_level = r->depth;
    r->game->cut |= !r->trial;
}

// Is the word a number without a dot, that of the next move? Numbers of four digits may be moves.
static bool is_next_number(const Reader *r, const char *p, const char *end)
{
    int number = 0;
    for (; p < end && pgn_is(*p, BYTE_DIGIT) && number < 100000; p++)
        number = number * 10 + (*p - '0');
    return p == end && number == move_number(r, r->m->level[r->depth].node);
}

static SanResult parse_move(const Reader *r, const Step *step, const char *p, PgnToken t)
{
    const size_t length = (size_t)(t.end - p);
    return r->letters || t.kind == PGN_ODD_MOVE ? san_parse_in(step->now, r->letters, p, length, step->move)
                                                : san_parse(step->now, p, length, step->move);
}

// Is 0-0 at the end of the game its result, by which both players lose? It is when the Result tag says so, or when it cannot be
// castling.
static bool is_forfeit(const Reader *r, const Position *now, const char *p, const char *end)
{
    const Text tag = r->m->result_tag;
    Move m;
    if (r->depth > 0 || *p != '0' || end[-1] != '0' || end - p > 5 ||
        !pgn_nothing_follows(r->start, end, r->end))
        return false;
    return text_equal(tag, text_of("0-0")) ||
           (!r->stopped && san_parse(now, p, (size_t)(end - p), &m) == SAN_ILLEGAL);
}

static bool read_forfeit(Reader *r)
{
    r->game->view.result = RESULT_UNKNOWN;
    r->game->both_lose = r->result_read = true;
    return false;
}

// Returns false where the reading ends, because other letters are to be tried or do not fit, and after a result.
static bool read_move(Reader *r, const char *p, PgnToken t)
{
    const Step step = r->varied ? next_varied_step(r) : next_step(r);
    if (is_forfeit(r, step.now, p, t.end))
        return read_forfeit(r);
    if (r->stopped || (t.kind == PGN_ODD_MOVE && is_next_number(r, p, t.end)))
        return true;
    const SanResult result = parse_move(r, &step, p, t);
    if (result == SAN_OK) {
        if (r->varied) {
            variant_make(&r->m->varied[r->nodes], step.now, *step.move);
        } else {
            pos_make(step.next, step.now, *step.move);
            pos_find_check(step.next);
        }
        take_step(r);
        if (r->depth == 0 && !r->varied)
            keep_move_text(r, r->line_count - 1, p, t.end);
        return true;
    }
    if (!r->decided && pgn_has_foreign_move(r->start, p, r->end)) {
        r->unread = p;
        return false;
    }
    r->decided = true;
    r->failed = true;
    report_move(r, step.now->side, p, t, result);
    stop_level(r);
    return !r->trial;
}

// Reads a move in the usual spelling; returns its end, or NULL for read_move.
static inline const char *read_usual_move(Reader *r, const char *p)
{
    if (r->stopped || r->letters || r->end - p < SAN_PLAY_BYTES)
        return NULL;
    const Step step = next_step(r);
    const char *end = san_play(step.next, step.now, p, step.move);
    if (!end)
        return NULL;
    take_step(r);
    if (r->depth == 0)
        keep_move_text(r, r->line_count - 1, p, end);
    return scan_check_mark(end, r->end);
}

// '(': alternatives to the last move of the level, or before its first move to that move (not read yet).
static void open_level(Reader *r, const char *p)
{
    struct GameMemory *m = r->m;
    const Level *outer = &m->level[r->depth];
    const bool first = r->depth == 0 && !outer->moved && !r->stopped;
    int32_t node = outer->moved ? m->node[outer->node].parent : outer->node;
    m->level = memory_grow(m->level, &m->level_capacity, (size_t)r->depth + 2, sizeof *m->level);
    m->level[++r->depth] = (Level){node, r->nodes, m->side_count, false, {0}};
    if (first) {
        report_at(r, p, "variation before the first move ignored");
        stop_level(r);
    }
}

// Drops the innermost side line unless side lines are kept.
static void leave_level(Reader *r)
{
    const Level *level = &r->m->level[r->depth--];
    if (r->keep_side)
        return;
    r->nodes = level->node_count;
    r->m->side_count = level->side_count;
}

static void close_level(Reader *r, const char *p)
{
    if (r->depth > 0) {
        r->stopped &= r->stopped_level != r->depth;
        leave_level(r);
    } else if (!r->close_reported) {
        r->close_reported = true;
        report_at(r, p, "\")\" without \"(\" ignored");
    }
}

// ---- comments and glyphs ---------------------------------------------------------------------------------

static void read_comment(Reader *r, const char *p, const char *end)
{
    r->m->has_notes = true;
    if (!r->keep_notes || r->stopped || (r->depth > 0 && !r->keep_side))
        return;
    Level *level = &r->m->level[r->depth];
    const bool before = r->depth > 0 && !level->moved;
    if (r->keep_clocks && !before)
        clocks_read(&r->m->note[level->node].clocks, p + 1, end - 1);
    Text text = r->keep_texts ? notes_normal(r->m, p + 1, end - 1) : (Text){0};
    if (text.length > 0)
        notes_add(r->m, before ? &level->start_comment : &r->m->note[level->node].comment, text);
}

static void read_glyph(Reader *r, int value)
{
    r->m->has_notes = true;
    const Level *level = &r->m->level[r->depth];
    if (!r->keep_notes || r->stopped || value == 0 || !level->moved)
        return;
    Note *note = &r->m->note[level->node];
    if (note->nag_count < sizeof note->nag)
        note->nag[note->nag_count++] = (uint8_t)value;
}

// ---- movetext --------------------------------------------------------------------------------------------

// Handles any token; returns false when it ends the game.
static bool read_token(Reader *r, const char *p, PgnToken t)
{
    switch (t.kind) {
    case PGN_MOVE:
    case PGN_ODD_MOVE:
        return read_move(r, p, t);
    case PGN_COMMENT:
        read_comment(r, p, t.end);
        return true;
    case PGN_OPEN_COMMENT:
        report_at(r, p, "unterminated comment, the game ends before it");
        r->unclosed = true;
        return false;
    case PGN_OPEN:
        r->m->has_variations = true;
        open_level(r, p);
        return true;
    case PGN_CLOSE:
        close_level(r, p);
        return true;
    case PGN_GLYPH:
        read_glyph(r, t.value);
        return true;
    case PGN_RESULT:
        if (r->depth > 0 && !pgn_nothing_follows(r->start, t.end, r->end))
            return true;
        r->game->view.result = t.value;
        r->game->both_lose = false;
        r->result_read = true;
        return false;
    case PGN_WORD:
        report_word(r, p, t.end);
        return true;
    case PGN_TAG:
    case PGN_END:
        return false;
    default:
        return true;
    }
}

// One past the comment at p, '{', unless it contains braces or does not end.
static inline const char *plain_comment_end(const char *p, const char *end)
{
    p = scan_brace(p + 1, end);
    return p < end && *p == '}' ? p + 1 : NULL;
}

// Reads what most movetext consists of, as far as it goes: numbers, moves in the usual spelling, check marks, and comments
// that are not kept. Returns the beginning of a token.
static const char *read_usual(Reader *r, const char *p)
{
    const bool skip_comments = !r->keep_notes || r->stopped;
    for (;;) {
        const char *q = scan_numbers(p, r->end);
        if (r->end - q < SAN_PLAY_BYTES)
            return p;
        r->m->has_notes |= *q == '{';
        q = *q == '{' && skip_comments ? plain_comment_end(q, r->end) : read_usual_move(r, q);
        if (!q)
            return p;
        p = q;
    }
}

// For how many plies of the main line there is room.
static inline int32_t line_room(const struct GameMemory *m)
{
    return (int32_t)(m->node_capacity < m->line_capacity ? m->node_capacity : m->line_capacity);
}

// Makes room for the node and the position of a ply of the main line.
static void grow_plies(Reader *r, int32_t ply)
{
    r->nodes = ply;
    grow_nodes(r, (size_t)r->nodes + 1);
    if ((size_t)ply >= r->m->line_capacity)
        grow_line(r->m, (size_t)ply + 1);
}

// The same in the main line of a game whose side lines and notes are not kept: the nodes are the plies.
static const char *read_usual_line(Reader *r, const char *p)
{
    struct GameMemory *m = r->m;
    const char *end = r->end, *last = end - SAN_PLAY_BYTES; // where a move may begin
    int32_t ply = r->line_count, room = line_room(m);
    while (end - p >= SAN_PLAY_BYTES) {
        const char *q = scan_numbers(p, end);
        if (q > last)
            break;
        if (*q == '{') {
            m->has_notes = true;
            q = plain_comment_end(q, end);
            if (!q)
                break;
            p = q;
            continue;
        }
        if (ply >= room) {
            grow_plies(r, ply);
            room = line_room(m);
        }
        Node *n = &m->node[ply];
        const char *move = q;
        q = san_play(&m->line[ply], &m->line[ply - 1], q, &n->move);
        if (!q)
            break;
        keep_move_text(r, ply, move, q);
        n->parent = ply - 1;
        n->next_sibling = -1;
        n->ply = ply;
        n->depth = n->index = n->reserved = 0;
        m->place[ply] = ply;
        ply++;
        p = scan_check_mark(q, end);
    }
    m->level[0].moved = ply > 1;
    m->level[0].node = ply - 1;
    r->nodes = r->line_count = ply;
    return p;
}

// Returns the end of what was read.
static const char *read_movetext(Reader *r, const char *p)
{
    const char *end = r->end;
    for (;;) {
        const bool line = r->depth == 0 && !r->keep_side && !r->keep_notes && !r->stopped && !r->letters;
        p = pgn_skip_white(r->varied ? p : line ? read_usual_line(r, p) : read_usual(r, p), end);
        if (p == end)
            return p;
        const char *drop = r->varied ? pgn_drop_end(p, end) : NULL;
        PgnToken t = drop ? (PgnToken){.kind = PGN_MOVE, .end = drop} : pgn_lex(r->start, p, end);
        if (!read_token(r, p, t))
            return t.end;
        p = t.end;
    }
}

// ---- the game --------------------------------------------------------------------------------------------

// Reads the movetext from its beginning; returns the end of what was read.
static const char *read_all(Reader *r)
{
    struct GameMemory *m = r->m;
    m->level = memory_grow(m->level, &m->level_capacity, 1, sizeof *m->level);
    m->level[0] = (Level){0};
    m->side_count = 0;
    m->has_variations = m->has_notes = false;
    m->text_length = m->tag_text_length;
    m->part_count = 0;
    r->game->ignored_words = 0;
    r->game->both_lose = false;
    r->depth = 0;
    r->word_reported = r->close_reported = r->unclosed = r->result_read = false;
    append_root(r);
    return read_movetext(r, r->start + m->movetext);
}

// A number for the moves and where they are.
static uint64_t hash_moves(const Reader *r)
{
    uint64_t hash = 0;
    for (int32_t i = 1; i < r->nodes; i++) {
        const Node *n = &r->m->node[i];
        hash = (hash ^ word_of(n->move) ^ (uint64_t)n->parent << 16) * 0x9E3779B97F4A7C15ULL;
        hash ^= hash >> 29;
    }
    return hash;
}

// The letters with which all moves of the game can be read; NULL if there are none, or different ones give different moves.
static const SanLetters *find_letters(const Reader *r)
{
    const SanLetters *found = NULL;
    uint64_t hash = 0;
    for (int i = 0; i < SAN_LANGUAGES; i++) {
        Reader trial = *r;
        trial.letters = &san_languages[i];
        trial.trial = trial.keep_side = true;
        trial.keep_notes = trial.keep_texts = trial.keep_clocks = trial.keep_move_texts = false;
        read_all(&trial);
        if (trial.failed)
            continue;
        if (found && hash != hash_moves(&trial))
            return NULL;
        hash = hash_moves(&trial);
        found = found ? found : trial.letters;
    }
    return found;
}

static void read_game(Reader *r, unsigned flags)
{
    struct GameMemory *m = r->m;
    const char *nul = r->end > r->start ? memchr(r->start, 0, (size_t)(r->end - r->start)) : NULL;
    if (nul)
        report_at(r, nul, "NUL byte read as white space");
    if (m->fen_error) {
        char message[160];
        r->game->skipped = !(flags & PARSE_BAD_START_STANDARD);
        snprintf(message, sizeof message, "bad FEN (%.80s), %s", m->fen_error,
                 r->game->skipped ? "the game is skipped" : "the game starts from the standard position");
        report_at(r, m->fen_tag.start, message);
        r->stopped = r->game->skipped;
    }
    const char *end = read_all(r);
    if (r->unread) {
        r->reported = r->unread;
        r->decided = true;
        r->stopped = false;
        r->letters = find_letters(r);
        r->game->language = r->letters ? r->letters->language : NULL;
        end = read_all(r);
    }
    m->read = (size_t)(end - r->start);
    if (!r->result_read)
        r->game->both_lose = text_equal(m->result_tag, text_of("0-0"));
    if (!r->result_read && !r->unclosed)
        report_at(r, r->end, "no result token at the end of the game");
    if (r->result_read && !pgn_nothing_follows(r->start, end, r->end))
        report_at(r, pgn_skip_white(end, r->end), "text after the result ignored");
    if (r->depth > 0 && !r->stopped)
        report_at(r, r->end, "variation without \")\"");
    while (r->depth > 0)
        leave_level(r);
}

static void set_source(Game *g, const GameText *source)
{
    g->source = *source;
    g->view.number = (int32_t)source->number;
    g->view.game = g;
    g->both_lose = false;
}

static bool same_source(const GameText *a, const GameText *b)
{
    return a->text.start == b->text.start && a->text.length == b->text.length && a->number == b->number &&
           a->offset == b->offset;
}

void game_read_by_variant(Game *g, bool by_variant)
{
    g->memory->tags_read &= g->by_variant == by_variant;
    g->by_variant = by_variant;
}

void game_parse_tags(Game *g, const GameText *source)
{
    set_source(g, source);
    game_read_tags(g);
    g->memory->tags_read = true;
}

void game_parse(Game *g, const GameText *source, unsigned flags, ReportFn *report, void *user)
{
    struct GameMemory *m = g->memory;
    if (!m->tags_read || !same_source(&g->source, source))
        game_parse_tags(g, source);
    m->tags_read = false;
    g->damaged = g->cut = false;
    g->language = NULL;
    Reader r = {.game = g,
                .m = m,
                .report = report,
                .user = user,
                .start = source->text.start,
                .end = source->text.start + source->text.length,
                .varied = game_is_varied(g),
                .keep_side = flags & PARSE_VARIATIONS,
                .keep_notes = flags & (PARSE_NOTES | PARSE_CLOCKS),
                .keep_texts = flags & PARSE_NOTES,
                .keep_clocks = flags & PARSE_CLOCKS,
                .keep_move_texts = flags & PARSE_MOVE_TEXTS,
                .all_words = flags & PARSE_ALL_WORDS};
    read_game(&r, flags);
    if (r.keep_texts)
        notes_finish(m, (size_t)r.nodes,
                     (Text){r.start + m->movetext, (size_t)(r.end - r.start) - m->movetext});
    tree_finish(g, r.nodes, r.line_count, r.keep_notes, r.varied);
}

bool game_replay(Game *g, unsigned flags, const MoveWord *word, size_t stride, size_t count, int result)
{
    struct GameMemory *m = g->memory;
    Reader r = {.game = g, .m = m, .keep_notes = flags & (PARSE_NOTES | PARSE_CLOCKS)};
    m->tags_read = m->has_variations = m->has_notes = false;
    g->damaged = g->cut = g->skipped = g->both_lose = false;
    g->ignored_words = 0;
    g->language = NULL;
    append_root(&r);
    if (flags & PARSE_NO_CHECKS)
        m->line[0].check = CHECK_UNKNOWN;
    grow_nodes(&r, count + 1);
    if (m->line_capacity <= count)
        grow_line(m, count + 1);
    const int32_t played = (int32_t)pos_play_line(m->line, m->node, word, stride, count);
    for (int32_t i = 1; i <= played; i++) {
        m->node[i].parent = i - 1;
        m->node[i].next_sibling = -1;
        m->node[i].ply = i;
        m->node[i].depth = m->node[i].index = m->node[i].reserved = 0;
        m->place[i] = i;
    }
    if (r.keep_notes)
        memset(m->note, 0, ((size_t)played + 1) * sizeof *m->note);
    m->level = memory_grow(m->level, &m->level_capacity, 1, sizeof *m->level);
    m->level[0] = (Level){.node = played, .moved = played > 0};
    tree_finish(g, played + 1, played + 1, r.keep_notes, false);
    g->view.result = result;
    return (size_t)played == count;
}

// Empty notes for all nodes.
static void clear_notes(Game *g)
{
    struct GameMemory *m = g->memory;
    m->note = memory_grow(m->note, &m->note_capacity, m->node_capacity, sizeof *m->note);
    memset(m->note, 0, (size_t)g->view.count * sizeof *m->note);
    g->note = m->note;
}

// The end of a move in the usual spelling at p, or NULL: only what is before the target makes it one move, not e4{d5 or e4Nf6.
static inline const char *usual_move_end(const char *p, const char *end)
{
    if (end - p < SAN_PLAY_BYTES)
        return NULL;
    const Spelling s = usual_spelling(p);
    const bool one = s.kind == WHITE_PAWN ? s.length == 2 || s.between == 'x' : usual_origins(s.between) != 0;
    return s.length > 0 && s.kind > 0 && one ? scan_check_mark(p + s.length, end) : NULL;
}

// Reads a token of a line whose moves are known, after white space and numbers at p. Returns its end, or NULL when it ends
// the line.
static const char *read_known_token(Reader *r, const char *p)
{
    Level *line = &r->m->level[0];
    const char *token = scan_numbers(p, r->end);
    PgnToken t = {.kind = PGN_MOVE, .end = usual_move_end(token, r->end)};
    if (!t.end && token < r->end && *token == '{' && (t.end = plain_comment_end(token, r->end))) {
        read_comment(r, token, t.end);
        return t.end;
    }
    if (!t.end) {
        token = pgn_skip_white(p, r->end);
        if (token == r->end)
            return NULL;
        t = pgn_lex(r->start, token, r->end);
    }
    if (t.kind != PGN_MOVE && t.kind != PGN_ODD_MOVE)
        return read_token(r, token, t) ? t.end : NULL;
    line->moved = true;
    return line->node++ < r->game->ply_count ? t.end : NULL;
}

bool game_read_notes(Game *g, unsigned flags)
{
    struct GameMemory *m = g->memory;
    const Text source = g->source.text;
    if (m->has_variations || g->damaged || g->variant != VARIANT_STANDARD)
        return false;
    m->level = memory_grow(m->level, &m->level_capacity, 1, sizeof *m->level);
    m->level[0] = (Level){0};
    m->text_length = m->tag_text_length;
    clear_notes(g);
    Reader r = {.game = g,
                .m = m,
                .start = source.start,
                .end = source.start + source.length,
                .keep_notes = true,
                .keep_texts = flags & PARSE_NOTES,
                .keep_clocks = flags & PARSE_CLOCKS};
    for (const char *p = source.start + m->movetext; p && !m->has_variations;)
        p = read_known_token(&r, p);
    if (r.keep_texts)
        notes_finish(m, (size_t)g->view.count, (Text){r.start + m->movetext, source.length - m->movetext});
    return !m->has_variations && m->level[0].node == g->ply_count;
}

bool game_complete(Game *g)
{
    struct GameMemory *m = g->memory;
    if (m->has_variations || m->has_notes)
        return false;
    if (!g->note)
        clear_notes(g);
    return true;
}
