"""The small changes of C sources that mutants.py makes.

A site is a place of a file and what may be written there instead: a comparison with or without equality, `==` for `!=`, `&&` for
`||`, `+` for `-`, a number one more or less, the other truth value, a `!`, a `break` or a statement left out.
Comments, strings, directives, static assertions, sizes of arrays and calls that give memory back stay as they are, and no call
asks for more memory than it did.
"""
import collections
import os
import re

Site = collections.namedtuple("Site", "path line start end new kind")

TOKEN = re.compile(r"""(?P<blank>\s+|//[^\n]*|/\*.*?\*/)|(?P<text>"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*')"""
                   r"""|(?P<name>[A-Za-z_]\w*)"""
                   r"""|(?P<number>(?:0[xX][0-9a-fA-F]+|\d+)[uUlL]*(?![\w.])|[\d.]+\w*)"""
                   r"""|(?P<sign><<=|>>=|\.\.\.|->|\+\+|--|&&|\|\||[-+*/%&|^<>=!]=|<<|>>|.)""", re.S)
DIRECTIVE = re.compile(r"^[ \t]*#(?:\\\n|/\*.*?\*/|[^\n])*", re.M | re.S)
OTHER = {"<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "==", "&&": "||", "||": "&&", "+=": "-=", "-=": "+=",
         "true": "false", "false": "true"}
KINDS = {"<": "comparison", "<=": "comparison", ">": "comparison", ">=": "comparison", "==": "equality", "!=": "equality",
         "&&": "and, or", "||": "and, or", "+=": "plus, minus", "-=": "plus, minus", "true": "truth value", "false": "truth value"}
WORDS = {"return", "if", "else", "for", "while", "do", "switch", "case", "default", "goto", "sizeof", "static", "const", "struct",
         "union", "enum", "typedef", "extern", "break", "continue", "int", "char", "bool", "unsigned", "long", "void", "double",
         "_Static_assert", "static_assert", "_Thread_local", "__asm__", "asm"}

# Only the sanitizers notice memory that is not given back.
RELEASES = re.compile(r"(^|_)(free|destroy|unmap|munmap)$")
# More memory than is used cannot be seen.
ALLOCATES = re.compile(r"(^|_)(alloc|malloc|calloc|realloc|grow|zeroed|reserve)$|^(memory|account)_new$")


class Token:
    def __init__(self, kind, text, start, line):
        self.kind, self.text, self.start, self.line = kind, text, start, line
        self.end = start + len(text)


def tokens(text):
    """The tokens of a C source without its directives and comments."""
    text = DIRECTIVE.sub(lambda m: re.sub(r"[^\n]", " ", m.group()), text)
    found, at, line = [], 0, 1
    while at < len(text):
        m = TOKEN.match(text, at)
        if m.lastgroup != "blank":
            found.append(Token(m.lastgroup, m.group(), at, line))
        line += m.group().count("\n")
        at = m.end()
    return found


def ends_value(token):
    return token.kind == "number" or token.text in (")", "]") or token.kind == "name" and token.text not in WORDS


def number(text, more):
    m = re.match(r"(?:(0[xX])([0-9a-fA-F]+)|(\d+))([uUlL]*)$", text)
    if not m:
        return None
    value = int(m.group(2), 16) if m.group(1) else int(m.group(3))
    value += 1 if more or value == 0 else -1
    return (hex(value) if m.group(1) else str(value)) + m.group(4)


def is_size(found, i):
    """`NAME NAME[5]`, `NAME *NAME[5]`"""
    if i < 3 or found[i - 1].text != "[" or found[i + 1].text != "]" or found[i - 2].kind != "name":
        return False
    before = found[i - 3]
    if before.text == "*":
        return found[i - 4].kind == "name"
    return before.kind == "name" and before.text not in ("return", "else", "case")


def statement_end(found, i):
    """The index of the `;` that ends the statement that begins at i; None: it is no expression, `break` or `continue`."""
    first, second = found[i], found[i + 1]
    if first.text in ("break", "continue") and second.text == ";":
        return i + 1
    if first.kind == "name" and (first.text in WORDS or second.kind == "name" or second.text == ":"):
        return None
    if first.kind != "name" and first.text not in ("*", "++", "--", "("):
        return None
    if first.kind == "name" and second.text == "*" and found[i + 2].kind == "name" and found[i + 3].text in ("=", ";", ",", "["):
        return None
    if RELEASES.search(first.text):
        return None
    depth = 0
    for k in range(i, len(found)):
        word = found[k].text
        depth += (word in ("(", "[")) - (word in (")", "]"))
        if word in ("{", "}") or depth < 0:
            return None
        if word == ";" and depth == 0:
            return k
    return None


