"""What the public is not told of a finding that it may see: words that give others' numbers away.

A finding of one quantity may name others of the same system, and what it is put down to rests on
what controls did. Whoever sees everything is told everything.
"""

from monitor.store import changes_shown
from monitor.store.database import Connection
from monitor.web.site._visitor import Visitor


class Unsaid:
    """The words of findings as a visitor may read them."""

    def __init__(self, connection: Connection, who: Visitor) -> None:
        self._hidden = who.hidden.evidence
        numbers = {engine for engine, _ in self._hidden}
        self._labels = changes_shown.labels(connection, numbers) if numbers else []

    def hides(self, engine_id: int, target: str) -> bool:
        """Whether answers of this system are not public."""
        return (engine_id, target) in self._hidden

    def sentence(self, words: str, engine_id: int, target: str) -> str:
        """A finding in a sentence, which may name other quantities of its system; or nothing."""
        return "" if self.hides(engine_id, target) else words

    def because(self, words: str) -> str:
        """Why a finding is put down to something; nothing where that names a hidden engine."""
        return "" if any(label in words for label in self._labels) else words
