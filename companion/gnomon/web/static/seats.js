// Show who plays: name, sign, score, and whose time runs, on a match clock where there is one.

import { html, put } from "./dom.js";
import { nameOf, onTurn } from "./banner.js";
import { isLow, remarks, shows, sideOf, sidesNow } from "./match_clock.js";
import { whole } from "./seconds.js";
import { say } from "./words.js";

const SIGNS = new Set(["both", "stop", "pause", "ask"]); // of states that are nobody's

/** The players of a game, in the order of the rules. */
export function players(game) {
  if (game.players) return game.players;
  return Object.entries(game.rings_left).map(([player, score]) => ({ player, score, role: "" }));
}

/** The sign of a player on every page: a shape by the place at the table, a hue by the side, or the colour of the rules. */
export const sign = (game, player) => {
  const [place, hue] = game.marks?.[player] ?? [["red", "black"].indexOf(player) + 1, 0];
  return place ? `sign sign-${place} hue-${hue} of-${player}` : `sign sign-${SIGNS.has(player) ? player : "wait"}`;
};

/** How long a player has thought, `age` seconds after the news. */
export function used(game, player, age) {
  const seconds = game.used?.[player] ?? 0;
  return seconds + (game.thinks === player ? Math.max(0, age) : 0);
}

/** A time that counts up. */
export const thought = (seconds) => whole(Math.floor(seconds));

/** What the score of a player counts; empty where there is none, as before anybody is HIGH or LOW in TAU. */
const unit = (game, { score }) => (score === null || score === undefined ? "" : game.traits.counts);

export class Seats {
  constructor(list) {
    this.list = list;
    this.rows = new Map();
    this.said = "";
  }

  /** Show everyone at the table. */
  show(game) {
    const all = game ? players(game) : [];
    const said =
      all.map((each) => `${each.player} ${nameOf(game, each.player)} ${each.role} ${unit(game, each)}`).join("|") +
      Boolean(game?.clock);
    if (said !== this.said) this.#build(game, all, said);
    const turn = game ? onTurn(game) : "";
    for (const { player, score } of all) {
      const { row, points, state } = this.rows.get(player);
      row.classList.toggle("on-turn", player === turn);
      put(state, player === turn ? say("players.on_turn") : "");
      put(points, score === null || score === undefined ? "" : String(score));
    }
    this.game = game;
  }

  /** Let the time of the player who thinks run on. */
  run(age) {
    if (!this.game) return;
    const sides = sidesNow(this.game, age);
    for (const [player, { row, time, more }] of this.rows) {
      const side = sideOf(sides, player);
      put(time, side ? shows(side) : thought(used(this.game, player, age)));
      if (!side) continue;
      row.dataset.clock = clockState(side);
      put(more, [...(side.flagged ? [say("clock.flag")] : []), ...remarks(side)].join(" · "));
    }
  }

  #build(game, all, said) {
    this.said = said;
    this.rows.clear();
    this.list.replaceChildren(
      ...all.map((each) => {
        const { player, role } = each;
        const points = html("b", { class: "seat-points" });
        const state = html("span", { class: "seat-turn" });
        const what = say(game.clock ? "clock.left" : "players.used");
        const time = html("span", { class: "seat-time", title: what });
        const more = html("span", { class: "seat-remarks" });
        const row = html(
          "li",
          { class: game.clock ? "seat clocked" : "seat", "data-player": player },
          html("span", { class: sign(game, player), "aria-hidden": "true" }),
          html("span", { class: "seat-name", text: nameOf(game, player) }),
          html(
            "span",
            { class: "seat-state" },
            state,
            html(
              "span",
              { class: "seat-used" },
              html("span", { class: "unseen", text: `${what} ` }),
              time,
              ...(game.clock ? [more] : []),
            ),
          ),
          html(
            "span",
            { class: "seat-score" },
            ...(unit(game, each) ? [html("span", { text: unit(game, each) })] : []),
            points,
          ),
          ...(role ? [html("span", { class: "seat-role", text: role })] : []),
        );
        this.rows.set(player, { row, points, state, time, more });
        return row;
      }),
    );
  }
}

/** In one word how a side of a match clock stands: each looks different, not by colour alone. */
export const clockState = (side) => (side.flagged ? "flag" : side.running ? (isLow(side) ? "low" : "runs") : "waits");
