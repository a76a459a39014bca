"""Find persons who are named in a text that a model wrote: lists, tables, prose.

A name is recognised by where it stands and by what stands around it, never by a list of first
names: a sequence of words with capital letters at the head of an entry, in a column of names,
before dates of life, behind the noun of an occupation, as a subject. Words of
`data/name_words.toml` tell names of places, institutions and works from those of persons. Text is
read and never followed, whatever it says. Reading takes time in proportion to the text.
"""

import re
import unicodedata
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby, pairwise
from typing import NamedTuple

from monitor.model import Block, Item, OverviewState, Reading, make_storable
from monitor.text._name_evidence import (
    Evidence,
    Place,
    ends_with_names,
    has_life,
    has_years,
    is_first_name,
    next_token,
    opens_sentence,
    read_sequence,
    starts_name,
    surname_start,
    weigh_evidence,
)
from monitor.text._name_words import (
    EDGE,
    Kind,
    NameWords,
    Token,
    may_be_person,
    person_nouns,
    read_name,
    read_tokens,
    run_end,
    word_set,
)

_MOST_CONTEXT = 300
_LONGEST_LINE = 20_000  # what stands behind in one line is read as the next line


@dataclass(frozen=True, slots=True)
class NamedPerson:
    """A person whom a text names, once, at the first place.

    `name` is without title ("Marie Curie" of "Dr. Marie Curie", and of "Marie and Pierre Curie");
    `text[start:end]` are the words that name the person there. `listed`: an entry of a list or
    table, not somebody whom an entry or a sentence mentions. `fictional`: the text says so.
    Not `certain`: the words may as well be those of a thing, or of nobody who can be told.
    `context` is what stands behind the name in its line or sentence, at most 300 characters.
    """

    name: str
    start: int
    end: int
    listed: bool = False
    fictional: bool = False
    certain: bool = True
    context: str = ""


# --- lines ----------------------------------------------------------------------------------------

_MARKUP = re.compile(
    r"https?://\S+|\]\([^()\n]*(?:\([^()\n]*\)[^()\n]*)*\)|\[\^?\d{1,3}\]|</?[A-Za-z][^<>\n]{0,200}>"
    r"|\*\*|__|(?<!\*)\*(?![\s*])|(?<![\s*])\*(?!\*)|(?<!\w)_|_(?!\w)|`+|[\[\]{}\\]"
)
#: Works stand in quotation marks or in italics.
_QUOTED = re.compile(
    r"“[^“”\n]{2,120}”|„[^„“”\n]{2,120}[“”]|«[^«»\n]{2,120}»|\"[^\"\n]{2,120}\"|《[^《》\n]{1,60}》"
    r"|(?<![*\w])\*(?![\s*])[^*\n]{2,120}(?<![\s*])\*(?![*\w])"
    r"|(?<![\w_])_(?!_)[^_\n]{2,120}_(?![\w_])"
    r"|(?<!\w)[‘'][^‘’'\n]{2,80}[’'](?!\w)"
)
_ITEM = re.compile(
    r"(?P<indent>[ \t\xa0]*)(?:>\s*)*(?:(?P<number>\(?[#№]?\d{1,5}\s?[.):]|\d{1,3}️?⃣)"
    r"|(?P<letter>(?:[a-z][.)]|[A-Z]\))(?=\s))"
    r"|(?P<bullet>[-*•‣▪◦·●–—+✦➤→]))\s+(?=\S)"
)
_HEADING = re.compile(r"\s{0,3}(#{1,6})\s+")
_BOLD_LINE = re.compile(r"\s*(?:\*\*|__)[^*_\n]+(?:\*\*|__)\s*:?\s*$")


class _Line(NamedTuple):
    start: int
    end: int
    indent: int
    style: str  # number, bullet, letter, heading, row, plain


def _blank(match: re.Match[str]) -> str:
    return EDGE * len(match[0])


def _mask(text: str) -> tuple[str, list[tuple[int, int]]]:
    """Return the text without its markup, of the same length, and the spans of titles of works."""
    works = [match.span() for match in _QUOTED.finditer(text)]
    plain = _MARKUP.sub(_blank, text.replace("\xa0", " ").replace("\u202f", " "))
    return re.sub('[“”„«»"《》]', EDGE, plain), works


def _split_lines(text: str) -> Iterator[_Line]:
    position = 0
    for raw in text.splitlines(keepends=True):
        for offset in range(0, max(len(raw), 1), _LONGEST_LINE):
            piece = raw[offset : offset + _LONGEST_LINE]
            yield _read_line(piece.rstrip("\r\n"), position + offset)
        position += len(raw)


