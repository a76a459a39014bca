"""DeepL API v2 (contract sheet, A1): texts in one language, each translated by itself."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from urllib.parse import urlsplit

from monitor.engines import _http
from monitor.engines._translations import HttpTranslator, list_models, name_models
from monitor.model import (
    Answer,
    Fault,
    HttpRequest,
    Json,
    KeyKind,
    Needs,
    Parameter,
    Probe,
    Trouble,
    primary,
)

_KEY = "DEEPL_AUTH_KEY"
_FREE = 'keys of free accounts (ending in ":fx") need base_url = "https://api-free.deepl.com"'
_PAID = 'keys of paid accounts (not ending in ":fx") need base_url = "https://api.deepl.com"'
_FREE_ENDING = ":fx"
#: {host: whether it takes keys of free accounts, and what to do about the others}.
_HOSTS = {"api.deepl.com": (False, _FREE), "api-free.deepl.com": (True, _PAID)}
_QUOTA_STATUS = 456
_BAD_REQUEST, _AUTH = 400, (401, 403)

#: Targets that are a choice between two varieties; DeepL's own client refuses the bare code.
_VARIETIES = {"EN": "en-GB or en-US", "PT": "pt-BR or pt-PT"}
_INSTRUCTED = ("de", "en", "es", "fr", "it", "ja", "ko", "zh")
_MOST_INSTRUCTIONS, _LONGEST_INSTRUCTION = 10, 300
#: What a 400 names when it is about the pair of languages, or about a parameter for it.
_SUBJECTS = ("lang", "formality", "model_type", "custom_instructions", "glossary", "style")

_PARAMETERS = (
    _http.base_url("https://api.deepl.com"),
    _http.key_name(_KEY),
    Parameter(
        "formality",
        "form of address; prefer_more and prefer_less are ignored where a target has none",
        choices=("default", "more", "less", "prefer_more", "prefer_less"),
    ),
    Parameter(
        "model_type",
        "class of models",
        choices=("quality_optimized", "prefer_quality_optimized", "latency_optimized"),
    ),
    Parameter("context", "text that is not translated but changes the translation, gender too"),
    Parameter("custom_instructions", "instructions for the model, one a line, at most 10"),
    Parameter("style_id", "style rules of the account"),
    Parameter("glossary_id", "glossary of the account"),
    Parameter("translation_memory_id", "translation memory of the account"),
    Parameter(
        "split_sentences", "where a text is cut into sentences", choices=("0", "1", "nonewlines")
    ),
)
#: Parameters that are sent as they are.
_SENT = (
    "formality",
    "model_type",
    "context",
    "style_id",
    "glossary_id",
    "translation_memory_id",
    "split_sentences",
)


@dataclass(frozen=True, slots=True)
class DeepL(HttpTranslator):
    """The engine. DeepL documents that texts of one request are translated independently."""

    name: str = "deepl"
    title: str = "DeepL"
    batch: int = 50  # the limit of older specifications; the one of 2026-06-30 states none
    pace: float = 2.0
    price: float = 25.0
    parameters: tuple[Parameter, ...] = _PARAMETERS
    words_at: tuple[str, ...] = ("message",)
    needs: Needs = Needs(
        secrets=(_KEY,),
        independence="DeepL documents that each text of a request is translated independently",
        price="Pro: per character, about 20 euros a million (2026, unverified)",
        limits="128 KiB a request; free accounts 500,000 characters a month; no rate published",
        notes=f"{_FREE}; targets need a variety: pt-BR or pt-PT, en-GB or en-US; formality more "
        "and less are refused (400) for targets without them",
    )

    def refusal(self, source_lang: str, target_lang: str, config: Mapping[str, Json]) -> str:
        """Refuse a target without its variety, and instructions that DeepL refuses."""
        varieties = _VARIETIES.get(target_lang.upper())
        if varieties:
            return f"DeepL does not translate into {target_lang!r}: name {varieties}"
        return _instructions_fault(target_lang, _list_instructions(config))

    def request(self, probes: Sequence[Probe], config: Mapping[str, Json]) -> HttpRequest:
        """POST /v2/translate with the key in a header."""
        body: dict[str, Json] = {
            "text": [probe.text for probe in probes],
            "source_lang": primary(probes[0].source_lang).upper(),
            "target_lang": probes[0].target_lang.upper(),
        }
        body |= {name: config[name] for name in _SENT if name in config}
        instructions = _list_instructions(config)
        body |= {"custom_instructions": instructions} if instructions else {}
        headers = [("Authorization", f"DeepL-Auth-Key secret:{config['key']}")]
        request = _http.post_json(
            _http.join_path(config["base_url"], "v2/translate"), body, headers
        )
        return replace(request, key_kinds=_key_kinds(request.url, str(config["key"])))

    def languages_request(self, config: Mapping[str, Json]) -> HttpRequest:
        """GET /v3/languages, which replaces the deprecated list of v2."""
        headers = [("Authorization", f"DeepL-Auth-Key secret:{config['key']}")]
        url = _http.join_path(config["base_url"], "v3/languages?resource=translate_text")
        return replace(_http.make_get(url, headers), key_kinds=_key_kinds(url, str(config["key"])))

    def offered_targets(self, answer: Answer, source_lang: str) -> set[str]:
        """`[].lang` of what is usable as a target."""
        return _http.read_column(answer, (), "lang", "usable_as_target")

    def refined(self, found: Trouble, answer: Answer) -> Trouble:
        """Refine a fault by what DeepL documents of its status."""
        if answer.status == _QUOTA_STATUS:
            return replace(found, fault=Fault.QUOTA)
        if answer.status in _AUTH:
            return replace(found, words=f"{found.words}; {_FREE}")
        lower = self.words(answer).lower()
        about = "support" in lower and any(subject in lower for subject in _SUBJECTS)
        wrong = answer.status == _BAD_REQUEST and about
        return replace(found, fault=Fault.UNSUPPORTED) if wrong else found

    def ignored(self, answer: Answer, config: Mapping[str, Json]) -> Trouble | None:
        """Return the fault of a demanded model that was not used; a preference may be set aside."""
        model, models = config.get("model_type"), list_models(_read_rows(answer), "model_type_used")
        if not isinstance(model, str) or model.startswith("prefer_") or set(models) <= {model}:
            return None
        return Trouble(
            Fault.UNSUPPORTED, f"model_type {model} was asked and {', '.join(models)} was used"
        )

    def identity(self, answer: Answer) -> tuple[tuple[str, str], ...]:
        """The class of models that was used, where one was asked for."""
        return name_models(list_models(_read_rows(answer), "model_type_used"))

    def translations(self, answer: Answer) -> list[Json] | None:
        """`translations[].text`."""
        rows = _read_rows(answer)
        return None if rows is None else [_http.value_at(row, "text") for row in rows]


def _key_kinds(url: str, variable: str) -> tuple[KeyKind, ...]:
    """Return the kind of key that DeepL's own hosts take."""
    kind = _HOSTS.get(urlsplit(url).hostname or "")
    return (KeyKind(variable, _FREE_ENDING, *kind),) if kind else ()


def _list_instructions(config: Mapping[str, Json]) -> list[str]:
    lines = str(config.get("custom_instructions", "")).splitlines()
    return [line.strip() for line in lines if line.strip()]


def _instructions_fault(target_lang: str, instructions: Sequence[str]) -> str:
    if not instructions:
        return ""
    if primary(target_lang) not in _INSTRUCTED:
        return f"DeepL takes custom_instructions only for {', '.join(_INSTRUCTED)}"
    if len(instructions) > _MOST_INSTRUCTIONS:
        return f"config: custom_instructions: at most {_MOST_INSTRUCTIONS} lines"
    if max(map(len, instructions)) > _LONGEST_INSTRUCTION:
        return f"config: custom_instructions: at most {_LONGEST_INSTRUCTION} characters a line"
    return ""


def _read_rows(answer: Answer) -> Sequence[Json] | None:
    return _http.list_at(_http.read_json(answer), "translations")


ENGINE = DeepL()
