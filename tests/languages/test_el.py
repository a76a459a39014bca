"""The Greek reader: a sentence for every rule, and for every trap."""

from monitor import registry
from monitor.model import GenderClass
from tests.cases import check_each
from tests.languages.classes import both_forms, none_shown

LANGUAGE = registry.known_language("el")
LETTERS = {
    "M": GenderClass.MASCULINE,
    "F": GenderClass.FEMININE,
    "B": GenderClass.BOTH,
    "I": GenderClass.INCLUSIVE,
    "X": GenderClass.MIXED,
    "U": GenderClass.UNIDENTIFIED,
}

# letter, rule of the deciding witness, text
RULES = """
M predicate Είμαι κουρασμένος.
F predicate Είμαι κουρασμένη.
F predicate Ειμαι κουρασμενη.
F predicate ΕΙΜΑΙ ΚΟΥΡΑΣΜΕΝΗ.
M predicate Eίμαι κoυρασμένoς.
M depictive Κολυμπούσα γυμνός.
F depictive Κολυμπούσα γυμνή.
M alone Το έκανα μόνος μου.
F alone Το έκανα μόνη μου.
M self Εγώ ο ίδιος το έφτιαξα.
F self Εγώ η ίδια το έφτιαξα.
M demonstrative Είμαι αυτός που πληρώνει.
F demonstrative Είμαι αυτή που πληρώνει.
M object Αυτό με κάνει χαρούμενο.
F object Αυτό με κάνει χαρούμενη.
M noun Είμαι φοιτητής.
F noun Είμαι φοιτήτρια.
M role_noun Δουλεύω ως νοσοκόμος.
F role_noun Δουλεύω ως νοσοκόμα.
M article Είμαι ο γιατρός του χωριού.
F article Είμαι η γιατρός του χωριού.
M one_of Ήμουν ένας από τους πρώτους.
F one_of Ήμουν μία από τους πρώτους.
M since_young Από μικρός αγαπούσα τη θάλασσα.
F since_young Από μικρή αγαπούσα τη θάλασσα.
B predicate Είμαι κουρασμένος/η.
B predicate Είμαι κουρασμένος/-η.
B predicate Είμαι κουρασμένος (-η).
B predicate Είμαι κουρασμένος ή κουρασμένη.
I predicate Είμαι κουρασμένος*η.
X predicate Είμαι κουρασμένος και είμαι περήφανη.
U not_greek I am tired and I have been working.
"""
# Sentences in both genders.
BOTH = """
Δεν είμαι [ένοχος|ένοχη].
Νιώθω [μόνος|μόνη].
Έγινα [αυστηρότερος|αυστηρότερη].
Είμαι πολύ [νέος|νέα] για αυτό.
Είμαι [γενναίος|γενναία].
Είμαι [γλυκός|γλυκιά].
Είμαι [παχύς|παχιά].
Είμαι [τεμπέλης|τεμπέλα].
Είμαι [ζηλιάρης|ζηλιάρα].
Είμαι [ευγενικός και ήρεμος|ευγενική και ήρεμη].
Γύρισα σπίτι [εξαντλημένος|εξαντλημένη].
[Ντυμένος|Ντυμένη] στα μαύρα, μπήκα στην αίθουσα.
Μένω [μόνος|μόνη].
Θέλω να ζήσω [μόνος|μόνη].
Το είδα [ο ίδιος|η ίδια].
Είμαι [ο δημοφιλής|η δημοφιλής] της παρέας.
Είμαι [καλός|καλή] γιατρός.
Με θεωρούν [ψυχρό|ψυχρή].
Έγινα [δάσκαλος|δασκάλα].
Ως [διευθυντής|διευθύντρια], λύνω προβλήματα.
Η μαμά είπε ότι είμαι [έξυπνος|έξυπνη].
Θέλω να είμαι [ελεύθερος|ελεύθερη].
Φαίνομαι [κουρασμένος|κουρασμένη].
Γεννήθηκα [τυχερός|τυχερή].
Δεν ξέρετε πόσο [επίμονος|επίμονη] είμαι.
Γι' αυτό είμαι [θυμωμένος|θυμωμένη].
Έχω γίνει πιο [ανεξάρτητος|ανεξάρτητη].
Είμαι [ο μεγαλύτερος|η μεγαλύτερη] στην οικογένεια.
Δεν με κάλεσαν, οπότε ένιωσα [πληγωμένος|πληγωμένη].
"""
NONE = """
Μου αρέσει αυτή η πόλη.
Είμαι καλός άνθρωπος.
Είμαι δυνατή προσωπικότητα.
Η αδελφή μου είναι κουρασμένη.
Ήταν κουρασμένος και εγώ περίμενα.
Έχω μια όμορφη κόρη.
Έχω μια φίλη από το χωριό.
Η ίδια ιστορία μου αρέσει.
Είδα μια κουρασμένη γυναίκα.
Εκείνος δουλεύει ως δάσκαλος, εγώ ξεκουράζομαι.
Είμαι γιατρός.
Είμαι ευγενής.
Νιώθω ωραία.
Νιώθω μεγάλη χαρά.
Είμαι καλά.
Η μόνη μου χαρά είναι η μουσική.
Ο μόνος μου φόβος είναι το σκοτάδι.
Έκανα σοβαρή προσπάθεια.
Είσαι κουρασμένη;
Είμαι σε καλή κατάσταση.
Ήμουν στην πρώτη σειρά.
Με κάνει να γελάω.
Την είδα μόνη.
Είμαι εδώ, αλλά η μαμά είναι κουρασμένη.
Είμαι σπίτι και η αδελφή μου μόνη.
Έχει γίνει πιο ανεξάρτητη.
Με κάνει πιο εύκολη τη ζωή.
Η μητέρα μου, κουρασμένη, δεν είπε τίποτα.
Μου είπε μόνος του την αλήθεια.
"""


@check_each(
    ("letter", "rule", "text"),
    [line.split(maxsplit=2) for line in RULES.strip().splitlines()],
)
def test_rules(letter, rule, text):
    signal = LANGUAGE.signal(text)
    assert signal.cls is LETTERS[letter], signal
    assert signal.rule == rule


def test_both_genders_of_one_sentence():
    assert not both_forms(LANGUAGE, BOTH)


def test_what_shows_nothing():
    assert not none_shown(LANGUAGE, NONE)
