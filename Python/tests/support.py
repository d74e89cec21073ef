"""What the tests share: a store, the command that they are compared with, and random numbers."""

from __future__ import annotations

import atexit
import csv
import functools
import gc
import io
import os
import random
import shutil
import sqlite3
import subprocess
import tempfile
import unittest
import warnings
from pathlib import Path
from typing import Any

import quoindb
import quoindb.sqlite
from quoindb import _capsule, _native

# What other libraries will do without is not to be used.
warnings.filterwarnings("error", category=DeprecationWarning, module=r"quoindb(\.|$)")

ROOT = Path(__file__).resolve().parents[2]
COMMAND = os.environ.get("QUOIN", str(ROOT / ".build/release/quoin"))


def run(*arguments: str) -> str:
    """What the command prints."""
    done = subprocess.run([COMMAND, *arguments], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


def lines(*arguments: str) -> list[dict[str, str]]:
    """What the command prints as CSV."""
    return list(csv.DictReader(io.StringIO(run(*arguments, "--format", "csv"))))


@functools.cache
def folder() -> str:
    """A folder for the whole run."""
    made = tempfile.mkdtemp(prefix="quoin-tests-")
    owner = os.getpid()
    # Forked processes end too.
    atexit.register(lambda: shutil.rmtree(made) if os.getpid() == owner else None)
    return made


@functools.cache
def store_path() -> str:
    """A store with made-up quotes, the sample data, and a ticker with gaps, large volumes and both zeros."""
    path = f"{folder()}/store"
    run("generate", "--tickers", "24", "--rows", "60000", "--store", path)
    run("import", f"{ROOT}/data/FDX.json", f"{ROOT}/data/wiki-sample.csv", f"{ROOT}/Tests/PythonClients/gaps.csv", "--store", path)
    return path


@functools.cache
def long_store_path() -> str:
    """A store of several batches."""
    path = f"{folder()}/long"
    run("generate", "--tickers", "40", "--rows", "200000", "--store", path)
    return path


@functools.cache
def sample_folder() -> str:
    """A folder with the store of README's examples, `quoin-store`."""
    path = f"{folder()}/sample"
    os.mkdir(path)
    run("import", f"{ROOT}/data/FDX.json", f"{ROOT}/data/wiki-sample.csv", "--store", f"{path}/quoin-store")
    os.symlink(ROOT / "data", f"{path}/data")
    return path


@functools.cache
def exported() -> list[dict[str, str]]:
    """All rows of the store, as `quoin export` writes them."""
    return list(csv.DictReader(io.StringIO(run("export", "--store", store_path()))))


def live_count() -> int:
    """How many things of the library are alive, after all have been looked for that nobody has."""
    gc.collect()
    _capsule.release_unused()
    return int(_native.library.quoin_live_count())


def seeded(test: str) -> random.Random:
    """Random numbers, the same each time unless QUOIN_SEED is another."""
    seed = int(os.environ.get("QUOIN_SEED", "1"))
    print(f"{test}: QUOIN_SEED={seed}", flush=True)
    return random.Random(seed)


class StoreTests(unittest.TestCase):
    """Tests that ask the store. What they were given is freed when they are over."""

    path: str
    store: quoindb.Store

    @classmethod
    def setUpClass(cls) -> None:
        cls.path = store_path()
        cls.store = quoindb.open(cls.path)

    @classmethod
    def tearDownClass(cls) -> None:
        del cls.store
        count = live_count()
        assert count == 0, f"{count} things of the library were not freed"


class ConnectionTests(StoreTests):
    """Tests that ask the store in SQL."""

    connection: sqlite3.Connection

    @classmethod
    def setUpClass(cls) -> None:
        super().setUpClass()
        cls.connection = quoindb.sqlite.connect(cls.path)

    @classmethod
    def tearDownClass(cls) -> None:
        cls.connection.close()
        super().tearDownClass()

    def ask(self, statement: str, *values: object) -> list[Any]:
        return self.connection.execute(statement, values).fetchall()
