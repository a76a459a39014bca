"""The rules of a robots.txt (RFC 9309): its bytes in, whether an address may be asked out.

The parser of the standard library takes the first rule that fits instead of the longest, and knows
no * within a path, so that it would let us ask for what a site wants left alone.
"""

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass
from urllib.parse import quote, urlsplit

#: By this name sites address us.
TOKEN = "monitor"  # noqa: S105 - the product token of RFC 9309
#: More of a file need not be read.
MOST_BYTES = 500 * 1024
_ESCAPED = re.compile(r"%([0-9A-Fa-f]{2})")
_UNRESERVED = re.compile(r"[A-Za-z0-9._~-]")
_NAME = re.compile(r"[A-Za-z_-]+")


@dataclass(frozen=True, slots=True)
class Rule:
    """One line that allows or disallows the paths that fit a pattern."""

    pattern: str
    allows: bool

    def fits(self, path: str) -> bool:
        """Whether a path begins as the pattern says. * is anything, $ at the end is the end."""
        whole = self.pattern.endswith("$")
        first, *others = self.pattern.removesuffix("$").split("*")
        if not path.startswith(first):
            return False
        if not others:
            return not whole or path == first
        at = len(first)
        for piece in others[:-1] if whole else others:
            found = path.find(piece, at)
            if found < 0:
                return False
            at = found + len(piece)
        return not whole or (len(path) - len(others[-1]) >= at and path.endswith(others[-1]))


@dataclass(frozen=True, slots=True)
class Rules:
    """What a site asks of us. `refusal` says why nothing of it may be asked, whatever the rules."""

    rules: tuple[Rule, ...] = ()
    delay: float = 0.0  # seconds between two requests
    refusal: str = ""

    def allow(self, url: str) -> bool:
        """Whether an address may be asked: the longest rule decides, and of two alike the mild."""
        parts = urlsplit(url)
        path = _normal(parts.path or "/")
        if path == "/robots.txt":
            return True
        asked = f"{path}?{_normal(parts.query)}" if parts.query else path
        fitting = [rule for rule in self.rules if rule.fits(asked)]
        best = max(fitting, key=lambda rule: (len(rule.pattern), rule.allows), default=None)
        return best is None or best.allows


def _normal(path: str) -> str:
    """The one spelling of a path: only what has to be escaped is, in capitals."""

    def one(found: re.Match[str]) -> str:
        letter = chr(int(found[1], 16))
        return letter if _UNRESERVED.fullmatch(letter) else found[0].upper()

    ascii_only = quote(path, safe="".join(map(chr, range(0x21, 0x7F))), errors="replace")
    return _ESCAPED.sub(one, ascii_only)


def parse(body: bytes, token: str = TOKEN) -> Rules:
    """The rules for us: of the groups that name us, else of those for everybody."""
    own: list[tuple[str, str]] | None = None
    common: list[tuple[str, str]] = []
    names: list[str] = []
    naming = False
    for key, value in _lines(body):
        if key == "user-agent":
            names = [*names, value] if naming else [value]
            naming = True
            own = [] if own is None and _is(value, token) else own
            continue
        naming = naming and key not in ("allow", "disallow", "crawl-delay")
        if own is not None and any(_is(name, token) for name in names):
            own.append((key, value))
        if "*" in names:
            common.append((key, value))
    return _rules(common if own is None else own)


def _is(name: str, token: str) -> bool:
    found = _NAME.match(name)
    return found is not None and found[0].lower() == token


def _lines(body: bytes) -> Iterator[tuple[str, str]]:
    text = body[:MOST_BYTES].decode("utf-8", "replace").removeprefix("\ufeff")
    for line in re.split(r"[\r\n]+", text):
        key, colon, value = line.partition("#")[0].partition(":")
        if colon:
            yield key.strip().lower(), value.strip()


def _rules(lines: list[tuple[str, str]]) -> Rules:
    rules = tuple(
        Rule(_normal(value), key == "allow")
        for key, value in lines
        if key in ("allow", "disallow") and value
    )
    delays = [_seconds(value) for key, value in lines if key == "crawl-delay"]
    return Rules(rules, max(delays, default=0.0))


def _seconds(text: str) -> float:
    try:
        found = float(text)
    except ValueError:
        return 0.0
    return found if math.isfinite(found) and found > 0 else 0.0
