"""What people call an engine: the title of the job file, else its product and what is its own."""

import pytest

from monitor.stages.reports.names import (
    declared_titles,
    engine_title,
    language_name,
    language_words,
    titles_in,
)
from tests.cases import check_each
from tests.factories import make_audit

LIBRE = "libretranslate(base_url=http://invented-b:5000)"


@pytest.mark.parametrize(
    ("label", "title"),
    [
        ("deepl", "DeepL"),
        ("deepl(formality=more)", "DeepL (formality=more)"),
        (LIBRE, "LibreTranslate (invented-b:5000)"),
        ("gone(base_url=http://x)", "gone(base_url=http://x)"),
        ("google_cse:c1(num=5)", "Google Programmable Search (no longer offered): c1 (num=5)"),
    ],
)
def test_without_a_title_it_is_the_product_and_the_host(label, title):
    assert engine_title(label) == title


def test_the_title_of_a_job_file_counts_and_that_of_the_later_job():
    use = {"name": "libretranslate", "targets": ["cs"], "own": True,
           "config": {"base_url": "http://invented-b:5000"}}  # fmt: skip
    first, second = ({"engines": [use | {"title": title}]} for title in ("One", "Translator B"))
    assert declared_titles([first, second]) == {LIBRE: "Translator B"}
    assert declared_titles([second, {"engines": [use]}]) == {LIBRE: "Translator B"}
    assert titles_in({"engines": [use]})(LIBRE) == "LibreTranslate (invented-b:5000)"


def test_a_title_is_no_part_of_what_is_asked(tmp_path):
    use = {"name": "firefox_translations", "targets": ["pt"]}
    plain, titled = (
        make_audit(tmp_path, engines=[use | more]).job for more in ({}, {"title": "A translator"})
    )
    assert plain.engines[0].identity == titled.engines[0].identity
    assert "title" not in plain.model_dump()["engines"][0]
    assert titled.model_dump()["engines"][0]["title"] == "A translator"


@check_each(
    ("tag", "name", "words"),
    [
        ("es", "Spanish", "Spanish"),
        ("nl", "Dutch", "Dutch"),  # read of named persons alone
        ("he-IL", "Hebrew", "Hebrew (he-IL)"),
        ("ar", "Arabic", "Arabic"),
        ("hi", "Hindi", "Hindi"),
        ("tlh", "tlh", "tlh"),
    ],
)
def test_languages_have_names(tag, name, words):
    assert (language_name(tag), language_words(tag)) == (name, words)
