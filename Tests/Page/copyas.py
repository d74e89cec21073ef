"""Asks the questions of questions.json in every form in which the page shows them, and compares the rows with those of `quoin scan`."""

import contextlib
import csv
import io
import json
import os
import pathlib
import re
import subprocess
import tempfile
import time
import unittest

ROOT, PROGRAMS = pathlib.Path(os.environ["QUOIN_ROOT"]), pathlib.Path(os.environ["QUOIN_PROGRAMS"])
#: The folder of the store.
WORK = pathlib.Path.cwd()
STORE, ORIGIN = "it's a $tore", "http://127.0.0.1:8080"
QUESTIONS = json.loads((ROOT / "Tests/Page/questions.json").read_text())
SPELLINGS = json.loads((WORK / "spellings.json").read_text())

#: The questions that a form can't ask.
CANNOT = {
    "sql": {"a rank among tickers", "two periods", "weeks", "months by the calendar", "as it was", "names", "the first of each day", "the last rows"},
}


def texts_of(question):
    """The forms of a question: what to paste, or 'cannot: ' and why not."""
    return SPELLINGS["questions"][question["name"]]


def run(command, **options):
    """What a command prints."""
    done = subprocess.run(command, capture_output=True, text=True, cwd=WORK, **options)
    # A ticker that nobody has is told.
    told = [line for line in done.stderr.splitlines() if not line.startswith("quoin: note: there are no quotes of ")]
    if done.returncode != 0 or told and "curl" not in str(command):
        raise AssertionError(f"{command[0]} ends with {done.returncode}: {done.stderr}")
    return done.stdout


def asked(question):
    """What `quoin scan` prints, without a shell."""
    bars = {"resample": "by", "bar_label": "label"}
    verb = "resample" if "resample" in question else "scan"
    command = [PROGRAMS / "quoin", verb, "--format", "csv", "--store", STORE, *question.get("tickers", [])]
    command += ["--latest"] * question.get("latest", False)
    for condition in question.get("where", []):
        command += ["--where", condition]
    names = {n: n for n in ("from", "to", "columns", "by", "having", "order", "limit", "offset", "let", "top")}
    for name, option in (names | bars | {"aggregates": "aggregate", "as_of": "as-of"}).items():
        if name in question:
            command += [f"--{option}", str(question[name])]
    return run(command)


def value(text):
    """A cell; numbers are compared as numbers."""
    try:
        return int(text)
    except ValueError:
        pass
    try:
        return float(text)
    except ValueError:
        return text


def rows(text, has_header=True):
    return [[value(cell) for cell in row] for row in csv.reader(io.StringIO(text))][1 if has_header else 0:]


class Server:
    """quoin-serve on a free port."""

    def __init__(self, *options):
        # A file takes any number of lines, also those that nobody reads.
        with tempfile.NamedTemporaryFile(dir=WORK) as log:
            self.process = subprocess.Popen([PROGRAMS / "quoin-serve", "--store", STORE, "--port", "0", *options], cwd=WORK, stderr=log)
            self.origin = self.found_in(log)

    def found_in(self, log):
        """The address that the server says in its log."""
        for _ in range(300):
            if found := re.search(r"http://[0-9.]+:[1-9][0-9]*", pathlib.Path(log.name).read_text()):
                return found.group()
            if self.process.poll() is not None:
                break
            time.sleep(0.1)
        self.stop()
        raise AssertionError("the server does not say where it answers")

    def stop(self):
        self.process.kill()
        self.process.wait()


