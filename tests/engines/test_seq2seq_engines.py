"""The engines of local translation models: requests, language codes, refusals, cut-off answers."""

import json
import re
from datetime import UTC, datetime

import pytest

from monitor import parameters
from monitor.engines import _local
from monitor.engines.mt import ctranslate2, transformers
from monitor.fetch import check_parts
from monitor.fetch.backends import _model_files
from monitor.model import Answer, Item, LocalRequest, MissingPart, Outcome, Probe, Reading, Reason
from tests import lm
from tests.cases import check_each

AT = datetime(2025, 1, 6, 5, tzinfo=UTC)
ENGINES = {"ctranslate2": ctranslate2.ENGINE, "transformers": transformers.ENGINE}
BACKENDS = {"ctranslate2": "ct2", "transformers": "seq2seq"}
engines = pytest.mark.parametrize("engine", ENGINES.values(), ids=ENGINES)
NLLB = {"model": "nllb-200", "family": "nllb"}
TARGETS = "pt es ca be hr cs pl ru sr sk sl uk tr fi hu et fa bn de fr it".split()


def probes(*texts, target="pt"):
    return [Probe(text, "en", target) for text in texts]


def answered(**content):
    return Answer(Outcome.OK, AT, 0.1, body=json.dumps(content).encode())


# --- what is asked ------------------------------------------------------------------------------


@engines
def test_a_request_has_all_that_decides_the_answer(engine):
    options = (
        ("beam_size", "5"), ("family", "nllb"), ("max_input", "512"), ("max_output", "256"),
        ("source_code", "eng_Latn"), ("target_code", "por_Latn"),
    )  # fmt: skip
    expected = LocalRequest(BACKENDS[engine.name], "nllb-200", ("I am tired.", "I sleep."), options)
    assert engine.request(probes("I am tired.", "I sleep."), NLLB) == expected
    full = parameters.fill_defaults(engine.parameters, NLLB)
    assert engine.request(probes("I am tired.", "I sleep."), full) == expected


@engines
@check_each(
    ("config", "codes"),
    [
        ({"family": "nllb"}, ("eng_Latn", "por_Latn")),
        ({"family": "nllb", "target_code": "glg_Latn"}, ("eng_Latn", "glg_Latn")),
        ({"family": "m2m"}, ("en", "pt")),
        ({"family": "m2m", "source_code": "gl"}, ("gl", "pt")),
        ({"family": "marian"}, ("", "")),
        ({"family": "marian", "target_code": "por"}, ("", "por")),
    ],
)
def test_languages_are_called_as_the_family_calls_them(engine, config, codes):
    full = {"model": "m"} | config
    assert engine.check("en", "pt-BR", full) == ""
    options = dict(engine.request(probes("a", target="pt-BR"), full).options)
    assert (options["source_code"], options["target_code"]) == codes


@pytest.mark.parametrize("family", ["nllb", "m2m"])
def test_every_language_whose_gender_is_read_has_a_code(family):
    found = [_local.language_code(family, target) for target in TARGETS]
    assert all(found)
    assert len(set(found)) == len(TARGETS)
    if family == "nllb":
        assert all(re.fullmatch(r"[a-z]{3}_[A-Z][a-z]{3}", code) for code in found)


@check_each(
    ("tag", "code"),
    [("sr", "srp_Cyrl"), ("sr-Cyrl-RS", "srp_Cyrl"), ("sr-Latn", ""), ("PT-br", "por_Latn"),
     ("xx", ""), ("", "")],
)  # fmt: skip
def test_a_script_that_the_model_does_not_write_has_no_code(tag, code):
    assert _local.language_code("nllb", tag) == code


