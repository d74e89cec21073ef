"""Runs the published clients against a server and compares their answers: check.py URL EXPORT.csv"""

import inspect
import os
import sys
import traceback

import datasets
import nasdaqdatalink
import oracle
import quandl
import tables


def point_clients_at(url):
    """By the environment where it is set, as a user would, else by the one line."""
    base = f"{url}/api/v3"
    if "NASDAQ_DATA_LINK_BASE_DOMAIN" in os.environ:
        oracle.equal(nasdaqdatalink.ApiConfig.api_base, base, "the base that nasdaqdatalink read")
    else:
        nasdaqdatalink.ApiConfig.api_base = base
    quandl.ApiConfig.api_base = base
    quandl.ApiConfig.api_key = nasdaqdatalink.ApiConfig.api_key


def checks():
    """Each client with each function that takes a client and the market, whose name is the fact that it checks."""
    for client in [nasdaqdatalink, quandl]:
        for module in [datasets, tables]:
            for function in filter(inspect.isfunction, vars(module).values()):
                if list(inspect.signature(function).parameters) == ["client", "market"]:
                    yield client, module, function


def main(url, export):
    point_clients_at(url)
    with open(export, encoding="utf-8", newline="") as lines:
        market = oracle.Market(lines)
    count = 0
    for client, module, function in checks():
        name = f"{client.__name__} {client.version.VERSION}, {module.__name__}: {function.__name__.replace('_', ' ')}"
        try:
            function(client, market)
        except Exception as error:
            if not isinstance(error, oracle.Difference):
                traceback.print_exc()
            place = [frame for frame in traceback.extract_tb(error.__traceback__) if frame.filename == module.__file__]
            line = f", line {place[0].lineno}: {place[0].line}" if place else ""
            print(f"DIFFERENT {name}{line}\n  {error}")
            return 1
        print(f"ok {name}")
        count += 1
    scheme = url.split(":")[0]
    print(f"{count} checks of the published clients over {scheme}, {len(market.table):,} rows: no difference")
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
