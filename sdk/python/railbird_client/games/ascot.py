"""Generated from schema/openapi.yaml by `python -m sdk.generate`: do not edit."""

from __future__ import annotations

from typing import Literal, TypeAlias

from msgspec import Struct, field

from railbird_client.types import GameTypes


class Accept(Struct, kw_only=True, tag_field="type", tag="accept"):
    """Accept an offer."""

    offer: int


class AcceptPlaceBet(Struct, kw_only=True, tag_field="type", tag="accept_place_bet"):
    """Accept a place bet (Bookmaker only); both stakes go to escrow."""

    contract: int


class AdvantagesGained(Struct, kw_only=True, tag_field="type", tag="advantages_gained"):
    """A horse won Advantages."""

    horse: int
    cards: int
    only: list[int] | None = None


class ApplyReport(Struct, kw_only=True, tag_field="type", tag="apply_report"):
    """Choose the horse to which the report applies."""

    horse: int


class Arrival(Struct, kw_only=True):
    """A horse that passed the post, and the Disadvantages that its owner held then."""

    horse: int
    disadvantages: int


class AscotOptions(Struct, kw_only=True):
    """
    `banker` and `dealer` are seats: the Banker gets a tenth of the Bank, and the exchange starts
    at the Dealer's left.

    `victory`: the owner of the first horse wins (`race`), or the richest player after the prizes
    (`money`, ruling A42). `tote_no_winner`: if nobody backed the winner, the pot goes to the
    Bookmaker or is kept for the next game (ruling A43), which receives it as `carried_in`. With
    `literal_tote`, a factor of 0 pays nothing; otherwise it returns the stakes (ruling A41). With
    `manual_objection`, players must object to horses whose owner kept Disadvantages; otherwise such
    horses are disqualified at the post (ruling A36). `place_bets` allows place bets with the
    Bookmaker (ruling A22). With `private_cash`, players see only their own cash.

    Times are in seconds; 0 means no limit. `bid_s` is the time after the last bid in the auction,
    `sale_s` limits each step of any other sale, `trade_s` the preliminaries, `bet_s` the bets on a
    runner, `hazard_s` the purchase of a report. The others limit a decision in their phase.

    `bots` is the strength of the bots.
    """

    banker: int = 0
    dealer: int = 0
    victory: str = "race"
    tote_no_winner: str = "bookmaker"
    carried_in: int = 0
    literal_tote: bool = False
    manual_objection: bool = False
    place_bets: bool = False
    private_cash: bool = False
    nomination_s: int = 30
    exchange_s: int = 30
    discard_s: int = 60
    bid_s: int = 15
    training_s: int = 30
    sale_s: int = 60
    trade_s: int = 180
    favourite_s: int = 30
    bet_s: int = 30
    race_s: int = 45
    hazard_s: int = 30
    bots: str = "casual"


class Assign(Struct, kw_only=True, tag_field="type", tag="assign"):
    """Choose the horse that uses the throw: the Favourite or the next in order."""

    horse: int


class AuctioneerNamed(Struct, kw_only=True, tag_field="type", tag="auctioneer_named"):
    """A seat is the Auctioneer, because it was dealt the card or because the players agreed."""

    seat: int
    was_dealt: bool
    only: list[int] | None = None


class BetPlaced(Struct, kw_only=True, tag_field="type", tag="bet_placed"):
    """A seat placed a bet. `bet` numbers the bets of a game from 1; `odds` are as shown."""

    bet: int
    seat: int
    spot: str
    stake: int
    odds: str
    only: list[int] | None = None


class BetRefrained(Struct, kw_only=True, tag_field="type", tag="bet_refrained"):
    """A seat does not bet on the called runner."""

    seat: int
    horse: int
    only: list[int] | None = None


class BetSettled(Struct, kw_only=True, tag_field="type", tag="bet_settled"):
    """
    A bet was settled. `seat` and `spot` repeat its `bet_placed`.

    `payout` is what the settlement moved: above zero to the seat, below zero from it.
    """

    bet: int
    seat: int
    spot: str
    outcome: str
    payout: int
    only: list[int] | None = None


class BetVoided(Struct, kw_only=True, tag_field="type", tag="bet_voided"):
    """A bet was voided; `payout` is what went back to the seat."""

    bet: int
    payout: int
    reason: str
    only: list[int] | None = None


class Bid(Struct, kw_only=True, tag_field="type", tag="bid"):
    """Bid for the asset on sale."""

    asset: str
    amount: int


class BidMade(Struct, kw_only=True, tag_field="type", tag="bid_made"):
    """A seat bid."""

    seat: int
    asset: str
    amount: int
    only: list[int] | None = None


