"""Two translation services in a process of their own, which count what they are asked.

They end with standard input. `GET /asked` of either says how often each question was asked of both;
`GET /answers/N` lets both answer N questions, and the others wait until it is asked with more.
"""

import hashlib
import json
import math
import sys
from collections import Counter
from threading import Condition

from tests.factories import mini_items
from tests.standins import serve
from tests.standins.libretranslate import LibreTranslate
from tests.standins.wire import json_answer

#: 250 questions, in two languages 500.
ITEMS = mini_items(16)[:250]
_SEVENTH = 7
_NOTE = 300
#: Of the adjective in Portuguese and Spanish, by whether it is feminine.
_SAID = {
    "pt": {True: "Estou cansada.", False: "Estou cansado."},
    "es": {True: "Estoy cansada.", False: "Estoy cansado."},
}


def _is_feminine(item, target):
    """Neither all nor none of a stereotype, and not the same in both languages."""
    seed = f"{item['key']} {target}".encode()
    return hashlib.sha256(seed).digest()[0] < 16 * int(item["stereotype"])


def _note(text):
    """What makes some answers too large for a row, and nothing else."""
    if hashlib.sha256(text.encode()).digest()[1] % _SEVENTH:
        return ""
    return "".join(hashlib.sha256(f"{text}{n}".encode()).hexdigest() for n in range(_NOTE))


class Asked:
    """What both were asked, and how many questions they may answer."""

    def __init__(self):
        self._questions, self._most, self._gate = Counter(), math.inf, Condition()

    def note(self, question):
        """Write a question down, and wait until it may be answered."""
        with self._gate:
            self._questions[question] += 1
            number = self._questions.total()
            self._gate.wait_for(lambda: number <= self._most)

    def let(self, most):
        """Answer so many questions in all."""
        with self._gate:
            self._most = most
            self._gate.notify_all()

    def by_question(self):
        """{question: how often it was asked}."""
        with self._gate:
            return dict(self._questions)


class Counting(LibreTranslate):
    """Answers within some milliseconds, always the same."""

    def __init__(self, asked, latency):
        translations = {
            (item["text"], target): said[_is_feminine(item, target)]
            for item in ITEMS
            for target, said in _SAID.items()
        }
        super().__init__(translations=translations, latency=latency)
        self._asked = asked

    def __call__(self, request, wire):
        what, _, most = request.path[1:].partition("/")
        if what == "answers":
            self._asked.let(int(most))
        if what in ("answers", "asked"):
            wire.send(json_answer(200, self._asked.by_question()))
            return
        if not request.body:  # who asks was killed in the middle of a word
            wire.drop()
            return
        question = request.json
        self._asked.note(f"{question['q']} -> {question['target']}")
        super().__call__(request, wire)

    def answer(self, request):
        found = super().answer(request)
        note = _note(request.json["q"])
        return json_answer(200, found.json | {"note": note}) if note else found


def main():
    latency, host = float(sys.argv[1]), sys.argv[2]
    asked = Asked()
    with (
        serve(Counting(asked, latency), host=host) as one,
        serve(Counting(asked, latency), host=host) as two,
    ):
        sys.stdout.write(json.dumps([one.url, two.url]) + "\n")
        sys.stdout.flush()
        sys.stdin.read()
        asked.let(math.inf)


if __name__ == "__main__":
    main()
