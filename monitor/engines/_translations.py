"""Reading translations, whoever gave them: data, empty, an echo of the question, or bogus."""

from collections.abc import Sequence
from dataclasses import replace

from monitor.model import Item, Outcome, Probe, Reading, Reason

#: No translation of a sentence is that much longer than the sentence.
_MOST_TIMES, _SPARE = 20, 500


def _letters(text: str) -> str:
    return "".join(character for character in text.casefold() if character.isalnum())


def read_one(text: object, probe: Probe) -> Reading:
    """Read one translation: empty, without any letter, an echo of the question, or data."""
    if not isinstance(text, str):
        return Reading(Outcome.UNREADABLE, reason=Reason.MALFORMED, detail=type(text).__name__)
    if not text.strip():
        return Reading(Outcome.EMPTY)
    item = Item(rank=1, text=text)
    if not any(character.isalpha() for character in text):
        return Reading(Outcome.UNREADABLE, (item,), Reason.POISONED, "no letter in it")
    if len(text) > _MOST_TIMES * len(probe.text) + _SPARE:
        detail = f"{len(text):,} characters for a question of {len(probe.text):,}"
        return Reading(Outcome.UNREADABLE, (), Reason.OVERSIZE, detail)
    question = _letters(probe.text)
    if question and question in _letters(text):
        return Reading(Outcome.UNREADABLE, (item,), Reason.ECHO, "contains the source text")
    return Reading(Outcome.OK, (item,))


def with_alternatives(reading: Reading, others: Sequence[object], probe: Probe) -> Reading:
    """A translation with the further ones that the system offers, in the order it offers them.

    What is no translation among them, or the same again, is left out: the first one decides
    whether there is an answer.
    """
    if reading.outcome is not Outcome.OK:
        return reading
    texts = [reading.items[0].text]
    for other in others:
        if isinstance(other, str) and other not in texts:
            texts += [other] if read_one(other, probe).outcome is Outcome.OK else []
    return replace(reading, items=tuple(Item(rank=n, text=t) for n, t in enumerate(texts, 1)))


def unreadable(probes: Sequence[Probe], reason: Reason, detail: str) -> list[Reading]:
    """The same for every probe of an answer that cannot be read as a whole."""
    return [Reading(Outcome.UNREADABLE, reason=reason, detail=detail[:200])] * len(probes)


def read_all(texts: object, probes: Sequence[Probe]) -> list[Reading]:
    """One reading per probe; anything but a list of that length is unreadable as a whole."""
    if not isinstance(texts, list) or len(texts) != len(probes):
        return unreadable(probes, Reason.SHORT, f"{len(probes)} questions, but not as many answers")
    return [read_one(text, probe) for text, probe in zip(texts, probes, strict=True)]
