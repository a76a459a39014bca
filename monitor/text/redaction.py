"""Take personal data and secrets out of content that leaves the machine or is donated.

Content goes in, and comes out with a marker such as `REDACTED-EMAIL` in place of each value, with a
list of what was removed. The list names class, place and number, and never the value. Markup stays
valid: a number of JSON becomes null, everything else the marker.

A value is found in one of three ways. `LABELS` decide by the name that stands beside it: a key of
JSON or of a script, an attribute, a parameter of an address, a form field, a header. `SHAPES`
decide by its form: an e-mail address looks like one wherever it stands. `SCENES` and `REGIONS`
decide by where it is shown on a page: an account menu, the place at the foot of a result page. All
of them see the content as it is and with its escapes undone (JSON, percent encoding, HTML
entities). What identifies a person or opens an account (name, address, key) is then removed
wherever else it stands, also in base 64.

Doubt counts for removal: an e-mail address that a search result shows goes as well.
"""

import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from hashlib import sha256
from html import unescape
from itertools import islice
from typing import TypeAlias

from monitor.input_files import load_json
from monitor.text._personal_data import (
    INNER_NAME,
    LONG_KEY,
    LONGEST_VALUE,
    PAIR_RULE,
    PLACE_SOURCE,
    PLAIN_HEADERS,
    PLAIN_INNER,
    PRIVATE_HEADERS,
    REGIONS,
    SCENES,
    SHAPES,
    SHORTEST,
    PersonalData,
    classify_label,
    classify_query_label,
    is_client_address,
    search_stretches,
)
from monitor.text.spelling import SpelledText, find_all

__all__ = ["FoundValue", "PersonalData", "Redactor", "Removal", "find_values", "keep_headers"]

_MOST_HEADER_BYTES = 16_384


def keep_headers(headers: Iterable[tuple[str, str]]) -> tuple[tuple[str, str], ...]:
    """Return headers of an answer without those that identify who asked; names in lower case."""
    headers_kept, size = [], 0
    for name, text in headers:
        size += len(name) + len(text)
        if name.lower() not in PRIVATE_HEADERS and size <= _MOST_HEADER_BYTES:
            headers_kept.append((name.lower(), text))
    return tuple(headers_kept)


# --- syntax of names with values ------------------------------------------------------------------

