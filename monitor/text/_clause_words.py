"""English words that tell whether `her` and `his` stand before a noun or alone."""

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
