"""The environment in which HTML pages are written: everything captured is text there."""

import re
from collections.abc import Callable, Sequence
from functools import cache
from itertools import groupby
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup, escape

from monitor.stages.document import notation
from monitor.stages.document.records import Block, Document, Prose, Section, Span, Svg

# --- environment of templates ---------------------------------------------------------------------

_NUMBER = r"[−+±]?\d[\d.,]*(?:\s%)?"
#: What stays on one line: a date with its time, and an interval with its value.
_WHOLE = re.compile(
    r"\b\d{4}-\d{2}-\d{2}\b(?: \d{2}:\d{2}(?::\d{2})?(?: (?:[A-Z]{3,5}\b|[+-]\d{2,4}\b))?)?"
    rf"|(?:{_NUMBER}\s)?\[{_NUMBER},\s{_NUMBER}\]"
)


def write_page(words: str) -> Markup:
    """Text in which no line ends inside a date or an interval."""
    plain = str(escape(notation.visible(words)))
    return Markup(_WHOLE.sub(r'<span class="whole">\g<0></span>', plain))  # noqa: S704 - escaped


def page_environment(**filters: Callable[..., Any]) -> Environment:
    """Templates of `monitor/templates` with these filters; a name that is not given is a fault.

    `whole` is one of them, for running text.
    """
    environment = Environment(
        loader=PackageLoader("monitor", "templates"),
        autoescape=True,
        finalize=notation.shown,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters.update({"whole": write_page} | filters)
    return environment


# --- documents ------------------------------------------------------------------------------------

_TAGS = {"strong": "b", "emphasis": "em", "code": "code"}
_MARK = '<span aria-hidden="true" class="{0}">{{}}</span>'
_OTHERS = {
    **{kind: Markup(_MARK.format(kind)) for kind in ("yes", "no", "unknown")},  # noqa: S704
    "quote": Markup("<q><bdi>{}</bdi></q>"),
    "tag": Markup('<span class="tag">{}</span>'),
}
_SOFT_HYPHEN = "\u00ad"
#: Where the name of a measure may be broken: before a setting.
_SETTING = re.compile(r"(?<=\w\()(?=\w+=)|(?<=,)(?=\w+=)")


def html(document: Document) -> str:
    """Return the page. Everything captured in it is text: only pictures drawn here are markup."""
    return _environment().get_template("document.html").render(document=document)


def html_blocks(blocks: Sequence[Block]) -> Markup:
    """Return blocks alone, for a page around them that has `style.css`."""
    return Markup(_macros().all(blocks))  # noqa: S704 - escaped there


def html_section(section: Section) -> Markup:
    """Return a section alone, for such a page."""
    return Markup(_macros().section(section))  # noqa: S704 - escaped there


def _macros() -> Any:  # noqa: ANN401 - macros of a template
    return _environment().get_template("_blocks.html").module


@cache
def _environment() -> Environment:
    return page_environment(
        picture=_draw_picture,
        prose=_draw_prose,
        plain=_plain,
        entry=_draw_entry,
        title=_draw_title,
        # headings above columns, each with the number of its columns
        runs=lambda overs: [(over, len(list(run))) for over, run in groupby(overs)],
    )


def _draw_picture(svg: Svg) -> Markup:
    """Return a picture that `monitor.stages._svg` has let through."""
    if callable(svg):
        svg = svg()
    if not isinstance(svg, Markup):
        raise TypeError("a picture that was not drawn here")
    return svg


def _draw_prose(text: Prose) -> Markup:
    """Return a text in which no line ends inside a date or an interval."""
    if isinstance(text, str):
        return write_page(text)
    return Markup("").join(_draw_span(span) for span in text)


def _draw_span(span: Span) -> Markup:
    words = write_page(span.text)
    if span.kind == "link":
        return Markup('<a href="#{}">{}</a>').format(span.target, words)
    if span.kind == "address":
        return Markup('<a href="{}">{}</a>').format(span.target, words)
    if span.kind in _TAGS:
        return Markup("<{0}>{1}</{0}>").format(_TAGS[span.kind], words)
    return _OTHERS[span.kind].format(words) if span.kind else words


def _plain(text: Prose) -> str:
    return text if isinstance(text, str) else "".join(span.text for span in text)


def _draw_entry(text: Prose) -> Markup:
    """Return the text of a cell, in which the name of a measure may be broken."""
    return Markup(_SETTING.sub("<wbr>", str(_draw_prose(text))))  # noqa: S704 - escaped before


def _draw_title(words: str) -> Markup:
    """Return the title of a column, broken where its soft hyphens are."""
    return Markup("&shy;").join(_draw_entry(part) for part in words.split(_SOFT_HYPHEN))
