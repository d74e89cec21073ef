"""The page that `quoin chart --output x.html` writes needs no server: it tells values and shows other days by itself."""

from __future__ import annotations

import datetime
import functools
import pathlib
import re

from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.actions.wheel_input import ScrollOrigin
from selenium.webdriver.common.keys import Keys

from page import PageTest, numbers
from support import WORK, count, quoin, scan
from test_looks import AXE, LooksFacts

DAYS = ("--from", "2005-01-03", "--to", "2005-06-30")
DAY = r"\d{4}-\d\d-\d\d"


@functools.cache
def file(*arguments: str) -> pathlib.Path:
    path = WORK / f"chart-{file.cache_info().misses}.html"
    quoin("chart", *arguments, "--output", path)
    return path


class FileTest(PageTest):
    def setUp(self):
        super().setUp()
        self.addresses: list[str] = []

    def open(self, *arguments: str) -> None:
        self.addresses.append(file(*arguments).as_uri())
        self.driver.get(self.addresses[-1])

    def ours(self) -> tuple[str, ...]:
        """The files alone: they ask for nothing."""
        return tuple(self.addresses)

    def surface(self):
        return self.shown("#chart svg.quoin-chart")[0]

    def inside(self, css: str) -> list:
        """What is in the picture that is shown."""
        return self.surface().find_elements("css selector", css)

    def drawing(self) -> str:
        return self.script("return arguments[0].innerHTML", self.surface())


