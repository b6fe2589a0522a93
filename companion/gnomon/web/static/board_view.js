// Show a whole board from the news: banner, board, players, rulings. It sends nothing.

import { byId, find, html, put } from "./dom.js";
import { banner, nameOf, notLive, talk } from "./banner.js";
import { withRules } from "./rule_links.js";
import { fraction, remaining, says } from "./sand.js";
import { Seats, sign } from "./seats.js";
import { TablePicture } from "./table_picture.js";
import { Board, Glass, draw, lamps } from "./tamsk.js";
import { say } from "./words.js";

const STILL = matchMedia("(prefers-reduced-motion: reduce)");
const STEPS = 4; // of a repair that are shown at a time: it is done one by one
const FRAME = 50; // ms between two pictures of the sand: it moves by less than a pixel in that time
const STILL_FRAME = 250; // where nothing moves but the numbers
const MOVED = /(?:^|,)([A-G][1-7])-([A-G][1-7])/u;

export class BoardView {
  /** Open the view once what it draws is there. */
  static async open(way = {}) {
    await Promise.all([draw(byId("live-board", SVGSVGElement)), draw(byId("timer-drawing", SVGSVGElement))]);
    return new BoardView(way);
  }

  /**
   * `offers` gives for a word of the banner its buttons {label, quiet, run or href}; `answer(choice)` is null for those
   * who look on; `controls` are those of the bench.
   * @param {{offers?: Record<string, (game: any) => any[]>, answer?: ((choice: string) => void) | null,
   *   controls?: import("./controls.js").Controls | null}} [way]
   */
  constructor({ offers = {}, answer = null, controls = null } = {}) {
    this.root = byId("board-view");
    this.controls = controls;
    this.offers = { ...offers, ...controls?.offers, replay };
    this.answer = answer;
    this.board = new Board(byId("live-board", SVGSVGElement), spaceInWords, { hands: Boolean(controls) });
    this.picture = new TablePicture(
      byId("picture"),
      this.root.dataset.pictures,
      controls && ((place) => controls.touched(place)),
    );
    this.seats = new Seats(byId("seats"));
    this.timer = new Timer();
    this.game = undefined;
    this.isLive = false;
    this.heard = 0;
    this.drawn = 0;
    requestAnimationFrame((at) => this.#frame(at));
  }

  /** Show what is told of the board. */
  hear(news) {
    this.game = news.game === null ? null : news;
    this.health = news.health ?? [];
    this.heard = performance.now();
    this.drawn = 0; // the numbers of what is new come with the next picture
    this.#show();
  }

  /** Show the same once more: something is on the board, or in somebody's hand, that was not. */
  refresh() {
    if (this.game !== undefined) this.#show();
  }

  /** Show whether what is shown is so now. */
  live(isLive) {
    this.isLive = isLive;
    this.root.dataset.live = isLive ? "yes" : "no";
    if (!isLive) this.#banner(notLive());
    else if (this.game !== undefined) this.#show();
  }

  #show() {
    const { game } = this;
    const table = this.controls?.table ?? null;
    const isDrawn = game ? game.traits.live_drawing : Boolean(table);
    this.root.dataset.game = game?.game ?? "";
    this.root.dataset.drawn = game?.traits.live_drawing ? "yes" : "no";
    byId("live-board", SVGSVGElement).toggleAttribute("hidden", !isDrawn);
    byId("picture").hidden = !game || isDrawn;
    byId("welcome").hidden = Boolean(game) || isDrawn;
    if (isDrawn) {
      this.board.show(game, table);
      this.board.light(this.controls?.lamps ?? lamps(game?.board.spaces ?? []));
      const [, from = "", to = ""] = MOVED.exec(game?.plies.at(-1)?.text ?? "") ?? [];
      this.board.markLast(from, to);
    }
    this.controls?.show(game);
    if (game && !isDrawn) this.picture.show(game, (places) => this.controls?.more(places) ?? places);
    this.timer.show(isDrawn ? game : null);
    this.seats.show(game);
    record(game);
    notices(this.health);
    if (this.isLive) this.#banner(talk(this.controls?.amend(banner(game), game) ?? banner(game), game));
  }

  /** @param {any} said */
  #banner({ side, tone = "", title, hint = "", steps = [], answers = [], offers = [] }) {
    const box = byId("banner");
    box.dataset.side = side;
    box.dataset.tone = tone;
    byId("banner-sign").className = this.game && this.isLive ? sign(this.game, side) : `sign sign-${side}`;
    put(byId("banner-title"), title);
    put(byId("banner-hint"), hint);
    const first = steps.length > STEPS + 1 ? steps.slice(0, STEPS) : steps;
    const more = steps.length - first.length;
    list(byId("banner-steps"), more ? [...first, say("players.wrong.more", { count: more })] : first, (text, index) =>
      html("li", { class: index < first.length ? "step" : "steps-more", text }),
    );
    byId("banner-steps").hidden = steps.length === 0;
    const buttons = [
      ...answers.map((answer) => this.#answer(answer)),
      ...offers.flatMap((word) => this.offers[word]?.(this.game) ?? []),
    ];
    this.run = buttons.map(({ run }) => run);
    const had = document.activeElement?.closest("#banner-actions");
    list(
      byId("banner-actions"),
      buttons.map(({ label, quiet, href, note }) => JSON.stringify([label, quiet, href, note])),
      (said, index) => action(buttons[index], () => this.run?.[index]?.()),
    );
    // A button that was pressed and has gone would send a person who uses the Tab key back to the head of the page.
    if (had && !had.contains(document.activeElement)) box.focus({ preventScroll: true });
  }

