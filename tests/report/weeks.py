"""A database with a year of weekly ticks, as collecting and comparing would leave it.

Values are random walks with a seed, written straight into the tables: everything that the weekly
report prints, hostile names and all sorts of absence included.
"""

import random
from datetime import UTC, datetime, timedelta

import sqlalchemy as sa

from monitor.jobs import Job
from monitor.model import digest
from monitor.stages.changes import decisions
from monitor.store import rows, schema
from monitor.store.collect import runs
from monitor.store.derive.points import SeriesKey, store_scopes
from tests.factories import job_content

FIRST = datetime(2025, 11, 24, 5, tzinfo=UTC)
WEEK = timedelta(weeks=1)
OVERALL = ("f_s", "f_m", "marked_share", "s_or", "p_m", "p_f")
LEVELS = {"f_s": 0.18, "f_m": 0.66, "marked_share": 0.81, "s_or": 0.9, "p_m": 0.75, "p_f": 0.57}
STEREOTYPES = (
    "emotional and irrational", "gentle, kind and submissive", "empathetic and caring",
    "neat and diligent", "social", "weak", "beautiful", "tough and rough", "self-confident",
    "professional and decisive", "rational", "providers", "leaders", "childish", "sexual", "strong",
)  # fmt: skip
PROFESSIONS = (
    "nurse", "carpenter", "chief_executive_officer", "teacher", "driver", "software_developer",
    "librarian", "plumber", "receptionist", "surgeon", "judge", "cleaner", "electrician", "author",
    "police_officer", "dietitian", "pilot", "farmer", "secretary", "economist",
)  # fmt: skip


def insert(connection, table, **row):
    return rows.insert_returning(connection, table, [row])[0]


