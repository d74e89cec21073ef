"""SQL on a store answers what SQL on a table of its exported rows answers."""

from __future__ import annotations

import math
import os
import random
import sqlite3
import subprocess
import sys
import unittest
from typing import Any
from unittest import mock

import quoindb.sqlite
from support import ConnectionTests, exported, folder, lines, run, seeded

TEXTS = ["ticker", "date"]
NUMBERS = [
    "open", "high", "low", "close", "volume", "ex_dividend", "split_ratio",
    "adj_open", "adj_high", "adj_low", "adj_close", "adj_volume",
]  # fmt: skip
COLUMNS = TEXTS + NUMBERS


def cells(row: dict[str, str]) -> list[Any]:
    """The values of an exported row."""
    numbers = list(row.values())[2:]
    return [*list(row.values())[:2], *[None if text == "" else int(text) if name == "volume" else float(text) for name, text in zip(NUMBERS, numbers)]]


def are_equal(ours: list[Any], theirs: list[Any]) -> bool:
    """Whether rows are the same in some order. A sum in another order may differ in its last digits."""
    pairs = zip(sorted(ours, key=repr), sorted(theirs, key=repr))
    return len(ours) == len(theirs) and all(a == b or is_number(a) and is_number(b) and math.isclose(a, b, rel_tol=1e-12) for x, y in pairs for a, b in zip(x, y))


def is_number(value: object) -> bool:
    return isinstance(value, (int, float))


