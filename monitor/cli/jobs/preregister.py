"""The command that declares what a job will test before its first tick."""

from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from monitor.cli.console import emit_json, say, warn
from monitor.cli.database import database
from monitor.text.counted_nouns import several

if TYPE_CHECKING:
    from monitor.jobs import Job
    from monitor.jobs_tables import Preregistration
    from monitor.pipeline.jobs import JobRegistration


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
            found = jobs.find_stored(opened, audit)
        else:
            now = datetime.now(UTC)
            found = jobs.register_job(opened, audit, now, find_first_date(audit))
    if as_json:
        emit_json(as_plain(found))
    else:
        _print(found, audit.job)
    for line in _since(found):
        warn(line)
    if found.seen:
        warn(
            f"run {found.seen.id} was made by hand on {found.seen.created_at:%Y-%m-%d %H:%M} UTC: "
            "some answers could be known before this was declared"
        )


def _since(found: "JobRegistration") -> Iterator[str]:
    """What is different since it was declared: in the job file, and in what was asked."""
    if found.now.bearing:
        yield f"the job is another now than what was declared: {'; '.join(found.now.bearing)}"
    if found.now.aside:
        yield f"changed since, which bears on no number: {'; '.join(found.now.aside)}"
    for one in found.stretches:
        until = "" if one.back_at is None else f", until {one.back_at:%Y-%m-%d %H:%M} UTC"
        yield (
            f"asked in another way than declared since the tick of {one.since:%Y-%m-%d %H:%M} UTC"
            f"{until}: {'; '.join(one.differences)}; what rests on such a tick is exploratory"
        )


def as_plain(found: "JobRegistration") -> dict[str, Any]:
    """A declaration as it is exported: `hash` is of the canonical JSON of `content`."""
    one = found.registered
    return {
        "job": one.job,
        "hash": one.hash,
        "registered_at": one.registered_at.astimezone(UTC).isoformat(),
        "content": one.content,
        "different_now": {"bearing": found.now.bearing, "aside": found.now.aside},
        "departures": [
            {name: _plain(value) for name, value in stretch.row().items()}
            for stretch in found.stretches
        ],
    }


def _plain(value: object) -> object:
    return value.astimezone(UTC).isoformat() if isinstance(value, datetime) else value


def _print(found: "JobRegistration", job: "Job") -> None:
    one = found.registered
    from monitor.jobs_tables import Preregistration

    table = Preregistration.model_validate(one.content["declared"])
    say(f"Declared for {one.job}, before its first tick:")
    for line in _sentences(table, {name: q.title for name, q in job.quantities.items()}):
        say(f"  {line}")
    for label, hashed in one.content["lists"].items():
        say(f"  list {label}: {hashed}")
    say(f"  job: {one.content['job_hash']}, program version {one.content['code']}")
    verb = "registered" if found.is_new else "was registered already"
    say(f"{verb} at {one.registered_at:%Y-%m-%d %H:%M:%S} UTC")
    say(f"hash: {one.hash}")


def _sentences(table: "Preregistration", titles: Mapping[str, str]) -> Iterator[str]:
    """What a table declares, in plain words."""
    yield f"hypothesis: {table.hypothesis}"
    for name in table.primaries:
        title = f" ({titles[name]})" if name in titles else ""
        yield (
            f"tested first: {name}{title}; the smallest change that matters is "
            f"{table.smallest_effect[name]:g}"
        )
    yield f"targets: {', '.join(table.targets)}"
    yield (
        f"if nothing ever changes, a change is announced with a probability of at most "
        f"{table.alpha:.3g} (all primary series and ticks of the job together)"
    )
    rule = table.stop_rule
    yield (
        f"stop rule: after {several(rule, 'tick')}"
        if isinstance(rule, int)
        else f"stop rule: {rule}"
    )
    if table.date:
        yield f"decided on {table.date:%Y-%m-%d}"
    yield "everything else that is found is exploratory"
