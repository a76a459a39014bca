"""Facts of plug-ins that lists and titles show, without importing them.

Importing the plug-ins of an archive, with numpy and the tables of words that they read, takes ten
times as long as a list of series. So `data/plugin_summaries.json` repeats their titles;
`python -m monitor.docs` writes it and `--check` compares it. A plug-in that is not in it is
imported.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Any, NamedTuple

from monitor import registry
from monitor.model import Engine, KeyChoice, Kind, Measure, Needs, Parameter, primary

FILE = "plugin_summaries.json"
_FOLDERS = ("engines", "entities", "languages", "measures")


class EngineSummary(NamedTuple):
    """An engine as lists and labels have it; of its needs only keys and the browser.

    Parameters have their names and defaults only; those that tell where to ask are marked.
    """

    name: str
    title: str
    kind: Kind
    surface: str
    extra: str
    needs: Needs
    label_by: str
    parameters: tuple[Parameter, ...]


class MeasureSummary(NamedTuple):
    """A measure's title, and its quantities with theirs, in the order of the measure."""

    title: str
    primaries: tuple[str, ...]
    quantities: Mapping[str, str]

    def list_tested_first(self) -> tuple[str, ...]:
        """Return all quantities, those that are tested first before the others."""
        return tuple(dict.fromkeys([*self.primaries, *self.quantities]))


def engine(name: str) -> EngineSummary:
    """Return an engine. Raises InvalidInput as `registry.engine` does."""
    registry.check_name("engines", name)
    return _summarize_engine(name)


def list_engines() -> Iterator[EngineSummary]:
    """Yield all engines in the order of their names."""
    return map(_summarize_engine, registry.list_names("engines"))


def measure(name: str, kind: Kind | None = None) -> MeasureSummary:
    """Return a measure. Raises InvalidInput as `registry.measure` does."""
    registered_name = registry.qualify_measure(name, kind)
    registry.check_name("measures", registered_name)
    return _summarize_measure(registered_name)


def list_quantities() -> dict[str, str]:
    """Return {quantity: title} of all measures."""
    return {
        quantity: title
        for name in registry.list_names("measures")
        for quantity, title in _summarize_measure(name).quantities.items()
    }


def language_name(tag: str, folders: Sequence[str] = ("languages", "entities")) -> str | None:
    """Return the name of a language in which any gender is read, a speaker's or a named person's.

    None for every other. `folders` are those of the plug-ins that are looked at.
    """
    code = primary(tag)
    for folder in folders:
        if code in registry.list_names(folder):
            return str(_read(folder, code))
    return None


def _summarize_engine(name: str) -> EngineSummary:
    content = dict(_read("engines", name))
    needs = Needs(
        secrets=tuple(content.pop("secrets")),
        key_choices=tuple(KeyChoice(*choice) for choice in content.pop("key_choices")),
        browser=content.pop("browser"),
    )
    places = content.pop("places")
    parameters = tuple(
        Parameter(key, "", default=default, place=key in places)
        for key, default in content.pop("parameters").items()
    )
    kind = Kind(content.pop("kind"))
    return EngineSummary(name, kind=kind, needs=needs, parameters=parameters, **content)


def _summarize_measure(name: str) -> MeasureSummary:
    content = _read("measures", name)
    return MeasureSummary(content["title"], tuple(content["primaries"]), content["quantities"])


def _read(folder: str, name: str) -> Any:  # noqa: ANN401 - JSON, whose form is that of _describe
    known = _read_file()[folder]
    return known[name] if name in known else _describe(folder, registry.plugin(folder, name))


@cache
def _read_file() -> dict[str, dict[str, Any]]:
    content: dict[str, dict[str, Any]] = json.loads(
        (files("monitor.data") / FILE).read_text(encoding="utf-8")
    )
    return content


def write_json() -> str:
    """Return the content of the file, made of the plug-ins."""
    content = {
        folder: {name: _describe(folder, found) for name, found in plugins.items()}
        for folder, plugins in ((folder, registry.discover(folder)) for folder in _FOLDERS)
    }
    return json.dumps(content, ensure_ascii=False, indent=1) + "\n"


def _describe(folder: str, plugin: Any) -> object:  # noqa: ANN401 - of either kind
    if folder == "engines":
        return _describe_engine(plugin)
    return _describe_measure(plugin) if folder == "measures" else plugin.name


def _describe_engine(engine: Engine) -> dict[str, object]:
    return {
        "title": engine.title,
        "kind": engine.kind,
        "surface": engine.surface,
        "extra": engine.extra,
        "secrets": engine.needs.secrets,
        "key_choices": engine.needs.key_choices,
        "browser": engine.needs.browser,
        "label_by": engine.label_by,
        "parameters": {parameter.name: parameter.default for parameter in engine.parameters},
        "places": [parameter.name for parameter in engine.parameters if parameter.place],
    }


def _describe_measure(measure: Measure) -> dict[str, object]:
    return {
        "title": measure.title,
        "primaries": list(measure.primaries),
        "quantities": {quantity.name: quantity.title for quantity in measure.quantities},
    }
