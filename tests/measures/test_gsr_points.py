from dataclasses import replace

import numpy as np
import pytest

from monitor.lexicons.lexicon import Lexicon
from monitor.measures.gsr.gsr import MEASURE, Gsr
from monitor.model import Context, Document, State, Unit
from monitor.stats.regression import fit_line
from tests.measures.gsr import LEXICON, by_hand, made, scored, steep


def units_of(run, texts, asked, **tags):
    return [
        Unit(
            query,
            dict(tags),
            (),
            documents=(tuple(Document(one, texts.get(one)) for one in some),),
            query=asked[query],
        )
        for query, some in run.items()
    ]


def context(**more):
    return Context(1, draws=100, lexicons=(LEXICON,), **more)


def values(result):
    return {(value.name, value.scope): value for value in result.values}


MEASURE_3 = Gsr(floor=3)


def test_a_point_is_what_the_library_says():
    given = made(20)
    result = MEASURE_3.derive(units_of(*given), context())
    point, found = values(result)["gsr", "all"], scored(*given, seed=1)
    assert (point.value, point.low, point.high) == (found.value, found.low, found.high)
    facts = dict(point.facts)
    assert facts["slope_se"] == found.slope_se
    assert facts["judged_queries"] == 0
    x, _ = by_hand(*given)
    assert [one.x for one in result.queries] == pytest.approx(x)
    assert [one.value for one in result.queries] == pytest.approx(list(found.per_query.values()))


def test_the_influence_of_a_query_is_the_slope_with_it_less_the_slope_without():
    run, texts, asked = made(21)
    result = MEASURE_3.derive(units_of(run, texts, asked), context())
    whole = values(result)["gsr", "all"].value
    for one in result.queries:
        rest = {query: some for query, some in run.items() if query != one.key}
        expected = whole - scored(rest, texts, asked, draws=0).value
        assert one.influence == pytest.approx(expected, abs=1e-12)


def test_repeats_are_averaged_per_query():
    run, texts, asked = made(22)
    units = units_of(run, texts, asked)
    twice = [replace(u, documents=(u.documents[0], None, u.documents[0][:3])) for u in units]
    found = values(MEASURE_3.derive(twice, context()))["gsr", "all"]
    x, y = by_hand(run, texts, asked)
    _, first = by_hand({query: some[:3] for query, some in run.items()}, texts, asked)
    assert found.value == pytest.approx(fit_line(x, (y + first) / 2).slope, abs=1e-12)
    assert found.bound_low == found.value


def test_of_a_pattern_only_the_words_put_into_it_are_the_query():
    run, texts, asked = made(23)
    units = [
        replace(u, query=f"list of {u.query}", tags={"pattern": "list of {job}", "job": u.query})
        for u in units_of(run, texts, asked)
    ]
    found = values(MEASURE_3.derive(units, context()))["gsr", "all"]
    assert found.value == pytest.approx(scored(run, texts, asked).value, abs=1e-14)


def test_gendered_queries_are_left_out_beside():
    run, texts, asked = made(24)
    units = [
        replace(unit, tags={"gender_neutral": "no" if n < 4 else "yes"})
        for n, unit in enumerate(units_of(run, texts, asked))
    ]
    found = values(MEASURE_3.derive(units, context()))
    neutral = found["gsr", "tag:gender_neutral=yes"]
    rest = dict(list(run.items())[4:])
    assert neutral.value == pytest.approx(scored(rest, texts, asked).value, abs=1e-13)
    assert (neutral.planned, dict(neutral.facts)["queries_gendered"]) == (8, 4)
    assert found["gsr", "all"].planned == 12


