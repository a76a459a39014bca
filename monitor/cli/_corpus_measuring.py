"""The commands that measure corpora: `monitor corpus bias`, `plot` and `compare`."""

from pathlib import Path
from typing import Annotated

import typer

from monitor.cli import _corpus_options as options
from monitor.cli._console import emit_json, err
from monitor.cli._files import in_existing_folder, new_file, refuse_existing
from monitor.stages.corpus_bias import Measure, Order, Representation

_MOST = 20


def bias(  # noqa: PLR0917 - options of a command
    name: options.Name,
    representation: options.RepresentationOption = Representation.PPMI,
    measure: options.MeasureOption = Measure.FIRST_ORDER,
    words: options.Words = None,
    concepts: options.ConceptsFile = None,
    labour: options.Labour = None,
    explain: Annotated[
        str, typer.Option(metavar="WORD", help="Which words make up the bias of this one.")
    ] = "",
    window: options.Window = 5,
    cds: options.Cds = 1.0,
    floor: options.Floor = 5.0,
    draws: options.Draws = 1_000,
    dimensions: options.Dimensions = 300,
    seeds: options.Seeds = 10,
    seed: options.Seed = 0,
    vectors: options.Vectors = None,
    contexts: options.Contexts = None,
    most: Annotated[int, typer.Option(min=0, help="Words shown of each end; 0: all.")] = _MOST,
    csv: Annotated[
        Path | None,
        typer.Option(help="Write all words to this CSV file.", callback=in_existing_folder),
    ] = None,
    force: options.Force = False,
    as_json: options.AsJson = False,
) -> None:
    """Measure the bias of words: their tie to words for women less that to words for men.

    Above 0 a word stands nearer to words for women, below 0 to words for men [Rekabsaz et al.
    2021]. It says how these texts speak, not how people are. Words with too little support have no
    value, and are listed with the reason. The interval is a bootstrap over documents; skip-gram has
    one over models.
    """
    from monitor.cli import _corpus_bias as showing
    from monitor.stages.corpus_bias import explained, measured

    order = Order(
        representation, measure, window, cds, floor, dimensions, draws, seeds, seed, vectors,
        contexts,
    )  # fmt: skip
    if csv is not None:
        refuse_existing(csv, force=force)
    lists, held = options.concepts_of(concepts), options.shares_of(labour)
    targets = options.words_of(words, lists, held)
    corpus = options.corpus_of(name)
    if explain:
        with options.telling() as told:
            parts = explained(corpus, order, lists, explain, most or _MOST, told)
        showing.show_parts(explain, parts, as_json=as_json)
        return
    with options.telling() as told:
        found = measured(corpus, order, lists, targets, told)
    options.say_missing(order, found.biases.missing)
    if csv is not None:
        showing.write_csv(csv, corpus, found, held[1] if held else {}, force=force)
    if as_json:
        showing.emit(name, corpus, found, held)
    elif csv is None:
        showing.show(name, corpus, found, held, most)


def plot(  # noqa: PLR0917 - options of a command
    name: options.Name,
    representation: options.RepresentationOption = Representation.PPMI,
    measure: options.MeasureOption = Measure.FIRST_ORDER,
    words: options.Words = None,
    concepts: options.ConceptsFile = None,
    labour: options.Labour = None,
    window: options.Window = 5,
    cds: options.Cds = 1.0,
    floor: options.Floor = 5.0,
    draws: options.Draws = 1_000,
    dimensions: options.Dimensions = 300,
    seeds: options.Seeds = 10,
    seed: options.Seed = 0,
    vectors: options.Vectors = None,
    contexts: options.Contexts = None,
    output: Annotated[
        Path | None,
        typer.Option(
            help="HTML file to write; else out/corpus-NAME.html.", callback=in_existing_folder
        ),
    ] = None,
    svg: Annotated[
        bool, typer.Option("--svg", help="Also write each chart as SVG, beside the page.")
    ] = False,
    force: options.Force = False,
) -> None:
    """Write a page with the biases of words: both sides of each, and against the labour market.

    After Figures 2 and 3 of Rekabsaz et al. 2021. The unbiased area is as high as the mean
    difference over the whole vocabulary. The page needs no network and no other file.
    """
    from monitor.stages import corpus_page as page
    from monitor.stages.corpus_bias import measured

    order = Order(
        representation, measure, window, cds, floor, dimensions, draws, seeds, seed, vectors,
        contexts,
    )  # fmt: skip
    called = Path(name).name
    goal = output or Path("out") / f"corpus-{called}.html"
    refuse_existing(goal, force=force)
    lists, held = options.concepts_of(concepts), options.shares_of(labour)
    targets = options.words_of(words, lists, held)
    corpus = options.corpus_of(name)
    with options.telling() as told:
        found = measured(corpus, order, lists, targets, told, area=True)
    shown = page.shown(called, corpus, found, held)
    files = {goal: page.page(shown)}
    if svg:
        for chart, drawn in page.pictures(shown).items():
            files[goal.with_name(f"{goal.stem}-{chart}.svg")] = page.alone(drawn)
    for path, text in files.items():
        with new_file(path, force=force) as file:
            file.write(text)
        err.print(f"written: {path}", markup=False)


def compare(  # noqa: PLR0917 - options of a command
    name: options.Name,
    others: Annotated[
        list[str], typer.Argument(metavar="OTHER...", help="Corpora that it became, in order.")
    ],
    representation: options.RepresentationOption = Representation.PPMI,
    measure: options.MeasureOption = Measure.FIRST_ORDER,
    words: options.Words = None,
    concepts: options.ConceptsFile = None,
    window: options.Window = 5,
    cds: options.Cds = 1.0,
    floor: options.Floor = 5.0,
    dimensions: options.Dimensions = 300,
    seed: options.Seed = 0,
    as_json: options.AsJson = False,
) -> None:
    """Say how far biases move from a corpus to the next: how sensitive a measure is to its texts.

    After Figure 4 and Table 3 of Rekabsaz et al. 2021: compare news news-half news-full, where the
    latter were built with --swapped half and full. Words that mean a gender themselves take no
    part. It is no test: for two tests of the same words see `monitor series changes`.
    """
    from monitor.cli import _corpus_compare as comparing

    order = Order(
        representation, measure, window, cds, floor, dimensions, draws=0, seeds=1, seed=seed
    )
    lists = options.concepts_of(concepts)
    targets = options.words_of(words, lists, None)
    corpora = [(one, options.corpus_of(one)) for one in (name, *others)]
    with options.telling() as told:
        found = comparing.compared(corpora, order, lists, targets, told)
    if as_json:
        emit_json(comparing.facts(order, found))
    else:
        comparing.show(order, found)
