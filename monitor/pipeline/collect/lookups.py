"""Questions beside the engines: one at a time, as fast as the service allows, each answer kept."""

import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime, timedelta
from itertools import groupby
from typing import cast

from monitor.faults import Then, find_consequence, judge_answer
from monitor.fetch.lanes import Lane
from monitor.jobs import Audit
from monitor.labels.resolve import resolve_entities
from monitor.labels.shown_entities import ShownEntity, shown_entity
from monitor.model import (
    Answer,
    Fetcher,
    HttpRequest,
    InvalidInput,
    Json,
    Origin,
    Outcome,
    OutsideReference,
    Purpose,
    Reason,
    Reference,
    Share,
)
from monitor.pipeline.collect.answer_writer import recall_lane, remember_lane
from monitor.pipeline.collect.run_context import Progress, RunContext, Stop
from monitor.pipeline.schedule.leases import alone, lane_turn
from monitor.stages.collect.requests import describe_request, without_keys
from monitor.stages.jobs.plan import shows_people
from monitor.store.collect import evidence
from monitor.store.collect.runs import Run
from monitor.store.database import Connection, Database
from monitor.store.derive import people
from monitor.store.maintenance import erasure
from monitor.text.counted_nouns import several
from monitor.wikidata.entities import VERSION as MAPPING_VERSION
from monitor.wikidata.requests import trouble_of_query

#: A wait is cut into pieces of this length, so that a person's wish to stop is heard.
_HEARD_WITHIN = 0.2
_TRIES = 4

#: Requests a second to Wikidata: what it allows to those who say who they are is 200 a minute.
_PACE = 3.0
#: A snapshot that knows fewer of the topics is taken anew.
_KNOWN_ENOUGH = 0.9
#: The tag of list items with the Wikidata item of the occupation.
_ITEM_TAG = "wikidata"


@dataclass
class _Office:
    """Look-ups at Wikidata for one purpose; remembers which was the last."""

    database: Database
    run: Run
    fetcher: Fetcher
    around: RunContext
    purpose: Purpose
    stop: Stop
    last: int | None = None
    lane: Lane = field(init=False)

    def __post_init__(self) -> None:
        lane = Lane("wikidata", pace=_PACE)
        self.lane = recall_lane(self.database, self.around.exit, lane)

    @property
    def turn(self) -> str:
        """Return what has to be taken to ask: two who ask at once are twice as fast as allowed."""
        return lane_turn(self.lane.name, self.around.exit)

    def ask(self, request: HttpRequest) -> Answer:
        """The answer, its outcome judged; asked again while that is of use (`monitor.model.Ask`).

        Once the lane has stopped, or a person wants to stop, nothing more is asked. Raises
        KeyboardInterrupt in the latter case.
        """
        answer = None
        for _ in range(_TRIES):
            while not self.lane.stopped and (wait := self.lane.compute_wait()) > 0:
                self._leave()
                time.sleep(min(wait, _HEARD_WITHIN))
            self._leave()
            if self.lane.stopped:
                break
            answer = self._once(request)
            if find_consequence(answer) is not Then.BACK_OFF:
                break
        detail = f"not asked: {self.lane.stopped}"
        return answer or Answer(Outcome.FAILED, datetime.now(UTC), 0.0, Reason.NONE, detail)

    def _leave(self) -> None:
        if self.stop():
            raise KeyboardInterrupt

    def _once(self, request: HttpRequest) -> Answer:
        self.lane.record_request()
        [(_, raw)] = self.fetcher.fetch([request])
        trouble = trouble_of_query(raw) if raw.outcome is Outcome.OK else None
        answer = without_keys(request, judge_answer(raw, trouble))
        self.lane.record_answer(answer, "", trouble.until if trouble else None)
        self._keep(describe_request(request), answer)
        return answer

    def _keep(self, request: Mapping[str, Json], answer: Answer) -> None:
        with self.database.begin() as connection:
            lookup_id = evidence.store_lookup(
                connection, self.database, self.run.id, self.purpose, request, answer
            )
            if self.purpose is Purpose.LABEL or not evidence.is_restricted(self.purpose, request):
                self.last = lookup_id
            remember_lane(connection, self.around.exit, self.lane, answer, self.lane.suspension)

    @property
    def trouble(self) -> list[str]:
        return [f"wikidata: {self.lane.stopped}"] if self.lane.stopped else []


def label_people(
    database: Database,
    audit: Audit,
    run: Run,
    fetcher: Fetcher,
    around: RunContext,
    progress: Progress,
    stop: Stop,
) -> list[str]:
    """Say of every item of a run whom it shows, look up who is not known, and publish labels.

    Whom a service did not answer for is asked for again another time. Returns what stopped it.
    """
    if not shows_people(audit):
        return []
    with database.begin() as connection:
        try:
            everybody = see_people(connection, audit, run, around.address_key)
        except InvalidInput as error:
            return [f"people are not looked up: {error}"]
        since = datetime.now(UTC) - timedelta(days=audit.job.label_days)
        resolutions = people.read_resolutions(connection, everybody)
    wanted = [
        whom
        for entity, whom in everybody.items()
        if (known := resolutions.get(entity)) is None
        or known.at < since
        or known.mapping_version != MAPPING_VERSION
    ]
    office = _Office(database, run, fetcher, around, Purpose.LABEL, stop)
    try:
        if wanted:
            with alone(database, office.turn, stop) as office.stop:
                _resolve(database, office, wanted, progress)
    finally:
        with database.begin() as connection:
            people.publish_labels(connection, list(everybody), datetime.now(UTC))
    with database.read() as connection:
        unknown = people.find_unknown(connection, run.id)[0]
    troubles = [*office.trouble] if wanted else []
    if unknown:
        people_left = several(unknown, "person", "people")
        troubles.append(f"{people_left} could not be looked up yet; go on with --resume")
    return troubles


