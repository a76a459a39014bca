"""docs/deploy: every file is parsed, and every command in it is run by this version."""

import json
import os
import re
import shlex
import shutil
import signal
import socket
import stat
import subprocess
import sys
import time
import zipfile
from configparser import RawConfigParser
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest
import yaml

from monitor import settings
from monitor.registry import discover
from monitor.settings import list_settings
from monitor.store.database import connect
from monitor.work import queue
from tests import warm
from tests.cases import check_each
from tests.factories import make_job, make_list
from tests.test_backup import client_programs

ROOT = Path(__file__).parent.parent
DEPLOY = ROOT / "docs" / "deploy"
DEFAULTS = {setting.name: setting.default for setting in list_settings()}
PATIENCE = 30.0
MONITOR = [sys.executable, "-m", "monitor.cli"]
UNITS = sorted(path.name for path in DEPLOY.glob("monitor-*") if path.suffix != ".timer")
TIMERS = sorted(path.name for path in DEPLOY.glob("*.timer"))
#: Debian's version of PostgreSQL, by the name of the release.
POSTGRESQL = {"bookworm": 15, "trixie": 17}
#: Directives that systemd 252 and later know, of those that are sensible here.
DIRECTIVES = {
    "Unit": "Description After Wants Requires RequiresMountsFor StartLimitIntervalSec",
    "Service": """
        Type NotifyAccess User Group StateDirectory StateDirectoryMode WorkingDirectory Environment
        EnvironmentFile ExecStart ExecReload TimeoutStartSec TimeoutStopSec WatchdogSec KillSignal
        KillMode SuccessExitStatus Restart RestartSec RestartPreventExitStatus UMask Nice
        IOSchedulingClass NoNewPrivileges CapabilityBoundingSet ProtectSystem ReadWritePaths
        ProtectHome PrivateTmp PrivateDevices ProtectClock ProtectHostname ProtectKernelLogs
        ProtectKernelModules ProtectKernelTunables ProtectControlGroups RestrictAddressFamilies
        RestrictRealtime RestrictSUIDSGID LockPersonality SystemCallArchitectures
    """,
    "Timer": "OnCalendar RandomizedDelaySec Persistent",
    "Install": "WantedBy",
}
#: What every service is kept from.
HARDENED = {
    "NoNewPrivileges": "yes", "ProtectSystem": "strict", "PrivateTmp": "yes", "ProtectHome": "yes",
    "User": "monitor", "StateDirectory": "monitor", "UMask": "0077", "CapabilityBoundingSet": "",
}  # fmt: skip


# --- readers --------------------------------------------------------------------------------------


def instructions():
    """(instruction, words after it) of the Dockerfile, lines that go on joined."""
    text = re.sub(r"^\s*#.*\n", "", (DEPLOY / "Dockerfile").read_text(), flags=re.MULTILINE)
    for line in re.sub(r"\\\n", " ", text).splitlines():
        if line.strip():
            name, _, rest = line.partition(" ")
            yield name, rest.strip()


def stages():
    """The instructions of each stage."""
    found = []
    for name, rest in instructions():
        if name == "FROM":
            found.append([])
        found[-1].append((name, rest))
    return found


def said(stage, name):
    return [rest for instruction, rest in stage if instruction == name]


def compose():
    return yaml.safe_load((DEPLOY / "compose.yaml").read_text())


def services():
    return compose()["services"]


class _All(dict):
    """A directive may be there more than once."""

    def __setitem__(self, key, value):
        if key in self and isinstance(value, list):
            self[key].extend(value)
        else:
            super().__setitem__(key, value)


def unit(name):
    """{section: {directive: [values]}} of a unit file."""
    parser = RawConfigParser(
        strict=False, dict_type=_All, delimiters=("=",), comment_prefixes=("#",), interpolation=None
    )
    parser.optionxform = str
    parser.read_string((DEPLOY / name).read_text())
    return {
        section: {key: value.split("\n") for key, value in parser.items(section)}
        for section in parser.sections()
    }


