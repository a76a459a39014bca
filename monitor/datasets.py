"""Published data sets that are fetched, not shipped: a table of them, and how files are checked.

Nothing here reaches outside: `fetch/downloads.py` downloads, `--from` reads local copies. A file
has a SHA-256 that is pinned here, or one that is recorded at the first download (`SHA256SUMS` in
the folder of the data set) and compared at every later one.
"""

import hashlib
import io
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import PurePosixPath

from monitor.input_files import decode_lines, read_table
from monitor.model import InvalidInput

#: The file that records the digests of a data set, in the format of `sha256sum`.
SUMS = "SHA256SUMS"
_DIGEST = re.compile(r"[0-9a-f]{64}")
_SUM_LINE = re.compile(r"([0-9a-f]{64})  (\S.*)")
_PATH = re.compile(r"[A-Za-z0-9_][A-Za-z0-9._-]*(?:/[A-Za-z0-9_][A-Za-z0-9._-]*)*")
#: Endings of files that hold data: a repository has scripts and pictures as well.
_DATA_ENDINGS = (".csv", ".tsv", ".json", ".jsonl", ".parquet")
_TABLES = {".csv": ",", ".tsv": "\t"}
_PARQUET = b"PAR1"


@dataclass(frozen=True, slots=True)
class DataFile:
    """One published file.

    `commit` is where it stands in the repository and never changes. `sha256` is None where it is
    not known beforehand. `version` is that of the probe list which the file becomes, if any.
    `others` are the digests of other published forms of the file that are taken as well.
    """

    path: str
    commit: str
    sha256: str | None = None
    version: str = ""
    others: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Dataset:
    """A published data set: what it is, what may be done with it, where its files are.

    `server` and `address` make the URL of a file; `listing` is the path of the list of files of a
    Hugging Face repository, for a data set whose files are not named here. `list_name` is the probe
    list that all files together become. The files of a data set that `stays` are kept beside its
    list, for studies.
    """

    name: str
    title: str
    licence: str
    use: str
    citation: str
    home: str
    server: str
    address: str = "{commit}/{path}"
    listing: str = ""
    files: tuple[DataFile, ...] = ()
    source_lang: str = ""
    note: str = ""
    list_name: str = ""
    stays: bool = False

    @property
    def makes_lists(self) -> bool:
        """Whether its files become the lists `name@version`, or all together one list."""
        return bool(self.list_name) or any(file.version for file in self.files)

    def url(self, file: DataFile, server: str = "") -> str:
        """Return the address of a file, at another server if one is named."""
        path = self.address.format(commit=file.commit, path=file.path)
        return f"{(server or self.server).rstrip('/')}/{path}"

    def file_of(self, content: bytes, place: str) -> DataFile:
        """Return the file with exactly this content. Raises InvalidInput naming the digests."""
        digest = digest_of(content)
        for file in self.files:
            if digest in (file.sha256, *file.others):
                return file
        editions = ", ".join(
            f"{file.version or file.path} has {file.sha256}" for file in self.files
        )
        raise InvalidInput(
            f"{place}: not a known edition of {self.name}: its SHA-256 is {digest}, but "
            f"{editions}; fetch it anew, and do not edit it"
        )


def digest_of(content: bytes) -> str:
    """Return the SHA-256 of a file."""
    return hashlib.sha256(content).hexdigest()


def is_data(path: str) -> bool:
    """Return whether a file of a repository holds data, by its name."""
    return PurePosixPath(path).suffix in _DATA_ENDINGS


def check_path(path: str, place: str) -> str:
    """Return a path inside a folder. Raises InvalidInput for any other, `../x` or `/x`."""
    if not _PATH.fullmatch(path):
        raise InvalidInput(f"{place}: names a file {path!r}; not a plain path inside a folder")
    return path


def check_content(content: bytes, place: str) -> None:
    """Raise InvalidInput for a file that is not of the kind that its name says, or cut off."""
    kind = PurePosixPath(place).suffix
    if not content:
        raise InvalidInput(f"{place}: is empty; fetch it anew")
    if kind in _TABLES:
        lines = decode_lines(io.BytesIO(content), place)
        for _ in read_table(lines, place, delimiter=_TABLES[kind]).rows:
            pass
    elif kind == ".parquet" and not (
        content.startswith(_PARQUET) and content.endswith(_PARQUET) and len(content) > len(_PARQUET)
    ):
        raise InvalidInput(f"{place}: is no Parquet file, or cut off; fetch it anew")
    elif kind in (".json", ".jsonl"):
        _check_json(content, place, by_line=kind == ".jsonl")


