"""The functions quoin_aggregate, quoin_columns and quoin_bars answer in SQL what the command does."""

from __future__ import annotations

import os
import random
import sqlite3
import unittest
from typing import Any

import quoindb.sqlite
from support import ConnectionTests, folder, lines, run, seeded


def cells(text: str) -> Any:
    """What a printed cell stands for."""
    for read in (int, float):
        try:
            return read(text)
        except ValueError:
            pass
    return text or None


def printed(*arguments: str) -> list[tuple[Any, ...]]:
    return [tuple(map(cells, row.values())) for row in lines(*arguments)]


class FunctionTests(ConnectionTests):
    def assertSame(self, ours: list[Any], theirs: list[Any]) -> None:
        """As assertEqual, which takes minutes to say how long lists differ."""
        self.assertEqual(len(ours), len(theirs))
        self.assertEqual([pair for pair in zip(ours, theirs) if pair[0] != pair[1]][:3], [])

    def made(self, module: str, *arguments: str) -> tuple[list[str], list[Any]]:
        """The columns and the rows of a table of answers."""
        listed = ", ".join("'" + text.replace("'", "''") + "'" for text in arguments)
        self.ask(f"create virtual table temp.made using {module}({listed})")
        try:
            rows = self.connection.execute("select * from made")
            return [column[0] for column in rows.description], rows.fetchall()
        finally:
            self.ask("drop table made")

    def test_aggregates_are_the_commands(self) -> None:
        question = "max(close), sum(volume), mean(adj_close) / min(low) as ratio, argmax(high)"
        for by, keys in [("month", "ticker, period"), ("ticker", "ticker"), ("year, weekday", "period, weekday"), ("week, all", "period"), (" Day ", "period"), ("ALL", "null"), ("weekday, ticker", "weekday, ticker")]:
            for condition in ("", "close > open"):
                with self.subTest(by=by, condition=condition):
                    expected = printed("scan", "--aggregate", question, "--by", by, *(["--where", condition] if condition else []), "--store", self.path)
                    if keys == "null":
                        expected = [(None, *row) for row in expected]
                    self.assertGreater(len(expected), 0)
                    rows = self.ask(f"select {keys}, value1, value2, value3, value4, value5 from quoin_aggregate(?, ?, ?, ?)", self.path, question, by, condition or None)
                    self.assertSame([row[:-1] for row in rows], expected)
                    self.assertEqual({row[-1] for row in rows}, {None})

    def test_a_key_that_is_an_expression_is_a_value(self) -> None:
        expected = printed("scan", "--aggregate", "count, max(close)", "--by", "month(date), ticker", "--where", "ticker in ('FDX', 'KO')", "--store", self.path)
        self.assertEqual(len(expected), 24)
        rows = self.ask("select value1, ticker, value2, value3, weekday from quoin_aggregate('quotes', 'count, max(close)', 'month(date), ticker', 'ticker in (''FDX'', ''KO'')')")
        self.assertSame([row[:-1] for row in rows], expected)
        self.assertEqual({row[-1] for row in rows}, {None})

    def test_a_table_of_aggregates_has_the_names_of_the_answer(self) -> None:
        columns, rows = self.made("quoin_aggregate", "quotes", "max(close) as high, count", "half-year", "ticker in ('FDX', 'KO')")
        self.assertEqual(columns, ["ticker", "half-year", "high", "count"])
        self.assertSame(rows, printed("scan", "--aggregate", "max(close) as high, count", "--by", "half-year", "--where", "ticker in ('FDX', 'KO')", "--store", self.path))

    def test_columns_are_the_commands(self) -> None:
        question, condition = "close, rsi(close, 14) as r, rank(volume by day) as place", "mean(close, 20) > close"
        expected = printed("scan", "--columns", f"ticker, date, {question}", "--where", condition, "--store", self.path)
        self.assertGreater(len(expected), 10000)
        self.assertSame(self.ask("select ticker, date, value1, value2, value3 from quoin_columns(?, ?, ?)", "quotes", question, condition), expected)
        columns, rows = self.made("quoin_columns", self.path, question, condition)
        self.assertEqual(columns, ["ticker", "date", "close", "r", "place"])
        self.assertSame(rows, expected)
        columns, rows = self.made("quoin_columns", self.path, "ex_dividend, date, close * 2 as twice", "ex_dividend > 0")
        self.assertEqual(columns, ["ticker", "ex_dividend", "date", "twice"])
        self.assertSame(rows, printed("scan", "--columns", "ticker, ex_dividend, date, close * 2 as twice", "--where", "ex_dividend > 0", "--store", self.path))

    def test_bars_are_the_commands(self) -> None:
        for period in ("week", "year"):
            expected = printed("resample", "--by", period, "--store", self.path)
            self.assertGreater(len(expected), 100)
            self.assertSame(self.ask("select * from quoin_bars(?, ?)", self.path, period), expected)
            columns, rows = self.made("quoin_bars", "quotes", period)
            self.assertEqual(columns, [column[0] for column in self.connection.execute("select * from quotes").description])
            self.assertSame(rows, expected)
            self.assertSame(self.ask("select * from quoin_bars('quotes', ?) where ticker = 'FDX' and close > 80", period), [row for row in expected if row[0] == "FDX" and row[5] > 80])
            either = "select * from quoin_bars('quotes', ?) where ticker = 'FDX' or ticker = 'KO' or ticker = 'nobody' or close > 100 order by ticker, date"
            self.assertSame(self.ask(either, period), [row for row in expected if row[0] in ("FDX", "KO") or row[5] is not None and row[5] > 100])
        self.assertSame(self.ask("select count(*), count(distinct rowid) from quoin_bars('quotes', 'week')"), [(len(printed("resample", "--by", "week", "--store", self.path)),) * 2])

    def test_answers_are_joined(self) -> None:
        self.ask("create temp table held(ticker, shares)")
        self.addCleanup(self.ask, "drop table held")
        self.ask("insert into held values ('FDX', 3), ('KO', 5), ('nobody', 7)")
        expected = [(row[0], row[1], row[5] * (3 if row[0] == "FDX" else 5)) for row in printed("resample", "FDX", "KO", "--by", "year", "--store", self.path)]
        joined = "select h.ticker, b.date, h.shares * b.close from held h join quoin_bars('quotes', 'year') b on b.ticker = h.ticker order by 1, 2"
        self.assertSame(self.ask(joined), expected)
        by_argument = "select h.ticker, c.value1 from held h join quoin_aggregate('quotes', 'count', 'all', 'ticker = ''' || h.ticker || '''') c order by h.shares limit 2"
        self.assertSame(self.ask(by_argument), [(ticker, int(run("scan", ticker, "--count", "--store", self.path))) for ticker in ("FDX", "KO")])
        twice = "select count(*) from quoin_bars('quotes', 'year') a join quoin_bars('quotes', 'year') b using (ticker, date)"
        self.assertSame(self.ask(twice), self.ask("select count(*) from quoin_bars('quotes', 'year')"))
        # Questions of which one has the other's rows.
        either = "select value1 from quoin_aggregate where store = 'quotes' and (aggregates = 'count' or aggregates = 'max(close)') order by 1"
        self.assertEqual([value for (value,) in self.ask(either)], sorted(printed("scan", "--aggregate", name, "--store", self.path)[0][0] for name in ("count", "max(close)")))

    def test_functions_and_tables_see_one_commit(self) -> None:
        path = f"{folder()}/functions"
        run("generate", "--tickers", "3", "--rows", "3000", "--store", path)
        connection = quoindb.sqlite.connect(path)
        self.addCleanup(connection.close)
        running = connection.execute("select ticker, (select sum(value1) from quoin_aggregate(?, 'count', 'ticker')) from quotes", (path,))
        running.fetchone()
        run("import", f"{os.path.dirname(__file__)}/../../data/FDX.json", "--store", path)
        self.assertEqual({row[1] for row in running.fetchall()}, {3000})
        self.assertGreater(connection.execute("select sum(value1) from quoin_aggregate('quotes', 'count', 'ticker')").fetchone()[0], 3000)

    def test_a_table_is_known_by_its_name_after_a_failure(self) -> None:
        """SQLite disconnects all tables then."""
        with self.assertRaisesRegex(sqlite3.OperationalError, "unknown attribute 'clos'; did you mean 'close'"):
            self.made("quoin_aggregate", "quotes", "max(clos)")
        self.assertSame(self.ask("select value1 from quoin_aggregate('quotes', 'count')"), self.ask("select count(*) from quotes"))

    def test_mistakes_are_sentences(self) -> None:
        for question, sentence in [
            ("quoin_aggregate('quotes', 'max(clos)')", "did you mean 'close'"),
            ("quoin_aggregate('quotes', 'max(close)', 'fortnight')", "by: 'fortnight' isn't one of"),
            ("quoin_aggregate('quotes', 'max(close)', 'month', 'close >')", "where: "),
            ("quoin_aggregate('quotes', 'max(close)', 'month, year')", "two periods need 'create virtual table'"),
            ("quoin_aggregate('quotes', '" + ", ".join(f"max(close) as m{i}" for i in range(17)) + "')", "more than 16 values"),
            ("quoin_aggregate('quotes')", "an argument is missing or null: quoin_aggregate\\(store, aggregates"),
            ("quoin_aggregate", "an argument is missing or null"),
            ("quoin_columns('quotes', null)", "an argument is missing or null"),
            ("quoin_columns('quotes', 'clse')", "did you mean 'close'"),
            ("quoin_columns('no-store', 'close')", "no store at 'no-store'"),
            ("quoin_bars('quotes', 'day')", "resample: 'day' isn't one of week"),
        ]:
            with self.subTest(question=question), self.assertRaisesRegex(sqlite3.OperationalError, f"quoin: .*{sentence}"):
                self.ask(f"select * from {question}")
        for arguments in ("'quotes'", "null, 'close'", "'quotes', 'close', null, 'x'"):
            with self.assertRaisesRegex(sqlite3.OperationalError, "a table of answers is made with: quoin_columns\\(store, columns"):
                self.ask(f"create virtual table temp.wrong using quoin_columns({arguments})")
        with self.assertRaisesRegex(sqlite3.OperationalError, "may not be modified"):
            self.ask("delete from quoin_bars")

    def test_random_arguments_end_in_rows_or_a_sentence(self) -> None:
        generator = seeded(self.id())
        count, refused, answered = int(os.environ.get("QUOIN_ARGUMENTS", "1000")), 0, 0
        for _ in range(count):
            name = generator.choice(["quoin_aggregate", "quoin_columns", "quoin_bars"])
            values = [self.argument(generator, place) for place in range(generator.choice([0, 1, 2, 2, 2, 3, 3, 4, 5]))]
            try:
                if generator.random() < 0.25:
                    self.made(name, *[value for value in values if isinstance(value, str)])
                else:
                    condition = generator.choice(["", " where ticker = 'FDX'", " where ticker = 'FDX' or ticker = 5", " where rowid > 7", " order by 1 desc"])
                    self.ask(f"select * from {name}({', '.join('?' * len(values))}){condition} limit 50", *values)
                answered += 1
            except sqlite3.Error as error:
                self.assertGreater(len(str(error)), 10)
                refused += 1
        print(f"{count} random questions: {answered} answered, {refused} refused", flush=True)
        self.assertGreater(answered, count // 20)
        self.assertGreater(refused, count // 20)

    def argument(self, generator: random.Random, place: int) -> Any:
        good: list[list[Any]] = [["quotes", self.path], ["count", "count", "close", "close", "week", "year"], ["month", "ticker", "year, weekday", "close > 100", None], ["volume > 1e6", None], [None]]
        if generator.random() < 0.85:
            return generator.choice(good[place])
        text = "".join(generator.choice("abcy'\"(),;. 0123456789<>=\u00e9\U0001f600\x00\n") for _ in range(generator.randint(0, 12)))
        return generator.choice([None, 5, 2.5, b"\xff\x00a", text, text, "x" * 70000, "ticker" * generator.randint(0, 3), "all"])


if __name__ == "__main__":
    unittest.main()
