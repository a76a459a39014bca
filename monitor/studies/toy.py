"""The toy collections, the worked example and the permutation tests of Fabris et al. 2020.

Systems whose stereotypes are known must get the slope that follows from them: the stereotypical one
a positive slope, its opposite the same with the other sign, the one that shows both none.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from monitor.input_files import load_json
from monitor.model import InvalidInput, MissingPart
from monitor.studies import _toy_results as checks
from monitor.studies import _toy_results as runs
from monitor.studies._fabris_collection import BUILT_IN, DRAWN, PAPER, check_drawn
from monitor.studies._fabris_collection import open_lexicon as installed
from monitor.studies._rankings_files import describe_path
from monitor.studies.records import Limit, Option, ReportStep, StudyResult

LIMITS = (
    Limit(
        "the printed slopes, 1.61 and .16, and the printed p-values",
        "they are of word2vec vectors of Google News, which are licensed: the size of a slope and "
        "of a p depends on the vectors, its sign and symmetry do not",
    ),
    Limit(
        "the points of the paper's figures",
        "they are not printed as numbers, so that the figures here are ours alone",
    ),
)


@dataclass(frozen=True, slots=True)
class Toy:
    """Figures 4 to 6, the worked example and Tables A.4 to A.7."""

    name: str = "toy"
    title: str = "Gender stereotype reinforcement of systems whose stereotypes are known"
    paper: str = f"{PAPER}, section 3.4, Figures 4 to 6, Tables A.4 to A.7"
    question: str = (
        "Does the slope rise for the system that answers by stereotype, fall as far for the one "
        "that answers against it, and vanish for the one that shows both?"
    )
    example: str = "toy --seed 1"
    options: tuple[Option, ...] = (
        Option("lexicon", "The lexicon that genderedness is taken from.", default=BUILT_IN),
        Option("published", "Folder with a1_gender_direction.json, a2_permutation_tests.json, "
               "a3_toy.json and a5_toy2_table_a4_lists.json: values for glove-6b-50d.", Path),
        *DRAWN,
    )  # fmt: skip

    def validation(self, data: Path) -> Mapping[str, Any] | None:
        """The published values, if they are there."""
        folder = data / "oracles"
        return {"published": folder} if (folder / "a3_toy.json").is_file() else None

    def run(self, given: Mapping[str, Any], tell: ReportStep) -> StudyResult:
        """Rank the toy collections, measure them, and test the lexicon."""
        check_drawn(given)
        lexicon = installed(given["lexicon"])
        held = _read_values(given["published"], lexicon.name) if given["published"] else {}
        tell("ranking six toy collections")
        with TemporaryDirectory() as folder:
            systems = runs.measure_systems(Path(folder), lexicon)
        example = runs.measure_example(lexicon)
        tell("testing the lexicon")
        tests = runs.run_tests(lexicon)
        direction, lacking = _describe_direction() if held else (None, "")
        drawn_draw_words = runs.draw_words(lexicon, given["words"], given["seed"])
        return StudyResult(
            ran={
                "lexicon": f"{lexicon.name}, {len(lexicon):,} words, SHA-256 {lexicon.digest}",
                **{system.label: system.said for system in systems},
                **({"published": _describe_values(given["published"], held)} if held else {}),
            },
            checks=[
                *checks.check_properties(systems),
                *checks.check_signs(example),
                *(
                    checks.check_given(held, systems, example, tests, direction, lexicon)
                    if held
                    else ()
                ),
            ],
            tables=runs.make_tables(systems, example, tests, drawn_draw_words),
            figures=runs.draw_figures(systems, tests, drawn_draw_words, lexicon),
            limits=LIMITS,
            notes=[
                *([lacking] if lacking else []),
                *([] if held else ["No values were given to compare with: see --published."]),
            ],
        )


_FILES = {
    "a1": "a1_gender_direction.json",
    "a2": "a2_permutation_tests.json",
    "a3": "a3_toy.json",
    "a5": "a5_toy2_table_a4_lists.json",
}


def _read_values(folder: Path, lexicon: str) -> dict[str, Any]:
    """Return the values of the files by their short names. Raises InvalidInput naming a file."""
    if lexicon != BUILT_IN:
        raise InvalidInput(
            f"--published {folder}: its values are of the lexicon {BUILT_IN}, and --lexicon is "
            f"{lexicon}; leave one of both out"
        )
    values = {}
    for name, file in _FILES.items():
        try:
            values[name] = load_json((folder / file).read_text(encoding="utf-8"))
        except (OSError, ValueError) as error:
            raise InvalidInput(f"--published {folder / file}: cannot be read: {error}") from error
    return values


def _describe_values(folder: Path, held: Mapping[str, Any]) -> str:
    return "; ".join(f"{_FILES[name]}, {describe_path(folder / _FILES[name])}" for name in held)


def _describe_direction() -> tuple[Any, str]:
    """The gender direction of the vectors themselves, or what is missing for it."""
    from monitor.lexicons.direction import PairWords
    from monitor.lexicons.vectors import open_vectors

    try:
        source = open_vectors(BUILT_IN)
    except MissingPart as error:
        return None, f"The direction was not computed anew: {error}"
    pairs = PairWords()
    for block in source.blocks():
        pairs.offer(block.words, block.rows)
        if pairs.complete:
            break
    return pairs.direction(), ""


STUDY = Toy()
