// Writes plausible games as PGN:
//
//     generate-games [--seed N] [--games N] [--plies N] [--annotated P] [--clocks P] [--starts P] [--wild P] [--endless P]
//
// The same arguments give the same text on every machine. Players develop, capture, give check and mate as their
// rating lets them; games end by mate, resignation or a draw, so that lengths and material are like those of real
// games. --plies: the longest game, which
// then ends somehow. P are percentages of the games: with comments, glyphs and nested variations; with
// clock times; from a FEN; with moves by chance, to the longest length; with moves by chance that seldom capture
// and never mate, so that all of them have the longest length.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/chess/chess.h"
#include "tests/tools/random.h"

typedef struct Plan {
    long seed, games, plies, annotated, clocks, starts, wild, endless;
} Plan;

static uint64_t state;

static int below(int limit)
{
    return (int)(random_next(&state) % (uint32_t)limit);
}

static bool percent(long share)
{
    return below(100) < share;
}

static const char *const starts[] = {
    "8/5k2/3p4/1p1P1p2/1P3P2/5K2/8/8 w - - 0 1",
    "r3k2r/pppq1ppp/2npbn2/2b1p3/2B1P3/2NPBN2/PPPQ1PPP/R3K2R w KQkq - 0 1",
    "4k3/P6P/8/8/8/8/p6p/4K3 w - - 0 1",
    "6k1/5ppp/8/3N4/3n4/8/5PPP/6K1 b - - 0 40",
};

// ---- moves ------------------------------------------------------------------------------------------------

static const int values[7] = {0, 100, 300, 320, 500, 900, 0};

static int count_of(const Position *p, int colour, int type)
{
    return bb_count(p->board[piece_make(colour, type)]);
}

// White's material less Black's, in hundredths of a pawn.
static int balance(const Position *p)
{
    int sum = 0;
    for (int type = WHITE_PAWN; type < WHITE_KING; type++)
        sum += values[type] * (count_of(p, WHITE, type) - count_of(p, BLACK, type));
    return sum;
}

// What is to be gained on the square where the move leads.
static int exchange(const Position *p, Move m)
{
    const int piece = piece_type(m.piece),
              captured = m.victim == NO_SQUARE ? 0 : piece_type(p->square[m.victim]);
    int gain = values[captured] + (m.promoted != EMPTY ? values[piece_type(m.promoted)] - 100 : 0);
    if (attackers_of_colour(p, m.to, !p->side))
        gain -= piece == WHITE_KING
                    ? 0
                    : values[piece] - (bb_count(attackers_of_colour(p, m.to, p->side)) > 1 ? 80 : 0);
    return gain;
}

static int development(const Position *p, Move m)
{
    const int piece = piece_type(m.piece), rank = p->side == WHITE ? m.from / 8 : 7 - m.from / 8,
              file = m.to % 8;
    if (m.flags & MOVE_CASTLE)
        return 90;
    switch (piece) {
    case WHITE_PAWN:
        return file >= 2 && file <= 4 ? 35 : file == 5 ? 0 : 10;
    case WHITE_KNIGHT:
        return (rank == 0 ? 50 : 0) - (file == 0 || file == 7 ? 40 : 0);
    case WHITE_BISHOP:
        return rank == 0 ? 45 : 5;
    case WHITE_KING:
        return -80;
    default:
        return -15;
    }
}

// How good a move looks, in hundredths of a pawn.
static int judge(const Position *p, Move m, int ply)
{
    const int piece = piece_type(m.piece);
    int score = exchange(p, m);
    if (attackers_of_colour(p, m.from, !p->side) && piece > WHITE_PAWN && piece < WHITE_KING)
        score += values[piece] / 3;
    if (ply < 24)
        score += development(p, m);
    else if (piece == WHITE_PAWN)
        score += 4 * (p->side == WHITE ? m.to / 8 : 7 - m.to / 8);
    Position after;
    pos_make(&after, p, m);
    if (pos_in_check(&after, after.side))
        score += pos_has_legal_move(&after) ? 25 : 100000;
    return score;
}

