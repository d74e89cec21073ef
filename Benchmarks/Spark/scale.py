"""What a sharded store costs on a cluster: each shard asked by itself, and all of them by Spark with an executor for each.

    make bench-scale                                the whole market, 15.4 million rows, in 8 shards
    make bench-scale BENCH="--rows 500000"          the same on a smaller table

The executors are processes of this machine (Spark's local-cluster mode), so they share its cores: Spark's answers are compared, and its
time on next to no rows is what a query costs before it reads. docs/scale.md has the figures, and says what follows from them.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import time

from run import FOUR_RANGES, RAW, ROOT, WORK, session

QUOIN = ROOT / ".build/release/quoin"
#: What each question is, the command's words for it, and Spark's statement.
QUESTIONS = [
    ("4 ranges, counted", ["--where", FOUR_RANGES, "--count"], f"select count(*) from quotes where {FOUR_RANGES}"),
    ("mean close, sum volume by ticker", ["--aggregate", "mean(close), sum(volume)", "--by", "ticker"],
     "select ticker, avg(close), sum(volume) from quotes group by ticker"),
    ("sums of 5 columns", ["--aggregate", ", ".join(f"sum({name})" for name in RAW)],
     f"select {', '.join(f'sum({name})' for name in RAW)} from quotes"),
]


def median(body, count):
    """The median of the seconds, after two runs to warm up, and the last answer."""
    seconds = []
    for run in range(count + 2):
        start = time.perf_counter()
        answer = body()
        if run > 1:
            seconds.append(time.perf_counter() - start)
    return statistics.median(seconds), answer


def scanned(store, words, *more):
    return subprocess.run([QUOIN, "scan", *words, *more, "--store", store], capture_output=True, check=True).stdout


def main(rows, count, runs):
    WORK.mkdir(parents=True, exist_ok=True)
    store, market = WORK / f"store-{rows}", WORK / f"market-{rows}-{count}"
    if not store.exists():
        subprocess.run([QUOIN, "generate", "--tickers", str(max(1, rows * 3199 // 15_400_000)), "--rows", str(rows), "--store", store], check=True)
    if not market.exists():
        start = time.perf_counter()
        subprocess.run([QUOIN, "shard", "--count", str(count), "--output", market, "--store", store], check=True)
        print(f"dividing {rows:,} rows into {count} shards: {time.perf_counter() - start:.1f} s")
    spark = session(f"local-cluster[{count},1,1024]", count)
    spark.read.format("quoin").load(str(market)).createOrReplaceTempView("quotes")
    print(f"| {rows:,} rows | the store, 1 thread | one of {count} shards, 1 thread | Spark, {count} executors on {os.cpu_count()} cores |\n| --- | --- | --- | --- |")
    wrong = False
    for question, words, statement in QUESTIONS:
        whole, answer = median(lambda: scanned(store, words, "--threads", "1"), runs)
        shard, _ = median(lambda: scanned(sorted(market.glob("shard-*"))[0], words, "--threads", "1"), runs)
        cluster, found = median(lambda: spark.sql(statement).collect(), runs)
        if "--count" in words:
            wrong |= int(answer) != found[0][0]
        else:
            wrong |= scanned(market, words) != answer or len(found) + 1 != len(answer.splitlines())
        print(f"| {question} | {whole * 1000:.0f} ms | {shard * 1000:.0f} ms | {cluster * 1000:.0f} ms |", flush=True)
    nothing, _ = median(lambda: spark.sql("select count(open) from quotes where ticker = 'A' and close < 0").collect(), runs)
    print(f"| nothing | | | {nothing * 1000:.0f} ms |")
    spark.stop()
    print("All answers agree." if not wrong else "WRONG answers")
    return 1 if wrong else 0


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int, default=15_400_000)
    parser.add_argument("--shards", type=int, default=8)
    parser.add_argument("--runs", type=int, default=5, help="how often each question is timed")
    options = parser.parse_args()
    sys.exit(main(options.rows, options.shards, options.runs))
