"""Declares pages: one function reads what a page says, and is served as HTML and as JSON.

    router = pages("series")

    @page(router, "/series/{number}", "series.html", Permission.NUMBERS)
    def series(number: int, site: TheSite, who: Who) -> SeriesPage: ...

gives `/series/7` for people and `/api/v1/series/7` for programs, with the same numbers.
"""

import inspect
from collections.abc import Callable, Sequence
from typing import Any, Literal, TypeVar, get_type_hints

from fastapi import APIRouter, Depends, Request
from fastapi.responses import HTMLResponse
from pydantic import BaseModel, Field, create_model

from monitor.roles import Permission
from monitor.web.site._errors import ANSWERS
from monitor.web.site._render import render
from monitor.web.site._site import TheSite
from monitor.web.site._visitor import Who, needs

API = "/api/v1"
#: How much of an archive is made up.
Share = Literal["", "some", "all"]

Content = TypeVar("Content", bound=Callable[..., BaseModel])


def pages(tag: str) -> APIRouter:
    """A router for the pages of one file."""
    return APIRouter(tags=[tag])


def add_api(
    router: APIRouter, path: str, content: Callable[..., BaseModel], allowed: Sequence[Any]
) -> None:
    """Serve what a function reads as JSON, with the field that says that data are invented."""
    model = _envelope(get_type_hints(content)["return"])

    def answer(site: TheSite, it: Any = Depends(content)) -> Any:  # noqa: ANN401, B008
        enveloped = model.model_construct(invented=site.is_invented().share)
        enveloped.__dict__.update(it.__dict__)  # it was checked when it was made
        return enveloped

    router.add_api_route(
        API + path, answer, dependencies=allowed, responses=ANSWERS, response_model=model,
        operation_id=content.__name__, name=content.__name__, description=inspect.getdoc(content),
    )  # fmt: skip


def _envelope(model: type[BaseModel]) -> type[BaseModel]:
    """Return a model with the fields of another one, and whether the data are invented."""
    share = Field("", description="How much of the archive is made up: all, some, or nothing.")
    return create_model(
        model.__name__, __base__=model, __module__=model.__module__, __doc__=model.__doc__,
        # the other fields have their descriptions; to look for more reads every module's source
        __cls_kwargs__={"use_attribute_docstrings": False}, invented=(Share, share),
    )  # fmt: skip


def page(
    router: APIRouter, path: str, template: str, permission: Permission, *, api: str | None = None
) -> Callable[[Content], Content]:
    """Serve what a function reads as a page and as JSON; `api` is its path there if another."""

    def declare(content: Content) -> Content:
        def html(request: Request, who: Who, it: Any = Depends(content)) -> HTMLResponse:  # noqa: ANN401, B008
            return render(request, who, template, it)

        allowed = [Depends(needs(permission))]
        router.add_api_route(
            path, html, dependencies=allowed, include_in_schema=False,
            name=f"{content.__name__}_page",
        )  # fmt: skip
        add_api(router, path if api is None else api, content, allowed)
        return content

    return declare
