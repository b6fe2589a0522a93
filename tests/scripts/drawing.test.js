// What pages cut out of pictures, and how they name players.

import assert from "node:assert/strict";
import { test } from "node:test";
import "./page.js";

const { crop } = await import("../../companion/gnomon/web/static/table_picture.js");
const { banner, nameOf } = await import("../../companion/gnomon/web/static/banner.js");
const { FINGERS } = await import("../../companion/gnomon/web/static/fingers.js");
const { sign } = await import("../../companion/gnomon/web/static/seats.js");

test("a narrow screen shows the board as far as its places and their edges reach", () => {
  assert.equal(
    crop(
      [12, 12, 26, 26],
      [
        [100, 200, 10, 10],
        [300, 260, 10, 10],
      ],
    ),
    "88 188 248 108",
  );
});

test("where a picture has no places, or its game no edges, all of it is shown", () => {
  assert.equal(crop([12, 12, 26, 26], []), "");
  assert.equal(crop([0, 0, 0, 0], [[0, 0, 1, 1]]), "");
});

test("a person stands before the player of the rules", () => {
  const game = { players: [{ player: "p1", name: "Player 1" }], people: { p1: "Ada" } };
  assert.equal(nameOf(game, "p1"), "players.named");
  assert.equal(nameOf({ ...game, people: {} }, "p1"), "Player\u00A01"); // in one line
  assert.equal(nameOf({}, "red"), "player.red");
});

test("a player's sign is the place at the table and the hue of the side", () => {
  assert.equal(sign({ marks: { p3: [3, 1] } }, "p3"), "sign sign-3 hue-1 of-p3");
  assert.equal(sign({}, "black"), "sign sign-2 hue-0 of-black");
  assert.equal(sign({}, "stop"), "sign sign-stop");
  assert.equal(sign({}, "elsewhere"), "sign sign-wait");
});

test("the banner says first that there is no game, that it is over, that it is paused, that the board is wrong", () => {
  const game = {
    game: "tamsk",
    glasses: [],
    repairs: [],
    plies: [],
    rings_left: { red: 1, black: 2 },
    phase: "wrong",
    turn: "red",
  };
  assert.deepEqual(banner(null).offers, ["new"]);
  assert.equal(banner({ ...game, outcome: { winner: "red", reason: "rings", sentence: "Red has won." } }).side, "red");
  assert.equal(banner({ ...game, paused: true }).side, "pause");
  assert.equal(banner(game).tone, "bad");
  assert.equal(banner({ ...game, phase: "settled" }).title, "players.begins");
});

test("a pause says that no sand runs only where sand would run, and a game that was put away is not waited for", () => {
  const game = { game: "tamsk", glasses: [], repairs: [], paused: true, traits: { has_sand: true } };
  assert.equal(banner(game).hint, "players.paused.sand");
  assert.equal(banner({ ...game, traits: { has_sand: false } }).hint, "players.paused.hint");
  assert.deepEqual(banner({ ...game, free: true }), {
    side: "pause",
    title: "players.put_away",
    hint: "players.put_away.hint",
    offers: ["new"],
  });
});

test("before a clock runs nobody is said to be on turn", () => {
  const game = { game: "clock", repairs: [], plies: [], due: "press", turn: "left", request: "Press." };
  assert.equal(banner({ ...game, clock: { started: false } }).title, "players.clock.start");
  assert.equal(banner({ ...game, clock: { started: true } }).title, "players.does.move");
});

test("a demonstration asks nobody to do anything", () => {
  const glass = { game: "tamsk", glasses: [], repairs: [], plies: [{}], phase: "agreed", turn: "red" };
  const table = { game: "tau", repairs: [], plies: [], due: "throw", is_natures: true, turn: "p1", request: "Throw." };
  for (const game of [glass, table]) {
    const { hint, offers } = banner({ ...game, demonstration: true });
    assert.deepEqual([hint, offers], ["players.demonstration", []]);
    assert.notEqual(banner(game).hint, "players.demonstration");
  }
});

test("a place that is a turn by its name is touched to make it, and any other is only asked about", () => {
  const { places: Places } = FINGERS;
  const fingers = new Places();
  const game = { moves: ["a1", "swap"], moves_in_all: 2 };
  assert.deepEqual(fingers.touch("a1", game), { enter: "a1" });
  assert.deepEqual(fingers.touch("b2", game), { ask: "b2" });
  assert.equal(fingers.marks(game).get("a1"), "may");
});
