"""Write docs/validation.md: every study that can be run here, beside what was published."""

import os
import sys
from collections.abc import Sequence
from pathlib import Path

from monitor import registry
from monitor.studies import catalogue, pages
from monitor.studies.catalogue import Against, Cell, Finished, Study, Verdict, list_studies

PAGE = Path(__file__).with_name("validation.md")
INTRODUCTION = """\
# Validation

Made by `make validation`: each study of `monitor study`, run on reference data that is not part of
this repository, beside what its paper printed. *Equal* means no further apart than the tolerance in
the table; a number that could not be compared says why. No study has a formula of its own: these
are the functions that compute the series.

Three kinds of numbers are told apart. *Printed* stands in the paper; where its size rests on data
that are not free, the sign alone is compared, and called so. *Computed elsewhere* was made
of the same input by other programs, the authors' own where there are any. *Must hold* is a property
of any input, such as a sign or a sum: it holds ours against ours, and says nothing of the paper.

"""
_COLUMNS = (
    "what", "where", "ours", "expected", "difference", "may differ by", "held against", "verdict",
)  # fmt: skip
_TOP = ("study", "title", *(f"equal: {kind}" for kind in Against), *list(Verdict)[1:])


def _table(columns: Sequence[str], rows: Sequence[Sequence[Cell]]) -> str:
    lines = [[pages.format_number(cell).replace("|", r"\|") for cell in row] for row in rows]
    joined = [f"| {' | '.join(cells)} |" for cells in (columns, ["---"] * len(columns), *lines)]
    return "\n".join(joined)


def _folded(table: str, rows: int) -> str:
    if rows <= pages.MOST_SHOWN:
        return table
    return f"<details><summary>all {rows} checks</summary>\n\n{table}\n\n</details>"


def _done(done: Finished) -> list[str]:
    found = done.found
    parts = [pages.summarize_checks(done), *found.notes]
    parts.append("\n".join(f"- {name}: {said}" for name, said in found.ran.items()))
    if found.checks:
        parts.append(_folded(_table(_COLUMNS, pages.check_rows(found.checks)), len(found.checks)))
    if found.limits:
        parts.append("Not reproduced:")
        parts.append("\n".join(f"- {limit.what}: {limit.why}" for limit in found.limits))
    return parts


def ran(study: Study, data: Path) -> Finished | None:
    """The study on the reference data in a folder; None where what it needs is not there."""
    given = study.validation(data)
    if given is None:
        return None
    return catalogue.run_study(study, given, lambda what: sys.stderr.write(f"{what} ...\n"))


def section(study: Study, done: Finished | None) -> str:
    """What the page says of a study."""
    parts = [f"## {study.name}", f"**{study.title}** {study.question} After {study.paper}."]
    parts += _done(done) if done else ["Not run here: what it needs is not free, or not there."]
    return "\n\n".join(part for part in parts if part) + "\n"


def row(study: Study, done: Finished | None) -> list[Cell]:
    """A study and how its checks came out, for the table at the top."""
    link = f"[{study.name}](#{study.name})"
    if done is None:
        return [link, study.title, *[None] * (len(_TOP) - 2)]
    equal = [done.equal(kind) for kind in Against]
    others = [done.count(verdict) for verdict in list(Verdict)[1:]]
    return [link, study.title, *equal, *others]


_LANGUAGES = """\
## languages

**How surely each language is read.** Pairs of EuroGEST (the half that the rules were written with)
are the same sentence said by a man and by a woman; the share of texts that are read right counts
pairs about somebody else, and pairs that differ in spelling alone, as misses: about 4 in 100 texts
of Portuguese, 6 of Spanish, 12 of Catalan, 19 of 191 pairs of Greek, 22 of 35 of Maltese, 5 of 39
of German. Frames are
generated sentences of [mirror](#mirror), in both genders; GATE are pairs by linguists about the
speaker. On one side only: the one gender was read and the other was not. One core reads 24,000
(French) to 55,000 of these sentences a second.

"""
_OF_LANGUAGES = (
    "code", "language", "pairs", "read right", "masculine", "feminine", "swapped texts",
    "pairs on one side only", "frames", "frames on one side only", "frames swapped",
    "GATE pairs read right",
)  # fmt: skip


