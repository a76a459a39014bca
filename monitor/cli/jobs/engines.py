"""Commands about the systems that can be asked: list, show, test, pause."""

import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.padding import Padding
from rich.text import Text

from monitor import plugin_summaries, registry, settings
from monitor.cli import names
from monitor.cli.console import AsJson, emit_json, out, print_facts
from monitor.cli.database import database
from monitor.cli.files import in_existing_folder
from monitor.cli.names import known
from monitor.live_record import SeenLive, say_live_tests
from monitor.model import Engine, InvalidInput, Json, Parameter, StoreProblem, primary
from monitor.plugin_summaries import EngineSummary

if TYPE_CHECKING:
    from monitor.store.database import Database


engines_commands = typer.Typer()
_recordings = typer.Typer(help="Recordings of live tests: show, replay.", no_args_is_help=True)
engines_commands.add_typer(_recordings, name="recording")


Config = Annotated[
    list[str] | None, typer.Option(help="key=value as in a job's config; may be repeated.")
]
Contact = Annotated[str, typer.Option(help="Address that the service may write to.")]
Recording = Annotated[Path, typer.Argument(help="A ZIP file of `monitor engines test`.")]
Lane = Annotated[
    str,
    typer.Argument(
        help="An engine, at whatever address, or a lane such as NAME@HOST.",
        autocompletion=names.engines,
    ),
]
#: Attributes of an engine, and of its needs, that are printed as JSON.
_OF_ENGINE = ("title", "kind", "surface", "extra", "batch", "in_flight", "pace", "repeats")
_OF_NEEDS = ("independence", "price", "limits", "notes")


def _described(engine: Engine, seen: dict[str, SeenLive]) -> dict[str, Json]:
    facts = {name: getattr(engine, name) for name in _OF_ENGINE}
    return {
        **{name: facts.pop(name) for name in ("title", "kind", "surface", "extra")},
        "secrets": list(engine.needs.secrets),
        "key_choices": [
            {**choice._asdict(), "secrets": list(choice.secrets)}
            for choice in engine.needs.key_choices
        ],
        **facts,
        **{name: getattr(engine.needs, name) for name in _OF_NEEDS},
        "seen_live": say_live_tests(engine, seen),
        "parameters": [
            {
                "name": parameter.name,
                "meaning": parameter.meaning,
                "type": parameter.kind.__name__,
                "default": parameter.default,
                "choices": list(parameter.choices),
                "required": parameter.required,
                "identity": not parameter.place,
            }
            for parameter in engine.parameters
        ],
    }


@engines_commands.command("list")
def list_engines(
    name: Annotated[
        str, typer.Argument(help="One engine, to read all about it; all of them if left out.")
    ] = "",
    as_json: AsJson = False,
) -> None:
    """List the engines: what each is, where it runs, which keys and extras it needs.

    With a name: its parameters, limits, price, and what is known to be cached or ignored.
    """
    if name:
        _show(name, as_json=as_json)
        return
    seen = _read_seen_live()
    if as_json:
        engines = registry.discover("engines")
        emit_json({key: _described(engine, seen) for key, engine in engines.items()})
        return
    for engine in plugin_summaries.list_engines():
        out.print(f"{engine.name}: {engine.title}", markup=False)
        place = f"{engine.kind}, {engine.surface}; needs {say_needs_here(engine)}"
        for words in (place, say_live_tests(engine, seen)):
            out.print(Padding(Text(words), (0, 0, 0, 4)))
    out.print("more about one: monitor engines show NAME", markup=False)


@engines_commands.command("show")
def show_engine(
    name: Annotated[str, typer.Argument(help="An engine.", autocompletion=names.engines)],
    as_json: AsJson = False,
) -> None:
    """Show an engine: what it needs, its price and limits, and the config of a job file."""
    _show(name, as_json=as_json)


