"""Tables of a run for the terminal, readable at 80 columns."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any

from rich import box
from rich.table import Table
from rich.text import Text

from monitor import registry
from monitor.cli.console import out, say_wrapped, table
from monitor.cli.reports.people_tables import IN_REPORT_ONLY, print_people
from monitor.cli.reports.words_tables import print_words
from monitor.model import Cue, Kind
from monitor.stages import _report_columns as columns
from monitor.stages import _report_coverage as coverage
from monitor.stages import _report_names as names
from monitor.stages._report_people import is_people, showings
from monitor.stages._report_systems import System, systems
from monitor.stages._report_text import visible
from monitor.stages._report_words import is_words, listings
from monitor.stages.engine_titles import engine_title
from monitor.store import corpora, overview, together
from monitor.store.corpora import Listed
from monitor.store.database import Database
from monitor.text.counted_nouns import several

Row = dict[str, Any]

#: Characters of a service's words that are printed.
_LONGEST_WORDS = 120
_SHORT = {
    "masculine": "masc.",
    "feminine": "fem.",
    "both forms": "both",
    "inclusive": "incl.",
    "contradictory": "contra.",
    "cannot say": "unclear",
    "he and she, contradictory": "contra.",
}


def compared(systems: Sequence[System], rows: Sequence[Row], pronouns: Sequence[Row]) -> None:
    """Print who is who, what the answers show and the values of every group of systems."""
    for mark, system in _marked(systems).items():
        role = f" [{system.role}]" if system.role else ""
        pair = names.short_pair(system.source_lang, system.target, system.kind)
        say_wrapped(f"{mark:>2} {system.engine}, {pair}{role}")
    if any(system.uncontrolled for system in systems):
        say_wrapped(names.NO_CONTROL)
    for (name, source, target), some in columns.side_by_side(systems).items():
        place = f"{name}, {names.short_pair(source, target, some[0].kind)}"
        if some[0].kind != Kind.LM:
            out.print(_shares(place, coverage.classes(some, rows, pronouns)))
        for measure, same in columns.by_measure(some).items():
            if chosen := columns.columns(same):
                out.print(_values(f"{measure}, {place}", chosen, same))


def _marked(systems: Sequence[System]) -> dict[str, System]:
    return {system.mark: system for system in systems}


def _grid(title: str, heads: Sequence[str], caption: str = "") -> Table:
    grid = Table(
        title=title, title_justify="left", title_style="bold", caption=caption or None,
        caption_justify="left", caption_style="dim", box=box.SIMPLE_HEAD, pad_edge=False,
        padding=(0, 1, 0, 0),
    )  # fmt: skip
    grid.add_column("")
    for head in heads:
        grid.add_column(head, justify="right")
    return grid


def _shares(place: str, found: Row) -> Table:
    heads = [_SHORT.get(head, head) for head in found["heads"]]
    grid = _grid(f"Shares of answers in %, {place}", [*heads, "answered", "of"])
    for row in found["rows"]:
        shares = ["none" if n is None else f"{100 * n:.1f}" for n in row["shares"]]
        grid.add_row(row["system"].mark, *shares, f"{row['answered']:,}", f"{row['planned']:,}")
    return grid


def _values(title: str, chosen: Sequence[columns.Column], systems: Sequence[System]) -> Table:
    notes: list[str] = [columns.meaning(systems)]
    grid = _grid(title, [column.short for column in chosen])
    for system in systems:
        cells = []
        for column in chosen:
            point = column.of(system)
            cells.append(_cell(point, "+" if column.sign else ""))
            if point is not None and point["value"] is None:
                notes.append(f"{system.mark} {column.short}: {visible(point['reason'])}")
        grid.add_row(system.mark, *cells)
    grid.caption = "\n".join(note for note in notes if note)
    return grid


def _cell(point: Row | None, sign: str) -> str:
    """A value, below it its interval, its bound and what a reader must know."""
    if point is None:
        return "not computed"
    if point["value"] is None:
        return str(point["state"]).upper()
    lines = [f"{point['value']:{sign}.2f}"]
    if point["low"] is not None:
        lines.append(f"\\[{point['low']:{sign}.2f}, {point['high']:{sign}.2f}]")
    if "f_s_limit" in point["facts"]:
        lines.append(f"bound ±{point['facts']['f_s_limit']:.2f}")
    flags = names.flags(point["flags"]).replace("not interpretable (saturated)", "saturated")
    return "\n".join([*lines, *([flags] if flags else [])])


def missing(endings: Sequence[Row], suspended: Sequence[Row]) -> None:
    """Print what stopped and what is missing, with the services' own words."""
    for row in suspended:
        until = f"{row['until']:%Y-%m-%d %H:%M} UTC"
        say_wrapped(f"{', '.join(row['engines'])}: suspended until {until} ({row['reason']})")
    for row in coverage.missing(endings, engine_title):
        say_wrapped(f"{row['label']}: {coverage.sentence(row)}")
        for line in _reasons(row["reasons"]):
            say_wrapped(line)


def _reasons(reasons: Sequence[Row]) -> Iterator[str]:
    for one in reasons:
        words = " ".join((one["text"] or one["words"]).split())
        short = words if len(words) <= _LONGEST_WORDS else f"{words[:_LONGEST_WORDS]}…"
        what = f"{one['outcome']} ({one['reason']})" if one["reason"] else one["outcome"]
        said = f": “{short}”" if short else ""
        yield f"   {what}, {', '.join(one['pairs'])}: {one['meaning']}{said}"


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


def _texts(gathered: Sequence[Listed]) -> None:
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
        say_wrapped(f"No value stands: {reason}.")


def print_run(database: Database, run_id: int) -> None:
    """Print what a run found, system by system where they are few, and what is missing."""
    with database.read() as connection:
        points = overview.points(connection, run_id)
        rates = overview.masculine_rates(connection, run_id)
        topics = overview.topics(connection, run_id)
        cues = overview.cues(connection, run_id)
        content = overview.job(connection, run_id)
        coverage = overview.coverage(connection, run_id)
        pronouns = overview.pronouns(connection, run_id)
        endings = overview.endings(connection, run_id)
        stereotypes = overview.stereotypes(connection)
        suspended = overview.suspended(connection, run_id)
        signatures = overview.signatures(connection, run_id)
        pages = overview.pages(connection, run_id)
        people = overview.people(connection, run_id)
        queries = overview.queries(connection, run_id)
        labels = overview.lists(connection, run_id)
        apart = together.spreads(connection, run_id) if content.get("synchronised") else []
        gathered = corpora.listed(connection, run_id)
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
        compared(found, coverage, pronouns)
    if len(found) > _IN_FULL:
        say_wrapped("Every value, system by system: monitor report")
    shown = {(s.list_name, s.engine, s.source_lang, s.target) for s in found}
    print_words(listings(every, labels, queries, {}))
    print_people(showings(every, signatures), pages, people, topics)
    texts = [row for row in coverage if row["kind"] != Kind.SEARCH]
    _covered(row for row in texts if len(found) <= _IN_FULL or _place(row) not in shown)
    missing(endings, suspended)
    if spread := together.summary(apart):
        say_wrapped(
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
        if some[0]["reference"] not in IN_REPORT_ONLY:
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
        say_wrapped(
            f"{row['list']} {_of(row)}: {row['answered']:,} of {row['planned']:,} answered; "
            f"{classes}, {row['unanswered']:,} unanswered{_without_data(row)}"
        )
