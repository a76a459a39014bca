"""Occupations of Wikidata: the query for a page of them, its rows, and the probe list they become.

Rows of an answer become occupations with English label and aliases, and these the two files of a
probe list for search engines. Pure: `monitor.fetch.occupations` sends the requests. Plurals come
from rules and short lists, so that the reason of a plural is clear; an unsure one has a doubt.

An occupation is an item that is itself, without subclasses, an instance of profession (Q28640) or
of occupation (Q12737077). How many humans hold it would be the better floor, but counting them for
all occupations exceeds the minute that the public query service gives a query; so the floor is the
number of articles on Wikimedia sites (`wikibase:sitelinks`).
"""

import csv
import io
import json
import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import NamedTuple

from monitor.wikidata.requests import PREFIXES, is_unknown, item_id


class NameDoubt(StrEnum):
    """The reason why a plural may be wrong."""

    NONE = ""
    FOREIGN = "foreign"  # a vowel at the end, or letters that English has not
    PLURAL = "plural"  # looks like a plural already, and was left as it is
    PARTS = "parts"  # several words side by side, of which nobody says which one counts


class Plural(NamedTuple):
    """A phrase in the plural."""

    text: str
    doubt: NameDoubt


_PREPOSITIONS = ("of", "in", "for", "at", "to", "with", "on", "from", "de", "about", "without")
_INNER = re.compile(rf"(?<=\w)([ -](?:{'|'.join(_PREPOSITIONS)})[ -].*)$")
_PARTICLE = re.compile(r"(?<=er)(-(?:up|by|on|off|out))$")
#: Offices whose adjective stands behind the noun.
_BEFORE_GENERAL = frozenset(
    "accountant advocate agent attorney auditor commissioner consul director governor inspector "
    "minister postmaster procurator prosecutor registrar secretary solicitor surveyor vicar".split()
)
_BEHIND = re.compile(r"^(.*?)(\w+)([ -]general)$", re.IGNORECASE)
_PARTS = re.compile(r"[(),/&;:]| and | or ")
_PLAIN = re.compile(r"[A-Za-z' -]+")

_SAME = frozenset(
    "bhikkhu clergy geisha judoka karateka mangaka ninja personnel police rikishi samurai staff "
    "troops".split()
)
_IRREGULAR = {
    "alumnus": "alumni",
    "child": "children",
    "condottiero": "condottieri",
    "paparazzo": "paparazzi",
    "person": "people",
    "thief": "thieves",
}
_NO_MAN = re.compile(
    r"(?:hu|ger|ro|sha|nor|otto|brah|turco|turko|mussul|talis|oce|cai)man$", re.IGNORECASE
)
_HERO = re.compile(r"hero$", re.IGNORECASE)
_HARD_CH = re.compile(r"(?:ar|u)ch$", re.IGNORECASE)
_ES = re.compile(r"(?:s|x|z|ch|sh)$", re.IGNORECASE)
_IES = re.compile(r"(?<=[^aeiou])y$", re.IGNORECASE)
_READY = re.compile(r"(?<![sui])s$", re.IGNORECASE)
_VOWEL = re.compile(r"[aiou]$", re.IGNORECASE)
_AT_HOME = frozenset("ballerina barista diva guru impresario rabbi virtuoso yogi".split())


def make_plural(phrase: str) -> Plural:
    """The plural of a noun phrase for one person: `justice of the peace`, justices of the peace."""
    head, rest = _split_phrase(phrase)
    parts = _PARTS.search(phrase) is not None
    before, sign, last = _last_word(head)
    text, doubt = _plural_word(last)
    # in "woman writer" both words change
    if before.casefold() in ("man", "woman"):
        before = _plural_word(before)[0]
    return Plural(f"{before}{sign}{text}{rest}", NameDoubt.PARTS if parts else doubt)


def _split_phrase(phrase: str) -> tuple[str, str]:
    """(what takes the plural, what follows it): "lady", "-in-waiting"."""
    general = _BEHIND.match(phrase)
    if general and general[2].casefold() in _BEFORE_GENERAL:
        return general[1] + general[2], general[3]
    for tail in (_INNER, _PARTICLE):
        if match := tail.search(phrase):
            return phrase[: match.start()], match[0]
    return phrase, ""


