// The layout of a Syzygy table. Its head says how the positions are numbered and how the values are packed, so that the size of
// the file follows from it:
//
//   magic, 4 bytes; flags, 1 byte: TWO_SIDES (the colours have different men), PAWNS
//   for each file of the leading pawn (one without pawns): order, 1 byte, with pawns of both colours 2; men, a byte each; the
//     low half of each byte is of the first side, the other one of the second
//   for each of these, and each side: how its values are packed (read_packing)
//   of the DTZ table: lists that values are looked up in
//   then the indexes of all, the lengths of their blocks, and, each from a multiple of 64 on, their blocks
//   a check sum, 16 bytes
#include "syzygy_file.h"

#include <string.h>

enum { MOST_MEN = 7, KING = 6, PAWN = 1 };
enum { TWO_SIDES = 1, PAWNS = 2 };                            // of the file
enum { MAPPED = 2, WIDE = 16, SAME_VALUE = 128 };             // of a packing
enum { MOST_FILES = 4, MOST_SYMBOLS = 4096, MOST_BITS = 32 }; // of a symbol

typedef struct Reader {
    const uint8_t *bytes;
    size_t length, at;
    bool good; // nothing was read past the end
} Reader;

static unsigned read_byte(Reader *r)
{
    r->good &= r->at < r->length;
    return r->good ? r->bytes[r->at++] : 0;
}

static unsigned read_word(Reader *r)
{
    const unsigned low = read_byte(r);
    return low | read_byte(r) << 8;
}

static void skip_bytes(Reader *r, size_t count)
{
    r->good &= count <= r->length - r->at;
    r->at += r->good ? count : 0;
}

static void skip_to_even(Reader *r)
{
    skip_bytes(r, r->at & 1);
}

// ---- names --------------------------------------------------------------------------------------------------

// The men of a table by colour and kind, 1 pawn … 6 king; all of them.
typedef struct Men {
    int of[2][KING + 1], count;
} Men;

// MEN "v" MEN "." ending; MEN = "K" { "Q" | "R" | "B" | "N" | "P" }
static bool read_name(const char *name, Men *men, const char **ending)
{
    static const char letters[] = " PNBRQK";
    *men = (Men){0};
    for (int side = 0; side < 2; side++) {
        for (const char *kind; *name != '\0' && (kind = strchr(letters + 1, *name)) != NULL; name++) {
            men->of[side][kind - letters]++;
            men->count++;
        }
        if (men->of[side][KING] != 1 || *name++ != (side == 0 ? 'v' : '.'))
            return false;
    }
    *ending = name;
    return men->count >= 3 && men->count <= MOST_MEN;
}

bool syzygy_is_name(const char *name)
{
    Men men;
    const char *ending;
    return read_name(name, &men, &ending) && (strcmp(ending, "rtbw") == 0 || strcmp(ending, "rtbz") == 0);
}

// ---- positions ------------------------------------------------------------------------------------------------

// The ways to choose `count` of n.
static uint64_t choose(int n, int count)
{
    uint64_t ways = 1;
    for (int i = 0; i < count; i++)
        ways = ways * (uint64_t)(n - i) / (uint64_t)(i + 1);
    return ways;
}

// The number of positions with the men in this order; `file`: of the leading pawn, of which there are pawns[0]. pawns[1]: those
// of the other colour, if both have some. *groups: of men that are placed together.
static uint64_t count_positions(const uint8_t *man, const Men *men, const int pawns[2], int file, int *groups)
{
    uint64_t positions = 0;
    int placed;
    if (pawns[0] > 0) {
        for (int rank = 0; rank < 6; rank++) // how many squares come after that of the leading pawn
            positions += choose(47 - 12 * file - 2 * rank, pawns[0] - 1);
        positions *= choose(48 - pawns[0], pawns[1]);
        placed = pawns[0] + pawns[1];
    } else {
        int alone = 0;
        for (int side = 0; side < 2; side++)
            for (int kind = PAWN; kind <= KING; kind++)
                alone += men->of[side][kind] == 1;
        placed = alone >= 3 ? 3 : 2;
        positions = placed == 3 ? 31332 : 462; // of three different men, or of the two kings, up to symmetry
    }
    for (*groups = 1 + (pawns[1] > 0); placed < men->count; ++*groups) {
        int group = 1;
        while (placed + group < men->count && man[placed + group] == man[placed])
            group++;
        positions *= choose(64 - placed, group);
        placed += group;
    }
    return positions;
}

