"""A job before its first tick: its dated declaration, and what its design can detect."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from hashlib import sha256

from monitor import __version__
from monitor.change import Contrast
from monitor.jobs import Audit, EngineUse, files_of
from monitor.jobs_tables import MOST_PRIMARIES, Preregistration
from monitor.lists import ListItem
from monitor.model import Engine, InvalidInput, Json, Kind, RunKind, digest
from monitor.pipeline.changes.tested_series import primaries_of
from monitor.pipeline.collect.run_starts import keep_files
from monitor.pipeline.derive.values import list_instruments
from monitor.stages.changes import detectable_effects
from monitor.stages.changes.decisions import ALPHA, LEAST_BEFORE, LEAST_SINCE, RAISED
from monitor.stages.changes.detectable_effects import ASSUMED_FLIPS, Deciding, EffectRule, Smallest
from monitor.stages.jobs import plan, preregistration
from monitor.stages.jobs.preregistration import DepartureStretch, Differences
from monitor.stats.series import order_chance, runs_needed
from monitor.store.changes.comparisons import AnswerFlips, SeriesName, count_flips
from monitor.store.collect.runs import Run
from monitor.store.database import Connection, Database
from monitor.store.jobs import declarations
from monitor.store.jobs.declarations import Registration, RunInputs
from monitor.ticks import due_ticks

#: Of the content of a declaration. 1 had no hashes of parts.
FORMAT = 2
_TABLE = "preregistration"


@dataclass(frozen=True, slots=True)
class JobRegistration:
    """A declaration that counts, and whether it was made just now.

    `seen` are runs made by hand before it: somebody may have known their answers. `now` is what is
    different in the job file of today, `stretches` are ticks that were not asked as declared.
    """

    registered: Registration
    is_new: bool
    seen: Run | None
    now: Differences = field(default_factory=Differences)
    stretches: Sequence[DepartureStretch] = ()


def content_of(audit: Audit) -> dict[str, Json]:
    """All that is declared, the same whenever it is asked for. Raises InvalidInput."""
    table = audit.job.preregistration
    if table is None:
        raise InvalidInput(
            f"{audit.path}: has no table [preregistration]; write down hypothesis, primaries, "
            "targets, smallest_effect and stop_rule first"
        )
    run_inputs = made_of(audit)
    return {
        "format": FORMAT,
        "job": audit.job.name,
        "job_hash": audit.job.content_hash,
        "declared": table.model_dump(mode="json"),
        "lists": dict(run_inputs.lists),
        "references": dict(run_inputs.references),
        "regions": dict(run_inputs.regions),
        "parts": dict(preregistration.hash_parts(run_inputs)),
        "code": __version__,
    }


def made_of(audit: Audit) -> RunInputs:
    """Return what a job asks as its files stand now. Raises OSError."""
    return RunInputs(
        content=audit.job.model_dump(mode="json"),
        lists={probe_list.label: probe_list.content_hash for probe_list in audit.lists},
        references={
            path: sha256(content).hexdigest()
            for path, content in files_of(audit).items()
            if path.startswith("references/")
        },
        regions={
            name: digest([list(parameter) for parameter in region.parameters])
            for name, region in audit.regions.items()
        },
    )


def register_job(
    database: Database, audit: Audit, now: datetime, recorded: datetime | None = None
) -> JobRegistration:
    """Write the declaration of a job down, unless that was done before.

    `recorded` is the first date of which answers are there already. Raises InvalidInput where there
    is one, another declaration was made before, or the job has a scheduled run.
    """
    content = content_of(audit)
    name = audit.job.name
    with database.begin() as connection:
        first = declarations.find_first_runs(connection, name)
        registration = declarations.find_registration(connection, name)
        if registration is not None:
            return _again(audit, _held(connection, registration, audit))
        if run := first.get(RunKind.SCHEDULED):
            raise InvalidInput(
                f"{audit.path}: run {run.id} of the tick of {run.due_at:%Y-%m-%d %H:%M} UTC was "
                f"begun on {run.created_at:%Y-%m-%d %H:%M} UTC; what is declared after the first "
                "tick is no preregistration"
            )
        if recorded is not None:
            raise InvalidInput(
                f"{audit.path}: answers of {recorded:%Y-%m-%d} are recorded already; what is "
                "declared after them is no preregistration"
            )
        keep_files(connection, database, audit)
        this_registration = declarations.add_registration(connection, name, content, now)
    if this_registration is None:
        raise InvalidInput(f"{audit.path}: is being declared by another process; look at --show")
    return JobRegistration(this_registration, is_new=True, seen=first.get(RunKind.MANUAL))


def _again(audit: Audit, found: JobRegistration) -> JobRegistration:
    """Return what was declared before, if it is the same. Raises InvalidInput if not."""
    registered = found.registered
    differing = [*found.now.bearing, *_list_table(registered, audit, found.now)]
    if differing:
        raise InvalidInput(
            f"{audit.path}: {audit.job.name} was declared on "
            f"{registered.registered_at:%Y-%m-%d %H:%M} UTC with the hash "
            f"{registered.hash}; the first declaration counts. Different now: "
            f"{'; '.join(differing)}"
        )
    return found


def _list_table(known: Registration, audit: Audit, now: Differences) -> list[str]:
    """Texts of the declaration that are others now: they bear on no number, but are declared."""
    table = audit.job.preregistration
    if table is None or table.model_dump(mode="json") == known.content["declared"]:
        return []
    texts = [item for item in now.aside if item.startswith(_TABLE)]
    is_said = any(item.startswith(_TABLE) for item in now.bearing)
    return texts or ([] if is_said else [f"{_TABLE}: another one than declared"])


def _held(connection: Connection, known: Registration, audit: Audit) -> JobRegistration:
    """A declaration with what is different since: in the file of today, and in what was asked."""
    manual = declarations.find_first_runs(connection, known.job).get(RunKind.MANUAL)
    source = preregistration.source_of(connection, known)
    now = preregistration.since_declared(known, source, made_of(audit))
    code = str(known.content.get("code", "unknown"))  # in the signature of each value
    program = [] if code == __version__ else [f"program: version {code} -> {__version__}"]
    return JobRegistration(
        known,
        is_new=False,
        seen=manual if manual and manual.created_at < known.registered_at else None,
        now=Differences(now.bearing, (*now.aside, *program)),
        stretches=preregistration.of_job(connection, known.job).stretches,
    )


def find_stored(database: Database, audit: Audit) -> JobRegistration:
    """Return what counts of a job. Raises InvalidInput where nothing was declared."""
    with database.read() as connection:
        registration = declarations.find_registration(connection, audit.job.name)
        result = None if registration is None else _held(connection, registration, audit)
    if result is None:
        raise InvalidInput(
            f"{audit.path}: nothing was declared for {audit.job.name}; declare it with: "
            f"monitor preregister {audit.path}"
        )
    return result


# --- outlook --------------------------------------------------------------------------------------

#: A year from any day on has as many ticks, give or take one.
_A_YEAR = datetime(2025, 1, 1, tzinfo=UTC), datetime(2026, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Findable:
    """The smallest changes of one series, of both claims with every power.

    `flips` is the share of probes with another answer while nothing changes: seen a day or minutes
    apart on `flips_n` probes, or assumed where that is 0. Without `smallest` the `reason` says why.
    """

    series: SeriesName
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


def make_outlook(database: Database | None, audit: Audit) -> Outlook:
    """Return how small a change of each primary quantity a job finds, and what it asks for that."""
    flips, table = _read_stored(database, audit)
    alpha = table.alpha if table else ALPHA
    planned = list(_planned(audit, table))
    share = audit.job.noise.share if audit.job.noise else None
    runs_a_tick = 2 if share == 1 else 1
    how = detectable_effects.make_deciding(max(len(planned), 1), runs_a_tick, alpha)
    rows = tuple(_make_findable(series, rule, flips.get(series), how) for series, rule in planned)
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


def _map_questions(audit: Audit) -> Counter[tuple[str, str]]:
    """Questions of one tick by engine and target."""
    return Counter(
        (use.label(engine), question.target)
        for use, engine in audit.engines
        for question in plan.order_questions(audit, use, "")
    )


def _confirming(
    planned: Sequence[tuple[SeriesName, EffectRule]],
    by_system: Mapping[tuple[str, str], int],
    runs_a_tick: int,
    year: int,
) -> int:
    """Questions of confirming runs in a year in which nothing changes, on average.

    As if no two series of a system had a signal at the same tick.
    """
    signals = chance_signals(runs_a_tick, year)
    return round(signals * sum(by_system[series.engine, series.target] for series, _ in planned))


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


def _read_stored(
    database: Database | None, audit: Audit
) -> tuple[dict[SeriesName, AnswerFlips], Preregistration | None]:
    """Return (changed answers by series, the declaration that the coming tick goes by).

    That is the one that was made, or still can be: not once the first tick was begun.
    """
    if database is None:
        return {}, audit.job.preregistration
    with database.read() as connection:
        job = audit.job.name
        is_late = RunKind.SCHEDULED in declarations.find_first_runs(connection, job)
        table = declarations.read_registered_content(connection, job)
        table = table or (None if is_late else audit.job.preregistration)
        return count_flips(connection, job), table


def _make_findable(
    series: SeriesName, rule: EffectRule, seen: AnswerFlips | None, how: Deciding
) -> Findable:
    share = seen.changed / seen.n if seen else ASSUMED_FLIPS
    kinds = {Contrast.DAYS: "days", Contrast.MINUTES: "minutes"}
    return Findable(
        series,
        rule.probes,
        share,
        kinds[seen.contrast] if seen else "assumed",
        seen.n if seen else 0,
        tuple(detectable_effects.compute_changes(rule, share, how)),
        rule.reason,
    )


def _planned(
    audit: Audit, table: Preregistration | None
) -> Iterator[tuple[SeriesName, EffectRule]]:
    """The series of a job that are tested first, with the rules for them.

    Of every engine and target at most four.
    """
    names = tuple(table.primaries) if table else audit.job.declared
    for use, engine in audit.engines:
        if use.control:  # a witness, never tested
            continue
        for target in use.wanted:
            if table and target not in table.targets:
                continue
            family = list(_list_family(audit, use, engine, target, names))
            if names:
                family.sort(key=lambda item: names.index(item[0].quantity))
            yield from family[:MOST_PRIMARIES]


def _list_family(
    audit: Audit, use: EngineUse, engine: Engine, target: str, names: Sequence[str]
) -> Iterator[tuple[SeriesName, EffectRule]]:
    label = use.label(engine)
    for instrument in list_instruments(audit, engine, target):
        measure, probe_list = instrument.measure, instrument.probe_list
        reference = instrument.reference.name if instrument.reference else ""
        for source in probe_list.source_langs:
            if not use.asks_for(source, target):
                continue
            items = _items(audit, probe_list.label, source)
            for quantity in primaries_of(measure, names):
                if measure.kind is Kind.MT:
                    rule = detectable_effects.rule_of(measure, quantity, items)
                else:  # rules are about forms in translations
                    rule = EffectRule(len(items), reason=detectable_effects.NO_FORMULA)
                name = SeriesName(
                    label, probe_list.name, source, target, instrument.name, quantity, reference
                )
                yield name, rule


def _items(audit: Audit, label: str, source: str) -> list[ListItem]:
    """The items of a list in one language that a tick asks."""
    for list_use, probe_list in zip(audit.job.lists, audit.lists, strict=True):
        if probe_list.label == label:
            list_items = plan.draw_sample(probe_list.items, list_use)
            return [item for item in list_items if item.source_lang == source]
    return []