class Weeks:
    """Writes one job into a database, tick by tick."""

    def __init__(self, database, name="mt-weekly", n_ticks=53, seed=1, **content):
        self.database, self.name, self.n_ticks = database, name, n_ticks
        self.random = random.Random(seed)  # noqa: S311 - nothing secret
        self.content = content
        self.series, self.points, self.run_of = {}, {}, {}
        with database.begin() as connection:
            self.job_id = runs.ensure_job(
                connection, Job.model_validate(job_content(name=name, **content)), FIRST
            )

    def at(self, place):
        """The due time of a tick, counted from 0."""
        return FIRST + place * WEEK

    @property
    def last(self):
        """The due time of the newest tick."""
        return self.at(self.n_ticks - 1)

    # --- ticks ------------------------------------------------------------------------------------

    def run(self, connection, place, kind="scheduled", state="done", due_at=None):
        due_at = due_at or self.at(place)
        self.run_of[place, kind] = insert(
            connection, schema.runs, job_id=self.job_id, job=self.name, due_at=due_at, kind=kind,
            code_version="0.7.0", packages={"numpy": "2.3"}, created_at=due_at, state=state,
            finished_at=due_at + timedelta(hours=2),
        )  # fmt: skip
        return self.run_of[place, kind]

    def ticks(self, missed=(), partial=()):
        """Runs of all ticks but the missed ones, which have a row that says why."""
        with self.database.begin() as connection:
            for place in range(self.n_ticks):
                if place in missed:
                    self.miss(connection, place)
                else:
                    self.run(connection, place, state="partial" if place in partial else "done")

    def miss(self, connection, place, reason="not begun within 5 minutes of its time"):
        at = self.at(place)
        insert(
            connection, schema.ticks, job=self.name, due_at=at, start_at=at, state="missed",
            reason=reason, run_id=None, noted_at=at, ended_at=at,
        )  # fmt: skip

    # --- what is measured -------------------------------------------------------------------------

    def engine(self, connection, name, kind="mt", surface="api"):
        key = {"name": name, "surface": surface, "config_hash": digest([name, surface])[:16]}
        return rows.get_or_insert(connection, schema.engines, key, {"kind": kind, "config": {}})

    def signature(self, connection, **parts):
        whole = {
            "measure": "masculine_rate", "measure_version": 1, "parameters": {"floor": 20},
            "parser": "deepl", "parser_version": 3, "list": "gest@1.0", "reference": "",
            "reference_version": 0, "language": "cs", "language_version": 4,
        } | parts  # fmt: skip
        return rows.get_or_insert(
            connection, schema.signatures, {"hash": digest(whole)}, {"parts": whole}
        )

    def key(self, connection, engine, target, quantity, scope="all", **about):
        """Id of a series."""
        about = {
            "kind": "mt", "surface": "api", "list": "gest", "source_lang": "en",
            "measure": "masculine_rate", "reference": "",
        } | about  # fmt: skip
        engine_id = self.engine(connection, engine, about["kind"], about["surface"])
        key = SeriesKey(
            self.name, about["list"], engine_id, (engine, about["surface"], "c"),
            about["source_lang"], target, about["measure"], about["reference"],
        )  # fmt: skip
        row = key.row(quantity, scope)
        self.series[engine, target, quantity, scope] = rows.get_or_insert(
            connection, schema.series_keys, {"key": row.pop("key")}, row
        )
        return self.series[engine, target, quantity, scope]

    def point(
        self, connection, series_id, place, signature, value, *, half=0.02, reason="", **more
    ):
        """A current point; no value is INSUFFICIENT."""
        row = self._row(series_id, place, signature, value, half, reason) | more
        return self._insert(connection, series_id, signature, {place: row})[0]

    def walk(self, connection, series_id, level, places, signature, *, half=0.02, steps=None):
        """A point at each place: a level with noise, and steps {place: by how much}."""
        content = {}
        for place in places:
            if (place, "scheduled") in self.run_of:
                level += (steps or {}).get(place, 0)
                value = level + self.random.gauss(0, half / 5)
                content[place] = self._row(series_id, place, signature, value, half, "")
        self._insert(connection, series_id, signature, content)

    def _row(self, series_id, place, signature, value, half, reason):
        is_there = value is not None
        run_id = self.run_of[place, "scheduled"]
        return {
            "series_id": series_id, "run_id": run_id, "signature_id": signature,
            "due_at": self.at(place), "state": "measured" if is_there else "insufficient",
            "reason": reason, "value": value, "low": value - half if is_there else None,
            "high": value + half if is_there else None,
            "bound_low": value - 0.1 if is_there else None,
            "bound_high": value + 0.1 if is_there else None,
            "flags": [], "planned": 3000, "answered": 2980, "used": 2400, "unidentified": 30,
            "inputs_digest": digest([series_id, run_id, signature]),
            "computed_at": self.at(place), "is_current": True,
        }  # fmt: skip

    def _insert(self, connection, series_id, signature, content):
        found = rows.insert_returning(connection, schema.points, list(content.values()))
        self.points |= {(series_id, at): one for at, one in zip(content, found, strict=True)}
        own = sa.update(schema.series_keys).where(schema.series_keys.c.id == series_id)
        connection.execute(own.values(signature_id=signature))
        return found

    # --- what is found ----------------------------------------------------------------------------

    def compare(self, connection, series_id, contrast, before, after, signature, delta, **more):
        """A comparison; no delta is INSUFFICIENT."""
        half = more.pop("half", 0.012)
        row = {
            "series_id": series_id, "contrast": contrast, "before_run_id": before,
            "after_run_id": after, "other_id": None, "signature_id": signature,
            "due_at": self.last, "method_version": 1,
            "state": "insufficient" if delta is None else "measured", "reason": "",
            "test": "sign_flip", "n": 2350, "only_before": 21, "only_after": 17, "changed": 41,
            "before": None if delta is None else 0.5,
            "after": None if delta is None else 0.5 + delta,
            "delta": delta, "low": None if delta is None else delta - half,
            "high": None if delta is None else delta + half, "p": 0.3,
            "facts": {"spread": abs(delta or 0.0)},
            "inputs_digest": "d", "computed_at": self.last, "is_current": True,
        } | more  # fmt: skip
        return insert(connection, schema.comparisons, **row)

    def level(self, connection, series_id, signature, places=None, sd=0.004):
        """Differences of runs to the first of them, which are noise; returns them in their order.

        Of scheduled runs, and of noise runs as those that ask all questions again. What is compared
        with the first run already is left as it is.
        """
        drawn = random.Random(f"{self.name} {series_id}")  # noqa: S311 - nothing secret
        asked = sorted(
            (at, kind != "scheduled", run) for (at, kind), run in self.run_of.items()
            if kind in ("scheduled", "noise") and (places is None or at in places)
        )  # fmt: skip
        (_, _, first), *later = asked
        first_ones = sa.select(schema.comparisons.c.after_run_id).where(
            schema.comparisons.c.series_id == series_id, schema.comparisons.c.contrast == "first"
        )
        there = set(connection.execute(first_ones).scalars())
        deltas = []
        for at, is_again, run in later:
            if run not in there:
                deltas.append(drawn.gauss(0, sd) if sd else 0.0)
                self.compare(connection, series_id, "again" if is_again else "first", first, run,
                             signature, deltas[-1], due_at=self.at(at))  # fmt: skip
        return deltas

    def change(self, connection, series_id, before, after, **more):
        row = {
            "series_id": series_id, "kind": "step", "role": "primary",
            "family": "deepl | api | cs", "changed_at": self.last, "detected_at": self.last,
            "before_run_id": before, "after_run_id": after, "comparison_id": None,
            "confirm_id": None, "before": 0.181, "after": 0.236, "effect": 0.055, "low": 0.031,
            "high": 0.079, "p": 0.00004, "q": 0.0008, "alpha": 0.05,
            "noise": 0.0061, "statistic": 9.0, "status": "confirmed", "cause": "engine",
            "because": "The control series stood still (0 of 3,000 answers changed), and the same "
            "answers read again gave the same points.",
            "sentence": "Masculine forms rose from 0.75 to 0.79 in men-stereotype sentences and "
            "fell from 0.57 to 0.55 in women-stereotype sentences; f_s rose.",
            "facts": {}, "inputs_digest": "c", "computed_at": self.last, "is_current": True,
        } | more  # fmt: skip
        return insert(connection, schema.changes, **row)

    def decide(self, connection):
        """Let all ticks be decided, without anything to test."""
        for (place, kind), run in self.run_of.items():
            if kind == "scheduled":
                runs.mark_stage(connection, run, runs.COMPARE, "")
                self.look(connection, place, number=0, p=None, alpha=None)

    def look(self, connection, place, **more):
        row = {
            "job": self.name, "due_at": self.at(place), "number": place, "families": 6,
            "hypotheses": 18, "p": 0.41, "alpha": 0.05, "selected": 0, "rule": decisions.RULE,
            "inputs_digest": "l", "computed_at": self.at(place),
        } | more  # fmt: skip
        return insert(connection, schema.looks, **row)

    def declare(
        self, connection, at=FIRST - WEEK, primaries=("f_s", "f_m", "marked_share"), stop_rule=104
    ):
        declared = {
            "hypothesis": "Nothing changes.", "primaries": list(primaries), "alpha": 0.05,
            "targets": ["cs", "pl", "uk"], "stop_rule": stop_rule,
        }  # fmt: skip
        with_job = sa.select(schema.jobs.c.content_hash).where(schema.jobs.c.id == self.job_id)
        content = {
            "format": 1, "declared": declared, "job_hash": connection.execute(with_job).scalar(),
            "lists": self._ask_lists(connection), "references": {}, "regions": {},
        }  # fmt: skip
        return insert(
            connection, schema.preregistrations, job=self.name, content=content,
            hash=digest([self.name, content]), registered_at=at,
        )  # fmt: skip

    def _ask_lists(self, connection):
        """Say of all runs so far that they asked the lists of the job; gives their hashes."""
        job = sa.select(schema.jobs.c.content).where(schema.jobs.c.id == self.job_id)
        found = {}
        for use in connection.execute(job).scalar()["lists"]:
            name, version = use["name"].split("@")
            found[use["name"]] = digest(use["name"])
            rest = {
                "content_hash": found[use["name"]], "source_lang": "en", "title": name,
                "status": "unvalidated", "licence": "CC0-1.0", "description": "",
                "published_at": FIRST,
            }  # fmt: skip
            key = {"name": name, "version": version}
            list_id = rows.get_or_insert(connection, schema.lists, key, rest)
            asked = [{"run_id": one, "list_id": list_id} for one in self.run_of.values()]
            rows.insert_ignore(connection, schema.run_lists, asked)
        return found

    # --- answers ----------------------------------------------------------------------------------

    def ask(self, connection, run_id, engine_id, outcomes, at=None):
        """Exchanges of one question each: {(outcome, reason): how many}."""
        at = at or self.last
        body = rows.get_or_insert(
            connection, schema.bodies, {"sha256": digest("body")},
            {"size": 1700, "encoding": "zstd", "content": b"x", "retention": "answer",
             "stored_at": at},
        )  # fmt: skip
        for (outcome, reason), n in outcomes.items():
            for _ in range(n):
                probe = digest([run_id, engine_id, outcome, reason, _])[:32]
                probe_id = insert(
                    connection, schema.probes, key=probe, text=probe, source_lang="en",
                    target_lang="cs", region="", parameters=[],
                )  # fmt: skip
                exchange = None
                if outcome != "not asked":
                    exchange = insert(
                        connection, schema.exchanges, run_id=run_id, engine_id=engine_id,
                        purpose="probe", request={}, outcome=outcome, reason=reason, detail="",
                        status=200, url="", headers=[], body_id=body, egress="direct", asked_at=at,
                        took=0.4,
                    )  # fmt: skip
                insert(
                    connection, schema.attempts, run_id=run_id, engine_id=engine_id,
                    probe_id=probe_id, repeat=0, n=1, exchange_id=exchange,
                    position=None if exchange is None else 0, final=exchange is not None,
                )  # fmt: skip


