/** The verifier expects the `Buffer` of Node. Import this before it. */
import { Buffer } from "buffer";

Object.assign(globalThis, { Buffer });
