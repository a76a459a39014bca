"""Measures that read words: with which lexicons, and where the words of a result come from."""

from collections.abc import Iterator
from functools import lru_cache
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING

from monitor import settings
from monitor.jobs import Audit, EngineUse, MeasureUse, reads_words
from monitor.lexicons import installed
from monitor.lexicons.lexicon import SUFFIX
from monitor.lists import ProbeList
from monitor.model import Engine, InvalidInput, Kind, Measure, WordScores, primary
from monitor.stages.derive.measurement import DOCUMENT, LANDING, TEXT_BLOCKS, Instrument

if TYPE_CHECKING:
    from monitor.store.derive.texts import WordSource


#: What stop words and lemmas are of, so that a lexicon of another language says nothing.
_LANGUAGE = "en"


def of_words(
    chosen: MeasureUse, configured: Measure, engine: Engine, probe_list: ProbeList
) -> Iterator[Instrument]:
    """A measure with each lexicon that is installed, where it takes one and the job names none.

    Genderedness depends on the vectors that it was made of, so a series under one lexicon alone
    says less than it seems to (Fabris et al. 2020, section 4.3).
    """
    text = DOCUMENT if of_documents(engine) else chosen.text
    for measure in _with_lexicons(configured):
        yield Instrument(
            measure=measure,
            engine=engine,
            language=None,
            probe_list=probe_list,
            text=text,
            lexicons=tuple(map(_make_lexicon, _named(measure))),
        )


def of_documents(engine: Engine) -> bool:
    """Return whether an engine's results are whole documents, not titles and snippets."""
    names = {parameter.name for parameter in engine.parameters}
    return engine.surface == "local" or "collection" in names


def _with_lexicons(measure: Measure) -> list[Measure]:
    """A copy for each lexicon, or pair of lexicons, that the parameter leaves open."""
    if "lexicon" not in measure.parameters or _named(measure):
        return [measure]
    names = _usable()
    if isinstance(measure.parameters["lexicon"], str):
        return [measure.configure({"lexicon": name}) for name in names]
    return [measure.configure({"lexicon": list(pair)}) for pair in combinations(names, 2)]


def _usable() -> list[str]:
    """Names of the lexicons that are installed, without those of other languages."""
    names = installed.installed_lexicons(settings.load().home)
    return [name for name in names if primary(_make_lexicon(name).language) == _LANGUAGE]


def _named(measure: Measure) -> list[str]:
    """The lexicons that the parameter names; two names left empty are none."""
    lexicon = measure.parameters.get("lexicon")
    group = lexicon if isinstance(lexicon, list | tuple) else [lexicon]
    return [item for item in group if isinstance(item, str) and item]


def _make_lexicon(name: str) -> WordScores:
    home = settings.load().home
    file = home / "lexicons" / f"{name}{SUFFIX}"
    return _loaded(name, home, file.stat().st_mtime_ns if file.is_file() else 0)


@lru_cache(maxsize=8)
def _loaded(name: str, home: Path, changed_at: int) -> WordScores:  # noqa: ARG001 - part of the key
    return installed.find(name, home)


def source_of(use: EngineUse, text: str, run_id: int) -> "WordSource":
    """Return where the words of a system's results are."""
    from monitor.store.derive.texts import (  # noqa: PLC0415 - checking a job needs no database
        WordSource,
    )

    if text == LANDING:
        return WordSource(landing_collection(run_id), of_answer=False)
    if block := TEXT_BLOCKS.get(text):
        return WordSource(block=block)
    collection = use.config.get("collection")
    return WordSource(str(collection), of_answer=False) if collection else WordSource()


def landing_collection(run_id: int) -> str:
    """Return what the pages that the results of a run lead to are kept as."""
    return f"landing:{run_id}"


def check_lexicons(audit: Audit) -> None:
    """Raise InvalidInput for a lexicon that a job needs and that is missing or cannot be read.

    Before anybody is asked, because answers without values are of no use.
    """
    for measure in _of_words(audit):
        names = _named(measure)
        stored = installed.installed_lexicons(settings.load().home)
        for name in names:
            where = f"{audit.path}: measure {measure.name!r}: lexicon {name!r}"
            if name not in stored:
                raise InvalidInput(
                    f"{where} is not installed; installed: {', '.join(stored)}; make one with: "
                    f"monitor lexicon build --vectors FILE --name {name}"
                )
            if primary(language := _make_lexicon(name).language) != _LANGUAGE:
                raise InvalidInput(
                    f"{where} is of language {language!r}; words are measured in English: name "
                    f"one of language {_LANGUAGE!r}"
                )
        if not names:
            _usable()


def _of_words(audit: Audit) -> Iterator[Measure]:
    """The measures of a job that take a lexicon."""
    if Kind.SEARCH not in audit.job.kinds:
        return
    for this_measure in audit.job.measures:
        for measure in this_measure.configure_for(Kind.SEARCH):
            if reads_words(measure) and "lexicon" in measure.parameters:
                yield measure
