"""From the open attempts of several engines to the steps that they take together. Pure.

Panels: where a job is synchronised, all its engines are asked the same question at the same time.
"""

from collections import defaultdict
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from monitor.stages.collect import batches
from monitor.stages.plan import Step, place, step_of
from monitor.store.collect.evidence import Attempt

U = TypeVar("U", bound=Hashable)
L = TypeVar("L", bound=Hashable)


@dataclass(frozen=True, slots=True)
class Panel(Generic[U]):
    """One question, and what each engine is asked of it: the attempts of each of its requests.

    These are all its targets or regions, and their repeats. No request holds two pairs of languages
    or one probe twice, so each holds one attempt.
    """

    step: Step
    asked: Mapping[U, tuple[tuple[Attempt, ...], ...]]


def panels(attempts_by_use: Mapping[U, Sequence[Attempt]], seed: str) -> list[Panel[U]]:
    """The panels of a tick in the order of its seed, as the questions were planned.

    What is asked again has the place that it had, so the order is the same for all engines. An
    engine that has nothing open of a question is not in its panel.
    """
    found: dict[Step, dict[U, list[Attempt]]] = defaultdict(lambda: defaultdict(list))
    for use, attempts in attempts_by_use.items():
        for attempt in attempts:
            found[step_of(attempt.probe)][use].append(attempt)
    return [
        Panel(step, {use: tuple(batches(group, 1)) for use, group in found[step].items()})
        for step in sorted(found, key=lambda step: (place(step, seed), step))
    ]


def steps(found: Sequence[Panel[U]], lanes: Mapping[U, L]) -> dict[L, list[Step]]:
    """The steps that each lane takes part in, in order; several engines may share a lane."""
    taken: dict[L, list[Step]] = {lane: [] for lane in lanes.values()}
    for panel in found:
        for lane in dict.fromkeys(lanes[use] for use in panel.asked):
            taken[lane].append(panel.step)
    return taken
