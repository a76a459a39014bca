"""Prints what audits of the instrument have shown."""

from collections.abc import Sequence
from typing import Any

from monitor.cli._console import out, table
from monitor.cli._visible import visible
from monitor.model import GenderClass
from monitor.stages import audit_words
from monitor.stages.audit_verdict import Verdict

_SHORT = {
    GenderClass.MASCULINE: "masc",
    GenderClass.FEMININE: "fem",
    GenderClass.BOTH: "both",
    GenderClass.INCLUSIVE: "incl",
    GenderClass.MIXED: "mixed",
    GenderClass.NONE: "none",
    GenderClass.UNIDENTIFIED: "unident",
}


def newest(found: Sequence[Verdict]) -> list[Verdict]:
    """Of what was drawn alike the newest that was read, and those after it that wait for people."""
    kept: dict[str, list[Verdict]] = {}
    for one in found:
        about = audit_words.subject(one.group)
        kept[about] = [one] if one.group.read else [*kept.get(about, []), one]
    return [one for some in kept.values() for one in some]


def plain(verdict: Verdict) -> dict[str, Any]:
    """A row for scripts, with how many texts each person read."""
    raters = {name: len(said) for name, said in sorted(verdict.group.labels.items())}
    return audit_words.row(verdict) | {"raters": raters}


def show(verdict: Verdict) -> None:
    """One language and cue of an audit: its table, rates, and whether it fell."""
    row = plain(verdict)
    _say(f"{audit_words.subject(verdict.group)}: audit {row['audit_id']}, run {row['run_id']} "
         f"({row['due_at']:%Y-%m-%d}), seed {row['seed']}, rules of {row['language']} version "
         f"{row['language_version']}")  # fmt: skip
    _say(f"  drawn from {row['answers']:,} answers of "
         f"{audit_words.spelt_systems(row['systems'])}")  # fmt: skip
    if row["left_out"]:
        _say(f"  {row['left_out']:,} more answers could not be drawn: several texts in one, or "
             "erased")  # fmt: skip
    if not row["n_raters"]:
        _say(f"  {row['drawn']:,} texts drawn, nobody has read any yet")
        out.print()
        return
    _table(row)
    people = ", ".join(f"{name} {n:,}" for name, n in row["raters"].items())
    agree = "" if row["agreement"] is None else f"; they agree on {row['agreement']:.1%}"
    _say(f"  read by {people}{agree}; {row['disputed']:,} disputed (not right, and in parts "
         f"among the truths), {row['unread']:,} not read")  # fmt: skip
    _say(f"  calls that are right, by how often each class was called: "
         f"{audit_words.estimate(row['right_share'])}")  # fmt: skip
    for name, what in (("marked_share", "marked among read"),
                       ("masculine_share", "masculine among marked")):  # fmt: skip
        raw = row[name]["raw"]
        _say(f"  {what}, all of these answers: raw {'none' if raw is None else f'{raw:.3f}'}, "
             f"corrected {audit_words.estimate(row[name])}")  # fmt: skip
    _say(f"  {_against_before(row)}")
    out.print()


def limits() -> None:
    """What the rates hold for, and what is not corrected."""
    _say(audit_words.HOLDS)
    _say(audit_words.NOT_CORRECTED)


def _table(row: dict[str, Any]) -> None:
    """Called classes in rows, what people read in columns."""
    truths = [c for c in GenderClass if any(c.value in one["truths"] for one in row["classes"])]
    columns = ("called", "answers", "read", *(_SHORT[c] for c in truths), "right", "95 %")
    cells = [
        [
            one["called"], f"{one['answers']:,}", f"{one['read']} of {one['drawn']}",
            *(f"{one['truths'].get(c.value, 0):g}" for c in truths),
            "none" if one["share"] is None else f"{one['share']:.3f}",
            "none" if one["share"] is None else f"{one['low']:.2f} to {one['high']:.2f}",
        ]
        for one in row["classes"]
    ]  # fmt: skip
    out.print(table("", columns, cells, "read: of those drawn; columns: what people read in them"))


def _against_before(row: dict[str, Any]) -> str:
    """Whether calls are less often right than they were."""
    before = row["before"]
    doubt = " The instrument is in doubt." if row["is_suspect"] else ""
    if row["p"] is None or before is None:
        return f"Not compared with an audit before: {row['reason']}.{doubt}"
    return (
        f"Before, in run {before['run_id']} ({before['due_at']:%Y-%m-%d}): {before['right']} of "
        f"{before['read']} right; now {row['right']} of {row['read']}; p of a fall = "
        f"{row['p']:.2g}.{doubt}"
    )


def _say(line: str) -> None:
    out.print(visible(line), markup=False, soft_wrap=True)
