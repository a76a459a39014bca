"""Commands that make job files and check them: init, check."""

import os
import re
import shutil
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import Annotated, Any
from urllib.parse import urlsplit

import typer

from monitor import pipeline, registry, resources, settings
from monitor.cli.console import note, say, warn
from monitor.cli.names import engines as engine_names
from monitor.cli.names import job_files, list_job_files, listed
from monitor.cli.names import languages as language_codes
from monitor.input_files import FaultyFile
from monitor.jobs import Audit, find_list, find_unfetched, load_audit, old_reviews, say_fetch
from monitor.jobs_faults import catch_fault
from monitor.lists import load_list
from monitor.model import ActionNeeded, Engine, InvalidInput, Json, Kind, StoreProblem
from monitor.text.counted_nouns import several

_SHIPPED = "gest-weekly"
#: A job for engines of other kinds to begin with.
_OTHERS = {Kind.SEARCH: "jobs/gsr-web-weekly.toml", Kind.LM: "jobs/lm-quarterly.toml"}
#: What is written where an engine needs to be told what it is, and the shipped job has none of it.
_CONFIGS: Mapping[str, Mapping[str, Json]] = {
    "apertium": {"base_url": "http://127.0.0.1:2737"},
    "chat": {"base_url": "https://api.openai.com/v1", "model": "gpt-4o-mini"},
    "libretranslate": {"base_url": "http://127.0.0.1:5000"},
}
_CONTROL = "firefox_translations"
_SOURCE = "en"  # of the sentences
_FETCHED = "gest@1.1"
_SPECIFIED = "gender-specified@1"
_NAME = re.compile(r"[a-z][a-z0-9-]*")
_FREE_KEY, _FREE_ADDRESS = ":fx", "https://api-free.deepl.com"
_HEADER = """\
# Stereotypes in machine translation (GEST, Pikuliak et al. 2023), every Monday. Written by
# `monitor init`; `monitor check` says what it still needs, `monitor plan` what a tick costs.
"""


def init(
    folder: Annotated[Path, typer.Argument(help="Folder of the audit; made if missing.")] = Path(),
    engines: Annotated[
        str,
        typer.Option(
            "--for",
            metavar="ENGINES",
            help="Also write a job for these translators, such as deepl,google_translate.",
            autocompletion=listed(engine_names),
        ),
    ] = "",
    languages: Annotated[
        str,
        typer.Option(
            metavar="CODES",
            help="--for: the languages to translate into, such as cs,pl.",
            autocompletion=listed(language_codes),
        ),
    ] = "",
    name: Annotated[str, typer.Option(help="--for: the name of the job; else gest-CODES.")] = "",
) -> None:
    """Make a folder ready: the database, and the starter jobs with their probe lists.

    Running it again brings nothing back to its start: files that are there stay as they are.

    With --for it also writes a job of your own: the sentences of GEST, asked every Monday and once
    more a day later, with a control that runs in this machine. It says which keys to set.
    """
    wanted = [word.strip() for word in engines.split(",") if word.strip()]
    targets = [word.strip() for word in languages.split(",") if word.strip()]
    if bool(wanted) != bool(targets) or (name and not wanted):
        raise InvalidInput("--for and --languages go together: --for deepl --languages cs,pl")
    if not wanted:
        _make_ready(folder)
        return
    path = _check_new(folder / "jobs", wanted, targets, name)  # refused before anything is made
    _make_ready(folder)
    _write_job(path, wanted, targets)
    moved = "" if folder.resolve() == Path.cwd() else f"cd {folder}; "
    say(f"next: {moved}monitor plan jobs/{path.name}")


