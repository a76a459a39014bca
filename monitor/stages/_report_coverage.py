"""What was asked, what came back and what is missing: rows of the store in, tables out."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from markupsafe import Markup

from monitor.model import Kind, Outcome, Reason
from monitor.stages import _report_names as names
from monitor.stages._report_systems import System
from monitor.stages.engine_titles import titles_in
from monitor.store.report import RunFacts

Row = dict[str, Any]

NOT_ASKED = "not asked"
#: Characters of a service's own words that are shown; the evidence has all of them.
_LONGEST_WORDS = 240
#: What a reason means, in the order in which people should look at them.
_REASONS = {
    Reason.QUOTA: "the quota is used up",
    Reason.AUTH: "the key is missing, wrong or lacks a right",
    Reason.UNSUPPORTED: "the service does not offer these languages or this parameter",
    Reason.REFUSED: "the service says that the request is wrong",
    Reason.RATE: "too many requests in too short a time",
    Reason.REFUSAL: "the model declined to answer",
    Reason.CHATTER: "words around the translation that cannot be told from it",
    Reason.ECHO: "the question came back instead of a translation",
    Reason.TRUNCATED: "the answer ended before its end",
    Reason.OVERSIZE: "the answer was longer than what is kept",
    Reason.STALE: "an older answer, out of a cache",
    Reason.POISONED: "a bogus answer that looks like a success",
    Reason.MALFORMED: "an answer that is not what the service documents",
    Reason.SHORT: "fewer answers than questions",
    Reason.UNREACHABLE: "no connection",
    Reason.UNRECORDED: "not in the recording",
    Reason.CAPTCHA: "the page asks to prove that a person is asking",
    Reason.CONSENT: "the page asks for consent to cookies, and did not open",
    Reason.JS_SHELL: "a page without content, which a program in it should have filled",
    Reason.SUSPECT_EMPTY: "a page without results that does not say that there are none",
    Reason.CRASHED: "the process that should have answered ended",
    Reason.EXCEPTION: "a fault of this program",
}
_OUTCOMES = {
    Outcome.EMPTY: "an empty answer",
    Outcome.BLOCKED: "the service turned us away",
    Outcome.THROTTLED: "the service asked for less",
    Outcome.TIMEOUT: "no answer in time",
    Outcome.FAILED: "the service or the way to it failed",
    Outcome.UNREADABLE: "an answer that cannot be read",
    NOT_ASKED: "the engine had stopped, its daily budget was spent, or the run ended before",
}
#: Where a heading may be broken.
_SOFT = "|"
_ORDER = [*_REASONS, *_OUTCOMES]


_ALWAYS = ("planned", "answered", "unanswered", "used")
_COUNTS = {
    "planned": "planned",
    "answered": "answered",
    "unanswered": f"un{_SOFT}answered",
    "unreadable": f"un{_SOFT}read{_SOFT}able",
    "empty": "empty",
    "blocked": "blocked",
    "scored": "scored",
    "used": "used",
    "masculine": f"mascu{_SOFT}line",
    "feminine": f"femi{_SOFT}nine",
    "both_forms": "both forms",
    "inclusive": f"inclu{_SOFT}sive",
    "mixed": f"contra{_SOFT}dictory",
    "unmarked": f"un{_SOFT}marked",
    "unidentified": f"un{_SOFT}identi{_SOFT}fied",
}


def counts(facts: RunFacts) -> Row:
    """The columns of the coverage table that say anything, and the names of those that are 0.

    Grammatical gender is not read from the pages of search engines: those are counted elsewhere.
    """
    rows = [row for row in facts.coverage if row["kind"] != Kind.SEARCH]
    some = {name for name in _COUNTS if any(row[name] for row in rows)} | {*_ALWAYS}
    return {
        "rows": rows,
        "shown": some,
        "columns": [(name, _broken(words)) for name, words in _COUNTS.items() if name in some],
        "zero": [w.replace(_SOFT, "") for name, w in _COUNTS.items() if name not in some],
    }


def _broken(words: str) -> Markup:
    """Words of our own that may be broken."""
    return Markup("&shy;").join(words.split(_SOFT))


def missing(endings: Sequence[Row], title: Callable[[str], str]) -> list[Row]:
    """One entry per engine that left questions or tries without an answer, with the reasons."""
    grouped: dict[tuple[str, int], list[Row]] = {}
    for row in endings:
        grouped.setdefault((row["engine"], row["engine_id"]), []).append(row)
    found = []
    for (engine, _), rows in grouped.items():
        planned = sum(row["questions"] for row in rows)
        answered = sum(row["questions"] for row in rows if is_answer(row))
        reasons = _by_reason(row for row in rows if not is_answer(row))
        if reasons:
            found.append(
                {
                    "label": engine,
                    "engine": title(engine),
                    "planned": planned,
                    "answered": answered,
                    "reasons": reasons,
                }
            )
    return sorted(found, key=lambda row: row["answered"] / max(row["planned"], 1))


def is_answer(row: Row) -> bool:
    """Whether a question has one: of search engines also that there are no results."""
    empty = row["outcome"] == Outcome.EMPTY and row["reason"] != Reason.SUSPECT_EMPTY
    return row["outcome"] == Outcome.OK or (empty and _kind(row) == Kind.SEARCH)


def _kind(row: Row) -> str:
    return str(row.get("kind", Kind.MT))


def _by_reason(rows: Iterable[Row]) -> list[Row]:
    grouped: dict[tuple[str, str], list[Row]] = {}
    for row in rows:
        grouped.setdefault((row["outcome"], row["reason"]), []).append(row)
    found = [
        {
            "outcome": outcome,
            "reason": reason,
            "meaning": meaning(outcome, reason),
            "questions": sum(row["questions"] for row in some),
            "tries": sum(row["tries"] for row in some),
            "pairs": [
                names.short_pair(row["source_lang"], row["target"], _kind(row)) for row in some
            ],
            "words": next((cut(row["detail"]) for row in some if row["detail"]), ""),
            "text": next((cut(row["text"]) for row in some if row["text"]), ""),
        }
        for (outcome, reason), some in grouped.items()
    ]
    return sorted(found, key=lambda row: (_place(row), row["outcome"]))


def meaning(outcome: str, reason: str) -> str:
    """What an outcome with its reason means, in words."""
    return _REASONS.get(Reason(reason)) or _OUTCOMES.get(outcome, "")


def _place(row: Row) -> int:
    key = row["reason"] or row["outcome"]
    return _ORDER.index(key) if key in _ORDER else len(_ORDER)


def cut(words: str) -> str:
    """The beginning of captured words, with the rest counted."""
    more = len(words) - _LONGEST_WORDS
    return words if more <= 0 else f"{words[:_LONGEST_WORDS]} … ({more:,} more characters)"


def sentence(row: Row) -> str:
    """`DeepL: 320 of 640 questions answered (50.0 %); 320 not asked; stopped by: quota`."""
    share = 100 * row["answered"] / row["planned"] if row["planned"] else 0.0
    left = [
        f"{one['questions']:,} {one['outcome']}" + (f" ({one['reason']})" if one["reason"] else "")
        for one in row["reasons"]
        if one["questions"]
    ]
    repeated = [
        f"{one['tries'] - one['questions']:,} {one['reason'] or one['outcome']}"
        for one in row["reasons"]
        if one["outcome"] != NOT_ASKED and one["tries"] > one["questions"]
    ]
    said = f"{row['answered']:,} of {row['planned']:,} questions answered"
    parts = [
        f"{said} ({share:.1f}\N{NO-BREAK SPACE}%)",
        *([", ".join(left)] if left else []),
        *([f"tries without an answer besides: {', '.join(repeated)}"] if repeated else []),
    ]
    return "; ".join(parts)


_CLASSES = {
    "masculine": "masculine",
    "feminine": "feminine",
    "both_forms": "both forms",
    "inclusive": "inclusive",
    "mixed": "contradictory",
    "unmarked": "unmarked",
    "unidentified": "cannot say",
}


def classes(systems: Sequence[System], rows: Sequence[Row], pronouns: Sequence[Row]) -> Row:
    """What the answers to one list show: shares of each class, or pronoun, of those received.

    `systems` are of one list, `rows` and `pronouns` of the views coverage and pronouns.
    """
    shown = {(s.list_name, s.engine, s.source_lang, s.target): s for s in systems}
    mine = [row for row in rows if _system(row) in shown]
    own = [row for row in pronouns if _system(row) in shown]
    heads, counted = _counted_pronouns(mine, own) if own else _counted_classes(mine)
    found = [
        {
            "system": shown[_system(row)],
            "answered": row["answered"],
            "planned": row["planned"],
            "shares": [n / row["answered"] if row["answered"] else None for n in some],
        }
        for row, some in zip(mine, counted, strict=True)
    ]
    return {"heads": heads, "rows": sorted(found, key=lambda row: row["system"].place)}


def _counted_classes(rows: Sequence[Row]) -> tuple[list[str], list[list[int]]]:
    return [*_CLASSES.values()], [[row[name] for name in _CLASSES] for row in rows]


#: The order of pronouns; the first five always have a column.
_PRONOUNS = ("he", "she", "he_or_she", "they", "avoided", "mixed", "it")
_ALWAYS_PRONOUNS = 5


def _counted_pronouns(
    rows: Sequence[Row], pronouns: Sequence[Row]
) -> tuple[list[str], list[list[int]]]:
    given = {row["pronoun"] for row in pronouns}
    rules = [*_PRONOUNS[:_ALWAYS_PRONOUNS]]
    rules += [r for r in _PRONOUNS[_ALWAYS_PRONOUNS:] if r in given]
    rules += sorted(given - {*_PRONOUNS})
    counted = {(_system(row), row["pronoun"]): row["answers"] for row in pronouns}
    heads = [*(names.pronoun(rule) for rule in rules), "cannot say"]
    return heads, [
        [*(counted.get((_system(row), rule), 0) for rule in rules), row["unidentified"]]
        for row in rows
    ]


def _system(row: Mapping[str, Any]) -> tuple[str, str, str, str]:
    return row["list"].rsplit("@", 1)[0], row["engine"], row["source_lang"], row["target"]


_SHOWN = {"http": "HTTP version", "model_reported": "model, as it says",
          "system_fingerprint": "system fingerprint"}  # fmt: skip


def engines(facts: RunFacts) -> list[Row]:
    """Who answered: one entry per engine with its configuration, and all identities it showed."""
    grouped: dict[int, list[Row]] = {}
    for row in facts.engines:
        grouped.setdefault(row["id"], []).append(row)
    title = titles_in(facts.run["content"])
    return [
        {
            "title": title(rows[0]["name"]),
            "name": rows[0]["name"],
            "kind": rows[0]["kind"],
            "surface": rows[0]["surface"],
            "config": rows[0]["config"],
            "identities": [_identity(row) for row in rows],
        }
        for rows in grouped.values()
    ]


def _identity(row: Row) -> Row:
    said = sorted(row["identity"].items(), key=lambda pair: (pair[0] not in _SHOWN, pair[0]))
    return row | {"said": [(_SHOWN.get(name, name), value) for name, value in said]}
