"""Makes a drawn chart safe to stand inside a page: SVG text in, inline SVG markup out.

Captured names become labels of charts, so only elements and attributes that draw are let through,
whatever the drawing library writes.
"""

import re
from xml.etree import ElementTree as ET

from markupsafe import Markup

_SVG = "http://www.w3.org/2000/svg"
_ELEMENTS = frozenset({"svg", "g", "path", "line", "rect", "text", "tspan", "defs", "clipPath"})
_ATTRIBUTES = frozenset({
    "clip-path", "d", "dx", "dy", "fill", "fill-opacity", "font-size", "font-style", "font-weight",
    "height", "id", "opacity", "stroke", "stroke-dasharray", "stroke-linecap", "stroke-opacity",
    "stroke-width", "text-anchor", "transform", "viewBox", "width", "x", "x1", "x2",
    "y", "y1", "y2",
})  # fmt: skip
#: A value that would fetch: anything but a reference into the same picture.
_OUTSIDE = re.compile(r"url\(\s*['\"]?(?!#)|://|javascript:", re.IGNORECASE)
_LOCAL = re.compile(r"url\(#([^)]+)\)")


def inline(svg: str, name: str, title: str, description: str, class_name: str = "") -> Markup:
    """The picture with a title and a description for those who cannot see it.

    `name` makes its ids unique in the page. Its width follows the column it stands in, by a style
    of its own, or by that of its class where a page refuses styles in attributes: there it keeps
    its size. Raises ValueError
    for an element or a reference that a chart does not need.
    """
    root = ET.fromstring(svg)  # noqa: S314  drawn by ourselves; a DTD would be an unknown element
    ids: dict[str, str] = {}
    for element in root.iter():
        tag = element.tag.removeprefix(f"{{{_SVG}}}")
        if tag not in _ELEMENTS:
            raise ValueError(f"chart {name}: element {tag!r}")
        element.tag = tag
        kept = {k: v for k, v in element.attrib.items() if k in _ATTRIBUTES}
        if any(_OUTSIDE.search(value) for value in kept.values()):
            raise ValueError(f"chart {name}: refers outside")
        if "id" in kept:
            # The library counts its ids on from chart to chart, which would change the bytes.
            kept["id"] = ids.setdefault(kept["id"], f"{name}-{len(ids)}")
        element.attrib.clear()
        element.attrib.update(kept)
    _refer(root, ids, name)
    _describe(root, name, title, description, class_name)
    return Markup(ET.tostring(root, encoding="unicode"))  # noqa: S704  built element by element


def _refer(root: ET.Element, ids: dict[str, str], name: str) -> None:
    for element in root.iter():
        for key, value in element.attrib.items():
            reference = _LOCAL.fullmatch(value)
            if reference:
                known = ids.setdefault(reference[1], f"{name}-{len(ids)}")
                element.set(key, f"url(#{known})")


def _describe(root: ET.Element, name: str, title: str, description: str, class_name: str) -> None:
    root.attrib.update({"role": "img", "aria-labelledby": f"{name}-title {name}-desc"})
    if class_name:
        root.set("class", class_name)
    else:
        width, _ = root.attrib.pop("width"), root.attrib.pop("height")
        root.set("style", f"max-width:{float(width) * 1.25:.0f}px")
    for index, (tag, text) in enumerate((("title", title), ("desc", description))):
        element = ET.Element(tag, {"id": f"{name}-{tag}"})
        element.text = text
        root.insert(index, element)
