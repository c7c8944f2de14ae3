// A library to preload that makes calls of the system fail. The variable CQLGEN_FAULT says which:
//
//   KIND:N        call N of a kind (below), and all later ones
//   KIND:N:once   call N alone
//   KIND:N:short  reads and writes: call N handles one byte
//   KIND:N:stop   the process gets the signal SIGKILL at call N
//   space:N:cut   call N, if it maps a file: the file then has no bytes any more
//   read:N:cut    before call N, if it reads a file of the current folder: half of the file is cut off
//   read:N:grow   the same: the file grows by its first bytes
//   read:N:swap   the same: its name gets another file, which has its first half
//   short:N       every read and write handles at most N bytes
//   interrupt:N   every N-th read and write fails with EINTR
//   count         no call fails; at the end of the program a line `KIND CALLS N N ...` for each kind goes to the log, in
//                 which each N is the first call from a place of the program: from another function, or for another of its callers
//
// CQLGEN_FAULT_LOG names a file for that and for the names of the functions that failed. Streams of the C library read and
// write through the functions here, too. Programs that the process starts do not fail. Writes to standard error do not
// count. A write that fails writes half of its bytes when its disk is full.
#undef _FILE_OFFSET_BITS // both names of a call are defined here
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

// The C library's own allocator under the names that stay when malloc is replaced.
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *memory, size_t size);

typedef enum Kind {
    KIND_MEMORY,
    KIND_READ,
    KIND_WRITE,
    KIND_OPEN,
    KIND_NAME,    // rename, link, unlink, folders
    KIND_SPACE,   // the length of a file, its way to the disk, maps
    KIND_STATUS,  // what is known of a file
    KIND_PROCESS, // processes and what connects them
    KIND_LOAD,
    KIND_THREAD,
    KIND_SQLITE,
    KINDS
} Kind;

static const char *const kind_name[KINDS] = {"memory", "read",    "write", "open",   "name",  "space",
                                             "status", "process", "load",  "thread", "sqlite"};
static const int kind_error[KINDS] = {ENOMEM, EIO,    ENOSPC, EMFILE, EACCES, EIO,
                                      EACCES, EAGAIN, ENOMEM, EAGAIN, 0};

typedef enum Mode {
    MODE_NONE,
    MODE_ON,
    MODE_ONCE,
    MODE_SHORT,
    MODE_STOP,
    MODE_CUT,
    MODE_GROW,
    MODE_SWAP,
    MODE_ALL_SHORT,
    MODE_INTERRUPT,
    MODE_COUNT
} Mode;

static Mode mode;
static Kind failing;
static long limit;
static atomic_long calls[KINDS], interruptible;
static char log_name[4096];

