"""More than one step: ticks that are odd once, and whole series by charts and by looking back."""

from concurrent.futures import ProcessPoolExecutor
from functools import partial

import numpy as np

from bench import _detection_charts as charts
from bench._detection_answers import Noise
from bench._detection_said import row, share
from bench._detection_years import Effect, Years, returned, series_of
from monitor.change import ChangeKind

_BAR = 0.05
_CHANGES_AT = 26
_BACK = {
    "EWMA of steps (the product)": charts.seen(ChangeKind.DRIFT),
    "PELT of steps (the product)": charts.seen(ChangeKind.SHIFT),
}


def whole_series(pool: ProcessPoolExecutor, noise: Noise, found: Years, number: int) -> None:
    print("\nWhole series, each for itself; the chart of values has a target of 8 ticks")
    some = found.values[: max(2, number // 10)]
    outside = np.array(
        [[[len(charts.shewhart(one)) > 0 for one in system.T] for system in year] for year in some]
    )
    of_years = int(outside.any(axis=(1, 2)).sum())
    _quiet_series(
        "Shewhart of values, 3 sd", outside, f"years with any {share(of_years, len(some))}"
    )
    made = list(pool.map(partial(series_of, None, noise, 0), range(number * 2)))
    for name, back in _BACK.items():
        outside = np.array([[len(back(one)) > 0 for one in steps] for steps, _ in made])
        _quiet_series(name, outside, "")
    for effect in (Effect("f_s", 0.03), Effect("f_s", 0.05), Effect("f_m", 0.03)):
        made = list(pool.map(partial(series_of, effect, noise, _CHANGES_AT), range(number)))
        _delays_of(effect, made)


def _quiet_series(name: str, outside, beside: str) -> None:
    hits, n = int(outside.sum()), outside.size
    row(f"  {name}", share(hits, n), f"of quiet series signal in a year; {beside}".rstrip("; "))


def _delays_of(effect: Effect, made) -> None:
    at, which = _CHANGES_AT, effect.watched
    print(f" {effect.quantity} changes by {effect.size} at tick {at}, {len(made)} times")
    _delays("Shewhart of values", [
        charts.first_at_or_after(charts.shewhart(value[:, which]), at) for _, value in made
    ])  # fmt: skip
    drifts = _BACK["EWMA of steps (the product)"]
    found = [charts.first_at_or_after(drifts(steps[which]), at) for steps, _ in made]
    _delays("EWMA of steps (the product)", found)
    shifts = [charts.shift_delay(steps[which], at) for steps, _ in made]
    _delays("PELT of steps (the product), week by week", [one for _, one in shifts])
    near = sum(is_near for is_near, _ in shifts)
    row("    at the end of the year, within a tick", share(near, len(made)))


def _delays(what: str, delays: list[int | None]) -> None:
    known = sorted(one for one in delays if one is not None)
    median = f"median delay {known[len(known) // 2]} ticks" if known else "never"
    at_once, soon = (sum(one <= most for one in known) / len(delays) for most in (0, 3))
    row(f"  {what}", f"at the tick {at_once:.0%}", f"{median}, within 4 {soon:.0%}")


# --- one odd tick, one odd week -------------------------------------------------------------------


def odd(pool: ProcessPoolExecutor, noise: Noise, times: int) -> None:
    print("\nOne tick is odd: it is found when it goes and when it comes back")
    for size in (0.05, 0.1):
        for stays in (False, True):
            p, there = pool.submit(returned, Effect("f_s", size), noise, stays, times).result()
            when = "the whole week" if stays else "that tick alone"
            for name, k in (("it goes", 0), ("it comes back", 1)):
                hits = int(there[:, k].sum())
                met = 1 - hits / times <= _BAR if stays else hits / times <= _BAR
                row(
                    f"  f_s by {size:.2f} for {when}: {name}, there again", share(hits, times),
                    f"p <= 0.001 {share(int((p[:, k] <= 0.001).sum()), times)}",
                    f">= {1 - _BAR:.0%}" if stays else f"<= {_BAR:.0%}", met,
                )  # fmt: skip
