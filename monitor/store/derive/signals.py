"""Signals found in items: the typed tables `agreements` and `lm_scores`."""

import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import sqlalchemy as sa

from monitor.model import (
    DONOR,
    OF_DONOR,
    Cue,
    EntityText,
    GenderClass,
    Outcome,
    OverviewState,
    Reason,
    Signal,
    Unit,
    canonical_json,
    make_storable,
)
from monitor.store import rows
from monitor.store.collect import runs
from monitor.store.schema import (
    agreements,
    attempts,
    item_overviews,
    items,
    list_items,
    list_probes,
    lm_scores,
    probes,
    readings,
    run_lists,
)
from monitor.store.selectables import IS_LAST_TRY, READ_ITEMS, TARGET, ListAnswers

#: What is stored of a signal: class, masculine and feminine witnesses, rule, witnesses as JSON.
Heard: TypeAlias = tuple[str, int, int, str, str]


def find_unheard(
    connection: sa.Connection, run_id: int, target: str, language_id: int, cue: Cue, parser_id: int
) -> list[int]:
    """Return, in order, ids of a run's items that this language version has not seen.

    Only of answers to questions whose list has this cue.
    """
    target_probes = (
        sa.select(list_probes.c.probe_id)
        .join(list_items, list_items.c.id == list_probes.c.list_item_id)
        .join(run_lists, run_lists.c.list_id == list_items.c.list_id)
        .where(run_lists.c.run_id == run_id, list_items.c.cue == cue)
    )
    seen = sa.select(agreements.c.id).where(
        agreements.c.item_id == items.c.id,
        agreements.c.language_id == language_id,
        agreements.c.cue == cue,
    )
    query = (
        sa.select(items.c.id)
        .select_from(READ_ITEMS)
        .join(probes, probes.c.id == attempts.c.probe_id)
        .where(
            attempts.c.run_id == run_id,
            probes.c.target_lang == target,
            readings.c.parser_id == parser_id,
            readings.c.outcome == Outcome.OK,
            attempts.c.probe_id.in_(target_probes),
            ~seen.exists(),
        )
        .order_by(items.c.id)
    )
    return list(connection.execute(query).scalars())


_TEXTS = (
    sa.select(items.c.id, items.c.text)
    .where(items.c.id.in_(sa.bindparam("wanted", expanding=True)))
    .order_by(items.c.id)
)


def read_texts(connection: sa.Connection, item_ids: Sequence[int]) -> list[tuple[int, str]]:
    """Return (item id, text) of some items, in the order of their ids."""
    texts = connection.execute(_TEXTS, {"wanted": item_ids}).all()
    return [(number, text) for number, text in texts]


_ENTITY_TEXTS = (
    sa.select(items.c.id, list_items.c.text, list_items.c.tags, items.c.text.label("translation"))
    .select_from(READ_ITEMS)
    .join(list_probes, list_probes.c.probe_id == attempts.c.probe_id)
    .join(list_items, list_items.c.id == list_probes.c.list_item_id)
    .join(run_lists, run_lists.c.list_id == list_items.c.list_id)
    .where(
        items.c.id.in_(sa.bindparam("wanted", expanding=True)),
        run_lists.c.run_id == sa.bindparam("run"),
        list_items.c.cue == Cue.ENTITY,
    )
    .order_by(items.c.id, list_items.c.id)
)


def read_entity_texts(
    connection: sa.Connection, run_id: int, item_ids: Sequence[int]
) -> list[tuple[int, EntityText]]:
    """Return (item id, text with its source and entity) of some items of a run, by their ids.

    The entity is the tag `entity` of the list item, its place the tag `index`, if there is one.
    """
    of = {"wanted": item_ids, "run": run_id}
    texts: dict[int, EntityText] = {}
    for number, source, tags, translation in connection.execute(_ENTITY_TEXTS, of).all():
        index = tags.get("index", "")
        place = int(index) if index else None
        texts.setdefault(number, EntityText(source, tags["entity"], translation, place))
    return list(texts.items())


def encode_signal(signal: Signal) -> Heard:
    """Return a signal as it is stored."""
    witnesses = [
        {"text": w.text, "start": w.start, "end": w.end, "gender": w.gender, "rule": w.rule}
        for w in signal.witnesses
    ]
    words = canonical_json(witnesses) if witnesses else "[]"
    counts = signal.masculine, signal.feminine
    return signal.cls.value, *counts, make_storable(signal.rule), words


