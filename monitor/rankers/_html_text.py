"""The words of an HTML file: a page in, its title and its text without scripts out."""

from html.parser import HTMLParser

#: What nobody reads on a page.
_HIDDEN = frozenset({"script", "style", "noscript", "template"})
#: Words on both sides of these do not touch.
_INLINE = frozenset("a abbr b bdi bdo cite code em i mark q s small span strong sub sup u".split())


class _Words(HTMLParser):
    """Collects texts; a parser of the standard library takes any input."""

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

    def _part(self, tag: str) -> None:
        if tag not in _INLINE:
            self.text.append(" ")


def title_and_text(page: str) -> tuple[str, str]:
    """(title, text) of a page with single blanks."""
    words = _Words()
    words.feed(page)
    words.close()
    return " ".join("".join(words.title).split()), " ".join("".join(words.text).split())
