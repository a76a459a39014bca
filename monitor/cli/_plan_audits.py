"""What `monitor plan` says of audits of the instrument: when each language was audited last."""

from contextlib import closing
from datetime import UTC, datetime

from monitor import settings
from monitor.jobs import Audit
from monitor.model import Kind, StoreProblem
from monitor.pipeline import auditing
from monitor.stages import audit_words
from monitor.store import migrations
from monitor.store.database import connect


def line(audit: Audit) -> str:
    """One line for all languages of a job, by what the database knows; empty where none is read."""
    targets = sorted(
        {one for use, engine in audit.engines if engine.kind is Kind.MT for one in use.wanted}
    )
    if not targets:
        return ""
    return f"our reading of gender: {'; '.join(_said(audit.job.name, targets))}"


def _said(job: str, targets: list[str]) -> list[str]:
    now = datetime.now(UTC)
    chosen = settings.load()
    with closing(connect(chosen.url, chosen.bodies)) as opened:
        if opened.is_there:
            try:
                migrations.check_schema(opened)
                return auditing.last_audited(opened, job, targets, now)
            except StoreProblem:  # said already, by what the database knows of noise
                pass
    return audit_words.last_audited(targets, [], now)
