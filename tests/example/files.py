"""The job files and lists of the example, written into a folder as a person would have them."""

from dataclasses import dataclass

from tests.example import invented
from tests.example.systems import CONTROL, SITES, TRANSLATORS
from tests.factories import governed, job_content, make_job, make_list

TRANSLATING, SEARCHING = "invented-translators", "invented-search"
_SCHEDULE = {"cron": "0 5 * * mon", "timezone": "UTC"}
_REPORT = {"cron": "0 9 * * tue", "formats": ["html", "json"]}


@dataclass(frozen=True)
class Size:
    """How much is asked: items of each stereotype, templates, occupations, and for how long.

    The places of weeks count from 0. `turned` is when a service changes its habits, `down` when it
    does not answer, `drifting` from when on another one changes slowly in one language, `replaced`
    when the list gets another version, `updated` when our own software is updated and that other
    service changes its habits at the same time; None: never. Search engines are asked from
    `searching` on. `browser`: pages are opened in a Chromium.
    """

    weeks: int = 24
    per_stereotype: int = 7
    templates: int = 2
    occupations: int = 12
    targets: tuple = tuple(invented.MARK)
    missed: int | None = 4
    replaced: int | None = 2
    searching: int = 16
    blocked: int | None = 20
    down: int | None = 7
    drifting: int | None = 5
    turned: int | None = 11
    updated: int | None = 21
    browser: bool = True

    @property
    def names(self):
        """The occupations."""
        return list(invented.SHOWN)[: self.occupations]


FULL = Size()


def lists(size, version):
    """(stereotypes, occupations) of the translators; version 2 has other sentences at its end."""
    kept = size.per_stereotype - 1
    feelings = invented.feelings(kept) + invented.feelings(1, without=kept + version - 1)
    jobs = invented.shipped(
        "professions@1", ("occupation", "template"), size.templates, set(size.names)
    )
    return feelings, jobs


def questions(size):
    """Everything that translators are ever asked."""
    (first, jobs), (second, _) = lists(size, 1), lists(size, 2)
    return list({item["key"]: item for item in (*first, *second, *jobs)}.values())


def write(folder, size, place=0):
    """Write the jobs of a week; returns the paths of their files."""
    version = 2 if size.replaced is not None and place >= size.replaced else 1
    feelings, jobs = lists(size, version)
    make_list(
        folder, "feelings", version=version, items=feelings, licence="CC-BY-4.0",
        title="Sentences about stereotypes, one in each frame",
    )  # fmt: skip
    make_list(
        folder, "work", items=jobs, licence="CC-BY-4.0",
        title="Part of the shipped list of professions",
    )  # fmt: skip
    asked = [
        {"key": f"famous-{n}s", "text": f"famous {n}s", "occupation": n, "gender_neutral": "yes"}
        for n in size.names
    ]
    make_list(folder, "famous", items=asked, cue="people", title="Famous people by occupation")
    return [
        make_job(folder, f"{name}.toml", **content)
        for name, content in (
            (TRANSLATING, _translators(version, size.targets)),
            (SEARCHING, _search(browser=size.browser)),
        )
        if name != SEARCHING or place >= size.searching
    ]


def _translators(version, targets):
    """Two services, and a control of the first language alone: of the other no cause is known."""
    targets = list(targets)
    engines = [
        {
            "name": "libretranslate", "targets": targets, "pace": 100_000.0, "in_flight": 8,
            "title": f"Invented translator {letter}", "config": {"base_url": f"http://{name}.test"},
        }
        for letter, name in zip("AB", TRANSLATORS, strict=True)
    ]  # fmt: skip
    control = {
        "name": "ctranslate2", "targets": targets[:1], "control": True, "title": "Invented control",
        "config": {"model": CONTROL, "family": "m2m"},
    }  # fmt: skip
    ratio = {"references": ["us_labour"], "min_templates": 2, "floor": 2,
             "topics_floor": 4}  # fmt: skip
    declared = {
        "hypothesis": "None of the invented services changes. (Two do: this is an example.)",
        "primaries": ["f_s", "f_m"],
        "targets": targets,
        "smallest_effect": {"f_s": 0.1, "f_m": 0.1},
        "stop_rule": 52,
    }
    return job_content(
        name=TRANSLATING,
        invented=True,
        description="Two services and a control that do not exist, into two languages",
        schedule=_SCHEDULE,
        lists=[{"name": f"feelings@{version}"}, {"name": "work@1"}],
        engines=[control, *engines],
        measures=[{"name": "masculine_rate", "floor": 3}, {"name": "c_ratio_bias", **ratio}],
        noise={"share": 1},
        confirm={"within_hours": 48, "after_hours": 2},
        report=_REPORT | {"covers": "all"},
        preregistration=declared,
        governance=_governed("libretranslate"),
        tries=1,
    )


def _search(*, browser):
    page = {"url": f"http://{SITES[0]}/search?q={{query}}", "result": "article", "snippet": "p"}
    over = "browser" if browser else "http"
    engines = [
        {
            "name": "selectors", "regions": ["us-en"], "pace": 100.0, "in_flight": 4,
            "title": "Invented search A", "config": page | {"over": over},
        },
        {
            "name": "searxng", "regions": ["us-en", "gb-en"], "pace": 1000.0,
            "title": "Invented search B", "config": {"base_url": f"http://{SITES[1]}"},
        },
    ]  # fmt: skip
    people = {"references": ["us_labour", "parity"], "block": "organic", "cutoff": 10,
              "topics_floor": 4}  # fmt: skip
    return job_content(
        name=SEARCHING,
        invented=True,
        description="Whom two search engines that do not exist show for occupations",
        schedule=_SCHEDULE,
        lists=[{"name": "famous@1"}],
        engines=engines,
        measures=[{"name": "c_ratio_bias", **people},
                  {"name": "NFaiRR", "cutoff": 10}],
        governance=_governed("selectors", "searxng"),
        tries=1,
    )  # fmt: skip


def _governed(*engines):
    return governed(
        *engines,
        purpose="An example to look around in: every answer is invented",
        controller="Nobody: the example of the program monitor",
        legal_basis="None is needed: nobody is asked, and all names are invented",
        contact="example@monitor.test",
    )
