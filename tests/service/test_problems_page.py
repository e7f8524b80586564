"""Errors in the pages: in the language of the page, and where it has no words for one, as the service puts it."""

import re
from typing import get_args
from urllib.parse import quote

import httpx
import pytest
from playwright.sync_api import expect

from veridical.service.problems import TYPES, Kind

from . import test_chat
from .browsing import Open, browser, needs_chromium, open_page
from .conftest import Service

__all__ = ["browser", "open_page"]
CHINESE = re.compile("[\u4e00-\u9fff]")
AS_THEY_ARE = {"bad-request", "failed"}
"""Of many kinds each: only the sentence of the service says which."""


@pytest.mark.requirement("PAGE-ACCESS", "SERVICE-LIMITS")
def test_the_pages_have_chinese_words_for_every_problem_of_the_service(shared: Service) -> None:
    with httpx.Client(base_url=shared.url) as http:
        script = http.get("/assets/problems.js").text
    told = dict(re.findall(r'^  "?([a-z-]+)"?: "([^"]+)",$', script, re.MULTILINE))
    assert told.keys() == set(get_args(Kind)) - AS_THEY_ARE
    assert all(CHINESE.search(sentence) for sentence in told.values())


@needs_chromium
@pytest.mark.requirement("PAGE-ACCESS")
def test_in_chinese_what_is_refused_is_said_in_chinese(shared: Service, user: str, open_page: Open) -> None:
    with shared.http(f"{user} 2") as other:
        test_chat.say(other, "The violet anchor is mine.", session=f"s {user}")
    page = open_page(shared, user, f"/#{quote(f's {user}')}", locale="zh-CN")
    page.locator("#message").fill("什么是紫色的？")
    page.locator("#message").press("Enter")
    expect(page.get_by_role("alert")).to_contain_text("这次对话属于另一位用户")
    page.locator("#message").fill("忘掉 t999")
    page.locator("#message").press("Enter")
    expect(page.get_by_role("alert").last).to_contain_text("没有找到 t999")
    page.goto("/memory#f999")
    expect(page.locator(".notice")).to_contain_text("没有找到 f999")
    told = "async (given) => (await import('/assets/problems.js')).sentenceOf(given)"
    assert page.evaluate(told, {"type": f"{TYPES}of-tomorrow", "detail": "As it is."}) == "As it is."
    page.evaluate("localStorage.setItem('veridical.language', 'en')")
    assert page.evaluate(told, {"type": f"{TYPES}not-found", "detail": "As it is."}) == "As it is."
