"""The aggregates that SQL gets from Quoin are as defined, as groups and as windows."""

from __future__ import annotations

import math
import sqlite3
import statistics
import unittest
from collections.abc import Sequence
from fractions import Fraction

import quoindb._native
import quoindb.sqlite
from support import ConnectionTests, seeded

Pair = tuple["float | None", "float | None"]


def products(a: Sequence[Fraction], b: Sequence[Fraction]) -> Fraction:
    """The sum of the products of the deviations, exactly."""
    return sum((x * y for x, y in zip(a, b)), Fraction()) - sum(a, Fraction()) * sum(b, Fraction()) / len(a)


def moments(pairs: Sequence[Pair]) -> list[float | None]:
    """Variance, standard deviation, covariance, correlation, slope and r2, straight from their definitions."""
    x = [Fraction(a) for a, _ in pairs if a is not None]
    both = [(Fraction(a), Fraction(b)) for a, b in pairs if a is not None and b is not None]
    variance = float(products(x, x) / (len(x) - 1)) if len(x) > 1 else None
    answers = [variance, None if variance is None else math.sqrt(variance)]
    if len(both) < 2:
        return [*answers, None, None, None, None]
    a, b = ([pair[i] for pair in both] for i in (0, 1))
    xy, xx, yy = products(a, b), products(a, a), products(b, b)
    r2 = float(xy * xy / (xx * yy)) if xx > 0 and yy > 0 else None
    r = None if r2 is None else math.copysign(math.sqrt(r2), xy)
    return [*answers, float(xy / (len(both) - 1)), r, float(xy / yy) if yy > 0 else None, r2]


def quantile(values: Sequence[float | None], share: float) -> float | None:
    ordered = sorted(value for value in values if value is not None)
    if not ordered:
        return None
    at = share * (len(ordered) - 1)
    low, high = ordered[math.floor(at)], ordered[math.ceil(at)]
    return low + (high - low) * (at - math.floor(at))


COLUMNS = "variance(x), stddev(x), covar_samp(x, y), corr(x, y), regr_slope(x, y), regr_r2(x, y), median(x), quantile(x, 0.9)"


