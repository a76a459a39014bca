"""Croatian: the gender a text gives to its first person. See :mod:`monitor.languages._hrsr`."""

from monitor.languages._hrsr import LETTERS, RULES, WORDS, ending
from monitor.languages._hrsr_people import PEOPLE
from monitor.languages._slavic import Slavic

LANGUAGE = Slavic(
    code="hr",
    name="Croatian",
    words=WORDS,
    ending=ending,
    rules=RULES,
    letters=LETTERS,
    people=PEOPLE,
    version=2,
)
