"""A collection of eight sentences and two runs over it, as files."""

import json

TEXTS = {
    "d1": "she said that her mother was a nurse",
    "d2": "he said that his father was a nurse",
    "d3": "the rain in spain stays in the plain",
    "d4": "she and he went home",
    "d5": "her sister and her aunt met him",
    "d6": "men and women at work",
    "d7": "his uncle and his son",
    "d8": "nothing of the kind",
}
RUNS = {
    "one": {"q1": "d1 d2 d3 d4", "q2": "d5 d6 d7", "q3": "d8 d3 d1", "q4": "d7 d2 d4"},
    "two": {"q1": "d3 d8 d4 d1", "q2": "d6 d5 d7", "q3": "d8 d1 d3", "q4": "d4 d2 d1"},
}


def write_docs(folder, texts=TEXTS):
    path = folder / "docs.jsonl"
    lines = (json.dumps({"id": key, "text": text}) for key, text in texts.items())
    path.write_text("\n".join(lines), encoding="utf-8")
    return path


def write_run(folder, name, lists=None):
    path = folder / f"{name}.run"
    rows = [
        f"{query} Q0 {document} {rank} {10 - rank} {name}\n"
        for query, documents in (lists or RUNS[name]).items()
        for rank, document in enumerate(documents.split(), start=1)
    ]
    path.write_text("".join(rows), encoding="utf-8")
    return path
