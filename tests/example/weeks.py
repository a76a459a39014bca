"""Weeks under a clock that is set: what a daemon and people would have done, in order.

In go a folder and a size, out comes the folder as a home of the program: `monitor.db`, `bodies/`,
`jobs/`, `reports/`. Only pages in a Chromium may differ between two runs.
"""

from collections import defaultdict
from contextlib import ExitStack
from datetime import UTC, datetime, timedelta
from pathlib import Path
from unittest.mock import patch

import time_machine

from monitor import pipeline, settings
from monitor.daemon.recorded_runner import RecordedRunner
from monitor.daemon.ticking import TickScheduler
from monitor.daemon.watching import JobWatcher
from monitor.jobs import load_audit
from monitor.model import RunKind, RunState, TickState
from monitor.pipeline import RunContext, jobs, reports
from monitor.pipeline.collect import provenance
from monitor.store import migrations
from monitor.store.database import connect
from monitor.store.schedule import ticks
from monitor.work.perform import WorkerContext
from tests.example import donors, files, invented, overviews, systems, volunteers
from tests.factories import quiet

FIRST = datetime(2026, 1, 5, 5, tzinfo=UTC)
WEEK, DAY, HOUR = timedelta(weeks=1), timedelta(days=1), timedelta(hours=1)
MINUTE = timedelta(minutes=1)
#: When the job's report is due, after its tick.
_REPORTED = timedelta(days=1, hours=4)
#: The version of the package that carries requests, after it is updated.
UPDATED = {"httpx": "99.0 (invented)"}


