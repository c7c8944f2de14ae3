// The distinct copies of a position list under its transformations (language reference 12.6).
//
// Two copies are equal when they are conjunctions of the same tests, in whatever order. The tests of a
// copy are written into a string of bytes, the signature, and copies are compared by their signatures.
#include "internal.h"
#include "runtime/value/buffer.h"
#include "runtime/value/memory.h"

#include <stdlib.h>
#include <string.h>

typedef Buffer Signature;

static void append(Signature *s, const void *bytes, size_t length)
{
    buffer_append(s, bytes, length);
}

// ---- signatures -------------------------------------------------------------------------------------------

static int compare_signatures(const void *a, const void *b)
{
    const Signature *x = a, *y = b;
    const size_t shorter = x->length < y->length ? x->length : y->length;
    const int first = shorter == 0 ? 0 : memcmp(x->start, y->start, shorter);
    return first != 0 ? first : (x->length > y->length) - (x->length < y->length);
}

// Appends the parts as a set (neither order nor repetition matters) and frees them.
static void append_set(Signature *s, Signature *part, int count)
{
    const Signature *last = NULL;
    if (count > 1)
        qsort(part, (size_t)count, sizeof *part, compare_signatures);
    for (int i = 0; i < count; i++) {
        if (last != NULL && compare_signatures(last, &part[i]) == 0)
            continue;
        last = &part[i];
        append(s, &last->length, sizeof last->length);
        append(s, last->start, last->length);
    }
    const size_t end = 0;
    append(s, &end, sizeof end);
    for (int i = 0; i < count; i++)
        buffer_free(&part[i]);
    free(part);
}

static bool sign_list(Cql3 *c, const PositionList *list, const Cql3Map *outer, Signature *s);

static void sign_designator(const Designator *d, const Cql3Map *map, Signature *s)
{
    const Bitboard squares = cql3_map_squares(map, d->squares);
    const uint32_t pieces = d->tag >= 0 ? 0 : cql3_map_pieces(map, d->pieces);
    append(s, &squares, sizeof squares);
    append(s, &pieces, sizeof pieces);
    append(s, &d->tag, sizeof d->tag);
}

// What no transformation changes, but distinguishes two tests with the same keyword.
static void sign_constants(const Test *test, Signature *s)
{
    const int32_t constants[] = {test->keyword,          test->negated, test->range.low.value,
                                 test->range.high.value, test->number,  test->list_count};
    append(s, constants, sizeof constants);
    append(s, &test->relation, sizeof test->relation);
    if (test->name != NULL)
        append(s, test->name, strlen(test->name));
}

static bool sign_test(Cql3 *c, const Test *test, const Cql3Map *map, Signature *s)
{
    sign_constants(test, s);
    for (int i = 0; i < test->designator_count; i++)
        sign_designator(&test->designator[i], map, s);
    const int changes = cql3_words[test->keyword].changes;
    if (changes != CHANGES_NONE)
        append(s, changes == CHANGES_COLOURS ? &map->colours : &map->exchange, sizeof map->colours);
    for (int i = 0; i < test->list_count; i++)
        if (!sign_list(c, test->list[i], map, s))
            return false;
    return true;
}

// A list is the conjunction of its tests.
static bool sign_copy(Cql3 *c, const PositionList *list, const Cql3Map *map, Signature *s)
{
    Signature *part = memory_zeroed((size_t)list->test_count, sizeof *part);
    bool good = true;
    for (int i = 0; i < list->test_count && good; i++)
        good = sign_test(c, &list->test[i], map, &part[i]);
    append_set(s, part, list->test_count);
    return good;
}

// A nested list: its copies.
static bool sign_list(Cql3 *c, const PositionList *list, const Cql3Map *outer, Signature *s)
{
    Cql3Maps copies;
    append(s, &list->negated, sizeof list->negated);
    if (list->transformations == 0)
        return sign_copy(c, list, outer, s);
    if (!cql3_copies(c, list, outer, &copies))
        return false;
    Signature *part = memory_zeroed((size_t)copies.count, sizeof *part);
    bool good = true;
    for (int i = 0; i < copies.count && good; i++)
        good = sign_copy(c, list, &copies.map[i], &part[i]);
    append_set(s, part, copies.count);
    return good;
}

// ---- copies that can never match --------------------------------------------------------------------------

static bool is_impossible(const PositionList *list, const Cql3Map *map)
{
    for (int i = 0; i < list->test_count; i++) {
        const Test *test = &list->test[i];
        if (test->keyword != KEY_DESIGNATOR)
            continue;
        const Designator *d = &test->designator[0];
        if (d->pieces == 0 || cql3_map_squares(map, d->squares) == 0)
            return true;
    }
    return false;
}

// ---- copies -----------------------------------------------------------------------------------------------

static const Cql3Maps *maps_of(Cql3 *c, Cql3Sets sets)
{
    for (int i = 0; i < c->known_count; i++)
        if (c->known[i].sets == sets)
            return &c->known[i].maps;
    __typeof__(*c->known) new = {sets, cql3_maps(c->arena, sets)};
    ARENA_PUSH(c->arena, c->known, c->known_count, new);
    return &c->known[c->known_count - 1].maps;
}

static bool is_identity(const Cql3Map *map)
{
    return memcmp(map, cql3_identity(), sizeof *map) == 0;
}

bool cql3_copies(Cql3 *c, const PositionList *list, const Cql3Map *outer, Cql3Maps *copies)
{
    const Cql3Maps maps = *maps_of(c, list->transformations);
    const bool outermost = is_identity(outer);
    *copies = (Cql3Maps){arena_alloc(c->arena, (size_t)maps.count * sizeof *copies->map), 0};
    c->copies += maps.count;
    if (c->copies > CQL3_MAX_COPIES)
        return cql3_error(c, list->span,
                          "the transformations of this position list and of those around it make too "
                          "many copies");
    Numbering seen = {.arena = arena_new()};
    bool good = true;
    for (int i = 0; i < maps.count && good; i++) {
        const Cql3Map map = outermost ? maps.map[i] : cql3_compose(outer, &maps.map[i]);
        Signature s = {0};
        if (is_impossible(list, &map))
            continue;
        good = sign_copy(c, list, &map, &s);
        if (good && numbering_add(&seen, s.start, s.length) == copies->count)
            copies->map[copies->count++] = map;
        buffer_free(&s);
    }
    arena_free(seen.arena);
    return good;
}
