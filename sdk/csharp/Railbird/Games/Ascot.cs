// Generated from schema/openapi.yaml by `python -m sdk.generate`: do not edit.
using System;
using System.Collections.Generic;

namespace Railbird.Games.Ascot
{
    public interface ICommand
    {
    }

    public interface IEvent
    {
    }

    /// <summary>A value of a kind that this client does not know.</summary>
    public sealed class Unknown : ICommand, IEvent
    {
        public string Type;
        public Dictionary<string, object> Fields;
    }

    /// <summary>Accept an offer.</summary>
    public sealed class Accept : Value, ICommand
    {
        public const string Type = "accept";
        public long Offer;

        public override Dictionary<string, object> ToJson()
        {
            var json = new Dictionary<string, object>();
            json["type"] = Type;
            json["offer"] = Offer;
            return json;
        }
    }

    /// <summary>Accept a place bet (Bookmaker only); both stakes go to escrow.</summary>
    public sealed class AcceptPlaceBet : Value, ICommand
    {
        public const string Type = "accept_place_bet";
        public long Contract;

        public override Dictionary<string, object> ToJson()
        {
            var json = new Dictionary<string, object>();
            json["type"] = Type;
            json["contract"] = Contract;
            return json;
        }
    }

    /// <summary>A horse won Advantages.</summary>
    public sealed class AdvantagesGained : IEvent
    {
        public const string Type = "advantages_gained";
        public List<long> Only;
        public long Horse;
        public long Cards;
    }

    /// <summary>Choose the horse to which the report applies.</summary>
    public sealed class ApplyReport : Value, ICommand
    {
        public const string Type = "apply_report";
        public long Horse;

        public override Dictionary<string, object> ToJson()
        {
            var json = new Dictionary<string, object>();
            json["type"] = Type;
            json["horse"] = Horse;
            return json;
        }
    }

    /// <summary>A horse that passed the post, and the Disadvantages that its owner held then.</summary>
    public sealed class Arrival
    {
        public long Horse;
        public long Disadvantages;
    }

    /// <summary>
    /// The cards and boards of L'Ascot. Prices are in francs.
    ///
    /// `squares` are the training loop. A horse that trained `progress` points stands on square
    /// `(gates[stable] + progress - 1) % 60 + 1`, and is home after a whole lap.
    ///
    /// `field[row - 1][lane - 1]` is a square of the race field: the `letter` of a colour or the `code`
    /// of an inscription. Lane 1 is the inner one. `start_lanes` are the starting lanes of the horses,
    /// in number order. A step onto a row from `bend_first` to `bend_last` may not change lanes.
    ///
    /// `loop` is the layout of the training loop. `screen_colours` has a screen colour for each colour
    /// of a horse, for the `header` of each square of the loop (`free`: none), and for `white` squares.
    /// </summary>
    public sealed class AscotBook
    {
        public Dictionary<string, Dictionary<string, Text>> Names;
        public List<Call> Calls;
        public List<string> SeatFields;
        public Dictionary<string, Text> Refusals;
        public List<SeatColour> SeatColours;
        public List<HorseColour> Colours;
        public List<HorseLease> Horses;
        public List<OfficeLease> Offices;
        public List<Square> Squares;
        public Dictionary<string, long> Gates;
        public List<Report> Reports;
        public List<List<string>> Field;
        public List<Inscription> Inscriptions;
        public List<long> StartLanes;
        public long BendFirst;
        public long BendLast;
        public Tariff Tariff;
        public Loop Loop;
        public Dictionary<string, string> ScreenColours;
    }

    /// <summary>
    /// `banker` and `dealer` are seats: the Banker gets a tenth of the Bank, and the exchange starts
    /// at the Dealer's left.
    ///
    /// `victory`: the owner of the first horse wins (`race`), or the richest player after the prizes
    /// (`money`, ruling A42). `tote_no_winner`: if nobody backed the winner, the pot goes to the
    /// Bookmaker or is kept for the next game (ruling A43), which receives it as `carried_in`. With
    /// `literal_tote`, a factor of 0 pays nothing; otherwise it returns the stakes (ruling A41). With
    /// `manual_objection`, players must object to horses whose owner kept Disadvantages; otherwise such
    /// horses are disqualified at the post (ruling A36). `place_bets` allows place bets with the
    /// Bookmaker (ruling A22). With `private_cash`, players see only their own cash.
    ///
    /// Times are in seconds; 0 means no limit. `bid_s` is the time after the last bid in the auction,
    /// `sale_s` limits each step of any other sale, `trade_s` the preliminaries, `bet_s` the bets on a
    /// runner, `hazard_s` the purchase of a report. The others limit a decision in their phase.
    /// </summary>
    public sealed class AscotOptions : Value
    {
        public long? Banker;
        public long? Dealer;
        /// <summary>One of "money", "race".</summary>
        public string Victory;
        /// <summary>One of "bookmaker", "carry_over".</summary>
        public string ToteNoWinner;
        public long? CarriedIn;
        public bool? LiteralTote;
        public bool? ManualObjection;
        public bool? PlaceBets;
        public bool? PrivateCash;
        public long? NominationS;
        public long? ExchangeS;
        public long? DiscardS;
        public long? BidS;
        public long? TrainingS;
        public long? SaleS;
        public long? TradeS;
        public long? FavouriteS;
        public long? BetS;
        public long? RaceS;
        public long? HazardS;

        public override Dictionary<string, object> ToJson()
        {
            var json = new Dictionary<string, object>();
            if (Banker != null) json["banker"] = Banker;
            if (Dealer != null) json["dealer"] = Dealer;
            if (Victory != null) json["victory"] = Victory;
            if (ToteNoWinner != null) json["tote_no_winner"] = ToteNoWinner;
            if (CarriedIn != null) json["carried_in"] = CarriedIn;
            if (LiteralTote != null) json["literal_tote"] = LiteralTote;
            if (ManualObjection != null) json["manual_objection"] = ManualObjection;
            if (PlaceBets != null) json["place_bets"] = PlaceBets;
            if (PrivateCash != null) json["private_cash"] = PrivateCash;
            if (NominationS != null) json["nomination_s"] = NominationS;
            if (ExchangeS != null) json["exchange_s"] = ExchangeS;
            if (DiscardS != null) json["discard_s"] = DiscardS;
            if (BidS != null) json["bid_s"] = BidS;
            if (TrainingS != null) json["training_s"] = TrainingS;
            if (SaleS != null) json["sale_s"] = SaleS;
            if (TradeS != null) json["trade_s"] = TradeS;
            if (FavouriteS != null) json["favourite_s"] = FavouriteS;
            if (BetS != null) json["bet_s"] = BetS;
            if (RaceS != null) json["race_s"] = RaceS;
            if (HazardS != null) json["hazard_s"] = HazardS;
            return json;
        }
    }

    /// <summary>
    /// The game as a seat or a spectator sees it. `awaited` are the seats that must decide.
    ///
    /// At the end `placed` are the first three horses, `prizes` their prizes, and `tote_factor` says
    /// how many times its stake each ticket on the first horse was paid; null without such a ticket.
    /// </summary>
    public sealed class AscotView
    {
        public string Edition;
        public AscotOptions Options;
        /// <summary>One of "auction", "betting", "discard", "entry", "exchange", "favourites", "finished", "nomination", "preliminaries", "race", "settlement", "surplus", "training".</summary>
        public string Phase;
        public List<long> Awaited;
        public List<long> Answered;
        public List<PlayerView> Players;
        public OwnView Own;
        public long Pile;
        public long PrizeFund;
        public long Totalisator;
        public Dictionary<string, Horse> Horses;
        public Dictionary<string, long> Offices;
        public LotView Lot;
        public DebtView Debt;
        public TrainingView Training;
        public List<OpenOffer> Offers;
        public List<long> Strangled;
        public long RunnersEach;
        public Dictionary<string, List<long>> Entries;
        public long? Called;
        public List<Ticket> Tickets;
        public List<Contract> Contracts;
        public RaceView Race;
        public List<long> Placed;
        public List<long> Prizes;
        public long? ToteFactor;
    }

    /// <summary>Choose the horse that uses the throw: the Favourite or the next in order.</summary>
    public sealed class Assign : Value, ICommand
    {
        public const string Type = "assign";
        public long Horse;

        public override Dictionary<string, object> ToJson()
        {
            var json = new Dictionary<string, object>();
            json["type"] = Type;
            json["horse"] = Horse;
            return json;
        }
    }

    /// <summary>A seat is the Auctioneer, because it was dealt the card or because the players agreed.</summary>
    public sealed class AuctioneerNamed : IEvent
    {
        public const string Type = "auctioneer_named";
        public List<long> Only;
        public long Seat;
        public bool WasDealt;
    }

    /// <summary>A seat placed a bet. `bet` numbers the bets of a game from 1; `odds` are as shown.</summary>
    public sealed class BetPlaced : IEvent
    {
        public const string Type = "bet_placed";
        public List<long> Only;
        public long Bet;
        public long Seat;
        public string Spot;
        public long Stake;
        public string Odds;
    }

    /// <summary>A seat does not bet on the called runner.</summary>
    public sealed class BetRefrained : IEvent
    {
        public const string Type = "bet_refrained";
        public List<long> Only;
        public long Seat;
        public long Horse;
    }

    /// <summary>
    /// A bet was settled. `seat` and `spot` repeat its `bet_placed`.
    ///
    /// `payout` is what the settlement moved: above zero to the seat, below zero from it.
    /// </summary>
    public sealed class BetSettled : IEvent
    {
        public const string Type = "bet_settled";
        public List<long> Only;
        public long Bet;
        public long Seat;
        public string Spot;
        /// <summary>One of "lost", "won".</summary>
        public string Outcome;
        public long Payout;
    }

    /// <summary>A bet was voided; `payout` is what went back to the seat.</summary>
    public sealed class BetVoided : IEvent
    {
        public const string Type = "bet_voided";
        public List<long> Only;
        public long Bet;
        public long Payout;
        public string Reason;
    }

    /// <summary>Bid for the asset on sale.</summary>
    public sealed class Bid : Value, ICommand
    {
        public const string Type = "bid";
        public string Asset;
        public long Amount;

        public override Dictionary<string, object> ToJson()
        {
            var json = new Dictionary<string, object>();
            json["type"] = Type;
            json["asset"] = Asset;
            json["amount"] = Amount;
            return json;
        }
    }

    /// <summary>A seat bid.</summary>
    public sealed class BidMade : IEvent
    {
        public const string Type = "bid_made";
        public List<long> Only;
        public long Seat;
        public string Asset;
        public long Amount;
    }

    /// <summary>A seat left the bidding.</summary>
    public sealed class BidderLeft : IEvent
    {
        public const string Type = "bidder_left";
        public List<long> Only;
        public long Seat;
        public string Asset;
    }

    /// <summary>
    /// A sentence for events of type `event` whose fields have one of the values in `where`.
    ///
    /// `where` lists allowed values by field; an absent field may have any value. `key` is stable, for
    /// clients with words or sounds of their own.
    ///
    /// Braces hold a field of the event, or a path of fields with dots. Clients replace them: a text by
    /// its words in the language, a seat by the name of the player (`seat_fields` of the book lists the
    /// fields that hold seats), a value by its name in the book's `names` (by field), a list by its
    /// items with commas, and anything else by itself.
    /// </summary>
    public sealed class Call : Value
    {
        public string En;
        public string Fr;
        public string Key;
        public string Event;
        public Dictionary<string, List<object>> Where;

        public override Dictionary<string, object> ToJson()
        {
            var json = new Dictionary<string, object>();
            json["en"] = En;
            json["fr"] = Fr;
            json["key"] = Key;
            json["event"] = Event;
            if (Where != null) json["where"] = Where;
            return json;
        }
    }

    /// <summary>A seat threw a card under the dead pile and took its top card.</summary>
    public sealed class CardExchanged : IEvent
    {
        public const string Type = "card_exchanged";
        public List<long> Only;
        public long Seat;
    }

    /// <summary>The card that a seat took in the exchange.</summary>
    public sealed class CardTaken : IEvent
    {
        public const string Type = "card_taken";
        public List<long> Only;
        public long Seat;
        public string Card;
    }

    /// <summary>Choose how to use the colour of the square.</summary>
    public sealed class ChooseColour : Value, ICommand
    {
        public const string Type = "choose_colour";
        /// <summary>One of "advantage_for_rows", "advantage_to_drop", "drop_disadvantage", "extra_rows", "nothing".</summary>
        public string Choice;

        public override Dictionary<string, object> ToJson()
        {
            var json = new Dictionary<string, object>();
            json["type"] = Type;
            json["choice"] = Choice;
            return json;
        }
    }

    /// <summary>A seat took a member card.</summary>
    public sealed class ClubJoined : IEvent
    {
        public const string Type = "club_joined";
        public List<long> Only;
        public long Seat;
    }

    /// <summary>A seat may join the Club for this fee.</summary>
    public sealed class ClubOffered : IEvent
    {
        public const string Type = "club_offered";
        public List<long> Only;
        public long Seat;
        public long Fee;
    }