def _check_json(content: bytes, place: str, *, by_line: bool) -> None:
    try:
        for text in content.splitlines() if by_line else [content]:
            json.loads(text)
    except ValueError as error:
        raise InvalidInput(f"{place}: is no JSON, or cut off: {error}; fetch it anew") from error


def parse_digests(given: list[str], names: list[str]) -> dict[str, str]:
    """Return {file: SHA-256} of what `--sha256` gives, FILE=DIGEST or the digest of a lone file.

    Raises InvalidInput for what is no digest, and for files that are not among `names`.
    """
    digests = {}
    for text in given:
        name, _, digest = text.rpartition("=")
        name = name or (names[0] if len(names) == 1 else "")
        if not _DIGEST.fullmatch(digest.lower()):
            raise InvalidInput(f"--sha256 {text!r}: {digest!r} is no SHA-256 of 64 hex digits")
        if name not in names:
            raise InvalidInput(f"--sha256 {text!r}: write FILE=DIGEST, of {', '.join(names)}")
        digests[name] = digest.lower()
    return digests


def parse_sums(text: str, place: str) -> dict[str, str]:
    """Return {file: SHA-256} of a file of `sha256sum`. Raises InvalidInput with the line."""
    sums = {}
    for number, line in enumerate(text.splitlines(), start=1):
        if not line or line.startswith("#"):
            continue
        match = _SUM_LINE.fullmatch(line)
        if not match:
            raise InvalidInput(
                f"{place}:{number}: no line of sha256sum; remove the folder to fetch it anew"
            )
        sums[match[2]] = match[1]
    return sums


def write_sums(dataset: Dataset, digests: Mapping[str, str]) -> str:
    """Return the text of the file of digests; its comments say what the files are."""
    facts = (
        dataset.title, f"licence: {dataset.licence}", f"use: {dataset.use}", dataset.home,
        f"cite: {dataset.citation}",
    )  # fmt: skip
    lines = [f"# {fact}" for fact in facts]
    lines += [f"{digest}  {path}" for path, digest in sorted(digests.items())]
    return "\n".join(lines) + "\n"


def compare_digests(
    seen: Mapping[str, str], recorded: Mapping[str, str], given: Mapping[str, str], place: str
) -> None:
    """Compare the digests of files with those given, else with those of the first download.

    Raises InvalidInput naming file, expected and seen digest, and for a recorded file that is
    missing. A digest that is given takes the place of a recorded one.
    """
    for path, digest in sorted({**recorded, **given}.items()):
        if path not in seen:
            raise InvalidInput(
                f"{place}: {path} is missing, which an earlier download had; if its authors "
                f"removed it, delete its line in {SUMS}"
            )
        if seen[path] == digest:
            continue
        source = "was given" if path in given else "was recorded at the first download"
        raise InvalidInput(
            f"{place}: {path} has changed: SHA-256 {digest} {source}, but it is now {seen[path]}; "
            "ask its authors whether they published another version, and if they did, accept it "
            f"with --sha256 {path}={seen[path]}"
        )


GEST = Dataset(
    name="gest",
    title="GEST: sentences on 16 gender stereotypes, first person",
    licence="Apache-2.0",
    use="lists of questions; keep to the licence and cite the authors",
    citation=(
        "Pikuliak, M., Hrckova, A., Oresko, S., Simko, M. (2023). Women are beautiful, men are "
        "leaders: Gender stereotypes in machine translation and language modeling. "
        "arXiv:2311.18711"
    ),
    home="https://github.com/kinit-sk/gest",
    server="https://raw.githubusercontent.com/kinit-sk/gest",
    source_lang="en",
    note=(
        "Stereotypes 1 to 7 are about women, 8 to 16 about men. Some sentences stand in two items; "
        "they are asked once and count in both. The published figures use version 1.0."
    ),
    files=(
        DataFile(
            "data/gest.csv",
            "bb0326f959d60a3c00546433009781045518e618",
            "7e306adaa2913b660c6ddccddb26703a1de8c880cb0597ad27db4bca75380eea",
            "1.0",
        ),
        DataFile(
            "data/gest_1.1.csv",
            "74f96304d1fe5ef51f2e6d379c872d12a1d54d8c",
            "51d14d5dc648d5be867d40bd312c016471c485827f6c28488c7234b9d30fcd9c",
            "1.1",
        ),
    ),
)

