"""Both sides of the bias of words in a corpus of a run, and their unbiased area: facts in, SVG out.

The facts are those of the mean bias over all words, as `measures/_corpus.py` tells them.
"""

from collections.abc import Mapping, Sequence

from markupsafe import Markup

from monitor.corpus.bias import Unbiased
from monitor.stages import _corpus_charts as charts

_LEAST_POINTS = 3
_NONE = (
    "Both sides of the words are not drawn: the measure has none, or no word has a value, or the "
    "run was measured before they were kept."
)


def unbiased(facts: Mapping[str, float]) -> Unbiased | None:
    """The area that a point tells of; None where it tells of none."""
    if "unbiased_threshold" not in facts:
        return None
    return Unbiased(
        facts["unbiased_threshold"],
        facts["association_low"],
        facts["association_high"],
        int(facts["unbiased_words"]),
        int(facts["vocabulary"]),
    )


def picture(
    words: Sequence[str],
    facts: Mapping[str, float],
    name: str,
    label: str,
    class_name: str = "",
) -> Markup | None:
    """The words that have both sides; None where they are too few, or there is no area.

    `class_name` is that of the page where styles in attributes are refused.
    """
    area = unbiased(facts)
    if area is None:
        return None
    rows = [
        charts.side(word, facts[f"women:{word}"], facts[f"men:{word}"], area)
        for word in words
        if f"women:{word}" in facts
    ]
    if len(rows) < _LEAST_POINTS:
        return None
    title = f"Association of words for occupations with words for women and for men: {label}"
    return charts.sides(rows, area.threshold, name, title, class_name=class_name)


def said(facts: Mapping[str, float]) -> str:
    """What the shaded area is, or why there is none."""
    area = unbiased(facts)
    return _NONE if area is None else charts.area_said(area)
