"""Changes of the measures of ranked lists of documents, by hand; and of all on their panel."""

import math
from dataclasses import replace

import numpy as np
import pytest

from monitor import registry
from monitor.change import Test
from monitor.lexicons.lexicon import Lexicon
from monitor.measures import parse
from monitor.measures._paired_panels import Panel
from monitor.measures._query_means import with_pages
from monitor.measures.gsr.direct_gap import DirectGap
from monitor.measures.gsr.gsr import Gsr
from monitor.measures.gsr.lexicon_agreement import LexiconAgreement
from monitor.model import Context, Document, GenderClass, Kind
from monitor.ranked.inputs import asked_twice
from monitor.ranked.score import by_query
from monitor.ranked.texts import DocumentTexts
from monitor.ranked.words import tokenise
from monitor.stats.regression import fit_line
from tests.cases import check_each
from tests.measures.fairness import unit

WOMAN, MAN, BOTH, NOBODY = "she her", "he his", "she he", "north people"


def context(**more):
    return Context(3, draws=0, **more)


def asked(texts, **more):
    """Questions with one list of one document each; None for a question without an answer."""
    return [unit(f"q{n}", None if text is None else [text], **more) for n, text in enumerate(texts)]


def only(name, before, after, **known):
    [found] = parse(name).paired(before, after, context(**known))
    return found


def by_name(found):
    return {(one.name, one.scope): one for one in found}


SEARCH = {k: one for k, one in registry.discover("measures").items() if one.kind is Kind.SEARCH}


#: Which words are rare, and for which question a text counts, is decided for both sides together.
OF_CORPORA = {k: one for k, one in SEARCH.items() if getattr(one, "of_corpus", False)}
OF_LISTS = {k: one for k, one in SEARCH.items() if k not in OF_CORPORA}


@pytest.mark.parametrize("measure", OF_CORPORA.values(), ids=OF_CORPORA)
def test_the_same_texts_on_both_sides_are_one_derivation_of_corpora(measure, usual):
    units, known = usual(measure, seed=1)
    values = by_name(measure.derive(units, known).values)
    compared = [one for one in measure.paired(units, units, known) if one.delta is not None]
    assert {one.name for one in compared} >= set(measure.primaries)
    for one in compared:
        value = values[one.name, one.scope].value
        assert [one.before, one.after] == pytest.approx([value, value], abs=1e-12)
        assert one.delta == 0


@check_each("measure", OF_LISTS.values())
@check_each("repeats", [1, 3])
def test_values_on_the_panel_are_those_of_two_derivations(measure, repeats, usual):
    pool = (GenderClass.MASCULINE, GenderClass.FEMININE, GenderClass.BOTH)
    before, known = usual(measure, seed=1, repeats=repeats, pool=pool)
    after, _ = usual(measure, seed=2, repeats=repeats, pool=pool)
    if measure.name == "c_ratio_bias":  # which always compares changes with the exact target
        measure = measure.configure({"target": "exact"})
    if measure.name == "direct_gap":
        measure = measure.configure({"baseline": "none"})
    found = measure.paired(before[5:], after[:-7], known)
    first, second = (
        {(v.name, v.scope): v for v in measure.derive(some[5:-7], known).values}
        for some in (before, after)
    )
    compared = [one for one in found if one.delta is not None]
    assert {one.name for one in compared} >= set(measure.primaries)
    for one in compared:
        ends = [side[one.name, one.scope].value for side in (first, second)]
        assert [one.before, one.after] == pytest.approx(ends, abs=1e-12), one
        assert one.delta == pytest.approx(ends[1] - ends[0], abs=1e-12)
        assert one.n == first[one.name, one.scope].used
        if one.scope == "all":
            assert (one.only_before, one.only_after) == (7, 5)


