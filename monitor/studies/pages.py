"""Files of a finished study: a page, JSON with the same numbers, a CSV file for each table."""

import csv
import io
import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from monitor.input_files import load_json
from monitor.stages.document import html
from monitor.stages.document import records as doc
from monitor.studies.catalogue import Against, Cell, Figure, Finished, StudyCheck, Table, Verdict
from monitor.text.cells import make_inert
from monitor.text.counted_nouns import several

#: Version of the shape of `study.json`.
SCHEMA = 1
PAGE, JSON_FILE = "index.html", "study.json"
_DIGITS = 4
#: Sums of numbers near one differ by less in another order.
_ROUNDING = 1e-12
_SMALLEST = 1e-3
#: A longer table is folded away until somebody opens it.
MOST_SHOWN = 60
_SAID = {
    Against.PRINTED: "to what is printed in the paper",
    Against.ELSEWHERE: "to what was computed elsewhere of the same input",
    Against.MUST: "to what must hold of any input, which says nothing of the paper",
}


def format_number(value: Cell, digits: int = _DIGITS) -> str:
    """A cell as people read it; a number that there is none of is a dash."""
    if value is None:
        return "–"
    if isinstance(value, bool) or not isinstance(value, int | float):
        return str(value)
    if isinstance(value, int):
        return f"{value:,}"
    if value and abs(value) < _SMALLEST:
        return f"{value:.2e}"
    return f"{value:.{digits}f}"


def summarize_checks(done: Finished) -> str:
    """Return how the checks came out, and how many are of published numbers."""
    if not done.found.checks:
        return "No checks: nothing was given, or is published, that these could be held against."
    parts = [f"{done.count(verdict)} {verdict}" for verdict in Verdict if done.count(verdict)]
    total = f"{several(len(done.found.checks), 'check')}: {', '.join(parts)}."
    equal = [f"{done.equal(kind)} {_SAID[kind]}" for kind in Against if done.equal(kind)]
    return f"{total} Equal: {', '.join(equal)}." if equal else total


def render_html(done: Finished) -> str:
    """The page, complete in itself."""
    study, result = done.study, done.found
    origin = doc.prose(
        "After {paper}. Made with monitor {version} by `monitor study {name}`.",
        paper=study.paper,
        version=done.code_version,
        name=study.name,
    )
    document = doc.Document(
        title=study.title,
        kicker=f"Study {study.name}",
        banner="",
        page_one=[
            doc.Words(study.question),
            doc.Words(origin, "small"),
            doc.Callout([doc.Words(note) for note in result.notes], "findings",
                        summarize_checks(done), "summary"),
        ],
        sections=[
            doc.Section("ran", "What was run", [_list_options(done)]),
            *([_render_checks(done)] if result.checks else []),
            *map(_render_figure, result.figures),
            *map(_render_table, result.tables),
            *([_render_limits(done)] if result.limits else []),
        ],
        generator=f"monitor {done.code_version}",
    )  # fmt: skip
    return html.html(document)


def _list_options(done: Finished) -> doc.Pairs:
    options = [(doc.prose("`--{name}`", name=name), value) for name, value in done.given.items()]
    return doc.Pairs([*done.found.ran.items(), *options])


def _fold_rows(rows: doc.Table, n: int, what: str, *, is_open: bool = False) -> doc.Block:
    """A table, behind a summary where it is long."""
    return doc.Fold(f"all {n:,} {what}", [rows], is_open=is_open) if n > MOST_SHOWN else rows


def _render_checks(done: Finished) -> doc.Section:
    rows = check_rows(done.found.checks)
    titles = [
        "what", "where", "#ours", "#expected", "#difference", "#may differ by", "held against",
        "verdict",
    ]  # fmt: skip
    table = doc.table("", titles, [[*map(format_number, row)] for row in rows])
    is_open = done.count(Verdict.DIFFERS) > 0
    status = (
        "Printed: stands in the paper. Computed elsewhere: by other programs, of the same input. "
        "Must hold: a property of any input, which says nothing of the paper."
    )
    blocks = [doc.Words(status), _fold_rows(table, len(rows), "checks", is_open=is_open)]
    return doc.Section("checks", "Held against other numbers", blocks)


def _render_figure(figure: Figure) -> doc.Section:
    whose = "Ours. " if figure.published else ""
    pictures = [doc.Picture(figure.ours, f"{whose}{figure.note}")]
    if figure.published:
        drawn_anew = "As published, drawn anew from its numbers."
        pictures.append(doc.Picture(figure.published, drawn_anew))
    return doc.Section(figure.name, figure.title, pictures)