class BidderLeft(Struct, kw_only=True, tag_field="type", tag="bidder_left"):
    """A seat left the bidding."""

    seat: int
    asset: str
    only: list[int] | None = None


class Call(Struct, kw_only=True):
    """
    A sentence for events of type `event` whose fields have one of the values in `where`.

    `where` lists allowed values by field; an absent field may have any value. `key` is stable, for
    clients with words or sounds of their own.

    Braces hold a field of the event, or a path of fields with dots. Clients replace them: a text by
    its words in the language, a seat by the name of the player (`seat_fields` of the book lists the
    fields that hold seats), a value by its name in the book's `names` (by field), a list by its
    items with commas (an empty one by a dash), and anything else by itself. Lists of the fields in
    `by_seat` have an item for each seat: clients put the name of the player before it.
    """

    en: str
    fr: str
    key: str
    event: str
    where: dict[str, list[bool | int | str | None]] = field(default_factory=dict)


class CardExchanged(Struct, kw_only=True, tag_field="type", tag="card_exchanged"):
    """A seat threw a card under the dead pile and took its top card."""

    seat: int
    only: list[int] | None = None


class CardTaken(Struct, kw_only=True, tag_field="type", tag="card_taken"):
    """The card that a seat took in the exchange."""

    seat: int
    card: str
    only: list[int] | None = None


class ChooseColour(Struct, kw_only=True, tag_field="type", tag="choose_colour"):
    """Choose how to use the colour of the square."""

    choice: Literal[
        "advantage_for_rows", "advantage_to_drop", "drop_disadvantage", "extra_rows", "nothing"
    ]


class ClubJoined(Struct, kw_only=True, tag_field="type", tag="club_joined"):
    """A seat took a member card."""

    seat: int
    only: list[int] | None = None


class ClubOffered(Struct, kw_only=True, tag_field="type", tag="club_offered"):
    """A seat may join the Club for this fee."""

    seat: int
    fee: int
    only: list[int] | None = None


class ColourUsed(Struct, kw_only=True, tag_field="type", tag="colour_used"):
    """An owner chose how to use the square that the horse reached."""

    horse: int
    choice: str
    only: list[int] | None = None


class Confirm(Struct, kw_only=True, tag_field="type", tag="confirm"):
    """Raise no objection to the order of arrival."""


class Contract(Struct, kw_only=True):
    """A place bet between a seat and the Bookmaker, proposed or agreed."""

    contract: int
    seat: int
    horse: int
    stake: int
    payout: int
    is_agreed: bool = False


class ContractAnswered(Struct, kw_only=True, tag_field="type", tag="contract_answered"):
    """
    The Bookmaker agreed to a place bet of a seat or turned it down.

    If agreed, the seat's stake and the rest of the payout, from the Bookmaker, are in escrow.
    """

    contract: int
    seat: int
    bookmaker: int
    is_agreed: bool
    stake: int
    payout: int
    only: list[int] | None = None


class ContractProposed(Struct, kw_only=True, tag_field="type", tag="contract_proposed"):
    """A seat proposed a place bet to the Bookmaker."""

    contract: int
    seat: int
    horse: int
    stake: int
    payout: int
    only: list[int] | None = None


class ContractSettled(Struct, kw_only=True, tag_field="type", tag="contract_settled"):
    """A place bet was won or lost; `paid` went from escrow to `seat`."""

    contract: int
    seat: int
    is_won: bool
    paid: int
    only: list[int] | None = None


class DebtClosed(Struct, kw_only=True, tag_field="type", tag="debt_closed"):
    """
    A forced sale ended: the creditor gets `paid`, the rest is `cancelled`.

    An entry is collected like all others (`horse_entered`), or its horse is scratched. If the horse
    was sold (`horse_sold`), its entry is due from the buyer instead.
    """

    seat: int
    how: str
    paid: int
    cancelled: int
    only: list[int] | None = None


class DebtOpened(Struct, kw_only=True, tag_field="type", tag="debt_opened"):
    """A seat cannot pay a seat, or the Bank (null), and must sell until it can."""

    seat: int
    payee: int | None
    office: str | None
    amount: int
    reason: str
    only: list[int] | None = None


class DebtView(Struct, kw_only=True):
    """A forced sale: the seat that must sell, the sum, the assets that it can offer."""

    seat: int
    amount: int
    reason: str
    for_sale: list[str]


class Decline(Struct, kw_only=True, tag_field="type", tag="decline"):
    """Turn an offer down."""

    offer: int


