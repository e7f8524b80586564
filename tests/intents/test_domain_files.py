"""Domain files: the shipped ones are right, and what is wrong with one is said with its line."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
import yaml

from tests.source import ROOT
from veridical.intents.document import domain_schema
from veridical.intents.domains import Domains
from veridical.intents.loading import domain_from, examine, load_domains, read_domain, shipped
from veridical.memory.errors import BadFile

from .conftest import Talk

PARCELS = """\
schema_version: 1
domain: parcels
title: {en: parcels, zh: 邮包}
entity:
  kind: parcel
  names: {en: [parcel], zh: [邮包]}
slots:
  weight:
    title: {en: weight, zh: 重量}
    knowledge: true
    values:
      light: {en: [light], zh: [轻]}
      heavy: {en: [heavy], zh: [重]}
states:
  idle: {title: {en: nothing, zh: 无}, initial: true}
  posted:
    title: {en: to be posted, zh: 要寄}
    final: true
    todo: {en: "Post {entity}.", zh: "寄出{entity}。"}
transitions:
  post:
    title: {en: post it, zh: 寄}
    to: posted
    triggers:
      en: ["(post|mail) ... parcel"]
      zh: ["寄出...邮包"]
    guard:
      - slot: weight
        in: [light]
        unknown: ask
        question: {en: "How heavy is {entity}?", zh: "{entity}有多重？"}
        refusal: {en: "{entity} is too {value}.", zh: "{entity}太{value}。"}
