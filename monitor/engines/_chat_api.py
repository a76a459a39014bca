"""Base of engines behind OpenAI's chat completions: requests, errors, the one choice of an answer.

https://platform.openai.com/docs/api-reference/chat; also vLLM, llama.cpp, Ollama and LM Studio.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from string import Formatter

from monitor.data import read_toml
from monitor.engines import _http
from monitor.engines._engine import BaseEngine
from monitor.engines._translations import unreadable_readings
from monitor.model import (
    Answer,
    Fault,
    HttpRequest,
    Json,
    KeyChoice,
    Needs,
    Outcome,
    Parameter,
    Probe,
    Reading,
    Reason,
    Trouble,
)

_KEY = "OPENAI_API_KEY"
#: English name and own name, by BCP 47 tag.
NAMES: Mapping[str, Sequence[str]] = read_toml("language_codes")["names"]
_FIRST_ERROR, _BAD_REQUEST, _NOT_FOUND, _SERVER_ERROR = 400, 400, 404, 500
_MOST_IN_IDENTITY = 200
_FILTERED = frozenset({"content_filter", "content_policy_violation"})
#: Codes that say more than the status does.
_CODES = {
    "insufficient_quota": Fault.QUOTA,
    "unsupported_parameter": Fault.UNSUPPORTED,
    "unsupported_value": Fault.UNSUPPORTED,
}

#: How models talk.
WORDS = read_toml("chat_words")
#: How a model's refusal begins in English.
REFUSES = re.compile("|".join(WORDS["refuses"]))
#: The same in the languages that it is asked to answer in.
REFUSES_THERE = re.compile("|".join(WORDS["refuses_there"]))
ADDRESS = (
    Parameter("base_url", "address up to and with /v1, https://api.openai.com/v1", required=True),
    Parameter("model", "the model to ask for, in its dated version if it has one", required=True),
)


def make_parameters(max_tokens: int) -> tuple[Parameter, ...]:
    """Return what every request says besides its words. `max_tokens` is the default.

    At temperature 0 a change from week to week is the model's sooner than chance's. It is best
    effort only, hence the repeats.
    """
    return (
        Parameter("temperature", "0 asks for the most probable", float, default=0.0, low=0, high=2),
        Parameter(
            "send_temperature", "false where a model takes no temperature", bool, default=True
        ),
        Parameter("seed", "seed of the draw, where the server heeds it; none if left out", int),
        Parameter("max_tokens", "longest answer", int, default=max_tokens, low=1),
        Parameter(
            "limit_as",
            "what the server calls its limit of tokens",
            default="max_tokens",
            choices=("max_tokens", "max_completion_tokens"),
        ),
        _http.key_name(_KEY),
        Parameter(
            "keyless", "true for a server that needs no key", bool, default=False, place=True
        ),
    )


def make_needs(independence: str) -> Needs:
    """Return what a chat model needs; `independence` is why no question influences another."""
    return Needs(
        secrets=(_KEY,),
        key_choices=(
            KeyChoice("keyless = false, the default", (_KEY,)),
            KeyChoice("keyless = true, a server that needs none"),
        ),
        independence=independence,
        price="by tokens and model, see the provider; none on a server of one's own",
        limits="requests and tokens a minute, by account and model",
        notes=(
            "seed and temperature 0 are best effort, so questions are repeated; names without a "
            "date move to newer models: what answered is kept as model_reported and "
            "system_fingerprint; providers may cache prompts, not answers"
        ),
    )


def template_fault(name: str, template: str, allowed: frozenset[str]) -> str:
    """Return why a template cannot be filled in, or an empty string."""
    try:
        parts = list(Formatter().parse(template))
    except ValueError as error:
        return f"config: {name}: {error}; write a brace twice to mean itself"
    for _, field, spec, conversion in parts:
        if field is not None and (field not in allowed or spec or conversion):
            placeholders = ", ".join(f"{{{placeholder}}}" for placeholder in sorted(allowed))
            return f"config: {name} has an unknown placeholder {{{field}}}; known: {placeholders}"
    return ""


def prompt_fault(prompt: str, allowed: frozenset[str]) -> str:
    """Return why a prompt cannot be filled in or leaves out the question, or an empty string."""
    fault = template_fault("prompt", prompt, allowed)
    if not fault and "text" not in {field for _, field, _, _ in Formatter().parse(prompt)}:
        return "config: prompt must contain {text}"
    return fault


def make_request(config: Mapping[str, Json], words: str, system: str = "") -> HttpRequest:
    """Return the POST of one message of the user, and one of the system if there is any."""
    messages = [{"role": "user", "content": words}]
    if system:
        messages.insert(0, {"role": "system", "content": system})
    body: dict[str, Json] = {"model": config["model"], "messages": messages}
    if config.get("send_temperature", True):
        body["temperature"] = config.get("temperature", 0.0)
    if "seed" in config:
        body["seed"] = config["seed"]
    body[str(config["limit_as"])] = config["max_tokens"]
    key = f"Bearer secret:{config.get('key', _KEY)}"
    headers = () if config.get("keyless") else (("Authorization", key),)
    return _http.post_json(_http.join_path(config["base_url"], "chat/completions"), body, headers)


def _error_codes(content: Mapping[str, Json]) -> set[str]:
    """Return the codes and types that an error gives, its inner one included (Azure)."""
    paths = (("code",), ("type",), ("innererror", "code"))
    codes = (_http.value_at(content, "error", *path) for path in paths)
    return {code for code in codes if isinstance(code, str)}


def _read_choice(content: Mapping[str, Json]) -> dict[str, Json] | None:
    """The one choice of a completion, else None."""
    choices = _http.list_at(content, "choices") or []
    return choices[0] if len(choices) == 1 and isinstance(choices[0], dict) else None


def _apply_status(answer: Answer, content: Mapping[str, Json]) -> Answer:
    """The answer with the status that its error gives; some servers put errors into successes."""
    if (answer.status or 0) >= _FIRST_ERROR or not content.get("error") or "choices" in content:
        return answer
    code = _http.value_at(content, "error", "code")
    good = isinstance(code, int) and code >= _FIRST_ERROR
    return replace(answer, status=code if good else _SERVER_ERROR)  # type: ignore[arg-type]


def _find_end(choice: Mapping[str, Json]) -> Reading | None:
    """Return the reading of a choice that was cut short, withheld or declined; None for others."""
    finished, refusal = choice.get("finish_reason"), _http.value_at(choice, "message", "refusal")
    if finished == "content_filter":
        return Reading(Outcome.UNREADABLE, reason=Reason.REFUSAL, detail="content_filter")
    if isinstance(refusal, str) and refusal.strip():
        return Reading(Outcome.UNREADABLE, reason=Reason.REFUSAL, detail=refusal[:200])
    if finished == "length":
        return Reading(Outcome.UNREADABLE, reason=Reason.TRUNCATED, detail="longest answer reached")
    if finished != "stop":
        detail = f"finish_reason {finished!r}"[:200]
        return Reading(Outcome.UNREADABLE, reason=Reason.MALFORMED, detail=detail)
    return None


@dataclass(frozen=True, slots=True)
class ChatApi(BaseEngine):
    """A chat model; a subclass says what it is asked and how its text is read.

    Every question is put at least five times: answers are drawn.
    """

    in_flight: int = 4
    repeats: int = 5
    label_by: str = "model"

    def read_text(self, text: Json, probe: Probe) -> Reading:
        """Return the reading of a complete answer's text; of none, it is null."""
        raise NotImplementedError

    def sends_key(self, config: Mapping[str, Json]) -> bool:
        """Return whether the server needs a key."""
        return config.get("keyless") is not True

    def trouble(self, answer: Answer, config: Mapping[str, Json]) -> Trouble | None:
        """Errors by status and code. A filtered question is no trouble: it is read as a refusal.

        A 404 is a model that is gone or a wrong address. It concerns every question, so it stops
        the engine as a bad key does, until a person has mended it.
        """
        content = _http.read_object(answer)
        codes = _error_codes(content)
        if codes & _FILTERED:
            return None
        meant = _apply_status(answer, content)
        words = _http.service_words(answer, "error", "message")
        status = _http.by_status(meant, words)
        if status is None:
            drift = not _http.list_at(content, "choices")
            return Trouble(Fault.DRIFT, f"no choices in it: {words}") if drift else None
        by_code = next((fault for code, fault in _CODES.items() if code in codes), None)
        if by_code is None and meant.status == _NOT_FOUND:
            by_code = Fault.AUTH
        return Trouble(by_code, status.words) if by_code else status

    def identity(self, answer: Answer) -> tuple[tuple[str, str], ...]:
        """Return the model and the fingerprint that an answer names."""
        content = _http.read_object(answer)
        reported = (
            ("model_reported", content.get("model")),
            ("system_fingerprint", content.get("system_fingerprint")),
        )
        cleaned = [
            (name, "".join(filter(str.isprintable, text))[:_MOST_IN_IDENTITY])
            for name, text in reported
            if isinstance(text, str)
        ]
        return tuple((name, text) for name, text in cleaned if text)

    def parse(self, answer: Answer, probes: Sequence[Probe]) -> list[Reading]:
        """Read the one choice of a completion."""
        content = _http.read_object(answer)
        if _error_codes(content) & _FILTERED:
            detail = _http.service_words(answer, "error", "message")
            return unreadable_readings(probes, Reason.REFUSAL, detail)
        choice = _read_choice(content)
        if choice is None:
            return unreadable_readings(probes, Reason.MALFORMED, "not exactly one choice")
        if len(probes) != 1:
            return unreadable_readings(probes, Reason.SHORT, "one answer to many questions")
        text = _http.value_at(choice, "message", "content")
        return [_find_end(choice) or self.read_text(text, probes[0])]
