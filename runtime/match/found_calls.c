// The comments of a counting `find` (language reference 6.8) and of `next*` (11.5). The positions found are a
// trail like that of a path.
#include <stdio.h>

#include "run_state.h"

void rt_found_comments(Context *c, int32_t path, String word)
{
    const struct RunState *run = c->run;
    if (path >= run->trail_count || !rt_comments_wanted(c))
        return;
    const Trail *found = &run->trail[path];
    for (int32_t i = 0; i < found->count; i++) {
        char text[40];
        const int length =
            snprintf(text, sizeof text, "%s %d of %d", word->bytes, (int)i + 1, (int)found->count);
        rt_log_auto(c, found->position[i], run_string(c, text, (size_t)length));
    }
}