def _read_line(line: str, start: int) -> _Line:
    end = start + len(line)
    if max(line.count("|"), line.count("\t")) > 1:
        return _Line(start, end, 0, "row")
    heading = _HEADING.match(line)
    if heading:
        inner = _ITEM.match(line, heading.end())
        return _Line(start + (inner or heading).end(), end, 0, "heading")
    if _BOLD_LINE.match(line):
        inner = re.match(r"\s*(?:\*\*|__)(?:\(?#?\d{1,5}[.):]\s*)?", line)
        return _Line(start + (inner.end() if inner else 0), end, 0, "heading")
    if item := _ITEM.match(line):
        indent = len(item["indent"].expandtabs(4))
        style = "number" if item["number"] else "letter" if item["letter"] else "bullet"
        return _Line(start + item.end(), end, indent, style)
    return _Line(start, end, len(line) - len(line.lstrip()), "plain")


# --- reading --------------------------------------------------------------------------------------

_SEPARATORS = frozenset(":–—-−(,;|/=→~．。：（、，－")


#: A list of ten thousand names is no answer that people read: more are not looked up.
MOST_NAMED = 100


def list_people(text: str, block: Block = Block.PEOPLE) -> tuple[tuple[Item, ...], str]:
    """Return the people whom a text names as items of a block, and what was left out.

    The entries of its lists and tables, or everybody where it has none. Those of whom the text says
    that they are made up are nobody, and of more than `MOST_NAMED` the first ones are kept. An item
    of whom it is not certain that the words name a person has no title and is looked up nowhere: it
    counts as a person without a label.
    """
    named = find_people(text)
    entries = [person for person in named if person.listed] or named
    real = [person for person in entries if not person.fictional]
    kept = real[:MOST_NAMED]
    items = [_make_item(rank, person, block) for rank, person in enumerate(kept, 1)]
    notes = []
    if len(real) < len(entries):
        notes.append(f"{len(entries) - len(real)} made up, as the text says")
    if len(real) > MOST_NAMED:
        notes.append(f"the first {MOST_NAMED} of {len(real)} people named are kept")
    if n_uncertain := sum(not person.certain for person in kept):
        notes.append(f"{n_uncertain} of {len(kept)} may be no people and are not looked up")
    return tuple(items), "; ".join(notes)


def _make_item(rank: int, person: NamedPerson, block: Block) -> Item:
    if person.certain:
        text, title = person.context, person.name
    else:
        text, title = f"{person.name} {person.context}".rstrip(), ""
    return Item(rank, make_storable(text), block, title=make_storable(title))


def add_overview_people(reading: Reading) -> Reading:
    """Return a reading with the people whom its overviews name, where a text is shown."""
    overviews = [item for item in reading.items if item.block == Block.AI_OVERVIEW]
    texts = [item.text for item in overviews if item.state is OverviewState.SHOWN]
    if not texts:
        return reading
    people, note = list_people("\n\n".join(texts), Block.OVERVIEW_PEOPLE)
    detail = "; ".join(filter(None, (reading.detail, note and f"overview: {note}")))
    return replace(reading, items=(*reading.items, *people), detail=detail)


@dataclass(slots=True)
class _Entry:
    """An entry of a list, a heading, or a line of a block of names."""

    line: _Line
    tokens: list[Token]
    head: NameWords | None
    parent: int = -1
    person: bool = False
    whole: bool = False  # what stands behind the head are names and nothing else


@dataclass(slots=True)
class _Reader:
    """Reads one text; collects names in any order."""

    text: str
    plain: str
    works: list[tuple[int, int]]
    found: list[NamedPerson] = field(default_factory=list)
    made_up: bool = False  # under a heading that says so
    of_works: bool = False  # under a line that announces works, or their kind
    of_titles: bool = False  # under a line that announces several works
    of_things: bool = False  # under a line that announces what are no persons

    def add(
        self, tokens: Sequence[Token], name: NameWords, *, listed: bool, certain: bool = True
    ) -> None:
        first, last = tokens[name.first], tokens[name.last - 1]
        words = name.name or self.text[first.start : last.end]
        if last.kind is Kind.INITIAL:
            words = words.rstrip(".")  # of the sentence: "King James I."
        words = " ".join(re.sub(r"[*_`\[\]]+", " ", words).split())
        context = self.find_context(last.end)
        made_up = (self.made_up and listed) or _is_made_up(tokens, name)
        self.found.append(
            NamedPerson(words, first.start, last.end, listed, made_up, certain, context)
        )

    def words(self, tokens: Sequence[Token], first: int, last: int) -> str:
        """Return the text from one token to another, without the last one."""
        return self.text[tokens[first].start : tokens[last - 1].end]

    def find_context(self, end: int) -> str:
        line = self.text[end : end + 2 * _MOST_CONTEXT].split("\n", 1)[0]
        return " ".join(re.sub(r"[*_`#|]+", " ", line).split())[:_MOST_CONTEXT].lstrip(":–—- ")

    def in_work(self, tokens: Sequence[Token], name: NameWords) -> bool:
        start, end = tokens[name.first].start, tokens[name.last - 1].end
        return any(low <= start and end <= high for low, high in self._works_near(start))

    def _works_near(self, start: int) -> list[tuple[int, int]]:
        at = bisect_right(self.works, (start, len(self.text)))
        return self.works[max(at - 1, 0) : at + 1]


