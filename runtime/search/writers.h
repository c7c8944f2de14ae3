// The writers behind format.h; see formats.def for what they write.
#ifndef CQL_SEARCH_WRITERS_H
#define CQL_SEARCH_WRITERS_H

#include "format.h"

// An object for each query that found the game: game, file, query, tags, positions (id, ply, move number,
// FEN, the move that led there as SAN and UCI, the complete comment), comments (what the search added at
// other positions), sort (the values of the sort keys, null without one).
void write_jsonl(Buffer *out, const FoundGame *g, FormatMemory *m);

// A header row with the names of the columns; the sort keys of all queries are the last.
void write_csv_header(Buffer *out, const FormatSearch *search);
void write_csv(Buffer *out, const FoundGame *g, FormatMemory *m);

// Positions that several queries found are written once.
void write_fen(Buffer *out, const FoundGame *g, FormatMemory *m);

// A self-contained page (FORMAT_PAGE): write_html_game writes the game's row of the table, which it returns
// the length of, and then its section.
void write_html_begin(Buffer *out, const FormatSearch *search);
size_t write_html_game(Buffer *out, const FoundGame *g, FormatMemory *m);
void write_html_middle(Buffer *out, const FormatSearch *search);
void write_html_end(Buffer *out);

// The movetext of a game for HTML, with links to those positions for which `diagram` is set, ids `PREFIX` ID
// (html_moves.c).
void write_html_moves(Buffer *out, const FoundGame *g, FormatMemory *m, const bool *diagram);

enum { MOST_ARROWS = 8 };

// What a diagram shows (html_board.c).
typedef struct Diagram {
    const Position *position;
    const Move *last;              // its squares are marked; NULL: none
    Bitboard squares;              // ringed
    const Move *next[MOST_ARROWS]; // drawn as arrows
    int next_count;
    const char *label; // for who cannot see it
} Diagram;

// A diagram as inline SVG, and what all diagrams of a page share.
void write_html_board(Buffer *out, const Diagram *d);
void write_html_pieces(Buffer *out);

#endif
