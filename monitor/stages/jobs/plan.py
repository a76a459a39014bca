"""From a job and its lists to the questions that one tick asks, and what else it looks up. Pure."""

import math
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from hashlib import blake2b
from itertools import chain, groupby
from typing import NamedTuple

from monitor import registry
from monitor.jobs import Audit, EngineUse, ListUse, is_applicable, reads_overviews, reads_words
from monitor.lists import ListItem, ProbeList
from monitor.model import DONOR, Cue, Engine, Kind, Origin, Probe, Request, RunKind, digest

#: Stored bytes per question beside its text: rows of the evidence tables and their indexes,
#: measured on a database of 1,984 answers (docs/operations.md).
_BYTES_PER_QUESTION = 1_700
#: A page of results with its picture: a document of 1 MB is 150 to 250 KB when packed, a picture of
#: the whole page some hundred.
_BYTES_PER_PAGE = 600_000
_SECONDS_PER_PAGE = 2.0


@dataclass(frozen=True, slots=True)
class PlannedQuestion:
    """One probe put to one engine once. `item_key` is its place in the list."""

    list_label: str
    item_key: str
    probe: Probe
    repeat: int

    @property
    def target(self) -> str:
        """The target language or region."""
        return self.probe.target


class RequestStep(NamedTuple):
    """A question whatever it is asked for: without its target or region, and its repeat.

    All engines of a job share it, so it has one place in the order of a tick.
    """

    text: str
    source_lang: str
    parameters: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Estimate:
    """Cost of a tick at one engine, before anything is asked."""

    engine: str
    lane: str  # what it shares its pace with
    target: str
    questions: int
    requests: int
    seconds: float
    characters: int
    dollars: float
    priced: bool  # False: what it costs cannot be said by the number of characters
    bytes: int
    daily_budget: int | None


def draw_sample(items: Sequence[ListItem], use: ListUse) -> list[ListItem]:
    """The items that a job asks: all, or a random sample of fixed size with equal strata shares.

    The draw orders items by a hash of (seed, key), so it is the same on every machine and a
    larger sample contains the smaller one. Strata get their share by largest remainder.
    """
    items = [item for item in items if use.takes_item(item)]
    if use.sample is None:
        return items
    return _drawn(items, use.sample, use.stratify, use.seed)


def _drawn(items: Sequence[ListItem], n: int, stratify: str, seed: int | str) -> list[ListItem]:
    """So many items, or all, drawn at random within strata by a tag; "" is one stratum."""
    if n >= len(items):
        return list(items)
    strata: dict[str, list[ListItem]] = defaultdict(list)
    for item in items:
        strata[item.tags[stratify] if stratify else ""].append(item)
    quota = {name: n * len(group) / len(items) for name, group in strata.items()}
    size = {name: math.floor(share) for name, share in quota.items()}
    by_remainder = sorted(quota, key=lambda name: (size[name] - quota[name], name))
    for name in by_remainder[: n - sum(size.values())]:
        size[name] += 1
    names: set[str] = set()
    for name, group in strata.items():
        list_items = sorted(group, key=lambda item: digest([seed, item.key]))
        names.update(item.key for item in list_items[: size[name]])
    return [item for item in items if item.key in names]


def plan_questions(audit: Audit, use: EngineUse) -> Iterator[PlannedQuestion]:
    """Every question of one tick to one engine, as the job names them: see `ordered`.

    Lists, then targets, items, repeats.
    """
    times = use.count_repeats(registry.engine(use.name), audit.job.repeats)
    for list_use, probe_list in zip(audit.job.lists, audit.lists, strict=True):
        items = draw_sample(probe_list.items, list_use)
        for listed_use in use.wanted:
            for item in items:
                if not use.asks_for(item.source_lang, listed_use):
                    continue
                probe = audit.make_probe(item, listed_use)
                for repeat in range(times):
                    yield PlannedQuestion(probe_list.label, item.key, probe, repeat)


