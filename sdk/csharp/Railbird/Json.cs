using System;
using System.Collections;
using System.Collections.Generic;
using System.Globalization;
using System.Text;
using System.Text.RegularExpressions;

namespace Railbird
{
    /// <summary>A type that can be sent to the server.</summary>
    public abstract class Value
    {
        public abstract Dictionary<string, object> ToJson();
    }

    /// <summary>A value of a kind that this client does not know.</summary>
    public interface IUnknown
    {
    }

    /// <summary>
    /// Reads and writes JSON. Values are null, bool, long, double, string, List of object, and
    /// Dictionary of string and object. A wrong text or type throws FormatException.
    /// </summary>
    public static class Json
    {
        private const int DepthMax = 100;
        private static readonly Regex Number =
            new Regex(@"\G-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?", RegexOptions.CultureInvariant);
        private static readonly Regex Time = new Regex(
            @"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:.]+(Z|[+-][0-9]{2}:[0-9]{2})\z");

        /// <summary>Parse one JSON value.</summary>
        public static object Parse(string text)
        {
            int position = 0;
            object value = ParseValue(text, ref position, 0);
            SkipSpace(text, ref position);
            if (position != text.Length) throw Malformed(position);
            return value;
        }

        private static object ParseValue(string text, ref int position, int depth)
        {
            if (depth > DepthMax) throw new FormatException("The JSON is nested too deeply.");
            SkipSpace(text, ref position);
            if (position == text.Length) throw Malformed(position);
            switch (text[position])
            {
                case '{':
                    return ParseObject(text, ref position, depth);
                case '[':
                    return ParseList(text, ref position, depth);
                case '"':
                    return ParseString(text, ref position);
                case 't':
                    return ParseWord(text, ref position, "true", true);
                case 'f':
                    return ParseWord(text, ref position, "false", false);
                case 'n':
                    return ParseWord(text, ref position, "null", null);
                default:
                    return ParseNumber(text, ref position);
            }
        }

        private static Dictionary<string, object> ParseObject(
            string text, ref int position, int depth)
        {
            var found = new Dictionary<string, object>();
            position++;
            if (Take(text, ref position, '}')) return found;
            do
            {
                SkipSpace(text, ref position);
                if (position == text.Length || text[position] != '"') throw Malformed(position);
                string name = ParseString(text, ref position);
                if (!Take(text, ref position, ':')) throw Malformed(position);
                found[name] = ParseValue(text, ref position, depth + 1);
            }
            while (Take(text, ref position, ','));
            if (!Take(text, ref position, '}')) throw Malformed(position);
            return found;
        }

        private static List<object> ParseList(string text, ref int position, int depth)
        {
            var found = new List<object>();
            position++;
            if (Take(text, ref position, ']')) return found;
            do
            {
                found.Add(ParseValue(text, ref position, depth + 1));
            }
            while (Take(text, ref position, ','));
            if (!Take(text, ref position, ']')) throw Malformed(position);
            return found;
        }

        private static string ParseString(string text, ref int position)
        {
            int start = ++position;
            while (position < text.Length && text[position] >= ' ' && text[position] != '"'
                && text[position] != '\\') position++;
            if (position < text.Length && text[position] == '"')
                return text.Substring(start, position++ - start);
            var found = new StringBuilder(text, start, position - start, 2 * (position - start) + 16);
            while (position < text.Length)
            {
                char letter = text[position++];
                if (letter == '"') return Whole(found.ToString());
                if (letter < ' ') throw Malformed(position - 1);
                found.Append(letter == '\\' ? ParseEscape(text, ref position) : letter);
            }
            throw Malformed(position);
        }

        /// <summary>Return a text that contains no half of a character.</summary>
        private static string Whole(string text)
        {
            for (int i = 0; i < text.Length; i++)
            {
                if (char.IsSurrogatePair(text, i)) i++;
                else if (char.IsSurrogate(text[i])) throw new FormatException("Half a character.");
            }
            return text;
        }

        private static char ParseEscape(string text, ref int position)
        {
            if (position == text.Length) throw Malformed(position);
            char kind = text[position++];
            switch (kind)
            {
                case 'b': return '\b';
                case 'f': return '\f';
                case 'n': return '\n';
                case 'r': return '\r';
                case 't': return '\t';
                case '"':
                case '\\':
                case '/':
                    return kind;
                case 'u':
                    if (position + 4 > text.Length) throw Malformed(position);
                    string digits = text.Substring(position, 4);
                    position += 4;
                    return (char)ushort.Parse(
                        digits, NumberStyles.AllowHexSpecifier, CultureInfo.InvariantCulture);
                default:
                    throw Malformed(position - 1);
            }
        }

        private static object ParseWord(string text, ref int position, string word, object value)
        {
            if (string.CompareOrdinal(text, position, word, 0, word.Length) != 0)
                throw Malformed(position);
            position += word.Length;
            return value;
        }

        private static object ParseNumber(string text, ref int position)
        {
            int start = position;
            string digits = Number.Match(text, start).Value;
            position += digits.Length;
            var culture = CultureInfo.InvariantCulture;
            if (long.TryParse(digits, NumberStyles.AllowLeadingSign, culture, out long whole))
                return whole;
            if (double.TryParse(digits, NumberStyles.Float, culture, out double number)
                && !double.IsInfinity(number))
                return number;
            throw Malformed(start);
        }

        private static bool Take(string text, ref int position, char letter)
        {
            SkipSpace(text, ref position);
            if (position == text.Length || text[position] != letter) return false;
            position++;
            return true;
        }

        private static void SkipSpace(string text, ref int position)
        {
            while (position < text.Length && " \t\r\n".IndexOf(text[position]) >= 0) position++;
        }

