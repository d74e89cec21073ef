"""Every state is in the address; long work can be stopped; what others commit is told."""

from __future__ import annotations

import shutil

from page import PageTest
from support import CONDITION, QUESTION, ROOT, WORK, Server, quoin, store

STATES = {
    "store": ("/", {"q": "BR"}),
    "check": ("/check", {"tickers": "AAPL"}),
    "ticker": ("/ticker/FDX", {"from": "2005-01-03", "to": "2005-06-30", "kind": "line", "log": "on", "overlay": "mean(close, 20)", "panel": "rsi(close, 14)"}),
    "ranges": ("/ranges", QUESTION),
    "questions": ("/questions", {"tickers": "FDX", "where": CONDITION, "columns": "date, close / open as r", "order": "close / open desc"}),
}


class StatesFacts:
    """What holds with scripts and without."""

    def state(self) -> tuple:
        """What the page shows, and what its fields hold."""
        fields = "return [...document.querySelectorAll('main [name]')].map(field => [field.name, field.type == 'checkbox' ? field.checked : field.value])"
        return self.driver.current_url, self.text("main"), self.script(fields)

    def test_a_reload_and_a_new_tab_show_the_same(self):
        for name, (path, parameters) in STATES.items():
            with self.subTest(name):
                self.go(path, **parameters)
                seen = self.state()
                self.driver.refresh()
                self.assertEqual(self.state(), seen)
                first = self.driver.current_window_handle
                self.driver.switch_to.new_window("tab")
                try:
                    self.look()
                    self.driver.get(seen[0])
                    self.assertEqual(self.state(), seen)
                finally:
                    self.driver.close()
                    self.driver.switch_to.window(first)

    def test_back_and_forward_show_what_was_there(self):
        self.go("/", q="FDX")
        store_page = self.driver.current_url, self.text("h1")
        self.leave(lambda: self.click("#tickers tbody a"))
        ticker_page = self.driver.current_url, self.text("h1")
        self.leave(lambda: self.click("header nav a[href='/ranges']"))
        for act, expected in ((self.driver.back, ticker_page), (self.driver.back, store_page), (self.driver.forward, ticker_page)):
            act()
            self.wait(f"{expected} is shown", lambda: (self.driver.current_url, self.text("h1")) == expected)

    def test_every_view_has_a_title_of_its_own(self):
        titles = set()
        for path, parameters in STATES.values():
            self.go(path, **parameters)
            titles.add(self.driver.title)
        self.assertEqual(len(titles), len(STATES), titles)

    def test_what_does_not_exist_is_told(self):
        self.is_refused = True
        self.go("/nowhere")
        self.assertIn("/nowhere", self.driver.find_element("css selector", "body").text)


class StatesTests(StatesFacts, PageTest):
    def tearDown(self):
        self.server.wake()
        super().tearDown()

    def test_links_replace_the_page_without_a_reload(self):
        self.go("/")
        self.script("window.isTheSame = true")
        for name in ("ranges", "questions"):
            self.leave(lambda: self.click(f"header nav a[href='/{name}']"))
            self.assertTrue(self.driver.current_url.startswith(f"{self.server.origin}/{name}"))
            self.assertEqual(self.script("return document.querySelector('header nav [aria-current]').getAttribute('href')"), f"/{name}")
        self.assertTrue(self.script("return window.isTheSame"))

    def test_long_work_shows_its_progress_and_can_be_stopped(self):
        self.go("/questions", **STATES["questions"][1])
        address, rows = self.driver.current_url, self.table("#rows")
        self.assertEqual(self.all_shown("#progress"), [], "nothing is under way")
        self.server.sleep()
        self.fill('form#question [name="where"]', "volume > 1e6")
        self.click("form#question [type=submit], form#question button:not([type])")
        self.wait("progress is shown", lambda: self.all_shown("#progress"), 3)
        self.click("#progress button")
        self.wait("progress is gone", lambda: not self.all_shown("#progress"), 3)
        self.assertEqual((self.driver.current_url, self.table("#rows")), (address, rows), "what was there stays")
        self.server.wake()
        self.leave(lambda: self.click("form#question [type=submit], form#question button:not([type])"))
        self.assertEqual(self.parameters()["where"], "volume > 1e6", "the page works on")

    def test_a_commit_is_told(self):
        path = WORK / "followed"
        shutil.rmtree(path, ignore_errors=True)
        quoin("import", ROOT / "data/FDX.json", at=path)
        self.server = Server(path)
        self.addCleanup(self.server.stop)
        self.go("/")
        self.assertEqual([row["ticker"] for row in self.table("#tickers")], ["FDX"])
        self.assertEqual(self.all_shown("#newer a, a#newer"), [])
        quoin("import", ROOT / "data/wiki-sample.csv", at=path)
        self.wait("what is newer is told", lambda: self.all_shown("#newer a, a#newer"))
        self.leave(lambda: self.click("#newer a, a#newer"))
        self.assertIn("KO", [row["ticker"] for row in self.table("#tickers")])
        self.wait("nothing is newer", lambda: not self.all_shown("#newer a, a#newer"))
        # The server goes away before the page does, so the page must not go on asking it.
        self.driver.get("about:blank")
        self.console()

    def test_a_server_that_is_gone_is_told(self):
        self.server = Server(store())
        self.go("/")
        self.server.stop()
        self.click("header nav a[href='/ranges']")
        self.wait("the page says that there is no answer", lambda: self.all_shown("#error[role=alert]") or not self.all_shown("main"))
        self.driver.get("about:blank")
        self.console()


class StatesWithoutScriptsTests(StatesFacts, PageTest):
    scripts = False
