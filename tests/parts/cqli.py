"""`cqlgen cqli`, the command line of CQLi (language reference 13.20), over the games of parts/cql.py."""
import os
import re

from parts.cql import EVERY, MATE, Folder, finds, ignored_words, moves, prints, refuses, rounds, writes
from parts.harness import ROOT, read, write

SUMMARY = r"^Analyzed \d+ games in [\d.]+ seconds\n"
TRANSFORMS = ["flip", "flipvertical", "fliphorizontal", "flipcolor", "reversecolor", "shift", "shiftvertical", "shifthorizontal", "rotate90",
              "rotate45"]
FEW = ["-i", "options.pgn", "-g", "2", "--silent", "-o", "q-out.pgn"]


def all_options(folder):
    """The options of chapter 13, section 20, are those of the program, `--no` forms too."""
    text = read(os.path.join(ROOT, "docs", "language", "13-dialect-cqli.md")).partition("## 20.")[2].partition("**What is printed**")[0]
    described = set(re.findall(r"(?<![\w-])--?([a-z0-9]+)(?![\w…])", text)) - {"no"}
    described |= {word for word in TRANSFORMS}
    shown = set()
    for line in re.findall(r"^  (-.*)", folder.run("-h").text(), re.M):
        for no, word in re.findall(r"(?:^|, )-(\[no\]|no-)?([a-z0-9]+)", line):
            shown |= {word, "no" + word} if no else {word}
    folder.suite.check("cqli: options of the language reference", described <= shown, "not in the help: %s" % sorted(described - shown))
    own = {"n", "j", "V", "allow", "noheaders", "sample", "strict"}
    plain = {word[2:] if word.startswith("no") else word for word in described}
    more = {word for word in shown - described - own if word not in plain and word[2:] not in plain}
    folder.suite.check("cqli: options that only the help knows", not more, str(sorted(more)))


def known_commands(folder):
    """The commands that clients are known to run, and what they read of the output."""
    check = folder.suite.check
    files = ["-i", "options.pgn", "-o", "q-out.pgn"]
    for options in ([*files, "-matchstring", "NAME"], [*files, "-matchstring", "NAME", "-threads", "2"], [*files, "-s"],
                    [*files, "--showmatches", "--lineincrement", "2", "--nosort"],
                    [*files, "--showmatches", "--lineincrement", "2", "--nosort", "--elidecomments", "--silent"],
                    ["-lineincrement", "2", "-input", "options.pgn", "-output", "q-out.pgn"]):
        result = folder.run(*options, query="cql() mate")
        text = result.text()
        found = re.search(SUMMARY + r"(\d+) CQL matches \(in (\d+) games\) written to q-out\.pgn$", text, re.M)
        check("cqli: " + " ".join(options), result.status == 0 and found and found.groups() == ("2", "2") and
              rounds(folder.output()) == [1, 2], text + result.errors())
        check("cqli: marks of " + " ".join(options), re.findall(r"<\d+>", text) == (["<1>", "<2>"] if "--showmatches" in options else []) and
              ("[2]" in text) == bool({"--lineincrement", "-lineincrement"} & set(options)), text)
        check("cqli: comments of " + " ".join(options), ("NAME" in folder.output()) == ("NAME" in options) and
              ("{" in folder.output()) != ("--elidecomments" in options), folder.output())
    prints(folder, "the version", r"\A.*\bCQLi\b.*\n\Z", "--version", query=None)
    result = folder.run("-parse", query="cql() mate or check")
    check("cqli: -parse", result.status == 0 and result.text().startswith("cql() mate or check\n") and
          re.search(r"^ +mate : bool$", result.text(), re.M) and folder.output() is None, result.text())
    link = folder.file("cqli")
    os.symlink(folder.suite.cqlgen, link)
    result = folder.suite.run([link, *files, "q.cql"], cwd=folder.path)
    check("cqli: by the name cqli", result.status == 0 and "CQL matches (in " in result.text(), result.text())


