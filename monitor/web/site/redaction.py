"""Findings without words that would give hidden numbers away to the public.

A finding may name other quantities of its system, and its cause rests on controls. Audits of the
instrument draw from several systems, and a declaration is about a whole job.
"""

from dataclasses import replace

from monitor.stages.changes.attribution import AUDIT_FELL
from monitor.stages.changes.claims import Declared, InstrumentAudit
from monitor.stages.reports.claim_content import NOT_AUDITED
from monitor.store.changes import findings
from monitor.store.database import Connection
from monitor.web.site.visitors import Visitor


class Redaction:
    """Texts of findings as a visitor may read them."""

    def __init__(self, connection: Connection, who: Visitor) -> None:
        self._hidden = who.hidden
        numbers = {engine for engine, _ in who.hidden.evidence}
        self._labels = findings.read_engine_labels(connection, numbers) if numbers else []

    def hides(self, engine_id: int, target: str) -> bool:
        """Return whether answers of this system are not public."""
        return not self._hidden.shows_answers(engine_id, target)

    def sentence(self, words: str, engine_id: int, target: str) -> str:
        """Return the sentence of a finding; empty if it may name hidden quantities."""
        return "" if self.hides(engine_id, target) else words

    def because(self, words: str) -> str:
        """Return the reason of a cause; empty if it tells of a hidden engine."""
        tells = any(label in words for label in self._labels)
        return "" if tells or (self._hidden.evidence and AUDIT_FELL in words) else words

    def audit(self, known: InstrumentAudit | None) -> InstrumentAudit | None:
        """Return the result of audits; None if they may use hidden answers."""
        rests = known is not None and known.said != [NOT_AUDITED]
        return None if rests and self._hidden.evidence else known

    def declared(self, known: Declared) -> Declared:
        """Return the declaration, without departures that may name hidden parts."""
        if not self._hidden.evidence:
            return known
        return replace(known, departures=[], departures_said=[])
