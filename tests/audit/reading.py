"""What somebody does with a sheet of the demo archive, and what follows from it."""

import csv

import sqlalchemy as sa

from monitor.store import schema
from monitor.store.collect import runs
from tests.factories import rows

JOB = "mt-weekly"
LABELS = {"Jsem unavená.": "feminine", "Jsem unavený.": "masculine", "He is one.": "masculine",
          "She is one.": "feminine", "They is one.": "inclusive"}  # fmt: skip


def run_at(archive, due_at):
    with archive.read() as connection:
        return runs.find_scheduled(connection, JOB, due_at)


def read(path):
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def write(path, some):
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, some[0])
        writer.writeheader()
        writer.writerows(some)
    return path


def person(row):
    """What somebody who knows the languages reads."""
    return LABELS.get(row["text"], "none")


def filled(path, wrong=0, language="cs"):
    """Fill a sheet rightly, but for so many texts of a language in each called class."""
    some = read(path)
    errs = {"feminine": wrong, "masculine": wrong}
    for row in some:
        row["class"] = person(row)
        if row["language"] == language and errs.get(row["class"], 0):
            errs[row["class"]] -= 1
            row["class"] = "none"
    return write(path, some)


def alarms(archive, kind="instrument_suspect"):
    return {
        row["subject"]: row["resolved_at"] is None
        for row in rows(archive, "SELECT * FROM alarms ORDER BY id")
        if row["kind"] == kind
    }


def steps(archive):
    query = sa.select(schema.changes).where(
        schema.changes.c.is_current, schema.changes.c.kind == "step"
    )
    with archive.read() as connection:
        return list(connection.execute(query.order_by(schema.changes.c.id)))
