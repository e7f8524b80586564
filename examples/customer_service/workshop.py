"""The workshop's side: it tells the memory of a customer how far a repair is.

WORKSHOP=$(veridical token create --data shop --user ann --terminal workshop)
python workshop.py http://127.0.0.1:8080 "$WORKSHOP" 881 "waiting for a new pump"
"""

import sys

from veridical.service.client import MemoryClient


def main(url: str, token: str, repair: str, *news: str) -> None:
    """Register the repair with the first piece of news, and change it with each further one."""
    with MemoryClient(url, token=token, source="workshop") as workshop:
        workshop.wait_until_aligned()
        first, *others = news
        handle = workshop.register(f"repair #{repair}", state={"status": first})
        workshop.wait_until(lambda replica: handle in replica.handles)
        for version, status in enumerate(others, 2):
            workshop.update(handle, {"status": status})
            workshop.wait_until(lambda replica, held=version: replica.handles[handle]["version"] == held)
        print(f"repair {repair}: {workshop.state(handle)['status']}")


if __name__ == "__main__":
    main(*sys.argv[1:])
