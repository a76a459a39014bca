"""Transformers in the process pool, against the same library asked directly, text by text."""

import hashlib
import json
import shutil
from importlib.metadata import version

import pytest

from monitor.engines.mt.transformers import ENGINE
from monitor.fetch import check_parts, local
from monitor.fetch.local import LocalFetcher
from monitor.model import MissingPart, Outcome, Probe, Reason
from tests import lm

torch, transformers, _ = lm.libraries("torch", "transformers", "sentencepiece")

families = pytest.mark.parametrize("family", lm.FAMILIES)
languages = pytest.mark.parametrize("target", ["pt", "es"])


@pytest.fixture(scope="module")
def models(tmp_path_factory):
    return lm.models(tmp_path_factory)


@pytest.fixture(scope="module")
def fetcher(models):
    one = LocalFetcher(models, 2, 100.0)
    yield one
    one.close()


@pytest.fixture(autouse=True)
def _fresh():
    yield
    local._loaded_model.cache_clear()


def request(family, /, *texts, target="pt", **config):
    probes = [Probe(text, "en", target) for text in texts]
    return ENGINE.request(probes, lm.asked(family, target, **config))


def content(answer):
    assert answer.outcome is Outcome.OK, answer.detail
    return json.loads(answer.body)


def answers(fetcher, *requests):
    found = dict(fetcher.fetch(requests))
    return [found[n] for n in range(len(requests))]


def by_hand(folder, family, text, target, beams):
    """What the library says when it is asked for this text alone."""
    before, source, token = lm.codes(family, target)
    tokenizer, network = lm.loaded(folder, "AutoModelForSeq2SeqLM")
    if source:
        tokenizer.src_lang = source
    more = {"forced_bos_token_id": tokenizer.convert_tokens_to_ids(token)} if token else {}
    inputs = tokenizer(before + text, return_tensors="pt")
    with torch.no_grad():
        output = network.generate(**inputs, num_beams=beams, max_length=lm.POSITIONS, **more)
    return tokenizer.decode(output[0], skip_special_tokens=True).removeprefix(token).strip()


@families
@languages
@pytest.mark.parametrize("beams", [1, 5])
def test_the_pool_says_what_the_library_says(models, fetcher, family, target, beams):
    [answer] = answers(fetcher, request(family, *lm.QUESTIONS, target=target, beam_size=beams))
    folder = models / "transformers" / family
    expected = [by_hand(folder, family, text, target, beams) for text in lm.QUESTIONS]
    assert content(answer) == {"translations": expected, "stopped": ["eos"] * len(expected)}
    assert len(set(expected)) > 4  # it has learned something to tell apart


@families
def test_the_language_that_is_asked_for_decides(fetcher, family):
    asked = [request(family, *lm.QUESTIONS, target=target) for target in ("pt", "es")]
    portuguese, spanish = [content(a)["translations"] for a in answers(fetcher, *asked)]
    assert portuguese[0] == "Estou cansada."
    assert spanish[1] == "Trabajo en casa."
    assert sum(a != b for a, b in zip(portuguese, spanish, strict=True)) >= 4


@families
def test_no_text_changes_the_translation_of_another(fetcher, family):
    """Texts of many lengths, one that is too long and an empty one, in three arrangements."""
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
    [answer] = answers(fetcher, ENGINE.request(probes, lm.asked(family, max_output=8)))
    found = content(answer)
    assert found["translations"][0] is None
    assert found["translations"][1]
    assert found["stopped"] == ["input", "length"]
    readings = ENGINE.parse(answer, probes)
    assert {(r.outcome, r.reason) for r in readings} == {(Outcome.UNREADABLE, Reason.TRUNCATED)}


@families
def test_a_limit_of_the_config_is_kept(fetcher, family):
    short, long = lm.QUESTIONS[0], lm.QUESTIONS[4]
    [answer] = answers(fetcher, request(family, short, long, max_input=16))
    assert content(answer)["stopped"] == ["eos", "input"]


