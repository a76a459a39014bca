"""Commands about a job before its first tick: what it asks and can find, what it declares."""

import json
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

import typer
from rich.markup import escape

from monitor import pipeline
from monitor.cli.console import AsJson, emit_json, out, say, table, warn
from monitor.cli.database import database, open_unchecked
from monitor.cli.names import JobFile
from monitor.model import Kind, StoreProblem, as_row
from monitor.text.counted_nouns import several

if TYPE_CHECKING:
    from monitor.jobs import Audit, Job
    from monitor.jobs_tables import Preregistration
    from monitor.pipeline.derive.corpora import Expected
    from monitor.pipeline.jobs import Findable, JobRegistration, Outlook
    from monitor.stages.jobs.plan import Estimate
    from monitor.store.database import Database

Known = TypeVar("Known")
_HEADS = {"list": "on this list", "beyond": "beyond this list"}


def plan(job: JobFile, as_json: AsJson = False) -> None:
    """Say how many questions a job asks, how long it takes, what it costs and what it can find.

    Asks nobody. How small a change can be found depends on how often answers differ while nothing
    changes: as repeats and noise runs in the database have shown, or as is assumed.
    """
    from monitor.jobs import load_audit
    from monitor.pipeline.jobs import make_outlook
    from monitor.stages.jobs.plan import estimate_run

    audit = load_audit(job)
    if audit.job.corpus:
        _plan_corpus(audit, as_json=as_json)
        return
    rows = estimate_run(audit)
    outlook = _ask_database(
        lambda opened: make_outlook(opened, audit), "what the database knows of noise is left out"
    )
    if as_json:
        changes = _outlook_rows(outlook)
        emit_json([
            as_row(row) | {"changes": changes.get((row.engine, row.target), [])} for row in rows
        ])  # fmt: skip
        return
    out.print(f"One tick of {audit.job.name}: {audit.job.description}", markup=False)
    for engine, group in groupby(rows, key=lambda row: row.engine):
        _print_estimates(engine, list(group))
    longest = max(sum(r.seconds for r in rows if r.lane == row.lane) for row in rows)
    together = ", because services are asked at the same time" if len(rows) > 1 else ""
    out.print(
        f"in all: {several(sum(row.questions for row in rows), 'question')}, "
        f"price {_price(rows)}, "
        f"{sum(row.bytes for row in rows) / 1e6:.1f} MB; about {_duration(longest)}{together}"
    )
    schedule = audit.job.schedule
    later = f", up to {schedule.jitter} s later" if schedule.jitter else ""
    out.print(f"due: {schedule.cron} ({schedule.timezone}){later}")
    for row in rows:
        if row.daily_budget is not None and row.requests > row.daily_budget:
            days = -(-row.requests // row.daily_budget)
            out.print(
                f"{row.engine}: the daily budget stretches a tick over {several(days, 'day')}"
            )
    if outlook.rows:
        _print_outlook(outlook)
    else:
        say("Nothing of this job is tested for changes: no quantity of its measures comes first.")
    _say_last_audits(audit)


def _ask_database(read: "Callable[[Database | None], Known]", left_out: str = "") -> Known:
    """Return what `read` makes of the database, or of None where none can be read.

    `left_out` is said, with the reason, where there is one that cannot be read.
    """
    from monitor.store import migrations

    with open_unchecked() as opened:
        if opened.is_there:
            try:
                migrations.check_schema(opened)
                return read(opened)
            except StoreProblem as error:
                if left_out:
                    warn(f"{left_out}: {error}")
    return read(None)


def _duration(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours} h {minutes:02d} min" if hours else f"{minutes} min {rest:02d} s"


def _price(rows: "Sequence[Estimate]") -> str:
    """The price of what is asked; what nobody can say from the number of characters is said."""
    dollars = sum(row.dollars for row in rows)
    if all(row.priced for row in rows):
        return f"${dollars:.2f}" if dollars else "none"
    return f"${dollars:.2f} and more" if dollars else "not known"


def _print_estimates(engine: str, rows: "Sequence[Estimate]") -> None:
    from monitor.stages.reports.names import kind_of, target_words

    cells = [
        [
            target_words(row.target, kind_of(engine)),
            f"{row.questions:,}",
            f"{row.requests:,}",
            _duration(row.seconds),
            _price([row]),
            f"{row.bytes / 1e6:.1f} MB",
        ]
        for row in rows
    ]
    columns = ("target", "questions", "requests", "about", "price", "storage")
    out.print(table(engine, columns, cells))


# --- how small a change can be found --------------------------------------------------------------


def _outlook_rows(outlook: "Outlook") -> Mapping[tuple[str, str], list[dict[str, Any]]]:
    """Return {(engine, target): rows for scripts}."""
    rows: dict[tuple[str, str], list[dict[str, Any]]] = defaultdict(list)
    for row in outlook.rows:
        fields = ("probes", "flips", "flips_from", "flips_n")
        smallest = [
            {name: getattr(small, name) for name in ("claim", "power", "effect")}
            for small in row.smallest
        ]
        rows[row.series.engine, row.series.target].append({
            **row.series._asdict(), **{name: getattr(row, name) for name in fields},
            "smallest": smallest, "reason": row.reason,
        })  # fmt: skip
    return rows


def _print_outlook(outlook: "Outlook") -> None:
    """Print the smallest changes, why some quantities have none, and what a year asks."""
    tested = [row for row in outlook.rows if row.smallest]
    if tested:
        _print_smallest(outlook, tested)
    reasons: dict[str, dict[str, None]] = defaultdict(dict)
    for row in outlook.rows:
        if not row.smallest:
            reasons[row.reason][f"{row.series.quantity} of {row.series.measure}"] = None
    for reason, names in reasons.items():
        say(f"No smallest change is said of {', '.join(names)}: {reason}.")
    confirming = (
        f", and on average about {outlook.confirming_questions:,} by confirming runs while nothing "
        "changes"
        if outlook.confirms
        else ""
    )
    say(
        f"A year of this job has {several(outlook.ticks_a_year, 'tick')}: "
        f"{several(outlook.questions, 'question')}, {outlook.noise_questions:,} more by noise runs"
        f"{confirming}."
    )
    if outlook.runs_a_tick == 1:
        share = outlook.noise_share
        noise = "without [noise]" if share is None else f"with [noise] share = {share:g}"
        say(
            f"Only ticks count as whole runs {noise}: a change is found "
            f"{several(outlook.how.since or 0, 'tick')} after it. With share = 1 every tick "
            "counts twice."
        )
    if not outlook.confirms:
        say("Without [confirm] nothing is asked again when a change is suspected.")


def _print_smallest(outlook: "Outlook", tested: "Sequence[Findable]") -> None:
    """Print a table for each list and language; systems with the same numbers share one."""
    columns = ("quantity", "n", "flips", *_HEADS.values())
    how = outlook.how
    say(
        "The smallest change that is found with a probability of 80 % / 90 %, after a level of "
        f"{how.ticks_before} ticks:"
    )
    for title, cells in _group_alike(tested):
        out.print(table(escape(title), columns, cells))
    needed = "too many runs" if how.since is None else several(how.since, "run")
    hypotheses = several(how.hypotheses, "primary series", "primary series")
    say(
        f"on this list: the answers to these questions changed. Found when {needed} in a row lie "
        f"beyond all runs before, with {hypotheses} in the job."
    )
    say(
        "beyond this list: it also holds for sentences like these. n: questions; each answer "
        "counts as usable and as independent of the others, but those about one occupation as if "
        "they always flipped together."
    )
    say(
        f"If nothing ever changes, this job has a false finding with a probability of at most "
        f"{outlook.alpha:.0%}, however long it runs."
    )
    if any(row.flips_from == "assumed" for row in tested):
        say(
            "flips: not measured yet; 2 % of answers are assumed to differ while nothing changes. "
            "[noise] in the job file shows how many do."
        )


def _group_alike(tested: "Sequence[Findable]") -> Iterator[tuple[str, list[list[str]]]]:
    """Yield (title, rows) of every list, language and group of systems with the same numbers."""
    from monitor.stages.reports.names import kind_of, say_pairs

    rows: dict[tuple[str, str, str, str], list[list[str]]] = defaultdict(list)
    for row in tested:
        name = row.series
        effects = [
            " / ".join("none" if small.effect is None else f"{small.effect:.3f}" for small in group)
            for _, group in groupby(row.smallest, key=lambda small: small.claim)
        ]
        quantity = f"{name.quantity} {name.reference}".rstrip()
        flips = f"{row.flips:.1%} {row.flips_from}"
        cells = [quantity, f"{row.probes:,}", flips, *effects]
        rows[name.list, name.source_lang, name.engine, name.target].append(cells)
    groups: dict[tuple[str, str, str], dict[str, list[str]]] = defaultdict(
        lambda: defaultdict(list)
    )
    for (label, source, engine, target), group in rows.items():
        groups[label, source, json.dumps(group)][engine].append(target)
    for (label, source, alike_cells), systems in groups.items():
        who = "; ".join(
            f"{engine}: {say_pairs([(source, target) for target in targets], kind_of(engine))}"
            for engine, targets in systems.items()
        )
        yield f"{label}, {who}", json.loads(alike_cells)


def _say_last_audits(audit: "Audit") -> None:
    """Say when the reading of gender was last audited, in one line for all languages of a job."""
    from monitor.pipeline import validation as audits
    from monitor.stages import validation

    translators = [use for use, engine in audit.engines if engine.kind is Kind.MT]
    targets = sorted({target for use in translators for target in use.wanted})
    if not targets:
        return
    name, now = audit.job.name, datetime.now(UTC)
    lines = _ask_database(
        lambda opened: (
            audits.last_audited(opened, name, targets, now)
            if opened
            else validation.last_audited(targets, [], now)
        )
    )
    say(f"our reading of gender: {'; '.join(lines)}")


# --- a job that reads what others collected -------------------------------------------------------


def _plan_corpus(audit: "Audit", *, as_json: bool) -> None:
    """Say what the next tick would read of what is there by now."""
    corpus, schedule = audit.job.corpus, audit.job.schedule
    assert corpus is not None  # noqa: S101 - of a job with the table
    expected = _ask_database(
        lambda opened: _expect(opened, audit) if opened else None,
        "what there is to read is left out",
    )
    if as_json:
        emit_json({
            "asks": 0,
            "jobs": list(corpus.jobs),
            "period": expected and expected.period.title,
            "runs": expected and expected.ended,
            "unfinished": expected and expected.going,
            "texts": expected and dict(expected.documents),
        })  # fmt: skip
        return
    out.print(f"One tick of {audit.job.name}: {audit.job.description}", markup=False)
    say(
        f"It asks nobody: it reads what {' and '.join(corpus.jobs)} collected in the "
        f"{corpus.period} before the tick ({schedule.timezone})."
    )
    out.print(f"due: {schedule.cron} ({schedule.timezone})", markup=False)
    if expected is None:
        return
    title, ended = expected.period.title, expected.ended
    if not ended:
        say(f"The next tick reads {title}: no run of {' or '.join(corpus.jobs)} has ended yet.")
    for system, n in expected.documents.items() if ended else ():
        texts = f"{several(n, 'text')} of {several(ended, 'run')}"
        say(f"The next tick reads {title}: so far {texts}, {system}.")
    if expected.going:
        say(f"{several(expected.going, 'run')} of {title} had not ended, and would not be read.")


def _expect(opened: "Database", audit: "Audit") -> "Expected | None":
    from monitor.ticks import next_tick

    now = datetime.now(UTC)
    return pipeline.expected(opened, audit, next_tick(audit.job.schedule, now) or now)


# --- what is declared -----------------------------------------------------------------------------


def preregister(
    job: Annotated[Path, typer.Argument(help="Job file with a table [preregistration].")],
    show: Annotated[
        bool, typer.Option("--show", help="Only show what was declared; declare nothing.")
    ] = False,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print the declaration with its hash as JSON.")
    ] = False,
) -> None:
    """Declare what a job will test, before its first tick: hashed and dated, once and for all.

    Refused once the job has a scheduled run or recorded answers, or when something else was
    declared for it before.
    docs/preregistration.md says how anybody can compute the hash again.
    """
    from monitor.jobs import load_audit
    from monitor.pipeline import jobs
    from monitor.work.recorded import find_first_date

    audit = load_audit(job)
    with database() as opened:
        if show:
            declaration = jobs.find_stored(opened, audit)
        else:
            now = datetime.now(UTC)
            declaration = jobs.register_job(opened, audit, now, find_first_date(audit))
    if as_json:
        emit_json(_declaration_facts(declaration))
    else:
        _print_declaration(declaration, audit.job)
    for line in _list_differences(declaration):
        warn(line)


