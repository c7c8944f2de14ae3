// Diagrams of pages and images: squares of 45 by 45, a8 at 0 0; letters, numbers, pieces, marks and arrows.
#include "run_fixture.h"

#include <stdio.h>
#include <stdlib.h>

#include "runtime/format/writers.h"

enum { A1, C1 = 2, H1 = 7, E2 = 12, E4 = 28, A8 = 56, H8 = 63 };

static Position position_of(const char *fen)
{
    Position p;
    FenClocks clocks;
    assert_null(fen_parse(fen, strlen(fen), &p, &clocks));
    return p;
}

static void expect_part(const Buffer *out, const char *part)
{
    if (!memmem(out->start, out->length, part, strlen(part)))
        fail_msg("%s is not in %.*s", part, (int)out->length, out->start);
}

static int count_of(const Buffer *out, const char *part)
{
    int count = 0;
    const char *at = out->start;
    while ((at = memmem(at, (size_t)(out->start + out->length - at), part, strlen(part))) != NULL) {
        count++;
        at += strlen(part);
    }
    return count;
}

// The dark squares from a1 to h8, a rank after the other, and what follows them.
static void put_dark_squares(Buffer *out)
{
    buffer_text(out, "<path class='dark' d='");
    for (int rank = 0; rank < 8; rank++)
        for (int file = rank % 2; file < 8; file += 2)
            buffer_format(out, "M%d %dh45v45h-45z", 45 * file, 315 - 45 * rank);
    buffer_text(out, "'/>");
}

// A letter and a number for each square at the lower and the left edge, in the colour that can be read there.
static void put_names(Buffer *out, bool flipped)
{
    for (int i = 0; i < 8; i++) {
        const char *class = i % 2 == 0 ? "on-dark" : "on-light";
        buffer_format(out, "<text class='%s' x='%d' y='356'>%c</text>", class, 36 + 45 * i,
                      flipped ? 'h' - i : 'a' + i);
        buffer_format(out, "<text class='%s' x='3' y='%d'>%d</text>", class, 327 - 45 * i,
                      flipped ? 8 - i : 1 + i);
    }
}

static void test_definitions(void **state)
{
    (void)state;
    Buffer out = {0}, want = {0};
    write_html_pieces(&out);
    put_dark_squares(&want);
    buffer_text(&want, "</g>\n<g id='board'><use href='#squares'/>");
    put_names(&want, false);
    buffer_text(&want, "</g>\n<g id='p'><");
    buffer_append(&want, "", 1);
    expect_part(&out, want.start);
    expect_part(&out,
                "<g id='squares'><path class='light' d='M0 0h360v360h-360z'/><path class='dark' d='M0 315h");
    static const char *const pieces[] = {"<g id='p'>", "<g id='n'>", "<g id='b'>",
                                         "<g id='r'>", "<g id='q'>", "<g id='k'>"};
    for (size_t i = 0; i < 6; i++)
        assert_int_equal(count_of(&out, pieces[i]), 1);
    assert_int_equal(count_of(&out, "<g id='"), 8);
    assert_int_equal(count_of(&out, "'></g>"), 0);
    buffer_free(&out);
    buffer_free(&want);
}

static void test_images(void **state)
{
    (void)state;
    const Position p = position_of("k6R/8/8/8/8/8/8/Q6K w - - 0 1");
    const Move last = {.from = A1, .to = H8}, null = {.flags = MOVE_NULL};
    static const struct {
        bool flipped;
        const char *const part[7];
    } cases[] = {
        {false,
         {"<g class='w' transform='translate(0 315)'>", "<g class='w' transform='translate(315 315)'>",
          "<g class='b' transform='translate(0 0)'>", "<g class='w' transform='translate(315 0)'>",
          "<path class='last' d='M0 315h45v45h-45z'/><path class='last' d='M315 0h45v45h-45z'/>",
          "<circle class='found' cx='202.5' cy='202.5' r='20.5'/>"}},
        {true,
         {"<g class='w' transform='translate(315 0)'>", "<g class='w' transform='translate(0 0)'>",
          "<g class='b' transform='translate(315 315)'>", "<g class='w' transform='translate(0 315)'>",
          "<path class='last' d='M315 0h45v45h-45z'/><path class='last' d='M0 315h45v45h-45z'/>",
          "<circle class='found' cx='157.5' cy='157.5' r='20.5'/>"}}};
    for (size_t i = 0; i < 2; i++) {
        Buffer out = {0}, want = {0};
        Diagram d = {.position = &p, .last = &last, .squares = SQ("e4") | SQ("a1"), .label = "L"};
        write_svg_board(&out, &d, cases[i].flipped, 77);
        expect_part(&out, "viewBox='0 0 360 360' width='77' height='77' role='img' aria-label='L'><style>");
        put_dark_squares(&want);
        put_names(&want, cases[i].flipped);
        buffer_text(&want, "<path class='last' d='");
        buffer_append(&want, "", 1);
        expect_part(&out, want.start);
        for (size_t k = 0; cases[i].part[k]; k++)
            expect_part(&out, cases[i].part[k]);
        assert_int_equal(count_of(&out, "<g class="), 4);
        assert_int_equal(count_of(&out, "class='found' cx="), 2);
        d.last = &null; // has no squares
        out.length = 0;
        write_svg_board(&out, &d, cases[i].flipped, 77);
        assert_int_equal(count_of(&out, "class='last' d="), 0);
        buffer_free(&out);
        buffer_free(&want);
    }
}