def _read_seen_live() -> dict[str, SeenLive]:
    """Return the last live answers in the database; empty where none can be read."""
    chosen = settings.load()
    if not chosen.database_url and not (chosen.home / "monitor.db").exists():
        return {}
    from monitor.store.collect.run_progress import find_live_answers

    try:
        with database() as opened, opened.read() as connection:
            return find_live_answers(connection)
    except StoreProblem:
        return {}


def say_needs(
    engine: Engine | EngineSummary, mark_extra: Callable[[str], str], mark_key: Callable[[str], str]
) -> str:
    """Return browser, extra and keys of an engine; where its config decides, those of each config.

    `mark_extra` and `mark_key` write a name.
    """
    browser = ["Chromium"] if engine.needs.browser else []

    def join_names(extra: str, secrets: Sequence[str]) -> str:
        extras = [mark_extra(extra)] if extra else []
        return ", ".join([*browser, *extras, *map(mark_key, secrets)]) or "nothing"

    if not engine.needs.key_choices:
        return join_names(engine.extra, engine.needs.secrets)
    return "; or ".join(
        f"{join_names(choice.extra, choice.secrets)} ({choice.config})"
        for choice in engine.needs.key_choices
    )


def say_needs_here(engine: Engine | EngineSummary) -> str:
    """Return what an engine needs; a key that is not set here is marked."""
    return say_needs(
        engine,
        "gbmonitor[{}]".format,
        lambda key: key if os.environ.get(key) else f"{key} (not set)",
    )


def _show(name: str, *, as_json: bool) -> None:
    engine, seen = registry.engine(name), _read_seen_live()
    if as_json:
        emit_json(_described(engine, seen))
        return
    needs = engine.needs
    facts = {
        "kind, surface": f"{engine.kind}, {engine.surface}",
        "needs": say_needs_here(engine),
        "price": needs.price,
        "limits": needs.limits,
        "texts per request": f"{engine.batch} ({needs.independence})",
        "pace": f"{engine.pace:g} requests a second, {engine.in_flight} in flight",
        "asked": f"at least {engine.repeats} times a question" if engine.repeats > 1 else "once",
        "notes": needs.notes,
        "live": say_live_tests(engine, seen),
    }
    print_facts(f"{name}: {engine.title}", facts)
    if engine.parameters:
        config = {f"{one.name} ({_values(one)})": one.meaning for one in engine.parameters}
        print_facts("config of a job file:", config)


def _values(parameter: Parameter) -> str:
    allowed = " | ".join(parameter.choices) or parameter.kind.__name__
    if parameter.required:
        return f"{allowed}, required"
    return allowed if parameter.default is None else f"{allowed}, default {parameter.default}"


@engines_commands.command("test")
def ask_once(  # noqa: PLR0917 - options of a command
    name: Annotated[
        str,
        typer.Argument(help="An engine of `monitor engines list`.", autocompletion=names.engines),
    ] = "",
    every: Annotated[
        bool,
        typer.Option("--all", help="Each engine of the job files in jobs/, by their governance."),
    ] = False,
    record: Annotated[
        Path | None,
        typer.Option(
            help="Write questions and answers, redacted, to this ZIP file.",
            callback=in_existing_folder,
        ),
    ] = None,
    target: Annotated[
        str, typer.Option(help="Language to translate into.", autocompletion=names.languages)
    ] = "es",
    region: Annotated[
        str,
        typer.Option(help="Region that a search engine is asked in.", autocompletion=names.regions),
    ] = "us-en",
    source: Annotated[str, typer.Option(help="Language of the text.")] = "en",
    text: Annotated[
        str, typer.Option(help="What is asked; a sentence or a search if left out.")
    ] = "",
    config: Config = None,
    contact: Contact = "",
    as_json: AsJson = False,
) -> None:
    """Ask an engine one question and say plainly what came of it; the database stays as it is.

    With --all, each engine of the jobs is asked at most ten questions of its lists. Cost and terms
    are printed first. See docs/live.md.
    """
    if every == bool(name):
        raise InvalidInput("name one engine, or --all for those of the jobs")
    if every:
        from monitor.cli.jobs.live_test import test_jobs

        test_jobs(record, contact, as_json=as_json)
        return
    from monitor.cli.jobs.live_test import Question, ask

    asked = Question(text, source, target, region)
    ask(name, asked, config or [], contact, as_json=as_json, record_to=record)


