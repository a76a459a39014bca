"""Downloads, each file checked by its SHA-256: Firefox's translation models, published data sets.

The registry of models is Mozilla's Remote Settings: a list of records, and attachments compressed
with zstd whose unpacked SHA-256 stands in the record. A pair is written `en-cs`.
"""

import json
import re
import tempfile
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import TypedDict, cast

import httpx
from packaging.version import InvalidVersion, Version

from monitor.datasets import DataFile, Dataset, check_content, check_path, is_data
from monitor.fetch.backends import _model_files
from monitor.model import InvalidInput, MissingPart, StoreProblem
from monitor.text.near_names import hint

_COLLECTION = "buckets/main/collections/translations-models-v2/records"
_SAFE_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")
_MAX_MODEL_BYTES = 512 * 2**20
_TIMEOUT = httpx.Timeout(30.0, connect=10.0)

#: Called with (file name, bytes so far).
Progress = Callable[[str, int], None]


class Record(TypedDict):
    """One file of a model, as the registry describes it."""

    name: str
    fileType: str
    sourceLanguage: str
    targetLanguage: str
    version: str
    architecture: str | None
    decompressedHash: str | None
    location: str


def _parse_version(record: Record) -> Version | None:
    try:
        return Version(record["version"])
    except InvalidVersion:
        return None


def choose_files(records: Iterable[Record], pair: str) -> list[Record]:
    """The files of the pair's newest released model. Raises MissingPart when there is none."""
    source, target = pair.split("-")
    records = list(records)
    pairs = {f"{record['sourceLanguage']}-{record['targetLanguage']}" for record in records}
    candidates = [
        (version, record)
        for record in records
        if (record["sourceLanguage"], record["targetLanguage"]) == (source, target)
        and (version := _parse_version(record)) is not None
        and not version.is_prerelease
    ]
    models = [pair for pair in candidates if pair[1]["fileType"] == "model"]
    if not models:
        raise MissingPart(
            f"Mozilla's registry has no released model for {pair}; {hint(pair, sorted(pairs))}"
        )
    newest, model = max(models, key=lambda pair: (pair[0], pair[1]["architecture"] or ""))
    return [
        record
        for version, record in candidates
        if version == newest and record["architecture"] in (model["architecture"], None)
    ]


def _read_body(
    response: httpx.Response,
    most: int,
    what: str,
    progress: Callable[[int], None] = lambda _size: None,
) -> bytes:
    """Return the content of a response. Raises StoreProblem for more than `most` bytes."""
    response.raise_for_status()
    content = bytearray()
    for chunk in response.iter_bytes():
        content += chunk
        if len(content) > most:
            raise StoreProblem(f"{response.request.url}: more than {most:,} bytes; not {what}")
        progress(len(content))
    return bytes(content)


def _unpack_file(packed: bytes, record: Record) -> bytes:
    from fxtranslate import discovery  # noqa: PLC0415 - optional library

    expected = record["decompressedHash"]
    if not expected:
        raise StoreProblem(f"{record['name']}: the registry states no hash, so it is not used")
    try:
        return discovery.verify_and_decompress(packed, expected)
    except ValueError as error:
        raise StoreProblem(f"{record['name']}: not what the registry promised: {error}") from error


def fetch_firefox(pair: str, models: Path, registry: str, progress: Progress) -> Path:
    """Download the model of `pair` into `models`/firefox/PAIR, whole or not at all.

    Raises InvalidInput for what is no pair, MissingPart when there is no such model or the
    library is not installed, StoreProblem when the registry or the folder fails us.
    """
    if not re.fullmatch(r"[a-z]{2,3}(_[a-z]+)?-[a-z]{2,3}(_[a-z]+)?", pair):
        raise InvalidInput(f"{pair!r} is no pair of languages such as en-cs")
    _model_files.package_folder("fxtranslate")
    goal = models / "firefox" / pair
    if goal.exists():
        raise InvalidInput(f"{goal} is there already; remove it to fetch the model anew")
    try:
        with httpx.Client(timeout=_TIMEOUT, follow_redirects=True) as client:
            return _fetch_model(client, pair, goal, registry.rstrip("/"), progress)
    except (httpx.HTTPError, json.JSONDecodeError, KeyError) as error:
        raise StoreProblem(
            f"{registry}: cannot fetch {pair}: {error!r}; try again later"
        ) from error


