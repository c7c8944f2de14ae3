// The tags of a tag section (language reference 9.2), for the splitter, the reader of tags, and corrections of names.
#ifndef CQL_GAME_SECTION_H
#define CQL_GAME_SECTION_H

#include "game.h"
#include "lex.h"

// A tag as it is written.
typedef struct SectionTag {
    Text name, value; // value: between the quotes
    bool escaped;     // with \" or \\ in it
} SectionTag;

// As section_next_tag, where the next line is not simply a tag.
const char *section_find_tag(const char *start, const char *p, const char *end);

// The next tag of the section at or after p, or NULL: only comments and lines that are ignored come before it.
static inline const char *section_next_tag(const char *start, const char *p, const char *end)
{
    return end - p > 1 && p[0] == '\n' && p[1] == '[' ? p + 1 : section_find_tag(start, p, end);
}

// Reads the tag at p, '['. Returns where reading goes on: at another tag or at movetext in the same line, or at the end of the line.
// The name is empty where the line has no name and no pair of quotes. *cut: more text after `end` could change the answer.
const char *section_read_tag(const char *p, const char *end, SectionTag *tag, bool *cut);

// Goes from the end of a line of the section to that before the next line that is not just one tag. Calls
// `take` with lines whose names begin with F, R, V or a blank, as FEN, Result and Variant may. NULL: stops before a line that may be
// an Event.
const char *section_skip_lines(const char *p, const char *end, void (*take)(void *user, const char *line),
                               void *user);

// The tags of a section. Of very many, the first ones stand for all.
typedef struct SectionNames {
    bool event;          // there was an Event
    size_t known, count; // up to where in the section the names are known
    struct {
        size_t at, length; // in the section
    } name[64];
} SectionNames;

void section_begin(SectionNames *n);

// Does a tag with this name, at `tag`, begin another game? After an empty line any tag that was there does; elsewhere a second
// Event, unless it repeats the first one directly.
// `start`: the beginning of the section. To be called for each tag that section_skip_lines does not skip.
bool section_ends(SectionNames *n, const char *start, const char *tag, Text name, bool empty_line);

#endif