EUROGEST = Dataset(
    name="eurogest",
    title="EuroGEST: GEST sentences in languages of Europe, in both genders of the speaker",
    licence="Apache-2.0",
    use="validation of readers; not asked: the questions in English are those of gest@1.1",
    citation=(
        "Rowe, J., Klimaszewski, M., Guillou, L., Vallor, S., Birch, A. (2025). EuroGEST: "
        "Investigating gender stereotypes in multilingual language models. EMNLP 2025, "
        "32062-32084. arXiv:2506.03867"
    ),
    home="https://huggingface.co/datasets/utter-project/EuroGEST",
    server="https://huggingface.co",
    address="datasets/utter-project/EuroGEST/resolve/{commit}/{path}",
    listing="api/datasets/utter-project/EuroGEST",
)

WINOMT = Dataset(
    name="winomt",
    title="WinoMT: occupations whose gender a pronoun says",
    licence="MIT",
    use="lists of questions and validation; keep to the licence and cite the authors",
    citation=(
        "Stanovsky, G., Smith, N. A., Zettlemoyer, L. (2019). Evaluating Gender Bias in Machine "
        "Translation. ACL 2019, 1679-1684. arXiv:1906.00591"
    ),
    home="https://github.com/gabrielStanovsky/mt_gender",
    server="https://raw.githubusercontent.com/gabrielStanovsky/mt_gender",
    source_lang="en",
    note=(
        "Two persons are named and a pronoun refers to one of them, whose gender is read. Six "
        "sentences stand in two items; they are asked once and count in both. In an earlier form "
        "of en.txt and en_pro.txt the pronouns of items 2120 and 2121 are exchanged."
    ),
    files=tuple(
        DataFile(f"data/aggregates/{name}", "master", sha256, others=tuple(others))
        for name, sha256, *others in (
            (
                "en.txt", "11797c54a74876c4ae63d029e88ec35ded8ee335251c51ff861f8790a7e258af",
                # commit 182607f
                "c8055d779a6e49ef378f3be3cd091223208936071c8a0f717de63c919a366f80",
            ),
            ("en_anti.txt", "da3e5744ed70481c80333a082f06fa6696be5db20c12a48a74845b245ce502e1"),
            (
                "en_pro.txt", "ed06dd39ca549f8766e4958de15afe706e4f3185c1ec580125d0c71b9f530064",
                # commit 7652aab
                "7cc1a127b6a92c0263c6909c66938f30e109c7b89f5d3c3dc02ff9b76de9258f",
            ),
        )
    ),
    list_name="winomt@1",
    stays=True,
)  # fmt: skip

_MTGENEVAL_DIGESTS = """
825c8a1ee5077b0d34bddd21f5eee3b1648f0e2a07e4684c298bbb11b8b53edb  feminine-dev.en_ar.ar
fe70b99e76626d090ee392a2991dd7993b63ad0df897b8539bccc6a3f80dc4a1  feminine-dev.en_ar.en
690b27fdda72eb4a82bec9b11ec5b124e3c480db64b2626ebbda70afbbfbd1ae  feminine-dev.en_de.de
f1da4f6b7f02d52ad036c38c567e1f502c64084689ca371d1bf97642733f8a42  feminine-dev.en_de.en
5720ba1c78929abf3f6ff0608a72eccf7b554cd6f7357bac617cd26a8da40faa  feminine-dev.en_es.en
14868a02c54af085c18fdad7c21cece2d7753a4f6e7b2a3f1edf2a83cafff97d  feminine-dev.en_es.es
71c713c1c84cf95e8ceb724dd8644a063040fe81f618d180e7d9fb7cfd65b4d7  feminine-dev.en_fr.en
3e06338f9e254f4d778659ae6311f7355f808f4d8fad180654f0d4bf1838770e  feminine-dev.en_fr.fr
30163485a7e5242c42582775f381b5f31146d1b6bdf9535ec917647a22cd25b3  feminine-dev.en_hi.en
9a09a9e582ab68f2c2504f9efc1bca0e3db645c2f57af1fc8ffffa465385bb97  feminine-dev.en_hi.hi
a3fead59868d92346052999fa03867cef8c4b87f5e9ff0e2e1850a81816fb1fc  feminine-dev.en_it.en
f18a2402a9da8be93ade900ea475d91294a0bc070ab6767b53c1bf3612af1383  feminine-dev.en_it.it
9f02660e29730185e59b1e5b866686beaede17e546909b312d95dd6286f8f0d4  feminine-dev.en_pt.en
ae0729862ee78055d1f99715f564f0504ea43965b9a71ba07f51669fb6fe49b5  feminine-dev.en_pt.pt
d82c7c306f05e15b1dd79cf8541f173c570af712557eb9a928a478577be1f0c7  feminine-dev.en_ru.en
66fe446a9a094057c8947e18905281a1152308af43b552ce9acf858fb2355eb3  feminine-dev.en_ru.ru
d16140775d4a3c2fb6d5d85503c8e207e7c1dd5fc6cf76cf07c1a304476a15f2  masculine-dev.en_ar.ar
80135e2a2ea7bf986eb7d380fb765949d49861c799aa542cc8eb922702a7c644  masculine-dev.en_ar.en
ce57e8170fad773c32fd1f021811fb97aebe781bc790843edc5b52a0f11948af  masculine-dev.en_de.de
2a92710472001e62b3a1ea8e22541cc6389552bdc34256b5df8f0bc8fa48630c  masculine-dev.en_de.en
8474a8e1c323752c1ab420b614ce3efc6e34f41ad85e06290ec3f2bea473fc37  masculine-dev.en_es.en
132d9d05baa792d9886a9855087eb87cc1d37283075f7505d25b7b29d647944e  masculine-dev.en_es.es
a3db0f530f6128c9e6106bcbde67b711e2c131dc374050aa4dd62db9c8c726d5  masculine-dev.en_fr.en
ae4db8e627e56ae8a99fe40d4dee928c0f503076a29e14f669b695f111eab599  masculine-dev.en_fr.fr
4d80e1dc318c09b710acbcaf302b536eba0b6309f14daf24d287b4dc2b8d0c22  masculine-dev.en_hi.en
bc901aadf05dbd0876919202f3db6940bbd78056b07d25c8ef30e685f6632e70  masculine-dev.en_hi.hi
0886481292eb3a84e8d3be8f33945dce722159c13aba8e4bdf2e6de0d9de9f6d  masculine-dev.en_it.en
c7bf3d7c8802a8c5453d58e7b571db88d17a3076695cab5dfb027ca2c21d479d  masculine-dev.en_it.it
0517152aba56acf9e76c87fd1754be834603a867fa8f16fa4022bf9f03ffd010  masculine-dev.en_pt.en
9def73c600c1423ccffb190985952ff251908dec53d87e9e46135bff9c3feccd  masculine-dev.en_pt.pt
7b458952981a7dc08e8b53b8271d02d3c9312c86a0ff1c860eefd5af1f86091e  masculine-dev.en_ru.en
98752bdcdc565ad070ccacb8ae2c706a249aa868d0d2a3a554f0478460b313b6  masculine-dev.en_ru.ru
"""

