"""Reads the small pages beside the tests, which are invented: no real page is among them."""

from pathlib import Path

from monitor.model import Block

_FOLDER = Path(__file__).parent


def body_of(engine, name):
    """The bytes of a small page."""
    return (_FOLDER / engine / f"{name}.html").read_bytes()


def shown(reading, block=Block.ORGANIC):
    """(rank, title, address) of the items in a block."""
    return [(i.rank, i.title, i.url) for i in reading.items if i.block == block]
