"""A document as PDF, set by typst, whose fonts are part of it.

Texts are handed over as data and set as they are; nothing of them is ever read as markup.
"""

import json
import re
from collections.abc import Mapping
from dataclasses import asdict
from datetime import datetime
from importlib.resources import files
from typing import Any

from monitor.model import MissingPart
from monitor.stages.document.notation import visible
from monitor.stages.document.records import Document

#: What the colours of the page are on paper.
_COLORS = {
    "ink": "#000000", "quiet": "#444444", "grid": "#dddddd", "area": "#f0f0f0", "line": "#bbbbbb",
    "first": "#00525a", "second": "#8a4600", "paper": "#ffffff",
}  # fmt: skip
_PICTURE = re.compile(r"<svg.*?</svg>", re.DOTALL)
_COLOR = re.compile(r"var\(--([a-z]+)\)")
#: Characters of one text that are set; ours are shorter, those of others need not be.
_LONGEST = 4000
#: The typeface of pictures is that of the page: one that typst carries with it.
_FONT = "Libertinus Serif"
_OPENING = '<svg xmlns="http://www.w3.org/2000/svg" font-family="' + _FONT + '"'


def pdf(document: Document, until: datetime) -> bytes:
    """The report for paper, dated `until`. Raises MissingPart without typst."""
    try:
        import typst  # noqa: PLC0415 - only where a PDF is made
    except ImportError as error:
        raise MissingPart(
            "PDF needs the package typst: pip install 'gbmonitor[pdf]'; HTML and JSON need nothing"
        ) from error
    template = files("monitor.templates").joinpath("document.typ").read_bytes()
    result = typst.compile(
        template,
        format="pdf",
        ignore_system_fonts=True,
        sys_inputs={
            "document": json.dumps(_plain(asdict(document)), ensure_ascii=False),
            "date": until.strftime("%Y-%m-%d"),
        },
        timestamp=until.replace(microsecond=0),
    )
    if not isinstance(result, bytes):
        raise TypeError("typst made several files of one report")
    return result


def _plain(value: Any) -> Any:  # noqa: ANN401 - whatever a document holds
    """Pictures with colours and typeface of paper, all other texts made visible."""
    if isinstance(value, Mapping):
        return {key: _make_part(key, item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    if not isinstance(value, str):
        return value
    # line breaks of others are blanks, as on the page: nothing of them begins a line of ours
    return _cut(visible(value).replace("\n", " ").replace("\t", " "))


def _make_part(key: str, value: Any) -> Any:  # noqa: ANN401 - whatever a document holds
    if key == "svg":
        return on_paper(value() if callable(value) else value)
    if key in ("title", "over"):  # soft hyphens of ours
        return _plain(value.replace("\u00ad", ""))
    # what stands beneath a value has lines of its own
    return _cut(visible(value)) if key == "under" else _plain(value)


def _cut(text: str) -> str:
    """A text that a sheet has room for; setting a word of a million letters takes minutes."""
    if len(text) <= _LONGEST:
        return text
    return f"{text[:_LONGEST]} … ({len(text) - _LONGEST:,} more characters, in the JSON)"


def on_paper(svg: str) -> str:
    """Return a picture in colours of its own; of one that is there in several widths the first."""
    first = _PICTURE.search(str(svg))
    colored = _COLOR.sub(lambda match: _COLORS[match[1]], first[0] if first else "")
    return colored.replace("<svg", _OPENING, 1)