def _list_differences(declaration: "JobRegistration") -> Iterator[str]:
    """Yield what is different since it was declared: in the job file, and in what was asked."""
    now, seen = declaration.now, declaration.seen
    if now.bearing:
        yield f"the job is another now than what was declared: {'; '.join(now.bearing)}"
    if now.aside:
        yield f"changed since, which bears on no number: {'; '.join(now.aside)}"
    for stretch in declaration.stretches:
        until = "" if stretch.back_at is None else f", until {stretch.back_at:%Y-%m-%d %H:%M} UTC"
        yield (
            "asked in another way than declared since the tick of "
            f"{stretch.since:%Y-%m-%d %H:%M} UTC{until}: {'; '.join(stretch.differences)}; what "
            "rests on such a tick is exploratory"
        )
    if seen:
        yield (
            f"run {seen.id} was made by hand on {seen.created_at:%Y-%m-%d %H:%M} UTC: some answers "
            "could be known before this was declared"
        )


def _declaration_facts(declaration: "JobRegistration") -> dict[str, Any]:
    """Return a declaration as it is exported; `hash` is of the canonical JSON of `content`."""

    def plain(value: object) -> object:
        return value.astimezone(UTC).isoformat() if isinstance(value, datetime) else value

    registered = declaration.registered
    return {
        "job": registered.job,
        "hash": registered.hash,
        "registered_at": plain(registered.registered_at),
        "content": registered.content,
        "different_now": {"bearing": declaration.now.bearing, "aside": declaration.now.aside},
        "departures": [
            {name: plain(value) for name, value in stretch.row().items()}
            for stretch in declaration.stretches
        ],
    }


