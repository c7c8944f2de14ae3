// Games: the PGN reader, the game tree, tags, comments and glyphs, and the PGN writer (language reference 9,
// 10, 6.1).
//
// Reading has two steps, so that threads can share the work:
//   1. PgnSplitter finds where games begin and end in a stream (fast; does not resolve moves);
//   2. game_parse reads one game from its text: tags, tree, comments.
// Damaged input never ends the run: it is reported to a callback, and everything readable is kept.
//
// The files, lowest first: view.h, scan.h, game_memory, lex, comment, section, split, variants, tags, clocks, clocks_pack, notes, tree,
// parse, contains, line, write, cut.
#ifndef CQL_GAME_H
#define CQL_GAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "runtime/chess/chess.h"
#include "runtime/chess/word.h"
#include "runtime/value/buffer.h"
#include "view.h"

// A string that somebody else owns (not NUL-terminated).
typedef struct Text {
    const char *start;
    size_t length;
} Text;

static inline Text text_of(const char *string)
{
    return (Text){string, strlen(string)};
}

// True of the value of a tag that says nothing.
static inline bool text_is_unknown(Text t)
{
    return t.length == 0 || (t.length == 1 && *t.start == '?');
}

static inline bool text_equal(Text a, Text b)
{
    return a.length == b.length && (a.length == 0 || memcmp(a.start, b.start, a.length) == 0);
}

// ---- input ------------------------------------------------------------------------------------------------

// The text of one game in the input.
typedef struct GameText {
    Text text; // from the first byte of the tag section (or of the movetext) to the end of the game, without
               // trailing white space; if an unterminated comment cuts the game off, up to its '{'
    uint64_t line;   // line number of the first byte, from 1
    uint64_t offset; // byte offset of the first byte in the (decompressed) input
    int64_t number;  // game number, from 1
} GameText;

// A message about damaged input. `line` counts from 1 in the file; `game` is 0 outside any game.
typedef void ReportFn(void *user, uint64_t line, int64_t game, const char *message);

// A source of bytes: returns the number of bytes read into buffer (0 at the end, -1 on an error).
typedef int64_t ReadFn(void *user, void *buffer, size_t size);

// Splits a byte stream into games (language reference 9.1-9.4). Memory is bounded by the largest game, and
// after an unterminated comment by some 100 MB: a comment longer than 32 MB that contains a tag line counts
// as unterminated, even if a closing brace follows.
typedef struct PgnSplitter PgnSplitter;

// Both functions are called only during pgn_split_next and pgn_split_block. NULL report: silent. The splitter
// reports only damage outside games (game 0); game_parse reports the rest.
PgnSplitter *pgn_split_open(ReadFn *read, void *read_user, ReportFn *report, void *report_user);

// Games have at most so many bytes of text from now on: the rest is dropped up to a tag line, with a report. 0: any number.
void pgn_split_limit(PgnSplitter *s, size_t most);

// Finds the next game. Its text stays valid until the next call. Returns false at the end of the input or
// after a read error (see pgn_split_error).
bool pgn_split_next(PgnSplitter *s, GameText *game);

// Collects whole games into a block that the caller owns and may pass to another thread: at least one game,
// then more up to about `target` bytes. Returns false at the end of the input or after a read error. The
// games stay valid until pgn_block_free. Calls may be mixed with pgn_split_next.
typedef struct PgnBlock {
    char *memory;
    GameText *game;
    size_t count;
} PgnBlock;
bool pgn_split_block(PgnSplitter *s, size_t target, PgnBlock *block);
void pgn_block_free(PgnBlock *block);

// A place between two games from which another splitter of the same bytes can go on.
typedef struct PgnPlace {
    uint64_t offset, line;
    int64_t number; // of the last game before it
    int64_t nul_reported;
} PgnPlace;

// The place after the last game or block. False when a splitter must see the text before it too (after damage).
bool pgn_split_place(PgnSplitter *s, PgnPlace *place);

// Goes on from there: the next byte that `read` returns is that at place->offset. {.line = 1} is the beginning of another input.
void pgn_split_go(PgnSplitter *s, const PgnPlace *place);

