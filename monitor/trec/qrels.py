"""TREC relevance judgements: four columns `query 0 document grade` in, grades out."""

from pathlib import Path

from monitor.model import InvalidInput
from monitor.trec._files import decode_column, read_integers, read_rows

_COLUMNS = "query 0 document grade"


def read_qrels(path: Path) -> dict[str, dict[str, int]]:
    """{query: {document: grade}}; the lines may stand in any order.

    Raises InvalidInput naming the line: other columns, a grade that is no whole number, or a second
    and different grade of one document.
    """
    grades_by_query: dict[str, dict[str, int]] = {}
    location = str(path)
    for block in read_rows(path, _COLUMNS):
        query_ids, _, document_ids, graded = zip(*block.fields, strict=True)
        queries = decode_column(location, block.numbers, query_ids)
        documents = decode_column(location, block.numbers, document_ids)
        grades = read_integers(location, block.numbers, "grade", graded)
        entries = zip(queries, documents, grades, strict=True)
        for index, (query, document, grade) in enumerate(entries):
            earlier_grade = grades_by_query.setdefault(query, {}).setdefault(document, grade)
            if earlier_grade != grade:
                raise InvalidInput(
                    f"{location}:{block.numbers[index]}: document {document[:60]!r} "
                    f"has grade {grade} for query {query[:60]!r}, and "
                    f"{earlier_grade} further up; keep one"
                )
    return grades_by_query
