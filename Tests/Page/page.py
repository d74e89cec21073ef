"""Words for what a person does and sees on the page."""

from __future__ import annotations

import functools
import json
import re
import time
import unittest
from urllib.parse import parse_qs, quote, urlencode, urlsplit

from selenium.common.exceptions import JavascriptException, StaleElementReferenceException
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from support import Server, browser, server


LIVE = "a[href], button, input:not([type=hidden]), select, textarea, summary, [tabindex]:not([tabindex='-1'])"


def address(path: str, **parameters: object) -> str:
    return path + ("?" + urlencode(parameters, quote_via=quote) if parameters else "")


def number(text: str) -> float | str:
    """A cell's number, whatever separates its thousands; other texts are themselves."""
    try:
        return float(re.sub(r"[,\u2009\u202f\u00a0 ]", "", text).replace("\u2212", "-"))
    except ValueError:
        return text


def numbers(text: str) -> list[float]:
    return [float(found) for found in re.findall(r"-?\d+(?:\.\d+)?", re.sub(r"(?<=\d)[,\u2009\u202f\u00a0](?=\d{3})", "", text))]


def seen(look):
    """What is seen of a page: when the page is replaced in the middle of a look, one looks again."""

    @functools.wraps(look)
    def again(*arguments):
        for _ in range(20):
            try:
                return look(*arguments)
            except StaleElementReferenceException:
                time.sleep(0.02)
        return look(*arguments)

    return again