def _render_table(table: Table) -> doc.Section:
    titles = [
        doc.Column(title, is_number=is_number and column > 0)
        for column, (title, is_number) in enumerate(zip(table.columns, table.numeric, strict=True))
    ]
    rows = doc.table("", titles, [[*map(format_number, row)] for row in table.rows])
    note = [doc.Words(table.note)] if table.note else []
    same = doc.prose("The same numbers, in full: `{name}.csv`.", name=table.name)
    rows_block = _fold_rows(rows, len(table.rows), "rows")
    return doc.Section(
        f"table-{table.name}", table.title, [*note, rows_block, doc.Words(same, "small")]
    )


def _render_limits(done: Finished) -> doc.Section:
    items = doc.Items([f"{limit.what}: {limit.why}" for limit in done.found.limits])
    return doc.Section("limits", "What cannot be reproduced here", [items])


def to_record(done: Finished) -> dict[str, Any]:
    """All numbers of a study for programs."""
    result, study = done.found, done.study
    return {
        "schema": SCHEMA,
        "study": study.name,
        "title": study.title,
        "paper": study.paper,
        "question": study.question,
        "code_version": done.code_version,
        "given": dict(done.given),
        "ran": dict(result.ran),
        "checks": [_check_record(check) for check in result.checks],
        "tables": [
            {"name": t.name, "title": t.title, "columns": t.columns, "rows": t.rows, "note": t.note}
            for t in result.tables
        ],
        "limits": [{"what": limit.what, "why": limit.why} for limit in result.limits],
        "notes": list(result.notes),
    }


def _check_record(check: StudyCheck) -> dict[str, Any]:
    names = ("what", "where", "ours", "published", "tolerance", "note", "against", "verdict")
    return {name: getattr(check, name) for name in names}


def render_csv(table: Table) -> str:
    """A table as CSV, its texts safe in a spreadsheet; a missing number is an empty cell."""
    output = io.StringIO()
    writer = csv.writer(output, lineterminator="\n")
    writer.writerow(table.columns)
    for row in table.rows:
        writer.writerow([make_inert(cell) if isinstance(cell, str) else cell for cell in row])
    return output.getvalue()


def render_files(done: Finished) -> Iterator[tuple[str, str]]:
    """(name, content) of all that is written for a study; the page last, which names the others."""
    yield (
        JSON_FILE,
        json.dumps(to_record(done), indent=1, ensure_ascii=False, allow_nan=False) + "\n",
    )
    for table in done.found.tables:
        yield f"{table.name}.csv", render_csv(table)
    yield PAGE, render_html(done)


def write_files(done: Finished, folder: Path) -> list[Path]:
    """Write all files into a folder, which is made. Raises OSError.

    Tables of an earlier study that was written here go: they would pass for tables of this one.
    """
    folder.mkdir(parents=True, exist_ok=True)
    for table in _written_before(folder):
        table.unlink(missing_ok=True)
    written = []
    for name, content in render_files(done):
        path = folder / name
        path.write_text(content, encoding="utf-8")
        written.append(path)
    return written


def _written_before(folder: Path) -> list[Path]:
    """The tables that the `study.json` of a folder names; none where it is no file of ours."""
    try:
        record = load_json((folder / JSON_FILE).read_text(encoding="utf-8"))
        names = [str(table["name"]) for table in record["tables"]]
    except (OSError, ValueError, TypeError, KeyError):
        return []
    return [folder / f"{name}.csv" for name in names if Path(name).name == name]


def _subtract_expected(check: StudyCheck) -> float | None:
    """Return ours less the expected number; 0 where rounding alone differs, as processors do."""
    if check.ours is None or check.published is None:
        return None
    difference = check.ours - check.published
    largest = max(abs(check.ours), abs(check.published), 1.0)
    return 0.0 if abs(difference) < _ROUNDING * largest else difference


def check_rows(checks: Sequence[StudyCheck]) -> list[tuple[Cell, ...]]:
    """Yield rows: what, where, ours, expected, difference, tolerance, reference, verdict."""
    return [
        (
            check.what,
            check.where,
            check.ours,
            check.published,
            _subtract_expected(check),
            check.tolerance,
            str(check.against),
            f"{check.verdict}: {check.note}" if check.note else str(check.verdict),
        )
        for check in checks
    ]
