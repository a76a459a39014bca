"""Commands about languages, measures, sources of reference shares, and local models."""

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Literal

import typer

from monitor import plugin_summaries, registry, settings
from monitor.cli import names
from monitor.cli.console import AsJson, emit_json, err, out, print_facts, table
from monitor.cli.names import known
from monitor.cli.progress import bar
from monitor.datasets import digest_of
from monitor.model import EntityLanguage, InvalidInput, Json, Measure, Reference, primary

languages_commands = typer.Typer()
measures_commands = typer.Typer()
references_commands = typer.Typer()
models_commands = typer.Typer()


#: Attributes that are printed as JSON.
_OF_MEASURE = ("name", "title", "kind", "version", "citation", "needs_reference")
_OF_QUANTITY = ("name", "title", "neutral", "low", "high")
_OF_REFERENCE = ("name", "title", "origin", "as_of", "version")
#: The model that needs no download.
_INCLUDED = "firefox en-pt"


# --- languages ------------------------------------------------------------------------------------


@languages_commands.command("list")
def list_languages(as_json: AsJson = False) -> None:
    """List the languages: code, name, where a gender can be read from, what named persons show."""
    languages = {code: _language(code) for code in names.languages()}
    if as_json:
        emit_json(languages)
        return
    rows = [(facts["name"], code, ", ".join(facts["cues"])) for code, facts in languages.items()]
    out.print(table("", ("language", "code", "cues"), rows))
    readers: Mapping[str, EntityLanguage] = registry.discover("entities")
    persons = [(entry.name, code, entry.decides) for code, entry in readers.items()]
    title = "Persons whom the source names (cue entity): what decides"
    out.print(table(title, ("language", "code", "note"), persons))


@languages_commands.command("show")
def show_language(
    code: Annotated[str, typer.Argument(help="A code such as cs.", autocompletion=names.languages)],
    as_json: AsJson = False,
) -> None:
    """Show a language: where its gender is read from, and whether nouns for persons count.

    Of persons whom the source names: what decides.
    """
    facts = _language(primary(code))
    if as_json:
        emit_json(facts)
        return
    print_facts(f"{facts['code']}: {facts['name']}", facts, leave_out=("code", "name"))
    explain = f"try it: monitor explain TEXT --language {facts['code']}"
    if facts["version"] is not None:
        out.print(explain, markup=False)
    if facts["named persons"]:
        out.print(f"{explain} --cue entity --source SENTENCE --entity WORDS", markup=False)


def _language(code: str) -> dict[str, Any]:
    """Return the facts of a language; `version` is None where only named persons are read.

    Raises InvalidInput for a code that no plug-in has.
    """
    readers: Mapping[str, EntityLanguage] = registry.discover("entities")
    person = readers.get(code)
    if person is not None and registry.language(code) is None:
        speaker = None
    else:
        speaker = registry.known_language(code)
    cues = {cue for reader in (speaker, person) if reader for cue in reader.cues}
    return {
        "code": code,
        "name": plugin_summaries.language_name(code),
        "cues": sorted(cues),
        "counts nouns for persons": speaker.nouns if speaker else None,
        "version": speaker.version if speaker else None,
        "named persons": person.decides if person else None,
        "version for named persons": person.version if person else None,
    }


# --- measures -------------------------------------------------------------------------------------


@measures_commands.command("list")
def list_measures(as_json: AsJson = False) -> None:
    """List the measures with their quantities, by the kind of engine that they are for."""
    measures: Mapping[str, Measure] = registry.discover("measures")
    if as_json:
        emit_json({name: _measure(measure) for name, measure in measures.items()})
        return
    rows = [
        (name, measure.kind, f"{measure.title}: {', '.join(q.name for q in measure.quantities)}")
        for name, measure in measures.items()
    ]
    out.print(table("", ("measure", "for", "note"), rows))
    out.print("more about one: monitor measures show NAME", markup=False)


@measures_commands.command("show")
def show_measure(
    name: Annotated[
        str,
        typer.Argument(
            help="A measure, or a quantity such as f_s.",
            autocompletion=names.measures_and_quantities,
        ),
    ],
    as_json: AsJson = False,
) -> None:
    """Show a measure: quantities, parameters, source, what its values mean and do not mean.

    A quantity stands for the measure that has it.
    """
    measure = _measure_of(name)
    if as_json:
        emit_json(_measure(measure))
        return
    validity = measure.validity
    facts = {
        "title": measure.title,
        "for": measure.kind,
        "parameters": ", ".join(f"{key} = {value}" for key, value in measure.parameters.items()),
        "references": "needed" if measure.needs_reference else "",
        "tested first": ", ".join(measure.primaries),
        "means": validity.means,
        "does not mean": validity.does_not_mean,
        "assumes": validity.assumes,
        "possible harm": validity.harm,
        "source": measure.citation,
    }
    print_facts(measure.name, facts)
    rows = []
    for quantity in measure.quantities:
        limits = f"{quantity.low:g} to {quantity.high:g}".replace("inf", "∞")
        neutral = "none" if quantity.neutral is None else f"{quantity.neutral:g}"
        rows.append((quantity.name, limits, neutral, quantity.title))
    out.print(table("", ("quantity", "range", "neutral", "note"), rows))


