"""Google Cloud Translation, v2 (Basic) and v3 (Advanced): contract sheet, A2 and A3."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, time, timedelta
from zoneinfo import ZoneInfo

from monitor.engines import _http
from monitor.engines._translations import HttpTranslator, list_models, name_models
from monitor.model import (
    Answer,
    Fault,
    HttpRequest,
    Json,
    KeyChoice,
    Needs,
    Parameter,
    Probe,
    Trouble,
)

_KEY = "GOOGLE_API_KEY"
_CREDENTIALS = "GOOGLE_APPLICATION_CREDENTIALS"
_HOSTS = {"v2": "https://translation.googleapis.com", "v3": "https://translate.googleapis.com"}
_MODELS = {"v2": ("nmt", "base"), "v3": ("nmt", "translation-llm")}
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9.:_-]*")
_RESOURCE = re.compile(r"projects/[\w.:-]+/locations/[\w-]+/models/[\w./-]+", re.ASCII)

#: Quotas of a day begin anew at midnight there (A2).
_PACIFIC = ZoneInfo("America/Los_Angeles")
_RATE_REASONS = frozenset({"userRateLimitExceeded", "rateLimitExceeded", "RATE_LIMIT_EXCEEDED"})
_DAY_REASONS = frozenset({"dailyLimitExceeded", "quotaExceeded"})
_KEY_REASONS = frozenset({"API_KEY_INVALID", "keyInvalid"})
_EXHAUSTED = "RESOURCE_EXHAUSTED"
_PER_DAY = re.compile(r"\bper ?day\b|\bdaily\b", re.IGNORECASE)
_BAD_PAIR = re.compile(
    r"(?=.*\b(language|model)s?\b)(?=.*(pair|invalid|not (valid|supported)|unsupported))",
    re.IGNORECASE | re.DOTALL,
)
_BAD_REQUEST, _TOO_MANY = 400, 429

_PARAMETERS = (
    Parameter("api", "v2: Basic, with a key; v3: Advanced, with OAuth", str, "v2", ("v2", "v3")),
    Parameter("base_url", "address of the service; by default Google's own for the chosen api"),
    _http.key_name(_KEY),
    Parameter(
        "model", "v2: nmt or base; v3: nmt, translation-llm or a full resource name", default="nmt"
    ),
    Parameter("location", "v3: where the model runs: global or us-central1", default="global"),
    Parameter("project", "v3: the project that asks and pays; needed there", place=True),
)


@dataclass(frozen=True, slots=True)
class GoogleTranslate(HttpTranslator):
    """The engine. Plain text always: the services' default is HTML, with entities in it."""

    name: str = "google_translate"
    title: str = "Google Cloud Translation"
    extra: str = "google"
    pace: float = 5.0
    in_flight: int = 4
    price: float = 20.0
    parameters: tuple[Parameter, ...] = _PARAMETERS
    words_at: tuple[str, ...] = ("error", "message")
    needs: Needs = Needs(
        secrets=(_KEY, _CREDENTIALS),
        key_choices=(
            KeyChoice('api = "v2", the default', (_KEY,)),
            KeyChoice('api = "v3"', (_CREDENTIALS,), "google"),
        ),
        independence="Google does not document it: one text a request",
        price="20 US dollars a million characters, 500,000 a month free (2026, unverified)",
        limits="6 million characters a minute and project, v2 and v3 together; quotas of a day "
        "begin anew at midnight US Pacific",
        notes=f"v2 needs {_KEY}, v3 {_CREDENTIALS} and the extra google; quotas are reported as "
        "403; the user's quota of v2 is kept by IP address; v3 falls back to nmt silently, so "
        "that the model is always sent and compared; no formality, no gender",
    )

    def refusal(self, source_lang: str, target_lang: str, config: Mapping[str, Json]) -> str:
        """Refuse what belongs to the other api."""
        return _advanced_fault(config) if config["api"] == "v3" else _basic_fault(config)

    def request(self, probes: Sequence[Probe], config: Mapping[str, Json]) -> HttpRequest:
        """POST of plain texts; the key or the token in a header, never in the address."""
        if config["api"] == "v3":
            return _advanced_request(probes, config)
        body: Json = {
            "q": [probe.text for probe in probes],
            "source": probes[0].source_lang,
            "target": probes[0].target_lang,
            "format": "text",
            "model": config["model"],
        }
        headers = [("x-goog-api-key", f"secret:{config['key']}")]
        return _http.post_json(_make_url(config, "language/translate/v2"), body, headers)

    def languages_request(self, config: Mapping[str, Json]) -> HttpRequest:
        """GET of the list of languages of the chosen api."""
        if config["api"] == "v3":
            parent = f"projects/{config['project']}/locations/{config['location']}"
            request = _http.make_get(_make_url(config, f"v3/{parent}/supportedLanguages"))
            return replace(request, signer=f"google_oauth:{config['project']}")
        headers = [("x-goog-api-key", f"secret:{config['key']}")]
        return _http.make_get(_make_url(config, "language/translate/v2/languages"), headers)

    def offered_targets(self, answer: Answer, source_lang: str) -> set[str]:
        """`data.languages[].language`; of v3, `languages[].languageCode` of the targets."""
        content = _http.read_content(answer)
        if isinstance(content, dict) and "data" in content:
            return _http.read_column(answer, ("data", "languages"), "language")
        return _http.read_column(answer, ("languages",), "languageCode", "supportTarget")

    def refined(self, found: Trouble, answer: Answer) -> Trouble:
        """Refine a fault by Google's reasons: the status is 403 for quotas and 400 for keys."""
        reasons, words = set(_error_reasons(answer)), self.words(answer)
        limited = reasons & (_RATE_REASONS | _DAY_REASONS | {_EXHAUSTED})
        if limited or answer.status == _TOO_MANY:
            if reasons & _DAY_REASONS or _PER_DAY.search(words):
                return replace(found, fault=Fault.QUOTA, until=_next_day(answer))
            return replace(found, fault=Fault.RATE)
        if reasons & _KEY_REASONS:
            return replace(found, fault=Fault.AUTH)
        if answer.status == _BAD_REQUEST and _BAD_PAIR.match(words):
            return replace(found, fault=Fault.UNSUPPORTED)
        return found

    def ignored(self, answer: Answer, config: Mapping[str, Json]) -> Trouble | None:
        """Return the fault of another model than the one that was asked."""
        requested = _short_model(str(config.get("model", "nmt")))
        models = list_models(_read_rows(answer), "model")
        if {_short_model(name) for name in models} <= {requested}:
            return None
        words = f"model {requested} was asked and {', '.join(models)} answered"
        return Trouble(Fault.UNSUPPORTED, words)

    def identity(self, answer: Answer) -> tuple[tuple[str, str], ...]:
        """The model that Google names in its answer."""
        return name_models(list_models(_read_rows(answer), "model"))

    def translations(self, answer: Answer) -> list[Json] | None:
        """`translations[].translatedText`."""
        rows = _read_rows(answer)
        return None if rows is None else [_http.value_at(row, "translatedText") for row in rows]


