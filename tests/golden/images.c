// images.cql, compiled by cqlgen
//
//     // The comments name the images of each transform.
//     cql()
//     fliphorizontal { Ra1 nc2 }
//     flipvertical { Rb1 nd2 }
//     flip { Ba1 rc2 }
//     rotate90 { Bb1 rd2 }
//     flipcolor flipvertical { Na1 qc2 }
//     shifthorizontal { Qb1 bg8 }
//     shiftvertical { Qc2 ba8 }
//     shift { Pb4 pg7 }
#include <cqlgen/matcher.h>

// The body of the query at position n.
static int32_t matches(Context *c, int32_t n, const Position *p, int32_t depth)
{
    // 8: shifthorizontal { Qb1 bg8 }
    if (!(p->white.queen & ((p->black.bishop & SQUARES(F1, H8)) >> 61)))
        return 0;
    // 10: shift { Pb4 pg7 }
    if (!(p->white.pawn & ((p->black.pawn & SQUARES(F1, H8)) >> 29)))
        return 0;
    // 9: shiftvertical { Qc2 ba8 }
    if (!(p->white.queen & SQUARES(C1, C2) & ((p->black.bishop & SQUARES(A1, F8)) >> 46)))
        return 0;
    // 3: fliphorizontal { Ra1 nc2 }
    if (/* as written */ (!(p->white.rook & SQUARE(A1)) || !(p->black.knight & SQUARE(C2))) &&
        /* fliphorizontal */ (!(p->white.rook & SQUARE(A8)) || !(p->black.knight & SQUARE(C7))))
        return 0;
    // 4: flipvertical { Rb1 nd2 }
    if (/* as written */ (!(p->white.rook & SQUARE(B1)) || !(p->black.knight & SQUARE(D2))) &&
        /* flipvertical */ (!(p->white.rook & SQUARE(G1)) || !(p->black.knight & SQUARE(E2))))
        return 0;
    // 5: flip { Ba1 rc2 }
    if ((!(p->white.bishop & SQUARE(A1)) ||
         /* as written; reflect_a1h8 */ !(p->black.rook & (SQUARE(C2) | SQUARE(B3)))) &&
        (!(p->white.bishop & SQUARE(H1)) ||
         /* flipvertical; counterclockwise90 */ !(p->black.rook & (SQUARE(F2) | SQUARE(G3)))) &&
        (!(p->white.bishop & SQUARE(A8)) ||
         /* clockwise90; fliphorizontal */ !(p->black.rook & (SQUARE(B6) | SQUARE(C7)))) &&
        (!(p->white.bishop & SQUARE(H8)) ||
         /* reflect_a8h1; rotate180 */ !(p->black.rook & (SQUARE(G6) | SQUARE(F7)))))
        return 0;
    // 6: rotate90 { Bb1 rd2 }
    if (/* as written */ (!(p->white.bishop & SQUARE(B1)) || !(p->black.rook & SQUARE(D2))) &&
        /* counterclockwise90 */ (!(p->white.bishop & SQUARE(H2)) || !(p->black.rook & SQUARE(G4))) &&
        /* clockwise90 */ (!(p->white.bishop & SQUARE(A7)) || !(p->black.rook & SQUARE(B5))) &&
        /* rotate180 */ (!(p->white.bishop & SQUARE(G8)) || !(p->black.rook & SQUARE(E7))))
        return 0;
    // 7: flipcolor flipvertical { Na1 qc2 }
    return /* as written */ ((p->white.knight & SQUARE(A1)) && (p->black.queen & SQUARE(C2))) ||
        /* flipvertical */ ((p->white.knight & SQUARE(H1)) && (p->black.queen & SQUARE(F2))) ||
        /* flipcolor */ ((p->black.knight & SQUARE(A8)) && (p->white.queen & SQUARE(C7))) ||
        /* flipvertical, flipcolor */ ((p->black.knight & SQUARE(H8)) && (p->white.queen & SQUARE(F7)));
}

KIND_SET(en_passant, 1 << 7);
KIND_SET(queen_from, 1 << 5);
KIND_SET(queen_to, 1 << 5 | 1 << 11);
KIND_SET(pawn_from, 1 << 1 | 1 << 7 | 1 << 8 | 1 << 9 | 1 << 10 | 1 << 11);
KIND_SET(pawn_to, 1 << 1 | 1 << 7);
KIND_SET(rook_from, 1 << 4);
KIND_SET(rook_to, 1 << 4 | 1 << 10 | 1 << 12 | 1 << 13);
KIND_SET(bishop_from, 1 << 3);
KIND_SET(bishop_to, 1 << 3 | 1 << 9);
KIND_SET(knight_from, 1 << 2);
KIND_SET(knight_to, 1 << 2 | 1 << 8);
KIND_TABLE(white_rook_castled, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 32, 8, 0, 0);
KIND_TABLE(black_rook_castled, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, SQUARE(F8), SQUARE(D8), 0, 0);