def _is_made_up(tokens: Sequence[Token], name: NameWords) -> bool:
    """Return whether the words beside a name say that the person is made up."""
    fictional, roles = word_set("fictional"), word_set("roles")
    for distance, token in enumerate(reversed(tokens[max(name.first - 6, 0) : name.first])):
        if token.lower in fictional or (token.lower in roles and distance < 3):  # noqa: PLR2004
            return True
        if token.lower in word_set("makers") or token.kind is Kind.MARK:
            break
    return _is_called_made_up(tokens, name)


_FARTHEST_MARK = 16  # words from a name to "(fictional)"


def _is_called_made_up(tokens: Sequence[Token], name: NameWords) -> bool:
    """Return whether that follows directly: "Sherlock Holmes is a fictional detective"."""
    line = tokens[name.last : name.last + _FARTHEST_MARK]
    if any(a.text == "(" and b.lower in word_set("fictional") for a, b in pairwise(line)):
        return True
    for at in range(name.last, min(name.last + 7, len(tokens))):
        token = tokens[at]
        if token.lower in word_set("fictional"):
            return True
        if token.lower in word_set("roles"):
            return at + 1 < len(tokens) and tokens[at + 1].lower in word_set("roles_of")
        small_word = token.lower in word_set("openers") | word_set("copulas") | word_set("demonyms")
        if token.kind in (Kind.MARK, Kind.EDGE) and token.text in "(,:–—-" + EDGE:
            continue
        if not small_word:
            return False
    return False


def find_people(text: str) -> tuple[NamedPerson, ...]:
    """Return the persons whom a text names, each once, in the order of their first places.

    A surname alone is the person who was named in full. People who are named by one word are found
    where the text tells that it is a person: in a list of names, with dates of life, behind the
    noun of an occupation. Persons of whom the text says that they are made up are marked.
    """
    plain, works = _mask(text)
    reader = _Reader(text, plain, works)
    _read_json(reader)
    lines = _split_lines(text)
    for is_row, group in groupby(lines, key=lambda line: line.style == "row"):
        part = list(group)
        if is_row and len(part) > 1:
            _read_table(reader, part)
        else:
            _read_entries(
                reader, [line._replace(style="plain") if is_row else line for line in part]
            )
    return _settle(reader)


def _settle(reader: _Reader) -> tuple[NamedPerson, ...]:
    """Return each person once: a part of a name that stands in full is the same person."""
    ordered = sorted(reader.found, key=lambda person: (person.start, person.end))
    parts: set[str] = set()
    surnames: set[str] = set()
    full: dict[str, NamedPerson] = {}
    for person in ordered:
        words = [word for word in person.name.casefold().split() if word not in word_set("titles")]
        if len(words) > 1:
            parts.update(words)
            surnames.add(words[-1])
    for person in ordered:
        key = person.name.casefold()
        words = key.split()
        titled = len(words) == 2 and words[0].rstrip(".") in word_set("titles")  # noqa: PLR2004
        if (titled and words[1] in surnames) or (
            len(words) == 1 and key in parts and not person.listed
        ):
            continue
        if key in full:
            earlier = full[key]
            full[key] = replace(
                earlier,
                listed=earlier.listed or person.listed,
                fictional=earlier.fictional or person.fictional,
                certain=earlier.certain or person.certain,
            )
        else:
            full[key] = person
    return tuple(full.values())


# --- lists ----------------------------------------------------------------------------------------


def _read_entries(reader: _Reader, lines: Sequence[_Line]) -> None:
    """Read headings, lists and prose in their order."""
    entries = [_make_entry(reader, line) for line in _mark_plain_lists(reader, lines)]
    _find_parents(entries)
    shares = _measure_groups(entries)
    for i in range(len(entries)):
        _read_entry(reader, entries, i, shares)


