"""The pages in a real browser: a user's story, tabs in step, text that stays text, keyboard, phone."""

import re
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from urllib.parse import quote

import httpx
import pytest
from playwright.sync_api import Browser, Page, expect

from veridical.memory.records import NewTurn

from . import test_chat
from .browsing import Open, browser, follow_link, needs_chromium, open_page, say, sign_in
from .conftest import OPTIONS, Service
from .test_events import note

__all__ = ["browser", "open_page"]
pytestmark = needs_chromium
PHONE = {"viewport": {"width": 375, "height": 812}}
MARKUP = "<img src=x onerror=\"document.title='broken'\"><b>Hello</b> My dog is <script>alert(1)</script> Rex."


def held(page: Page) -> object:
    return page.locator("#held")


@pytest.mark.requirement("PAGE-STORY", "PAGE-OFFLINE", "SERVICE-TOKENS")
def test_from_the_first_message_to_forgetting(shared: Service, user: str, open_page: Open) -> None:
    page = open_page(shared, user)
    noted = say(page, "My budget is 48,500 dollars.")
    expect(noted).to_contain_text("48,500 dollars")
    expect(held(page)).to_contain_text("budget48,500 dollars")

    answer = say(page, "What is my budget?")
    evidence = answer.locator(".evidence")
    expect(evidence).to_be_hidden()
    answer.locator(".sentence").first.hover()
    expect(evidence.locator("blockquote")).to_have_text("My budget is 48,500 dollars.")
    expect(evidence.locator("figcaption")).to_contain_text("your words")
    expect(evidence.locator("figcaption a")).to_have_attribute("href", re.compile(r"^/memory#t\d+$"))
    answer.get_by_role("button", name="Why this answer").click()
    expect(page.get_by_role("dialog")).to_contain_text("How this answer came about")
    page.keyboard.press("Escape")

    unknown = say(page, "Who is my dentist?")
    expect(unknown).to_have_class(re.compile("abstained"))
    expect(unknown.locator(".foot")).to_contain_text("Not in your records")
    expect(page.get_by_role("alert")).to_have_count(0)

    follow_link(page, "Memory")
    page.get_by_role("tab", name="Facts").click()
    page.get_by_role("button", name="48,500 dollars").click()
    page.get_by_role("button", name="Correct").click()
    page.get_by_label("What is right").fill("52,000 dollars")
    page.get_by_role("button", name="Save").click()
    expect(page.locator(".version[data-state=live]")).to_contain_text("52,000 dollars")
    expect(page.locator(".version[data-state=correction]")).to_contain_text("corrected: it never held")

    page.get_by_role("searchbox").fill("budget")
    page.keyboard.press("Enter")
    expect(page.locator("article.result").filter(has_text="52,000 dollars").first).to_be_visible()

    page.get_by_role("button", name="Forget …").click()
    page.get_by_label("Which one").fill("budget")
    page.get_by_role("button", name="Show what would go").click()
    expect(page.locator(".going li").filter(has_text="My budget is 48,500 dollars.").first).to_be_visible()
    with shared.http(user) as http:
        assert "48,500" in http.get("/v1/memory/turns").text, "the preview changed something"
    page.get_by_role("button", name="Forget for good").click()
    expect(page.locator(".notice").filter(has_text="nothing is left in them")).to_be_visible()
    with shared.http(user) as http:
        assert not re.search("48,500|52,000", http.get("/v1/memory/turns").text)

    follow_link(page, "Chat")
    expect(page.locator(".welcome")).to_be_visible()
    expect(held(page)).not_to_contain_text("dollars")
    expect(say(page, "What is my budget?")).to_have_class(re.compile("abstained"))


@pytest.mark.requirement("PAGE-STORY")
def test_a_fact_is_retracted_and_stays_in_the_history(shared: Service, user: str, open_page: Open) -> None:
    with shared.http(user) as http:
        test_chat.say(http, "My dentist is Dr. Wu.")
    page = open_page(shared, user, "/memory")
    page.locator(".chip").filter(has_text="Wu").click()
    page.get_by_role("dialog").get_by_role("button", name="Retract").click()
    page.get_by_role("dialog").get_by_role("button", name="Retract").click()
    expect(page.locator(".notice")).to_contain_text("Saved")
    page.get_by_role("tab", name="Facts").click()
    expect(page.locator(".version[data-state=retraction]")).to_contain_text("retracted")
    page.get_by_label("Only what holds").check()
    expect(page.locator(".version")).to_have_count(0)


