"""Questions: conditions, columns and aggregates have the answers of `quoin scan`; mistakes are pointed at."""

from __future__ import annotations

import os
import shutil
import subprocess

from selenium.webdriver.common.keys import Keys

from page import PageTest
from support import CONDITION, PROGRAMS, WORK, scan, store

FORMS = ("shell", "curl", "swift", "python", "sql")
ASKED = {"tickers": "FDX", "where": CONDITION, "columns": "date, close, rsi(close, 14) as r"}


class QuestionsFacts:
    """What holds with scripts and without."""

    def cells(self, css: str = "#rows") -> list[list]:
        return [list(row.values()) for row in self.table(css)]

    def assert_rows(self, expected: list[dict]) -> None:
        """The table has these rows; numbers may be rounded for people."""
        shown = self.cells()
        self.assertEqual(len(shown), len(expected))
        for row, wanted in zip(shown, expected):
            for cell, value in zip(row, wanted.values(), strict=True):
                if isinstance(value, float) and isinstance(cell, float):
                    self.assertAlmostEqual(cell, value, delta=abs(value) * 1e-5 + 1e-9)
                else:
                    self.assertEqual(cell, "" if value is None else value)

    def test_a_form_asks_what_scan_asks(self):
        self.go("/questions")
        self.submit("form#question", tickers="FDX", where=CONDITION, columns="date, close, rsi(close, 14) as r")
        self.assert_rows(scan("FDX", "--where", CONDITION, "--columns", ASKED["columns"]))
        self.assertEqual(self.value('form#question [name="where"]'), CONDITION)
        self.assertEqual(self.parameters()["where"], CONDITION)

    def test_the_first_computed_column_is_drawn(self):
        self.go("/questions", **ASKED)
        self.assertEqual(len(self.shown("#chart svg.quoin-chart")), 1)
        self.assertRegex(self.text("#chart"), r"rsi\(close, 14\)|\br\b")

    def test_days_and_limits_hold(self):
        self.go("/questions", tickers="FDX,KO", limit="7", **{"from": "2005-10-01", "columns": "ticker, date, volume"})
        self.assert_rows(scan("FDX", "KO", "--from", "2005-10-01", "--columns", "ticker, date, volume", "--limit", "7"))

    def test_aggregates_are_those_of_scan(self):
        asked = {"tickers": "FDX", "aggregates": "mean(close), sum(volume), count", "by": "year"}
        self.go("/questions", **asked)
        self.assert_rows(scan("FDX", "--aggregate", asked["aggregates"], "--by", "year"))
        self.go("/questions", having="count > 200", order="sum(volume) desc", **asked)
        self.assert_rows(scan("FDX", "--aggregate", asked["aggregates"], "--by", "year", "--having", "count > 200", "--order", "sum(volume) desc"))

    def test_a_head_sorts_the_table(self):
        self.go("/questions", **ASKED)
        close = '#rows th a[href*="order="]'
        head = next(link for link in self.shown(close) if link.text.strip().lower().startswith("close"))
        self.leave(head.click)
        once = [row["close"] for row in self.table("#rows")]
        self.assertIn(once, (sorted(once), sorted(once, reverse=True)))
        self.assertIn("close", self.parameters()["order"])
        self.assertEqual(len(self.shown("#rows th[aria-sort=ascending], #rows th[aria-sort=descending]")), 1)
        self.leave(next(link for link in self.shown(close) if link.text.strip().lower().startswith("close")).click)
        self.assertEqual([row["close"] for row in self.table("#rows")], once[::-1], "once more sorts the other way")
        self.assertEqual(len(once), len(scan("FDX", "--where", CONDITION)))

    def test_a_mistake_is_pointed_at_and_stays(self):
        self.is_refused = True
        self.go("/questions")
        self.submit("form#question", where="80 < highh", columns="date")
        self.assertIn("did you mean 'high'?", self.text("#error[role=alert]"))
        text, caret = self.text("#error pre").splitlines()[-2:]
        self.assertEqual((text.strip(), text[caret.index("^"):]), ("80 < highh", "highh"))
        self.assertEqual(self.value('form#question [name="where"]'), "80 < highh")
        self.assertEqual(self.all_shown("#rows tbody tr"), [])

    def test_mistakes_in_every_field_are_told(self):
        self.is_refused = True
        mistakes = {"tickers": "FDXX", "columns": "clos", "aggregates": "mea(close)", "by": "mont", "from": "2005-13-01", "limit": "many", "order": "clos desc"}
        for name, value in mistakes.items():
            with self.subTest(name):
                self.go("/questions", **{"tickers": "FDX", name: value})
                self.assertGreater(len(self.text("#error[role=alert]")), 15)
                field = self.find(f'form#question [name="{name}"]')
                # A field for days or numbers can't hold anything else.
                self.assertEqual(field.get_property("value"), value if field.get_property("type") == "text" else "")
                status = [event["response"]["status"] for event in self.events("Network.responseReceived") if event["type"] == "Document"]
                self.assertTrue(400 <= status[-1] < 500, f"status {status}")

    def test_the_question_can_be_asked_elsewhere(self):
        self.go("/questions", **ASKED)
        texts = {form: self.find(f"#copy pre code[data-copy={form}]").get_property("textContent") for form in FORMS}
        expected = subprocess.run([PROGRAMS / "quoin", "scan", "FDX", "--where", CONDITION, "--columns", ASKED["columns"], "--store", store()],
                                  capture_output=True, text=True).stdout.splitlines()  # fmt: skip
        environment = {**os.environ, "PATH": f"{PROGRAMS}:{os.environ['PATH']}", "QUOIN_STORE": str(store())}
        shell = subprocess.run(["sh", "-c", texts["shell"]], capture_output=True, text=True, env=environment, cwd=WORK)
        self.assertEqual((shell.stderr, shell.stdout.splitlines()), ("", expected), texts["shell"])
        if shutil.which("curl"):
            curl = subprocess.run(["sh", "-c", texts["curl"]], capture_output=True, text=True, cwd=WORK)
            for row in scan("FDX", "--where", CONDITION, "--columns", "date"):
                self.assertIn(row["date"], curl.stdout, texts["curl"] + curl.stderr)
        compile(texts["python"], "the page's Python", "exec")
        self.assertIn("FDX", texts["swift"])
        self.assertIn("select", texts["sql"].lower())


