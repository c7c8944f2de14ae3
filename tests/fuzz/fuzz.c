// What the harnesses share.
#include "fuzz.h"

#include <ftw.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void fuzz_fail(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    dprintf(STDERR_FILENO, "fuzz: ");
    vdprintf(STDERR_FILENO, format, arguments);
    dprintf(STDERR_FILENO, "\n");
    va_end(arguments);
    abort();
}

FuzzHarness fuzz_find(const char *name)
{
#define FUZZ_ROW(harness)                                                                                    \
    if (strcmp(name, #harness) == 0)                                                                         \
        return fuzz_##harness;
    FUZZ_HARNESSES(FUZZ_ROW)
#undef FUZZ_ROW
    return NULL;
}

uint8_t *fuzz_read(const char *name, size_t *size)
{
    FILE *f = fopen(name, "rb");
    if (!f || fseek(f, 0, SEEK_END) != 0)
        fuzz_fail("cannot read %s", name);
    *size = (size_t)ftell(f);
    rewind(f);
    uint8_t *bytes = malloc(*size ? *size : 1);
    if (!bytes || fread(bytes, 1, *size, f) != *size)
        fuzz_fail("cannot read %s", name);
    fclose(f);
    return bytes;
}

int64_t fuzz_read_text(void *text, void *buffer, size_t size)
{
    FuzzText *t = text;
    size_t n = t->length - t->at;
    n = n > size ? size : n;
    n = t->step && n > t->step ? t->step : n;
    memcpy(buffer, t->text + t->at, n);
    t->at += n;
    return (int64_t)n;
}

static char folder[] = "/tmp/cqlgen-fuzz-XXXXXX";

static int remove_one(const char *name, const struct stat *status, int kind, struct FTW *ftw)
{
    (void)status, (void)kind, (void)ftw;
    return remove(name);
}

static void remove_folder(void)
{
    nftw(folder, remove_one, 8, FTW_DEPTH | FTW_PHYS);
}

const char *fuzz_folder(void)
{
    static int made;
    if (!made && !mkdtemp(folder))
        fuzz_fail("cannot make %s", folder);
    if (!made)
        atexit(remove_folder);
    made = 1;
    return folder;
}

void fuzz_write(const char *name, const char *bytes, size_t length)
{
    FILE *f = fopen(name, "wb");
    if (!f || (length > 0 && fwrite(bytes, 1, length, f) != length) || fclose(f) != 0)
        fuzz_fail("cannot write %s", name);
}

FILE *fuzz_silence(void)
{
    static FILE *nowhere;
    if (!nowhere && !(nowhere = fopen("/dev/null", "w")))
        fuzz_fail("cannot open /dev/null");
    return stdout = stderr = nowhere;
}