@check_each(
    ("name", "first", "second", "values"),
    [
        ("ARB@1", MAN, WOMAN, (-2.0, 2.0)),
        ("ARB(magnitude=bool)@1", MAN, WOMAN, (-1.0, 1.0)),
        ("AWRF@1", WOMAN, BOTH, (1.0, 0.0)),
        ("FaiRR@1", NOBODY, WOMAN, (1.0, 0.0)),
        ("NFaiRR@1", NOBODY, WOMAN, (1.0, 0.0)),
        ("TED@1", WOMAN, BOTH, (1.0, 0.0)),
        ("TExFAIR@1", WOMAN, BOTH, (0.0, 1.0)),
    ],
)
def test_three_of_eight_lists_change_alike(name, first, second, values):
    before = asked([first] * 8 + [None, first])
    after = asked([second] * 3 + [first] * 5 + [second, None])
    found = only(name, before, after)
    assert (found.n, found.only_before, found.only_after, found.changed) == (8, 1, 1, 3)
    share = (values[1] - values[0]) * 3 / 8
    assert found.before == pytest.approx(values[0])
    assert found.after == pytest.approx(values[0] + share)
    assert found.delta == pytest.approx(share)
    assert found.p == pytest.approx(0.25)  # three signs alike: 2 of 8 patterns
    assert found.test is Test.SIGN_FLIP
    # eight terms: three of share/3 and five of 0
    spread = math.sqrt(8 / 7 * (3 * (share * 5 / 24) ** 2 + 5 * (share / 8) ** 2))
    assert found.high - found.low == pytest.approx(2 * 2.364624 * spread, rel=1e-5)
    facts = dict(found.facts)
    assert (facts["clusters"], facts["clusters_moved"]) == (8, 3)
    assert facts["lists_changed"] == 0  # the same document with other words


def test_questions_about_one_word_are_one_cluster():
    before, after = asked([MAN] * 6), asked([WOMAN] * 6)
    together = [
        [replace(one, query="boss" if n < 3 else one.query) for n, one in enumerate(some)]
        for some in (before, after)
    ]
    assert only("ARB@1", before, after).p == pytest.approx(2 / 2**6)
    found = only("ARB@1", *together)
    assert found.p == pytest.approx(2 / 2**4)
    assert found.delta == 4
    assert dict(found.facts)["clusters"] == 4
    assert dict(found.facts)["p_probes"] == pytest.approx(2 / 2**6)


def test_what_is_missing_is_not_compared():
    before = asked([MAN] * 4)
    after = [
        unit("q0", [None]),  # the document could not be read
        unit("q1", []),
        unit("q2", None),
        unit("q3", [WOMAN]),
    ]
    found = only("ARB@1", before, after)
    assert (found.n, found.only_before, found.only_after, found.delta) == (1, 3, 0, 4)
    assert found.p == 1
    assert found.low is found.high is None  # one question has no spread
    none = only("ARB@1", before[:3], after[:3])
    assert (none.n, none.only_before, none.delta, none.p) == (0, 3, None, None)
    assert none.reason == "no query has a value on both sides"
    assert only("ARB@1", [], []).reason


def test_questions_about_women_or_men_are_left_out_by_the_tags_of_after():
    before = asked([MAN] * 3)
    after = [replace(one, tags={"gender_neutral": "no"} if one.key == "q0" else {})
             for one in asked([WOMAN] * 3)]  # fmt: skip
    assert only("ARB@1", before, after).n == 2


def test_a_change_is_another_document_another_order_or_other_words():
    first = [Document("a", WOMAN), Document("b", MAN), Document("c", NOBODY)]

    def found(documents, *repeats, before=(first,)):
        sides = [
            [replace(unit("q"), documents=tuple(None if d is None else tuple(d) for d in lists))]
            for lists in (before, (documents, *repeats))
        ]
        one = only("ARB@2", *sides)
        return one.changed, dict(one.facts)["lists_changed"]

    assert found(first) == (0, 0)
    assert found([*first[:2], Document("d", NOBODY)]) == (0, 0)  # behind the cut-off
    assert found([first[1], first[0]]) == (1, 1)
    assert found([first[0]]) == (1, 1)
    assert found([Document("a", MAN), first[1]]) == (1, 0)
    assert found([Document("a", None), first[1]]) == (0, 0)  # unread, and not other words
    assert found([first[0], first[0], first[1]]) == (0, 0)  # one address twice
    assert found(first, first, None) == (0, 0)
    assert found(first, first[::-1]) == (1, 1)
    assert found(first[::-1], first, before=(first, first[::-1])) == (0, 0)


