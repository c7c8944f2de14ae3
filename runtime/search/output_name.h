// Output names that contain tags, which split the output into files (language reference 13.18).
#ifndef CQL_OUTPUT_NAME_H
#define CQL_OUTPUT_NAME_H

#include "runtime/format/format.h"

// True when the name contains the name of a tag in braces: `{White}.pgn`.
bool output_name_has_tags(const char *name);

// The name for one game: the values of tags replace the braces, with the changes that queries made to them. The
// caller frees it.
char *output_name_for(const char *name, Game *game, const Found *found, size_t count);

#endif
