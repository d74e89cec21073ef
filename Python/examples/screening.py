# %% [markdown]
# # Screening with Quoin
# Questions that screen a market, asked in Quoin's language and answered as tables. The store is that of the repository's README:
# `quoin import data/FDX.json data/wiki-sample.csv`.

# %%
import quoindb

store = quoindb.open("quoin-store")
store.tickers()

# %% [markdown]
# A scan shows its first rows, and is read when somebody asks for them. Days that closed more than 3 % higher, on
# half as much again as the usual volume:

# %%
jumps = store.scan(
    where="change(close) > 3% and volume > 1.5 * mean(prev(volume), 20)",
    columns={"ticker": "ticker", "date": "date", "close": "close", "gain": "change(close)", "times": "volume / mean(prev(volume), 20)"},
)
jumps

# %% [markdown]
# How were they found?

# %%
print(jumps.explain())

# %% [markdown]
# The three best tickers of the last day, by their gain of half a year:

# %%
best = store.scan(
    where="rank(close / prev(close, 126) desc by day) <= 3",
    columns="ticker, date, close, close / prev(close, 126) - 1 as gain",
    start="2018-03-27",
)
best.to_pandas().sort_values("gain", ascending=False)

# %% [markdown]
# Breadth: how many tickers stand above their average of 200 days, month by month?

# %%
breadth = store.aggregate({"days": "count", "above": "share(close > mean(close, 200))"}, by=["month", "all"], start="2017-10-01")
breadth

# %% [markdown]
# The same rows as Polars' lazy frame. Filters and columns go down to the scan.

# %%
import polars as pl

(
    store.lazy()
    .filter(pl.col("close").is_between(80, 90), pl.col("ticker").is_in(["MSFT", "FDX"]))
    .group_by("ticker")
    .agg(pl.len().alias("days"), pl.col("volume").mean().round().alias("volume"))
    .sort("ticker")
    .collect()
)