class FileTests(FileTest):
    """The gestures and keys are those of the server's page."""

    def setUp(self):
        super().setUp()
        self.open("FDX", *DAYS, "--dividend-marks", "--mark", "change(close) < -3%")
        self.rows = {row["date"]: row for row in scan("FDX", *DAYS)}

    def pointer(self) -> ActionChains:
        return ActionChains(self.driver, duration=40)

    def keys(self, *keys: str, shift: bool = False) -> None:
        self.script("document.querySelector('#chart').focus()")
        chain = self.pointer()
        (chain.key_down(Keys.SHIFT).send_keys(*keys).key_up(Keys.SHIFT) if shift else chain.send_keys(*keys)).perform()

    def part(self) -> list[str]:
        """The first and the last day that are shown."""
        return re.findall(DAY, self.inside(".subtitle")[0].text)[:2]

    def other_part(self, before: list[str]) -> list[str]:
        self.wait("other days are shown", lambda: self.part() != before)
        part = self.part()
        self.assertTrue(set(part) <= set(self.rows), "they are days with quotes")
        self.check_that_places_fit(part)
        return part

    def check_that_places_fit(self, part: list[str]) -> None:
        """Each bar that is in view is where the readout's line finds its day."""
        days = [day for day in self.rows if part[0] <= day <= part[1]]
        for css in (".grid.days", ".day"):
            self.assertTrue(self.inside(css), f"{css} is there")
        for share in (0.001, 0.5, 0.999):
            # In one step, because the browser moves its own pointer whenever something is drawn under it.
            text, distance, width = self.script(
                "const [svg, share] = arguments, plot = svg.querySelector('.plot'), box = svg.getBoundingClientRect(), scale = box.width / svg.viewBox.baseVal.width;"
                "const [left, width] = ['x', 'width'].map(name => Number(plot.getAttribute(name)) * scale), x = box.left + left + width * share;"
                "svg.dispatchEvent(new PointerEvent('pointermove', {bubbles: true, clientX: x, clientY: box.top + box.height / 2}));"
                "const cross = svg.querySelector('.cross').getBoundingClientRect();"
                "return [document.querySelector('#readout').innerText, cross.left + cross.width / 2 - x, width]", self.surface(), share)  # fmt: skip
            self.assertEqual(self.read_out(text), days[int(len(days) * share)], f"the day at {share} of {part}")
            self.assertLessEqual(abs(distance), width / len(days) / 2 + 1, "the line is under the pointer")

    def read_out(self, text: str | None = None) -> str:
        """The day of the readout, whose values are those of the store."""
        text = text or self.text("#readout")
        day = re.search(DAY, text)[0]
        shown = numbers(text.replace(day, " "))
        for name in ("open", "high", "low", "close", "volume"):
            self.assertIn(self.rows[day][name], shown, f"the {name} of {day} is in '{text}'")
        return day

    def test_pointer_and_keys_read_out_the_values_of_a_day(self):
        days = list(self.rows)
        self.check_that_places_fit([days[0], days[-1]])
        self.keys(Keys.ESCAPE)
        self.assertEqual(self.script("return document.querySelector('#readout').textContent"), "")
        seen = []
        for _ in range(3):
            self.keys(Keys.ARROW_LEFT)
            seen.append(self.read_out())
        self.assertEqual(seen, days[:-4:-1])

    def test_dragging_zooms_and_home_shows_all(self):
        before, width, drawn = self.part(), self.surface().size["width"], self.drawing()
        self.pointer().move_to_element_with_offset(self.surface(), int(-width * 0.2), 0).click_and_hold().move_by_offset(int(width * 0.3), 0).release().perform()
        after = self.other_part(before)
        self.assertTrue(before[0] < after[0] < after[1] < before[1], f"{after} lies in {before}")
        self.assertEqual(len(self.inside(".zoom")), 0)
        self.keys(Keys.ESCAPE, Keys.HOME)
        self.wait("all days are shown", lambda: self.part() == before)
        self.assertEqual(self.drawing(), drawn, "the chart is what it was")

    def test_the_wheel_zooms_in_and_out(self):
        before = self.part()
        origin = ScrollOrigin.from_element(self.surface())
        self.pointer().scroll_from_origin(origin, 0, -200).perform()
        inner = self.other_part(before)
        self.assertTrue(before[0] < inner[0] < inner[1] < before[1], f"{inner} lies in {before}")
        self.pointer().scroll_from_origin(origin, 0, 200).perform()
        outer = self.other_part(inner)
        self.assertTrue(outer[0] < inner[0] < inner[1] < outer[1], f"{inner} lies in {outer}")

    def test_dragging_with_shift_and_keys_move_the_days(self):
        before, width = self.part(), self.surface().size["width"]
        self.keys("+")
        middle = self.other_part(before)
        (self.pointer().move_to_element(self.surface()).key_down(Keys.SHIFT).click_and_hold().move_by_offset(int(width * 0.2), 0)
         .release().key_up(Keys.SHIFT).perform())  # fmt: skip
        earlier = self.other_part(middle)
        self.assertTrue(earlier[0] < middle[0] and earlier[1] < middle[1], f"{earlier} is before {middle}")
        self.keys(Keys.ARROW_RIGHT, shift=True)
        later = self.other_part(earlier)
        self.assertTrue(later[0] > earlier[0] and later[1] > earlier[1], f"{later} is after {earlier}")
        self.keys(*[Keys.ARROW_RIGHT] * 9, shift=True)
        last = self.other_part(later)
        self.assertEqual(last[1], before[1], "it stops at the last day")
        length = [(datetime.date.fromisoformat(end) - datetime.date.fromisoformat(start)).days for start, end in (later, last)]
        self.assertLessEqual(abs(length[0] - length[1]), 5, "as many days as before")
        self.keys("-")
        self.assertEqual(self.other_part(last)[1], before[1])

    def test_marks_move_and_keep_their_shapes(self):
        def boxes(css: str) -> list[dict]:
            return self.script("return [...arguments[0].querySelectorAll(arguments[1])].filter(mark => mark.getBoundingClientRect().width > 0).map(mark => { const box = mark.getBoundingClientRect();"
                               "return {x: box.x + box.width / 2, width: box.width, title: mark.textContent} })", self.surface(), css)  # fmt: skip

        whole = {css: boxes(css) for css in (".mark", ".event.dividend")}
        for css, condition in ((".mark", "change(close) < -3%"), (".event.dividend", "ex_dividend > 0")):
            self.assertEqual(len(whole[css]), count("FDX", *DAYS, "--where", condition))
            self.assertGreater(len(whole[css]), 0)
        before = self.part()
        self.keys("+")
        part = self.other_part(before)
        for css, condition in ((".mark", "change(close) < -3%"), (".event.dividend", "ex_dividend > 0")):
            now = boxes(css)
            expected = [row["date"] for row in scan("FDX", *DAYS, "--where", condition) if part[0] <= row["date"] <= part[1]]
            self.assertLessEqual(abs(len(now) - len(expected)), 1)
            for mark in now:
                self.assertAlmostEqual(mark["width"], whole[css][0]["width"], delta=0.1)
        stroke = self.script("return getComputedStyle(arguments[0].querySelector('.plot path')).vectorEffect", self.surface())
        self.assertEqual(stroke, "non-scaling-stroke")

    def test_days_have_bars_of_their_own_once_there_is_room(self):
        self.open("FDX", "--mark", "change(close) > 0")
        self.rows = {row["date"]: row for row in scan("FDX")}

        def bars() -> list[int]:
            """How many candles there are in each drawing that is shown: each has one body."""
            return self.script("return ['coarse', 'fine'].map(level => [...arguments[0].querySelectorAll(`.${level} .candle`)]"
                               ".filter(path => path.getBoundingClientRect().width > 0).map(path => path.getAttribute('d').split('Z').length - 1).reduce((a, b) => a + b, 0))", self.surface())  # fmt: skip

        self.assertEqual(bars(), [240, 0])
        self.assertIn("Each bar is 5 days", self.text("#chart svg.wide"))
        part = self.part()
        for _ in range(3):
            self.keys("+")
            part = self.other_part(part)
        self.assertEqual(bars(), [0, len(self.rows)])
        self.assertNotIn("Each bar", self.text("#chart svg.wide"))
        rises = count("FDX", "--where", "change(close) > 0", "--from", part[0], "--to", part[1])
        marks = self.script("return [...arguments[0].querySelectorAll('.mark')].filter(mark => mark.getBoundingClientRect().width > 0).length", self.surface())
        self.assertEqual(marks, rises)
        self.keys(Keys.HOME)
        self.other_part(part)
        self.assertEqual(bars(), [240, 0])

    def test_labels_of_days_lie_apart(self):
        for press in ("+", "+", "+", Keys.HOME):
            before = self.part()
            self.keys(press)
            self.other_part(before)
            boxes = sorted(self.script("return [...arguments[0].querySelectorAll('.day')].map(label => { const box = label.getBoundingClientRect(); return [box.left, box.right] })", self.surface()))
            self.assertGreater(len(boxes), 0)
            self.assertTrue(all(left[1] < right[0] for left, right in zip(boxes, boxes[1:])), f"labels of {self.part()}: {boxes}")

    def test_no_name_of_the_script_is_seen_by_others(self):
        known = self.script("return ['$', '$$', 'make', 'later', 'prepareChart', 'stretch', 'paces'].filter(name => name in window || new Function(`return typeof ${name} != 'undefined'`)())")
        self.assertEqual(known, [])


