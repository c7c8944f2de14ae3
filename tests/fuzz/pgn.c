// Games to trees and back: tests/tools/game_checks.h says what must agree.
#include "fuzz.h"
#include "tests/tools/game_checks.h"

void check_failed(const char *what, const char *text, size_t length)
{
    (void)text;
    fuzz_fail("%s, in a PGN text of %zu bytes", what, length);
}

void fuzz_pgn(const uint8_t *data, size_t size)
{
    static GameChecks checks; // what was read before must not matter
    static int begun;
    if (!begun++)
        game_checks_init(&checks);
    check_games(&checks, size ? (const char *)data : "", size);
}
