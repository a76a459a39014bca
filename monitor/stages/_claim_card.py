"""A claim card as a file: HTML, text and numbers of one content."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from itertools import chain
from typing import Any
from zoneinfo import ZoneInfo

from monitor.stages import _pages
from monitor.stages import _report_text as text
from monitor.stages.claim_view import Answer, ClaimView, Fold, view

Row = dict[str, Any]

#: Of the JSON form.
SCHEMA = 1
_NAME = 15


@dataclass(frozen=True, slots=True)
class Card:
    """A claim in its three forms."""

    html: str
    text: str
    numbers: Row


def card(content: Row, zone: ZoneInfo, address: str = "") -> Card:
    """Return the files of a claim; `address` is that of our public pages."""
    words = view(content, zone, address)
    page = _pages.environment(capped=text.capped).get_template("claim.html")
    numbers = {
        "headline": words.headline,
        "lead": words.lead,
        "quote": words.quote,
        "cite": words.citation,
        "supports": [asdict(check) for check in words.checks],
    }
    lines = "\n".join(map(_in_one_line, _lines(words)))
    return Card(
        page.render(view=words), f"{lines}\n", {"schema": SCHEMA, **_numbers(content | numbers)}
    )


def _in_one_line(line: str) -> str:
    """Return a line in which an answer with line breaks cannot pass for lines of ours."""
    return text.visible(line).replace("\n", "[U+000A]").replace("\t", "[U+0009]")


def _lines(words: ClaimView) -> Iterator[str]:
    yield from (f"CLAIM CARD: {words.name.lower()}", words.context, "", words.headline)
    yield from filter(None, (words.invented, words.replaced, words.lead))
    yield ""
    yield f"What supports this? {words.supported}"
    for check in words.checks:
        yield f"  {check.question} {check.answer.upper()}"
        yield f"      {check.reason}"
    yield from ("", "To quote", f"  {words.quote}", f"  {words.citation}")
    if words.examples:
        yield from ("", _evidence(words))
    for example in words.examples:
        yield f"  {text.capped(example.probe)}"
        yield f"    before: {'; '.join(map(_answer, example.before))}"
        yield f"    after: {'; '.join(map(_answer, example.after))}"
    yield from chain.from_iterable(map(_fold, words.folds))


def _evidence(words: ClaimView) -> str:
    shown = f"; the first {len(words.examples)}" if words.n_examples > len(words.examples) else ""
    return f"Evidence on both sides: {words.n_examples:,} questions with another answer{shown}"


def _answer(answer: Answer) -> str:
    words = "".join(f"*{p.text}* ({p.gender})" if p.gender else p.text for p in answer.pieces)
    return f"{words} (attempt {answer.attempt})"


def _fold(fold: Fold) -> Iterator[str]:
    yield from ("", fold.title)
    yield from (f"  {paragraph}" for paragraph in fold.paragraphs)
    yield from (f"  {fact.name:{_NAME}} {fact.said}" for fact in fold.facts)


def _numbers(value: object) -> Any:  # noqa: ANN401 - JSON
    """Return the content as JSON holds it: times in ISO 8601."""
    if isinstance(value, datetime):
        return value.isoformat()
    if isinstance(value, Mapping):
        return {str(key): _numbers(item) for key, item in value.items()}
    if isinstance(value, Sequence) and not isinstance(value, str):
        return [_numbers(item) for item in value]
    return value
