"""OpenAI-compatible chat completions, translating or answering: `contracts.md` section A11."""

import time

from tests.standins.faults import status
from tests.standins.service import (
    Refused,
    Service,
    is_count,
    is_filled,
    is_list_of,
    is_number,
    is_text,
    object_of,
    problem,
)

PATH = "/v1/chat/completions"
_ROLES = ("system", "user", "assistant", "developer")


def _is_message(value):
    if not isinstance(value, dict) or set(value) != {"role", "content"}:
        return False
    return value["role"] in _ROLES and is_text(value["content"])


#: A11, body of a completion.
FIELDS = {
    "model": is_filled,
    "messages": is_list_of(_is_message),
    "temperature": lambda value: is_number(value) and 0 <= value <= 2,
    "seed": is_count,
    "max_tokens": lambda value: is_count(value) and value > 0,
    "n": lambda value: is_count(value) and value > 0,
}

#: {mode: (text around the translation, finish_reason)}
MODES = {
    "clean": ("{}", "stop"),
    "chatter": ("Sure! Here is the translation: {}\n\nLet me know if you need more.", "stop"),
    "quotes": ('"{}"', "stop"),
    "refusal": ("I'm sorry, but I can't help with that.", "stop"),
    "length": ("{}", "length"),
    "content_filter": ("", "content_filter"),
    "no_content": (None, "stop"),
    "empty_choices": ("", "stop"),
    "answer": (None, "stop"),
}


class Chat(Service):
    """`POST /v1/chat/completions` and `GET /v1/models`; the base URL ends in `/v1`.

    The text to be translated is the last user message, or the longest key of `translations` that
    stands in it, so that any prompt will do.

    Args (besides those of Service):
        mode: how all requests are answered, one of MODES.
        modes: modes used up one per request, before `mode`.
        answers: {question: the whole answer}, for the mode `answer`.
        target: what the toy translation begins with.
        models: names that exist.
        reported_model, fingerprint: what answers say; may be changed while serving. By default
            the model is said to be a dated version of the one that was asked.
    """

    def __init__(
        self,
        *,
        mode="clean",
        modes=(),
        target="de",
        models=("m",),
        reported_model=None,
        fingerprint="fp_x",
        answers=None,
        **settings,
    ):
        self.answers = answers or {}
        super().__init__(**settings)
        unknown = {mode, *modes} - set(MODES)
        if unknown:
            raise ValueError(f"unknown modes {unknown}")
        self.mode = mode
        self.target = target
        self.models = models
        self.reported_model = reported_model
        self.fingerprint = fingerprint
        self._modes = list(modes)
        self._count = 0

    @staticmethod
    def rate_limited(retry_after=None, retry_after_ms=None, should_retry=None):
        """A11: 429, literally A11's body, with the headers that official clients read."""
        given = {
            "retry-after": retry_after,
            "retry-after-ms": retry_after_ms,
            "x-should-retry": should_retry,
        }
        headers = {name: str(value) for name, value in given.items() if value is not None}
        answer = _error(429, "Rate limit reached", "requests", "rate_limit_exceeded")
        return answer.adding(headers)

    @staticmethod
    def quota():
        """A11: 429 too, told from the rate limit by its code."""
        message = "You exceeded your current quota, please check your plan and billing details."
        return _error(429, message, "insufficient_quota", "insufficient_quota")

    @staticmethod
    def auth_error():
        """A11: 401."""
        message = "Incorrect API key provided."
        return _error(401, message, "invalid_request_error", "invalid_api_key")

    @staticmethod
    def forbidden():
        """A11: 403."""
        message = "You are not allowed to use this model."
        return _error(403, message, "invalid_request_error", "permission_denied")

    @staticmethod
    def unknown_model(model="m"):
        """A11: 404."""
        message = f"The model `{model}` does not exist"
        return _error(404, message, "invalid_request_error", "model_not_found")

    @staticmethod
    def unavailable():
        """A11: 5xx."""
        return _error(503, "The server is overloaded", "server_error", None)

    def answer(self, request):
        known = {("POST", PATH): self._complete, ("GET", "/v1/models"): self._models}
        route = known.get((request.method, request.path))
        if route is None:
            message = f"Invalid URL ({request.method} {request.path})"
            raise Refused(_error(404, message, "invalid_request_error", None))
        if self.key is not None and request.headers.get("authorization") != f"Bearer {self.key}":
            raise Refused(self.auth_error())
        if request.query:
            _bad("Query parameters are not supported")
        return status(200, route(request))

    def _models(self, _request):
        models = [{"id": name, "object": "model"} for name in self.models]
        return {"object": "list", "data": models}

    def _complete(self, request):
        body = object_of(request)
        if body is None:
            _bad("We could not parse the JSON body of your request.")
        if found := problem(body, FIELDS, ("model", "messages")):
            _bad(f"{found.kind} request argument: {found.field}", found.field)
        if body["model"] not in self.models:
            raise Refused(self.unknown_model(body["model"]))
        text = self._source(body["messages"])
        self.spend(len(text))
        with self._lock:
            self._count += 1
            number = self._count
            mode = self._modes.pop(0) if self._modes else self.mode
        return self._completion(
            body, self._choice(mode, text, body.get("max_tokens")), mode, number
        )

    def _source(self, messages):
        said = [message["content"] for message in messages if message["role"] == "user"]
        if not said:
            _bad("There is no user message", "messages")
        known = [
            text
            for text in (*self.translations, *self.answers)
            if is_text(text) and text in said[-1]
        ]
        return max(known, key=len, default=said[-1])

    def _choice(self, mode, text, most):
        """Return (content, finish_reason); a token is a word here."""
        around, reason = MODES[mode]
        if mode == "answer":
            return self.answers[text], reason
        if around is None:
            return None, reason
        content = around.format(self.translate(text, self.target))
        words = content.split()
        if mode == "length":
            most = min(most or len(words), max(1, len(words) // 2))
        if most is not None and len(words) > most:
            return " ".join(words[:most]), "length"
        return content, reason

    def _completion(self, body, choice, mode, number):
        content, reason = choice
        n = 0 if mode == "empty_choices" else body.get("n", 1)
        message = {"role": "assistant", "content": content}
        prompt = sum(len(one["content"].split()) for one in body["messages"])
        completion = n * len((content or "").split())
        return {
            "id": f"c{number}",
            "object": "chat.completion",
            "created": int(time.time()),
            "model": self.reported_model or f"{body['model']}-2026-01",
            "choices": [
                {"index": index, "message": message, "finish_reason": reason} for index in range(n)
            ],
            "usage": {
                "prompt_tokens": prompt,
                "completion_tokens": completion,
                "total_tokens": prompt + completion,
            },
            "system_fingerprint": self.fingerprint,
        }


def _error(code, message, kind, word, param=None):
    """A11: the shape of every error."""
    error = {"message": message, "type": kind, "param": param, "code": word}
    return status(code, {"error": error})


def _bad(message, param=None):
    raise Refused(_error(400, message, "invalid_request_error", None, param))