// The message of the read error, or NULL.
const char *pgn_split_error(const PgnSplitter *s);

// Whether a read error ended the last game or block; its last game may then be incomplete.
bool pgn_split_is_cut(PgnSplitter *s);
uint64_t pgn_split_bytes(const PgnSplitter *s); // bytes consumed so far
void pgn_split_close(PgnSplitter *s);

// ---- tags -------------------------------------------------------------------------------------------------

// One tag, in file order. Repeated names are merged: the last value counts, at the place of the first.
// Rating tags without a value are left out; a rating tag that repeats a name is kept as an ordinary tag.
typedef struct Tag {
    Text name;
    Text value; // without the backslashes that escape quotes and backslashes
    bool latin; // it is written in Latin-1; the value is UTF-8
} Tag;

enum RatingType {
    RATING_NONE,
    RATING_ELO,
    RATING_RATING,
    RATING_RAPID,
    RATING_ICCF,
    RATING_USCF,
    RATING_DWZ,
    RATING_BCF
};

// The tags that have a normal form (language reference 9.2.1, 9.2.2). Absent tags have the default values
// given there; an absent `eco` is empty.
typedef struct TagRoster {
    Text event, site, round, white, black, eco;
    char date[11], event_date[11]; // always ten characters
    int32_t year;                  // of Date, 0 when unknown
    int32_t rating[2];             // by colour; 0: none
    uint8_t rating_type[2];        // enum RatingType
} TagRoster;

// ---- the game ---------------------------------------------------------------------------------------------

// What the commands in the comments of a position say (language reference 15).
enum { CLOCKS_CLOCK = 1, CLOCKS_SPENT = 2, CLOCKS_EVAL = 4 };
typedef struct NoteClocks {
    int32_t clock, spent; // [%clk] and [%emt], in hundredths of a second
    int32_t eval;         // [%eval], in centipawns
    uint8_t has;          // CLOCKS_ bits: those that there are; the others are 0
} NoteClocks;

// Annotations of one position, by positionid. Comments are normalised: white space folded, inner braces
// replaced by '_', several joined by spaces. A comment that is not UTF-8 is read as Latin-1.
typedef struct Note {
    Text comment; // empty: none
    Text
        start_comment; // as it is written; between '(' and the first move of the variation that starts with this position
    NoteClocks clocks;     // with PARSE_CLOCKS
    uint8_t nag_count : 7; // at most 7
    uint8_t latin : 1;     // `comment` is written in Latin-1
    uint8_t nag[7];
} Note;

// Another name of a variant of chess.
typedef struct VariantAlias {
    const char *name, *alias;
} VariantAlias;

// What is said once a file about Game.language.
#define LANGUAGE_NOTE "read with the piece letters of %s, as other games of the file may be"

// One parsed game. It owns all its memory; the next game_parse reuses it.
typedef struct Game {
    GameView view;    // what matchers see
    const Note *note; // by positionid; NULL without PARSE_NOTES and PARSE_CLOCKS
    GameText source;
    bool has_fen;          // the game starts from a FEN
    bool skipped;          // its FEN is not a position: do not search it (language reference 9.5)
    bool damaged;          // something was reported
    bool cut;              // moves that the text may have are left out: one of them could not be read
    bool both_lose;        // its result is 0-0; that of `view` is then RESULT_UNKNOWN
    int32_t ignored_words; // unknown ones in the movetext
    const char *language;  // of the piece letters in the moves; NULL: PGN
    FenClocks clocks;      // of the starting position
    int32_t ply_count;     // moves in the main line
    // Set by the caller, who owns the aliases, before the tags are read (language reference 16.1).
    const VariantAlias *alias;
    size_t alias_count;
    bool as_chess;   // read the game as chess without asking for its variant
    bool by_variant; // read the game by the rules of its variant; else as chess
    uint8_t variant; // enum Variant, unless as_chess; VARIANT_FOREIGN: the rules are not known
    struct GameMemory *memory;
} Game;

