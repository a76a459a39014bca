"""Sentences from points: what is missing is named, and nothing is claimed beyond the values."""

import sqlalchemy as sa

from monitor import plugin_summaries, registry
from monitor.model import InvalidInput
from monitor.stages.reports import run_systems
from monitor.stages.reports.names import share_title
from monitor.stages.reports.run_systems import MeasuredSystem
from tests.cases import check_each
from tests.report.conftest import render
from tests.report.test_report import Page


def point(value=0.5, low=0.4, high=0.6, **fields):
    known = {"point_id": 7, "state": "measured", "reason": "", "planned": 40}
    known |= {"flags": [], "facts": {}, "value": value, "low": low, "high": high}
    return known | fields


def lacking(reason="too few"):
    return point(None, None, None, state="insufficient", reason=reason)


def system(**values):
    points = [p | {"quantity": q, "scope": "all", "reference": ""} for q, p in values.items()]
    return MeasuredSystem(
        0, "A", 1, "engine", "Engine", "list", "en", "pt", "masculine_rate", points
    )


def test_what_was_not_computed_is_said():
    assert run_systems.say_stereotypes(system()) == [
        "The share of answers that mark a gender was not computed.",
        "The masculine rate was not computed.",
        "The difference f_s was not computed.",
    ]
    assert run_systems.say_distance({}, "X") == "The distance from X was not computed."


def test_what_is_insufficient_says_why():
    values = dict.fromkeys(("marked_share", "p_f", "p_m", "f_m", "f_s"), lacking())
    for sentence in run_systems.say_stereotypes(system(**values)):
        assert "INSUFFICIENT, too few." in sentence
    said = run_systems.say_distance({"mab": lacking(""), "mb": lacking()}, "X")
    assert said == "The distance from X: INSUFFICIENT, no reason stored."


@check_each(
    ("f_s", "said"),
    [
        (point(0.2, 0.1, 0.3), "stereotypes about men than in sentences with stereotypes about w"),
        (point(-0.2, -0.3, -0.1), "about women than in sentences with stereotypes about men"),
        (point(0.2, -0.1, 0.3), "The interval contains 0"),
        (point(0.2, None, None), "The interval contains 0"),
        (point(0.2, 0.1, 0.3, flags=["saturated"]), "not interpretable (saturated)"),
    ],
)
def test_what_f_s_says_depends_on_its_interval_and_its_room(f_s, said):
    f_s["facts"] = {"f_s_limit": 0.4}
    sentence = run_systems.say_stereotypes(system(f_s=f_s))[2]
    assert said in sentence
    assert "cannot exceed ±0.400" in sentence


def test_a_limit_that_is_not_stored_is_said():
    assert "whose limit was not stored" in run_systems.say_stereotypes(system(f_s=point()))[2]


def test_averaged_repeats_need_not_be_whole():
    marked = point(0.9, 0.8, 0.95, facts={"masculine": 36.5, "feminine": 1.0})
    sentence = run_systems.say_stereotypes(system(marked_share=marked))[0]
    assert "37.5 of 40 sentences" in sentence
    assert "36.5 in masculine and 1 in feminine forms" in sentence


def test_baselines_and_correlation_are_said_where_they_are_known():
    known = {"mab": point(), "mb": point(-0.5, -0.6, -0.4)}
    plain = run_systems.say_distance(known, "X")
    assert plain.endswith("(MB) (points 7, 7).")
    more = {"mab_permuted": point(), "mab_always_masculine": lacking(), "pearson": lacking()}
    assert run_systems.say_distance(known | more, "X").endswith(
        "For comparison: with each occupation held against the reference share of another, drawn "
        "at random, MAB is 0.500 [0.400, 0.600]: so much is by chance alone."
    )
    assert "at random" not in run_systems.say_distance(known | more, "parity (1/2)", same=True)
    only = {"mab_always_masculine": point(0.421, None, None), "pearson": point(0.26, 0.1, 0.4)}
    assert run_systems.say_distance(known | only, "X").endswith(
        "only masculine forms would give 0.421. Over occupations the two shares correlate with "
        "r = +0.260 [+0.100, +0.400] (point 7)."
    )


def test_a_year_of_publication_is_no_year_of_a_survey():
    row = {"reference": "us_labour", "source": "cps_winobias", "as_of": "2018"}
    assert share_title(row) == "US labour force, 2018 (year of publication)"
    row |= {"source": "cps2019_fabris_a7", "as_of": "2019"}
    assert share_title(row) == "US labour force, 2019"
    assert share_title({"reference": "parity", "source": "parity", "as_of": ""}) == "parity (1/2)"
    assert share_title({"reference": "gone", "source": "gone", "as_of": "1999"}) == "gone, 1999"


def test_what_this_installation_no_longer_knows_keeps_its_name(small_sqlite, monkeypatch):
    def unknown(name, *_):
        raise InvalidInput(name)

    monkeypatch.setattr(registry, "reference", unknown)
    for kind in ("measure", "engine"):
        monkeypatch.setattr(registry, kind, unknown)
        monkeypatch.setattr(plugin_summaries, kind, unknown)
    words = Page(render(small_sqlite).html).text
    assert "firefox_translations, English to Portuguese" in words
    assert "Against us_labour the share" in words


def test_values_of_another_measure_are_listed(small_sqlite):
    with small_sqlite.begin() as connection:
        change = "UPDATE series_keys SET measure = 'new_measure' WHERE measure = 'masculine_rate'"
        connection.execute(sa.text(change))
    words = Page(render(small_sqlite).html).text
    assert "stereo, new_measure" in words
    assert "women are weak" in words