def rules(folder):
    check = folder.suite.check
    result = folder.run("-i", "options.pgn", "-o", "split-{Round}.pgn", query="cql(silent) mate")
    files = sorted(name for name in os.listdir(folder.path) if name.startswith("split-"))
    for options, query, status, what in ((["--secure"], 'cql() readfile "x.pgn" == ""', 1, "refused because of --secure"),
                                         (["--noremovetag"], 'cql(silent) mate removetag "Round"', 0, "written to"),
                                         (["--allow-commands", "--pipetimeout", "9"], 'cql(silent) mate commandpipe("cat" "x") == "x"', 0, "2 CQL matches")):
        ran = folder.run("-i", "options.pgn", "-o", "q-out.pgn", *options, query=query)
        check("cqli: %s" % options[0], ran.status == status and what in ran.text(), ran.text() + ran.errors())
    check("cqli: output in several files", result.status == 0 and files == ["split-1.pgn", "split-2.pgn"], "%s %s" % (files, result.text()))
    result = folder.run("-i", "options.pgn", query="cql() false")
    check("cqli: the output is made even if nothing matches", result.status == 0 and folder.output() == "" and
          re.search(SUMMARY + "No CQL matches$", result.text(), re.M), result.text())
    finds(folder, "a value is a condition", [1, 2, 3], "-i", "options.pgn", query="cql() #R")
    finds(folder, "a marker", [1, 2], "-i", "options.pgn", query="// dialect: cql6\ncql() mate")
    refuses(folder, "a value as a condition in CQL 6.2", "error", "-i", "options.pgn", query='// dialect: cql6\ncql() "a"')
    result = folder.run("--CQL", "mate", "--Input", "options.pgn", "-O", "inline.pgn")
    check("cqli: filters of --cql without a query file", rounds(folder.output("inline.pgn")) == [1, 2], result.text())
    refuses(folder, "a mistake", r"^q\.cql:1:7: error: unknown name `chek`", "-i", "options.pgn", query="cql() chek")
    refuses(folder, "a filter for a query in CQL 5", "cannot add a filter", "-i", "options.pgn", "--cql", "mate",
            query="; dialect: cql5\ncql() mate")
    refuses(folder, "an assertion that fails", "assert", "-i", "options.pgn", query="cql() assert ply<3")
    refuses(folder, "no query and no input", "no query", "--nosort", query=None)
    prints(folder, "an option with a slip", "did you mean `-showmatches`", "--showmatch", query=None, status=1)
    prints(folder, "help", "^usage: cqlgen cqli", "-h", query=None)
    prints(folder, "help without arguments", "^usage: cqlgen cqli", query=None)


