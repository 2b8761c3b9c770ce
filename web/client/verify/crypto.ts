/** The parts of `node:crypto` that the verifier uses: browsers have none on pages without TLS. */
import { Buffer } from "buffer";
import { ed25519 } from "@noble/curves/ed25519";
import { hmac } from "@noble/hashes/hmac";
import { sha256 } from "@noble/hashes/sha2";

interface Hash {
  update(part: Uint8Array): unknown;
  digest(): Buffer;
}

function hash(state: { update(part: Uint8Array): unknown; digest(): Uint8Array }): Hash {
  return {
    update: (part) => state.update(part),
    digest: () => Buffer.from(state.digest()),
  };
}

export function createHash(): Hash {
  return hash(sha256.create());
}

export function createHmac(_: string, key: Uint8Array): Hash {
  return hash(hmac.create(sha256, key));
}

/** A public key of Ed25519 ends its SPKI. */
export function createPublicKey({ key }: { key: Uint8Array }): Uint8Array {
  return key.subarray(-32);
}

export function verify(
  _: null,
  data: Uint8Array,
  key: Uint8Array,
  signature: Uint8Array,
): boolean {
  return signature.length === 64 && ed25519.verify(signature, data, key, { zip215: false });
}
