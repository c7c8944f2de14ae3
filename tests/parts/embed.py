"""libcqlgen from the outside: the example program, what the library exports and calls, pkg-config, the manual page."""
import os
import re
import shlex
import shlex
import shutil
import subprocess
import time

from parts.harness import EXAMPLES, ROOT, difference, read, write

HEADER = os.path.join(ROOT, "compiler", "api", "cqlgen.h")
GAMES = os.path.join(EXAMPLES, "games.pgn")
# What would end the program, print, or change it; __tls_get_addr ends it when there is no memory for thread-local data.
UNWANTED = {"exit", "quick_exit", "signal", "sigaction", "chdir", "setlocale", "atexit", "setenv", "putenv", "__tls_get_addr"}
# What answers otherwise after setlocale() in the program around the library.
UNWANTED |= {"__ctype_b_loc", "__ctype_tolower_loc", "__ctype_toupper_loc", "tolower", "toupper", "strcasecmp", "strncasecmp", "strcasestr",
             "strcoll", "strftime", "localeconv", "nl_langinfo", "mbrtowc", "regcomp", "fnmatch"}
# To be preloaded: stands for a program that has chosen the locale of its user.
CHOOSES_LOCALE = """#include <locale.h>
#include <stdlib.h>
__attribute__((constructor)) static void choose(void) { if (!setlocale(LC_ALL, "")) abort(); }
"""
# Searches that compare words without regard to case, and write numbers with a fraction.
LOCAL = [["-e", "mate", "--count-by", "result", "-f", form] for form in ("csv", "jsonl", "html")] + [
    ["-e", "mate", "--count-by", "result"], ["-e", 'sort "ID" ply mate', "-f", "sqlite"], ["-e", 'message "ı" ~~ "I" check', "-f", "pgn"],
    ["-e", "MATE", "-f", "pgn"]]


def functions():
    return set(re.findall(r"^CQL_PUBLIC [^;]*?\b(cql_\w+)\(", read(HEADER), re.M))


def build(suite, source, name, *libraries):
    flags = ["-fsanitize=address,undefined"] if suite.sanitize else []
    result = suite.run(shlex.split(os.environ.get("CC", "cc")) + ["-Wall", "-Wextra", "-Werror", *flags, source, "-I",
                       os.path.join(suite.out, "include"), *libraries, "-o", suite.path(name)])
    return suite.check("embed: %s compiles" % name, result.status == 0, result.errors())


def example(suite, name, *libraries):
    if not build(suite, os.path.join(EXAMPLES, "embed", "search.c"), name, *libraries):
        return
    program = suite.path(name)
    games = read(GAMES).count("[Result ")
    found = suite.search(os.path.join(EXAMPLES, "smothered-mate.cql"), GAMES, "-q", "--format", "fen").text().split("\n")[:-1]
    result = suite.run([program, read(os.path.join(EXAMPLES, "smothered-mate.cql")), GAMES])
    fens = [line.split("  ")[2] for line in result.text().splitlines() if line.startswith("  ")]
    suite.check("embed: %s finds the positions" % name, result.status == 0 and found and fens == found and
                result.text().endswith("%d of %d games match\n" % (len(found), games)), result.text() + result.errors())
    result = suite.run([program, "chek", GAMES])
    suite.check("embed: %s shows where a query is wrong" % name, result.status == 1 and
                "query:1:1: error: " in result.errors() and "\nchek\n^~~~\n" in result.errors(), result.errors())
    result = suite.run([program, "mate", suite.path("missing.pgn"), GAMES])
    suite.check("embed: %s searches what can be read" % name, result.status == 0 and "cannot read" in result.errors() and
                result.text().endswith("of %d games match\n" % games), result.text() + result.errors())


