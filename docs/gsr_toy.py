"""Write the toy collections of Fabris et al. (2020), section 3.4: jobs/collections and their list.

Ten occupations with the fewest and ten with the most women (Table A.7) are the queries. Toy 1,
direct stereotypes: documents "The man is a NOUN". Toy 2, indirect ones: "The NOUN is ADJECTIVE",
with the adjectives of agency and communion that the published code has (14 and 10 of Table A.4's 15
and 12). The stereotypical system S returns the documents that fit the stereotype, the
counter-stereotypical CS those that do not, and the neutral N both.
"""

import csv
import io
import json
import sys
from collections.abc import Iterator
from pathlib import Path

JOBS = Path(__file__).parent.parent / "jobs"
MEN = """stonemason roofer electrician plumber carpenter firefighter millwright welder machinist
driver""".split()
WOMEN = """hygienist secretary hairdresser dietician paralegal receptionist phlebotomist maid nurse
typist""".split()
AGENCY = """ambitious confident hardworking independent decisive proud aggressive critical
stubborn strong demanding possessive arrogant selfish""".split()
COMMUNION = """honest affectionate compassionate patient unselfish polite outgoing romantic
sensitive emotional""".split()


def chosen(noun: str, system: str, first: list[str], second: list[str]) -> list[str]:
    """The words that a system's documents have: `first` goes with occupations of men."""
    if system == "n":
        return first + second
    return first if (noun in MEN) == (system == "s") else second


def documents(toy: int, system: str) -> Iterator[dict[str, str]]:
    """The documents that a system returns for any of the queries."""
    for noun in MEN + WOMEN:
        if toy == 1:
            article = "an" if noun[0] in "aeiou" else "a"
            for who in chosen(noun, system, ["man"], ["woman"]):
                yield {"id": f"{who}_{noun}", "text": f"The {who} is {article} {noun}"}
        else:
            for adjective in chosen(noun, system, AGENCY, COMMUNION):
                yield {"id": f"{noun}_{adjective}", "text": f"The {noun} is {adjective}"}


def pages() -> dict[Path, str]:
    """Every file with its content."""
    found = {}
    for toy in (1, 2):
        for system in ("s", "n", "cs"):
            lines = [json.dumps(document) for document in documents(toy, system)]
            found[JOBS / "collections" / f"gsr-toy{toy}-{system}.jsonl"] = "\n".join(lines) + "\n"
    output = io.StringIO()
    writer = csv.writer(output, lineterminator="\n")
    writer.writerow(("key", "text", "occupation", "workers", "gender_neutral"))
    writer.writerows((noun, noun, noun, "men", "yes") for noun in MEN)
    writer.writerows((noun, noun, noun, "women", "yes") for noun in WOMEN)
    found[JOBS / "lists" / "gsr-toy@1.csv"] = output.getvalue()
    return found


def main() -> None:
    """Write the files, or with --check say whether they are as they would be written."""
    wrong = []
    for path, content in pages().items():
        if "--check" in sys.argv:
            if not path.exists() or path.read_text(encoding="utf-8") != content:
                wrong.append(str(path))
        else:
            path.parent.mkdir(exist_ok=True)
            path.write_text(content, encoding="utf-8")
    if wrong:
        raise SystemExit(f"not as docs/gsr_toy.py writes them: {', '.join(wrong)}")


if __name__ == "__main__":
    main()
