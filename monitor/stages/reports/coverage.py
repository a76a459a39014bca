"""Coverage of a run: what was asked, what came back and what is missing."""

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from operator import itemgetter
from typing import Any
from zoneinfo import ZoneInfo

from monitor.model import Flag, Kind, Outcome, Reason, RunState, State
from monitor.stages.document import records as doc
from monitor.stages.document.notation import capped, when
from monitor.stages.document.time_chart import NO_VALUE, say_gap
from monitor.stages.reports import names
from monitor.stages.reports.names import titles_in
from monitor.stages.reports.run_systems import MeasuredSystem
from monitor.store.changes.series import Series, read_grid
from monitor.store.database import Connection
from monitor.store.reports import run_report
from monitor.store.reports.run_report import RunFacts
from monitor.store.rows import group_rows

# --- coverage -------------------------------------------------------------------------------------

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
_ORDER = [*_REASONS, *_OUTCOMES]


def list_missing(endings: Sequence[Row], title: Callable[[str], str]) -> list[Row]:
    """One entry per engine that left questions or tries without an answer, with the reasons."""
    result_rows = []
    for (engine, _), rows in group_rows(endings, itemgetter("engine", "engine_id")).items():
        if reasons := _by_reason([row for row in rows if not is_answer(row)]):
            counts = {
                "planned": sum(row["questions"] for row in rows),
                "answered": sum(row["questions"] for row in rows if is_answer(row)),
            }
            row = {"label": engine, "engine": title(engine), **counts, "reasons": reasons}
            result_rows.append(row)
    return sorted(result_rows, key=lambda row: row["answered"] / max(row["planned"], 1))


def is_answer(row: Row) -> bool:
    """Return whether a question has one: of search engines also that there are no results."""
    empty = row["outcome"] == Outcome.EMPTY and row["reason"] != Reason.SUSPECT_EMPTY
    return row["outcome"] == Outcome.OK or (empty and _say_kind(row) == Kind.SEARCH)


def _say_kind(row: Row) -> str:
    return str(row.get("kind", Kind.MT))


def _by_reason(rows: Sequence[Row]) -> list[Row]:
    result_rows = [
        {
            "outcome": outcome,
            "reason": reason,
            "meaning": say_meaning(outcome, reason),
            "questions": sum(row["questions"] for row in group),
            "tries": sum(row["tries"] for row in group),
            "pairs": [
                names.pair_words(row["source_lang"], row["target"], _say_kind(row)) for row in group
            ],
            "words": _find_first(group, "detail"),
            "text": _find_first(group, "text"),
        }
        for (outcome, reason), group in group_rows(rows, itemgetter("outcome", "reason")).items()
    ]
    return sorted(result_rows, key=lambda row: (_compute_place(row), row["outcome"]))


def _find_first(rows: Sequence[Row], name: str) -> str:
    """Return the beginning of the first captured words, with the rest counted."""
    return capped(next((str(row[name]) for row in rows if row[name]), ""), _LONGEST_WORDS)


def say_meaning(outcome: str, reason: str) -> str:
    """Return what an outcome with its reason means, in words."""
    return _REASONS.get(Reason(reason)) or _OUTCOMES.get(outcome, "")


def _compute_place(row: Row) -> int:
    key = row["reason"] or row["outcome"]
    return _ORDER.index(key) if key in _ORDER else len(_ORDER)


def say_coverage(row: Row) -> str:
    """`DeepL: 320 of 640 questions answered (50.0 %); 320 not asked; stopped by: quota`."""
    share = 100 * row["answered"] / row["planned"] if row["planned"] else 0.0
    left = ", ".join(
        f"{reason['questions']:,} {reason['outcome']}"
        + (f" ({reason['reason']})" if reason["reason"] else "")
        for reason in row["reasons"]
        if reason["questions"]
    )
    repeated = ", ".join(
        f"{reason['tries'] - reason['questions']:,} {reason['reason'] or reason['outcome']}"
        for reason in row["reasons"]
        if reason["outcome"] != NOT_ASKED and reason["tries"] > reason["questions"]
    )
    words = f"{row['answered']:,} of {row['planned']:,} questions answered"
    parts = (
        f"{words} ({share:.1f}\N{NO-BREAK SPACE}%)",
        left,
        f"tries without an answer besides: {repeated}" if repeated else "",
    )
    return "; ".join(filter(None, parts))


