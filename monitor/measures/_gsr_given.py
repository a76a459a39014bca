"""What GSR is asked about as a library: lexicon and baselines in many forms in, one form out."""

from collections.abc import Mapping
from pathlib import Path
from typing import cast

from monitor import settings
from monitor.lexicons.installed import find
from monitor.lexicons.lexicon import SUFFIX, Lexicon, load
from monitor.measures._ranked_given import Run
from monitor.model import InvalidInput, WordScores

#: Ships with the package.
BUILT_IN = "glove-6b-50d"
#: The baseline that is no system: the relevant documents of every query.
QRELS = "qrels"


def lexicon_of(given: object, named: str) -> WordScores:
    """The lexicon handed over; by its name or file; as {word: score}; else the measure's own."""
    if given is None:
        return named_lexicon(named)
    if isinstance(given, Path) or (isinstance(given, str) and given.endswith(SUFFIX)):
        return load(Path(given))
    if isinstance(given, str):
        return named_lexicon(given)
    if isinstance(given, Mapping):
        return Lexicon.of("given", {str(word): float(score) for word, score in given.items()})
    if not hasattr(given, "scores"):
        raise InvalidInput(
            f"lexicon: {type(given).__name__} is none; give a lexicon, its name or file, or "
            "{word: score}"
        )
    return cast("WordScores", given)


def named_lexicon(name: str) -> WordScores:
    """A lexicon of this machine by its name; the built-in one without."""
    return find(name or BUILT_IN, settings.load().home)


def queries_of(given: Mapping[str, str] | None) -> dict[str, str]:
    """The words of every query by its key. Raises InvalidInput."""
    if given is None:
        raise InvalidInput("GSR: give the words of the queries: queries={query: words}")
    for key, query in given.items():
        if not isinstance(query, str):
            raise InvalidInput(f"queries: {key!r} has {query!r:.60}; give its words")
    return {str(key): query for key, query in given.items()}


def baselines_of(given: object) -> dict[str, Run]:
    """Runs by their labels; one run alone gets the label `baseline`."""
    if given is None or given == QRELS:
        return {}
    if isinstance(given, Mapping) and not any(_is_list(one) for one in given.values()):
        return {str(label): run for label, run in given.items()}
    return {"baseline": given}


def _is_list(given: object) -> bool:
    return isinstance(given, list | tuple)
