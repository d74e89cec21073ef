"""Types into the shell of `quoin sql` on a pseudo terminal, and reads what it prints: terminal.py QUOIN STORE FOLDER."""

import os
import pty
import re
import select
import subprocess
import sys
import time

quoin, store, folder = sys.argv[1:]


class Terminal:
    def __init__(self) -> None:
        self.printed = ""
        self.process, self.descriptor = pty.fork()
        if self.process == 0:
            environment = {"TERM": "xterm", "HOME": folder, "XDG_STATE_HOME": f"{folder}/state", "QUOIN_STORE": store, "NO_COLOR": "1", "LANG": "C.UTF-8"}
            os.execve(quoin, [quoin, "sql"], environment)

    def type(self, text: str) -> None:
        os.write(self.descriptor, text.encode())

    def expect(self, pattern: str) -> str:
        """What is printed up to a pattern."""
        end = time.monotonic() + 60
        while (found := re.search(pattern, self.printed)) is None:
            ready, _, _ = select.select([self.descriptor], [], [], max(0.0, end - time.monotonic()))
            if not ready:
                sys.exit(f"{pattern!r} is not printed, but {self.printed!r}")
            try:
                read = os.read(self.descriptor, 65536).decode(errors="replace")
            except OSError:
                read = ""
            if not read:
                sys.exit(f"the shell ended before it printed {pattern!r}: {self.printed!r}")
            self.printed += read
        before, self.printed = self.printed[: found.end()], self.printed[found.end() :]
        return before

    def ask(self, typed: str, pattern: str) -> str:
        self.type(typed + "\r")
        printed = self.expect(pattern)
        self.expect(r"quoin> ")
        return printed

    def end(self, typed: str) -> int:
        """Types what ends the shell, once more on a new line where it was typed before the shell listened."""
        end = time.monotonic() + 60
        try:
            while time.monotonic() < end:
                self.type(typed)
                while select.select([self.descriptor], [], [], 0.5)[0] and os.read(self.descriptor, 65536):
                    pass
                self.type("\x03")
                time.sleep(0.2)
        except OSError:
            return os.waitstatus_to_exitcode(os.waitpid(self.process, 0)[1])
        sys.exit(f"the shell doesn't end at {typed!r}")


listed = subprocess.run([quoin, "tickers", "--format", "csv", "--store", store], capture_output=True, text=True, check=True).stdout
tickers = [line.split(",")[0] for line in listed.splitlines()[1:]]
# One that its first letters tell.
ticker = next(name for name in tickers if len(name) > 2 and sum(other.startswith(name[:-1]) for other in tickers) == 1)

terminal = Terminal()
terminal.expect(r"Quoin [0-9.]+, SQLite 3\.\d+\.\d+\. The store is the table quotes")
terminal.expect(r"quoin> ")

# An answer is a table; a statement may have several lines.
terminal.ask("select ticker, count(*) as days from quotes where ticker = 'KO' group by ticker;", r"ticker +days\s+-+ +-+\s+KO +\d+\s")
terminal.type("select 41 +\r")
terminal.expect(r"  \.\.\.> ")
terminal.ask("1 as answer;", r"answer\s+-+\s+42\s")

# Mistakes are sentences, and the shell goes on.
terminal.ask("select clos from quotes;", r"quoin: no such column: clos; did you mean 'close'\?\s+select clos from quotes;\s+\^")

# Commands.
terminal.ask(".tables", r"\squotes\s")
terminal.ask(".columns", r"ticker\s+date\s+open\s+high")
terminal.ask(".format json", r"")
terminal.ask("select 7 as n, 'x' as t;", r'\[\s+\{"n":7,"t":"x"\}\s+\]')
terminal.ask(".format nothing", r"there is no format 'nothing'; there are csv")
terminal.ask(".format csv", r"")
terminal.ask(".help", r"\.columns TABLE")
terminal.ask(".tabls", r"there is no command '\.tabls'; did you mean '\.tables'\?")

# Those of other shells, and words without a dot.
terminal.ask("show tables;", r"\squotes\s")
terminal.ask("\\d quotes", r"ticker\s+date\s+open\s+high")
terminal.ask("describe quotes;", r"ticker\s+date\s+open\s+high")
terminal.ask(".schema", r"ticker\s+date\s+open\s+high")
terminal.ask("help", r"\.columns TABLE")
terminal.ask(".mode json", r"")
terminal.ask("select 7 as n;", r'"n":7')
terminal.ask(".mode csv", r"")
terminal.ask(".timer on", r"")
terminal.ask("select 7 as n;", r"n\s+7\s+[0-9.]+ m?s")
terminal.ask("\\timing", r"")
with open(f"{folder}/statements.sql", "w") as file:
    file.write("select 20 + 3 as three;\nselect 4 as four")
terminal.ask(f".read {folder}/statements.sql", r"three\s+23\s+four\s+4\s")
terminal.ask(".read nowhere.sql", r"cannot read 'nowhere\.sql'")
terminal.ask(".import x.csv t", r"quoin import FILE")

# The tab key completes columns, a column after the name of its table, tickers in quotes, and commands.
terminal.ask(f"select split_r\t, q.adj_cl\t, ticker from quotes q where ticker = '{ticker[:-1]}\t' limit 1;", rf"split_ratio,adj_close,ticker\s+[0-9.]+,[0-9.]+,{ticker}\s")
terminal.ask(".tab\t", r"\squotes\s")

# Letters of all languages.
terminal.ask("select 'Zürich, 株' as place;", r'place\s+"Zürich, 株"\s')

# Ctrl-C drops what is typed.
terminal.type("select nonsense")
terminal.expect(r"nonsense")
terminal.type("\x03")
terminal.expect(r"quoin> ")
terminal.ask("select 8 as n;", r"n\s+8\s")

# Ctrl-C ends a statement.
terminal.type("with recursive n(i) as (select 1 union all select i + 1 from n) select sum(i) from n;\r")
time.sleep(0.5)
terminal.type("\x03")
terminal.expect(r"quoin: interrupted")
terminal.expect(r"quoin> ")
terminal.ask("select 9 as n;", r"n\s+9\s")

# Also one that waits for Quoin.
windows = " + ".join(f"rank(mad(close, {length}) by day)" for length in range(2000, 2120))
terminal.type(f"select * from quoin_aggregate('quotes', 'sum({windows})');\r")
time.sleep(0.2)
began = time.monotonic()
terminal.type("\x03")
terminal.expect(r"quoin: the question was interrupted")
terminal.expect(r"quoin> ")
if time.monotonic() - began > 1:
    sys.exit(f"Ctrl-C ended a question after {time.monotonic() - began} s")
terminal.ask("select 10 as n;", r"n\s+10\s")

# Ctrl-D ends the shell, and the next one remembers what was typed.
if (status := terminal.end("\x04")) != 0:
    sys.exit(f"the shell ends with {status}")
terminal = Terminal()
terminal.expect(r"quoin> ")
terminal.type("\x1b[A")
terminal.expect(r"select 10 as n;")
terminal.ask("", r"n\s+--\s+10\s")
if (status := terminal.end(".quit\r")) != 0:
    sys.exit(f".quit ends with {status}")
if not os.path.exists(f"{folder}/state/quoin/history"):
    sys.exit("there is no history")
print("the shell does what it should")
