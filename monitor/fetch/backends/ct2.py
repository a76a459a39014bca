"""Runs translation models with CTranslate2; Transformers is there for the tokenizer only."""

import json
from pathlib import Path
from typing import Any

from monitor.fetch.backends import _model_files, _translating

_WEIGHTS = "model.bin"
_WANTED = {
    "config.json": "config.json",
    _WEIGHTS: "model.bin",
    "*_vocabulary.json": "its vocabulary (shared_vocabulary.json)",
}


def _find_folder(model: str, models: Path) -> Path:
    return _model_files.model_folder(model, models, "ctranslate2", _WANTED)


def check(model: str, models: Path) -> None:
    """Raise MissingPart unless the libraries and the model are here."""
    _model_files.require_packages("ctranslate2", "transformers", "sentencepiece")
    _find_folder(model, models)


def _same_vocabulary(place: Path, coder: _translating.Coder) -> None:
    """Raise ValueError for a tokenizer of another model: unknown words would be read as nothing."""
    vocabulary = {
        token
        for path in place.glob("*_vocabulary.json")
        for token in json.loads(path.read_text("utf-8"))
    }
    unused = {coder.tokenizer.pad_token, coder.tokenizer.mask_token}
    unknown = sorted(coder.tokenizer.get_vocab().keys() - vocabulary - unused)
    if unknown:
        raise ValueError(
            f"the converted model does not know {unknown[0]!r} and {len(unknown) - 1} other tokens "
            "of the tokenizer beside it: convert it anew (docs/models.md)"
        )


def _make_generator(translator: Any, coder: _translating.Coder) -> _translating.Generate:  # noqa: ANN401
    tokenizer = coder.tokenizer

    def generate(
        numbers: list[int], asked: _translating.TranslationOptions
    ) -> tuple[list[int], bool]:
        forced = coder.forced_token(asked)
        [result] = translator.translate_batch(
            [tokenizer.convert_ids_to_tokens(numbers)],
            target_prefix=[[forced[0]]] if forced else None,
            beam_size=asked.beams,
            max_decoding_length=min(asked.max_output, coder.max_tokens - 1),
            max_input_length=0,  # it would cut without a word; longer texts do not get here
            return_end_token=True,
        )
        tokens = result.hypotheses[0]
        ended = tokens[-1:] == [tokenizer.eos_token]
        numbers_made = tokenizer.convert_tokens_to_ids(tokens[:-1] if ended else tokens)
        return [int(number) for number in numbers_made], ended

    return generate


def load(model: str, models: Path) -> tuple[_model_files.Run, tuple[tuple[str, str], ...]]:
    """(run, what answers). Threads are off: there is one process per core."""
    check(model, models)
    _model_files.set_offline()
    import ctranslate2  # noqa: PLC0415 - optional library

    path = _find_folder(model, models)
    coder = _translating.Coder(path)
    _same_vocabulary(path, coder)
    translator = ctranslate2.Translator(str(path), device="cpu", inter_threads=1, intra_threads=1)
    facts = {"arithmetic": str(translator.compute_type)}
    run = _translating.one_at_a_time(coder, _make_generator(translator, coder), coder.max_tokens)
    return run, _model_files.identify_model_folder("ctranslate2", path, (_WEIGHTS,), facts)
