"""Puts the words of ranked lists into sentences. Each names its points, so that it can be checked.

Nothing here calls a value good, bad or just. A slope over documents is positive from relevance
alone; over titles and snippets only its changes, and differences between systems, are claimed.
"""

from collections.abc import Iterator
from typing import Any

from monitor.stages._report_text import (
    chances,
    estimate,
    number,
    percent,
    point_ids,
    say_missing,
    span,
)
from monitor.stages._report_words import (
    COUNTERFACTUAL,
    EFFECTIVENESS,
    LANDING,
    MAINS,
    READERS,
    SLOPES,
    SNIPPET,
    Heard,
    Listing,
    agreements,
    most_documents,
    parities,
)

Row = dict[str, Any]

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


def sentences(listing: Listing) -> list[str]:
    """Return what the lists of one system show, or why nothing can be said."""
    held = withheld(listing)
    if held:
        return [f"No value stands, because of the whole run: {held}."]
    said = [sentence for one in listing.of(*SLOPES) for sentence in slope(one)]
    said += [*what_slopes_say(listing), *_earlier(listing), *_parity(listing)]
    said += [*fairness(listing), *_further(listing)]
    return [*said, missing(listing)]


def withheld(listing: Listing) -> str:
    """Why nothing at all has a value, as where pages came from another country."""
    points = [point for one in listing.heard for point in one.system.points]
    why = {point["reason"] for point in points}
    one = len(why) == 1 and all(point["value"] is None for point in points)
    return str(next(iter(why))) if one else ""


def first(cutoff: int | None) -> str:
    """`the first 10 documents`, or all of them."""
    return "all documents" if cutoff is None else f"the first {cutoff} documents"


def of_texts(one: Heard) -> str:
    """What the words are those of."""
    if one.named.family == SNIPPET:
        return "titles and snippets"
    return "pages behind the results" if one.named.text == LANDING else "documents"


# --- slopes -------------------------------------------------------------------------------------


def slope(one: Heard) -> list[str]:
    """The slope under one lexicon, what chance makes of it, and what it changed."""
    lexicon = f" with the lexicon {one.named.lexicon}" if one.named.lexicon else ""
    what = f"{one.named.family}{lexicon}"
    if one.point is None or not one.measured:
        return [say_missing(one.point, what)]
    point, se = one.point, one.fact("slope_se")
    error = f", standard error {number(se)}" if se is not None else ""
    where = f" ({of_texts(one)}, {first(one.named.cutoff)})"
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
    """What must stand beside every slope: what it cannot say."""
    measured = [one for one in listing.of(*SLOPES) if one.measured]
    if any(one.named.family == SNIPPET for one in measured):
        yield _SNIPPETS
    if any(one.named.family != SNIPPET for one in measured):
        yield _RELEVANCE


def _parity(listing: Listing) -> Iterator[str]:
    """Whether lists that sound feminine are those that speak of women."""
    for row in parities(listing):
        if row["pearson"] is not None:
            yield (
                f"Over {row['n']} queries the genderedness of lists and the parity of women and "
                f"men in their documents correlate with r = {number(row['pearson'], 2)} "
                f"({row['first']} and {row['second']})."
            )


def _earlier(listing: Listing) -> Iterator[str]:
    points = [one.other("gsr_change") for one in listing.of(*SLOPES) if one.measured]
    if points and all(point and point["reason"] == NO_EARLIER for point in points):
        yield "There is no earlier tick of this job to compare with."


# --- group terms --------------------------------------------------------------------------------


def fairness(listing: Listing) -> Iterator[str]:
    """The main measures by group terms, and whether two of them say the same."""
    says = {"NFaiRR": _neutral, "TExFAIR": _near, "ARB": _towards}
    for family in MAINS:
        for main in listing.mains(family):
            if main.point is None or not main.measured:
                yield say_missing(main.point, main.named.name)
            else:
                yield f"{_value(main)}{says[family](main)}"
    cuts = {(main.named.text, main.named.cutoff) for main in listing.mains("NFaiRR")}
    for row in agreements(listing):
        if (row["text"], row["cut"]) in cuts:
            yield agreement(row)


def _value(one: Heard) -> str:
    point = one.point or {}
    signed = one.named.family == "ARB"
    return (
        f"{one.named.name} = {estimate(point, sign=signed)} over {point['used']} of "
        f"{point['planned']} queries ({point_ids(point)}). "
    )


def _neutral(one: Heard) -> str:
    share, rbdf = one.fact("without_terms"), one.fact("rbdf")
    said = "1 is neutral."
    if share:
        said += (
            f" Of {percent(share)} of the queries no document has a word for women or men: such a "
            "list is neutral because it says nothing about either."
        )
    if rbdf is not None:
        said += f" RBDF, the discounted share of documents with such a word, is {number(rbdf)}."
    return said


def _near(one: Heard) -> str:
    other = one.fact("texfair_without_rbdf")
    said = "The highest value says that words for women and men are exposed at their target shares"
    if other is None:
        return f"{said}."
    return f"{said}, or that hardly any is; without RBDF it is {number(other)}."


def _towards(one: Heard) -> str:
    point = one.point or {}
    low, high = point["low"], point["high"]
    if low is None or high is None or low <= 0 <= high:
        return "Its interval contains 0, where words for women and men are equally many."
    more, less = ("women", "men") if point["value"] > 0 else ("men", "women")
    return f"There are more words for {more} than for {less}."


def agreement(row: Row) -> str:
    """Whether NFaiRR and TExFAIR say the same of the same queries."""
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
    for one in listing.of(*COUNTERFACTUAL, *EFFECTIVENESS):
        if one.point is None or not one.measured:
            yield say_missing(one.point, one.named.name)
        elif one.named.family in COUNTERFACTUAL:
            yield (
                f"{one.named.name} = {estimate(one.point)} ({point_ids(one.point)}): how alike the "
                "ranking is to the one over documents with women and men swapped; 1 is the same."
            )
    judged = [one for one in listing.of(*EFFECTIVENESS) if one.measured]
    if judged:
        values = (f"{one.named.name} = {number((one.point or {})['value'])}" for one in judged)
        yield f"By relevance judgements: {', '.join(values)}."


# --- what is missing ----------------------------------------------------------------------------


def missing(listing: Listing) -> str:
    """How many queries and documents could not be used, of the measures with most documents."""
    most = most_documents(listing)
    if not most:
        return "Nothing is known of what documents hold."
    parts = [_documents(one) for one in most]
    told = listing.of(*READERS)
    widest = max((one.point for one in told if one.point), key=lambda p: int(p["planned"]))
    unanswered = widest["planned"] - widest["answered"]
    if unanswered:
        parts.append(
            f"{unanswered:,} of {widest['planned']:,} queries have no usable answer: they could "
            "have any value, which widens bounds and intervals."
        )
    left_out = max(one.fact("queries_gendered") or 0 for one in told)
    if left_out:
        parts.append(
            "Queries that are about women or men by themselves are left out of the measures by "
            f"group terms: {left_out:,.0f}."
        )
    return " ".join(parts)


def _documents(one: Heard) -> str:
    lost, empty = (one.fact(f"documents_{name}") or 0 for name in ("missing", "empty"))
    documents = f"{one.fact('documents'):,.0f} documents ({one.named.name})"
    if not lost and not empty:
        return f"All {documents} have a text."
    return (
        f"Of {documents} {lost:,.0f} have no text that could be read and {empty:,.0f} are empty: "
        "they count as unknown and widen bounds and intervals."
    )
