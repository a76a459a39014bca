"""Findings that tell of one event stand together; its headline is never bolder than they are."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import count

import pytest

from monitor import registry
from monitor.model import Kind
from monitor.stages.changes.events import describe_event, group_findings, say_systems
from monitor.stages.changes.later_moves import group_standing, say_past
from monitor.stages.changes.statements import say_moved
from monitor.stages.reports.names import KnownEngine
from monitor.store.changes.findings import ListedChange

AT = datetime(2026, 3, 2, 5, tzinfo=UTC)
WEEK = timedelta(weeks=1)
NBSP = "\N{NO-BREAK SPACE}"
ENGINES = {
    "libre": KnownEngine(Kind.MT, "Translator B"),
    "searx": KnownEngine(Kind.SEARCH, "Search A"),
}
_numbers = count(1)
#: Ends the words of a confirmed change of a main series.
MEANS = " (means of runs)"


def finding(quantity="f_s", **changes):
    fields = {
        "change_id": next(_numbers), "series_id": 1, "job": "weekly", "engine": "libre",
        "source_lang": "en", "target": "cs", "list": "gest", "measure": "masculine_rate",
        "reference": "", "quantity": quantity, "scope": "all", "kind": "step", "role": "primary",
        "changed_at": AT, "detected_at": AT + WEEK, "effect": 0.48, "low": 0.4, "high": 0.55,
        "q": 0.01, "alpha": 0.05, "p_beyond": 0.01, "alpha_beyond": 0.025, "noise": 0.02,
        "status": "confirmed", "cause": "engine", "because": "", "sentence": "",
    }  # fmt: skip
    return ListedChange(**fields | changes)


def event(*findings, values=None, every=()):
    return describe_event(findings, values or {}, ENGINES, UTC, group_standing(every))


def test_quantities_languages_and_dates_of_detection_of_one_event_stand_together():
    one = [
        finding(), finding("f_m", detected_at=AT), finding(target="pt"),
        finding("p_i", scope="stereotype:3", role="secondary"),
    ]  # fmt: skip
    other = [finding(changed_at=AT + 5 * WEEK), finding(engine="searx", quantity="mb")]
    assert {len(group) for group in group_findings([*one, *other])} == {1, 4}
    assert group_findings([*one, *other])[0] == [other[0]]  # the newest event is the first


def drift(weeks, quantity="f_s", **changes):
    return finding(quantity, kind="drift", changed_at=AT + weeks * WEEK, **changes)


def test_a_drift_that_goes_on_is_one_event():
    series = {"f_s": 1, "f_m": 2}
    one = [
        drift(0, "f_m", series_id=series["f_m"], effect=-0.07), drift(1), drift(5),
        drift(9, "f_m", series_id=series["f_m"], effect=-0.1),
    ]  # fmt: skip
    [group] = group_findings(one[::-1])
    assert sorted(group, key=lambda item: item.change_id) == one
    assert len(group_findings([drift(0), drift(5)])) == 2
    assert len(group_findings([drift(0), drift(1, engine="searx")])) == 2
    assert len(group_findings([drift(0), drift(1, target="pt")])) == 2
    assert len(group_findings([drift(0), drift(0, target="pt")])) == 1
    assert len(group_findings([drift(0), drift(1, target="pt"), drift(2)])) == 2
    assert len(group_findings([drift(0), finding(changed_at=AT + WEEK)])) == 2
    assert len(group_findings([drift(0), drift(3, effect=-0.2)])) == 2  # it turned round


@pytest.mark.parametrize(("weeks", "n_events"), [(0, 1), (-1, 1), (1, 1), (2, 2), (-9, 2)])
def test_what_is_found_in_retrospect_joins_an_event_at_most_a_week_away(weeks, n_events):
    late = finding(kind="shift", status="retrospective", changed_at=AT + weeks * WEEK)
    assert len(group_findings([late, finding()])) == n_events


def test_a_retrospective_signal_of_another_engine_is_an_event_of_its_own():
    late = finding(kind="shift", status="retrospective", engine="searx", quantity="mb")
    assert len(group_findings([finding(), late])) == 2


def test_more_stereotypical_is_said_only_where_s_or_moved_too():
    assert event(finding(), finding("f_m")).headline == "Translator B has a wider stereotype gap"
    moved = event(finding(), finding("s_or", role="secondary"), finding("f_m"))
    assert moved.headline == "Translator B became more stereotypical"
    unsure = event(finding(), finding("s_or", role="secondary", status="unconfirmed"))
    assert unsure.headline == "Translator B has a wider stereotype gap"
    fell = event(finding("s_or", effect=-0.3))
    assert fell.headline == "Translator B became less stereotypical"


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"status": "candidate"}, "Translator B: unconfirmed signal (stereotype gap)"),
        ({"status": "retrospective", "kind": "shift"},
         "Translator B: unconfirmed signal (stereotype gap)"),
        ({"status": "refuted"}, "Translator B: a possible change was not reproduced"),
        ({"cause": "language"},
         "Translator B: its numbers moved, but our rules that find gender in texts changed"),
        ({"cause": "open"}, "Translator B has a wider stereotype gap, cause not determined"),
        ({"quantity": "f_m", "effect": -0.1}, "Translator B uses masculine forms less often"),
        ({"quantity": "f_m", "scope": "topic:a"},
         "Translator B uses masculine forms more often in a part of the questions"),
    ],
)  # fmt: skip
def test_a_headline_is_as_certain_as_its_finding(changes, said):
    assert event(finding(**changes)).headline == said


def test_a_drift_is_no_step_of_one_day():
    slow, step = event(finding(kind="drift")), event(finding())
    assert slow.headline == "Translator B has a wider stereotype gap after a slow drift"
    assert (slow.began, step.began) == ("slow drift, clear by", "since")
    said = say_systems([slow, replace(step, system="Translator C")], "{} changed", UTC)
    assert said.replace(NBSP, " ") == (
        "Translator B (slow drift, clear by 2 Mar) and Translator C (since 2 Mar) changed"
    )
    assert say_systems([slow], "{} changed", UTC).endswith(
        f"changed (slow drift, clear by 2{NBSP}Mar)"
    )
    assert say_moved("drift", "", "2 Mar") == "slow drift, clear by 2 Mar"
    assert say_moved("step", "", "2 Mar") == "changed 2 Mar"
    assert "drift" not in step.headline


def test_what_went_back_later_is_told_in_the_past_with_its_end():
    wider = finding(low=0.1)
    narrower = finding(kind="drift", effect=-0.2, changed_at=AT + 6 * WEEK)
    back = event(wider, values={wider.change_id: (0.4, 0.88)}, every=[wider, narrower])
    plain = [text.replace(NBSP, " ") for text in (back.headline, back.leading.said)]
    assert plain == [
        "Translator B had a wider stereotype gap until a slow drift (clear by 13 Apr)",
        "Stereotype gap: +88 points until a slow drift (clear by 13 Apr), +40 points before"
        + MEANS,
    ]
    assert (back.is_over, back.began) == (True, "from")
    [(later, said)] = back.said_later
    assert later.number == narrower.change_id
    assert said.replace(NBSP, " ") == "Moved again by −20 points (slow drift, clear by 13 Apr)"
    newest = event(narrower, every=[wider, narrower])
    assert newest.headline == "Translator B has a narrower stereotype gap after a slow drift"
    assert not newest.said_later


@pytest.mark.parametrize(
    "later",
    [
        {"status": "refuted"}, {"status": "retrospective", "kind": "shift"}, {"job": "other"},
        {"series_id": 2}, {"changed_at": AT - WEEK},
    ],
)  # fmt: skip
def test_only_a_later_confirmed_finding_of_the_same_values_ends_an_event(later):
    wider = finding()
    other = finding(**({"changed_at": AT + WEEK, "effect": -0.2} | later))
    shown = event(wider, every=[wider, other])
    assert shown.headline == "Translator B has a wider stereotype gap"
    assert not shown.said_later


def test_what_moved_on_the_same_way_still_holds_and_says_that_it_moved_again():
    wider = finding()
    ours = "Our software changed too: httpx."
    more = finding(changed_at=AT + WEEK, effect=0.1, cause="open", because=ours)
    shown = event(wider, every=[more, wider])
    assert shown.headline == "Translator B has a wider stereotype gap"
    assert [said.replace(NBSP, " ") for _, said in shown.said_later] == [
        "Moved again by +10 points (since 9 Mar; our own software was updated)"
    ]
    back = finding(changed_at=AT + 2 * WEEK, effect=-0.1)
    ended = event(wider, every=[more, wider, back]).headline
    assert ended.replace(NBSP, " ") == "Translator B had a wider stereotype gap until 16 Mar"


def test_a_later_signal_that_is_not_decided_is_told_and_ends_nothing():
    wider = finding()
    signal = finding(changed_at=AT + WEEK, effect=-0.2, status="candidate")
    shown = event(wider, every=[wider, signal], values={wider.change_id: (0.4, 0.88)})
    assert shown.headline == "Translator B has a wider stereotype gap"
    assert "until" not in shown.leading.said
    [(later, said)] = shown.said_later
    assert later.number == signal.change_id
    assert not later.is_decided
    assert said.replace(NBSP, " ") == (
        "Not decided yet: a further move of −20 points since 9 Mar, "
        "beyond what its runs usually differ by"
    )
    small = finding(changed_at=AT + WEEK, effect=-0.03, status="candidate")
    assert "within what its runs" in event(wider, every=[wider, small]).said_later[0][1]
    unknown = finding(changed_at=AT + WEEK, status="candidate", noise=None)
    assert "usually" not in event(wider, every=[wider, unknown]).said_later[0][1]
    back = finding(changed_at=AT + 2 * WEEK, effect=-0.2)
    assert "until 16" in event(wider, every=[wider, signal, back]).headline


def test_a_language_that_went_back_is_named():
    czech, portuguese = finding(), finding(target="pt", series_id=2)
    back = finding(target="pt", series_id=2, effect=-0.3, changed_at=AT + WEEK)
    shown = event(czech, portuguese, every=[czech, portuguese, back])
    assert shown.headline.replace(NBSP, " ") == (
        "Translator B has a wider stereotype gap, until 9 Mar for Portuguese"
    )
    assert [said.partition(" by")[0] for _, said in shown.said_later] == ["Portuguese: moved again"]


def test_more_stereotypical_ends_only_where_that_quantity_went_back():
    gap, odds = finding(), finding("s_or", role="secondary", series_id=2)
    back = finding(effect=-0.3, changed_at=AT + WEEK)
    assert "had a wider stereotype gap until" in event(gap, odds, every=[gap, back]).headline
    odds_back = finding("s_or", series_id=2, effect=-0.3, changed_at=AT + WEEK)
    both = event(gap, odds, every=[gap, odds, back, odds_back])
    assert both.headline.startswith("Translator B was more stereotypical until")


def test_every_quantity_says_what_a_system_did():
    meanings = [
        quantity.meaning
        for measure in registry.discover("measures").values()
        for quantity in measure.quantities
    ]
    verbs = {words for meaning in meanings for words in (meaning.up, meaning.down)}
    past = {say_past(words).split()[0] for words in verbs}
    assert past <= set(
        "was had moved chose cited depended did followed gave kept made offered preferred put "
        "ranked reacted recognised reinforced showed treated used wrote".split()
    ), past
    assert "used" in past


def test_the_leading_finding_is_confirmed_and_of_the_whole_list():
    part = finding("p_i", scope="stereotype:3")
    signal, leading = finding("s_or", status="candidate"), finding("f_m")
    it = event(part, signal, leading)
    assert [change.number for change in it.changes] == [
        leading.change_id, part.change_id, signal.change_id,
    ]  # fmt: skip
    assert it.number == leading.change_id


def test_numbers_are_said_in_percent_and_points_and_languages_by_name():
    first, second = finding(), finding(target="pt", effect=0.58)
    it = event(first, second, finding("f_m"), values={first.change_id: (0.4, 0.88)})
    plain = it.leading.said.replace("\N{NO-BREAK SPACE}", " ")
    assert plain == f"Stereotype gap: +88 points, was +40 points{MEANS}"
    said = it.leading.said_effect.replace("\N{NO-BREAK SPACE}", " ")
    assert said == "+48 points (95 % interval +40 to +55 points)"
    assert it.asked_in == "English to Czech and Portuguese"
    assert [change.number for change in it.other_languages] == [second.change_id]


def test_a_finding_without_a_size_says_so():
    none = replace(finding(), effect=None, low=None, high=None)
    assert event(none).leading.said == "Stereotype gap: no size is stored"


def test_a_search_engine_is_asked_in_regions():
    some = [finding("mb", engine="searx", measure="c_ratio_bias", target=region)
            for region in ("gb-en", "us-en")]  # fmt: skip
    assert event(*some).asked_in == "United Kingdom, English; United States, English"
    assert event(*some).headline == "Search A shows women more often"


def test_each_language_of_an_event_has_its_own_cause():
    shown = event(finding(), finding(target="pt", cause="open"))
    assert shown.cause_said == (
        "Czech: not from an update of our own software; Portuguese: cause not determined"
    )
    assert shown.headline == ("Translator B has a wider stereotype gap, cause not determined")


def test_a_language_has_the_weakest_cause_of_its_findings():
    shown = event(finding(), finding("f_m", cause="open"))
    assert (shown.cause, shown.cause_said) == ("engine", "cause not determined")


def test_a_headline_does_not_say_that_a_system_changed_where_our_own_software_may_have():
    ours = {
        "cause": "open",
        "because": "No pinned control was asked beside it. Our software changed too: httpx.",
    }
    said = event(finding(**ours)).headline
    assert "its numbers moved when our own software was updated" in said
    assert "cause not determined" in said
    assert "stereotype" not in said
    assert event(finding(**ours)).is_updated
    assert not event(finding(cause="open")).is_updated
    assert (
        "a wider stereotype gap"
        in event(finding(**ours | {"because": "No pinned control."})).headline
    )
