// Show a board of a hall in words and signs.

import { html, put, svg } from "./dom.js";
import { spoken } from "./hall_news.js";
import { say } from "./words.js";

/** The sign of a state, known by its shape. */
export function signOf(state) {
  const use = svg("use", {});
  use.setAttribute("href", `#sign-${state}`);
  return svg("svg", { class: "sign-of", "aria-hidden": "true" }, use);
}

/** How a finished game stands, in words; empty while it goes on. */
export function ending(board) {
  if (board.phase !== "over") return "";
  if (board.reason === "abandoned") return say("hall.void");
  if (!board.winner || board.winner === "draw") return board.reason ? say("hall.draw") : say("hall.over");
  const winner = board.players.find(({ player }) => player === board.winner);
  return say("hall.won", { name: winner?.name || board.winner });
}

/** What stands below the players: what is to be known first. */
export function remark(board, short) {
  if (board.stale) return say("hall.stale");
  if (board.phase === "over" && board.presence === "online") {
    const isConfirmed = (board.confirmed?.length ?? 0) >= board.players.length && board.players.length > 0;
    return `${ending(board)} · ${say(isConfirmed ? "hall.confirmed" : "hall.unconfirmed")}`;
  }
  if (board.isShort(short)) return board.left(board.urgent) ? say("hall.wall.trouble") : say("hall.flag");
  return board.last ?? "";
}

/** A board as a card that is made once and changed after. */
export class Tile {
  constructor(board, short) {
    this.short = short;
    this.sign = html("span", { class: "tile-sign" });
    this.state = html("span", { class: "tile-state" });
    this.name = html("b", { class: "tile-board", text: board.board });
    this.game = html("span", { class: "tile-game" });
    this.seats = html("span", { class: "tile-seats" });
    this.remark = html("span", { class: "tile-remark" });
    const link = html(
      "a",
      { href: `/boards/${board.board}` },
      html("span", { class: "tile-head" }, this.name, this.game, this.sign, this.state),
      this.seats,
      this.remark,
    );
    this.element = html("li", { class: "tile" }, link);
    this.shown = "";
    /** @type {HTMLElement[]} */
    this.times = [];
    this.show(board);
  }

  show(board) {
    this.board = board;
    const mark = board.stale ? "stale" : board.state;
    if (this.element.dataset.mark !== mark) this.sign.replaceChildren(signOf(mark));
    Object.assign(this.element.dataset, { mark, state: board.state, stale: board.stale ? "yes" : "no" });
    put(
      this.state,
      board.stale ? `${say(`hall.state.${board.state}`)} · ${say("hall.stale")}` : say(`hall.state.${board.state}`),
    );
    put(this.game, board.game ? say(`game.${board.game}`) : "");
    const seated = JSON.stringify(
      board.players.map(({ name, turn, score, left }) => [name, turn, score, left === undefined]),
    );
    if (seated !== this.shown) {
      this.shown = seated;
      this.times = [];
      this.seats.replaceChildren(...board.players.map((player) => this.#seat(player, board)));
    }
    this.run();
  }

  #seat({ name, turn, score, left }, board) {
    const time = html("span", { class: "seat-time" });
    if (left !== undefined) this.times.push(time);
    const mark = html("span", { class: "seat-mark" });
    if (turn && board.phase !== "over") mark.append(html("span", { class: "unseen", text: say("hall.turn") }));
    const points = html("span", { class: "seat-score", text: score ?? "" });
    const seat = html(
      "span",
      { class: "seat", "data-turn": turn && board.phase !== "over" ? "yes" : "no" },
      mark,
      html("span", { class: "seat-name", text: name }),
      points,
      time,
    );
    return seat;
  }

  /** Count the times on. */
  run() {
    const { board } = this;
    const timed = board.players.filter(({ left }) => left !== undefined);
    for (const [index, time] of this.times.entries()) put(time, timed[index] ? spoken(board.of(timed[index])) : "");
    const isShort = board.isShort(this.short);
    if ((this.element.dataset.short === "yes") !== isShort) this.element.dataset.short = isShort ? "yes" : "no";
    put(this.remark, remark(board, this.short));
  }
}
