// What pages cut out of pictures, and how they name players.

import assert from "node:assert/strict";
import { test } from "node:test";
import { answers } from "./page.js";

answers.set("/words/", { "bench.place": "{place}: {on}" });
const { crop, TablePicture } = await import("../../companion/gnomon/web/static/table_picture.js");
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
  assert.equal(banner({ ...game, code: "correct", phase_sentence: "Correct the turns." }).hint, "Correct the turns.");
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

test("what is on a place is said by the game, or by its picture", () => {
  const picture = new TablePicture(null, "");
  const places = ["d4", "d5", "d6"].map((name) => {
    const rect = {
      dataset: {},
      label: "",
      getAttribute: () => rect.label,
      setAttribute: (_, text) => (rect.label = text),
    };
    return [name, rect];
  });
  picture.rects = new Map(places);
  picture.drawn = "hex7";
  picture.drawing = {
    querySelector: (part) => (part === '[data-key="d4"] > title' ? { textContent: "black stone on d4" } : null),
  };
  picture.mark("hex7", new Map(), (name) => [name, name === "d6" ? "a rod" : ""]);
  assert.deepEqual(
    places.map(([, { label }]) => label),
    ["d4: black stone on d4", "d5: bench.on.empty", "d6: a rod"],
  );
});

/** A game of men on points, in which a mill takes one, by its moves now. */
function men(...moves) {
  const { steps: Steps } = FINGERS;
  const fingers = new Steps();
  assert.deepEqual(fingers.more({ a1: [], a4: [], d6: [], "d6+": [] }), {});
  return { fingers, game: { moves, moves_in_all: moves.length } };
}

test("a turn of several places is made by touching them in the order of its text", () => {
  const { fingers, game } = men("d6-a1", "d6-a4xa1", "pass");
  assert.deepEqual([...fingers.marks(game)], [["d6", "may"]]);
  assert.equal(fingers.hint(game), "");
  assert.equal(fingers.touch("d6", game), null);
  assert.equal(fingers.hint(game), "bench.steps");
  assert.deepEqual(Object.fromEntries(fingers.marks(game)), { a1: "target", a4: "target", d6: "picked" });
  assert.equal(fingers.touch("a4", game), null);
  assert.equal(fingers.ahead(game), "");
  assert.deepEqual(fingers.touch("a1", game), { enter: "d6-a4xa1" });
  assert.equal(fingers.hint(game), "");
});

test("a place that is touched twice is let go, and one that does not fit begins another turn", () => {
  const { fingers, game } = men("d6-a1", "a4-a1");
  fingers.touch("d6", game);
  assert.equal(fingers.touch("d6", game), null);
  assert.deepEqual(fingers.picked, []);
  fingers.touch("d6", game);
  assert.equal(fingers.touch("a4", game), null);
  assert.deepEqual(fingers.picked, ["a4"]);
  fingers.clear();
  assert.deepEqual(fingers.picked, []);
});

test("a slip in the middle of a turn enters no other turn", () => {
  const { fingers, game } = men("d6xa1", "a4");
  fingers.touch("d6", game);
  assert.equal(fingers.touch("a4", game), null);
  assert.deepEqual(fingers.actions(game), [{ label: "a4", enter: "a4" }]);
  assert.equal(fingers.hint(game), "");
  fingers.clear();
  assert.deepEqual(fingers.touch("a4", game), { enter: "a4" });
});

test("what fits nowhere is asked about as a turn of the same kind", () => {
  const { fingers, game } = men("d6-a1");
  assert.deepEqual(fingers.touch("a4", game), { ask: "a4-a1" });
  fingers.touch("d6", game);
  assert.deepEqual(fingers.touch("a4", game), { ask: "d6-a4" });
  assert.deepEqual(fingers.picked, []);
  assert.equal(fingers.touch("a4", { moves: ["pass"], moves_in_all: 1 }), null);
});

test("a turn that may go on, or has two meanings, is entered by a button", () => {
  const { fingers, game } = men("a1", "a1xa4", "d6", "d6!", "d6+");
  fingers.touch("a1", game);
  assert.deepEqual(fingers.actions(game), [{ label: "a1", enter: "a1" }]);
  assert.equal(fingers.ahead(game), "a1");
  fingers.clear();
  fingers.touch("d6", game);
  assert.deepEqual(
    fingers.actions(game).map(({ enter }) => enter),
    ["d6", "d6!"],
  );
  fingers.clear();
  assert.deepEqual(fingers.touch("d6+", game), { enter: "d6+" });
});

test("before a picture is there, and of a place that it says nothing of, nothing is known", () => {
  const { steps: Steps } = FINGERS;
  const fingers = new Steps();
  const game = { moves: ["a1"], moves_in_all: 1 };
  assert.equal(fingers.touch("a1", game), null);
  fingers.more({});
  assert.equal(fingers.touch("a1", game), null);
  assert.deepEqual(fingers.describe("a1", game), ["a1", ""]);
});

