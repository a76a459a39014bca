"""What two people did by hand: they read translations, and labelled people, and do not agree.

In goes the archive, out come their sheets in its folder, taken in as the program takes them in.
"""

import csv
import hashlib
from datetime import UTC, datetime

from monitor.labels.settle import Rating
from monitor.pipeline import validation as auditing
from monitor.stages import validation
from monitor.store.derive import people
from tests.example import files, invented

READERS = ("first-reader", "second-reader")
#: The second reader errs on one text in so many, and on this share of the people.
_ONE_IN, _ERRS = 12, 0.16


def read(database, folder):
    """Draw an audit, fill a sheet for each reader, take both in; then label people."""
    now = datetime.now(UTC)
    drawn = auditing.draw_audit(database, files.TRANSLATING, now, per_class=15)
    rows = [dict(zip(validation.COLUMNS, row, strict=True))
            for row in validation.make_rows(drawn.entries)]  # fmt: skip
    for by in READERS:
        path = folder / "sheets" / f"translations-{by}.csv"
        filled = [row | {"class": _class(row, by, place)} for place, row in enumerate(rows)]
        _write(path, filled)
        given = [(f"{path.name}:{line}", row) for line, row in enumerate(filled, 2)]
        sheet = hashlib.sha256(path.read_bytes()).hexdigest()
        auditing.import_sheet(database, given, by, sheet, now)
    _label(database, folder, now)


def _class(row, by, place):
    """What somebody who knows the language reads; the second reader errs at times."""
    known = invented.read(row["text"])
    if by == READERS[1] and place % _ONE_IN == 0:
        return "masculine" if known == "none" else "none"
    return known


def _label(database, folder, now):
    """Both look up everybody who has no label, and some others."""
    with database.read() as connection:
        shown = {
            entity: whom.name
            for entity, (whom, _) in people.read_shown_entities(connection).items()
        }
        settled = people.settle_labels(connection)
    wanted = [
        (entity, name)
        for entity, name in sorted(shown.items())
        if not (entity in settled and settled[entity].group) or invented.draw("again", name) < 0.4
    ]
    ratings = []
    for by in READERS:
        rows = [(entity, name, _group(name, by)) for entity, name in wanted]
        _write(
            folder / "sheets" / f"people-{by}.csv",
            [{"name": name, "group": group} for _, name, group in rows],
        )
        ratings += [
            Rating(entity, group, by, now, "invented, as the person is")
            for entity, _, group in rows
        ]
    with database.begin() as connection:
        people.store_ratings(connection, ratings)
        people.publish_labels(connection, [entity for entity, _ in wanted], now)


def _group(name, by):
    known = invented.group_of(name)
    if by == READERS[1] and invented.draw(by, name) < _ERRS:
        return "women" if known == "men" else "men"
    return known


def _write(path, rows):
    path.parent.mkdir(exist_ok=True)
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, rows[0])
        writer.writeheader()
        writer.writerows(rows)