_QUOTE = r"\\{0,3}[\"']"
_QUOTED = rf"(?P<q>{_QUOTE})(?P<text>(?:(?!(?P=q))(?:\\.|[^\\\n])){{0,4000}}?)(?P=q)"
_NUMBER = r"-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?"
_NAME = r"[A-Za-z_@$][\w.$@-]{0,60}+"
#: A name before a colon or an equals sign, and what may stand behind.
_LABEL = re.compile(
    rf"(?:(?P<k>{_QUOTE})(?P<quoted>[\w .:$@-]{{1,60}}+)(?P=k)|"
    rf"(?<![\w.$\\-])(?P<bare>{_NAME}){_QUOTE}?)\s{{0,9}}(?P<sign>[:=])\s{{0,9}}"
)
_OPEN = re.compile(r"[:=]\s{0,9}(?=[\[{])")
_LONGEST_LABEL = 80
_VALUE = re.compile(
    rf"{_QUOTED}|(?P<number>{_NUMBER})(?![\w.%/])|(?P<open>[\[{{])|"
    r"(?P<word>(?<==)[^\s\"'<>&;,(){}\[\]\\#]{1,400})(?=[\s>&;,#]|$)"
)
_TOKEN = re.compile(
    rf"(?:{_QUOTED})(?P<colon>\s*:)?|(?P<number>{_NUMBER})(?![\w.])|(?P<bracket>[\[\]{{}}])"
)
_WHOLE_NUMBER = re.compile(rf"^[^\w.+-]?{_NUMBER}[^\w.+-]?$")
#: Rules look at contents whose escapes were undone at most twice.
_LEVELS = 3
_STRING = re.compile(r'"((?:\\.|[^"\\])*)"')
_NAMED, _WORD, _INHERITED = "name of a value", "word beside a name", "part of a named object"
_MOST_TOKENS = 20_000
#: Parameters of addresses and forms.
_PARAMETER = re.compile(
    r"(?:[?&;#]|^)(?:amp;)?(?P<name>[A-Za-z_][\w.-]{0,40})=(?=(?P<text>[^\s\"'<>\\#;&]{1,4000}))",
    re.MULTILINE,
)
#: `Name: value` at the beginning of a line: headers in a message, exports of a shell.
_LINE = re.compile(
    r"^[ \t>]{0,8}(?:export )?(?P<name>[A-Za-z][\w -]{0,40}?)[ \t]{0,4}[:=][ \t]{0,4}"
    r"(?P<text>[^\s<>{}\[\]\"'][^\r\n<>]{0,2000})$",
    re.MULTILINE,
)
#: Elements that name a value: form fields and metadata.
_ELEMENT = re.compile(r"<(?:input|meta|option|data|param|textarea)\b[^<>]{1,4000}>", re.IGNORECASE)
_NAMING_ATTRIBUTES = frozenset({"name", "id", "property", "itemprop", "http-equiv"})
_ATTRIBUTE = re.compile(
    r"(?<![\w-])(?P<name>[A-Za-z][\w:-]{0,60})\s{0,4}=\s{0,4}"
    r"(?:\"(?P<double>[^\"<>]{0,4000})\"|'(?P<single>[^'<>]{0,4000})'|(?P<word>[^\s\"'<>]{1,4000}))"
)
#: Drawings have pairs of numbers that look like coordinates.
_DRAWINGS = ("d=", "points=", "transform=", "viewBox=", "values=", "path=")
_DRAWING = re.compile(rf"\b\w{{1,9}}={_QUOTE}[\sMmLlHhVvCcSsQqTtAaZz\d.,+eE()a-z-]{{8,}}")
_OPENING = re.compile(r"<(?P<tag>[a-zA-Z][\w-]{0,20})\b(?P<inside>[^<>]{0,4000})>", re.IGNORECASE)
_NAMING = re.compile(
    r"\b(?:id|class|data-testid|data-test|data-role|itemprop|aria-label)\s*=\s*"
    r"(?:\"([^\"]{1,400})\"|'([^']{1,400})'|([^\s\"'>]{1,100}))",
    re.IGNORECASE,
)
_NODE = re.compile(r">(?P<text>[^<>]{1,2000})(?=<)")
_PLACE_AFTER_TAG = re.compile(rf">\s*(?={PLACE_SOURCE.pattern})")
_LONGEST_REGION, _LONGEST_FOOT = 20_000, 1_500
_REGION = "part of a page"
_VOID = frozenset({"img", "input", "br", "hr", "meta", "link", "html", "body", "head", "script"})


# --- finding --------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class FoundValue:
    """A value in a text, from `start` to `end`; `is_number` where it is a number of JSON."""

    start: int
    end: int
    kind: PersonalData
    rule: str
    is_number: bool = False


@dataclass(frozen=True, slots=True)
class Removal:
    """A number of values of one class that one rule removed from one place, such as `body`."""

    kind: PersonalData
    rule: str
    place: str
    count: int


#: Stretches of a level that are not those of the level before.
_Stretches: TypeAlias = Sequence[tuple[int, int]]


@lru_cache(maxsize=2)  # a text is looked at twice: by the rules, and for values known already
def _spell_text(text: str) -> SpelledText:
    return SpelledText(text)


def find_values(text: str) -> list[FoundValue]:
    """Return the values that the rules find in a text, in order; none overlaps another."""
    finders = (
        _find_labelled, _find_parameters, _find_lines, _find_elements, _find_shapes,
        _find_places, _find_regions,
    )  # fmt: skip
    spelled, within = _spell_text(text), _find_strings(text)
    matches = (
        replace(value, start=span[0], end=span[1])
        for depth, level in enumerate(spelled.levels[:_LEVELS])
        for stretches in [spelled.find_changes(depth, LONGEST_VALUE)]
        for finder in finders
        for value in finder(level, stretches)
        for span in [spelled.find_source(depth, value.start, value.end)]
        if within is None or (value.is_number and depth == 0) or within(*span)
    )
    return _merge(matches)