_CLASSES = {
    "masculine": "masculine",
    "feminine": "feminine",
    "both_forms": "both forms",
    "inclusive": "inclusive",
    "mixed": "contradictory",
    "unmarked": "unmarked",
    "unidentified": "cannot say",
}


def count_classes(
    systems: Sequence[MeasuredSystem], rows: Sequence[Row], pronouns: Sequence[Row]
) -> tuple[list[str], list[tuple[MeasuredSystem, Row, list[int]]]]:
    """What the answers to one list show: classes, or pronouns, and each system's count of each.

    `systems` are of one list, `rows` and `pronouns` of the views coverage and pronouns; the row of
    a system has how many questions were answered.
    """
    by_key = {(s.list_name, s.engine, s.source_lang, s.target): s for s in systems}
    rows = [row for row in rows if _make_system(row) in by_key]
    pronouns = [row for row in pronouns if _make_system(row) in by_key]
    if pronouns:
        heads, counted = _count_pronouns(rows, pronouns)
    else:
        heads = [*_CLASSES.values()]
        counted = [[row[name] for name in _CLASSES] for row in rows]
    counts = [
        (by_key[_make_system(row)], row, numbers)
        for row, numbers in zip(rows, counted, strict=True)
    ]
    return heads, sorted(counts, key=lambda entry: entry[0].place)


#: The order of pronouns; the first five always have a column.
_PRONOUNS = ("he", "she", "he_or_she", "they", "avoided", "mixed", "it")
_ALWAYS_PRONOUNS = 5
_PRONOUN_WORDS = {"he_or_she": "he or she", "mixed": "he and she, contradictory"}


def _count_pronouns(
    rows: Sequence[Row], pronouns: Sequence[Row]
) -> tuple[list[str], list[list[int]]]:
    value = {row["pronoun"] for row in pronouns}
    rules = [*_PRONOUNS[:_ALWAYS_PRONOUNS]]
    rules += [r for r in _PRONOUNS[_ALWAYS_PRONOUNS:] if r in value]
    rules += sorted(value - {*_PRONOUNS})
    counted = {(_make_system(row), row["pronoun"]): row["answers"] for row in pronouns}
    heads = [*(_PRONOUN_WORDS.get(rule, rule) for rule in rules), "cannot say"]
    return heads, [
        [*(counted.get((_make_system(row), rule), 0) for rule in rules), row["unidentified"]]
        for row in rows
    ]


def _make_system(row: Mapping[str, Any]) -> tuple[str, str, str, str]:
    return row["list"].rsplit("@", 1)[0], row["engine"], row["source_lang"], row["target"]


# --- the section of a report ----------------------------------------------------------------------

_ALWAYS = ("planned", "answered", "unanswered", "used")
#: Columns of the table of coverage, which may be broken at a soft hyphen.
_COUNTS = {
    "planned": "planned",
    "answered": "answered",
    "unanswered": "un\u00adanswered",
    "unreadable": "un\u00adread\u00adable",
    "empty": "empty",
    "blocked": "blocked",
    "scored": "scored",
    "used": "used",
    "masculine": "mascu\u00adline",
    "feminine": "femi\u00adnine",
    "both_forms": "both forms",
    "inclusive": "inclu\u00adsive",
    "mixed": "contra\u00addictory",
    "unmarked": "un\u00admarked",
    "unidentified": "un\u00adidenti\u00adfied",
}
_CLASSES_MEAN = (
    "used: masculine and feminine together. both forms: an answer that offers both, such as "
    "“cansado/a”, “he or she”, or two variants. inclusive: forms such as “cansade”, or singular "
    "“they”. contradictory: masculine and feminine words for the same person. unmarked: read, and "
    "nothing in it shows a gender (of a pronoun: the choice was avoided). unidentified: the reader "
    "of grammatical gender cannot say."
)
_SCORED_MEAN = " scored: answers of language models, in which no gender is read."
_WIDENS = " What was not answered or not identified widens the bounds of every value."
_NO_CONTROL = (
    "**No control:** {systems}. No local engine whose model stood still was asked in this language "
    "beside them. Their values stand, but a change from run to run may come from this program as "
    "well as from the service."
)
_CHANGED = (
    "**Answers of another shape:** {systems}. More of them than in the runs before cannot be read, "
    "or parts of them came or went. Their values may have moved because the parser reads less than "
    "before: look at an answer of each run before you believe a change (monitor evidence show)."
)
_UNVALIDATED = (
    "**Unvalidated lists:** {lists}. Which {question} stands for which {topic} is the judgement of "
    "the lists' authors alone. A list stays unvalidated until at least two people have rated it "
    "blind. Do not present these values as established findings about a system without saying so."
)


