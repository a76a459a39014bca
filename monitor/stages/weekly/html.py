"""A document as one HTML file that needs no script, no network and no other file."""

from markupsafe import Markup

from monitor.stages import _pages
from monitor.stages.weekly.document import Document


def html(document: Document) -> str:
    """The page. Everything captured in it is text: only pictures drawn here are markup."""
    environment = _pages.environment(picture=_picture)
    return environment.get_template("weekly.html").render(document=document)


def _picture(svg: str) -> Markup:
    """A picture that `monitor.stages._svg` has let through."""
    if not isinstance(svg, Markup):
        raise TypeError("a picture that was not drawn here")
    return svg
