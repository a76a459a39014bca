"""Assign words of a translation to the persons whom its source names."""

from collections.abc import Iterator, Sequence

from monitor.entities._nouns import NounForm
from monitor.entities._source import Person, PersonKind, Source

_MOST_PERSONS = 5  # with more, each person takes the nearest word that is left
_MOST_WORDS = 5  # of one person that are tried


def assign_mentions(source: Source, forms: Sequence[tuple[NounForm, ...]]) -> dict[int, Person]:
    """Return {place of a word: the person whom it names}.

    `forms` are what each word of the translation can be. Every word names one person. Of all ways
    to assign words, the one that finds most persons is taken, then the one whose order is that of
    the source, then the one whose places in the sentence are nearest.
    """
    people = sorted((source.entity, *source.others), key=lambda person: person.first)
    people = [person for person in people if person.kind is PersonKind.NOUN]
    named_places = [(place, kinds) for place, kinds in enumerate(forms) if kinds]
    candidates = [_candidates(person, named_places) for person in people]
    places = [place for of_person in candidates for place in of_person]
    if all(len(of_person) <= 1 for of_person in candidates) and len(set(places)) == len(places):
        named = [person for person, of_person in zip(people, candidates, strict=True) if of_person]
        return dict(zip(places, named, strict=True))
    if len(people) > _MOST_PERSONS:
        return _assign_nearest(source, people, candidates, len(forms))
    best: tuple[float, ...] | None = None
    chosen: tuple[int | None, ...] = ()
    for assignment in _assignments([places[:_MOST_WORDS] for places in candidates]):
        score = _score(source, people, assignment, len(forms))
        if best is None or score > best:
            best, chosen = score, assignment
    return {
        place: person for person, place in zip(people, chosen, strict=True) if place is not None
    }


def _candidates(person: Person, forms: Sequence[tuple[int, tuple[NounForm, ...]]]) -> list[int]:
    """Places of the words that can be the person's noun, those of the right number if any."""
    places: list[int] = []
    right: list[int] = []
    for place, kinds in forms:
        plurals = [form.plural for form in kinds if form.noun == person.noun]
        if plurals:
            places.append(place)
            if None in plurals or person.plural in plurals:
                right.append(place)
    return right or places


def _assignments(candidates: list[list[int]]) -> Iterator[tuple[int | None, ...]]:
    """Every way to give each person one of its words or none, no word twice."""

    def extend(prefix: tuple[int | None, ...]) -> Iterator[tuple[int | None, ...]]:
        if len(prefix) == len(candidates):
            yield prefix
            return
        for place in candidates[len(prefix)]:
            if place not in prefix:
                yield from extend((*prefix, place))
        yield from extend((*prefix, None))

    return extend(())


def _score(
    source: Source, people: list[Person], assignment: tuple[int | None, ...], length: int
) -> tuple[float, ...]:
    pairs = [
        (person, place)
        for person, place in zip(people, assignment, strict=True)
        if place is not None
    ]
    inversions = sum(
        later < earlier
        for number, (_, earlier) in enumerate(pairs)
        for _, later in pairs[number + 1 :]
    )
    distance = sum(
        abs(person.first / len(source.words) - place / max(1, length)) for person, place in pairs
    )
    return (len(pairs), -inversions, -distance)


def _assign_nearest(
    source: Source, people: list[Person], candidates: list[list[int]], length: int
) -> dict[int, Person]:
    claimed: dict[int, Person] = {}
    ordered = [source.entity, *(person for person in people if person is not source.entity)]
    places_of = dict(zip(map(id, people), candidates, strict=True))
    for person in ordered:
        free = [place for place in places_of.get(id(person), []) if place not in claimed]
        if free:
            target = person.first / len(source.words)
            claimed[min(free, key=lambda place: abs(place / max(1, length) - target))] = person
    return claimed