def _make_ready(folder: Path) -> None:
    """Make the database, and copy the starter jobs and their lists."""
    from monitor.store import migrations
    from monitor.store.database import connect
    from monitor.work import queue

    configured = settings.load()
    if folder.exists() and not folder.is_dir():
        raise StoreProblem(f"{folder}: is a file; name a folder")
    folder.mkdir(parents=True, exist_ok=True)
    copied = _copy_missing(resources.find_folder("jobs"), folder / "jobs")
    url = configured.database_url or settings.sqlite_url(folder / "monitor.db")
    with closing(connect(url, folder / "bodies")) as opened:
        current, head = migrations.read_revisions(opened)
        if current in (None, head):
            migrations.upgrade(
                opened
            )  # of a schema that is up to date, only the views are made anew
        migrations.check_schema(opened)
        queue.ensure_queue(opened)
    made = "database ready" if current is None else "database was ready"
    note(f"{made}: {opened.place} (schema {head}); {several(copied, 'starter file')} copied")


def _copy_missing(source: Path, target: Path) -> int:
    copied = 0
    for path in sorted(source.rglob("*")):
        goal = target / path.relative_to(source)
        if path.is_file() and not goal.exists() and "__pycache__" not in path.parts:
            goal.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, goal)
            copied += 1
    return copied


# --- a job of one's own ---------------------------------------------------------------------------


def _write_job(path: Path, engines: Sequence[str], languages: Sequence[str]) -> None:
    """Write a job for translators; say what it still needs, and which keys."""
    from monitor.cli.jobs.engines import say_needs_here

    text = _make_text(path, engines, languages)
    path.write_text(text, encoding="utf-8")
    try:
        audit = load_audit(path)
    except InvalidInput:
        path.unlink()
        raise
    print_readiness(path, audit)
    for name in engines:
        say(f"{name} needs {say_needs_here(registry.engine(name))}")
    if any(use.config.get("base_url") == _FREE_ADDRESS for use in audit.job.engines):
        say(f"deepl: the key is of a free account (:fx), so the job names {_FREE_ADDRESS}")


def _check_new(folder: Path, engines: Sequence[str], languages: Sequence[str], name: str) -> Path:
    """Return the path of a job that can be written into the folder of job files.

    Raises InvalidInput for what is not known, with near names, and for a file that is there.
    """
    name = name or "-".join(["gest", *(language.lower() for language in languages)])
    path = folder / f"{name}.toml"
    faults = [*_find_faults(engines, languages)]
    if not _NAME.fullmatch(name):
        faults.append(f"--name {name!r}: write small letters, digits and hyphens")
    if path.exists():
        faults.append(f"{path}: is there already; --name NAME writes another")
    if faults:
        raise InvalidInput("; ".join(dict.fromkeys(faults)))
    return path


@cache
def _read_shipped() -> tuple[str, Mapping[str, Any]]:
    """Return the shipped job as text, and {engine: its table}."""
    text = (resources.find_folder("jobs") / f"{_SHIPPED}.toml").read_text(encoding="utf-8")
    return text, {use["name"]: use for use in tomllib.loads(text)["engines"]}


def _find_faults(engines: Sequence[str], languages: Sequence[str]) -> Iterator[str]:
    """Yield what cannot be: unknown names, other kinds of engines, pairs that none translates."""
    unknown = [fault for code in languages for fault in catch_fault(registry.known_language, code)]
    yield from (f"--languages: {fault}" for fault in unknown)
    for name in engines:
        faults = [*catch_fault(registry.engine, name)]
        if not faults:
            engine = registry.engine(name)
            faults = [*_find_engine_faults(engine, () if unknown else languages)]
        yield from (f"--for: {fault}" for fault in faults)


def _find_engine_faults(engine: Engine, languages: Sequence[str]) -> Iterator[str]:
    config = _make_config(engine.name)
    if engine.kind in _OTHERS:
        yield (
            f"{engine.name} is no translator; begin with {_OTHERS[engine.kind]}, which `monitor "
            "init` brings"
        )
        return
    lacking = [
        parameter.name
        for parameter in engine.parameters
        if parameter.required and parameter.name not in config
    ]
    if lacking:
        yield (
            f"{engine.name} has to be told its {' and '.join(lacking)}; write its table by hand: "
            f"`monitor engines show {engine.name}`"
        )
        return
    for code in languages:
        if trouble := engine.check(_SOURCE, code, config):
            yield f"{engine.name}, {code}: {trouble}"