def test_a_change_is_the_slope_of_the_differences():
    run, texts, asked = made(25)
    _, other, _ = made(26)
    found = values(
        MEASURE_3.derive(
            units_of(run, texts, asked), context(before=units_of(run, other, asked)[2:])
        )
    )["gsr_change", "all"]
    x, now = by_hand(run, texts, asked)
    _, before = by_hand(run, other, asked)
    line = fit_line(x[2:], now[2:] - before[2:])
    assert found.value == pytest.approx(line.slope, abs=1e-12)
    assert found.high - found.value == pytest.approx(1.959964 * line.hc3, abs=1e-9)
    assert dict(found.facts)["n_panel"] == found.used == 10
    assert 0 < dict(found.facts)["p"] <= 1
    assert found.bound_low < found.value < found.bound_high  # two queries have no list before


def test_no_change_between_two_ticks_that_are_the_same():
    units = units_of(*made(25))
    found = values(MEASURE_3.derive(units, context(before=units)))["gsr_change", "all"]
    assert (found.value, found.low, found.high, dict(found.facts)["p"]) == (0, 0, 0, 1)


def test_a_change_needs_an_earlier_tick_and_enough_queries():
    units = units_of(*made(25))
    without = values(MEASURE_3.derive(units, context()))["gsr_change", "all"]
    assert (without.state, without.reason) == (State.INSUFFICIENT, "no earlier tick")
    few = values(MEASURE_3.derive(units, context(before=units[:2])))["gsr_change", "all"]
    assert few.reason == "2 queries usable at both ticks, floor 3"
    same = [replace(unit, query="nurse") for unit in units]
    constant = values(MEASURE_3.derive(same, context(before=same)))["gsr_change", "all"]
    assert "constant" in constant.reason


def steep_units(kind, scores):
    return [
        Unit(
            job,
            {},
            (),
            documents=((Document(word, word),),),
            query=job,
        )
        for job in scores
        if job.startswith("job")
        for word in [job.replace("job", kind)]
    ]


@pytest.fixture
def three():
    """Units of three systems with slopes about .5, .25 and .75, and their lexicon."""
    scores = steep(0.5) | {k.replace("text", "base"): v for k, v in steep(0.25).items()}
    scores |= {k.replace("text", "last"): v for k, v in steep(0.75).items()}
    units = {kind: steep_units(kind, scores) for kind in ("text", "base", "last")}
    return units, Lexicon.of("steep", scores)


def test_a_baseline_is_the_mean_of_its_members_without_the_system_itself(three):
    units, lexicon = three
    beside = {"B": units["base"], "C": units["last"], "D": units["base"]}
    measure = Gsr(floor=3, baseline=("A", "B", "C"))
    result = measure.derive(
        units["text"], Context(1, draws=100, lexicons=(lexicon,), beside=beside, label="A")
    )
    found = values(result)["relative_gsr", "all"]
    assert dict(found.facts)["base_slope"] == pytest.approx(0.5, abs=0.03)
    assert dict(found.facts)["base_members"] == 2
    assert found.value == pytest.approx(0, abs=0.1)
    assert found.low < found.value < found.high
    assert found.bound_low == pytest.approx(found.value) == found.bound_high


@pytest.mark.parametrize(
    ("baseline", "reason"),
    [
        ((), "no baseline is named"),
        (("X", "Y", "B"), "lacks lists of X, Y"),
        (("X",), "lacks lists of X"),
        (("qrels",), "lacks lists of qrels"),
    ],
)
def test_a_baseline_that_is_not_there_is_named(three, baseline, reason):
    units, lexicon = three
    measure = Gsr(floor=3, baseline=baseline)
    given = Context(1, draws=100, lexicons=(lexicon,), beside={"B": units["base"]})
    found = values(measure.derive(units["text"], given))["relative_gsr", "all"]
    assert found.state is State.INSUFFICIENT
    assert reason in found.reason