class DeclineClub(Struct, kw_only=True, tag_field="type", tag="decline_club"):
    """Do not join the Club now."""


class DeclinePlaceBet(Struct, kw_only=True, tag_field="type", tag="decline_place_bet"):
    """Turn a place bet down (Bookmaker only)."""

    contract: int


class DeclineReport(Struct, kw_only=True, tag_field="type", tag="decline_report"):
    """Let the hazard happen."""


class DisadvantagesCleared(Struct, kw_only=True, tag_field="type", tag="disadvantages_cleared"):
    """A horse got rid of Disadvantages."""

    horse: int
    cards: int
    only: list[int] | None = None


class DisadvantagesGained(Struct, kw_only=True, tag_field="type", tag="disadvantages_gained"):
    """A horse got Disadvantages."""

    horse: int
    cards: int
    only: list[int] | None = None


class Discard(Struct, kw_only=True, tag_field="type", tag="discard"):
    """Throw any number of cards into the dead pile; you keep and pay for the rest."""

    cards: list[str]


class DiscardsMade(Struct, kw_only=True, tag_field="type", tag="discards_made"):
    """All seats have discarded; `cards` counts the cards that go to auction."""

    cards: int
    only: list[int] | None = None


class Enter(Struct, kw_only=True, tag_field="type", tag="enter"):
    """Choose the horses that run if you own too many: as many as you may run."""

    horses: list[int]


class EntryChosen(Struct, kw_only=True, tag_field="type", tag="entry_chosen"):
    """A seat chose the horses that it runs."""

    seat: int
    horses: list[int]
    only: list[int] | None = None


class Exchange(Struct, kw_only=True, tag_field="type", tag="exchange"):
    """Throw one card under the dead pile and take its top card."""

    card: str


class FavouriteNamed(Struct, kw_only=True, tag_field="type", tag="favourite_named"):
    """A seat named its Favourite, or none."""

    seat: int
    horse: int | None
    only: list[int] | None = None


class FortunesPublished(Struct, kw_only=True, tag_field="type", tag="fortunes_published"):
    """The money of each seat at the end."""

    fortunes: list[int]
    only: list[int] | None = None


class FrostMet(Struct, kw_only=True, tag_field="type", tag="frost_met"):
    """A horse reached the frost; `is_held`: it will miss its next move."""

    horse: int
    is_held: bool
    only: list[int] | None = None


class GameOpened(Struct, kw_only=True, tag_field="type", tag="game_opened"):
    """The game began; `edition` is the hash of its printed content."""

    edition: str
    banker: int
    dealer: int
    only: list[int] | None = None


class HandDealt(Struct, kw_only=True, tag_field="type", tag="hand_dealt"):
    """A seat was dealt these lease cards."""

    seat: int
    cards: list[str]
    only: list[int] | None = None


class HandShown(Struct, kw_only=True, tag_field="type", tag="hand_shown"):
    """A seat showed the cards that it kept; `price` is what it owes for them."""

    seat: int
    cards: list[str]
    price: int
    only: list[int] | None = None


class HazardMet(Struct, kw_only=True, tag_field="type", tag="hazard_met"):
    """A horse met a hazard; this report averts it."""

    horse: int
    report: str
    only: list[int] | None = None


class Horse(Struct, kw_only=True):
    """
    A horse with an owner; row 0 is the start line of the race.

    `progress` counts its points in the training, `square` is its square on the loop, or null in its
    box and after the training.
    """

    owner: int
    fate: str = "training"
    progress: int = 0
    square: int | None = None
    advantages: int = 0
    disadvantages: int = 0
    is_frozen: bool = False
    row: int = 0
    lane: int = 0
    is_down: bool = False
    is_waiting: bool = False


class HorseAssigned(Struct, kw_only=True, tag_field="type", tag="horse_assigned"):
    """A player who lacked horses was assigned one at half its printed price."""

    horse: int
    seller: int
    buyer: int
    price: int
    only: list[int] | None = None


class HorseColour(Struct, kw_only=True):
    """
    A colour of horses: its letter on the race field and the stable that trains it.

    `advantages` counts its cards in the box, `extra_rows` what a horse gains on its own colour.
    """

    colour: str
    letter: str
    stable: str
    advantages: int
    extra_rows: int


class HorseDisqualified(Struct, kw_only=True, tag_field="type", tag="horse_disqualified"):
    """A horse that passed the post does not count."""

    horse: int
    only: list[int] | None = None


class HorseEliminated(Struct, kw_only=True, tag_field="type", tag="horse_eliminated"):
    """A horse left the game in training, with its small cards."""

    horse: int
    only: list[int] | None = None