def test_a_model_that_never_ends_is_cut_off_at_its_own_limit(tmp_path):
    """Marian configs force an end at the limit, which would look like a finished sentence."""
    lm.make("marian", tmp_path / "transformers" / "marian", endless=True)
    asked = request("marian", *lm.QUESTIONS, max_output=256, beam_size=1)
    answer = local.answer_request(asked, tmp_path)
    assert content(answer)["stopped"] == ["length"] * len(lm.QUESTIONS)


@families
def test_what_answered_is_named(models, fetcher, family):
    [answer] = answers(fetcher, request(family, "I am tired."))
    agent = dict(answer.agent)
    folder = models / "transformers" / family
    hashes = {
        f"sha256:{path.name}": hashlib.sha256(path.read_bytes()).hexdigest()
        for path in folder.iterdir()
    }
    assert hashes == {name: value for name, value in agent.items() if ":" in name}
    assert len(hashes) >= 5
    assert (agent["library"], agent["model"]) == ("transformers", family)
    for package in ("torch", "transformers", "tokenizers", "sentencepiece"):
        assert agent[f"{package}_version"] == version(package)
    assert agent["arithmetic"].startswith("float32 ")
    assert "decoder_start_token_id" in json.loads(agent["generation"])
    assert "revision" not in agent
    assert answer.agent == tuple(sorted(answer.agent))


def test_the_same_in_this_process_where_no_network_can_be_reached(models):
    answer = local.answer_request(request("nllb", "I am tired.", " ", lm.TOO_LONG), models)
    assert content(answer)["translations"] == ["Estou cansada.", "", None]


def test_a_model_may_lie_anywhere_and_tell_its_revision(models, tmp_path):
    folder = tmp_path / "elsewhere"
    shutil.copytree(models / "transformers" / "m2m", folder)
    (folder / "REVISION").write_text("c" * 40 + "\n", encoding="utf-8")
    config = lm.asked("m2m") | {"model": str(folder)}
    asked = ENGINE.request([Probe("I am tired.", "en", "pt")], config)
    check_parts([asked], tmp_path)
    agent = dict(local.answer_request(asked, tmp_path).agent)
    assert (agent["model"], agent["revision"]) == ("elsewhere", "c" * 40)


# --- what goes wrong ----------------------------------------------------------------------------


@pytest.fixture
def copy(models, tmp_path):
    shutil.copytree(models / "transformers" / "nllb", tmp_path / "transformers" / "nllb")
    return tmp_path


def test_a_damaged_model_is_an_answer_with_its_traceback(copy):
    weights = copy / "transformers" / "nllb" / "model.safetensors"
    weights.write_bytes(weights.read_bytes()[:200])
    one = LocalFetcher(copy, 1, 100.0)
    [answer] = answers(one, request("nllb", "I am tired."))
    one.close()
    assert (answer.outcome, answer.reason) == (Outcome.FAILED, Reason.EXCEPTION)
    assert "Traceback" in answer.detail
    assert "safetensor" in answer.detail.lower()


def test_weights_that_can_run_code_are_refused(copy):
    folder = copy / "transformers" / "nllb"
    (folder / "model.safetensors").rename(folder / "pytorch_model.bin")
    with pytest.raises(MissingPart, match=r"model\.safetensors; other formats can run code"):
        check_parts([request("nllb", "I am tired.")], copy)


@pytest.mark.parametrize(
    ("config", "words"),
    [
        ({"family": "m2m"}, "family 'm2m' needs a M2M100Tokenizer, the folder has a NllbTokenizer"),
        ({"target_code": "deu_Latn"}, "does not know the language code 'deu_Latn'"),
        ({"source_code": "xxx_Latn"}, "does not know the language code 'xxx_Latn'"),
    ],
)
def test_a_request_that_does_not_fit_the_model_is_an_answer_that_says_so(models, config, words):
    answer = local.answer_request(request("nllb", "I am tired.", **config), models)
    assert (answer.outcome, answer.reason) == (Outcome.FAILED, Reason.EXCEPTION)
    assert words in answer.detail
