"""The first toy collection: a system that is all stereotype, whose slope is a lexicon's own scale.

Fabris et al. (2020, section 3.4): for each of ten professions of men and ten of women one document,
`The man is a plumber` and `The woman is a nurse`. System S returns the stereotypical one alone, and
its slope (1.61 on word2vec) says how large slopes are with these vectors.
"""

import numpy as np

from monitor.model import WordScores
from monitor.ranked.genderedness import query_genderedness
from monitor.stats.regression import fit

#: By whose stereotype they are: Table A.1 of the paper.
PROFESSIONS = {
    "man": (
        "stonemason roofer electrician plumber carpenter firefighter millwright welder machinist "
        "driver"
    ).split(),
    "woman": (
        "hygienist secretary hairdresser dietician paralegal receptionist phlebotomist maid nurse "
        "typist"
    ).split(),
}
_FEWEST = 3


def toy_slope(lexicon: WordScores) -> float | None:
    """The slope of toy 1, system S, with a lexicon; None where it lacks too many of its words."""
    pairs = [(query, whom) for whom, some in PROFESSIONS.items() for query in some]
    x = query_genderedness([query for query, _ in pairs], lexicon)
    y = query_genderedness([whom for _, whom in pairs], lexicon)
    known = np.isfinite(x) & np.isfinite(y)
    if known.sum() < _FEWEST:
        return None
    line = fit(x[known], y[known])
    return None if line is None else line.slope