def scopes(connection):
    """What stereotypes stand for."""
    store_scopes(
        connection,
        [
            (f"stereotype:{n}", "women" if n <= 7 else "men",
             f"{'women' if n <= 7 else 'men'} are {name}")
            for n, name in enumerate(STEREOTYPES, 1)
        ],
    )  # fmt: skip


def topics(connection, weeks, point_id, *, tested, seed=2):
    """Values of professions at one point, with p and q where a test fits."""
    drawn = random.Random(seed)  # noqa: S311 - nothing secret
    for place, name in enumerate(PROFESSIONS):
        target = round(0.05 + 0.9 * place / len(PROFESSIONS), 3)
        model = min(1.0, max(0.0, target * 0.7 + drawn.gauss(0, 0.12)))
        is_there = place != 7
        p = min(1.0, abs(drawn.gauss(0, 0.2)) ** 3) if tested and is_there else None
        insert(
            connection, schema.topic_values, point_id=point_id, topic=name,
            state="measured" if is_there else "insufficient",
            reason="" if is_there else "too few answers", women=4.0, men=6.0,
            model=model if is_there else None, model_low=max(0, model - 0.2) if is_there else None,
            model_high=min(1, model + 0.2) if is_there else None, target=target,
            bias=model - target if is_there else None, bound_low=-0.4 if is_there else None,
            bound_high=0.4 if is_there else None, planned=10, answered=10, used=10, unidentified=0,
            source="us_labour", country="US", as_of="2019", shown=10, labelled=9, p=p,
            q=None if p is None else min(1.0, 3 * p),
        )  # fmt: skip