def headers(suite):
    """A program in C or C++ may include the headers, and compile emitted C, with all the warnings that people ask for."""
    include, warnings = ["-I", os.path.join(suite.out, "include")], ["-Wall", "-Wextra", "-Wconversion", "-Wsign-conversion", "-Wshadow", "-Werror"]
    both = suite.path("both.c")
    write(both, "#include <cqlgen/cqlgen.h>\n#include <cqlgen/matcher.h>\n#include <cqlgen/matcher.h>\n"
          "int main(void) { return cql_api_version() == CQL_API_VERSION && sizeof(Context) > 0 ? 0 : 1; }\n")
    emitted = []
    for name in ("smothered-mate", "threefold-repetition", "pin", "pawn-breakthrough", "material"):
        emitted.append(suite.path("embed-%s.c" % name))
        suite.run([suite.cqlgen, os.path.join(EXAMPLES, name + ".cql"), "--standalone", "-o", emitted[-1]])
    compilers = [name for name in ("cc", "gcc", "clang") if shutil.which(name)], [name for name in ("c++", "g++", "clang++") if shutil.which(name)]
    if not compilers[1]:
        print("embed: no C++ compiler; its tests are skipped")
    cases = [(c, ["-x", "c", "-std=c11", "-Wpedantic"], [both, *emitted]) for c in compilers[0]]
    cases += [(c, ["-x", "c++", "-std=c++11", "-Wpedantic"], [both]) for c in compilers[1]]
    cases += [(c, ["-x", "c++", "-std=c++20", "-Wno-missing-field-initializers"], emitted) for c in compilers[1]]
    for compiler, flags, files in cases:
        wide = "-std=c++20" not in flags and suite.run([compiler, "-dumpmachine"]).text().startswith("x86_64")
        for vectors in [[], ["-march=x86-64-v4"]] if wide else [[]]:
            result = suite.run([compiler, "-fsyntax-only", *warnings, *include, *vectors, *flags, *files])
            suite.check("embed: %s" % " ".join([compiler, *flags, *vectors]), result.status == 0, result.errors()[:2000])
    for compiler in compilers[1]:
        result = suite.run([compiler, "-x", "c++", "-std=c++20", "-shared", "-fPIC", emitted[0], "-o", suite.path("embed-cpp.so")])
        found = suite.search(suite.path("embed-cpp.so"), GAMES, "-q", "-f", "count")
        suite.check("embed: a matcher by %s" % compiler, result.status == 0 and found.text() == "3\n", result.errors() + found.errors())


def exports(suite):
    shared = os.path.join(suite.out, "libcqlgen.so")
    listed = suite.run(["nm", "-D", "--defined-only", shared]).text()
    names = {line.split()[-1] for line in listed.splitlines()}
    suite.check("embed: libcqlgen.so exports its header and nothing else", names == functions(), str(names ^ functions()))
    listed = suite.run(["nm", "-g", "--defined-only", os.path.join(suite.out, "libcqlgen.a")]).text()
    names = {line.split()[-1] for line in listed.splitlines() if len(line.split()) == 3}
    suite.check("embed: libcqlgen.a defines its header and nothing else", names == functions(), str(names ^ functions()))
    needed = {line.split()[-1].split("@")[0] for line in suite.run(["nm", "-D", "-u", shared]).text().splitlines()}
    suite.check("embed: libcqlgen.so calls nothing that ends or changes the program", not needed & UNWANTED, str(needed & UNWANTED))


def without_memory(suite):
    """Wherever memory runs out, the program goes on and says so."""
    program = suite.path("embed-shared")
    fault = {"LD_PRELOAD": suite.fault}
    query = 'sort "pawns" #P check comment("ray " (up 1 P))'

    def run_one(place, arguments=(query, GAMES)):
        return suite.run([program, *arguments], environment=dict(fault, CQLGEN_FAULT="memory:%d" % place), timeout=60)

    places = [*range(1, 700, 4)] if suite.full else [2, 9, 20, 30, 45, 60, 90, 150, 300, 500, 700]
    bad = [(place, result.status, result.errors()[-200:]) for place, result in suite.map(run_one, places)
           if result.status != 1 or not result.errors().endswith("out of memory\n")]
    suite.check("embed: a program goes on without memory", not bad, str(bad[:4]))
    # names of a database, for which all threads wait; each input has a chunk of its own
    games, stored = suite.path("embed-names.pgn"), suite.path("embed-names.cqldb")
    write(games, "".join('[White "player %d"]\n\n1. e4 *\n\n' % n for n in range(2000)))
    suite.run([suite.cqlgen, "import", games, "-o", stored, "-q"])
    places = range(600, 2400, 4 if suite.full else 150)
    bad = [(place, result.status, result.errors()[-200:])
           for place, result in suite.map(lambda place: run_one(place, ['player "17"'] + 3 * [stored]), places) if result.status not in (0, 1)]
    suite.check("embed: a program goes on without memory for names", not bad, str(bad[:4]))


def upgrades(suite):
    """A search that takes long asks the system compiler for a faster matcher."""
    fifo, asked, compiler = (suite.path("embed-" + name) for name in ("fifo", "asked", "cc"))
    write(compiler, "#!/bin/sh\ntouch %s\nexit 1\n" % asked)
    os.chmod(compiler, 0o755)
    os.mkfifo(fifo)
    process = subprocess.Popen([suite.path("embed-shared"), "mate", fifo], stdout=subprocess.PIPE,
                               env=dict(os.environ, CC=compiler, XDG_CACHE_HOME=suite.path("embed-cache")))
    with open(fifo, "wb", buffering=0) as f:
        f.write(read(GAMES).encode())
        for _ in range(3000):
            if os.path.exists(asked):
                break
            time.sleep(0.02)
    process.communicate()
    suite.check("embed: a long search asks for a faster matcher", process.returncode == 0 and os.path.exists(asked), process.returncode)