    /// <summary>An owner chose how to use the square that the horse reached.</summary>
    public sealed class ColourUsed : IEvent
    {
        public const string Type = "colour_used";
        public List<long> Only;
        public long Horse;
        /// <summary>One of "advantage_for_rows", "advantage_to_drop", "drop_disadvantage", "extra_rows", "nothing".</summary>
        public string Choice;
    }

    /// <summary>Raise no objection to the order of arrival.</summary>
    public sealed class Confirm : Value, ICommand
    {
        public const string Type = "confirm";

        public override Dictionary<string, object> ToJson()
        {
            var json = new Dictionary<string, object>();
            json["type"] = Type;
            return json;
        }
    }

    /// <summary>A place bet between a seat and the Bookmaker, proposed or agreed.</summary>
    public sealed class Contract
    {
        public long ContractValue;
        public long Seat;
        public long Horse;
        public long Stake;
        public long Payout;
        public bool IsAgreed;
    }

    /// <summary>The Bookmaker agreed to a place bet or turned it down.</summary>
    public sealed class ContractAnswered : IEvent
    {
        public const string Type = "contract_answered";
        public List<long> Only;
        public long Contract;
        public bool IsAgreed;
    }

    /// <summary>A seat proposed a place bet to the Bookmaker.</summary>
    public sealed class ContractProposed : IEvent
    {
        public const string Type = "contract_proposed";
        public List<long> Only;
        public long Contract;
        public long Seat;
        public long Horse;
        public long Stake;
        public long Payout;
    }

    /// <summary>A place bet was decided; `paid` went to the seat (`is_won`) or to the Bookmaker.</summary>
    public sealed class ContractSettled : IEvent
    {
        public const string Type = "contract_settled";
        public List<long> Only;
        public long Contract;
        public bool IsWon;
        public long Paid;
    }

    /// <summary>
    /// A forced sale ended: the creditor gets `paid`, the rest is cancelled.
    ///
    /// If the horse to be entered was sold, the entry is due from its buyer instead.
    /// </summary>
    public sealed class DebtClosed : IEvent
    {
        public const string Type = "debt_closed";
        public List<long> Only;
        public long Seat;
        public long Paid;
        public long Cancelled;
    }

    /// <summary>A seat cannot pay and must sell until it can.</summary>
    public sealed class DebtOpened : IEvent
    {
        public const string Type = "debt_opened";
        public List<long> Only;
        public long Seat;
        public long Amount;
        public string Reason;
    }

    /// <summary>A forced sale: the seat that must sell, the sum, the assets that it can offer.</summary>
    public sealed class DebtView
    {
        public long Seat;
        public long Amount;
        public string Reason;
        public List<string> ForSale;
    }

    /// <summary>Turn an offer down.</summary>
    public sealed class Decline : Value, ICommand
    {
        public const string Type = "decline";
        public long Offer;

        public override Dictionary<string, object> ToJson()
        {
            var json = new Dictionary<string, object>();
            json["type"] = Type;
            json["offer"] = Offer;
            return json;
        }
    }

    /// <summary>Do not join the Club now.</summary>
    public sealed class DeclineClub : Value, ICommand
    {
        public const string Type = "decline_club";

        public override Dictionary<string, object> ToJson()
        {
            var json = new Dictionary<string, object>();
            json["type"] = Type;
            return json;
        }
    }

    /// <summary>Turn a place bet down (Bookmaker only).</summary>
    public sealed class DeclinePlaceBet : Value, ICommand
    {
        public const string Type = "decline_place_bet";
        public long Contract;

        public override Dictionary<string, object> ToJson()
        {
            var json = new Dictionary<string, object>();
            json["type"] = Type;
            json["contract"] = Contract;
            return json;
        }
    }

    /// <summary>Let the hazard happen.</summary>
    public sealed class DeclineReport : Value, ICommand
    {
        public const string Type = "decline_report";

        public override Dictionary<string, object> ToJson()
        {
            var json = new Dictionary<string, object>();
            json["type"] = Type;
            return json;
        }
    }

    /// <summary>A horse got rid of Disadvantages.</summary>
    public sealed class DisadvantagesCleared : IEvent
    {
        public const string Type = "disadvantages_cleared";
        public List<long> Only;
        public long Horse;
        public long Cards;
    }

    /// <summary>A horse got Disadvantages.</summary>
    public sealed class DisadvantagesGained : IEvent
    {
        public const string Type = "disadvantages_gained";
        public List<long> Only;
        public long Horse;
        public long Cards;
    }

    /// <summary>Throw any number of cards into the dead pile; you keep and pay for the rest.</summary>
    public sealed class Discard : Value, ICommand
    {
        public const string Type = "discard";
        public List<string> Cards;

        public override Dictionary<string, object> ToJson()
        {
            var json = new Dictionary<string, object>();
            json["type"] = Type;
            json["cards"] = Cards;
            return json;
        }
    }

    /// <summary>All seats have discarded; `cards` counts the cards that go to auction.</summary>
    public sealed class DiscardsMade : IEvent
    {
        public const string Type = "discards_made";
        public List<long> Only;
        public long Cards;
    }

    /// <summary>Choose the horses that run if you own too many.</summary>
    public sealed class Enter : Value, ICommand
    {
        public const string Type = "enter";
        public List<long> Horses;

        public override Dictionary<string, object> ToJson()
        {
            var json = new Dictionary<string, object>();
            json["type"] = Type;
            json["horses"] = Horses;
            return json;
        }
    }

    /// <summary>A seat chose the horses that it runs.</summary>
    public sealed class EntryChosen : IEvent
    {
        public const string Type = "entry_chosen";
        public List<long> Only;
        public long Seat;
        public List<long> Horses;
    }

    /// <summary>Throw one card under the dead pile and take its top card.</summary>
    public sealed class Exchange : Value, ICommand
    {
        public const string Type = "exchange";
        public string Card;

        public override Dictionary<string, object> ToJson()
        {
            var json = new Dictionary<string, object>();
            json["type"] = Type;
            json["card"] = Card;
            return json;
        }
    }

    /// <summary>A seat named its Favourite, or none.</summary>
    public sealed class FavouriteNamed : IEvent
    {
        public const string Type = "favourite_named";
        public List<long> Only;
        public long Seat;
        public long? Horse;
    }

    /// <summary>A fee is due to the holder of an office, or to the Bank if `holder` is null.</summary>
    public sealed class FeeCharged : IEvent
    {
        public const string Type = "fee_charged";
        public List<long> Only;
        public long Seat;
        /// <summary>One of "auctioneer", "bookmaker", "club", "farrier", "forage", "stevens", "veterinary", "walroy".</summary>
        public string Office;
        public long? Holder;
        public long Amount;
    }

    /// <summary>The money of each seat at the end.</summary>
    public sealed class FortunesPublished : IEvent
    {
        public const string Type = "fortunes_published";
        public List<long> Only;
        public List<long> Fortunes;
    }

    /// <summary>A horse reached the frost; `is_held`: it will miss its next move.</summary>
    public sealed class FrostMet : IEvent
    {
        public const string Type = "frost_met";
        public List<long> Only;
        public long Horse;
        public bool IsHeld;
    }

    /// <summary>The game began; `edition` is the hash of its printed content.</summary>
    public sealed class GameOpened : IEvent
    {
        public const string Type = "game_opened";
        public List<long> Only;
        public string Edition;
        public long Banker;
        public long Dealer;
    }

    /// <summary>A seat was dealt these lease cards.</summary>
    public sealed class HandDealt : IEvent
    {
        public const string Type = "hand_dealt";
        public List<long> Only;
        public long Seat;
        public List<string> Cards;
    }

    /// <summary>A seat showed the cards that it kept; `price` is what it owes for them.</summary>
    public sealed class HandShown : IEvent
    {
        public const string Type = "hand_shown";
        public List<long> Only;
        public long Seat;
        public List<string> Cards;
        public long Price;
    }

    /// <summary>A horse met a hazard; this report averts it.</summary>
    public sealed class HazardMet : IEvent
    {
        public const string Type = "hazard_met";
        public List<long> Only;
        public long Horse;
        /// <summary>One of "bridle", "surefoot", "vessel".</summary>
        public string Report;
    }

    /// <summary>
    /// A horse with an owner; row 0 is the start line of the race.
    ///
    /// `progress` counts its points in the training, `square` is its square on the loop, or null in its
    /// box and after the training.
    /// </summary>
    public sealed class Horse
    {
        public long Owner;
        /// <summary>One of "disqualified", "eliminated", "home", "lost", "passed", "running", "scratched", "surplus", "training".</summary>
        public string Fate;
        public long Progress;
        public long? Square;
        public long Advantages;
        public long Disadvantages;
        public bool IsFrozen;
        public long Row;
        public long Lane;
        public bool IsDown;
        public bool IsWaiting;
    }

    /// <summary>A player who lacked horses was assigned one at half its printed price.</summary>
    public sealed class HorseAssigned : IEvent
    {
        public const string Type = "horse_assigned";
        public List<long> Only;
        public long Horse;
        public long Seller;
        public long Buyer;
        public long Price;
    }

    /// <summary>
    /// A colour of horses: its letter on the race field and the stable that trains it.
    ///
    /// `advantages` counts its cards in the box, `extra_rows` what a horse gains on its own colour.
    /// </summary>
    public sealed class HorseColour : Value
    {
        /// <summary>One of "black", "blue", "red", "yellow".</summary>
        public string Colour;
        public string Letter;
        /// <summary>One of "stevens", "walroy".</summary>
        public string Stable;
        public long Advantages;
        public long ExtraRows;

        public override Dictionary<string, object> ToJson()
        {
            var json = new Dictionary<string, object>();
            json["colour"] = Colour;
            json["letter"] = Letter;
            json["stable"] = Stable;
            json["advantages"] = Advantages;
            json["extra_rows"] = ExtraRows;
            return json;
        }
    }

    /// <summary>A horse that passed the post does not count.</summary>
    public sealed class HorseDisqualified : IEvent
    {
        public const string Type = "horse_disqualified";
        public List<long> Only;
        public long Horse;
    }

    /// <summary>A horse left the game in training, with its small cards.</summary>
    public sealed class HorseEliminated : IEvent
    {
        public const string Type = "horse_eliminated";
        public List<long> Only;
        public long Horse;
    }

    /// <summary>A horse will run; its entry is paid.</summary>
    public sealed class HorseEntered : IEvent
    {
        public const string Type = "horse_entered";
        public List<long> Only;
        public long Horse;
        public long Seat;
    }

    /// <summary>A horse fell; it waits for a 6.</summary>
    public sealed class HorseFell : IEvent
    {
        public const string Type = "horse_fell";
        public List<long> Only;
        public long Horse;
    }

    /// <summary>A horse missed its move because of frost.</summary>
    public sealed class HorseHeld : IEvent
    {
        public const string Type = "horse_held";
        public List<long> Only;
        public long Horse;
    }

    /// <summary>The lease card of a horse.</summary>
    public sealed class HorseLease : Value
    {
        public long Number;
        /// <summary>One of "black", "blue", "red", "yellow".</summary>
        public string Colour;
        public long Price;
        public string En;
        public string Fr;

        public override Dictionary<string, object> ToJson()
        {
            var json = new Dictionary<string, object>();
            json["number"] = Number;
            json["colour"] = Colour;
            json["price"] = Price;
            json["en"] = En;
            json["fr"] = Fr;
            return json;
        }
    }

    /// <summary>A horse is out of the race.</summary>
    public sealed class HorseLost : IEvent
    {
        public const string Type = "horse_lost";
        public List<long> Only;
        public long Horse;
    }

    /// <summary>A horse ran along a path of (row, lane); `jostled`: it was stopped short.</summary>
    public sealed class HorseMoved : IEvent
    {
        public const string Type = "horse_moved";
        public List<long> Only;
        public long Horse;
        public List<List<long>> Path;
        /// <summary>One of "back", "colour", "inscription", "jostled", "throw".</summary>
        public string Why;
    }

    /// <summary>A horse passed the post; its owner still held `disadvantages`.</summary>
    public sealed class HorsePassed : IEvent
    {
        public const string Type = "horse_passed";
        public List<long> Only;
        public long Horse;
        public long Disadvantages;
    }

    /// <summary>A horse will not run; its small cards leave the game with it.</summary>
    public sealed class HorseScratched : IEvent
    {
        public const string Type = "horse_scratched";
        public List<long> Only;
        public long Horse;
    }

    /// <summary>A horse advanced to a square of the loop; `square` is null once it is home in its box.</summary>
    public sealed class HorseTrained : IEvent
    {
        public const string Type = "horse_trained";
        public List<long> Only;
        public long Horse;
        public long? Square;
    }

    /// <summary>A horse has no throw next turn.</summary>
    public sealed class HorseWaits : IEvent
    {
        public const string Type = "horse_waits";
        public List<long> Only;
        public long Horse;
    }

