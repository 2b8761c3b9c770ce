// Generated from schema/openapi.yaml by `python -m sdk.generate`: do not edit.
using System;
using System.Collections.Generic;

namespace Railbird.Games.ReadySetBet
{
    public interface IExoticCondition
    {
    }

    public interface IVipCardEffect
    {
    }

    public interface ICommand
    {
    }

    public interface IEvent
    {
    }

    /// <summary>A value of a kind that this client does not know.</summary>
    public sealed class Unknown : IExoticCondition, IVipCardEffect, ICommand, IEvent
    {
        public string Type;
        public Dictionary<string, object> Fields;
    }

    /// <summary>Every horse has moved at least `spaces`.</summary>
    public sealed class AllMoved : Value, IExoticCondition
    {
        public const string Type = "all_moved";
        public long Spaces;

        public override Dictionary<string, object> ToJson()
        {
            var json = new Dictionary<string, object>();
            json["type"] = Type;
            json["spaces"] = Spaces;
            return json;
        }
    }

    /// <summary>This seat is asked to announce the race.</summary>
    public sealed class AnnouncerAsked : IEvent
    {
        public const string Type = "announcer_asked";
        public List<long> Only;
        public long Race;
        public long Seat;
    }

    /// <summary>
    /// This seat announces from this race on. `volunteered` is false if a draw or the rule
    /// decided.
    /// </summary>
    public sealed class AnnouncerNamed : IEvent
    {
        public const string Type = "announcer_named";
        public List<long> Only;
        public long Race;
        public long Seat;
        public bool Volunteered;
    }

    /// <summary>
    /// The bank paid the announcer `amount`: the starting money, or the compensation for VIP cards
    /// that an announcer cannot use.
    /// </summary>
    public sealed class AnnouncerPaid : IEvent
    {
        public const string Type = "announcer_paid";
        public List<long> Only;
        public long Race;
        public long Seat;
        public long Amount;
        public long Money;
    }

    /// <summary>Accept or decline the offer to announce the next race.</summary>
    public sealed class AnswerOffer : Value, ICommand
    {
        public const string Type = "answer_offer";
        public bool Accept;

        public override Dictionary<string, object> ToJson()
        {
            var json = new Dictionary<string, object>();
            json["type"] = Type;
            json["accept"] = Accept;
            return json;
        }
    }

    /// <summary>
    /// A token on a spot. `bet` numbers the bets of the game from 1; `bonus` is the colour of a
    /// bonus token. `outcome` and `payout` are set when the race is settled; a payout above zero
    /// goes to the seat, below zero to the bank.
    /// </summary>
    public sealed class Bet
    {
        public long BetValue;
        public long Seat;
        public string Spot;
        public long Token;
        /// <summary>One of "black", "white".</summary>
        public string Bonus;
        /// <summary>One of "lost", "won".</summary>
        public string Outcome;
        public long? Payout;
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

    /// <summary>The third horse crossed the red line; bets are closed.</summary>
    public sealed class BettingClosed : IEvent
    {
        public const string Type = "betting_closed";
        public List<long> Only;
        public long Race;
        public long Roll;
    }

    /// <summary>
    /// One more token. A lost bet with it costs `loss` on top of the spot's loss, or nothing at all
    /// if it cancels the spot's loss.
    /// </summary>
    public sealed class BonusToken : Value, IVipCardEffect
    {
        public const string Type = "bonus_token";
        /// <summary>One of "black", "white".</summary>
        public string Colour;
        public long Value;
        public long Loss;
        public bool CancelsSpotLoss;

        public override Dictionary<string, object> ToJson()
        {
            var json = new Dictionary<string, object>();
            json["type"] = Type;
            json["colour"] = Colour;
            json["value"] = Value;
            json["loss"] = Loss;
            json["cancels_spot_loss"] = CancelsSpotLoss;
            return json;
        }
    }

    /// <summary>Bet `bet` was made with the bonus token of its value and this colour.</summary>
    public sealed class BonusTokenUsed : IEvent
    {
        public const string Type = "bonus_token_used";
        public List<long> Only;
        public long Bet;
        /// <summary>One of "black", "white".</summary>
        public string Colour;
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

    /// <summary>Money from the bank at each such roll of a race, also after bets are closed.</summary>
    public sealed class DiceIncome : Value, IVipCardEffect
    {
        public const string Type = "dice_income";
        public List<string> On;
        public long Amount;

        public override Dictionary<string, object> ToJson()
        {
            var json = new Dictionary<string, object>();
            json["type"] = Type;
            json["on"] = On;
            json["amount"] = Amount;
            return json;
        }
    }

    /// <summary>The announcer may roll; `roll` counts the rolls made so far in this race.</summary>
    public sealed class DicePickedUp : IEvent
    {
        public const string Type = "dice_picked_up";
        public List<long> Only;
        public long Race;
        public long Roll;
    }

    /// <summary>
    /// An exotic finish, with three spots. Ruling 4.12: they are equal in the box; another deck may
    /// differ.
    /// </summary>
    public sealed class Exotic : Value
    {
        public string Card;
        public Text Title;
        public Text Text;
        public IExoticCondition Condition;
        public List<Odds> Spots;

        public override Dictionary<string, object> ToJson()
        {
            var json = new Dictionary<string, object>();
            json["card"] = Card;
            json["title"] = Title;
            json["text"] = Text;
            json["condition"] = Condition;
            json["spots"] = Spots;
            return json;
        }
    }

    /// <summary>One more exotic finish lies face up, from this race to the last.</summary>
    public sealed class ExoticRevealed : IEvent
    {
        public const string Type = "exotic_revealed";
        public List<long> Only;
        public long Race;
        public Exotic Exotic;
    }

    /// <summary>Money from the bank, once, when the card is kept.</summary>
    public sealed class FreeChips : Value, IVipCardEffect
    {
        public const string Type = "free_chips";
        public long Amount;

        public override Dictionary<string, object> ToJson()
        {
            var json = new Dictionary<string, object>();
            json["type"] = Type;
            json["amount"] = Amount;
            return json;
        }
    }

    /// <summary>
    /// The game is over. `ranking` lists seats, best first, ties together; `scores` is the money by
    /// seat.
    /// </summary>
    public sealed class GameEnded : IEvent
    {
        public const string Type = "game_ended";
        public List<long> Only;
        public List<List<long>> Ranking;
        public List<long> Scores;
    }

    /// <summary>
    /// One lane of the track. `horse` is the number printed on it, `sums` the rolls that move it,
    /// `bonus` the spaces that it gains at every second roll in a row.
    /// </summary>
    public sealed class Horse
    {
        /// <summary>One of "10", "11/12", "2/3", "4", "5", "6", "7", "8", "9".</summary>
        public string HorseValue;
        public List<long> Sums;
        /// <summary>One of "black", "blue", "orange", "pink".</summary>
        public string Colour;
        public long Bonus;
        public Text Name;
    }

