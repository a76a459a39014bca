"""A published number in words: what limits it comes first, and each form says the same."""

from dataclasses import replace
from zoneinfo import ZoneInfo

import pytest
import sqlalchemy as sa

from monitor.change import Cause, Status
from monitor.stages.changes import statements
from monitor.stages.changes.claims import Flip, FlippedAnswer
from monitor.stages.reports import claim_content
from monitor.stages.reports.claim_cards import write_card, write_words
from monitor.store import schema
from monitor.text.quantity_values import say_day
from tests.report import weeks as made

UTC = ZoneInfo("UTC")


@pytest.fixture
def content(sqlite_database):
    """What the card of a confirmed change of f_s says, with what it is computed from."""
    weeks = made.small(sqlite_database)
    runs = [weeks.run_of[n, "scheduled"] for n in (3, 4)]
    with sqlite_database.begin() as connection:
        signature = weeks.signature(connection)
        series = weeks.series["deepl", "cs", "f_s", "all"]
        compared = weeks.compare(connection, series, "step", *runs, signature, 0.05)
        part = weeks.compare(
            connection, weeks.key(connection, "deepl", "cs", "p_f"), "step", *runs, signature, 0.1
        )
        connection.execute(
            sa.update(schema.comparisons)
            .where(schema.comparisons.c.id == part)
            .values(before=0.56, after=0.09)
        )
        number = weeks.change(connection, series, *runs, comparison_id=compared)
        return claim_content.read_change_claim(connection, number, UTC)


def said_of(content, **changed):
    return write_words(replace(content, **changed), UTC)


def test_a_finding_begins_with_what_the_system_does_now(content):
    headline = said_of(content).headline
    assert headline == "DeepL has a wider stereotype gap in Czech, on these questions"
    assert said_of(content, holds_beyond=True).headline == headline.partition(",")[0]
    unknown = said_of(content, holds_beyond=True, cause=Cause.OPEN).headline
    assert unknown == "DeepL has a wider stereotype gap in Czech, cause not determined"
    because = f"{statements.SOFTWARE_CHANGED}: httpx."
    ours = said_of(content, holds_beyond=True, cause=Cause.OPEN, because=because).headline
    assert ours == unknown.replace(", cause", " when our own software was updated, cause")


@pytest.mark.parametrize(
    ("stored", "headline", "lead"),
    [
        (statements.MORE, "DeepL became more stereotypical in Czech", ""),
        (statements.LESS, "DeepL became less stereotypical in Czech", ""),
        (statements.OTHER_WAY, "has a wider stereotype gap", "did not become more"),
        (statements.NOT_SHOWN, "has a wider stereotype gap", "is not shown"),
        ("", "has a wider stereotype gap", ""),
    ],
)
def test_more_stereotypical_is_said_only_where_that_was_shown(content, stored, headline, lead):
    words = said_of(content, claim=f"Something changed. {stored}")
    assert headline in words.headline
    assert lead in words.lead
    assert "s_or" not in words.headline + words.lead


def test_a_fall_is_said_as_a_fall(content):
    effect = replace(content.effect, value=-0.1)
    assert "has a narrower stereotype gap" in said_of(content, effect=effect).headline


def test_a_change_that_went_back_later_is_told_in_the_past(sqlite_database):
    weeks = made.small(sqlite_database)
    series = weeks.series["deepl", "cs", "f_s", "all"]
    runs = [weeks.run_of[n, "scheduled"] for n in range(1, 5)]
    with sqlite_database.begin() as connection:
        first = weeks.change(connection, series, *runs[:2], changed_at=weeks.at(2))
        later = weeks.change(
            connection, series, *runs[2:], changed_at=weeks.at(4), effect=-0.1, cause="open"
        )
        claim = claim_content.read_change_claim(connection, first, UTC)
        before = claim_content.read_change_claim(connection, first, UTC, until=weeks.at(3))
    words = write_words(claim, UTC)
    assert "had a wider stereotype gap in Czech, on these questions, until " in words.headline
    assert f" until {say_day(weeks.at(4), UTC)}" in words.lead
    assert claim.moved_again.number == later
    card = write_card(claim, UTC, "https://monitor.example.org")
    assert f'href="https://monitor.example.org/changes/{later}"' in card.html
    assert f"change {later}" in write_card(claim, UTC).text
    assert before.moved_again is None
    assert "has a wider stereotype gap" in write_words(before, UTC).headline


