r"""Plain text: what a reader gets where a text holds markup, broken lines or look-alike letters.

Answers of engines and texts of web pages hold HTML entities and tags ("t&atilde;o", "<b>"), words
that were hyphenated at the end of a line ("can-\\nsada"), letters of another script that look the
same (a Latin "a" in a Cyrillic word), and ligatures. :func:`plain` undoes all of it for every
language alike. A text that has nothing of it costs one search.

The reader's witnesses are places in the plain text; :meth:`Plain.restore` gives the places in the
text as it was given, markup included.
"""

import html
import re
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from typing import Self, TypeVar

from monitor.model import Cue, GenderClass, InvalidInput, Signal, Witness


class Script(Enum):
    """The script that a language is written in."""

    LATIN = "latin"
    CYRILLIC = "cyrillic"
    GREEK = "greek"
    BOTH = "both"  # Serbian
    OTHER = "other"  # no letter of it looks like a Latin, Cyrillic or Greek one


# Lower-case letters that look alike in most typefaces, Latin and Cyrillic, one for one.
_ALIKE = "aа cс eе iі jј kк oо pр sѕ xх yу ëё ïї"
# Capitals look alike where the lower-case letters do not: B, H, M, T.
_ALIKE_CAPITALS = "AА BВ CС EЕ HН IІ JЈ KК MМ OО PР SЅ TТ XХ YУ ËЁ ÏЇ"
_PAIRS = (*_ALIKE.split(), *_ALIKE_CAPITALS.split())
_TO_CYRILLIC = {ord(pair[0]): pair[1] for pair in _PAIRS}
_TO_LATIN = {ord(pair[1]): pair[0] for pair in _PAIRS}
# Latin letters that look like Greek ones.
_GREEK_ALIKE = "AΑ BΒ EΕ ZΖ HΗ IΙ KΚ MΜ NΝ OΟ PΡ TΤ YΥ XΧ aα iι kκ oο pρ uυ vν xχ áά íί óό úύ ïϊ"
_TO_GREEK = {ord(pair[0]): pair[1] for pair in _GREEK_ALIKE.split()}
_LATIN_LETTERS = "A-Za-z\u00c0-\u024f"
_CYRILLIC_LETTERS = "\u0400-\u052f"
_LATIN = re.compile(f"[{_LATIN_LETTERS}]")
_CYRILLIC = re.compile(f"[{_CYRILLIC_LETTERS}]")
_GREEK = re.compile("[\u0370-\u03ff]")
_ANY_WORD = re.compile(r"[^\W\d_]+")

# Ligatures, full-width letters, and the letters that mathematicians set in bold or italics.
_COMPATIBLE = "\ufb00-\ufb06\uff21-\uff3a\uff41-\uff5a\U0001d400-\U0001d6a3"
_COMPATIBLE_LETTER = re.compile(f"[{_COMPATIBLE}]")
_HYPHENS = "\\-\u00ad\u2010\u2011"
_BREAK = rf"[{_HYPHENS}][ \t]{{0,4}}\r?\n[ \t]{{0,8}}"
_ODD = rf"&<\n{_COMPATIBLE}"
#: What a text in each script must hold to need any of this: one class of characters is quick.
_SUSPECT = {
    Script.LATIN: re.compile(rf"[{_ODD}{_CYRILLIC_LETTERS}]"),
    Script.CYRILLIC: re.compile(rf"[{_ODD}A-ZËÏa-zëï]"),
    Script.GREEK: re.compile(rf"[{_ODD}A-Za-záíóúï]"),
    Script.BOTH: re.compile(rf"[{_ODD}]"),
    Script.OTHER: re.compile(rf"[{_ODD}]"),
}