    /// <summary>Lost bets cost nothing.</summary>
    public sealed class Insurance : Value, IVipCardEffect
    {
        public const string Type = "insurance";

        public override Dictionary<string, object> ToJson()
        {
            var json = new Dictionary<string, object>();
            json["type"] = Type;
            return json;
        }
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

    /// <summary>
    /// Keep one of the VIP cards that you were dealt. It stays secret until all seats have
    /// chosen.
    /// </summary>
    public sealed class KeepVip : Value, ICommand
    {
        public const string Type = "keep_vip";
        public string Card;

        public override Dictionary<string, object> ToJson()
        {
            var json = new Dictionary<string, object>();
            json["type"] = Type;
            json["card"] = Card;
            return json;
        }
    }

    /// <summary>Tokens of this value may be placed after the closing, until the finish.</summary>
    public sealed class LateBet : Value, IVipCardEffect
    {
        public const string Type = "late_bet";
        public long Token;

        public override Dictionary<string, object> ToJson()
        {
            var json = new Dictionary<string, object>();
            json["type"] = Type;
            json["token"] = Token;
            return json;
        }
    }

    /// <summary>
    /// The board as a grid of `width` by `height` units. `spots` has the places of the spots, by
    /// name. `rows` has the places of the horses' names, by horse, where result markers lie as well.
    /// `props` has the places of prop bets, from left to right, and `exotics` those of exotic finishes,
    /// one for each race; the three spots of a card are side by side. `decks` has the places of the
    /// decks `props`, `exotics` and `vip`.
    /// </summary>
    public sealed class Layout
    {
        public long Width;
        public long Height;
        public Dictionary<string, Place> Spots;
        public Dictionary<string, Place> Rows;
        public List<Place> Props;
        public List<Place> Exotics;
        public Dictionary<string, Place> Decks;
    }

    /// <summary>
    /// The result of the race for a seat: `gained` in full, `paid` as far as its money went, and the
    /// `money` that it holds now.
    /// </summary>
    public sealed class MoneySettled : IEvent
    {
        public const string Type = "money_settled";
        public List<long> Only;
        public long Race;
        public long Seat;
        public long Gained;
        public long Paid;
        public long Money;
    }

    /// <summary>Multiplier and loss of one spot.</summary>
    public sealed class Odds : Value
    {
        public long Gain;
        public long Loss;

        public override Dictionary<string, object> ToJson()
        {
            var json = new Dictionary<string, object>();
            json["gain"] = Gain;
            json["loss"] = Loss;
            return json;
        }
    }

    /// <summary>A seat accepted or declined to announce. A seat that does not answer in time declines.</summary>
    public sealed class OfferAnswered : IEvent
    {
        public const string Type = "offer_answered";
        public List<long> Only;
        public long Race;
        public long Seat;
        public bool Accept;
    }

    /// <summary>Tokens of this value may join exactly one token of another player.</summary>
    public sealed class Overlay : Value, IVipCardEffect
    {
        public const string Type = "overlay";
        public long Token;

        public override Dictionary<string, object> ToJson()
        {
            var json = new Dictionary<string, object>();
            json["type"] = Type;
            json["token"] = Token;
            return json;
        }
    }

    /// <summary>A rectangle on the board; `x` and `y` are its upper left corner.</summary>
    public sealed class Place
    {
        public long X;
        public long Y;
        public long Width;
        public long Height;
    }

    /// <summary>
    /// Put one of your tokens, named by its value, on a free spot. `bonus` is the colour of a bonus
    /// token.
    /// </summary>
    public sealed class PlaceBet : Value, ICommand
    {
        public const string Type = "place_bet";
        public string Spot;
        public long Token;
        /// <summary>One of "black", "white".</summary>
        public string Bonus;

        public override Dictionary<string, object> ToJson()
        {
            var json = new Dictionary<string, object>();
            json["type"] = Type;
            json["spot"] = Spot;
            json["token"] = Token;
            if (Bonus != null) json["bonus"] = Bonus;
            return json;
        }
    }

    /// <summary>
    /// The horses that won, placed and showed. The winner also places, and a horse that places also
    /// shows.
    /// </summary>
    public sealed class Podium
    {
        public List<string> Win;
        public List<string> Place;
        public List<string> Show;
    }

    /// <summary>A prop bet: `front` ends the race strictly ahead of every horse in `behind`.</summary>
    public sealed class Prop : Value
    {
        public string Card;
        public Text Title;
        /// <summary>One of "10", "11/12", "2/3", "4", "5", "6", "7", "8", "9".</summary>
        public string Front;
        public List<string> Behind;
        public long Gain;
        public long Loss;

        public override Dictionary<string, object> ToJson()
        {
            var json = new Dictionary<string, object>();
            json["card"] = Card;
            json["title"] = Title;
            json["front"] = Front;
            json["behind"] = Behind;
            json["gain"] = Gain;
            json["loss"] = Loss;
            return json;
        }
    }

    /// <summary>Won prop bets multiply by `gain` more.</summary>
    public sealed class PropBoost : Value, IVipCardEffect
    {
        public const string Type = "prop_boost";
        public long Gain;

        public override Dictionary<string, object> ToJson()
        {
            var json = new Dictionary<string, object>();
            json["type"] = Type;
            json["gain"] = Gain;
            return json;
        }
    }

    /// <summary>These prop bets replace those of the previous race.</summary>
    public sealed class PropsRevealed : IEvent
    {
        public const string Type = "props_revealed";
        public List<long> Only;
        public long Race;
        public List<Prop> Props;
    }

    /// <summary>
    /// A horse reached the finish; the others stay where they are, and bets are closed. `positions`
    /// are in the order of the lanes.
    /// </summary>
    public sealed class RaceFinished : IEvent
    {
        public const string Type = "race_finished";
        public List<long> Only;
        public long Race;
        public long Roll;
        public string Horse;
        public List<long> Positions;
        public Podium Podium;
    }

    /// <summary>
    /// The board is cleared for race `race`: no bets, all tokens in hand, horses at the start. All
    /// cards, choices and offers that follow belong to this race.
    /// </summary>
    public sealed class RacePrepared : IEvent
    {
        public const string Type = "race_prepared";
        public List<long> Only;
        public long Race;
    }

    /// <summary>The horses are off; bets are open.</summary>
    public sealed class RaceStarted : IEvent
    {
        public const string Type = "race_started";
        public List<long> Only;
        public long Race;
    }

