// Runs a harness on files, in their order; a file that ends the program is the last one whose name is printed.
//
// usage: replay HARNESS FILE...
#include <stdio.h>
#include <stdlib.h>

#include "fuzz.h"

int main(int count, char **argument)
{
    const FuzzHarness run = count > 1 ? fuzz_find(argument[1]) : NULL;
    if (!run) {
        fputs("usage: replay HARNESS FILE...\nharnesses:", stderr);
#define FUZZ_NAME(name) fputs(" " #name, stderr);
        FUZZ_HARNESSES(FUZZ_NAME)
#undef FUZZ_NAME
        fputs("\n", stderr);
        return 2;
    }
    FILE *out = stdout;
    for (int i = 2; i < count; i++) {
        size_t size = 0;
        uint8_t *bytes = fuzz_read(argument[i], &size);
        fprintf(out, "%s\n", argument[i]);
        fflush(out);
        run(bytes, size);
        free(bytes);
    }
    fprintf(out, "%d passed\n", count - 2);
    return 0;
}
