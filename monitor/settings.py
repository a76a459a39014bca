"""Everything the environment can set, on one page. Every name begins with MONITOR_."""

import os
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal
from urllib.parse import urlsplit
from zoneinfo import ZoneInfo

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Field,
    PrivateAttr,
    SecretStr,
    ValidationError,
)

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


Contact = Annotated[str, AfterValidator(real_contact)]


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


PageAddress = Annotated[str, AfterValidator(page_address)]


def sqlite_url(path: Path) -> str:
    """URL of a SQLite file, whatever characters its path has."""
    return "sqlite:///" + str(path).replace("%", "%25").replace("?", "%3F")


class Settings(BaseModel):
    """Settings of this machine: paths, limits, services. A job file says what is asked."""

    model_config = ConfigDict(extra="ignore", validate_default=True)

    home: Path = Field(
        default=Path(),
        description="folder with monitor.db, bodies/, models/, lexicons/, corpora/, indexes/, "
        "datasets/; reports and pages go to out/ of the folder where a command is called",
    )
    database_url: str = Field(
        default="", description="SQLAlchemy URL; empty means SQLite in MONITOR_HOME/monitor.db"
    )
    contact: Contact = Field(default="", description="address that services may write to")
    processes: int = Field(
        default=0, ge=0, le=256, description="model processes; 0 means one per core"
    )
    answer_timeout: float = Field(
        default=120.0, gt=0, description="seconds before a request is given up"
    )
    answer_bytes: int = Field(
        default=8 * 2**20, ge=1024, description="bytes after which an answer is cut off"
    )
    proxy: SecretStr = Field(
        default=SecretStr(""),
        description="proxy for all requests to services, http://host:port or socks5://",
    )
    exit: str = Field(
        default="direct",
        pattern=r"^[a-z][a-z0-9-]*$",
        description="name of the way out; kept with every answer, and suspensions are per exit",
    )
    ca_file: Path | None = Field(
        default=None, description="further certificate authorities, a PEM file"
    )
    log_format: Literal["text", "json"] = Field(
        default="text", description="form of log lines on stderr"
    )
    log_level: Literal["debug", "info", "warning", "error"] = Field(
        default="warning", description="least severe log line that is shown"
    )
    chromium: Path | None = Field(
        default=None, description="browser to open pages with; found by itself if left out"
    )
    page_timeout: float = Field(
        default=45.0, gt=0, description="seconds before a page in the browser is given up"
    )
    page_bytes: int = Field(
        default=32 * 2**20, ge=1024, description="bytes after which a page is cut off"
    )
    egress_lookup: str = Field(
        default="",
        description="service that says from which address and country a request came, as JSON "
        "with ip and country; it is asked before and after pages are",
    )
    address_key: SecretStr = Field(
        default=SecretStr(""),
        description="key of the hashes of our own addresses; needed with MONITOR_EGRESS_LOOKUP",
    )
    wikidata_api: str = Field(
        default="https://www.wikidata.org/w/api.php", description="where people are looked up"
    )
    wikidata_sparql: str = Field(
        default="https://query.wikidata.org/sparql",
        description="where shares by occupation are counted; QLever works as well",
    )
    firefox_registry: str = Field(
        default="https://firefox.settings.services.mozilla.com/v1",
        description="Remote Settings server that lists Firefox's translation models",
    )
    gest_source: str = Field(
        default="https://raw.githubusercontent.com/kinit-sk/gest",
        description="raw files of the GEST repository, for `monitor lists fetch gest`",
    )
    disk_reserve: int = Field(
        default=512 * 2**20, ge=0, description="free bytes on the disk at which collecting stops"
    )
    quota: int = Field(
        default=0,
        ge=0,
        description="bytes that the database and the files of answers may take; an alarm is raised "
        "before they do; 0 means no quota",
    )
    health: str = Field(
        default="",
        description="host:port on which daemons and workers serve their health and metrics, for "
        "example 127.0.0.1:8601; empty means nowhere",
    )
    health_public: bool = Field(
        default=False, description="let MONITOR_HEALTH be an address that other machines can reach"
    )
    public_url: PageAddress = Field(
        default="",
        description="address at which people open the pages of `monitor serve`, for example "
        "https://monitor.your.org; messages, reports and citations then link to them",
    )
    ping_url: SecretStr = Field(
        default=SecretStr(""),
        description="address that daemons and workers ask while they are well, so that somebody "
        "else notices when they stop",
    )
    ping_seconds: float = Field(
        default=60.0, ge=1, le=86_400, description="seconds between two of these requests"
    )
    notify_findings: SecretStr = Field(
        default=SecretStr(""),
        description="Apprise URLs, separated by blanks, that confirmed findings and the digest of "
        "the weekly report go to",
    )
    notify_operations: SecretStr = Field(
        default=SecretStr(""),
        description="Apprise URLs, separated by blanks, that alarms go to, and changes that are "
        "asked again",
    )
    notify_after: int = Field(
        default=2,
        ge=1,
        le=1_440,
        description="looks, one a minute, at which an alarm has to stand before it is told",
    )
    notify_repeats: int = Field(
        default=3,
        ge=0,
        le=365,
        description="how often an alarm that stands is told again, one a day",
    )
    notify_hourly: int = Field(
        default=6,
        ge=1,
        le=1_000,
        description="messages on one route in an hour; what is more is put together into one",
    )
    notify_days: float = Field(
        default=3.0,
        gt=0,
        le=365,
        description="days after which a message that no server takes is given up",
    )
    redo: bool = Field(
        default=True,
        description="let the daemon derive anew, when nothing else is to be done, kept runs that "
        "lack the present versions of parsers, languages, measures or references",
    )
    lease_seconds: float = Field(
        default=30.0,
        ge=1,
        description="seconds after which what a process was doing is given to others, if it gives "
        "no sign of life",
    )
    time_zone: str = Field(default="UTC", description="IANA time zone in which reports print times")

    #: {name: why its value cannot be used}; such a setting has no value.
    _faults: dict[str, str] = PrivateAttr(default_factory=dict)

    @classmethod
    def of_environment(cls, **given: object) -> "Settings":
        """Return the settings of the environment, but for those given. Raises ValidationError."""
        variables = ((name.lower(), value) for name, value in os.environ.items())
        values = {
            name.removeprefix("monitor_"): value
            for name, value in variables
            if name.startswith("monitor_")
        }
        return cls.model_validate(values | given)

    @classmethod
    def without_faulty(cls, error: ValidationError) -> "Settings":
        """Return the settings of which some cannot be used. Reading one of these is an error."""
        faults: dict[str, str] = {}
        for fault in error.errors():
            name = str(fault["loc"][0])
            variable = f"MONITOR_{name}".upper()
            message = fault["msg"].removeprefix("Value error, ")
            words = f"{variable}={fault['input']!r} cannot be used: {message}"
            faults.setdefault(name, words)
        defaults = {name: cls.model_fields[name].default for name in faults}
        instance = cls.of_environment(**defaults)
        instance._faults = faults  # noqa: SLF001 - of this class
        for name in faults:
            del instance.__dict__[name]  # so that __getattr__ is asked
        return instance

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:  # noqa: ANN401 - of whatever is asked for
            """Raise InvalidInput for a setting that cannot be used."""
            if name in type(self).model_fields and name in self._faults:
                raise InvalidInput(self._faults[name])
            return super().__getattr__(name)

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


@cache
def load() -> Settings:
    """Return the settings of this process; one that cannot be used is refused where it is read."""
    try:
        return Settings.of_environment()
    except ValidationError as error:
        return Settings.without_faulty(error)


def load_all() -> Settings:
    """Return the settings after all of them were checked, for what works for long.

    Raises InvalidInput naming the variable.
    """
    config = load()
    for name in Settings.model_fields:
        getattr(config, name)
    return config
