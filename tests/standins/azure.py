"""Azure AI Translator, v3.0 and 2026-06-06: `contracts.md` section A5."""

import uuid

from tests.standins.faults import status, with_retry_after
from tests.standins.service import (
    Refused,
    Service,
    is_bool,
    is_filled,
    is_list_of,
    is_object,
    is_text,
    one_of,
    problem,
)

V3, V2026 = "3.0", "2026-06-06"
ELEMENTS = 1000
CHARACTERS = 50_000

#: {domain: {api-version: path}}. A5: documentation and official client disagree about the custom
#: domain of 2026-06-06, so both exist. The custom path of v3.0 is from memory.
PATHS = {
    "global": {V3: "/translate", V2026: "/translate"},
    "custom-docs": {V3: "/translator/text/v3.0/translate", V2026: "/translator/text/translate"},
    "custom-sdk": {
        V3: "/translator/text/v3.0/translate",
        V2026: f"/translator/text/v{V2026}/translate",
    },
}

_FLAG = one_of("true", "false")
#: A5, query of v3.0.
V3_QUERY = {
    "api-version": is_filled,
    "from": is_filled,
    "to": is_filled,
    "textType": one_of("plain", "html"),
    "category": is_filled,
    "allowFallback": _FLAG,
    "profanityAction": one_of("NoAction", "Marked", "Deleted"),
    "includeAlignment": _FLAG,
    "includeSentenceLength": _FLAG,
    "suggestedFrom": is_filled,
}
#: A5, one text of v3.0; the official client of v3.0 writes it lower-case.
V3_ELEMENT = {"Text": is_text, "text": is_text}
#: A5, one input and one target of 2026-06-06.
INPUT = {"text": is_text, "language": is_filled, "targets": is_list_of(is_object)}
TARGET = {
    "language": is_filled,
    "deploymentName": is_filled,
    "tone": one_of("formal", "informal", "neutral"),
    "gender": one_of("male", "female", "neutral"),
    "allowFallback": is_bool,
}
LIMITED = "The server rejected the request because the client has exceeded request limits."


