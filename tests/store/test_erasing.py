"""What somebody wants erased is in no table and no file afterwards; the rest is what it was."""

import sqlite3
from datetime import timedelta

import pytest
import sqlalchemy as sa
import zstandard

from monitor import pipeline
from monitor.labels.resolve import Resolution
from monitor.labels.shown_entities import ShownEntity
from monitor.model import Answer, BodyRemoved, InvalidInput, LabelState, Outcome, Purpose, RunKind
from monitor.pipeline.collect.lookups import label_people
from monitor.pipeline.collect.run_context import RunContext
from monitor.pipeline.maintenance import Request, erase_subject, preview_erasure
from monitor.store.collect import bodies, evidence
from monitor.store.derive import people, texts
from monitor.store.maintenance import erasure
from monitor.store.maintenance.erasure_subjects import (
    ErasureSubject,
    hash_mark,
    list_marks,
    normalize_address,
)
from monitor.store.publish import verification
from monitor.store.schema import (
    documents,
    erasures,
    exchanges,
    item_entities,
    items,
    metadata,
    people_lookups,
)
from monitor.store.selectables import ListAnswers
from tests import kept
from tests.cases import check_each
from tests.factories import quiet, rows
from tests.kept import kept_database, kept_folder, kept_postgres  # noqa: F401 - fixtures
from tests.saved import page

KEY = "a long random text"
NOW = kept.DUE + timedelta(days=30)
NAME, ENTITY = "Judit Example", "kg:/m/0abc1"
URL = "https://lists.test/chess?a=1&b=2"


@pytest.fixture
def audited(kept_database):  # noqa: F811
    return kept_database


def request(what, reason="request 17 of June", profession="", key=KEY):
    return Request(what, reason, key, profession)


def gone(database, content):
    from hashlib import sha256

    query = "SELECT removed_because AS why FROM bodies WHERE sha256 = :sha256"
    return rows(database, query, sha256=sha256(content).hexdigest())[0]["why"]


def everything(database):
    """All that the tables hold, as text; packed contents unpacked."""
    with database.read() as connection:
        for table in metadata.tables.values():
            for row in connection.execute(sa.select(table)).all():
                yield from ((table.name, as_bytes(value)) for value in row)


def as_bytes(value):
    if not isinstance(value, bytes):
        return str(value).encode()
    packed = value.startswith(b"\x28\xb5\x2f\xfd")
    return zstandard.decompress(value, max_output_size=2**24) if packed else value


def holders(database, *words):
    """Tables that hold one of the words."""
    return {
        name
        for name, value in everything(database)
        if any(word.lower().encode() in value.lower() for word in words)
    }


def files_holding(database, *words):
    """Files beside the database, and bodies, that hold one of the words anywhere."""
    folder = database.bodies.parent
    found = set()
    for path in [*folder.glob("monitor*.db*"), *database.bodies.rglob("*.zst")]:
        content = path.read_bytes()
        if path.suffix == ".zst":
            content = zstandard.decompress(content, max_output_size=2**24)
        if any(word.lower().encode() in content.lower() for word in words):
            found.add(path.name)
    return found


def tile(database, name=NAME):
    return rows(database, "SELECT * FROM items WHERE title = :name ORDER BY id", name=name)


# --- a person -------------------------------------------------------------------------------------


@pytest.mark.parametrize("what", [ENTITY, "Q4711", NAME, "judit  EXAMPLE"])
def test_nothing_of_a_person_stays(audited, what):
    words = (NAME, "Judit", ENTITY, "/m/0abc1", "Q4711")
    pages = {"bodies"} - ({"bodies"} if audited.keeps_files else set())  # or in a file
    assert holders(audited, *words) == pages | {
        "items", "item_entities", "labels", "people_entities",
    }  # fmt: skip
    before = rows(audited, "SELECT id, sha256, size FROM bodies ORDER BY id")
    result = erase_subject(audited, request(what), NOW)
    assert holders(audited, *words) == set()
    if audited.keeps_files:
        assert files_holding(audited, *words) == set()
    assert (result.kind, result.runs, result.remains) == ("person", (1,), {})
    assert {name: n for name, n in result.counts.items() if n} == {
        "items": 1, "bodies": 2, "lookups": 1, "people": 2,
    }  # fmt: skip
    assert rows(audited, "SELECT id, sha256, size FROM bodies ORDER BY id") == before
    with audited.read() as connection:
        verified = verification.verify_contents(connection, audited)
        page_id = rows(audited, "SELECT body_id AS id FROM exchanges WHERE id = 1")[0]["id"]
        with pytest.raises(BodyRemoved, match="removed on 2025-02-05 \\(erased\\)"):
            bodies.read_body(connection, audited, page_id)
    assert (verified.broken, verified.removed) == (0, 3)


