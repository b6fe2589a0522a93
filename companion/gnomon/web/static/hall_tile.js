// Show a board of a hall in words and signs.

import { byId, html, put, svg } from "./dom.js";
import { spoken } from "./hall_news.js";
import { say } from "./words.js";

const INDEX = "index.html";
const BOARDS = byId("main").dataset.boards ?? "/boards"; // in a site of files a file among those of the boards

const HAS_PICTURES = Boolean(byId("main").dataset.miniatures);
const PICTURE = byId("main").dataset.desk === "yes" ? "position.svg" : "miniature.svg"; // arbiters see no board later

/** Where a file about a board is. */
function fileOf(board, name) {
  return BOARDS.endsWith(INDEX) ? `${BOARDS.slice(0, -INDEX.length)}${board}/${name}` : `${BOARDS}/${board}/${name}`;
}

/** Where a board's own page is. */
function pageOf({ board }) {
  return BOARDS.endsWith(INDEX) ? fileOf(board, INDEX) : `${BOARDS}/${board}`;
}

/** The name of a board; of one of another hall with the hall: `t01@south` is `t01 in hall south`. */
export function nameOf(board, className) {
  const [name, hall] = board.split("@");
  const element = html("b", { class: className }, html("span", { class: "device", text: name }));
  if (hall) element.append(" ", html("span", { class: "soft in-hall", text: say("director.public.hall", { hall }) }));
  return element;
}

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

/** A board as an element that is made once and changed after; `seat(player, time)` and `words()` are each kind's own. */
class BoardElement {
  /** @type {HTMLElement} */ element = html("li", {});
  told = "";
  /** @type {HTMLElement[]} */ times = [];

  constructor(board, short) {
    this.board = board;
    this.short = short;
    this.sign = html("span", { class: "tile-sign" });
    this.state = html("span", { class: "tile-state" });
    this.seats = html("span", { class: "tile-seats" });
    this.remark = html("span", { class: "tile-remark" });
  }

  /** What leads to the board's own page. */
  link(...parts) {
    return html("a", { href: pageOf(this.board) }, ...parts);
  }

  show(board) {
    this.board = board;
    const mark = board.stale ? "stale" : board.state;
    if (this.element.dataset.mark !== mark) this.sign.replaceChildren(signOf(mark));
    Object.assign(this.element.dataset, { mark, state: board.state, stale: board.stale ? "yes" : "no" });
    const state = say(`hall.state.${board.state}`);
    put(this.state, board.stale ? `${state} · ${say("hall.stale")}` : state);
    const told = JSON.stringify(
      board.players.map(({ name, turn, score, left }) => [name, turn, score, left === undefined]),
    );
    if (told !== this.told) {
      this.told = told;
      this.times = [];
      this.seats.replaceChildren(...board.players.map((player) => this.#seat(player)));
    }
    this.run();
  }

  #seat(player) {
    const time = html("span", { class: "seat-time" });
    if (player.left !== undefined) this.times.push(time);
    const isOnTurn = player.turn && this.board.phase !== "over";
    const seat = this.seat(player, time, isOnTurn);
    seat.dataset.turn = isOnTurn ? "yes" : "no";
    return seat;
  }

  /** Count the times on. */
  run() {
    const { board } = this;
    const timed = board.players.filter(({ left }) => left !== undefined);
    for (const [index, time] of this.times.entries()) put(time, timed[index] ? spoken(board.of(timed[index])) : "");
    const isShort = board.isShort(this.short);
    if ((this.element.dataset.short === "yes") !== isShort) this.element.dataset.short = isShort ? "yes" : "no";
    put(this.remark, this.words());
  }

  seat(_player, _time, _isOnTurn) {
    return html("span");
  }

  /** What stands beside the players. */
  words() {
    return remark(this.board, this.short);
  }
}

/** The picture of a board's position; it says nothing that the words beside it do not say. */
class Miniature {
  drawn = "";

  /** @param {Record<string, string>} attributes */
  constructor(attributes) {
    this.element = html("img", { ...attributes, alt: "" });
    this.element.addEventListener("error", () => this.element.removeAttribute("src"));
  }

  show({ board, game, plies, last, phase }) {
    const now = `${game} ${plies} ${last} ${phase}`;
    if (this.drawn === now) return;
    this.drawn = now;
    const asked = `language=${document.documentElement.lang}&as-of=${plies ?? 0}`;
    if (game) this.element.src = `${fileOf(board, PICTURE)}?${asked}-${encodeURIComponent(last ?? "")}`;
    else this.element.removeAttribute("src");
  }
}

/** A board as a card. */
export class Tile extends BoardElement {
  constructor(board, short) {
    super(board, short);
    this.game = html("span", { class: "tile-game" });
    const name = nameOf(board.board, "tile-board");
    const head = html("span", { class: "tile-head" }, name, this.game, this.sign, this.state);
    this.picture = HAS_PICTURES ? new Miniature({ class: "tile-picture" }) : null;
    const pictured = this.picture ? [this.picture.element] : [];
    this.element = html("li", { class: "tile" }, this.link(...pictured, head, this.seats, this.remark));
    this.show(board);
  }

  show(board) {
    put(this.game, board.game ? say(`game.${board.game}`) : "");
    this.picture?.show(board);
    super.show(board);
  }

  seat({ name, score }, time, isOnTurn) {
    const mark = html("span", { class: "seat-mark" });
    if (isOnTurn) mark.append(html("span", { class: "unseen", text: say("hall.turn") }));
    const points = html("span", { class: "seat-score", text: score ?? "" });
    return html("span", { class: "seat" }, mark, html("span", { class: "seat-name", text: name }), points, time);
  }
}

/** A board as a line of the list. */
export class Row extends BoardElement {
  constructor(board, short) {
    super(board, short);
    const [name, state] = [nameOf(board.board, "row-board"), html("span", { class: "row-state" })];
    state.append(this.sign, this.state);
    this.seats.className = "row-seats";
    this.remark.className = "row-last";
    this.picture = HAS_PICTURES ? new Miniature({ class: "row-picture", loading: "lazy" }) : null;
    const pictured = this.picture ? [this.picture.element] : [];
    this.element = html(
      "li",
      { class: "row", "data-board": board.board },
      this.link(...pictured, name, state, this.seats, this.remark),
    );
    this.show(board);
  }

  show(board) {
    this.picture?.show(board);
    super.show(board);
  }

  seat({ name, left }, time) {
    const times = left === undefined ? [] : [time];
    return html("span", { class: "row-seat" }, html("span", { class: "seat-name", text: name }), ...times);
  }

  words() {
    const { board } = this;
    return board.phase === "over" && board.presence === "online" ? ending(board) : super.words();
  }
}
