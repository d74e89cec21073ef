"""Runs the benchmarks and writes a dated record: `make bench` calls it, with the Python of .build/bench-venv.

Everything is measured on the same table, one engine after another, each in a process of its own. Quoin comes first; an
engine whose answer isn't Quoin's has its times left out, and the run fails at the end."""

import argparse
import csv
import datetime
import json
import os
import shutil
import statistics
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

import cold
import packings
import report
from Peers import duckdb_peer
from Peers.answers import agree
from Peers.sqlite_peer import statements
from queries import COMPUTED, LIBRARIES, PEERS, RESTS, ROUGH, ROUGH_QUERIES, SCANS, sql

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
BUILD = ROOT / ".build"
QUOIN, QUOIN_BENCH = BUILD / "release/quoin", BUILD / "release/quoin-bench"
SQLITE_BENCH = BUILD / "sqlite-bench/release/sqlite-bench"
DUCKDB = Path(sys.executable).parent / "duckdb"
FIELDS = "date commit cpu query engine version threads rows runs median_ms min_ms max_ms peak_mib answer read_mb".split()
LOADS = 3  # runs of each load of Q14 that a ratio depends on
APPENDS = 5
PROCESSES = 31
ROUNDS = 2  # of all engines, one after another: a neighbour on the machine seldom disturbs one engine in both
LONG = 10_000  # milliseconds: what takes so long is asked in one round


@dataclass(frozen=True)
class Table:
    """A table that questions are asked of, and where its files are."""
    directory: Path
    store: Path
    queries: list
    suffix: str = ""  # what the record adds to their names

    @property
    def csv(self):
        return self.directory / "wiki.csv"

    def asked(self, engine, only):
        """The names of the questions that an engine is asked."""
        return [query.name for query in self.queries if (engine == "quoin" or engine in query.against)
                and (not only or query.name.startswith(tuple(only)))]