def seed_of(job: str, due_at: datetime, kind: RunKind) -> str:
    """The seed of the order of one tick: the same wherever and whenever it is begun."""
    return digest([job, due_at.astimezone(UTC).isoformat(), kind])[:16]


def step_of(probe: Probe) -> RequestStep:
    """Return what is left of a question without its target or region; a region has parameters."""
    if probe.region or not probe.parameters:
        return RequestStep(probe.text, probe.source_lang)
    return RequestStep(probe.text, probe.source_lang, tuple(sorted(probe.parameters)))


def place(step: RequestStep, seed: str) -> bytes:
    """Return where a question stands in a tick: these bytes are in random order."""
    words = (step.source_lang, *chain.from_iterable(step.parameters), step.text)
    return blake2b("\0".join(words).encode(), key=seed.encode(), digest_size=16).digest()


def order_questions(audit: Audit, use: EngineUse, seed: str) -> Iterator[PlannedQuestion]:
    """The questions of one tick to one engine in the order in which they are asked.

    It is random, so that what changes while a tick lasts falls on all topics alike. It depends on
    the seed and the question alone: all engines, and all targets and regions of one, get the same
    questions in the same order. Then come targets by their names, then repeats.
    """
    times = use.count_repeats(registry.engine(use.name), audit.job.repeats)
    targets = sorted(use.wanted)
    items: list[ListItem] = []
    labels: list[str] = []
    for list_use, probe_list in zip(audit.job.lists, audit.lists, strict=True):
        items += draw_sample(probe_list.items, list_use)
        labels += [probe_list.label] * (len(items) - len(labels))
    places = [place(step_of(audit.make_probe(item, targets[0])), seed) for item in items]
    order = sorted(range(len(items)), key=places.__getitem__)
    for _, alike in groupby(order, key=places.__getitem__):
        same = list(alike)  # one text may stand in several items
        for target in targets:
            for number in same:
                item = items[number]
                if use.asks_for(item.source_lang, target):
                    probe = audit.make_probe(item, target)
                    for repeat in range(times):
                        yield PlannedQuestion(labels[number], item.key, probe, repeat)


def order_donated(
    audit: Audit, use: EngineUse, seed: str, find_donors: Callable[[Probe], Sequence[str]]
) -> Iterator[PlannedQuestion]:
    """The questions of one tick that donors have pages of: each once for every donor."""
    for question in order_questions(audit, use, seed):
        for donor in find_donors(question.probe):
            parameters = (*question.probe.parameters, (DONOR, donor))
            yield replace(question, probe=replace(question.probe, parameters=parameters))


def plan_noise(audit: Audit, use: EngineUse, seed: str, share: float) -> Iterator[PlannedQuestion]:
    """The questions of one tick to one engine that are asked a second time, in random order.

    Of every list and target a share of the items, at least one, drawn by the seed within the strata
    of the first measure that fits the list, once each. Engines and targets that are asked the same
    items get the same ones again. With a share of 1 everything is asked as at the tick, repeats
    included, so that the run counts as one.
    """
    if share == 1:
        yield from order_questions(audit, use, seed)
        return
    stored_rows: dict[tuple[str, str], frozenset[str]] = {}
    for list_use, probe_list in zip(audit.job.lists, audit.lists, strict=True):
        items, stratify = draw_sample(probe_list.items, list_use), _tag_of(audit, probe_list)
        for listed_use in use.wanted:
            asked_items = [item for item in items if use.asks_for(item.source_lang, listed_use)]
            drawn_rows = _drawn(
                asked_items, max(1, round(share * len(asked_items))), stratify, seed
            )
            stored_rows[probe_list.label, listed_use] = frozenset(item.key for item in drawn_rows)
    for question in order_questions(audit, use, seed):
        if (
            question.repeat == 0
            and question.item_key in stored_rows[question.list_label, question.target]
        ):
            yield question


