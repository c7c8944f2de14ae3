// The writers of the formats in formats.def.
#ifndef CQL_FORMAT_WRITERS_H
#define CQL_FORMAT_WRITERS_H

#include "format.h"

// An object for each query that found the game: game, file, query, tags, positions, comments (added by the search at
// other positions), sort (the values of the sort keys; null: none). With FoundGame.fields only those, in an object for
// each matching position when one of them belongs to positions.
void write_jsonl(Buffer *out, const FoundGame *g, FormatMemory *m);

// Values that are JSON; after fields_begin.
void write_json_tags(Buffer *out, const FormatMemory *m);
void write_json_positions(Buffer *out, const FoundGame *g, FormatMemory *m, const RunResult *result);
void write_json_comments(Buffer *out, const FoundGame *g, const FormatMemory *m, const RunResult *result);

// A header row with the names of the columns, and rows: for each matching position, or for each game and query when no
// column belongs to positions.
void write_csv_header(Buffer *out, const FormatSearch *search);
void write_csv(Buffer *out, const FoundGame *g, FormatMemory *m);
void write_tsv_header(Buffer *out, const FormatSearch *search);
void write_tsv(Buffer *out, const FoundGame *g, FormatMemory *m);

// The title of the columns, and a line for each match.
void write_list_header(Buffer *out, const FormatSearch *search);
void write_list(Buffer *out, const FoundGame *g, FormatMemory *m);

// Writes the game cut to its matching positions, the moves between them, and up to FoundGame.context moves before the first
// ones and after each (excerpt.c). `changes` are those of the whole game. False when there is no matching position.
bool write_pgn_excerpt(Buffer *out, const FoundGame *g, FormatMemory *m, const GameChanges *changes);

// Writes a position that several queries found once.
void write_fen(Buffer *out, const FoundGame *g, FormatMemory *m);

// A game as tables_take reads it (tables.c).
void write_sqlite(Buffer *out, const FoundGame *g, FormatMemory *m);

// A self-contained page (FORMAT_PAGE): write_html_game writes the game's row in the table and then its
// section (html_game.c); returns the length of the row.
void write_html_begin(Buffer *out, const FormatSearch *search);
size_t write_html_game(Buffer *out, const FoundGame *g, FormatMemory *m);
void write_html_middle(Buffer *out, const FormatSearch *search);
void write_html_end(Buffer *out);

// What all pages begin with: the head, with more rules for its style; then titles, numbers, inputs and queries of the search.
void write_html_head(Buffer *out, const FormatSearch *search, const char *style);
void write_html_search(Buffer *out, const FormatSearch *search);

// The style and the script of the page: templates/page.css and page.js.
extern const char page_style[], page_script[];

// The movetext of a game, with links to the diagrams of the positions that have one (html_moves.c). Each move is in an
// element <i>; <b> marks matching positions, <u> moves that the query finds, <time> has clocks and <data> evaluations.
void write_html_moves(Buffer *out, const FoundGame *g, FormatMemory *m);

// The same moves in the same order for the script, as the squares that change: "e2e4", "e1g1+h1f1" (castling), "e5d6-d5"
// (en passant), "e7e8=q", "--" (a null move), with variations in parentheses.
void write_html_squares(Buffer *out, const FoundGame *g);

// A comment without the commands in it ([%clk 0:05:00]), in an element <TAG class='comment'>; true when something is left.
bool write_html_comment(Buffer *out, const char *tag, Text comment);

// A number and the word for what it counts.
void write_html_count(Buffer *out, int64_t number, const char *one, const char *many);

// The result with typographic signs.
const char *typeset_result(const FoundGame *g);

enum { MOST_ARROWS = 8, MOST_DRAWINGS = 64 };

// A coloured square or arrow of a comment, as in `[%csl Ga4,Rb5]` and `[%cal Gc8f5]`.
typedef struct Drawing {
    char colour;      // R, G, Y, B
    uint8_t from, to; // equal: a square
} Drawing;

// Finds the drawings of a comment; others than the first MOST_DRAWINGS are left out. Returns their number.
int html_drawings(Text comment, Drawing drawing[MOST_DRAWINGS]);

// The contents of a diagram (html_board.c).
typedef struct Diagram {
    const Position *position;
    const Move *last;              // mark its squares; NULL: none
    Bitboard squares;              // to ring
    const Move *next[MOST_ARROWS]; // drawn as arrows
    bool later[MOST_ARROWS];       // pale: it is not the next move
    int next_count;
    const Drawing *drawing; // squares and arrows of comments
    int drawing_count;
    const char *label; // for screen readers
} Diagram;

// A diagram as inline SVG, and the definitions that all diagrams of a page share.
void write_html_board(Buffer *out, const Diagram *d);
void write_html_pieces(Buffer *out);

// A diagram as a complete SVG image that leaves the look of a page around it alone. `flipped`: Black is at the bottom.
void write_svg_board(Buffer *out, const Diagram *d, bool flipped, int width);

#endif
