"""What a question asks for, in many wordings of both languages."""

from datetime import UTC, datetime

import pytest

from veridical.memory.calibration.parsing import is_generic
from veridical.memory.calibration.questions import Listed, Question, Topic, analyse
from veridical.memory.language.folding import detect_language

NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)


def read(text: str, topic: Topic | None = None, zone: str = "UTC") -> Question:
    return analyse(text, detect_language(text), NOW, zone, topic)


@pytest.mark.parametrize(
    ("asks", "texts"),
    [
        ("who", ["Who manages Apollo?", "and who is the contact?", "Whose idea was that logo?", "谁负责测试？", "请问哪位是联系人"]),
        ("when", ["When is the exam?", "What time does the train leave?", "Do you remember when we met Ana?", "考试是什么时候？", "几点开会"]),
        ("where", ["Where do I live?", "Which city was it in?", "我住在哪里？", "放在哪儿了", "聚餐在哪家餐厅"]),
        ("how_much", ["How much was the hotel?", "how much do I pay for rent", "酒店多少钱？", "这台电脑几块钱买的"]),
        ("how_many", ["How many guests are coming?", "How old is my son?", "来了几个人？", "我儿子几岁", "血糖是多少"]),
        ("why", ["Why did we move?", "What was the reason for the delay?", "What caused the outage?", "为什么推迟？", "延期的原因是什么"]),
        ("order", ["In what order did we visit them?", "What happened next?", "先后顺序是什么？", "这件事的来龙去脉"]),
        ("list", ["List my hobbies.", "What are my allergies?", "Tell me about Apollo", "我有哪些爱好？", "列出所有待办"]),
        ("choice", ["Did we pick the red one or the blue one?", "Which option did I take?", "我们选了红色还是蓝色？"]),
        ("yes_no", ["Did I mention my sister?", "Am I allergic to nuts?", "我提过我姐姐吗？", "我是不是对坚果过敏"]),
        ("more", ["the pricier one", "Which one is more expensive?", "更贵的那个", "哪个更贵？", "最贵的是哪个"]),
        ("less", ["And the cheaper one?", "Which costs less?", "便宜的那个呢", "哪个最便宜"]),
        ("who_said", ["Who said the roof leaks?", "Who suggested Friday?", "谁说屋顶漏水？", "是谁提的周五"]),
        ("command", ["Forget that.", "forget about my address", "忘掉这个"]),
        ("value", ["What is the wifi password?", "wifi密码是什么", "Remind me, what is my nickname?", "你还记得我叫什么吗"]),
    ],
)  # fmt: skip
def test_what_is_asked_is_recognised(asks, texts):
    assert {text: read(text).asks for text in texts} == dict.fromkeys(texts, asks)


@pytest.mark.parametrize(
    ("text", "asks"),
    [
        ("我们最终租了哪个小院？", "choice"),
        ("哪个大厅办婚礼？", "choice"),
        ("哪个小？", "less"),
        ("哪个大一点", "more"),
        ("哪个更长", "more"),
    ],
)
def test_a_word_that_begins_with_big_or_small_compares_nothing(text, asks):
    assert read(text).asks == asks


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("and the second?", 2),
        ("What was the third thing?", 3),
        ("the last one?", -1),
        ("那第二条呢", 2),
        ("好的，那第三件事是什么？", 3),
        ("第2个是什么", 2),
        ("最后一条呢", -1),
        ("那第二條呢", 2),
        ("What is the second contract's deadline?", None),
        ("第二份合同的截止日期是什么时候", None),
    ],
)
def test_a_place_in_a_list_is_told_from_an_adjective(text, place):
    assert read(text).ordinal == place


@pytest.mark.parametrize(
    "text",
    [
        "What was it before that?",
        "Where did I use to work?",
        "Where did I work before?",
        "What was my previous employer?",
        "What did it used to be?",
        "那之前呢",
        "我以前住在哪里",
        "改之前是什么",
        "原来的截止日期是哪天",
        "我的上一家公司",
    ],
)
def test_history_is_recognised(text):
    topic = Topic(question="Where do I work?")
    assert read(text, topic).history


@pytest.mark.parametrize(
    "text",
    [
        "What did I tell you before?",
        "Have we met before?",
        "我之前说的预算是多少",
        "之前提到的地址是什么",
        "会议之前要做什么",
    ],
)
def test_said_before_is_no_question_about_history(text):
    assert not read(text).history


