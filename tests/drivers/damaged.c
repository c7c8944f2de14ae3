// Damages the inputs of a harness (tests/fuzz) at random and tries them: the harness ends the program when something is
// wrong.
//
//     damaged HARNESS COPIES SEED FILE...
//
// The files are tried unchanged, then COPIES damaged pieces of them. For the harness `query` they are query files: half of the
// copies are read in some dialect, whatever they say. An input that fails is kept in the current folder as failed-N. Prints
// `N passed, N failed`.
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/fuzz/fuzz.h"
#include "tests/tools/query_mutator.h"
#include "tests/tools/random.h"

enum { SECONDS = 20, MAX_FAILURES = 200, MAX_RESIDENT_KB = 3 << 20, LONGEST_PIECE = 20000 };

typedef struct Damage {
    FuzzHarness run;
    bool queries;
    long copies, files;
    uint64_t seed;
    Text *file;
    long *next; // the case that is being tried, which the process that watches sees too
} Damage;

// ---- one case ---------------------------------------------------------------------------------------------

// The bytes that PGN is sensitive to.
static const char special[] = "{}()[]\"$;%*\n\r \0.-/!?10NO=+#e";

static void change(char *text, size_t length, uint64_t *random)
{
    for (uint32_t n = 1 + random_next(random) % 8; n > 0 && length > 0; n--) {
        const size_t at = random_next(random) % length;
        text[at] = random_next(random) % 4 ? special[random_next(random) % (sizeof special - 1)]
                                           : (char)random_next(random);
    }
}

// Takes a few pieces out.
static size_t shorten(char *text, size_t length, uint64_t *random)
{
    for (int i = 0; i < 3 && length > 4; i++) {
        const size_t at = random_next(random) % (length - 1), rest = length - at;
        const size_t count = 1 + random_next(random) % (rest > 40 ? 40 : rest);
        memmove(text + at, text + at + count, rest - count);
        length -= count;
    }
    return length;
}

// Puts characters in, now and then a long row of one; `text` has room for LENGTHENED more.
enum { LONG_ROW = 300, INSERTIONS = 4, LENGTHENED = INSERTIONS * (LONG_ROW + 1) };
static size_t lengthen(char *text, size_t length, uint64_t *random)
{
    for (int i = 0; i < INSERTIONS; i++) {
        const size_t at = random_next(random) % (length + 1);
        const size_t count = 1 + (random_next(random) % 8 == 0 ? random_next(random) % LONG_ROW : 0);
        memmove(text + at + count, text + at, length - at);
        memset(text + at, special[random_next(random) % (sizeof special - 1)], count);
        length += count;
    }
    return length;
}

static void damage(Text file, uint64_t random, Buffer *out)
{
    char piece[LONGEST_PIECE + LENGTHENED];
    const size_t begin = file.length ? random_next(&random) % file.length : 0, rest = file.length - begin;
    size_t length = rest ? random_next(&random) % (rest < LONGEST_PIECE ? rest : LONGEST_PIECE) : 0;
    memcpy(piece, file.start + begin, length);
    const uint32_t way = random_next(&random) % 15;
    if (way % 3)
        change(piece, length, &random);
    if (way % 5 == 0)
        length = shorten(piece, length, &random);
    else if (way % 5 == 1)
        length = lengthen(piece, length, &random);
    buffer_append(out, piece, length);
}

// The input of case n.
static void make_case(const Damage *d, long n, Buffer *out)
{
    const bool damaged = n >= d->files;
    const uint64_t seed = d->seed * 1000003 + (uint64_t)n, pick = seed * 0xD1B54A32D192ED03ULL;
    const Text file = d->file[damaged ? (long)((pick >> 20) % (uint64_t)d->files) : n];
    Buffer text = {0};
    out->length = 0;
    if (d->queries) { // the dialect, with libtcc, too, every fourth time without the optimiser
        const char first =
            (char)('0' + (damaged && n % 2 == 0 ? 1 + n / 2 % 5 : 0) + 8 + (n % 4 == 3 ? 16 : 0));
        buffer_append(out, &first, 1);
    }
    if (damaged && d->queries)
        mutate_query(seed, file, d->file[(pick >> 40) % (uint64_t)d->files], &text);
    else if (damaged)
        damage(file, pick | 1, &text);
    else
        buffer_append(&text, file.start, file.length);
    buffer_append(out, text.start, text.length);
    buffer_free(&text);
}

// ---- all cases --------------------------------------------------------------------------------------------

static void try_cases(const Damage *d)
{
    Buffer text = {0};
    for (; *d->next < d->files + d->copies; ++*d->next) {
        make_case(d, *d->next, &text);
        uint8_t *input = malloc(text.length ? text.length : 1); // ends where its memory ends
        if (!input)
            abort();
        memcpy(input, text.start ? text.start : "", text.length);
        alarm(SECONDS);
        d->run(input, text.length);
        alarm(0);
        free(input);
        struct rusage usage;
        if (getrusage(RUSAGE_SELF, &usage) == 0 && usage.ru_maxrss > MAX_RESIDENT_KB)
            fuzz_fail("needs more than 3 GB of memory");
    }
    buffer_free(&text);
}

static void report(const Damage *d, long n, int status)
{
    if (n >= d->files + d->copies)
        printf("exit status %d after the last case (memory not freed?)\n", WEXITSTATUS(status));
    else if (WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM)
        printf("case %ld: not ready after %d s\n", n, SECONDS);
    else
        printf("case %ld: ended with status %d, signal %d\n", n, WEXITSTATUS(status),
               WIFSIGNALED(status) ? WTERMSIG(status) : 0);
    char name[40];
    Buffer text = {0};
    make_case(d, n, &text);
    snprintf(name, sizeof name, "failed-%ld", n);
    fuzz_write(name, text.start, text.length);
    buffer_free(&text);
}

// Tries the cases in processes of their own; one that dies is replaced, beginning with the next case. How many failed.
static long watch(const Damage *d)
{
    long failed = 0;
    while (*d->next < d->files + d->copies && failed < MAX_FAILURES) {
        fflush(stdout);
        const pid_t child = fork();
        if (child == 0) {
            try_cases(d);
            exit(0); // not _exit: the leak checker runs at exit
        }
        int status = 0;
        if (child < 0 || waitpid(child, &status, 0) < 0)
            fuzz_fail("cannot start a process");
        if (status == 0)
            continue;
        failed++;
        report(d, *d->next, status);
        ++*d->next;
    }
    return failed;
}

int main(int count, char **argument)
{
    Damage d = {.run = count > 4 ? fuzz_find(argument[1]) : NULL};
    if (!d.run) {
        fputs("usage: damaged HARNESS COPIES SEED FILE...\n", stderr);
        return 2;
    }
    d.queries = strcmp(argument[1], "query") == 0;
    d.copies = strtol(argument[2], NULL, 10);
    d.seed = strtoull(argument[3], NULL, 10);
    d.files = count - 4;
    d.file = calloc((size_t)d.files, sizeof *d.file);
    d.next = mmap(NULL, sizeof *d.next, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (!d.file || d.next == MAP_FAILED)
        abort();
    for (long i = 0; i < d.files; i++)
        d.file[i].start = (const char *)fuzz_read(argument[4 + i], &d.file[i].length);
    const long failed = watch(&d);
    printf("%ld passed, %ld failed\n", *d.next - failed, failed);
    for (long i = 0; i < d.files; i++)
        free((void *)d.file[i].start);
    free(d.file);
    return failed > 0;
}
