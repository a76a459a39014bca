"""Audits of the instrument as rows for programs and sentences for people. Pure."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any

from monitor.model import Cue
from monitor.stages import audit_verdict
from monitor.stages.audit_verdict import Verdict
from monitor.stats.agreement import raw_agreement
from monitor.stats.audited import Corrected
from monitor.stats.intervals import wilson
from monitor.store.validation.audits import Group, Stratum

Row = dict[str, Any]

#: What stands beside every corrected rate.
HOLDS = (
    "Corrected rates hold for the answers that were drawn from, and for no other run, list or "
    "engine: where true shares are others, calls are right in another share."
)
#: Why the quantities that carry the findings are not corrected.
NOT_CORRECTED = (
    "p_i, p_f, p_m, f_s, f_m, s_or, ranks and shares by tag or occupation are not corrected: how "
    "often a call is right differs between stereotypes and occupations, because true shares do, "
    "and an audit does not draw enough of each."
)
_MOST_SYSTEMS = 4


def row(verdict: Verdict) -> Row:
    """Everything that is known of an audited group, without the names of those who read."""
    one = verdict.group
    return {
        "audit_id": one.audit_id,
        "run_id": one.run_id,
        "job": one.job,
        "due_at": one.due_at,
        "drawn_at": one.drawn_at,
        "labelled_at": one.labelled_at,
        "seed": one.seed,
        "per_class": one.per_class,
        "target": one.target,
        "cue": one.cue,
        "system": one.system,
        "systems": [system.name for system in one.systems],
        "language": one.language,
        "language_version": one.language_version,
        "answers": sum(stratum.frame for stratum in one.strata),
        "left_out": one.left_out,
        "drawn": sum(stratum.drawn for stratum in one.strata),
        "read": one.read,
        "right": one.right,
        "disputed": sum(stratum.disputed for stratum in one.strata),
        "unread": sum(stratum.unread for stratum in one.strata),
        "n_raters": len(one.labels),
        "agreement": _agreement(one),
        "classes": [_class(stratum) for stratum in one.strata],
        "right_share": share(audit_verdict.right_share(one)),
        "marked_share": share(audit_verdict.marked_share(one)),
        "masculine_share": share(audit_verdict.masculine_share(one)),
        "before": _before(verdict.before),
        "p": verdict.p,
        "is_suspect": verdict.is_suspect,
        "reason": verdict.reason,
    }


def share(found: Corrected) -> Row:
    """A raw rate with the corrected one beside it, or why there is none."""
    return {
        "raw": found.raw, "rate": found.rate, "low": found.low, "high": found.high,
        "reason": found.reason,
    }  # fmt: skip


def _class(one: Stratum) -> Row:
    known: Row = {"share": None, "low": None, "high": None}
    if one.read:
        limits = wilson(one.right, one.read)
        known = {
            "share": one.right / one.read, "low": float(limits.low), "high": float(limits.high),
        }  # fmt: skip
    return {
        "called": one.called.value, "answers": one.frame, "drawn": one.drawn, "read": one.read,
        "right": one.right, **known, "disputed": one.disputed, "unread": one.unread,
        "truths": {cls.value: round(n, 6) for cls, n in sorted(one.truths.items())},
    }  # fmt: skip


def _agreement(one: Group) -> float | None:
    """Raw agreement of those who read, over the items that two or more of them read."""
    if len(one.labels) < 2:  # noqa: PLR2004 - agreement is between two
        return None
    every = sorted({item for label in one.labels.values() for item in label})
    return raw_agreement([[label.get(item) for item in every] for label in one.labels.values()])


def _before(one: Group | None) -> Row | None:
    if one is None:
        return None
    return {
        "audit_id": one.audit_id, "run_id": one.run_id, "due_at": one.due_at,
        "read": one.read, "right": one.right,
    }  # fmt: skip


# --- sentences ------------------------------------------------------------------------------------


def subject(group: Group) -> str:
    """What an audited group is called: what its alarm is about. Names of jobs have no colon."""
    cue = "" if group.cue == Cue.AGREEMENT else f" ({group.cue})"
    system = f", {group.system}" if group.system else ""
    return f"{group.job}: {group.target}{cue}{system}"


def fall(verdict: Verdict) -> str:
    """What a fall is, with its numbers and where they come from."""
    one, before = verdict.group, verdict.before
    if before is None or verdict.p is None:
        return f"the audit of run {one.run_id} left the instrument in doubt"
    return (
        f"{one.right_first} of {one.read} texts of run {one.run_id} ({one.due_at:%Y-%m-%d}) were "
        f"called what who read them first says, {before.right_first} of {before.read} of run "
        f"{before.run_id} ({before.due_at:%Y-%m-%d}) before; p = {verdict.p:.2g} within called "
        "classes"
    )


def last_audited(targets: Iterable[str], groups: Sequence[Group], now: datetime) -> list[str]:
    """When each target language was audited last, or never; one sentence for those that agree."""
    alike: dict[str, list[str]] = {}
    for target in dict.fromkeys(targets):
        alike.setdefault(_last(target, groups, now), []).append(target)
    return [f"{', '.join(group)}: {said}" for said, group in alike.items()]


def _last(target: str, groups: Sequence[Group], now: datetime) -> str:
    read = [group for group in groups if group.target == target and group.read]
    if not read:
        drawn_groups = [group for group in groups if group.target == target]
        return "drawn for an audit, not read yet" if drawn_groups else "never audited"
    newest = max(read, key=lambda one: (one.due_at, one.drawn_at))
    n = sum(one.read for one in read if one.audit_id == newest.audit_id)
    days = (now - newest.due_at).days
    old = f", {days} days ago" if now - newest.due_at > audit_verdict.OLD else ""
    return f"last audited on the answers of {newest.due_at:%Y-%m-%d}{old}, {n} items"


def spelt_systems(names: Sequence[str]) -> str:
    """The first of some names of systems, and how many more."""
    more = f" and {len(names) - _MOST_SYSTEMS} more" if names[_MOST_SYSTEMS:] else ""
    return "; ".join(names[:_MOST_SYSTEMS]) + more


def estimate(found: Mapping[str, Any]) -> str:
    """`0.973 [0.941, 0.990]`, or why there is no number."""
    if found["rate"] is None:
        return f"none: {found['reason']}"
    return f"{found['rate']:.3f} [{found['low']:.3f}, {found['high']:.3f}]"
