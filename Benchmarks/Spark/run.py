"""Times Spark with two threads on a store and on the same rows in Parquet, sorted, which Spark wrote; and compares the answers.

    Benchmarks/Spark/run                     the whole market, 15.4 million rows
    Benchmarks/Spark/run --rows 500000       the same on a smaller table

`make bench-spark` makes the connector and runs this. The table goes into Benchmarks/Records too. Ends with 1 when an answer differs; a
target that is missed is marked.
"""

from __future__ import annotations

import argparse
import datetime
import math
import os
import pathlib
import shutil
import statistics
import subprocess
import sys
import time

from pyspark.sql import SparkSession

ROOT = pathlib.Path(__file__).resolve().parents[2]
WORK = ROOT / ".build" / "bench-spark"
sys.path.insert(0, str(ROOT / "Benchmarks"))
from queries import FOUR_RANGES  # noqa: E402

RAW = ["open", "high", "low", "close", "volume"]
#: What each question is, the statement, and how many times Parquet's speed is asked for.
QUESTIONS = [
    ("Q2: market, 4 ranges, all columns", f"select * from quotes where {FOUR_RANGES}", 3),
    ("Q10: by ticker: mean close, sum volume", "select ticker, avg(close), sum(volume) from quotes group by ticker", 1.5),
    ("sums of 5 columns", f"select {', '.join(f'sum({name})' for name in RAW)} from quotes", 0.7),
]


def session(master="local[2]", partitions=2):
    builder = SparkSession.builder.master(master)
    settings = {
        "spark.jars": os.environ["QUOIN_SPARK_JAR"], "spark.ui.enabled": "false", "spark.ui.showConsoleProgress": "false",
        "spark.driver.memory": "1g", "spark.driver.host": "127.0.0.1", "spark.sql.shuffle.partitions": str(partitions),
        "spark.sql.warehouse.dir": str(WORK / "warehouse"),
    }
    for name, value in settings.items():
        builder = builder.config(name, value)
    spark = builder.getOrCreate()
    spark.sparkContext.setLogLevel("OFF")
    return spark


def read(spark, form, path):
    spark.read.format(form).load(str(path)).createOrReplaceTempView("quotes")


def once(spark, statement):
    """The seconds that a statement takes to its last row, which Spark discards."""
    start = time.perf_counter()
    spark.sql(statement).write.format("noop").mode("overwrite").save()
    return time.perf_counter() - start


def are_alike(mine, theirs):
    """Sums of doubles depend on the order in which they are added."""
    return len(mine) == len(theirs) and all(
        a == b or isinstance(a, float) and math.isclose(a, b, rel_tol=1e-9) for one, other in zip(mine, theirs) for a, b in zip(one, other))


def main(rows, count):
    WORK.mkdir(parents=True, exist_ok=True)
    store, parquet = WORK / f"store-{rows}", WORK / f"parquet-{rows}"
    if not store.exists():
        subprocess.run([ROOT / ".build/release/quoin", "generate", "--tickers", str(max(1, rows * 3199 // 15_400_000)), "--rows", str(rows),
                        "--store", store], check=True)
    spark = session()
    if not (parquet / "_SUCCESS").exists():
        shutil.rmtree(parquet, ignore_errors=True)
        spark.read.format("quoin").load(str(store)).sortWithinPartitions("ticker", "date").write.parquet(str(parquet))
    lines, wrong = [], []
    for question, statement, target in QUESTIONS:
        seconds, answers = {"quoin": [], "parquet": []}, {}
        # The two take turns, so that both have the same noise.
        for run in range(count + 3):
            for form, path in (("quoin", store), ("parquet", parquet)):
                read(spark, form, path)
                if run == 0:
                    answers[form] = sorted((tuple(row) for row in spark.sql(statement).collect()), key=lambda row: row[:2])
                taken = once(spark, statement)
                if run > 2:
                    seconds[form].append(taken)
        if not answers["quoin"] or not are_alike(answers["quoin"], answers["parquet"]):
            wrong.append(question)
        mine, theirs = (statistics.median(seconds[form]) for form in ("quoin", "parquet"))
        times = theirs / mine
        missed = "" if times >= target else " (missed)"
        lines.append((f"{question}, {len(answers['quoin'])} rows", f"{mine * 1000:.0f} ms; Parquet {theirs * 1000:.0f} ms: {times:.2f} times",
                      f"{target} times{missed}"))
        print("; ".join(lines[-1]), flush=True)
    version, java = spark.version, spark.sparkContext._jvm.System.getProperty("java.version")
    spark.stop()

    size = lambda path: sum(file.stat().st_size for file in path.rglob("*") if file.is_file()) / rows
    commit = subprocess.run(["git", "-C", ROOT, "rev-parse", "--short", "HEAD"], capture_output=True, text=True).stdout.strip()
    day = datetime.date.today().isoformat()
    record = ROOT / "Benchmarks" / "Records" / f"{day}-{commit}-spark.md"
    table = "".join(f"| {what} | {figure} | {target} |\n" for what, figure, target in lines)
    record.write_text(
        f"# Spark, {day}\n\nCommit {commit}, {os.cpu_count()} cores, {rows:,} rows, Spark {version}, Java {java}, local[2], warm. Medians of {count}, in turns; "
        f"`make bench-spark` writes this page. Parquet has the same rows in the same order, written by Spark. The store takes {size(store):.1f} bytes a row, Parquet {size(parquet):.1f}.\n\n"
        f"| what | measured | asked |\n| --- | --- | --- |\n{table}\n"
        + ("All answers agree; sums of float64 up to the order in which they are added.\n" if not wrong else f"WRONG: {', '.join(wrong)}\n"))
    print(record)
    return 1 if wrong else 0


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int, default=15_400_000)
    parser.add_argument("--count", type=int, default=7, help="how often each question is timed")
    options = parser.parse_args()
    sys.exit(main(options.rows, options.count))
