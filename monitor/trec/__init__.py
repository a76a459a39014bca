"""Files as TREC and its tools write them: runs, judgements and topics, read and written."""

from monitor.trec.run import (
    Note,
    Ranking,
    RunEntry,
    as_field,
    of_lines,
    read_raw,
    read_run,
    write_run,
)
from monitor.trec.topics import read_qrels, read_topics

__all__ = [
    "Note",
    "Ranking",
    "RunEntry",
    "as_field",
    "of_lines",
    "read_qrels",
    "read_raw",
    "read_run",
    "read_topics",
    "write_run",
]
