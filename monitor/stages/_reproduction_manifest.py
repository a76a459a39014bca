"""What `manifest.json` says of a reproducibility package beside its files.

In go an open transaction and what is in the package, out come versions, seeds, when things were
decided, and what cannot be recomputed because something is not in it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from monitor import registry
from monitor.model import RunState
from monitor.stages.audit_verdict import Doubt, doubts, verdicts
from monitor.stages.reproduction_folder import FORMAT
from monitor.store import audits
from monitor.store import reproduction as inputs
from monitor.store import reproduction_numbers as numbers
from monitor.store.database import Connection
from monitor.store.reproduction import Unfinished, Wanted

#: A report is about seven days, which have an hour more where clocks are changed.
_WEEK = timedelta(days=7, hours=1)

#: Nothing random has a seed of its own: each follows from what is in the package.
SEEDS = {
    "order of questions, and which are asked again for noise": "inputs/runs: seed, the first 16 "
    "digits of SHA-256 of the canonical JSON [job, due tick, kind]",
    "bootstrap and permutations": "the first 15 hexadecimal digits of SHA-256 of the canonical "
    "JSON [identity of the series, due tick, signature], as a whole number",
}


@dataclass(frozen=True, slots=True)
class Reports:
    """Which weekly reports are in a package, as {job: times}, and which are not, with reasons."""

    made: Mapping[str, Sequence[datetime]]
    left_out: Mapping[str, Mapping[str, str]]


@dataclass(frozen=True, slots=True)
class Known:
    """What is in a package, and what is not.

    `behind` says of runs why what they show is not what would be computed now.
    """

    run_ids: Sequence[int]
    unfinished: Sequence[Unfinished]
    reports: Reports
    signatures: Mapping[str, Mapping[str, Any]]
    lexicons: Sequence[str]
    behind: Mapping[int, str]


def reports_of_jobs(
    connection: Connection, wanted: Wanted, unfinished: Sequence[Unfinished]
) -> Reports:
    """Which reports can be recomputed: those of weeks in which every run has ended.

    Of an archive that is cut, none: they print all of it.
    """
    made: dict[str, list[datetime]] = {}
    left_out: dict[str, dict[str, str]] = {}
    for job in [] if wanted.until else numbers.jobs_of(connection, wanted):
        made[job] = []
        mine = [one for one in unfinished if one.job == job]
        for at in numbers.report_times(connection, wanted, job):
            open_ = [one for one in mine if at - _WEEK < one.due_at <= at]
            if open_:
                left_out.setdefault(job, {})[at.isoformat()] = _said(open_[0])
            else:
                made[job].append(at)
    return Reports(made, left_out)


def _said(one: Unfinished) -> str:
    return f"run {one.id} of its week had not ended ({one.state})"


def made(connection: Connection, wanted: Wanted, known: Known) -> dict[str, Any]:
    """All of it but the program and the files."""
    jobs = numbers.jobs_of(connection, wanted)
    ours = set(known.run_ids)
    behind = {run_id: why for run_id, why in sorted(known.behind.items()) if run_id in ours}
    signed = {run_id: numbers.signed(connection, run_id) for run_id in known.run_ids}
    languages = _languages(inputs.jobs_by_run(connection, wanted), signed, known.signatures)
    return {
        "format": FORMAT,
        "full": wanted.full,
        "people": wanted.people,
        "jobs": jobs,
        "chosen_jobs": sorted(wanted.jobs),
        "until": wanted.until.isoformat() if wanted.until else None,
        "runs": len(known.run_ids),
        "unfinished": {
            str(one.id): f"{one.job}, {one.kind}, due {one.due_at.isoformat()}: {_state(one)}"
            for one in known.unfinished
        },
        "withheld_lists": inputs.withheld_lists(connection, wanted),
        "behind": {str(run_id): why for run_id, why in behind.items()},
        "erased": _erased(connection, wanted, behind),
        "worked_on": _worked_on(known.unfinished),
        "doubts": _doubts(connection, ours, languages),
        "signatures": known.signatures,
        "measures": _measures(known.signatures),
        "signed": {
            str(run_id): {kind: sorted(some) for kind, some in found.items()}
            for run_id, found in signed.items()
            if any(found.values())
        },
        "decided": {job: numbers.decided(connection, job, wanted.until) for job in jobs},
        "report_times": {
            job: [at.isoformat() for at in times] for job, times in known.reports.made.items()
        },
        "reports_left_out": known.reports.left_out,
        "seeds": SEEDS,
        "lexicons": known.lexicons,
    }  # fmt: skip


_ENDED = (RunState.DONE, RunState.PARTIAL)


def _state(one: Unfinished) -> str:
    worked_on = one.state in _ENDED
    return "ended, and worked on while the package was written" if worked_on else one.state


def _worked_on(unfinished: Sequence[Unfinished]) -> dict[str, str]:
    """{job: first due tick} from which on numbers may rest on runs that have numbers already."""
    found: dict[str, str] = {}
    for one in sorted(unfinished, key=lambda run: run.due_at, reverse=True):
        if one.state in _ENDED:
            found[one.job] = one.due_at.isoformat()
    return dict(sorted(found.items()))


def _measures(signatures: Mapping[str, Mapping[str, Any]]) -> dict[str, dict[str, Any]]:
    """{measure: its version and the digest of its source in this program}."""
    modules = {one.name: module for module, one in registry.discover("measures").items()}
    found: dict[str, dict[str, Any]] = {}
    for parts in signatures.values():
        name = str(parts["measure"])
        known = found.setdefault(name, {"versions": [], "source": ""})
        known["versions"] = sorted({*known["versions"], parts["measure_version"]})
        if name in modules:
            known["source"] = registry.fingerprint("measures", modules[name])
    return {name: found[name] for name in sorted(found)}


# --- what something that is not in it bears on ----------------------------------------------------


def _erased(connection: Connection, wanted: Wanted, behind: Mapping[int, str]) -> dict[str, str]:
    """{job: first due tick} from which on numbers may rest on what was erased since.

    That is over once values were computed anew without it, and the runs lack nothing.
    """
    jobs = inputs.jobs_by_run(connection, wanted)
    lacking = {jobs[run_id] for run_id in behind}
    since = inputs.erased_since(connection, wanted)
    return {job: at.isoformat() for job, at in since.items() if job in lacking}


def _languages(
    jobs: Mapping[int, str],
    signed: Mapping[int, Mapping[str, set[str]]],
    signatures: Mapping[str, Mapping[str, Any]],
) -> dict[str, set[str]]:
    """{language whose gender rules are read: the jobs that ask for it}."""
    found: dict[str, set[str]] = {}
    for run_id, some in signed.items():
        for one in some["points"]:
            language = signatures[one].get("language")
            if language:
                found.setdefault(str(language), set()).add(jobs[run_id])
    return found


def _doubts(
    connection: Connection, ours: set[int], languages: Mapping[str, set[str]]
) -> list[dict[str, Any]]:
    """What audits of other runs say of the ticks of these jobs: those audits are not in it."""
    every = audits.groups(connection)
    mine = [one for one in every if one.run_id in ours]
    old, new = ({_key(one): one for one in doubts(verdicts(some))} for some in (mine, every))
    changed = [(old | new)[key] for key in sorted(old.keys() ^ new.keys())]
    return [
        {
            "language": one.language,
            "since": one.well_at.isoformat() if one.well_at else None,
            "until": one.until.isoformat() if one.until else None,
            "jobs": sorted(languages[one.language]),
        }
        for one in changed
        if one.language in languages
    ]


def _key(one: Doubt) -> tuple[str, ...]:
    times = (one.since, one.until, one.well_at)
    return one.language, str(one.verdict.group.id), *map(str, times), str(one.verdict.p)
