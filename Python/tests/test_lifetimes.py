"""Threads, processes and streams that nobody reads to their end."""

from __future__ import annotations

import multiprocessing
import os
import signal
import subprocess
import sys
import threading
import time
import unittest

import pyarrow

import quoindb
from support import StoreTests, live_count, long_store_path, seeded


class LifetimeTests(StoreTests):
    def test_threads_and_forks_read_alike(self) -> None:
        count = self.store.scan(where="close > 30").count()
        found: list[int] = []
        threads = [threading.Thread(target=lambda: found.append(self.store.scan(where="close > 30").to_arrow().num_rows)) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(found, [count] * 8)
        for method in ("fork", "spawn"):
            with multiprocessing.get_context(method).Pool(2) as pool:
                self.assertEqual(pool.map(_count, [self.path] * 4), [count] * 4)

    def test_what_is_dropped_midway_is_freed(self) -> None:
        before = live_count()
        for _ in range(50):
            reader = pyarrow.RecordBatchReader.from_stream(self.store.scan())
            reader.read_next_batch()
            del reader
            self.store.scan().__arrow_c_stream__()
            self.store.scan().__arrow_c_schema__()
        self.assertEqual(live_count(), before)

    def test_ten_thousand_streams_on_four_threads_are_freed(self) -> None:
        before = live_count()
        random = seeded("test_ten_thousand_streams_on_four_threads_are_freed")
        tickers = self.store.tickers()
        failures: list[BaseException] = []
        kept: list[pyarrow.RecordBatch] = []

        def work(seed: list[int]) -> None:
            try:
                for number in seed:
                    answer: quoindb.Scan | quoindb.Aggregates = self.store.scan(tickers[number % len(tickers)], columns="ticker, date, close, volume")
                    if number % 16 == 0:
                        answer = self.store.aggregate("count, max(high)", "month", tickers=tickers[number % len(tickers)])
                    reader = pyarrow.RecordBatchReader.from_stream(answer)
                    if number % 2 == 0:
                        reader.read_all()
                    elif number % 4 == 1:
                        batch = reader.read_next_batch()
                        if number % 400 == 1:
                            kept.append(batch)
                    del reader
            except BaseException as failure:
                failures.append(failure)

        threads = [threading.Thread(target=work, args=([random.randrange(10**6) for _ in range(2_500)],)) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(failures, [])
        self.assertGreater(len(kept), 5)
        self.assertTrue(all(batch.validate(full=True) is None and batch.num_rows > 0 for batch in kept))
        self.assertGreater(live_count(), before)
        kept.clear()
        self.assertEqual(live_count(), before)


class LongScanTests(unittest.TestCase):
    """A scan that takes a while: a window over all rows of a larger store."""

    LONG = " and ".join(f"mad(close, {length}) >= 0" for length in range(200, 260))
    path: str

    @classmethod
    def setUpClass(cls) -> None:
        cls.path = long_store_path()

    def test_other_threads_run_during_a_scan(self) -> None:
        store = quoindb.open(self.path)
        ticks: list[float] = []
        done = threading.Event()

        def tick() -> None:
            while not done.is_set():
                ticks.append(time.perf_counter())
                time.sleep(0.001)

        for read in (lambda: store.scan(where=self.LONG, threads=1).to_arrow(), lambda: store.scan(where=self.LONG, threads=1).count()):
            ticks.clear()
            done.clear()
            ticker = threading.Thread(target=tick)
            ticker.start()
            started = time.perf_counter()
            read()
            seconds = time.perf_counter() - started
            done.set()
            ticker.join()
            during = [tick for tick in ticks if started < tick < started + seconds]
            self.assertGreater(seconds, 0.1, "the scan is too short for this test")
            self.assertGreater(len(during), 20, f"{len(during)} ticks in {seconds} s")

    #: More work, all before the first row.
    LONGER = " + ".join(f"rank(mad(close, {length}) by day)" for length in range(200, 320)) + " > 0"

    def test_an_interrupt_ends_a_question_while_it_is_answered(self) -> None:
        store = quoindb.open(self.path)
        before = live_count()
        scan = store.scan(where=self.LONGER)
        questions = {
            "count": scan.count, "aggregate": lambda: store.aggregate("count", where=self.LONGER).to_arrow(),
            "to_arrow": scan.to_arrow, "to_numpy": scan.to_numpy, "to_polars": scan.to_polars, "explain": scan.explain,
        }
        for name, ask in questions.items():
            began = time.perf_counter()
            ask()
            usual = time.perf_counter() - began
            timer = threading.Timer(usual / 4, os.kill, (os.getpid(), signal.SIGINT))
            began = time.perf_counter()
            timer.start()
            with self.subTest(name), self.assertRaises(KeyboardInterrupt):
                ask()
                time.sleep(usual)
            self.assertGreater(usual, 0.4, f"{name} is too short for this test")
            self.assertLess(time.perf_counter() - began, usual / 4 + 0.3, f"{name} of {usual} s")
        self.assertEqual(live_count(), before)
        self.assertGreater(store.scan().count(), 0)

    def test_a_handler_of_ones_own_interrupts_nothing(self) -> None:
        scan = quoindb.open(self.path).scan(where=self.LONG)
        count = scan.count()
        came: list[int] = []
        former = signal.signal(signal.SIGINT, lambda number, _: came.append(number))
        try:
            threading.Timer(0.02, os.kill, (os.getpid(), signal.SIGINT)).start()
            self.assertEqual(scan.count(), count)
            time.sleep(0.05)
        finally:
            signal.signal(signal.SIGINT, former)
        self.assertEqual(came, [signal.SIGINT])

    def test_another_thread_interrupts_a_question(self) -> None:
        store = quoindb.open(self.path)
        timer = threading.Timer(0.05, store.interrupt)
        timer.start()
        with self.assertRaisesRegex(quoindb.QuestionInterruptedError, "the question was interrupted"):
            store.scan(where=self.LONGER).count()
        self.assertGreater(store.scan().count(), 0)

    def test_an_interrupt_ends_a_loop_of_scans(self) -> None:
        # Polars, pyarrow and DuckDB read a stream without any Python code between two batches. DuckDB's progress bar, which comes after two
        # seconds on a busy machine, would be read in place of what is waited for.
        for read in ("scan.to_arrow()", "scan.count()", "scan.to_polars()", "scan.to_numpy()", "store.lazy().filter(polars.col('close') > 0).collect()",
                     "pyarrow.table(scan)", "duckdb.sql('select max(close) from scan').fetchall()"):
            code = ("import duckdb, polars, pyarrow, quoindb\nduckdb.sql('set enable_progress_bar = false')\n"
                    f"store = quoindb.open({self.path!r})\nscan = store.scan(where={self.LONG!r})\n"
                    f"{read}\nprint('ready', flush=True)\nwhile True: {read}")
            # Nobody else would end its loop.
            with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
                try:
                    assert process.stdout
                    self.assertEqual(process.stdout.readline(), "ready\n")
                    time.sleep(0.2)
                    os.kill(process.pid, signal.SIGINT)
                    _, errors = process.communicate(timeout=20)
                finally:
                    process.kill()
            # DuckDB has an error of its own for that, and pyarrow and Polars have one for a stream that was interrupted.
            self.assertRegex(errors, "KeyboardInterrupt|Query interrupted|the question was interrupted", read)
            self.assertNotEqual(process.returncode, 0, read)


def _count(path: str) -> int:
    return quoindb.open(path).scan(where="close > 30").to_arrow().num_rows


if __name__ == "__main__":
    unittest.main()
