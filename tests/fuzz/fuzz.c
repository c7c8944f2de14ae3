// What the harnesses share.
#include "fuzz.h"

#include <ftw.h>
#include <stdarg.h>
#include <stdlib.h>
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
