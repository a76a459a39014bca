"""From two sets of answers to the same questions to changes of every quantity. Pure."""

from collections.abc import Sequence
from datetime import datetime

from monitor.change import Contrast, Paired
from monitor.model import Context, Measure, Unit, digest
from monitor.stages.measure import Instrument, inputs_of, seed_of, shares_of_women, targets_of

#: Of the method: goes up whenever a delta, an interval or a p can come out differently.
VERSION = 4

#: Contrasts that are kept of every scope; of the others only what is over all probes.
_OF_ALL_SCOPES = (Contrast.STEP, Contrast.CONFIRM)


def _measure(instrument: Instrument, what: Contrast) -> Measure:
    """The measure; without its floor where a part of the questions shows how much answers differ.

    A floor keeps values off that rest on too little. A difference while nothing changes is no
    value, and how many questions it rests on is in the noise floor.
    """
    measure = instrument.measure
    if what is not Contrast.DAYS or "floor" not in measure.parameters:
        return measure
    return measure.configure({**measure.parameters, "floor": 1})


def contrast(
    instrument: Instrument,
    what: Contrast,
    before: Sequence[Unit],
    after: Sequence[Unit],
    series: str,
    due_at: datetime,
) -> tuple[tuple[Paired, ...], str]:
    """(changes, digest of the inputs), with the reference shares of after for both.

    A change of the reference is none of the system, so both are held against the same shares.
    """
    targets = targets_of(instrument, after)
    context = Context(
        seed=seed_of(series, due_at.isoformat(), instrument.signature),
        shares=shares_of_women(targets),
        targets=targets,
        lexicons=instrument.lexicons,
        over_all=what not in _OF_ALL_SCOPES,
    )
    found = _measure(instrument, what).paired(before, after, context)
    if context.over_all:
        found = tuple(one for one in found if one.scope == "all")
    known = [[k, [[s.group, s.value, s.n] for s in some]] for k, some in sorted(targets.items())]
    inputs = [[sorted(inputs_of(unit) for unit in units) for units in (before, after)], known]
    return found, digest([VERSION, instrument.measure.version, inputs])
