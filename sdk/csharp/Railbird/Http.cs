using System;
using System.Collections.Generic;
using System.Globalization;
using System.IO;
using System.IO.Compression;
using System.Net;
using System.Net.Http;
using System.Security.Authentication;
using System.Text;
using System.Threading;
using System.Threading.Tasks;
using Railbird.Models;

namespace Railbird
{
    /// <summary>
    /// One request over HTTP: the server's own answer, whole and within limits, or an error.
    /// </summary>
    internal sealed class Http : IDisposable
    {
        private const int BodyBytesMax = 1 << 24;
        private static readonly Encoding Utf8 = new UTF8Encoding(false, true);
        private readonly TimeSpan within;
        private readonly HttpClient client;
        private bool isClosed;

        public Http(TimeSpan within)
        {
            this.within = within;
            var handler = new HttpClientHandler { AllowAutoRedirect = false, UseCookies = false };
            client = new HttpClient(handler) { Timeout = Timeout.InfiniteTimeSpan };
        }

        public void Dispose()
        {
            isClosed = true;
            client.Dispose();
        }

        /// <summary>Throws Misused for a client that is closed.</summary>
        public void Check()
        {
            if (isClosed) throw new Misused("This client is closed: make another one.");
        }

        /// <summary>
        /// Send a request once, and return its answer; `read` is null where there is none. Throws
        /// Problem, Unreachable, Misused.
        /// </summary>
        public async Task<T> Ask<T>(HttpRequestMessage request, Func<object, T> read)
        {
            Check();
            string what = request.Method + " " + request.RequestUri;
            request.Headers.TryAddWithoutValidation("Accept-Encoding", "gzip");
            using (var late = new CancellationTokenSource())
            {
                try
                {
                    Task<T> asked = Exchange(request, read, late.Token);
                    Task limit = Task.Delay(Patience.AtMost(within), late.Token);
                    if (await Task.WhenAny(asked, limit).ConfigureAwait(false) == asked)
                        return await asked.ConfigureAwait(false);
                    throw new Unreachable("timed_out", what);
                }
                catch (FormatException error)
                {
                    throw new Unreachable("unreadable", what + ": " + error.Message, error);
                }
                catch (Exception error) when (IsLoss(error))
                {
                    throw new Unreachable(CodeOf(error), what + ": " + error.Message, error);
                }
                finally
                {
                    late.Cancel();
                }
            }
        }

        private async Task<T> Exchange<T>(
            HttpRequestMessage request, Func<object, T> read, CancellationToken late)
        {
            var headersFirst = HttpCompletionOption.ResponseHeadersRead;
            using (var answer =
                await client.SendAsync(request, headersFirst, late).ConfigureAwait(false))
            {
                int status = (int)answer.StatusCode;
                if (status == 101) throw new Unreachable("unreachable", "status " + status);
                if (status / 100 == 3) throw new Unreachable("redirected", "status " + status);
                CheckLength(answer);
                string text = await TextOf(answer, late).ConfigureAwait(false);
                if (status < 200) throw new Unreachable("unreachable", "status " + status);
                string kind = answer.Content.Headers.ContentType?.MediaType?.ToLowerInvariant() ?? "";
                bool hasNoBody = (status == 202 || status == 204) && text == "";
                if (answer.IsSuccessStatusCode && read == null && hasNoBody) return default(T);
                if (answer.IsSuccessStatusCode && read != null && kind == "application/json")
                    return read(Json.Parse(text));
                if (status >= 400 && kind == "application/problem+json")
                    throw ProblemOf(answer, DocumentIn(text));
                throw new FormatException("status " + status + " with " + kind);
            }
        }

