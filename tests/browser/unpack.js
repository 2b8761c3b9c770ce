/** Unpacks Chromium, and the libraries and fonts that not every machine has, beside the packages. */
import { mkdirSync } from "node:fs";
import { fileURLToPath } from "node:url";

const target = fileURLToPath(new URL("node_modules/.chromium", import.meta.url));
mkdirSync(target);
process.env.TMPDIR = target; // where the package unpacks to

const { inflate } = await import("@sparticuz/chromium");
const packed = new URL("../bin/", import.meta.resolve("@sparticuz/chromium"));
for (const name of ["chromium.br", "al2023.tar.br", "fonts.tar.br"]) await inflate(fileURLToPath(new URL(name, packed)));
