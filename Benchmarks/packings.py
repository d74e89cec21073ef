"""What the ways to pack blocks cost and save: `python3 Benchmarks/packings.py` measures them on their own and writes a record,
`make bench` as one of its stages. It needs no peers and nothing from PyPI."""

import argparse
import csv
import datetime
import json
import shutil
import statistics
import subprocess
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
WAYS = ["fast", "balanced", "small", "LZ4"]
TABLES = {"": "The table of WIKI's shape: twelve columns, 3,199 tickers",
          " of five columns": "A table of another character, as Stooq's files are: five columns, only adjusted prices of 2 to 6 "
                              "decimals, volumes of any number of shares, short histories"}
QUERIES = [f"Q{number}" for number in range(1, 13)]


def measure(bench, directory, rows):
    """The JSON lines of `quoin-bench packings`, as dictionaries."""
    if directory.exists():
        shutil.rmtree(directory)
    directory.mkdir(parents=True)
    done = subprocess.run([str(bench), "packings", str(directory), str(rows)], stdout=subprocess.PIPE, text=True, check=True)
    shutil.rmtree(directory)
    return [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]


def sections(rows):
    """The part of a record's page that is about packing. `rows` have `query`, `answer` (text) and `median_ms`."""
    figures = {row["query"]: row for row in rows}
    for suffix, title in TABLES.items():
        if f"size{suffix}, small" not in figures:
            continue
        count = int(figures[f"size{suffix}, small"]["answer"].split()[0])
        yield f"{title}; {count:,} rows."
        yield table([""] + WAYS, [size_row(figures, suffix, count), *share_rows(figures, suffix),
                                    *time_rows(figures, suffix)])


def size_row(figures, suffix, count):
    return ["bytes a row"] + [f"{int(figures[f'size{suffix}, {way}']['answer'].split()[1]) / count:.2f}" for way in WAYS]


def share_rows(figures, suffix):
    """How many of the blocks of prices and of volumes are packed by LZ4, and how many in bits."""
    for title, columns in [("prices", ["open", "high", "low", "close"]), ("volumes", ["volume"])]:
        for storage, storages in [("LZ4", ["lz4", "lz4Planes"]), ("bits", ["bits", "differenceBits"])]:
            yield [f"blocks of {title} in {storage}"] + [
                f"{100 * share(figures, f'{suffix}, {way}', columns, storages):.3g} %" for way in WAYS]


def share(figures, suffix, columns, storages):
    counts = {True: 0, False: 0}
    for query, row in figures.items():
        name = query.removesuffix(suffix).split()
        if query.endswith(suffix) and len(name) == 3 and name[0] in columns:
            counts[name[2] in storages] += int(row["answer"].split()[0])
    return counts[True] / max(1, sum(counts.values()))


def time_rows(figures, suffix):
    """Milliseconds, and how many times those of `balanced` they are."""
    for query in ["write"] + QUERIES:
        times = [time(figures, f"{query}{suffix}, {way}") for way in WAYS]
        if times[1] is not None:
            yield [f"{query}, ms"] + [(f"{time:,.0f}" if time >= 100 else f"{time:.3g}")
                                      + ("" if way == "balanced" else f" ({time / times[1]:.2f}x)")
                                      for way, time in zip(WAYS, times)]


def time(figures, query):
    row = figures.get(query)
    return float(row["median_ms"]) if row and row["median_ms"] != "" else None


def table(header, rows):
    line = lambda cells: "| " + " | ".join(cells) + " |"
    return "\n".join([line(header), line(["---"] * len(header))] + [line(row) for row in rows])


def better_rounds(lines):
    """Of the rounds of each question, the one with the smaller median."""
    best = {}
    for line in lines:
        known = best.get(line["query"])
        if known is None or line["times"] and statistics.median(line["times"]) < statistics.median(known["times"]):
            best[line["query"]] = line
    return list(best.values())


def row_of(line):
    """A line of the record."""
    times = line["times"]
    row = {"query": line["query"], "threads": line["threads"], "runs": len(times),
           "answer": " ".join(map(str, line["answer"])), "median_ms": "", "min_ms": "", "max_ms": ""}
    if times:
        row |= {"median_ms": round(statistics.median(times), 4), "min_ms": round(min(times), 4), "max_ms": round(max(times), 4)}
    return row


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=15_400_000, help="rows of each table; fewer to try things out")
    parser.add_argument("--bench", type=Path, default=ROOT / ".build/release/quoin-bench", help="the program quoin-bench")
    parser.add_argument("--record", help="where the record goes, without extension, if not under Records/")
    options = parser.parse_args()
    rows = [row_of(line) for line in better_rounds(measure(options.bench, ROOT / ".build/packings", options.rows))]
    commit = subprocess.run(["git", "-C", str(ROOT), "describe", "--always", "--dirty=+"], capture_output=True, text=True,
                            check=True).stdout.strip()
    day = datetime.datetime.now(datetime.timezone.utc).date()
    path = Path(options.record or HERE / "Records" / f"{day}-{commit.strip('+')}-packings")
    with open(f"{path}.csv", "w", newline="") as file:
        writer = csv.DictWriter(file, rows[0].keys(), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
    with open("/proc/cpuinfo") as file:
        cpu = next(line.split(":")[1].strip() for line in file if line.startswith("model name"))
    page = [f"# How blocks are packed, {day}",
            f"Commit {commit}, {cpu}. One thread, medians; the raw figures are in [{path.name}.csv]({path.name}.csv). `LZ4` is what "
            "`balanced` would be with LZ4 wherever it saves a byte, and without bits. All ways gave the same answers.",
            *sections(rows)]
    Path(f"{path}.md").write_text("\n\n".join(page) + "\n")
    print(f"wrote {path}.csv and .md")


if __name__ == "__main__":
    main()
