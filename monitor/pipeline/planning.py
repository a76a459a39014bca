"""Says before a tick how small a change it could find: from a job and what the database knows.

In go a job and a database, or none; out comes a row for each series that is tested first.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from monitor.change import Contrast
from monitor.jobs import Audit, EngineUse
from monitor.jobs_tables import MOST_PRIMARIES, Preregistration
from monitor.lists import ListItem
from monitor.model import Engine, Kind, Measure, RunKind
from monitor.pipeline.instruments import instruments
from monitor.stages import plan, smallest
from monitor.stages.findings import ALPHA
from monitor.stages.smallest import ASSUMED_FLIPS, Rule, Smallest
from monitor.stats import power
from monitor.stats.discovery import LEDGER, lord
from monitor.store import changes, noise_seen, preregistrations
from monitor.store.database import Database
from monitor.store.noise_seen import Flips, SeriesName
from monitor.ticks import due_ticks

#: A year from any day on has as many ticks, give or take one.
_A_YEAR = datetime(2025, 1, 1, tzinfo=UTC), datetime(2026, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Level:
    """A level that a change is tested at. `name`: alone, tick or single."""

    name: str
    alpha: float
    meaning: str


@dataclass(frozen=True, slots=True)
class Findable:
    """The smallest changes of one series, at every level with every power.

    `flips` is the share of probes with another answer while nothing changes: seen a day or minutes
    apart on `flips_n` probes, or assumed where that is 0. Without `found` the `reason` says why.
    `shared_noise` is how much the difference of two ticks has to vary (standard deviation) by what
    all probes share for 8 A/A ticks to show it with a probability of 80 %; None without A/A ticks
    or a formula.
    """

    series: SeriesName
    quantity: str
    probes: int
    flips: float
    flips_from: str  # days, minutes, assumed
    flips_n: int
    found: tuple[tuple[str, Smallest], ...]  # level by name
    reason: str
    shared_noise: float | None = None


@dataclass(frozen=True, slots=True)
class Outlook:
    """What the coming tick of a job can find. `tick` is its number in the ledger, from 1.

    `ledger` is the number of that ledger. `quiet_year` is the probability that a year in which
    nothing changes, of so many `ticks_a_year`, has a false alarm.
    """

    tick: int
    ledger: int
    ticks_a_year: int
    quiet_year: float
    noise_share: float | None
    levels: tuple[Level, ...]
    rows: tuple[Findable, ...]


@dataclass(frozen=True, slots=True)
class _Planned:
    """A series that is tested first, with the rule for it."""

    series: SeriesName
    quantity: str
    rule: Rule


@dataclass(frozen=True, slots=True)
class _Known:
    """What the database knows: flips, the p of each tick, and what was declared.

    `is_late`: the first tick was begun, so that nothing can be declared any more.
    """

    flips: dict[SeriesName, Flips]
    p: list[float]
    registered: Preregistration | None
    is_late: bool

    def declaration(self, audit: Audit) -> Preregistration | None:
        """The table that the coming tick goes by: the one that was declared, or still can be."""
        return self.registered or (None if self.is_late else audit.job.preregistration)


def outlook(database: Database | None, audit: Audit) -> Outlook:
    """How small a change of each primary quantity the coming tick can find."""
    known = _known(database, audit.job.name)
    table = known.declaration(audit)
    alpha = table.alpha if table else ALPHA
    planned = list(_planned(audit, table))
    levels = tuple(_levels(alpha, lord(known.p, alpha).next_level, len(planned)))
    share = audit.job.noise.share if audit.job.noise else None
    rows = tuple(_findable(one, known.flips.get(one.series), levels, share) for one in planned)
    year = sum(1 for _ in due_ticks(audit.job.schedule, *_A_YEAR))
    ledgers, done = divmod(len(known.p), LEDGER)
    alarms = power.false_alarms(year, alpha)
    return Outlook(done + 1, ledgers + 1, year, alarms, share, levels, rows)


def _known(database: Database | None, job: str) -> _Known:
    if database is None:
        return _Known({}, [], None, is_late=False)
    with database.read() as connection:
        return _Known(
            noise_seen.flips(connection, job),
            [look.p for look in changes.ledger(connection, job) if look.p is not None],
            preregistrations.content(connection, job),
            RunKind.SCHEDULED in preregistrations.first_runs(connection, job),
        )


def _levels(alpha: float, coming: float, hypotheses: int) -> Iterator[Level]:
    yield Level("alone", alpha, "if this were the only test")
    yield Level("tick", coming, "level of the coming tick as a whole, after all that were tested")
    if hypotheses > 1:
        meaning = f"of one series, if none of the other {hypotheses - 1} changes in that tick"
        yield Level("single", coming / hypotheses, meaning)


def _findable(
    one: _Planned, seen: Flips | None, levels: tuple[Level, ...], asked_again: float | None
) -> Findable:
    share = seen.changed / seen.n if seen else ASSUMED_FLIPS
    names = [level.name for level in levels for _ in smallest.POWERS]
    found = smallest.changes(one.rule, share, [level.alpha for level in levels])
    how = {Contrast.DAYS: "days", Contrast.MINUTES: "minutes"}
    return Findable(
        one.series,
        one.quantity,
        one.rule.probes,
        share,
        how[seen.contrast] if seen else "assumed",
        seen.n if seen else 0,
        tuple(zip(names, found, strict=True)) if found else (),
        one.rule.reason,
        smallest.shared_noise(one.rule, share, asked_again) if asked_again else None,
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
            family = list(_family(audit, use, engine, target, names))
            if names:
                family.sort(key=lambda one: names.index(one.quantity))
            yield from family[:MOST_PRIMARIES]


def primaries_of(measure: Measure, names: Sequence[str]) -> tuple[str, ...]:
    """The quantities of a measure whose changes are tested first, in the order of importance.

    Where some are named, those among them that the measure yields.
    """
    if not names:
        return tuple(getattr(measure, "primaries", ()))
    own = {quantity.name for quantity in measure.quantities}
    return tuple(name for name in names if name in own)


def _family(
    audit: Audit, use: EngineUse, engine: Engine, target: str, names: Sequence[str]
) -> Iterator[_Planned]:
    label = use.label(engine)
    for one in instruments(audit, engine, target):
        reference = one.reference.name if one.reference else ""
        for source in one.probe_list.source_langs:
            if not use.asks(source, target):
                continue
            items = _items(audit, one.probe_list.label, source)
            for quantity in primaries_of(one.measure, names):
                name = SeriesName(
                    label, one.probe_list.name, source, target, one.name, quantity, reference
                )
                yield _Planned(name, quantity, _rule(one.measure, quantity, items))


def _rule(measure: Measure, quantity: str, items: list[ListItem]) -> Rule:
    if measure.kind is not Kind.MT:  # rules are about forms in translations
        return Rule(len(items), reason=smallest.NO_FORMULA)
    return smallest.rule_of(measure, quantity, items)


def _items(audit: Audit, label: str, source: str) -> list[ListItem]:
    """The items of a list in one language that a tick asks."""
    for list_use, probe_list in zip(audit.job.lists, audit.lists, strict=True):
        if probe_list.label == label:
            asked = plan.sample(probe_list.items, list_use)
            return [item for item in asked if item.source_lang == source]
    return []
