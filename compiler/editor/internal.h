// What the files that answer editors share.
#ifndef CQL_EDITOR_INTERNAL_H
#define CQL_EDITOR_INTERNAL_H

#include "editor.h"

#ifdef CQL_HAS_JSON
#include <stdbool.h>

#include "compiler/api/compile.h"

// A query in an editor.
typedef struct EditorQuery {
    const char *text, *dialect; // dialect NULL: it is detected
    bool is_file;               // must have a header; otherwise filters alone will do
    bool bytes;                 // characters of positions are bytes, not UTF-16 units
} EditorQuery;

// ---- positions (position.c) -------------------------------------------------------------------------------
// A text, and the place in it that was looked at last. Lines end as in the protocol: LF, CR LF or CR.
typedef struct EditorText {
    const char *start;
    size_t length;
    bool bytes;
    size_t at;           // the place: an offset,
    int line, character; // and its position
} EditorText;

EditorText editor_text(const EditorQuery *query);
// The range of a span; the ends are put inside the text.
json_t *editor_range(EditorText *text, size_t start, size_t end);
// Returns the byte offset of a position, or the nearest offset for a position outside the text.
size_t editor_offset(EditorText *text, int line, int character);

// ---- reading a query (work.c) -----------------------------------------------------------------------------
// Runs `work`, which may call the stages of compilation, in a thread with a large stack and limits on memory and time. The caller sets
// `user` and, to see messages, `show` and `fail` in the options. Frees *compiled afterwards. Returns false when memory runs out.
typedef void EditorWork(Compiled *compiled, const CompileOptions *options);
bool editor_work(const EditorQuery *query, CompileOptions options, EditorWork *work);

// compile_read of the query: as a file, or as filters where it has no header.
bool editor_read(Compiled *compiled, const EditorQuery *query, const CompileOptions *options);

// A string of JSON; bytes that are not UTF-8 are read as Latin-1.
json_t *editor_string(const char *text, size_t length);

// ---- answers ----------------------------------------------------------------------------------------------
json_t *check_query(const EditorQuery *query);
json_t *complete_query(const EditorQuery *query, int line, int character);
json_t *format_query(const EditorQuery *query);

// What a query defines: variables, dictionaries, functions.
typedef struct Definition {
    const char *name;
    size_t length;
    bool is_function;
    size_t start; // offset of the name where it is first defined
} Definition;
// Finds the definitions in a text that may be broken; each name once. *count: how many. Freed with free().
Definition *editor_definitions(const char *text, size_t length, size_t *count);

// Where the text from the beginning up to an offset ends: in filters, a comment or a string; *start: where that begins.
typedef enum EditorScope { SCOPE_FILTERS, SCOPE_COMMENT, SCOPE_STRING } EditorScope;
EditorScope editor_scope(const char *text, size_t length, size_t offset, size_t *start);

// The word around an offset; empty when there is none. `colons`: words may have a colon before them.
Span editor_word(const char *text, size_t length, size_t offset, bool colons);

// ---- frames of the protocol (frames.c) --------------------------------------------------------------------
enum { FRAME_MOST = 32 << 20 }; // bytes; longer ones are skipped

// The input, and the last frame that was read from it. Zero-initialised but for `in`; `bytes` is freed with free().
typedef struct FrameReader {
    int in;
    char *bytes;
    size_t capacity, count, at; // what has been read, and what of it has been taken
    const char *body;           // of the frame, until the next one is read
    size_t length;
} FrameReader;

typedef enum FrameStatus { FRAME_READ, FRAME_TOO_LONG, FRAME_END } FrameStatus;

// Reads the next frame; what is not one is skipped.
FrameStatus frame_read(FrameReader *r);
// True when the next bytes, or the end, are there.
bool frame_is_waiting(const FrameReader *r);
// False when it cannot be written.
bool frame_write(int out, const json_t *message);

#endif

#endif