def test_repeats_are_averaged_before_they_are_compared():
    before = [unit(f"q{n}", [MAN], [WOMAN]) for n in range(5)]
    after = [unit(f"q{n}", [WOMAN], None) for n in range(5)]
    found = only("ARB@1", before, after)
    assert (found.before, found.after, found.delta, found.p) == (0, 2, 2, pytest.approx(2 / 2**5))


def test_other_systems_are_the_same_on_both_sides():
    # the most neutral document of the union is that of the other system
    other = {"other": asked([NOBODY] * 4)}
    name = "NFaiRR(background=union)@1"
    before, after = asked([NOBODY] * 4), asked([WOMAN] * 4)
    found = only(name, before, after, beside=other)
    assert (found.before, found.after, found.delta) == (1, 0, -1)
    assert only(name, before, before, beside=other).delta == 0


def test_a_list_in_a_wider_table_has_not_moved():
    rng = np.random.default_rng(0)
    texts = [
        [" ".join(rng.choice(["she", "he", "north", "work", "people"], 7)) for _ in range(9)]
        for _ in range(12)
    ]
    before = [unit(f"q{n}", some) for n, some in enumerate(texts)]
    after = [unit("q00", [*texts[0], *texts[1]]), *before[1:]]
    for name in ("TED@40", "AWRF@40", "ARB@40", "NFaiRR@40"):
        found = only(name, before, [*after, unit("r", texts[2] * 3)])
        assert (found.n, found.changed, found.delta, found.p) == (11, 0, 0, 1), name
        assert dict(found.facts)["clusters_moved"] == 0


@check_each(
    ("name", "after"), [("AP", 1 / 2), ("RR", 1 / 2), ("P@1", 0), ("nDCG@5", 1 / math.log2(3))]
)
def test_the_relevant_document_falls_to_the_second_rank(name, after):
    def judged(n, keys):  # every question has pages of its own
        documents = tuple(Document(f"{key}{n}", "any") for key in keys)
        return replace(unit(f"q{n}"), documents=(documents,), judgements={f"a{n}": 1})

    before = [judged(n, "ab") for n in range(6)]
    now = [judged(n, "ba" if n < 4 else "ab") for n in range(6)]
    found = only(name, before, now)
    assert found.before == 1
    assert found.delta == pytest.approx(4 / 6 * (after - 1))
    assert (found.n, found.changed, found.p) == (6, 4, pytest.approx(2 / 2**4))
    # a judgement that came since moves both sides, and other words move nothing
    newer = [replace(u, judgements={f"a{n}": 1, f"b{n}": 1}) for n, u in enumerate(now)]
    assert only("P@1", before, newer).before == 1
    words = [
        replace(u, documents=((Document(f"a{n}", "x"), Document(f"b{n}", "y")),))
        for n, u in enumerate(before)
    ]
    assert only(name, before, words).changed == 0


def test_crbo_of_lists_that_came_apart():
    alike, apart = ("abc", "abc"), ("abc", "xyz")

    def ranked_twice(n, lists):
        own, swapped = (tuple(Document(key, "") for key in keys) for keys in lists)
        return replace(unit(f"q{n}"), documents=(own,), swapped=(swapped,))

    before = [ranked_twice(n, alike) for n in range(5)]
    after = [ranked_twice(n, apart if n else alike) for n in range(5)]
    found = only("CRBO", before, after)
    assert found.before == pytest.approx(1)
    assert found.delta == pytest.approx(-4 / 5)
    assert (found.n, found.changed, found.p) == (5, 4, pytest.approx(2 / 2**4))
    gone = [replace(after[0], swapped=()), *after[1:]]
    assert (only("CRBO", before, gone).n, only("CRBO", before, gone).only_before) == (4, 1)


JOBS = {"joba": -0.3, "jobb": -0.1, "jobc": 0.1, "jobd": 0.3}
FLAT = Lexicon.of("flat", {**JOBS, "low": -0.15, "lower": -0.05, "higher": 0.05, "high": 0.15})
WORDS = ("low", "lower", "higher", "high")


def about(texts, tags=None):
    return [
        replace(unit(f"q{n}", [text], tags=tags), query=job)
        for n, (job, text) in enumerate(zip(JOBS, texts, strict=True))
    ]


