"""Check whether the web process of this container responds: exit code 0 or 1.

For health checks in images without curl: python -m gameserver.processes.health [port]
"""

import sys
from urllib.error import URLError
from urllib.request import Request, urlopen


def main() -> None:
    port = (sys.argv[1:] or ["8000"])[0]
    try:
        with urlopen(Request(f"http://127.0.0.1:{port}/api/v1/health/live/"), timeout=4) as answer:
            sys.exit(0 if answer.status == 200 else 1)
    except (URLError, TimeoutError) as error:
        sys.exit(f"no response: {error}")


if __name__ == "__main__":
    main()
