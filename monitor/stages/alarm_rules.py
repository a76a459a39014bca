"""Rules of alarms: the kinds (`KINDS`), their thresholds, and one `judge_` function a kind.

Counts, times and sizes are read by the caller (`pipeline/schedule/supervision.py`); a rule returns
verdicts on them. No engine is asked for a verdict. Without a verdict an alarm that stands goes on.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from statistics import median

from monitor.model import ANSWERED_OUTCOMES, Kind, Outcome, Reason
from monitor.stages.reports.names import say_differences
from monitor.store.collect.run_progress import OutcomeCount
from monitor.store.collect.runs import Run
from monitor.store.derive.signatures import StaleSeries
from monitor.store.journal.events import Alarm
from monitor.store.schedule.ticks import DueTick
from monitor.text.counted_nouns import several

#: Kinds that are judged once for each finished run, by job and engine.
OF_RUNS = ("parser_yield", "answers_changed", "unknown_blocks", "blocked")
#: The alarm of ticks that were measured and are not decided.
UNDECIDED = "undecided"
#: Kinds that are judged every time, all of their subjects at once.
OF_NOW = ("stale", "tick_late", "no_worker", "disk", UNDECIDED)
#: Every kind of alarm with what it means; the last ones are raised where they happen.
KINDS = {
    "parser_yield": "an engine's answers are readable far less often than in the runs before",
    "answers_changed": "an engine's answers have another shape than in the runs before",
    "unknown_blocks": "a search engine sends pages that its reader does not recognise",
    "blocked": "an engine turns away a good part of what it is asked",
    "stale": "an engine of an active job has given no answer for more than two of its intervals",
    "tick_late": "a due tick was not begun",
    "no_worker": "tasks are ready and no worker is there to do them",
    "disk": "the disk or the quota will soon be full",
    "task_failed": "a task was given up after too many tries",
    "tick_failed": "a due tick could not be begun, or its run could not be finished",
    "job_broken": "a job file as it stands cannot be used; its old version goes on",
    "clock": "the clock is likely behind; nothing is begun",
    "jobs_unreadable": "the folder of job files cannot be read; all jobs go on as they were",
    "report_late": "a report that is due is not there",
    "report_failed": "a report that is due could not be made",
    "charts_behind": "new values stand on no chart, because older runs lack their versions",
    "instrument_suspect": "an audit found our reading of a language less often right than before",
    UNDECIDED: "ticks were measured, and whether anything changed was not decided",
    "findings_wait": "what an audit put in doubt is not decided anew",
    "notify_failed": "what was to be told to people does not go out on a route",
}

#: With fewer answers, a few odd ones make a share jump by more than the fall that is looked for.
LEAST_ANSWERS = 20
#: A season's runs of a weekly job: enough for a median that one bad run does not move.
RUNS_BEFORE = 8
#: A change of words moves a share by some points; a change of markup moves it by far more.
MOST_FALL = 0.20
#: An engine that is nearly always readable may fall by more than its usual spread and be well.
LEAST_YIELD = 0.80
#: New layouts are tried on a part of the visitors first: one page in ten is more than a few odd
#: ones, and early enough to write a reader before all pages are so.
MOST_UNKNOWN = 0.10
#: Single walls come to everybody; one answer in five is a service that has noticed us.
MOST_BLOCKED = 0.20
#: One interval without an answer is a bad night that the next tick mends; two are not.
MOST_INTERVALS = 2
#: Longer than any restart or update of the daemon should take.
LATE = timedelta(minutes=15)
#: Workers that are there begin what is ready within seconds.
UNATTENDED = timedelta(minutes=2)
#: So many reserves are free when the alarm is raised: collecting stops at one.
RESERVES = 2
#: The part of the quota at which the alarm is raised: there is time to take something away.
QUOTA_USED = 0.90

#: So many ticks are named at once.
_NAMED = 5
#: What the daemon derives anew by itself takes minutes to hours; longer, and it does not get to it.
BEHIND = timedelta(days=1)

#: A page that came, is no known wall, and that nobody can read: a redesign, or a new wall.
_UNKNOWN = frozenset({Reason.MALFORMED, Reason.JS_SHELL, Reason.SUSPECT_EMPTY})


@dataclass(frozen=True, slots=True)
class AlarmVerdict:
    """Verdict on a subject; without a detail, all is well."""

    kind: str
    subject: str
    detail: str = ""


@dataclass(frozen=True, slots=True)
class AnswerTally:
    """Counts of the answers of one engine in one run; missing answers are in none of them."""

    kind: str
    readable: int = 0
    unreadable: int = 0
    unknown: int = 0
    blocked: int = 0

    @property
    def read(self) -> int:
        """Answers that a reader was given: walls apart."""
        return self.readable + self.unreadable

    @property
    def came(self) -> int:
        """All that came, walls included."""
        return self.read + self.blocked


def write_subject(job: str, engine: str) -> str:
    """Return what an alarm about an engine in a job is about. Names of jobs have no colon."""
    return f"{job}: {engine}"


def job_of(subject: str) -> str:
    """The job of an alarm's subject."""
    return subject.split(": ", 1)[0]


