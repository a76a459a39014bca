"""Cells of tables: whatever separator a spreadsheet program takes, none of them is a formula."""

import csv
import io
import re

from hypothesis import example, given
from hypothesis import strategies as st

from monitor.text.cells import make_inert, plain
from tests.cases import check_each
from tests.web.site.hostile import TEXTS

FORMULA = re.compile(r"[\s\"]*[=+\-@＝＋－＠]")
#: What formulas are hidden behind: separators of other locales, quotes, spaces, line breaks.
BEFORE = (
    "",
    ";",
    "a;",
    "a;;",
    "\t",
    "a\tb\t",
    "\r",
    "a\r\n",
    "\n",
    ' ;" ',
    '";"',
    "'",
    ";'",
    "\u00a0",
)
FORMULAS = (
    "=1+1",
    "+1",
    "-1+cmd|' /C calc'!A0",
    "@SUM(1)",
    "＝1",
    "－1",
    '=HYPERLINK("http://x";"y")',
)
some = st.lists(st.sampled_from([*"=+-@;'\t\r\n \",a1＝", "\u00a0"]), max_size=9).map("".join)


@given(some | st.text(max_size=20))
@example("';'=1")
@example('a;"\u00a0=1')
def test_cells_come_back_as_they_were(text):
    assert plain(make_inert(text)) == text


@check_each("text", [f"{b}{f}" for b in BEFORE for f in FORMULAS] + list(TEXTS))
def test_no_separator_begins_a_formula(text):
    written = io.StringIO(newline="")
    csv.writer(written).writerow(["first", make_inert(text), "last"])
    for separator in (",", ";", "\t"):
        for row in csv.reader(io.StringIO(written.getvalue(), newline=""), delimiter=separator):
            assert not [cell for cell in row if FORMULA.match(cell)], (separator, row)


def test_words_stay_words():
    for text in ("a-b", "1=1", "it's", "a, -b", "x@y.test", "; a", "mother-in-law; 'quoted'"):
        assert make_inert(text) == text
