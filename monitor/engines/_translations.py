"""Reading translations, whoever gave them: data, empty, an echo of the question, or bogus."""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from monitor.engines import _http
from monitor.engines._engine import BaseEngine
from monitor.model import (
    Answer,
    Fault,
    Item,
    Json,
    Kind,
    Outcome,
    Probe,
    Reading,
    Reason,
    Trouble,
)

#: No translation of a sentence is that much longer than the sentence.
_MOST_TIMES, _SPARE = 20, 500


def only_letters(text: str) -> str:
    """Return letters and digits of a text, without difference of case."""
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
    question = only_letters(probe.text)
    if question and question in only_letters(text):
        return Reading(Outcome.UNREADABLE, (item,), Reason.ECHO, "contains the source text")
    return Reading(Outcome.OK, (item,))


def with_alternatives(reading: Reading, alternatives: Sequence[object], probe: Probe) -> Reading:
    """Return a translation with further ones that the system offers, in the order of the offer.

    What is no translation among them, or the same again, is left out: the first one decides
    whether there is an answer.
    """
    if reading.outcome is not Outcome.OK:
        return reading
    texts = [reading.items[0].text]
    for alternative in alternatives:
        if isinstance(alternative, str) and alternative not in texts:
            texts += [alternative] if read_one(alternative, probe).outcome is Outcome.OK else []
    return replace(reading, items=tuple(Item(rank=n, text=t) for n, t in enumerate(texts, 1)))


def unreadable_readings(probes: Sequence[Probe], reason: Reason, detail: str) -> list[Reading]:
    """The same for every probe of an answer that cannot be read as a whole."""
    return [Reading(Outcome.UNREADABLE, reason=reason, detail=detail[:200])] * len(probes)


def read_entries(
    answer: Answer, probes: Sequence[Probe], key: str, read: Callable[[object, Probe], Reading]
) -> list[Reading]:
    """One reading per probe, of the entries at a key of the JSON of an answer.

    Anything but a list of that length is unreadable as a whole.
    """
    try:
        entries = json.loads(answer.body)[key]
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        return unreadable_readings(probes, Reason.MALFORMED, repr(error))
    return read_all(entries, probes, read)


def read_all(
    entries: object, probes: Sequence[Probe], read: Callable[[object, Probe], Reading] = read_one
) -> list[Reading]:
    """One reading per probe; anything but a list of that length is unreadable as a whole."""
    if not isinstance(entries, list) or len(entries) != len(probes):
        return unreadable_readings(
            probes, Reason.SHORT, f"{len(probes)} questions, but not as many answers"
        )
    return [read(entry, probe) for entry, probe in zip(entries, probes, strict=True)]


def name_models(models: Sequence[str]) -> tuple[tuple[str, str], ...]:
    """Return the models of an answer as a fact of what answered; nothing where there is none."""
    return (("model_reported", ", ".join(models)),) if models else ()


def list_models(rows: Sequence[Json] | None, key: str) -> list[str]:
    """Return the models that the translations of an answer name, each once."""
    names = [_http.value_at(row, key) for row in rows or ()]
    return sorted({model for model in names if isinstance(model, str) and model})


@dataclass(frozen=True, slots=True)
class HttpTranslator(BaseEngine):
    """A translation service whose answer lists one translation for each text of a request.

    A subclass has `name`, `title`, `request`, `translations`, and its `needs`, `parameters`,
    `batch` and `pace` where they differ; its module ends with `ENGINE`. The shortest is that of
    Amazon Translate.
    """

    kind: Kind = Kind.MT
    #: Where the service's own words about an error stand in its JSON.
    words_at: tuple[str, ...] = ()
    missing: str = "no translations in the answer"

    def translations(self, answer: Answer) -> list[Json] | None:
        """Return what the answer has for each text; None for an answer without a list."""
        raise NotImplementedError

    def words(self, answer: Answer) -> str:
        """Return the service's own words."""
        return _http.service_words(answer, *self.words_at)

    def refined(self, found: Trouble, answer: Answer) -> Trouble:
        """Return the trouble of a status with what this service means by it."""
        return found

    def ignored(self, answer: Answer, config: Mapping[str, Json]) -> Trouble | None:
        """Return the trouble of a success that sets aside what the config asks for."""
        return None

    def trouble(self, answer: Answer, config: Mapping[str, Json]) -> Trouble | None:
        """Return the trouble of a status, of a success without translations, or of `ignored`."""
        words = self.words(answer)
        status = _http.by_status(answer, words)
        if status is not None:
            return self.refined(status, answer)
        texts = self.translations(answer)
        if texts is None or (texts and not any(isinstance(text, str) for text in texts)):
            return Trouble(Fault.DRIFT, f"{self.missing}: {words}")
        return self.ignored(answer, config)

    def parse(self, answer: Answer, probes: Sequence[Probe]) -> list[Reading]:
        """Return the readings of the translations, in the order of the questions."""
        texts = self.translations(answer)
        if texts is None:
            return unreadable_readings(probes, Reason.MALFORMED, self.missing)
        return read_all(texts, probes)
