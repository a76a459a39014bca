"""Ranked lists by their words, for a terminal of 80 columns."""

from collections.abc import Iterator, Sequence

from rich import box
from rich.table import Table

from monitor.cli.console import out, say_wrapped
from monitor.stages import _report_words as words
from monitor.stages import _report_words_findings as findings
from monitor.stages._report_text import visible
from monitor.stages._report_words import Heard, Listing

#: Systems that are printed with sentences; of more, the table alone.
_IN_FULL = 2
#: What the heads of columns mean.
_MEANS = {
    "slope": "slope: of list genderedness on query genderedness, with its 95 % interval",
    "NFaiRR": "NFaiRR: 1 is neutral, also without any word for women or men",
    "ARB": "ARB: + towards women",
    words.GAP: "log gap: documents about women over those about men, + towards women",
    "lost": "queries: with an answer / asked; lost: documents missing or empty",
}
_SLOPES = {
    words.SNIPPET: "GSR-snippet: relevance alone makes it positive; only changes and differences "
    "between engines may be claimed",
    "GSR": "GSR: a positive slope is expected from relevance alone",
}


def print_words(found: Sequence[Listing]) -> None:
    """Print one table per list and region, why values are missing, and a few sentences."""
    for some in words.beside(found):
        out.print()
        out.print(
            visible(f"Words of ranked lists: {some[0].list_label}, {some[0].pair}"),
            style="bold", markup=False,
        )  # fmt: skip
        for one in some:
            say_wrapped(f"{one.mark:>2} {one.engine}")
        out.print(_table(some))
        for line in (*_meanings(some), *_notes(some)):
            say_wrapped(line)
        if len(found) <= _IN_FULL:
            for one in some:
                _sentences(one)
    if len(found) > _IN_FULL:
        say_wrapped("Sentences, cut-offs and queries, system by system: monitor report")


def _sentences(listing: Listing) -> None:
    for sentence in findings.sentences(listing, brief=True):
        say_wrapped(f"- {listing.mark}: {sentence}")


def _table(some: Sequence[Listing]) -> Table:
    slopes = _slopes(some)
    chosen = _columns(some)
    grid = Table(box=box.SIMPLE_HEAD, pad_edge=False, padding=(0, 1, 0, 0))
    grid.add_column("")
    heads = ["slope \\[95 %]"] if slopes else []
    heads += [_head(some, family) for family in chosen]
    for head in (*heads, "queries", "lost"):
        grid.add_column(head, justify="right", no_wrap=True)
    for listing in some:
        _rows(grid, listing, slopes, chosen)
    return grid


def _slopes(some: Sequence[Listing]) -> list[str]:
    return list(dict.fromkeys(one.named.name for each in some for one in each.of(*words.SLOPES)))


def _columns(some: Sequence[Listing]) -> list[str]:
    """Families of measures beside the slope; the gap where there is room for it."""
    found = [family for family in words.MAINS if any(each.main(family) for each in some)]
    roomy = len(found) < len(words.MAINS) and any(each.main(words.GAP) for each in some)
    return [*found, words.GAP] if roomy else found


def _head(some: Sequence[Listing], family: str) -> str:
    """`NFaiRR@10`, with the cut-off of the first system that has it."""
    if family == words.GAP:
        return "log gap"
    found = next(one for each in some if (one := each.main(family)))
    cut = found.named.cutoff
    return family if cut is None else f"{family}@{cut}"


def _meanings(some: Sequence[Listing]) -> Iterator[str]:
    slopes = _slopes(some)
    for n, name in enumerate(slopes, 1):
        yield f"slope{f' {n}' if len(slopes) > 1 else ''}: {name}"
    there = {"lost", *_columns(some), *(["slope"] if slopes else [])}
    yield "; ".join(said for name, said in _MEANS.items() if name in there)


def _rows(grid: Table, listing: Listing, slopes: Sequence[str], families: Sequence[str]) -> None:
    """One row a slope: a system under two lexicons has two."""
    of = {one.named.name: one for one in listing.heard}
    told = words.told(listing)
    others = [_cell(listing.main(family)) for family in families]
    lost = (told["missing"] or 0) + (told["empty"] or 0)
    counts = [f"{told['answered']}/{told['planned']}", f"{lost:,.0f}"]
    for n, name in enumerate(slopes or [""], 1):
        numbered = f" {n}" if len(slopes) > 1 else ""
        slope = [_cell(of.get(name), interval=True)] if name else []
        rest = [*others, *counts] if n == 1 else []
        grid.add_row(f"{listing.mark}{numbered}", *slope, *rest)


def _cell(one: Heard | None, *, interval: bool = False) -> str:
    if one is None or one.point is None:
        return "none"
    point = one.point
    if point["value"] is None:
        return str(point["state"]).upper()
    sign = "+" if words.is_signed(one.named.family) else ""
    digits = 3 if interval else 2
    value, low, high = (
        "" if point[end] is None else f"{round(point[end], digits) + 0.0:{sign}.{digits}f}"
        for end in ("value", "low", "high")
    )
    return f"{value} \\[{low}, {high}]" if interval and low and high else value


def _notes(some: Sequence[Listing]) -> Iterator[str]:
    """What must stand beside a slope of snippets, and why values are missing."""
    for family, words_ in _SLOPES.items():
        if any(one.measured for each in some for one in each.of(family)):
            yield words_
    found: dict[str, list[str]] = {}
    for listing in some:
        mains = [one for family in _columns(some) if (one := listing.main(family))]
        for one in (*listing.of(*words.SLOPES), *mains):
            if one.point is not None and not one.measured:
                state = str(one.point["state"]).upper()
                reason = one.point["reason"] or "no reason stored"
                said = f"{one.named.name}: {state}: {reason}"
                found.setdefault(said, []).append(listing.mark)
    for said, marks in found.items():
        yield f"{', '.join(marks)} {said}"
