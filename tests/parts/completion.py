"""The completions, in the shells that they are for: each line is typed into an interactive shell on a pseudo-terminal."""
import os
import pty
import re
import select
import shutil
import subprocess
import time

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


def run(suite):
    folder = suite.path("completion")
    os.mkdir(folder)
    for name in ("studies.pgn", "back-rank.cql"):
        shutil.copy(os.path.join(EXAMPLES, name), folder)
    write(os.path.join(folder, "with blanks.cql"), "cql() mate")
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