_COLUMNS = "item_id language_id cue class masculine feminine rule witnesses".split()


def store_signals(
    connection: sa.Connection,
    language_id: int,
    cue: Cue,
    item_ids: Sequence[int],
    signals: Iterable[Heard],
) -> None:
    """Store what was heard in each item of one run."""
    if item_ids:
        runs.forget_of_item(connection, item_ids[0])
    content = [
        (item_id, language_id, cue.value, *signal)
        for item_id, signal in zip(item_ids, signals, strict=True)
    ]
    rows.insert_plain(connection, agreements, _COLUMNS, content)


def read_units(
    connection: sa.Connection,
    of: ListAnswers,
    language_id: int,
    read_items: "ReadItems | None" = None,
) -> list[Unit]:
    """Return what is known of each probe of one list, engine and pair of languages in a run.

    `read_items` gives the items of the list, as `read_asked_items` does. One unit per list item;
    `classes` has one entry per repeat, None where there is no usable answer (only answers read as
    OK have a signal).
    """
    values = {
        "run": of.run_id, "engine": of.engine_id, "parser": of.parser_id, "language": language_id,
    }  # fmt: skip
    offered: dict[int, dict[int, dict[str | None, list[GenderClass]]]] = {}
    answers = connection.execute(_CLASSES_OF, values).all()  # not one by one
    for attempt_id, probe_id, cue, class_found in answers:
        attempt = offered.setdefault(probe_id, {}).setdefault(attempt_id, {})
        classes = attempt.setdefault(cue, [])
        if class_found:
            classes.append(_CLASSES[class_found])
    return [
        Unit(
            item.key,
            item.tags,
            tuple(
                combine_classes(attempt.get(item.cue, ()))
                for attempt in offered[item.probe].values()
            ),
        )
        for item in (read_items or read_asked_items)(connection, of.list_id, of.pair)
        if item.probe in offered
    ]


_CLASSES_OF = (
    sa.select(
        attempts.c.id, attempts.c.probe_id, agreements.c.cue, agreements.c["class"].label("found")
    )
    .select_from(attempts)
    .outerjoin(
        readings,
        (readings.c.attempt_id == attempts.c.id) & (readings.c.parser_id == sa.bindparam("parser")),
    )
    .outerjoin(items, (items.c.reading_id == readings.c.id) & (items.c.block == "translation"))
    .outerjoin(
        agreements,
        (agreements.c.item_id == items.c.id)
        & (agreements.c.language_id == sa.bindparam("language")),
    )
    .where(
        attempts.c.run_id == sa.bindparam("run"),
        attempts.c.engine_id == sa.bindparam("engine"),
        IS_LAST_TRY,
    )
    .order_by(attempts.c.probe_id, attempts.c.repeat, attempts.c.id, items.c.rank)
)

#: Quicker to look up than to ask the enumeration a million times.
_CLASSES = {cls.value: cls for cls in GenderClass}


def combine_classes(offered: Sequence[GenderClass]) -> GenderClass | None:
    """Return the class of one answer, whatever the number of variants that it offers.

    Variants that differ only in the gender of the speaker are an offer of both. Variants without a
    mark beside marked ones are other wordings: they do not decide.
    """
    if len(offered) <= 1:
        return offered[0] if offered else None
    marked = {cls for cls in offered if cls not in (GenderClass.NONE, GenderClass.UNIDENTIFIED)}
    if len(marked) == 1:
        return marked.pop()
    if marked <= {GenderClass.MASCULINE, GenderClass.FEMININE, GenderClass.BOTH} and marked:
        return GenderClass.BOTH
    return GenderClass.MIXED if marked else offered[0]


@dataclass(frozen=True, slots=True)
class AskedItem:
    """A list item with the probe that it became for a target."""

    probe: int
    key: str
    tags: dict[str, str]
    cue: str


def read_asked_items(
    connection: sa.Connection, list_id: int, pair: tuple[str, str]
) -> list[AskedItem]:
    """Return a list's items in one source language, for one target language or region.

    Read apart from the attempts: joined in one query, a planner without statistics pairs every
    item with every attempt. A question that donors answered is an item for each of them.
    """
    source, target = pair
    shared_tags: dict[str, dict[str, str]] = {}  # most items share their tags with others
    asked_items = []
    of = {"list": list_id, "source": source, "targets": [target]}
    for probe, key, written, cue, donor in connection.execute(_ASKED, of).all():
        if written not in shared_tags:
            shared_tags[written] = json.loads(written)
        tags = shared_tags[written]
        of_donor = f"{OF_DONOR}{donor}" if donor else ""
        tags = {**tags, DONOR: donor} if donor else tags
        asked_items.append(AskedItem(probe, f"{key}{of_donor}", tags, cue))
    return asked_items


