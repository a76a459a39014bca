"""Everything that follows from raw answers: readings, signals, points."""

from collections.abc import Callable

from monitor.data import read_table
from monitor.jobs import Audit
from monitor.pipeline.computing import (
    WITH_POINTS,
    changed_controls,
    compute_points,
    controlled_targets,
    switch,
)
from monitor.pipeline.instruments import dated, instruments, with_extractors
from monitor.pipeline.lacking import measure_mark
from monitor.pipeline.reading import find_signals, read_answers
from monitor.pipeline.steps import Progress
from monitor.store import points, runs
from monitor.store.database import Connection, Database
from monitor.store.runs import Run

__all__ = [
    "changed_controls",
    "compute_points",
    "controlled_targets",
    "dated",
    "derive",
    "find_signals",
    "instruments",
    "read_answers",
    "switch",
    "with_extractors",
]


def derive(
    database: Database,
    audit: Audit,
    run: Run,
    progress: Progress,
    look_up: Callable[[], None] | None = None,
) -> int:
    """Everything that follows from the raw answers: readings, signals, points.

    `look_up` finds out what answers alone do not say, once they were read. Returns how many points
    are new.
    """
    steps = ("parse", "signal", "measure")
    progress(steps[0], 0, len(steps))
    read_answers(database, audit, run)
    if look_up:
        look_up()
    progress(steps[1], 1, len(steps))
    find_signals(database, audit, run)
    progress(steps[2], 2, len(steps))
    written = 0
    if run.kind in WITH_POINTS:
        with database.begin() as connection:
            keep_titles(connection)
            mark = measure_mark(connection, audit, run)
        written = compute_points(database, audit, run)
        with database.begin() as connection:
            runs.mark_stage(connection, run.id, "measure", mark)
    progress(steps[2], 3, len(steps))
    return written


def keep_titles(connection: Connection) -> None:
    """Keep what the scopes of stereotypes stand for."""
    titles = [
        (f"stereotype:{row['id']}", row["about"], f"{row['about']} are {row['name']}")
        for row in read_table("gest_stereotypes")
    ]
    points.keep_scopes(connection, titles)
