"""Names: `fold` against Python's tables of Unicode; `info --names` and `import --spelling` by hand; the hint after a search that
found nothing."""
import os
import unicodedata

from parts.harness import read, write

# Letters that have no decomposition: what people write for them.
WRITTEN = {"ß": "ss", "æ": "ae", "œ": "oe", "ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "ħ": "h", "ŧ": "t", "ı": "i", "ĳ": "ij", "ŋ": "n",
           "ŉ": "n", "ſ": "s", "ς": "σ"}


def run(suite):
    folding(suite)
    listing(suite)
    spelling(suite)
    known_players(suite)
    spelled_twice(suite)
    spelling_files(suite)
    hints(suite)


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


SPELLING = """\ufeff# Names
@PLAYER
Müller, Karl           # [2600]
=Müller
= MULLER,K.
%Bio Has played = much
Smith, John
= John Smith
= J Smith
Smith, Jack#
= J. Smith
  Able "Ace", A
=Abel
Baker, B
= Cole, C
Cole, C

@site
%Prefix "St " "Sankt "
%Infix "--" " "
%Suffix " GER" ""
Sankt Gallen
=St. Galen
@Event
Open
@ROUND
?
=-
"""


def stored(suite, text, names, *options):
    """What import with a spelling file makes of a PGN: the text of export."""
    path, spelled, base = suite.path("spell.pgn"), suite.path("spell.ssp"), suite.path("spell.cqldb")
    with open(path, "wb") as file:
        file.write(text)
    with open(spelled, "wb") as file:
        file.write(names)
    if os.path.exists(base):
        os.remove(base)
    result = suite.run([suite.cqlgen, "import", path, "--spelling", spelled, "-o", base, *options])
    return result, suite.run([suite.cqlgen, "export", base]).out if os.path.exists(base) else None


def spelling(suite):
    """Each value of a tag, and what it becomes."""
    for tag, before, after in (
            ("White", "Muller", "Müller, Karl"), ("White", "müller,k", "Müller, Karl"), ("Black", "MÜLLER,KARL", "Müller, Karl"), ("White", "Müller, Karl", "Müller, Karl"),
            ("White", "Müller, Kurt", "Müller, Kurt"), ("Black", "Smith,John", "Smith, John"), ("White", "J.Smith", "J.Smith"), ("White", "Smith, Jack", "Smith, Jack"),
            ("White", "Abel", 'Able \\"Ace\\", A'), ("White", 'able \\"ace\\" a', 'Able \\"Ace\\", A'), ("White", "Cole,C", "Cole, C"), ("White", "", ""),
            ("White", "?", "?"), ("WhiteTeam", "Muller", "Muller"), ("Annotator", "Muller", "Muller"), ("Event", "Muller", "Muller"), ("Event", "OPEN", "Open"),
            ("Site", "St Gallen", "Sankt Gallen"), ("Site", "st galen", "Sankt Gallen"), ("Site", "St Anton--Tirol", "Sankt Anton Tirol"), ("Site", "Ulm GER", "Ulm"),
            ("Site", "GER", "GER"), ("Round", "-", "?"), ("Round", "1", "1")):
        text = '[Event "x"]\n[%s "%s"] [Result "*"]\n\n1. e4 {[White "Muller"]} *\n\n'
        result, got = stored(suite, (text % (tag, before)).encode(), SPELLING.encode())
        suite.ends("names: spelling, %s %s" % (tag, before), result, 0, "", "1 game imported, %d with corrected or added tags, 0 messages" % (before != after),
                   also=got == (text % (tag, after)).encode())
    result, got = stored(suite, '[White "MÜLLER"]\n\n1. e4 {schön} *\n\n'.encode("latin-1"), SPELLING[1:].encode("latin-1"), "-q")
    suite.ends("names: spelling in Latin-1", result, 0, "", "", also=got == '[White "Müller, Karl"]\n\n'.encode() + "1. e4 {schön} *\n\n".encode("latin-1"))
    base = suite.path("spell.cqldb")
    for command in (["verify", base], ["search", "-e", 'player "Müller, Karl"', base, "-q", "-f", "count"]):
        suite.ends("names: %s after spelling" % command[0], suite.run([suite.cqlgen, *command]), 0, {"verify": "%s: 1 game, 0 faults\n" % base, "search": "1\n"}[command[0]], "")


PLAYERS = """@PLAYER
Smith, Anna  #WGM YUG/SRB [2400] 1960.01.02--2001
= Smith A
Jones, Bob #gm ENG [2600] 1965
Doe, Jane # w [2000] GER ?
@SITE
Paris # GM
"""


