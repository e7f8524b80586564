"""Words that take in what they govern: a claim that leaves them out is held back, one that minds them is released."""

import pytest

from veridical.memory.grounding.support import supported_claims

from ..calibration.scenes import Talk


def passes(said: str, claim: str) -> bool:
    turn = Talk().say(said)
    claims = supported_claims(claim, [turn], turn.language)
    return all(one.verdict == "supported" for one in claims)


@pytest.mark.requirement("P4", "NO-LIE-RELEASED", "TRUTH-IS-RELEASED")
@pytest.mark.parametrize(
    ("said", "claim", "released"),
    [
        ("I quit smoking last year.", "You smoke.", False),
        ("I quit smoking last year.", "You quit smoking last year.", True),
        ("I quit smoking last year.", "You no longer smoke.", True),
        ("I quit smoking last year.", "You don't smoke.", True),
        ("I quit smoking last year.", "You used to smoke.", True),
        ("I quit smoking last year.", "You stopped smoking last year.", True),
        ("I quit smoking last year.", "You gave up smoking last year.", True),
        ("I quit smoking last year.", "You smoked last year.", False),
        ("I stopped eating meat in May.", "You eat meat.", False),
        ("I stopped eating meat in May.", "You do not eat meat any more.", True),
        ("我去年戒烟了。", "您抽烟。", False),
        ("我去年戒了烟。", "您去年戒烟了。", True),
        ("我去年戒了烟。", "您不再抽烟。", True),
        ("我去年戒烟了。", "您不抽烟了。", True),
        ("我不再吃肉了。", "您吃肉。", False),
        ("我不再吃肉了。", "您不再吃肉。", True),
        ("我不再吃肉了。", "您不吃肉了。", True),
        ("I am no longer vegetarian.", "You are vegetarian.", False),
        ("I am no longer vegetarian.", "You are not vegetarian.", True),
        ("I am no longer vegetarian.", "You are no longer vegetarian.", True),
        ("I'm not a vegetarian anymore.", "You are no longer a vegetarian.", True),
        ("我已经不是素食者了。", "您是素食者。", False),
    ],
)
def test_what_ended_is_so_no_longer(said: str, claim: str, released: bool):
    assert passes(said, claim) is released


@pytest.mark.requirement("P4", "NO-LIE-RELEASED", "TRUTH-IS-RELEASED")
@pytest.mark.parametrize(
    ("said", "claim", "released"),
    [
        ("Omar agreed to fix the parser.", "Omar fixed the parser.", False),
        ("Omar agreed to fix the parser.", "Omar agreed to fix the parser.", True),
        ("Omar promised to send the report.", "Omar sent the report.", False),
        ("We decided to paint the hall.", "You painted the hall.", False),
        ("We decided to paint the hall.", "You decided to paint the hall.", True),
        ("I offered to drive Mia to Ghent.", "You drove Mia to Ghent.", False),
        ("小陈答应修好解析器。", "小陈修好了解析器。", False),
        ("小陈答应修好解析器。", "小陈答应修好解析器。", True),
        ("小陈同意周五发报告。", "小陈周五发了报告。", False),
        ("小陈同意周五发报告。", "小陈同意周五发报告。", True),
        ("Dana asked Omar to book the hotel.", "Omar booked the hotel.", False),
        ("Dana asked Omar to book the hotel.", "Dana booked the hotel.", False),
        ("张伟让李娜订酒店。", "李娜订了酒店。", False),
    ],
)
def test_what_was_agreed_promised_decided_or_asked_for_has_not_been_done(said: str, claim: str, released: bool):
    assert passes(said, claim) is released


@pytest.mark.requirement("P4", "NO-LIE-RELEASED", "TRUTH-IS-RELEASED")
@pytest.mark.parametrize(
    ("said", "claim", "released"),
    [
        ("The workshop was not in Lyon, it was in Nantes.", "The workshop was in Lyon.", False),
        ("The workshop was not in Lyon, it was in Nantes.", "The workshop was in Nantes.", True),
        ("The workshop was not in Lyon, it was in Nantes.", "The workshop was not in Lyon.", True),
        ("The workshop was held in Nantes, not Lyon.", "The workshop was held in Nantes.", True),
        ("The workshop was held in Nantes, not Lyon.", "The workshop was held in Lyon.", False),
        ("It was not Dana but Omar who wrote the report.", "Omar wrote the report.", True),
        ("It was not Dana but Omar who wrote the report.", "Dana wrote the report.", False),
        ("The party isn't on Friday but on Saturday.", "The party is on Friday.", False),
        ("The party isn't on Friday but on Saturday.", "The party is on Saturday.", True),
        ("研讨会不是在杭州，是在宁波。", "研讨会在杭州。", False),
        ("研讨会不是在杭州，是在宁波。", "研讨会在宁波。", True),
        ("研讨会不是在杭州而是在宁波。", "研讨会在宁波。", True),
        ("研讨会不是在杭州而是在宁波。", "研讨会在杭州。", False),
        ("写报告的不是张伟，而是李娜。", "李娜写报告。", True),
        ("写报告的不是张伟，而是李娜。", "张伟写报告。", False),
    ],
)
def test_where_one_thing_is_denied_for_another_the_other_is_so(said: str, claim: str, released: bool):
    assert passes(said, claim) is released