    /// <summary>
    /// The `track`; its `horses`, lane by lane; the betting board: its `spots` and their `layout`;
    /// `closed_columns` by the number of active players; all cards.
    /// </summary>
    public sealed class ReadySetBetBook
    {
        public Dictionary<string, Dictionary<string, Text>> Names;
        public List<Call> Calls;
        public List<string> SeatFields;
        public Dictionary<string, Text> Refusals;
        public List<SeatColour> SeatColours;
        public Track Track;
        public List<Horse> Horses;
        public List<Spot> Spots;
        public Layout Layout;
        public Dictionary<string, List<string>> ClosedColumns;
        public List<Prop> Props;
        public List<Exotic> Exotics;
        public List<VipCard> Vip;
    }

    /// <summary>
    /// Times are in milliseconds. `roll_ms`: the time between two rolls. `pause_ms`: the pause
    /// before the start call and after the finish; null means two and a half rolls. `think_ms`: the
    /// time for a choice (a VIP card, the announcer's tokens, an offer to announce); null means
    /// fifteen rolls.
    ///
    /// `few_close_columns` closes columns of the board for two to four active players, as the rulebook
    /// advises. `many_drop_a_token` takes one 3-token from each of seven or eight active players, as
    /// the rulebook demands. `props`, `exotics` and `vip` put these cards into play.
    ///
    /// `mode` names the announcer: the server (`app`), a player who does not compete (`standard`), a
    /// player who bets before each race (`betting_announcer`), or one player after the other
    /// (`rotating_announcer`). The announcer sits at `announcer_seat`, or is drawn by lot in the last
    /// mode, bets with the six `announcer_tokens`, and starts with `announcer_money` in the third
    /// mode. The announcer may roll once every `roll_ms`; after `announcer_ms` without a roll (null
    /// means five rolls) the server rolls. With `auto_roll` the server makes every roll.
    /// </summary>
    public sealed class ReadySetBetOptions : Value
    {
        public long? Races;
        public long? RollMs;
        public long? PauseMs;
        public long? ThinkMs;
        public bool? FewCloseColumns;
        public bool? ManyDropAToken;
        public bool? Props;
        public bool? Exotics;
        public bool? Vip;
        /// <summary>One of "app", "betting_announcer", "rotating_announcer", "standard".</summary>
        public string Mode;
        public long? AnnouncerSeat;
        public List<long> AnnouncerTokens;
        public long? AnnouncerMoney;
        public long? AnnouncerMs;
        public bool? AutoRoll;

        public override Dictionary<string, object> ToJson()
        {
            var json = new Dictionary<string, object>();
            if (Races != null) json["races"] = Races;
            if (RollMs != null) json["roll_ms"] = RollMs;
            if (PauseMs != null) json["pause_ms"] = PauseMs;
            if (ThinkMs != null) json["think_ms"] = ThinkMs;
            if (FewCloseColumns != null) json["few_close_columns"] = FewCloseColumns;
            if (ManyDropAToken != null) json["many_drop_a_token"] = ManyDropAToken;
            if (Props != null) json["props"] = Props;
            if (Exotics != null) json["exotics"] = Exotics;
            if (Vip != null) json["vip"] = Vip;
            if (Mode != null) json["mode"] = Mode;
            if (AnnouncerSeat != null) json["announcer_seat"] = AnnouncerSeat;
            if (AnnouncerTokens != null) json["announcer_tokens"] = AnnouncerTokens;
            if (AnnouncerMoney != null) json["announcer_money"] = AnnouncerMoney;
            if (AnnouncerMs != null) json["announcer_ms"] = AnnouncerMs;
            if (AutoRoll != null) json["auto_roll"] = AutoRoll;
            return json;
        }
    }

    /// <summary>
    /// A game as one viewer sees it; `seat` is the viewer's own (null for a spectator).
    ///
    /// `positions` are in the order of `horses`. `tokens` are those in hand, by seat. `bets` lie on the
    /// board until the next race is prepared; once their race is settled, each has its outcome and
    /// payout. `last_horse` moved last, for the `run`-th time in a row. `podium` is set from the finish
    /// until the next race is prepared. `spots` are those of the board and of the cards that lie face
    /// up. `vip` is null without VIP cards. `asked` may answer an offer to announce, and with
    /// `dice_ready` the announcer may roll.
    /// </summary>
    public sealed class ReadySetBetView
    {
        public long? Seat;
        public ReadySetBetOptions Options;
        /// <summary>One of "closed", "draft", "finished", "offer", "open", "over", "paddock".</summary>
        public string Phase;
        public long Race;
        public long Roll;
        public List<long> Dice;
        public List<long> Positions;
        public string LastHorse;
        public long Run;
        public long Crossed;
        public Podium Podium;
        public List<Bet> Bets;
        public List<List<long>> Tokens;
        public Dictionary<string, long> Purses;
        public List<string> ClosedColumns;
        public List<List<long>> Ranking;
        public List<Horse> Horses;
        public List<Spot> Spots;
        public List<Prop> Props;
        public List<Exotic> Exotics;
        public VipView Vip;
        public long? Announcer;
        public long? Asked;
        public bool DiceReady;
    }

    /// <summary>A horse crossed the red line; `crossed` horses have done so in this race.</summary>
    public sealed class RedLineCrossed : IEvent
    {
        public const string Type = "red_line_crossed";
        public List<long> Only;
        public long Race;
        public string Horse;
        public long Crossed;
    }

    /// <summary>Roll the dice (announcer only).</summary>
    public sealed class RollDice : Value, ICommand
    {
        public const string Type = "roll_dice";

        public override Dictionary<string, object> ToJson()
        {
            var json = new Dictionary<string, object>();
            json["type"] = Type;
            return json;
        }
    }

    /// <summary>
    /// Roll number `roll` of the race, with the sum `total`, moved a horse to `position`; `bonus`
    /// spaces of the move are its bonus. `double` is 1 or 6 for two ones or two sixes, else null.
    /// `takes_lead`: the horse has just taken the sole lead.
    /// </summary>
    public sealed class Rolled : IEvent
    {
        public const string Type = "rolled";
        public List<long> Only;
        public long Race;
        public long Roll;
        public List<long> Dice;
        public long Total;
        public string Horse;
        public long Bonus;
        public long Position;
        /// <summary>One of 1, 6.</summary>
        public long? Double;
        public bool TakesLead;
    }

    /// <summary>The colour of a seat's pieces; `hex` is the colour as CSS writes it.</summary>
    public sealed class SeatColour
    {
        public Text Name;
        public string Hex;
    }

    /// <summary>The second horse is at least `spaces` behind the winner.</summary>
    public sealed class SecondBehind : Value, IExoticCondition
    {
        public const string Type = "second_behind";
        public long Spaces;

