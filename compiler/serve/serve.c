// The server: starts, leads requests to what answers them, ends.
#include "internal.h"

#include <errno.h>
#include <fcntl.h>
#include <arpa/inet.h>
#include <netinet/in.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <unistd.h>

#include "runtime/search/search.h"
#include "runtime/value/terminal.h"
#include "runtime/value/unicode.h"

enum {
    OTHER_THREADS = 32,  // for requests that are not searches
    MOST_SEARCHES = 64,  // that wait
    STACK = 8 << 20,     // of the thread of a request: queries are read on it
    REQUEST_SECONDS = 20 // for a client to send a request
};

// ---- requests ---------------------------------------------------------------------------------------------

// The number of a path PREFIX/N; 0: it is something else.
static int64_t number_after(const char *path, const char *prefix)
{
    const size_t length = strlen(prefix);
    const char *digits = path + length;
    if (strncmp(path, prefix, length) != 0 || strspn(digits, "0123456789") != strlen(digits) ||
        strlen(digits) > 15)
        return 0;
    return atoll(digits);
}

static bool wants_page(const Request *r)
{
    const char *accept = request_header(r, "Accept");
    return strstr(accept, "text/html") && !strstr(accept, "text/event-stream");
}

static void lead(Request *r)
{
    static const struct {
        const char *path;
        void (*answer)(Request *r);
    } routes[] = {{"/", answer_page},           {"/databases", answer_databases},
                  {"/search", answer_search},   {"/count", answer_count},
                  {"/explore", answer_explore}, {"/export", answer_export},
                  {"/check", answer_check},     {"/complete", answer_complete},
                  {"/format", answer_format},   {"/examples", answer_examples}};
    static const char help[] = "/help/";
    const int64_t game = number_after(r->path, "/game/");
    if (game > 0) {
        answer_game(r, game);
    } else if (strncmp(r->path, help, sizeof help - 1) == 0) {
        answer_help(r, r->path + sizeof help - 1);
    } else if (strcmp(r->path, "/search") == 0 && wants_page(r)) {
        answer_page_of_games(r);
    } else {
        size_t i = 0, count = sizeof routes / sizeof *routes;
        while (i < count && strcmp(routes[i].path, r->path) != 0)
            i++;
        if (i < count)
            routes[i].answer(r);
        else
            request_fail(r, 404, NULL, "unknown path; docs/serve.md lists all paths");
    }
}

static bool is_method(Request *r)
{
    const char *method = r->info->request_method;
    return strcmp(method, "GET") == 0 || strcmp(method, "POST") == 0 ||
           request_fail(r, 405, NULL, "expected GET or POST, not %s", method);
}

// The descriptor of the connection, which CivetWeb does not tell; -1: not found.
static int find_socket(const struct mg_request_info *info)
{
    const int most = 1024;
    for (int fd = STDERR_FILENO + 1; fd < most; fd++) {
        struct sockaddr_storage peer;
        socklen_t size = sizeof peer;
        char name[INET6_ADDRSTRLEN] = "";
        if (getpeername(fd, (struct sockaddr *)&peer, &size) != 0)
            continue;
        const bool six = peer.ss_family == AF_INET6;
        const struct sockaddr_in *four = (struct sockaddr_in *)&peer;
        const struct sockaddr_in6 *long_ = (struct sockaddr_in6 *)&peer;
        if (!six && peer.ss_family != AF_INET)
            continue;
        inet_ntop(peer.ss_family, six ? (const void *)&long_->sin6_addr : (const void *)&four->sin_addr, name,
                  sizeof name);
        if (ntohs(six ? long_->sin6_port : four->sin_port) == info->remote_port &&
            strcmp(name, info->remote_addr) == 0)
            return fd;
    }
    return -1;
}

static void *answer(void *user)
{
    Request *r = user;
    r->socket = find_socket(r->info);
    if (request_is_allowed(r) && is_method(r) && members_read(r))
        lead(r);
    json_decref(r->member);
    return NULL;
}

// The threads of CivetWeb have small stacks.
static int begin_request(struct mg_connection *connection)
{
    const struct mg_request_info *info = mg_get_request_info(connection);
    Request r = {.server = info->user_data,
                 .connection = connection,
                 .info = info,
                 .path = info->local_uri ? info->local_uri : "",
                 .socket = -1};
    pthread_attr_t attributes;
    pthread_t thread;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, STACK);
    if (pthread_create(&thread, &attributes, answer, &r) == 0)
        pthread_join(thread, NULL);
    else
        request_fail(&r, 503, NULL, "not enough memory for a request");
    pthread_attr_destroy(&attributes);
    mg_disable_connection_keep_alive(connection);
    return 1;
}

// ---- begin and end ----------------------------------------------------------------------------------------

void random_text(char *text, size_t size)
{
    unsigned char byte;
    for (size_t i = 0; i + 1 < size; i++)
        if (i % 2 == 0 && getrandom(&byte, 1, 0) != 1)
            abort();
        else
            text[i] = "0123456789abcdef"[i % 2 == 0 ? byte & 15 : byte >> 4];
    text[size - 1] = 0;
}

