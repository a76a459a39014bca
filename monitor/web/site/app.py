"""The application: every page and its API, behind the middleware."""

import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from functools import cache
from http import HTTPStatus
from importlib.resources import files
from typing import Any

import anyio.to_thread
from fastapi import Depends, FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse, RedirectResponse, Response
from starlette.exceptions import HTTPException
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp

from monitor import __version__
from monitor.model import InvalidInput, StoreProblem, StoreSlow
from monitor.roles import Permission
from monitor.web.connections import Page, wrap_page
from monitor.web.site.errors import (
    TEMPORARY,
    Forbidden,
    LoginNeeded,
    Refused,
    TooMany,
    find_list,
    find_title,
    say_faults,
)
from monitor.web.site.middleware import FairShares, Guard, read_token
from monitor.web.site.page_cache import FinishedPages, PageCache
from monitor.web.site.pages import (
    account,
    agreement,
    changes,
    claim_cards,
    compare,
    donate,
    evidence,
    labels,
    methods,
    operations,
    overview,
    professions,
    query,
    reports,
    runs,
    search,
    series,
    series_answers,
    series_list,
    stereotypes,
)
from monitor.web.site.rendering import find_start, render_page
from monitor.web.site.routes import API
from monitor.web.site.site_state import Site
from monitor.web.site.visitors import SHUT_OUT, Visitor, identify_visitor, require_permission

log = logging.getLogger(__name__)

#: Requests that read the archive at the same time.
_THREADS = 10
_PAGES = (
    overview,
    evidence,
    account,
    runs,
    methods,
    series_list,
    series,
    series_answers,
    changes,
    claim_cards,
    compare,
    search,
    reports,
    labels,
    agreement,
    professions,
    operations,
    stereotypes,
    query,
    donate,
)
_RETRY_HEADERS = {"Retry-After": "5"}
_AWAY = HTTPStatus.SERVICE_UNAVAILABLE
#: Statuses of addresses that name something which is in no list.
_LEADS_TO_LIST = frozenset({HTTPStatus.NOT_FOUND, HTTPStatus.UNPROCESSABLE_ENTITY})
#: For files that change with the version, which stands in their address.
LONG_CACHE = "public, max-age=86400"


def build_application(site: Site, about: Mapping[str, Page], alive: Page) -> ASGIApp:
    """Return the ASGI application of `monitor serve`.

    `about` are pages about this process for those who may see numbers, `alive` for everybody.
    """
    app = FastAPI(
        title="monitor",
        version=__version__,
        description="The numbers of the web pages for programs. Log in with a token: "
        "`Authorization: Bearer gbm_...`.",
        openapi_url=f"{API}/openapi.json",
        docs_url=None,
        redoc_url=None,
        lifespan=_limit_threads,
    )
    app.state.site = site
    for module in _PAGES:  # `include_router` analyses every route again, for each application
        app.router.routes.extend(module.router.routes)
    app.add_api_route("/site.css", _serve_style, include_in_schema=False)
    app.add_api_route("/healthz", _wrap_quick_page(alive), include_in_schema=False)
    for path, page in about.items():
        app.add_api_route(
            path, wrap_page(page), include_in_schema=False,
            dependencies=[Depends(require_permission(Permission.EMBARGOED))],
        )  # fmt: skip
    app.mount("/static", _StaticFiles(directory=str(files("monitor.web") / "static")), "static")
    app.add_exception_handler(Refused, _answer_refusal)
    app.add_exception_handler(HTTPException, _answer_http_error)
    app.add_exception_handler(RequestValidationError, _answer_invalid_request)
    app.add_exception_handler(InvalidInput, _answer_with(HTTPStatus.BAD_REQUEST))
    words = "this takes too long to read; ask for less, or try again when less is going on"
    app.add_exception_handler(StoreSlow, _answer_with(_AWAY, words, "takes too long"))
    words = "the database cannot be used now; try again soon"
    app.add_exception_handler(StoreProblem, _answer_with(_AWAY, words, "cannot be answered now"))
    words = "a fault of this program; its log says more"  # which the server writes
    app.add_exception_handler(Exception, _answer_with(HTTPStatus.INTERNAL_SERVER_ERROR, words))
    app.state.pages = PageCache()
    app.state.donated_files, app.state.label_board = donate.WaitingFiles(), labels.LabelBoard()
    app.add_middleware(FairShares, site=site)
    # a finished page takes no thread, so it needs no place in the share of its client
    return Guard(FinishedPages(app, site, app.state.pages), site.access)


