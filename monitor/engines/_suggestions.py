"""Base of engines that complete a question: its beginning in, completions in their order out.

The services answer browsers in the format of OpenSearch suggestions (`[question, [completion]]`,
https://github.com/dewitt/opensearch). None documents this address for audits, so nothing is asked
before the job says `opt_in = true`. A completion is a text of a list, and its words are measured as
those of results. An item holds what the service adds to the question: the words of the question
say nothing about the service.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from monitor.engines import _http, _search
from monitor.engines._search import SearchApi
from monitor.model import (
    Answer,
    Block,
    HttpRequest,
    Item,
    Json,
    Needs,
    Outcome,
    Parameter,
    Probe,
    Reading,
    Region,
)

_LONGEST = 500
OPT_IN = Parameter(
    "opt_in",
    "nothing is asked before this is true: the address is made for browsers, and the service's "
    "terms may forbid automated queries without permission",
    bool,
    default=False,
    place=True,
)


def make_needs(limits: str, notes: str) -> Needs:
    """Return what an engine of completions needs."""
    return Needs(
        independence=_search.INDEPENDENCE,
        limits=limits,
        notes=f"opt-in; {notes}; completions that a service hides by its policy are not seen",
    )


@dataclass(frozen=True, slots=True)
class SuggestApi(SearchApi):
    """An engine of completions; a subclass says what it is asked."""

    pace: float = 1 / 10

    def request(self, probes: Sequence[Probe], config: Mapping[str, Json]) -> HttpRequest:
        """GET the completions of one question."""
        [probe] = probes
        region = Region.from_probe(probe)
        headers = (("Accept-Language", region.accept_language),)
        made = _search.make_get(
            str(config["base_url"]), self.query(probe.text, region, config), headers
        )
        refused = (
            f"{self.name} asks nothing before the job says opt_in = true in its config: read the "
            "terms of the service, and ask for permission where they require it"
        )
        return replace(made, refused="" if config["opt_in"] is True else refused)

    def read(self, answer: Answer, probe: Probe | None = None) -> Reading | None:
        """Read the completions in their order; of another question there are none."""
        try:
            content = _http.read_content(answer)
        except ValueError:
            return None
        if not isinstance(content, list) or len(content) < 2:  # noqa: PLR2004
            return None
        asked, completions = content[0], content[1]
        if not isinstance(asked, str) or not isinstance(completions, list):
            return None
        if probe and _plain(asked) != _plain(probe.text):
            return _search.unreadable_reading(f"completions of another question: {asked[:200]!r}")
        texts = [_search.clean_text(completion)[:_LONGEST] for completion in completions]
        if "" in texts:
            return _search.unreadable_reading(f"{texts.count('')} of {len(texts)} hold no text")
        items = tuple(
            Item(rank, "", Block.ORGANIC, title=_added_words(text, asked))
            for rank, text in enumerate(texts, 1)
        )
        return Reading(Outcome.OK if items else Outcome.EMPTY, items)


def _plain(text: str) -> str:
    return " ".join(text.casefold().split())


def _added_words(completion: str, asked: str) -> str:
    """Return a completion without the question that it begins with."""
    words, begun = completion.split(), asked.casefold().split()
    if [word.casefold() for word in words[: len(begun)]] == begun:
        return " ".join(words[len(begun) :])
    return completion