@pytest.mark.requirement("P4", "NO-LIE-RELEASED", "TRUTH-IS-RELEASED")
@pytest.mark.parametrize(
    ("said", "claim", "released"),
    [
        ("项目原定周五交付，现在改到下周三。", "项目周五交付。", False),
        ("项目原定周五交付，现在改到下周三。", "项目下周三交付。", True),
        ("项目原定周五交付，现在改到下周三。", "项目原定周五交付。", True),
        ("项目原定周五交付。", "项目周五交付。", False),
        ("The launch was originally scheduled for Friday, now it is on Monday.", "The launch is on Friday.", False),
        ("The launch was originally scheduled for Friday, now it is on Monday.", "The launch is on Monday.", True),
        ("The launch was originally planned for Friday.", "The launch is planned for Friday.", False),
        ("The launch was supposed to be on Friday.", "The launch is on Friday.", False),
        ("I fly to Rome on Friday.", "You flew to Rome on Friday.", False),
        ("I fly to Rome on Friday.", "You fly to Rome on Friday.", True),
        ("小陈周五发报告。", "小陈周五发了报告。", False),
        ("小陈周五发报告。", "小陈周五发报告。", True),
    ],
)
def test_what_was_planned_at_first_is_told_as_that(said: str, claim: str, released: bool):
    assert passes(said, claim) is released


@pytest.mark.requirement("P4", "NO-LIE-RELEASED", "TRUTH-IS-RELEASED")
@pytest.mark.parametrize(
    ("said", "claim", "released"),
    [
        ("I forgot to call the bank.", "You called the bank.", False),
        ("I forgot to call the bank.", "You forgot to call the bank.", True),
        ("I forgot to call the bank.", "You didn't call the bank.", True),
        ("I almost bought a boat.", "You bought a boat.", False),
        ("Dana failed to reach Omar.", "Dana reached Omar.", False),
        ("Dana refused to sign the lease.", "Dana signed the lease.", False),
        ("Dana refused to sign the lease.", "Dana did not sign the lease.", True),
        ("我忘了给银行打电话。", "您给银行打了电话。", False),
        ("我差点买了一条船。", "您买了一条船。", False),
        ("张伟拒绝签租约。", "张伟签了租约。", False),
    ],
)
def test_what_was_not_done_is_not_told_as_done(said: str, claim: str, released: bool):
    assert passes(said, claim) is released


@pytest.mark.requirement("P4", "NO-LIE-RELEASED", "TRUTH-IS-RELEASED")
@pytest.mark.parametrize(
    ("said", "claim", "released"),
    [
        ("I wish I lived in Paris.", "You live in Paris.", False),
        ("Everyone thought that Dana had resigned.", "Dana resigned.", False),
        ("I dreamed that I moved to Paris.", "You moved to Paris.", False),
        ("He claims that he paid the bill.", "He paid the bill.", False),
        ("我梦见自己搬到了巴黎。", "您搬到了巴黎。", False),
        ("大家都以为张伟辞职了。", "张伟辞职了。", False),
        ("要是我住在巴黎就好了。", "您住在巴黎。", False),
    ],
)
def test_what_was_believed_wished_or_dreamt_is_not_told_as_so(said: str, claim: str, released: bool):
    assert passes(said, claim) is released


@pytest.mark.requirement("P4", "NO-LIE-RELEASED", "TRUTH-IS-RELEASED")
@pytest.mark.parametrize(
    ("said", "claim", "released"),
    [
        ("I sold my car in June.", "You have a car.", False),
        ("I sold my car in June.", "You sold your car in June.", True),
        ("我把车卖了。", "您有车。", False),
        ("I cancelled the trip to Rome.", "You have a trip to Rome.", False),
        ("I cancelled the trip to Rome.", "You cancelled the trip to Rome.", True),
        ("I left Portland in May.", "You live in Portland.", False),
        ("The meeting with Dana was called off.", "There is a meeting with Dana.", False),
        ("My contract with Acme expired in May.", "You have a contract with Acme.", False),
        ("I want a dog.", "You have a dog.", False),
        ("I want a dog.", "You want a dog.", True),
        ("I'm looking for a laptop.", "You have a laptop.", False),
        ("I have a dog.", "You have a dog.", True),
        ("我想要一条狗。", "您有一条狗。", False),
        ("我有一条狗。", "您有一条狗。", True),
    ],
)
def test_what_is_gone_or_was_only_wanted_is_not_told_as_there(said: str, claim: str, released: bool):
    assert passes(said, claim) is released