    /// <summary>
    /// The inscription of a white square of the race field.
    ///
    /// `lanes` (`"1-3"`) are the lanes in which an advance must end, null for any lane. `report` averts
    /// the hazard.
    /// </summary>
    public sealed class Inscription : Value
    {
        public string Code;
        /// <summary>One of "advance", "back", "bend", "fall", "overtake", "ruin", "wait", "whip".</summary>
        public string Effect;
        public string En;
        public string Fr;
        public long? Rows;
        public string Lanes;
        /// <summary>One of "bridle", "surefoot", "vessel".</summary>
        public string Report;

        public override Dictionary<string, object> ToJson()
        {
            var json = new Dictionary<string, object>();
            json["code"] = Code;
            json["effect"] = Effect;
            json["en"] = En;
            json["fr"] = Fr;
            if (Rows != null) json["rows"] = Rows;
            if (Lanes != null) json["lanes"] = Lanes;
            if (Report != null) json["report"] = Report;
            return json;
        }
    }

    /// <summary>A horse met an inscription; `has_effect` is false when it could not be followed.</summary>
    public sealed class InscriptionObeyed : IEvent
    {
        public const string Type = "inscription_obeyed";
        public List<long> Only;
        public long Horse;
        public string Code;
        public bool HasEffect;
    }

    /// <summary>
    /// An operator or the server intervened in this game, for this reason.
    ///
    /// `by` is the operator's opaque id; null for the server itself.
    /// </summary>
    public sealed class Intervened : IEvent
    {
        public const string Type = "intervened";
        public List<long> Only;
        public string By;
        public string Reason;
    }

    /// <summary>Pay the fee and take a member card.</summary>
    public sealed class JoinClub : Value, ICommand
    {
        public const string Type = "join_club";

        public override Dictionary<string, object> ToJson()
        {
            var json = new Dictionary<string, object>();
            json["type"] = Type;
            return json;
        }
    }

    /// <summary>
    /// A grid of `columns` by `rows`: a place for each square, in number order.
    ///
    /// `boxes` are the places of the boxes, each of them 4 columns by 2 rows.
    /// </summary>
    public sealed class Loop
    {
        public long Columns;
        public long Rows;
        public List<Place> Squares;
        public Dictionary<string, Place> Boxes;
    }

    /// <summary>An asset is on sale; `seller` is null if it comes from the dead pile.</summary>
    public sealed class LotOpened : IEvent
    {
        public const string Type = "lot_opened";
        public List<long> Only;
        public string Asset;
        public long? Seller;
    }

    /// <summary>An asset went to the highest bidder. The commission goes to the Auctioneer.</summary>
    public sealed class LotSold : IEvent
    {
        public const string Type = "lot_sold";
        public List<long> Only;
        public string Asset;
        public long? Seller;
        public long Buyer;
        public long Price;
        public long Commission;
    }

    /// <summary>Nobody bid for an asset.</summary>
    public sealed class LotUnsold : IEvent
    {
        public const string Type = "lot_unsold";
        public List<long> Only;
        public string Asset;
    }

    /// <summary>The asset on sale. `open_to` may still bid, `least` is the lowest bid that counts.</summary>
    public sealed class LotView
    {
        public string Asset;
        public long? Seller;
        public List<long> OpenTo;
        public long? Bidder;
        public long Price;
        public long Least;
    }

    /// <summary>Run to the end square in this lane.</summary>
    public sealed class Move : Value, ICommand
    {
        public const string Type = "move";
        public long Lane;

        public override Dictionary<string, object> ToJson()
        {
            var json = new Dictionary<string, object>();
            json["type"] = Type;
            json["lane"] = Lane;
            return json;
        }
    }

    /// <summary>Name one of your runners your Favourite, or none.</summary>
    public sealed class NameFavourite : Value, ICommand
    {
        public const string Type = "name_favourite";
        public long? Horse;

        public override Dictionary<string, object> ToJson()
        {
            var json = new Dictionary<string, object>();
            json["type"] = Type;
            json["horse"] = Horse;
            return json;
        }
    }

    /// <summary>Do not bet on the runner that is called.</summary>
    public sealed class NoBet : Value, ICommand
    {
        public const string Type = "no_bet";
        public long Horse;

        public override Dictionary<string, object> ToJson()
        {
            var json = new Dictionary<string, object>();
            json["type"] = Type;
            json["horse"] = Horse;
            return json;
        }
    }

    /// <summary>Vote for an Auctioneer, if nobody was dealt the card.</summary>
    public sealed class Nominate : Value, ICommand
    {
        public const string Type = "nominate";
        public long Candidate;

        public override Dictionary<string, object> ToJson()
        {
            var json = new Dictionary<string, object>();
            json["type"] = Type;
            json["candidate"] = Candidate;
            return json;
        }
    }

    /// <summary>A seat voted for an Auctioneer.</summary>
    public sealed class Nominated : IEvent
    {
        public const string Type = "nominated";
        public List<long> Only;
        public long Seat;
        public long Candidate;
    }

    /// <summary>Object to a horse whose owner kept Disadvantages (option `manual_objection`).</summary>
    public sealed class Object : Value, ICommand
    {
        public const string Type = "object";
        public long Horse;

        public override Dictionary<string, object> ToJson()
        {
            var json = new Dictionary<string, object>();
            json["type"] = Type;
            json["horse"] = Horse;
            return json;
        }
    }

    /// <summary>Before the arrival is confirmed, players may object.</summary>
    public sealed class ObjectionsAwaited : IEvent
    {
        public const string Type = "objections_awaited";
        public List<long> Only;
        public List<long> Horses;
    }

    /// <summary>
    /// Offer a private deal to one seat, or to every seat (`to` null).
    ///
    /// You give `gives` and pay `pays`; you get `takes` and `asks`.
    /// </summary>
    public sealed class Offer : Value, ICommand
    {
        public const string Type = "offer";
        public long? To;
        public List<string> Gives;
        public List<string> Takes;
        public long? Pays;
        public long? Asks;

        public override Dictionary<string, object> ToJson()
        {
            var json = new Dictionary<string, object>();
            json["type"] = Type;
            json["to"] = To;
            if (Gives != null) json["gives"] = Gives;
            if (Takes != null) json["takes"] = Takes;
            if (Pays != null) json["pays"] = Pays;
            if (Asks != null) json["asks"] = Asks;
            return json;
        }
    }

    /// <summary>A seat accepted an offer; goods and money have changed hands.</summary>
    public sealed class OfferAccepted : IEvent
    {
        public const string Type = "offer_accepted";
        public List<long> Only;
        public long Offer;
        public long Seat;
    }

    /// <summary>An offer can no longer be accepted.</summary>
    public sealed class OfferClosed : IEvent
    {
        public const string Type = "offer_closed";
        public List<long> Only;
        public long Offer;
        /// <summary>One of "declined", "goods_gone", "not_covered", "too_late", "withdrawn".</summary>
        public string Why;
    }

    /// <summary>A seat turned an offer down.</summary>
    public sealed class OfferDeclined : IEvent
    {
        public const string Type = "offer_declined";
        public List<long> Only;
        public long Offer;
        public long Seat;
    }

    /// <summary>A private deal was proposed.</summary>
    public sealed class OfferMade : IEvent
    {
        public const string Type = "offer_made";
        public List<long> Only;
        public OpenOffer Details;
    }

    /// <summary>The lease card of an office.</summary>
    public sealed class OfficeLease : Value
    {
        /// <summary>One of "auctioneer", "bookmaker", "club", "farrier", "forage", "stevens", "veterinary", "walroy".</summary>
        public string Office;
        public long Price;
        public string En;
        public string Fr;

        public override Dictionary<string, object> ToJson()
        {
            var json = new Dictionary<string, object>();
            json["office"] = Office;
            json["price"] = Price;
            json["en"] = En;
            json["fr"] = Fr;
            return json;
        }
    }

    /// <summary>
    /// A private deal that can be accepted. `seat` gives `gives` and `pays` for `takes` and `asks`.
    ///
    /// `to` null: the first seat that accepts gets it. `declined` are the seats that turned it down.
    /// </summary>
    public sealed class OpenOffer
    {
        public long Number;
        public long Seat;
        public long? To;
        public List<string> Gives;
        public List<string> Takes;
        public long Pays;
        public long Asks;
        public List<long> Declined;
    }

    /// <summary>
    /// The viewer's secrets: the cards in hand and the price `reserved` for them, the highest
    /// possible bid, and the discards.
    /// </summary>
    public sealed class OwnView
    {
        public long Seat;
        public List<string> Hand;
        public long Reserved;
        public long BidLimit;
        public List<string> Discards;
    }

    /// <summary>Leave the bidding for this asset.</summary>
    public sealed class Pass : Value, ICommand
    {
        public const string Type = "pass";
        public string Asset;

        public override Dictionary<string, object> ToJson()
        {
            var json = new Dictionary<string, object>();
            json["type"] = Type;
            json["asset"] = Asset;
            return json;
        }
    }

    /// <summary>A place on a grid; column 0 and row 0 are at the top left.</summary>
    public sealed class Place
    {
        public long Column;
        public long Row;
    }

    /// <summary>Buy a ticket on the runner that is called.</summary>
    public sealed class PlaceBet : Value, ICommand
    {
        public const string Type = "place_bet";
        public long Horse;
        public long Stake;

        public override Dictionary<string, object> ToJson()
        {
            var json = new Dictionary<string, object>();
            json["type"] = Type;
            json["horse"] = Horse;
            json["stake"] = Stake;
            return json;
        }
    }

    /// <summary>
    /// A player. The option `private_cash` hides `cash` (null). `hand` counts hidden cards.
    ///
    /// `advantages` and `disadvantages` are the player's common hand in the race.
    /// </summary>
    public sealed class PlayerView
    {
        public long? Cash;
        public long Hand;
        public bool IsMember;
        public List<string> Reports;
        public long? Favourite;
        public Dictionary<string, long> Advantages;
        public long Disadvantages;
    }

    /// <summary>The training is over; `runners_each` is the number of horses that each player runs.</summary>
    public sealed class PreliminariesOpened : IEvent
    {
        public const string Type = "preliminaries_opened";
        public List<long> Only;
        public long RunnersEach;
    }

    /// <summary>A prize went to the owner of a placed horse.</summary>
    public sealed class PrizePaid : IEvent
    {
        public const string Type = "prize_paid";
        public List<long> Only;
        public long Seat;
        public long Place;
        public long Amount;
    }

    /// <summary>
    /// Propose a place bet to the Bookmaker: the horse comes in among the first three.
    ///
    /// You stake `stake`; `payout` is what you get if you win, your stake included.
    /// </summary>
    public sealed class ProposePlaceBet : Value, ICommand
    {
        public const string Type = "propose_place_bet";
        public long Horse;
        public long Stake;
        public long Payout;

        public override Dictionary<string, object> ToJson()
        {
            var json = new Dictionary<string, object>();
            json["type"] = Type;
            json["horse"] = Horse;
            json["stake"] = Stake;
            json["payout"] = Payout;
            return json;
        }
    }

    /// <summary>Offer an asset to the other players in a forced sale.</summary>
    public sealed class PutUp : Value, ICommand
    {
        public const string Type = "put_up";
        public string Asset;

        public override Dictionary<string, object> ToJson()
        {
            var json = new Dictionary<string, object>();
            json["type"] = Type;
            json["asset"] = Asset;
            return json;
        }
    }

    /// <summary>The order of arrival is final: the first three, best first.</summary>
    public sealed class RaceEnded : IEvent
    {
        public const string Type = "race_ended";
        public List<long> Only;
        public List<long> Placed;
    }

    /// <summary>A seat threw the die of the race.</summary>
    public sealed class RaceThrown : IEvent
    {
        public const string Type = "race_thrown";
        public List<long> Only;
        public long Seat;
        public long Die;
    }

    /// <summary>
    /// The race: the seat to play, its horse, and the choices that it has now.
    ///
    /// In the step `move`, `ways` maps each lane that may be chosen to the squares on the way there.
    /// </summary>
    public sealed class RaceView
    {
        public long Seat;
        /// <summary>One of "assign", "colour", "hazard", "move", "objections", "served".</summary>
        public string Step;
        public long Die;
        public long Horse;
        public List<long> Left;
        public List<long> Assignable;
        public Dictionary<string, List<List<long>>> Ways;
        public List<string> Choices;
        public bool HasUsedColour;
        public bool HasUsedInscription;
        /// <summary>One of "bridle", "surefoot", "vessel".</summary>
        public string Hazard;
        public List<Arrival> Arrivals;
    }

    /// <summary>End your trading; the race is prepared when every seat is ready.</summary>
    public sealed class Ready : Value, ICommand
    {
        public const string Type = "ready";

        public override Dictionary<string, object> ToJson()
        {
            var json = new Dictionary<string, object>();
            json["type"] = Type;
            return json;
        }
    }

