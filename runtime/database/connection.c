// Opens SQLite files as those of a stranger: what SQLite does for a file before its first statement is checked here.
#include "connection.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "runtime/value/memory.h"
#include "database.h"

enum { BUSY_MILLISECONDS = 10000 }; // how long to wait for other processes

static bool mapped; // set before any database is open

void database_map_files(void)
{
    mapped = true;
}

void connection_map(sqlite3 *sql)
{
    if (mapped)
        sqlite3_exec(sql, "PRAGMA mmap_size=1099511627776", NULL, NULL, NULL);
}

// ---- the files beside a database ----------------------------------------------------------------------------

static const unsigned char journal_magic[8] = {0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7};

// What is wrong with a journal that SQLite may replay; NULL: nothing.
static const char *journal_content_fault(int fd, off_t size)
{
    unsigned char head[sizeof journal_magic], end[sizeof journal_magic];
    const ssize_t got = pread(fd, head, sizeof head, 0);
    if (got == 0 || (got > 0 && head[0] == 0)) // SQLite does not replay it
        return NULL;
    if (got < (ssize_t)sizeof head || memcmp(head, journal_magic, sizeof head) != 0)
        return "is not a journal of SQLite, which would delete it";
    // a journal of writes to several files ends with the name of another one, which SQLite deletes when it has replayed all of them
    return pread(fd, end, sizeof end, size - (off_t)sizeof end) != (ssize_t)sizeof end ||
                   memcmp(end, journal_magic, sizeof end) == 0
               ? "names another file, which SQLite would delete"
               : NULL;
}

static const char *journal_fault(const char *journal)
{
    struct stat status;
    const int fd = open(journal, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (fd < 0)
        return errno == ENOENT ? NULL : errno == ELOOP ? "is a link to another file" : "cannot be read";
    const char *fault = fstat(fd, &status) != 0    ? "cannot be read"
                        : !S_ISREG(status.st_mode) ? "is not a file"
                        : status.st_nlink > 1      ? "is another file, too"
                                                   : journal_content_fault(fd, status.st_size);
    close(fd);
    return fault;
}

// A journal that SQLite must not touch; NULL: none.
static char *journal_message(sqlite3 *sql, const char *name)
{
    const char *journal = sqlite3_filename_journal(sqlite3_db_filename(sql, "main"));
    const char *fault = journal_fault(journal);
    return fault ? memory_format(
                       "%s: the journal beside it, %s, %s; move the journal away, then `cqlgen verify` "
                       "says whether the database is whole",
                       name, journal, fault)
                 : NULL;
}

// Reading a file in this mode writes two others. SQLite turns to it when one of them is there, whatever the file says.
static char *wal_message(sqlite3 *sql, const char *name)
{
    enum { VERSIONS = 18, WAL = 2 }; // two bytes of the head
    unsigned char version[2] = {0};
    sqlite3_file *file = NULL;
    sqlite3_file_control(sql, "main", SQLITE_FCNTL_FILE_POINTER, &file);
    // what cannot be read here, the first statement cannot read either
    if (file && file->pMethods)
        file->pMethods->xRead(file, version, sizeof version, VERSIONS);
    const char *wal = sqlite3_filename_wal(sqlite3_db_filename(sql, "main"));
    struct stat status;
    const bool beside = lstat(wal, &status) == 0;
    if (version[0] != WAL && version[1] != WAL && !beside)
        return NULL;
    return beside
               ? memory_format(
                     "%s: another program writes to it, or was killed: %s holds changes, and SQLite "
                     "would write to read them; `PRAGMA journal_mode=DELETE` in that program merges them",
                     name, wal)
               : memory_format("%s: another program has set its journal mode to WAL, in which SQLite writes "
                               "files to read; `PRAGMA journal_mode=DELETE` in that program sets it back",
                               name);
}

// ---- messages ---------------------------------------------------------------------------------------------

static char *cut_off_message(sqlite3 *sql, const char *name)
{
    char *message = journal_message(sql, name);
    return message
               ? message
               : memory_format("%s: an import was cut off; the same command undoes its last step, which %s "
                               "holds, and continues it",
                               name, sqlite3_filename_journal(sqlite3_db_filename(sql, "main")));
}

char *connection_message(sqlite3 *sql, const char *name, const char *what)
{
    const int code = sqlite3_errcode(sql);
    const int system = code == SQLITE_IOERR ? sqlite3_system_errno(sql) : 0;
    if (sqlite3_extended_errcode(sql) == SQLITE_READONLY_ROLLBACK)
        return cut_off_message(sql, name);
    if (code == SQLITE_NOTADB)
        return memory_format("%s: " NOT_GAMES, name);
    return memory_format("%s: %s: %s", name, what,
                         system                     ? strerror(system)
                         : code == SQLITE_BUSY      ? "another program is writing to it"
                         : code == SQLITE_INTERRUPT ? "interrupted, or it is damaged and reading does not end"
                                                    : sqlite3_errmsg(sql));
}

// ---- opening ----------------------------------------------------------------------------------------------

enum { WATCHED_STEPS = 10000 };

static int watch_step(void *user)
{
    Watch *w = user;
    w->steps -= WATCHED_STEPS;
    return w->steps < 0 || (w->stop && *w->stop);
}

// Limits for what the schema of the file may make SQLite do: our own statements are short.
static void restrain(sqlite3 *sql)
{
    static const struct {
        int setting, value;
    } settings[] = {{SQLITE_DBCONFIG_DEFENSIVE, 1},
                    {SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0},
                    {SQLITE_DBCONFIG_ENABLE_VIEW, 0},
                    {SQLITE_DBCONFIG_ENABLE_TRIGGER, 0},
                    {SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0},
                    {SQLITE_DBCONFIG_ENABLE_FTS3_TOKENIZER, 0},
                    {SQLITE_DBCONFIG_WRITABLE_SCHEMA, 0}},
      limits[] = {{SQLITE_LIMIT_SQL_LENGTH, 100000},   {SQLITE_LIMIT_COLUMN, 100},
                  {SQLITE_LIMIT_EXPR_DEPTH, 100},      {SQLITE_LIMIT_COMPOUND_SELECT, 10},
                  {SQLITE_LIMIT_VDBE_OP, 100000},      {SQLITE_LIMIT_FUNCTION_ARG, 20},
                  {SQLITE_LIMIT_ATTACHED, 0},          {SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 100},
                  {SQLITE_LIMIT_VARIABLE_NUMBER, 100}, {SQLITE_LIMIT_TRIGGER_DEPTH, 0},
                  {SQLITE_LIMIT_WORKER_THREADS, 0}};
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++)
        sqlite3_db_config(sql, settings[i].setting, settings[i].value, NULL);
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++)
        sqlite3_limit(sql, limits[i].setting, limits[i].value);
}

