"""What keeps a store: going back, whole tickers, backups."""

from __future__ import annotations

import datetime
import os
import tempfile
import unittest

import polars
import quoindb

from support import run


def closes(ticker: str, *values: float, start: str = "2005-10-03") -> polars.DataFrame:
    first = datetime.date.fromisoformat(start)
    days = [first + datetime.timedelta(day) for day in range(len(values))]
    return polars.DataFrame({"ticker": [ticker] * len(values), "date": days, "close": values})


class KeepingTest(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.store = self.created("store", closes("KO", 1.0, 2.0))

    def created(self, name: str, *frames: polars.DataFrame) -> quoindb.Store:
        store = quoindb.open(f"{self.folder}/{name}", create=True)
        for frame in frames:
            store.upsert(frame)
        return store

    def rows(self, store: quoindb.Store | None = None) -> list[tuple[str, float]]:
        return (store or self.store).scan(columns="ticker, close").to_polars().rows()

    def test_changes_are_taken_back_and_snapshots_come_back(self) -> None:
        self.store.keep_snapshot("first")
        before = self.rows()
        self.store.delete("KO")
        self.store.undo()
        self.assertEqual(self.rows(), before)
        self.store.undo()
        self.assertEqual(self.rows(), [])
        self.store.restore("first")
        self.assertEqual(self.rows(), before)
        self.store.restore(self.store.refresh() - 1)
        self.assertEqual(self.rows(), [])
        with self.assertRaisesRegex(quoindb.UnknownSnapshotError, "did you mean 'first'"):
            self.store.restore("frist")
        with self.assertRaises(quoindb.UnknownSnapshotError):
            self.created("fresh").undo()

    def test_tickers_get_other_names(self) -> None:
        self.store.rename("KO", "COLA", start="2005-10-04")
        self.assertEqual(self.rows(), [("COLA", 2.0), ("KO", 1.0)])
        self.store.rename("KO", "COLA")
        self.assertEqual(self.rows(), [("COLA", 1.0), ("COLA", 2.0)])
        with self.assertRaisesRegex(quoindb.UnknownTickerError, "no quotes of KO"):
            self.store.rename("KO", "COLA")
        with self.assertRaises(quoindb.QuerySyntaxError):
            self.store.rename("COLA", "CO LA")
        with self.assertRaisesRegex(TypeError, "ticker"):
            self.store.rename(5, "KO")  # type: ignore[arg-type]

    def test_another_store_is_taken_over(self) -> None:
        other = self.created("other", closes("KO", 7.0, 8.0, start="2005-10-04"), closes("BA", 5.0))
        self.assertEqual(self.store.merge(other, "KO", mode="keep"), (1, 0, 0, 1, 0))
        self.assertEqual(self.store.merge(other.path), (1, 1, 1, 0, 0))
        self.assertEqual(self.rows(), [("BA", 5.0), ("KO", 1.0), ("KO", 7.0), ("KO", 8.0)])
        with self.assertRaisesRegex(quoindb.QuoinError, "itself|same"):
            self.store.merge(self.store)
        with self.assertRaises(quoindb.NoStoreError):
            self.store.merge(f"{self.folder}/none")

    def test_adjusted_columns_are_computed_as_the_command_computes_them(self) -> None:
        frame = closes("FB", 20.0, 10.0, 11.0)
        prices = {name: polars.col("close") for name in ("open", "high", "low")}
        frame = frame.with_columns(**prices, volume=polars.lit(5), ex_dividend=polars.lit(0.0), split_ratio=polars.Series([1.0, 2.0, 1.0]))
        store, twin = self.created("split", frame), self.created("twin", frame)
        self.assertEqual(store.adjust().replaced, 3)
        run("adjust", "FB", "--store", twin.path)
        twin.refresh()
        self.assertEqual(store.scan(columns="adj_close, adj_volume").to_polars().rows(), twin.scan(columns="adj_close, adj_volume").to_polars().rows())
        self.assertEqual(store.adjust("FB", replace=True, trust_splits=True).unchanged, 3)

    def test_files_are_rewritten_backed_up_and_checked(self) -> None:
        before = self.rows()
        self.store.compact(packing="small")
        self.store.compact()
        self.assertEqual(self.rows(), before)
        with self.assertRaisesRegex(quoindb.QuerySyntaxError, "'tiny' isn't one of fast, balanced, small"):
            self.store.compact(packing="tiny")
        for _ in range(2):
            self.store.backup(f"{self.folder}/backup")
        backup = quoindb.open(f"{self.folder}/backup", read_only=True)
        self.assertEqual((self.rows(backup), backup.verify(), self.store.verify()), (before, [], []))
        with self.assertRaisesRegex(quoindb.QuoinError, "read"):
            backup.undo()
        name = next(name for name in os.listdir(self.store.path) if name.endswith(".columns"))
        with open(f"{self.store.path}/{name}", "r+b") as file:
            file.seek(os.path.getsize(file.name) // 2)
            byte = file.read(1)
            file.seek(-1, os.SEEK_CUR)
            file.write(bytes([byte[0] ^ 1]))
        self.assertTrue(all(name in damage for damage in self.store.verify()))
        self.assertEqual(len(self.store.verify()) > 0, True)


if __name__ == "__main__":
    unittest.main()