def shared_options(folder):
    """The options that `cqlgen cql` has too."""
    for want, options in (([1], ["-g", "1"]), ([2, 3], ["--gamenumber", "2", "3"]), ([2], ["--white", "^Ek"]), ([1], ["--black", "^Ek"]),
                          ([1, 3], ["--player", "^Quill"]), ([2, 3], ["--event", "ill C"]), ([1], ["--site", "side"]),
                          ([3], ["--result", "1/2-1/2"]), ([], ["--result", "*"]), ([2], ["--year", "2010"]), ([2, 3], ["--matchcount", "3", "5"]),
                          ([3], ["--fen", "rnbqkbnr/pppppppp/8/8/3P4/8/PPP1PPPP/RNBQKBNR"]), ([2], ["--wtm", "--cql", "mate"]),
                          ([1], ["--btm", "--cql", "mate"]), ([1, 2], ["--variations", "--matchcount", "8"]), ([], ["--hhdb", "cooked"]),
                          ([1, 2], ["--virtualmainline", "--matchcount", "6", "8"]), ([3], ["--mainline", "--matchcount", "1", "4"]),
                          ([2], ["--flipcolor", "--cql", "Qh5 mate"]), ([1, 2], ["--assign", "num", "7", "--cql", "mate num==7"])):
        finds(folder, " ".join(options), want, "-i", "options.pgn", *options, query="cql() .")
    refuses(folder, "--vi that is not there", "hhdbvi.pgn", "--vi", query="cql() .")
    refuses(folder, "--vii that is not there", "hhdbvii.pgn", "--vii", query="cql() .")
    draw = ["-i", "options.pgn", "-g", "3"]
    twice = 'cql() comment("a") comment("a") btm'
    writes(folder, "comments stay apart, and equal ones are kept", "{Game number 3}1.d4{queen pawn}{a}{a}{CQL}1...d5 1/2-1/2", *draw, query=twice)
    writes(folder, "--uniquecomments", "{Game number 3}1.d4{queen pawn}{a}{CQL}1...d5 1/2-1/2", *draw, "--uniquecomments", query=twice)
    refuses(folder, "an option and its opposite", "cannot be used together", *draw, "--uniquecomments", "--nouniquecomments", query=twice)
    writes(folder, "--noheader", "1.d4{queen pawn}{CQL}1...d5 1/2-1/2", *draw, "--noheader", query="cql() btm")
    writes(folder, "--quiet", "{Game number 3}1.d4{queen pawn}1...d5 1/2-1/2", *draw, "--quiet", query="cql() btm")
    writes(folder, "--noremovecomment", "1.d4{queen pawn}{CQL}1...d5 1/2-1/2", *draw, "--noheader", "--noremovecomment",
           query="cql() removecomment btm")
    for option in ("--alwayscomment", "--nocommitlog", "--nosmartcomments"):
        writes(folder, option, "1.d4{queen pawn}1...d5{c}1/2-1/2", *draw, "--quiet", "--noheader", option, query='cql() {ply==2 comment("c") false} or ply==1')
    folder.run(*draw, "--nosettag", query='cql() settag("Annotator" "Moon")')
    folder.suite.check("cqli: --nosettag", rounds(folder.output()) == [3] and "Annotator" not in folder.output())
    longest = 'cql(variations) initial line --> wtm --> btm --> wtm --> {comment("c") btm}'
    for options, want in (([], 1), (["--keepallbest"], 2)):  # 1.f3 e5 2.g4 and 1...d5 2.g4
        folder.run("-i", "options.pgn", "-g", "2", *options, query=longest)
        folder.suite.check("cqli: longest lines with %s" % options, (folder.output() or "").count("{c}") == want, folder.output())
    for options, kept in (([], False), (["--noremovetag"], True)):
        folder.run(*draw, *options, query='cql() removetag("Event")')
        folder.suite.check("cqli: removetag %s" % options, ("[Event " in (folder.output() or "[Event ")) == kept, folder.output())


def output_files(folder):
    check = folder.suite.check
    query = "cql(input options.pgn) mate"
    for n in (1, 2):
        result = folder.run("-a", "sum.pgn", "-g", str(n), query=query)
        check("cqli: -a, %d" % n, result.status == 0 and rounds(folder.output("sum.pgn")) == [1, 2][:n], result.text())
    refuses(folder, "-a with -o", "together", "--append", "sum.pgn", "-o", "q-out.pgn", query=query)
    result = folder.run("-o", "stdout", "--binaryoutput", query=query)
    check("cqli: -o stdout", result.status == 0 and rounds(result.text()) == [1, 2] and "Analyzed" not in result.text() and
          "2 CQL matches (in 2 games) written to" in result.errors(), result.errors())
    result = folder.run("-o", "new/folder/o.pgn", query=query)
    check("cqli: a missing folder", result.status == 1 and folder.output("new/folder/o.pgn") is None)
    result = folder.run("-o", "new/folder/o.pgn", "--createdirectories", "--maxopenoutputfiles", "5", query=query)
    check("cqli: --createdirectories", result.status == 0 and rounds(folder.output("new/folder/o.pgn")) == [1, 2], result.errors())
    before = read(folder.file("sum.pgn"))
    result = folder.run("-o", "sum.pgn", "--noclobber", query=EVERY)
    check("cqli: --noclobber", result.status == 1 and read(folder.file("sum.pgn")) == before and "cannot write sum.pgn" in result.text(), result.text())
    finds(folder, "--noclobber of a new file", [1, 2], "--noclobber", query=query)
    result = folder.run("--dryrun", query=query)
    check("cqli: --dryrun", result.status == 0 and result.text() == "q-out.pgn\n" and folder.output() is None, result.text())
    result = folder.run("--dryrun", "-o", "dry-{Event}.pgn", query=query)
    check("cqli: --dryrun of several files", result.text() == "dry-Hill Cup.pgn\ndry-Lakeside Open.pgn\n" and
          folder.output("dry-Hill Cup.pgn") is None, result.text())


