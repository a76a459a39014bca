"""Commands that hold the instrument against published figures and labelled texts."""

import inspect
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Optional

import typer

from monitor.cli.commands import LESSONS, Lesson
from monitor.cli.console import AsJson, emit_json, err, out, say
from monitor.cli.files import in_existing_folder
from monitor.model import InvalidInput
from monitor.studies import catalogue, pages
from monitor.studies.catalogue import Finished, Option, Study, StudyCheck, Verdict, list_studies
from monitor.text.counted_nouns import several

if TYPE_CHECKING:
    from monitor.studies.labelled import LabelledScores, LabelScore, Proportion

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
    app.command(name=study.name, help=f"{study.title}.\n\n{study.question} After {study.paper}.")(
        _command(study)
    )


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
    command.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
    command.__name__ = study.name
    return command


def _parameter(option: Option) -> inspect.Parameter:
    kind: Any = option.kind
    if option.several:
        kind = Optional[list[kind]]  # noqa: UP045 - made of a value
    elif option.default is None and not option.required:
        kind = Optional[kind]  # noqa: UP045 - made of a value
    help_text = f"{option.help} (needed)" if option.required else option.help
    option_type = typer.Option(f"--{option.name}", help=help_text)
    return inspect.Parameter(
        option.name.replace("-", "_"),
        inspect.Parameter.KEYWORD_ONLY,
        default=... if option.required else option.default,
        annotation=Annotated[kind, option_type],
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


def _shown(done: Finished) -> list[StudyCheck]:
    """All checks, or of very many those that are not equal: all of them are on the page."""
    checks = list(done.found.checks)
    if len(checks) <= pages.MOST_SHOWN:
        return checks
    return [check for check in checks if check.verdict is not Verdict.EQUAL]


def _print(done: Finished) -> None:
    rows = [[pages.format_number(cell) for cell in row] for row in pages.check_rows(_shown(done))]
    if rows:
        _print_wide(_COLUMNS, rows, len(_COLUMNS))
    for note in (*done.found.notes, pages.summarize_checks(done)):
        say(note)


study_commands = typer.Typer()


def _print_wide(columns: Sequence[str], rows: Sequence[Sequence[str]], n_words: int) -> None:
    """Print a table with too many columns for rich to fold, in lines that a pager can scroll.

    The first columns hold words, the others numbers.
    """
    widths = [max(map(len, column)) for column in zip(columns, *rows, strict=True)]
    for row in (columns, *rows):
        cells = [
            cell.ljust(width) if index < n_words else cell.rjust(width)
            for index, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        typer.echo("  ".join(cells).rstrip())


@study_commands.command()
def languages(
    labelled: Annotated[
        Path, typer.Option(help="CSV with the columns language, translation and the gold label.")
    ],
    gold: Annotated[str, typer.Option(help="Column of the label: M, F or N.")] = "gold",
    as_json: AsJson = False,
) -> None:
    """Compute precision and recall on labelled translations, by language and over all.

    M and F are the grammatical gender of the speaker, N is everything else. Shares come with
    their Wilson interval at 95 %; every text that was read otherwise is listed with its rule.
    """
    from monitor import registry
    from monitor.studies.labelled import score_labelled_texts

    found = score_labelled_texts(labelled, gold, registry.language)
    if as_json:
        emit_json(_plain(found))
        return
    scores = [*found.scores, found.pooled] if len(found.scores) != 1 else list(found.scores)
    columns = ("language", "texts", "precision", "recall", "M for F, F for M", "false positives")
    for title, names, rows in (
        ("Masculine and feminine together", columns, [_row(score) for score in scores]),
        ("Gold > found", ("language", *_PAIRS), [_confusion(score) for score in scores]),
    ):
        typer.echo(title)
        _print_wide(names, rows, 2)
        typer.echo()
    for error in found.errors:
        say(
            f"{error.language} row {error.line}: {error.gold}, found {error.found} "
            f"({error.rule or 'no rule'}): {error.text}"
        )
    for tag, n in sorted(found.left_out.items()):
        out.print(f"{tag}: {several(n, 'text')} left out, because its gender cannot be read yet")


_PAIRS = tuple(f"{gold} > {found}" for gold in "MFN" for found in "MFN")


def _row(one: "LabelScore") -> list[str]:
    texts = one.confusion.total()
    return [
        one.language,
        f"{texts:,}",
        _said(one.precision()),
        _said(one.recall()),
        str(one.swapped),
        _said(one.false_positives),
    ]


def _confusion(one: "LabelScore") -> list[str]:
    return [one.language, *(str(one.confusion[pair[0], pair[-1]]) for pair in _PAIRS)]


def _said(share: "Proportion") -> str:
    if share.value is None or share.limits is None:
        return "no value"
    low, high = share.limits
    return f"{share.value:.3f} [{low:.3f}, {high:.3f}] {share.hits}/{share.of}"


def _plain(found: "LabelledScores") -> dict[str, object]:
    def share(one: "Proportion") -> dict[str, object]:
        return {"value": one.value, "limits": one.limits, "hits": one.hits, "of": one.of}

    def of(one: "LabelScore") -> dict[str, object]:
        return {
            "texts": one.confusion.total(),
            "precision": share(one.precision()),
            "recall": share(one.recall()),
            "swapped": one.swapped,
            "false_positives": share(one.false_positives),
            "confusion": {pair: one.confusion[pair[0], pair[-1]] for pair in _PAIRS},
            "classes": {str(cls): n for cls, n in sorted(one.classes.items())},
        }

    return {
        "languages": {score.language: of(score) for score in found.scores},
        "pooled": of(found.pooled),
        "errors": found.errors,
        "left_out": dict(found.left_out),
    }


for _study in list_studies().values():
    add(study_commands, _study)
