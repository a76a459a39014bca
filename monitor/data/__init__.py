"""Small tables that ship with the package; `sources.toml` says where each comes from."""

import csv
import tomllib
from importlib.resources import files
from typing import Any


def read_table(name: str) -> list[dict[str, str]]:
    """Rows of `monitor/data/<name>.csv`, columns as they stand in its header."""
    text = files(__package__).joinpath(f"{name}.csv").read_text(encoding="utf-8")
    return list(csv.DictReader(text.splitlines()))


def read_text(name: str) -> str:
    """Return `monitor/data/<name>.txt`."""
    return files(__package__).joinpath(f"{name}.txt").read_text(encoding="utf-8")


def read_toml(name: str) -> dict[str, Any]:
    """Return `monitor/data/<name>.toml`."""
    return tomllib.loads(files(__package__).joinpath(f"{name}.toml").read_text(encoding="utf-8"))


def read_words(name: str) -> dict[str, frozenset[str]]:
    """Return {key: its words} of the lists in `monitor/data/<name>.toml`."""
    return {key: frozenset(text.split()) for key, text in read_toml(name).items()}
