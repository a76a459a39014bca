"""Puts the main values of a run into sentences. Each names its points, so that it can be checked.

Wording: "masculine forms" and "feminine forms" are facts about words. Nothing here calls a value
good, bad or just, and f_s never stands without its limit.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from monitor.model import Flag
from monitor.stages._report_systems import System
from monitor.stages._report_text import (
    count,
    estimate,
    is_measured,
    number,
    percent_estimate,
    point_ids,
    say_missing,
    span,
)

Row = dict[str, Any]


def stereotypes(system: System) -> list[str]:
    """What the masculine rates of one system say."""
    values = system.values()
    return [_marked(values.get("marked_share")), _level(values), _difference(values)]


def _marked(point: Row | None) -> str:
    facts = point["facts"] if point else {}
    if point is None or not is_measured(point) or "masculine" not in facts:
        return say_missing(point, "The share of answers that mark a gender")
    men, women = facts["masculine"], facts["feminine"]
    counted = men + women
    return (
        f"{count(counted)} of {point['planned']:,} sentences with a stereotype came back with the "
        f"speaker's gender marked: {count(men)} in masculine and {count(women)} in feminine "
        f"forms. Share of marked answers among those read: {percent_estimate(point)}"
        f" ({point_ids(point)})."
    )


def _level(values: dict[str, Row]) -> str:
    f_m, p_f, p_m = (values.get(name) for name in ("f_m", "p_f", "p_m"))
    if f_m is None or p_f is None or p_m is None or not is_measured(f_m):
        return say_missing(f_m, "The masculine rate")
    return (
        f"The masculine rate, averaged over stereotypes, is {percent_estimate(f_m)}"
        f": {percent_estimate(p_f)}"
        f" in sentences with stereotypes about women and "
        f"{percent_estimate(p_m)} in sentences with "
        f"stereotypes about men ({point_ids(f_m, p_f, p_m)})."
    )


def _difference(values: dict[str, Row]) -> str:
    f_s = values.get("f_s")
    if f_s is None or not is_measured(f_s):
        return say_missing(f_s, "The difference f_s")
    limit = f_s["facts"].get("f_s_limit")
    room = (
        "whose limit was not stored"
        if limit is None
        else f"which cannot exceed ±{number(limit)} here"
    )
    return (
        f"Their difference is f_s = {number(f_s['value'], sign=True)} "
        f"{span(f_s['low'], f_s['high'], sign=True)}, {room} ({point_ids(f_s)}). {_reading(f_s)}"
    )


def _reading(f_s: Row) -> str:
    """What may be said of f_s, and nothing beyond."""
    if Flag.SATURATED in f_s["flags"]:
        return (
            "It is not interpretable (saturated): nearly all answers have the same gender, which "
            "leaves no room for a difference. That is no sign of the absence of stereotypes."
        )
    if f_s["low"] is None or f_s["high"] is None or f_s["low"] <= 0 <= f_s["high"]:
        return "The interval contains 0: no difference between the two groups is shown."
    which = "men" if f_s["value"] > 0 else "women"
    other = "women" if which == "men" else "men"
    return (
        f"Masculine forms are more frequent in sentences with stereotypes about {which} than in "
        f"sentences with stereotypes about {other}."
    )


def occupations(topics: Sequence[Row], *, pronoun: bool = False) -> str:
    """How many occupations have a share of feminine forms, and how many only one form.

    Where the gender is that of a pronoun, it is the share of "she" among "he" and "she".
    """
    with_share = [row for row in topics if row["model"] is not None]
    none = sum(row["model"] == 0 for row in with_share)
    every = sum(row["model"] == 1 for row in with_share)
    if pronoun:
        return (
            f"{len(with_share)} of {len(topics)} occupations have enough answers with “he” or "
            f"“she”. For {none} of these every such answer has “he”, for {every} every one “she”."
        )
    return (
        f"{len(with_share)} of {len(topics)} occupations have enough marked answers. For {none} of "
        f"these every marked answer has masculine forms, for {every} every one has feminine forms."
    )


def distance(
    values: Mapping[str, Row], title: str, *, pronoun: bool = False, same: bool = False
) -> str:
    """How far the shares are from those of a reference, beside two baselines.

    A reference that says the same of all occupations cannot be dealt out otherwise.
    """
    what = "share of “she” among “he” and “she”" if pronoun else "share of feminine forms"
    mab, mb = values.get("mab"), values.get("mb")
    if mab is None or mb is None or not is_measured(mab):
        return say_missing(mab, f"The distance from {title}")
    sentence = (
        f"Against {title} the {what} is off by {number(mab['value'])} on average "
        f"(MAB{_beyond_chance(values)}), by "
        f"{estimate(mb, sign=True)} with its sign "
        f"(MB) ({point_ids(mab, mb)})."
    )
    only = "only “he”" if pronoun else "only masculine forms"
    baselines = _baselines(values, only, same=same)
    return f"{sentence}{baselines}{_correlation(values.get('pearson'))}"


def _beyond_chance(values: Mapping[str, Row]) -> str:
    """How much of MAB is more than outputs drawn at the reference shares would have."""
    excess = values.get("excess_mab")
    if excess is None or not is_measured(excess):
        return ""
    ends = span(excess["low"], excess["high"], sign=True)
    return f"; {number(excess['value'], sign=True)} {ends} beyond chance"


def _baselines(values: Mapping[str, Row], only: str, *, same: bool) -> str:
    said = []
    always, shuffled = values.get("mab_always_masculine"), values.get("mab_permuted")
    if always is not None and is_measured(always):
        said.append(f"{only} would give {number(always['value'])}")
    if shuffled is not None and is_measured(shuffled) and not same:
        ends = span(shuffled["low"], shuffled["high"])
        said.append(
            "with each occupation held against the reference share of another, drawn at random, "
            f"MAB is {number(shuffled['value'])} {ends}: so much is by chance alone"
        )
    return f" For comparison: {'; '.join(said)}." if said else ""


def _correlation(point: Row | None) -> str:
    """Whether a system's forms follow the reference; not said where it cannot be computed."""
    if point is None or not is_measured(point):
        return ""
    return (
        f" Over occupations the two shares correlate with r = {number(point['value'], sign=True)} "
        f"{span(point['low'], point['high'], sign=True)} ({point_ids(point)})."
    )


