"""A job of one's own: the shipped one for translators, with other engines and languages."""

import os
import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from monitor import registry, resources
from monitor.jobs import Audit, find_list, load_audit
from monitor.jobs_tables import catch_fault
from monitor.lists import load_list
from monitor.model import Engine, InvalidInput, Json, Kind

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
_FREE_KEY, FREE_ADDRESS = ":fx", "https://api-free.deepl.com"
_HEADER = """\
# Stereotypes in machine translation (GEST, Pikuliak et al. 2023), every Monday. Written by
# `monitor init`; `monitor check` says what it still needs, `monitor plan` what a tick costs.
"""


def path_of(folder: Path, engines: Sequence[str], languages: Sequence[str], name: str) -> Path:
    """Return the path of a job that can be written into the folder of job files.

    Raises InvalidInput for what is not known, with near names, and for a file that is there.
    """
    name = name or "-".join(["gest", *(language.lower() for language in languages)])
    path = folder / f"{name}.toml"
    faults = [*_faults(engines, languages, _shipped_uses())]
    if not _NAME.fullmatch(name):
        faults.append(f"--name {name!r}: write small letters, digits and hyphens")
    if path.exists():
        faults.append(f"{path}: is there already; --name NAME writes another")
    if faults:
        raise InvalidInput("; ".join(dict.fromkeys(faults)))
    return path


def _template() -> str:
    return (resources.find_folder("jobs") / f"{_SHIPPED}.toml").read_text(encoding="utf-8")


def _shipped_uses() -> Mapping[str, Any]:
    return {use["name"]: use for use in tomllib.loads(_template())["engines"]}


def write_job(path: Path, engines: Sequence[str], languages: Sequence[str]) -> None:
    """Write a job for translators. Raises InvalidInput."""
    text = _text(_template(), _shipped_uses(), engines, languages, path)
    path.write_text(text, encoding="utf-8")
    try:
        load_audit(path)
    except InvalidInput:
        path.unlink()
        raise


def _faults(
    engines: Sequence[str], languages: Sequence[str], shipped: Mapping[str, Any]
) -> Iterator[str]:
    """Yield what cannot be: unknown names, other kinds of engines, pairs that none translates."""
    unknown = [fault for code in languages for fault in catch_fault(registry.known_language, code)]
    yield from (f"--languages: {fault}" for fault in unknown)
    for name in engines:
        faults = [*catch_fault(registry.engine, name)]
        if not faults:
            engine = registry.engine(name)
            faults = [*_engine_faults(engine, _config(name, shipped), () if unknown else languages)]
        yield from (f"--for: {fault}" for fault in faults)


def _engine_faults(
    engine: Engine, config: Mapping[str, Json], languages: Sequence[str]
) -> Iterator[str]:
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


def _config(name: str, shipped: Mapping[str, Any]) -> dict[str, Json]:
    """The config of an engine in the new job."""
    config: dict[str, Json] = {**_CONFIGS.get(name, {}), **shipped.get(name, {}).get("config", {})}
    if name == "deepl" and _is_free(os.environ.get("DEEPL_AUTH_KEY", "")):
        config["base_url"] = FREE_ADDRESS
    return config


def _text(
    template: str,
    shipped: Mapping[str, Any],
    engines: Sequence[str],
    languages: Sequence[str],
    path: Path,
) -> str:
    """The shipped job with this name, these engines and these languages."""
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
        template[retention:lists], sentences, *_tables(shipped, engines, languages), measures,
    ])  # fmt: skip


def _can_read(label: str, folder: Path, languages: Sequence[str]) -> bool:
    """Whether the cues of a list can be read in all of these languages."""
    cues = set(load_list(find_list(label, folder)).cues)
    return all(cues <= registry.known_language(code).cues for code in languages)


def _tables(
    shipped: Mapping[str, Any], engines: Sequence[str], languages: Sequence[str]
) -> Iterator[str]:
    """Yield the tables of the engines; the local control first, for the languages that it knows."""
    control = registry.engine(_CONTROL)
    known_languages = [code for code in languages if not control.check(_SOURCE, code, {})]
    if _CONTROL not in engines and known_languages:
        yield "# The control runs in this machine and never changes by itself: when its series\n"
        yield "# moves, we did.\n"
        yield _table(_CONTROL, known_languages, {"control": True})
    for name in engines:
        further = {key: shipped.get(name, {}).get(key) for key in ("daily_budget",)}
        config = _config(name, shipped)
        yield _table(name, languages, further | ({"config": config} if config else {}))


def _table(name: str, targets: Sequence[str], further: Mapping[str, Any]) -> str:
    values = {"name": name, "targets": list(targets), **further}
    lines = [f"{key} = {_toml(value)}\n" for key, value in values.items() if value is not None]
    return "".join(["[[engines]]\n", *lines, "\n"])


def _toml(value: object) -> str:
    """A value of a job file as it is written there."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, dict):
        return f"{{ {', '.join(f'{key} = {_toml(one)}' for key, one in value.items())} }}"
    if isinstance(value, list):
        return f"[{', '.join(map(_toml, value))}]"
    return f'"{value}"' if isinstance(value, str) else str(value)


# --- keys -----------------------------------------------------------------------------------------


def _is_free(key: str) -> bool:
    return key.strip().endswith(_FREE_KEY)


def key_warnings(audit: Audit) -> Iterator[str]:
    """Yield a sentence for each DeepL key of a free account that is sent to the paid address."""
    for use, engine in audit.engines:
        settled = use.fill_config(engine)
        variable, address = str(settled.get("key")), str(settled.get("base_url"))
        if engine.name != "deepl" or not _is_free(os.environ.get(variable, "")):
            continue
        if urlsplit(address).netloc != urlsplit(FREE_ADDRESS).netloc:
            yield (
                f"{variable} is the key of a free account of DeepL (it ends in {_FREE_KEY}), which "
                f'only its free address takes: config = {{ base_url = "{FREE_ADDRESS}" }}'
            )
