"""The rules of the house: layers, sizes, documentation, and what may not occur (CONTRIBUTING.md gives the reasons)."""

import ast
import json
import os
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator

import pytest
from radon.complexity import cc_visit

from .source import ROOT, Module, product, product_folders, suite, text_files

RANK = {"prompts": 0, "memory": 1, "intents": 2, "nodes": 3, "graph": 4, "service": 5, "evals": 5, "cli": 6}
RANK |= {"integrations": 5}
# The outermost handlers: where an error becomes one sentence, and of the thread that waits for a provider's library.
BROAD_HANDLERS_ALLOWED = {
    "cli/border.py": {"BorderGroup"},
    "memory/models/client.py": {"Model"},
    "service/chat_routes.py": {"Turns"},
    "memory/knowledge/retriever.py": {"_asked"},
    "memory/retrieval/embedders.py": {"LangChainEmbedder"},
}
NODES = {"perceive", "route", "rewrite", "retrieve", "calibrate", "compress", "answer", "record", "summarize", "store"}
# The settings, the command that says where each setting comes from, and the language of the terminal.
ENVIRONMENT_READERS = {"graph/settings.py", "cli/commands/config.py", "cli/wording.py"}
HEAVY = {"chromadb", "langchain", "langchain_chroma", "langchain_openai", "langgraph", "numpy", "openai", "sqlalchemy"}
HEAVY |= {"statemachine"}
REGISTRIES = [
    "py" + "pi.org",
    "python" + "hosted.org",
    "npm" + "js.",
    "ana" + "conda.",
    "crates" + ".io",
    "ghcr" + ".io",
]

Function = ast.FunctionDef | ast.AsyncFunctionDef


