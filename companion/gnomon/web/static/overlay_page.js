// Run the overlay for video: names, sand, score and the last move.

import { byId, html, put } from "./dom.js";
import { nameOf, onTurn } from "./banner.js";
import { fraction, remaining, says } from "./sand.js";
import { clock } from "./seconds.js";
import { shows, sideOf, sidesNow } from "./match_clock.js";
import { clockState, players, sign, used } from "./seats.js";
import { listen } from "./stream.js";
import { say } from "./words.js";

const FRAME = 200; // ms: nothing here moves but numbers
const overlay = byId("overlay");
// The size is that of one letter, and everything is measured in letters.
document.documentElement.style.fontSize = `${(Number(overlay.dataset.scale) * 18) / 100}px`;

let game = null;
let heard = 0;
let isLive = false;
let rows = [];
let built = "";

function hear(news) {
  game = news.game === null ? null : news;
  heard = performance.now();
  overlay.hidden = !game && isLive;
  if (game) show();
}

function show() {
  const all = players(game);
  const said = all.map(({ player }) => `${player} ${nameOf(game, player)}`).join("|") + game.game + Boolean(game.clock);
  if (said !== built) build(all, said);
  const turn = onTurn(game);
  for (const { player, row, points } of rows) {
    row.classList.toggle("on-turn", player === turn);
    const score = all.find((each) => each.player === player)?.score;
    put(points, score === null || score === undefined ? "" : String(score));
  }
  const last = game.plies.at(-1);
  byId("last").hidden = !last;
  put(byId("last-text"), last?.sentence ?? "");
  state();
  run();
}

function state() {
  const words = !isLive
    ? say("page.not_live")
    : game?.outcome
      ? game.outcome.sentence
      : game?.paused
        ? say(game.demonstration ? "players.demonstration.paused" : "players.paused")
        : game?.demonstration
          ? say("players.demonstration")
          : "";
  overlay.hidden = !game && isLive;
  byId("state").hidden = !words;
  byId("state").classList.toggle("bad", !isLive);
  put(byId("state"), words);
}

function build(all, said) {
  built = said;
  rows = all.map(({ player }) => {
    const points = html("span", { class: "side-points" });
    const time = html("span", { class: "side-time" });
    const glasses = (game.glasses ?? [])
      .filter((glass) => glass.player === player)
      .map(() => {
        const bulb = html("i", { "aria-hidden": "true" });
        const left = html("span");
        return { bulb, left, element: html("span", { class: "side-glass" }, bulb, left) };
      });
    const row = html(
      "li",
      { class: "side" },
      html("span", { class: sign(game, player), "aria-hidden": "true" }),
      html("span", { class: "side-name", text: nameOf(game, player) }),
      points,
      ...(game.clock || !(glasses.length && game.level > 1) ? [time] : []),
      ...(glasses.length && game.level > 1
        ? [html("span", { class: "side-glasses" }, ...glasses.map(({ element }) => element))]
        : []),
    );
    return { player, row, points, time, glasses };
  });
  byId("sides").replaceChildren(...rows.map(({ row }) => row));
}

/** Let sand and thinking time run; what is not live stands still. */
function run() {
  if (!game) return;
  const stopped = game.paused || Boolean(game.outcome) || !isLive;
  const age = stopped ? 0 : (performance.now() - heard) / 1000;
  const sides = sidesNow(game, age);
  for (const { player, row, time, glasses } of rows) {
    const side = sideOf(sides, player);
    put(time, side ? shows(side) : clock(Math.floor(used(game, player, age))));
    if (side) row.dataset.clock = clockState(side);
    const own = (game.glasses ?? []).filter((glass) => glass.player === player);
    glasses.forEach(({ bulb, left, element }, index) => {
      const glass = own[index];
      const seconds = remaining(glass, age);
      bulb.style.setProperty("--part", fraction(glass, age).toFixed(2));
      put(left, glass.stopped ? "0" : says(glass, seconds));
      element.classList.toggle("runs", glass.running && seconds > 0 && !stopped);
      element.classList.toggle("out", Boolean(glass.stopped));
    });
  }
}

setInterval(() => isLive && run(), FRAME);

const follow = (live) => {
  isLive = live;
  state();
};
const stays = () => true; // a scene that is cut back to must not begin with "not live"

listen(`/watch/events?language=${document.documentElement.lang}`, { summary: hear }, follow, stays);
