// Runs a harness on files, in their order; a file that ends the program is the last one whose name is printed.
//
// usage: replay HARNESS FILE...
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"

static const struct {
    const char *name;
    void (*run)(const uint8_t *data, size_t size);
} harnesses[] = {
#define FUZZ_ROW(name) {#name, fuzz_##name},
    FUZZ_HARNESSES(FUZZ_ROW)
#undef FUZZ_ROW
};

// The bytes end where their memory ends, so that a sanitizer sees what reads beyond them.
static uint8_t *read_file(const char *name, size_t *size)
{
    FILE *f = fopen(name, "rb");
    if (!f || fseek(f, 0, SEEK_END) != 0)
        return NULL;
    *size = (size_t)ftell(f);
    rewind(f);
    uint8_t *bytes = malloc(*size ? *size : 1);
    const size_t got = bytes ? fread(bytes, 1, *size, f) : 0;
    fclose(f);
    if (bytes && got == *size)
        return bytes;
    free(bytes);
    return NULL;
}

int main(int count, char **argument)
{
    size_t h = 0;
    const size_t harness_count = sizeof harnesses / sizeof *harnesses;
    while (count > 1 && h < harness_count && strcmp(argument[1], harnesses[h].name) != 0)
        h++;
    if (count < 2 || h == harness_count) {
        fputs("usage: replay HARNESS FILE...\nharnesses:", stderr);
        for (h = 0; h < harness_count; h++)
            fprintf(stderr, " %s", harnesses[h].name);
        fputs("\n", stderr);
        return 2;
    }
    FILE *out = stdout;
    for (int i = 2; i < count; i++) {
        size_t size = 0;
        uint8_t *bytes = read_file(argument[i], &size);
        if (!bytes) {
            fprintf(stderr, "replay: cannot read %s\n", argument[i]);
            return 2;
        }
        fprintf(out, "%s\n", argument[i]);
        fflush(out);
        harnesses[h].run(bytes, size);
        free(bytes);
    }
    fprintf(out, "%d passed\n", count - 2);
    return 0;
}
