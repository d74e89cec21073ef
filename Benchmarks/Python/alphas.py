#!/usr/bin/env python3
"""Times the alphas of Examples/alphas101.txt one by one, as columns, in the Python package and in Polars, and compares the values.

    Benchmarks/Python/alphas.py --rows 2000000

`make bench-alphas` builds the wheel, installs it beside Polars in .build/embedding, and runs this. Polars computes the formulas as the paper
prints them (Kakushadze, "101 Formulaic Alphas"), series by series, each part of a formula once; those with a function that it has no
fast form of (argmax, argmin, product) are left out and counted. Each engine is asked in processes of its own, with one thread and with
two. The table goes into Benchmarks/Records. Ends with 1 when more than one row in 25 of an alpha differs by more than 2 %: ranks and
comparisons may hang on the last bits, and Polars divides by a number by multiplying with its reciprocal, which isn't the same.
"""

from __future__ import annotations

import math
import re
import statistics

from run import ROOT, WORK, geometric_mean, made_store, measure, run, times, write_comparison

REST = 0.04
CLOSE = 0.02
# Ranks of what is equal but for rounding: correlations of two rows (1 or -1), covariances of ranks that stand still, means of truths, and
# how far the mean of high, low and close lies from the close: by 0 where the three are equal, unless it is a third times their sum.
TIES = {"alpha5", "alpha11", "alpha13", "alpha16", "alpha42", "alpha45", "alpha92"}


def alphas():
    """The name of each alpha, the language's text and the paper's."""
    ours = [line.rsplit(" as ", 1) for line in (ROOT / "Examples/alphas101.txt").read_text().splitlines()]
    paper = [line.split(": ", 1) for line in (ROOT / "Tests/QuoinTests/Fixtures/alphas101.txt").read_text().splitlines()]
    assert [name for _, name in ours] == [f"alpha{number}" for number, _ in paper]
    return [(name, text, formula) for (text, name), (_, formula) in zip(ours, paper)]


class Unknown(Exception):
    """A function that Polars has no fast form of."""