def write_coverage_section(
    facts: RunFacts,
    systems: Sequence[MeasuredSystem],
    pages: Sequence[doc.Block],
    *,
    translates: bool,
) -> doc.Section:
    """Return what was asked, came back and could be used; `pages` are tables of search engines."""
    title = titles_in(facts.run["content"])
    body: list[doc.Block] = [
        doc.Words("What was asked, what came back, and what could be used."),
        *pages,
    ]
    rows = [row for row in facts.coverage if row["kind"] != Kind.SEARCH]
    if rows or not pages:  # grammatical gender is not read from the pages of search engines
        body += _counted(rows, title)
    if lost := list_missing(facts.endings, title):
        requested = "asked in" if pages else "languages"
        body += [doc.Heading("What is missing, and why"), _missing_table(lost, requested)]
    if uncontrolled := [system for system in systems if system.uncontrolled]:
        by_title = sorted(group_rows(uncontrolled, lambda system: system.title).items())
        listed = "; ".join(f"{name} ({_say_pairs(group)})" for name, group in by_title)
        body.append(doc.Callout([doc.say(_NO_CONTROL, systems=listed)]))
    if changed := sorted({s.title for s in systems if s.has_flag(Flag.ANSWERS_CHANGED)}):
        body.append(doc.Callout([doc.say(_CHANGED, systems="; ".join(changed))]))
    if lists := say_unvalidated(facts):
        question, topic = "question", "occupation or trait"
        if translates:
            question, topic = "sentence", "stereotype or occupation"
        words = doc.say(_UNVALIDATED, lists=lists, question=question, topic=topic)
        body.append(doc.Callout([words]))
    return doc.Section("coverage", "Coverage", body)


def _say_pairs(systems: Sequence[MeasuredSystem]) -> str:
    return names.say_pairs([(s.source_lang, s.target) for s in systems], systems[0].kind)


def say_unvalidated(facts: RunFacts) -> str:
    """The lists of a run that nobody has validated."""
    return ", ".join(
        f"{row['name']}@{row['version']}" for row in facts.lists if row["status"] != "validated"
    )


def _counted(rows: Sequence[Row], title: Callable[[str], str]) -> list[doc.Block]:
    """The counts that are not 0 throughout, and the names of the others."""
    shown = [name for name in _COUNTS if name in _ALWAYS or any(row[name] for row in rows)]
    by_list = sorted(group_rows(rows, lambda row: str(row["list"])).items())
    zero = ", ".join(
        words.replace("\u00ad", "") for name, words in _COUNTS.items() if name not in shown
    )
    left_out = f"0 throughout, and left out: {zero}. " if zero else ""
    scored = _SCORED_MEAN if "scored" in shown else ""

    def write_row(row: Row) -> list[doc.Entry]:
        pair = names.pair_words(row["source_lang"], row["target"])
        return [f"{title(row['engine'])}, {pair}", *(f"{row[column]:,}" for column in shown)]

    return [
        doc.grouped(
            doc.prose("Questions by list and system; the SQL view `coverage`"),
            ["system", *(f"#{_COUNTS[name]}" for name in shown)],
            [doc.group(name, map(write_row, group)) for name, group in by_list],
        ),
        doc.Words(f"{left_out}{_CLASSES_MEAN}{scored}{_WIDENS}", "small"),
    ]


def _missing_table(lost: Sequence[Row], asked: str) -> doc.Table:
    return doc.grouped(
        doc.prose(
            "By engine and reason. *questions* were left at that; *tries* also counts what was "
            "asked again later. The words are the service's own, as they came, or those of this "
            "program where it gave none."
        ),
        ["what came", "#questions", "#tries", f"~{asked}", "an example, in its own words"],
        [
            doc.group(
                f"{row['engine']}: {row['answered']:,} of {row['planned']:,} questions answered",
                map(_write_reason, row["reasons"]),
            )
            for row in lost
        ],
    )  # fmt: skip


def _write_reason(one: Row) -> list[doc.Entry]:
    what = f"{one['outcome']}: {one['reason']}" if one["reason"] else one["outcome"]
    example = doc.Cell("none", is_missing=True)
    if text := one["text"] or one["words"]:
        example = doc.Cell((doc.Span(text, "quote"),), one["words"] if one["text"] else "")
    return [
        doc.Cell(what, one["meaning"]), f"{one['questions']:,}", f"{one['tries']:,}",
        ", ".join(one["pairs"]), example,
    ]  # fmt: skip


