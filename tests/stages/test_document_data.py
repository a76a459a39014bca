"""A document for programs: every number of a table with what it is of, and no formula."""

import csv
import io
import json

from markupsafe import Markup

from monitor.stages.document import data
from monitor.stages.document import records as doc
from monitor.stages.document.html import html
from monitor.stages.document.terminal import write_text


def make_document():
    """Tables of every place where a block can stand."""
    values = doc.table("Values, DeepL, Czech", ["system", "#f_s"], [["DeepL", "+3 points"]])
    grouped = doc.grouped(
        doc.prose("Against **census**"),
        ["system", *doc.under("women", ["#share"])],
        [doc.group("English to Czech", [["=1+1", doc.Cell("47 %", "[40 %, 54 %]")]])],
    )
    blocks = [doc.Fold("more", [doc.Beside([grouped])]), doc.Pairs([("level", "0.05")])]
    section = doc.Section("a", "Values", blocks)
    chart = doc.Picture(lambda: Markup("<svg></svg>"), "")
    return doc.Document("Title", "Report", "", [values, chart], [section], "monitor")


def test_csv_has_each_number_with_what_it_is_of():
    file = io.StringIO()
    data.write_csv(file, data.list_cells(make_document()))
    rows = [tuple(row.values()) for row in csv.DictReader(io.StringIO(file.getvalue()))]
    assert rows == [
        ("", "Values, DeepL, Czech", "", "DeepL", "f_s", "'+3 points", ""),
        ("Values", "Against census", "English to Czech", "'=1+1", "women share", "47 %",
         "[40 %, 54 %]"),
        ("Values", "", "", "level", "value", "0.05", ""),
    ]  # fmt: skip


def test_other_forms_have_the_same_numbers():
    document = make_document()
    page, text, numbers = html(document), write_text(document), json.dumps(data.make_json(document))
    assert "svg" in page
    assert "svg" not in text + numbers
    for value in ("+3 points", "Values", "0.05"):
        assert all(value in form for form in (page, text, numbers))
    assert all("47 %" in form for form in (page, numbers))  # a terminal leaves folds out