def test_who_stands_beside_an_erased_person_stays(audited):
    erase_subject(audited, request(ENTITY), NOW)
    assert len(tile(audited, "Magnus Example")) == 1
    assert rows(audited, "SELECT DISTINCT entity FROM item_entities") == [{"entity": "kg:/m/0abc2"}]
    left = rows(audited, "SELECT * FROM items WHERE erasure_id IS NOT NULL ORDER BY id")
    assert len(left) == 1
    assert {(one["text"], one["title"], one["url"], one["entity"]) for one in left} == {
        ("", "", "", "")
    }
    assert gone(audited, kept.LARGE) == gone(audited, kept.PNG) == "erased"
    assert gone(audited, page(name="blocked")) == ""


def test_a_preview_changes_nothing(audited):
    before = list(everything(audited))
    said = preview_erasure(audited, request(ENTITY))
    assert list(everything(audited)) == before
    assert said.counts == erase_subject(audited, request(ENTITY), NOW).counts


def test_one_tombstone_for_each_way_to_meet_a_person_again(audited):
    erase_subject(audited, request("Q4711"), NOW)
    found = rows(audited, "SELECT * FROM erasures ORDER BY id")
    hashes = {hash_mark(KEY, one) for one in ("kg:/m/0abc1", "wd:Q4711", "name:judit example")}
    assert {one["subject_hash"] for one in found} == hashes
    assert {(one["kind"], one["reason"]) for one in found} == {("person", "request 17 of June")}
    with audited.read() as connection:
        counts = connection.execute(sa.select(erasures.c.counts)).scalars().all()
        keys = ["kg:/m/0abc1", "kg:/m/0abc2", "wd:Q4711", "name:judit example|Q7", "name:judit|"]
        assert erasure.find_erased(connection, keys, KEY) == {
            "kg:/m/0abc1", "wd:Q4711", "name:judit example|Q7",
        }  # fmt: skip
        with pytest.raises(InvalidInput, match="MONITOR_ADDRESS_KEY"):
            erasure.find_erased(connection, keys, "another")
        with pytest.raises(InvalidInput, match="MONITOR_ADDRESS_KEY"):
            erasure.find_erased(connection, keys, "")
    assert counts[0]["items"] == 1
    assert [one["of"] for one in counts[1:]] == [found[0]["id"]] * 2


def test_nobody_was_erased(audited):
    with audited.read() as connection:
        assert erasure.find_erased(connection, [ENTITY], "") == set()


def test_an_erased_person_is_not_looked_up_again(audited, tmp_path):
    """The same page comes again in the next run; nothing is asked about whom it showed."""
    erase_subject(audited, request(ENTITY), NOW)
    audit = kept.audit_of(tmp_path)
    tick = pipeline.start(audited, audit, RunKind.SCHEDULED, kept.DUE + timedelta(days=7))
    again(audited, audit, tick)
    asked = []

    class Asked:
        def fetch(self, requests):
            for index, one in enumerate(requests):
                asked.append(one)
                yield index, Answer(Outcome.FAILED, NOW, 0.1)

    def label(key):
        around = RunContext(address_key=key)
        return label_people(audited, audit, tick, Asked(), around, quiet, lambda: False)

    assert "MONITOR_ADDRESS_KEY" in label("another")[0]
    assert asked == []
    label(KEY)
    assert rows(audited, "SELECT DISTINCT entity FROM item_entities") == [{"entity": "kg:/m/0abc2"}]
    assert "0abc1" not in str(asked)
    assert "0abc2" in str(asked)
    with audited.read() as connection:
        assert people.find_unknown(connection, tick.id) == (1, 1)


def again(database, audit, tick):
    """Both tiles and both results once more, as the page of another run."""
    with database.begin() as connection:
        copy(connection, tick.id)


