"""Runs translation models from a folder and never from the network: NLLB, M2M100, OPUS-MT.

With Transformers, or with CTranslate2, which has Transformers for the tokenizer only. Texts are
translated one by one, because the numbers of a model are rounded differently in a batch, padded or
not, and a tie between two words would be broken by what else was asked.
"""

import json
import warnings
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

from monitor.fetch.backends import _model_files
from monitor.fetch.backends._model_files import LoadedModel
from monitor.model import canonical_json

_CLASSES = {"nllb": "NllbTokenizer", "m2m": "M2M100Tokenizer", "marian": "MarianTokenizer"}
_LANGUAGE_TOKENS = {"nllb": "{}", "m2m": "__{}__", "marian": ">>{}<<"}


@dataclass(frozen=True, slots=True)
class TranslationOptions:
    """The options of a request."""

    family: str
    source: str
    target: str
    beams: int
    max_input: int
    max_output: int

    @classmethod
    def read(cls, options: Mapping[str, str]) -> "TranslationOptions":
        """From the texts of a `LocalRequest`."""
        return cls(
            family=options["family"],
            source=options["source_code"],
            target=options["target_code"],
            beams=int(options["beam_size"]),
            max_input=int(options["max_input"]),
            max_output=int(options["max_output"]),
        )


class Coder:
    """A tokenizer: texts to numbers and back, in the way of its family of models."""

    def __init__(self, place: Path) -> None:
        from transformers import AutoTokenizer  # noqa: PLC0415 - optional library

        with warnings.catch_warnings():
            # Marian's wants sacremoses, for a function that translating does not use
            warnings.filterwarnings("ignore", message="Recommended: pip install sacremoses")
            self.tokenizer: Any = AutoTokenizer.from_pretrained(
                str(place), local_files_only=True, trust_remote_code=False
            )

    @property
    def max_tokens(self) -> int:
        """Tokens that a text may have."""
        return int(min(self.tokenizer.model_max_length, 1_000_000))

    def find_language(self, asked: TranslationOptions, code: str) -> tuple[str, int]:
        """The token of a language and its number. Raises ValueError if the model has none."""
        token = _LANGUAGE_TOKENS[asked.family].format(code)
        number = self.tokenizer.convert_tokens_to_ids(token)
        if number is None or number == self.tokenizer.unk_token_id:
            raise ValueError(f"the tokenizer does not know the language code {code!r}")
        return token, int(number)

    def set_languages(self, asked: TranslationOptions) -> None:
        """Set the languages. Raises ValueError if tokenizer and request do not fit."""
        name, wanted = type(self.tokenizer).__name__, _CLASSES[asked.family]
        if name.removesuffix("Fast") != wanted:
            raise ValueError(f"family {asked.family!r} needs a {wanted}, the folder has a {name}")
        for code in filter(None, (asked.source, asked.target)):
            self.find_language(asked, code)
        if asked.family != "marian":
            self.tokenizer.src_lang = asked.source

    def forced_token(self, asked: TranslationOptions) -> tuple[str, int] | None:
        """The token that a translation has to begin with; a Marian model is told in the text."""
        return None if asked.family == "marian" else self.find_language(asked, asked.target)

    def encode_text(self, text: str, asked: TranslationOptions) -> list[int]:
        """Numbers of the tokens of a text, with those that the model wants around them."""
        if asked.family == "marian" and asked.target:
            text = f"{self.find_language(asked, asked.target)[0]} {text}"
        return [int(number) for number in self.tokenizer(text)["input_ids"]]

    def decode_numbers(self, numbers: Sequence[int], asked: TranslationOptions) -> str:
        """The text of a translation, without the token that it had to begin with."""
        forced = self.forced_token(asked)
        own_numbers = list(numbers)
        if forced and own_numbers[:1] == [forced[1]]:
            del own_numbers[0]
        # Marian's would take the source's pieces for a vocabulary that both languages share
        more = {"use_source_tokenizer": False} if asked.family == "marian" else {}
        text = self.tokenizer.decode(
            own_numbers, skip_special_tokens=True, clean_up_tokenization_spaces=False, **more
        )
        return str(text).strip()


#: (numbers of a text, what is asked) -> (numbers of the translation, whether it came to its end)
Generate = Callable[[list[int], TranslationOptions], tuple[list[int], bool]]


