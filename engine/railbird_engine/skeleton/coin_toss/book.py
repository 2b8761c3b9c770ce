"""The texts that clients may show to anybody."""

from railbird_engine import Book, Call, Text

BOOK = Book(
    names={
        "side": {
            "heads": Text(en="heads", fr="face"),
            "tails": Text(en="tails", fr="pile"),
        },
    },
    calls=(
        Call(
            key="bet_placed",
            event="bet_placed",
            en="{seat} bets {stake}.",
            fr="{seat} mise {stake}.",
        ),
        Call(key="coin_tossed", event="coin_tossed", en="It is {side}!", fr="C'est {side} !"),
    ),
)
