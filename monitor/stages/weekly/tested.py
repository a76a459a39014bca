"""The tests of the week: rows of the ledger in, a sentence or a table out."""

from collections import Counter
from collections.abc import Sequence
from typing import Any

from monitor.stages._report_text import chances, number
from monitor.stages.document.records import Block, Cell, Column, Words, table
from monitor.stages.weekly.gather import Week
from monitor.stages.weekly.wording import day, listed, minute, quiet
from monitor.text.counted_nouns import several

Row = dict[str, Any]

_NOTHING = "no main series has a value in two runs"


def printed(week: Week, looks: Sequence[Row], untested: Sequence[str]) -> list[Block]:
    """What was tested at which tick; one test is a sentence, several are a table."""
    blocks: list[Block] = []
    if any(row["p"] is not None for row in looks):
        blocks.append(_table(week, looks) if len(looks) > 1 else _sentence(week, looks[0]))
    if untested:
        blocks.append(Words(not_tested(untested), "small"))
    return blocks


def not_tested(untested: Sequence[str]) -> str:
    """The jobs that had a tick in the week and no test."""
    return f"Not tested: {'job' if len(untested) == 1 else 'jobs'} {listed(list(untested))}."


def _sentence(week: Week, row: Row) -> Words:
    which = several(row["hypotheses"], "main series", "main series")
    among = several(row["families"], "family", "families")
    selected = several(row["selected"], "family", "families")
    return Words(
        f"Tested in this week: job {row['job']}, run of {day(row['due_at'], week.zone)}: {which} "
        f"in {among}, p of “nothing changed” {chances(row['p'])}, level "
        f"{number(row['alpha'] or 0, 4)}, {selected} selected.",
        "small",
    )


def _table(week: Week, looks: Sequence[Row]) -> Block:
    columns = (
        Column("job"), Column("run", width=1.2), Column("main series", is_number=True),
        Column("families", is_number=True), Column("p of “nothing changed”", is_number=True),
        Column("level", is_number=True), Column("families selected", is_number=True),
    )  # fmt: skip
    often = Counter((row["job"], day(row["due_at"], week.zone)) for row in looks)
    rows = []
    for row in looks:
        date = day(row["due_at"], week.zone)
        tick = minute(row["due_at"], week.zone) if often[row["job"], date] > 1 else date
        numbers = (
            [quiet(_NOTHING), Cell(""), Cell("")]
            if row["p"] is None
            else [Cell(chances(row["p"])), Cell(number(row["alpha"] or 0, 4)),
                  Cell(f"{row['selected']:,}")]
        )  # fmt: skip
        rows.append([Cell(row["job"]), Cell(tick), Cell(f"{row['hypotheses']:,}"),
                     Cell(f"{row['families']:,}"), *numbers])  # fmt: skip
    return table("Tests of this week", columns, rows)