    /// <summary>A report card; `copies` of it are in the pack. Both stables have the same trainer's pack.</summary>
    public sealed class Report : Value
    {
        /// <summary>One of "trainer", "veterinary".</summary>
        public string Pack;
        public string Code;
        public long Copies;
        /// <summary>One of "advantage", "clear", "disadvantage", "forward", "keep", "pay", "pay_each", "receive", "strangles", "withdraw".</summary>
        public string Effect;
        public string En;
        public string Fr;
        public long? Amount;
        /// <summary>One of "bridle", "surefoot", "vessel".</summary>
        public string Keeps;

        public override Dictionary<string, object> ToJson()
        {
            var json = new Dictionary<string, object>();
            json["pack"] = Pack;
            json["code"] = Code;
            json["copies"] = Copies;
            json["effect"] = Effect;
            json["en"] = En;
            json["fr"] = Fr;
            if (Amount != null) json["amount"] = Amount;
            if (Keeps != null) json["keeps"] = Keeps;
            return json;
        }
    }

    /// <summary>A seat kept a report for the race.</summary>
    public sealed class ReportKept : IEvent
    {
        public const string Type = "report_kept";
        public List<long> Only;
        public long Seat;
        /// <summary>One of "bridle", "surefoot", "vessel".</summary>
        public string Report;
    }

    /// <summary>A seat took a report; everybody reads it.</summary>
    public sealed class ReportTaken : IEvent
    {
        public const string Type = "report_taken";
        public List<long> Only;
        public long Seat;
        /// <summary>One of "stevens", "veterinary", "walroy".</summary>
        public string Pack;
        public string Card;
    }

    /// <summary>A report averted a hazard.</summary>
    public sealed class ReportUsed : IEvent
    {
        public const string Type = "report_used";
        public List<long> Only;
        public long Seat;
        public long Horse;
        /// <summary>One of "bridle", "surefoot", "vessel".</summary>
        public string Report;
    }

    /// <summary>A runner is called, and bets on it are awaited.</summary>
    public sealed class RunnerCalled : IEvent
    {
        public const string Type = "runner_called";
        public List<long> Only;
        public long Horse;
        public long? FavouriteOf;
    }

    /// <summary>The colour of a seat's pieces; `hex` is the colour as CSS writes it.</summary>
    public sealed class SeatColour
    {
        public Text Name;
        public string Hex;
    }

    /// <summary>
    /// A square of the training loop. `header` names the office to deal with.
    ///
    /// `stable` in the header is the stable of the horse that stands there. `amount` is in francs for
    /// payments and in cards for Advantages and Disadvantages.
    /// </summary>
    public sealed class Square : Value
    {
        public long Number;
        /// <summary>One of "advantage", "disadvantage", "dues", "free", "frost", "join", "pay", "report".</summary>
        public string Effect;
        public string En;
        public string Fr;
        /// <summary>One of "club", "farrier", "forage", "stable", "veterinary".</summary>
        public string Header;
        public long? Amount;

        public override Dictionary<string, object> ToJson()
        {
            var json = new Dictionary<string, object>();
            json["number"] = Number;
            json["effect"] = Effect;
            json["en"] = En;
            json["fr"] = Fr;
            if (Header != null) json["header"] = Header;
            if (Amount != null) json["amount"] = Amount;
            return json;
        }
    }

    /// <summary>A seat threw for the start.</summary>
    public sealed class StartThrown : IEvent
    {
        public const string Type = "start_thrown";
        public List<long> Only;
        public long Seat;
        public long Die;
    }

    /// <summary>The seat with the highest throw starts the race.</summary>
    public sealed class StarterFound : IEvent
    {
        public const string Type = "starter_found";
        public List<long> Only;
        public long Seat;
    }

    /// <summary>A seat's horses have strangles: its turn ends and it misses its next throw.</summary>
    public sealed class Strangled : IEvent
    {
        public const string Type = "strangled";
        public List<long> Only;
        public long Seat;
    }

    /// <summary>Take a report before the throw (members of the Club only).</summary>
    public sealed class TakeReport : Value, ICommand
    {
        public const string Type = "take_report";
        /// <summary>One of "stevens", "veterinary", "walroy".</summary>
        public string Pack;

        public override Dictionary<string, object> ToJson()
        {
            var json = new Dictionary<string, object>();
            json["type"] = Type;
            json["pack"] = Pack;
            return json;
        }
    }

    /// <summary>
    /// The fixed numbers. `notes` are the bank notes that each player starts with: count and value.
    ///
    /// Money is in francs. `disadvantages` and `member_cards` count cards in the box.
    /// </summary>
    public sealed class Tariff : Value
    {
        public List<List<long>> Notes;
        public long SmallestNote;
        public long CommissionPercent;
        public long EntryFee;
        public long MemberCards;
        public long Disadvantages;
        public long TicketsPerHorse;
        public long RunnersMax;
        public long RunnersMaxOfTwo;

        public override Dictionary<string, object> ToJson()
        {
            var json = new Dictionary<string, object>();
            json["notes"] = Notes;
            json["smallest_note"] = SmallestNote;
            json["commission_percent"] = CommissionPercent;
            json["entry_fee"] = EntryFee;
            json["member_cards"] = MemberCards;
            json["disadvantages"] = Disadvantages;
            json["tickets_per_horse"] = TicketsPerHorse;
            json["runners_max"] = RunnersMax;
            json["runners_max_of_two"] = RunnersMaxOfTwo;
            return json;
        }
    }

    /// <summary>A text for players, in English and French.</summary>
    public sealed class Text : Value
    {
        public string En;
        public string Fr;

        public override Dictionary<string, object> ToJson()
        {
            var json = new Dictionary<string, object>();
            json["en"] = En;
            json["fr"] = Fr;
            return json;
        }
    }

    /// <summary>
    /// Throw the dice of the training without taking a report (members of the Club only).
    ///
    /// The server throws for seats that have no choice.
    /// </summary>
    public sealed class Throw : Value, ICommand
    {
        public const string Type = "throw";

        public override Dictionary<string, object> ToJson()
        {
            var json = new Dictionary<string, object>();
            json["type"] = Type;
            return json;
        }
    }

    /// <summary>A horse uses the throw.</summary>
    public sealed class ThrowAssigned : IEvent
    {
        public const string Type = "throw_assigned";
        public List<long> Only;
        public long Horse;
        public long Die;
    }

    /// <summary>A throw moved nothing: too high for the post, or the horse is down or just freed.</summary>
    public sealed class ThrowWasted : IEvent
    {
        public const string Type = "throw_wasted";
        public List<long> Only;
        public long Horse;
        /// <summary>One of "down", "freed", "too_high".</summary>
        public string Why;
    }

    /// <summary>A ticket of the totalisator; a voided one has no stake.</summary>
    public sealed class Ticket
    {
        public long Bet;
        public long Seat;
        public long Horse;
        public long Stake;
    }

    /// <summary>
    /// The totalisator was paid out: `factor` times the stake for each ticket on the winner.
    ///
    /// `factor` is null if nobody backed the winner.
    /// </summary>
    public sealed class TotalisatorPaid : IEvent
    {
        public const string Type = "totalisator_paid";
        public List<long> Only;
        public long Total;
        public long Backed;
        public long? Factor;
    }

    /// <summary>The dice of a turn in training.</summary>
    public sealed class TrainingThrown : IEvent
    {
        public const string Type = "training_thrown";
        public List<long> Only;
        public long Seat;
        public List<long> Dice;
    }

    /// <summary>The turn in training. `card` of `pack` is a report whose horse the seat must choose.</summary>
    public sealed class TrainingView
    {
        public long Seat;
        /// <summary>One of "before_throw", "club", "moving", "target".</summary>
        public string Step;
        public List<long> Dice;
        public List<long> Queue;
        public bool HasDrawn;
        /// <summary>One of "stevens", "veterinary", "walroy".</summary>
        public string Pack;
        public string Card;
        public long Fee;
    }

    /// <summary>A seat missed its throw because of strangles.</summary>
    public sealed class TurnSkipped : IEvent
    {
        public const string Type = "turn_skipped";
        public List<long> Only;
        public long Seat;
    }

    /// <summary>Avert the hazard with a report.</summary>
    public sealed class UseReport : Value, ICommand
    {
        public const string Type = "use_report";

        public override Dictionary<string, object> ToJson()
        {
            var json = new Dictionary<string, object>();
            json["type"] = Type;
            return json;
        }
    }

    /// <summary>Withdraw your own offer.</summary>
    public sealed class Withdraw : Value, ICommand
    {
        public const string Type = "withdraw";
        public long Offer;

        public override Dictionary<string, object> ToJson()
        {
            var json = new Dictionary<string, object>();
            json["type"] = Type;
            json["offer"] = Offer;
            return json;
        }
    }

    /// <summary>The types of this game, for <c>Client.Table</c>.</summary>
    public static class Game
    {
        public static readonly GameTypes<ICommand, IEvent, AscotView> Types =
            new GameTypes<ICommand, IEvent, AscotView>(
                "ascot", Read.Command, Read.Event, Read.View);
    }

    /// <summary>Reads the types of this namespace from JSON values.</summary>
    public static class Read
    {
        public static Accept Accept(object json)
        {
            var fields = Json.Object(json);
            return new Accept
            {
                Offer = Json.Long(Json.Field(fields, "offer")),
            };
        }

        public static AcceptPlaceBet AcceptPlaceBet(object json)
        {
            var fields = Json.Object(json);
            return new AcceptPlaceBet
            {
                Contract = Json.Long(Json.Field(fields, "contract")),
            };
        }

        public static AdvantagesGained AdvantagesGained(object json)
        {
            var fields = Json.Object(json);
            return new AdvantagesGained
            {
                Only = Json.Maybe(Json.List(Json.Long))(Json.Field(fields, "only")),
                Horse = Json.Long(Json.Field(fields, "horse")),
                Cards = Json.Long(Json.Field(fields, "cards")),
            };
        }

        public static ApplyReport ApplyReport(object json)
        {
            var fields = Json.Object(json);
            return new ApplyReport
            {
                Horse = Json.Long(Json.Field(fields, "horse")),
            };
        }

        public static Arrival Arrival(object json)
        {
            var fields = Json.Object(json);
            return new Arrival
            {
                Horse = Json.Long(Json.Field(fields, "horse")),
                Disadvantages = Json.Long(Json.Field(fields, "disadvantages")),
            };
        }

        public static AscotBook AscotBook(object json)
        {
            var fields = Json.Object(json);
            return new AscotBook
            {
                Names = Json.Map(Json.Map(Read.Text))(Json.Field(fields, "names")),
                Calls = Json.List(Read.Call)(Json.Field(fields, "calls")),
                SeatFields = Json.List(Json.Text)(Json.Field(fields, "seat_fields")),
                Refusals = Json.Map(Read.Text)(Json.Field(fields, "refusals")),
                SeatColours = Json.List(Read.SeatColour)(Json.Field(fields, "seat_colours")),
                Colours = Json.List(Read.HorseColour)(Json.Field(fields, "colours")),
                Horses = Json.List(Read.HorseLease)(Json.Field(fields, "horses")),
                Offices = Json.List(Read.OfficeLease)(Json.Field(fields, "offices")),
                Squares = Json.List(Read.Square)(Json.Field(fields, "squares")),
                Gates = Json.Map(Json.Long)(Json.Field(fields, "gates")),
                Reports = Json.List(Read.Report)(Json.Field(fields, "reports")),
                Field = Json.List(Json.List(Json.Text))(Json.Field(fields, "field")),
                Inscriptions = Json.List(Read.Inscription)(Json.Field(fields, "inscriptions")),
                StartLanes = Json.List(Json.Long)(Json.Field(fields, "start_lanes")),
                BendFirst = Json.Long(Json.Field(fields, "bend_first")),
                BendLast = Json.Long(Json.Field(fields, "bend_last")),
                Tariff = Read.Tariff(Json.Field(fields, "tariff")),
                Loop = Read.Loop(Json.Field(fields, "loop")),
                ScreenColours = Json.Map(Json.Text)(Json.Field(fields, "screen_colours")),
            };
        }

        public static AscotOptions AscotOptions(object json)
        {
            var fields = Json.Object(json);
            return new AscotOptions
            {
                Banker = Json.Nullable(Json.Long)(Json.Field(fields, "banker")),
                Dealer = Json.Nullable(Json.Long)(Json.Field(fields, "dealer")),
                Victory = Json.Maybe(Json.Text)(Json.Field(fields, "victory")),
                ToteNoWinner = Json.Maybe(Json.Text)(Json.Field(fields, "tote_no_winner")),
                CarriedIn = Json.Nullable(Json.Long)(Json.Field(fields, "carried_in")),
                LiteralTote = Json.Nullable(Json.Bool)(Json.Field(fields, "literal_tote")),
                ManualObjection = Json.Nullable(Json.Bool)(Json.Field(fields, "manual_objection")),
                PlaceBets = Json.Nullable(Json.Bool)(Json.Field(fields, "place_bets")),
                PrivateCash = Json.Nullable(Json.Bool)(Json.Field(fields, "private_cash")),
                NominationS = Json.Nullable(Json.Long)(Json.Field(fields, "nomination_s")),
                ExchangeS = Json.Nullable(Json.Long)(Json.Field(fields, "exchange_s")),
                DiscardS = Json.Nullable(Json.Long)(Json.Field(fields, "discard_s")),
                BidS = Json.Nullable(Json.Long)(Json.Field(fields, "bid_s")),
                TrainingS = Json.Nullable(Json.Long)(Json.Field(fields, "training_s")),
                SaleS = Json.Nullable(Json.Long)(Json.Field(fields, "sale_s")),
                TradeS = Json.Nullable(Json.Long)(Json.Field(fields, "trade_s")),
                FavouriteS = Json.Nullable(Json.Long)(Json.Field(fields, "favourite_s")),
                BetS = Json.Nullable(Json.Long)(Json.Field(fields, "bet_s")),
                RaceS = Json.Nullable(Json.Long)(Json.Field(fields, "race_s")),
                HazardS = Json.Nullable(Json.Long)(Json.Field(fields, "hazard_s")),
            };
        }

