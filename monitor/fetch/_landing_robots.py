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
class RobotsRule:
    """One line that allows or disallows the paths that fit a pattern."""

    pattern: str
    allows: bool

    def matches_path(self, path: str) -> bool:
        """Return whether a path begins as the pattern says."""
        whole = self.pattern.endswith("$")
        first, *middle_pieces = self.pattern.removesuffix("$").split("*")
        if not path.startswith(first):
            return False
        if not middle_pieces:
            return not whole or path == first
        position = len(first)
        for piece in middle_pieces[:-1] if whole else middle_pieces:
            start = path.find(piece, position)
            if start < 0:
                return False
            position = start + len(piece)
        return not whole or (
            len(path) - len(middle_pieces[-1]) >= position and path.endswith(middle_pieces[-1])
        )


@dataclass(frozen=True, slots=True)
class RobotsRules:
    """The rules of a site. `refusal` says why nothing of it may be asked, whatever the rules."""

    rules: tuple[RobotsRule, ...] = ()
    delay: float = 0.0  # seconds between two requests
    refusal: str = ""

    def allow_url(self, url: str) -> bool:
        """Return whether an address may be asked: the longest rule decides, else the mildest."""
        parts = urlsplit(url)
        path = _normalize_path(parts.path or "/")
        if path == "/robots.txt":
            return True
        path_and_query = f"{path}?{_normalize_path(parts.query)}" if parts.query else path
        fitting = [rule for rule in self.rules if rule.matches_path(path_and_query)]
        best = max(fitting, key=lambda rule: (len(rule.pattern), rule.allows), default=None)
        return best is None or best.allows


def _normalize_path(path: str) -> str:
    """The one spelling of a path: only what has to be escaped is, in capitals."""

    def one(found: re.Match[str]) -> str:
        letter = chr(int(found[1], 16))
        return letter if _UNRESERVED.fullmatch(letter) else found[0].upper()

    ascii_only = quote(path, safe="".join(map(chr, range(0x21, 0x7F))), errors="replace")
    return _ESCAPED.sub(one, ascii_only)


def parse_robots(body: bytes, token: str = TOKEN) -> RobotsRules:
    """The rules for us: of the groups that name us, else of those for everybody."""
    own_lines: list[tuple[str, str]] | None = None
    common: list[tuple[str, str]] = []
    names: list[str] = []
    naming = False
    for key, value in _read_lines(body):
        if key == "user-agent":
            names = [*names, value] if naming else [value]
            naming = True
            own_lines = [] if own_lines is None and _names_token(value, token) else own_lines
            continue
        naming = naming and key not in ("allow", "disallow", "crawl-delay")
        if own_lines is not None and any(_names_token(name, token) for name in names):
            own_lines.append((key, value))
        if "*" in names:
            common.append((key, value))
    return _make_rules(common if own_lines is None else own_lines)


def _names_token(name: str, token: str) -> bool:
    match = _NAME.match(name)
    return match is not None and match[0].lower() == token


def _read_lines(body: bytes) -> Iterator[tuple[str, str]]:
    text = body[:MOST_BYTES].decode("utf-8", "replace").removeprefix("\ufeff")
    for line in re.split(r"[\r\n]+", text):
        key, colon, value = line.partition("#")[0].partition(":")
        if colon:
            yield key.strip().lower(), value.strip()


def _make_rules(lines: list[tuple[str, str]]) -> RobotsRules:
    rules = tuple(
        RobotsRule(_normalize_path(value), key == "allow")
        for key, value in lines
        if key in ("allow", "disallow") and value
    )
    delays = [_parse_seconds(value) for key, value in lines if key == "crawl-delay"]
    return RobotsRules(rules, max(delays, default=0.0))


def _parse_seconds(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        return 0.0
    return seconds if math.isfinite(seconds) and seconds > 0 else 0.0