@engines
@check_each(
    ("pair", "config", "words"),
    [
        (("en", "en-GB"), NLLB, "cannot translate 'en' into 'en-GB'"),
        (("en", "pt"), {"family": "nllb"}, "config needs 'model'"),
        (("en", "pt"), {"model": "m"}, "config needs 'family'"),
        (("en", "pt"), NLLB | {"family": "t5"}, "one of nllb, m2m, marian"),
        (("en", "pt"), NLLB | {"beam_size": 0}, "at least 1"),
        (("en", "pt"), NLLB | {"max_output": 7}, "at least 8"),
        (("en", "zz"), NLLB, "'zz' has no code known for nllb; say it in config as 'target_code'"),
        (("zz", "pt"), NLLB | {"family": "m2m"}, "say it in config as 'source_code'"),
        (("en", "sr-Latn"), NLLB, "'sr-Latn' has no code known"),
        (("en", "pt"), {"model": "m", "family": "marian", "source_code": "en"}, "takes no"),
    ],
)
def test_what_cannot_be_asked_is_refused_in_a_sentence(engine, pair, config, words):
    assert words in engine.check(*pair, config)


@engines
def test_an_engine_names_its_own_folder_and_its_model(engine):
    assert f"models/{engine.name}" in engine.parameters[0].meaning
    assert engine.label_by in {parameter.name for parameter in engine.parameters}
    assert "one text at a time" in engine.needs.independence
    assert engine.trouble(answered(), NLLB) is None
    assert engine.identity(answered()) == ()


# --- what came back -----------------------------------------------------------------------------


@engines
def test_a_translation_that_was_cut_off_is_no_data(engine):
    answer = answered(
        translations=["Estou cansada.", "Sou enfer", None, ""],
        stopped=["eos", "length", "input", "eos"],
    )
    done, cut, never, empty = engine.parse(answer, probes("I am tired.", "A nurse.", "b", "c"))
    assert done == Reading(Outcome.OK, (Item(1, "Estou cansada."),))
    assert (cut.outcome, cut.reason) == (Outcome.UNREADABLE, Reason.TRUNCATED)
    assert (cut.items, "max_output" in cut.detail) == ((Item(1, "Sou enfer"),), True)
    assert (never.outcome, never.reason) == (Outcome.UNREADABLE, Reason.TRUNCATED)
    assert (never.items, "max_input" in never.detail) == ((), True)
    assert empty.outcome is Outcome.EMPTY


@engines
@check_each("stopped", [["eos"], "eos", 7, {}, [], ["eos", "eos", "eos"]])
def test_a_list_of_another_length_is_unreadable(engine, stopped):
    readings = engine.parse(answered(translations=["A", "B"], stopped=stopped), probes("a b", "c"))
    assert [(r.outcome, r.reason, r.items) for r in readings] == [
        (Outcome.UNREADABLE, Reason.MALFORMED, ())
    ] * 2


@engines
@check_each("end", [None, 3, "stop", ["eos"], {}])
def test_an_unknown_end_is_unreadable(engine, end):
    answer = answered(translations=["Estou cansada.", "Durmo bem."], stopped=[end, "eos"])
    first, second = engine.parse(answer, probes("I am tired.", "I sleep well."))
    assert (first.outcome, first.reason) == (Outcome.UNREADABLE, Reason.MALFORMED)
    assert second.outcome is Outcome.OK


@engines
@check_each("body", [b"", b"[]", b"7", b"{", b"\xff", b"[" * 100_000])
def test_anything_else_is_unreadable(engine, body):
    [reading] = engine.parse(Answer(Outcome.OK, AT, 0.1, body=body), probes("a"))
    assert (reading.outcome, reading.reason) == (Outcome.UNREADABLE, Reason.MALFORMED)


# --- what is missing ----------------------------------------------------------------------------


def folder(models, engine, *names):
    place = models / engine.name / "nllb-200"
    place.mkdir(parents=True)
    for name in names:
        (place / name).write_bytes(b"{}")
    return place


COMPLETE = {
    "ctranslate2": ("config.json", "model.bin", "shared_vocabulary.json"),
    "transformers": ("config.json", "model.safetensors"),
}
TOKENIZER = ("tokenizer_config.json", "tokenizer.json")


