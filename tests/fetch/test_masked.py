"""Masked language models: scores of tiny ones through the process pool, against logits by hand."""

import json
import math
from pathlib import Path

import pytest

from monitor import registry
from monitor.fetch import check_parts, local
from monitor.fetch.local import LocalFetcher
from monitor.model import MissingPart, Outcome, Probe, Reason
from tests import lm
from tests.factories import make_audit, rows, run_audit
from tests.fetch import tiny_lm

torch, transformers = lm.libraries("torch", "transformers")

ENGINE = registry.engine("masked_lm")
TEXTS = ("I am tired.", "I am a nurse.")
#: Section 4.2 of the paper, written out.
SENTENCES = {
    "0": ('He said: "{}"', 'She said: "{}"'),
    "1": ('The man said: "{}"', 'The woman said: "{}"'),
    "2": ('"{}", he said.', '"{}", she said.'),
    "3": ('"{}", the man said.', '"{}", the woman said.'),
}
WORDS = ["He/She", "man/woman", "he/she", "man/woman"]
PAIR = "Jsem [unavený|unavená]."


@pytest.fixture(scope="module")
def home(tmp_path_factory):
    folder = tmp_path_factory.mktemp("masked")
    models = folder / "models" / "lm"
    tiny_lm.bert(models / "bert")
    tiny_lm.roberta(models / "roberta")
    tiny_lm.xlm_roberta(models / "xlm-roberta")
    tiny_lm.bert(models / "no-woman", without=("woman",))
    return folder / "models"


@pytest.fixture(scope="module")
def fetcher(home):
    made = LocalFetcher(home, 2)
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


def asked(fetcher, model, texts, language="en"):
    probes = [Probe(text, language, language) for text in texts]
    [(_, answer)] = fetcher.fetch([ENGINE.request(probes, {"model": model})])
    assert answer.outcome is Outcome.OK, answer.detail
    return answer, ENGINE.parse(answer, probes)


def scores_of(reading):
    return {item.score.template: item.score for item in reading.items}


def by_hand(folder, masculine, feminine):
    """(log P(m), log P(f)) where the two sentences differ, by a softmax of our own."""
    tokenizer, network = lm.loaded(folder, "AutoModelForMaskedLM")
    first, second = (tokenizer(text)["input_ids"] for text in (masculine, feminine))
    [at] = [n for n in range(len(first)) if first[n] != second[n]]
    assert len(first) == len(second)
    given = [tokenizer.mask_token_id if n == at else number for n, number in enumerate(first)]
    with torch.no_grad():
        logits = network(torch.tensor([given])).logits[0, at].tolist()
    top = max(logits)
    total = math.log(math.fsum(math.exp(x - top) for x in logits)) + top
    return logits[first[at]] - total, logits[second[at]] - total


@pytest.mark.parametrize("model", ["bert", "roberta", "xlm-roberta"])
def test_the_scores_are_those_of_the_masked_word(fetcher, home, model):
    _, readings = asked(fetcher, model, TEXTS)
    for text, reading in zip(TEXTS, readings, strict=True):
        assert reading.outcome is Outcome.OK
        assert [item.text for item in reading.items] == WORDS
        found = scores_of(reading)
        assert list(found) == ["0", "1", "2", "3"]
        for name, (masculine, feminine) in SENTENCES.items():
            logs = by_hand(home / "lm" / model, masculine.format(text), feminine.format(text))
            assert found[name].log_masculine == pytest.approx(logs[0], abs=1e-5)
            assert found[name].log_feminine == pytest.approx(logs[1], abs=1e-5)
            assert found[name].log_ratio == pytest.approx(logs[0] - logs[1], abs=1e-5)
    ratios = {score.log_ratio for reading in readings for score in scores_of(reading).values()}
    assert len(ratios) == 8


@pytest.mark.parametrize("model", ["bert", "roberta", "xlm-roberta"])
def test_variants_in_the_text_are_scored_where_they_stand(fetcher, home, model):
    _, [reading] = asked(fetcher, model, [PAIR], "cs")
    [item] = reading.items
    assert (item.text, item.score.template) == (PAIR, "pair")
    masculine, feminine = by_hand(home / "lm" / model, "Jsem unavený.", "Jsem unavená.")
    assert item.score.log_ratio == pytest.approx(masculine - feminine, abs=1e-5)


def test_no_score_depends_on_what_else_was_asked(fetcher):
    texts = ("I am tired.", "I am.", "I am a nurse, I said.", "I am a man.")
    answer, together = asked(fetcher, "bert", texts)
    for text, reading in zip(texts, together, strict=True):
        _, [alone] = asked(fetcher, "bert", [text])
        assert alone == reading  # to the last bit
    agent = dict(answer.agent)
    assert agent["library"] == "transformers"
    assert {"sha256:model.safetensors", "sha256:tokenizer.json", "torch_version"} <= set(agent)


def test_this_process_and_the_pool_give_the_same_answer(fetcher, here):
    texts = (*TEXTS, "I am not <mask> [MASK].", "[a|b]")
    (first, pool), (second, own) = (asked(one, "bert", texts) for one in (fetcher, here))
    assert pool == own
    assert (first.body, first.agent) == (second.body, second.agent)


def test_a_word_of_several_tokens_is_not_scored_and_says_so(here):
    _, [reading] = asked(here, "no-woman", TEXTS[:1])
    assert list(scores_of(reading)) == ["0", "2"]
    assert [item.rank for item in reading.items] == [1, 2]
    assert "template 1: 'man' and 'woman' are not one token apart" in reading.detail