def _fetch_model(
    client: httpx.Client, pair: str, goal: Path, registry: str, progress: Progress
) -> Path:
    from fxtranslate import discovery  # noqa: PLC0415 - optional library

    base = client.get(f"{registry}/").raise_for_status().json()
    base_url = base["capabilities"]["attachments"]["base_url"]
    listing = client.get(f"{registry}/{_COLLECTION}").raise_for_status().text
    try:
        records = cast("list[Record]", discovery.parse_records(listing))
    except ValueError as error:
        raise StoreProblem(f"Mozilla's registry sent what is no list of models: {error}") from error
    files = choose_files(records, pair)
    goal.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=goal.parent) as temporary:
        folder = Path(temporary) / pair
        folder.mkdir()
        for record in files:
            name = record["name"].removesuffix(".zst")
            if not _SAFE_NAME.fullmatch(name):
                raise StoreProblem(f"the registry names a file {name!r}; not a plain file name")
            with client.stream("GET", base_url + record["location"]) as response:
                told = partial(progress, name)
                packed = _read_body(response, _MAX_MODEL_BYTES, "a model file", told)
            (folder / name).write_bytes(_unpack_file(packed, record))
        (folder / "source.json").write_text(json.dumps(files, indent=2))
        folder.rename(goal)
    return goal


#: Bytes of a file of a data set, and files of a repository.
_MAX_DATASET_BYTES = 64 * 2**20
_MAX_DATASET_FILES = 500


def fetch_dataset(dataset: Dataset, server: str = "") -> Iterator[tuple[DataFile, bytes]]:
    """Yield each file of the data set with its content, from another server if one is named.

    Raises StoreProblem when the server fails, and for a broken file or one that is not the pinned
    one.
    """
    with httpx.Client(timeout=_TIMEOUT, follow_redirects=True) as client:
        for file in dataset.files or _list_files(client, dataset, server):
            url = dataset.url(file, server)
            content = _download_dataset_file(client, url)
            yield file, _check_file(dataset, file, content, url)


def _list_files(client: httpx.Client, dataset: Dataset, server: str) -> list[DataFile]:
    """Return the data files of a Hugging Face repository at its newest commit."""
    url = f"{(server or dataset.server).rstrip('/')}/{dataset.listing}"
    try:
        listing = json.loads(_download_dataset_file(client, url))
        commit = check_path(listing["sha"], url)
        paths = [entry["rfilename"] for entry in listing["siblings"]]
        files = [DataFile(check_path(path, url), commit) for path in paths if is_data(path)]
    except (ValueError, KeyError, TypeError) as error:
        raise StoreProblem(f"{url}: is no list of files: {error!r}; {_BY_HAND}") from error
    except InvalidInput as error:
        raise StoreProblem(str(error)) from error
    if not files or len(files) > _MAX_DATASET_FILES:
        raise StoreProblem(
            f"{url}: {len(files):,} data files, expected 1 to {_MAX_DATASET_FILES}; {_BY_HAND}"
        )
    return files


_BY_HAND = "try again later, or name a local copy with --from"


def _download_dataset_file(client: httpx.Client, url: str) -> bytes:
    try:
        with client.stream("GET", url) as response:
            schemes = [answer.url.scheme for answer in (*response.history, response)]
            if "http" in schemes and schemes[0] == "https":  # anybody could change the file
                raise StoreProblem(f"{response.url}: redirected from HTTPS to HTTP; {_BY_HAND}")
            return _read_body(response, _MAX_DATASET_BYTES, "the data set")
    except (httpx.HTTPError, httpx.InvalidURL) as error:
        raise StoreProblem(f"{url}: cannot be fetched: {error!r}; {_BY_HAND}") from error


def _check_file(dataset: Dataset, file: DataFile, content: bytes, url: str) -> bytes:
    try:
        if file.sha256 is None:
            check_content(content, url)
            return content
        same = dataset.file_of(content, url)
    except InvalidInput as error:
        raise StoreProblem(str(error)) from error
    if same is not file:
        raise StoreProblem(f"{url}: holds version {same.version} instead of {file.version}")
    return content
