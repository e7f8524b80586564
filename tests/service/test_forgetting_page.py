"""Forgetting from the chat in a real browser: asked for, shown, answered with yes or no, and gone."""

import re

import pytest
from playwright.sync_api import expect

from .browsing import Open, browser, needs_chromium, open_page, say
from .conftest import Service

__all__ = ["browser", "open_page"]
pytestmark = needs_chromium


@pytest.mark.requirement("PAGE-STORY", "FORGET-CHAT")
def test_forget_that_asks_below_the_words_and_a_yes_takes_them_from_every_tab(
    shared: Service, user: str, open_page: Open
) -> None:
    page, desk = open_page(shared, user), open_page(shared, user, terminal="desk")
    say(page, "My dentist is Dr. Wu.")
    desk.locator("#sessions a").first.click()
    expect(desk.locator(".said .text")).to_have_text("My dentist is Dr. Wu.")

    offered = say(page, "Forget that.")
    expect(offered).to_contain_text("My dentist is Dr. Wu.")
    expect(offered.locator(".foot")).to_contain_text("not recorded")
    kept = page.locator(".answer").last
    page.get_by_role("button", name="Keep it").click()
    expect(kept).to_contain_text("I have changed nothing.")
    expect(page.locator("#held")).to_contain_text("Wu")

    say(page, "Forget that.")
    page.get_by_role("button", name="Forget for good").click()
    expect(page.locator(".answer").last).to_contain_text("found nothing")
    expect(page.locator("#talk")).not_to_contain_text("Wu")
    expect(page.locator("#held")).not_to_contain_text("Wu")
    expect(desk.locator("#talk")).not_to_contain_text("Wu")
    expect(page.get_by_role("button", name="Forget for good")).to_have_count(0)
    with shared.http(user) as http:
        assert http.get("/v1/memory/turns").json()["turns"] == []


@pytest.mark.requirement("PAGE-STORY", "PAGE-ACCESS", "FORGET-CHAT")
def test_in_chinese_the_yes_is_typed_and_another_question_is_answered_first(
    shared: Service, user: str, open_page: Open
) -> None:
    page = open_page(shared, user, locale="zh-CN")
    say(page, "我的牙医是吴医生。")
    expect(say(page, "忘掉那个")).to_contain_text("要永久忘掉吗")
    expect(say(page, "我的牙医是谁？")).to_contain_text("吴医生")
    expect(page.get_by_role("button", name="永久忘记")).to_have_count(0)
    say(page, "忘掉那个")
    expect(page.get_by_role("button", name="永久忘记")).to_be_visible()
    page.locator("#message").fill("是的")
    page.locator("#message").press("Enter")
    expect(page.locator(".answer").last).to_contain_text(re.compile("已忘掉：t1"))
    expect(page.locator("#talk")).not_to_contain_text("吴医生")
