"""What is known of each probe of one system, list and pair of languages in a run, as units."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import sqlalchemy as sa

from monitor.jobs import EngineUse
from monitor.model import Engine, Unit
from monitor.pipeline.gathering import collections_of
from monitor.pipeline.wording import source_of
from monitor.stages.measure import Instrument
from monitor.store import corpora, corpus_texts, lists, runs, shown, signals, texts
from monitor.store.database import Database

#: Follows the key of a question that another version of the list asks otherwise.
_OTHER_VERSION = " of another version"


@dataclass(frozen=True, slots=True)
class Asked:
    """A system as a job asks it, and the pair of languages (or source language and region)."""

    use: EngineUse
    engine: Engine
    engine_id: int
    source: str
    target: str

    @property
    def pair(self) -> tuple[str, str]:
        """Source language, and target language or region."""
        return self.source, self.target


def units(
    connection: sa.Connection,
    database: Database,
    run_id: int,
    asked: Asked,
    instrument: Instrument,
    list_id: int | None = None,
) -> list[Unit]:
    """The units of a run as the present versions of parser and language read them.

    `list_id` is the version of the list that the run asked; that of the instrument if left out.
    Nothing that was not read by these versions has a usable answer.
    """
    engine = instrument.engine
    if list_id is None:
        list_id = lists.published_id(connection, instrument.probe_list)
    if instrument.corpus:
        read = corpora.runs_read(connection, run_id)
        pages = collections_of(read, instrument.text)
        of = asked.engine_id, list_id, asked.pair, instrument.text
        return corpus_texts.units(connection, database, run_id, *of, pages)
    parser_id = runs.plugin_id(connection, "engines", engine.name, engine.version)
    found = asked.engine_id, list_id, asked.pair, parser_id
    if instrument.text:
        texts_from = source_of(asked.use, instrument.text, run_id)
        return texts.units(connection, database, run_id, *found, texts_from)
    if instrument.block:
        return shown.units(connection, run_id, *found, instrument.block)
    if instrument.language is None:
        return signals.scores(connection, run_id, *found)
    versions = parser_id, runs.language_id(connection, instrument.language)
    return signals.units(connection, run_id, asked.engine_id, list_id, asked.pair, versions)


def same_questions(
    connection: sa.Connection, asked: Asked, before: tuple[int, Sequence[Unit]], now: int
) -> list[Unit]:
    """Return units of another version of the list, to be matched by key with those of the present.

    `before` is the version that they were asked under with the units, `now` the present one. A
    question whose key asks something else now gets a key of its own: like a question that only one
    version has, it is usable at one side alone and stays in the counts.
    """
    list_id, units_before = before
    if list_id == now:
        return list(units_before)
    here, there = (
        {item.key: item.probe for item in signals.asked_items(connection, version, asked.pair)}
        for version in (now, list_id)
    )
    return [
        replace(unit, key=f"{unit.key}{_OTHER_VERSION}")
        if unit.key in here and there.get(unit.key) != here[unit.key]
        else unit
        for unit in units_before
    ]


def repeat(unit: Unit, number: int) -> Unit | None:
    """The unit with one of its repeats alone, counted from 0; None where it has not so many."""
    planned = max(len(unit.classes), len(unit.lists), len(unit.documents))
    if number >= planned:
        return None
    own = slice(number, number + 1)
    return replace(
        unit,
        classes=unit.classes[own],
        lists=unit.lists[own],
        documents=unit.documents[own],
        swapped=unit.swapped[own],
    )
