"""The API does what its OpenAPI document says, whatever is asked: no 5xx, answers of its shapes."""

import re
from collections import defaultdict
from datetime import timedelta
from itertools import cycle, product
from urllib.parse import quote

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, find, given, settings
from schemathesis import GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.python import asgi
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from monitor.roles import Role
from monitor.store.access import users
from monitor.web.site.site_state import EntryRule
from tests.web.site.conftest import HOSTS
from tests.web.site.routes import known

CHECKS = [
    not_a_server_error, status_code_conformance, content_type_conformance,
    response_schema_conformance,
]  # fmt: skip
HASTE = settings(
    derandomize=True,
    database=None,
    deadline=None,
    phases=[Phase.generate],
    suppress_health_check=list(HealthCheck),
)
#: Per operation, of requests that fit the document and of such that do not.
EXAMPLES = {GenerationMode.POSITIVE: 8, GenerationMode.NEGATIVE: 4}
#: Numbers of things that the archive has: others are not there, and answered soon.
_HAS = 40
#: Values that numbers, dates and words of databases end at.
EDGES = (
    "-1", str(2**63), "9" * 1_000, "1e309", "0001-01-01T00:00:00+23:59",
    "9999-12-31T23:59:59-23:59", "0000-W99", "%' OR 1=1 --\\", "\U0010ffff\u202e\u0300" * 30,
)  # fmt: skip


@pytest.fixture
def client(sqlite_archive, make_client):
    """Nobody in particular, where that is allowed."""
    hosts = HOSTS | {asgi.HOST}
    return make_client(sqlite_archive, entry=EntryRule.PUBLIC, hosts=hosts)


@pytest.fixture
def askers(client, make_user):
    """Headers of everybody in turn: two who may, the public, one who may not, and a wrong token."""
    tokens = [_token(client.site, make_user, role) for role in (Role.ANALYST, Role.LABELLER)]
    analyst, labeller, wrong = (
        {"Authorization": f"Bearer {secret}"} for secret in (*tokens, f"{tokens[0]}x")
    )
    return cycle([analyst, {}, analyst, labeller, analyst, wrong])


def _token(site, make_user, role):
    user = make_user(site.database, role.value, role)
    with site.database.begin() as connection:
        until = site.now() + timedelta(days=1)
        return users.add_token(connection, user, "api", until, site.now())


@pytest.fixture
def schema(client):
    return schemathesis.openapi.from_asgi("/api/v1/openapi.json", client.app)


def test_the_document_describes_every_route_of_the_api(client, schema):
    described = {one.ok().path for one in schema.get_all_operations()}
    routes = {route.path for route in known(client.app) if route.path.startswith("/api/")}
    assert routes - described == {"/api/v1/openapi.json"}
    assert described <= routes


def test_no_request_makes_it_fail(schema, askers):
    wrong, answered = [], set()
    for result in schema.get_all_operations():
        operation = result.ok()
        for mode, most in EXAMPLES.items():
            try:
                _try(operation, mode, most, askers, answered)
            except Exception as error:  # noqa: BLE001 - one wrong operation hides no other
                wrong.append(f"{operation.label}: {error}")
    assert not wrong, "\n\n".join(wrong)
    assert {200, 401, 403, 404, 422} <= answered


def _try(operation, mode, most, askers, answered):
    try:
        cases = operation.as_strategy(generation_mode=mode)
        find(cases, lambda _case: True, settings=settings(HASTE, max_examples=3))
    except Exception:  # an operation without parameters cannot be asked wrongly
        if mode is GenerationMode.NEGATIVE:
            return
        raise

    @settings(HASTE, max_examples=most)
    @given(case=cases)
    def one(case):
        if mode is GenerationMode.POSITIVE:
            for name, value in (case.path_parameters or {}).items():
                if isinstance(value, int) and value % 4:
                    case.path_parameters[name] = value % _HAS + 1
        answer = case.call_and_validate(headers=next(askers), checks=CHECKS)
        answered.add(answer.status_code)

    one()


def test_no_value_at_an_edge_makes_it_fail(client, schema, askers):
    """All parameters of an operation have it at once, and twice."""
    headers = next(askers)
    operations = [result.ok() for result in schema.get_all_operations()]
    for value, operation in product(EDGES, operations):
        path = operation.path.format_map(defaultdict(lambda: 1, measure=quote(value, safe="")))
        asked = [(one.name, value) for one in operation.query] * 2
        answer = client.get(path, params=asked, headers=headers)
        assert answer.status_code in (200, 400, 403, 404, 422), (operation.label, value)
        assert answer.headers["Content-Type"].startswith("application/"), operation.label


#: What Python or pydantic would take for a number or a time, and what is no text of either.
SPELLINGS = (
    "0.5", "1_0", " 1", "+1", "1.0", "1e1", "0x1", "\u0663", "1700000000", "-0.5", "nan", "inf",
    "2026-W01", "2026-05", "20260531", "2026-05-31T12", "2026-13-01", "2026-05-31T12:00:00+99:00",
)  # fmt: skip


def _fits(schema, value):
    """Whether a schema of the document takes what stands in an address; None: it is of neither."""
    kinds = schema.get("anyOf", [schema])
    if any(one.get("type") == "integer" for one in kinds):
        return re.fullmatch(r"-?[0-9]+", value) is not None
    assert not any("format" in one or one.get("type") == "number" for one in kinds), schema
    patterns = [one["pattern"] for one in kinds if "pattern" in one]
    return any(re.search(pattern, value) for pattern in patterns) if patterns else None


def test_numbers_and_times_are_taken_as_the_document_spells_them(client, schema, askers):
    headers, refused = next(askers), 0
    for result in schema.get_all_operations():
        operation = result.ok()
        path = operation.path.format_map(defaultdict(lambda: 1))
        for one in operation.query:
            for value in SPELLINGS:
                if _fits(one.definition["schema"], value) is False:
                    answer = client.get(path, params={one.name: value}, headers=headers)
                    assert answer.status_code == 422, (operation.label, one.name, value)
                    refused += 1
    assert refused > 100


@pytest.mark.parametrize(
    "written",
    ["2026-05-31", "2026-05-31T12:00", "2026-05-31T12:00:00Z", "2026-05-31T12:00:00.5+02:00"],
)
def test_times_are_taken_as_people_and_programs_write_them(client, askers, written):
    answer = client.get("/api/v1/changes", params={"until": written}, headers=next(askers))
    assert answer.status_code == 200
    assert answer.json()["asked"]["until"].startswith("2026-05-31")


def test_nobody_reads_it_without_a_token(sqlite_archive, make_client, schema):
    client = make_client(sqlite_archive)
    for result in schema.get_all_operations():
        path = result.ok().path.replace("{", "").replace("}", "")
        answer = client.get(path)
        assert answer.status_code in (401, 422)
        if answer.status_code == 401:
            assert set(answer.json()) == {"detail"}


def test_the_public_reads_what_it_sees(sqlite_archive, make_client):
    public = make_client(sqlite_archive, entry=EntryRule.PUBLIC)
    assert public.get("/api/v1/overview").status_code == 200
    assert public.get("/api/v1/overview").json()["alarms"] is None
