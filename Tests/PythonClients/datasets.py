"""Checks of the time-series calls. Each takes a client's module and the market that the server shows."""

import datetime
import itertools
import warnings

import pandas
from oracle import DATASET_COLUMNS, Difference, collapsed, equal, same, transformed

# For what takes long. GAPS has missing cells, zeros, a negative price and volumes beyond 2^53.
SOME_TICKERS = ["AAPL", "FDX", "GAPS"]
COLLAPSES = ["daily", "weekly", "monthly", "quarterly", "annual"]
TRANSFORMS = ["diff", "rdiff", "rdiff_from", "cumul", "normalize"]


def get_answers_every_ticker_with_all_columns(client, market):
    for ticker in market.tickers:
        same(client.get(f"WIKI/{ticker}"), market.quotes(ticker))


def a_number_behind_the_code_chooses_one_column(client, market):
    for index, name in enumerate(DATASET_COLUMNS, start=1):
        same(client.get(f"WIKI/AAPL.{index}"), market.quotes("AAPL")[[name]])
        same(client.get("WIKI/BA", column_index=index), market.quotes("BA")[[name]])


def several_datasets_are_joined_by_their_days(client, market):
    apple, fedex = market.quotes("AAPL"), market.quotes("FDX")
    joined = apple[["Adj. Close"]].add_prefix("WIKI/AAPL - ").join(
        fedex[["Close"]].add_prefix("WIKI/FDX - "), how="outer")
    same(client.get(["WIKI/AAPL.11", "WIKI/FDX.4"]), joined)
    same(client.get(["WIKI/AAPL.11", "WIKI/FDX.4"], order="desc"), joined.iloc[::-1])
    same(client.get(["WIKI/MSFT"]), market.quotes("MSFT").add_prefix("WIKI/MSFT - "))


def an_unknown_one_of_several_is_an_empty_column(client, market):
    joined = client.get(["WIKI/AAPL.4", "WIKI/NOSUCH.4"])
    equal(list(joined.columns), ["WIKI/AAPL - Close", "WIKI/NOSUCH - Not Found"], "columns")
    same(joined[["WIKI/AAPL - Close"]], market.quotes("AAPL")[["Close"]].add_prefix("WIKI/AAPL - "))
    equal(joined["WIKI/NOSUCH - Not Found"].notna().sum(), 0, "values of the unknown one")


def a_numpy_array_holds_the_same(client, market):
    array = client.get("WIKI/BRK_A", returns="numpy")
    frame = pandas.DataFrame({name: array[name] for name in array.dtype.names}).set_index("Date")
    same(frame, market.quotes("BRK_A"))


def both_days_of_a_range_are_inside_and_either_may_be_absent(client, market):
    quotes = market.quotes("MSFT")
    first, last = quotes.index[100].date(), quotes.index[200].date()
    same(client.get("WIKI/MSFT", start_date=str(first), end_date=str(last)), quotes.iloc[100:201])
    same(client.get("WIKI/MSFT", start_date=first), quotes.iloc[100:])
    same(client.get("WIKI/MSFT", end_date=last), quotes.iloc[:201])
    same(client.get("WIKI/MSFT", start_date="2017-01-01", end_date="2017-01-01"), quotes.iloc[:0])
    same(client.get("WIKI/MSFT", start_date="1990-01-01", end_date="1990-12-31"), quotes.iloc[:0])
    same(client.get("WIKI/MSFT", start_date="2030-01-01"), quotes.iloc[:0])


def the_old_names_of_parameters_work(client, market):
    quotes = market.quotes("KO")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        answer = client.get("WIKI/KO", trim_start="2017-01-03", trim_end="2017-02-03", sort_order="desc")
    same(answer, quotes["2017-01-03":"2017-02-03"].iloc[::-1])


def rows_are_counted_after_ordering(client, market):
    quotes = market.quotes("GE")
    same(client.get("WIKI/GE", order="desc"), quotes.iloc[::-1])
    same(client.get("WIKI/GE", order="desc", rows=5), quotes.iloc[::-1].iloc[:5])
    same(client.get("WIKI/GE", order="asc", rows=5), quotes.iloc[:5])
    same(client.get("WIKI/GE", rows=5, start_date="2017-06-01"), quotes["2017-06-01":].iloc[:5])
    same(client.get("WIKI/GE", rows=100_000), quotes)


def periods_collapse_to_their_last_observations(client, market):
    for ticker, kind in itertools.product(SOME_TICKERS, COLLAPSES):
        same(client.get(f"WIKI/{ticker}", collapse=kind), collapsed(market.quotes(ticker), kind))
    same(client.get("WIKI/AAPL", collapse="none"), market.quotes("AAPL"))


def a_collapsed_range_ends_with_its_last_periods_end(client, market):
    quotes = market.quotes("FDX")["2003-02-05":"2004-08-11"]
    for kind in COLLAPSES:
        answer = client.get("WIKI/FDX", collapse=kind, start_date="2003-02-05", end_date="2004-08-11")
        same(answer, collapsed(quotes, kind))


