// What the writer of a broken query may have meant.
#include "lexer.h"
#include "parser.h"

#include <string.h>

#include "runtime/value/ascii.h"

typedef struct Hint {
    const char *name, *advice;
} Hint;

static const Hint names[] = {
    {"king", "the white king is `K`, the black one `k`"},
    {"queen", "a white queen is `Q`, a black one `q`"},
    {"rook", "a white rook is `R`, a black one `r`"},
    {"bishop", "a white bishop is `B`, a black one `b`"},
    {"knight", "a white knight is `N`, a black one `n`"},
    {"pawn", "a white pawn is `P`, a black one `p`"},
    {"empty", "an empty square is `_`"},
    {"checkmate", "write `mate`"},
    {"mated", "write `mate`"},
    {"checked", "write `check`"},
    {"on", "the squares that two sets share are `S & T`"},
    {"castling", "write `castle`, `o-o` or `o-o-o`"},
    {"castles", "write `castle`, `o-o` or `o-o-o`"},
    {"O", "castling is `o-o` or `o-o-o`, with small letters"},
    {"whitetomove", "write `wtm`"},
    {"blacktomove", "write `btm`"},
    {"promotes", "a promotion is `--=Q`"},
    {"promotion", "a promotion is `--=Q`"},
    {"takes", "a capture is `[x]`, as in `N[x]q`"},
    {"elseif", "write `else if`"},
    {"elif", "write `else if`"},
    {"for", "a loop over squares is `square x in S { … }`"},
    {"foreach", "a loop over squares is `square x in S { … }`"},
    {"let", "an assignment is `x = …`"},
    {"var", "an assignment is `x = …`"},
    {"endif", "group filters with braces `{ … }`"},
    {"begin", "group filters with braces `{ … }`"},
    {"turn", "for the side to move, write `wtm` or `btm`"},
    {"side", "for the side to move, write `wtm` or `btm`"},
    {"play", "for the side to move, write `wtm` or `btm`"},
    {"plays", "for the side to move, write `wtm` or `btm`"},
    {"rating", "write `elo`, `elo white` or `elo black`"},
    {"whiteelo", "write `elo white`"},
    {"blackelo", "write `elo black`"},
    {"whiteplayer", "write `player white`"},
    {"blackplayer", "write `player black`"},
    {"name", "write `player \"Carlsen\"`"},
    {"tournament", "write `event \"Open\"`"},
    {"size", "the number of squares in a set S is `#S`"},
    {"number", "the number of squares in a set S is `#S`"},
    {"amount", "the number of squares in a set S is `#S`"},
    {"exists", "a set is true when it is not empty: write the set alone"},
    {"has", "a set is true when it is not empty: write the set alone"},
    {"length", "`#s` is the length of a string; the length of a game is `terminal ply`"},
    {"movecount", "write `movenumber` for full moves, `ply` for half-moves"},
    {"moves", "a move is `--`, its number `movenumber`; moves in a row are a `path`"},
    {"piece_count", "the number of squares in a set S is `#S`"},
    {"anypiece", "any piece is `[Aa]`, an empty square `_`"},
    {"piecesof", "white pieces are `A`, black ones `a`"},
    {"at", "a queen on h7 is `Qh7`; squares that two sets share are `S & T`"},
    {"en", "write `enpassant`, one word"},
    {"gives", "a move that gives check is `--(check)`"},
    {"giving", "a move that gives check is `--(check)`"},
    {"start", "the first position is `initial`"},
    {"starting", "the first position is `initial`"},
    {"first", "the first position is `initial`; the first check from here is `find check`"},
    {"end", "the last position is `terminal`; group filters with braces `{ … }`"},
    {"final", "the last position is `terminal`"},
    {"last", "the last position is `terminal`, the last move `currentmove --`"},
    {"after", "a condition on the next position is `child:F`, on all later ones `find F`"},
    {"before", "a condition on the position before is `parent:F`, on earlier ones `find <-- F`"},
    {"asc", "least first is `sort min \"title\" F`"},
    {"ascending", "least first is `sort min \"title\" F`"},
    {"desc", "`sort F` puts the greatest first"},
    {"descending", "`sort F` puts the greatest first"},
    {"attacking", "write `attacks`"},
    {"defends", "pieces also attack squares of their own side: write `attacks`"},
    {"protects", "pieces also attack squares of their own side: write `attacks`"},
    {"defended", "write `attackedby`, with pieces of the same side"},
    {"protected", "write `attackedby`, with pieces of the same side"},
    {"isolated", "write `isolatedpawns`"},
    {"passed", "write `passedpawns`"},
    {"doubled", "write `doubledpawns`"},
    {"passedpawn", "write `passedpawns`"},
    {"return", "the value of a function is that of its last filter"},
    {"break", "there is no `break`; end a `loop` with a filter that fails"},
    {"print", "write `message`, or `comment`"},
    {"regex", "a regular expression is matched with `~~`"},
    {"contains", "write `\"text\" in player`"},
    {"xor", "write `(F and not G) or (G and not F)`"},
    {"draw", "a drawn game is `result 1/2-1/2`"},
    {"drawn", "a drawn game is `result 1/2-1/2`"},
    {"no", "negation is `not`, as in `not Q`"},
    {"without", "negation is `not`, as in `not Q`"},
    {"trapped", "a queen that cannot move is `not legal Q--`"},
    {"null_move", "write `nullmove`"},
    {"mainvariation", "write `mainline`"},
};

