"""Sentences of a probe, tokenizer and network, for both back ends of language models.

Sentences are scored one by one, because the numbers of a model are rounded differently in a batch.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from monitor.fetch.backends import _model_files
from monitor.input_files import load_json
from monitor.model import InvalidInput, MissingPart
from monitor.text.sentence_pairs import SentencePair, find_variants, has_variants

_FILES = {
    "config.json": "config.json",
    "*.safetensors": "its weights (model.safetensors; other formats can run code and are refused)",
}


class Skipped(Exception):
    """A template that this model cannot be asked; the message says why."""


@dataclass(frozen=True, slots=True)
class ScoredPair:
    """Two sentences that differ in one word. `whole`: the word has to be one token."""

    template: str
    pair: SentencePair
    whole: bool


#: (log P(masculine), log P(feminine)) of a question. Raises Skipped.
Scorer = Callable[[ScoredPair], tuple[float, float]]


def scoring_folder(model: str, models: Path, suited: Sequence[str], other: str) -> Path:
    """The folder of a model whose architecture ends in one of `suited`. Raises MissingPart.

    A model of another sort would load with untrained weights, or see what it must not, and give
    numbers that mean nothing.
    """
    _model_files.require_packages("torch", "transformers", "sentencepiece")
    path = _model_files.model_folder(model, models, "lm", _FILES)
    try:
        built = load_json((path / "config.json").read_text(encoding="utf-8"))["architectures"]
    except (ValueError, KeyError, TypeError) as error:
        raise MissingPart(f"{path}/config.json: names no 'architectures': {error!r}") from None
    if not any(str(name).endswith(tuple(suited)) for name in built or []):
        names = ", ".join(map(str, built or [])) or "none"
        suited_names = " or ".join(suited)
        raise MissingPart(
            f"{path}: its architecture is {names}, not one that ends in {suited_names}; {other}"
        )
    return path


def load_tokenizer(place: Path) -> Any:  # noqa: ANN401 - the library has no types
    """The tokenizer in a folder."""
    from transformers import AutoTokenizer, logging  # noqa: PLC0415 - optional library

    quiet: Any = logging  # its functions have no types
    quiet.set_verbosity_error()
    quiet.disable_progress_bar()
    return AutoTokenizer.from_pretrained(str(place), local_files_only=True, trust_remote_code=False)


def load_network(place: Path, sort: str) -> Any:  # noqa: ANN401 - the library has no types
    """The network in a folder, ready to be asked. Raises MissingPart where weights are lacking."""
    import torch  # noqa: PLC0415 - optional library
    import transformers  # noqa: PLC0415

    torch.set_num_threads(1)  # one process per core; and sums keep their order
    model, loaded = getattr(transformers, sort).from_pretrained(
        str(place),
        local_files_only=True,
        trust_remote_code=False,
        use_safetensors=True,
        dtype=torch.float32,
        output_loading_info=True,
    )
    lacking = sorted(loaded["missing_keys"])
    if lacking:
        raise MissingPart(f"{place}: its weights lack {lacking[0]}, which would be random numbers")
    model.eval()
    return model


def most_tokens(coder: Any, config: Any) -> int:  # noqa: ANN401
    """Tokens that a sentence may have."""
    positions = getattr(config, "max_position_embeddings", None) or 1_000_000
    if getattr(config, "model_type", "").startswith(("roberta", "xlm-roberta", "camembert")):
        positions -= (config.pad_token_id or 0) + 1  # their positions are counted from behind it
    return int(min(coder.model_max_length, positions))


def identify_scorer(place: Path) -> tuple[tuple[str, str], ...]:
    """Return what identifies the model."""
    import torch  # noqa: PLC0415 - optional library

    facts = {
        "arithmetic": f"float32 {torch.backends.cpu.get_cpu_capability()}",
        "torch_version": str(torch.__version__),
    }
    return _model_files.identify_model_folder("transformers", place, (), facts)


def special_in(text: str, coder: Any) -> None:  # noqa: ANN401
    """Raise Skipped for a text with a token in it that means something else to the model."""
    special_tokens = [token for token in coder.all_special_tokens if token and token in text]
    if special_tokens:
        raise Skipped(f"the text contains {special_tokens[0]!r}, a special token of the model")


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


def _of_text(text: str, templates: Sequence[Sequence[str]], score: Scorer) -> dict[str, Any]:
    scores_by_template: dict[str, list[float]] = {}
    skipped: dict[str, str] = {}
    for question in _make_pairs(text, templates):
        try:
            scores_by_template[question.template] = list(score(question))
        except Skipped as why:
            skipped[question.template] = str(why)
    if not (scores_by_template or skipped):
        skipped["pair"] = (
            "more than one [a|b] in the text"
            if has_variants(text)
            else "no template in this language, and no [a|b] in the text"
        )
    return {"templates": scores_by_template, "skipped": skipped}


def make_runner(score: Scorer) -> _model_files.Run:
    """Run a scorer over texts; the templates stand in the options."""

    def run(texts: Sequence[str], options: Mapping[str, str]) -> dict[str, Any]:
        if "templates" not in options:
            raise InvalidInput("a request to a language model names its templates")
        templates = load_json(options["templates"])
        return {"scores": [_of_text(text, templates, score) for text in texts]}

    return run