        public override Dictionary<string, object> ToJson()
        {
            var json = new Dictionary<string, object>();
            json["type"] = Type;
            json["spaces"] = Spaces;
            return json;
        }
    }

    /// <summary>The second horse is at most `spaces` behind the winner.</summary>
    public sealed class SecondWithin : Value, IExoticCondition
    {
        public const string Type = "second_within";
        public long Spaces;

        public override Dictionary<string, object> ToJson()
        {
            var json = new Dictionary<string, object>();
            json["type"] = Type;
            json["spaces"] = Spaces;
            return json;
        }
    }

    /// <summary>Leave your unplaced tokens off the board in this race (announcer only).</summary>
    public sealed class SkipTokens : Value, ICommand
    {
        public const string Type = "skip_tokens";

        public override Dictionary<string, object> ToJson()
        {
            var json = new Dictionary<string, object>();
            json["type"] = Type;
            return json;
        }
    }

    /// <summary>
    /// A space that holds one token. A won bet pays `gain` times the token; a lost bet costs `loss`.
    ///
    /// `spot` is its name: `win:2/3:r` (kind, horse, side) in the grid, `colour:blue`, and `prop:P01`
    /// or `exotic:E1:l` on cards. `column` is set in the grid, `card` on a card.
    /// </summary>
    public sealed class Spot
    {
        public string SpotValue;
        /// <summary>One of "black", "colour", "exotic", "place", "prop", "show", "win".</summary>
        public string Kind;
        public string Horse;
        /// <summary>One of "black", "blue", "orange", "pink".</summary>
        public string Colour;
        public string Column;
        public long Gain;
        public long Loss;
        public string Card;
    }

    /// <summary>Make the start call (announcer only).</summary>
    public sealed class StartRace : Value, ICommand
    {
        public const string Type = "start_race";

        public override Dictionary<string, object> ToJson()
        {
            var json = new Dictionary<string, object>();
            json["type"] = Type;
            return json;
        }
    }

    /// <summary>At least `horses` have moved at most `spaces`.</summary>
    public sealed class Stragglers : Value, IExoticCondition
    {
        public const string Type = "stragglers";
        public long Horses;
        public long Spaces;