// Reads the men of a side and checks that they are those of the name.
static bool read_men(const Reader *r, const Men *men, int side, uint8_t man[MOST_MEN])
{
    Men found = {0};
    for (int i = 0; i < men->count; i++) {
        man[i] = r->bytes[r->at + (size_t)i] >> 4 * side & 15;
        const int kind = man[i] & 7;
        if (kind < PAWN || kind > KING)
            return false;
        found.of[man[i] >> 3][kind]++;
    }
    return memcmp(found.of, men->of, sizeof found.of) == 0;
}

// ---- packings -------------------------------------------------------------------------------------------------

typedef struct Packing {
    unsigned flags;
    uint64_t index, lengths, blocks; // bytes
} Packing;

// A symbol stands for a value, `most` at most, or for two other symbols; its expansion ends. state: 1 being expanded, 2 done.
static bool symbol_ends(const uint8_t *symbol, unsigned count, unsigned i, unsigned most, uint8_t *state,
                        int depth)
{
    if (i >= count || state[i] == 1 || depth > 300)
        return false;
    if (state[i] == 2)
        return true;
    const uint8_t *s = symbol + 3 * i;
    const unsigned left = s[0] | (s[1] & 15u) << 8, right = s[1] >> 4 | (unsigned)s[2] << 4;
    state[i] = 1;
    const bool ends = right == 0xFFF ? left <= most
                                     : symbol_ends(symbol, count, left, most, state, depth + 1) &&
                                           symbol_ends(symbol, count, right, most, state, depth + 1);
    state[i] = 2;
    return ends;
}

// Each code is that of one of the symbols. first: the first symbol of each length of codes, `least` … `most` bits. Longer codes
// are less than shorter ones, and the symbols of a length end where those of the next shorter one begin.
static bool codes_are_symbols(const uint8_t *first, int least, int most, unsigned symbols)
{
    uint64_t lowest = 0; // code of the length
    unsigned longer = first[2 * (most - least)] | (unsigned)first[2 * (most - least) + 1] << 8, here = longer;
    for (int length = most - 1; length >= least; length--, longer = here) {
        const uint8_t *own = first + 2 * (length - least);
        here = own[0] | (unsigned)own[1] << 8;
        if (here < longer)
            return false;
        lowest = (lowest + here - longer) / 2;
    }
    return lowest <= 1ULL << least && here + (1ULL << least) - lowest <= symbols;
}

// flags, then a value; or flags, logarithms of the size of a block and of the span of an index, blocks left empty at the end,
// number of blocks (4 bytes), longest and shortest code, the first symbol of each length (2 bytes), number of symbols
// (2 bytes), symbols (3 bytes)
static bool read_packing(Reader *r, uint64_t positions, unsigned most_value, Packing *p)
{
    *p = (Packing){.flags = read_byte(r)};
    const unsigned block = read_byte(r);
    if (p->flags & SAME_VALUE) // `block` is the value
        return r->good && block <= most_value;
    const unsigned span = read_byte(r), empty = read_byte(r);
    uint64_t blocks = read_word(r);
    blocks |= (uint64_t)read_word(r) << 16;
    const int most = (int)read_byte(r), least = (int)read_byte(r);
    if (!r->good || block > 20 || span > 30 || least < 1 || least > most || most > MOST_BITS)
        return false;
    const size_t first = r->at;
    skip_bytes(r, 2 * (size_t)(most - least + 1));
    const unsigned symbols = read_word(r);
    const size_t symbol = r->at;
    skip_bytes(r, 3 * (size_t)symbols);
    skip_bytes(r, symbols & 1);
    if (!r->good || symbols > MOST_SYMBOLS || !codes_are_symbols(r->bytes + first, least, most, symbols))
        return false;
    uint8_t state[MOST_SYMBOLS] = {0};
    for (unsigned i = 0; i < symbols; i++)
        if (!symbol_ends(r->bytes + symbol, symbols, i, most_value, state, 0))
            return false;
    p->index = 6 * ((positions + (1ULL << span) - 1) >> span);
    p->lengths = 2 * (blocks + empty);
    p->blocks = blocks << block;
    return true;
}

