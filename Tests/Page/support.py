"""What the tests of the page run on: a store, its servers, a browser, and the command, which knows the right answers."""

from __future__ import annotations

import atexit
import functools
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import tempfile
import time

from selenium import webdriver
from selenium.webdriver.chrome.service import Service

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAMS = pathlib.Path(os.environ["QUOIN_PROGRAMS"])
SCREENSHOTS = pathlib.Path(os.environ["QUOIN_SCREENSHOTS"])
WORK = pathlib.Path(tempfile.mkdtemp(prefix="quoin-page-"))
atexit.register(shutil.rmtree, WORK, ignore_errors=True)
TOKEN = "a-token-that-no-address-may-show"
# A ticker may have every character that means something in HTML or an address, but for the quotation marks.
ODD_TICKER = "<B>&Y?#%41"
QUESTION = {"tickers": "FDX", "high.min": "80", "high.max": "83", "low.min": "78", "low.max": "82"}
CONDITION = "high between 80 and 83 and low between 78 and 82"


def quoin(*arguments: object, at: pathlib.Path | None = None, status: int = 0) -> str:
    """What the command prints."""
    words = [PROGRAMS / "quoin", *map(str, arguments), "--store", at or store()]
    done = subprocess.run(words, capture_output=True, text=True)
    if done.returncode != status:
        raise RuntimeError(f"quoin {' '.join(map(str, arguments))} ends with {done.returncode}: {done.stderr}")
    return done.stdout


def scan(*arguments: object) -> list[dict]:
    """The rows that `quoin scan` finds."""
    return json.loads(quoin("scan", *arguments, "--format", "json"))


def count(*arguments: object) -> int:
    return int(quoin("scan", *arguments, "--count"))


@functools.cache
def store() -> pathlib.Path:
    """The samples among 60 tickers, one of 60 years, one with an odd name, and a snapshot."""
    path = WORK / "store"
    odd = WORK / "odd.csv"
    odd.write_text("ticker,date,open,high,low,close,volume\n" + "".join(f"{ODD_TICKER},2017-01-{day:02},1,3,1,2,500\n" for day in range(2, 7)))
    for words in (
        "generate --tickers 60 --rows 300000", "delete AAPL BA BRK_A FDX GE KO MSFT", "generate --ticker LONG --days 15000",
        f"import {odd}", f"import {ROOT}/data/wiki-sample.csv", "snapshot create before-tests", f"import {ROOT}/data/FDX.json",
    ):  # fmt: skip
        quoin(*words.split(), at=path)
    return path


class Server:
    """A `quoin-serve` on a free port, which ends with the tests."""

    all: list[Server] = []

    def __init__(self, path: pathlib.Path, *arguments: object) -> None:
        log = WORK / f"server-{time.monotonic_ns()}.log"
        words = [PROGRAMS / "quoin-serve", "--store", path, "--port", "0", *map(str, arguments)]
        with open(log, "w") as stream:
            self.process = subprocess.Popen(words, stderr=stream)
        atexit.register(self.stop)
        Server.all.append(self)
        for _ in range(500):
            if found := re.search(r" on (http://\S+)", log.read_text()):
                self.origin = found[1].rstrip("/")
                return
            time.sleep(0.02)
        raise RuntimeError(f"quoin-serve doesn't start: {log.read_text()}")

    def stop(self) -> None:
        self.process.kill()
        self.process.wait()

    def sleep(self) -> None:
        """Answers nothing until it wakes."""
        self.process.send_signal(signal.SIGSTOP)

    def wake(self) -> None:
        self.process.send_signal(signal.SIGCONT)


@functools.cache
def server() -> Server:
    return Server(store())


@functools.cache
def guarded_server() -> Server:
    """The same store behind a token."""
    file = WORK / "token"
    file.write_text(TOKEN)
    return Server(store(), "--token-file", file)


@functools.cache
def browser(scripts: bool) -> webdriver.Chrome:
    """One browser for all tests with scripts, and one without."""
    options = webdriver.ChromeOptions()
    words = ["headless=new", "disable-dev-shm-usage", "disable-background-networking", "no-first-run", "force-color-profile=srgb"]
    for word in words + ["host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1"] + (["no-sandbox"] if os.geteuid() == 0 else []):
        options.add_argument("--" + word)
    options.binary_location = shutil.which("chromium") or ""
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    if not scripts:
        options.add_experimental_option("prefs", {"profile.managed_default_content_settings.javascript": 2})
    driver = webdriver.Chrome(options=options, service=Service(shutil.which("chromedriver")))
    driver.set_script_timeout(30)
    atexit.register(driver.quit)
    return driver
