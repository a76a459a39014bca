"""What a change is put down to."""

from types import SimpleNamespace

from monitor.change import Cause
from monitor.stages.changes import attribution
from monitor.stages.changes.attribution import (
    Circumstances,
    Control,
    attribute_change,
    list_differences,
)
from tests.cases import check_each

STILL = Control("firefox_translations", 640, 0, 1.0)
#: Of a control whose answers flip by themselves: eight ticks asked again, 3 to 6 of 224 changed.
NOISE = [(3, 224), (6, 224), (4, 224), (5, 224)] * 2
CHANGED = ["httpx 0.27.2 -> 0.28.1"]


def test_it_was_the_engine_where_no_answer_of_the_control_changed():
    cause, why = attribute_change(Circumstances(controls=[STILL]))
    assert cause is Cause.ENGINE
    assert "0 of 640 answers of the control firefox_translations changed" in why


def test_without_a_control_nobody_knows():
    cause, why = attribute_change(Circumstances())
    assert cause is Cause.OPEN
    assert "No pinned control" in why


def test_a_control_that_moved_is_the_instrument():
    moved = Control("firefox_translations", 640, 30, 1e-9)
    cause, why = attribute_change(Circumstances(controls=[STILL, moved]))
    assert cause is Cause.INSTRUMENT
    assert "30 of 640" in why


def test_a_few_flips_by_chance_are_no_move():
    known = Circumstances(controls=[Control("x", 640, 2, 0.5)], changed_share=0.2)
    assert attribute_change(known)[0] is Cause.ENGINE


def test_flips_to_both_sides_are_a_move_where_they_are_many():
    known = Circumstances(controls=[Control("x", 640, 30, 0.9)], changed_share=0.2)
    assert attribute_change(known)[0] is Cause.INSTRUMENT


def test_a_control_is_compared_with_its_own_noise_and_the_words_say_so():
    control = Control("x", 224, 4, 0.6, NOISE)
    cause, why = attribute_change(Circumstances(controls=[control], changed_share=0.1))
    assert cause is Cause.ENGINE
    assert (
        "4 of 224 answers of the control x changed; between two askings of the same week 3 to 6 of "
        "224 did." in why
    )
    assert "stood still" not in why
    alone = Control("x", 224, 4, 0.6)
    cause, why = attribute_change(Circumstances(controls=[alone], changed_share=0.1))
    assert cause is Cause.INSTRUMENT  # it could have made a sixth of the change
    assert "how many change between two askings was not measured" in why


@check_each(
    ("changed", "p", "noise", "steps", "moved"),
    [
        (6, 0.6, NOISE, [], False),
        (12, 0.6, NOISE, [], True),  # twice as many as ever before
        (6, 0.03, NOISE, [], True),  # no more than by itself, and all in one direction
        (7, 0.6, NOISE, [], True),  # more than was seen, and a good part of the system's change
        (4, 0.6, [], [(0, 224)] * 10, True),  # it never changed before
        (4, 0.6, [], [(4, 224)] * 10, True),  # earlier ticks may hold changes: no excuse
        (4, 0.6, [(0, 22)] * 8, [], True),
        (1, 0.6, [(0, 22)] * 8, [], False),
        (4, None, NOISE, [], False),
        (4, None, [], [], True),
    ],
)  # fmt: skip
def test_when_a_control_has_moved(changed, p, noise, steps, moved):
    assert Control("x", 224, changed, p, noise, steps).moved(0.15) is moved


def test_shares_are_told_where_not_as_many_were_asked_again_each_time():
    said = str(Control("x", 224, 4, 0.6, [(3, 220), (6, 222)]))
    assert "between two askings of the same week 1.4 to 2.7 % did" in said
    assert "between earlier ticks none did" in str(Control("x", 224, 4, 0.6, (), [(0, 224)]))
    assert "between earlier ticks 2 of 224 did" in str(
        Control("x", 224, 4, 0.6, (), [(2, 224), (2, 224)])
    )