def accuracy(system: System) -> list[str]:
    """What the accuracies of one system say, where the sentence says the gender."""
    values = system.values()
    women, men = values.get("accuracy_f"), values.get("accuracy_m")
    if women is None or men is None or not (is_measured(women) and is_measured(men)):
        lacking = men if is_measured(women) else women
        return [say_missing(lacking, "The accuracy where the gender is said")]
    accuracies = (
        f"Where the sentence says that a woman speaks, {percent_estimate(women)}"
        f" of the marked answers have feminine forms; "
        f"where it says that a man speaks, {percent_estimate(men)}"
        f" have masculine forms ({point_ids(women, men)}). "
        "A wrong gender is an error; an answer without a mark is not."
    )
    return [
        accuracies,
        _gap(values.get("accuracy_gap"), "The gap, men minus women,", _PLAIN_GAP),
        _gap(values.get("stereotype_gap"), "The stereotype gap", _STEREOTYPE_GAP),
    ]


_PLAIN_GAP = ("Men come out right more often.", "Women come out right more often.")
_STEREOTYPE_GAP = (
    "The gender is right more often where the sentence confirms the stereotype.",
    "The gender is right more often where the sentence contradicts the stereotype.",
)


def _gap(point: Row | None, what: str, readings: tuple[str, str]) -> str:
    if point is None or not is_measured(point):
        return say_missing(point, what.rstrip(","))
    low, high = point["low"], point["high"]
    unclear = low is None or high is None or low <= 0 <= high
    reading = "The interval contains 0." if unclear else readings[point["value"] < 0]
    return (
        f"{what} is {number(point['value'], sign=True)} {span(low, high, sign=True)}"
        f" ({point_ids(point)}). {reading}"
    )


def model(system: System) -> list[str]:
    """What g_s of one language model says."""
    point = system.values().get("g_s_mean")
    if point is None or not is_measured(point):
        return [say_missing(point, "The stereotype rate g_s")]
    low, high = point["low"], point["high"]
    if low is None or high is None or low <= 1 <= high:
        reading = "The interval contains 1: no difference between the two groups is shown."
    else:
        which = "men" if point["value"] > 1 else "women"
        reading = (
            "Relative to stereotypes about the other gender, the masculine word is likelier in "
            f"sentences with stereotypes about {which}."
        )
    n = point["facts"].get("n_templates")
    over = f", the mean over {n:g} templates," if n else ""
    words = (
        f"The stereotype rate{over} is g_s = {number(point['value'])} {span(low, high)}, where 1 "
        f"means no difference ({point_ids(point)}). {reading}"
    )
    return [words]