        public static AscotView AscotView(object json)
        {
            var fields = Json.Object(json);
            return new AscotView
            {
                Edition = Json.Text(Json.Field(fields, "edition")),
                Options = Read.AscotOptions(Json.Field(fields, "options")),
                Phase = Json.Text(Json.Field(fields, "phase")),
                Awaited = Json.List(Json.Long)(Json.Field(fields, "awaited")),
                Answered = Json.List(Json.Long)(Json.Field(fields, "answered")),
                Players = Json.List(Read.PlayerView)(Json.Field(fields, "players")),
                Own = Json.Maybe(Read.OwnView)(Json.Field(fields, "own")),
                Pile = Json.Long(Json.Field(fields, "pile")),
                PrizeFund = Json.Long(Json.Field(fields, "prize_fund")),
                Totalisator = Json.Long(Json.Field(fields, "totalisator")),
                Horses = Json.Map(Read.Horse)(Json.Field(fields, "horses")),
                Offices = Json.Map(Json.Long)(Json.Field(fields, "offices")),
                Lot = Json.Maybe(Read.LotView)(Json.Field(fields, "lot")),
                Debt = Json.Maybe(Read.DebtView)(Json.Field(fields, "debt")),
                Training = Json.Maybe(Read.TrainingView)(Json.Field(fields, "training")),
                Offers = Json.List(Read.OpenOffer)(Json.Field(fields, "offers")),
                Strangled = Json.List(Json.Long)(Json.Field(fields, "strangled")),
                RunnersEach = Json.Long(Json.Field(fields, "runners_each")),
                Entries = Json.Map(Json.List(Json.Long))(Json.Field(fields, "entries")),
                Called = Json.Nullable(Json.Long)(Json.Field(fields, "called")),
                Tickets = Json.List(Read.Ticket)(Json.Field(fields, "tickets")),
                Contracts = Json.Maybe(Json.List(Read.Contract))(Json.Field(fields, "contracts")),
                Race = Json.Maybe(Read.RaceView)(Json.Field(fields, "race")),
                Placed = Json.List(Json.Long)(Json.Field(fields, "placed")),
                Prizes = Json.List(Json.Long)(Json.Field(fields, "prizes")),
                ToteFactor = Json.Nullable(Json.Long)(Json.Field(fields, "tote_factor")),
            };
        }

        public static Assign Assign(object json)
        {
            var fields = Json.Object(json);
            return new Assign
            {
                Horse = Json.Long(Json.Field(fields, "horse")),
            };
        }

        public static AuctioneerNamed AuctioneerNamed(object json)
        {
            var fields = Json.Object(json);
            return new AuctioneerNamed
            {
                Only = Json.Maybe(Json.List(Json.Long))(Json.Field(fields, "only")),
                Seat = Json.Long(Json.Field(fields, "seat")),
                WasDealt = Json.Bool(Json.Field(fields, "was_dealt")),
            };
        }

        public static BetPlaced BetPlaced(object json)
        {
            var fields = Json.Object(json);
            return new BetPlaced
            {
                Only = Json.Maybe(Json.List(Json.Long))(Json.Field(fields, "only")),
                Bet = Json.Long(Json.Field(fields, "bet")),
                Seat = Json.Long(Json.Field(fields, "seat")),
                Spot = Json.Text(Json.Field(fields, "spot")),
                Stake = Json.Long(Json.Field(fields, "stake")),
                Odds = Json.Text(Json.Field(fields, "odds")),
            };
        }

        public static BetRefrained BetRefrained(object json)
        {
            var fields = Json.Object(json);
            return new BetRefrained
            {
                Only = Json.Maybe(Json.List(Json.Long))(Json.Field(fields, "only")),
                Seat = Json.Long(Json.Field(fields, "seat")),
                Horse = Json.Long(Json.Field(fields, "horse")),
            };
        }

        public static BetSettled BetSettled(object json)
        {
            var fields = Json.Object(json);
            return new BetSettled
            {
                Only = Json.Maybe(Json.List(Json.Long))(Json.Field(fields, "only")),
                Bet = Json.Long(Json.Field(fields, "bet")),
                Seat = Json.Long(Json.Field(fields, "seat")),
                Spot = Json.Text(Json.Field(fields, "spot")),
                Outcome = Json.Text(Json.Field(fields, "outcome")),
                Payout = Json.Long(Json.Field(fields, "payout")),
            };
        }

        public static BetVoided BetVoided(object json)
        {
            var fields = Json.Object(json);
            return new BetVoided
            {
                Only = Json.Maybe(Json.List(Json.Long))(Json.Field(fields, "only")),
                Bet = Json.Long(Json.Field(fields, "bet")),
                Payout = Json.Long(Json.Field(fields, "payout")),
                Reason = Json.Text(Json.Field(fields, "reason")),
            };
        }

        public static Bid Bid(object json)
        {
            var fields = Json.Object(json);
            return new Bid
            {
                Asset = Json.Text(Json.Field(fields, "asset")),
                Amount = Json.Long(Json.Field(fields, "amount")),
            };
        }

        public static BidMade BidMade(object json)
        {
            var fields = Json.Object(json);
            return new BidMade
            {
                Only = Json.Maybe(Json.List(Json.Long))(Json.Field(fields, "only")),
                Seat = Json.Long(Json.Field(fields, "seat")),
                Asset = Json.Text(Json.Field(fields, "asset")),
                Amount = Json.Long(Json.Field(fields, "amount")),
            };
        }

        public static BidderLeft BidderLeft(object json)
        {
            var fields = Json.Object(json);
            return new BidderLeft
            {
                Only = Json.Maybe(Json.List(Json.Long))(Json.Field(fields, "only")),
                Seat = Json.Long(Json.Field(fields, "seat")),
                Asset = Json.Text(Json.Field(fields, "asset")),
            };
        }

        public static Call Call(object json)
        {
            var fields = Json.Object(json);
            return new Call
            {
                En = Json.Text(Json.Field(fields, "en")),
                Fr = Json.Text(Json.Field(fields, "fr")),
                Key = Json.Text(Json.Field(fields, "key")),
                Event = Json.Text(Json.Field(fields, "event")),
                Where = Json.Maybe(Json.Map(Json.List(Json.Any)))(Json.Field(fields, "where")),
            };
        }

        public static CardExchanged CardExchanged(object json)
        {
            var fields = Json.Object(json);
            return new CardExchanged
            {
                Only = Json.Maybe(Json.List(Json.Long))(Json.Field(fields, "only")),
                Seat = Json.Long(Json.Field(fields, "seat")),
            };
        }

        public static CardTaken CardTaken(object json)
        {
            var fields = Json.Object(json);
            return new CardTaken
            {
                Only = Json.Maybe(Json.List(Json.Long))(Json.Field(fields, "only")),
                Seat = Json.Long(Json.Field(fields, "seat")),
                Card = Json.Text(Json.Field(fields, "card")),
            };
        }

        public static ChooseColour ChooseColour(object json)
        {
            var fields = Json.Object(json);
            return new ChooseColour
            {
                Choice = Json.Text(Json.Field(fields, "choice")),
            };
        }

        public static ClubJoined ClubJoined(object json)
        {
            var fields = Json.Object(json);
            return new ClubJoined
            {
                Only = Json.Maybe(Json.List(Json.Long))(Json.Field(fields, "only")),
                Seat = Json.Long(Json.Field(fields, "seat")),
            };
        }

        public static ClubOffered ClubOffered(object json)
        {
            var fields = Json.Object(json);
            return new ClubOffered
            {
                Only = Json.Maybe(Json.List(Json.Long))(Json.Field(fields, "only")),
                Seat = Json.Long(Json.Field(fields, "seat")),
                Fee = Json.Long(Json.Field(fields, "fee")),
            };
        }

        public static ColourUsed ColourUsed(object json)
        {
            var fields = Json.Object(json);
            return new ColourUsed
            {
                Only = Json.Maybe(Json.List(Json.Long))(Json.Field(fields, "only")),
                Horse = Json.Long(Json.Field(fields, "horse")),
                Choice = Json.Text(Json.Field(fields, "choice")),
            };
        }

        public static Confirm Confirm(object json)
        {
            return new Confirm();
        }

        public static Contract Contract(object json)
        {
            var fields = Json.Object(json);
            return new Contract
            {
                ContractValue = Json.Long(Json.Field(fields, "contract")),
                Seat = Json.Long(Json.Field(fields, "seat")),
                Horse = Json.Long(Json.Field(fields, "horse")),
                Stake = Json.Long(Json.Field(fields, "stake")),
                Payout = Json.Long(Json.Field(fields, "payout")),
                IsAgreed = Json.Bool(Json.Field(fields, "is_agreed")),
            };
        }

        public static ContractAnswered ContractAnswered(object json)
        {
            var fields = Json.Object(json);
            return new ContractAnswered
            {
                Only = Json.Maybe(Json.List(Json.Long))(Json.Field(fields, "only")),
                Contract = Json.Long(Json.Field(fields, "contract")),
                IsAgreed = Json.Bool(Json.Field(fields, "is_agreed")),
            };
        }

        public static ContractProposed ContractProposed(object json)
        {
            var fields = Json.Object(json);
            return new ContractProposed
            {
                Only = Json.Maybe(Json.List(Json.Long))(Json.Field(fields, "only")),
                Contract = Json.Long(Json.Field(fields, "contract")),
                Seat = Json.Long(Json.Field(fields, "seat")),
                Horse = Json.Long(Json.Field(fields, "horse")),
                Stake = Json.Long(Json.Field(fields, "stake")),
                Payout = Json.Long(Json.Field(fields, "payout")),
            };
        }

        public static ContractSettled ContractSettled(object json)
        {
            var fields = Json.Object(json);
            return new ContractSettled
            {
                Only = Json.Maybe(Json.List(Json.Long))(Json.Field(fields, "only")),
                Contract = Json.Long(Json.Field(fields, "contract")),
                IsWon = Json.Bool(Json.Field(fields, "is_won")),
                Paid = Json.Long(Json.Field(fields, "paid")),
            };
        }

        public static DebtClosed DebtClosed(object json)
        {
            var fields = Json.Object(json);
            return new DebtClosed
            {
                Only = Json.Maybe(Json.List(Json.Long))(Json.Field(fields, "only")),
                Seat = Json.Long(Json.Field(fields, "seat")),
                Paid = Json.Long(Json.Field(fields, "paid")),
                Cancelled = Json.Long(Json.Field(fields, "cancelled")),
            };
        }

        public static DebtOpened DebtOpened(object json)
        {
            var fields = Json.Object(json);
            return new DebtOpened
            {
                Only = Json.Maybe(Json.List(Json.Long))(Json.Field(fields, "only")),
                Seat = Json.Long(Json.Field(fields, "seat")),
                Amount = Json.Long(Json.Field(fields, "amount")),
                Reason = Json.Text(Json.Field(fields, "reason")),
            };
        }

        public static DebtView DebtView(object json)
        {
            var fields = Json.Object(json);
            return new DebtView
            {
                Seat = Json.Long(Json.Field(fields, "seat")),
                Amount = Json.Long(Json.Field(fields, "amount")),
                Reason = Json.Text(Json.Field(fields, "reason")),
                ForSale = Json.List(Json.Text)(Json.Field(fields, "for_sale")),
            };
        }

        public static Decline Decline(object json)
        {
            var fields = Json.Object(json);
            return new Decline
            {
                Offer = Json.Long(Json.Field(fields, "offer")),
            };
        }

        public static DeclineClub DeclineClub(object json)
        {
            return new DeclineClub();
        }

        public static DeclinePlaceBet DeclinePlaceBet(object json)
        {
            var fields = Json.Object(json);
            return new DeclinePlaceBet
            {
                Contract = Json.Long(Json.Field(fields, "contract")),
            };
        }

        public static DeclineReport DeclineReport(object json)
        {
            return new DeclineReport();
        }

