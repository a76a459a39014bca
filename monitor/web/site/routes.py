"""Routes of pages: one function reads the content, which is served as HTML and as JSON.

    router = make_router("series")

    @serve_page(router, "/series/{number}", "series.html", Permission.NUMBERS)
    def series(number: Number, site: TheSite, who: Who) -> SeriesPage: ...

serves `/series/7` for people and `/api/v1/series/7` for programs, with the same numbers.

Types of parameters accept one spelling: `1_0` is no number, `0.5` no time. Text has no NUL, which
no database can hold.
"""

import inspect
import re
from collections.abc import Callable
from datetime import datetime
from typing import Annotated, Any, Literal, TypeVar, get_type_hints

from fastapi import APIRouter, Depends, Path, Query, Request
from fastapi.responses import Response
from pydantic import BaseModel, BeforeValidator, Field, WithJsonSchema, create_model

from monitor.roles import Permission
from monitor.web.site.errors import ANSWERS
from monitor.web.site.page_cache import keep_page
from monitor.web.site.rendering import render_page
from monitor.web.site.site_state import TheSite
from monitor.web.site.visitors import Who, require_permission

_DIGITS = re.compile(r"-?[0-9]{1,20}")
_DATE = r"[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])"
_TIME = r"([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9]([.][0-9]{1,6})?)?"
_ZONE = r"(Z|[+-]([01][0-9]|2[0-3]):[0-5][0-9])"
_MOMENT_PATTERN = rf"^{_DATE}([T ]{_TIME}{_ZONE}?)?$"
_WRITTEN = re.compile(_MOMENT_PATTERN)
Text = Annotated[str, Query(max_length=300, pattern=r"^[^\x00]*$")]
SignatureHash = Annotated[str, Query(max_length=64, pattern="^[0-9a-f]*$")]
API = "/api/v1"
#: How much of an archive is made up.
InventedShare = Literal["", "some", "all"]
Content = TypeVar("Content", bound=Callable[..., BaseModel])
Route = TypeVar("Route", bound=Callable[..., Any])


def _check_digits(value: object) -> object:
    """Return a number that is written in digits. Raises ValueError for any other text."""
    if isinstance(value, str) and not _DIGITS.fullmatch(value):
        raise ValueError("must be a whole number")
    return value


def _check_moment(value: object) -> object:
    """Return a date or time as it is written. Raises ValueError for any other text."""
    if isinstance(value, str) and not _WRITTEN.fullmatch(value):
        raise ValueError(
            "must be a date, 2026-05-31, or a time with its zone, 2026-05-31T12:00:00Z"
        )
    return value


Whole = Annotated[int, BeforeValidator(_check_digits)]
Number = Annotated[Whole, Path(ge=1, le=2**63 - 1)]
Run = Annotated[Whole | None, Query(ge=1, le=2**63 - 1)]
PageNumber = Annotated[Whole, Query(ge=1, le=10_000)]
Moment = Annotated[
    datetime,
    BeforeValidator(_check_moment),
    WithJsonSchema({"type": "string", "pattern": _MOMENT_PATTERN}),
]


def make_router(tag: str) -> APIRouter:
    """Return a router for the pages of one module."""
    return APIRouter(tags=[tag])


def add_api(
    router: APIRouter, path: str, content: Callable[..., BaseModel], permission: Permission
) -> None:
    """Serve what a function reads as JSON, with the field that says that data are invented."""
    model = _make_envelope(get_type_hints(content)["return"])

    def answer(site: TheSite, it: Any = Depends(content)) -> Any:  # noqa: ANN401, B008
        enveloped = model.model_construct(invented=site.is_invented().share)
        enveloped.__dict__.update(it.__dict__)  # it was checked when it was made
        return enveloped

    router.add_api_route(
        API + path, answer, dependencies=[Depends(require_permission(permission))],
        responses=ANSWERS, response_model=model, operation_id=content.__name__,
        name=content.__name__, description=inspect.getdoc(content),
    )  # fmt: skip


def _make_envelope(model: type[BaseModel]) -> type[BaseModel]:
    """Return a model with the fields of another one, and whether the data are invented."""
    share = Field("", description="How much of the archive is made up: all, some, or nothing.")
    return create_model(
        model.__name__, __base__=model, __module__=model.__module__, __doc__=model.__doc__,
        # the other fields have their descriptions; to look for more reads every module's source
        __cls_kwargs__={"use_attribute_docstrings": False}, invented=(InventedShare, share),
    )  # fmt: skip


def _add_parameters(html: Callable[..., Any], content: Callable[..., Any]) -> inspect.Signature:
    """Return the signature of a page with the parameters of what reads its content."""
    types = get_type_hints(content, include_extras=True)
    own = dict(inspect.signature(html).parameters)
    del own["asked"]
    added = [
        parameter.replace(annotation=types[name], kind=parameter.KEYWORD_ONLY)
        for name, parameter in inspect.signature(content).parameters.items()
        if name not in own
    ]
    return inspect.Signature([*own.values(), *added])


def serve_page(
    router: APIRouter,
    path: str,
    template: str,
    permission: Permission,
    *,
    api: str | None = None,
    is_live: bool = False,
) -> Callable[[Content], Content]:
    """Serve what a function reads as a page and as JSON; `api` is its path there if another.

    A live page shows what moves without a new value, such as the progress of a run. It is made
    anew for each request; other pages are kept (`page_cache.py`).
    """

    def declare(content: Content) -> Content:
        given = inspect.signature(content).parameters

        def html(request: Request, who: Who, **asked: Any) -> Response:  # noqa: ANN401
            if "who" in given:
                asked["who"] = who
            response = render_page(request, who, template, content(**asked))
            return response if is_live else keep_page(request, who, response)

        # one function, and so one thread, reads and renders; it takes the parameters of `content`
        html.__signature__ = _add_parameters(html, content)  # type: ignore[attr-defined]
        serve_file(router, path, permission, name=f"{content.__name__}_page")(html)
        add_api(router, path if api is None else api, content, permission)
        return content

    return declare


def serve_file(
    router: APIRouter, path: str, permission: Permission = Permission.NUMBERS, name: str = ""
) -> Callable[[Route], Route]:
    """Serve what a function returns, which the document of the API does not describe."""
    allowed = [Depends(require_permission(permission))]
    return router.get(path, include_in_schema=False, dependencies=allowed, name=name or None)
