"""What a store becomes that is fed a day at a time: `python3 Benchmarks/year.py QUOIN` imports all but the last days of a made-up
table at once, then the others day by day, each by a command, and prints bytes and times beside those of one import."""

import argparse
import collections
import csv
import json
import statistics
import subprocess
import tempfile
import time
from pathlib import Path

FED = {"all twelve values": None, "open, high, low, close, volume": ["ticker", "date", "open", "high", "low", "close", "volume"]}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("quoin", help="the command")
    parser.add_argument("--tickers", type=int, default=300)
    parser.add_argument("--rows", type=int, default=600_000)
    parser.add_argument("--days", type=int, default=252)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as directory:
        run(options, Path(directory))


def run(options, directory):
    def quoin(*arguments):
        return subprocess.run([options.quoin, *map(str, arguments)], stdout=subprocess.PIPE, text=True, check=True).stdout

    def size(store):
        return json.loads(quoin("info", "--format", "json", "--store", store))[0]

    table = directory / "table.csv"
    quoin("generate", "--csv", "--tickers", options.tickers, "--rows", options.rows, "--output", table)
    with open(table) as file:
        header, *rows = csv.reader(file)
    date = header.index("date")
    days = sorted({row[date] for row in rows})[-options.days:]
    by_day = collections.defaultdict(list)
    for row in rows:
        by_day[row[date] if row[date] >= days[0] else ""].append(row)

    print(f"{len(rows):,} rows of {options.tickers} tickers; the last {len(days)} days, {len(rows) - len(by_day['']):,} rows, one by one\n")
    print("| what the days bring | bytes of one import | fed | files | compacted | a commit, ms: median | worst |")
    print("| --- | --- | --- | --- | --- | --- | --- |")
    for title, columns in FED.items():
        kept = [index for index, name in enumerate(header) if columns is None or name in columns]

        def write(name, rows, columns):
            with open(directory / name, "w") as file:
                csv.writer(file).writerows([[header[i] for i in columns], *([row[i] for i in columns] for row in rows)])
            return directory / name

        once, fed = directory / f"{len(kept)}-once", directory / f"{len(kept)}-fed"
        old = write("old.csv", by_day[""], range(len(header)))
        news = write("news.csv", [row for day in days for row in by_day[day]], kept)
        for store in (once, fed):
            quoin("import", old, "--store", store)
        quoin("import", news, "--store", once)
        quoin("compact", "--store", once)
        times = []
        for day in days:
            file = write("day.csv", by_day[day], kept)
            start = time.perf_counter()
            quoin("import", file, "--store", fed)
            times.append(1000 * (time.perf_counter() - start))
        before = size(fed)
        quoin("compact", "--store", fed)
        after, one = size(fed), size(once)
        assert after["rows"] == one["rows"] == len(rows), "rows are missing"
        print(f"| {title} | {one['bytes']:,} | {before['bytes']:,} ({before['bytes'] / one['bytes']:.2f}) | {before['files']} | "
              f"{after['bytes']:,} ({after['bytes'] / one['bytes']:.3f}) | {statistics.median(times):.0f} | {max(times):.0f} |")


if __name__ == "__main__":
    main()
