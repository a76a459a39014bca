"""The commands in groups with their modules, and what stands beneath the help of each."""

import inspect
import re
from collections.abc import Callable
from functools import cache, partial, partialmethod
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

import typer
from typer.core import (  # type: ignore[attr-defined]
    CompletionItem,
    TyperArgument,
    TyperGroup,
    TyperOption,
)

from monitor.text.near_names import hint

_DATABASE = "the database"
_NOTHING = "nothing but what it prints"
_CHANGED = "the change, into the database; sessions of the user end"
_CODES = (
    "0 done; 2 what was given cannot be used; 4 a database or folder cannot; all: monitor --help"
)


#: Characters of a line of help, which is indented by two, with a backslash at its end.
_LONGEST_LINE = 75


class Lesson(NamedTuple):
    """How a command is called, and what it leaves behind."""

    example: str
    writes: str = _NOTHING
    codes: str = ""  # those with a meaning of its own


_FREE = "0 at its end, also where it is stopped by a signal; 130 stopped at once"
#: Commands whose example is their name alone, and which write nothing.
_PLAIN = (
    "jobs list", "alarms list", "users list", "embargo list", "donate list", "label agreement",
    "label queue", "lists list", "lexicon list", "corpus list", "models list", "languages list",
    "measures list", "references list", "engines list",
)  # fmt: skip
LESSONS = {name: Lesson(name) for name in _PLAIN} | {
    "init": Lesson(
        "init audit --for deepl,google_translate --languages cs,pl",
        "the folder: monitor.db, bodies/, jobs/; files there stay",
    ),
    "check": Lesson(
        "check jobs/demo.toml",
        codes="2 where a file cannot be used; 5 with --ready, where a job is not ready",
    ),
    "plan": Lesson("plan jobs/demo.toml"),
    "preregister": Lesson("preregister jobs/weekly.toml", "the declaration, into the database"),
    "run": Lesson(
        "run jobs/demo.toml",
        "answers, readings and points, into the database and bodies/",
        "5 questions are left unanswered, go on with --resume; 130 stopped",
    ),
    "daemon": Lesson(
        "daemon --jobs jobs",
        "runs and their points, ticks, alarms; reports into MONITOR_HOME/out",
        f"{_FREE}; 4 another daemon works here",
    ),
    "worker": Lesson("worker --at-once 2", f"answers and points, into {_DATABASE}", _FREE),
    "status": Lesson("status", codes="5 a person has to act"),
    "jobs show": Lesson("jobs show weekly"),
    "jobs pause": Lesson(
        "jobs pause weekly --reason 'moving house'", f"the pause, into {_DATABASE}"
    ),
    "jobs trust-clock": Lesson(
        "jobs trust-clock --reason 'AB: the clock was a month ahead until today'",
        f"that the clock is right, into {_DATABASE}",
    ),
    "jobs resume": Lesson("jobs resume weekly", f"the end of the pause, into {_DATABASE}"),
    "notify test": Lesson("notify test findings", codes="5 an address did not take the message"),
    "notify list": Lesson("notify list --unsent"),
    "notify show": Lesson("notify show 12"),
    "alarms show": Lesson("alarms show job_broken"),
    "report": Lesson("report --job demo --output out/report.html", "one file, written over"),
    "report weekly": Lesson(
        "report weekly --until 2026-11-22 --formats html,json",
        "files in the folder, written over",
        "5 ticks of a job were due and none was run",
    ),
    "runs list": Lesson("runs list --job weekly --state partial"),
    "runs show": Lesson("runs show 12"),
    "series list": Lesson("series list --engine deepl --target cs"),
    "series show": Lesson("series show 12 --since 2026-01-01"),
    "series changes": Lesson("series changes --job weekly"),
    "series claim": Lesson("series claim 3 --output claim.html", "one file, with --output"),
    "series compare": Lesson(
        "series compare --job weekly --quantity f_s", "one file, with --output"
    ),
    "serve": Lesson("serve --port 8600", "nothing", _FREE),
    "users add": Lesson(
        "users add ada --role analyst", "the user and the hash of the password, into the database"
    ),
    "users show": Lesson("users show ada"),
    "users roles": Lesson("users roles ada --role viewer --role operator", _CHANGED),
    "users password": Lesson("users password ada --password-from NEW_PASSWORD", _CHANGED),
    "users disable": Lesson("users disable ada", _CHANGED),
    "users enable": Lesson("users enable ada", f"the change, into {_DATABASE}"),
    "users token": Lesson(
        "users token ada --for 'weekly script' --days 30", "the token's digest, with --for"
    ),
    "embargo add": Lesson(
        "embargo add --engine deepl --reason 'paper under review' --until 2027-06-30",
        f"the embargo, into {_DATABASE}",
    ),
    "embargo show": Lesson("embargo show 3"),
    "embargo lift": Lesson("embargo lift 3", f"when it was lifted, into {_DATABASE}"),
    "datasette": Lesson("datasette --port 8602", "nothing", _FREE),
    "donate check": Lesson("donate check pages.har"),
    "donate add": Lesson(
        "donate add pages.har --donor 17 --region us-en --device desktop --signed-in",
        f"the pages without personal data, into {_DATABASE} and bodies/",
    ),
    "evidence show": Lesson(
        "evidence show 12 list-of-philosophers --save proof", "files in a folder, with --save"
    ),
    "evidence export": Lesson("evidence export 12", "one WARC file; none is written over"),
    "evidence verify": Lesson("evidence verify 12", codes="4 an answer is missing or changed"),
    "audit draw": Lesson(
        "audit draw weekly --per-class 20", "the sheet and its guide; what was drawn, the database"
    ),
    "audit import": Lesson(
        "audit import audit-weekly-1.csv --by ab", f"labels and what follows, into {_DATABASE}"
    ),
    "audit show": Lesson("audit show weekly"),
    "label export": Lesson("label export people.csv --rater ab", "the sheet"),
    "label import": Lesson("label import people.csv --rater ab", f"labels, into {_DATABASE}"),
    "export trec-run": Lesson("export trec-run 12 --output run.txt", "one file"),
    "export release": Lesson("export release out/release", "a folder, which is new or empty"),
    "export reproduction": Lesson(
        "export reproduction out/package --redacted", "a folder, which is new or empty"
    ),
    "reproduce": Lesson(
        "reproduce out/package", "nothing, or an archive with --keep", "1 a number differs or lacks"
    ),
    "import lm-scores": Lesson(
        "import lm-scores scores --list gest-cs@1 --date 2026-01-31", f"runs, into {_DATABASE}"
    ),
    "import trec-run": Lesson(
        "import trec-run bm25.txt --docs docs.jsonl --topics topics.tsv --name news "
        "--date 2026-01-31",
        f"runs, into {_DATABASE}",
    ),
    "import labour bls": Lesson(
        "import labour bls cpsaat11.xlsx --year 2025", "jobs/references/bls-2025.csv"
    ),
    "import labour eurostat": Lesson(
        "import labour eurostat lfsa.json --geo DE", "jobs/references/eurostat-de-YEAR.csv"
    ),
    "import labour ilostat": Lesson(
        "import labour ilostat ilo.csv --area DEU", "jobs/references/ilostat-deu-YEAR.csv"
    ),
    "redo": Lesson(
        "redo --job weekly --dry-run",
        f"readings, signals and points beside the old ones, into {_DATABASE}",
        "5 runs were left out, with the reason; 130 stopped, go on with the same command",
    ),
    "gender": Lesson("gender texts.csv --language cs --output read.csv", "one CSV file"),
    "explain": Lesson("explain 'Jsem unavená.' --language cs"),
    "parse": Lesson("parse page.html --engine google"),
    "lists show": Lesson("lists show stereotypes@1"),
    "lists fetch": Lesson("lists fetch gest", "lists in jobs/lists; none is written over"),
    "lists rate": Lesson(
        "lists rate gest@1.1 --rater ab --output rate-ab.csv", "the sheet and its values"
    ),
    "lists agreement": Lesson("lists agreement rate-ab.csv rate-cd.csv --list gest@1.1"),
    "lists pairs": Lesson(
        "lists pairs translations.csv --language cs --list gest-cs@1",
        "a list in jobs/lists; none is written over",
    ),
    "lexicon build": Lesson(
        "lexicon build --vectors glove.txt --name news", "MONITOR_HOME/lexicons/NAME.lexicon"
    ),
    "lexicon test": Lesson("lexicon test --lexicon news"),
    "lexicon show": Lesson("lexicon show nurse engineer"),
    "corpus build": Lesson(
        "corpus build news news.txt.gz", "MONITOR_HOME/corpora/NAME; none is written over"
    ),
    "corpus show": Lesson("corpus show news"),
    "corpus bias": Lesson("corpus bias news --labour census", "a CSV file, with --csv"),
    "corpus plot": Lesson("corpus plot news --labour census", "out/corpus-NAME.html"),
    "corpus compare": Lesson("corpus compare news news-half news-full"),
    "index": Lesson("index news.jsonl --name news --swapped", "MONITOR_HOME/indexes/NAME"),
    "models fetch": Lesson("models fetch firefox en-cs", "MONITOR_HOME/models"),
    "models show": Lesson("models show firefox en-cs"),
    "languages show": Lesson("languages show cs"),
    "measures show": Lesson("measures show f_s"),
    "references show": Lesson("references show us_labour"),
    "engines show": Lesson("engines show deepl"),
    "engines test": Lesson(
        "engines test libretranslate --target es --config base_url=http://127.0.0.1:5000",
        "a ZIP file, with --record",
        "4 the ZIP file is there already; 5 no answer that can be used",
    ),
    "engines recording show": Lesson(
        "engines recording show live.zip",
        codes="2 it is no recording; 4 it was changed after recording",
    ),
    "engines recording replay": Lesson(
        "engines recording replay live.zip",
        codes="2 it is no recording; 4 it was changed; 5 an answer is read otherwise than "
        "recorded, or is not understood",
    ),
    "engines languages": Lesson(
        "engines languages libretranslate --config base_url=http://127.0.0.1:5000",
        codes="5 no answer that can be used",
    ),
    "engines pause": Lesson("engines pause deepl --reason quota", f"the pause, into {_DATABASE}"),
    "engines resume": Lesson("engines resume deepl", f"the end of the pause, into {_DATABASE}"),
    "study languages": Lesson("study languages --labelled labelled.csv"),
    "gc": Lesson("gc --dry-run", "takes contents away for ever, but with --dry-run"),
    "erase": Lesson(
        "erase 'Ada Example' --reason 'request of 2026-01-31' --dry-run",
        "takes contents away for ever, but with --dry-run",
    ),
    "completion": Lesson("completion bash"),
    "db upgrade": Lesson("db upgrade", f"the schema of {_DATABASE}"),
    "db backup": Lesson("db backup /backups", "a new folder in FOLDER"),
    "db restore": Lesson("db restore /backups --into audit", "a database where there is none"),
    "db check": Lesson("db check /backups", codes="4 a file is another than its digest says"),
    "db reader": Lesson("db reader analyst", "a role on the server; with --sql nothing"),
}


