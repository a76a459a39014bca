"""What a table of professions says of each: its share, that of the reference, the bias."""

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from os.path import commonprefix
from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from monitor import registry
from monitor.model import GenderClass, Kind, State
from monitor.stages import _report_people as people
from monitor.stages import _report_text as text
from monitor.stages import _report_words as words
from monitor.stages._report_text import Piece
from monitor.stages.system_tiles import say_measured
from monitor.stages.weekly import names
from monitor.store.changes import tick_answers
from monitor.store.changes.series import ALL
from monitor.store.changes.tick_answers import AnswerScope, TickAnswer
from monitor.store.database import Connection
from monitor.store.derive.signals import read_asked_items
from monitor.store.reports import topic_values
from monitor.store.reports.topic_values import OverallPoint
from monitor.text.quantity_values import say_interval
from monitor.web.site._visitor import Visitor

#: Earlier runs that are offered.
_EARLIER = 12


class Profession(BaseModel):
    """A profession: shares from 0 to 1; `bias` is that of the answers less that of the reference.

    Of a corpus, `bias` is how much more strongly its word is tied to words for women than to those
    for men, and there is no share in answers. Numbers are null unless they are known; where `state`
    is not `measured`, `reason` says why.
    """

    model_config = ConfigDict(use_attribute_docstrings=True)

    topic: str
    state: State
    reason: str
    model: float | None
    low: float | None
    high: float | None
    target: float | None
    bias: float | None
    bias_low: float | None
    bias_high: float | None
    p: float | None
    """Exact, of this profession alone; null where no test fits."""
    q: float | None
    """Adjusted over the professions of this table (Benjamini and Hochberg)."""
    is_biased: bool | None
    """Whether q is at most 0.05; null where there is none."""
    n: int
    """What it is of: answers with a marked gender, people with a record, texts with the word."""
    n_of: int
    """Of so many planned questions, shown entries, or texts."""
    women: float | None
    """Pairs of the word with words for women that were seen; null but of a corpus."""
    men: float | None
    """The same of words for men."""
    source: str
    country: str
    as_of: str
    key: str
    """How the keys of its questions begin; empty where they have nothing in common."""


class Total(BaseModel):
    """A number over all professions; `said` and `interval_said` are as people read it."""

    series: int
    quantity: str
    title: str
    is_main: bool
    state: State
    reason: str
    value: float | None
    low: float | None
    high: float | None
    said: str
    interval_said: str


class Example(BaseModel):
    """An answer about a profession, and the words that its gender was read from."""

    topic: str
    attempt: int
    question: str
    text: str
    gender: str
    pieces: Sequence[Piece] = Field(exclude=True)


Read = tuple[list[Profession], list[Total], list[tuple[int, datetime]]]


def quantities() -> list[str]:
    """The quantity over all professions of every measure that has some."""
    return ["mb", *(f"{name}_mean" for name in _of_corpora())]


def is_of_corpus(one: OverallPoint) -> bool:
    """Whether a table is about words in texts, and not about shares."""
    return words.named(one.measure).family in _of_corpora()


def _of_corpora() -> list[str]:
    known = registry.discover("measures")
    return [name for name, one in known.items() if getattr(one, "of_corpus", False)]


def read(connection: Connection, who: Visitor, one: OverallPoint) -> Read:
    """Professions of a table, its numbers over all of them, and its earlier runs."""
    found = topic_values.read_topics(connection, one.point)
    if is_of_corpus(one):
        rows = [_word(row) for row in found]
    else:
        keys = topic_values.read_keys(connection, one.run, one.list, _tag(one))
        rows = [_profession(row, one.kind, keys.get(row["topic"], ())) for row in found]
    measure = registry.measure(words.named(one.measure).family, one.kind)
    order = [quantity.name for quantity in measure.quantities]
    totals = [
        _total(one, row)
        for row in topic_values.find_companions(connection, who.hidden, [one], order)
        if row.scope == ALL
    ]
    totals.sort(key=lambda total: (not total.is_main, order.index(total.quantity)))
    return rows, totals, topic_values.find_earlier(connection, one.series, _EARLIER)


