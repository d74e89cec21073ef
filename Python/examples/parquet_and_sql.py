# %% [markdown]
# # Parquet and SQL with Quoin
# Every library that reads Arrow streams reads a scan; nothing is written to a file for that.

# %%
import duckdb

import quoindb

store = quoindb.open("quoin-store")

# %% [markdown]
# A scan in DuckDB: the condition is Quoin's, and the rest is DuckDB's.

# %%
rows = store.scan(where="close > mean(close, 200)", columns="ticker, date, close")
duckdb.sql("select ticker, count(*) as days, max(close) as top from rows group by ticker order by ticker").fetchall()

# %% [markdown]
# All quotes in DuckDB, as a dataset: what it can push down of a question goes to the scan.

# %%
quotes = store.dataset()
duckdb.sql("""
    select a.date, round(a.close / b.close, 4) as ratio
    from quotes a join quotes b on a.date = b.date
    where a.ticker = 'KO' and b.ticker = 'MSFT' and a.date >= '2018-03-22'
    order by a.date
""").fetchall()

# %% [markdown]
# DataFusion pushes every range down.

# %%
from datafusion import SessionContext

context = SessionContext()
context.register_dataset("quotes", quotes)
context.sql("select count(*) as days from quotes where high between 80 and 83 and low < 80 and ticker = 'FDX'").to_pydict()

# %% [markdown]
# SQL of Polars, without another library:

# %%
store.sql("select ticker, max(close) as top from quotes where close between 80 and 81 group by ticker order by ticker")

# %% [markdown]
# Parquet files are written batch by batch, in memory that doesn't grow with the store.

# %%
count = store.to_parquet("msft.parquet", "MSFT", columns="date, close, volume, rsi(close, 14) as rsi", start="2017-01-01")
print(f"{count} rows; the largest rsi is", duckdb.sql("select round(max(rsi), 2) from 'msft.parquet'").fetchall()[0][0])