def _make_entry(reader: _Reader, line: _Line) -> _Entry:
    tokens = read_tokens(reader.plain, line.start, line.end)
    entry = _Entry(line, tokens, None)
    if line.style != "plain":
        entry.head = _read_head(tokens)
        entry.whole = _is_names_only(reader, tokens, _label_end(tokens, entry.head))
    return entry


def _label_end(tokens: Sequence[Token], head: NameWords | None) -> int:
    """Return where the head of an entry ends, or what stands before its first colon or dash."""
    if head:
        return head.last
    near = (i for i, token in enumerate(tokens[:8]) if token.text in ":–—(,")
    return next(near, len(tokens))


def _read_head(tokens: Sequence[Token]) -> NameWords | None:
    """Return the name at the beginning of an entry that a separator follows, or the end."""
    i = 0
    while i < len(tokens) and (tokens[i].kind is Kind.EDGE or _is_picture(tokens[i].text)):
        i += 1
    if i == len(tokens) or tokens[i].kind not in (Kind.NAME, Kind.INITIAL):
        return None
    name = read_name(tokens, i, opens=True)
    if name is None or not may_be_person(tokens, name):
        return None
    if tokens[i].lower in word_set("openers") and name.first > i:
        return None
    after = next_token(tokens, name.last)
    if (
        after is None
        or after.text in _SEPARATORS
        or after.lower in word_set("copulas") | word_set("joined")
    ):
        return name
    return name if after.text == "." else None


def _is_picture(text: str) -> bool:
    return text == "#" or unicodedata.category(text[0]) in ("So", "Mn", "Sk", "Cf")


def _is_names_only(reader: _Reader, tokens: Sequence[Token], i: int) -> bool:
    """Return whether a separator and then only names, years and conjunctions stand from `i` on."""
    while i < len(tokens) and tokens[i].kind is Kind.EDGE:
        i += 1
    if i == len(tokens) or tokens[i].text not in ":–—-":
        return False
    i += 1
    n_full = n = 0
    while i < len(tokens):
        token = tokens[i]
        if token.kind in (Kind.NAME, Kind.INITIAL):
            name = read_name(tokens, i, opens=False)
            if name is None or not may_be_person(tokens, name) or reader.in_work(tokens, name):
                return False
            n += 1
            n_full += name.n_words > 1 or tokens[name.first].lower in word_set("mononyms")
            i = name.last
        elif (
            token.kind in (Kind.NUMBER, Kind.EDGE)
            or token.lower in word_set("joined")
            or token.text in ",;()–-.&/"
        ):
            i += 1
        else:
            return False
    return n > 0 and 2 * n_full >= n


def _mark_plain_lists(reader: _Reader, lines: Sequence[_Line]) -> Iterator[_Line]:
    """Yield the lines; where nearly every one of a block begins with a name they are entries."""
    for is_plain, group in groupby(
        lines, key=lambda line: line.style == "plain" and line.end > line.start
    ):
        block = list(group)
        if is_plain and len(block) > 2:  # noqa: PLR2004
            heads = []
            for line in block:
                tokens = read_tokens(reader.plain, line.start, line.end)
                head = _read_head(tokens)
                good = head and (
                    head.n_words > 1 or tokens[head.first].lower in word_set("mononyms")
                )
                after = next_token(tokens, head.last) if head else None
                sentence = after is not None and (
                    after.lower in word_set("copulas") or after.text in ",."
                )
                good = good or bool(head and _inverted_end(tokens, head))
                heads.append(bool(good) and not (sentence and len(tokens) > 12))  # noqa: PLR2004
            if sum(heads) >= max(2, 0.6 * len(heads)):
                block = [line._replace(style="line") for line in block]
        yield from block


def _find_parents(entries: Sequence[_Entry]) -> None:
    """Say of every entry under which other one it stands."""
    stack: list[int] = []
    heading = -1
    for i, entry in enumerate(entries):
        line = entry.line
        if line.style == "heading":
            stack, heading = [], i
            continue
        if line.style == "plain":
            if line.end > line.start and line.indent == 0:
                heading = -1 if heading >= 0 and entries[heading].head is None else heading
            continue
        while stack and not _is_above(entries[stack[-1]].line, line):
            stack.pop()
        entry.parent = stack[-1] if stack else heading
        stack.append(i)


def _is_above(above: _Line, line: _Line) -> bool:
    if line.indent >= above.indent + 2:
        return True
    same = abs(line.indent - above.indent) < 2  # noqa: PLR2004
    return same and above.style == "number" and line.style == "bullet"