@pytest.mark.requirement("PAGE-STORY", "VIEW-TURNS")
def test_a_summary_leads_to_the_words_that_it_quotes(shared: Service, user: str, open_page: Open) -> None:
    with shared.http(user) as http:
        for text in ("My dentist is Dr. Wu.", "I need to renew my passport.", "Thanks, bye!"):
            test_chat.say(http, text, session=f"s {user}")
    page = open_page(shared, user, "/memory")
    page.get_by_role("tab", name="Summaries").click()
    summary = page.locator("article.card")
    expect(summary).to_contain_text("renew my passport")
    summary.locator("li").filter(has_text="Wu").get_by_role("link").click()
    expect(page.locator(".turn.named .text")).to_have_text("My dentist is Dr. Wu.")


@pytest.mark.requirement("PAGE-STORY", "VIEW-TURNS")
def test_the_timeline_goes_back_page_by_page_and_straight_to_a_turn(
    shared: Service, user: str, open_page: Open
) -> None:
    said = [
        NewTurn(
            user_id=user,
            session_id=f"s {user}",
            external_id=f"m{place}",
            role="user",
            source="user_input",
            speaker="user",
            text=f"Shelf {place} holds {place} boxes.",
            language="en",
            observed_at=shared.resources.clock(),
            time_zone="UTC",
            act="statement",
        )
        for place in range(1, 161)
    ]
    shared.resources.memory.record_many(said, now=shared.resources.clock())
    page = open_page(shared, user, "/memory")
    expect(page.locator(".turn")).to_have_count(60)
    page.get_by_role("button", name="Show earlier").click()
    expect(page.locator(".turn")).to_have_count(120)
    page.goto("/memory#t5")
    expect(page.locator(".turn.named .text")).to_have_text("Shelf 5 holds 5 boxes.")
    assert page.locator(".turn").count() < 60
    page.get_by_role("button", name="Show the latest").click()
    expect(page.locator(".turn .text").first).to_have_text("Shelf 160 holds 160 boxes.")


@pytest.mark.requirement("VIEW-EXPORT")
def test_the_export_is_downloaded(shared: Service, user: str, open_page: Open) -> None:
    with shared.http(user) as http:
        test_chat.say(http, "My dentist is Dr. Wu.")
    page = open_page(shared, user, "/memory")
    with page.expect_download() as download:
        page.get_by_role("button", name="Export").click()
    assert "My dentist is Dr. Wu." in download.value.path().read_text(encoding="utf-8")


@pytest.mark.requirement("PAGE-STEP", "C31")
def test_two_tabs_of_different_terminals_stay_in_step(shared: Service, user: str, open_page: Open) -> None:
    phone, desk = open_page(shared, user, terminal="phone"), open_page(shared, user, terminal="desk")
    say(phone, "My budget is 48,500 dollars.")
    expect(held(desk)).to_contain_text("48,500 dollars")
    desk.locator("#sessions a").first.click()
    expect(desk.locator(".said .text")).to_have_text(["My budget is 48,500 dollars."])
    say(desk, "That's wrong, my budget is 52,000 dollars.")
    expect(phone.locator(".said .text")).to_have_text(
        ["My budget is 48,500 dollars.", "That's wrong, my budget is 52,000 dollars."]
    )
    expect(held(phone)).to_contain_text("52,000 dollars")
    expect(held(phone)).not_to_contain_text("budget48,500 dollars")


@pytest.mark.requirement("PAGE-STEP")
def test_a_page_goes_on_by_itself_when_the_service_was_away(
    own: Callable[..., Service], user: str, open_page: Open
) -> None:
    service = own()
    page = open_page(service, user)
    say(page, "My budget is 48,500 dollars.")
    service.stop()
    expect(page.locator("#status")).to_have_attribute("data-status", "away")
    page.locator("#message").fill("I live in Oslo.")
    page.locator("#message").press("Enter")
    expect(page.get_by_role("alert")).to_contain_text("The connection was lost.")
    service.start()
    with service.http(user, "phone") as http:
        test_chat.say(http, "My dentist is Dr. Wu.")
    expect(page.locator("#status")).to_have_attribute("data-status", "live")
    expect(held(page)).to_contain_text("Wu")
    page.get_by_role("button", name="Send again").click()
    expect(held(page)).to_contain_text("Oslo")
    expect(page.get_by_role("alert")).to_have_count(0)
    expect(page.locator(".said .text")).to_have_text(["My budget is 48,500 dollars.", "I live in Oslo."])
    expect(say(page, "Who is my dentist?")).to_contain_text("Wu")


