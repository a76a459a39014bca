"""Change detection on simulated years whose truth is known: false findings, power, announced size.

    python bench/detection.py [--quick] [--years 500] [--processes 2] [ROW ...]

A job of 30 systems with 640 sentences and four primary series each (f_s, f_m, marked share, s_or),
weekly, a year, `[noise] share = 1` and `[confirm]`, if a row says nothing else. Every row has its
own seeds. Brackets are 95 % Wilson intervals of the number of simulated years or changes. A row is
chosen by a part of its name.
"""

import argparse
import os
import sys
import time
import zlib
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

import numpy as np

from bench import _change_years as years
from bench._change_decisions import Asking, Finding, findings
from bench._change_years import F_M, F_S, S_OR, Year
from bench._size import size
from monitor.stats.intervals import wilson

SYSTEMS, SERIES = 30, 4
#: Years of one task, and the changes that a power row has for each year that is asked for.
CHUNK, CHANGES = 10, 2
FALSE_BAR = 0.05
WEEKLY = Asking(SYSTEMS * SERIES)
Change = Callable[[np.random.Generator, Year], object]


# --- quiet years ----------------------------------------------------------------------------------


@dataclass(frozen=True)
class Quiet:
    """Years in which nothing changes; a bar of None is none, as where the changes are real."""

    name: str
    alter: Sequence[Change] = ()
    asking: Asking = WEEKLY
    bar_list: float | None = FALSE_BAR
    bar_beyond: float | None = FALSE_BAR
    flips: bool = True

    def run(self, seed: int, count: int) -> list[tuple[float, ...]]:
        """Return a row a year: findings, those beyond the list, confirming runs, sums of sizes."""
        rng = np.random.default_rng([zlib.crc32(self.name.encode()), seed])
        rows = []
        for _ in range(count):
            year = years.quiet(rng, self.asking.hypotheses // SERIES, flips=self.flips)
            for change in self.alter:
                change(rng, year)
            asking = replace(self.asking, hypotheses=self.asking.hypotheses * len(year.lists))
            changes, confirming = findings(year, asking)
            beyond = [one for one in changes if one.beyond is not None]
            rows.append(
                (len(changes), len(beyond), confirming / len(year.level), *_sizes(year, changes))
            )
        return rows

    def say(self, rows: np.ndarray) -> None:
        n = len(rows)
        hits = [int(np.count_nonzero(rows[:, column])) for column in (0, 1)]
        bars = [
            "" if bar is None else "met" if count / n <= bar else "MISSED"
            for count, bar in zip(hits, (self.bar_list, self.bar_beyond), strict=True)
        ]
        truth = rows[:, 4].sum()
        ratio = f"{rows[:, 3].sum() / truth:.2f}" if truth > 1e-6 else ""
        print(
            f"{self.name:<66}{share(hits[0], n):>22} {bars[0]:<7}{share(hits[1], n):>22} "
            f"{bars[1]:<7}{rows[:, 0].mean():>9.2f}{rows[:, 2].mean():>9.2f}{ratio:>7}",
            flush=True,
        )


def _sizes(year: Year, changes: Sequence[Finding]) -> tuple[float, float]:
    """Sums of announced and true sizes in the announced direction, where later runs say them."""
    announced = truth = 0.0
    for one in changes:
        if np.isnan(one.size) or one.quantity not in (F_S, F_M):
            continue
        sign = 1 if one.signal.up else -1
        before = sorted({run // years.RUNS for run in one.signal.before[-16:]})
        announced += sign * one.size
        truth += sign * years.level_change(
            year, one.system, one.quantity, before, [one.signal.decided_at + 1]
        )
    return announced, truth


# --- changes --------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Power:
    """One system of the job changes, the others do not; bars are of the changed quantity."""

    name: str
    quantity: int
    size: float
    kind: str = "step"  # or "drift"
    between: tuple[int, int] = (12, 42)  # first tick on the new level
    alter: Sequence[Change] = ()
    odd: float = 0.0  # f_m of one odd tick before
    back: int | None = None  # the change is undone after so many ticks
    asking: Asking = WEEKLY
    within: int = 8
    bar_list: float | None = None
    bar_beyond: float | None = None

    def run(self, seed: int, count: int) -> list[tuple[float, ...]]:
        rng = np.random.default_rng([zlib.crc32(self.name.encode()), seed])
        year = years.quiet(rng, count * CHANGES)
        if self.kind == "drift":
            at = years.drift(rng, year, self.quantity, self.size)
        else:
            at = years.step(rng, year, self.quantity, self.size, *self.between, back=self.back)
        if self.odd:
            years.odd_tick(rng, year, self.odd, at)
        for change in self.alter:
            change(rng, year)
        changes, _ = findings(year, self.asking, apart=True)
        return [
            self._row(year, system, int(tick), [one for one in changes if one.system == system])
            for system, tick in enumerate(at)
        ]

    def _row(
        self, year: Year, system: int, tick: int, changes: Sequence[Finding]
    ) -> tuple[float, ...]:
        """Ticks to claim A (own, or s_or), to claim B, to a fall since; two sizes and the truth."""
        up = [one for one in changes if one.signal.up and one.signal.decided_at >= tick]
        own = [one for one in up if one.quantity == self.quantity]
        either = own + [one for one in up if self.quantity == F_S and one.quantity == S_OR]
        back = tick + (self.back or 0)
        down = [
            one for one in changes
            if not one.signal.up and one.quantity == self.quantity
            and one.signal.at >= back and one.signal.decided_at >= back
        ]  # fmt: skip
        first = min(own, key=lambda one: one.signal.decided_at, default=None)
        usable = first is not None and self.kind == "step" and self.back is None
        sizes = (first.size, first.size_of_deciding) if first and usable else (np.nan, np.nan)
        truth = years.level_change(year, system, self.quantity, [tick - 1], [tick])
        return (
            _delay(tick, [one.signal.decided_at for one in own]),
            _delay(tick, [one.signal.decided_at for one in either]),
            _delay(tick, [one.beyond for one in own if one.beyond is not None]),
            _delay(back, [one.signal.decided_at for one in down]),
            *sizes,
            truth,
        )

    def say(self, rows: np.ndarray) -> None:
        n, within = len(rows), years.TICKS if self.kind == "drift" else self.within
        hits = [int(np.count_nonzero(rows[:, column] <= within)) for column in (0, 2)]
        bars = [
            "" if bar is None else "met" if count / n >= bar else "MISSED"
            for count, bar in zip(hits, (self.bar_list, self.bar_beyond), strict=True)
        ]
        early = "".join(f"{(rows[:, 0] <= ticks).mean():>7.1%}" for ticks in (2, 3, 8, 52))
        either = f"{(rows[:, 1] <= within).mean():.1%}" if self.quantity == F_S else ""
        back = f"{(rows[:, 3] <= (within if self.back else years.TICKS)).mean():.1%}"
        print(
            f"{self.name:<66}{share(hits[0], n):>22} {bars[0]:<7}{share(hits[1], n):>22} "
            f"{bars[1]:<7}{early}{either:>7}{_ratio(rows):>26}{back:>8}",
            flush=True,
        )


def _delay(tick: int, decided: Sequence[int]) -> float:
    """Ticks from a change until it is decided, 1 at its own tick; infinite where it never is."""
    return min((at - tick + 1 for at in decided), default=np.inf)


def _ratio(rows: np.ndarray) -> str:
    """Announced size over truth, with 1.96 standard errors; in brackets that of deciding runs."""
    some = rows[~np.isnan(rows[:, 4])]
    if len(some) < 2:
        return ""
    announced, deciding, truth = some[:, 4], some[:, 5], some[:, 6].mean()
    error = 1.96 * (announced - some[:, 6]).std(ddof=1) / np.sqrt(len(some)) / truth
    ratio = announced.mean() / truth
    return f"{ratio:.3f} +- {error:.3f} ({deciding.mean() / truth:.3f})"


# --- rows -----------------------------------------------------------------------------------------


def _with(change: Callable[..., object], **words: float) -> Change:
    return _Altered(change, tuple(words.items()))


@dataclass(frozen=True)
class _Altered:
    """A change of a year with its numbers; can be sent to another process."""

    change: Callable[..., object]
    words: tuple[tuple[str, float], ...]

    def __call__(self, rng: np.random.Generator, year: Year) -> object:
        return self.change(rng, year, **dict(self.words))


def _odd(rng: np.random.Generator, year: Year, size: float) -> None:
    years.odd_tick(rng, year, size, np.full(len(year.level), years.TICKS))


def _quiet_rows() -> Iterator[Quiet]:
    yield Quiet("flips that come and go")
    yield Quiet("... in few probes", (years.in_few_probes,))
    yield Quiet("... series that begin late", (years.begin_late,))
    yield Quiet("... two lists that share probes", (years.two_lists,))
    yield Quiet("... 30 % missing at random", (_with(years.missing, masculine=0.3, feminine=0.3),))
    for p in (0.5, 0.05):
        alter = (_with(years.in_families, probability=p),)
        yield Quiet(f"two families drawn anew together, probability {p:g}", alter)
    for rate in (0.0005, 0.002, 0.005, 0.02, 0.05):
        alter = (_with(years.for_good, rate=rate),)
        yield Quiet(f"{rate:.2%} change for good each week, no direction", alter, bar_list=None)
    gone = _with(years.missing, masculine=0.38, feminine=0.14)
    yield Quiet("30 % missing depending on the answer", (gone,))
    begun = _with(years.missing, masculine=0.38, feminine=0.14, begin=26)
    yield Quiet("... from tick 26 on", (begun,), bar_list=None, bar_beyond=None)
    yield Quiet("whole runs by one of two servers", (years.whole_runs,))
    yield Quiet("one odd tick in each system, f_m by 0.05", (_with(_odd, size=0.05),))
    for systems in (1, 10):
        yield Quiet(
            f"a job of {systems} system{'s' * (systems > 1)}", asking=Asking(systems * SERIES)
        )
    yield Quiet("without [noise], or with share < 1", asking=replace(WEEKLY, noise=False))
    yield Quiet("without [confirm]", asking=replace(WEEKLY, confirm=False))
    yield Quiet("answers that never differ", flips=False)


def _shared_rows() -> Iterator[Quiet]:
    for times in (0.25, 0.5, 1.0, 2.0, 4.0):
        alter = (_with(years.weeks_alike, times=times),)
        yield Quiet(f"shared by all questions of a week, {times:g} sd of a run", alter,
                    bar_list=None, bar_beyond=None)  # fmt: skip
    for memory, times in ((0.5, 0.5), (0.5, 1.0), (0.9, 0.25), (0.9, 0.5), (0.9, 1.0)):
        alter = (_with(years.weeks_alike, times=times, memory=memory),)
        yield Quiet(f"a mix of servers that drifts, {times:g} sd of a run, memory {memory:g}",
                    alter, bar_list=None, bar_beyond=None)  # fmt: skip


def _power_rows() -> Iterator[Power]:
    yield Power("f_s by 0.10", F_S, 0.10, within=2, bar_list=0.98, bar_beyond=0.95)
    yield Power("f_m by 0.06", F_M, 0.06, within=2, bar_list=0.98, bar_beyond=0.95)
    yield Power("f_m by 0.03", F_M, 0.03, bar_list=0.95, bar_beyond=0.80)
    yield Power("f_s by 0.05", F_S, 0.05, bar_list=0.80, bar_beyond=0.50)
    yield Power("f_m by 0.06 over the year", F_M, 0.06, "drift", bar_list=0.90, bar_beyond=0.60)
    for name, quantity, change in (("f_m by 0.03", F_M, 0.03), ("f_s by 0.05", F_S, 0.05)):
        yield Power(f"{name}, at ticks 4 to 11", quantity, change, between=(3, 11))
        yield Power(f"{name}, one odd tick before", quantity, change, odd=0.05)
        yield Power(f"{name}, undone three weeks later", quantity, change, back=3)
        for systems in (1, 10):
            yield Power(f"{name}, a job of {systems} system{'s' * (systems > 1)}", quantity, change,
                        asking=Asking(systems * SERIES))  # fmt: skip
        yield Power(f"{name}, without [noise]", quantity, change,
                    asking=replace(WEEKLY, noise=False))  # fmt: skip
        yield Power(f"{name}, without [confirm]", quantity, change,
                    asking=replace(WEEKLY, confirm=False))  # fmt: skip
        yield Power(f"{name}, without both", quantity, change,
                    asking=replace(WEEKLY, noise=False, confirm=False))  # fmt: skip
        yield Power(f"{name}, two families drawn anew together", quantity, change,
                    alter=(_with(years.in_families, probability=0.5),))  # fmt: skip
        yield Power(f"{name}, 30 % missing at random", quantity, change,
                    alter=(_with(years.missing, masculine=0.3, feminine=0.3),))  # fmt: skip
        yield Power(f"{name}, week noise of 1 sd of a run", quantity, change,
                    alter=(_with(years.weeks_alike, times=1.0),))  # fmt: skip
    yield Power("f_s by 0.10, at ticks 4 to 11", F_S, 0.10, between=(3, 11))
    yield Power("f_m by 0.06, undone three weeks later", F_M, 0.06, back=3)


def share(hits: int, n: int) -> str:
    """`1.5 % [0.5, 4.3]`."""
    limits = wilson(float(hits), float(n))
    return f"{hits / n:.1%} [{100 * float(limits.low):.1f}, {100 * float(limits.high):.1f}]"


_QUIET_HEAD = (
    f"{'':<66}{'on these questions':>22} {'':<7}{'beyond this list':>22} {'':<7}"
    f"{'findings':>9}{'confirm':>9}{'size':>7}"
)
_POWER_HEAD = (
    f"{'':<66}{'on these questions':>22} {'':<7}{'beyond this list':>22} {'':<7}"
    f"{'2':>7}{'3':>7}{'8':>7}{'52':>7}{'s_or':>7}{'size (deciding)':>26}{'back':>8}"
)
GROUPS = (
    ("Quiet years with a finding; findings and confirming runs a system and year", _QUIET_HEAD,
     tuple(_quiet_rows())),
    ("Noise that breaks the assumption, without bars", _QUIET_HEAD, tuple(_shared_rows())),
    ("Changes that are found within 2 (f_s 0.10, f_m 0.06), else 8 ticks, or the year", _POWER_HEAD,
     tuple(_power_rows())),
)  # fmt: skip


def _run(row: Quiet | Power, seed: int, count: int) -> list[tuple[float, ...]]:
    return row.run(seed, count)


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("rows", nargs="*", help="parts of names of rows; none: all")
    parser.add_argument("--quick", action="store_true", help="20 years a row")
    parser.add_argument("--years", type=int, default=500)
    parser.add_argument("--processes", type=int, default=len(os.sched_getaffinity(0)))
    chosen = parser.parse_args()
    number = 20 if chosen.quick else chosen.years
    started = time.perf_counter()
    with ProcessPoolExecutor(chosen.processes) as pool:
        for title, head, rows in GROUPS:
            wanted = [
                row for row in rows
                if not chosen.rows or any(part in row.name for part in chosen.rows)
            ]  # fmt: skip
            wanted = wanted[: size(len(wanted), 3)]
            tasks: list[list[Future[list[tuple[float, ...]]]]] = [
                [
                    pool.submit(_run, row, seed, min(CHUNK, number - CHUNK * seed))
                    for seed in range(-(-number // CHUNK))
                ]
                for row in wanted
            ]
            if wanted:
                print(f"\n{title}; {number} years a row\n{head}", flush=True)
            for row, parts in zip(wanted, tasks, strict=True):
                row.say(np.array([one for part in parts for one in part.result()]))
    print(f"\ntime {time.perf_counter() - started:.0f} s")
    return 0


if __name__ == "__main__":
    sys.exit(main())
