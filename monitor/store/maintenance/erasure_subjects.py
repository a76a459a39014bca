"""Subjects of erasure: persons or addresses, and whether a text, address or key is theirs.

Keyed hashes recognize an erased subject without storing it. Nothing here does I/O.
"""

import hashlib
import hmac
import html
import json
import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from urllib.parse import quote, unquote_plus, urlsplit

from monitor.labels.shown_entities import shown_entity
from monitor.model import Block, InvalidInput, Item

#: What is searched in the database with LIKE, which knows only the cases of these letters.
_PLAIN = re.compile(r"[A-Za-z0-9]{3,}")
#: What stands before the name or pseudonym of a donor.
DONOR_PREFIX = "donor:"
_PORTS = {"http": 80, "https": 443}


def is_address(text: str) -> bool:
    """Return whether what somebody wants erased is an address."""
    return text.startswith(("http://", "https://"))


def normalize_address(address: str) -> str:
    """Return an address so that equal ones are equal: without scheme, fragment and last slash.

    Empty for what is no address of the web.
    """
    try:
        parts = urlsplit(address.strip())
        host, port = (parts.hostname or "").rstrip("."), parts.port
    except ValueError:
        return ""
    if parts.scheme not in _PORTS or not host:
        return ""
    with_port = f":{port}" if port and port != _PORTS[parts.scheme] else ""
    path = unicodedata.normalize("NFC", unquote_plus(parts.path.replace("+", "%2B")))
    query = f"?{parts.query}" if parts.query else ""
    return f"{_encode_host(host)}{with_port}{path.rstrip('/')}{query}"


def _encode_host(host: str) -> str:
    try:
        return host.encode("idna").decode().lower()
    except UnicodeError:
        return host.lower()


def fold_text(text: str) -> str:
    """Return a text as names are compared: without case, in one form, with single blanks."""
    return unicodedata.normalize("NFC", " ".join(text.casefold().split()))


def make_name_key(name: str) -> str:
    """Return `name:NAME`, the beginning of the key of an entity known by its name alone."""
    whom = shown_entity(Item(1, "", Block.CAROUSEL, "", name, ""))
    return whom.entity.partition("|")[0] if whom else ""


def _list_spellings(text: str) -> Iterator[str]:
    """Yield a text, and its decoded forms from an address, JSON or HTML."""
    yield text
    yield unquote_plus(text).replace("_", " ")
    yield html.unescape(text)
    if "\\u" in text:
        try:
            yield json.dumps(json.loads(text), ensure_ascii=False)
        except (ValueError, RecursionError):
            return