class Statements:
    """Random statements in which `{t}` stands for the table."""

    def __init__(self, random: random.Random, rows: list[list[Any]]) -> None:
        self.random, self.rows = random, rows

    def value(self, column: str) -> str:
        """A value to compare a column with: one of its own, one near it, or one of another type."""
        choose, cell = self.random, self.random.choice(self.rows)[COLUMNS.index(column)]
        odd = ["null", "'abc'", "''", "x'41'", "9e999", "-9e999", "9223372036854775807", "-1", "0", "-0.0", "1e-320", "'80'", "2005", "80.5"]
        if choose.random() < 0.12 or cell is None:
            return choose.choice(odd)
        if column == "date":
            return repr(choose.choice([cell, cell, cell, cell[:4], cell[:7], cell + "x", "2017-02-30"]))
        if column == "ticker":
            return repr(choose.choice([cell, cell, cell, cell[:1], cell.lower(), cell + "Z"]))
        near = choose.choice([cell, cell, cell * 1.01, cell - 0.005, math.nextafter(cell, math.inf), round(cell)])
        return repr(near) if choose.random() < 0.9 else f"'{near}'"

    def condition(self, depth: int = 0, t: str = "q") -> str:
        """A condition on the columns of `t`."""
        choose = self.random
        kind = choose.random()
        if depth < 3 and kind < 0.45:
            parts = [self.condition(depth + 1, t) for _ in range(choose.randint(2, 3))]
            return "(" + choose.choice([" and ", " and ", " or "]).join(parts) + ")"
        if depth < 3 and kind < 0.5:
            return f"not ({self.condition(depth + 1, t)})"
        column = choose.choice(COLUMNS if choose.random() < 0.6 else [*TEXTS, "close", "volume"])
        name = f"{t}.{column}"
        kind = choose.randint(0, 11)
        if kind == 0:
            return f"{name} is {choose.choice(['', 'not '])}null"
        if kind == 1:
            return f"{name} {choose.choice(['', 'not '])}between {self.value(column)} and {self.value(column)}"
        if kind in (2, 3):
            values = ", ".join(self.value(column) for _ in range(choose.randint(0, 6)))
            return f"{name} {choose.choice(['', '', 'not '])}in ({values})"
        if kind == 4:
            other = choose.choice(NUMBERS)
            return f"{name} {choose.choice(['in', 'in', 'not in'])} (select p.{choose.choice(['ticker', 'day', 'price'])} from portfolio p where p.price {choose.choice('<>')} {self.value(other)})"
        if kind == 5:
            return f"{name} is {choose.choice(['', 'not '])}{self.value(column)}"
        if kind == 6:
            return choose.choice([f"{t}.ticker like '{choose.choice(self.rows)[0][:2].lower()}%'", f"{t}.date like '{choose.choice(self.rows)[1][:6]}%'", f"{t}.ticker glob '{choose.choice(self.rows)[0][:1]}*'"])
        if kind == 7:
            column = choose.choice(TEXTS)
            return f"{t}.{column} {choose.choice(['<', '>=', '='])} {self.value(column)} collate {choose.choice(['nocase', 'binary', 'rtrim'])}"
        if kind == 8:
            return f"{name} {choose.choice(['<', '>', '<=', '='])} {t}.{choose.choice(NUMBERS)}"
        return f"{name} {choose.choice(['<', '<=', '>', '>=', '=', '=', '!='])} {self.value(column)}"

    def where(self, t: str = "q") -> str:
        return f" where {self.condition(0, t)}" if self.random.random() < 0.92 else ""

    def order(self) -> str:
        """An order that leaves nothing open."""
        choose = self.random
        a, b = choose.choice(["", " desc", " asc", " collate nocase"]), choose.choice(["", " desc", " asc"])
        order = choose.choice([f"q.ticker{a}, q.date{b}", f"q.ticker{a}, q.date{b}", f"q.date{b}, q.ticker{a}", f"q.ticker{a}, q.date{b}, q.close", f"q.{choose.choice(NUMBERS)}{b}, q.ticker, q.date", f"q.ticker{a}, q.close{b}, q.date"])
        return f" order by {order}"

    def limit(self) -> str:
        choose = self.random
        limit = f" limit {choose.choice([0, 1, 2, 7, 50, 3000, -1])}"
        return limit + (f" offset {choose.choice([0, 1, 5, 100, -3])}" if choose.random() < 0.5 else "")

    def statement(self) -> tuple[str, bool]:
        """A statement, and whether its rows have an order."""
        choose, kind = self.random, self.random.randint(0, 13)
        names = ", ".join(f"q.{name}" for name in choose.sample(COLUMNS, choose.randint(1, 6)))
        if kind >= 12:
            # A ticker is asked again and again, each time for other days.
            way, sign = choose.choice(["", " desc"]), choose.choice(["<", "<=", "=", ">=", ">"])
            condition = f" and {self.condition(2, 'i')}" if choose.random() < 0.3 else ""
            key = choose.choice(["p.ticker", "p.ticker", "p.ticker", "p.number", "p.ticker || ''", "p.price"])
            one = f"select i.{choose.choice(COLUMNS)} from {{t}} i where i.ticker = {key} and i.date {sign} p.day{condition} order by i.date{way} limit 1"
            latest = f"select {choose.choice(['max', 'min'])}(i.date) from {{t}} i where i.ticker = q.ticker{condition}"
            if choose.random() < 0.3:
                return f"select q.ticker, q.date, {names} from {{t}} q where q.date = ({latest})", False
            return f"select p.number, o.number, ({one}), ({one.replace('i.', 'j.').replace('{t} i', '{t} j')}) from portfolio p, (select number from portfolio limit 3) o", False
        if kind <= 2:
            order = self.order()
            return f"select q.ticker, q.date, {names} from {{t}} q{self.where()}{order}{self.limit() if choose.random() < 0.7 else ''}", True
        if kind <= 4:
            return f"select {names} from {{t}} q{self.where()}", False
        if kind == 5:
            column = choose.choice(NUMBERS)
            return f"select count(*), count(q.{column}), min(q.{column}), max(q.{column}), sum(q.{column}), min(q.date), max(q.ticker) from {{t}} q{self.where()}", False
        if kind == 6:
            keys = choose.choice(["q.ticker", "substr(q.date, 1, 4)", "q.ticker, q.date", "q.date", "q.date, q.ticker", "q.split_ratio"])
            return f"select {keys}, count(*), max(q.close), avg(q.volume) from {{t}} q{self.where()} group by {keys} having count(*) > {choose.randint(0, 3)}", False
        if kind == 7:
            return f"select distinct {choose.choice(['q.ticker', 'q.split_ratio', 'q.ticker, q.ex_dividend', 'q.date'])} from {{t}} q{self.where()}", False
        if kind == 8:
            on = choose.choice(["q.ticker = p.ticker and q.date = p.day", "q.ticker = p.ticker and q.close > p.price", "q.date = p.day", "q.close = p.price", "q.ticker = p.number"])
            join = choose.choice(["join", "left join", "left join"])
            return f"select p.number, {names} from portfolio p {join} {{t}} q on {on}{self.where()}", False
        if kind == 9:
            return f"select a.ticker, a.date, b.date, b.close from {{t}} a join {{t}} b on a.ticker = b.ticker and b.date = date(a.date, '+1 day') where {self.condition(1, 'a')} and {self.condition(2, 'b')}", False
        if kind == 10:
            column = choose.choice(NUMBERS)
            return f"select q.ticker, q.date from {{t}} q where q.{column} = (select max(i.{column}) from {{t}} i where i.ticker = '{choose.choice(self.rows)[0]}' and {self.condition(2, 'i')}) or exists (select 1 from portfolio p where p.ticker = q.ticker and p.day = q.date)", False
        first, second = self.condition(1), self.condition(1)
        return f"select q.ticker, q.date, q.close from {{t}} q where {first} {choose.choice(['union', 'union all', 'except', 'intersect'])} select q.ticker, q.date, q.close from {{t}} q where {second} order by 1, 2, 3{self.limit()}", True


