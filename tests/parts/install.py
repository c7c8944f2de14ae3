"""What make does besides building: packages that are missing, `make install` and `make uninstall`, when things are built again, the same
programs from any folder."""
import os
import re
import shlex
import shutil

from parts.harness import EXAMPLES, ROOT, TESTS, read, write

MAKE = {"MAKEFLAGS": "", "MAKELEVEL": ""}
GAMES = os.path.join(EXAMPLES, "games.pgn")
EDITORS = ["chess-cql/README.md", "chess-cql/extension.js", "chess-cql/language-configuration.json", "chess-cql/package.json",
           "chess-cql/syntaxes/cql.tmLanguage.json", "emacs/cql-mode.el", "vim/ftdetect/cql.vim", "vim/ftplugin/cql.vim", "vim/syntax/cql.vim"]


def files_in(folder):
    return sorted(os.path.relpath(os.path.join(place, name), folder) for place, _, names in os.walk(folder) for name in names)


def installation(suite):
    """`make install` puts everything where the system looks for it, whatever blanks are in the names, and what it puts there works. `make
    uninstall` leaves what others put there."""
    target, prefix, host = suite.path("in stalled"), suite.path("my own"), suite.path("host")
    words = ["OUT=" + os.path.relpath(suite.out, ROOT), "DESTDIR=" + target, "PREFIX=" + prefix, "LIBDIR=lib/here"]
    top = target + prefix
    result = suite.run(["make", "-s", "install", *words], environment=MAKE, timeout=300)
    files = [name for name in files_in(top) if not suite.has_mpi() or "cqlgen-mpi" not in name]
    shown = [name for name in files if name.startswith("share/doc/")]
    want = {"share/doc/cqlgen/" + name for name in files_in(ROOT) if re.fullmatch(
        r"LICENSE|README.md|CHANGELOG.md|docs/(language/)?[^/]*\.(md|svg|webp)|examples/[^/]*\.(cql|pgn)|examples/(dialects|embed)/[^/]*", name)}
    suite.check("install: the documents and examples", set(shown) == want, str(set(shown) ^ want))
    files = [name for name in files if name not in shown]
    suite.check("install: the files", result.status == 0 and files == [
        "bin/cqlgen", "bin/cqlgen-cql", "include/cqlgen/cqlgen.h", "include/cqlgen/matcher.h", "lib/here/libcqlgen.a", "lib/here/libcqlgen.so",
        "lib/here/libcqlgen.so.1", "lib/here/pkgconfig/cqlgen.pc", "share/bash-completion/completions/cqlgen",
        "share/bash-completion/completions/cqlgen-cql", *("share/cqlgen/editors/" + name for name in EDITORS), "share/cqlgen/openings.tsv", "share/emacs/site-lisp/cql-mode.el", "share/man/man1/cqlgen-cql.1", "share/man/man1/cqlgen-cqli.1", "share/man/man1/cqlgen.1", "share/man/man3/cqlgen.3",
        *("share/vim/vimfiles/" + name[4:] for name in EDITORS if name.startswith("vim/")), "share/zsh/site-functions/_cqlgen"], str(files) + result.errors())
    program = os.path.join(top, "bin", "cqlgen")
    result = suite.run([program, "search", "-e", "mate", GAMES, "-f", "count", "-q"])
    suite.check("install: the program", result.text() == "%d\n" % re.sub(r"\([^)]*\)", "", read(GAMES)).count("#") and not result.err, result.errors())
    suite.check("install: its symbols are apart", os.path.getsize(program) < os.path.getsize(suite.cqlgen) and
                os.path.exists(suite.cqlgen + ".debug"), os.path.getsize(program))
    suite.check("install: cqlgen-cql", suite.run([program + "-cql", "-version"]).status == 0)
    compiler, emitted = shlex.split(os.environ.get("CC", "cc")), suite.path("installed.c")
    suite.run([program, "-e", "mate", "-o", emitted])
    built = suite.run([*compiler, "-shared", "-fPIC", "-I", os.path.join(top, "include"), emitted, "-o", suite.path("installed.so")])
    suite.check("install: emitted C finds the header", built.status == 0, built.errors())
    if shutil.which("pkg-config"):
        os.symlink(top, prefix)  # as if DESTDIR were the root of a machine
        shown = suite.run(["pkg-config", "--cflags", "--libs", "cqlgen"], environment={"PKG_CONFIG_PATH": os.path.join(prefix, "lib", "here", "pkgconfig")})
        flags = shlex.split(shown.text())
        built = suite.run([*compiler, os.path.join(EXAMPLES, "embed", "search.c"), *flags, "-o", host])
        if suite.check("install: another program is compiled", built.status == 0, "%s %s" % (flags, built.errors())):
            result = suite.run([host, "mate", GAMES], environment={"LD_LIBRARY_PATH": os.path.join(prefix, "lib", "here")})
            suite.check("install: it runs", result.status == 0 and "\ngame 7, " in result.text(), result.text()[:200] + result.errors())
    write(os.path.join(top, "share", "doc", "cqlgen", "own"), "")
    suite.ends("install: make uninstall", suite.run(["make", "-s", "uninstall", *words], environment=MAKE), also=files_in(top) == ["share/doc/cqlgen/own"])
    os.remove(os.path.join(top, "share", "doc", "cqlgen", "own"))
    suite.run(["make", "-s", "uninstall", *words], environment=MAKE)
    suite.check("install: nothing is left", not files_in(target) and not os.path.exists(os.path.join(top, "share", "doc", "cqlgen")) and
                not os.path.exists(os.path.join(top, "include", "cqlgen")))
    suite.run(["make", "-s", os.path.join(os.path.relpath(suite.out, ROOT), "cqlgen.pc"), words[0]], environment=MAKE)  # as it was


