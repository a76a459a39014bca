"""Amazon Translate: `contracts.md` section A4; signatures are verified (`sigv4`)."""

import uuid
from datetime import UTC, datetime

from tests.standins import sigv4
from tests.standins.faults import with_retry_after
from tests.standins.service import (
    Refused,
    Service,
    is_count,
    is_filled,
    is_list_of,
    is_object,
    one_of,
    problem,
)
from tests.standins.wire import json_answer

CONTENT_TYPE = "application/x-amz-json-1.1"
TARGET = "AWSShineFrontendService_20170701."
TEXT_BYTES = 10_000
SKEW_SECONDS = 300
SECRET = "secret"

#: A4, body of TranslateText.
FIELDS = {
    "Text": is_filled,
    "SourceLanguageCode": is_filled,
    "TargetLanguageCode": is_filled,
    "TerminologyNames": is_list_of(is_filled, least=0),
    "Settings": is_object,
}
SETTINGS = {
    "Formality": one_of("FORMAL", "INFORMAL"),
    "Profanity": one_of("MASK"),
    "Brevity": one_of("ON"),
}
LIST_FIELDS = {"DisplayLanguageCode": is_filled, "NextToken": is_filled, "MaxResults": is_count}


class Amazon(Service):
    """`TranslateText` and `ListLanguages` at `POST /`.

    Args (besides those of Service; `key` is the access key id):
        secret, region, session_token: what requests must be signed with.
        formality_targets: where a formality is applied; elsewhere it is silently ignored.
        detected: language that `auto` finds.
        clock: time that signatures are compared with.
    """

    def __init__(
        self,
        *,
        key="AKIDEXAMPLE",
        secret=SECRET,
        region="eu-west-1",
        session_token=None,
        formality_targets=("de", "es", "fr", "it", "pt"),
        detected="en",
        clock=lambda: datetime.now(UTC),
        **settings,
    ):
        super().__init__(key=key, **settings)
        self.secret = secret
        self.region = region
        self.session_token = session_token
        self.formality_targets = formality_targets
        self.detected = detected
        self.clock = clock

    @staticmethod
    def rate_limited(retry_after=None):
        """A4: 429, literally A4's body; section 0: AWS does not document Retry-After."""
        return with_retry_after(_error(429, "TooManyRequestsException", "slow"), retry_after)

    @staticmethod
    def quota():
        """A4 has no error of its own for a used-up quota: the same 429."""
        return _error(429, "TooManyRequestsException", "You have reached your quota")

    @staticmethod
    def auth_error(kind="UnrecognizedClientException"):
        """A4 lists no auth error; AWS's common errors for JSON services, from memory."""
        return _error(400, kind, "The security token included in the request is invalid.")

    @staticmethod
    def bad_pair():
        """A4: 400."""
        return _error(400, "UnsupportedLanguagePairException", "Unsupported language pair")

    @staticmethod
    def low_confidence(language="pt"):
        """A4: 400 with the language that `auto` thought of."""
        message = "The detected language has a low confidence"
        kind = "DetectedLanguageLowConfidenceException"
        return _error(400, kind, message, DetectedLanguageCode=language)

    @staticmethod
    def failed():
        """A4: 500."""
        return _error(500, "InternalServerException", "An internal server error occurred")

    @staticmethod
    def unavailable():
        """A4: 503."""
        return _error(503, "ServiceUnavailableException", "The service is unavailable")

    def answer(self, request):
        known = {
            TARGET + "TranslateText": self._translate,
            TARGET + "ListLanguages": self._list_languages,
        }
        route = known.get(request.headers.get("x-amz-target"))
        if (request.method, request.target) != ("POST", "/") or route is None:
            raise Refused(_error(404, "UnknownOperationException", "Unknown operation"))
        self._check_signature(request)
        if request.media_type != CONTENT_TYPE:
            raise Refused(_error(400, "SerializationException", f"not {CONTENT_TYPE}"))
        return _answer(200, route(_body(request)))

    def _check_signature(self, request):
        if "authorization" not in request.headers:
            raise Refused(self.auth_error("MissingAuthenticationTokenException"))
        signed = sigv4.parse(request)
        if signed is None or not _covers(signed.names, request):
            raise Refused(self.auth_error("IncompleteSignatureException"))
        if signed.access_key != self.key:
            raise Refused(self.auth_error())
        if request.headers.get("x-amz-security-token") != self.session_token:
            raise Refused(self.auth_error())
        if not self._is_now(request, signed) or not self._is_ours(request, signed):
            raise Refused(self.auth_error("InvalidSignatureException"))

    def _is_now(self, request, signed):
        stamp = request.headers["x-amz-date"]
        try:
            sent = datetime.strptime(stamp, "%Y%m%dT%H%M%SZ").replace(tzinfo=UTC)
        except ValueError:
            return False
        skew = abs((self.clock() - sent).total_seconds())
        return stamp.startswith(signed.day) and skew <= SKEW_SECONDS

    def _is_ours(self, request, signed):
        if (signed.region, signed.service) != (self.region, "translate"):
            return False
        return sigv4.signatures(request, signed, self.secret) == {signed.signature}

    def _translate(self, body):
        _check(body, FIELDS, ("Text", "SourceLanguageCode", "TargetLanguageCode"))
        _check(body.get("Settings", {}), SETTINGS)
        text, target = body["Text"], body["TargetLanguageCode"]
        if len(text.encode()) > TEXT_BYTES:
            message = f"Input text size exceeds limit. Max length of request text is {TEXT_BYTES}"
            raise Refused(_error(400, "TextSizeLimitExceededException", message))
        asked = body["SourceLanguageCode"]
        source = self.detected if asked == "auto" else asked
        if source not in self.languages or target not in self.languages:
            raise Refused(self.bad_pair())
        self.spend(len(text))
        answer = {
            "TranslatedText": self.translate(text, target),
            "SourceLanguageCode": source,
            "TargetLanguageCode": target,
        }
        if "Settings" in body:
            answer["AppliedSettings"] = self._applied(body["Settings"], target)
        return answer

    def _applied(self, settings, target):
        """A4: an unsupported formality is silently left out."""
        formal = target in self.formality_targets
        return {name: value for name, value in settings.items() if name != "Formality" or formal}

    def _list_languages(self, body):
        _check(body, LIST_FIELDS)
        languages = [
            {"LanguageName": name, "LanguageCode": code} for code, name in self.languages.items()
        ]
        shown = body.get("DisplayLanguageCode", "en")
        return {"Languages": languages, "DisplayLanguageCode": shown}


def _covers(names, request):
    """AWS wants host and every x-amz- header among the signed ones, in order."""
    needed = {"host"} | {name for name in request.headers if name.startswith("x-amz-")}
    return needed <= set(names) and names == sorted(names)


def _body(request):
    try:
        data = request.json
    except ValueError:
        data = None
    if not isinstance(data, dict):
        raise Refused(_error(400, "SerializationException", "The body is no JSON object"))
    return data


def _check(data, fields, required=()):
    if found := problem(data, fields, required):
        raise Refused(_error(400, "InvalidRequestException", str(found)))


def _answer(code, data):
    return json_answer(code, data, {"x-amzn-RequestId": str(uuid.uuid4())}, CONTENT_TYPE)


def _error(code, kind, message, **more):
    """A4: the shape of every error."""
    return _answer(code, {"__type": kind, "Message": message, **more})
