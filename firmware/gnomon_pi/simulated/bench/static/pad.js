// Draw the pad beside a picture: players, throws and draws, bids, moves in writing and as a list.

import { send } from "./commands.js";
import { html } from "/static/drawing.js";
import { Seats } from "/static/seats.js";
import { say } from "/static/words.js";
import { counted } from "./words.js";

const byId = (id) => document.getElementById(id);

export class Pad {
  /** `enter(text)` makes a move. */
  constructor(enter) {
    this.enter = enter;
    this.said = {};
    this.seats = new Seats(byId("players"));
    this.#listen("move-form", "move-text", enter);
    this.#listen("bid-form", "bid-number", (number) => enter(`bid:${number.replace(/^0+(?=\d)/, "")}`));
    this.#listen("read-form", "read-code", (code) => send("game", { read: code }));
    byId("bid-pass").addEventListener("click", () => enter("pass"));
  }

  show(game) {
    const idle = Boolean(game.outcome) || game.paused;
    this.seats.show(game);
    this.#once("chances", [game.chances, idle], () => this.#chances(game, idle));
    this.#once("bid", [game.bid, idle], () => this.#bid(game.bid, idle));
    this.#once("moves", [game.moves, game.moves_in_all, idle], () => this.#moves(game, idle));
    this.#once("remarks", game.remarks, () => (byId("remarks").textContent = game.remarks.join(" ")));
  }

  /** Let the players' time go on, `age` seconds after the news. */
  run(age) {
    this.seats.run(age);
  }

  /** Show the tile in hand as it is drawn on the picture, or that there is none. */
  hold(kind, picture) {
    if (this.held === kind) return;
    const drawing = kind ? picture.part("hand") : null;
    const box = byId("in-hand");
    box.hidden = !drawing;
    this.held = drawing || !kind ? kind : null;
    if (!drawing) return;
    const frame = box.querySelector("svg");
    frame.replaceChildren(drawing);
    const { x, y, width, height } = frame.getBBox();
    frame.setAttribute("viewBox", `${x - 3} ${y - 3} ${width + 6} ${height + 6}`);
    frame.setAttribute("aria-label", say("bench.tile.kind", { kind }));
  }

  /** Draw a part anew only when what it says has changed, so that nobody's typing is disturbed. */
  #once(part, what, draw) {
    const key = JSON.stringify(what);
    if (this.said[part] === key) return;
    this.said[part] = key;
    draw();
  }

  #chances(game, idle) {
    const tiles = game.game === "tayu";
    byId("chance").hidden = idle || game.chances.length === 0;
    byId("chance-title").textContent = say(tiles ? "bench.or_drawn" : "bench.or_thrown");
    byId("read-form").hidden = !tiles;
    byId("chances").replaceChildren(
      ...game.chances.map(({ text, label, odds }) =>
        html("button", { type: "button", class: "chance-face", title: odds, "aria-label": `${label}, ${odds}`, onclick: () => this.enter(text) }, html("b", { text: label }), html("small", { text: tiles ? (/\d+/.exec(odds)?.[0] ?? odds) : odds })),
      ),
    );
  }

  #bid(bid, idle) {
    byId("bid-form").hidden = idle || bid === null;
    if (bid === null) return;
    byId("bid-pass").hidden = !bid.may_pass;
    const field = byId("bid-number");
    const range = bid.most === null ? say("bench.range.least", { least: short(bid.least) }) : say("bench.range", bid);
    field.placeholder = range;
    field.previousElementSibling.textContent = say("bench.number.range", { range });
  }

  #moves(game, idle) {
    const texts = idle ? [] : [...game.moves].sort(byNumbers);
    const chance = game.chances.length > 0 || game.bid !== null;
    byId("move-form").hidden = idle;
    byId("legal").replaceChildren(...texts.map((value) => html("option", { value })));
    byId("legal-moves").hidden = texts.length === 0 || chance;
    const moves = counted("bench.legal.count", game.moves_in_all);
    byId("legal-count").textContent = game.moves_in_all > texts.length ? say("bench.legal.first", { moves, shown: texts.length }) : moves;
    byId("legal-list").replaceChildren(...(chance ? [] : texts).map((text) => html("button", { type: "button", class: "legal", text, onclick: () => this.enter(text) })));
  }

  #listen(form, field, use) {
    byId(form).addEventListener("submit", async (event) => {
      event.preventDefault();
      const input = byId(field);
      const text = input.value.trim();
      if (!text) return;
      // Room for the next one at once; what was not understood comes back to be mended.
      input.value = "";
      if (!(await use(text)) && !input.value) input.value = text;
    });
  }
}

function short(digits) {
  return digits.length > 18 ? `${digits[0]}.${digits.slice(1, 3)}e${digits.length - 1}` : digits;
}

function byNumbers(one, other) {
  return one.localeCompare(other, "en", { numeric: true });
}
