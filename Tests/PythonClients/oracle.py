"""What the clients should answer: computed from `quoin export` by pandas, and compared bit for bit."""

import csv
import io
import struct
import zipfile

import pandas

DATASET_COLUMNS = [
    "Open", "High", "Low", "Close", "Volume", "Ex-Dividend", "Split Ratio",
    "Adj. Open", "Adj. High", "Adj. Low", "Adj. Close", "Adj. Volume",
]
TABLE_COLUMNS = [
    "ticker", "date", "open", "high", "low", "close", "volume", "ex-dividend", "split_ratio",
    "adj_open", "adj_high", "adj_low", "adj_close", "adj_volume",
]


class Market:
    """The rows of a WIKI bulk CSV."""

    def __init__(self, lines, has_header=True):
        """lines: those of the CSV, the header first if it has one."""
        reader = csv.reader(lines)
        header = next(reader) if has_header else TABLE_COLUMNS
        if header != TABLE_COLUMNS:
            raise Difference(f"the CSV's columns are {header}")
        rows = [row[:1] + [pandas.Timestamp(row[1])] + [float(cell or "nan") for cell in row[2:]] for row in reader]
        self.table = pandas.DataFrame(rows, columns=TABLE_COLUMNS)
        self.tickers = list(dict.fromkeys(self.table["ticker"]))

    @classmethod
    def of_zip(cls, path, has_header=True):
        """The one CSV in a zip."""
        with zipfile.ZipFile(path) as archive:
            (name,) = archive.namelist()
            if archive.testzip() is not None or not name.endswith(".csv"):
                raise Difference(f"{path} holds {name}, damaged or no CSV")
            return cls(io.StringIO(archive.read(name).decode("utf-8")), has_header)

    def quotes(self, ticker):
        """A ticker's quotes as the clients show them: by date, oldest first, with the titles of a dataset."""
        rows = self.table[self.table["ticker"] == ticker]
        quotes = rows[TABLE_COLUMNS[2:]].set_axis(DATASET_COLUMNS, axis="columns")
        return quotes.set_axis(pandas.DatetimeIndex(rows["date"], name="Date"), axis="index")


def collapsed(quotes, kind):
    """The last observation of each column in each period, labelled with the period's last day."""
    period = {"weekly": "W-SUN", "monthly": "M", "quarterly": "Q", "annual": "Y"}.get(kind)
    if period is None:
        return quotes
    groups = quotes.groupby(quotes.index.to_period(period)).last()
    return groups.set_axis(groups.index.end_time.normalize().rename("Date"), axis="index")


def transformed(quotes, kind):
    """The quotes, oldest first, compared with one another."""
    previous = quotes.shift(1)
    if kind == "diff":
        result = (quotes - previous).iloc[1:]
    elif kind == "rdiff":
        result = ((quotes - previous) / previous.where(previous != 0)).iloc[1:]
    elif kind == "rdiff_from":
        latest = quotes.iloc[-1]
        result = (latest - quotes) / quotes.where(quotes != 0)
        # Be it zero, it has not changed from itself.
        result.iloc[-1] = latest - latest
    elif kind == "cumul":
        result = quotes.cumsum()
    elif kind == "normalize":
        first = quotes.apply(lambda column: next((value for value in column if value == value and value != 0), None))
        result = quotes / first.astype(float) * 100
    return result.map(lambda value: float(f"{value:.13e}"))


class Difference(Exception):
    """An answer is not what it should be."""


def same(actual, expected):
    """Raises a Difference unless two frames have the same columns, labels and cells, numbers bit for bit."""
    if list(actual.columns) != list(expected.columns):
        raise Difference(f"columns {list(actual.columns)} instead of {list(expected.columns)}")
    if len(actual) != len(expected):
        raise Difference(f"{len(actual)} rows instead of {len(expected)}\n{actual}\n{expected}")
    equal(list(actual.index), list(expected.index), "labels")
    for position, name in enumerate(expected.columns):
        pairs = zip(actual.iloc[:, position], expected.iloc[:, position])
        for row, (left, right) in enumerate(pairs):
            if bits(left) != bits(right):
                raise Difference(f"{name} of {expected.index[row]}, row {row}: {left!r} instead of {right!r}")


def equal(actual, expected, what):
    if actual != expected:
        raise Difference(f"{what}: {actual} instead of {expected}")


def bits(cell):
    """A cell as something that is equal only when it is the same to the last bit; one missing cell is as another."""
    if isinstance(cell, (str, pandas.Timestamp)):
        return cell
    if cell is None or cell != cell:
        return "missing"
    return struct.pack(">d", float(cell))
