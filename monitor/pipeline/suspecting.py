"""When the instrument is in doubt, by what audits of it have shown: for points and findings."""

from collections.abc import Sequence
from datetime import datetime

from monitor.stages import audit_words
from monitor.stages.audit_verdict import Doubt, doubts, verdicts
from monitor.store import audits_known
from monitor.store.database import Connection


def known_doubts(connection: Connection, until: datetime | None = None) -> list[Doubt]:
    """Every stretch of ticks in which a language's rules are in doubt, whoever's audit says so.

    Rules are shared by all jobs, so that an audit in one of them speaks of them all.
    """
    return doubts(verdicts(audits_known.groups(connection, until=until)))


def sentences(found: Sequence[Doubt], target: str, due_at: datetime) -> tuple[str, ...]:
    """Why what was asked for a target language at a tick may be ours; nothing where it is well."""
    return tuple(
        f"{audit_words.subject(one.verdict.group)}: {audit_words.fall(one.verdict)}"
        for one in found
        if one.holds(target, due_at)
    )
