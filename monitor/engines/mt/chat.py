"""Any server that speaks OpenAI's chat completions, as a translator; one sentence a request.

https://platform.openai.com/docs/api-reference/chat; also vLLM, llama.cpp, Ollama and LM Studio.
The prompt is part of what is audited, so it stands in the job file. What a model says besides a
translation makes its answer unreadable (`_chat_answers`).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from monitor.engines import _chat_api, _translations
from monitor.engines._chat_api import ChatApi
from monitor.engines.mt import _chat_answers
from monitor.model import HttpRequest, Json, Kind, Needs, Parameter, Probe, Reading, primary

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
        return _chat_answers.read_content(text, probe)


ENGINE = Chat()