class HorseEntered(Struct, kw_only=True, tag_field="type", tag="horse_entered"):
    """A horse will run; its owner paid the entry to the Bank."""

    horse: int
    seat: int
    fee: int
    only: list[int] | None = None


class HorseFell(Struct, kw_only=True, tag_field="type", tag="horse_fell"):
    """A horse fell; it waits for a 6."""

    horse: int
    only: list[int] | None = None


class HorseHeld(Struct, kw_only=True, tag_field="type", tag="horse_held"):
    """A horse missed its move because of frost."""

    horse: int
    only: list[int] | None = None


class HorseLease(Struct, kw_only=True):
    """The lease card of a horse."""

    number: int
    colour: str
    price: int
    en: str
    fr: str


class HorseLost(Struct, kw_only=True, tag_field="type", tag="horse_lost"):
    """A horse is out of the race."""

    horse: int
    only: list[int] | None = None


PathItem: TypeAlias = tuple[int, int]


class HorseMoved(Struct, kw_only=True, tag_field="type", tag="horse_moved"):
    """A horse ran along a path of (row, lane); `jostled`: it was stopped short."""

    horse: int
    path: list[PathItem]
    why: str
    only: list[int] | None = None


class HorsePassed(Struct, kw_only=True, tag_field="type", tag="horse_passed"):
    """A horse passed the post; its owner still held `disadvantages`."""

    horse: int
    disadvantages: int
    only: list[int] | None = None


class HorseScratched(Struct, kw_only=True, tag_field="type", tag="horse_scratched"):
    """A horse will not run; its small cards leave the game with it."""

    horse: int
    only: list[int] | None = None


class HorseTrained(Struct, kw_only=True, tag_field="type", tag="horse_trained"):
    """A horse advanced to a square of the loop; `square` is null once it is home in its box."""

    horse: int
    square: int | None
    only: list[int] | None = None


class HorseWaits(Struct, kw_only=True, tag_field="type", tag="horse_waits"):
    """A horse has no throw next turn."""

    horse: int
    only: list[int] | None = None


class Inscription(Struct, kw_only=True):
    """
    The inscription of a white square of the race field.

    An advance must end in a lane from `lane_from` to `lane_to`, if any. `report` averts the hazard.
    """

    code: str
    effect: str
    en: str
    fr: str
    rows: int = 0
    lane_from: int | None = None
    lane_to: int | None = None
    report: str | None = None


class InscriptionObeyed(Struct, kw_only=True, tag_field="type", tag="inscription_obeyed"):
    """A horse met an inscription; `has_effect` is false when it could not be followed."""

    horse: int
    code: str
    has_effect: bool
    only: list[int] | None = None


class Intervened(Struct, kw_only=True, tag_field="type", tag="intervened"):
    """
    An operator or the server intervened in this game, for this reason.

    `by` is the operator's opaque id; null for the server itself.
    """

    by: str | None
    reason: str
    only: list[int] | None = None


class JoinClub(Struct, kw_only=True, tag_field="type", tag="join_club"):
    """Pay the fee and take a member card."""


class LotOpened(Struct, kw_only=True, tag_field="type", tag="lot_opened"):
    """An asset is on sale; `seller` is null if it comes from the dead pile."""

    asset: str
    seller: int | None
    only: list[int] | None = None


class LotSold(Struct, kw_only=True, tag_field="type", tag="lot_sold"):
    """An asset went to the highest bidder. The commission goes to the Auctioneer."""

    asset: str
    seller: int | None
    buyer: int
    price: int
    commission: int
    only: list[int] | None = None


class LotUnsold(Struct, kw_only=True, tag_field="type", tag="lot_unsold"):
    """Nobody bid for an asset."""

    asset: str
    only: list[int] | None = None


class LotView(Struct, kw_only=True):
    """The asset on sale. `open_to` may still bid, `least` is the lowest bid that counts."""

    asset: str
    seller: int | None
    open_to: list[int]
    bidder: int | None
    price: int
    least: int


class MoneyPaid(Struct, kw_only=True, tag_field="type", tag="money_paid"):
    """
    A seat or the Bank (null) paid what it owed to a seat or to the Bank.

    Fees and payments of an `office` go to its holder or come from it.
    """

    payer: int | None
    payee: int | None
    office: str | None
    amount: int
    reason: str
    only: list[int] | None = None


class Move(Struct, kw_only=True, tag_field="type", tag="move"):
    """Run to the end square in this lane."""

    lane: int