class PageTest(unittest.TestCase):
    """A test in the browser. Whatever else it checks, the console stays empty and every request goes to the server."""

    scripts = True
    is_refused = False  # whether an answer of the server is an error, which the console then tells
    maxDiff = None

    def setUp(self) -> None:
        self.driver = browser(self.scripts)
        self.server = server()
        self.look(width=1280, theme="light")
        self.console()
        self.driver.get_log("performance")

    def tearDown(self) -> None:
        expected = r"responded with a status of 4\d\d|The specified value .* (cannot be parsed|does not conform)" if self.is_refused else r"(?!)"
        self.assertEqual([line for line in self.console() if not re.search(expected, line)], [], "the console is empty")
        urls = [event["request"]["url"] for event in self.events("Network.requestWillBeSent")]
        self.assertEqual([url for url in urls if not url.startswith(self.ours())], [], "no request goes elsewhere")

    def ours(self) -> tuple[str, ...]:
        """How the addresses begin that the page may ask for."""
        return tuple(server.origin + "/" for server in Server.all) + ("data:", "about:", "blob:")

    def _formatMessage(self, msg: str | None, standardMsg: str) -> str:
        return f"{super()._formatMessage(msg, standardMsg)}\n  at {self.driver.current_url}"

    # What the browser knows.

    def console(self) -> list[str]:
        """What it says, without the advice that one has to ask for."""
        return [entry["message"] for entry in self.driver.get_log("browser") if entry["level"] != "DEBUG"]

    def events(self, method: str) -> list[dict]:
        """What the browser did on the network since the last test or call."""
        messages = [json.loads(entry["message"])["message"] for entry in self.driver.get_log("performance")]
        return [message["params"] for message in messages if message["method"] == method]

    def script(self, text: str, *arguments: object):
        return self.driver.execute_script(text, *arguments)

    def look(self, width: int = 1280, theme: str = "light", media: str = "") -> None:
        """The size of the window, what the system prefers, and the screen or paper."""
        metrics = {"width": width, "height": 844 if width < 500 else 900, "deviceScaleFactor": 1, "mobile": False}
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
        feature = {"name": "prefers-color-scheme", "value": theme}
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": media, "features": [feature]})

    # What a person does.

    def go(self, path: str, **parameters: object) -> None:
        self.driver.get(self.server.origin + address(path, **parameters))

    @seen
    def click(self, css: str) -> None:
        self.shown(css)[0].click()

    def press(self, *keys: str) -> None:
        ActionChains(self.driver, duration=20).send_keys(*keys).perform()

    def fill(self, css: str, value: str) -> None:
        """Gives a field a value, after it has opened what hides it."""
        field = self.find(css)
        for details in reversed(field.find_elements(By.XPATH, "ancestor::details[not(@open)]")):
            details.find_element(By.TAG_NAME, "summary").click()
        kind = field.get_attribute("type")
        if kind in ("checkbox", "radio"):
            self.find(f"{css}[value='{value}']" if kind == "radio" else css).click()
        elif field.tag_name == "select":
            next(option for option in field.find_elements(By.TAG_NAME, "option") if option.get_property("value") == value).click()
        elif kind == "date":
            self.script("arguments[0].value = arguments[1]; for (const name of ['input', 'change']) "
                        "arguments[0].dispatchEvent(new Event(name, {bubbles: true}))", field, value)  # fmt: skip
        else:
            field.send_keys(Keys.CONTROL, "a")
            field.send_keys(Keys.BACKSPACE)
            field.send_keys(value)

    def submit(self, form: str, **fields: str) -> None:
        """Fills a form and sends it. A field's name may have a dot, which is written as two underscores."""
        for name, value in fields.items():
            self.fill(f'{form} [name="{name.replace("__", ".")}"]', value)
        if self.all_shown("#completions"):
            self.press(Keys.ESCAPE)
        self.leave(lambda: self.shown(f"{form} [type=submit], {form} button:not([type])")[0].click())

    def leave(self, act) -> None:
        """Does something that shows another page, and waits for it."""
        self.script("document.querySelector('main').dataset.old = 1")
        act()
        self.wait("another page comes", lambda: self.script(
            "const main = document.querySelector('main'); return main && !main.dataset.old && document.readyState == 'complete'"))  # fmt: skip

    # What a person sees.

    def find(self, css: str):
        found = self.driver.find_elements(By.CSS_SELECTOR, css)
        if not found:
            self.fail(f"there is no {css}")
        return found[0]

    @seen
    def all_shown(self, css: str) -> list:
        return [element for element in self.driver.find_elements(By.CSS_SELECTOR, css) if element.is_displayed()]

    def shown(self, css: str) -> list:
        found = self.all_shown(css)
        if not found:
            self.fail(f"no {css} is shown")
        return found

    @seen
    def text(self, css: str) -> str:
        return self.shown(css)[0].text

    @seen
    def value(self, css: str) -> str:
        return self.find(css).get_property("value")

    def wait(self, fact: str, is_so, seconds: float = 5) -> None:
        """Waits until something is so; a page that is being replaced isn't asked again at once."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            try:
                if is_so():
                    return
            except (StaleElementReferenceException, JavascriptException, AssertionError):
                pass
            time.sleep(0.02)
        self.fail(fact)

    def parameters(self) -> dict[str, str]:
        """Those of the address."""
        return {name: values[-1] for name, values in parse_qs(urlsplit(self.driver.current_url).query).items()}

    @seen
    def table(self, css: str) -> list[dict]:
        """A table's rows, by the names in its head: `First day` is `first_day`."""
        self.shown(css)
        head, *rows = self.script(
            "const table = document.querySelector(arguments[0]); const rows = (table.matches('table') ? table : table.querySelector('table')).rows;"
            "return [...rows].map(row => [...row.cells].map(cell => cell.innerText.trim()))", css)  # fmt: skip
        names = [re.sub(r"\W+", "_", text.lower()).strip("_") for text in head]
        return [dict(zip(names, map(number, row))) for row in rows]

    @seen
    def chart(self) -> str:
        """What the chart that is shown says of itself: `FDX, candles, 2005-01-03 to 2005-10-14: first open 97.89, …`."""
        shown = self.shown("#chart svg.quoin-chart")
        self.assertEqual(len(shown), 1, "one chart is shown")
        return self.script("return arguments[0].querySelector('desc').textContent", shown[0])

    def days(self) -> list[str]:
        """The first and the last day of the chart."""
        return re.findall(r"\d{4}-\d\d-\d\d", self.chart())[:2]

    @seen
    def marks(self, css: str) -> list[str]:
        """The titles of marks of some kind in the chart that is shown."""
        chart = self.shown("#chart svg.quoin-chart")[0]
        return self.script("return [...arguments[0].querySelectorAll(arguments[1])].map(mark => mark.querySelector('title').textContent)", chart, css)
