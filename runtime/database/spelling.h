// Spelling files of Scid: correct names of players, sites, events and rounds, and other spellings of them.
//
//     @PLAYER
//     Kasparov, Garry        #GM RUS [2851] 1963.04.13
//     = Kasparow
//     = Kasparov, G
//     @SITE
//     %Prefix "Linares ESP" "Linares"
//     Linares
//
// A section is @PLAYER, @SITE, @EVENT or @ROUND. In it, a line is a correct name, and after # what is known about the player: title (`w`
// for a woman without one), country (of several with slashes the last one counts), rating, date of birth and, after --, of death. After =, another spelling of the
// name before; %Prefix, %Infix or %Suffix with two texts in quotes, the first of which is replaced where a name begins with it, contains it or
// ends in it; or, with another word after %, not read. Lines that begin with # are comments. Names are compared by their letters and digits,
// without case and accents. A spelling of two names is a spelling of neither; a correct name is no spelling of another.
#ifndef CQL_DATABASE_SPELLING_H
#define CQL_DATABASE_SPELLING_H

#include "runtime/game/game.h"

typedef struct Spelling Spelling;

// Reads a file. `name`, which must live as long as the result, is what spelling_file returns. Lines that are none of these are reported (game
// 0) and left out.
Spelling *spelling_read(Text file, const char *name, ReportFn *report, void *user);
const char *spelling_file(const Spelling *s);
void spelling_free(Spelling *s);

int64_t spelling_names(const Spelling *s); // how many correct names it has

// Appends the text of a game with corrected names in its tags White, Black, Site, Event and Round, and with what is known about its players
// in the tags WhiteTitle, WhiteSex, WhiteCountry, WhiteBirthDate, WhiteDeathDate and those of Black that it lacks. False, and nothing
// appended, when nothing changes. `scratch` is for the use of this function. Threads may share the spelling.
bool spelling_correct(const Spelling *s, Text game, Buffer *out, Buffer *scratch);

// What the file says for one of these tags of a game with these players, as the game names them: *value, which lives as long as the spelling.
// False, and *value as it was: nothing, or it is another tag. Threads may share the spelling.
bool spelling_tag(const Spelling *s, Text tag, Text white, Text black, Text *value);

#endif
