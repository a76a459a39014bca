"""From raw answers to readings, and from texts to signals of grammatical gender."""

import traceback
from collections.abc import Sequence
from dataclasses import replace
from typing import cast

from monitor.model import (
    Answer,
    Cue,
    Engine,
    EntityLanguage,
    EntityText,
    GenderReader,
    Language,
    Outcome,
    Probe,
    Reading,
    Reason,
    Signal,
)


def parse(engine: Engine, answer: Answer, probes: Sequence[Probe]) -> list[Reading]:
    """One reading per probe. A parser that raises makes all of them UNREADABLE.

    What was recognised as a block when it came stays one, whatever a parser makes of the page.
    """
    try:
        readings = engine.parse(answer, probes)
        if len(readings) != len(probes):
            raise ValueError(f"{len(probes)} probes, {len(readings)} readings")  # noqa: TRY301
    except Exception:  # noqa: BLE001 - the one place where a parser's exception becomes an outcome
        detail = traceback.format_exc(limit=8)
        broken = Reading(Outcome.UNREADABLE, reason=Reason.EXCEPTION, detail=detail)
        readings = [broken] * len(probes)
    if answer.outcome is not Outcome.BLOCKED:
        return readings
    return [
        replace(reading, outcome=Outcome.BLOCKED, reason=answer.reason)
        if reading.outcome is Outcome.UNREADABLE
        else reading
        for reading in readings
    ]


def find_signals(
    language: GenderReader, cue: Cue, texts: Sequence[str] | Sequence[EntityText]
) -> list[Signal]:
    """Return the signal of each text by a cue; of ENTITY each text comes with its source."""
    if cue is Cue.ENTITY:
        entity_language = cast("EntityLanguage", language)
        return [entity_language.signal(cast("EntityText", text)) for text in texts]
    speaker_language = cast("Language", language)
    return [speaker_language.signal(cast("str", text), cue) for text in texts]
