"""Croatian: the gender a text gives to its first person. See :mod:`monitor.languages._hrsr`."""

from monitor.languages._hrsr import LETTERS, RULES, WORDS, ending
from monitor.languages._hrsr_people import PEOPLE
from monitor.languages._slavic import Slavic
from monitor.languages._south_context import read_context

LANGUAGE = Slavic(
    code="hr",
    name="Croatian",
    words=WORDS,
    ending=ending,
    rules=RULES,
    context=read_context,
    letters=LETTERS,
    people=PEOPLE,
    version=4,
)
