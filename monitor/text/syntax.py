"""Python's own parser, for one thread at a time.

Two threads that parse at once make it raise SystemError in Python 3.11 and 3.12: it counts the
depth of its recursion for all threads together.
"""

import ast
from threading import Lock

_parsing = Lock()


def parse_source(content: bytes) -> ast.Module:
    """Return the syntax tree of a file. Raises SyntaxError."""
    with _parsing:
        return ast.parse(content)


def parse_literal(text: str) -> object:
    """Return the value of a literal, such as `[1, "a"]`.

    Raises ValueError, SyntaxError, RecursionError or MemoryError for anything else.
    """
    with _parsing:
        return ast.literal_eval(text)
