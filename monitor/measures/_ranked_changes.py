"""Changes in ranked lists: the questions whose answer changed, and what single pages add."""

from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from monitor.measures._paired import Panel, Parts, Possible
from monitor.model import Document, Floats, Ints, Unit
from monitor.ranked.inputs import PairedInput, RankedInput, first_occurrences

Flags = NDArray[np.bool_]


#: Stands for a page that is taken out of a list. No document has this key and nothing is known of
#: it, so that measures treat it as one that could not be read.
_TAKEN_OUT = "\0"
#: Pages of a query whose own parts are computed, those on the best ranks first.
_MOST = 50
#: A part below this is rounding.
_ROUNDING = 1e-12


@dataclass(frozen=True, slots=True)
class ListAnswer:
    """The answer to a question, its repeats together.

    `orders` is how often each list of documents came, of all answered repeats; `words` the texts
    that were read of each document, empty where words have no part in the measure.
    """

    orders: Mapping[Hashable, Fraction]
    words: Mapping[str, frozenset[str]]


def shares_of(lists: Sequence[Hashable]) -> dict[Hashable, Fraction]:
    """Return the share that each distinct list has among the lists."""
    return {item: Fraction(n, len(lists)) for item, n in Counter(lists).items()}


def read_answer(unit: Unit, depth: int | None, *, words: bool) -> ListAnswer:
    """The documents of a question as far as the cut-off, in their order."""
    lists = [
        first_occurrences(document)[:depth] for document in unit.documents if document is not None
    ]
    return ListAnswer(
        shares_of([tuple(listed.key for listed in documents) for documents in lists]),
        group_texts([listed for documents in lists for listed in documents]) if words else {},
    )


def group_texts(documents: Sequence[Document]) -> dict[str, frozenset[str]]:
    texts_of = defaultdict[str, set[str]](set)
    for document in documents:
        if document.text is not None:
            texts_of[document.key].add(document.text)
    return {key: frozenset(document_texts) for key, document_texts in texts_of.items()}


@dataclass(frozen=True, slots=True, eq=False)
class ChangedQueries:
    """(Q,) flags of queries with another answer: other documents, another order, or other words.

    A text that could not be read on one of the two sides is missing, and no other words.
    """

    lists: Flags
    anything: Flags


def find_changed(
    before: Mapping[str, ListAnswer], after: Mapping[str, ListAnswer], planned: Sequence[str]
) -> ChangedQueries:
    """Return which queries changed; False for queries that were answered on one side alone."""
    lists, words = (np.zeros(len(planned), np.bool_) for _ in range(2))
    for row, key in enumerate(planned):
        if key in before and key in after:
            earlier, later = before[key], after[key]
            lists[row] = earlier.orders != later.orders
            words[row] = any(
                earlier.words[k] != later.words[k] for k in earlier.words.keys() & later.words
            )
    return ChangedQueries(lists, lists | words)


def moved_units(
    before: Sequence[Unit],
    after: Sequence[Unit],
    planned: Sequence[str],
    depth: int | None,
    *,
    words: bool = True,
) -> ChangedQueries:
    """Return which queries changed, from their units before and after."""
    sides = (
        {u.key: read_answer(u, depth, words=words) for u in units} for units in (before, after)
    )
    return find_changed(next(sides), next(sides), planned)


def panel_of(
    before: Floats,
    after: Floats,
    moved: ChangedQueries,
    cluster: Ints,
    possible: Possible | None = None,
) -> Panel:
    """Return the panel of values of queries, NaN where there is none; arrays are (Q,)."""
    lists = (("lists_changed", moved.lists),)
    return Panel.of(before, after, cluster, possible, moved.anything, lists)


def with_pages(
    panel: Panel,
    given: PairedInput,
    values: Callable[[RankedInput], Floats],
    depth: int | None,
    *,
    words: bool = True,
) -> Panel:
    """Return a panel with what pages add, as `page_parts` has it."""
    sides = panel.before, panel.after
    parts = page_parts(given, sides, panel.difference, panel.clusters, values, depth, words=words)
    return replace(panel, parts=parts)