// In CQLi these are said otherwise.
static const Hint cqli_names[] = {
    {"castling", "a castling move is `move castle`, or `o-o`, `o-o-o` after `move`"},
    {"castles", "a castling move is `move castle`, or `o-o`, `o-o-o` after `move`"},
    {"promotes", "a promotion is `move promote Q`"},
    {"promotion", "a promotion is `move promote Q`"},
    {"takes", "a capture is `move from N capture q`"},
    {"moves", "a move is `move`, its number `movenumber`; moves in a row are a `line`"},
    {"gives", "a move that gives check is `move legal : check`"},
    {"giving", "a move that gives check is `move legal : check`"},
    {"last", "the last position is `terminal`, the last move `move previous`"},
    {"trapped", "a queen that cannot move is `not move legal from Q`"},
    {"null_move", "write `move null`, or `move previous null`"},
};

// Motifs that examples show; `cqlgen examples NAME` prints the example, or lists those that mention the word.
static const struct {
    const char *name, *example;
} motifs[] = {
    {"fork", "fork"},
    {"skewer", "skewer"},
    {"double", "double-check"},
    {"doublecheck", "double-check"},
    {"discovered", "discovered-attack"},
    {"discovery", "discovered-attack"},
    {"zugzwang", "zugzwang"},
    {"smothered", "smothered-mate"},
    {"smotheredmate", "smothered-mate"},
    {"backrank", "back-rank"},
    {"sacrifice", "sacrifice"},
    {"windmill", "windmill"},
    {"underpromotion", "underpromotion"},
    {"excelsior", "excelsior"},
    {"switchback", "switchback"},
    {"perpetual", "perpetual"},
    {"threefold", "threefold-repetition"},
    {"novelty", "novelty"},
    {"upset", "upset"},
    {"outpost", "outpost"},
    {"fortress", "fortress"},
    {"battery", "alekhines-gun"},
    {"endgame", "ending"},
    {"ending", "ending"},
    {"hanging", "hanging-piece"},
    {"deflection", "deflection"},
    {"decoy", "deflection"},
    {"interference", "interference"},
    {"overloaded", "overloaded-piece"},
    {"zwischenzug", "zwischenzug"},
    {"pinned", "pin"},
    {"bishoppair", "bishop-pair"},
};

static Advice only(const char *text)
{
    return (Advice){text, NULL};
}

// Advice that ends in the word to write.
static Advice advise(const Parser *p, const char *begin, const char *word)
{
    return (Advice){arena_printf(p->arena, "%s `%s`", begin, word), word};
}

