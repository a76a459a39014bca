"""Apertium behind its web service APy: rule-based and repeatable; probes in, translations out.

https://wiki.apertium.org/wiki/Apertium-apy. Its artefacts, a leading blank and a blank before a
full stop, are taken out of what is read; the answer as it came is in the evidence.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from urllib.parse import urlencode

from monitor.data import read_toml
from monitor.engines import _http
from monitor.engines._translations import HttpTranslator, read_one, unreadable_readings
from monitor.model import (
    Answer,
    Fault,
    HttpRequest,
    Json,
    Needs,
    Outcome,
    Parameter,
    Probe,
    Reading,
    Reason,
    Trouble,
)

#: What Apertium calls the languages that it has, by their BCP 47 primary subtag.
_CODES: Mapping[str, str] = read_toml("language_codes")["apertium"]
_THREE_LETTERS, _REGION = 3, 2
_FORM = (("Content-Type", "application/x-www-form-urlencoded"),)
_OK = 200
#: A blank that the pipeline leaves before a full stop or comma, and runs of blanks.
_BEFORE_STOP = re.compile(r"[ \t]+(?=[.,](?!\d))")
_BLANKS = re.compile(r"[ \t]{2,}")
#: Debugging symbols of gaps in a pair: `@` before a word without a translation, `#` before one
#: that could not be inflected, so that its gender is nobody's choice ("Soy la #gerente"; about 2 in
#: 100 sentences of English to Spanish). https://wiki.apertium.org/wiki/Apertium_stream_format
_SYMBOL = re.compile(r"(?<![\w@#])[@#](?=[^\W\d_])")


def code_of(tag: str) -> str:
    """Return Apertium's code of a language, or "": ca-valencia is its cat_valencia."""
    primary, *subtags = tag.replace("_", "-").split("-")
    language = (
        primary.lower() if len(primary) == _THREE_LETTERS else _CODES.get(primary.lower(), "")
    )
    variant = [subtag.upper() if len(subtag) == _REGION else subtag for subtag in subtags]
    return "_".join([language, *variant]) if language else ""


def _tag_of(code: str, tags: Mapping[str, str]) -> str:
    """Return the BCP 47 tag of one of Apertium's codes: cat_valencia is ca-valencia."""
    if code in tags:
        return tags[code]
    language, *variant = code.split("_")
    return "-".join([tags.get(language, language), *variant])


def strip_blanks(text: str) -> str:
    """A translation without the blanks that the pipeline leaves behind."""
    return _BLANKS.sub(" ", _BEFORE_STOP.sub("", text)).strip()


@dataclass(frozen=True, slots=True)
class Apertium(HttpTranslator):
    """The engine. One text a request, so that none can change the translation of another."""

    name: str = "apertium"
    title: str = "Apertium (APy)"
    pace: float = 5.0
    parameters: tuple[Parameter, ...] = (_http.base_url(),)
    missing: str = "no translatedText in it"
    needs: Needs = Needs(
        independence="ours: one text a request",
        limits="none on a server of one's own; one pipeline a pair",
        notes=(
            "deterministic; an answer does not say which version of a pair gave it; words that a "
            "pair does not know stay as they are, unmarked; a translation with a word that it "
            "cannot form is unreadable; a region or variant in a tag is asked "
            "for as Apertium names it: ca-valencia is cat_valencia"
        ),
    )

    def refusal(self, source_lang: str, target_lang: str, config: Mapping[str, Json]) -> str:
        """Refuse languages that Apertium has no code for."""
        unknown = next((tag for tag in (source_lang, target_lang) if not code_of(tag)), None)
        if unknown is not None:
            return f"Apertium has no language {unknown!r}"
        same = code_of(source_lang) == code_of(target_lang)
        return f"cannot translate {source_lang!r} into {target_lang!r}" if same else ""

    def request(self, probes: Sequence[Probe], config: Mapping[str, Json]) -> HttpRequest:
        """POST one text as a form. Plain text: the default reads `<` and `&` as HTML."""
        [probe] = probes
        form = {
            "langpair": f"{code_of(probe.source_lang)}|{code_of(probe.target_lang)}",
            "q": probe.text,
            "markUnknown": "no",
            "format": "txt",
        }
        url = _http.join_path(config["base_url"], "translate")
        return HttpRequest("POST", url, _FORM, urlencode(form).encode())

    def languages_request(self, config: Mapping[str, Json]) -> HttpRequest:
        """GET /listPairs."""
        return _http.make_get(_http.join_path(config["base_url"], "listPairs"))

    def offered_targets(self, answer: Answer, source_lang: str) -> set[str]:
        """The targets of the pairs with this source, by their BCP 47 tags where they have one."""
        rows = _http.read_object(answer).get("responseData")
        if not isinstance(rows, list):
            raise ValueError("no list at responseData")  # noqa: TRY004 - of the answer
        tags = {code: tag for tag, code in _CODES.items()}
        source = code_of(source_lang)
        targets = [
            str(row.get("targetLanguage"))
            for row in rows
            if isinstance(row, dict) and row.get("sourceLanguage") == source
        ]
        return {_tag_of(code, tags) for code in targets}

    def words(self, answer: Answer) -> str:
        """The service's own words."""
        key = "explanation" if "explanation" in _http.read_object(answer) else "responseDetails"
        return _http.service_words(answer, key)

    def refined(self, found: Trouble, answer: Answer) -> Trouble:
        """A pair that the server does not have."""
        wrong_pair = found.fault is Fault.BAD_REQUEST and "That pair is" in self.words(answer)
        return Trouble(Fault.UNSUPPORTED, found.words) if wrong_pair else found

    def trouble(self, answer: Answer, config: Mapping[str, Json]) -> Trouble | None:
        """Errors by status, in the head or in the body; a success without a translation."""
        status = _http.read_object(answer).get("responseStatus")
        if answer.status == _OK and isinstance(status, int):
            answer = replace(answer, status=status)
        return HttpTranslator.trouble(self, answer, config)

    def translations(self, answer: Answer) -> list[Json] | None:
        """`responseData.translatedText`, of the one text."""
        text = _http.value_at(_http.read_json(answer), "responseData", "translatedText")
        return [text] if isinstance(text, str) else None

    def parse(self, answer: Answer, probes: Sequence[Probe]) -> list[Reading]:
        """Read the translation without its stray blanks; debugging symbols are no translation."""
        texts = self.translations(answer)
        if texts is None:
            return unreadable_readings(probes, Reason.MALFORMED, self.missing)
        text = str(texts[0])
        if len(probes) != 1:
            return unreadable_readings(probes, Reason.SHORT, "one answer to many questions")
        reading = read_one(strip_blanks(text), probes[0])
        symbol = _SYMBOL.search(text)
        if reading.outcome is Outcome.OK and symbol and symbol[0] not in probes[0].text:
            detail = f"{symbol[0]} stands before a word that the pair cannot form"
            return [Reading(Outcome.UNREADABLE, reading.items, Reason.MALFORMED, detail)]
        return [reading]


ENGINE = Apertium()