@pytest.mark.parametrize(
    ("text", "term"),
    [
        ("What is the budget?", "budget"),
        ("Do you still remember what the budget was?", "budget"),
        ("So, tell me: what was the budget again?", "budget"),
        ("预算是多少？", "预算"),
        ("你还记得预算是多少吗？", "预算"),
        ("麻烦帮我查一下预算是多少", "预算"),
        ("我們的預算是多少？", "预算"),
    ],
)
@pytest.mark.requirement("TRADITIONAL-CHINESE")
def test_frames_around_a_question_need_no_evidence(text, term):
    question = read(text)
    assert question.terms == (term,)
    assert "budget" in question.attributes


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        ("When did the flea market take place?", ("flea", "market")),
        ("How much did the ferry cost altogether in the end?", ("ferri", "cost")),
        ("Whom did the choir end up with as a soloist?", ("choir", "soloist")),
        ("演讲最终是在哪一天？", ("演讲",)),
        ("渡轮总共花了多少？", ("渡轮",)),
        ("停电之后紧接着发生了什么？", ("停电",)),
        ("我拍到多少種鳥？", ("拍", "鸟")),
        ("渡轮一天卖出多少张票？", ("渡轮", "卖出", "票")),
    ],
)
def test_what_only_carries_a_question_is_no_content_of_it(text, terms):
    assert tuple(term for term in read(text).terms if term != "花了") == terms


@pytest.mark.parametrize(
    ("light", "content"),
    [
        ("take", "borrow"),
        ("bring", "paint"),
        ("help", "teach"),
        ("part", "chapter"),
        ("付", "租"),
        ("开", "修"),
        ("负责", "设计"),
        ("每月", "房租"),
    ],
)
def test_light_words_weigh_less_than_content(light, content):
    assert is_generic(light)
    assert not is_generic(content)


@pytest.mark.parametrize(
    "text",
    [
        "哪一天搬家？",
        "最后一门考试难吗",
        "第一次搬家是哪天",
        "Which one did the neighbour like?",
        "What are the last four digits of the badge?",
    ],
)
def test_a_number_that_only_points_needs_no_counterpart(text):
    assert not [term for term in read(text).terms if term.startswith("#")]


@pytest.mark.parametrize(
    ("text", "number"),
    [("三千块的沙发是谁挑的", "#3000"), ("Who bought the 40 chairs?", "#40"), ("两天的票多少钱", "#2")],
)
def test_a_number_that_counts_is_looked_for(text, number):
    assert number in read(text).terms


def test_names_labels_and_owners_are_told_from_other_words():
    assert read("What is the budget of Apollo?").names == ("apollo",)
    assert read("what does caroline like", Topic(known=("Caroline",))).names == ("caroline",)
    assert read("What is the penalty in contract B?").names == ("contract b",)
    assert read("方案B的价格是多少").names == ("方案b",)
    assert read("what is my son's name").owners == ("son",)
    assert read("阿波罗的预算是多少").owners == ("阿波罗",)
    assert read("大姨家阳台朝哪边").owners == ("大姨",)
    assert read("国家队赢了几场").owners == ()
    assert read("WHAT IS THE BUDGET?").names == ()


def test_a_known_thing_that_is_an_ordinary_word_is_no_name():
    known = Topic(known=("Coffee", "咖啡", "太阳花", "Odile"))
    assert read("Who roasts the coffee?", known).names == ()
    assert read("Who sold Coffee its logo?", known).names == ("coffee",)
    assert read("who roasts for odile", known).names == ("odile",)
    assert read("咖啡是谁烘的？", known).names == ()
    assert read("太阳花是谁的项目？", known).names == ("太阳花",)
    assert "咖啡" in read("咖啡是谁烘的？", known).terms


def test_options_of_a_choice_are_not_all_required():
    question = read("Did we choose Hamburg or Berlin?")
    assert (question.names, question.options) == ((), ("hamburg", "berlin"))


@pytest.mark.parametrize(
    "text", ["What did I say yesterday?", "昨天说了什么", "昨天我们聊了什么？", "What happened yesterday?"]
)
@pytest.mark.requirement("C21")
def test_a_day_is_asked_for_in_the_zone_of_the_user(text):
    question = read(text, zone="Asia/Shanghai")
    assert question.only_time
    assert question.time_from == datetime(2026, 11, 28, 16, tzinfo=UTC)
    assert question.time_to == datetime(2026, 11, 29, 16, tzinfo=UTC)


