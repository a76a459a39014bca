"""What every source of reference shares must hold."""

import pytest

from monitor import registry
from monitor.data import read_table
from monitor.model import Origin

REFERENCES = registry.discover("references")
#: The others know nothing before a file is read, somebody is asked, or lists are seen.
TABLES = {name: one for name, one in REFERENCES.items() if one.origin is Origin.TABLE}
tables = pytest.mark.parametrize("table", TABLES.values(), ids=TABLES)


@pytest.fixture(params=REFERENCES.values(), ids=REFERENCES)
def reference(request):
    return request.param


def test_it_declares_itself(reference):
    assert reference.version >= 1
    assert reference.title
    assert isinstance(reference.as_of, str)


def test_what_has_to_be_found_out_is_not_made_up(reference):
    if reference.origin is not Origin.TABLE:
        assert reference.shares(["nurse"]) == reference.targets(["nurse"]) == {}


@tables
def test_every_group_of_a_topic_adds_up_to_one(table):
    for shares in table.targets(["nurse", "carpenter"]).values():
        assert {share.group for share in shares} == {"women", "men"}
        assert sum(share.value for share in shares) == pytest.approx(1)


@tables
def test_shares_are_of_the_topics_asked_and_within_0_and_1(table):
    topics = [row["occupation"] for row in read_table("occupations")]
    shares = table.shares(iter(topics))
    assert shares
    assert set(shares) <= set(topics)
    for topic, share in shares.items():
        assert share.key == topic
        assert 0 <= share.value <= 1
        assert share.source


@tables
def test_asking_twice_gives_the_same_and_no_shared_state(table):
    first = table.shares(["nurse"])
    first.clear()
    assert table.shares(["nurse"]) == table.shares(["nurse"]) != first
