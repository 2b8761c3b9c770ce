"""The keyed hash equals the standard library's."""

import hmac

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from railbird_engine.kernel.mac import mac


@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])  # on a busy machine
@given(
    key=st.binary(max_size=200), messages=st.lists(st.binary(max_size=200), min_size=1, max_size=3)
)
def test_it_is_hmac_sha256_for_every_key_however_often_it_is_used(
    key: bytes, messages: list[bytes]
) -> None:
    for message in messages:
        assert mac(key, message) == hmac.digest(key, message, "sha256")
