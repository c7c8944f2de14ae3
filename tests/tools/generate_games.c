// Writes pseudo-random games as PGN: generate_games SEED COUNT [variations]
//
// The same arguments give the same text on every machine. Moves prefer captures and checks a little, so that
// games do not all wander; some games start from a FEN, some hold comments, glyphs and (on demand) nested
// variations.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/chess/chess.h"

static uint64_t state;

static uint32_t next_random(void)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (uint32_t)(state >> 32);
}

static int below(int limit)
{
    return (int)(next_random() % (uint32_t)limit);
}

static const char *const starts[] = {
    "8/5k2/3p4/1p1P1p2/1P3P2/5K2/8/8 w - - 0 1",
    "r3k2r/pppq1ppp/2npbn2/2b1p3/2B1P3/2NPBN2/PPPQ1PPP/R3K2R w KQkq - 0 1",
    "4k3/P6P/8/8/8/8/p6p/4K3 w - - 0 1",
    "6k1/5ppp/8/3N4/3n4/8/5PPP/6K1 b - - 0 40",
};

static Move choose(const Position *p, bool *any)
{
    Move moves[MAX_MOVES];
    int count = pos_legal_moves(p, moves);
    *any = count > 0;
    if (count == 0)
        return (Move){0};
    for (int attempt = 0; attempt < 3; attempt++) {
        Move m = moves[below(count)];
        Position after;
        pos_make(&after, p, m);
        if ((m.flags & MOVE_CAPTURE) || pos_in_check(&after, after.side))
            return m;
    }
    return moves[below(count)];
}

static int column;

static void put(const char *text)
{
    int length = (int)strlen(text);
    if (column > 0 && column + 1 + length > 79) {
        putchar('\n');
        column = 0;
    }
    if (column > 0) {
        putchar(' ');
        column++;
    }
    fputs(text, stdout);
    column += length;
}

static void put_number(int ply, bool force)
{
    char text[16];
    if (ply % 2 == 0)
        snprintf(text, sizeof text, "%d.", ply / 2 + 1);
    else if (force)
        snprintf(text, sizeof text, "%d...", ply / 2 + 1);
    else
        return;
    put(text);
}

static void line(const Position *start, int ply, int length, int depth, bool variations)
{
    Position p = *start;
    bool force = true;
    for (int i = 0; i < length; i++, ply++) {
        bool any;
        Move m = choose(&p, &any);
        if (!any || bb_count(p.board[BOARD_OCCUPIED]) < 3)
            return;
        char san[SAN_MAX];
        san_write(&p, m, san);
        put_number(ply, force);
        put(san);
        force = false;
        if (below(60) == 0) {
            char glyph[8];
            snprintf(glyph, sizeof glyph, "$%d", 1 + below(6));
            put(glyph);
        }
        if (below(80) == 0) {
            put("{a remark}");
            force = true;
        }
        if (variations && depth < 3 && below(12) == 0) {
            put("(");
            line(&p, ply, 1 + below(8), depth + 1, variations);
            put(")");
            force = true;
        }
        pos_play(&p, m);
    }
}

static void game(int number, bool variations)
{
    Position p = pos_start;
    static const char *const results[] = {"1-0", "0-1", "1/2-1/2", "*"};
    const char *result = results[below(4)];
    const char *fen = below(8) == 0 ? starts[below((int)(sizeof starts / sizeof *starts))] : NULL;
    printf("[Event \"Random play %d\"]\n[Site \"?\"]\n[Date \"%d.%02d.%02d\"]\n[Round \"%d\"]\n", below(20),
           1950 + below(70), 1 + below(12), 1 + below(28), 1 + below(9));
    printf("[White \"Player %c\"]\n[Black \"Player %c\"]\n[Result \"%s\"]\n", 'A' + below(12),
           'A' + below(12), result);
    if (below(3) > 0)
        printf("[WhiteElo \"%d\"]\n[BlackElo \"%d\"]\n", 1200 + below(1600), 1200 + below(1600));
    printf("[ECO \"%c%02d\"]\n", 'A' + below(5), below(100));
    int ply = 0;
    if (fen) {
        printf("[SetUp \"1\"]\n[FEN \"%s\"]\n", fen);
        fen_parse(fen, strlen(fen), &p, NULL);
        ply = p.side == BLACK;
    }
    (void)number;
    putchar('\n');
    column = 0;
    line(&p, ply, 20 + below(120), 0, variations);
    put(result);
    printf("\n\n");
}

int main(int count, char **argument)
{
    if (count < 3) {
        fprintf(stderr, "usage: generate_games SEED COUNT [variations]\n");
        return 2;
    }
    state = 0x9E3779B97F4A7C15ULL ^ (strtoull(argument[1], NULL, 10) * 0xD1B54A32D192ED03ULL + 1);
    int games = atoi(argument[2]);
    for (int i = 1; i <= games; i++)
        game(i, count > 3 && strcmp(argument[3], "variations") == 0);
    return 0;
}