class Formulas:
    """Reads the paper's formulas, and computes them of a frame that is sorted by ticker and day."""

    SIGNS = [["||"], ["<", "=="], ["+", "-"], ["*", "/"]]

    def __init__(self, pl, frame):
        self.pl, self.frame, self.known = pl, frame, {}
        self.columns = {name: frame[name] for name in ("open", "high", "low", "close", "volume")}
        self.row, self.day = frame["row"], frame["date"]

    def values(self, text):
        self.known = {}
        self.words = re.findall(r"[\d.]+|[a-z_]\w*|\|\||==|.", text.lower().replace(" ", ""))
        self.place = 0
        tree = self.choice()
        assert self.place == len(self.words), text
        return self.value(tree)

    # Reading: `? :` binds least, then the signs, then a minus before a value, then `^`.

    def take(self, word):
        if self.place == len(self.words) or self.words[self.place] != word:
            return False
        self.place += 1
        return True

    def choice(self):
        condition = self.chain(0)
        if not self.take("?"):
            return condition
        first = self.choice()
        assert self.take(":")
        return "?", condition, first, self.choice()

    def chain(self, level):
        if level == len(self.SIGNS):
            return self.signed()
        tree = self.chain(level + 1)
        while self.place < len(self.words) and self.words[self.place] in self.SIGNS[level]:
            sign = self.words[self.place]
            self.place += 1
            tree = sign, tree, self.chain(level + 1)
        return tree

    def signed(self):
        if self.take("-"):
            return "-", 0.0, self.signed()
        base = self.atom()
        return ("^", base, self.signed()) if self.take("^") else base

    def atom(self):
        if self.take("("):
            tree = self.choice()
            assert self.take(")")
            return tree
        name = self.words[self.place]
        self.place += 1
        if name[0].isdigit() or name[0] == ".":
            return float(name)
        if not self.take("("):
            return name
        parts = [self.choice()]
        while self.take(","):
            parts.append(self.choice())
        assert self.take(")")
        return (name, *parts)

    # Computing.

    def value(self, tree):
        if isinstance(tree, float):
            return tree
        if tree not in self.known:
            self.known[tree] = self.named(tree) if isinstance(tree, str) else self.call(*tree)
        return self.known[tree]

    def named(self, name):
        if name in self.columns:
            return self.columns[name]
        if name == "returns":
            return self.value(("-", ("/", "close", ("delay", "close", 1.0)), 1.0))
        if name == "vwap":
            return self.value(("/", ("+", ("+", "high", "low"), "close"), 3.0))
        return self.window("mean", int(name[3:]), self.value(("*", "close", "volume")))

    def made(self, expression, **series):
        """A series of an expression on some; what isn't finite is missing."""
        value = self.pl.DataFrame(series).select(expression.alias("value"))["value"]
        return value.replace([math.inf, -math.inf], None).fill_nan(None) if value.dtype.is_float() else value

    def window(self, function, count, *series):
        """Of the values that the last rows have, in which some may be missing."""
        pl, x, y = self.pl, self.pl.col("x"), self.pl.col("y")
        present = x.is_not_null().cast(pl.Float64)
        weights = [float(each + 1) for each in range(count)]
        # Of two series, the rows that both have.
        a, b = pl.when(y.is_not_null()).then(x), pl.when(x.is_not_null()).then(y)
        expression = {
            "mean": lambda: x.rolling_mean(count, min_samples=1), "sum": lambda: x.rolling_sum(count, min_samples=1),
            "min": lambda: x.rolling_min(count, min_samples=1), "max": lambda: x.rolling_max(count, min_samples=1),
            "std": lambda: x.rolling_std(count, min_samples=2),
            "rank": lambda: x.rolling_rank(count, min_samples=1) / present.rolling_sum(count),
            "wmean": lambda: x.fill_null(0).rolling_sum(count, weights=weights) / present.rolling_sum(count, weights=weights),
            "corr": lambda: pl.rolling_corr(a, b, window_size=count, min_samples=2),
            "cov": lambda: pl.rolling_cov(a, b, window_size=count, min_samples=2),
        }[function]()
        expression = pl.when(pl.col("row") >= count - 1).then(expression)
        return self.made(expression, row=self.row, **dict(zip("xy", series)))

    def call(self, name, *parts):
        pl = self.pl
        windows = {"sum": "sum", "stddev": "std", "ts_min": "min", "ts_max": "max", "ts_rank": "rank", "decay_linear": "wmean",
                   "correlation": "corr", "covariance": "cov"}
        if name in ("min", "max") and isinstance(parts[1], float):
            name = f"ts_{name}"
        if name in ("product", "ts_argmax", "ts_argmin"):
            raise Unknown(name)
        if name in windows:
            return self.window(windows[name], int(parts[-1]), *[self.value(part) for part in parts[:-1]])
        x, *rest = [self.value(part) for part in parts]
        a, b = pl.col("a"), pl.col("b")
        if name in ("delay", "delta"):
            count = int(rest[0])
            before = pl.when(pl.col("row") >= count).then(a.shift(count))
            return self.made(before if name == "delay" else a - before, row=self.row, a=x)
        if name == "rank":
            return self.made((a.rank("average") / a.count()).over("day"), day=self.day, a=x)
        if name == "scale":
            return self.made(a / a.abs().sum().over("day"), day=self.day, a=x)
        known, terms = {}, []
        for letter, value in zip("abc", [x, *rest]):
            if isinstance(value, float):
                terms.append(pl.lit(value))
            else:
                known[letter] = value
                terms.append(pl.col(letter))
        a, b = terms[0], terms[-1]
        expression = {
            "+": lambda: a + b, "-": lambda: a - b, "*": lambda: a * b, "/": lambda: a / b, "^": lambda: a.pow(b), "signedpower": lambda: a.pow(b),
            "abs": a.abs, "log": a.log, "sign": a.sign, "min": lambda: pl.when(a < b).then(a).when(b <= a).then(b),
            "max": lambda: pl.when(a > b).then(a).when(b >= a).then(b), "<": lambda: (a < b).cast(pl.Float64), "==": lambda: (a == b).cast(pl.Float64),
            "||": lambda: pl.when((a == 1) | (b == 1)).then(1.0).when(a.is_not_null() & b.is_not_null()).then(0.0),
            "?": lambda: pl.when(a == 1).then(terms[1]).when(a.is_not_null()).then(b),
        }[name]()
        return self.made(expression, **known) if known else float(pl.select(expression).item())


