// Where the parser goes on after a syntax error.
#include "recover.h"

static bool begins_line(const Source *source, uint32_t start)
{
    while (start > 0 && (source->text[start - 1] == ' ' || source->text[start - 1] == '\t'))
        start--;
    return start == 0 || source->text[start - 1] == '\n';
}

int recover_next(const Source *source, int start, int reached, int limit,
                 RecoverToken (*token)(const void *parser, int i), const void *parser)
{
    int depth = 0, i = start;
    for (; i < limit; i++) {
        const RecoverToken t = token(parser, i);
        const bool behind = i > start && i >= reached && depth == 0;
        if (behind && t.begins_filter && t.bracket == 0 && begins_line(source, t.start))
            break;
        depth += depth + t.bracket < 0 ? 0 : t.bracket;
    }
    return i;
}