class _Share(NamedTuple):
    """Shares of the entries of one sort: with a full name at their head, and with names behind."""

    full: float
    whole: float
    inverted: float
    made: float  # whose head is a work: "Jaws (1975), directed by"


def _sort_of(entries: Sequence[_Entry], entry: _Entry) -> tuple[str, int, int]:
    under_person = entry.parent >= 0 and entries[entry.parent].head is not None
    return entry.line.style, entry.line.indent // 2, int(under_person)


def _measure_groups(entries: Sequence[_Entry]) -> dict[tuple[str, int, int], _Share]:
    counts: dict[tuple[str, int, int], Counter[str]] = {}
    for entry in entries:
        if entry.line.style == "plain":
            continue
        counter = counts.setdefault(_sort_of(entries, entry), Counter())
        counter["all"] += 1
        counter["whole"] += entry.whole
        counter["made"] += _is_made_by(entry.tokens, _label_end(entry.tokens, entry.head))
        if head := entry.head:
            certain = head.n_words > 1 or entry.tokens[head.first].lower in word_set("mononyms")
            certain = certain or has_years(entry.tokens, head.last)
            certain = certain or len(_read_heads(entry.tokens, head)) > 1
            counter["full"] += certain
            counter["inverted"] += _inverted_end(entry.tokens, head) > 0
    return {
        sort: _Share(*(c[name] / c["all"] for name in ("full", "whole", "inverted", "made")))
        for sort, c in counts.items()
    }


def _is_made_by(tokens: Sequence[Token], i: int) -> bool:
    """Return whether "by" and a name stand behind a head, with a year or a participle between."""
    small = 0
    for at in range(i, min(i + 8, len(tokens) - 1)):
        token = tokens[at]
        if token.lower in word_set("players"):
            return False  # a character
        if token.lower in word_set("by"):
            return starts_name(tokens, at + 1)
        small += token.kind is Kind.LOW
        if token.kind is Kind.NAME or small > 1 or token.text == ".":
            return False
    return False


def _inverted_end(tokens: Sequence[Token], head: NameWords) -> int:
    """Return the end of "Curie, Marie" at a head; 0 if it is none."""
    at = head.last
    if head.n_words > 2 or at + 1 >= len(tokens) or tokens[at].text != ",":  # noqa: PLR2004
        return 0
    if tokens[at + 1].kind not in (Kind.NAME, Kind.INITIAL):
        return 0
    given = read_name(tokens, at + 1, opens=False)
    if given is None or given.first != at + 1 or not may_be_person(tokens, given):
        return 0
    after = next_token(tokens, given.last)
    return given.last if after is None or after.text in _SEPARATORS - {","} else 0


def _read_entry(
    reader: _Reader, entries: Sequence[_Entry], i: int, shares: dict[tuple[str, int, int], _Share]
) -> None:
    entry = entries[i]
    line, tokens, head = entry.line, entry.tokens, entry.head
    if line.style == "heading" or (line.style == "plain" and _ends_with_colon(tokens)):
        lowers = {token.lower for token in tokens}
        reader.made_up = _is_of_fiction(tokens)
        of_persons = not lowers.isdisjoint(word_set("person_nouns"))
        reader.of_works = not (of_persons or lowers.isdisjoint(word_set("works")))
        reader.of_titles = reader.of_works and not lowers.isdisjoint(word_set("work_lists"))
        of_persons = of_persons or not lowers.isdisjoint(word_set("others"))  # "Other countries"
        reader.of_things = not (of_persons or lowers.isdisjoint(word_set("things")))
    detail = entry.parent >= 0 and entries[entry.parent].person
    share = shares.get(_sort_of(entries, entry), _Share(0, 0, 0, 0))
    only_names = entry.whole and share.whole >= 0.3  # noqa: PLR2004
    if line.style == "plain" or detail or head is None:
        listed = not detail and line.style not in ("plain", "heading")
        if listed:
            _read_other_scripts(reader, line)
        fragment = line.style != "plain"
        _read_prose(reader, tokens, 0, listed=listed, fragment=fragment, given=only_names)
        return
    if share.inverted >= 0.6 and (end := _inverted_end(tokens, head)):  # noqa: PLR2004
        given = reader.words(tokens, head.last + 1, end)
        name = f"{given} {reader.words(tokens, head.first, head.last)}"
        whole = NameWords(head.first, end, 2, strong=True, name=name)
        entry.person = True
        reader.add(tokens, whole, listed=True)
        _read_prose(reader, tokens, end, listed=False, fragment=True)
        return
    certain = _is_person_head(reader, tokens, head, share, line.style)
    if not certain and not _may_be_head(reader, tokens, head, share, line.style):
        _read_prose(reader, tokens, 0, listed=True, fragment=True, given=only_names)
        return
    entry.person = True
    end = _add_heads(reader, tokens, head, certain=certain)
    _read_prose(reader, tokens, end, listed=False, fragment=True)


