"""What audits of the instrument say of one published number: a series and a tick in, words out."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from monitor.model import Kind
from monitor.stages import audit_verdict, audit_words
from monitor.stages._report_names import language_name
from monitor.stages.audit_verdict import Verdict
from monitor.store.database import Connection
from monitor.store.validation import audits
from monitor.store.validation.audits import Group
from monitor.text.counted_nouns import several

Row = dict[str, Any]

#: Quantities that are the share of marked answers among all that were read of a list.
_MARKED_SHARES = frozenset({"marked_share", "occupation_marked_share", "said_marked_share"})
#: What is said where no audit is of the language and list of a number.
NOT_AUDITED = "How often our reading is right has not been audited for these answers."
#: A share of the same answers is the same number but for rounding.
_SAME = 1e-9


def content(
    connection: Connection,
    series: Mapping[str, Any],
    parts: Mapping[str, Any],
    run: Mapping[str, Any],
    value: float | None,
    until: datetime | None = None,
) -> Row | None:
    """What is known of how rightly the answers behind a number were read; None where nobody reads.

    `series` names engine, languages, quantity and scope, `parts` are those of the signature, `run`
    has the list with its version. `value` is that of a point, None of a change. Where no audit is
    of this tick or an earlier one, the next later one of the same versions of rules and parser is
    named: a change is audited after it was found. In doubt it may be by a later one in any case,
    but by none of a run that was due after `until`.
    """
    if series["engine_kind"] != Kind.MT or not parts.get("cue"):
        return None
    all_verdicts = audit_verdict.verdicts(audits.read_groups(connection, until=until))
    chosen = _chosen(all_verdicts, series, parts, run)
    in_doubt = [
        f"{audit_words.subject(one.verdict.group)}: {audit_words.fall(one.verdict)}"
        for one in audit_verdict.doubts(all_verdicts)
        if one.holds(series["target"], run["due_at"], parts)
    ]
    known_row: Row = {"audit": None, "correction": None, "reason": "", "in_doubt": in_doubt}
    if chosen is None:
        said = _not_of_these(all_verdicts, series, parts, run)
        return known_row | {"said": [said, *_doubted(in_doubt)]}
    row = audit_words.row(chosen)
    correction = None
    reason = _why_not(chosen.group, series, parts, run, value)
    if not reason:
        correction = row["marked_share"]
        reason = correction["reason"]
    known_row |= {"audit": row, "correction": correction, "reason": reason}
    lines = [_audited(row, run["due_at"]), _corrected(correction, reason), *_doubted(in_doubt)]
    return known_row | {"said": lines}


def _chosen(
    every: Sequence[Verdict],
    series: Mapping[str, Any],
    parts: Mapping[str, Any],
    run: Mapping[str, Any],
) -> Verdict | None:
    """Return the audit that speaks of these answers; None where there is none.

    That is the newest one of their run or before it, of their system if it was drawn from alone;
    else, of the same versions of rules and parser, the first one after it.
    """
    fitting = [
        verdict
        for verdict in every
        if _is_of_language(verdict.group, series, parts)
        and verdict.group.job == run["job"]
        and (not verdict.group.system or _is_alone(verdict.group, series, run))
    ]
    due_at = run["due_at"]
    earlier = [one for one in fitting if one.group.due_at <= due_at]
    later = [
        one
        for one in fitting
        if one.group.due_at > due_at and audit_verdict.reads_alike(one.group, parts)
    ]
    return max(
        earlier or later,
        key=lambda one: (
            -abs(one.group.due_at - due_at),
            _is_alone(one.group, series, run),
            one.group.drawn_at,
        ),
        default=None,
    )


def _is_of_language(group: Group, series: Mapping[str, Any], parts: Mapping[str, Any]) -> bool:
    """Whether somebody read what the rules of a language called, by the cue of a number."""
    is_target = group.target == series["target"] and group.cue in str(parts["cue"]).split("+")
    return bool(group.read) and is_target


def _not_of_these(
    every: Sequence[Verdict],
    series: Mapping[str, Any],
    parts: Mapping[str, Any],
    run: Mapping[str, Any],
) -> str:
    """Say that no audit speaks of these answers, and of what the nearest of their list is."""
    of_list = [
        verdict.group
        for verdict in every
        if _is_of_language(verdict.group, series, parts)
        and any(system.list == run["list"] for system in verdict.group.systems)
    ]
    if not of_list:
        return NOT_AUDITED
    nearest = max(
        of_list,
        key=lambda one: (
            one.job == run["job"],
            not one.system or _is_alone(one, series, run),
            one.due_at,
            one.drawn_at,
        ),
    )
    if nearest.job != run["job"]:
        why = f"of the answers of job {nearest.job}"
    elif nearest.system and not _is_alone(nearest, series, run):
        why = f"of the answers of {nearest.system} alone"
    else:
        why = "of later answers, read by other versions of rules or parser"
    return (
        f"The audit of this language and list, audit {nearest.audit_id} of run {nearest.run_id} "
        f"({nearest.due_at:%Y-%m-%d}), is {why}; how often our reading of these is right is not "
        "known."
    )


def _is_alone(group: Group, series: Mapping[str, Any], run: Mapping[str, Any]) -> bool:
    """Whether nothing but the answers of this system was drawn from."""
    names = {
        (system.engine_id, system.list, system.source_lang, system.target)
        for system in group.systems
    }
    return names == {(series["engine_id"], run["list"], series["source_lang"], series["target"])}


def _why_not(
    group: Group,
    series: Mapping[str, Any],
    parts: Mapping[str, Any],
    run: Mapping[str, Any],
    value: float | None,
) -> str:
    """Why a number is not corrected by an audit; empty where it can be."""
    if series["quantity"] not in _MARKED_SHARES or series["scope"] != "all":
        return audit_words.NOT_CORRECTED
    if value is None:
        return "A change is not corrected: the audit is of the answers of one run."
    if group.run_id != run["id"]:
        return f"The audit is of run {group.run_id}, and corrects the answers of that run alone."
    if not _is_alone(group, series, run):
        return (
            "The audit drew from several engines or lists together (monitor audit draw "
            "--by-system draws from each)."
        )
    if group.language_version != parts.get("language_version"):
        return "The audit is of another version of our rules."
    raw = audit_verdict.marked_share(group).raw
    if raw is None or abs(raw - value) > _SAME:
        return "The value counts answers in another way than the audit: repeats, or a part of them."
    return ""


def _audited(found: Row, due_at: datetime) -> str:
    days = (due_at - found["due_at"]).days
    old = f", {days} days before" if due_at - found["due_at"] > audit_verdict.OLD else ""
    if found["due_at"] > due_at:
        after = (found["due_at"] - due_at).days
        old = (
            f", {several(after, 'day')} after these, read by the same versions of rules and parser"
        )
    people = "1 person" if found["n_raters"] == 1 else f"all of {found['n_raters']} people"
    return (
        f"Our rules for {language_name(found['language'])} (version {found['language_version']}) "
        f"were audited on answers of run {found['run_id']} ({found['due_at']:%Y-%m-%d}{old}), "
        f"audit {found['audit_id']}: in {found['right']} of {found['read']} texts drawn at random "
        f"by detected form, {people} read the same form. Weighted by how often each form was "
        f"detected, {audit_words.estimate(found['right_share'])} are right."
    )


def _corrected(correction: Row | None, reason: str) -> str:
    if correction is None or correction["rate"] is None:
        return f"Not corrected: {reason}"
    return (
        f"Raw {correction['raw']:.3f}; corrected by the audit "
        f"{audit_words.estimate(correction)}. {audit_words.HOLDS}"
    )


def _doubted(in_doubt: Sequence[str]) -> list[str]:
    return [f"Our own reading is in doubt: {one}." for one in in_doubt]
