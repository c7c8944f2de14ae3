// Other spellings of moves: figurines, piece letters of other languages, dashes and crosses of word processors, and the digits
// of correspondence chess.
#include <string.h>

#include "chess.h"

// German stands for Danish, Norwegian, Swedish, Croatian and Slovenian too, Spanish for Italian and Catalan, Czech for
// Slovak.
const SanLetters san_languages[SAN_LANGUAGES] = {
    {"German", {"S", "L", "T", "D", "K"}},
    {"French", {"C", "F", "T", "D", "R"}},
    {"Spanish", {"C", "A", "T", "D", "R"}},
    {"Dutch", {"P", "L", "T", "D", "K"}},
    {"Portuguese", {"C", "B", "T", "D", "R"}},
    {"Polish", {"S", "G", "W", "H", "K"}},
    {"Czech", {"J", "S", "V", "D", "K"}},
    {"Hungarian", {"H", "F", "B", "V", "K"}},
    {"Romanian", {"C", "N", "T", "D", "R"}},
    {"Finnish", {"R", "L", "T", "D", "K"}},
    {"Estonian", {"R", "O", "V", "L", "K"}},
    {"Icelandic", {"R", "B", "H", "D", "K"}},
    {"Turkish", {"A", "F", "K", "V", "Ş"}},
    {"Latvian", {"Z", "L", "T", "D", "K"}},
    {"Lithuanian", {"Ž", "R", "B", "V", "K"}},
    {"Esperanto", {"Ĉ", "K", "T", "D", "R"}},
    {"Russian", {"К", "С", "Л", "Ф", "Кр"}},
    {"Ukrainian", {"К", "С", "Т", "Ф", "Кр"}},
    {"Bulgarian", {"К", "О", "Т", "Д", "Ц"}},
    {"Greek", {"Ι", "Α", "Π", "Β", "Ρ"}},
    {"English problems", {"S", "B", "R", "Q", "K"}},
};

static bool begins(const char *p, const char *end, const char *with)
{
    const size_t length = strlen(with);
    return (size_t)(end - p) >= length && memcmp(p, with, length) == 0;
}

char san_sign(const char *p, const char *end, int *length)
{
    static const char pieces[] = "KQRBNP";
    static const char *const dashes[] = {"‐", "‑", "‒", "–", "—", "―", "−"};
    static const char *const twos[] = {"×", "х", "а", "с", "е"}; // Cyrillic letters that look like ours
    for (size_t i = 0; i < sizeof twos / sizeof *twos; i++)
        if (begins(p, end, twos[i])) {
            *length = 2;
            return "xxace"[i];
        }
    *length = 3;
    for (size_t i = 0; i < sizeof dashes / sizeof *dashes; i++)
        if (begins(p, end, dashes[i]))
            return '-';
    const int number =
        begins(p, end, "\xE2\x99") && end - p > 2 ? (unsigned char)p[2] - 0x94 : -1; // U+2654 ...
    if (number < 0 || number > 11)
        return 0;
    if (begins(p + 3, end, "\xEF\xB8\x8E") || begins(p + 3, end, "\xEF\xB8\x8F")) // as text or as a picture
        *length = 6;
    return pieces[number % 6];
}

// The PGN letter for the piece letter at p, or 0. *length: of the text.
static char letter_in(const SanLetters *l, const char *p, const char *end, int *length)
{
    for (int i = 4; i >= 0; i--) // the Russian king before the knight
        if (begins(p, end, l->letter[i])) {
            *length = (int)strlen(l->letter[i]);
            return fen_letters[WHITE_KNIGHT + i];
        }
    return 0;
}

// The PGN spelling of the character at p, or 0. *length: of the text.
static char plain_character(const SanLetters *letters, const char *p, const char *end, int *length)
{
    char c;
    if (letters && (c = letter_in(letters, p, end, length)))
        return c;
    if ((unsigned char)*p >= 0x80)
        return san_sign(p, end, length);
    *length = 1;
    return letters && *p >= 'A' && *p <= 'Z' && *p != 'O' && *p != 'Z' ? 0 : *p; // castling, null move
}

// Four digits are the files and ranks of two squares; a fifth one is a promotion. 0000 is a null move. Returns the length, or 0.
static size_t numeric_move(const char *text, size_t length, char out[SAN_MAX])
{
    if (length != 4 && length != 5)
        return 0;
    for (size_t i = 0; i < length; i++)
        if (text[i] < '0' || text[i] > '8')
            return 0;
    if (memcmp(text, "0000", 4) == 0) {
        memcpy(out, "--", 2);
        return 2;
    }
    for (size_t i = 0; i < 4; i++)
        out[i] = i & 1 ? text[i] : (char)(text[i] - '1' + 'a');
    if (length == 5)
        out[4] = text[4] >= '1' && text[4] <= '4' ? "QRBN"[text[4] - '1'] : '?';
    return length;
}

// Writes the word in the spelling of PGN. Returns its length, or 0 when it has no such spelling.
static size_t plain_word(const SanLetters *letters, const char *text, size_t length, char out[SAN_MAX])
{
    size_t count = 0;
    int used;
    for (const char *p = text, *end = text + length; p < end; p += used) {
        const char c = plain_character(letters, p, end, &used);
        if (!c || count == SAN_MAX)
            return 0;
        out[count++] = c;
    }
    return count;
}

SanResult san_parse_in(const Position *p, const SanLetters *letters, const char *text, size_t length, Move *m)
{
    char plain[SAN_MAX];
    size_t count = numeric_move(text, length, plain);
    if (count == 0)
        count = plain_word(letters, text, length, plain);
    return count > 0 ? san_parse_plain(p, plain, count, m) : SAN_NOT_A_MOVE;
}

SanResult san_parse(const Position *p, const char *text, size_t length, Move *m)
{
    const SanResult result = san_parse_plain(p, text, length, m);
    if (result == SAN_OK)
        return result;
    for (size_t i = 0; i < length; i++)
        if ((unsigned char)text[i] >= 0x80)
            return san_parse_in(p, NULL, text, length, m);
    return result;
}