def small(database, n_ticks=5, **content):
    """One job with two engines, one target and five ticks."""
    weeks = Weeks(database, n_ticks=n_ticks, **content)
    weeks.ticks()
    with database.begin() as connection:
        signature = weeks.signature(connection)
        for engine in ("deepl", "google_translate"):
            for name in OVERALL:
                series = weeks.key(connection, engine, "cs", name)
                weeks.walk(connection, series, LEVELS[name], range(n_ticks), signature)
    return weeks


def measured(database, **content):
    """As `small`, with so many ticks that the noise of every series is known."""
    weeks = small(database, n_ticks=18, **content)
    with database.begin() as connection:
        signature = weeks.signature(connection)
        before, now = (weeks.run_of[place, "scheduled"] for place in (16, 17))
        for series in weeks.series.values():
            weeks.compare(connection, series, "week", before, now, signature, 0.001)
            weeks.level(connection, series, signature)
    return weeks


def year(database):
    """Everything at once: seven systems, stereotypes, professions, people, slopes, changes."""
    engines = [
        {"name": "deepl", "targets": ["cs", "pl", "uk"], "daily_budget": 5000},
        {"name": "google_translate", "targets": ["cs", "pl", "uk"]},
        {"name": "firefox_translations", "targets": ["cs"], "control": True},
    ]
    weeks = Weeks(
        database, engines=engines,
        governance={
            "purpose": "Research on gender in translation", "controller": "The institute",
            "legal_basis": "Art. 89 GDPR", "contact": "audit@institute.eu",
            "reviews": {"deepl": "2026-05-01", "google_translate": "2026-05-02"},
        },
    )  # fmt: skip
    weeks.ticks(missed=(9, 10, 30), partial=(52,))
    with database.begin() as connection:
        scopes(connection)
        _translators(connection, weeks)
        _found(connection, weeks)
        _professions(connection, weeks)
        _asked(connection, weeks)
    _searches(database)
    return weeks


