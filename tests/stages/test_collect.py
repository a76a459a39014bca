"""Batches, pace and stopping."""

import json
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from monitor import registry
from monitor.fetch.lanes import Lane
from monitor.jobs import EngineUse
from monitor.model import (
    Answer,
    HttpRequest,
    LocalRequest,
    Outcome,
    PageRequest,
    Pause,
    Probe,
    Reason,
    SavedRequest,
)
from monitor.pipeline.collect.run_lanes import LaneAllowance, Spending
from monitor.stages.collect import requests
from monitor.store.collect.evidence import Attempt
from tests.cases import check_each
from tests.factories import DUE, Scripted
from tests.regions import US

ENGINE = registry.engine("firefox_translations")


def attempt(number, repeat=0, target="pt", region=""):
    probe = Probe(f"text {number}", "en", target, region)
    return Attempt(number, 1, number, probe, repeat, 1)


@st.composite
def open_attempts(draw):
    """What may be open of a run: questions in random order, gaps, and what is asked again."""
    of = st.tuples(
        st.integers(0, 12), st.sampled_from(["pt", "es"]), st.integers(0, 3), st.integers(1, 3)
    )
    wanted = draw(st.lists(of, unique_by=lambda one: one[:3], max_size=60))
    return [
        Attempt(place, 1, number, Probe(f"text {number}", "en", target), repeat, n)
        for place, (number, target, repeat, n) in enumerate(wanted)
    ]


def never():
    return False


def test_batches_have_at_most_their_size_and_keep_the_order():
    found = list(requests.make_batches([attempt(n) for n in range(7)], 3))
    assert [[a.id for a in group] for group in found] == [[0, 1, 2], [3, 4, 5], [6]]


def test_no_batch_mixes_languages_regions_or_repeats():
    attempts = [
        attempt(n, repeat, target, region)
        for n in range(3)
        for repeat in (0, 1)
        for target in ("pt", "es")
        for region in ("", "BR")
    ]
    found = list(requests.make_batches(attempts, 16))
    assert len(found) == 8
    for group in found:
        same = {(a.repeat, a.probe.target_lang, a.probe.region) for a in group}
        assert len(same) == 1
        assert len({a.probe.text for a in group}) == len(group) == 3
    assert sorted(a.id for group in found for a in group) == sorted(a.id for a in attempts)


def test_the_repeats_of_a_group_follow_directly_and_pairs_take_turns():
    """In the order of their first attempts, as they were planned."""
    planned = [
        (n, target, repeat) for n in range(5) for target in ("es", "pt") for repeat in (0, 1)
    ]
    attempts = [
        replace(attempt(n, repeat, target), id=place)
        for place, (n, target, repeat) in enumerate(planned)
    ]
    found = [
        (group[0].probe.target_lang, group[0].repeat, [a.probe_id for a in group])
        for group in requests.make_batches(attempts, 3)
    ]
    assert found == [
        ("es", 0, [0, 1, 2]), ("es", 1, [0, 1, 2]), ("pt", 0, [0, 1, 2]), ("pt", 1, [0, 1, 2]),
        ("es", 0, [3, 4]), ("es", 1, [3, 4]), ("pt", 0, [3, 4]), ("pt", 1, [3, 4]),
    ]  # fmt: skip


def test_what_is_asked_again_alone_is_grouped_like_the_rest():
    again = [replace(attempt(n, repeat), n=2) for n, repeat in ((4, 1), (2, 0), (2, 1), (9, 1))]
    found = [[(a.probe_id, a.repeat) for a in group] for group in requests.make_batches(again, 3)]
    assert found == [[(4, 1), (2, 0), (9, 1)], [(2, 1)]]


