"""CTranslate2 in the process pool, against the library asked directly, and against Transformers."""

import hashlib
import json
import shutil
import warnings
from functools import cache
from importlib.metadata import version

import pytest

from monitor.engines.mt import transformers as other_engine
from monitor.engines.mt.ctranslate2 import ENGINE
from monitor.fetch import local
from monitor.fetch.local import LocalFetcher
from monitor.model import Outcome, Probe, Reason
from tests import lm

ctranslate2, transformers, *_ = lm.libraries(
    "ctranslate2", "transformers", "torch", "sentencepiece"
)

families = pytest.mark.parametrize("family", lm.FAMILIES)
languages = pytest.mark.parametrize("target", ["pt", "es"])


@pytest.fixture(scope="module")
def models(tmp_path_factory):
    return lm.models(tmp_path_factory, converted=True)


@pytest.fixture(scope="module")
def fetcher(models):
    one = LocalFetcher(models, 2, 100.0)
    yield one
    one.close()


@pytest.fixture(autouse=True)
def _fresh():
    yield
    local._loaded_model.cache_clear()


def request(family, /, *texts, target="pt", engine=ENGINE, **config):
    probes = [Probe(text, "en", target) for text in texts]
    return engine.request(probes, lm.asked(family, target, **config))


def content(answer):
    assert answer.outcome is Outcome.OK, answer.detail
    return json.loads(answer.body)


def answers(fetcher, *requests):
    found = dict(fetcher.fetch(requests))
    return [found[n] for n in range(len(requests))]


@cache
def translator(folder):
    return ctranslate2.Translator(str(folder))


@cache
def tokenizer_of(folder):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return transformers.AutoTokenizer.from_pretrained(folder)


def by_hand(folder, family, text, target, beams):
    """What the library says when it is asked for this text alone, by the tokens of its guide."""
    before, source, token = lm.codes(family, target)
    tokenizer = tokenizer_of(folder)
    if source:
        tokenizer.src_lang = source
    tokens = tokenizer.convert_ids_to_tokens(tokenizer.encode(before + text))
    [result] = translator(folder).translate_batch(
        [tokens], target_prefix=[[token]] if token else None, beam_size=beams,
        max_decoding_length=30,
    )  # fmt: skip
    own = [piece for piece in result.hypotheses[0] if piece != token]
    return tokenizer.decode(tokenizer.convert_tokens_to_ids(own))


@families
@languages
@pytest.mark.parametrize("beams", [1, 5])
def test_the_pool_says_what_the_library_says(models, fetcher, family, target, beams):
    [answer] = answers(fetcher, request(family, *lm.QUESTIONS, target=target, beam_size=beams))
    folder = models / "ctranslate2" / family
    expected = [by_hand(folder, family, text, target, beams) for text in lm.QUESTIONS]
    assert content(answer) == {"translations": expected, "stopped": ["eos"] * len(expected)}


@families
@languages
def test_greedily_it_says_what_transformers_says_of_the_same_model(models, family, target):
    """With a wider beam the two end their search by different rules."""
    mine, other = (
        content(local.answer_request(request(family, *lm.QUESTIONS, target=target, engine=engine,
                                     beam_size=1), models))
        for engine in (ENGINE, other_engine.ENGINE)
    )  # fmt: skip
    assert mine == other


@families
def test_no_text_changes_the_translation_of_another(fetcher, family):
    texts = [*lm.QUESTIONS, lm.TOO_LONG, " ", *[f"{q} {q}" for q in lm.QUESTIONS]]
    asked = [request(family, *texts), request(family, *reversed(texts))]
    together, reverse, *apart = answers(fetcher, *asked, *[request(family, t) for t in texts])
    one_by_one = [content(a)["translations"][0] for a in apart]
    assert content(together)["translations"] == one_by_one
    assert content(reverse)["translations"] == one_by_one[::-1]
    assert content(together)["stopped"] == [content(a)["stopped"][0] for a in apart]
    assert {answer.agent for answer in (together, reverse, *apart)} == {together.agent}
    assert one_by_one[len(lm.QUESTIONS) :][:2] == [None, ""]


@families
def test_what_was_cut_off_or_never_asked_is_no_data(fetcher, family):
    probes = [Probe(text, "en", "pt") for text in (lm.TOO_LONG, lm.QUESTIONS[4])]
    config = lm.asked(family, max_output=8, beam_size=1)
    [answer] = answers(fetcher, ENGINE.request(probes, config))
    found = content(answer)
    assert found["translations"][0] is None
    assert found["translations"][1]
    assert found["stopped"] == ["input", "length"]
    readings = ENGINE.parse(answer, probes)
    assert {(r.outcome, r.reason) for r in readings} == {(Outcome.UNREADABLE, Reason.TRUNCATED)}


@families
def test_a_model_that_never_ends_is_cut_off_at_its_own_limit(tmp_path, family):
    """The library would raise an error for the first position that the model does not have."""
    lm.make(family, tmp_path / "source", endless=True)
    lm.convert(tmp_path / "source", tmp_path / "ctranslate2" / family)
    asked = request(family, *lm.QUESTIONS, max_output=256, beam_size=1)
    answer = local.answer_request(asked, tmp_path)
    assert content(answer)["stopped"] == ["length"] * len(lm.QUESTIONS)


@families
def test_what_answered_is_named(models, fetcher, family):
    [answer] = answers(fetcher, request(family, "I am tired."))
    agent = dict(answer.agent)
    folder = models / "ctranslate2" / family
    hashes = {
        f"sha256:{path.name}": hashlib.sha256(path.read_bytes()).hexdigest()
        for path in folder.iterdir()
    }
    assert hashes == {name: value for name, value in agent.items() if ":" in name}
    assert "sha256:model.bin" in hashes
    assert (agent["library"], agent["model"]) == ("ctranslate2", family)
    assert agent["library_version"] == version("ctranslate2")
    assert agent["arithmetic"] == "float32"


# --- what goes wrong ----------------------------------------------------------------------------


@pytest.fixture
def copy(models, tmp_path):
    shutil.copytree(models / "ctranslate2" / "nllb", tmp_path / "ctranslate2" / "nllb")
    return tmp_path


def test_a_damaged_model_is_an_answer_with_its_traceback(copy):
    weights = copy / "ctranslate2" / "nllb" / "model.bin"
    weights.write_bytes(weights.read_bytes()[:200])
    one = LocalFetcher(copy, 1, 100.0)
    [answer] = answers(one, request("nllb", "I am tired."))
    one.close()
    assert (answer.outcome, answer.reason) == (Outcome.FAILED, Reason.EXCEPTION)
    assert "Traceback" in answer.detail
    assert "model.bin" in answer.detail


def test_a_vocabulary_of_another_model_is_said(copy):
    path = copy / "ctranslate2" / "nllb" / "shared_vocabulary.json"
    tokens = json.loads(path.read_text("utf-8"))
    other = ["madeup" if token == "por_Latn" else token for token in tokens]
    path.write_text(json.dumps(other), encoding="utf-8")
    answer = local.answer_request(request("nllb", "I am tired."), copy)
    assert answer.outcome is Outcome.FAILED
    assert "does not know 'por_Latn' and 0 other tokens" in answer.detail


def test_a_tokenizer_of_another_family_is_said(models):
    answer = local.answer_request(request("nllb", "I am tired.", family="m2m"), models)
    assert answer.outcome is Outcome.FAILED
    assert "needs a M2M100Tokenizer, the folder has a NllbTokenizer" in answer.detail
