// Games: the PGN reader, the game tree, tags, comments and glyphs, and the PGN writer (language reference 9,
// 10, 6.1).
//
// Reading has two steps, so that threads can share the work:
//   1. PgnSplitter finds where games begin and end in a stream (fast; resolves no move);
//   2. game_parse reads one game from its text: tags, tree, comments.
// Nothing that stands in a file ends the run: damage is reported to a callback and what can be read is kept.
#ifndef CQL_GAME_H
#define CQL_GAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "runtime/chess/chess.h"
#include "runtime/value/buffer.h"
#include "view.h"

// A piece of text that somebody else owns (not NUL-terminated).
typedef struct Text {
    const char *start;
    size_t length;
} Text;

// ---- input ------------------------------------------------------------------------------------------------

// The text of one game in the input.
typedef struct GameText {
    Text text; // from the first byte of the tag section (or of the movetext) to the end of the game, without
               // white space behind it; of a game that an unterminated comment breaks off, up to its '{'
    uint64_t line;   // line number of its first byte, from 1
    uint64_t offset; // byte offset of its first byte in the (decompressed) input
    int64_t number;  // game number, from 1
} GameText;

// A message about damaged input. `line` is 1-based in the file, `game` 0 when outside any game.
typedef void ReportFn(void *user, uint64_t line, int64_t game, const char *message);

// A source of bytes: returns the number of bytes read into buffer (0 at the end, -1 on an error).
typedef int64_t ReadFn(void *user, void *buffer, size_t size);

// Splits a byte stream into games (language reference 9.1-9.4). Memory is bounded by the largest game, and
// after an unterminated comment by some 100 MB: a comment that is longer than 32 MB and holds a tag line
// counts as unterminated even when a closing brace would follow.
typedef struct PgnSplitter PgnSplitter;

// Neither function is owned; both are called during pgn_split_next and pgn_split_block only. NULL report:
// silent. The splitter reports only what stands outside games (game 0); game_parse reports the rest.
PgnSplitter *pgn_split_open(ReadFn *read, void *read_user, ReportFn *report, void *report_user);

// Finds the next game. The text stays valid until the next call. Returns false at the end of the input or
// after a read error (pgn_split_error tells).
bool pgn_split_next(PgnSplitter *s, GameText *game);

// Collects whole games into one block that the caller owns and may hand to another thread: at least one game,
// then more until about `target` bytes are reached. Returns false at the end of the input or after a read
// error. The block's texts stay valid until pgn_block_free. Calls may be mixed with pgn_split_next.
typedef struct PgnBlock {
    char *memory;
    GameText *game;
    size_t count;
} PgnBlock;
bool pgn_split_block(PgnSplitter *s, size_t target, PgnBlock *block);
void pgn_block_free(PgnBlock *block);

// The text of the read error, or NULL.
const char *pgn_split_error(const PgnSplitter *s);
uint64_t pgn_split_bytes(const PgnSplitter *s); // bytes consumed so far
void pgn_split_close(PgnSplitter *s);

// ---- tags -------------------------------------------------------------------------------------------------