def test_a_ratio_needs_a_base_that_is_not_0_and_enough_queries():
    units = units_of(*made(14))
    given = context(beside={"B": units_of(*made(14)), "C": units_of(*made(14))[:2]})
    none = values(Gsr(floor=3, baseline=("B",)).derive(units, given))["relative_gsr", "all"]
    assert "cannot be told from 0" in none.reason
    assert "base_slope" in dict(none.facts)
    few = values(Gsr(floor=3, baseline=("C",)).derive(units, given))["relative_gsr", "all"]
    assert few.reason == "2 queries usable with every member, floor 3"
    same = [replace(unit, query="nurse") for unit in units]
    flat = values(Gsr(floor=3, baseline=("B",)).derive(same, given))["relative_gsr", "all"]
    assert "constant" in flat.reason


def test_missing_documents_of_a_baseline_bound_the_ratio(three):
    units, lexicon = three
    holes = [replace(u, documents=(None,)) if n == 5 else u for n, u in enumerate(units["last"])]
    given = Context(1, draws=100, lexicons=(lexicon,), beside={"B": holes})
    found = values(Gsr(floor=3, baseline=("B",)).derive(units["text"], given))
    found = found["relative_gsr", "all"]
    assert found.used == 23
    assert found.bound_low < found.value < found.bound_high


def test_a_baseline_whose_slope_could_be_0_leaves_the_ratio_unbounded(three):
    units, lexicon = three
    holes = [replace(u, documents=(None,)) if n % 2 else u for n, u in enumerate(units["last"])]
    given = Context(1, draws=100, lexicons=(lexicon,), beside={"B": holes})
    found = values(Gsr(floor=3, baseline=("B",)).derive(units["text"], given))
    found = found["relative_gsr", "all"]
    assert found.value is not None
    assert found.bound_low is found.bound_high is None


def test_one_query_that_carries_the_slope_alone_gives_no_ratio():
    lexicon = Lexicon.of("alone", {"aa": 0.0, "bb": 1.0, "cc": 0.5, "dd": 0.1})
    words_of = [("aa", "cc"), ("aa", "dd"), ("aa", "cc"), ("bb", "dd")]
    units = [
        Unit(f"q{n}", {}, (), documents=((Document(text, text),),), query=query)
        for n, (query, text) in enumerate(words_of)
    ]
    given = Context(1, draws=10, lexicons=(lexicon,), beside={"B": units}, before=units)
    found = values(Gsr(floor=3, baseline=("B",)).derive(units, given))
    assert "carries the slope alone" in found["relative_gsr", "all"].reason
    assert found["gsr", "all"].value is not None
    assert found["gsr_change", "all"].low is None


def test_judgements_of_units_are_used():
    run, texts, asked = made(27)
    units = [
        replace(unit, judgements={run[unit.key][0]: 2, run[unit.key][1]: 0, "elsewhere": 1})
        for unit in units_of(run, texts, asked)
    ]
    facts = dict(values(MEASURE_3.derive(units, context()))["gsr", "all"].facts)
    x, y = by_hand({query: some[:1] for query, some in run.items()}, texts, asked)
    assert facts["relevant_slope"] == pytest.approx(fit_line(x, y).slope, abs=1e-11)
    assert (facts["relevant_documents"], facts["relevant_missing"]) == (24, 12)


@pytest.mark.parametrize(
    ("measure", "given", "reason"),
    [
        (Gsr(), Context(1), "no lexicon"),
        (Gsr(ties="competition"), context(), "needs scores of documents"),
        (Gsr(), context(), "12 usable queries of 12 planned, floor 30"),
    ],
)
def test_insufficient_points_say_why(measure, given, reason):
    result = measure.derive(units_of(*made()), given)
    assert {value.name for value in result.values} == {"gsr", "relative_gsr", "gsr_change"}
    for value in result.values:
        assert value.state is State.INSUFFICIENT
        assert value.value is value.bound_low is value.bound_high is None
    assert reason in result.values[0].reason


def test_nothing_in_no_number_out():
    units = [replace(unit, documents=(None, None)) for unit in units_of(*made())]
    for some in ([], units):
        for value in MEASURE_3.derive(some, context(before=units)).values:
            assert value.state is State.INSUFFICIENT
            assert value.reason
            assert value.answered == value.used == 0
            assert value.bound_low is None