def _measure_of(name: str) -> Measure:
    """The measure of this name, or that has this quantity. Raises InvalidInput."""
    if name.lower() in registry.list_names("measures"):
        measure: Measure = registry.plugin("measures", name.lower())
        return measure
    measures: Mapping[str, Measure] = registry.discover("measures")
    quantities = {
        quantity.name: (quantity, m) for m in measures.values() for quantity in m.quantities
    }
    titles = {key: quantity.title for key, (quantity, _) in quantities.items()}
    known("measure or quantity", name, [*measures, *quantities], titles)
    return quantities[name][1]


def _measure(measure: Measure) -> dict[str, Any]:
    validity = measure.validity
    return {
        **{name: getattr(measure, name) for name in _OF_MEASURE},
        "parameters": dict(measure.parameters),
        "primaries": list(measure.primaries),
        "quantities": [
            {name: getattr(quantity, name) for name in _OF_QUANTITY}
            for quantity in measure.quantities
        ],
        "validity": {name: getattr(validity, name) for name in type(validity).__slots__},
    }


# --- references -----------------------------------------------------------------------------------


@references_commands.command("list")
def list_references(as_json: AsJson = False) -> None:
    """List the sources of reference shares, and the files in jobs/references."""
    references: Mapping[str, Reference] = registry.discover("references")
    if as_json:
        emit_json({name: _reference(reference) for name, reference in references.items()})
        return
    rows = [
        (name, reference.origin, reference.as_of, reference.title)
        for name, reference in references.items()
    ]
    out.print(table("", ("reference", "from", "as of", "note"), rows))
    for path in sorted(Path("jobs/references").glob("*.csv")):
        out.print(f"csv:{path.stem}: {path}", markup=False)


@references_commands.command("show")
def show_reference(
    name: Annotated[str, typer.Argument(help="A reference.", autocompletion=names.references)],
    as_json: AsJson = False,
) -> None:
    """Show a source of reference shares: what it is, where it comes from, how a job names it."""
    known("reference", name, registry.list_names("references"))
    facts = _reference(registry.plugin("references", name))
    if as_json:
        emit_json(facts)
        return
    print_facts(name, facts, leave_out=("name",))
    written = f"{name}:NAME" if facts["origin"] == "file" else name
    out.print(f'in a job: references = ["{written}"]', markup=False)


def _reference(reference: Reference) -> dict[str, Json]:
    return {name: getattr(reference, name) for name in _OF_REFERENCE}


# --- models ---------------------------------------------------------------------------------------


@models_commands.command()
def fetch(
    source: Annotated[Literal["firefox"], typer.Argument(help="Whose models.")],  # noqa: ARG001
    pair: Annotated[str, typer.Argument(help="Languages, for example en-cs.")],
) -> None:
    """Download a translation model from Mozilla's registry and check it by its hash.

    English to Portuguese needs no download: it comes with gbmonitor[local].
    """
    from monitor.fetch.downloads import fetch_firefox

    chosen = settings.load()
    with bar("asking the registry", "size", "speed") as (drawn, task):

        def progress(name: str, size: int) -> None:
            drawn.update(task, description=name, completed=size)

        folder = fetch_firefox(pair, chosen.models, chosen.firefox_registry, progress)
    err.print(f"fetched {pair} into {folder}", markup=False)


@models_commands.command("list")
def list_models() -> None:
    """List the models that were fetched, with their size."""
    for name, path in _find_models().items():
        size = f"{sum(file.stat().st_size for file in path.iterdir()) / 1e6:.1f} MB"
        out.print(f"{name}  {size}", markup=False)
    out.print(f"{_INCLUDED}  inside gbmonitor[local]", markup=False)


def _find_models() -> dict[str, Path]:
    """Return {name: folder} of the models that were fetched."""
    folder = settings.load().models / "firefox"
    paths = sorted(path for path in folder.glob("*-*") if path.is_dir())
    return {f"firefox {path.name}": path for path in paths}


@models_commands.command("show")
def show_model(
    source: Annotated[Literal["firefox"], typer.Argument(help="Whose model.")],
    pair: Annotated[str, typer.Argument(help="Languages, for example en-cs.")],
    as_json: AsJson = False,
) -> None:
    """Show a model: its folder, and its files with their sizes in bytes and hashes."""
    name, models = f"{source} {pair}", _find_models()
    if name == _INCLUDED:
        raise InvalidInput(f"{name} is inside gbmonitor[local]: it has no files of its own")
    known("model", name, models)
    facts = {"name": name, "folder": str(models[name])} | {
        path.name: f"{path.stat().st_size:,} bytes, SHA-256 {digest_of(path.read_bytes())}"
        for path in sorted(models[name].iterdir())
    }
    if as_json:
        emit_json(facts)
    else:
        print_facts(name, facts, leave_out=("name",))