def known_players(suite):
    """What a spelling file says about players becomes tags, unless the game says it."""
    text = '[Site "Paris"]\n[White "Smith A"]\n[Black "Jones, Bob"]\n[BlackTitle "IM"]\n[BlackCountry "?"]\n\n1. e4 *\n\n[White "Doe, Jane"]\n[Black "Nobody"]\n\n1. d4 *\n\n'
    result, got = stored(suite, text.encode(), PLAYERS.encode())
    want = '[Site "Paris"]\n[White "Smith, Anna"]\n[Black "Jones, Bob"]\n[BlackTitle "IM"]\n[BlackCountry "ENG"]\n[WhiteTitle "WGM"]\n[WhiteSex "f"]\n' \
           '[WhiteCountry "SRB"]\n[WhiteBirthDate "1960.01.02"]\n[WhiteDeathDate "2001"]\n[BlackBirthDate "1965"]\n\n1. e4 *\n\n' \
           '[White "Doe, Jane"]\n[Black "Nobody"]\n[WhiteSex "f"]\n[WhiteCountry "GER"]\n\n1. d4 *\n\n'
    suite.ends("names: players of a spelling file", result, 0, "", "2 games imported, 2 with corrected or added tags, 0 messages", also=got == want.encode())
    base = suite.path("spell.cqldb")
    for query, count in (("(match :gender f)", 2), ("(match :country SRB)", 1), ("(match :whitetitle WGM :blacktitle IM)", 1), ("(match :country YUG)", 0)):
        suite.ends("names: %s after spelling" % query, suite.search("-e", query, base, "-q", "-f", "count"), 0, "%d\n" % count, "")
    searched_players(suite, base)
    base = suite.path("again.cqldb")
    if os.path.exists(base):
        os.remove(base)
    again = suite.path("again.pgn")
    with open(again, "wb") as file:
        file.write(got)
    suite.ends("names: nothing is added twice", suite.run([suite.cqlgen, "import", again, "--spelling", suite.path("spell.ssp"), "-o", base]), 0, "",
               "2 games imported, 0 with corrected or added tags")


def searched_players(suite, imported):
    """A search with a spelling file finds what it finds after an import with it, in the PGN, in a database of it, and with each engine."""
    source, spelled, plain = suite.path("spell.pgn"), suite.path("spell.ssp"), suite.path("plain.cqldb")
    suite.run(["rm", "-f", plain])
    suite.run([suite.cqlgen, "import", source, "-o", plain, "-q"])
    engines = ["interp", "tcc", "cc"]
    for query, want in (("(match :gender f)", "1 2"), ("(match :country SRB)", "1"), ("(match :blackcountry ENG)", "1"), ("(match :whitetitle WGM :blacktitle IM)", "1"),
                        ("(match :title GM)", ""), ("(match :birthyear 1960)", "1"), ("(match :blackbirthyear 1960)", ""), ("(match :blackbirthyear 1961 1970)", "1"),
                        ("(match :deathyear 1990 2010)", "1"), ("(match :whitedeathyear 0 2010)", "1"), ("(match :birthyear 0 3000)", "1"),
                        ("(match :not (match :birthyear 0 3000))", "2"), ('// dialect: cqli\ntag "WhiteBirthDate" == "1960.01.02"', "1"), ('// dialect: cqli\ntag "BlackTitle" == "GM"', ""),
                        ('// dialect: cqli\ntag "BlackDeathDate" == "1"', "")):
        for name, engine in zip((source, plain, imported), engines):
            result = suite.search("-e", query, name, "-q", "-f", "csv", "--fields", "game", "--spelling", spelled, "--engine", engine)
            suite.check("names: search --spelling, %s, %s, %s" % (query, os.path.basename(name), engine), result.text().split()[1:] == want.split(), result.text() + result.errors())
        engines = engines[1:] + engines[:1]
    suite.ends("names: :birthyear without a spelling file", suite.search("-e", "(match :birthyear 1960)", imported), 2, "", "`:birthyear` needs a spelling file (--spelling FILE)")
    suite.ends("names: search with no spelling file", suite.search("-e", "true", source, "--spelling", suite.path("none.ssp")), 2, "", "cannot read")
    groups = suite.search("--dialect", "cqli", "-e", "true", source, "-q", "--spelling", spelled, "--count-by", '{tag "WhiteCountry"}', "-f", "csv").text()
    suite.check("names: keys of groups with a spelling file", "SRB" in groups and "GER" in groups, groups)