def test_unit_and_reduce_are_the_slope():
    run, texts, asked = made(30)
    units = units_of(run, texts, asked)
    stats = np.array([MEASURE.unit(unit) for unit in units])
    groups = np.arange(12) % 2
    found = MEASURE.reduce(stats, groups, np.ones((1, 12)))
    expected = [fit_line(*stats[groups == group].T).slope for group in (0, 1)]
    assert found[0] == pytest.approx(expected, abs=1e-12)
    assert MEASURE.unit(replace(units[0], documents=(None,))) is None
    assert MEASURE.unit(replace(units[0], query="")) is None


def test_swapping_women_and_men_in_the_documents_turns_the_slope_round():
    lexicon = Lexicon.of(
        "even", {"she": 0.3, "he": -0.3, "woman": 0.4, "man": -0.4, "aunt": 0.1, "uncle": -0.1}
        | {job: (n - 6) / 20 for n, job in enumerate("abcdefghijkl") for job in (job * 3,)}
    )  # fmt: skip
    swap = {"she": "he", "he": "she", "woman": "man", "man": "woman"}

    def drawn(seed, kept=0.9):
        rng = np.random.default_rng(seed)
        texts = rng.choice([*swap, "nothing"], (12, 5, 6)).tolist()
        lost = rng.random((12, 5)) > kept
        return [[None if gone else text for text, gone in zip(*one, strict=True)]
                for one in zip(texts, lost.tolist(), strict=True)]  # fmt: skip

    def units(lists, *, turned):
        return [
            Unit(
                letter * 3, {}, (), query=letter * 3,
                documents=(tuple(
                    Document(
                        str(k),
                        text and " ".join(swap.get(w, w) if turned else w for w in text),
                    )
                    for k, text in enumerate(some)
                ),),
            )
            for letter, some in zip("abcdefghijkl", lists, strict=True)
        ]  # fmt: skip

    def result(*, turned):
        now, before, other = (units(drawn(seed), turned=turned) for seed in (1, 2, 5))
        steeper = [
            replace(unit, documents=((Document("x", ("he ", "she ")[(n >= 6) ^ turned] * 3),),))
            for n, unit in enumerate(other)
        ]
        given = Context(3, draws=200, lexicons=(lexicon,), before=before, beside={"B": steeper})
        return values(Gsr(floor=3, baseline=("B",)).derive(now, given))

    plain, other = result(turned=False), result(turned=True)
    for name in ("gsr", "gsr_change"):
        one, two = plain[name, "all"], other[name, "all"]
        assert one.value == pytest.approx(-two.value, abs=1e-12)
        assert one.low == pytest.approx(-two.high, abs=1e-12)
        assert one.bound_high == pytest.approx(-two.bound_low, abs=1e-12)
        assert one.bound_low < one.value < one.bound_high
    one, two = plain["relative_gsr", "all"], other["relative_gsr", "all"]
    assert one.value == pytest.approx(two.value, abs=1e-12)
    assert (one.low, one.bound_high) == pytest.approx((two.low, two.bound_high), abs=1e-12)


def test_the_order_of_units_and_the_seed_do_not_move_a_value():
    units = units_of(*made(31))
    given = context(before=units_of(*made(32)))
    first = MEASURE_3.derive(units, given)
    assert MEASURE_3.derive(units[::-1], given) == first
    other = MEASURE_3.derive(units, replace(given, seed=9))
    assert [one.value for one in other.values] == [one.value for one in first.values]


def test_without_draws_nothing_but_the_p_of_permutations_is_lost():
    units = units_of(*made(31))
    without = values(MEASURE_3.derive(units, replace(context(), draws=0)))["gsr", "all"]
    whole = values(MEASURE_3.derive(units, context()))["gsr", "all"]
    assert (without.value, without.low, without.high) == (whole.value, whole.low, whole.high)
    assert "p" not in dict(without.facts)
