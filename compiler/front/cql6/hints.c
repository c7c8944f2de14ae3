// What the writer of a broken query may have meant.
#include "lexer.h"
#include "parser.h"

#include <string.h>
#include <strings.h>

static const struct {
    const char *name, *advice;
} names[] = {
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
};

// `f7` at the end of the word.
static bool ends_on_square(const char *name, size_t length)
{
    return length >= 2 && is_file(name[length - 2]) && is_rank(name[length - 1]);
}

// A move in the notation of games, where a filter is wanted: `Nxf7`, `exd5`, `Rad1`.
static const char *hint_for_move(const char *name, size_t length)
{
    const bool takes = length > 3 && name[length - 3] == 'x';
    const bool piece = strchr("KQRBN", name[0]) != NULL;
    if (!ends_on_square(name, length) || strspn(name, "KQRBNabcdefgh12345678x") < length)
        return NULL;
    return takes ? "a capture is written `N[x]f7`" : piece ? "a move is written `R--d1`" : NULL;
}

static const char *hint_for_square(const char *name)
{
    const bool piece = strchr("KQRBNPkqrbnpAa_", name[0]) != NULL, capital = name[0] >= 'A' && name[0] <= 'Z';
    const size_t length = strlen(name);
    const char last = name[length - 1];
    if (length == 1 && piece) // its brackets are not part of a designator
        return "a piece designator contains no spaces, as in `R[a1,h1]`";
    if (length >= 2 && length <= 3 && is_file(name[length - 2]) && (last == '0' || last == '9') &&
        (length == 2 || piece))
        return "the squares are `a1` to `h8`";
    if (length == 2 && piece && is_file(name[1]))
        return "a piece on squares needs a rank too, as in `Ra1-8`";
    if (length == 2 && capital && is_rank(name[1]))
        return "a piece on squares needs a file too, as in `Ra-h1`";
    if (capital && !piece && (length == 1 || (length <= 5 && ends_on_square(name, length))))
        return "the pieces are `K Q R B N P` of White and `k q r b n p` of Black";
    return hint_for_move(name, length);
}

const char *hint_for_name(const char *name)
{
    const size_t length = strlen(name);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const size_t known = strlen(names[i].name);
        const bool plural = length == known + 1 && known > 3 && (name[known] == 's' || name[known] == 'S');
        if ((length == known || plural) &&
            (known > 1 ? strncasecmp(name, names[i].name, known) == 0 : name[0] == names[i].name[0]))
            return names[i].advice;
    }
    const int op = op_from_word(name, length, IN_CQLI);
    if (op >= 0)
        return op_info[op].row == ROW_REFUSED
                   ? "CQLi has this word, but cqlgen does not support it"
                   : "CQLi has this word: write `// dialect: cqli` or use --dialect cqli";
    return hint_for_square(name);
}

const char *hint_for_operator(int mark, Type left)
{
    switch (mark) {
    case PUNCT_INTERSECT:
        return left == TYPE_BOOL || left == TYPE_INT ? "; write `and`" : "";
    case PUNCT_UNION:
        return left == TYPE_BOOL || left == TYPE_INT ? "; write `or`" : "";
    case PUNCT_ASSIGN:
        return "; equality is `==`";
    case PUNCT_LEFT_BRACKET:
        return "; a piece designator such as `[QR]a1-8` contains no spaces";
    default:
        return "";
    }
}