class Azure(Service):
    """Both versions, told apart by `api-version`.

    Args (besides those of Service):
        region: what `Ocp-Apim-Subscription-Region` must say; None for a global key.
        domain: `global`, `custom-docs` or `custom-sdk`; the others' paths are 404.
        versions: those that are answered.
        deployments: names that `deploymentName` may have, besides `general`; they count tokens.
        detected: language that every text without a source language is said to be in.
    """

    def __init__(
        self,
        *,
        region=None,
        domain="global",
        versions=(V3, V2026),
        deployments=("gpt-5.1",),
        detected="en",
        **settings,
    ):
        super().__init__(**settings)
        self.region = region
        self.paths = PATHS[domain]
        self.versions = versions
        self.deployments = deployments
        self.detected = detected

    @staticmethod
    def quota():
        """A5: 403001, free quota used up."""
        message = "The operation isn't allowed because the subscription exceeded its free quota."
        return _error(403001, message)

    @staticmethod
    def rate_limited(retry_after=None, code=429001):
        """A5: literally A5's body; section 0: Azure does not document Retry-After."""
        return with_retry_after(_error(code, LIMITED), retry_after)

    @staticmethod
    def auth_error():
        """A5: 401000."""
        message = "The request isn't authorized because credentials are missing or invalid."
        return _error(401000, message)

    @staticmethod
    def bad_pair():
        """A5: 400036."""
        return _error(400036, "The target language is missing or invalid.")

    @staticmethod
    def warming():
        """A5: 408001, a custom system is being loaded."""
        message = "The translation system requested is being prepared. Retry in a few minutes."
        return _error(408001, message)

    @staticmethod
    def failed():
        """A5: 500000."""
        return _error(500000, "An unexpected error occurred.")

    @staticmethod
    def unavailable():
        """A5: 503000."""
        return _error(503000, "Service is temporarily unavailable.")

    def answer(self, request):
        version = request.query.get("api-version")
        if request.path not in self.paths.values():
            raise Refused(_error(404000, "The requested resource isn't found."))
        if version not in self.versions or request.path != self.paths[version]:
            _bad(400021, "The API version parameter is missing or invalid.")
        if request.method != "POST":
            raise Refused(_error(405000, "The request method isn't supported."))
        self._check_key(request)
        if request.media_type != "application/json":
            raise Refused(_error(415000, "The Content-Type header is missing or invalid."))
        translate = {V3: self._translate_v3, V2026: self._translate_2026}[version]
        data, metered = translate(request)
        headers = {"X-RequestId": str(uuid.uuid4()), "X-mt-system": "Microsoft"}
        return status(200, data, headers | {"X-metered-usage": str(metered)})

    def _check_key(self, request):
        if request.headers.get("ocp-apim-subscription-key") != self.key:
            raise Refused(self.auth_error())
        region = request.headers.get("ocp-apim-subscription-region")
        if self.region is not None and region != self.region:
            raise Refused(self.auth_error())

    def _meter(self, sizes):
        """A5: check limits and quota; `sizes` are each text's characters times its targets."""
        if len(sizes) > ELEMENTS:
            _bad(400072, "The array of input text has too many elements.")
        if max(sizes) > CHARACTERS:
            _bad(400050, "The input text is too long.")
        if sum(sizes) > CHARACTERS:
            _bad(400077, "The maximum request size has been exceeded.")
        self.spend(sum(sizes))
        return sum(sizes)

    def _check_language(self, source, target):
        if source not in self.languages:
            _bad(400035, 'The source language ("From" field) is not valid.')
        if target not in self.languages:
            raise Refused(self.bad_pair())

    def _translate_v3(self, request):
        query = request.query
        if found := problem(query, V3_QUERY):
            _bad(400042, f"One of the options specified isn't valid: {found}")
        targets = [value for name, value in request.pairs if name == "to"]
        if not targets:
            raise Refused(self.bad_pair())
        source = query.get("from", self.detected)
        for target in targets:
            self._check_language(source, target)
        texts = _v3_texts(request)
        metered = self._meter([len(text) * len(targets) for text in texts])
        detected = {"language": source, "score": 1.0}
        first = {} if "from" in query else {"detectedLanguage": detected}
        answer = [
            first | {"translations": [self._v3_translation(text, to) for to in targets]}
            for text in texts
        ]
        return answer, metered

    def _v3_translation(self, text, target):
        return {"text": self.translate(text, target), "to": target}

    def _translate_2026(self, request):
        if found := problem(request.query, {"api-version": is_filled}):
            _bad(400042, f"One of the options specified isn't valid: {found}")
        body = _json(request)
        inputs = is_list_of(is_object)
        if not isinstance(body, dict) or problem(body, {"inputs": inputs}, ("inputs",)):
            _bad(400074, "The body of the request isn't valid JSON.")
        for one in body["inputs"]:
            self._check_input(one)
        metered = self._meter([len(one["text"]) * len(one["targets"]) for one in body["inputs"]])
        return {"value": [self._value(one) for one in body["inputs"]]}, metered

    def _check_input(self, one):
        if found := problem(one, INPUT, ("text", "targets")):
            _bad(400020, f"One of the elements in the array of input isn't valid: {found}")
        for target in one["targets"]:
            if found := problem(target, TARGET, ("language",)):
                _bad(400042, f"One of the options specified isn't valid: {found}")
            self._check_language(one.get("language", self.detected), target["language"])
            if target.get("deploymentName", "general") not in ("general", *self.deployments):
                _bad(400079, "The deployment requested doesn't exist.")

    def _value(self, one):
        value = {"translations": [self._translation(one["text"], to) for to in one["targets"]]}
        if "language" in one:
            return value
        return {"detectedLanguage": {"language": self.detected, "score": 1}} | value

    def _translation(self, text, target):
        translated = self.translate(text, target["language"])
        answer = {
            "language": target["language"],
            "text": translated,
            "sourceCharacters": len(text),
        }
        if target.get("deploymentName", "general") == "general":
            return answer
        tokens = len(translated.split())
        return answer | {
            "instructionTokens": 100,
            "sourceTokens": len(text.split()),
            "responseTokens": tokens,
            "targetTokens": tokens,
        }


def _v3_texts(request):
    """Return the texts of a v3.0 body."""
    body = _json(request)
    if not isinstance(body, list) or not body:
        _bad(400074, "The body of the request isn't valid JSON.")
    for one in body:
        if not isinstance(one, dict) or len(one) != 1 or problem(one, V3_ELEMENT):
            _bad(400020, "One of the elements in the array of input isn't valid.")
    return [text for one in body for text in one.values()]


def _json(request):
    try:
        return request.json
    except ValueError:
        _bad(400074, "The body of the request isn't valid JSON.")


def _error(code, message):
    """A5: the shape of every error; the six digits begin with the status."""
    return status(code // 1000, {"error": {"code": code, "message": message}})


def _bad(code, message):
    raise Refused(_error(code, message))
