"""Which version of its source the program is of."""

import subprocess

import pytest

from monitor import resources

COMMIT = "0123456789abcdef0123456789abcdef01234567"


@pytest.fixture
def package(tmp_path, monkeypatch):
    place = tmp_path / "repository" / "monitor"
    (place / "stages" / "__pycache__").mkdir(parents=True)
    (place / "__init__.py").write_text("x = 1\n")
    monkeypatch.setattr(resources, "_PACKAGE", place)
    return place


def test_what_was_made_of_the_source_is_not_in_its_digest(package):
    digest = resources.source_digest.__wrapped__  # without what was kept of another look
    before = digest()
    (package / "stages" / "__pycache__" / "x.pyc").write_bytes(b"1")
    (package / "_data").mkdir()
    (package / "_data" / "run.lock").write_text("x")
    assert digest() == before
    (package / "__init__.py").rename(package / "stages" / "__init__.py")
    moved = digest()
    assert moved != before
    (package / "stages" / "__init__.py").write_text("x = 2\n")
    assert digest() not in (before, moved)


def test_no_checkout_has_no_commit(package):
    assert resources.read_commit() == ""


def test_the_commit_of_a_real_repository_its_branch_and_its_other_trees(package, tmp_path):
    folder = package.parent
    git = ["git", "-C", str(folder), "-c", "user.name=a", "-c", "user.email=a@b.test"]
    for words in (["init", "-q", "-b", "main"], ["add", "."], ["commit", "-q", "-m", "one"]):
        subprocess.run([*git, *words], check=True)
    head = subprocess.run([*git, "rev-parse", "HEAD"], check=True, capture_output=True, text=True)
    head = head.stdout.strip()
    assert resources.read_commit() == head
    subprocess.run([*git, "pack-refs", "--all"], check=True)
    assert resources.read_commit() == head
    subprocess.run([*git, "worktree", "add", "-q", str(tmp_path / "beside")], check=True)
    resources._PACKAGE = tmp_path / "beside" / "monitor"
    assert resources.read_commit() == head
    subprocess.run([*git, "checkout", "-q", "--detach"], check=True)
    resources._PACKAGE = package
    assert resources.read_commit() == head


@pytest.mark.parametrize("head", ["", "ref: refs/heads/none", "nonsense", f"{COMMIT}0", "ref: "])
def test_a_head_that_is_none_gives_none(package, head):
    (package.parent / ".git").mkdir()
    (package.parent / ".git" / "HEAD").write_text(head)
    assert resources.read_commit() == ""
