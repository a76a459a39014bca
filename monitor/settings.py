"""Everything the environment can set, on one page. Every name begins with MONITOR_."""

import dataclasses
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal
from urllib.parse import urlsplit
from zoneinfo import ZoneInfo

from monitor import resources
from monitor.model import InvalidInput, Services

#: Characters of an address that fits into a short message.
_LONGEST_ADDRESS = 200
_EXAMPLE_HOSTS = ("example.com", "example.org", "example.net", "example.invalid")


def real_contact(value: str) -> str:
    """Refuse example addresses: a service that we trouble must be able to reach somebody."""
    host = value.rsplit("@", 1)[-1].strip().lower()
    if value and ("example" in host.split(".") or host.endswith(_EXAMPLE_HOSTS)):
        raise ValueError(f"{value!r} is an example address; name one that somebody reads")
    return value


def page_address(value: str) -> str:
    """Return the address of our pages without its last slash. Raises ValueError for what is none.

    What follows it is a path, so that it can have no query of its own.
    """
    try:
        parts = urlsplit(value)
        is_address = parts.scheme in ("http", "https") and bool(parts.hostname)
        _ = parts.port  # raises where it is no number
    except ValueError:
        is_address = False
    has_more = value and (
        parts.username or parts.query or parts.fragment or value.split() != [value]
    )
    if value and (not is_address or has_more or len(value) > _LONGEST_ADDRESS):
        raise ValueError("name an address such as https://monitor.your.org, without ? and #")
    return value.rstrip("/")


def sqlite_url(path: Path) -> str:
    """URL of a SQLite file, whatever characters its path has."""
    return "sqlite:///" + str(path).replace("%", "%25").replace("?", "%3F")


@dataclass(frozen=True, slots=True)
class Secret:
    """A text that is not shown where settings are."""

    _text: str = field(default="", repr=False)

    def get_secret_value(self) -> str:
        """Return the text itself."""
        return self._text


def _setting(
    default: object,
    description: str,
    check: Callable[[str], str] | None = None,
    **limits: float | str,
) -> Any:  # noqa: ANN401 - a field, which has the type of its default
    """Return the field of a setting. `check` returns its text or raises ValueError."""
    metadata = {"description": description, "check": check, "limits": limits}
    return field(default=default, metadata=metadata)


#: How texts of the environment become values, of types that take any text.
_OF_TEXT: dict[object, Callable[[str], object]] = {
    str: str, Path: Path, Path | None: Path, Secret: Secret,
}  # fmt: skip


def _parse(setting: "dataclasses.Field[Any]", value: object) -> object:
    """Return the value of a setting. Raises ValueError saying why it cannot be used."""
    convert, limits = _OF_TEXT.get(setting.type), setting.metadata["limits"]
    if isinstance(value, str) and convert is not None and not limits:
        return (setting.metadata["check"] or convert)(value)
    # 100 ms, which a command takes only where a number, a choice or a pattern is set
    from pydantic import Field, TypeAdapter, ValidationError  # noqa: PLC0415

    kind: Any = Annotated[setting.type, Field(**limits)]
    try:
        return TypeAdapter[object](kind).validate_python(value)
    except ValidationError as error:
        raise ValueError(error.errors()[0]["msg"]) from None


