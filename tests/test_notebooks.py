"""Notebooks show the product: imports and calls only, stored without outputs, and they run from top to bottom."""

import ast
from tempfile import TemporaryDirectory

import nbformat
import pytest
from jupyter_client.manager import AsyncKernelManager
from nbclient import NotebookClient

from .source import ROOT

NOTEBOOKS = sorted((ROOT / "notebooks").glob("*.ipynb"))
LOGIC = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.For, ast.While, ast.If, ast.Try, ast.Lambda)


def code_cells(path):
    return [cell for cell in nbformat.read(path, as_version=4).cells if cell.cell_type == "code"]


def test_there_is_a_notebook():
    assert [path.name for path in NOTEBOOKS] == [
        "01_one_turn_step_by_step.ipynb",
        "02_a_turn_with_a_model.ipynb",
        "03_two_configurations.ipynb",
        "04_a_contract.ipynb",
        "05_an_order.ipynb",
        "06_rewind_and_run_again.ipynb",
    ]


@pytest.mark.requirement("NOTEBOOK-RUNS")
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.name)
def test_a_notebook_is_stored_without_outputs(path):
    assert [cell.source for cell in code_cells(path) if cell.outputs or cell.execution_count] == []


@pytest.mark.requirement("NOTEBOOK-RUNS")
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.name)
def test_a_notebook_holds_imports_and_calls_only(path):
    logic = [
        ast.unparse(node)
        for cell in code_cells(path)
        for node in ast.walk(ast.parse(cell.source))
        if isinstance(node, LOGIC)
    ]
    assert logic == []


@pytest.mark.requirement("NOTEBOOK-RUNS")
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.name)
def test_a_notebook_runs_from_top_to_bottom(path, tmp_path):
    notebook = nbformat.read(path, as_version=4)
    client = NotebookClient(notebook, timeout=120, resources={"metadata": {"path": str(tmp_path)}})
    # Pipes in a folder (its path must be short) instead of ports: the tests allow no network, not even within the machine.
    with TemporaryDirectory(prefix="k") as folder:
        client.km = AsyncKernelManager(transport="ipc", ip=f"{folder}/k", kernel_name="python3")
        client.execute()
    assert all(cell.execution_count for cell in notebook.cells if cell.cell_type == "code" and cell.source)
