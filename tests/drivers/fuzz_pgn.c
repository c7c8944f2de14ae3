// Damages PGN files at random and reads them: nothing may crash, leak or hang, and what must agree must
// agree (tests/tools/game_checks.h).
//
// usage: fuzz_pgn ROUNDS SEED FILE...        (build with -fsanitize=address,undefined)
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/tools/game_checks.h"

static uint64_t next_random(uint64_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state;
}

void check_failed(const char *what, const char *text, size_t length)
{
    FILE *f = fopen("fuzz_pgn.failed", "wb");
    if (f) {
        fwrite(text, 1, length, f);
        fclose(f);
    }
    fprintf(stderr, "fuzz_pgn: %s; the input is in fuzz_pgn.failed\n", what);
    puts("0 passed, 1 failed");
    exit(1);
}

// Changes a few bytes, preferring those that PGN is sensitive to.
static void damage(char *text, size_t length, uint64_t *random)
{
    static const char special[] = "{}()[]\"$;%*\n\r \0.-/!?10NO=+#e";
    size_t changes = 1 + next_random(random) % 8;
    for (size_t i = 0; i < changes && length; i++) {
        size_t at = next_random(random) % length;
        if (next_random(random) % 4)
            text[at] = special[next_random(random) % (sizeof special - 1)];
        else
            text[at] = (char)next_random(random);
    }
}

// Takes a few pieces out.
static size_t shorten(char *text, size_t length, uint64_t *random)
{
    for (int i = 0; i < 3 && length > 4; i++) {
        const size_t at = next_random(random) % (length - 1), rest = length - at;
        const size_t count = 1 + next_random(random) % (rest > 40 ? 40 : rest);
        memmove(text + at, text + at + count, rest - count);
        length -= count;
    }
    return length;
}

// Puts characters in, now and then a long row of one; `text` has room for LENGTHENED more.
enum { LONG_ROW = 300, INSERTIONS = 4, LENGTHENED = INSERTIONS * (LONG_ROW + 1) };
static size_t lengthen(char *text, size_t length, uint64_t *random)
{
    static const char special[] = "{}()[]\"$;%*\n\r \0.-/!?10NO=+#e";
    for (int i = 0; i < INSERTIONS; i++) {
        const size_t at = next_random(random) % (length + 1);
        const size_t count = 1 + (next_random(random) % 8 == 0 ? next_random(random) % LONG_ROW : 0);
        memmove(text + at + count, text + at, length - at);
        memset(text + at, special[next_random(random) % (sizeof special - 1)], count);
        length += count;
    }
    return length;
}

static char *read_file(const char *name, size_t *length)
{
    FILE *f = fopen(name, "rb");
    if (!f)
        return NULL;
    size_t capacity = 1 << 20;
    char *text = malloc(capacity);
    *length = 0;
    for (size_t n; text && (n = fread(text + *length, 1, capacity - *length, f)) > 0;) {
        *length += n;
        if (*length == capacity)
            text = realloc(text, capacity *= 2);
    }
    fclose(f);
    return text;
}

int main(int argc, char **argv)
{
    if (argc < 4) {
        fputs("usage: fuzz_pgn ROUNDS SEED FILE...\n", stderr);
        return 1;
    }
    uint64_t random = 88172645463325252u ^ strtoull(argv[2], NULL, 10);
    long passed = 0;
    GameChecks checks;
    game_checks_init(&checks);
    for (int i = 3; i < argc; i++) {
        size_t length;
        char *text = read_file(argv[i], &length), *copy;
        if (!text) {
            fprintf(stderr, "fuzz_pgn: cannot read %s\n", argv[i]);
            return 1;
        }
        check_games(&checks, text, length);
        for (long round = strtol(argv[1], NULL, 10); round-- > 0;) {
            size_t begin = length ? next_random(&random) % length : 0, rest = length - begin;
            size_t cut = rest ? next_random(&random) % (rest < 20000 ? rest : 20000) : 0;
            copy = malloc(cut + LENGTHENED);
            memcpy(copy, text + begin, cut);
            if (round % 3)
                damage(copy, cut, &random);
            if (round % 5 == 0)
                cut = shorten(copy, cut, &random);
            else if (round % 5 == 1)
                cut = lengthen(copy, cut, &random);
            check_games(&checks, copy, cut);
            passed++;
            free(copy);
        }
        free(text);
    }
    game_checks_free(&checks);
    printf("%ld passed, 0 failed\n", passed);
    return 0;
}
