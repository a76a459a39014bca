"""Answers from recorded translations; no request leaves.

The files are CSV or Parquet. The columns are source, target_lang (or target), system, translation
and date; others are ignored. Rows are read one by one, and only those of the wanted system are
stored. Answers have the form that any other fetcher gives them.
"""

import json
import time
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

from monitor.input_files import (
    check_text,
    decode_lines,
    hash_file,
    is_plausible,
    read_table,
    refuse_doubles,
)
from monitor.model import (
    Answer,
    InvalidInput,
    MissingPart,
    Outcome,
    Pause,
    RecordedRequest,
    Request,
)

_COLUMNS = ("source", "target_lang", "system", "translation", "date")
_OTHER_NAME = {"target": "target_lang"}


@dataclass(frozen=True, slots=True)
class RecordedTranslation:
    """One recorded translation and the row it stands in: a line of a CSV, a row of a Parquet."""

    translation: str
    row: int


@dataclass(frozen=True, slots=True)
class Recording:
    """All that one file holds of one system: {(target, day): {source text: translation}}."""

    path: Path
    system: str
    sha256: str
    translations: Mapping[tuple[str, datetime], Mapping[str, RecordedTranslation]]
    targets_of_others: Mapping[str, frozenset[str]] = field(default_factory=dict)

    def list_dates(self, target: str) -> list[datetime]:
        """The days on which a target was recorded. Raises InvalidInput where it never was."""
        days = sorted(date_recorded for lang, date_recorded in self.translations if lang == target)
        if not days:
            others = sorted(self.targets_of_others.items())
            listed = "; ".join(f"{name}: {', '.join(sorted(targets))}" for name, targets in others)
            raise InvalidInput(
                f"{self.path}: no translation into {target!r} by system {self.system!r}; "
                f"it has {listed or 'no rows'}"
            )
        return days

    def find_translations(self, target: str, at: datetime) -> Mapping[str, RecordedTranslation]:
        """Return the recordings of a day; empty where there are none."""
        return self.translations.get((target, at), {})


def find_day(at: datetime) -> datetime:
    """The UTC day of a time: what a recording is due at."""
    return at.astimezone(UTC).replace(hour=0, minute=0, second=0, microsecond=0)


def _parse_day(value: object, place: str) -> datetime:
    if isinstance(value, date) and not is_plausible(value):
        raise InvalidInput(
            f"{place}: date {value.isoformat()!r} is of the year {value.year}; nothing was "
            f"recorded then: correct it"
        )
    if isinstance(value, datetime):
        return find_day(value if value.tzinfo else value.replace(tzinfo=UTC))
    if isinstance(value, date):
        return datetime(value.year, value.month, value.day, tzinfo=UTC)
    text = str(value or "").strip()
    try:
        read_as = datetime.fromisoformat(text)
    except ValueError:
        raise InvalidInput(
            f"{place}: date {text!r} cannot be read; write it as 2023-05-31, or with a time as "
            "2023-05-31T12:00:00Z"
        ) from None
    return _parse_day(read_as, place)


def read_recording(path: Path, system: str) -> Recording:
    """All translations of `system` in a file.

    Raises InvalidInput naming the file and the row for what cannot be read and for a question that
    was answered twice on a day, MissingPart when a Parquet file needs a library.
    """
    if path.suffix not in (".csv", ".parquet"):
        raise InvalidInput(f"{path}: recorded translations are a .csv or a .parquet file")
    try:
        rows = _parquet_rows(path) if path.suffix == ".parquet" else _csv_rows(path)
        return _collect_rows(path, system, hash_file(path), rows)
    except FileNotFoundError:
        raise InvalidInput(f"{path}: no such file of recorded translations") from None
    except IsADirectoryError:
        raise InvalidInput(f"{path}: is a folder; name a file of recorded translations") from None


def _collect_rows(
    path: Path, system: str, sha256: str, rows: Iterator[tuple[int, dict[str, Any]]]
) -> Recording:
    translations: dict[tuple[str, datetime], dict[str, RecordedTranslation]] = defaultdict(dict)
    other_systems: dict[str, set[str]] = defaultdict(set)
    for number, row in rows:
        location = f"{path}:{number}"
        source, target, name = (
            _require_cell(row, c, location) for c in ("source", "target_lang", "system")
        )
        other_systems[name].add(target)
        if name != system:
            continue
        recorded_day = _parse_day(row["date"], location)
        group = translations[target, recorded_day]
        if source in group:
            raise InvalidInput(
                f"{location}: {source!r} into {target!r} on {recorded_day:%Y-%m-%d} stands in row "
                f"{group[source].row} already; keep one of them"
            )
        translation = check_text(str(row["translation"] or ""), f"{location}: translation")
        group[source] = RecordedTranslation(translation, number)
    columns_named = {name: frozenset(targets) for name, targets in other_systems.items()}
    return Recording(path, system, sha256, dict(translations), columns_named)


