"""Contracts and statutes of clauses for conversations: three that resemble each other, and two with an older version."""

from veridical.memory.knowledge.reading import ReadDocument
from veridical.memory.language.folding import detect_language
from veridical.nodes.contract import Resources

_CONTRACT = """# Service Contract {letter}

Version {version}, effective {since}

## 1. Definitions

"Services" means the hosting of the customer's pages.

## 2. Term

2.1 This contract runs for two years.

2.2 It is renewed for one year unless a party gives notice {notice} days before its end.

## 5. Payment

5.1 The customer pays {price} euros a month.

5.2 Invoices are due within {due} days.

(a) Late payments bear interest of 8 percent a year.

(b) After 60 days the provider may suspend the services.

## 6. Liability

The provider is liable up to {cap} euros a year.
{confidentiality}
## {last}. Termination

{last}.1 Either party may terminate with {notice} days' notice.

{last}.2 The provider may terminate at once where invoices stay unpaid for 90 days.
"""
_SECRET = "\n## 7. Confidentiality\n\nEach party keeps the other's information secret for five years.\n"
_NEW = {"confidentiality": _SECRET, "last": 8}
_OLD = {"confidentiality": "", "last": 7}

A_OLD = _CONTRACT.format(
    letter="A", version="1.0", since="2023-01-01", price="3,900", due=30, notice=60, cap="50,000", **_OLD
)
A_NEW = _CONTRACT.format(
    letter="A", version="2.1", since="2025-01-01", price="4,200", due=30, notice=90, cap="50,000", **_NEW
)
B = _CONTRACT.format(
    letter="B", version="1.0", since="2024-03-01", price="9,900", due=14, notice=90, cap="10,000", **_NEW
)
C = _CONTRACT.format(
    letter="C", version="1.0", since="2024-03-01", price="1,500", due=45, notice=90, cap="20,000", **_NEW
)
LEASE = """# 房屋租赁合同

版本：1.0　生效日期：2025年1月1日

第一条 租赁房屋位于杭州市文三路100号。

第二条 租赁期限为三年。

第三条 租金及押金

每月租金为6500元，押金为13000元。

租金每季度支付一次，于每季度首月5日前支付。

第四条 违约责任

（一）承租人逾期支付租金的，每逾期一日按日租金的百分之一支付违约金；

（二）出租人提前收回房屋的，应当支付两个月租金作为违约金。

第五条 任何一方解除合同，应当提前三十日书面通知对方。
"""
_STATUTE = """# 公共图书馆条例

{day}通过

第一条 为了发展公共图书馆事业，制定本条例。

第二条 本条例所称公共图书馆，是指向公众免费开放的图书馆。
{inserted}
第{third}条 公共图书馆每周开放时间不得少于{hours}小时。

第{fourth}条 公共图书馆应当设置少年儿童阅览区域。

公共图书馆应当为残疾人提供便利。

第{fifth}条 违反本条例规定的，由主管部门责令改正。
"""
_INSERTED = "\n第三条 公共图书馆应当建立数字资源库。\n"
STATUTE_OLD = _STATUTE.format(day="2012年3月1日", inserted="", third="三", hours=40, fourth="四", fifth="五")
STATUTE_NEW = _STATUTE.format(day="2021年6月1日", inserted=_INSERTED, third="四", hours=56, fourth="五", fifth="六")
HANDBOOK = "# Leave\n\nEmployees get 28 vacation days per year.\n"

FILES = {
    "contract_a_v1.0.md": A_OLD,
    "contract_a_v2.1.md": A_NEW,
    "contract_b.md": B,
    "contract_c.md": C,
    "房屋租赁合同.md": LEASE,
    "公共图书馆条例(2012-03-01).md": STATUTE_OLD,
    "公共图书馆条例(2021-06-01).md": STATUTE_NEW,
    "staff.md": HANDBOOK,
}


def add(resources: Resources, *names: str, user: str = "ann") -> None:
    """Add some of the files, or all."""
    for name in names or FILES:
        read = ReadDocument(name, "text/markdown", FILES[name], detect_language(FILES[name]))
        resources.memory.knowledge.add(user, read, now=resources.clock())
    resources.memory.knowledge.embed(user)


def clause(text: str, start: str, end: str) -> str:
    """The words of a clause in the text of its document."""
    body = text[text.index(start) :]
    return body[: body.index(end)].strip("# \n") if end else body.strip()


PAYMENT_A = clause(A_NEW, "5. Payment", "\n## 6")
PAYMENT_A_OLD = clause(A_OLD, "5. Payment", "\n## 6")
PAYMENT_B = clause(B, "5. Payment", "\n## 6")
RENT = clause(LEASE, "第三条", "第四条")
