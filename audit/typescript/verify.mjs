// Starts the verifier, if this Node can read it: see verify.ts. Exit code 4: Node is too old.
const [major, minor] = process.versions.node.split(".").map(Number);
if (major > 22 || (major === 22 && minor >= 18)) {
  await import("./verify.ts");
} else {
  console.error(`verify.mjs: Node 22.18 or later is needed, and this is ${process.versions.node}`);
  process.exitCode = 4;
}
