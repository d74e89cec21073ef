"""Qlib's Alpha158 on a store has the features of Qlib on its binary files, bit for bit: check.py STORE FOLDER"""

from __future__ import annotations

import sys
import warnings
from pathlib import Path

import numpy
import pandas

import quoindb
import quoindb.qlib
import qlib

warnings.filterwarnings("ignore")


def alpha158() -> pandas.DataFrame:
    from qlib.contrib.data.handler import Alpha158

    handler = Alpha158(instruments="all", start_time="2008-01-01", end_time="2018-03-27", infer_processors=[], learn_processors=[])
    return handler.fetch(col_set=["feature", "label"])


def write_binary_files(store: quoindb.Store, folder: Path) -> None:
    """Qlib's format: the days, each ticker's span, and for each field a place and then float32 values."""
    for name in ("calendars", "instruments"):
        (folder / name).mkdir(parents=True)
    days = store.aggregate("count", "day").to_numpy()["day"]
    (folder / "calendars/day.txt").write_text("".join(f"{day}\n" for day in days))
    spans = []
    for ticker in store.tickers():
        columns = {"date": "date", **{f"q_{name}": expression for name, expression in quoindb.qlib.FIELDS.items()}}
        rows = store.scan(ticker, columns=columns).to_numpy()
        spans.append(f"{ticker}\t{rows['date'][0]}\t{rows['date'][-1]}\n")
        places = numpy.searchsorted(days, rows["date"])
        target = folder / "features" / ticker.lower()
        target.mkdir(parents=True)
        for name in quoindb.qlib.FIELDS:
            values = numpy.full(places[-1] - places[0] + 1, numpy.nan)
            values[places - places[0]] = rows[f"q_{name}"]
            numpy.hstack([places[0], values]).astype("<f").tofile(target / f"{name}.day.bin")
    (folder / "instruments/all.txt").write_text("".join(spans))


def main(path: str, folder: Path) -> None:
    quoindb.qlib.init(path)
    found = alpha158()
    write_binary_files(quoindb.open(path), folder)
    qlib.init(provider_uri=str(folder))
    expected = alpha158()
    pandas.testing.assert_frame_equal(found, expected, check_exact=True)
    assert found.shape[0] > 3000 and found.shape[1] == 159, found.shape
    assert 0 < found.isna().to_numpy().mean() < 0.5

    from qlib.data import D

    quoindb.qlib.init(path, markets={"two": ["KO", "FDX"]}, fields={"width": "high / low - 1"})
    assert sorted(D.list_instruments(D.instruments("two"), as_list=True)) == ["FDX", "KO"]
    rows = D.features(["KO"], ["$width", "$split_ratio"], "2018-03-26", "2018-03-27")
    plain = quoindb.open(path).scan("KO", start="2018-03-26", columns={"w": "high / low - 1"}).to_numpy()["w"].astype("float32")
    assert rows["$width"].tolist() == plain.tolist() and rows["$split_ratio"].tolist() == [1, 1]
    assert len(D.features(["NOPE"], ["$close"])) == 0
    for mistake, sentence in [(lambda: D.list_instruments(D.instruments("nope")), "no market 'nope', but 'all', 'two'"),
                              (lambda: D.features(["KO"], ["$nope"]), "unknown attribute 'nope'"),
                              (lambda: D.calendar(freq="1min"), "a store has quotes of days")]:
        try:
            mistake()
        except Exception as error:
            assert sentence in str(error), error
        else:
            raise AssertionError(f"no error: {sentence}")
    print(f"Qlib: Alpha158 on a store has the {found.size:,} values that it has on binary files, bit for bit.")


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]))
