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

// A game of a self-contained page (FORMAT_PAGE), for each query that has a section of its own (html_game.c, html_task.c): pieces,
// each of which begins with PIECE_BEGIN, the number of its section and whether it is a first or a second one, and a comma.
void write_html_game(Buffer *out, const FoundGame *g, FormatMemory *m);
void begin_html_piece(Buffer *out, const FoundGame *g, bool second);

// Control characters, which no text of a page contains. PIECE_NUMBER is in the place of the number of a diagram.
#define PIECE_BEGIN "\x1e"
#define PIECE_NUMBER "\x1f"

// A diagram of a quiz or worksheet, and its solution, for each matching position.
void write_html_tasks(Buffer *out, const FoundGame *g, FormatMemory *m);

// What all pages begin with: the head, with more rules for its style; then titles, numbers and inputs of the search, and its query
// if there is one.
void write_html_head(Buffer *out, const FormatSearch *search, const char *style);
void write_html_search(Buffer *out, const FormatSearch *search);

// A query, folded.
void write_html_query(Buffer *out, const QueryInfo *query);

// Was the query given as an expression (-e)?
bool html_is_expression(const QueryInfo *query);

// Appends the title of a query, which its first comment says, with backticks around words of CQL. False when it says none.
bool comment_title(Buffer *out, const char *source);

// The title of a query: what its comment says, its text, or its name; what the comment says besides, as a paragraph; the
// title of a page. Words in backticks become elements <code>, or without `elements` plain text.
void write_html_query_title(Buffer *out, const QueryInfo *query, bool elements);
void write_html_lead(Buffer *out, const QueryInfo *query);
void write_html_title(Buffer *out, const FormatSearch *search, bool elements);

// The style and the script of the page: templates/page.css and page.js.
extern const char page_style[], page_script[];

// The movetext of a game, with links to the diagrams of the positions that have one (html_moves.c). Each move is in an
// element <i>; <b> marks matching positions, <u> moves that the query finds, <time> has clocks and <data> evaluations.
void write_html_moves(Buffer *out, const FoundGame *g, FormatMemory *m);

// The same of the moves after a position, without an element around them.
void write_html_moves_after(Buffer *out, const FoundGame *g, FormatMemory *m, int32_t id);

// The same moves in the same order for the script, as the squares that change: "e2e4", "e1g1+h1f1" (castling), "e5d6-d5"
// (en passant), "e7e8=q", "--" (a null move), with variations in parentheses.
void write_html_squares(Buffer *out, const FoundGame *g);

// A comment without the commands in it ([%clk 0:05:00]), in an element <TAG class='comment'>; true when something is left.
bool write_html_comment(Buffer *out, const char *tag, Text comment);

// A number and the word for what it counts.
void write_html_count(Buffer *out, int64_t number, const char *one, const char *many);

// The result with typographic signs.
const char *typeset_result(const FoundGame *g);

// The id of the game in the page.
typedef struct HtmlId {
    char text[48];
} HtmlId;
HtmlId html_game_id(const FoundGame *g);

// The names of the players, or the number of a game without names; then, if `elo`, with ratings.
void write_html_players(Buffer *out, const FoundGame *g, const FormatMemory *m, bool elo);

// A move, with its number if it is White's or `force`.
void write_html_san(Buffer *out, const FoundGame *g, int32_t id, bool force);

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

// Who is to move, or how the game has ended: by mate, stalemate or a rule of its variant.
const char *html_status(const Position *p);

// Appends where the men are and the status, for those who do not see the diagram, and a zero byte.
void write_html_label(Buffer *out, const Position *p);

// A diagram as inline SVG, and the definitions that all diagrams of a page share.
void write_html_board(Buffer *out, const Diagram *d);
void write_html_pieces(Buffer *out);

// A diagram as a complete SVG image that leaves the look of a page around it alone. `flipped`: Black is at the bottom.
void write_svg_board(Buffer *out, const Diagram *d, bool flipped, int width);

#endif
