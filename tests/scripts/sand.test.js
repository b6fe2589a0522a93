// Sand: what is left, what is said of it, and the part of it that is above.

import assert from "node:assert/strict";
import { test } from "node:test";
import { answers } from "./page.js";

answers.set("/words/", { "players.glass.runs": "läuft" });
const { fraction, remaining, says } = await import("../../companion/gnomon/web/static/sand.js");
const { clock } = await import("../../companion/gnomon/web/static/seconds.js");

const running = { running: true, remaining: 90, duration: 180 };

test("running sand is less by the age of the news, and never less than none", () => {
  assert.equal(remaining(running, 30), 60);
  assert.equal(remaining(running, 200), 0);
  assert.equal(remaining(running, -5), 90);
});

test("sand that does not run stays", () => {
  assert.equal(remaining({ ...running, running: false }, 30), 90);
});

test("the part above is between 0 and 1, and the other one where the glass is turned over in the hand", () => {
  assert.equal(fraction(running, 0), 0.5);
  assert.equal(fraction(running, 45, true), 0.75);
  assert.equal(fraction({ ...running, remaining: 200 }, 0), 1);
  assert.equal(fraction({ ...running, duration: 0 }, 0), 0);
});

test("a clock rounds up, so that 0 is only what has run out", () => {
  assert.deepEqual([0, 0.1, 9.1, 59.2, 60, 83.2].map(clock), ["0", "1", "10", "1:00", "1:00", "1:24"]);
});

test("what nobody measures is an estimate, and beyond it only that it runs", () => {
  const guessed = { ...running, estimate: true };
  assert.equal(says(guessed, 12), "~12");
  assert.equal(says(guessed, 0), "läuft");
  assert.equal(says({ ...guessed, running: false }, 12), "12");
});

test("of a glass that was never turned over no time is told, and one that has just run out shows 0", () => {
  assert.equal(says({ running: false, stopped: false, remaining: 0, duration: 180 }, 0), "–");
  assert.equal(says(running, 0), "0");
  assert.equal(says({ running: false, stopped: true, remaining: 0, duration: 180 }, 0), "0");
});
