"""The page of a ticker has the rows of `quoin scan`, in a chart, a table and files."""

from __future__ import annotations

import datetime
import json
import subprocess
import urllib.request

from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.actions.wheel_input import ScrollOrigin
from selenium.webdriver.common.keys import Keys

from page import PageTest, numbers
from support import ROOT, count, quoin, scan

PRICES = ("open", "high", "low", "close", "volume")
DAYS = {"from": "2005-01-03", "to": "2005-06-30"}


class TickerFacts:
    """What holds with scripts and without."""

    def test_the_chart_has_the_days_that_are_asked_for(self):
        self.go("/ticker/FDX", **DAYS)
        rows = scan("FDX", "--from", DAYS["from"], "--to", DAYS["to"])
        self.assertEqual(self.days(), [rows[0]["date"], rows[-1]["date"]])
        self.assertIn(f"highest {max(row['high'] for row in rows):.2f}, last close {rows[-1]['close']:.2f}", self.chart())

    def test_ranges_are_one_step_away(self):
        self.go("/ticker/FDX")
        last = datetime.date(2005, 10, 14)
        for name, months in {"1m": 1, "3m": 3, "6m": 6, "1y": 12, "max": 1000}.items():
            with self.subTest(name):
                self.choose("range", name)
                self.assertEqual(self.parameters().get("range"), name)
                year, month = divmod(last.year * 12 + last.month - 1 - min(months, 60), 12)
                first = scan("FDX", "--from", datetime.date(year, month + 1, last.day))[0]["date"] if months < 60 else "2001-01-05"
                begin = datetime.date.fromisoformat(self.days()[0])
                self.assertLessEqual(abs((begin - datetime.date.fromisoformat(first)).days), 4, "the range begins there")
                self.assertEqual(self.days()[1], "2005-10-14")

    def choose(self, name: str, value: str) -> None:
        """Takes a link or a field of the form."""
        link = f'main a[href*="{name}={value}"]'
        if self.all_shown(link):
            self.leave(lambda: self.click(link))
        else:
            self.submit("form#view", **{name: value})

    def test_kinds_scales_and_bars_are_chosen_in_the_form(self):
        self.go("/ticker/FDX", **DAYS)
        self.assertIn("candles", self.chart())
        self.switch(kind="line")
        self.assertNotIn("candles", self.chart())
        self.assertEqual(self.all_shown("#chart .candle"), [])
        drawn = self.drawing()
        self.switch(log="on")
        self.assertNotEqual(self.drawing(), drawn, "a logarithmic scale has other places")
        self.switch(adjusted="on")
        rows = scan("FDX", "--from", DAYS["from"], "--to", DAYS["to"])
        self.assertIn(f"last close {rows[-1]['adj_close']:.2f}", self.chart())
        self.switch(by="month")
        self.assertEqual({name: self.parameters().get(name) for name in ("kind", "log", "adjusted", "by")},
                         {"kind": "line", "log": "on", "adjusted": "on", "by": "month"})  # fmt: skip

    def switch(self, **field: str) -> None:
        """Changes a list or a box of the form, which the script then sends by itself."""
        name, value = next(iter(field.items()))
        if self.scripts:
            self.leave(lambda: self.fill(f'form#view [name="{name}"]', value))
        else:
            self.submit("form#view", **field)

    def drawing(self) -> str:
        return self.script("return arguments[0].innerHTML", self.shown("#chart svg.quoin-chart")[0])

    def test_expressions_are_drawn_over_the_prices_and_in_panels(self):
        self.go("/ticker/FDX", **DAYS)
        panels = len(self.shown("#chart svg.quoin-chart")[0].find_elements("css selector", ".axis"))
        self.submit("form#view", overlay="mean(close, 20), mean(close, 50)")
        self.assertIn("mean(close, 50)", self.text("#chart"))
        self.submit("form#view", panel="rsi(close, 14)")
        self.assertIn("rsi(close, 14)", self.text("#chart"))
        self.assertEqual(len(self.shown("#chart svg.quoin-chart")[0].find_elements("css selector", ".axis")), panels + 1)

    def test_a_wrong_expression_is_told_and_stays(self):
        self.is_refused = True
        self.go("/ticker/FDX", overlay="mean(clos, 20)")
        self.assertIn("did you mean 'close'", self.text("#error[role=alert]"))
        self.assertEqual(self.value("form#view [name=overlay]"), "mean(clos, 20)")

    def test_an_unknown_ticker_is_told(self):
        self.is_refused = True
        self.go("/ticker/FDXX")
        self.assertIn("FDX", self.text("#error[role=alert]"))

    def test_dividends_splits_and_conditions_are_marked(self):
        dividends = count("FDX", "--where", "ex_dividend > 0", "--from", DAYS["from"], "--to", DAYS["to"])
        self.go("/ticker/FDX", events="on", mark="change(close) < -3%", **DAYS)
        self.assertEqual(len(self.marks(".event.dividend")), dividends)
        self.assertGreater(dividends, 0)
        falls = count("FDX", "--where", "change(close) < -3%", "--from", DAYS["from"], "--to", DAYS["to"])
        self.assertEqual(len(self.marks(".mark")), falls)
        self.assertGreater(falls, 0)
        day = scan("AAPL", "--where", "split_ratio != 1")[0]["date"]
        self.go("/ticker/AAPL", **{"events": "on", "from": day, "to": "2018-03-27"})
        self.assertGreaterEqual(len(self.marks(".event.split")), 1)

    def test_the_table_has_the_rows_of_scan(self):
        self.go("/ticker/FDX", **DAYS)
        expected = {row["date"]: row for row in scan("FDX", "--from", DAYS["from"], "--to", DAYS["to"])}
        shown = self.table("#rows")
        while following := self.all_shown("main a[rel=next]"):
            self.leave(following[0].click)
            shown += self.table("#rows")
        self.assertEqual(sorted(row["date"] for row in shown), sorted(expected))
        for row in shown:
            self.assertEqual([row[name] for name in PRICES], [expected[row["date"]][name] for name in PRICES])

    def test_kept_pictures_are_valid(self):
        pictures = sorted((ROOT / "Tests/ChartsTests/Golden").glob("*.svg")) + [ROOT / "docs/fdx.svg"]
        self.assertGreater(len(pictures), 6)
        checked = subprocess.run(["xmllint", "--noout", "--nonet", *pictures], text=True, capture_output=True)
        self.assertEqual((checked.returncode, checked.stderr), (0, ""))

    def test_downloads_are_what_scan_prints(self):
        self.go("/ticker/FDX", **DAYS)
        links = self.driver.find_elements("css selector", "#downloads a")
        files = {}
        for link in links:
            with urllib.request.urlopen(link.get_property("href")) as answer:
                files[link.text.strip().lower()] = answer.read().decode()
        days = ["FDX", "--from", DAYS["from"], "--to", DAYS["to"]]
        self.assertEqual(json.loads(files["json"]), scan(*days))
        self.assertEqual(files["csv"].splitlines(), quoin("scan", *days, "--format", "csv").splitlines())
        checked = subprocess.run(["xmllint", "--noout", "--nonet", "-"], input=files["svg"], text=True, capture_output=True)
        self.assertEqual(checked.stderr, "", "SVG is valid")
        self.assertIn(f"<desc>{self.chart()}</desc>", files["svg"], "the file is the chart that is shown")

    def test_sixty_years_are_one_page(self):
        self.go("/ticker/LONG", range="max")
        rows = scan("LONG")
        self.assertEqual(self.days(), [rows[0]["date"], rows[-1]["date"]])


