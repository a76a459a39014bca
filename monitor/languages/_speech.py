"""Quotations with and without marks, in every language read by agreement.

Tokens in, positions out: what the writer says, and one list per stretch that somebody is quoted
with. Quoted is what stands in quotation marks; without them what follows "she said:", and the
other side of a dash from "— she said". The clause that reports belongs to neither: its verb is not
the writer's.
"""

from collections.abc import Callable, Iterable, Sequence

#: Invisible characters and combining marks that a word may hold.
MARK = "\u0300-\u036f\u200b-\u200f\u2060\ufeff\u00ad"
_ENTITIES = "&quot;", "&#34;", "&laquo;", "&raquo;"
_DOUBLED = "''", "’’", "‘‘", "``"
#: Punctuation and quotation marks, a part of every token pattern. A dash counts after a blank only,
#: an apostrophe not inside a word.
SIGNS = (
    r"[,.!?…;:()\[\]/–—\n]|(?<!\S)-(?=[\s\w])|"
    + "|".join((*_ENTITIES, *_DOUBLED))
    + r"|[\"“”„«»‚‹›「」『』]|(?<!\w)['‘’]|['‘’](?!\w)"
)

#: Each opening mark and the marks that may close it.
_CLOSING = {
    "“": "”", "„": '“ ” "', "«": "»", "‘": "’", '"': '" “ ”', "'": "'", "»": "«", "”": "”",
    "’": "’", "‚": "‘ ’", "‹": "›", "›": "‹", "「": "」", "『": "』", "''": "''", "’’": "’’",
    "‘‘": "’’", "``": "'' ``", "&quot;": "&quot;", "&#34;": "&#34;", "&laquo;": "&raquo;",
    "&raquo;": "&laquo;",
}  # fmt: skip
CLOSING = {opening: frozenset(marks.split()) for opening, marks in _CLOSING.items()}
QUOTES = frozenset(CLOSING) | frozenset("」』")
DASHES = frozenset("–—-")
_STOPS = frozenset(".!?…\n")
_ENDS = _STOPS | DASHES | QUOTES | frozenset(",;:()[]")
_NEAR = 10  # words of a clause that reports
_BRIEF = 2  # and of one that does so without any mark: "— said she"

#: Whether the words at these positions report what somebody else said.
Reports = Callable[[Sequence[int]], bool]


def outside_and_inside(
    surfaces: Sequence[str], reports: Reports
) -> tuple[list[int], list[list[int]]]:
    """Positions of the writer's own words, and one list of positions per quotation."""
    outside, inside = _by_marks(surfaces)
    outside, announced = _after_colons(outside, surfaces, reports)
    outside, reported = _beside_dashes(outside, surfaces, reports)
    return outside, sorted(inside + announced + reported)


def _by_marks(surfaces: Sequence[str]) -> tuple[list[int], list[list[int]]]:
    """Return what quotation marks part.

    A mark that is never closed quotes all that follows it. The opening mark stays outside: it
    ends a clause like any other punctuation.
    """
    outside: list[int] = []
    inside: list[list[int]] = []
    closing: frozenset[str] = frozenset()
    for position, surface in enumerate(surfaces):
        if surface not in QUOTES:
            (inside[-1] if closing else outside).append(position)
        elif closing:
            closing = frozenset() if surface in closing else closing
        else:
            closing = CLOSING.get(surface, frozenset({surface}))
            inside.append([])
            outside.append(position)
    return outside, inside


def _after_colons(
    positions: list[int], surfaces: Sequence[str], reports: Reports
) -> tuple[list[int], list[list[int]]]:
    """Return what "she said:" announces, up to the end of the sentence."""
    remaining: list[int] = []
    quoted: list[list[int]] = []
    n = 0
    while n < len(positions):
        head = _clause_before(remaining, surfaces) if surfaces[positions[n]] == ":" else []
        if not head or not reports(head):
            remaining.append(positions[n])
            n += 1
            continue
        del remaining[-len(head) :]
        remaining.append(positions[n])
        n += 1
        while n < len(positions) and surfaces[positions[n]] in DASHES | {"\n"}:
            n += 1
        start = n
        if n < len(positions) and surfaces[positions[n]] not in QUOTES:
            n = _until(_STOPS, positions, surfaces, n)
            quoted.append(positions[start:n])
    return remaining, quoted


