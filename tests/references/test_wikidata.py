"""Shares among people recorded in Wikidata: everybody once, nothing without an answer."""

import re
from datetime import UTC, datetime
from urllib.parse import parse_qs

import pytest

from monitor.faults import judge_answer
from monitor.model import Answer, Fault, Origin, Outcome, Services
from monitor.references.wikidata import REFERENCE
from monitor.wikidata import facts, requests
from tests.cases import check_each
from tests.standins import faults, serve
from tests.standins import wikidata as standin
from tests.standins.wikidata import ENTITY, Item, Wikidata, asker, bindings, services
from tests.standins.wikidata_counts import Counting

MALE, FEMALE, TRANS_WOMAN, NON_BINARY = "Q6581097", "Q6581072", "Q1052281", "Q48270"
MALE_ORGANISM = "Q44148"
WRITER, POET, BAKER, MINER = "Q36180", "Q49757", "Q160131", "Q820037"


def people(*genders, of=(WRITER,), start=1000):
    """One person per entry: a value, a tuple of values, or () for nobody knows."""
    return [
        Item(f"Q{start + n}", f"N {n}", genders=g if isinstance(g, tuple) else (g,), occupations=of)
        for n, g in enumerate(genders)
    ]


def looked_up(app, **topics):
    with serve(app) as running:
        found = REFERENCE.look_up(topics or {"writer": WRITER}, asker(), services(running))
    return found, running.requests


def groups(shares):
    return {share.group: round(share.value * share.n) for share in shares}


def test_it_is_asked_outside_and_knows_nothing_by_itself():
    assert REFERENCE.origin is Origin.OUTSIDE
    assert REFERENCE.shares(["writer"]) == {}
    assert REFERENCE.targets(["writer"]) == {}


def test_shares_of_every_group_with_their_number_and_item():
    found, sent = looked_up(Counting(people(FEMALE, FEMALE, MALE, NON_BINARY)))
    women, men, other = found["writer"]
    assert (women.value, men.value, other.value) == (0.5, 0.25, 0.25)
    assert (women.group, men.group, other.group) == ("women", "men", "other")
    for share in found["writer"]:
        assert (share.key, share.source, share.country, share.as_of) == (
            "writer",
            "wikidata",
            "",
            "",
        )
        assert (share.n, share.word) == (4, WRITER)
    assert len(sent) == 4  # subclasses, two counts, who has several


def test_the_share_of_a_group_without_anybody_is_0():
    found, _ = looked_up(Counting(people(MALE, MALE)))
    assert groups(found["writer"]) == {"women": 0, "men": 2, "other": 0}


@check_each(
    ("genders", "expected"),
    [
        ((MALE, FEMALE), None),
        ((FEMALE, TRANS_WOMAN), "women"),
        ((FEMALE, NON_BINARY), "other"),
        ((FEMALE, "somevalue"), "women"),
        (((MALE, "normal"), (TRANS_WOMAN, "preferred")), "women"),
        (((MALE, "deprecated"), FEMALE), "women"),
        ((MALE_ORGANISM,), None),
        (("somevalue",), None),
        ((), None),
    ],
)
def test_who_has_several_values_counts_once_or_not_at_all(genders, expected):
    found, _ = looked_up(Counting([*people(MALE, MALE, FEMALE), *people(genders, start=2000)]))
    due = {"women": 1, "men": 2, "other": 0}
    if expected:
        due[expected] += 1
    assert groups(found["writer"]) == due


def test_nobody_counts_twice_through_subclasses():
    poets = people(FEMALE, of=(WRITER, POET))
    app = Counting([*poets, *people(MALE, of=(POET,), start=2000)], within={WRITER: (POET,)})
    found, _ = looked_up(app, writer=WRITER, poet=POET, poetess=POET)
    assert groups(found["writer"]) == groups(found["poet"]) == {"women": 1, "men": 1, "other": 0}
    assert [share.key for share in found["poetess"]] == ["poetess"] * 3


def test_only_humans_count_and_an_occupation_without_any_is_absent():
    character = Item("Q5000", "X", classes=("Q15632617",), genders=(FEMALE,), occupations=(BAKER,))
    found, _ = looked_up(Counting([character, *people(MALE)]), writer=WRITER, baker=BAKER)
    assert set(found) == {"writer"}


def test_a_topic_without_an_item_is_not_asked_for():
    assert looked_up(Counting(), writer="", baker="baker", miner="Q0") == ({}, [])


def test_a_batch_that_takes_too_long_is_asked_in_halves():
    topics = {"writer": WRITER, "poet": POET, "baker": BAKER, "miner": MINER}
    everybody = people(FEMALE, MALE, of=tuple(topics.values()))
    found, _ = looked_up(Counting(everybody, most=1), **topics)
    assert set(found) == set(topics)
    found, _ = looked_up(Counting(everybody, slow=(BAKER,)), **topics)
    assert set(found) == set(topics) - {"baker"}


