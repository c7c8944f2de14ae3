"""What all parts of the test suite share: running programs, counting results, comparing games."""
import concurrent.futures
import os
import re
import shutil
import subprocess
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
TESTS = os.path.join(ROOT, "tests")
EXAMPLES = os.path.join(ROOT, "examples")


OVERSUBSCRIBE = "PRTE_MCA_rmaps_default_mapping_policy"

# Open MPI for tests: as root, more ranks than processors, all on one machine.
MPI = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1", "OMPI_MCA_rmaps_base_oversubscribe": "1",
       "OMPI_MCA_mpi_yield_when_idle": "1", OVERSUBSCRIBE: ":oversubscribe",  # from version 5 on
       "OMPI_MCA_btl": "self,vader",
       "OMPI_MCA_btl_base_warn_component_unused": "0", "OMPI_MCA_btl_vader_single_copy_mechanism": "none"}


class Result:
    """How a program ended: status (negative: killed by a signal; None: no answer in time), stdout, stderr."""

    def __init__(self, status, out, err):
        self.status, self.out, self.err = status, out, err

    def text(self):
        return self.out.decode("utf-8", "replace")

    def errors(self):
        return self.err.decode("utf-8", "replace")

    def crashed(self):
        return self.status is None or self.status < 0 or b"Sanitizer" in self.err or b"runtime error:" in self.err


class Suite:
    """Options of the run and its tally."""

    def __init__(self, out, sanitize=False, full=False, update=False, verbose=False, jobs=None, select=(), first=False):
        self.out = os.path.abspath(out)
        self.cqlgen = os.path.join(self.out, "cqlgen")
        self.sanitize, self.full, self.update, self.verbose = sanitize, full, update, verbose
        self.jobs = jobs or len(os.sched_getaffinity(0))
        self.select, self.first = select, first
        self.passed = self.failed = 0
        self.folder = tempfile.TemporaryDirectory(prefix="cqlgen-tests-")
        self.part = ""
        self.fault = self.path("fault.so")  # for LD_PRELOAD, in which a blank ends a name: the folder of the build may have one
        if os.path.exists(os.path.join(self.out, "tests", "fault.so")):
            shutil.copy(os.path.join(self.out, "tests", "fault.so"), self.fault)
        self.environment = dict(os.environ, **MPI, NO_COLOR="1", LC_ALL="C.UTF-8", XDG_CACHE_HOME=self.path("cache"),
                                CQLGEN_CHECK="1",  # the IR is verified after each pass of the optimiser
                                PATH=self.out + os.pathsep + os.environ.get("PATH", ""))
        if sanitize:
            self.environment["ASAN_OPTIONS"] = "detect_leaks=1:abort_on_error=0:malloc_context_size=6"
            self.environment["UBSAN_OPTIONS"] = "print_stacktrace=1"

    def has_mpi(self):
        return bool(shutil.which("mpirun")) and os.path.exists(os.path.join(self.out, "cqlgen-mpi"))

    def size(self, full, quick, sanitize):
        """The size of a generated part: in a full run, in the ordinary one, and with sanitizers."""
        return sanitize if self.sanitize else full if self.full else quick

    def some(self, items, quick, sanitize, full=1):
        """Every full-th item in a full run, otherwise every quick-th or sanitize-th. Another CQLGEN_SEED takes other ones."""
        step = self.size(full, quick, sanitize)
        return items[(int(os.environ.get("CQLGEN_SEED", "1")) - 1) % step::step]

    def path(self, name):
        """A path in the folder for temporary files, of which each part has one of its own."""
        return os.path.join(self.folder.name, self.part, name)

    def begin(self, part):
        self.part = part
        os.makedirs(self.path(""), exist_ok=True)

    def check(self, name, good, why=""):
        if good:
            self.passed += 1
        else:
            self.failed += 1
        if not good or self.verbose:
            print("%s %s%s" % ("pass" if good else "FAIL", name, ": " + why if why and not good else ""), flush=True)
        if not good and self.first:
            raise SystemExit(1)
        return good

    def ends(self, name, result, status=0, out=None, err=None, errors=None, also=True):
        """Checks the exit status, standard output (out, the whole text), standard error (err, '' for none or else a part of it; errors, the
        whole text), and `also`, which is true of what the program left."""
        why = ""
        if result.status != status:
            why = "exit status %s, not %s: %s" % (result.status, status, result.errors().strip()[-300:])
        elif out is not None and result.text() != out:
            why = "prints %r, not %r" % (result.text()[:300], out[:300])
        elif result.err if err == "" else err and err not in result.errors():
            why = "%r is not the message %r" % (result.errors()[:300], err)
        elif errors is not None and result.errors() != errors:
            why = "the message is not %r: %r" % (errors[:300], result.errors()[:300])
        elif not also:
            why = "what it left is not as expected; it says %r" % (result.text() + result.errors())[:300]
        return self.check(name, not why, why)

    def run(self, argv, stdin=b"", timeout=120, cwd=ROOT, environment=None):
        environment = dict(self.environment, **(environment or {}))
        if argv[0] == "mpirun":  # of two that share a folder, one may remove what the other is about to use
            folder = tempfile.mkdtemp(dir=self.folder.name)
            environment.update(OMPI_MCA_orte_tmpdir_base=folder, PRTE_MCA_prte_tmpdir_base=folder)
            # The variables for these have other names in each version, and later ones complain of the old names.
            environment.pop(OVERSUBSCRIBE)
            argv = ["mpirun", "--bind-to", "none", "--map-by", ":OVERSUBSCRIBE", *argv[1:]]
        try:
            p = subprocess.run(argv, input=stdin, stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=timeout, cwd=cwd, env=environment)
            return Result(p.returncode, p.stdout, p.stderr)
        except subprocess.TimeoutExpired as e:
            return Result(None, e.stdout or b"", (e.stderr or b"") + b"no answer in %d s" % timeout)

    def generate(self, path, **options):
        """Writes plausible games to a file; the options are those of generate-games."""
        arguments = [text for name, value in options.items() for text in ("--" + name, str(value))]
        write(path, self.run([os.path.join(self.out, "generate-games"), *arguments]).text())

    def search(self, *arguments, **options):
        return self.run([self.cqlgen, "search", *arguments], **options)

    def wanted(self, key):
        return not self.select or any(key == s or key.startswith(s.rstrip("/") + "/") for s in self.select)

    def map(self, function, items):
        """Runs function(item) for all items on all processors; yields (item, value) in order."""
        items = list(items)
        with concurrent.futures.ThreadPoolExecutor(self.jobs) as pool:
            yield from zip(items, pool.map(function, items))


