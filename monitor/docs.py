"""Writes generated tables of README.md, docs/ and data/: `python -m monitor.docs [--check]`.

What a table says comes from the code, so it cannot drift: plug-ins from the registry, views from
their comment headers, settings from their fields, commands from the program itself.
"""

import csv
import re
import sys
from collections.abc import Callable, Iterable
from pathlib import Path

import typer

from monitor import plugin_summaries, registry
from monitor.cli import app
from monitor.cli.jobs.engines import say_needs
from monitor.live_record import say_live_tests
from monitor.model import Parameter
from monitor.settings import Secret, list_settings
from monitor.stages.document.notation import capitalize_first
from monitor.stats.intervals import wilson
from monitor.store.migrations import read_view_files
from monitor.store.publish.data_dictionary import View
from monitor.store.publish.data_dictionary import read_questions as worked
from monitor.store.publish.data_dictionary import read_views as known_views

ROOT = Path(__file__).parent.parent

_MARK = re.compile(r"(<!-- generated:(\w+) -->\n).*?(<!-- /generated -->)", re.DOTALL)


def _make_table(header: Iterable[str], rows: Iterable[Iterable[object]]) -> str:
    lines = [list(header)]
    lines += [[str(cell).replace("|", "\\|") for cell in row] for row in rows]
    lines.insert(1, ["---"] * len(lines[0]))
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def engines() -> str:
    """Every engine with what it needs."""
    rows = []
    for name, engine in registry.discover("engines").items():
        needs = engine.needs
        kind_and_surface = f"{engine.kind}, {engine.surface}"
        rows.append(
            (
                f"`{name}`",
                engine.title,
                kind_and_surface,
                say_needs(engine, "`[{}]`".format, "`{}`".format),
                needs.price,
                say_live_tests(engine),
            )
        )
    header = ("engine", "what it is", "kind, surface", "extra and keys it needs", "price", "live")
    return _make_table(header, rows)


def engine_details() -> str:
    """Every engine with its limits, notes and the keys of its config."""
    parts = []
    for name, engine in registry.discover("engines").items():
        needs = engine.needs
        facts = {
            "limits": needs.limits,
            "texts per request": f"{engine.batch} ({needs.independence})",
            "pace": f"{engine.pace:g} requests a second unless the job says otherwise",
            "notes": needs.notes,
        }
        lines = "".join(f"- {key}: {text}\n" for key, text in facts.items() if text)
        parts.append(f"### `{name}`: {engine.title}\n\n{lines}")
        rows = [
            (f"`{p.name}`", p.meaning, _format_value(p), "no" if p.place else "yes")
            for p in engine.parameters
        ]
        if rows:
            parts.append(_make_table(("config", "meaning", "value", "part of its identity"), rows))
    return "\n".join(parts)


def _format_value(parameter: Parameter) -> str:
    allowed = ", ".join(f"`{choice}`" for choice in parameter.choices) or parameter.kind.__name__
    if parameter.required:
        return f"{allowed}; required"
    default = str(parameter.default).replace("\n", " ")
    return allowed if parameter.default is None else f"{allowed}; default `{default}`"


def languages() -> str:
    """Every language whose grammatical gender can be read."""
    shares = _shares_read_right()
    rows = (
        (f"`{code}`", language.name, ", ".join(sorted(language.cues)), language.version,
         *shares.get(code, ("–", "–")))
        for code, language in registry.discover("languages").items()
    )  # fmt: skip
    titles = ("code", "language", "cues", "version", "masculine read right", "feminine read right")
    return _make_table(titles, rows)


def named_persons() -> str:
    """Every language in which the gender of a person named in the source is read."""
    rows = (
        (f"`{code}`", reader.name, reader.decides, reader.version)
        for code, reader in registry.discover("entities").items()
    )
    return _make_table(("code", "language", "what decides", "version"), rows)


def _shares_read_right() -> dict[str, tuple[str, str]]:
    """Return {language: shares of masculine and feminine texts read right} of the validation page.

    They are those of its table of languages; a language without pairs of texts has none.
    """
    page = (ROOT / "docs" / "validation.md").read_text(encoding="utf-8")
    section = page.partition("\n## languages\n")[2].partition("\n## ")[0]
    shares = {}
    for line in section.splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if line.startswith("| `"):
            shares[cells[0].strip("`")] = cells[4], cells[5]
    return shares


def measures() -> str:
    """Every measure with its quantities."""
    rows = []
    for name, measure in registry.discover("measures").items():
        title = f"`{measure.name}`" + (f" ({measure.kind})" if name != measure.name else "")
        for quantity in measure.quantities:
            neutral = "none" if quantity.neutral is None else f"{quantity.neutral:g}"
            bounds = f"{quantity.low:g} to {quantity.high:g}".replace("inf", "∞")
            rows.append((title, f"`{quantity.name}`", quantity.title, bounds, neutral))
    return _make_table(("measure", "quantity", "meaning", "range", "neutral"), rows)


def views() -> str:
    """Every SQL view with its grain and a link to its columns."""
    rows = []
    for name, text in read_view_files().items():
        comment = " ".join(re.findall(r"^-- ?(.*)$", text, re.MULTILINE))
        match = re.match(r"\w+: (.*?) Grain: (.*?\.)(?: |$)", comment)
        if not match:
            raise ValueError(f"view {name}: its comment needs `name: meaning. Grain: ...`")
        rows.append((f"[`{name}`](#{name})", match[1], match[2].removeprefix("one row per ")))
    return _make_table(("view", "what it shows", "one row per"), rows)