def _tag_of(audit: Audit, probe_list: ProbeList) -> str:
    """The tag that groups the items of a list for the first measure that fits it, or ""."""
    tags = (
        measure.tag
        for this_measure in audit.job.measures
        for kind in audit.job.kinds
        for measure in this_measure.configure_for(kind)
        if measure.tag and measure.kind is kind and is_applicable(measure, probe_list)
    )
    return next(tags, "")


def estimate_run(audit: Audit) -> list[Estimate]:
    """Requests, time, price and storage of one tick, by engine and target.

    Engines that are asked together are asked one question at a time.
    """
    estimates = []
    for use, engine in audit.engines:
        by_target: dict[str, list[PlannedQuestion]] = defaultdict(list)
        for question in plan_questions(audit, use):
            by_target[question.target].append(question)
        for target, all_questions in by_target.items():
            batch = 1 if audit.job.synchronised else engine.batch
            bytes_each = _BYTES_PER_PAGE if engine.needs.browser else _BYTES_PER_QUESTION
            requests = math.ceil(len(all_questions) / batch)
            characters = sum(len(question.probe.text) for question in all_questions)
            estimates.append(
                Estimate(
                    engine=use.label(engine),
                    lane=use.lane,
                    target=target,
                    questions=len(all_questions),
                    requests=requests,
                    seconds=_compute_seconds(requests, use, engine),
                    characters=characters,
                    dollars=characters / 1e6 * engine.price,
                    priced=engine.price > 0 or engine.needs.price == "none",
                    bytes=len(all_questions) * bytes_each + characters,
                    daily_budget=use.daily_budget,
                )
            )
    return estimates


def _compute_seconds(requests: int, use: EngineUse, engine: Engine) -> float:
    """Return how long it takes at its pace; pages take a while themselves."""
    paced = requests / (use.compute_speed(engine) or engine.pace)
    if not engine.needs.browser:
        return paced
    return max(paced, requests * _SECONDS_PER_PAGE / (use.in_flight or engine.in_flight))


def sample_requests(audit: Audit, lanes: AbstractSet[str] | None = None) -> Iterator[Request]:
    """One request per engine, list and pair of languages: what must be installed to run the job.

    Of the engines of these lanes, or of all; of none where the job reads what others collected.
    """
    for use, engine in audit.engines if audit.job.corpus is None else ():
        if lanes is not None and use.lane not in lanes:
            continue
        for probe_list in audit.lists:
            for source in probe_list.source_langs:
                for list_use in use.wanted:
                    if use.asks_for(source, list_use):
                        first = next(i for i in probe_list.items if i.source_lang == source)
                        probe = audit.make_probe(first, list_use)
                        yield engine.request([probe], use.fill_config(engine))


def shows_people(audit: Audit) -> list[str]:
    """The blocks of pages whose people the job's measures need; none for other jobs."""
    if Kind.SEARCH not in audit.job.kinds:
        return []
    blocks = {
        this_measure.block
        for this_measure in audit.job.measures
        for measure in this_measure.configure_for(Kind.SEARCH)
        if measure.kind is Kind.SEARCH
        and Cue.PEOPLE in measure.cues
        and not (reads_words(measure) or reads_overviews(measure))
    }
    return sorted(blocks)


def asks_others(audit: Audit) -> bool:
    """Return whether people or shares have to be looked up at a public service."""
    outside = any(source.origin is Origin.OUTSIDE for source in audit.references.values())
    return outside or bool(shows_people(audit))


def landing_depth(audit: Audit) -> int:
    """Return how many results of each list lead to pages that are measured; 0 where none are."""
    if Kind.SEARCH not in audit.job.kinds or audit.job.corpus:
        return 0
    numbers = [
        int(str(measure.parameters["cutoff"]))  # a job without one is refused
        for this_measure in audit.job.measures
        if this_measure.text == "landing"
        for measure in this_measure.configure_for(Kind.SEARCH)
        if reads_words(measure)
    ]
    return max(numbers, default=0)
