"""A typed client, which openapi-python-client makes of the server's description."""

import importlib
import importlib.metadata
import json
import pathlib
import re
import subprocess
import sys
import tempfile

import common

# Zips have a type of their own, which the generator knows as bytes if it is told so.
SETTINGS = {"content_type_overrides": {"application/zip": "application/octet-stream"}}


def generate(folder):
    """Makes the client, which must be all of the description, and imports it."""
    settings = pathlib.Path(folder, "settings.json")
    settings.write_text(json.dumps(SETTINGS), encoding="utf-8")
    run = subprocess.run(
        [sys.executable, "-m", "openapi_python_client", "generate", "--url", common.URL + "/openapi.json", "--meta", "none",
         "--config", settings, "--output-path", pathlib.Path(folder, "quotes_client")],
        capture_output=True, text=True, check=False)
    common.check(run.returncode == 0 and "WARNING" not in run.stdout, f"the generator says {run.stdout} {run.stderr}")
    sys.path.insert(0, folder)
    return importlib.import_module("quotes_client")


def check_types(folder):
    """No answer is of any type, and no question's number is a text."""
    files = list(pathlib.Path(folder, "quotes_client", "api").rglob("*.py"))
    for file in files:
        for result in re.findall(r"\) -> (.*):", file.read_text(encoding="utf-8")):
            common.check("Any" not in result or result == "dict[str, Any]", f"{file.name} answers {result}")
    return len([file for file in files if file.name != "__init__.py"])


def call(name, *arguments, **options):
    return importlib.import_module(f"quotes_client.api.default.{name}").sync(*arguments, **options)


def cells(row):
    return [row["date"], *(common.number(row[name]) for name in list(row)[2:])]


def main():
    with tempfile.TemporaryDirectory() as folder:
        client = generate(folder).Client(base_url=common.URL, raise_on_unexpected_status=True)
        count = check_types(folder)
        models = importlib.import_module("quotes_client.models")
        rows = common.by_ticker()["FDX"]

        data = call("dataset_data", "WIKI", "FDX", client=client, order=models.DatasetDataOrder.ASC).dataset_data
        common.equal(data.data, [cells(row) for row in rows], "dataset_data")
        table = call("datatable", "WIKI", "PRICES", client=client, ticker="FDX").datatable
        common.equal(table.data, [["FDX", *cells(row)] for row in rows], "datatable")
        names = list(rows[0])[2:]
        for way, found in [
            ("scan", call("scan", client=client, tickers="FDX")),
            ("scan_by_post", call("scan_by_post", client=client, body=models.ScanByPostBody(tickers="FDX"))),
        ]:
            actual = [[f"{row.date}", *(row.to_dict()[name] for name in names)] for row in found]
            common.equal(actual, [cells(row) for row in rows], way)
        common.equal(call("count", client=client, tickers="FDX")[0].rows, len(rows), "count")
        highest = max(common.number(row["high"]) for row in rows)
        extremes = {row.column: row for row in call("stats", client=client, tickers="FDX")}
        common.equal(extremes["high"].max_, highest, "stats")
        listed = {row.ticker: row.rows for row in call("tickers", client=client)}
        common.equal(listed, {ticker: len(rows) for ticker, rows in common.by_ticker().items()}, "tickers")
    version = importlib.metadata.version("openapi-python-client")
    common.done(f"openapi-python-client {version}", f"typed client of {count} calls", f"{5 * len(rows):,} rows and totals")


main()