def dictionary() -> str:
    """Every view with the meaning, type and unit of each column."""
    return "\n".join(map(_view_details, known_views().values()))


def _view_details(view: View) -> str:
    rows = [
        (
            f"`{column.name}`",
            column.type + (", or NULL" if column.null else ""),
            column.meaning,
            column.unit,
        )
        for column in view.columns
    ]
    table = _make_table(("column", "type", "meaning", "unit"), rows)
    about = f"{capitalize_first(view.meaning)} One row per {view.grain} {view.notes}"
    return f"### `{view.name}`\n\n{about.strip()}\n\n{table}"


def questions() -> str:
    """Every worked question with its SQL."""
    return "\n".join(
        f"### {number}. {question.question}\n\n{question.answer}\n\n```sql\n{question.sql}\n```\n"
        for number, question in enumerate(worked(), start=1)
    )


_LABELS = {"masculine": "M", "feminine": "F", "none": "N", "mixed": "X", "both": "B"}


def accuracy() -> str:
    """Precision and recall on the labelled sentences of each language, by split."""
    rows = []
    for path in sorted((ROOT / "tests" / "languages" / "data").glob("*.csv")):
        language = registry.known_language(path.stem)
        with path.open(encoding="utf-8", newline="") as handle:
            labelled = list(csv.DictReader(handle))
        for split in sorted({row["split"] for row in labelled}):
            pairs = [
                (row["label"], _LABELS.get(language.signal(row["text"]).cls, "?"))
                for row in labelled
                if row["split"] == split
            ]
            classes = ("M", "F", "MF")
            rows += [_accuracy_row(language.name, split, label, pairs) for label in classes]
    header = ("language", "half", "class", "labelled", "precision", "recall", "M for F, F for M")
    return _make_table(header, rows)


def _accuracy_row(
    language: str, split: str, label: str, pairs: list[tuple[str, str]]
) -> tuple[object, ...]:
    given_pairs = [(true, read_label) for true, read_label in pairs if read_label in label]
    labelled_pairs = [(true, read_label) for true, read_label in pairs if true in label]
    right = sum(true == read_label for true, read_label in given_pairs)
    swapped = sum(true != read_label for true, read_label in given_pairs if true in "MF")

    def ratio(n: int) -> str:
        limits = wilson(right, n)
        return f"{right / n:.3f} [{limits.low:.3f}, {limits.high:.3f}] ({right}/{n})"

    name = {"MF": "pooled"}.get(label, label)
    return (
        language,
        split,
        name,
        len(labelled_pairs),
        ratio(len(given_pairs)),
        ratio(len(labelled_pairs)),
        swapped,
    )


def settings() -> str:
    """Every environment variable."""
    rows = (
        (
            f"`MONITOR_{setting.name.upper()}`",
            "" if setting.default in ("", Secret()) else f"`{setting.default}`",
            setting.metadata["description"],
        )
        for setting in list_settings()
    )
    return _make_table(("variable", "default", "meaning"), rows)


def commands() -> str:
    """The help of every command, as the program prints it."""
    root = typer.main.get_command(app)
    parts: list[str] = []

    def visit(command: object, path: str) -> None:
        summary = (getattr(command, "help", "") or "").strip()
        parts.append(f"### `{path}`\n\n{summary}\n")
        children = getattr(command, "commands", {})
        options = [p for p in getattr(command, "params", []) if getattr(p, "help", None)]
        if options:
            rows = ((f"`{_spell_option(option)}`", option.help) for option in options)
            parts.append(_make_table(("argument", "meaning"), rows))
        for name, child in children.items():
            visit(child, f"{path} {name}")

    for name, child in root.commands.items():  # type: ignore[attr-defined]
        visit(child, f"monitor {name}")
    return "\n".join(parts) + "\n"


def _spell_option(option: object) -> str:
    names = getattr(option, "opts", [])
    is_argument = getattr(option, "param_type_name", "") == "argument"
    return str(names[0]).upper() if is_argument else " ".join(names)


TABLES: dict[str, Callable[[], str]] = {
    function.__name__: function
    for function in (
        engines,
        engine_details,
        languages,
        named_persons,
        measures,
        views,
        dictionary,
        questions,
        accuracy,
        settings,
        commands,
    )
}


def refresh_text(text: str) -> str:
    """The text with the content between its marks made anew."""
    return _MARK.sub(lambda m: f"{m[1]}\n{TABLES[m[2]]()}\n{m[3]}", text)


def main(arguments: list[str], root: Path = ROOT) -> int:
    """Write the tables, or with --check say which files are out of date (exit code 1)."""
    stale = []
    paths = [root / "README.md", *sorted((root / "docs").glob("*.md"))]
    paths += (root / "monitor" / "data").glob(plugin_summaries.FILE)
    for path in paths:
        text = path.read_text(encoding="utf-8")
        fresh = refresh_text(text) if path.suffix == ".md" else plugin_summaries.write_json()
        if fresh != text:
            stale.append(path.relative_to(root))
            if "--check" not in arguments:
                path.write_text(fresh, encoding="utf-8")
    for name in stale:
        verb = "out of date; run: make docs" if "--check" in arguments else "written"
        sys.stdout.write(f"{name}: {verb}\n")
    return 1 if stale and "--check" in arguments else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
