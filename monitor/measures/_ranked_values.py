"""Scores over queries in, values for points out."""

from collections.abc import Sequence

import numpy as np

from monitor.measures._shared_values import EXPLORATORY_BELOW
from monitor.model import Flag, QueryValue, State, Unit, Value
from monitor.ranked.score import PerList, Score, finite


def answered(unit: Unit) -> bool:
    """Whether a question has at least one usable list."""
    return any(one is not None for one in unit.documents)


def over_queries(quantity: str, score: Score, units: Sequence[Unit], left_out: int) -> Value:
    """The value of a point over queries. `left_out` questions are about women or men themselves."""
    facts: list[tuple[str, float]] = [
        ("documents", score.documents),
        ("documents_missing", score.missing),
    ]
    facts += [("documents_empty", score.empty), ("queries_gendered", left_out)]
    facts += sorted(score.details.items())
    n_answered = sum(map(answered, units))
    common = {
        "name": quantity,
        "scope": "all",
        "planned": score.planned,
        "answered": n_answered,
        "used": score.used,
        "unidentified": 0,
        "bound_low": score.bound_low if n_answered else None,
        "bound_high": score.bound_high if n_answered else None,
        "facts": tuple((name, float(number)) for name, number in facts if np.isfinite(number)),
    }
    if score.value is None:
        return Value(state=State.INSUFFICIENT, reason=score.reason, **common)  # type: ignore[arg-type]
    flags = (Flag.EXPLORATORY,) if score.used < EXPLORATORY_BELOW else ()
    return Value(
        state=State.MEASURED,
        value=score.value,
        low=score.low,
        high=score.high,
        flags=flags,
        **common,  # type: ignore[arg-type]
    )


def query_values(quantity: str, found: PerList, planned: Sequence[str]) -> tuple[QueryValue, ...]:
    """What each query contributes to a point."""
    return tuple(
        QueryValue(
            quantity,
            key,
            State.MEASURED if np.isfinite(found.values[row]) else State.INSUFFICIENT,
            value=finite(found.values[row]),
            bound_low=finite(found.low[row]),
            bound_high=finite(found.high[row]),
            x=None if found.x is None else finite(found.x[row]),
            influence=None if found.influence is None else finite(found.influence[row]),
            documents=int(found.documents[row]),
            used=int(found.used[row]),
            missing=int(found.missing[row]),
            empty=int(found.empty[row]),
            reason=found.reasons.get(row, ""),
        )
        for row, key in enumerate(planned)
    )
