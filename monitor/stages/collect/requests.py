"""From planned attempts to raw answers: batches them, asks through a fetcher. Writes nothing."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from itertools import zip_longest
from typing import Protocol

from monitor.faults import Suspension, find_page_trouble, judge_answer
from monitor.fetch.lanes import Lane
from monitor.fetch.secrets import Scrubber, key_names
from monitor.jobs import EngineUse
from monitor.model import (
    Answer,
    DonatedRequest,
    Engine,
    Fault,
    Fetcher,
    HttpRequest,
    Json,
    Kind,
    LocalRequest,
    Outcome,
    Pause,
    Probe,
    Reason,
    RecordedRequest,
    Request,
    SavedRequest,
    Trouble,
    as_row,
)
from monitor.store.collect.evidence import Attempt, SettledAnswer

#: A wait is cut into pieces of this length, so that a person's wish to stop is heard.
_HEARD_WITHIN = 0.2
#: So long at most one of a panel leaves after the others are ready.
_PANEL_WITHIN = 0.02


@dataclass(frozen=True, slots=True)
class Collected:
    """One answer with its request and the attempts that it settles."""

    settled: SettledAnswer
    suspension: Suspension | None = None  # what the lane concluded from this answer


class RequestAllowance(Protocol):
    """Number of requests that may still be sent."""

    def take(self) -> bool:
        """Return whether one more may; it counts from now on."""


class RequestPanel(Protocol):
    """Time and size of a request where several engines are asked together."""

    @property
    def batch(self) -> int:
        """The most probes in a request."""

    def is_ready(self, group: Sequence[Attempt]) -> bool:
        """Return whether these attempts may be asked now. Waits for nobody."""


def make_batches(attempts: Sequence[Attempt], size: int) -> Iterator[tuple[Attempt, ...]]:
    """Attempts in groups of at most `size`, never two language pairs in one, never one probe twice.

    Asking the same question twice in one request would let the service answer it once. The repeats
    of a group follow directly one after another: so they differ by what the service does at random,
    not by what changes in the course of a tick. Groups keep the order of the attempts, by their
    first ones.
    """
    of_probe: dict[Probe, list[Attempt]] = {}
    groups: list[list[list[Attempt]]] = []  # each the attempts of some probes
    newest: dict[tuple[str, str, str], list[list[Attempt]]] = {}
    for attempt in attempts:
        probe = attempt.probe
        if all_attempts := of_probe.get(probe):
            all_attempts.append(attempt)
            continue
        pair = probe.source_lang, probe.target_lang, probe.region
        if pair not in newest or len(newest[pair]) >= size:
            newest[pair] = []
            groups.append(newest[pair])
        of_probe[probe] = [attempt]
        newest[pair].append(of_probe[probe])
    for group in groups:
        for together in zip_longest(*group):
            yield tuple(attempt for attempt in together if attempt)


def describe_request(request: Request) -> dict[str, Json]:
    """A request as evidence, keys by their names. Its texts are the probes of its attempts."""
    if isinstance(request, LocalRequest):
        options = {"options": dict(request.options)} if request.options else {}
        what = {"backend": request.backend, "model": request.model}
        return {**what, **options, "texts": len(request.texts)}
    if isinstance(request, RecordedRequest):
        what = {"file": request.file, "system": request.system, "target": request.target_lang}
        return {**what, "texts": len(request.texts)}
    if isinstance(request, DonatedRequest | SavedRequest):
        return as_row(request)
    if isinstance(request, HttpRequest):
        requested: dict[str, Json] = {
            "method": request.method,
            "url": request.url,
            "headers": [list(pair) for pair in request.headers],
            "body": request.body.decode("utf-8", "replace"),
        }
        for where in ("body_secrets", "query_secrets"):
            if pairs := getattr(request, where):
                requested[where] = {key: f"secret:{name}" for key, name in pairs}
        if request.restricted:
            requested["restricted"] = True
        if request.later:
            requested["later"] = describe_request(request.later.request)
        if request.signer:
            requested["signer"] = request.signer
        return requested
    return {
        "url": request.url,
        "region": {"name": request.region.name, **dict(request.region.parameters)},
        "consent": [list(pair) for pair in request.consent],
        "ready": list(request.ready),
        "headed": request.headed,
        **({"awaited": request.awaited.name} if request.awaited else {}),
    }


def target_of(attempts: Sequence[Attempt]) -> str:
    """The pair of languages of a group, as lanes name it."""
    probe = attempts[0].probe
    return f"{probe.source_lang}-{probe.target}"


def collect_answers(
    engine: Engine,
    use: EngineUse,
    attempts: Sequence[Attempt],
    fetcher: Fetcher,
    lane: Lane,
    allowance: RequestAllowance | None,
    stop: Callable[[], bool],
    panel: RequestPanel | None = None,
) -> Iterator[Collected]:
    """Ask and yield answers as they come in, at most what is allowed, as fast as the lane allows.

    After `stop` says so, or the lane has stopped, nothing new is asked, but what is in flight
    still comes in. A `panel` says when others are ready to ask the same.
    """
    config = use.fill_config(engine)
    flying: dict[int, tuple[tuple[Attempt, ...], Request]] = {}

    def halted() -> bool:
        return stop() or bool(lane.stopped)

    def leaving() -> Iterator[Request | Pause]:
        n_left = 0
        for group in make_batches(attempts, panel.batch if panel else engine.batch):
            yield from _list_pauses(lane.compute_wait, halted)
            if panel:
                yield from _list_pauses(partial(_until_ready, panel, group), halted)
            if target_of(group) in lane.closed:
                continue
            if halted() or (allowance and not allowance.take()):
                return
            yield from _list_pauses(
                lane.try_leave, halted
            )  # another use of the lane may have been quicker
            if halted():
                return
            request = engine.request([attempt.probe for attempt in group], config)
            flying[n_left] = group, request
            n_left += 1
            yield request

    try:
        for index, raw in fetcher.fetch(leaving()):
            group, request = flying.pop(index)
            answer, until = _judged(engine, config, raw, [attempt.probe for attempt in group])
            answer = without_keys(request, answer)
            before = lane.suspension
            lane.record_answer(answer, target_of(group), until)
            new = lane.suspension if lane.suspension is not before else None
            yield Collected(SettledAnswer(group, describe_request(request), answer), new)
    finally:
        lane.record_loss(len(flying))


def _list_pauses(seconds: Callable[[], float], halted: Callable[[], bool]) -> Iterator[Pause]:
    """Wait until there is nothing to wait for, or nothing more may leave."""
    while not halted() and (wait := seconds()) > 0:
        yield Pause(min(wait, _HEARD_WITHIN))


def _until_ready(panel: RequestPanel, group: Sequence[Attempt]) -> float:
    return 0.0 if panel.is_ready(group) else _PANEL_WITHIN


def _judged(
    engine: Engine, config: Mapping[str, Json], raw: Answer, probes: Sequence[Probe]
) -> tuple[Answer, datetime | None]:
    """(answer with its outcome, when the service answers again).

    An engine that raises drifts: the answer is kept, and a lane does not go on for long.
    """
    complete = raw.status is not None and raw.outcome is Outcome.OK
    trouble, answer = None, raw
    try:
        answer = replace(raw, agent=(*raw.agent, *engine.identity(raw)))
        if complete:
            trouble = find_page_trouble(raw) if engine.kind is Kind.MT else None
            trouble = trouble or engine.trouble(raw, config)
            if engine.kind is not Kind.SEARCH:
                trouble = trouble or _bogus(engine, raw, probes)
    except Exception as error:  # noqa: BLE001 - whatever a service sends must not end the run
        if complete:
            trouble = Trouble(Fault.DRIFT, f"{engine.name} cannot read it: {error!r}")
    return judge_answer(answer, trouble), trouble.until if trouble else None


def without_keys(request: Request, answer: Answer) -> Answer:
    """The answer, with no key in what the engine decoded out of it."""
    if not isinstance(request, HttpRequest):
        return answer
    scrub = Scrubber(key_names(request))
    agent = tuple((name, scrub.scrub_text(text)) for name, text in answer.agent)
    return replace(answer, detail=scrub.scrub_text(answer.detail), agent=agent)


def _bogus(engine: Engine, answer: Answer, probes: Sequence[Probe]) -> Trouble | None:
    """A success of which every translation is bogus: a lane must not go on asking for more."""
    readings = engine.parse(answer, probes)
    if readings and all(reading.reason is Reason.POISONED for reading in readings):
        return Trouble(Fault.POISONED, readings[0].detail or "bogus translations")
    return None
