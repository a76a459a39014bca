"""What every plug-in promises, whoever wrote it: engines, languages, and all that has a version.

The contract of measures is in tests/measures, because it needs their numbers.
"""

import json
import tomllib
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from monitor import parameters, registry
from monitor.fetch import check_parts, secrets
from monitor.model import (
    Answer,
    Cue,
    Fault,
    Gender,
    GenderClass,
    HttpRequest,
    Item,
    Kind,
    LocalRequest,
    MissingPart,
    Outcome,
    Probe,
    Reason,
    RecordedRequest,
    Signal,
)
from tests import plugin_versions
from tests.cases import check_each
from tests.engines import searching, services

ENGINES = registry.discover("engines")
LANGUAGES = registry.discover("languages")
RECORDINGS = Path(__file__).parent / "engines" / "recordings"
CLASSES = tomllib.loads((Path(__file__).parent / "language_classes.toml").read_text("utf-8"))
AT = datetime(2025, 1, 6, 5, tzinfo=UTC)
#: What an engine cannot be asked without.
CONFIG = {
    "amazon_translate": {"region": "eu-west-1"},
    "answers": {"base_url": "https://api.openai.com/v1", "model": "m"},
    "apertium": {"base_url": "http://127.0.0.1:2737"},
    "bing_suggest": {"opt_in": True},
    "donated_pages": {"system": "google"},
    "chat": {"base_url": "https://api.openai.com/v1", "model": "m"},
    "ctranslate2": {"model": "nllb", "family": "nllb"},
    "duckduckgo_suggest": {"opt_in": True},
    "generative_lm": {"model": "gpt2"},
    "google_suggest": {"opt_in": True},
    "google_web": {"opt_in": True},
    "libretranslate": {"base_url": "http://127.0.0.1:5000"},
    "local": {"index": "news"},
    "masked_lm": {"model": "bert-base-uncased"},
    "opensearch": {"base_url": "http://127.0.0.1:9200", "index": "pages"},
    "recorded": {"file": "translations.csv", "system": "amazon_translate"},
    "saved_pages": {"folder": "saved"},
    "searxng": {"base_url": "http://127.0.0.1:8080"},
    "selectors": {"url": "https://example.org/search?q={query}", "result": "article"},
    "recorded_scores": {"folder": "scores", "system": "bert-base-uncased"},
    "trec_run": {"file": "bm25.run", "system": "bm25", "collection": "trec:robust04"},
    "transformers": {"model": "nllb", "family": "nllb"},
}
#: Where "pt" is not enough for an engine.
TARGET = {"deepl": "pt-BR"}
#: "API_KEY" and "MONITOR_SECRET" are named in `CONFIG`.
KEYS = (
    *sorted({name for engine in ENGINES.values() for name in engine.needs.secrets}),
    "API_KEY", "MONITOR_SECRET",
)  # fmt: skip
TEXTS = ("I am a nurse.", "I am tired.", "I am a lawyer.")
PROBES = [Probe(text, "en", "pt") for text in TEXTS]
#: Which recorded answers an engine must have, by (kind, surface).
REQUIRED = {
    (Kind.MT, "local"): {"ok"},
    (Kind.MT, "recorded"): {"ok"},
    (Kind.MT, "api"): {"ok", "quota", "poisoned"},
    (Kind.LM, "local"): {"ok"},
    (Kind.LM, "recorded"): {"ok"},
    (Kind.SEARCH, "api"): {"ok", "empty", "blocked"},
    (Kind.SEARCH, "ui"): {"ok", "empty", "blocked"},
    (Kind.SEARCH, "local"): {"ok", "empty"},
    (Kind.SEARCH, "recorded"): {"ok"},
    (Kind.SEARCH, "donated"): {"ok"},
}
#: A server of one's own, without keys, has no quota: it is out of order at most.
INSTEAD = {"apertium": {"quota": "unavailable"}}
many = settings(max_examples=60, deadline=None)
engines = pytest.mark.parametrize("engine", ENGINES.values(), ids=ENGINES)
languages = pytest.mark.parametrize("language", LANGUAGES.values(), ids=LANGUAGES)


def config(engine):
    return CONFIG.get(engine.name, {})


def settled(engine):
    return parameters.fill_defaults(engine.parameters, config(engine))