def _tag(one: OverallPoint) -> str:
    return str(registry.measure(people.FAMILY, one.kind).tag)


def _total(one: OverallPoint, row: topic_values.CompanionPoint) -> Total:
    meaning = names.about(one.measure, row.quantity, one.kind).meaning
    return Total(
        series=row.series, quantity=row.quantity, title=meaning.label, is_main=meaning.rank > 0,
        state=row.state, reason=row.reason, value=row.value, low=row.low, high=row.high,
        said=say_measured(meaning.unit, row.value),
        interval_said=say_interval(meaning.unit, row.low, row.high),
    )  # fmt: skip


def examples(
    connection: Connection, one: OverallPoint, topics: Collection[str]
) -> dict[str, list[Example]]:
    """Return {profession: an answer with masculine and one with feminine forms, where there are}.

    Of translators alone: pages of search engines show people, and models give numbers.
    """
    of = AnswerScope(one.engine_id, one.kind, one.list, one.source_lang, one.target, ALL)
    number = tick_answers.find_list(connection, of, one.run)
    if one.kind is not Kind.MT or number is None:
        return {}
    tag = _tag(one)
    questions = [
        item
        for item in read_asked_items(connection, number, (one.source_lang, one.target))
        if item.tags.get(tag) in topics
    ]
    topic_of = {item.key: item.tags[tag] for item in questions}
    chosen: dict[tuple[str, str], TickAnswer] = {}
    for answer in tick_answers.read_answers(connection, of, one.run, questions):
        if answer.cls in (GenderClass.MASCULINE, GenderClass.FEMININE):
            chosen.setdefault((topic_of[answer.key], answer.cls), answer)
    shown = tick_answers.read_words(connection, of, [*chosen.values()])
    found: dict[str, list[Example]] = {}
    for (topic, cls), answer in sorted(chosen.items()):
        said = shown[answer.attempt]
        part = next((part for part in said.parts if part["cls"] == cls), None)
        if part and part["text"]:
            found.setdefault(topic, []).append(Example(
                topic=topic, attempt=answer.attempt, question=said.question, text=part["text"],
                gender=cls, pieces=text.pieces(part["text"], part["witnesses"] or ()),
            ))  # fmt: skip
    return found


def _word(row: Mapping[str, Any]) -> Profession:
    """The word for a profession in a corpus."""
    return Profession(
        topic=row["topic"], state=State(row["state"]), reason=row["reason"], model=None, low=None,
        high=None, target=row["target"], bias=row["bias"], bias_low=row["model_low"],
        bias_high=row["model_high"], p=None, q=None, is_biased=None, n=row["used"],
        n_of=row["planned"], women=row["women"], men=row["men"], source=row["source"],
        country=row["country"], as_of=row["as_of"], key="",
    )  # fmt: skip


def _profession(row: Mapping[str, Any], kind: Kind, keys: Sequence[str]) -> Profession:
    """A profession. The limits of its bias are those of its share, less the reference.

    Of lists of people they are bounds for whatever people without a record are.
    """
    low, high, target = row["model_low"], row["model_high"], row["target"]
    bias_low, bias_high = row["bound_low"], row["bound_high"]
    if kind is not Kind.SEARCH:
        is_known = None not in (low, high, target, row["bias"])
        bias_low, bias_high = (low - target, high - target) if is_known else (None, None)
    of_people = kind is Kind.SEARCH
    is_biased = None if row["q"] is None else people.is_beyond_chance(dict(row))
    return Profession(
        topic=row["topic"], state=State(row["state"]), reason=row["reason"], model=row["model"],
        low=low, high=high, target=target, bias=row["bias"], bias_low=bias_low,
        bias_high=bias_high, p=row["p"], q=row["q"], is_biased=is_biased,
        n=row["labelled"] if of_people else row["used"],
        n_of=row["shown"] if of_people else row["planned"], women=None, men=None,
        source=row["source"], country=row["country"], as_of=row["as_of"], key=_beginning(keys),
    )  # fmt: skip


def _beginning(keys: Sequence[str]) -> str:
    """The characters that all keys begin with."""
    return commonprefix(keys)  # noqa: RUF071 - characters are meant: keys are no paths
