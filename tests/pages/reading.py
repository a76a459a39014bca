"""Reads the small pages beside the tests, which are invented: no real page is among them."""

from pathlib import Path

from monitor.model import Block
from monitor.pages import _google_entities

_FOLDER = Path(__file__).parent


def body_of(engine, name):
    """The bytes of a small page."""
    return (_FOLDER / engine / f"{name}.html").read_bytes()


def shown(reading, block=Block.ORGANIC):
    """(rank, title, address) of the items in a block."""
    return [(i.rank, i.title, i.url) for i in reading.items if i.block == block]


def tiles_visible(document):
    """How many tiles the carousel of a page has by its structure, readable or not."""
    found = _google_entities._find_carousel(document)
    return found.visible if found else 0


def is_refinement(document):
    """Whether all tiles narrow the query: field 1 of their links is 60."""
    found = _google_entities._find_carousel(document)
    return bool(found and found.tiles) and {tile.stick.purpose for tile in found.tiles} == {60}
