"""Reads filled sheets of labels, whatever a spreadsheet program made of them."""

import csv
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from pathlib import Path

from monitor.labels.settle import Rating
from monitor.labels.sheets import NEEDED, read_row
from monitor.model import InvalidInput

_MOST_BYTES = 64 * 2**20


def filled(
    path: Path, rater: str, now: datetime, values: Sequence[str], entities: Mapping[str, str]
) -> list[Rating]:
    """The ratings on a sheet, all of them checked. Raises InvalidInput naming file and line."""
    found: dict[str, Rating] = {}
    seen: dict[str, int] = {}
    for line, row in rows_of(path, NEEDED):
        key = (row.get("key") or "").strip()
        if key in seen:
            raise InvalidInput(
                f"{path}:{line}: key {key!r} stands in line {seen[key]} already; keep one of them"
            )
        seen[key] = line
        said = read_row(row, f"{path}:{line}", values, entities)
        if said:
            found[said.entity] = Rating(said.entity, said.group, rater, now, said.comment)
    return list(found.values())


def rows_of(path: Path, needed: frozenset[str]) -> Iterator[tuple[int, dict[str, str | None]]]:
    """(line, row) of a filled sheet, as any spreadsheet program wrote it. Raises InvalidInput."""
    try:
        if path.stat().st_size > _MOST_BYTES:
            raise InvalidInput(f"{path}: larger than {_MOST_BYTES:,} bytes; no sheet of labels")
        with path.open(encoding="utf-8-sig", newline="") as file:
            header = file.readline()
            file.seek(0)
            # some spreadsheet programs write semicolons, depending on the country
            semicolons = ";" in header and "," not in header
            reader = csv.DictReader(file, delimiter=";" if semicolons else ",", strict=True)
            missing = needed - set(reader.fieldnames or ())
            if missing:
                raise InvalidInput(
                    f"{path}:1: no column {min(missing)}; keep the header as it was exported"
                )
            for row in reader:
                if None in row:
                    raise InvalidInput(
                        f"{path}:{reader.line_num}: more cells than the header; put text with "
                        "commas into quotation marks"
                    )
                if any(row.values()):
                    yield reader.line_num, row
    except FileNotFoundError:
        raise InvalidInput(f"{path}: no such file") from None
    except IsADirectoryError:
        raise InvalidInput(f"{path}: is a folder; name a CSV file") from None
    except (UnicodeDecodeError, csv.Error) as error:
        raise InvalidInput(f"{path}: not a UTF-8 CSV file: {error}; save it as one") from error
