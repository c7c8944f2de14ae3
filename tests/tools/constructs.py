"""Queries that repeat or nest one construct N times: what the compiler's work must be proportional to."""


def names(n, make, join=" "):
    return join.join(make(i) for i in range(n))


def nested(n, before, middle, after):
    return before * n + middle + after * n


SQUARES = [f + r for f in "abcdefgh" for r in "12345678"]


def square(i):
    return SQUARES[i % 64]


def designator(i):
    return "KQRBNPkqrbnp"[i % 12] + square(i // 12)


# Flat: N of them next to each other. Two with the same name are one construct with the same and with different operands.
REPEATED = {
    "check": lambda n: "check " * n,
    "filters": lambda n: names(n, designator),
    "calls": lambda n: names(n, lambda i: f"pin to {designator(i)}"),
    "attacks": lambda n: names(n, lambda i: f"{designator(i)} attacks {designator(7 * i + 5)}"),
    "and": lambda n: names(n, designator, " and "),
    "or": lambda n: names(n, designator, " or "),
    "or of calls": lambda n: names(n, lambda i: f"{designator(i)} attacks {designator(7 * i + 5)}", " or "),
    "or of conditions": lambda n: names(n, lambda i: f"{{{designator(i)} {designator(i + 13)}}}", " or "),
    "union": lambda n: names(n, designator, " | "),
    "union of calls": lambda n: names(n, lambda i: f"(R attacks {designator(i)})", " | "),
    "intersection": lambda n: names(n, lambda i: f"~{designator(i)}", " & "),
    "sum": lambda n: names(n, lambda i: f"#{designator(i)}", " + ") + " > 3",
    "difference": lambda n: names(n, lambda i: f"#{designator(i)}", " - ") + " > 3",
    "comparisons": lambda n: names(n, lambda i: f"ply > {i}"),
    "different comparisons": lambda n: names(n, lambda i: f"#{designator(i)} + ply != {i}"),
    "pieces": lambda n: "[" + "RQk" * n + "]a1",
    "squares": lambda n: "R[" + names(n, square, ",") + "]",
    "assignments": lambda n: names(n, lambda i: f"x{i} = {i}"),
    "assignments of calls": lambda n: names(n, lambda i: f"x{i} = R attacks {designator(i)}"),
    "assignments read": lambda n: "x0 = ply " + names(n, lambda i: f"x{i + 1} = x{i} + 1"),
    "assignments to one": lambda n: "x = 1 " + names(n, lambda i: f"x = x + {i} % 3"),
    "piece assignments": lambda n: names(n, lambda i: f"piece P{i} = {designator(i)}"),
    "piece loops": lambda n: names(n, lambda i: f"piece P{i} in {designator(i)} {{P{i} attacks k}}"),
    "square loops": lambda n: names(n, lambda i: f"square all s{i} in R {{s{i} attacks k}}"),
    "persistent": lambda n: names(n, lambda i: f"persistent x{i} = 1 x{i} += 1"),
    "functions": lambda n: names(n, lambda i: f"function fn{i}(x) {{x attacks k}} fn{i}(R)"),
    "calls of one function": lambda n: "function f(x) {x attacks k} " + names(n, lambda i: f"f({designator(i)})"),
    "dictionaries": lambda n: names(n, lambda i: f'dictionary D{i} D{i}["a"] = "b"'),
    "strings": lambda n: names(n, lambda i: f'"part {i}"', " + ") + ' == "x"',
    "string tests": lambda n: names(n, lambda i: f'player "name{i}"'),
    "tags": lambda n: names(n, lambda i: f'"site{i}" in tag "Site"', " or "),
    "regexes": lambda n: names(n, lambda i: f'fen ~~ "k{i}"'),
    "comments": lambda n: "// a comment\n" * n + "check",
    "messages": lambda n: names(n, lambda i: f'message ("{i}")'),
    "comment filters": lambda n: names(n, lambda i: f'comment ("a" {i} "b")'),
    "comment operands": lambda n: "comment (" + names(n, lambda i: f'"{i}"') + ")",
    "sort": lambda n: names(n, lambda i: f'sort "{i}" #R'),
    "flip": lambda n: names(n, lambda i: f"flipcolor {{{designator(i)}}}"),
    "shift": lambda n: names(n // 10, lambda i: f"shift {{{designator(i)}}}"),
    "if": lambda n: names(n, lambda i: f"if {designator(i)} {designator(i + 1)} else {designator(i + 2)}"),
    "while": lambda n: names(n, lambda i: f"x{i} = 3 while (x{i} > 0) {{x{i} -= 1}}"),
    "find": lambda n: names(n, lambda i: f"find {designator(i)}"),
    "find of calls": lambda n: names(n, lambda i: f"find {{R attacks {designator(i)}}}"),
    "path": lambda n: "path " + names(n, lambda i: f"--{designator(i)}"),
    "path of conditions": lambda n: "path -- " + names(n, lambda i: f"{designator(i)}"),
    "line": lambda n: "line " + names(n, lambda i: f"--> {designator(i)}"),
    "moves": lambda n: names(n, lambda i: f"{designator(i)} -- {square(i + 5)}"),
    "move filters": lambda n: names(n, lambda i: f"move from {designator(i)} to {square(i + 5)}"),
    "arrow": lambda n: names(n, lambda i: designator(i), "->"),
    "at": lambda n: names(n, lambda i: f"parent:{designator(i)}"),
    "echo": lambda n: names(n // 10, lambda i: f"echo (s{i} t{i}) {{s{i}:{designator(i)}}}"),
    "legal": lambda n: names(n, lambda i: f"move legal from {designator(i)}"),
    "statements": lambda n: names(n, lambda i: f"{{{designator(i)} {designator(i + 3)}}}"),
}

# Deep: N of them, each inside the one before.
NESTED = {
    "product": lambda n: names(n, lambda i: f"#{designator(i)}", " * ") + " > 3",
    "product of constants": lambda n: names(n, lambda i: f"{i + 2}", " * ") + " > 3",
    "paths": lambda n: names(n, lambda i: f"path --{designator(i)}"),
    "else if": lambda n: names(n, lambda i: f"if {designator(i)} {designator(i + 1)}", " else ") + " else check",
    "braces": lambda n: nested(n, "{", "check", "}"),
    "braces with two": lambda n: nested(n, "{ wtm ", "check", "}"),
    "parentheses": lambda n: nested(n, "(", "R", ")") + " & Q",
    "not": lambda n: nested(n, "not ", "check", ""),
    "complement": lambda n: nested(n, "~ ", "R", ""),
    "count": lambda n: nested(n, "(1+", "#R", ")") + " > 3",
    "nested union": lambda n: "".join(f"({designator(i)} | " for i in range(n)) + "R" + ")" * n,
    "nested or": lambda n: "".join(f"{{{designator(i)} or " for i in range(n)) + "check" + "}" * n,
    "nested and or": lambda n: "".join("{R%s and {Q%s or " % (square(i), square(i + 1)) for i in range(n // 2)) + "check" + "}}" * (n // 2),
    "nested find": lambda n: nested(n, "find ", "check", ""),
    "nested find braces": lambda n: nested(n, "find {wtm ", "check", "}"),
    "nested path": lambda n: nested(n, "path -- {", "check", "}"),
    "nested line": lambda n: nested(n, "line --> {", "check", "}"),
    "nested if": lambda n: nested(n, "if check then {", "wtm", "} else btm"),
    "nested if test": lambda n: nested(n, "if (", "wtm", ") btm"),
    "nested at": lambda n: nested(n, "parent:", "check", ""),
    "nested attacks": lambda n: nested(n, "(R attacks ", "k", ")"),
    "nested queen attacks": lambda n: nested(n, "(Q attacks ", "k", ")"),
    "nested attackedby": lambda n: nested(n, "(_ attackedby ", "[QNKP]", ")"),
    "nested dash": lambda n: nested(n, "--(", "check", ")"),
    "nested square loops": lambda n: "".join(f"square s{i} in R {{" for i in range(n)) + "check" + "}" * n,
    "nested piece loops": lambda n: "".join(f"piece P{i} in R {{" for i in range(n)) + "check" + "}" * n,
    "nested while": lambda n: nested(n, "while (wtm) {", "check", "}"),
    "nested flip": lambda n: nested(n, "flipcolor {", "check", "}"),
    "nested shift": lambda n: nested(n, "shift {", "check", "}"),
    "nested string": lambda n: nested(n, "lowercase ", '"a"', "") + ' == "b"',
    "nested functions": lambda n: "function fn0() {check} " + names(n, lambda i: f"function fn{i + 1}() {{fn{i}()}}") + f" fn{n}()",
    "nested echo": lambda n: "".join(f"echo (s{i} t{i}) {{" for i in range(n)) + "check" + "}" * n,
    "nested sort": lambda n: nested(n, "sort ", "#R", ""),
    "nested comment": lambda n: "".join("comment (" for _ in range(n)) + '"a"' + ")" * n,
    "nested abs": lambda n: nested(n, "abs (", "#R", ")") + " > 3",
}