enum { CONSIDERED = 14 };

// The best of some moves as a player sees it who errs by up to `error`; false when there is no move.
static bool choose(const Position *p, int ply, int error, Move *best)
{
    Move moves[MAX_MOVES];
    const int count = pos_legal_moves(p, moves);
    int best_score = INT32_MIN;
    for (int i = 0; i < count; i++) {
        const bool considered = (moves[i].flags & (MOVE_CAPTURE | MOVE_CASTLE)) || below(count) < CONSIDERED;
        const int score = considered ? judge(p, moves[i], ply) + below(error) : INT32_MIN + 1 + below(1000);
        if (score > best_score) {
            best_score = score;
            *best = moves[i];
        }
    }
    return count > 0;
}

// A move by chance after which the game goes on; false when there is none.
static bool wander(const Position *p, Move *chosen)
{
    enum { BETWEEN_CAPTURES = 60 };
    Move moves[MAX_MOVES];
    const int count = pos_legal_moves(p, moves);
    const bool captures = below(BETWEEN_CAPTURES) == 0;
    int best = 0;
    for (int i = 0; i < count; i++) {
        Position after;
        pos_make(&after, p, moves[i]);
        const bool quiet = moves[i].victim == NO_SQUARE && moves[i].promoted == EMPTY &&
                           piece_type(moves[i].piece) != WHITE_PAWN;
        const int score = 1 + below(1000) + (quiet || captures ? 1000 : 0);
        if (score > best && pos_has_legal_move(&after)) {
            best = score;
            *chosen = moves[i];
        }
    }
    return best > 0;
}

// ---- text -------------------------------------------------------------------------------------------------

static FILE *movetext;
static int column;

