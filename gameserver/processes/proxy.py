"""The configuration of a proxy that sends all requests and sockets of a game to one web process.

Any process can serve any game: the head in the database decides. But a process that has served a
game has it in memory, and two processes that write to one game lose races to each other.
"""

from collections.abc import Sequence
from typing import Final

BY_TABLE: Final = """\
request_header -X-Table
@table path_regexp table ^/(?:api|ws)/v1/(?:games|lobbies)/([0-9a-f-]{36})
request_header @table X-Table {re.table.1}"""
"""Names the game or lobby of a request in a header, which a client cannot set."""


def caddyfile(upstreams: Sequence[str], address: str = ":8080") -> str:
    """Return the configuration of Caddy in front of web processes at these addresses."""
    return f"""\
{address} {{
	route {{
{_indented(BY_TABLE, 2)}
		reverse_proxy {" ".join(upstreams)} {{
			lb_policy header X-Table
			lb_try_duration 10s
			fail_duration 5s
			header_up X-Request-ID {{http.request.uuid}}
			@late status 408
			handle_response @late {{
				header Connection close
				copy_response
			}}
		}}
	}}
}}"""


def _indented(text: str, depth: int) -> str:
    return "\n".join("\t" * depth + line for line in text.splitlines())