        public static DisadvantagesCleared DisadvantagesCleared(object json)
        {
            var fields = Json.Object(json);
            return new DisadvantagesCleared
            {
                Only = Json.Maybe(Json.List(Json.Long))(Json.Field(fields, "only")),
                Horse = Json.Long(Json.Field(fields, "horse")),
                Cards = Json.Long(Json.Field(fields, "cards")),
            };
        }

        public static DisadvantagesGained DisadvantagesGained(object json)
        {
            var fields = Json.Object(json);
            return new DisadvantagesGained
            {
                Only = Json.Maybe(Json.List(Json.Long))(Json.Field(fields, "only")),
                Horse = Json.Long(Json.Field(fields, "horse")),
                Cards = Json.Long(Json.Field(fields, "cards")),
            };
        }

        public static Discard Discard(object json)
        {
            var fields = Json.Object(json);
            return new Discard
            {
                Cards = Json.List(Json.Text)(Json.Field(fields, "cards")),
            };
        }

        public static DiscardsMade DiscardsMade(object json)
        {
            var fields = Json.Object(json);
            return new DiscardsMade
            {
                Only = Json.Maybe(Json.List(Json.Long))(Json.Field(fields, "only")),
                Cards = Json.Long(Json.Field(fields, "cards")),
            };
        }

        public static Enter Enter(object json)
        {
            var fields = Json.Object(json);
            return new Enter
            {
                Horses = Json.List(Json.Long)(Json.Field(fields, "horses")),
            };
        }

        public static EntryChosen EntryChosen(object json)
        {
            var fields = Json.Object(json);
            return new EntryChosen
            {
                Only = Json.Maybe(Json.List(Json.Long))(Json.Field(fields, "only")),
                Seat = Json.Long(Json.Field(fields, "seat")),
                Horses = Json.List(Json.Long)(Json.Field(fields, "horses")),
            };
        }

        public static Exchange Exchange(object json)
        {
            var fields = Json.Object(json);
            return new Exchange
            {
                Card = Json.Text(Json.Field(fields, "card")),
            };
        }

        public static FavouriteNamed FavouriteNamed(object json)
        {
            var fields = Json.Object(json);
            return new FavouriteNamed
            {
                Only = Json.Maybe(Json.List(Json.Long))(Json.Field(fields, "only")),
                Seat = Json.Long(Json.Field(fields, "seat")),
                Horse = Json.Nullable(Json.Long)(Json.Field(fields, "horse")),
            };
        }

        public static FeeCharged FeeCharged(object json)
        {
            var fields = Json.Object(json);
            return new FeeCharged
            {
                Only = Json.Maybe(Json.List(Json.Long))(Json.Field(fields, "only")),
                Seat = Json.Long(Json.Field(fields, "seat")),
                Office = Json.Text(Json.Field(fields, "office")),
                Holder = Json.Nullable(Json.Long)(Json.Field(fields, "holder")),
                Amount = Json.Long(Json.Field(fields, "amount")),
            };
        }

        public static FortunesPublished FortunesPublished(object json)
        {
            var fields = Json.Object(json);
            return new FortunesPublished
            {
                Only = Json.Maybe(Json.List(Json.Long))(Json.Field(fields, "only")),
                Fortunes = Json.List(Json.Long)(Json.Field(fields, "fortunes")),
            };
        }

        public static FrostMet FrostMet(object json)
        {
            var fields = Json.Object(json);
            return new FrostMet
            {
                Only = Json.Maybe(Json.List(Json.Long))(Json.Field(fields, "only")),
                Horse = Json.Long(Json.Field(fields, "horse")),
                IsHeld = Json.Bool(Json.Field(fields, "is_held")),
            };
        }

        public static GameOpened GameOpened(object json)
        {
            var fields = Json.Object(json);
            return new GameOpened
            {
                Only = Json.Maybe(Json.List(Json.Long))(Json.Field(fields, "only")),
                Edition = Json.Text(Json.Field(fields, "edition")),
                Banker = Json.Long(Json.Field(fields, "banker")),
                Dealer = Json.Long(Json.Field(fields, "dealer")),
            };
        }

        public static HandDealt HandDealt(object json)
        {
            var fields = Json.Object(json);
            return new HandDealt
            {
                Only = Json.Maybe(Json.List(Json.Long))(Json.Field(fields, "only")),
                Seat = Json.Long(Json.Field(fields, "seat")),
                Cards = Json.List(Json.Text)(Json.Field(fields, "cards")),
            };
        }

        public static HandShown HandShown(object json)
        {
            var fields = Json.Object(json);
            return new HandShown
            {
                Only = Json.Maybe(Json.List(Json.Long))(Json.Field(fields, "only")),
                Seat = Json.Long(Json.Field(fields, "seat")),
                Cards = Json.List(Json.Text)(Json.Field(fields, "cards")),
                Price = Json.Long(Json.Field(fields, "price")),
            };
        }

        public static HazardMet HazardMet(object json)
        {
            var fields = Json.Object(json);
            return new HazardMet
            {
                Only = Json.Maybe(Json.List(Json.Long))(Json.Field(fields, "only")),
                Horse = Json.Long(Json.Field(fields, "horse")),
                Report = Json.Text(Json.Field(fields, "report")),
            };
        }

        public static Horse Horse(object json)
        {
            var fields = Json.Object(json);
            return new Horse
            {
                Owner = Json.Long(Json.Field(fields, "owner")),
                Fate = Json.Text(Json.Field(fields, "fate")),
                Progress = Json.Long(Json.Field(fields, "progress")),
                Square = Json.Nullable(Json.Long)(Json.Field(fields, "square")),
                Advantages = Json.Long(Json.Field(fields, "advantages")),
                Disadvantages = Json.Long(Json.Field(fields, "disadvantages")),
                IsFrozen = Json.Bool(Json.Field(fields, "is_frozen")),
                Row = Json.Long(Json.Field(fields, "row")),
                Lane = Json.Long(Json.Field(fields, "lane")),
                IsDown = Json.Bool(Json.Field(fields, "is_down")),
                IsWaiting = Json.Bool(Json.Field(fields, "is_waiting")),
            };
        }

        public static HorseAssigned HorseAssigned(object json)
        {
            var fields = Json.Object(json);
            return new HorseAssigned
            {
                Only = Json.Maybe(Json.List(Json.Long))(Json.Field(fields, "only")),
                Horse = Json.Long(Json.Field(fields, "horse")),
                Seller = Json.Long(Json.Field(fields, "seller")),
                Buyer = Json.Long(Json.Field(fields, "buyer")),
                Price = Json.Long(Json.Field(fields, "price")),
            };
        }

        public static HorseColour HorseColour(object json)
        {
            var fields = Json.Object(json);
            return new HorseColour
            {
                Colour = Json.Text(Json.Field(fields, "colour")),
                Letter = Json.Text(Json.Field(fields, "letter")),
                Stable = Json.Text(Json.Field(fields, "stable")),
                Advantages = Json.Long(Json.Field(fields, "advantages")),
                ExtraRows = Json.Long(Json.Field(fields, "extra_rows")),
            };
        }

        public static HorseDisqualified HorseDisqualified(object json)
        {
            var fields = Json.Object(json);
            return new HorseDisqualified
            {
                Only = Json.Maybe(Json.List(Json.Long))(Json.Field(fields, "only")),
                Horse = Json.Long(Json.Field(fields, "horse")),
            };
        }

        public static HorseEliminated HorseEliminated(object json)
        {
            var fields = Json.Object(json);
            return new HorseEliminated
            {
                Only = Json.Maybe(Json.List(Json.Long))(Json.Field(fields, "only")),
                Horse = Json.Long(Json.Field(fields, "horse")),
            };
        }

        public static HorseEntered HorseEntered(object json)
        {
            var fields = Json.Object(json);
            return new HorseEntered
            {
                Only = Json.Maybe(Json.List(Json.Long))(Json.Field(fields, "only")),
                Horse = Json.Long(Json.Field(fields, "horse")),
                Seat = Json.Long(Json.Field(fields, "seat")),
            };
        }

        public static HorseFell HorseFell(object json)
        {
            var fields = Json.Object(json);
            return new HorseFell
            {
                Only = Json.Maybe(Json.List(Json.Long))(Json.Field(fields, "only")),
                Horse = Json.Long(Json.Field(fields, "horse")),
            };
        }

        public static HorseHeld HorseHeld(object json)
        {
            var fields = Json.Object(json);
            return new HorseHeld
            {
                Only = Json.Maybe(Json.List(Json.Long))(Json.Field(fields, "only")),
                Horse = Json.Long(Json.Field(fields, "horse")),
            };
        }

        public static HorseLease HorseLease(object json)
        {
            var fields = Json.Object(json);
            return new HorseLease
            {
                Number = Json.Long(Json.Field(fields, "number")),
                Colour = Json.Text(Json.Field(fields, "colour")),
                Price = Json.Long(Json.Field(fields, "price")),
                En = Json.Text(Json.Field(fields, "en")),
                Fr = Json.Text(Json.Field(fields, "fr")),
            };
        }

        public static HorseLost HorseLost(object json)
        {
            var fields = Json.Object(json);
            return new HorseLost
            {
                Only = Json.Maybe(Json.List(Json.Long))(Json.Field(fields, "only")),
                Horse = Json.Long(Json.Field(fields, "horse")),
            };
        }

        public static HorseMoved HorseMoved(object json)
        {
            var fields = Json.Object(json);
            return new HorseMoved
            {
                Only = Json.Maybe(Json.List(Json.Long))(Json.Field(fields, "only")),
                Horse = Json.Long(Json.Field(fields, "horse")),
                Path = Json.List(Json.List(Json.Long))(Json.Field(fields, "path")),
                Why = Json.Text(Json.Field(fields, "why")),
            };
        }

        public static HorsePassed HorsePassed(object json)
        {
            var fields = Json.Object(json);
            return new HorsePassed
            {
                Only = Json.Maybe(Json.List(Json.Long))(Json.Field(fields, "only")),
                Horse = Json.Long(Json.Field(fields, "horse")),
                Disadvantages = Json.Long(Json.Field(fields, "disadvantages")),
            };
        }

        public static HorseScratched HorseScratched(object json)
        {
            var fields = Json.Object(json);
            return new HorseScratched
            {
                Only = Json.Maybe(Json.List(Json.Long))(Json.Field(fields, "only")),
                Horse = Json.Long(Json.Field(fields, "horse")),
            };
        }

        public static HorseTrained HorseTrained(object json)
        {
            var fields = Json.Object(json);
            return new HorseTrained
            {
                Only = Json.Maybe(Json.List(Json.Long))(Json.Field(fields, "only")),
                Horse = Json.Long(Json.Field(fields, "horse")),
                Square = Json.Nullable(Json.Long)(Json.Field(fields, "square")),
            };
        }

        public static HorseWaits HorseWaits(object json)
        {
            var fields = Json.Object(json);
            return new HorseWaits
            {
                Only = Json.Maybe(Json.List(Json.Long))(Json.Field(fields, "only")),
                Horse = Json.Long(Json.Field(fields, "horse")),
            };
        }

        public static Inscription Inscription(object json)
        {
            var fields = Json.Object(json);
            return new Inscription
            {
                Code = Json.Text(Json.Field(fields, "code")),
                Effect = Json.Text(Json.Field(fields, "effect")),
                En = Json.Text(Json.Field(fields, "en")),
                Fr = Json.Text(Json.Field(fields, "fr")),
                Rows = Json.Nullable(Json.Long)(Json.Field(fields, "rows")),
                Lanes = Json.Maybe(Json.Text)(Json.Field(fields, "lanes")),
                Report = Json.Maybe(Json.Text)(Json.Field(fields, "report")),
            };
        }

        public static InscriptionObeyed InscriptionObeyed(object json)
        {
            var fields = Json.Object(json);
            return new InscriptionObeyed
            {
                Only = Json.Maybe(Json.List(Json.Long))(Json.Field(fields, "only")),
                Horse = Json.Long(Json.Field(fields, "horse")),
                Code = Json.Text(Json.Field(fields, "code")),
                HasEffect = Json.Bool(Json.Field(fields, "has_effect")),
            };
        }

        public static Intervened Intervened(object json)
        {
            var fields = Json.Object(json);
            return new Intervened
            {
                Only = Json.Maybe(Json.List(Json.Long))(Json.Field(fields, "only")),
                By = Json.Maybe(Json.Text)(Json.Field(fields, "by")),
                Reason = Json.Text(Json.Field(fields, "reason")),
            };
        }

        public static JoinClub JoinClub(object json)
        {
            return new JoinClub();
        }

        public static Loop Loop(object json)
        {
            var fields = Json.Object(json);
            return new Loop
            {
                Columns = Json.Long(Json.Field(fields, "columns")),
                Rows = Json.Long(Json.Field(fields, "rows")),
                Squares = Json.List(Read.Place)(Json.Field(fields, "squares")),
                Boxes = Json.Map(Read.Place)(Json.Field(fields, "boxes")),
            };
        }

