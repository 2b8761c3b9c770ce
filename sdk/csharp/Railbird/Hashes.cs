using System;
using System.Collections.Generic;
using System.Security.Cryptography;
using System.Text;
using System.Text.RegularExpressions;

namespace Railbird
{
    /// <summary>Bytes as pairs of hexadecimal digits.</summary>
    internal static class Hex
    {
        private static readonly Regex Pairs = new Regex(@"^([0-9a-fA-F]{2})*\z");

        internal static string Text(byte[] bytes)
        {
            return BitConverter.ToString(bytes).Replace("-", "").ToLowerInvariant();
        }

        /// <summary>Return the bytes of a text. Throws FormatException.</summary>
        internal static byte[] Bytes(string text)
        {
            if (text == null || !Pairs.IsMatch(text))
                throw new FormatException("This text is not hexadecimal.");
            var bytes = new byte[text.Length / 2];
            for (int i = 0; i < bytes.Length; i++)
                bytes[i] = Convert.ToByte(text.Substring(2 * i, 2), 16);
            return bytes;
        }
    }

    /// <summary>What the hashes of the audit protocol cover, as bytes.</summary>
    internal static class Hashes
    {
        internal static byte[] Sha256(params byte[][] parts)
        {
            using (var hash = SHA256.Create()) return hash.ComputeHash(Joined(parts));
        }

        /// <summary>Return the hash of these bytes after the name of what they are.</summary>
        internal static byte[] Named(string name, byte[] bytes)
        {
            return Sha256(Utf8(name + "\0"), bytes);
        }

        /// <summary>Return the hash of an entry of the log.</summary>
        internal static byte[] Leaf(byte[] entry)
        {
            return Sha256(new byte[1], entry);
        }

        /// <summary>Return these parts, each after its length in 4 bytes.</summary>
        internal static byte[] Framed(params byte[][] parts)
        {
            var all = new List<byte[]>();
            foreach (byte[] part in parts)
            {
                all.Add(Number(part.Length, 4));
                all.Add(part);
            }
            return Joined(all.ToArray());
        }

        internal static byte[] Joined(params byte[][] parts)
        {
            var all = new List<byte>();
            foreach (byte[] part in parts) all.AddRange(part);
            return all.ToArray();
        }

        /// <summary>Return a number in so many bytes, the largest first.</summary>
        internal static byte[] Number(long number, int size)
        {
            var bytes = new byte[size];
            for (int i = size - 1; i >= 0; i--, number >>= 8) bytes[i] = (byte)number;
            return bytes;
        }

        internal static byte[] Utf8(string text)
        {
            return Encoding.UTF8.GetBytes(text);
        }

        /// <summary>Return the bytes of an id. Throws FormatException.</summary>
        internal static byte[] Id(string text)
        {
            byte[] bytes = Hex.Bytes(text?.Replace("-", ""));
            if (bytes.Length != 16) throw new FormatException("This text is no id.");
            return bytes;
        }
    }
}