def _make_config(name: str) -> dict[str, Json]:
    shipped = _read_shipped()[1]
    config: dict[str, Json] = {**_CONFIGS.get(name, {}), **shipped.get(name, {}).get("config", {})}
    if name == "deepl" and _is_free(os.environ.get("DEEPL_AUTH_KEY", "")):
        config["base_url"] = _FREE_ADDRESS
    return config


def _make_text(path: Path, engines: Sequence[str], languages: Sequence[str]) -> str:
    """Return the shipped job with this name, these engines and these languages."""
    template, _ = _read_shipped()
    schedule, reviews = template.index("[schedule]"), template.index("[governance.reviews]")
    retention, lists = template.index("[governance.retention]"), template.index("# The 640")
    tables = template.index("# The control"), template.index("[[measures]]")
    titles = ", ".join(registry.engine(name).title for name in engines)
    named = ", ".join(registry.known_language(code).name for code in languages)
    head = (
        f"{_HEADER}"
        f'name = "{path.stem}"\n'
        f'description = "Grammatical gender in translations into {named}: {titles}"\n\n'
    )
    dates = "".join(f"# {name} = YYYY-MM-DD\n" for name in engines)
    sentences, measures = template[lists : tables[0]], template[tables[1] :]
    if find_list(_FETCHED, path.parent).exists():
        sentences = sentences.replace('"stereotypes@1"', f'"{_FETCHED}"')
    if not _can_read(_SPECIFIED, path.parent, languages):
        sentences = sentences[: sentences.index("# Sentences in which")]
        measures = measures[: measures.rindex("[[measures]]")]
    return "".join([
        head, template[schedule:reviews], "[governance.reviews]\n", dates, "\n",
        template[retention:lists], sentences, *_make_tables(engines, languages), measures,
    ])  # fmt: skip


def _can_read(label: str, folder: Path, languages: Sequence[str]) -> bool:
    cues = set(load_list(find_list(label, folder)).cues)
    return all(cues <= registry.known_language(code).cues for code in languages)


def _make_tables(engines: Sequence[str], languages: Sequence[str]) -> Iterator[str]:
    """Yield the tables of the engines; the local control first, for the languages that it knows."""
    control = registry.engine(_CONTROL)
    known_languages = [code for code in languages if not control.check(_SOURCE, code, {})]
    if _CONTROL not in engines and known_languages:
        yield "# The control runs in this machine and never changes by itself: when its series\n"
        yield "# moves, we did.\n"
        yield _make_table(_CONTROL, known_languages, {"control": True})
    for name in engines:
        budget = _read_shipped()[1].get(name, {}).get("daily_budget")
        yield _make_table(name, languages, {"daily_budget": budget, "config": _make_config(name)})


def _make_table(name: str, targets: Sequence[str], further: Mapping[str, Any]) -> str:
    values = {"name": name, "targets": list(targets), **further}
    lines = [
        f"{key} = {_toml(value)}\n" for key, value in values.items() if value not in (None, {})
    ]
    return "".join(["[[engines]]\n", *lines, "\n"])


def _toml(value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, dict):
        return f"{{ {', '.join(f'{key} = {_toml(one)}' for key, one in value.items())} }}"
    if isinstance(value, list):
        return f"[{', '.join(map(_toml, value))}]"
    return f'"{value}"' if isinstance(value, str) else str(value)


def _is_free(key: str) -> bool:
    return key.strip().endswith(_FREE_KEY)


# --- checking -------------------------------------------------------------------------------------


