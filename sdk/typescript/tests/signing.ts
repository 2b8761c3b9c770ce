/** Print which texts of a server a client signs for which commands: `signing.ts CASES`, each a slug,
 * a command and a text. */
import { Signing } from "../src/signing.ts";

const cases = JSON.parse(process.argv[2]!) as [string, unknown, string][];
const signs = cases.map(([slug, command, text]) => {
  const signing = new Signing(slug, command, () => Promise.reject(new Error("nothing is signed here")));
  return signing.goesOn("signature_refused", { reason: "wrong", command: text }) && signing.text === text;
});
console.log(JSON.stringify(signs));
