"""The page of validation figures says what each study gives today."""

import importlib.util
import re

import pytest

from monitor.studies.catalogue import list_studies

#: Processors differ in the last digits of vectors, so that the fourth shown digit may.
_LAST_DIGIT = 2e-4


@pytest.fixture(scope="module")
def validation(pytestconfig):
    path = pytestconfig.rootpath / "docs" / "validation.py"
    spec = importlib.util.spec_from_file_location("validation", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def alike(one, other):
    """Whether two words are the same, or the same number but for its last digit."""
    if one == other:
        return True
    try:
        return abs(float(one.strip("(),;")) - float(other.strip("(),;"))) <= _LAST_DIGIT
    except ValueError:
        return False


@pytest.mark.parametrize("name", list_studies())
def test_the_section_of_a_study_is_up_to_date(name, validation, reference_data):
    written = validation.PAGE.read_text(encoding="utf-8")
    study = list_studies()[name]
    done = validation.ran(study, reference_data)
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