// The words of "write `WORDS`"; NULL for other advice.
static const char *word_to_write(const Parser *p, const char *advice)
{
    static const char begin[] = "write `";
    const size_t start = strlen(begin);
    if (strncmp(advice, begin, start) != 0)
        return NULL;
    const size_t length = strspn(advice + start, "abcdefghijklmnopqrstuvwxyz ");
    return strcmp(advice + start + length, "`") == 0 ? arena_copy(p->arena, advice + start, length) : NULL;
}

static const char *hint_for_motif(const Parser *p, const char *name, size_t length)
{
    for (size_t i = 0; i < sizeof motifs / sizeof *motifs; i++) {
        const size_t known = strlen(motifs[i].name);
        const bool plural = length == known + 1 && (name[known] == 's' || name[known] == 'S');
        if ((length == known || plural) && ascii_same_bytes(name, motifs[i].name, known))
            return arena_printf(p->arena, "`cqlgen examples %s` shows how to find it", motifs[i].example);
    }
    return NULL;
}

// `f7` at the end of the word.
static bool ends_on_square(const char *name, size_t length)
{
    return length >= 2 && is_file(name[length - 2]) && is_rank(name[length - 1]);
}

// A move in the notation of games, where a filter is wanted: `Nxf7`, `exd5`, `Rad1`, `Qxq`.
static Advice hint_for_move(const Parser *p, const char *name, size_t length)
{
    const char *takes = memchr(name, 'x', length);
    const bool piece = strchr("KQRBNPAkqrbnpa", name[0]) != NULL;
    const char *victims = name[0] < 'a' ? "kqrbnpa" : "KQRBNPA";
    if (takes == name + 1 && piece && length == 3 && strchr(victims, name[2]) != NULL)
        return advise(p, "a capture is written", arena_printf(p->arena, "%c[x]%c", name[0], name[2]));
    if (!ends_on_square(name, length) || strspn(name, "KQRBNabcdefgh12345678x") < length)
        return only(NULL);
    const char *to = name + length - 2;
    const bool pawn = is_file(name[0]) && takes == name + 1; // `bxc3` is a move of a pawn
    if (takes != NULL && length > 3)
        return advise(p, "a capture is written", arena_printf(p->arena, "%c[x]%s", pawn ? 'P' : name[0], to));
    return piece ? advise(p, "a move is written", arena_printf(p->arena, "%c--%s", name[0], to)) : only(NULL);
}

static Advice hint_for_square(const Parser *p, const char *name)
{
    const bool piece = strchr("KQRBNPkqrbnpAa_", name[0]) != NULL, capital = name[0] >= 'A' && name[0] <= 'Z';
    const size_t length = strlen(name);
    const char last = name[length - 1];
    if (length == 1 && piece) // its brackets are not part of a designator
        return only("a piece designator contains no spaces, as in `R[a1,h1]`");
    if (length >= 2 && length <= 3 && is_file(name[length - 2]) && (last == '0' || last == '9') &&
        (length == 2 || piece))
        return only("the squares are `a1` to `h8`");
    if (length == 2 && piece && is_file(name[1]))
        return only("a piece on squares needs a rank too, as in `Ra1-8`");
    if (length == 2 && piece && capital && is_rank(name[1]))
        return only("a piece on squares needs a file too, as in `Ra-h1`");
    if (capital && !piece && (length == 1 || (length <= 5 && ends_on_square(name, length))))
        return only("the pieces are `K Q R B N P` of White and `k q r b n p` of Black");
    return hint_for_move(p, name, length);
}

// A word that only older dialects have.
static const char *hint_for_older_word(const Parser *p, const char *name, size_t length)
{
    char keyword[64];
    snprintf(keyword, sizeof keyword, ":%s", name);
    const int five = op_from_word(name, length, IN_CQL5);
    const int three = op_from_word(keyword, length + 1, IN_CQL3);
    if (five >= 0 && op_info[five].modern != NULL)
        return arena_printf(p->arena, "a word of CQL 5; in CQL 6.2 write `%s`", op_info[five].modern);
    if (three >= 0)
        return arena_printf(p->arena, "a keyword of CQL 3; see `cqlgen help %s`", name);
    return NULL;
}

