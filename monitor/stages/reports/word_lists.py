"""Ranked lists by their words: values of a run, and sentences about them.

Nothing here calls a value good, bad or just. A slope over documents is positive from relevance
alone; over titles and snippets only its changes, and differences between systems, are claimed.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from monitor import registry
from monitor.model import Direction, InvalidInput, Kind, Quantity
from monitor.names import SNIPPET, ParsedName, find_registered_name, parse_name
from monitor.stages.document.notation import (
    chances,
    estimate,
    find_side,
    is_measured,
    number,
    percent,
    point_ids,
    say_missing,
    span,
)
from monitor.stages.reports.run_systems import MeasuredSystem, find_common_reason
from monitor.store.rows import group_rows

# --- values ---------------------------------------------------------------------------------------

Row = dict[str, Any]
Queries = Mapping[int, Sequence[Row]]

SLOPES = ("GSR", SNIPPET)
FAIRNESS = ("NFaiRR", "TExFAIR", "TED", "AWRF", "ARB", "FaiRR")
#: Those that sentences and tables of several systems are about.
MAINS = ("NFaiRR", "TExFAIR", "ARB")
COUNTERFACTUAL = ("CRBO",)
EFFECTIVENESS = ("AP", "P", "nDCG", "RR")
GAP, AGREEMENT = "direct_gap", "lexicon_agreement"
FAMILIES = (*SLOPES, GAP, AGREEMENT, *FAIRNESS, *COUNTERFACTUAL, *EFFECTIVENESS)
#: Measures that read the texts of documents; the others look at ranks and judgements alone.
READERS = (*SLOPES, GAP, *FAIRNESS)
#: The cut-off that sentences are about, where it was measured.
MAIN = 10
#: Reasons for queries without a value that are printed for one measure.
_COMMONEST = 3
LANDING = "landing"
_TEXTS = {
    LANDING: "pages behind the results",
    "answer": "answers of a model",
    "overview": "AI overviews",
}


def find_quantity(family: str) -> Quantity | None:
    """The first quantity of a measure; None where this installation does not know it."""
    try:
        return registry.measure(find_registered_name(family)).quantities[0]
    except InvalidInput:
        return None


@dataclass(frozen=True, slots=True)
class Heard:
    """One measure of a system, with its point over all queries and what that is made of."""

    named: ParsedName
    system: MeasuredSystem
    point: Row | None
    queries: Sequence[Row] = field(repr=False)

    @property
    def title(self) -> str:
        """Title of the first quantity of the measure, where this installation knows it."""
        quantity = find_quantity(self.named.family)
        return quantity.title if quantity else ""

    @property
    def signed(self) -> bool:
        """Return whether the sign of a value says towards which group."""
        quantity = find_quantity(self.named.family)
        return quantity is not None and quantity.direction is Direction.SIGNED

    def fact(self, name: str) -> float | None:
        """A further number of the point."""
        return self.point["facts"].get(name) if self.point else None

    def other(self, quantity_: str) -> Row | None:
        """Another quantity over all queries."""
        return self.system.values().get(quantity_)


@dataclass(frozen=True, slots=True)
class Listing:
    """The ranked lists of one engine in one region, for one list of queries."""

    place: int
    list_label: str
    first: MeasuredSystem
    heard: Sequence[Heard] = field(repr=False)
    texts: Mapping[tuple[str, str], str] = field(repr=False)

    @property
    def label(self) -> str:
        """Engine and region."""
        return f"{self.first.title}, {self.first.pair}"

    @property
    def group(self) -> tuple[str, str, str]:
        """Those of one group were asked the same in the same region."""
        return self.list_label, self.first.source_lang, self.first.target

    def of(self, *families: str) -> list[Heard]:
        """Its measures of some families, in the order of these, then of names and cut-offs."""
        result = [reading for reading in self.heard if reading.named.family in families]
        return sorted(
            result,
            key=lambda item: (
                families.index(item.named.family), item.named.bare, item.named.cutoff or 0,
            ),
        )  # fmt: skip

    def mains(self, family: str) -> list[Heard]:
        """The measures near cut-off 10 that sentences are about, one for each kind of texts."""
        near = sorted(
            self.of(family),
            key=lambda item: (abs((item.named.cutoff or MAIN) - MAIN), len(item.named.name)),
        )
        by_text = group_rows(near, lambda item: item.named.text)
        return [first for _, (first, *_) in sorted(by_text.items())]

    def curves(self) -> list[list[Heard]]:
        """Measures of fairness with several cut-offs, one entry each."""
        cut = [reading for reading in self.of(*FAIRNESS) if reading.named.cutoff is not None]
        by_name = group_rows(cut, lambda reading: reading.named.bare)
        return [readings for readings in by_name.values() if len(readings) > 1]

    def question(self, key: str) -> str:
        """Return what was asked, by its key in the list."""
        return self.texts.get((self.first.list_name, key), key)


def is_words(system: MeasuredSystem) -> bool:
    """Return whether a system is measured by the words of its ranked lists."""
    return system.kind == Kind.SEARCH and system.family in FAMILIES


def group_listings(
    systems: Sequence[MeasuredSystem],
    labels: Sequence[Row],
    queries: Queries,
    texts: Mapping[tuple[str, str], str],
) -> list[Listing]:
    """The ranked lists of a run: all measures of one system and list together.

    `labels` are the lists of the run, `texts` what their items ask.
    """
    versions = {row["name"]: f"{row['name']}@{row['version']}" for row in labels}
    grouped = group_rows(filter(is_words, systems), lambda system: (
        system.list_name, system.source_lang, system.target, not system.control, system.engine,
        system.engine_id,
    ))  # fmt: skip
    return [
        Listing(
            index,
            versions.get(group[0].list_name, group[0].list_name),
            group[0],
            [_heard(system, queries) for system in group],
            texts,
        )
        for index, (_, group) in enumerate(sorted(grouped.items(), key=lambda entry: entry[0]))
    ]


def _heard(system: MeasuredSystem, queries: Queries) -> Heard:
    about = parse_name(system.measure)
    this_quantity = find_quantity(about.family)
    values = system.values()
    point = values.get(this_quantity.name) if this_quantity else next(iter(values.values()), None)
    return Heard(about, system, point, queries.get(point["point_id"], ()) if point else ())


def group_comparable(systems: Sequence[Listing]) -> list[list[Listing]]:
    """Listings that were asked the same in the same region, together."""
    return list(group_rows(systems, lambda listing: listing.group).values())


# --- what single queries say --------------------------------------------------------------------


def select_influential(one: Heard, most: int) -> list[Row]:
    """The queries that move the slope most."""
    known_queries = [row for row in one.queries if row["influence"] is not None]
    return sorted(known_queries, key=lambda row: (-abs(row["influence"]), row["key"]))[:most]


def count_reasons(one: Heard) -> list[tuple[str, int]]:
    """Return why queries have no value: the commonest reasons, with how many there are."""
    result = Counter(row["reason"] or "no reason stored" for row in one.queries
                    if row["value"] is None)  # fmt: skip
    return sorted(result.items(), key=lambda pair: (-pair[1], pair[0]))[:_COMMONEST]


def without_value(one: Heard) -> int:
    """Return how many queries have none."""
    return sum(row["value"] is None for row in one.queries)


def most_documents(listing: Listing) -> list[Heard]:
    """For each kind of texts the measure that looks at most documents."""
    readings = [r for r in listing.of(*READERS) if r.fact("documents") is not None]
    by_text = group_rows(readings, lambda reading: reading.named.text)
    return [
        max(group, key=lambda reading: reading.fact("documents") or 0)
        for _, group in sorted(by_text.items())
    ]


def list_agreements(listing: Listing) -> list[Row]:
    """Correlation over queries of NFaiRR and TExFAIR, for each cut-off and kind of texts of both.

    Where one has several sets of parameters, its first in the order of names stands for it.
    """
    first, second = (
        {
            (reading.named.text, reading.named.cutoff): reading
            for reading in reversed(listing.of(family))
            if reading.named.cutoff is not None
        }
        for family in ("NFaiRR", "TExFAIR")
    )
    return [
        _describe_agreement(first[place], second[place]) for place in sorted(first.keys() & second)
    ]


def list_parities(listing: Listing) -> list[Row]:
    """Correlation over queries of the genderedness of lists with the parity of women and men.

    Fabris et al. (2020), Figure 6. For each slope and direct_gap of one lexicon and cut-off.
    """
    gaps = {_make_place(reading): reading for reading in reversed(listing.of(GAP))}
    slopes = [reading for reading in listing.of(*SLOPES) if _make_place(reading) in gaps]
    return [_describe_agreement(slope, gaps[_make_place(slope)]) for slope in slopes]


def _make_place(one: Heard) -> tuple[str, str, int | None]:
    return one.named.text, one.named.lexicon, one.named.cutoff


def _describe_agreement(first: Heard, second: Heard) -> Row:
    from monitor.stats.correlation import pearson, spearman  # noqa: PLC0415 - numpy, for these alone

    other_name = {row["key"]: row["value"] for row in second.queries}
    pairs = [
        (row["value"], other_name[row["key"]])
        for row in first.queries
        if row["value"] is not None and other_name.get(row["key"]) is not None
    ]
    x, y = [a for a, _ in pairs], [b for _, b in pairs]
    return {
        "cut": first.named.cutoff,
        "text": first.named.text,
        "first": first.named.name,
        "second": second.named.name,
        "pearson": pearson(x, y),
        "spearman": spearman(x, y),
        "n": len(pairs),
    }


# --- sentences ------------------------------------------------------------------------------------

NO_EARLIER, NO_BASELINE = "no earlier tick", "no baseline is named"
_SNIPPETS = (
    "Titles and snippets stand here without judgements of what is relevant. Relevance alone makes "
    "such a slope positive, so this value by itself says nothing about the engine: only its "
    "changes, and differences to other engines, do."
)
_RELEVANCE = (
    "A positive slope is expected from relevance alone: documents that answer a question about a "
    "gendered topic use the words of that topic."
)


def write_sentences(listing: Listing) -> list[str]:
    """Return what the lists of one system show, or why nothing can be said."""
    held = say_withheld(listing)
    if held:
        return [f"No value stands, because of the whole run: {held}."]
    all_sentences = [sentence for reading in listing.of(*SLOPES) for sentence in say_slope(reading)]
    all_sentences += [*what_slopes_say(listing), *_earlier(listing), *_list_parity(listing)]
    all_sentences += [*say_fairness(listing), *_further(listing)]
    return [*all_sentences, say_missing_queries(listing)]


def say_withheld(listing: Listing) -> str:
    """Return why nothing at all has a value, as where pages came from another country."""
    return find_common_reason(reading.system for reading in listing.heard)


# --- slopes -------------------------------------------------------------------------------------


def say_slope(one: Heard) -> list[str]:
    """The slope under one lexicon, what chance makes of it, and what it changed."""
    lexicon = f" with the lexicon {one.named.lexicon}" if one.named.lexicon else ""
    what = f"{one.named.family}{lexicon}"
    if not is_measured(one.point):
        return [say_missing(one.point, what)]
    point, se = one.point, one.fact("slope_se")
    error = f", standard error {number(se)}" if se is not None else ""
    texts = _TEXTS.get(one.named.text or "", "documents")
    if one.named.family == SNIPPET:
        texts = "titles and snippets"
    cutoff = one.named.cutoff
    first = "all documents" if cutoff is None else f"the first {cutoff} documents"
    where = f" ({texts}, {first})"
    words = (
        f"{what}{where}: slope {estimate(point, sign=True)}{error}, over {point['used']} of "
        f"{point['planned']} queries ({point_ids(point)})."
    )
    parts = [words, _null(one), _relevant(one)]
    return [" ".join(part for part in parts if part), *_changed(one), *_relative(one)]


def _null(one: Heard) -> str:
    low, high, p = one.fact("null_low"), one.fact("null_high"), one.fact("p")
    value = one.point["value"] if one.point else None
    if low is None or high is None or p is None or value is None:
        return ""
    where = "inside" if low <= value <= high else "outside"
    return (
        f"Lists given to queries at random have slopes of {span(low, high, sign=True)} (95 % of "
        f"permutations, p {_p(p)}): it lies {where} that range."
    )


def _p(value: float) -> str:
    return chances(value) if value < 0.001 else f"= {number(value)}"  # noqa: PLR2004 says "< 0.001"


def _relevant(one: Heard) -> str:
    value, se, n = (one.fact(f"relevant_{name}") for name in ("slope", "slope_se", "queries"))
    if value is None:
        return ""
    error = f", standard error {number(se)}" if se is not None else ""
    over = f", {n:g} queries" if n is not None else ""
    return (
        f"The relevant documents themselves have the slope {number(value, sign=True)}{error}{over}."
    )


def _changed(one: Heard) -> Iterator[str]:
    point = one.other("gsr_change")
    if point is None or point["reason"] == NO_EARLIER:
        return
    if point["value"] is None:
        yield say_missing(point, "Change of the slope since the tick before")
        return
    p = point["facts"].get("p")
    tested = f", p {_p(p)} by sign flips" if p is not None else ""
    yield (
        f"Since the tick before, on the {point['facts'].get('n_panel', 0):g} queries usable at "
        f"both, the slope changed by {estimate(point, sign=True)}{tested} ({point_ids(point)})."
    )


def _relative(one: Heard) -> Iterator[str]:
    point = one.other("relative_gsr")
    if point is None or point["reason"] in (NO_BASELINE, NO_EARLIER):
        return
    if point["value"] is None:
        yield say_missing(point, "Relative to the baseline")
    else:
        base = point["facts"].get("base_slope")
        against = f", whose slope is {number(base, sign=True)}" if base is not None else ""
        yield (
            f"Relative to the baseline{against}: {estimate(point, sign=True)}, where 0 is the same "
            f"slope ({point_ids(point)})."
        )


def what_slopes_say(listing: Listing) -> Iterator[str]:
    """Yield what must stand beside every slope: what it cannot say."""
    measured = [reading for reading in listing.of(*SLOPES) if is_measured(reading.point)]
    if any(item.named.family == SNIPPET for item in measured):
        yield _SNIPPETS
    if any(item.named.family != SNIPPET for item in measured):
        yield _RELEVANCE


def _list_parity(listing: Listing) -> Iterator[str]:
    """Yield whether lists that sound feminine are those that speak of women."""
    for row in list_parities(listing):
        if row["pearson"] is not None:
            yield (
                f"Over {row['n']} queries the genderedness of lists and the parity of women and "
                f"men in their documents correlate with r = {number(row['pearson'], 2)} "
                f"({row['first']} and {row['second']})."
            )


def _earlier(listing: Listing) -> Iterator[str]:
    points = [
        reading.other("gsr_change") for reading in listing.of(*SLOPES) if is_measured(reading.point)
    ]
    if points and all(point and point["reason"] == NO_EARLIER for point in points):
        yield "There is no earlier tick of this job to compare with."


# --- group terms --------------------------------------------------------------------------------


def say_fairness(listing: Listing) -> Iterator[str]:
    """The main measures by group terms, and whether two of them say the same."""
    says = {"NFaiRR": _neutral, "TExFAIR": _near, "ARB": _towards}
    for family in MAINS:
        for main in listing.mains(family):
            if not is_measured(main.point):
                yield say_missing(main.point, main.named.name)
            else:
                yield f"{_say_value(main)}{says[family](main)}"
    cuts = {(main.named.text, main.named.cutoff) for main in listing.mains("NFaiRR")}
    for row in list_agreements(listing):
        if (row["text"], row["cut"]) in cuts:
            yield say_agreement(row)


def _say_value(one: Heard) -> str:
    point = one.point or {}
    signed = one.named.family == "ARB"
    return (
        f"{one.named.name} = {estimate(point, sign=signed)} over {point['used']} of "
        f"{point['planned']} queries ({point_ids(point)}). "
    )


def _neutral(one: Heard) -> str:
    share, rbdf = one.fact("without_terms"), one.fact("rbdf")
    text = "1 is neutral."
    if share:
        text += (
            f" Of {percent(share)} of the queries no document has a word for women or men: such a "
            "list is neutral because it says nothing about either."
        )
    if rbdf is not None:
        text += f" RBDF, the discounted share of documents with such a word, is {number(rbdf)}."
    return text


def _near(one: Heard) -> str:
    fact = one.fact("texfair_without_rbdf")
    text = "The highest value says that words for women and men are exposed at their target shares"
    if fact is None:
        return f"{text}."
    return f"{text}, or that hardly any is; without RBDF it is {number(fact)}."


def _towards(one: Heard) -> str:
    side = find_side(one.point) if one.point else 0
    if not side:
        return "Its interval contains 0, where words for women and men are equally many."
    more, less = ("women", "men")[::side]
    return f"There are more words for {more} than for {less}."


def say_agreement(row: Row) -> str:
    """Return whether NFaiRR and TExFAIR say the same of the same queries."""
    if row["pearson"] is None or row["spearman"] is None:
        return (
            f"{row['first']} and {row['second']} have no correlation over queries: {row['n']} have "
            "both, or one of them never varies."
        )
    return (
        f"Over {row['n']} queries {row['first']} and {row['second']} correlate with "
        f"r = {number(row['pearson'], 2)} (Pearson) and {number(row['spearman'], 2)} (Spearman)."
    )


def _further(listing: Listing) -> Iterator[str]:
    for reading in listing.of(*COUNTERFACTUAL, *EFFECTIVENESS):
        if not is_measured(reading.point):
            yield say_missing(reading.point, reading.named.name)
        elif reading.named.family in COUNTERFACTUAL:
            yield (
                f"{reading.named.name} = {estimate(reading.point)} ({point_ids(reading.point)}): "
                "how alike the ranking is to the one over documents with women and men "
                "swapped; 1 is the same."
            )
    judged = [reading for reading in listing.of(*EFFECTIVENESS) if is_measured(reading.point)]
    if judged:
        values = (f"{item.named.name} = {number((item.point or {})['value'])}" for item in judged)
        yield f"By relevance judgements: {', '.join(values)}."


# --- what is missing ----------------------------------------------------------------------------


def say_missing_queries(listing: Listing) -> str:
    """How many queries and documents could not be used, of the measures with most documents."""
    most = most_documents(listing)
    if not most:
        return "Nothing is known of what documents hold."
    parts = [_say_documents(reading) for reading in most]
    readings = listing.of(*READERS)
    widest = max(
        (entry.point for entry in readings if entry.point), key=lambda p: int(p["planned"])
    )
    unanswered = widest["planned"] - widest["answered"]
    if unanswered:
        parts.append(
            f"{unanswered:,} of {widest['planned']:,} queries have no usable answer: they could "
            "have any value, which widens bounds and intervals."
        )
    left_out = max(left_out.fact("queries_gendered") or 0 for left_out in readings)
    if left_out:
        parts.append(
            "Queries that are about women or men by themselves are left out of the measures by "
            f"group terms: {left_out:,.0f}."
        )
    return " ".join(parts)


def _say_documents(one: Heard) -> str:
    lost, empty = (one.fact(f"documents_{name}") or 0 for name in ("missing", "empty"))
    documents = f"{one.fact('documents'):,.0f} documents ({one.named.name})"
    if not lost and not empty:
        return f"All {documents} have a text."
    return (
        f"Of {documents} {lost:,.0f} have no text that could be read and {empty:,.0f} are empty: "
        "they count as unknown and widen bounds and intervals."
    )