def packaged(suite):
    if not shutil.which("pkg-config"):
        print("embed: pkg-config is missing; its test is skipped")
        return
    path = {"PKG_CONFIG_PATH": suite.out}
    prefix = suite.run(["pkg-config", "--variable=prefix", "cqlgen"], environment=path).text().strip()
    shown = suite.run(["pkg-config", "--static", "--libs", "--cflags", "cqlgen"], environment=path)
    suite.check("embed: pkg-config knows what a static program needs", shown.status == 0 and
                {"-lcqlgen", "-lpcre2-8", "-lsqlite3", "-I" + prefix + "/include"} <= set(shlex.split(shown.text())), shown.text() + shown.errors())
    version = suite.run(["pkg-config", "--modversion", "cqlgen"], environment=path).text().strip()
    suite.check("embed: pkg-config knows the version", '#define CQLGEN_VERSION "%s"' % version in read(HEADER), version)


def locales(suite):
    """In Turkish, whose letters and decimal comma are others, the build and the library are the same."""
    folder, name = suite.path("locales"), "tr_TR.UTF-8"
    os.makedirs(folder)
    if not shutil.which("localedef") or suite.run(["localedef", "-i", "tr_TR", "-f", "UTF-8", os.path.join(folder, name)]).status != 0:
        print("embed: no localedef or no locales to make; their tests are left out")
        return
    turkish = {"LOCPATH": folder, "LC_ALL": name, "LANG": name}
    made, files = suite.path("turkish"), ["gen/library.symbols", "gen/templates.c", "gen/examples.c", "cqlgen.pc"]
    write(os.path.join(folder, "choose.c"), CHOOSES_LOCALE)
    os.makedirs(made)
    for done in ("setup.done", "setup-tests.done"):
        write(os.path.join(made, done), "")
    result = suite.run(["make", "-s", "OUT=" + made, *(os.path.join(made, file) for file in files)], environment=dict(turkish, MAKEFLAGS=""))
    suite.check("embed: a Turkish make", result.status == 0, result.errors())
    symbols = set(read(os.path.join(made, "gen/library.symbols")).split())
    suite.check("embed: a Turkish make knows all functions of the library", symbols == functions(), str(symbols ^ functions()))
    for file in files:
        want, got = (re.sub("prefix=.*|Libs.*", "", read(os.path.join(out, file))).replace(made, suite.out) for out in (suite.out, made))
        suite.check("embed: a Turkish make writes the same " + file, want == got, difference(want, got))
    library = suite.path("choose.so")
    suite.run([*shlex.split(os.environ.get("CC", "cc")), "-shared", "-fPIC", os.path.join(folder, "choose.c"), "-o", library])
    for arguments in LOCAL:
        want = suite.search(*arguments, GAMES, "-q", "-o", suite.path("want"))
        got = suite.search(*arguments, GAMES, "-q", "-o", suite.path("got"), environment=dict(turkish, LD_PRELOAD=library))
        same = (want.status, want.out, want.err) == (got.status, got.out, got.err)
        if want.status == 0:
            same &= open(suite.path("want"), "rb").read() == open(suite.path("got"), "rb").read()
        suite.check("embed: Turkish: " + " ".join(arguments), same, got.errors())


def documented(suite):
    page = read(os.path.join(ROOT, "docs", "cqlgen.3"))
    missing = [name for name in functions() if not re.search(r"\b%s\b" % name, page)]
    suite.check("embed: cqlgen(3) names every function", not missing, str(missing))
    wrong = read(os.path.join(ROOT, "tests", "unit", "test_api_wrong.c"))
    missing = [name for name in functions() if not re.search(r"\b%s\(" % name, wrong)]
    suite.check("embed: wrong arguments of every function are tested", not missing, str(missing))


def run(suite):
    example(suite, "embed-shared", "-L", suite.out, "-lcqlgen", "-Wl,-rpath," + suite.out)
    private = re.search(r"^Libs.private: (.*)", read(os.path.join(suite.out, "cqlgen.pc")), re.M).group(1)
    example(suite, "embed-static", os.path.join(suite.out, "libcqlgen.a"), *private.split())
    if not suite.sanitize:
        exports(suite)
        without_memory(suite)
        upgrades(suite)
        locales(suite)
    headers(suite)
    packaged(suite)
    documented(suite)