def _is_of_fiction(tokens: Sequence[Token]) -> bool:
    """Return whether a line announces people who are made up, and no real ones beside them."""
    lowers = {token.lower for token in tokens}
    if "real" in lowers or "real-life" in lowers:
        return False
    return not lowers.isdisjoint(word_set("fictional")) or any(
        a.lower in ("from", "in") and b.lower == "fiction" for a, b in pairwise(tokens)
    )


def _ends_with_colon(tokens: Sequence[Token]) -> bool:
    return bool(tokens) and any(token.text in ":：" for token in tokens[-2:])


def _is_person_head(
    reader: _Reader, tokens: Sequence[Token], head: NameWords, share: _Share, style: str
) -> bool:
    """Return whether the head of an entry names a person, by its words and the other entries."""
    lower = tokens[head.first].lower
    if share.whole >= 0.5 and (share.full < 0.6 or reader.of_works):  # noqa: PLR2004
        return False  # fields or works, and then persons
    if share.made >= 0.5 or (reader.of_titles and not has_life(tokens, head.last)):  # noqa: PLR2004
        return False
    if reader.in_work(tokens, head) or (reader.of_things and not has_years(tokens, head.last)):
        return False
    if lower in word_set("labels") or lower in word_set("other_headers"):
        return False
    if head.n_words > 1 or head.strong:
        return share.full >= 0.3 or head.strong  # noqa: PLR2004
    if lower in word_set("mononyms") or has_years(tokens, head.last):
        return True
    if lower in word_set("places") or lower in person_nouns() or style == "heading":
        return False
    after = next_token(tokens, head.last)
    return share.full >= 0.3 and (after is None or after.text != ":")  # noqa: PLR2004


def _may_be_head(
    reader: _Reader, tokens: Sequence[Token], head: NameWords, share: _Share, style: str
) -> bool:
    """Return whether a head may be a person among others: "Prince" in a list of singers."""
    after = next_token(tokens, head.last)
    return (
        style != "heading"
        and (head.n_words == 1 or reader.of_titles)
        and share.full >= 0.5  # noqa: PLR2004
        and max(share.whole, share.made) < 0.5  # noqa: PLR2004
        and not reader.of_things
        and not reader.in_work(tokens, head)
        and tokens[head.first].lower not in word_set("labels") | word_set("other_headers")
        and (after is None or after.text != ":")
    )


def _add_heads(
    reader: _Reader, tokens: Sequence[Token], head: NameWords, *, certain: bool = True
) -> int:
    """Add the head of an entry, with those who are joined to it; returns where they end."""
    names = _read_heads(tokens, head)
    for name in _share_surname(reader, tokens, names):
        reader.add(tokens, name, listed=True, certain=certain)
    return names[-1].last


def _read_heads(tokens: Sequence[Token], head: NameWords) -> list[NameWords]:
    """Return the head of an entry and the names that are joined to it: "A and B", "A / B"."""
    names = [head]
    end = head.last
    while end + 1 < len(tokens):
        at = end
        while at < len(tokens) and tokens[at].kind is Kind.EDGE:
            at += 1
        if at + 1 >= len(tokens) or not (
            tokens[at].lower in word_set("joined") or tokens[at].text in "&/"
        ):
            break
        name = read_name(tokens, at + 1, opens=False) if starts_name(tokens, at + 1) else None
        if name is None or not may_be_person(tokens, name):
            break
        names.append(name)
        end = name.last
    return names if len(names) > 1 else _read_enumeration(tokens, head)


def _read_enumeration(tokens: Sequence[Token], head: NameWords) -> list[NameWords]:
    """Return the names of "A, B and C" at a head, all of them full ones; else the head alone."""
    names, end = read_sequence(tokens, head)
    joined = any(token.lower in word_set("joined") or token.text == "&" for token in tokens[:end])
    full = all(name.n_words > 1 and may_be_person(tokens, name) for name in names)
    after = next_token(tokens, end)
    closed = after is None or after.text in _SEPARATORS - {","}
    return names if len(names) > 2 and joined and full and closed else [head]  # noqa: PLR2004


