"""Model files and folders: which libraries and files there are, and what identifies a model."""

import importlib.util
import os
import re
from collections.abc import Callable, Mapping, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any, NamedTuple

from monitor.input_files import hash_file
from monitor.model import MissingPart

EXTRA_HINT = "install it with: pip install 'gbmonitor[local]'"


def package_folder(package: str, hint: str = EXTRA_HINT) -> Path:
    """Folder of an installed package, without importing it. Raises MissingPart."""
    spec = importlib.util.find_spec(package)
    if spec is None or not spec.submodule_search_locations:
        raise MissingPart(f"the library {package!r} is not installed; {hint}")
    return Path(next(iter(spec.submodule_search_locations)))


#: What a back end's `run` is: (texts, options) -> content of the answer's body.
Run = Callable[[Sequence[str], Mapping[str, str]], dict[str, Any]]
#: (run, facts that identify what answers).
LoadedModel = tuple[Run, tuple[tuple[str, str], ...]]


class Backend(NamedTuple):
    """A back end that shares its module; see the package."""

    check: Callable[[str, Path], object]
    load: Callable[[str, Path], LoadedModel]


def one_by_one(translate: Callable[[str], str]) -> Run:
    """Run a translator of single sentences over the texts; an empty text stays empty."""

    def run(texts: Sequence[str], _options: Mapping[str, str]) -> dict[str, Any]:
        return {"translations": [translate(text) if text.strip() else "" for text in texts]}

    return run


def identify_model(library: str, model: str, files: dict[str, Path]) -> tuple[tuple[str, str], ...]:
    """Library version, model and SHA-256 of each of its files: what answers, as evidence."""
    hashes = {f"sha256:{name}": hash_file(path) for name, path in sorted(files.items())}
    facts = {"library": library, "library_version": version(library), "model": model} | hashes
    return tuple(sorted(facts.items()))


TORCH_PACKAGES = ("torch", "transformers", "sentencepiece")
#: Files of a model for torch, {pattern: what it is}.
TORCH_FILES = {
    "config.json": "config.json",
    "*.safetensors": "its weights (model.safetensors; other formats can run code and are refused)",
}
_HINT = (
    "install it with: pip install 'gbmonitor[lm]', "
    "after reading docs/models.md about the build of torch for processors without a GPU"
)
_TOKENIZERS = (
    {"tokenizer.json"},
    {"sentencepiece.bpe.model", "vocab.json"},
    {"source.spm", "target.spm", "vocab.json"},
)
_COMMIT = re.compile(r"[0-9a-f]{40}")
_DATA = {".json", ".model", ".safetensors", ".spm", ".txt"}


def require_packages(*packages: str) -> None:
    """Raise MissingPart unless these libraries are installed."""
    for package in packages:
        package_folder(package, _HINT)


def model_folder(model: str, models: Path, kind: str, wanted: Mapping[str, str]) -> Path:
    """The folder of a model: inside `models`/`kind`, or a path.

    `wanted` maps a pattern of file names to what it is. Raises MissingPart naming what is not
    there.
    """
    inside = models / kind / model
    folder_path = inside if inside.is_dir() else Path(model)
    if not folder_path.is_dir():
        raise MissingPart(f"no model folder {inside}: docs/models.md says how to get a model there")
    missing = [what for pattern, what in wanted.items() if not any(folder_path.glob(pattern))]
    names = {path.name for path in folder_path.iterdir()}
    if not ("tokenizer_config.json" in names and any(files <= names for files in _TOKENIZERS)):
        missing.append("its tokenizer (tokenizer_config.json and the files that go with it)")
    if missing:
        raise MissingPart(f"{folder_path} lacks {' and '.join(missing)}: see docs/models.md")
    return folder_path


def model_files(place: Path, *weights: str) -> dict[str, Path]:
    """Weights, configuration and tokenizer, by name: the files that can change an answer."""
    paths = [path for path in place.iterdir() if path.suffix in _DATA or path.name in weights]
    return {path.name: path for path in paths if path.is_file()}


def model_revision(place: Path) -> str:
    """The commit that the model is of, if the folder says: by a file, or by its own name.

    `REVISION` is what docs/models.md has people write; the other is left by `hf download`.
    """
    notes = place / "REVISION", place / ".cache/huggingface/download/config.json.metadata"
    notes_read = [
        note.read_text("utf-8").split("\n", 1)[0].strip() for note in notes if note.is_file()
    ]
    notes_read += [place.resolve().name]
    return next((commit for commit in notes_read if _COMMIT.fullmatch(commit)), "")


def identify_model_folder(
    library: str, place: Path, weights: Sequence[str], facts: Mapping[str, str]
) -> tuple[tuple[str, str], ...]:
    """Return versions, the folder's name, the hash of each file, the revision."""
    facts_of_model = dict(identify_model(library, place.name, model_files(place, *weights)))
    packages = ("transformers", "tokenizers", "sentencepiece")
    facts_of_model |= {f"{package}_version": version(package) for package in packages}
    commit = model_revision(place)
    facts_of_model |= {"revision": commit} if commit else {}
    return tuple(sorted((facts_of_model | dict(facts)).items()))


def set_offline() -> None:
    """Keep Hugging Face's libraries quiet and from the network; has to come before their import."""
    os.environ |= {
        "HF_HUB_OFFLINE": "1",
        "HF_HUB_DISABLE_TELEMETRY": "1",
        "TRANSFORMERS_OFFLINE": "1",
        "TRANSFORMERS_VERBOSITY": "error",
        "TOKENIZERS_PARALLELISM": "false",
    }


def load_network(place: Path, class_name: str) -> tuple[Any, list[str]]:
    """Return (the network in a folder, weights that it lacks), ready to be asked in one thread."""
    import torch  # noqa: PLC0415 - optional library
    import transformers  # noqa: PLC0415

    torch.set_num_threads(1)  # one process per core; and sums keep their order
    network, loaded = getattr(transformers, class_name).from_pretrained(
        str(place),
        local_files_only=True,
        trust_remote_code=False,
        use_safetensors=True,
        dtype=torch.float32,
        output_loading_info=True,
    )
    network.eval()
    return network, sorted(loaded["missing_keys"])


def describe_torch() -> dict[str, str]:
    """Return the facts of torch that decide an answer."""
    import torch  # noqa: PLC0415 - optional library

    capability = torch.backends.cpu.get_cpu_capability()
    return {"arithmetic": f"float32 {capability}", "torch_version": str(torch.__version__)}