def count_tallies(endings: Iterable[OutcomeCount]) -> dict[str, AnswerTally]:
    """{engine: how its answers were}, the engines that were asked nothing yet included."""
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    kinds = {}
    for ending in endings:
        kinds[ending.engine] = ending.kind
        answered = ending.outcome in ANSWERED_OUTCOMES
        tally = counts[ending.engine]
        tally["readable" if answered else str(ending.outcome)] += ending.questions
        if ending.outcome == Outcome.UNREADABLE and ending.reason in _UNKNOWN:
            tally["unknown"] += ending.questions
    names = ("readable", Outcome.UNREADABLE, "unknown", Outcome.BLOCKED)
    return {
        engine: AnswerTally(kind, *(counts[engine][name] for name in names))
        for engine, kind in kinds.items()
    }


# --- of runs --------------------------------------------------------------------------------------


def judge_parser_yield(
    about: str, now: AnswerTally, before: Sequence[AnswerTally]
) -> AlarmVerdict | None:
    """Return whether far fewer answers are readable than in the median of the runs before.

    A fall counts where it is of more than `MOST_FALL` and goes below `LEAST_YIELD`. Nothing is
    said of fewer than `LEAST_ANSWERS`, nor where no run before has as many.
    """
    usual = [tally.readable / tally.read for tally in before if tally.read >= LEAST_ANSWERS]
    if now.read < LEAST_ANSWERS or not usual:
        return None
    share, norm = now.readable / now.read, median(usual)
    fell = share < LEAST_YIELD and norm - share > MOST_FALL
    runs = "the run" if len(usual) == 1 else f"{len(usual)} runs"
    detail = (
        f"{now.readable} of {now.read} answers are readable ({share:.0%}), "
        f"against {norm:.0%} in the median of {runs} before"
    )
    return AlarmVerdict("parser_yield", about, detail if fell else "")


def judge_unknown_blocks(about: str, now: AnswerTally) -> AlarmVerdict | None:
    """Return whether a search engine sends pages that its reader does not know."""
    if now.kind != Kind.SEARCH or now.read < LEAST_ANSWERS:
        return None
    many = now.unknown / now.read > MOST_UNKNOWN
    detail = (
        f"{now.unknown} of {now.read} pages ({now.unknown / now.read:.0%}) are of no known sort"
    )
    return AlarmVerdict("unknown_blocks", about, detail if many else "")


def judge_blocked(about: str, now: AnswerTally) -> AlarmVerdict | None:
    """Whether an engine turned away a good part of what it was asked, however little that was.

    An engine is left alone after a wall, so that a run with walls has few answers.
    """
    if not now.came:
        return None
    many = now.blocked / now.came > MOST_BLOCKED
    detail = f"{now.blocked} of {now.came} answers ({now.blocked / now.came:.0%}) are walls"
    return AlarmVerdict("blocked", about, detail if many else "")


# --- of now ---------------------------------------------------------------------------------------


def longest_silence(interval: timedelta, jitter: timedelta) -> timedelta:
    """Return how long an engine may go without an answer.

    A tick may begin late and ask for a while.
    """
    return MOST_INTERVALS * interval + jitter + LATE


def judge_stale(about: str, interval: timedelta) -> AlarmVerdict:
    """An engine of an active job that has been silent for longer than it may be."""
    all_values = f"{interval.total_seconds() / 3600:g} hours"
    detail = f"no answer for more than {MOST_INTERVALS} of its intervals of {all_values}"
    return AlarmVerdict("stale", about, detail)


def judge_tick_late(
    open_ticks: Iterable[DueTick], now: datetime, resting: set[str]
) -> list[AlarmVerdict]:
    """The jobs, of those that do not rest, with a tick that should have been begun long ago."""
    oldest: dict[str, DueTick] = {}
    for tick in open_ticks:
        late = tick.state == "due" and now - tick.start_at > LATE
        if late and tick.job not in resting:
            oldest.setdefault(tick.job, tick)
    return [
        AlarmVerdict("tick_late", job, f"due at {tick.due_at:%Y-%m-%d %H:%M} UTC and not begun")
        for job, tick in oldest.items()
    ]


def judge_no_worker(
    ready_since: datetime | None, workers: int, now: datetime
) -> list[AlarmVerdict]:
    """Return whether what is ready waits for a worker that is not there."""
    if ready_since is None or workers or now - ready_since <= UNATTENDED:
        return []
    detail = f"a task is ready since {ready_since:%Y-%m-%d %H:%M} UTC and no worker is alive"
    return [AlarmVerdict("no_worker", "workers", detail)]


