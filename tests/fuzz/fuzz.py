#!/usr/bin/env python3
"""Builds the fuzzers and runs them for a time (`make fuzz`). The last line says what was found; then the status is 1.

New inputs are kept in OUT/fuzz/corpus/HARNESS, so that the next run goes on from there; what ends a fuzzer is kept in
OUT/fuzz/crashes/HARNESS. OUT/fuzz/log.csv gets a line for each run.
"""
import argparse
import concurrent.futures
import csv
import datetime
import glob
import os
import re
import resource
import shutil
import subprocess
import sys
import time

FUZZ = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(FUZZ))
SECONDS_FOR_ONE, MEGABYTES, MOST_FOUND, LONGEST = 25, 2500, 10, 4096
# Clang 14 takes a trailing array of length 4 at its word, and sees a fault in NULL + 0.
SANITIZERS = "-fsanitize=address,undefined -fno-sanitize-recover=all -fno-sanitize=pointer-overflow,bounds"
ENGINES = {
    "libfuzzer": ("clang", SANITIZERS + " -fsanitize=fuzzer-no-link",
                  "clang with libFuzzer: on Debian or Ubuntu, sudo apt-get install --no-install-recommends clang libclang-rt-dev"),
    "afl": ("afl-clang-fast", SANITIZERS, "AFL++: on Debian or Ubuntu, sudo apt-get install --no-install-recommends afl++"),
}
# How many inputs the tests have of each harness, apart from those of mended faults.
KEPT, KEPT_OTHERS = {"query": 80, "pgn": 30, "database": 12}, 18
# The tables that the words of a harness come from.
TABLES = {
    "query": ["compiler/language/filters.def", "compiler/language/flags.def", "compiler/language/signs.def"],
    "options": ["compiler/cli/options.def", "runtime/format/fields.def", "runtime/format/formats.def"],
}


def harnesses():
    with open(os.path.join(FUZZ, "fuzz.h")) as f:
        return re.findall(r"^ *DO\((\w+)\)", f.read(), re.M)


def large_stack():
    """Sanitizers need more stack than the 8 MB that the compiler is made for."""
    most = resource.getrlimit(resource.RLIMIT_STACK)[1]
    wanted = 64 << 20
    resource.setrlimit(resource.RLIMIT_STACK, (wanted if most == resource.RLIM_INFINITY else min(wanted, most), most))