// The function of this name that comes after this library.
#define REAL(name)                                                                                           \
    (__extension__({                                                                                         \
        static __typeof__(&name) found;                                                                      \
        if (!found)                                                                                          \
            found = (__typeof__(&name))real(#name);                                                          \
        found;                                                                                               \
    }))

static void *real(const char *name)
{
    static __typeof__(&dlsym) next;
    if (!next)
        next = (__typeof__(&dlsym))dlvsym(RTLD_NEXT, "dlsym", "GLIBC_2.34");
    if (!next)
        next = (__typeof__(&dlsym))dlvsym(RTLD_NEXT, "dlsym", "GLIBC_2.2.5");
    return next(RTLD_NEXT, name);
}

static void report(const char *text)
{
    const int error = errno;
    const int fd = *log_name ? REAL(open)(log_name, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666) : -1;
    if (fd >= 0) {
        REAL(write)(fd, text, strlen(text));
        REAL(close)(fd);
    }
    errno = error;
}

// Does the call go on, but its file is changed?
static bool changes(Mode m)
{
    return m == MODE_CUT || m == MODE_GROW || m == MODE_SWAP;
}

// ---- places -----------------------------------------------------------------------------------------------

// The places from which calls came: a table by the hash of the kind and the callers.
enum { PLACES = 1 << 14, CALLERS = 8 };
static struct {
    uint64_t hash; // 0: empty
    Kind kind;
    long number; // of the first call
} place[PLACES];
static int place_count;
static pthread_mutex_t place_lock = PTHREAD_MUTEX_INITIALIZER;

__attribute__((noinline)) static void note_place(Kind kind, long number)
{
    enum { OWN = 3 }; // this function, `fails` and the function that replaces the call
    void *frame[OWN + CALLERS];
    const int count = backtrace(frame, OWN + (kind == KIND_MEMORY ? 2 : CALLERS));
    uint64_t hash = kind + 1;
    for (int i = OWN; i < count; i++)
        hash = (hash ^ (uintptr_t)frame[i]) * 0x9E3779B97F4A7C15ULL;
    hash |= 1;
    pthread_mutex_lock(&place_lock);
    size_t i = hash >> 32 & (PLACES - 1);
    while (place[i].hash && place[i].hash != hash)
        i = (i + 1) & (PLACES - 1);
    if (!place[i].hash && place_count < PLACES / 2) {
        place_count++;
        place[i].hash = hash;
        place[i].kind = kind;
        place[i].number = number;
    }
    pthread_mutex_unlock(&place_lock);
}

// ---- calls ------------------------------------------------------------------------------------------------

// True when the call fails, with errno.
__attribute__((noinline)) static bool fails(Kind kind, const char *function)
{
    if (mode == MODE_NONE)
        return false;
    const long number = atomic_fetch_add(&calls[kind], 1) + 1;
    if (mode == MODE_COUNT)
        note_place(kind, number);
    if (mode == MODE_INTERRUPT) {
        const bool may = kind == KIND_READ || kind == KIND_WRITE;
        if (!may || (atomic_fetch_add(&interruptible, 1) + 1) % limit != 0)
            return false;
        errno = EINTR;
        return true;
    }
    if (kind != failing || changes(mode) || mode == MODE_SHORT || mode == MODE_ALL_SHORT ||
        mode == MODE_COUNT || (mode == MODE_ON ? number < limit : number != limit))
        return false;
    if (number == limit) {
        report(function);
        report("\n");
    }
    if (mode == MODE_STOP)
        kill(getpid(), SIGKILL);
    errno = kind_error[kind];
    return true;
}

// How many of `length` bytes a read or write handles; it has been counted.
static size_t part(Kind kind, size_t length)
{
    if (mode == MODE_ALL_SHORT)
        return length > (size_t)limit ? (size_t)limit : length;
    const bool this =
        mode == MODE_SHORT && kind == failing && atomic_load(&calls[kind]) == limit && length > 1;
    if (this)
        report(kind == KIND_READ ? "short read\n" : "short write\n");
    return this ? 1 : length;
}

// ---- memory -----------------------------------------------------------------------------------------------

void *malloc(size_t size)
{
    return fails(KIND_MEMORY, "malloc") ? NULL : __libc_malloc(size);
}

void *calloc(size_t count, size_t size)
{
    return fails(KIND_MEMORY, "calloc") ? NULL : __libc_calloc(count, size);
}

void *realloc(void *memory, size_t size)
{
    return fails(KIND_MEMORY, "realloc") ? NULL : __libc_realloc(memory, size);
}

int posix_memalign(void **memory, size_t alignment, size_t size)
{
    return fails(KIND_MEMORY, "posix_memalign") ? ENOMEM : REAL(posix_memalign)(memory, alignment, size);
}

void *aligned_alloc(size_t alignment, size_t size)
{
    return fails(KIND_MEMORY, "aligned_alloc") ? NULL : REAL(aligned_alloc)(alignment, size);
}

void *mmap64(void *start, size_t length, int protection, int flags, int fd, off64_t offset)
{
    if (fails(fd < 0 ? KIND_MEMORY : KIND_SPACE, "mmap"))
        return MAP_FAILED;
    void *map = REAL(mmap64)(start, length, protection, flags, fd, offset);
    if (fd >= 0 && mode == MODE_CUT && failing == KIND_SPACE && atomic_load(&calls[KIND_SPACE]) == limit) {
        char name[40];
        snprintf(name, sizeof name, "/proc/self/fd/%d", fd);
        report(truncate(name, 0) == 0 ? "cut\n" : "not cut\n");
    }
    return map;
}

// ---- reading and writing ----------------------------------------------------------------------------------

// Another program changes the file that call number `limit` reads.
static void change(int fd)
{
    enum { BYTES = 1 << 20 };
    static char bytes[BYTES], link[40], path[4096], folder[4096], other[4200];
    struct stat64 status;
    if (!changes(mode) || failing != KIND_READ || atomic_load(&calls[KIND_READ]) != limit)
        return;
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    const ssize_t name = readlink(link, path, sizeof path - 1);
    if (name < 0 || !getcwd(folder, sizeof folder) || strncmp(path, folder, strlen(folder)) != 0 ||
        REAL(fstat64)(fd, &status) != 0 || !S_ISREG(status.st_mode))
        return;
    const ssize_t half =
        REAL(pread64)(fd, bytes, (size_t)(status.st_size / 2 < BYTES ? status.st_size / 2 : BYTES), 0);
    bool done = half >= 0;
    if (mode == MODE_CUT) {
        done = done && truncate64(link, half) == 0;
    } else {
        snprintf(other, sizeof other, "%s%s", path, mode == MODE_SWAP ? ".other" : "");
        const int to = REAL(open64)(other, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
        done = done && to >= 0 && REAL(write)(to, bytes, (size_t)half) == half && close(to) == 0;
        done = done && (mode == MODE_GROW || REAL(rename)(other, path) == 0);
    }
    report(done ? "changed " : "not changed ");
    report(strrchr(path, '/'));
    report("\n");
}

ssize_t read(int fd, void *bytes, size_t length)
{
    if (fails(KIND_READ, "read"))
        return -1;
    change(fd);
    return REAL(read)(fd, bytes, part(KIND_READ, length));
}

ssize_t pread64(int fd, void *bytes, size_t length, off64_t offset)
{
    if (fails(KIND_READ, "pread"))
        return -1;
    change(fd);
    return REAL(pread64)(fd, bytes, part(KIND_READ, length), offset);
}

// What a full disk takes of `length` bytes.
static size_t half(size_t length)
{
    return errno == ENOSPC && atomic_load(&calls[KIND_WRITE]) == limit && mode == MODE_ON ? length / 2 : 0;
}

ssize_t write(int fd, const void *bytes, size_t length)
{
    if (fd == STDERR_FILENO)
        return REAL(write)(fd, bytes, length);
    if (!fails(KIND_WRITE, "write"))
        return REAL(write)(fd, bytes, part(KIND_WRITE, length));
    return half(length) > 0 ? REAL(write)(fd, bytes, half(length)) : -1;
}

ssize_t pwrite64(int fd, const void *bytes, size_t length, off64_t offset)
{
    if (!fails(KIND_WRITE, "pwrite"))
        return REAL(pwrite64)(fd, bytes, part(KIND_WRITE, length), offset);
    return half(length) > 0 ? REAL(pwrite64)(fd, bytes, half(length), offset) : -1;
}

ssize_t send(int fd, const void *bytes, size_t length, int flags)
{
    return fails(KIND_WRITE, "send") ? -1 : REAL(send)(fd, bytes, part(KIND_WRITE, length), flags);
}

// ---- opening ----------------------------------------------------------------------------------------------

int open64(const char *path, int flags, ...)
{
    va_list arguments;
    va_start(arguments, flags);
    const mode_t permissions = flags & (O_CREAT | O_TMPFILE) ? va_arg(arguments, mode_t) : 0;
    va_end(arguments);
    return fails(KIND_OPEN, "open") ? -1 : REAL(open64)(path, flags, permissions);
}

int open(const char *path, int flags, ...)
{
    va_list arguments;
    va_start(arguments, flags);
    const mode_t permissions = flags & (O_CREAT | O_TMPFILE) ? va_arg(arguments, mode_t) : 0;
    va_end(arguments);
    return open64(path, flags, permissions);
}

int mkostemp64(char *name, int flags)
{
    return fails(KIND_OPEN, "mkostemp") ? -1 : REAL(mkostemp64)(name, flags);
}

DIR *opendir(const char *path)
{
    return fails(KIND_OPEN, "opendir") ? NULL : REAL(opendir)(path);
}

int dup(int fd)
{
    return fails(KIND_OPEN, "dup") ? -1 : REAL(dup)(fd);
}

// Streams over the functions above. The C library does not go on after EINTR, which the signals that a command catches
// cause only when it is to end.
enum { STREAMS = 64 };
static struct {
    FILE *file;
    int fd;
} stream[STREAMS];

static ssize_t stream_read(void *cookie, char *bytes, size_t length)
{
    ssize_t count;
    while ((count = read((int)(intptr_t)cookie, bytes, length)) < 0 && errno == EINTR)
        ;
    return count;
}

static ssize_t stream_write(void *cookie, const char *bytes, size_t length)
{
    size_t done = 0;
    while (done < length) {
        const ssize_t count = write((int)(intptr_t)cookie, bytes + done, length - done);
        if (count < 0 && errno != EINTR)
            break;
        done += count > 0 ? (size_t)count : 0;
    }
    return (ssize_t)done;
}

static int stream_seek(void *cookie, off64_t *offset, int whence)
{
    *offset = lseek64((int)(intptr_t)cookie, *offset, whence);
    return *offset < 0 ? -1 : 0;
}

static int stream_close(void *cookie)
{
    const int fd = (int)(intptr_t)cookie;
    for (int i = 0; i < STREAMS; i++)
        if (stream[i].file && stream[i].fd == fd)
            stream[i].file = NULL;
    return close(fd);
}

FILE *fdopen(int fd, const char *way)
{
    const cookie_io_functions_t functions = {stream_read, stream_write, stream_seek, stream_close};
    FILE *file = fopencookie((void *)(intptr_t)fd, way, functions);
    for (int i = 0; file && i < STREAMS; i++)
        if (!stream[i].file) {
            stream[i].file = file;
            stream[i].fd = fd;
            break;
        }
    return file;
}

static FILE *opened(int fd, const char *way)
{
    FILE *file = fd >= 0 ? fdopen(fd, way) : NULL;
    if (fd >= 0 && !file)
        close(fd);
    return file;
}

FILE *fopen64(const char *path, const char *way)
{
    const int flags = *way == 'r' ? O_RDONLY : O_WRONLY | O_CREAT | (*way == 'a' ? O_APPEND : O_TRUNC);
    return opened(fails(KIND_OPEN, "fopen") ? -1 : REAL(open64)(path, flags | O_CLOEXEC, 0666), way);
}

FILE *tmpfile64(void)
{
    return opened(
        fails(KIND_OPEN, "tmpfile") ? -1 : REAL(open64)("/tmp", O_TMPFILE | O_RDWR | O_CLOEXEC, 0600), "w+");
}

int fileno(FILE *file)
{
    for (int i = 0; i < STREAMS; i++)
        if (stream[i].file == file)
            return stream[i].fd;
    return REAL(fileno)(file);
}

// ---- calls that only fail ---------------------------------------------------------------------------------

#define CALL(kind, result, bad, name, parameters, arguments)                                                 \
    result name parameters                                                                                   \
    {                                                                                                        \
        return fails(kind, #name) ? bad : REAL(name) arguments;                                              \
    }

CALL(KIND_NAME, int, -1, rename, (const char *from, const char *to), (from, to))
CALL(KIND_NAME, int, -1, link, (const char *from, const char *to), (from, to))
CALL(KIND_NAME, int, -1, linkat, (int at, const char *from, int to_at, const char *to, int flags),
     (at, from, to_at, to, flags))
CALL(KIND_NAME, int, -1, unlink, (const char *path), (path))
CALL(KIND_NAME, int, -1, unlinkat, (int at, const char *path, int flags), (at, path, flags))
CALL(KIND_NAME, int, -1, remove, (const char *path), (path))
CALL(KIND_NAME, int, -1, mkdir, (const char *path, mode_t permissions), (path, permissions))
CALL(KIND_NAME, int, -1, rmdir, (const char *path), (path))
CALL(KIND_NAME, char *, NULL, mkdtemp, (char *name), (name))
CALL(KIND_NAME, int, -1, fchmod, (int fd, mode_t permissions), (fd, permissions))
CALL(KIND_NAME, int, -1, utimensat, (int at, const char *path, const struct timespec times[2], int flags),
     (at, path, times, flags))
CALL(KIND_SPACE, int, -1, ftruncate64, (int fd, off64_t length), (fd, length))
CALL(KIND_SPACE, int, -1, fsync, (int fd), (fd))
CALL(KIND_SPACE, int, -1, fdatasync, (int fd), (fd))
CALL(KIND_SPACE, off64_t, -1, lseek64, (int fd, off64_t offset, int whence), (fd, offset, whence))
CALL(KIND_STATUS, int, -1, stat64, (const char *path, struct stat64 *status), (path, status))
CALL(KIND_STATUS, int, -1, lstat64, (const char *path, struct stat64 *status), (path, status))
CALL(KIND_STATUS, int, -1, fstat64, (int fd, struct stat64 *status), (fd, status))
CALL(KIND_STATUS, int, -1, fstatat64, (int at, const char *path, struct stat64 *status, int flags),
     (at, path, status, flags))
CALL(KIND_STATUS, int, -1, access, (const char *path, int wanted), (path, wanted))
CALL(KIND_STATUS, char *, NULL, realpath, (const char *path, char *resolved), (path, resolved))
CALL(KIND_STATUS, ssize_t, -1, readlink, (const char *path, char *to, size_t size), (path, to, size))
CALL(KIND_STATUS, char *, NULL, getcwd, (char *path, size_t size), (path, size))
CALL(KIND_STATUS, struct dirent64 *, NULL, readdir64, (DIR * folder), (folder))
CALL(KIND_PROCESS, int, -1, pipe2, (int ends[2], int flags), (ends, flags))
CALL(KIND_PROCESS, int, -1, socketpair, (int domain, int type, int protocol, int ends[2]),
     (domain, type, protocol, ends))
CALL(KIND_PROCESS, pid_t, -1, fork, (void), ())
CALL(KIND_PROCESS, int, EAGAIN, posix_spawnp,
     (pid_t * pid, const char *file, const posix_spawn_file_actions_t *actions,
      const posix_spawnattr_t *attributes, char *const argument[], char *const variable[]),
     (pid, file, actions, attributes, argument, variable))
CALL(KIND_LOAD, void *, NULL, dlopen, (const char *path, int flags), (path, flags))
CALL(KIND_LOAD, void *, NULL, dlsym, (void *restrict library, const char *restrict name), (library, name))
CALL(KIND_THREAD, int, EAGAIN, pthread_create,
     (pthread_t *restrict thread, const pthread_attr_t *restrict attributes, void *(*start)(void *),
      void *restrict argument),
     (thread, attributes, start, argument))

// ---- SQLite -----------------------------------------------------------------------------------------------

typedef struct sqlite3 sqlite3;
typedef struct sqlite3_stmt sqlite3_stmt;
typedef struct sqlite3_blob sqlite3_blob;
typedef int (*SqliteRow)(void *, int, char **, char **);
int sqlite3_step(sqlite3_stmt *statement);
int sqlite3_exec(sqlite3 *database, const char *text, SqliteRow row, void *argument, char **message);
int sqlite3_prepare_v2(sqlite3 *database, const char *text, int length, sqlite3_stmt **statement,
                       const char **rest);
int sqlite3_open_v2(const char *name, sqlite3 **database, int flags, const char *system);
int sqlite3_blob_open(sqlite3 *database, const char *schema, const char *table, const char *column,
                      long long row, int flags, sqlite3_blob **blob);
int sqlite3_blob_read(sqlite3_blob *blob, void *bytes, int count, int offset);
enum { SQLITE_NOMEM = 7, SQLITE_IOERR = 10, SQLITE_FULL = 13 };

// SQLite runs statements of its own; what it does when they fail is up to it.
static _Thread_local bool inside;

int sqlite3_step(sqlite3_stmt *statement)
{
    if (!inside && fails(KIND_SQLITE, "sqlite3_step"))
        return SQLITE_IOERR;
    const bool outer = inside;
    inside = true;
    const int result = REAL(sqlite3_step)(statement);
    inside = outer;
    return result;
}

int sqlite3_exec(sqlite3 *database, const char *text, SqliteRow row, void *argument, char **message)
{
    if (message)
        *message = NULL;
    if (!inside && fails(KIND_SQLITE, "sqlite3_exec"))
        return SQLITE_FULL;
    const bool outer = inside;
    inside = true;
    const int result = REAL(sqlite3_exec)(database, text, row, argument, message);
    inside = outer;
    return result;
}

int sqlite3_prepare_v2(sqlite3 *database, const char *text, int length, sqlite3_stmt **statement,
                       const char **rest)
{
    *statement = NULL;
    return !inside && fails(KIND_SQLITE, "sqlite3_prepare_v2")
               ? SQLITE_NOMEM
               : REAL(sqlite3_prepare_v2)(database, text, length, statement, rest);
}

int sqlite3_open_v2(const char *name, sqlite3 **database, int flags, const char *system)
{
    *database = NULL;
    return fails(KIND_SQLITE, "sqlite3_open_v2") ? SQLITE_NOMEM
                                                 : REAL(sqlite3_open_v2)(name, database, flags, system);
}

int sqlite3_blob_open(sqlite3 *database, const char *schema, const char *table, const char *column,
                      long long row, int flags, sqlite3_blob **blob)
{
    *blob = NULL;
    if (fails(KIND_SQLITE, "sqlite3_blob_open"))
        return SQLITE_IOERR;
    const bool outer = inside;
    inside = true;
    const int result = REAL(sqlite3_blob_open)(database, schema, table, column, row, flags, blob);
    inside = outer;
    return result;
}

CALL(KIND_SQLITE, int, SQLITE_IOERR, sqlite3_blob_read,
     (sqlite3_blob * blob, void *bytes, int count, int offset), (blob, bytes, count, offset))

// ---- beginning and end ------------------------------------------------------------------------------------

static Mode mode_of(const char *fault)
{
    static const struct {
        const char *name;
        Mode mode;
    } alone[] = {{"short:", MODE_ALL_SHORT}, {"interrupt:", MODE_INTERRUPT}, {"count", MODE_COUNT}};
    static const struct {
        const char *name;
        Mode mode;
    } after[] = {{":once", MODE_ONCE}, {":short", MODE_SHORT}, {":stop", MODE_STOP},
                 {":cut", MODE_CUT},   {":grow", MODE_GROW},   {":swap", MODE_SWAP}};
    for (size_t i = 0; i < sizeof alone / sizeof *alone; i++)
        if (strncmp(fault, alone[i].name, strlen(alone[i].name)) == 0) {
            limit = atol(fault + strlen(alone[i].name));
            return alone[i].mode;
        }
    for (Kind k = 0; k < KINDS; k++) {
        const size_t length = strlen(kind_name[k]);
        if (strncmp(fault, kind_name[k], length) == 0 && fault[length] == ':') {
            failing = k;
            limit = atol(fault + length + 1);
        }
    }
    for (size_t i = 0; i < sizeof after / sizeof *after; i++)
        if (strstr(fault, after[i].name))
            return after[i].mode;
    return MODE_ON;
}

__attribute__((constructor)) static void begin(void)
{
    const char *fault = getenv("CQLGEN_FAULT"), *name = getenv("CQLGEN_FAULT_LOG");
    if (!fault || !*fault)
        return;
    snprintf(log_name, sizeof log_name, "%s", name ? name : "");
    const Mode wanted = mode_of(fault);
    if (wanted == MODE_COUNT)
        backtrace((void *[1]){NULL}, 1); // its first call takes memory
    unsetenv("LD_PRELOAD");
    unsetenv("CQLGEN_FAULT");
    stdin = fdopen(STDIN_FILENO, "r");
    stdout = fdopen(STDOUT_FILENO, "w");
    mode = wanted;
}

// The last call of a program with counters of its lines (tools/counters.c): nothing fails from here on.
void fault_end(void);
void fault_end(void)
{
    if (mode != MODE_COUNT)
        mode = MODE_NONE;
}

__attribute__((destructor)) static void end(void)
{
    if (mode != MODE_COUNT)
        return;
    for (Kind k = 0; k < KINDS; k++) {
        char text[64];
        snprintf(text, sizeof text, "%s %ld", kind_name[k], atomic_load(&calls[k]));
        report(text);
        for (int i = 0; i < PLACES; i++)
            if (place[i].hash && place[i].kind == k) {
                snprintf(text, sizeof text, " %ld", place[i].number);
                report(text);
            }
        report("\n");
    }
}