def test_the_change_of_gsr_is_the_slope_of_the_difference():
    before = about(["lower higher"] * 4)  # 0 everywhere
    after = about(WORDS)  # half of the question's
    found = by_name(Gsr(floor=3).paired(before, after, context(lexicons=(FLAT,))))
    gsr = found["gsr", "all"]
    assert (gsr.n, gsr.changed) == (4, 4)
    assert gsr.before == pytest.approx(0, abs=1e-15)
    assert (gsr.after, gsr.delta) == pytest.approx((0.5, 0.5))
    assert gsr.p == pytest.approx(2 / 2**4)  # all four pull the same way
    assert found["relative_gsr", "all"].reason.startswith("compares this system with others")
    assert found["gsr_change", "all"].reason == "is a change itself"
    few = by_name(Gsr().paired(before, after, context(lexicons=(FLAT,))))["gsr", "all"]
    assert few.reason == "4 queries have a value on both sides, floor 30"
    assert (few.n, few.delta) == (4, None)


def test_the_interval_of_a_change_of_gsr_is_hc3():
    before, after = about(["lower higher"] * 4), about(["low", "higher", "lower", "high"])
    found = Gsr(floor=3).paired(before, after, context(lexicons=(FLAT,)))[0]
    line = fit_line(list(JOBS.values()), [-0.15, 0.05, -0.05, 0.15])
    assert found.delta == pytest.approx(line.slope)
    assert found.delta - found.low == pytest.approx(1.959964 * line.hc3)
    assert dict(found.facts)["slope_se_hc3"] == pytest.approx(line.hc3)
    # the parts are .045, -.005, -.005, .045 of .2: 8 of 16 patterns reach .08
    assert found.delta == pytest.approx(0.08 / 0.2)
    assert found.p == pytest.approx(8 / 16)


def test_the_interval_of_gsr_is_the_wider_one_where_questions_are_about_one_word():
    before, after = about(["lower higher"] * 4), about(WORDS)
    alone = Gsr(floor=3).paired(before, after, context(lexicons=(FLAT,)))[0]
    twice = [[*some, *(replace(u, key=f"{u.key} again") for u in some)] for some in (before, after)]
    found = Gsr(floor=3).paired(*twice, context(lexicons=(FLAT,)))[0]
    assert (found.n, found.delta) == (8, pytest.approx(alone.delta))
    assert found.p == pytest.approx(alone.p)
    assert dict(found.facts)["p_probes"] == pytest.approx(2 / 2**8)
    # parts of .225, .025, .025 and .225 about their mean; all queries lie on the line for HC3
    assert alone.high == pytest.approx(alone.delta)
    spread = math.sqrt(4 / 3 * 4 * 0.1**2)
    assert found.high - found.delta == pytest.approx(3.182446 * spread, rel=1e-5)


@check_each(
    ("texts", "has_moved"),
    [(("low", "low", "lower", "high"), True), (("low", "higher", "lower", "high"), False)],
)
def test_the_interval_of_gsr_where_questions_about_one_word_move_apart(texts, has_moved):
    before, others = ["lower higher"] * 4, ["high", "lower", "higher", "low"]
    sides = [
        [*about(first), *(replace(u, key=f"{u.key} again") for u in about(again))]
        for first, again in ((before, before), (texts, others))
    ]
    found = Gsr(floor=3).paired(*sides, context(lexicons=(FLAT,)))[0]
    scores = dict(zip(WORDS, (-0.15, -0.05, 0.05, 0.15), strict=True))
    half = 1.959964 * fit_line([*JOBS.values()] * 2, [scores[w] for w in (*texts, *others)]).hc3
    # moves that cancel out within each word are none, whatever HC3 makes of the queries alone
    limits = (found.delta - half, found.delta + half) if has_moved else (None, None)
    assert (found.low, found.high) == pytest.approx(limits)
    assert half > 0.6


def test_gsr_of_neutral_questions_and_without_a_lexicon():
    before, after = about(WORDS[::-1]), about(WORDS, {"gender_neutral": "yes"})
    found = by_name(Gsr(floor=3).paired(before, after, context(lexicons=(FLAT,))))
    assert found["gsr", "tag:gender_neutral=yes"].delta == pytest.approx(1)
    without = Gsr(floor=3).paired(before, after, context())
    assert [one.reason[:10] for one in without] == ["no lexicon"] * 3