def _last_word(head: str) -> tuple[str, str, str]:
    position = max(head.rfind(" "), head.rfind("-"))
    return (
        ("", "", head) if position < 0 else (head[:position], head[position], head[position + 1 :])
    )


def _plural_word(word: str) -> tuple[str, NameDoubt]:
    """One word in the plural, its capitals kept."""
    low = word.casefold()
    if not _PLAIN.fullmatch(word):
        return _regular_plural(word), NameDoubt.FOREIGN
    if low in _SAME:
        return word, NameDoubt.NONE
    for singular, several in _IRREGULAR.items():
        if low.endswith(singular):
            start = word[: -len(singular)]
            return start + (
                several if start or word.islower() else several.capitalize()
            ), NameDoubt.NONE
    if len(word) > 1 and word.isupper():
        return word + "s", NameDoubt.NONE
    if low.endswith("man") and not _NO_MAN.search(word):
        return word[:-2] + "en", NameDoubt.NONE
    if low.endswith("wife"):
        return word[:-2] + "ves", NameDoubt.NONE
    if _READY.search(word):
        return word, NameDoubt.PLURAL
    strange = _VOWEL.search(word) and low not in _AT_HOME and not _HERO.search(word)
    return _regular_plural(word), NameDoubt.FOREIGN if strange else NameDoubt.NONE


def _regular_plural(word: str) -> str:
    if _IES.search(word):
        return word[:-1] + "ies"
    if (_ES.search(word) and not _HARD_CH.search(word)) or _HERO.search(word):
        return word + "es"
    return word + "s"


# --- words that name a gender ---------------------------------------------------------------------

_WOMEN = re.compile(
    r"(?:woman|women|maid|lady|girl|(?<!mid)wife|mother|sister|(?<!n)ess|trix|euse|ienne)$"
)
_WOMEN_WORDS = frozenset(
    "ballerina baroness concubine courtesan dame deaconess diva duenna geisha governess heroine "
    "majorette matriarch matron nun odalisque patroness queen salonnière suffragette usherette "
    "vestal widow witch".split()
)
_MEN = re.compile(r"(?:man|men|boy|lord|father|brother|husband)$")
_MEN_WORDS = frozenset(
    "abbot baron count duke emperor eunuch friar gigolo king monk patriarch prince sultan".split()
)


def named_gender(phrase: str) -> str:
    """`women` or `men` where the English word itself names one: `nun`, `cowboy`; else empty.

    Says nothing about who holds an occupation. A drag queen is left out: the word names a role.
    """
    low = phrase.casefold()
    last, first = _last_word(_split_phrase(low)[0])[2], low.split(" ")[0]
    if first == "drag":
        return ""
    if _WOMEN.search(last) or last in _WOMEN_WORDS or first in ("woman", "female"):
        return "women"
    is_man = (_MEN.search(last) or last in _MEN_WORDS) and not _NO_MAN.search(last)
    return "men" if is_man or first in ("man", "male") else ""


LIST_NAME = "professions-wikidata"
#: Articles that an occupation needs at least.
FLOOR = 5
#: Occupations on a page; the service answers far more in its minute, but slowly.
PAGE = 1000
_CLASSES = ("Q28640", "Q12737077")
#: Stands between aliases; a label that holds one would be read as two.
_BETWEEN = "|"
_MOST_LABEL = 80
_COLUMNS = (
    "key",
    "text",
    "occupation",
    "plural",
    "wikidata",
    "gendered",
    "pattern",
    "doubt",
    "sitelinks",
    "aliases",
    "same_label",
)
_PATTERN = "list of {plural}"
#: Words of sources that mean something else, or more, where they stand alone.
_MEANS_MORE = frozenset({"conductor", "hygienist", "worker"})
_NO_WORD = re.compile(r"[\W_]+")


@dataclass(frozen=True, slots=True)
class Occupation:
    """An item of Wikidata for an occupation, in English."""

    item: str  # Q4964182
    label: str
    sitelinks: int
    aliases: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Source:
    """Place and time of the query for occupations. `fault` is why the rest is missing, if it is."""

    endpoint: str
    asked_at: datetime
    floor: int
    fault: str = ""