@pytest.mark.requirement("PAGE-TEXT")
def test_markup_in_the_memory_is_shown_as_the_text_that_it_is(shared: Service, user: str, open_page: Open) -> None:
    with shared.http(user, "<i>phone</i>") as http:
        test_chat.say(http, f"{MARKUP} My favourite colour is <b>teal\u202e</b>.", session=f"<u>{user}</u>")
        http.post(
            "/v1/memory/register",
            json={
                "source": "<b>crm</b>",
                "type": "<b>note</b>",
                "state": {"<b>key</b>": "<img src=x onerror=alert(1)>"},
            },
        )
    page = open_page(shared, user)
    page.on("dialog", lambda shown: pytest.fail(f"a script ran: {shown.message}"))
    page.locator("#sessions a").first.click()
    expect(page.locator(".said .text")).to_contain_text(MARKUP)
    for path in ("/memory", "/console"):
        page.goto(path)
        expect(page.locator(".turn, .change").filter(has_text="<b>").first).to_be_visible()
        assert page.locator("main :is(img, b, i, u, script)").count() == 0
        assert "broken" not in page.title()
        assert "\u202e" not in page.locator("body").inner_text()


@pytest.mark.requirement("PAGE-ACCESS")
def test_everything_in_the_chat_is_reached_by_keyboard(shared: Service, user: str, open_page: Open) -> None:
    page = open_page(shared, user)
    expect(page.locator("#message")).to_be_focused()
    page.keyboard.type("My budget is 48,500 dollars.")
    page.keyboard.press("Shift+Enter")
    page.keyboard.type("I live in Oslo.")
    page.keyboard.press("Enter")
    answer = page.locator(".answer").last
    expect(answer.locator(".foot time")).to_be_visible()
    expect(page.locator(".said .text")).to_have_text("My budget is 48,500 dollars.\nI live in Oslo.")
    for _ in range(20):
        page.keyboard.press("Shift+Tab")
        if page.evaluate("document.activeElement.classList.contains('mark')"):
            break
    expect(answer.locator(".evidence")).to_be_visible()
    expect(answer.locator(".mark:focus")).to_have_attribute("aria-expanded", "true")
    page.keyboard.press("Enter")
    expect(answer.locator(".evidence.pinned blockquote").first).to_be_visible()
    page.keyboard.press("Escape")
    expect(answer.locator(".evidence")).to_be_hidden()


@pytest.mark.requirement("PAGE-ACCESS")
def test_landmarks_and_released_sentences_are_told_to_a_screen_reader(
    shared: Service, user: str, open_page: Open
) -> None:
    page = open_page(shared, user)
    for role, name in (
        ("navigation", "Pages"),
        ("complementary", "Conversations"),
        ("complementary", "What is remembered"),
        ("log", "Conversation"),
        ("textbox", "Message"),
    ):
        expect(page.get_by_role(role, name=name)).to_have_count(1)
    say(page, "My budget is 48,500 dollars.")
    expect(page.get_by_role("log")).to_have_attribute("aria-live", "polite")
    expect(page.get_by_role("log")).to_have_attribute("aria-busy", "false")
    assert page.get_by_role("log").get_by_role("button", name=re.compile(r"^Evidence t\d+$")).count() >= 1
    follow_link(page, "Memory")
    page.get_by_role("tab", name="Timeline").focus()
    page.keyboard.press("ArrowRight")
    expect(page.get_by_role("tab", name="Facts")).to_be_focused()
    expect(page.get_by_role("tab", name="Facts")).to_have_attribute("aria-selected", "true")


