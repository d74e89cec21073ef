"""Files are shown as they will be read, and imported once their reader says so."""

from __future__ import annotations

import functools

from selenium.webdriver.common.by import By

from page import PageTest
from support import WORK, Server, quoin


@functools.cache
def importing_server() -> Server:
    path = WORK / "taking"
    start = WORK / "PEP.csv"
    start.write_text("date,close\n2024-01-18,1\n")
    quoin("import", start, at=path)
    return Server(path, "--allow-import")


class ImportFacts:
    """What holds with scripts and without."""

    def setUp(self):
        super().setUp()
        self.server = importing_server()

    def choose(self, name: str, text: str) -> None:
        file = WORK / name
        file.write_text(text)
        self.go("/imports")
        field = self.find("#files")
        if self.scripts:
            # A choice is looked at at once.
            self.leave(lambda: field.send_keys(str(file)))
        else:
            field.send_keys(str(file))
            self.leave(lambda: self.click("form#upload button"))

    def test_a_file_is_shown_read_in_another_way_and_imported(self):
        ticker = type(self).__name__[:12].upper()
        self.choose(f"{ticker}.csv", "Date;Close;Fixing\n19.01.2024;1.234,50;7,5\n")
        self.assertIn(f"1 good row of {ticker}", self.text("main"))
        rows = {row["column"]: row for row in self.table(f'[aria-label="Columns of {ticker}.csv"]')}
        self.assertEqual(rows["Close"]["the_first_is_read_as"], 1234.5)
        self.assertTrue(str(rows["Fixing"]["meaning"]).startswith("ignored"))
        self.assertNotIn(ticker, quoin("tickers", at=WORK / "taking"))
        choice = self.find('select[aria-label="Another meaning of Fixing"] option[value="Fixing=open"]')
        if self.scripts:
            self.leave(choice.click)
        else:
            choice.click()
            self.leave(lambda: [button for button in self.driver.find_elements(By.CSS_SELECTOR, "form#options button")][-1].click())
        rows = {row["column"]: row for row in self.table(f'[aria-label="Columns of {ticker}.csv"]')}
        self.assertEqual(rows["Fixing"]["the_first_is_read_as"], 7.5)
        self.leave(lambda: self.click("#confirm button"))
        self.assertIn(f"Imported 1 row of {ticker}", self.text(".done"))
        self.assertIn(f"{ticker},2024-01-19,7.5,,,1234.5", quoin("scan", ticker, at=WORK / "taking"))

    def test_a_file_that_would_be_refused_has_no_button(self):
        self.choose("X.csv", "Date,Open,Fixing\n2024-01-19,1.5,2\n")
        self.assertIn("An import would refuse this file", self.text("main"))
        self.assertEqual(self.driver.find_elements(By.CSS_SELECTOR, "#confirm button"), [])


class ImportTests(ImportFacts, PageTest):
    pass


class ImportWithoutScriptsTests(ImportFacts, PageTest):
    scripts = False