class TickerTests(TickerFacts, PageTest):
    """What the script adds: values under the pointer, and other days by pointer, wheel and keys."""

    def setUp(self):
        super().setUp()
        self.go("/ticker/FDX", **DAYS)
        self.script("window.isTheSame = true")

    def pointer(self) -> ActionChains:
        return ActionChains(self.driver, duration=40)

    def surface(self):
        return self.shown("#chart svg.quoin-chart")[0]

    def other_days(self, before: list[str]) -> list[str]:
        """The days of the chart and the address, once they are others."""
        self.wait("the chart has other days", lambda: self.days() != before and self.parameters().get("from") not in (None, before[0]) or self.days()[1] != before[1])
        self.assertTrue(self.script("return window.isTheSame"), "the page is the same")
        drawn = self.driver.current_url, self.days()
        self.driver.refresh()
        self.assertEqual((self.driver.current_url, self.days()), drawn, "the address has the days")
        self.script("window.isTheSame = true")
        return self.days()

    def test_the_pointer_reads_out_its_day(self):
        rows = {row["date"]: row for row in scan("FDX", "--from", DAYS["from"], "--to", DAYS["to"])}
        seen = set()
        for part in (-0.3, 0, 0.12, 0.3):
            width = self.surface().size["width"]
            self.pointer().move_to_element_with_offset(self.surface(), int(width * part), 0).perform()
            self.wait("the readout has a day", lambda: self.all_shown("#readout") and any(day in self.text("#readout") for day in rows))
            text = self.text("#readout")
            day = next(day for day in rows if day in text)
            seen.add(day)
            shown = numbers(text.replace(day, " "))
            for name in PRICES:
                self.assertIn(rows[day][name], shown, f"the {name} of {day} is in '{text}'")
        self.assertEqual(len(seen), 4, "other places have other days")

    def test_keys_read_out_day_by_day(self):
        days = [row["date"] for row in scan("FDX", "--from", DAYS["from"], "--to", DAYS["to"])]
        self.focus_on_chart()
        seen = []
        for _ in range(4):
            self.press(Keys.ARROW_LEFT)
            self.wait("another day is read out", lambda: self.all_shown("#readout") and any(day in self.text("#readout") and day not in seen for day in days))
            seen.append(next(day for day in days if day in self.text("#readout")))
        place = days.index(seen[0])
        self.assertEqual(seen, days[place - 3 : place + 1][::-1])

    def test_dragging_zooms(self):
        before, width = self.days(), self.surface().size["width"]
        self.pointer().move_to_element_with_offset(self.surface(), int(-width * 0.2), 0).click_and_hold().move_by_offset(int(width * 0.3), 0).release().perform()
        after = self.other_days(before)
        self.assertTrue(before[0] < after[0] < after[1] < before[1], f"{after} lies in {before}")

    def test_the_wheel_zooms_in_and_out(self):
        before = self.days()
        self.pointer().scroll_from_origin(ScrollOrigin.from_element(self.surface()), 0, -200).perform()
        inner = self.other_days(before)
        self.assertTrue(before[0] <= inner[0] < inner[1] <= before[1], f"{inner} lies in {before}")
        self.pointer().scroll_from_origin(ScrollOrigin.from_element(self.surface()), 0, 200).perform()
        outer = self.other_days(inner)
        self.assertTrue(outer[0] <= inner[0] < inner[1] <= outer[1], f"{inner} lies in {outer}")

    def test_dragging_with_shift_pans(self):
        before, width = self.days(), self.surface().size["width"]
        (self.pointer().move_to_element(self.surface()).key_down(Keys.SHIFT).click_and_hold().move_by_offset(int(width * 0.2), 0)
         .release().key_up(Keys.SHIFT).perform())  # fmt: skip
        after = self.other_days(before)
        self.assertTrue(after[0] < before[0] and after[1] < before[1], f"{after} is before {before}")

    def test_keys_pan_and_zoom(self):
        start = self.days()
        self.focus_on_chart()
        self.pointer().key_down(Keys.SHIFT).send_keys(Keys.ARROW_LEFT).key_up(Keys.SHIFT).perform()
        earlier = self.other_days(start)
        self.assertTrue(earlier[0] < start[0] and earlier[1] < start[1], f"{earlier} is before {start}")
        self.focus_on_chart()
        self.press("+")
        inner = self.other_days(earlier)
        self.assertTrue(earlier[0] <= inner[0] and inner[1] <= earlier[1], f"{inner} lies in {earlier}")
        self.focus_on_chart()
        self.press("-")
        self.other_days(inner)
        self.focus_on_chart()
        self.press(Keys.HOME)
        self.wait("all days are shown", lambda: self.days() == ["2001-01-05", "2005-10-14"])

    def test_home_shows_all_of_sixty_years(self):
        """However many days a bar has."""
        self.go("/ticker/LONG", range="5y")
        rows = scan("LONG")
        self.focus_on_chart()
        self.press(Keys.HOME)
        self.wait("all days are shown", lambda: self.days() == [rows[0]["date"], rows[-1]["date"]])

    def focus_on_chart(self):
        self.script("document.querySelector('#chart').focus()")

    def test_back_undoes_a_zoom(self):
        before = self.days()
        self.focus_on_chart()
        self.press("+")
        self.other_days(before)
        self.driver.back()
        self.wait("the days before are back", lambda: self.days() == before)


class TickerWithoutScriptsTests(TickerFacts, PageTest):
    scripts = False
