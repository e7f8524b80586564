"""Which document a file is a version of, which version it is, and since when it holds."""

from datetime import date
from pathlib import PurePath

import pytest

from veridical.memory.clauses.dating import Dated, read_dates, read_label
from veridical.memory.clauses.markers import lines_of
from veridical.memory.clauses.naming import Named, are_versions, handle, named
from veridical.memory.clauses.records import EntityType

ACT, DEAL, RULES = ("statute", "contract", "policy")


def file(name: str, title: str, kind: EntityType) -> Named:
    return named(name, title, kind)


@pytest.mark.requirement("CLAUSES-VERSIONS")
@pytest.mark.parametrize(
    ("one", "other"),
    [
        (file("养猫法(2001-05-01).md", "某某市养猫法", ACT), file("养猫法(2011-05-01).md", "某某市养猫法", ACT)),
        (file("yangmao_1.md", "养猫法（2011年修正）", ACT), file("养猫法(2001-05-01).md", "养猫法", ACT)),
        (
            file("refund__v001__2020-01-05__ab12cd34.md", "Refund policy", RULES),
            file("refund__v012__2021-03-07__33277450.md", "Refunds and credits", RULES),
        ),
        (file("policy__v1.md", "Refund policy", RULES), file("policy__v2.md", "Refund policy", RULES)),
        (file("terms__v1.md", "Terms of Service", RULES), file("terms__v2.md", "Acme Terms of Service", RULES)),
        (file("Contract A v2.1.pdf", "Service Agreement", DEAL), file("contract_a_final.pdf", "Agreement", DEAL)),
        (file("Contract-A_v2_1.pdf", "Services", DEAL), file("Contract A 3.0.pdf", "Services", DEAL)),
        (file("合同A（最终版）.md", "服务合同", DEAL), file("合同A_2023年5月1日.md", "服务合同", DEAL)),
        (file("scan_0012.pdf", "Lease of Elm Street 5", DEAL), file("2021-05-05.pdf", "Lease of Elm Street 5", DEAL)),
        (file("refund.md", "", RULES), file("policy-2021-02-03.md", "Refund", RULES)),
    ],
)
def test_versions_of_one_document_are_known(one: Named, other: Named):
    assert are_versions(one, other)
    assert are_versions(other, one)


@pytest.mark.requirement("CLAUSES-VERSIONS")
@pytest.mark.parametrize(
    ("one", "other"),
    [
        (file("Contract A.pdf", "Service Agreement", DEAL), file("Contract B.pdf", "Service Agreement", DEAL)),
        (file("Contract A v1.pdf", "Service Agreement", DEAL), file("Contract B v2.pdf", "Service Agreement", DEAL)),
        (file("Contract 1.pdf", "Agreement", DEAL), file("Contract 2.pdf", "Agreement", DEAL)),
        (file("Contract 1.pdf", "Service Agreement", DEAL), file("Contract 2.pdf", "Service Agreement", DEAL)),
        (file("合同1.md", "服务合同", DEAL), file("合同2.md", "服务合同", DEAL)),
        (file("contract1.md", "Service Agreement", DEAL), file("contract2.md", "Service Agreement", DEAL)),
        (file("合同A.md", "服务合同", DEAL), file("合同B.md", "服务合同", DEAL)),
        (file("acme-privacy.md", "Privacy Policy", RULES), file("globex-privacy.md", "Privacy Policy", RULES)),
        (file("policy__v1.md", "Refund policy", RULES), file("policy__v2.md", "Privacy policy", RULES)),
        (file("养猫法.md", "养猫法", ACT), file("养猫法实施条例.md", "养猫法实施条例", ACT)),
        (file("Lease 2022.pdf", "Lease", DEAL), file("Lease 2023.pdf", "Lease", DEAL)),
        (file("scan1.pdf", "Agreement", DEAL), file("scan2.pdf", "Agreement", DEAL)),
        (file("Contract A.pdf", "Service Agreement", DEAL), file("Contract A Amendment.pdf", "Amendment", DEAL)),
    ],
)
def test_two_documents_are_never_versions_of_one_another(one: Named, other: Named):
    assert not are_versions(one, other)
    assert not are_versions(other, one)


@pytest.mark.requirement("CLAUSES-VERSIONS")
def test_a_name_that_the_user_gives_decides():
    given = named("Contract A", "Service Agreement", DEAL, given=True)
    assert are_versions(given, file("Contract A v2.pdf", "Anything", DEAL))
    assert not are_versions(given, file("Contract B.pdf", "Service Agreement", DEAL))