def spelled_twice(suite):
    """Duplicates are those of the corrected names."""
    path, spelled, base = suite.path("twice.pgn"), suite.path("twice.ssp"), suite.path("twice.cqldb")
    moves = "1. e4 c5 2. Nf3 d6 3. d4 cxd4 4. Nxd4 Nf6 5. Nc3 a6 6. Be3 e5 7. Nb3 Be6 8. f3 Be7 9. Qd2 O-O 10. O-O-O Nbd7 11. g4 b5 1-0"
    write(path, "".join('[White "%s"]\n[Black "Other, One"]\n[Date "1999.01.02"]\n[Result "1-0"]\n\n%s\n\n' % (name, moves)
                        for name in ("Right, Ann", "Wrong, Hannah", "Third, Tom")))
    write(spelled, "@PLAYER\nRight, Ann\n= Wrong, Hannah\n")
    for options, games in ([], 3), (["--spelling", spelled], 2):
        suite.run(["rm", "-f", base])
        result = suite.run([suite.cqlgen, "import", path, "--skip-duplicates", *options, "-o", base])
        suite.check("names: import --skip-duplicates %s" % options[:1], "%d games imported" % games in result.errors()
                    and "%d duplicate" % (3 - games) in result.errors(), result.errors())


def spelling_files(suite):
    pgn, path = b'[White "a b"]\n\n*\n\n', suite.path("spell.ssp")
    for names, messages, white in (
            (b"@PLAYER\n= x\nA. B\n", "2: expected a correct name before its other spelling", b"A. B"),
            (b"A. B\n@PLAYER\nA. B\n", "1: expected @PLAYER, @SITE, @EVENT or @ROUND before the first name", b"A. B"),
            (b"@NOTES\nx\n@PLAYER\nA. B", "1: expected @PLAYER, @SITE, @EVENT or @ROUND; the names of this section are ignored", b"A. B"),
            (b"@PLAYER\r\n%Prefix a\r\nA. B\r\n", "2: expected two texts in quotes", b"A. B"),
            (b"@PLAYER\nA. B\nA, B\n", "", b"a b")):
        result, got = stored(suite, pgn, names, "-q")
        suite.ends("names: spelling file %r" % names, result, 0, "", "%s:%s" % (path, messages) if messages else "", also=got == pgn.replace(b"a b", white))
    for names in (b"", b"# x\n", b"\0\0", b"@PLAYER\n"):
        result, got = stored(suite, pgn, names)
        suite.ends("names: no names in %r" % names, result, 3, "", "has no names: expected a spelling file of Scid", also=got is None)
    result = suite.run([suite.cqlgen, "import", suite.path("spell.pgn"), "--spelling", suite.path("no.ssp"), "-o", suite.path("no.cqldb")])
    suite.ends("names: no spelling file", result, 3, "", "cannot read %s: No such file" % suite.path("no.ssp"), also=not os.path.exists(suite.path("no.cqldb")))


def hints(suite):
    """Only when nothing was found, no name contains the text, and one does without case and accents."""
    path, base = suite.path("hint.pgn"), suite.path("hint.cqldb")
    write(path, '[White "Müller, Karl"]\n[Black "Smith, J"]\n\n1. e4 e5 *\n')
    suite.run([suite.cqlgen, "import", path, "-o", base, "-q"])
    hint = 'no player\'s name contains "%s"; "%s" does without case and accents: player fold "%s"\n'
    for query, want in (('player "muller"', hint % ("muller", "Müller, Karl", "muller")), ('check player black "SMITH"', hint % ("SMITH", "Smith, J", "SMITH")),
                        ('player "Müller" check', ""), ('player "Meier"', ""), ('player fold "meier"', ""), ('event "x"', ""), ('not player "SMITH"', "")):
        for name in (path, base):
            result = suite.search("-e", query, name, "-f", "count")
            suite.check("names: hint after %s, %s" % (query, name[-5:]), result.errors().partition("\n")[2] == want, result.errors())
    for words in (["-q"], ["-e", "e4"]):
        result = suite.search("-e", 'player "muller"', path, "-f", "count", *words)
        suite.check("names: no hint with %s" % words, "fold" not in result.errors(), result.errors())
    result = suite.search("-e", 'player "muller"', "-", "-f", "count", stdin=read(path).encode())
    suite.check("names: no hint about a pipe", result.status == 0 and "fold" not in result.errors(), result.errors())