def one(name, directive):
    [value] = unit(name)["Service"][directive]
    return value


def environment_names():
    """{name: value} of the example, those that are commented out too."""
    pattern = r"^#?([A-Z][A-Z0-9_]*)=(.*)$"
    return dict(re.findall(pattern, (DEPLOY / "example.env").read_text(), re.MULTILINE))


def duration(text):
    """Seconds of 150s, 2min, 6h, 150."""
    number, word = re.fullmatch(r"(\d+)\s*(s|min|h|)", str(text)).groups()
    return int(number) * {"": 1, "s": 1, "min": 60, "h": 3600}[word]


# --- what the files say ---------------------------------------------------------------------------


def test_every_folder_and_file_that_is_copied_exists():
    build, final = stages()
    for rest in said(build, "COPY"):
        *sources, goal = rest.split()
        assert all((ROOT / source).exists() for source in sources)
        assert len(sources) == 1 or goal.endswith("/")
    [copied] = said(final, "COPY")
    assert copied == "--from=build /opt/monitor /opt/monitor"
    assert said(build, "FROM")[0].endswith(" AS build")


def test_the_context_holds_what_is_copied_and_nothing_secret():
    lines = (DEPLOY / "Dockerfile.dockerignore").read_text().splitlines()
    rules = [line for line in lines if line and not line.startswith("#")]
    assert rules[0] == "*"
    allowed = [rule[1:] for rule in rules if rule.startswith("!")]
    for rest in said(stages()[0], "COPY"):
        for source in rest.split()[:-1]:
            assert any(Path(source).match(rule) for rule in allowed), source
    assert not {"docs", "docs/deploy", "monitor.db", "*"} & set(allowed)


def test_packages_are_installed_by_hash_and_no_index_is_named():
    text = (DEPLOY / "Dockerfile").read_text() + (DEPLOY / "compose.yaml").read_text()
    assert "index-url" not in text
    assert "https://" not in text
    locks = re.findall(r"install --require-hashes -r (requirements/\w+\.lock)", text)
    assert {"requirements/run.lock", "requirements/landing.lock"} <= set(locks)
    copied = " ".join(said(stages()[0], "COPY"))
    for lock in locks:
        assert (ROOT / lock).is_file()
        assert lock in copied
    for command in re.findall(r"pip (?:install|wheel)[^&\n]*", text):
        assert "--require-hashes" in command or "--no-deps" in command


def test_the_image_has_the_wheel_with_all_that_belongs_to_it(tmp_path):
    """The wheel is built, as in the image, from the files that are copied and no others."""
    for rest in said(stages()[0], "COPY"):
        *sources, goal = rest.split()
        for source in sources:
            target = tmp_path / goal / (Path(source).name if goal.endswith("/") else "")
            target.parent.mkdir(parents=True, exist_ok=True)
            if (ROOT / source).is_dir():
                ignored = shutil.ignore_patterns("__pycache__")
                shutil.copytree(ROOT / source, target, ignore=ignored, dirs_exist_ok=True)
            else:
                shutil.copyfile(ROOT / source, target)
    [built] = [run for run in said(stages()[0], "RUN") if "pip wheel" in run]
    command = built.split(" && ")[0].split()[1:]
    subprocess.run(
        [sys.executable, "-m", "pip", *command], cwd=tmp_path, check=True, capture_output=True
    )
    [wheel] = (tmp_path / "wheels").glob("*.whl")
    names = zipfile.ZipFile(wheel).namelist()
    for name in (
        "monitor/cli/__init__.py",
        "monitor/_data/jobs/demo.toml",
        "monitor/_data/docs/operations.md",
    ):
        assert name in names
    assert any(name.startswith("monitor/_data/migrations/versions/0006") for name in names)


