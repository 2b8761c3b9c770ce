import type { CodegenConfig } from "@graphql-codegen/cli";

export default {
  schema: "schema.graphql",
  documents: "play.ts",
  importExtension: ".js",
  generates: { "./race/": { preset: "client", config: { documentMode: "string" } } },
} satisfies CodegenConfig;