@_recordings.command("show")
def show_recording(
    bundle: Recording,
    as_json: AsJson = False,
) -> None:
    """Show what a recording holds and what was removed from it, before it is handed on."""
    from monitor.cli.jobs.live_test import show

    show(bundle, as_json=as_json)


@_recordings.command("replay")
def replay_recording(
    bundle: Recording,
    as_json: AsJson = False,
) -> None:
    """Run the present parsers over a recording; no request leaves, no key is needed."""
    from monitor.cli.jobs.live_test import replay

    replay(bundle, as_json=as_json)


@engines_commands.command("languages")
def list_languages(
    name: Annotated[str, typer.Argument(help="A translator.", autocompletion=names.engines)],
    source: Annotated[str, typer.Option(help="Language of the questions.")] = "en",
    config: Config = None,
    contact: Contact = "",
    as_json: AsJson = False,
) -> None:
    """Ask a translator which languages it offers, and say which of them can be monitored.

    A language can be monitored when its translations show the gender of the speaker and `monitor`
    reads it. Nothing is stored.
    """
    from monitor.cli.jobs.live_test import offered_languages

    offered = offered_languages(name, source, config or [], contact)
    readable = {code: language.name for code, language in registry.discover("languages").items()}
    chosen = {tag: readable[primary(tag)] for tag in sorted(offered) if primary(tag) in readable}
    missing = sorted(set(readable) - {primary(tag) for tag in chosen} - {primary(source)})
    others = sorted(tag for tag in offered if primary(tag) not in readable)
    if as_json:
        emit_json({"readable": sorted(chosen), "not_offered": missing, "not_readable": others})
        return
    out.print(f"can be monitored: {len(chosen)}", markup=False)
    for tag, title in chosen.items():
        out.print(f"    {tag}  {title}", markup=False)
    for words, tags in (("not offered", missing), ("offered, but not readable", others)):
        if tags:
            out.print(f"{words}: {', '.join(tags)}", markup=False)


@engines_commands.command("pause")
def pause_engine(
    name: Lane,
    reason: Annotated[str, typer.Option("--reason", help="Why; shown until it is resumed.")] = "",
) -> None:
    """Ask an engine nothing more until it is resumed; runs keep their questions for it.

    It holds from the engine's next turn on, within a minute.
    """
    from monitor.cli.schedule import jobs

    with database() as opened:
        _check_lane(opened, name)
        note = "runs ask it nothing more from its next turn on, and go on when it is resumed"
        jobs.pause(opened, "engine", name, reason, note)


@engines_commands.command("resume")
def resume_engine(
    name: Lane,
    suspended: Annotated[
        bool,
        typer.Option(
            "--suspended",
            help="Also forget its suspension: it is asked before the time that it named, or that "
            "followed from its faults. For when you know that it answers again.",
        ),
    ] = False,
) -> None:
    """Ask a paused engine again; runs that wait for it go on within a minute."""
    from monitor.cli.schedule import jobs

    with database() as opened:
        _check_lane(opened, name)
        jobs.resume(opened, "engine", name, "runs that wait for it go on within a minute")
        if suspended:
            jobs.lift(opened, name)


def _check_lane(opened: "Database", name: str) -> None:
    """Raise InvalidInput for what is neither an engine nor a lane that was asked or paused."""
    from monitor.store.collect import pauses
    from monitor.store.schedule import ticks

    with opened.read() as connection:
        lanes = ticks.list_lanes(connection)
        resting = [pause.name for pause in pauses.list_pauses(connection) if pause.kind == "engine"]
    engines = registry.list_names("engines")
    if name.partition("@")[0] in engines and "@" in name:
        return  # a server that no run has asked yet
    known("engine", name, {*engines, *lanes, *resting})
