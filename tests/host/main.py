"""An application with packages of the same names as ours, which takes the memory into its graph. Prints JSON."""

import json
import sys
from pathlib import Path

import graph
import memory
import nodes
import prompts
import veridical
from veridical.graph import Settings, build_graph, open_resources


def main(data_dir: str) -> None:
    """Tell and ask in one thread."""
    thread = {"configurable": {"thread_id": "t"}}
    context = graph.Tenancy(user_id="ann", tenant="north")
    with open_resources(Settings(data_dir=Path(data_dir), embeddings="hashing:64")) as resources:
        app = graph.build(build_graph(resources))
        for text in (prompts.GREETING, prompts.QUESTION):
            result = app.invoke({"messages": [("user", text)]}, thread, context=context)
        logged = [turn.text for turn in resources.memory.opening("ann", "t", 10)]
    told = {
        "said": result["messages"][-1].text,
        "kept": memory.KEPT,
        "logged": logged,
        "from": veridical.__file__,
        "own": [module.__file__ for module in (graph, nodes, memory, prompts)],
    }
    sys.stdout.write(json.dumps(told))


if __name__ == "__main__":
    main(sys.argv[1])