_STOPPED = (
    "**{why}** What was not answered enters no value as a number and widens the bounds. Details: "
    "[coverage](#coverage)."
)


def write_notice(facts: RunFacts, zone: ZoneInfo) -> list[doc.Block]:
    """Return what stopped and what is missing, one line an engine; no blocks where nothing is."""
    title, state = titles_in(facts.run["content"]), facts.run["state"]
    partial = "" if state == RunState.DONE else f"This run is {state}."
    lines = [
        doc.prose(
            "**{engines}**: suspended until {until} ({reason}), asked through the exit {exit}",
            engines=", ".join(map(title, row["engines"])), until=when(row["until"], zone),
            reason=row["reason"], exit=row["exit"],
        )
        for row in facts.suspensions
    ]  # fmt: skip
    lines += [
        doc.prose("**{engine}**: {sentence}", engine=row["engine"], sentence=say_coverage(row))
        for row in list_missing(facts.endings, title)
    ]
    if lines:
        why = partial or _NOT_AT_ONCE
        return [doc.Callout([doc.say(_STOPPED, why=why), doc.Items(lines)])]
    if not partial:
        return []
    rest = _NOT_ENDED if facts.corpora else _COUNTED
    return [doc.Callout([doc.say("**{partial}** {rest}", partial=partial, rest=rest)])]


_NOT_AT_ONCE = "Not every question was answered at the first try, or could be read."
_NOT_ENDED = "Not every run of the period had ended when it read their answers."
_COUNTED = (
    "Questions without an answer are counted in the coverage table; they enter no value as a "
    "number and widen the bounds."
)


# --- refusals -------------------------------------------------------------------------------------

#: What a system did, by the outcome of its answers, after its name or `it`.
_DEEDS: Mapping[str, str] = {
    Outcome.BLOCKED: "refused our questions",
    Outcome.THROTTLED: "limited how often we may ask",
    Outcome.TIMEOUT: "did not answer in time",
    Outcome.FAILED: "gave no answer",
    Outcome.UNREADABLE: "gave answers that could not be read",
    Outcome.EMPTY: "gave empty answers",
}


def is_deed(words: str) -> bool:
    """Return whether words are of `say_refusal`, and need the system as their subject."""
    return words in _DEEDS.values()


def say_refusal(endings: Sequence[Row], of_engine: Sequence[Row] = ()) -> str:
    """Return what a system did, from its rows of `read_endings`.

    Empty where it answered half of its questions or more. Where it was not asked most of them,
    because its engine had stopped in another language or region, the rows of that engine tell.
    """
    answered = sum(row["questions"] for row in endings if is_answer(row))
    if answered * 2 >= sum(row["questions"] for row in endings):
        return ""
    unanswered = [
        row for rows in (endings, of_engine) for row in rows
        if not is_answer(row) and row["outcome"] in _DEEDS
    ]  # fmt: skip
    if not unanswered:
        return ""
    return _DEEDS[max(unanswered, key=lambda row: row["questions"])["outcome"]]


def say_missing(deed: str, state: State, reason: str) -> str:
    """Return why a run has no value: what the system did (`say_refusal`), else `too few answers`.

    Words of the stored reason stand where there are none of ours.
    """
    gap = say_gap(state, reason)
    return deed or (reason if reason and gap == NO_VALUE else gap)


class Refusals:
    """Refusals of systems in runs that have no value of them. Every run is read once."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._endings: dict[int, list[dict[str, Any]]] = {}

    def at(self, series: Series, due_at: datetime) -> str:
        """Return what the system of a series did at a due time, as `say_refusal`."""
        run_ids = [tick.run_id for tick in read_grid(self._connection, series.id, due_at, due_at)]
        system = series.engine, series.source_lang, series.target
        return self.in_run(system, run_ids[0] if run_ids else None)

    def in_run(self, system: tuple[str, str, str], run_id: int | None) -> str:
        """Return what a system (engine, source, target) did in a run; empty without one."""
        if run_id is None:
            return ""
        if run_id not in self._endings:
            self._endings[run_id] = run_report.read_endings(self._connection, run_id)
        of_engine = [row for row in self._endings[run_id] if row["engine"] == system[0]]
        own = [row for row in of_engine if (row["source_lang"], row["target"]) == system[1:]]
        return say_refusal(own, of_engine)