def test_the_image_does_not_run_as_root_and_says_how_it_is():
    final = stages()[1]
    [user] = said(final, "USER")
    [made] = [run for run in said(final, "RUN") if "useradd" in run]
    number = user.split(":")[0]
    assert int(number) > 0
    assert f"--uid {number}" in made
    environment = dict(re.findall(r"(\w+)=(\S+)", " ".join(said(final, "ENV"))))
    assert environment["MONITOR_HOME"] == "/var/lib/monitor"
    assert json.loads(said(final, "VOLUME")[0]) == ["/var/lib/monitor"]
    assert "/var/lib/monitor" in made
    assert set(re.findall(r"MONITOR_\w+", " ".join(said(final, "ENV")))) <= variables()
    assert "/healthz" in said(final, "HEALTHCHECK")[0]


def test_the_servers_version_is_that_of_the_client_programs():
    base = said(stages()[1], "FROM")[0]
    release = base.rsplit("-", 1)[1]
    server = int(re.fullmatch(r"postgres:(\d+)-\w+", services()["db"]["image"])[1])
    client = re.search(r"postgresql-client-(\d+)", (DEPLOY / "Dockerfile").read_text())
    assert POSTGRESQL[release] == int(client[1]) == server
    assert said(stages()[0], "FROM")[0] == f"{base} AS build"


def test_packages_of_debian_are_known_by_their_names():
    """Where this machine has the image's release of Debian, and lists of its packages."""
    release = said(stages()[1], "FROM")[0].rsplit("-", 1)[1]
    ours = re.search(r"^VERSION_CODENAME=(\w+)", Path("/etc/os-release").read_text(), re.MULTILINE)
    if not ours or ours[1] != release or not shutil.which("apt-cache"):
        pytest.skip(f"this machine is not Debian {release}")
    [made] = [run for run in said(stages()[1], "RUN") if "apt-get install" in run]
    words = re.search(r"apt-get install ([^&]+)", made)[1].split()
    names = [word.removeprefix("${BROWSER:+").rstrip("}") for word in words if word[:2] != "--"]
    assert "chromium-headless-shell" in names
    known = subprocess.check_output(["apt-cache", "pkgnames"], text=True).split()
    if len(known) < 10_000:
        pytest.skip("this machine has no lists of packages")
    assert set(names) <= set(known)


def variables():
    return {f"MONITOR_{name.upper()}" for name in DEFAULTS}


def test_every_setting_is_in_the_example_and_no_other():
    named = {name for name in environment_names() if name.startswith("MONITOR_")}
    assert named == variables()


def test_the_key_of_every_service_is_named():
    needed = {name for engine in discover("engines").values() for name in engine.needs.secrets}
    assert needed <= set(environment_names())


@check_each("path", sorted(DEPLOY.iterdir()))
def test_every_variable_that_is_named_is_one(path):
    assert set(re.findall(r"\bMONITOR_[A-Z_]+[A-Z]\b", path.read_text())) <= variables()


def test_the_example_holds_what_holds_anyway():
    for name, value in environment_names().items():
        if name in variables() and value:
            found = DEFAULTS[name.removeprefix("MONITOR_").lower()]
            assert value == (str(int(found)) if isinstance(found, bool) else str(found)), name


def test_the_example_is_read_as_it_stands(monkeypatch):
    """Filled in with what it says, every line is a setting that the program takes."""
    for name, value in environment_names().items():
        if name in variables() and value:
            monkeypatch.setenv(name, value)
    settings.load.cache_clear()
    assert settings.load().lease_seconds == DEFAULTS["lease_seconds"]


def test_no_secret_stands_in_any_file():
    secret = re.compile(r"(PASSWORD|SECRET|_KEY|AUTH|TOKEN|PING_URL|PROXY)\w*[ \t]*[:=][ \t]*(\S+)")
    for path in DEPLOY.iterdir():
        for name, value in secret.findall(path.read_text()):
            assert value.startswith("${POSTGRES_PASSWORD:?"), f"{path}: {name}"
        assert not re.search(r"://[^/\s:@]+:[^/\s@]+@", path.read_text())
    ignored = (DEPLOY / ".gitignore").read_text().split()
    assert "/monitor.env" in ignored


