// cqlgen-mpi: `cqlgen search` on all processes of an MPI job.
#include <mpi.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compiler/cli/cli.h"
#include "compiler/cli/console.h"
#include "compiler/cli/signals.h"
#include "runtime/search/search.h"
#include "runtime/value/terminal.h"
#include "leader.h"
#include "member.h"
#include "messages.h"

static const char usage[] =
    "usage: mpirun [-n RANKS] [--hostfile FILE] cqlgen-mpi search QUERY.cql... GAMES... [options]\n"
    "    search games with all processes of an MPI job; takes the options of `cqlgen search`\n";

// Rank 0 only.
static int run(int count, char **argument)
{
    if (count > 1 && strcmp(argument[1], "search") == 0)
        return lead_search(count - 2, argument + 2);
    message_ask(REQUEST_END, &(Buffer){0});
    if (count > 1 && (strcmp(argument[1], "--version") == 0 || strcmp(argument[1], "-V") == 0)) {
        printf("cqlgen-mpi %s\n", CQLGEN_VERSION);
        return STATUS_OK;
    }
    const bool asked = count > 1 && (strcmp(argument[1], "--help") == 0 || strcmp(argument[1], "-h") == 0);
    print_lines(asked ? stdout : stderr, usage, strlen(usage));
    return asked ? STATUS_OK : STATUS_QUERY;
}

// On one node the ranks use shared memory; looking for networks would take a quarter of a second. The user's choice is kept.
static void choose_transport(void)
{
    const char *all = getenv("OMPI_COMM_WORLD_SIZE"), *here = getenv("OMPI_COMM_WORLD_LOCAL_SIZE");
    if (all && here && strcmp(all, here) == 0)
        setenv("OMPI_MCA_pml", "ob1", false);
}

int main(int count, char **argument)
{
    int level;
    open_descriptors();
    choose_transport();
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN);
    signals_catch_short_files();
    MPI_Init_thread(&count, &argument, MPI_THREAD_SERIALIZED, &level);
    if (level < MPI_THREAD_SERIALIZED) {
        printf_sanitized(stderr,
                         "cqlgen-mpi: this MPI library does not support threads (MPI_THREAD_SERIALIZED)\n");
        MPI_Abort(MPI_COMM_WORLD, STATUS_QUERY);
    }
    int status = STATUS_OK;
    if (message_rank() == 0)
        status = run(count, argument);
    else
        member_run();
    if (status == STATUS_OK && !flush_output())
        status = STATUS_OUTPUT;
    MPI_Finalize();
    return status;
}
