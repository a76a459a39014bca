"""DeepL API v2: `contracts.md` section A1."""

import uuid

from tests.standins.faults import status, with_retry_after
from tests.standins.service import (
    Refused,
    Service,
    is_bool,
    is_filled,
    is_list_of,
    is_text,
    object_of,
    one_of,
    problem,
)

BODY_BYTES = 128 * 1024
HEADER_BYTES = 16 * 1024
#: No longer in the specification of 2026-06-30; A1 says to stay at it.
TEXTS = 50
FREE_CHARACTERS = 500_000

FORMALITY = ("default", "more", "less", "prefer_more", "prefer_less")
MODELS = ("quality_optimized", "prefer_quality_optimized", "latency_optimized")
INSTRUCTED = ("DE", "EN", "ES", "FR", "IT", "JA", "KO", "ZH")
#: Targets that need a region; the official client refuses the bare code.
REGIONS = {"EN": ("EN-GB", "EN-US"), "PT": ("PT-BR", "PT-PT")}

#: The parameters of A1, as JSON types. A form sends all of them as text.
FIELDS = {
    "text": is_list_of(is_text),
    "target_lang": is_filled,
    "source_lang": is_filled,
    "formality": one_of(*FORMALITY),
    "model_type": one_of(*MODELS),
    "context": is_text,
    "custom_instructions": is_list_of(lambda one: is_text(one) and len(one) <= 300, most=10),
    "style_id": is_filled,
    "glossary_id": is_filled,
    "glossary_ids": is_list_of(is_filled, most=5),
    "split_sentences": one_of("0", "1", "nonewlines"),
    "tag_handling": one_of("xml", "html"),
    "show_billed_characters": is_bool,
    "translation_memory_id": is_filled,
}
REPEATED = ("text", "custom_instructions", "glossary_ids")


