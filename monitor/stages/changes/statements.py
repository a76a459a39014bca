"""Sentences about a change: its size and interval, and what is claimed of it. Pure.

Wording is generated and careful: f_s rises when a masculine default relaxes, so "more
stereotypical" is said only where s_or changed the same way.

Claim A is about these questions: the system's answers changed. Claim B goes beyond the list: the
system treats sentences like these differently.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

from monitor.change import Cause, ChangeKind, Role, Status
from monitor.stages.changes.due_times import UNKNOWN, DueTimes
from monitor.stages.document.notation import say_test
from monitor.text.counted_nouns import several

# --- change and interval --------------------------------------------------------------------------

#: Begins what is said of another version of the software that asks.
SOFTWARE_CHANGED = "Our software changed too"
#: Said of a control that was asked on both sides, whether it changed or not.
CONTROL_COUNTED = "answers of the control"
#: Said where a control was asked and did not change beyond its noise.
CONTROL_STILL = "the control did not move"
#: What is said of a change of f_s, whether answers became more stereotypical.
NOT_SHOWN = (
    "Whether it became more or less stereotypical is not shown: f_s alone changes when a masculine "
    "default does, and no change of s_or was shown."
)
OTHER_WAY = "It did not become more stereotypical: s_or changed the other way."
MORE, LESS = (
    f"It became {more} stereotypical: s_or changed the same way." for more in ("more", "less")
)


@dataclass(frozen=True, slots=True)
class QuantityMove:
    """One quantity between two ticks, on the same questions."""

    quantity: str
    title: str
    before: float
    after: float
    delta: float
    low: float | None
    high: float | None
    p: float | None
    n: int
    changed: int
    facts: Mapping[str, float] = field(default_factory=dict)


def say_change(
    moved: QuantityMove, where: str, beside: Mapping[str, QuantityMove], level: float
) -> str:
    """Return what a finding says.

    `where` names engine, questions and target; `beside` holds the other quantities of the same
    measure over all probes, `level` is the one that was kept.
    """
    words = (
        f"{where}: {moved.title} ({moved.quantity}) "
        f"{_went(moved.before, moved.after)} ({_say_change(moved)}); "
        f"{moved.changed:,} of {moved.n:,} answers changed."
    )
    suspect = suspect_words(moved.facts)
    return words + _say_stereotypes(moved, beside, level) + (f" {suspect}" if suspect else "")


def missing_words(facts: Mapping[str, float]) -> str:
    """Return what missing answers could make of a change, from the facts of its comparison.

    Empty where no answer is missing, or where it is not known.
    """
    low, high = facts.get("bound_low"), facts.get("bound_high")
    bounds = ""
    if low is not None and high is not None and low < high:
        bounds = f"Bounds: {low:+z.3f} to {high:+z.3f}, whatever the missing answers are."
    return " ".join(filter(None, (bounds, suspect_words(facts))))


def suspect_words(facts: Mapping[str, float]) -> str:
    """Return that a change may be due to missing answers; empty where nothing says so."""
    if not facts.get("missing_suspect"):
        return ""
    return (
        "It may be due to missing answers: "
        f"{facts.get('became_missing', 0):,.0f} usable before are missing after, "
        f"{facts.get('was_missing', 0):,.0f} usable after were missing before."
    )


def _say_change(moved: QuantityMove) -> str:
    """`+0.050, 95 % interval +0.030 to +0.070`."""
    if moved.low is None or moved.high is None:
        return f"{moved.delta:+.3f}, without an interval"
    return f"{moved.delta:+.3f}, 95 % interval {moved.low:+.3f} to {moved.high:+.3f}"


def _went(before: float, after: float) -> str:
    """`rose from 0.241 to 0.291`, or `stayed at 0.083` where both are written alike."""
    first, second = f"{before:z.3f}", f"{after:z.3f}"
    if first == second:
        return f"stayed at {first}"
    return f"{'rose' if after > before else 'fell'} from {first} to {second}"


def _by(delta: float) -> str:
    """`rose by 0.050`, or that it stayed."""
    size = f"{abs(delta):.3f}"
    if float(size) == 0:
        return "stayed where it was"
    return f"{'rose' if delta > 0 else 'fell'} by {size}"


def _say_stereotypes(moved: QuantityMove, beside: Mapping[str, QuantityMove], level: float) -> str:
    """What a change of a masculine rate is made of (Pikuliak et al. 2023): both kinds of sentences.

    Only where both are known, and not where the finding is one of them: it has been said then.
    """
    women, men = beside.get("p_f"), beside.get("p_m")
    if women is None or men is None or moved.quantity not in ("f_s", "f_m", "s_or"):
        return ""
    words = (
        f" Feminine forms {_from_to(women)} in sentences about stereotypes of women and "
        f"{_from_to(men)} in those about men"
    )
    whole = beside.get("f_m")
    if whole is not None and moved.quantity != "f_m":
        words += f"; f_m {_by(whole.delta)}"
    return f"{words}.{_more(moved, beside.get('s_or'), level)}"


def _from_to(rate: QuantityMove) -> str:
    """The share of feminine forms, of the masculine rate."""
    return _went(1 - rate.before, 1 - rate.after)


def _more(moved: QuantityMove, ratio: QuantityMove | None, level: float) -> str:
    """Whether f_s means more or less stereotypical answers: only where s_or changed as well."""
    if moved.quantity != "f_s":
        return ""
    if ratio is None or ratio.p is None or ratio.p > level:
        return f" {NOT_SHOWN}"
    if ratio.delta * moved.delta <= 0:
        return f" {OTHER_WAY}"
    return f" {MORE if moved.delta > 0 else LESS}"


# --- claims ---------------------------------------------------------------------------------------

STATUS = {
    Status.CONFIRMED: "Confirmed: enough runs agree",
    Status.CANDIDATE: "Unconfirmed signal: more runs will decide",
    Status.REFUTED: "Not reproduced: a later run did not show it",
    Status.UNCONFIRMED: "Unconfirmed: it was not asked again",
    Status.RETROSPECTIVE: "Unconfirmed signal, found in retrospect",
}
#: What a change is put down to.
CAUSE = {
    Cause.ENGINE: "the engine, not an update of our own software",
    Cause.OPEN: "not determined",
    Cause.PARSER: "our parser",
    Cause.LANGUAGE: "our rules that find gender in texts",
    Cause.LEXICON: "our lexicon",
    Cause.MEASURE: "our measure",
    Cause.LIST: "another list of questions",
    Cause.TARGET: "other reference shares",
    Cause.LABELS: "other labels",
    Cause.INSTRUMENT: "our instrument: a control changed as well, or our own reading is in doubt",
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
    text = HOLDS_BEYOND if holds_beyond(p, alpha) else NOT_SHOWN_BEYOND
    return f"{text}: {say_test(p, alpha)}, clustered by what sentences are about."


def say_order(kind: str, status: str, facts: Mapping[str, float], times: DueTimes = UNKNOWN) -> str:
    """Return the order of runs that a change rests on, as a sentence; empty where it has none."""
    chance = facts.get("chance")
    if chance is None:
        return ""
    order = _order(kind, status, facts, times)
    if facts["by_ticks"]:
        order += ", counted by due time, because runs of one due time are alike"
    order += (
        f". If nothing had changed, 1 in {1 / chance:,.0f} orders of these runs would look like "
        "that; this is not the chance that the finding is wrong."
    )
    needed = facts.get("runs_needed")
    if status == Status.CANDIDATE and needed is not None:
        order += f" {several(int(needed), 'run')} decide."
    return order


def _order(kind: str, status: str, facts: Mapping[str, float], times: DueTimes) -> str:
    """Return `All 4 runs since lie above the 20 runs before`, or what else the order is."""
    exceptions, n_since = int(facts.get("exceptions", 0)), int(facts["runs_since"])
    is_drift = kind == ChangeKind.DRIFT
    before = say_runs(int(facts["runs_before"]), times.before, "" if is_drift else " before")
    odd = several(exceptions, "run") if has_repeats(facts, times) else f"{exceptions}"
    which = f"all but {odd} of the " if exceptions else "the "
    beyond = f"{'above' if facts['up'] else 'below'} {which}{'first ' if is_drift else ''}{before}"
    if is_drift:
        return f"The last {say_runs(n_since, times.since)} lie {beyond}"
    since = say_runs(n_since, times.since, " since")
    if status == Status.REFUTED:
        return f"{since} lay {beyond}, the next one did not"
    if n_since == 1:
        return f"The run since lies {beyond}"
    return f"All {since} lie {beyond}" if times.since != 1 else f"All runs of {since} lie {beyond}"


def say_runs(n_runs: int, n_times: int | None, place: str = "") -> str:
    """Return `4 runs`, or `3 due times (7 runs with repeats)` where some were asked again."""
    if n_times is None or n_times >= n_runs:
        return f"{several(n_runs, 'run')}{place}"
    return f"{several(n_times, 'due time')}{place} ({n_runs:,} runs with repeats)"


def has_repeats(facts: Mapping[str, float], times: DueTimes) -> bool:
    """Return whether some of the runs that a change rests on asked a due time again."""
    sides = (("before", times.before), ("since", times.since))
    return any(n is not None and n < facts.get(f"runs_{side}", 0) for side, n in sides)


def say_size(facts: Mapping[str, float], times: DueTimes = UNKNOWN) -> str:
    """Return where the announced size comes from; empty where it is that of one tick."""
    if "size_runs" not in facts:
        return ""
    count = several(int(facts["size_runs"]), "run")
    count += " (repeats included)" if has_repeats(facts, times) else ""
    if facts["size_from_later"]:
        return f"Size: from {count} after the decision, which decided nothing."
    return (
        f"Size: from the {count} that decided, until the next scheduled run; it may be slightly "
        "too large."
    )


#: Causes on our own side: the system itself has not changed by them.
OUR_CAUSES = {
    Cause.PARSER: "our reader of pages changed",
    Cause.LANGUAGE: "our rules that find gender in texts changed",
    Cause.LEXICON: "our lexicon changed",
    Cause.MEASURE: "our computation changed",
    Cause.LIST: "our questions changed",
    Cause.TARGET: "the shares that we compare with changed",
    Cause.LABELS: "our records of people changed",
    Cause.INSTRUMENT: "our own control system moved as well",
}


def say_our_part(cause: str, because: str) -> str:
    """Return what changed on our own side with a finding; empty where nothing did."""
    updated = "our own software was updated" if is_updated(cause, because) else ""
    return OUR_CAUSES.get(Cause(cause), updated)


def is_updated(cause: str, because: str) -> bool:
    """Return whether our own software was updated, so that the cause is not determined."""
    return cause == Cause.OPEN and SOFTWARE_CHANGED in because


def is_control_still(cause: str, because: str) -> bool:
    """Return whether a control was asked beside a change and did not move."""
    return cause in (Cause.ENGINE, Cause.OPEN) and CONTROL_COUNTED in because


def explain_cause(cause: str, because: str) -> str:
    """Return why a change has its cause; that its control did not move comes first."""
    still = f"{CONTROL_STILL.capitalize()}. " if is_control_still(cause, because) else ""
    return f"{still}{because}"


CAUSE_UNKNOWN = "cause not determined"
#: Said where a control was asked alike and did not change, and no new version of our software
#: explains it. That our software reads the answers rightly is another check.
CAUSE_NOT_OURS = "not from an update of our own software"

#: Said where numbers moved with something of ours.
UNTOLD = "whether the system changed cannot be said"


def say_began(kind: str) -> str:
    """Return the words before the day of a change; a drift has no single day."""
    return "slow drift, clear by" if kind == ChangeKind.DRIFT else "since"


def say_when(kind: str, day: str) -> str:
    """Return the day of a change as it stands alone: `23 Mar`, `slow drift, clear by 30 Mar`."""
    return f"{say_began(kind)} {day}" if kind == ChangeKind.DRIFT else day


def say_moved(kind: str, our_part: str, day: str) -> str:
    """Return what happened to a system: `changed 23 Mar`, `slow drift, clear by 30 Mar`.

    `our_part` is what changed on our own side, so that the system may not have changed.
    """
    if our_part:
        return f"moved since {day} ({our_part})"
    return say_when(kind, day) if kind == ChangeKind.DRIFT else f"changed {day}"


def say_unknown_cause(cause: str) -> str:
    """Return what ends a headline whose cause is not determined; empty for any other cause."""
    return f", {CAUSE_UNKNOWN}" if cause == Cause.OPEN else ""