test("the banner says by which code another board joins", () => {
  const opponent = { name: "The other board", on_turn: false, announced: null, invites: "The code is KWX-PTR." };
  const game = { game: "tabik", actor: "white", turn: "white", plies: [], repairs: [], opponent };
  assert.match(banner(game).hint, /^The code is KWX-PTR\./u);
  assert.equal(banner({ ...game, opponent: { ...opponent, on_turn: true } }).hint, "The code is KWX-PTR.");
  const joined = { ...game, opponent: { ...opponent, invites: null } };
  assert.equal(banner(joined).hint, banner({ ...game, opponent: null }).hint);
});

test("the banner says that an engine thinks, what it plays, and what hands do for it", () => {
  const opponent = { name: "Gnomon 3", on_turn: true, announced: null };
  const game = { game: "tabik", actor: "white", turn: "white", plies: [], repairs: [], opponent };
  assert.equal(banner(game).title, "opponent.thinks");
  assert.equal(banner(game).hint, "");
  const withSand = (running) => ({ ...game, game: "tamsk", glasses: [{ running }, { running: false }] });
  assert.deepEqual(
    [true, false].map((runs) => banner(withSand(runs)).hint),
    ["opponent.may_wait", ""],
  );
  const announced = { text: "c1c2", sentence: "It plays.", steps: [], counts_in: null, confirmed: true };
  const said = banner({ ...game, opponent: { ...opponent, announced } });
  assert.deepEqual([said.title, said.hint, said.offers], ["It plays.", "opponent.carry_out.confirm", ["carried_out"]]);
  const steps = ["Take the glass off D1."];
  const sensed = { ...announced, steps, counts_in: 4, confirmed: false };
  const seen = banner({ ...game, opponent: { ...opponent, friendly: true, announced: sensed } });
  assert.deepEqual([seen.steps, seen.offers], [steps, []]);
  assert.equal(seen.hint, "opponent.carry_out opponent.at opponent.friendly");
  const whole = banner({ ...game, opponent: { ...opponent, announced: { ...sensed, steps: [] } } });
  assert.match(whole.hint, /^opponent\.finish/u);
  const paused = banner({ ...game, demonstration: true, paused: true });
  assert.deepEqual([paused.title, paused.hint], ["players.demonstration.paused", "watching.demo.paused"]);
  assert.equal(banner({ ...game, paused: true }).hint, "players.paused.hint");
  const exhibition = banner({ ...game, demonstration: true, opponent: { ...opponent, announced } });
  assert.deepEqual([exhibition.hint, exhibition.offers], ["players.demonstration", undefined]);
});

test("the banner says what hands do for an engine while a person is on turn", () => {
  const steps = ["Turn the 15-second glass over."];
  const announced = { text: "flip15", sentence: "It turns the glass.", steps, counts_in: 4, confirmed: false };
  const opponent = { name: "Gnomon 3", on_turn: false, announced };
  const game = { game: "tamsk", turn: "red", plies: [], repairs: [], opponent };
  const said = banner(game);
  assert.deepEqual([said.side, said.title, said.steps, said.offers], ["red", "It turns the glass.", steps, []]);
  assert.equal(said.hint, "opponent.off_turn.do opponent.off_turn.at");
  const waiting = { ...announced, counts_in: null, confirmed: true };
  const own = banner({ ...game, opponent: { ...opponent, announced: waiting } });
  assert.deepEqual([own.hint, own.offers], ["opponent.off_turn.do", ["carried_out"]]);
  assert.equal(banner({ ...game, phase: "wrong", opponent }).title === said.title, false);
});

test("on the bench, too, nobody chooses a turn for an engine", async () => {
  Object.assign(globalThis, { HTMLMetaElement: class {}, HTMLButtonElement: class {} }); // what the bench looks for
  const { Controls } = await import("../../companion/gnomon/web/static/controls.js");
  const bench = { table: null, tiles: null, playing: false, why: "", fingers: { hint: () => "touch a stone" } };
  const said = { title: "It plays.", hint: "opponent.carry_out", offers: ["carried_out"] };
  const game = { game: "tabik", plies: [], repairs: [], opponent: { on_turn: true } };
  const amend = (what) => Controls.prototype.amend.call(bench, said, what);
  assert.deepEqual(amend(game), said);
  const own = amend({ ...game, opponent: { on_turn: false } });
  assert.deepEqual([own.hint, own.offers], ["touch a stone", ["picked"]]);
  assert.deepEqual(amend({ ...game, opponent: null }).offers, ["picked", "watch"]);
  const exhibition = amend({ ...game, opponent: { on_turn: true, exhibition: true } });
  assert.deepEqual(exhibition.offers, ["carried_out", "watch"]);
  const thrown = { ...game, is_natures: true, opponent: { on_turn: false, exhibition: true } };
  assert.deepEqual(amend(thrown).offers, ["carried_out", "picked", "watch"]);
});