class NameFavourite(Struct, kw_only=True, tag_field="type", tag="name_favourite"):
    """Name one of your runners your Favourite, or none."""

    horse: int | None


class NoBet(Struct, kw_only=True, tag_field="type", tag="no_bet"):
    """Do not bet on the runner that is called."""

    horse: int


class Nominate(Struct, kw_only=True, tag_field="type", tag="nominate"):
    """Vote for an Auctioneer, if nobody was dealt the card."""

    candidate: int


class Nominated(Struct, kw_only=True, tag_field="type", tag="nominated"):
    """A seat voted for an Auctioneer."""

    seat: int
    candidate: int
    only: list[int] | None = None


class NotReady(Struct, kw_only=True, tag_field="type", tag="not_ready"):
    """Trade again, as long as not every seat is ready."""


class Object(Struct, kw_only=True, tag_field="type", tag="object"):
    """Object to a horse whose owner kept Disadvantages (option `manual_objection`)."""

    horse: int


class ObjectionsAwaited(Struct, kw_only=True, tag_field="type", tag="objections_awaited"):
    """Before the arrival is confirmed, players may object."""

    horses: list[int]
    only: list[int] | None = None


class Offer(Struct, kw_only=True, tag_field="type", tag="offer"):
    """
    Offer a private deal to one seat, or to every seat (`to` null).

    You give `gives` and pay `pays`; you get `takes` and `asks`.
    """

    to: int | None
    gives: list[str] = field(default_factory=list)
    takes: list[str] = field(default_factory=list)
    pays: int = 0
    asks: int = 0


class OfferAccepted(Struct, kw_only=True, tag_field="type", tag="offer_accepted"):
    """A seat accepted an offer; goods and money have changed hands."""

    offer: int
    seat: int
    only: list[int] | None = None


class OfferClosed(Struct, kw_only=True, tag_field="type", tag="offer_closed"):
    """An offer can no longer be accepted."""

    offer: int
    why: str
    only: list[int] | None = None


class OfferDeclined(Struct, kw_only=True, tag_field="type", tag="offer_declined"):
    """A seat turned an offer down."""

    offer: int
    seat: int
    only: list[int] | None = None


class OfficeLease(Struct, kw_only=True):
    """The lease card of an office."""

    office: str
    price: int
    en: str
    fr: str


class OpenOffer(Struct, kw_only=True):
    """
    A private deal that can be accepted. `seat` gives `gives` and `pays` for `takes` and `asks`.

    `to` null: the first seat that accepts gets it. `declined` are the seats that turned it down.
    """

    number: int
    seat: int
    to: int | None
    gives: list[str]
    takes: list[str]
    pays: int
    asks: int
    declined: list[int] = field(default_factory=list)


End: TypeAlias = tuple[int, int]


class Outlook(Struct, kw_only=True):
    """The effect of the throw on a horse that uses it, and the squares where it may stop."""

    use: str
    ends: list[End] = field(default_factory=list)


class OwnView(Struct, kw_only=True):
    """
    The viewer's secrets: the cards in hand and the price `reserved` for them, the highest
    possible bid, the discards, and the offers and changes of mind that are left in this phase.
    """

    seat: int
    hand: list[str]
    reserved: int
    bid_limit: int
    discards: list[str] | None
    changes_left: int


class Pass(Struct, kw_only=True, tag_field="type", tag="pass"):
    """Leave the bidding for this asset."""

    asset: str


class Place(Struct, kw_only=True):
    """A place on a grid; column 0 and row 0 are at the top left."""

    column: int
    row: int


class PlaceBet(Struct, kw_only=True, tag_field="type", tag="place_bet"):
    """Buy a ticket on the runner that is called."""

    horse: int
    stake: int


class PlayerView(Struct, kw_only=True):
    """
    A player. The option `private_cash` hides `cash` (null). `hand` counts hidden cards.

    `share` is the number of horses that the player runs, from the preliminaries on. `advantages`
    and `disadvantages` are the player's common hand in the race.
    """

    cash: int | None
    hand: int
    is_member: bool
    reports: list[str]
    favourite: int | None
    share: int
    advantages: dict[str, int]
    disadvantages: int


class PreliminariesOpened(Struct, kw_only=True, tag_field="type", tag="preliminaries_opened"):
    """The training is over; `runners_each` is the number of horses that each player runs."""

    runners_each: int
    only: list[int] | None = None


class PrizePaid(Struct, kw_only=True, tag_field="type", tag="prize_paid"):
    """A prize went to the owner of a placed horse."""

    seat: int
    place: int
    amount: int
    only: list[int] | None = None


