"""The shipped configuration of nginx, prepared for a machine of a test."""

from getpass import getuser
from pathlib import Path
from typing import Final

from gameserver.management.commands.deploy_files import FILES
from tests.certificates import certified

MAIN: Final = """
user {user}; pid pid; daemon off; error_log stderr; events {{}}
http {{
    access_log off;
    client_body_temp_path body; proxy_temp_path proxied; fastcgi_temp_path fastcgi;
    uwsgi_temp_path uwsgi; scgi_temp_path scgi;
{site}
}}
"""


def configuration(folder: Path, **changes: str) -> Path:
    """Write a main file around the shipped one, with a certificate of its own. Return its path."""
    certificate = str(certified(folder))
    site = (FILES / "nginx" / "railbird.conf").read_text()
    for word, ours in {
        "/etc/ssl/games.example.org.pem": certificate,
        "/etc/ssl/games.example.org.key": certificate,
        **changes,
    }.items():
        assert word in site
        site = site.replace(word, ours)
    file = folder / "nginx.conf"
    file.write_text(MAIN.format(site=site, user=getuser()))
    return file