def file(name):
    return WORK / "alphas" / f"{name}.npy"


def quoin_times(store, threads):
    import numpy
    import quoindb

    opened, found = quoindb.open(store), {}
    for name, text, _ in alphas():
        found[name], values = times(lambda: opened.scan(columns={"value": text}, threads=threads).to_numpy()["value"], 3)
        numpy.save(file(name), values.astype("f4"))
    return found


def polars_times(store):
    import numpy
    import polars as pl
    import quoindb

    frame = quoindb.open(store).scan(columns="ticker, date, open, high, low, close, volume").to_polars()
    frame = frame.with_columns(pl.col("volume").cast(pl.Float64), row=pl.int_range(pl.len(), dtype=pl.UInt32).over("ticker")).rechunk()
    formulas, found = Formulas(pl, frame), {}
    for name, _, text in alphas():
        try:
            seconds, values = times(lambda: formulas.values(text), 3)
        except Unknown:
            continue
        theirs, ours = values.cast(pl.Float64).fill_null(math.nan).to_numpy(), numpy.load(file(name)).astype("f8")
        both = ~numpy.isnan(theirs) & ~numpy.isnan(ours)
        differs = abs(theirs - ours)[both] > CLOSE * numpy.maximum(CLOSE, abs(ours[both]))
        # Windows in which some values are missing have a value in one of the two; those begin a ticker.
        found[name] = seconds, float(differs.mean()), float(both.mean())
    return found


STEPS = {step.__name__: step for step in (quoin_times, polars_times)}


def main(rows):
    import polars

    (WORK / "alphas").mkdir(parents=True, exist_ok=True)
    store = made_store(rows)
    found = {threads: (measure("quoin_times", store, threads), measure("polars_times", store, environment={"POLARS_MAX_THREADS": str(threads)}))
             for threads in (1, 2)}
    wrong, lines, ratios, totals = [], [], {1: [], 2: []}, {1: [0.0, 0.0], 2: [0.0, 0.0]}
    for name, _, _ in alphas():
        cells = []
        for threads, (ours, theirs) in found.items():
            mine = statistics.median(ours[name]) * 1000
            if name not in theirs:
                cells += [f"{mine:.0f}", "", ""]
                continue
            peer, difference, share = statistics.median(theirs[name][0]) * 1000, *theirs[name][1:]
            if difference > REST and name not in TIES or share < 0.5:
                wrong.append(f"{name}: {difference:.2%} of {share:.0%} of the rows differ")
            ratios[threads].append(peer / mine)
            totals[threads] = [totals[threads][0] + mine / 1000, totals[threads][1] + peer / 1000]
            cells += [f"{mine:.0f}", f"{peer:.0f}", f"{peer / mine:.2f}"]
        lines.append(f"| {name} | {' | '.join(cells)} |")
        print(lines[-1], flush=True)
    means = [geometric_mean(each) for each in ratios.values()]
    behind = [sum(ratio < 1 for ratio in each) for each in ratios.values()]
    summary = (f"Of {len(ratios[1])} alphas that both compute, Polars takes {means[0]:.2f} times as long with one thread and {means[1]:.2f} times with two (geometric "
               f"means), and is ahead in {behind[0]} and {behind[1]}. All of them: {totals[1][0]:.1f} s and {totals[1][1]:.1f} s with one thread, "
               f"{totals[2][0]:.1f} s and {totals[2][1]:.1f} s with two.")
    print(summary)
    write_comparison(
        "alphas", "Alphas, as columns", f"{rows:,} rows, Polars {polars.__version__} with its columns in memory. Medians in ms", ["alpha"], lines, summary, wrong)
    return 1 if wrong else 0


if __name__ == "__main__":
    run(__doc__, STEPS, main)
