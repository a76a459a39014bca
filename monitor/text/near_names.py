"""Suggest names near one that was not found: the one way in which messages do it."""

from collections.abc import Iterable, Mapping
from difflib import SequenceMatcher, get_close_matches

#: How many near names are suggested, how many are listed where none is near, and how near one is.
_SUGGESTED = 3
_LISTED = 40
_CUTOFF = 0.6
_BEHIND = 0.1
#: Fewer characters are part of too many names.
_LEAST_PART = 3


def near_names(
    name: str, known: Iterable[str], titles: Mapping[str, str] | None = None
) -> list[str]:
    """Return the names most like `name`, the nearest first; at most three.

    With `titles`, as {name: title}, `czech` is near `cs`. Capital letters and the signs between
    words do not matter.
    """
    spellings: dict[str, list[str]] = {}
    for one in known:
        for text in filter(None, (one, (titles or {}).get(one, ""))):
            spellings.setdefault(_plain(text), []).append(one)
    wanted = _plain(name)
    if wanted in spellings:
        return list(dict.fromkeys(spellings[wanted]))[:_SUGGESTED]
    like = get_close_matches(wanted, spellings, n=len(spellings) or 1, cutoff=_CUTOFF)
    if like:  # what is much less like it than the nearest one was hardly meant
        least = SequenceMatcher(None, like[0], wanted).ratio() - _BEHIND
        like = get_close_matches(wanted, like, n=len(like), cutoff=max(least, _CUTOFF))
    if len(wanted) >= _LEAST_PART:
        like += [text for text in spellings if wanted in text]
    found = dict.fromkeys(one for text in like for one in spellings[text])
    return list(found)[:_SUGGESTED]


def hint(name: str, known: Iterable[str], titles: Mapping[str, str] | None = None) -> str:
    """Return `did you mean f_s (stereotype rate)?`, or the known names where none is near."""
    names = list(known)
    near = [_titled(_shown(one), titles or {}) for one in near_names(name, names, titles)]
    if near:
        return f"did you mean {_either(near)}?"
    more = f" and {len(names) - _LISTED:,} more" if len(names) > _LISTED else ""
    return f"known: {', '.join(map(_shown, names[:_LISTED])) or 'none'}{more}"


def _plain(text: str) -> str:
    return "".join(letter for letter in text.casefold() if letter.isalnum())


def _shown(name: str) -> str:
    """A name that may have come from outside: what moves the cursor is shown by its code."""
    return name if name.isprintable() else repr(name)[1:-1]


def _titled(name: str, titles: Mapping[str, str]) -> str:
    title = titles.get(name, "")
    return f"{name} ({title})" if title and title != name else name


def _either(names: list[str]) -> str:
    *before, last = names
    return f"{', '.join(before)} or {last}" if before else last