def _beside_dashes(
    positions: list[int], surfaces: Sequence[str], reports: Reports
) -> tuple[list[int], list[list[int]]]:
    """Return what a dash parts from "— she said", in dialogue or where marks were dropped."""
    remaining: list[int] = []
    quoted: list[list[int]] = []
    line_start = 0
    while line_start < len(positions):
        end = min(_until({"\n"}, positions, surfaces, line_start) + 1, len(positions))
        line = positions[line_start:end]
        line_start = end
        own, reported = _line(line, surfaces, reports)
        remaining += own
        quoted += reported
    return remaining, quoted


def _line(
    line: list[int], surfaces: Sequence[str], reports: Reports
) -> tuple[list[int], list[list[int]]]:
    opened = surfaces[line[0]] in DASHES
    pieces = _pieces(line, surfaces, reports if opened else None)
    heads = [_clause_after(piece, surfaces) for piece in pieces]
    telling = [
        n > 0
        and bool(head)
        and reports(head)
        and (opened or (len(head) <= _BRIEF and reports(head[:1])))
        for n, head in enumerate(heads)
    ]
    if not any(telling):
        return line, []
    first = telling.index(True)
    own: list[int] = []
    quoted: list[list[int]] = []
    for n, piece in enumerate(pieces):
        if telling[n]:
            own += [piece[0], *piece[_report_end(piece, heads[n], surfaces) :]]
        elif opened or n > first:
            quoted.append(piece)
        else:
            start = _last_sentence(piece, surfaces) if n == first - 1 else len(piece)
            own += piece[:start]
            quoted.append(piece[start:])
    return own, quoted


def _report_end(piece: list[int], head: list[int], surfaces: Sequence[str]) -> int:
    """Return where the clause that reports ends; after a dash, at the next comma."""
    end = piece.index(head[-1]) + 1
    if surfaces[piece[0]] in DASHES and end < len(piece) and surfaces[piece[end]] == ",":
        return end
    return _until(_STOPS, piece, surfaces, 1)


def _pieces(line: list[int], surfaces: Sequence[str], reports: Reports | None) -> list[list[int]]:
    """A line cut before each dash, and with `reports` before each ", said ..."."""
    pieces: list[list[int]] = [[]]
    for index, position in enumerate(line):
        sign = surfaces[position]
        if index and (
            sign in DASHES or (sign == "," and reports and reports(line[index + 1 : index + 2]))
        ):
            pieces.append([])
        pieces[-1].append(position)
    return pieces


def _last_sentence(piece: list[int], surfaces: Sequence[str]) -> int:
    """Return where the last sentence starts; where the piece ends if that is in quotation marks."""
    end = len(piece)
    if surfaces[piece[-1]] in QUOTES or (
        surfaces[piece[-1]] in _ENDS and end > 1 and surfaces[piece[-2]] in QUOTES
    ):
        return end
    start = end - 1
    while start > 0 and surfaces[piece[start - 1]] not in _STOPS | QUOTES:
        start -= 1
    return start


def _clause_before(positions: list[int], surfaces: Sequence[str]) -> list[int]:
    """The words at the end of `positions`, back to punctuation."""
    start = len(positions)
    while start and len(positions) - start < _NEAR and surfaces[positions[start - 1]] not in _ENDS:
        start -= 1
    return positions[start:]


def _clause_after(piece: list[int], surfaces: Sequence[str]) -> list[int]:
    """The words after the dash, up to punctuation."""
    start = 0
    while start < len(piece) and surfaces[piece[start]] in _ENDS:
        start += 1
    return piece[start : min(start + _NEAR, _until(_ENDS, piece, surfaces, start))]


def _until(
    ends: frozenset[str] | set[str], positions: list[int], surfaces: Sequence[str], n: int
) -> int:
    """The first place from `n` on that holds one of `ends`."""
    while n < len(positions) and surfaces[positions[n]] not in ends:
        n += 1
    return n


def reports_another(
    tags: Sequence[int], at: Iterable[int], opening: int, saying: int, mine: int
) -> bool:
    """Return whether the words at these positions report what somebody else says.

    The clause with a word of `saying` counts, up to the next `opening`; one of `mine` in it makes
    it the speaker's.
    """
    union = 0
    for i in at:
        if tags[i] & opening:
            if union & saying:
                break
            union = 0
        union |= tags[i]
    return bool(union & saying and not union & mine)
