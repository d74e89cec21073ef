"""zipline's bundle of Quandl's table, ingested as `zipline ingest -b quandl` does, bar by bar against the export."""

import importlib.metadata
import os
import tempfile
import warnings

import common

os.environ["ZIPLINE_ROOT"] = tempfile.mkdtemp()
os.environ["QUANDL_API_KEY"] = common.KEY
warnings.simplefilter("ignore")

import pandas  # noqa: E402
from zipline.data import bundles  # noqa: E402
from zipline.data.bundles import quandl  # noqa: E402

COLUMNS = ["open", "high", "low", "close", "volume"]


def main():
    quandl.QUANDL_DATA_URL = common.URL + "/api/v3/datatables/WIKI/PRICES.csv?"
    # With its progress bar, which wants to know the length.
    bundles.ingest("quandl", show_progress=True)
    bundle = bundles.load("quandl")
    reader = bundle.equity_daily_bar_reader
    rows = common.by_ticker()
    assets = bundle.asset_finder.retrieve_all(bundle.asset_finder.sids)
    common.equal(sorted(asset.symbol for asset in assets), sorted(rows), "symbols")
    count = 0
    for asset in assets:
        days = {pandas.Timestamp(row["date"]): row for row in rows[asset.symbol]}
        sessions = [day for day in reader.sessions if asset.start_date <= day <= asset.end_date]
        arrays = reader.load_raw_arrays(COLUMNS, sessions[0], sessions[-1], [asset.sid])
        for index, day in enumerate(sessions):
            for column, array in zip(COLUMNS, arrays):
                value, expected = array[index][0], float((days.get(day) or {}).get(column) or "nan")
                # It keeps prices as thousandths, and no volume as 0.
                tolerance = 0.5 if column == "volume" else 0.0005000001
                same = abs(value - expected) <= tolerance or (expected != expected and (value != value or value == 0))
                common.check(same, f"{asset.symbol} {day:%Y-%m-%d} {column}: {value} instead of {expected}")
                count += 1
    common.equal(count, len(COLUMNS) * len(common.rows()), "compared values")
    version = importlib.metadata.version("zipline-reloaded")
    common.done(f"zipline-reloaded {version}", "bundle `quandl`", f"{len(assets)} symbols, {count:,} values of bars")


main()
