// Show the two large halves of a match clock: what each has, who runs, and the taps that end a turn.

import { html, put } from "./dom.js";
import { nameOf } from "./banner.js";
import { isLow, remarks, shows, sidesNow } from "./match_clock.js";
import { post } from "./post.js";
import { sign } from "./seats.js";
import { say } from "./words.js";

const SHORT_NAME = 10; // letters that stand in a line at full size

/** Let the letters of a side's names be as small as the longest one needs. */
export function sizeOfName(side, ...names) {
  const most = Math.max(...names.map((name) => (name ?? "").length));
  side.style.setProperty("--name", String(Math.max(SHORT_NAME, most)));
}

/** The time of a side, as large as its letters leave room for. */
export function putTime(number, text) {
  put(number, text);
  number.style.setProperty("--letters", String(Math.max(4, text.length)));
}

export class MatchClock {
  /** `box` holds the halves; `may` says whether somebody here may tap; `complain(sentence)` shows a refusal. */
  constructor(box, { may, complain }) {
    this.box = box;
    this.may = may;
    this.complain = complain;
    this.halves = [];
    this.said = "";
    this.isSending = [false, false]; // a second tap of the same hand meanwhile is none
  }

  /** Show what is told: who plays, who runs, and what may be tapped. */
  show(game) {
    this.game = game;
    const { clock } = game;
    const names = clock.sides.map((side) => this.#names(side));
    const taps = this.may && game.traits.tapped;
    const said = `${JSON.stringify(names)} ${taps} ${game.game}`;
    if (said !== this.said) this.#build(names, taps);
    this.said = said;
    const over = Boolean(game.outcome);
    clock.sides.forEach((side, index) => {
      const { half, state, tap } = this.halves[index];
      const wins = over && side.players.concat(side.player).includes(game.outcome.winner);
      const how = wins
        ? "wins"
        : side.flagged
          ? "flag"
          : game.paused
            ? "paused"
            : over
              ? "over"
              : side.running
                ? "runs"
                : clock.started
                  ? "waits"
                  : "start";
      half.dataset.state = how;
      half.classList.toggle("on-turn", how === "runs");
      half.classList.toggle("wins", wins);
      put(state, words(how, taps));
      if (tap) tap.disabled = over || game.paused || !(side.running || !clock.started);
    });
    this.run(0);
  }

  /** Let the time go on, `age` seconds after the news; says whether tenths are shown. */
  run(age) {
    const sides = sidesNow(this.game, age);
    sides.forEach((side, index) => {
      const { half, number, what } = this.halves[index];
      const text = shows(side);
      putTime(number, text);
      half.dataset.low = side.running && isLow(side) ? "yes" : "no";
      put(what, remarks(side).join(" · "));
    });
    return sides.some((side) => side.running && inTenths(side));
  }

  /** Where the sand of a player stands beside the clock, where there is sand: an element to fill. */
  sand(index) {
    return this.halves[index].sand;
  }

  /** Forget what was built, for another kind of page stands here now. */
  forget() {
    this.said = "";
  }

  #names(side) {
    const { game } = this;
    const here = (game.players ?? []).map(({ player }) => player).filter((player) => side.players.includes(player));
    return (here.length ? here : [side.player]).map((player) => ({
      player,
      person: game.people?.[player] ?? "",
      own: nameOf({ ...game, people: {} }, player),
    }));
  }

  #build(names, taps) {
    const { game } = this;
    this.halves = names.map((people, index) => {
      const parts = {
        state: html("span", { class: "state-words" }),
        number: html("p", { class: "number" }),
        what: html("p", { class: "what" }),
        sand: html("div", { class: "bars" }),
      };
      const said = people.map(({ person, own }) => person || own).join(", ");
      parts.tap = taps
        ? html("button", { type: "button", class: "tap", "aria-label": say("clock.tap", { name: said }) })
        : null;
      if (parts.tap) this.#listen(parts.tap, index);
      const who = people.map(({ player, person, own }) =>
        html(
          "span",
          { class: "member" },
          html("span", { class: sign(game, player), "aria-hidden": "true" }),
          html("span", { text: person || own }),
          ...(person ? [html("small", { text: own })] : []),
        ),
      );
      parts.half = html(
        "section",
        { class: "side match", "aria-label": said },
        ...(parts.tap ? [parts.tap] : []),
        html(
          "div",
          { class: "face" },
          html("h2", { class: "who" }, ...who),
          html("p", { class: "state" }, html("span", { class: "mark", "aria-hidden": "true" }), parts.state),
          parts.number,
          parts.what,
          parts.sand,
        ),
      );
      sizeOfName(parts.half, ...people.map(({ person }) => person));
      return parts;
    });
    this.box.dataset.count = "2";
    this.box.replaceChildren(...this.halves.map(({ half }) => half));
  }

  #listen(tap, index) {
    // As a button of a clock: when it goes down, not when it comes up. Keys have no pointer.
    tap.addEventListener("pointerdown", (event) => {
      event.preventDefault();
      this.#press(index);
    });
    tap.addEventListener("click", (event) => event.detail === 0 && this.#press(index));
  }

  async #press(index) {
    const { tap, half } = this.halves[index];
    if (tap.disabled || this.isSending[index]) return;
    this.isSending[index] = true;
    half.classList.add("tapped");
    const answer = await post(`/clock/press?language=${document.documentElement.lang}`, {
      player: this.game.clock.sides[index].player,
    });
    half.classList.remove("tapped");
    this.isSending[index] = false;
    if (!answer.ok) this.complain(answer.error ?? say("players.not_sent"));
  }
}

const inTenths = (side) => side.kind !== "up" && side.remaining < 20;

function words(how, taps) {
  if (how === "start") return taps ? say("clock.start") : "";
  return (
    {
      runs: say("clock.thinks"),
      flag: say("clock.flag"),
      paused: say("clock.paused"),
      wins: say("players.clock.wins"),
      over: say("clock.over"),
    }[how] ?? ""
  );
}
