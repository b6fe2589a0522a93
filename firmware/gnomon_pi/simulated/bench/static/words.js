// Put the state of the game into words for the banner.

import { nameOf } from "/static/banner.js";
import { say } from "/static/words.js";

export const name = (player) => say(`player.${player}`);
const other = (player) => (player === "red" ? "black" : "red");
const plurals = new Intl.PluralRules(document.documentElement.lang);

/** The entry for so many: `key.one` or `key.other`, as the catalogue counts. */
export function counted(key, number, values) {
  return say(`${key}.${plurals.select(number) === "one" ? "one" : "other"}`, { number, ...values });
}

/** What the banner says: {side, tone, title, hint, steps, actions}; actions are words for the caller to wire. */
export function banner(game, playing, atTable = false) {
  if (game === null) return atTable ? nothingAtTheTable() : nothingYet();
  if (game.outcome) return over(game);
  if (game.paused) return paused(game);
  if (game.phase === "wrong") return wrong(game);
  if (game.phase === "asking") return asking(game);
  return { ...turn(game), ...(playing ? { hint: say("bench.playing"), actions: ["stop"] } : {}) };
}

/** What the banner says when the board does not answer. */
export const NOT_LIVE = {
  side: "stop",
  tone: "bad",
  title: say("bench.not_live"),
  hint: say("bench.not_live.hint"),
};

/** Why a button that ends a turn has done nothing. */
const BUTTONS = new Set(["nothing_to_end", "not_put_down", "not_on_turn"]);

function nothingYet() {
  return {
    side: "both",
    title: say("bench.empty"),
    hint: say("bench.empty.hint"),
    actions: ["new", "watch"],
  };
}

function nothingAtTheTable() {
  return { side: "both", title: say("bench.empty.table"), hint: say("bench.empty.table.hint"), actions: ["new"] };
}

function over(game) {
  const { winner, reason } = game.outcome;
  const nobody = reason === "abandoned" ? say("bench.void") : say("bench.draw");
  const left = game.rings_left;
  return {
    side: winner ?? "both",
    title: winner ? say("bench.wins", { player: nameOf(game, winner) }) : nobody,
    hint: `${game.outcome.sentence.replace(/^.*?[.!] /, "")} ${say("bench.rings_left", left)}`,
    actions: ["new", "replay"],
  };
}

function paused(game) {
  const follows = game.repairs.length > 0; // what the arbiter has corrected, while the game waits
  return {
    side: "wait",
    title: say("bench.paused"),
    hint: follows ? game.phase_sentence : say("bench.paused.sand"),
    steps: game.repairs,
    actions: follows ? ["repair", "resume"] : ["resume"],
  };
}

function wrong(game) {
  return {
    side: "stop",
    tone: "bad",
    title: say("bench.wrong"),
    hint: game.phase_sentence,
    steps: game.repairs,
    actions: ["repair"],
  };
}

function asking(game) {
  return { side: "both", tone: "bad", title: game.question || say("bench.asking"), actions: ["choices"] };
}

function turn(game) {
  const side = game.turn;
  const player = nameOf(game, side);
  if (BUTTONS.has(game.code)) return { side, title: say("bench.to_play", { player }), hint: game.phase_sentence };
  if (game.phase === "in hand") {
    const title = say(game.origin ? "bench.glass_in_hand.from" : "bench.glass_in_hand", { player, space: game.origin });
    const space = game.origin || say("bench.where_it_stood");
    return { side, title, hint: say(game.level > 1 ? "bench.put.turned" : "bench.put", { space }) };
  }
  if (game.phase === "may go on") {
    return {
      side,
      title: say("bench.may_drop", { player, space: game.target }),
      hint: say("bench.may_drop.hint"),
      actions: ["ring", "done"],
    };
  }
  if (game.phase === "unsettled") {
    const title = say("bench.to_play", { player });
    if (game.repairs.length) return { side, title, steps: game.repairs, actions: ["repair"] };
    return { side, title, hint: say("bench.looking") };
  }
  if (game.plies.length === 0) {
    return {
      side,
      title: say("bench.begins", { player }),
      hint: say(`bench.begins.${side}`),
      actions: ["watch"],
    };
  }
  return { side, title: say("bench.to_play", { player }), hint: hint(game) };
}

function hint(game) {
  if (game.level === 3 && game.timer15?.running) {
    return say(`bench.hurry.${game.turn}`);
  }
  const last = game.plies.at(-1);
  if (last?.text.endsWith("=") && last.player === other(game.turn) && game.rings_left[game.turn] > 0) {
    return say(`bench.no_ring.${game.turn}`);
  }
  return say(`bench.pick_up.${game.turn}`);
}

/** A space in words, for those who do not see it. */
export function spaceInWords(space, rings, glass, seconds) {
  const stands = glass ? glassInWords(say(`bench.glass.${glass.player}`), seconds) : say("bench.glass.none");
  const told = counted("bench.space", space.capacity, { name: space.name, stands, rings });
  return rings >= space.capacity ? say("bench.space.full", { space: told }) : told;
}

function glassInWords(glass, seconds) {
  if (seconds === null) return glass;
  return seconds > 0 ? say("bench.glass.timed", { glass, seconds: Math.ceil(seconds) }) : say("bench.glass.stopped", { glass });
}
