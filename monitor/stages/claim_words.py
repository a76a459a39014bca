"""Say what is claimed of a change, and on what: the same words on every page and report. Pure.

Claim A is about these questions: the system's answers changed. Claim B goes beyond the list: the
system treats sentences like these differently.
"""

from collections.abc import Mapping

from monitor.change import Cause, ChangeKind, Role, Status
from monitor.stages._report_text import chances
from monitor.text.counted_nouns import several

STATUS = {
    Status.CONFIRMED: "Confirmed",
    Status.CANDIDATE: "Unconfirmed signal: more runs will decide",
    Status.REFUTED: "Not reproduced: a later run did not show it",
    Status.UNCONFIRMED: "Unconfirmed: it was not asked again",
    Status.RETROSPECTIVE: "Unconfirmed signal, found in retrospect",
}
HOLDS_BEYOND = "Also holds beyond this list"
NOT_SHOWN_BEYOND = "Not shown beyond this list"


def holds_beyond(p: float | None, alpha: float | None) -> bool:
    """Return whether a change was shown to hold beyond its list."""
    return p is not None and alpha is not None and p <= alpha


def say_beyond(kind: str, role: str, status: str, p: float | None, alpha: float | None) -> str:
    """Return what is known beyond the list, as a sentence; empty where nothing is claimed."""
    if kind == ChangeKind.SHIFT or role != Role.PRIMARY or status != Status.CONFIRMED:
        return ""
    if p is None or alpha is None:
        return f"{NOT_SHOWN_BEYOND}: there is no test of it."
    said = HOLDS_BEYOND if holds_beyond(p, alpha) else NOT_SHOWN_BEYOND
    return f"{said}: p {chances(p)}, level {chances(alpha)}, clustered by what sentences are about."


def say_order(kind: str, status: str, facts: Mapping[str, float]) -> str:
    """Return the order of runs that a change rests on, as a sentence; empty where it has none."""
    chance = facts.get("chance")
    if chance is None:
        return ""
    order = _order(kind, status, facts)
    if facts["by_ticks"]:
        order += ", counted by due time, because runs of one due time are alike"
    order += f". While nothing changes, 1 in {1 / chance:,.0f} orders is like that."
    needed = facts.get("runs_needed")
    if status == Status.CANDIDATE and needed is not None:
        order += f" {several(int(needed), 'run')} decide."
    return order


def _order(kind: str, status: str, facts: Mapping[str, float]) -> str:
    """Return `All 4 runs since lie above the 20 runs before`, or what else the order is."""
    exceptions, n_since = int(facts.get("exceptions", 0)), int(facts["runs_since"])
    before = several(int(facts["runs_before"]), "run")
    if kind == ChangeKind.DRIFT:
        before = f"first {before}"
    which = f"all but {exceptions} of the {before}" if exceptions else f"the {before}"
    beyond = f"{'above' if facts['up'] else 'below'} {which}"
    if kind == ChangeKind.DRIFT:
        return f"The last {several(n_since, 'run')} lie {beyond}"
    if status == Status.REFUTED:
        return f"{several(n_since, 'run')} since lay {beyond} before, the next one did not"
    if n_since == 1:
        return f"The run since lies {beyond} before"
    return f"All {n_since:,} runs since lie {beyond} before"


def say_size(facts: Mapping[str, float]) -> str:
    """Return where the announced size comes from; empty where it is that of one tick."""
    if "size_runs" not in facts:
        return ""
    count = several(int(facts["size_runs"]), "run")
    if facts["size_from_later"]:
        return f"Size: from {count} after the decision, which decided nothing."
    return (
        f"Size: from the {count} that decided, until the next scheduled run; it may be slightly "
        "too large."
    )


def say_unknown_cause(cause: str) -> str:
    """Return what ends a headline whose cause is not determined; empty for any other cause."""
    return ", cause not determined" if cause == Cause.OPEN else ""
