// When two records are of the same game (docs/command-line.md, duplicates).
//
// Their players must agree, their starting positions and variants be equal, and the moves of one be those of the other or their
// beginning; results must not contradict each other. Many moves leave no doubt. Where there are few, dates, events, sites and rounds
// must agree too: players repeat short draws, and many games begin alike.
#ifndef CQL_SEARCH_SAME_H
#define CQL_SEARCH_SAME_H

#include "runtime/game/game.h"

enum {
    SAME_SURE_PLIES = 40, // from here on the moves are enough
    SAME_FEW_PLIES = 10   // below, the four tags must be equal; up to SAME_SURE_PLIES if a player is unknown
};

// GameKey.flags
enum {
    KEY_ABSENT = 1,     // the game could not be read
    KEY_UNREADABLE = 2, // its moves cannot all be read: its text must be the same
    KEY_ADDRESS = 4,    // its site is an address on the web
    KEY_NAMELESS = 8,   // a player is unknown
    KEY_FIXED = 16,     // it stays
    KEY_INVOLVED = 32,  // it may be a duplicate, or have one
    KEY_DROPPED = 64,   // `like` is the game for which it is dropped
    KEY_SETTLED = 128   // that one is kept
};

// What is kept of each game; hashes of texts that are unknown are 0.
typedef struct GameKey {
    uint64_t moves;   // the hash of players, start and all moves, those of key_tags included
    uint32_t players; // the hash of their names
    uint32_t event, site, round;
    uint32_t date; // 100 * (100 * year + month) + day; unknown parts are 0
    uint32_t plies;
    uint32_t next;       // the next game with the same hash of moves; NO_GAME: none
    uint32_t like;       // a longer game that this one begins, or the game that is kept; NO_GAME: none
    uint16_t initial[2]; // of the given names, by colour; 0: unknown
    uint16_t weight;     // tags, comments and the like
    uint8_t result, flags;
} GameKey;
#define NO_GAME UINT32_MAX

// Sets all but `moves`, `plies`, `next`, `like`, `weight` from the tags of a game that game_parse_tags has read, and appends what must be
// equal before any move is looked at: the family names, the variant, the start.
void key_begin(GameKey *key, const Game *g, Buffer *names);

// The hash of the game before its first move.
static inline uint64_t key_start(const GameKey *key)
{
    return key->players * 0xC2B2AE3D27D4EB4Fu;
}

// The hash of the game after another move.
static inline uint64_t key_move(uint64_t hash, MoveWord word)
{
    hash = (hash ^ word) * 0x9E3779B97F4A7C15u;
    return hash ^ hash >> 29;
}

// Do the four tags count that key_tags is made of, in a game with so many moves?
static inline bool key_has_few(const GameKey *key, uint32_t plies)
{
    return plies < (key->flags & KEY_NAMELESS ? SAME_SURE_PLIES : SAME_FEW_PLIES);
}

// The hash by which games with the same moves are found is that of key_move; that of a game with few moves differs by this.
uint64_t key_tags(const GameKey *key);

// The parts of a player's name in folded letters (unicode_append_folded). The family name comes before a comma or is the last word; what is
// in parentheses is no part of the name.
void name_split(Text folded, Text *family, Text *given);

// Appends the letters and digits of a folded text.
void name_append_letters(Buffer *out, Text folded);

// May two games with the same family names, start and moves, or of which one begins the other, be the same?
bool keys_agree(const GameKey *a, const GameKey *b);

#endif
