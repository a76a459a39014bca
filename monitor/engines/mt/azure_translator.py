"""Azure AI Translator in its two versions, 2026-06-06 and 3.0 (contract sheet, A5)."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from urllib.parse import urlencode

from monitor.engines import _http
from monitor.engines._translations import HttpTranslator
from monitor.model import (
    Answer,
    Fault,
    HttpRequest,
    Json,
    Needs,
    Outcome,
    Parameter,
    Probe,
    Reading,
    Reason,
    Trouble,
)

_KEY = "AZURE_TEXT_TRANSLATION_APIKEY"
_NEW, _OLD = "2026-06-06", "3.0"
_PATH = re.compile(r"[A-Za-z0-9._~-]+(/[A-Za-z0-9._~-]+)*")
_REGION = re.compile(r"[A-Za-z0-9]+")
_CODE = re.compile(r"[1-9][0-9]{5}")

#: Faults by the whole code, or else by the status that its first three digits are.
_FAULTS = {
    400019: Fault.UNSUPPORTED,  # one of the languages
    400023: Fault.UNSUPPORTED,  # the pair
    400035: Fault.UNSUPPORTED,  # the source language
    400036: Fault.UNSUPPORTED,  # the target language
    400075: Fault.UNSUPPORTED,  # the pair with this category
    400079: Fault.UNSUPPORTED,  # the custom system or deployment for the pair
    403001: Fault.QUOTA,
    408001: Fault.TRANSIENT,  # a custom system is warming up
}
_FAULTS_OF_CLASS = {
    400: Fault.BAD_REQUEST,
    401: Fault.AUTH,
    403: Fault.AUTH,
    408: Fault.TRANSIENT,
    429: Fault.RATE,
    500: Fault.TRANSIENT,
    503: Fault.TRANSIENT,
}

#: Parameters of 2026-06-06, by their names in a target.
_TARGET = {
    "deployment": "deploymentName",
    "tone": "tone",
    "gender": "gender",
    "allow_fallback": "allowFallback",
}
_MODEL_ONLY = ("gender", "tone")
#: The deployment that is no language model.
_GENERAL = "general"

_PARAMETERS = (
    Parameter("api_version", "version of the service's interface", str, _NEW, (_NEW, _OLD)),
    _http.base_url("https://api.cognitive.microsofttranslator.com"),
    Parameter(
        "path",
        "path of the request; custom domains have translator/text/translate",
        default="translate",
        place=True,
    ),
    _http.key_name(_KEY),
    Parameter("region", "region of a regional or multi-service key", place=True),
    Parameter("deployment", f"{_NEW}: general, or the name of a language model's deployment"),
    Parameter("gender", f"{_NEW}: with a deployment", choices=("male", "female", "neutral")),
    Parameter("tone", f"{_NEW}: with a deployment", choices=("formal", "informal", "neutral")),
    Parameter("allow_fallback", "whether a general system may answer in place", kind=bool),
    Parameter("category", f"{_OLD}: category of a custom system"),
)


@dataclass(frozen=True, slots=True)
class AzureTranslator(HttpTranslator):
    """The engine."""

    name: str = "azure_translator"
    title: str = "Azure AI Translator"
    pace: float = 5.0
    in_flight: int = 4
    price: float = 10.0
    parameters: tuple[Parameter, ...] = _PARAMETERS
    words_at: tuple[str, ...] = ("error", "message")
    needs: Needs = Needs(
        secrets=(_KEY,),
        independence="Microsoft does not document it: one text a request",
        price="about 10 US dollars a million characters, 2 million a month free (2026, unverified);"
        " language models by the token",
        limits="free tier 2 million characters an hour, S1 40 million",
        notes="gender and tone are documented with a deployment of a language model, and the "
        "general system ignores them silently; without them a neutral source is translated with a "
        "random gender where a target has no neutral term; no retirement date of 3.0 is known",
    )

    def refusal(self, source_lang: str, target_lang: str, config: Mapping[str, Json]) -> str:
        """Refuse what belongs to the other version."""
        return _version_fault(config) or _place_fault(config)

    def request(self, probes: Sequence[Probe], config: Mapping[str, Json]) -> HttpRequest:
        """POST with the key in a header, shaped after the version."""
        headers = [("Ocp-Apim-Subscription-Key", f"secret:{config['key']}")]
        if "region" in config:
            headers.append(("Ocp-Apim-Subscription-Region", str(config["region"])))
        query = {"api-version": str(config["api_version"])}
        if config["api_version"] == _OLD:
            query |= _old_query(probes[0], config)
            body: Json = [{"Text": probe.text} for probe in probes]
        else:
            body = {"inputs": [_make_input(probe, config) for probe in probes]}
        url = _http.join_path(config["base_url"], f"{config['path']}?{urlencode(query)}")
        return _http.post_json(url, body, headers)

    def languages_request(self, config: Mapping[str, Json]) -> HttpRequest:
        """GET of the languages, beside the path of the request; it needs no key."""
        path = str(config["path"]).rpartition("/")[0]
        query = urlencode({"api-version": str(config["api_version"]), "scope": "translation"})
        return _http.make_get(_http.join_path(config["base_url"], f"{path}/languages?{query}"))

    def offered_targets(self, answer: Answer, source_lang: str) -> set[str]:
        """The keys of `translation`."""
        languages = _http.object_at(_http.read_content(answer), "translation")
        if not languages:
            raise ValueError("no languages at translation")
        return set(languages)

    def refined(self, found: Trouble, answer: Answer) -> Trouble:
        """The six digits of an error."""
        code = _error_code(answer)
        fault = _FAULTS.get(code, _FAULTS_OF_CLASS.get(code // 1000, found.fault))
        words = f"{found.words} ({code})" if code else found.words
        return replace(found, fault=fault, words=words)

    def ignored(self, answer: Answer, config: Mapping[str, Json]) -> Trouble | None:
        """Return the fault of a gender or tone that was ignored: language models count tokens."""
        settings = [f"{name} {config[name]}" for name in _MODEL_ONLY if name in config]
        if not settings or config.get("deployment") == _GENERAL:
            return None
        rows = _read_rows(answer) or ()
        if all(any(name.endswith("Tokens") for name in _first_translation(row)) for row in rows):
            return None
        words = f"{' and '.join(settings)} was asked, and no language model answered"
        return Trouble(Fault.UNSUPPORTED, words)

    def identity(self, answer: Answer) -> tuple[tuple[str, str], ...]:
        """Return what the service reports of the system that answered."""
        system = {name.lower(): text for name, text in answer.headers}.get("x-mt-system")
        return (("model_reported", system),) if system else ()

    def translations(self, answer: Answer) -> list[Json] | None:
        """The first translation of each text."""
        rows = _read_rows(answer)
        return None if rows is None else [_first_translation(row).get("text") for row in rows]

    def parse(self, answer: Answer, probes: Sequence[Probe]) -> list[Reading]:
        """Read the first translation of each text, which must be in the language asked for."""
        readings = HttpTranslator.parse(self, answer, probes)
        rows = _read_rows(answer)
        if rows is None or len(rows) != len(probes):
            return readings
        return [_in_language(*triple) for triple in zip(readings, rows, probes, strict=True)]


def _version_fault(config: Mapping[str, Json]) -> str:
    """Return why a config is refused: keys of the other version would be refused, or ignored."""
    if config["api_version"] == _OLD:
        for name in ("deployment", *_MODEL_ONLY):
            if name in config:
                return f'config: {name} belongs to api_version = "{_NEW}"'
        return ""
    if "category" in config:
        return f'config: category belongs to api_version = "{_OLD}"; {_NEW} has deployment'
    for name in _MODEL_ONLY:
        if name in config and "deployment" not in config:
            return f"config: {name} needs a deployment: the general system ignores it"
    return ""


def _place_fault(config: Mapping[str, Json]) -> str:
    path, region = str(config["path"]), config.get("region")
    if not _PATH.fullmatch(path):
        return f"config: path = {path!r}: must be a path such as translator/text/translate"
    if region is not None and not _REGION.fullmatch(str(region)):
        return f"config: region = {region!r}: must be a region such as westeurope"
    return ""


def _old_query(probe: Probe, config: Mapping[str, Json]) -> dict[str, str]:
    query = {"from": probe.source_lang, "to": probe.target_lang, "textType": "plain"}
    if "category" in config:
        query["category"] = str(config["category"])
    if "allow_fallback" in config:
        query["allowFallback"] = str(config["allow_fallback"]).lower()
    return query


def _make_input(probe: Probe, config: Mapping[str, Json]) -> Json:
    options = {title: config[name] for name, title in _TARGET.items() if name in config}
    target: Json = {"language": probe.target_lang, **options}
    return {"text": probe.text, "language": probe.source_lang, "targets": [target]}


def _read_rows(answer: Answer) -> Sequence[Json] | None:
    """One row per text; version 3.0 has no frame around them."""
    content = _http.read_json(answer)
    return _http.list_at(content.get("value") if isinstance(content, dict) else content)


def _first_translation(row: Json) -> Mapping[str, Json]:
    """Return the first translation of a text: one target was asked for."""
    translations = _http.list_at(row, "translations")
    return _http.object_at(translations[0]) if translations else {}


def _in_language(reading: Reading, row: Json, probe: Probe) -> Reading:
    """Mark a translation into another language unreadable; 3.0 has `to`, the new one `language`."""
    translation = _first_translation(row)
    language = translation.get("language", translation.get("to"))
    if language is None:
        return reading
    reported = language if isinstance(language, str) else type(language).__name__
    if reported.casefold() == probe.target_lang.casefold():
        return reading
    words = f"answered in {reported[:50]!r}"
    return replace(reading, outcome=Outcome.UNREADABLE, reason=Reason.MALFORMED, detail=words)


def _error_code(answer: Answer) -> int:
    """The six digits of an error; 0 where there are none."""
    code = _http.value_at(_http.read_json(answer), "error", "code")
    text = str(code) if isinstance(code, int | str) else ""
    return int(text) if _CODE.fullmatch(text) else 0


ENGINE = AzureTranslator()
