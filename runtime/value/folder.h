// Folders of temporary files.
#ifndef CQL_FOLDER_H
#define CQL_FOLDER_H

// Removes a file, or a folder with all that is in it, as far as that is possible; symbolic links are not followed. Needs no
// memory of malloc.
void folder_remove(const char *path);

#endif