@pytest.mark.parametrize(
    "text",
    [
        "What was the budget as of March 2026?",
        "Where did I work in March 2026?",
        "2026年3月我在哪里上班",
        "截至2026年3月预算是多少",
    ],
)
@pytest.mark.requirement("C11", "AS-OF")
def test_a_state_in_a_past_time_is_asked_as_of_its_end(text):
    as_of = read(text).as_of
    assert as_of is not None
    assert as_of.date().isoformat() == "2026-03-31"


def test_an_event_in_a_past_time_is_not_asked_as_of():
    question = read("Which museum did I visit last Friday?")
    assert question.as_of is None
    assert question.time_from is not None


@pytest.mark.parametrize(
    "text", ["Who is its project manager?", "它的项目经理是谁？", "And its project manager?", "那个项目经理是谁"]
)
def test_what_points_back_takes_the_topic(text):
    question = read(text, Topic(entity="apollo"))
    assert question.entity == "apollo"
    assert question.follow_up


def test_a_name_of_its_own_outranks_the_topic():
    assert read("Who is the project manager of Zeus?", Topic(entity="apollo")).entity is None


@pytest.mark.parametrize(
    ("before", "text", "terms", "names"),
    [
        ("Where does Alice work?", "And Bob?", ("work",), ("bob",)),
        ("Where does Alice work?", "What about Bob?", ("work",), ("bob",)),
        ("What is the budget of Apollo?", "before that?", ("budget",), ("apollo",)),
        ("When is the exam?", "Why?", ("exam",), ()),
        ("小王住在哪里？", "那小李呢？", ("住",), ("小李",)),
    ],
)
def test_a_follow_up_takes_what_it_leaves_out_from_the_question_before(before, text, terms, names):
    question = read(text, Topic(question=before))
    assert question.follow_up
    assert set(question.terms) == set(terms)
    assert question.names == names


def test_what_stands_alone_takes_nothing_from_the_question_before():
    topic = Topic(question="Where does Alice work?", listed=(Listed(1, "call Bob"),))
    for text in ("What did I ask?", "What did you recommend?", "the pricier one", "and the second?", "昨天说了什么"):
        assert read(text, topic).terms == (), text


def test_who_spoke_is_told_from_what_was_said():
    assert read("What did you recommend?").about_assistant
    assert read("你推荐了什么手机").about_assistant
    assert not read("What did I recommend to Ana?").about_assistant
    assert read("What did I ask about the train?").about_questions
    assert read("我刚才问了什么").about_questions


@pytest.mark.parametrize(
    "text",
    [
        "What is the capital of France?",
        "How do I bake bread?",
        "Who wrote Hamlet?",
        "法国的首都是哪里？",
        "写一首诗",
        "3 + 4 = ?",
    ],
)
def test_general_knowledge_is_recognised(text):
    assert read(text).general


@pytest.mark.parametrize(
    "text", ["", "?", "？？？", "   ", "\n", "的", "a", "🙂", "what", "什么", "第", "[t1]", "(((", "\\d+"]
)
def test_odd_texts_are_read_without_an_error(text):
    assert read(text, Topic(entity="x", question=text)).text == text


@pytest.mark.parametrize("title", ["Mr.", "Mrs.", "Dr.", "Prof."])
def test_a_title_ends_no_sentence_and_is_no_name(title: str):
    question = analyse(f"How much does {title} Pruett pay?", "en", datetime(2026, 3, 2, tzinfo=UTC), "UTC")
    assert question.names == ("pruett",)


@pytest.mark.parametrize(
    ("text", "asks"),
    [
        ("影相最後請咗邊個？", "who"),
        ("婚宴而家係邊一日？", "when"),
        ("最後擺幾多圍？", "how_many"),
        ("點解要改期？", "why"),
        ("擺酒喺邊度？", "where"),
    ],
)
def test_cantonese_question_words_ask(text, asks):
    assert analyse(text, "zh", NOW, "UTC").asks == asks


@pytest.mark.parametrize("text", ["你给我的店出过什么主意？", "你上次给我支的招是什么？", "你的点子是什么？"])
def test_whose_idea_is_asked_for_is_the_assistants(text):
    assert analyse(text, "zh", NOW, "UTC").about_assistant