        public static LotOpened LotOpened(object json)
        {
            var fields = Json.Object(json);
            return new LotOpened
            {
                Only = Json.Maybe(Json.List(Json.Long))(Json.Field(fields, "only")),
                Asset = Json.Text(Json.Field(fields, "asset")),
                Seller = Json.Nullable(Json.Long)(Json.Field(fields, "seller")),
            };
        }

        public static LotSold LotSold(object json)
        {
            var fields = Json.Object(json);
            return new LotSold
            {
                Only = Json.Maybe(Json.List(Json.Long))(Json.Field(fields, "only")),
                Asset = Json.Text(Json.Field(fields, "asset")),
                Seller = Json.Nullable(Json.Long)(Json.Field(fields, "seller")),
                Buyer = Json.Long(Json.Field(fields, "buyer")),
                Price = Json.Long(Json.Field(fields, "price")),
                Commission = Json.Long(Json.Field(fields, "commission")),
            };
        }

        public static LotUnsold LotUnsold(object json)
        {
            var fields = Json.Object(json);
            return new LotUnsold
            {
                Only = Json.Maybe(Json.List(Json.Long))(Json.Field(fields, "only")),
                Asset = Json.Text(Json.Field(fields, "asset")),
            };
        }

        public static LotView LotView(object json)
        {
            var fields = Json.Object(json);
            return new LotView
            {
                Asset = Json.Text(Json.Field(fields, "asset")),
                Seller = Json.Nullable(Json.Long)(Json.Field(fields, "seller")),
                OpenTo = Json.List(Json.Long)(Json.Field(fields, "open_to")),
                Bidder = Json.Nullable(Json.Long)(Json.Field(fields, "bidder")),
                Price = Json.Long(Json.Field(fields, "price")),
                Least = Json.Long(Json.Field(fields, "least")),
            };
        }

        public static Move Move(object json)
        {
            var fields = Json.Object(json);
            return new Move
            {
                Lane = Json.Long(Json.Field(fields, "lane")),
            };
        }

        public static NameFavourite NameFavourite(object json)
        {
            var fields = Json.Object(json);
            return new NameFavourite
            {
                Horse = Json.Nullable(Json.Long)(Json.Field(fields, "horse")),
            };
        }

        public static NoBet NoBet(object json)
        {
            var fields = Json.Object(json);
            return new NoBet
            {
                Horse = Json.Long(Json.Field(fields, "horse")),
            };
        }

        public static Nominate Nominate(object json)
        {
            var fields = Json.Object(json);
            return new Nominate
            {
                Candidate = Json.Long(Json.Field(fields, "candidate")),
            };
        }

        public static Nominated Nominated(object json)
        {
            var fields = Json.Object(json);
            return new Nominated
            {
                Only = Json.Maybe(Json.List(Json.Long))(Json.Field(fields, "only")),
                Seat = Json.Long(Json.Field(fields, "seat")),
                Candidate = Json.Long(Json.Field(fields, "candidate")),
            };
        }

        public static Object Object(object json)
        {
            var fields = Json.Object(json);
            return new Object
            {
                Horse = Json.Long(Json.Field(fields, "horse")),
            };
        }

        public static ObjectionsAwaited ObjectionsAwaited(object json)
        {
            var fields = Json.Object(json);
            return new ObjectionsAwaited
            {
                Only = Json.Maybe(Json.List(Json.Long))(Json.Field(fields, "only")),
                Horses = Json.List(Json.Long)(Json.Field(fields, "horses")),
            };
        }

        public static Offer Offer(object json)
        {
            var fields = Json.Object(json);
            return new Offer
            {
                To = Json.Nullable(Json.Long)(Json.Field(fields, "to")),
                Gives = Json.Maybe(Json.List(Json.Text))(Json.Field(fields, "gives")),
                Takes = Json.Maybe(Json.List(Json.Text))(Json.Field(fields, "takes")),
                Pays = Json.Nullable(Json.Long)(Json.Field(fields, "pays")),
                Asks = Json.Nullable(Json.Long)(Json.Field(fields, "asks")),
            };
        }

        public static OfferAccepted OfferAccepted(object json)
        {
            var fields = Json.Object(json);
            return new OfferAccepted
            {
                Only = Json.Maybe(Json.List(Json.Long))(Json.Field(fields, "only")),
                Offer = Json.Long(Json.Field(fields, "offer")),
                Seat = Json.Long(Json.Field(fields, "seat")),
            };
        }

        public static OfferClosed OfferClosed(object json)
        {
            var fields = Json.Object(json);
            return new OfferClosed
            {
                Only = Json.Maybe(Json.List(Json.Long))(Json.Field(fields, "only")),
                Offer = Json.Long(Json.Field(fields, "offer")),
                Why = Json.Text(Json.Field(fields, "why")),
            };
        }

        public static OfferDeclined OfferDeclined(object json)
        {
            var fields = Json.Object(json);
            return new OfferDeclined
            {
                Only = Json.Maybe(Json.List(Json.Long))(Json.Field(fields, "only")),
                Offer = Json.Long(Json.Field(fields, "offer")),
                Seat = Json.Long(Json.Field(fields, "seat")),
            };
        }

        public static OfferMade OfferMade(object json)
        {
            var fields = Json.Object(json);
            return new OfferMade
            {
                Only = Json.Maybe(Json.List(Json.Long))(Json.Field(fields, "only")),
                Details = Read.OpenOffer(Json.Field(fields, "details")),
            };
        }

        public static OfficeLease OfficeLease(object json)
        {
            var fields = Json.Object(json);
            return new OfficeLease
            {
                Office = Json.Text(Json.Field(fields, "office")),
                Price = Json.Long(Json.Field(fields, "price")),
                En = Json.Text(Json.Field(fields, "en")),
                Fr = Json.Text(Json.Field(fields, "fr")),
            };
        }

        public static OpenOffer OpenOffer(object json)
        {
            var fields = Json.Object(json);
            return new OpenOffer
            {
                Number = Json.Long(Json.Field(fields, "number")),
                Seat = Json.Long(Json.Field(fields, "seat")),
                To = Json.Nullable(Json.Long)(Json.Field(fields, "to")),
                Gives = Json.List(Json.Text)(Json.Field(fields, "gives")),
                Takes = Json.List(Json.Text)(Json.Field(fields, "takes")),
                Pays = Json.Long(Json.Field(fields, "pays")),
                Asks = Json.Long(Json.Field(fields, "asks")),
                Declined = Json.List(Json.Long)(Json.Field(fields, "declined")),
            };
        }

        public static OwnView OwnView(object json)
        {
            var fields = Json.Object(json);
            return new OwnView
            {
                Seat = Json.Long(Json.Field(fields, "seat")),
                Hand = Json.List(Json.Text)(Json.Field(fields, "hand")),
                Reserved = Json.Long(Json.Field(fields, "reserved")),
                BidLimit = Json.Long(Json.Field(fields, "bid_limit")),
                Discards = Json.Maybe(Json.List(Json.Text))(Json.Field(fields, "discards")),
            };
        }

        public static Pass Pass(object json)
        {
            var fields = Json.Object(json);
            return new Pass
            {
                Asset = Json.Text(Json.Field(fields, "asset")),
            };
        }

        public static Place Place(object json)
        {
            var fields = Json.Object(json);
            return new Place
            {
                Column = Json.Long(Json.Field(fields, "column")),
                Row = Json.Long(Json.Field(fields, "row")),
            };
        }

        public static PlaceBet PlaceBet(object json)
        {
            var fields = Json.Object(json);
            return new PlaceBet
            {
                Horse = Json.Long(Json.Field(fields, "horse")),
                Stake = Json.Long(Json.Field(fields, "stake")),
            };
        }

        public static PlayerView PlayerView(object json)
        {
            var fields = Json.Object(json);
            return new PlayerView
            {
                Cash = Json.Nullable(Json.Long)(Json.Field(fields, "cash")),
                Hand = Json.Long(Json.Field(fields, "hand")),
                IsMember = Json.Bool(Json.Field(fields, "is_member")),
                Reports = Json.List(Json.Text)(Json.Field(fields, "reports")),
                Favourite = Json.Nullable(Json.Long)(Json.Field(fields, "favourite")),
                Advantages = Json.Map(Json.Long)(Json.Field(fields, "advantages")),
                Disadvantages = Json.Long(Json.Field(fields, "disadvantages")),
            };
        }

        public static PreliminariesOpened PreliminariesOpened(object json)
        {
            var fields = Json.Object(json);
            return new PreliminariesOpened
            {
                Only = Json.Maybe(Json.List(Json.Long))(Json.Field(fields, "only")),
                RunnersEach = Json.Long(Json.Field(fields, "runners_each")),
            };
        }

        public static PrizePaid PrizePaid(object json)
        {
            var fields = Json.Object(json);
            return new PrizePaid
            {
                Only = Json.Maybe(Json.List(Json.Long))(Json.Field(fields, "only")),
                Seat = Json.Long(Json.Field(fields, "seat")),
                Place = Json.Long(Json.Field(fields, "place")),
                Amount = Json.Long(Json.Field(fields, "amount")),
            };
        }

        public static ProposePlaceBet ProposePlaceBet(object json)
        {
            var fields = Json.Object(json);
            return new ProposePlaceBet
            {
                Horse = Json.Long(Json.Field(fields, "horse")),
                Stake = Json.Long(Json.Field(fields, "stake")),
                Payout = Json.Long(Json.Field(fields, "payout")),
            };
        }

        public static PutUp PutUp(object json)
        {
            var fields = Json.Object(json);
            return new PutUp
            {
                Asset = Json.Text(Json.Field(fields, "asset")),
            };
        }

        public static RaceEnded RaceEnded(object json)
        {
            var fields = Json.Object(json);
            return new RaceEnded
            {
                Only = Json.Maybe(Json.List(Json.Long))(Json.Field(fields, "only")),
                Placed = Json.List(Json.Long)(Json.Field(fields, "placed")),
            };
        }

        public static RaceThrown RaceThrown(object json)
        {
            var fields = Json.Object(json);
            return new RaceThrown
            {
                Only = Json.Maybe(Json.List(Json.Long))(Json.Field(fields, "only")),
                Seat = Json.Long(Json.Field(fields, "seat")),
                Die = Json.Long(Json.Field(fields, "die")),
            };
        }

        public static RaceView RaceView(object json)
        {
            var fields = Json.Object(json);
            return new RaceView
            {
                Seat = Json.Long(Json.Field(fields, "seat")),
                Step = Json.Text(Json.Field(fields, "step")),
                Die = Json.Long(Json.Field(fields, "die")),
                Horse = Json.Long(Json.Field(fields, "horse")),
                Left = Json.List(Json.Long)(Json.Field(fields, "left")),
                Assignable = Json.List(Json.Long)(Json.Field(fields, "assignable")),
                Ways = Json.Map(Json.List(Json.List(Json.Long)))(Json.Field(fields, "ways")),
                Choices = Json.List(Json.Text)(Json.Field(fields, "choices")),
                HasUsedColour = Json.Bool(Json.Field(fields, "has_used_colour")),
                HasUsedInscription = Json.Bool(Json.Field(fields, "has_used_inscription")),
                Hazard = Json.Maybe(Json.Text)(Json.Field(fields, "hazard")),
                Arrivals = Json.List(Read.Arrival)(Json.Field(fields, "arrivals")),
            };
        }

        public static Ready Ready(object json)
        {
            return new Ready();
        }

        public static Report Report(object json)
        {
            var fields = Json.Object(json);
            return new Report
            {
                Pack = Json.Text(Json.Field(fields, "pack")),
                Code = Json.Text(Json.Field(fields, "code")),
                Copies = Json.Long(Json.Field(fields, "copies")),
                Effect = Json.Text(Json.Field(fields, "effect")),
                En = Json.Text(Json.Field(fields, "en")),
                Fr = Json.Text(Json.Field(fields, "fr")),
                Amount = Json.Nullable(Json.Long)(Json.Field(fields, "amount")),
                Keeps = Json.Maybe(Json.Text)(Json.Field(fields, "keeps")),
            };
        }

        public static ReportKept ReportKept(object json)
        {
            var fields = Json.Object(json);
            return new ReportKept
            {
                Only = Json.Maybe(Json.List(Json.Long))(Json.Field(fields, "only")),
                Seat = Json.Long(Json.Field(fields, "seat")),
                Report = Json.Text(Json.Field(fields, "report")),
            };
        }

        public static ReportTaken ReportTaken(object json)
        {
            var fields = Json.Object(json);
            return new ReportTaken
            {
                Only = Json.Maybe(Json.List(Json.Long))(Json.Field(fields, "only")),
                Seat = Json.Long(Json.Field(fields, "seat")),
                Pack = Json.Text(Json.Field(fields, "pack")),
                Card = Json.Text(Json.Field(fields, "card")),
            };
        }

        public static ReportUsed ReportUsed(object json)
        {
            var fields = Json.Object(json);
            return new ReportUsed
            {
                Only = Json.Maybe(Json.List(Json.Long))(Json.Field(fields, "only")),
                Seat = Json.Long(Json.Field(fields, "seat")),
                Horse = Json.Long(Json.Field(fields, "horse")),
                Report = Json.Text(Json.Field(fields, "report")),
            };
        }

