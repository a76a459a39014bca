"""The sites that the texts by a model above search results cite."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import IntEnum, auto

from monitor.measures._shared import SCORE, Changes, Facts, Units, checked, make_quantity, whole
from monitor.measures.entities._entity_sums import Ratio
from monitor.measures.overviews._overview_sums import OverviewSums, list_answered
from monitor.model import (
    Context,
    Floats,
    InvalidInput,
    Overview,
    OverviewState,
    Result,
    Source,
    Unit,
    Validity,
)


class _Sum(IntEnum):
    """Columns of the sums."""

    OF_DOMAIN = 0  # share of the cited pages that are of the domain
    CONCENTRATION = auto()  # sum of the squared shares of all domains
    CITING = auto()  # 1 if a shown overview cites a page
    ANSWERED = auto()


_RATIOS = {
    "cited_share": Ratio(_Sum.OF_DOMAIN, _Sum.CITING),
    "cited_concentration": Ratio(_Sum.CONCENTRATION, _Sum.CITING),
}
QUANTITIES = (
    make_quantity(
        "cited_share", "share of the cited pages that are of one site",
        "pages of {site} among those that AI overviews cite", SCORE, "share", "cites {site} more",
        "cites {site} less", rank=1,
    ),
    make_quantity(
        "cited_concentration", "probability that two cited pages of an overview are of one site",
        "concentration of the pages that AI overviews cite", SCORE, "share", "cites fewer sites",
        "cites more sites",
    ),
)  # fmt: skip


def is_of(domain: str, site: str) -> bool:
    """Return whether a host is that of a site, or below it."""
    return domain == site or domain.endswith(f".{site}")


def _check_host(measure: str, name: str, value: object) -> object:
    if not isinstance(value, str) or "." not in value or "/" in value:
        raise InvalidInput(
            f"{measure}: {name} is {value!r}; it must be a host, for example wikipedia.org"
        )
    return value


@dataclass(frozen=True, slots=True)
class CitedDomains(OverviewSums):
    """The sites that overviews cite: the share of one, how concentrated they are, the leading ones.

    Of a question q with a shown overview, s_q(d) is the share of site d among its cited pages;
    repeats are averaged. cited_share = mean of s_q(`domain`), hosts below it included, and in the
    scopes `tag:domain=HOST` mean of s_q(HOST) for the `top` hosts that are cited most. Those of the
    tick before are among them, so that a host that is cited no more has its value.
    cited_concentration = mean over q of the sum of s_q(d)^2. Questions whose overview cites nothing
    have no part in them.
    """

    domain: str = checked("wikipedia.org", _check_host)
    top: int = whole(10, 0)

    name = "cited_domains"
    title = "sites cited by AI overviews"
    version = 2
    citation = "monitor, docs/methods.md: AI overviews"
    quantities = QUANTITIES
    primaries = ("cited_share", "cited_concentration")
    columns = len(_Sum)
    shares = _RATIOS
    validity = Validity(
        means="Whose pages the engine names as the grounds of its texts.",
        does_not_mean="That the text rests on these pages, or that the pages say what it says.",
        assumes="That all cited pages were on the page when it was read.",
        harm="Allocational: what is cited is seen, what is not cited is not.",
    )

    def unit(self, unit: Unit) -> tuple[float, ...] | None:
        """Return what one question adds to each sum; None without a usable answer."""
        answered = list_answered(unit)
        if not answered:
            return None
        shares = [shares for overview in answered if (shares := cited_shares(overview))]
        if not shares:
            return (0.0, 0.0, 0.0, 1.0)
        own = [sum(s for d, s in one.items() if is_of(d, self.domain)) for one in shares]
        squares = [sum(share**2 for share in one.values()) for one in shares]
        return (min(1.0, sum(own) / len(own)), min(1.0, sum(squares) / len(squares)), 1.0, 1.0)

    def list_possible(self) -> tuple[Overview, ...]:
        """Return the answers that a question could have, one of each kind."""
        own, other = (Source("", "", host) for host in (self.domain, f"not-{self.domain}"))
        shown = [Overview(OverviewState.SHOWN, sources) for sources in ((own,), (other,))]
        return (Overview(None), *shown)

    def describe_sums(self, sums: Floats) -> Facts:
        """Return the number of questions with an answer, and with cited pages."""
        columns = (_Sum.ANSWERED, _Sum.CITING)
        return tuple((f"n_{column.name.lower()}", float(sums[column])) for column in columns)

    def derive(self, units: Sequence[Unit], context: Context) -> Result:
        """Return the values of the site, and the share of each leading host as a scope."""
        result = OverviewSums.derive(self, units, context)
        of_hosts = [
            replace(value, scope=scope)
            for scope, measure in self._by_host(units, context)
            for value in OverviewSums.derive(measure, units, context).values
            if value.name == "cited_share"
        ]
        return Result((*result.values, *of_hosts))

    def paired(self, before: Units, after: Units, context: Context) -> Changes:
        """Return the changes over all questions, and of the share of each leading host."""
        changes = OverviewSums.paired(self, before, after, context)
        of_hosts = [
            replace(change, scope=scope)
            for scope, measure in ([] if context.over_all else self._by_host(after, context))
            for change in OverviewSums.paired(measure, before, after, context)
            if change.name == "cited_share"
        ]
        return (*changes, *of_hosts)

    def _by_host(self, units: Sequence[Unit], context: Context) -> list[tuple[str, "CitedDomains"]]:
        """Return (scope, measure) of the hosts that lead now or led at the tick before."""
        hosts = {*self._leading(units), *self._leading(context.before)}
        return [(f"tag:domain={host}", replace(self, domain=host)) for host in sorted(hosts)]

    def _leading(self, units: Sequence[Unit]) -> list[str]:
        """Return the hosts with the largest shares of all questions; of equal ones by name."""
        total: Counter[str] = Counter()
        for unit in units:
            for overview in list_answered(unit):
                total.update(cited_shares(overview))
        hosts = sorted(total, key=lambda host: (-total[host], host))
        return [host for host in hosts if "." in host][: self.top]


def cited_shares(overview: Overview) -> dict[str, float]:
    """Return the share of each host among the pages that a shown overview cites."""
    if overview.state is not OverviewState.SHOWN:
        return {}
    hosts = Counter(source.domain for source in overview.sources if source.domain)
    return {host: n / hosts.total() for host, n in sorted(hosts.items())}


MEASURE = CitedDomains()