def pair(engine):
    """A pair of languages, or a language and a region, that an engine can be asked."""
    if engine.kind is Kind.SEARCH:
        return "en", "us-en"
    return "en", "en" if engine.kind is Kind.LM else TARGET.get(engine.name, "pt")


def probes(engine):
    if engine.kind is Kind.SEARCH:
        return searching.probes(TEXTS)
    return [Probe(text, *pair(engine)) for text in TEXTS]


def answered(body, outcome=Outcome.OK):
    return Answer(outcome, AT, 0.1, body=body)


# --- engines ------------------------------------------------------------------------------------


@engines
def test_an_engine_describes_itself(engine):
    assert engine.title
    assert engine.version >= 1
    assert engine.kind in set(Kind)
    assert engine.surface in {surface for _, surface in REQUIRED}
    assert engine.batch >= 1
    assert engine.pace > 0
    assert engine.price >= 0
    if engine.surface == "local" and engine.kind is not Kind.SEARCH:
        assert engine.extra


@engines
def test_a_request_is_the_same_every_time_and_holds_the_questions_in_order(engine):
    some = probes(engine)[: engine.batch]
    first, second = (engine.request(some, settled(engine)) for _ in range(2))
    assert first == second
    assert hash(first) == hash(second)
    if isinstance(first, LocalRequest | RecordedRequest):
        assert first.texts == tuple(probe.text for probe in some)
    elif isinstance(first, HttpRequest):
        from urllib.parse import unquote_plus

        sent = unquote_plus(first.body.decode() or first.url)
        places = [sent.index(probe.text) for probe in some]
        assert places == sorted(places)


@engines
def test_a_request_holds_no_secret(engine, monkeypatch):
    secret = "s3cret-of-this-machine"
    for name in KEYS:
        monkeypatch.setenv(name, secret)
    request = engine.request(probes(engine)[:1], settled(engine))
    assert secret not in repr(request)
    if isinstance(request, HttpRequest):
        named = {"authorization", "x-api-key", "api-key", "cookie", "x-goog-api-key"}
        for name, value in request.headers:
            assert name.lower() not in named or "secret:" in value or value == "public"
        assert "key=" not in request.url.lower()


@engines
def test_an_engine_refuses_in_a_sentence_what_it_cannot_be_asked(engine):
    assert engine.check(*pair(engine), config(engine)) == ""
    if engine.kind is not Kind.SEARCH:
        wrong = ("en", "pt") if engine.kind is Kind.LM else ("en", "en")
        assert " " in engine.check(*wrong, config(engine))
    assert engine.check(*pair(engine), config(engine) | {"a parameter that nobody knows": 1})
    for parameter in engine.parameters:
        if parameter.required:
            rest = {k: v for k, v in config(engine).items() if k != parameter.name}
            assert parameter.name in engine.check(*pair(engine), rest)


@engines
def test_an_engine_says_what_a_person_needs_to_know(engine):
    assert engine.needs.independence
    assert engine.needs.limits
    assert engine.in_flight >= 1
    assert engine.repeats >= 1
    names = [parameter.name for parameter in engine.parameters]
    assert len(set(names)) == len(names)
    assert all(parameter.meaning for parameter in engine.parameters)
    if engine.label_by:
        assert engine.label_by in names


@engines
def test_what_an_engine_asks_for_is_named_when_it_is_missing(engine, tmp_path, monkeypatch):
    """With the development packages everything for English to Portuguese is here, but for keys."""
    request = engine.request(probes(engine)[:1], settled(engine))
    if engine.extra == "lm":  # no model comes with the development packages
        with pytest.raises(MissingPart, match=r"docs/models\.md"):
            check_parts([request], tmp_path)
        return
    if engine.name == "local":  # an index is made of documents of one's own
        with pytest.raises(MissingPart, match="monitor index SOURCE --name news"):
            check_parts([request], tmp_path)
        return
    if isinstance(request, HttpRequest) and (secrets.key_names(request) or request.signer):
        with pytest.raises(MissingPart, match=engine.needs.secrets[0]):
            check_parts([request], tmp_path)
        for name in KEYS:
            monkeypatch.setenv(name, "s3cret-of-this-machine")
    check_parts([request], tmp_path)


