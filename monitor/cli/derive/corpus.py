"""Commands about bodies of texts: build one, the bias of words in it, its page, the list."""

from collections.abc import Mapping
from datetime import datetime, timedelta
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal, NamedTuple, TypeAlias

import typer

from monitor import settings
from monitor.cli.commands import share_options
from monitor.cli.console import AsJson, emit_json, err, note, out, say, table
from monitor.cli.files import in_existing_folder, new_file, refuse_existing
from monitor.cli.progress import steps
from monitor.corpus.encoding import Tokens
from monitor.input_files import open_table, read_text
from monitor.model import Block, InvalidInput
from monitor.stages.derive.corpus_bias import BiasMeasure, BiasOrder, Representation
from monitor.text.tokens import tokens

if TYPE_CHECKING:
    from monitor.corpus.concepts import Concepts
    from monitor.corpus.encoding import EncodedCorpus

corpus_commands = typer.Typer()

Force = Annotated[bool, typer.Option("--force", help="Write over what is there.")]
Name = Annotated[
    str, typer.Argument(metavar="NAME", help="A corpus of `monitor corpus list`, or its folder.")
]
RepresentationOption = Annotated[
    Representation,
    typer.Option(
        metavar="KIND",
        help="What the corpus is made into. pmi, ppmi, sppmi: counts. pmi-svd, ppmi-svd, "
        "sppmi-svd: the same in few dimensions. skip-gram: word2vec, from ten million tokens on. "
        "glove: vectors of a file. init-glove: log p(word | context).",
    ),
]
MeasureOption = Annotated[
    BiasMeasure,
    typer.Option(
        help="first_order: how strongly a word is tied to the concept words. The others: how alike "
        "its vector and theirs are."
    ),
]
Words = Annotated[
    Path | None,
    typer.Option(help="Text file with the words to measure, one a line; else 531 occupations."),
]
ConceptsFile = Annotated[
    Path | None,
    typer.Option(
        "--concepts",
        help="CSV with columns list, group, word, partner: own words for women and men.",
    ),
]
Labour = Annotated[
    str | None,
    typer.Option(help="Shares of women to hold biases against: census, winobias, or a CSV."),
]
Window = Annotated[int, typer.Option(min=1, help="Tokens on either side that count as near.")]
Cds = Annotated[float, typer.Option(help="Context-distribution smoothing; 0.75 is usual, 1 none.")]
Floor = Annotated[
    float,
    typer.Option(
        min=0,
        help="Pairs that must be expected with either side for a pair that never occurred to say "
        "something; 0 takes every such pair as unrelated.",
    ),
]
Draws = Annotated[int, typer.Option(min=0, help="Resamples for the interval; 0 leaves it out.")]
Seeds = Annotated[int, typer.Option(min=1, help="skip-gram: how many models are learnt.")]
Seed = Annotated[int, typer.Option(min=0, help="Where random numbers begin.")]
Dimensions = Annotated[int, typer.Option(min=1, help="*-svd, skip-gram, glove: dimensions.")]
Vectors = Annotated[
    Path | None, typer.Option(help="glove: its file, with context vectors (GloVe's -model 0).")
]
Contexts = Annotated[
    Path | None, typer.Option(help="glove: a second file, with the context vectors.")
]


def _corpus_of(name: str) -> "EncodedCorpus":
    """The corpus of a name or folder. Raises InvalidInput naming those that there are."""
    from monitor.corpus.encoding import find_corpus, read_corpus

    return read_corpus(find_corpus(name, settings.load().home))


def _concepts_of(path: Path | None) -> "Concepts":
    from monitor.corpus.concepts import default_concepts, read_concepts

    return default_concepts() if path is None else read_concepts(path)


#: What shares of women are called, and women's share by word.
Held: TypeAlias = tuple[str, Mapping[str, float]]


class AskedWords(NamedTuple):
    """Concepts, shares that biases are held against, and the words to measure."""

    concepts: "Concepts"
    labour: Held | None
    words: tuple[str, ...]


def _words(path: Path) -> tuple[str, ...]:
    """The words of a file. Raises InvalidInput naming it and the line."""
    lines = read_text(path).splitlines()
    spelt: dict[str, None] = {}
    for number, line in enumerate(lines, start=1):
        if not (word := line.strip()):
            continue
        if tokens(word) != [word]:
            raise InvalidInput(
                f"{path}: line {number}: {word!r} is not one word in lower case, as texts have it"
            )
        spelt[word] = None
    if not spelt:
        raise InvalidInput(f"{path}: holds no word; write one on each line")
    return tuple(spelt)


def _shares_of(labour: str | None) -> Held | None:
    """Shares that ship, or those of a file; None where none are asked for."""
    if labour is None:
        return None
    from monitor.corpus.concepts import TARGETS, TITLES, target_shares

    if labour in TARGETS:
        return TITLES[labour], target_shares(labour)
    path = Path(labour)
    if not path.is_file():
        targets = ", ".join(TARGETS)
        raise InvalidInput(
            f"--labour {labour}: {targets} are known, and there is no such file; a file is a CSV "
            "with the columns word and share"
        )
    return path.name, _shares(path)


