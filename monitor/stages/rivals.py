"""Engine against engine in one tick: paired differences with a correction for all of them, a page.

Every pair, target and quantity over all questions is one test; Benjamini and Hochberg's adjusted p
covers all tests of the tick together, so that showing fewer of them changes none.
"""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any
from zoneinfo import ZoneInfo

from monitor import __version__
from monitor.stages import _report_names as names
from monitor.stages._report_text import when
from monitor.stages.document import records as doc
from monitor.stages.document.html import html
from monitor.stats.chance import benjamini_hochberg
from monitor.store.rivals import Rivals

Row = dict[str, Any]
#: Of the adjusted p: what is called a difference.
LEVEL = 0.05


@dataclass(frozen=True, slots=True)
class Held:
    """Two engines in one quantity, with the p adjusted for all tests of the tick."""

    rivals: Rivals
    q: float | None

    @property
    def differ(self) -> bool:
        """Whether it is called a difference."""
        return self.q is not None and self.q <= LEVEL

    def row(self) -> Row:
        """For programs."""
        return asdict(self.rivals) | {"q": self.q, "differ": self.differ}


def held(found: Sequence[Rivals]) -> list[Held]:
    """All comparisons of a tick with their adjusted p."""
    q = adjusted({one.comparison_id: one.p for one in found})
    return [Held(one, q.get(one.comparison_id)) for one in found]


def adjusted(p: Mapping[int, float | None]) -> dict[int, float]:
    """{comparison: adjusted p} from the p of all comparisons of a tick, of those that have one."""
    tested = {number: one for number, one in p.items() if one is not None}
    q = benjamini_hochberg(list(tested.values()))
    return dict(zip(tested, map(float, q), strict=True))


def page(run: Mapping[str, Any], some: Sequence[Held], n_tests: int, zone: ZoneInfo) -> str:
    """One HTML file: a table for each list, pair of languages and measure."""
    groups: dict[tuple[str, str, str, str], list[Held]] = {}
    for one in some:
        r = one.rivals
        key = r.list, names.short_pair(r.source_lang, r.target), r.measure, r.reference
        groups.setdefault(key, []).append(one)
    n_differ = sum(one.differ for one in some)
    lead: list[doc.Block] = [
        doc.Words("Each two engines on the questions that both answered usably in this tick."),
        doc.Words(
            f"{n_differ} of the differences below hold at {LEVEL} after the correction for all "
            f"{n_tests} tests of the tick (Benjamini and Hochberg 1995). The correction does not "
            "depend on what is shown."
        ),
    ]
    if not groups:
        nobody = "No two engines of one kind were asked the same questions in this run."
        lead.append(doc.Words(nobody))
    document = doc.Document(
        title="Compare systems",
        kicker=f"Job {run['job']}, run {run['id']}, due {when(run['due_at'], zone)}",
        banner="",
        page_one=lead,
        sections=[_section(place, *key, rows) for place, (key, rows) in enumerate(groups.items())],
        generator=f"monitor {__version__}",
        closing=f"Times are in {zone.key}.",
    )
    return html(document)


def _section(
    place: int, list_name: str, pair: str, measure: str, reference: str, rows: Sequence[Held]
) -> doc.Section:
    against = f", against {reference}" if reference else ""
    title = f"{list_name}, {pair}: {measure}{against}"
    titles = [
        "quantity", "first", "second", "second less first, 95 % interval", "#questions",
        "#answered otherwise", "#p", "#adjusted p",
    ]  # fmt: skip
    return doc.Section(f"compared-{place}", title, [doc.table("", titles, map(_row, rows))])


def _row(one: Held) -> list[doc.Prose]:
    r = one.rivals
    first, second = (
        name if value is None else f"{name} {value:z.3f}"
        for name, value in ((r.first, r.value_first), (r.second, r.value_second))
    )
    said: doc.Prose = f"not compared: {r.reason}"
    if r.delta is not None:
        ends = ", without an interval" if r.low is None else f", {r.low:+z.3f} to {r.high:+z.3f}"
        said = (doc.Span(f"{r.delta:+z.3f}", "strong" if one.differ else ""), doc.Span(ends))
    return [
        r.quantity, first, second, said, str(r.n), str(r.changed), said_p(r.p), said_p(one.q),
    ]  # fmt: skip


def said_p(value: float | None) -> str:
    """`0.012`, `< 0.001`, or a dash."""
    if value is None:
        return "–"
    return "< 0.001" if value < 0.001 else f"{value:.3f}"  # noqa: PLR2004 - as people write it
