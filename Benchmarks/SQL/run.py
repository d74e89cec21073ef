#!/usr/bin/env python3
"""Times SQL on a store by SQLite beside DuckDB's own table of the same rows, each in processes of its own, and compares the answers.

    Benchmarks/SQL/run.py                     the whole market, 15.4 million rows
    Benchmarks/SQL/run.py --rows 1000000      the same on a smaller table

`make bench-sql` builds the wheel, installs it with DuckDB in .build/embedding, and runs this. The table goes into Benchmarks/Records
too. Ends with 1 when an answer differs; a target that is missed is marked.
"""

from __future__ import annotations

import argparse
import datetime
import json
import math
import os
import pathlib
import statistics
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
WORK = ROOT / ".build" / "bench-sql"
BINARIES = ROOT / ".build" / "release"
# Q2 and Q11 of the other benchmarks.
RANGES = ("high between 80 and 83 and low between 78 and 82"
          " and adj_high between 75 and 85 and adj_low between 70 and 80")
MONTHS = "first(open) as first_open, max(high) as top, min(low) as bottom, last(close) as last_close, sum(volume) as shares"
QUESTIONS = {
    "count": f"select count(*) from quotes where {RANGES}",
    "ranges": f"select * from quotes where {RANGES}",
    "cells": "select sum(open), sum(high), sum(low), sum(close), sum(volume), sum(ex_dividend), sum(split_ratio), sum(adj_open), sum(adj_high), "
             f"sum(adj_low), sum(adj_close), sum(adj_volume), count(ticker), count(date) from quotes where {RANGES}",
    "sums": "select sum(open), sum(high), sum(low), sum(close), sum(volume) from quotes",
}


def times(body, count=7):
    """Seconds of each run, after two to warm up, and the last answer."""
    answer, seconds = None, []
    for run in range(count + 2):
        answer = None
        start = time.perf_counter()
        answer = body()
        if run > 1:
            seconds.append(time.perf_counter() - start)
    return seconds, answer


def summary(rows):
    """Of rows the number, and of each column of numbers the sum."""
    columns = list(zip(*rows))
    return [len(rows)] + [math.fsum(cell for cell in column if cell is not None) for column in columns if all(
        cell is None or isinstance(cell, (int, float)) for cell in column)]


# What a process measures: each returns its figures.


def sqlite(store, name):
    import quoindb.sqlite

    connection = quoindb.sqlite.connect(store)
    seconds, rows = times(lambda: connection.execute(QUESTIONS[name]).fetchall())
    return {"seconds": seconds, "answer": summary(rows)}


def duckdb(database, name):
    import duckdb as engine

    connection = engine.connect(database, read_only=True)
    seconds, rows = times(lambda: connection.execute(QUESTIONS[name]).fetchall())
    return {"seconds": seconds, "answer": summary(rows), "version": engine.__version__}


def load(database, parquet):
    import duckdb as engine

    connection = engine.connect(database)
    connection.execute(f"create table quotes as select * from read_parquet('{parquet}')")
    connection.execute('alter table quotes rename "ex-dividend" to ex_dividend')
    return connection.execute("select count(*) from quotes").fetchone()


def engine_months(store, _):
    import pyarrow.compute as pc
    import quoindb

    opened = quoindb.open(store)
    seconds, table = times(lambda: opened.aggregate(MONTHS, by="month").to_arrow())
    return {"seconds": seconds, "answer": [table.num_rows] + [pc.sum(table[name]).as_py() for name in table.column_names[2:]]}


def sqlite_months(store, what):
    import quoindb.sqlite

    connection = quoindb.sqlite.connect(store)
    seconds, rows = times(lambda: connection.execute(f"select {what} from quoin_aggregate('quotes', ?, 'month')", [MONTHS]).fetchall())
    return {"seconds": seconds, "answer": list(rows[0])}


STEPS = {step.__name__: step for step in (sqlite, duckdb, load, engine_months, sqlite_months)}


