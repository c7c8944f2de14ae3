// Memory of a game: growing arrays that the next game reuses. Internal to runtime/game.
#ifndef CQL_GAME_MEMORY_H
#define CQL_GAME_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "runtime/value/memory.h"
#include "game.h"
#include "runtime/chess/variant.h"

// What the value of a tag is used for, besides being in the list of tags.
typedef enum TagUse {
    TAG_EVENT,
    TAG_SITE,
    TAG_DATE,
    TAG_ROUND,
    TAG_WHITE,
    TAG_BLACK,
    TAG_RESULT, // the tags up to here are always written, in this order
    TAG_ECO,
    TAG_EVENT_DATE,
    TAG_FEN,
    TAG_ROSTER_COUNT,              // the tags above exist at most once
    TAG_RATING = TAG_ROSTER_COUNT, // a player's rating
    TAG_VANISHED,                  // a rating that does not count and is not written
    TAG_OTHER
} TagUse;

// An open level of movetext: the game (level 0) or a variation.
typedef struct Level {
    int32_t node; // the node after the last move of the level; before the first move, the parent of that move
    int32_t node_count; // at the start of the level; a level that is not kept drops what came since
    int32_t side_count; // likewise, of side positions
    bool moved;         // a move of the level was read
    Text start_comment;
} Level;

// One of several comments of a position (notes.h).
typedef struct CommentPart {
    Text text;
    size_t before; // the number of the part before it, from 1; 0: none
} CommentPart;

// Where a move is written in the source, with or without its check mark.
typedef struct MoveText {
    size_t start, length;
} MoveText;

// A period of the tag TimeControl. Times are in hundredths of a second.
typedef struct TimePeriod {
    int32_t moves; // 0: the rest of the game
    int32_t base, increment;
} TimePeriod;

// What the comments after a ply of the main line say.
typedef struct PlyClocks {
    int32_t ply;
    NoteClocks clocks;
} PlyClocks;

// The tag of a player's rating as written.
typedef struct RatingText {
    char name[16], value[16];
} RatingText;

// What a Game keeps between games. `node` contains the nodes in text order; when the game has side lines they
// are renumbered into `ordered`.
struct GameMemory {
    Tag *tag;
    uint8_t *tag_use; // TagUse, parallel to tag
    int32_t *tag_hash;
    size_t tag_capacity, use_capacity, hash_capacity;
    size_t hash_size;                   // a power of 2; 0 while there are few tags
    int32_t place_of[TAG_ROSTER_COUNT]; // index into tag, or -1
    size_t tag_count;
    int32_t rating_tag[2]; // by colour: index of the TAG_RATING, of which there is at most one, or -1
    TagRoster roster;
    bool tags_listed;         // the fields above are those of Game.source
    bool latin;               // a tag or a comment is not UTF-8, and is read as Latin-1
    Text fen_tag, result_tag;    // the values of these tags; start: NULL if there is none
    Text variant_tag, rules_tag; // the same, as they are written; start: NULL if there is none that says something

    Tag *written; // the tags as written, with the ratings as strings
    size_t written_count, written_capacity;
    RatingText rating_text[2];

    char *text; // normalised strings; large enough for one game, so that it does not move during the reading
    size_t text_capacity, text_length;
    size_t tag_text_length; // the part of `text` that belongs to the tags

    Position *line, *side; // the main line by ply; positions of side lines
    const Position **line_pointer, **tree_pointer;
    size_t line_capacity, side_capacity;
    int32_t side_count;
    VariantPosition
        *varied; // by node in text order: the positions of a game that is read by the rules of a variant
    size_t varied_capacity;

    Node *node, *ordered;
    int32_t *place; // by node in text order: ply in `line`, or ~index in `side`
    int32_t *id;    // by node in text order: positionid
    Note *note, *ordered_note;
    size_t node_capacity, place_capacity, note_capacity;
    size_t ordered_capacity, id_capacity, pointer_capacity, ordered_note_capacity;

    Level *level;
    size_t level_capacity;
    CommentPart *part; // of comments that are not joined yet
    size_t part_count, part_capacity;

    MoveText *move_text;            // of the main line, with PARSE_MOVE_TEXTS; has line_capacity elements
    size_t read;                    // offset in the source of the end of the movetext that was read
    bool has_variations, has_notes; // that movetext has variations; comments or glyphs

    TimePeriod period[4]; // of TimeControl, when `periods` is set
    int periods;          // their number; -1: not read yet

    PlyClocks *ply_clocks; // of a game that was packed, in order
    size_t ply_clock_count, ply_clock_capacity;
    NoteClocks *clock_values; // by ply: what game_clock_values has read
    size_t clock_value_capacity;

    size_t movetext;       // offset of the movetext in the source
    bool tags_read;        // the tags are those of Game.source, and no movetext has been read since
    const char *fen_error; // what is wrong with the FEN tag, or NULL
    Position start;
    VariantPosition varied_start; // of a game of a variant; `start` is its board
    char fen[FEN_MAX];
    int fen_length;
};

// Returns room for a normalised string of at most `length` bytes; the caller adds the length it uses to
// m->text_length.
char *game_text_room(struct GameMemory *m, size_t length);

// Is the game read by the rules of a variant?
static inline bool game_is_varied(const Game *g)
{
    return g->by_variant && g->variant != VARIANT_STANDARD && g->variant != VARIANT_FOREIGN;
}

// Reads the tags of g->source into g (tags.c).
void game_read_tags(Game *g);

// The position of a node in text order.
static inline Position *position_of(const struct GameMemory *m, int32_t node)
{
    int32_t place = m->place[node];
    return place >= 0 ? &m->line[place] : &m->side[~place];
}

// Makes the tree of a game of its nodes in text order (tree.c): `line_count` of the main line, the others of side lines. `varied`: the positions are in m->varied.
void tree_finish(Game *g, int32_t nodes, int32_t line_count, bool notes, bool varied);

#endif