class ProposePlaceBet(Struct, kw_only=True, tag_field="type", tag="propose_place_bet"):
    """
    Propose a place bet to the Bookmaker: the horse comes in among the first three.

    You stake `stake`; `payout` is what you get if you win, your stake included.
    """

    horse: int
    stake: int
    payout: int


class PutUp(Struct, kw_only=True, tag_field="type", tag="put_up"):
    """Offer an asset to the other players in a forced sale."""

    asset: str


class RaceEnded(Struct, kw_only=True, tag_field="type", tag="race_ended"):
    """The order of arrival is final: the first three, best first."""

    placed: list[int]
    only: list[int] | None = None


class RaceThrown(Struct, kw_only=True, tag_field="type", tag="race_thrown"):
    """A seat threw the die of the race."""

    seat: int
    die: int
    only: list[int] | None = None


Way: TypeAlias = tuple[int, int]


class RaceView(Struct, kw_only=True):
    """
    The race: the seat to play, its horse, and the choices that it has now.

    In the step `assign`, `outlooks` has what the throw would do for each assignable horse. In the
    step `move`, `ways` maps each lane that may be chosen to the squares on the way there.
    """

    seat: int
    step: str
    die: int
    horse: int
    left: list[int]
    assignable: list[int]
    outlooks: dict[str, Outlook]
    ways: dict[str, list[Way]]
    choices: list[str]
    has_used_colour: bool
    has_used_inscription: bool
    hazard: str | None
    arrivals: list[Arrival]


class Ready(Struct, kw_only=True, tag_field="type", tag="ready"):
    """End your trading; the race is prepared when every seat is ready."""


class ReadyChanged(Struct, kw_only=True, tag_field="type", tag="ready_changed"):
    """A seat ended its trading, or trades again."""

    seat: int
    is_ready: bool
    only: list[int] | None = None


class Report(Struct, kw_only=True):
    """A report card; `copies` of it are in the pack. Both stables have the same trainer's pack."""

    pack: str
    code: str
    copies: int
    effect: str
    en: str
    fr: str
    amount: int = 0
    keeps: str | None = None


class ReportKept(Struct, kw_only=True, tag_field="type", tag="report_kept"):
    """A seat kept a report for the race."""

    seat: int
    report: str
    only: list[int] | None = None


class ReportTaken(Struct, kw_only=True, tag_field="type", tag="report_taken"):
    """A seat took a report; everybody reads it."""

    seat: int
    pack: str
    card: str
    only: list[int] | None = None


class ReportUsed(Struct, kw_only=True, tag_field="type", tag="report_used"):
    """A report averted a hazard."""

    seat: int
    horse: int
    report: str
    only: list[int] | None = None


class RunnerCalled(Struct, kw_only=True, tag_field="type", tag="runner_called"):
    """A runner is called, and bets on it are awaited."""

    horse: int
    favourite_of: int | None
    only: list[int] | None = None


class Square(Struct, kw_only=True):
    """
    A square of the training loop. `header` names the office to deal with.

    `stable` in the header is the stable of the horse that stands there. `amount` is in francs for
    payments and in cards for Advantages and Disadvantages.
    """

    number: int
    effect: str
    en: str
    fr: str
    header: str | None = None
    amount: int = 0


class StartThrown(Struct, kw_only=True, tag_field="type", tag="start_thrown"):
    """A seat threw for the start."""

    seat: int
    die: int
    only: list[int] | None = None


class StarterFound(Struct, kw_only=True, tag_field="type", tag="starter_found"):
    """The seat with the highest throw starts the race."""

    seat: int
    only: list[int] | None = None


class Strangled(Struct, kw_only=True, tag_field="type", tag="strangled"):
    """A seat's horses have strangles: its turn ends and it misses its next throw."""

    seat: int
    only: list[int] | None = None


class TakeReport(Struct, kw_only=True, tag_field="type", tag="take_report"):
    """Take a report before the throw (members of the Club only)."""

    pack: Literal["stevens", "veterinary", "walroy"]


Note: TypeAlias = tuple[int, int]


class Tariff(Struct, kw_only=True):
    """
    The fixed numbers. `notes` are the bank notes that each player starts with: count and value.

    Money is in francs. `disadvantages` and `member_cards` count cards in the box.
    """

    notes: list[Note]
    smallest_note: int
    commission_percent: int
    entry_fee: int
    member_cards: int
    disadvantages: int
    tickets_per_horse: int
    runners_max: int
    runners_max_of_two: int


class Text(Struct, kw_only=True):
    """A text for players, in English and French."""

    en: str
    fr: str


