# %% [markdown]
# # Quoin and Dask
# Each worker scans some tickers of the store. A scan goes to another process by name of its store, which has to be there.

# %%
import dask.dataframe as dd

import quoindb

store = quoindb.open("quoin-store")
question = {"columns": "ticker, date, close, change(close) as r", "where": "volume > 1e6"}


def read(part: quoindb.Scan):
    """A part of the rows; every part has the same categories of tickers."""
    return part.to_pandas()


# %%
if __name__ == "__main__":
    frame = dd.from_map(read, store.scan(**question).partitions(2), meta=store.scan(**question, limit=0).to_pandas())
    sizes = frame.assign(size=frame["r"].abs()).groupby("ticker", observed=True)["size"]
    moves = sizes.mean().compute(scheduler="processes", num_workers=2)
    print(moves.sort_values(ascending=False).round(6).to_string())
