"""Audits in turn: what is compared with what, and from when to when the instrument is in doubt."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from monitor.model import GenderClass
from monitor.stages import validation
from monitor.stages.validation import (
    is_read,
    judge_groups,
    list_doubts,
    marked_share,
    masculine_share,
    right_share,
)
from monitor.store.validation import AuditedSystem, AuditGroup, Stratum

M, F, NONE = GenderClass.MASCULINE, GenderClass.FEMININE, GenderClass.NONE
FIRST = datetime(2025, 1, 6, 5, tzinfo=UTC)
QUARTER = timedelta(weeks=13)
#: Of the signature of what these audits are of.
PARTS = {"language": "pt", "language_version": 3, "parser": "deepl", "parser_version": 7}
ONE = AuditedSystem(1, "deepl", "mini@1", "en", "pt-BR", 3)


def stratum(called, right, read, frame=500, wrong=NONE, drawn=20):
    truths = {cls: n for cls, n in ((called, right), (wrong, read - right)) if n}
    return Stratum(called, frame, drawn, read, right, 0, truths, right)


def known(called, frame, truths, disputed=0):
    """A class of which twenty were drawn and read."""
    right = truths.get(called, 0)
    return Stratum(called, frame, 20, 20, right, disputed, truths, right)


def group(number, *strata, due=None, **other):
    due_at = FIRST + (number if due is None else due) * QUARTER
    known = AuditGroup(
        id=number, audit_id=number, run_id=number, job="weekly", due_at=due_at,
        drawn_at=FIRST + number * QUARTER, seed="s", per_class=20, target="pt-BR",
        cue="agreement", system="", systems=[ONE], language_id=1, language="pt",
        language_version=3, left_out=0, strata=strata, labels={"ab": {1: M}}, labelled_at=FIRST,
        parsers={"deepl": 7},
    )  # fmt: skip
    return replace(known, **other)


def good(number, **other):
    return group(number, stratum(M, 20, 20), stratum(F, 19, 20), **other)


def poor(number, **other):
    return group(number, stratum(M, 14, 20), stratum(F, 13, 20), **other)


def judged(*groups):
    return [(one.is_suspect, one.before and one.before.id) for one in judge_groups(groups)]


def test_the_first_audit_is_compared_with_nothing():
    [one] = judge_groups([poor(1)])
    assert (one.p, one.is_suspect, one.before) == (None, False, None)
    assert one.reason == "no audit before it to compare with"


def test_a_fall_is_held_against_the_audit_before_until_it_is_over():
    found = judge_groups([good(1), poor(2), poor(3), good(4), good(5)])
    assert [one.is_suspect for one in found] == [False, True, True, False, False]
    assert [one.before.id for one in found[1:]] == [1, 1, 1, 4]
    assert found[1].p < 0.001
    [doubt] = list_doubts(found)
    assert (doubt.since, doubt.until) == (found[1].group.due_at, found[3].group.due_at)


def test_the_order_of_the_rows_does_not_matter():
    assert judged(poor(2), good(1), poor(3)) == judged(good(1), poor(2), poor(3))


def test_doubt_goes_on_without_an_audit_that_ends_it():
    [doubt] = list_doubts(judge_groups([good(1), poor(2)]))
    assert doubt.until is None
    assert doubt.holds("pt-PT", FIRST + 9 * QUARTER, PARTS)
    assert doubt.holds("pt", FIRST + 2 * QUARTER, PARTS)
    assert not doubt.holds("pt", FIRST + QUARTER, PARTS)
    assert not doubt.holds("es", FIRST + 9 * QUARTER, PARTS)
    for cue, is_in_doubt in (("agreement", True), ("agreement+quoted", True), ("entity", False)):
        assert doubt.holds("pt", FIRST + 9 * QUARTER, PARTS | {"cue": cue}) is is_in_doubt


def test_what_the_same_versions_read_before_shares_the_doubt_back_to_the_audit_that_was_well():
    [doubt] = list_doubts(judge_groups([good(1), good(2), poor(4)]))
    assert (doubt.well_at, doubt.since) == (FIRST + 2 * QUARTER, FIRST + 4 * QUARTER)
    between = FIRST + 3 * QUARTER
    assert doubt.holds("pt", between, PARTS)
    assert not doubt.holds("pt", FIRST + 2 * QUARTER, PARTS)
    others = [{"language": "es"}, {"language_version": 2}, {"parser_version": 6}]
    for other in others:
        assert not doubt.holds("pt", between, PARTS | other)
        assert doubt.holds("pt", doubt.since, PARTS | other)  # until somebody reads it again
    assert doubt.holds("pt", between, PARTS | {"parser": "apertium", "parser_version": 1})
    assert not doubt.holds("pt", between, {"text": "snippet"})


def test_an_audit_of_other_versions_does_not_vouch_for_what_these_read_before():
    for other in ({"language_version": 2}, {"parsers": {"deepl": 6}}):
        found = judge_groups([good(1), good(2, **other), poor(3)])
        [doubt] = list_doubts(found)
        assert doubt.well_at == FIRST + QUARTER
        assert found[2].before.id == 2
        [doubt] = list_doubts(judge_groups([good(2, **other), poor(3)]))
        assert doubt.well_at is None
        assert doubt.holds("pt", FIRST, PARTS)


def test_audits_of_which_too_little_was_read_vouch_for_nothing():
    few = group(2, stratum(M, 9, 9), stratum(F, 20, 20))
    [doubt] = list_doubts(judge_groups([good(1), few, poor(3)]))
    assert doubt.well_at == FIRST + QUARTER


def test_where_doubt_is_over_the_tick_of_the_good_audit_is_well():
    [doubt] = list_doubts(judge_groups([good(1), poor(2), good(3)]))
    assert doubt.holds("pt", FIRST + 3 * QUARTER - timedelta(seconds=1), PARTS)
    assert not doubt.holds("pt", FIRST + 3 * QUARTER, PARTS)


def test_drawing_the_same_tick_again_ends_nothing():
    again = good(3, due=2)
    assert judged(good(1), poor(2), again) == [(False, None), (True, 1), (True, 1)]
    [doubt] = list_doubts(judge_groups([good(1), poor(2), again]))
    assert doubt.until is None


def test_too_few_that_are_read_say_nothing_and_end_nothing():
    few = group(3, stratum(M, 9, 9), stratum(F, 20, 20))
    assert not is_read(few)
    found = judge_groups([good(1), poor(2), few])
    assert [one.is_suspect for one in found] == [False, True, True]
    assert (found[2].p, found[2].reason) == (None, "too little was read to judge by")
    assert judged(good(1), few) == [(False, None), (False, 1)]


def test_a_class_with_hardly_any_answers_is_read_whole():
    assert is_read(group(1, stratum(M, 20, 20), stratum(F, 2, 3, frame=3, drawn=3)))
    assert not is_read(group(1, stratum(M, 20, 20), stratum(F, 2, 2, frame=3, drawn=3)))
    assert not is_read(group(1))


def test_only_what_was_drawn_alike_is_compared():
    others = [
        {"job": "other"}, {"target": "pt-PT"}, {"cue": "quoted"},
        {"system": "deepl, mini@1, en-pt-BR"},
    ]  # fmt: skip
    for other in others:
        assert judged(good(1), poor(2, **other)) == [(False, None), (False, None)]


def test_no_class_in_common():
    found = judge_groups([group(1, stratum(M, 20, 20)), group(2, stratum(F, 1, 20))])
    assert found[1].p is None
    assert not found[1].is_suspect
    assert found[1].reason == "no class was called at both audits"


def test_what_is_disputed_is_not_right():
    """Who reads a sheet of bad calls otherwise does not mend them."""
    other = Stratum(M, 500, 20, 20, 13, 7, {M: 16.5, NONE: 3.5}, 13)
    found = judge_groups([good(1), group(2, other, stratum(F, 19, 20))])
    assert found[1].is_suspect
    assert right_share(found[1].group).rate < 0.85


def test_another_reader_makes_no_fall():
    """The first reads as the one of the audit before; the second often sees something else."""
    both = Stratum(M, 500, 20, 20, 13, 7, {M: 16.5, NONE: 3.5}, 20)
    found = judge_groups([good(1), group(2, both, stratum(F, 19, 20))])
    assert (found[1].is_suspect, found[1].p) == (False, pytest.approx(0.756, abs=0.001))
    assert right_share(found[1].group).rate < 0.85


# --- rates ----------------------------------------------------------------------------------------


def test_rates_weigh_each_class_by_how_often_it_was_called():
    one = group(
        1,
        known(M, 800, {M: 18, F: 1, NONE: 1}),
        known(F, 150, {F: 20}),
        known(NONE, 50, {NONE: 15, M: 5}),
    )
    right = right_share(one)
    assert right.raw is None
    assert right.rate == pytest.approx(0.8 * 0.9 + 0.15 + 0.05 * 0.75)
    marked = marked_share(one)
    assert marked.raw == pytest.approx(0.95)
    assert marked.rate == pytest.approx(0.8 * 0.95 + 0.15 + 0.05 * 0.25)
    masculine = masculine_share(one)
    assert masculine.raw == pytest.approx(800 / 950)
    assert masculine.rate == pytest.approx((720 + 12.5) / (720 + 12.5 + 40 + 150))


def test_what_cannot_be_read_is_outside_of_what_was_read():
    odd = GenderClass.UNIDENTIFIED
    one = group(1, known(M, 90, {M: 20}), Stratum(odd, 10, 10, 10, 5, 0, {odd: 5, NONE: 5}, 5))
    assert marked_share(one).raw == 1
    assert marked_share(one).rate == pytest.approx(90 / 95)


# --- words ----------------------------------------------------------------------------------------


def test_when_each_language_was_audited_last():
    now = FIRST + 2 * QUARTER
    said = validation.last_audited(["cs", "pt-BR", "pl"], [good(1)], now)
    assert said == ["cs, pl: never audited",
                    "pt-BR: last audited on the answers of 2025-04-07, 40 items"]  # fmt: skip
    [old] = validation.last_audited(["pt-BR"], [good(1)], now + timedelta(days=2))
    assert old == "pt-BR: last audited on the answers of 2025-04-07, 93 days ago, 40 items"
    unread = group(1, Stratum(M, 90, 20, 0, 0, 0, {}, 0))
    [drawn] = validation.last_audited(["pt-BR"], [unread], now)
    assert drawn == "pt-BR: drawn for an audit, not read yet"


def test_a_fall_in_words_leads_to_both_runs():
    fell = judge_groups([good(1), poor(2)])[1]
    assert validation.write_subject(fell.group) == "weekly: pt-BR"
    said = validation.say_fall(fell)
    assert "27 of 40 texts of run 2 (2025-07-07)" in said
    assert "39 of 40 of run 1 (2025-04-07) before" in said


def test_two_people_agree_or_not():
    row = validation.describe_group(
        judge_groups([good(1, labels={"a": {1: M, 2: F}, "b": {1: M, 2: M}})])[0]
    )
    assert (row["n_raters"], row["agreement"]) == (2, 0.5)
    assert validation.describe_group(judge_groups([good(1)])[0])["agreement"] is None
