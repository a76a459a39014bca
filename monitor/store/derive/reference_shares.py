"""Reference shares that points were computed with, and snapshots of looked-up shares."""

from collections.abc import Iterable, Mapping, Sequence

import sqlalchemy as sa

from monitor.model import Share
from monitor.store import rows
from monitor.store.schema import reference_shares


def store_shares(
    connection: sa.Connection,
    reference: str,
    as_of: str,
    targets: Mapping[str, Sequence[Share]],
    lookup_id: int | None = None,
) -> None:
    """Keep the shares of a source at a date, so that SQL can explain a point.

    `lookup_id` is the answer that they were read in, where somebody was asked.
    """
    content = [
        {
            "reference": reference,
            "as_of": as_of,
            "topic": topic,
            "grouping": share.group,
            "share": share.value,
            "n": share.n,
            "source": share.source,
            "country": share.country,
            "source_as_of": share.as_of,
            "source_word": share.word,
            "lookup_id": lookup_id,
        }
        for topic, shares in sorted(targets.items())
        for share in shares
    ]
    rows.insert_ignore(connection, reference_shares, content)


def find_newest_date(connection: sa.Connection, reference: str) -> str:
    """Return the date of the newest snapshot of a source; empty where there is none."""
    dates = sa.select(sa.func.max(reference_shares.c.as_of))
    return connection.execute(dates.where(reference_shares.c.reference == reference)).scalar() or ""


def read_shares(
    connection: sa.Connection, reference: str, as_of: str, topics: Iterable[str]
) -> dict[str, tuple[Share, ...]]:
    """Return the shares of a snapshot for the `topics` that it has, the largest group first."""
    query = (
        sa.select(reference_shares)
        .where(reference_shares.c.reference == reference, reference_shares.c.as_of == as_of)
        .order_by(reference_shares.c.topic, reference_shares.c.id)
    )
    topic_names, shares_of = set(topics), dict[str, list[Share]]()
    for row in connection.execute(query):
        if row.topic in topic_names:
            share = Share(
                row.topic,
                row.share,
                row.source,
                row.country,
                row.source_as_of,
                row.n,
                row.source_word,
                row.grouping,
            )
            shares_of.setdefault(row.topic, []).append(share)
    return {topic: tuple(shares) for topic, shares in shares_of.items()}
