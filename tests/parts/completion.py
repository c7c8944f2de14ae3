"""The completions, in the shells that they are for: each line is typed into an interactive shell on a pseudo-terminal. Before that, their
options and words are compared with what `cqlgen help` says of each command."""
import os
import pty
import re
import select
import shutil
import subprocess
import time

from parts import manual
from parts.harness import EXAMPLES, write

# What is typed, and what is there after the tab key.
LINES = [
    ("cqlgen sea", "cqlgen search"),
    ("cqlgen search --form", "cqlgen search --format"),
    ("cqlgen search -f posi", "cqlgen search -f positions"),
    ("cqlgen search --format posi", "cqlgen search --format positions"),
    ("cqlgen search --format=posi", "cqlgen search --format=positions"),
    ("cqlgen search -e mate studi", "cqlgen search -e mate studies.pgn"),
    ("cqlgen search with\\ bl", "cqlgen search with\\ blanks.cql"),
    ("cqlgen back-ra", "cqlgen back-rank.cql"),
    ("cqlgen back-rank.cql --outp", "cqlgen back-rank.cql --output"),
    ("cqlgen convert --to cq", "cqlgen convert --to cql62"),
    ("cqlgen explain --no-op", "cqlgen explain --no-optimize"),
    ("cqlgen search --example greek-g", "cqlgen search --example greek-gift"),
    ("cqlgen search --fields posi", "cqlgen search --fields position"),
    ("cqlgen search --fields game,comments,clo", "cqlgen search --fields game,comments,clock"),
    ("cqlgen search --fields=game,fen,tag", "cqlgen search --fields=game,fen,tags"),
    ("cqlgen search --count-by year,resu", "cqlgen search --count-by year,result"),
    ("cqlgen bench --engines tcc,inte", "cqlgen bench --engines tcc,interp"),
    ("cqlgen examples smothered-m", "cqlgen examples smothered-mate"),
    ("cqlgen help stalem", "cqlgen help stalemate"),
    ("cqlgen help countsq", "cqlgen help countsquares"),
    ("cqlgen help synt", "cqlgen help syntax"),
    ("cqlgen help verif", "cqlgen help verify"),
    ("cqlgen help --compl", "cqlgen help --completion"),
    ("cqlgen verify --vers", "cqlgen verify --version"),
    ("cqlgen cql -simil", "cqlgen cql -similarposition"),
    ("cqlgen cql -inp", "cqlgen cql -input"),
    ("cqlgen-mpi search --form", "cqlgen-mpi search --format"),
    ("cqlgen-cql -virtualm", "cqlgen-cql -virtualmainline"),
    ("cqlgen cqli -noelidev", "cqlgen cqli -noelidevariations"),
    ("cqlgen cql -result 1/", "cqlgen cql -result 1/2-1/2"),
]
START = {
    "bash": (["bash", "--norc", "--noprofile", "-i"], "bind 'set bell-style none'; bind 'set enable-bracketed-paste off'\n. '%s'\n"),
    "zsh": (["zsh", "-f", "-i"], "unsetopt zle_bracketed_paste; unset zle_bracketed_paste; setopt no_beep; autoload -U compinit\n"
                                 "compinit -u -D\n. '%s'\n"),
}


