// `wdl`, `dtz` and `tablebase` (language reference 17.3), with a memory of what was asked last.
#include "runtime/match/syzygy.h"

#include "runtime/chess/variant.h"
#include "runtime/match/run_state.h"

enum { ANSWERS = 1 << 12 };
// What a question takes of the budget of a game, whether or not the answer is remembered.
enum { WDL_STEPS = 50, DTZ_STEPS = 2000 };

enum { WDL_ASKED = 1, WDL_KNOWN = 2, DTZ_ASKED = 4, DTZ_KNOWN = 8 };

typedef struct Answer {
    uint64_t key; // pos_key
    int16_t wdl, dtz;
    uint8_t state; // of the position with the key
} Answer;

typedef struct SyzygyState {
    Answer *answer; // by the lowest bits of the key; NULL: the query asks nothing
} SyzygyState;

static void syzygy_init(Context *c)
{
    if (!(c->query->flags & QUERY_TABLEBASES))
        return;
    if (syzygy_is_open())
        c->run->syzygy->answer = run_zeroed(c, ANSWERS, sizeof(Answer));
    else
        c->run->failure = memory_format("the query needs tablebases: name their folder with --syzygy DIR");
}

const Subject syzygy_subject = {.size = sizeof(SyzygyState), .init = syzygy_init};

// NULL: there is none. In a variant of chess, a position with the same key is another one.
static Answer *answer_of(Context *c, const Position *p)
{
    if (variant_is(p))
        return NULL;
    const uint64_t key = pos_key(p);
    Answer *a = &c->run->syzygy->answer[key % ANSWERS];
    if (a->key != key)
        *a = (Answer){.key = key};
    return a;
}

int32_t rt_tablebase_wdl(Context *c, const Position *p, int32_t *wdl)
{
    run_take_steps(c, WDL_STEPS);
    Answer *a = answer_of(c, p);
    int value = 0;
    if (a == NULL)
        return false;
    if (!(a->state & WDL_ASKED)) {
        a->state |= (uint8_t)(WDL_ASKED | (syzygy_wdl(p, &value) ? WDL_KNOWN : 0));
        a->wdl = (int16_t)value;
    }
    *wdl = a->wdl;
    return (a->state & WDL_KNOWN) != 0;
}

int32_t rt_tablebase_dtz(Context *c, const Position *p, int32_t *dtz)
{
    run_take_steps(c, DTZ_STEPS);
    Answer *a = answer_of(c, p);
    int value = 0;
    if (a == NULL)
        return false;
    if (!(a->state & DTZ_ASKED)) {
        a->state |= (uint8_t)(DTZ_ASKED | (syzygy_dtz(p, &value) ? DTZ_KNOWN : 0));
        a->dtz = (int16_t)value;
    }
    *dtz = a->dtz;
    return (a->state & DTZ_KNOWN) != 0;
}
