"""Bets, their settlements and the corrections of these."""

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models import Index, Q
from django.db.models.functions import Now

from games.models.games import Game


class Bet(models.Model):
    """A bet as placed. Its number is unique in its game.

    The result is its Settlement, and a Correction if there is one. `drawn` counts the draws of the
    game up to the bet's commit: later draws decide the bet.
    """

    # Columns of eight bytes come first: the others then need no padding.
    pk = models.CompositePrimaryKey("game_id", "number")
    at = models.DateTimeField(db_default=Now())
    stake = models.BigIntegerField()
    drawn = models.BigIntegerField()
    game = models.ForeignKey(
        Game, on_delete=models.PROTECT, related_name="bets", db_index=False, db_constraint=False
    )
    number = models.IntegerField()
    version = models.IntegerField()
    seat = models.SmallIntegerField()
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        null=True,
        on_delete=models.PROTECT,
        related_name="bets",
        db_index=False,
        db_constraint=False,
    )
    # An index in this collation also finds prefixes.
    spot = models.CharField(max_length=80, db_collation="C")
    odds = models.CharField(max_length=80)

    class Meta:
        indexes: ClassVar = [
            Index(fields=["user", "-at"], name="bet_of_user", condition=Q(user__isnull=False)),
            Index(fields=["-at"], name="bet_by_time"),
            Index(fields=["stake"], name="bet_by_stake"),
            Index(fields=["spot", "-at"], name="bet_by_spot"),
        ]


class OfBet(models.Model):
    """A row about a bet, under the bet's primary key, so that there is at most one.

    `placed_at` repeats the time of the bet, so that an index finds the newest bet of an outcome.
    """

    pk = models.CompositePrimaryKey("game_id", "number")
    game = models.ForeignKey(
        Game,
        on_delete=models.PROTECT,
        related_name="%(class)ss",
        db_index=False,
        db_constraint=False,
    )
    number = models.IntegerField()
    bet = models.ForeignObject(
        Bet,
        on_delete=models.DO_NOTHING,
        from_fields=("game", "number"),
        to_fields=("game", "number"),
        related_name="%(class)ss",
    )
    version = models.IntegerField()
    payout = models.BigIntegerField()
    placed_at = models.DateTimeField()
    at = models.DateTimeField(db_default=Now())

    class Meta:
        abstract = True


class Settlement(OfBet):
    """The result of a bet. A bet is settled once. `drawn` counts draws as in Bet."""

    class Outcome(models.TextChoices):
        WON = "won"
        LOST = "lost"
        VOID = "void"

    outcome = models.CharField(max_length=4, choices=Outcome)
    drawn = models.BigIntegerField()

    class Meta:
        indexes: ClassVar = [Index(fields=["outcome", "-placed_at"], name="settlement_by_outcome")]


class Correction(OfBet):
    """A bet voided after its settlement. `payout` is paid in addition to the settlement's."""

    class Meta:
        indexes: ClassVar = [Index(fields=["-placed_at"], name="correction_by_time")]
