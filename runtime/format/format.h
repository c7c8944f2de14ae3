// Writing matching games in each format (formats.def).
//
// A result consists of the output of format_begin, of format_game for each matching game, and of format_end.
// A FORMAT_PAGE has parts instead, such as a table of all games and their diagrams: page_next and page_add put the outputs of the
// games into each of them.
#ifndef CQL_FORMAT_FORMAT_H
#define CQL_FORMAT_FORMAT_H

#include "runtime/match/run.h"
#include "fields.h"
#include "page.h"
#include "totals.h"

enum { PAGE_GAMES = 5000 }; // the limit of a FORMAT_PAGE: browsers struggle with more

enum {
    FORMAT_GAME = 1,
    FORMAT_SORTED = 2,
    FORMAT_LOG = 4,
    FORMAT_HEADER = 8,
    FORMAT_PAGE = 16,
    FORMAT_FIELDS = 32,
    FORMAT_GROUPS = 64,
    FORMAT_TABLES = 128,
    FORMAT_BEST = 256,
    FORMAT_GROUPED = 512,
    FORMAT_SHOWN = 1024
};

typedef struct FormatInfo {
    const char *name;
    const char *ending; // of file names, or NULL
    unsigned flags;     // FORMAT_
    const char *help;
} FormatInfo;
extern const FormatInfo format_info[FORMAT_COUNT_];

// The format with this name, or for this file name by its ending, before one that compresses; FORMAT_COUNT_: none.
SearchFormat format_by_name(const char *name);
SearchFormat format_by_file(const char *file);

// False when the file name has no ending but one that compresses.
bool format_has_ending(const char *file);

// What one query found in a game.
typedef struct Found {
    const QueryInfo *query;
    const RunResult *result; // matched
} Found;

// A game that some query found.
typedef struct FoundGame {
    const Matcher *matcher;
    const char *input; // name of its file
    bool several_inputs;
    int64_t number;
    int64_t number_in_file;
    int64_t offset;          // of its first byte in the decompressed file; -1: it comes from a database
    const FieldList *fields; // of tables and objects; NULL: those of the format
    int context;             // moves to show before and after a position; 0: none
    bool csv_safe;           // csv and tsv: mark texts that a spreadsheet would take for formulas
    int width;               // of the terminal; 0: there is none
    Game *game;              // the whole tree and its notes; NULL without FORMAT_GAME
    const Found *found;      // for each query that found it, in order
    size_t count;
    bool repeat_comments;  // add a comment even if the position already has it
    const PgnForms *forms; // of the format pgn; NULL: that of CQL 6
    PageOptions page;
    uint32_t section; // of a page with one for each query: 1 + the number of the query; 0: all queries
} FoundGame;

// The whole search, for the text before and after the games. The numbers are those at the end of the search;
// in format_begin they are 0.
typedef struct FormatSearch {
    const Matcher *matcher;
    const SearchTotals *totals;
    const QueryTotals *query; // by query
    int64_t written;          // games in the result
    size_t input_count;
    const char *const *input;
    const FieldList *fields; // as in FoundGame
    int context;
    bool csv_safe;
    int width;
    PageOptions page;
} FormatSearch;

// A position of the game being written.
typedef struct FoundPosition {
    int32_t halfmove; // halfmove clock
    bool hit;         // some query found it
    bool move_found;  // some query's move filters found the move that leads there
    bool diagram;     // it has a diagram (set by the HTML writer)
} FoundPosition;

// A text of a log, before the texts of a position are joined.
typedef struct FoundEntry {
    const LogEntry *entry;
    size_t order;
    bool repeated; // its position already has the text
} FoundEntry;

// Reusable memory of a writer, one for each thread, initialised to zero. Arrays are by positionid of the game
// being written.
typedef struct FormatMemory {
    Text *added; // comments that the search adds (language reference 10.3)
    bool *drop;  // leave out the original comment
    bool any_drop;
    FoundPosition *position;
    size_t position_capacity;
    FoundEntry *entry; // by position, then in the order of the logs
    size_t entry_count, entry_capacity;
    Tag *set_tag; // set by the queries
    size_t set_tag_count, set_tag_capacity;
    const Tag *tag; // of the game, as written; owned by the game
    size_t tag_count;
    const char *between; // separator of two comments of one position
    Buffer text, comment, value, json;
} FormatMemory;
void format_memory_free(FormatMemory *m);

void format_begin(SearchFormat format, Buffer *out, const FormatSearch *search);
void format_game(SearchFormat format, Buffer *out, const FoundGame *game, FormatMemory *memory);
void format_end(SearchFormat format, Buffer *out, const FormatSearch *search);

// A FORMAT_PAGE while it is put together, from {.search = ...}.
typedef struct PageState {
    const FormatSearch *search;
    int next;      // number of the next part
    int64_t games; // or diagrams, of this part
    int64_t task;  // number of the last diagram of a quiz or worksheet
} PageState;

// Ends one part of the page and begins the next; false after the end of the page, which it writes.
bool page_next(PageState *page, Buffer *out);

// Adds to this part what belongs there of the output of a game.
void page_add(PageState *page, Buffer *out, const char *game, size_t length);

// Does the page have a section for each query, in which a game of several queries is found again?
bool page_by_query(const PageOptions *page, const Matcher *matcher);

#endif
