"""Agreement of raters, and the people they disagree on: for coordinators, not for raters.

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
from monitor.store.database import Connection
from monitor.store.derive import people
from monitor.web.site.errors import Forbidden
from monitor.web.site.rendering import make_csv
from monitor.web.site.routes import PageNumber, count_pages, make_router, serve_page, slice_page
from monitor.web.site.site_state import TheSite
from monitor.web.site.visitors import Visitor, Who, require_permission

router = make_router("labels")

_ON_A_PAGE = 50
_ALLOWED = [Depends(require_permission(Permission.EMBARGOED))]
_TWO = 2
#: Seconds after which it is computed again though nobody said anything: somebody may be erased.
_OLD_SECONDS = 30.0


class RaterPair(BaseModel):
    """Agreement of two raters over the `n` people whom both rated; null where undefined.

    Limits are those of 95 %; null where too few people have anything but the commonest label.
    """

    first: str
    second: str
    n: int
    agreement: float | None
    agreement_limits: tuple[float, float] | None
    kappa: float | None
    kappa_limits: tuple[float, float] | None


class DisputedPerson(BaseModel):
    """A person whom raters label differently; `said` is {rater: newest label}."""

    key: str
    name: str
    said: dict[str, str]


class LabelCount(BaseModel):
    """Number of people with a label of this state and source."""

    state: str
    source: str
    n: int


class RaterAgreement(BaseModel):
    """Agreement of all raters."""

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
    pairs: list[RaterPair]
    counts: list[LabelCount]
    differing: list[DisputedPerson]
    n_differing: int
    page: int
    n_pages: int


@dataclass(frozen=True, slots=True)
class _CachedAgreement:
    """Computed agreement with the ratings that it is of."""

    known_at: tuple[int, float]
    of: sheets.LabelAgreement
    n_twice: int


@serve_page(
    router, "/labels/agreement", "agreement.html", Permission.EMBARGOED, api="/labels/agreement"
)  # fmt: skip
def agreement(request: Request, site: TheSite, who: Who, page: PageNumber = 1) -> RaterAgreement:
    """Agreement of raters: raw, Cohen's kappa of each pair, Krippendorff's alpha of all."""
    _refuse_raters(who)
    with site.database.read() as connection:
        compared = _read_agreement(request, connection)
        result = compared.of
        disputed = slice_page(result["disagreements"], page, _ON_A_PAGE)
        counts = [
            LabelCount(state=state, source=source, n=n)
            for state, source, n in people.count_labels(connection)
        ]
        return RaterAgreement.model_validate({
            **result, "n_twice": compared.n_twice, "counts": counts,
            "differing": _list_disputed(connection, who, disputed),
            "n_differing": len(result["disagreements"]), "page": page,
            "n_pages": count_pages(len(result["disagreements"]), _ON_A_PAGE),
        })  # fmt: skip


def _refuse_raters(who: Visitor) -> None:
    """Raise Forbidden for who labels: they would see what others say."""
    if who.may(Permission.LABEL):
        raise Forbidden("who labels does not see what others say: ask a user who does not label")


def _read_agreement(request: Request, connection: Connection) -> _CachedAgreement:
    """Return the agreement, computed again after new ratings."""
    known_at = (people.find_newest_rating(connection), monotonic() // _OLD_SECONDS)
    cached: _CachedAgreement | None = getattr(request.app.state, "agreement", None)
    if cached is None or cached.known_at != known_at:
        first, ratings = people.read_first_ratings(connection), people.read_ratings(connection)
        twice = sum(len(rating) >= _TWO for rating in ratings.values())
        cached = _CachedAgreement(known_at, sheets.compare_raters(first, ratings), twice)
        request.app.state.agreement = cached
    return cached


def _list_disputed(
    connection: Connection, who: Visitor, disputed: Sequence[sheets.Disagreement]
) -> list[DisputedPerson]:
    people_shown = {}
    if disputed and who.may(Permission.CAPTURED):
        people_shown = people.read_shown_entities(
            connection, [person["entity"] for person in disputed]
        )
    return [
        DisputedPerson(
            key=person["key"],
            name=people_shown[person["entity"]][0].name if person["entity"] in people_shown else "",
            said=person["groups"],
        )
        for person in disputed
    ]


@router.get("/labels/agreement.csv", dependencies=_ALLOWED, include_in_schema=False)
def pairs_file(request: Request, site: TheSite, who: Who) -> Response:
    """Return the agreement of each pair of raters as CSV."""
    _refuse_raters(who)
    with site.database.read() as connection:
        result = _read_agreement(request, connection).of
    none = (None, None)
    rows = [
        [pair["first"], pair["second"], pair["n"],
         pair["agreement"], *(pair["agreement_limits"] or none),
         pair["kappa"], *(pair["kappa_limits"] or none)]
        for pair in result["pairs"]
    ]  # fmt: skip
    names = ["first", "second", "n", "agreement", "agreement_low", "agreement_high", "kappa",
             "kappa_low", "kappa_high"]  # fmt: skip
    return make_csv(site, [names, *rows], "agreement")


@router.get("/labels/disagreements.csv", dependencies=_ALLOWED, include_in_schema=False)
def differing_file(request: Request, site: TheSite, who: Who) -> Response:
    """Return disputed labels as CSV: a row for each person and rater, without names."""
    _refuse_raters(who)
    with site.database.read() as connection:
        result = _read_agreement(request, connection).of
    rows = [
        [person["key"], rater, group]
        for person in result["disagreements"]
        for rater, group in sorted(person["groups"].items())
    ]
    return make_csv(site, [["key", "rater", "group"], *rows], "disagreements")