        public override Dictionary<string, object> ToJson()
        {
            var json = new Dictionary<string, object>();
            json["type"] = Type;
            json["horses"] = Horses;
            json["spaces"] = Spaces;
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

    /// <summary>The third horse is at most `spaces` behind the winner.</summary>
    public sealed class ThirdWithin : Value, IExoticCondition
    {
        public const string Type = "third_within";
        public long Spaces;

        public override Dictionary<string, object> ToJson()
        {
            var json = new Dictionary<string, object>();
            json["type"] = Type;
            json["spaces"] = Spaces;
            return json;
        }
    }

    /// <summary>The announcer leaves these tokens off the board in this race.</summary>
    public sealed class TokensSkipped : IEvent
    {
        public const string Type = "tokens_skipped";
        public List<long> Only;
        public long Race;
        public long Seat;
        public List<long> Tokens;
    }

    /// <summary>
    /// Horses start at 0 and run to `finish`. The red line is before space `red_line`; the
    /// `crossings_to_close`-th horse that crosses it closes the bets.
    /// </summary>
    public sealed class Track
    {
        public long Finish;
        public long RedLine;
        public long CrossingsToClose;
    }

    /// <summary>Money once per race, if two bets with tokens of these values win.</summary>
    public sealed class Twin : Value, IVipCardEffect
    {
        public const string Type = "twin";
        public List<long> Tokens;
        public long Reward;

        public override Dictionary<string, object> ToJson()
        {
            var json = new Dictionary<string, object>();
            json["type"] = Type;
            json["tokens"] = Tokens;
            json["reward"] = Reward;
            return json;
        }
    }

    /// <summary>A VIP card.</summary>
    public sealed class VipCard : Value
    {
        public string Card;
        public Text Title;
        public Text Text;
        public IVipCardEffect Effect;

        public override Dictionary<string, object> ToJson()
        {
            var json = new Dictionary<string, object>();
            json["card"] = Card;
            json["title"] = Title;
            json["text"] = Text;
            json["effect"] = Effect;
            return json;
        }
    }

    /// <summary>A seat has chosen a VIP card, which stays secret until all seats have chosen.</summary>
    public sealed class VipChosen : IEvent
    {
        public const string Type = "vip_chosen";
        public List<long> Only;
        public long Race;
        public long Seat;
    }

    /// <summary>
    /// The VIP cards that a seat may choose from before this race. Only that seat receives this
    /// event.
    /// </summary>
    public sealed class VipDealt : IEvent
    {
        public const string Type = "vip_dealt";
        public List<long> Only;
        public long Race;
        public long Seat;
        public List<VipCard> Cards;
    }

    /// <summary>
    /// A seat shows the card that it keeps to the end of the game. `by_default`: the seat did not
    /// choose in time.
    /// </summary>
    public sealed class VipKept : IEvent
    {
        public const string Type = "vip_kept";
        public List<long> Only;
        public long Race;
        public long Seat;
        public VipCard Card;
        public bool ByDefault;
    }

    /// <summary>The bank paid `amount` for a VIP card; the seat holds `money` now.</summary>
    public sealed class VipPaid : IEvent
    {
        public const string Type = "vip_paid";
        public List<long> Only;
        public long Race;
        public long Seat;
        public string Card;
        public long Amount;
        public long Money;
    }

    /// <summary>
    /// VIP cards as a viewer sees them. By seat: the cards `kept`, and the `bonus_tokens` still in
    /// hand. During a draft, `hand` is what the viewer was dealt, `chosen` what it has chosen, and
    /// `choosing` lists the seats that have not chosen yet.
    /// </summary>
    public sealed class VipView
    {
        public List<List<VipCard>> Kept;
        public List<List<BonusToken>> BonusTokens;
        public List<VipCard> Hand;
        public string Chosen;
        public List<long> Choosing;
    }

    /// <summary>The types of this game, for <c>Client.Table</c>.</summary>
    public static class Game
    {
        public static readonly GameTypes<ICommand, IEvent, ReadySetBetView> Types =
            new GameTypes<ICommand, IEvent, ReadySetBetView>(
                "ready_set_bet", Read.Command, Read.Event, Read.View);
    }

    /// <summary>Reads the types of this namespace from JSON values.</summary>
    public static class Read
    {
        public static AllMoved AllMoved(object json)
        {
            var fields = Json.Object(json);
            return new AllMoved
            {
                Spaces = Json.Long(Json.Field(fields, "spaces")),
            };
        }

        public static AnnouncerAsked AnnouncerAsked(object json)
        {
            var fields = Json.Object(json);
            return new AnnouncerAsked
            {
                Only = Json.Maybe(Json.List(Json.Long))(Json.Field(fields, "only")),
                Race = Json.Long(Json.Field(fields, "race")),
                Seat = Json.Long(Json.Field(fields, "seat")),
            };
        }

        public static AnnouncerNamed AnnouncerNamed(object json)
        {
            var fields = Json.Object(json);
            return new AnnouncerNamed
            {
                Only = Json.Maybe(Json.List(Json.Long))(Json.Field(fields, "only")),
                Race = Json.Long(Json.Field(fields, "race")),
                Seat = Json.Long(Json.Field(fields, "seat")),
                Volunteered = Json.Bool(Json.Field(fields, "volunteered")),
            };
        }

        public static AnnouncerPaid AnnouncerPaid(object json)
        {
            var fields = Json.Object(json);
            return new AnnouncerPaid
            {
                Only = Json.Maybe(Json.List(Json.Long))(Json.Field(fields, "only")),
                Race = Json.Long(Json.Field(fields, "race")),
                Seat = Json.Long(Json.Field(fields, "seat")),
                Amount = Json.Long(Json.Field(fields, "amount")),
                Money = Json.Long(Json.Field(fields, "money")),
            };
        }

        public static AnswerOffer AnswerOffer(object json)
        {
            var fields = Json.Object(json);
            return new AnswerOffer
            {
                Accept = Json.Bool(Json.Field(fields, "accept")),
            };
        }

        public static Bet Bet(object json)
        {
            var fields = Json.Object(json);
            return new Bet
            {
                BetValue = Json.Long(Json.Field(fields, "bet")),
                Seat = Json.Long(Json.Field(fields, "seat")),
                Spot = Json.Text(Json.Field(fields, "spot")),
                Token = Json.Long(Json.Field(fields, "token")),
                Bonus = Json.Maybe(Json.Text)(Json.Field(fields, "bonus")),
                Outcome = Json.Maybe(Json.Text)(Json.Field(fields, "outcome")),
                Payout = Json.Nullable(Json.Long)(Json.Field(fields, "payout")),
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

        public static BettingClosed BettingClosed(object json)
        {
            var fields = Json.Object(json);
            return new BettingClosed
            {
                Only = Json.Maybe(Json.List(Json.Long))(Json.Field(fields, "only")),
                Race = Json.Long(Json.Field(fields, "race")),
                Roll = Json.Long(Json.Field(fields, "roll")),
            };
        }

        public static BonusToken BonusToken(object json)
        {
            var fields = Json.Object(json);
            return new BonusToken
            {
                Colour = Json.Text(Json.Field(fields, "colour")),
                Value = Json.Long(Json.Field(fields, "value")),
                Loss = Json.Long(Json.Field(fields, "loss")),
                CancelsSpotLoss = Json.Bool(Json.Field(fields, "cancels_spot_loss")),
            };
        }

        public static BonusTokenUsed BonusTokenUsed(object json)
        {
            var fields = Json.Object(json);
            return new BonusTokenUsed
            {
                Only = Json.Maybe(Json.List(Json.Long))(Json.Field(fields, "only")),
                Bet = Json.Long(Json.Field(fields, "bet")),
                Colour = Json.Text(Json.Field(fields, "colour")),
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

        public static DiceIncome DiceIncome(object json)
        {
            var fields = Json.Object(json);
            return new DiceIncome
            {
                On = Json.List(Json.Text)(Json.Field(fields, "on")),
                Amount = Json.Long(Json.Field(fields, "amount")),
            };
        }

        public static DicePickedUp DicePickedUp(object json)
        {
            var fields = Json.Object(json);
            return new DicePickedUp
            {
                Only = Json.Maybe(Json.List(Json.Long))(Json.Field(fields, "only")),
                Race = Json.Long(Json.Field(fields, "race")),
                Roll = Json.Long(Json.Field(fields, "roll")),
            };
        }

        public static Exotic Exotic(object json)
        {
            var fields = Json.Object(json);
            return new Exotic
            {
                Card = Json.Text(Json.Field(fields, "card")),
                Title = Read.Text(Json.Field(fields, "title")),
                Text = Read.Text(Json.Field(fields, "text")),
                Condition = Read.ExoticCondition(Json.Field(fields, "condition")),
                Spots = Json.List(Read.Odds)(Json.Field(fields, "spots")),
            };
        }

        public static ExoticRevealed ExoticRevealed(object json)
        {
            var fields = Json.Object(json);
            return new ExoticRevealed
            {
                Only = Json.Maybe(Json.List(Json.Long))(Json.Field(fields, "only")),
                Race = Json.Long(Json.Field(fields, "race")),
                Exotic = Read.Exotic(Json.Field(fields, "exotic")),
            };
        }

        public static FreeChips FreeChips(object json)
        {
            var fields = Json.Object(json);
            return new FreeChips
            {
                Amount = Json.Long(Json.Field(fields, "amount")),
            };
        }

        public static GameEnded GameEnded(object json)
        {
            var fields = Json.Object(json);
            return new GameEnded
            {
                Only = Json.Maybe(Json.List(Json.Long))(Json.Field(fields, "only")),
                Ranking = Json.List(Json.List(Json.Long))(Json.Field(fields, "ranking")),
                Scores = Json.List(Json.Long)(Json.Field(fields, "scores")),
            };
        }

        public static Horse Horse(object json)
        {
            var fields = Json.Object(json);
            return new Horse
            {
                HorseValue = Json.Text(Json.Field(fields, "horse")),
                Sums = Json.List(Json.Long)(Json.Field(fields, "sums")),
                Colour = Json.Text(Json.Field(fields, "colour")),
                Bonus = Json.Long(Json.Field(fields, "bonus")),
                Name = Read.Text(Json.Field(fields, "name")),
            };
        }

        public static Insurance Insurance(object json)
        {
            return new Insurance();
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

        public static KeepVip KeepVip(object json)
        {
            var fields = Json.Object(json);
            return new KeepVip
            {
                Card = Json.Text(Json.Field(fields, "card")),
            };
        }

        public static LateBet LateBet(object json)
        {
            var fields = Json.Object(json);
            return new LateBet
            {
                Token = Json.Long(Json.Field(fields, "token")),
            };
        }

        public static Layout Layout(object json)
        {
            var fields = Json.Object(json);
            return new Layout
            {
                Width = Json.Long(Json.Field(fields, "width")),
                Height = Json.Long(Json.Field(fields, "height")),
                Spots = Json.Map(Read.Place)(Json.Field(fields, "spots")),
                Rows = Json.Map(Read.Place)(Json.Field(fields, "rows")),
                Props = Json.List(Read.Place)(Json.Field(fields, "props")),
                Exotics = Json.List(Read.Place)(Json.Field(fields, "exotics")),
                Decks = Json.Map(Read.Place)(Json.Field(fields, "decks")),
            };
        }

        public static MoneySettled MoneySettled(object json)
        {
            var fields = Json.Object(json);
            return new MoneySettled
            {
                Only = Json.Maybe(Json.List(Json.Long))(Json.Field(fields, "only")),
                Race = Json.Long(Json.Field(fields, "race")),
                Seat = Json.Long(Json.Field(fields, "seat")),
                Gained = Json.Long(Json.Field(fields, "gained")),
                Paid = Json.Long(Json.Field(fields, "paid")),
                Money = Json.Long(Json.Field(fields, "money")),
            };
        }

        public static Odds Odds(object json)
        {
            var fields = Json.Object(json);
            return new Odds
            {
                Gain = Json.Long(Json.Field(fields, "gain")),
                Loss = Json.Long(Json.Field(fields, "loss")),
            };
        }

        public static OfferAnswered OfferAnswered(object json)
        {
            var fields = Json.Object(json);
            return new OfferAnswered
            {
                Only = Json.Maybe(Json.List(Json.Long))(Json.Field(fields, "only")),
                Race = Json.Long(Json.Field(fields, "race")),
                Seat = Json.Long(Json.Field(fields, "seat")),
                Accept = Json.Bool(Json.Field(fields, "accept")),
            };
        }

        public static Overlay Overlay(object json)
        {
            var fields = Json.Object(json);
            return new Overlay
            {
                Token = Json.Long(Json.Field(fields, "token")),
            };
        }

        public static Place Place(object json)
        {
            var fields = Json.Object(json);
            return new Place
            {
                X = Json.Long(Json.Field(fields, "x")),
                Y = Json.Long(Json.Field(fields, "y")),
                Width = Json.Long(Json.Field(fields, "width")),
                Height = Json.Long(Json.Field(fields, "height")),
            };
        }

        public static PlaceBet PlaceBet(object json)
        {
            var fields = Json.Object(json);
            return new PlaceBet
            {
                Spot = Json.Text(Json.Field(fields, "spot")),
                Token = Json.Long(Json.Field(fields, "token")),
                Bonus = Json.Maybe(Json.Text)(Json.Field(fields, "bonus")),
            };
        }

        public static Podium Podium(object json)
        {
            var fields = Json.Object(json);
            return new Podium
            {
                Win = Json.List(Json.Text)(Json.Field(fields, "win")),
                Place = Json.List(Json.Text)(Json.Field(fields, "place")),
                Show = Json.List(Json.Text)(Json.Field(fields, "show")),
            };
        }

        public static Prop Prop(object json)
        {
            var fields = Json.Object(json);
            return new Prop
            {
                Card = Json.Text(Json.Field(fields, "card")),
                Title = Read.Text(Json.Field(fields, "title")),
                Front = Json.Text(Json.Field(fields, "front")),
                Behind = Json.List(Json.Text)(Json.Field(fields, "behind")),
                Gain = Json.Long(Json.Field(fields, "gain")),
                Loss = Json.Long(Json.Field(fields, "loss")),
            };
        }

        public static PropBoost PropBoost(object json)
        {
            var fields = Json.Object(json);
            return new PropBoost
            {
                Gain = Json.Long(Json.Field(fields, "gain")),
            };
        }

        public static PropsRevealed PropsRevealed(object json)
        {
            var fields = Json.Object(json);
            return new PropsRevealed
            {
                Only = Json.Maybe(Json.List(Json.Long))(Json.Field(fields, "only")),
                Race = Json.Long(Json.Field(fields, "race")),
                Props = Json.List(Read.Prop)(Json.Field(fields, "props")),
            };
        }

        public static RaceFinished RaceFinished(object json)
        {
            var fields = Json.Object(json);
            return new RaceFinished
            {
                Only = Json.Maybe(Json.List(Json.Long))(Json.Field(fields, "only")),
                Race = Json.Long(Json.Field(fields, "race")),
                Roll = Json.Long(Json.Field(fields, "roll")),
                Horse = Json.Text(Json.Field(fields, "horse")),
                Positions = Json.List(Json.Long)(Json.Field(fields, "positions")),
                Podium = Read.Podium(Json.Field(fields, "podium")),
            };
        }

        public static RacePrepared RacePrepared(object json)
        {
            var fields = Json.Object(json);
            return new RacePrepared
            {
                Only = Json.Maybe(Json.List(Json.Long))(Json.Field(fields, "only")),
                Race = Json.Long(Json.Field(fields, "race")),
            };
        }

        public static RaceStarted RaceStarted(object json)
        {
            var fields = Json.Object(json);
            return new RaceStarted
            {
                Only = Json.Maybe(Json.List(Json.Long))(Json.Field(fields, "only")),
                Race = Json.Long(Json.Field(fields, "race")),
            };
        }

        public static ReadySetBetBook ReadySetBetBook(object json)
        {
            var fields = Json.Object(json);
            return new ReadySetBetBook
            {
                Names = Json.Map(Json.Map(Read.Text))(Json.Field(fields, "names")),
                Calls = Json.List(Read.Call)(Json.Field(fields, "calls")),
                SeatFields = Json.List(Json.Text)(Json.Field(fields, "seat_fields")),
                Refusals = Json.Map(Read.Text)(Json.Field(fields, "refusals")),
                SeatColours = Json.List(Read.SeatColour)(Json.Field(fields, "seat_colours")),
                Track = Read.Track(Json.Field(fields, "track")),
                Horses = Json.List(Read.Horse)(Json.Field(fields, "horses")),
                Spots = Json.List(Read.Spot)(Json.Field(fields, "spots")),
                Layout = Read.Layout(Json.Field(fields, "layout")),
                ClosedColumns = Json.Map(Json.List(Json.Text))(Json.Field(fields, "closed_columns")),
                Props = Json.List(Read.Prop)(Json.Field(fields, "props")),
                Exotics = Json.List(Read.Exotic)(Json.Field(fields, "exotics")),
                Vip = Json.List(Read.VipCard)(Json.Field(fields, "vip")),
            };
        }

        public static ReadySetBetOptions ReadySetBetOptions(object json)
        {
            var fields = Json.Object(json);
            return new ReadySetBetOptions
            {
                Races = Json.Nullable(Json.Long)(Json.Field(fields, "races")),
                RollMs = Json.Nullable(Json.Long)(Json.Field(fields, "roll_ms")),
                PauseMs = Json.Nullable(Json.Long)(Json.Field(fields, "pause_ms")),
                ThinkMs = Json.Nullable(Json.Long)(Json.Field(fields, "think_ms")),
                FewCloseColumns = Json.Nullable(Json.Bool)(Json.Field(fields, "few_close_columns")),
                ManyDropAToken = Json.Nullable(Json.Bool)(Json.Field(fields, "many_drop_a_token")),
                Props = Json.Nullable(Json.Bool)(Json.Field(fields, "props")),
                Exotics = Json.Nullable(Json.Bool)(Json.Field(fields, "exotics")),
                Vip = Json.Nullable(Json.Bool)(Json.Field(fields, "vip")),
                Mode = Json.Maybe(Json.Text)(Json.Field(fields, "mode")),
                AnnouncerSeat = Json.Nullable(Json.Long)(Json.Field(fields, "announcer_seat")),
                AnnouncerTokens = Json.Maybe(Json.List(Json.Long))(Json.Field(fields, "announcer_tokens")),
                AnnouncerMoney = Json.Nullable(Json.Long)(Json.Field(fields, "announcer_money")),
                AnnouncerMs = Json.Nullable(Json.Long)(Json.Field(fields, "announcer_ms")),
                AutoRoll = Json.Nullable(Json.Bool)(Json.Field(fields, "auto_roll")),
            };
        }

        public static ReadySetBetView ReadySetBetView(object json)
        {
            var fields = Json.Object(json);
            return new ReadySetBetView
            {
                Seat = Json.Nullable(Json.Long)(Json.Field(fields, "seat")),
                Options = Read.ReadySetBetOptions(Json.Field(fields, "options")),
                Phase = Json.Text(Json.Field(fields, "phase")),
                Race = Json.Long(Json.Field(fields, "race")),
                Roll = Json.Long(Json.Field(fields, "roll")),
                Dice = Json.Maybe(Json.List(Json.Long))(Json.Field(fields, "dice")),
                Positions = Json.List(Json.Long)(Json.Field(fields, "positions")),
                LastHorse = Json.Maybe(Json.Text)(Json.Field(fields, "last_horse")),
                Run = Json.Long(Json.Field(fields, "run")),
                Crossed = Json.Long(Json.Field(fields, "crossed")),
                Podium = Json.Maybe(Read.Podium)(Json.Field(fields, "podium")),
                Bets = Json.List(Read.Bet)(Json.Field(fields, "bets")),
                Tokens = Json.List(Json.List(Json.Long))(Json.Field(fields, "tokens")),
                Purses = Json.Map(Json.Long)(Json.Field(fields, "purses")),
                ClosedColumns = Json.List(Json.Text)(Json.Field(fields, "closed_columns")),
                Ranking = Json.Maybe(Json.List(Json.List(Json.Long)))(Json.Field(fields, "ranking")),
                Horses = Json.List(Read.Horse)(Json.Field(fields, "horses")),
                Spots = Json.List(Read.Spot)(Json.Field(fields, "spots")),
                Props = Json.List(Read.Prop)(Json.Field(fields, "props")),
                Exotics = Json.List(Read.Exotic)(Json.Field(fields, "exotics")),
                Vip = Json.Maybe(Read.VipView)(Json.Field(fields, "vip")),
                Announcer = Json.Nullable(Json.Long)(Json.Field(fields, "announcer")),
                Asked = Json.Nullable(Json.Long)(Json.Field(fields, "asked")),
                DiceReady = Json.Bool(Json.Field(fields, "dice_ready")),
            };
        }

        public static RedLineCrossed RedLineCrossed(object json)
        {
            var fields = Json.Object(json);
            return new RedLineCrossed
            {
                Only = Json.Maybe(Json.List(Json.Long))(Json.Field(fields, "only")),
                Race = Json.Long(Json.Field(fields, "race")),
                Horse = Json.Text(Json.Field(fields, "horse")),
                Crossed = Json.Long(Json.Field(fields, "crossed")),
            };
        }

        public static RollDice RollDice(object json)
        {
            return new RollDice();
        }

        public static Rolled Rolled(object json)
        {
            var fields = Json.Object(json);
            return new Rolled
            {
                Only = Json.Maybe(Json.List(Json.Long))(Json.Field(fields, "only")),
                Race = Json.Long(Json.Field(fields, "race")),
                Roll = Json.Long(Json.Field(fields, "roll")),
                Dice = Json.List(Json.Long)(Json.Field(fields, "dice")),
                Total = Json.Long(Json.Field(fields, "total")),
                Horse = Json.Text(Json.Field(fields, "horse")),
                Bonus = Json.Long(Json.Field(fields, "bonus")),
                Position = Json.Long(Json.Field(fields, "position")),
                Double = Json.Nullable(Json.Long)(Json.Field(fields, "double")),
                TakesLead = Json.Bool(Json.Field(fields, "takes_lead")),
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

        public static SecondBehind SecondBehind(object json)
        {
            var fields = Json.Object(json);
            return new SecondBehind
            {
                Spaces = Json.Long(Json.Field(fields, "spaces")),
            };
        }

        public static SecondWithin SecondWithin(object json)
        {
            var fields = Json.Object(json);
            return new SecondWithin
            {
                Spaces = Json.Long(Json.Field(fields, "spaces")),
            };
        }

        public static SkipTokens SkipTokens(object json)
        {
            return new SkipTokens();
        }

        public static Spot Spot(object json)
        {
            var fields = Json.Object(json);
            return new Spot
            {
                SpotValue = Json.Text(Json.Field(fields, "spot")),
                Kind = Json.Text(Json.Field(fields, "kind")),
                Horse = Json.Maybe(Json.Text)(Json.Field(fields, "horse")),
                Colour = Json.Maybe(Json.Text)(Json.Field(fields, "colour")),
                Column = Json.Maybe(Json.Text)(Json.Field(fields, "column")),
                Gain = Json.Long(Json.Field(fields, "gain")),
                Loss = Json.Long(Json.Field(fields, "loss")),
                Card = Json.Maybe(Json.Text)(Json.Field(fields, "card")),
            };
        }

        public static StartRace StartRace(object json)
        {
            return new StartRace();
        }

        public static Stragglers Stragglers(object json)
        {
            var fields = Json.Object(json);
            return new Stragglers
            {
                Horses = Json.Long(Json.Field(fields, "horses")),
                Spaces = Json.Long(Json.Field(fields, "spaces")),
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

        public static ThirdWithin ThirdWithin(object json)
        {
            var fields = Json.Object(json);
            return new ThirdWithin
            {
                Spaces = Json.Long(Json.Field(fields, "spaces")),
            };
        }

        public static TokensSkipped TokensSkipped(object json)
        {
            var fields = Json.Object(json);
            return new TokensSkipped
            {
                Only = Json.Maybe(Json.List(Json.Long))(Json.Field(fields, "only")),
                Race = Json.Long(Json.Field(fields, "race")),
                Seat = Json.Long(Json.Field(fields, "seat")),
                Tokens = Json.List(Json.Long)(Json.Field(fields, "tokens")),
            };
        }

        public static Track Track(object json)
        {
            var fields = Json.Object(json);
            return new Track
            {
                Finish = Json.Long(Json.Field(fields, "finish")),
                RedLine = Json.Long(Json.Field(fields, "red_line")),
                CrossingsToClose = Json.Long(Json.Field(fields, "crossings_to_close")),
            };
        }

        public static Twin Twin(object json)
        {
            var fields = Json.Object(json);
            return new Twin
            {
                Tokens = Json.List(Json.Long)(Json.Field(fields, "tokens")),
                Reward = Json.Long(Json.Field(fields, "reward")),
            };
        }

        public static VipCard VipCard(object json)
        {
            var fields = Json.Object(json);
            return new VipCard
            {
                Card = Json.Text(Json.Field(fields, "card")),
                Title = Read.Text(Json.Field(fields, "title")),
                Text = Read.Text(Json.Field(fields, "text")),
                Effect = Read.VipCardEffect(Json.Field(fields, "effect")),
            };
        }

        public static VipChosen VipChosen(object json)
        {
            var fields = Json.Object(json);
            return new VipChosen
            {
                Only = Json.Maybe(Json.List(Json.Long))(Json.Field(fields, "only")),
                Race = Json.Long(Json.Field(fields, "race")),
                Seat = Json.Long(Json.Field(fields, "seat")),
            };
        }

        public static VipDealt VipDealt(object json)
        {
            var fields = Json.Object(json);
            return new VipDealt
            {
                Only = Json.Maybe(Json.List(Json.Long))(Json.Field(fields, "only")),
                Race = Json.Long(Json.Field(fields, "race")),
                Seat = Json.Long(Json.Field(fields, "seat")),
                Cards = Json.List(Read.VipCard)(Json.Field(fields, "cards")),
            };
        }

        public static VipKept VipKept(object json)
        {
            var fields = Json.Object(json);
            return new VipKept
            {
                Only = Json.Maybe(Json.List(Json.Long))(Json.Field(fields, "only")),
                Race = Json.Long(Json.Field(fields, "race")),
                Seat = Json.Long(Json.Field(fields, "seat")),
                Card = Read.VipCard(Json.Field(fields, "card")),
                ByDefault = Json.Bool(Json.Field(fields, "by_default")),
            };
        }

        public static VipPaid VipPaid(object json)
        {
            var fields = Json.Object(json);
            return new VipPaid
            {
                Only = Json.Maybe(Json.List(Json.Long))(Json.Field(fields, "only")),
                Race = Json.Long(Json.Field(fields, "race")),
                Seat = Json.Long(Json.Field(fields, "seat")),
                Card = Json.Text(Json.Field(fields, "card")),
                Amount = Json.Long(Json.Field(fields, "amount")),
                Money = Json.Long(Json.Field(fields, "money")),
            };
        }

        public static VipView VipView(object json)
        {
            var fields = Json.Object(json);
            return new VipView
            {
                Kept = Json.List(Json.List(Read.VipCard))(Json.Field(fields, "kept")),
                BonusTokens = Json.List(Json.List(Read.BonusToken))(Json.Field(fields, "bonus_tokens")),
                Hand = Json.Maybe(Json.List(Read.VipCard))(Json.Field(fields, "hand")),
                Chosen = Json.Maybe(Json.Text)(Json.Field(fields, "chosen")),
                Choosing = Json.List(Json.Long)(Json.Field(fields, "choosing")),
            };
        }

        public static IExoticCondition ExoticCondition(object json)
        {
            switch (Json.Tag(json))
            {
                case "second_within":
                    return SecondWithin(json);
                case "second_behind":
                    return SecondBehind(json);
                case "third_within":
                    return ThirdWithin(json);
                case "all_moved":
                    return AllMoved(json);
                case "stragglers":
                    return Stragglers(json);
                default:
                    return new Unknown
                    {
                        Type = Json.Tag(json),
                        Fields = Json.Object(json),
                    };
            }
        }

        public static IVipCardEffect VipCardEffect(object json)
        {
            switch (Json.Tag(json))
            {
                case "bonus_token":
                    return BonusToken(json);
                case "free_chips":
                    return FreeChips(json);
                case "dice_income":
                    return DiceIncome(json);
                case "overlay":
                    return Overlay(json);
                case "late_bet":
                    return LateBet(json);
                case "twin":
                    return Twin(json);
                case "insurance":
                    return Insurance(json);
                case "prop_boost":
                    return PropBoost(json);
                default:
                    return new Unknown
                    {
                        Type = Json.Tag(json),
                        Fields = Json.Object(json),
                    };
            }
        }

        public static ICommand Command(object json)
        {
            switch (Json.Tag(json))
            {
                case "place_bet":
                    return PlaceBet(json);
                case "keep_vip":
                    return KeepVip(json);
                case "skip_tokens":
                    return SkipTokens(json);
                case "start_race":
                    return StartRace(json);
                case "roll_dice":
                    return RollDice(json);
                case "answer_offer":
                    return AnswerOffer(json);
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
                case "race_prepared":
                    return RacePrepared(json);
                case "props_revealed":
                    return PropsRevealed(json);
                case "exotic_revealed":
                    return ExoticRevealed(json);
                case "race_started":
                    return RaceStarted(json);
                case "bet_placed":
                    return BetPlaced(json);
                case "bonus_token_used":
                    return BonusTokenUsed(json);
                case "rolled":
                    return Rolled(json);
                case "red_line_crossed":
                    return RedLineCrossed(json);
                case "betting_closed":
                    return BettingClosed(json);
                case "race_finished":
                    return RaceFinished(json);
                case "bet_settled":
                    return BetSettled(json);
                case "money_settled":
                    return MoneySettled(json);
                case "vip_dealt":
                    return VipDealt(json);
                case "vip_chosen":
                    return VipChosen(json);
                case "vip_kept":
                    return VipKept(json);
                case "vip_paid":
                    return VipPaid(json);
                case "announcer_named":
                    return AnnouncerNamed(json);
                case "announcer_paid":
                    return AnnouncerPaid(json);
                case "announcer_asked":
                    return AnnouncerAsked(json);
                case "offer_answered":
                    return OfferAnswered(json);
                case "tokens_skipped":
                    return TokensSkipped(json);
                case "dice_picked_up":
                    return DicePickedUp(json);
                case "game_ended":
                    return GameEnded(json);
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

        public static ReadySetBetBook Book(object json)
        {
            return Read.ReadySetBetBook(json);
        }

        public static ReadySetBetOptions Options(object json)
        {
            return Read.ReadySetBetOptions(json);
        }

        public static ReadySetBetView View(object json)
        {
            return Read.ReadySetBetView(json);
        }
    }
}
