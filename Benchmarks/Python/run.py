#!/usr/bin/env python3
"""Times the Python package beside Polars and pyarrow, each in processes of its own, and compares the answers.

    Benchmarks/Python/run.py                     the whole market, 15.4 million rows
    Benchmarks/Python/run.py --rows 1000000      the same on a smaller table

`make bench-python` builds the wheel, installs it with the others in .build/embedding, and runs this. The table goes into
Benchmarks/Records too. Ends with 1 when an answer differs; a target that is missed is marked.
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
import threading
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
WORK = ROOT / ".build" / "bench-python"
BINARIES = ROOT / ".build" / "release"
# Q2 of the other benchmarks.
RANGES = {"high": (80, 83), "low": (78, 82), "adj_high": (75, 85), "adj_low": (70, 80)}
WHERE = " and ".join(f"{name} between {low} and {high}" for name, (low, high) in RANGES.items())
RAW = ["open", "high", "low", "close", "volume"]


def times(body, count=9):
    """Seconds of each run, after two to warm up, and the last answer."""
    return alternating([body], count)[0]


def alternating(bodies, count):
    """The same of several bodies that take turns, so that what the machine does meanwhile hits all of them."""
    done = [([], None) for _ in bodies]
    for run in range(count + 2):
        for place, body in enumerate(bodies):
            done[place] = done[place][0], None
            start = time.perf_counter()
            answer = body()
            seconds = time.perf_counter() - start
            done[place] = done[place][0] + [seconds] * (run > 1), answer
    return done


class Peak:
    """The most memory of the process's own, in MiB, looked at a hundred times a second; without the files that it has mapped."""

    def __init__(self):
        self.mib, self.is_over = 0, threading.Event()
        threading.Thread(target=self.watch, daemon=True).start()

    def watch(self):
        while not self.is_over.wait(0.01):
            for line in open("/proc/self/status"):
                if line.startswith("RssAnon"):
                    self.mib = max(self.mib, int(line.split()[1]) / 1024)

    def end(self):
        self.is_over.set()
        return self.mib


# What a process measures: each returns its figures.


def imports(store):
    start = time.perf_counter()
    import quoindb

    imported = time.perf_counter()
    quoindb.open(store).tickers
    return {"import": imported - start, "open": time.perf_counter() - imported}


def ranges(store, threads):
    import polars as pl
    import quoindb

    opened = quoindb.open(store)
    lazy = opened.lazy()
    condition = pl.all_horizontal([pl.col(name).is_between(low, high) for name, (low, high) in RANGES.items()])
    (seconds, table), (lazy_seconds, frame) = alternating(
        [lambda: opened.scan(where=WHERE, threads=threads).to_arrow(), lambda: lazy.filter(condition).collect()], 30)
    assert frame.height == table.num_rows, (frame.height, table.num_rows)
    return {"scan": seconds, "lazy": lazy_seconds, "rows": table.num_rows, "sums": sums(pl.from_arrow(table))}


def overhead(store):
    """A question with next to no answer: what Python adds to the engine's time."""
    import quoindb

    opened = quoindb.open(store)
    seconds, _ = times(lambda: [opened.scan(limit=1, threads=1).to_arrow() for _ in range(100)])
    return {"question": [each / 100 for each in seconds]}


def polars_ranges(parquet, _):
    import polars as pl

    frame = pl.read_parquet(parquet)
    condition = pl.all_horizontal([pl.col(name).is_between(low, high) for name, (low, high) in RANGES.items()])
    seconds, found = times(lambda: frame.lazy().filter(condition).collect())
    return {"scan": seconds, "rows": found.height, "sums": sums(found)}


def sums(frame):
    return {name: float(frame[name].sum() or 0) for name in frame.columns if frame[name].dtype.is_numeric()}


def whole(store, threads):
    """All rows, five raw columns, to a pyarrow table; and to Polars and pandas, with pandas' own conversion."""
    import quoindb

    opened = quoindb.open(store)
    seconds, table = times(lambda: opened.scan(columns=RAW, threads=threads).to_arrow(), 5)
    polars_seconds, _ = times(lambda: opened.scan(columns=RAW, threads=threads).to_polars(), 5)
    pandas_seconds, _ = times(lambda: opened.scan(columns=RAW, threads=threads).to_pandas(), 3)
    own_seconds, _ = times(lambda: table.to_pandas(date_as_object=False), 3)
    return {"arrow": seconds, "polars": polars_seconds, "pandas": pandas_seconds, "pandas alone": own_seconds,
            "values": table.num_rows * len(RAW)}