@engines
@pytest.mark.parametrize(
    "tokenizer",
    [
        TOKENIZER,
        ("tokenizer_config.json", "sentencepiece.bpe.model", "vocab.json"),
        ("tokenizer_config.json", "source.spm", "target.spm", "vocab.json"),
    ],
)
def test_a_complete_folder_is_enough(engine, tokenizer, tmp_path, monkeypatch):
    lm.pretend(monkeypatch)
    place = folder(tmp_path, engine, *COMPLETE[engine.name], *tokenizer)
    check_parts([engine.request(probes("a"), NLLB)], tmp_path)
    elsewhere = NLLB | {"model": str(place)}
    check_parts([engine.request(probes("a"), elsewhere)], tmp_path / "nowhere")


@engines
def test_every_missing_library_names_the_extra(engine, tmp_path, monkeypatch):
    names = {"ctranslate2": ("ctranslate2", "transformers", "sentencepiece"),
             "transformers": ("torch", "transformers", "sentencepiece")}  # fmt: skip
    for name in names[engine.name]:
        lm.pretend(monkeypatch, name)
        with pytest.raises(MissingPart, match=re.escape("pip install 'gbmonitor[lm]'")) as caught:
            check_parts([engine.request(probes("a"), NLLB)], tmp_path)
        assert repr(name) in str(caught.value)
        assert "docs/models.md" in str(caught.value)
        monkeypatch.undo()


@engines
def test_a_missing_folder_is_named(engine, tmp_path, monkeypatch):
    lm.pretend(monkeypatch)
    expected = re.escape(f"no model folder {tmp_path / engine.name / 'nllb-200'}: docs/models.md")
    with pytest.raises(MissingPart, match=expected):
        check_parts([engine.request(probes("a"), NLLB)], tmp_path)


@engines
@pytest.mark.parametrize("without", ["config.json", "weights", *TOKENIZER])
def test_a_folder_that_lacks_something_says_what(engine, without, tmp_path, monkeypatch):
    lm.pretend(monkeypatch)
    names = {*COMPLETE[engine.name], *TOKENIZER} - {without}
    if without == "weights":
        names -= {"model.bin", "model.safetensors"}
    folder(tmp_path, engine, *names)
    words = {"weights": r"model\.", "config.json": r"lacks config\.json"}
    with pytest.raises(MissingPart, match=words.get(without, "its tokenizer")):
        check_parts([engine.request(probes("a"), NLLB)], tmp_path)


# --- which model it was -------------------------------------------------------------------------


def test_the_files_that_can_change_an_answer_are_hashed(tmp_path):
    kept = {"config.json", "model.safetensors", "source.spm", "tokenizer.model", "merges.txt"}
    for name in (*kept, "model.bin", "README.md", ".gitattributes", "pytorch_model.bin"):
        (tmp_path / name).write_bytes(b"x")
    (tmp_path / "deeper.json").mkdir()
    assert _model_files.model_files(tmp_path).keys() == kept
    assert _model_files.model_files(tmp_path, "model.bin").keys() == kept | {"model.bin"}


COMMIT = "0123456789abcdef0123456789abcdef01234567"


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("REVISION", f"{COMMIT}\n"),
        (".cache/huggingface/download/config.json.metadata", f"{COMMIT}\netag\n1.5\n"),
    ],
)
def test_the_revision_is_what_a_file_says(tmp_path, name, content):
    path = tmp_path / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(content, encoding="utf-8")
    assert _model_files.model_revision(tmp_path) == COMMIT


def test_the_revision_is_the_name_of_a_snapshot_or_unknown(tmp_path):
    snapshot = tmp_path / "snapshots" / COMMIT
    snapshot.mkdir(parents=True)
    assert _model_files.model_revision(snapshot) == COMMIT
    (tmp_path / "REVISION").write_text("main\n", encoding="utf-8")
    assert _model_files.model_revision(tmp_path) == ""