def _require_cell(row: Mapping[str, Any], column: str, place: str) -> str:
    value = check_text(str(row[column] or ""), f"{place}: {column}").strip()
    if not value:
        raise InvalidInput(f"{place}: {column} is empty")
    return value


def _map_columns(columns: list[str], path: Path) -> list[str]:
    """Column names as they are called here. Raises InvalidInput naming the first that lacks."""
    names = [_OTHER_NAME.get(name, name) for name in columns]
    missing = [name for name in _COLUMNS if name not in names]
    if missing:
        raise InvalidInput(
            f"{path}: no column {missing[0]!r}; it has {', '.join(columns) or 'none'}, and needs "
            f"{', '.join(_COLUMNS)}"
        )
    refuse_doubles(names, str(path))
    return names


def _csv_rows(path: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    with path.open("rb") as file:
        table = read_table(decode_lines(file, str(path)), str(path))
        names = _map_columns(table.columns, path)
        for line, row in table.rows:
            yield line, dict(zip(names, row, strict=True))


def _parquet_rows(path: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    try:
        import pyarrow as pa  # noqa: PLC0415 - optional library
        import pyarrow.parquet as pq  # noqa: PLC0415
    except ImportError:
        raise MissingPart(
            f"{path}: Parquet needs the library 'pyarrow'; install it with: "
            "pip install 'gbmonitor[parquet]', or save the file as CSV"
        ) from None
    try:
        file = pq.ParquetFile(path)
    except pa.ArrowException as error:
        raise InvalidInput(f"{path}: not a Parquet file: {error}") from error
    with file:
        names = _map_columns(file.schema_arrow.names, path)
        number = 0
        for batch in file.iter_batches():
            for values in batch.to_pylist():
                number += 1
                yield number, dict(zip(names, values.values(), strict=True))


def yield_after_pauses(requests: Iterable[Request | Pause]) -> Iterator[Request]:
    """The requests alone, each after the pauses before it."""
    for request in requests:
        if isinstance(request, Pause):
            time.sleep(request.seconds)
        else:
            yield request


class LookupFetcher:
    """A fetcher that looks answers up, one after another; no request leaves."""

    def fetch(self, requests: Iterable[Request | Pause]) -> Iterator[tuple[int, Answer]]:
        """Yield (index, answer) in the order of the requests."""
        for index, request in enumerate(yield_after_pauses(requests)):
            yield index, self.answer_request(request)

    def answer_request(self, request: Request) -> Answer:
        """Return the answer to one request. Raises TypeError for one of another kind."""
        raise NotImplementedError


class Library:
    """The recordings that a job names, each file read once. `folder` is the job file's."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._read: dict[tuple[str, str], Recording] = {}

    def find_recording(self, file: str, system: str) -> Recording:
        """Return a system's translations in a file. Raises InvalidInput or MissingPart."""
        key = (file, system)
        if key not in self._read:
            self._read[key] = read_recording(self._folder / file, system)
        return self._read[key]

    def list_dates(self, uses: Iterable[tuple[str, str, Iterable[str]]]) -> list[datetime]:
        """The recorded dates of (file, system, targets), in order.

        Raises InvalidInput where a target was never recorded: nothing could ever answer.
        """
        return sorted(
            {
                date
                for file, system, targets in uses
                for target in targets
                for date in self.find_recording(file, system).list_dates(target)
            }
        )


class RecordedFetcher(LookupFetcher):
    """Answers the requests of one tick with what was recorded on its date.

    What was not recorded is null in the body, and never a translation. The body says beside each
    translation in which row of the file it stands; the agent says which file that was, by its
    SHA-256.
    """

    def __init__(self, library: Library, due_at: datetime) -> None:
        self._library = library
        self._at = due_at

    def answer_request(self, request: Request) -> Answer:
        if not isinstance(request, RecordedRequest):
            raise TypeError(f"not a request for a recording: {request!r}")
        recording = self._library.find_recording(request.file, request.system)
        recorded_texts = recording.find_translations(request.target_lang, find_day(self._at))
        translations_recorded = [recorded_texts.get(text.strip()) for text in request.texts]
        content = {
            "translations": [one and one.translation for one in translations_recorded],
            "rows": [one and one.row for one in translations_recorded],
        }
        body = json.dumps(content, ensure_ascii=False).encode()
        agent = (
            ("file", Path(request.file).name),
            ("sha256", recording.sha256),
            ("system", request.system),
        )
        return Answer(Outcome.OK, self._at, 0.0, body=body, agent=agent)
