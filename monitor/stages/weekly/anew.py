"""In what a report that was made anew differs from the one before: two JSON files in, names out."""

import json
from collections.abc import Mapping
from typing import Any

#: The parts of the JSON by the headings under which people find them.
_PARTS = {
    "events": "Page one: changes",
    "systems": "Page one: systems",
    "headline": "What changed",
    "series": "All series",
    "charts": "Primary series over time",
    "professions": "Professions",
    "stereotypes": "Stereotypes by feminine rank",
    "slopes": "Gender stereotype reinforcement of ranked lists",
    "engines": "Engines side by side",
    "instrument": "How accurate is the detection?",
    "missing": "What could not be measured",
    "load": "Load that we caused",
    "origin": "Versions, Governance",
}
#: Parts that the first versions of the JSON did not have.
_ADDED = frozenset({"events", "systems"})
#: What may differ although every number is the same: the version of this program.
_APART = frozenset({"generator", "schema", "code_version"})


def differences(before: bytes, after: bytes) -> list[str]:
    """The sections that differ, in the order of the report; empty where only our version does.

    Numbers of rows in the database are no content, and neither is what an earlier version of this
    program did not write. Raises ValueError for what is no such file.
    """
    old, new = _content(json.loads(before)), _content(json.loads(after))
    if not (isinstance(old, dict) and isinstance(new, dict)):
        raise ValueError("no weekly report")  # noqa: TRY004 - of a file, not of a type
    new = {key: part for key, part in new.items() if key in old or key not in _ADDED}
    keys = [*(key for key in _PARTS if key in old or key in new)]
    keys += sorted((old.keys() | new.keys()) - set(_PARTS))
    return [_PARTS.get(key, key) for key in keys if old.get(key) != new.get(key)]


def _content(value: Any) -> Any:  # noqa: ANN401 - whatever JSON holds
    if isinstance(value, Mapping):
        return {
            name: _content(part)
            for name, part in value.items()
            if name not in _APART and name != "id" and not name.endswith("_id")
        }
    return [_content(one) for one in value] if isinstance(value, list) else value
