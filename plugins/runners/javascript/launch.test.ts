import { expect, test } from "vitest";
import { readLaunch } from "./launch.ts";

test.each([
  ["vitest run a", ["vitest"], ["run", "a"]],
  ["node_modules/.bin/vitest run", ["node_modules/.bin/vitest"], ["run"]],
  ["./packages/a/node_modules/.bin/vitest", ["./packages/a/node_modules/.bin/vitest"], []],
  ["node_modules\\.bin\\vitest.cmd run", ["node_modules\\.bin\\vitest.cmd"], ["run"]],
  ["node node_modules/vitest/vitest.mjs run", ["node", "node_modules/vitest/vitest.mjs"], ["run"]],
  ["npx vitest run -t x", ["vitest"], ["run", "-t", "x"]],
  ["npx --no-install vitest run", ["vitest"], ["run"]],
  ["npx -- vitest run", ["vitest"], ["run"]],
  ["npm exec -- vitest run --bail 1", ["vitest"], ["run", "--bail", "1"]],
  ["npm exec vitest run", ["vitest"], ["run"]],
  ["pnpm exec vitest run", ["vitest"], ["run"]],
  ["pnpm vitest run", ["vitest"], ["run"]],
  ["yarn vitest run", ["vitest"], ["run"]],
  ["yarn run vitest", ["vitest"], []],
])("%s starts the installed executable", (line, command, args) => {
  expect(readLaunch(line.split(" "), "vitest")).toEqual({ env: {}, command, args });
});

test("assignments before the command are taken apart", () => {
  expect(readLaunch(["env", "A=1", "cross-env", "B=x=y", "vitest"], "vitest")).toEqual({
    env: { A: "1", B: "x=y" },
    command: ["vitest"],
    args: [],
  });
});

test.each([
  "",
  "npx",
  "npx vitest@3 run",
  "npx -p vitest vitest",
  "npx jest",
  "npm test",
  "npm exec vitest --run",
  "npm install vitest",
  "pnpm dlx vitest",
  "yarn dlx vitest",
  "node test/vitest.js",
  "node src/node_modules.js vitest",
  "evil/vitest run",
  "bash -c vitest",
  "vitest-other",
])("%j is not plainly the installed executable", (line) => {
  expect(readLaunch(line === "" ? [] : line.split(" "), "vitest")).toBeNull();
});
