"""Writes the reference from what the code says of itself: docstrings, commands, routes, settings.

`make reference` writes the pages beside this file; a test compares them with what would be written.
"""

import inspect
import sys
import tempfile
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import click
import griffe
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from pydantic import BaseModel
from pydantic_core import PydanticUndefined
from typer.main import get_command

from veridical.cli.app import app
from veridical.graph import Settings, build_graph, open_resources
from veridical.service.app import create_app

FOLDER = Path(__file__).parent
MODULES = (
    "veridical",
    "veridical.graph",
    "veridical.integrations",
    "veridical.service.client",
    "veridical.memory.records",
)
TEMPLATES = Environment(  # noqa: S701 — the pages are Markdown
    loader=FileSystemLoader(FOLDER), undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
)


def pages() -> dict[str, str]:
    """The text of every page of the reference, by file name."""
    return {
        "python.md": render("python", modules=[documented_module(name) for name in MODULES]),
        "command-line.md": render("command-line", commands=list(commands(get_command(app), "veridical"))),
        "http.md": render("http", routes=list(routes(openapi()))),
        "settings.md": render("settings", settings=list(settings())),
    }


def render(name: str, **values: object) -> str:
    """A page from its template."""
    return TEMPLATES.get_template(f"{name}.md.jinja").render(**values).rstrip() + "\n"


def documented_module(name: str) -> dict[str, object]:
    """What a module offers: its public names that are defined in the product, each with what its docstring says."""
    module = import_module(name)
    public = [n for n in getattr(module, "__all__", vars(module)) if not n.startswith("_")]
    values = {n: getattr(module, n) for n in public}
    shown = {
        n: v
        for n, v in values.items()
        if (inspect.isclass(v) or inspect.isfunction(v))
        and v.__module__.startswith("veridical.")
        and (hasattr(module, "__all__") or v.__module__ == name)
    }
    return {
        "name": name,
        "about": sections(module)[0],
        "names": [documented_name(n, v) for n, v in sorted(shown.items())],
    }


def documented_name(name: str, value: object) -> dict[str, object]:
    """A class with its methods, or a function."""
    methods = []
    if inspect.isclass(value):
        methods = [
            documented_name(n, m)
            for n, m in vars(value).items()
            if not n.startswith("_")
            and (inspect.isfunction(m) or isinstance(m, property | classmethod))
            and inspect.getdoc(m)
        ]
    about, rest = sections(value)
    made = sections(value.__init__)[1] if inspect.isclass(value) and "__init__" in vars(value) else []
    return {"name": name, "signature": signature(value), "about": about, "sections": rest or made, "methods": methods}


def sections(value: object) -> tuple[str, list[griffe.DocstringSection]]:
    """The text of a docstring, and its further parts: arguments, what is returned, what is raised."""
    target = value.fget if isinstance(value, property) else value
    parsed = griffe.Docstring(inspect.getdoc(target) or "").parse(
        "google", returns_multiple_items=False, returns_named_value=False, warnings=False
    )
    texts = [part.value for part in parsed if part.kind is griffe.DocstringSectionKind.text]
    return "\n\n".join(texts), [part for part in parsed if part.kind is not griffe.DocstringSectionKind.text]


def signature(value: object) -> str:
    """How it is called; nothing for a property."""
    if isinstance(value, property) or (inspect.isclass(value) and issubclass(value, BaseModel)):
        return ""
    try:
        called = inspect.signature(getattr(value, "__func__", value))
    except ValueError:
        return "()"
    kept = [p.replace(annotation=p.empty) for n, p in called.parameters.items() if n not in {"self", "cls"}]
    return str(called.replace(parameters=kept, return_annotation=called.empty))


def commands(command: click.Command, path: str) -> Iterator[dict[str, object]]:
    """Every command with its arguments and options, depth first."""
    children = getattr(command, "commands", {})
    if not children:
        options = [o for o in command.params if o.name != "help"]
        yield {"path": path, "help": command.help, "params": [parameter(o) for o in options]}
    for name, child in sorted(children.items()):
        yield from commands(child, f"{path} {name}")


def parameter(param: click.Parameter) -> dict[str, str]:
    """An option or an argument: how it is written, and what its help says."""
    is_argument = isinstance(param, click.Argument)
    written = (
        param.make_metavar(click.Context(click.Command("any")))
        if is_argument
        else ", ".join(f"`{o}`" for o in param.opts)
    )
    return {"written": f"`{written}`" if is_argument else written, "help": getattr(param, "help", "") or ""}


def openapi() -> dict[str, Any]:
    """What the service says of its routes."""
    with (
        tempfile.TemporaryDirectory() as folder,
        open_resources(Settings(data_dir=Path(folder), embeddings="hashing:64")) as resources,
    ):
        return create_app(build_graph(resources)).openapi()


def routes(document: dict[str, Any]) -> Iterator[dict[str, object]]:
    """Every route of the service with what it says of itself."""
    for path, methods in sorted(document["paths"].items()):
        for method, operation in methods.items():
            yield {
                "method": method.upper(),
                "path": path,
                "summary": operation.get("summary", ""),
                "about": operation.get("description", ""),
                "parameters": operation.get("parameters", []),
            }


def settings() -> Iterator[dict[str, str]]:
    """Every setting with its variable, default and meaning."""
    for name, field in Settings.model_fields.items():
        default = "" if field.default is PydanticUndefined else str(field.default)
        yield {
            "name": name,
            "variable": f"VERIDICAL_{name.upper()}",
            "default": default,
            "about": field.description or "",
        }


if __name__ == "__main__":
    for file, text in pages().items():
        (FOLDER / file).write_text(text, encoding="utf-8")
        sys.stdout.write(f"docs/reference/{file}\n")
