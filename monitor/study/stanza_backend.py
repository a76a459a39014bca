"""Loads Stanza's parsers, where they are installed, as languages for comparison.

In goes a language tag, out comes a language that reads gender through `monitor.study.ud`. Nothing
is ever downloaded here: models are the user's to fetch, with their licences.
"""

from functools import cache
from typing import Any

from monitor.model import Language, MissingPart, primary
from monitor.study.ud import ParsedLanguage, Sentence, Word, feats

_PROCESSORS = "tokenize,mwt,pos,lemma,depparse"


@cache
def language(tag: str) -> Language:
    """The parser of a language. Raises MissingPart saying what to install or download."""
    code = primary(tag)
    pipeline = _pipeline(code)

    def parse(text: str) -> list[Sentence]:
        return [words(sentence) for sentence in pipeline(text).sentences]

    return ParsedLanguage(code, f"{code} (Stanza)", parse)


def _pipeline(code: str) -> Any:  # noqa: ANN401 - a stanza.Pipeline
    try:
        import stanza  # noqa: PLC0415 - optional library
    except ImportError:
        raise MissingPart(
            "the library 'stanza' is not installed; install it with: pip install "
            "'gbmonitor[stanza]'"
        ) from None
    try:
        return stanza.Pipeline(code, processors=_PROCESSORS, download_method=None, verbose=False)
    except Exception as error:  # the library raises what it likes
        raise MissingPart(
            f"no Stanza model of {code!r} can be loaded ({type(error).__name__}: {error}); fetch "
            f"it with: python -c \"import stanza; stanza.download('{code}')\""
        ) from error


def words(sentence: Any) -> list[Word]:  # noqa: ANN401 - a stanza Sentence
    """The words of one parsed sentence, each with the token that it is written as.

    Several words may be written as one (Polish `byłam` is two): the token is what can be shown.
    """
    written = {
        number: token
        for token in sentence.tokens
        for number in range(token.id[0], token.id[-1] + 1)
    }
    return [
        Word(
            id=word.id,
            text=written[word.id].text,
            upos=word.upos or "X",
            head=word.head or 0,
            deprel=word.deprel or "dep",
            feats=feats(word.feats or ""),
            start=written[word.id].start_char,
            end=written[word.id].end_char,
        )
        for word in sentence.words
    ]
