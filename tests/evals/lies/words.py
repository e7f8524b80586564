"""The words that the generator of lies changes."""

import re

from veridical.memory.records import Language


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


UNITS = (
    ("dollars", "euros"),
    ("pounds", "euros"),
    ("$", "€"),
    ("£", "$"),
    ("€", "£"),
    ("euros", "pounds"),
    ("kilograms", "grams"),
    ("kg", "lb"),
    ("km", "miles"),
    ("grams", "kg"),
    ("mg", "g"),
    ("percent", "points"),
    ("%", " kg"),
    ("nights", "weeks"),
    ("weeks", "months"),
    ("months", "days"),
    ("years", "months"),
    ("days", "weeks"),
    ("hours", "minutes"),
    ("cents", "dollars"),
    ("people", "percent"),
    ("公斤", "吨"),
    ("斤", "吨"),
    ("kg", "吨"),
    ("美元", "欧元"),
    ("元", "美元"),
    ("块", "美元"),
    ("平", "亩"),
    ("升", "毫升"),
    ("天", "个月"),
    ("个月", "天"),
    ("年", "个月"),
    ("周", "天"),
    ("杯", "箱"),
    ("桌", "人"),
    ("人", "桌"),
    ("单", "万单"),
    ("步", "公里"),
    ("%", "公斤"),
    ("百分之", "千分之"),
    ("千分之", "百分之"),
    ("欧", "美元"),
)
ADDED_UNITS: dict[Language, tuple[str, ...]] = {"en": (" kg", " percent"), "zh": ("公斤", "%", "美元")}
"""Units that a bare number has not."""
MAGNITUDES = (
    ("k", " million"),
    ("万", "亿"),
    ("亿", "万"),
    ("万", "千"),
    ("万", ""),
    ("亿", ""),
    ("千", "万"),
    ("千", "百"),
    ("百", "千"),
    (",000", ",000,000"),
    (",000", ""),
    ("million", "thousand"),
)
DENIALS: dict[Language, tuple[tuple[str, str], ...]] = {
    "en": (
        (r" (?:do not|don't|does not|doesn't) ", " "),
        (r" can't ", " can "),
        (r" couldn't ", " could "),
        (r" cannot ", " can "),
        (r" (is|are|was|were|has|have|had) not ", r" \1 "),
        (r" no longer ", " still "),
        (r" have no ", " have a "),
        (r" (is|are|was|were|can|will|would) ", r" \1 not "),
        (r" has (?=\w+ed |been|stretched)", " has not "),
        (r" have (?=\w+ed |met|set)", " have not "),
        (
            r" (begins?|starts?|takes?|lives?|wants?|needs?|costs?|drives?|walks?|runs?|gets?|sells?|says?|quotes?|comes?"
            r"|works?|stays?|leads?|moves?|ends?|sweeps|gives?|goes|offers) ",
            r" does not \1 ",
        ),
        (r"^You (\w+ed|went|chose|ran|saw|took|met|left|bought|lost|got|told|paid) ", r"You never \1 "),
        (
            r" (signed|quit|ordered|cancelled|bought|took|went|chose|raised|broke|lost|left|gave|switched|approved|found"
            r"|transferred|accepted|handed|began|started|rotated|moved|locked|closed|met|turned|decided|knocks|landed"
            r"|arrived|ended|rose|cost) ",
            r" never \1 ",
        ),
    ),
    "zh": (
        (r"没有", "有"),
        (r"不再", "仍然"),
        (r"不(?=[吃用退在让装去做])", ""),
        (r"先别", "先"),
        (r"都是", "都不是"),
        (r"(?<!还)是", "不是"),
        (r"(?<![个前])叫", "不叫"),
        (
            r"(?<=[^不没])(签|收到|决定|买|换|改|定|到|涨|降|缩|补|转|投|戒|搬|上线|下架|选|交|拿|推迟|批|投|生|来|卖|招|跑|减|提)(?=[了到])",
            r"没\1",
        ),
        (r"(?<=[^不没])(负责|觉得|要|做|住|找|占|过敏|支援|换新|退款|开车?|算|让|在|姓|有|写|付|用|走|说|占)", r"不\1"),
    ),
}
BY_ASSISTANT: dict[Language, tuple[str, ...]] = {
    "en": ("I suggested that {}", "The assistant said that {}", "I told you that {}"),
    "zh": ("我建议过{}", "助手说过{}", "我告诉过您，{}"),
}
SAID: dict[Language, str] = {"en": "{} said that {}", "zh": "{}说过，{}"}
TELLS = re.compile(r"^\S+ (?:said|says|told)|^\S{1,4}(?:说|觉得|建议|提议|让|答应)")
"""Statements that already tell what somebody said."""
OPENERS = _set(
    "You Your They Their The It He She His Her From In On Only First There Three Two One A An Order Portuguese"
)
FRAME = _set(
    "the a an of to in on at is are was were you your it its they their he she his her has have had for and with that"
    " according records done will would be been as by i my we our us me do does did s t m re ve ll 的 了 是 在 您 你 我 们 为 也 就 都"
    " 根 据 记 录 一 个"
)
CHINESE_NAMES = _set(
    "宏图 安居客装 刘师傅 沈一舟 空气炸锅 小魏 邵医生 老曹 恒泰机电 恒达机电 周律师 老贾 小庞 王磊 王蕾 小邓 班长 莫干山 三亚 阿琳 大理 丽江 沙溪"
    " 香格里拉 小孟 小梦 阿福 光华牧场 云岭牧场 桂花乌龙 芝士草莓 青提茉莉 锦绣里 云栖府 覃经理 小程 老谭 小柏 佟姐 小祁 悦海 铂悦 同春楼"
    " 闻乐 简宁 老鹿 大路 阿哲 新疆 巴厘岛 李志伟 黎志威 飞度 卡罗拉 青年公寓 芳草园 狄老师 青禾 长荣 常荣 老秦 阿骏 万钧 Annette Kevin Calvin"
    " 小简 吕总 律总监 老张 岑亮 商未秋 商老师 小霍"
)
NO_NAMES = _set(
    "The And But She You They That This There Then When What Monday Tuesday Wednesday Thursday Friday Saturday Sunday"
    " January February March April May June July August September October November December Not Portuguese English"
    " Spanish Japanese Runner Herr Don Mr"
)
