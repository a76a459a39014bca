"""Captured text for a terminal: what would move its cursor, or hide text, is shown by its code."""

import json
import re
from typing import Any

#: Control characters, marks that turn the direction of text, and what no encoding takes.
_HIDDEN = re.compile(
    "[\x00-\x1f\x7f-\x9f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff\ud800-\udfff]"
)
#: In JSON, line breaks between values are its own.
_HIDDEN_IN_JSON = re.compile(_HIDDEN.pattern.replace("\x00-\x1f", "\x00-\x09\x0b-\x1f"))


def _code(found: re.Match[str]) -> str:
    return f"\\u{ord(found[0]):04x}"


def visible(text: object) -> str:
    """A text in one line that no terminal obeys."""
    return _HIDDEN.sub(_code, str(text))


def visible_json(value: Any) -> str:  # noqa: ANN401 - whatever JSON can hold
    """A value as JSON that no terminal obeys; the codes in it are JSON's own."""
    text = json.dumps(value, ensure_ascii=False, indent=2, default=str)
    return _HIDDEN_IN_JSON.sub(_code, text)
