// The boards of a hall: their order, and how news are put together with what was missed.

import assert from "node:assert/strict";
import { beforeEach, mock, test } from "node:test";
import { setImmediate as settled } from "node:timers/promises";
import { answers, streams } from "./page.js";

const { HallNews, byName, byTime, spoken } = await import("../../companion/gnomon/web/static/hall_news.js");

const board = (name, more = {}) => ({ board: name, presence: "online", phase: "running", players: [], ...more });
mock.timers.enable({ apis: ["setTimeout"] }); // streams wait for as long as a page is open

let changed = [];
let news = null;
beforeEach(() => {
  changed = [];
  news = new HallNews({ address: "/wall/events", changed: (names) => changed.push(names), live: () => null });
});

function tell(name, value) {
  streams.at(-1).tell(name, value);
  return settled();
}

test("everything is asked for at first, and merged with what came meanwhile", async () => {
  answers.set("/wall/boards.json?since=0", { number: 5, boards: [board("t1"), board("t2")] });
  tell("boards", { number: 6, count: 2, boards: [board("t2", { phase: "over" })] });
  await tell("hello", { number: 6 });
  assert.deepEqual(
    [...news.boards].map(([name, { state }]) => [name, state]),
    [
      ["t2", "over"],
      ["t1", "running"],
    ],
  );
  assert.equal(news.number, 5);
  assert.equal(changed.at(-1), null);
});

test("a board that is told is changed, and one that is gone is taken away", async () => {
  answers.set("/wall/boards.json?since=0", { number: 1, boards: [board("t1"), board("t2")] });
  await tell("hello", { number: 1 });
  await tell("boards", { number: 2, count: 1, boards: [board("t1", { phase: "paused" })], gone: ["t2"] });
  assert.deepEqual([...news.boards.keys()], ["t1"]);
  assert.equal(news.boards.get("t1").state, "paused");
  assert.deepEqual(changed.at(-1), ["t1", "t2"]);
});

test("who has another number of boards than the hall asks for all of them again", async () => {
  answers.set("/wall/boards.json?since=0", { number: 1, boards: [board("t1")] });
  await tell("hello", { number: 1 });
  answers.set("/wall/boards.json?since=0", { number: 3, boards: [board("t1"), board("t2")] });
  await tell("boards", { number: 3, count: 2, boards: [] });
  assert.deepEqual([...news.boards.keys()], ["t1", "t2"]);
});

test("short of time comes first, then what needs somebody, then what is played, each by its name", async () => {
  const boards = [
    board("t10"),
    board("t9"),
    board("t3", { phase: "question" }),
    board("t4", { urgent: 9000 }),
    board("t5", { presence: "lost" }),
    board("t6", { phase: "over" }),
    board("t7", { presence: "gone" }),
  ];
  answers.set("/wall/boards.json?since=0", { number: 1, boards });
  await tell("hello", { number: 1 });
  const order = [...news.boards.values()].sort(byTime(20_000)).map((each) => each.board);
  assert.deepEqual(order, ["t4", "t3", "t5", "t9", "t10", "t6", "t7"]);
});

test("t9 stands before t10", () => {
  assert.ok(byName({ board: "t9" }, { board: "t10" }) < 0);
});

test("times in milliseconds are said as people count them", () => {
  assert.deepEqual([3_723_000, 245_000, 10_000, 9_940, 40].map(spoken), ["1:02:03", "4:05", "0:10", "10.0", "0.1"]);
});
