/** SHA-256, and the bytes that it is taken of. */

/** Whether this platform has SHA-256: pages without a secure context do not. */
export const HAS_HASHES = globalThis.crypto?.subtle !== undefined;

export type Part = string | Uint8Array<ArrayBuffer>;

export function sha256(...parts: Part[]): Promise<Uint8Array<ArrayBuffer>> {
  const digest = crypto.subtle.digest("SHA-256", concatenated(parts));
  return digest.then((bytes) => new Uint8Array(bytes));
}

export function concatenated(parts: Part[]): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(parts.map(bytesIn).flatMap((bytes) => [...bytes]));
}

/** The parts, each after its length in 4 bytes. */
export function framed(parts: Part[]): Uint8Array<ArrayBuffer> {
  return concatenated(
    parts.map(bytesIn).flatMap((bytes) => {
      const length = new Uint8Array(4);
      new DataView(length.buffer).setUint32(0, bytes.length);
      return [length, bytes];
    }),
  );
}

function bytesIn(part: Part): Uint8Array<ArrayBuffer> {
  return typeof part === "string" ? new TextEncoder().encode(part) : part;
}

export function hexOf(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

export function bytesOf(hex: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(hex.match(/../g) ?? [], (pair) => parseInt(pair, 16));
}

export function uuidBytes(id: string): Uint8Array<ArrayBuffer> {
  return bytesOf(id.replaceAll("-", ""));
}