static int keep_message(const struct mg_connection *connection, const char *message)
{
    const struct mg_context *context = mg_get_context(connection);
    Server *s = context ? mg_get_user_data(context) : NULL;
    if (s && !s->context)
        snprintf(s->failure, sizeof s->failure, "%s", message);
    return 1;
}

// Names without folders; equal ones get a number.
static void name_files(Server *s)
{
    const ServeOptions *o = s->options;
    s->file = memory_zeroed(o->input_count, sizeof *s->file);
    for (size_t i = 0; i < o->input_count; i++) {
        Buffer path = {0};
        unicode_append(&path, o->input[i], strlen(o->input[i]) + 1);
        const char *slash = strrchr(path.start, '/'), *name = slash ? slash + 1 : path.start;
        char *unique = memory_format("%s", name);
        for (size_t other = 0, number = 2; other < i; other++) {
            if (strcmp(s->file[other].name, unique) != 0)
                continue;
            free(unique);
            unique = memory_format("%s (%zu)", name, number++);
            other = (size_t)-1; // again from the first one
        }
        s->file[i] = (ServedFile){o->input[i], path.start, unique};
    }
}

static bool start(Server *s)
{
    const ServeOptions *o = s->options;
    const bool six = strchr(o->address, ':') != NULL;
    char *ports = memory_format("%s%s%s:%d", six ? "[" : "", o->address, six ? "]" : "", o->port);
    char *threads = memory_format("%d", s->most + MOST_SEARCHES + OTHER_THREADS);
    char *time = memory_format("%d", 1000 * REQUEST_SECONDS);
    const char *const settings[] = {"listening_ports",
                                    ports,
                                    "num_threads",
                                    threads,
                                    "request_timeout_ms",
                                    time,
                                    "enable_keep_alive",
                                    "no",
                                    "linger_timeout_ms",
                                    "-1",
                                    NULL};
    const struct mg_callbacks callbacks = {.begin_request = begin_request, .log_message = keep_message};
    struct mg_server_port port = {0};
    mg_init_library(0);
    struct mg_context *context = mg_start(&callbacks, s, (const char **)settings);
    if (context && mg_get_server_ports(context, 1, &port) == 1)
        s->port = port.port;
    s->context = context;
    free(ports);
    free(threads);
    free(time);
    if (!context)
        printf_sanitized(stderr, "cqlgen: cannot listen on %s, port %d%s%s; --port N chooses another one\n",
                         o->address, o->port, *s->failure ? ": " : "", s->failure);
    return context != NULL;
}

static void open_browser(const char *address)
{
    extern char **environ;
    const char *display = getenv("DISPLAY"), *wayland = getenv("WAYLAND_DISPLAY");
    char *const words[] = {(char *)"xdg-open", (char *)(uintptr_t)address, NULL};
    posix_spawn_file_actions_t actions;
    pid_t id;
    if (!isatty(STDOUT_FILENO) || ((!display || !*display) && (!wayland || !*wayland)))
        return;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    posix_spawnp(&id, words[0], &actions, NULL, words, environ); // without one, the address is there
    posix_spawn_file_actions_destroy(&actions);
}

static void announce(const Server *s)
{
    const char *address = s->options->address;
    const bool six = strchr(address, ':') != NULL;
    const bool all = strcmp(address, "0.0.0.0") == 0 || strcmp(address, "::") == 0;
    char *page = memory_format("http://%s%s%s:%d/?token=%s", six && !all ? "[" : "",
                               all ? "localhost" : address, six && !all ? "]" : "", s->port, s->token);
    printf("%s\n", page);
    fflush(stdout);
    if (s->options->browser)
        open_browser(page);
    free(page);
}

static void end(Server *s)
{
    const uint64_t one = 1;
    if (write(s->stop, &one, sizeof one) != sizeof one) // all that wait see it
        abort();
    mg_stop(s->context);
    mg_exit_library();
}

int serve_run(const ServeOptions *options)
{
    const int processors = search_threads(0);
    Server s = {.options = options,
                .port = options->port,
                .most = processors < 2 ? 2 : processors,
                .stop = eventfd(0, EFD_CLOEXEC),
                .nothing = open("/dev/null", O_RDONLY | O_CLOEXEC),
                .mutex = PTHREAD_MUTEX_INITIALIZER,
                .changed = PTHREAD_COND_INITIALIZER};
    char token[33];
    sigset_t ends;
    int signal_number, status = STATUS_INPUT;
    random_text(token, sizeof token);
    s.token = memory_format("%s", options->token ? options->token : token);
    name_files(&s);
    sigemptyset(&ends);
    sigaddset(&ends, SIGINT);
    sigaddset(&ends, SIGTERM);
    sigaddset(&ends, SIGHUP);
    pthread_sigmask(SIG_BLOCK, &ends, NULL); // also in all threads that begin later
    if (start(&s)) {
        announce(&s);
        sigwait(&ends, &signal_number);
        end(&s);
        status = STATUS_OK;
    }
    for (size_t i = 0; i < options->input_count; i++)
        free(s.file[i].path), free(s.file[i].name);
    free(s.file);
    free(s.token);
    close(s.stop);
    close(s.nothing);
    return status;
}
