"""A real browser, headless, without a window of its own per test but with a fresh profile."""

import re
import shutil
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

from .conftest import Service

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
needs_chromium = pytest.mark.skipif(
    CHROMIUM is None, reason="no Chromium on this machine: Debian's package `chromium` has it"
)
_PATIENCE_MS = 20_000
Open = Callable[..., Page]


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """One browser for the tests of a module."""
    expect.set_options(timeout=_PATIENCE_MS)
    with sync_playwright() as playwright:
        # Tests run as root in containers, where Chromium's own sandbox cannot.
        started = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield started
        started.close()


@pytest.fixture
def open_page(browser: Browser, request: pytest.FixtureRequest) -> Iterator[Open]:
    """Pages of a service, each signed in as a user at a terminal; what goes wrong in them fails the test."""
    faults: list[str] = []
    with ExitStack() as stack:

        def open_(service: Service, user: str, path: str = "/", *, terminal: str = "web", **profile: Any) -> Page:
            context = browser.new_context(base_url=service.url, **{"locale": "en-US", **profile})
            stack.callback(context.close)
            context.set_default_timeout(_PATIENCE_MS)
            page = context.new_page()
            watch(page, service, faults)
            page.goto(path)
            sign_in(page, service.token(user, terminal))
            return page

        yield open_
    assert not faults, "\n".join(faults)


def watch(page: Page, service: Service, faults: list[str]) -> None:
    """Note whatever a page may not do: fail, break its policy, or ask anybody else."""
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.on("console", lambda told: faults.append(told.text) if is_fault(told.type, told.text) else None)
    page.on("request", lambda asked: None if asked.url.startswith((service.url, "blob:")) else faults.append(asked.url))


def is_fault(kind: str, text: str) -> bool:
    """Whether the browser complains of more than a request that was refused or found nobody: those the pages handle."""
    return kind == "error" and re.search(r"Failed to load resource|ERR_CONNECTION|ERR_INCOMPLETE", text) is None


def sign_in(page: Page, token: str) -> None:
    """Type a token when it is asked for."""
    page.get_by_label("Token").or_(page.get_by_label("令牌")).fill(token)
    page.keyboard.press("Enter")
    expect(page.locator("#status")).to_have_attribute("data-status", "live")


def follow_link(page: Page, name: str) -> None:
    """Go to another page through the navigation, and wait until it lives."""
    page.get_by_role("link", name=name, exact=True).click()
    expect(page.locator("body")).to_have_attribute("data-page", name.lower())
    expect(page.locator("#status")).to_have_attribute("data-status", "live")


def say(page: Page, text: str) -> Any:
    """Say something in the chat, and wait for the whole answer; gives its block."""
    answers = page.locator(".answer")
    there = answers.count()
    page.locator("#message").fill(text)
    page.locator("#message").press("Enter")
    expect(answers).to_have_count(there + 1)
    expect(answers.last.locator(".foot time")).to_be_visible()
    return answers.last