enum {
    PARSE_VARIATIONS = 1,         // keep side lines in the tree (they are always checked)
    PARSE_NOTES = 2,              // fill in `note`, but for its clocks
    PARSE_BAD_START_STANDARD = 4, // ignore a FEN that is not a position instead of skipping the game
    PARSE_MOVE_TEXTS = 8,         // keep where the moves of the main line are written, for game_pack
    PARSE_CLOCKS = 16,            // fill in Note.clocks
    PARSE_ALL_WORDS = 32,         // report each unknown word
    PARSE_NO_CHECKS = 64          // game_replay: Position.check stays unknown, which saves time where nobody asks
};

void game_init(Game *g);
void game_free(Game *g);

// Finds the tag section, and reads the FEN and the result from the Result tag, which game_parse may replace. The other
// tags are read when they are asked for. Cheap, so that the driver can skip games before any move is decoded.
void game_parse_tags(Game *g, const GameText *source);

// The enum Variant that the tags of a game name, whether or not it is read by its rules. *value, unless NULL: the tag that says
// so, Variant or else Rules, as it is written; or empty.
int game_variant(const Game *game, Text *value);

// The variant with a name, whatever its case, or VARIANT_FOREIGN.
int variant_by_name(Text name);

// May the game be of another variant than Standard, whatever aliases variants have?
bool game_may_be_variant(const Game *game);

// Can the game be searched as chess: are the moves of its variant, if it is known, those of chess (language reference 16.1)?
bool game_is_chess(const Game *game);

// Changes by_variant: the next game_parse reads the tags again.
void game_read_by_variant(Game *g, bool by_variant);

// Reads the whole game; skips the tags if the previous call was game_parse_tags with the same source. Reports
// all damage with its line, unknown words once per game. Strings in the game point into source->text, which
// must live as long as they are used, or into the game's memory. A move that cannot be read drops the rest of its line, the game
// or the variation.
void game_parse(Game *g, const GameText *source, unsigned flags, ReportFn *report, void *user);

// Does a game with this text, and so many plies that are not in the text, take at most about `memory` bytes, with variations and
// comments, read and written?
bool game_fits(Text text, size_t plies, size_t memory);

// A condition on which any game of `bytes` of text, its moves included, and so many plies that are not in the text, does.
bool game_surely_fits(size_t bytes, size_t plies, bool variations, size_t memory);

// The main line of a game whose tags were read by game_parse_tags just before, played from stored moves instead
// of its movetext: what game_parse makes of an undamaged game without variations, comments and glyphs. The words are
// `stride` apart. False, and the moves before it, at a move that cannot be played.
bool game_replay(Game *g, unsigned flags, const MoveWord *word, size_t stride, size_t count, int result);

// Reads the notes that game_parse reads with `flags` (PARSE_NOTES, PARSE_CLOCKS) into a game that was read without them, or
// whose moves, those of its undamaged text, were replayed. False, and the notes are not complete, when it is damaged or its
// text has variations.
bool game_read_notes(Game *g, unsigned flags);

// Makes the tree of a game that was read without variations and notes complete where there are none: its notes are empty then.
// False when the text has variations, comments or glyphs.
bool game_complete(Game *g);

// Writes the move that leads to position `id` in SAN, followed by NUL; returns its length (language reference 4.1).
static inline int view_san(const GameView *view, int32_t id, char out[SAN_MAX])
{
    const Node *n = &view->node[id];
    return san_write_into(view->position[n->parent], n->move, view->position[id], out);
}

// ---- the main line alone --------------------------------------------------------------------------------------

// The main line of a game without its positions.
typedef struct GameLine {
    MoveWord *word;
    size_t count, capacity;
    uint16_t facts; // LINE_ bits (lines.h)
    bool null_moves;
    bool variations, notes; // the movetext has variations; comments or glyphs
    int result;             // of the result token
    Position last;          // after the last move
    struct LineLevel *level;
    size_t level_capacity;
} GameLine;

