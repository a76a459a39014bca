"""What is different between a job as it was declared and as it was asked, in words.

In go two jobs, or the hashes of the parts of one, out come sentences such as `list gest: version 1
-> 2`, those that bear on a number apart from those that cannot. Pure.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeGuard

from monitor.model import canonical_json, digest
from monitor.stages import job_parts
from monitor.stages.job_parts import CONTENT, Options, Parts
from monitor.store.jobs.declarations import Registration
from monitor.store.jobs.run_inputs import RunInputs

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
    """What differs: with what bears on a number, and without."""

    bearing: tuple[str, ...] = ()
    aside: tuple[str, ...] = ()


def since_declared(
    known: Registration, source: Mapping[str, Any] | None, made: RunInputs
) -> Differences:
    """What is different in a job since it was declared.

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
        return between(before, made)
    if "parts" in content:
        return Differences(tuple(_by_hash(content["parts"], made)))
    return Differences((NOT_STORED,))


def between(before: RunInputs, after: RunInputs) -> Differences:
    """What is different between two jobs."""
    said = _said(job_parts.bearing(before), job_parts.bearing(after), _bearing)
    rest = _said(job_parts.aside(before), job_parts.aside(after), _aside)
    return Differences(
        (*said, *_order(job_parts.order(before.content), job_parts.order(after.content))),
        tuple(rest),
    )


def _by_hash(parts: Mapping[str, str], made: RunInputs) -> list[str]:
    now = job_parts.hashes(made)
    names = [*parts, *(name for name in now if name not in parts)]
    other = [name for name in names if parts.get(name) != now.get(name)]
    if any(name.startswith(("list ", "measure ")) for name in other):
        other = [name for name in other if name != job_parts.ORDER]  # goes without saying
    return [
        _line(_lone(name, is_new=name not in parts))
        if (name in parts) != (name in now)
        else _line(name, "another one than declared")
        for name in other
    ]


def _said(
    before: Parts, after: Parts, differ: Callable[[str, Options, Options], list[str]]
) -> list[str]:
    names = [*before, *(name for name in after if name not in before)]
    found = []
    for name in names:
        if name in before and name in after:
            found += [_line(name, one) for one in differ(name, before[name], after[name])]
        elif differ is _bearing or not name.startswith(("engine ", "preregistration")):
            found.append(_line(_lone(name, is_new=name in after)))
    return found


def _line(*parts: str) -> str:
    """One line that no terminal obeys: names of engines may hold what a job sets."""
    line = ": ".join(parts)
    return "".join(one if one.isprintable() else f"\\u{ord(one):04x}" for one in line)


_GONE = {
    "list": "not asked any more", "engine": "not asked any more", "region": "not asked any more",
    "measure": "not computed any more", "reference": "not read any more",
}  # fmt: skip


def _lone(name: str, *, is_new: bool) -> str:
    """What stands on one side alone."""
    gone = _GONE.get(name.partition(" ")[0], "taken out")
    return f"{name}: {'new' if is_new else gone}"


def _bearing(name: str, before: Options, after: Options) -> list[str]:
    kind = name.partition(" ")[0]
    has_version = "version" in before and before["version"] != after.get("version")
    found = []
    for option in _options(before, after):
        old, new = before.get(option), after.get(option)
        if option == CONTENT:
            if has_version and new is not None:  # another version says it
                continue
            found += _content(old, new)
        elif old != new:
            said = option if kind in ("list", "engine", "schedule") else f"option {option}"
            found.append(_change(said, old, new))
    return found


def _content(old: str | None, new: str | None) -> list[str]:
    """Of a list, a file or a region: unknown is never the same."""
    if old is None or new is None:
        where = "with the declaration" if old is None else "with the run"
        return [f"cannot be compared, because its content is not stored {where}"]
    return [] if old == new else ["other content"]


def _aside(_name: str, before: Options, after: Options) -> list[str]:
    """Texts, and how fast is asked; what a config says of places is named alone."""
    return [
        f"{option} is another" if _is_hash(option) else _change(option, old, new)
        for option in _options(before, after)
        if (old := before.get(option)) != (new := after.get(option))
    ]


def _is_hash(option: str) -> bool:
    return option.startswith("the config's ")


def _options(before: Options, after: Options) -> list[str]:
    return [*before, *(name for name in after if name not in before)]


def _change(option: str, old: object, new: object) -> str:
    """`floor 20 -> 30`; of lists what was taken out and what is new."""
    if _are_names(old) and _are_names(new):
        return f"{option} {_names(old, new)}"
    before, after = _short(old), _short(new)
    if before is None or after is None:
        return f"{option}: another one"
    return f"{option} {before} -> {after}"


def _are_names(value: object) -> TypeGuard[Sequence[str]]:
    return isinstance(value, list | tuple) and all(isinstance(one, str) for one in value)


def _names(old: Sequence[str], new: Sequence[str]) -> str:
    without = [one for one in old if one not in new]
    more = [one for one in new if one not in old]
    if not without and not more:
        return "in another order"
    said = [("without", without), ("with", more)]
    return " and ".join(f"{word} {_some(names)}" for word, names in said if names)


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
    """Where what is in both stands in another order."""
    found = []
    for name, old in before.items():
        new = after[name]
        common = [one for one in old if one in new]
        if common != [one for one in new if one in common]:
            found.append(f"{name}: in another order")
    return found
