"""Google Cloud Translation v2 (Basic) and v3 (Advanced): `contracts.md` sections A2 and A3."""

import html
import re

from tests.standins.faults import status, with_retry_after
from tests.standins.service import (
    Refused,
    Service,
    is_filled,
    is_list_of,
    is_object,
    is_text,
    object_of,
    one_of,
    problem,
)

V2 = "/language/translate/v2"
V2_BODY_BYTES = 100_000
V2_TEXTS = 128
V3_TEXTS = 1024
V3_CODE_POINTS = 30_000

_TEXTS = is_list_of(is_text)

#: A2, body of a translation.
V2_FIELDS = {
    "q": lambda value: is_text(value) or _TEXTS(value),
    "target": is_filled,
    "source": is_filled,
    "format": one_of("html", "text"),
    "model": one_of("nmt", "base"),
    "cid": is_text,
}
#: A3, body of a translation.
V3_FIELDS = {
    "contents": _TEXTS,
    "mimeType": one_of("text/html", "text/plain"),
    "sourceLanguageCode": is_filled,
    "targetLanguageCode": is_filled,
    "model": is_filled,
    "glossaryConfig": is_object,
    "labels": is_object,
}


class GoogleV2(Service):
    """`POST /language/translate/v2`, `GET .../languages`, `POST .../detect`, with an API key.

    `detected`: language that every text without `source` is said to be in.
    """

    def __init__(self, *, detected="en", **settings):
        super().__init__(**settings)
        self.detected = detected

    @staticmethod
    def quota():
        """A2: the day's quota is a 403, which differs from the rate limit by its reason."""
        return _v2_limit("Daily Limit Exceeded", "dailyLimitExceeded")

    @staticmethod
    def rate_limited(retry_after=None):
        """A2: 403, literally A2's body; section 0: Google does not document Retry-After."""
        limit = _v2_limit("User Rate Limit Exceeded", "userRateLimitExceeded")
        return with_retry_after(limit, retry_after)

    @staticmethod
    def auth_error():
        """A2: a bad key is a 400 with the reason API_KEY_INVALID (marked [M] there)."""
        message = "API key not valid. Please pass a valid API key."
        detail = {
            "@type": "type.googleapis.com/google.rpc.ErrorInfo",
            "reason": "API_KEY_INVALID",
            "domain": "googleapis.com",
            "metadata": {"service": "translate.googleapis.com"},
        }
        return _error(400, message, "INVALID_ARGUMENT", "badRequest", details=[detail])

    @staticmethod
    def missing_key():
        """No key at all: 403 with another reason than the quota's (from memory, not in A2)."""
        message = "The request is missing a valid API key."
        return _error(403, message, "PERMISSION_DENIED", "forbidden")

    @staticmethod
    def bad_pair():
        """A2: 400."""
        return _error(400, "Bad language pair", "INVALID_ARGUMENT", "invalid")

    def answer(self, request):
        known = {
            ("POST", V2): self._translate,
            ("GET", V2 + "/languages"): self._languages,
            ("POST", V2 + "/detect"): self._detect,
        }
        route = known.get((request.method, request.path))
        if route is None:
            raise Refused(_error(404, "Not Found", "NOT_FOUND", "notFound"))
        self._check_key(request)
        return status(200, {"data": route(request)})

    def _check_key(self, request):
        sent = request.query.get("key", request.headers.get("x-goog-api-key"))
        if sent is None:
            raise Refused(self.missing_key())
        if sent != self.key:
            raise Refused(self.auth_error())

    def _body(self, request, fields, required):
        _check_query(request, ("key", "prettyPrint"))
        if len(request.body) > V2_BODY_BYTES:
            _invalid("Request payload size exceeds the limit: 102400 bytes.")
        return _checked(request, fields, required)

    def _translate(self, request):
        body = self._body(request, V2_FIELDS, ("q", "target"))
        texts = [body["q"]] if is_text(body["q"]) else body["q"]
        if len(texts) > V2_TEXTS:
            _invalid("Too many text segments")
        source = body.get("source", self.detected)
        if source not in self.languages or body["target"] not in self.languages:
            raise Refused(self.bad_pair())
        self.spend(sum(map(len, texts)))
        plain = body.get("format", "html") == "text"
        extra = {"detectedSourceLanguage": source} if "source" not in body else {}
        extra |= {"model": body["model"]} if "model" in body else {}
        translations = [self.translate(text, body["target"]) for text in texts]
        return {
            "translations": [
                {"translatedText": text if plain else escaped(text), **extra}
                for text in translations
            ]
        }

    def _languages(self, request):
        _check_query(request, ("key", "target", "model", "prettyPrint"))
        named = "target" in request.query
        return {
            "languages": [
                {"language": code, "name": name} if named else {"language": code}
                for code, name in self.languages.items()
            ]
        }

    def _detect(self, request):
        body = self._body(request, {"q": V2_FIELDS["q"]}, ("q",))
        texts = [body["q"]] if is_text(body["q"]) else body["q"]
        found = {"language": self.detected, "confidence": 1, "isReliable": False}
        return {"detections": [[found] for _ in texts]}


