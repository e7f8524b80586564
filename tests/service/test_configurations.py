"""Ways of answering side by side: who has which, and what people complain of."""

from collections import Counter
from pathlib import Path

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from veridical.graph.build import build_graph
from veridical.graph.configurations import DEFAULT, assigned, check_configurations
from veridical.graph.resources import open_resources
from veridical.graph.settings import Configuration, Settings
from veridical.memory.errors import BadInput
from veridical.service.app import create_app
from veridical.service.options import ServiceOptions

from .conftest import running
from .test_chat import say

HALVES = {"careful": Configuration(share=0.5, threshold=1.0)}


@pytest.mark.requirement("CONFIGURATIONS")
@given(st.text(min_size=1))
def test_a_user_has_the_same_configuration_each_time(user):
    assert assigned(user, HALVES) == assigned(user, dict(HALVES)) in {"careful", DEFAULT}
    assert assigned(user, {}) == DEFAULT
    assert assigned(user, {"all": Configuration(share=1)}) == "all"


@pytest.mark.requirement("CONFIGURATIONS")
def test_users_are_dealt_out_by_the_shares():
    three = {"a": Configuration(share=0.2), "b": Configuration(share=0.3)}
    dealt = Counter(assigned(f"user {number}", three) for number in range(4000))
    assert {name: round(count / 4000, 1) for name, count in dealt.items()} == {"a": 0.2, "b": 0.3, DEFAULT: 0.5}


@pytest.mark.requirement("CONFIGURATIONS")
@pytest.mark.parametrize(
    "wrong",
    [
        {"a": Configuration(share=0.6), "b": Configuration(share=0.6)},
        {DEFAULT: Configuration(share=0.5)},
        {"a": Configuration(share=0.5, weights={"nothing": 1.0})},
        {"a": Configuration(share=0.5, prompts={"nothing": 1})},
    ],
)
def test_an_impossible_comparison_is_one_sentence(wrong):
    with pytest.raises(BadInput):
        check_configurations(wrong)


@pytest.mark.requirement("CONFIGURATIONS", "COMPLAINT")
def test_every_answer_says_its_configuration_and_a_complaint_counts_against_it(tmp_path: Path) -> None:
    users = {assigned(f"user {number}", HALVES): f"user {number}" for number in range(40)}
    with open_resources(Settings(data_dir=tmp_path, embeddings="hashing:64")) as resources:
        app = create_app(build_graph(resources), ServiceOptions(without_tokens=True), HALVES)
        with running(app, 0) as port, httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=20) as http:
            told = {}
            for name, user in users.items():
                http.headers["X-Veridical-User"] = user
                say(http, "My budget is 48,500 dollars.", session=user)
                told[name] = say(http, "What is my budget?", session=user)[-1][1]
            say(http, "That's not what I said.", session=user)
            found = http.get("/v1/configurations").json()["configurations"]
            page = http.get("/metrics").text
        trace = resources.memory.answer(user) or {}
    # A threshold that nothing reaches declines everything: the configuration is really another one.
    assert (told["careful"]["abstained"], told[DEFAULT]["abstained"]) == (True, False)
    counted = {one["configuration"]: (one["answers"], one["complaints"]) for one in found}
    assert counted[name] == (3, 1)
    assert {other: of for other, of in counted.items() if other != name} == {
        other: (2, 0) for other in users if other != name
    }
    assert trace["complaint_against"] == told[name]["answer_id"]
    assert f'veridical_answers_complained_of{{configuration="{name}"}} 1.0' in page