def copy(connection, run_id):
    """Exchange, attempt, reading and items as they came, in another run."""
    exchange = dict(connection.execute(sa.select(exchanges)).mappings().first())
    exchange |= {"id": 900 + run_id, "run_id": run_id, "body_id": None, "screenshot_id": None}
    connection.execute(sa.insert(exchanges).values(exchange))
    attempts, readings = metadata.tables["attempts"], metadata.tables["readings"]
    first = connection.execute(sa.select(attempts).where(attempts.c.run_id == run_id)).first()
    change = sa.update(attempts).where(attempts.c.id == first.id)
    connection.execute(change.values(exchange_id=exchange["id"], position=0, final=True))
    reading = dict(connection.execute(sa.select(readings)).mappings().first())
    reading |= {"id": 900 + run_id, "attempt_id": first.id}
    connection.execute(sa.insert(readings).values(reading))
    some = [
        ("carousel", 1, NAME, "", "/m/0abc1"),
        ("carousel", 2, "Magnus Example", "", "/m/0abc2"),
        ("organic", 1, "Lists of players", URL, ""),
    ]
    content = [
        {"reading_id": reading["id"], "block": block, "rank": rank, "title": title, "url": url,
         "entity": entity, "text": ""}
        for block, rank, title, url, entity in some
    ]  # fmt: skip
    connection.execute(sa.insert(items), content)


def test_results_that_speak_of_a_person_go_as_well(audited):
    """A name within a text, an address or another spelling; a longer word is another name."""
    spoken = ["About JUDIT EXAMPLE, a player", "https://x.test/wiki/Judit_Example"]
    other = ["Judit Examples", "xJudit Example", "Example Judit", "judit"]
    with audited.begin() as connection:
        reading = connection.execute(sa.select(items.c.reading_id).limit(1)).scalar_one()
        content = [
            {"reading_id": reading, "block": "organic", "rank": rank, "title": "", "entity": "",
             "text": "" if "://" in text else text, "url": text if "://" in text else ""}
            for rank, text in enumerate(spoken + other, start=50)
        ]  # fmt: skip
        connection.execute(sa.insert(items), content)
    assert erase_subject(audited, request(ENTITY), NOW).counts["items"] == 3
    left = rows(audited, "SELECT text FROM items WHERE rank >= 50 AND erasure_id IS NULL")
    assert [one["text"] for one in left] == other


def test_the_same_person_under_several_keys(audited):
    """Resolutions say that two keys are of one item."""
    with audited.begin() as connection:
        entity = "name:j. example|Q5"
        resolution = Resolution(entity, LabelState.LABELLED, "women", qid="Q4711")
        whom = ShownEntity(entity, "J. Example", ("Q5",))
        people.store_resolutions(connection, [(whom, resolution)], NOW)
        people.publish_labels(connection, [entity], NOW)
        doubt = Resolution("kg:/m/0abc2", LabelState.UNRESOLVED, candidates=("Q4711", "Q9"))
        people.store_resolutions(connection, [(ShownEntity("kg:/m/0abc2", "Magnus"), doubt)], NOW)
    erase_subject(audited, request(ENTITY), NOW)
    assert holders(audited, "J. Example", "Q4711") == set()
    [left] = rows(audited, "SELECT entity, name FROM people.people_entities")
    assert left == {"entity": "kg:/m/0abc2", "name": "Magnus"}


def test_a_name_that_several_people_have_is_refused(audited):
    with audited.begin() as connection:
        for number in (1, 2):
            entity = f"kg:/m/0nam{number}"
            resolution = Resolution(entity, LabelState.LABELLED, "men", qid=f"Q{number}")
            people.store_resolutions(
                connection, [(ShownEntity(entity, "A. Namesake"), resolution)], NOW
            )
    with pytest.raises(InvalidInput, match="fits 2 people: Q1, Q2"):
        erase_subject(audited, request("a. namesake"), NOW)
    assert erase_subject(audited, request("Q1"), NOW).counts["people"] == 1


def test_a_name_for_one_profession_leaves_the_others(audited):
    """Pages of chess players and of nurses show her; only one list has the profession o0."""
    with audited.read() as connection:
        subject = erasure.find_subject(connection, NAME, "o0")
        found = erasure.find_erasable(
            connection, ErasureSubject("person", names=(NAME,), profession="o0"), id
        )
    assert subject.entities >= {ENTITY}
    assert len(found.items) == 1
    with audited.read() as connection:
        nobody = erasure.find_subject(connection, NAME, "plumber")
    assert nobody.entities == frozenset()