def sites(path, text, chance):
    """{line: its sites}; every line of code has an entry. A number becomes one more where chance() < 0.5, else one less."""
    found, lines = tokens(text), {}
    depth = parentheses = skip = 0
    returns_truth = False
    calls = []  # for each open parenthesis or bracket: whether what is in it says how much memory is wanted

    def add(token, end, new, kind):
        lines[token.line].append(Site(path, token.line, token.start, end, new, kind))

    for i, token in enumerate(found):
        lines.setdefault(token.line, [])
        word, before = token.text, found[i - 1] if i else None
        if word in ("_Static_assert", "static_assert"):
            skip = next(k for k in range(i, len(found)) if found[k].text == ";")
        if i < skip:
            continue
        depth += (word == "{") - (word == "}")
        parentheses += (word == "(") - (word == ")")
        if word in ("(", "["):
            named = word == "(" and before is not None and before.kind == "name" and before.text not in WORDS
            calls.append(bool(ALLOCATES.search(before.text)) if named else word == "(" and bool(calls) and calls[-1])
        elif word in (")", "]") and calls:
            calls.pop()
        if depth == 0 and word == "(" and parentheses == 1:
            k = i
            while k > 0 and found[k - 1].text not in (";", "}"):
                k -= 1
            returns_truth = any(t.text == "bool" for t in found[k:i]) and not any(t.text == "*" for t in found[k:i])
        if token.kind == "sign" and word in OTHER or word in ("true", "false"):
            add(token, token.end, OTHER[word], KINDS[word])
        elif word in ("+", "-") and before and ends_value(before):
            add(token, token.end, "-" if word == "+" else "+", "plus, minus")
        elif token.kind == "number" and not is_size(found, i):
            more = chance() < 0.5
            new = number(word, more)
            grows = (more or word == "0") and before.text not in ("-", "/", "%", ">>")
            if new and not (grows and calls and calls[-1]):
                add(token, token.end, new, "number")
        elif word == "!":
            add(token, token.end, "", "not")
        elif word == "return" and returns_truth and found[i + 1].text not in ("true", "false"):
            end = next(k for k in range(i, len(found)) if found[k].text == ";")
            add(token, found[end].end, "return !(%s);" % text[found[i + 1].start:found[end].start], "returned value")
        if depth and before and parentheses == 0 and before.text in (";", "{", "}", "else", "do", ")"):
            end = statement_end(found, i)
            if end is not None:
                add(token, found[end].end, "{}", "break" if word == "break" else "statement")
    return lines


def code_files(root, rooms):
    """The C files of compiler/ and runtime/ in these rooms, but cluster programs, which not every machine can build."""
    for top in ("compiler", "runtime"):
        for folder, _, names in sorted(os.walk(os.path.join(root, top))):
            room = os.path.relpath(folder, root)
            if room != "compiler/mpi" and (not rooms or any(room == r or room.startswith(r.rstrip("/") + "/") for r in rooms)):
                yield from (os.path.join(room, name) for name in sorted(names) if name.endswith(".c"))


def choose(root, rooms, rng, kinds=()):
    """Yields sites at random, one of a line, each line as likely as every other; of lines that only can be left out, a third.
    With kinds, only sites of these."""
    lines = []
    for path in code_files(root, rooms):
        with open(os.path.join(root, path), encoding="utf-8", newline="") as f:
            lines += sites(path, f.read(), rng.random).values()
    rng.shuffle(lines)
    for line in lines:
        line = [site for site in line if not kinds or site.kind in kinds]
        rest = [site for site in line if site.kind != "statement"]
        if line and (rest or rng.random() < 1 / 3):
            yield rng.choice(rest if rest and rng.random() < 2 / 3 else line)


def changed(text, site):
    return text[:site.start] + site.new + text[site.end:]


def difference(text, site):
    """The changed line before and after, blanks folded."""
    new = changed(text, site)
    start = text.rfind("\n", 0, site.start) + 1
    old_end, new_end = text.find("\n", site.end), new.find("\n", site.start + len(site.new))
    return " ".join(text[start:old_end].split()), " ".join(new[start:new_end].split())