def copied(suite, name):
    """A folder with the Makefile, what the headers that it makes are made of, and a source."""
    folder = suite.path(name)
    for place in ("examples", "runtime", "templates"):
        shutil.copytree(os.path.join(ROOT, place), os.path.join(folder, place))
    for place in ("tests", "compiler/cli"):
        os.makedirs(os.path.join(folder, place))
    shutil.copy(os.path.join(ROOT, "Makefile"), folder)
    shutil.copy(os.path.join(ROOT, "compiler", "cli", "examples.awk"), os.path.join(folder, "compiler", "cli"))
    write(os.path.join(folder, "tests", "setup.sh"), "")
    write(os.path.join(folder, "runtime", "value", "place.c"), "const char *place(void);\nconst char *place(void)\n{\n    return __FILE__;\n}\n")
    return folder


def again(suite):
    """Other flags compile again, the same ones do not; an example that is removed leaves the program; a folder's name is not in what is built."""
    folder, other = copied(suite, "a gain"), copied(suite, "elsewhere")
    target = "out/obj/runtime/value/place.o"

    def make(place, *words):
        return suite.run(["make", "-s", *words], cwd=place, environment=MAKE).status == 0

    def made():
        return os.stat(os.path.join(folder, target)).st_mtime_ns

    suite.check("install: one source is compiled", make(folder, target) and make(other, target))
    with open(os.path.join(folder, target), "rb") as one, open(os.path.join(other, target), "rb") as two:
        suite.check("install: to the same bytes in another folder", one.read() == two.read())
    first = made()
    suite.check("install: not again with the same flags", make(folder, target) and made() == first)
    for words in (["CPPFLAGS=-DOTHER"], ["CFLAGS=-O1"], ["EXTRA=-w"], ["LDFLAGS=-Wl,-z,now"], []):
        before = made()
        suite.check("install: again with other flags: %s" % words, make(folder, target, *words) and made() != before)
    suite.check("install: the table of examples", make(folder, "out/gen/examples.c"))
    os.remove(os.path.join(folder, "examples", "fork.cql"))
    suite.check("install: an example is missing", not make(folder, "out/gen/examples.c"))
    subjects = os.path.join(folder, "examples", "subjects.txt")
    write(subjects, re.sub(r"\bfork\b", "", read(subjects)))
    suite.check("install: an example that was removed", make(folder, "out/gen/examples.c") and '"fork"' not in read(os.path.join(folder, "out", "gen", "examples.c")))


