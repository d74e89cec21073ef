"""Asks a store by SQLite and its exported rows in DuckDB the same random statements: differential.py [COUNT].

QUOIN_SEED is another sequence, QUOIN the command. Statements say only what both languages mean alike: where nulls come in an order,
numbers in a form that both read as float64, and no numbers for texts.
"""

from __future__ import annotations

import math
import os
import random
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import duckdb
import quoindb.sqlite

ROOT = Path(__file__).resolve().parents[2]
COMMAND = os.environ.get("QUOIN", str(ROOT / ".build/release/quoin"))
TEXTS = ["ticker", "date"]
PRICES = ["open", "high", "low", "close", "ex_dividend", "split_ratio", "adj_open", "adj_high", "adj_low", "adj_close", "adj_volume"]
COLUMNS = [*TEXTS, *PRICES[:4], "volume", *PRICES[4:]]


class Statements:
    """Random statements on the tables quotes and portfolio."""

    def __init__(self, choose: random.Random, rows: list[tuple[Any, ...]]) -> None:
        self.choose, self.rows = choose, rows

    def column(self) -> str:
        return self.choose.choice(COLUMNS if self.choose.random() < 0.5 else [*TEXTS, "close", "high", "volume"])

    def cell(self, column: str) -> Any:
        return self.choose.choice(self.rows)[COLUMNS.index(column)]

    def value(self, column: str) -> str:
        """A value to compare a column with: one of its own, or one near it."""
        choose, cell = self.choose, self.cell(column)
        if cell is None or choose.random() < 0.03:
            return "null"
        if column == "date":
            return repr(choose.choice([cell, cell, cell[:4], cell[:7], cell + "x", "2017-02-30", ""]))
        if column == "ticker":
            return repr(choose.choice([cell, cell, cell[:1], cell.lower(), cell + "Z", ""]))
        if column == "volume":
            return str(choose.choice([cell, cell, cell + 1, cell // 2, 0, -1]))
        number = choose.choice([cell, cell, cell * 1.01, cell - 0.005, math.nextafter(cell, math.inf), float(round(cell)), 0.0, -1e300])
        text = repr(number)
        return text if "e" in text else text + "e0"

    def condition(self, t: str, depth: int = 0) -> str:
        """A condition on the columns of the table that is called `t`."""
        choose, kind = self.choose, self.choose.random()
        if depth < 3 and kind < 0.42:
            return "(" + choose.choice([" and ", " and ", " or "]).join(self.condition(t, depth + 1) for _ in range(choose.randint(2, 3))) + ")"
        if depth < 3 and kind < 0.48:
            return f"not ({self.condition(t, depth + 1)})"
        column = self.column()
        name, no = f"{t}.{column}", choose.choice(["", "", "not "])
        kind = choose.randint(0, 10)
        if kind == 0:
            return f"{name} is {no}null"
        if kind == 1:
            return f"{name} {no}between {self.value(column)} and {self.value(column)}"
        if kind <= 3:
            return f"{name} {no}in ({', '.join(self.value(column) for _ in range(choose.randint(1, 6)))})"
        if kind == 4:
            column, held = choose.choice([("ticker", "ticker"), ("date", "day"), ("close", "price")])
            return f"{t}.{column} {no}in (select p.{held} from portfolio p where p.price {choose.choice('<>')} {self.value('close')})"
        if kind == 5:
            return f"{no}exists (select 1 from portfolio p where p.ticker = {t}.ticker and p.day {choose.choice(['=', '>=', '<'])} {t}.date)"
        if kind == 6:
            inner = choose.choice(["max", "min", "avg"])
            return f"{t}.close {choose.choice(['<', '>='])} (select {inner}(i.close) from quotes i where i.ticker = {choose.choice([t + '.ticker', self.value('ticker')])} and i.date <= {self.value('date')})"
        if kind == 7:
            return choose.choice([f"{t}.ticker glob '{self.cell('ticker')[:1]}*'", f"{t}.date like '{self.cell('date')[:6]}%'"])
        if kind == 8:
            return f"{name} is {no}distinct from {self.value(column)}"
        if kind == 9:
            return f"{t}.{choose.choice(PRICES)} {choose.choice(['<', '>', '<=', '=', '!='])} {t}.{choose.choice(PRICES)}"
        return f"{name} {choose.choice(['<', '<=', '>', '>=', '=', '=', '!='])} {self.value(column)}"

    def where(self, t: str = "q") -> str:
        return f" where {self.condition(t)}" if self.choose.random() < 0.93 else ""

    def order(self) -> str:
        """An order that leaves nothing open."""
        choose = self.choose
        a, b = choose.choice(["", " desc"]), choose.choice(["", " desc"])
        column = f"q.{choose.choice([*PRICES, 'volume'])}{b} nulls {choose.choice(['first', 'last'])}"
        return " order by " + choose.choice([f"q.ticker{a}, q.date{b}", f"q.ticker{a}, q.date{b}", f"q.date{b}, q.ticker{a}", f"{column}, q.ticker, q.date", f"q.ticker{a}, {column}, q.date"])

    def limit(self) -> str:
        choose = self.choose
        return f" limit {choose.choice([0, 1, 2, 7, 50, 3000])}" + (f" offset {choose.choice([0, 1, 5, 100])}" if choose.random() < 0.5 else "")

    def statement(self) -> tuple[str, bool]:
        """A statement, and whether its rows have an order."""
        choose, kind = self.choose, self.choose.randint(0, 11)
        names = ", ".join(f"q.{name}" for name in choose.sample(COLUMNS, choose.randint(1, 6)))
        if kind <= 2:
            return f"select q.ticker, q.date, {names} from quotes q{self.where()}{self.order()}{self.limit() if choose.random() < 0.7 else ''}", True
        if kind == 3:
            return f"select {names} from quotes q{self.where()}", False
        if kind == 4:
            column = choose.choice([*PRICES, "volume"])
            return f"select count(*), count(q.{column}), count(distinct q.{column}), min(q.{column}), max(q.{column}), sum(q.{column}), avg(q.{column}), min(q.date), max(q.ticker) from quotes q{self.where()}", False
        if kind <= 6:
            keys = choose.choice(["q.ticker", "substr(q.date, 1, 4)", "q.ticker, substr(q.date, 1, 7)", "q.ticker, q.date", "q.date", "q.split_ratio"])
            return f"select {keys}, count(*), max(q.close), sum(q.volume), avg(q.adj_close) from quotes q{self.where()} group by {keys} having count(*) > {choose.randint(0, 3)}", False
        if kind == 7:
            return f"select distinct {choose.choice(['q.ticker', 'q.split_ratio', 'q.ticker, q.ex_dividend', 'q.date'])} from quotes q{self.where()}", False
        if kind == 8:
            on = choose.choice(["q.ticker = p.ticker and q.date = p.day", "q.ticker = p.ticker and q.close > p.price", "q.date = p.day", "q.close = p.price"])
            return f"select p.number, {names} from portfolio p {choose.choice(['join', 'left join', 'left join'])} quotes q on {on}{self.where()}", False
        if kind == 9:
            return f"select a.ticker, a.date, b.date, b.close from quotes a join quotes b on a.ticker = b.ticker and b.date = substr(a.date, 1, 8) || '15' where {self.condition('a', 1)} and {self.condition('b', 2)}", False
        if kind == 10:
            inner = f"select ticker, substr(date, 1, 4) as year, max(close) as top, count(*) as days from quotes q{self.where()} group by ticker, substr(date, 1, 4)"
            return f"with y as ({inner}) select q.ticker, q.date, y.top, y.days from quotes q join y on y.ticker = q.ticker and y.year = substr(q.date, 1, 4) and q.close = y.top", False
        kind_of_set = choose.choice(["union", "union all", "except", "intersect"])
        return f"select q.ticker, q.date, q.close from quotes q where {self.condition('q', 1)} {kind_of_set} select q.ticker, q.date, q.close from quotes q where {self.condition('q', 1)} order by 1, 2, 3{self.limit()}", True


def are_same(a: Any, b: Any) -> bool:
    """Whether cells are equal: a sum in another order may differ in its last digits."""
    if isinstance(a, float) or isinstance(b, float):
        return a == b or isinstance(a, (int, float)) and isinstance(b, (int, float)) and math.isclose(a, b, rel_tol=1e-12)
    return bool(a == b)


def key(row: tuple[Any, ...]) -> str:
    # Zeros are equal, and a sum's last digits may differ.
    return repr([f"{cell + 0.0:.9e}" if isinstance(cell, (int, float)) else cell for cell in row])


def are_equal(ours: list[Any], theirs: list[Any], is_ordered: bool) -> bool:
    if not is_ordered:
        ours, theirs = sorted(ours, key=key), sorted(theirs, key=key)
    return len(ours) == len(theirs) and all(len(x) == len(y) and all(map(are_same, x, y)) for x, y in zip(ours, theirs))


def run(*arguments: str) -> None:
    subprocess.run([COMMAND, *arguments], check=True, stdout=subprocess.DEVNULL)


def main() -> None:
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 300
    seed = int(os.environ.get("QUOIN_SEED", "1"))
    choose = random.Random(seed)
    with tempfile.TemporaryDirectory() as folder:
        store, exported = f"{folder}/store", f"{folder}/rows.csv"
        run("generate", "--tickers", "12", "--rows", "2500", "--store", store)
        run("import", str(ROOT / "data/wiki-sample.csv"), str(ROOT / "Tests/PythonClients/gaps.csv"), "--store", store)
        run("export", "--store", store, "--output", exported)
        ours, theirs = quoindb.sqlite.connect(store), duckdb.connect(config={"threads": 1})
        types = {name: "varchar" if name in TEXTS else "bigint" if name == "volume" else "double" for name in COLUMNS}
        theirs.execute(f"create table quotes as select * from read_csv('{exported}', header = true, columns = {types}, auto_detect = false)")
        rows = theirs.execute("select * from quotes order by ticker, date").fetchall()
        if rows != ours.execute("select * from quotes order by ticker, date").fetchall() or len(rows) < 4000:
            sys.exit(f"the {len(rows)} rows differ")
        held = [(number, row[0], row[1], row[5]) for number, row in enumerate(choose.sample(rows, 40))]
        for connection in (ours, theirs):
            connection.execute("create temp table portfolio(number integer, ticker varchar, day varchar, price double)")
            connection.executemany("insert into portfolio values (?, ?, ?, ?)", [*held, (98, "NONE", "2017-01-01", 1.5), (99, None, None, None)])
        statements, found, differences = Statements(choose, rows), 0, 0
        for _ in range(count):
            statement, is_ordered = statements.statement()
            a, b = ours.execute(statement).fetchall(), theirs.execute(statement).fetchall()
            found += len(b) > 0
            if not are_equal(a, b, is_ordered):
                differences += 1
                print(f"differs, {len(a)} rows and {len(b)}: {statement}", a[:3], b[:3], sep="\n")
        ours.close()
        print(f"QUOIN_SEED={seed}: {count} statements, {found} with rows, {differences} differences to DuckDB {duckdb.__version__}", flush=True)
        if differences > 0 or found < count // 3:
            sys.exit(1)


if __name__ == "__main__":
    main()
