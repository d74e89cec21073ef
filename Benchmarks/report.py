"""Turns a record into a table and a picture: `python report.py Records/FILE.csv` writes FILE.md and FILE.svg."""

import sys
from pathlib import Path
from textwrap import shorten as shortened

import matplotlib

matplotlib.use("svg")
import matplotlib.pyplot as plot

import packings
from figures import Figures, factor, met, number
from Peers.answers import agree
from queries import BASELINES, COLD_PARTS, COLD_PEERS, LIBRARIES, PEERS, QUERIES, ROUGH_QUERIES

ENGINES = ["quoin", *PEERS, *LIBRARIES, *COLD_PEERS, *COLD_PARTS, *BASELINES]


def write(path):
    path = Path(path)
    figures = Figures(path)
    path.with_suffix(".md").write_text("\n\n".join(part for part in sections(figures, path) if part) + "\n")
    draw(figures, path.with_suffix(".svg"))


def sections(figures, path):
    first = figures.rows[0]
    asked = [query for query in QUERIES if any(figures.time(query, "quoin", threads) for threads in (1, 2))]
    versions = dict(sorted({row["engine"]: row["version"] for row in figures.rows if row["version"]}.items()))
    yield f"# Quoin and its peers, {first['date'][:10]}"
    yield (f"Commit {first['commit']}, {first['cpu']}, {int(first['rows']):,} rows; "
           + ", ".join(f"{engine} {version}" for engine, version in versions.items())
           + f". Medians in milliseconds, warm except in Q17; the raw figures are in [{path.name}]({path.name}); "
           "[README.md](../README.md) explains how they are measured.")
    yield f"![Ratios]({path.stem}.svg)"
    yield "## Against the best peer"
    yield ratios(figures, asked)
    if any(figures.ratios(query) for query in ROUGH_QUERIES):
        yield "## Rough quotes"
        yield ("The same questions about a table of another character: shorter histories, days and cells that are missing, prices of "
               "2 to 4 decimals and of pennies, any number of shares, dividends every month or never, adjusted prices that were rounded.")
        yield ratios(figures, [query for query in ROUGH_QUERIES if figures.ratios(query)])
    yield inexact(figures)
    yield "## Two threads against one"
    yield table(["", "speedup", "at least", ""],
                [[query.name, factor(figures.speedup(query)), "1.7x", met([figures.speedup(query)], 1.7)]
                 for query in asked if query.scales])
    yield "## Everyone"
    for threads in (1, 2):
        engines = [engine for engine in ENGINES if any(figures.time(query, engine, threads) for query in asked)]
        yield f"{threads} thread{'s' * (threads > 1)}:"
        yield table([""] + engines, [[query.name] + [number(figures.time(query, engine, threads)) for engine in engines]
                                     for query in asked if query.name != "Q14b"])
    yield cold(figures)
    yield "## Size, memory, growth"
    yield table(["", "bytes a row", "at most", ""], [
        [row["query"].replace("Q16", row["engine"]), f"{size:.2f}", *limit(size, row)] for row, size in figures.answers("Q16")])
    counts = [row for row in figures.rows if row["engine"] == "quoin" and row["query"] in ("Q3", "Q4", "Q6")]
    peak = max((float(row["peak_mib"]) for row in counts if row["peak_mib"]), default=None)
    if peak is not None:
        yield (f"Peak memory of a count of the market beyond the mapped files: {peak:.1f} MiB, at most 64: "
               f"{met([1 / max(peak, 0.1)], 1 / 64)}.")
    yield growth(figures)
    yield "## How blocks are packed"
    yield ("Once each of `fast`, `balanced` and `small`, and with LZ4 wherever it saves a byte. One thread; times as multiples of those "
           "of `balanced`.")
    yield from packings.sections(figures.rows)
    yield "## How the columns are stored"
    yield "Bytes a row, and the share of blocks of each encoding."
    yield encodings(figures)
    yield "## Quoin's own cases"
    yield table(["case", "answer", "median ms", "least ms"], [
        [row["query"], f"{int(row['answer']):,}", number(float(row["median_ms"])), number(float(row["min_ms"]))]
        for row in figures.rows if row["engine"] == "quoin" and not row["query"].startswith(("Q", "A", "write")) and row["median_ms"]])


def ratios(figures, queries):
    return table(["", "query", "Quoin", "best peer", "ratio", "Quoin, 2 threads", "best peer", "ratio", "at least", ""],
                 [ratio_row(figures, query) for query in queries])


def inexact(figures):
    """The answers that are only nearly Quoin's, because not every engine's sums are exact."""
    cells = []
    for name in [query.measured or query.name for query in QUERIES + ROUGH_QUERIES if query.rest]:
        answers = {(row["engine"], row["threads"]): [float(word) if "." in word else int(word) for word in row["answer"].split()]
                   for row in figures.rows if row["query"] == name and "wrong" not in row["answer"]}
        ours = answers.get(("quoin", "1"))
        for (engine, threads), theirs in answers.items() if ours else ():
            if not agree(ours, theirs):
                cells.append([name, engine, threads, difference(ours, theirs)])
    return ("Answers that differ from Quoin's, whose sums are exact:\n\n"
            + table(["", "engine", "threads", "difference"], cells)) if cells else ""


def difference(ours, theirs):
    if len(ours) == 1:
        return f"{theirs[0]:,} rows, not {ours[0]:,}"
    pairs = [(a, b) for a, b in zip(ours, theirs) if not agree([1, a], [1, b])]
    return f"{len(pairs)} of {len(ours) - 1} columns, by at most {max(abs(a - b) for a, b in pairs) / ours[0]:.1g} a row"