// An arrow goes from 14 beside the middle of its first square, 22 22 from the corner, to 4 before that of its last. It is 6
// wide; its head is 17 long and 18 wide.
#define UP "M205 278L205 219L211 219L202 206L193 219L199 219L199 278z"
#define RIGHT "M36 340L320 340L320 346L333 337L320 328L320 334L36 334z"
#define SLANTING "M34 329L327 36L331 40L334 25L319 28L323 32L30 325z"
#define DOWN "M19 36L19 320L13 320L22 333L31 320L25 320L25 36z"

static void test_arrows(void **state)
{
    (void)state;
    const Position p = {0}; // no pieces
    static const struct {
        Move move;
        bool later;
        const char *drawn;
    } cases[] = {{{.from = E2, .to = E4}, false, "<path class='next' d='" UP "'/>"},
                 {{.from = A1, .to = H1}, false, "<path class='next' d='" RIGHT "'/>"},
                 {{.from = A8, .to = A1}, false, "<path class='next' d='" DOWN "'/>"},
                 {{.from = A1, .to = H8}, false, "<path class='next' d='" SLANTING "'/>"},
                 {{.from = E2, .to = E4}, true, "<path class='next later' d='" UP "'/>"},
                 {{.flags = MOVE_NULL, .from = E2, .to = E4}, false, ""}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Buffer out = {0}, want = {0};
        const Diagram d = {.position = &p,
                           .next = {&cases[i].move},
                           .later = {cases[i].later},
                           .next_count = 1,
                           .label = "L"};
        write_html_board(&out, &d);
        buffer_format(&want,
                      "<svg class='diagram' viewBox='0 0 360 360' role='img' aria-label='L'><use "
                      "href='#board'/>%s</svg>",
                      cases[i].drawn);
        buffer_append(&want, "", 1);
        buffer_append(&out, "", 1);
        assert_string_equal(out.start, want.start);
        out.length = 0;
        write_svg_board(&out, &d, false, 1);
        buffer_append(&out, "", 1);
        want.length = 0;
        buffer_format(&want, "%s</svg>", cases[i].drawn);
        buffer_append(&want, "", 1);
        expect_part(&out, want.start);
        assert_int_equal(count_of(&out, "<path class='next"), *cases[i].drawn != 0);
        buffer_free(&out);
        buffer_free(&want);
    }
}

// The first arrow lies above the others; the drawings of comments are below: squares under the pieces, arrows above them.
static void test_layers(void **state)
{
    (void)state;
    const Position p = position_of("7k/8/8/8/8/2n5/8/K7 w - - 0 1");
    const Move first = {.from = E2, .to = E4}, second = {.from = A1, .to = H1}, null = {.flags = MOVE_NULL};
    static const Drawing drawing[] = {
        {'R', H8, H8}, {'G', E2, E4}, {'Y', A1, A1}, {'B', A1, H1}, {'G', C1, C1}};
    Buffer out = {0};
    Diagram d = {.position = &p,
                 .last = &null,
                 .squares = SQ("a1") | SQ("h8"),
                 .next = {&first, &second},
                 .later = {false, true},
                 .next_count = 2,
                 .drawing = drawing,
                 .drawing_count = 5,
                 .label = "L"};
    write_html_board(&out, &d);
    buffer_append(&out, "", 1);
    assert_string_equal(
        out.start,
        "<svg class='diagram' viewBox='0 0 360 360' role='img' aria-label='L'><use href='#board'/>"
        "<path class='tint red' d='M315 0h45v45h-45z'/><path class='tint yellow' d='M0 315h45v45h-45z'/>"
        "<path class='tint green' d='M90 315h45v45h-45z'/>"
        "<circle class='found' cx='22.5' cy='337.5' r='20.5'/>"
        "<circle class='found' cx='337.5' cy='22.5' r='20.5'/>"
        "<use href='#k' class='w' x='0' y='315'/><use href='#n' class='b' x='90' y='225'/>"
        "<use href='#k' class='b' x='315' y='0'/>"
        "<path class='draw green' d='" UP "'/><path class='draw blue' d='" RIGHT "'/>"
        "<path class='next later' d='" RIGHT "'/><path class='next' d='" UP "'/></svg>");
    buffer_free(&out);
}

// Pieces stand at multiples of 45, written with as many digits as they have.
static void test_places(void **state)
{
    (void)state;
    const Position p = position_of("k7/8/8/8/8/8/8/RNBQKBNR w - - 0 1");
    Buffer out = {0};
    write_html_board(&out, &(Diagram){.position = &p, .label = "L"});
    expect_part(&out, "<use href='#r' class='w' x='0' y='315'/><use href='#n' class='w' x='45' y='315'/>"
                      "<use href='#b' class='w' x='90' y='315'/><use href='#q' class='w' x='135' y='315'/>"
                      "<use href='#k' class='w' x='180' y='315'/><use href='#b' class='w' x='225' y='315'/>"
                      "<use href='#n' class='w' x='270' y='315'/><use href='#r' class='w' x='315' y='315'/>");
    buffer_free(&out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_definitions), cmocka_unit_test(test_images),
                                       cmocka_unit_test(test_arrows), cmocka_unit_test(test_layers),
                                       cmocka_unit_test(test_places)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
