"""The chain of an answer as a tree: from the question to the quotations, with what was dropped and by which rule."""

from collections.abc import Sequence
from datetime import tzinfo

from rich.console import Group
from rich.text import Text
from rich.tree import Tree

from ..output import one_line, styled
from .parts import BAD, DOUBT, FAINT, GOOD, ID, Document, by_line, failures, joined, label, moment, plural, quotation

_VERDICTS = {"supported": ("✔", GOOD), "unsupported": ("✘", DOUBT), "contradicted": ("✘", BAD)}
_CHANNELS = ("exact", "clause", "lexical", "dense", "recent", "retriever")
_MODES = {"floor": "answered by rules, without a model", "model": "answered by a model, checked by rules"}
_RULES = {
    "identity": "about another order, contract or person",
    "validity": "not in force, said or known at the time asked about",
    "number": "another clause than the one asked for",
    "superseded": "it no longer holds",
    "conflict": "a version that contradicts it is preferred",
    "attribution": "from a document, and only what was said here can answer",
    "repeat": "it only says again what another result says",
    "relevance": "less to the point than what was kept",
}
_SETTLED = {"floor": "settled by rules", "model": "settled by a model's reading, checked by rules"}
_MOST_SHOWN = 10
_MOST_IDS = 12


def why_tree(trace: Document, zone: tzinfo) -> Tree:
    """Draw the trace of an answer (the document that ``why --json`` prints).

    Args:
        trace: question, queries, filter, results, dropped, evidence, claims, citations and the released text.
        zone: in which times are shown.
    """
    tree = Tree(_question(trace, zone), guide_style=FAINT)
    _add_errands(tree, trace)
    _add_queries(tree, trace)
    _add_failed(tree, trace)
    _add_kept(tree, trace, zone)
    _add_dropped(tree, trace)
    _add_chosen(tree, trace)
    _add_answer(tree, trace)
    _add_claims(tree, trace, zone)
    return tree


def _question(trace: Document, zone: tzinfo) -> Group:
    return Group(
        styled(one_line(str(trace["question"])), "bold"),
        joined(
            (str(trace["answer_id"]), ID),
            f"asked {moment(trace.get('asked_at'), zone)}" if trace.get("asked_at") else "",
            _MODES.get(str(trace.get("mode")), ""),
            plural(trace["model_calls"], "model call") if trace.get("model_calls") else "",
        ),
    )


def _add_errands(tree: Tree, trace: Document) -> None:
    """What the turn did to errands: what was proposed, what was settled by whom, and what the guard said."""
    errands = trace.get("intents")
    if not errands:
        return
    inquiry = errands.get("inquiry")
    note = f"asked about: {inquiry['kind']}" if inquiry else _SETTLED.get(str(errands.get("settled_by")), "")
    branch = tree.add(label("Errands", note=note))
    for name in ("proposed", "settled"):
        for outcome in errands.get(name, ()):
            branch.add(_errand(name, outcome))


def _errand(name: str, outcome: Document) -> Text:
    guard = outcome.get("guard")
    moved = f"{outcome['from_state']} → {outcome['to_state']}" if outcome["to_state"] else ""
    return joined(
        (f"{name}:", FAINT),
        (str(outcome["kind"]), DOUBT if outcome["kind"] in {"refused", "asked"} else GOOD),
        (str(outcome["entity"]), "bold"),
        moved.replace("_", " "),
        str(outcome.get("transition") or ""),
        f"“{outcome['quote']}”" if outcome.get("quote") else "",
        f"guard {guard['slot']} = {guard['value'] or 'unknown'}: {guard['holds']}" if guard else "",
        f"undoes steps {', '.join(map(str, outcome['steps']))}" if outcome.get("steps") else "",
    )


def _add_queries(tree: Tree, trace: Document) -> None:
    queries: Sequence[str] = trace.get("queries", ())
    if not queries:
        tree.add(label("Queries", 0, "nothing to recall"))
        return
    branch = tree.add(label("Queries", len(queries)))
    for query in queries:
        branch.add(styled(one_line(query)))
    restrictions = {name: value for name, value in trace.get("filter", {}).items() if name != "before_turn"}
    for name, value in restrictions.items():
        if name == "clauses":
            branch.add(_condition(value))
            continue
        shown = ", ".join(map(str, value)) if isinstance(value, list | tuple) else str(value)
        branch.add(joined((f"{name.replace('_', ' ')}:", FAINT), (shown, ""), separator=" "))


def _condition(clauses: Document) -> Text:
    """Which clauses were asked for: the documents, versions and numbers, or what stood against it."""
    return joined(
        ("clauses:", FAINT),
        (str(clauses["wants"]), "bold"),
        ", ".join(map(str, clauses.get("keys", ()))),
        " ".join(f"d{number}" for number in clauses.get("documents", ())),
        ", ".join(str(number.get("said") or number["number"]) for number in clauses.get("numbers", ())),
        ", ".join(str(version.get("said", "")) for version in clauses.get("versions", ())),
        str(clauses.get("category", "")).lower(),
        (str(clauses.get("trouble", "")).replace("_", " "), DOUBT),
    )