def page_parts(
    given: PairedInput,
    sides: tuple[Floats, Floats],
    difference: Floats,
    cluster: Ints,
    values: Callable[[RankedInput], Floats],
    depth: int | None,
    *,
    words: bool = True,
) -> Parts | None:
    """Divide the changes of Q queries among pages; None where no page moved in several queries.

    `sides` are the values before and after (Q,), NaN where there is none, `difference` (Q,) their
    change and `cluster` (Q,) numbers of the queries' own clusters. `values` computes the values of
    other lists of the same queries, as far as `depth` ranks; `words` says whether texts matter.

    A page moves where it comes, goes, changes its rank or its words. Its own part is how much more
    the value after changes than the value before when the page is taken out of the list. What the
    own parts leave of a query's change is divided equally among its pages that moved in several
    queries: what takes a place that was left has come with what left it.
    """
    comparable = np.isfinite(sides[0]) & np.isfinite(sides[1])
    moved = find_moved_pages(given, comparable, depth, words=words)
    count = Counter(page for pages in moved for page in pages)
    number = {
        page: index for index, page in enumerate(sorted(p for p, n in count.items() if n > 1))
    }
    if not number:
        return None
    shared_pages = [[page for page in pages if page in number][:_MOST] for pages in moved]
    raw = _own_parts(given, sides, shared_pages, values)
    parts: list[tuple[int, int, float]] = []
    for row in np.flatnonzero(comparable).tolist():
        pages, change = shared_pages[row], float(difference[row])
        if not pages:
            parts.append((row, len(number) + int(cluster[row]), change))
            continue
        rest = (change - float(raw[row, : len(pages)].sum())) / len(pages)
        parts += [
            (row, number[page], float(raw[row, index]) + rest) for index, page in enumerate(pages)
        ]
    rows, numbers, terms = zip(*parts, strict=True)
    return Parts(
        np.array(rows, np.int64), np.array(numbers, np.int64), np.array(terms), len(number)
    )


def find_moved_pages(
    given: PairedInput, kept: Flags, depth: int | None, *, words: bool
) -> list[list[str]]:
    """Return by planned query the pages that moved, best ranks first; none where it is not kept."""
    before, after = (
        page_positions(side, depth, words=words) for side in (given.before, given.after)
    )
    moved: list[list[str]] = []
    for key, is_kept in zip(given.after.planned, kept.tolist(), strict=True):
        then, now = before.get(key, {}), after.get(key, {})
        pages = [p for p in {**then, **now} if then.get(p) != now.get(p)] if is_kept else []
        best = {p: min(rank for side in (then, now) for rank, _ in side.get(p, {})) for p in pages}
        moved.append(sorted(pages, key=lambda page: (best[page], page)))
    return moved


def page_positions(
    side: RankedInput, depth: int | None, *, words: bool
) -> Mapping[str, dict[str, dict[tuple[int, str], float]]]:
    """Return {query: {page: {(rank, document): share of the query's lists}}}."""
    lists = side.lists.cut(depth)
    planned = Counter(lists.queries)
    places: dict[str, dict[str, dict[tuple[int, str], float]]] = defaultdict(dict)
    for query, numbers in zip(lists.queries, lists.table.tolist(), strict=True):
        for rank, number in enumerate(numbers):
            if number < 0:
                break
            document = lists.documents[number]
            page = side.addresses.get(document, document)
            position = rank, document if words else page
            shares = places[query].setdefault(page, {})
            shares[position] = shares.get(position, 0.0) + 1 / planned[query]
    return places


def _own_parts(
    given: PairedInput,
    sides: tuple[Floats, Floats],
    own: Sequence[Sequence[str]],
    values: Callable[[RankedInput], Floats],
) -> Floats:
    """Return (Q, most pages of a query) own parts; 0 where a list has no value without the page."""
    planned = given.after.planned
    parts = np.zeros((len(own), max(map(len, own))))
    for index in range(parts.shape[1]):
        gone = {
            key: pages[index] for key, pages in zip(planned, own, strict=True) if len(pages) > index
        }
        then, now = (values(without_page(side, gone)) for side in (given.before, given.after))
        rows = (
            np.array([len(pages) > index for pages in own]) & np.isfinite(then) & np.isfinite(now)
        )
        added = (sides[1] - now)[rows] - (sides[0] - then)[rows]
        parts[rows, index] = np.where(np.abs(added) > _ROUNDING, added, 0.0)
    return parts


def without_page(side: RankedInput, gone: Mapping[str, str]) -> RankedInput:
    """Return the same lists with one page of each query taken out; its rank stays empty."""
    lists = side.lists
    number: dict[str, int] = {}
    pages = [side.addresses.get(document, document) for document in lists.documents]
    page_of = np.array([number.setdefault(page, len(number)) for page in pages], np.int64)
    page_numbers = np.array(
        [number.get(gone.get(query, ""), -2) for query in lists.queries], np.int64
    )
    if not len(page_of):
        return side
    inside = (lists.table >= 0) & (page_of[lists.table] == page_numbers[:, None])
    table = np.where(inside, len(lists.documents), lists.table)
    return replace(
        side, lists=replace(lists, documents=(*lists.documents, _TAKEN_OUT), table=table)
    )
