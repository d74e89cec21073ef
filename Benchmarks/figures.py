"""The figures of a record, for the pages that are made of them."""

import csv
from pathlib import Path


class Figures:
    """A record's rows by query, engine and threads."""

    def __init__(self, path):
        self.path = Path(path)
        with open(path) as file:
            self.rows = list(csv.DictReader(file))
        self.by_key = {(row["query"], row["engine"], int(row["threads"])): row for row in self.rows}

    def time(self, query, engine, threads):
        """The median in milliseconds; None when there is none."""
        row = self.by_key.get((query.measured or query.name, engine, threads))
        return float(row["median_ms"]) if row and row["median_ms"] else None

    def best_peer(self, query, threads):
        times = [(self.time(query, engine, threads), engine) for engine in query.against]
        return min((time for time in times if time[0] is not None), default=(None, ""))

    def ratio(self, query, threads):
        ours, (best, _) = self.time(query, "quoin", threads), self.best_peer(query, threads)
        return best / ours if ours and best else None

    def ratios(self, query):
        return [ratio for threads in (1, 2) if (ratio := self.ratio(query, threads)) is not None]

    def speedup(self, query):
        one, two = self.time(query, "quoin", 1), self.time(query, "quoin", 2)
        return one / two if one and two else None

    def answers(self, prefix):
        """The rows of queries that begin with `prefix`, and their first answers."""
        return [(row, float(row["answer"].split()[0])) for row in self.rows if row["query"].startswith(prefix)]


def number(value):
    """Three digits."""
    return "" if value is None else f"{value:,.0f}" if value >= 100 else f"{value:.3g}"


def factor(value):
    return "" if value is None else f"{value:.3g}x" if value < 100 else f"{value:,.0f}x"


def met(values, least):
    values = [value for value in values if value is not None]
    return "" if not values else "met" if min(values) >= least else "**missed**"
