// Generated from schema/openapi.yaml by `python -m sdk.generate`: do not edit.
using System;
using System.Collections.Generic;

namespace Railbird.Games.SetDice
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

    /// <summary>A bet was voided; `payout` is what went back to the seat.</summary>
    public sealed class BetVoided : IEvent
    {
        public const string Type = "bet_voided";
        public List<long> Only;
        public long Bet;
        public long Payout;
        public string Reason;
    }

    /// <summary>A numbered square: the first die on it scores `points`.</summary>
    public sealed class BonusSquare
    {
        /// <summary>Row or column of the board, 0 to 10.</summary>
        public long Row;
        /// <summary>Row or column of the board, 0 to 10.</summary>
        public long Column;
        public long Points;
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

    /// <summary>
    /// Opening: call a SET of three dice of the hand. The first valid call wins the race.
    ///
    /// The dice are placed on the logo in the order given, left to right. The caller plays first in
    /// every round. In the list of legal commands `dice` is empty: a call may be made, of any dice.
    /// </summary>
    public sealed class CallSet : Value, ICommand
    {
        public const string Type = "call_set";
        public List<NamedDie> Dice;

        public override Dictionary<string, object> ToJson()
        {
            var json = new Dictionary<string, object>();
            json["type"] = Type;
            json["dice"] = Dice;
            return json;
        }
    }

    /// <summary>Opening: declare that the hand holds no SET. The seat may still call one later.</summary>
    public sealed class DeclareNoSet : Value, ICommand
    {
        public const string Type = "declare_no_set";

        public override Dictionary<string, object> ToJson()
        {
            var json = new Dictionary<string, object>();
            json["type"] = Type;
            return json;
        }
    }

    /// <summary>A seat kept its dice, by choice or because its time expired.</summary>
    public sealed class DiceKept : IEvent
    {
        public const string Type = "dice_kept";
        public List<long> Only;
        public long Seat;
        public bool TimedOut;
    }

    /// <summary>A seat placed dice. `points` is the sum of the SETs and the bonus.</summary>
    public sealed class DicePlaced : IEvent
    {
        public const string Type = "dice_placed";
        public List<long> Only;
        public long Seat;
        public List<Square> Dice;
        public List<MadeSet> Sets;
        public long Bonus;
        public long Points;
    }

    /// <summary>
    /// A seat threw dice.
    ///
    /// `cause`: the dice were drawn from the bag (`drawn`), chosen for the reroll (`rerolled`) or
    /// recovered from the board (`recovered`), or every seat throws all its dice again (`all_again`).
    /// </summary>
    public sealed class DiceThrown : IEvent
    {
        public const string Type = "dice_thrown";
        public List<long> Only;
        public long Seat;
        public List<Die> Dice;
        /// <summary>One of "all_again", "drawn", "recovered", "rerolled".</summary>
        public string Cause;
    }

    /// <summary>A thrown die in a player's hand: its number and what it shows.</summary>
    public sealed class Die
    {
        /// <summary>The number of a die, 1 to 42.</summary>
        public long Number;
        /// <summary>What a die shows: a face, or WILD.</summary>
        public string Shows;
    }

    /// <summary>
    /// The game ended.
    ///
    /// `hand_empty`: a hand was empty at the end of a round. `rounds_passed`: every seat passed in
    /// three rounds in a row (ruling D14, ours). `openings_unanswered`: no seat answered three openings
    /// in a row (ruling D23, ours).
    /// </summary>
    public sealed class GameEnded : IEvent
    {
        public const string Type = "game_ended";
        public List<long> Only;
        /// <summary>One of "hand_empty", "openings_unanswered", "rounds_passed".</summary>
        public string Ending;
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

    /// <summary>Between rounds: keep all dice as they are.</summary>
    public sealed class KeepDice : Value, ICommand
    {
        public const string Type = "keep_dice";

        public override Dictionary<string, object> ToJson()
        {
            var json = new Dictionary<string, object>();
            json["type"] = Type;
            return json;
        }
    }

    /// <summary>A SET that a turn made, and the points it scored.</summary>
    public sealed class MadeSet
    {
        public List<List<long>> Squares;
        public long Points;
    }

    /// <summary>A die of the seat's hand. `wild_as` announces the face of a Wild, and only of a Wild.</summary>
    public sealed class NamedDie : Value
    {
        /// <summary>The number of a die, 1 to 42.</summary>
        public long Die;
        public string WildAs;

        public override Dictionary<string, object> ToJson()
        {
            var json = new Dictionary<string, object>();
            json["die"] = Die;
            if (WildAs != null) json["wild_as"] = WildAs;
            return json;
        }
    }

    /// <summary>A seat declared that its hand holds no SET.</summary>
    public sealed class NoSetDeclared : IEvent
    {
        public const string Type = "no_set_declared";
        public List<long> Only;
        public long Seat;
    }

    /// <summary>Place no dice in this round.</summary>
    public sealed class PassTurn : Value, ICommand
    {
        public const string Type = "pass_turn";

        public override Dictionary<string, object> ToJson()
        {
            var json = new Dictionary<string, object>();
            json["type"] = Type;
            return json;
        }
    }

    /// <summary>Place one to three dice, which are judged together, and end the turn.</summary>
    public sealed class PlaceDice : Value, ICommand
    {
        public const string Type = "place_dice";
        public List<Placement> Dice;

        public override Dictionary<string, object> ToJson()
        {
            var json = new Dictionary<string, object>();
            json["type"] = Type;
            json["dice"] = Dice;
            return json;
        }
    }

    /// <summary>
    /// A die of the seat's hand and the empty square it goes to.
    ///
    /// `wild_as` announces the face of a Wild, and only of a Wild.
    /// </summary>
    public sealed class Placement : Value
    {
        /// <summary>The number of a die, 1 to 42.</summary>
        public long Die;
        /// <summary>Row or column of the board, 0 to 10.</summary>
        public long Row;
        /// <summary>Row or column of the board, 0 to 10.</summary>
        public long Column;
        public string WildAs;

        public override Dictionary<string, object> ToJson()
        {
            var json = new Dictionary<string, object>();
            json["die"] = Die;
            json["row"] = Row;
            json["column"] = Column;
            if (WildAs != null) json["wild_as"] = WildAs;
            return json;
        }
    }

    /// <summary>A square of the board; row 0, column 0 is at the top left.</summary>
    public sealed class Position
    {
        /// <summary>Row or column of the board, 0 to 10.</summary>
        public long Row;
        /// <summary>Row or column of the board, 0 to 10.</summary>
        public long Column;
    }

    /// <summary>A die and its six sides.</summary>
    public sealed class PrintedDie
    {
        /// <summary>The number of a die, 1 to 42.</summary>
        public long Die;
        public List<string> Sides;
    }

    /// <summary>A face: `number` symbols of one `shape` in one `colour`. The colours are for screens.</summary>
    public sealed class PrintedFace
    {
        /// <summary>Colour, number and shape, for example R2S: two red squiggles.</summary>
        public string Face;
        public string Colour;
        public long Number;
        public string Shape;
    }

    /// <summary>
    /// Before placing: replace a Wild on the board by a die that shows its announced face.
    ///
    /// The recovered die joins the hand and is thrown.
    /// </summary>
    public sealed class ReplaceWild : Value, ICommand
    {
        public const string Type = "replace_wild";
        /// <summary>Row or column of the board, 0 to 10.</summary>
        public long Row;
        /// <summary>Row or column of the board, 0 to 10.</summary>
        public long Column;
        /// <summary>The number of a die, 1 to 42.</summary>
        public long Die;

        public override Dictionary<string, object> ToJson()
        {
            var json = new Dictionary<string, object>();
            json["type"] = Type;
            json["row"] = Row;
            json["column"] = Column;
            json["die"] = Die;
            return json;
        }
    }

    /// <summary>Between rounds: throw some or all dice of the hand again, once.</summary>
    public sealed class Reroll : Value, ICommand
    {
        public const string Type = "reroll";
        public List<long> Dice;

        public override Dictionary<string, object> ToJson()
        {
            var json = new Dictionary<string, object>();
            json["type"] = Type;
            json["dice"] = Dice;
            return json;
        }
    }

    /// <summary>A round began with the turn of seat `first`.</summary>
    public sealed class RoundStarted : IEvent
    {
        public const string Type = "round_started";
        public List<long> Only;
        public long Round;
        public long First;
    }

    /// <summary>The colour of a seat's pieces; `hex` is the colour as CSS writes it.</summary>
    public sealed class SeatColour
    {
        public Text Name;
        public string Hex;
    }

    /// <summary>A seat won the race: its three dice are on the logo, and it plays first in every round.</summary>
    public sealed class SetCalled : IEvent
    {
        public const string Type = "set_called";
        public List<long> Only;
        public long Seat;
        public List<Square> Dice;
        public long Points;
    }

    /// <summary>
    /// The board (`size` squares on each side), the squares of the logo from left to right, the
    /// numbered squares, all faces and all dice.
    ///
    /// `colours` gives a screen colour for each colour of a face. `shapes` gives each shape as an SVG
    /// path in a box of 100 by 50; `fill_opacity` fills the shapes of each colour differently,
    /// for players who do not see colours. The symbols of a face lie in a column. A Wild on the board
    /// has a dashed edge.
    /// </summary>
    public sealed class SetDiceBook
    {
        public Dictionary<string, Dictionary<string, Text>> Names;
        public List<Call> Calls;
        public List<string> SeatFields;
        public Dictionary<string, Text> Refusals;
        public List<SeatColour> SeatColours;
        public long Size;
        public List<Position> Logo;
        public List<BonusSquare> Bonus;
        public List<PrintedFace> Faces;
        public List<PrintedDie> Dice;
        public Dictionary<string, string> Colours;
        public Dictionary<string, double> FillOpacity;
        public Dictionary<string, string> Shapes;
    }

    /// <summary>
    /// `opening_s`, `turn_s` and `reroll_s` limit the opening, a turn and the reroll, in seconds; 0
    /// means no limit.
    ///
    /// `refill` sets how the last dice are drawn: hand by hand (ruling D22), or one die each in turn.
    /// `bots` is the strength of the bots.
    /// </summary>
    public sealed class SetDiceOptions : Value
    {
        /// <summary>0: no limit.</summary>
        public long? OpeningS;
        /// <summary>0: no limit.</summary>
        public long? TurnS;
        /// <summary>0: no limit.</summary>
        public long? RerollS;
        /// <summary>One of "by_hand", "one_each".</summary>
        public string Refill;
        /// <summary>One of "casual", "expert".</summary>
        public string Bots;

        public override Dictionary<string, object> ToJson()
        {
            var json = new Dictionary<string, object>();
            if (OpeningS != null) json["opening_s"] = OpeningS;
            if (TurnS != null) json["turn_s"] = TurnS;
            if (RerollS != null) json["reroll_s"] = RerollS;
            if (Refill != null) json["refill"] = Refill;
            if (Bots != null) json["bots"] = Bots;
            return json;
        }
    }

    /// <summary>
    /// The game as every viewer sees it. `scores` and `hands` are in seat order.
    ///
    /// `bag` counts the dice that can still be drawn. `first` begins every round. `answered` lists the
    /// seats that saw no SET in this opening, or that have decided in this reroll.
    /// </summary>
    public sealed class SetDiceView
    {
        /// <summary>One of "finished", "opening", "reroll", "turns".</summary>
        public string Phase;
        public long Round;
        public SetDiceOptions Options;
        public List<long> Scores;
        public List<List<Die>> Hands;
        public List<Square> Board;
        public long Bag;
        public long? First;
        public long? OnTurn;
        public bool WildReplaced;
        public List<long> Answered;
        /// <summary>One of "hand_empty", "openings_unanswered", "rounds_passed".</summary>
        public string Ending;
        public long? You;
    }

    /// <summary>An occupied square of the board. A Wild shows the face that was announced for it.</summary>
    public sealed class Square
    {
        /// <summary>Row or column of the board, 0 to 10.</summary>
        public long Row;
        /// <summary>Row or column of the board, 0 to 10.</summary>
        public long Column;
        /// <summary>The number of a die, 1 to 42.</summary>
        public long Die;
        /// <summary>Colour, number and shape, for example R2S: two red squiggles.</summary>
        public string Face;
        public bool Wild;
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

    /// <summary>A seat placed no dice, by choice or because its time expired.</summary>
    public sealed class TurnPassed : IEvent
    {
        public const string Type = "turn_passed";
        public List<long> Only;
        public long Seat;
        public bool TimedOut;
    }

    /// <summary>
    /// A die that shows the announced face replaced a Wild on the board. Nothing is scored.
    ///
    /// `die` now lies on the square; `recovered` is the Wild, which the seat throws next.
    /// </summary>
    public sealed class WildReplaced : IEvent
    {
        public const string Type = "wild_replaced";
        public List<long> Only;
        public long Seat;
        /// <summary>Row or column of the board, 0 to 10.</summary>
        public long Row;
        /// <summary>Row or column of the board, 0 to 10.</summary>
        public long Column;
        /// <summary>The number of a die, 1 to 42.</summary>
        public long Die;
        /// <summary>The number of a die, 1 to 42.</summary>
        public long Recovered;
    }

    /// <summary>The types of this game, for <c>Client.Table</c>.</summary>
    public static class Game
    {
        public static readonly GameTypes<ICommand, IEvent, SetDiceView> Types =
            new GameTypes<ICommand, IEvent, SetDiceView>(
                "set_dice", Read.Command, Read.Event, Read.View);
    }

    /// <summary>Reads the types of this namespace from JSON values.</summary>
    public static class Read
    {
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

        public static BonusSquare BonusSquare(object json)
        {
            var fields = Json.Object(json);
            return new BonusSquare
            {
                Row = Json.Long(Json.Field(fields, "row")),
                Column = Json.Long(Json.Field(fields, "column")),
                Points = Json.Long(Json.Field(fields, "points")),
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

        public static CallSet CallSet(object json)
        {
            var fields = Json.Object(json);
            return new CallSet
            {
                Dice = Json.List(Read.NamedDie)(Json.Field(fields, "dice")),
            };
        }

        public static DeclareNoSet DeclareNoSet(object json)
        {
            return new DeclareNoSet();
        }

        public static DiceKept DiceKept(object json)
        {
            var fields = Json.Object(json);
            return new DiceKept
            {
                Only = Json.Maybe(Json.List(Json.Long))(Json.Field(fields, "only")),
                Seat = Json.Long(Json.Field(fields, "seat")),
                TimedOut = Json.Bool(Json.Field(fields, "timed_out")),
            };
        }

        public static DicePlaced DicePlaced(object json)
        {
            var fields = Json.Object(json);
            return new DicePlaced
            {
                Only = Json.Maybe(Json.List(Json.Long))(Json.Field(fields, "only")),
                Seat = Json.Long(Json.Field(fields, "seat")),
                Dice = Json.List(Read.Square)(Json.Field(fields, "dice")),
                Sets = Json.List(Read.MadeSet)(Json.Field(fields, "sets")),
                Bonus = Json.Long(Json.Field(fields, "bonus")),
                Points = Json.Long(Json.Field(fields, "points")),
            };
        }

        public static DiceThrown DiceThrown(object json)
        {
            var fields = Json.Object(json);
            return new DiceThrown
            {
                Only = Json.Maybe(Json.List(Json.Long))(Json.Field(fields, "only")),
                Seat = Json.Long(Json.Field(fields, "seat")),
                Dice = Json.List(Read.Die)(Json.Field(fields, "dice")),
                Cause = Json.Text(Json.Field(fields, "cause")),
            };
        }

        public static Die Die(object json)
        {
            var fields = Json.Object(json);
            return new Die
            {
                Number = Json.Long(Json.Field(fields, "number")),
                Shows = Json.Text(Json.Field(fields, "shows")),
            };
        }

        public static GameEnded GameEnded(object json)
        {
            var fields = Json.Object(json);
            return new GameEnded
            {
                Only = Json.Maybe(Json.List(Json.Long))(Json.Field(fields, "only")),
                Ending = Json.Text(Json.Field(fields, "ending")),
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

        public static KeepDice KeepDice(object json)
        {
            return new KeepDice();
        }

        public static MadeSet MadeSet(object json)
        {
            var fields = Json.Object(json);
            return new MadeSet
            {
                Squares = Json.List(Json.List(Json.Long))(Json.Field(fields, "squares")),
                Points = Json.Long(Json.Field(fields, "points")),
            };
        }

        public static NamedDie NamedDie(object json)
        {
            var fields = Json.Object(json);
            return new NamedDie
            {
                Die = Json.Long(Json.Field(fields, "die")),
                WildAs = Json.Maybe(Json.Text)(Json.Field(fields, "wild_as")),
            };
        }

        public static NoSetDeclared NoSetDeclared(object json)
        {
            var fields = Json.Object(json);
            return new NoSetDeclared
            {
                Only = Json.Maybe(Json.List(Json.Long))(Json.Field(fields, "only")),
                Seat = Json.Long(Json.Field(fields, "seat")),
            };
        }

        public static PassTurn PassTurn(object json)
        {
            return new PassTurn();
        }

        public static PlaceDice PlaceDice(object json)
        {
            var fields = Json.Object(json);
            return new PlaceDice
            {
                Dice = Json.List(Read.Placement)(Json.Field(fields, "dice")),
            };
        }

        public static Placement Placement(object json)
        {
            var fields = Json.Object(json);
            return new Placement
            {
                Die = Json.Long(Json.Field(fields, "die")),
                Row = Json.Long(Json.Field(fields, "row")),
                Column = Json.Long(Json.Field(fields, "column")),
                WildAs = Json.Maybe(Json.Text)(Json.Field(fields, "wild_as")),
            };
        }

        public static Position Position(object json)
        {
            var fields = Json.Object(json);
            return new Position
            {
                Row = Json.Long(Json.Field(fields, "row")),
                Column = Json.Long(Json.Field(fields, "column")),
            };
        }

        public static PrintedDie PrintedDie(object json)
        {
            var fields = Json.Object(json);
            return new PrintedDie
            {
                Die = Json.Long(Json.Field(fields, "die")),
                Sides = Json.List(Json.Text)(Json.Field(fields, "sides")),
            };
        }

        public static PrintedFace PrintedFace(object json)
        {
            var fields = Json.Object(json);
            return new PrintedFace
            {
                Face = Json.Text(Json.Field(fields, "face")),
                Colour = Json.Text(Json.Field(fields, "colour")),
                Number = Json.Long(Json.Field(fields, "number")),
                Shape = Json.Text(Json.Field(fields, "shape")),
            };
        }

        public static ReplaceWild ReplaceWild(object json)
        {
            var fields = Json.Object(json);
            return new ReplaceWild
            {
                Row = Json.Long(Json.Field(fields, "row")),
                Column = Json.Long(Json.Field(fields, "column")),
                Die = Json.Long(Json.Field(fields, "die")),
            };
        }

        public static Reroll Reroll(object json)
        {
            var fields = Json.Object(json);
            return new Reroll
            {
                Dice = Json.List(Json.Long)(Json.Field(fields, "dice")),
            };
        }

        public static RoundStarted RoundStarted(object json)
        {
            var fields = Json.Object(json);
            return new RoundStarted
            {
                Only = Json.Maybe(Json.List(Json.Long))(Json.Field(fields, "only")),
                Round = Json.Long(Json.Field(fields, "round")),
                First = Json.Long(Json.Field(fields, "first")),
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

        public static SetCalled SetCalled(object json)
        {
            var fields = Json.Object(json);
            return new SetCalled
            {
                Only = Json.Maybe(Json.List(Json.Long))(Json.Field(fields, "only")),
                Seat = Json.Long(Json.Field(fields, "seat")),
                Dice = Json.List(Read.Square)(Json.Field(fields, "dice")),
                Points = Json.Long(Json.Field(fields, "points")),
            };
        }

        public static SetDiceBook SetDiceBook(object json)
        {
            var fields = Json.Object(json);
            return new SetDiceBook
            {
                Names = Json.Map(Json.Map(Read.Text))(Json.Field(fields, "names")),
                Calls = Json.List(Read.Call)(Json.Field(fields, "calls")),
                SeatFields = Json.List(Json.Text)(Json.Field(fields, "seat_fields")),
                Refusals = Json.Map(Read.Text)(Json.Field(fields, "refusals")),
                SeatColours = Json.List(Read.SeatColour)(Json.Field(fields, "seat_colours")),
                Size = Json.Long(Json.Field(fields, "size")),
                Logo = Json.List(Read.Position)(Json.Field(fields, "logo")),
                Bonus = Json.List(Read.BonusSquare)(Json.Field(fields, "bonus")),
                Faces = Json.List(Read.PrintedFace)(Json.Field(fields, "faces")),
                Dice = Json.List(Read.PrintedDie)(Json.Field(fields, "dice")),
                Colours = Json.Map(Json.Text)(Json.Field(fields, "colours")),
                FillOpacity = Json.Map(Json.Double)(Json.Field(fields, "fill_opacity")),
                Shapes = Json.Map(Json.Text)(Json.Field(fields, "shapes")),
            };
        }

        public static SetDiceOptions SetDiceOptions(object json)
        {
            var fields = Json.Object(json);
            return new SetDiceOptions
            {
                OpeningS = Json.Nullable(Json.Long)(Json.Field(fields, "opening_s")),
                TurnS = Json.Nullable(Json.Long)(Json.Field(fields, "turn_s")),
                RerollS = Json.Nullable(Json.Long)(Json.Field(fields, "reroll_s")),
                Refill = Json.Maybe(Json.Text)(Json.Field(fields, "refill")),
                Bots = Json.Maybe(Json.Text)(Json.Field(fields, "bots")),
            };
        }

        public static SetDiceView SetDiceView(object json)
        {
            var fields = Json.Object(json);
            return new SetDiceView
            {
                Phase = Json.Text(Json.Field(fields, "phase")),
                Round = Json.Long(Json.Field(fields, "round")),
                Options = Read.SetDiceOptions(Json.Field(fields, "options")),
                Scores = Json.List(Json.Long)(Json.Field(fields, "scores")),
                Hands = Json.List(Json.List(Read.Die))(Json.Field(fields, "hands")),
                Board = Json.List(Read.Square)(Json.Field(fields, "board")),
                Bag = Json.Long(Json.Field(fields, "bag")),
                First = Json.Nullable(Json.Long)(Json.Field(fields, "first")),
                OnTurn = Json.Nullable(Json.Long)(Json.Field(fields, "on_turn")),
                WildReplaced = Json.Bool(Json.Field(fields, "wild_replaced")),
                Answered = Json.List(Json.Long)(Json.Field(fields, "answered")),
                Ending = Json.Maybe(Json.Text)(Json.Field(fields, "ending")),
                You = Json.Nullable(Json.Long)(Json.Field(fields, "you")),
            };
        }

        public static Square Square(object json)
        {
            var fields = Json.Object(json);
            return new Square
            {
                Row = Json.Long(Json.Field(fields, "row")),
                Column = Json.Long(Json.Field(fields, "column")),
                Die = Json.Long(Json.Field(fields, "die")),
                Face = Json.Text(Json.Field(fields, "face")),
                Wild = Json.Bool(Json.Field(fields, "wild")),
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

        public static TurnPassed TurnPassed(object json)
        {
            var fields = Json.Object(json);
            return new TurnPassed
            {
                Only = Json.Maybe(Json.List(Json.Long))(Json.Field(fields, "only")),
                Seat = Json.Long(Json.Field(fields, "seat")),
                TimedOut = Json.Bool(Json.Field(fields, "timed_out")),
            };
        }

        public static WildReplaced WildReplaced(object json)
        {
            var fields = Json.Object(json);
            return new WildReplaced
            {
                Only = Json.Maybe(Json.List(Json.Long))(Json.Field(fields, "only")),
                Seat = Json.Long(Json.Field(fields, "seat")),
                Row = Json.Long(Json.Field(fields, "row")),
                Column = Json.Long(Json.Field(fields, "column")),
                Die = Json.Long(Json.Field(fields, "die")),
                Recovered = Json.Long(Json.Field(fields, "recovered")),
            };
        }

        public static ICommand Command(object json)
        {
            switch (Json.Tag(json))
            {
                case "call_set":
                    return CallSet(json);
                case "declare_no_set":
                    return DeclareNoSet(json);
                case "replace_wild":
                    return ReplaceWild(json);
                case "place_dice":
                    return PlaceDice(json);
                case "pass_turn":
                    return PassTurn(json);
                case "reroll":
                    return Reroll(json);
                case "keep_dice":
                    return KeepDice(json);
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
                case "dice_thrown":
                    return DiceThrown(json);
                case "no_set_declared":
                    return NoSetDeclared(json);
                case "set_called":
                    return SetCalled(json);
                case "round_started":
                    return RoundStarted(json);
                case "wild_replaced":
                    return WildReplaced(json);
                case "dice_placed":
                    return DicePlaced(json);
                case "turn_passed":
                    return TurnPassed(json);
                case "dice_kept":
                    return DiceKept(json);
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

        public static SetDiceBook Book(object json)
        {
            return Read.SetDiceBook(json);
        }

        public static SetDiceOptions Options(object json)
        {
            return Read.SetDiceOptions(json);
        }

        public static SetDiceView View(object json)
        {
            return Read.SetDiceView(json);
        }
    }
}