def _shares(path: Path) -> dict[str, float]:
    with open_table(path, ("word", "share")) as table:
        rows = [row for _, row in table.records()]
    shares: dict[str, float] = {}
    for line, row in enumerate(rows, start=2):
        word, said = (row["word"] or "").strip(), (row["share"] or "").strip()
        try:
            share = float(said)
        except ValueError:
            share = -1.0
        if not word or not 0 <= share <= 1:
            raise InvalidInput(
                f"{path}: line {line}: {word!r} has the share {said!r}; write a word and a share "
                "of women between 0 and 1"
            )
        if shares.setdefault(word, share) != share:
            raise InvalidInput(f"{path}: line {line}: {word!r} has two shares; leave one")
    return shares


# --- options that commands share ------------------------------------------------------------------


def read_order(  # noqa: PLR0917 - options of commands
    representation: RepresentationOption = Representation.PPMI,
    measure: MeasureOption = BiasMeasure.FIRST_ORDER,
    window: Window = 5,
    cds: Cds = 1.0,
    floor: Floor = 5.0,
    dimensions: Dimensions = 300,
    draws: Draws = 1_000,
    seeds: Seeds = 10,
    seed: Seed = 0,
    vectors: Vectors = None,
    contexts: Contexts = None,
) -> BiasOrder:
    """Return how biases are measured."""
    return BiasOrder(**locals())


def read_words(
    words: Words = None, concepts: ConceptsFile = None, labour: Labour = None
) -> AskedWords:
    """Return the words of the file, or all occupations and those with a share."""
    lists, held = _concepts_of(concepts), _shares_of(labour)
    if words is not None:
        return AskedWords(lists, held, _words(words))
    occupations = tuple(dict.fromkeys([*lists.occupations, *(held[1] if held else ())]))
    if not occupations:
        raise InvalidInput("--concepts: the file has no occupations; name words by --words FILE")
    return AskedWords(lists, held, occupations)


# --- commands -------------------------------------------------------------------------------------

_MOST = 20


@share_options(asked=read_words, order=read_order)
def bias(
    name: Name,
    asked: AskedWords,
    order: BiasOrder,
    explain: Annotated[
        str, typer.Option(metavar="WORD", help="Which words make up the bias of this one.")
    ] = "",
    most: Annotated[int, typer.Option(min=0, help="Words shown of each end; 0: all.")] = _MOST,
    csv: Annotated[
        Path | None,
        typer.Option(help="Write all words to this CSV file.", callback=in_existing_folder),
    ] = None,
    force: Force = False,
    as_json: AsJson = False,
) -> None:
    """Measure the bias of words: their tie to words for women less that to words for men.

    Above 0 a word stands nearer to words for women, below 0 to words for men [Rekabsaz et al.
    2021]. It says how these texts speak, not how people are. Words with too little support have no
    value, and are listed with the reason. The interval is a bootstrap over documents; skip-gram has
    one over models.
    """
    from monitor.cli.derive import corpus_results
    from monitor.stages.derive.corpus_bias import explain_bias, measure_corpus

    if csv is not None:
        refuse_existing(csv, force=force)
    lists, held, targets = asked
    corpus = _corpus_of(name)
    if explain:
        with steps() as told:
            parts = explain_bias(corpus, order, lists, explain, most or _MOST, told)
        corpus_results.print_parts(explain, parts, as_json=as_json)
        return
    with steps() as told:
        measured = measure_corpus(corpus, order, lists, targets, told)
    if missing := measured.biases.missing:
        note(f"concept words that {order.representation} does not know: {', '.join(missing)}")
    if csv is not None:
        corpus_results.write_biases(csv, corpus, measured, held[1] if held else {}, force=force)
    if as_json:
        corpus_results.emit_biases(name, corpus, measured, held)
    elif csv is None:
        corpus_results.print_biases(name, corpus, measured, held, most)


@share_options(asked=read_words, order=read_order)
def plot(
    name: Name,
    asked: AskedWords,
    order: BiasOrder,
    output: Annotated[
        Path | None,
        typer.Option(
            help="HTML file to write; else out/corpus-NAME.html.", callback=in_existing_folder
        ),
    ] = None,
    force: Force = False,
) -> None:
    """Write a page with the biases of words: both sides of each, and against the labour market.

    After Figures 2 and 3 of Rekabsaz et al. 2021. The unbiased area is as high as the mean
    difference over the whole vocabulary. The page needs no network and no other file.
    """
    from monitor.stages.derive.corpus_bias import measure_corpus
    from monitor.stages.reports import corpus_page

    called = Path(name).name
    goal = output or Path("out") / f"corpus-{called}.html"
    refuse_existing(goal, force=force)
    lists, held, targets = asked
    corpus = _corpus_of(name)
    with steps() as told:
        measured = measure_corpus(corpus, order, lists, targets, told, area=True)
    with new_file(goal, force=force) as file:
        file.write(corpus_page.CorpusPage(called, corpus, measured, held).write())
    err.print(f"written: {goal}", markup=False)