@dataclass(slots=True)
class _OccupationEntry:
    """One plural, and the items whose label it is."""

    text: str
    first: Occupation
    others: list[str] = field(default_factory=list)


def page_query(page: int, floor: int = FLOOR, size: int = PAGE) -> str:
    """The query for one page, counted from 0. Plain SPARQL 1.1, so that any store answers it.

    The page is cut before the aliases are looked up: they are many to an item.
    """
    classes = " ".join(f"wd:{item}" for item in _CLASSES)
    return (
        f"{PREFIXES}"
        "PREFIX wikibase: <http://wikiba.se/ontology#>\n"
        "SELECT ?item ?label ?sitelinks\n"
        '  (GROUP_CONCAT(DISTINCT ?alias; SEPARATOR="|") AS ?aliases)\n'
        "WHERE {\n"
        "  { SELECT DISTINCT ?item ?label ?sitelinks WHERE {\n"
        f"    VALUES ?class {{ {classes} }}\n"
        "    ?item wdt:P31 ?class ; wikibase:sitelinks ?sitelinks ; rdfs:label ?label .\n"
        f'    FILTER(LANG(?label) = "en" && ?sitelinks >= {floor:d})\n'
        f"  }} ORDER BY ?item LIMIT {size:d} OFFSET {page * size:d} }}\n"
        '  OPTIONAL { ?item skos:altLabel ?alias . FILTER(LANG(?alias) = "en") }\n'
        "}\n"
        "GROUP BY ?item ?label ?sitelinks\n"
        "ORDER BY ?item"
    )


def read_occupations(rows: Iterable[Mapping[str, str]]) -> list[Occupation]:
    """The occupations of a page. A row without item, label or number of articles is no answer.

    What cannot be a question (an endless label, a control character) is left out.
    """
    parsed = (_read_occupation(row) for row in rows)
    return [occupation for occupation in parsed if occupation is not None]


def _read_occupation(row: Mapping[str, str]) -> Occupation | None:
    item, label = item_id(row.get("item", "")), _clean_label(row.get("label", ""))
    links = row.get("sitelinks", "")
    if not item or not label or not (links.isascii() and links.isdigit()):
        return None
    aliases = (_clean_label(text) for text in row.get("aliases", "").split(_BETWEEN))
    return Occupation(item, label, int(links), tuple(sorted({alias for alias in aliases if alias})))


def _clean_label(text: str) -> str:
    """A label in one line; empty for what is none."""
    label = " ".join(text.split())
    usable = label.isprintable() and any(map(str.isalpha, label)) and len(label) <= _MOST_LABEL
    return label if usable and not is_unknown(label) else ""


def known_nouns(
    occupations: Iterable[Mapping[str, str]], synonyms: Iterable[Mapping[str, str]]
) -> dict[str, str]:
    """{noun: occupation key} of the tables `occupations` and `occupation_synonyms`."""
    longer = {row["source_word"]: row["occupation"] for row in synonyms}
    nouns_by_key = {noun: key for noun, key in longer.items() if noun not in _MEANS_MORE}
    return nouns_by_key | {row["noun"]: row["occupation"] for row in occupations}


def as_list(
    found: Iterable[Occupation],
    source: Source,
    version: int,
    nouns: Mapping[str, str],
) -> dict[str, str]:
    """The files of the probe list, {file name: content}.

    `nouns` are {noun: occupation key} of the tables of references, so that their figures apply.
    """
    occupations = {occupation.item: occupation for occupation in found}.values()
    entries = _make_entries(occupations)
    table = io.StringIO(newline="")
    writer = csv.writer(table, lineterminator="\n")
    writer.writerow(_COLUMNS)
    used = set(nouns.values())
    writer.writerows(_make_row(entry, nouns, used) for entry in entries)
    label = f"{LIST_NAME}@{version}"
    return {
        f"{label}.csv": table.getvalue(),
        f"{label}.toml": _write_description(source, version, len(entries), len(occupations)),
    }


def _make_entries(occupations: Iterable[Occupation]) -> list[_OccupationEntry]:
    """One entry a text, whatever its capitals; of several items the one with the most articles."""
    entries: dict[str, _OccupationEntry] = {}
    for occupation in sorted(occupations, key=lambda item: (-item.sitelinks, _item_number(item))):
        text = make_plural(occupation.label).text
        entry = entries.setdefault(text.casefold(), _OccupationEntry(text, occupation))
        if entry.first is not occupation:
            entry.others.append(occupation.item)
    return [entries[text] for text in sorted(entries)]