class DeepL(Service):
    """`POST /v2/translate`, `GET /v2/usage`, `GET /v3/languages`; free and Pro alike.

    Args (besides those of Service; `languages` without regions):
        formality_targets: where `more` and `less` are possible; elsewhere they get 400.
        detected: language that every text without `source_lang` is said to be in.
    """

    def __init__(
        self,
        *,
        formality_targets=("DE", "ES", "FR", "IT", "PL", "PT", "RU"),
        detected="EN",
        **settings,
    ):
        super().__init__(**settings)
        self.formality_targets = {target[:2].upper() for target in formality_targets}
        self.detected = detected

    @staticmethod
    def quota():
        """A1: 456; body literally A1's, without the optional code."""
        return _error(456, "Quota for this billing period has been exceeded")

    @staticmethod
    def rate_limited(retry_after=None):
        """A1: 429; section 0: DeepL does not document Retry-After."""
        return with_retry_after(_error(429, "Too many requests"), retry_after)

    @staticmethod
    def auth_error():
        """A1: 403."""
        return _error(403, "Authorization failure, check auth_key")

    @staticmethod
    def bad_pair():
        """A1: 400."""
        return _error(400, "Value for 'target_lang' not supported.")

    @staticmethod
    def overloaded():
        """A1: 529."""
        return _error(529, "Too many requests: the service is overloaded")

    def answer(self, request):
        self._check_size(request)
        if request.headers.get("authorization") != f"DeepL-Auth-Key {self.key}":
            raise Refused(self.auth_error())
        known = {
            ("POST", "/v2/translate"): self._translate,
            ("GET", "/v2/usage"): self._usage,
            ("GET", "/v3/languages"): self._languages,
        }
        route = known.get((request.method, request.path))
        if route is None:
            raise Refused(_error(404, "Not found"))
        return status(200, route(request), {"X-Trace-ID": uuid.uuid4().hex})

    def _check_size(self, request):
        if len(request.body) > BODY_BYTES:
            raise Refused(_error(413, "Request size exceeds the limit of 128 KiB"))
        headers = sum(len(name) + len(value) + 4 for name, value in request.headers.items())
        if len(request.target) + headers > HEADER_BYTES:
            raise Refused(_error(414, "Request line and headers exceed the limit of 16 KiB"))

    def _translate(self, request):
        if request.query:
            _bad("query parameters are not supported; send a body")
        fields = _fields(request)
        if found := problem(fields, FIELDS, required=("text", "target_lang")):
            _bad(_message(found))
        target = self._check_languages(fields)
        self._check_options(fields, target)
        self.spend(sum(map(len, fields["text"])))
        return {"translations": [self._translation(text, fields) for text in fields["text"]]}

    def _check_languages(self, fields):
        offered = {code.upper() for code in self.languages}
        if fields.get("source_lang", self.detected).upper() not in offered:
            _bad("Value for 'source_lang' not supported.")
        target = fields["target_lang"].upper()
        language = target.partition("-")[0]
        if language not in offered or target not in REGIONS.get(language, (language,)):
            raise Refused(self.bad_pair())
        return language

    def _check_options(self, fields, target):
        if len(fields["text"]) > TEXTS:
            _bad(f"Too many text parameters: at most {TEXTS}")
        if fields.get("formality") in ("more", "less") and target not in self.formality_targets:
            _bad("'formality' is not supported for given 'target_lang'.")
        if "custom_instructions" in fields and target not in INSTRUCTED:
            _bad("'custom_instructions' is not supported for given 'target_lang'.")

    def _translation(self, text, fields):
        found = {
            "detected_source_language": fields.get("source_lang", self.detected).upper(),
            "text": self.translate(text, fields["target_lang"]),
        }
        if fields.get("show_billed_characters"):
            found["billed_characters"] = len(text)
        if "model_type" in fields:
            found["model_type_used"] = fields["model_type"].removeprefix("prefer_")
        return found

    def _usage(self, _request):
        limit = FREE_CHARACTERS if self.quota_characters is None else self.quota_characters
        usage = {"character_count": self.characters, "character_limit": limit}
        if self.key.endswith(":fx"):
            return usage
        return usage | {
            "api_key_character_count": self.characters,
            "api_key_character_limit": limit,
            "products": [],
            "start_time": "2026-11-01T00:00:00Z",
            "end_time": "2026-12-01T00:00:00Z",
        }

    def _languages(self, request):
        if request.query != {"resource": "translate_text"}:
            _bad("Value for 'resource' not supported.")
        return [
            self._language(code, name, target)
            for code, name in self.languages.items()
            for target in (code.upper(), *REGIONS.get(code.upper(), ()))
        ]

    def _language(self, code, name, target):
        bare = target in REGIONS
        features = {"formality": {"status": "stable"}}
        return {
            "lang": target,
            "name": name,
            "usable_as_source": target == code.upper(),
            "usable_as_target": not bare,
            "status": "stable",
            "features": features if target[:2] in self.formality_targets and not bare else {},
        }


def _fields(request):
    """Return the parameters of a JSON or form body, as JSON types."""
    if request.media_type == "application/x-www-form-urlencoded":
        return _form_fields(request.form)
    data = object_of(request)
    if data is None:
        _bad("Content-Type and body must be JSON or a form")
    return data


def _form_fields(pairs):
    fields = {}
    for name, value in pairs:
        if name in REPEATED:
            fields.setdefault(name, []).append(value)
        elif name in fields:
            _bad(f"Parameter '{name}' given twice.")
        else:
            fields[name] = value
    shown = {"1": True, "true": True, "0": False, "false": False}
    if "show_billed_characters" in fields:
        fields["show_billed_characters"] = shown.get(fields["show_billed_characters"])
    return fields


def _message(found):
    if found.kind == "missing":
        return f"Parameter '{found.field}' not specified."
    if found.kind == "unknown":
        return f"Parameter '{found.field}' not known."
    return f"Value for '{found.field}' not supported."


def _error(code, message):
    """A1: the shape of every error."""
    return status(code, {"message": message})


def _bad(message):
    raise Refused(_error(400, message))
