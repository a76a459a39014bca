"""A measure of group terms at many cut-offs, over texts that are read once."""

from collections.abc import Iterable, Mapping, Sequence

from monitor.measures import parse
from monitor.measures._ranked_given import Run, TextsGiven, asked
from monitor.measures._ranked_terms import OfTerms
from monitor.model import InvalidInput
from monitor.ranked.score import Score


def curve(
    name: str,
    run: Run,
    texts: TextsGiven,
    cutoffs: Iterable[int] = range(1, 21),
    *,
    beside: Mapping[str, Run] | None = None,
    terms: Mapping[str, Sequence[str]] | None = None,
    targets: Mapping[str, float] | None = None,
    seed: int = 0,  # noqa: ARG001 - nothing is drawn any more
    draws: int = 2000,  # noqa: ARG001
) -> dict[int, Score]:
    """The measure of this name at each cut-off, smallest first. Raises InvalidInput.

    Everything else is what `score` takes; a cut-off in the name itself says nothing here.
    """
    plain = parse(name)
    if not isinstance(plain, OfTerms):
        raise InvalidInput(f"measure {name!r}: only those of group terms have a curve")
    wanted = sorted(set(cutoffs), reverse=True)
    changed = {key: value for key, value in (("terms", terms), ("targets", targets)) if value}
    measures = [plain.configure({**changed, "cutoff": cutoff}) for cutoff in wanted]
    if not measures:
        return {}
    # the deepest first: what it counts is all that the others need
    given = asked(run, texts, beside=beside, cutoff=measures[0].depth())
    found = [measure.over(measure.completed(given)) for measure in measures]
    return dict(zip(reversed(wanted), reversed(found), strict=True))