# --- compose --------------------------------------------------------------------------------------


def test_services_wait_for_what_is_there():
    found = services()
    assert {"db", "migrate", "daemon", "worker", "web"} <= set(found)
    for name, service in found.items():
        for other, how in service.get("depends_on", {}).items():
            if how["condition"] == "service_healthy":
                assert not found[other]["healthcheck"].get("disable")
            else:
                assert (how["condition"], found[other]["restart"]) == (
                    "service_completed_successfully",
                    "no",
                ), name
    for name in ("daemon", "worker", "web"):
        assert found[name]["depends_on"]["migrate"]["condition"].endswith("successfully")
        assert found[name]["restart"] == "unless-stopped"


def test_services_can_do_little():
    for name, service in services().items():
        assert service["read_only"] is True, name
        assert "/tmp" in service["tmpfs"]  # noqa: S108
        assert "no-new-privileges:true" in service["security_opt"]
        if name != "db":  # its entry point gives up root by itself, for which it needs to be root
            assert service["cap_drop"] == ["ALL"]
            assert "user" not in service  # that of the image
        assert "privileged" not in service
        for port in service.get("ports", []):
            assert port.startswith("127.0.0.1:")


def test_volumes_are_declared():
    content = compose()
    for service in content["services"].values():
        for mount in service.get("volumes", []):
            source = mount.split(":")[0]
            assert source in content["volumes"] or source.startswith("./")
    assert services()["worker"]["deploy"]["replicas"] > 1


def test_keys_of_services_go_only_where_services_are_asked():
    with_keys = {name for name, service in services().items() if "env_file" in service}
    assert with_keys == {"daemon", "worker"}
    assert all(services()[name]["env_file"] == ["monitor.env"] for name in with_keys)


def test_the_build_is_that_of_the_dockerfile():
    for name, service in services().items():
        if name != "db":
            context = (DEPLOY / service["build"]["context"]).resolve()
            assert context == ROOT
            assert (context / service["build"]["dockerfile"]) == DEPLOY / "Dockerfile"


def test_a_graceful_stop_has_time():
    """What is in flight takes as long as an answer may."""
    longest = DEFAULTS["answer_timeout"]
    for name in ("daemon", "worker", "web"):
        assert duration(services()[name]["stop_grace_period"]) > longest
    for name in ("monitor-daemon.service", "monitor-worker@.service"):
        assert duration(one(name, "TimeoutStopSec")) > longest
        assert one(name, "KillSignal") == "SIGTERM"
        assert one(name, "SuccessExitStatus") == "130"