def search_options(folder):
    query = 'cql(input options.pgn) . sort "n" {gamenumber}'
    finds(folder, "sort orders", [3, 2, 1], query=query)
    finds(folder, "--nosort", [1, 2, 3], "--nosort", query=query)
    finds(folder, "--limit", [1, 2], "--limit", "2", query=EVERY)
    finds(folder, "--limit of a sorted result", [3], "--limit", "1", query=query)
    finds(folder, "--sortmatchcount", [1, 2, 3], "--sortmatchcount", query=EVERY)  # 8, 5, 3 positions
    finds(folder, "--sortmatchcount of others", [3, 2, 1], "--sortmatchcount", query="cql(input options.pgn) ply<=gamenumber - 1")
    write(folder.file("variants.pgn"), '[Round "1"]\n[Variant "Bughouse"]\n\n1. e4 *\n\n[Round "2"]\n[Variant "Wild"]\n\n1. d4 *\n')
    games = ["-i", "variants.pgn"]
    result = folder.run(*games, query="cql() .")
    folder.suite.check("cqli: games of unknown variants are reported", folder.output() == "" and "Bughouse" in result.errors(), result.errors())
    result = folder.run(*games, "--skipunknownvariants", "--variantalias", "Chess960", "Wild", query="cql() .")
    folder.suite.check("cqli: --skipunknownvariants, --variantalias", rounds(folder.output()) == [2] and not result.err, result.errors())
    result = folder.run(*games, "--no-variants", query="cql() .")
    folder.suite.check("cqli: --no-variants", rounds(folder.output()) == [1, 2] and not result.err, result.errors())
    refuses(folder, "an alias of no variant", "expected the name of a variant", "--variantalias", "Bughouse", "Wild", query=EVERY)
    for tags, options in ((["Event", "Result"], ["--includetagpattern", "^Ev|sul"]),
                          (["Event", "Site", "Round", "Result"], ["--excludetagpattern", "Date|White|Black"]),
                          (["Event"], ["--includetagpattern", "^Ev|sul", "--excludetagpattern", "R"])):
        folder.run(*FEW, *options, query=MATE)
        got = re.findall(r"^\[(\w+) ", folder.output() or "", re.M)
        folder.suite.check("cqli: " + " ".join(options), got == tags, str(got))
    refuses(folder, "a malformed pattern", "includetagpattern", "--includetagpattern", "(", query=MATE)
    prints(folder, "--noasyncmessages", r"^Game: 2 move 3\(wtm\): over$", "--noasyncmessages", query='cql(input options.pgn) mate wtm message("over")')
    dictionary = 'cql(input options.pgn) dictionary D initial D["b"+player white]="x" D["a"]=str(gamenumber)'
    prints(folder, "--showdictionaries", r"^D\[a\] = 3\nD\[bAsh, Di\] = x\nD\[bEk, Carl\] = x\n", "--showdictionaries", query=dictionary)
    write(folder.file("nested.pgn"), '[Round "1"]\n\n1. e4 {a {b} c} *\n')
    folder.run("--nestedcomments", "-i", "nested.pgn", query="cql(silent) .")
    folder.suite.check("cqli: --nestedcomments", "a _b_ c" in (folder.output() or ""), folder.output())


