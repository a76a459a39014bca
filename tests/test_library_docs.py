"""The examples of docs/library.md are run as they stand."""

import doctest
from pathlib import Path

PAGE = Path(__file__).parent.parent / "docs" / "library.md"


def test_the_examples_of_the_library_page_give_what_they_say():
    # as in the page, a name of an exception is written with its module
    content = PAGE.read_text(encoding="utf-8").replace("```", "")
    parsed = doctest.DocTestParser().get_doctest(content, {}, PAGE.name, str(PAGE), 0)
    assert len(parsed.examples) > 15
    said = []
    runner = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE)
    runner.run(parsed, out=said.append)
    assert runner.failures == 0, "".join(said)
