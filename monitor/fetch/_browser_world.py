"""Looks into a page from a world of its own, which the page's scripts cannot change."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from playwright.async_api import CDPSession

#: Names of elements must not stand in for properties of the document.
_OWN = "const own = (name) => Reflect.get(Document.prototype, name, document);"
_LOOK = """(() => {%s
const all = (css) => Document.prototype.querySelectorAll.call(document, css);
const seen = (one) => one.getClientRects().length > 0
  && one.checkVisibility({checkOpacity: true, checkVisibilityCSS: true});
return {wall: %s.findIndex((css) => [...all(css)].some(seen)),
  ready: %s.some((css) => all(css).length)};
})()"""
_READ = """(() => {%s
const most = %d, root = own("documentElement"), type = own("doctype");
const tall = (one) => one ? Reflect.get(Element.prototype, "scrollHeight", one) : 0;
const html = (type ? new XMLSerializer().serializeToString(type) : "")
  + (root ? root.outerHTML : "");
return {html: html.slice(0, most).toWellFormed(), cut: html.length > most,
  lang: (root ? root.getAttribute("lang") || "" : "").slice(0, 100),
  height: Math.max(tall(root), tall(own("body")), innerHeight),
  kind: own("contentType"), url: location.href.slice(0, 8192)};
})()"""


@dataclass(frozen=True, slots=True)
class Look:
    """What can be seen of a page before it is read."""

    wall: int  # which of the selectors of buttons is on a visible one; -1 is none
    ready: bool


@dataclass(frozen=True, slots=True)
class Dom:
    """A document as it stands."""

    html: bytes = b""
    cut: bool = False
    lang: str = ""
    kind: str = ""
    url: str = ""
    height: int = 0  # CSS pixels


class World:
    """Evaluates what is written here, in the document that the main frame shows."""

    def __init__(self, session: CDPSession, frame: str) -> None:
        self._session, self._frame = session, frame
        self._context: tuple[str, int] = ("", 0)

    async def look(self, document: str, walls: Sequence[str], ready: Sequence[str]) -> Look:
        """Look for buttons of walls and for signs of readiness."""
        lists = json.dumps(list(walls)), json.dumps(list(ready))
        found = await self._evaluated(document, _LOOK % (_OWN, *lists))
        return Look(int(found["wall"]), bool(found["ready"]))

    async def read(self, document: str, most: int) -> Dom:
        """Read the document, at most so many bytes of it."""
        found = await self._evaluated(document, _READ % (_OWN, most))
        html = found["html"].encode("utf-8", "replace")
        return Dom(
            html[:most],
            bool(found["cut"]) or len(html) > most,
            str(found["lang"]),
            str(found["kind"]),
            str(found["url"]),
            int(found["height"]),
        )

    async def _evaluated(self, document: str, expression: str) -> dict[str, Any]:
        """The value of an expression. Raises what Playwright raises when the page moves away."""
        if self._context[0] != document:
            made = await self._session.send("Page.createIsolatedWorld", {"frameId": self._frame})
            self._context = document, made["executionContextId"]
        try:
            said = await self._session.send(
                "Runtime.evaluate",
                {"expression": expression, "contextId": self._context[1], "returnByValue": True},
            )
        except BaseException:
            self._context = "", 0
            raise
        if "exceptionDetails" in said:
            details = said["exceptionDetails"]
            raise ValueError(details.get("exception", details).get("description", "")[:500])
        value: dict[str, Any] = said["result"]["value"]
        return value
