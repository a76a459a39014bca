"""Amazon Translate, one text a call, signed with Signature Version 4 (contract sheet, A4)."""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from monitor.engines import _http
from monitor.engines._translations import HttpTranslator
from monitor.model import (
    Answer,
    Fault,
    HttpRequest,
    Json,
    Needs,
    Parameter,
    Probe,
    Trouble,
)

_TYPE = ("Content-Type", "application/x-amz-json-1.1")
_SERVICE = "AWSShineFrontendService_20170701"
_MOST_LANGUAGES = 500  # of one answer; the service has fewer
_REGION = re.compile(r"[a-z]{2,}(-[a-z]+)+-\d+")
#: Parameters that become settings, which the service drops silently where it has none of them.
_SETTINGS = {"formality": "Formality", "brevity": "Brevity", "profanity": "Profanity"}

#: Errors whose status, 400, says less than their name. Those of Translate are documented (A4);
#: those about keys and rates are AWS's common errors.
_FAULTS = {
    "TooManyRequestsException": Fault.RATE,
    "ThrottlingException": Fault.RATE,
    "UnsupportedLanguagePairException": Fault.UNSUPPORTED,
    "AccessDeniedException": Fault.AUTH,
    "ExpiredTokenException": Fault.AUTH,
    "IncompleteSignatureException": Fault.AUTH,
    "InvalidClientTokenId": Fault.AUTH,
    "InvalidSignatureException": Fault.AUTH,
    "MissingAuthenticationTokenException": Fault.AUTH,
    "NotAuthorizedException": Fault.AUTH,
    "OptInRequired": Fault.AUTH,
    "SignatureDoesNotMatch": Fault.AUTH,
    "SubscriptionRequiredException": Fault.AUTH,
    "UnrecognizedClientException": Fault.AUTH,
    "InternalServerException": Fault.TRANSIENT,
    "ServiceUnavailableException": Fault.TRANSIENT,
}

_PARAMETERS = (
    Parameter("region", "region of AWS that answers, for example eu-west-1", required=True),
    Parameter("base_url", "address of the service; by default Amazon's own in the region"),
    Parameter("formality", "form of address", choices=("FORMAL", "INFORMAL")),
    Parameter("brevity", "shorter translations", choices=("ON",)),
    Parameter("profanity", "masks profane words", choices=("MASK",)),
)


@dataclass(frozen=True, slots=True)
class AmazonTranslate(HttpTranslator):
    """The engine. A call holds one text, so none can change another's translation."""

    name: str = "amazon_translate"
    title: str = "Amazon Translate"
    extra: str = "amazon"
    pace: float = 5.0
    in_flight: int = 4
    price: float = 15.0
    parameters: tuple[Parameter, ...] = _PARAMETERS
    missing: str = "no translation in the answer"
    needs: Needs = Needs(
        secrets=("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"),
        independence="ours: one text a call",
        price="15 US dollars a million characters (2026, unverified)",
        limits="10,000 bytes a text; no error of its own tells a used-up quota from a rate limit",
        notes="AWS_SESSION_TOKEN is used where it is set; a formality or brevity that a target "
        "does not have is ignored silently, which is noticed here by the settings that the answer "
        "says were applied",
    )

    def refusal(self, source_lang: str, target_lang: str, config: Mapping[str, Json]) -> str:
        """Refuse what is no region: it is part of the address."""
        region = str(config["region"])
        if not _REGION.fullmatch(region):
            return f"config: region = {region!r}: must be a region of AWS such as eu-west-1"
        return ""

    def request(self, probes: Sequence[Probe], config: Mapping[str, Json]) -> HttpRequest:
        """POST / with one text."""
        (probe,) = probes
        content: dict[str, Json] = {
            "Text": probe.text,
            "SourceLanguageCode": probe.source_lang,
            "TargetLanguageCode": probe.target_lang,
        }
        settings = _make_settings(config)
        content |= {"Settings": settings} if settings else {}
        return _make_call("TranslateText", content, config)

    def languages_request(self, config: Mapping[str, Json]) -> HttpRequest:
        """POST / of ListLanguages."""
        return _make_call("ListLanguages", {"MaxResults": _MOST_LANGUAGES}, config)

    def offered_targets(self, answer: Answer, source_lang: str) -> set[str]:
        """`Languages[].LanguageCode`, each of which is source and target, without `auto`."""
        return _http.read_column(answer, ("Languages",), "LanguageCode") - {"auto"}

    def words(self, answer: Answer) -> str:
        """The service's own words, which it spells with a capital or without."""
        name = "Message" if "Message" in _http.read_object(answer) else "message"
        words, kind = _http.service_words(answer, name), _error_name(answer)
        return f"{kind}: {words}" if kind else words

    def refined(self, found: Trouble, answer: Answer) -> Trouble:
        """The documented errors."""
        return replace(found, fault=_FAULTS.get(_error_name(answer), found.fault))

    def ignored(self, answer: Answer, config: Mapping[str, Json]) -> Trouble | None:
        """A setting that was asked and not applied."""
        applied = _http.read_object(answer).get("AppliedSettings")
        for name, value in _make_settings(config).items():
            if not isinstance(applied, dict) or applied.get(name) != value:
                words = f"{name.lower()} {value} was asked and not applied"
                return Trouble(Fault.UNSUPPORTED, words)
        return None

    def translations(self, answer: Answer) -> list[Json] | None:
        """`TranslatedText`, of the one text."""
        content = _http.read_object(answer)
        return [content["TranslatedText"]] if "TranslatedText" in content else None


def _make_call(operation: str, content: Json, config: Mapping[str, Json]) -> HttpRequest:
    """A signed POST / of one operation of the service."""
    region = config["region"]
    base = config.get("base_url", f"https://translate.{region}.amazonaws.com")
    body = json.dumps(content, ensure_ascii=False, separators=(",", ":")).encode()
    headers = (_TYPE, ("X-Amz-Target", f"{_SERVICE}.{operation}"))
    return HttpRequest(
        "POST", _http.join_path(base, ""), headers, body, signer=f"aws4:translate/{region}"
    )


def _make_settings(config: Mapping[str, Json]) -> dict[str, Json]:
    return {title: config[name] for name, title in _SETTINGS.items() if name in config}


def _error_name(answer: Answer) -> str:
    """The name of an error, without the `com.amazonaws.translate#` and the address around it."""
    kind = _http.read_object(answer).get("__type")
    if not isinstance(kind, str):
        kind = dict(answer.headers).get("x-amzn-errortype", "")
    return kind.rpartition("#")[2].partition(":")[0]


ENGINE = AmazonTranslate()