def example_lines(example: str) -> str:
    """The command line of an example, broken before options where it is longer than a window."""
    lines = [f"Example: monitor {example}"]
    while len(lines[-1]) > _LONGEST_LINE and (at := lines[-1].rfind(" --", 0, _LONGEST_LINE)) > 0:
        rest = lines[-1][at + 1 :]
        lines[-1] = f"{lines[-1][:at]} \\"
        lines.append(f"    {rest}")
    return "\n".join(lines)


def beneath(name: str) -> str:
    """What stands beneath the help of a command, in lines; empty for what is not known here."""
    lesson = LESSONS.get(name)
    if lesson is None:
        return ""
    codes = f"{lesson.codes}; others: monitor --help" if lesson.codes else _CODES
    parts = (f"Writes: {lesson.writes}.", f"Exit codes: {codes}.")
    return "\n\n".join((f"\b\n{example_lines(lesson.example)}", *parts))


#: A full stop ends a sentence where a capital letter follows.
_SENTENCE_END = re.compile(r"(?<=\.) (?=[A-Z`])")


class Command(NamedTuple):
    """A command, its module in this package, and what `monitor --help` says.

    The module has a function of its name, or a group NAME_commands.
    """

    name: str
    module: str
    summary: str  # at most 65 characters, so that it is whole in a window of 80