def see_people(
    connection: Connection, audit: Audit, run: Run, address_key: str
) -> dict[str, ShownEntity]:
    """Say of every item of a run whom it shows, without asking anybody; whom, by entity.

    Items of whom somebody had erased show nobody that is known. Raises InvalidInput where nobody
    can tell who was erased, because the key is another one.
    """
    shown = [
        (item_id, whom)
        for item_id, item, tags in people.read_items(connection, run.id, shows_people(audit))
        if (whom := shown_entity(item, tuple(tags.get(_ITEM_TAG, "").split())))
    ]
    keys = {key for _, whom in shown for key in (whom.entity, whom.link) if key}
    erased = erasure.find_erased(connection, keys, address_key)
    shown = [(item, whom) for item, whom in shown if erased.isdisjoint((whom.entity, whom.link))]
    people.store_entities(connection, [(item, whom.entity) for item, whom in shown])
    return {whom.entity: whom for _, whom in shown}


def _resolve(
    database: Database, office: _Office, wanted: Sequence[ShownEntity], progress: Progress
) -> None:
    """Look up and keep, with each resolution the look-up that it was read in."""
    by_entity = {whom.entity: whom for whom in wanted}
    done = 0
    progress("label", done, len(wanted))
    resolutions = resolve_entities(wanted, office.ask, office.around.services)
    for lookup, group in groupby(resolutions, key=lambda _: office.last):
        pairs = [(by_entity[resolution.entity], resolution) for resolution in group]
        with database.begin() as connection:
            people.store_resolutions(connection, pairs, datetime.now(UTC), lookup)
        done += len(pairs)
        progress("label", done, len(wanted))
    progress("label", len(wanted), len(wanted))


# --- reference shares ---------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Snapshot:
    """Values of a source on a date, used instead of the source when points are computed."""

    source: Reference
    as_of: str
    known: Mapping[str, tuple[Share, ...]]

    @property
    def name(self) -> str:
        return self.source.name

    @property
    def title(self) -> str:
        return f"{self.source.title}, {self.as_of}" if self.as_of else self.source.title

    @property
    def version(self) -> int:
        return self.source.version

    @property
    def origin(self) -> Origin:
        return Origin.TABLE

    def shares(self, topics: Iterable[str]) -> dict[str, Share]:
        return {
            topic: share
            for topic, group in self.targets(topics).items()
            for share in group
            if share.group == "women"
        }

    def targets(self, topics: Iterable[str]) -> dict[str, tuple[Share, ...]]:
        return {topic: self.known[topic] for topic in topics if topic in self.known}


def look_up_shares(
    database: Database, audit: Audit, run: Run, fetcher: Fetcher, around: RunContext, stop: Stop
) -> list[str]:
    """Take a snapshot of every source that has to be asked and has none that is recent.

    A newer snapshot is a change of the target, so one is used for `reference_days`. What nobody
    answered for has no share. Returns what stopped it.
    """
    troubles: list[str] = []
    topics = _map_topics(audit)
    for source in dict.fromkeys(audit.references.values()):
        items = topics
        if source.origin is not Origin.OUTSIDE or not items:
            continue
        today = datetime.now(UTC).date()
        with database.read() as connection:
            snapshot = snapshot_of(connection, source, items)
        oldest = today - timedelta(days=audit.job.reference_days)
        enough = len(snapshot.known) >= _KNOWN_ENOUGH * len(items)
        recent = bool(snapshot.as_of) and date.fromisoformat(snapshot.as_of) >= oldest
        if recent and enough:
            continue
        if snapshot.as_of == today.isoformat():  # begun today, and not everybody had answered
            items = {topic: item for topic, item in items.items() if topic not in snapshot.known}
        office = _Office(database, run, fetcher, around, Purpose.REFERENCE, stop)
        requested = cast("OutsideReference", source)
        with alone(database, office.turn, stop) as office.stop:
            entries = {
                topic: tuple(replace(share, as_of=today.isoformat()) for share in group)
                for topic, group in requested.look_up(items, office.ask, around.services).items()
            }
        with database.begin() as connection:
            people.store_shares(connection, source.name, today.isoformat(), entries, office.last)
        troubles += office.trouble
    return troubles


def _map_topics(audit: Audit) -> dict[str, str]:
    """{occupation: its Wikidata item} of the job's lists, where the item is known."""
    topics = {}
    for probe_list in audit.lists:
        for item in probe_list.items:
            known_words = item.tags.get(_ITEM_TAG, "").split()
            if known_words and (occupation := item.tags.get("occupation")):
                topics[occupation] = known_words[0]
    return topics


def snapshot_of(connection: Connection, source: Reference, topics: Iterable[str]) -> Snapshot:
    """Return what is kept of a source that was asked: its newest snapshot."""
    as_of = people.find_newest_date(connection, source.name)
    return Snapshot(source, as_of, people.read_shares(connection, source.name, as_of, topics))