def _item_number(one: Occupation) -> int:
    return int(one.item[1:])


def _make_row(
    entry: _OccupationEntry, nouns: Mapping[str, str], used: set[str]
) -> Sequence[object]:
    occupation = entry.first
    return (
        _unused_name(f"list-of-{make_slug(entry.text)}", f"-{occupation.item.lower()}", used),
        _PATTERN.format(plural=entry.text),
        nouns.get(occupation.label)
        or _unused_name(make_slug(occupation.label, "_"), f"_{occupation.item.lower()}", used),
        entry.text,
        occupation.item,
        named_gender(occupation.label),
        _PATTERN,
        make_plural(occupation.label).doubt,
        occupation.sitelinks,
        "; ".join(occupation.aliases),
        " ".join(entry.others),
    )


def _unused_name(name: str, mark: str, used: set[str]) -> str:
    """The name, with a mark where another differs from it in nothing but signs."""
    free_name = name + mark if name in used else name
    used.add(free_name)
    return free_name


def make_slug(text: str, between: str = "-") -> str:
    """Letters and digits in lower case, no accents: `children's writers`, childrens-writers."""
    bare = unicodedata.normalize("NFKD", text.replace("'", "").replace("’", ""))
    letters = "".join(sign for sign in bare if not unicodedata.combining(sign))
    return _NO_WORD.sub(between, letters.casefold()).strip(between)


def _write_description(source: Source, version: int, texts: int, items: int) -> str:
    """The TOML half: a JSON string, number or boolean is one of TOML as well."""
    on = f"{source.asked_at:%Y-%m-%d}"
    incomplete = "incomplete: " if source.fault else ""
    content = {
        "name": LIST_NAME,
        "version": version,
        "source_lang": "en",
        "cue": "people",
        "title": f"{incomplete}{texts:,} occupations of Wikidata on {on}, as searches for lists",
        "description": " ".join(_write_sentences(source, on, texts, items)),
        "status": "unvalidated",
        "licence": "CC0-1.0",
        "as_of": source.asked_at.isoformat(timespec="seconds"),
        "endpoint": source.endpoint,
        "least_sitelinks": source.floor,
        "query": page_query(0, source.floor),
    }
    lines = [f"{key} = {json.dumps(value, ensure_ascii=False)}" for key, value in content.items()]
    tags = [f"{key} = {json.dumps(value)}" for key, value in _TAGS.items()]
    return "\n".join([*lines, "", "[tags]", *tags, ""])


def _write_sentences(source: Source, on: str, texts: int, items: int) -> list[str]:
    fault = "".join(sign if sign.isprintable() else " " for sign in source.fault)
    sentences = [f"INCOMPLETE: the rest could not be fetched ({fault})."] if fault else []
    sentences.append(f"Asked of {source.endpoint} on {on}.")
    sentences.append(
        "Items that are an instance of profession (Q28640) or occupation (Q12737077), with an "
        f"English label and at least {source.floor} articles on Wikimedia sites: {items:,} items "
        f"with {texts:,} different plurals."
    )
    return sentences + _CAUTION


_CAUTION = """
The number of articles stands in for the number of people who hold an occupation, which cannot be
counted for all occupations in the time that the service gives a query.
The plurals were formed by rules, not by people; the tag doubt names those to look at.
Nobody has read the list: an item may be a rank, an office or a group.
Labels and aliases are Wikidata's, in the public domain (CC0).
""".split()
_TAGS = {
    "occupation": "key of the occupation: of monitor/data/occupations.csv where it has the noun",
    "plural": "the label in the plural, formed by rules",
    "wikidata": "item of the occupation",
    "gendered": "women or men where the English word itself names a gender, else empty",
    "pattern": "what the text was made of",
    "doubt": "why the plural may be wrong: foreign, plural (already), parts; else empty",
    "sitelinks": "articles on Wikimedia sites on that day",
    "aliases": "further English names, separated by semicolons",
    "same_label": "further items with the same label and fewer articles",
}
