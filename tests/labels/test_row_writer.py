"""Rows of sheets and tables stay rows, whatever stands in their cells."""

import csv
import io

from monitor.text.cells import RowWriter
from tests.cases import check_each


def written(some):
    file = io.StringIO(newline="")
    RowWriter(file).rows(some)
    return file.getvalue()


@check_each("text", ["I am\r=1+1", "\r", "a\r\nb\n", 'q"\r', "ends in\r\n", ""])
def test_a_break_in_a_cell_begins_no_row(text):
    found = list(csv.reader(io.StringIO(written([["k1", text], ["k2", "x"]]), newline="")))
    assert found == [["k1", text], ["k2", "x"]]


def test_other_rows_are_lines_as_they_always_were():
    assert written([["a", "b,c"], ["1", ""]]) == 'a,"b,c"\n1,\n'