def setup(suite):
    """Packages are checked once, before anything is built, and installed for deps, demo and test alone. What the check says is all that is
    said when something is missing."""
    folder = suite.path("setup")
    os.makedirs(os.path.join(folder, "tests"))
    shutil.copy(os.path.join(ROOT, "Makefile"), folder)
    write(os.path.join(folder, "tests", "setup.sh"), 'echo "$*" >>log\n')
    environment = {"MAKEFLAGS": "", "MAKELEVEL": "0"}
    for goal, lines in (("test", ["--tests"]), ("out/unit/test_game", ["--tests --check"]), ("all", ["--check"]),
                        ("demo", [""]), ("clean", []), ("help", [])):
        log = os.path.join(folder, "log")
        write(log, "")
        shutil.rmtree(os.path.join(folder, "out"), ignore_errors=True)
        suite.run(["make", "-n", "-j4", goal], cwd=folder, environment=environment)
        suite.check("install: make %s checks or installs" % goal, read(log).split("\n")[:-1] == lines, read(log))
    suite.run(["make", "deps"], cwd=folder, environment=environment)
    suite.check("install: make deps installs, and makes no folder", read(log) == "\n" and sorted(os.listdir(folder)) == ["Makefile", "log", "tests"],
                read(log) + str(os.listdir(folder)))
    write(os.path.join(folder, "tests", "setup.sh"), "echo zlib is missing >&2\nexit 1\n")
    result = suite.run(["make", "-j4"], cwd=folder, environment=environment)
    suite.check("install: make says what is missing, and no more", result.status == 2 and result.text() == "" and
                re.fullmatch(r"zlib is missing\nMakefile:\d+: \*\*\* nothing was built\.  Stop\.\n", result.errors()), result.text() + result.errors())
    tools = os.path.join(folder, "bin")
    os.mkdir(tools)
    for name, text in (("cc", "! grep -q cmocka && echo '#define __LP64__ 1'\n"), ("id", "echo 1000\n")):  # a compiler that finds all headers but one; an ordinary user
        write(os.path.join(tools, name), "#!/bin/sh\n" + text)
        os.chmod(os.path.join(tools, name), 0o755)
    environment = {"PATH": tools + os.pathsep + os.environ["PATH"], "CC": "cc"}
    script = ["sh", os.path.join(TESTS, "setup.sh")]
    suite.check("install: building does not need what the tests need", suite.run(script, environment=environment).status == 0)
    suite.ends("install: the tests need it", suite.run([*script, "--tests"], environment=environment), 1,
               errors="setup: this machine lacks: libcmocka-dev \nsetup: on Debian or Ubuntu: sudo apt-get install --no-install-recommends libcmocka-dev \n")
    for name, text in (("cc", "! grep -q lzma && echo '#define __LP64__ 1'\n"), ("id", "echo 0\n"), ("apt-get", "echo $* >>%s\n" % log)):
        write(os.path.join(tools, name), "#!/bin/sh\n" + text)
        os.chmod(os.path.join(tools, name), 0o755)
    write(log, "")
    result = suite.run([*script, "--check"], environment=environment)
    suite.check("install: a check by root installs nothing", (result.status, result.errors(), read(log)) == (1, "setup: this machine lacks: liblzma-dev \nsetup: on "
                "Debian or Ubuntu: sudo make deps, or sudo apt-get install --no-install-recommends liblzma-dev \n", ""), result.errors() + read(log))
    suite.run(script, environment=environment)
    suite.check("install: without it root installs", re.search(r" install .* liblzma-dev$", read(log), re.M) is not None, read(log))
    compiler = suite.path("cc")  # stands for one of another processor; gcc's headers for -m32 are seldom installed
    write(compiler, "#!/bin/sh\ncat >/dev/null\necho '#define __SIZEOF_POINTER__ 4'\n")
    os.chmod(compiler, 0o755)
    suite.ends("install: a processor of 32 bits", suite.run(["sh", os.path.join(TESTS, "setup.sh")], environment={"CC": compiler}), 1,
               errors="setup: cqlgen needs a 64-bit processor with pointers of 64 bits; build without -m32 and -mx32\n")


def packages(suite):
    """The files of Debian packages agree with the header, and an archive has the tracked files, with the same bytes each time."""
    header, debian = read(os.path.join(ROOT, "compiler", "api", "cqlgen.h")), os.path.join(ROOT, "templates", "debian")
    functions = sorted(re.findall(r"^CQL_PUBLIC [^;]*?\b(cql_\w+)\(", header, re.M))
    listed = re.findall(r"^ (\w+)@Base ", read(os.path.join(debian, "libcqlgen1.symbols")), re.M)
    suite.check("install: symbols of the package", sorted(listed) == functions, str(set(listed) ^ set(functions)))
    version = re.search('CQLGEN_VERSION "(.*)"', header)[1]
    if not shutil.which("git") or suite.run(["git", "rev-parse", "HEAD"]).status != 0:
        print("install: not a clone; the test of make dist is skipped")
        return
    archives = []
    for _ in range(2):
        suite.run(["make", "-s", "dist", "OUT=" + suite.path("dist")], environment=MAKE)
        path = os.path.join(suite.path("dist"), "cqlgen-%s.tar.xz" % version)
        with open(path, "rb") as f:
            archives.append(f.read())
    names = [name for name in suite.run(["tar", "tf", path]).text().splitlines() if not name.endswith("/")]
    tracked = suite.run(["git", "ls-files", "-z"]).text().split("\0")
    suite.check("install: make dist", archives[0] == archives[1] and sorted(names) == sorted("cqlgen-%s/%s" % (version, n) for n in tracked if n), str(len(names)))


def run(suite):
    setup(suite)
    again(suite)
    packages(suite)
    if not suite.sanitize:
        installation(suite)
