"""Checks of the datatable calls. Each takes a client's module and the market that the server shows."""

import os
import tempfile
import warnings

import pandas
from datasets import raises
from oracle import TABLE_COLUMNS, Market, equal, same


def rows(table):
    """The same rows, numbered from 0."""
    return table.reset_index(drop=True)


def pages_make_up_the_whole_table(client, market):
    same(client.get_table("WIKI/PRICES", paginate=True), market.table)
    answer = client.get_table("WIKI/PRICES", ticker="FDX", paginate=True, qopts={"per_page": 97})
    same(answer, rows(market.table[market.table["ticker"] == "FDX"]))


def the_first_page_alone_comes_with_a_warning(client, market):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        page = client.get_table("WIKI/PRICES")
    equal([warning.category for warning in caught if "paginate" in str(warning.message)], [UserWarning], "warnings")
    same(page, market.table.iloc[:10_000])


def tickers_come_as_a_list_or_a_string(client, market):
    expected = rows(market.table[market.table["ticker"].isin(["AAPL", "MSFT"])])
    same(client.get_table("WIKI/PRICES", ticker=["AAPL", "MSFT"], paginate=True), expected)
    same(client.get_table("WIKI/PRICES", ticker=["AAPL", "NOSUCH", "MSFT"], paginate=True), expected)
    same(client.get_table("WIKI/PRICES", ticker="AAPL,MSFT", paginate=True), expected)
    same(client.get_table("WIKI/PRICES", ticker="AAPL"), rows(market.table[market.table["ticker"] == "AAPL"]))
    equal(list(client.get_table("WIKI/PRICES", ticker="NOSUCH").columns), TABLE_COLUMNS, "columns without rows")


def dates_come_as_a_day_or_a_range(client, market):
    table, day = market.table, pandas.Timestamp("2017-01-03")
    ask = lambda **options: client.get_table("WIKI/PRICES", paginate=True, **options)
    same(ask(date="2017-01-03"), rows(table[table["date"] == day]))
    same(ask(date=["2017-01-03", "2005-09-02"]), rows(table[table["date"].isin([day, pandas.Timestamp("2005-09-02")])]))
    expected = table[(table["date"] >= day) & (table["date"] <= "2017-03-01") & table["ticker"].isin(["BA", "KO"])]
    same(ask(ticker=["BA", "KO"], date={"gte": "2017-01-03", "lte": "2017-03-01"}), rows(expected))
    expected = table[(table["date"] > day) & (table["date"] < "2017-03-01") & (table["ticker"] == "BA")]
    same(ask(ticker="BA", date={"gt": "2017-01-03", "lt": "2017-03-01"}), rows(expected))


def columns_are_those_that_were_named(client, market):
    names = ["ticker", "date", "close", "ex-dividend", "adj_volume"]
    expected = rows(market.table.loc[market.table["ticker"] == "GE", names])
    same(client.get_table("WIKI/PRICES", ticker="GE", qopts={"columns": names}), expected)
    same(client.get_table("WIKI/PRICES", ticker="GE", qopts={"columns": ",".join(names)}), expected)
    same(client.get_table("WIKI/PRICES", ticker="GE", qopts={"columns": ["close"]}), expected[["close"]])


def a_long_question_is_posted_and_answered_alike(client, market):
    tickers = [f"NOSUCH{number}" for number in range(1000)] + ["AAPL", "KO"]
    columns = ["ticker", "date", "open", "volume"]
    question = {"ticker[]": tickers}
    equal(client.utils.request_type_util.RequestType.get_request_type("", params=question), "post", "method")
    answer = client.get_table(
        "WIKI/PRICES", ticker=tickers, date={"gte": "2016-07-01", "lt": "2018-01-01"}, paginate=True,
        qopts={"columns": columns, "per_page": 100})
    table = market.table[market.table["ticker"].isin(["AAPL", "KO"])]
    same(answer, rows(table.loc[(table["date"] >= "2016-07-01") & (table["date"] < "2018-01-01"), columns]))


def metadata_names_columns_and_filters(client, market):
    table = client.Datatable("WIKI/PRICES")
    equal([column["name"] for column in table.columns], TABLE_COLUMNS, "columns")
    equal(table.columns[0], {"name": "ticker", "type": "String"}, "the first column")
    equal(sorted({"ticker", "date"} - set(table.filters)), [], "filters that are missing")
    equal((table["vendor_code"], table["datatable_code"]), ("WIKI", "PRICES"), "codes")


def an_export_is_the_whole_table_in_a_zip(client, market):
    with tempfile.TemporaryDirectory() as folder:
        client.export_table("WIKI/PRICES", filename=folder)
        same(Market.of_zip(os.path.join(folder, "WIKI_PRICES.zip")).table, market.table)


def an_export_takes_the_filters_of_a_table(client, market):
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "some.zip")
        client.export_table("WIKI/PRICES", filename=path, ticker=["AAPL", "FDX"], date={"gte": "2005-01-01"})
        table = market.table[market.table["ticker"].isin(["AAPL", "FDX"])]
        same(Market.of_zip(path).table, rows(table[table["date"] >= "2005-01-01"]))


def a_bulk_download_is_the_whole_database_in_a_zip(client, market):
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "wiki.zip")
        for options in [{}, {"download_type": "complete"}, {"download_type": "partial"}]:
            client.bulkdownload("WIKI", filename=path, **options)
            same(Market.of_zip(path, has_header=False).table, market.table)


def what_does_not_exist_is_not_found(client, market):
    raises(client.NotFoundError, 404, "QECx0", lambda: client.get_table("WIKI/NOSUCH"))
    raises(client.NotFoundError, 404, "QECx0", lambda: client.get_table("NOSUCH/PRICES"))


def a_mistake_in_the_question_is_an_invalid_request(client, market):
    ask = lambda **options: client.get_table("WIKI/PRICES", **options)
    raises(client.InvalidRequestError, 422, "QESx", lambda: ask(qopts={"columns": ["hihg"]}))
    raises(client.InvalidRequestError, 422, "QESx", lambda: ask(date={"gte": "yesterday"}))
    raises(client.InvalidRequestError, 400, "QESx06", lambda: ask(qopts={"cursor_id": "no cursor"}))