@dataclass(frozen=True)
class ErasureSubject:
    """A person, by keys of entities and names, or addresses, or a donor by a pseudonym.

    `profession` limits names to it.
    """

    kind: str  # person, url, donor
    entities: frozenset[str] = frozenset()
    names: tuple[str, ...] = ()
    addresses: tuple[str, ...] = ()  # normal; one that ends in /* stands for all that begin so
    profession: str = ""
    donor: str = ""

    # --- is this of it? ---------------------------------------------------------------------------

    def is_of(self, address: str) -> bool:
        """Return whether an address is one of these."""
        normal_address = normalize_address(address)
        return bool(normal_address) and any(
            _is_within(normal_address, own_address) for own_address in self.addresses
        )

    def is_named(self, title: str) -> bool:
        """Return whether a text is one of the names and nothing else."""
        return bool(title) and fold_text(title) in self._folded

    def is_in(self, text: str) -> bool:
        """Return whether a text holds one of the names or addresses, in any spelling.

        A name of one word may be any word, so only a text that is nothing else counts.
        """
        if self.is_named(text):
            return True
        pattern = self._words
        return pattern is not None and any(
            pattern.search(fold_text(spelling)) for spelling in _list_spellings(text)
        )

    def is_keyed(self, text: str) -> bool:
        """Return whether an answer to a look-up holds a key of an entity, beside names."""
        keys = self._keys
        return (keys is not None and bool(keys.search(text))) or self.is_in(text)

    @cached_property
    def _folded(self) -> frozenset[str]:
        return frozenset(fold_text(name) for name in self.names)

    @cached_property
    def _words(self) -> re.Pattern[str] | None:
        names = [part for part in sorted(self._folded) if " " in part]
        patterns = [rf"(?<!\w){re.escape(name)}(?!\w)" for name in names]
        patterns += [_make_address_pattern(fold_text(part)) for part in self.addresses]
        return re.compile("|".join(patterns)) if patterns else None

    @cached_property
    def _keys(self) -> re.Pattern[str] | None:
        patterns = [re.escape(plain_key) for plain_key in self.plain_keys]
        return re.compile(rf"(?<!\w)(?:{'|'.join(patterns)})(?!\w)") if patterns else None

    @property
    def plain_keys(self) -> list[str]:
        """Return items of Wikidata and ids of the engine's graph, as services write them."""
        keyed = (entity for entity in self.entities if entity.startswith(("wd:", "kg:")))
        return sorted({entity.partition(":")[2] for entity in keyed})

    @property
    def written_keys(self) -> list[str]:
        """Return the keys of entities as they stand in the tables or in pages."""
        return sorted({*self.entities, *self.plain_keys} - {""})

    # --- what to search for -----------------------------------------------------------------------

    def needles(self) -> list[str]:
        """Return what a text of it holds for sure, letter by letter but for the case."""
        needles: set[str] = set()
        for name in self.names:
            plain = max(_PLAIN.findall(name), key=len, default="")
            needles |= {plain} if plain else {name, name.lower(), name.upper(), quote(name)}
        for address in self.addresses:
            needles.add(re.split(r"[/:?]", address, maxsplit=1)[0])
        return sorted(needle for needle in needles if needle)

    def traces(self) -> list[str]:
        """Return the names, addresses and keys that no table holds afterwards."""
        traces = {name for name in self.names if " " in name.strip()}
        traces |= {address.removesuffix("*") for address in self.addresses}
        traces |= set(self.entities)
        return sorted(
            traces | {json.dumps(trace)[1:-1] for trace in traces} | {quote(o) for o in traces}
        )

    # --- by which it is known again ---------------------------------------------------------------

    def marks(self) -> list[str]:
        """Return what is hashed: keys of entities, names as keys, addresses."""
        names = [] if self.profession else [make_name_key(name) for name in self.names]
        addresses = [f"url:{mark}" for mark in self.addresses]
        donors = [f"{DONOR_PREFIX}{self.donor}"] if self.donor else []
        return sorted({*self.entities, *(mark for mark in names if mark), *addresses, *donors})


def _is_within(own_address: str, address: str) -> bool:
    if address.endswith("/*"):
        return own_address.startswith(address[:-1]) or own_address == address[:-2]
    return own_address == address


def _make_address_pattern(address: str) -> str:
    """Return the pattern of an address in a text that is not part of a longer one."""
    if address.endswith("/*"):
        return rf"(?<![\w.-]){re.escape(address[:-2])}(?![\w-])"
    return rf"(?<![\w.-]){re.escape(address)}(?![\w-]|[/.?&=#]\w)"


def list_marks(key: str) -> list[str]:
    """Return under which marks a key of an entity, or an address, may have been erased."""
    if is_address(key):
        address = normalize_address(key)
        if not address:
            return []
        path = address.partition("?")[0].split("/")
        above = [f"url:{'/'.join(path[:n])}/*" for n in range(1, len(path) + 1)]
        return [f"url:{address}", *above]
    return [key, key.partition("|")[0]] if key.startswith("name:") else [key]


def hash_mark(key: str, mark: str) -> str:
    """Return the hash by which a mark is known again; only who has the key can try others."""
    return hmac.new(key.encode(), mark.encode(), hashlib.sha256).hexdigest()


#: Characters of a key that nobody finds by trying.
SHORTEST_KEY = 16
_PSEUDONYM = re.compile(r"d[0-9a-f]{16}")


def is_pseudonym(text: str) -> bool:
    """Return whether a text is the pseudonym of a donor."""
    return bool(_PSEUDONYM.fullmatch(text))


def make_pseudonym(name: str, key: str) -> str:
    """Return the pseudonym of a donor: a keyed hash, 17 characters. Raises InvalidInput."""
    if len(key) < SHORTEST_KEY:
        raise InvalidInput(
            f"MONITOR_ADDRESS_KEY is not set, or has fewer than {SHORTEST_KEY} characters: donors "
            "are kept as hashes with this key; choose a long random text and keep it"
        )
    if not name.strip():
        raise InvalidInput("donor: name whose pages these are")
    return f"d{hash_mark(key, f'{DONOR_PREFIX}{fold_text(name)}')[:16]}"


def hash_keys(key: str, keys: Iterable[str]) -> dict[str, set[str]]:
    """Return {hash: the keys of entities, or addresses, that may have been erased under it}."""
    keys_of: dict[str, set[str]] = defaultdict(set)
    for entity_key in keys:
        for mark in list_marks(entity_key):
            keys_of[hash_mark(key, mark)].add(entity_key)
    return keys_of
