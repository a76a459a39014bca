"""Sentences by class of words, read in both genders: what fails, in words."""

import re

from monitor.languages.slavic._slavic import Slavic
from monitor.model import Cue, GenderClass

#: What tables of sentences call the classes.
LETTERS = {
    "M": GenderClass.MASCULINE,
    "F": GenderClass.FEMININE,
    "N": GenderClass.NONE,
    "B": GenderClass.BOTH,
    "I": GenderClass.INCLUSIVE,
    "X": GenderClass.MIXED,
    "U": GenderClass.UNIDENTIFIED,
}


def both_genders(language: Slavic, pairs: str) -> list[str]:
    """Return what is misread of lines "frame with X: masculine/feminine ..."."""
    failures = []
    for line in pairs.strip().splitlines():
        frame, _, words = line.rpartition(":")
        for pair in words.split():
            genders = GenderClass.MASCULINE, GenderClass.FEMININE
            for word, gender in zip(pair.split("/"), genders, strict=True):
                text = frame.replace("X", word.capitalize() if frame[0] == "X" else word)
                cls = language.signal(text).cls
                if cls is not gender:
                    failures.append(f"{text} {cls.value} instead of {gender.value}")
    return failures


def both_forms(language: Slavic, texts: str) -> list[str]:
    """Return what is misread of sentences, one a line, that hold [masculine|feminine] words."""
    failures = []
    for line in texts.strip().splitlines():
        for n, gender in enumerate((GenderClass.MASCULINE, GenderClass.FEMININE), start=1):
            text = re.sub(r"\[(.*?)\|(.*?)\]", rf"\{n}", line)
            cls = language.signal(text).cls
            if cls is not gender:
                failures.append(f"{text} {cls.value} instead of {gender.value}")
    return failures


def none_shown(language: Slavic, texts: str) -> list[str]:
    """Return what is misread of sentences, one a line, that show no gender of the speaker."""
    signals = {text: language.signal(text) for text in texts.strip().splitlines()}
    return [
        f"{text} {signal.cls.value} instead of none: {signal.witnesses}"
        for text, signal in signals.items()
        if signal.cls is not GenderClass.NONE
    ]


def check_places(language, text, cue=Cue.AGREEMENT):
    """Return the signal of a text, whose witnesses stand where they say."""
    signal = language.signal(text, cue)
    for witness in signal.witnesses:
        assert 0 <= witness.start < witness.end <= len(text)
        assert text[witness.start : witness.end] == witness.text
    assert signal.rule
    return signal