#: Headings of `monitor --help` with their commands, in the order in which one needs them.
_GROUPS = {
    "Getting started": (
        ("init", "jobs.job_files", "Make a folder ready, or write a job of your own: --for."),
        ("check", "jobs.job_files", "Validate job files and all that they name."),
        ("plan", "jobs.plan", "Say what a job asks, costs and can find; asks nobody."),
        ("run", "collect.run", "Run a job once, now: ask, keep the answers, compute."),
        ("status", "schedule.jobs", "Who is at work, what is due, and what is wrong."),
        ("report", "reports", "Write the report of a run, or of a week."),
    ),
    "Asking": (
        ("engines", "jobs.engines", "The systems that can be asked: list, show, test, pause."),
        ("languages", "jobs.catalogue", "Languages whose grammatical gender can be read."),
        ("lists", "jobs.lists", "Probe lists: list, show, fetch, rate, make of pairs."),
        ("models", "jobs.catalogue", "Models that run in this machine."),
        (
            "preregister",
            "jobs.plan",
            "Declare what a job will test, before its first tick.",
        ),
    ),
    "Results": (
        ("runs", "reports", "Runs: list them, show what one found."),
        ("series", "changes.series", "The time series: list, show, what has changed."),
        ("measures", "jobs.catalogue", "Measures and their quantities: what each value means."),
        (
            "references",
            "jobs.catalogue",
            "Sources of reference shares, such as labour statistics.",
        ),
        ("export", "publish.imports", "Write what other tools and other people read."),
        ("import", "publish.imports", "Bring in what was computed elsewhere."),
    ),
    "Evidence": (
        ("donate", "collect.donate", "Pages that people donate: check a file, add it, list."),
        ("evidence", "collect.evidence", "The raw answers: show one, export a run's, verify."),
        ("reproduce", "publish.packages", "Recompute every number of a reproducibility package."),
        ("redo", "derive.redo", "Derive kept runs anew, by present versions; asks nobody."),
    ),
    "Validation": (
        ("audit", "validation.audit", "How often our reading of gender is right."),
        ("label", "validation.label", "Who people in results are: sheets, and what they say."),
    ),
    "Running a service": (
        ("daemon", "schedule.daemon", "Run the jobs of a folder when they are due."),
        ("worker", "schedule.daemon", "Ask and compute for the daemon, beside other workers."),
        ("jobs", "schedule.jobs", "The jobs that the daemon watches: list, show, pause."),
        ("alarms", "schedule.notices", "What an operator has to look at, and what to do."),
        ("notify", "schedule.notices", "What people are told, by mail or chat."),
        ("serve", "access.serve", "Serve pages from every number to its proof, and an API."),
        ("users", "access.users", "Users of the web pages: roles, passwords, tokens."),
        ("embargo", "access.embargo", "What public pages do not show yet."),
        ("datasette", "access.serve", "Look at the SQLite file in a browser, read only."),
    ),
    "Texts and words of your own": (
        ("gender", "derive.texts", "Read the speaker's gender in every text of a file."),
        ("explain", "derive.texts", "Which words of a sentence decide its gender, and why."),
        ("parse", "derive.texts", "Read saved result pages, block by block."),
        ("lexicon", "derive.lexicon", "How far words lie towards women or men."),
        ("corpus", "derive.corpus", "Bias of words in bodies of texts of your own."),
        ("index", "derive.index", "Build an index of documents for the rankers."),
        ("study", "validation.study", "Accuracy on published figures and labelled texts."),
    ),
    "Maintenance": (
        ("db", "maintenance.db", "The database: upgrade, back up, restore, verify."),
        ("gc", "maintenance.removal", "Take away answers that are past their time."),
        ("erase", "maintenance.removal", "Take away what is kept of a person, for good."),
        ("completion", "names", "Complete commands by the Tab key: bash, zsh, fish."),
    ),
}
GROUPS = {heading: tuple(Command(*row) for row in rows) for heading, rows in _GROUPS.items()}
COMMANDS = tuple(one for group in GROUPS.values() for one in group)
#: Where a context notes that only help is asked for.
HELP = "monitor.help"
_MODULES = {command.name: command.module for command in COMMANDS}
_SUMMARIES = {command.name: command.summary for command in COMMANDS}
_WIDTH = max(map(len, _MODULES))