def check(
    jobs: Annotated[
        list[Path] | None,
        typer.Argument(help="Job files; all of jobs/ if none is named.", autocompletion=job_files),
    ] = None,
    ready: Annotated[
        bool, typer.Option("--ready", help="Fail (exit code 5) also where a job is not ready.")
    ] = False,
    ask: Annotated[
        bool,
        typer.Option("--ask", help="Also ask each translation service which languages it offers."),
    ] = False,
) -> None:
    """Validate job files and the probe lists, engines, measures and recordings they name.

    A file is valid or not. A valid job is ready to run where nothing is missing here: keys,
    libraries, models, governance, lists to be fetched. What is missing is listed, and is no fault
    of the file: the exit code is 0, and 5 with --ready.
    """
    wanted = jobs or list_job_files()
    if not wanted:
        raise InvalidInput("no job files in jobs/; name one, or run `monitor init` first")
    n_valid = n_ready = 0
    for path in wanted:
        try:
            if _is_unfetched(path):
                n_valid += 1
                continue
            audit = _valid(path)
        except InvalidInput as error:
            words = error.lines if isinstance(error, FaultyFile) else str(error)
            note(f"✗ not valid: {words}", style="red")
        else:
            n_valid += 1
            n_ready += print_readiness(path, audit, ask=ask)
    if n_valid < len(wanted):
        faults = len(wanted) - n_valid
        raise InvalidInput(f"{faults} of {several(len(wanted), 'job file')} cannot be used")
    if ready and n_ready < n_valid:
        raise ActionNeeded(f"{n_valid - n_ready} of {several(n_valid, 'job')} not ready to run")


def _is_unfetched(path: Path) -> bool:
    """Say which lists of a job have to be fetched before it can be read whole, if there are any."""
    labels = find_unfetched(path)
    for label in labels:
        note(f"? not ready to run: {path}: no list {label!r}; {say_fetch(label)}")
    return bool(labels)


def _valid(path: Path) -> Audit:
    """Return the audit of a job file, with all that it names. Raises InvalidInput."""
    audit = load_audit(path)
    pipeline.check_lexicons(audit)
    if audit.job.is_recorded:
        from monitor.fetch.recorded import Library
        from monitor.work.recorded import list_recorded_dates

        list_recorded_dates(audit, Library(path.parent))
    return audit


def print_readiness(path: Path, audit: Audit, *, ask: bool = False) -> bool:
    """Print whether a valid job is ready to run, what is missing, and which reviews are old.

    With `ask` each service is asked once which languages it offers.
    """
    from monitor.work.outside import find_missing_to_run

    lacking = find_missing_to_run(audit)
    if ask:
        from monitor.work.outside import missing_targets

        lacking = [*lacking, *missing_targets(audit)]
    state = "✗ not ready to run" if lacking else "✓ ready to run"
    items = sum(len(probe_list.items) for probe_list in audit.lists)
    corpus = audit.job.corpus
    reads = f"; asks nobody, reads {', '.join(corpus.jobs)}" if corpus else ""
    content = f"{audit.job.name}, {several(items, 'item')}{reads}"
    say(f"✓ valid, {state}: {path}: {content}")
    lines = [f"to run it: {part}" for part in lacking]
    old = old_reviews(audit.job, datetime.now(UTC).date())
    for line in (*lines, *old, *_list_key_warnings(audit)):
        warn(f"  {line}")
    return not lacking


def _list_key_warnings(audit: Audit) -> Iterator[str]:
    """Yield a sentence for each DeepL key of a free account that is sent to the paid address."""
    for use, engine in audit.engines:
        settled = use.fill_config(engine)
        variable, address = str(settled.get("key")), str(settled.get("base_url"))
        if engine.name != "deepl" or not _is_free(os.environ.get(variable, "")):
            continue
        if urlsplit(address).netloc != urlsplit(_FREE_ADDRESS).netloc:
            yield (
                f"{variable} is the key of a free account of DeepL (it ends in {_FREE_KEY}), which "
                f'only its free address takes: config = {{ base_url = "{_FREE_ADDRESS}" }}'
            )
