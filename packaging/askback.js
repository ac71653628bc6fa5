#!/usr/bin/env node
// Starts the program of the package for this platform, with the same arguments, input and output.
const { spawn } = require("node:child_process");
const { constants } = require("node:os");

const platform = `${process.platform}-${process.arch}`;
let program = process.env.ASKBACK_BINARY;
try {
  program ||= require.resolve(`@askback/cli-${platform}/bin/askback`);
} catch {
  console.error(
    `askback: the package @askback/cli-${platform} is missing. If npm left it out, run npm install -g askback ` +
      "without --omit=optional. If there is none for this platform, build askback and name it in ASKBACK_BINARY.",
  );
  process.exit(1);
}
const child = spawn(program, process.argv.slice(2), { stdio: "inherit" });
for (const signal of ["SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
// The terminal sends it to both.
process.on("SIGINT", () => {});
child.on("error", (error) => {
  console.error(`askback: ${program} does not start: ${error.message}`);
  process.exit(1);
});
child.on("exit", (code, signal) => process.exit(code ?? 128 + constants.signals[signal]));
