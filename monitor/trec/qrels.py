"""TREC relevance judgements: four columns `query 0 document grade` in, grades out."""

from pathlib import Path

from monitor.model import InvalidInput
from monitor.trec._files import decoded, rows, whole

_COLUMNS = "query 0 document grade"


def read_qrels(path: Path) -> dict[str, dict[str, int]]:
    """{query: {document: grade}}; the lines may stand in any order.

    Raises InvalidInput naming the line: other columns, a grade that is no whole number, or a second
    and different grade of one document.
    """
    found: dict[str, dict[str, int]] = {}
    place = str(path)
    for block in rows(path, _COLUMNS):
        asked, _, named, graded = zip(*block.fields, strict=True)
        queries = decoded(place, block.numbers, asked)
        documents = decoded(place, block.numbers, named)
        grades = whole(place, block.numbers, "grade", graded)
        entries = zip(queries, documents, grades, strict=True)
        for at, (query, document, grade) in enumerate(entries):
            known = found.setdefault(query, {}).setdefault(document, grade)
            if known != grade:
                raise InvalidInput(
                    f"{place}:{block.numbers[at]}: document {document[:60]!r} has grade {grade} "
                    f"for query {query[:60]!r}, and {known} further up; keep one"
                )
    return found
