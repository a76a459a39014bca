"""What is known of people: kept apart, only added to, and published as groups alone."""

from datetime import UTC, datetime, timedelta

import pytest
import sqlalchemy as sa

from monitor.labels.resolve import Resolution
from monitor.labels.settle import Rating
from monitor.labels.shown_entities import ShownEntity
from monitor.model import LabelState
from monitor.store import rows as store_rows
from monitor.store import schema
from monitor.store.derive import people
from monitor.wikidata.entities import VERSION
from tests.factories import Scripted, make_audit, mini_items, portuguese, rows, run_audit

NOW = datetime(2026, 1, 5, 5, tzinfo=UTC)
ADA = ShownEntity(
    "kg:/m/0ada", "Ada Lovelace", ("Q170790",), "https://g.test/?q=Ada", "British countess"
)
ADA_FOUND = Resolution(
    "kg:/m/0ada", LabelState.LABELLED, "women", "", "Q7259", ("Q1052281",), ("Q7259",), "P646"
)
BOB = ShownEntity("name:bob|", "Bob")
BOB_FOUND = Resolution("name:bob|", LabelState.UNRESOLVED, reason="no occupation to check by")
ZOE = ShownEntity("wd:Q9", "Zoë")
ZOE_FOUND = Resolution(
    "wd:Q9", LabelState.CONFLICT, "", "Wikidata records Q6581097 and Q6581072 at once", "Q9"
)
ALL = [(ADA, ADA_FOUND), (BOB, BOB_FOUND), (ZOE, ZOE_FOUND)]


def keep(database, *found, days=0):
    with database.begin() as connection:
        people.store_resolutions(connection, found, NOW + timedelta(days=days))


def rate(database, entity, group, by="a", days=0, comment=""):
    with database.begin() as connection:
        given = Rating(entity, group, by, NOW + timedelta(days=days), comment)
        people.store_ratings(connection, [given])


def publish(database, *entities, days=0):
    with database.begin() as connection:
        return people.publish_labels(connection, entities, NOW + timedelta(days=days))


def labels(database):
    with database.read() as connection:
        query = sa.select(schema.labels).where(schema.labels.c.is_current)
        return {row["entity"]: dict(row) for row in connection.execute(query).mappings()}


def known(database, *entities):
    with database.read() as connection:
        return people.read_resolutions(connection, entities or None)


def test_a_look_up_comes_back_as_it_was(database):
    keep(database, *ALL)
    found = known(database)
    assert {entity: (k.shown, k.resolution) for entity, k in found.items()} == {
        shown.entity: (shown, resolution) for shown, resolution in ALL
    }
    assert found["wd:Q9"].at == NOW
    assert found["wd:Q9"].mapping_version == VERSION
    assert set(known(database, "wd:Q9", "wd:Q10")) == {"wd:Q9"}


def test_nothing_is_kept_of_nobody(database):
    keep(database)
    with database.begin() as connection:
        people.store_ratings(connection, [])
    assert known(database) == {}


def test_the_newest_look_up_counts_and_the_others_stay(database):
    keep(database, (BOB, BOB_FOUND))
    later = Resolution(BOB.entity, LabelState.LABELLED, "men", qid="Q5555")
    keep(database, (BOB, later), days=1)
    assert known(database)[BOB.entity].resolution == later
    with database.read() as connection:
        table = schema.people_entities
        assert connection.execute(sa.select(sa.func.count()).select_from(table)).scalar() == 2


def test_ratings_are_only_added_and_the_newest_of_each_rater_counts(database):
    rate(database, "wd:Q9", "men", comment="first")
    rate(database, "wd:Q9", "women", days=1, comment="after a look")
    rate(database, "wd:Q9", "men", by="b")
    with database.read() as connection:
        found = people.read_ratings(connection)["wd:Q9"]
        assert {(r.by, r.group, r.comment) for r in found} == {
            ("a", "women", "after a look"),
            ("b", "men", ""),
        }
        assert people.read_ratings(connection, ["wd:Q10"]) == {}
        table = schema.people_ratings
        assert connection.execute(sa.select(sa.func.count()).select_from(table)).scalar() == 3


def test_only_the_group_is_published(database):
    keep(database, *ALL)
    assert publish(database, *(shown.entity for shown, _ in ALL), "wd:Q404") == 3
    found = labels(database)
    assert {e: (row["state"], row["grouping"]) for e, row in found.items()} == {
        ADA.entity: ("labelled", "women"),
        BOB.entity: ("unresolved", ""),
        ZOE.entity: ("conflict", ""),
    }
    text = " ".join(str(row[name]) for row in found.values() for name in ("reason", "source"))
    for secret in ("Q1052281", "Q6581097", "Q6581072", "Lovelace", "countess"):
        assert secret not in text
    assert found[ADA.entity]["as_of"] == NOW
    assert found[ADA.entity]["mapping_version"] == VERSION
    assert found[BOB.entity]["reason"] == "no occupation to check by"