class Fuzzing:
    def __init__(self, options):
        self.options = options
        self.engine = options.engine
        self.folder = os.path.join(os.path.abspath(options.out), "fuzz")
        self.build = os.path.join(self.folder, self.engine)
        self.compiler, self.flags, self.needs = ENGINES[self.engine]

    def path(self, *names):
        return os.path.join(self.folder, *names)

    def check(self):
        """Can the compiler make fuzzers?"""
        test = self.path("check")
        os.makedirs(self.folder, exist_ok=True)
        with open(test + ".c", "w") as f:
            f.write("int LLVMFuzzerTestOneInput(const unsigned char *d, unsigned long n);\n"
                    "int LLVMFuzzerTestOneInput(const unsigned char *d, unsigned long n) { return d && n > 9 ? 0 : 0; }\n")
        good = shutil.which(self.compiler) and subprocess.run(
            [self.compiler, "-fsanitize=fuzzer,address", test + ".c", "-o", test], stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL).returncode == 0
        for name in glob.glob(test + "*"):
            os.remove(name)
        if not good:
            sys.exit("fuzz: this needs %s" % self.needs)

    def make(self):
        # Without warnings: those of the compiler that the project is written for are enough.
        if not self.options.no_build:
            print("fuzz: building the harnesses with %s; this takes some minutes, which do not count" % self.compiler, flush=True)
            subprocess.run(["make", "-s", "OUT=" + os.path.relpath(self.build, ROOT), "CC=" + self.compiler,
                            "CFLAGS=-O1 -g -fno-omit-frame-pointer", "EXTRA=-w", "SANITIZER=" + self.flags, "fuzzers"], cwd=ROOT,
                           check=True, env=dict(os.environ, AFL_QUIET="1", MAKEFLAGS="", MAKELEVEL=""))
        for harness in self.options.harness:
            for folder in ("corpus", "crashes"):
                os.makedirs(self.path(folder, harness), exist_ok=True)
            tables = TABLES.get(harness)
            if tables:
                with open(self.path(harness + ".dict"), "wb") as f:
                    subprocess.run(["awk", "-f", os.path.join(FUZZ, "dictionary.awk"), *tables], cwd=ROOT, stdout=f, check=True,
                                   env=dict(os.environ, LC_ALL="C"))

    def program(self, harness):
        return os.path.join(self.build, "fuzzers", harness)

    def seeds(self, harness):
        return os.path.join(FUZZ, "corpus", harness)

    def start(self, command, log):
        """Runs a fuzzer; returns its processor time in seconds."""
        environment = dict(os.environ, UBSAN_OPTIONS="print_stacktrace=1", AFL_NO_UI="1", AFL_SKIP_CPUFREQ="1", AFL_NO_AFFINITY="1",
                           AFL_I_DONT_CARE_ABOUT_MISSING_CRASHES="1")
        environment.setdefault("ASAN_OPTIONS", "abort_on_error=1:symbolize=0" if self.engine == "afl" else "")
        with open(log, "wb") as f:
            p = subprocess.Popen(command, stdout=f, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, cwd=self.path("run"),
                                 env=environment, preexec_fn=large_stack)
            try:
                _, status, usage = os.wait4(p.pid, 0)
            except BaseException:
                p.kill()
                raise
            p.returncode = os.waitstatus_to_exitcode(status)
        return usage.ru_utime + usage.ru_stime

    def crashes(self, harness):
        return set(os.listdir(self.path("crashes", harness)))

    def libfuzzer(self, harness, seconds):
        """(runs, edges at first, edges at last, processor time)"""
        runs, first, last, used, end = 0, None, 0, 0.0, time.monotonic() + seconds
        before = self.crashes(harness)
        log = self.path("run", harness + ".log")
        words = self.path(harness + ".dict")
        while end - time.monotonic() >= 1 and len(self.crashes(harness) - before) < MOST_FOUND:
            command = [self.program(harness), "-max_total_time=%d" % (end - time.monotonic()), "-timeout=%d" % SECONDS_FOR_ONE,
                       "-rss_limit_mb=%d" % MEGABYTES, "-max_len=%d" % LONGEST, "-print_final_stats=1", "-reload=0",
                       "-artifact_prefix=" + self.path("crashes", harness, "")]
            command += ["-dict=" + words] if os.path.exists(words) else []
            used += self.start(command + [self.path("corpus", harness), self.seeds(harness)], log)
            with open(log, errors="replace") as f:
                text = f.read()
            edges = [int(n) for n in re.findall(r" cov: (\d+)", text)]
            first = edges[0] if edges and first is None else first
            last = max(edges + [last])
            runs += sum(int(n) for n in re.findall(r"stat::number_of_executed_units: (\d+)", text))
            if not edges:  # a seed ends it, or it does not start
                break
        return runs, first or 0, last, used

    def afl(self, harness, seconds):
        work = self.path("afl-work", harness)
        os.makedirs(work, exist_ok=True)
        again = os.path.isdir(os.path.join(work, "default"))
        words = self.path(harness + ".dict")
        command = ["afl-fuzz", "-i", "-" if again else self.seeds(harness), "-o", work, "-V", str(int(seconds)), "-m", "none", "-t",
                   "%d+" % (1000 * SECONDS_FOR_ONE)]
        command += ["-x", words] if os.path.exists(words) else []
        used = self.start(command + ["--", self.program(harness)], self.path("run", harness + ".log"))
        stats, name = {}, os.path.join(work, "default", "fuzzer_stats")
        if os.path.exists(name):
            with open(name) as f:
                stats = dict(re.findall(r"^(\w+) *: *(\S+)", f.read(), re.M))
        for name in glob.glob(os.path.join(work, "default", "crashes", "id*")) + glob.glob(os.path.join(work, "default", "hangs", "id*")):
            shutil.copy(name, self.path("crashes", harness))
        return int(stats.get("execs_done", 0)), 0, int(stats.get("edges_found", 0)), used

    def run_one(self, harness, seconds):
        before = self.crashes(harness)
        runs, first, last, used = getattr(self, self.engine)(harness, seconds)
        found = sorted(self.crashes(harness) - before)
        with open(self.path("log.csv"), "a", newline="") as f:
            csv.writer(f).writerow([datetime.datetime.now().isoformat(timespec="seconds"), self.engine, harness, runs, last - first,
                                    len(found), "%.1f" % used])
        return harness, runs, first, last, found, used

    def run(self):
        os.makedirs(self.path("run"), exist_ok=True)
        jobs = self.options.jobs
        share = self.options.time * min(jobs, len(self.options.harness)) / len(self.options.harness)
        row = "%-10s %10s %8s %8s %6s %10s"
        print(row % ("harness", "runs", "edges", "new", "found", "cpu (s)"), flush=True)
        found = 0
        with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
            for harness, runs, first, last, files, used in pool.map(lambda h: self.run_one(h, share), self.options.harness):
                print(row % (harness, runs, last, last - first, len(files), "%.1f" % used), flush=True)
                found += len(files)
                if runs == 0:
                    found += 1
                    print("  %s did not run: see %s" % (harness, self.path("run", harness + ".log")))
                for name in files:
                    print("  repeat: %s %s" % (self.program(harness), self.path("crashes", harness, name)), flush=True)
        print("fuzz: %s" % ("%d found" % found if found else "nothing found"))
        return 1 if found else 0

    def minimise(self):
        """Finds the few inputs that reach most of what all of them reach."""
        for harness in self.options.harness:
            new = self.path("minimal", harness)
            shutil.rmtree(new, ignore_errors=True)
            os.makedirs(new)
            os.makedirs(self.path("run"), exist_ok=True)
            self.start([self.program(harness), "-set_cover_merge=1", "-use_counters=0", "-max_len=%d" % (1 << 16), new,
                        self.path("corpus", harness), self.seeds(harness)], self.path("run", harness + ".merge.log"))
            # They are written in the order of what they add.
            order = sorted(os.listdir(new), key=lambda name: os.stat(os.path.join(new, name)).st_mtime_ns)
            for name in order[KEPT.get(harness, KEPT_OTHERS):]:
                os.remove(os.path.join(new, name))
            sizes = [os.path.getsize(os.path.join(new, name)) for name in os.listdir(new)]
            print("%-10s %5d files %8d bytes" % (harness, len(sizes), sum(sizes)))
        print("fuzz: they are in %s; copy them to %s" % (self.path("minimal"), os.path.join(FUZZ, "corpus")))
        return 0


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", default="out", help="folder of the build")
    parser.add_argument("--time", type=float, default=600, help="seconds for all harnesses together")
    parser.add_argument("--engine", choices=ENGINES, default="libfuzzer")
    parser.add_argument("-j", "--jobs", type=int, default=len(os.sched_getaffinity(0)), help="harnesses at the same time")
    parser.add_argument("--no-build", action="store_true", help="run the fuzzers as they were built last")
    parser.add_argument("--minimise", action="store_true", help="find small corpora instead")
    parser.add_argument("harness", nargs="*", help="default: all of them")
    options = parser.parse_args()
    known = harnesses()
    options.harness = options.harness or known
    for name in options.harness:
        if name not in known:
            sys.exit("fuzz: there is no harness %s; expected one of %s" % (name, ", ".join(known)))
    fuzzing = Fuzzing(options)
    fuzzing.check()
    fuzzing.make()
    return fuzzing.minimise() if options.minimise else fuzzing.run()


if __name__ == "__main__":
    sys.exit(main())
