// What a page makes of a drawing: how high sand stands, and where an arrow leads.

import assert from "node:assert/strict";
import { test } from "node:test";
import "./page.js";

const { height } = await import("../../companion/gnomon/web/static/tamsk.js");
const { beside } = await import("../../companion/gnomon/web/static/table_picture.js");

test("sand stands as high as the drawing tells, and in between where it does not tell", () => {
  const heights = [0, 0.5, 1];
  assert.deepEqual(
    [0, 0.25, 0.5, 0.75, 1].map((part) => height(heights, part)),
    [0, 0.25, 0.5, 0.75, 1],
  );
  assert.equal(height([0, 0.8, 1], 0.25), 0.4);
});

test("more sand than there is stands as high as all of it, and less than none not at all", () => {
  assert.equal(height([0, 0.5, 1], 1.2), 1);
  assert.equal(height([0, 0.5, 1], -0.1), 0);
});

test("an arrow leads to the nearest place in its direction, and nowhere from the edge", () => {
  /** Three squares in a row, one below the first. */
  const places = { a2: [0, 0, 10, 10], b2: [10, 0, 10, 10], c2: [20, 0, 10, 10], a1: [0, 10, 10, 10] };
  assert.equal(beside(places, "a2", [1, 0]), "b2");
  assert.equal(beside(places, "c2", [-1, 0]), "b2");
  assert.equal(beside(places, "a2", [0, 1]), "a1");
  assert.equal(beside(places, "a2", [0, -1]), "");
});
