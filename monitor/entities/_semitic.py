"""What Hebrew and Arabic share: words written together.

Articles, conjunctions and prepositions stand before a word without a blank, pronouns of possession
behind it. A word is looked up as it stands, then without what can stand before it, then also
without what can stand behind it.
"""

from collections.abc import Callable, Iterator, Sequence

_SHORTEST_WORD = 2  # letters without prefixes
_LONGEST_WORD = 30  # letters; nothing is taken off a longer one


def split_word(
    word: str,
    prefixes: Sequence[str],
    stem_variants: Callable[[str], Iterator[str]],
    shortest: int,
) -> tuple[str, ...]:
    """Return all forms under which `word` is looked up, the surest first.

    `stem_variants` yields the forms of a word without a pronoun behind it, none of fewer letters
    than `shortest`.
    """
    if len(word) > _LONGEST_WORD:
        return (word,)
    bare = [word]
    bare += [
        word[len(prefix) :]
        for prefix in prefixes
        if len(word) >= len(prefix) + _SHORTEST_WORD and word.startswith(prefix)
    ]
    stems = [stem for form in bare for stem in stem_variants(form) if len(stem) >= shortest]
    return tuple(dict.fromkeys([*bare, *stems]))
