"""Holds values of ranked lists against those that were computed elsewhere from the same lists.

A file of NFaiRR has results.tau.TAU.background.BACKGROUND.NFaiRR, one of TExFAIR has target_half;
both map cut-offs to queries.
"""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from monitor.model import InvalidInput
from monitor.studies._rankings_given import json_object, nfairr
from monitor.studies.found import Against, Check

#: {query: value, None where the measure has none} by cut-off.
Values = Mapping[int, Mapping[str, float | None]]

TEXFAIR, PLAIN = "TExFAIR", "TExFAIR(rbdf=False)"
#: Name in the reference of each background.
_BACKGROUNDS = {"list": "own_list", "collection": "whole_collection"}
_COLUMNS = {TEXFAIR: "TExFAIR", PLAIN: "TExFAIR_plain"}
#: What the reference says of itself: two implementations in float64 and in exact numbers, which
#: agree to 1e-12. TExFAIR adds up shares of words, whose order moves the last digits.
_WITHIN = {TEXFAIR: 1e-10, PLAIN: 1e-10}
_EXACT = 1e-12
_NEEDED = "values of NFaiRR under results, or of TExFAIR under target_half, are needed"


def read(files: Sequence[Path], given: Mapping[str, Any]) -> dict[str, Values]:
    """{name of a measure: its values} of all files. Raises InvalidInput."""
    found: dict[str, Values] = {}
    for path in files:
        held = json_object(path, _NEEDED)
        try:
            found |= _of(held, given)
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise InvalidInput(f"{path}: {_NEEDED}; wrong or missing: {error}") from error
    return found


def _of(held: Mapping[str, Any], given: Mapping[str, Any]) -> dict[str, Values]:
    if "target_half" in held:
        rows = held["target_half"]
        return {
            name: {
                int(cut): {query: row[column] for query, row in by_query.items()}
                for cut, by_query in rows.items()
            }
            for name, column in _COLUMNS.items()
        }
    of_tau = held["results"]["tau"].get(str(given["tau"]), {"background": {}})
    background = of_tau["background"].get(_BACKGROUNDS.get(given["background"], ""))
    if background is None:
        return {}
    return {nfairr(given): {int(cut): row for cut, row in background["NFaiRR"].items()}}


def checks(
    ours: Mapping[str, Mapping[int, Any]], published: Mapping[str, Values]
) -> Iterator[Check]:
    """Each cut-off of both: means of the same queries, and the query that is furthest off."""
    for name, by_cut in published.items():
        tolerance = _WITHIN.get(name, _EXACT)
        for cut, theirs in sorted(by_cut.items()):
            if cut not in ours.get(name, {}):
                continue
            values = ours[name][cut].per_query
            shared = [query for query in values if query in theirs]
            both = [
                (values[query], theirs[query])
                for query in shared
                if values[query] is not None and theirs[query] is not None
            ]
            where = f"reference values, {len(both)} queries"
            title = f"{name}@{cut}"
            yield Check(
                f"{title}: queries without a value",
                f"reference values, {len(shared)} queries",
                float(sum(values[query] is None for query in shared)),
                float(sum(theirs[query] is None for query in shared)),
                0.0,
                against=Against.ELSEWHERE,
            )
            if not both:
                continue
            one, other = zip(*both, strict=True)
            mean, expected = sum(one) / len(one), sum(other) / len(other)
            furthest = max(abs(a - b) for a, b in both)
            for what, mine, reference in (
                ("mean", mean, expected),
                ("largest difference of a query", furthest, 0.0),
            ):
                yield Check(
                    f"{title}: {what}", where, mine, reference, tolerance, against=Against.ELSEWHERE
                )
