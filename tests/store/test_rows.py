"""Get-or-insert, and many rows with their ids."""

import pytest
import sqlalchemy as sa

from monitor.store import rows
from monitor.store.schema import probes, signatures


def probe_row(number):
    return {
        "key": f"key-{number}",
        "text": f"text {number}",
        "source_lang": "en",
        "target_lang": "pt",
        "region": "",
        "parameters": {},
    }


def test_get_or_insert_inserts_once_and_keeps_the_first_content(database):
    with database.begin() as connection:
        first = rows.get_or_insert(connection, signatures, {"hash": "a"}, {"parts": {"x": 1}})
        other = rows.get_or_insert(connection, signatures, {"hash": "b"}, {"parts": {}})
        again = rows.get_or_insert(connection, signatures, {"hash": "a"}, {"parts": {"x": 2}})
        kept = connection.execute(
            sa.select(signatures.c.parts).where(signatures.c.id == first)
        ).scalar_one()
    assert again == first != other
    assert kept == {"x": 1}


def test_insert_ignore_leaves_what_is_there_and_adds_the_rest(database):
    with database.begin() as connection:
        rows.insert_ignore(connection, probes, [probe_row(1)])
        rows.insert_ignore(connection, probes, [probe_row(1) | {"text": "changed"}, probe_row(2)])
        found = connection.execute(sa.select(probes.c.text).order_by(probes.c.key)).scalars().all()
    assert found == ["text 1", "text 2"]


def test_insert_ignore_of_nothing_does_nothing(database):
    with database.begin() as connection:
        rows.insert_ignore(connection, probes, [])
        assert rows.insert_returning(connection, probes, []) == []
        assert connection.execute(sa.select(probes.c.id)).all() == []


def test_insert_ignore_still_refuses_a_broken_foreign_key(database):
    from monitor.store.schema import run_lists

    with pytest.raises(sa.exc.IntegrityError), database.begin() as connection:
        rows.insert_ignore(connection, run_lists, [{"run_id": 7, "list_id": 7}])


def test_ids_by_key_over_several_chunks(database):
    with database.begin() as connection:
        rows.insert_ignore(connection, probes, [probe_row(n) for n in range(0, 1201, 2)])
        found = rows.ids_by_key(connection, probes, [probe_row(n) for n in range(1201)])
        stored = dict(connection.execute(sa.select(probes.c.key, probes.c.id)).all())
    assert found == stored
    assert len(found) == 1201


def test_insert_returning_gives_ids_in_the_order_of_the_rows(database):
    numbers = [7, 3, 11, *range(100, 1300)]
    with database.begin() as connection:
        ids = rows.insert_returning(connection, probes, [probe_row(n) for n in numbers])
        stored = dict(connection.execute(sa.select(probes.c.id, probes.c.text)).all())
    assert [stored[number] for number in ids] == [f"text {n}" for n in numbers]


def test_keys_are_inserted_in_one_order_whatever_order_they_come_in(database):
    """Two transactions with the same keys wait for each other's rows otherwise (PostgreSQL)."""
    sent = []

    def remember(_connection, _cursor, _statement, parameters, *_):
        sent.append(str(parameters))

    with database.begin() as connection:
        sa.event.listen(database.writer, "before_cursor_execute", remember)
        found = rows.ids_by_key(connection, probes, [probe_row(n) for n in (3, 1, 2)])
    assert len(set(found.values())) == 3
    places = [sent[0].index(f"key-{n}") for n in (1, 2, 3)]
    assert places == sorted(places)