def parquet_out(store, target):
    import quoindb

    opened, peak = quoindb.open(store), Peak()
    start = time.perf_counter()
    rows = opened.to_parquet(target)
    return {"out": time.perf_counter() - start, "rows": rows, "MiB": peak.end()}


def pyarrow_out(source, target):
    """pyarrow's own time to write the batches that it has in memory."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    table = pq.read_table(source)
    start = time.perf_counter()
    with pq.ParquetWriter(target, table.schema, compression="zstd") as writer:
        for batch in table.to_batches(max_chunksize=1 << 16):
            writer.write_batch(batch)
    return {"out": time.perf_counter() - start, "rows": table.num_rows, "version": pa.__version__}


def parquet_in(target, source):
    import quoindb

    peak, start = Peak(), time.perf_counter()
    counts = quoindb.open(target, create=True).from_parquet(source)
    return {"in": time.perf_counter() - start, "rows": counts.inserted, "MiB": peak.end()}


STEPS = {step.__name__: step for step in (
    imports, ranges, overhead, polars_ranges, whole, parquet_out, pyarrow_out, parquet_in)}


def measure(step, *arguments, environment=None):
    """What a step measures in a new process."""
    done = subprocess.run(
        [sys.executable, sys.argv[0], "--step", step, *map(str, arguments)], capture_output=True, text=True,
        env={**os.environ, **(environment or {})})
    if done.returncode != 0:
        sys.exit(f"{step}: {done.stderr}")
    return json.loads(done.stdout)


def median(seconds):
    return statistics.median(seconds)


def main(rows):
    WORK.mkdir(parents=True, exist_ok=True)
    store, parquet, own = made_store(rows), WORK / "quotes.parquet", WORK / "own.parquet"
    lines = []

    def line(what, figure, target, is_met):
        lines.append((what, figure, target + ("" if is_met else " (missed)")))
        print(f"{what}: {figure}; {target}{'' if is_met else ' MISSED'}", flush=True)

    loads = [measure("imports", store) for _ in range(9)]
    for what, limit in (("import", 30), ("open", 5)):
        ms = median([load[what] for load in loads]) * 1000
        line(f"{what} quoin" if what == "import" else "open a store", f"{ms:.1f} ms", f"at most {limit} ms", ms <= limit)
    out = measure("parquet_out", store, parquet)
    wrong = []
    for threads in (1, 2):
        mine = measure("ranges", store, threads, environment={"POLARS_MAX_THREADS": str(threads)})
        peer = measure("polars_ranges", parquet, threads, environment={"POLARS_MAX_THREADS": str(threads)})
        same = mine["rows"] == peer["rows"] and all(abs(mine["sums"][name] - value) <= 1e-9 * abs(value) for name, value in peer["sums"].items())
        if not same:
            wrong.append(f"Q2 with {threads} threads")
        times_ = median(peer["scan"]) / median(mine["scan"])
        line(f"Q2 to Arrow, {threads} threads, {mine['rows']} rows", f"{median(mine['scan']) * 1000:.2f} ms; Polars in RAM "
             f"{median(peer['scan']) * 1000:.1f} ms: {times_:.1f} times", "4 times", times_ >= 4)
        if threads == 2:
            share = median(mine["lazy"]) / median(mine["scan"])
            line("the same by store.lazy(), 2 threads", f"{median(mine['lazy']) * 1000:.2f} ms: {share:.2f} of the scan", "at most 1.3", share <= 1.3)
    question = median(measure("overhead", store)["question"]) * 1000
    line("a question for one row, to Arrow, the engine's time included", f"{question:.3f} ms", "Python at most 0.5 ms", question <= 0.5)
    for threads in (1, 2):
        all_rows = measure("whole", store, threads)
        rate = all_rows["values"] / median(all_rows["arrow"]) / 1e6
        line(f"all rows, 5 raw columns, to Arrow, {threads} threads", f"{median(all_rows['arrow']) * 1000:.0f} ms: {rate:.0f} million values/s; to Polars "
             f"{median(all_rows['polars']) * 1000:.0f} ms, to pandas {median(all_rows['pandas']) * 1000:.0f} ms, of which its own conversion "
             f"takes {median(all_rows['pandas alone']) * 1000:.0f} ms", f"{150 * threads} million/s", rate >= 150 * threads)
    peer = measure("pyarrow_out", parquet, own)
    share = out["out"] / peer["out"]
    line(f"all rows and columns to Parquet, {out['rows']} rows", f"{out['out']:.1f} s, {out['MiB']:.0f} MiB of its own; pyarrow's own writing {peer['out']:.1f} s: "
         f"{share:.2f} of it", "at most 1.2, and 300 MiB", share <= 1.2 and out["MiB"] <= 300)
    subprocess.run(["rm", "-rf", WORK / "copy"], check=True)
    back = measure("parquet_in", WORK / "copy", parquet)
    if back["rows"] != out["rows"]:
        wrong.append("Parquet in")
    digests = [subprocess.run(f"'{BINARIES}/quoin' export --store '{path}' | sha256sum", shell=True, capture_output=True, text=True).stdout
               for path in (store, WORK / "copy")]
    if digests[0] != digests[1]:
        wrong.append("what came back from Parquet")
    line("all of it from Parquet, one commit", f"{back['in']:.1f} s, {back['MiB']:.0f} MiB of its own", "300 MiB", back["MiB"] <= 300)

    table = "".join(f"| {what} | {figure} | {target} |\n" for what, figure, target in lines)
    write_record(
        "python", "The Python package", f"{rows:,} rows, pyarrow {peer['version']}. Medians",
        f"| what | measured | asked |\n| --- | --- | --- |\n{table}\n"
        + ("All answers agree with Polars', and what came back from Parquet is the same export.\n" if not wrong else f"WRONG: {', '.join(wrong)}\n"))
    return 1 if wrong else 0


def made_store(rows):
    """A store of made-up quotes, made when it is first wanted."""
    store = WORK / f"store-{rows}"
    if not store.exists():
        subprocess.run([BINARIES / "quoin", "generate", "--tickers", str(max(1, rows * 3199 // 15_400_000)), "--rows", str(rows),
                        "--store", store], check=True)
    return store


def geometric_mean(ratios):
    return math.exp(statistics.fmean(map(math.log, ratios)))


def write_comparison(name, title, measured, keys, lines, summary, wrong):
    """Writes a record of what Quoin and Polars take with one thread and with two: lines of a table, whose first columns are `keys`."""
    columns = [f"{what}{each}" for threads in ("1 thread", "2 threads") for what, each in (("Quoin, ", threads), ("Polars", ""), ("times faster", ""))]
    write_record(
        name, title, measured,
        f"| {' | '.join([*keys, *columns])} |\n| --- |{' ---: |' * (len(keys) - 1 + len(columns))}\n" + "\n".join(lines) + f"\n\n{summary}\n"
        + ("" if not wrong else f"\nWRONG: {'; '.join(wrong)}\n"))


def write_record(name, title, measured, text):
    """Writes what `make bench-NAME` found."""
    commit = subprocess.run(["git", "-C", ROOT, "rev-parse", "--short", "HEAD"], capture_output=True, text=True).stdout.strip()
    day = datetime.date.today().isoformat()
    record = ROOT / "Benchmarks" / "Records" / f"{day}-{commit}-{name}.md"
    record.write_text(f"# {title}, {day}\n\nCommit {commit}, {os.cpu_count()} cores, {measured}; `make bench-{name}` writes this page.\n\n{text}")
    print(record)


def run(description, steps, main):
    """Runs a benchmark with its arguments; or one step of it, in a process of its own, which prints what it found."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int, default=15_400_000)
    parser.add_argument("--step", nargs="+", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.step:
        name, *arguments = options.step
        print(json.dumps(steps[name](*[int(each) if each.isdigit() else each for each in arguments])))
    else:
        sys.exit(main(options.rows))


if __name__ == "__main__":
    run(__doc__, STEPS, main)