@pytest.mark.requirement("PAGE-ACCESS")
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("path", ["/", "/memory", "/console"])
def test_on_a_phone_nothing_scrolls_sideways_in_either_language(
    shared: Service, user: str, open_page: Open, path: str, scheme: str
) -> None:
    with shared.http(user) as http:
        test_chat.say(http, f"My password hint is {'x' * 300} and my budget is 48,500 dollars.", session=f"s {user}")
        note(http, 1)
    locale = {"light": "en-US", "dark": "zh-CN"}[scheme]
    page = open_page(shared, user, path, color_scheme=scheme, locale=locale, **PHONE)
    expect(page.locator("#held .entry, .turn, .change").first).to_be_attached()
    if path == "/":
        page.locator("#show-conversations").click()
        page.locator("#sessions a").first.click()
        expect(page.locator(".answer")).to_be_visible()
        page.locator("#show-state").click()
        expect(page.locator("#held .entry").first).to_be_visible()
        page.keyboard.press("Escape")
        expect(page.locator("#held .entry").first).to_be_hidden()
    assert page.evaluate("document.documentElement.scrollWidth") == 375
    assert page.locator("html").get_attribute("lang") == {"en-US": "en", "zh-CN": "zh-Hans"}[locale]
    red = int(re.search(r"\d+", page.evaluate("getComputedStyle(document.body).backgroundColor"))[0])
    assert (red > 200) == (scheme == "light")


@pytest.mark.requirement("PAGE-ACCESS")
def test_the_language_is_the_browsers_and_can_be_switched(shared: Service, user: str, open_page: Open) -> None:
    page = open_page(shared, user, locale="zh-CN")
    noted = say(page, "我的预算是五万元。")
    expect(noted).to_contain_text("五万元")
    expect(held(page)).to_contain_text("预算五万元")
    expect(say(page, "我的牙医是谁？").locator(".foot")).to_contain_text("记录中没有")
    page.get_by_role("button", name="English").click()
    expect(page.get_by_role("link", name="Memory", exact=True)).to_be_visible()
    expect(page.locator(".answer").last.locator(".foot")).to_contain_text("Not in your records")


@pytest.mark.requirement("PAGE-STORY")
def test_a_refused_request_is_one_sentence_and_can_be_sent_again(shared: Service, user: str, open_page: Open) -> None:
    with shared.http(f"{user} 2") as other:
        test_chat.say(other, "The violet anchor is mine.", session=f"s {user}")
    page = open_page(shared, user, f"/#{quote(f's {user}')}")
    page.locator("#message").fill("What is violet?")
    page.locator("#message").press("Enter")
    expect(page.get_by_role("alert")).to_contain_text("belongs to")
    expect(page.get_by_role("alert").get_by_role("button", name="Send again")).to_be_enabled()
    expect(page.locator("#talk")).not_to_contain_text("anchor")


@pytest.mark.requirement("SERVICE-TOKENS")
def test_a_wrong_token_is_asked_for_again_and_stands_in_no_address(shared: Service, user: str, open_page: Open) -> None:
    page = open_page(shared, user)
    asked: list[str] = []
    page.on("request", lambda one: asked.append(one.url))
    token = shared.token(user)
    page.evaluate("sessionStorage.setItem('veridical.token', 'vrd_wrong')")
    page.reload()
    expect(page.get_by_role("alert")).to_contain_text("not valid")
    sign_in(page, token)
    expect(held(page)).to_be_visible()
    assert not [url for url in asked if "vrd_" in url]


@pytest.mark.requirement("PAGE-STORY", "SERVICE-LOOPBACK")
def test_a_service_without_tokens_asks_for_none(own: Callable[..., Service], browser: Browser) -> None:
    service = own(replace(OPTIONS, without_tokens=True))
    with closing(browser.new_context(base_url=service.url, locale="en-US")) as context:
        page = context.new_page()
        page.goto("/")
        expect(page.locator("#status")).to_have_attribute("data-status", "live")
        expect(page.get_by_role("dialog")).to_have_count(0)
        say(page, "My budget is 48,500 dollars.")
        follow_link(page, "Console")
        expect(page.locator(".node[data-kind=terminal] strong")).to_have_text([re.compile(r"^web-[0-9a-f]{4}$")])


@pytest.mark.requirement("PAGE-OFFLINE", "SERVICE-HEADERS")
def test_pages_and_assets_are_served_under_a_strict_policy_and_nothing_else_is(shared: Service) -> None:
    with httpx.Client(base_url=shared.url) as http:
        for path in ("/", "/memory", "/console"):
            page = http.get(path)
            assert page.headers["content-security-policy"].startswith("default-src 'self';")
            assert not re.search(r"<script(?![^>]*src=)|style=|\son\w+=|https?:", page.text)
            for asset in re.findall(r'(?:src|href)="(/assets/[^"]+)"', page.text):
                assert http.get(asset).status_code == 200
        for name in ("nothing.js", "..%2f..%2fapp.py", "pages.py", "%2e%2e"):
            assert http.get(f"/assets/{name}").status_code == 404
