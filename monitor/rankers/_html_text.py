"""The words of an HTML file: a page in, its title and its text without scripts out."""

import html
import re
from html.parser import HTMLParser

#: What nobody reads on a page.
_HIDDEN = frozenset({"script", "style", "noscript", "template"})
#: Words on both sides of these do not touch.
_INLINE = frozenset("a abbr b bdi bdo cite code em i mark q s small span strong sub sup u".split())
#: Tags, comments and the like without an end, after which the rest of a page is no text: to look
#: for each end takes a walk through all that follows.
_MOST_UNENDED = 8
#: Characters by a number of which Python makes no int. No character has so many digits.
_HUGE_NUMBER = re.compile(r"&#[0-9]{1000,};?")


def without_huge_numbers(text: str) -> str:
    """A text whose references to characters can all be looked up."""
    return _HUGE_NUMBER.sub("\ufffd", text)


class _Words(HTMLParser):
    """Collects texts of any input."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.title: list[str] = []
        self.text: list[str] = []
        self._hidden = 0
        self._in_title = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:  # noqa: ARG002
        self._hidden += tag in _HIDDEN
        self._in_title = self._in_title or tag == "title"
        self._part(tag)

    def handle_endtag(self, tag: str) -> None:
        self._hidden = max(0, self._hidden - (tag in _HIDDEN))
        self._in_title = self._in_title and tag != "title"
        self._part(tag)

    def handle_data(self, data: str) -> None:
        if not self._hidden:
            (self.title if self._in_title else self.text).append(data)

    def parse_marked_section(self, i: int, report: bool = True) -> int:
        """Read <![...]>; the standard library raises for names that it does not know."""
        try:
            return super().parse_marked_section(i, report)
        except AssertionError:
            return self.parse_bogus_comment(i)

    def read(self, page: str) -> None:
        """Read a whole page. What has no end is text, up to the next place where a tag may be."""
        self.feed(page)
        for _ in range(_MOST_UNENDED):
            rest, self.rawdata = self.rawdata, ""
            if not rest.startswith("<"):
                self.rawdata = rest
                self.close()
                return
            at = rest.find(">", 1) + 1 or rest.find("<", 1)
            at = at if at > 0 else 1
            self.handle_data(rest[:at] if self.cdata_elem else html.unescape(rest[:at]))
            self.feed(rest[at:])

    def _part(self, tag: str) -> None:
        if tag not in _INLINE:
            self.text.append(" ")


def title_and_text(page: str) -> tuple[str, str]:
    """(title, text) of a page with single blanks."""
    words = _Words()
    words.read(without_huge_numbers(page))
    return " ".join("".join(words.title).split()), " ".join("".join(words.text).split())