class Run:
    def __init__(self, options):
        self.options = options
        self.work = BUILD / ("bench" if options.rows == 15_400_000 else f"bench-{options.rows}")
        self.work.mkdir(exist_ok=True)
        self.store = BUILD / "bench-store" if options.rows == 15_400_000 else self.work / "store"
        self.table = Table(self.work, self.store, SCANS + COMPUTED)
        self.rough = Table(self.work / "rough", self.work / "rough/store", ROUGH_QUERIES, ROUGH)
        self.csv = self.table.csv
        self.cli_file = self.work / "cli.duckdb"
        self.lines = []
        self.start = time.monotonic()

    def main(self):
        if self.options.only:
            self.some()
        else:
            self.prepare(self.table)
            for stage in [self.loads, self.market, self.processes, self.cold, self.appends, self.sizes, self.growth,
                          self.packings, self.cases, self.real_files, self.rough_market]:
                stage()
        wrong = self.check()
        self.keep_better_rounds()
        path = self.write()
        report.write(path)
        self.say(f"wrote {path}, .md and .svg")
        if wrong:
            sys.exit("\n".join(["WRONG ANSWERS, whose times are left out:"] + wrong))

    # Running things

    def say(self, what):
        print(f"{time.monotonic() - self.start:6.0f} s  {what}", file=sys.stderr, flush=True)

    def keep(self, *command, input=None):
        """Runs a program that prints JSON lines, and keeps them."""
        environment = os.environ | {"PYTHONPATH": str(HERE)}
        done = subprocess.run([str(part) for part in command], input=input, stdout=subprocess.PIPE, text=True,
                              env=environment, check=True)
        self.lines += [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]

    def worker(self, engine, task, threads, directory, *files):
        self.say(f"{engine} {task}, {threads} thread{'s' * (threads > 1)}")
        self.keep(sys.executable, "-m", "Peers.worker", engine, task, threads, directory, *files)

    def note(self, engine, query, answer, times, threads=1, version="", read_bytes=None):
        self.lines.append({"engine": engine, "query": query, "threads": threads, "answer": answer, "times": times,
                           "version": version, "peak_bytes": None, "read_bytes": read_bytes})

    # The stages

    def some(self):
        """The questions of --only, of tables that may be there from an earlier run."""
        for table in [self.table, self.rough]:
            if table.asked("quoin", self.options.only) and (table == self.table or not self.options.smooth):
                self.prepare(table, anew=False)
                self.scans(table)

    def prepare(self, table, anew=True):
        """Always anew for a whole record: the table and its form may have changed since the last run."""
        if anew or not table.csv.exists():
            self.say(f"making the table{table.suffix}, as a store and as CSV")
            table.directory.mkdir(exist_ok=True)
            for file in [table.store, table.csv, table.directory / "wiki.duckdb"]:
                remove(file)
            if table == self.rough:
                run(QUOIN_BENCH, "rough", table.store, self.options.rows)
            else:
                self.generate(table.store, self.options.rows)
            run(QUOIN, "export", "--store", table.store, "--output", table.csv)
        run("cat", table.csv, stdout=subprocess.DEVNULL)  # into the page cache

    def generate(self, store, rows):
        run(QUOIN, "generate", "--tickers", max(1, rows * 3199 // 15_400_000), "--rows", rows, "--store", store)

    def loads(self):
        """Q14: every load begins with no store; the last one's is what the engine is asked about."""
        threads_option = "--threads" in subprocess.run([QUOIN, "import", "--help"], capture_output=True, text=True).stdout
        for threads in (1, 2) if threads_option else (1,):
            self.say(f"quoin import, {threads} thread{'s' * (threads > 1)}")
            times = [self.quoin_load(threads if threads_option else None) for _ in range(LOADS)]
            self.note("quoin", "Q14", [self.options.rows], times, threads)
        for engine, directory in [("duckdb", "wiki.duckdb"), ("polars", None), ("chdb", "chdb"), ("arcticdb", "arcticdb"),
                                  ("sqlite", "wiki.sqlite")]:
            if engine not in self.options.engines:
                continue
            often = engine in ("duckdb", "polars")
            for threads in (1, 2) if often else (2,):
                for _ in range(LOADS if often else 1):
                    if directory:
                        remove(self.work / directory)
                    self.worker(engine, "load", threads if engine != "sqlite" else 1, self.work, self.csv)
        self.merge("Q14")

    def quoin_load(self, threads):
        """The command's whole time; what came in is checked by Q2."""
        store = self.work / "imported"
        remove(store)
        start = time.perf_counter()
        run(QUOIN, "import", self.csv, "--store", store, *(["--threads", threads] if threads else []))
        milliseconds = (time.perf_counter() - start) * 1000
        assert f"{self.options.rows:,}" in run(QUOIN, "info", "--store", store), "quoin import left rows out"
        remove(store)
        return milliseconds

    def merge(self, query):
        """Makes one line of an engine's lines about the same query."""
        merged = {}
        for line in [line for line in self.lines if line["query"] == query]:
            key = line["engine"], line["threads"]
            if key in merged:
                merged[key]["times"] += line["times"]
                self.lines.remove(line)
            else:
                merged[key] = line

    def market(self):
        self.scans(self.table)
        if "naive" in self.options.engines:
            self.say("naive")
            self.keep(QUOIN_BENCH, "naive", self.store)
        if "sqlite" in self.options.engines:
            self.say("sqlite")
            self.keep(SQLITE_BENCH, self.work / "wiki.sqlite", input="\n".join(statements()))

    def rough_market(self):
        self.prepare(self.rough)
        self.scans(self.rough)

    def scans(self, table):
        before = len(self.lines)
        if "duckdb" in self.options.engines and not (table.directory / "wiki.duckdb").exists():
            self.worker("duckdb", "load", 2, table.directory, table.csv)
            del self.lines[before:]  # Q14 has a stage of its own
        for _ in range(ROUNDS):
            for engine in ["quoin", *self.options.engines]:
                names = table.asked(engine, self.options.only)
                for threads in (1, 2) if names else ():
                    self.ask(table, engine, threads, names, before)
        for line in self.lines[before:]:
            line["query"] += table.suffix

    def ask(self, table, engine, threads, names, before):
        if engine == "quoin":
            self.say(f"quoin, {threads} thread{'s' * (threads > 1)}")
            self.keep(QUOIN_BENCH, "queries", table.store, threads, *names)
        else:
            known = {line["query"] for line in self.lines[before:] if line["engine"] == engine and line["threads"] == threads
                     and min(line["times"]) > LONG}
            self.worker(engine, "scan", threads, table.directory, *(name for name in names if name not in known))

    def processes(self):
        """Q13. The command line of DuckDB that PyPI has is older than its library, so it gets a file of its own."""
        self.say("new processes")
        version = ""
        if "duckdb" in self.options.engines:
            remove(self.cli_file)
            run(DUCKDB, self.cli_file, "; ".join(duckdb_peer.loading(str(self.csv))))
            version = run(DUCKDB, "-version").split()[0]
        ours, theirs = self.commands()
        for query in ours:
            self.process("quoin", query, ours[query])
            if theirs:
                self.process("duckdb command line", query, theirs[query], version)

    def commands(self):
        """The commands of Quoin and of DuckDB, if it takes part, that ask Q13."""
        four = "high between 80 and 83 and low between 78 and 82 and adj_high between 75 and 85 and adj_low between 70 and 80"
        ours = {"Q13a": [QUOIN, "scan", "PG", "--where", four, "--format", "csv", "--store", self.store],
                "Q13b": [QUOIN, "scan", "--where", "80 < close < 81", "--count", "--store", self.store]}
        ask = [DUCKDB, "-readonly", "-init", "/dev/null", "-csv", self.cli_file]
        theirs = {"Q13a": ask + [sql(SCANS[0], "wiki")], "Q13b": ask + [sql(SCANS[2], "wiki")]}
        return ours, theirs if "duckdb" in self.options.engines else {}

    def process(self, engine, query, command, version=""):
        times = []
        for _ in range(PROCESSES + 1):
            start = time.perf_counter()
            text = run(*command)
            times.append((time.perf_counter() - start) * 1000)
        self.note(engine, query, [told(text, query)], times[1:], 2, version)

    def cold(self):
        """Q17: Q13 once more, with the files of the engine dropped from the page cache before each run."""
        if not cold.works(self.store):
            self.say("the page cache can't be dropped here: Q17 is left out")
            return
        self.say("cold")
        ours, theirs = self.commands()
        for query in ours:
            self.cold_process("quoin", query, ours[query], self.store)
            if theirs:
                self.cold_process("duckdb command line", query, theirs[query], self.cli_file)
        if "polars" in self.options.engines:
            file = self.work / "wiki.parquet"
            cold.parquet("write", self.csv, file)
            for query in ("Q17a", "Q17b"):
                found = [cold.parquet(query, file) for _ in range(cold.RUNS)]
                self.cold_note("polars parquet", query, [(run["answer"], ms, run["read_bytes"]) for run, ms in found])
                self.cold_note("polars parquet in a running Python", query,
                               [(run["answer"], run["ms"], run["read_bytes"]) for run, _ in found])
            remove(file)

    def cold_process(self, engine, query, command, files, name=None):
        run(*command)  # the program itself stays in the cache
        found = [cold.ask(command, files) for _ in range(cold.RUNS)]
        return self.cold_note(engine, name or query.replace("Q13", "Q17"),
                              [(told(text, query), ms, read) for text, ms, read in found])

    def cold_note(self, engine, query, found):
        """Keeps the runs of a question, each with its answer, milliseconds and bytes; returns the median of the bytes."""
        answers, times, reads = zip(*found)
        assert len(set(answers)) == 1, f"{engine} answers {query} with {answers}"
        self.note(engine, query, [answers[0]], times, 2, read_bytes=statistics.median(reads))
        return self.lines[-1]["read_bytes"]

    def appends(self):
        """Q15, on copies: the last rows of all tickers once more, on days after the table's last one."""
        days = self.next_days()
        for engine, files in [("quoin", [self.store]), ("duckdb", ["wiki.duckdb"]), ("chdb", ["chdb"]),
                              ("arcticdb", ["arcticdb"])]:
            if engine != "quoin" and engine not in self.options.engines:
                continue
            for threads in (1, 2):
                copy = self.work / "copy"
                remove(copy)
                copy.mkdir()
                for file in files:
                    run("cp", "-r", "--sparse=always", self.work / file, copy / Path(file).name)
                run("sync")
                if engine == "quoin":
                    self.say(f"quoin append, {threads} threads")
                    self.keep(QUOIN_BENCH, "append", copy / self.store.name, threads, *days)
                else:
                    self.worker(engine, "append", threads, copy, *days)
                remove(copy)

    def next_days(self):
        last = {}
        with open(self.csv) as file:
            header = next(file)
            for line in file:
                ticker, _, rest = line.split(",", 2)
                last[ticker] = rest
        files = [self.work / f"day-{number}.csv" for number in range(1, APPENDS + 1)]
        for number, file in enumerate(files):
            day = datetime.date(2018, 3, 28) + datetime.timedelta(number)
            file.write_text(header + "".join(f"{ticker},{day},{rest}" for ticker, rest in last.items()))
        return files

    def sizes(self):
        """Q16: bytes on disk."""
        for engine, file in [("quoin", self.store), ("duckdb", "wiki.duckdb"), ("chdb", "chdb"),
                             ("arcticdb", "arcticdb/tickers"), ("sqlite", "wiki.sqlite"), ("CSV", "wiki.csv")]:
            if (self.work / file).exists():
                self.note(engine, "Q16", [round(bytes_of(self.work / file) / self.options.rows, 2)], [])

    def growth(self):
        """Q2 and Q6 on tables of other sizes."""
        for rows in [self.options.rows * part // 308 for part in (30, 100, 1600)]:
            self.say(f"quoin with {rows:,} rows")
            store = self.work / "growth"
            remove(store)
            self.generate(store, rows)
            before = len(self.lines)
            for threads in (1, 2):
                self.keep(QUOIN_BENCH, "queries", store, threads, "Q2", "Q6")
            for line in self.lines[before:]:
                line["query"] += f" of {rows} rows"
            if rows > self.options.rows and cold.works(store):
                self.cold_growth(store, f"Q17b of {rows} rows")
            remove(store)

    def cold_growth(self, store, name):
        """A count of a larger market, cold, and what it takes to read as many bytes of its files one after another."""
        command = [QUOIN, "scan", "--where", "80 < close < 81", "--count", "--store", store]
        count = round(self.cold_process("quoin", "Q13b", command, store, name))
        self.note("sequential read", name, self.lines[-1]["answer"], [cold.read(store, count) for _ in range(cold.RUNS)], 2,
                  read_bytes=count)

    def packings(self):
        """The size of the store and the times of Q1 to Q12, by the way to pack blocks."""
        self.say("packings")
        self.lines += packings.measure(QUOIN_BENCH, self.work / "packings", self.options.rows)

    def cases(self):
        self.say("quoin's own cases")
        directory, file = self.work / "cases", self.work / "cases.csv"
        remove(directory)
        directory.mkdir()
        run(QUOIN, "generate", "--csv", "--tickers", 200, "--rows", 1_000_000, "--output", file)
        self.keep(QUOIN_BENCH, "cases", directory, file)
        remove(directory)

    def real_files(self):
        """Bytes a row of real files, where there are some: QUOIN_REAL_FILES is their directory."""
        directory = os.environ.get("QUOIN_REAL_FILES")
        if not directory:
            return
        store = self.work / "real"
        for file in sorted(Path(directory).iterdir()):
            remove(store)
            ticker = file.name.removeprefix("WIKI-").split(".")[0].split("_")[0]
            done = subprocess.run([QUOIN, "import", file, "--ticker", ticker, "--store", store], capture_output=True)
            if done.returncode == 0:
                rows = int(run(QUOIN, "scan", "--count", "--store", store).replace(",", ""))
                if rows >= 1000:
                    self.note("quoin", f"Q16 {file.name}", [round(bytes_of(store) / rows, 2)], [])
        remove(store)

    # The record

    def check(self):
        """Leaves out the times of answers that aren't Quoin's; says whose they are."""
        wrong = []
        for line in self.lines:
            if line["query"].startswith("Q16"):
                continue
            ours = [other["answer"] for other in self.lines
                    if other["engine"] == "quoin" and other["query"] == line["query"]]
            if not ours or not agree(ours[0], line["answer"], RESTS.get(line["query"], 0)):
                wrong.append(f"{line['query']} of {line['engine']}: {line['answer']}, Quoin's: {ours[0] if ours else 'none'}")
                line["times"] = []
                line["answer"] = ["wrong"] + line["answer"]
        return wrong

    def keep_better_rounds(self):
        """Of an engine's rounds of the same query, keeps the one with the smaller median."""
        better = {}
        for line in self.lines:
            key = line["engine"], line["query"], line["threads"]
            if key not in better or median(line) < median(better[key]):
                better[key] = line
        self.lines = list(better.values())

    def write(self):
        commit = run("git", "-C", ROOT, "describe", "--always", "--dirty=+").strip()
        start = {"date": datetime.datetime.now(datetime.timezone.utc).isoformat(timespec="minutes"), "commit": commit,
                 "cpu": f"{cpu()}, {os.cpu_count()} cores"}
        usual = self.work / "only.csv" if self.options.only else HERE / "Records" / f"{start['date'][:10]}-{commit.strip('+')}.csv"
        path = Path(self.options.record or usual)
        path.parent.mkdir(exist_ok=True)
        with open(path, "w", newline="") as file:
            writer = csv.DictWriter(file, FIELDS, lineterminator="\n")
            writer.writeheader()
            for line in self.lines:
                writer.writerow(start | self.row(line))
        return path

    def row(self, line):
        times, peak = line["times"], line["peak_bytes"]
        row = {"query": line["query"], "engine": line["engine"], "version": line.get("version", ""),
               "threads": line["threads"], "rows": self.options.rows, "runs": len(times),
               "peak_mib": "" if peak is None else round(peak / 2**20, 1), "answer": " ".join(map(str, line["answer"]))}
        if line.get("read_bytes") is not None:
            row["read_mb"] = round(line["read_bytes"] / 1e6, 2)
        if times:
            row |= {"median_ms": round(statistics.median(times), 4), "min_ms": round(min(times), 4),
                    "max_ms": round(max(times), 4)}
        return row


def median(line):
    return statistics.median(line["times"]) if line["times"] else float("inf")


def told(text, query):
    """The answer to Q13: rows without the header; a count is the last line."""
    lines = text.split()
    return len(lines) - 1 if query == "Q13a" else int(lines[-1].replace(",", ""))


def run(*command, stdout=subprocess.PIPE):
    done = subprocess.run([str(part) for part in command], stdout=stdout, text=True, check=True)
    return done.stdout


def remove(path):
    if path.is_dir():
        shutil.rmtree(path)
    elif path.exists():
        path.unlink()


def bytes_of(path):
    """Bytes that a file, or all files of a directory, take on disk: ArcticDB's are larger than what is in them."""
    files = [path] if path.is_file() else [file for file in path.rglob("*") if file.is_file()]
    return sum(file.stat().st_blocks * 512 for file in files)


def cpu():
    with open("/proc/cpuinfo") as file:
        return next(line.split(":")[1].strip() for line in file if line.startswith("model name"))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=15_400_000, help="rows of the table; fewer to try things out")
    parser.add_argument("--engines", nargs="*", default=[*PEERS, *LIBRARIES, "naive", "sqlite"],
                        help="the engines to compare with Quoin")
    parser.add_argument("--only", nargs="+", help="only the questions whose names begin so (A, Q10), of tables that an earlier run left; "
                        "the record goes beside them")
    parser.add_argument("--smooth", action="store_true", help="with --only: not the table of rough quotes")
    parser.add_argument("--record", help="where the record goes, if not under Records/")
    Run(parser.parse_args()).main()