def one_at_a_time(coder: Coder, generate: Generate, most: int) -> _model_files.Run:
    """Run a model over the texts one by one; an empty text stays empty."""

    def translate(text: str, asked: TranslationOptions) -> tuple[str | None, str]:
        if not text.strip():
            return "", "eos"
        numbers = coder.encode_text(text, asked)
        if len(numbers) > min(asked.max_input, most):
            return None, "input"
        numbers_made, ended = generate(numbers, asked)
        return coder.decode_numbers(numbers_made, asked), "eos" if ended else "length"

    def run(texts: Sequence[str], options: Mapping[str, str]) -> dict[str, Any]:
        options_read = TranslationOptions.read(options)
        coder.set_languages(options_read)
        pairs = [translate(text, options_read) for text in texts]
        translations, stopped = [text for text, _ in pairs], [end for _, end in pairs]
        return {"translations": translations, "stopped": stopped}

    return run


class _Library(ABC):
    """A back end: its name, its packages, and the files that a model needs for it."""

    name: ClassVar[str]
    packages: ClassVar[tuple[str, ...]]
    wanted: ClassVar[Mapping[str, str]]
    weights: ClassVar[tuple[str, ...]] = ()

    def check(self, model: str, models: Path) -> Path:
        """Return the folder of a model. Raises MissingPart where it, or a library, is not here."""
        _model_files.require_packages(*self.packages)
        return _model_files.model_folder(model, models, self.name, self.wanted)

    def load(self, model: str, models: Path) -> LoadedModel:
        """(run, what answers)."""
        place = self.check(model, models)
        _model_files.set_offline()
        coder = Coder(place)
        generate, most, facts = self.open(place, coder)
        run = one_at_a_time(coder, generate, most)
        identity = _model_files.identify_model_folder(self.name, place, self.weights, facts)
        return run, identity

    @abstractmethod
    def open(self, place: Path, coder: Coder) -> tuple[Generate, int, dict[str, str]]:
        """Return the model, the tokens that a text may have, and facts for its identity."""


class _CTranslate2(_Library):
    name = "ctranslate2"
    packages = ("ctranslate2", "transformers", "sentencepiece")
    wanted: ClassVar[Mapping[str, str]] = {
        "config.json": "config.json",
        "model.bin": "model.bin",
        "*_vocabulary.json": "its vocabulary (shared_vocabulary.json)",
    }
    weights = ("model.bin",)

    def open(self, place: Path, coder: Coder) -> tuple[Generate, int, dict[str, str]]:
        """Threads are off: there is one process per core."""
        import ctranslate2  # noqa: PLC0415 - optional library

        _check_vocabulary(place, coder)
        translator = ctranslate2.Translator(
            str(place), device="cpu", inter_threads=1, intra_threads=1
        )
        tokenizer = coder.tokenizer

        def generate(numbers: list[int], asked: TranslationOptions) -> tuple[list[int], bool]:
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

        return generate, coder.max_tokens, {"arithmetic": str(translator.compute_type)}


def _check_vocabulary(place: Path, coder: Coder) -> None:
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


class _Transformers(_Library):
    name = "transformers"
    packages = _model_files.TORCH_PACKAGES
    wanted = _model_files.TORCH_FILES

    def open(self, place: Path, coder: Coder) -> tuple[Generate, int, dict[str, str]]:
        """Sums keep their order: one thread."""
        import torch  # noqa: PLC0415 - optional library
        from transformers.utils import logging  # noqa: PLC0415

        bars: Any = logging
        bars.disable_progress_bar()  # a pool's processes share the terminal with the run
        network, _ = _model_files.load_network(place, "AutoModelForSeq2SeqLM")
        # many Marian models are told to end at the limit as if they had come to an end
        network.generation_config.forced_eos_token_id = None
        most = min(coder.max_tokens, int(network.config.max_position_embeddings))
        ends = network.generation_config.eos_token_id
        end_numbers = set(ends) if isinstance(ends, list) else {ends}

        def generate(numbers: list[int], asked: TranslationOptions) -> tuple[list[int], bool]:
            forced = coder.forced_token(asked)
            with torch.inference_mode():
                output = network.generate(
                    input_ids=torch.tensor([numbers]),
                    attention_mask=torch.ones(1, len(numbers), dtype=torch.long),
                    do_sample=False,
                    num_beams=asked.beams,
                    num_return_sequences=1,
                    max_new_tokens=min(asked.max_output, most - 1),
                    forced_bos_token_id=forced[1] if forced else None,
                )
            numbers_made = output[0].tolist()[1:]  # the first is what every translation begins with
            end = next((n for n, number in enumerate(numbers_made) if number in end_numbers), None)
            return numbers_made[:end], end is not None

        facts = _model_files.describe_torch()
        facts["generation"] = canonical_json(network.generation_config.to_diff_dict())
        return generate, most, facts


ct2, seq2seq = _CTranslate2(), _Transformers()