def assert_readings(readings, probes):
    assert len(readings) == len(probes)
    for reading in readings:
        assert reading.outcome in set(Outcome)
        assert reading.reason in set(Reason)
        assert (reading.outcome is Outcome.OK) <= bool(reading.items)
        for block in {item.block for item in reading.items}:
            ranks = [item.rank for item in reading.items if item.block == block]
            assert ranks == list(range(1, len(ranks) + 1))


@engines
@many
@given(body=st.binary(max_size=400), n=st.integers(1, 3))
def test_reading_random_bytes_gives_a_reading_per_probe_and_no_data(engine, body, n):
    readings = engine.parse(answered(body), PROBES[:n])
    assert_readings(readings, PROBES[:n])
    assert engine.parse(answered(body), PROBES[:n]) == readings
    assert all(reading.outcome is not Outcome.OK for reading in readings)


#: The frames of real answers, with anything in them.
FRAMES = [
    lambda inner: inner,
    lambda inner: {"translations": inner},
    lambda inner: {"translations": [{"text": inner}] * 3},
    lambda inner: {"data": {"translations": inner}},
    lambda inner: {"data": {"translations": [{"translatedText": inner}]}},
    lambda inner: {"translations": [{"translatedText": inner, "model": inner}]},
    lambda inner: {"TranslatedText": inner, "AppliedSettings": inner},
    lambda inner: {"__type": inner, "Message": inner},
    lambda inner: {"value": [{"translations": inner}]},
    lambda inner: {"value": [{"translations": [{"text": inner, "language": inner}]}]},
    lambda inner: [{"translations": [{"text": inner, "to": "pt"}]}],
    lambda inner: {"translatedText": inner, "alternatives": inner},
    lambda inner: {"responseData": inner, "responseStatus": inner},
    lambda inner: {"responseData": {"translatedText": inner}, "responseStatus": 200},
    lambda inner: {"choices": inner, "model": inner},
    lambda inner: {"choices": [{"finish_reason": "stop", "message": {"content": inner}}]},
    lambda inner: {"error": inner, "message": inner},
    lambda inner: {"error": {"code": inner, "message": inner, "errors": inner, "details": inner}},
    lambda inner: {"scores": inner},
    lambda inner: {"scores": [inner] * 3},
    lambda inner: {"scores": [{"0": inner}] * 3, "rows": inner},
]

nested = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner),
    max_leaves=8,
)


@engines
@many
@given(content=nested, frame=st.sampled_from(FRAMES), status=st.sampled_from([200, 400, 429, 503]))
def test_reading_any_json_gives_a_reading_per_probe(engine, content, frame, status):
    """Also where an answer has the right frame and the wrong things in it."""
    body = json.dumps(frame(content)).encode()
    answer = replace(answered(body), status=status)
    assert all(isinstance(part, str) for pair in engine.identity(answer) for part in pair)
    trouble = engine.trouble(answer, settled(engine))
    assert trouble is None or trouble.fault in set(Fault)
    readings = engine.parse(answered(body), PROBES)
    assert_readings(readings, PROBES)
    for reading in readings:
        if reading.outcome is Outcome.OK:
            assert all((item.text or item.title).strip() for item in reading.items)


def test_a_deeply_nested_answer_is_unreadable_and_not_a_crash():
    body = b"[" * 100_000
    for engine in ENGINES.values():
        readings = engine.parse(answered(body), PROBES)
        assert {reading.outcome for reading in readings} == {Outcome.UNREADABLE}


@engines
def test_an_engine_has_the_recordings_that_its_kind_requires(engine):
    instead = INSTEAD.get(engine.name, {})
    required = {instead.get(name, name) for name in REQUIRED[engine.kind, engine.surface]}
    missing = {name for name in required if not list(RECORDINGS.glob(f"{engine.name}/{name}.json"))}
    assert not missing, f"record tests/engines/recordings/{engine.name}/: {sorted(missing)}"


def _is_recording(path):
    return not path.name.endswith(".expected.json")


RECORDED = sorted(path for path in RECORDINGS.glob("*/*.json") if _is_recording(path))