def _basic_fault(config: Mapping[str, Json]) -> str:
    if "project" in config or config["location"] != "global":
        return 'config: project and location belong to api = "v3"'
    if config["model"] not in _MODELS["v2"]:
        return f'config: model = {config["model"]!r}: with api = "v2" one of nmt, base'
    return ""


def _advanced_fault(config: Mapping[str, Json]) -> str:
    if "project" not in config:
        return "config needs 'project': with api = \"v3\" a project asks and pays"
    for name in ("project", "location"):
        if not _NAME.fullmatch(str(config[name])):
            return f"config: {name} = {config[name]!r}: must be letters, digits, - . _ and :"
    model = str(config["model"])
    if model not in _MODELS["v3"] and not _RESOURCE.fullmatch(model):
        return (
            f'config: model = {model!r}: with api = "v3" nmt, translation-llm or '
            "projects/.../locations/.../models/..."
        )
    return ""


def _make_url(config: Mapping[str, Json], path: str) -> str:
    return _http.join_path(config.get("base_url", _HOSTS[str(config["api"])]), path)


def _advanced_request(probes: Sequence[Probe], config: Mapping[str, Json]) -> HttpRequest:
    """The request of v3 (A3)."""
    parent = f"projects/{config['project']}/locations/{config['location']}"
    model = str(config["model"])
    full = model if "/" in model else f"{parent}/models/general/{model}"
    body: Json = {
        "contents": [probe.text for probe in probes],
        "mimeType": "text/plain",
        "sourceLanguageCode": probes[0].source_lang,
        "targetLanguageCode": probes[0].target_lang,
        "model": full,
    }
    request = _http.post_json(_make_url(config, f"v3/{parent}:translateText"), body)
    return replace(request, signer=f"google_oauth:{config['project']}")


def _read_rows(answer: Answer) -> Sequence[Json] | None:
    """Return the translations; v2 has them under `data`."""
    content = _http.read_object(answer)
    return _http.list_at(content.get("data", content), "translations")


def _short_model(model: str) -> str:
    """A model without the project, which Google writes as a number, and without the place."""
    return model.rpartition("/models/")[2].removeprefix("general/")


def _error_reasons(answer: Answer) -> Iterator[str]:
    """Yield every word that classifies an error: its status and the reasons in its lists."""
    error = _http.object_at(_http.read_json(answer), "error")
    rows = [row for key in ("errors", "details") for row in _http.list_at(error, key) or ()]
    words = [error.get("status"), *(_http.value_at(row, "reason") for row in rows)]
    yield from (word for word in words if isinstance(word, str))


def _next_day(answer: Answer) -> datetime:
    """The midnight in California after an answer came."""
    received = (answer.asked_at + timedelta(seconds=answer.took)).astimezone(_PACIFIC)
    return datetime.combine(received.date() + timedelta(days=1), time.min, _PACIFIC)


ENGINE = GoogleTranslate()