# Entities, also those of a text that was escaped twice.
_ENTITY = re.compile(r"&(?:amp;){0,3}(#\d{1,7};|#[xX][0-9a-fA-F]{1,6};|[A-Za-z][A-Za-z0-9]{1,31};)")
_BLOCKS = "address article blockquote body br dd div dl dt footer form h[1-6] head header hr html li main nav ol p pre section table tbody td tfoot th thead title tr ul"  # noqa: E501
_INLINE = "a abbr b bdi bdo big bpt bx cite code del dfn em ept ex font g i img ins it kbd mark mrk ph q s samp small span strike strong sub sup time tt u var wbr x"  # noqa: E501
# A name alone or one with attributes: "a <b and c> d" is no markup.
_ATTRIBUTES = r"(?:\s(?=[^<>]*=)[^<>]*|\s*(?:/\s*)?)>"
_HIDDEN = re.compile(
    r"<!--.*?(?:-->|\Z)|<(script|style)\b[^<>]*>.*?(?:</\1\s*>|\Z)", re.DOTALL | re.IGNORECASE
)
_BLOCK_TAG = re.compile(rf"</?(?:{_BLOCKS.replace(' ', '|')}){_ATTRIBUTES}", re.IGNORECASE)
_INLINE_TAG = re.compile(rf"</?(?:{_INLINE.replace(' ', '|')}){_ATTRIBUTES}", re.IGNORECASE)
_BROKEN = re.compile(rf"(?<=[^\W\d_])({_BREAK})(?=([^\W\d_]+))")
#: What keeps its hyphen where a line ends after it: clitics of the Romance languages, Russian
#: particles.
_HYPHENATED = frozenset("me te se lhe lhes то либо нибудь таки".split())

INVISIBLE = re.compile(r"[\u200b-\u200f\u2060\ufeff\u00ad]")
_DRAWN_OUT = re.compile(r"([^\W\d_])\1{2,}")  # no word of these languages has three alike

_KEPT = 1 << 15  # forms a language remembers before it starts over
_LONGEST = 64  # longer than any word: not worth keeping
Value = TypeVar("Value")
_Replace = Callable[[re.Match[str]], str]


def script_of(letters: str) -> Script:
    """The script of an alphabet."""
    if not _CYRILLIC.search(letters):
        return Script.LATIN
    return Script.BOTH if _LATIN.search(letters) else Script.CYRILLIC


def clean(surface: str) -> str:
    """Return a word in lower case, composed, without invisible characters and drawn-out letters.

    Letters are drawn out for emphasis: "cansadaaa", "muuuito".
    """
    if surface.isascii():
        return _DRAWN_OUT.sub(r"\1", surface.lower())
    low = surface.casefold() if surface.isalpha() else INVISIBLE.sub("", surface).casefold()
    return _DRAWN_OUT.sub(r"\1", unicodedata.normalize("NFC", low))


@dataclass(slots=True)
class Plain:
    """A text without markup, and where its characters stand in the text as it was given."""

    raw: str
    text: str
    starts: list[int] | None = None  # None: every character is where it was
    ends: list[int] | None = None

    def replace(self, pattern: re.Pattern[str], by: _Replace) -> None:
        """Replace every match; each new character stands where the match stood."""
        pieces: list[str] = []
        starts: list[int] = []
        ends: list[int] = []
        old_starts = self.starts or range(len(self.text))
        old_ends = self.ends or range(1, len(self.text) + 1)
        copied = 0
        for match in pattern.finditer(self.text):
            start, end = match.span()
            new = by(match)
            pieces += (self.text[copied:start], new)
            starts += old_starts[copied:start]
            ends += old_ends[copied:start]
            starts += [old_starts[start]] * len(new)
            ends += [old_ends[end - 1]] * len(new)
            copied = end
        if not copied:
            return
        pieces.append(self.text[copied:])
        self.starts = starts + list(old_starts[copied:])
        self.ends = ends + list(old_ends[copied:])
        self.text = "".join(pieces)

    def restore(self, signal: Signal) -> Signal:
        """The signal with its witnesses quoted from the text as it was given."""
        witnesses = []
        for witness in signal.witnesses:
            start, end = witness.start, witness.end
            if self.starts and self.ends:
                start, end = self.starts[start], self.ends[end - 1]
            quoted = self.raw[start:end]
            witnesses.append(Witness(quoted, start, end, witness.gender, witness.rule))
        return Signal(signal.cls, tuple(witnesses), signal.rule)


def plain(text: str, script: Script) -> Plain | None:
    """The text without what is no text; nothing if there is nothing to do."""
    if not _SUSPECT[script].search(text) and (
        script is not Script.BOTH or not _LATIN.search(text) or not _CYRILLIC.search(text)
    ):
        return None
    result = Plain(text, text)
    if "&" in text:
        result.replace(_ENTITY, lambda match: html.unescape("&" + match[1]))
    if "<" in result.text:
        result.replace(_HIDDEN, lambda _: "")
        result.replace(_BLOCK_TAG, lambda _: "\n")
        result.replace(_INLINE_TAG, lambda _: "")
    result.replace(_COMPATIBLE_LETTER, lambda match: unicodedata.normalize("NFKC", match[0]))
    result.replace(_BROKEN, _joined)
    if script is not Script.OTHER:
        result.text = _in_one_script(result.text, script)
    return result if result.text != text else None


