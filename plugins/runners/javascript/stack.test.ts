import { describe, expect, test } from "vitest";
import { parseStack } from "./stack.ts";

const root = "/lane";

describe("frames of V8", () => {
  test.each([
    ["a function", "at f (/lane/a.js:1:2)", { file: "a.js", line: 1, column: 2 }],
    ["no name", "at /lane/a.js:1:2", { file: "a.js", line: 1, column: 2 }],
    ["a file URL", "at f (file:///lane/a%20b.js:1:2)", { file: "a b.js", line: 1, column: 2 }],
    ["async", "at async f (/lane/a.js:1:2)", { file: "a.js", line: 1, column: 2 }],
    ["async without a name", "at async file:///lane/a.js:1:2", { file: "a.js", line: 1, column: 2 }],
    ["a constructor", "at new A (/lane/a.js:1:2)", { file: "a.js", line: 1, column: 2 }],
    ["a method with an alias", "at A.f [as g] (/lane/a.js:1:2)", { file: "a.js", line: 1, column: 2 }],
    ["parentheses in the path", "at f (/lane/(a)/b.js:1:2)", { file: "(a)/b.js", line: 1, column: 2 }],
    ["blanks in the path", "at f (/lane/a b/c.js:1:2)", { file: "a b/c.js", line: 1, column: 2 }],
    ["evaluated text", "at eval (eval at f (/lane/a.js:1:2), <anonymous>:1:1)", { file: "a.js", line: 1, column: 2 }],
    ["a query of vite", "at f (/lane/a.js?v=12:1:2)", { file: "a.js", line: 1, column: 2 }],
    ["a file system prefix of vite", "at f (/@fs/lane/a.js:1:2)", { file: "a.js", line: 1, column: 2 }],
    ["the other name of a temporary folder", "at f (/private/lane/a.js:1:2)", { file: "a.js", line: 1, column: 2 }],
    ["no column", "at f (/lane/a.js:1)", { file: "a.js", line: 1 }],
  ])("%s", (_, line, frame) => {
    const stack = parseStack(`Error: x\n    ${line}`, { root, message: "x" });
    expect(stack.frames).toEqual([frame]);
    expect(stack.innermost).toEqual(frame);
  });

  test("Windows paths", () => {
    const stack = parseStack("Error: x\n    at f (C:\\lane\\src\\a.js:1:2)\n    at file:///c:/lane/b.js:3:4", {
      root: "c:\\lane",
      message: "x",
    });
    expect(stack.frames.map(({ file }) => file)).toEqual(["src/a.js", "b.js"]);
  });

  test.each([
    "at node:internal/process/task_queues:95:5",
    "at Array.map (<anonymous>)",
    "at async Promise.all (index 0)",
    "at new Promise (<anonymous>)",
    "at f (native)",
    "at f (wasm://wasm/0001:1:2)",
  ])("%s is the engine's own", (line) => {
    expect(parseStack(`Error: x\n    ${line}`, { root, message: "x" }).frames).toEqual([]);
  });
});

describe("the innermost place of the project", () => {
  test("is below dependencies, which stay among the frames", () => {
    const stack = parseStack(
      "Error: x\n    at a (/lane/node_modules/.pnpm/d@1/node_modules/d/i.js:1:1)\n    at b (/other/node_modules/e.js:1:1)\n    at c (/lane/src/c.js:2:2)",
      { root, message: "x" },
    );
    expect(stack.frames).toHaveLength(3);
    expect(stack.innermost?.file).toBe("src/c.js");
  });

  test("is found beyond the frames that are kept", () => {
    const deep = "    at d (/lane/node_modules/d/i.js:1:1)\n".repeat(50);
    const stack = parseStack(`Error: x\n${deep}    at c (/lane/src/c.js:2:2)`, { root, message: "x" });
    expect(stack.frames).toHaveLength(20);
    expect(stack.innermost?.file).toBe("src/c.js");
  });

  test("is never outside the root, where there is one", () => {
    const stack = "Error: x\n    at a (/lane-of-another/src/a.js:1:1)";
    expect(parseStack(stack, { root, message: "x" }).innermost).toBeUndefined();
    expect(parseStack(stack, { message: "x" }).innermost?.file).toBe("/lane-of-another/src/a.js");
  });
});

describe("a message that looks like a stack", () => {
  const message = "x\n    at boom (/lane/src/a.js:1:1)";
  const real = "    at /lane/test/a.test.js:5:6";

  test("names no place", () => {
    const stack = parseStack(`Error: ${message}\n${real}`, { root, message });
    expect(stack.frames).toEqual([{ file: "test/a.test.js", line: 5, column: 6 }]);
  });

  test("names none where the runner changed the message, as long as text lies between", () => {
    const stack = parseStack(
      `TypeError: (0 , __import__.x) is no function\n    at boom (/lane/src/a.js:1:1)\ntext\n${real}`,
      {
        root,
        message: "x is no function\n    at boom (/lane/src/a.js:1:1)\ntext",
      },
    );
    expect(stack.frames.map(({ file }) => file)).toEqual(["test/a.test.js"]);
  });
});

test("text without frames gives none", () => {
  expect(parseStack("", { root })).toEqual({ frames: [], innermost: undefined });
  expect(parseStack("Error: at last\nat", { root })).toEqual({ frames: [], innermost: undefined });
});
