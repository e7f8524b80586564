"""Hand-written evidence in both languages, and what can truly be said of it in other words."""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from veridical.memory.records import Turn

from ..calibration.scenes import Talk

START = datetime(2026, 3, 2, 9, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Told:
    """One turn, true statements that it bears out by itself, and options that were offered beside the true one."""

    text: str
    true: tuple[str, ...]
    by: str = "user"
    options: tuple[tuple[str, str], ...] = ()
    """Pairs of words: what is so, and what was offered instead or is so elsewhere."""


EVIDENCE = (
    Told(
        "The final budget of Apollo is 48,500 dollars.",
        (
            "Apollo's budget is $48,500.",
            "The budget of Apollo was set at 48.5k dollars.",
            "You said that Apollo has a final budget of 48,500 dollars.",
            "The final budget for Apollo stands at 48500 dollars.",
        ),
    ),
    Told(
        "Borealis gets 52,000 euros, and its deadline is May 8.",
        (
            "The deadline of Borealis is May 8.",
            "Borealis gets 52,000 euros.",
            "Borealis gets 52,000 euros, its deadline is May 8.",
        ),
    ),
    Told(
        "Dana leads the design work and Omar handles the testing.",
        (
            "Dana leads the design work.",
            "Omar handles the testing.",
            "Dana is in charge of the design work.",
            "The testing is handled by Omar.",
        ),
        options=(("Dana", "Omar"), ("design", "testing")),
    ),
    Told(
        "We compared MySQL and PostgreSQL, and we decided to use PostgreSQL.",
        ("You decided to use PostgreSQL.", "The decision was to use PostgreSQL.", "You chose PostgreSQL."),
        options=(("PostgreSQL", "MySQL"), ("PostgreSQL", "SQLite")),
    ),
    Told(
        "My sister Lena lives in Oslo, and my brother lives in Bergen.",
        ("Lena lives in Oslo.", "Your brother lives in Bergen.", "Your sister Lena lives in Oslo."),
        options=(("Oslo", "Bergen"), ("sister", "brother")),
    ),
    Told(
        "The dentist appointment is on March 12 at 3:30 pm.",
        (
            "Your dentist appointment is on March 12 at 15:30.",
            "The dentist appointment is scheduled for March 12.",
            "The appointment with the dentist is on 2026-03-12 at 3:30 pm.",
        ),
    ),
    Told(
        "I am allergic to peanuts but not to almonds.",
        ("You are allergic to peanuts.", "You have an allergy to peanuts.", "You are not allergic to almonds."),
        options=(("peanuts", "almonds"),),
    ),
    Told(
        "Order INV-20417 contains 12 lamps and weighs 35 kg.",
        ("Order INV-20417 contains 12 lamps.", "Order INV-20417 weighs 35 kilograms.", "INV-20417 includes 12 lamps."),
    ),
    Told(
        "Order INV-20471 contains 8 chairs and weighs 60 kg.",
        ("Order INV-20471 contains 8 chairs.", "INV-20471 weighs 60 kg."),
    ),
    Told(
        "The client rejected the basic package for 5,000 dollars but was interested in the premium one for 8,000 dollars.",
        (
            "The client turned down the basic package for $5,000.",
            "The client was interested in the premium package for $8,000.",
            "The client declined the basic package.",
        ),
        options=(("premium", "basic"), ("basic", "premium")),
    ),
    Told(
        "I might fly to Lisbon next week.",
        ("You might fly to Lisbon next week.", "You said that you may fly to Lisbon next week."),
        options=(("Lisbon", "Porto"),),
    ),
    Told(
        "I plan to sell my car in June.",
        ("You plan to sell your car in June.", "You intend to sell your car in June."),
    ),
    Told(
        "You could rent a studio in Porto for 900 euros a month.",
        (
            "I suggested that you could rent a studio in Porto for 900 euros a month.",
            "The assistant said that you could rent a studio in Porto.",
        ),
        by="assistant",
    ),
    Told(
        "Our rent went up from 1,150 to 1,320 euros in January.",
        ("Your rent went up to 1,320 euros in January.", "The rent rose from 1,150 to 1,320 euros."),
    ),
    Told(
        "I don't drink coffee, I prefer green tea.",
        ("You prefer green tea.", "You don't drink coffee.", "You do not drink coffee."),
        options=(("tea", "coffee"),),
    ),
    Told(
        "Yesterday I signed the lease for the flat in Tilburg.",
        (
            "You signed the lease for the flat in Tilburg.",
            "You signed the lease for the apartment in Tilburg on {yesterday}.",
        ),
        options=(("Tilburg", "Oslo"),),
    ),
    Told(
        "The server has 64 GB of memory and the backup runs at 2:15 every night.",
        ("The server has 64 GB of memory.", "The backup runs at 2:15 every night."),
    ),
    Told(
        "Marta's flight is KL 1706 and lands at 18:40.",
        ("Marta's flight lands at 18:40.", "Marta lands at 6:40 pm."),
        options=(("Marta", "Dana"),),
    ),
    Told(
        "The conversion rate was 12.5 percent in April.",
        ("In April the conversion rate was 12.5%.", "The conversion rate was 12.5 percent."),
    ),
    Told(
        "The parser was slow because the regular expressions were recompiled, so we cached them.",
        (
            "The parser was slow because the regular expressions were recompiled.",
            "The regular expressions were recompiled, so you cached them.",
        ),
    ),
    Told(
        "Ravi will send the contract on Thursday.",
        ("Ravi will send the contract on Thursday.", "The contract will be sent by Ravi on Thursday."),
        options=(("Thursday", "Friday"), ("Ravi", "Omar")),
    ),
    Told(
        "I bought a red bicycle for my daughter, the blue one was sold out.",
        ("You bought a red bicycle for your daughter.", "The blue one was sold out."),
        options=(("red", "blue"), ("daughter", "son")),
    ),
    Told(
        "The clause_strictness_level of contract A is 3.",
        ("The clause_strictness_level of contract A is 3.", "Contract A has a clause_strictness_level of 3."),
        options=(("contract A", "contract B"),),
    ),
    Told(
        "Went to the pottery class in Utrecht on Saturday, I loved it!",
        ("Caroline went to the pottery class in Utrecht.", "Caroline loved the pottery class."),
        by="Caroline",
        options=(("Caroline", "Melanie"), ("Utrecht", "Oslo")),
    ),
    Told(
        "I adopted two kittens last month.",
        ("Melanie adopted two kittens.", "Melanie said that she adopted two kittens."),
        by="Melanie",
        options=(("Melanie", "Caroline"), ("kittens", "puppies")),
    ),
    Told(
        "阿波罗项目的预算是48500美元。",
        ("阿波罗项目的预算为四万八千五百美元。", "预算定在四万八千五百美元。", "您说过阿波罗项目的预算是4.85万美元。"),
    ),
    Told(
        "北极光项目的费用定为五万元，下个月八号截止。",
        ("北极光项目的费用是5万元。", "北极光项目的预算定为50000元。", "北极光项目的费用为５万元。"),
    ),
    Told(
        "客户拒绝了基础套餐，但对高级套餐表示感兴趣。",
        ("客户拒绝了基础套餐。", "客户对高级套餐感兴趣。", "客户没有接受基础套餐。"),
        options=(("高级", "基础"), ("基础", "高级")),
    ),
    Told(
        "张伟负责设计，李娜负责测试。",
        ("张伟负责设计。", "李娜负责测试。", "设计由张伟负责。"),
        options=(("张伟", "李娜"), ("设计", "测试")),
    ),
    Told(
        "数据库我们最后决定用PostgreSQL，不用MySQL。",
        ("你们决定用PostgreSQL。", "数据库用PostgreSQL。", "数据库决定采用PostgreSQL。"),
        options=(("PostgreSQL", "MySQL"),),
    ),
    Told(
        "我妹妹住在杭州，我住在苏州。",
        ("您的妹妹住在杭州。", "您住在苏州。", "您妹妹住在杭州。"),
        options=(("杭州", "苏州"), ("妹妹", "姐姐")),
    ),
    Told(
        "牙医约在3月12日下午三点半。",
        ("牙医预约在3月12日下午三点半。", "您约了3月12日15:30看牙医。"),
    ),
    Told("我对花生过敏，对杏仁不过敏。", ("您对花生过敏。", "您对杏仁不过敏。"), options=(("花生", "杏仁"),)),
    Told(
        "订单A-30412一共有14盏灯，重37公斤。",
        ("订单A-30412有14盏灯。", "订单A-30412重37公斤。", "订单A-30412重74斤。"),
    ),
    Told("订单A-30421一共有9把椅子，重62公斤。", ("订单A-30421有9把椅子。", "订单A-30421重62公斤。")),
    Told(
        "我下周可能去厦门出差。",
        ("您下周可能去厦门出差。", "您说过下周可能会去厦门出差。"),
        options=(("厦门", "青岛"),),
    ),
    Told("我打算六月把车卖掉。", ("您打算六月卖车。", "您计划六月把车卖掉。")),
    Told(
        "您可以考虑买小米手机。",
        ("我建议过您可以考虑买小米手机。", "助手说过您可以考虑买小米手机。"),
        by="assistant",
    ),
    Told(
        "房租从三千二涨到了三千八百元。",
        ("房租涨到了3800元。", "房租涨到三千八百元了。"),
    ),
    Told("我不喝咖啡，喜欢喝绿茶。", ("您喜欢喝绿茶。", "您不喝咖啡。"), options=(("绿茶", "咖啡"), ("绿茶", "红茶"))),
    Told(
        "昨天我签了南京那套公寓的租约。",
        ("您签了南京那套公寓的租约。", "{yesterday}您签了南京公寓的租约。"),
        options=(("南京", "杭州"),),
    ),
    Told("公司去年的营收是1.2亿元。", ("公司去年的营收是1.2亿元。", "去年公司营收为一亿两千万元。")),
    Told("四月份的转化率是百分之十二点五。", ("四月份的转化率为12.5%。", "转化率是12.5%。")),
    Told("王工的工号是80517，电话是13800138000。", ("王工的工号是80517。", "王工的电话是138 0013 8000。")),
    Told("王总的工号是80571，电话是13900139000。", ("王总的工号是80571。", "王总的电话为13900139000。")),
    Told(
        "因为接口超时，所以我们加了缓存。",
        ("因为接口超时，所以你们加了缓存。", "你们加了缓存，因为接口超时。"),
    ),
    Told(
        "小陈周四会把合同寄出来。",
        ("小陈会在周四寄合同。", "小陈周四会把合同寄出。"),
        options=(("周四", "周五"), ("小陈", "小赵")),
    ),
    Told(
        "我给儿子买了红色的书包，蓝色的卖完了。",
        ("您给儿子买了红色的书包。", "您买了红色书包给儿子。", "蓝色的书包卖完了。"),
        options=(("红色", "蓝色"), ("儿子", "女儿")),
    ),
    Told("这个季度只有小赵通过了考试。", ("只有小赵通过了考试。", "小赵通过了考试。"), options=(("小赵", "小陈"),)),
    Told("会议室在三楼，能坐20个人。", ("会议室在三楼。", "会议室能坐二十个人。", "会议室可以坐20人。")),
)


def talk() -> Talk:
    """The evidence as one conversation, an hour between its turns."""
    conversation = Talk()
    for told in EVIDENCE:
        conversation.say(told.text, by=told.by)
    return conversation


def truths(turns: list[Turn]) -> list[tuple[str, Told, Turn]]:
    """Every true statement with what it rests on; days are written out."""
    found = []
    for told, turn in zip(EVIDENCE, turns, strict=True):
        day = turn.observed_at - timedelta(days=1)
        written = f"{day:%B} {day.day}" if turn.language == "en" else f"{day.month}月{day.day}日"
        found += [(text.format(yesterday=written) if "{" in text else text, told, turn) for text in told.true]
    return found