static void put(const char *text)
{
    int length = (int)strlen(text);
    if (column > 0 && column + 1 + length > 79) {
        putc('\n', movetext);
        column = 0;
    }
    if (column > 0) {
        putc(' ', movetext);
        column++;
    }
    fputs(text, movetext);
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

static void put_move(const Position *p, Move m, int ply, bool force)
{
    char san[SAN_MAX];
    san_write(p, m, san);
    put_number(ply, force);
    put(san);
}

// ---- a game -----------------------------------------------------------------------------------------------

typedef struct Style {
    bool annotated, clocks, wild, endless;
    int error[2]; // by colour
    int longest;
    int clock[2]; // seconds left
} Style;

static bool put_clock(Style *s, int colour)
{
    char text[32];
    s->clock[colour] -= s->clock[colour] > 60 ? below(s->clock[colour] / 20) : below(3);
    const int left = s->clock[colour] > 0 ? s->clock[colour] : 0;
    snprintf(text, sizeof text, "{[%%clk %d:%02d:%02d]}", left / 3600, left / 60 % 60, left % 60);
    put(text);
    return true;
}

static const char *const remarks[] = {"{a remark}", "{better was the other capture}",
                                      "{with the idea of f4-f5}", "{played after long thought}",
                                      "{the decisive mistake}"};

static void variation(const Position *start, int ply, int depth, const Style *style);

// Glyph, comment and variation after a move; true when the next move needs its number.
static bool annotate(const Position *before, int ply, int depth, const Style *style)
{
    bool force = false;
    if (below(30) == 0) {
        char glyph[16];
        snprintf(glyph, sizeof glyph, "$%d", 1 + below(6));
        put(glyph);
    }
    if (below(40) == 0) {
        put(remarks[below((int)(sizeof remarks / sizeof *remarks))]);
        force = true;
    }
    if (depth < 3 && below(20) == 0) {
        variation(before, ply, depth + 1, style);
        force = true;
    }
    return force;
}

static void variation(const Position *start, int ply, int depth, const Style *style)
{
    Position p = *start;
    bool force = true;
    Move m;
    put("(");
    for (int left = 1 + below(8); left > 0 && choose(&p, ply, 2 * style->error[p.side], &m); left--, ply++) {
        const Position before = p;
        put_move(&p, m, ply, force);
        pos_play(&p, m);
        force = annotate(&before, ply, depth, style);
    }
    put(")");
}

static const char *const results[] = {"1-0", "0-1", "1/2-1/2"};

// The result of a game in which a player gives up or both agree to a draw, otherwise NULL. *ahead: for how many plies
// somebody has been far ahead.
static const char *agreed_result(const Position *p, int ply, int quiet, int *ahead)
{
    const int difference = balance(p), men = bb_count(p->board[BOARD_OCCUPIED]);
    *ahead = abs(difference) >= 450 ? *ahead + 1 : 0;
    if (men == 2 || quiet >= 100)
        return results[2];
    if (*ahead > 6 && (difference < 0) == (p->side == WHITE) && below(8) == 0)
        return results[difference < 0];
    if (abs(difference) < 150 && ply > 30 && below(ply > 140 ? 20 : men < 12 ? 60 : 200) == 0)
        return results[2];
    return NULL;
}

// Writes the moves; returns the result.
static const char *main_line(Position p, int ply, Style *style)
{
    const char *result = NULL;
    bool force = true;
    int ahead = 0, quiet = 0, played = 0;
    Move m;
    for (; played < style->longest && !result; played++, ply++) {
        if (!(style->endless ? wander(&p, &m) : choose(&p, ply, style->error[p.side], &m)))
            return pos_in_check(&p, p.side) ? results[p.side == WHITE] : results[2];
        const Position before = p;
        put_move(&p, m, ply, force);
        pos_play(&p, m);
        quiet = (m.flags & MOVE_CAPTURE) || piece_type(m.piece) == WHITE_PAWN ? 0 : quiet + 1;
        force = style->clocks && put_clock(style, before.side);
        if (style->annotated)
            force |= annotate(&before, ply, 0, style);
        result = style->wild || style->endless ? NULL : agreed_result(&p, ply, quiet, &ahead);
    }
    return result ? result : results[below(3)];
}

// ---- tags -------------------------------------------------------------------------------------------------

static const char *const heads[] = {"Al",  "Bar",  "Ber", "Bog",   "Car",  "Dav", "Fed", "Gel",
                                    "Har", "Ivan", "Kam", "Kor",   "Kram", "Lar", "Lev", "Mar",
                                    "Nov", "Pet",  "Pol", "Rosen", "Sav",  "Sch", "Smi", "Tar"};
static const char *const tails[] = {"berg", "chuk", "dze", "ekin",  "er",  "escu", "ez", "ian",
                                    "ic",   "in",   "kov", "man",   "nik", "off",  "ov", "ovic",
                                    "sen",  "ski",  "son", "stein", "ton", "yan"};
static const char *const middles[] = {"", "an", "el", "in", "or", "ov", "us", "y"};
static const char *const places[] = {"Amsterdam", "Berlin",    "Buenos Aires", "Chennai",     "Dortmund",
                                     "Hastings",  "Linares",   "London",       "Moscow",      "New York",
                                     "Paris",     "Reykjavik", "Sofia",        "Wijk aan Zee"};
enum {
    HEADS = sizeof heads / sizeof *heads,
    TAILS = sizeof tails / sizeof *tails,
    MIDDLES = sizeof middles / sizeof *middles
};
enum { PLACES = sizeof places / sizeof *places };

// Few players have played many games.
static int player(long games)
{
    const long players = games / 12 + 8;
    const double place = (double)random_next(&state) / 4294967296.0;
    return (int)(pow(place, 3) * (double)players);
}

static void put_player(const char *colour, int player)
{
    printf("[%s \"%s%s%s, %c", colour, heads[player % HEADS], middles[player / (HEADS * TAILS) % MIDDLES],
           tails[player / HEADS % TAILS], 'A' + player % 23);
    if (player >= HEADS * TAILS * MIDDLES)
        printf("%d", player / (HEADS * TAILS * MIDDLES));
    puts("\"]");
}

static int rating(int player)
{
    return 1500 + (int)((uint32_t)player * 2654435761U >> 16) % 1200 + below(100);
}

static void put_tags(const Plan *plan, const char *fen, const char *result, const int player[2],
                     const int elo[2])
{
    const int year = 1950 + (int)(75 * sqrt((double)random_next(&state) / 4294967296.0)),
              event = below((int)(plan->games / 60 + 4));
    printf("[Event \"%s %s\"]\n", places[event % PLACES], event % 3 ? "Open" : "Masters");
    printf("[Site \"%s\"]\n", places[event % PLACES]);
    const int round = 1 + below(11), day = 1 + below(28);
    printf("[Date \"%d.%02d.%02d\"]\n[Round \"%d\"]\n", year, 1 + event % 12, day, round);
    put_player("White", player[WHITE]);
    put_player("Black", player[BLACK]);
    printf("[Result \"%s\"]\n", result);
    if (year >= 1970)
        printf("[WhiteElo \"%d\"]\n[BlackElo \"%d\"]\n", elo[WHITE], elo[BLACK]);
    const int number = below(100), letter = 'A' + below(5);
    printf("[ECO \"%c%02d\"]\n", letter, number);
    if (fen)
        printf("[SetUp \"1\"]\n[FEN \"%s\"]\n", fen);
    putchar('\n');
}

static void write_game(const Plan *plan)
{
    char *moves = NULL;
    size_t length = 0;
    const char *fen = percent(plan->starts) ? starts[below((int)(sizeof starts / sizeof *starts))] : NULL;
    Position start = pos_start;
    if (fen)
        fen_parse(fen, strlen(fen), &start, NULL);
    int who[2] = {player(plan->games), player(plan->games)};
    while (who[BLACK] == who[WHITE])
        who[BLACK] = player(plan->games);
    const int elo[2] = {rating(who[WHITE]), rating(who[BLACK])};
    Style style = {.annotated = percent(plan->annotated),
                   .clocks = percent(plan->clocks),
                   .wild = percent(plan->wild),
                   .endless = plan->endless > 0 && percent(plan->endless),
                   .error = {(2950 - elo[WHITE]) / 8, (2950 - elo[BLACK]) / 8},
                   .longest = (int)plan->plies,
                   .clock = {5400, 5400}};
    if (style.wild)
        style.error[WHITE] = style.error[BLACK] = 2000;
    column = 0;
    movetext = open_memstream(&moves, &length);
    const char *result = main_line(start, start.side == BLACK, &style);
    put(result);
    fclose(movetext);
    put_tags(plan, fen, result, who, elo);
    puts(moves);
    putchar('\n');
    free(moves);
}

int main(int count, char **argument)
{
    Plan plan = {.seed = 1, .games = 1000, .plies = 300, .annotated = 5, .clocks = 5};
    const struct {
        const char *name;
        long *value;
    } options[] = {{"--seed", &plan.seed},           {"--games", &plan.games},    {"--plies", &plan.plies},
                   {"--annotated", &plan.annotated}, {"--clocks", &plan.clocks},  {"--starts", &plan.starts},
                   {"--wild", &plan.wild},           {"--endless", &plan.endless}};
    enum { OPTIONS = sizeof options / sizeof *options };
    for (int i = 1; i < count; i += 2) {
        int k = 0;
        while (k < OPTIONS && strcmp(argument[i], options[k].name) != 0)
            k++;
        if (k == OPTIONS || i + 1 == count) {
            fputs("usage: generate-games [--seed N] [--games N] [--plies N] [--annotated P] [--clocks P] "
                  "[--starts P] "
                  "[--wild P] [--endless P]\n",
                  stderr);
            return 2;
        }
        *options[k].value = atol(argument[i + 1]);
    }
    state = 0x9E3779B97F4A7C15ULL ^ ((uint64_t)plan.seed * 0xD1B54A32D192ED03ULL + 1);
    for (long i = 0; i < plan.games; i++)
        write_game(&plan);
    return 0;
}