def compiled():
    """One program of all that is written in Swift: its argument is the number of a question, or of a literal with a minus."""
    parts, cases = ["import Quoin"], []
    for number, question in enumerate(QUESTIONS):
        text = texts_of(question)["swift"]
        if not text.startswith("cannot: "):
            parts.append(f"func question{number}() throws {{\n{text.removeprefix('import Quoin')}\n}}")
            cases.append(f'case "{number}": try question{number}()')
    for number, literal in enumerate(SPELLINGS["literals"]):
        cases.append(f'case "-{number}": print({literal["swift"]}, terminator: "")')
    cases = "\n".join(cases)
    parts.append(f"switch CommandLine.arguments[1] {{\n{cases}\ndefault: fatalError()\n}}")
    (WORK / "main.swift").write_text("\n".join(parts))
    modules = [f"-I{ROOT}/Sources/{name}{folder}" for name in ("CKernels", "CLZ4", "CXXHash", "CZlib") for folder in ("", "/include")]
    # What the command is linked from: files that are gone may have left objects.
    linked = (PROGRAMS / "quoin.product/Objects.LinkFileList").read_text().split("\n")
    objects = [path.strip("'\"") for path in linked if re.search(r"/(Quoin|Deflate|CKernels)\.build/", path)]
    run([
        os.environ.get("SWIFTC", "swiftc"), "-swift-version", "6", "-warnings-as-errors", "-o", "asked", "main.swift", f"-I{PROGRAMS}/Modules",
        *modules, *objects, "-llz4", "-lxxhash", "-lz"])
    return WORK / "asked"


class CopyTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        files = [ROOT / "data/FDX.json", ROOT / "data/wiki-sample.csv", ROOT / "Tests/PythonClients/gaps.csv"]
        run([PROGRAMS / "quoin", "import", *files, "--store", STORE])
        cls.server = Server()
        cls.addClassCleanup(cls.server.stop)
        cls.program = compiled()

    def compare(self, form, answer):
        """Compares the answers to a form's texts."""
        compared, row_count = 0, 0
        for question in QUESTIONS:
            text = texts_of(question)[form]
            with self.subTest(question["name"]):
                self.assertEqual(text.startswith("cannot: "), question["name"] in CANNOT.get(form, ()), text)
                if not text.startswith("cannot: "):
                    expected, found = rows(asked(question)), answer(question, text)
                    self.assertEqual(expected, found, text)
                    compared, row_count = compared + 1, row_count + len(found)
        print(f"{form}: {compared} questions, {row_count} rows")
        self.assertGreater(compared, 20)
        self.assertGreater(row_count, 1000)

    def test_shell(self):
        self.compare("shell", lambda _, text: rows(run(["/bin/sh", "-c", text])))

    def test_curl(self):
        self.compare("curl", lambda _, text: rows(run(["/bin/sh", "-c", text.replace(ORIGIN, self.server.origin)])))

    def test_curl_with_a_token(self):
        token = "a-token-that-is-long-enough"
        (WORK / "token").write_text(token)
        server = Server("--token-file", "token")
        self.addCleanup(server.stop)
        question = QUESTIONS[0]
        text = texts_of(question)["curl-token"].replace(ORIGIN, server.origin)
        printed = run(["/bin/sh", "-c", text], env={**os.environ, "QUOIN_TOKEN": token})
        self.assertEqual(rows(asked(question)), rows(printed))
        self.assertIn("quandl_error", run(["/bin/sh", "-c", text], env={**os.environ, "QUOIN_TOKEN": "another"}))

    def test_sql(self):
        self.compare("sql", lambda _, text: rows(run(["/bin/sh", "-c", text])))

    def test_swift(self):
        self.compare("swift", lambda question, _: rows(run([self.program, str(QUESTIONS.index(question))])))

    def test_python(self):
        def answer(_, text):
            names = {}
            with contextlib.redirect_stdout(io.StringIO()) as printed:
                exec(text, names)
                table = names["rows"].to_arrow()
            self.assertIn(table.column_names[0], printed.getvalue())
            columns = [column.to_pylist() for column in table.columns]
            return [["" if x is None or x != x else value(str(x)) for x in row] for row in zip(*columns)]

        self.compare("python", answer)

    def test_literals(self):
        for number, literal in enumerate(SPELLINGS["literals"]):
            text = literal["text"]
            with self.subTest(repr(text)):
                self.assertEqual(text, eval(literal["python"]))
                self.assertEqual(text.encode(), subprocess.check_output(["/bin/sh", "-c", f"printf %s {literal['shell']}"]))
                self.assertEqual(text.encode(), subprocess.check_output([self.program, f"-{number}"]))
                printed = json.loads(run([PROGRAMS / "quoin", "sql", "--store", STORE, "--format", "json", f"select {literal['sql']} as x"]))
                self.assertEqual(text, printed[0]["x"])


if __name__ == "__main__":
    unittest.main(verbosity=2)
