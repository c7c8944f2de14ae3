"""The patches that documents explain (tests/patches) still do what the documents say.

Each patch applies to the tree as it is. With --full it is applied to a copy, which is built, and the cases that the patch adds
pass there on every engine.
"""
import os
import re
import shutil
import sys

from parts.harness import ROOT, TESTS, read

FOLDERS = ("compiler", "runtime", "templates", "tests", "examples", "docs")
FILES = ("Makefile", "LICENSE")


def copy_of_the_tree(suite, name):
    copy = suite.path(name)
    os.mkdir(copy)
    for entry in FOLDERS:
        shutil.copytree(os.path.join(ROOT, entry), os.path.join(copy, entry))
    for name in FILES:
        shutil.copy2(os.path.join(ROOT, name), copy)
    return copy


def build_and_try(suite, title, patch):
    copy = copy_of_the_tree(suite, os.path.basename(patch))
    suite.run(["git", "apply", "--whitespace=nowarn", patch], cwd=copy, environment={"GIT_CEILING_DIRECTORIES": suite.path("")})
    built = suite.run(["make", "-s", "-j%d" % suite.jobs, "CFLAGS=-O0", "out/cqlgen"], cwd=copy, timeout=900,
                      environment={"MAKEFLAGS": "", "MAKELEVEL": ""})
    if not suite.check("%s: the patched tree builds without a warning" % title, built.status == 0 and not built.err, built.errors()[:600]):
        return
    cases = re.findall(r"^\+\+\+ b/tests/cases/(\S+)\.cql", read(patch), re.M)
    suite.check("%s: it brings cases" % title, bool(cases))
    result = suite.run([sys.executable, "tests/run.py", "--only", "cases", *cases], cwd=copy)
    passed = re.search(r"(\d+) passed, 0 failed\s*$", result.text())
    suite.check("%s: its cases pass" % title, passed is not None and int(passed.group(1)) >= 3 * len(cases), result.text()[-600:])


def run(suite):
    folder = os.path.join(TESTS, "patches")
    if not shutil.which("git"):
        print("patches: git is missing; skipped")
        return
    for name in sorted(os.listdir(folder)):
        patch = os.path.join(folder, name)
        result = suite.run(["git", "apply", "--check", patch])
        suite.check("patch %s applies" % name, result.status == 0, result.errors()[:600])
        if result.status == 0 and suite.full:
            build_and_try(suite, "patch " + name, patch)
