"""Commands about bodies of texts: build one, the bias of words in it, its page, the list of all."""

from datetime import datetime
from pathlib import Path
from typing import Annotated, Literal

import typer

from monitor import settings
from monitor.cli import _corpus_measuring as measuring
from monitor.cli import _corpus_options as options
from monitor.cli._console import emit_json, err, out, table
from monitor.cli._files import in_existing_folder
from monitor.corpus.encoded import Tokens
from monitor.model import Block

_app = typer.Typer(
    help="Bodies of texts: which words stand near words for women and for men.",
    no_args_is_help=True,
)


_MIN_COUNT = 5
_DATES = ["%Y-%m-%d"]


def register(app: typer.Typer) -> None:
    """Add these commands to the program."""
    for command in (measuring.bias, measuring.plot, measuring.compare):
        _app.command()(command)
    app.add_typer(_app, name="corpus")


@_app.command()
def build(  # noqa: PLR0917 - options of a command
    name: Annotated[str, typer.Argument(metavar="NAME", help="What the corpus is called.")],
    files: Annotated[
        list[Path] | None,
        typer.Argument(
            metavar="FILE...",
            help="Text or JSON lines, .txt or .jsonl, also .gz and .zst, and folders of them.",
        ),
    ] = None,
    documents: Annotated[
        Literal["lines", "files"], typer.Option(help="Of .txt: what one document is.")
    ] = "lines",
    field: Annotated[str, typer.Option(help="Of .jsonl: the field with the text.")] = "text",
    tokens: Annotated[
        Tokens,
        typer.Option(help="text: letters and digits in lower case. blanks: split at blanks only."),
    ] = Tokens.TEXT,
    min_count: Annotated[
        int, typer.Option(min=1, help="Words that occur less often are taken out first.")
    ] = _MIN_COUNT,
    most: Annotated[
        int | None, typer.Option(min=1, help="Keep only so many of the most frequent words.")
    ] = None,
    subsample: Annotated[
        float | None, typer.Option(help="Thin out frequent words, as word2vec does: 0.00001.")
    ] = None,
    keep_repeats: Annotated[
        bool, typer.Option("--keep-repeats", help="Count a document as often as it comes.")
    ] = False,
    from_archive: Annotated[
        bool, typer.Option("--from-archive", help="Texts of the database in place of files.")
    ] = False,
    job: Annotated[
        list[str] | None, typer.Option(help="--from-archive: of this job; may be given again.")
    ] = None,
    engine: Annotated[
        str, typer.Option(help="--from-archive: of this engine, or what its label begins with.")
    ] = "",
    region: Annotated[str, typer.Option(help="--from-archive: asked from this region.")] = "",
    since: Annotated[
        datetime | None,
        typer.Option("--from", formats=_DATES, help="--from-archive: due on this day or later."),
    ] = None,
    until: Annotated[
        datetime | None,
        typer.Option("--to", formats=_DATES, help="--from-archive: due on this day or before."),
    ] = None,
    block: Annotated[
        Block,
        typer.Option(
            metavar="PART",
            help=f"--from-archive: which part of an answer: {', '.join(Block)}.",
        ),
    ] = Block.ORGANIC,
    swapped: Annotated[
        Literal["half", "full"] | None,
        typer.Option(help="Add to half or all of the documents a twin, its genders swapped."),
    ] = None,
    seed: options.Seed = 0,
    output: Annotated[
        Path | None,
        typer.Option(
            help="Folder to write; else MONITOR_HOME/corpora/NAME.", callback=in_existing_folder
        ),
    ] = None,
    force: options.Force = False,
    as_json: options.AsJson = False,
) -> None:
    """Make a corpus of files, or of what engines answered: texts as numbers to measure bias in.

    Documents that repeat an earlier one are left out and counted: pages and snippets come again
    and again, and would count as often. Pairs are counted within a document, never across two.
    """
    from monitor.cli import _corpus_build as making
    from monitor.corpus.encoded import Rules
    from monitor.corpus.folder import folder_of
    from monitor.corpus.reading import Form

    goal = output or folder_of(name, settings.load().home)
    rules = Rules(tokens, min_count, most, not keep_repeats, subsample, seed)
    wanted = making.Wanted(tuple(job or ()), engine, region, since, until, block)
    source = making.source_of(files or [], Form(documents == "lines", field), from_archive, wanted)
    twins = None if swapped is None else making.Twins(swapped, seed)
    with source as texts:
        made, repeats = making.make(texts, rules, goal, twins, force=force)
    found = making.facts(name, goal, made, repeats)
    if as_json:
        emit_json(found)
    else:
        making.say(found)


@_app.command("show")
def show_corpus(
    name: Annotated[str, typer.Argument(help="A corpus of `monitor corpus list`, or a folder.")],
    as_json: options.AsJson = False,
) -> None:
    """Show a corpus: what it was made of, by which rules, and how large it is."""
    from monitor.cli._visible import visible
    from monitor.corpus.folder import about, find

    facts = about(find(name, settings.load().home))
    if as_json:
        emit_json(dict(facts))
        return
    for key, value in facts.items():
        out.print(f"{key}: {visible(value)}", markup=False, soft_wrap=True)


@_app.command("list")
def list_corpora(as_json: options.AsJson = False) -> None:
    """List the corpora in MONITOR_HOME/corpora."""
    from monitor.corpus.folder import about, folder_of, installed

    home = settings.load().home
    found = [(name, about(folder_of(name, home))) for name in installed(home)]
    if as_json:
        emit_json([{"name": name, **said} for name, said in found])
        return
    if not found:
        err.print(
            f"no corpus in {home / 'corpora'}; make one with: monitor corpus build NAME FILE...",
            markup=False,
        )
        return
    columns = ("documents", "tokens", "words")
    rows = [[name, *(f"{said[one]:,}" for one in columns)] for name, said in found]
    out.print(table("", ("corpus", *columns), rows), markup=False)
