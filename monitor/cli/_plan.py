"""What `monitor plan` says of how small a change a tick can find."""

import json
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from itertools import groupby
from typing import Any

from rich.markup import escape

from monitor import settings
from monitor.cli._console import err, out, table
from monitor.jobs import Audit
from monitor.model import StoreProblem
from monitor.pipeline import planning
from monitor.pipeline.planning import Findable, Outlook
from monitor.store import migrations
from monitor.store.database import connect
from monitor.text.counted_nouns import several

_HEADS = {"list": "on this list", "beyond": "beyond this list"}


def outlook(audit: Audit) -> Outlook:
    """The outlook of a job by what the database knows; by what is assumed where there is none."""
    chosen = settings.load()
    with closing(connect(chosen.url, chosen.bodies)) as opened:
        if not opened.is_there:
            return planning.outlook(None, audit)
        try:
            migrations.check_schema(opened)
            return planning.outlook(opened, audit)
        except StoreProblem as error:
            said = f"what the database knows of noise is left out: {error}"
            err.print(said, style="yellow", markup=False, soft_wrap=True)
            return planning.outlook(None, audit)


def as_plain(found: Outlook) -> Mapping[tuple[str, str], list[dict[str, Any]]]:
    """{(engine, target): rows for scripts}."""
    rows: dict[tuple[str, str], list[dict[str, Any]]] = defaultdict(list)
    for one in found.rows:
        rows[one.series.engine, one.series.target].append(
            {
                **one.series._asdict(),
                "probes": one.probes,
                "flips": one.flips,
                "flips_from": one.flips_from,
                "flips_n": one.flips_n,
                "smallest": [
                    {"claim": small.claim, "power": small.power, "effect": small.effect}
                    for small in one.smallest
                ],
                "reason": one.reason,
            }
        )
    return rows


def show(found: Outlook) -> None:
    """Print it for people."""
    if not found.rows:
        _say("Nothing of this job is tested for changes: no quantity of its measures comes first.")
        return
    known = [one for one in found.rows if one.smallest]
    if known:
        _tables(found, known)
    _without(found.rows)
    _price(found)


def _tables(found: Outlook, known: Sequence[Findable]) -> None:
    """A table for each list and language; systems with the same numbers share one."""
    columns = ("quantity", "n", "flips", *_HEADS.values())
    how = found.how
    _say(
        "The smallest change that is found with a probability of 80 % / 90 %, after a level of "
        f"{how.ticks_before} ticks:"
    )
    for title, cells in _alike(known):
        out.print(table(escape(title), columns, cells))
    _say(
        "on this list: the answers to these questions changed. Found when "
        f"{_runs(how.since)} in a row lie beyond all runs before, with "
        f"{several(how.hypotheses, 'primary series', 'primary series')} in the job."
    )
    _say(
        "beyond this list: it also holds for sentences like these. n: questions; each answer "
        "counts as usable and as independent of the others, but those about one occupation as if "
        "they always flipped together."
    )
    _say(
        f"If nothing ever changes, this job has a false finding with a probability of at most "
        f"{found.alpha:.0%}, however long it runs."
    )
    if any(one.flips_from == "assumed" for one in known):
        _say(
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
    _say(
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
        _say(
            f"Only ticks count as whole runs {known}: a change is found "
            f"{several(found.how.since or 0, 'tick')} after it. With share = 1 every tick "
            "counts twice."
        )
    if not found.confirms:
        _say("Without [confirm] nothing is asked again when a change is suspected.")


def _alike(known: Sequence[Findable]) -> Iterator[tuple[str, list[list[str]]]]:
    """(title, rows) of every list, language and group of systems with the same numbers."""
    rows: dict[tuple[str, str, str, str], list[list[str]]] = defaultdict(list)
    for one in known:
        name = one.series
        flips = f"{one.flips:.1%} {one.flips_from}"
        cells = [_named(one), f"{one.probes:,}", flips, *_effects(one)]
        rows[name.list, name.source_lang, name.engine, name.target].append(cells)
    groups: dict[tuple[str, str, str], dict[str, list[str]]] = {}
    for (label, source, engine, target), some in rows.items():
        groups.setdefault((label, source, json.dumps(some)), {}).setdefault(engine, []).append(
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
        _say(f"No smallest change is said of {', '.join(dict.fromkeys(names))}: {reason}.")


def _say(line: str) -> None:
    out.print(line, markup=False, soft_wrap=True)
