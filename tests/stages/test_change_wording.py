"""What a finding says in one sentence."""

from dataclasses import replace

import pytest

from monitor.stages.changes.statements import QuantityMove, missing_words, say_change


def moved(quantity, before, after, p=0.001):
    return QuantityMove(
        quantity, f"title of {quantity}", before, after, after - before, after - before - 0.01,
        after - before + 0.01, p, 300, 12,
    )  # fmt: skip


def said(quantity, **beside):
    known = {name: moved(name, *ends) for name, ends in beside.items()}
    return say_change(known[quantity], "DeepL, cs", known, 0.05)


def test_what_stays_is_said_to_stay():
    text = said("f_s", f_s=(0.2, 0.25), p_f=(0.917, 0.917), p_m=(0.75, 0.8), f_m=(0.6, 0.6))
    assert "(f_s) rose from 0.200 to 0.250" in text
    assert "Feminine forms stayed at 0.083 in sentences about stereotypes of women" in text
    assert "fell from 0.250 to 0.200 in those about men; f_m stayed where it was." in text
    assert "went" not in text


@pytest.mark.parametrize(
    ("before", "after", "words"),
    [(0.08301, 0.08349, "stayed at 0.083"), (0.0834, 0.0836, "rose from 0.083 to 0.084"),
     (-0.0001, 0.0001, "stayed at 0.000")],
)  # fmt: skip
def test_it_stayed_where_both_values_are_written_alike(before, after, words):
    assert f"(f_m) {words} (" in said("f_m", f_m=(before, after))


@pytest.mark.parametrize("quantity", ["f_m", "p_f", "p_m"])
def test_a_finding_does_not_say_itself_twice(quantity):
    text = said(quantity, f_s=(0.2, 0.2), f_m=(0.6, 0.7), p_f=(0.5, 0.6), p_m=(0.7, 0.8))
    assert "; f_m rose by" not in text
    assert text.count("0.500") + text.count("0.600") <= 2


def test_f_s_says_what_f_m_did():
    text = said("f_s", f_s=(0.2, 0.3), f_m=(0.6, 0.7), p_f=(0.5, 0.6), p_m=(0.7, 0.8))
    assert text.count("; f_m rose by 0.100.") == 1


def test_it_says_how_many_answers_changed():
    assert "; 12 of 300 answers changed." in said("f_m", f_m=(0.6, 0.7))


@pytest.mark.parametrize(
    ("s_or", "words"),
    [
        (moved("s_or", 1.2, 1.4), "It became more stereotypical: s_or changed the same way."),
        (moved("s_or", 1.2, 1.1), "It did not become more stereotypical: s_or changed the other"),
        (moved("s_or", 1.2, 1.4, p=0.06), "is not shown: f_s alone changes when"),
        (moved("s_or", 1.2, 1.4, p=None), "no change of s_or was shown."),
        (None, "no change of s_or was shown."),
    ],
)
def test_more_stereotypical_is_said_only_where_s_or_was_shown_to_change_as_well(s_or, words):
    """What is not shown is not called unchanged."""
    beside = {name: moved(name, 0.5, 0.6) for name in ("f_s", "p_f", "p_m")}
    beside |= {"s_or": s_or} if s_or else {}
    text = say_change(beside["f_s"], "DeepL, cs", beside, 0.05)
    assert words in text
    assert text.count("stereotypical") == 1


def test_a_fall_of_f_s_with_s_or_is_less_stereotypical():
    text = said("f_s", f_s=(0.3, 0.2), p_f=(0.5, 0.6), p_m=(0.7, 0.6), s_or=(1.4, 1.2))
    assert text.endswith(" It became less stereotypical: s_or changed the same way.")


SUSPECT = {
    "bound_low": -0.2, "bound_high": 0.3, "missing_suspect": 1.0, "became_missing": 1180.0,
    "was_missing": 2.0,
}  # fmt: skip
MAY_BE = (
    "It may be due to missing answers: 1,180 usable before are missing after, 2 usable after were "
    "missing before."
)


def test_a_finding_that_may_be_due_to_missing_answers_says_so():
    one = moved("marked_share", 0.5, 0.6)
    assert "missing" not in say_change(one, "DeepL, cs", {}, 0.05)
    assert say_change(replace(one, facts=SUSPECT), "DeepL, cs", {}, 0.05).endswith(f" {MAY_BE}")
    assert "missing" not in say_change(
        replace(one, facts=SUSPECT | {"missing_suspect": 0.0}), "DeepL, cs", {}, 0.05
    )


@pytest.mark.parametrize(
    ("facts", "words"),
    [
        ({}, ""),
        ({"missing_suspect": 0.0, "bound_low": 0.1, "bound_high": 0.1}, ""),
        (
            SUSPECT | {"missing_suspect": 0.0},
            "Bounds: -0.200 to +0.300, whatever the missing answers are.",
        ),
        (SUSPECT, f"Bounds: -0.200 to +0.300, whatever the missing answers are. {MAY_BE}"),
        ({"missing_suspect": 1.0, "became_missing": 1180.0, "was_missing": 2.0}, MAY_BE),
    ],
)
def test_missing_answers_are_said_with_their_bounds(facts, words):
    assert missing_words(facts) == words
