"""Gather what a job that asks nothing reads: the texts that other jobs collected in a period.

A run of such a job gets its corpora, one for each engine, language, region and kind of text, with
what is missing in them. Gathered again from the same answers they are the same.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import product

from monitor import registry
from monitor.jobs import Audit, EngineUse
from monitor.jobs_tables import CorpusPeriod
from monitor.lists import ListItem, ProbeList
from monitor.model import Engine, Json, Probe
from monitor.pipeline.derive.lexicons import landing_collection
from monitor.pipeline.derive.withheld_values import say_elsewhere, say_removed_of_runs
from monitor.stages.derive.measurement import LANDING
from monitor.stages.jobs import plan
from monitor.store.collect import runs
from monitor.store.collect.runs import Run
from monitor.store.database import Connection, Database
from monitor.store.derive import corpora
from monitor.store.derive.corpora import CorpusSource, GatheredTexts, TextFilter
from monitor.store.jobs import declarations
from monitor.text.counted_nouns import several


def corpus_texts(database: Database, wanted: TextFilter) -> Iterator[tuple[str, str]]:
    """(key, text) of every text that fits, each once; the key is `ATTEMPT:RANK` of its answer."""
    with database.read() as connection:
        yield from corpora.read_collected_texts(connection, wanted)


@dataclass(frozen=True, slots=True)
class Period:
    """Of which time a run reads what: its jobs, from when to when, and how that is called."""

    table: CorpusPeriod
    span: tuple[datetime, datetime]
    title: str

    @property
    def of(self) -> str:
        """Return whose answers they are, in words."""
        return f"{' and '.join(self.table.jobs)} in {self.title}"


def period_of(audit: Audit, due_at: datetime) -> Period | None:
    """The period that a tick of a job reads; None of a job that asks for itself."""
    table = audit.job.corpus
    if table is None:
        return None
    zone = audit.job.schedule.zone
    span = table.compute_span(due_at, zone)
    return Period(table, span, table.format_title(span[0], zone))


def collections_of(run_ids: Sequence[int], text: str) -> dict[int, str]:
    """Return what the pages are kept as that the results of runs lead to.

    Nothing where none are read.
    """
    return {run_id: landing_collection(run_id) for run_id in run_ids} if text == LANDING else {}


def gather_texts(database: Database, audit: Audit, run: Run) -> list[str]:
    """Gather the corpora of a run, if its job has any; says which runs have not ended.

    All in one transaction, so that every corpus is of the same answers.
    """
    period = period_of(audit, run.due_at)
    if period is None:
        return []
    now = datetime.now(UTC)
    with database.begin() as connection:
        done, going = corpora.find_ended_runs(connection, period.table.jobs, period.span)
        for of in _list_corpora(audit):
            _gather(connection, run, period, of, done, now)
    return [
        f"run {other_run.id} of {other_run.job} has not ended, so that its answers are not "
        f"read; once it has: monitor redo --run {run.id}"
        for other_run in going
    ]


@dataclass(frozen=True, slots=True)
class _Of:
    """One corpus of a job: of whom, in what language and region, and which texts."""

    audit: Audit
    use: EngineUse
    engine: Engine
    source: str
    region: str
    text: str


def _list_corpora(audit: Audit) -> Iterator[_Of]:
    """Every corpus that a job needs."""
    texts = list(dict.fromkeys(measure.text for measure in audit.job.measures))
    sources = list(
        dict.fromkeys(source_lang for group in audit.lists for source_lang in group.source_langs)
    )
    for use, engine in audit.engines:
        for region, source, text in product(use.wanted, sources, texts):
            if use.asks_for(source, region):
                yield _Of(audit, use, engine, source, region, text)


@dataclass(frozen=True, slots=True)
class _CorpusTexts:
    """Texts of a corpus, the runs that were read, and those left out with the reason."""

    run_ids: Sequence[int]
    left_out: Mapping[int, str]
    found: GatheredTexts


def _gather(
    connection: Connection, run: Run, period: Period, of: _Of, done: Sequence[Run], now: datetime
) -> None:
    """Gather one corpus, and keep it with the reason why nothing can be said of it."""
    engine = of.engine
    corpus_source = CorpusSource(
        runs.ensure_engine(connection, engine, of.use),
        runs.ensure_plugin(connection, "engines", engine.name, engine.version),
        of.source,
        of.region,
        of.text,
        tuple(_read_probes(connection, of)),
    )
    read = _read(connection, of, corpus_source, done)
    query: dict[str, Json] = {
        "jobs": list(period.table.jobs),
        "period": period.title,
        "left_out": {str(number): why for number, why in read.left_out.items()},
    }
    reason = _why_nothing(period, engine, read) or say_removed_of_runs(
        connection, read.run_ids, engine, corpus_source.engine_id, of.region
    )
    corpora.store_corpus(
        connection, run.id, corpus_source, period.span, read.run_ids, query, read.found, reason, now
    )


def _read(
    connection: Connection, of: _Of, asked: CorpusSource, done: Sequence[Run]
) -> _CorpusTexts:
    region = of.audit.regions.get(of.region)
    elsewhere = {run.id: say_elsewhere(connection, run, of.engine, region) for run in done}
    run_ids = [run.id for run in done if not elsewhere[run.id]]
    texts = corpora.gather_texts(connection, asked, run_ids, collections_of(run_ids, of.text))
    return _CorpusTexts(run_ids, {item: why for item, why in elsewhere.items() if why}, texts)


def _why_nothing(period: Period, engine: Engine, read: _CorpusTexts) -> str:
    if read.left_out and not read.run_ids:
        return next(iter(read.left_out.values()))
    if not read.run_ids:
        return f"no run of {period.of} has ended"
    if not read.found.places:
        n = sum(read.found.answers.values())
        return (
            f"{several(len(read.run_ids), 'run')} of {period.of} with {several(n, 'answer')} that "
            f"{engine.name}@{engine.version} has read, and no text in them"
        )
    return ""


def _wanted(of: _Of) -> Iterator[tuple[ProbeList, ListItem, Probe]]:
    """The questions of the job's lists, of whichever version of a list they were asked."""
    for list_use, probe_list in zip(of.audit.job.lists, of.audit.lists, strict=True):
        for item in plan.draw_sample(probe_list.items, list_use):
            if item.source_lang == of.source:
                yield probe_list, item, of.audit.make_probe(item, of.region)


