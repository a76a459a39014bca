"""Runs generative language models with Transformers, from a folder and never from the network.

The model reads the template up to the word. A word of several tokens has the product of their
probabilities, each given all before it.
"""

from pathlib import Path
from typing import Any

from monitor.fetch.backends import _model_files, _scoring
from monitor.fetch.backends._scoring import ScoredPair, Skipped

_SUITED = ("ForCausalLM", "LMHeadModel")
_OTHER = "a masked model is asked by the engine masked_lm"


def _find_folder(model: str, models: Path) -> Path:
    return _scoring.scoring_folder(model, models, _SUITED, _OTHER)


def check(model: str, models: Path) -> None:
    """Raise MissingPart unless the libraries and the model are here."""
    _find_folder(model, models)


class Causal:
    """A tokenizer with its network."""

    def __init__(self, place: Path) -> None:
        self._coder: Any = _scoring.load_tokenizer(place)
        self._network: Any = _scoring.load_network(place, "AutoModelForCausalLM")
        self._most = _scoring.most_tokens(self._coder, self._network.config)

    def score_pair(self, question: ScoredPair) -> tuple[float, float]:
        """Log P of the two words as continuations of what stands before them. Raises Skipped."""
        if not question.whole:
            raise Skipped("a generative model is not asked a sentence with variants in it")
        before = question.pair.before.rstrip()
        gap = question.pair.before[len(before) :]
        _scoring.special_in(before, self._coder)
        start = self._encode_text(before)
        words = [
            self._encode_continuation(start, f"{before}{gap}{word}", word)
            for word in (question.pair.masculine, question.pair.feminine)
        ]
        # Words of one token are read off one and the same pass.
        cache: dict[tuple[int, ...], Any] = {}
        masculine, feminine = (self._log_probability(start, word, cache) for word in words)
        return masculine, feminine

    def _encode_text(self, text: str) -> list[int]:
        numbers = [int(number) for number in self._coder(text)["input_ids"]]
        if numbers and numbers[-1] == self._coder.eos_token_id:
            numbers.pop()  # some tokenizers end a text; here it goes on
        if len(numbers) > self._most:
            raise Skipped(f"{len(numbers)} tokens, and the model takes {self._most}")
        return numbers

    def _encode_continuation(self, start: list[int], text: str, word: str) -> list[int]:
        """The tokens of a word after those of what stands before it. Raises Skipped."""
        whole = self._encode_text(text)
        continuation = whole[len(start) :]
        if not start or whole[: len(start)] != start or not continuation:
            raise Skipped(f"the tokens before {word!r} are not the same with and without it")
        unknown = self._coder.unk_token_id  # GPT-2 calls the end of a text so
        if unknown in continuation and unknown != self._coder.eos_token_id:
            raise Skipped(f"{word!r} has a part that the model does not know")
        return continuation

    def _log_probability(
        self, start: list[int], word: list[int], known: dict[tuple[int, ...], Any]
    ) -> float:
        context = (*start, *word[:-1])
        if context not in known:
            known[context] = self._log_probabilities(list(context))
        logs = known[context]
        first = len(start) - 1
        return sum(float(logs[first + n, number]) for n, number in enumerate(word))

    def _log_probabilities(self, numbers: list[int]) -> Any:  # noqa: ANN401 - the library has no types
        import torch  # noqa: PLC0415 - optional library

        with torch.inference_mode():
            output = self._network(
                input_ids=torch.tensor([numbers]),
                attention_mask=torch.ones(1, len(numbers), dtype=torch.long),
            )
            return torch.log_softmax(output.logits[0].double(), dim=-1)


def load(model: str, models: Path) -> tuple[_model_files.Run, tuple[tuple[str, str], ...]]:
    """(run, what answers)."""
    path = _find_folder(model, models)
    _model_files.set_offline()
    return _scoring.make_runner(Causal(path).score_pair), _scoring.identify_scorer(path)