def look(folder):
    check = folder.suite.check
    for level in ("1", "2", "3"):
        result = folder.run("-w", level, query="cql(input options.pgn) wtm btm")
        check("cqli: --warnlevel " + level, result.status == 0 and ("q.cql:1:28: warning: " in result.text()) == (level != "1"), result.text())
    refuses(folder, "a level that does not exist", "warnlevel", "--warnlevel", "4", query=MATE)
    prints(folder, "--license", "^MIT License", "--license", query=None)
    for option, colour in (("--ansicolors", True), ("--noansicolors", False)):
        result = folder.run(option, query="cql() chek")
        check("cqli: " + option, ("\x1b[" in result.text()) == colour, result.text())
    for option, text in (("--consoleunicode", "cql() player \"Müller\""), ("--noconsoleunicode", "cql() player \"M?ller\"")):
        result = folder.run("--parse", option, query="cql() player \"Müller\"")
        check("cqli: " + option, result.status == 0 and result.text().startswith(text + "\n"), result.text())


GAME = '[Round "1"]\n\n{start} 1. e4 {a} e5 $1 ({v} 1... c5 2. Nf3 (2. c3) 2... d6) 2. Nf3 $2 {b} Nc6 *\n'


def forms(folder):
    """The forms of written games; GAME has original comments, glyphs and variations. The query comments 2.Nf3."""
    write(folder.file("forms.pgn"), GAME)
    query = 'cql(quiet) ply==3 comment("q") comment("r")'
    plain = "{start}\n1.e4 {a} 1...e5 $1 ({v} 1...c5 2.Nf3 (2.c3) 2...d6) 2.Nf3 $2 {b} {q} {r} 2...Nc6 *"
    for want, options in ((plain, []), (plain, ["--nocoalescecomments", "--compactcomments", "--compactmoves", "--compactvariations", "--noelidecomments",
                                                "--noelidenags", "--noelidevariations", "--movenumberaftercomment", "--nomovenumberafternag",
                                                "--movenumbers", "--nosplitmoves", "--nouniquecomments"]),
                          (plain.replace("} {q} {r}", " q r}"), ["--coalescecomments"]),
                          (plain.replace("{", "{ ").replace("}", " }"), ["--nocompactcomments"]),
                          (re.sub(r"(\d\.+)", r"\1 ", plain), ["--nocompactmoves"]),
                          (plain.replace("(", "( ").replace(")", " )"), ["--nocompactvariations"]),
                          ("1.e4 e5 $1 (1...c5 2.Nf3 (2.c3) 2...d6) 2.Nf3 $2 Nc6 *", ["--elidecomments"]),
                          (plain.replace(" $1", "").replace(" $2", ""), ["--elidenags"]),
                          (re.sub(r" \(.*\)", "", plain), ["--elidevariations"]),
                          (plain.replace("{a} 1...e5", "{a} e5").replace("2...Nc6", "Nc6"), ["--nomovenumberaftercomment"]),
                          ("1.e4 e5 $1 2.Nf3 $2 2...Nc6 *", ["--movenumberafternag", "--elidecomments", "--elidevariations"]),
                          (re.sub(r"\d\.+", "", plain), ["--nomovenumbers"])):
        folder.run("-i", "forms.pgn", "--noheader", *options, query=query)
        got = (folder.output() or "").partition("\n\n")[2].strip()
        folder.suite.check("cqli: form " + " ".join(options), got.replace("\n", " ") == want.replace("\n", " "), got)
    for width in (1, 20, 200):
        for options in ([], ["--splitmoves"]):
            folder.run("-i", "forms.pgn", "--noheader", "--pgnlinewidth", str(width), *options, query=query)
            lines = (folder.output() or "").partition("\n\n")[2].strip().split("\n")
            folder.suite.check("cqli: --pgnlinewidth %d %s" % (width, options), re.sub(r"([.(]) | (?=\))", r"\1", " ".join(lines)) == plain.replace("\n", " ") and
                               (width != 20 or max(map(len, lines)) <= 20), str(lines))
            split = any(re.search(r"\d\.$", line) for line in lines)
            folder.suite.check("cqli: numbers at the end of lines with %d %s" % (width, options), split == bool(options and width < 200), str(lines))
    folder.suite.check("cqli: the games of forms are games", moves(folder.output()) is not None)


def run(suite):
    folder = Folder(suite, "cqli")
    for part in (all_options, known_commands, rules, shared_options, output_files, search_options, look, forms, ignored_words):
        part(folder)