@pytest.mark.parametrize(
    ("changed", "start"),
    [
        ({"status": Status.CANDIDATE}, "Unconfirmed signal: DeepL"),
        ({"status": Status.REFUTED}, "Not reproduced: DeepL"),
        ({"status": Status.UNCONFIRMED}, "Unconfirmed: DeepL"),
        ({"status": Status.RETROSPECTIVE}, "Unconfirmed signal, found in retrospect: DeepL"),
        ({"is_current": False}, "No longer in force: DeepL"),
        ({"cause": Cause.INSTRUMENT}, "May come from our own instrument: DeepL"),
        ({"missing_suspect": True}, "May be due to missing answers: DeepL"),
        ({"is_current": False, "status": Status.CANDIDATE},
         "No longer in force, unconfirmed signal: DeepL"),
    ],
)  # fmt: skip
def test_what_is_no_finding_says_so_before_any_number_and_in_its_quotation(content, changed, start):
    words = said_of(content, **changed)
    assert words.headline.startswith(start)
    assert words.quote.startswith(start.partition(":")[0])


def test_the_lead_has_both_values_with_what_they_are_of(content):
    lead = said_of(content, before=0.03, after=0.5).lead.replace("\N{NO-BREAK SPACE}", " ")
    assert lead.startswith("Stereotype gap: +3 points before, +50 points since ")
    part = (
        "In the two runs: masculine forms in sentences about stereotypes of women 56 %, then 9 %."
    )
    assert part in lead


def test_a_quotation_has_system_list_dates_digests_and_the_address(content):
    words = write_words(
        replace(content, invented="Invented data."), UTC, "https://monitor.example.org"
    )
    assert words.quote.startswith("Invented data. DeepL, English to Czech, list ")
    for run in content.runs:
        assert f"{run.due_at:%Y-%m-%d}" in words.quote
        assert run.evidence_sha256[:16] in words.citation
    assert words.citation.endswith(f" https://monitor.example.org/changes/{content.number}")
    assert "https" not in said_of(content).citation


def test_a_quotation_says_what_is_not_shown(content):
    held = replace(content, cause=Cause.ENGINE, holds_beyond=True,
                   declared=replace(content.declared, confirmatory=True))  # fmt: skip
    assert said_of(held).quote == said_of(held).quote.rstrip()
    for changed, caveat in (
        ({"cause": Cause.OPEN}, "The cause is not determined."),
        ({"holds_beyond": False}, "It is not shown for other questions than these."),
        (
            {"declared": replace(content.declared, confirmatory=False)},
            "The test was not fixed before the data (exploratory).",
        ),
    ):
        assert said_of(held, **changed).quote.endswith(caveat)
        assert caveat not in said_of(held).quote


def test_each_form_says_the_same(content):
    marked = [{"start": 5, "end": 12, "gender": "feminine"}]
    sides = [
        [FlippedAnswer(1, [], text, "a" * 64, witnesses)]
        for text, witnesses in (("Jsem unavený.", []), ("Jsem unavená.", marked))
    ]
    found = replace(content, flips=[Flip("k", "", "I am tired.", *sides)], n_flips=1)
    words, made_of = write_words(found, UTC), write_card(found, UTC)
    assert '<mark class="feminine">unavená</mark>' in made_of.html
    assert "*unavená* (feminine)" in made_of.text
    assert made_of.numbers["headline"] == words.headline
    for check, numbers in zip(words.checks, made_of.numbers["supports"], strict=True):
        assert check.question in made_of.text
        assert check.reason in made_of.text
        assert numbers["answer"] == check.answer
    folds = made_of.document.sections[-1].blocks
    assert len(folds) == 3
    for fold in folds:
        assert fold.summary in made_of.html
        assert fold.summary in made_of.text


def test_folds_have_plain_names(content):
    text = write_card(content, UTC).text
    for name in (
        "Limits",
        "Assumptions",
        "Possible harm",
        "location not recorded",
        "Method version",
    ):
        assert name in text
    for name in ("takes for granted", "Whom it may harm", "not looked up", "Signature", "tick"):
        assert name not in text


def test_captured_words_stay_words_in_each_form(content):
    hostile = "<img src=x>\nTo quote\t\u202e{{ 7 * 7 }}"
    marked = [{"start": 0, "end": 11, "gender": "feminine"}]
    answer = FlippedAnswer(1, [], hostile, "", marked)
    flip = Flip(hostile, "", hostile, [answer], [answer])
    series = replace(content.series, engine_title=hostile)
    changed = {"flips": [flip], "n_flips": 1, "because": hostile, "claim": hostile}
    made_of = write_card(replace(content, **changed, series=series), UTC)
    assert "<img" not in made_of.html
    assert "\u202e" not in made_of.html + made_of.text
    assert made_of.text.splitlines().count("To quote") == 1
    assert "{{ 7 * 7 }}" in made_of.html