// What the token after an unknown name says: a variable without a value, an assignment of another language.
static const char *hint_for_variable(const Parser *p, const Token *name)
{
    const Token *next = name + 1;
    if (next->kind != TOKEN_PUNCTUATION)
        return NULL;
    if (next->number == PUNCT_COLON && token_is_mark(next + 1, PUNCT_ASSIGN))
        return arena_printf(p->arena, "an assignment is `%s = …`", name->bytes);
    if (next->number == PUNCT_PLUS && token_is_mark(next + 1, PUNCT_PLUS))
        return arena_printf(p->arena, "give it a value first, as `%s = 0`; then write `%s += 1`", name->bytes,
                            name->bytes);
    return next->number == PUNCT_EQ || is_assignment_mark(next)
               ? arena_printf(p->arena, "give it a value first, as `%s = …`", name->bytes)
               : NULL;
}

// The advice for a name of the table or its plural, or NULL.
static const char *advice_of(const Hint *hint, size_t count, const char *name, size_t length)
{
    for (size_t i = 0; i < count; i++) {
        const size_t known = strlen(hint[i].name);
        const bool plural = length == known + 1 && known > 3 && (name[known] == 's' || name[known] == 'S');
        if ((length == known || plural) &&
            (known > 1 ? ascii_same_bytes(name, hint[i].name, known) : name[0] == hint[i].name[0]))
            return hint[i].advice;
    }
    return NULL;
}

Advice hint_for_name(const Parser *p, const Token *word)
{
    const char *name = word->bytes;
    const size_t length = strlen(name);
    if (length == 1 && *name == 'x' && word > p->token && word[-1].kind == TOKEN_DESIGNATOR)
        return only(own(p)->cqli ? "a capture is `move from N capture q`" : "a capture is written `N[x]q`");
    const char *advice =
        own(p)->cqli ? advice_of(cqli_names, sizeof cqli_names / sizeof *cqli_names, name, length) : NULL;
    if (advice == NULL)
        advice = advice_of(names, sizeof names / sizeof *names, name, length);
    if (advice != NULL)
        return (Advice){advice, word_to_write(p, advice)};
    const char *motif = hint_for_motif(p, name, length);
    if (motif != NULL)
        return only(motif);
    const int op = op_from_word(name, length, IN_CQLI);
    if (op >= 0)
        return only(op_info[op].row == ROW_REFUSED
                        ? "CQLi has this word, but cqlgen does not support it"
                        : "CQLi has this word: write `// dialect: cqli` or use --dialect cqli");
    const Advice square = hint_for_square(p, name);
    if (square.text != NULL)
        return square;
    const char *variable = hint_for_variable(p, word);
    return only(variable != NULL ? variable : hint_for_older_word(p, name, length));
}

// `[x]` of CQL 6.2 comes next.
static bool is_capture_sign(const Parser *p)
{
    return strncmp(p->source->text + p->token[p->position].span.start, "[x]", 3) == 0;
}

const char *hint_for_operator(Parser *p, int mark, Type left)
{
    const bool counts = left == TYPE_BOOL || left == TYPE_INT;
    const char *word = mark == PUNCT_INTERSECT && counts ? "and"
                       : mark == PUNCT_UNION && counts   ? "or"
                       : mark == PUNCT_ASSIGN            ? "=="
                                                         : NULL;
    if (word != NULL)
        parse_cure(p, parse_peek(p)->span, word);
    switch (mark) {
    case PUNCT_INTERSECT:
    case PUNCT_UNION:
        return word != NULL ? arena_printf(p->arena, "; write `%s`", word) : "";
    case PUNCT_ASSIGN:
        return "; equality is `==`";
    case PUNCT_PLUS:
        return own(p)->last->op == OP_DASH ? "; a move that gives check is `--(check)`" : "";
    case PUNCT_LEFT_BRACKET:
        return own(p)->cqli && is_capture_sign(p)
                   ? "; in CQLi a capture is `move from N capture q`"
                   : "; a piece designator such as `[QR]a1-8` contains no spaces";
    default:
        return "";
    }
}
