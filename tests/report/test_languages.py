"""Languages side by side: which tables there are, their order, their cells, on page and paper."""

from datetime import UTC, datetime

from monitor.stages.document import records
from monitor.stages.document.html import html
from monitor.stages.document.pdf import pdf
from monitor.stages.reports import side_by_side
from monitor.stages.reports.run_systems import MeasuredSystem


def point(quantity, value, low=None, high=None):
    return {
        "quantity": quantity, "value": value, "low": low, "high": high, "scope": "all",
        "reference": "", "state": "insufficient" if value is None else "measured",
        "reason": "" if value is not None else "3 of 20 answers", "flags": [], "facts": {},
    }  # fmt: skip


def system(title, target, f_m, f_s=0.0, measure="masculine_rate"):
    points = [point("f_m", f_m, 0.4, 0.6), point("f_s", f_s, -0.1, 0.1)]
    return MeasuredSystem(0, "A", 1, title, title, "stereo", "en", target, measure, points)


SYSTEMS = [
    system("One", "cs", 0.7), system("One", "pl", 0.95, 0.3), system("One", "pt-BR", 0.2, -0.6),
    system("Two", "pl", 0.9), system("Two", "ru", None),
]  # fmt: skip


def tables(systems):
    section = side_by_side.write_languages_section(systems)
    return [block for block in section.blocks if isinstance(block, records.Table)]


def test_languages_stand_by_their_mean_and_those_without_a_value_last():
    rates, gaps = tables(SYSTEMS)
    [rows], [others] = ([group.rows for group in one.groups] for one in (rates, gaps))
    assert [row[0].text for row in rows] == ["Polish", "Czech", "Portuguese", "Russian"]
    assert [column.title for column in rates.columns] == ["language", "One", "Two"]
    assert others[0][0].text == "Polish"


def test_a_cell_has_its_value_its_interval_and_its_shade():
    [rows] = [group.rows for group in tables(SYSTEMS)[0].groups]
    polish, czech, portuguese, russian = rows
    assert (polish[1].text, polish[1].under) == ("95\u00a0%", "40\u00a0% to 60\u00a0%")
    assert [row[1].step for row in rows] == [4, 2, -2, 0]
    assert (czech[2].text, czech[2].is_missing, czech[2].step) == ("not asked", True, 0)
    assert portuguese[0].under == "pt-BR"
    assert russian[2].is_missing
    assert "3 of 20 answers" in "".join(span.text for span in russian[2].text)


def test_few_languages_and_other_measures_have_no_section():
    assert side_by_side.write_languages_section(SYSTEMS[:2]) is None
    other = [system("One", target, 0.5, measure="gender_accuracy") for target in ("cs", "pl", "ru")]
    assert side_by_side.write_languages_section(other) is None


def test_page_and_paper_show_the_shades():
    document = records.Document(
        "T", "K", "", [], [side_by_side.write_languages_section(SYSTEMS)], "monitor", contents="C"
    )
    page = html(document)
    assert 'class="n shade-up-4">95\u00a0%' in page
    assert 'class="n shade-down-2">20\u00a0%' in page
    assert pdf(document, datetime(2026, 1, 5, tzinfo=UTC)).startswith(b"%PDF")
