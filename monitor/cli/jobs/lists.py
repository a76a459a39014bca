"""Commands about probe lists: list, show, fetch, rate, make of pairs."""

from pathlib import Path
from typing import Annotated, Literal

import typer

from monitor import settings
from monitor.cli import names
from monitor.cli.console import AsJson, agreement_text, emit_json, err, out, say, visible
from monitor.cli.files import in_existing_folder
from monitor.cli.jobs.list_sources import pairs
from monitor.cli.names import known
from monitor.jobs import find_list, known_lists
from monitor.lists import ProbeList, load_list
from monitor.model import InvalidInput
from monitor.text.counted_nouns import several
from monitor.wikidata.occupations import FLOOR

lists_commands = typer.Typer(
    help="Probe lists: what they ask, and whether people agree.", no_args_is_help=True
)


#: The folder of job files, and how many values and items of a list are shown.
_JOBS = Path("jobs")
_SHOWN = 5


@lists_commands.command("list")
def list_lists(as_json: AsJson = False) -> None:
    """List every probe list in jobs/lists and among the shipped ones."""
    lists = [load_list(find_list(label, _JOBS)) for label in known_lists(_JOBS)]
    if as_json:
        emit_json([_facts(one) for one in lists])
        return
    for one in lists:
        say(f"{one.label}: {visible(one.title)}")
        facts = (several(len(one.items), "item"), one.source_lang, one.status, one.licence)
        say(f"    {', '.join(filter(None, facts))}")
    out.print("more about one: monitor lists show NAME@VERSION", markup=False)


@lists_commands.command("show")
def show_list(
    name: Annotated[
        str,
        typer.Argument(
            help="List with version, for example stereotypes@1; all if left out.",
            autocompletion=names.lists,
        ),
    ] = "",
    as_json: AsJson = False,
) -> None:
    """Show a probe list: what it asks, its tags with their values, and its first items."""
    if not name:
        list_lists(as_json=as_json)
        return
    one = _list(name)
    if as_json:
        items = [
            {"key": item.key, "text": item.text, "source_lang": item.source_lang, **item.tags}
            for item in one.items
        ]
        emit_json(_facts(one) | {"description": one.description, "items": items})
        return
    about = f"{several(len(one.items), 'item')}, {one.status}, licence {one.licence}"
    say(f"{one.label}: {one.title}; {about}")
    for tag in one.items[0].tags:
        values = list(dict.fromkeys(item.tags[tag] for item in one.items if item.tags.get(tag)))
        more = f" and {len(values) - _SHOWN:,} more" if len(values) > _SHOWN else ""
        listed = ", ".join(map(visible, values[:_SHOWN]))
        say(f"tag {tag}: {listed}{more}")
    for item in one.items[:_SHOWN]:
        say(f"  {visible(item.key)}: {visible(item.text)}")
    if len(one.items) > _SHOWN:
        out.print(f"  and {len(one.items) - _SHOWN:,} more")
    if one.description:
        out.print(one.description, markup=False)


def _list(name: str) -> ProbeList:
    """The list of this name in jobs/lists, or that is shipped. Raises InvalidInput."""
    known("list", name, known_lists(_JOBS))
    return load_list(find_list(name, _JOBS))


def _facts(one: ProbeList) -> dict[str, object]:
    return {
        "list": one.label,
        "items": len(one.items),
        "source_lang": one.source_lang,
        "status": one.status,
        "licence": one.licence,
        "content_hash": one.content_hash,
        "title": one.title,
    }


@lists_commands.command()
def fetch(
    name: Annotated[
        Literal["gest", "eurogest", "winomt", "mtgeneval", "gate", "professions"],
        typer.Argument(help="Which data set."),
    ],
    copies: Annotated[
        list[Path] | None,
        typer.Option(
            "--from",
            "--file",
            help="all but professions: local copy, a file or a folder, to use instead of a "
            "download; may be given more than once.",
        ),
    ] = None,
    sha256: Annotated[
        list[str] | None,
        typer.Option(
            help="eurogest, gate: expected digest of a file, FILE=DIGEST; may be given more than "
            "once."
        ),
    ] = None,
    server: Annotated[
        str,
        typer.Option(help="all but professions: mirror to ask, not the published address."),
    ] = "",
    endpoint: Annotated[
        str, typer.Option(help="professions: SPARQL service, if not MONITOR_WIKIDATA_SPARQL.")
    ] = "",
    least_sitelinks: Annotated[
        int,
        typer.Option(
            min=0, help="professions: articles on Wikimedia sites that one needs at least."
        ),
    ] = FLOOR,
) -> None:
    """Fetch published data sets and probes that are not shipped.

    gest: the GEST sentences from their public repository. Both versions, 1.0 (which the published
    figures use) and 1.1, are checked by their SHA-256 and become the lists gest@1.0 and gest@1.1
    in jobs/lists. The sentences are their authors' and no part of this program: keep to their
    licence and cite them.

    eurogest: the files of EuroGEST from Hugging Face (utter-project/EuroGEST, Apache-2.0), into
    MONITOR_HOME/datasets/eurogest. They validate how languages are read and are not asked: the
    questions in English are those of gest@1.1. The SHA-256 of each file is printed and recorded in
    SHA256SUMS at the first download; a later download with another digest is refused. A digest that
    is known beforehand can be given with --sha256. Without network, download the files elsewhere
    and name them with --from.

    winomt, mtgeneval, gate: benchmarks of named persons in translation, from their public
    repositories. Their files are put into MONITOR_HOME/datasets, for the studies of the same names,
    and become the lists winomt@1, mtgeneval@1 and gate@1 in jobs/lists. MT-GenEval is CC BY-SA 3.0:
    what is made from it stays under that licence.

    professions: the occupations of Wikidata as searches, "list of philosophers" and thousands
    more, into jobs/lists; each time the next version of professions-wikidata. Wikidata changes
    every day: the list says when it was asked. Needs MONITOR_CONTACT. If the service fails on the
    way, the list holds what came until then and says so.
    """
    folder = Path("jobs/lists")
    if name == "professions":
        from monitor.cli.jobs.list_sources import fetch_list

        if copies or server:
            raise InvalidInput(
                "--from and --server are for data sets; occupations come from a SPARQL service"
            )
        if sha256:
            raise InvalidInput("--sha256 is for data sets without pinned digests: eurogest, gate")
        fetch_list(endpoint or settings.load().wikidata_sparql, least_sitelinks, folder)
        return
    if endpoint or least_sitelinks != FLOOR:
        raise InvalidInput("--endpoint and --least-sitelinks are for professions")
    _fetch_dataset(name, copies or [], sha256 or [], server, folder)