class Commands(TyperGroup):
    """The group of all commands; a command's module is imported when the command is wanted."""

    @property
    def commands(self) -> dict[str, Any]:
        """All of them, each imported."""
        return {command.name: _loaded(command.name) for command in COMMANDS}

    @commands.setter
    def commands(self, _none: object) -> None:
        """What the base class would hold stands in COMMANDS."""

    def list_commands(self, ctx: Any) -> list[str]:  # noqa: ANN401, ARG002 - of typer's own click
        return list(_MODULES)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:  # noqa: ANN401, ARG002 - as above
        return _loaded(cmd_name) if cmd_name in _MODULES else None

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:  # noqa: ANN401 - as above
        """Find a command by its name; for an unknown one, near names are in the message."""
        is_unknown = args[0] not in _MODULES and not args[0].startswith("-")
        if is_unknown and not ctx.resilient_parsing:
            ctx.fail(f"no command {args[0]!r}; {hint(args[0], _MODULES)}")
        return super().resolve_command(ctx, args)

    def shell_complete(self, ctx: Any, incomplete: str) -> Any:  # noqa: ANN401 - as above
        """Complete commands without importing them, and options."""
        named_commands = [command for command in COMMANDS if command.name.startswith(incomplete)]
        own = [
            CompletionItem(named_command.name, help=named_command.summary)
            for named_command in named_commands
        ]
        return own + super(TyperGroup, self).shell_complete(ctx, incomplete)

    def invoke(self, ctx: Any) -> Any:  # noqa: ANN401 - as above
        """Note whether help of a command is asked for, which needs no setting.

        What is wrong with a value is said in our words.
        """
        ctx.meta[HELP] = bool(set(ctx.help_option_names) & set(ctx.args))
        try:
            return super().invoke(ctx)
        except typer.BadParameter as error:
            error.message = _say_bad_value(error)
            raise

    def format_commands(self, ctx: Any, formatter: Any) -> None:  # noqa: ANN401, ARG002 - as above
        """Write the list of `monitor --help`."""
        for heading, commands in GROUPS.items():
            with formatter.section(heading):
                formatter.write_dl([(one.name.ljust(_WIDTH), one.summary) for one in commands])