class Terminal:
    """An interactive shell."""

    def __init__(self, command, folder, environment):
        self.master, slave = pty.openpty()
        self.process = subprocess.Popen(command, stdin=slave, stdout=slave, stderr=slave, cwd=folder, start_new_session=True,
                                        env=dict(environment, TERM="dumb", PS1="", COLUMNS="200", HISTFILE="/dev/null"))
        os.close(slave)
        self.text = ""

    def wait_for(self, mark, seconds=20):
        """Reads until a line contains the mark. Returns the text before it in that line; None: it did not come."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            found = re.search(r"(?m)^([^\n]*?)" + mark, self.text)
            if found:
                self.text = self.text[found.end():]
                return found.group(1)
            if select.select([self.master], [], [], 0.2)[0]:
                try:
                    self.text += os.read(self.master, 65536).decode("utf-8", "replace").replace("\r", "")
                except OSError:
                    return None
        return None

    def type(self, keys):
        os.write(self.master, keys.encode())

    def close(self):
        self.process.kill()
        self.process.wait()
        os.close(self.master)


def complete(terminal, line):
    """The line after the tabulator: it is printed by putting `echo '…' END` around it, not run."""
    terminal.type(line + "\t")
    time.sleep(0.05)
    terminal.type("' | cat; echo E''ND\x01echo '\n")
    return terminal.wait_for("\n(?=END)")


def in_shell(suite, shell, path, folder):
    command, start = START[shell]
    terminal = Terminal(command, folder, suite.environment)
    terminal.type(start % path + "echo READ''Y\n")
    if suite.check("completion: %s starts" % shell, terminal.wait_for("READY") is not None, terminal.text[-300:]):
        for line, want in LINES:
            got = complete(terminal, line)
            suite.check("completion: %s, `%s`" % (shell, line), got is not None and got.rstrip(" =,") == want, repr(got))
    terminal.close()


def help_options(text):
    """The options in the help of a command: names with their dashes, the argument or None, the help."""
    found = []
    for line in text.splitlines():
        m = re.match(r"  (?:    )?(-[^\s,]+(?:, -[^\s,]+)*)(?: (\S+(?: \S+)*))?(?: {2,}(\S.*))?$", line)
        if m:
            names = m.group(1).split(", ")
            if "[no]" in names[0]:
                names = [name.replace("[no]", no) for no in ("", "no") for name in names]
            found.append([names, m.group(2), m.group(3) or ""])
        elif found and line.startswith(" " * 28):
            found[-1][2] += (" " if found[-1][2] else "") + line.strip()
    return found


def as_in_help(suite, bash, zsh):
    """The completions have the options that `cqlgen help COMMAND` has, with their arguments and texts; bash and zsh the same words."""
    commands = re.search(r"commands:command:\((.*?)\)", zsh).group(1).split()
    values, number, every = {}, 0, set()  # of (pattern, option): is it a list? the words
    for patterns, is_list, words in re.findall(r"(?m)^    (\S+:\S+(?: \| \S+)*)\) (list=1 )?words='(.*)' ;;$", bash):
        for pattern in patterns.split(" | "):
            values[tuple(pattern.split(":"))] = (bool(is_list), words)
    names_of = {name: re.search(r"\[\[ \$command == %s && \$COMP_CWORD -gt 1 \]\]; then\n        words='(.*)'" % name, bash).group(1) for name in ("help", "examples")}
    for command in commands:
        pattern = "*" if command == "compile" else command
        options = help_options(suite.run([suite.cqlgen, "help", command]).text())
        long = command not in ("cql", "cqli")
        every |= {(*names, argument, text) for names, argument, text in options if long}
        words = [name for names, _, _ in options for name in names if not long or len(name) > 2]
        got = re.search(r"(?m)^        %s\) words='(.*)' ;;$" % re.escape(pattern), bash).group(1).split()
        suite.check("completion: bash has the options of " + command, sorted(got) == sorted(words), "%s %s" % (got, words))
        lines = []
        for names, argument, text in options:
            text, shown = (re.sub(r"([\[\]:\\])", r"\\\1", part or "").replace("'", "'\\''") for part in (text, argument))
            after = ""
            for name in names:
                is_list, choices = values.get((pattern, name), (False, None))
                if argument:
                    file = "FILE" in argument or argument == "DIR"
                    after = ":%s:%s" % (shown, "_values -s , word " + choices if is_list else "(%s)" % choices if choices is not None else "_files" if file else " ")
                lines.append("'*%s%s[%s]%s'" % (name, "=" if long and len(name) > 2 and argument else "", text, after))
                if argument and "|" in argument and choices is not None:
                    suite.check("completion: the words of " + name, choices.split() == argument.split("|"), choices)
                if choices is not None:
                    number += 1
                    suite.check("completion: one space between the words of " + name, choices.rstrip() == " ".join(choices.split()), choices)
        rest = "'*:name:(%s)'" % names_of[command] if command in names_of else "'*:file:_files'"
        got = re.search(r"(?m)^    %s\)\n        _arguments \\\n((?:            .*\n)+)        ;;$" % re.escape(pattern), zsh).group(1)
        got = [line.strip().removesuffix(" \\") for line in got.splitlines()]
        different = [pair for pair in zip(sorted(got[:-1]), sorted(lines)) if pair[0] != pair[1]]
        suite.check("completion: zsh has the options of " + command, got[-1] == rest and not different and len(got) == len(lines) + 1, str(different[:1]) + got[-1][:100])
    suite.check("completion: words of options", number > 20)
    page = help_options(suite.run([suite.cqlgen, "help", "options"]).text().partition("\n\nExamples")[0])
    page = sorted((str((*names, argument, text)) for names, argument, text in page))
    suite.check("completion: the page about options has those of all commands with two dashes", page == sorted(map(str, every)), str(set(page) ^ set(map(str, every)))[:500])
    words = names_of["help"].split()
    suite.ends("completion: help knows its words", suite.run([suite.cqlgen, "help", *words]))
    pages = [name for page in manual.pages() for name in page.names if re.fullmatch(r"[a-z0-9_][a-z0-9_-]*", name)]
    first = words[:len(words) - words[::-1].index("compile")]
    suite.check("completion: help has the words of the manual, and the commands", sorted(first) == sorted(pages + commands), str(set(first) ^ set(pages + commands)))
    older = re.findall(r"(?m)^  :?([a-z0-9]+)(?:  |$)", suite.run([suite.cqlgen, "help"]).text().partition("\nWords of ")[2])
    suite.check("completion: help has words of older dialects", words[len(first):] and set(words[len(first):]) <= set(older), str(set(words[len(first):]) - set(older)))


def run(suite):
    folder = suite.path("completion")
    os.mkdir(folder)
    for name in ("studies.pgn", "back-rank.cql"):
        shutil.copy(os.path.join(EXAMPLES, name), folder)
    write(os.path.join(folder, "with blanks.cql"), "cql() mate")
    as_in_help(suite, *(suite.run([suite.cqlgen, "help", "--completion", shell]).text() for shell in ("bash", "zsh")))
    for shell in START:
        result = suite.run([suite.cqlgen, "help", "--completion", shell])
        path = os.path.join(suite.path("completion." + shell))
        suite.check("completion: it is printed for " + shell, result.status == 0 and result.text() and not result.err)
        write(path, result.text())
        if shutil.which(shell):
            in_shell(suite, shell, path, folder)
        else:
            print("completion: not tried in %s, which is not here" % shell)
    suite.check("completion: another shell is refused", suite.run([suite.cqlgen, "help", "--completion", "csh"]).status == 2)