def test_answers_of_look_ups_that_name_a_person_go(audited):
    """Whatever they were made for; in JSON that writes letters as codes, too."""
    answers = [b'{"label": "Judit Example"}', b'{"x": ["Q4711"]}', b'{"x": "Q47112"}', b"other"]
    with audited.begin() as connection:
        for body in answers:
            given = Answer(Outcome.OK, NOW, 0.1, body=body)
            evidence.store_lookup(
                connection, audited, 1, Purpose.LABEL, {"url": "https://w.test"}, given
            )
    erase_subject(audited, request(ENTITY), NOW)
    with audited.read() as connection:
        table = people_lookups.c
        found = connection.execute(sa.select(table.request, table.body).order_by(table.id)).all()
    erased = [request == {"erased": True} for request, _ in found]
    assert erased == [True, True, True, False, False]
    assert all(bytes(body).startswith(b"removed on") for _, body in found[:3])


# --- an address -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "what", [URL, "http://LISTS.test:80/chess/?a=1&b=2#top", "https://lists.test/*"]
)
def test_nothing_of_an_address_stays_in_any_run(audited, tmp_path, what):
    """The address stands in two runs; its page was read in both."""
    audit = kept.audit_of(tmp_path)
    tick = pipeline.start(audited, audit, RunKind.SCHEDULED, kept.DUE + timedelta(days=7))
    again(audited, audit, tick)
    with audited.begin() as connection:
        for run_id in (1, tick.id):
            asked = {"method": "GET", "url": URL, "redirects": [URL]}
            given = Answer(Outcome.OK, NOW, 0.1, url=URL, body=b"<p>words of it</p>")
            lookup = evidence.store_lookup(
                connection, audited, run_id, Purpose.LANDING, asked, given
            )
            some = [
                texts.StoredDocument(URL, "words of it", lookup_id=lookup, detail=f"at {URL}"),
                texts.StoredDocument("https://other.test/", "other words"),
            ]
            texts.store_documents(connection, audited, f"landing:{run_id}", some, NOW)
    words = ("lists.test", "words of it")
    assert holders(audited, *words) == {"bodies", "documents", "items", "lookups"}
    result = erase_subject(audited, request(what), NOW)
    assert holders(audited, *words) == set()
    if audited.keeps_files:
        assert files_holding(audited, *words) == set()
    assert (result.kind, result.runs, result.remains) == ("url", (1, tick.id), {})
    assert (result.counts["documents"], result.counts["lookups"]) == (2, 2)
    with audited.read() as connection:
        assert verification.verify_contents(connection, audited).broken == 0
        found = texts.read_stored_texts(
            connection, audited, "landing:1", [URL, "https://other.test/"]
        )
        keys = connection.execute(
            sa.select(documents.c.key).where(documents.c.erasure_id.is_not(None))
        ).scalars()
        assert {key.partition(":")[0] for key in keys} == {"erased"}
        asked = [URL, "https://other.test/", "http://lists.test/chess/?a=1&b=2"]
        assert erasure.find_erased(connection, asked, KEY) == {asked[0], asked[2]}
    assert found == {"https://other.test/": "other words"}
    assert len(tile(audited)) == 2  # people beside it stay


def test_an_erased_result_is_a_missing_text_not_an_empty_one(audited):
    erase_subject(audited, request(URL), NOW)
    with audited.read() as connection:
        engine, parser = connection.execute(
            sa.text("SELECT a.engine_id, r.parser_id FROM readings r JOIN attempts a "
                    "ON a.id = r.attempt_id ORDER BY r.id LIMIT 1")
        ).one()  # fmt: skip
        of = ListAnswers(1, engine, 0, ("en", ""), parser)
        found = texts._read_results(connection, of, "organic")
    made = [
        texts._make_shown(one, texts.WordSource(), {}).text
        for (_, block), some in found.items()
        if block == "organic"
        for one in some
    ]
    assert made.count(None) == 1
    assert all(text for text in made if text is not None)


def test_an_article_of_wikipedia_takes_its_entity_along(audited):
    with audited.begin() as connection:
        number = connection.execute(
            sa.select(items.c.id).where(items.c.url.contains("Chess_player"))
        ).scalars().first()  # fmt: skip
        people.store_entities(connection, [(number, "wiki:en:Chess_player")])
    erase_subject(audited, request("https://en.wikipedia.org/wiki/Chess_player"), NOW)
    assert holders(audited, "Chess_player") == set()
    with audited.read() as connection:
        assert erasure.find_erased(connection, ["wiki:en:Chess_player"], KEY)


