"""LibreTranslate 1.9.6: `contracts.md` section A6."""

from tests.standins.faults import status, with_retry_after
from tests.standins.service import (
    Refused,
    Service,
    is_count,
    is_filled,
    is_list_of,
    is_text,
    object_of,
    one_of,
    problem,
)

CONFIDENCE = 90.0
EMOJI = "\N{FACE WITH TEARS OF JOY}"

_TEXTS = is_list_of(is_text)
FIELDS = {
    "q": lambda value: is_filled(value) or _TEXTS(value),
    "source": is_filled,
    "target": is_filled,
    "format": one_of("text", "html"),
    "alternatives": is_count,
    "api_key": is_text,
}


class LibreTranslate(Service):
    """`POST /translate`, `/detect`; `GET /languages`, `/health`, `/frontend/settings`.

    Args (besides those of Service; `key=None` is a server that needs none):
        require_secret: the server hands its own page a secret; a bogus `secret` in place of a key
            is answered 200 with an emoji.
        char_limit, batch_limit, alternatives_limit: 400 above them; None is no limit.
        alternatives: {source text: [alternative]}; others are made up.
        detected: language that `auto` finds.
        key_url: where a missing key is to be had.
    """

    def __init__(
        self,
        *,
        key=None,
        require_secret=False,
        char_limit=None,
        batch_limit=None,
        alternatives_limit=None,
        alternatives=None,
        detected="en",
        key_url="https://portal.libretranslate.com",
        **settings,
    ):
        super().__init__(key=key, **settings)
        self.require_secret = require_secret
        self.char_limit = char_limit
        self.batch_limit = batch_limit
        self.alternatives_limit = alternatives_limit
        self.alternatives = dict(alternatives or {})
        self.detected = detected
        self.key_url = key_url

    @staticmethod
    def rate_limited(retry_after=None, limit="20 per 1 minute"):
        """A6: 429, literally A6's body; the service sends no Retry-After, a proxy might."""
        return with_retry_after(_error(429, f"Slowdown: {limit}"), retry_after)

    @staticmethod
    def quota():
        """A6: the same 429; only the period tells that it is the day's limit."""
        return LibreTranslate.rate_limited(limit="1000 per 1 day")

    @staticmethod
    def auth_error():
        """A6: 403 for a wrong key."""
        return _error(403, "Invalid API key")

    @staticmethod
    def banned():
        """A6: 403 after too many 429."""
        return _error(403, "Too many request limits violations")

    @staticmethod
    def missing_key(url="https://portal.libretranslate.com"):
        """A6: 400 for no key."""
        return _error(400, f"Visit {url} to get an API key")

    @staticmethod
    def bad_pair(language="xx"):
        """A6: 400; wording of the server's source."""
        return _error(400, f"{language} is not supported")

    @staticmethod
    def poisoned():
        """A6: 200 with an emoji."""
        return status(200, {"translatedText": EMOJI})

    @staticmethod
    def failed():
        """A6: 500."""
        return _error(500, "Cannot translate text")

    def answer(self, request):
        known = {
            "/translate": ("POST", self._translate),
            "/detect": ("POST", self._detect),
            "/languages": ("GET", self._languages),
            "/health": ("GET", lambda _: {"status": "ok"}),
            "/frontend/settings": ("GET", self._settings),
        }
        method, route = known.get(request.path, (None, None))
        if route is None:
            raise Refused(_error(404, "Not Found"))
        if request.method != method:
            raise Refused(_error(405, "Method Not Allowed"))
        if request.query:
            _bad("Invalid request: parameters belong into the body")
        return status(200, route(request))

    def _fields(self, request, fields, required):
        sent = _body(request)
        secret = sent.pop("secret", None) if self.require_secret else None
        self._check_key(sent.get("api_key"), secret)
        if found := problem(sent, fields, required):
            _bad(f"Invalid request: {found.kind} {found.field} parameter")
        return sent

    def _check_key(self, sent, secret):
        if self.key is None or sent == self.key:
            return
        if sent:
            raise Refused(self.auth_error())
        # no secret is ever right: it is for the server's own page alone
        raise Refused(self.poisoned() if secret else self.missing_key(self.key_url))

    def _translate(self, request):
        sent = self._fields(request, FIELDS, ("q", "source", "target"))
        batch = isinstance(sent["q"], list)
        texts = sent["q"] if batch else [sent["q"]]
        wanted = sent.get("alternatives", 0)
        self._check_limits(texts, batch, wanted)
        source = self.detected if sent["source"] == "auto" else sent["source"]
        for language in (source, sent["target"]):
            if language not in self.languages:
                raise Refused(self.bad_pair(language))
        self.spend(sum(map(len, texts)))
        answer = {"translatedText": [self.translate(text, sent["target"]) for text in texts]}
        if sent["source"] == "auto":
            # A6: one detection for the whole batch
            answer["detectedLanguage"] = [self._detected()] * len(texts)
        if wanted:
            answer["alternatives"] = [self._others(text, sent["target"], wanted) for text in texts]
        return answer if batch else {name: values[0] for name, values in answer.items()}

    def translate(self, text, target):
        """Translate; A6: what has no letters comes back as it is."""
        if not any(map(str.isalpha, text)):
            return text
        return super().translate(text, target)

    def _check_limits(self, texts, batch, wanted):
        limits = (
            (len(texts) if batch else 0, self.batch_limit, "request ({}) exceeds text limit ({})"),
            (sum(map(len, texts)), self.char_limit, "request ({}) exceeds text limit ({})"),
            (
                wanted,
                self.alternatives_limit,
                "num alternatives ({}) exceeds alternatives limit ({})",
            ),
        )
        for size, limit, message in limits:
            if limit is not None and size > limit:
                _bad("Invalid request: " + message.format(size, limit))

    def _others(self, text, target, wanted):
        made_up = [f"{self.translate(text, target)} ({number})" for number in range(1, wanted + 1)]
        return self.alternatives.get(text, made_up)[:wanted]

    def _detected(self):
        return {"confidence": CONFIDENCE, "language": self.detected}

    def _detect(self, request):
        self._fields(request, {"q": is_filled, "api_key": is_text}, ("q",))
        return [self._detected()]

    def _languages(self, _request):
        return [
            {
                "code": code,
                "name": name,
                "targets": [other for other in self.languages if other != code],
            }
            for code, name in self.languages.items()
        ]

    def _settings(self, _request):
        return {
            "apiKeys": self.key is not None,
            "charLimit": -1 if self.char_limit is None else self.char_limit,
            "keyRequired": self.key is not None,
            "suggestions": False,
            "supportedFilesFormat": [],
        }


def _body(request):
    """Return the fields of a JSON or form body; a form sends one text."""
    data = object_of(request)
    if data is not None:
        return data
    if request.media_type != "application/x-www-form-urlencoded":
        return {}
    fields = dict(request.form)
    if len(fields) != len(request.form):
        _bad("Invalid request: a form field was given twice")
    if fields.get("alternatives", "").isdigit():
        fields["alternatives"] = int(fields["alternatives"])
    return fields


def _error(code, message):
    """A6: the shape of every error."""
    return status(code, {"error": message})


def _bad(message):
    raise Refused(_error(400, message))
