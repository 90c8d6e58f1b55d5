import assert from "node:assert/strict";
import { test } from "node:test";
import { refund } from "../src/refund.js";

test("adds", () => {
  assert.equal(refund([100, 200]), 3);
});

test("rounds a half up", () => {
  assert.equal(refund([150]), 2);
});
