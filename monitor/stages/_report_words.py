"""Ranked lists by their words: points and queries of one run in, what belongs together out."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from monitor import registry
from monitor.model import Direction, InvalidInput, Kind, Quantity
from monitor.names import base_name, read_name
from monitor.stages._report_systems import System

Row = dict[str, Any]
Queries = Mapping[int, Sequence[Row]]

#: The slope over titles and snippets; it is computed by GSR and has a name of its own.
SNIPPET = "GSR-snippet"
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


@dataclass(frozen=True, slots=True)
class Named:
    """A measure by its canonical name."""

    name: str
    family: str
    cutoff: int | None
    lexicon: str
    text: str
    bare: str  # the name without the cut-off: what a curve is of
    parameters: Mapping[str, Any] = field(default_factory=dict)


def named(measure: str) -> Named:
    """What a canonical name says; of a name that cannot be read, the family alone."""
    family = base_name(measure)
    try:
        _, parameters = read_name(measure)
    except InvalidInput:
        parameters = {}
    cutoff, lexicon = parameters.get("cutoff"), parameters.get("lexicon", "")
    return Named(
        measure,
        family,
        cutoff if isinstance(cutoff, int) else None,
        lexicon if isinstance(lexicon, str) else ", ".join(map(str, _listed(lexicon))),
        str(parameters.get("text", "")),
        measure if cutoff is None else measure.rpartition("@")[0],
        parameters,
    )


def _listed(value: object) -> Iterable[object]:
    return value if isinstance(value, list | tuple) else [value]


def registered(family: str) -> str:
    """The name that a measure is registered by."""
    return "GSR" if family == SNIPPET else family


def quantity(family: str) -> Quantity | None:
    """The first quantity of a measure; None where this installation does not know it."""
    try:
        return registry.measure(registered(family)).quantities[0]
    except InvalidInput:
        return None


def is_signed(family: str) -> bool:
    """Whether a sign says towards which group."""
    known = quantity(family)
    return known is not None and known.direction is Direction.SIGNED


@dataclass(frozen=True, slots=True)
class Heard:
    """One measure of a system, with its point over all queries and what that is made of."""

    named: Named
    system: System
    point: Row | None
    queries: Sequence[Row] = field(repr=False)

    @property
    def measured(self) -> bool:
        """Whether there is a value."""
        return self.point is not None and self.point["value"] is not None

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
    first: System
    heard: Sequence[Heard] = field(repr=False)
    texts: Mapping[tuple[str, str], str] = field(repr=False)

    @property
    def mark(self) -> str:
        """The letter of its engine and region."""
        return self.first.mark

    @property
    def pair(self) -> str:
        """Language of the questions, and region."""
        return self.first.pair

    @property
    def engine(self) -> str:
        """Label of the engine, as in the database."""
        return self.first.engine

    @property
    def label(self) -> str:
        """Engine and region."""
        return f"{self.first.title}, {self.pair}"

    @property
    def group(self) -> tuple[str, str, str]:
        """Those of one group were asked the same in the same region."""
        return self.list_label, self.first.source_lang, self.first.target

    def of(self, *families: str) -> list[Heard]:
        """Its measures of some families, in the order of these, then of names and cut-offs."""
        found = [one for one in self.heard if one.named.family in families]
        return sorted(
            found,
            key=lambda one: (
                families.index(one.named.family), one.named.bare, one.named.cutoff or 0,
            ),
        )  # fmt: skip

    def main(self, family: str) -> Heard | None:
        """The measure of a family that sentences are about: at or near cut-off 10."""
        return next(iter(self.mains(family)), None)

    def mains(self, family: str) -> list[Heard]:
        """The same for each kind of texts that was read."""
        found: dict[str, Heard] = {}
        near = lambda one: (abs((one.named.cutoff or MAIN) - MAIN), len(one.named.name))  # noqa: E731
        for one in sorted(self.of(family), key=near):
            found.setdefault(one.named.text, one)
        return [found[text] for text in sorted(found)]

    def curves(self) -> list[list[Heard]]:
        """Measures of fairness with several cut-offs, one entry each."""
        found: dict[str, list[Heard]] = {}
        for one in self.of(*FAIRNESS):
            if one.named.cutoff is not None:
                found.setdefault(one.named.bare, []).append(one)
        return [some for some in found.values() if len(some) > 1]

    def question(self, key: str) -> str:
        """What was asked, by its key in the list."""
        return self.texts.get((self.first.list_name, key), key)


def is_words(system: System) -> bool:
    """Whether a system is measured by the words of its ranked lists."""
    return system.kind == Kind.SEARCH and system.family in FAMILIES


def listings(
    systems: Sequence[System],
    labels: Sequence[Row],
    queries: Queries,
    texts: Mapping[tuple[str, str], str],
) -> list[Listing]:
    """The ranked lists of a run: all measures of one system and list together.

    `labels` are the lists of the run, `texts` what their items ask.
    """
    versions = {row["name"]: f"{row['name']}@{row['version']}" for row in labels}
    grouped: dict[tuple[Any, ...], list[System]] = {}
    for system in filter(is_words, systems):
        key = (
            system.list_name, system.source_lang, system.target, not system.control,
            system.engine, system.engine_id,
        )  # fmt: skip
        grouped.setdefault(key, []).append(system)
    return [
        Listing(
            index,
            versions.get(some[0].list_name, some[0].list_name),
            some[0],
            [_heard(system, queries) for system in some],
            texts,
        )
        for index, (_, some) in enumerate(sorted(grouped.items(), key=lambda one: one[0]))
    ]


def _heard(system: System, queries: Queries) -> Heard:
    about = named(system.measure)
    known = quantity(about.family)
    values = system.values()
    point = values.get(known.name) if known else next(iter(values.values()), None)
    return Heard(about, system, point, queries.get(point["point_id"], ()) if point else ())


def beside(systems: Sequence[Listing]) -> list[list[Listing]]:
    """Listings that were asked the same in the same region, together."""
    grouped_listings: dict[tuple[str, str, str], list[Listing]] = {}
    for listing in systems:
        grouped_listings.setdefault(listing.group, []).append(listing)
    return list(grouped_listings.values())


# --- what single queries say --------------------------------------------------------------------


def influential(one: Heard, most: int) -> list[Row]:
    """The queries that move the slope most."""
    known_queries = [row for row in one.queries if row["influence"] is not None]
    return sorted(known_queries, key=lambda row: (-abs(row["influence"]), row["key"]))[:most]


def reasons(one: Heard) -> list[tuple[str, int]]:
    """Why queries have no value: the commonest reasons, with how many there are."""
    found = Counter(row["reason"] or "no reason stored" for row in one.queries
                    if row["value"] is None)  # fmt: skip
    return sorted(found.items(), key=lambda pair: (-pair[1], pair[0]))[:_COMMONEST]


def without_value(one: Heard) -> int:
    """How many queries have none."""
    return sum(row["value"] is None for row in one.queries)


def most_documents(listing: Listing) -> list[Heard]:
    """For each kind of texts the measure that looks at most documents."""
    found: dict[str, Heard] = {}
    for one in listing.of(*READERS):
        if one.fact("documents") is not None:
            best = found.setdefault(one.named.text, one)
            if (one.fact("documents") or 0) > (best.fact("documents") or 0):
                found[one.named.text] = one
    return [found[text] for text in sorted(found)]


def told(listing: Listing) -> Row:
    """Queries asked and answered, and documents that could not be read."""
    points = [one.point for one in listing.of(*READERS) if one.point is not None]
    most = most_documents(listing)
    return {
        "planned": max((p["planned"] for p in points), default=0),
        "answered": max((p["answered"] for p in points), default=0),
        **{
            name: sum(one.fact(fact) or 0 for one in most) if most else None
            for name, fact in (
                ("documents", "documents"),
                ("missing", "documents_missing"),
                ("empty", "documents_empty"),
            )
        },
    }


def agreements(listing: Listing) -> list[Row]:
    """Correlation over queries of NFaiRR and TExFAIR, for each cut-off and kind of texts of both.

    Where one has several sets of parameters, its first in the order of names stands for it.
    """
    found: dict[str, dict[tuple[str, int], Heard]] = {}
    for family in ("NFaiRR", "TExFAIR"):
        known = found.setdefault(family, {})
        for one in listing.of(family):
            if one.named.cutoff is not None:
                known.setdefault((one.named.text, one.named.cutoff), one)
    first, second = found["NFaiRR"], found["TExFAIR"]
    return [_agreement(first[place], second[place]) for place in sorted(first.keys() & second)]


def parities(listing: Listing) -> list[Row]:
    """Correlation over queries of the genderedness of lists with the parity of women and men.

    Fabris et al. (2020), Figure 6. For each slope and direct_gap of one lexicon and cut-off.
    """
    gaps = {_place(one): one for one in reversed(listing.of(GAP))}
    slopes = [one for one in listing.of(*SLOPES) if _place(one) in gaps]
    return [_agreement(slope, gaps[_place(slope)]) for slope in slopes]


def _place(one: Heard) -> tuple[str, str, int | None]:
    return one.named.text, one.named.lexicon, one.named.cutoff


def _agreement(first: Heard, second: Heard) -> Row:
    from monitor.stats.correlation import pearson, spearman  # noqa: PLC0415 - numpy, for these alone

    other = {row["key"]: row["value"] for row in second.queries}
    pairs = [
        (row["value"], other[row["key"]])
        for row in first.queries
        if row["value"] is not None and other.get(row["key"]) is not None
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
