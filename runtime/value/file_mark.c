// Whether another program changes a file while it is read.
#include "file_mark.h"

FileMark file_mark(int fd)
{
    struct stat status;
    if (fd < 0 || fstat(fd, &status) != 0 || !S_ISREG(status.st_mode))
        return (FileMark){0};
    return (FileMark){true, status.st_size, status.st_mtim};
}

bool file_is_changed(const FileMark *mark, int fd)
{
    const FileMark now = file_mark(fd);
    return mark->is_ordinary && (now.size != mark->size || now.modified.tv_sec != mark->modified.tv_sec ||
                                 now.modified.tv_nsec != mark->modified.tv_nsec);
}