#: What is wrong with a value, by the kind of fault that typer's checks name.
_BAD_VALUES = {
    "int_parsing": "{value!r} is not a whole number",
    "int_from_float": "{value!r} is not a whole number",
    "float_parsing": "{value!r} is not a number",
    "greater_than_equal": "{value} is too small; the least is {ge}",
    "less_than_equal": "{value} is too large; the most is {le}",
}
_QUOTED = re.compile(r"'([^']*)'")


def _say_bad_value(error: typer.BadParameter) -> str:
    """Return what is wrong with a value, and what is allowed; other messages as they are."""
    details: Any = getattr(error.__cause__, "errors", list)()
    if not details:
        return str(error.message)
    fault, limits = details[0], details[0].get("ctx", {})
    value = str(fault["input"])
    if template := _BAD_VALUES.get(fault["type"]):
        return template.format(value=value, **limits)
    message = str(limits.get("error", fault["msg"]))
    if " is not one of " in message:
        allowed = _QUOTED.findall(message.partition(" is not one of ")[2])
        return f"{value!r} is not known; {hint(value, allowed)}"
    if " does not match the formats " in message:
        return f"{value!r} is no date; write one as 2026-11-22"
    return message


@cache
def _loaded(name: str) -> Any:  # noqa: ANN401 - of typer's own click
    """The command, out of its module: a function of its name, or a group NAME_commands."""
    app = typer.Typer(rich_markup_mode=None)
    module = import_module(f"monitor.cli.{_MODULES[name]}")
    if group := getattr(module, f"{name}_commands", None):
        if group.registered_callback:  # a command itself, with a help of its own
            app.add_typer(group, name=name)
        else:
            app.add_typer(group, name=name, help=_SUMMARIES[name], no_args_is_help=True)
    else:
        app.command(name)(getattr(module, name))
    found = typer.main.get_group(app).commands[name]
    _teach(found, name)
    return found