def read(path, encoding="utf-8"):
    with open(path, encoding=encoding, errors="replace", newline="") as f:
        return f.read()


def write(path, text):
    with open(path, "w", encoding="utf-8", newline="") as f:
        f.write(text)


def difference(want, got):
    """Where two texts differ first."""
    a, b = want.split("\n"), got.split("\n")
    for i in range(max(len(a), len(b))):
        x = a[i] if i < len(a) else "(nothing)"
        y = b[i] if i < len(b) else "(nothing)"
        if x != y:
            k = next((k for k in range(min(len(x), len(y))) if x[k] != y[k]), min(len(x), len(y)))
            low = max(0, k - 60)
            return "line %d: expected %r, got %r" % (i + 1, x[low:k + 60], y[low:k + 60])
    return "equal"


def games_of(text):
    """The games of a PGN text in the form in which outputs are compared: tags sorted, white space of the moves folded
    (language reference 10.10)."""
    games, tags, moves = [], [], []

    def flush():
        if tags or moves:
            body = re.sub(r"\s+", " ", " ".join(moves)).strip()
            body = re.sub(r"\s*([{}()])\s*", r"\1", body)
            body = re.sub(r"(\d+\.(?:\.\.)?)\s+", r"\1", body)
            games.append("\n".join(sorted(tags)) + "\n\n" + body + "\n")

    depth = 0
    for line in text.replace("\r\n", "\n").split("\n"):
        if depth == 0 and re.match(r'\[\w+ ".*"\]\s*$', line):
            if moves:
                flush()
                tags, moves = [], []
            tags.append(line.strip())
        elif line.strip():
            moves.append(line.strip())
            depth += line.count("{") - line.count("}")
    flush()
    return games
