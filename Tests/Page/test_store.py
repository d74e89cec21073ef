"""The page of the store has what `quoin tickers`, `periods`, `snapshot list` and `check` print."""

from __future__ import annotations

import json
import re
import time

from selenium.webdriver.common.keys import Keys

from page import PageTest
from support import ODD_TICKER, quoin


class StoreFacts:
    """What holds with scripts and without."""

    def test_tickers_have_rows_days_bytes_and_a_sparkline(self):
        self.go("/")
        shown = self.table("#tickers")
        expected = {row["ticker"]: row for row in json.loads(quoin("tickers", "--format", "json"))}
        self.assertEqual([row["ticker"] for row in shown], list(expected)[: len(shown)])
        self.assertGreater(len(shown), 20)
        for row in shown:
            wanted = expected[row["ticker"]]
            self.assertEqual([row["days"], row["first_day"], row["last_day"]], [wanted["rows"], wanted["first_day"], wanted["last_day"]])
            # Bytes may be rounded for people: 74.6 kB.
            amount, unit = re.fullmatch(r"([\d.,]+)\s*([kM]?)B?", str(row["bytes"])).groups()
            bytes_shown = float(amount.replace(",", "")) * {"": 1, "k": 1e3, "M": 1e6}[unit]
            self.assertAlmostEqual(bytes_shown / wanted["bytes"], 1, delta=0.06)
        self.assertEqual(len(self.shown("#tickers tbody svg")), len(shown))
        lines = self.script("return [...document.querySelectorAll('#tickers tbody svg')].map(svg => svg.innerHTML)")
        self.assertGreater(len(set(lines)), len(shown) * 0.9, "sparklines differ")

    def test_a_search_is_an_address(self):
        self.go("/")
        self.fill("form#search input[name=q]", "BR")
        self.press(Keys.ENTER)
        self.wait("the address has the search", lambda: self.parameters().get("q") == "BR" and len(self.table("#tickers")) == 2)
        self.assertEqual({row["ticker"] for row in self.table("#tickers")}, {"BRK_A", "BRK_B"})
        self.assertEqual(self.value("form#search input[name=q]"), "BR")

    def test_a_search_that_finds_nothing_says_so(self):
        self.go("/", q="NOBODY")
        self.assertEqual(self.all_shown("#tickers tbody a"), [])
        self.assertIn("NOBODY", self.text("main"))

    def test_a_ticker_is_a_link_whatever_its_name_has(self):
        self.go("/", q=ODD_TICKER)
        self.leave(lambda: self.click("#tickers tbody a"))
        self.assertIn(ODD_TICKER, self.text("h1"))
        self.assertIn("2017-01-02", self.chart())

    def test_imports_and_snapshots_are_listed(self):
        self.go("/")
        self.assertIn("before-tests", self.text("#snapshots"))
        imports = self.text("#imports")
        self.assertIn("FDX.json", imports)
        self.assertIn("wiki-sample.csv", imports)

    def test_findings_are_those_of_check(self):
        self.go("/")
        self.leave(lambda: self.click("#findings a, a#findings"))
        self.assertTrue(self.driver.current_url.startswith(self.server.origin + "/check"))
        # The command ends with 1 when it finds something.
        names = sorted({row["ticker"] for row in json.loads(quoin("check", "--format", "json", status=1))})[:2]
        self.go("/check", tickers=",".join(names))
        rows = self.table("#findings .scroll:last-of-type table")
        expected = json.loads(quoin("check", *names, "--format", "json", status=1))
        self.assertEqual([(row["ticker"], row["day"], row["rule"]) for row in rows], [(row["ticker"], row["date"], row["rule"]) for row in expected])

    def test_every_page_of_the_tickers_can_be_reached(self):
        self.go("/")
        found = [row["ticker"] for row in self.table("#tickers")]
        while following := self.all_shown("main a[rel=next]"):
            self.leave(following[0].click)
            found += [row["ticker"] for row in self.table("#tickers")]
            self.assertLess(len(found), 1000, "the pages end")
        self.assertEqual(found, [row["ticker"] for row in json.loads(quoin("tickers", "--format", "json"))])


class StoreTests(StoreFacts, PageTest):
    def leave_while_typing(self, act: str) -> None:
        """Types, and does something else 8 ms before the search as one types begins, which is 120 ms after a key."""
        self.go("/")
        self.leave(lambda: self.script(
            "const input = document.querySelector('form#search input[name=q]'); input.value = 'BR';"
            f"input.dispatchEvent(new Event('input', {{bubbles: true}})); setTimeout(() => {act}, 112)"))  # fmt: skip
        time.sleep(0.3)

    def assert_the_page_before_is_kept(self) -> None:
        self.driver.back()
        self.wait("the page before is there", lambda: not self.parameters() and len(self.table("#tickers")) > 2)

    def test_enter_keeps_the_page_before(self):
        self.leave_while_typing("input.form.requestSubmit()")
        self.assertEqual(self.parameters().get("q"), "BR")
        self.assert_the_page_before_is_kept()

    def test_a_link_is_followed_whatever_was_typed(self):
        self.leave_while_typing("document.querySelector('#tickers tbody a').click()")
        self.assertIn("/ticker/", self.driver.current_url)
        self.assert_the_page_before_is_kept()

    def test_the_table_narrows_while_somebody_types(self):
        self.go("/")
        self.script("window.isTheSame = true")
        self.click("form#search input[name=q]")
        self.press("B", "R")
        self.wait("two tickers are left", lambda: {row["ticker"] for row in self.table("#tickers")} == {"BRK_A", "BRK_B"})
        self.press("K")
        self.wait("the address has the search", lambda: self.parameters().get("q") == "BRK")
        self.assertEqual(self.value("form#search input[name=q]"), "BRK", "nothing that was typed is lost")
        self.assertTrue(self.script("return window.isTheSame && document.activeElement.name == 'q'"), "the page is the same, and so is the focus")


class StoreWithoutScriptsTests(StoreFacts, PageTest):
    scripts = False
