"""Named persons read a second, by language: `python bench/entities.py DATA/winomt`.

The reference is the reader of the first person on the same translations in the same run, where the
language has one. Long texts show that the time grows with their length: a text of 100 kB may take
no more than 15 times as long as one of 10 kB.
"""

import sys
from pathlib import Path
from statistics import median
from time import process_time

sys.path.insert(0, str(Path(__file__).parent.parent))

from bench._size import size
from monitor import registry
from monitor.model import EntityText

BAR, GROWTH = 10_000, 15.0
SENTENCES, ROUNDS = size(3_888, 200), size(3, 1)
LONG = 10_000  # characters


def translations(folder, code):
    """The sentences with their entities and what a system made of them."""
    lines = (folder / "en.txt").read_text(encoding="utf-8").splitlines()
    pairs = (folder / "translations" / "google" / f"en-{code}.txt").read_text(encoding="utf-8")
    return [
        EntityText(source, entity, pair.split(" ||| ")[1], int(index))
        for (_, index, source, entity), pair in zip(
            (line.split("\t") for line in lines), pairs.splitlines(), strict=True
        )
    ][:SENTENCES]


def seconds(work):
    """Median processor time of some rounds."""
    times = []
    for _ in range(ROUNDS):
        begun = process_time()
        work()
        times.append(process_time() - begun)
    return median(times)


def read_speed(signal, texts):
    """Texts read a second."""
    signal(texts[0])
    return len(texts) / seconds(lambda: [signal(text) for text in texts])


def growth(reader, text):
    """How many times longer a text ten times as long takes."""
    word = text.translation.split()[1]
    short, long = (
        EntityText(text.source, text.entity, " ".join([text.translation, *[word] * n]), text.index)
        for n in (LONG // (len(word) + 1), 10 * LONG // (len(word) + 1))
    )
    return seconds(lambda: reader.signal(long)) / max(seconds(lambda: reader.signal(short)), 1e-4)


def main(folder):
    """Print speed, ratio to the reader of the first person, and growth by language."""
    for code in registry.list_names("entities"):
        if not (folder / "translations" / "google" / f"en-{code}.txt").is_file():
            continue
        texts = translations(folder, code)
        reader = registry.entity_reader(code)
        speed = read_speed(reader.signal, texts)
        first = registry.language(code)
        beside = ""
        if first is not None:
            own = read_speed(first.signal, [text.translation for text in texts])
            beside = f", {speed / own:.2f} of the first person's"
        longer = growth(reader, texts[0])
        kept = "kept" if speed >= BAR and longer <= GROWTH else "missed"
        print(f"{code}: {speed:,.0f} sentences/s{beside}; ten times the text {longer:.1f} times "
              f"the time (bars {BAR:,} and {GROWTH:g}: {kept})")  # fmt: skip


if __name__ == "__main__":
    main(Path(sys.argv[1]))
