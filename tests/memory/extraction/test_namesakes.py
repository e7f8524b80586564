"""Several relatives of one kind, several budgets, several orders: one is not taken for the other."""

import pytest

from .conversation import said


@pytest.mark.parametrize(
    ("texts", "attribute", "values"),
    [
        (("My sister Anna lives in Oslo. My sister Eva lives in Rome.",), "sister_home", {"Oslo", "Rome"}),
        (("My sister Anna lives in Oslo.", "My sister Eva lives in Rome."), "sister_home", {"Oslo", "Rome"}),
        (("My sister lives in Oslo.", "My other sister lives in Rome."), "sister_home", {"Oslo", "Rome"}),
        (("我大姐住在北京，二姐住在上海。",), "older_sister_home", {"北京", "上海"}),
        (("我姐姐王芳住在北京。", "我姐姐王丽住在上海。"), "older_sister_home", {"北京", "上海"}),
        (("我爷爷住在扬州，外公住在镇江。",), "grandfather_home", {"扬州", "镇江"}),
        (("我表哥住在扬州。", "我表妹住在镇江。"), "cousin_home", {"扬州", "镇江"}),
    ],
)
def test_two_relatives_of_one_kind_do_not_contradict_each_other(texts, attribute, values):
    talk = said(*texts)
    assert set(talk.values(attribute)) == values
    assert talk.conflicts() == []


@pytest.mark.parametrize(
    ("texts", "attribute", "values"),
    [
        (
            ("My sister Anna lives in Oslo.", "My sister Eva lives in Rome.", "My sister Eva moved to Milan."),
            "sister_home",
            {"Oslo", "Milan"},
        ),
        (("My sister lives in Oslo.", "My sister moved to Rome."), "sister_home", {"Rome"}),
        (("My sister Anna lives in Oslo.", "My sister Anna lives in Rome."), "sister_home", {"Rome"}),
        (("我大姐住在北京，二姐住在上海。", "我二姐搬到南京了。"), "older_sister_home", {"北京", "南京"}),
        (("我姐姐王芳住在北京。", "我姐姐搬到上海了。"), "older_sister_home", {"上海"}),
    ],
)
def test_a_change_of_one_of_them_is_hers(texts, attribute, values):
    assert set(said(*texts).values(attribute)) == values


def test_a_change_that_may_be_of_either_closes_neither():
    talk = said("My sister Anna lives in Oslo.", "My sister Eva lives in Rome.", "My sister lives in Bergen now.")
    assert set(talk.values("sister_home")) == {"Oslo", "Rome", "Bergen"}


@pytest.mark.parametrize(
    "texts",
    [
        ("The Apollo budget is 5,000 dollars.", "The Borealis budget is 7,000 dollars.", "The budget is 9,000 now."),
        ("阿波罗项目的预算是5万。", "北极星项目的预算是7万。", "预算改成9万了。"),
    ],
)
def test_a_change_that_could_be_of_another_is_marked_as_a_conflict_with_it(texts):
    talk = said(*texts)
    assert set(talk.conflicts()) == {(3, 2), (3, 1)}
    assert [item.number for item in talk.items(attribute="budget")] == [1, 3]


def test_far_from_either_the_change_is_of_neither_and_marked():
    told = ("The Apollo budget is 5,000.", "The Borealis budget is 7,000.")
    between = ("I like soup.", "I like tea.", "I like bread.", "I like rain.")
    talk = said(*told, *between, "The budget is 9,000 now.")
    assert len(talk.items(attribute="budget")) == 3
    assert len(talk.conflicts()) == 2


@pytest.mark.parametrize(
    "texts",
    [
        ("我的订单号是5678。", "金额是300元。", "另一个订单号是9012。", "金额是500元。"),
        ("Order number 5678.", "The amount is 300 euros.", "The other order number is 9012.", "The amount is 500."),
        ("Order 5678 is late.", "The amount is 300 euros.", "Order 9012 is fine.", "The amount is 500 euros."),
    ],
)
def test_what_follows_the_number_of_an_order_is_of_that_order(texts):
    items = said(*texts).items(attribute="amount")
    assert {(item.entity, item.normal) for item in items} == {("order:5678", "300"), ("order:9012", "500")}


@pytest.mark.parametrize(
    "texts", [("My order number is 5678.", "My budget is 300 euros."), ("订单号是5678。", "我住在成都。")]
)
def test_what_no_order_has_is_the_speakers(texts):
    assert {item.entity for item in said(*texts).items()} == {"user"}