@check_each("path", RECORDED)
def test_a_recorded_answer_is_read_as_expected(path):
    """HTTP answers stand with what is expected of them; local ones as they came, beside it."""
    engine = registry.engine(path.parent.name)
    if engine.kind is Kind.SEARCH:
        searching.assert_recording(engine, path.stem)
        return
    if engine.surface == "api":
        services.assert_recording(engine, path.stem)
        return
    expected = json.loads(path.with_name(f"{path.stem}.expected.json").read_text(encoding="utf-8"))
    languages_asked = expected["source_lang"], expected["target_lang"]
    some = [Probe(text, *languages_asked) for text in expected["probes"]]
    readings = engine.parse(answered(path.read_bytes()), some)
    assert_readings(readings, some)
    found = [
        {"outcome": r.outcome, "reason": r.reason, "texts": [item.text for item in r.items]}
        for r in readings
    ]
    assert found == [
        {k: one[k] for k in ("outcome", "reason", "texts")} for one in expected["readings"]
    ]


def test_every_recording_belongs_to_an_engine():
    assert {path.parent.name for path in RECORDED} == set(ENGINES)


@check_each("name", [n for n, e in ENGINES.items() if (e.kind, e.surface) == (Kind.MT, "local")])
@check_each(
    ("text", "outcome", "reason"),
    [
        ("Sou enfermeira.", Outcome.OK, ""),
        ("", Outcome.EMPTY, ""),
        (" \n\t", Outcome.EMPTY, ""),
        ("I am a nurse.", Outcome.UNREADABLE, "echo"),
        ("i AM a  nurse", Outcome.UNREADABLE, "echo"),
        ("I am a nurse. Sou enfermeira.", Outcome.UNREADABLE, "echo"),
        (None, Outcome.UNREADABLE, "malformed"),
        (7, Outcome.UNREADABLE, "malformed"),
    ],
)
def test_one_translation_is_data_or_says_why_not(name, text, outcome, reason):
    body = json.dumps({"translations": [text], "stopped": ["eos"]}).encode()
    [reading] = ENGINES[name].parse(answered(body), PROBES[:1])
    assert (reading.outcome, reading.reason) == (outcome, reason)
    if outcome is Outcome.OK:
        assert reading.items == (Item(1, text),)


# --- languages ----------------------------------------------------------------------------------


def own_cue(language):
    """The cue that the sentences of language_classes.toml are for."""
    return Cue.AGREEMENT if Cue.AGREEMENT in language.cues else Cue.PRONOUN


@languages
def test_a_cue_that_a_language_lacks_decides_nothing(language):
    for cue in set(Cue) - language.cues:
        signal = language.signal(CLASSES[language.code]["masculine"], cue)
        assert (signal.cls, signal.rule) == (GenderClass.UNIDENTIFIED, "no_such_cue")


@languages
def test_a_language_is_found_by_its_primary_subtag(language):
    assert language.code == language.code.lower()
    for tag in (language.code, f"{language.code}-XX", language.code.upper()):
        assert registry.language(tag) is language
    assert language.name
    assert language.version >= 1
    assert language.cues


@languages
@check_each("text", ["", " ", "\n\t", "\u00a0"])
def test_an_empty_text_is_unidentified(language, text):
    for cue in language.cues:
        assert language.signal(text, cue).cls is GenderClass.UNIDENTIFIED


@languages
@check_each("cls", GenderClass)
def test_every_class_can_be_found(language, cls):
    assert language.code in CLASSES, f"add [{language.code}] to tests/language_classes.toml"
    assert language.signal(CLASSES[language.code][cls], own_cue(language)).cls is cls


@languages
def test_the_speaker_is_not_who_is_quoted(language):
    """A sentence in quotation marks decides under the cue for quotations only."""
    if Cue.QUOTED not in language.cues:
        return
    quoted = f'"{CLASSES[language.code]["feminine"]}"'
    assert language.signal(quoted, Cue.QUOTED).cls is GenderClass.FEMININE
    assert language.signal(quoted, Cue.AGREEMENT).cls is not GenderClass.FEMININE


