"""Raw answers: in the row, as a file, damaged, gone."""

import hashlib
import random
import threading
from datetime import UTC, datetime
from pathlib import Path

import pytest
import sqlalchemy as sa

from monitor.model import StoreProblem
from monitor.store.collect import bodies
from monitor.store.database import connect
from monitor.store.schema import bodies as table

NOW = datetime(2025, 1, 6, 5, tzinfo=UTC)
SMALL = b"Estou cansada." * 3
LARGE = random.Random(1).randbytes(20_000)  # noqa: S311 - does not compress


def put(database, body, retention="answer"):
    with database.begin() as connection:
        return bodies.store_body(connection, database, body, retention, NOW)


def get(database, body_id):
    with database.read() as connection:
        return bodies.read_body(connection, database, body_id)


def row(database, body_id):
    with database.read() as connection:
        return connection.execute(sa.select(table).where(table.c.id == body_id)).one()


def files(database):
    return sorted(path for path in database.bodies.rglob("*") if path.is_file())


@pytest.mark.parametrize("body", [SMALL, LARGE, b"\x00", bytes(100_000)])
def test_a_body_comes_back_as_it_was(database, body):
    assert get(database, put(database, body)) == body


def test_no_body_is_no_row(database):
    assert put(database, b"") is None
    assert get(database, None) == b""
    with database.read() as connection:
        assert bodies.list_body_ids(connection) == []


def test_small_bodies_stand_in_the_row(database):
    stored = row(database, put(database, SMALL))
    assert stored.content is not None
    assert (stored.size, stored.encoding, stored.retention) == (len(SMALL), "zstd", "answer")
    assert stored.stored_at == NOW
    assert files(database) == []


def test_large_bodies_are_files_on_sqlite_and_rows_on_postgresql(database):
    stored = row(database, put(database, LARGE))
    if database.keeps_files:
        assert stored.content is None
        [path] = files(database)
        assert path == database.bodies / stored.sha256[:2] / f"{stored.sha256}.zst"
    else:
        assert len(stored.content) > bodies.INLINE_LIMIT
        assert files(database) == []


def test_the_limit_is_of_the_compressed_size(sqlite_database):
    """4 KiB. Random bytes grow by a fixed frame, so the limit can be met to the byte."""
    import zstandard

    assert bodies.INLINE_LIMIT == 4096
    frame = len(zstandard.ZstdCompressor(level=9).compress(LARGE[:4000])) - 4000
    inside, outside = LARGE[: bodies.INLINE_LIMIT - frame], LARGE[: bodies.INLINE_LIMIT - frame + 1]
    assert row(sqlite_database, put(sqlite_database, inside)).content is not None
    assert row(sqlite_database, put(sqlite_database, outside)).content is None


@pytest.mark.parametrize("body", [SMALL, LARGE])
def test_the_same_body_is_kept_once(database, body):
    assert put(database, body) == put(database, body)
    with database.read() as connection:
        assert len(bodies.list_body_ids(connection)) == 1
    assert len(files(database)) <= 1


def test_the_same_bodies_in_opposite_order_at_once(database):
    """Each transaction would wait for a row of the other one, if they inserted as they came."""
    problems = []

    def store(some, gate):
        try:
            gate.wait(30)
            with database.begin() as connection:
                ids = bodies.store_bodies(
                    connection, database, [(one, "answer", NOW) for one in some]
                )
            found = [row(database, number).sha256 for number in ids]
            assert found == [hashlib.sha256(one).hexdigest() for one in some]
        except Exception as error:  # noqa: BLE001 - handed over to the test
            problems.append(error)

    for time in range(8):
        some = [f"{time} {n} ".encode() * 40 for n in range(64)]
        gate = threading.Barrier(2)
        threads = [threading.Thread(target=store, args=(one, gate)) for one in (some, some[::-1])]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert problems == []


def test_known_lists_every_body(database):
    ids = [put(database, body) for body in (SMALL, LARGE, b"third")]
    with database.read() as connection:
        assert bodies.list_body_ids(connection) == ids


def test_a_missing_file_is_a_problem_that_names_the_answer(sqlite_database):
    body_id = put(sqlite_database, LARGE)
    [path] = files(sqlite_database)
    path.unlink()
    with pytest.raises(StoreProblem, match=path.stem):
        get(sqlite_database, body_id)


def test_a_truncated_file_is_a_problem(sqlite_database):
    body_id = put(sqlite_database, LARGE)
    [path] = files(sqlite_database)
    path.write_bytes(path.read_bytes()[:-100])
    with pytest.raises(StoreProblem, match="damaged"):
        get(sqlite_database, body_id)


def test_another_content_is_a_problem(database):
    import zstandard

    body_id = put(database, SMALL)
    other = zstandard.compress(b"Estou cansado." * 3)
    with database.begin() as connection:
        connection.execute(sa.update(table).values(content=other))
    with pytest.raises(StoreProblem, match="digest does not match"):
        get(database, body_id)


def test_a_file_that_was_changed_is_a_problem(sqlite_database):
    import zstandard

    body_id = put(sqlite_database, LARGE)
    [path] = files(sqlite_database)
    path.write_bytes(zstandard.compress(LARGE[::-1]))
    with pytest.raises(StoreProblem, match="digest does not match"):
        get(sqlite_database, body_id)


def test_a_folder_that_cannot_be_written_is_a_problem(sqlite_database, tmp_path):
    (tmp_path / "file").write_text("")
    url = sqlite_database.writer.url.render_as_string()
    database = connect(url, tmp_path / "file" / "bodies")
    with pytest.raises(StoreProblem, match="cannot keep an answer"):
        put(database, LARGE)
    with sqlite_database.read() as connection:
        assert bodies.list_body_ids(connection) == []


def test_a_write_that_fails_leaves_no_piece_of_a_file(sqlite_database, monkeypatch):
    def fail(self, target):
        raise OSError("disk is full")

    monkeypatch.setattr(Path, "replace", fail)
    with pytest.raises(StoreProblem, match="disk is full"):
        put(sqlite_database, LARGE)
    assert files(sqlite_database) == []


def cut(file):
    file.write_bytes(file.read_bytes()[:100])


@pytest.mark.parametrize("harm", [Path.unlink, cut], ids=["missing", "damaged"])
def test_a_file_that_is_gone_is_written_again_when_the_same_content_comes(sqlite_database, harm):
    number = put(sqlite_database, LARGE)
    [file] = files(sqlite_database)
    harm(file)
    with pytest.raises(StoreProblem, match=r"cannot be read|damaged"):
        get(sqlite_database, number)
    assert put(sqlite_database, LARGE) == number
    assert get(sqlite_database, number) == LARGE
    assert files(sqlite_database) == [file]


def test_what_stands_in_its_row_makes_no_file_when_it_comes_again(sqlite_database):
    assert put(sqlite_database, SMALL) == put(sqlite_database, SMALL)
    assert files(sqlite_database) == []