        /// <summary>Throws Unreachable for a length that is none: a platform may ignore it.</summary>
        private static void CheckLength(HttpResponseMessage answer)
        {
            if (!answer.Content.Headers.TryGetValues("Content-Length", out var lengths)) return;
            foreach (string length in lengths)
            {
                if (!long.TryParse(length, NumberStyles.None, CultureInfo.InvariantCulture, out _))
                    throw new Unreachable("unreachable", "the length is " + length);
            }
        }

        /// <summary>Read a text whose size is bounded, also after decompression.</summary>
        private static async Task<string> TextOf(HttpResponseMessage answer, CancellationToken late)
        {
            string encoding = string.Join(",", answer.Content.Headers.ContentEncoding);
            using (var body = await answer.Content.ReadAsStreamAsync().ConfigureAwait(false))
            using (var whole = await WholeOf(body, late).ConfigureAwait(false))
            {
                if (encoding == "" || encoding == "identity") return Decode(whole);
                if (encoding != "gzip")
                    throw new FormatException("an encoding that was not asked for");
                try
                {
                    using (var plain = new GZipStream(whole, CompressionMode.Decompress))
                        return Decode(await WholeOf(plain, late).ConfigureAwait(false));
                }
                catch (Exception error) when (error is IOException || error is InvalidDataException)
                {
                    throw new FormatException(error.Message, error);
                }
            }
        }

        private static async Task<MemoryStream> WholeOf(
            System.IO.Stream from, CancellationToken late)
        {
            var part = new byte[16384];
            var whole = new MemoryStream();
            int count;
            while ((count = await from.ReadAsync(part, 0, part.Length, late).ConfigureAwait(false))
                > 0)
            {
                whole.Write(part, 0, count);
                if (whole.Length > BodyBytesMax)
                    throw new Unreachable("too_large", "more than " + BodyBytesMax + " bytes");
            }
            whole.Position = 0;
            return whole;
        }

        /// <summary>Decode UTF-8. Throws FormatException.</summary>
        public static string Decode(MemoryStream whole)
        {
            try
            {
                return Utf8.GetString(whole.GetBuffer(), 0, (int)whole.Length);
            }
            catch (DecoderFallbackException error)
            {
                throw new FormatException(error.Message, error);
            }
        }

        private static ProblemDocument DocumentIn(string text)
        {
            var fields = Json.Object(Json.Parse(text));
            // The server leaves out data that is empty.
            if (!fields.ContainsKey("data")) fields["data"] = new Dictionary<string, object>();
            return Read.ProblemDocument(fields);
        }

        private static Problem ProblemOf(HttpResponseMessage answer, ProblemDocument found)
        {
            return new Problem(
                found.Code, found.Data, found.Version, (int)answer.StatusCode, RetryAfter(answer));
        }

        /// <summary>
        /// Return how long a `Retry-After` asks to wait, in either of its forms. A moment is
        /// compared with the `Date` of the same response, since the own clock may be wrong.
        /// </summary>
        private static TimeSpan RetryAfter(HttpResponseMessage answer)
        {
            var asked = answer.Headers.RetryAfter;
            if (asked?.Delta != null) return asked.Delta.Value;
            if (asked?.Date == null) return TimeSpan.Zero;
            TimeSpan left = asked.Date.Value - (answer.Headers.Date ?? DateTimeOffset.UtcNow);
            return left > TimeSpan.Zero ? left : TimeSpan.Zero;
        }

        private static bool IsLoss(Exception error)
        {
            return error is HttpRequestException || error is OperationCanceledException
                || error is IOException || error is WebException || error is ObjectDisposedException
                || error is InvalidOperationException || error is AuthenticationException;
        }

        private static string CodeOf(Exception error)
        {
            for (Exception cause = error; cause != null; cause = cause.InnerException)
            {
                if (cause is AuthenticationException) return "tls_failed";
                var status = (cause as WebException)?.Status;
                if (status == WebExceptionStatus.TrustFailure
                    || status == WebExceptionStatus.SecureChannelFailure) return "tls_failed";
            }
            return "unreachable";
        }
    }
}
