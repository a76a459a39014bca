"""Stand-in of Wikidata whose query service counts people by occupation and gender as well."""

import re

from tests.standins import wikidata as standin
from tests.standins.wikidata import ENTITY, Wikidata, bindings

_WHERE = (
    r"WHERE \{\n  VALUES \(\?occupation \?within\) \{ ((?:\(wd:Q\d+ wd:Q\d+\) ?)+)\}\n"
    r"  \?person wdt:P106 \?within ; wdt:P31 wd:Q5%s \.\n"
)
_COUNT = (
    r"(?:PREFIX \w+: <[^<>]+>\n)*SELECT %s \(COUNT\(DISTINCT \?person\) AS \?people\) " + _WHERE
)
_BY_GENDER = re.compile(
    _COUNT % (r"\?occupation \?gender", r" ; wdt:P21 \?gender")
    + r"\} GROUP BY \?occupation \?gender"
)
_TOTAL = re.compile(_COUNT % (r"\?occupation", "") + r"\} GROUP BY \?occupation")
_SEVERAL = re.compile(
    r"(?:PREFIX \w+: <[^<>]+>\n)*SELECT DISTINCT \?occupation \?person \?gender "
    + _WHERE % r" ; wdt:P21 \?gender , \?another"
    + r"  FILTER\(\?gender != \?another\)\n\}"
)


class Counting(Wikidata):
    """Counts the people in its table; `slow` occupations run out of time, `factor` falsifies."""

    def __init__(self, items=(), *, slow=(), most=99, factor=1, hide=(), **options):
        super().__init__(items, **options)
        self.slow, self.most, self.factor, self.hide = set(slow), most, factor, set(hide)

    def _sparql(self, query):
        shapes = ((_BY_GENDER, self._by_gender), (_TOTAL, self._total), (_SEVERAL, self._several))
        for shape, rows in shapes:
            if found := shape.fullmatch(query):
                pairs = re.findall(r"\(wd:(Q\d+) wd:(Q\d+)\)", found[1])
                asked = {occupation for occupation, _ in pairs}
                if len(asked) > self.most or asked & self.slow:
                    return standin.timed_out()
                return bindings(rows(pairs))
        return super()._sparql(query)

    def _people(self, pairs):
        """[(occupation, person)], each once."""
        return sorted(
            {
                (occupation, item.id)
                for occupation, within in pairs
                for item in self.items.values()
                if within in item.best("P106") and "Q5" in item.best("P31")
            }
        )

    def _by_gender(self, pairs):
        found = {}
        for occupation, person in self._people(pairs):
            for value in set(self.items[person].best("P21")) - self.hide:
                key = occupation, standin._uri(self.items[person], "P21", value)
                found[key] = found.get(key, 0) + self.factor
        return [
            {"occupation": ENTITY + occupation, "gender": gender, "people": str(n)}
            for (occupation, gender), n in found.items()
        ]

    def _total(self, pairs):
        people = [occupation for occupation, _ in self._people(pairs)]
        return [
            {"occupation": ENTITY + one, "people": str(people.count(one))} for one in set(people)
        ]

    def _several(self, pairs):
        return [
            {
                "occupation": ENTITY + occupation,
                "person": ENTITY + person,
                "gender": standin._uri(self.items[person], "P21", value),
            }
            for occupation, person in self._people(pairs)
            for value in set(self.items[person].best("P21"))
            if len(set(self.items[person].best("P21"))) > 1
        ]
