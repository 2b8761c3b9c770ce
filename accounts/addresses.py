"""E-mail addresses: the one form in which an address is stored, counted, hashed and mailed."""

import unicodedata
from typing import Final

from django.core.exceptions import ValidationError
from django.core.validators import validate_email

LENGTH_MAX: Final = 254


def canonical(text: str) -> str:
    """Return the one form of an address: lower case, ASCII, and the host as DNS knows it.

    Mail goes to this form, so that nobody types one mailbox and reaches another. Raises ValueError
    for anything but `name@host`: display names, brackets, quoted names, IP addresses.
    """
    name, _, host = unicodedata.normalize("NFKC", text).rpartition("@")
    found = f"{name}@{host.encode('idna').decode()}".lower()
    if len(found) > LENGTH_MAX or set('"[') & set(found):
        raise ValueError("not an e-mail address")
    try:
        validate_email(found)
    except ValidationError:
        raise ValueError("not an e-mail address") from None
    return found


def mailbox_of(address: str) -> str:
    """Return the mailbox that an address reaches: `name+tag@host` is `name@host`."""
    name, _, host = address.rpartition("@")
    return f"{name.partition('+')[0]}@{host}"
