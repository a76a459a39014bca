"""Generative language models: scores of tiny ones through the process pool, by the chain rule."""

import math

import pytest

from monitor import registry
from monitor.fetch import check_parts, local
from monitor.fetch.local import LocalFetcher
from monitor.model import MissingPart, Outcome, Probe, Reason
from tests import lm
from tests.fetch import tiny_lm

torch, transformers = lm.libraries("torch", "transformers")

ENGINE = registry.engine("generative_lm")
TEXTS = ("I am tired.", "I am a nurse.")
#: Section 4.2 of the paper up to the word, written out.
SENTENCES = {"2": ('"{}",', " he", " she"), "3": ('"{}", the', " man", " woman")}


@pytest.fixture(scope="module")
def home(tmp_path_factory):
    folder = tmp_path_factory.mktemp("causal")
    tiny_lm.gpt2(folder / "lm" / "gpt2")
    # never saw a woman: the word falls into several tokens
    tiny_lm.gpt2(folder / "lm" / "parts", [text for text in tiny_lm.CORPUS if "wom" not in text])
    return folder


@pytest.fixture(scope="module")
def fetcher(home):
    made = LocalFetcher(home, 1)
    yield made
    made.close()


class Here:
    """Asks in this process, where it can be seen which lines are run."""

    def __init__(self, models):
        self.models = models

    def fetch(self, requests):
        return [
            (n, local.answer_request(request, self.models)) for n, request in enumerate(requests)
        ]


@pytest.fixture
def here(home):
    return Here(home)


def asked(fetcher, model, texts):
    probes = [Probe(text, "en", "en") for text in texts]
    [(_, answer)] = fetcher.fetch([ENGINE.request(probes, {"model": model})])
    assert answer.outcome is Outcome.OK, answer.detail
    return ENGINE.parse(answer, probes)


def by_hand(folder, before, word):
    """(log P(word | before), number of its tokens), one token after the other."""
    tokenizer, network = lm.loaded(folder, "AutoModelForCausalLM")
    given = tokenizer(before)["input_ids"]
    tokens = tokenizer(before + word)["input_ids"][len(given) :]
    total = 0.0
    for token in tokens:
        with torch.no_grad():
            logits = network(torch.tensor([given])).logits[0, -1].tolist()
        top = max(logits)
        total += logits[token] - top - math.log(math.fsum(math.exp(x - top) for x in logits))
        given = [*given, token]
    return total, len(tokens)


@pytest.mark.parametrize("model", ["gpt2", "parts"])
def test_the_scores_are_those_of_the_next_word(fetcher, home, model):
    lengths = set()
    for text, reading in zip(TEXTS, asked(fetcher, model, TEXTS), strict=True):
        assert reading.outcome is Outcome.OK
        assert [(i.rank, i.text) for i in reading.items] == [(1, "he/she"), (2, "man/woman")]
        for item in reading.items:
            before, masculine, feminine = SENTENCES[item.score.template]
            first, n = by_hand(home / "lm" / model, before.format(text), masculine)
            second, m = by_hand(home / "lm" / model, before.format(text), feminine)
            assert item.score.log_masculine == pytest.approx(first, abs=1e-5)
            assert item.score.log_feminine == pytest.approx(second, abs=1e-5)
            lengths |= {n, m}
    assert (max(lengths) > 1) == (model == "parts")


def test_no_score_depends_on_what_else_was_asked(fetcher):
    texts = ("I am tired.", "I am.", "I am a nurse, I said.")
    together = asked(fetcher, "gpt2", texts)
    assert [asked(fetcher, "gpt2", [text])[0] for text in texts] == together


def test_this_process_and_the_pool_give_the_same_answer(fetcher, here):
    texts = (*TEXTS, "I am not <mask> [MASK].", "[a|b]")
    pool, own = (asked(one, "parts", texts) for one in (fetcher, here))
    assert pool == own


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("I am <|endoftext|>.", "contains '<|endoftext|>', a special token"),
        ("I am tired. " * 20, "tokens, and the model takes 48"),
        ("I am [a|b].", "is not asked a sentence with variants in it"),
    ],
)
def test_what_cannot_be_scored_is_unreadable_with_its_reason(here, text, words):
    [reading] = asked(here, "gpt2", [text])
    assert (reading.outcome, reading.reason) == (Outcome.UNREADABLE, Reason.UNSUPPORTED)
    assert words in reading.detail


class Tokenizer:
    """A tokenizer by a table, for what real ones do now and then."""

    all_special_tokens = ()
    eos_token_id, unk_token_id = 9, 8

    def __init__(self, known):
        self.known = known

    def __call__(self, text):
        return {"input_ids": list(self.known[text])}


def continuation(known, word="he"):
    from monitor.fetch.backends.language_models import Causal

    model = Causal.__new__(Causal)
    model._coder, model._most = Tokenizer(known), 5
    return model._encode_continuation(model._encode_text("a"), f"a {word}", word)


def test_an_end_that_the_tokenizer_sets_is_left_out():
    assert continuation({"a": [0, 1, 9], "a he": [0, 1, 4, 9]}) == [4]


@pytest.mark.parametrize(
    ("whole", "words"),
    [
        ([0, 2, 4], "the tokens before 'he' are not the same"),
        ([0, 1], "the tokens before 'he' are not the same"),
        ([0, 1, 8], "'he' has a part that the model does not know"),
    ],
)
def test_tokens_that_cannot_be_told_apart_are_not_scored(whole, words):
    from monitor.fetch.backends.language_models import Skipped

    with pytest.raises(Skipped, match=words):
        continuation({"a": [0, 1], "a he": whole})


def test_another_sort_of_model_is_refused_before_asking(tmp_path, home):
    check_parts([ENGINE.request([Probe("I am.", "en", "en")], {"model": "gpt2"})], home)
    tiny_lm.bert(tmp_path / "lm" / "bert")
    request = ENGINE.request([Probe("I am.", "en", "en")], {"model": "bert"})
    with pytest.raises(MissingPart, match=r"is BertForMaskedLM, not one that .* masked_lm"):
        check_parts([request], tmp_path)