        public static RunnerCalled RunnerCalled(object json)
        {
            var fields = Json.Object(json);
            return new RunnerCalled
            {
                Only = Json.Maybe(Json.List(Json.Long))(Json.Field(fields, "only")),
                Horse = Json.Long(Json.Field(fields, "horse")),
                FavouriteOf = Json.Nullable(Json.Long)(Json.Field(fields, "favourite_of")),
            };
        }

        public static SeatColour SeatColour(object json)
        {
            var fields = Json.Object(json);
            return new SeatColour
            {
                Name = Read.Text(Json.Field(fields, "name")),
                Hex = Json.Text(Json.Field(fields, "hex")),
            };
        }

        public static Square Square(object json)
        {
            var fields = Json.Object(json);
            return new Square
            {
                Number = Json.Long(Json.Field(fields, "number")),
                Effect = Json.Text(Json.Field(fields, "effect")),
                En = Json.Text(Json.Field(fields, "en")),
                Fr = Json.Text(Json.Field(fields, "fr")),
                Header = Json.Maybe(Json.Text)(Json.Field(fields, "header")),
                Amount = Json.Nullable(Json.Long)(Json.Field(fields, "amount")),
            };
        }

        public static StartThrown StartThrown(object json)
        {
            var fields = Json.Object(json);
            return new StartThrown
            {
                Only = Json.Maybe(Json.List(Json.Long))(Json.Field(fields, "only")),
                Seat = Json.Long(Json.Field(fields, "seat")),
                Die = Json.Long(Json.Field(fields, "die")),
            };
        }

        public static StarterFound StarterFound(object json)
        {
            var fields = Json.Object(json);
            return new StarterFound
            {
                Only = Json.Maybe(Json.List(Json.Long))(Json.Field(fields, "only")),
                Seat = Json.Long(Json.Field(fields, "seat")),
            };
        }

        public static Strangled Strangled(object json)
        {
            var fields = Json.Object(json);
            return new Strangled
            {
                Only = Json.Maybe(Json.List(Json.Long))(Json.Field(fields, "only")),
                Seat = Json.Long(Json.Field(fields, "seat")),
            };
        }

        public static TakeReport TakeReport(object json)
        {
            var fields = Json.Object(json);
            return new TakeReport
            {
                Pack = Json.Text(Json.Field(fields, "pack")),
            };
        }

        public static Tariff Tariff(object json)
        {
            var fields = Json.Object(json);
            return new Tariff
            {
                Notes = Json.List(Json.List(Json.Long))(Json.Field(fields, "notes")),
                SmallestNote = Json.Long(Json.Field(fields, "smallest_note")),
                CommissionPercent = Json.Long(Json.Field(fields, "commission_percent")),
                EntryFee = Json.Long(Json.Field(fields, "entry_fee")),
                MemberCards = Json.Long(Json.Field(fields, "member_cards")),
                Disadvantages = Json.Long(Json.Field(fields, "disadvantages")),
                TicketsPerHorse = Json.Long(Json.Field(fields, "tickets_per_horse")),
                RunnersMax = Json.Long(Json.Field(fields, "runners_max")),
                RunnersMaxOfTwo = Json.Long(Json.Field(fields, "runners_max_of_two")),
            };
        }

        public static Text Text(object json)
        {
            var fields = Json.Object(json);
            return new Text
            {
                En = Json.Text(Json.Field(fields, "en")),
                Fr = Json.Text(Json.Field(fields, "fr")),
            };
        }

        public static Throw Throw(object json)
        {
            return new Throw();
        }

        public static ThrowAssigned ThrowAssigned(object json)
        {
            var fields = Json.Object(json);
            return new ThrowAssigned
            {
                Only = Json.Maybe(Json.List(Json.Long))(Json.Field(fields, "only")),
                Horse = Json.Long(Json.Field(fields, "horse")),
                Die = Json.Long(Json.Field(fields, "die")),
            };
        }

        public static ThrowWasted ThrowWasted(object json)
        {
            var fields = Json.Object(json);
            return new ThrowWasted
            {
                Only = Json.Maybe(Json.List(Json.Long))(Json.Field(fields, "only")),
                Horse = Json.Long(Json.Field(fields, "horse")),
                Why = Json.Text(Json.Field(fields, "why")),
            };
        }

        public static Ticket Ticket(object json)
        {
            var fields = Json.Object(json);
            return new Ticket
            {
                Bet = Json.Long(Json.Field(fields, "bet")),
                Seat = Json.Long(Json.Field(fields, "seat")),
                Horse = Json.Long(Json.Field(fields, "horse")),
                Stake = Json.Long(Json.Field(fields, "stake")),
            };
        }

        public static TotalisatorPaid TotalisatorPaid(object json)
        {
            var fields = Json.Object(json);
            return new TotalisatorPaid
            {
                Only = Json.Maybe(Json.List(Json.Long))(Json.Field(fields, "only")),
                Total = Json.Long(Json.Field(fields, "total")),
                Backed = Json.Long(Json.Field(fields, "backed")),
                Factor = Json.Nullable(Json.Long)(Json.Field(fields, "factor")),
            };
        }

        public static TrainingThrown TrainingThrown(object json)
        {
            var fields = Json.Object(json);
            return new TrainingThrown
            {
                Only = Json.Maybe(Json.List(Json.Long))(Json.Field(fields, "only")),
                Seat = Json.Long(Json.Field(fields, "seat")),
                Dice = Json.List(Json.Long)(Json.Field(fields, "dice")),
            };
        }

        public static TrainingView TrainingView(object json)
        {
            var fields = Json.Object(json);
            return new TrainingView
            {
                Seat = Json.Long(Json.Field(fields, "seat")),
                Step = Json.Text(Json.Field(fields, "step")),
                Dice = Json.Maybe(Json.List(Json.Long))(Json.Field(fields, "dice")),
                Queue = Json.List(Json.Long)(Json.Field(fields, "queue")),
                HasDrawn = Json.Bool(Json.Field(fields, "has_drawn")),
                Pack = Json.Maybe(Json.Text)(Json.Field(fields, "pack")),
                Card = Json.Maybe(Json.Text)(Json.Field(fields, "card")),
                Fee = Json.Long(Json.Field(fields, "fee")),
            };
        }

        public static TurnSkipped TurnSkipped(object json)
        {
            var fields = Json.Object(json);
            return new TurnSkipped
            {
                Only = Json.Maybe(Json.List(Json.Long))(Json.Field(fields, "only")),
                Seat = Json.Long(Json.Field(fields, "seat")),
            };
        }

        public static UseReport UseReport(object json)
        {
            return new UseReport();
        }

        public static Withdraw Withdraw(object json)
        {
            var fields = Json.Object(json);
            return new Withdraw
            {
                Offer = Json.Long(Json.Field(fields, "offer")),
            };
        }

        public static ICommand Command(object json)
        {
            switch (Json.Tag(json))
            {
                case "nominate":
                    return Nominate(json);
                case "exchange":
                    return Exchange(json);
                case "discard":
                    return Discard(json);
                case "bid":
                    return Bid(json);
                case "pass":
                    return Pass(json);
                case "put_up":
                    return PutUp(json);
                case "take_report":
                    return TakeReport(json);
                case "apply_report":
                    return ApplyReport(json);
                case "throw":
                    return Throw(json);
                case "join_club":
                    return JoinClub(json);
                case "decline_club":
                    return DeclineClub(json);
                case "offer":
                    return Offer(json);
                case "accept":
                    return Accept(json);
                case "decline":
                    return Decline(json);
                case "withdraw":
                    return Withdraw(json);
                case "enter":
                    return Enter(json);
                case "ready":
                    return Ready(json);
                case "name_favourite":
                    return NameFavourite(json);
                case "place_bet":
                    return PlaceBet(json);
                case "no_bet":
                    return NoBet(json);
                case "propose_place_bet":
                    return ProposePlaceBet(json);
                case "accept_place_bet":
                    return AcceptPlaceBet(json);
                case "decline_place_bet":
                    return DeclinePlaceBet(json);
                case "assign":
                    return Assign(json);
                case "move":
                    return Move(json);
                case "choose_colour":
                    return ChooseColour(json);
                case "use_report":
                    return UseReport(json);
                case "decline_report":
                    return DeclineReport(json);
                case "object":
                    return Object(json);
                case "confirm":
                    return Confirm(json);
                default:
                    return new Unknown
                    {
                        Type = Json.Tag(json),
                        Fields = Json.Object(json),
                    };
            }
        }

        public static IEvent Event(object json)
        {
            switch (Json.Tag(json))
            {
                case "bet_placed":
                    return BetPlaced(json);
                case "bet_settled":
                    return BetSettled(json);
                case "game_opened":
                    return GameOpened(json);
                case "hand_dealt":
                    return HandDealt(json);
                case "nominated":
                    return Nominated(json);
                case "auctioneer_named":
                    return AuctioneerNamed(json);
                case "card_exchanged":
                    return CardExchanged(json);
                case "card_taken":
                    return CardTaken(json);
                case "discards_made":
                    return DiscardsMade(json);
                case "lot_opened":
                    return LotOpened(json);
                case "bid_made":
                    return BidMade(json);
                case "bidder_left":
                    return BidderLeft(json);
                case "lot_sold":
                    return LotSold(json);
                case "lot_unsold":
                    return LotUnsold(json);
                case "hand_shown":
                    return HandShown(json);
                case "debt_opened":
                    return DebtOpened(json);
                case "debt_closed":
                    return DebtClosed(json);
                case "training_thrown":
                    return TrainingThrown(json);
                case "horse_trained":
                    return HorseTrained(json);
                case "horse_held":
                    return HorseHeld(json);
                case "frost_met":
                    return FrostMet(json);
                case "report_taken":
                    return ReportTaken(json);
                case "report_kept":
                    return ReportKept(json);
                case "advantages_gained":
                    return AdvantagesGained(json);
                case "disadvantages_gained":
                    return DisadvantagesGained(json);
                case "disadvantages_cleared":
                    return DisadvantagesCleared(json);
                case "strangled":
                    return Strangled(json);
                case "turn_skipped":
                    return TurnSkipped(json);
                case "horse_eliminated":
                    return HorseEliminated(json);
                case "club_offered":
                    return ClubOffered(json);
                case "club_joined":
                    return ClubJoined(json);
                case "fee_charged":
                    return FeeCharged(json);
                case "preliminaries_opened":
                    return PreliminariesOpened(json);
                case "offer_made":
                    return OfferMade(json);
                case "offer_accepted":
                    return OfferAccepted(json);
                case "offer_declined":
                    return OfferDeclined(json);
                case "offer_closed":
                    return OfferClosed(json);
                case "entry_chosen":
                    return EntryChosen(json);
                case "horse_assigned":
                    return HorseAssigned(json);
                case "horse_entered":
                    return HorseEntered(json);
                case "horse_scratched":
                    return HorseScratched(json);
                case "favourite_named":
                    return FavouriteNamed(json);
                case "runner_called":
                    return RunnerCalled(json);
                case "bet_refrained":
                    return BetRefrained(json);
                case "contract_proposed":
                    return ContractProposed(json);
                case "contract_answered":
                    return ContractAnswered(json);
                case "contract_settled":
                    return ContractSettled(json);
                case "start_thrown":
                    return StartThrown(json);
                case "starter_found":
                    return StarterFound(json);
                case "race_thrown":
                    return RaceThrown(json);
                case "throw_assigned":
                    return ThrowAssigned(json);
                case "throw_wasted":
                    return ThrowWasted(json);
                case "horse_moved":
                    return HorseMoved(json);
                case "colour_used":
                    return ColourUsed(json);
                case "inscription_obeyed":
                    return InscriptionObeyed(json);
                case "hazard_met":
                    return HazardMet(json);
                case "report_used":
                    return ReportUsed(json);
                case "horse_fell":
                    return HorseFell(json);
                case "horse_lost":
                    return HorseLost(json);
                case "horse_waits":
                    return HorseWaits(json);
                case "horse_passed":
                    return HorsePassed(json);
                case "horse_disqualified":
                    return HorseDisqualified(json);
                case "objections_awaited":
                    return ObjectionsAwaited(json);
                case "race_ended":
                    return RaceEnded(json);
                case "prize_paid":
                    return PrizePaid(json);
                case "totalisator_paid":
                    return TotalisatorPaid(json);
                case "fortunes_published":
                    return FortunesPublished(json);
                case "bet_voided":
                    return BetVoided(json);
                case "intervened":
                    return Intervened(json);
                default:
                    return new Unknown
                    {
                        Type = Json.Tag(json),
                        Fields = Json.Object(json),
                    };
            }
        }

        public static AscotBook Book(object json)
        {
            return Read.AscotBook(json);
        }

        public static AscotOptions Options(object json)
        {
            return Read.AscotOptions(json);
        }

        public static AscotView View(object json)
        {
            return Read.AscotView(json);
        }
    }
}
