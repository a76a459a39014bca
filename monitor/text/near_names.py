"""Suggest names near one that was not found: the one way in which messages do it."""

from collections.abc import Iterable, Mapping
from difflib import SequenceMatcher, get_close_matches

#: How many near names are suggested, how many are listed where none is near, and how near one is.
_SUGGESTED = 3
_SIMILAR = 10
_LISTED = 40
_CUTOFF = 0.6
_BEHIND = 0.1
_SURELY_LIKE = 0.8
#: Fewer characters are part of too many names.
_LEAST_PART = 3


def near_names(
    name: str, known: Iterable[str], titles: Mapping[str, str] | None = None
) -> list[str]:
    """Return the names most like `name`, the nearest first; at most three.

    With `titles`, as {name: title}, `czech` is near `cs`, and so is `cz`, which abbreviates it.
    Capital letters and the signs between words do not matter.
    """
    spellings: dict[str, list[str]] = {}
    for name_known in known:
        for text in filter(None, (name_known, (titles or {}).get(name_known, ""))):
            spellings.setdefault(_fold_name(text), []).append(name_known)
    plain_name = _fold_name(name)
    if plain_name in spellings:
        return list(dict.fromkeys(spellings[plain_name]))[:_SUGGESTED]
    like, nearness = _list_similar(plain_name, spellings)
    if len(plain_name) >= _LEAST_PART:
        having = [text for text in spellings if plain_name in text]
        # a long name that has it as a part is nearer than one that is a little like it
        like = having if having and nearness < _SURELY_LIKE else like + having
    if not like:
        like = [text for text in spellings if _abbreviates(plain_name, text)]
    if not like:
        like = [text for text in spellings if _differs_in_one_letter(plain_name, text)]
    names_found = dict.fromkeys(name_known for text in like for name_known in spellings[text])
    return list(names_found)[:_SUGGESTED]


def _list_similar(name: str, texts: Iterable[str]) -> tuple[list[str], float]:
    """Return (texts about as like a name as the nearest, that one first; its likeness)."""
    like = get_close_matches(name, texts, n=_SIMILAR, cutoff=_CUTOFF)
    if not like:
        return [], 0.0
    nearness = SequenceMatcher(None, like[0], name).ratio()
    least = max(nearness - _BEHIND, _CUTOFF)
    return get_close_matches(name, like, n=_SIMILAR, cutoff=least), nearness


def _abbreviates(name: str, text: str) -> bool:
    """Return whether two letters, or three, begin a text and stand in it in their order."""
    letters = iter(text)
    is_short = 1 < len(name) <= _LEAST_PART < len(text)
    return is_short and name[0] == text[0] and all(letter in letters for letter in name)


def _differs_in_one_letter(name: str, text: str) -> bool:
    """Return whether two short words of one length differ in one letter, as `fz` and `fs`."""
    is_short = 1 < len(name) == len(text) <= _LEAST_PART
    return is_short and sum(a != b for a, b in zip(name, text, strict=True)) == 1


def hint(name: str, known: Iterable[str], titles: Mapping[str, str] | None = None) -> str:
    """Return `did you mean f_s (stereotype rate)?`, or the known names where none is near."""
    names = list(known)
    near = [
        _with_title(_printable_name(name_near), titles or {})
        for name_near in near_names(name, names, titles)
    ]
    if near:
        return f"did you mean {_join_or(near)}?"
    more = f" and {len(names) - _LISTED:,} more" if len(names) > _LISTED else ""
    return f"known: {', '.join(map(_printable_name, names[:_LISTED])) or 'none'}{more}"


def _fold_name(text: str) -> str:
    return "".join(letter for letter in text.casefold() if letter.isalnum())


def _printable_name(name: str) -> str:
    """A name that may have come from outside: what moves the cursor is shown by its code."""
    return name if name.isprintable() else repr(name)[1:-1]


def _with_title(name: str, titles: Mapping[str, str]) -> str:
    title = titles.get(name, "")
    return f"{name} ({title})" if title and title != name else name


def _join_or(names: list[str]) -> str:
    *before, last = names
    return f"{', '.join(before)} or {last}" if before else last
