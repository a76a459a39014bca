"""Records as pandas tables, with the same types on every database and also without any row."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

import pandas as pd

TIME = "datetime64[us, UTC]"
FLOAT = "float64"  # NaN: there is no such number
COUNT = "Int64"  # <NA>: nothing was counted
TEXT = "str"  # empty: nothing to say
TRUTH = "boolean"

#: Columns of `Archive.series`, the index `due_at` among them.
TICKS = {
    "due_at": TIME, "state": TEXT, "value": FLOAT, "low": FLOAT, "high": FLOAT, "bound_low": FLOAT,
    "bound_high": FLOAT, "planned": COUNT, "answered": COUNT, "used": COUNT, "unidentified": COUNT,
    "reason": TEXT, "flags": TEXT, "job": TEXT, "tick_state": TEXT, "run_id": COUNT,
    "point_id": COUNT, "signature": TEXT, "computed_at": TIME,
}  # fmt: skip
#: Columns of `Archive.series_list`.
LIST = {
    "series_id": COUNT, "key": TEXT, "job": TEXT, "list": TEXT, "engine": TEXT, "surface": TEXT,
    "source_lang": TEXT, "target": TEXT, "measure": TEXT, "quantity": TEXT, "reference": TEXT,
    "scope": TEXT, "scope_title": TEXT, "signature": TEXT, "n_ticks": COUNT, "n_measured": COUNT,
    "first_due_at": TIME, "last_due_at": TIME, "is_asked": TRUTH, "last_state": TEXT,
    "last_reason": TEXT, "last_value": FLOAT, "last_low": FLOAT, "last_high": FLOAT,
}  # fmt: skip
_ABOUT = {
    "series_id": COUNT, "job": TEXT, "list": TEXT, "engine": TEXT, "source_lang": TEXT,
    "target": TEXT, "measure": TEXT, "quantity": TEXT, "reference": TEXT, "scope": TEXT,
}  # fmt: skip
#: Columns of `Archive.comparisons`.
COMPARISONS = _ABOUT | {
    "contrast": TEXT, "before_due_at": TIME, "due_at": TIME, "state": TEXT, "delta": FLOAT,
    "low": FLOAT, "high": FLOAT, "p": FLOAT, "test": TEXT, "before": FLOAT, "after": FLOAT,
    "n": COUNT, "changed": COUNT, "only_before": COUNT, "only_after": COUNT, "reason": TEXT,
    "before_run_id": COUNT, "after_run_id": COUNT, "signature": TEXT,
}  # fmt: skip
#: Columns of `Archive.changes`.
CHANGES = _ABOUT | {
    "kind": TEXT, "role": TEXT, "family": TEXT, "changed_at": TIME, "detected_at": TIME,
    "effect": FLOAT, "low": FLOAT, "high": FLOAT, "p": FLOAT, "q": FLOAT, "alpha": FLOAT,
    "noise": FLOAT, "before": FLOAT, "after": FLOAT, "status": TEXT, "cause": TEXT,
    "because": TEXT, "sentence": TEXT, "before_run_id": COUNT, "after_run_id": COUNT,
}  # fmt: skip


def make_table(rows: Sequence[Mapping[str, Any]], columns: Mapping[str, str]) -> pd.DataFrame:
    """Rows as a table of these columns and types; what a row lacks is missing."""
    columns_by_name = {
        name: _make_column([row.get(name) for row in rows], kind) for name, kind in columns.items()
    }
    return pd.DataFrame(columns_by_name, columns=list(columns))


def _make_column(values: Sequence[Any], kind: str) -> pd.Series:
    if kind == TEXT:
        return pd.Series(["" if value is None else str(value) for value in values], dtype=kind)
    if kind == TIME:
        return pd.Series(pd.to_datetime(list(values), utc=True), dtype=kind)
    return pd.Series(list(values), dtype=kind)


def of_query(names: Sequence[str], rows: Iterable[Sequence[Any]]) -> pd.DataFrame:
    """The answer to a query, with types by names (`_at`, `is_`) and by what was found."""
    columns = list(zip(*rows, strict=True)) or [()] * len(names)
    typed_columns = [
        _infer_column(name, values) for name, values in zip(names, columns, strict=True)
    ]
    frame = pd.concat(typed_columns, axis=1) if typed_columns else pd.DataFrame()
    frame.columns = pd.Index(names)
    return frame


def _infer_column(name: str, values: Sequence[Any]) -> pd.Series:
    plain = [_convert_number(value) for value in values]
    if name.endswith("_at"):
        return _make_column([_convert_time(value) for value in plain], TIME)
    if name.startswith("is_"):
        return _make_column([None if value is None else bool(value) for value in plain], TRUTH)
    kinds = {type(value) for value in plain if value is not None}
    if kinds and kinds <= {bool}:
        return _make_column(plain, TRUTH)
    if kinds and kinds <= {int}:
        return _make_column(plain, COUNT)
    if kinds and kinds <= {int, float}:
        return _make_column(plain, FLOAT)
    if kinds and kinds <= {str} and None not in plain:
        return _make_column(plain, TEXT)
    return pd.Series(plain, dtype=object)


def _convert_number(value: Any) -> Any:  # noqa: ANN401 - whatever a database gives
    """PostgreSQL sums counts to decimals."""
    if isinstance(value, Decimal):
        return int(value) if value == value.to_integral_value() else float(value)
    return value


def _convert_time(value: Any) -> Any:  # noqa: ANN401 - a time, or what SQLite keeps in its place
    if isinstance(value, str):
        value = datetime.fromisoformat(value)
    if isinstance(value, datetime) and value.tzinfo is None:
        return value.replace(tzinfo=UTC)
    return value
