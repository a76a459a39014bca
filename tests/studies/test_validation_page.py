"""The page of validation figures says what each study gives today."""

import importlib.util
import os
import re
from functools import cache
from pathlib import Path
from types import SimpleNamespace

import pytest

from monitor import registry
from monitor.studies.catalogue import Verdict, list_studies
from monitor.studies.mirror import framed_languages

#: Processors differ in the last digits of vectors, so that the fourth shown digit may.
_LAST_DIGIT = 2e-4

#: Studies whose checks are aims that not every language meets; the page says which are missed.
AIMS = ("gate", "mtgeneval", "winomt")


@pytest.fixture(scope="module")
def validation(pytestconfig):
    path = pytestconfig.rootpath / "docs" / "validation.py"
    spec = importlib.util.spec_from_file_location("validation", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def finished(validation):
    """A function of the name of a study: what it found, computed once for all tests here.

    The study `mirror` has pairs of a file where there are reference data.
    """
    data = Path(os.environ.get("MONITOR_REFERENCE_DATA", "none"))
    return cache(lambda name: validation.ran(list_studies()[name], data))


@pytest.fixture(scope="module")
def mirror(finished):
    return finished("mirror")


def alike(one, other):
    """Whether two words are the same, or the same number but for its last digit."""
    if one == other:
        return True
    try:
        return abs(float(one.strip("(),;")) - float(other.strip("(),;"))) <= _LAST_DIGIT
    except ValueError:
        return False


@pytest.mark.parametrize("name", list_studies())
def test_the_section_of_a_study_is_up_to_date(name, validation, finished, reference_data):
    written = validation.PAGE.read_text(encoding="utf-8")
    study = list_studies()[name]
    done = finished(name)
    section = validation.section(study, done)
    kept = re.search(rf"^## {name}\n.*?(?=^## |\Z)", written, re.DOTALL | re.MULTILINE)
    assert kept, f"docs/validation.md has no section of {name}; run: make validation"
    now, then = section.split(), kept[0].split()
    differ = [(a, b) for a, b in zip(now, then, strict=False) if not alike(a, b)]
    assert (len(now), differ[:5]) == (len(then), []), "run: make validation"
    top = " | ".join(map(validation.pages.format_number, validation.row(study, done)))
    assert f"| {top} |" in written
    if done and name not in AIMS:
        assert done.count(validation.Verdict.DIFFERS) == 0


def test_the_table_of_languages_is_up_to_date(validation, finished, reference_data):
    written = validation.PAGE.read_text(encoding="utf-8")
    assert validation.languages(finished("eurogest"), finished("mirror")) in written, (
        "run: make validation"
    )


def test_the_table_of_named_persons_is_up_to_date(validation, finished, reference_data):
    written = validation.PAGE.read_text(encoding="utf-8")
    studies = (finished(name) for name in ("winomt", "mtgeneval", "gate"))
    assert validation.named_persons(*studies) in written, "run: make validation"


def _finished(**tables):
    rows = [SimpleNamespace(name=name, rows=cells) for name, cells in tables.items()]
    return SimpleNamespace(found=SimpleNamespace(tables=rows))


def test_a_language_of_named_persons_has_one_row(validation):
    published = [*[None] * 8, 0.531, None, None]
    page = validation.named_persons(
        _finished(
            systems=[("google", "es", 0.532, *published)],
            people=[("sheet", "es", 95, 0.979, 0.0105)],
        ),
        _finished(references=[("es", "feminine", 9, 0.9, 0.8), ("es", "masculine", 9, 0.7, 0.6)]),
        _finished(languages=[("es", 750, 0.93, 2, 14, 38, 7, 0.94)]),
    )
    [line] = [line for line in page.splitlines() if line.startswith("| `es`")]
    cells = [cell.strip() for cell in line.strip("|").split("|")]
    assert cells[2] == "google: 0.5320 / 0.5310"
    assert cells[3] == "0.9790 (0.0105)"
    assert cells[4:] == ["0.9000 / 0.7000", "0.8000 / 0.6000", "0.9300", "0.9400", "2"]
    assert len([line for line in page.splitlines() if line.startswith("| `")]) == len(
        registry.list_names("entities")
    )


@pytest.mark.parametrize("code", framed_languages())
def test_generated_sentences_are_read_on_both_sides(code, mirror):
    checks = [
        check for check in mirror.found.checks if check.what.startswith(f"generated, {code}: ")
    ]
    assert len(checks) == 2
    differing = [check for check in checks if check.verdict is not Verdict.EQUAL]
    [failing] = [table for table in mirror.found.tables if table.name == "failing"]
    one_sided = [row for row in failing.rows if code in row and row[2] not in ("neither", "mixed")]
    assert not differing, (differing, one_sided[:20])
