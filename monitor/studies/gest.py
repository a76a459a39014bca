"""GEST translations: recorded answers in, rates, ranks, f_s, f_m beside published ones out."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from monitor import registry
from monitor.studies import _gest_results as tables
from monitor.studies._gest_files import PAPER, describe_files
from monitor.studies.records import Limit, Option, ReportStep, StudyResult

#: The published Belarusian rates rest on the parser's gender errors.
_WRONG = ("be",)

OPTIONS = (
    Option("translations", "Folder with SYSTEM/LANGUAGE.csv (source, translation).", Path,
           required=True),
    Option("list", "The GEST sentences: gest.csv, or gest@1.0.csv.", Path, required=True),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Gest:
    """Every recorded pair of system and language, held against the published figures."""

    name: str = "gest"
    title: str = "GEST: masculine rates of recorded translations"
    paper: str = f"{PAPER}, Figures 2, 3 and 11"
    question: str = (
        "Do the rules that read grammatical gender here give the masculine rates that a neural "
        "parser gave the authors, from the same translations?"
    )
    example: str = "gest --translations recorded --published figures --list gest@1.0.csv --apart be"
    options: tuple[Option, ...] = (
        *OPTIONS,
        Option(
            "published",
            "Folder with mt_p_i.csv, and where known mt_fs_fm.csv, mt_yields.csv, mt_ranks.csv.",
            Path,
            required=True,
        ),
        Option(
            "apart",
            "Language to show without counting it, because its published figures are wrong.",
            several=True,
        ),
    )

    def validation(self, data: Path) -> Mapping[str, Any] | None:
        """All shared translations; Belarusian stands apart."""
        folder = data / "gest"
        if not (folder / "translations").is_dir():
            return None
        return {
            "translations": folder / "translations",
            "published": folder / "published",
            "list": folder / "gest.csv",
            "apart": _WRONG,
        }

    def run(self, given: Mapping[str, Any], tell: ReportStep) -> StudyResult:
        """Raises InvalidInput naming the file that cannot be used."""
        from monitor.studies._gest_comparison import compare_pairs, read_published, recorded_files
        from monitor.studies._gest_files import read_sentences

        sentences, published = read_sentences(given["list"]), read_published(given["published"])
        files = recorded_files(given["translations"])
        tell(f"reading {len(files)} pairs of system and language")
        comparison = compare_pairs(
            sentences,
            given["translations"],
            published,
            registry.language,
            apart=frozenset(given["apart"] or ()),
        )
        tell("drawing")
        return StudyResult(
            ran={
                "translations": describe_files(files),
                "sentences": f"{len(sentences):,} rows; {describe_files([given['list']])}",
                "published figures": describe_files(sorted(given["published"].glob("mt_*.csv"))),
            },
            checks=tables.make_checks(comparison),
            tables=(tables.pairs_table(comparison), tables.cells_table(comparison)),
            figures=tables.draw_figures(comparison) if comparison.pairs else (),
            limits=(
                Limit(
                    "Systems whose translations were not recorded here",
                    "live systems answer otherwise today; only recorded answers can be compared",
                ),
                Limit(
                    "The authors' parse of each sentence",
                    "the neural parser is not run; the rules read the translations anew",
                ),
            ),
            notes=tables.summarise_gest(comparison),
        )


STUDY = Gest()
