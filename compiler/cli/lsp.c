// `cqlgen lsp`: the language server on standard input and output.
#include <unistd.h>

#include "cli.h"
#include "compiler/editor/lsp.h"
#include "runtime/search/search.h"

int command_lsp(int count, char **argument)
{
    Arguments a;
    if (!read_arguments(&a, COMMAND_LSP, NULL, NULL, count, argument))
        return STATUS_QUERY;
    if (a.word_count > 0) {
        complain(NULL, "`cqlgen lsp` takes no file: the editor that starts it sends the queries");
        return STATUS_QUERY;
    }
    if (!lsp_is_built()) {
        complain(
            NULL,
            "this cqlgen was built without its language server; install libjansson-dev and build it again");
        return STATUS_QUERY;
    }
    return lsp_serve(STDIN_FILENO, STDOUT_FILENO) ? STATUS_OK : STATUS_NO_MATCH;
}
