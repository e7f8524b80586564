"""The chat of a shop's customer service: a FastAPI application of its own, with Veridical's graph inside.

The customer of a ticket is the user of the memory, the ticket is the session, and what a customer wants done with a
repair follows `intents/repairs.yaml`. What the workshop knows comes from `workshop.py`, another program, through the
Memory State Service on the same folder:

    veridical serve --data shop &
    CUSTOMER_SERVICE_DATA=shop uvicorn --factory app:create_app --port 8000 &
    WORKSHOP=$(veridical token create --data shop --user ann --terminal workshop)
    python workshop.py http://127.0.0.1:8080 "$WORKSHOP" 881 "waiting for a new pump"
    curl -s http://127.0.0.1:8000/customers/ann/tickets/1 -d '{"text": "What is repair #881 waiting for?"}' \
         -H 'Content-Type: application/json'
"""

import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing
from pathlib import Path

from fastapi import FastAPI
from pydantic import BaseModel

from veridical.graph import Context, Settings, build_graph, open_checkpointer, open_resources

INTENTS = Path(__file__).parent / "intents"


class Message(BaseModel):
    """What a customer writes."""

    text: str


class Reply(BaseModel):
    """What the customer reads, the words that it rests on, and what is to be done."""

    text: str
    abstained: bool
    evidence: list[str]
    todos: list[str]


def create_app(settings: Settings | None = None) -> FastAPI:
    """The application over a memory of its own; `CUSTOMER_SERVICE_DATA` names its folder."""
    folder = Path(os.environ.get("CUSTOMER_SERVICE_DATA", "shop"))
    chosen = settings or Settings(data_dir=folder, intents=INTENTS)

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        saver = open_checkpointer(chosen.data_dir)
        with closing(saver.conn), open_resources(chosen) as resources:
            app.state.graph = build_graph(resources, checkpointer=saver)
            yield

    app = FastAPI(title="Customer service", lifespan=lifespan)

    @app.post("/customers/{customer}/tickets/{ticket}")
    async def write(customer: str, ticket: str, message: Message) -> Reply:
        graph, session = app.state.graph, f"{customer}/{ticket}"
        context = Context(user_id=customer, session_id=session, terminal="customer-service")
        config = {"configurable": {"thread_id": session}}
        result = await graph.ainvoke({"messages": [("user", message.text)]}, config, context=context)
        answer, state = result["answer"], graph.resources.memory.state(customer)
        return Reply(
            text=answer.text,
            abstained=answer.abstained,
            evidence=[f"{cited.observed_at:%Y-%m-%d} {cited.speaker}: {cited.quote}" for cited in answer.citations],
            todos=[todo.text for todo in state.open_todos],
        )

    return app
