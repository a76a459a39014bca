"""The formulas of papers, one file each, and their use as a plain library over ranked lists.

`parse("TExFAIR@10").score(run, texts)` with run = {query: [document, ...]} and texts = {document:
text} gives a result with value, low, high, per_query, planned and used: docs/library.md.
"""

from importlib import import_module
from typing import Any

__all__ = [
    "count_terms",
    "curve",
    "parse",
    "per_query_correlation",
    "ranked_lists",
    "tokenise",
]


def parse(name: str) -> Any:  # noqa: ANN401 - a measure of ranked lists, each with its own `score`
    """Return the measure of this canonical name, `Name(parameter=value)@cut-off`, ready to `score`.

    Raises InvalidInput for an unknown name, parameter or value, and for a measure that is not one
    of ranked lists of texts.
    """
    from monitor import registry  # noqa: PLC0415 - plug-ins are found when one is asked for
    from monitor.model import InvalidInput  # noqa: PLC0415
    from monitor.names import read_name  # noqa: PLC0415

    plain, parameters = read_name(name)
    measures = {measure.name: measure for measure in registry.discover("measures").values()}
    names = [label for label, measure in measures.items() if hasattr(measure, "score")]
    measure = next(
        (measure for label, measure in measures.items() if label.lower() == plain.lower()), None
    )
    if measure is None or not hasattr(measure, "score"):
        raise InvalidInput(f"measure {plain!r} is none of ranked lists; known: {', '.join(names)}")
    return measure.configure(parameters)


#: What reads runs and texts once for several measures, or compares them: imported when asked for.
_ELSEWHERE = {
    "count_terms": "monitor.measures.fairness._term_measures",
    "curve": "monitor.measures.fairness._term_measures",
    "per_query_correlation": "monitor.ranked.score",
    "ranked_lists": "monitor.measures._library_input",
    "tokenise": "monitor.ranked.words",
}


def __getattr__(name: str) -> Any:  # noqa: ANN401
    if name not in _ELSEWHERE:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_ELSEWHERE[name]), name)