def _fetch_dataset(
    name: str, copies: list[Path], sha256: list[str], server: str, folder: Path
) -> None:
    """Fetch a data set, or take local copies, and put it in its place."""
    from monitor.cli.jobs import dataset_files
    from monitor.datasets import DATASETS, GEST

    dataset = DATASETS[name]
    if any(file.sha256 for file in dataset.files) and sha256:
        raise InvalidInput(f"--sha256: the digests of {name} are pinned; leave it out")
    dataset_files.say_terms(dataset)
    if copies:
        contents = dataset_files.local_copies(dataset, copies)
    else:
        from monitor.fetch import downloads

        if not server and name == GEST.name:
            server = settings.load().gest_source
        contents = list(downloads.fetch_dataset(dataset, server))
    if dataset.makes_lists:
        dataset_files.write_lists(dataset, contents, folder)
    if dataset.stays or not dataset.makes_lists:
        home = settings.load().home / "datasets" / name
        dataset_files.put_files(dataset, contents, sha256, home, is_whole=not copies)


@lists_commands.command()
def rate(
    name: Annotated[str, typer.Argument(help="List with version, for example stereotypes@1.")],
    rater: Annotated[str, typer.Option(help="Who rates: initials or a code name.")],
    output: Annotated[Path, typer.Option(help="CSV file to write.", callback=in_existing_folder)],
    tag: Annotated[str, typer.Option(help="What raters guess: a tag of the list.")] = "stereotype",
    sample: Annotated[int, typer.Option(min=0, help="Rate so many items; 0 means all.")] = 0,
) -> None:
    """Write a rating sheet: the sentences in an order of the rater's own, the tags left out.

    The rater fills the column `rating` with one of the allowed values (listed in the sheet's
    companion file) and may write into `comment`. Afterwards: monitor lists agreement.
    """
    from monitor.rating import write_sheet

    probe_list = _list(name)
    written = write_sheet(probe_list, tag, rater, output, sample)
    err.print(f"{several(written, 'item')} to rate: {output}; allowed ratings: {output}.values.csv")


@lists_commands.command()
def agreement(
    sheets: Annotated[list[Path], typer.Argument(help="Filled sheets, one per rater.")],
    name: Annotated[str, typer.Option("--list", help="The list, for example stereotypes@1.")],
    tag: Annotated[str, typer.Option(help="The tag that was rated.")] = "stereotype",
    as_json: AsJson = False,
) -> None:
    """Compute how far raters agree with each other and with the list.

    Prints raw agreement, Cohen's kappa for each pair, Krippendorff's alpha over all, and the
    items on which most raters chose another value than the list.
    """
    from monitor.rating import compare_sheets

    result = compare_sheets(_list(name), tag, sheets)
    if as_json:
        emit_json(result)
        return
    out.print(f"{result['items']:,} items rated by {several(len(sheets), 'rater')}")
    for line in result["pairs"]:
        raw = agreement_text(line["agreement"], line["agreement_limits"])
        kappa = agreement_text(line["kappa"], line["kappa_limits"])
        say(f"  {line['first']} and {line['second']}: {raw} raw, kappa {kappa}, n = {line['n']:,}")
    alpha = agreement_text(result["alpha"], result["alpha_limits"])
    out.print(f"Krippendorff's alpha: {alpha}", markup=False)
    for line in result["disputed"]:
        out.print(
            f"  {line['key']}: list says {line['list']}, raters say {', '.join(line['ratings'])}",
            markup=False,
        )


lists_commands.command()(pairs)