@share_options(
    asked=partial(read_words, labour=None),
    order=partial(read_order, draws=0, seeds=1, vectors=None, contexts=None),
)
def compare(
    name: Name,
    others: Annotated[
        list[str], typer.Argument(metavar="OTHER...", help="Corpora that it became, in order.")
    ],
    asked: AskedWords,
    order: BiasOrder,
    as_json: AsJson = False,
) -> None:
    """Say how far biases move from a corpus to the next: how sensitive a measure is to its texts.

    After Figure 4 and Table 3 of Rekabsaz et al. 2021: compare news news-half news-full, where the
    latter were built with --swapped half and full. Words that mean a gender themselves take no
    part. It is no test: for two tests of the same words see `monitor series changes`.
    """
    from monitor.cli.derive import corpus_results

    lists, _, targets = asked
    corpora = [(one, _corpus_of(one)) for one in (name, *others)]
    with steps() as told:
        compare_biases = corpus_results.compare_biases(corpora, order, lists, targets, told)
    if as_json:
        emit_json(corpus_results.comparison_facts(order, compare_biases))
    else:
        corpus_results.print_comparison(order, compare_biases)


_MIN_COUNT = 5
_DATES = ["%Y-%m-%d"]


@corpus_commands.command()
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
    seed: Seed = 0,
    output: Annotated[
        Path | None,
        typer.Option(
            help="Folder to write; else MONITOR_HOME/corpora/NAME.", callback=in_existing_folder
        ),
    ] = None,
    force: Force = False,
    as_json: AsJson = False,
) -> None:
    """Make a corpus of files, or of what engines answered: texts as numbers to measure bias in.

    Documents that repeat an earlier one are left out and counted: pages and snippets come again
    and again, and would count as often. Pairs are counted within a document, never across two.
    """
    from monitor.cli.derive import corpus_results
    from monitor.corpus.encoding import EncodingRules, folder_of
    from monitor.corpus.reading import TextForm
    from monitor.store.derive.corpora import TextFilter

    goal = output or folder_of(name, settings.load().home)
    rules = EncodingRules(tokens, min_count, most, not keep_repeats, subsample, seed)
    zone = settings.load().zone
    first, last = (day and day.replace(tzinfo=zone) for day in (since, until))
    after = last and last + timedelta(days=1)  # the same hour of the next day, whatever clocks do
    archived = TextFilter(tuple(job or ()), engine, region, first, after, block)
    given = {
        "--job": " ".join(job or ()),
        "--engine": engine,
        "--region": region,
        "--from": since and f"{since:%Y-%m-%d}",
        "--to": until and f"{until:%Y-%m-%d}",
    }
    named = [f"{option} {value}" for option, value in given.items() if value]
    form = TextForm(documents == "lines", field)
    source = corpus_results.source_of(files or [], form, archived if from_archive else None, named)
    with source as texts:
        made, repeats = corpus_results.make_corpus(texts, rules, goal, swapped, force=force)
    corpus_facts = corpus_results.corpus_facts(name, goal, made, repeats)
    if as_json:
        emit_json(corpus_facts)
    else:
        corpus_results.print_facts(corpus_facts)


@corpus_commands.command("show")
def show_corpus(
    name: Annotated[str, typer.Argument(help="A corpus of `monitor corpus list`, or a folder.")],
    as_json: AsJson = False,
) -> None:
    """Show a corpus: what it was made of, by which rules, and how large it is."""
    from monitor.cli.console import visible
    from monitor.corpus.encoding import find_corpus, read_about

    facts = read_about(find_corpus(name, settings.load().home))
    if as_json:
        emit_json(dict(facts))
        return
    for key, value in facts.items():
        say(f"{key}: {visible(value)}")


@corpus_commands.command("list")
def list_corpora(as_json: AsJson = False) -> None:
    """List the corpora in MONITOR_HOME/corpora."""
    from monitor.corpus.encoding import folder_of, installed_corpora, read_about

    home = settings.load().home
    installed = [(name, read_about(folder_of(name, home))) for name in installed_corpora(home)]
    if as_json:
        emit_json([{"name": name, **said} for name, said in installed])
        return
    if not installed:
        err.print(
            f"no corpus in {home / 'corpora'}; make one with: monitor corpus build NAME FILE...",
            markup=False,
        )
        return
    columns = ("documents", "tokens", "words")
    rows = [[name, *(f"{said[column]:,}" for column in columns)] for name, said in installed]
    out.print(table("", ("corpus", *columns), rows), markup=False)


for _command in (bias, plot, compare):
    corpus_commands.command()(_command)