class Weeks:
    """The archive in the making. `world` are the invented systems, behind the proxy `url`."""

    def __init__(self, folder: Path, size, world, url):
        self.folder, self.size, self.world, self.url = folder, size, world, url
        self.jobs = folder / "jobs"
        self.database = connect(f"sqlite:///{folder / 'monitor.db'}", folder / "bodies")
        shop = WorkerContext(self.database, settings.load(), quiet, lambda: False)
        self.watching = JobWatcher(self.database, self.jobs, self._owed, lambda: None)
        self.ticking = TickScheduler(shop, self.watching.jobs, RecordedRunner(shop))
        self.audits = {}
        self.installed = ExitStack()

    def make(self, say):
        """Let all weeks pass."""
        with time_machine.travel(FIRST - DAY, tick=True):
            migrations.upgrade(self.database)
            files.write(self.jobs, self.size)
            self._declare()
            self._look(FIRST - DAY)
        for place in range(self.size.weeks):
            if place == self.size.missed:
                say(f"week {place + 1}: nobody was there")
                continue
            if place in (self.size.replaced, self.size.searching):
                files.write(self.jobs, self.size, place)
            if place == self.size.updated:
                self._update()
            ran = self._week(place)
            say(f"week {place + 1}: {ran}")

    def close(self):
        self.installed.close()
        self.database.close()

    def _update(self):
        """From now on runs record that another version of a package asks."""
        packages = provenance.list_packages() | UPDATED
        self.installed.enter_context(patch.object(provenance, "list_packages", lambda: packages))

    def _owed(self, job, now):
        """Before a job's schedule changes, what it owes by the old one is written down."""
        self.ticking.note_ticks(job, now)

    def _declare(self):
        audit = load_audit(self.jobs / f"{files.TRANSLATING}.toml")
        jobs.register_job(self.database, audit, datetime.now(UTC))

    def _look(self, now):
        """What a daemon does every second: read the jobs, write down what is due or was missed."""
        self.watching.poll_folder(now)
        if self.watching.broken:
            raise AssertionError(self.watching.broken)
        for name in sorted(self.watching.jobs):
            self.ticking.note_ticks(self.watching.jobs[name], now)

    # --- a week -----------------------------------------------------------------------------------

    def _week(self, place):
        due_at = FIRST + place * WEEK
        said = []
        with time_machine.travel(due_at, tick=True):
            self._look(due_at)
            self._wall(place)
            control = self._now(place, due_at)
            with self.database.read() as connection:
                due = ticks.find_due(connection, due_at)
            said += [self._tick(tick, control) for tick in due]
        with time_machine.travel(due_at + DAY, tick=True):
            said.append(self._noise(place, due_at))
        with time_machine.travel(due_at + DAY + 2 * HOUR, tick=True):
            said += self._confirm(due_at + DAY + 2 * HOUR)
        if place == self.size.weeks - 1:
            said += [f"overviews: {n:,} answers" for n in self._overviews(due_at)]
            with time_machine.travel(due_at + DAY + MINUTE, tick=True):
                volunteers.read(self.database, self.folder)
                said.append(
                    f"donors: {donors.give(self.database, self.folder, datetime.now(UTC))} runs"
                )
        with time_machine.travel(due_at + _REPORTED + MINUTE, tick=True):
            made = reports.report_what_is_due(self.database, datetime.now(UTC))
            said.append(f"reports: {len(made)}")
        return ", ".join(said)

    def _now(self, place, moment):
        """What everybody says from now on."""
        since = zip(systems.TRANSLATORS, (self.size.updated, self.size.turned), strict=True)
        turned = {name for name, first in since if first is not None and place >= first}
        first = self.size.drifting
        drifted = invented.DRIFT * max(place - first, 0) if first is not None else 0.0
        for name, app in self.world.translators.items():
            app.is_down = name == systems.TRANSLATORS[1] and place == self.size.down
        items = files.questions(self.size)
        return self.world.at(moment, items, self.size.names, turned, drifted)

    def _wall(self, place):
        """One engine blocks in one week, the other from the week before the last on."""
        first, second = (self.world.sites[name] for name in systems.SITES)
        late = frozenset(f"famous {one}s" for one in self.size.names[-self.size.occupations // 2 :])
        first.walled = late if place == self.size.blocked else frozenset()
        second.walled = late if place == self.size.weeks - 1 else frozenset()

    def _tick(self, tick, control):
        audit = self._audit(tick.job)
        run = pipeline.start(self.database, audit, RunKind.SCHEDULED, tick.due_at)
        with self.database.begin() as connection:
            ticks.begin_tick(connection, tick.id, run.id)
        summary = self._ask(audit, run, control)
        state = TickState.DONE if summary.state is RunState.DONE else TickState.PARTIAL
        with self.database.begin() as connection:
            why = "; ".join(summary.stopped)
            ticks.end_tick(connection, tick.id, state, why, datetime.now(UTC))
        return f"{tick.job} {state} ({summary.answered:,} of {summary.planned:,} answers)"

    def _audit(self, name):
        """A job by its files as they are in force."""
        number = self.watching.jobs[name].bundle_id
        if number not in self.audits:
            self.audits[number] = pipeline.audit_of(self.database, number)
        return self.audits[number]

    def _ask(self, audit, run, control):
        fetcher = systems.Asking(self.folder, self.url, control, datetime.now(UTC))
        try:
            around = RunContext(exit="example", services=systems.SERVICES)
            return pipeline.run(self.database, audit, run, fetcher, quiet, around=around)
        finally:
            fetcher.close()

    def _overviews(self, last):
        """Ask for AI overviews, in the last weeks alone; yields how many answers came."""
        audit = load_audit(overviews.write(self.jobs, self.size.names))
        for due_at in overviews.due_times(last):
            with time_machine.travel(due_at, tick=True):
                app = self.world.overviews
                app.others = overviews.others(self.size.names, due_at)
                app.results = {
                    f"famous {name}s": invented.hits(name, overviews.HOST, due_at)
                    for name in self.size.names
                }
                run = pipeline.start(self.database, audit, RunKind.SCHEDULED, due_at)
                yield self._ask(audit, run, {}).answered

    # --- asking again -----------------------------------------------------------------------------

    def _noise(self, place, due_at):
        audit = self._audit(files.TRANSLATING)
        run = pipeline.start_noise(self.database, audit, due_at)
        summary = self._ask(audit, run, self._now(place, due_at + DAY))
        return f"noise ({summary.answered:,})"

    def _confirm(self, moment):
        """Ask again where a signal stands."""
        now = datetime.now(UTC)
        wanted = defaultdict(set)
        for one in pipeline.to_confirm(self.database, now):
            wanted[one.job, one.due_at].add((one.engine, one.target))
        said = []
        for (name, due_at), pairs in sorted(wanted.items()):
            audit = self._audit(name)
            begun = pipeline.start_confirm(self.database, audit, due_at, pairs, now)
            if begun.run:
                place = round((due_at - FIRST) / WEEK)
                summary = self._ask(audit, begun.run, self._now(place, moment))
                said.append(f"{name} asked again ({summary.answered:,})")
        return said