class FileLooksTests(LooksFacts, FileTest):
    def test_a_file_is_light_and_dark_wide_and_narrow_and_has_no_fault(self):
        self.open("FDX", *DAYS)
        self.script(AXE + "; window.axe = axe")
        for width in (1280, 390):
            for theme in ("light", "dark"):
                with self.subTest(f"{width}-{theme}"):
                    self.look_at("file", width, theme)
                    self.assertEqual(self.faults(), [], "axe-core finds nothing")
                    self.shoot(f"file-{width}-{theme}")

    def test_many_days_many_tickers_and_charts_without_days_are_files_too(self):
        for arguments in (("LONG",), ("LONG", "--kind", "line", "--log"), ("AAPL", "KO", "GE", "--adjusted"), ("FDX", "--kind", "histogram"), ("FDX", "--kind", "scatter")):
            with self.subTest(arguments):
                self.open(*arguments)
                self.assertEqual(len(self.shown("#chart svg.quoin-chart")), 1)
                whole = self.drawing()
                self.script("document.querySelector('#chart').focus()")
                self.press("+")
                if "histogram" in arguments or "scatter" in arguments:
                    self.assertEqual(self.drawing(), whole, "there are no days to show")
                else:
                    self.wait("other days are shown", lambda: self.drawing() != whole)
                    self.assertTrue(self.inside(".day"))


class FileWithoutScriptsTests(FileTest):
    scripts = False

    def test_the_whole_chart_is_there_without_scripts_and_on_paper(self):
        self.open("FDX", *DAYS)
        for media in ("", "print"):
            self.look(media=media)
            self.assertEqual(len(self.shown("#chart svg.quoin-chart")), 1)
            self.assertEqual(self.all_shown(".help, #readout *"), [])
