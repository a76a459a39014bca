"""Runs masked language models with Transformers, from a folder and never from the network.

The two sentences of a pair are tokenized whole, so that every tokenizer treats spaces and capitals
in its own way; where they differ in exactly one token, it is masked.
"""

from pathlib import Path
from typing import Any

from monitor.fetch.backends import _model_files, _scoring
from monitor.fetch.backends._scoring import ScoredPair, Skipped
from monitor.model import MissingPart

_SUITED = ("ForMaskedLM", "ForPreTraining")
_OTHER = "a generative model is asked by the engine generative_lm"


def _folder(model: str, models: Path) -> Path:
    return _scoring.scoring_folder(model, models, _SUITED, _OTHER)


def check(model: str, models: Path) -> None:
    """Raise MissingPart unless the libraries and the model are here."""
    _folder(model, models)


class Masked:
    """A tokenizer with its network."""

    def __init__(self, place: Path) -> None:
        self._coder: Any = _scoring.load_tokenizer(place)
        if self._coder.mask_token_id is None:
            raise MissingPart(f"{place}: its tokenizer has no token for a mask")
        self._network: Any = _scoring.load_network(place, "AutoModelForMaskedLM")
        self._most = _scoring.most_tokens(self._coder, self._network.config)

    def score(self, question: ScoredPair) -> tuple[float, float]:
        """Log P of the two words where they stand. Raises Skipped."""
        masculine, feminine = (self._numbers(text) for text in question.pair.sentences)
        if len(masculine) != len(feminine):
            raise Skipped(self._check_lengths(question, len(masculine), len(feminine)))
        apart = [
            n for n, pair in enumerate(zip(masculine, feminine, strict=True)) if len({*pair}) > 1
        ]
        if len(apart) != 1:
            raise Skipped(f"{_words(question)} are {len(apart)} tokens apart, not one")
        position = apart[0]
        self._refuse_parts(question, masculine[position], feminine[position])
        masked = [*masculine[:position], self._coder.mask_token_id, *masculine[position + 1 :]]
        logs = self._mask_log_probabilities(masked, position)
        return float(logs[masculine[position]]), float(logs[feminine[position]])

    def _numbers(self, text: str) -> list[int]:
        _scoring.special_in(text, self._coder)
        numbers = [int(number) for number in self._coder(text)["input_ids"]]
        if len(numbers) > self._most:
            raise Skipped(f"{len(numbers)} tokens, and the model takes {self._most}")
        return numbers

    def _check_lengths(self, question: ScoredPair, masculine: int, feminine: int) -> str:
        lengths = f"the sentences are {masculine} and {feminine} tokens long"
        return f"{_words(question)} are not one token apart: {lengths}"

    def _refuse_parts(self, question: ScoredPair, *numbers: int) -> None:
        """Raise Skipped for unknown tokens, and for parts of words where words are wanted."""
        words = (question.pair.masculine, question.pair.feminine)
        for number, word in zip(numbers, words, strict=True):
            text = str(self._coder.decode([number])).strip()
            if number == self._coder.unk_token_id:
                raise Skipped(f"{word!r} is no token that the model knows")
            if question.whole and text.casefold() != word.casefold():
                raise Skipped(f"{word!r} is not one token: only {text!r} of it differs")

    def _mask_log_probabilities(self, numbers: list[int], at: int) -> Any:  # noqa: ANN401 - the library has no types
        import torch  # noqa: PLC0415 - optional library

        with torch.inference_mode():
            output = self._network(
                input_ids=torch.tensor([numbers]),
                attention_mask=torch.ones(1, len(numbers), dtype=torch.long),
            )
            return torch.log_softmax(output.logits[0, at].double(), dim=-1)


def _words(question: ScoredPair) -> str:
    return f"{question.pair.masculine!r} and {question.pair.feminine!r}"


def load(model: str, models: Path) -> tuple[_model_files.Run, tuple[tuple[str, str], ...]]:
    """(run, what answers)."""
    path = _folder(model, models)
    _model_files.set_offline()
    return _scoring.make_runner(Masked(path).score), _scoring.identify_scorer(path)