def _add_failed(tree: Tree, trace: Document) -> None:
    failed = failures(trace)
    if failed:
        branch = tree.add(label("Failed", len(failed), "the rest went on"))
        for leg in failed:
            branch.add(leg)


def _add_kept(tree: Tree, trace: Document, zone: tzinfo) -> None:
    results: Sequence[Document] = trace.get("results", ())
    branch = tree.add(label("Kept", len(results)))
    chosen = {sentence["turn_id"] for sentence in trace.get("evidence", ())}
    for result in results[:_MOST_SHOWN]:
        channels = " ".join(name for name in _CHANNELS if name in result.get("channels", {}))
        branch.add(
            Group(
                joined(
                    (str(result["id"]), ID),
                    ("chosen", GOOD) if result["turn_id"] in chosen else "",
                    (f"{result['score']:.3f}", "bold"),
                    channels,
                    _also(result),
                    str(result.get("speaker", "")),
                    moment(result.get("observed_at"), zone),
                ),
                _clipped(str(result["text"])),
            )
        )
    _add_rest(branch, len(results) - _MOST_SHOWN)


def _also(result: Document) -> str:
    return "" if result["id"] == result["turn_id"] else f"from {result['turn_id']}"


def _add_dropped(tree: Tree, trace: Document) -> None:
    dropped: Sequence[Document] = trace.get("dropped", ())
    branch = tree.add(label("Dropped", len(dropped), "" if dropped else "no rule objected"))
    by_rule: dict[str, list[str]] = {}
    for drop in dropped:
        by_rule.setdefault(str(drop["rule"]), []).append(str(drop["id"]))
    for rule, ids in by_rule.items():
        shown = styled(one_line(rule), DOUBT).append(f" ({len(ids)})  {_RULES.get(rule, '')}".rstrip(), style=FAINT)
        branch.add(Group(shown, _ids(ids)))


def _ids(ids: Sequence[str]) -> Text:
    shown = Text(" ").join(Text(one_line(known), style=ID) for known in ids[:_MOST_IDS])
    if len(ids) > _MOST_IDS:
        shown.append(f" and {len(ids) - _MOST_IDS} more", style=FAINT)
    return shown


def _add_chosen(tree: Tree, trace: Document) -> None:
    chosen: Sequence[Document] = trace.get("evidence", ())
    branch = tree.add(label("Sentences chosen", len(chosen)))
    for sentence in chosen:
        items = " ".join(map(str, sentence.get("items", ())))
        branch.add(Group(quotation(str(sentence["quote"])), joined((str(sentence["turn_id"]), ID), items)))


def _add_answer(tree: Tree, trace: Document) -> None:
    branch = tree.add(label("Answer", note="declined: nothing confirms it" if trace.get("abstained") else ""))
    branch.add(styled(str(trace["text"]).strip()))
    for prompt in trace.get("prompts", ()):
        branch.add(joined(f"{prompt['name']} v{prompt['version']}", str(prompt["sha256"])[:12]))


def _add_claims(tree: Tree, trace: Document, zone: tzinfo) -> None:
    claims: Sequence[Document] = trace.get("claims", ())
    citations: Sequence[Document] = trace.get("citations", ())
    branch = tree.add(label("Claims", len(claims), "" if claims else "the answer asserts nothing about the past"))
    shown: set[int] = set()
    for claim in claims:
        node = branch.add(_claim(claim))
        support = [index for index, cited in enumerate(citations) if _supports(cited, claim)]
        for index in support:
            node.add(by_line(citations[index], zone) if index in shown else _quoted(citations[index], zone))
        shown.update(support)
    _add_rest_quoted(tree, [cited for index, cited in enumerate(citations) if index not in shown], zone)


def _add_rest_quoted(tree: Tree, citations: Sequence[Document], zone: tzinfo) -> None:
    """What the answer quotes without a claim that rests on it."""
    if citations:
        branch = tree.add(label("Also quoted", len(citations)))
        for cited in citations:
            branch.add(_quoted(cited, zone))


def _claim(claim: Document) -> Text:
    mark, style = _VERDICTS.get(str(claim["verdict"]), ("?", DOUBT))
    verdict = (str(claim["verdict"]), style)
    return joined((mark, style), (str(claim["text"]), ""), verdict, str(claim.get("reason", "")), separator="  ")


def _supports(cited: Document, claim: Document) -> bool:
    return not {cited["turn_id"], cited["id"]}.isdisjoint(claim.get("evidence", ()))


def _quoted(cited: Document, zone: tzinfo) -> Group:
    return Group(quotation(str(cited["quote"])), by_line(cited, zone))


def _add_rest(branch: Tree, count: int) -> None:
    if count > 0:
        branch.add(Text(f"and {count} more (--json shows all)", style=FAINT))


def _clipped(text: str) -> Text:
    """A turn in one line: the quotations further down show what counts of it."""
    shown = styled(one_line(text))
    shown.no_wrap, shown.overflow = True, "ellipsis"
    return shown
