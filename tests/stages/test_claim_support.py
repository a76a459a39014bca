"""What supports a published change: each check passes, fails or is not known, and says why."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from monitor.change import Cause, Status
from monitor.model import Kind
from monitor.stages.changes import claim_support
from monitor.stages.changes.claim_support import check_support, list_unsupporting, say_averaged
from monitor.stages.changes.claims import (
    Again,
    ChangeClaim,
    ClaimSeries,
    Declared,
    InstrumentAudit,
    Noise,
    PointClaim,
    Value,
)
from monitor.stages.changes.due_times import UNKNOWN, DueTimes
from monitor.stages.jobs.preregistration import Because
from monitor.stages.reports.names import find_quantity
from tests.cases import check_each

AUDIT = {
    "read": 60, "right": 57, "run_id": 9, "is_suspect": False,
    "n_raters": 2, "due_at": datetime(2026, 3, 2, tzinfo=UTC),
    "right_share": {"rate": 0.94, "low": 0.88, "high": 0.98},
    "classes": [
        {"called": "feminine", "read": 30, "right": 29},
        {"called": "masculine", "read": 30, "right": 28},
    ],
}  # fmt: skip
AGAIN = Again(
    delta=0.45, low=0.27, high=0.6, p=1e-4, n=102, changed=24, before_run_id=8, after_run_id=10,
    due_at=datetime(2026, 3, 3, tzinfo=UTC),
)  # fmt: skip
SERIES = ClaimSeries(
    series_id=1, series_key="k", engine="x", surface="api", list="gest", source_lang="en",
    target="cs", measure="masculine_rate", quantity="f_s", reference="", scope="all",
    scope_title=None, engine_kind=Kind.MT, engine_title="X",
)  # fmt: skip
#: What the cards of a change and of a point have.
_COMMON = {
    "number": 1, "series": SERIES, "title": "", "pair": "", "config": {}, "runs": [],
    "signature": "", "parts": {"cue": "agreement"}, "validity": {}, "citation": "", "claim": "",
    "is_current": True, "replaced_said": "", "n": 102, "left_out": {}, "dates": [], "invented": "",
    "effect": Value(0.47, 0.3, 0.67), "noise": Noise(0.02, None, {}), "bounds": (None, None),
    "declared": Declared(True, None, "confirmatory: registered on 2026-01-05", "", [], []),
    "instrument_audit": InstrumentAudit([], audit=AUDIT),
}  # fmt: skip
SUPPORTED = ChangeClaim(
    **_COMMON, kind="change", change_kind="step", status=Status.CONFIRMED, again=AGAIN,
    facts={"runs_since": 4.0}, due_times=UNKNOWN, cause=Cause.ENGINE,
    because="0 of 106 answers of the control x changed.", p=1e-4, q=None, alpha=0.01, test=None,
    order_said="All 4 runs since lie above the 20 runs before.", p_beyond=0.004, alpha_beyond=0.015,
    holds_beyond=True, missing_suspect=False, missing_counts=(0, 0), missing="",
    changed_at=AGAIN.due_at, before=0.0, after=0.47, components=[], changed=23, beyond_said="",
    size_said="", status_said="", moved_again=None, n_flips=0, flips=[],
)  # fmt: skip
STILL = " (the control did not move, which does not settle it)"
REPEATED, SOFTWARE, NOISE, BEYOND, REGISTERED, DETECTION, MISSING = range(7)


def check(at, **changed):
    return check_support(replace(SUPPORTED, **changed))[at]


def test_the_checks_have_their_order_and_a_finding_can_pass_them_all():
    checks = check_support(SUPPORTED)
    assert [one.question for one in checks] == [
        "Repeated?",
        "Was our software unchanged?",
        "Larger than the system's noise?",
        "Does it hold beyond this list?",
        "Registered beforehand?",
        "Is our detection checked for this language?",
        "Could missing answers explain it?",
    ]
    assert all(one.holds and one.reason and one.badge for one in checks)
    assert [one.answer for one in checks] == ["yes"] * 6 + ["no"]
    assert list_unsupporting(checks) == ""
    weak = check_support(replace(SUPPORTED, cause=Cause.OPEN, p_beyond=None))
    assert list_unsupporting(weak) == (
        f"cause not determined{STILL}; not tested beyond these questions"
    )


def test_a_point_is_asked_what_can_be_asked_of_one_value():
    checks = check_support(
        PointClaim(**_COMMON, kind="point", state="measured", reason="", flags=[])
    )
    assert [one.question for one in checks] == [
        "Registered beforehand?", "Is our detection checked for this language?",
    ]  # fmt: skip


def test_what_asking_again_gave_is_said_with_both_sizes():
    repeated = check(REPEATED)
    assert repeated.reason == (
        "Asked again on 2026-03-03: 102 questions, +45 points (+27 to +60 points); first "
        "+47 points."
    ).replace(" points", "\N{NO-BREAK SPACE}points").replace("+27\N{NO-BREAK SPACE}points", "+27")
    assert repeated.badge == "asked again: same result"


@pytest.mark.parametrize(
    ("changed", "holds", "badge"),
    [
        ({"status": Status.REFUTED}, False, "not reproduced"),
        ({"status": Status.CANDIDATE}, None, "not decided yet"),
        ({"status": Status.RETROSPECTIVE, "again": None}, False,
         "found in retrospect, not repeated"),
        ({"status": Status.UNCONFIRMED, "again": None}, False, "not asked again"),
        ({"again": None}, True, "seen in 4 runs"),
        ({"again": None, "due_times": DueTimes(None, 2)}, True,
         "seen at 2 due times (4 runs with repeats)"),
        ({"again": replace(AGAIN, low=-0.1)}, True, "seen in 4 runs"),
        ({"again": replace(AGAIN, low=-0.1), "facts": {}}, None, "asked again: not clear"),
        ({"again": None, "facts": {}}, False, "not asked again"),
        ({"again": replace(AGAIN, delta=-0.1), "facts": {}}, False,
         "asked again: not the same result"),
        ({"again": replace(AGAIN, delta=None)}, True, "seen in 4 runs"),
    ],
)  # fmt: skip
def test_a_change_is_repeated_where_later_runs_show_it(changed, holds, badge):
    repeated = check(REPEATED, **changed)
    assert (repeated.holds, repeated.badge) == (holds, badge)


@pytest.mark.parametrize(
    ("cause", "because", "holds", "answer"),
    [
        (Cause.ENGINE, "A control stood still.", True, "yes"),
        (Cause.ENGINE, "Our software changed too: x.", True, "no, but ruled out as the cause"),
        (Cause.OPEN, "No pinned control was asked beside it.", None, "not known"),
        (Cause.OPEN, "Our software changed too: x.", False, "no"),
        (Cause.INSTRUMENT, "The control moved as well.", False, "no"),
        (Cause.LEXICON, "", False, "no"),
    ],
)
def test_the_cause_says_whether_it_was_our_software(cause, because, holds, answer):
    software = check(SOFTWARE, cause=cause, because=because)
    assert (software.holds, software.answer) == (holds, answer)
    assert because in software.reason
    assert software.reason


def test_a_cause_whose_reasons_are_hidden_tells_nothing_of_them():
    assert check(SOFTWARE, because="").reason == "What is known of it is not public here."


@pytest.mark.parametrize(
    ("changed", "holds"),
    [
        ({"status": Status.REFUTED}, False),
        ({"status": Status.CANDIDATE}, None),
        ({"status": Status.UNCONFIRMED, "order_said": ""}, None),
        ({"status": Status.RETROSPECTIVE, "p": None, "order_said": ""}, False),
    ],
)
def test_only_a_confirmed_change_is_larger_than_noise(changed, holds):
    assert check(NOISE, **changed).holds is holds


def test_the_size_stands_beside_what_runs_differ_by():
    assert "23.5 times what runs before differ by (sd 2\N{NO-BREAK SPACE}points)" in (
        check(NOISE).reason
    )
    assert "was not measured" in check(NOISE, noise=Noise(None, None, {})).reason


@pytest.mark.parametrize(
    ("changed", "verb"),
    [
        ({"p_beyond": None}, "tested"),
        ({"holds_beyond": False, "p_beyond": 0.2}, "shown"),
        ({"status": Status.CANDIDATE}, "tested"),
    ],
)
def test_what_is_not_shown_beyond_the_list_is_said_of_its_questions_only(changed, verb):
    beyond = check(BEYOND, **changed)
    assert (beyond.holds, beyond.badge) == (False, f"not {verb} beyond these questions")
    assert beyond.reason.endswith("Speak of these questions only.")


def test_what_was_not_registered_needs_confirmation():
    said = "exploratory: not registered before the data"
    declared = Declared(False, Because.NOTHING_DECLARED, said, "", [], [])
    registered = check(REGISTERED, declared=declared)
    assert registered.holds is False
    assert registered.reason.startswith("Not registered before the data. So it is exploratory")
    assert "Confirmed means that enough runs agree" in registered.reason
    signal = check(REGISTERED, declared=declared, status=Status.CANDIDATE)
    assert signal.badge == "exploratory: not registered before the data"
    assert "Confirmed" not in signal.reason


def test_an_audit_is_told_with_its_errors_by_detected_form():
    assert check(DETECTION).reason.replace("\N{NO-BREAK SPACE}", " ") == (
        "2 people read 60 answers of run 9 (2026-03-02): our software was right in 57 (weighted by "
        "how often each form occurs 94 %, interval 88 % to 98 %). By detected form: feminine: 1 of "
        "30 wrong; masculine: 2 of 30 wrong."
    )


def test_the_badge_of_an_audit_has_its_size_and_its_result_with_interval():
    assert check(DETECTION).badge.replace("\N{NO-BREAK SPACE}", " ") == (
        "people checked our reading of 60 Czech answers: 94 % right (88 % to 98 %)"
    )
    unknown = AUDIT | {"right_share": {"rate": None, "low": None, "high": None}}
    few = check(DETECTION, instrument_audit=InstrumentAudit([], audit=unknown))
    assert few.badge == "people checked our reading of 60 Czech answers: 57 right"


def test_a_language_that_nobody_checked_may_be_misread():
    detection = check(DETECTION, instrument_audit=InstrumentAudit([]))
    assert detection.holds is False
    assert detection.badge == "our reading of Czech was not audited"
    assert detection.reason.endswith("reads both sides alike, so it may misread both.")


@check_each(
    ("because", "says"),
    [
        (
            "0 of 106 answers of the control x changed.",
            "same software for both answers (the control did not move)",
        ),
        ("Our software changed too: httpx.", "an update of our software is ruled out"),
    ],
)
def test_what_was_checked_of_our_software_is_its_version_and_not_how_it_reads(because, says):
    software = check(SOFTWARE, because=because)
    assert software.holds is True
    assert software.badge == f"{says}; reason not known"


def test_that_a_control_did_not_move_stands_beside_an_update_of_our_software():
    because = "0 of 9 answers of the control x changed. Our software changed too: httpx."
    software = check(SOFTWARE, cause=Cause.OPEN, because=because)
    assert software.holds is False
    assert software.badge.endswith(STILL)
    assert "The control did not move. 0 of 9" in software.reason
    for cause, words in ((Cause.OPEN, "Our software changed too: httpx."),
                         (Cause.INSTRUMENT, f"The control moved as well: {because}")):  # fmt: skip
        other = check(SOFTWARE, cause=cause, because=words)
        assert "did not move" not in other.badge + other.reason


@pytest.mark.parametrize(
    ("kind", "facts", "says"),
    [
        (
            "step",
            {"size_runs": 2.0, "runs_before": 39.0},
            "means of 16 runs before and 2 later ones",
        ),
        (
            "drift",
            {"size_runs": 5.0, "runs_before": 1.0},
            "means of 1 run before and 5 later ones",
        ),
        ("step", {"runs_before": 9.0, "runs_since": 3.0}, "in the two runs compared"),
        ("shift", {}, ""),
    ],
)
def test_values_of_a_change_say_what_they_are_means_of(kind, facts, says):
    assert say_averaged(kind, facts) == says


@pytest.mark.parametrize(
    "known",
    [
        InstrumentAudit([], ["job: cs: it fell"], AUDIT),
        InstrumentAudit([], audit=AUDIT | {"is_suspect": True}),
    ],
)
def test_an_audit_that_fell_does_not_support(known):
    assert check(DETECTION, instrument_audit=known).holds is False


@pytest.mark.parametrize(
    ("kind", "holds", "answer"),
    [
        (Kind.MT, None, "not known"),  # hidden from this visitor
        (Kind.LM, None, "does not apply"),
        (Kind.SEARCH, False, "no"),
    ],
)
def test_where_no_audit_is_told_the_reason_depends_on_the_system(kind, holds, answer):
    series = replace(SERIES, engine_kind=kind)
    detection = check(DETECTION, instrument_audit=None, series=series)
    assert (detection.holds, detection.answer) == (holds, answer)


@pytest.mark.parametrize(
    ("changed", "holds", "answer"),
    [
        ({"missing_suspect": True, "missing_counts": [300, 2]}, False, "yes"),
        ({"missing_suspect": None}, None, "not known"),
        ({"bounds": [-0.3, 0.2]}, True, "no"),
    ],
)
def test_missing_answers_that_could_make_the_change_are_counted(changed, holds, answer):
    missing = check(MISSING, **changed)
    assert (missing.holds, missing.answer) == (holds, answer)
    assert ("300 questions" in missing.reason) is (holds is False)
    assert ("so they are not ruled out" in missing.reason) is ("bounds" in changed)


def test_what_was_registered_and_asked_otherwise_is_not_called_unregistered():
    said = "exploratory: not asked as registered; registered on 2026-01-05"
    declared = Declared(False, Because.NOT_AS_DECLARED, said, "", [], [])
    registered = check(REGISTERED, declared=declared)
    assert (registered.holds, registered.answer) == (False, "not as it was asked")
    assert registered.badge == "exploratory though confirmed: not asked as registered"


@check_each(
    ("quantity", "effect", "stereotype", "now", "fits"),
    [
        # sentences about men (8) and about women (1): a wider gap is as the stereotype says
        ("f_s", 0.2, "8", "masculine", True), ("f_s", 0.2, "8", "feminine", False),
        ("f_s", 0.2, "1", "masculine", False), ("f_s", 0.2, "1", "feminine", True),
        ("f_s", -0.2, "8", "feminine", True), ("f_s", -0.2, "1", "feminine", False),
        ("s_or", -0.2, "1", "masculine", True), ("f_s", None, "8", "feminine", False),
        # a share of masculine forms rises with each of them, in the sentences that it is of
        ("f_m", -0.2, "8", "masculine", False), ("f_m", -0.2, "", "feminine", True),
        ("p_f", 0.2, "1", "masculine", True), ("p_f", 0.2, "8", "masculine", False),
        # of others the way is not known
        ("f_s", 0.2, "", "feminine", False), ("marked_share", 0.2, "8", "feminine", False),
    ],
)  # fmt: skip
def test_an_example_moved_the_gap_as_the_gap_changed(quantity, effect, stereotype, now, fits):
    about = find_quantity("masculine_rate", quantity, Kind.MT)
    assert claim_support._is_of_change([now], stereotype, about, effect) is fits