@check_each(
    ("address", "expected"),
    [
        ("https://Example.com/People/Ada/", "example.com/People/Ada"),
        ("http://example.com:80", "example.com"),
        ("https://example.com:8443/a#b", "example.com:8443/a"),
        ("https://bücher.test/%C3%A9?q=1", "xn--bcher-kva.test/é?q=1"),
        ("ftp://example.com/a", ""),
        ("https://[broken", ""),
        ("no address", ""),
        ("", ""),
    ],
)
def test_equal_addresses_are_equal(address, expected):
    assert normalize_address(address) == expected


def test_a_beginning_is_met_in_all_that_begin_so():
    assert list_marks("https://a.test/people/ada?x=1") == [
        "url:a.test/people/ada?x=1", "url:a.test/*", "url:a.test/people/*",
        "url:a.test/people/ada/*",
    ]  # fmt: skip
    subject = ErasureSubject("url", addresses=("a.test/people/*",))
    addresses = ["https://a.test/people/x", "https://a.test/people", "https://a.test/peoples"]
    assert [subject.is_of(one) for one in addresses] == [True, True, False]


# --- what is refused, and what is left ------------------------------------------------------------


@check_each(
    ("what", "reason", "key", "words"),
    [
        (ENTITY, "for Judit Example", KEY, "must not hold"),
        (ENTITY, "item Q4711", KEY, "must not hold"),
        (URL, "see lists.test/chess?a=1&b=2", KEY, "must not hold"),
        ("Cher", "asked by cher.", KEY, "must not hold"),
        (ENTITY, "  ", KEY, "say why"),
        (ENTITY, "request 1", "", "MONITOR_ADDRESS_KEY"),
        ("https://a.test/*/b", "request 1", KEY, "no address"),
        ("https://", "request 1", KEY, "no address"),
        ("!?", "request 1", KEY, "no name"),
    ],
)
def test_what_cannot_be_erased_so(audited, what, reason, key, words):
    before = list(everything(audited))
    with pytest.raises(InvalidInput, match=words):
        erase_subject(audited, request(what, reason, key=key), NOW)
    assert list(everything(audited)) == before


def test_another_key_than_before_is_refused(audited):
    erase_subject(audited, request(URL), NOW)
    with pytest.raises(InvalidInput, match="not the key"):
        erase_subject(audited, request(ENTITY, key="another"), NOW)


def test_lists_of_ones_own_are_named_not_changed(audited):
    result = erase_subject(audited, request("list of nurses"), NOW)
    assert set(result.remains) >= {"probes.text", "list_items.text"}
    assert rows(audited, "SELECT text FROM probes WHERE text = 'list of nurses'")


def test_whom_nothing_is_kept_of_is_remembered_all_the_same(audited):
    assert not any(erase_subject(audited, request("Q99"), NOW).counts.values())
    with audited.read() as connection:
        assert erasure.find_erased(connection, ["wd:Q99"], KEY) == {"wd:Q99"}


def test_what_comes_in_while_we_erase_goes_too(audited, tmp_path, monkeypatch):
    audit = kept.audit_of(tmp_path)
    tick = pipeline.start(audited, audit, RunKind.SCHEDULED, kept.DUE + timedelta(days=7))
    apply = erasure.erase_rows

    def late(connection, *rest):
        found = apply(connection, *rest)
        monkeypatch.setattr(erasure, "erase_rows", apply)
        copy(connection, tick.id)
        return found

    monkeypatch.setattr(erasure, "erase_rows", late)
    result = erase_subject(audited, request(ENTITY), NOW)
    assert result.counts["items"] == 2
    assert holders(audited, NAME, "0abc1") == set()


def test_free_pages_hold_nothing(sqlite_database, tmp_path, monkeypatch):
    """Also what was deleted before anybody thought of erasing it."""
    kept.kept_run(sqlite_database, tmp_path, monkeypatch)
    with sqlite_database.begin() as connection:
        connection.exec_driver_sql("PRAGMA main.secure_delete = OFF").fetchall()
        content = [
            {"item_id": row.id, "entity": f"{ENTITY}{'x' * 900}"}
            for row in connection.execute(sa.select(items.c.id)).all()
        ]
        connection.execute(sa.delete(item_entities))
        connection.execute(sa.insert(item_entities), content)
        connection.execute(sa.delete(item_entities))
    with sqlite3.connect(tmp_path / "monitor.db") as plain:
        plain.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    plain.close()
    assert "monitor.db" in files_holding(sqlite_database, ENTITY + "xxx")
    erase_subject(sqlite_database, request(ENTITY), NOW)
    assert files_holding(sqlite_database, ENTITY, NAME) == set()
