"""What the documents show is run: docstrings, both READMEs, the examples, and one of them as a notebook."""

from __future__ import annotations

import contextlib
import doctest
import importlib
import importlib.util
import io
import os
import re
import subprocess
import sys
import unittest
from pathlib import Path

import nbformat
from nbclient import NotebookClient

import quoindb
from support import ROOT, live_count, sample_folder

EXAMPLES = ROOT / "Python/examples"


class DocumentTests(unittest.TestCase):
    def setUp(self) -> None:
        self.addCleanup(os.chdir, os.getcwd())
        os.chdir(sample_folder())

    def test_the_examples_in_docstrings_are_right(self) -> None:
        count = 0
        for file in Path(quoindb.__file__).parent.glob("*.py"):
            if file.stem == "qlib" and importlib.util.find_spec("qlib") is None:
                continue
            module = importlib.import_module("quoindb" if file.stem == "__init__" else f"quoindb.{file.stem}")
            found = doctest.testmod(module, extraglobs={"quoindb": quoindb, "store": quoindb.open("quoin-store")}, verbose=False)
            self.assertEqual(found.failed, 0, module)
            count += found.attempted
        self.assertGreater(count, 15)
        self.assertEqual(live_count(), 0)

    def test_the_package_has_the_language(self) -> None:
        self.assertEqual(quoindb.language(), (ROOT / "docs/language.md").read_text("utf-8"))
        self.assertIn("| `rsi(close, 14)` |", quoindb.language())

    def test_no_document_installs_a_stranger_in_our_name(self) -> None:
        """`quoin` on the Python index is another project, whose module and command have that name too."""
        files = subprocess.run(["git", "-C", ROOT, "ls-files", "*.md", "*.py", "*.swift", "*.mustache"], capture_output=True, text=True, check=True).stdout
        installs, imports = re.compile(r"pip3? install [^\n`]*"), re.compile(r"^[ >]*(?:import|from) quoin\b", re.MULTILINE)
        seen = 0
        for file in files.splitlines():
            text = (ROOT / file).read_text("utf-8")
            for command in installs.findall(text):
                seen += 1
                self.assertIsNone(re.search(r"""install .*(?<![\w/.-])quoin(?![\w/.-])""", command), f"{file}: {command}")
            self.assertIsNone(imports.search(text) if not file.endswith(".swift") else None, file)
        self.assertGreater(seen, 4)

    def test_the_packages_readme_runs(self) -> None:
        blocks = _blocks((ROOT / "Python/README.md").read_text())
        self.assertGreater(len(blocks), 3)
        names: dict[str, object] = {}
        for block in blocks:
            with contextlib.redirect_stdout(io.StringIO()):
                exec(compile(block, "README.md", "exec"), names)

    def test_the_lines_of_readme_print_what_they_say(self) -> None:
        section = (ROOT / "docs/embedding.md").read_text().split("## From Python", 1)[1].split("\n## ", 1)[0]
        (block,) = _blocks(section)
        self.assertLessEqual(len(block.strip().splitlines()), 6)
        output = io.StringIO()
        with contextlib.redirect_stdout(output):
            exec(compile(block, "README.md", "exec"), {})
        (expected,) = re.findall(r"```text\n(.*?)```", section, re.DOTALL)
        self.assertEqual(output.getvalue(), expected)

    def test_the_examples_run(self) -> None:
        scripts = sorted(EXAMPLES.glob("*.py"))
        self.assertGreater(len(scripts), 3)
        for script in scripts:
            if script.name == "ray_partitions.py" and importlib.util.find_spec("ray") is None:
                print("SKIPPED: ray_partitions.py: there is no Ray here")
                continue
            done = subprocess.run([sys.executable, "-W", "error::DeprecationWarning:__main__", script], capture_output=True, text=True)
            self.assertEqual(done.returncode, 0, f"{script.name}: {done.stderr}")

    def test_an_example_is_a_notebook(self) -> None:
        notebook = _notebook((EXAMPLES / "screening.py").read_text())
        NotebookClient(notebook, timeout=120, kernel_name="python3", resources={"metadata": {"path": sample_folder()}}).execute()
        tables = [output["data"]["text/html"] for cell in notebook.cells if cell.cell_type == "code"
                  for output in cell.outputs if output.output_type == "execute_result" and "text/html" in output["data"]]
        # A scan, a frame of pandas, aggregates, a frame of Polars.
        self.assertEqual(len(tables), 4)
        self.assertIn("<th>ticker</th><th>date</th><th>close</th><th>gain</th><th>times</th>", tables[0])
        self.assertRegex(tables[0], r"<td>[A-Z_]+</td><td>20\d\d-\d\d-\d\d</td><td>[\d.]+</td>")
        self.assertIn("<th>month</th>", tables[2])


def _blocks(text: str) -> list[str]:
    return re.findall(r"```python\n(.*?)```", text, re.DOTALL)


def _notebook(script: str) -> nbformat.NotebookNode:
    """The cells of a script that are marked by `# %%`."""
    notebook = nbformat.v4.new_notebook()
    for cell in re.split(r"^# %%", script, flags=re.MULTILINE)[1:]:
        kind, _, source = cell.partition("\n")
        if "[markdown]" in kind:
            notebook.cells.append(nbformat.v4.new_markdown_cell(re.sub(r"^# ?", "", source.strip(), flags=re.MULTILINE)))
        else:
            notebook.cells.append(nbformat.v4.new_code_cell(source.strip()))
    return notebook


if __name__ == "__main__":
    unittest.main()
