"""backtrader's feed of Quandl, with its parameter for another service, bar by bar against the export."""

import datetime

import backtrader
import common


class Recorder(backtrader.Strategy):
    def __init__(self):
        self.bars = []

    def next(self):
        data = self.data
        lines = (data.open, data.high, data.low, data.close, data.volume)
        self.bars.append((data.datetime.date(0).isoformat(), *(line[0] for line in lines)))


def main():
    count = 0
    market = common.by_ticker()
    for ticker in ["FDX", "AAPL"]:
        first = market[ticker][0]["date"]
        cerebro = backtrader.Cerebro()
        cerebro.addstrategy(Recorder)
        cerebro.adddata(
            backtrader.feeds.Quandl(
                dataname=ticker, baseurl=common.URL + "/api/v3/datasets", apikey=common.KEY,
                fromdate=datetime.datetime.fromisoformat(first), todate=datetime.datetime(2030, 1, 1)))
        (run,) = cerebro.run()
        columns = ["adj_open", "adj_high", "adj_low", "adj_close", "adj_volume"]
        expected = [(row["date"], *(common.number(row[name]) for name in columns)) for row in market[ticker]]
        common.equal(run.bars, expected, ticker)
        count += len(expected)
    common.done(f"backtrader {backtrader.__version__}", "`bt.feeds.Quandl(baseurl=)`", f"{count:,} adjusted bars")


main()