// Counts the positions of main lines at which the query matches, straight from their moves.
static void screen(const LineGroup *line, int32_t count, int32_t (*const *found)[LINE_LANES])
{
    for (int32_t group = 0; group < count; group++, line++)
        for (int32_t lane = 0; lane < LINE_LANES; lane += LANES) {
            const Lanes length = lanes_read(line->length + lane);
            const Lanes possible = lanes_all(~0ULL);
            Lanes hits = lanes_all(0ULL);
            Lanes Q = lanes_all(SQUARE(D1));
            Lanes b = lanes_all(SQUARE(C8) | SQUARE(F8));
            Lanes P = lanes_all(RANK_2);
            Lanes p = lanes_all(RANK_7);
            Lanes R = lanes_all(SQUARE(A1) | SQUARE(H1));
            Lanes n = lanes_all(SQUARE(B8) | SQUARE(G8));
            Lanes B = lanes_all(SQUARE(C1) | SQUARE(F1));
            Lanes r = lanes_all(SQUARE(A8) | SQUARE(H8));
            Lanes N = lanes_all(SQUARE(B1) | SQUARE(G1));
            Lanes q = lanes_all(SQUARE(D8));
            Where now_1 = EVERYWHERE;
            now_1 = lanes_where(now_1, Q & ((b & SQUARES(F1, H8)) >> 61));
            now_1 = lanes_where(now_1, P & ((p & SQUARES(F1, H8)) >> 29));
            now_1 = lanes_where(now_1, Q & SQUARES(C1, C2) & ((b & SQUARES(A1, F8)) >> 46));
            now_1 = lanes_where(now_1,
                                (lanes_not_empty(R & SQUARE(A1)) & lanes_not_empty(n & SQUARE(C2))) |
                                (lanes_not_empty(R & SQUARE(A8)) & lanes_not_empty(n & SQUARE(C7))));
            now_1 = lanes_where(now_1,
                                (lanes_not_empty(R & SQUARE(B1)) & lanes_not_empty(n & SQUARE(D2))) |
                                (lanes_not_empty(R & SQUARE(G1)) & lanes_not_empty(n & SQUARE(E2))));
            now_1 = lanes_where(now_1,
                                (lanes_not_empty(B & SQUARE(A1)) &
                                 lanes_not_empty(r & (SQUARE(C2) | SQUARE(B3)))) |
                (lanes_not_empty(B & SQUARE(H1)) & lanes_not_empty(r & (SQUARE(F2) | SQUARE(G3)))) |
                (lanes_not_empty(B & SQUARE(A8)) & lanes_not_empty(r & (SQUARE(B6) | SQUARE(C7)))) |
                (lanes_not_empty(B & SQUARE(H8)) & lanes_not_empty(r & (SQUARE(G6) | SQUARE(F7)))));
            now_1 = lanes_where(now_1,
                                (lanes_not_empty(B & SQUARE(B1)) & lanes_not_empty(r & SQUARE(D2))) |
                                (lanes_not_empty(B & SQUARE(H2)) & lanes_not_empty(r & SQUARE(G4))) |
                                (lanes_not_empty(B & SQUARE(A7)) & lanes_not_empty(r & SQUARE(B5))) |
                                (lanes_not_empty(B & SQUARE(G8)) & lanes_not_empty(r & SQUARE(E7))));
            now_1 = lanes_where(now_1,
                                (lanes_not_empty(N & SQUARE(A1)) & lanes_not_empty(q & SQUARE(C2))) |
                                (lanes_not_empty(N & SQUARE(H1)) & lanes_not_empty(q & SQUARE(F2))) |
                                (lanes_not_empty(n & SQUARE(A8)) & lanes_not_empty(Q & SQUARE(C7))) |
                                (lanes_not_empty(n & SQUARE(H8)) & lanes_not_empty(Q & SQUARE(F7))));
            hits = lanes_counted(hits, now_1);
            const uint16_t *next = line->word + lane;
            const int32_t rows = LANES > 1 ? line->rows : line->length[lane];
            for (int32_t ply = 1; ply <= rows; ply++, next += LINE_LANES) {
                { // White moves
                    const Lanes word = lanes_read(next);
                    const Lanes kind = word >> 12;
                    const Kinds kinds = lanes_kinds(next, kind);
                    const Lanes from = lanes_square_at(word);
                    const Lanes to = lanes_square_at(word >> 6);
                    const Where live = lanes_live(ply, length);
                    const Lanes passed = (to >> 8) & lanes_of_kind(en_passant, kinds);
                    Q = lanes_toggled(Q, from, queen_from, kinds);
                    Q = lanes_toggled(Q, to, queen_to, kinds);
                    b &= ~to;
                    P = lanes_toggled(P, from, pawn_from, kinds);
                    P = lanes_toggled(P, to, pawn_to, kinds);
                    p &= ~(to | passed);
                    R = lanes_toggled(R, from, rook_from, kinds);
                    R = lanes_toggled(R, to, rook_to, kinds);
                    n &= ~to;
                    B = lanes_toggled(B, from, bishop_from, kinds);
                    B = lanes_toggled(B, to, bishop_to, kinds);
                    r &= ~to;
                    N = lanes_toggled(N, from, knight_from, kinds);
                    N = lanes_toggled(N, to, knight_to, kinds);
                    q &= ~to;
                    R ^= lanes_by_kind(white_rook_castled, kind);
                    Where now_2 = live;
                    now_2 = lanes_where(now_2, Q & ((b & SQUARES(F1, H8)) >> 61));
                    now_2 = lanes_where(now_2, P & ((p & SQUARES(F1, H8)) >> 29));
                    now_2 = lanes_where(now_2, Q & SQUARES(C1, C2) & ((b & SQUARES(A1, F8)) >> 46));
                    now_2 = lanes_where(now_2,
                                        (lanes_not_empty(R & SQUARE(A1)) & lanes_not_empty(n & SQUARE(C2))) |
                                        (lanes_not_empty(R & SQUARE(A8)) & lanes_not_empty(n & SQUARE(C7))));
                    now_2 = lanes_where(now_2,
                                        (lanes_not_empty(R & SQUARE(B1)) & lanes_not_empty(n & SQUARE(D2))) |
                                        (lanes_not_empty(R & SQUARE(G1)) & lanes_not_empty(n & SQUARE(E2))));
                    now_2 = lanes_where(now_2,
                                        (lanes_not_empty(B & SQUARE(A1)) &
                                         lanes_not_empty(r & (SQUARE(C2) | SQUARE(B3)))) |
                        (lanes_not_empty(B & SQUARE(H1)) & lanes_not_empty(r & (SQUARE(F2) | SQUARE(G3)))) |
                        (lanes_not_empty(B & SQUARE(A8)) & lanes_not_empty(r & (SQUARE(B6) | SQUARE(C7)))) |
                        (lanes_not_empty(B & SQUARE(H8)) & lanes_not_empty(r & (SQUARE(G6) | SQUARE(F7)))));
                    now_2 = lanes_where(now_2,
                                        (lanes_not_empty(B & SQUARE(B1)) & lanes_not_empty(r & SQUARE(D2))) |
                                        (lanes_not_empty(B & SQUARE(H2)) & lanes_not_empty(r & SQUARE(G4))) |
                                        (lanes_not_empty(B & SQUARE(A7)) & lanes_not_empty(r & SQUARE(B5))) |
                                        (lanes_not_empty(B & SQUARE(G8)) & lanes_not_empty(r & SQUARE(E7))));
                    now_2 = lanes_where(now_2,
                                        (lanes_not_empty(N & SQUARE(A1)) & lanes_not_empty(q & SQUARE(C2))) |
                                        (lanes_not_empty(N & SQUARE(H1)) & lanes_not_empty(q & SQUARE(F2))) |
                                        (lanes_not_empty(n & SQUARE(A8)) & lanes_not_empty(Q & SQUARE(C7))) |
                                        (lanes_not_empty(n & SQUARE(H8)) & lanes_not_empty(Q & SQUARE(F7))));
                    hits = lanes_counted(hits, now_2);
                }
                next += LINE_LANES;
                if (++ply > rows)
                    break;
                { // Black moves
                    const Lanes word = lanes_read(next);
                    const Lanes kind = word >> 12;
                    const Kinds kinds = lanes_kinds(next, kind);
                    const Lanes from = lanes_square_at(word);
                    const Lanes to = lanes_square_at(word >> 6);
                    const Where live = lanes_live(ply, length);
                    const Lanes passed = (to << 8) & lanes_of_kind(en_passant, kinds);
                    Q &= ~to;
                    b = lanes_toggled(b, from, bishop_from, kinds);
                    b = lanes_toggled(b, to, bishop_to, kinds);
                    P &= ~(to | passed);
                    p = lanes_toggled(p, from, pawn_from, kinds);
                    p = lanes_toggled(p, to, pawn_to, kinds);
                    R &= ~to;
                    n = lanes_toggled(n, from, knight_from, kinds);
                    n = lanes_toggled(n, to, knight_to, kinds);
                    B &= ~to;
                    r = lanes_toggled(r, from, rook_from, kinds);
                    r = lanes_toggled(r, to, rook_to, kinds);
                    N &= ~to;
                    q = lanes_toggled(q, from, queen_from, kinds);
                    q = lanes_toggled(q, to, queen_to, kinds);
                    r ^= lanes_by_kind(black_rook_castled, kind);
                    Where now_3 = live;
                    now_3 = lanes_where(now_3, Q & ((b & SQUARES(F1, H8)) >> 61));
                    now_3 = lanes_where(now_3, P & ((p & SQUARES(F1, H8)) >> 29));
                    now_3 = lanes_where(now_3, Q & SQUARES(C1, C2) & ((b & SQUARES(A1, F8)) >> 46));
                    now_3 = lanes_where(now_3,
                                        (lanes_not_empty(R & SQUARE(A1)) & lanes_not_empty(n & SQUARE(C2))) |
                                        (lanes_not_empty(R & SQUARE(A8)) & lanes_not_empty(n & SQUARE(C7))));
                    now_3 = lanes_where(now_3,
                                        (lanes_not_empty(R & SQUARE(B1)) & lanes_not_empty(n & SQUARE(D2))) |
                                        (lanes_not_empty(R & SQUARE(G1)) & lanes_not_empty(n & SQUARE(E2))));
                    now_3 = lanes_where(now_3,
                                        (lanes_not_empty(B & SQUARE(A1)) &
                                         lanes_not_empty(r & (SQUARE(C2) | SQUARE(B3)))) |
                        (lanes_not_empty(B & SQUARE(H1)) & lanes_not_empty(r & (SQUARE(F2) | SQUARE(G3)))) |
                        (lanes_not_empty(B & SQUARE(A8)) & lanes_not_empty(r & (SQUARE(B6) | SQUARE(C7)))) |
                        (lanes_not_empty(B & SQUARE(H8)) & lanes_not_empty(r & (SQUARE(G6) | SQUARE(F7)))));
                    now_3 = lanes_where(now_3,
                                        (lanes_not_empty(B & SQUARE(B1)) & lanes_not_empty(r & SQUARE(D2))) |
                                        (lanes_not_empty(B & SQUARE(H2)) & lanes_not_empty(r & SQUARE(G4))) |
                                        (lanes_not_empty(B & SQUARE(A7)) & lanes_not_empty(r & SQUARE(B5))) |
                                        (lanes_not_empty(B & SQUARE(G8)) & lanes_not_empty(r & SQUARE(E7))));
                    now_3 = lanes_where(now_3,
                                        (lanes_not_empty(N & SQUARE(A1)) & lanes_not_empty(q & SQUARE(C2))) |
                                        (lanes_not_empty(N & SQUARE(H1)) & lanes_not_empty(q & SQUARE(F2))) |
                                        (lanes_not_empty(n & SQUARE(A8)) & lanes_not_empty(Q & SQUARE(C7))) |
                                        (lanes_not_empty(n & SQUARE(H8)) & lanes_not_empty(Q & SQUARE(F7))));
                    hits = lanes_counted(hits, now_3);
                }
            }
            lanes_write(found[0][group] + lane, hits & possible);
        }
}

// Finds the positions of a game at which matches is true.
static void match_game(Context *c)
{
    match_positions(c, matches);
}

static const QueryInfo queries[] = {
    {
        .name = "images.cql",
        .source = "// The comments name the images of each transform.\n"
            "cql()\n"
            "fliphorizontal { Ra1 nc2 }\n"
            "flipvertical { Rb1 nd2 }\n"
            "flip { Ba1 rc2 }\n"
            "rotate90 { Bb1 rd2 }\n"
            "flipcolor flipvertical { Na1 qc2 }\n"
            "shifthorizontal { Qb1 bg8 }\n"
            "shiftvertical { Qc2 ba8 }\n"
            "shift { Pb4 pg7 }\n",
        .flags = QUERY_EXACT_SCREEN,
        .match_game = match_game,
        .screen = SCREEN(screen, 332),
        .screen_cost = SCREEN_COST(332),
    },
};

EXPORT_QUERIES(queries)