def _find_strings(text: str) -> Callable[[int, int], bool] | None:
    """Return whether a stretch lies within one string of JSON; None for a text that is not JSON."""
    try:
        load_json(text)
    except ValueError:
        return None
    spans = [match.span(1) for match in _STRING.finditer(text)]

    def lies_within(start: int, end: int) -> bool:
        at = bisect_right(spans, (start, len(text) + 1)) - 1
        return at >= 0 and end <= spans[at][1]

    return lies_within


def _merge(values: Iterable[FoundValue]) -> list[FoundValue]:
    """Return values in order; of those that overlap one, which covers them all."""
    merged: list[FoundValue] = []
    for value in sorted(values, key=lambda value: (value.start, -value.end)):
        last = merged[-1] if merged else None
        if last is None or value.start >= last.end:
            merged.append(value)
        elif value.end > last.end:
            merged[-1] = FoundValue(last.start, value.end, last.kind, last.rule)
    return merged


def _is_value(text: str, kind: PersonalData) -> bool:
    """Return whether a labelled text can be a value: not empty, no marker, no name of a key."""
    plain = text.strip().lower()
    if not plain or plain.startswith(("redacted-", "secret:")) or plain in _NO_VALUES:
        return False
    if kind in (PersonalData.SECRET, PersonalData.SESSION):
        return len(plain) >= SHORTEST and not _VARIABLE.fullmatch(text.strip())
    if kind in (PersonalData.COORDINATES, PersonalData.PHONE):
        return len(plain) >= LONG_KEY or any(character.isdigit() for character in plain)
    return True


#: The name of an environment variable is none of its values.
_VARIABLE = re.compile("[A-Z]+(?:_[A-Z]+)+")
_NO_VALUES = frozenset({"null", "none", "true", "false", "undefined", "nan", "[]", "{}", "-"})


def _find_labels(text: str, stretches: _Stretches) -> Iterator[re.Match[str]]:
    """Yield the names of values within stretches, and of all containers, which may reach there."""
    if stretches == [(0, len(text))]:
        yield from _LABEL.finditer(text)
        return
    labels = {label.start(): label for label in search_stretches(_LABEL, text, stretches)}
    for opening in _OPEN.finditer(text):
        start = max(0, opening.start() - _LONGEST_LABEL)
        for label in _LABEL.finditer(text, start, opening.end()):
            if label.end() == opening.end():
                labels.setdefault(label.start(), label)
    yield from (labels[at] for at in sorted(labels))


def _find_labelled(text: str, stretches: _Stretches) -> Iterator[FoundValue]:
    covered = 0  # end of the container that was read last: those within it are parts of it
    for label in _find_labels(text, stretches):
        kind = classify_label(label["quoted"] or label["bare"])
        value = _VALUE.match(text, label.end()) if kind else None
        if kind is None or value is None:
            continue
        group = next(name for name in ("text", "number", "open", "word") if value[name] is not None)
        if group == "open":
            if label["sign"] == ":" and value.start() >= covered:
                scalars, covered = _read_scalars(text, value.start(), kind)
                yield from scalars
        elif _is_value(value[group], kind):
            rule = _WORD if group == "word" else _NAMED
            is_number = group == "number" and label["sign"] == ":"
            yield FoundValue(*value.span(group), kind, rule, is_number=is_number)


def _read_scalars(text: str, start: int, kind: PersonalData) -> tuple[list[FoundValue], int]:
    """Return the texts and numbers of the container of JSON that begins there, and its end."""
    values, depth, label, end = [], 0, "", start
    for token in islice(_TOKEN.finditer(text, start), _MOST_TOKENS):
        end = token.end()
        if token["bracket"]:
            depth += 1 if token["bracket"] in "[{" else -1
            if depth <= 0:
                break
        elif token["colon"] is not None:
            label = token["text"]
        elif not PLAIN_INNER.fullmatch(label.lower()):
            group = "text" if token["number"] is None else "number"
            own = classify_label(label)
            if _is_value(token[group], own or kind):
                rule = _NAMED if own or INNER_NAME.fullmatch(label) else _INHERITED
                is_number = group == "number"
                values.append(FoundValue(*token.span(group), own or kind, rule, is_number))
    return values, end