class KeptForms(dict[str, Value]):
    """Results of `look_up` by surface form, each computed at the first look."""

    def __init__(self, look_up: Callable[[str], Value]) -> None:
        super().__init__()
        self._look_up = look_up

    def __missing__(self, surface: str) -> Value:
        if len(self) >= _KEPT:
            self.clear()
        value = self._look_up(surface)
        if len(surface) < _LONGEST:
            self[surface] = value
        return value


NO_CUE = Signal(GenderClass.NONE, rule="no_cue")


class PlainTextReader:
    """Base of readers of the first person, which see texts without marks and foreign letters."""

    __slots__ = ()

    name: str
    cues: frozenset[Cue]
    _script: Script

    def counting(self, *, nouns: bool) -> Self:
        """Return the reader itself. Raises InvalidInput for reading without nouns."""
        if not nouns:
            raise InvalidInput(f"{self.name} is not read without its nouns for persons")
        return self

    def signal(self, text: str, cue: Cue = Cue.AGREEMENT) -> Signal:
        """Return what `text` shows about its first person, outside quotations or inside them."""
        if cue not in self.cues:
            return Signal(GenderClass.UNIDENTIFIED, rule="no_such_cue")
        stripped = plain(text, self._script)
        if stripped:
            return stripped.restore(self._signal(stripped.text, cue))
        return self._signal(text, cue)

    def _signal(self, text: str, cue: Cue) -> Signal:
        """Return what a text shows that needs no more cleaning."""
        raise NotImplementedError

    def _unidentified(self, text: str) -> Signal:
        """Return the signal of a text that is empty, or in another language."""
        blank = not INVISIBLE.sub("", text).strip()
        rule = "empty" if blank else f"not_{self.name.lower()}"
        return Signal(GenderClass.UNIDENTIFIED, rule=rule)


def _joined(match: re.Match[str]) -> str:
    """Return what stands for a hyphen at a line's end: nothing, or that of a compound."""
    rest = match[2]
    if rest.casefold() in _HYPHENATED:
        return "-"
    before = match.string[match.start() - 1]
    # A name after a hyphen is a compound, or a dash that lost its blank.
    return "" if rest[0].islower() or (before.isupper() and rest.isupper()) else match[1]


def _in_one_script(text: str, script: Script) -> str:
    """`text` with words of one script each, letter for letter.

    A word of two scripts becomes one of the language's script, or of the other if only that is
    possible. A word that could be of either becomes one of the script of the text.
    """
    if script is Script.GREEK:
        return _ANY_WORD.sub(_in_greek, text)
    latin, cyrillic = len(_LATIN.findall(text)), len(_CYRILLIC.findall(text))
    if not latin or not cyrillic:
        return text
    if script is Script.BOTH:
        script = Script.LATIN if latin > cyrillic else Script.CYRILLIC
    wanted, other = (
        (_TO_LATIN, _TO_CYRILLIC) if script is Script.LATIN else (_TO_CYRILLIC, _TO_LATIN)
    )
    foreign = _CYRILLIC if script is Script.LATIN else _LATIN
    native = _LATIN if script is Script.LATIN else _CYRILLIC
    mostly_native = (latin > cyrillic) is (script is Script.LATIN)

    def fix(match: re.Match[str]) -> str:
        word = match[0]
        if not foreign.search(word):
            return word
        mixed = bool(native.search(word))
        whole = mostly_native and (len(word) == 1 or word.islower())
        if mixed or whole:
            changed = word.translate(wanted)
            if not foreign.search(changed):
                return changed
        if mixed:
            changed = word.translate(other)
            if not native.search(changed):
                return changed
        return word

    return _ANY_WORD.sub(fix, text)


def _in_greek(match: re.Match[str]) -> str:
    """A word that mixes Greek letters with Latin ones, in Greek letters where that is possible."""
    word = match[0]
    if not _GREEK.search(word) or not _LATIN.search(word):
        return word
    changed = word.translate(_TO_GREEK)
    return word if _LATIN.search(changed) else changed