def _translators(connection, weeks):
    old, new = weeks.signature(connection), weeks.signature(connection, language_version=5)
    for engine, surface in (("deepl", "api"), ("google_translate", "api"),
                            ("firefox_translations", "local")):  # fmt: skip
        for target in ("cs",) if surface == "local" else ("cs", "pl", "uk"):
            shift = weeks.random.uniform(-0.06, 0.06)
            begun = 20 if (engine, target) == ("google_translate", "uk") else 0
            for name in OVERALL:
                series = weeks.key(connection, engine, target, name, surface=surface)
                half = 0.09 if name == "s_or" else 0.02
                steps = {52: 0.055} if (engine, target, name) == ("deepl", "cs", "f_s") else None
                level = LEVELS[name] + shift
                if target != "pl":
                    weeks.walk(connection, series, level, range(begun, 53), old, half=half,
                               steps=steps)  # fmt: skip
                    continue
                # the answers of the first twenty ticks are not kept: they stay as they were
                weeks.walk(connection, series, level, range(20), old, half=half)
                weeks.walk(connection, series, level - 0.03, range(20, 52), new, half=half)
                insert(connection, schema.switches, series_id=series, from_id=old, to_id=new,
                       switched_at=weeks.at(52) - timedelta(days=2))  # fmt: skip
                weeks.point(connection, series, 52, new, None,
                            reason="12 of 16 stereotypes have a value, floor 14")  # fmt: skip
            if surface != "local" and target != "pl":
                _ranks(connection, weeks, engine, target, old)


def _ranks(connection, weeks, engine, target, signature):
    order = sorted(range(1, 17), key=lambda n: n + weeks.random.gauss(0, 2.5))
    for rank, number in enumerate(order, 1):
        series = weeks.key(connection, engine, target, "feminine_rank", f"stereotype:{number}")
        weeks.point(connection, series, 52, signature, float(rank), half=0, low=None, high=None)


def _found(connection, weeks):
    signature = weeks.signature(connection)
    now, before, first = (weeks.run_of[n, "scheduled"] for n in (52, 51, 0))
    noise_run = weeks.run(connection, 52, "noise", due_at=weeks.last - timedelta(days=1))
    confirm = weeks.run(connection, 52, "confirm", due_at=weeks.last - timedelta(hours=3))
    weeks.declare(connection)
    compared = {}
    for (engine, target, name, scope), series in weeks.series.items():
        if scope != "all" or target == "pl":
            continue
        delta = 0.055 if (engine, target, name) == ("deepl", "cs", "f_s") else 0.002
        for contrast, run in (("week", before), ("first", first)):
            compared[series, contrast] = weeks.compare(
                connection, series, contrast, run, now, signature, delta
            )
        begun = 20 if (engine, target) == ("google_translate", "uk") else 0
        weeks.level(connection, series, signature, places=range(begun, 53))
        for contrast, n in (("minutes", 12), ("days", 10)):
            for _ in range(n):
                weeks.compare(connection, series, contrast, now, noise_run, signature,
                              weeks.random.gauss(0, 0.004), n=300)  # fmt: skip
        if engine == "deepl" and name in ("f_s", "f_m"):
            other = weeks.series["google_translate", target, name, "all"]
            weeks.compare(connection, series, "engines", now, now, signature, 0.031, other_id=other,
                          p=0.0004 if target == "cs" else 0.02)  # fmt: skip
    series = weeks.series["deepl", "cs", "f_s", "all"]
    again = weeks.compare(connection, series, "confirm", before, confirm, signature, 0.049)
    weeks.look(connection, 52, p=0.0008, selected=1)  # q of the changes below
    weeks.change(connection, series, before, now, comparison_id=compared[series, "week"],
                 confirm_id=again)  # fmt: skip
    weeks.change(
        connection, weeks.series["google_translate", "uk", "f_m", "all"], before, now,
        status="candidate", cause="open", effect=-0.03, low=-0.05, high=-0.01,
        because="No control series was asked for this target.",
        sentence="Masculine forms became rarer in both groups.",
    )  # fmt: skip
    weeks.change(
        connection, weeks.series["google_translate", "cs", "marked_share", "all"], before, now,
        kind="shift", status="retrospective", changed_at=weeks.at(28), p=None, q=None, alpha=None,
        sentence="The level of marked_share rose at this tick, looking back over the year.",
    )  # fmt: skip