def _find_parameters(text: str, stretches: _Stretches) -> Iterator[FoundValue]:
    for match in search_stretches(_PARAMETER, text, stretches):
        kind = classify_query_label(match["name"])
        if kind and _is_value(match["text"], kind):
            yield FoundValue(*match.span("text"), kind, "parameter of an address")


def _find_lines(text: str, stretches: _Stretches) -> Iterator[FoundValue]:
    for match in search_stretches(_LINE, text, stretches):
        kind = classify_label(match["name"])
        if kind and _is_value(match["text"], kind):
            yield FoundValue(*match.span("text"), kind, "name of a line")


def _find_elements(text: str, stretches: _Stretches) -> Iterator[FoundValue]:
    for element in search_stretches(_ELEMENT, text, stretches):
        values = {
            match["name"].lower(): match.span(str(match.lastgroup))
            for match in _ATTRIBUTE.finditer(text, element.start(), element.end())
        }
        names = [text[slice(*span)] for key, span in values.items() if key in _NAMING_ATTRIBUTES]
        kind = next((kind for name in names if (kind := classify_query_label(name))), None)
        for key in ("value", "content"):
            if kind and key in values and _is_value(text[slice(*values[key])], kind):
                yield FoundValue(*values[key], kind, "form field")


def _find_shapes(text: str, stretches: _Stretches) -> Iterator[FoundValue]:
    drawings: list[tuple[int, int]] | None = None
    for shape in (*SHAPES, *SCENES):
        group = "text" if "text" in shape.pattern.groupindex else 0
        whole = shape.after > LONGEST_VALUE
        for match in shape.find_matches(text, [(0, len(text))] if whole else stretches):
            value = match[group]
            if not shape.condition(value) or not _is_value(value, shape.kind):
                continue
            if shape.rule == PAIR_RULE:
                drawings = _find_drawings(text) if drawings is None else drawings
                if _lies_within(match.start(), drawings):
                    continue
            yield _make_value(match, group, shape.kind, shape.rule)


def _find_drawings(text: str) -> list[tuple[int, int]]:
    starts = (at for name in _DRAWINGS for at in find_all(text, name))
    return [match.span() for at in starts if (match := _DRAWING.match(text, at))]


def _make_value(
    match: re.Match[str], group: str | int, kind: PersonalData, rule: str
) -> FoundValue:
    """Return the value of a group without the blanks around it."""
    text = match[group]
    start = match.start(group) + len(text) - len(text.lstrip())
    return FoundValue(start, start + len(text.strip()), kind, rule)


def _lies_within(at: int, spans: Sequence[tuple[int, int]]) -> bool:
    return any(start <= at < end for start, end in spans)


def _find_places(text: str, stretches: _Stretches) -> Iterator[FoundValue]:
    """Yield the text before words such as "From your IP address" at the foot of a page."""
    for source in search_stretches(_PLACE_AFTER_TAG, text, stretches):
        start = max(0, source.start() - _LONGEST_FOOT)
        nodes = [
            node
            for node in _NODE.finditer(text, start, source.end())
            if _shows_words(node["text"]) and not PLACE_SOURCE.match(node["text"].strip())
        ]
        if nodes and _is_value(nodes[-1]["text"], PersonalData.PLACE):
            yield _make_value(nodes[-1], "text", PersonalData.PLACE, "place at the foot of a page")


def _find_regions(text: str, _stretches: _Stretches) -> Iterator[FoundValue]:
    """Yield texts of elements whose id or class says that they show who is signed in."""
    end = 0
    for opening in _OPENING.finditer(text):
        if opening.start() < end:
            continue
        tag = opening["tag"].lower()
        kind = None if tag in _VOID else _classify_region(opening["inside"])
        if kind is None:
            continue
        end = _find_closing(text, tag, opening.end())
        for node in _NODE.finditer(text, opening.end() - 1, end + 1):
            if _shows_words(node["text"]) and _is_value(node["text"], kind):
                yield _make_value(node, "text", kind, _REGION)


