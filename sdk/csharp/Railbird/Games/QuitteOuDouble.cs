// Generated from schema/openapi.yaml by `python -m sdk.generate`: do not edit.
using System;
using System.Collections.Generic;

namespace Railbird.Games.QuitteOuDouble
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

    /// <summary>The right answer is shown, with the zones that pay and the teams whose tiles do.</summary>
    public sealed class AnswerRevealed : IEvent
    {
        public const string Type = "answer_revealed";
        public List<long> Only;
        public long Round;
        /// <summary>A decimal number: up to 15 digits, a point and up to 10 decimals. No unit.</summary>
        public string Answer;
        public string Source;
        public List<long> PayingZones;
        public List<long> PaidTiles;
        public List<long> ExactTiles;
    }

    /// <summary>A seat wrote the answer of its team. Only the team may read it.</summary>
    public sealed class AnswerWritten : IEvent
    {
        public const string Type = "answer_written";
        public List<long> Only;
        public long Seat;
        /// <summary>A decimal number: up to 15 digits, a point and up to 10 decimals. No unit.</summary>
        public string Answer;
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

    /// <summary>Choose which question of each card this game asks (presenter only).</summary>
    public sealed class ChooseLevel : Value, ICommand
    {
        public const string Type = "choose_level";
        /// <summary>Which of the three questions of every card is asked.</summary>
        public long Level;

        public override Dictionary<string, object> ToJson()
        {
            var json = new Dictionary<string, object>();
            json["type"] = Type;
            json["level"] = Level;
            return json;
        }
    }

    /// <summary>The game is over: the winners, and the scores by team.</summary>
    public sealed class GameEnded : IEvent
    {
        public const string Type = "game_ended";
        public List<long> Only;
        public List<long> Winners;
        public List<long> Scores;
    }

    /// <summary>The game begins: teams, roles, and the question bank with the SHA-256 of its content.</summary>
    public sealed class GameOpened : IEvent
    {
        public const string Type = "game_opened";
        public List<long> Only;
        public List<List<long>> Teams;
        public long Presenter;
        public long Banker;
        public string Bank;
        public string BankSha256;
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

    /// <summary>The whole game asks questions of this level. `timed_out`: the clock chose it.</summary>
    public sealed class LevelChosen : IEvent
    {
        public const string Type = "level_chosen";
        public List<long> Only;
        /// <summary>Which of the three questions of every card is asked.</summary>
        public long Level;
        public bool TimedOut;
    }

    /// <summary>Lock the team's answer: it can no longer change.</summary>
    public sealed class LockAnswer : Value, ICommand
    {
        public const string Type = "lock_answer";

        public override Dictionary<string, object> ToJson()
        {
            var json = new Dictionary<string, object>();
            json["type"] = Type;
            return json;
        }
    }

    /// <summary>Lock both bet tokens: they can no longer move.</summary>
    public sealed class LockBets : Value, ICommand
    {
        public const string Type = "lock_bets";

        public override Dictionary<string, object> ToJson()
        {
            var json = new Dictionary<string, object>();
            json["type"] = Type;
            return json;
        }
    }

    /// <summary>Continue with the next question after the answer was shown (presenter only).</summary>
    public sealed class NextQuestion : Value, ICommand
    {
        public const string Type = "next_question";

        public override Dictionary<string, object> ToJson()
        {
            var json = new Dictionary<string, object>();
            json["type"] = Type;
            return json;
        }
    }

    /// <summary>Place a bet token between two tiles, or move it, with `stake` gain tokens under it.</summary>
    public sealed class PlaceToken : Value, ICommand
    {
        public const string Type = "place_token";
        /// <summary>Which of a team's two bet tokens.</summary>
        public long Token;
        /// <summary>0: below the first tile; n: just above the n-th tile.</summary>
        public long Zone;
        /// <summary>Gain tokens under the bet token.</summary>
        public long? Stake;

        public override Dictionary<string, object> ToJson()
        {
            var json = new Dictionary<string, object>();
            json["type"] = Type;
            json["token"] = Token;
            json["zone"] = Zone;
            if (Stake != null) json["stake"] = Stake;
            return json;
        }
    }

    /// <summary>A question is asked and the hourglass runs. A round above seven is the tie-break.</summary>
    public sealed class QuestionAsked : IEvent
    {
        public const string Type = "question_asked";
        public List<long> Only;
        public long Round;
        public QuestionView Question;
    }

    /// <summary>Nobody answered the question, so it is discarded and its answer shown.</summary>
    public sealed class QuestionDiscarded : IEvent
    {
        public const string Type = "question_discarded";
        public List<long> Only;
        public long Card;
        /// <summary>A decimal number: up to 15 digits, a point and up to 10 decimals. No unit.</summary>
        public string Answer;
    }

    /// <summary>The question being asked, in both languages.</summary>
    public sealed class QuestionView
    {
        public long Card;
        public string Fr;
        public string En;
        public string UnitFr;
        public string UnitEn;
    }

    /// <summary>
    /// The texts of Quitte ou double. The questions stay secret, and there are no other cards.
    ///
    /// `team_colours` has a colour for each team; a seat has the colour of its team. The game has
    /// `rounds`, and each team has `tokens_per_team` bet tokens.
    /// </summary>
    public sealed class QuitteOuDoubleBook
    {
        public Dictionary<string, Dictionary<string, Text>> Names;
        public List<Call> Calls;
        public List<string> SeatFields;
        public Dictionary<string, Text> Refusals;
        public List<SeatColour> SeatColours;
        public List<SeatColour> TeamColours;
        public long Rounds;
        public long TokensPerTeam;
    }

    /// <summary>
    /// `teams` gives the team of each seat. If it is empty, the server makes balanced teams:
    /// `team_count` of them, or as many as the seats allow. `presenter` and `banker` are seats. With
    /// `captain_locks`, only the first seat of a team locks.
    ///
    /// `hourglass_s` limits both answering and betting, `level_s` the choice of the level, `reveal_s`
    /// the pause before the next question, all in seconds; 0 means no limit.
    ///
    /// `expert_bonus` adds three gain tokens for an exact answer. With `permanent_double`, teams may
    /// stake gain tokens from round two on. `hidden_bets` hides tokens from other teams until the
    /// reveal. With `tiebreak_question`, leaders who are tied answer one more question (ruling Q16).
    /// `bank` names the questions. `bots` sets how close to the truth bots guess.
    /// </summary>
    public sealed class QuitteOuDoubleOptions : Value
    {
        public List<long> Teams;
        public long? TeamCount;
        public long? Presenter;
        public long? Banker;
        public bool? CaptainLocks;
        /// <summary>0: no limit.</summary>
        public long? HourglassS;
        /// <summary>0: no limit.</summary>
        public long? LevelS;
        /// <summary>0: no limit.</summary>
        public long? RevealS;
        public bool? ExpertBonus;
        public bool? PermanentDouble;
        public bool? HiddenBets;
        public bool? TiebreakQuestion;
        public string Bank;
        /// <summary>One of "casual", "expert".</summary>
        public string Bots;

        public override Dictionary<string, object> ToJson()
        {
            var json = new Dictionary<string, object>();
            if (Teams != null) json["teams"] = Teams;
            if (TeamCount != null) json["team_count"] = TeamCount;
            if (Presenter != null) json["presenter"] = Presenter;
            if (Banker != null) json["banker"] = Banker;
            if (CaptainLocks != null) json["captain_locks"] = CaptainLocks;
            if (HourglassS != null) json["hourglass_s"] = HourglassS;
            if (LevelS != null) json["level_s"] = LevelS;
            if (RevealS != null) json["reveal_s"] = RevealS;
            if (ExpertBonus != null) json["expert_bonus"] = ExpertBonus;
            if (PermanentDouble != null) json["permanent_double"] = PermanentDouble;
            if (HiddenBets != null) json["hidden_bets"] = HiddenBets;
            if (TiebreakQuestion != null) json["tiebreak_question"] = TiebreakQuestion;
            if (Bank != null) json["bank"] = Bank;
            if (Bots != null) json["bots"] = Bots;
            return json;
        }
    }

    /// <summary>The game as one viewer sees it. `reveal` is null until the right answer is shown.</summary>
    public sealed class QuitteOuDoubleView
    {
        /// <summary>One of "answer", "bet", "finished", "level", "reveal".</summary>
        public string Phase;
        public long Round;
        public QuitteOuDoubleOptions Options;
        public long Presenter;
        public long Banker;
        public List<TeamView> Teams;
        public long? Level;
        public QuestionView Question;
        public List<Tile> Tiles;
        public bool StakesAllowed;
        public Reveal Reveal;
        public List<long> Tiebreak;
        public List<long> Winners;
        public long? You;
        public long? YourTeam;
    }

    /// <summary>The right answer, the zones that pay, and the gains and losses by team.</summary>
    public sealed class Reveal
    {
        /// <summary>A decimal number: up to 15 digits, a point and up to 10 decimals. No unit.</summary>
        public string Answer;
        public string Source;
        public List<long> PayingZones;
        public List<long> Gains;
    }

    /// <summary>The round counts as played, without payment.</summary>
    public sealed class RoundSkipped : IEvent
    {
        public const string Type = "round_skipped";
        public List<long> Only;
        public long Round;
        /// <summary>One of "no_cards", "unanswered".</summary>
        public string Reason;
    }

    /// <summary>The colour of a seat's pieces; `hex` is the colour as CSS writes it.</summary>
    public sealed class SeatColour
    {
        public Text Name;
        public string Hex;
    }

    /// <summary>A team locked its answer or its bets.</summary>
    public sealed class TeamLocked : IEvent
    {
        public const string Type = "team_locked";
        public List<long> Only;
        /// <summary>A team, numbered from 0.</summary>
        public long Team;
        public long Seat;
    }

    /// <summary>
    /// A team as one viewer sees it. Only its own members see `answer` and, where bets are hidden,
    /// `tokens`.
    /// </summary>
    public sealed class TeamView
    {
        /// <summary>A team, numbered from 0.</summary>
        public long Team;
        public Dictionary<string, string> Colour;
        public List<long> Seats;
        public long Score;
        public bool Locked;
        public string Answer;
        public List<Token> Tokens;
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

    /// <summary>These teams lead together and answer one more question; the closest answer wins.</summary>
    public sealed class TiebreakStarted : IEvent
    {
        public const string Type = "tiebreak_started";
        public List<long> Only;
        public List<long> Teams;
    }

    /// <summary>An answer in the row, and the teams that wrote it.</summary>
    public sealed class Tile
    {
        public string Value;
        public List<long> Teams;
    }

    /// <summary>The answers of all teams are shown, sorted and stacked.</summary>
    public sealed class TilesRevealed : IEvent
    {
        public const string Type = "tiles_revealed";
        public List<long> Only;
        public List<Tile> Tiles;
    }

    /// <summary>A bet token in a zone, the gain tokens under it, and the seat that placed it.</summary>
    public sealed class Token
    {
        /// <summary>Which of a team's two bet tokens.</summary>
        public long Number;
        /// <summary>0: below the first tile; n: just above the n-th tile.</summary>
        public long Zone;
        /// <summary>Gain tokens under the bet token.</summary>
        public long Stake;
        public long Seat;
    }

    /// <summary>A bet token was placed or moved. Where bets are hidden, only the team may read it.</summary>
    public sealed class TokenPlaced : IEvent
    {
        public const string Type = "token_placed";
        public List<long> Only;
        public long Seat;
        /// <summary>A team, numbered from 0.</summary>
        public long Team;
        /// <summary>Which of a team's two bet tokens.</summary>
        public long Token;
        /// <summary>0: below the first tile; n: just above the n-th tile.</summary>
        public long Zone;
        /// <summary>Gain tokens under the bet token.</summary>
        public long Stake;
    }

    /// <summary>Write the team's answer, or replace it: the last one counts.</summary>
    public sealed class WriteAnswer : Value, ICommand
    {
        public const string Type = "write_answer";
        /// <summary>A decimal number: up to 15 digits, a point or a comma and up to 10 decimals. No unit. Surrounding spaces are ignored.</summary>
        public string Answer;

        public override Dictionary<string, object> ToJson()
        {
            var json = new Dictionary<string, object>();
            json["type"] = Type;
            json["answer"] = Answer;
            return json;
        }
    }

    /// <summary>The types of this game, for <c>Client.Table</c>.</summary>
    public static class Game
    {
        public static readonly GameTypes<ICommand, IEvent, QuitteOuDoubleView> Types =
            new GameTypes<ICommand, IEvent, QuitteOuDoubleView>(
                "quitte_ou_double", Read.Command, Read.Event, Read.View);
    }

    /// <summary>Reads the types of this namespace from JSON values.</summary>
    public static class Read
    {
        public static AnswerRevealed AnswerRevealed(object json)
        {
            var fields = Json.Object(json);
            return new AnswerRevealed
            {
                Only = Json.Maybe(Json.List(Json.Long))(Json.Field(fields, "only")),
                Round = Json.Long(Json.Field(fields, "round")),
                Answer = Json.Text(Json.Field(fields, "answer")),
                Source = Json.Text(Json.Field(fields, "source")),
                PayingZones = Json.List(Json.Long)(Json.Field(fields, "paying_zones")),
                PaidTiles = Json.List(Json.Long)(Json.Field(fields, "paid_tiles")),
                ExactTiles = Json.List(Json.Long)(Json.Field(fields, "exact_tiles")),
            };
        }

        public static AnswerWritten AnswerWritten(object json)
        {
            var fields = Json.Object(json);
            return new AnswerWritten
            {
                Only = Json.Maybe(Json.List(Json.Long))(Json.Field(fields, "only")),
                Seat = Json.Long(Json.Field(fields, "seat")),
                Answer = Json.Text(Json.Field(fields, "answer")),
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

        public static ChooseLevel ChooseLevel(object json)
        {
            var fields = Json.Object(json);
            return new ChooseLevel
            {
                Level = Json.Long(Json.Field(fields, "level")),
            };
        }

        public static GameEnded GameEnded(object json)
        {
            var fields = Json.Object(json);
            return new GameEnded
            {
                Only = Json.Maybe(Json.List(Json.Long))(Json.Field(fields, "only")),
                Winners = Json.List(Json.Long)(Json.Field(fields, "winners")),
                Scores = Json.List(Json.Long)(Json.Field(fields, "scores")),
            };
        }

        public static GameOpened GameOpened(object json)
        {
            var fields = Json.Object(json);
            return new GameOpened
            {
                Only = Json.Maybe(Json.List(Json.Long))(Json.Field(fields, "only")),
                Teams = Json.List(Json.List(Json.Long))(Json.Field(fields, "teams")),
                Presenter = Json.Long(Json.Field(fields, "presenter")),
                Banker = Json.Long(Json.Field(fields, "banker")),
                Bank = Json.Text(Json.Field(fields, "bank")),
                BankSha256 = Json.Text(Json.Field(fields, "bank_sha256")),
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

        public static LevelChosen LevelChosen(object json)
        {
            var fields = Json.Object(json);
            return new LevelChosen
            {
                Only = Json.Maybe(Json.List(Json.Long))(Json.Field(fields, "only")),
                Level = Json.Long(Json.Field(fields, "level")),
                TimedOut = Json.Bool(Json.Field(fields, "timed_out")),
            };
        }

        public static LockAnswer LockAnswer(object json)
        {
            return new LockAnswer();
        }

        public static LockBets LockBets(object json)
        {
            return new LockBets();
        }

        public static NextQuestion NextQuestion(object json)
        {
            return new NextQuestion();
        }

        public static PlaceToken PlaceToken(object json)
        {
            var fields = Json.Object(json);
            return new PlaceToken
            {
                Token = Json.Long(Json.Field(fields, "token")),
                Zone = Json.Long(Json.Field(fields, "zone")),
                Stake = Json.Nullable(Json.Long)(Json.Field(fields, "stake")),
            };
        }

        public static QuestionAsked QuestionAsked(object json)
        {
            var fields = Json.Object(json);
            return new QuestionAsked
            {
                Only = Json.Maybe(Json.List(Json.Long))(Json.Field(fields, "only")),
                Round = Json.Long(Json.Field(fields, "round")),
                Question = Read.QuestionView(Json.Field(fields, "question")),
            };
        }

        public static QuestionDiscarded QuestionDiscarded(object json)
        {
            var fields = Json.Object(json);
            return new QuestionDiscarded
            {
                Only = Json.Maybe(Json.List(Json.Long))(Json.Field(fields, "only")),
                Card = Json.Long(Json.Field(fields, "card")),
                Answer = Json.Text(Json.Field(fields, "answer")),
            };
        }

        public static QuestionView QuestionView(object json)
        {
            var fields = Json.Object(json);
            return new QuestionView
            {
                Card = Json.Long(Json.Field(fields, "card")),
                Fr = Json.Text(Json.Field(fields, "fr")),
                En = Json.Text(Json.Field(fields, "en")),
                UnitFr = Json.Text(Json.Field(fields, "unit_fr")),
                UnitEn = Json.Text(Json.Field(fields, "unit_en")),
            };
        }

        public static QuitteOuDoubleBook QuitteOuDoubleBook(object json)
        {
            var fields = Json.Object(json);
            return new QuitteOuDoubleBook
            {
                Names = Json.Map(Json.Map(Read.Text))(Json.Field(fields, "names")),
                Calls = Json.List(Read.Call)(Json.Field(fields, "calls")),
                SeatFields = Json.List(Json.Text)(Json.Field(fields, "seat_fields")),
                Refusals = Json.Map(Read.Text)(Json.Field(fields, "refusals")),
                SeatColours = Json.List(Read.SeatColour)(Json.Field(fields, "seat_colours")),
                TeamColours = Json.List(Read.SeatColour)(Json.Field(fields, "team_colours")),
                Rounds = Json.Long(Json.Field(fields, "rounds")),
                TokensPerTeam = Json.Long(Json.Field(fields, "tokens_per_team")),
            };
        }

        public static QuitteOuDoubleOptions QuitteOuDoubleOptions(object json)
        {
            var fields = Json.Object(json);
            return new QuitteOuDoubleOptions
            {
                Teams = Json.Maybe(Json.List(Json.Long))(Json.Field(fields, "teams")),
                TeamCount = Json.Nullable(Json.Long)(Json.Field(fields, "team_count")),
                Presenter = Json.Nullable(Json.Long)(Json.Field(fields, "presenter")),
                Banker = Json.Nullable(Json.Long)(Json.Field(fields, "banker")),
                CaptainLocks = Json.Nullable(Json.Bool)(Json.Field(fields, "captain_locks")),
                HourglassS = Json.Nullable(Json.Long)(Json.Field(fields, "hourglass_s")),
                LevelS = Json.Nullable(Json.Long)(Json.Field(fields, "level_s")),
                RevealS = Json.Nullable(Json.Long)(Json.Field(fields, "reveal_s")),
                ExpertBonus = Json.Nullable(Json.Bool)(Json.Field(fields, "expert_bonus")),
                PermanentDouble = Json.Nullable(Json.Bool)(Json.Field(fields, "permanent_double")),
                HiddenBets = Json.Nullable(Json.Bool)(Json.Field(fields, "hidden_bets")),
                TiebreakQuestion = Json.Nullable(Json.Bool)(Json.Field(fields, "tiebreak_question")),
                Bank = Json.Maybe(Json.Text)(Json.Field(fields, "bank")),
                Bots = Json.Maybe(Json.Text)(Json.Field(fields, "bots")),
            };
        }

        public static QuitteOuDoubleView QuitteOuDoubleView(object json)
        {
            var fields = Json.Object(json);
            return new QuitteOuDoubleView
            {
                Phase = Json.Text(Json.Field(fields, "phase")),
                Round = Json.Long(Json.Field(fields, "round")),
                Options = Read.QuitteOuDoubleOptions(Json.Field(fields, "options")),
                Presenter = Json.Long(Json.Field(fields, "presenter")),
                Banker = Json.Long(Json.Field(fields, "banker")),
                Teams = Json.List(Read.TeamView)(Json.Field(fields, "teams")),
                Level = Json.Nullable(Json.Long)(Json.Field(fields, "level")),
                Question = Json.Maybe(Read.QuestionView)(Json.Field(fields, "question")),
                Tiles = Json.List(Read.Tile)(Json.Field(fields, "tiles")),
                StakesAllowed = Json.Bool(Json.Field(fields, "stakes_allowed")),
                Reveal = Json.Maybe(Read.Reveal)(Json.Field(fields, "reveal")),
                Tiebreak = Json.List(Json.Long)(Json.Field(fields, "tiebreak")),
                Winners = Json.List(Json.Long)(Json.Field(fields, "winners")),
                You = Json.Nullable(Json.Long)(Json.Field(fields, "you")),
                YourTeam = Json.Nullable(Json.Long)(Json.Field(fields, "your_team")),
            };
        }

        public static Reveal Reveal(object json)
        {
            var fields = Json.Object(json);
            return new Reveal
            {
                Answer = Json.Text(Json.Field(fields, "answer")),
                Source = Json.Text(Json.Field(fields, "source")),
                PayingZones = Json.List(Json.Long)(Json.Field(fields, "paying_zones")),
                Gains = Json.List(Json.Long)(Json.Field(fields, "gains")),
            };
        }

        public static RoundSkipped RoundSkipped(object json)
        {
            var fields = Json.Object(json);
            return new RoundSkipped
            {
                Only = Json.Maybe(Json.List(Json.Long))(Json.Field(fields, "only")),
                Round = Json.Long(Json.Field(fields, "round")),
                Reason = Json.Text(Json.Field(fields, "reason")),
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

        public static TeamLocked TeamLocked(object json)
        {
            var fields = Json.Object(json);
            return new TeamLocked
            {
                Only = Json.Maybe(Json.List(Json.Long))(Json.Field(fields, "only")),
                Team = Json.Long(Json.Field(fields, "team")),
                Seat = Json.Long(Json.Field(fields, "seat")),
            };
        }

        public static TeamView TeamView(object json)
        {
            var fields = Json.Object(json);
            return new TeamView
            {
                Team = Json.Long(Json.Field(fields, "team")),
                Colour = Json.Map(Json.Text)(Json.Field(fields, "colour")),
                Seats = Json.List(Json.Long)(Json.Field(fields, "seats")),
                Score = Json.Long(Json.Field(fields, "score")),
                Locked = Json.Bool(Json.Field(fields, "locked")),
                Answer = Json.Maybe(Json.Text)(Json.Field(fields, "answer")),
                Tokens = Json.Maybe(Json.List(Read.Token))(Json.Field(fields, "tokens")),
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

        public static TiebreakStarted TiebreakStarted(object json)
        {
            var fields = Json.Object(json);
            return new TiebreakStarted
            {
                Only = Json.Maybe(Json.List(Json.Long))(Json.Field(fields, "only")),
                Teams = Json.List(Json.Long)(Json.Field(fields, "teams")),
            };
        }

        public static Tile Tile(object json)
        {
            var fields = Json.Object(json);
            return new Tile
            {
                Value = Json.Text(Json.Field(fields, "value")),
                Teams = Json.List(Json.Long)(Json.Field(fields, "teams")),
            };
        }

        public static TilesRevealed TilesRevealed(object json)
        {
            var fields = Json.Object(json);
            return new TilesRevealed
            {
                Only = Json.Maybe(Json.List(Json.Long))(Json.Field(fields, "only")),
                Tiles = Json.List(Read.Tile)(Json.Field(fields, "tiles")),
            };
        }

        public static Token Token(object json)
        {
            var fields = Json.Object(json);
            return new Token
            {
                Number = Json.Long(Json.Field(fields, "number")),
                Zone = Json.Long(Json.Field(fields, "zone")),
                Stake = Json.Long(Json.Field(fields, "stake")),
                Seat = Json.Long(Json.Field(fields, "seat")),
            };
        }

        public static TokenPlaced TokenPlaced(object json)
        {
            var fields = Json.Object(json);
            return new TokenPlaced
            {
                Only = Json.Maybe(Json.List(Json.Long))(Json.Field(fields, "only")),
                Seat = Json.Long(Json.Field(fields, "seat")),
                Team = Json.Long(Json.Field(fields, "team")),
                Token = Json.Long(Json.Field(fields, "token")),
                Zone = Json.Long(Json.Field(fields, "zone")),
                Stake = Json.Long(Json.Field(fields, "stake")),
            };
        }

        public static WriteAnswer WriteAnswer(object json)
        {
            var fields = Json.Object(json);
            return new WriteAnswer
            {
                Answer = Json.Text(Json.Field(fields, "answer")),
            };
        }

        public static ICommand Command(object json)
        {
            switch (Json.Tag(json))
            {
                case "choose_level":
                    return ChooseLevel(json);
                case "write_answer":
                    return WriteAnswer(json);
                case "lock_answer":
                    return LockAnswer(json);
                case "place_token":
                    return PlaceToken(json);
                case "lock_bets":
                    return LockBets(json);
                case "next_question":
                    return NextQuestion(json);
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
                case "game_opened":
                    return GameOpened(json);
                case "level_chosen":
                    return LevelChosen(json);
                case "question_asked":
                    return QuestionAsked(json);
                case "answer_written":
                    return AnswerWritten(json);
                case "team_locked":
                    return TeamLocked(json);
                case "tiles_revealed":
                    return TilesRevealed(json);
                case "question_discarded":
                    return QuestionDiscarded(json);
                case "round_skipped":
                    return RoundSkipped(json);
                case "token_placed":
                    return TokenPlaced(json);
                case "answer_revealed":
                    return AnswerRevealed(json);
                case "tiebreak_started":
                    return TiebreakStarted(json);
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

        public static QuitteOuDoubleBook Book(object json)
        {
            return Read.QuitteOuDoubleBook(json);
        }

        public static QuitteOuDoubleOptions Options(object json)
        {
            return Read.QuitteOuDoubleOptions(json);
        }

        public static QuitteOuDoubleView View(object json)
        {
            return Read.QuitteOuDoubleView(json);
        }
    }
}
