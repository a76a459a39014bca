"""What stands beneath the help of every command: an example, what it writes, its exit codes."""

from typing import NamedTuple

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
LESSONS = {
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
    "jobs list": Lesson("jobs list"),
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
    "alarms list": Lesson("alarms list"),
    "alarms show": Lesson("alarms show job_broken"),
    "report": Lesson("report --job demo --output out/report.html", "one HTML file, written over"),
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
    "series claim": Lesson("series claim 3 --output claim.html", "one HTML file, with --output"),
    "series compare": Lesson(
        "series compare --job weekly --quantity f_s", "one HTML file, with --output"
    ),
    "serve": Lesson("serve --port 8600", "nothing", _FREE),
    "users add": Lesson(
        "users add ada --role analyst", "the user and the hash of the password, into the database"
    ),
    "users list": Lesson("users list"),
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
    "embargo list": Lesson("embargo list"),
    "embargo lift": Lesson("embargo lift 3", f"when it was lifted, into {_DATABASE}"),
    "datasette": Lesson("datasette --port 8602", "nothing", _FREE),
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
    "label agreement": Lesson("label agreement"),
    "label queue": Lesson("label queue"),
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
    "lists list": Lesson("lists list"),
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
    "lexicon list": Lesson("lexicon list"),
    "lexicon show": Lesson("lexicon show nurse engineer"),
    "corpus build": Lesson(
        "corpus build news news.txt.gz", "MONITOR_HOME/corpora/NAME; none is written over"
    ),
    "corpus list": Lesson("corpus list"),
    "corpus show": Lesson("corpus show news"),
    "corpus bias": Lesson("corpus bias news --labour census", "a CSV file, with --csv"),
    "corpus plot": Lesson("corpus plot news --labour census", "out/corpus-NAME.html"),
    "corpus compare": Lesson("corpus compare news news-half news-full"),
    "index": Lesson("index news.jsonl --name news --swapped", "MONITOR_HOME/indexes/NAME"),
    "models fetch": Lesson("models fetch firefox en-cs", "MONITOR_HOME/models"),
    "models list": Lesson("models list"),
    "languages list": Lesson("languages list"),
    "languages show": Lesson("languages show cs"),
    "measures list": Lesson("measures list"),
    "measures show": Lesson("measures show f_s"),
    "references list": Lesson("references list"),
    "references show": Lesson("references show us_labour"),
    "engines list": Lesson("engines list"),
    "engines show": Lesson("engines show deepl"),
    "engines test": Lesson(
        "engines test libretranslate --target es --config base_url=http://127.0.0.1:5000",
        codes="5 no answer that can be used",
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