MTGENEVAL = Dataset(
    name="mtgeneval",
    title="MT-GenEval: sentences about a woman and the same about a man",
    licence="CC BY-SA 3.0",
    use="lists of questions and validation; nothing that is made from it ships with this program",
    citation=(
        "Currey, A., Nadejde, M., Pappagari, R. R., Mayer, M., Lauly, S., Niu, X., Hsu, B., "
        "Dinu, G. (2022). MT-GenEval: A Counterfactual and Contextual Dataset for Evaluating "
        "Gender Accuracy in Machine Translation. EMNLP 2022. arXiv:2211.01355"
    ),
    home="https://github.com/amazon-science/machine-translation-gender-eval",
    server="https://raw.githubusercontent.com/amazon-science/machine-translation-gender-eval",
    source_lang="en",
    note=(
        "The annotated development half, all languages together. The person is named by the first "
        "word that carries the gender in the English sentence, a noun before a pronoun."
    ),
    files=tuple(
        DataFile(
            f"data/sentences/dev/annotated/geneval-sentences-{name}",
            "c09b5f0701a7368d8d505444aa3d0d389020dd08",
            sha256,
        )
        for sha256, name in map(str.split, _MTGENEVAL_DIGESTS.strip().splitlines())
    ),
    list_name="mtgeneval@1",
    stays=True,
)

GATE = Dataset(
    name="gate",
    title="GATE: sentences that leave the gender of one person open",
    licence="MIT",
    use="lists of questions and validation; keep to the licence and cite the authors",
    citation=(
        "Rarrick, S., Naik, R., Mathur, V., Poudel, S., Chowdhary, V. (2023). GATE: A Challenge "
        "Set for Gender-Ambiguous Translation Examples. arXiv:2303.03975"
    ),
    home="https://github.com/MicrosoftTranslator/GATE",
    server="https://raw.githubusercontent.com/MicrosoftTranslator/GATE",
    source_lang="en",
    note=(
        "Sentences with two variants of French, Italian and Spanish linguists. The person is the "
        "first key word of the English sentence, that in square brackets if there is one."
    ),
    files=tuple(
        DataFile(f"data/{code}/{code}_2_variants.tsv", "main") for code in ("ES", "FR", "IT")
    ),
    list_name="gate@1",
    stays=True,
)

DATASETS = {dataset.name: dataset for dataset in (GEST, EUROGEST, WINOMT, MTGENEVAL, GATE)}
