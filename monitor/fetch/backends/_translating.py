"""Tokenizer and loop over single texts, for both libraries of translation models.

Texts are translated one by one, because the numbers of a model are rounded differently in a
batch, padded or not, and a tie between two words would be broken by what else was asked.
"""

import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from monitor.fetch.backends import _model_files

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
        name = type(self.tokenizer).__name__
        if name.removesuffix("Fast") != _CLASSES[asked.family]:
            class_names = _CLASSES[asked.family]
            raise ValueError(
                f"family {asked.family!r} needs a {class_names}, the folder has a {name}"
            )
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
        own_numbers = (
            list(numbers[1:]) if forced and list(numbers[:1]) == [forced[1]] else list(numbers)
        )
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