def percentile(values: list[int], share: float) -> int:
    """The smallest value that at least `share` of the values do not exceed."""
    ordered = sorted(values)
    return ordered[max(0, -int(-share * len(ordered) // 1) - 1)] if ordered else 0


def functions(module: Module) -> Iterator[Function]:
    """Every function and method of a module, nested ones too."""
    return (node for node in ast.walk(module.tree) if isinstance(node, Function))


def length(function: Function) -> int:
    """Lines of a function without decorators and docstring."""
    lines = (function.end_lineno or function.lineno) - function.lineno + 1
    if ast.get_docstring(function, clean=False) is not None:
        lines -= (function.body[0].end_lineno or 0) - function.body[0].lineno + 1
    return lines


def public(module: Module) -> Iterator[tuple[str, ast.ClassDef | Function]]:
    """Every public class, function and method, with its dotted name; what is inside a function is private."""

    def visit(body: list[ast.stmt], prefix: str) -> Iterator[tuple[str, ast.ClassDef | Function]]:
        for node in body:
            if isinstance(node, ast.ClassDef | Function) and not node.name.startswith("_"):
                yield f"{prefix}.{node.name}", node
                if isinstance(node, ast.ClassDef):
                    yield from visit(node.body, f"{prefix}.{node.name}")

    return visit(module.tree.body, module.where)


def is_overload(node: ast.ClassDef | Function) -> bool:
    """Whether a definition only declares types of another."""
    return any(ast.unparse(decorator).endswith("overload") for decorator in node.decorator_list)


def unannotated(function: Function) -> list[str]:
    """Parameters without annotation, and `return`."""
    arguments = function.args
    positional = [*arguments.posonlyargs, *arguments.args]
    if positional and positional[0].arg in {"self", "cls"}:
        positional = positional[1:]
    rest = [*arguments.kwonlyargs, *(a for a in (arguments.vararg, arguments.kwarg) if a)]
    missing = [a.arg for a in [*positional, *rest] if a.annotation is None]
    return missing if function.returns is not None else [*missing, "return"]


def handlers(module: Module) -> Iterator[tuple[str, ast.ExceptHandler]]:
    """Every exception handler, with the name of the outermost function that it is in."""
    for statement in module.tree.body:
        name = getattr(statement, "name", "")
        yield from ((name, node) for node in ast.walk(statement) if isinstance(node, ast.ExceptHandler))


def is_broad(handler: ast.ExceptHandler) -> bool:
    """Whether a handler catches everything and may keep it."""
    caught = ast.unparse(handler.type) if handler.type else "BaseException"
    passes_on = isinstance(handler.body[-1], ast.Raise) and handler.body[-1].exc is None
    return bool(re.search(r"\b(Base)?Exception\b", caught)) and not passes_on


@pytest.mark.requirement("LAYERS")
def test_imports_follow_the_layers():
    wrong = []
    for module in product():
        for name in module.imports():
            target = name.lstrip(".").partition(".")[0]
            if not name.startswith(".") or target in {module.layer, "__version__"}:
                continue
            if target not in RANK or RANK[target] >= RANK.get(module.layer, 99):
                wrong.append(f"{module.where} imports {name}")
    assert wrong == []


@pytest.mark.requirement("LAYERS")
def test_no_node_imports_another():
    wrong = [
        f"{module.where} imports {name}"
        for module in product()
        if module.layer == "nodes" and module.path.stem != "__init__"
        for name in module.imports()
        if name.startswith(".nodes.") and name.split(".")[2] in NODES - {module.path.stem}
    ]
    assert wrong == []


@pytest.mark.requirement("LAYERS")
def test_every_node_is_one_public_synchronous_function_in_a_module_of_its_own():
    public_names = {
        module.path.stem: [node.name for _, node in public(module) if isinstance(node, Function)]
        for module in product()
        if module.layer == "nodes" and module.path.stem in NODES
    }
    assert public_names == {name: [name] for name in NODES}
    assert [
        m.where for m in product() if m.layer == "nodes" for f in functions(m) if isinstance(f, ast.AsyncFunctionDef)
    ] == []


@pytest.mark.requirement("LAYERS")
def test_only_the_settings_read_the_environment():
    reads = re.compile(r"\bos\.(environ|getenv)\b|\bfrom os import .*(environ|getenv)")
    readers = {m.where for m in product() if reads.search(m.path.read_text(encoding="utf-8"))}
    assert readers - ENVIRONMENT_READERS == set()


@pytest.mark.requirement("LAYERS")
def test_product_folders_import_each_other_relatively():
    top_level = {"veridical", *product_folders()}
    wrong = [
        f"{module.where} imports {name}"
        for module in product()
        if module.layer and "migrations" not in module.name  # Alembic loads those by their path, outside of any package
        for name in module.imports()
        if name.partition(".")[0] in top_level
    ]
    assert wrong == []


@pytest.mark.requirement("LAYERS")
def test_tests_import_the_package_by_its_name():
    wrong = [
        f"{module.where} imports {name}"
        for module in suite()
        for name in module.imports()
        # A host that has packages of these names imports its own.
        if name.partition(".")[0] in product_folders() and not module.where.startswith("tests/host/")
    ]
    assert wrong == []


@pytest.mark.requirement("HOUSE-GATES")
def test_no_file_is_longer_than_400_lines():
    lines = {m.where: len(m.path.read_text(encoding="utf-8").splitlines()) for m in (*product(), *suite())}
    assert {where: n for where, n in lines.items() if n > 400} == {}


@pytest.mark.requirement("HOUSE-GATES")
def test_functions_are_short():
    lengths = {f"{m.where}:{f.lineno} {f.name}": length(f) for m in product() for f in functions(m)}
    assert {where: n for where, n in lengths.items() if n > 80} == {}
    limit = percentile(list(lengths.values()), 0.95)
    assert limit <= 40, sorted(lengths.items(), key=lambda entry: -entry[1])[:20]


@pytest.mark.requirement("HOUSE-GATES")
def test_functions_are_simple():
    complexity = {
        f"{m.where}:{block.lineno} {block.name}": block.complexity
        for m in product()
        for block in cc_visit(m.path.read_text(encoding="utf-8"))
        if block.letter in "FM"
    }
    worst = sorted(complexity.items(), key=lambda entry: -entry[1])
    assert percentile(list(complexity.values()), 0.95) <= 9, worst[: len(worst) // 20]


@pytest.mark.requirement("HOUSE-GATES")
def test_everything_public_is_documented():
    undocumented = [m.where for m in product() if m.tree.body and not ast.get_docstring(m.tree)]
    undocumented += [
        name for m in product() for name, node in public(m) if not ast.get_docstring(node) and not is_overload(node)
    ]
    assert [name for name in undocumented if "/migrations/versions/" not in name] == []


@pytest.mark.requirement("HOUSE-GATES")
def test_everything_public_is_annotated():
    missing = {
        name: unannotated(node)
        for m in product()
        for name, node in public(m)
        if isinstance(node, Function) and unannotated(node)
    }
    assert missing == {}


@pytest.mark.requirement("HOUSE-GATES")
def test_broad_handlers_stand_only_at_named_borders():
    found = [(m, name, handler) for m in product() for name, handler in handlers(m)]
    broad = [(m.where, name) for m, name, handler in found if is_broad(handler)]
    assert [entry for entry in broad if entry[1] not in BROAD_HANDLERS_ALLOWED.get(entry[0], ())] == []
    assert len(broad) <= 0.05 * max(len(found), 20)


@pytest.mark.requirement("HOUSE-GATES")
def test_annotations_stay_objects():
    wrong = [m.where for m in (*product(), *suite()) if "__future__" in m.imports()]
    assert wrong == []


@pytest.mark.requirement("HOUSE-GATES")
def test_no_module_is_named_for_nothing():
    names = Counter(m.path.stem for m in product())
    assert names.keys() & {"utils", "util", "helpers", "common", "misc"} == set()


@pytest.mark.requirement("HOUSE-GATES")
def test_no_test_sleeps():
    sleeps = [
        f"{m.where}:{node.lineno}"
        for m in suite()
        for node in ast.walk(m.tree)
        if isinstance(node, ast.Call) and ast.unparse(node.func).rpartition(".")[2] == "sleep"
    ]
    assert sleeps == []


@pytest.mark.requirement("LOCK-PORTABLE")
def test_no_file_names_a_package_registry():
    wrong = [(path, host) for path, text in text_files() for host in REGISTRIES if host in text]
    assert wrong == []


@pytest.mark.requirement("LOCK-PORTABLE")
@pytest.mark.parametrize("name", ["requirements.lock", "requirements-server.lock"])
def test_every_dependency_is_pinned_with_hashes(name):
    lock = (ROOT / name).read_text(encoding="utf-8")
    entries = [entry for entry in re.split(r"\n(?=\S)", lock.strip()) if not entry.startswith("#")]
    assert "://" not in lock
    assert [entry.split()[0] for entry in entries if "==" not in entry or "--hash=sha256:" not in entry] == []


@pytest.mark.requirement("NOTHING-AT-IMPORT")
def test_importing_every_module_does_no_work(tmp_path):
    names = [f"veridical.{m.name}" for m in product() if m.layer and "migrations" not in m.name]
    names = [name for name in names if not name.endswith("__main__")]
    code = (
        "import importlib, json, sys, threading\n"
        "opened = []\n"
        "sys.addaudithook(lambda event, args: opened.append(event) if event in ('socket.connect', 'sqlite3.connect',"
        " 'subprocess.Popen') else None)\n"
        f"for name in {names!r}: importlib.import_module(name)\n"
        "print(json.dumps({'opened': opened, 'threads': threading.active_count()}))\n"
    )
    environment = {"PATH": os.environ["PATH"], "HOME": str(tmp_path)}
    run = subprocess.run(
        [sys.executable, "-W", "error", "-c", code],
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stderr
    assert json.loads(run.stdout) == {"opened": [], "threads": 1}
    assert list(tmp_path.iterdir()) == []


@pytest.mark.requirement("STARTUP-LAZY")
def test_the_command_line_starts_without_the_heavy_libraries():
    code = f"import sys, veridical.cli.app; print([name for name in {sorted(HEAVY)!r} if name in sys.modules])"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "[]"