  #answer({ choice, text, said, button }) {
    const press = button ? say("players.asking.button", { button: say(`button.${button}`) }) : "";
    const note = [said ? text : "", press].filter(Boolean).join(" · ");
    return { label: said ?? text, note, run: this.answer && (() => this.answer?.(choice)) };
  }

  #frame(at) {
    requestAnimationFrame((next) => this.#frame(next));
    if (at - this.drawn < (STILL.matches ? STILL_FRAME : FRAME)) return;
    this.drawn = at;
    // What is not live must not go on as if it were: the sand stands still until the board answers again.
    if (!this.game || !this.isLive) return;
    const age = (performance.now() - this.heard) / 1000;
    const stopped = this.game.paused || Boolean(this.game.outcome);
    if (this.game.traits.live_drawing) {
      this.board.run(age, { level: this.game.level, stopped });
      this.timer.run(age, stopped, this.game);
    }
    this.seats.run(age);
  }
}

/** A finished game leads to its replay, where it is written down here. */
function replay(game) {
  return game.replay ? [{ label: say("players.replay"), quiet: true, href: `/games/${game.replay}` }] : [];
}

/** The 15-second glass beside the players. */
class Timer {
  constructor() {
    this.glass = new Glass(find(byId("timer-drawing", SVGSVGElement), "[data-glass]", SVGElement));
    this.news = null;
  }

  show(game) {
    this.news = game?.timer15 ?? null;
    byId("timer").hidden = this.news === null;
  }

  run(age, stopped, game) {
    if (!this.news) return;
    const since = stopped ? 0 : age;
    const left = remaining(this.news, since);
    const runs = Boolean(this.news.running) && (left > 0 || Boolean(this.news.estimate)) && !stopped;
    this.glass.fill(fraction(this.news, since));
    this.glass.mark({ runs });
    byId("timer").classList.toggle("runs", runs);
    put(byId("timer-number"), runs ? says(this.news, left) : "–");
    const hurried = this.news.binds
      ? say("players.timer15.hurries", { name: nameOf(game, game.turn) })
      : say("players.timer15.nobody");
    put(byId("timer-hint"), runs ? hurried : say("players.timer15.empty"));
  }
}

function record(game) {
  const rulings = (game?.rulings ?? []).toReversed();
  list(
    byId("rulings"),
    rulings.map(({ kind, sentence }) => `${kind}|${sentence}`),
    (said, index) => html("li", { "data-kind": rulings[index].kind }, ...withRules(rulings[index].sentence, game.game)),
    say("players.rulings.none"),
  );
  const plies = (game?.plies ?? []).toReversed();
  list(
    byId("plies"),
    plies.map(({ number, text }) => `${number} ${text}`),
    (said, index) => {
      const { number, player, text, sentence } = plies[index];
      return html(
        "li",
        { title: sentence, "data-player": player },
        html("span", { class: "ply-number", text: `${number}` }),
        html("span", { class: sign(game, player), "aria-hidden": "true" }),
        text,
      );
    },
    say("players.turns.none"),
  );
}

function notices(said) {
  list(byId("notices"), said, (text) => html("li", { class: "notice", text }));
}

/** Fill a list, only when it says something else than it did. */
function list(box, said, made, none = "") {
  const key = said.join("\n");
  if (box.said === key) return;
  box.said = key;
  const items = said.map(made);
  box.replaceChildren(...(items.length || !none ? items : [html("li", { class: "nothing", text: none })]));
}

function action({ label, note, quiet, href, run }, click) {
  const look = quiet ? "action quiet" : "action";
  const words = note ? [html("span", { text: label }), html("small", { text: note })] : [label];
  if (href) return html("a", { class: look, href }, ...words);
  return run
    ? html("button", { type: "button", class: look, onclick: click }, ...words)
    : html("span", { class: "choice" }, ...words);
}

/** What is on a space, for those who do not see it. */
function spaceInWords(space, rings, glass) {
  const stands = glass ? say(`players.space.${glass.player}`) : say("players.space.empty");
  const words = say("players.space", { name: space.name, stands, rings, capacity: space.capacity });
  return space.may ? say("players.space.may", { space: words }) : words;
}
