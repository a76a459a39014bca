"""Any server that speaks OpenAI's chat completions, as a translator; one sentence a request.

https://platform.openai.com/docs/api-reference/chat; also vLLM, llama.cpp, Ollama and LM Studio.
The prompt is part of what is audited, so it stands in the job file. An answer that is not
plainly a translation and nothing else is unreadable: talk that was cut away by guesswork would look
like data, and a note about gender would be read as gender. The rules are one-sided on purpose.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher

from monitor.engines import _chat_api, _translations
from monitor.engines._chat_api import WORDS, ChatApi
from monitor.model import (
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
    primary,
)

_PROMPT = (
    "Translate this sentence from {source} into {target}. "
    "Answer with the translation and nothing else.\n\n{text}"
)
#: Temperature 0 asks for the most probable translation, which is what the other translators give.
_PARAMETERS = (
    *_chat_api.ADDRESS,
    Parameter("prompt", "what is asked, with {source}, {target} and {text}", default=_PROMPT),
    Parameter("system", "message of the system, may hold {source} and {target}; none if left out"),
    *_chat_api.make_parameters(256),
)
_IN_PROMPT = frozenset({"source", "target", "text"})
_IN_SYSTEM = frozenset({"source", "target"})


def language_name(tag: str) -> str:
    """Return the English name of a language, as prompts have it; the tag where it has none here."""
    exact = _chat_api.NAMES.get(tag.lower())
    if exact:
        return exact[0]
    primary_names = _chat_api.NAMES.get(primary(tag))
    return f"{primary_names[0]} ({tag})" if primary_names else tag


_QUOTES = {'"': '"', "“": "”", "„": "“”", "«": "»", "»": "«", "'": "'", "‘": "’"}

# --- refusals -----------------------------------------------------------------------------------

#: A question that says such things itself may well be translated by them.
_SAYS_SO = re.compile("|".join(WORDS["says_so"]))


def _is_refusal(answer: str, probe: Probe) -> bool:
    """Return whether a model declines; `answer` and the question without difference of case."""
    question = probe.text.casefold()
    if primary(probe.target_lang) != "en" and _chat_api.REFUSES.match(answer):
        return True
    if _SAYS_SO.search(question):
        return False
    return bool(_chat_api.REFUSES.match(answer) or _chat_api.REFUSES_THERE.match(answer))


# --- talk ---------------------------------------------------------------------------------------

_TALK = (
    r"(note|nota|obs|observação|explanation|translation|literal(ly)?|output|answer|result|target)"
)
_LABEL = re.compile(rf"(\W|^){_TALK}\s*:")
#: "Here is the translation:", "A tradução é:", in the languages that models talk in.
_ANNOUNCED = re.compile(rf"\b({'|'.join(WORDS['announced'])})\w*")
_OPENER = re.compile(rf"({'|'.join(WORDS['opener'])})\b")
_OKAY = re.compile(r"(ok|okay|yes|alright|all right)\b")
#: The same in the language that was asked for, where the question has nothing like it.
_OPENER_THERE = re.compile(rf"({'|'.join(WORDS['opener_there'])})\b[^\w\s]")
_SURE = re.compile(r"\b(sure|certain|of course|clear|obvious|definite|natural|here|there|this is)")
#: Words of English that the other languages lack; two different ones are English talk.
_ENGLISH = re.compile(rf"\b({'|'.join(WORDS['english'])})\b")
_OR = re.compile(r"\bor\b")
_HAS_OR = frozenset({"en", "fr", "ca", "oc", "ro"})  # a word of its own there
_GRAMMAR = re.compile("|".join(WORDS["grammar"]))
_ABOUT_GRAMMAR = re.compile(r"\b(form|version|gender)")
_MARKUP = re.compile(r"</?think|```|`|\*\*|__|→|⇒|=>|->|\[|\]|^\s*#+\s", re.MULTILINE)
_POINT = re.compile(r"^\s*(\d+[.)]|[a-c]\)|[-*•+]) ", re.MULTILINE)
#: A gender ending stands right behind its word, "cansado(a)", "um(a)"; all else is a remark.
_ENDING = re.compile(r"(?<=\w)\(-?[^\W\d_]{1,4}\)")
_COLON = re.compile(r":(?!\d\d\b)")  # none that stands in a time of day
_COLON_ASKED = re.compile(r"[:;–—…\"“”„«»]| - ")
#: No end of a sentence: a full stop behind a number or a short word with a capital (Sr., Dra.), or
#: before a small letter.
_ENDS = re.compile(r"(?:(?<=[!?])|(?<=[^\W\d]\.))[\"”»’)]*\s+(?=\W*[^\W\d])")
_SHORT = re.compile(r"(^|\W)([^\W\d_][^\W\d_A-Z]{0,3}|\w)\.$")
#: Direct speech may end with a full stop in one language and with a comma in another.
_QUOTED = re.compile(r"[\"“”„«»]")
_TOO_LONG, _SPARE = 4, 80


def _count_sentences(text: str) -> int:
    count = 1
    for end in _ENDS.finditer(text):
        word = _SHORT.search(text[: end.start()].rstrip('"”»’)'))
        starts = next(filter(str.isalpha, text[end.end() :]), "")
        count += not (starts.islower() or (word and word[2][0].isupper()))
    return count


def _marked_up(text: str, answer: str, probe: Probe) -> str:  # noqa: ARG001
    marks = [mark for mark in _MARKUP.findall(text) if mark.strip() not in probe.text]
    if marks:
        return f"markup: {marks[0].strip()}"
    listed = _POINT.search(text) and not _POINT.search(probe.text)
    return "a list" if listed else ""


def _find_announcement(text: str, answer: str, probe: Probe) -> str:  # noqa: ARG001
    """An opening, a label or an announcement before the translation."""
    question = probe.text.casefold()
    about = _ANNOUNCED.search(question)
    if _COLON.search(answer) and not _COLON_ASKED.search(question):
        return "a colon that the question does not have"
    if not about and (_LABEL.search(answer) or (_ANNOUNCED.search(answer) and ":" in answer)):
        return "it is announced as a translation"
    if _names_language(answer, probe):
        return "it is announced by the name of the language"
    if primary(probe.target_lang) == "en":
        return ""
    opened = _OPENER.match(answer)
    if not opened and not _OKAY.match(question):
        opened = _OKAY.match(answer)
    if not opened and primary(probe.source_lang) == "en" and not _SURE.search(question):
        opened = _OPENER_THERE.match(answer)
    return f"it opens with {opened[0]!r}" if opened else ""


def _names_language(said: str, probe: Probe) -> bool:
    tag = probe.target_lang.lower()
    names = {tag, *_chat_api.NAMES.get(tag, ()), *_chat_api.NAMES.get(primary(tag), ())}
    labels = "|".join(re.escape(name.casefold()) for name in sorted(names))
    return bool(re.match(rf"(in )?({labels})\b[^:]{{0,30}}:|in ({labels}),", said))


def _find_english(text: str, answer: str, probe: Probe) -> str:  # noqa: ARG001
    target = primary(probe.target_lang)
    if target == "en":
        return ""
    if target not in _HAS_OR and _OR.search(answer):
        return "or"
    words = {match[0] for match in _ENGLISH.finditer(answer)}
    return f"English words: {', '.join(sorted(words))}" if len(words) > 1 else ""


def _find_remark(text: str, said: str, probe: Probe) -> str:
    """Words in brackets, about grammar, or in more sentences than were asked."""
    if "(" in _ENDING.sub("", text) and "(" not in probe.text:
        return "a remark in brackets"
    if _GRAMMAR.search(said) and not _ABOUT_GRAMMAR.search(probe.text.casefold()):
        return "it speaks of grammatical gender"
    halves = [half.split() for half in re.split(r"\s/\s", said)]
    if len(halves) > 1 and all(half[:1] == halves[0][:1] for half in halves):
        return "a sentence twice, with a slash between"
    most = _count_sentences(probe.text) + bool(_QUOTED.search(probe.text))
    return "more sentences than were asked" if _count_sentences(text) > most else ""


_RULES: tuple[Callable[[str, str, Probe], str], ...] = (
    _marked_up,
    _find_announcement,
    _find_english,
    _find_remark,
)


def _find_talk(text: str, probe: Probe) -> str:
    """Return what in an answer is not translation; an empty string where all of it may be."""
    answer = text.casefold()
    return next((remark for rule in _RULES if (remark := rule(text, answer, probe))), "")


# --- translations -------------------------------------------------------------------------------


def _strip_quotes(text: str, probe: Probe) -> str:
    """Return the text without the one pair of quotation marks around it, unless asked in such."""
    question = probe.text.strip()
    if question[:1] in _QUOTES and question[-1:] in _QUOTES[question[:1]]:
        return text
    closing = _QUOTES.get(text[:1], "")
    inside = text[1:-1]
    whole = bool(closing) and len(text) > 1 and text[-1] in closing
    return inside.strip() if whole and not set(inside) & {text[0], *closing} else text


def _are_alike(one: str, other: str) -> bool:
    """Return whether two lines can be two renderings of one sentence."""
    return SequenceMatcher(None, one.casefold(), other.casefold()).ratio() > 1 / 2


def _unreadable_reading(text: str, reason: Reason, detail: str) -> Reading:
    return Reading(Outcome.UNREADABLE, (Item(rank=1, text=text),), reason, detail)


def _read_texts(texts: Sequence[str], probe: Probe) -> Reading:
    """Return one translation, or two that a model gives without a word between them."""
    for text in texts:
        if remark := _find_talk(text, probe):
            return _unreadable_reading("\n".join(texts), Reason.CHATTER, remark)
    readings = [_translations.read_one(text, probe) for text in texts]
    unusable = next((reading for reading in readings if reading.outcome is not Outcome.OK), None)
    if unusable:
        return replace(unusable, items=(Item(rank=1, text="\n".join(texts)),))
    return _translations.with_alternatives(readings[0], texts[1:], probe)


def _read_content(content: str, probe: Probe) -> Reading:
    """Return the reading of an answer: a translation, two alternatives, a refusal, or talk."""
    text = content.strip()
    plain = _translations.read_one(text, probe)
    if plain.reason is Reason.POISONED or not text:
        return plain
    opening = text[: 2 * _SPARE].casefold().lstrip("\"'“‘«*_ ")
    if _is_refusal(opening, probe):
        return _unreadable_reading(text, Reason.REFUSAL, opening[:_SPARE])
    if plain.reason is Reason.ECHO:
        return plain
    if len(text) > _TOO_LONG * len(probe.text) + _SPARE:
        return _unreadable_reading(text, Reason.CHATTER, "far longer than the question")
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    if len(lines) == 1 or len(lines) == len(probe.text.strip().splitlines()):
        return _read_texts([_strip_quotes(text, probe)], probe)
    if len(lines) == 2 and _are_alike(*lines):  # noqa: PLR2004
        return _read_texts([_strip_quotes(line, probe) for line in lines], probe)
    return _unreadable_reading(text, Reason.CHATTER, f"{len(lines)} lines")


# --- the engine ----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Chat(ChatApi):
    """The engine. One sentence a request, asked at least five times: answers are drawn."""

    name: str = "chat"
    title: str = "Chat model (OpenAI-compatible)"
    kind: Kind = Kind.MT
    parameters: tuple[Parameter, ...] = _PARAMETERS
    needs: Needs = _chat_api.make_needs("ours: one sentence a request, no conversation")

    def refusal(self, source_lang: str, target_lang: str, config: Mapping[str, Json]) -> str:
        """Refuse a prompt that cannot be filled in."""
        prompt, system = str(config["prompt"]), str(config.get("system", ""))
        fault = _chat_api.template_fault("system", system, _IN_SYSTEM)
        return _chat_api.prompt_fault(prompt, _IN_PROMPT) or fault

    def request(self, probes: Sequence[Probe], config: Mapping[str, Json]) -> HttpRequest:
        """POST the prompt about one sentence."""
        [probe] = probes
        languages = {
            "source": language_name(probe.source_lang),
            "target": language_name(probe.target_lang),
        }
        words = str(config.get("prompt", _PROMPT)).format(text=probe.text, **languages)
        system = str(config.get("system") or "").format(**languages)
        return _chat_api.make_request(config, words, system)

    def read_text(self, text: Json, probe: Probe) -> Reading:
        """Read a translation, a refusal or talk."""
        if not isinstance(text, str):
            return _translations.read_one(text, probe)
        return _read_content(text, probe)


ENGINE = Chat()
