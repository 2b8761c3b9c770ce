"""The keyed hash equals the standard library's."""

import hmac
import random

from railbird_engine.kernel.mac import mac


def test_it_is_hmac_sha256_for_every_key_however_often_it_is_used() -> None:
    chance = random.Random(7)
    for length in range(200):  # some keys are longer than a block of the hash
        key = chance.randbytes(length)
        for message in (b"", key, chance.randbytes(chance.randrange(200))):
            assert mac(key, message) == hmac.digest(key, message, "sha256")
