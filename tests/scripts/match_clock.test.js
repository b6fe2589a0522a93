// Match clocks between two summaries: what each side has, and how it is shown.

import assert from "node:assert/strict";
import { test } from "node:test";
import "./page.js";

const { isLow, remarks, shows, sideOf, sidesNow } = await import("../../companion/gnomon/web/static/match_clock.js");
const { clockState, thought, used } = await import("../../companion/gnomon/web/static/seats.js");

const side = {
  kind: "increment",
  player: "red",
  players: [],
  running: false,
  remaining: 60,
  counted: 0,
  delay: 0,
  used: 0,
  spells: 0,
  period: 1,
  periods: 1,
  moves: 3,
  to_go: null,
  flagged: false,
};
const game = (one, other, more = {}) => ({
  now: 100,
  clock: { deadline: null, after: null, sides: [one, other], ...more },
});

test("the side that runs loses time, once its delay is over", () => {
  const [runs, waits] = sidesNow(game({ ...side, running: true, delay: 5 }, { ...side, player: "black" }), 8);
  assert.deepEqual([runs.remaining, runs.delay, runs.used], [57, 0, 8]);
  assert.equal(waits.remaining, 60);
});

test("a side never has less than nothing", () => {
  assert.equal(sidesNow(game({ ...side, running: true }, side), 90)[0].remaining, 0);
});

test("in an hourglass game the time of one goes to the other", () => {
  const [, other] = sidesNow(game({ ...side, kind: "hourglass", running: true }, { ...side, kind: "hourglass" }), 10);
  assert.equal(other.remaining, 70);
});

test("a period that has ended meanwhile goes over into the next one", () => {
  const after = [{ ...side, running: true, remaining: 30, period: 2 }, side];
  const [runs] = sidesNow(game({ ...side, running: true, remaining: 4 }, side, { deadline: 104, after }), 6);
  assert.deepEqual([runs.period, runs.remaining], [2, 28]);
});

test("a game without a clock has no sides", () => {
  assert.deepEqual(sidesNow({ clock: null }, 1), []);
  assert.deepEqual(sidesNow(null, 1), []);
});

test("partners share a side", () => {
  const sides = [
    { ...side, player: "one", players: ["p1", "p3"] },
    { ...side, player: "two", players: ["p2", "p4"] },
  ];
  assert.equal(sideOf(sides, "p3"), sides[0]);
  assert.equal(sideOf(sides, "p2"), sides[1]);
});

test("times are rounded up, with tenths under 20 seconds; what is counted up is rounded down", () => {
  const told = (remaining) => shows({ ...side, remaining });
  assert.deepEqual([3725, 60, 20, 19.91, 9.05, 0].map(told), ["1:02:05", "1:00", "0:20", "0:20.0", "0:09.1", "0:00.0"]);
  assert.equal(shows({ ...side, kind: "up", counted: 59.9 }), "0:59");
});

test("short of time is under 20 seconds, in byo-yomi in the last spell alone", () => {
  assert.ok(isLow({ ...side, remaining: 19 }));
  assert.ok(!isLow({ ...side, kind: "byo-yomi", spells: 2, remaining: 19 }));
  assert.ok(isLow({ ...side, kind: "byo-yomi", spells: 1, remaining: 19 }));
});

test("each state of a side has a word of its own", () => {
  const states = [{ flagged: true }, { running: true, remaining: 5 }, { running: true }, {}];
  assert.deepEqual(
    states.map((more) => clockState({ ...side, ...more })),
    ["flag", "low", "runs", "waits"],
  );
});

test("what stands under a time names the moves, and spells or periods where there are some", () => {
  assert.deepEqual(remarks(side), ["clock.moves"]);
  assert.deepEqual(remarks({ ...side, periods: 2, to_go: 4 }), ["clock.period", "clock.to_go"]);
  assert.deepEqual(remarks({ ...side, kind: "byo-yomi", running: true, delay: 2 }), [
    "clock.delay",
    "clock.spells",
    "clock.moves",
  ]);
});

test("thinking time counts on for the player who thinks, and for nobody else", () => {
  const thinking = { used: { red: 10, black: 7 }, thinks: "red" };
  assert.equal(used(thinking, "red", 2.5), 12.5);
  assert.equal(used(thinking, "black", 2.5), 7);
  assert.deepEqual([7, 750, 3729].map(thought), ["0:07", "12:30", "1:02:09"]);
});
