"""The page of validation figures says what each study gives today."""

import importlib.util
import os
import re
from pathlib import Path

import pytest

from monitor.studies import _mirror_sentences
from monitor.studies.catalogue import list_studies
from monitor.studies.records import Verdict

#: Processors differ in the last digits of vectors, so that the fourth shown digit may.
_LAST_DIGIT = 2e-4


@pytest.fixture(scope="module")
def validation(pytestconfig):
    path = pytestconfig.rootpath / "docs" / "validation.py"
    spec = importlib.util.spec_from_file_location("validation", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def mirror(validation):
    """The study `mirror`, with pairs of a file where there are reference data."""
    return validation.ran(
        list_studies()["mirror"], Path(os.environ.get("MONITOR_REFERENCE_DATA", "none"))
    )


def alike(one, other):
    """Whether two words are the same, or the same number but for its last digit."""
    if one == other:
        return True
    try:
        return abs(float(one.strip("(),;")) - float(other.strip("(),;"))) <= _LAST_DIGIT
    except ValueError:
        return False


@pytest.mark.parametrize("name", list_studies())
def test_the_section_of_a_study_is_up_to_date(name, validation, mirror, reference_data):
    written = validation.PAGE.read_text(encoding="utf-8")
    study = list_studies()[name]
    done = mirror if name == "mirror" else validation.ran(study, reference_data)
    section = validation.section(study, done)
    kept = re.search(rf"^## {name}\n.*?(?=^## |\Z)", written, re.DOTALL | re.MULTILINE)
    assert kept, f"docs/validation.md has no section of {name}; run: make validation"
    now, then = section.split(), kept[0].split()
    differ = [(a, b) for a, b in zip(now, then, strict=False) if not alike(a, b)]
    assert (len(now), differ[:5]) == (len(then), []), "run: make validation"
    top = " | ".join(map(validation.pages.format_number, validation.row(study, done)))
    assert f"| {top} |" in written
    if done:
        assert done.count(validation.Verdict.DIFFERS) == 0


def test_the_table_of_languages_is_up_to_date(validation, mirror, reference_data):
    eurogest = validation.ran(list_studies()["eurogest"], reference_data)
    written = validation.PAGE.read_text(encoding="utf-8")
    assert validation.languages(eurogest, mirror) in written, "run: make validation"


@pytest.mark.parametrize("code", _mirror_sentences.framed_languages())
def test_generated_sentences_are_read_on_both_sides(code, mirror):
    checks = [
        check for check in mirror.found.checks if check.what.startswith(f"generated, {code}: ")
    ]
    assert len(checks) == 2
    differing = [check for check in checks if check.verdict is not Verdict.EQUAL]
    [failing] = [table for table in mirror.found.tables if table.name == "failing"]
    one_sided = [row for row in failing.rows if code in row and row[2] not in ("neither", "mixed")]
    assert not differing, (differing, one_sided[:20])
