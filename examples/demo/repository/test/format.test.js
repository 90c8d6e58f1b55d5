import assert from "node:assert/strict";
import { test } from "node:test";
import { format } from "../src/format.js";

test("formats", () => {
  assert.equal(format([500]), "5 EUR");
});