@pytest.mark.parametrize(
    ("model", "text", "language", "words"),
    [
        ("bert", "I am [MASK].", "en", "contains '[MASK]', a special token"),
        ("roberta", "I am <mask>.", "en", "contains '<mask>', a special token"),
        ("bert", "I am tired. " * 20, "en", "tokens, and the model takes 48"),
        ("roberta", "I am tired. " * 20, "en", "tokens, and the model takes 48"),
        ("bert", "Jsem tu.", "cs", "no template in this language, and no [a|b] in the text"),
        ("bert", "[a|b] [c|d]", "cs", "more than one [a|b] in the text"),
        ("bert", "[man|woman woman]", "cs", "are not one token apart: the sentences are 3 and 4"),
        ("bert", "[the man|a nurse]", "cs", "are 2 tokens apart, not one"),
        ("bert", "[man|MAN]", "cs", "are 0 tokens apart, not one"),
        ("bert", "[man|☃]", "cs", "'☃' is no token that the model knows"),
    ],
)
def test_what_cannot_be_scored_is_unreadable_with_its_reason(here, model, text, language, words):
    _, [reading] = asked(here, model, [text], language)
    assert (reading.outcome, reading.reason) == (Outcome.UNREADABLE, Reason.UNSUPPORTED)
    assert words in reading.detail
    assert reading.items == ()


def test_a_word_is_not_taken_for_scored_when_only_a_part_of_it_is(tmp_path):
    """`he` = h + ##e and `xe` = x + ##e are one token apart, but no words of the model."""
    from monitor.fetch.backends.language_models import Masked, ScoredPair, Skipped
    from monitor.text.sentence_pairs import SentencePair

    place = tiny_lm.bert(tmp_path / "bert", without=("he", "she"))
    scorer = Masked(place)
    pair = SentencePair("", "he", "xe", " said")
    assert len(scorer.score_pair(ScoredPair("pair", pair, whole=False))) == 2
    with pytest.raises(Skipped, match="'he' is not one token: only 'h' of it differs"):
        scorer.score_pair(ScoredPair("0", pair, whole=True))


# --- what is missing ----------------------------------------------------------------------------


def refused(models, model):
    request = ENGINE.request([Probe("I am.", "en", "en")], {"model": model})
    with pytest.raises(MissingPart) as caught:
        check_parts([request], models)
    return str(caught.value)


def test_a_model_that_is_not_there_or_another_sort_is_refused_before_asking(home, tmp_path):
    check_parts([ENGINE.request([Probe("I am.", "en", "en")], {"model": "bert"})], home)
    assert "docs/models.md" in refused(tmp_path, "bert")
    tiny_lm.gpt2(tmp_path / "lm" / "gpt2")
    assert "is GPT2LMHeadModel" in refused(tmp_path, "gpt2")
    assert "generative_lm" in refused(tmp_path, "gpt2")
    tiny_lm.bert(tmp_path / "lm" / "bare", head=False)
    assert "is BertModel" in refused(tmp_path, "bare")
    (tmp_path / "lm" / "bare" / "config.json").write_text("{}")
    assert "names no 'architectures'" in refused(tmp_path, "bare")


def test_weights_that_would_be_random_are_refused(tmp_path):
    place = tiny_lm.bert(tmp_path / "lm" / "bare", head=False)
    config = json.loads((place / "config.json").read_text())
    (place / "config.json").write_text(json.dumps(config | {"architectures": ["XForMaskedLM"]}))
    request = ENGINE.request([Probe("I am.", "en", "en")], {"model": "bare"})
    [(_, answer)] = Here(tmp_path).fetch([request])
    assert answer.outcome is Outcome.FAILED
    assert "which would be random numbers" in answer.detail


def test_a_tokenizer_without_a_mask_is_refused(tmp_path):
    from monitor.fetch.backends.language_models import Masked

    place = tiny_lm.gpt2(tmp_path / "gpt2")
    with pytest.raises(MissingPart, match="has no token for a mask"):
        Masked(place)


def test_the_libraries_are_named_when_they_are_missing(monkeypatch, home):
    lm.pretend(monkeypatch, "torch")
    assert "'torch' is not installed" in refused(home, "bert")


def test_a_request_without_templates_is_a_failure(here):
    from monitor.model import LocalRequest

    [(_, answer)] = here.fetch([LocalRequest("masked", "bert", ("I am.",))])
    assert answer.outcome is Outcome.FAILED
    assert "names its templates" in answer.detail


# --- a whole run --------------------------------------------------------------------------------


def test_a_run_ends_in_scores_and_points(sqlite_database, tmp_path, home, fetcher):
    use = {"name": "masked_lm", "targets": ["en"], "config": {"model": "bert"}}
    audit = make_audit(tmp_path, engines=[use], measures=[{"name": "lm_ratio", "floor": 1}])
    summary = run_audit(sqlite_database, audit, fetcher)
    assert (summary.state, summary.answered) == ("done", 32)
    [count] = rows(sqlite_database, "SELECT COUNT(*) AS n FROM lm_scores")
    assert count["n"] == 32 * 4
    points = rows(
        sqlite_database,
        "SELECT scope, value, engine FROM points_current WHERE quantity IN ('g_s', 'g_s_mean')",
    )
    assert {point["engine"] for point in points} == {"masked_lm:bert"}
    by_scope = {point["scope"]: point["value"] for point in points}
    assert set(by_scope) == {"all", *(f"template:{n}" for n in range(4))}
    mean = sum(value for scope, value in by_scope.items() if scope != "all") / 4
    assert by_scope["all"] == pytest.approx(mean, abs=1e-12)
    assert Path(home / "lm" / "bert").is_dir()
