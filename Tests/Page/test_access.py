"""With a token the page is for those who sign in, and what is planted in an address or in the page doesn't run."""

from __future__ import annotations

import urllib.error
import urllib.request

from page import PageTest, numbers
from support import CONDITION, QUESTION, TOKEN, count, guarded_server, server
from test_looks import VIEWS


class AccessFacts:
    """What holds with scripts and without."""

    def setUp(self):
        super().setUp()
        self.server = guarded_server()
        self.go("/sign-in")
        self.driver.delete_all_cookies()

    def tearDown(self):
        self.driver.delete_all_cookies()
        super().tearDown()

    def sign_in(self, token: str = TOKEN) -> None:
        self.submit("form#sign-in", token=token)

    def test_who_is_not_signed_in_is_asked_to(self):
        for path in ("/", "/ranges?tickers=FDX", "/ticker/FDX", "/questions", "/check"):
            with self.subTest(path):
                self.driver.get(self.server.origin + path)
                self.assertTrue(self.driver.current_url.startswith(self.server.origin + "/sign-in"))
                self.assertEqual(self.parameters().get("to", "/"), path)
                self.assertNotIn("FDX", self.text("main"))

    def test_a_wrong_token_is_told(self):
        self.is_refused = True
        self.go("/")
        self.sign_in("a-token-that-is-not-the-one")
        self.assertRegex(self.text("#error[role=alert]"), r"token")
        self.assertIsNone(self.driver.get_cookie("quoin_session"))
        self.assertNotIn("that-is-not-the-one", self.driver.page_source, "the page doesn't repeat it")

    def test_the_token_opens_what_was_asked_for_and_is_in_no_address(self):
        self.go("/ranges", **QUESTION)
        self.sign_in()
        self.assertTrue(self.driver.current_url.startswith(self.server.origin + "/ranges"))
        self.assertEqual(numbers(self.text("#count"))[0], count("FDX", "--where", CONDITION))
        cookie = self.driver.get_cookie("quoin_session")
        self.assertTrue(cookie["httpOnly"])
        self.assertEqual(cookie["sameSite"], "Strict")
        self.assertEqual(cookie["path"], "/")
        self.assertNotIn(TOKEN, cookie["value"], "the cookie isn't the token")
        for name in ("store", "ticker", "ranges", "questions"):
            self.driver.get(self.server.origin + VIEWS[name])
            self.assertEqual(self.driver.current_url.split("?")[0].rstrip("/"), (self.server.origin + VIEWS[name].split("?")[0]).rstrip("/"))
            self.assertNotIn(TOKEN, self.driver.page_source)
        sent = self.events("Network.requestWillBeSent")
        self.assertGreater(len(sent), 5)
        self.assertEqual([event["request"]["url"] for event in sent if TOKEN in event["request"]["url"]], [])

    def test_signing_out_closes_the_page(self):
        self.go("/")
        self.sign_in()
        self.shown("#tickers")
        self.leave(lambda: self.click("form#sign-out button, form#sign-out [type=submit]"))
        self.assertTrue(self.driver.current_url.startswith(self.server.origin + "/sign-in"))
        self.assertIsNone(self.driver.get_cookie("quoin_session"))
        self.go("/")
        self.assertTrue(self.driver.current_url.startswith(self.server.origin + "/sign-in"))

    def test_signing_in_leads_to_no_other_site(self):
        for place in ("https://elsewhere.example/", "//elsewhere.example/", "/\\elsewhere.example/", "javascript:alert(1)"):
            with self.subTest(place):
                self.driver.delete_all_cookies()
                self.go("/sign-in", to=place)
                self.sign_in()
                self.assertTrue(self.driver.current_url.startswith(self.server.origin + "/"))

    def test_what_an_address_plants_is_text(self):
        self.driver.get("about:blank")
        self.server = server()
        planted = "<script>document.title='planted'</script><img src=x onerror=\"document.title='planted'\"><b onclick=1 autofocus>"
        for path, name, css in (("/", "q", 'form#search [name="q"]'), ("/questions", "where", 'form#question [name="where"]'),
                                ("/ticker/FDX", "overlay", 'form#view [name="overlay"]'), ("/ranges", "high.min", None)):  # fmt: skip
            with self.subTest(path):
                self.is_refused = True
                self.go(path, **{name: planted})
                self.assertNotEqual(self.driver.title, "planted")
                self.assertEqual(self.driver.find_elements("css selector", "main img, main script:not([type]), main b[onclick]"), [])
                if css:
                    self.assertEqual(self.value(css), planted)


class AccessTests(AccessFacts, PageTest):
    def test_scripts_work_when_somebody_is_signed_in(self):
        self.go("/ranges", **{**QUESTION, "high.min": ""})
        self.sign_in()
        self.fill('[name="high.min"]', "81")
        expected = count("FDX", "--where", CONDITION.replace("80", "81"))
        self.wait(f"{expected} days are counted", lambda: numbers(self.text("#count"))[0] == expected)

    def test_a_planted_script_is_blocked(self):
        self.go("/sign-in")
        self.script("const script = document.createElement('script'); script.textContent = 'document.title = \"planted\"'; document.body.append(script);"
                    "document.body.insertAdjacentHTML('beforeend', '<p id=planted onclick=\"document.title = 1\">here</p><style>h1 { color: rgb(1, 2, 3) }</style>')")  # fmt: skip
        self.script("document.querySelector('#planted').click()")
        self.assertNotIn(self.driver.title, ("planted", "1"))
        self.assertNotEqual(self.script("return getComputedStyle(document.querySelector('h1')).color"), "rgb(1, 2, 3)")
        told = self.console()
        self.assertGreaterEqual(len(told), 2, told)
        self.assertTrue(all("Content Security Policy" in line for line in told), told)

    def test_the_policy_allows_nothing_but_the_page(self):
        for path in VIEWS.values():
            try:
                with urllib.request.urlopen(server().origin + path.replace(" ", "%20")) as answer:
                    headers = answer.headers
            except urllib.error.HTTPError as error:
                headers = error.headers
            policy = headers["content-security-policy"] or ""
            self.assertIn("default-src 'none'", policy, path)
            self.assertIn("frame-ancestors 'none'", policy, path)
            self.assertNotIn("unsafe", policy, path)
            self.assertEqual(headers["x-content-type-options"], "nosniff", path)


class AccessWithoutScriptsTests(AccessFacts, PageTest):
    scripts = False
