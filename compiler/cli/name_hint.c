// What is said after a search that found nothing, when names of players are written otherwise in the games than in the query.
#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#include "runtime/database/database.h"
#include "runtime/search/input.h"
#include "runtime/value/strings.h"
#include "runtime/value/terminal.h"
#include "runtime/value/unicode.h"
#include "cli.h"
#include "searching.h"

enum { MOST_PGN = 64 << 20 }; // bytes of PGN that are read again: less than a second

// The names that a query looks for, and one of the games that is like them.
typedef struct NameHint {
    const char *wanted; // of `player "TEXT"`
    size_t length;
    Buffer folded, name, like; // like: the first name that contains it but for case and accents
    bool there;                // a name contains it: that is not why nothing was found
} NameHint;

static bool note_wanted(const Ast *node, void *user)
{
    NameHint *h = user;
    if (node->op != OP_PLAYER || node->type != TYPE_BOOL || node->text == NULL)
        return false;
    h->wanted = node->text;
    h->length = node->text_length;
    return true;
}

// Looks at a name of the games. Returns true when no other name matters.
static bool look_at(NameHint *h, Text name)
{
    h->there = h->there || string_find(name.start, name.length, h->wanted, h->length) != NULL;
    if (h->there || h->like.length > 0)
        return h->there;
    h->name.length = 0;
    unicode_append_folded(&h->name, name.start, name.length);
    if (string_find(h->name.start, h->name.length, h->folded.start, h->folded.length))
        buffer_append(&h->like, name.start, name.length);
    return false;
}

static void look_at_database(NameHint *h, Database *d)
{
    NameList list = {0};
    if (database_names(d, COLUMN_WHITE, &list))
        for (size_t id = 0; id < list.count; id++)
            if (list.place[id].length > 0 &&
                look_at(h, (Text){list.text.start + list.place[id].start, list.place[id].length}))
                break;
    name_list_free(&list);
}

// False when it has more than MOST_PGN bytes.
static bool look_at_pgn(NameHint *h, InputFile *file)
{
    PgnSplitter *splitter = pgn_split_open(input_read, file, NULL, NULL);
    GameText text;
    Game game;
    game_init(&game);
    while (!h->there && pgn_split_bytes(splitter) <= MOST_PGN && pgn_split_next(splitter, &text)) {
        game_parse_tags(&game, &text);
        const TagRoster *roster = game_roster(&game);
        if (!look_at(h, roster->white))
            look_at(h, roster->black);
    }
    const bool all = pgn_split_bytes(splitter) <= MOST_PGN;
    game_free(&game);
    pgn_split_close(splitter);
    return all;
}

// Looks at all inputs that can be read again soon; false when there is another one.
static bool look_at_inputs(NameHint *h, const SearchOptions *search)
{
    int64_t bytes = 0;
    bool all = true;
    for (size_t i = 0; i < search->input_count && !h->there && all; i++) {
        struct stat status;
        all = strcmp(search->input[i], "-") != 0 && stat(search->input[i], &status) == 0 &&
              S_ISREG(status.st_mode);
        InputFile *file = all ? input_open(search->input[i], search->stop) : NULL;
        Database *d = file ? input_database(file) : NULL;
        bytes += file && !d ? status.st_size : 0;
        all = file && bytes <= MOST_PGN;
        if (d)
            look_at_database(h, d);
        else if (all)
            all = look_at_pgn(h, file);
        if (file)
            input_close(file);
    }
    return all;
}

void hint_at_names(const Queries *q, const SearchOptions *search)
{
    for (int i = 0; i < q->all.count; i++) {
        NameHint h = {0};
        const Query *query = q->all.compiled[i].query;
        if (!query || !ast_contains(query->body, note_wanted, &h))
            continue;
        unicode_append_folded(&h.folded, h.wanted, h.length);
        if (look_at_inputs(&h, search) && !h.there && h.like.length > 0)
            printf_sanitized(stderr,
                             "no player's name contains \"%s\"; \"%.*s\" does without case and accents: "
                             "player fold \"%s\"\n",
                             h.wanted, (int)h.like.length, h.like.start, h.wanted);
        buffer_free(&h.folded);
        buffer_free(&h.name);
        buffer_free(&h.like);
        return;
    }
}
