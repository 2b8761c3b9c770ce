// The types of the sockets' frames, in one file: node generate.ts URL

import { TypeScriptGenerator } from "@asyncapi/modelina";
import { Parser } from "@asyncapi/parser";
import { writeFileSync } from "node:fs";

const text = await (await fetch(`${process.argv[2]}/asyncapi.yaml`)).text();
const { document, diagnostics } = await new Parser().parse(text);
const faults = diagnostics.filter((each) => each.severity < 2); // errors and warnings
if (document === undefined || faults.length > 0) throw new Error(JSON.stringify(faults));

const generator = new TypeScriptGenerator({ modelType: "interface", rawPropertyNames: true, enumType: "union" });
const models = await generator.generate(document);
writeFileSync("frames.ts", models.map((model) => `export ${model.result}\n`).join("\n"));