def test_gaps_of_documents_about_women_and_men():
    before = asked(["he his man"] * 5)
    after = asked(["she her woman"] * 4 + ["he his man"])
    for one in (*before, *after):
        assert len(one.documents[0]) == 1
    measure = DirectGap(floor=3, baseline="none")
    found = by_name(measure.paired(before, after, context()))
    gap = found["log_gap", "all"]
    assert gap.before == pytest.approx(-math.log(3))
    assert gap.delta == pytest.approx(2 * math.log(3) * 4 / 5)
    assert (gap.n, gap.changed, gap.p) == (5, 4, pytest.approx(2 / 2**4))
    men, women = found["share_men_over", "all"], found["share_women_over", "all"]
    assert (men.before, men.after, men.delta) == pytest.approx((1, 0.2, -0.8))
    assert (women.before, women.after, women.delta) == pytest.approx((0, 0.8, 0.8))
    assert men.p == women.p == pytest.approx(2 / 2**4)
    assert -1 <= men.low < men.delta < men.high <= 1
    assert found["log_gap", "bin:feminine"].reason.startswith("no lexicon")
    same = by_name(measure.paired(before, before, context()))["share_men_over", "all"]
    # nothing moved: five flips were possible, and 1 - .025 ** (1/5) of them may be usual
    assert (same.delta, same.high) == (0, pytest.approx(1 - 0.025 ** (1 / 5)))
    beside = by_name(DirectGap(floor=3).paired(before, after, context(beside={"x": before})))
    assert beside["share_men_over", "all"].reason.startswith("compares this system")
    assert beside["log_gap", "all"].delta == gap.delta


def test_the_change_of_the_agreement_of_two_lexicons():
    rng = np.random.default_rng(4)
    vocabulary = [f"word{chr(97 + n)}" for n in range(20)]
    jobs = [f"job{chr(97 + n)}" for n in range(14)]
    first, second = (
        Lexicon.of(name, dict(zip(vocabulary + jobs, rng.normal(0, 0.2, 34).tolist(), strict=True)))
        for name in ("first", "second")
    )
    sides = [
        [replace(unit(f"q{n:02}", [" ".join(rng.choice(vocabulary, 4))]), query=job)
         for n, job in enumerate(jobs)]
        for _ in range(2)
    ]  # fmt: skip
    known = context(lexicons=(first, second))
    found = by_name(LexiconAgreement().paired(*sides, known))["agreement_queries", "all"]

    def column(lexicon, units):
        texts = [one.documents[0][0].text.split() for one in units]
        return [float(np.mean(lexicon.scores(words))) for words in texts]

    r = [np.corrcoef(column(first, some), column(second, some))[0, 1] for some in sides]
    assert (found.before, found.after) == pytest.approx(r)
    assert found.delta == pytest.approx(r[1] - r[0])
    assert found.low < found.delta < found.high
    assert 0 < found.p < 1
    assert found.n == found.changed == 14
    flat = [replace(one, documents=sides[0][0].documents) for one in sides[0]]
    [none, *_] = LexiconAgreement().paired(flat, sides[1], known)
    assert none.reason == "the genderedness of the lists is constant under a lexicon"
    [same, *_] = LexiconAgreement().paired(sides[0], sides[0][:9], known)
    assert same.reason == "9 queries have a value on both sides, floor 10"


def test_only_raw_texts_can_be_divided():
    with pytest.raises(TypeError):
        DocumentTexts(tokenise({"a": "she"})).only(["a"])


# --- pages that stand in several lists ------------------------------------------------------------

#: Measures of what documents say, with their quantity.
OF_TEXTS = {
    "NFaiRR": "nfairr", "FaiRR": "fairr", "TED": "ted", "TExFAIR": "texfair", "ARB": "arb",
    "AWRF": "awrf", "direct_gap(floor=1)": "log_gap",
}  # fmt: skip


def of_pages(lists, texts):
    """Questions with one list of pages each; `texts` are those of the pages by their number."""
    return [
        replace(unit(f"q{n}"), documents=(tuple(Document(f"p{k}", texts[k]) for k in pages),))
        for n, pages in enumerate(lists)
    ]


