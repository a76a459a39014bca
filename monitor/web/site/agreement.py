"""How far raters agree on who is shown, and on whom they differ: for coordinators, not for raters.

The numbers are those of `monitor label agreement`; nobody here overrules a rater.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from time import monotonic

from fastapi import Depends, Request
from fastapi.responses import Response
from pydantic import BaseModel, ConfigDict

from monitor.labels import sheets
from monitor.roles import Permission
from monitor.stats.intervals import Limits
from monitor.store.database import Connection
from monitor.store.derive import people
from monitor.web.site._download import csv
from monitor.web.site._errors import Forbidden
from monitor.web.site._inputs import PageNumber
from monitor.web.site._routes import page, pages
from monitor.web.site._site import TheSite
from monitor.web.site._visitor import Visitor, Who, needs

router = pages("labels")

_ON_A_PAGE = 50
_TWO = 2
#: Seconds after which it is computed again though nobody said anything: somebody may be erased.
_OLD = 30.0


class Pair(BaseModel):
    """Two raters, over the `n` people whom both rated; null where that says nothing.

    Limits are those of 95 %; null where too few people have anything but the commonest label.
    """

    first: str
    second: str
    n: int
    agreement: float | None
    agreement_limits: tuple[float, float] | None
    kappa: float | None
    kappa_limits: tuple[float, float] | None


class Differing(BaseModel):
    """Somebody on whom raters differ; `said` is {rater: what they said}, the newest of each."""

    key: str
    name: str
    said: dict[str, str]


class Count(BaseModel):
    """How many people have a label of this state, from this source."""

    state: str
    source: str
    n: int


class Agreed(BaseModel):
    """How far raters agree."""

    model_config = ConfigDict(use_attribute_docstrings=True)

    raters: dict[str, int]
    """{rater: of how many people they said something}."""
    n_twice: int
    """People whom two or more rated: those alpha is computed over."""
    alpha: float | None
    """Krippendorff's, nominal, of what each rater said of a person first; null where chance alone
    explains all, or nobody was rated twice."""
    alpha_limits: tuple[float, float] | None
    alpha_newest: float | None
    """The same of what counts now. Not independent: who differed may have been asked again."""
    n_changed: int
    """How many ratings are another now than at first."""
    pairs: list[Pair]
    counts: list[Count]
    differing: list[Differing]
    n_differing: int
    page: int
    n_pages: int


@dataclass(frozen=True, slots=True)
class _Compared:
    """What was computed from which ratings; `n_twice` people were rated by two or more."""

    known_at: tuple[int, float]
    of: sheets.Agreement
    n_twice: int


@page(
    router, "/labels/agreement", "agreement.html", Permission.EMBARGOED, api="/labels/agreement"
)  # fmt: skip
def agreement(request: Request, site: TheSite, who: Who, page: PageNumber = 1) -> Agreed:
    """Agreement of raters: raw, Cohen's kappa of each pair, Krippendorff's alpha of all."""
    _refuse_raters(who)
    with site.database.read() as connection:
        compared = _compared(request, connection)
        found = compared.of
        some = found["disagreements"][(page - 1) * _ON_A_PAGE : page * _ON_A_PAGE]
        return Agreed(
            raters=found["raters"],
            n_twice=compared.n_twice,
            alpha=found["alpha"],
            alpha_limits=found["alpha_limits"],
            alpha_newest=found["alpha_newest"],
            n_changed=found["n_changed"],
            pairs=[Pair(**pair) for pair in found["pairs"]],
            counts=[
                Count(state=state, source=source, n=n)
                for state, source, n in people.count_labels(connection)
            ],
            differing=_differing(connection, who, some),
            n_differing=len(found["disagreements"]),
            page=page,
            n_pages=max(1, -(-len(found["disagreements"]) // _ON_A_PAGE)),
        )


def _refuse_raters(who: Visitor) -> None:
    """Raise Forbidden for who labels: they would see what others say."""
    if who.may(Permission.LABEL):
        raise Forbidden("who labels does not see what others say: ask a user who does not label")


def _compared(request: Request, connection: Connection) -> _Compared:
    """How far raters agree; computed again when somebody said something."""
    known_at = (people.find_newest_rating(connection), monotonic() // _OLD)
    found: _Compared | None = getattr(request.app.state, "agreement", None)
    if found is None or found.known_at != known_at:
        first, ratings = people.read_first_ratings(connection), people.read_ratings(connection)
        twice = sum(len(given) >= _TWO for given in ratings.values())
        found = _Compared(known_at, sheets.compared(first, ratings), twice)
        request.app.state.agreement = found
    return found


def _differing(
    connection: Connection, who: Visitor, some: Sequence[sheets.Disagreement]
) -> list[Differing]:
    shown = {}
    if some and who.may(Permission.CAPTURED):
        shown = people.read_shown_entities(connection, [one["entity"] for one in some])
    return [
        Differing(
            key=one["key"],
            name=shown[one["entity"]][0].name if one["entity"] in shown else "",
            said=one["groups"],
        )
        for one in some
    ]


@router.get(
    "/labels/agreement.csv",
    dependencies=[Depends(needs(Permission.EMBARGOED))],
    include_in_schema=False,
)
def pairs_file(request: Request, site: TheSite, who: Who) -> Response:
    """Agreement of each two raters."""
    _refuse_raters(who)
    with site.database.read() as connection:
        found = _compared(request, connection).of
    rows = [
        [one["first"], one["second"], one["n"],
         one["agreement"], *_ends(one["agreement_limits"]),
         one["kappa"], *_ends(one["kappa_limits"])]
        for one in found["pairs"]
    ]  # fmt: skip
    names = ["first", "second", "n", "agreement", "agreement_low", "agreement_high", "kappa",
             "kappa_low", "kappa_high"]  # fmt: skip
    return csv(site, [names, *rows], "agreement")


def _ends(limits: Limits | None) -> tuple[float | None, float | None]:
    return limits or (None, None)


@router.get(
    "/labels/disagreements.csv",
    dependencies=[Depends(needs(Permission.EMBARGOED))],
    include_in_schema=False,
)
def differing_file(request: Request, site: TheSite, who: Who) -> Response:
    """Who said what of those on whom raters differ: a row for each person and rater, no names."""
    _refuse_raters(who)
    with site.database.read() as connection:
        found = _compared(request, connection).of
    rows = [
        [one["key"], rater, group]
        for one in found["disagreements"]
        for rater, group in sorted(one["groups"].items())
    ]
    return csv(site, [["key", "rater", "group"], *rows], "disagreements")