        private static FormatException Malformed(int position)
        {
            return new FormatException("Malformed JSON at character " + position + ".");
        }

        // Writing

        /// <summary>Write a value as JSON.</summary>
        public static string Write(object value)
        {
            var text = new StringBuilder();
            WriteValue(text, value);
            return text.ToString();
        }

        private static void WriteValue(StringBuilder text, object value)
        {
            if (value == null) text.Append("null");
            else if (value is Value typed) WriteValue(text, typed.ToJson());
            else if (value is string words) WriteString(text, words);
            else if (value is IDictionary fields) WriteObject(text, fields);
            else if (value is IEnumerable items) WriteList(text, items);
            else if (value is double number) WriteNumber(text, number);
            else if (value is DateTimeOffset) WriteString(text, Words(value));
            else if (value is bool || value is long || value is int) text.Append(Words(value));
            else throw new Misused(value.GetType() + " cannot be written as JSON.");
        }

        private static void WriteNumber(StringBuilder text, double number)
        {
            if (double.IsNaN(number) || double.IsInfinity(number))
                throw new Misused("JSON has no number " + number + ".");
            text.Append(number.ToString("R", CultureInfo.InvariantCulture));
        }

        private static void WriteObject(StringBuilder text, IDictionary fields)
        {
            text.Append('{');
            bool isFirst = true;
            foreach (DictionaryEntry field in fields)
            {
                if (!isFirst) text.Append(',');
                isFirst = false;
                WriteString(text, (string)field.Key);
                text.Append(':');
                WriteValue(text, field.Value);
            }
            text.Append('}');
        }

        private static void WriteList(StringBuilder text, IEnumerable items)
        {
            text.Append('[');
            bool isFirst = true;
            foreach (object item in items)
            {
                if (!isFirst) text.Append(',');
                isFirst = false;
                WriteValue(text, item);
            }
            text.Append(']');
        }

        private static void WriteString(StringBuilder text, string words)
        {
            text.Append('"');
            foreach (char letter in words)
            {
                if (letter == '"' || letter == '\\') text.Append('\\').Append(letter);
                else if (letter >= ' ') text.Append(letter);
                else text.Append("\\u").Append(((int)letter).ToString("x4"));
            }
            text.Append('"');
        }

        /// <summary>Write a plain value as in a query: true, 17, 2026-01-01T00:00:00Z.</summary>
        public static string Words(object value)
        {
            if (value is bool truth) return truth ? "true" : "false";
            if (value is DateTimeOffset moment)
                return moment.UtcDateTime.ToString(
                    "yyyy-MM-dd'T'HH:mm:ss.ffffff'Z'", CultureInfo.InvariantCulture);
            return Convert.ToString(value, CultureInfo.InvariantCulture);
        }

        /// <summary>Whether two values are the same, apart from the order of members.</summary>
        public static bool AreSame(object one, object other)
        {
            return Write(Sorted(one)) == Write(Sorted(other));
        }

        private static object Sorted(object value)
        {
            if (value is List<object> items) return items.ConvertAll(Sorted);
            if (!(value is Dictionary<string, object> fields)) return value;
            var sorted = new SortedDictionary<string, object>(StringComparer.Ordinal);
            foreach (var field in fields) sorted[field.Key] = Sorted(field.Value);
            return sorted;
        }

        // Types

        /// <summary>Return a field, or null if it is absent.</summary>
        public static object Field(Dictionary<string, object> fields, string name)
        {
            fields.TryGetValue(name, out object value);
            return value;
        }

        /// <summary>Return the type of a tagged value.</summary>
        public static string Tag(object json)
        {
            return Text(Field(Object(json), "type"));
        }

        public static object Any(object json)
        {
            return json;
        }

        public static Dictionary<string, object> Object(object json)
        {
            return json as Dictionary<string, object> ?? throw Unexpected("an object", json);
        }

        public static string Text(object json)
        {
            return json as string ?? throw Unexpected("a text", json);
        }

        public static long Long(object json)
        {
            return json is long whole ? whole : throw Unexpected("an integer", json);
        }

        public static double Double(object json)
        {
            if (json is long whole) return whole;
            return json is double number ? number : throw Unexpected("a number", json);
        }

        public static bool Bool(object json)
        {
            return json is bool truth ? truth : throw Unexpected("true or false", json);
        }

        public static DateTimeOffset Moment(object json)
        {
            // Without its zone, a time would be of this computer's.
            if (!Time.IsMatch(Text(json))) throw Unexpected("a time", json);
            var found = DateTimeOffset.Parse(Text(json), CultureInfo.InvariantCulture);
            if (found.Year < 2000 || found.Year >= 9000) throw Unexpected("a time", json);
            return found;
        }

        public static Func<object, List<T>> List<T>(Func<object, T> read)
        {
            return json => (json as List<object> ?? throw Unexpected("a list", json))
                .ConvertAll(item => read(item));
        }

        public static Func<object, Dictionary<string, T>> Map<T>(Func<object, T> read)
        {
            return json =>
            {
                var found = new Dictionary<string, T>();
                foreach (var field in Object(json)) found[field.Key] = read(field.Value);
                return found;
            };
        }

        public static Func<object, T?> Nullable<T>(Func<object, T> read) where T : struct
        {
            return json => json == null ? (T?)null : read(json);
        }

        public static Func<object, T> Maybe<T>(Func<object, T> read) where T : class
        {
            return json => json == null ? null : read(json);
        }

        private static FormatException Unexpected(string wanted, object json)
        {
            string found = json == null ? "null" : json.GetType().Name;
            return new FormatException("Expected " + wanted + ", found " + found + ".");
        }
    }
}
