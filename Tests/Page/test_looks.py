"""Every view is for everybody: light and dark, wide and narrow, on paper, by keys alone, and without a fault that axe-core finds."""

from __future__ import annotations

import base64
import pathlib
import re

import axe_playwright_python
from selenium.webdriver.common.keys import Keys

from page import LIVE, PageTest, address
from support import CONDITION, QUESTION, SCREENSHOTS, guarded_server, server

AXE = (pathlib.Path(axe_playwright_python.__file__).parent / "axe.min.js").read_text()
WIDTHS = (1280, 390)
VIEWS = {
    "store": address("/"),
    "check": address("/check", tickers="AAPL,BA"),
    "ticker": address("/ticker/FDX", range="1y", overlay="mean(close, 20)", panel="rsi(close, 14)", mark="change(close) < -3%", events="on"),
    "ranges": address("/ranges", **QUESTION),
    "questions": address("/questions", tickers="FDX", where=CONDITION, columns="date, close, rsi(close, 14) as r"),
    "groups": address("/questions", tickers="FDX", aggregates="mean(close), sum(volume)", by="month"),
    "mistake": address("/questions", where="80 < highh"),
    "sign-in": address("/sign-in", to="/"),
}


class LooksFacts:
    """What every view is looked at for."""

    def setUp(self):
        super().setUp()
        self.is_refused = True  # one view is a mistake

    def visit(self, name: str) -> None:
        self.server = guarded_server() if name == "sign-in" else server()
        self.driver.get(self.server.origin + VIEWS[name])

    def shoot(self, name: str) -> None:
        """Keeps a picture of the page, to its end or 3,000 pixels."""
        size = self.script("return [innerWidth, Math.min(3000, document.documentElement.scrollHeight)]")
        clip = {"x": 0, "y": 0, "width": size[0], "height": size[1], "scale": 1}
        shot = self.driver.execute_cdp_cmd("Page.captureScreenshot", {"captureBeyondViewport": True, "clip": clip})
        (SCREENSHOTS / f"{name}.png").write_bytes(base64.b64decode(shot["data"]))

    def luminance(self, color: str) -> float:
        """From 0, black, to 1, white."""
        red, green, blue = map(float, re.findall(r"[\d.]+", color)[:3])
        return (0.2126 * red + 0.7152 * green + 0.0722 * blue) / 255

    def look_at(self, name: str, width: int, theme: str) -> None:
        self.look(width, theme)
        self.assertLessEqual(self.script("return document.documentElement.scrollWidth"), width, "nothing is wider than the window")
        colors = self.script(
            "const color = name => getComputedStyle(document.querySelector(name));"
            "const paper = [...document.querySelectorAll('#chart svg.quoin-chart')].filter(chart => chart.checkVisibility()).map(chart => chart.querySelector('.paper'));"
            "return [color('body').backgroundColor == 'rgba(0, 0, 0, 0)' ? color('html').backgroundColor : color('body').backgroundColor,"
            "...paper.map(paper => getComputedStyle(paper).fill)]")  # fmt: skip
        for color in colors:
            self.assertTrue(self.luminance(color) > 0.85 if theme == "light" else self.luminance(color) < 0.25, f"{color} is {theme}")

    def faults(self) -> list[str]:
        """What axe-core finds: the rule, and where."""
        found = self.driver.execute_async_script(
            "axe.run(document, {resultTypes: ['violations'], preload: false}).then(result => arguments[0](result.violations), error => arguments[0](String(error)))")
        self.assertIsInstance(found, list, found)
        return [f"{fault['id']}: {fault['help']}: {node['html'][:120]}: {node['failureSummary']}" for fault in found for node in fault["nodes"][:3]]


class LooksTests(LooksFacts, PageTest):
    def test_every_view_is_light_and_dark_wide_and_narrow_and_open_to_all(self):
        for name in VIEWS:
            self.visit(name)
            self.script(AXE + "; window.axe = axe")
            for width in WIDTHS:
                for theme in ("light", "dark"):
                    with self.subTest(f"{name}-{width}-{theme}"):
                        self.look_at(name, width, theme)
                        self.shoot(f"{name}-{width}-{theme}")
                        self.assertEqual(self.faults(), [], "axe-core finds nothing")

    def test_every_view_has_landmarks_and_labels(self):
        for name in VIEWS:
            with self.subTest(name):
                self.visit(name)
                for css in ("header nav", "main#main", "h1"):
                    self.assertEqual(len(self.driver.find_elements("css selector", css)), 1, f"there is one {css}")
                self.assertTrue(self.script("return document.documentElement.lang"), "the language is named")
                unnamed = self.script(
                    "return [...document.querySelectorAll('input:not([type=hidden]), select, textarea')].filter(field =>"
                    "!field.labels.length && !field.ariaLabel && !field.getAttribute('aria-labelledby')).map(field => field.outerHTML)")  # fmt: skip
                self.assertEqual(unnamed, [], "every field has a label")

    def test_every_view_is_in_reach_of_keys(self):
        # For each thing that gets the focus: its place among all, and whether one sees that it has it.
        watch = ("window.reached = []; const all = window.all = [...document.querySelectorAll(arguments[0])].filter(item => item.checkVisibility({visibilityProperty: true})"
                 " && !item.disabled && !(item.type == 'radio' && !item.checked));"
                 "document.addEventListener('focusin', event => { const style = getComputedStyle(event.target);"
                 "reached.push([all.indexOf(event.target), style.outlineStyle != 'none' && parseFloat(style.outlineWidth) > 0 || style.boxShadow != 'none', event.target.outerHTML.slice(0, 100)])});"
                 "return all.length")  # fmt: skip
        for name in VIEWS:
            with self.subTest(name):
                self.visit(name)
                total = self.script(watch, LIVE)
                # A field for a day has three parts and a button.
                self.press(*[Keys.TAB] * (total + 3 + 4 * len(self.all_shown("[type=date]"))))
                reached = self.script("return reached")
                places = list(dict.fromkeys(place for place, _, _ in reached if place >= 0))
                missed = self.script("return all.filter((_, place) => !arguments[0].includes(place)).map(item => item.outerHTML.slice(0, 120))", places)
                self.assertEqual(missed, [], "Tab reaches everything")
                start = places.index(0)
                self.assertEqual(places[start:] + places[:start], sorted(places), "in the order of the page")
                self.assertEqual([html for _, is_seen, html in reached if not is_seen], [], "and one sees where the focus is")
                self.assertIn("#main", next(html for place, _, html in reached if place == 0), "the first is the link that skips the navigation")

    def test_paper_has_no_forms(self):
        for name in ("ticker", "ranges", "questions"):
            with self.subTest(name):
                self.visit(name)
                self.look(media="print")
                self.assertEqual(self.all_shown("form"), [])
                self.shown("#rows")
                self.shown("#chart svg.quoin-chart")


class LooksWithoutScriptsTests(LooksFacts, PageTest):
    scripts = False

    def test_every_view_is_whole_without_scripts(self):
        for name in VIEWS:
            self.visit(name)
            for theme in ("light", "dark"):
                with self.subTest(f"{name}-{theme}"):
                    self.look_at(name, 1280, theme)
                    self.shoot(f"{name}-1280-{theme}-without-scripts")
            with self.subTest(f"{name}, controls"):
                idle = self.all_shown("main input[type=range], #readout *, #progress *, #completions, #newer *, button[type=button]")
                self.assertEqual([control.get_attribute("outerHTML") for control in idle], [], "nothing is shown that only a script could use")
