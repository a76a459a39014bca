"""Engine against engine in one tick: paired differences with a correction for all of them, a page.

Every pair, target and quantity over all questions is one test; Benjamini and Hochberg's adjusted p
covers all tests of the tick together, so that showing fewer of them changes none.
"""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any
from zoneinfo import ZoneInfo

from monitor.stages import _pages
from monitor.stages import _report_names as names
from monitor.stages import _report_text as text
from monitor.stats.chance import benjamini_hochberg
from monitor.store.engine_comparisons import Rivals

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
    groups: dict[tuple[str, ...], list[Held]] = {}
    for one in some:
        r = one.rivals
        key = r.list, names.short_pair(r.source_lang, r.target), r.measure, r.reference
        groups.setdefault(key, []).append(one)
    environment = _pages.environment(when=lambda at: text.when(at, zone), p=said_p)
    return environment.get_template("rivals.html").render(
        run=run, groups=groups, n_tests=n_tests, level=LEVEL, n_differ=sum(o.differ for o in some)
    )


def said_p(value: float | None) -> str:
    """`0.012`, `< 0.001`, or a dash."""
    if value is None:
        return "–"
    return "< 0.001" if value < 0.001 else f"{value:.3f}"  # noqa: PLR2004 - as people write it
