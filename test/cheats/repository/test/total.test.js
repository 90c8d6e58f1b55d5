import assert from "node:assert/strict";
import { test } from "node:test";
import { total } from "../src/total.js";

test("adds", () => {
  assert.equal(total([100, 200]), 3);
});

test("rounds a half up", () => {
  assert.equal(total([150]), 2);
});
