"""Compute readings and signals of answers, and values of units that were read before. Pure."""

import hashlib
import traceback
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import astuple, dataclass, replace
from typing import Any, cast

import numpy as np

from monitor.clusters import has_donors
from monitor.jobs_tables import CorpusPeriod
from monitor.labels import VERSION as LABELS_VERSION
from monitor.lists import ProbeList
from monitor.model import (
    DONOR,
    Answer,
    Block,
    Context,
    Cue,
    Document,
    Engine,
    EntityLanguage,
    EntityText,
    Flag,
    GenderReader,
    Json,
    Language,
    ListsReference,
    Measure,
    Origin,
    Outcome,
    Probe,
    Reading,
    Reason,
    Reference,
    Result,
    Share,
    Signal,
    State,
    Unit,
    Value,
    WordScores,
    canonical_json,
    digest,
)
from monitor.names import format_name
from monitor.stats.chance import t95
from monitor.wikidata.entities import VERSION as MAPPING_VERSION

# --- readings and signals -------------------------------------------------------------------------


def parse_answer(engine: Engine, answer: Answer, probes: Sequence[Probe]) -> list[Reading]:
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


# --- values ---------------------------------------------------------------------------------------

_SEED_DIGITS = 15  # 60 bits

#: Where the words of a search result come from: its title and snippet, the page that it leads to,
#: or a document of a collection.
SNIPPET, LANDING, DOCUMENT = "snippet", "landing", "document"
#: Or the block of a text by a model.
TEXT_BLOCKS = {"answer": Block.ANSWER, "overview": Block.AI_OVERVIEW}


@dataclass(frozen=True, slots=True)
class Instrument:
    """All that turns answers into a value: its parts are the signature."""

    measure: Measure
    engine: Engine
    language: GenderReader | None  # None: the answers are scores
    probe_list: ProbeList
    reference: Reference | None = None
    block: str = ""  # of search engines: the part of the page that is measured
    text: str = ""  # of measures of words: snippet, landing or document
    lexicons: tuple[WordScores, ...] = ()
    extractors: tuple[str, ...] = ()  # what took the words out of pages
    corpus: CorpusPeriod | None = None  # of texts that were collected in a period, by which jobs

    @property
    def name(self) -> str:
        """Canonical name, with what the job chose beside the parameters.

        GSR of titles and snippets has a name of its own: relevance alone makes it positive, so that
        only its changes and differences mean something (Fabris et al. 2020, section 3.5).
        """
        if not self.text:
            choice = {} if self.block in ("", Block.CAROUSEL) else {"block": self.block}
            return format_name(self.measure, choice)
        has_choice = self.text == LANDING or self.text in TEXT_BLOCKS
        further: dict[str, Json] = {"text": self.text} if has_choice else {}
        if self.corpus:
            further["corpus"] = self.corpus.period
        name = format_name(self.measure, further)
        of_snippets = self.measure.name == "GSR" and self.text == SNIPPET
        return name.replace("GSR", "GSR-snippet", 1) if of_snippets else name

    @property
    def signature(self) -> dict[str, Json]:
        """Versions of everything of ours that decides the value."""
        all_values: dict[str, Json] = {}
        if self.language:
            all_values = {
                "language": self.language.code,
                "language_version": self.language.version,
                "nouns": self.language.nouns,
                "cue": "+".join(sorted(self.probe_list.cues)),
            }
        if self.text:
            scores: dict[str, Json] = {lexicon.name: lexicon.digest for lexicon in self.lexicons}
            all_values = {
                "text": self.text,
                "lexicons": scores,
                "extractors": list(self.extractors),
            }
            if tables := getattr(self.measure, "tables", None):
                all_values["tables"] = dict(tables)
            if self.corpus:
                all_values["corpus"] = self.corpus.model_dump(mode="json")
        elif self.block:
            all_values = {"block": self.block, "labels": LABELS_VERSION, "mapping": MAPPING_VERSION}
        return {
            "measure": self.measure.name,
            "measure_version": self.measure.version,
            "parameters": dict(self.measure.parameters),
            "parser": self.engine.name,
            "parser_version": self.engine.version,
            **all_values,
            "list": self.probe_list.label,
            "reference": f"{self.reference.name}@{self.reference.as_of}" if self.reference else "",
            "reference_version": self.reference.version if self.reference else 0,
        }


def measure_values(
    instrument: Instrument,
    units: Sequence[Unit],
    series: str,
    due_at: str,
    flags: tuple[Flag, ...] = (),
    before: Sequence[Unit] = (),
    beside: Mapping[str, Sequence[Unit]] | None = None,
    beside_before: Mapping[str, Sequence[Unit]] | None = None,
    label: str = "",
) -> tuple[Result, str]:
    """(values, digest of the inputs). The seed is a hash of series, due tick and signature.

    `flags` are set on every value, beside the measure's own. `before` are the units of the job's
    scheduled tick before, for changes on a fixed panel; `beside` those of the other systems in this
    run, by their labels, `beside_before` at the tick before; `label` is this system's own.
    """
    all_units, others_before = beside or {}, beside_before or {}
    targets = targets_of(instrument, units)
    shares = shares_of_women(targets)
    seed = seed_of(series, due_at, instrument.signature)
    context = Context(
        seed=seed,
        shares=shares,
        targets=targets,
        before=before,
        beside=all_units,
        beside_before=others_before,
        label=label,
        lexicons=instrument.lexicons,
    )
    result = instrument.measure.derive(units, context)
    if has_donors(units):
        result = _widen_by_donors(instrument.measure, units, context, result)
    stored = [[k, s.value, s.source, s.as_of] for k, s in sorted(shares.items())]
    if instrument.block:
        stored += [[k, [[s.group, s.value, s.n] for s in group]] for k, group in targets.items()]
    if instrument.block or instrument.text or before:
        stored += [inputs_of(unit) for unit in before]
    for name, portion in [*sorted(all_units.items()), *sorted(others_before.items())]:
        stored.append([name, sorted(map(inputs_of, portion), key=canonical_json)])
    if flags:
        values = tuple(replace(value, flags=(*value.flags, *flags)) for value in result.values)
        result = replace(result, values=values)
    inputs = sorted(inputs_of(unit) for unit in units)
    return result, digest([inputs, stored, *([flags] if flags else [])])


