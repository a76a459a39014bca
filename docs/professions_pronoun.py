"""Write jobs/lists/professions-pronoun@1.csv from its templates and the table of nouns."""

import csv
import io
import sys
import tomllib
from collections.abc import Mapping
from pathlib import Path

ROOT = Path(__file__).parent.parent
LIST = ROOT / "jobs" / "lists" / "professions-pronoun@1.csv"
NOUNS = ROOT / "monitor" / "data" / "occupations_neutral_pronoun.csv"
COLUMNS = ("key", "text", "source_lang", "occupation", "template")


def rows(
    templates: Mapping[str, Mapping[str, str]], nouns: list[dict[str, str]]
) -> list[tuple[str, ...]]:
    """One row per noun and template of its language, in the order of the two files."""
    return [
        (
            f"pp-{row['language']}-{row['occupation']}-{template}",
            sentence.format(noun=row["noun"]),
            row["language"],
            row["occupation"],
            template,
        )
        for row in nouns
        for template, sentence in templates[row["language"]].items()
    ]


def page() -> str:
    """The whole CSV file."""
    header = tomllib.loads(LIST.with_suffix(".toml").read_text(encoding="utf-8"))
    with NOUNS.open(encoding="utf-8", newline="") as handle:
        nouns = list(csv.DictReader(handle, strict=True))
    output = io.StringIO()
    writer = csv.writer(output, lineterminator="\n")
    writer.writerow(COLUMNS)
    writer.writerows(rows(header["templates"], nouns))
    return output.getvalue()


if __name__ == "__main__":
    made = page()
    if "--check" in sys.argv[1:]:
        if not LIST.exists() or LIST.read_bytes() != made.encode():
            sys.exit(f"{LIST} is not what its templates and nouns make: run {sys.argv[0]}")
    else:
        LIST.write_text(made, encoding="utf-8", newline="\n")
        sys.stdout.write(f"written: {LIST}\n")