// One tag line, in file order, repeated names merged (the last value counts, at the place of the first).
// Rating tags without a value are left out; of those of one name the one that counts stands beside the later,
// ordinary ones.
typedef struct Tag {
    Text name;
    Text value; // as written
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

// The tags that have a normal form (language reference 9.2.1, 9.2.2). Absent texts have the values named
// there; `eco` is empty without a value.
typedef struct TagRoster {
    Text event, site, round, white, black, eco;
    char date[11], event_date[11]; // always ten characters
    int32_t year;                  // of Date, 0 when unknown
    int32_t rating[2];             // WHITE, BLACK: the rating, 0 when there is none
    uint8_t rating_type[2];        // enum RatingType
} TagRoster;

// ---- the game ---------------------------------------------------------------------------------------------

// Annotations of one position, by positionid. Texts are normalised (white space folded, inner braces as '_').
typedef struct Note {
    Text comment;       // empty: none
    Text start_comment; // between '(' and the first move of the variation that this position begins
    uint8_t nag_count;  // at most 7
    uint8_t nag[7];
} Note;

// One parsed game. Reused from game to game: all memory belongs to it and is recycled by the next game_parse.
typedef struct Game {
    GameView view;    // what matchers see
    const Note *note; // by positionid, or NULL when the parse was told that notes are not wanted
    GameText source;
    TagRoster roster; // valid after game_parse_tags
    const Tag *tag;   // all tags, in order
    size_t tag_count;
    bool has_fen;      // the game starts from a FEN
    bool skipped;      // its FEN describes no position: not to be searched (language reference 9.5)
    bool damaged;      // something was reported
    FenClocks clocks;  // of the starting position
    int32_t ply_count; // moves of the main line
    struct GameMemory *memory;
} Game;

enum {
    PARSE_VARIATIONS = 1,        // keep the side lines in the tree (they are always checked)
    PARSE_NOTES = 2,             // fill in `note`
    PARSE_BAD_START_STANDARD = 4 // a FEN that describes no position is dropped instead of skipping the game
};

void game_init(Game *g);
void game_free(Game *g);

// Reads the tag section only: tags, roster, and the result by the Result tag until game_parse decides. Cheap;
// lets the driver skip games before any move is decoded. Returns the offset where the movetext begins.
void game_parse_tags(Game *g, const GameText *source);

// Reads the whole game (the tags are not read again when the call before was game_parse_tags of the same
// source). Every damage is reported with the line where it stands; unknown words once a game. The texts in
// the game point into source->text, which must live as long as they are used, or into the game's memory. An
// illegal move drops the rest of the game at every level, also when it stands in a side line that is not
// kept.
void game_parse(Game *g, const GameText *source, unsigned flags, ReportFn *report, void *user);

// The value of a tag by its exact name as the filters see it (language reference 7.15, 9.6: built-in names
// are normalised, Result is view.result as text); false when it has no value.
bool game_tag(const Game *g, Text name, Text *value);

// Whether a tag's value or a comment anywhere in the game's text holds `part`, also a comment that is not
// kept (language reference 9.7.2, `cooked`). Valid from game_parse_tags on.
bool game_text_holds(const Game *g, Text part);

// The result as it is written: "*", "1-0", "0-1", "1/2-1/2".
Text game_result_text(const Game *g);

// The complete FEN of the starting position (empty text when the game starts from the array). Owned by the
// game; valid from game_parse_tags on.
Text game_start_fen(const Game *g);

// ---- output -----------------------------------------------------------------------------------------------

// What a search adds to a game that is written (language reference 10). All may be NULL / 0.
typedef struct GameChanges {
    const Text *added; // by positionid of the complete tree: text behind the original comment, or empty;
                       // braces in it are written as '_'
    bool semicolon;    // stands between the original comment and the text
    const bool *drop_comment; // by positionid: leave out the original comment
    const Tag *set_tag;       // tags replaced or added, as for game_written_tags
    size_t set_tag_count;
} GameChanges;

// All tags of the game in the order and form in which they are written (language reference 10.2.1). `set_tag`
// replaces or adds tags, in the order of their first setting; of a name that is set twice the last value
// counts. A rating beyond the first may repeat the name of the first. The array belongs to the game; valid
// until the next call or parse.
const Tag *game_written_tags(const Game *g, const Tag *set_tag, size_t set_tag_count, size_t *count);

// Appends the game, with two empty lines behind it, as PGN (language reference 10.2, 10.3): all tags in their
// order, movetext with all variations. The game must have been parsed with PARSE_VARIATIONS | PARSE_NOTES.
// NULL changes: none.
void game_write_pgn(Buffer *out, const Game *g, const GameChanges *changes);

// Cuts the game that game_write_pgn appended at `start` to at most `limit` bytes: it ends behind a move, a
// glyph, a word of a comment or a variation, then what is open is closed and the result follows. The tags
// stay whole, even if they alone are longer. Returns whether the game was longer.
bool game_cut_pgn(Buffer *out, size_t start, size_t limit);

#endif
