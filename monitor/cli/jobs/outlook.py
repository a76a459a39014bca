"""What `monitor plan` says of a job: how small a change a tick can find, what is read."""

import json
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from datetime import UTC, datetime
from itertools import groupby
from typing import Any

from rich.markup import escape

from monitor import pipeline, settings
from monitor.cli.console import emit_json, out, say, table, warn
from monitor.jobs import Audit
from monitor.model import InvalidInput, Kind, StoreProblem
from monitor.pipeline import jobs
from monitor.pipeline import validation as auditing
from monitor.pipeline.derive.corpora import Expected
from monitor.pipeline.jobs import Findable, Outlook
from monitor.stages import validation
from monitor.store import migrations
from monitor.store.database import connect
from monitor.text.counted_nouns import several
from monitor.ticks import next_tick

_HEADS = {"list": "on this list", "beyond": "beyond this list"}


def read_outlook(audit: Audit) -> Outlook:
    """The outlook of a job by what the database knows; by what is assumed where there is none."""
    chosen = settings.load()
    with closing(connect(chosen.url, chosen.bodies)) as opened:
        if not opened.is_there:
            return jobs.make_outlook(None, audit)
        try:
            migrations.check_schema(opened)
            return jobs.make_outlook(opened, audit)
        except StoreProblem as error:
            words = f"what the database knows of noise is left out: {error}"
            warn(words)
            return jobs.make_outlook(None, audit)


def outlook_rows(found: Outlook) -> Mapping[tuple[str, str], list[dict[str, Any]]]:
    """{(engine, target): rows for scripts}."""
    rows: dict[tuple[str, str], list[dict[str, Any]]] = defaultdict(list)
    for row in found.rows:
        rows[row.series.engine, row.series.target].append(
            {
                **row.series._asdict(),
                "probes": row.probes,
                "flips": row.flips,
                "flips_from": row.flips_from,
                "flips_n": row.flips_n,
                "smallest": [
                    {"claim": small.claim, "power": small.power, "effect": small.effect}
                    for small in row.smallest
                ],
                "reason": row.reason,
            }
        )
    return rows


def print_outlook(found: Outlook) -> None:
    """Print it for people."""
    if not found.rows:
        say("Nothing of this job is tested for changes: no quantity of its measures comes first.")
        return
    known_rows = [row for row in found.rows if row.smallest]
    if known_rows:
        _tables(found, known_rows)
    _without(found.rows)
    _price(found)


def _tables(found: Outlook, known: Sequence[Findable]) -> None:
    """A table for each list and language; systems with the same numbers share one."""
    columns = ("quantity", "n", "flips", *_HEADS.values())
    how = found.how
    say(
        "The smallest change that is found with a probability of 80 % / 90 %, after a level of "
        f"{how.ticks_before} ticks:"
    )
    for title, cells in _alike(known):
        out.print(table(escape(title), columns, cells))
    say(
        "on this list: the answers to these questions changed. Found when "
        f"{_runs(how.since)} in a row lie beyond all runs before, with "
        f"{several(how.hypotheses, 'primary series', 'primary series')} in the job."
    )
    say(
        "beyond this list: it also holds for sentences like these. n: questions; each answer "
        "counts as usable and as independent of the others, but those about one occupation as if "
        "they always flipped together."
    )
    say(
        f"If nothing ever changes, this job has a false finding with a probability of at most "
        f"{found.alpha:.0%}, however long it runs."
    )
    if any(one.flips_from == "assumed" for one in known):
        say(
            "flips: not measured yet; 2 % of answers are assumed to differ while nothing changes. "
            "[noise] in the job file shows how many do."
        )


def _runs(needed: int | None) -> str:
    """`6 runs`, or that so many are never asked."""
    return "too many runs" if needed is None else several(needed, "run")


def _price(found: Outlook) -> None:
    """Say what a year asks, and what is lost where runs are not repeated."""
    confirming = (
        f", and on average about {found.confirming_questions:,} by confirming runs while nothing "
        "changes"
        if found.confirms
        else ""
    )
    say(
        f"A year of this job has {several(found.ticks_a_year, 'tick')}: "
        f"{several(found.questions, 'question')}, {found.noise_questions:,} more by noise runs"
        f"{confirming}."
    )
    if found.runs_a_tick == 1:
        known = (
            "without [noise]"
            if found.noise_share is None
            else (f"with [noise] share = {found.noise_share:g}")
        )
        say(
            f"Only ticks count as whole runs {known}: a change is found "
            f"{several(found.how.since or 0, 'tick')} after it. With share = 1 every tick "
            "counts twice."
        )
    if not found.confirms:
        say("Without [confirm] nothing is asked again when a change is suspected.")


