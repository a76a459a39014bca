"""What reads gender in a study: the rules of this program, or a parser beside them."""

from monitor import registry
from monitor.model import InvalidInput
from monitor.study.gest import Resolve

BACKENDS = ("rules", "stanza")


def resolver(backend: str) -> Resolve:
    """Finds languages by their tag. Raises InvalidInput for an unknown name."""
    if backend not in BACKENDS:
        raise InvalidInput(f"backend {backend!r}: must be one of {', '.join(BACKENDS)}")
    if backend == "rules":
        return registry.language
    from monitor.study.stanza_backend import language  # noqa: PLC0415 - an optional library

    return language