class QuestionsTests(QuestionsFacts, PageTest):
    def completions(self) -> list[str]:
        return [option.text for option in self.all_shown("#completions[role=listbox] [role=option]")]

    def test_names_are_completed(self):
        self.go("/questions")
        self.click('form#question [name="where"]')
        self.press(*"80 < adj_h")
        self.wait("a name is offered", lambda: any("adj_high" in text for text in self.completions()))
        self.press(Keys.ARROW_DOWN)
        self.press(Keys.ENTER)
        self.wait("the name is written", lambda: self.value('form#question [name="where"]').startswith("80 < adj_high"))
        self.wait("the list is closed", lambda: not self.completions())
        self.assertNotIn("where", self.parameters(), "Enter took the name and sent nothing")

    def test_escape_closes_the_completions(self):
        self.go("/questions")
        self.click('form#question [name="where"]')
        self.press(*"vol")
        self.wait("a name is offered", lambda: any("volume" in text for text in self.completions()))
        self.press(Keys.ESCAPE)
        self.wait("the list is closed", lambda: not self.completions())
        self.assertEqual(self.value('form#question [name="where"]'), "vol")

    def test_a_button_copies_a_text(self):
        self.go("/questions", **ASKED)
        self.driver.execute_cdp_cmd("Browser.grantPermissions", {"origin": self.server.origin, "permissions": ["clipboardReadWrite", "clipboardSanitizedWrite"]})
        for summary in self.all_shown("#copy details:not([open]) > summary"):
            summary.click()
        buttons = self.shown("#copy button")
        buttons[0].click()
        texts = [self.find(f"#copy pre code[data-copy={form}]").get_property("textContent") for form in FORMS]
        self.wait("the clipboard has a text", lambda: self.driver.execute_async_script("navigator.clipboard.readText().then(arguments[0])") in texts)


class QuestionsWithoutScriptsTests(QuestionsFacts, PageTest):
    scripts = False
