"""One search over systems, languages, quantities and questions, and over numbers of pages."""

from collections.abc import Callable, Sequence

from pydantic import BaseModel, Field

from monitor.roles import Permission
from monitor.stages.reports import names
from monitor.stages.reports.names import (
    KnownEngines,
    known_engines,
    pair_words,
    target_words,
)
from monitor.store.changes.findings import find_subject, read_engine_labels
from monitor.store.changes.series import ALL, Filters, Series
from monitor.store.database import Connection
from monitor.store.reports import run_answers, topic_values
from monitor.text.near_names import near_names
from monitor.web.site.errors import Missing
from monitor.web.site.pages.evidence import require_answer
from monitor.web.site.pages.professions import list_anchors
from monitor.web.site.pages.runs import require_run
from monitor.web.site.pages.series_list import find_series, require_series
from monitor.web.site.response_cache import ResponseCache
from monitor.web.site.routes import Text, make_router, serve_page
from monitor.web.site.site_state import TheSite
from monitor.web.site.visitors import Visitor, Who

router = make_router("search")

_MOST_SERIES, _MOST_QUESTIONS = 40, 40
_cache = ResponseCache()


class FoundPage(BaseModel):
    """A change, run, series or answer with the number that was asked for."""

    kind: str
    number: int
    path: str
    said: str
    """Its job, system or quantity."""


class FoundSeries(BaseModel):
    """A series that fits: a quantity of a system over all its questions."""

    number: int
    system: str
    asked_in: str
    label: str
    list: str


class FoundQuestion(BaseModel):
    """A question that fits, with the newest answer of a system."""

    text: str
    source_lang: str
    system: str
    target: str
    attempt: int
    target_words: str = Field(exclude=True)


class SearchResults(BaseModel):
    """Results that match all words, of many the first. `n_series` counts all series."""

    asked: str
    numbers: Sequence[FoundPage]
    series: Sequence[FoundSeries]
    n_series: int
    questions: Sequence[FoundQuestion]
    near: Sequence[str]
    """Professions with a name like what was asked, where nothing matches."""


@serve_page(router, "/search", "search.html", Permission.NUMBERS)
def search(site: TheSite, who: Who, q: Text = "") -> SearchResults:
    """Return series and questions that match all words, and what has the number.

    A number may stand behind `change`, `run`, `series` or `answer`.
    """
    words = q.split()
    if not words:
        return SearchResults(asked=q, numbers=[], series=[], n_series=0, questions=[], near=[])
    with site.database.read() as connection:
        engines, described = _cache.get(
            connection, who, "series", lambda: _describe_all(connection, who)
        )
        series = [
            found for about, found in described if all(word.lower() in about for word in words)
        ]
        questions = run_answers.find_questions(connection, who.hidden, words, _MOST_QUESTIONS)
        numbers = _find_numbers(connection, who, words, engines)
        near: list[str] = []
        if not (numbers or series or questions):  # professions of the newest runs of each system
            tables = topic_values.find_anchors(connection, who.hidden, list_anchors())
            topics = topic_values.list_topics(connection, [table.point for table in tables])
            near = near_names(q, topics)
    return SearchResults(
        asked=q,
        numbers=numbers,
        series=series[:_MOST_SERIES],
        n_series=len(series),
        questions=[
            FoundQuestion(
                text=question.text, source_lang=question.source_lang,
                system=engines[question.engine].title, target=question.target,
                attempt=question.attempt,
                target_words=target_words(question.target, engines[question.engine].kind),
            )
            for question in questions
        ],
        near=near,
    )  # fmt: skip


def _find_numbers(
    connection: Connection, who: Visitor, words: Sequence[str], engines: KnownEngines
) -> list[FoundPage]:
    """Return what a visitor may see under the one number of `69`, `#69` or `change 69`."""
    plain = [word.lower().removeprefix("#") for word in words]
    numbers = [int(word) for word in plain if word.isascii() and word.isdigit()]
    kinds = {word for word in plain if not word.isdigit()}
    if len(numbers) != 1 or not kinds <= _NUMBERED.keys() or not 0 < numbers[0] < 2**63:
        return []
    found = []
    for kind, (path, describe) in _NUMBERED.items():
        if kind in kinds or not kinds:
            try:
                said = describe(connection, who, numbers[0], engines)
            except Missing:
                continue
            found.append(
                FoundPage(kind=kind, number=numbers[0], path=f"{path}/{numbers[0]}", said=said)
            )
    return found


def _say_change(connection: Connection, who: Visitor, number: int, engines: KnownEngines) -> str:
    subject = find_subject(connection, "change", number)
    if subject is None:
        raise Missing(f"there is no change {number}")
    return _say_series(connection, who, subject.series_id, engines)


def _say_run(connection: Connection, who: Visitor, number: int, _: KnownEngines) -> str:
    run = require_run(connection, who, number)
    return f"{run.job}, {run.kind}"


def _say_series(connection: Connection, who: Visitor, number: int, engines: KnownEngines) -> str:
    described = _describe_series(require_series(connection, who, number), engines)
    return f"{described.label}: {described.system}, {described.asked_in}"


def _say_answer(connection: Connection, who: Visitor, number: int, engines: KnownEngines) -> str:
    about = require_answer(connection, who, number)
    [label] = read_engine_labels(connection, [about.engine_id])
    return f"{engines[label].title}, run {about.run_id}"


#: What has numbers: the path of its pages, and a function that says whose a number is.
_NUMBERED: dict[str, tuple[str, Callable[[Connection, Visitor, int, KnownEngines], str]]] = {
    "change": ("/changes", _say_change),
    "run": ("/runs", _say_run),
    "series": ("/series", _say_series),
    "answer": ("/evidence", _say_answer),
}


def _describe_all(
    connection: Connection, who: Visitor
) -> tuple[KnownEngines, list[tuple[str, FoundSeries]]]:
    """Return the engines, and each series after the text in which its words are found."""
    engines = known_engines(connection)
    described = []
    for series in find_series(connection, who, Filters(scope=ALL)):
        found = _describe_series(series, engines)
        about = (
            found.system, found.asked_in, found.label, series.list, series.quantity,
            series.measure, series.engine, series.target,
        )  # fmt: skip
        described.append((" ".join(about).lower(), found))
    return engines, described


def _describe_series(series: Series, engines: KnownEngines) -> FoundSeries:
    engine = engines[series.engine]
    quantity = names.find_quantity(series.measure, series.quantity, engine.kind)
    return FoundSeries(
        number=series.id, system=engine.title,
        asked_in=pair_words(series.source_lang, series.target, engine.kind),
        label=quantity.meaning.label, list=series.list,
    )  # fmt: skip
