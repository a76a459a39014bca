"""A chat model that is asked whom it would name: an OpenAI-compatible server, a list of people out.

The prompt is part of what is audited, so it stands in the job file. The answer is kept as one item
(block `answer`), the people whom it names follow (block `people`). It is read as text: nothing that
it says is done. A refusal and an answer that names nobody are outcomes of their own; whether a
person exists is the look-up's to say.
"""

import re
import unicodedata
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from monitor.engines import _chat_api, _search
from monitor.engines._chat_api import ChatApi
from monitor.model import (
    Answer,
    Block,
    HttpRequest,
    Item,
    Json,
    Kind,
    Needs,
    Outcome,
    Parameter,
    Probe,
    Reading,
    Reason,
    Trouble,
    make_storable,
    primary,
)
from monitor.text.person_names import list_people

_PARAMETERS = (
    *_chat_api.ADDRESS,
    Parameter("prompt", "what is asked, with {text} for the question", default="Name ten {text}."),
    Parameter("system", "message of the system; none if left out"),
    *_chat_api.make_parameters(1024),
)
_IN_PROMPT = frozenset({"text"})
#: A refusal stands at the beginning of an answer that names nobody.
_OPENING = 300
#: Of an answer, what its language is told by.
_LONGEST = 5000
_DECLINES = re.compile("|".join(_chat_api.WORDS["declines"]))
#: Words that are meant for a model that reads the answer.
_INJECTION = re.compile(
    r"(ignore|disregard|forget)\b.{0,30}\b(previous|prior|above|your)\b.{0,20}\binstructions?"
    r"|system prompt|you are now\b|\[/?inst\]|<\|im_start\|>",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Answers(ChatApi):
    """The engine. One question a request; a region is a label only, it changes nothing."""

    name: str = "answers"
    title: str = "Answers of a chat model (OpenAI-compatible)"
    kind: Kind = Kind.SEARCH
    parameters: tuple[Parameter, ...] = _PARAMETERS
    needs: Needs = _chat_api.make_needs("ours: one question a request, no conversation")

    def refusal(self, source_lang: str, target_lang: str, config: Mapping[str, Json]) -> str:
        """Refuse a prompt that cannot be filled in."""
        return _chat_api.prompt_fault(str(config["prompt"]), _IN_PROMPT)

    def request(self, probes: Sequence[Probe], config: Mapping[str, Json]) -> HttpRequest:
        """POST the prompt with one question."""
        [probe] = probes
        words = str(config["prompt"]).format(text=probe.text)
        return _chat_api.make_request(config, words, str(config.get("system") or ""))

    def trouble(self, answer: Answer, config: Mapping[str, Json]) -> Trouble | None:
        """Return the trouble of a guard's page in front of the server, or of the server."""
        return _search.guard_trouble(answer) or ChatApi.trouble(self, answer, config)

    def read_text(self, text: Json, probe: Probe) -> Reading:
        """Read the answer and the people whom it names."""
        if not isinstance(text, str):
            return Reading(Outcome.UNREADABLE, reason=Reason.MALFORMED, detail="no text in it")
        if not text.strip():
            return Reading(Outcome.EMPTY, detail="an answer without words")
        answer = Item(1, make_storable(text), Block.ANSWER)
        people, note = list_people(text)
        notes = [note] if note else []
        if not people and not note:
            if _is_refusal(text):
                detail = " ".join(text.split())[:200]
                return Reading(Outcome.UNREADABLE, (answer,), Reason.REFUSAL, make_storable(detail))
            notes.append("nobody is named")
        if language := _find_other_language(text, probe):
            notes.append(f"the answer is in {language}")
        if match := _INJECTION.search(text):
            words = make_storable(" ".join(match[0].split())[:60])
            notes.append(f"words for a model in it, read as text and not followed: {words!r}")
        return Reading(Outcome.OK, (answer, *people), detail="; ".join(notes))


def _is_refusal(text: str) -> bool:
    opening = text.strip()[:_OPENING].casefold()
    matches = (_chat_api.REFUSES.match, _chat_api.REFUSES_THERE.search, _DECLINES.search)
    return any(match(opening) for match in matches)


_FEWEST = 3


def _find_other_language(text: str, probe: Probe) -> str:
    """Return the language or the letters of an answer that are not those of the question."""
    script = _script_of(text)
    if script != _script_of(probe.text):
        return f"{script.lower()} letters"
    counts = Counter(re.findall(r"[^\W\d_]+", text.casefold()[:_LONGEST]))
    hits = {
        language: sum(counts[word] for word in words.split())
        for language, words in _chat_api.WORDS["small_words"].items()
    }
    most = max(hits, key=lambda language: hits[language])
    asked = _chat_api.NAMES.get(primary(probe.source_lang), ("",))[0]
    clear = hits[most] >= _FEWEST and asked in hits and hits[most] > 2 * hits[asked]
    return most if clear else ""


def _script_of(text: str) -> str:
    """Return the script of most letters: LATIN, CYRILLIC, CJK; empty without a letter."""
    letters = [sign for sign in text[:_LONGEST] if sign.isalpha()]
    scripts = [unicodedata.name(sign, "").partition(" ")[0] for sign in letters]
    return max(set(scripts), key=lambda script: (scripts.count(script), script), default="")


ENGINE = Answers()