class SQLTests(ConnectionTests):
    def plan(self, statement: str) -> str:
        return " / ".join(row[3] for row in self.ask("explain query plan " + statement))

    def test_all_rows_are_the_exported_ones(self) -> None:
        expected = [tuple(cells(row)) for row in exported()]
        self.assertGreater(len(expected), 60000)
        self.assertEqual(self.ask("select * from quotes order by ticker, date"), sorted(expected, key=lambda row: row[:2]))

    def test_a_range_is_the_commands(self) -> None:
        expected = [(row["ticker"], row["date"], float(row["high"])) for row in lines("scan", "--where", "80 < high < 83", "--columns", "ticker,date,high", "--store", self.path)]
        self.assertGreater(len(expected), 10)
        self.assertEqual(self.ask("select ticker, date, high from quotes where high > 80 and high < 83 order by ticker, date"), expected)

    def test_a_row_that_meets_both_sides_of_or_comes_once(self) -> None:
        expected = int(run("scan", "--count", "--where", "close > 100.5 or volume < 100000", "--store", self.path))
        self.assertGreater(expected, 1000)
        statement = "select count(*) from quotes where close > 100.5 or volume < 100000"
        self.assertIn("MULTI-INDEX OR", self.plan(statement))
        self.assertEqual(self.ask(statement), [(expected,)])
        [(rows, numbers)] = self.ask("select count(*), count(distinct rowid) from quotes")
        self.assertEqual(rows, numbers)

    def test_columns_that_only_conditions_name_are_read_once_a_cell_is_asked_for(self) -> None:
        condition = "high between 20 and 90 and volume > 1000"
        expected = [(row["ticker"], row["date"], float(row["high"])) for row in lines("scan", "--where", condition.replace("between 20 and 90", ">= 20 and high <= 90"), "--store", self.path)]
        self.assertGreater(len(expected), 10000)
        self.assertEqual(self.ask(f"select count(*) from quotes where {condition}"), [(len(expected),)])
        self.assertEqual(self.ask(f"select high from quotes where {condition}"), [row[2:] for row in expected])
        # The first cell is asked for in the last row, and in one of each ticker.
        [(last,)] = self.ask(f"select max(rowid) from quotes where {condition}")
        self.assertEqual(self.ask(f"select case when rowid = {last} then high end as h from quotes where {condition} order by ticker, date")[-1], (expected[-1][2],))
        each = f"select t.ticker, (select max(high) from quotes q where q.ticker = t.ticker and {condition}) from (select distinct ticker from quotes) t order by 1"
        for (ticker, top), other in zip(self.ask(each), self.ask(f"select t.ticker, max(h.high) from (select distinct ticker from quotes) t left join (select ticker, high, close from quotes where {condition}) h using (ticker) group by 1 order by 1")):
            self.assertEqual((ticker, top), other)

    def test_a_plan_says_what_the_store_is_told(self) -> None:
        self.assertIn("ticker=? and high>=? and high<=?", self.plan("select * from quotes where high between 80 and 83 and ticker = 'FDX'"))
        self.assertIn("ticker in ? and volume is null", self.plan("select * from quotes where ticker in ('A', 'B') and volume is null"))
        self.assertNotIn("ticker", self.plan("select close from quotes where ticker = 'fdx' collate nocase").partition(":")[2])
        for order in ("ticker", "ticker, date", "ticker, date desc"):
            self.assertNotIn("TEMP B-TREE", self.plan(f"select * from quotes order by {order}"))
        for order in ("date", "date, ticker", "ticker desc", "ticker, close", "ticker collate nocase"):
            self.assertIn("TEMP B-TREE", self.plan(f"select * from quotes order by {order}"))
        self.assertNotIn("TEMP B-TREE", self.plan("select * from quotes where ticker = 'FDX' order by date desc"))

    def test_a_join_with_a_small_table_looks_tickers_up(self) -> None:
        self.ask("create temp table if not exists watched(ticker text, day text)")
        self.assertIn("ticker=? and date=?", self.plan("select * from watched w join quotes q on q.ticker = w.ticker and q.date = w.day"))
        self.assertIn("ticker=? and date<=?", self.plan("select (select q.close from quotes q where q.ticker = w.ticker and q.date <= w.day order by q.date desc limit 1) from watched w"))
        self.assertNotIn("TEMP B-TREE", self.plan("select (select q.close from quotes q where q.ticker = w.ticker and q.date <= w.day order by q.date desc limit 1) from watched w"))
        self.assertIn("date like ?", self.plan("select * from quotes where date like '2017-0%'"))

    def test_a_ticker_that_is_asked_again_shows_the_newest_commit(self) -> None:
        path = f"{folder()}/again"
        run("generate", "--tickers", "2", "--rows", "2000", "--store", path)
        connection = quoindb.sqlite.connect(path)
        self.addCleanup(connection.close)
        [(ticker,), _] = connection.execute("select distinct ticker from quotes").fetchall()
        statement = "select count(*), min(date), max(date), sum(close) from quotes where ticker = ? and date >= ?"
        for day in ("2018-03-30", "2018-04-03"):
            before = [connection.execute(statement, (ticker, "2010-01-01")).fetchall() for _ in range(4)]
            self.assertEqual(before, [before[0]] * 4)
            with open(f"{folder()}/day.csv", "w") as file:
                file.write(f"ticker,date,open,high,low,close,volume\n{ticker},{day},1,1,1,1,1\n")
            run("import", f"{folder()}/day.csv", "--store", path)
            for _ in range(4):
                [(count, _, last, _)] = connection.execute(statement, (ticker, "2010-01-01")).fetchall()
                self.assertEqual((count, last), (before[0][0][0] + 1, day))

    def test_a_number_that_is_equal_to_several_tickers_is_refused_where_the_order_depends_on_it(self) -> None:
        path = f"{folder()}/numbers"
        with open(f"{folder()}/numbers.csv", "w") as file:
            file.write("ticker,date,close\n" + "".join(f"{ticker},2017-01-0{day},{day}\n" for ticker in ("07", "7", "7X", "8") for day in (3, 4)))
        run("import", f"{folder()}/numbers.csv", "--store", path)
        connection = quoindb.sqlite.connect(path)
        self.addCleanup(connection.close)
        connection.execute("create table numbers(n integer)")
        connection.execute("insert into numbers values (8), (7)")
        one = "select (select q.close from quotes q where q.ticker = n order by q.date desc limit 1) from numbers where n = "
        self.assertEqual(connection.execute(one + "8").fetchall(), [(4.0,)])
        with self.assertRaisesRegex(sqlite3.Error, "equal to several tickers"):
            connection.execute(one + "7").fetchall()
        self.assertEqual(connection.execute("select q.ticker, q.date from numbers join quotes q on q.ticker = n where n = 7 order by 1, 2").fetchall(), [("07", "2017-01-03"), ("07", "2017-01-04"), ("7", "2017-01-03"), ("7", "2017-01-04")])

    def test_random_statements_have_the_answers_of_a_table_of_sqlites(self) -> None:
        """Each statement is asked of the store and of the exported rows of some tickers in a table."""
        generator = seeded(self.id())
        count = int(os.environ.get("QUOIN_STATEMENTS", "2000"))
        tickers = sorted({row["ticker"] for row in exported()})
        chosen = set(generator.sample(tickers, 6)) | {row["ticker"] for row in exported() if row["volume"] == ""}
        rows = [cells(row) for row in exported() if row["ticker"] in chosen]
        generator.shuffle(rows)
        kept = {(row[0], row[1]) for row in rows[:4000]}
        path = f"{folder()}/random"
        run("import", self.written([row for row in exported() if (row["ticker"], row["date"]) in kept]), "--store", path)
        connection = quoindb.sqlite.connect(path)
        self.addCleanup(connection.close)
        rows = rows[:4000]
        declared = ", ".join([f"{name} text" for name in TEXTS] + [f"{name} {'integer' if name == 'volume' else 'real'}" for name in NUMBERS])
        connection.execute(f"create table native({declared})")
        connection.executemany(f"insert into native values ({', '.join('?' * len(COLUMNS))})", rows)
        connection.execute("create index native_rows on native(ticker, date)")
        connection.execute("create table portfolio(number integer, ticker text, day text, price real)")
        held = [(number, row[0], row[1], row[5]) for number, row in enumerate(generator.sample(rows, 40))]
        connection.executemany("insert into portfolio values (?, ?, ?, ?)", [*held, (98, "NONE", "2017-01-01", 1.5), (99, None, None, None)])
        statements, found, differences = Statements(generator, rows), 0, 0
        for _ in range(count):
            statement, is_ordered = statements.statement()
            ours = connection.execute(statement.format(t="quotes")).fetchall()
            theirs = connection.execute(statement.format(t="native")).fetchall()
            found += len(theirs) > 0
            if not are_equal(ours, theirs) or is_ordered and [row[:2] for row in ours] != [row[:2] for row in theirs]:
                differences += 1
                print(f"differs, {len(ours)} rows and {len(theirs)}: {statement}", ours[:3], theirs[:3], sep="\n")
        print(f"{count} statements, {found} with rows, {differences} differences, SQLite {sqlite3.sqlite_version}", flush=True)
        self.assertEqual(differences, 0)
        self.assertGreater(found, count // 3)

    def written(self, rows: list[dict[str, str]]) -> str:
        path = f"{folder()}/random.csv"
        with open(path, "w") as file:
            file.write(",".join(rows[0]) + "\n")
            file.writelines(",".join(row.values()) + "\n" for row in rows)
        return path

    def test_a_statement_sees_one_commit_and_the_next_one_the_newest(self) -> None:
        path = f"{folder()}/moving"
        run("generate", "--tickers", "3", "--rows", "3000", "--store", path)
        connection = quoindb.sqlite.connect(path)
        self.addCleanup(connection.close)
        count = "select count(*) from quotes"
        running = connection.execute("select ticker, (select count(*) from quotes) from quotes")
        self.assertEqual(running.fetchone()[1], 3000)
        run("import", f"{os.path.dirname(__file__)}/../../data/FDX.json", "--store", path)
        self.assertEqual(len(running.fetchall()), 2999)
        [(after,)] = connection.execute(count).fetchall()
        self.assertEqual(after, int(run("scan", "--count", "--store", path)))
        self.assertGreater(after, 3000)

    def test_statements_during_commits_of_another_process_see_one_commit_each(self) -> None:
        """Each commit writes its number into all rows, so a statement that saw two of them would see two numbers."""
        count, path = int(os.environ.get("QUOIN_COMMITS", "50")), f"{folder()}/committed"
        writer = """
import sys, quoindb
path, count = sys.argv[1], int(sys.argv[2])
days = [f"2018-01-{day:02}" for day in range(1, 32)]
for number in range(1, count + 1):
    with open(path + ".csv", "w") as file:
        file.write("ticker,date,close,volume\\n")
        file.writelines(f"{ticker},{day},{number},{number}\\n" for ticker in ("A", "B", "C") for day in days)
    quoindb.open(path, create=True).import_files(path + ".csv")
"""
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
        subprocess.run([sys.executable, "-c", writer, path, "1"], check=True, env=environment)
        connection = quoindb.sqlite.connect(path)
        self.addCleanup(connection.close)
        statement = """
            select count(*), min(q.close), max(q.close), sum(q.volume), (select max(close) from quotes where ticker = 'B'),
                (select value1 from quoin_aggregate('quotes', 'min(close)')), (select max(close) from quoin_bars('quotes', 'month'))
            from quotes q join quotes p on p.ticker = q.ticker and p.date = q.date and p.close = q.close"""
        seen, asked = [], 0
        with subprocess.Popen([sys.executable, "-c", writer, path, str(count)], env=environment) as process:
            is_over = False
            while not is_over:
                is_over = process.poll() is not None
                [(rows, *numbers)] = connection.execute(statement).fetchall()
                number = numbers[0]
                self.assertEqual((rows, numbers), (93, [number, number, 93 * number, number, number, number]))
                seen.append(number)
                asked += 1
        self.assertEqual(process.returncode, 0)
        self.assertEqual(seen[-1], count)
        print(f"{count} commits, {asked} statements, which saw {len(set(seen))} of them", flush=True)
        self.assertGreater(len(set(seen)), 5)

    def test_lists_and_conditions_may_be_long(self) -> None:
        """What is too long for a condition of the store's is left to SQLite."""
        self.connection.execute("create temp table copied as select * from quotes")
        self.addCleanup(self.connection.execute, "drop table copied")
        listed = [f"{column} in (select {column} from copied order by rowid * 7919 % 104729 limit {count})" for column in ("ticker", "date", "close") for count in (499, 502, 6000)]
        for condition in [*listed, " and ".join(f"close != {i}.25" for i in range(900)), " or ".join(f"volume = {i}" for i in range(900))]:
            for where in (condition, f"not ({condition})"):
                statement = f"select count(*), sum(volume) from {{}} where {where}"
                self.assertEqual(self.ask(statement.format("quotes")), self.ask(statement.format("copied")), where[:100])

    def test_the_table_is_only_read(self) -> None:
        for statement in ("delete from quotes", "update quotes set close = 1", "insert into quotes(ticker) values ('A')"):
            with self.assertRaisesRegex(sqlite3.OperationalError, "may not be modified"):
                self.ask(statement)

    def test_mistakes_are_sentences(self) -> None:
        with self.assertRaisesRegex(sqlite3.OperationalError, "quoin: .*no-store"):
            quoindb.sqlite.connect(f"{folder()}/no-store")
        for arguments in ("", "()", "('a', 'b')"):
            with self.assertRaisesRegex(sqlite3.OperationalError, "using quoin\\('quoin-store'\\)"):
                self.ask(f"create virtual table temp.wrong using quoin{arguments}")

    def test_names_may_need_quotes(self) -> None:
        path = f"{folder()}/it's a \"store\""
        os.symlink(self.path, path)
        connection = quoindb.sqlite.connect(path, table='my "quotes"')
        self.addCleanup(connection.close)
        self.assertGreater(connection.execute('select count(*) from "my ""quotes"""').fetchone()[0], 60000)

    def test_connections_of_others_dont_get_the_module(self) -> None:
        other = sqlite3.connect(":memory:")
        self.addCleanup(other.close)
        with self.assertRaisesRegex(sqlite3.OperationalError, "no such module"):
            other.execute("create virtual table quotes using quoin('store')")

    @unittest.skipUnless(hasattr(sqlite3.Connection, "enable_load_extension"), "this interpreter loads no extensions")
    def test_an_extension_is_loaded_where_sqlites_functions_are_hidden(self) -> None:
        with mock.patch("quoindb.sqlite.ctypes.CDLL", return_value=object()):
            connection = quoindb.sqlite.connect(self.path)
        self.addCleanup(connection.close)
        self.assertEqual(connection.execute("select quoin_version()").fetchone(), (quoindb.__version__,))


if __name__ == "__main__":
    unittest.main()
