// The filter `exactfen` (language reference 17.1), which the parsers of CQL 6.2, CQLi and CQL 5 share.
#include "parser.h"
#include "runtime/chess/chess.h"

// What the board must be: a designator for each square.
static Ast *board_of(Parser *p, const Position *position, Span span)
{
    Ast *board = parse_node(p, OP_FEN, TYPE_BOOL, span);
    for (int place = 0; place < 64; place++) {
        Ast *square = parse_node(p, OP_DESIGNATOR, TYPE_SET, span);
        square->mask = bb_of(place ^ 56);
        square->pieces = 1u << position->square[place ^ 56];
        parse_add(p, board, square);
    }
    return board;
}

// Where a pawn can legally capture en passant.
static Ast *en_passant_of(Parser *p, const Position *position, Span span)
{
    const Bitboard mask = pos_legal_en_passant(position);
    Ast *square = parse_node(p, mask != 0 ? OP_DESIGNATOR : OP_NO_SQUARES, TYPE_SET, span);
    square->mask = mask;
    square->pieces = ANY_SQUARE;
    Ast *equal = parse_node(p, OP_EQ, TYPE_BOOL, span);
    parse_add(p, equal, parse_node(p, OP_LEGAL_EN_PASSANT, TYPE_SET, span));
    parse_add(p, equal, square);
    return equal;
}

void parse_exact_position(Parser *p, Ast *node, const Token *string)
{
    Position position;
    size_t fault, length;
    const char *wrong = pos_read(string->bytes, string->length, &position, NULL, &fault, &length);
    const Span span = string->span;
    if (wrong != NULL) {
        // Without bytes that are not UTF-8, the text is that of the source, after the quote.
        const uint32_t start = span.start + 1 + (uint32_t)fault;
        const uint32_t end = start + (uint32_t)(length > 0 ? length : 1);
        parse_fail(p, end <= span.end ? (Span){start, end} : span, "%s", wrong);
    }
    node->text = NULL;
    node->number = position.castling;
    parse_add(p, node, board_of(p, &position, span));
    parse_add(p, node, parse_node(p, position.side == WHITE ? OP_WTM : OP_BTM, TYPE_BOOL, span));
    parse_add(p, node, en_passant_of(p, &position, span));
}
