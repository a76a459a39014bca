"""Check what supports a published change: one answer per question, with its reason. Pure.

A failed check says what it weakens. Software lists the support; people decide what to print.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from monitor.change import Cause, ChangeKind, Status
from monitor.model import Kind, QuantityUnit
from monitor.stages._report_names import language_name
from monitor.stages._report_text import chances
from monitor.stages.as_declared import REGISTRATION, Because
from monitor.stages.attribution import SOFTWARE_CHANGED
from monitor.stages.weekly.names import about
from monitor.text.counted_nouns import several
from monitor.text.quantity_values import say_change, say_change_interval, say_size, say_value

Content = Mapping[str, Any]

SOFTWARE_QUESTION = "Was our software unchanged?"
_ANSWERS = {True: "yes", False: "no", None: "not known"}
_NOT_SHOWN = "What is known of it is not public here."
_OURS = "may come from our software"


@dataclass(frozen=True, slots=True)
class Support:
    """One check of a finding.

    `holds` is whether it supports the finding, None where that is not known. `answer` is that of
    the question, `badge` a short form for overviews.
    """

    question: str
    holds: bool | None
    answer: str
    reason: str
    badge: str


def support(content: Content) -> list[Support]:
    """Return the checks of a change or a point, from the content of its claim card."""
    checks = [_registered(content), _detection(content)]
    if content["kind"] == "change":
        before = [_repeated(content), _software(content), _noise(content), _beyond(content)]
        checks = [*before, *checks, _missing(content)]
    return checks


def count_supports(checks: list[Support]) -> str:
    """Return `4 of 7 checks`."""
    return f"{sum(check.holds is True for check in checks)} of {several(len(checks), 'check')}"


def _check(
    question: str, holds: bool | None, reason: str, badge: str, *, answer: str = ""
) -> Support:
    return Support(question, holds, answer or _ANSWERS[holds], reason, badge)


def _unit(content: Content) -> QuantityUnit:
    series = content["series"]
    return about(series["measure"], series["quantity"], series["engine_kind"]).meaning.unit


def _repeated(content: Content) -> Support:
    question, status = "Repeated?", content["status"]
    again, effect = content["again"], content["effect"]["value"]
    n_since = int(content["facts"].get("runs_since", 0))
    asked = _asked_again(content)
    if status == Status.REFUTED:
        reason = f"{asked} A later run did not show it: it is no finding."
        return _check(question, False, reason.strip(), "not reproduced")
    if status == Status.RETROSPECTIVE:
        reason = "Found by looking back over old runs and not asked again: it may be chance."
        return _check(question, False, reason, "found in retrospect, not repeated")
    if status == Status.CANDIDATE:
        reason = f"{asked} Too few runs so far to decide: it may be chance."
        return _check(question, None, reason.strip(), "not decided yet")
    if asked and again["delta"] * effect > 0:
        return _check(question, True, asked, "asked again: same result")
    if status == Status.CONFIRMED and n_since > 1:
        which = "last" if content["change_kind"] == ChangeKind.DRIFT else "later"
        reason = f"{n_since} {which} runs show it. {asked}".strip()
        return _check(question, True, reason, f"seen in {n_since} runs")
    if asked:
        reason = f"{asked} That is not in the same direction."
        return _check(question, False, reason, "asked again: not the same result")
    reason = "Not asked again: a passing fault of the service would look the same."
    return _check(question, False, reason, "not asked again")


def _asked_again(content: Content) -> str:
    """Return what asking again gave beside the first size; empty where it was not asked again."""
    again, effect = content["again"], content["effect"]["value"]
    if again is None or again["delta"] is None or effect is None:
        return ""
    unit = _unit(content)
    interval = say_change_interval(unit, again["low"], again["high"])
    size = say_change(unit, again["delta"]) + (f" ({interval})" if interval else "")
    return (
        f"Asked again on {again['due_at']:%Y-%m-%d}: {several(again['n'], 'question')}, {size}; "
        f"first {say_change(unit, effect)}."
    )


def _software(content: Content) -> Support:
    question, cause = SOFTWARE_QUESTION, content["cause"]
    reason = content["because"] or _NOT_SHOWN
    is_changed = SOFTWARE_CHANGED in content["because"]
    if cause == Cause.ENGINE:
        badge = "our software did not cause it; why the service changed is not known"
        answer = "no, but ruled out as the cause" if is_changed else ""
        return _check(question, True, reason, badge, answer=answer)
    if cause == Cause.OPEN and not is_changed:
        reason = f"Cause: not determined. {reason}"
        return _check(question, None, reason, "cause not determined")
    if cause == Cause.OPEN:
        reason = f"Cause: not determined. {reason}"
        return _check(question, False, reason, f"cause not determined: {_OURS}")
    weak = "our own instrument" if cause == Cause.INSTRUMENT else f"our side ({cause})"
    return _check(question, False, f"The change may come from {weak}. {reason}", _OURS)


def _noise(content: Content) -> Support:
    question, status = "Larger than the system's noise?", content["status"]
    if content["p"] is None:
        reason = "Not tested: found in retrospect. Runs may differ this much by themselves."
        return _check(question, False, reason, "not tested against noise")
    order = content["order_said"] or (
        f"One test of these questions: p {chances(content['p'])}, level "
        f"{chances(content['alpha'])}; the order of runs was not looked at."
    )
    reason = f"{order} {_size(content)}"
    if status == Status.CONFIRMED:
        return _check(question, True, reason, "larger than the system's noise")
    if status == Status.REFUTED:
        return _check(question, False, reason, "within the system's noise")
    return _check(question, None, reason, "not told from noise yet")


def _size(content: Content) -> str:
    """Return how large a change is beside what runs differ by while nothing changes."""
    sd, effect = content["noise"]["sd_of_runs"], content["effect"]["value"]
    if not sd or effect is None:
        return "How much runs differ while nothing changes was not measured."
    size = say_size(_unit(content), sd)
    return f"The change is {abs(effect) / sd:.1f} times what runs before differ by (sd {size})."


def _beyond(content: Content) -> Support:
    question = "Does it hold beyond this list?"
    p, level = content["p_beyond"], content["alpha_beyond"]
    only = "Speak of these questions only."
    if p is None or level is None or content["status"] != Status.CONFIRMED:
        return _check(question, False, f"Not tested. {only}", "these questions only")
    tested = f"p {chances(p)}, level {chances(level)}"
    if content["holds_beyond"]:
        reason = f"Tested with these questions as a sample of others like them: {tested}."
        return _check(question, True, reason, "holds for similar questions too")
    reason = f"Not shown for other questions like these: {tested}. {only}"
    return _check(question, False, reason, "these questions only")


def _registered(content: Content) -> Support:
    question, declared = "Registered beforehand?", content["declared"]
    reason = declared["said"].partition(": ")[2]
    reason = f"{reason[:1].upper()}{reason[1:]}."
    if declared["confirmatory"]:
        return _check(question, True, reason, "registered beforehand")
    reason += " Among many numbers some stand out by chance, so it needs confirmation."
    words = REGISTRATION.get(declared["because"], "not registered beforehand")
    is_otherwise = declared["because"] == Because.NOT_AS_DECLARED
    badge = f"{'registered beforehand, but ' if is_otherwise else ''}{words} (exploratory)"
    answer = "not as it was asked" if is_otherwise else ""
    return _check(question, False, reason, badge, answer=answer)


def _detection(content: Content) -> Support:
    question = "Is our detection checked for this language?"
    series, known = content["series"], content["instrument_audit"]
    name = language_name(series["target"])
    if known is None:
        return _without_audit(question, content)
    found = known["audit"]
    if found is None:
        who = f"Nobody has checked how well our software reads {name}"
        badge = f"n{who[1:]}: a systematic misreading is possible"
        reason = f"{who} in these answers: a systematic misreading is possible."
        return _check(question, False, " ".join([reason, *_doubts(known)]), badge)
    right = found["right_share"]
    share = "" if right["rate"] is None else f" ({_percents(right)})"
    classes = "; ".join(
        f"{row['called']}: {row['read'] - row['right']} of {row['read']} wrong"
        for row in found["classes"]
        if row["read"]
    )
    reason = (
        f"{several(found['n_raters'], 'person', 'people')} read "
        f"{several(found['read'], 'answer')} of run {found['run_id']} "
        f"({found['due_at']:%Y-%m-%d}): our software was right in {found['right']}{share}. By "
        f"detected form: {classes}."
    )
    if found["is_suspect"] or known["in_doubt"]:
        reason = " ".join([reason, *_doubts(known)])
        return _check(question, False, reason, f"our reading of {name} is in doubt")
    badge = f"people checked {several(found['read'], 'answer')} in {name}: {found['right']} right"
    return _check(question, True, reason, badge)


def _without_audit(question: str, content: Content) -> Support:
    kind = content["series"]["engine_kind"]
    if kind == Kind.MT and content["parts"].get("cue"):
        return _check(question, None, _NOT_SHOWN, "audits of the detection are not public")
    if kind == Kind.LM:
        reason = "Nothing is detected: numbers are computed from the model's probabilities."
        return _check(question, None, reason, "no detection needed", answer="does not apply")
    reason = (
        "There is no such audit of this quantity: how often people or words are recognised "
        "correctly is not known."
    )
    return _check(question, False, reason, "nobody has checked how well our software detects this")


def _doubts(known: Content) -> list[str]:
    return [f"Our own reading is in doubt: {doubt}." for doubt in known["in_doubt"]]


def _percents(share: Content) -> str:
    rate, low, high = (say_value(QuantityUnit.SHARE, share[key]) for key in ("rate", "low", "high"))
    return f"weighted by how often each form occurs {rate}, interval {low} to {high}"


def _missing(content: Content) -> Support:
    question, suspect = "Could missing answers explain it?", content["missing_suspect"]
    low, high = content["bounds"]
    bounds = ""
    if low is not None and high is not None and low < high:
        ends = say_change_interval(_unit(content), low, high)
        doubt = ", so they are not ruled out" if low <= 0 <= high else ""
        bounds = f" Whatever the missing answers are, the change is {ends}{doubt}."
    if suspect is None:
        reason = "It was not computed whether missing answers have a part in this."
        return _check(question, None, reason, "missing answers not looked at")
    if suspect:
        became, was = content["missing_counts"]
        reason = (
            f"{became:,.0f} questions answered before are missing after, {was:,.0f} the other way "
            f"round: that alone could make the change.{bounds}"
        )
        return _check(question, False, reason, "may be due to missing answers", answer="yes")
    reason = f"Nothing points to it.{bounds}"
    return _check(question, True, reason, "no sign that missing answers explain it", answer="no")