// Reads the main line of a game whose tags were read by game_parse_tags just before; several times faster than
// game_parse. False where only game_parse can say what the game is: it is damaged or has a FEN. Variations are checked and left out. *line is
// zero-initialised, and used again for the next game.
bool game_read_line(GameLine *line, const Game *g);
void game_line_free(GameLine *line);

// ---- packed text ------------------------------------------------------------------------------------------

// The text of a game without what its moves tell: each move of the main line in the usual spelling, with a usual
// move number and space before it, is one byte. The bytes of the rest stay as they are.
//
// The longest main line that is packed.
enum { MAIN_LINE_PLIES = 65535 };

// What the moves of a main line say.
typedef struct MainLine {
    int32_t plies;
    Position last;
    uint8_t flags[2]; // of the moves of White and Black: MOVE_ bits but those of captures and double steps,
    uint8_t promoted[2];    // and not 0 after a promotion
    bool variations, notes; // the game has variations; comments or glyphs
    bool clock_codes;       // comments are packed as their clocks: game_unpack needs them
} MainLine;

// Reads a game whose tags were read by game_parse_tags just before, and packs it at the same time. Appends the packed
// text from the movetext on and the move words, and sets *line, view.result and ply_count; there is no tree. False, and nothing
// appended, when the game has variations, damage or whatever else needs game_parse and game_pack.
bool game_read_packed(Game *g, Buffer *out, Buffer *words, MainLine *line);

// The same for a game that game_parse has read with PARSE_MOVE_TEXTS alone, and is not damaged. False, and nothing
// appended, when the text contains bytes that mean something in packed text.
bool game_pack(const Game *g, Buffer *out, Buffer *words, MainLine *line);

// Sets what the moves of a game that was read say; not `variations` and `notes`.
void game_main_line(const Game *g, MainLine *line);

// Appends the clocks and evaluations of the main line (docs/cqldb.md) of a game that game_read_packed or game_pack has just
// packed, or after game_keep_clocks; nothing when it has none. All but game_read_packed need a game that was read with
// PARSE_CLOCKS.
void game_pack_clocks(const Game *g, Buffer *out);
void game_keep_clocks(const Game *g);

// Sets those of a game that game_replay has read with PARSE_CLOCKS just before. False when they are damaged.
bool game_unpack_clocks(Game *g, Text packed);

// Where the movetext begins in the source's text, and the starting position; valid after game_parse_tags.
size_t game_movetext_start(const Game *g);
const Position *game_start(const Game *g);

// What game_unpack needs of a game with MainLine.clock_codes: by ply, what game_pack_clocks has packed. NULL when that is
// damaged. The memory belongs to `scratch`.
const NoteClocks *game_clock_values(Game *scratch, Text packed, size_t plies);

// Appends the text again. `start` and `clocks` are those of the game; the words are `stride` apart; `values` is not NULL
// for a game with MainLine.clock_codes. False, and what came before, when the packed text or a move is damaged.
bool game_unpack(Buffer *out, Text packed, const Position *start, FenClocks clocks, const MoveWord *word,
                 size_t stride, size_t count, const NoteClocks *values);

// The tags with a normal form, which the caller may change, and all tags in order. Valid after game_parse_tags, until the
// next call of it.
TagRoster *game_roster(const Game *g);

extern const char *const game_column_name[COLUMNS]; // COLUMN_ in view.h, in the table game of a database, too

// The normal form of a date, YYYY.MM.DD with '?' for the digits of what is 0.
void game_write_date(int year, int month, int day, char out[11]);
const Tag *game_tags(const Game *g, size_t *count);

// The value of a tag by its exact name as filters see it (language reference 7.15, 9.6: built-in names are
// normalised, Result is view.result as a string); false when it has no value.
bool game_tag(const Game *g, Text name, Text *value);

// The number of tags that game_tag looks through for a name outside the roster, 0 before it has.
size_t game_listed_tags(const Game *g);

// True when a tag value or a comment anywhere in the game's text, kept or not, contains `part` (language
// reference 9.7.2, `cooked`). Valid after game_parse_tags.
bool game_text_holds(const Game *g, Text part);

