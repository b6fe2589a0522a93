// Draw what surrounds the board: banner, holders, 15-second glass, rulings, display.

import { nameOf } from "/static/banner.js";
import { Glass, html, ring, svg } from "/static/drawing.js";
import { shows, sideOf, sidesNow } from "/static/match_clock.js";
import { fraction, remaining, says } from "/static/sand.js";
import { clockState, put, sign } from "/static/seats.js";
import { say } from "/static/words.js";
import { NOT_LIVE } from "./words.js";

const byId = (id) => document.getElementById(id);
const SPINDLES = 4;
const EACH = 8;

/** The banner: whose turn it is in plain words, what to do, and buttons that do it. */
export class Banner {
  /** `actions` gives for each word a label and what it does. */
  constructor(actions) {
    this.actions = actions;
  }

  /** Show what is to be said of a game. */
  show(words, game) {
    this.#show(words, game);
  }

  /** Say that what is shown is not live. */
  lost() {
    this.#show(NOT_LIVE, null);
  }

  #show({ side, tone = "", title, hint = "", steps = [], actions = [] }, game) {
    const box = byId("banner");
    box.dataset.side = side;
    box.dataset.hue = game?.marks?.[side]?.[1] ?? "";
    box.dataset.tone = tone;
    byId("banner-sign").className = game ? sign(game, side) : `sign sign-${side}`;
    put(byId("banner-title"), title);
    put(byId("banner-hint"), hint);
    const news = game?.rulings.at(-1)?.sentence ?? "";
    put(byId("banner-news"), game?.outcome || tone ? "" : news);
    const list = byId("banner-steps");
    list.hidden = steps.length === 0;
    if (list.dataset.said !== steps.join("|")) {
      list.dataset.said = steps.join("|");
      list.replaceChildren(...steps.map((text) => html("li", { text })));
    }
    this.#buttons(actions.flatMap((word) => this.actions[word](game)));
  }

  #buttons(buttons) {
    const row = byId("banner-actions");
    const said = buttons.map(({ label }) => label).join("|");
    this.run = buttons.map(({ run }) => run);
    if (row.dataset.said === said) return;
    row.dataset.said = said;
    row.replaceChildren(
      ...buttons.map(({ label, quiet }, index) =>
        html("button", { type: "button", class: quiet ? "action quiet" : "action", text: label, onclick: () => this.run[index]() }),
      ),
    );
  }
}

/** The players' sides: who sits there, and the holders with 32 rings on four spindles. */
export function showStations(game, table) {
  for (const player of ["red", "black"]) {
    const station = document.querySelector(`.station-${player}`);
    put(station.querySelector(".station-who"), game ? nameOf(game, player) : say(`player.${player}`));
    station.classList.toggle("named", Boolean(game?.people?.[player] || game?.clock));
    const left = table?.holders[player] ?? game?.rings_left?.[player] ?? 32;
    const holder = byId(`holder-${player}`);
    if (holder.dataset.left !== String(left)) {
      holder.dataset.left = left;
      holder.setAttribute("aria-label", say(`bench.holder.${player}`, { left }));
      put(byId(`rings-left-${player}`), String(left));
      holder.querySelector("svg").replaceChildren(...spindles(left));
    }
    station.classList.toggle("on-turn", Boolean(game) && !game.outcome && game.turn === player);
  }
}

/** The match clock at the players' sides, `age` seconds after the news. */
export function runClocks(game, age) {
  const sides = sidesNow(game, age);
  for (const player of ["red", "black"]) {
    const box = document.querySelector(`.station-${player} .station-clock`);
    const side = sideOf(sides, player);
    put(box, side ? `${side.flagged ? "⚑ " : ""}${shows(side)}` : "");
    box.dataset.clock = side ? clockState(side) : "";
  }
}

