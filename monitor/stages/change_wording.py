"""Puts a change into one sentence, always with its interval and what it rests on. Pure.

Wording is generated and careful: f_s rises when a masculine default relaxes, so "more
stereotypical" is said only where s_or changed the same way.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

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
class Moved:
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


def sentence(moved: Moved, where: str, beside: Mapping[str, Moved], level: float) -> str:
    """What a finding says.

    `where` names engine, questions and target; `beside` holds the other quantities of the same
    measure over all probes, `level` is the one that was kept.
    """
    words = (
        f"{where}: {moved.title} ({moved.quantity}) "
        f"{_went(moved.before, moved.after)} ({_change(moved)}); {_answers(moved)}."
    )
    suspect = suspect_words(moved.facts)
    return words + _stereotypes(moved, beside, level) + (f" {suspect}" if suspect else "")


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


def _answers(moved: Moved) -> str:
    """`12 of 300 answers changed`."""
    return f"{moved.changed:,} of {moved.n:,} answers changed"


def _change(moved: Moved) -> str:
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


def _stereotypes(moved: Moved, beside: Mapping[str, Moved], level: float) -> str:
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


def _from_to(rate: Moved) -> str:
    """The share of feminine forms, of the masculine rate."""
    return _went(1 - rate.before, 1 - rate.after)


def _more(moved: Moved, ratio: Moved | None, level: float) -> str:
    """Whether f_s means more or less stereotypical answers: only where s_or changed as well."""
    if moved.quantity != "f_s":
        return ""
    if ratio is None or ratio.p is None or ratio.p > level:
        return f" {NOT_SHOWN}"
    if ratio.delta * moved.delta <= 0:
        return f" {OTHER_WAY}"
    return f" {MORE if moved.delta > 0 else LESS}"
