"""Every hostile text in a real browser: it stands there as text, no script runs and no attribute breaks."""

from datetime import timedelta

import pytest
from playwright.sync_api import expect

from tests.hostile.corpus import CASES, turn

from .browsing import Open, browser, needs_chromium, open_page  # noqa: F401 - fixtures
from .conftest import Service

pytestmark = needs_chromium


@pytest.mark.long
@pytest.mark.requirement("HOSTILE-PAGES", "PAGE-TEXT")
def test_every_hostile_text_is_shown_as_text(shared: Service, user: str, open_page: Open) -> None:  # noqa: F811
    memory, now = shared.resources.memory, shared.resources.clock()
    said = [
        turn(case.text, place, case.language, user=user, session="<b>s</b>", speaker=case.text[:80])
        for place, case in enumerate(CASES, start=1)
    ]
    memory.record_many(said, now=now + timedelta(seconds=1))
    with shared.http(user, "<img src=x onerror=alert(1)>") as http:
        http.post(
            "/v1/memory/register", json={"source": "'\"><svg onload=alert(1)>", "type": "<i>", "state": {"<b>": "x"}}
        )
    page = open_page(shared, user)
    page.on("dialog", lambda shown: pytest.fail(f"a script ran: {shown.message}"))
    for path in ("/", "/memory", "/console"):
        page.goto(path)
        expect(page.locator("#status")).to_have_attribute("data-status", "live")
        assert (
            page.locator("main :is(img, b, i, u, iframe, script, a[href^='javascript:'], [onerror], [onload])").count()
            == 0
        )
        assert page.title() not in {"broken", "坏了"}
        assert not {"\u202e", "\u2066", "\x1b", "\x9b"} & set(page.locator("body").inner_text())
