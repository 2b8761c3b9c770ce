// Generated from schema/openapi.yaml by `python -m sdk.generate`: do not edit.
using System;
using System.Collections.Generic;

namespace Railbird.Games.Carcassonne
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

    /// <summary>A seat decided. Whether it bet becomes public when all seats have decided.</summary>
    public sealed class BetDecided : IEvent
    {
        public const string Type = "bet_decided";
        public List<long> Only;
        public long Seat;
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

    /// <summary>Action 4 began: these seats may place a chip on the office at x, y.</summary>
    public sealed class BettingOpened : IEvent
    {
        public const string Type = "betting_opened";
        public List<long> Only;
        public long X;
        public long Y;
        public List<long> Seats;
    }

    /// <summary>
    /// The game began.
    ///
    /// `tiles` has the notes of the segments of every kind of tile, `counts` their numbers, `chips` the
    /// odds of the chips that every seat has, and `first` the seat that begins. The book has details.
    /// </summary>
    public sealed class BoxOpened : IEvent
    {
        public const string Type = "box_opened";
        public List<long> Only;
        public Dictionary<string, List<string>> Tiles;
        public Dictionary<string, long> Counts;
        public Dictionary<string, string> Chips;
        public long First;
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
    /// All tiles and chips, `meeples` per seat, and sizes and colours for drawing.
    ///
    /// Tiles are drawn in a box of `tile_size` by `tile_size`, north at the top, and then turned
    /// clockwise. Draw fields first, then roads (lines of `road_width`), cities, monasteries, pennants
    /// and the office. `colours` has a screen colour for each of them.
    /// </summary>
    public sealed class CarcassonneBook
    {
        public Dictionary<string, Dictionary<string, Text>> Names;
        public List<Call> Calls;
        public List<string> SeatFields;
        public Dictionary<string, Text> Refusals;
        public List<SeatColour> SeatColours;
        public List<PrintedTile> Tiles;
        public List<PrintedChip> Chips;
        public long Meeples;
        public long TileSize;
        public long RoadWidth;
        public Dictionary<string, string> Colours;
    }

    /// <summary>
    /// `bets`: play with The Bets. `fields`: meeples may be placed in fields (ruling A2).
    ///
    /// `turn_seconds` limits each turn, each round of bets and the final choices; then the server
    /// chooses. 0 means no limit. `bots` is the strength of the bots.
    /// </summary>
    public sealed class CarcassonneOptions : Value
    {
        public bool? Bets;
        public bool? Fields;
        public long? TurnSeconds;
        /// <summary>One of "casual", "keen".</summary>
        public string Bots;

        public override Dictionary<string, object> ToJson()
        {
            var json = new Dictionary<string, object>();
            if (Bets != null) json["bets"] = Bets;
            if (Fields != null) json["fields"] = Fields;
            if (TurnSeconds != null) json["turn_seconds"] = TurnSeconds;
            if (Bots != null) json["bots"] = Bots;
            return json;
        }
    }

    /// <summary>
    /// The game as a viewer sees it.
    ///
    /// `active` places `tile`; once the tile is at `laid`, `tile` is null. `stack` counts the tiles
    /// that can still be drawn. `chips` has the viewer's own supply, and null for every other seat.
    /// During action 4, the supply still includes a chip that its seat has chosen.
    /// </summary>
    public sealed class CarcassonneView
    {
        public long? Seat;
        public CarcassonneOptions Options;
        /// <summary>One of "bets", "evaluation", "meeple", "over", "settlement", "tile".</summary>
        public string Stage;
        public long Active;
        public List<long> Awaited;
        public string Tile;
        public List<long> Laid;
        public Dictionary<string, long> Stack;
        public List<string> Discarded;
        public List<long> Points;
        public List<long> Meeples;
        public List<TileView> Board;
        public List<FeatureView> Features;
        public List<OfficeView> Offices;
        public List<long> ChipCounts;
        public List<List<string>> Chips;
    }

    /// <summary>
    /// A chip was turned over and returned to its seat.
    ///
    /// It counted for a feature of `tiles` tiles and paid `points`.
    /// </summary>
    public sealed class ChipTurned : IEvent
    {
        public const string Type = "chip_turned";
        public List<long> Only;
        public long Seat;
        public long X;
        public long Y;
        public string Chip;
        public long Feature;
        /// <summary>One of "city", "field", "monastery", "road".</summary>
        public string Kind;
        public long Tiles;
        public long Points;
    }

    /// <summary>All seats decided: chips of these seats are face down on the office at x, y.</summary>
    public sealed class ChipsSealed : IEvent
    {
        public const string Type = "chips_sealed";
        public List<long> Only;
        public long X;
        public long Y;
        public List<long> Seats;
    }

    /// <summary>
    /// Choose the feature for which the chips on the office at x, y count. Final.
    ///
    /// In a turn the choice applies to all chips on the office, at the end to the seat's own chip.
    /// </summary>
    public sealed class ChooseFeature : Value, ICommand
    {
        public const string Type = "choose_feature";
        public long X;
        public long Y;
        public long Feature;

        public override Dictionary<string, object> ToJson()
        {
            var json = new Dictionary<string, object>();
            json["type"] = Type;
            json["x"] = X;
            json["y"] = Y;
            json["feature"] = Feature;
            return json;
        }
    }

    /// <summary>The time of these seats expired: the server chooses for them.</summary>
    public sealed class DeadlinePassed : IEvent
    {
        public const string Type = "deadline_passed";
        public List<long> Only;
        public List<long> Seats;
    }

    /// <summary>
    /// One number on a chip: features of `exactly`, or `at_least`, this many tiles hit it and pay
    /// `points`.
    /// </summary>
    public sealed class Face : Value
    {
        public long Points;
        public long? Exactly;
        public long? AtLeast;

        public override Dictionary<string, object> ToJson()
        {
            var json = new Dictionary<string, object>();
            json["points"] = Points;
            if (Exactly != null) json["exactly"] = Exactly;
            if (AtLeast != null) json["at_least"] = AtLeast;
            return json;
        }
    }

    /// <summary>A seat chose the feature for which the chips on the office at x, y count.</summary>
    public sealed class FeatureChosen : IEvent
    {
        public const string Type = "feature_chosen";
        public List<long> Only;
        public long Seat;
        public long X;
        public long Y;
        public long Feature;
    }

    /// <summary>
    /// A feature was scored: each winner got `points`.
    ///
    /// Its meeples return to their seats, except in the final scoring.
    /// </summary>
    public sealed class FeatureScored : IEvent
    {
        public const string Type = "feature_scored";
        public List<long> Only;
        public long Feature;
        /// <summary>One of "city", "field", "monastery", "road".</summary>
        public string Kind;
        public long Tiles;
        public long Pennants;
        public bool Complete;
        public long Points;
        public List<long> Winners;
    }

    /// <summary>
    /// A road, city, field or monastery.
    ///
    /// `open` counts its open ends, or the empty cells around a monastery. `cities` are the cities
    /// that a field borders.
    /// </summary>
    public sealed class FeatureView
    {
        public long Feature;
        /// <summary>One of "city", "field", "monastery", "road".</summary>
        public string Kind;
        public long Tiles;
        public long Open;
        public long Pennants;
        public List<MeepleView> Meeples;
        public List<long> Cities;
    }

    /// <summary>The final scoring is over. `points` is in seat order.</summary>
    public sealed class GameEnded : IEvent
    {
        public const string Type = "game_ended";
        public List<long> Only;
        public List<long> Points;
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

    /// <summary>Action 2: a seat placed a meeple.</summary>
    public sealed class MeeplePlaced : IEvent
    {
        public const string Type = "meeple_placed";
        public List<long> Only;
        public long Seat;
        public long X;
        public long Y;
        public string Segment;
        /// <summary>One of "city", "field", "monastery", "road".</summary>
        public string Kind;
        public long Feature;
    }

    /// <summary>A meeple on a segment of the tile at x, y.</summary>
    public sealed class MeepleView
    {
        public long Seat;
        public long X;
        public long Y;
        public string Segment;
    }

    /// <summary>
    /// Chips face down on the office at x, y.
    ///
    /// The view shows their owners but never their faces (ruling A9: not even to their owners).
    /// </summary>
    public sealed class OfficeView
    {
        public long X;
        public long Y;
        public List<long> Seats;
    }

    /// <summary>Action 4: place no chip. Final.</summary>
    public sealed class PassBet : Value, ICommand
    {
        public const string Type = "pass_bet";

        public override Dictionary<string, object> ToJson()
        {
            var json = new Dictionary<string, object>();
            json["type"] = Type;
            return json;
        }
    }

    /// <summary>Action 4: place a chip face down on the office of the tile just placed. Final.</summary>
    public sealed class PlaceBet : Value, ICommand
    {
        public const string Type = "place_bet";
        public string Chip;

        public override Dictionary<string, object> ToJson()
        {
            var json = new Dictionary<string, object>();
            json["type"] = Type;
            json["chip"] = Chip;
            return json;
        }
    }

    /// <summary>
    /// Action 2: place a meeple on a segment of the tile just placed.
    ///
    /// The segment goes by its name: `C1`, `R2`, `G1`, `M`.
    /// </summary>
    public sealed class PlaceMeeple : Value, ICommand
    {
        public const string Type = "place_meeple";
        public string Segment;

        public override Dictionary<string, object> ToJson()
        {
            var json = new Dictionary<string, object>();
            json["type"] = Type;
            json["segment"] = Segment;
            return json;
        }
    }

    /// <summary>Action 1: place the drawn tile on an empty cell after `rotation` quarter turns clockwise.</summary>
    public sealed class PlaceTile : Value, ICommand
    {
        public const string Type = "place_tile";
        public long X;
        public long Y;
        public long Rotation;

        public override Dictionary<string, object> ToJson()
        {
            var json = new Dictionary<string, object>();
            json["type"] = Type;
            json["x"] = X;
            json["y"] = Y;
            json["rotation"] = Rotation;
            return json;
        }
    }

    /// <summary>A place on a tile: x grows to the right and y downwards, 0 to 100.</summary>
    public sealed class Point
    {
        public double X;
        public double Y;
    }

    /// <summary>A betting chip; every seat has one of each. `odds` gives its faces as `size:points`.</summary>
    public sealed class PrintedChip
    {
        public string Chip;
        public List<Face> Faces;
        public string Odds;
    }

    /// <summary>
    /// A part of a tile: a road, city, field or monastery.
    ///
    /// `sides` are the sides of a road or city (`NW`), `halves` the half-sides of a field (`EL`: the
    /// left half of the east side as seen from the middle), and `borders` the cities that the field
    /// touches, by name. `path` is an SVG path: a line for a road, else an area to fill. `meeple` is
    /// the place of a meeple.
    /// </summary>
    public sealed class PrintedSegment
    {
        public string Name;
        /// <summary>One of "city", "field", "monastery", "road".</summary>
        public string Kind;
        public string Sides;
        public List<string> Halves;
        public List<string> Borders;
        public string Path;
        public Point Meeple;
        public List<Point> Pennants;
    }

    /// <summary>
    /// A kind of tile, `count` times in its box.
    ///
    /// `sides` are north, east, south and west (`C` city, `R` road, `F` field).
    /// `start`: one of these is the start tile. `office` is the place of the betting office, if the
    /// tile has one.
    /// </summary>
    public sealed class PrintedTile
    {
        public string Tile;
        /// <summary>One of "base", "bets".</summary>
        public string Box;
        public long Count;
        public bool Start;
        public string Sides;
        public List<PrintedSegment> Segments;
        public Point Office;
    }

    /// <summary>The colour of a seat's pieces; `hex` is the colour as CSS writes it.</summary>
    public sealed class SeatColour
    {
        public Text Name;
        public string Hex;
    }

    /// <summary>Action 2: place no meeple.</summary>
    public sealed class SkipMeeple : Value, ICommand
    {
        public const string Type = "skip_meeple";

        public override Dictionary<string, object> ToJson()
        {
            var json = new Dictionary<string, object>();
            json["type"] = Type;
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

    /// <summary>The drawn tile fits nowhere and leaves the game. The same seat draws again.</summary>
    public sealed class TileDiscarded : IEvent
    {
        public const string Type = "tile_discarded";
        public List<long> Only;
        public string Tile;
    }

    /// <summary>A seat drew a tile, at the start of its turn or after a discard. The tile is public.</summary>
    public sealed class TileDrawn : IEvent
    {
        public const string Type = "tile_drawn";
        public List<long> Only;
        public long Seat;
        public string Tile;
    }

    /// <summary>Action 1: a seat placed its tile.</summary>
    public sealed class TilePlaced : IEvent
    {
        public const string Type = "tile_placed";
        public List<long> Only;
        public long Seat;
        public long X;
        public long Y;
        public string Tile;
        public long Rotation;
    }

    /// <summary>A tile on the board. `segments` gives the feature of each of its segments.</summary>
    public sealed class TileView
    {
        public long X;
        public long Y;
        public string Tile;
        public long Rotation;
        public Dictionary<string, long> Segments;
    }

    /// <summary>The types of this game, for <c>Client.Table</c>.</summary>
    public static class Game
    {
        public static readonly GameTypes<ICommand, IEvent, CarcassonneView> Types =
            new GameTypes<ICommand, IEvent, CarcassonneView>(
                "carcassonne", Read.Command, Read.Event, Read.View);
    }

    /// <summary>Reads the types of this namespace from JSON values.</summary>
    public static class Read
    {
        public static BetDecided BetDecided(object json)
        {
            var fields = Json.Object(json);
            return new BetDecided
            {
                Only = Json.Maybe(Json.List(Json.Long))(Json.Field(fields, "only")),
                Seat = Json.Long(Json.Field(fields, "seat")),
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

        public static BettingOpened BettingOpened(object json)
        {
            var fields = Json.Object(json);
            return new BettingOpened
            {
                Only = Json.Maybe(Json.List(Json.Long))(Json.Field(fields, "only")),
                X = Json.Long(Json.Field(fields, "x")),
                Y = Json.Long(Json.Field(fields, "y")),
                Seats = Json.List(Json.Long)(Json.Field(fields, "seats")),
            };
        }

        public static BoxOpened BoxOpened(object json)
        {
            var fields = Json.Object(json);
            return new BoxOpened
            {
                Only = Json.Maybe(Json.List(Json.Long))(Json.Field(fields, "only")),
                Tiles = Json.Map(Json.List(Json.Text))(Json.Field(fields, "tiles")),
                Counts = Json.Map(Json.Long)(Json.Field(fields, "counts")),
                Chips = Json.Map(Json.Text)(Json.Field(fields, "chips")),
                First = Json.Long(Json.Field(fields, "first")),
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

        public static CarcassonneBook CarcassonneBook(object json)
        {
            var fields = Json.Object(json);
            return new CarcassonneBook
            {
                Names = Json.Map(Json.Map(Read.Text))(Json.Field(fields, "names")),
                Calls = Json.List(Read.Call)(Json.Field(fields, "calls")),
                SeatFields = Json.List(Json.Text)(Json.Field(fields, "seat_fields")),
                Refusals = Json.Map(Read.Text)(Json.Field(fields, "refusals")),
                SeatColours = Json.List(Read.SeatColour)(Json.Field(fields, "seat_colours")),
                Tiles = Json.List(Read.PrintedTile)(Json.Field(fields, "tiles")),
                Chips = Json.List(Read.PrintedChip)(Json.Field(fields, "chips")),
                Meeples = Json.Long(Json.Field(fields, "meeples")),
                TileSize = Json.Long(Json.Field(fields, "tile_size")),
                RoadWidth = Json.Long(Json.Field(fields, "road_width")),
                Colours = Json.Map(Json.Text)(Json.Field(fields, "colours")),
            };
        }

        public static CarcassonneOptions CarcassonneOptions(object json)
        {
            var fields = Json.Object(json);
            return new CarcassonneOptions
            {
                Bets = Json.Nullable(Json.Bool)(Json.Field(fields, "bets")),
                Fields = Json.Nullable(Json.Bool)(Json.Field(fields, "fields")),
                TurnSeconds = Json.Nullable(Json.Long)(Json.Field(fields, "turn_seconds")),
                Bots = Json.Maybe(Json.Text)(Json.Field(fields, "bots")),
            };
        }

        public static CarcassonneView CarcassonneView(object json)
        {
            var fields = Json.Object(json);
            return new CarcassonneView
            {
                Seat = Json.Nullable(Json.Long)(Json.Field(fields, "seat")),
                Options = Read.CarcassonneOptions(Json.Field(fields, "options")),
                Stage = Json.Text(Json.Field(fields, "stage")),
                Active = Json.Long(Json.Field(fields, "active")),
                Awaited = Json.List(Json.Long)(Json.Field(fields, "awaited")),
                Tile = Json.Maybe(Json.Text)(Json.Field(fields, "tile")),
                Laid = Json.List(Json.Long)(Json.Field(fields, "laid")),
                Stack = Json.Map(Json.Long)(Json.Field(fields, "stack")),
                Discarded = Json.List(Json.Text)(Json.Field(fields, "discarded")),
                Points = Json.List(Json.Long)(Json.Field(fields, "points")),
                Meeples = Json.List(Json.Long)(Json.Field(fields, "meeples")),
                Board = Json.List(Read.TileView)(Json.Field(fields, "board")),
                Features = Json.List(Read.FeatureView)(Json.Field(fields, "features")),
                Offices = Json.List(Read.OfficeView)(Json.Field(fields, "offices")),
                ChipCounts = Json.List(Json.Long)(Json.Field(fields, "chip_counts")),
                Chips = Json.List(Json.Maybe(Json.List(Json.Text)))(Json.Field(fields, "chips")),
            };
        }

        public static ChipTurned ChipTurned(object json)
        {
            var fields = Json.Object(json);
            return new ChipTurned
            {
                Only = Json.Maybe(Json.List(Json.Long))(Json.Field(fields, "only")),
                Seat = Json.Long(Json.Field(fields, "seat")),
                X = Json.Long(Json.Field(fields, "x")),
                Y = Json.Long(Json.Field(fields, "y")),
                Chip = Json.Text(Json.Field(fields, "chip")),
                Feature = Json.Long(Json.Field(fields, "feature")),
                Kind = Json.Text(Json.Field(fields, "kind")),
                Tiles = Json.Long(Json.Field(fields, "tiles")),
                Points = Json.Long(Json.Field(fields, "points")),
            };
        }

        public static ChipsSealed ChipsSealed(object json)
        {
            var fields = Json.Object(json);
            return new ChipsSealed
            {
                Only = Json.Maybe(Json.List(Json.Long))(Json.Field(fields, "only")),
                X = Json.Long(Json.Field(fields, "x")),
                Y = Json.Long(Json.Field(fields, "y")),
                Seats = Json.List(Json.Long)(Json.Field(fields, "seats")),
            };
        }

        public static ChooseFeature ChooseFeature(object json)
        {
            var fields = Json.Object(json);
            return new ChooseFeature
            {
                X = Json.Long(Json.Field(fields, "x")),
                Y = Json.Long(Json.Field(fields, "y")),
                Feature = Json.Long(Json.Field(fields, "feature")),
            };
        }

        public static DeadlinePassed DeadlinePassed(object json)
        {
            var fields = Json.Object(json);
            return new DeadlinePassed
            {
                Only = Json.Maybe(Json.List(Json.Long))(Json.Field(fields, "only")),
                Seats = Json.List(Json.Long)(Json.Field(fields, "seats")),
            };
        }

        public static Face Face(object json)
        {
            var fields = Json.Object(json);
            return new Face
            {
                Points = Json.Long(Json.Field(fields, "points")),
                Exactly = Json.Nullable(Json.Long)(Json.Field(fields, "exactly")),
                AtLeast = Json.Nullable(Json.Long)(Json.Field(fields, "at_least")),
            };
        }

        public static FeatureChosen FeatureChosen(object json)
        {
            var fields = Json.Object(json);
            return new FeatureChosen
            {
                Only = Json.Maybe(Json.List(Json.Long))(Json.Field(fields, "only")),
                Seat = Json.Long(Json.Field(fields, "seat")),
                X = Json.Long(Json.Field(fields, "x")),
                Y = Json.Long(Json.Field(fields, "y")),
                Feature = Json.Long(Json.Field(fields, "feature")),
            };
        }

        public static FeatureScored FeatureScored(object json)
        {
            var fields = Json.Object(json);
            return new FeatureScored
            {
                Only = Json.Maybe(Json.List(Json.Long))(Json.Field(fields, "only")),
                Feature = Json.Long(Json.Field(fields, "feature")),
                Kind = Json.Text(Json.Field(fields, "kind")),
                Tiles = Json.Long(Json.Field(fields, "tiles")),
                Pennants = Json.Long(Json.Field(fields, "pennants")),
                Complete = Json.Bool(Json.Field(fields, "complete")),
                Points = Json.Long(Json.Field(fields, "points")),
                Winners = Json.List(Json.Long)(Json.Field(fields, "winners")),
            };
        }

        public static FeatureView FeatureView(object json)
        {
            var fields = Json.Object(json);
            return new FeatureView
            {
                Feature = Json.Long(Json.Field(fields, "feature")),
                Kind = Json.Text(Json.Field(fields, "kind")),
                Tiles = Json.Long(Json.Field(fields, "tiles")),
                Open = Json.Long(Json.Field(fields, "open")),
                Pennants = Json.Long(Json.Field(fields, "pennants")),
                Meeples = Json.List(Read.MeepleView)(Json.Field(fields, "meeples")),
                Cities = Json.List(Json.Long)(Json.Field(fields, "cities")),
            };
        }

        public static GameEnded GameEnded(object json)
        {
            var fields = Json.Object(json);
            return new GameEnded
            {
                Only = Json.Maybe(Json.List(Json.Long))(Json.Field(fields, "only")),
                Points = Json.List(Json.Long)(Json.Field(fields, "points")),
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

        public static MeeplePlaced MeeplePlaced(object json)
        {
            var fields = Json.Object(json);
            return new MeeplePlaced
            {
                Only = Json.Maybe(Json.List(Json.Long))(Json.Field(fields, "only")),
                Seat = Json.Long(Json.Field(fields, "seat")),
                X = Json.Long(Json.Field(fields, "x")),
                Y = Json.Long(Json.Field(fields, "y")),
                Segment = Json.Text(Json.Field(fields, "segment")),
                Kind = Json.Text(Json.Field(fields, "kind")),
                Feature = Json.Long(Json.Field(fields, "feature")),
            };
        }

        public static MeepleView MeepleView(object json)
        {
            var fields = Json.Object(json);
            return new MeepleView
            {
                Seat = Json.Long(Json.Field(fields, "seat")),
                X = Json.Long(Json.Field(fields, "x")),
                Y = Json.Long(Json.Field(fields, "y")),
                Segment = Json.Text(Json.Field(fields, "segment")),
            };
        }

        public static OfficeView OfficeView(object json)
        {
            var fields = Json.Object(json);
            return new OfficeView
            {
                X = Json.Long(Json.Field(fields, "x")),
                Y = Json.Long(Json.Field(fields, "y")),
                Seats = Json.List(Json.Long)(Json.Field(fields, "seats")),
            };
        }

        public static PassBet PassBet(object json)
        {
            return new PassBet();
        }

        public static PlaceBet PlaceBet(object json)
        {
            var fields = Json.Object(json);
            return new PlaceBet
            {
                Chip = Json.Text(Json.Field(fields, "chip")),
            };
        }

        public static PlaceMeeple PlaceMeeple(object json)
        {
            var fields = Json.Object(json);
            return new PlaceMeeple
            {
                Segment = Json.Text(Json.Field(fields, "segment")),
            };
        }

        public static PlaceTile PlaceTile(object json)
        {
            var fields = Json.Object(json);
            return new PlaceTile
            {
                X = Json.Long(Json.Field(fields, "x")),
                Y = Json.Long(Json.Field(fields, "y")),
                Rotation = Json.Long(Json.Field(fields, "rotation")),
            };
        }

        public static Point Point(object json)
        {
            var fields = Json.Object(json);
            return new Point
            {
                X = Json.Double(Json.Field(fields, "x")),
                Y = Json.Double(Json.Field(fields, "y")),
            };
        }

        public static PrintedChip PrintedChip(object json)
        {
            var fields = Json.Object(json);
            return new PrintedChip
            {
                Chip = Json.Text(Json.Field(fields, "chip")),
                Faces = Json.List(Read.Face)(Json.Field(fields, "faces")),
                Odds = Json.Text(Json.Field(fields, "odds")),
            };
        }

        public static PrintedSegment PrintedSegment(object json)
        {
            var fields = Json.Object(json);
            return new PrintedSegment
            {
                Name = Json.Text(Json.Field(fields, "name")),
                Kind = Json.Text(Json.Field(fields, "kind")),
                Sides = Json.Text(Json.Field(fields, "sides")),
                Halves = Json.List(Json.Text)(Json.Field(fields, "halves")),
                Borders = Json.List(Json.Text)(Json.Field(fields, "borders")),
                Path = Json.Text(Json.Field(fields, "path")),
                Meeple = Read.Point(Json.Field(fields, "meeple")),
                Pennants = Json.List(Read.Point)(Json.Field(fields, "pennants")),
            };
        }

        public static PrintedTile PrintedTile(object json)
        {
            var fields = Json.Object(json);
            return new PrintedTile
            {
                Tile = Json.Text(Json.Field(fields, "tile")),
                Box = Json.Text(Json.Field(fields, "box")),
                Count = Json.Long(Json.Field(fields, "count")),
                Start = Json.Bool(Json.Field(fields, "start")),
                Sides = Json.Text(Json.Field(fields, "sides")),
                Segments = Json.List(Read.PrintedSegment)(Json.Field(fields, "segments")),
                Office = Json.Maybe(Read.Point)(Json.Field(fields, "office")),
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

        public static SkipMeeple SkipMeeple(object json)
        {
            return new SkipMeeple();
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

        public static TileDiscarded TileDiscarded(object json)
        {
            var fields = Json.Object(json);
            return new TileDiscarded
            {
                Only = Json.Maybe(Json.List(Json.Long))(Json.Field(fields, "only")),
                Tile = Json.Text(Json.Field(fields, "tile")),
            };
        }

        public static TileDrawn TileDrawn(object json)
        {
            var fields = Json.Object(json);
            return new TileDrawn
            {
                Only = Json.Maybe(Json.List(Json.Long))(Json.Field(fields, "only")),
                Seat = Json.Long(Json.Field(fields, "seat")),
                Tile = Json.Text(Json.Field(fields, "tile")),
            };
        }

        public static TilePlaced TilePlaced(object json)
        {
            var fields = Json.Object(json);
            return new TilePlaced
            {
                Only = Json.Maybe(Json.List(Json.Long))(Json.Field(fields, "only")),
                Seat = Json.Long(Json.Field(fields, "seat")),
                X = Json.Long(Json.Field(fields, "x")),
                Y = Json.Long(Json.Field(fields, "y")),
                Tile = Json.Text(Json.Field(fields, "tile")),
                Rotation = Json.Long(Json.Field(fields, "rotation")),
            };
        }

        public static TileView TileView(object json)
        {
            var fields = Json.Object(json);
            return new TileView
            {
                X = Json.Long(Json.Field(fields, "x")),
                Y = Json.Long(Json.Field(fields, "y")),
                Tile = Json.Text(Json.Field(fields, "tile")),
                Rotation = Json.Long(Json.Field(fields, "rotation")),
                Segments = Json.Map(Json.Long)(Json.Field(fields, "segments")),
            };
        }

        public static ICommand Command(object json)
        {
            switch (Json.Tag(json))
            {
                case "place_tile":
                    return PlaceTile(json);
                case "place_meeple":
                    return PlaceMeeple(json);
                case "skip_meeple":
                    return SkipMeeple(json);
                case "place_bet":
                    return PlaceBet(json);
                case "pass_bet":
                    return PassBet(json);
                case "choose_feature":
                    return ChooseFeature(json);
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
                case "box_opened":
                    return BoxOpened(json);
                case "tile_drawn":
                    return TileDrawn(json);
                case "tile_discarded":
                    return TileDiscarded(json);
                case "tile_placed":
                    return TilePlaced(json);
                case "meeple_placed":
                    return MeeplePlaced(json);
                case "feature_scored":
                    return FeatureScored(json);
                case "betting_opened":
                    return BettingOpened(json);
                case "bet_decided":
                    return BetDecided(json);
                case "chips_sealed":
                    return ChipsSealed(json);
                case "feature_chosen":
                    return FeatureChosen(json);
                case "chip_turned":
                    return ChipTurned(json);
                case "deadline_passed":
                    return DeadlinePassed(json);
                case "game_ended":
                    return GameEnded(json);
                case "bet_placed":
                    return BetPlaced(json);
                case "bet_settled":
                    return BetSettled(json);
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

        public static CarcassonneBook Book(object json)
        {
            return Read.CarcassonneBook(json);
        }

        public static CarcassonneOptions Options(object json)
        {
            return Read.CarcassonneOptions(json);
        }

        public static CarcassonneView View(object json)
        {
            return Read.CarcassonneView(json);
        }
    }
}
