// Compiled queries of the library.
#ifndef CQL_API_QUERY_H
#define CQL_API_QUERY_H

#include <pthread.h>
#include <stdatomic.h>

#include "compile.h"
#include "compiler/back/engine.h"
#include "cqlgen.h"
#include "runtime/format/groups.h"
#include "runtime/value/account.h"

struct CqlQuery {
    atomic_int references; // the caller's, and one of each search
    Account account;       // of compiling
    Compiled *compiled;    // none after cql_load
    Module **module;
    int count;
    Engine engine;
    EngineOptions engine_options;
    char *cc; // of engine_options
    bool may_upgrade;
    bool squares;
    GroupSpec spec;        // count 0: none
    char *among, *player;  // of spec
    bool measures;         // the caller has named the measures of spec
    atomic_flag upgrading; // a search waits for a faster matcher
    pthread_mutex_t hosts_mutex;
    struct Host *hosts; // of cql_match_fen and cql_match_game (match.c): those that are not in use
};

CqlQuery *query_keep(CqlQuery *query);
void query_release(CqlQuery *query);

// Frees the hosts of a query that is about to be freed.
void hosts_free(CqlQuery *query);

// A thread for the library: no signal of the program is handled there. Returns 0 or an error number.
int thread_start(pthread_t *id, size_t stack, void *(*function)(void *), void *user);

#endif
