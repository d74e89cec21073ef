"""Random conditions, each in Spark's words and in Quoin's."""

from __future__ import annotations

import datetime

NUMBERS = ["open", "high", "low", "close", "volume", "ex_dividend", "split_ratio", "adj_open", "adj_high", "adj_low", "adj_close", "adj_volume"]
PRICES = [name for name in NUMBERS if name.removeprefix("adj_") in ("open", "high", "low", "close")]


class Conditions:
    """Makes conditions about the values of a store's rows."""

    def __init__(self, random, rows, tickers):
        """`rows` are tuples of ticker, date and NUMBERS, `tickers` all that the store has."""
        self.random, self.rows, self.tickers = random, rows, tickers

    def value(self, name):
        """A value that a row has, or one near it, as a text."""
        place = NUMBERS.index(name) + 2
        value = next((row[place] for row in self.random.choices(self.rows, k=20) if row[place] is not None), 1)
        if name == "volume":
            return str(value + self.random.choice([0, 0, 1, -1, 1000]))
        value = self.random.choice([value, value, value + 0.01, value / 3, -0.0, 1e-5, 12345678.9])
        return f"{value!r}D" if self.random.random() < 0.5 else repr(value) + ("D" if "e" in repr(value) else "")

    def pair(self, level=3):
        """A condition for Spark, and the same for Quoin."""
        kind = self.random.choice(["and", "or", "not", "leaf", "leaf"]) if level > 0 else "leaf"
        if kind == "leaf":
            return self.leaf()
        spark, quoin = self.pair(level - 1)
        if kind == "not":
            return f"not ({spark})", f"not ({quoin})"
        other = self.pair(level - 1)
        return f"({spark}) {kind} ({other[0]})", f"({quoin}) {kind} ({other[1]})"

    def leaf(self):
        choice = self.random.random()
        if choice < 0.15:
            return self.of_tickers()
        if choice < 0.3:
            return self.of_days()
        if choice < 0.37:
            left, right = self.random.sample(PRICES, 2)
            sign = self.random.choice(["<", "<=", ">", ">=", "=", "<>"])
            return f"{left} {sign} {right}", f"{left} {sign} {right}"
        name = self.random.choice(NUMBERS)
        value = lambda: self.value(name)
        plain = lambda text: text.replace("D", "")
        kind = self.random.choice(["compare", "compare", "mirror", "between", "in", "null", "same"])
        if kind == "compare":
            sign, bound = self.random.choice(["<", "<=", ">", ">=", "=", "<>"]), value()
            return f"{name} {sign} {bound}", f"{name} {sign} {plain(bound)}"
        if kind == "mirror":
            sign, bound = self.random.choice(["<", "<=", ">", ">="]), value()
            return f"{bound} {sign} {name}", f"{plain(bound)} {sign} {name}"
        if kind == "between":
            low, high = sorted((value(), value()), key=lambda text: float(plain(text)))
            return f"{name} between {low} and {high}", f"{name} between {plain(low)} and {plain(high)}"
        if kind == "in":
            values = [value() for _ in range(self.random.randint(1, 4))]
            return f"{name} in ({', '.join(values)})", f"{name} in ({', '.join(map(plain, values))})"
        if kind == "null":
            word = self.random.choice(["", "not "])
            return f"{name} is {word}null", f"{name} is {word}missing"
        bound = value()
        if self.random.random() < 0.3:
            return f"{name} <=> null", f"{name} is missing"
        return f"{name} <=> {bound}", f"({name} is not missing and {name} = {plain(bound)})"

    def of_tickers(self):
        tickers, bound = self.tickers, self.random.choice(self.tickers)
        if self.random.random() < 0.3:
            bound = bound[:2] + self.random.choice(["", "a", "~"])
        kind = self.random.choice(["=", "<>", "<", "<=", ">", ">=", "in", "like", "suffix"])
        if kind == "in":
            listed = [*self.random.choices(tickers, k=3), "nobody", tickers[0].lower()]
            chosen = [ticker for ticker in tickers if ticker in listed]
            spark = f"ticker in ({', '.join(map(repr, listed))})"
        elif kind == "like":
            spark, chosen = f"ticker like '{bound[:1]}%'", [ticker for ticker in tickers if ticker.startswith(bound[:1])]
        elif kind == "suffix":
            spark, chosen = f"ticker like '%{bound[-1:]}'", [ticker for ticker in tickers if ticker.endswith(bound[-1:])]
        else:
            holds = {"=": str.__eq__, "<>": str.__ne__, "<": str.__lt__, "<=": str.__le__, ">": str.__gt__, ">=": str.__ge__}[kind]
            spark, chosen = f"ticker {kind} '{bound}'", [ticker for ticker in tickers if holds(ticker, bound)]
        return spark, f"ticker in ({', '.join(map(repr, chosen))})" if chosen else "false"

    def of_days(self):
        day = self.random.choice(self.rows)[1] + datetime.timedelta(self.random.choice([0, 0, 1, -200]))
        kind = self.random.choice(["<", "<=", ">", ">=", "=", "<>", "between", "in"])
        if kind == "between":
            end = day + datetime.timedelta(self.random.randint(0, 2000))
            return f"date between '{day}' and '{end}'", f"date between {day} and {end}"
        if kind == "in":
            days = [day, *(self.random.choice(self.rows)[1] for _ in range(2))]
            return f"date in ({', '.join(f'date {each!s:.0}{repr(str(each))}' for each in days)})", f"date in ({', '.join(map(str, days))})"
        return f"date {kind} date '{day}'", f"date {kind} {day}"