@settings(deadline=None)
@given(open_attempts(), st.integers(1, 8))
def test_batches_keep_their_word_whatever_is_open(attempts, size):
    found = list(requests.make_batches(attempts, size))
    assert sorted(a.id for group in found for a in group) == list(range(len(attempts)))
    newly_met, seen = [], {}
    for place, group in enumerate(found):
        assert 1 <= len(group) <= size
        assert len({a.probe for a in group}) == len(group)
        assert len({(a.probe.source_lang, a.probe.target_lang) for a in group}) == 1
        if group[0].probe not in seen:
            newly_met.append(group[0].id)
        for one in group:
            assert place - seen.get(one.probe, place) <= 1  # its repeats are in neighbours
            seen[one.probe] = place
    assert newly_met == sorted(newly_met)
    for target in ("pt", "es"):  # no more requests for first repeats than have to be
        probes = {a.probe for a in attempts if a.probe.target_lang == target}
        firsts = [g for g in found if g[0].probe.target_lang == target and g[0].id in newly_met]
        assert len(firsts) == -(-len(probes) // size)


def test_nothing_to_ask_is_no_batch():
    assert list(requests.make_batches([], 16)) == []


@check_each(
    ("request_", "expected"),
    [
        (LocalRequest("b", "en-pt", ("x", "y")), {"backend": "b", "model": "en-pt", "texts": 2}),
        (
            HttpRequest("POST", "https://t.invalid/", (("Authorization", "secret:KEY"),), b"text"),
            {
                "method": "POST",
                "url": "https://t.invalid/",
                "headers": [["Authorization", "secret:KEY"]],
                "body": "text",
            },
        ),
        (PageRequest("https://s.invalid/?q=x", US, (("reject", "#r"),), ("#search",)),
         {"url": "https://s.invalid/?q=x", "region": {"name": "us-en", **dict(US.parameters)},
          "consent": [["reject", "#r"]], "ready": ["#search"], "headed": False}),
        (SavedRequest("saved", "x", "us-en"),
         {"folder": "saved", "text": "x", "region": "us-en"}),
        (HttpRequest("GET", "https://s.invalid/?q=x", query_secrets=(("key", "API_KEY"),)),
         {"method": "GET", "url": "https://s.invalid/?q=x", "headers": [], "body": "",
          "query_secrets": {"key": "secret:API_KEY"}}),
    ],
)  # fmt: skip
def test_a_request_is_kept_with_the_names_of_its_keys(request_, expected):
    assert requests.describe_request(request_) == expected


def collected(attempts, lane=None, most=None, stop=never, fetcher=None):
    use = EngineUse(name=ENGINE.name, targets=["pt"])
    fetcher = fetcher or Scripted({a.probe.text: "Durmo bem." for a in attempts})
    lane = lane or Lane(in_flight=64)
    allowance = None if most is None else LaneAllowance(Spending(0), most)
    return list(requests.collect_answers(ENGINE, use, attempts, fetcher, lane, allowance, stop))


def test_answers_come_with_the_attempts_that_they_settle():
    attempts = [attempt(n) for n in range(20)]
    first, second = collected(attempts)
    assert [a.id for a in first.settled.attempts] == list(range(16))
    assert [a.id for a in second.settled.attempts] == [16, 17, 18, 19]
    assert first.settled.request == {"backend": "fxtranslate", "model": "en-pt", "texts": 16}


@pytest.mark.parametrize("most", [0, 1, 2])
def test_at_most_so_many_requests(most):
    fetcher = Scripted({f"text {n}": "Durmo bem." for n in range(50)})
    assert len(collected([attempt(n) for n in range(50)], most=most, fetcher=fetcher)) == most
    assert len(fetcher.requests) == most


def test_stopping_asks_nothing_new():
    answers = []

    def stop():
        return len(answers) >= 1

    fetcher = Scripted({f"text {n}": "Durmo bem." for n in range(64)})
    use = EngineUse(name=ENGINE.name, targets=["pt"])
    attempts = [attempt(n) for n in range(64)]
    answers.extend([])
    for one in requests.collect_answers(
        ENGINE, use, attempts, fetcher, Lane(in_flight=64), None, stop
    ):
        answers.append(one)  # noqa: PERF402 - stop() reads it
    assert len(answers) == len(fetcher.requests) == 1


def test_a_stop_during_the_wait_asks_nothing_more():
    fetcher = Scripted({f"text {n}": "Durmo bem." for n in range(64)})
    attempts = [attempt(n) for n in range(64)]
    asked = iter(range(100))
    found = collected(attempts, Lane(pace=0.01), stop=lambda: next(asked) > 6, fetcher=fetcher)
    assert len(found) == len(fetcher.requests) == 1


def test_a_lane_that_is_stopped_asks_nothing():
    fetcher = Scripted({"text 0": "Durmo bem."})
    assert collected([attempt(0)], Lane(stopped="the key is wrong"), fetcher=fetcher) == []
    assert fetcher.requests == []


def test_a_target_that_is_closed_is_left_out_and_the_others_are_asked():
    attempts = [attempt(0), attempt(1, target="pt-PT")]
    lane = Lane(in_flight=64, closed={"en-pt": "not offered"})
    [found] = collected(attempts, lane)
    assert [a.id for a in found.settled.attempts] == [1]


def test_a_service_that_answers_nothing_but_signs_is_not_asked_for_long():
    """Found in the translations, because its answers look like any other's."""
    engine = registry.engine("deepl")
    use = EngineUse(name="deepl", targets=["es"])
    poisoned = json.dumps({"translations": [{"text": "★"}]}).encode()

    class Bogus:
        asked = 0

        def fetch(self, requests):
            for index, _ in enumerate(r for r in requests if not isinstance(r, Pause)):
                self.asked += 1
                yield index, Answer(Outcome.OK, DUE, 0.1, status=200, body=poisoned)

    class Clock:
        now = 0.0

        def __call__(self):
            self.now += 1000
            return self.now

    engine = replace(engine, batch=1)
    attempts = [attempt(n, target="es") for n in range(30)]
    lane, fetcher = Lane("deepl", clock=Clock()), Bogus()
    found = list(requests.collect_answers(engine, use, attempts, fetcher, lane, None, never))
    assert {one.settled.answer.reason for one in found} == {Reason.POISONED}
    assert fetcher.asked < 10
    assert "poisoned" in lane.stopped