def _shows_words(markup: str) -> bool:
    return any(character.isalnum() for character in unescape(markup))


def _classify_region(inside: str) -> PersonalData | None:
    for naming in _NAMING.finditer(inside):
        if kind := _classify_naming(naming[1] or naming[2] or naming[3] or ""):
            return kind
    return None


@lru_cache(maxsize=4096)
def _classify_naming(words: str) -> PersonalData | None:
    for kind, pattern in REGIONS:
        if any(pattern.fullmatch(word) for word in words.split()):
            return kind
    return None


def _find_closing(text: str, tag: str, start: int) -> int:
    """Return where the element that begins before `start` closes, at most so far away."""
    depth, end = 1, min(len(text), start + _LONGEST_REGION)
    for match in re.compile(rf"<(/?){tag}\b", re.IGNORECASE).finditer(text, start, end):
        depth += -1 if match[1] else 1
        if depth == 0:
            return match.start()
    return min(end, text.find("<", start) if depth == 1 else end)


# --- removing -------------------------------------------------------------------------------------

#: Classes whose values identify a person wherever they stand.
_NOT_LEARNED = frozenset({_WORD, _INHERITED, _REGION})
_LEARNED = frozenset(
    {
        PersonalData.SECRET, PersonalData.COOKIE, PersonalData.ACCOUNT, PersonalData.EMAIL,
        PersonalData.PHONE, PersonalData.NETWORK, PersonalData.COORDINATES, PersonalData.AVATAR,
    }
)  # fmt: skip
_LONGEST_LEARNED, _MOST_LEARNED = 400, 10_000
#: Parts of a cookie that are no value of it.
_COOKIE_FIELDS = frozenset({"path", "expires", "domain", "samesite", "max-age", "priority"})


def _plain_spelling(text: str) -> str:
    """Return a value without escapes, with single blanks."""
    return " ".join(SpelledText(text).levels[-1].split())


def _list_identifying(value: str, kind: PersonalData) -> Iterator[str]:
    """Yield what of a value is to be removed wherever it stands, without hitting common words."""
    if kind is PersonalData.COOKIE:
        for pair in value.split(";"):
            name, _, text = pair.strip().partition("=")
            if name.lower() not in _COOKIE_FIELDS and len(text) >= SHORTEST:
                yield from _list_identifying(text, PersonalData.SECRET)
    if not SHORTEST <= len(value) <= _LONGEST_LEARNED:
        return
    words = value.split()
    if kind is PersonalData.ACCOUNT and len(words) > 1:
        yield from (sign.join(words) for sign in (" ", "+", "-", "_", ".", ""))
        yield f"{words[-1]}, {' '.join(words[:-1])}"
    elif _DISTINCT.get(kind, _is_key)(value):
        yield value


def _is_key(value: str) -> bool:
    return bool(re.search(r"\d", value)) or len(value) >= LONG_KEY


def _has_digits(value: str) -> bool:
    return sum(character.isdigit() for character in value) >= SHORTEST


#: Whether a value of a class is no common word, which would be taken out of results.
_DISTINCT: Mapping[PersonalData, Callable[[str], bool]] = {
    PersonalData.ACCOUNT: lambda value: bool(re.search(r"[\d._@-]", value)),
    PersonalData.EMAIL: lambda value: "@" in value,
    PersonalData.NETWORK: is_client_address,
    PersonalData.COORDINATES: _has_digits,
    PersonalData.PHONE: _has_digits,
}