def judge_disk(free: int | None, reserve: int, used: int, quota: int) -> list[AlarmVerdict]:
    """Return whether the disk is soon at its reserve, or what is stored soon at its quota.

    Free is None where the disk is a server's; a quota of 0 is none.
    """
    rows = []
    if free is not None and free < RESERVES * reserve:
        detail = f"{free / 1e6:,.0f} MB are free; collecting stops at {reserve / 1e6:,.0f} MB"
        rows.append(AlarmVerdict("disk", "free space", detail))
    if quota and used > QUOTA_USED * quota:
        detail = f"{used / 1e6:,.0f} of {quota / 1e6:,.0f} MB are used (MONITOR_QUOTA)"
        rows.append(AlarmVerdict("disk", "quota", detail))
    return rows


# --- decisions ------------------------------------------------------------------------------------


def judge_undecided(
    some: Iterable[tuple[Run, datetime]], standing: Iterable[Alarm], now: datetime
) -> list[AlarmVerdict]:
    """The jobs with ticks that are not decided, given with when their runs ended.

    A run that has just ended is being compared. An alarm that stands goes on with its reason until
    all ticks of the job are decided.
    """
    stored = {alarm.subject: alarm.detail for alarm in standing if alarm.kind == UNDECIDED}
    of_job: dict[str, list[Run]] = defaultdict(list)
    for run, ended_at in some:
        if run.job in stored or now - ended_at > LATE:
            of_job[run.job].append(run)
    return [
        AlarmVerdict(
            UNDECIDED, job, stored.get(job) or f"{undecided_ticks(group)}; remedy: monitor redo"
        )
        for job, group in of_job.items()
    ]


def undecided_ticks(some: Sequence[Run]) -> str:
    """`2 runs are not decided: 2025-01-06 05:00, 2025-01-13 05:00 UTC`."""
    times = [f"{position:%Y-%m-%d %H:%M}" for position in dict.fromkeys(run.due_at for run in some)]
    more = f" and {len(times) - _NAMED:,} more" if len(times) > _NAMED else ""
    are = several(len(times), "run is", "runs are")
    return f"{are} not decided: {', '.join(times[:_NAMED])} UTC{more}"


# --- charts ---------------------------------------------------------------------------------------


def judge_charts_behind(
    some: Iterable[StaleSeries], now: datetime, waits: Mapping[str, str], *, is_redone: bool
) -> list[AlarmVerdict]:
    """The jobs with charts that stand still, each with since when, why, and what mends it.

    `is_redone`: the daemon derives older runs anew by itself, and is given a day for it; `waits`
    says of a job why it does not.
    """
    of_job: dict[str, list[StaleSeries]] = defaultdict(list)
    for stale_series in some:
        of_job[stale_series.job].append(stale_series)
    rows = []
    for job, lagging_series in of_job.items():
        held_by = dict.fromkeys(
            name for stale_series in lagging_series for name, _ in stale_series.held_by
        )
        why = next((waits[name] for name in (job, *held_by) if name in waits), "")
        is_late = now - min(stale_series.known_at for stale_series in lagging_series) > BEHIND
        if not is_redone or why or is_late:
            sentences = [say_behind(lagging_series), why, f"remedy: {say_remedy(lagging_series)}"]
            rows.append(
                AlarmVerdict("charts_behind", job, "; ".join(item for item in sentences if item))
            )
    return rows


def say_behind(some: Sequence[StaleSeries]) -> str:
    """Return how many series of a job stand still, since when, and what is new."""
    n = sum(len(stale_series.series) for stale_series in some)
    return f"{n:,} series {'has' if n == 1 else 'have'} {stood_still(some)}"


def stood_still(some: Sequence[StaleSeries]) -> str:
    """Since when they do, and why."""
    since = min(stale_series.since for stale_series in some)
    new = dict.fromkeys(
        part
        for stale_series in some
        for part in say_differences(stale_series.before, stale_series.after)
    )
    runs = {run for stale_series in some for _, run in stale_series.held_by}
    older = "1 older run lacks" if len(runs) == 1 else f"{len(runs):,} older runs lack"
    why = f"because {older}" if runs else "which nothing holds up any more"
    return f"stood still since {since:%Y-%m-%d %H:%M} UTC, {why}: {', '.join(new)}"


def say_remedy(some: Sequence[StaleSeries]) -> str:
    """The command that lets these series go over. It does every step that is lacking."""
    jobs = dict.fromkeys(name for stale_series in some for name, _ in stale_series.held_by)
    return f"monitor redo --job {next(iter(jobs))}" if len(jobs) == 1 else "monitor redo"
