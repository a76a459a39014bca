"""What a change is put down to."""

from monitor.change import Cause
from monitor.stages.attribution import Circumstances, Control, attribute, differences
from tests.cases import check_each

STILL = Control("firefox_translations", 640, 0, 1.0)


def test_it_was_the_engine_only_if_the_control_stood_still():
    cause, why = attribute(Circumstances(controls=[STILL]))
    assert cause is Cause.ENGINE
    assert "firefox_translations: 0 of 640 answers changed" in why


def test_without_a_control_nobody_knows():
    cause, why = attribute(Circumstances())
    assert cause is Cause.OPEN
    assert "No pinned control" in why


def test_a_control_that_moved_is_the_instrument():
    moved = Control("firefox_translations", 640, 30, 1e-9)
    cause, why = attribute(Circumstances(controls=[STILL, moved]))
    assert cause is Cause.INSTRUMENT
    assert "30 of 640" in why


def test_a_few_flips_by_chance_are_no_move():
    known = Circumstances(controls=[Control("x", 640, 2, 0.5)], changed_share=0.2)
    assert attribute(known)[0] is Cause.ENGINE


def test_flips_to_both_sides_are_a_move_where_they_are_many():
    known = Circumstances(controls=[Control("x", 640, 30, 0.9)], changed_share=0.2)
    assert attribute(known)[0] is Cause.INSTRUMENT


def test_another_model_of_the_control_is_the_instrument():
    known = Circumstances(controls=[STILL], controls_changed=["firefox_translations"])
    assert attribute(known)[0] is Cause.INSTRUMENT


def test_what_the_engine_says_of_itself_and_other_questions_are_told():
    known = Circumstances(
        controls=[STILL], said_before=frozenset({"model = 1"}), said_after=frozenset({"model = 2"}),
        lists=("a@1", "a@2"), only_before=3, only_after=5,
    )  # fmt: skip
    why = attribute(known)[1]
    assert "model = 1 before, model = 2 after" in why
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
    assert differences(before, before) == []
    assert differences(before, before | {part: 2}) == [(cause, part, "1", "2")]
    assert differences({"measure": "x"}, before) == [(cause, part, "none", "1")]