def shared_pages(queries=40, per_page=5):
    """Lists of a page that `per_page` queries share and two of their own, and everybody's text."""
    lists = [
        [n // per_page, 1000 + n, 2000 + n] if n % 2 else [1000 + n, n // per_page, 2000 + n]
        for n in range(queries)
    ]
    texts = {k: WOMAN if k % 2 else MAN for pages in lists for k in pages}
    return lists, texts


@check_each(("name", "quantity"), list(OF_TEXTS.items()))
def test_an_edited_page_is_one_event_however_many_lists_show_it(name, quantity):
    lists, texts = shared_pages()
    edited = {**texts, 0: BOTH, 2: BOTH, 4: BOTH}  # in 15 lists
    found = parse(name).paired(of_pages(lists, texts), of_pages(lists, edited), context())
    one = by_name(found)[quantity, "all"]
    assert one.changed == 15
    assert one.p >= 2 / 2**3 - 1e-12
    assert dict(one.facts)["n_pages_moved_in_several_queries"] == 3
    assert one.low < 0 < one.high  # three pages say little of others


@check_each(("name", "quantity"), list(OF_TEXTS.items()))
def test_pages_of_one_list_each_are_tested_over_queries(name, quantity):
    lists, texts = shared_pages()
    edited = {k: BOTH if k in range(1000, 1016, 2) else text for k, text in texts.items()}
    found = parse(name).paired(of_pages(lists, texts), of_pages(lists, edited), context())
    one = by_name(found)[quantity, "all"]
    facts = dict(one.facts)
    assert one.changed == 8
    assert facts["clusters_moved"] <= 8
    assert facts["clusters"] == 40
    assert one.p == pytest.approx(2 / 2**8) or name in {"TED", "TExFAIR", "AWRF"}
    assert "n_pages_moved_in_several_queries" not in facts


def test_gsr_takes_a_page_in_several_lists_for_one_event():
    words = {f"topic{chr(97 + n)}": (n - 20) / 40 for n in range(40)}
    lexicon = Lexicon.of("own", {**words, "she": 0.5, "her": 0.4, "he": -0.5, "his": -0.4})
    lists, texts = shared_pages()
    asked_about = list(words)

    def questions(texts_of):
        made = of_pages(lists, texts_of)
        return [replace(u, query=asked_about[n]) for n, u in enumerate(made)]

    edited = {**texts, 0: WOMAN, 2: WOMAN}
    [one, *_] = Gsr(floor=3).paired(
        questions(texts), questions(edited), context(lexicons=(lexicon,))
    )
    assert one.changed == 10
    assert one.p >= 2 / 2**2 - 1e-12
    assert dict(one.facts)["n_pages_moved_in_several_queries"] == 2


def test_parts_of_pages_add_up_to_the_change_of_every_query():
    """Pages come, go, change ranks and words: what each adds is the change of the query."""
    rng = np.random.default_rng(3)
    texts = {k: (WOMAN, MAN, BOTH, NOBODY)[k % 4] for k in range(12)}
    later = {k: (MAN if k % 3 == 0 else text) for k, text in texts.items()}
    kept = [1, 2, 4, 5]  # what the first query finds, in the same words
    before, after = (
        of_pages([kept, *(rng.permutation(12)[:5].tolist() for _ in range(29))], some)
        for some in (texts, later)
    )
    given = asked_twice(before, after, {})
    measure = parse("TExFAIR")

    def values(lists):
        found = measure.per_list(lists)
        return by_query(found, lists.lists.queries, given.after.planned).values

    sides = values(given.before), values(given.after)
    panel = Panel.of(*sides, np.arange(30))
    found = with_pages(panel, given, values, 10).parts
    assert np.bincount(found.row, found.part) == pytest.approx(panel.difference)
    turned = with_pages(
        Panel.of(*sides[::-1], np.arange(30)),
        replace(given, before=given.after, after=given.before), values, 10,
    ).parts  # fmt: skip
    assert (turned.row.tolist(), turned.cluster.tolist()) == (
        found.row.tolist(), found.cluster.tolist(),
    )  # fmt: skip
    assert turned.part == pytest.approx(-found.part)
