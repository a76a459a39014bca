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
from monitor.stages.smallest import ASSUMED_FLIPS
from monitor.stats.discovery import LEDGER
from monitor.stats.noise import LEAST
from monitor.store import migrate
from monitor.store.database import connect
from monitor.text.counted_nouns import several

_HEADS = {"alone": "alone", "tick": "this tick", "single": "one series"}


def outlook(audit: Audit) -> Outlook:
    """The outlook of a job by what the database knows; by what is assumed where there is none."""
    chosen = settings.load()
    with closing(connect(chosen.url, chosen.bodies)) as opened:
        if not opened.is_there:
            return planning.outlook(None, audit)
        try:
            migrate.check(opened)
            return planning.outlook(opened, audit)
        except StoreProblem as error:
            said = f"what the database knows of noise is left out: {error}"
            err.print(said, style="yellow", markup=False, soft_wrap=True)
            return planning.outlook(None, audit)


def as_plain(found: Outlook) -> Mapping[tuple[str, str], list[dict[str, Any]]]:
    """{(engine, target): rows for scripts}."""
    levels = {level.name: level for level in found.levels}
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
                    {
                        "level": name,
                        "alpha": levels[name].alpha,
                        "power": small.power,
                        "effect": small.effect,
                    }
                    for name, small in one.found
                ],
                "shared_noise": one.shared_noise,
                "reason": one.reason,
            }
        )
    return rows


def show(found: Outlook) -> None:
    """Print it for people."""
    if not found.rows:
        _say("Nothing of this job is tested for changes: no quantity of its measures comes first.")
        return
    known = [one for one in found.rows if one.found]
    if known:
        _tables(found, known)
    _without(found.rows)


def _tables(found: Outlook, known: Sequence[Findable]) -> None:
    """A table for each list and language; systems with the same numbers share one."""
    heads = [_HEADS[level.name] for level in found.levels]
    columns = ("quantity", "n", "flips", *heads)
    _say("The smallest change that is found with a probability of 80 % / 90 %:")
    for title, cells in _alike(known):
        out.print(table(escape(title), columns, cells))
    for level in found.levels:
        _say(f"{_HEADS[level.name]}: p <= {level.alpha:.2g}, {level.meaning}")
    _say(
        f"The coming tick is number {found.tick} of {LEDGER} of false-discovery ledger "
        f"{found.ledger}. n: questions; each answer counts as usable and as independent of the "
        "others, but those about one occupation as if they always flipped together."
    )
    _say(
        f"A year of this job has {several(found.ticks_a_year, 'tick')}. "
        "If nothing changes in it, one of "
        f"them has a false finding with a probability of {found.quiet_year:.1%}, before anything "
        "is asked again; every ledger spends anew."
    )
    _shared(found, known)
    if any(one.flips_from == "assumed" for one in known):
        _say(
            "flips: nobody has seen yet how often answers differ while nothing changes; "
            f"{ASSUMED_FLIPS:.0%} is assumed. [noise] in the job file shows it, and repeats do."
        )


def _shared(found: Outlook, known: Sequence[Findable]) -> None:
    """Say which noise that all questions share goes unseen."""
    said = {
        f"{one.quantity} {one.shared_noise:.3f}" for one in known if one.shared_noise is not None
    }
    if found.noise_share is None:
        _say("Without [noise] a noise that all questions share is taken for a change.")
    elif said:
        _say(
            f"A noise that all questions share is seen by {LEAST:,} noise runs on "
            f"{found.noise_share:.0%} of them, with a probability of 80 %, where the difference of "
            f"two ticks varies by it by (standard deviation): {', '.join(sorted(said))}. A smaller "
            "one is taken for a change."
        )


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
    """A cell for each level."""
    return [
        " / ".join("none" if small.effect is None else f"{small.effect:.3f}" for _, small in some)
        for _, some in groupby(one.found, key=lambda pair: pair[0])
    ]


def _without(rows: Sequence[Findable]) -> None:
    """Say which quantities have no number, each reason once."""
    reasons: dict[str, list[str]] = defaultdict(list)
    for one in rows:
        if not one.found:
            reasons[one.reason].append(f"{one.quantity} of {one.series.measure}")
    for reason, names in reasons.items():
        _say(f"No smallest change is said of {', '.join(dict.fromkeys(names))}: {reason}.")


def _say(line: str) -> None:
    out.print(line, markup=False, soft_wrap=True)
