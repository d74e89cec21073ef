"""What Spark reads through the connector is what the command says."""

from __future__ import annotations

import contextlib
import io
import os
import random
import re
import threading
import unittest

from conditions import NUMBERS, Conditions
from support import ROOT, SLOW, a_reader, imported, plan, quoin, rows_of, scanned, session, while_an_executor_is_killed

SEED = int(os.environ.get("QUOIN_SEED") or random.randrange(1 << 32))
FILTERS = int(os.environ.get("QUOIN_FILTERS") or 200)
ALL = ["ticker", "date", *NUMBERS]


def setUpModule():
    global spark
    spark = session()
    quoin("generate", "--tickers", 25, "--rows", 20000, "--store", "store")
    quoin("import", ROOT / "data/FDX.json", ROOT / "Tests/PythonClients/gaps.csv", "--store", "store")


def read(path="store", **options):
    return spark.read.format("quoin").options(**options).load(os.path.abspath(path))


class Reading(unittest.TestCase):
    def test_all_rows_and_columns_are_read(self):
        rows = rows_of(read())
        self.assertEqual(rows, scanned("store", ALL))
        self.assertTrue(any(None in row for row in rows))

    def test_random_conditions_find_what_the_command_finds_and_are_pushed_down(self):
        print(f"\nQUOIN_SEED={SEED} QUOIN_FILTERS={FILTERS}", flush=True)
        chance = random.Random(SEED)
        rows = scanned("store", ALL)
        conditions = Conditions(chance, rows, sorted({row[0] for row in rows}))
        base, found, missing = read(), 0, 0
        for number in range(FILTERS):
            said, meant = conditions.pair()
            columns = ["ticker", "date", *chance.sample(NUMBERS, 2)]
            frame = base.filter(said).select(columns)
            with self.subTest(number=number, spark=said, quoin=meant):
                self.assertNotIn("Filter (", plan(frame))
                answer = rows_of(frame)
                self.assertEqual(answer, scanned("store", columns, meant))
                self.assertEqual(base.filter(said).count(), len(answer))
                found += len(answer)
                missing += 0 < len(answer) < len(rows)
        print(f"{found} rows; {missing} of {FILTERS} conditions found some rows and left some", flush=True)
        self.assertGreater(missing, FILTERS // 3)

    def test_what_the_store_cannot_say_is_left_to_spark(self):
        frame = read().filter("close * 2 > 100 and length(ticker) = 3 and high > 60").select("ticker", "date", "close")
        self.assertIn("Filter", plan(frame))
        expected = [row for row in scanned("store", ["ticker", "date", "close"], "close > 50 and high > 60") if len(row[0]) == 3]
        self.assertEqual(rows_of(frame), expected)
        self.assertTrue(expected)

    def test_two_conditions_of_one_frame_can_be_united(self):
        base = read()
        first, second = base.filter("close > 100"), base.filter("close < 20")
        self.assertEqual(
            first.union(second).count(), len(scanned("store", ["ticker", "date"], "close > 100")) + len(scanned("store", ["ticker", "date"], "close < 20")))
        self.assertEqual(first.filter("volume > 1000000").count(), len(scanned("store", ["ticker", "date"], "close > 100 and volume > 1000000")))
        self.assertEqual(base.count(), len(scanned("store", ["ticker", "date"])))

    def test_aggregates_of_the_whole_and_by_ticker_are_pushed_down(self):
        rows = scanned("store", ALL, "low > 10")
        frame = read().filter("low > 10")
        whole = frame.selectExpr("count(*)", "count(volume)", "min(close)", "max(volume)", "max(adj_close)", "count(date)")
        values = lambda name, kept: [row[ALL.index(name)] for row in kept if row[ALL.index(name)] is not None]
        self.assertIn("count(volume) as", plan(whole))
        self.assertEqual(tuple(whole.collect()[0]), (
            len(rows), len(values("volume", rows)), min(values("close", rows)), max(values("volume", rows)), max(values("adj_close", rows)), len(rows)))
        groups = frame.groupBy("ticker").agg({"close": "max", "volume": "count"})
        self.assertIn("by ticker", plan(groups))
        expected = {}
        for row in rows:
            expected.setdefault(row[0], []).append(row)
        self.assertEqual(
            {row["ticker"]: (row["max(close)"], row["count(volume)"]) for row in groups.collect()},
            {ticker: (max(values("close", kept), default=None), len(values("volume", kept))) for ticker, kept in expected.items()})
        self.assertEqual(tuple(read().filter("close > 1e9").selectExpr("count(*)", "max(close)").collect()[0]), (0, None))
        none = read().filter("ticker = 'nobody'").selectExpr("count(*)", "max(close)").collect()[0]
        self.assertEqual(tuple(none), (0, None))

    def test_a_limit_reads_so_many_rows(self):
        self.assertEqual(len(read().limit(7).collect()), 7)
        self.assertIn("at most 7 rows", plan(read().filter("close > 20").limit(7)))

    def test_options_say_which_rows(self):
        where = "close > mean(close, 20) or ticker = 'FDX'"
        self.assertEqual(read(where=where).filter("volume > 1000").count(), len(scanned("store", ["ticker", "date"], f"({where}) and volume > 1000")))
        self.assertEqual(rows_of(read(tickers="fdx").select("ticker", "date")), scanned("store", ["ticker", "date"], "ticker = 'FDX'"))
        self.assertEqual(read(partitions="9").rdd.getNumPartitions(), 9)
        ranked = "rank(close by day) <= 2"
        self.assertEqual(
            read(where=ranked).filter("ticker > 'C'").count(), len([row for row in scanned("store", ["ticker", "date"], ranked) if row[0] > "C"]))

    def test_sql_reads_a_store(self):
        spark.sql(f"create or replace temporary view quotes using quoin options(path '{os.path.abspath('store')}')")
        answer = spark.sql("select ticker, date, high from quotes where high between 80 and 83 and date >= '1990-01-01'")
        self.assertEqual(rows_of(answer), scanned("store", ["ticker", "date", "high"], "high between 80 and 83 and date >= 1990-01-01"))

    def test_a_table_of_the_catalog_has_its_options(self):
        store = os.path.abspath("store")
        for name, options in (("whole", f"path '{store}'"), ("dear", f"path '{store}', where 'close > 80'"), ("wrong", f"path '{store}', wher 'x'")):
            spark.sql(f"create table {name} using quoin options ({options})")
        self.assertEqual(spark.table("whole").count(), len(scanned("store", ["ticker", "date"])))
        dear = scanned("store", ["ticker", "date"], "close > 80 and volume > 1000")
        self.assertEqual(rows_of(spark.sql("select ticker, date from dear where volume > 1000")), dear)
        with self.assertRaises(Exception) as thrown:
            spark.table("wrong").count()
        self.assertIn("did you mean 'where'?", str(thrown.exception))
        spark.sql(f"create table made using quoin location '{os.path.abspath('made')}'")
        spark.sql("insert into made select * from whole where ticker = 'FDX'")
        self.assertEqual(rows_of(spark.table("made")), scanned("store", ALL, "ticker = 'FDX'"))

    def test_python_reads_what_a_scan_wrote_after_the_scan_is_closed(self):
        # Python takes so few rows that the task ends, and closes the scan, while another thread feeds it.
        tickers = {row[0] for row in scanned("store", ["ticker", "date"])}
        for _ in range(3):
            self.assertLessEqual(set(read().rdd.map(lambda row: row["ticker"]).take(5)), tickers)
        counts = read(partitions="3").rdd.mapPartitions(lambda rows: [next(rows)["ticker"]]).collect()
        self.assertEqual(len(counts), 3)

    def test_conditions_nest_as_deep_as_the_language_lets_them(self):
        for where in ("(" * 98 + "high > 1" + ")" * 98, "not " * 398 + "high > 1"):
            self.assertEqual(read(where=where).filter("low > 2").count(), len(scanned("store", ["ticker", "date"], "high > 1 and low > 2")))

    def test_readme_prints_what_it_says(self):
        section = (ROOT / "docs/embedding.md").read_text().partition("\n## From Spark\n")[2].partition("\n## ")[0]
        (code, said) = re.findall(r"```(?:python|text)\n(.*?)```", section, re.DOTALL)
        quoin("import", ROOT / "data/FDX.json", ROOT / "data/wiki-sample.csv", "--store", "quoin-store")
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(code, {})
        self.assertEqual(printed.getvalue().strip(), said.strip())

    def test_mistakes_are_told_in_a_sentence(self):
        for options, sentence in (
            ({"where": "closs > 3"}, "did you mean 'close'"), ({"tickers": "NOBODY"}, "has no quotes of 'NOBODY'"),
            ({"at": "nothing"}, "nothing"), ({"partitions": "-1"}, "'partitions' is -1"), ({"path": "/no/store"}, "no store at '/no/store'"),
            ({"wher": "close > 3"}, "no option 'wher'; did you mean 'where'?"), ({"columns": "close"}, "write .select("),
            ({"Aggregate": "count"}, "write .agg("), ({"asOf": "2005-01-03"}, "Spark has no form of it"),
            ({"header": "true"}, "there are at, partitions, tickers, where")):
            with self.subTest(options), self.assertRaises(Exception) as thrown:
                spark.read.format("quoin").options(**{"path": os.path.abspath("store"), **options}).load().count()
            self.assertIn(sentence, str(thrown.exception))


class Clusters(unittest.TestCase):
    def test_an_executor_killed_in_the_middle_leaves_the_answer_right(self):
        expected = scanned("store", ["ticker", "date", "volume"])
        frame = read(partitions="10").selectExpr(f"volume + {SLOW} as volume").selectExpr("sum(volume)", "count(*)")
        answer = while_an_executor_is_killed(spark, a_reader, frame.collect)[0]
        self.assertEqual(tuple(answer), (sum(row[2] or 0 for row in expected), len(expected)))

    def test_a_query_sees_one_snapshot_while_another_process_commits(self):
        quoin("generate", "--tickers", 12, "--rows", 12000, "--store", "changed")
        quoin("snapshot", "recent", 50, "--store", "changed")
        frame = read("changed", partitions="6").selectExpr("date", f"{SLOW} as zero").selectExpr("count(zero)", "max(date)")
        old = scanned("changed", ["ticker", "date"])
        plan(frame)
        answers, commits = [], 0
        asking = threading.Thread(target=lambda: answers.extend(frame.collect()))
        asking.start()
        while asking.is_alive() and commits < 40:
            imported("changed", f"NEW,2030-01-{commits % 28 + 1:02},{commits}")
            commits += 1
            asking.join(0.02)
        asking.join()
        print(f"\n{commits} commits during a query", flush=True)
        self.assertGreater(commits, 5)
        self.assertEqual([tuple(answer) for answer in answers], [(len(old), max(row[1] for row in old))])
        self.assertEqual(read("changed").count(), len(scanned("changed", ["ticker", "date"])))

    def test_a_planned_query_keeps_its_snapshot_and_says_when_it_is_gone(self):
        quoin("generate", "--tickers", 4, "--rows", 3000, "--store", "short")
        frame = read("short").select("ticker", "date", "close")
        old = scanned("short", ["ticker", "date", "close"])
        plan(frame)
        imported("short", "NEW,2030-01-01,1")
        self.assertEqual(rows_of(frame), old)
        frame = read("short").select("ticker", "date", "close")
        plan(frame)
        for number in range(4):
            imported("short", f"NEW,2030-02-0{number + 1},1")
        with self.assertRaises(Exception) as thrown:
            frame.collect()
        self.assertIn("no longer keeps generation", str(thrown.exception))

    def test_a_snapshot_is_read_by_its_name(self):
        quoin("generate", "--tickers", 4, "--rows", 3000, "--store", "named")
        old = scanned("named", ["ticker", "date", "close"])
        quoin("snapshot", "create", "before", "--store", "named")
        quoin("delete", "--where", "close > 50", "--store", "named")
        self.assertEqual(rows_of(read("named", at="before").select("ticker", "date", "close")), old)
        self.assertLess(read("named").count(), len(old))

    def test_a_sharded_store_is_read_as_one(self):
        quoin("shard", "--count", 4, "--output", "shards", "--store", "store")
        self.assertEqual(rows_of(read("shards")), scanned("store", ALL))
        frame = read("shards", partitions="8").filter("close > 50 and ticker < 'M'").select("ticker", "date", "close")
        self.assertEqual(rows_of(frame), [row for row in scanned("store", ["ticker", "date", "close"], "close > 50") if row[0] < "M"])
        self.assertEqual(read("shards").filter("close > 50").count(), len(scanned("store", ["ticker", "date"], "close > 50")))
        self.assertEqual(len(read("shards").groupBy("ticker").agg({"close": "max"}).collect()), len({row[0] for row in scanned("store", ALL)}))
