// Pictures of groups: boards of numbers, lines and bars, chosen by the values of the keys. Internal to runtime/format.
#ifndef CQL_FORMAT_GROUP_PICTURE_H
#define CQL_FORMAT_GROUP_PICTURE_H

#include "runtime/value/ascii.h"
#include "groups.h"

typedef enum PictureKind {
    PICTURE_BARS,  // one for each combination of the values of all keys but `split`
    PICTURE_LINES, // over the numbers of the key `point`
    PICTURE_BOARDS // with the squares of the key `point`; when those of `split` are squares too, also their sums, and arrows
} PictureKind;

// `split`: the key that has a line or a board for each of its values, or is the colour of the bars; NO_KEY: none.
typedef struct Picture {
    PictureKind kind;
    size_t point, split;
    bool arrows;
} Picture;
enum { NO_KEY = MOST_KEYS };

// All groups of one query, and their picture.
typedef struct PictureRows {
    const GroupSpec *spec;
    const GroupRows *rows;
    const GroupRow *row;
    size_t count;
    Picture picture;
    const GroupMeasure
        *measure; // what it shows, where each of its numbers is of one group; NULL: matches, or their share
} PictureRows;

PictureRows picture_rows(const GroupSpec *spec, const GroupRows *rows, uint32_t query);

// The square that a text names; -1: none.
int picture_square(Text text);

// The number at the beginning of a year, a month (1999.07 is 1999.5), a band or a number.
double picture_number(Text text);

// The rows of which the key `only` has the value (NO_KEY: all), joined where the keys in `keys` (bits) have the same values: a
// table of texts with commas between the values; Group.game is the index of the last row. Rows without a value of `needed` (NO_KEY:
// none) or of the measure are left out.
void picture_join(GroupTable *table, const PictureRows *r, unsigned keys, size_t needed, size_t only,
                  Text value);

// What the picture shows of a group of a joined table.
double picture_value(const PictureRows *r, const Group *g);

// What follows its numbers.
const char *picture_unit(const PictureRows *r);

// Whether it counts matches: they are whole numbers, and there are none where a group is missing.
bool picture_counts(const PictureRows *r);

// Moves the groups with the most matches, in their order, to the front; returns their number.
size_t picture_keep(GroupTable *table, const PictureRows *r, size_t most);

// The values of a key that have the most matches: up to `most` of them, the greatest first.
size_t picture_largest(GroupTable *table, const PictureRows *r, size_t key, size_t needed, Text *value,
                       size_t most);

// ---- boards -----------------------------------------------------------------------------------------------

enum { MOST_BOARDS = 12, MOST_HEAT_ARROWS = 20 };

typedef struct HeatBoard {
    Text title; // in the rows, the table or the keys
    double value[64];
    struct {
        int from, to;
        double value;
    } arrow[MOST_HEAT_ARROWS]; // the greatest value first
    int arrows;                // instead of numbers in squares
} HeatBoard;

typedef struct HeatBoards {
    HeatBoard board[MOST_BOARDS];
    size_t count;
    GroupTable titles;
} HeatBoards;

void heat_boards(HeatBoards *b, const PictureRows *r);
void heat_boards_free(HeatBoards *b);

// Draws a board in a space of 376 by 376 (html_board.c).
void draw_heat_board(Buffer *out, const HeatBoard *b);

// A number as a text, and as one of at most five characters: 12.3k.
Decimal number_text(double number);
Decimal brief_number(double number);

// The colour of a share from 0 to 1 of the greatest value; false: a text on it is dark.
bool heat_colour(double share, char colour[8]);

// ---- drawing ----------------------------------------------------------------------------------------------

// The rules for the style of pages and images with pictures.
extern const char picture_style[];

// The picture of a query's groups as elements <svg> of a page, or as one complete image for all queries.
void picture_html(Buffer *out, const GroupSpec *spec, const GroupRows *rows, uint32_t query);
void picture_svg(Buffer *out, const GroupSpec *spec, const GroupRows *rows, const Matcher *matcher);

// `Games by year and eco`, as HTML.
void groups_put_title(Buffer *out, const GroupSpec *spec);

#endif
