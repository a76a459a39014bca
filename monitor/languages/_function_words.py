"""Frequent function words by language: what tells an answer in another language.

A word speaks for a language where no other language of the list has it, and against a language
where only others have it.
"""

from functools import cache

from monitor.data import read_toml

_DATA = read_toml("function_words")
_TOO_SHORT = frozenset(_DATA["too_short"].split())


@cache
def own_and_foreign(code: str) -> tuple[frozenset[str], frozenset[str]]:
    """Return the words that only `code` has among the lists, and those that only others have."""
    lists = {language: frozenset(text.split()) for language, text in _DATA["words"].items()}
    own_words = lists.pop(code, frozenset())
    foreign_words = frozenset().union(*lists.values())
    return own_words - foreign_words, foreign_words - own_words - _TOO_SHORT
