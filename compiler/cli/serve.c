// `cqlgen serve`: the arguments of the server.
#include "cli.h"

#include "runtime/search/search.h"

#if __has_include(<civetweb.h>) && __has_include(<jansson.h>)
#include <arpa/inet.h>
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "compiler/serve/serve.h"
#include "examples.h"
#include "runtime/format/writers.h"

static json_t *title_of(const Example *e)
{
    Buffer title = {0};
    comment_title(&title, e->text);
    json_t *string = json_stringn(title.length > 0 ? title.start : "", title.length);
    buffer_free(&title);
    return string;
}

// The answer of /examples.
static json_t *list_examples(void)
{
    json_t *subjects = json_array(), *list = NULL;
    for (int i = 0; i < example_count; i++) {
        const Example *e = &example_list[i];
        if (i == 0 || strcmp(e->subject, example_list[i - 1].subject) != 0) {
            list = json_array();
            json_array_append_new(subjects, json_pack("{s:s, s:o}", "subject", e->subject, "examples", list));
        }
        json_array_append_new(
            list, json_pack("{s:s, s:o, s:s}", "name", e->name, "title", title_of(e), "query", e->text));
    }
    return json_pack("{s:o}", "subjects", subjects);
}

// Searches read the files again and again.
static bool check_files(const InputNames *inputs)
{
    for (size_t i = 0; i < inputs->count; i++) {
        const char *name = inputs->name[i];
        if (strcmp(name, "-") == 0)
            return complain(NULL, "standard input cannot be read for each search; name files of games");
        if (is_query_name(name) || ends_with(name, ".so"))
            return complain(NULL, "expected games, not %s; queries are written on the page", name);
        if (access(name, R_OK) != 0)
            return complain(NULL, "cannot read %s: %s", name, strerror(errno));
    }
    return inputs->count > 0 || complain(NULL, "expected games: `cqlgen serve GAMES.cqldb...`");
}

// A page in the browser has the token in its address.
static bool check_token(const char *token)
{
    static const char harmless[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_";
    return !token || (strlen(token) >= SERVE_LEAST_TOKEN && strspn(token, harmless) == strlen(token)) ||
           complain(NULL, "--token needs at least %d letters, digits, `-` or `_`", SERVE_LEAST_TOKEN);
}

static bool check_address(const char *address)
{
    unsigned char bytes[16];
    return inet_pton(AF_INET, address, bytes) == 1 || inet_pton(AF_INET6, address, bytes) == 1 ||
           complain(NULL, "--listen needs an address such as 127.0.0.1 or ::1, not `%s`", address);
}

int command_serve(int count, char **argument)
{
    Arguments a;
    InputNames inputs = {0};
    int status = STATUS_QUERY;
    if (!read_arguments(&a, COMMAND_SERVE, NULL, NULL, count, argument))
        return STATUS_QUERY;
    const char *address = a.value[OPTION_LISTEN] ? a.value[OPTION_LISTEN] : "127.0.0.1";
    if (check_token(a.value[OPTION_TOKEN]) && check_address(address)) {
        status = STATUS_INPUT;
        if (read_inputs(&inputs, &a, 0) && check_files(&inputs)) {
            json_t *examples = list_examples();
            status = serve_run(
                &(ServeOptions){.address = address,
                                .port = (int)a.low[OPTION_PORT],
                                .token = a.value[OPTION_TOKEN],
                                .browser = !a.value[OPTION_NO_BROWSER],
                                .max_seconds = a.value[OPTION_MAX_SECONDS] ? a.low[OPTION_MAX_SECONDS] : 600,
                                .max_memory = a.low[OPTION_MAX_MEMORY],
                                .max_output = a.value[OPTION_MAX_OUTPUT] ? a.low[OPTION_MAX_OUTPUT] : 1024,
                                .threads = a.low[OPTION_THREADS],
                                .input = inputs.name,
                                .input_count = inputs.count,
                                .examples = examples});
            json_decref(examples);
        }
        inputs_free(&inputs);
    }
    return status;
}

#else

int command_serve(int count, char **argument)
{
    (void)count;
    (void)argument;
    complain(
        NULL,
        "this cqlgen was built without a server: install libcivetweb-dev and libjansson-dev, and build it "
        "again");
    return STATUS_QUERY;
}

#endif
