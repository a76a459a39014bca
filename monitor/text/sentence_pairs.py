"""Pairs of sentences that differ in one word, made from gender-inducing prompts.

`He said: "S"` and `She said: "S"` are translated, the quotations cut out, and the two sentences
compared (Pikuliak et al. 2023, the method for Slavic masked models). They make a pair when exactly
one word differs and its variants begin with the same letter. Whether they are exactly one token
apart depends on the model; `masked_lm` checks this. Quotation marks of Belarusian, Croatian, Czech,
Polish, Russian, Serbian, Slovak, Slovene and Ukrainian, straight ones included.
"""

import re
from dataclasses import dataclass
from enum import StrEnum

#: What may close a quotation, by what opened it.
_CLOSING = {
    '"': '"”“', "„": "“”\"‟", "“": "”\"", "”": "”", "«": "»", "»": "«",
    "‚": "‘’", "‘": "’", "‹": "›", "›": "‹",
}  # fmt: skip
_OPENING = re.compile("[" + "".join(_CLOSING) + "]")
_VARIANTS = re.compile(r"\[([^\[\]|]+)\|([^\[\]|]+)\]")
_MARKS = re.compile(r"[\[\]|]")
_WORD = re.compile(r"(\W*)(.*?)(\W*)", re.DOTALL)


class Refusal(StrEnum):
    """The reason why two translations make no pair."""

    NO_QUOTATION = "no quotation that is opened and closed"
    MARKS = "a sentence contains [, ] or |"
    SAME = "both sentences are the same"
    LENGTH = "the sentences do not have the same number of words"
    WORDS = "more than one word differs"
    PUNCTUATION = "the difference is in punctuation"
    LETTER = "the variants begin with different letters"


@dataclass(frozen=True, slots=True)
class SentencePair:
    """Two sentences that differ in one word."""

    before: str
    masculine: str
    feminine: str
    after: str

    @property
    def text(self) -> str:
        """`Jsem [unavený|unavená].`: how a probe list writes it."""
        return f"{self.before}[{self.masculine}|{self.feminine}]{self.after}"

    @property
    def sentences(self) -> tuple[str, str]:
        """The masculine and the feminine sentence."""
        return (
            f"{self.before}{self.masculine}{self.after}",
            f"{self.before}{self.feminine}{self.after}",
        )


def cut_quotation(translation: str) -> str:
    """Return the text from the first quotation mark to the last that closes it."""
    text = translation.replace(",,", "„").replace("''", "”")
    opening = _OPENING.search(text)
    if opening is None:
        return ""
    end = max(text.rfind(mark) for mark in _CLOSING[opening.group()])
    inside = text[opening.end() : end] if end > opening.start() else ""
    return " ".join(inside.split()).removesuffix(",").rstrip()


def make_pair(masculine_translation: str, feminine_translation: str) -> SentencePair | Refusal:
    """The pair that the translations of the two prompts make, or why they make none."""
    masculine, feminine = cut_quotation(masculine_translation), cut_quotation(feminine_translation)
    if not (masculine and feminine):
        return Refusal.NO_QUOTATION
    if _MARKS.search(masculine + feminine):
        return Refusal.MARKS
    return _compare_words(masculine.split(), feminine.split())


def _compare_words(masculine: list[str], feminine: list[str]) -> SentencePair | Refusal:
    if len(masculine) != len(feminine):
        return Refusal.LENGTH
    apart = [n for n, (m, f) in enumerate(zip(masculine, feminine, strict=True)) if m != f]
    if len(apart) != 1:
        return Refusal.WORDS if apart else Refusal.SAME
    position = apart[0]
    before_word, word, right = _split_punctuation(masculine[position])
    other_left, feminine_word, other_right = _split_punctuation(feminine[position])
    if (before_word, right) != (other_left, other_right) or not (word and feminine_word):
        return Refusal.PUNCTUATION
    if word[0] != feminine_word[0]:
        return Refusal.LETTER
    before, after = masculine[:position], masculine[position + 1 :]
    return SentencePair(
        " ".join([*before, before_word]), word, feminine_word, " ".join([right, *after])
    )


def _split_punctuation(word: str) -> tuple[str, str, str]:
    """Punctuation before, the word itself, punctuation after."""
    match = _WORD.fullmatch(word)
    return (match[1], match[2], match[3]) if match else ("", word, "")


def find_variants(text: str) -> SentencePair | None:
    """The pair that a probe's text holds; None without `[a|b]`, or with more than one."""
    matches = list(_VARIANTS.finditer(text))
    if len(matches) != 1:
        return None
    [match] = matches
    return SentencePair(text[: match.start()], match[1], match[2], text[match.end() :])


def has_variants(text: str) -> bool:
    """Return whether a text holds variants."""
    return _VARIANTS.search(text) is not None
