"""The chart of the README: bars of the rows of one report, as SVG without scripts, readable on light and dark pages."""
from html import escape

WIDTH, LEFT, ROW, BAR = 830, 330, 24, 14
TEXT = "#7d8590"
COLOURS = {"bare": "#8b949e", "pgn": "#d29922", "cc": "#2f81f7", "tcc": "#3fb950", "rare": "#a371f7"}
NAMES = (("cc", "compiled by cc, eight games in lanes"), ("tcc", "compiled by libtcc, one game at a time"),
         ("rare", "prefilter, then the exact matcher"), ("pgn", "PGN"))


def bars(report):
    """(label, value, positions a second, colour) of the rows that the chart shows."""
    for row in report["rows"]:
        if not row["value"]:
            continue
        if row["part"] == "replay":
            name, _, engine = row["name"].rpartition(", ")
            kind = "bare" if row["name"].startswith("bare") else "pgn" if "PGN" in name else engine
            yield row["name"] if kind == "bare" else name, row["value"], row["rate"], kind
        elif row["part"] == "rare" and row["unit"] == "x bare":
            yield row["name"], row["value"], row["rate"], "rare"


def text(x, y, content, anchor="start", weight="normal", size=13):
    return '<text x="%.1f" y="%.1f" text-anchor="%s" font-weight="%s" font-size="%d">%s</text>' % (x, y, anchor, weight, size, escape(content))


def draw(report):
    rows = list(bars(report))
    longest = max([value for _, value, _, _ in rows] + [1])
    scale = (WIDTH - LEFT - 150) / longest
    top = 74
    height = top + ROW * len(rows) + 16
    out = ['<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" width="%d" height="%d" role="img" '
           'font-family="system-ui, -apple-system, Segoe UI, Helvetica, Arial, sans-serif" fill="%s">' % (WIDTH, height, WIDTH, height, TEXT),
           "<title>Speed of searches, as multiples of the bare loop</title>",
           text(8, 22, "Positions searched per second on one core, as multiples of the bare loop", weight="bold", size=15)]
    x = 8
    for kind, name in NAMES:
        out.append('<rect x="%.1f" y="38" width="11" height="11" rx="2" fill="%s"/>' % (x, COLOURS[kind]))
        out.append(text(x + 16, 48, name, size=12))
        x += 34 + 6.3 * len(name)
    line = LEFT + scale
    out.append('<path d="M%.1f %d V%d" stroke="%s" stroke-width="1" stroke-dasharray="3 3"/>' % (line, top - 8, height - 10, TEXT))
    for i, (label, value, rate, kind) in enumerate(rows):
        y = top + ROW * i
        out.append(text(LEFT - 10, y + 12, label, "end"))
        out.append('<rect x="%d" y="%d" width="%.1f" height="%d" rx="2" fill="%s"/>' % (LEFT, y, max(value * scale, 1), BAR, COLOURS[kind]))
        figure = "%.2g" % value if value < 10 else "%.0f" % value
        out.append(text(LEFT + max(value * scale, 1) + 8, y + 12, "%s  (%.3g million/s)" % (figure, rate / 1e6), size=12))
    return "\n".join(out + ["</svg>", ""])
