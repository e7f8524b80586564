"""The console in a real browser: live topology, changes with their cause, lag, complaints."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from . import test_chat
from .browsing import Open, browser, follow_link, needs_chromium, open_page
from .conftest import Service
from .test_events import note

__all__ = ["browser", "open_page"]
pytestmark = needs_chromium


@pytest.mark.requirement("CONSOLE")
def test_from_it_forgot_to_the_cause_in_three_clicks(shared: Service, user: str, open_page: Open) -> None:
    report = {"source": "mobile_app", "type": "medical_report", "state": {"glucose": {"value": 12.3, "unit": "mmol/L"}}}
    with shared.http(user, "phone") as phone, shared.http(user, "clinic") as clinic:
        handle = phone.post("/v1/memory/register", json=report).json()["handle"]
        note(phone, 1)
        page = open_page(shared, user)
        follow_link(page, "Console")
        expect(page.locator(".node[data-kind=handle]")).to_have_count(3)
        change = {"delta": {"glucose": {"value": 11.9}}, "version": 1, "source": "lab"}
        clinic.patch(f"/v1/memory/{handle}", json=change).raise_for_status()
    # What happens while somebody looks arrives by itself, and lights up its way.
    expect(page.locator(f".node[data-name={handle}]")).to_have_class(re.compile("lit"))
    expect(page.locator(f"path.lit[data-edge$='handle {handle}']")).to_have_count(1)
    page.locator(f".node[data-name={handle}]").click()
    expect(page.locator("#tail > li")).to_have_count(2)
    page.locator(".change summary").first.click()
    detail = page.locator(".change[open] .detail")
    expect(detail.locator("dd.by")).to_have_text("clinic through lab")
    expect(detail.locator("tbody th, tbody td")).to_have_text(["glucose", "12.3 mmol/L ", "11.9 mmol/L "])
    expect(detail.locator("time")).to_have_attribute("datetime", re.compile(r"^\d{4}-\d\d-\d\dT"))


@pytest.mark.requirement("CONSOLE", "SERVICE-FORGET")
def test_what_was_forgotten_for_good_leads_to_who_forgot_it(shared: Service, user: str, open_page: Open) -> None:
    with shared.http(user, "phone") as phone, shared.http(user, "desk") as desk:
        test_chat.say(phone, "My dentist is Dr. Wu.")
        desk.post("/v1/memory/forget", json={"kind": "value", "names": ["Wu"]}).raise_for_status()
    page = open_page(shared, user)
    follow_link(page, "Console")
    page.locator(".node[data-name=memory_state]").click()
    change = page.locator(".change").first
    expect(change.locator(".tag")).to_have_text("forgot")
    change.locator("summary").click()
    expect(page.locator(".change[open] dd.by")).to_have_text("desk")
    expect(page.locator("#tail")).not_to_contain_text("Wu")


@pytest.mark.requirement("CONSOLE", "TOPOLOGY")
def test_the_tail_is_filtered_and_each_terminals_lag_is_shown(shared: Service, user: str, open_page: Open) -> None:
    with shared.http(user, "phone") as phone, shared.http(user, "desk") as desk:
        note(phone, 1)
        test_chat.say(desk, "My dentist is Dr. Wu.")
    page = open_page(shared, user, "/console")
    expect(page.locator(".node[data-name=web] .lag")).to_have_text("listening · in step")
    page.get_by_label("Terminal").select_option("desk")
    expect(page.locator(".change .who").filter(has_text="phone")).to_have_count(0)
    expect(page.locator(".change .who").filter(has_text="desk").first).to_be_visible()
    page.get_by_role("button", name="Show all").click()
    page.get_by_label("Type").select_option("MEMORY_REGISTERED")
    expect(page.locator(".change .tag").filter(has_text="changed")).to_have_count(0)
    page.get_by_role("button", name="Show all").click()
    page.get_by_label("Contains").fill("Wu")
    expect(page.locator(".change .brief").first).to_contain_text("Wu")


@pytest.mark.requirement("CONSOLE", "COMPLAINT")
def test_the_console_says_how_often_people_complain_of_answers(
    own: Callable[..., Service], user: str, open_page: Open
) -> None:
    service = own()
    page = open_page(service, user, "/console")
    expect(page.locator("#configurations")).to_be_hidden()
    with service.http(user) as http:
        test_chat.say(http, "My budget is 48,500 dollars.", session="s")
        test_chat.say(http, "That's not what I said.", session="s")
    page.reload()
    expect(page.locator("#rates tr")).to_have_count(1)
    expect(page.locator("#rates td")).to_have_text(["default", "2", "1", " 50.0 %"])