def measure(step, *arguments):
    """What a step measures in a new process."""
    done = subprocess.run([sys.executable, __file__, "--step", step, *map(str, arguments)], capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{step}: {done.stderr}")
    return json.loads(done.stdout)


def median(measured):
    return statistics.median(measured["seconds"])


def are_same(a, b):
    return len(a) == len(b) and all(math.isclose(x, y, rel_tol=1e-9) for x, y in zip(a, b))


def main(rows):
    import quoindb

    WORK.mkdir(parents=True, exist_ok=True)
    store, database, parquet = WORK / f"store-{rows}", WORK / f"quotes-{rows}.duckdb", WORK / "quotes.parquet"
    if not store.exists():
        subprocess.run([BINARIES / "quoin", "generate", "--tickers", str(max(1, rows * 3199 // 15_400_000)), "--rows", str(rows),
                        "--store", store], check=True)
    if not database.exists():
        quoindb.open(store).to_parquet(parquet)
        measure("load", database, parquet)
        parquet.unlink()
    lines, wrong = [], []

    def line(what, figure, target, is_met):
        lines.append((what, figure, target + ("" if is_met else " (missed)")))
        print(f"{what}: {figure}; {target}{'' if is_met else ' MISSED'}", flush=True)

    def compare(what, mine, other):
        if not are_same(mine["answer"], other["answer"]):
            wrong.append(what)

    version = ""
    for name, what, target in (("count", "Q2's ranges, count", 10), ("cells", "Q2's ranges, all columns, summed in SQL", 2.5),
                               ("ranges", "Q2's ranges, all columns, as tuples of Python", 2.5)):
        mine, peer = measure("sqlite", store, name), measure("duckdb", database, name)
        version = peer["version"]
        compare(what, mine, peer)
        ratio = median(peer) / median(mine)
        line(what, f"{median(mine) * 1000:.2f} ms; DuckDB {median(peer) * 1000:.2f} ms: {ratio:.1f} times", f"{target} times", ratio >= target)
    mine, peer = measure("sqlite", store, "sums"), measure("duckdb", database, "sums")
    compare("sums", mine, peer)
    speed = rows / median(mine) / 1e6
    line("sums of 5 columns of all rows", f"{median(mine):.2f} s: {speed:.2f} million rows/s; DuckDB {median(peer) * 1000:.0f} ms", "3 million rows/s", speed >= 3)
    own = measure("engine_months", store, "")
    for what, columns in (("count of its rows", "count(*)"), ("sums of its 5 columns", "count(*), " + ", ".join(f"sum(value{i})" for i in range(1, 6)))):
        mine = measure("sqlite_months", store, columns)
        compare(what, mine, {"answer": own["answer"][: len(mine["answer"])]})
        share = median(mine) / median(own)
        line(f"quoin_aggregate, Q11, {own['answer'][0]} groups, {what}", f"{median(mine) * 1000:.0f} ms: {share:.2f} of the engine's {median(own) * 1000:.0f} ms", "at most 1.3", share <= 1.3)

    import sqlite3

    commit = subprocess.run(["git", "rev-parse", "--short", "HEAD"], cwd=ROOT, capture_output=True, text=True).stdout.strip()
    day = datetime.date.today()
    text = (f"# SQL by SQLite, {day}\n\nCommit {commit}, {os.cpu_count()} cores, {rows:,} rows, SQLite {sqlite3.sqlite_version}, DuckDB {version}. Medians; `make bench-sql` "
            "writes this page.\n\n| what | measured | asked |\n| --- | --- | --- |\n"
            + "".join(f"| {' | '.join(cells)} |\n" for cells in lines)
            + ("\nAll answers agree with DuckDB's and the engine's.\n" if not wrong else f"\nAnswers differ: {', '.join(wrong)}.\n"))
    (WORK / "record.md").write_text(text)
    if rows >= 15_400_000 and not wrong:
        (ROOT / f"Benchmarks/Records/{day}-{commit}-sql.md").write_text(text)
    if wrong:
        sys.exit(f"answers differ: {', '.join(wrong)}")


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--rows", type=int, default=15_400_000)
    parser.add_argument("--step", nargs=3)
    given = parser.parse_args()
    if given.step:
        print(json.dumps(STEPS[given.step[0]](*given.step[1:])))
    else:
        main(given.rows)
