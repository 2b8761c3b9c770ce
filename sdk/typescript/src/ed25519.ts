/** Ed25519 signatures (RFC 8032) with integers: not every platform has the algorithm. */
import { bytesOf, concatenated, hexOf, type Part } from "./hashes.ts";

const P = 2n ** 255n - 19n;
const ORDER = 2n ** 252n + 27742317777372353535851937790883648493n;
const D = mod(-121665n * power(121666n, P - 2n));
const ROOT = power(2n, (P - 1n) / 4n);

type Point = readonly [x: bigint, y: bigint, z: bigint, t: bigint];
const NEUTRAL: Point = [0n, 1n, 1n, 0n];
const BASE = pointOf(mod(4n * power(5n, P - 2n)))!;

function mod(value: bigint): bigint {
  return ((value % P) + P) % P;
}

function power(base: bigint, exponent: bigint): bigint {
  let found = 1n;
  for (let [square, rest] = [mod(base), exponent]; rest > 0n; rest >>= 1n, square = mod(square * square)) {
    if (rest & 1n) found = mod(found * square);
  }
  return found;
}

/**
 * Whether this is a signature of the message. Keys and points of small order, and forms that are
 * not canonical, are refused.
 */
export async function isSigned(key: Uint8Array, message: Part, signature: Uint8Array): Promise<boolean> {
  if (key.length !== 32 || signature.length !== 64) return false;
  const [first, rest] = [signature.slice(0, 32), signature.slice(32)];
  const [own, nonce, scalar] = [pointOf(littleEndian(key)), pointOf(littleEndian(first)), littleEndian(rest)];
  if (!own || !nonce || scalar >= ORDER) return false;
  if (isSame(times(8n, own), NEUTRAL) || isSame(times(8n, nonce), NEUTRAL)) return false;
  const challenge = littleEndian(await sha512([first, Uint8Array.from(key), message])) % ORDER;
  return isSame(times(scalar, BASE), sum(nonce, times(challenge, own)));
}

/** Return the public half of a key. */
export async function publicKey(secret: Uint8Array): Promise<Uint8Array> {
  return encoded(times((await halves(secret)).scalar, BASE));
}

/** Return the signature of a message. */
export async function sign(secret: Uint8Array, message: string): Promise<Uint8Array> {
  const { scalar, prefix } = await halves(secret);
  const own = encoded(times(scalar, BASE));
  const nonce = littleEndian(await sha512([prefix, message])) % ORDER;
  const point = encoded(times(nonce, BASE));
  const challenge = littleEndian(await sha512([point, own, message])) % ORDER;
  return concatenated([point, bytesOfNumber((nonce + challenge * scalar) % ORDER)]);
}

/** Return the number that stands for a private key, and what its nonces are made of. */
async function halves(secret: Uint8Array): Promise<{ scalar: bigint; prefix: Uint8Array<ArrayBuffer> }> {
  const digest = await sha512([Uint8Array.from(secret)]);
  const number = littleEndian(digest.slice(0, 32)) % 2n ** 255n;
  return { scalar: number - (number % 8n) + (number >> 254n ? 0n : 2n ** 254n), prefix: digest.slice(32) };
}

async function sha512(parts: Part[]): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await crypto.subtle.digest("SHA-512", concatenated(parts)));
}

function encoded([x, y, z]: Point): Uint8Array<ArrayBuffer> {
  const inverse = power(z, P - 2n);
  return bytesOfNumber(mod(y * inverse) + ((mod(x * inverse) & 1n) << 255n));
}

function bytesOfNumber(value: bigint): Uint8Array<ArrayBuffer> {
  return bytesOf(value.toString(16).padStart(64, "0")).reverse();
}

function littleEndian(bytes: Uint8Array): bigint {
  return BigInt(`0x${hexOf(Uint8Array.from(bytes).reverse())}`);
}

function sum(one: Point, other: Point): Point {
  const a = mod((one[1] - one[0]) * (other[1] - other[0]));
  const b = mod((one[1] + one[0]) * (other[1] + other[0]));
  const c = mod(2n * one[3] * other[3] * D);
  const d = mod(2n * one[2] * other[2]);
  const [e, f, g, h] = [b - a, d - c, d + c, b + a];
  return [mod(e * f), mod(g * h), mod(f * g), mod(e * h)];
}

function times(scalar: bigint, point: Point): Point {
  let found = NEUTRAL;
  for (let rest = scalar; rest > 0n; rest >>= 1n, point = sum(point, point)) {
    if (rest & 1n) found = sum(found, point);
  }
  return found;
}

function isSame(one: Point, other: Point): boolean {
  return mod(one[0] * other[2] - other[0] * one[2]) === 0n && mod(one[1] * other[2] - other[1] * one[2]) === 0n;
}

function pointOf(encoded: bigint): Point | null {
  const [sign, y] = [encoded >> 255n, encoded & (2n ** 255n - 1n)];
  if (y >= P) return null;
  const square = mod((y * y - 1n) * power(D * y * y + 1n, P - 2n));
  let x = power(square, (P + 3n) / 8n);
  if (mod(x * x - square) !== 0n) x = mod(x * ROOT);
  if (mod(x * x - square) !== 0n || (x === 0n && sign === 1n)) return null;
  if ((x & 1n) !== sign) x = P - x;
  return [x, y, 1n, mod(x * y)];
}