@pytest.mark.requirement("CLAUSES-VERSIONS")
@pytest.mark.parametrize(
    ("one", "expected"),
    [
        (file("Contract A v2.1.pdf", "Service Agreement", DEAL), "CONTRACT_A"),
        (file("合同A（最终版）.md", "服务合同", DEAL), "合同A"),
        (file("养猫法(2001-05-01).md", "中华人民共和国养猫法", ACT), "养猫法"),
        (file("refund__v001__2020-01-05__ab12cd34.md", "Refund policy", RULES), "REFUND_POLICY"),
        (file("v3.md", "", RULES), "POLICY"),
    ],
)
def test_a_handle_reads_as_the_document_is_called(one: Named, expected: str):
    assert handle(one) == expected


@pytest.mark.requirement("CLAUSES-VERSIONS")
@pytest.mark.parametrize(
    ("words", "label"),
    [
        ("Contract A v2.1", "v2.1"),
        ("policy__v018__2020-08-13__ab12", "v018"),
        ("Contract-A_v2_1", "v2.1"),
        ("采购合同 V1.2", "v1.2"),
        ("采购合同 第二版", "v2"),
        ("Version 3", "v3"),
        ("版本号：V2.0", "v2.0"),
        ("Contract A 2.1", "v2.1"),
        ("养猫法(2001-05-01)", ""),
        ("Contract A", ""),
    ],
)
def test_the_label_of_a_version_is_read(words: str, label: str):
    assert read_label(words) == label


def dated(text: str, name: str) -> Dated:
    lines = lines_of(text)
    first = min((text.find(mark) for mark in ("第一条", "1. ", "## ") if mark in text), default=len(text))
    return read_dates(text, lines, first, PurePath(name).stem)


HEAD = "# 养猫法\n\n2001年5月1日 市人民代表大会通过\n\n2011年6月2日 市人民代表大会修正\n\n"


@pytest.mark.requirement("CLAUSES-VERSIONS")
@pytest.mark.parametrize(
    ("name", "text", "day", "by"),
    [
        ("养猫法(2011-06-02).md", HEAD + "第一条　养猫。\n", date(2011, 6, 2), "name"),
        ("养猫法.md", HEAD + "第一条　养猫。\n", date(2011, 6, 2), "adoption"),
        # The commencement of the first version says nothing of the revised one ...
        ("养猫法(2011-06-02).md", HEAD + "第九条　本法自2001年7月1日起施行。\n", date(2011, 6, 2), "name"),
        # ... and a later one says it all; that of another rule says nothing.
        ("养猫法(2011-06-02).md", HEAD + "第九条　本法自2012年1月1日起施行。\n", date(2012, 1, 1), "commencement"),
        ("养猫法(2011-06-02).md", HEAD + "第九条　本市自2013年1月1日起施行的办法废止。\n", date(2011, 6, 2), "name"),
        ("养猫法(2011-06-02).md", HEAD + "第九条　本法自公布之日起施行。\n", date(2011, 6, 2), "name"),
        ("养狗法.md", "# 养狗法\n\n第一条　本法自二〇二一年三月一日起施行。\n", date(2021, 3, 1), "commencement"),
        ("refund.md", "# Refunds\n\n*Last updated: May 3, 2022*\n\n## One\n", date(2022, 5, 3), "heading"),
        # What was forgotten in an edit does not outweigh the name.
        ("refund__v2__2023-01-05.md", "# Refunds\n\nLast updated: May 3, 2022\n\n## One\n", date(2023, 1, 5), "name"),
        ("refund.md", "# Refunds\n\nLast updated: May DD, 2022\n\n## One\n", None, "added"),
        ("refund.md", "# Refunds\n\nEffective date: 1 June 2022\n\n## One\n", date(2022, 6, 1), "commencement"),
        ("terms20220503.md", "# Terms\n\n## One\n", date(2022, 5, 3), "name"),
        ("合同.md", "采购合同\n\n第一条　标的。\n\n签订日期：2023年5月1日\n", date(2023, 5, 1), "adoption"),
        (
            "deal.md",
            "# Deal\n\nThis Agreement is effective as of 1 March 2021.\n\n1. Work\n",
            date(2021, 3, 1),
            "commencement",
        ),
        (
            "合同.md",
            "合同\n\n第一条　本合同期限为固定期限，自2023年1月1日起至2025年12月31日止。\n",
            date(2023, 1, 1),
            "commencement",
        ),
        ("deal.md", "# Deal\n\n1. Work\n\nThe parties met on 1 March 2021.\n", None, "added"),
    ],
)
def test_the_day_from_which_a_version_holds_is_read_from_the_surest_place(
    name: str, text: str, day: date | None, by: str
):
    found = dated(text, name)
    assert (found.day, found.by) == (day, by)
