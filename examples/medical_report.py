"""A medical report that the phone registers is answered on the web, with its source and its date.

Start a service and make two tokens, then run it:

    veridical serve &
    PHONE=$(veridical token create --user ann --terminal phone)
    WEB=$(veridical token create --user ann --terminal web)
    python examples/medical_report.py http://127.0.0.1:8080 "$PHONE" "$WEB"
"""

import json
import sys

import httpx
from httpx_sse import connect_sse

from veridical.service.client import MemoryClient

REPORT = {
    "metadata": {"patient_id": "p-7", "report_date": "2026-02-20", "source_hash": "5f0c"},
    "state": {"glucose": {"value": 12.3, "unit": "mmol/L"}, "blood_pressure": {"value": "158/96", "unit": "mmHg"}},
}


def ask(url: str, token: str, question: str) -> None:
    """Ask the agent, and print each sentence as it is verified, with the evidence below it."""
    headers = {"Authorization": f"Bearer {token}"}
    with (
        httpx.Client(base_url=url, headers=headers, timeout=60) as http,
        connect_sse(http, "POST", "/v1/chat", json={"message": question}) as stream,
    ):
        print(f"> {question}")
        for event in stream.iter_sse():
            part = json.loads(event.data)
            if event.event == "sentence":
                print(part["text"])
                for cited in part["citations"]:
                    print(
                        f"    {cited['observed_at'][:10]} · {cited['speaker']} · {cited['source']} · “{cited['quote']}”"
                    )


def main(url: str, phone_token: str, web_token: str) -> None:
    """Register on the phone, see it on the web, ask there, change it, and ask again."""
    with (
        MemoryClient(url, token=phone_token, source="mobile_app") as phone,
        MemoryClient(url, token=web_token, source="web_app") as web,
    ):
        phone.wait_until_aligned()
        web.wait_until_aligned()
        handle = phone.register("medical_report", **REPORT)
        web.wait_until(lambda replica: handle in replica.handles)
        print(f"The web holds {handle}: {web.state(handle)['glucose']}")
        ask(url, web_token, "我上次体检的血糖是多少")
        ask(url, web_token, "What was my blood pressure at the last check-up?")
        phone.update(handle, {"glucose": {"value": 11.9}})
        web.wait_until(lambda replica: replica.handles[handle]["version"] == 2)
        ask(url, web_token, "What is my blood sugar?")


if __name__ == "__main__":
    main(*sys.argv[1:])
