"""Commands about who people in results are: sheets, agreement of raters, the queue."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Literal

import typer

from monitor.cli.console import AsJson, agreement_text, emit_json, err, note, out, say, table
from monitor.cli.database import database
from monitor.cli.files import in_existing_folder, new_file, refuse_existing
from monitor.input_files import open_table
from monitor.labels import settle, sheets
from monitor.labels.settle import Rating
from monitor.labels.sheets import NEEDED, read_row
from monitor.model import InvalidInput, LabelState
from monitor.roles import check_rater
from monitor.text.cells import RowWriter
from monitor.text.counted_nouns import several

_MOST_BYTES = 64 * 2**20


def filled(
    path: Path, rater: str, now: datetime, values: Sequence[str], entities: Mapping[str, str]
) -> list[Rating]:
    """The ratings on a sheet, all of them checked. Raises InvalidInput naming file and line."""
    ratings: dict[str, Rating] = {}
    seen: dict[str, int] = {}
    for line, row in rows_of(path, NEEDED):
        key = (row.get("key") or "").strip()
        if key in seen:
            raise InvalidInput(
                f"{path}:{line}: key {key!r} stands in line {seen[key]} already; keep one of them"
            )
        seen[key] = line
        label = read_row(row, f"{path}:{line}", values, entities)
        if label:
            ratings[label.entity] = Rating(label.entity, label.group, rater, now, label.comment)
    return list(ratings.values())


def rows_of(path: Path, needed: frozenset[str]) -> Iterator[tuple[int, dict[str, str]]]:
    """(line, row) of a filled sheet, as any spreadsheet program wrote it. Raises InvalidInput."""
    if path.is_file() and path.stat().st_size > _MOST_BYTES:
        raise InvalidInput(f"{path}: larger than {_MOST_BYTES:,} bytes; no sheet of labels")
    # some spreadsheet programs write semicolons, depending on the country
    with open_table(path, delimiters=",;", fill=True) as table:
        missing = needed - set(table.columns)
        if missing:
            raise InvalidInput(
                f"{path}:1: no column {min(missing)}; keep the header as it was exported"
            )
        for line, cells in table.rows:
            if any(cells):
                yield line, dict(zip(table.columns, cells, strict=True))


Rater = Annotated[str, typer.Option(help="Who rates: initials or a code name, no full name.")]
Groups = Annotated[
    list[str] | None,
    typer.Option("--group", help="A group of your own besides the usual; may be given often."),
]
label_commands = typer.Typer()


@label_commands.command()
def export(
    file: Annotated[
        Path,
        typer.Argument(metavar="FILE.csv", help="Sheet to write.", callback=in_existing_folder),
    ],
    rater: Rater,
    state: Annotated[
        Literal["unresolved", "conflict", "all"],
        typer.Option(help="Whom to ask about: without a label, with contradictions, or everybody."),
    ] = "unresolved",
    sample: Annotated[
        int, typer.Option(min=0, help="So many, the same for every rater; 0 means all.")
    ] = 0,
    groups: Groups = None,
) -> None:
    """Write a sheet of people for a rater to fill; it shows neither engine, rank nor other labels.

    The rater looks up the public record of each and writes women, men, other, unknown (no record
    was found) or not_human into the column group, and may write into comment; an empty cell says
    nothing. Nobody's gender is guessed from a name or a picture. Afterwards: monitor label import.
    """
    from monitor.store.derive import people

    check_rater(rater)
    values = settle.allowed_values(sheets.checked_groups(groups or ()))
    refuse_existing(file, force=False)
    with database() as opened, opened.read() as connection:
        labels = people.settle_labels(connection)
        shown = people.read_shown_entities(connection)
        wanted = [e for e in shown if state == "all" or _state(labels.get(e)) == state]
        asked_professions = people.read_professions(connection, wanted)
    cases = [
        sheets.Case(shown[e][0], "; ".join(asked_professions.get(e, ())), item=shown[e][1])
        for e in wanted
    ]
    rows = sheets.make_sheet(cases, rater, sample)
    if file.exists():
        raise InvalidInput(f"{file}: is there already; sheets are never written over: name another")
    with new_file(file, force=False, private=True) as output:
        RowWriter(output).rows([sheets.COLUMNS, *rows])
    note(
        f"{several(len(rows), 'person', 'people')} to label: {file}; "
        f"allowed in the column group: {', '.join(values)}"
    )


def _state(label: settle.Settled | None) -> LabelState:
    """Of whom nobody said anything, nothing is known."""
    return label.state if label else LabelState.UNRESOLVED


@label_commands.command("import")
def import_sheet(
    file: Annotated[Path, typer.Argument(metavar="FILE.csv", help="Filled sheet.")],
    rater: Rater,
    groups: Groups = None,
) -> None:
    """Read a filled sheet. Every row is checked before any is kept.

    Nothing is written over: who said what, and when, is kept, and the newest of each rater
    counts. Labels by people win over those of Wikidata; where raters differ, the person has no
    label until they agree.
    """
    from monitor.store.derive import people

    check_rater(rater)
    values = settle.allowed_values(sheets.checked_groups(groups or ()))
    now = datetime.now(UTC)
    with database() as opened:
        with opened.read() as connection:
            known = {
                sheets.blind_key(entity): entity
                for entity in people.read_shown_entities(connection)
            }
        ratings = filled(file, rater, now, values, known)
        with opened.begin() as connection:
            people.store_ratings(connection, ratings)
            changed = people.publish_labels(connection, [r.entity for r in ratings], now)
    err.print(
        f"{several(len(ratings), 'rating')} by {rater}; {several(changed, 'label')} changed",
        markup=False,
    )


@label_commands.command()
def agreement(as_json: AsJson = False) -> None:
    """Compute how far raters agree: raw, Cohen's kappa of each pair, Krippendorff's alpha.

    Of each rater the first rating of a person counts, which nobody asked to say again. Beside
    alpha stands that of the newest ratings, which labels rest on; below, who differs now.
    """
    from monitor.store.derive import people

    with database() as opened, opened.read() as connection:
        first, ratings = people.read_first_ratings(connection), people.read_ratings(connection)
        names = {
            entity: whom.name
            for entity, (whom, _) in people.read_shown_entities(connection).items()
        }
    raters = {rating.by for given in ratings.values() for rating in given}
    if len(raters) < 2:  # noqa: PLR2004 - agreement is between two
        raise InvalidInput(
            f"agreement needs two raters; here {len(raters)} rated. Export a sheet for each of "
            "them with the same --state and --sample, and import both"
        )
    result = sheets.compare_raters(first, ratings)
    if as_json:
        emit_json(result)
        return
    _print_agreement(result, names)


def _print_agreement(result: sheets.LabelAgreement, names: dict[str, str]) -> None:
    cells = [
        [
            f"{pair['first']}, {pair['second']}",
            f"{pair['n']:,}",
            agreement_text(pair["agreement"], pair["agreement_limits"]),
            agreement_text(pair["kappa"], pair["kappa_limits"]),
        ]
        for pair in result["pairs"]
    ]
    out.print(table("", ("raters", "n", "raw", "kappa"), cells), markup=False)
    out.print(
        f"Krippendorff's alpha of all: {agreement_text(result['alpha'], result['alpha_limits'])}",
        markup=False,
    )
    if result["n_changed"]:
        out.print(
            f"{several(result['n_changed'], 'rating')} changed since; "
            f"alpha of the newest, not independent: {agreement_text(result['alpha_newest'], None)}",
            markup=False,
        )
    for one in result["disagreements"]:
        words = ", ".join(f"{rater}: {group}" for rater, group in one["groups"].items())
        name = names.get(one["entity"], "")
        say(f"{one['key']}  {name}  {words}")


@label_commands.command()
def queue(as_json: AsJson = False) -> None:
    """Show the people whose sources or raters contradict each other: they wait for a person.

    Until then they have no label. `monitor label export --state conflict` writes a blind sheet.
    """
    from monitor.store.derive import people

    with database() as opened, opened.read() as connection:
        labels = people.settle_labels(connection)
        shown = people.read_shown_entities(connection)
    waiting = [
        {
            "entity": entity,
            "name": shown[entity][0].name,
            "item": shown[entity][1],
            "source": label.source,
            "reason": label.reason,
        }
        for entity, label in sorted(labels.items())
        if label.state is LabelState.CONFLICT and entity in shown
    ]
    if as_json:
        emit_json(waiting)
        return
    for one in waiting:
        who = f"{one['name'] or one['entity']} ({one['item'] or one['entity']})"
        say(f"{who}: {one['reason']}")
    open_ = sum(_state(labels.get(entity)) is LabelState.UNRESOLVED for entity in shown)
    err.print(f"{len(waiting):,} wait for a decision; {open_:,} more are unresolved", markup=False)