def languages(eurogest: Finished, mirror: Finished) -> str:
    """What the page says of each language: pairs, generated frames, pairs of linguists."""
    pairs = {cells[0]: cells for cells in _rows_of(eurogest, "languages")}
    frames, gate = (
        {cells[1]: cells for cells in _rows_of(mirror, "languages") if cells[0] == source}
        for source in ("generated", "gate")
    )
    rows: list[list[Cell]] = []
    for code in sorted({*pairs, *frames}):
        of_pairs = pairs.get(code, (code, registry.known_language(code).name, *[None] * 7))
        _, name, n, right, masculine, feminine, _, swapped, one_sided = of_pairs
        made = frames.get(code)
        read = gate.get(code)
        rows.append(
            [
                f"`{code}`", name, n, right, masculine, feminine, swapped, one_sided,
                *((made[2], made[-1], made[6]) if made else (None, None, None)),
                f"{read[3]} of {read[2]}" if read else None,
            ]
        )  # fmt: skip
    return _LANGUAGES + _table(_OF_LANGUAGES, rows) + "\n"


_NAMED_PERSONS = """\
## named persons

**How surely the gender of a person named in the source is read.** [winomt](#winomt): accuracy of
the shared translations here / by the authors' log, and clear judgements of people that are read
alike (share that is not read). [mtgeneval](#mtgeneval): marked references of professionals that are
read, and right among those read, feminine / masculine. [gate](#gate): pairs told apart, of all and
of those whose texts differ, and pairs swapped. [methods.md](methods.md#named-persons) says what
differs from the authors' program and from people, and why.

"""
_OF_NAMED_PERSONS = (
    "code", "language", "WinoMT: accuracy here / authors", "as people (not read)",
    "MT-GenEval: read, f / m", "right among read, f / m", "GATE: told apart",
    "of those that differ", "swapped",
)  # fmt: skip


def named_persons(winomt: Finished, mtgeneval: Finished, gate: Finished) -> str:
    """What the page says of named persons in each language: systems, people, references, pairs."""
    systems, sheets = _rows_of(winomt, "systems"), _rows_of(winomt, "people")
    references = _rows_of(mtgeneval, "references")
    pairs = {cells[0]: cells for cells in _rows_of(gate, "languages")}
    rows: list[list[Cell]] = []
    for code in registry.list_names("entities"):
        # system, language, accuracy, ..., accuracy of the authors (column 11)
        accuracy = [
            f"{cells[0]}: {_pair(cells[2], cells[11])}" for cells in systems if cells[1] == code
        ]
        people = [
            f"{pages.format_number(cells[3])} ({pages.format_number(cells[4])})"
            for cells in sheets
            if cells[1] == code
        ]
        sides = {cells[1]: cells for cells in references if cells[0] == code}
        read, right = (
            _pair(sides["feminine"][column], sides["masculine"][column]) if sides else None
            for column in (3, 4)
        )
        of_pairs = pairs.get(code)
        rows.append(
            [
                f"`{code}`", registry.entity_reader(code).name, "; ".join(accuracy) or None,
                "; ".join(people) or None, read, right,
                *((of_pairs[2], of_pairs[7], of_pairs[3]) if of_pairs else (None, None, None)),
            ]
        )  # fmt: skip
    return _NAMED_PERSONS + _table(_OF_NAMED_PERSONS, rows) + "\n"


def _pair(one: Cell, other: Cell) -> str:
    return f"{pages.format_number(one)} / {pages.format_number(other)}"


def _rows_of(done: Finished, name: str) -> Sequence[Sequence[Cell]]:
    return next(table.rows for table in done.found.tables if table.name == name)


def page(data: Path) -> str:
    """The whole page."""
    all_done = {name: (study, ran(study, data)) for name, study in list_studies().items()}
    top = _table(_TOP, [row(*one) for one in all_done.values()])
    eurogest, mirror = (all_done[name][1] for name in ("eurogest", "mirror"))
    of_languages = [languages(eurogest, mirror)] if eurogest and mirror else []
    winomt, mtgeneval, gate = (all_done[name][1] for name in ("winomt", "mtgeneval", "gate"))
    if winomt and mtgeneval and gate:
        of_languages.append(named_persons(winomt, mtgeneval, gate))
    sections = [section(*one) for one in all_done.values()]
    return "\n".join([INTRODUCTION + top + "\n", *of_languages, *sections])


if __name__ == "__main__":
    place = os.environ.get("MONITOR_REFERENCE_DATA")
    if not place:
        sys.exit("set MONITOR_REFERENCE_DATA to the folder that holds gest/, oracles/ and data/")
    PAGE.write_text(page(Path(place)), encoding="utf-8")
    sys.stdout.write(f"written: {PAGE}\n")
