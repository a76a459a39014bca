"""Labelling in a real browser by keyboard alone, and what a coordinator and an operator then do."""

import logging
from threading import Thread
from time import monotonic, sleep

import pytest
import uvicorn
from playwright.sync_api import expect, sync_playwright

from monitor.labels import sheets
from monitor.roles import Role
from monitor.store.collect import pauses
from monitor.store.derive import people
from monitor.web.connections import Reply
from monitor.web.site.app import build_application
from tests.browser import required
from tests.web.site.conftest import PASSWORD

PEOPLE = 50
WAIT = 20.0


@pytest.fixture
def address(sqlite_archive, make_site):
    """Where the pages of the archive are served."""
    said = Reply(b"fine\n")
    app = build_application(make_site(sqlite_archive), {}, lambda _accept: said)
    config = uvicorn.Config(app, host="127.0.0.1", port=0, log_level=logging.ERROR, log_config=None)
    server = uvicorn.Server(config)
    thread = Thread(target=server.run)
    thread.start()
    until = monotonic() + WAIT
    while not server.started and monotonic() < until:
        sleep(0.05)
    yield f"http://127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}"
    server.should_exit = True
    thread.join()


@pytest.fixture
def browser():
    path = required()
    with sync_playwright() as play:
        found = play.chromium.launch(executable_path=str(path), args=["--no-sandbox"])
        yield found
        found.close()


@pytest.fixture
def log_in(browser, address, sqlite_archive, make_user):
    """Opens the pages as a user, by keyboard alone."""

    def make(name, role, path):
        make_user(sqlite_archive, name, role)
        context = browser.new_context()
        page = context.new_page()
        page.problems = []
        page.on("console", lambda one: page.problems.append(one.text))
        page.on("pageerror", lambda one: page.problems.append(str(one)))
        page.goto(f"{address}{path}")
        expect(page.locator("[autofocus]")).to_be_focused()
        page.keyboard.type(name)
        page.keyboard.press("Tab")
        page.keyboard.type(PASSWORD)
        page.keyboard.press("Enter")
        page.wait_for_url(f"{address}{path}")
        return page

    return make


def key_of(page):
    return page.locator("#labelling input[name=key]").input_value()


def press(page, key):
    """Press a key and wait for the next person."""
    before = key_of(page)
    page.keyboard.press(key)
    expect(page.locator("#labelling input[name=key]")).not_to_have_value(before)
    return before


def begin(page):
    """Reach the button that says that one was warned, and press it."""
    for _ in range(40):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.textContent").startswith("I know"):
            break
    page.keyboard.press("Enter")
    expect(page.locator("#person")).to_be_visible()
    page.wait_for_load_state()


def test_two_raters_label_by_keyboard_alone(log_in, sqlite_archive):
    ada = log_in("ada", Role.LABELLER, "/labels?ask=all")
    begin(ada)
    ada.evaluate("window.isSame = true")
    keys = ["1", "m", "o", "4", "n"]
    rated = [press(ada, keys[number % 5]) for number in range(PEOPLE)]
    assert len(set(rated)) == PEOPLE
    expect(ada.locator("#labelling")).to_contain_text(f"{PEOPLE} of {PEOPLE} today")
    assert ada.evaluate("document.activeElement.id") == "person"
    assert ada.evaluate("window.isSame"), "the page was loaded as a whole"
    press(ada, "z")
    assert key_of(ada) == rated[-1]
    expect(ada.locator("#labelling")).to_contain_text("You said before: not human")
    ada.keyboard.press("c")
    ada.keyboard.type("w 1 s z")  # a comment is no key
    ada.keyboard.press("Escape")
    press(ada, "w")
    ada.keyboard.press("?")
    expect(ada.locator("#help")).to_have_attribute("open", "")
    bo = log_in("bo", Role.LABELLER, "/labels?ask=all")
    begin(bo)
    again = [press(bo, "w") for _ in range(PEOPLE)]
    assert sorted(again) == sorted(rated)
    assert again != rated
    with sqlite_archive.read() as connection:
        ratings = people.read_ratings(connection)
        first = people.read_first_ratings(connection)
    known = sheets.compare_raters(first, ratings)
    assert known["raters"] == {"ada": PEOPLE, "bo": PEOPLE}
    said = {sheets.blind_key(e): {one.by: one for one in own} for e, own in ratings.items()}
    assert said[rated[-1]]["ada"].comment == "w 1 s z"
    assert said[rated[-1]]["ada"].group == "women"
    view = log_in("view", Role.VIEWER, "/labels/agreement")
    main = view.locator("main")
    expect(main).to_contain_text(f"{known['pairs'][0]['agreement']:.3f}")
    expect(main).to_contain_text(f"these {len(known['disagreements'])} have no label")
    assert not [*ada.problems, *bo.problems, *view.problems]


def test_a_rater_without_scripts(browser, address, log_in):
    page = log_in("ada", Role.LABELLER, "/labels")
    context = browser.new_context(java_script_enabled=False)
    context.add_cookies(page.context.cookies())
    plain = context.new_page()
    plain.goto(f"{address}/labels")
    plain.get_by_role("button", name="I know").click()
    first = plain.locator("input[name=key]").input_value()
    plain.get_by_role("button", name="Woman").click()
    assert plain.locator("input[name=key]").input_value() != first
    plain.get_by_role("link", name="Undo").click()
    assert plain.locator("input[name=key]").input_value() == first


def test_an_operator_rests_an_engine_while_the_page_goes_on(log_in, sqlite_archive):
    page = log_in("op", Role.OPERATOR, "/operations")
    page.locator("#engine-pause-1").focus()
    page.evaluate("htmx.ajax('GET', '/operations', "
                  "{target: '#state', select: '#state', swap: 'outerHTML'})")  # fmt: skip
    page.wait_for_function("document.activeElement.id === 'engine-pause-1'")
    page.keyboard.press("Enter")
    page.get_by_label("Why").fill("it costs too much")
    page.keyboard.press("Enter")
    page.wait_for_url("**/operations")
    expect(page.locator("#state")).to_contain_text("it costs too much (op)")
    with sqlite_archive.read() as connection:
        (rest,) = pauses.list_pauses(connection)
    assert rest.reason == "it costs too much (op)"
    page.locator('a[href^="/operations/resume"]').first.click()
    page.get_by_label("Why").fill("paid")
    page.keyboard.press("Enter")
    page.wait_for_url("**/operations")
    with sqlite_archive.read() as connection:
        assert not pauses.list_pauses(connection)
    assert not page.problems