def assert_signal(signal, text):
    assert isinstance(signal, Signal)
    assert signal.cls in set(GenderClass)
    for witness in signal.witnesses:
        assert 0 <= witness.start < witness.end <= len(text)
        assert text[witness.start : witness.end] == witness.text
        assert witness.rule
    genders = {witness.gender for witness in signal.witnesses}
    if signal.cls is GenderClass.MASCULINE:
        assert genders == {Gender.MASCULINE}
    if signal.cls is GenderClass.FEMININE:
        assert genders == {Gender.FEMININE}
    if signal.cls is GenderClass.UNIDENTIFIED:
        assert signal.rule


@languages
@many
@given(text=st.text(max_size=80))
def test_random_text_never_raises_and_is_read_alike_twice(language, text):
    for cue in language.cues:
        signal = language.signal(text, cue)
        assert_signal(signal, text)
        assert language.signal(text, cue) == signal


def words_of(language):
    return sorted({word for text in CLASSES[language.code].values() for word in text.split()})


@languages
@many
@given(data=st.data())
def test_the_words_of_the_language_in_any_order_never_raise(language, data):
    marks = [
        "2",
        "[",
        "]",
        ",",
        ".",
        '"',
        "“",
        "”",
        "(",
        ")",
        "-",
        "/",
        "\n",
        "\u0301",
        "ﬁ",
        "'",
        "«",
        "»",
    ]
    pieces = st.lists(st.sampled_from(words_of(language) + marks), max_size=14)
    text = data.draw(st.sampled_from(["", " "])).join(data.draw(pieces))
    for cue in language.cues:
        assert_signal(language.signal(text, cue), text)


@languages
@check_each("cls", ["masculine", "feminine", "both", "inclusive", "mixed"])
def test_offsets_count_in_the_text_as_it_was_given(language, cls):
    import unicodedata

    text = CLASSES[language.code][cls]
    for given_text in (f"  {text}", f"🙂 {text}", unicodedata.normalize("NFD", text), f"{text}\n"):
        signal = language.signal(given_text, own_cue(language))
        assert signal.cls == cls
        assert_signal(signal, given_text)
        assert signal.witnesses


# --- versions -----------------------------------------------------------------------------------


def test_nothing_that_decides_results_changed_under_its_version():
    assert plugin_versions.faults(plugin_versions.current(), plugin_versions.kept()) == []


KEPT = {
    "measures.m": {"version": 2, "fingerprint": "a"},
    "data.d": {"fingerprint": "a"},
    "lists.l": {"v1": "a", "v2": "b"},
}


@check_each(
    ("key", "now", "words"),
    [
        ("measures.m", {"version": 2, "fingerprint": "b"}, "raise its `version`"),
        ("measures.m", {"version": 2, "fingerprint": "b"}, "python tests/plugin_versions.py"),
        ("measures.m", {"version": 1, "fingerprint": "b"}, "is lower than 2"),
        ("measures.m", {"version": 3, "fingerprint": "b"}, "has a new version"),
        ("measures.m", None, "bring it back"),
        ("measures.new", {"version": 1, "fingerprint": "a"}, "is new"),
        ("data.d", {"fingerprint": "b"}, "raise `version` of its users"),
        ("lists.l", {"v1": "x", "v2": "b"}, "v1 was changed: undo it"),
        ("lists.l", {"v2": "b"}, "v1 is gone"),
        ("lists.l", {"v1": "a", "v2": "b", "v3": "c"}, "has a new version"),
    ],
)
def test_a_change_is_said_with_its_remedy(key, now, words):
    changed = {k: v for k, v in (KEPT | {key: now}).items() if v is not None}
    [fault] = plugin_versions.faults(changed, KEPT)
    assert key in fault
    assert words in fault


def test_no_change_is_no_fault():
    assert plugin_versions.faults(KEPT, KEPT) == []


def test_a_changed_list_is_not_written_over(tmp_path, monkeypatch):
    monkeypatch.setattr(plugin_versions, "FILE", tmp_path / "versions.toml")
    plugin_versions.write(KEPT)
    assert plugin_versions.kept() == KEPT
    plugin_versions.write(KEPT | {"measures.m": {"version": 3, "fingerprint": "b"}})
    assert plugin_versions.kept()["measures.m"]["version"] == 3
    with pytest.raises(SystemExit, match=r"lists\.l: .*v1 was changed"):
        plugin_versions.write(KEPT | {"lists.l": {"v1": "x", "v2": "b"}})