def ratio_row(figures, query):
    cells = [query.name, query.question]
    for threads in (1, 2):
        best, engine = figures.best_peer(query, threads)
        cells += [number(figures.time(query, "quoin", threads)), f"{number(best)} {engine}" if best else "",
                  factor(figures.ratio(query, threads))]
    return cells + [factor(query.ratio), met(figures.ratios(query), query.ratio)]


def limit(size, row):
    """What Quoin's stores may take: 14 bytes a row of the made-up table, 16 of a real file."""
    if row["engine"] != "quoin":
        return "", ""
    most = 14 if row["query"] == "Q16" else 16
    return most, met([1 / size], 1 / most)


def cold(figures):
    """What the cold questions read, and the most that Quoin may read for one ticker."""
    rows = [row for row in figures.rows if row.get("read_mb")]
    cells = [[row["query"], row["engine"], number(float(row["median_ms"])), number(float(row["read_mb"])),
              *((2, met([2 / float(row["read_mb"])], 1)) if (row["query"], row["engine"]) == ("Q17a", "quoin") else ("", ""))]
             for row in rows if row["median_ms"]]
    return "## Cold\n\n" + table(["", "engine", "ms", "MB read", "at most", ""], cells) if cells else ""


def growth(figures):
    rows = sorted((int(row["query"].split()[2]), row["query"].split()[0], int(row["threads"]), float(row["median_ms"]))
                  for row in figures.rows if row["query"].startswith("Q") and row["query"].endswith(" rows"))
    size = int(figures.rows[0]["rows"])
    rows += [(size, query.name, threads, time) for query in QUERIES if query.name in ("Q2", "Q6")
             for threads in (1, 2) if (time := figures.time(query, "quoin", threads))]
    times = {(size, name, threads): time for size, name, threads, time in rows}
    columns = [(name, threads) for name in ("Q2", "Q6") for threads in (1, 2)]
    return table(["rows"] + [f"{name}, {threads} thread{'s' * (threads > 1)}: ms (ns a row)" for name, threads in columns],
                 [[f"{size:,}"] + [f"{number(time)} ({time * 1e6 / size:.2f})" if (time := times.get((size, *column)))
                                   else "" for column in columns] for size in sorted({size for size, *_ in rows})])


def encodings(figures):
    """A row a column, a cell a way to pack blocks."""
    cells, columns = {}, []
    for row in figures.rows:
        name, _, way = row["query"].partition(", ")
        if way in packings.WAYS and len(name.split()) == 3:
            column, encoding, storage = name.split()
            columns += [column] * (column not in columns)
            cells.setdefault((column, way), []).append((encoding, storage, [int(part) for part in row["answer"].split()]))
    return table(["column"] + packings.WAYS, [[column] + [encoding_cell(cells.get((column, way), [])) for way in packings.WAYS]
                                              for column in columns])


def encoding_cell(parts):
    blocks, rows, size = (sum(part[2][place] for part in parts) for place in range(3))
    shares = [f"{encoding}{'' if storage == 'raw' else ' ' + storage} {100 * numbers[0] / blocks:.3g} %"
              for encoding, storage, numbers in sorted(parts, key=lambda part: -part[2][0])]
    return f"{size / rows:.3f}: " + ", ".join(shares) if rows else ""


def table(header, rows):
    line = lambda cells: "| " + " | ".join(str(cell) for cell in cells) + " |"
    return "\n".join([line(header), line(["---"] * len(header))] + [line(row) for row in rows]) if rows else ""


def draw(figures, path):
    """A bar for each ratio, to the right where Quoin is faster; the wanted ratio is a line across it."""
    queries = [query for query in QUERIES if figures.ratios(query)][::-1]
    plot.rcParams |= {"svg.hashsalt": "quoin", "font.family": "sans-serif", "font.size": 9}
    figure, axes = plot.subplots(figsize=(8, 0.42 * len(queries) + 1.2), layout="constrained")
    for place, (threads, color) in enumerate([(1, "#9db8d9"), (2, "#2f5d94")]):
        bars = [(row + 0.19 - 0.38 * place, ratio) for row, query in enumerate(queries)
                if (ratio := figures.ratio(query, threads))]
        heights, ratios = zip(*bars) if bars else ((), ())
        axes.barh(heights, [ratio - 1 for ratio in ratios], 0.36, 1, color=color,
                  label=f"Quoin, {threads} thread{'s' * (threads > 1)}")
        for height, ratio in bars:
            axes.text(max(ratio, 1), height, f" {factor(ratio)}", va="center", fontsize=7)
    for row, query in enumerate(queries):
        axes.plot([query.ratio] * 2, [row - 0.42, row + 0.42], color="#b3392c", linewidth=1.5,
                  label="wanted" if row == 0 else None)
    axes.set_yticks(range(len(queries)), [f"{query.name}  {shortened(query.question, 52, placeholder=' ...')}" for query in queries])
    axes.set_xscale("log")
    axes.xaxis.set_major_formatter(lambda value, _: f"{value:g}x")
    axes.set_xlabel("time of the fastest peer / time of Quoin")
    axes.axvline(1, color="#888", linewidth=0.8)
    axes.margins(x=0.12)
    axes.spines[["top", "right"]].set_visible(False)
    figure.legend(loc="outside upper right", ncols=3, frameon=False)
    figure.savefig(path, metadata={"Date": None})
    plot.close(figure)


if __name__ == "__main__":
    write(sys.argv[1])
