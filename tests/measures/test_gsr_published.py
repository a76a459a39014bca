"""GSR on the toy collections of the paper, against values made by the published program."""

import json
from dataclasses import replace

import pytest

from monitor.lexicons.installed import find
from monitor.measures.gsr import Gsr
from monitor.model import Document, Unit
from monitor.ranked.asked import asked_of
from monitor.ranked.genderedness_lists import gendered, query_values_of
from monitor.ranked.genderedness_toy import PROFESSIONS, toy_slope

LEXICON = find("glove-6b-50d", None)
DISCOUNTS = {"mean": "none", "paper": "paper", "code": "code"}
TABLE_A4 = {
    "agency": """aggressive ambitious arrogant confident corageous critical decisive demanding
        hardworking independent possessive proud selfish strong stubborn""",
    "communion": """affectionate compassionate emotional generous honest nurturing outgoing patient
        polite romantic sensitive unselfish""",
}


@pytest.fixture
def toys(reference_data):
    return json.loads((reference_data / "oracles" / "a3_toy.json").read_text())


def given(per_query):
    run = {one["qid"]: [doc["id"] for doc in one["docs"]] for one in per_query}
    texts = {doc["id"]: doc["text"] for one in per_query for doc in one["docs"]}
    return run, texts, {one["qid"]: one["query"] for one in per_query}


def units_of(per_query):
    return [
        Unit(
            one["qid"],
            {},
            (),
            documents=(tuple(Document(doc["id"], doc["text"]) for doc in one["docs"]),),
            query=one["query"],
        )
        for one in per_query
    ]


@pytest.mark.parametrize("weights", DISCOUNTS)
@pytest.mark.parametrize("system", ["stereo", "neutral", "antistereo"])
@pytest.mark.parametrize("toy", ["toy1", "toy2"])
def test_slopes_of_the_toy_systems(toys, toy, system, weights):
    expected = toys["toys"][toy][system]["fit"][weights]
    run, texts, queries = given(toys["toys"][toy][system]["per_query"])
    measure = Gsr(floor=3, discount=DISCOUNTS[weights])
    found = measure.score(run, texts, queries=queries, lexicon=LEXICON, draws=200)
    assert (found.planned, found.used) == (20, expected["n"])
    assert found.value == pytest.approx(expected["slope"], abs=1e-9)
    assert found.slope_se == pytest.approx(expected["se"], abs=1e-9)
    assert found.details["intercept"] == pytest.approx(expected["intercept"], abs=1e-9)
    assert found.details["query_mean"] == pytest.approx(expected["mean_gq"], abs=1e-9)
    assert found.details["query_variance"] == pytest.approx(expected["var_gq_pop"], abs=1e-9)
    assert sum(found.per_query.values()) / 20 == pytest.approx(expected["mean_gL"], abs=1e-9)
    if system == "neutral":
        assert abs(found.value) < 1e-12
        assert "r" not in found.details  # lists that are all alike follow nothing
    else:
        assert found.details["r"] == pytest.approx(expected["r"], abs=1e-9)
        assert found.low < found.value < found.high
        assert found.bound_low == found.value == found.bound_high


@pytest.mark.parametrize("weights", DISCOUNTS.values())
@pytest.mark.parametrize("toy", ["toy1", "toy2"])
def test_stereotype_and_counter_stereotype_are_each_others_negative(toys, toy, weights):
    measure = Gsr(floor=3, discount=weights)
    slopes = [
        measure.score(run, texts, queries=queries, lexicon=LEXICON, draws=0).value
        for run, texts, queries in (
            given(toys["toys"][toy][system]["per_query"]) for system in ("stereo", "antistereo")
        )
    ]
    assert abs(sum(slopes)) < 1e-12


@pytest.mark.parametrize("system", ["stereo", "neutral", "antistereo"])
@pytest.mark.parametrize("toy", ["toy1", "toy2"])
def test_queries_and_documents_of_the_toy_systems(toys, toy, system):
    per_query = sorted(toys["toys"][toy][system]["per_query"], key=lambda one: one["qid"])
    asked = asked_of(units_of(per_query), {})
    rules = Gsr().rules
    x = query_values_of(asked, LEXICON, rules)
    assert x == pytest.approx([one["g_q"] for one in per_query], abs=1e-9)
    lists = gendered(asked, asked.lists, LEXICON, rules)
    for row, one in enumerate(per_query):
        expected = [doc["g"] for doc in one["docs"]]
        assert lists.documents[row, : len(expected)] == pytest.approx(expected, abs=1e-9)


def test_a_word_that_the_lexicon_lacks_is_dropped_with_its_document(reference_data, toys):
    told = json.loads((reference_data / "oracles" / "a5_toy2_table_a4_lists.json").read_text())
    queries = {one: one for some in PROFESSIONS.values() for one in some}
    agency, communion = (some.split() for some in TABLE_A4.values())
    spelled = [word.replace("corageous", "courageous") for word in agency]
    for label, words in (("corageous_document_dropped", agency), ("spelled_courageous", spelled)):
        lists = {
            "S": {"man": words, "woman": communion},
            "N": {"man": words + communion, "woman": words + communion},
            "CS": {"man": communion, "woman": words},
        }
        for system, chosen in lists.items():
            run = {
                query: [f"The {query} is {word}." for word in chosen[whom]]
                for whom, some in PROFESSIONS.items()
                for query in some
            }
            texts = {text: text for some in run.values() for text in some}
            found = Gsr(floor=3, discount="none").score(
                run, texts, queries=queries, lexicon=LEXICON, draws=0
            )
            expected = told["fit"][label][system]
            assert found.value == pytest.approx(expected["slope"], abs=told["tolerance"])
            assert found.slope_se == pytest.approx(expected["se"], abs=told["tolerance"])
            with_it = label.startswith("corageous") * {"S": 10, "N": 20, "CS": 10}[system]
            assert found.details["documents_dropped"] == with_it


def test_the_worked_example(toys):
    told = toys["worked_example"]
    unit = Unit(
        "q",
        {},
        (),
        documents=(tuple(Document(str(n), text) for n, text in enumerate(told["docs"])),),
        query=told["query"],
    )
    asked = asked_of([unit], {})
    for discount, expected in (("paper", told["g_L_paper"]), ("code", told["g_L_code"])):
        lists = gendered(asked, asked.lists, LEXICON, replace(Gsr().rules, discount=discount))
        assert lists.documents[0] == pytest.approx(told["g_docs"], abs=1e-9)
        assert lists.per_list.values[0] == pytest.approx(expected, abs=1e-9)
    assert lists.per_list.values[0] > 0 > told["g_L_paper"]


def test_the_scale_of_a_lexicon_is_the_first_toy_system(toys):
    expected = toys["toys"]["toy1"]["stereo"]["fit"]["paper"]["slope"]
    assert toy_slope(LEXICON) == pytest.approx(expected, abs=1e-9)
    assert round(toy_slope(LEXICON), 3) == 0.632
