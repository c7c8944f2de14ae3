// `cqlgen serve`: an HTTP server on which a page in the browser, or another program, searches games (docs/serve.md).
//
// The files of this room, lowest first: child, request, members, command, queue, run, whole, events, tools, serve.
#ifndef CQL_SERVE_H
#define CQL_SERVE_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct ServeOptions {
    const char *address;      // to listen on: an IP address
    int port;                 // 0: any free one
    const char *token;        // that each request needs; NULL: a random one
    bool browser;             // open one
    int64_t max_seconds;      // of a search
    int64_t max_memory;       // of a search, in MB; 0: as `cqlgen search`
    int64_t max_output;       // of one answer, in MB
    int64_t threads;          // of a search; 0: as `cqlgen search`
    const char *const *input; // files of games
    size_t input_count;
    json_t *examples; // the answer of /examples; the caller's
} ServeOptions;

enum { SERVE_LEAST_TOKEN = 16 }; // characters of ServeOptions.token

// Serves until SIGINT, SIGTERM or SIGHUP, and ends all searches then. Prints the address of the page on standard output. Returns a
// STATUS_ (search.h), after a message unless it is STATUS_OK.
int serve_run(const ServeOptions *options);

#endif