def _teach(command: Any, name: str) -> None:  # noqa: ANN401 - as above
    """Put an example, what is written and the exit codes beneath the help.

    The first sentence stands whole in the list of a group, where typer would cut it off.
    """
    command.epilog = beneath(name) or command.epilog
    for inner, below in getattr(command, "commands", {}).items():
        below.short_help = _first_sentence(below.help or "")
        _teach(below, f"{name} {inner}")


def _first_sentence(text: str) -> str:
    paragraph = " ".join(text.partition("\n\n")[0].split())
    return _SENTENCE_END.split(paragraph, maxsplit=1)[0].rstrip(".")


# --- values that are taken as they are ------------------------------------------------------------

_AS_THEY_ARE = (str, int, float, Path)


class _Check:
    """The check of values of a parameter, made by typer where a value needs one."""

    def __init__(self, make_check: Callable[[Any], Any]) -> None:
        self._make_check = make_check

    def coerce(self, value: Any, param: Any, ctx: Any) -> Any:  # noqa: ANN401 - typer's own
        """Return a text, and a number or path that is the default, as it is."""
        if value is None:
            return () if param.multiple or param.nargs == -1 else None
        kind = param.type_descriptor.annotation
        if kind in _AS_THEY_ARE and isinstance(value, kind):
            return value
        return self._make_check(param).coerce(value, param=param, ctx=ctx)


def _return(_param: object, check: _Check) -> _Check:
    return check


def take_plain_values() -> None:
    """Let options and arguments of typer ask for its check only where a value needs one.

    Typer checks every value by pydantic, also those that are left out. Importing pydantic and
    making the checks takes 80 ms, a fifth of a command that lists something.
    """
    for kind in (TyperOption, TyperArgument):
        check = _Check(kind.get_runtime_param)
        setattr(kind, "get_runtime_param", partialmethod(_return, check))  # noqa: B010 - of typer


# --- options that several commands have -----------------------------------------------------------

CommandFunction: TypeAlias = Callable[..., None]


def share_options(**groups: Callable[..., Any]) -> Callable[[CommandFunction], CommandFunction]:
    """Give a command the options of functions, in place of the parameters that are named here.

    After `@share_options(order=read_order)` a command has the options that are the parameters of
    `read_order`, and its parameter `order` is what that function returns of them. What a `partial`
    sets is no option.
    """

    def declare(command: CommandFunction) -> CommandFunction:
        own = inspect.signature(command).parameters.values()
        shared = {name: _list_options(read) for name, read in groups.items()}

        def run(**values: Any) -> None:  # noqa: ANN401 - values of any option
            for name, read in groups.items():
                own_values = {option.name: values.pop(option.name) for option in shared[name]}
                values[name] = read(**own_values)
            command(**values)

        options = [
            option.replace(kind=inspect.Parameter.KEYWORD_ONLY)
            for parameter in own
            for option in shared.get(parameter.name, [parameter])
        ]
        run.__name__, run.__doc__, run.__module__ = (
            command.__name__, command.__doc__, command.__module__,
        )  # fmt: skip
        run.__annotations__ = {option.name: option.annotation for option in options}
        run.__signature__ = inspect.Signature(options)  # type: ignore[attr-defined]
        return run

    return declare


def _list_options(read: Callable[..., Any]) -> list[inspect.Parameter]:
    preset = read.keywords if isinstance(read, partial) else {}
    return [o for o in inspect.signature(read).parameters.values() if o.name not in preset]