def _professions(connection, weeks):
    about = {"measure": "c_ratio_bias", "reference": "us_labour", "list": "professions"}
    signature = weeks.signature(connection, measure="c_ratio_bias", reference="us_labour@2019",
                                list="professions@1")  # fmt: skip
    for engine in ("deepl", "google_translate"):
        for target in ("cs", "pl", "uk"):
            found = {}
            for name, level in (("mb", -0.12), ("mab", 0.2)):
                series = weeks.key(connection, engine, target, name, **about)
                weeks.walk(connection, series, level, range(53), signature)
                found[name] = weeks.points[series, 52]
            topics(connection, weeks, found["mb"], tested=False, seed=len(target + engine))


def _asked(connection, weeks):
    run = weeks.run_of[52, "scheduled"]
    for engine, outcomes in (
        ("deepl", {("ok", ""): 40, ("throttled", "rate"): 3}),
        ("google_translate",
         {("ok", ""): 38, ("unreadable", "malformed"): 2, ("not asked", ""): 5}),
    ):  # fmt: skip
        weeks.ask(connection, run, weeks.engine(connection, engine), outcomes)
    insert(
        connection, schema.suspensions, lane="google_translate", exit="direct",
        since=weeks.last - timedelta(hours=20), until=weeks.last - timedelta(hours=8),
        reason="rate", detail="429 <script>alert(1)</script>", times=2,
    )  # fmt: skip
    insert(
        connection, schema.alarms, kind="blocked", subject="mt-weekly: google_translate",
        detail="9 of 40 answers (22 %) are walls", since=weeks.last - timedelta(hours=20),
        seen_at=weeks.last, resolved_at=None,
    )  # fmt: skip


def _searches(database):
    weeks = Weeks(
        database, "search-weekly",
        engines=[{"name": "mojeek", "regions": ["us-en"]}],
        measures=[{"name": "c_ratio_bias", "references": ["parity"]}, {"name": "GSR"}], n_ticks=53,
    )  # fmt: skip
    weeks.ticks(missed=(17,))
    with database.begin() as connection:
        about = {"kind": "search", "list": "people", "reference": "parity",
                 "measure": "c_ratio_bias@10"}  # fmt: skip
        signature = weeks.signature(
            connection, measure="c_ratio_bias", list="people@1", reference="parity@",
            block="carousel", parameters={"cutoff": 10},
        )  # fmt: skip
        found = {}
        for name, level in (("mb", -0.1), ("mab", 0.24), ("mab_null", 0.13), ("trigger_rate", 0.7)):
            series = weeks.key(connection, "mojeek", "us-en", name, **about)
            weeks.walk(connection, series, level, range(53), signature)
            found[name] = weeks.points[series, 52]
        topics(connection, weeks, found["mb"], tested=True, seed=5)
        about = {"kind": "search", "list": "queries", "measure": "GSR@10"}
        signature = weeks.signature(connection, measure="GSR", list="queries@1", text="snippet",
                                    parameters={"cutoff": 10})  # fmt: skip
        series = weeks.key(connection, "mojeek", "us-en", "gsr", **about)
        weeks.walk(connection, series, 0.3, range(53), signature, half=0.1)
        point = weeks.points[series, 52]
        for key, value in (("intercept", 0.01), ("relevant_slope", 0.18)):
            insert_fact = sa.insert(schema.point_facts)
            connection.execute(insert_fact.values(point_id=point, key=key, value=value))
        for n in range(40):
            x = weeks.random.uniform(-0.6, 0.6)
            insert(
                connection, schema.query_values, point_id=point, key=f"q{n}", state="measured",
                reason="", value=0.01 + 0.3 * x + weeks.random.gauss(0, 0.05), bound_low=None,
                bound_high=None, x=x, influence=weeks.random.gauss(0, 0.01), documents=10, used=9,
                missing=1, empty=0,
            )  # fmt: skip
        weeks.look(connection, 52, p=1.0)
