"""Declares pages: one function reads what a page says, and is served as HTML and as JSON.

    router = pages("series")

    @page(router, "/series/{number}", "series.html", Permission.NUMBERS)
    def series(number: int, site: TheSite, who: Who) -> SeriesPage: ...

gives `/series/7` for people and `/api/v1/series/7` for programs, with the same numbers.
"""

from collections.abc import Callable
from typing import Any, TypeVar

from fastapi import APIRouter, Depends, Request
from fastapi.responses import HTMLResponse
from pydantic import BaseModel

from monitor.roles import Permission
from monitor.web.site._errors import ANSWERS
from monitor.web.site._render import render
from monitor.web.site._visitor import Who, needs

API = "/api/v1"

Content = TypeVar("Content", bound=Callable[..., BaseModel])


def pages(tag: str) -> APIRouter:
    """A router for the pages of one file."""
    return APIRouter(tags=[tag])


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
        router.add_api_route(
            API + (path if api is None else api), content, dependencies=allowed,
            responses=ANSWERS, operation_id=content.__name__,
        )  # fmt: skip
        return content

    return declare
