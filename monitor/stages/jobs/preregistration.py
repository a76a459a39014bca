"""Compare a job with what it declared before its first tick.

Only changes that a job declared and asked as declared are confirmatory.

In goes a job as it was stored, out come {part: {option: value}} with defaults filled in, so that a
default that somebody writes down is no difference. Two jobs are compared by `job_differences`.

In go two jobs, or the hashes of the parts of one, out come sentences such as `list gest: version 1
-> 2`, those that bear on a number apart from those that cannot. Pure.

In go a job and the runs that a number rests on, out comes why it is exploratory, or that it is not.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from copy import deepcopy
from dataclasses import asdict, dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Any, TypeGuard, cast

from pydantic import BaseModel, ValidationError

from monitor import registry
from monitor.change import ChangeKind, Role
from monitor.jobs import EngineUse, Job, LanguageUse, ListUse, MeasureUse
from monitor.jobs_tables import Confirm, Noise, Preregistration, ReportSchedule, Schedule
from monitor.model import Json, Kind, MonitorError, RunKind, canonical_json, digest
from monitor.store.changes.findings import ListedChange
from monitor.store.database import Connection
from monitor.store.jobs import declarations
from monitor.store.jobs.declarations import Registration, RunInputs
from monitor.store.reports import weekly_report

# --- parts of a job -------------------------------------------------------------------------------

Options = dict[str, Any]
Parts = dict[str, Options]

#: What stands for the content of a file, list or region that is not stored.
UNKNOWN = None
CONTENT = "content"
#: The part that is the order of lists and measures, among hashes.
ORDER = "order"

_DECLARATION = ("primaries", "targets", "alpha", "smallest_effect", "stop_rule")
_JOB = ("repeats", "tries", "synchronised", "label_days", "reference_days")
_TEXTS = ("description", "contact")
#: How fast an engine is asked, who owns it and what it is called: not what it is asked.
_PACE = ("pace", "in_flight", "own", "title")
_AT = "the config's "


def list_bearing(made: RunInputs) -> Parts:
    """All that bears on a number: what is asked, of whom, when, how often, and what is computed."""
    content = made.content
    parts: Parts = {"job": {name: _of(Job, content, name) for name in _JOB}}
    parts |= _numbered(_list_lists(made))
    parts |= _numbered(
        (f"engine {label}", own_value) for label, own_value, _ in _list_engines(content)
    )
    parts |= _numbered(_list_measures(content))
    for name, use in (content.get("languages") or {}).items():
        parts[f"language {name}"] = _filled(LanguageUse, use)
    parts |= {f"reference file {path}": {CONTENT: made.references.get(path, UNKNOWN)}
              for path in _reference_files(content)}  # fmt: skip
    regions = {name for use in content.get("engines", ()) for name in use.get("regions", ())}
    parts |= {f"region {name}": {CONTENT: made.regions.get(name, UNKNOWN)}
              for name in sorted(regions)}  # fmt: skip
    models: dict[str, type[BaseModel]] = {"schedule": Schedule, "noise": Noise, "confirm": Confirm}
    for name, model in models.items():
        if content.get(name) is not None:
            parts[name] = _filled(model, content[name])
    return parts | _first(content)


def list_aside(made: RunInputs) -> Parts:
    """The rest of a job: no number can be another one by it."""
    content = made.content
    parts: Parts = {"job": {name: content.get(name) or "" for name in _TEXTS}}
    parts |= _numbered((f"engine {label}", rest) for label, _, rest in _list_engines(content))
    if content.get("report") is not None:
        parts["report"] = _filled(ReportSchedule, content["report"])
    if content.get("governance") is not None:
        parts["governance"] = dict(content["governance"])
    table = content.get("preregistration")
    if table is not None:
        parts["preregistration"] = {
            name: table.get(name) for name in Preregistration.model_fields
            if name not in _DECLARATION
        }  # fmt: skip
    return parts


def hash_parts(made: RunInputs) -> dict[str, str]:
    """{part: hash} of all that bears on a number, as a declaration holds them."""
    parts = {part: digest(options) for part, options in sorted(list_bearing(made).items())}
    return parts | {ORDER: digest(list_order(made.content))}


def list_order(content: Mapping[str, Any]) -> dict[str, list[str]]:
    """Lists and measures in their order: of each family the first four series are tested first."""
    return {
        "lists": [str(use.get("name", "")).partition("@")[0] for use in content.get("lists", ())],
        "measures": list(_numbered(_list_measures(content))),
    }


def _first(content: Mapping[str, Any]) -> Parts:
    """Return what is tested first, as the job says it.

    `families` says nothing beside a declaration.
    """
    table = content.get("preregistration")
    if table is not None:
        filled = _filled(Preregistration, table)
        return {"preregistration": {name: filled.get(name) for name in _DECLARATION}}
    families = content.get("families")
    return {"families": dict(families)} if families is not None else {}


def _numbered(some: Iterator[tuple[str, Options]]) -> Parts:
    """Parts by their names; a second one of a name is `NAME (2)`."""
    parts: Parts = {}
    for name, options in some:
        text, number = name, 1
        while text in parts:
            number += 1
            text = f"{name} ({number})"
        parts[text] = options
    return parts


def _make_default(model: type[BaseModel], name: str) -> Any:  # noqa: ANN401 - whatever a field holds
    field = model.model_fields[name]
    if field.is_required():
        return None
    if field.default_factory is None:
        return deepcopy(field.default)
    # not by `get_default`: to look at the signature of `dict` it copies the names of all modules
    return cast("Callable[[], Json]", field.default_factory)()


def _of(model: type[BaseModel], table: Mapping[str, Any], name: str) -> Any:  # noqa: ANN401
    return table[name] if name in table else _make_default(model, name)


def _filled(model: type[BaseModel], table: Mapping[str, Any]) -> Options:
    """A table with the defaults of what it leaves out."""
    return {name: _make_default(model, name) for name in model.model_fields} | dict(table)


def _list_lists(made: RunInputs) -> Iterator[tuple[str, Options]]:
    for use in made.content.get("lists", ()):
        filled = _filled(ListUse, use)
        label = str(filled.pop("name"))
        name, _, version = label.partition("@")
        hashed = made.lists.get(label, UNKNOWN)
        yield f"list {name}", {"version": version, CONTENT: hashed} | filled


def _list_engines(content: Mapping[str, Any]) -> Iterator[tuple[str, Options, Options]]:
    """(label, what bears on a number, the rest) of each use of an engine."""
    for use in content.get("engines", ()):
        filled = _filled(EngineUse, use)
        rest = {name: filled.pop(name) for name in _PACE}
        config = dict(filled.pop("config") or {})
        label = str(filled.pop("name", ""))
        try:
            engine_use = EngineUse.model_validate(use)
            plugin = registry.engine(engine_use.name)
            label, settled = engine_use.label(plugin), engine_use.identity
            filled["repeats"] = engine_use.count_repeats(plugin, int(content.get("repeats", 1)))
        except (ValidationError, MonitorError):  # of another version of this program
            settled = config
        # where a file is, or which variable holds a key: by its name, never by its value
        rest |= {f"{_AT}{name}": digest(v) for name, v in config.items() if name not in settled}
        yield label, filled | {f"{_AT}{name}": value for name, value in settled.items()}, rest


def _list_measures(content: Mapping[str, Any]) -> Iterator[tuple[str, Options]]:
    kinds = _list_kinds(content)
    for use in content.get("measures", ()):
        own_value = {name: _make_default(MeasureUse, name) for name in MeasureUse.model_fields}
        table = own_value | _map_parameters(use, kinds) | dict(use)
        yield f"measure {table.pop('name', '')}", table


def _list_kinds(content: Mapping[str, Any]) -> list[Kind]:
    result = set()
    for use in content.get("engines", ()):
        try:
            result.add(registry.engine(str(use.get("name", ""))).kind)
        except MonitorError:
            continue
    return sorted(result)


def _map_parameters(use: Mapping[str, Any], kinds: list[Kind]) -> dict[str, Json]:
    """Return what a measure takes where the job says nothing."""
    try:
        all_kinds = [Kind(use["kind"])] if use.get("kind") else kinds
        offered = [registry.measure(str(use.get("name", "")), kind) for kind in all_kinds]
    except (MonitorError, ValueError):
        return {}
    parameters: dict[str, Json] = {}
    for measure in offered:
        if measure.kind in all_kinds:
            parameters |= measure.parameters
    return parameters


def _reference_files(content: Mapping[str, Any]) -> list[str]:
    names = {str(name) for use in content.get("measures", ()) for name in use.get("references", ())}
    return sorted(f"references/{file}.csv" for name in names if (file := name.partition(":")[2]))


# --- differences between two versions -------------------------------------------------------------

#: Characters of a value that is said; longer ones are said to be another one.
_LONGEST = 40
_MOST = 12
NOT_STORED = (
    "the job: another one; which of its parts differ is not known, because its files were not "
    "stored with the declaration"
)
NO_HASH = "the job: what was to be asked is not in the declaration"


@dataclass(frozen=True, slots=True)
class Differences:
    """Differences that bear on a number, and those that do not."""

    bearing: tuple[str, ...] = ()
    aside: tuple[str, ...] = ()


def since_declared(
    known: Registration, source: Mapping[str, Any] | None, made: RunInputs
) -> Differences:
    """Return what is different in a job since it was declared.

    `source` is the content of the job that was declared, as far as that is stored. Without it,
    parts are compared by their hashes, and can be named but not shown; where the declaration has
    none of these either, only the same job as a whole is as declared.
    """
    content = known.content
    if "job_hash" not in content:
        return Differences((NO_HASH,))
    if digest(made.content) == content["job_hash"]:
        source = made.content
    if source is not None:
        before = RunInputs(
            source, content.get("lists", {}), content.get("references", {}),
            content.get("regions", {}),
        )  # fmt: skip
        return compare_versions(before, made)
    if "parts" in content:
        return Differences(tuple(_by_hash(content["parts"], made)))
    return Differences((NOT_STORED,))


def compare_versions(before: RunInputs, after: RunInputs) -> Differences:
    """Return what is different between two jobs."""
    text = _said(list_bearing(before), list_bearing(after), _bearing)
    rest = _said(list_aside(before), list_aside(after), _aside)
    return Differences(
        (*text, *_order(list_order(before.content), list_order(after.content))),
        tuple(rest),
    )


def _by_hash(parts: Mapping[str, str], made: RunInputs) -> list[str]:
    now = hash_parts(made)
    all_names = [name for name in _list_names(parts, now) if parts.get(name) != now.get(name)]
    if any(name.startswith(("list ", "measure ")) for name in all_names):
        all_names = [name for name in all_names if name != ORDER]  # goes without saying
    return [
        _say_line(_lone(name, is_new=name not in parts))
        if (name in parts) != (name in now)
        else _say_line(name, "another one than declared")
        for name in all_names
    ]


def _said(
    before: Parts, after: Parts, differ: Callable[[str, Options, Options], list[str]]
) -> list[str]:
    rows = []
    for name in _list_names(before, after):
        if name in before and name in after:
            rows += [_say_line(name, item) for item in differ(name, before[name], after[name])]
        elif differ is _bearing or not name.startswith(("engine ", "preregistration")):
            rows.append(_say_line(_lone(name, is_new=name in after)))
    return rows


def _say_line(*parts: str) -> str:
    """One line that no terminal obeys: names of engines may hold what a job sets."""
    line = ": ".join(parts)
    return "".join(item if item.isprintable() else f"\\u{ord(item):04x}" for item in line)


_GONE = {
    "list": "not asked any more", "engine": "not asked any more", "region": "not asked any more",
    "measure": "not computed any more", "reference": "not read any more",
}  # fmt: skip


def _lone(name: str, *, is_new: bool) -> str:
    """Return what stands on one side alone."""
    gone = _GONE.get(name.partition(" ")[0], "taken out")
    return f"{name}: {'new' if is_new else gone}"


def _bearing(name: str, before: Options, after: Options) -> list[str]:
    kind = name.partition(" ")[0]
    has_version = "version" in before and before["version"] != after.get("version")
    rows = []
    for option in _list_names(before, after):
        old, new = before.get(option), after.get(option)
        if option == CONTENT:
            if has_version and new is not None:  # another version says it
                continue
            rows += _content(old, new)
        elif old != new:
            text = option if kind in ("list", "engine", "schedule") else f"option {option}"
            rows.append(_say_change(text, old, new))
    return rows


def _content(old: str | None, new: str | None) -> list[str]:
    """Of a list, a file or a region: unknown is never the same."""
    if old is None or new is None:
        where = "with the declaration" if old is None else "with the run"
        return [f"cannot be compared, because its content is not stored {where}"]
    return [] if old == new else ["other content"]


def _aside(_name: str, before: Options, after: Options) -> list[str]:
    """Texts, and how fast is asked; what a config says of places is named alone."""
    return [
        f"{option} is another" if option.startswith(_AT) else _say_change(option, old, new)
        for option in _list_names(before, after)
        if (old := before.get(option)) != (new := after.get(option))
    ]


def _list_names(before: Mapping[str, object], after: Mapping[str, object]) -> list[str]:
    return [*before, *(name for name in after if name not in before)]


def _say_change(option: str, old: object, new: object) -> str:
    """`floor 20 -> 30`; of lists what was taken out and what is new."""
    if _are_names(old) and _are_names(new):
        return f"{option} {_say_names(old, new)}"
    before, after = _short(old), _short(new)
    if before is None or after is None:
        return f"{option}: another one"
    return f"{option} {before} -> {after}"


def _are_names(value: object) -> TypeGuard[Sequence[str]]:
    return isinstance(value, list | tuple) and all(isinstance(item, str) for item in value)


def _say_names(old: Sequence[str], new: Sequence[str]) -> str:
    without = [item for item in old if item not in new]
    more = [item for item in new if item not in old]
    if not without and not more:
        return "in another order"
    lines = [("without", without), ("with", more)]
    return " and ".join(f"{word} {_some(names)}" for word, names in lines if names)


def _some(names: Sequence[str]) -> str:
    rest = f" and {len(names) - _MOST:,} more" if len(names) > _MOST else ""
    return ", ".join(_cut(name) for name in names[:_MOST]) + rest


def _cut(text: str) -> str:
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"


def _short(value: object) -> str | None:
    """A value as it is said; None for one that is too long or cannot be shown."""
    if value is None or value in ("", [], {}):
        return "none"
    text = value if isinstance(value, str) else canonical_json(value)
    return text if len(text) <= _LONGEST and text.isprintable() else None


def _order(before: Mapping[str, list[str]], after: Mapping[str, list[str]]) -> list[str]:
    """Return where what is in both stands in another order."""
    rows = []
    for name, old in before.items():
        new = after[name]
        common = [item for item in old if item in new]
        if common != [item for item in new if item in common]:
            rows.append(f"{name}: in another order")
    return rows


# --- declarations ---------------------------------------------------------------------------------


class Because(StrEnum):
    """Reasons for which a number is exploratory."""

    NOTHING_DECLARED = "nothing_declared"
    LATE = "late"  # declared after the first tick was begun
    LOOKED_BACK = "looked_back"  # found in retrospect over the whole series
    WITNESS = "witness"  # of a control, which is never tested
    NOT_DECLARED = "not_declared"  # of another quantity, target or part than declared
    OVER = "over"  # after the last tick that was declared
    NOT_AS_DECLARED = "not_as_declared"  # a run behind it was asked something else


#: Why a number is exploratory, in words.
EXPLORATORY = {
    Because.NOTHING_DECLARED: "not registered before the data",
    Because.LATE: "registered after the first run",
    Because.LOOKED_BACK: "found in retrospect",
    Because.WITNESS: "a control, which is never tested",
    Because.NOT_DECLARED: "not among what was registered",
    Because.OVER: "after the period that was registered",
    Because.NOT_AS_DECLARED: "not asked as registered",
}


@dataclass(frozen=True, slots=True)
class Departure:
    """A run that was not asked as declared, with what differs."""

    run_id: int
    kind: RunKind
    due_at: datetime
    differences: tuple[str, ...]

    def row(self) -> dict[str, Any]:
        """For programs."""
        return asdict(self) | {"differences": list(self.differences)}


@dataclass(frozen=True, slots=True)
class DepartureStretch:
    """Ticks of a job that follow each other and were not asked as declared."""

    since: datetime
    last: datetime
    n_ticks: int
    differences: tuple[str, ...]
    back_at: datetime | None  # the tick after it, which was asked as declared again

    def row(self) -> dict[str, Any]:
        """For programs."""
        return asdict(self) | {"differences": list(self.differences)}


@dataclass(frozen=True, slots=True)
class Declaration:
    """Declaration of a job that counts, and the runs that departed from it."""

    registered: Registration | None = None
    begun_at: datetime | None = None  # of the first scheduled run
    departures: Mapping[int, Departure] = field(default_factory=dict)  # by run
    stretches: Sequence[DepartureStretch] = ()

    @property
    def declared(self) -> Mapping[str, Any]:
        """The table as it was declared; empty where nothing was."""
        result: Mapping[str, Any] = (
            self.registered.content.get("declared", {}) if self.registered else {}
        )
        return result

    @property
    def is_before_first_tick(self) -> bool:
        """Return whether it was written down before the first tick was begun."""
        if self.registered is None:
            return False
        return self.begun_at is None or self.registered.registered_at < self.begun_at

    def behind(self, runs: Iterable[int]) -> list[Departure]:
        """The runs among these that were not asked as declared."""
        return [self.departures[run] for run in dict.fromkeys(runs) if run in self.departures]


@dataclass(frozen=True, slots=True)
class DeclarationSubject:
    """A point or a change, as far as it matters whether it was declared."""

    quantity: str
    target: str
    scope: str
    role: str
    kind: str
    tick: int  # the number of its due tick, counted from 1
    runs: tuple[int, ...]  # all that it rests on


def of_job(connection: Connection, job: str, until: datetime | None = None) -> Declaration:
    """Return what was declared of a job, held against its runs up to a time."""
    registered = declarations.find_registration(connection, job)
    if registered is None:
        return Declaration()
    first = declarations.find_first_runs(connection, job).get(RunKind.SCHEDULED)
    runs = declarations.list_runs(connection, job, until)
    departures = _read_departures(connection, registered, runs)
    return Declaration(
        registered, first.created_at if first else None, departures,
        _list_stretches([run for run in runs if run.kind is RunKind.SCHEDULED], departures),
    )  # fmt: skip


def source_of(connection: Connection, registered: Registration) -> Mapping[str, Any] | None:
    """The content of the job that was declared; None where it is not stored."""
    hashed = registered.content.get("job_hash", "")
    return declarations.find_content(connection, registered.job, hashed)


def _read_departures(
    connection: Connection, registered: Registration, runs: Sequence[declarations.RecordedRun]
) -> dict[int, Departure]:
    """{run: what differs}; runs that were made of the same are compared once."""
    source = source_of(connection, registered)
    stored: dict[tuple[object, ...], tuple[str, ...]] = {}
    for run in runs:
        if run.likeness not in stored:
            inputs = declarations.read_inputs(connection, run)
            stored[run.likeness] = since_declared(registered, source, inputs).bearing
    return {
        run.run_id: Departure(run.run_id, run.kind, run.due_at, differences)
        for run in runs
        if (differences := stored[run.likeness])
    }


def _list_stretches(
    ticks: Sequence[declarations.RecordedRun], departures: Mapping[int, Departure]
) -> list[DepartureStretch]:
    stretches: list[DepartureStretch] = []
    all_departures: list[Departure] = []
    for tick in ticks:
        if tick.run_id in departures:
            all_departures.append(departures[tick.run_id])
        elif all_departures:
            stretches.append(_make_stretch(all_departures, tick.due_at))
            all_departures = []
    return [*stretches, _make_stretch(all_departures, None)] if all_departures else stretches


def _make_stretch(some: Sequence[Departure], back_at: datetime | None) -> DepartureStretch:
    named_differences = tuple(
        dict.fromkeys(name for departure in some for name in departure.differences)
    )
    return DepartureStretch(some[0].due_at, some[-1].due_at, len(some), named_differences, back_at)


def why_exploratory(declaration: Declaration, about: DeclarationSubject) -> Because | None:
    """Return why a number is exploratory; None where it is confirmatory."""
    declared = declaration.declared
    reasons = (
        (Because.NOTHING_DECLARED, declaration.registered is None),
        (Because.LATE, not declaration.is_before_first_tick),
        (Because.WITNESS, about.role == Role.WITNESS),
        (Because.LOOKED_BACK, about.kind == ChangeKind.SHIFT),
        (Because.NOT_DECLARED, not _is_declared(declared, about)),
        (Because.OVER, declarations.is_over(declared, about.tick)),
        (Because.NOT_AS_DECLARED, bool(declaration.behind(about.runs))),
    )
    return next((because for because, holds in reasons if holds), None)


def _is_declared(declared: Mapping[str, Any], about: DeclarationSubject) -> bool:
    return (
        about.role == Role.PRIMARY
        and about.scope == "all"
        and about.quantity in declared.get("primaries", ())
        and about.target in declared.get("targets", ())
    )


def runs_of(connection: Connection, changes: Sequence[Mapping[str, Any]]) -> list[tuple[int, ...]]:
    """All runs that changes rest on: both that were compared, and those that asked again."""
    again = declarations.find_compared_runs(
        connection, (row["confirm_id"] for row in changes if row["confirm_id"])
    )
    return [
        (row["before_run_id"], row["after_run_id"], *again.get(row["confirm_id"] or 0, ()))
        for row in changes
    ]


def of_findings(connection: Connection, found: Sequence[ListedChange]) -> dict[int, Because | None]:
    """{finding: why it is exploratory}; None for those that are confirmatory."""
    if not found:
        return {}
    rows = declarations.find_change_runs(
        connection, [listed_change.change_id for listed_change in found]
    )
    stored = [
        (listed_change, rows[listed_change.change_id])
        for listed_change in found
        if listed_change.change_id in rows
    ]
    behind = runs_of(connection, [row for _, row in stored])
    names = sorted({listed_change.job for listed_change in found})
    ticks = weekly_report.read_due_ticks(
        connection, names, max(listed_change.detected_at for listed_change in found)
    )
    declared = {name: of_job(connection, name) for name in names}
    return {
        item.change_id: why_exploratory(
            declared[item.job],
            DeclarationSubject(
                item.quantity, item.target, item.scope, item.role, item.kind,
                sum(tick.due_at <= item.detected_at for tick in ticks[item.job]), runs,
            ),
        )
        for (item, _), runs in zip(stored, behind, strict=True)
    }  # fmt: skip
