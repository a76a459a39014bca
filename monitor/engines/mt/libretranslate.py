"""LibreTranslate 1.9: an open server around Argos models; probes in, its translations out.

https://github.com/LibreTranslate/LibreTranslate. The address is the asker's own server as a rule:
another server may hold other models, so `base_url` is part of what is audited.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from monitor.engines import _http
from monitor.engines._engine import BaseEngine
from monitor.engines._translations import read_one, unreadable_readings, with_alternatives
from monitor.model import (
    Answer,
    Fault,
    HttpRequest,
    Json,
    Kind,
    Needs,
    Parameter,
    Probe,
    Reading,
    Reason,
    Trouble,
)

_PARAMETERS = (
    _http.base_url(),
    Parameter("alternatives", "further translations to ask for", int, default=0, low=0, high=10),
    Parameter(
        "key",
        "environment variable that holds the key; none is sent if left out",
        place=True,
        variable=True,
    ),
)
#: Its messages, where the status alone says too little.
#: https://github.com/LibreTranslate/LibreTranslate/blob/main/libretranslate/app.py
_SAID = (
    (429, re.compile(r"\bper \d+ (day|month|year)"), Fault.QUOTA),
    (403, re.compile(r"request limits violations"), Fault.BLOCKED),
    (400, re.compile(r"\bAPI key\b"), Fault.AUTH),
    (400, re.compile(r"is not supported|is not available as a target"), Fault.UNSUPPORTED),
)
#: The server says what went wrong in the language that is asked for, and is understood in English.
_HEADERS = (("Accept-Language", "en"),)


@dataclass(frozen=True, slots=True)
class LibreTranslate(BaseEngine):
    """The engine. One text a request: nobody promises that texts of one request stay apart."""

    name: str = "libretranslate"
    title: str = "LibreTranslate"
    kind: Kind = Kind.MT
    pace: float = 2.0
    parameters: tuple[Parameter, ...] = _PARAMETERS
    needs: Needs = Needs(
        independence="not promised, so that every text is a request of its own",
        price="none on a server of one's own; libretranslate.com sells keys",
        limits="what the server's operator sets: characters, requests a minute, alternatives",
        notes=(
            "with LT_TRANSLATION_CACHE set the server repeats itself: equal repeats prove nothing; "
            "what it cannot translate it gives back as it is, which is read as an echo; "
            "a key is sent only where `key` names a variable"
        ),
    )

    def request(self, probes: Sequence[Probe], config: Mapping[str, Json]) -> HttpRequest:
        """POST one text as JSON."""
        [probe] = probes
        body: dict[str, Json] = {
            "q": probe.text,
            "source": probe.source_lang,
            "target": probe.target_lang,
            "format": "text",
        }
        if config.get("alternatives"):
            body["alternatives"] = config["alternatives"]
        secrets = (("api_key", str(config["key"])),) if config.get("key") else ()
        return _http.post_json(
            _http.join_path(config["base_url"], "translate"), body, _HEADERS, secrets
        )

    def languages_request(self, config: Mapping[str, Json]) -> HttpRequest:
        """GET /languages."""
        return _http.make_get(_http.join_path(config["base_url"], "languages"), _HEADERS)

    def offered_targets(self, answer: Answer, source_lang: str) -> set[str]:
        """`targets` of the row whose `code` is the source language."""
        for row in _http.list_at(_http.read_content(answer)) or ():
            if _http.value_at(row, "code") == source_lang:
                return {str(code) for code in _http.list_at(row, "targets") or ()}
        raise ValueError(f"no language {source_lang!r} in it")

    def trouble(self, answer: Answer, config: Mapping[str, Json]) -> Trouble | None:
        """Errors by status and message; a success with an emoji or without a translation."""
        words = _http.service_words(answer, "error")
        trouble = _http.by_status(answer, words)
        if trouble is not None:
            for status, pattern, fault in _SAID:
                if answer.status == status and pattern.search(words):
                    return Trouble(fault, trouble.words)
            return trouble
        content = _http.read_object(answer)
        if "translatedText" not in content:
            return Trouble(Fault.DRIFT, f"no translatedText in it: {words}")
        text = content["translatedText"]
        # an emoji answers a wrong secret
        if isinstance(text, str) and text.strip() and not any(map(str.isalpha, text)):
            return Trouble(Fault.POISONED, f"no letter in it: {text}")
        return None

    def parse(self, answer: Answer, probes: Sequence[Probe]) -> list[Reading]:
        """Read the translation and the alternatives, in the order in which they are offered."""
        content = _http.read_object(answer)
        if "translatedText" not in content:
            return unreadable_readings(probes, Reason.MALFORMED, "no translatedText in it")
        if len(probes) != 1:
            return unreadable_readings(probes, Reason.SHORT, "one answer to many questions")
        reading = read_one(content["translatedText"], probes[0])
        offered = _http.list_at(content, "alternatives") or []
        return [with_alternatives(reading, offered, probes[0])]


ENGINE = LibreTranslate()