function spindles(left) {
  return Array.from({ length: SPINDLES }, (_, index) => {
    const count = Math.max(0, Math.min(EACH, left - index * EACH));
    const rings = Array.from({ length: count }, (_unused, level) => ring(level, { rx: 21, ry: 6.5, hole: 0.45 }));
    return svg(
      "g",
      { transform: `translate(${26 + index * 49.5} 80)` },
      svg("ellipse", { class: "spindle-foot", rx: 23, ry: 7, cy: 3 }),
      svg("path", { class: "spindle", d: "M0,0V-72" }),
      ...rings,
      ...(count ? [svg("path", { class: "spindle", d: `M0,${-8 * count + 1}V-72` })] : []),
    );
  });
}

/** The 15-second glass on its stand. */
export class Timer {
  constructor() {
    this.glass = new Glass("neutral");
    this.glass.drawing.setAttribute("transform", "scale(1.25)");
    byId("timer-drawing").append(this.glass.element);
    this.news = null;
  }

  show(game, table) {
    this.news = game?.timer15 ?? null;
    const used = this.news !== null && table?.timer15 !== null;
    const box = byId("timer");
    box.dataset.used = used ? "yes" : "no";
    byId("timer-glass").disabled = !used || !table;
    this.used = used;
    this.against = game?.turn;
  }

  run(age, { stopped }) {
    const since = stopped ? 0 : age;
    const left = this.news ? remaining(this.news, since) : 0;
    const runs = Boolean(this.news?.running) && (left > 0 || Boolean(this.news?.estimate)) && !stopped;
    this.glass.fill(this.news ? fraction(this.news, since) : 0);
    this.glass.element.classList.toggle("running", runs);
    byId("timer").dataset.running = runs ? "yes" : "no";
    put(byId("timer-number"), this.used ? says(this.news, left) : "");
    put(byId("timer-hint"), this.#hint(runs));
    const label = say(!this.used ? "bench.timer.unused" : runs ? "bench.timer.runs" : "bench.timer.empty");
    if (this.label !== label) byId("timer-glass").setAttribute("aria-label", (this.label = label));
  }

  #hint(runs) {
    if (!this.used) return say("bench.timer.level");
    if (!runs) return say("bench.timer.tap");
    return say(this.news.binds ? `bench.hurries.${this.against}` : "bench.hurries.nobody");
  }
}

/** Rulings newest first, and the turns so far. */
export class Record {
  constructor() {
    this.rulings = null;
    this.plies = null;
  }

  show(game) {
    const rulings = game?.rulings ?? [];
    const key = rulings.map(({ at, sentence }) => at + sentence).join("|");
    if (key !== this.rulings) {
      this.rulings = key;
      const items = rulings.toReversed().map(({ kind, sentence }) => html("li", { "data-kind": kind, text: sentence }));
      byId("rulings").replaceChildren(...(items.length ? items : [html("li", { class: "nothing", text: say("bench.rulings.none") })]));
    }
    const plies = game?.plies ?? [];
    const last = plies.map(({ player, text }) => `${player} ${text}`).join("|");
    if (last !== this.plies) {
      this.plies = last;
      const items = plies.toReversed().map(({ player, text, number, sentence }) =>
        html("li", { "data-player": player, title: sentence }, html("span", { class: "ply-number", text: number }), html("span", { class: sign(game, player), "aria-hidden": "true" }), text));
      byId("plies").replaceChildren(...(items.length ? items : [html("li", { class: "nothing", text: say("bench.turns.none") })]));
    }
  }
}

/** Health and faults, in sentences. */
export function showNotices(said) {
  const box = byId("notices");
  if (box.dataset.said === said.join("|")) return;
  box.dataset.said = said.join("|");
  box.replaceChildren(...said.map((text) => html("p", { class: "notice", text })));
}

/** The real pixels of the board's display: 1 bit each, eight to a byte, row by row. */
export function showDisplay(packed) {
  const canvas = byId("display");
  const context = canvas.getContext("2d");
  const image = context.createImageData(canvas.width, canvas.height);
  const bytes = Uint8Array.from(atob(packed), (letter) => letter.charCodeAt(0));
  for (let pixel = 0; pixel < canvas.width * canvas.height; pixel += 1) {
    const lit = (bytes[pixel >> 3] >> (7 - (pixel & 7))) & 1;
    image.data.set(lit ? [190, 230, 255, 255] : [4, 7, 10, 255], pixel * 4);
  }
  context.putImageData(image, 0, 0);
}
