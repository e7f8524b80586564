"""Sentences of many styles, each with what follows from them and what does not: a smaller set than the generated ones, told
differently, so that the verifier does not only know the generator."""

import pytest

from veridical.memory.grounding.support import supported_claims

from ..calibration.scenes import Talk

SAID: tuple[tuple[str, tuple[str, ...], tuple[str, ...]], ...] = (
    (
        "Mum's operation got pushed from the 4th to the 11th of June because the surgeon fell ill.",
        (
            "Her operation is now on June 11.",
            "The surgeon fell ill, so your mum's operation was pushed to the 11th of June.",
        ),
        (
            "Your mum's operation is on June 4.",
            "Your mum fell ill.",
            "The surgeon's operation was pushed to June 11.",
        ),
    ),
    (
        "Neither Theo nor Ines can make it on Saturday, so it's just Paul and me.",
        ("Theo can't make it on Saturday.",),
        (
            "Ines can make it on Saturday.",
            "Paul can't make it on Saturday.",
        ),
    ),
    (
        "Had it not rained we'd have painted the fence.",
        ("You didn't paint the fence.",),
        ("You painted the fence.",),
    ),
    (
        "The landlord was willing to drop the rent to 980, but the agency insisted on 1,050.",
        ("The agency insisted on 1,050.",),
        (
            "The landlord insisted on 1,050.",
            "The rent is 980.",
        ),
    ),
    (
        "I used to be on the board of the rowing club; nowadays I only coach the juniors.",
        (
            "You coach the juniors.",
            "You used to be on the board of the rowing club.",
        ),
        ("You are on the board of the rowing club.",),
    ),
    (
        "Everyone except Gail signed the petition.",
        ("Gail did not sign the petition.",),
        (
            "Gail signed the petition.",
            "Everyone signed the petition.",
        ),
    ),
    (
        "We're down to our last two bags of pellets, which is about nine days of heating.",
        ("You have two bags of pellets left.",),
        ("You have nine bags of pellets left.",),
    ),
    (
        "Tessa reckons the boiler will die before Christmas.",
        ("Tessa thinks the boiler will die before Christmas.",),
        (
            "The boiler died before Christmas.",
            "The boiler will die before Christmas.",
        ),
    ),
    (
        "It was Hamid who found the leak, Colin merely wrote it up.",
        (
            "Hamid found the leak.",
            "Colin wrote it up.",
        ),
        ("Colin found the leak.",),
    ),
    (
        "Train leaves Ghent 7:42 and gets into Cologne at 10:15.",
        (
            "The train leaves Ghent at 7:42.",
            "It arrives in Cologne at 10:15.",
        ),
        (
            "The train leaves Cologne at 7:42.",
            "The train gets into Ghent at 10:15.",
            "The train leaves Ghent at 10:15.",
        ),
    ),
    (
        "I've been asked to chair the panel, haven't answered yet.",
        ("You were asked to chair the panel.",),
        (
            "You chair the panel.",
            "You agreed to chair the panel.",
        ),
    ),
    (
        "The premium plan includes 40 GB, the basic one just 8.",
        ("The premium plan includes 40 GB.",),
        (
            "The basic plan includes 40 GB.",
            "The premium plan includes 8 GB.",
        ),
    ),
    (
        "Luis lent me his drill and I lent Berta my ladder.",
        (
            "Luis lent you his drill.",
            "You lent Berta your ladder.",
        ),
        (
            "You lent Luis your drill.",
            "Berta lent you her ladder.",
            "Luis lent you his ladder.",
        ),
    ),
    (
        "Don't order the grey one, the customer changed to teal this morning.",
        ("The customer changed to teal.",),
        (
            "The customer changed to grey.",
            "The customer wants the grey one.",
        ),
    ),
    (
        "After the merger our office in Leeds closes; Bristol stays open.",
        (
            "The office in Leeds closes.",
            "Bristol stays open.",
        ),
        (
            "The office in Bristol closes.",
            "Leeds stays open.",
        ),
    ),
    (
        "My niece Ada turned six on Sunday, her brother is nearly nine.",
        (
            "Ada turned six on Sunday.",
            "Your niece is called Ada.",
        ),
        (
            "Ada is nine.",
            "Your niece turned nine on Sunday.",
        ),
    ),
    (
        "She told me the invoice had been paid, but the bank says it hasn't.",
        ("She told you that the invoice had been paid.",),
        (
            "The invoice was paid.",
            "The bank says that the invoice was paid.",
        ),
    ),
    (
        "Between the two I'd rather have the corner flat than the attic.",
        ("You prefer the corner flat.",),
        ("You prefer the attic.",),
    ),
    (
        "The parcel is supposed to weigh 3.2 kilos; on my scale it's 2.7.",
        ("On your scale the parcel is 2.7 kg.",),
        ("The parcel weighs 3.2 kilos on your scale.",),
    ),
    (
        "I gave up on the marathon and signed up for the half instead.",
        (
            "You signed up for the half.",
            "You gave up on the marathon.",
        ),
        ("You signed up for the marathon.",),
    ),
    (
        "If the visa comes through we fly on the 3rd, otherwise we stay put.",
        ("If the visa comes through, you fly on the 3rd.",),
        (
            "You fly on the 3rd.",
            "The visa came through.",
        ),
    ),
    (
        "Rosalind has been vegan since 2019 and her husband isn't.",
        (
            "Rosalind is vegan.",
            "Rosalind has been vegan since 2019.",
        ),
        (
            "Rosalind's husband is vegan.",
            "Rosalind is not vegan.",
        ),
    ),
    (
        "Only after the third reminder did Petrov & Sons pay the 740 euros.",
        ("Petrov & Sons paid 740 euros after the third reminder.",),
        (
            "Petrov & Sons never paid the 740 euros.",
            "Petrov & Sons paid 470 euros.",
        ),
    ),
    (
        "Quote: roof 12,400, gutters 1,850, scaffolding extra.",
        (
            "The gutters are 1,850.",
            "The roof is 12,400.",
        ),
        (
            "The gutters are 12,400.",
            "The scaffolding is 1,850.",
        ),
    ),
    (
        "We talked about Malta, Crete and Madeira, and Madeira won.",
        ("Madeira won.",),
        (
            "Malta won.",
            "You talked about Corsica.",
        ),
    ),
    (
        "Nobody on the team speaks Polish apart from Agnes.",
        ("Agnes speaks Polish.",),
        ("Agnes doesn't speak Polish.",),
    ),
    (
        "The exam covers chapters 3 to 7, not chapter 8.",
        ("The exam covers chapters 3 to 7.",),
        ("The exam covers chapter 8.",),
    ),
    (
        "Freddie nearly missed the ferry because the alarm was set for 6 pm.",
        ("The alarm was set for 6 pm.",),
        (
            "Freddie missed the ferry.",
            "The alarm was set for 6 am.",
        ),
    ),
    (
        "I'm the one who's allergic to penicillin, not my twin sister.",
        ("You are allergic to penicillin.",),
        ("Your twin sister is allergic to penicillin.",),
    ),
    (
        "The museum charges 14 euros, students pay half.",
        ("The museum charges 14 euros.",),
        (
            "Students pay 14 euros.",
            "The museum charges 40 euros.",
        ),
    ),
    (
        "Contract runs out at the end of March and they won't renew it.",
        ("The contract runs out at the end of March.",),
        (
            "They will renew the contract.",
            "The contract runs out at the end of May.",
        ),
    ),
    (
        "Gretel sold the piano to the school for 900.",
        (
            "Gretel sold the piano for 900.",
            "The piano was sold to the school by Gretel.",
        ),
        (
            "The school sold the piano to Gretel.",
            "Gretel bought the piano for 900.",
        ),
    ),
    (
        "妈的手术从四号改到十一号了，因为主刀医生病了。",
        ("手术改到十一号了。",),
        (
            "手术是四号。",
            "手术改到四号了。",
        ),
    ),
    (
        "周末老周和小林都来不了，就我和阿豪两个人。",
        ("老周来不了。",),
        (
            "小林来得了。",
            "阿豪来不了。",
        ),
    ),
    (
        "要不是下雨，我们就把篱笆刷了。",
        ("你们没刷篱笆。",),
        ("你们把篱笆刷了。",),
    ),
    (
        "房东愿意降到2800，可是中介非要3100。",
        ("中介要3100。",),
        (
            "房东要3100。",
            "房租是2800。",
        ),
    ),
    (
        "我以前是校队的，现在只带少年组。",
        (
            "您现在带少年组。",
            "您以前是校队的。",
        ),
        ("您是校队的。",),
    ),
    (
        "除了小韩，大家都签字了。",
        ("小韩没签字。",),
        (
            "小韩签字了。",
            "大家都签字了。",
        ),
    ),
    (
        "漏水是老黄发现的，小邱只是写了报告。",
        (
            "漏水是老黄发现的。",
            "小邱写了报告。",
        ),
        (
            "漏水是小邱发现的。",
            "老黄写了报告。",
        ),
    ),
    (
        "高铁7点42从苏州发车，10点15到济南。",
        (
            "高铁7点42分从苏州发车。",
            "10点15分到济南。",
        ),
        (
            "高铁7点42分从济南发车。",
            "高铁10点15分到苏州。",
        ),
    ),
    (
        "领导让我牵头这个项目，我还没答复。",
        ("领导让您牵头这个项目。",),
        (
            "您牵头这个项目。",
            "您答应牵头这个项目。",
        ),
    ),
    (
        "高级版含40G流量，基础版只有8G。",
        ("高级版含40G流量。",),
        (
            "基础版含40G流量。",
            "高级版只有8G。",
        ),
    ),
    (
        "老罗把电钻借给我了，我把梯子借给小贝了。",
        (
            "老罗把电钻借给了您。",
            "您把梯子借给了小贝。",
        ),
        (
            "您把电钻借给了老罗。",
            "小贝把梯子借给了您。",
        ),
    ),
    (
        "别订灰色那款，客户今早改要青色了。",
        ("客户改要青色了。",),
        (
            "客户改要灰色了。",
            "客户要灰色那款。",
        ),
    ),
    (
        "合并以后苏州办公室关掉，无锡的留着。",
        ("苏州办公室关掉。",),
        (
            "无锡办公室关掉。",
            "苏州的留着。",
        ),
    ),
    (
        "我外甥女妞妞周日满六岁，她哥哥快九岁了。",
        ("妞妞周日满六岁。",),
        (
            "妞妞九岁。",
            "妞妞快九岁了。",
        ),
    ),
    (
        "她说发票款已经付了，银行说没有。",
        ("她说发票款付了。",),
        (
            "发票款付了。",
            "银行说付了。",
        ),
    ),
    (
        "两套里我更想要边户，不想要顶楼。",
        ("您更想要边户。",),
        ("您更想要顶楼。",),
    ),
    (
        "马拉松我放弃了，改报了半程。",
        (
            "您改报了半程。",
            "您放弃了马拉松。",
        ),
        ("您报了马拉松。",),
    ),
    (
        "签证下来的话三号飞，下不来就不走了。",
        ("签证下来的话三号飞。",),
        (
            "您三号飞。",
            "签证下来了。",
        ),
    ),
    (
        "婉清从2019年开始吃素，她先生不吃素。",
        ("婉清从2019年开始吃素。",),
        (
            "婉清的先生吃素。",
            "婉清不吃素。",
        ),
    ),
    (
        "催到第三遍，彭记才把740块结了。",
        ("彭记把740块结了。",),
        (
            "彭记没把740块结了。",
            "彭记把470块结了。",
        ),
    ),
    (
        "报价：屋顶12400，水槽1850，脚手架另算。",
        (
            "水槽1850。",
            "屋顶12400。",
        ),
        (
            "水槽12400。",
            "脚手架1850。",
        ),
    ),
    (
        "厦门、青岛、大连里头，最后选了大连。",
        ("最后选了大连。",),
        (
            "最后选了青岛。",
            "最后选了烟台。",
        ),
    ),
    (
        "考试范围是第3章到第7章，不考第8章。",
        ("考试范围是第3章到第7章。",),
        ("考试考第8章。",),
    ),
    (
        "小冯差点没赶上船，闹钟定成了晚上六点。",
        ("闹钟定成了晚上六点。",),
        (
            "小冯没赶上船。",
            "闹钟定成了早上六点。",
        ),
    ),
    (
        "对青霉素过敏的是我，不是我双胞胎妹妹。",
        ("您对青霉素过敏。",),
        ("您的双胞胎妹妹对青霉素过敏。",),
    ),
    (
        "博物馆门票60，学生半价。",
        ("博物馆门票60。",),
        (
            "学生门票60。",
            "博物馆门票16。",
        ),
    ),
    (
        "合同三月底到期，对方不续了。",
        (
            "合同三月底到期。",
            "对方不续了。",
        ),
        (
            "对方续了。",
            "合同五月底到期。",
        ),
    ),
    (
        "钢琴卖给学校了，九百块。",
        (
            "钢琴卖给学校了。",
            "钢琴卖了900元。",
        ),
        (
            "学校把钢琴卖了。",
            "钢琴是从学校买的。",
        ),
    ),
    (
        "李老师原本教三班，这学期换到五班了。",
        (
            "李老师这学期换到五班了。",
            "李老师原本教三班。",
        ),
        ("李老师教三班。",),
    ),
    (
        "我答应了小崔周五前把图纸发过去。",
        ("您答应了小崔周五前把图纸发过去。",),
        (
            "您把图纸发给小崔了。",
            "小崔答应周五前发图纸。",
        ),
    ),
    (
        "物业收2.8一平，停车费每月350。",
        (
            "停车费每月350元。",
            "物业费2.8一平。",
        ),
        (
            "停车费每月280元。",
            "物业收350一平。",
        ),
    ),
    (
        "孙姐负责采购，仓库归老马管。",
        (
            "孙姐负责采购。",
            "老马管仓库。",
        ),
        (
            "孙姐管仓库。",
            "老马负责采购。",
        ),
    ),
)
"""What was said, what is true of it, and what is not."""
TRUE = [(said, one) for said, true, _ in SAID for one in true]
FALSE = [(said, one) for said, _, false in SAID for one in false]
HELD = 0.15
"""The share of what is true that may be held back: what only follows from what was said is among it."""


def passes(said: str, claim: str) -> bool:
    turn = Talk().say(said)
    return all(one.verdict == "supported" for one in supported_claims(claim, [turn], turn.language))


@pytest.mark.requirement("P4", "NO-LIE-RELEASED")
@pytest.mark.parametrize(("said", "claim"), FALSE)
def test_what_was_not_said_is_held_back(said: str, claim: str):
    assert not passes(said, claim)


@pytest.mark.requirement("P4", "TRUTH-IS-RELEASED")
def test_most_of_what_was_said_is_released():
    held = [claim for said, claim in TRUE if not passes(said, claim)]
    assert len(held) <= HELD * len(TRUE), held
