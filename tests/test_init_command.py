"""`monitor init --for ... --languages ...`: a job of one's own that is valid as it is written."""

import pytest

from monitor import registry
from monitor.jobs import load_audit
from monitor.model import Kind
from tests.cases import check_each
from tests.command import program
from tests.factories import make_list

FREE = "https://api-free.deepl.com"


@pytest.fixture
def shell(tmp_path, monkeypatch, capsys):
    for engine in registry.discover("engines").values():
        for secret in engine.needs.secrets:
            monkeypatch.delenv(secret, raising=False)
    with program(tmp_path, monkeypatch, capsys) as command:
        yield command


def asked(job):
    return {use.name: use.targets for use in job.engines}


def test_a_job_for_two_translators_is_valid_and_like_the_shipped_one(shell, tmp_path):
    code, out, err = shell("init", "a", "--for", "deepl,google_translate", "--languages", "cs,pl")
    assert code == 0
    assert "\u2713 valid, \u2717 not ready to run: a/jobs/gest-cs-pl.toml" in out
    assert "deepl needs DEEPL_AUTH_KEY (not set)" in out
    assert (
        'google_translate needs GOOGLE_API_KEY (not set) (api = "v2", the default); or '
        'gbmonitor[google], GOOGLE_APPLICATION_CREDENTIALS (not set) (api = "v3")'
    ) in out
    assert out.endswith("next: cd a; monitor plan jobs/gest-cs-pl.toml\n")
    assert "governance.controller: name who is responsible" in err
    job = load_audit(tmp_path / "a" / "jobs" / "gest-cs-pl.toml").job
    both = ["cs", "pl"]
    assert asked(job) == {"firefox_translations": both, "deepl": both, "google_translate": both}
    assert [use.control for use in job.engines] == [True, False, False]
    shipped = load_audit(tmp_path / "a" / "jobs" / "gest-weekly.toml").job
    for part in ("schedule", "noise", "confirm", "measures", "lists"):
        assert getattr(job, part) == getattr(shipped, part)
    assert job.noise
    assert job.confirm
    assert shell("check", "a/jobs/gest-cs-pl.toml")[0] == 0


def test_a_free_key_of_deepl_gets_its_address_and_is_never_printed(shell, tmp_path, monkeypatch):
    monkeypatch.setenv("DEEPL_AUTH_KEY", "0123-secret:fx")
    code, out, err = shell("init", "--for", "deepl", "--languages", "cs")
    assert code == 0
    path = tmp_path / "jobs" / "gest-cs.toml"
    [deepl] = [use for use in load_audit(path).job.engines if use.name == "deepl"]
    assert deepl.config == {"base_url": FREE}
    assert f"so the job names {FREE}" in out
    assert "0123-secret" not in out + err + path.read_text()
    path.write_text(path.read_text().replace(f'config = {{ base_url = "{FREE}" }}\n', ""))
    code, _, err = shell("check", path)
    assert code == 0
    assert "DEEPL_AUTH_KEY is the key of a free account of DeepL" in err
    assert FREE in err


def test_what_is_not_known_is_refused_at_once_and_nothing_is_made(shell, tmp_path):
    code, out, err = shell(
        "init", "a", "--for", "depl,google_translat,brave", "--languages", "czech,pl"
    )
    assert (code, out) == (2, "")
    assert "--languages: target 'czech': its gender cannot be read; did you mean cs (Czech)?" in err
    assert "--for: unknown engine 'depl'; did you mean deepl?" in err
    assert "--for: unknown engine 'google_translat'; did you mean google_translate?" in err
    assert "--for: brave is no translator; begin with jobs/gsr-web-weekly.toml" in err
    assert not (tmp_path / "a").exists()


@check_each(
    ("arguments", "words"),
    [
        (["--for", "deepl"], "--for and --languages go together"),
        (["--languages", "cs"], "--for and --languages go together"),
        (["--name", "mine"], "--for and --languages go together"),
        (["--for", "deepl", "--languages", "pt"], "name pt-BR or pt-PT"),
        (["--for", "masked_lm", "--languages", "cs"], "begin with jobs/lm-quarterly.toml"),
        (["--for", "recorded", "--languages", "cs"], "has to be told its file and system"),
        (["--for", "deepl", "--languages", "cs", "--name", "My Job"], "write small letters"),
    ],
)
def test_what_does_not_go_is_refused(shell, arguments, words):
    code, _, err = shell("init", "a", *arguments)
    assert code == 2
    assert words in err


def test_a_file_that_is_there_stays_as_it_is(shell, tmp_path):
    wanted = ("--for", "deepl", "--languages", "cs")
    assert shell("init", *wanted)[0] == 0
    path = tmp_path / "jobs" / "gest-cs.toml"
    path.write_text("mine")
    code, _, err = shell("init", *wanted)
    assert code == 2
    assert "is there already; --name NAME writes another" in err
    assert path.read_text() == "mine"
    assert shell("init", *wanted, "--name", "second")[0] == 0
    assert load_audit(tmp_path / "jobs" / "second.toml").job.name == "second"


def test_the_sentences_of_the_paper_are_asked_where_they_were_fetched(shell, tmp_path):
    make_list(tmp_path / "jobs", "gest", "1.1")
    assert shell("init", "--for", "deepl", "--languages", "cs")[0] == 0
    lists = load_audit(tmp_path / "jobs" / "gest-cs.toml").job.lists
    assert [use.name for use in lists] == ["gest@1.1", "gender-specified@1"]


def test_a_job_of_every_translator_is_valid(shell, tmp_path):
    written = []
    for name, engine in registry.discover("engines").items():
        if engine.kind is not Kind.MT or engine.surface == "recorded":
            continue
        for codes in ("cs", "pt-BR", "pt", "ca"):
            job = f"{name}-{codes}".lower().replace("_", "-")
            code, _, err = shell("init", "--for", name, "--languages", codes, "--name", job)
            if code == 0:
                written.append(name)
                assert load_audit(tmp_path / "jobs" / f"{job}.toml").job.name == job
            else:
                assert err.startswith("monitor: --for: ")
    assert {"amazon_translate", "azure_translator", "chat", "deepl", "google_translate"} <= set(
        written
    )
