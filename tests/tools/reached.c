// What the build of mutants.py that is traced (-fsanitize-coverage=trace-pc) runs: each basic block sets a byte of the file CQLGEN_TRACE, at
// the offset of its address in the library.
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

extern const char __ehdr_start[] __attribute__((visibility("hidden")));
static unsigned char early[1 << 24]; // what constructors reach before the file is open
static unsigned char *map = early;
static uintptr_t size = sizeof early;

void __sanitizer_cov_trace_pc(void);

void __sanitizer_cov_trace_pc(void)
{
    const uintptr_t at = (uintptr_t)__builtin_return_address(0) - (uintptr_t)__ehdr_start;
    if (at < size)
        map[at] = 1;
}

__attribute__((constructor)) static void open_map(void)
{
    const char *path = getenv("CQLGEN_TRACE");
    const int fd = path ? open(path, O_RDWR | O_CLOEXEC) : -1;
    struct stat st;
    size = 0;
    if (fd >= 0 && fstat(fd, &st) == 0) {
        map = mmap(NULL, st.st_size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
        size = map == MAP_FAILED ? 0 : st.st_size;
        for (uintptr_t i = 0; i < size && i < sizeof early; i++)
            map[i] |= early[i];
    }
    if (fd >= 0)
        close(fd);
}
