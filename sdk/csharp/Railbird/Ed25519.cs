using System;
using System.Collections.Generic;
using System.Numerics;
using System.Security.Cryptography;
using System.Text;

namespace Railbird
{
    /// <summary>Ed25519 signatures (RFC 8032) with integers, without another library: some 10 ms to
    /// check one, and a few to make one.</summary>
    public static class Ed25519
    {
        private static readonly BigInteger P = BigInteger.Pow(2, 255) - 19;
        private static readonly BigInteger Order =
            BigInteger.Pow(2, 252) + BigInteger.Parse("27742317777372353535851937790883648493");
        private static readonly BigInteger D = Mod(-121665 * Inverse(121666));
        private static readonly BigInteger Root = BigInteger.ModPow(2, (P - 1) / 4, P);
        private static readonly BigInteger[] Neutral = { 0, 1, 1, 0 };
        private static readonly BigInteger[] Base = Decoded(Bytes(4 * Inverse(5) % P));
        private static readonly Lazy<List<BigInteger[]>> Powers =
            new Lazy<List<BigInteger[]>>(PowersOfBase);

        /// <summary>Return a new private key.</summary>
        public static byte[] NewKey()
        {
            var secret = new byte[32];
            using (var source = RandomNumberGenerator.Create()) source.GetBytes(secret);
            return secret;
        }

        /// <summary>Return the public half of a private key.</summary>
        public static byte[] PublicKey(byte[] secret)
        {
            return Encoded(OfBase(Scalar(Digest(secret))));
        }

        /// <summary>Return the signature of a text.</summary>
        public static byte[] Sign(byte[] secret, string text)
        {
            byte[] message = Encoding.UTF8.GetBytes(text), halves = Digest(secret);
            byte[] prefix = Part(halves, 32), key = PublicKey(secret);
            BigInteger nonce = Number(Digest(prefix, message)) % Order;
            byte[] point = Encoded(OfBase(nonce));
            BigInteger challenge = Number(Digest(point, key, message)) % Order;
            return Hashes.Joined(point, Bytes((nonce + challenge * Scalar(halves)) % Order));
        }

        /// <summary>Whether this is a signature of the text. Keys and points of small order, and
        /// forms that are not canonical, are refused.</summary>
        public static bool IsSigned(byte[] key, string text, byte[] signature)
        {
            if (key.Length != 32 || signature.Length != 64) return false;
            byte[] first = Part(signature, 0);
            BigInteger[] owner = Decoded(key), nonce = Decoded(first);
            BigInteger scalar = Number(Part(signature, 32));
            if (owner == null || nonce == null || scalar >= Order) return false;
            if (AreSame(Times(8, owner), Neutral) || AreSame(Times(8, nonce), Neutral)) return false;
            byte[] message = Encoding.UTF8.GetBytes(text);
            BigInteger challenge = Number(Digest(first, key, message)) % Order;
            return AreSame(OfBase(scalar), Sum(nonce, Times(challenge, owner)));
        }

        private static byte[] Digest(params byte[][] parts)
        {
            using (var hash = SHA512.Create()) return hash.ComputeHash(Hashes.Joined(parts));
        }

        /// <summary>Return the number that stands for a private key.</summary>
        private static BigInteger Scalar(byte[] digest)
        {
            byte[] bytes = Part(digest, 0);
            bytes[0] &= 248;
            bytes[31] = (byte)(bytes[31] & 63 | 64);
            return Number(bytes);
        }

        private static BigInteger[] OfBase(BigInteger scalar)
        {
            BigInteger[] found = Neutral;
            foreach (BigInteger[] power in Powers.Value)
            {
                if (!scalar.IsEven) found = Sum(found, power);
                scalar >>= 1;
            }
            return found;
        }

        private static List<BigInteger[]> PowersOfBase()
        {
            var powers = new List<BigInteger[]> { Base };
            while (powers.Count < 255) powers.Add(Sum(powers[powers.Count - 1], powers[powers.Count - 1]));
            return powers;
        }

        private static BigInteger[] Times(BigInteger scalar, BigInteger[] point)
        {
            BigInteger[] found = Neutral;
            for (; !scalar.IsZero; scalar >>= 1)
            {
                if (!scalar.IsEven) found = Sum(found, point);
                point = Sum(point, point);
            }
            return found;
        }

        private static BigInteger[] Sum(BigInteger[] one, BigInteger[] other)
        {
            BigInteger a = (one[1] - one[0]) * (other[1] - other[0]) % P;
            BigInteger b = (one[1] + one[0]) * (other[1] + other[0]) % P;
            BigInteger c = 2 * one[3] * other[3] % P * D % P, d = 2 * one[2] * other[2] % P;
            BigInteger e = b - a, f = d - c, g = d + c, h = b + a;
            return new[] { Mod(e * f), Mod(g * h), Mod(f * g), Mod(e * h) };
        }

        private static bool AreSame(BigInteger[] one, BigInteger[] other)
        {
            return Mod(one[0] * other[2] - other[0] * one[2]).IsZero
                && Mod(one[1] * other[2] - other[1] * one[2]).IsZero;
        }

        private static byte[] Encoded(BigInteger[] point)
        {
            BigInteger inverse = Inverse(point[2]);
            BigInteger x = Mod(point[0] * inverse), y = Mod(point[1] * inverse);
            byte[] bytes = Bytes(y);
            if (!x.IsEven) bytes[31] |= 128;
            return bytes;
        }

        /// <summary>Decode a point, or return null.</summary>
        private static BigInteger[] Decoded(byte[] data)
        {
            byte[] bytes = Part(data, 0);
            bool isOdd = bytes[31] >= 128;
            bytes[31] &= 127;
            BigInteger y = Number(bytes);
            if (y >= P) return null;
            BigInteger square = Mod((y * y - 1) * Inverse(D * y * y + 1));
            BigInteger x = BigInteger.ModPow(square, (P + 3) / 8, P);
            if (!Mod(x * x - square).IsZero) x = x * Root % P;
            if (!Mod(x * x - square).IsZero || (x.IsZero && isOdd)) return null;
            if (x.IsEven == isOdd) x = P - x;
            return new[] { x, y, BigInteger.One, x * y % P };
        }

        private static BigInteger Mod(BigInteger number)
        {
            BigInteger rest = number % P;
            return rest.Sign < 0 ? rest + P : rest;
        }

        private static BigInteger Inverse(BigInteger number)
        {
            return BigInteger.ModPow(Mod(number), P - 2, P);
        }

        private static BigInteger Number(byte[] bytes)
        {
            return new BigInteger(Hashes.Joined(bytes, new byte[1])); // never negative
        }

        private static byte[] Bytes(BigInteger number)
        {
            return Part(Hashes.Joined(number.ToByteArray(), new byte[32]), 0);
        }

        private static byte[] Part(byte[] bytes, int start)
        {
            var part = new byte[32];
            Buffer.BlockCopy(bytes, start, part, 0, 32);
            return part;
        }
    }
}
