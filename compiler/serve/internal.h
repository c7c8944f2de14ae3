// What the files of the server share.
#ifndef CQL_SERVE_INTERNAL_H
#define CQL_SERVE_INTERNAL_H

#include <civetweb.h>
#include <pthread.h>

#include "runtime/value/buffer.h"
#include "serve.h"

// A file of games.
typedef struct ServedFile {
    const char *input; // as on the command line
    char *path, *name; // the same in UTF-8; without folders, unique
} ServedFile;

typedef struct Server {
    const ServeOptions *options;
    struct mg_context *context;
    int port;
    char *token;
    ServedFile *file; // options->input_count of them
    pthread_mutex_t mutex;
    pthread_cond_t changed; // searches that run
    int most;               // of them
    int running, admitted;  // admitted: those that run or wait
    int stop;               // descriptor that can be read when the server ends
    int nothing;            // /dev/null
    char failure[256];      // what CivetWeb has said
} Server;

typedef struct Request {
    Server *server;
    struct mg_connection *connection;
    const struct mg_request_info *info;
    const char *path;
    json_t *member; // by name
    int socket;     // of the connection; -1: unknown
    bool answered;  // the head of the answer is sent
    bool gone;      // the client has closed the connection, or the server ends
    bool admitted, running;
} Request;

// ---- request ----------------------------------------------------------------------------------------------
// Checks Host, Origin and the token; false after an answer.
bool request_is_allowed(Request *r);

// The value of a header, or "".
const char *request_header(const Request *r, const char *name);

// Has the client closed the connection, or does the server end? Waits up to `milliseconds` for that.
bool request_is_gone(Request *r, int milliseconds);

// Sends bytes; false when the client has gone. While the client is slow, another search may run.
bool request_send(Request *r, const void *bytes, size_t length);

// Sends the head of an answer without a length, which the end of the connection ends. `more`: other headers, each with its line end. `policy`: the
// content security policy, NULL: nothing is allowed.
bool request_begin(Request *r, int status, const char *type, const char *policy, const char *more);

// Answers with a text, or with JSON, whose reference it takes.
void request_answer(Request *r, const char *type, const char *policy, const char *text, size_t length);
void request_answer_json(Request *r, json_t *json);

// Answers with an error unless the head is sent; member NULL: of no member. Returns false.
bool request_fail(Request *r, int status, const char *member, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

// `size` - 1 random hexadecimal digits.
void random_text(char *text, size_t size);

// ---- members ----------------------------------------------------------------------------------------------
// Reads the members of a request, from its parameters or its body; false after an answer.
bool members_read(Request *r);

// A member that has the right kind, as members_read has checked; NULL, 0 and `missing` when it is absent.
const char *member_text(const Request *r, const char *name);
int64_t member_number(const Request *r, const char *name);
bool member_is(const Request *r, const char *name, bool missing);
const char *member_query(const Request *r);

// ---- command ----------------------------------------------------------------------------------------------
// A command line of this program.
typedef struct Command {
    char **word; // the last one is NULL
    bool *shown;
    size_t count;
    const char *in; // what it reads from standard input; NULL: nothing
} Command;

void command_add(Command *c, bool shown, const char *format, ...) __attribute__((format(printf, 3, 4)));

// Add an option for a member of the request that is there: with its text or its number, or a flag, of which `no` (or NULL) is the
// option that says false. command_add_text returns false after an error.
bool command_add_text(Command *c, Request *r, const char *member, const char *option);
void command_add_number(Command *c, const Request *r, const char *member, const char *option);
void command_add_flag(Command *c, const Request *r, const char *member, const char *yes, const char *no);
void command_free(Command *c);

typedef enum CommandKind { COMMAND_OF_GAMES, COMMAND_OF_GROUPS, COMMAND_OF_MOVES } CommandKind;

// The command that the members ask for, with the budgets of the server; the query is `query`. Writes `format` to standard output. False
// after an answer.
bool command_make(Command *c, Request *r, CommandKind kind, const char *query, const char *format);

// What to type in a shell; for free().
char *command_text(const Command *c);

// ---- queue ------------------------------------------------------------------------------------------------
// Lets the request wait for its turn; false after an answer: too many wait.
bool queue_enter(Request *r);

// Waits for its turn; false when the client has gone.
bool queue_wait(Request *r);

// Gives its turn to another search, until it waits again.
void queue_pause(Request *r);

void queue_leave(Request *r);

// ---- run --------------------------------------------------------------------------------------------------
enum { MOST_MEMORY = 64 }; // MB of an answer that is sent as a whole

// Gets what a search writes; false: it is ended.
typedef struct Reader {
    void *user;
    int64_t most; // MB of output; 0: --max-output
    bool (*output)(void *user, const char *bytes, size_t length);
    bool (*report)(void *user, const char *event, json_t *line); // a line of --report json without its event
} Reader;

typedef enum RunEnd {
    RUN_COMPLETE,
    RUN_FAILED, // to start, or by a signal
    RUN_GONE,   // the client, or a function of the reader has returned false
    RUN_LARGE,  // its output has more than the server or the reader takes
    RUN_LATE    // it did not keep --max-seconds
} RunEnd;

// The MB of output that end a search.
int64_t run_most_output(const Request *r, const Reader *reader);

// Runs a search to its end, when its turn has come. *status: its exit status.
RunEnd run_command(Request *r, const Command *c, const Reader *reader, int *status);

// ---- answers ----------------------------------------------------------------------------------------------
void answer_search(Request *r);  // events
void answer_count(Request *r);   // events
void answer_explore(Request *r); // events
void answer_page_of_games(Request *r);
void answer_export(Request *r);
void answer_game(Request *r, int64_t number);
void answer_page(Request *r);
void answer_databases(Request *r);
void answer_check(Request *r);
void answer_complete(Request *r);
void answer_help(Request *r, const char *word);
void answer_format(Request *r);
void answer_examples(Request *r);

#endif