class _StaticFiles(StaticFiles):
    """Scripts and pictures, cached long because their address has the version."""

    def file_response(self, *args: Any, **kwargs: Any) -> Response:  # noqa: ANN401 - as it is there
        response = super().file_response(*args, **kwargs)
        response.headers["Cache-Control"] = LONG_CACHE
        return response


def _wrap_quick_page(page: Page) -> Callable[[Request], Awaitable[Response]]:
    """Return a route that is answered also while all threads are busy."""
    answer = wrap_page(page)

    async def answered(request: Request) -> Response:
        return answer(request)

    return answered


@cache
def _read_style() -> str:
    shared = files("monitor").joinpath("templates/style.css").read_text("utf-8")
    return shared + files("monitor.web").joinpath("static/site.css").read_text("utf-8")


def _serve_style() -> Response:
    return Response(_read_style(), media_type="text/css", headers={"Cache-Control": LONG_CACHE})


@asynccontextmanager
async def _limit_threads(_app: FastAPI) -> AsyncIterator[None]:
    anyio.to_thread.current_default_thread_limiter().total_tokens = _THREADS
    yield


async def _answer_refusal(request: Request, error: Exception) -> Response:
    assert isinstance(error, Refused)  # noqa: S101 - registered for it
    is_page = not request.url.path.startswith(API)
    headers = {}
    if isinstance(error, LoginNeeded) and is_page and not read_token(request.headers):
        if "hx-request" in request.headers:  # a part of a page: the whole of it has to go
            headers["HX-Redirect"] = account.find_login_address(request)
        elif request.method == "GET":
            return RedirectResponse(account.find_login_address(request), HTTPStatus.SEE_OTHER)
    if isinstance(error, Forbidden) and is_page and request.url.path == "/":
        who = await anyio.to_thread.run_sync(_identify_or_shut_out, request)
        if find_start(who) not in ("", "/") and not who.is_program:
            return RedirectResponse(find_start(who), HTTPStatus.SEE_OTHER)
    if isinstance(error, LoginNeeded):
        headers["WWW-Authenticate"] = "Bearer"
    if isinstance(error, TooMany):
        headers["Retry-After"] = str(error.seconds)
    return await _answer_error(request, error.status, str(error), headers)


async def _answer_http_error(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)  # noqa: S101 - registered for it
    detail = "there is no such page" if error.status_code == HTTPStatus.NOT_FOUND else error.detail
    return await _answer_error(request, error.status_code, detail, dict(error.headers or {}))


async def _answer_invalid_request(request: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)  # noqa: S101 - registered for it
    words = say_faults(request.url.path.removeprefix(API), error.errors())
    return await _answer_error(request, HTTPStatus.UNPROCESSABLE_ENTITY, words)


def _answer_with(
    status: HTTPStatus, words: str = "", log_words: str = ""
) -> Callable[[Request, Exception], Awaitable[Response]]:
    """Return a handler that answers with these words, or with those of the error."""

    async def answer(request: Request, error: Exception) -> Response:
        if log_words:
            log.warning("%s %s: %s", request.url.path, log_words, error)
        headers = _RETRY_HEADERS if status in TEMPORARY else {}
        return await _answer_error(request, status, words or str(error), headers)

    return answer


async def _answer_error(
    request: Request, status: int, detail: str, headers: dict[str, str] | None = None
) -> Response:
    if request.url.path.startswith(API):
        return JSONResponse({"detail": detail}, status, headers)
    who = await anyio.to_thread.run_sync(_identify_or_shut_out, request)
    is_temporary = status in TEMPORARY and request.method == "GET"
    has_list = status in _LEADS_TO_LIST and who.may(Permission.NUMBERS)
    content = {
        "title": find_title(status), "detail": detail,
        "list": find_list(request.url.path) if has_list else ("", ""),
        "again": account.find_path(request) if is_temporary else "",
    }  # fmt: skip
    page = render_page(request, who, "error.html", content, status)
    page.headers.update(headers or {})
    return page


def _identify_or_shut_out(request: Request) -> Visitor:
    """Return who asks; an error page shows only the menu of somebody who cannot be told now."""
    try:
        return identify_visitor(request, request.app.state.site)
    except Exception:  # noqa: BLE001 - what was wrong with the page is wrong here too
        return SHUT_OUT
