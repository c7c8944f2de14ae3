"""Names: `fold` against Python's tables of Unicode; `info --names`."""
import unicodedata

from parts.harness import write

# Letters that have no decomposition: what people write for them.
WRITTEN = {"ß": "ss", "æ": "ae", "œ": "oe", "ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "ħ": "h", "ŧ": "t", "ı": "i", "ĳ": "ij", "ŋ": "n",
           "ŉ": "n", "ſ": "s", "ς": "σ"}


def run(suite):
    folding(suite)
    listing(suite)


def folded(letter):
    low = letter.lower()
    if low in WRITTEN:
        return WRITTEN[low]
    plain = "".join(c for c in unicodedata.normalize("NFD", low) if not "\u0300" <= c <= "\u036f")
    return unicodedata.normalize("NFC", "".join(WRITTEN.get(c, c) for c in plain))  # other scripts keep theirs


def folding(suite):
    """All letters of Latin, Greek and Cyrillic, and some others, in the middle of a word."""
    ranges = (range(0xA0, 0x530), range(0x1E00, 0x2000), range(0x10A0, 0x1100), range(0x3040, 0x3060), range(0x1F600, 0x1F610))
    letters = [chr(c) for codes in ranges for c in codes if unicodedata.category(chr(c)) in ("Lu", "Ll", "Lo", "Mn", "So") and len(chr(c).lower()) == 1]
    path = suite.path("letters.pgn")
    write(path, "".join('[Event "A%sZ"]\n\n1. e4 *\n\n' % letter for letter in letters))
    lines = suite.search("-e", "initial message quiet(fold event)", path, "-q", "-f", "count").errors().splitlines()
    got = lines[:len(letters)]
    wrong = [(letter, shown) for letter, shown in zip(letters, got) if shown != "a%sz" % folded(letter)]
    suite.check("names: fold", len(letters) > 1200 and not wrong, "%d letters, %s" % (len(letters), wrong[:20]))


def listing(suite):
    """By hand: family names in order; ~ where case, accents or a shortened given name are all that differs; `Abel` alone may be anybody."""
    pairs = [("Müller, Karl", "Abel, A"), ("MULLER, K", "abel, a."), ("Zo, B", "Karl Müller"), ("Abel", "Zo, C"), ("Müller, Karl", "?"), ("Müller, Kurt", "Øst"), ("øst", "?")]
    path, stored = suite.path("players.pgn"), suite.path("players.cqldb")
    write(path, "".join('[White "%s"]\n[Black "%s"]\n\n1. e4 *\n\n' % pair for pair in pairs))
    suite.run([suite.cqlgen, "import", path, "-o", stored, "-q"])
    suite.ends("names: info --names", suite.run([suite.cqlgen, "info", "--names", stored]), 0, """\
     games  player
         2  ?
         1  Abel
~        1  Abel, A
~        1  abel, a
~        1  MULLER, K
~        1  Karl Müller
~        2  Müller, Karl
         1  Müller, Kurt
~        1  Øst
~        1  øst
         1  Zo, B
         1  Zo, C
""", "")
