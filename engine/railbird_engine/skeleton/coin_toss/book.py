"""The texts that clients may show to anybody."""

from railbird_engine import Book, Call, Text

BOOK = Book(
    names={
        "side": {
            "heads": Text(en="heads", fr="face"),
            "tails": Text(en="tails", fr="pile"),
        },
        "outcome": {
            "won": Text(en="won", fr="gagné"),
            "lost": Text(en="lost", fr="perdu"),
        },
    },
    calls=(
        Call(
            key="bet_placed",
            event="bet_placed",
            en="{seat} bets {stake}.",
            fr="{seat} mise {stake}.",
        ),
        Call(
            key="round_passed",
            event="round_passed",
            en="{seat} does not bet.",
            fr="{seat} ne mise pas.",
        ),
        Call(key="coin_tossed", event="coin_tossed", en="It is {side}!", fr="C’est {side} !"),
        Call(
            key="bet_settled",
            event="bet_settled",
            en="{seat} gets {payout}.",
            fr="{seat} reçoit {payout}.",
        ),
    ),
)