class GoogleV3(Service):
    """`POST /v3/projects/{project}/locations/{location}:translateText`; `key` is an OAuth token.

    Args (besides those of Service):
        project: the project that the token may use and that `x-goog-user-project` must name.
        locations: those that exist.
        detected: language that every text without `sourceLanguageCode` is said to be in.
        models: ends of model names that exist.
    """

    def __init__(
        self,
        *,
        project="p",
        locations=("global", "us-central1"),
        detected="en",
        models=("general/nmt", "general/translation-llm"),
        **settings,
    ):
        super().__init__(**settings)
        self.project = project
        self.locations = locations
        self.detected = detected
        self.models = models

    @staticmethod
    def quota(code=403):
        """A3: RESOURCE_EXHAUSTED; documented as 403, which gRPC maps to 429: try both."""
        message = "Quota exceeded for quota metric 'Characters' and limit 'Characters per day'"
        return _v3_error(code, message, "RESOURCE_EXHAUSTED")

    @staticmethod
    def rate_limited(retry_after=None, code=429):
        """A3: the same status word as the quota; only the message says per minute."""
        message = "Quota exceeded for quota metric 'Requests' and limit 'Requests per minute'"
        answer = _v3_error(code, message, "RESOURCE_EXHAUSTED")
        return with_retry_after(answer, retry_after)

    @staticmethod
    def auth_error():
        """401 UNAUTHENTICATED (from memory, not in A3)."""
        return _v3_error(401, "Request had invalid authentication credentials.", "UNAUTHENTICATED")

    @staticmethod
    def bad_pair():
        """400 INVALID_ARGUMENT (from memory, not in A3)."""
        return _v3_error(400, "Target language is invalid.", "INVALID_ARGUMENT")

    def answer(self, request):
        pattern = r"/v3/projects/([^/]+)/locations/([^/:]+):translateText"
        found = re.fullmatch(pattern, request.path)
        if request.method != "POST" or found is None:
            raise Refused(_v3_error(404, "Not Found", "NOT_FOUND"))
        if request.headers.get("authorization") != f"Bearer {self.key}":
            raise Refused(self.auth_error())
        project, location = found.groups()
        if {project, request.headers.get("x-goog-user-project")} != {self.project}:
            raise Refused(_v3_error(403, "Permission denied on project", "PERMISSION_DENIED"))
        if location not in self.locations:
            _invalid_v3("Invalid location name")
        return status(200, self._translate(request, f"projects/{project}/locations/{location}"))

    def _translate(self, request, parent):
        _check_query(request, ("$alt", "alt", "prettyPrint"), _invalid_v3)
        required = ("contents", "targetLanguageCode")
        body = _checked(request, V3_FIELDS, required, _invalid_v3)
        contents, target = body["contents"], body["targetLanguageCode"]
        model = self._model(body, parent)
        llm = model.endswith("translation-llm")
        mime = body.get("mimeType", "text/html")
        self._check_limits(contents)
        if llm and mime != "text/plain":
            _invalid_v3("The model supports text/plain only")
        source = body.get("sourceLanguageCode", self.detected)
        if source not in self.languages or target not in self.languages:
            raise Refused(self.bad_pair())
        if not llm:
            # A3: translation-llm has no content quota
            self.spend(sum(map(len, contents)))
        extra = {"model": model}
        if "sourceLanguageCode" not in body:
            extra["detectedLanguageCode"] = source
        texts = [self.translate(text, target) for text in contents]
        shown = [
            {"translatedText": text if mime == "text/plain" else escaped(text), **extra}
            for text in texts
        ]
        glossary = shown if "glossaryConfig" in body else []
        return {"translations": shown, "glossaryTranslations": glossary}

    def _model(self, body, parent):
        known = [f"{parent}/models/{name}" for name in self.models]
        model = body.get("model", known[0])
        if model not in known:
            _invalid_v3(f"Invalid model name {model}")
        return model

    def _check_limits(self, contents):
        if len(contents) > V3_TEXTS:
            _invalid_v3(f"Number of contents exceeds the maximum: {V3_TEXTS}")
        if sum(map(len, contents)) > V3_CODE_POINTS:
            _invalid_v3(f"Text is too long: at most {V3_CODE_POINTS} code points")


def escaped(text):
    """Return the text with entities as the html formats have them (A2: `&#39;`)."""
    return html.escape(text).replace("&#x27;", "&#39;")


def _v2_limit(message, reason):
    """A2: the shape of both limits."""
    errors = [{"message": message, "domain": "usageLimits", "reason": reason}]
    return status(403, {"error": {"code": 403, "message": message, "errors": errors}})


def _error(code, message, word, reason, **more):
    errors = [{"message": message, "domain": "global", "reason": reason}]
    error = {"code": code, "message": message, "errors": errors, "status": word, **more}
    return status(code, {"error": error})


def _v3_error(code, message, word):
    """A3: the shape of every error."""
    return status(code, {"error": {"code": code, "message": message, "status": word}})


def _invalid(message):
    raise Refused(_error(400, message, "INVALID_ARGUMENT", "badRequest"))


def _invalid_v3(message):
    raise Refused(_v3_error(400, message, "INVALID_ARGUMENT"))


def _check_query(request, allowed, refuse=_invalid):
    for name in request.query:
        if name not in allowed:
            refuse(f'Invalid JSON payload received. Unknown name "{name}": Cannot bind parameter.')


def _checked(request, fields, required, refuse=_invalid):
    """Return the JSON body when its fields are right."""
    body = object_of(request)
    if body is None:
        refuse("Invalid JSON payload received.")
    if found := problem(body, fields, required):
        refuse(f"Invalid JSON payload received: {found}")
    return body