def _share_surname(
    reader: _Reader, tokens: Sequence[Token], names: Sequence[NameWords]
) -> list[NameWords]:
    """Give the surname of the last of several names to first names before it.

    "Marie and Pierre Curie", "Charlotte, Emily and Anne Brontë"; not where one of them is known by
    one word.
    """
    shared = list(names)
    for at in range(1, len(names)):
        last, between = names[at], tokens[names[at - 1].last : names[at].first]
        joined = any(token.lower in word_set("joined") or token.text == "&" for token in between)
        if not joined or last.n_words < 2:  # noqa: PLR2004
            continue
        start = at
        while start and is_first_name(tokens, names[start - 1]):
            start -= 1
        before = tokens[names[start].first - 1].lower if names[start].first else ""
        comma = any(token.text == "," for token in between)
        within = start > 0 or (names[0].first > 0 and tokens[names[0].first - 1].text in ",;)")
        lone = comma if at - start < 2 else within  # noqa: PLR2004 - names of artists in a list
        if start == at or lone or before in word_set("before_places") | word_set("of"):
            continue
        unsure = before in word_set("such_as") | word_set("copulas") | word_set("before_persons")
        if at - start > 1 and before not in ("", ".") and before not in person_nouns():
            unsure = True  # "in fiction: Merlin, Gandalf and Harry Potter"
        surname = reader.words(tokens, surname_start(tokens, last), last.last)
        for i in range(start, at):
            name = f"{reader.words(tokens, names[i].first, names[i].last)} {surname}"
            shared[i] = replace(names[i], name=name, n_words=2, unsure=unsure)
    return shared


def _name_siblings(
    reader: _Reader, tokens: Sequence[Token], names: list[NameWords]
) -> list[NameWords]:
    """Give their surname to siblings: "The Brontë sisters, Charlotte, Emily and Anne"."""
    start = names[0].first
    before = [t for t in tokens[max(start - 4, 0) : start] if t.kind is not Kind.EDGE]
    if len(before) < 3 or before[-1].text not in ",:(–—" or len(names) < 2:  # noqa: PLR2004
        return names
    family, kin = before[-3:-1]
    if kin.lower not in word_set("siblings") or family.kind is not Kind.NAME:
        return names
    if any(name.n_words > 1 for name in names):
        return names
    wholes = [f"{reader.words(tokens, name.first, name.last)} {family.text}" for name in names]
    return [
        replace(name, name=whole, n_words=2, strong=True)
        for name, whole in zip(names, wholes, strict=True)
    ]


#: Scripts without capital letters: a name is what stands at the head of an entry.
_CASELESS = re.compile(
    r"[\u0590-\u08ff\u0900-\u0dff\u0e00-\u0eff\u10a0-\u10ff\u1200-\u137f\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]"
)
_CASELESS_HEAD = re.compile(r"[^\x1f:：(（,，、;–—|-]+")
_CHINESE = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")


def _read_other_scripts(reader: _Reader, line: _Line) -> None:
    """Add the head of an entry in a script without capital letters."""
    part = reader.plain[line.start : line.end]
    start = len(part) - len(part.lstrip(" \x1f"))
    head = _CASELESS_HEAD.match(part, start)
    if head is None or not _CASELESS.match(head[0]):
        return
    name = head[0].strip()
    longest = 6 if _CHINESE.match(name) and "·" not in name else 40
    if len(name) <= longest and len(name.split()) <= 5:  # noqa: PLR2004
        start += line.start + len(head[0]) - len(head[0].lstrip())
        end = start + len(name)
        context = reader.find_context(end)
        reader.found.append(NamedPerson(name, start, end, True, reader.made_up, context=context))


#: A name in JSON: behind a key, or in a list of texts.
_JSON_NAME = re.compile(
    r"(?:\"([^\W\d_]+)\"\s*:|(?:^|(?<=[\[,]))\s*(?=\"))\s*\"([^\"\n]{2,80})\"(?=\s*[,\]}])",
    re.MULTILINE,
)


def _read_json(reader: _Reader) -> None:
    """Add the names in JSON: what stands under a key of names, and lists of texts."""
    if not re.search(r"[\[{]\s*\"", reader.text):
        return
    keys = word_set("name_headers") | person_nouns()
    for match in _JSON_NAME.finditer(reader.text):
        if match[1] and match[1].casefold() not in keys:
            continue
        tokens = read_tokens(reader.plain, *match.span(2))
        if head := _read_head(tokens):
            reader.add(tokens, head, listed=True)


# --- tables ---------------------------------------------------------------------------------------


