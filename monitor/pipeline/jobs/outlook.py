"""Say how small a change a job can find and what it asks for that, by what the database knows."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from monitor.change import Contrast
from monitor.jobs import Audit, EngineUse
from monitor.jobs_tables import MOST_PRIMARIES, Preregistration
from monitor.lists import ListItem
from monitor.model import Engine, Kind, Measure, RunKind
from monitor.pipeline.derive.values import list_instruments
from monitor.stages.changes import detectable_effects
from monitor.stages.changes.decisions import ALPHA, LEAST_BEFORE, LEAST_SINCE, RAISED
from monitor.stages.changes.detectable_effects import ASSUMED_FLIPS, Deciding, EffectRule, Smallest
from monitor.stages.jobs import plan
from monitor.stats.run_order import order_chance, runs_needed
from monitor.store.changes import baseline_runs
from monitor.store.changes.baseline_runs import AnswerFlips, SeriesName
from monitor.store.database import Database
from monitor.store.jobs import declarations
from monitor.ticks import due_ticks

#: A year from any day on has as many ticks, give or take one.
_A_YEAR = datetime(2025, 1, 1, tzinfo=UTC), datetime(2026, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Findable:
    """The smallest changes of one series, of both claims with every power.

    `flips` is the share of probes with another answer while nothing changes: seen a day or minutes
    apart on `flips_n` probes, or assumed where that is 0. Without `smallest` the `reason` says why.
    """

    series: SeriesName
    quantity: str
    probes: int
    flips: float
    flips_from: str  # days, minutes, assumed
    flips_n: int
    smallest: tuple[Smallest, ...]
    reason: str


@dataclass(frozen=True, slots=True)
class Outlook:
    """Changes that a job can find, and the questions that this takes.

    `how` is how a change is decided after 12 ticks of a level; `alpha` the probability of a finding
    in a job in which nothing ever changes. Of a year: ticks, questions of its ticks and noise runs,
    and questions of confirming runs if nothing changes, on average. `noise_share` is None
    without `[noise]`; `runs_a_tick` counts runs that ask all questions, without confirming ones.
    """

    alpha: float
    how: Deciding
    ticks_a_year: int
    runs_a_tick: int
    noise_share: float | None
    confirms: bool
    questions: int
    noise_questions: int
    confirming_questions: int
    rows: tuple[Findable, ...]


@dataclass(frozen=True, slots=True)
class _Planned:
    """A series that is tested first, with the rule for it."""

    series: SeriesName
    quantity: str
    rule: EffectRule


@dataclass(frozen=True, slots=True)
class _StoredFacts:
    """Facts of the database: changed answers, and the declaration.

    `is_late`: the first tick was begun, so that nothing can be declared any more.
    """

    flips: dict[SeriesName, AnswerFlips]
    registered: Preregistration | None
    is_late: bool

    def declaration(self, audit: Audit) -> Preregistration | None:
        """The table that the coming tick goes by: the one that was declared, or still can be."""
        return self.registered or (None if self.is_late else audit.job.preregistration)


def make_outlook(database: Database | None, audit: Audit) -> Outlook:
    """Return how small a change of each primary quantity a job finds, and what it asks for that."""
    stored = _known(database, audit.job.name)
    table = stored.declaration(audit)
    alpha = table.alpha if table else ALPHA
    planned = list(_planned(audit, table))
    share = audit.job.noise.share if audit.job.noise else None
    runs_a_tick = 2 if share == 1 else 1
    how = detectable_effects.make_deciding(max(len(planned), 1), runs_a_tick, alpha)
    rows = tuple(_make_findable(item, stored.flips.get(item.series), how) for item in planned)
    year = sum(1 for _ in due_ticks(audit.job.schedule, *_A_YEAR))
    by_system = _map_questions(audit)
    questions = sum(by_system.values())
    confirms = audit.job.confirm is not None
    return Outlook(
        alpha=alpha,
        how=how,
        ticks_a_year=year,
        runs_a_tick=runs_a_tick,
        noise_share=share,
        confirms=confirms,
        questions=year * questions,
        noise_questions=round(year * questions * (share or 0.0)),
        confirming_questions=(
            _confirming(planned, by_system, runs_a_tick, year) if confirms else 0
        ),
        rows=rows,
    )


def _map_questions(audit: Audit) -> dict[tuple[str, str], int]:
    """Questions of one tick by engine and target."""
    counts: dict[tuple[str, str], int] = {}
    for use, engine in audit.engines:
        for question in plan.order_questions(audit, use, ""):
            key = use.label(engine), question.target
            counts[key] = counts.get(key, 0) + 1
    return counts


def _confirming(
    planned: Sequence["_Planned"],
    by_system: Mapping[tuple[str, str], int],
    runs_a_tick: int,
    year: int,
) -> int:
    """Questions of confirming runs in a year in which nothing changes, on average.

    As if no two series of a system had a signal at the same tick.
    """
    signals = chance_signals(runs_a_tick, year)
    series = Counter(
        (this_planned.series.engine, this_planned.series.target) for this_planned in planned
    )
    return round(sum(n * signals * by_system.get(system, 0) for system, n in series.items()))


def chance_signals(runs_a_tick: int, ticks: int) -> float:
    """Return at how many of its first ticks one series has a signal by chance, on average.

    A signal is raised, and its questions are asked again, after the fewest runs whose order is
    improbable enough. Signals that last for more ticks are not counted again.
    """
    expected = 0.0
    for tick in range(1, ticks):
        before = tick * runs_a_tick - 1  # the first run is what others are compared with
        since = runs_needed(before, RAISED / 2) if before >= LEAST_BEFORE else None
        if since is not None:
            expected += 2 * order_chance(before, max(since, LEAST_SINCE))
    return expected


def _known(database: Database | None, job: str) -> _StoredFacts:
    if database is None:
        return _StoredFacts({}, None, is_late=False)
    with database.read() as connection:
        return _StoredFacts(
            baseline_runs.count_flips(connection, job),
            declarations.read_registered_content(connection, job),
            RunKind.SCHEDULED in declarations.find_first_runs(connection, job),
        )


def _make_findable(one: _Planned, seen: AnswerFlips | None, how: Deciding) -> Findable:
    share = seen.changed / seen.n if seen else ASSUMED_FLIPS
    kinds = {Contrast.DAYS: "days", Contrast.MINUTES: "minutes"}
    return Findable(
        one.series,
        one.quantity,
        one.rule.probes,
        share,
        kinds[seen.contrast] if seen else "assumed",
        seen.n if seen else 0,
        tuple(detectable_effects.compute_changes(one.rule, share, how)),
        one.rule.reason,
    )


def _planned(audit: Audit, table: Preregistration | None) -> Iterator[_Planned]:
    """The series of a job that are tested first: of every engine and target at most four."""
    names = tuple(table.primaries) if table else audit.job.declared
    for use, engine in audit.engines:
        if use.control:  # a witness, never tested
            continue
        for target in use.wanted:
            if table and target not in table.targets:
                continue
            family = list(_list_family(audit, use, engine, target, names))
            if names:
                family.sort(key=lambda item: names.index(item.quantity))
            yield from family[:MOST_PRIMARIES]


def primaries_of(measure: Measure, names: Sequence[str]) -> tuple[str, ...]:
    """The quantities of a measure whose changes are tested first, in the order of importance.

    Where some are named, those among them that the measure yields.
    """
    if not names:
        return tuple(getattr(measure, "primaries", ()))
    own_names = {quantity.name for quantity in measure.quantities}
    return tuple(name for name in names if name in own_names)


def _list_family(
    audit: Audit, use: EngineUse, engine: Engine, target: str, names: Sequence[str]
) -> Iterator[_Planned]:
    label = use.label(engine)
    for instrument in list_instruments(audit, engine, target):
        reference = instrument.reference.name if instrument.reference else ""
        for source in instrument.probe_list.source_langs:
            if not use.asks_for(source, target):
                continue
            items = _items(audit, instrument.probe_list.label, source)
            for quantity in primaries_of(instrument.measure, names):
                name = SeriesName(
                    label,
                    instrument.probe_list.name,
                    source,
                    target,
                    instrument.name,
                    quantity,
                    reference,
                )
                yield _Planned(name, quantity, _make_rule(instrument.measure, quantity, items))


def _make_rule(measure: Measure, quantity: str, items: list[ListItem]) -> EffectRule:
    if measure.kind is not Kind.MT:  # rules are about forms in translations
        return EffectRule(len(items), reason=detectable_effects.NO_FORMULA)
    return detectable_effects.rule_of(measure, quantity, items)


def _items(audit: Audit, label: str, source: str) -> list[ListItem]:
    """The items of a list in one language that a tick asks."""
    for list_use, probe_list in zip(audit.job.lists, audit.lists, strict=True):
        if probe_list.label == label:
            list_items = plan.draw_sample(probe_list.items, list_use)
            return [item for item in list_items if item.source_lang == source]
    return []
