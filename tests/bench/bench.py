#!/usr/bin/env python3
"""Measures searches, imports and exports, as multiples of the bare loop (bare.h). `--help` lists the options; the tables say what
each number is. Times are never asserted."""
import argparse
import json
import os
import sys
import tempfile

import chart
import rows
from measure import Data, Failed, Program

VERSION = 1  # of the report


def read_options():
    p = argparse.ArgumentParser(prog="make bench BENCH='...'", description="Measures searches, imports and exports.")
    p.add_argument("--out", default="out", help="where cqlgen and bench were built")
    p.add_argument("--part", help="some of " + ",".join(rows.PARTS + rows.MORE_PARTS) + " (default: all but " +
                   ",".join(rows.MORE_PARTS) + ")")
    p.add_argument("--quick", action="store_true", help="less precise: one round over less")
    p.add_argument("--rounds", type=int, help="the best of so many rounds counts (default 3)")
    p.add_argument("--seconds", type=float, help="about the time of one measurement (default 0.1)")
    p.add_argument("--megabytes", type=float, help="repeat the games up to this size of PGN (default 100)")
    p.add_argument("--tag-games", type=int, help="the size of the database for conditions on tags (default 200000)")
    p.add_argument("--sample", type=int, metavar="N", help="only the first N queries of each part")
    p.add_argument("--json", metavar="FILE", help="write the rows")
    p.add_argument("--compare", metavar="OLD.json", help="show how the rows differ from those of another run")
    p.add_argument("--svg", metavar="FILE", help="draw the chart")
    p.add_argument("--chart", metavar="FILE.json", help="measure nothing: draw the chart of another run (--svg)")
    p.add_argument("--previous", metavar="CQLGEN", help="only compare with another cqlgen, by its searches or by --part filters; they take turns")
    p.add_argument("games", nargs="*", metavar="GAMES", help="PGN files and databases")
    o = p.parse_args()
    defaults = (1, 0.03, 10, 20000) if o.quick else (3, 0.1, 100, 200000)
    for name, value in zip(("rounds", "seconds", "megabytes", "tag_games"), defaults):
        if getattr(o, name) is None:
            setattr(o, name, value)
    compares_filters = o.previous and o.part == "filters"
    o.all_terms = bool(o.part and "compile" in o.part.split(","))
    o.part = o.part.split(",") if o.part else rows.PARTS
    if not set(o.part) <= set(rows.PARTS + rows.MORE_PARTS):
        p.error("the parts are " + ", ".join(rows.PARTS + rows.MORE_PARTS))
    if o.previous and o.part is not rows.PARTS and not compares_filters:
        p.error("--previous compares searches (without --part) or `--part filters`")
    if not o.games and not o.chart:
        p.error("name PGN files or databases")
    return o


def introduce(bench, options):
    data = bench.data
    print("%d games, %.1f MB of PGN; the largest input has %.2f million positions" %
          (data.base.games, data.base.bytes / 1e6, data.large.positions / 1e6))
    print("Method: the time of a search less its time over one game, best of %d rounds in which all rows take turns; processor time for"
          " one thread, wall time for two." % options.rounds)
    print("x bare: positions a second over those of the bare loop (two-byte moves on 12 bitboards, one mask tested) of the same run.")
    for note in bench.notes:
        print("Note: " + note + ".")


def report_of(bench):
    data = bench.data
    return {"version": VERSION, "cqlgen": bench.program.output("--version").split("\n")[0], "notes": bench.notes,
            "games": data.base.games, "bytes": data.base.bytes, "positions": data.large.positions,
            "bare": bench.bare.plain, "tuned": bench.bare.tuned, "rows": bench.rows}


def compare(report, old):
    """The ratio of each row to that of another report; of the matrix, the means and the rows that differ most."""
    before = {(r["part"], r["name"]): r for r in old["rows"]}
    pairs = [(r, before[r["part"], r["name"]]) for r in report["rows"] if (r["part"], r["name"]) in before]
    # Rates count more, milliseconds less.
    ratios = [(r, r["value"] / o["value"] if "limit" not in r else o["value"] / r["value"]) for r, o in pairs
              if r["value"] and o["value"] and r["value"] > 0 and o["value"] > 0]
    print("\nBeside the other run (more is better)\n")
    for row, ratio in ratios:
        if row["part"] != "matrix":
            print("%-68s %6.2f%s" % ("%s: %s" % (row["part"], row["name"]), ratio, "  slower" if ratio < 0.95 else ""))
    matrix = sorted(((ratio, row["name"]) for row, ratio in ratios if row["part"] == "matrix"))
    for ratio, name in matrix[:5] + matrix[5:][-5:]:
        print("%-68s %6.2f%s" % ("matrix: " + name, ratio, "  slower" if ratio < 0.95 else ""))
    parts = dict.fromkeys(row["part"] for row, _ in ratios)
    for part in parts:
        print("%-68s %6.2f" % (part + ", geometric mean", rows.mean(ratio for row, ratio in ratios if row["part"] == part)))


def write(path, text):
    with open(path + ".new", "w", encoding="utf-8") as f:
        f.write(text)
    os.replace(path + ".new", path)


def read_report(path):
    with open(path, encoding="utf-8") as f:
        report = json.load(f)
    if report.get("version") != VERSION:
        raise Failed("%s: not a report of this benchmark" % path)
    return report


def measure(options, old):
    with tempfile.TemporaryDirectory(prefix="cqlgen-bench-") as folder:
        programs = [Program(os.path.join(options.out, "cqlgen"), folder)]
        if options.previous:
            programs.append(Program(options.previous, folder))
        data = Data(options.games, folder, programs, options.megabytes)
        bench = rows.Bench(data, programs[0], os.path.join(options.out, "bench"), options)
        introduce(bench, options)
        if options.previous and options.part is rows.PARTS:
            bench.previous(programs[1])
        else:
            for part in options.part:
                getattr(bench, part)()
        report = report_of(bench)
    if old:
        compare(report, old)
    return report


def main():
    options = read_options()
    sys.stdout.reconfigure(line_buffering=True)
    try:
        old = read_report(options.compare) if options.compare else None
        report = read_report(options.chart) if options.chart else measure(options, old)
        if options.json:
            write(options.json, json.dumps(report, indent=1) + "\n")
        if options.svg:
            write(options.svg, chart.draw(report))
    except (Failed, OSError, ValueError) as e:
        sys.exit("bench: %s" % e)


if __name__ == "__main__":
    main()
