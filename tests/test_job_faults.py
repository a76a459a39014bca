"""A job file with several faults says all of them, each with line, key, value and remedy."""

import re

import pytest

from monitor.input_files import FaultyFile
from monitor.jobs import load_audit
from monitor.model import InvalidInput
from tests.cases import check_each

JOB = """\
name = "mine"
description = "what it is"

[schedule]
cron = "0 5 * * mon"

[[lists]]
name = "stereotypes@1"

[[engines]]
name = "deepl"
targets = ["cs"]

[[measures]]
name = "masculine_rate"
"""
ALL_FAULTS = """\
line 1, name: must be small letters, digits and hyphens, such as gest-weekly (it says 'My Audit')
line 5, schedule.cron: hour cannot be '25'; write 0 to 23, */6, 5,17 or * (it says '0 25 * * mon')
line 8, lists[0].name: no list 'stereotype@1'; did you mean stereotypes@1?
line 11, engines[0].name: unknown engine 'deepll'; did you mean deepl?
line 12, engines[0].targts: unknown key; did you mean targets?
line 15, measures[0].name: unknown measure 'masculin_rate'; did you mean masculine_rate?
line 18, noise.share: must be at most 1 (it says 2)
line 19, noise.hours: unknown key; did you mean after_hours?
"""
#: Words of pydantic, which are about types of Python.
PYDANTIC = re.compile(
    "Field required|Input should|[Vv]alue error|valid (integer|number|string|list|dictionary)|"
    "Extra inputs|greater than|less than or|validation error|should (have|match)|at most \\d+ items"
)


def faults(tmp_path, *changes, after=""):
    text = JOB
    for old, new in changes:
        assert old in text, old
        text = text.replace(old, new, 1)
    path = tmp_path / "mine.toml"
    path.write_text(text + after, encoding="utf-8")
    with pytest.raises(InvalidInput) as refused:
        load_audit(path)
    assert str(refused.value).startswith(f"{path}: ")
    return refused.value


def test_all_faults_are_said_at_once_in_the_order_of_the_file(tmp_path):
    found = faults(
        tmp_path, ('"mine"', '"My Audit"'), ("0 5 * * mon", "0 25 * * mon"),
        ("stereotypes@1", "stereotype@1"), ('"deepl"\ntargets', '"deepll"\ntargts'),
        ("masculine_rate", "masculin_rate"), after="\n[noise]\nshare = 2\nhours = 3\n",
    )  # fmt: skip
    assert isinstance(found, FaultyFile)
    heading, *lines = found.lines.splitlines()
    assert heading == f"{tmp_path}/mine.toml: 8 faults"
    for line, words in zip(lines, ALL_FAULTS.splitlines(), strict=True):
        assert line == f"  {words}"
    assert "\n" not in str(found)


def test_what_does_not_fit_together_is_said_at_once_too(tmp_path):
    found = faults(
        tmp_path, ('["cs"]', '["czech"]\nconfig = { formalty = "more" }'),
        ('"stereotypes@1"', '"stereotypes@1"\nstratify = "tens"'),
        after='\n[[engines]]\nname = "wikipedia"\ntargets = ["cs"]\n',
    )  # fmt: skip
    assert [one.partition(": ")[0] for one in found.faults] == [
        "line 9, lists[0].stratify", "line 13, engines[0].targets",
        "line 14, engines[0].config.formalty", "line 21, engines[1].targets",
    ]  # fmt: skip


HIDDEN = """\
name = "hidden"
description = "faults that hide behind other faults"
repeats = 0

[schedule]
cron = "moon"

[governance.reviews]
depl = "2025-13-01"

[[lists]]
name = "stereotypes@1"

[[engines]]
name = "depl"
targets = ["czech", "pl"]

[[engines]]
name = "deepl"
targets = ["cs", "xx"]
control = true

[engines.config]
# Politely.
formalty = "more"
formality = "very"

[[engines]]
name = "brave"
regions = ["mars-en"]

[[measures]]
name = "c_ratio_bias"
references = ["us_labor"]
flor = 3

[languages.sk]
nouns = true

[confirm]
after_hours = 50

[families]
primaries = ["fs"]
"""
HIDDEN_PLACES = """\
line 3, repeats: must be at least 1
line 6, schedule.cron: needs five fields
line 9, governance.reviews.depl: must be a date
line 9, governance.reviews.depl: unknown engine 'depl'
line 15, engines[0].name: unknown engine 'depl'
line 16, engines[0].targets: target 'czech'
line 20, engines[1].targets: target 'xx'
line 21, engines[1].control: control = true is for local ones
line 25, engines[1].config.formalty: engine 'deepl': config has an unknown key
line 26, engines[1].config.formality: engine 'deepl': config: formality = 'very': must be one of
line 30, engines[2].regions: region 'mars-en' is not in
line 34, measures[0].references[0]: unknown reference 'us_labor'
line 35, measures[0].flor: c_ratio_bias: unknown parameter 'flor'
line 37, languages.sk: no engine has this target
line 41, confirm.after_hours: after_hours = 50 must be less than within_hours = 48
line 44, families.primaries: unknown quantity 'fs'
"""


