"""What the checks of other programs share: the server, the export, and comparisons.

Each check is a program: CHECK.py URL EXPORT.csv RESULTS.tsv. It adds a line to the results, or ends with status 1.
"""

import csv
import sys

URL, EXPORT, RESULTS = sys.argv[1:4]
KEY = "a-key-that-no-log-may-show"


def rows():
    """The rows of the export, as texts."""
    with open(EXPORT, encoding="utf-8", newline="") as lines:
        return list(csv.DictReader(lines))


def by_ticker():
    tickers = {}
    for row in rows():
        tickers.setdefault(row["ticker"], []).append(row)
    return tickers


def number(cell):
    """The number of a cell; None for a missing one."""
    return float(cell) if cell not in ("", None) else None


def check(holds, what):
    if not holds:
        sys.exit(f"DIFFERENT {what}")


def equal(actual, expected, what):
    check(actual == expected, f"{what}: {str(actual)[:300]} instead of {str(expected)[:300]}")


def done(program, way, compared):
    """Says what was compared and was the same."""
    print(f"ok {program}: {way}: {compared}")
    with open(RESULTS, "a", encoding="utf-8") as file:
        file.write(f"{program}\t{way}\t{compared}\n")