def _print_declaration(declaration: "JobRegistration", job: "Job") -> None:
    from monitor.jobs_tables import Preregistration

    registered = declaration.registered
    declared = Preregistration.model_validate(registered.content["declared"])
    say(f"Declared for {registered.job}, before its first tick:")
    for line in _list_declared(declared, {name: q.title for name, q in job.quantities.items()}):
        say(f"  {line}")
    for label, hashed in registered.content["lists"].items():
        say(f"  list {label}: {hashed}")
    say(f"  job: {registered.content['job_hash']}, program version {registered.content['code']}")
    verb = "registered" if declaration.is_new else "was registered already"
    say(f"{verb} at {registered.registered_at:%Y-%m-%d %H:%M:%S} UTC")
    say(f"hash: {registered.hash}")


def _list_declared(declared: "Preregistration", titles: Mapping[str, str]) -> Iterator[str]:
    yield f"hypothesis: {declared.hypothesis}"
    for name in declared.primaries:
        title = f" ({titles[name]})" if name in titles else ""
        yield (
            f"tested first: {name}{title}; the smallest change that matters is "
            f"{declared.smallest_effect[name]:g}"
        )
    yield f"targets: {', '.join(declared.targets)}"
    yield (
        f"if nothing ever changes, a change is announced with a probability of at most "
        f"{declared.alpha:.3g} (all primary series and ticks of the job together)"
    )
    rule = declared.stop_rule
    words = f"after {several(rule, 'tick')}" if isinstance(rule, int) else rule
    yield f"stop rule: {words}"
    if declared.date:
        yield f"decided on {declared.date:%Y-%m-%d}"
    yield "everything else that is found is exploratory"
