// Removing folders.
#include "folder.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

// Removes what is in a folder. False when there is nothing that can be removed.
static bool remove_below(int folder)
{
    _Alignas(struct dirent64) char entries[4096];
    bool removed = false;
    lseek(folder, 0, SEEK_SET);
    for (ssize_t got; (got = getdents64(folder, entries, sizeof entries)) > 0;)
        for (ssize_t at = 0; at < got;) {
            const struct dirent64 *entry = (const struct dirent64 *)(entries + at);
            at += entry->d_reclen;
            if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
                continue;
            if (unlinkat(folder, entry->d_name, 0) == 0) {
                removed = true;
                continue;
            }
            const int below = openat(folder, entry->d_name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
            while (below >= 0 && remove_below(below))
                ;
            close(below);
            removed |= unlinkat(folder, entry->d_name, AT_REMOVEDIR) == 0;
        }
    return removed;
}

void folder_remove(const char *path)
{
    if (unlink(path) == 0 || errno != EISDIR)
        return;
    const int folder = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    while (folder >= 0 && remove_below(folder))
        ;
    if (folder >= 0)
        close(folder);
    rmdir(path);
}
