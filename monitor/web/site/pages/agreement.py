"""Agreement of raters, and the people they disagree on: for coordinators, not for raters.

The numbers are those of `monitor label agreement`; nobody here overrules a rater.
"""

from collections.abc import Sequence

from fastapi.responses import Response
from pydantic import BaseModel

from monitor.labels import sheets
from monitor.roles import Permission
from monitor.store.database import Connection
from monitor.store.derive import people
from monitor.web.site.errors import Forbidden
from monitor.web.site.records import Described, count_pages, slice_page
from monitor.web.site.rendering import make_csv
from monitor.web.site.response_cache import ResponseCache
from monitor.web.site.routes import PageNumber, make_router, serve_file, serve_page
from monitor.web.site.site_state import TheSite
from monitor.web.site.visitors import Visitor, Who

router = make_router("labels")

_ON_A_PAGE = 50
_TWO = 2
#: It is computed again after some seconds though nobody said anything: somebody may be erased.
_cache = ResponseCache(longest=30.0)


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


class RaterAgreement(Described):
    """Agreement of all raters."""

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


@serve_page(
    router, "/labels/agreement", "agreement.html", Permission.EMBARGOED, api="/labels/agreement"
)  # fmt: skip
def agreement(site: TheSite, who: Who, page: PageNumber = 1) -> RaterAgreement:
    """Agreement of raters: raw, Cohen's kappa of each pair, Krippendorff's alpha of all."""
    _refuse_raters(who)
    with site.database.read() as connection:
        result, n_twice = _read_agreement(connection, who)
        disputed = slice_page(result["disagreements"], page, _ON_A_PAGE)
        counts = [
            LabelCount(state=state, source=source, n=n)
            for state, source, n in people.count_labels(connection)
        ]
        return RaterAgreement.model_validate({
            **result, "n_twice": n_twice, "counts": counts,
            "differing": _list_disputed(connection, who, disputed),
            "n_differing": len(result["disagreements"]), "page": page,
            "n_pages": count_pages(len(result["disagreements"]), _ON_A_PAGE),
        })  # fmt: skip


def _refuse_raters(who: Visitor) -> None:
    """Raise Forbidden for who labels: they would see what others say."""
    if who.may(Permission.LABEL):
        raise Forbidden("who labels does not see what others say: ask a user who does not label")


def _read_agreement(connection: Connection, who: Visitor) -> tuple[sheets.LabelAgreement, int]:
    """Return the agreement, and how many people were rated twice; read again after new ratings."""

    def read() -> tuple[sheets.LabelAgreement, int]:
        first, ratings = people.read_first_ratings(connection), people.read_ratings(connection)
        n_twice = sum(len(rating) >= _TWO for rating in ratings.values())
        return sheets.compare_raters(first, ratings), n_twice

    newest = people.find_newest_rating(connection)
    return _cache.get(connection, who, "agreement", read, (newest,))


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


@serve_file(router, "/labels/agreement.csv", Permission.EMBARGOED)
def pairs_file(site: TheSite, who: Who) -> Response:
    """Return the agreement of each pair of raters as CSV."""
    _refuse_raters(who)
    with site.database.read() as connection:
        result, _ = _read_agreement(connection, who)
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


@serve_file(router, "/labels/disagreements.csv", Permission.EMBARGOED)
def differing_file(site: TheSite, who: Who) -> Response:
    """Return disputed labels as CSV: a row for each person and rater, without names."""
    _refuse_raters(who)
    with site.database.read() as connection:
        result, _ = _read_agreement(connection, who)
    rows = [
        [person["key"], rater, group]
        for person in result["disagreements"]
        for rater, group in sorted(person["groups"].items())
    ]
    return make_csv(site, [["key", "rater", "group"], *rows], "disagreements")