class Throw(Struct, kw_only=True, tag_field="type", tag="throw"):
    """
    Throw the dice of the training without taking a report (members of the Club only).

    The server throws for seats that have no choice.
    """


class ThrowAssigned(Struct, kw_only=True, tag_field="type", tag="throw_assigned"):
    """A horse uses the throw."""

    horse: int
    die: int
    only: list[int] | None = None


class ThrowWasted(Struct, kw_only=True, tag_field="type", tag="throw_wasted"):
    """A throw moved nothing: too high for the post, or the horse is down or just freed."""

    horse: int
    why: str
    only: list[int] | None = None


class Ticket(Struct, kw_only=True):
    """A ticket of the totalisator; a voided one has no stake."""

    bet: int
    seat: int
    horse: int
    stake: int


class TotalisatorPaid(Struct, kw_only=True, tag_field="type", tag="totalisator_paid"):
    """
    The totalisator was paid out: `factor` times the stake for each ticket on the winner.

    `factor` is `total` less the `commission`, divided by `backed`, the stakes on the winner, and
    rounded down. `how`: tickets are paid, get their `stakes_back` or `nothing` because the factor
    would be 0, or nobody backed the winner (`unbacked`: `factor` is 0). `rest` is what the tickets
    leave, the commission included; it went to the `bookmaker` (null: out of the game).
    """

    total: int
    commission: int
    backed: int
    factor: int
    how: str
    bookmaker: int | None
    rest: int
    only: list[int] | None = None


class TrainingThrown(Struct, kw_only=True, tag_field="type", tag="training_thrown"):
    """The dice of a turn in training."""

    seat: int
    dice: tuple[int, int]
    only: list[int] | None = None


Dice: TypeAlias = tuple[int, int]


class TrainingView(Struct, kw_only=True):
    """The turn in training. `card` of `pack` is a report whose horse the seat must choose."""

    seat: int
    step: str
    dice: Dice | None
    queue: list[int]
    has_drawn: bool
    pack: str | None
    card: str | None
    fee: int


class TurnSkipped(Struct, kw_only=True, tag_field="type", tag="turn_skipped"):
    """A seat missed its throw because of strangles."""

    seat: int
    only: list[int] | None = None


class UseReport(Struct, kw_only=True, tag_field="type", tag="use_report"):
    """Avert the hazard with a report."""


class Withdraw(Struct, kw_only=True, tag_field="type", tag="withdraw"):
    """Withdraw your own offer."""

    offer: int


Command: TypeAlias = (
    Nominate
    | Exchange
    | Discard
    | Bid
    | Pass
    | PutUp
    | TakeReport
    | ApplyReport
    | Throw
    | JoinClub
    | DeclineClub
    | Offer
    | Accept
    | Decline
    | Withdraw
    | Enter
    | Ready
    | NotReady
    | NameFavourite
    | PlaceBet
    | NoBet
    | ProposePlaceBet
    | AcceptPlaceBet
    | DeclinePlaceBet
    | Assign
    | Move
    | ChooseColour
    | UseReport
    | DeclineReport
    | Object
    | Confirm
)


Options: TypeAlias = AscotOptions


class AscotView(Struct, kw_only=True):
    """
    The game as a seat or a spectator sees it. `awaited` are the seats that must decide.

    At the end `placed` are the first three horses, `prizes` their prizes, `banker_fee` the Banker's
    tenth, and `tote` the division of the totalisator. A seat's cash is then what it had after the
    race, with the place bets, and its prizes, this fee, its stakes on the first horse times
    `tote.factor`, and as `tote.bookmaker` the `tote.rest`.
    """

    edition: str
    options: AscotOptions
    phase: str
    awaited: list[int]
    answered: list[int]
    players: list[PlayerView]
    own: OwnView | None
    pile: int
    prize_fund: int
    totalisator: int
    horses: dict[str, Horse]
    offices: dict[str, int]
    lot: LotView | None
    debt: DebtView | None
    training: TrainingView | None
    offers: list[OpenOffer]
    strangled: list[int]
    runners_each: int
    entries: dict[str, list[int]]
    called: int | None
    tickets: list[Ticket]
    contracts: list[Contract] | None
    race: RaceView | None
    placed: list[int]
    prizes: list[int]
    banker_fee: int
    tote: TotalisatorPaid | None


class Loop(Struct, kw_only=True):
    """
    A grid of `columns` by `rows`: a place for each square, in number order.

    `boxes` are the places of the boxes, each of them 4 columns by 2 rows.
    """

    columns: int
    rows: int
    squares: list[Place]
    boxes: dict[str, Place]