// Reads the schema: the first thing that SQLite does for a file.
static char *begin_reading(sqlite3 *sql, const char *name, Watch *watch)
{
    static const char begin[] =
        "PRAGMA cell_size_check=ON; PRAGMA temp_store=MEMORY; SELECT 1 FROM sqlite_master LIMIT 1";
    watch->steps = SCHEMA_STEPS;
    if (sqlite3_exec(sql, begin, NULL, NULL, NULL) != SQLITE_OK)
        return connection_message(sql, name, "cannot read the database");
    // SQLite goes on without its statistics when reading them has been ended
    if (watch->steps < 0)
        return memory_format("%s: reading its statistics does not end: it is damaged", name);
    watch->steps = INT64_MAX;
    return NULL;
}

sqlite3 *connection_open(const char *name, int flags, Watch *watch, char **message)
{
    sqlite3 *sql = NULL;
    // a name from a folder, whatever it means to SQLite: `file:` begins an address there
    char *path = memory_format("%s%s", name[0] == '/' ? "" : "./", name);
    const bool good = sqlite3_open_v2(path, &sql, flags, NULL) == SQLITE_OK;
    free(path);
    if (good) {
        sqlite3_busy_timeout(sql, BUSY_MILLISECONDS);
        sqlite3_progress_handler(sql, WATCHED_STEPS, watch_step, watch);
        restrain(sql);
        *message = wal_message(sql, name);
        if (!*message && flags & SQLITE_OPEN_READWRITE)
            *message = journal_message(sql, name);
        if (!*message)
            *message = begin_reading(sql, name, watch);
    } else {
        *message = connection_message(sql, name,
                                      flags & SQLITE_OPEN_CREATE ? "cannot create the database"
                                                                 : "cannot open the database");
    }
    if (!*message)
        return sql;
    sqlite3_close(sql);
    return NULL;
}