def test_nothing_new_writes_nothing(database):
    keep(database, *ALL)
    publish(database, ADA.entity)
    keep(database, *ALL, days=1)
    assert publish(database, ADA.entity, days=1) == 0
    assert rows(database, "SELECT COUNT(*) AS n FROM labels") == [{"n": 1}]


def test_a_human_label_takes_the_place_and_the_old_one_stays(database):
    keep(database, (ADA, ADA_FOUND))
    publish(database, ADA.entity)
    rate(database, ADA.entity, "other", days=2)
    assert publish(database, ADA.entity, days=3) == 1
    [row] = labels(database).values()
    assert (row["grouping"], row["source"]) == ("other", "people")
    assert (row["as_of"], row["labelled_at"]) == (NOW + timedelta(days=2), NOW + timedelta(days=3))
    assert rows(database, "SELECT COUNT(*) AS n FROM labels") == [{"n": 2}]
    rate(database, ADA.entity, "women", by="b", days=4)
    publish(database, ADA.entity, days=5)
    [row] = labels(database).values()
    assert (row["state"], row["reason"]) == ("conflict", "raters disagree")


def test_labels_as_they_are_now(database):
    keep(database, *ALL)
    rate(database, "wd:Q77", "women")
    with database.read() as connection:
        found = people.settle_labels(connection)
        assert people.settle_labels(connection, ["wd:Q77"]) == {"wd:Q77": found["wd:Q77"]}
    assert set(found) == {ADA.entity, BOB.entity, ZOE.entity, "wd:Q77"}
    assert found[ZOE.entity].reason == ZOE_FOUND.reason


def test_hostile_text_is_stored(database):
    shown = ShownEntity("name:x|", "x\0\ud800';--", (), "https://x.test/\0", "\udfff")
    found = Resolution("name:x|", LabelState.UNRESOLVED, reason="said \0")
    keep(database, (shown, found))
    assert known(database)["name:x|"].shown.name == "x\ufffd\ufffd';--"
    rate(database, "name:x|", "women", comment="\0")


def test_many_entities_are_asked_for_in_portions(database, monkeypatch):
    monkeypatch.setattr(store_rows, "_CHUNK", 2)
    keep(database, *ALL)
    entities = [shown.entity for shown, _ in ALL]
    assert set(known(database, *entities, "wd:Q1", "wd:Q2")) == set(entities)
    assert publish(database, *entities) == 3
    rate(database, ADA.entity, "men")
    assert publish(database, *entities) == 1
    assert len(labels(database)) == 3


def test_the_occupations_that_were_asked_about(database, tmp_path):
    items = [item | {"occupation": "film_director"} for item in mini_items(1)]
    run_audit(database, make_audit(tmp_path, items=items), Scripted(portuguese(items)))
    with database.begin() as connection:
        first = connection.execute(sa.select(sa.func.min(schema.items.c.id))).scalar_one()
        shown = {"item_id": first, "entity": ADA.entity}
        connection.execute(sa.insert(schema.item_entities), [shown])
    with database.read() as connection:
        found = people.read_professions(connection, [ADA.entity, BOB.entity])
    assert found == {ADA.entity: ["film director"]}


def test_whoever_was_shown_can_be_labelled_without_any_look_up(database, tmp_path):
    items = mini_items(1)
    run_audit(database, make_audit(tmp_path, items=items), Scripted(portuguese(items)))
    with database.begin() as connection:
        tiles = [(1, "Ada L.", "/m/0ada"), (2, "Bob Ross", ""), (3, "Bob  Ross", "")]
        reading = connection.execute(sa.select(sa.func.min(schema.readings.c.id))).scalar_one()
        content = [
            {"reading_id": reading, "block": "carousel", "rank": rank, "text": "painter",
             "url": "https://g.test/", "title": title, "entity": entity}
            for rank, title, entity in tiles
        ]  # fmt: skip
        ids = connection.execute(
            sa.insert(schema.items).returning(schema.items.c.id, sort_by_parameter_order=True),
            content,
        ).scalars()
        keys = [ADA.entity, "name:bob ross|Q1", "name:bob ross|Q1"]
        shown = [{"item_id": i, "entity": key} for i, key in zip(ids, keys, strict=True)]
        connection.execute(sa.insert(schema.item_entities), shown)
    keep(database, (ADA, ADA_FOUND))
    with database.read() as connection:
        found = people.read_shown_entities(connection)
    assert found == {
        ADA.entity: (ADA, "Q7259"),
        "name:bob ross|Q1": (
            ShownEntity("name:bob ross|Q1", "Bob Ross", (), "https://g.test/", "painter"),
            "",
        ),
    }
    rate(database, "name:bob ross|Q1", "men")
    assert publish(database, "name:bob ross|Q1") == 1
    assert labels(database)["name:bob ross|Q1"]["source"] == "people"


@pytest.mark.parametrize("table", ["people_entities", "people_ratings"])
def test_nothing_of_it_is_in_the_main_schema(database, table):
    with database.read() as connection:
        assert not sa.inspect(connection).has_table(table)
        assert sa.inspect(connection).has_table(table, schema.PEOPLE)
