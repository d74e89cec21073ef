"""Writes the table of the newest record into this folder's README, and some of its rows into the project's: `python3 Benchmarks/readme.py`."""

from pathlib import Path

from figures import Figures, met, number
from queries import QUERIES

ROOT = Path(__file__).resolve().parents[1]
BEGIN, END = "<!-- figures: written by Benchmarks/readme.py -->", "<!-- /figures -->"
NOISY = ("Q1", "Q12")


def main():
    paths = [path for path in (ROOT / "Benchmarks/Records").glob("*.csv") if not path.stem.endswith("-packings")]
    records = sorted(map(Figures, paths), key=lambda figures: figures.rows[0]["date"])
    write(ROOT / "Benchmarks/README.md", "\n\n".join(sections(records, "Records")))
    write(ROOT / "README.md", "\n\n".join(summary(records[-1])))


def write(page, text):
    before, rest = page.read_text().split(BEGIN)
    page.write_text(before + BEGIN + "\n" + text + "\n" + END + rest.split(END)[1])


#: What the front page shows beside the query that is slowest beside its peers.
SHOWN = ("Q2", "Q3", "Q6", "Q11", "A1", "A5", "Q14a")


def summary(newest):
    slowest = min((query for query in QUERIES if newest.time(query, "quoin", 2) and newest.time(query, "quoin", 1)), key=lambda query: newest.ratio(query, 1))
    yield head(newest)
    yield table(newest, [query for query in QUERIES if query.name in SHOWN or query is slowest])
    yield wrapped(f"Peers have their columns uncompressed in RAM. [The whole record](Benchmarks/Records/{newest.path.stem}.md).")


def head(newest):
    first = newest.rows[0]
    return wrapped(f"The record of {first['date'][:10]}, on {first['cpu']}, at commit {first['commit']}, "
                   f"with {int(first['rows']):,} rows:")


def table(newest, queries):
    return "\n".join(["| | query | Quoin, ms | best peer, ms | times faster | with two threads | target |",
                      "| --- | --- | --- | --- | --- | --- | --- |"] + [row(newest, query) for query in queries if newest.time(query, "quoin", 2)])


def sections(records, folder):
    yield head(records[-1])
    yield table(records[-1], QUERIES)
    yield wrapped(" ".join(sentences(records, folder)))


def row(figures, query):
    alone = 1 if figures.time(query, "quoin", 1) else 2  # a new process is measured only with as many threads as it takes
    best, engine = figures.best_peer(query, alone)
    state = " missed" if "missed" in met(figures.ratios(query), query.ratio) else ""
    cells = [query.name, query.question, number(figures.time(query, "quoin", alone)), f"{number(best)} {engine}",
             number(figures.ratio(query, alone)), number(figures.ratio(query, 2)), number(query.ratio) + state]
    return "| " + " | ".join(cells) + " |"


def sentences(records, folder):
    newest = records[-1]
    if len(records) > 1:
        ranges = []
        for query in (query for query in QUERIES if query.name in NOISY):
            ratios = [ratio for figures in records if (ratio := figures.ratio(query, 1))]
            ranges.append(f"{query.name} is {number(min(ratios))} to {number(max(ratios))} times faster")
        yield (f"The machine is noisy: in all {len(records)} [records]({folder}), on one thread, "
               + " and ".join(ranges) + ".")
    query = next(query for query in QUERIES if query.name == "Q1")
    ours, loop = newest.time(query, "quoin", 1), newest.time(query, "naive", 1)
    if ours and loop and loop < ours:
        yield f"A plain loop over Swift structs in memory beats Quoin at Q1: it takes {number(loop)} ms."
    faster = [query.name for query in QUERIES if (ratio := newest.ratio(query, 1)) and ratio < 1]
    if faster:
        names = " and ".join(filter(None, [", ".join(faster[:-1]), faster[-1]]))
        yield f"Peers have their columns uncompressed in RAM: they are faster at {names}, where Quoin decodes every value first."
    sizes = {row["engine"]: size for row, size in newest.answers("Q16") if row["query"] == "Q16"}
    if "quoin" in sizes:
        names = {"duckdb": "DuckDB", "arcticdb": "ArcticDB", "CSV": "the CSV"}
        others = ", ".join(f"{name} {number(sizes[engine])}" for engine, name in names.items() if engine in sizes)
        yield f"The table takes {number(sizes['quoin'])} bytes a row on disk ({others})."
    yield f"[The whole record]({folder}/{newest.path.stem}.md) has every engine's times, the growth, encodings and kernels."


def wrapped(text):
    """Lines of 150 characters, as the README has them."""
    lines = [""]
    for word in text.split(" "):
        if len(lines[-1]) + 1 + len(word) > 150:
            lines.append(word)
        else:
            lines[-1] += " " * bool(lines[-1]) + word
    return "\n".join(lines)


if __name__ == "__main__":
    main()
