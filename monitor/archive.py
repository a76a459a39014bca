"""The archive of a monitor for analysts: `monitor.open(url)` gives series as pandas tables.

In go what series are about, out come tables whose columns and types are the same on SQLite and
PostgreSQL, also where they are empty. Nothing here can write. docs/series.md has the columns.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal
from operator import index
from typing import Any, Self

import pandas as pd

from monitor import settings
from monitor.change import Contrast
from monitor.model import InvalidInput, as_row
from monitor.store import migrations
from monitor.store.access import reader_role
from monitor.store.changes import series, series_summaries
from monitor.store.changes.series import ALL, Filters, Series
from monitor.store.database import connect

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


class Archive:
    """One database, open for reading. Use it in a `with` block, or close it.

    Filters are the same everywhere: engine and measure (the label, or its beginning), target,
    list, job, reference, source_lang, scope ("all" is all questions), key.
    """

    def __init__(self, url: str | None = None) -> None:
        config = settings.load()
        self._database = connect(url or config.url, config.bodies)
        try:
            migrations.check_schema(self._database)
        except BaseException:
            self._database.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_raised: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<Archive {self._database.place}>"

    def close(self) -> None:
        """Give the connections back."""
        self._database.close()

    def series(
        self,
        quantity: str = "",
        *,
        series_id: int | None = None,
        since: datetime | date | str | None = None,
        until: datetime | date | str | None = None,
        signature: str = "",
        **filters: str,
    ) -> pd.DataFrame:
        """One series on the grid of due ticks, gaps included; indexed by `due_at`.

        `value` is NaN wherever `state` is not "measured", and `reason` says why. Times without a
        zone are UTC; a day as `until` is the whole of it. Raises InvalidInput where no series or
        several fit, naming them.
        """
        limits = _parse_moment(since, "since"), _parse_moment(until, "until", is_end=True)
        with self._database.read() as connection:
            if series_id is not None:
                series_row = _by_id(connection, series_id)
            else:
                series_row = series.find_single(connection, _make_filters(quantity, filters))
            hash_ = series_row.signature
            if signature:
                signatures = series.list_signatures(connection, series_row.id)
                hash_ = series.find_signature(series_row.id, signatures, signature)
            other_signature = hash_ if hash_ != series_row.signature else ""
            ticks = series.read_grid(connection, series_row.id, *limits, other_signature)
        tick_frame = make_table(
            [as_row(tick) | {"flags": " ".join(tick.flags)} for tick in ticks], TICKS
        ).set_index("due_at")
        tick_frame.attrs = {
            "series_id": series_row.id,
            "series": str(series_row),
            "signature": hash_,
        }
        return tick_frame

    def series_list(
        self, quantity: str = "", *, scopes: bool = False, **filters: str
    ) -> pd.DataFrame:
        """All series that fit, one row each; over parts of the questions with `scopes` alone."""
        series_filters = _make_filters(quantity, filters)
        with self._database.read() as connection:
            series_found = series.find_series(connection, series_filters)
            if not scopes and not series_filters.scope:
                series_found = [
                    series_row for series_row in series_found if series_row.scope == ALL
                ]
            summaries_by_id = series_summaries.read_summaries(connection, series_found)
        rows = [
            as_row(series_row)
            | {"series_id": series_row.id}
            | (as_row(summaries_by_id[series_row.id]) if series_row.id in summaries_by_id else {})
            for series_row in series_found
        ]
        return make_table(rows, LIST)

    def comparisons(
        self,
        quantity: str = "",
        *,
        contrast: str = "",
        series_id: int | None = None,
        **filters: str,
    ) -> pd.DataFrame:
        """Steps of series between ticks, on the questions that both have.

        `contrast` is step (the tick before), week, first, minutes, days, confirm or engines; by
        default step, week and first.
        """
        contrast_names = [contrast_name.value for contrast_name in Contrast]
        if contrast and contrast not in contrast_names:
            raise InvalidInput(f"contrast {contrast!r}; known: {', '.join(contrast_names)}")
        contrasts = (
            [Contrast(contrast)] if contrast else [Contrast.STEP, Contrast.WEEK, Contrast.FIRST]
        )
        with self._database.read() as connection:
            series_found = self._find_series(connection, quantity, series_id, filters)
            rows = series.read_comparisons(
                connection, [contrast_name.id for contrast_name in series_found], contrasts
            )
        return self._add_series(series_found, map(as_row, rows), COMPARISONS)

    def changes(
        self, quantity: str = "", *, series_id: int | None = None, **filters: str
    ) -> pd.DataFrame:
        """Return the changes found in series, with their current status."""
        with self._database.read() as connection:
            series_found = self._find_series(connection, quantity, series_id, filters)
            rows = series.read_changes(connection, [series_row.id for series_row in series_found])
        return self._add_series(series_found, map(as_row, rows), CHANGES)

    def query(self, sql: str, params: Mapping[str, object] | None = None) -> pd.DataFrame:
        """The rows of a statement of your own over the views; it can only read.

        `:name` in it stands for a value of `params`. Columns that end in _at are times in UTC;
        without any row the types of the others are not known. Raises InvalidInput.
        """
        return of_query(*reader_role.run_query(self._database, sql, params or {}))

    @staticmethod
    def _find_series(
        connection: Any,  # noqa: ANN401 - an open transaction
        quantity: str,
        number: int | None,
        filters: Mapping[str, str],
    ) -> list[Series]:
        if number is not None:
            return [_by_id(connection, number)]
        return series.find_series(connection, _make_filters(quantity, filters))

    @staticmethod
    def _add_series(
        found: Sequence[Series], rows: Iterable[dict[str, Any]], columns: Mapping[str, str]
    ) -> pd.DataFrame:
        """Rows with what their series are about."""
        rows_by_id = {series_row.id: as_row(series_row) for series_row in found}
        about = _ABOUT.keys() - {"series_id"}
        return make_table(
            [{name: rows_by_id[row["series_id"]][name] for name in about} | row for row in rows],
            columns,
        )


def open(url: str | None = None) -> Archive:  # noqa: A001 - read as `monitor.open`
    """The archive at an address such as sqlite:///monitor.db; by default that of the settings.

    Raises StoreProblem where there is no database of this version.
    """
    return Archive(url)


def _by_id(connection: Any, number: int) -> Series:  # noqa: ANN401 - an open transaction
    try:
        series_row = series.get_series(connection, index(number))
    except TypeError:
        raise InvalidInput(f"series_id {number!r}: write a whole number") from None
    if series_row is None:
        raise InvalidInput(f"no series {number}; series_list() has them all")
    return series_row


def _make_filters(quantity: str, given: Mapping[str, str]) -> Filters:
    try:
        return replace(Filters(quantity=quantity), **given)
    except TypeError:
        filter_names = [name for name in Filters.__slots__ if name != "quantity"]
        wrong = next(name for name in given if name not in filter_names)
        raise InvalidInput(f"no filter {wrong!r}; known: {', '.join(filter_names)}") from None


def _parse_moment(
    value: datetime | date | str | None, name: str, *, is_end: bool = False
) -> datetime | None:
    """A time; one without a zone is UTC, and a day ends at its end."""
    if value is None:
        return None
    if isinstance(value, str):
        try:
            is_day = len(value) <= len("2025-01-31")
            value = date.fromisoformat(value) if is_day else datetime.fromisoformat(value)
        except ValueError:
            raise InvalidInput(f"{name} {value!r}: write 2025-01-31 or a time") from None
    if not isinstance(value, date):
        raise InvalidInput(f"{name} {value!r}: write 2025-01-31 or a time")
    if not isinstance(value, datetime):
        value = datetime.combine(value, time(), UTC)
        value += timedelta(days=1, microseconds=-1) if is_end else timedelta()
    return value if value.tzinfo else value.replace(tzinfo=UTC)


# --- tables ---------------------------------------------------------------------------------------


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
    for allowed, kind in (({bool}, TRUTH), ({int}, COUNT), ({int, float}, FLOAT)):
        if kinds and kinds <= allowed:
            return _make_column(plain, kind)
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
