"""A minute of Schemathesis: questions made up of the server's description, and answers that have to be as described."""

import importlib.metadata
import re
import subprocess
import sys
import tempfile

import common

SECONDS = 60


# A condition is a text, and not every text is a condition; and a parameter without a value counts as absent, as with Quandl. So
# whether a question is refused isn't asked, but whatever is answered has to be as described.
EXCLUDED = "positive_data_acceptance,negative_data_rejection"


def main():
    program = "from schemathesis.cli import schemathesis; schemathesis()"
    options = ["--max-time", str(SECONDS), "--seed", "1", "--exclude-checks", EXCLUDED, "--request-timeout", "20"]
    look = ["--continue-on-failure", "--no-color", "--warnings", "off"]
    with tempfile.TemporaryDirectory() as folder:
        run = subprocess.run(
            [sys.executable, "-c", program, "run", common.URL + "/openapi.json", *options, *look],
            capture_output=True, text=True, check=False, cwd=folder)
    cases = re.search(r"(\d+) generated", run.stdout)
    common.check(run.returncode == 0 and cases and int(cases[1]) >= 100, f"schemathesis says {run.stdout} {run.stderr}")
    version = importlib.metadata.version("schemathesis")
    # How many they are depends on the machine.
    print(f"{cases[1]} questions")
    common.done(f"Schemathesis {version}", f"{SECONDS} seconds of made-up questions", "every answer as described")


main()
