"""Sources that count women only: who is not one of them is counted among men."""

from collections.abc import Mapping
from dataclasses import replace

from monitor.model import Share


def with_men(shares: Mapping[str, Share]) -> dict[str, tuple[Share, ...]]:
    """The share of women of each topic, and of men as the rest."""
    return {
        topic: (share, replace(share, value=1 - share.value, group="men"))
        for topic, share in shares.items()
    }
