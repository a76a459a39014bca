"""From an entity and what is recorded of its item to a resolution: facts in, a state out."""

from dataclasses import dataclass, replace

from monitor.labels.annotations import doubt
from monitor.labels.seen import Seen
from monitor.model import LabelState
from monitor.wikidata.entities import UNKNOWN, Facts
from monitor.wikidata.genders import recorded
from monitor.wikidata.requests import HUMAN

#: Who is made up: fictional human, fictional character.
_FICTIONAL = frozenset({"Q15632617", "Q95074"})
_MOST_CLASSES = 5


@dataclass(frozen=True, slots=True)
class Resolution:
    """What a look-up says of an entity. `genders` and `candidates` are items as they stand."""

    entity: str
    state: LabelState
    group: str = ""
    reason: str = ""
    qid: str = ""
    genders: tuple[str, ...] = ()
    candidates: tuple[str, ...] = ()
    method: str = ""  # P646, P2671, item, article, redirect, name
    label: str = ""


def unresolved(
    shown: Seen, reason: str, method: str, candidates: tuple[str, ...] = ()
) -> Resolution:
    """Nobody can say who it is, or what is recorded."""
    return Resolution(
        shown.entity, LabelState.UNRESOLVED, "", reason, method=method, candidates=candidates
    )


def is_human(facts: Facts) -> bool:
    """Whether an item is recorded as a human, and as nobody made up."""
    return HUMAN in facts.classes and not _FICTIONAL & set(facts.classes)


def judged(shown: Seen, facts: Facts, method: str) -> Resolution:
    """The resolution of an entity whose item is known."""
    found = Resolution(
        shown.entity,
        LabelState.UNRESOLVED,
        qid=facts.item,
        genders=facts.genders,
        candidates=(facts.item,),
        method=method,
        label=facts.label,
    )
    if not is_human(facts):
        return _no_human(found, facts)
    recorded_ = recorded(facts.genders)
    if recorded_.disagree:
        reason = f"Wikidata records {' and '.join(facts.genders)} at once"
        return replace(found, state=LabelState.CONFLICT, reason=reason)
    if said := doubt(shown, facts.item, recorded_.group, facts.names):
        return replace(found, state=LabelState.CONFLICT, reason=said)
    if not recorded_.group:
        said = "a gender that says nothing" if facts.genders else "no gender"
        return replace(found, reason=f"Wikidata records {said}")
    return replace(found, state=LabelState.LABELLED, group=recorded_.group)


def _no_human(found: Resolution, facts: Facts) -> Resolution:
    known = [one for one in facts.classes if one != UNKNOWN]
    if HUMAN in known:
        reason = "Wikidata records a human and somebody made up at once"
        return replace(found, state=LabelState.CONFLICT, reason=reason)
    if not known:
        return replace(found, reason="Wikidata does not record what it is")
    shown = ", ".join(known[:_MOST_CLASSES])
    return replace(found, state=LabelState.NOT_HUMAN, reason=f"Wikidata records {shown}, no human")
