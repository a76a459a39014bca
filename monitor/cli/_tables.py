"""Tables of a run for the terminal, readable at 80 columns."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import groupby
from typing import Any

from rich.table import Table
from rich.text import Text

from monitor import registry
from monitor.cli import _tables_compared as compared
from monitor.cli._console import out, table
from monitor.cli._tables_people import print_people
from monitor.cli._tables_words import print_words
from monitor.model import Cue, Kind
from monitor.stages import _report_names as names
from monitor.stages._report_people import is_people, showings
from monitor.stages._report_systems import System, systems
from monitor.stages._report_words import is_words, listings
from monitor.store.collect import request_statistics, runs
from monitor.store.database import Database
from monitor.store.derive import corpora
from monitor.store.derive.corpora import ListedCorpus
from monitor.store.reports import run_report
from monitor.text.counted_nouns import several

Row = dict[str, Any]

_STRIP = 25
_WIDE = 110
_MOST_BIASED = 15
#: The tables of single systems are printed for at most so many; the report has all.
_IN_FULL = 4


def _number(value: float | None, low: float | None, high: float | None, sign: str = "") -> str:
    """`0.93 [0.81, 0.98]`, without the interval where there is none."""
    if value is None:
        return "no value"
    if low is None or high is None:
        return f"{value:{sign}.2f}"
    return f"{value:{sign}.2f} [{low:{sign}.2f}, {high:{sign}.2f}]"


def _strip(value: float | None, low: float | None, high: float | None) -> Text:
    """An interval between 0 and 1 as a strip of characters, with the value in it."""
    if value is None or low is None or high is None:
        return Text(" " * _STRIP)
    cells = ["·"] * _STRIP
    first, place, last = (
        min(_STRIP - 1, max(0, round(number * (_STRIP - 1)))) for number in (low, value, high)
    )
    cells[first : last + 1] = ["─"] * (last + 1 - first)
    cells[place] = "●"
    return Text("".join(cells))


def _of(row: Row, target: str = "target") -> str:
    """`deepl(formality=more), en→pt`: the engine by its name in the database."""
    pair = names.short_pair(row["source_lang"], row[target], row.get("kind", Kind.MT))
    return f"{row['engine']}, {pair}"


def _rates(rows: Sequence[Row]) -> Table:
    first, wide = rows[0], out.width >= _WIDE
    strip = ["0" + " " * (_STRIP - 2) + "1"] if wide else []
    cells: list[list[str | Text]] = []
    for row in rows:
        limits = (row["value"], row["low"], row["high"])
        title = (row["title"] or "").replace(" are ", ": ", 1)
        cells.append(
            [
                f"{row['stereotype']:>2} {title}",
                *([_strip(*limits)] if wide else []),
                _number(*limits),
                f"{row['used']} of {row['planned']}",
                str(row["unidentified"]),
            ]
        )
    return table(
        f"{first['measure']} of {_of(first)}, {first['list']}",
        ["stereotype", *strip, "p_i", "used", "unclear"],
        cells,
        "p_i = share of masculine forms among the answers that mark the speaker's gender, with its "
        "Wilson interval at 95 %; unclear = answers whose gender could not be told",
    )


def _note(row: Row) -> str:
    """Why there is no value, or what must stand beside it: f_s never goes without its bound."""
    bound = row["facts"].get("f_s_limit")
    parts = [row["reason"], names.flags(row["flags"])]
    if bound is not None:
        parts.insert(0, f"bound ±{bound:.2f}")
    return ", ".join(part for part in parts if part)


def _overall(rows: Sequence[Row]) -> Table:
    first = rows[0]
    against = f" against {first['reference']}" if first["reference"] else ""
    titles = {
        quantity.name: quantity.title
        for measure in registry.discover("measures").values()
        for quantity in measure.quantities
    }
    order = list(titles)
    known = [row for row in rows if row["quantity"] in titles]
    cells = [
        [
            f"{row['quantity']}: {titles.get(row['quantity'], '')}",
            _number(row["value"], row["low"], row["high"]),
            f"{row['used']:,} of {row['planned']:,}",
            _note(row),
        ]
        for row in [
            *sorted(known, key=lambda row: order.index(row["quantity"])),
            *(row for row in rows if row not in known),
        ]
    ]
    return table(
        f"{first['measure']} of {_of(first)}, {first['list']}{against}",
        ["quantity", "value", "used", "note"],
        cells,
    )


def _topics(rows: Sequence[Row], cues: set[str]) -> Table:
    first = rows[0]
    measured = [row for row in rows if row["bias"] is not None]
    ranked = sorted(measured, key=lambda row: (-abs(row["bias"]), row["topic"]))
    spoken = cues == {Cue.PRONOUN}
    cells = [
        [
            row["topic"].replace("_", " "),
            f"{row['bias']:+.2f}",
            _number(row["model"], row["model_low"], row["model_high"]),
            f"{row['target']:.3f} ({row['country']} {row['as_of']})",
            f"{row['used']} of {row['planned']}",
        ]
        for row in ranked[:_MOST_BIASED]
    ]
    share = "share of she among he and she" if spoken else "feminine share"
    return table(
        f"Most biased professions of {_of(first, 'target_lang')}, against {first['reference']}",
        ["occupation", "bias", "she" if spoken else "feminine share", "reference", "used"],
        cells,
        f"bias = {share} - reference share; {len(measured)} of "
        f"{several(len(rows), 'occupation has', 'occupations have')} "
        "enough marked answers. Intervals describe templates of this kind: templates are not "
        "independent draws, so there is no p-value for one occupation.",
    )


def _ratios(system: System, titles: Mapping[str, str]) -> Table:
    """q_i of a language model by stereotype and template."""
    points = {
        tuple(scope.partition(":")[2].split("/")): p for scope, p in system.by_scope("q_i").items()
    }
    templates = list(dict.fromkeys(template for template, _ in points))
    numbers = list(dict.fromkeys(number for _, number in points))
    cells = [
        [
            f"{number:>2} {titles.get(number, '')}",
            *(_ratio(points.get((t, number))) for t in templates),
        ]
        for number in numbers
    ]
    return table(
        f"q_i of {system.engine}, {system.list_name}",
        ["stereotype", *(f"template {name}" for name in templates)],
        cells,
        "q_i = masculine over feminine probability, geometric mean; 1 = neither is likelier; "
        "compare within one model and one template only",
    )


def _ratio(point: Row | None) -> str:
    return "no value" if point is None or point["value"] is None else f"{point['value']:.2f}"


def _grouped(rows: Sequence[Row], *keys: str) -> list[list[Row]]:
    key: Callable[[Row], tuple[str, ...]] = lambda row: tuple(str(row[n]) for n in keys)  # noqa: E731
    return [list(group) for _, group in groupby(sorted(rows, key=key), key=key)]


_PLACE = ("list", "engine", "source_lang")


def _without_data(row: Row) -> str:
    """Answers that hold no data, so that the line adds up."""
    kinds = ("empty", "unreadable", "blocked")
    return "".join(f", {row[kind]:,} {kind}" for kind in kinds if row[kind])


def _texts(gathered: Sequence[ListedCorpus]) -> None:
    """What a run that asked nobody has read."""
    cells = [
        [
            _of({"engine": one.engine, "source_lang": one.corpus.source_lang,
                 "target": one.corpus.region, "kind": one.kind}),
            *(f"{n:,}" for n in (len(one.runs), one.corpus.answers, one.corpus.documents,
                                 one.corpus.repeats, one.corpus.missing)),
        ]
        for one in gathered
    ]  # fmt: skip
    columns = ("system", "runs", "answers", "texts", "repeats", "no text")
    title = f"Texts of the results, {gathered[0].corpus.query['period']}"
    out.print(table(title, columns, cells))
    for reason in dict.fromkeys(one.corpus.reason for one in gathered if one.corpus.reason):
        compared.say(f"No value stands: {reason}.")


def print_run(database: Database, run_id: int) -> None:
    """Print what a run found, system by system where they are few, and what is missing."""
    with database.read() as connection:
        points = run_report.read_points(connection, run_id)
        rates = run_report.read_masculine_rates(connection, run_id)
        topics = run_report.read_topics(connection, run_id)
        cues = run_report.read_cues(connection, run_id)
        content = runs.read_job_content(connection, run_id)
        coverage = run_report.read_coverage(connection, run_id)
        pronouns = run_report.read_pronouns(connection, run_id)
        endings = run_report.read_endings(connection, run_id)
        stereotypes = run_report.read_stereotypes(connection)
        suspended = run_report.read_suspensions(connection, run_id)
        signatures = run_report.read_signatures(connection, run_id)
        pages = run_report.read_pages(connection, run_id)
        people = run_report.read_people(connection, run_id)
        queries = run_report.read_queries(connection, run_id)
        labels = run_report.read_lists(connection, run_id)
        apart = (
            request_statistics.measure_spreads(connection, run_id)
            if content.get("synchronised")
            else []
        )
        gathered = corpora.list_corpora(connection, run_id)
    every = systems(points, content, cues)
    found = [system for system in every if not is_people(system) and not is_words(system)]
    of_texts = {point["point_id"] for system in found for point in system.points}
    titles = {
        row["scope"].partition(":")[2]: row["title"].replace(" are ", ": ", 1)
        for row in stereotypes
    }
    if gathered:
        _texts(gathered)
    if len(found) <= _IN_FULL:
        _in_full(found, rates, [t for t in topics if t["point_id"] in of_texts], cues, titles)
    if len(found) > 1 or any(system.pronoun or system.kind == Kind.LM for system in found):
        compared.compared(found, coverage, pronouns)
    if len(found) > _IN_FULL:
        compared.say("Every value, system by system: monitor report")
    shown = {(s.list_name, s.engine, s.source_lang, s.target) for s in found}
    print_words(listings(every, labels, queries, {}))
    print_people(showings(every, signatures), pages, people, topics)
    texts = [row for row in coverage if row["kind"] != Kind.SEARCH]
    _covered(row for row in texts if len(found) <= _IN_FULL or _place(row) not in shown)
    compared.missing(endings, suspended)
    if spread := request_statistics.summarize_spreads(apart):
        compared.say(
            f"Asked together: of {several(spread.n, 'question')} to several engines, half left "
            "within "
            f"{spread.median:.2f} s of each other, 95% within {spread.p95:.2f} s, all within "
            f"{spread.most:.2f} s"
        )


def _in_full(
    found: Sequence[System],
    rates: Sequence[Row],
    topics: Sequence[Row],
    cues: Mapping[str, set[str]],
    titles: Mapping[str, str],
) -> None:
    for some in _grouped(rates, *_PLACE, "target", "measure"):
        out.print(_rates(some))
    everywhere = [p for system in found for p in system.points if p["scope"] == "all"]
    for some in _grouped(everywhere, *_PLACE, "target", "measure", "reference"):
        out.print(_overall(some))
    for system in found:
        if system.by_scope("q_i"):
            out.print(_ratios(system, titles))
    for some in _grouped(topics, *_PLACE, "target_lang", "measure", "reference"):
        if some[0]["reference"] not in compared.IN_REPORT_ONLY:
            out.print(_topics(some, cues.get(some[0]["list"], set())))


def _place(row: Row) -> tuple[str, str, str, str]:
    return row["list"].rsplit("@", 1)[0], row["engine"], row["source_lang"], row["target"]


def _covered(rows: Iterable[Row]) -> None:
    for row in rows:
        classes = (
            f"{row['scored']:,} scored"
            if row["scored"]
            else f"{row['used']:,} marked, {row['unmarked']:,} unmarked, "
            f"{row['both_forms']:,} both, {row['inclusive']:,} inclusive, "
            f"{row['unidentified']:,} unclear, {row['mixed']:,} contradictory"
        )
        compared.say(
            f"{row['list']} {_of(row)}: {row['answered']:,} of {row['planned']:,} answered; "
            f"{classes}, {row['unanswered']:,} unanswered{_without_data(row)}"
        )
