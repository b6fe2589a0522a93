// The stream of a page: live while it speaks, asked for again when it is silent, at rest while nobody looks.

import assert from "node:assert/strict";
import { beforeEach, mock, test } from "node:test";
import { streams } from "./page.js";

const { listen } = await import("../../companion/gnomon/web/static/stream.js");

let states = [];
let heard = [];
let visits = 0;
/** The streams of this test's page; those of the tests before are open still. */
const own = () => streams.filter(({ address }) => address === `/events?${visits}`);
beforeEach(() => {
  mock.timers.reset();
  mock.timers.enable({ apis: ["setTimeout"] });
  document.hidden = false;
  states = [];
  heard = [];
  visits += 1;
  listen(`/events?${visits}`, { summary: (news) => heard.push(news) }, (live) => states.push(live));
});

function look(hidden) {
  document.hidden = hidden;
  document.dispatchEvent(new Event("visibilitychange"));
}

test("an event is handed on, and says that the page is live", () => {
  own().at(-1).tell("summary", { game: null });
  assert.deepEqual(heard, [{ game: null }]);
  assert.deepEqual(states, [true]);
});

test("after five seconds of silence the page is not live, and asks again a second later", () => {
  own().at(-1).tell("summary", {});
  const before = own().length;
  mock.timers.tick(4999);
  assert.equal(states.at(-1), true);
  mock.timers.tick(1);
  assert.equal(states.at(-1), false);
  assert.ok(own().at(-1).isClosed);
  mock.timers.tick(1000);
  assert.equal(own().length, before + 1);
});

test("a page that nobody sees rests after a while, and is taken up when it is looked at", () => {
  look(true);
  const before = own().length;
  for (let second = 0; second < 15; second += 1) {
    own().at(-1).tell("summary", {});
    mock.timers.tick(1000);
  }
  assert.ok(own().at(-1).isClosed);
  mock.timers.tick(60_000);
  assert.equal(own().length, before);
  look(false);
  assert.equal(own().length, before + 1);
});
