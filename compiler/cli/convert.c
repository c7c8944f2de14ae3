// `cqlgen convert`: a query of another dialect as CQL 6.2.
#include <string.h>

#include "runtime/search/search.h"
#include "compiler/editor/format.h"
#include "cli.h"
#include "signals.h"

typedef struct Conversion {
    Compiled compiled;
    const Arguments *arguments;
    const CompileOptions *options;
    const char *text; // the result; NULL after messages
} Conversion;

static void convert(void *user)
{
    Conversion *v = user;
    if (compile_read_one(&v->compiled, v->arguments, v->options))
        v->text = format_compiled(&v->compiled, v->options);
}

int command_convert(int count, char **argument)
{
    Arguments a;
    if (!read_arguments(&a, COMMAND_CONVERT, NULL, NULL, count, argument))
        return STATUS_QUERY;
    Account account = {0};
    const CompileOptions options = compile_options(&a, &account);
    Conversion v = {.arguments = &a, .options = &options};
    limit_begin(a.low[OPTION_MAX_SECONDS]);
    if (!compile_within(&options, query_name(&a), convert, &v))
        return STATUS_QUERY;
    limit_end();
    const char *output = a.value[OPTION_OUTPUT] ? a.value[OPTION_OUTPUT] : "-";
    const int status = !v.text                                      ? STATUS_QUERY
                       : write_file(output, v.text, strlen(v.text)) ? STATUS_OK
                                                                    : STATUS_OUTPUT;
    compiled_free(&v.compiled);
    return status;
}