def test_a_change_that_came_with_other_software_of_ours_has_no_cause():
    cause, why = attribute_change(Circumstances(controls=[STILL], software=CHANGED))
    assert cause is Cause.OPEN
    assert "Our software changed too: httpx 0.27.2 -> 0.28.1." in why
    assert "not asked side by side" in why
    cause, why = attribute_change(
        Circumstances(controls=[STILL], software=CHANGED, doubted="They differ.")
    )
    assert cause is Cause.OPEN
    assert why.endswith("They differ.")


def test_other_software_that_was_asked_side_by_side_is_no_cause():
    known = Circumstances(controls=[STILL], software=CHANGED, cleared="Both say the same.")
    cause, why = attribute_change(known)
    assert cause is Cause.ENGINE
    assert "Our software changed too: httpx 0.27.2 -> 0.28.1. Both say the same." in why
    assert attribute_change(Circumstances(software=CHANGED, cleared="Both."))[0] is Cause.OPEN


def difference(delta, half, p=0.6):
    return SimpleNamespace(delta=delta, low=delta - half, high=delta + half, p=p)


@check_each(
    ("beside", "change", "is_less"),
    [
        (difference(0.0, 0.02), difference(0.1, 0.05), True),
        (difference(0.0, 0.02), difference(-0.1, 0.05), True),
        (difference(0.0, 0.06), difference(0.1, 0.05), False),  # too few were asked side by side
        (difference(0.0, 0.06), difference(-0.1, 0.05), False),
        (difference(-0.2, 0.02), difference(0.1, 0.05), True),  # it would make the opposite
        (difference(0.03, 0.01, p=0.01), difference(0.1, 0.05), False),  # they do differ
        (difference(0.0, 0.02, p=None), difference(0.1, 0.05), False),
        (SimpleNamespace(delta=0.0, low=None, high=None, p=1.0), difference(0.1, 0.05), False),
        (
            difference(0.0, 0.02), SimpleNamespace(delta=0.1, low=None, high=None, p=0.001), False,
        ),
    ],
)  # fmt: skip
def test_when_software_that_was_asked_side_by_side_explains_nothing(beside, change, is_less):
    assert attribution.is_less(beside, change) is is_less


def test_what_shows_that_it_was_ours_comes_before_what_may_have_been():
    moved = Control("x", 640, 30, 1e-9)
    assert (
        attribute_change(Circumstances(controls=[moved], software=CHANGED))[0] is Cause.INSTRUMENT
    )
    fell = Circumstances(controls=[STILL], software=CHANGED, audits_fell=["cs: 9 of 10"])
    assert attribute_change(fell)[0] is Cause.INSTRUMENT


def test_another_model_of_the_control_is_the_instrument():
    known = Circumstances(controls=[STILL], controls_changed=["firefox_translations"])
    assert attribute_change(known)[0] is Cause.INSTRUMENT


def test_what_the_engine_says_of_itself_and_other_questions_are_told():
    known = Circumstances(
        controls=[STILL], engine_said=["model 1 -> 2"], lists=("a@1", "a@2"), only_before=3,
        only_after=5,
    )  # fmt: skip
    why = attribute_change(known)[1]
    assert "The engine says another thing of itself: model 1 -> 2." in why
    assert "from a@1 to a@2" in why
    assert "3 before, 5 after" in why


@check_each(
    ("part", "cause"),
    [
        ("parser_version", Cause.PARSER), ("language_version", Cause.LANGUAGE),
        ("lexicons", Cause.LEXICON), ("list", Cause.LIST), ("reference", Cause.TARGET),
        ("labels", Cause.LABELS), ("measure_version", Cause.MEASURE),
    ],
)  # fmt: skip
def test_parts_of_signatures_that_differ_have_a_cause(part, cause):
    before = {"measure": "x", part: 1}
    assert list_differences(before, before) == []
    assert list_differences(before, before | {part: 2}) == [(cause, part, "1", "2")]
    assert list_differences({"measure": "x"}, before) == [(cause, part, "none", "1")]