restored: {en: "{entity} stays.", zh: "{entity}不寄了。"}
"""
WRONG = [
    (
        "  idle: {title: {en: nothing, zh: 无}, initial: true}",
        "  idle: {title: {en: nothing}, initial: true}",
        15,
        "Chinese text is missing",
    ),
    ("initial: true}", "initial: true, untuched: true}", 15, "no such key"),
    ("    to: posted", "    to: postd", 23, "no state 'postd'"),
    ("      - slot: weight", "      - slot: wight", 28, "no slot 'wight'"),
    ("        in: [light]", "        in: [lite]", 29, "'lite' is none of the values"),
    ('zh: "寄出{entity}。"}', 'zh: "寄出{parcel}。"}', 19, "no {parcel}"),
    ('en: ["(post|mail) ... parcel"]', 'en: ["(post|mail ... parcel"]', 25, "brackets"),
    ('en: ["(post|mail) ... parcel"]', 'en: ["post {wight}"]', 25, "no slot 'wight'"),
    ('      zh: ["寄出...邮包"]\n', "", 24, "'zh'"),
    ("    final: true\n", "", 14, "no state is final"),
    ("initial: true}", "initial: false}", 14, "0 states are initial"),
    ("names: {en: [parcel], zh: [邮包]}", "names: {en: [parcel]}", 6, "'zh' are missing"),
    ("  post:\n", "  post:\n    from: [posted]\n", 16, "no step leads here"),
    ('        question: {en: "How heavy is {entity}?", zh: "{entity}有多重？"}\n', "", 28, "needs a `question`"),
    ("domain: parcels", "domain: parcels\ndomain: again", 3, "stands twice"),
    ("domain: parcels", "domain: Parcels", 2, "small letters"),
    ("title: {en: parcels, zh: 邮包}", "title: [", 3, "no YAML"),
    ("unknown: ask", "unknown: guess", 30, "input should be"),
]


def write(tmp_path: Path, text: str, name: str = "parcels.yaml") -> Path:
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    return path


@pytest.mark.requirement("INTENT-DOMAINS")
@pytest.mark.parametrize("path", sorted((ROOT / "intents").glob("*.yaml")), ids=lambda path: path.stem)
def test_the_shipped_files_are_right(path: Path):
    assert examine(path)[1] == []


@pytest.mark.requirement("INTENT-DOMAINS")
def test_a_right_file_has_no_problems(tmp_path: Path):
    part, problems = examine(write(tmp_path, PARCELS))
    assert (part.domain, problems) == ("parcels", [])


@pytest.mark.requirement("INTENT-DOMAINS")
@pytest.mark.parametrize(("right", "wrong", "line", "says"), WRONG, ids=[it[3] for it in WRONG])
def test_what_is_wrong_is_said_with_its_line(tmp_path: Path, right: str, wrong: str, line: int, says: str):
    assert right in PARCELS
    _, problems = examine(write(tmp_path, PARCELS.replace(right, wrong, 1)))
    assert [problem.line for problem in problems if says in problem.message] == [line], problems


@pytest.mark.requirement("INTENT-DOMAINS")
def test_a_trigger_that_asks_for_two_steps_is_a_problem(tmp_path: Path):
    again = '  post_again:\n    title: {en: post it, zh: 寄}\n    to: posted\n    triggers: {en: ["(post|mail) ... parcel"], zh: [再寄]}\n'
    _, problems = examine(write(tmp_path, PARCELS.replace("restored:", again + "restored:")))
    assert [problem.line for problem in problems if "more than once" in problem.message] == [25, 36]


@pytest.mark.requirement("INTENT-DOMAINS")
def test_the_published_schema_is_current():
    published = json.loads((ROOT / "docs" / "intents.schema.json").read_text(encoding="utf-8"))
    assert published == domain_schema()


@pytest.mark.requirement("INTENT-OWN-DOMAINS")
def test_a_file_of_ones_own_counts_beside_the_shipped_ones(tmp_path: Path, open_talk: Callable[..., Talk]):
    write(tmp_path, PARCELS)
    domains = load_domains(tmp_path)
    assert set(domains.by_id) == {*shipped().by_id, "parcels"}
    talk = open_talk(domains=domains)
    (asked,) = talk.say("Please post the parcel 9.")
    assert (asked.kind, asked.asks.about, asked.asks.question.en) == ("asked", "slot", "How heavy is parcel #9?")
    (taken,) = talk.say("It's light.")
    assert (taken.kind, taken.to_state, taken.todo.zh) == ("step", "posted", "寄出邮包 #9。")


@pytest.mark.requirement("INTENT-OWN-DOMAINS", "INTENT-GUARDS")
def test_the_answer_to_a_guards_question_may_refuse(tmp_path: Path, open_talk: Callable[..., Talk]):
    talk = open_talk(domains=Domains({"parcels": read_domain(write(tmp_path, PARCELS))}))
    talk.say("寄出邮包9。")
    (refused,) = talk.say("挺重的。")
    assert (refused.kind, refused.reply.zh, talk.states()) == ("refused", "邮包 #9太重。", {})


@pytest.mark.requirement("INTENT-OWN-DOMAINS", "ERRORS-ONE-SENTENCE")
def test_a_wrong_file_is_one_sentence_that_names_line_and_command(tmp_path: Path):
    path = write(tmp_path, PARCELS.replace("to: posted", "to: nowhere"))
    with pytest.raises(
        BadFile,
        match=r"parcels\.yaml is wrong in line 16.*\(and 1 more\); `veridical intents check .*` shows everything",
    ):
        load_domains(tmp_path)
    path.write_bytes(b"\xff\xfe")
    with pytest.raises(BadFile, match="not UTF-8"):
        load_domains(tmp_path)
    with pytest.raises(BadFile, match="No such file"):
        examine(tmp_path / "missing.yaml")


@pytest.mark.requirement("INTENT-OWN-DOMAINS", "ERRORS-ONE-SENTENCE")
def test_two_files_of_one_domain_are_an_error(tmp_path: Path):
    write(tmp_path, PARCELS)
    write(tmp_path, PARCELS, "parcels-again.yaml")
    with pytest.raises(BadFile, match=r"Two files of .* describe the domain 'parcels'"):
        load_domains(tmp_path)


@pytest.mark.requirement("INTENT-OWN-DOMAINS")
def test_a_domain_may_be_made_in_a_program():
    document = yaml.safe_load(PARCELS)
    assert domain_from(document).initial == "idle"
    with pytest.raises(BadFile, match="wrong at states"):
        domain_from(document | {"states": {}})
    document["transitions"]["post"]["to"] = "nowhere"
    with pytest.raises(BadFile, match=r"wrong at transitions\.post\.to: there is no state 'nowhere'"):
        domain_from(document)
