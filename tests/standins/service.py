"""What all services share: script of faults, latency, quota, toy translation, checks of fields."""

import threading
from typing import NamedTuple

#: {code: English name} that a service offers unless told otherwise.
LANGUAGES = {
    "be": "Belarusian",
    "ca": "Catalan",
    "cs": "Czech",
    "de": "German",
    "en": "English",
    "es": "Spanish",
    "fr": "French",
    "hr": "Croatian",
    "it": "Italian",
    "pl": "Polish",
    "pt": "Portuguese",
    "ru": "Russian",
    "sk": "Slovak",
    "sl": "Slovenian",
    "sr": "Serbian",
    "uk": "Ukrainian",
}


class Refused(Exception):
    """The service's own error answer."""

    def __init__(self, answer):
        super().__init__(f"{answer.status} {answer.body.decode()}")
        self.answer = answer


def toy(text, target):
    """Return a translation that is no echo: case swapped, words backwards, target in front."""
    if not text.strip():
        return text
    return f"[{target}] " + " ".join(reversed(text.swapcase().split()))


class Service:
    """A stand-in: subclasses give `answer(request)` and `quota()`.

    Args:
        key: the one valid key; another one gets the service's error. None, where a service can do
            without (LibreTranslate, Apertium, Chat): no key is needed.
        translations: {source text: translation}, or {(source text, target): translation};
            what is not in it is translated by `toy`.
        languages: {code: name} offered as source and target.
        script: faults, used up one per request; None answers properly.
        always: fault for every request after the script; None answers properly.
        quota_characters: source characters per day (`new_day()` begins one), then `quota()`.
        latency: seconds before each answer.
    """

    def __init__(
        self,
        *,
        key="key",
        translations=None,
        languages=None,
        script=(),
        always=None,
        quota_characters=None,
        latency=0.0,
    ):
        for fault in (*script, always):
            if fault is not None and not hasattr(fault, "play"):
                raise TypeError(f"{fault!r} is not a fault; was it not called?")
        self.key = key
        self.translations = dict(translations or {})
        self.languages = dict(LANGUAGES if languages is None else languages)
        self.quota_characters = quota_characters
        self.latency = latency
        self.characters = 0
        self._script = list(script)
        self._always = always
        self._lock = threading.Lock()

    def __call__(self, request, wire):
        with self._lock:
            fault = self._script.pop(0) if self._script else self._always
        wire.wait(self.latency)
        if fault is None:
            wire.send(self.proper(request))
        else:
            fault.play(wire, lambda: self.proper(request))

    def proper(self, request):
        """Return the answer without any fault: the service's own, errors included."""
        try:
            return self.answer(request)
        except Refused as refused:
            return refused.answer

    def answer(self, request):
        raise NotImplementedError

    def translate(self, text, target):
        for known in ((text, target), text):
            if known in self.translations:
                return self.translations[known]
        return toy(text, target)

    def spend(self, characters):
        """Count the characters of a request, or refuse it when they exceed the quota."""
        with self._lock:
            spent = self.characters + characters
            if self.quota_characters is not None and spent > self.quota_characters:
                raise Refused(self.quota())
            self.characters = spent

    def new_day(self):
        """Begin a new quota."""
        with self._lock:
            self.characters = 0


class Problem(NamedTuple):
    """What is wrong with which field of a request."""

    field: str
    kind: str

    def __str__(self):
        return f"{self.kind} {self.field}"


def problem(data, fields, required=()):
    """Return the first problem of a request's fields, or None. `fields`: {name: predicate}."""
    for name in data:
        if name not in fields:
            return Problem(name, "unknown")
    for name in required:
        if name not in data:
            return Problem(name, "missing")
    for name, value in data.items():
        if not fields[name](value):
            return Problem(name, "invalid")
    return None


def is_text(value):
    return isinstance(value, str)


def is_filled(value):
    return isinstance(value, str) and value != ""


def is_bool(value):
    return isinstance(value, bool)


def is_count(value):
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def is_number(value):
    return isinstance(value, int | float) and not isinstance(value, bool)


def is_object(value):
    return isinstance(value, dict)


def is_list_of(predicate, least=1, most=None):
    """Return a predicate of lists of that many values, all of which fulfil `predicate`."""

    def fulfils(value):
        if not isinstance(value, list) or len(value) < least:
            return False
        return (most is None or len(value) <= most) and all(map(predicate, value))

    return fulfils


def one_of(*allowed):
    """Return a predicate of the allowed values."""
    return lambda value: is_text(value) and value in allowed


def object_of(request):
    """Return the JSON object of a request's body, or None when it is something else."""
    if request.media_type != "application/json":
        return None
    try:
        data = request.json
    except ValueError:
        return None
    return data if isinstance(data, dict) else None