class StatisticsTests(ConnectionTests):
    def assertAbout(self, ours: Sequence[float | None], theirs: Sequence[float | None], told: object) -> None:
        self.assertEqual(len(ours), len(theirs))
        for a, b in zip(ours, theirs):
            same = a is None and b is None or a is not None and b is not None and math.isclose(a, b, rel_tol=1e-9, abs_tol=1e-12)
            self.assertTrue(same, f"{ours} and {theirs} of {told}")

    def test_random_groups_and_windows_are_as_defined(self) -> None:
        generator = seeded(self.id())
        for kind in range(60):
            pool: list[float | None] = [None, 0.0, -0.0, 1.5, 7.25, 1e9, 1e9 + 0.5, -3.0]
            some = pool[:generator.randint(2, len(pool))]
            pairs = [(generator.choice(some), generator.choice(some)) if kind % 2 else (generator.gauss(50, 1), generator.gauss(1e6, 3)) for _ in range(generator.randint(1, 80))]
            self.ask("drop table if exists temp.pairs")
            self.ask("create temp table pairs(place, x real, y real)")
            self.connection.executemany("insert into pairs values (?, ?, ?)", [(i, *pair) for i, pair in enumerate(pairs)])
            values = [x for x, _ in pairs]
            self.assertAbout(self.ask(f"select {COLUMNS} from pairs")[0], [*moments(pairs), quantile(values, 0.5), quantile(values, 0.9)], pairs)
            rows = generator.randint(0, 20)
            over = ", ".join(f"{column} over w" for column in COLUMNS.replace("), ", ");").split(";"))
            answers = self.ask(f"select {over} from pairs window w as (order by place rows between {rows} preceding and current row)")
            for i, answer in enumerate(answers):
                part = pairs[max(0, i - rows):i + 1]
                x = [value for value, _ in part]
                self.assertAbout(answer, [*moments(part), quantile(x, 0.5), quantile(x, 0.9)], part)

    def test_values_that_do_not_vary_deviate_by_nothing(self) -> None:
        rows = self.ask("select stddev(x) over (order by i rows 2 preceding), corr(x, x) over (order by i rows 2 preceding) from (select 1 as i, 1e15 as x union all select 2, 0.1 union all select 3, 0.1 union all select 4, 0.1)")
        self.assertEqual(rows[3], (0.0, None))

    def test_quotes_of_the_store(self) -> None:
        values = [row[0] for row in self.ask("select close from quotes where ticker = 'FDX'")]
        ours = self.ask("select median(close), stddev(close), std(close), quantile(close, 0.25) from quotes where ticker = 'FDX'")[0]
        deviation = statistics.stdev(value for value in values if value is not None)
        self.assertAbout(ours, [quantile(values, 0.5), deviation, deviation, quantile(values, 0.25)], "FDX")

    def test_the_first_day_of_a_period(self) -> None:
        expected = ("2024-02-29", "2024-02-26", "2024-02-01", "2024-01-01", "2024-01-01", "1969-12-29", None, None, None)
        periods = ", ".join(f"date_trunc('{period}', '2024-02-29')" for period in ("day", "Week", "month", "quarter", "year"))
        self.assertEqual(self.ask(f"select {periods}, date_trunc('week', '1969-12-31'), date_trunc('day', '2023-02-29'), date_trunc('day', 'soon'), date_trunc('day', null)")[0], expected)
        months = self.ask("select date_trunc('month', date), count(*) from quotes where ticker = 'FDX' group by 1 order by 1")
        self.assertEqual(months, self.ask("select substr(date, 1, 7) || '-01', count(*) from quotes where ticker = 'FDX' group by 1 order by 1"))

    def test_what_has_no_answer_is_refused_with_a_sentence(self) -> None:
        for statement, sentence in [
            ("select median(ticker) from quotes", "is not a number"),
            ("select corr(close, date) from quotes", "is not a number"),
            ("select quantile(close, 2) from quotes", "quantile(close, 0.9)"),
            ("select date_trunc('fortnight', date) from quotes", "day, week, month, quarter or year"),
        ]:
            with self.assertRaisesRegex(sqlite3.Error, sentence.replace("(", r"\(").replace(")", r"\)")):
                self.ask(statement)

    def test_a_program_keeps_its_own_functions(self) -> None:
        class Own:
            def step(self, value: object) -> None: ...

            def finalize(self) -> str:
                return "own"

        connection = sqlite3.connect(":memory:")
        self.addCleanup(connection.close)
        if not hasattr(connection, "enable_load_extension"):
            self.skipTest("this interpreter loads no extensions")
        connection.create_aggregate("median", 1, Own)  # type: ignore[arg-type]
        connection.enable_load_extension(True)
        connection.load_extension(quoindb._native.library_path())
        self.assertEqual(connection.execute("select median(1), var(x) from (select 1 as x union all select 3)").fetchone(), ("own", 2.0))

    def test_a_name_in_double_quotes_is_a_name(self) -> None:
        by_name = self.ask("select count(*), sum(ex_dividend) from quotes where ex_dividend > 0")
        self.assertGreater(by_name[0][0], 0)
        self.assertEqual(self.ask('select count(*), sum("ex-dividend") from quotes where "ex-dividend" > 0'), by_name)
        bars = self.ask("select ticker, date, ex_dividend from quoin_bars('quotes', 'week') where ex_dividend > 0")
        self.assertEqual(self.ask("select ticker, date, \"ex-dividend\" from quoin_bars('quotes', 'week') where \"ex-dividend\" > 0"), bars)
        self.assertGreater(len(bars), 0)
        names = [column[0] for column in self.connection.execute("select * from quotes limit 1").description]
        self.assertEqual(names.count("ex_dividend"), 1)
        self.assertNotIn("ex-dividend", names)
        with self.assertRaisesRegex(sqlite3.OperationalError, "no such column: clos"):
            self.ask('select count(*) from quotes where "clos" > 0')
        with self.assertRaises(sqlite3.OperationalError):
            self.ask('select count(*) from quotes where ticker = "FDX"')


if __name__ == "__main__":
    unittest.main()