class Redactor:
    """Removes personal data from the parts of one thing: bodies, headers, addresses, names.

    A name that one part gives away is removed from the others as well: call `learn` with each part
    first. `known` are values that are known to be personal, such as keys.
    """

    def __init__(self, known: Mapping[str, PersonalData] | None = None) -> None:
        self._learned: dict[str, PersonalData] = {}
        self._values: dict[bytes, list[FoundValue]] = {}  # of parts that were learned, by digest
        self._counts: dict[tuple[PersonalData, str, str], int] = {}
        for value, kind in (known or {}).items():
            if len(value.strip()) >= SHORTEST:
                self._learned.setdefault(value.strip(), kind)

    @property
    def removals(self) -> tuple[Removal, ...]:
        """Return what was removed so far, in the order of places."""
        return tuple(
            Removal(kind, rule, place, count)
            for (kind, rule, place), count in sorted(
                self._counts.items(), key=lambda row: (row[0][2], row[0][0], row[0][1])
            )
        )

    def learn(self, content: str | bytes) -> None:
        """Note the values of a part that are to be removed from all parts."""
        text = decode_content(content) if isinstance(content, bytes) else content
        values = find_values(text)
        self._values[_digest(text)] = values
        self._note_values(text, values)

    def _note_values(self, text: str, values: Iterable[FoundValue]) -> None:
        for value in values:
            if value.kind in _LEARNED and value.rule not in _NOT_LEARNED:
                self._note(text[value.start : value.end], value.kind)

    def _note(self, written: str, kind: PersonalData) -> None:
        for spelling in {written.strip(), _plain_spelling(written)}:
            for identifying in _list_identifying(spelling, kind):
                if len(self._learned) < _MOST_LEARNED:
                    self._learned.setdefault(identifying, kind)

    def redact_text(self, text: str, place: str) -> str:
        """Return the text with markers in place of personal data."""
        values = self._values.get(_digest(text))
        if values is None:
            values = find_values(text)
            self._note_values(text, values)
        pieces, position = [], 0
        for value in _merge([*values, *self._find_learned(text)]):
            marker = "null" if value.is_number else value.kind.marker
            pieces += [text[position : value.start], marker]
            position = value.end
            self._count(value.kind, value.rule, place)
        return "".join([*pieces, text[position:]])

    def _find_learned(self, text: str) -> Iterator[FoundValue]:
        spelled, within = _spell_text(text), _find_strings(text)
        for learned, kind in self._learned.items():
            any_case = kind in (PersonalData.ACCOUNT, PersonalData.EMAIL)
            for start, end in spelled.find_spellings(learned, any_case=any_case):
                is_number = within is not None and not within(start, end)
                if not is_number or _WHOLE_NUMBER.search(text[max(0, start - 1) : end + 1]):
                    yield FoundValue(start, end, kind, "the same value elsewhere", is_number)

    def redact_body(self, body: bytes, place: str) -> bytes:
        """Return a body with markers; bytes that are no text stay as they are."""
        text, encoding = _decode(body)
        return self.redact_text(text, place).encode(encoding, "surrogateescape")

    def redact_headers(
        self, headers: Iterable[tuple[str, str]], place: str
    ) -> tuple[tuple[str, str], ...]:
        """Return headers with all names, and the values of those that tell of nobody."""
        return tuple(
            (name, self._redact_header(name, value, f"{place}: {name.lower()}"))
            for name, value in headers
        )

    def _redact_header(self, name: str, value: str, place: str) -> str:
        if PLAIN_HEADERS.fullmatch(name.lower()):
            return self.redact_text(value, place)
        if not value.strip():
            return value
        kind = classify_label(name) or PersonalData.HEADER
        self._note(value, kind)
        self._count(kind, "name of a header", place)
        return kind.marker

    def _count(self, kind: PersonalData, rule: str, place: str) -> None:
        self._counts[kind, rule, place] = self._counts.get((kind, rule, place), 0) + 1


def _digest(text: str) -> bytes:
    return sha256(text.encode("utf-8", "surrogatepass")).digest()


def decode_content(body: bytes) -> str:
    """Return a body as text; bytes that are not UTF-8 are kept as lone surrogates."""
    return _decode(body)[0]


def _decode(body: bytes) -> tuple[str, str]:
    if body[:2] in (b"\xff\xfe", b"\xfe\xff"):
        try:
            return body.decode("utf-16"), "utf-16"
        except UnicodeDecodeError:
            pass
    return body.decode("utf-8", "surrogateescape"), "utf-8"
