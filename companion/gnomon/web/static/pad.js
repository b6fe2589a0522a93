// Draw the pad beside a picture: players, throws and draws, bids, moves in writing and as a list.

import { byId, find, html, put } from "./dom.js";
import { say } from "./words.js";

const plurals = new Intl.PluralRules(document.documentElement.lang);

export class Pad {
  /** @type {Record<string, string>} */
  said = {};
  /** @type {string | null} */
  held = null;

  /** `enter(text)` makes a move, `read(code)` draws the tile that bears a code; both answer whether it was taken. */
  constructor(enter, read) {
    this.enter = enter;
    this.#listen("move-form", "move-text", enter);
    this.#listen("bid-form", "bid-number", (number) => enter(`bid:${number.replace(/^0+(?=\d)/u, "")}`));
    this.#listen("read-form", "read-code", read);
    byId("bid-pass").addEventListener("click", () => enter("pass"));
  }

  show(game) {
    const idle = Boolean(game.outcome) || game.paused;
    this.#once("chances", [game.chances, idle], () => this.#chances(game, idle));
    this.#once("bid", [game.bid, idle], () => this.#bid(game.bid, idle));
    this.#once("moves", [game.moves, game.moves_in_all, idle], () => this.#moves(game, idle));
    this.#once("remarks", game.remarks, () => (byId("remarks").textContent = game.remarks.join(" ")));
  }

  /** Show the tile in hand as it is drawn on the picture, or that there is none. */
  hold(kind, picture) {
    if (this.held === kind) return;
    const drawing = kind ? picture.part("hand") : null;
    const box = byId("in-hand");
    box.hidden = !drawing;
    this.held = drawing || !kind ? kind : null;
    if (!drawing) return;
    const frame = find(box, "svg", SVGSVGElement);
    frame.replaceChildren(drawing);
    const { x, y, width, height } = frame.getBBox();
    frame.setAttribute("viewBox", `${x - 3} ${y - 3} ${width + 6} ${height + 6}`);
    frame.setAttribute("aria-label", say("bench.tile.kind", { kind }));
  }

  /** Draw a part again only when what it says has changed, so that nobody's typing is disturbed. */
  #once(part, what, draw) {
    const key = JSON.stringify(what);
    if (this.said[part] === key) return;
    this.said[part] = key;
    draw();
  }

  #chances(game, idle) {
    const tiles = game.due === "draw";
    byId("chance").hidden = idle || game.chances.length === 0;
    byId("chance-title").textContent = say(tiles ? "bench.or_drawn" : "bench.or_thrown");
    byId("read-form").hidden = !tiles;
    byId("chances").replaceChildren(
      ...game.chances.map(({ text, label, odds }) =>
        html(
          "button",
          {
            type: "button",
            class: "chance-face",
            title: odds,
            "aria-label": `${label}, ${odds}`,
            onclick: () => this.enter(text),
          },
          html("b", { text: label }),
          html("small", { text: tiles ? (/\d+/u.exec(odds)?.[0] ?? odds) : odds }),
        ),
      ),
    );
  }

  #bid(bid, idle) {
    byId("bid-form").hidden = idle || bid === null;
    if (bid === null) return;
    byId("bid-pass").hidden = !bid.may_pass;
    const field = byId("bid-number", HTMLInputElement);
    const range = bid.most === null ? say("bench.range.least", { least: short(bid.least) }) : say("bench.range", bid);
    field.placeholder = range;
    put(find(byId("bid-form"), "label"), say("bench.number.range", { range }));
  }

  #moves(game, idle) {
    const texts = idle ? [] : [...game.moves].sort(byNumbers);
    const chance = game.chances.length > 0 || game.bid !== null;
    byId("move-form").hidden = idle;
    byId("legal-moves-told").replaceChildren(...texts.map((value) => html("option", { value })));
    byId("legal-moves").hidden = texts.length === 0 || chance;
    const moves = counted(game.moves_in_all);
    byId("legal-count").textContent =
      game.moves_in_all > texts.length ? say("bench.legal.first", { moves, shown: texts.length }) : moves;
    byId("legal-list").replaceChildren(
      ...(chance ? [] : texts).map((text) =>
        html("button", { type: "button", class: "legal", text, onclick: () => this.enter(text) }),
      ),
    );
  }

  #listen(form, field, use) {
    byId(form).addEventListener("submit", async (event) => {
      event.preventDefault();
      const input = byId(field, HTMLInputElement);
      const text = input.value.trim();
      if (!text) return;
      // Room for the next one at once; what was not understood comes back to be mended.
      input.value = "";
      if (!(await use(text)) && !input.value) input.value = text;
    });
  }
}

/** How many legal moves there are, in words. */
function counted(number) {
  return say(`bench.legal.count.${plurals.select(number) === "one" ? "one" : "other"}`, { number });
}

function short(digits) {
  return digits.length > 18 ? `${digits[0]}.${digits.slice(1, 3)}e${digits.length - 1}` : digits;
}

function byNumbers(one, other) {
  return one.localeCompare(other, "en", { numeric: true });
}