def _read_probes(connection: Connection, of: _Of) -> list[int]:
    """Ids of the questions, each once, which are made known with their places in the lists."""
    ids = {
        probe_list.label: declarations.read_item_ids(
            connection, declarations.find_list_id(connection, probe_list)
        )
        for probe_list in of.audit.lists
    }
    needed = [(ids[group.label][item.key], probe) for group, item, probe in _wanted(of)]
    return list(dict.fromkeys(declarations.ensure_probes(connection, needed)))


# --- what is known of it before, and after --------------------------------------------------------


def make_mark(connection: Connection, audit: Audit, run: Run) -> list[object]:
    """Return what grows or changes when a run would read something else than before."""
    period = period_of(audit, run.due_at)
    if period is None:
        return []
    done, _ = corpora.find_ended_runs(connection, period.table.jobs, period.span)
    # one that ended with failures may have been resumed, and ended again with more answers
    ended_at = runs.read_end_times(connection, [this_run.id for this_run in done])
    return [
        [
            this_run.id,
            str(ended_at.get(this_run.id, "")),
            declarations.find_newest_ids(connection, this_run.id, landing_collection(this_run.id)),
            sorted(v for stage, v in runs.list_stages(connection, this_run.id) if stage == "parse"),
        ]
        for this_run in done
    ]


@dataclass(frozen=True, slots=True)
class Expected:
    """Texts that a tick would read by now: ended and running runs, {system: texts}."""

    period: Period
    ended: int
    going: int
    documents: Mapping[str, int]


def expected(database: Database, audit: Audit, due_at: datetime) -> Expected | None:
    """Return what a tick of a job that asks nothing would read; None of one that asks.

    Writes nothing.
    """
    period = period_of(audit, due_at)
    if period is None:
        return None
    documents: dict[str, int] = {}
    with database.read() as connection:
        done, going = corpora.find_ended_runs(connection, period.table.jobs, period.span)
        for of in _list_corpora(audit):
            n = 0
            if (corpus_source := _asked_before(connection, of)) is not None:
                n = len(_read(connection, of, corpus_source, done).found.places)
            documents[f"{of.use.label(of.engine)} {of.region} {of.text}"] = n
    return Expected(period, len(done), len(going), documents)


def _asked_before(connection: Connection, of: _Of) -> CorpusSource | None:
    """The same as was asked before; None where the engine never was."""
    engine = of.engine
    engine_id = corpora.find_engine(
        connection, of.use.label(engine), engine.surface, of.use.config_hash
    )
    parser_id = corpora.find_parser(
        connection,
        engine.name,
        engine.version,
        registry.compute_fingerprint("engines", engine.name),
    )
    if engine_id is None or parser_id is None:
        return None
    keys = [probe.key for _, _, probe in _wanted(of)]
    probes = tuple(declarations.find_probes(connection, keys))
    return CorpusSource(engine_id, parser_id, of.source, of.region, of.text, probes)