// Four lists for each packing that uses them.
static void skip_lists(Reader *r, const Packing *packing, int count)
{
    for (int i = 0; i < count; i++) {
        const bool wide = packing[i].flags & WIDE;
        if (!(packing[i].flags & MAPPED))
            continue;
        if (wide)
            skip_to_even(r);
        for (int list = 0; list < 4; list++)
            skip_bytes(r, wide ? 2 * (size_t)read_word(r) : read_byte(r));
    }
    skip_to_even(r);
}

// ---- the file -------------------------------------------------------------------------------------------------

typedef struct Table {
    Men men;
    bool dtz, alike; // the colours have the same men
    int pawns[2];    // of the leading colour, and of the other one if both have some
    int files, sides;
    uint64_t positions[2 * MOST_FILES]; // by file and side
} Table;

// The order in which groups are numbered: the places of the pawns or the first men, and of the pawns of the other colour.
static bool is_order(const Table *t, unsigned order, unsigned second, unsigned groups)
{
    return order < groups && (t->pawns[1] == 0 || (second < groups && second != order));
}

static bool read_orders(Reader *r, Table *t)
{
    for (int file = 0; file < t->files; file++) {
        const unsigned order = read_byte(r), second = t->pawns[1] > 0 ? read_byte(r) : 0;
        const Reader men = *r;
        skip_bytes(r, (size_t)t->men.count);
        for (int side = 0; side < t->sides; side++) {
            uint8_t man[MOST_MEN];
            int groups;
            if (!r->good || !read_men(&men, &t->men, side, man))
                return false;
            t->positions[t->sides * file + side] = count_positions(man, &t->men, t->pawns, file, &groups);
            if (!is_order(t, order >> 4 * side & 15, second >> 4 * side & 15, (unsigned)groups))
                return false;
        }
    }
    skip_to_even(r);
    return r->good;
}

static Table table_of(const Men *men, bool dtz)
{
    Table t = {.men = *men, .dtz = dtz, .alike = memcmp(men->of[0], men->of[1], sizeof men->of[0]) == 0};
    const int white = men->of[0][PAWN], black = men->of[1][PAWN];
    const bool black_leads = black > 0 && (white == 0 || black < white);
    t.pawns[0] = black_leads ? black : white;
    t.pawns[1] = black_leads ? white : black;
    t.files = white + black > 0 ? MOST_FILES : 1;
    t.sides = dtz || t.alike ? 1 : 2;
    return t;
}

static uint64_t size_of_file(uint64_t head, const Packing *packing, int count)
{
    uint64_t at = head;
    for (int i = 0; i < count; i++)
        at += packing[i].index;
    for (int i = 0; i < count; i++)
        at += packing[i].lengths;
    for (int i = 0; i < count; i++)
        at = ((at + 63) & ~63ULL) + packing[i].blocks;
    return ((at + 63) & ~63ULL) + 16;
}

// The size that the file should have; 0: its head is damaged.
static uint64_t read_head(Reader *r, Table *t)
{
    enum { MOST_WDL = 4, MOST_DTZ = 0xFFF };
    const unsigned flags = read_byte(r), want = (t->alike ? 0 : TWO_SIDES) | (t->files > 1 ? PAWNS : 0);
    Packing packing[2 * MOST_FILES];
    if ((flags & (TWO_SIDES | PAWNS)) != want || !read_orders(r, t))
        return 0;
    for (int i = 0; i < t->files * t->sides; i++)
        if (!read_packing(r, t->positions[i], t->dtz ? MOST_DTZ : MOST_WDL, &packing[i]))
            return 0;
    if (t->dtz)
        skip_lists(r, packing, t->files);
    return r->good ? size_of_file(r->at, packing, t->files * t->sides) : 0;
}

const char *syzygy_file_fault(const char *name, const uint8_t *bytes, size_t length, uint64_t size)
{
    static const uint8_t magic[2][4] = {{0x71, 0xE8, 0x23, 0x5D}, {0xD7, 0x66, 0x0C, 0xA5}};
    Men men;
    const char *ending;
    if (!read_name(name, &men, &ending))
        return "its name is not that of a tablebase";
    Table table = table_of(&men, strcmp(ending, "rtbz") == 0);
    if (length < 5 || memcmp(bytes, magic[table.dtz], 4) != 0)
        return "it is not a tablebase";
    Reader r = {bytes, length, 4, true};
    const uint64_t whole = read_head(&r, &table);
    return whole == 0     ? "its head is damaged"
           : size < whole ? "it is cut off"
           : size > whole ? "it is longer than a tablebase"
                          : NULL;
}