def transforms_are_those_of_the_oracle(client, market):
    for ticker, kind in itertools.product(SOME_TICKERS, TRANSFORMS):
        same(client.get(f"WIKI/{ticker}", transform=kind), transformed(market.quotes(ticker), kind))
    same(client.get("WIKI/AAPL", transform="none"), market.quotes("AAPL"))


def everything_at_once_collapses_first_and_counts_last(client, market):
    quotes = market.quotes("AAPL")["2016-05-10":"2018-01-20"]
    for collapse, transform in itertools.product(COLLAPSES, TRANSFORMS):
        answer = client.get(
            "WIKI/AAPL.11", start_date="2016-05-10", end_date="2018-01-20", collapse=collapse, transform=transform,
            rows=5, order="desc")
        same(answer, transformed(collapsed(quotes, collapse), transform)[["Adj. Close"]].iloc[::-1].iloc[:5])


def an_answer_says_what_was_asked(client, market):
    data = client.Dataset("WIKI/AAPL").data(
        params={"start_date": "2017-01-03", "end_date": "2017-03-31", "collapse": "monthly", "rows": 2})
    asked = {name: data.meta[name] for name in ["limit", "transform", "column_index", "collapse", "order", "frequency"]}
    equal(
        asked,
        {"limit": 2, "transform": None, "column_index": None, "collapse": "monthly", "order": "asc",
         "frequency": asked["frequency"]}, "the answer's head")
    equal(data.meta["column_names"], ["Date"] + DATASET_COLUMNS, "column_names")
    days = (data.meta["start_date"], data.meta["end_date"])
    equal(days, (datetime.date(2017, 1, 3), datetime.date(2017, 3, 31)), "start_date and end_date")


def metadata_tells_names_and_days(client, market):
    for ticker in market.tickers:
        dataset, quotes = client.Dataset(f"WIKI/{ticker}"), market.quotes(ticker)
        equal(dataset.column_names, ["Date"] + DATASET_COLUMNS, "column_names")
        days = (dataset["oldest_available_date"], dataset["newest_available_date"])
        equal(days, (quotes.index[0].date(), quotes.index[-1].date()), f"days of {ticker}")
        equal((dataset["database_code"], dataset["dataset_code"]), ("WIKI", ticker), "codes")
        equal((dataset["frequency"], dataset["type"], dataset["premium"]), ("daily", "Time Series", False), "kind")


def the_database_lists_every_dataset_once(client, market):
    database = client.Database("WIKI")
    equal(database["database_code"], "WIKI", "database_code")
    listed = all_pages(lambda page: database.datasets(params={"page": page, "per_page": 10}))
    equal(sorted(dataset.code for dataset in listed), sorted(f"WIKI/{name}" for name in market.tickers), "datasets")
    equal(database.datasets()[0].column_names, ["Date"] + DATASET_COLUMNS, "column_names of a listed dataset")


def databases_and_datasets_are_found(client, market):
    codes = [database.code for database in all_pages(lambda page: client.Database.all(params={"page": page}))]
    equal(codes, ["WIKI"], "databases")
    found = [dataset.code for dataset in client.Dataset.all(params={"query": "BRK_A"})]
    if "WIKI/BRK_A" not in found:
        raise Difference(f"the search for BRK_A found {found}")
    equal(len(client.Dataset.all(params={"query": "nothing is named so"})), 0, "what the search found")


def all_pages(page):
    results = []
    for number in itertools.count(1):
        answer = page(number)
        results += answer.values
        if not answer.has_more_results():
            return results


def what_does_not_exist_is_not_found(client, market):
    raises(client.NotFoundError, 404, "QECx02", lambda: client.get("WIKI/NOSUCH"))
    raises(client.NotFoundError, 404, "QECx02", lambda: client.get("NOSUCH/AAPL"))
    raises(client.NotFoundError, 404, "QECx02", lambda: client.Dataset("WIKI/NOSUCH").column_names)
    raises(client.NotFoundError, 404, "QECx0", lambda: client.Database("NOSUCH")["name"])


def an_unknown_column_is_the_clients_own_error(client, market):
    dataset = client.Dataset("WIKI/AAPL")
    raises(client.ColumnNotFound, None, "99", lambda: dataset.data(params={"column_index": 99}))
    equal(list(client.get("WIKI/AAPL.99").columns), ["Not Found"], "columns")


def a_mistake_in_the_question_is_an_invalid_request(client, market):
    for mistake in [
        {"start_date": "yesterday"}, {"end_date": "2017-02-30"}, {"collapse": "hourly"}, {"transform": "square"},
        {"order": "sideways"}, {"rows": "many"},
    ]:
        raises(client.InvalidRequestError, 422, "QESx", lambda: client.get("WIKI/AAPL", **mistake))


def raises(error, status, text, call):
    try:
        answer = call()
    except error as caught:
        equal(caught.http_status, status, f"status of {caught}")
        if text not in str(caught):
            raise Difference(f"'{text}' is not in '{caught}'") from caught
        return
    raise Difference(f"{answer!r} instead of {error.__name__}")
