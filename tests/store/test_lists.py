"""Published lists do not change; probes are shared between lists."""

from datetime import UTC, datetime
from threading import Barrier

import pytest
import sqlalchemy as sa

from monitor.lists import load_list
from monitor.model import InvalidInput, Probe
from monitor.store.jobs import declarations
from monitor.store.schema import list_items, list_probes, probes
from tests.factories import make_list, mini_items
from tests.store.test_database import in_threads

NOW = datetime(2025, 1, 6, 5, tzinfo=UTC)


def publish(database, probe_list):
    with database.begin() as connection:
        return declarations.publish_list(connection, probe_list, NOW)


def test_a_list_is_published_once(database, tmp_path):
    probe_list = load_list(make_list(tmp_path))
    list_id = publish(database, probe_list)
    assert publish(database, load_list(make_list(tmp_path))) == list_id
    with database.read() as connection:
        stored = connection.execute(sa.select(list_items).order_by(list_items.c.position)).all()
        assert declarations.find_list_id(connection, probe_list) == list_id
        assert list(declarations.read_item_ids(connection, list_id)) == [
            i.key for i in probe_list.items
        ]
    assert [(row.key, row.text, row.tags) for row in stored] == [
        (item.key, item.text, dict(item.tags)) for item in probe_list.items
    ]


def changed_text(items):
    items[3]["text"] += " Really."


def changed_tag(items):
    items[3]["stereotype"] = "9"


def changed_order(items):
    items.reverse()


def one_less(items):
    items.pop()


@pytest.mark.parametrize("change", [changed_text, changed_tag, changed_order, one_less])
def test_a_list_edited_after_publication_is_refused(database, tmp_path, change):
    publish(database, load_list(make_list(tmp_path)))
    items = mini_items()
    change(items)
    with pytest.raises(InvalidInput, match="save it as mini@2"):
        publish(database, load_list(make_list(tmp_path, items=items)))


def test_a_new_title_is_no_edit(database, tmp_path):
    list_id = publish(database, load_list(make_list(tmp_path)))
    assert publish(database, load_list(make_list(tmp_path, title="A better title"))) == list_id


def test_the_next_version_is_a_list_of_its_own(database, tmp_path):
    first = publish(database, load_list(make_list(tmp_path)))
    items = mini_items()
    changed_text(items)
    second = publish(database, load_list(make_list(tmp_path, version=2, items=items)))
    assert first != second


def test_the_same_question_of_two_lists_is_one_probe(database, tmp_path):
    one = load_list(make_list(tmp_path))
    two = load_list(make_list(tmp_path, name="other"))
    found = []
    for probe_list in (one, two):
        with database.begin() as connection:
            ids = declarations.read_item_ids(
                connection, declarations.publish_list(connection, probe_list, NOW)
            )
            wanted = [(ids[i.key], Probe(i.text, "en", "pt")) for i in probe_list.items]
            found.append(declarations.ensure_probes(connection, wanted))
    assert found[0] == found[1]
    with database.read() as connection:
        assert len(connection.execute(sa.select(probes.c.id)).all()) == len(one.items)
        assert len(connection.execute(sa.select(list_probes)).all()) == 2 * len(one.items)


def test_probes_come_back_in_the_order_wanted_with_their_fields(database, tmp_path):
    probe_list = load_list(make_list(tmp_path))
    with database.begin() as connection:
        ids = declarations.read_item_ids(
            connection, declarations.publish_list(connection, probe_list, NOW)
        )
        item = ids["s01-1"]
        wanted = [
            (item, Probe("a", "en", "pt")),
            (item, Probe("a", "en", "es")),
            (item, Probe("a", "en", "pt", "PT", (("formality", "more"),))),
            (item, Probe("a", "en", "pt")),
        ]
        got = declarations.ensure_probes(connection, wanted)
        assert got[0] == got[3]
        assert len(set(got)) == 3
        for number, (_, probe) in zip(got, wanted, strict=True):
            row = connection.execute(sa.select(probes).where(probes.c.id == number)).one()
            assert row.key == probe.key
            assert (row.text, row.source_lang, row.target_lang, row.region) == (
                probe.text,
                probe.source_lang,
                probe.target_lang,
                probe.region,
            )
            assert row.parameters == dict(probe.parameters)


def test_two_writers_publish_one_list(database, tmp_path):
    probe_list = load_list(make_list(tmp_path))
    found, gate = [], Barrier(2)

    def write():
        with database.begin() as connection:
            if not database.keeps_files:  # SQLite begins writers one by one
                connection.execute(sa.select(1))
                gate.wait()
            found.append(declarations.publish_list(connection, probe_list, NOW))

    in_threads(write, write)
    assert len(found) == 2
    assert len(set(found)) == 1