@check_each("step", [1, 2, 3])
@check_each("answer", [standin.cut_short(), standin.qlever_exception(), faults.malformed()])
def test_a_single_occupation_without_all_its_answers_has_no_share(step, answer):
    script = [None] * step + [answer]
    assert looked_up(Counting(people(FEMALE, MALE), script=script))[0] == {}


def asked_in_memory(app):
    """The same stand-in without a network in between."""

    def ask(request):
        query = parse_qs(request.body.decode())["query"][0]
        came = app._sparql(query)
        answer = Answer(Outcome.OK, datetime.now(UTC), 0.1, status=came.status, body=came.body)
        return judge_answer(answer, requests.answer_trouble(answer))

    return ask


def test_halves_and_single_occupations_without_a_network():
    topics = {f"t{n}": f"Q{100 + n}" for n in range(12)}
    app = Counting(people(FEMALE, of=tuple(topics.values())), slow=("Q103",), most=2)
    found = REFERENCE.look_up(topics, asked_in_memory(app), Services())
    assert set(found) == set(topics) - {"t3"}
    broken = requests.sparql_request("https://wikidata.example", "SELECT")
    assert asked_in_memory(app)(broken).outcome is not Outcome.OK


def test_subclasses_are_asked_for_alone_without_a_network():
    topics = {f"t{n}": f"Q{100 + n}" for n in range(3)}
    app = Counting(people(FEMALE, of=tuple(topics.values())))
    refused = []

    def ask(request):
        if "P279" in request.body.decode() and not refused:
            refused.append(request)
            return Answer(Outcome.TIMEOUT, datetime.now(UTC), 60.0)
        return asked_in_memory(app)(request)

    assert set(REFERENCE.look_up(topics, ask, Services())) == set(topics)
    assert len(refused) == 1


def test_a_service_that_refuses_is_not_asked_for_halves():
    topics = {"writer": WRITER, "poet": POET}
    found, sent = looked_up(Counting(script=[None, standin.too_many()]), **topics)
    assert (found, len(sent)) == ({}, 2)


def test_subclasses_that_failed_are_asked_for_alone():
    topics = {f"t{n}": f"Q{100 + n}" for n in range(3)}
    everybody = people(FEMALE, of=tuple(topics.values()))
    found, _ = looked_up(Counting(everybody, script=[standin.timed_out()]), **topics)
    assert set(found) == set(topics)


@check_each(
    ("app", "plausible"),
    [
        (Counting(people(*[FEMALE] * 50)), True),
        (Counting(people(*[FEMALE] * 50), factor=2), False),  # more with a gender than there are
        (Counting(people(*[FEMALE] * 5, *[()] * 5)), True),
        (Counting(people(*[FEMALE] * 4, *[()] * 5)), False),  # fewer than half are recorded
        (Counting(people(*[FEMALE] * 9), hide=(FEMALE,)), False),  # an index without genders
    ],
)
def test_counts_that_contradict_each_other_are_no_share(app, plausible):
    assert bool(looked_up(app)[0]) is plausible


ROW = {"occupation": ENTITY + WRITER, "gender": ENTITY + FEMALE, "people": "3"}
BAD = [
    {"people": "3.0"},
    {"people": "-3"},
    {"people": "9" * 40},
    {"people": ""},
    {"gender": "female"},
    {"occupation": ENTITY + BAKER},
    {"occupation": "Q1"},
]


class Fixed(Wikidata):
    """Answers one row to every query that counts."""

    def __init__(self, row):
        super().__init__()
        self.row = row

    def _sparql(self, query):
        if "P279" in query:
            return super()._sparql(query)
        row = self.row if "?gender" in query.split("WHERE")[0] else {**ROW, "people": "3"}
        return bindings([] if "?another" in query else [row])


def test_a_row_that_says_nothing_is_what_some_services_answer_for_nobody():
    assert looked_up(Fixed({"people": "0"}))[0] == {}
    assert looked_up(Fixed(ROW))[0]


@check_each("change", BAD)
def test_rows_that_were_not_asked_for_are_no_answer(change):
    assert looked_up(Fixed(ROW | change))[0] == {}


def test_queries_name_their_prefixes_and_use_nothing_of_one_store_alone():
    for query in (facts.by_gender_query, facts.total_query, facts.several_query):
        text = query({WRITER: {POET}})
        assert text.startswith("PREFIX wd: ")
        assert f"(wd:{WRITER} wd:{WRITER}) (wd:{WRITER} wd:{POET})" in text
        assert not re.search(r"SERVICE|hint:|WITH|mwapi", text)
    with pytest.raises(ValueError, match="is no item"):
        facts.total_query({WRITER: {"Q1) (wd:Q2"}})


def test_a_trouble_is_still_one_for_whoever_decides_when_to_ask_again():
    with serve(Counting(slow=(WRITER,))) as running:
        query = facts.total_query({WRITER: ()})
        answer = asker()(requests.sparql_request(services(running).wikidata_sparql, query))
    assert answer.outcome != "ok"
    assert requests.answer_trouble(answer).fault in (Fault.TRANSIENT, Fault.BAD_REQUEST)
