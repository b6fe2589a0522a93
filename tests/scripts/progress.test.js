// What a browser keeps of the lessons, and that it teaches without keeping anything.

import assert from "node:assert/strict";
import { test } from "node:test";

import { keepStep, stepsDone } from "../../companion/gnomon/web/static/progress.js";

function storage(kept = {}) {
  const entries = new Map(Object.entries(kept));
  return { getItem: (key) => entries.get(key) ?? null, setItem: (key, value) => entries.set(key, value) };
}

function keepIn(place) {
  Object.defineProperty(globalThis, "localStorage", { value: place, configurable: true });
}

test("steps are kept by lesson, each once", () => {
  keepIn(storage());
  keepStep("tabik/first", "place");
  keepStep("tabik/first", "place");
  keepStep("tabik/first", "pie");
  assert.deepEqual([...stepsDone("tabik/first")], ["place", "pie"]);
  assert.deepEqual([...stepsDone("tau/first")], []);
});

test("what somebody else has kept there does no harm", () => {
  for (const kept of ["no JSON", "null", "3", '{"tabik/first": 3}']) {
    keepIn(storage({ "gnomon.lessons": kept }));
    assert.deepEqual([...stepsDone("tabik/first")], []);
    keepStep("tabik/first", "pie");
    assert.deepEqual([...stepsDone("tabik/first")], ["pie"]);
  }
});

test("a browser that keeps nothing teaches all the same", () => {
  const refuse = () => {
    throw new Error("denied");
  };
  keepIn({ getItem: refuse, setItem: refuse });
  keepStep("tabik/first", "pie");
  assert.deepEqual([...stepsDone("tabik/first")], []);
});
