"""GSR on the toy collections of the paper, against values made by the published program."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from monitor.lexicons.installed import find
from monitor.measures.gsr.gsr import Gsr
from monitor.model import Document, Unit
from monitor.ranked import genderedness
from monitor.ranked.genderedness import PROFESSIONS, query_values_of, score_lists, toy_slope
from monitor.ranked.inputs import asked_of
from monitor.text import nouns
from tests.cases import check_each

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


@check_each("weights", DISCOUNTS)
@check_each("system", ["stereo", "neutral", "antistereo"])
@check_each("toy", ["toy1", "toy2"])
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


@check_each("weights", DISCOUNTS.values())
@check_each("toy", ["toy1", "toy2"])
def test_stereotype_and_counter_stereotype_are_each_others_negative(toys, toy, weights):
    measure = Gsr(floor=3, discount=weights)
    slopes = [
        measure.score(run, texts, queries=queries, lexicon=LEXICON, draws=0).value
        for run, texts, queries in (
            given(toys["toys"][toy][system]["per_query"]) for system in ("stereo", "antistereo")
        )
    ]
    assert abs(sum(slopes)) < 1e-12


@check_each("system", ["stereo", "neutral", "antistereo"])
@check_each("toy", ["toy1", "toy2"])
def test_queries_and_documents_of_the_toy_systems(toys, toy, system):
    per_query = sorted(toys["toys"][toy][system]["per_query"], key=lambda one: one["qid"])
    asked = asked_of(units_of(per_query), {})
    rules = Gsr().rules
    x = query_values_of(asked, LEXICON, rules)
    assert x == pytest.approx([one["g_q"] for one in per_query], abs=1e-9)
    lists = score_lists(asked, asked.lists, LEXICON, rules)
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
        lists = score_lists(asked, asked.lists, LEXICON, replace(Gsr().rules, discount=discount))
        assert lists.documents[0] == pytest.approx(told["g_docs"], abs=1e-9)
        assert lists.per_list.values[0] == pytest.approx(expected, abs=1e-9)
    assert lists.per_list.values[0] > 0 > told["g_L_paper"]


def test_the_scale_of_a_lexicon_is_the_first_toy_system(toys):
    expected = toys["toys"]["toy1"]["stereo"]["fit"]["paper"]["slope"]
    assert toy_slope(LEXICON) == pytest.approx(expected, abs=1e-9)
    assert round(toy_slope(LEXICON), 3) == 0.632


def published_lemma(word):
    """The one lemma that the published program gives a word: the shortest that WordNet finds."""
    table = nouns._load_table()
    if word in table.lemmas:
        found = [form for form in (word, *table.lemmas[word]) if form in table.nouns]
        return min(found, key=len, default=word)
    found, forms = [word] if word in table.nouns else [], [word]
    first = True
    while forms and (first or not found):  # the rules are used again until there is a noun
        forms = [
            form[: -len(old)] + new
            for form in forms
            for old, new in nouns._ENDINGS
            if form.endswith(old)
        ]
        found += [form for form in forms if form in table.nouns]
        first = False
    return min(found, key=len, default=word)


def test_how_far_the_default_departs_from_the_published_lemmas(reference_data, monkeypatch):
    """The figures of docs/methods.md."""
    told = json.loads((reference_data / "oracles" / "c1_nfairr_lee.json").read_text())
    run = {query: [str(one) for one in documents] for query, documents in told["run"].items()}

    def score():
        return Gsr(floor=3).score(
            run, told["docs"], queries=told["queries"], lexicon=LEXICON, draws=0
        )

    def same_lemma(query, vocabulary):
        asked = {published_lemma(token) for token in query}
        return {word for word in vocabulary if published_lemma(word) in asked}

    ours = score()
    monkeypatch.setattr(genderedness, "forms_to_exclude", same_lemma)
    published = score()
    differing = [
        told["queries"][query]
        for query, value in ours.per_query.items()
        if abs(value - published.per_query[query]) > 1e-12
    ]
    assert (len(ours.per_query), differing) == (25, ["Afghan women", "men"])
    assert ours.value == pytest.approx(0.066972, abs=2e-6)
    assert published.value == pytest.approx(0.066958, abs=2e-6)
    page = (Path(__file__).parents[2] / "docs" / "methods.md").read_text(encoding="utf-8")
    assert "2 of the 25 lists differ" in page
    assert "the slope is .06697 against .06696" in page