// False when no comment of the game contains `part`, ASCII without white space and `_`. True when there is a comment that
// does, and where only tags have been read. Valid after game_parse_tags.
bool game_may_comment(const Game *g, Text part);

// ---- clocks and evaluations (language reference 15) -------------------------------------------------------

// Each sets *value and returns true where the position `id` has one. The game must have been read with PARSE_CLOCKS.
bool game_clock(const Game *g, int32_t id, int32_t *seconds);   // left to the side that has just moved
bool game_elapsed(const Game *g, int32_t id, int32_t *seconds); // that it took for the move
bool game_eval(const Game *g, int32_t id, int32_t *centipawns); // from White's side; mate in n: 100000 - n

// Reads the commands in the comment between the pointers, which is not normalised, into *clocks.
void clocks_read(NoteClocks *clocks, const char *comment, const char *end);

// The result as written: "*", "1-0", "0-1", "1/2-1/2", "0-0".
Text game_result_text(const Game *g);
const char *result_text(int result); // of RESULT_: "1-0", "0-1", "1/2-1/2", "*"

// The complete FEN of the starting position (empty when the game starts from the standard position). Owned by
// the game; valid after game_parse_tags.
Text game_start_fen(const Game *g);

// ---- output -----------------------------------------------------------------------------------------------

// The form of written games. All zero: that of CQL 6 (language reference 10.2); the others are those of CQLi's options
// (13.20).
typedef struct PgnForms {
    bool apart;                                           // each comment of a position in braces of its own
    bool wide_comments;                                   // a space after { and before }
    bool wide_moves;                                      // a space after a move number,
    bool split_moves;                                     // or a line break
    bool compact_variations;                              // no space after ( and before )
    bool no_comments, no_nags, no_variations, no_numbers; // leave them out
    bool number_after_nag;                                // repeat the move number of Black after a glyph
    bool no_number_after_comment;                         // do not repeat it after a comment
    bool utf8;                                            // texts that are not as UTF-8
    size_t width;                                         // the longest line; 0: 79
    const struct Regex *include,
        *exclude; // tags by their names: write only those, leave out those; NULL: any
} PgnForms;

// What a search adds to a written game (language reference 10). All fields may be NULL / 0.
typedef struct GameChanges {
    const Text *added; // by positionid of the complete tree: a comment to add after the original, or empty;
                       // its braces are written as '_'. With `apart`, 0 separates comments
    bool semicolon;    // between the original comment and the added one
    const bool *drop_comment; // by positionid: leave out the original comment
    const Tag *set_tag;       // tags replaced, added or removed, as for game_written_tags
    size_t set_tag_count;
    const PgnForms *forms; // NULL: that of CQL 6
} GameChanges;

// The value of a tag that is removed.
#define TAG_REMOVED ((Text){NULL, 0})

// All tags of the game as written, in order (language reference 10.2.1). `set_tag` replaces, adds or removes
// tags, one after another; Result and FEN are never removed. A second rating may repeat the name of the first. The array belongs
// to the game and is valid until the next call or parse.
const Tag *game_written_tags(const Game *g, const Tag *set_tag, size_t set_tag_count, size_t *count);

// Appends the game as PGN (language reference 10.2, 10.3), followed by two empty lines: all tags in order,
// and movetext with all variations. The game must have been parsed with PARSE_VARIATIONS | PARSE_NOTES. NULL
// changes: none.
void game_write_pgn(Buffer *out, const Game *g, const GameChanges *changes);

// The move that movetext writes after node `id`: a variation follows the primary move to which it is an
// alternative.
typedef struct WrittenMove {
    int32_t id; // -1: none
    int closed; // variations that end before it
    bool opens; // it begins a variation
} WrittenMove;
WrittenMove game_next_written(const Node *node, int32_t id);

// Cuts the game that game_write_pgn appended at `start` to at most `limit` bytes: it ends after a move, a
// glyph, a word of a comment or a variation; then open variations and comments are closed and the result
// follows. Tags are never cut, even if they alone are longer. Returns true when the game was longer.
bool game_cut_pgn(Buffer *out, size_t start, size_t limit);

#endif
