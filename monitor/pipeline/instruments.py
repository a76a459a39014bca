"""The instruments of a job, as of now: measures on lists, with references, dated and complete."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import product

from monitor.jobs import Audit, is_applicable, reads_words
from monitor.model import Engine, Kind, Origin
from monitor.pipeline.looking_up import snapshot_of
from monitor.pipeline.wording import landing_collection, of_words
from monitor.stages.derive.measurement import LANDING, Instrument, own_topics
from monitor.store.collect.runs import Run
from monitor.store.database import Connection
from monitor.store.derive import corpora, texts


def instruments(audit: Audit, engine: Engine, target: str) -> Iterator[Instrument]:
    """Every measure of the job on every list that it fits, with each of its references."""
    for measure in audit.job.measures:
        for configured, probe_list in product(measure.configure_for(engine.kind), audit.lists):
            if configured.kind is not engine.kind or not is_applicable(configured, probe_list):
                continue
            for name in measure.references or [""]:
                reference = audit.references[name] if name else None
                if reads_words(configured):
                    for word in of_words(measure, configured, engine, probe_list):
                        yield replace(word, reference=reference, corpus=audit.job.corpus)
                    continue
                yield Instrument(
                    measure=configured,
                    engine=engine,
                    language=audit.job.find_language(target) if engine.kind is Kind.MT else None,
                    probe_list=probe_list,
                    reference=reference,
                    block=measure.block if engine.kind is Kind.SEARCH else "",
                )


def dated(connection: Connection, instrument: Instrument) -> Instrument:
    """The instrument with the newest snapshot of a source that is asked."""
    source = instrument.reference
    if source is None or source.origin is not Origin.OUTSIDE:
        return instrument
    measure = instrument.measure
    topics = set(own_topics(measure)) or {
        item.tags[measure.tag] for item in instrument.probe_list.items
    }
    return replace(instrument, reference=snapshot_of(connection, source, topics))


def with_extractors(connection: Connection, run: Run, instrument: Instrument) -> Instrument:
    """The instrument with what took the words out of the pages of a run."""
    if instrument.text != LANDING:
        return instrument
    extractors = {
        extractor
        for number in corpora.find_runs_read(connection, run.id)
        for extractor in texts.list_extractors(connection, landing_collection(number))
    }
    return replace(instrument, extractors=tuple(sorted(extractors)))
