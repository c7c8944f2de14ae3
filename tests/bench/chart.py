"""The chart of docs/benchmarks.md: bars of the rows of one report, as SVG without scripts, readable on light and dark pages."""
from html import escape

WIDTH, LEFT, BAR, GAP = 830, 320, 12, 12
TEXT = "#7d8590"
COLOURS = {"bare": "#8b949e", "pgn": "#d29922", "cc": "#2f81f7", "scalar": "#3fb950", "rare": "#a371f7"}
NAMES = (("cc", "compiled by cc, 8 games in lanes"), ("scalar", "the same without wide vectors"), ("rare", "prefilter, then the exact matcher"))


def groups(report):
    """{label: [(kind, row)]} of the rows that the chart shows."""
    found = {}
    for row in report["rows"]:
        label, kind = row["name"], None
        if row["part"] == "replay":
            name, _, form = label.rpartition(", ")
            kind = "bare" if label.startswith("bare loop") else "pgn" if "PGN" in label else form
            label = label if kind in ("bare", "pgn") else name
            label = label.replace("without branches on the moving piece", "without branches")
        elif row["part"] == "rare" and row["unit"] == "x bare":
            kind = "rare"
        if kind in COLOURS and row["value"]:
            found.setdefault(label, []).append((kind, row))
    return found


def text(x, y, content, anchor="start", weight="normal", size=13):
    return '<text x="%.1f" y="%.1f" text-anchor="%s" font-weight="%s" font-size="%d">%s</text>' % (x, y, anchor, weight, size, escape(content))


def bar(x, y, width, kind):
    return '<rect x="%.1f" y="%.1f" width="%.1f" height="%d" rx="2" fill="%s"/>' % (x, y, width, BAR, COLOURS[kind])


def draw(report):
    found = groups(report)
    longest = max([row["value"] for group in found.values() for _, row in group] + [1])
    scale = (WIDTH - LEFT - 150) / longest
    body, y = [], 74
    for label, group in found.items():
        body.append(text(LEFT - 10, y + (BAR + 2) * len(group) / 2 + 4, label, "end"))
        for kind, row in group:
            width = max(row["value"] * scale, 1)
            body.append(bar(LEFT, y, width, kind))
            figure = ("%.1f" if row["value"] >= 1 else "%.2f") % row["value"]
            rate = ("%.1f" if row["rate"] < 1e7 else "%.0f") % (row["rate"] / 1e6)
            body.append(text(LEFT + width + 8, y + 10, "%s  (%s million/s)" % (figure, rate), size=11))
            y += BAR + 2
        y += GAP - 2
    head = ['<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" width="%d" height="%d" role="img" '
            'font-family="system-ui, -apple-system, Segoe UI, Helvetica, Arial, sans-serif" fill="%s">' % (WIDTH, y, WIDTH, y, TEXT),
            "<title>Speed of searches, as multiples of the bare loop</title>",
            text(8, 22, "Positions a second on one core, as multiples of the bare loop", weight="bold", size=15)]
    x = 8
    for kind, name in NAMES:
        head += [bar(x, 38, 12, kind), text(x + 18, 48, name, size=12)]
        x += 44 + 6.4 * len(name)
    line = LEFT + scale
    head.append('<path d="M%.1f 66V%d" stroke="%s" stroke-width="1" stroke-dasharray="3 3"/>' % (line, y - 6, TEXT))
    return "\n".join(head + body + ["</svg>", ""])
