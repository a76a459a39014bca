"""Writes a notice from its template, so that nothing captured can pass for a line of ours.

In go the kind of a notice and what it is about, out come a title of one line and a text. Every
value is put into one line, cut, and stripped of what a terminal, a mail reader or a chat obeys.
"""

import re
from collections.abc import Mapping, Sequence
from datetime import datetime
from functools import cache
from typing import Any
from zoneinfo import ZoneInfo

from jinja2 import Environment, PackageLoader, StrictUndefined

from monitor.change import Cause, Role
from monitor.stages import _report_text as text
from monitor.stages import claim_words
from monitor.stages._report_names import kind_of, language_words, pair_words
from monitor.store.changes.series import ALL
from monitor.store.journal.notifications import NamedChange

#: Characters of one value, of a title, and of a whole text. The smallest of the well-known services
#: take 2,000 in a message (Discord), and cut or refuse what is longer.
_LONGEST_VALUE = 500
_BRIEF = 240
_LONGEST_TITLE = 140
_LONGEST = 1_900
#: Begins the line that links to a page of ours.
PAGE = "Page: "
#: What is said around a text and a list in one message.
_AROUND = 300
#: Lines of a list in a message.
MOST_LINES = 10

#: Characters with which chats mark text, address everybody, or make links, and what stands for
#: them. Apprise escapes where it writes Markdown or HTML; some services read plain text as theirs.
_MARKS = str.maketrans({"<": "‹", ">": "›", "`": "'", "*": "∗", "~": "∼", "|": "¦"})
_PAIRS = (("](", "] ("), ("://", "[:]//"), ("__", "_ _"))

#: `@1` is the version of a list, `@everyone` a call to everybody.
_CALLS = re.compile(r"@(?=[^\W\d_])")
_CAUSES = {
    Cause.ENGINE: "the engine",
    Cause.OPEN: "not determined",
    Cause.PARSER: "our parser",
    Cause.LANGUAGE: "our rules that find gender in texts",
    Cause.LEXICON: "our lexicon",
    Cause.MEASURE: "our measure",
    Cause.LIST: "another list of questions",
    Cause.TARGET: "other reference shares",
    Cause.LABELS: "other labels",
    Cause.INSTRUMENT: "our instrument: a control changed as well, or our own reading is in doubt",
}
_ROLES = {
    Role.PRIMARY: "primary series of its family",
    Role.SECONDARY: "secondary series, beside a changed primary series",
    Role.WITNESS: "control, never tested",
}


def harmless(value: object) -> object:
    """A value as one line that nobody obeys, of at most so many characters."""
    if not isinstance(value, str):
        return value
    line = text.visible(" ".join(value.split())).translate(_MARKS)
    for mark, instead in _PAIRS:
        line = line.replace(mark, instead)
    line = _CALLS.sub("＠", line)
    return _cut(line, _LONGEST_VALUE)


def _cut(line: str, longest: int) -> str:
    return line if len(line) <= longest else line[: longest - 1] + "…"


def write(kind: str, facts: Mapping[str, Any], zone: ZoneInfo, link: str = "") -> tuple[str, str]:
    """Return (title, text) of a notice; `link` is its last line, as `link` makes it."""
    end = f"\n{link}" if link else ""
    title, body = _written(kind, facts, zone, _LONGEST - len(end))
    return title, body + end


def link(address: str, facts: Mapping[str, Any]) -> str:
    """Return the line that links to the page about something; empty without an address."""
    return f"{PAGE}{address}{_path(facts)}" if address else ""


def link_of(body: str) -> str:
    """Return the last line of a text if it is the link to a page; else nothing."""
    last = body.rsplit("\n", 1)[-1]
    return last if last.startswith(PAGE) else ""


def _path(facts: Mapping[str, Any]) -> str:
    """Return the path of the page that shows what a notice is about."""
    if facts.get("change"):
        return f"/series/{facts['change'].series_id}"
    if "alarm" in facts:
        return "/operations"
    return "/reports" if "report" in facts else "/changes"


def _written(kind: str, facts: Mapping[str, Any], zone: ZoneInfo, longest: int) -> tuple[str, str]:
    written = _environment(zone.key).get_template(f"{kind}.txt").render(**facts)
    title, _, body = written.partition("\n")
    lines = body.strip("\n")
    if len(lines) > longest:
        # the last lines say how to see more
        head, tail = lines[:longest], lines.rsplit("\n", 1)[-1]
        lines = _cut(head, longest - len(tail) - 1) + "\n" + tail
    return _cut(title, _LONGEST_TITLE), lines


def n_lines(text: str, lines: Sequence[str]) -> int:
    """How many lines of a list fit into a message behind a text; one at least."""
    room = _LONGEST - len(text) - _AROUND
    longest = max(len(line) + len("- \n") for line in lines)
    return min(MOST_LINES, max(1, room // longest))


@cache
def _environment(zone: str) -> Environment:
    environment = Environment(
        loader=PackageLoader("monitor", "templates/notices"),
        autoescape=False,  # noqa: S701 - plain text; `finalize` sees every value
        finalize=harmless,
        undefined=StrictUndefined,
        keep_trailing_newline=True,  # or what is included would run into the line after it
        trim_blocks=True,
        lstrip_blocks=True,
    )
    place = ZoneInfo(zone)

    def when(moment: datetime) -> str:
        return moment.astimezone(place).strftime("%Y-%m-%d %H:%M %Z")

    environment.filters.update(
        when=when,
        value=_value,
        signed=_signed,
        interval=_interval,
        pair=_pair,
        quantity=_quantity,
        command=_command,
        brief=lambda words: _cut(words, _BRIEF),
        cause=_CAUSES.__getitem__,
        role=_ROLES.__getitem__,
        status=claim_words.STATUS.__getitem__,
    )
    return environment


def _value(number: float | None) -> str:
    return "no value" if number is None else text.number(number)


def _signed(number: float | None) -> str:
    return "no value" if number is None else text.number(number, sign=True)


def _interval(change: NamedChange) -> str:
    """The 95 % interval, or that there is none."""
    if change.low is None or change.high is None:
        return "(no interval)"
    return f"{text.span(change.low, change.high, sign=True)} (95 % interval)"


def _pair(change: NamedChange) -> str:
    if not change.target:
        return language_words(change.source_lang)
    return pair_words(change.source_lang, change.target, kind_of(change.engine))


def _quantity(change: NamedChange) -> str:
    return change.quantity if change.scope == ALL else f"{change.quantity} {change.scope}"


def _command(change: NamedChange) -> str:
    """What shows more. A number: a name could be taken for more than a name by a shell."""
    return f"monitor series show {change.series_id}"