#: Draws of the values without a donor: their intervals are not read.
_FEW_DRAWS = 200


def _widen_by_donors(
    measure: Measure, units: Sequence[Unit], context: Context, result: Result
) -> Result:
    """Return the result with intervals that hold however much answers of a donor are alike.

    Each donor is left out in turn (delete-one jackknife over clusters, Student's t); the interval
    of a value is the wider one of this and the measure's own. A value that is missing without one
    of the donors has no interval.
    """
    donors = sorted({unit.tags[DONOR] for unit in units if DONOR in unit.tags})
    quick = replace(context, draws=_FEW_DRAWS)
    without: dict[tuple[str, str], list[float | None]] = defaultdict(list)
    for donor in donors:
        rest = [unit for unit in units if unit.tags.get(DONOR) != donor]
        for value in measure.derive(rest, quick).values:
            without[value.name, value.scope].append(value.value)
    ranges = {quantity.name: (quantity.low, quantity.high) for quantity in measure.quantities}
    values = tuple(
        _widen_value(value, without[value.name, value.scope], ranges[value.name])
        for value in result.values
    )
    return replace(result, values=values)


def _widen_value(value: Value, without: Sequence[float | None], ends: tuple[float, float]) -> Value:
    """Return a value with the wider interval; `without` are its values without each donor."""
    if value.value is None or value.low is None or value.high is None:
        return value
    numbers = np.array([number for number in without if number is not None])
    if len(numbers) < len(without):
        return replace(value, low=None, high=None)
    n = len(numbers)
    reach = t95(n - 1) * float(np.sqrt((n - 1) * numbers.var()))
    low, high = max(ends[0], value.value - reach), min(ends[1], value.value + reach)
    return replace(value, low=min(value.low, low), high=max(value.high, high))


def seed_of(series: str, due_at: str, signature: Mapping[str, Json]) -> int:
    """Return the seed of a value: the same on every machine and in every thread."""
    return int(digest([series, due_at, signature])[:_SEED_DIGITS], 16)


def targets_of(instrument: Instrument, units: Sequence[Unit]) -> dict[str, tuple[Share, ...]]:
    """The reference shares of the units' topics, by group; none without a reference."""
    reference, tag = instrument.reference, instrument.measure.tag
    if reference is None:
        return {}
    if reference.origin is Origin.LISTS:
        return cast("ListsReference", reference).observed(units, tag)
    return reference.targets(sorted(own_topics(instrument.measure) or {u.tags[tag] for u in units}))


def own_topics(measure: Measure) -> frozenset[str]:
    """The words that a measure of whole corpora looks for itself, whatever was asked."""
    return frozenset(getattr(measure, "topics", ()))


def shares_of_women(targets: Mapping[str, tuple[Share, ...]]) -> dict[str, Share]:
    """The share of women of each topic that has one."""
    return {
        topic: share
        for topic, group in targets.items()
        for share in group
        if share.group == "women"
    }


def inputs_of(unit: Unit) -> list[object]:
    """All of a unit that decides a value."""
    displayed = [
        None if item is None else [[who.entity, who.state, who.group] for who in item]
        for item in unit.lists
    ]
    read = [_read(document) for document in (unit.documents, unit.swapped) if document]
    return [
        unit.key,
        dict(unit.tags),
        list(unit.classes),
        *([unit.scores] if unit.scores else []),
        *([displayed] if displayed else []),
        *([unit.query, *read, dict(unit.judgements or {})] if read else []),
        *([_read([unit.relevant])] if unit.relevant else []),
        *(
            [[one and [one.state, list(map(astuple, one.sources))] for one in unit.overviews]]
            if unit.overviews
            else []
        ),
    ]


def _read(lists: Sequence[Sequence[Document] | None]) -> list[object]:
    """Documents with digests of their texts, list by list."""
    return [
        None if documents is None else [[d.key, _of_text(d)] for d in documents]
        for documents in lists
    ]


def _of_text(document: Document) -> str | None:
    """SHA-256 of a text; None for one that is missing."""
    if document.text is None:
        return None
    return document.sha256 or hashlib.sha256(document.text.encode()).hexdigest()


def withhold_result(result: Result, reason: str) -> Result:
    """The result without any value, because of what is known of the whole run."""
    nothing: dict[str, Any] = dict.fromkeys(("value", "low", "high", "bound_low", "bound_high"))
    return Result(
        tuple(
            replace(value, state=State.INSUFFICIENT, reason=reason, **nothing)
            for value in result.values
        )
    )