def test_no_fault_hides_another_one(tmp_path):
    found = faults(tmp_path, (JOB, HIDDEN))
    for fault, beginning in zip(found.faults, HIDDEN_PLACES.splitlines(), strict=True):
        assert fault.startswith(beginning)


@check_each(
    ("change", "fault"),
    [
        (('"deepl"', '"depl"'), "line 11, engines[0].name: unknown engine"),
        (('["cs"]', '"cs"'), "line 12, engines[0].targets: must be a list"),
        (("0 5 * * mon", "0 5 * * 1"), "line 5, schedule.cron: name weekdays"),
        (("_rate", "_rat"), "line 15, measures[0].name: unknown measure"),
        (("[[measures]]", "[measures]"), "line 14, measures: must be a list"),
        (("[[engines]]", "[engines]"), "line 10, engines: must be a list"),
        (("_rate", '_rate"\ncutoff = [2026-01-01]\n#'), "line 16, measures[0].cutoff: masculine_"),
    ],
)
def test_what_follows_from_a_fault_is_not_said(tmp_path, change, fault):
    tables = (
        "\n[noise]\nafter_hours = 20\n[confirm]\nafter_hours = 2\n[families]\n"
        'primaries = ["f_s"]\n[languages.cs]\nnouns = true\n'
    )
    [said] = faults(tmp_path, change, after=tables).faults
    assert said.startswith(fault)


EMPTY = (JOB, "")
GOVERNANCE = """
[governance]
purpos = "x"
contact = "me@example.org"
[governance.reviews]
depl = "2025-01-01"
"""


@check_each(
    ("changes", "after", "words"),
    [
        ([EMPTY], "", ["name: is missing; write name = ", "measures: is missing; write [["]),
        ([('["cs"]', '"cs"')], "", ["line 12, engines[0].targets: must be a list"]),
        ([('["cs"]', '["cs"]\npace = -1\nin_flight = 2.5\ndaily_budget = "many"')], "",
         ["pace: must be at least", "in_flight: must be a whole number (it says 2.5)",
          "line 15, engines[0].daily_budget: must be a whole number (it says 'many')"]),
        ([('["cs"]', '["cs"]\nconfig = { formalty = "more", formality = "very" }')], "",
         ["unknown key 'formalty'; did you mean formality?", "must be one of default, more"]),
        ([('["cs"]', '["czech", "xx"]')], "",
         ["'czech': its gender cannot be read; did you mean cs (Czech)?", "'xx'"]),
        ([('_rate"', '_rate"\nflor = 3')], "",
         ["measures[0].flor: masculine_rate: unknown parameter 'flor'; did you mean floor?"]),
        ([('"masculine_rate"', '"c_ratio_bias"')], "",
         ['needs references; add references = ["us_labour"]']),
        ([('"masculine_rate"', '"c_ratio_bias"\nreferences = ["us_labor"]')], "",
         ["line 16, measures[0].references[0]: unknown reference 'us_labor'; did you mean us_l"]),
        ([], '[families]\nprimaries = ["fs", "fm"]\n',
         ["unknown quantity 'fs'; did you mean f_s (stereotype rate", "'fm'; did you mean f_m"]),
        ([], '[preregistration]\nhypothesis = ""\nalpha = 0.9\ndate = "soon"\n',
         ["hypothesis: must not be empty", "targets: is missing; write targets", "at most 0.5",
          "date: must be a date such as 2026-10-01 (it says 'soon')", "smallest_effect: is miss"]),
        ([], GOVERNANCE,
         ["purpos: unknown key; did you mean purpose?", "is an example address",
          "line 21, governance.reviews.depl: unknown engine 'depl'; did you mean deepl?"]),
        ([], '[report]\ncron = "0 7 * * mon"\nformats = ["html", "docx"]\ncovers = "jobs"\n',
         ["formats[1]: must be one of html, pdf, json (it says 'docx')",
          "line 19, report.covers: must be one of job, all (it says 'jobs')"]),
        ([('"stereotypes@1"',
           '"stereotypes@1"\nwhere = { stereotyp = "3" }\nsample = 0\nstratify = "tens"')], "",
         ["'stereotyp' is no tag; did you mean stereotype", "sample: must be at least 1",
          "stratify = 'tens' is no tag"]),
        ([("[[lists]]", "[lists]")], "", ["line 7, lists: must be a list"]),
        ([('"what it is"', "5"), ("[schedule]", "invented = false\ntries = 0\n[schedule]")], "",
         ["description: must be a text, in quotation marks (it says 5)",
          "invented: must be true (it says False)", "tries: must be at least 1 (it says 0)"]),
        ([('"what it is"', '"""\nname = "x"\n[[engines]]\n"""\ntries = 99')], "",
         ["line 6, tries: must be at most 20 (it says 99)"]),
        ([('is"', "is")], "", ["not valid TOML: ", "line 2", "close the text with a quotation"]),
        ([('is"', 'is"\nname = "b"')], "", ["line 3", "a key stands twice"]),
        ([('"mine"', "mine")], "", ["line 1", "put a text in quotation marks"]),
    ],
)  # fmt: skip
def test_a_fault_is_said_with_line_key_value_and_remedy(tmp_path, changes, after, words):
    found = faults(tmp_path, *changes, after=after)
    for part in words:
        assert part in str(found)
    assert not PYDANTIC.search(str(found))
