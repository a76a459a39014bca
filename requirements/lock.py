"""Write requirements/*.lock: every package pinned, with hashes, no index named."""

import re
import subprocess
import sys
import tomllib
from pathlib import Path

HERE = Path(__file__).parent
PROJECT = tomllib.loads((HERE.parent / "pyproject.toml").read_text())
COMMON = ["--universal", "--python-version", "3.11", "--generate-hashes", "--no-emit-index-url"]
COMMON += ["--no-header", "--no-annotate", "--quiet"]


def lock(name: str, wanted: list[str], constraint: Path | None = None) -> Path:
    """Resolve `wanted` (kept equal to `constraint` where both name a package) into `name`.lock."""
    output = HERE / f"{name}.lock"
    command = [sys.executable, "-m", "uv", "pip", "compile", "-", "--output-file", str(output)]
    if constraint:
        command += ["--constraint", str(constraint)]
    subprocess.run([*command, *COMMON], input="\n".join(wanted), text=True, check=True)  # noqa: S603
    return output


#: The CPU build of torch 2.13.0 for Python 3.11 on Linux, as pytorch.org's own index has it.
CPU_BUILD = "6746dbcbeb526eb61330b76b41ff1b4eb848951103a892eeb080dfa2b264667b"
GRAPHICS_CARDS = ("nvidia-", "cuda-", "triton")


def for_processors(path: Path) -> None:
    """Take the packages for graphics cards out of a lock, and pin the CPU build of torch alone.

    The ordinary wheel for Linux wants gigabytes of them; docs/models.md says how to get the other.
    """
    blocks = re.split(r"^(?=\S)", path.read_text(encoding="utf-8"), flags=re.MULTILINE)
    kept = [block for block in blocks if not block.startswith(GRAPHICS_CARDS)]
    pinned = "torch==2.13.0"
    for place, block in enumerate(kept):
        if block.startswith(pinned):
            kept[place] = f"{pinned} \\\n    --hash=sha256:{CPU_BUILD}\n"
    if not any(block.startswith(pinned) for block in kept):
        raise SystemExit(f"{path.name}: torch is not {pinned}; give CPU_BUILD the new hash")
    path.write_text("".join(kept), encoding="utf-8")


def main() -> None:
    """Make all locks; the later ones agree with the first."""
    extras = PROJECT["project"]["optional-dependencies"]
    run = lock("run", [*PROJECT["project"]["dependencies"], *extras["local"]])
    # what builds the editable install and the wheel, so that setting up fetches nothing unpinned
    lock("build", PROJECT["build-system"]["requires"], run)
    lock("dev", PROJECT["dependency-groups"]["dev"], run)
    lock("crate", PROJECT["dependency-groups"]["crate"])
    for name in "amazon glove google landing parquet word2vec".split():
        lock(name, extras[name], run)
    for_processors(lock("lm", extras["lm"], run))


if __name__ == "__main__":
    main()
