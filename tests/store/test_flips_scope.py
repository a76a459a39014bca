"""Which questions belong to a part of a series."""

import pytest

from monitor.store.flips import in_scope, template_of

TAGS = {"stereotype": "7", "half": "odd"}


@pytest.mark.parametrize(
    ("scope", "is_in"),
    [
        ("all", True), ("stereotype:7", True), ("stereotype:17", False), ("stereotype:1", False),
        ("tag:half=odd", True), ("tag:half=even", False), ("tag:other=odd", False),
        ("template:0", True), ("template-stereotype:0/7", True), ("template-stereotype:7/0", False),
        ("bin:feminine", True),
    ],
)  # fmt: skip
def test_a_part_has_the_questions_of_its_tag(scope, is_in):
    assert in_scope(TAGS, scope) is is_in


def test_parts_of_models_have_a_template():
    assert template_of("template-stereotype:3/7") == template_of("template:3") == "3"
    assert template_of("stereotype:3") == template_of("all") == ""