@dataclass(slots=True)
class Settings:
    """Settings of this machine: paths, limits, services. A job file says what is asked."""

    home: Path = _setting(
        Path(),
        description="folder with monitor.db, bodies/, models/, lexicons/, corpora/, indexes/, "
        "datasets/; reports and pages go to out/ of the folder where a command is called",
    )
    database_url: str = _setting(
        "", description="SQLAlchemy URL; empty means SQLite in MONITOR_HOME/monitor.db"
    )
    contact: str = _setting(
        "", check=real_contact, description="address that services may write to"
    )
    processes: int = _setting(0, ge=0, le=256, description="model processes; 0 means one per core")
    answer_timeout: float = _setting(
        120.0, gt=0, description="seconds before a request is given up"
    )
    answer_bytes: int = _setting(
        8 * 2**20, ge=1024, description="bytes after which an answer is cut off"
    )
    proxy: Secret = _setting(
        Secret(),
        description="proxy for all requests to services, http://host:port or socks5://",
    )
    exit: str = _setting(
        "direct",
        pattern=r"^[a-z][a-z0-9-]*$",
        description="name of the way out; kept with every answer, and suspensions are per exit",
    )
    ca_file: Path | None = _setting(None, description="further certificate authorities, a PEM file")
    log_format: Literal["text", "json"] = _setting(
        "text", description="form of log lines on stderr"
    )
    log_level: Literal["debug", "info", "warning", "error"] = _setting(
        "warning", description="least severe log line that is shown"
    )
    chromium: Path | None = _setting(
        None, description="browser to open pages with; found by itself if left out"
    )
    page_timeout: float = _setting(
        45.0, gt=0, description="seconds before a page in the browser is given up"
    )
    page_bytes: int = _setting(
        32 * 2**20, ge=1024, description="bytes after which a page is cut off"
    )
    egress_lookup: str = _setting(
        "",
        description="service that says from which address and country a request came, as JSON "
        "with ip and country; it is asked before and after pages are",
    )
    address_key: Secret = _setting(
        Secret(),
        description="key of the hashes of our own addresses; needed with MONITOR_EGRESS_LOOKUP",
    )
    wikidata_api: str = _setting(
        "https://www.wikidata.org/w/api.php", description="where people are looked up"
    )
    wikidata_sparql: str = _setting(
        "https://query.wikidata.org/sparql",
        description="where shares by occupation are counted; QLever works as well",
    )
    firefox_registry: str = _setting(
        "https://firefox.settings.services.mozilla.com/v1",
        description="Remote Settings server that lists Firefox's translation models",
    )
    gest_source: str = _setting(
        "https://raw.githubusercontent.com/kinit-sk/gest",
        description="raw files of the GEST repository, for `monitor lists fetch gest`",
    )
    disk_reserve: int = _setting(
        512 * 2**20, ge=0, description="free bytes on the disk at which collecting stops"
    )
    quota: int = _setting(
        0,
        ge=0,
        description="bytes that the database and the files of answers may take; an alarm is raised "
        "before they do; 0 means no quota",
    )
    health: str = _setting(
        "",
        description="host:port on which daemons and workers serve their health and metrics, for "
        "example 127.0.0.1:8601; empty means nowhere",
    )
    health_public: bool = _setting(
        False, description="let MONITOR_HEALTH be an address that other machines can reach"
    )
    public_url: str = _setting(
        "",
        check=page_address,
        description="address at which people open the pages of `monitor serve`, for example "
        "https://monitor.your.org; messages, reports and citations then link to them",
    )
    ping_url: Secret = _setting(
        Secret(),
        description="address that daemons and workers ask while they are well, so that somebody "
        "else notices when they stop",
    )
    ping_seconds: float = _setting(
        60.0, ge=1, le=86_400, description="seconds between two of these requests"
    )
    notify_findings: Secret = _setting(
        Secret(),
        description="Apprise URLs, separated by blanks, that confirmed findings and the digest of "
        "the weekly report go to",
    )
    notify_operations: Secret = _setting(
        Secret(),
        description="Apprise URLs, separated by blanks, that alarms go to, and changes that are "
        "asked again",
    )
    notify_after: int = _setting(
        2,
        ge=1,
        le=1_440,
        description="looks, one a minute, at which an alarm has to stand before it is told",
    )
    notify_repeats: int = _setting(
        3,
        ge=0,
        le=365,
        description="how often an alarm that stands is told again, one a day",
    )
    notify_hourly: int = _setting(
        6,
        ge=1,
        le=1_000,
        description="messages on one route in an hour; what is more is put together into one",
    )
    notify_days: float = _setting(
        3.0,
        gt=0,
        le=365,
        description="days after which a message that no server takes is given up",
    )
    redo: bool = _setting(
        True,
        description="let the daemon derive anew, when nothing else is to be done, kept runs that "
        "lack the present versions of parsers, languages, measures or references",
    )
    lease_seconds: float = _setting(
        30.0,
        ge=1,
        description="seconds after which what a process was doing is given to others, if it gives "
        "no sign of life",
    )
    time_zone: str = _setting("UTC", description="IANA time zone in which reports print times")

    #: {name: why its value cannot be used}; such a setting has no value.
    faults: Mapping[str, str] = field(default_factory=dict, repr=False)

    @classmethod
    def of_environment(cls, **given: object) -> "Settings":
        """Return the settings of the environment, but for those given.

        Reading one that cannot be used is an error.
        """
        variables = ((name.lower(), value) for name, value in os.environ.items())
        values: dict[str, object] = {
            name.removeprefix("monitor_"): value
            for name, value in variables
            if name.startswith("monitor_")
        }
        values |= given
        parsed: dict[str, Any] = {}
        faults: dict[str, str] = {}
        for setting in list_settings():
            name = setting.name
            if name not in values:
                continue
            try:
                parsed[name] = _parse(setting, values[name])
            except ValueError as error:
                variable = f"MONITOR_{name}".upper()
                faults[name] = f"{variable}={values[name]!r} cannot be used: {error}"
        instance = cls(**parsed, faults=faults)
        for name in faults:
            delattr(instance, name)  # so that __getattr__ is asked
        return instance

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:  # noqa: ANN401 - of whatever is asked for
            """Raise InvalidInput for a setting that cannot be used."""
            if name != "faults" and name in self.faults:
                raise InvalidInput(self.faults[name])
            raise AttributeError(name)

    @property
    def url(self) -> str:
        """Database URL in force."""
        return self.database_url or sqlite_url(self.home / "monitor.db")

    @property
    def zone(self) -> ZoneInfo:
        """The time zone of reports. Raises InvalidInput."""
        try:
            return ZoneInfo(resources.check_time_zone(self.time_zone))
        except ValueError as error:
            raise InvalidInput(f"MONITOR_TIME_ZONE: {error}") from None

    @property
    def services(self) -> Services:
        """Return the addresses of the services for look-ups."""
        return Services(self.wikidata_api, self.wikidata_sparql)

    @property
    def bodies(self) -> Path:
        """Folder of answers that are too large for a row (SQLite only)."""
        return self.home / "bodies"

    @property
    def models(self) -> Path:
        """Folder of downloaded models."""
        return self.home / "models"


def list_settings() -> "list[dataclasses.Field[Any]]":
    """Return all settings as fields with a `default` and a description in their `metadata`."""
    return [setting for setting in dataclasses.fields(Settings) if setting.metadata]


@cache
def load() -> Settings:
    """Return the settings of this process; one that cannot be used is refused where it is read."""
    return Settings.of_environment()


def load_all() -> Settings:
    """Return the settings after all of them were checked, for what works for long.

    Raises InvalidInput naming the variable.
    """
    config = load()
    for setting in list_settings():
        getattr(config, setting.name)
    return config