def read_answered_by_probe(
    connection: sa.Connection, of: ListAnswers, of_overview: bool = False
) -> dict[int, list[int | None]]:
    """Return by probe the reading of each repeat, None where there is no answer.

    `of_overview`: nor is an answer one whose overview was still loading.
    """
    usable = [readings.c.outcome.in_((Outcome.OK, Outcome.EMPTY))]
    if of_overview:
        loading = (
            sa.select(items.c.reading_id)
            .join(item_overviews, item_overviews.c.item_id == items.c.id)
            .where(item_overviews.c.state == OverviewState.LOADING)
        )
        usable.append(readings.c.id.not_in(loading))
    query = (
        sa.select(attempts.c.probe_id, attempts.c.repeat, readings.c.id)
        .select_from(attempts)
        .outerjoin(
            readings,
            sa.and_(
                readings.c.attempt_id == attempts.c.id,
                readings.c.parser_id == of.parser_id,
                readings.c.reason != Reason.SUSPECT_EMPTY,
                *usable,
            ),
        )
        .where(of.is_attempt, IS_LAST_TRY)
        .order_by(attempts.c.probe_id, attempts.c.repeat, attempts.c.n)
    )
    answered: dict[int, dict[int, int | None]] = {}
    for row in connection.execute(query):
        answered.setdefault(row.probe_id, {})[row.repeat] = row.id
    return {probe: list(by_repeat.values()) for probe, by_repeat in answered.items()}


#: Gives the items of a list for a pair of languages.
ReadItems: TypeAlias = Callable[[sa.Connection, int, tuple[str, str]], list[AskedItem]]

_ASKED = (
    sa.select(
        probes.c.id,
        list_items.c.key,
        sa.cast(list_items.c.tags, sa.Text),
        list_items.c.cue,
        probes.c.parameters[DONOR].as_string(),
    )
    .select_from(list_items)
    .join(list_probes, list_probes.c.list_item_id == list_items.c.id)
    .join(probes, probes.c.id == list_probes.c.probe_id)
    .where(
        list_items.c.list_id == sa.bindparam("list"),
        list_items.c.source_lang == sa.bindparam("source"),
        TARGET.in_(sa.bindparam("targets", expanding=True)),
    )
    .order_by(list_items.c.position)
)


def read_scores(
    connection: sa.Connection, of: ListAnswers, read_items: "ReadItems | None" = None
) -> list[Unit]:
    """Return what a language model made of each probe: units with scores instead of classes.

    `classes` has one None per repeat, so that how much was asked is known; the scores of a
    template are averaged over the repeats.
    """
    query = (
        sa.select(attempts.c.id, attempts.c.probe_id, lm_scores.c.template, lm_scores.c.log_ratio)
        .select_from(attempts)
        .outerjoin(
            readings,
            (readings.c.attempt_id == attempts.c.id)
            & (readings.c.parser_id == of.parser_id)
            & (readings.c.outcome == Outcome.OK),
        )
        .outerjoin(items, items.c.reading_id == readings.c.id)
        .outerjoin(lm_scores, lm_scores.c.item_id == items.c.id)
        .where(of.is_attempt, IS_LAST_TRY)
        .order_by(attempts.c.probe_id, attempts.c.repeat, attempts.c.id, items.c.rank)
    )
    tries: dict[int, set[int]] = {}
    scores_of: dict[int, dict[str, list[float]]] = {}
    for row in connection.execute(query):
        tries.setdefault(row.probe_id, set()).add(row.id)
        if row.log_ratio is not None:
            by_template = scores_of.setdefault(row.probe_id, {})
            by_template.setdefault(row.template, []).append(row.log_ratio)
    return [
        Unit(
            item.key,
            item.tags,
            (None,) * len(tries[item.probe]),
            tuple(
                (template, sum(values) / len(values))
                for template, values in sorted(scores_of.get(item.probe, {}).items())
            ),
        )
        for item in (read_items or read_asked_items)(connection, of.list_id, of.pair)
        if item.probe in tries
    ]
