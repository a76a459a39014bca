"""Rules for `her` (object or possessive: him, his) and for `his` (determiner or pronoun).

The words around it decide. The rules know words, no grammar: they are right for most sentences and
wrong for some.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass

from monitor.text.nouns import is_noun, noun_lemmas

#: A word after `her` that no noun phrase begins with: `her` stands alone before it.
PREPOSITIONS = frozenset(
    """
    of in on at by for from with about against between into through during before after above below
    under over out off near since until till without within along across behind beyond toward
    towards upon onto via per despite except than around round amid among amongst beside besides
    throughout regarding concerning to up down as like unlike underneath beneath alongside aboard
    """.split()
)
CONJUNCTIONS = frozenset(
    """
    and or but nor yet so because although though while whilst if unless whether when whenever where
    wherever that which who whom whose what why how
    """.split()
)
DETERMINERS = frozenset(
    """
    a an the this that these those some any no another each every either neither several enough
    nothing something anything everything nobody someone anyone everyone both all
    """.split()
)
PRONOUNS = frozenset(
    """
    i me my mine you your yours he him his himself she her hers herself it its itself we us our ours
    they them their theirs themselves myself yourself ourselves there here one's
    """.split()
)
AUXILIARIES = frozenset(
    """
    is are was were be been am has had does did would could should shall must cannot isn wasn aren
    weren hasn hadn doesn didn wouldn couldn shouldn not have do
    """.split()
)
#: They are nouns too: `against her will`.
MODALS = frozenset("will might can may".split())
#: Adverbs that end a clause more often than they open a noun phrase.
PLAIN_ADVERBS = frozenset(
    """
    today yesterday tomorrow tonight again away alone together too instead anyway forever everywhere
    afterwards afterward ahead aside apart soon twice anymore alike nowhere somewhere anywhere
    aloud sometimes immediately otherwise elsewhere overnight nonetheless nevertheless regardless
    altogether
    """.split()
)
#: Adverbs that do either: `her then husband`, `left her then for Paris`.
EITHER_ADVERBS = frozenset(
    """
    upstairs downstairs then now once late later earlier early still very more most less least just
    only even almost always
    ever never often also well much long first last next best better worst right straight hard far
    already quite rather perhaps maybe
    """.split()
)
#: Words in -ly that are no adverbs.
LY_ADJECTIVES = frozenset(
    """
    family only early daily weekly monthly yearly friendly lovely lonely elderly ugly silly holy
    likely unlikely deadly lively costly cowardly curly ghostly heavenly homely leisurely motherly
    fatherly sisterly brotherly womanly manly orderly scholarly timely untimely worldly reply supply
    belly jelly bully ally assembly anomaly monopoly butterfly fly july italy lily emily kelly
    """.split()
)

ALONE = PREPOSITIONS | CONJUNCTIONS | DETERMINERS | PRONOUNS | AUXILIARIES | PLAIN_ADVERBS

#: Verbs before `her` that a bare infinitive or a participle may follow: `saw her leave`.
PERCEPTION = frozenset(
    """
    see sees saw seen seeing watch watches watched watching hear hears heard hearing feel felt let
    lets letting make makes made making help helps helped helping notice noticed observe observed
    had have having
    """.split()
)
#: Verbs that only a participle may follow: `caught her lying`.
CATCHING = frozenset(
    """
    catch catches caught find finds found keep keeps kept leave leaves left start started stop
    stops stopped prevent prevented spot spotted remember remembered picture pictured imagine
    imagined photograph photographed film filmed show showed shown get got set sent
    """.split()
)
#: Nouns in -ing that somebody has.
NOUNS_IN_ING = frozenset(
    """
    wedding evening morning ring king thing clothing building feeling being training painting
    earring writing acting reading meeting ceiling sibling offspring spring string wing upbringing
    housing savings blessing understanding hearing drawing recording clothing bedding engagement
    everything nothing something anything timing
    """.split()
)
#: Infinitives that are seldom nouns after `her`.
INFINITIVES = frozenset(
    """
    leave go come find know feel understand sing speak eat become realize realise see hear do get
    take give write sit die cry laugh smile sleep think believe move run read learn grow forget
    remember pay buy sell build carry choose drive draw enter escape explain fall finish follow
    forgive happen hold improve join keep kill lead let live lose make meet open overcome pass
    perform pick prepare put reach recover relax remain sign stay succeed suffer swim teach tell
    throw try wait wear win wonder worry yell scream decide deal cope achieve settle shine breathe
    complain admit argue bring accept adjust apologise apologize appear arrive ask beg behave bleed
    choke collapse communicate compete confess create defend deliver depart describe develop
    disappear discover emerge enjoy fight gather handle hear hurt identify keep launch maintain
    manage marry navigate obtain pursue raise regain relate remove resist respond resume retain
    return secure see serve shout solve stumble survive tremble undergo win
    blush climb cross dress kneel lie pack pretend quit ride rise say stand step stop suspect
    swallow vanish walk want wash weep
    """.split()
)
#: Those that are nouns as well: infinitives only where nothing of a noun phrase follows.
INFINITIVES_OR_NOUNS = frozenset(
    "dance look work talk play drink start share dream help play study travel rest rise".split()
)

#: Verbs before `her` that a complement may follow: `made her famous`.
COMPLEMENT = frozenset(
    """
    make makes made making find finds found finding keep keeps kept keeping leave leaves left
    leaving drive drives drove driving driven consider considers considered call calls called
    think thought want wants wanted hold holds held get gets got getting render rendered turn turned
    believe believed declare declared pronounce pronounced set shoot shot prove proved knock knocked
    """.split()
)
#: Complements that are nouns as well.
COMPLEMENTS = frozenset(
    """
    mad crazy blind dead cold warm safe sick ill wet dry quiet blue red white sober speechless free
    open wrong right guilty innocent welcome unconscious great homeless captive hostage prisoner
    """.split()
)
#: `elected her president`.
APPOINTING = frozenset(
    "elect elects elected crown crowned appoint appoints appointed vote voted proclaimed".split()
)
OFFICES = frozenset(
    """
    president chair chairman chairwoman queen king leader captain head director secretary treasurer
    mayor governor speaker minister chancellor empress deputy
    """.split()
)
NAMING = frozenset(
    "call calls called calling name named names nickname nicknamed dub dubbed".split()
)

#: Verbs of giving: what follows `her` is as a rule the thing given.
GIVING = frozenset(
    """
    give gives gave given giving offer offers offered offering lend lends lent hand hands handed
    handing grant grants granted award awards awarded cost costs
    wish wished
    """.split()
)
#: Verbs that a thing given may follow, and as well somebody's own.
TELLING = frozenset(
    """
    tell tells told telling show shows showed shown showing ask asks asked asking teach teaches
    taught send sends sent sending bring brings brought bringing buy buys bought buying pay pays
    paid paying earn earns earned win wins won promise promises promised get got cook cooked make
    made read write wrote written find found pour poured save saved bought sing sang
    """.split()
)
#: What people are given and told.
GOODS = frozenset(
    """
    flowers money letters gifts chocolates chocolate food presents roses messages emails things
    clothes jewelry jewellery breakfast lunch dinner supper tea coffee water wine news stories lies
    jokes questions details directions instructions orders medicine tickets toys sweets candy
    thousands millions hundreds dozens acclaim praise recognition
    widespread nominations plenty lots lessons chess piano manners soup damages compensation
    compliments
    two three four five six seven eight nine ten twenty fifty
    """.split()
)
#: What is hers even after a verb of giving: `gave her daughter a ring`.
OWN = frozenset(
    """
    mother father mom mum dad daughter daughters son sons husband wife sister sisters brother
    brothers child children baby parents family friend friends boss boyfriend girlfriend fiance aunt
    uncle cousin nephew niece grandmother grandfather grandson granddaughter lawyer doctor teacher
    teachers students pupils colleague colleagues neighbour neighbours neighbor neighbors name
    life best all hand hand hands heart word consent approval blessing opinion speech testimony
    own first maiden phone age job virginity career voice evidence lecture team company readers fans
    audience
    address second final verdict resignation kidney seat services help vote views view account full
    """.split()
)

#: Verbs before `her` after which `home` and `back` are directions.
MOVING = frozenset(
    """
    take takes took taken taking bring brings brought bringing drive drives drove send sends sent
    sending walk walked follow followed see saw accompany accompanied escort escorted call calls
    called calling pull pulled want wants wanted get got carry carried drag dragged push pushed
    pay paid welcome welcomed win won put text texted invite invited lead led fly flew give gave
    rush rushed phoned ring rang write wrote have had love loved hit let
    """.split()
)
DIRECTIONS = frozenset("home back inside outside abroad overseas indoors past".split())
#: Those that are no nouns.
PLACES = frozenset("inside outside abroad overseas indoors".split())

POSSESSIVES = frozenset("my your his her its our their".split())
OBJECTS = frozenset("him them me us you".split())
JOINS = frozenset("and or".split())

#: What a person has or knows: `did her best`, but `knew her best`.
SUPERLATIVES = frozenset("first last next best worst most least".split())
LIKING = frozenset(
    "know knows knew known love loves loved like likes liked suit suits suited meet met saw".split()
)
#: After another adverb these end the phrase: `loved her very much`.
DEGREES = frozenset("much more often well again before".split())

#: Words of `ALONE` that stand between `his` and a noun.
AFTER_HIS = frozenset(
    """
    own every several like up down under over near off all both away no one
    above inside outside aboard twice
    """.split()
)
#: Verbs after `of his` that are no nouns: `many friends of his came`.
PAST = frozenset("came went said told took gave got saw knew did became wrote has had".split())


#: The two words after a place: what stands before each, itself, a hyphen that ties a third to it.
_ONE = r"([\W_]*)([^\W_]*)((?:['’][^\W_]+)?(?:-(?=[^\W_]))?)"
_AFTER = re.compile(_ONE + _ONE)
_WORDS = re.compile(r"([^\W_]+(?:['’][^\W_]+)?)")
_LOOK_BACK = 40
_LOOK_AHEAD = 60
#: Marks that end a clause. A quotation mark or bracket that opens does not.
_END = re.compile(r"[.,;:!?)\]}…—|]|\s[-–]+\s|\n\s*\n|^[\"”]|^['’](?:\s|$)")


@dataclass(frozen=True, slots=True)
class _TaggedWord:
    """A word beside a place: in lower case and as written, with what stands between."""

    word: str
    written: str
    gap: str
    ends: bool = False  # a clause ends before it
    hyphen: bool = False  # it is the first part of a compound

    @property
    def alone_before(self) -> bool:
        """Return whether what stands before it is complete without it."""
        return self.ends or self.word in ALONE or self.word in MODALS


@dataclass(frozen=True, slots=True)
class _PronounPlace:
    """The place of a word: two words before it and two after it."""

    first: _TaggedWord
    second: _TaggedWord
    before: _TaggedWord
    earlier: _TaggedWord

    @property
    def verb(self) -> str:
        """The word right before, if nothing but a blank stands between."""
        return "" if self.before.gap.strip() else self.before.word


def _next_word(gap: str, written: str, tail: str) -> _TaggedWord:
    ends = not written or _END.search(gap) is not None
    return _TaggedWord(written.lower(), written, gap, ends, tail.endswith("-"))


def _word_before(pieces: list[str], place: int) -> _TaggedWord:
    if place < 0:
        return _TaggedWord("", "", "")
    return _TaggedWord(pieces[place].lower(), pieces[place], pieces[place + 1])


def _place_of(text: str, start: int, end: int) -> _PronounPlace:
    match = _AFTER.match(text, end, end + _LOOK_AHEAD)
    after = match.groups() if match else ("",) * 6
    # a list of what is between words and of words, in turn, that ends with what is between
    pieces = _WORDS.split(text[max(0, start - _LOOK_BACK) : start])
    last = len(pieces) - 2
    return _PronounPlace(
        _next_word(*after[:3]),
        _next_word(*after[3:]),
        _word_before(pieces, last),
        _word_before(pieces, last - 2),
    )


def _is_adverb(word: str) -> bool:
    return word in EITHER_ADVERBS or (
        word.endswith("ly") and word not in LY_ADJECTIVES and not is_noun(word)
    )


def _her_joined(place: _PronounPlace) -> bool | None:
    """`his or her`, `him/her`, `her or his`."""
    partner = place.before.word if place.before.gap == "/" else ""
    if place.verb in JOINS:
        partner = place.earlier.word
    if place.before.gap == "/" and partner in OBJECTS | {"she"}:
        return False
    if partner in OBJECTS and place.first.alone_before:
        return False
    if partner in POSSESSIVES and (place.before.gap == "/" or not place.first.ends):
        return True
    if place.first.gap == "/":
        return place.first.word in POSSESSIVES
    if place.first.word == "or" and place.second.word in POSSESSIVES:
        return True
    return None


def _her_before_function_word(place: _PronounPlace) -> bool | None:
    first, second = place.first, place.second
    if first.ends:
        return False
    if first.word == "own" or (first.hyphen and first.word not in DETERMINERS):
        return True
    if first.word in MODALS:
        return place.verb in PREPOSITIONS or second.word in {"to", "of", "was", "is"}
    if first.word == "all":
        return second.ends
    return False if first.word in ALONE else None


def _her_before_direction(place: _PronounPlace) -> bool | None:
    if place.first.word not in DIRECTIONS or not place.second.alone_before:
        return None
    if place.first.word in PLACES:
        return False
    return False if place.verb in MOVING else None


def _her_before_adverb(place: _PronounPlace) -> bool | None:
    first, second = place.first, place.second
    if not _is_adverb(first.word):
        return None
    if first.word in SUPERLATIVES and second.alone_before:
        return place.verb not in LIKING
    if (first.word, second.word) == ("right", "to"):
        return True
    directed = second.word in DIRECTIONS and first.word in {"straight", "right"}
    return not (second.alone_before or directed or second.word in DEGREES)


def _her_given(place: _PronounPlace) -> bool | None:
    """`gave her flowers`, but `gave her mother flowers`."""
    first, second = place.first, place.second
    gives, tells = place.verb in GIVING, place.verb in TELLING
    if (gives or tells) and (first.word in GOODS or first.word.isdigit()):
        return False
    if not gives:
        return None
    return first.word in OWN or (not second.ends and second.word in OWN)


def _her_named(place: _PronounPlace) -> bool | None:
    """`named her Julia`, `elected her president`."""
    is_named = place.verb in NAMING and place.first.written.istitle()
    appointed = place.verb in APPOINTING and place.first.word in OFFICES
    return False if is_named or (appointed and place.second.alone_before) else None


def _her_seen(place: _PronounPlace) -> bool | None:
    """`saw her leave`, `heard her singing`."""
    first, second = place.first, place.second
    if place.verb in PERCEPTION:
        if first.word in INFINITIVES:
            return False
        if first.word in INFINITIVES_OR_NOUNS and second.alone_before:
            return False
    if place.verb not in PERCEPTION | CATCHING:
        return None
    participle = first.word.endswith("ing") and first.word not in NOUNS_IN_ING
    follows = second.alone_before or _is_adverb(second.word) or second.word in DIRECTIONS
    return False if participle and follows else None


def _her_complemented(place: _PronounPlace) -> bool | None:
    """`made her famous`."""
    first = place.first
    if place.verb not in COMPLEMENT or not place.second.alone_before:
        return None
    adjective = first.written.islower() and not any(map(is_noun, noun_lemmas(first.word)))
    return False if adjective or first.word in COMPLEMENTS else None


_HER: tuple[Callable[[_PronounPlace], bool | None], ...] = (
    _her_joined,
    _her_before_function_word,
    _her_before_direction,
    _her_before_adverb,
    _her_given,
    _her_named,
    _her_seen,
    _her_complemented,
)


def her_is_possessive(text: str, start: int, end: int) -> bool:
    """Return whether the `her` between two places of a text is a possessive."""
    position = _place_of(text, start, end)
    return next((verdict for rule in _HER if (verdict := rule(position)) is not None), True)


def _his_joined(place: _PronounPlace) -> bool | None:
    """`his or her`, `his/her`, `her and his`, `his and hers`."""
    first = place.first
    partner = place.before.word if place.before.gap == "/" else ""
    if place.verb in JOINS:
        partner = place.earlier.word
    if partner in POSSESSIVES and not first.ends:
        return True
    if first.gap == "/":
        return first.word in POSSESSIVES
    if first.word in JOINS:
        return place.second.word in POSSESSIVES
    return None


def _his_before_function_word(place: _PronounPlace) -> bool | None:
    first, second = place.first, place.second
    if first.ends:
        return False
    if first.word == "own" or first.hyphen or first.word in AFTER_HIS:
        return True
    if first.word == "not" and second.word.endswith("ing"):
        return True
    if first.word in MODALS:
        return second.word not in {"be", "have", "not", "never", "always"}
    return False if first.word in ALONE else None


def _his_before_adverb(place: _PronounPlace) -> bool | None:
    first, second = place.first, place.second
    if first.word in SUPERLATIVES or not _is_adverb(first.word):
        return None
    return not (second.ends or second.word in AUXILIARIES)


def _his_after_of(place: _PronounPlace) -> bool | None:
    """`a friend of his called me`."""
    if place.verb == "of" and place.first.word in PAST:
        return False
    if place.verb != "of" or not place.second.alone_before or not place.first.written.islower():
        return None
    verb = place.first.word.endswith("ed") and not any(map(is_noun, noun_lemmas(place.first.word)))
    return False if verb and place.second.word not in JOINS else None


_HIS: tuple[Callable[[_PronounPlace], bool | None], ...] = (
    _his_joined,
    _his_before_function_word,
    _his_before_adverb,
    _his_after_of,
)


def his_is_determiner(text: str, start: int, end: int) -> bool:
    """Return whether the `his` between two places stands before a noun."""
    position = _place_of(text, start, end)
    return next((verdict for rule in _HIS if (verdict := rule(position)) is not None), True)
