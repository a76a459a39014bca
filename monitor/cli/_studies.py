"""Makes a command of every study: its options become those of the command."""

import inspect
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any, Optional

import typer

from monitor.cli._console import emit_json, err, out
from monitor.cli._examples import LESSONS, Lesson
from monitor.cli._files import in_existing_folder
from monitor.model import InvalidInput
from monitor.studies import catalogue, pages
from monitor.studies.records import Check, Finished, Option, Study, Verdict

_COMMON = {
    "output": Annotated[
        Path | None,
        typer.Option(
            help="Folder for the page; out/study-NAME if left out.", callback=in_existing_folder
        ),
    ],
    "force": Annotated[bool, typer.Option("--force", help="Write over what is in it.")],
    "as_json": Annotated[bool, typer.Option("--json", help="Print JSON for scripts.")],
}
_COLUMNS = (
    "what", "where", "ours", "expected", "difference", "tolerance", "held against", "verdict",
)  # fmt: skip


def add(app: typer.Typer, study: Study) -> None:
    """Add the command of a study to a group, with what stands beneath its help."""
    writes = f"a page and its tables, into out/study-{study.name}"
    LESSONS[f"study {study.name}"] = Lesson(f"study {study.example}", writes)
    app.command(name=study.name, help=_help(study))(_command(study))


def _help(study: Study) -> str:
    return f"{study.title}.\n\n{study.question} After {study.paper}."


def _command(study: Study) -> Callable[..., None]:
    """A function whose signature has the study's options, which is what typer looks at."""

    def command(**given: Any) -> None:  # noqa: ANN401 - as the options say
        perform(study, given)

    parameters = [
        *map(_parameter, study.options),
        *(
            inspect.Parameter(
                name,
                inspect.Parameter.KEYWORD_ONLY,
                default=None if name == "output" else False,
                annotation=annotation,
            )
            for name, annotation in _COMMON.items()
        ),
    ]
    command.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    command.__annotations__ = {one.name: one.annotation for one in parameters}
    command.__name__ = study.name
    return command


def _parameter(option: Option) -> inspect.Parameter:
    kind: Any = option.kind
    if option.several:
        kind = Optional[list[kind]]  # noqa: UP045 - made of a value
    elif option.default is None and not option.required:
        kind = Optional[kind]  # noqa: UP045 - made of a value
    help_text = f"{option.help} (needed)" if option.required else option.help
    said = typer.Option(f"--{option.name}", help=help_text)
    return inspect.Parameter(
        option.name.replace("-", "_"),
        inspect.Parameter.KEYWORD_ONLY,
        default=... if option.required else option.default,
        annotation=Annotated[kind, said],
    )


def perform(study: Study, given: dict[str, Any]) -> None:
    """Run a study, print how its checks came out, and write its page."""
    folder = given.pop("output") or Path("out") / f"study-{study.name}"
    force, as_json = given.pop("force"), given.pop("as_json")
    _check(folder, force=force)
    named = {option.name.replace("-", "_"): option.name for option in study.options}
    chosen = {named[name]: value for name, value in given.items()}
    done = catalogue.run_study(study, chosen, lambda what: err.print(f"{what} ...", markup=False))
    written = pages.write_files(done, folder)
    if as_json:
        emit_json(pages.to_record(done))
        return
    _print(done)
    err.print(
        f"written: {folder / pages.PAGE} and {len(written) - 1} files beside it", markup=False
    )


def _check(folder: Path, *, force: bool) -> None:
    """Before a study that may take minutes. Raises InvalidInput for what it would write over."""
    if folder.exists() and not folder.is_dir():
        raise InvalidInput(f"--output {folder}: is a file; name a folder")
    if (page := folder / pages.PAGE).exists() and not force:
        raise InvalidInput(f"{page}: is there already; --force writes over it")
    if folder.exists() and any(folder.iterdir()) and not force:
        raise InvalidInput(f"--output {folder}: is not empty; name another folder, or give --force")


def _shown(done: Finished) -> list[Check]:
    """All checks, or of very many those that are not equal: all of them are on the page."""
    checks = list(done.found.checks)
    if len(checks) <= pages.MOST_SHOWN:
        return checks
    return [check for check in checks if check.verdict is not Verdict.EQUAL]


def _print(done: Finished) -> None:
    rows = [[pages.format_number(cell) for cell in row] for row in pages.check_rows(_shown(done))]
    if rows:
        widths = [max(map(len, column)) for column in zip(_COLUMNS, *rows, strict=True)]
        for row in (_COLUMNS, *rows):
            line = "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True))
            typer.echo(line.rstrip())
    for note in (*done.found.notes, pages.summarize_checks(done)):
        out.print(note, markup=False, soft_wrap=True)
