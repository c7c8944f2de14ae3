// Whether another program changes a file while it is read.
#ifndef CQL_FILE_MARK_H
#define CQL_FILE_MARK_H

#include <stdbool.h>
#include <sys/stat.h>

// What an open file was like. Only ordinary files can be found to be changed: pipes and devices have no length.
typedef struct FileMark {
    bool is_ordinary;
    off_t size;
    struct timespec modified;
} FileMark;

FileMark file_mark(int fd);                         // as it is now
bool file_is_changed(const FileMark *mark, int fd); // longer, shorter or written to since then

#endif
