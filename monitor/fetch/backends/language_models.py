"""Runs language models with Transformers, from a folder and never from the network.

Sentences are scored one by one, because the numbers of a model are rounded differently in a batch.

A generative model (`causal`) reads a template up to the word. A word of several tokens has the
product of their probabilities, each given all before it. For a masked model (`masked`) the two
sentences of a pair are tokenized whole, so that every tokenizer treats spaces and capitals in its
own way; where they differ in exactly one token, it is masked.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

from monitor.fetch.backends import _model_files
from monitor.fetch.backends._model_files import LoadedModel
from monitor.input_files import load_json
from monitor.model import InvalidInput, MissingPart
from monitor.text.sentence_pairs import SentencePair, find_variants, has_variants


class Skipped(Exception):
    """A template that this model cannot be asked; the message says why."""


@dataclass(frozen=True, slots=True)
class ScoredPair:
    """Two sentences that differ in one word. `whole`: the word has to be one token."""

    template: str
    pair: SentencePair
    whole: bool


class Scorer(ABC):
    """A tokenizer with its network."""

    network_class: ClassVar[str]
    #: Ends of the names of architectures, and what is said of others. A model of another sort would
    #: load with untrained weights, or see what it must not, and give numbers that mean nothing.
    suited: ClassVar[tuple[str, ...]]
    other: ClassVar[str]
    #: Some tokenizers end a text; here it goes on.
    goes_on: ClassVar[bool] = False
    masks: ClassVar[bool] = False

    def __init__(self, place: Path) -> None:
        self._coder: Any = _load_tokenizer(place)
        if self.masks and self._coder.mask_token_id is None:
            raise MissingPart(f"{place}: its tokenizer has no token for a mask")
        self._network, lacking = _model_files.load_network(place, self.network_class)
        if lacking:
            raise MissingPart(
                f"{place}: its weights lack {lacking[0]}, which would be random numbers"
            )
        self._most = _most_tokens(self._coder, self._network.config)

    @abstractmethod
    def score_pair(self, question: ScoredPair) -> tuple[float, float]:
        """Log P of the masculine and of the feminine word. Raises Skipped."""

    def _encode_text(self, text: str) -> list[int]:
        numbers = [int(number) for number in self._coder(text)["input_ids"]]
        if self.goes_on and numbers and numbers[-1] == self._coder.eos_token_id:
            numbers.pop()
        if len(numbers) > self._most:
            raise Skipped(f"{len(numbers)} tokens, and the model takes {self._most}")
        return numbers

    def _refuse_special(self, text: str) -> None:
        """Raise Skipped for a text with a token in it that means something else to the model."""
        special = [token for token in self._coder.all_special_tokens if token and token in text]
        if special:
            raise Skipped(f"the text contains {special[0]!r}, a special token of the model")

    def _log_probabilities(self, numbers: list[int], at: int | slice) -> Any:  # noqa: ANN401 - the library has no types
        import torch  # noqa: PLC0415 - optional library

        with torch.inference_mode():
            output = self._network(
                input_ids=torch.tensor([numbers]),
                attention_mask=torch.ones(1, len(numbers), dtype=torch.long),
            )
            return torch.log_softmax(output.logits[0, at].double(), dim=-1)


def _load_tokenizer(place: Path) -> Any:  # noqa: ANN401 - the library has no types
    from transformers import AutoTokenizer, logging  # noqa: PLC0415 - optional library

    quiet: Any = logging  # its functions have no types
    quiet.set_verbosity_error()
    quiet.disable_progress_bar()
    return AutoTokenizer.from_pretrained(str(place), local_files_only=True, trust_remote_code=False)


def _most_tokens(coder: Any, config: Any) -> int:  # noqa: ANN401
    """Tokens that a sentence may have."""
    positions = getattr(config, "max_position_embeddings", None) or 1_000_000
    if getattr(config, "model_type", "").startswith(("roberta", "xlm-roberta", "camembert")):
        positions -= (config.pad_token_id or 0) + 1  # their positions are counted from behind it
    return int(min(coder.model_max_length, positions))


class Causal(Scorer):
    """A generative model."""

    network_class = "AutoModelForCausalLM"
    suited = ("ForCausalLM", "LMHeadModel")
    other = "a masked model is asked by the engine masked_lm"
    goes_on = True

    def score_pair(self, question: ScoredPair) -> tuple[float, float]:
        """Log P of the two words as continuations of what stands before them. Raises Skipped."""
        if not question.whole:
            raise Skipped("a generative model is not asked a sentence with variants in it")
        before = question.pair.before.rstrip()
        gap = question.pair.before[len(before) :]
        self._refuse_special(before)
        start = self._encode_text(before)
        words = [
            self._encode_continuation(start, f"{before}{gap}{word}", word)
            for word in (question.pair.masculine, question.pair.feminine)
        ]
        # Words of one token are read off one and the same pass.
        cache: dict[tuple[int, ...], Any] = {}
        masculine, feminine = (self._log_probability(start, word, cache) for word in words)
        return masculine, feminine

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
            known[context] = self._log_probabilities(list(context), slice(None))
        logs = known[context]
        first = len(start) - 1
        return sum(float(logs[first + n, number]) for n, number in enumerate(word))


class Masked(Scorer):
    """A masked model."""

    network_class = "AutoModelForMaskedLM"
    suited = ("ForMaskedLM", "ForPreTraining")
    other = "a generative model is asked by the engine generative_lm"
    masks = True

    def score_pair(self, question: ScoredPair) -> tuple[float, float]:
        """Log P of the two words where they stand. Raises Skipped."""
        masculine, feminine = map(self._encode_text, question.pair.sentences)
        words = f"{question.pair.masculine!r} and {question.pair.feminine!r}"
        if len(masculine) != len(feminine):
            lengths = f"the sentences are {len(masculine)} and {len(feminine)} tokens long"
            raise Skipped(f"{words} are not one token apart: {lengths}")
        apart = [
            n for n, pair in enumerate(zip(masculine, feminine, strict=True)) if len({*pair}) > 1
        ]
        if len(apart) != 1:
            raise Skipped(f"{words} are {len(apart)} tokens apart, not one")
        position = apart[0]
        self._refuse_parts(question, masculine[position], feminine[position])
        masked = [*masculine[:position], self._coder.mask_token_id, *masculine[position + 1 :]]
        logs = self._log_probabilities(masked, position)
        return float(logs[masculine[position]]), float(logs[feminine[position]])

    def _encode_text(self, text: str) -> list[int]:
        self._refuse_special(text)
        return super()._encode_text(text)

    def _refuse_parts(self, question: ScoredPair, *numbers: int) -> None:
        """Raise Skipped for unknown tokens, and for parts of words where words are wanted."""
        words = (question.pair.masculine, question.pair.feminine)
        for number, word in zip(numbers, words, strict=True):
            text = str(self._coder.decode([number])).strip()
            if number == self._coder.unk_token_id:
                raise Skipped(f"{word!r} is no token that the model knows")
            if question.whole and text.casefold() != word.casefold():
                raise Skipped(f"{word!r} is not one token: only {text!r} of it differs")


def _make_pairs(text: str, templates: Sequence[Sequence[str]]) -> Iterator[ScoredPair]:
    """Every question about a text: its own variants, or it in every template."""
    variant_pair = find_variants(text)
    if variant_pair:
        yield ScoredPair("pair", variant_pair, whole=False)
    elif not has_variants(text):
        for name, before, masculine, feminine, after in templates:
            pair = SentencePair(
                before.replace("{}", text), masculine, feminine, after.replace("{}", text)
            )
            yield ScoredPair(name, pair, whole=True)


def _score_text(
    text: str,
    templates: Sequence[Sequence[str]],
    score_pair: Callable[[ScoredPair], tuple[float, float]],
) -> dict[str, Any]:
    scores_by_template: dict[str, list[float]] = {}
    skipped: dict[str, str] = {}
    for question in _make_pairs(text, templates):
        try:
            scores_by_template[question.template] = list(score_pair(question))
        except Skipped as why:
            skipped[question.template] = str(why)
    if not (scores_by_template or skipped):
        skipped["pair"] = (
            "more than one [a|b] in the text"
            if has_variants(text)
            else "no template in this language, and no [a|b] in the text"
        )
    return {"templates": scores_by_template, "skipped": skipped}


@dataclass(frozen=True, slots=True)
class _LanguageModels:
    """A back end: models of one sort."""

    scorer: type[Scorer]

    def check(self, model: str, models: Path) -> Path:
        """Return the folder of a model. Raises MissingPart where it, or a library, is not here."""
        _model_files.require_packages(*_model_files.TORCH_PACKAGES)
        path = _model_files.model_folder(model, models, "lm", _model_files.TORCH_FILES)
        try:
            built = load_json((path / "config.json").read_text(encoding="utf-8"))["architectures"]
        except (ValueError, KeyError, TypeError) as error:
            raise MissingPart(f"{path}/config.json: names no 'architectures': {error!r}") from None
        if not any(str(name).endswith(self.scorer.suited) for name in built or []):
            names = ", ".join(map(str, built or [])) or "none"
            suited = " or ".join(self.scorer.suited)
            raise MissingPart(
                f"{path}: its architecture is {names}, not one that ends in {suited}; "
                f"{self.scorer.other}"
            )
        return path

    def load(self, model: str, models: Path) -> LoadedModel:
        """(run, what answers). The templates stand in the options of a request."""
        path = self.check(model, models)
        _model_files.set_offline()
        score_pair = self.scorer(path).score_pair

        def run(texts: Sequence[str], options: Mapping[str, str]) -> dict[str, Any]:
            if "templates" not in options:
                raise InvalidInput("a request to a language model names its templates")
            templates = load_json(options["templates"])
            return {"scores": [_score_text(text, templates, score_pair) for text in texts]}

        facts = _model_files.describe_torch()
        return run, _model_files.identify_model_folder("transformers", path, (), facts)


causal, masked = _LanguageModels(Causal), _LanguageModels(Masked)