def _read_table(reader: _Reader, lines: Sequence[_Line]) -> None:
    """Read a table: the columns of names as entries, the other cells as what is said of them."""
    rows = [_split_cells(reader.plain, line) for line in lines]
    ruled = [i for i, row in enumerate(rows) if all(_is_rule(reader.plain[a:b]) for a, b in row)]
    header = ruled[0] - 1 if ruled and ruled[0] > 0 else (-1 if ruled else 0)
    labels = [reader.plain[a:b].casefold() for a, b in rows[header]] if header >= 0 else []
    body = [row for i, row in enumerate(rows) if i not in ruled and i != header]
    if not ruled and not _names_columns(labels):
        body = rows
    columns = _choose_columns(reader, body, labels)
    for row in body:
        for column, (start, end) in enumerate(row):
            tokens = read_tokens(reader.plain, start, end)
            head = _read_head(tokens) if column in columns else None
            if column in columns and _CASELESS.search(reader.plain, start, end):
                _read_other_scripts(reader, _Line(start, end, 0, "row"))
            if head:
                after = _add_heads(reader, tokens, head)
                _read_prose(reader, tokens, after, listed=True, fragment=True)
            else:
                _read_prose(reader, tokens, 0, listed=column in columns, fragment=True)


def _split_cells(plain: str, line: _Line) -> list[tuple[int, int]]:
    part = plain[line.start : line.end]
    sign = "|" if "|" in part else "\t"
    cells, position = [], line.start
    for cell in part.split(sign):
        cells.append((position, position + len(cell)))
        position += len(cell) + 1
    if sign == "|" and part.lstrip().startswith("|"):
        cells = cells[1:]
    return cells[:-1] if sign == "|" and part.rstrip().endswith("|") else cells


def _is_rule(cell: str) -> bool:
    return not cell.strip(" :-=+\t\x1f")


def _names_columns(labels: Sequence[str]) -> list[int]:
    wanted = word_set("name_headers") | person_nouns()
    refused = word_set("other_headers")
    return [
        i
        for i, label in enumerate(labels)
        if (words := re.findall(r"[^\W\d_]+", label))
        and set(words) & wanted
        and not set(words[:1]) & refused
    ]


def _choose_columns(
    reader: _Reader, body: Sequence[Sequence[tuple[int, int]]], labels: Sequence[str]
) -> set[int]:
    """Return the columns of names: those that are called so, else the first full of names."""
    named = _names_columns(labels)
    refused = {
        i
        for i, label in enumerate(labels)
        if set(re.findall(r"[^\W\d_]+", label)) & word_set("other_headers")
    }
    best = []
    for column in range(max(map(len, body), default=0)):
        cells = [row[column] for row in body if column < len(row)]
        fitting = 0
        for start, end in cells:
            tokens = read_tokens(reader.plain, start, end)
            head = _read_head(tokens)
            known = head and (head.n_words > 1 or tokens[head.first].lower in word_set("mononyms"))
            fitting += bool(known) and not reader.in_work(tokens, head)  # type: ignore[arg-type]
        if cells and 2 * fitting >= len(cells):
            best.append(column)
    if chosen := [column for column in named if column in best] or named[:1]:
        return set(chosen)
    return set([column for column in best if column not in refused][:1])


_BESIDE = 8  # names before and behind one in a sequence that say what it is


# --- prose ----------------------------------------------------------------------------------------


def _read_prose(
    reader: _Reader,
    tokens: Sequence[Token],
    i: int,
    *,
    listed: bool,
    fragment: bool,
    given: bool = False,
) -> None:
    """Read names in sentences, or in what is said of somebody in an entry.

    `given`: nothing but names stands behind the head of the entry.
    """
    start = i
    while i < len(tokens):
        if not starts_name(tokens, i):
            i += 1
            continue
        opens = opens_sentence(tokens, i, start)
        name = read_name(tokens, i, opens=opens)
        if name is None:
            i = max(run_end(tokens, i), i + 1)
            continue
        names, end = read_sequence(tokens, name)
        names = _name_siblings(reader, tokens, _share_surname(reader, tokens, names))
        at_start = not any(
            t.kind in (Kind.NAME, Kind.INITIAL, Kind.LOW) for t in tokens[start : names[0].first]
        )
        weighed = []
        for at, one in enumerate(names):
            if not may_be_person(tokens, one) or reader.in_work(tokens, one):
                continue
            beside = (*names[max(at - _BESIDE, 0) : at], *names[at + 1 : at + 1 + _BESIDE])
            led = given and not at_start
            place = Place(tokens, one, names, beside, start, fragment, listed, led)
            if evidence := weigh_evidence(place):
                weighed.append((one, evidence))
        joined = len(weighed) == len(names) and ends_with_names(tokens, names[-1].last)
        for one, evidence in weighed:
            certain = evidence is Evidence.SURE and not one.unsure
            reader.add(tokens, one, listed=listed and (at_start or joined), certain=certain)
        i = max(end, i + 1)
