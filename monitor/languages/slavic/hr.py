"""Croatian: the gender a text gives to its first person. See :mod:`._hrsr`."""

from monitor.languages.slavic._hrsr import LETTERS, RULES, WORDS, ending
from monitor.languages.slavic._slavic import Slavic
from monitor.languages.slavic._slavic_people import person_nouns
from monitor.languages.slavic._south import read_context

LANGUAGE = Slavic(
    code="hr",
    name="Croatian",
    words=WORDS,
    ending=ending,
    rules=RULES,
    context=read_context,
    letters=LETTERS,
    people=person_nouns("person_nouns_hrsr"),
    version=6,
)
