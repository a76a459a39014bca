"""Where the answers of a run stand: from the first to the last number of its attempts.

They are planned together, so what was read in them lies together too: to look through all of it
takes an eighth of the time of looking up one by one. Nothing rests on it but how quick that is:
between the two ends there may be attempts of other runs.
"""

import sqlalchemy as sa

from monitor.store.schema import attempts


def of_run(connection: sa.Connection, run_id: int) -> tuple[int, int]:
    """The first and the last number of the attempts of a run; zeros where it has none."""
    ends = (
        sa.select(end(attempts.c.id)).where(attempts.c.run_id == run_id).scalar_subquery()
        for end in (sa.func.min, sa.func.max)
    )
    first, last = connection.execute(sa.select(*ends)).one()
    return first or 0, last or 0
