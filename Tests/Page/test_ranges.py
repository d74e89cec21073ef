"""Ranges of attributes: the days, their number and their marks are those of `quoin scan`."""

from __future__ import annotations

from selenium.webdriver.common.keys import Keys

from page import PageTest, numbers
from support import CONDITION, QUESTION, count, scan

ATTRIBUTES = ("open high low close volume ex_dividend split_ratio adj_open adj_high adj_low adj_close adj_volume").split()


class RangesFacts:
    """What holds with scripts and without."""

    def counted(self) -> float:
        return numbers(self.text("#count"))[0]

    def rows(self) -> list[dict]:
        """Those of all pages."""
        shown = self.table("#rows")
        while following := self.all_shown("main a[rel=next]"):
            self.leave(following[0].click)
            shown += self.table("#rows")
        return shown

    def test_every_attribute_has_a_range_and_a_distribution(self):
        self.go("/ranges")
        for name in ATTRIBUTES:
            self.find(f'fieldset[data-attribute="{name}"] svg.distribution')
            self.find(f'fieldset[data-attribute="{name}"] input[type=number][name="{name}.min"]')
            self.find(f'fieldset[data-attribute="{name}"] input[type=number][name="{name}.max"]')

    def test_the_question_of_the_mission_has_the_answer_of_scan(self):
        self.go("/ranges")
        self.submit("form#ranges", tickers="FDX", high__min="80", high__max="83", low__min="78", low__max="82")
        self.assertEqual({name: self.parameters().get(name) for name in QUESTION}, QUESTION)
        expected = scan("FDX", "--where", CONDITION)
        self.assertEqual(self.counted(), len(expected))
        shown = sorted(self.rows(), key=lambda row: row["date"])
        self.assertEqual([[row[name] for name in ("date", "high", "low", "close")] for row in shown],
                         [[row[name] for name in ("date", "high", "low", "close")] for row in expected])  # fmt: skip

    def test_every_day_is_marked_in_the_chart(self):
        days = {"from": "2003-09-01", "to": "2003-12-31"}
        self.go("/ranges", **QUESTION, **days)
        expected = count("FDX", "--where", CONDITION, "--from", days["from"], "--to", days["to"])
        self.assertGreater(expected, 3)
        self.assertEqual(self.counted(), expected)
        self.assertEqual(len(self.marks(".mark")), expected)

    def test_several_tickers_are_counted_each(self):
        self.go("/ranges", tickers="KO,FDX", **{"close.min": "43", "volume.max": "12000000"})
        where = ["--where", "close >= 43 and volume <= 12000000"]
        self.assertEqual(self.counted(), count("KO", "FDX", *where))
        self.assertEqual({row["ticker"]: self.days_of(row) for row in self.table("#by-ticker")}, {name: count(name, *where) for name in ("FDX", "KO")})
        for row in self.table("#by-ticker"):
            days = [found["date"] for found in scan(row["ticker"], *where)]
            self.assertEqual((row["first"], row["last"]), (days[0], days[-1]))

    def days_of(self, row: dict) -> float:
        """The first number of a row of a table."""
        return next(value for value in row.values() if isinstance(value, float))

    def test_the_market_is_asked_when_no_ticker_is_named(self):
        self.go("/ranges", **{name: value for name, value in QUESTION.items() if name != "tickers"})
        self.assertEqual(self.counted(), count("--where", CONDITION))
        by_ticker = scan("--where", CONDITION, "--aggregate", "count as n", "--by", "ticker")
        expected = {row["ticker"]: row["n"] for row in by_ticker if row["n"]}
        shown = {row["ticker"]: self.days_of(row) for row in self.table("#by-ticker")}
        self.assertEqual(shown, {name: expected.get(name) for name in shown})
        self.assertGreater(len(shown), 5)

    def test_a_range_that_is_no_number_is_told_and_stays(self):
        self.is_refused = True
        self.go("/ranges", **{**QUESTION, "high.min": "eighty"})
        self.assertRegex(self.text("#error[role=alert]"), r"(?i)high\.min=eighty")
        self.assertEqual(self.value('form#ranges [name="high.max"]'), "83")


class RangesTests(RangesFacts, PageTest):
    def test_the_count_follows_what_is_typed(self):
        self.go("/ranges", **{**QUESTION, "high.min": ""})
        self.script("window.isTheSame = true")
        self.fill('[name="high.min"]', "81")
        expected = count("FDX", "--where", CONDITION.replace("80", "81"))
        self.wait(f"{expected} days are counted", lambda: self.counted() == expected)
        self.press(Keys.BACKSPACE, "2", ".", "5")
        expected = count("FDX", "--where", CONDITION.replace("80", "82.5"))
        self.wait(f"{expected} days are counted", lambda: self.counted() == expected)
        self.assertTrue(self.script("return window.isTheSame"), "the page is the same")

    def test_the_count_follows_a_slider(self):
        self.go("/ranges", tickers="FDX")
        before = self.counted()
        sliders = self.shown('fieldset[data-attribute="high"] input[type=range]')
        self.assertEqual(len(sliders), 2)
        self.script("arguments[0].focus()", sliders[0])
        self.press(*[Keys.ARROW_RIGHT] * 5)
        self.wait("the field follows", lambda: self.value('[name="high.min"]') != "")
        expected = count("FDX", "--where", "high >= " + self.value('[name="high.min"]'))
        self.assertLess(expected, before)
        self.wait(f"{expected} days are counted", lambda: self.counted() == expected)

    def test_the_address_follows_what_is_typed(self):
        self.go("/ranges", **QUESTION)
        self.fill('[name="high.min"]', "81")
        self.wait("the address has the number", lambda: self.parameters().get("high.min") == "81")


class RangesWithoutScriptsTests(RangesFacts, PageTest):
    scripts = False
