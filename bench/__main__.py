"""The load generator: read an experiment from stdin, run it, and write the results to stdout."""

import os
import sys

import django
import msgspec


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "gameserver.settings.base")
    django.setup()
    from bench.histories import Histories  # noqa: PLC0415
    from bench.idle import Idle  # noqa: PLC0415 -- models need Django set up
    from bench.limits import Limits  # noqa: PLC0415
    from bench.live import Live  # noqa: PLC0415
    from bench.moves import Moves  # noqa: PLC0415
    from bench.races import Races  # noqa: PLC0415
    from bench.slow import Slow  # noqa: PLC0415
    from bench.soak import Soak  # noqa: PLC0415
    from bench.spread import Spread  # noqa: PLC0415
    from bench.subscriptions import Subscriptions  # noqa: PLC0415

    known = Moves | Spread | Histories | Races | Idle | Limits | Live | Slow | Soak | Subscriptions
    experiment = msgspec.json.decode(sys.stdin.buffer.read(), type=known)
    sys.stdout.buffer.write(msgspec.json.encode(experiment.run()))


if __name__ == "__main__":
    main()