def test_compose_finds_no_fault(tmp_path):
    """By the plug-in of Docker, or by docker-compose of Debian 12, which knows no name of all."""
    text = (DEPLOY / "compose.yaml").read_text()
    command = ["docker", "compose"]
    if (
        not shutil.which("docker")
        or subprocess.run([*command, "version"], capture_output=True, check=False).returncode
    ):
        command = ["docker-compose"]
        if not shutil.which("docker-compose"):
            pytest.skip("neither `docker compose` nor docker-compose on this machine")
        text = re.sub(r"^name: .*\n", "", text, flags=re.MULTILINE)
    (tmp_path / "compose.yaml").write_text(text)
    settings_file = tmp_path / "monitor.env"
    settings_file.write_text((DEPLOY / "example.env").read_text() + "POSTGRES_PASSWORD=x\n")
    done = subprocess.run(
        [*command, "--env-file", str(settings_file), "config", "--quiet"],
        cwd=tmp_path, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")


# --- systemd --------------------------------------------------------------------------------------


@check_each("name", [*UNITS, *TIMERS])
def test_directives_are_known(name):
    for section, found in unit(name).items():
        assert set(found) <= set(DIRECTIVES[section].split()), section


@pytest.mark.parametrize("name", UNITS)
def test_services_are_hardened(name):
    found = unit(name)["Service"]
    for directive, value in HARDENED.items():
        assert found[directive] == [value]
    assert found["EnvironmentFile"] == ["/etc/monitor/monitor.env"]
    assert found["WorkingDirectory"] == ["/var/lib/monitor"]


def test_the_daemon_tells_systemd_how_it_is():
    assert one("monitor-daemon.service", "Type") == "notify"
    assert duration(one("monitor-daemon.service", "WatchdogSec")) >= 30
    assert unit("monitor-backup.timer")["Install"]["WantedBy"] == ["timers.target"]
    assert (DEPLOY / "monitor-backup.timer").with_suffix(".service").exists()


@pytest.mark.skipif(
    not shutil.which("systemd-analyze"), reason="no systemd-analyze on this machine"
)
def test_systemd_finds_no_fault(tmp_path):
    monitor = tmp_path / "monitor"
    monitor.write_text("#!/bin/sh\n")
    monitor.chmod(0o755)
    for name in [*UNITS, *TIMERS]:
        text = (DEPLOY / name).read_text().replace("/opt/monitor/bin/monitor", str(monitor))
        (tmp_path / name.replace("@", "@1" if name in UNITS else "@")).write_text(text)
    paths = [str(path) for path in tmp_path.iterdir() if path.suffix in (".service", ".timer")]
    done = subprocess.run(
        ["systemd-analyze", "verify", "--recursive-errors=no", "--man=no", *paths],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")


# --- every command is run -------------------------------------------------------------------------


def free_port():
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        return listening.getsockname()[1]


class Place:
    """A home of its own, and PostgreSQL where commands are of compose."""

    def __init__(self, home, url="", path=""):
        self.home, self.url = home, url
        self.environment = {
            "PATH": f"{path}{os.pathsep}{os.environ['PATH']}",
            "HOME": str(home),
            "MONITOR_HOME": str(home),
            "MONITOR_CONTACT": "tests@monitor.test",
            "PYTHONPATH": str(ROOT),
            "COLUMNS": "200",
        } | ({"MONITOR_DATABASE_URL": url} if url else {})

    def words(self, command):
        """A command of the files with the paths of this place."""
        moved = {
            "/var/lib/monitor": self.home,
            "/var/backups/monitor": self.home / "kept",
            "/backups": self.home / "kept",
            "/tmp/starter": self.home / "starter",  # noqa: S108
        }
        for path, here in moved.items():
            command = [
                re.sub(rf"^{path}(?=/|$)", str(here), word) if str(here) not in word else word
                for word in command
            ]
        return command

    def begin(self, command, **more):
        """The process of a command, whose output goes to `said.log`."""
        with (self.home / "said.log").open("wb") as log:
            return warm.begin(
                "monitor.cli", self.words(command), folder=self.home,
                environment=self.environment | more, said=log,
            )  # fmt: skip

    def begin_cold(self, command, **more):
        """The same in a process that imports the program itself."""
        with (self.home / "said.log").open("wb") as log:
            return subprocess.Popen(
                [*MONITOR, *self.words(command)], cwd=self.home, env=self.environment | more,
                stdin=subprocess.DEVNULL, stdout=log, stderr=log,
            )  # fmt: skip

    def run(self, command):
        code = self.begin(command).wait(120)
        assert code == 0, (self.home / "said.log").read_text()

    @contextmanager
    def running(self, command, *, cold=False, **more):
        process = (self.begin_cold if cold else self.begin)(command, **more)
        try:
            yield process
        finally:
            process.kill()
            process.wait()

    def ends_well(self, process):
        process.send_signal(signal.SIGTERM)
        code = process.wait(PATIENCE)
        assert code == 0, (self.home / "said.log").read_text()


def answered(url, process, log):
    """Wait until somebody answers there."""
    end = time.monotonic() + PATIENCE
    with httpx.Client(timeout=5, trust_env=False) as client:
        while time.monotonic() < end and process.poll() is None:
            try:
                return client.get(url).status_code
            except httpx.TransportError:
                time.sleep(0.05)
    pytest.fail(f"{url} never answered: {log.read_text()}")
    return None


@pytest.fixture
def on_sqlite(sqlite_template, tmp_path):
    """A home with a database and a folder of jobs in which nothing is due."""
    for path in sqlite_template.parent.glob("monitor*.db"):
        shutil.copyfile(path, tmp_path / path.name)
    (tmp_path / "jobs").mkdir()
    return Place(tmp_path)


@pytest.fixture
def on_postgres(postgres_server, postgres_template, tmp_path):
    name = postgres_server.create(postgres_template)
    url = postgres_server.url(name)
    database = connect(url, tmp_path / "bodies")
    queue.ensure_queue(database)
    database.close()
    (tmp_path / "jobs").mkdir()
    yield Place(tmp_path, url, client_programs(postgres_server))
    postgres_server.drop(name)


def check_of(text):
    """The words of a health check in JSON."""
    words = json.loads(text[text.index("[") :])
    return words[1:] if words[0] == "CMD" else words


def asks(words, environment, port):
    """Run a health check as it stands, where nothing but the port is another."""
    words = [sys.executable if word == "python" else word for word in words]
    words = [word.replace(":8600/", f":{port}/") for word in words]
    return subprocess.run(words, env=environment, timeout=60, check=False).returncode


def serves(place, command, log, *, cold=False):
    """A daemon or worker is started, asked by the image's health check, and stopped."""
    port = free_port()
    health = {"MONITOR_HEALTH": f"127.0.0.1:{port}"}
    with place.running(command, cold=cold, **health) as process:
        assert answered(f"http://127.0.0.1:{port}/healthz", process, log) == 200
        [check] = said(stages()[1], "HEALTHCHECK")
        assert asks(check_of(check), place.environment | health, port) == 0
        place.ends_well(process)
    assert asks(check_of(check), place.environment | health, port) != 0


def started(name, number=0):
    """The words after the program of a unit's command."""
    program, *words = shlex.split(unit(name)["Service"]["ExecStart"][number])
    assert program == "/opt/monitor/bin/monitor"
    return words


def test_the_unit_of_the_daemon_runs(on_sqlite):
    serves(on_sqlite, started("monitor-daemon.service"), on_sqlite.home / "said.log", cold=True)


def test_the_image_runs_the_daemon(on_sqlite):
    [entry], [command] = said(stages()[1], "ENTRYPOINT"), said(stages()[1], "CMD")
    assert json.loads(entry) == ["monitor"]
    serves(on_sqlite, json.loads(command), on_sqlite.home / "said.log")


def test_the_daemon_of_compose_runs(on_postgres):
    serves(on_postgres, services()["daemon"]["command"], on_postgres.home / "said.log")


def test_workers_run(on_postgres):
    """As in the files, and until nothing is left to do."""
    for command in (services()["worker"]["command"], started("monitor-worker@.service")):
        assert command[0] == "worker"
        on_postgres.run([*command, "--burst"])
        serves(on_postgres, command, on_postgres.home / "said.log")


def test_the_web_service_runs(on_postgres):
    service, port = services()["web"], free_port()
    command = [str(port) if word == "8600" else word for word in service["command"]]
    assert service["ports"] == ["127.0.0.1:8600:8600"]
    log = on_postgres.home / "said.log"
    with on_postgres.running(command) as process:
        assert answered(f"http://127.0.0.1:{port}/healthz", process, log) == 200
        words = check_of(json.dumps(service["healthcheck"]["test"]))
        assert asks(words, on_postgres.environment, port) == 0
        on_postgres.ends_well(process)


def test_the_unit_of_the_web_pages_runs(on_sqlite):
    command, port = started("monitor-serve.service"), free_port()
    assert "8600" in command
    command = [str(port) if word == "8600" else word for word in command]
    with on_sqlite.running(command, cold=True) as process:
        url, log = f"http://127.0.0.1:{port}/", on_sqlite.home / "said.log"
        assert answered(url, process, log) == 200
        on_sqlite.ends_well(process)


def test_every_service_has_its_unit():
    """What compose starts for long, a machine with systemd starts as well."""
    units = {unit(name)["Service"]["ExecStart"][0].split()[1] for name in UNITS}
    assert {service["command"][0] for name, service in services().items()
            if name in ("daemon", "worker", "web")} <= units  # fmt: skip


def test_the_job_that_is_chosen_stays_where_it_is_asked(tmp_path):
    """The lines of docs/operations.md as they stand, in a folder that `monitor init` has made."""
    text = (ROOT / "docs" / "operations.md").read_text()
    block = text[text.index("monitor init /var/lib/monitor") :].partition("```")[0]
    place = Place(tmp_path / "home")
    place.home.mkdir()
    place.run(["init", "/var/lib/monitor"])
    lines = [line.removeprefix("# ") for line in block.splitlines()]
    moves = [line for line in lines if re.search(r"\bmv ", line)]
    script = "\n".join(moves).replace("/var/lib/monitor", str(place.home))
    subprocess.run(["sh", "-euc", script], check=True, cwd=place.home)
    [job] = re.findall(r"next (\S+) at", block)
    left = sorted(path.name for path in (place.home / "jobs").glob("*.toml"))
    assert left == [f"{job}.toml", "regions.toml"]
    assert '"1 job, ' in block
    assert len(list((place.home / "jobs-later").glob("*.toml"))) > 2
    place.run(["check", f"jobs/{job}.toml"])


def test_the_one_shot_makes_a_database_and_refuses_an_older_one(postgres_server, tmp_path):
    name = postgres_server.create()
    place = Place(tmp_path, postgres_server.url(name))
    command = services()["migrate"]["command"]
    place.run(command)
    place.run(command)
    database = connect(postgres_server.url(name), tmp_path)
    queue.check_queue(database)
    postgres_server.drop(name)


def test_backups_of_the_files_are_made_and_sound(on_sqlite):
    commands = [started("monitor-backup.service", number) for number in (0, 1)]
    kept = on_sqlite.home / "kept"
    kept.mkdir(mode=0o700)
    for command in commands:
        on_sqlite.run(command)
    [found] = [path for path in kept.iterdir() if (path / "manifest.json").exists()]
    assert stat.S_IMODE(found.stat().st_mode) == 0o700
    [paths] = unit("monitor-backup.service")["Service"]["ReadWritePaths"]
    assert paths == commands[0][2]


def test_the_backup_of_compose_is_made(on_postgres):
    command = services()["backup"]["command"]
    on_postgres.run(command)
    assert list((on_postgres.home / "kept").glob("*/database.dump"))


def test_a_job_that_is_mounted_is_watched(on_sqlite):
    """The folder of jobs in compose and in the unit is the one that the daemon reads."""
    make_list(on_sqlite.home / "jobs")
    make_job(on_sqlite.home / "jobs")
    command, log = started("monitor-daemon.service"), on_sqlite.home / "said.log"
    assert command == services()["daemon"]["command"]
    mounts = services()["daemon"]["volumes"]
    assert f"./jobs:{command[2]}:ro" in mounts
    with on_sqlite.running(command) as process:
        end = time.monotonic() + PATIENCE
        while "watching 1 job in" not in log.read_text() and time.monotonic() < end:
            time.sleep(0.05)
        assert "watching 1 job in" in log.read_text()
        on_sqlite.ends_well(process)


def test_settings_of_the_server_are_known_to_it(postgres_server):
    import psycopg

    _, *words = services()["db"]["command"]
    names = {word.partition("=")[0] for word in words if word != "-c"}
    with psycopg.connect(postgres_server.url("postgres").replace("+psycopg", "")) as connection:
        known = connection.execute("SELECT name FROM pg_settings").fetchall()
    assert names <= {name for (name,) in known}
    assert services()["db"]["healthcheck"]["test"][1] == "pg_isready"