def _alike(known: Sequence[Findable]) -> Iterator[tuple[str, list[list[str]]]]:
    """(title, rows) of every list, language and group of systems with the same numbers."""
    rows: dict[tuple[str, str, str, str], list[list[str]]] = defaultdict(list)
    for one in known:
        name = one.series
        flips = f"{one.flips:.1%} {one.flips_from}"
        cells = [_named(one), f"{one.probes:,}", flips, *_effects(one)]
        rows[name.list, name.source_lang, name.engine, name.target].append(cells)
    groups: dict[tuple[str, str, str], dict[str, list[str]]] = {}
    for (label, source, engine, target), group in rows.items():
        groups.setdefault((label, source, json.dumps(group)), {}).setdefault(engine, []).append(
            target
        )
    for (label, source, alike_cells), systems in groups.items():
        who = "; ".join(f"{engine}: {', '.join(targets)}" for engine, targets in systems.items())
        yield f"{label} ({source}), {who}", json.loads(alike_cells)


def _named(one: Findable) -> str:
    """The quantity, with the reference that it is held against."""
    return f"{one.quantity} {one.series.reference}".rstrip()


def _effects(one: Findable) -> list[str]:
    """A cell for each claim."""
    return [
        " / ".join("none" if small.effect is None else f"{small.effect:.3f}" for small in group)
        for _, group in groupby(one.smallest, key=lambda small: small.claim)
    ]


def _without(rows: Sequence[Findable]) -> None:
    """Say which quantities have no number, each reason once."""
    reasons: dict[str, list[str]] = defaultdict(list)
    for one in rows:
        if not one.smallest:
            reasons[one.reason].append(f"{one.quantity} of {one.series.measure}")
    for reason, names in reasons.items():
        say(f"No smallest change is said of {', '.join(dict.fromkeys(names))}: {reason}.")


def print_corpus_plan(audit: Audit, *, as_json: bool) -> None:
    """Say what the next tick would read of what is there by now."""
    found = _expected(audit)
    if as_json:
        emit_json(_corpus_as_plain(audit, found))
        return
    corpus, schedule = audit.job.corpus, audit.job.schedule
    if corpus is None:
        raise InvalidInput(f"{audit.path}: has no table [corpus]: it asks for itself")
    out.print(f"One tick of {audit.job.name}: {audit.job.description}", markup=False)
    say(
        f"It asks nobody: it reads what {' and '.join(corpus.jobs)} collected in the "
        f"{corpus.period} before the tick ({schedule.timezone})."
    )
    out.print(f"due: {schedule.cron} ({schedule.timezone})", markup=False)
    if found is None:
        return
    title = found.period.title
    if not found.ended:
        say(f"The next tick reads {title}: no run of {' or '.join(corpus.jobs)} has ended yet.")
    for system, n in found.documents.items():
        if found.ended:
            runs = several(found.ended, "run")
            say(f"The next tick reads {title}: so far {several(n, 'text')} of {runs}, {system}.")
    if found.going:
        say(f"{several(found.going, 'run')} of {title} had not ended, and would not be read.")


def _expected(audit: Audit) -> Expected | None:
    """By what the database knows; None where there is none."""
    chosen = settings.load()
    with closing(connect(chosen.url, chosen.bodies)) as opened:
        if not opened.is_there:
            return None
        try:
            migrations.check_schema(opened)
            now = datetime.now(UTC)
            due_at = next_tick(audit.job.schedule, now)
            return pipeline.expected(opened, audit, due_at or now)
        except StoreProblem as error:
            words = f"what there is to read is left out: {error}"
            warn(words)
            return None


def _corpus_as_plain(audit: Audit, found: Expected | None) -> dict[str, object]:
    corpus = audit.job.corpus
    return {
        "asks": 0,
        "jobs": list(corpus.jobs) if corpus else [],
        "period": found.period.title if found else None,
        "runs": found.ended if found else None,
        "unfinished": found.going if found else None,
        "texts": dict(found.documents) if found else None,
    }


def last_audits(audit: Audit) -> str:
    """One line for all languages of a job, by what the database knows; empty where none is read."""
    targets = sorted(
        {one for use, engine in audit.engines if engine.kind is Kind.MT for one in use.wanted}
    )
    if not targets:
        return ""
    return f"our reading of gender: {'; '.join(_say_last_audits(audit.job.name, targets))}"


def _say_last_audits(job: str, targets: list[str]) -> list[str]:
    now = datetime.now(UTC)
    chosen = settings.load()
    with closing(connect(chosen.url, chosen.bodies)) as opened:
        if opened.is_there:
            try:
                migrations.check_schema(opened)
                return auditing.last_audited(opened, job, targets, now)
            except StoreProblem:  # said already, by what the database knows of noise
                pass
    return validation.last_audited(targets, [], now)
