# %% [markdown]
# # Factors with Quoin
# A factor is an expression. `panel` computes it in the store for each day and ticker, and gives a matrix.

# %%
import numpy as np

import quoindb

store = quoindb.open("quoin-store")
tickers = ["AAPL", "BA", "BRK_A", "GE", "KO", "MSFT"]

# %% [markdown]
# Reversal: what lost in the last five days. Ranks by day are computed in the store as well.

# %%
reversal = store.panel("rank(-adj_close / prev(adj_close, 5) by day)", tickers, start="2016-06-01")
later = store.panel("next(adj_close, 5) / adj_close - 1", tickers, start="2016-06-01")
days, names, values = reversal
values.shape

# %% [markdown]
# The information coefficient of each day: how its ranks go with those of what followed.


# %%
def ranks(matrix):
    """Of each row, from 0 on; NaN stays NaN."""
    places = matrix.argsort(axis=1).argsort(axis=1).astype(float)
    return np.where(np.isnan(matrix), np.nan, places)


def coefficients(factor, following):
    """The correlation of each row with that of another matrix."""
    complete = ~(np.isnan(factor) | np.isnan(following)).any(axis=1)
    a, b = ranks(factor[complete]), ranks(following[complete])
    a, b = a - a.mean(axis=1, keepdims=True), b - b.mean(axis=1, keepdims=True)
    return (a * b).sum(axis=1) / np.sqrt((a**2).sum(axis=1) * (b**2).sum(axis=1))


ic = coefficients(reversal.values, later.values)
print(f"{len(ic)} days, a mean coefficient of {ic.mean():.3f}, and a ratio of {ic.mean() / ic.std():.3f}")

# %% [markdown]
# Made-up quotes have no factors, so that is about nothing. All features of a model at once, as numpy's arrays:

# %%
features = store.scan(
    tickers,
    columns={
        "ticker": "ticker",
        "date": "date",
        "momentum": "prev(adj_close, 21) / prev(adj_close, 126) - 1",
        "volatility": "std(change(adj_close), 21) * sqrt(252)",
        "oversold": "rsi(adj_close, 14)",
        "turnover": "log(volume / mean(volume, 63))",
        "label": "next(adj_close, 5) / adj_close - 1",
    },
    where="prev(adj_close, 126) is not missing and next(adj_close, 5) is not missing",
).to_numpy()
x = np.column_stack([features[name] for name in ("momentum", "volatility", "oversold", "turnover")])
x.shape, features["label"].shape

# %% [markdown]
# A store as of a day has no later rows, and prices are adjusted as they were then. What looks ahead is refused.

# %%
then = store.scan("AAPL", as_of="2016-10-11", start="2016-10-10", columns="date, close, adj_close")
print(then)
try:
    store.scan("AAPL", as_of="2016-10-11", where="next(close) > close").count()
except quoindb.QuoinError as error:
    print(error)
