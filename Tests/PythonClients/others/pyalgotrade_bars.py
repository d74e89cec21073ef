"""PyAlgoTrade's download of Quandl's bars. Its address is in its code, so requests to it are led here."""

import importlib.metadata
import os
import tempfile

import common
import requests
from pyalgotrade.barfeed import quandlfeed
from pyalgotrade.tools import quandl

elsewhere = requests.get


def get(url, **options):
    return elsewhere(url.replace("http://www.quandl.com", common.URL), **options)


def main():
    requests.get = get
    rows = [row for row in common.by_ticker()["FDX"] if row["date"].startswith("2004")]
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "FDX-2004.csv")
        quandl.download_daily_bars("WIKI", "FDX", 2004, path, common.KEY)
        feed = quandlfeed.Feed()
        feed.addBarsFromCSV("FDX", path)
        bars = [bars["FDX"] for _, bars in feed]
    actual = [
        (f"{bar.getDateTime():%Y-%m-%d}", bar.getOpen(), bar.getHigh(), bar.getLow(), bar.getClose(), bar.getVolume(),
         bar.getAdjClose())
        for bar in bars
    ]
    names = ["open", "high", "low", "close", "volume", "adj_close"]
    common.equal(actual, [(row["date"], *(common.number(row[name]) for name in names)) for row in rows], "FDX")
    version = importlib.metadata.version("PyAlgoTrade")
    common.done(f"PyAlgoTrade {version}", "`tools.quandl`, under `/api/v1`", f"{len(rows):,} bars")


main()
