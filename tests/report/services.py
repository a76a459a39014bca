"""Runs with several services, languages and lists, whose answers are made here."""

import json
from dataclasses import replace
from datetime import UTC, datetime

from monitor.jobs import load_audit
from monitor.model import Answer, HttpRequest, Outcome, Pause
from tests.factories import (
    DUE,
    governed,
    job_content,
    make_job,
    make_list,
    mini_items,
    mini_professions,
    portuguese,
    run_audit,
)
from tests.replay import ReplayFetcher

WORDS = "Slowdown: 9 per 1 day <script>alert(1)</script> \u202eback\u202c \0 [bold]x[/bold]"
PRONOUNS = {
    "nurse": "She",
    "carpenter": "He",
    "lawyer": "He",
    "teacher": "They",
    "driver": "He or she",
}
STEREOTYPES = mini_items(12)
JOBS = mini_professions(tuple(PRONOUNS), templates=4)


def spoken_items(languages=("tr", "fi")):
    """Sentences of two languages whose pronoun says no gender."""
    return [
        {
            "key": f"q-{language}-{name}-{n}",
            "text": f"O bir {name} {language} {n}.",
            "source_lang": language,
            "occupation": name,
        }
        for language in languages
        for name in PRONOUNS
        for n in range(4)
    ]


def said_items():
    """Twins that say that a woman, or a man, speaks; about women and about men, in two frames."""
    return [
        {
            "key": f"g-{about}-{n}-{said}",
            "text": f"As {said} {about} {n}, I am tired.",
            "said": said,
            "frame": "even" if n % 2 else "odd",
            "about": about,
            "base": f"{about}-{n}",
            "topic": str(n % 3),
        }
        for about in ("women", "men")
        for n in range(24)
        for said in ("feminine", "masculine")
    ]


def translations():
    """{question: answer}: masculine mostly, right for nine tenths of what is said."""
    given = portuguese(STEREOTYPES, lambda item: item["key"].endswith(("-1", "-2")))
    given |= portuguese(JOBS, lambda item: item["occupation"] == "nurse")
    given |= portuguese(
        said_items(), lambda i: (i["said"] == "feminine") != i["key"].startswith("g-men-1")
    )
    for item in spoken_items():
        given[item["text"]] = f"{PRONOUNS[item['occupation']]} is a {item['occupation']}."
    return given


class Services:
    """A fetcher: local models by replay, LibreTranslate by what it was told to say.

    `two.test` offers a feminine variant beside what begins with "I am tired"; `full.test` says
    after `full_after` answers that its quota is used up.
    """

    def __init__(self, given, full_after=5):
        self._given, self._full_after = given, full_after
        self._local = ReplayFetcher(DUE, given)

    def fetch(self, requests):
        waited = (request for request in requests if not isinstance(request, Pause))
        for index, request in enumerate(waited):
            if isinstance(request, HttpRequest):
                yield index, self._service(request)
            else:
                [(_, answer)] = self._local.fetch([request])
                yield index, answer

    def _service(self, request):
        text = json.loads(request.body)["q"]
        answer = Answer(
            Outcome.OK, datetime.now(UTC), 0.1, status=200, url=request.url, egress="vienna",
            agent=(("http", "HTTP/2"), ("model_reported", "argos-1"), ("system_fingerprint", "fp")),
        )  # fmt: skip
        if "full.test" in request.url:
            self._full_after -= 1
            if self._full_after < 0:
                return replace(answer, status=429, body=json.dumps({"error": WORDS}).encode())
        said = {"translatedText": self._given[text]}
        if "two.test" in request.url and text.startswith("I am tired"):
            said["alternatives"] = ["Estou cansada."]
        return replace(answer, body=json.dumps(said).encode())

    def close(self):
        """Nothing is held open."""


def libre(host, sources, targets, **config):
    config = {"base_url": f"http://{host}.test", **config}
    use = {"name": "libretranslate", "sources": sources, "targets": targets, "config": config}
    return use | {"pace": 10_000.0}


ENGINES = [
    libre("one", ["en"], ["pt", "es"]),
    libre("two", ["en"], ["pt"], alternatives=1),
    libre("one", ["tr", "fi"], ["en"]),
    libre("full", ["en"], ["pt"]),
    {"name": "firefox_translations", "sources": ["en"], "targets": ["pt"], "control": True},
]
RATIO = {"references": ["us_labour", "parity"], "min_templates": 2, "floor": 2, "topics_floor": 3}
MEASURES = [
    {"name": "masculine_rate"},
    {"name": "c_ratio_bias", **RATIO},
    {"name": "gender_accuracy"},
]


def run_many(database, folder, engines=ENGINES):
    """Run four lists against five uses of two engines; returns the summary."""
    make_list(folder, "stereo", items=STEREOTYPES)
    make_list(folder, "jobs", items=JOBS)
    make_list(folder, "said", items=said_items())
    make_list(folder, "spoken", items=spoken_items(), cue="pronoun")
    content = job_content(
        lists=[{"name": f"{name}@1"} for name in ("stereo", "jobs", "said", "spoken")],
        engines=list(engines),
        measures=MEASURES,
        governance=governed("libretranslate"),
    )
    return run_audit(database, load_audit(make_job(folder, **content)), Services(translations()))


class Scores:
    """A fetcher of recorded scores: stereotypes about men higher, templates apart."""

    def fetch(self, requests):
        numbers = {item["text"]: int(item["stereotype"]) for item in STEREOTYPES}
        for index, request in enumerate(requests):
            scores = [
                {t: (numbers[text] - 8 + len(text) % 3) / 40 + int(t) / 100 for t in "0123"}
                for text in request.texts
            ]
            content = {"log": "10", "scores": scores, "rows": [1] * len(scores)}
            yield index, Answer(Outcome.OK, DUE, 0.1, body=json.dumps(content).encode())

    def close(self):
        """Nothing is held open."""


def run_models(database, folder, models=("tiny-lm", "other")):
    """Run two language models on the stereotypes."""
    make_list(folder, "stereo", items=STEREOTYPES)
    content = job_content(
        schedule={"cron": "0 5 * * mon", "catch_up": "all"},
        lists=[{"name": "stereo@1"}],
        engines=[
            {
                "name": "recorded_scores",
                "targets": ["en"],
                "config": {"folder": "x", "system": model},
            }
            for model in models
        ],
        measures=[{"name": "lm_ratio"}],
    )
    return run_audit(database, load_audit(make_job(folder, **content)), Scores())
