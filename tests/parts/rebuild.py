"""What make builds again, and matchers that were built with other declarations of the interface."""
import os
import shlex
import shutil

from parts.harness import EXAMPLES, ROOT, read, write

# PROGRAM; when there is a file `change`, HEADER is changed after it was read and before the result is complete.
SLOW = """#!/bin/sh
%(program)s "$@" >%(root)s/result.$$ || exit
case "$*" in *%(argument)s*)
    echo >>%(root)s/calls
    if rm %(root)s/change 2>/dev/null; then
        sleep 0.02
        echo "// changed" >>%(header)s
        sleep 0.02
        %(after)s
    fi
esac
cat %(root)s/result.$$
"""


class Tree:
    """A copy of what the interface of matchers is made of."""

    def __init__(self, suite, name):
        self.suite, self.root = suite, suite.path(name)
        for folder in ("runtime", "templates"):
            shutil.copytree(os.path.join(ROOT, folder), os.path.join(self.root, folder))
        for file in ("Makefile", "compiler/back/calls.awk"):
            shutil.copy(os.path.join(ROOT, file), self.path(file))
        write(self.path("tests/setup.sh"), "")

    def path(self, name):
        path = os.path.join(self.root, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        return path

    def append(self, name, text):
        with open(self.path(name), "a") as f:
            f.write(text)

    def make(self, target, *variables):
        environment = {"MAKEFLAGS": "", "MAKELEVEL": "", "PATH": self.path("bin") + ":" + os.environ["PATH"]}
        self.suite.ends("rebuild: make " + target, self.suite.run(["make", "-s", "-j1", target, *variables], cwd=self.root, environment=environment))

    def slow(self, name, program, argument, header, after=":"):
        """A slow program in the PATH of make."""
        write(self.path("bin/" + name), SLOW % {"program": program, "root": self.root, "argument": argument, "header": self.path(header), "after": after})
        os.chmod(self.path("bin/" + name), 0o755)


def changed_meanwhile(suite):
    """A header that is changed while a compiler or awk reads it is newer than what they make."""
    tree = Tree(suite, "rebuild")
    for folder in ("runtime/value", "compiler/base", "compiler/mpi"):
        write(tree.path(folder + "/number.h"), "int number(void);\n")
        write(tree.path(folder + "/number.c"), '#include "number.h"\nint number(void)\n{\n    return 1;\n}\n')
    for target, header in (("obj/runtime/value/number.o", "runtime/value/number.h"), ("counted/compiler/base/number.o", "compiler/base/number.h"),
                           ("obj/compiler/mpi/number.o", "compiler/mpi/number.h"), ("obj/gen/page.o", "runtime/format/writers.h"),
                           ("gen/layout.h", "runtime/chess/board.h"), ("include/cqlgen/matcher.h", "templates/prelude.h")):
        variables = ["CC=slow-cc", "MPICC=slow-cc"] if target.endswith(".o") else []
        tree.slow("slow-cc", os.environ.get("CC", "cc"), os.path.basename(target), header, 'eval "touch \\${$#}"')
        tree.slow("awk", shutil.which("awk"), "header.awk", header)
        tree.make("out/" + target, *variables)
        tree.append(header, "// changed\n")
        write(tree.path("change"), "")
        calls = []
        for _ in range(3):
            write(tree.path("calls"), "")
            tree.make("out/" + target, *variables)
            calls.append(len(read(tree.path("calls"))))
        suite.check("rebuild: %s is made again, once" % target, calls == [1, 1, 0] and not os.path.exists(tree.path("change")), str(calls))


def layout(suite):
    """A matcher is loaded when the declarations of its header are the program's, whatever the comments are."""
    tree = Tree(suite, "layout")
    source, matcher = tree.path("one.c"), tree.path("one.so")
    write(source, "#include <cqlgen/matcher.h>\nstatic void match_game(Context *c)\n{\n    c->hit[c->hit_count++] = 0;\n}\n"
                  'static const QueryInfo queries[] = {{.name = "one", .match_game = match_game}};\nEXPORT_QUERIES(queries)\n')
    kept = "compiled with another header of the matcher interface"
    for name, file, old, new, same in (
            ("nothing", "runtime/chess/board.h", "", "", True),
            ("a comment", "runtime/chess/board.h", "// The pieces of one colour.", "// Pieces.", True),
            ("the explanation of a call", "runtime/match/calls/board.def", '"', '"Explained: ', True),
            ("an enumerator", "runtime/chess/board.h", "CHECK_NONE, CHECK_GIVEN", "CHECK_GIVEN, CHECK_NONE", False),
            ("the order of members", "runtime/chess/board.h", "pawn, knight, bishop", "knight, pawn, bishop", False),
            ("the type of a member", "runtime/match/matcher.h", "int32_t screen_cost;", "uint32_t screen_cost;", False)):
        path = tree.path(file)
        text = read(path)
        suite.check("rebuild: there is a place to change: " + name, old in text)
        write(path, text.replace(old, new, 1))
        tree.make("out/include/cqlgen/matcher.h")
        built = suite.run(shlex.split(os.environ.get("CC", "cc")) + ["-shared", "-fPIC", "-I", tree.path("out/include"), source, "-o", matcher])
        suite.check("rebuild: a matcher with another header: %s" % name, built.status == 0, built.errors()[:500])
        result = suite.search(matcher, os.path.join(EXAMPLES, "games.pgn"), "-q", "-f", "count")
        suite.check("rebuild: a matcher is %s: %s" % ("loaded" if same else "refused", name),
                    (result.status, kept in result.errors()) == ((0, False) if same else (2, True)), "%s %s" % (result.status, result.errors()))
        write(path, text)


def run(suite):
    changed_meanwhile(suite)
    layout(suite)