class OfferMade(Struct, kw_only=True, tag_field="type", tag="offer_made"):
    """A private deal was proposed: a sale, a purchase, or goods for goods."""

    kind: str
    details: OpenOffer
    only: list[int] | None = None


class Passage(Struct, kw_only=True):
    """A titled text of a guide."""

    title: Text
    text: Text


class SeatColour(Struct, kw_only=True):
    """The colour of a seat's pieces; `hex` is the colour as CSS writes it."""

    name: Text
    hex: str


Event: TypeAlias = (
    BetPlaced
    | BetSettled
    | GameOpened
    | HandDealt
    | Nominated
    | AuctioneerNamed
    | CardExchanged
    | CardTaken
    | DiscardsMade
    | LotOpened
    | BidMade
    | BidderLeft
    | LotSold
    | LotUnsold
    | HandShown
    | DebtOpened
    | DebtClosed
    | TrainingThrown
    | HorseTrained
    | HorseHeld
    | FrostMet
    | ReportTaken
    | ReportKept
    | AdvantagesGained
    | DisadvantagesGained
    | DisadvantagesCleared
    | Strangled
    | TurnSkipped
    | HorseEliminated
    | ClubOffered
    | ClubJoined
    | MoneyPaid
    | PreliminariesOpened
    | OfferMade
    | OfferAccepted
    | OfferDeclined
    | OfferClosed
    | EntryChosen
    | ReadyChanged
    | HorseAssigned
    | HorseEntered
    | HorseScratched
    | FavouriteNamed
    | RunnerCalled
    | BetRefrained
    | ContractProposed
    | ContractAnswered
    | ContractSettled
    | StartThrown
    | StarterFound
    | RaceThrown
    | ThrowAssigned
    | ThrowWasted
    | HorseMoved
    | ColourUsed
    | InscriptionObeyed
    | HazardMet
    | ReportUsed
    | HorseFell
    | HorseLost
    | HorseWaits
    | HorsePassed
    | HorseDisqualified
    | ObjectionsAwaited
    | RaceEnded
    | PrizePaid
    | TotalisatorPaid
    | FortunesPublished
    | BetVoided
    | Intervened
)


View: TypeAlias = AscotView


class Guide(Struct, kw_only=True):
    """
    Texts for a person who has never played this game.

    `summary` is one sentence, `minutes` a usual game with people, `weight` goes from 1 (light) to
    5 (heavy), and `liked_by` says who likes the game. `cards` are five passages to read in a minute
    before the first decision. `rules` are all rules, and `terms` explain symbols, cards and words
    where they are met; their keys are stable.
    """

    summary: Text
    minutes: int
    weight: int
    liked_by: Text
    cards: list[Passage]
    rules: list[Passage]
    terms: dict[str, Passage]


class AscotBook(Struct, kw_only=True):
    """
    The cards and boards of L'Ascot. Prices are in francs.

    `squares` are the training loop. A horse that trained `progress` points stands on square
    `(gates[stable] + progress - 1) % 60 + 1`, and is home after a whole lap.

    `field[row - 1][lane - 1]` is a square of the race field: the `letter` of a colour or the `code`
    of an inscription. Lane 1 is the inner one. `start_lanes` are the starting lanes of the horses,
    in number order. A step onto a row from `bend_first` to `bend_last` may not change lanes.

    `loop` is the layout of the training loop. `screen_colours` has a screen colour for each colour
    of a horse, for the `header` of each square of the loop (`free`: none), and for `white` squares.
    """

    colours: list[HorseColour]
    horses: list[HorseLease]
    offices: list[OfficeLease]
    squares: list[Square]
    gates: dict[str, int]
    reports: list[Report]
    field_: list[list[str]] = field(name="field")
    inscriptions: list[Inscription]
    start_lanes: list[int]
    bend_first: int
    bend_last: int
    tariff: Tariff
    loop: Loop
    screen_colours: dict[str, str]
    names: dict[str, dict[str, Text]] = field(default_factory=dict)
    calls: list[Call] = field(default_factory=list)
    seat_fields: list[str] = field(default_factory=lambda: ["seat"])
    by_seat: list[str] = field(default_factory=list)
    refusals: dict[str, Text] = field(default_factory=dict)
    seat_colours: list[SeatColour] = field(default_factory=list)
    guide: Guide | None = None


Book: TypeAlias = AscotBook

TYPES: GameTypes[Command, Event, View] = GameTypes("ascot", command=Command, event=Event, view=View)
"""The types of this game, for `Client.table`."""
