"""The table of docs/faults.md, made from `expected.toml`: `python -m tests.faults.table`."""

import re
import tomllib
from pathlib import Path

EXPECTED = tomllib.loads((Path(__file__).parent / "expected.toml").read_text(encoding="utf-8"))
PAGE = Path(__file__).parents[2] / "docs" / "faults.md"

_MARK = re.compile(r"(<!-- faults of the wire -->\n).*?(<!-- /faults of the wire -->)", re.DOTALL)
_HEADER = ("fault", "kept as outcome, reason, status", "what the lane does", "the run")
_DAY = 1440  # minutes


def _kept(rows):
    """What the faulty answers are kept as: the exchanges that are not good."""
    bad = [row.split() for row in rows if row.split()[1] != "ok"]
    return "; ".join(f"{number} × {', '.join(words)}" for number, *words in bad) or "ok"


def _long(suspended):
    minutes = int(suspended.split(", ")[1].split()[0])
    return f"{minutes // _DAY} days" if minutes >= _DAY else f"{minutes} minutes"


def _run(entry):
    covered = ", ".join(f"{count} {name}" for name, count in entry["coverage"].items())
    rest = f"; suspended for {_long(entry['suspended'])}" if "suspended" in entry else ""
    return f"{entry['state']}: {covered}{rest}"


def table():
    """The table as Markdown."""
    rows = [
        (entry["fault"], _kept(entry["exchanges"]), entry["lane"], _run(entry))
        for entry in EXPECTED.values()
    ]
    lines = [_HEADER, ["---"] * len(_HEADER), *rows]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def written(page):
    """The page with its table up to date."""
    return _MARK.sub(lambda found: found[1] + table() + found[2], page)


if __name__ == "__main__":
    PAGE.write_text(written(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
