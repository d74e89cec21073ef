# %% [markdown]
# # Quoin and Ray Data
# Each task scans some tickers of the store, and its rows go to Ray as they are, as Arrow data. On a cluster the path has to be there on every node.

# %%
import ray

import quoindb

scan = quoindb.open("quoin-store").scan(columns="ticker, date, close, change(close) as r", where="volume > 1e6", dictionary=False)


@ray.remote
def read(part: quoindb.Scan):
    """A part of the rows."""
    return part.to_arrow()


# %%
rows = ray.data.from_arrow_refs([read.remote(part) for part in scan.partitions(4)])
print(rows.count())
print(rows.groupby("ticker").mean("close").sort("ticker").to_pandas().to_string())
