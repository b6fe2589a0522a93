// Put the state of a game at a table into words for the banner.

import { nameOf } from "/static/banner.js";
import { say } from "/static/words.js";

/** What the banner says: {side, tone, title, hint, steps, actions}; actions are words for the caller to wire. */
export function tableBanner(game, playing, hint) {
  const side = game.actor || "both";
  if (game.outcome) {
    return { side: game.outcome.winner ?? "both", title: game.outcome.result, hint: `${rest(game.outcome)} ${game.score_sentence}`, actions: ["new", "replay"] };
  }
  if (game.paused) {
    const follows = game.repairs.length > 0; // what the arbiter has corrected, while the game waits
    return { side: "wait", title: say("bench.paused"), hint: follows ? game.reason ?? "" : say("bench.paused.hint"), steps: game.repairs, actions: follows ? ["repair", "resume"] : ["resume"] };
  }
  if (game.phase === "wrong") return { side: "stop", tone: "bad", title: say("bench.wrong"), hint: game.reason ?? "", steps: game.repairs, actions: ["repair"] };
  if (game.phase === "asking") return { side, tone: "bad", title: game.question ?? say("bench.asking.which"), actions: ["answers"] };
  if (playing) return { side, title: doing(game), hint: say("bench.playing"), actions: ["stop"] };
  if (game.code && !hint) return { side: "stop", tone: "bad", title: say("bench.refused", { player: nameOf(game, game.actor) }), hint: game.reason, actions: ["chance", "picked"] };
  const looks = { "in hand": say("bench.being_laid"), "may go on": say("bench.lies_well"), unsettled: say("bench.looking") };
  return { side, title: doing(game), hint: hint || looks[game.phase] || game.request, actions: ["chance", "picked", ...(game.plies.length ? [] : ["watch"])] };
}

const DOES = new Set(["throw", "draw", "lay", "bid", "pick", "line"]);

function doing(game) {
  const does = DOES.has(game.due) ? game.due : "move";
  return say(`bench.does.${does}`, { player: nameOf(game, game.actor) });
}

function rest({ sentence, result }) {
  return sentence.slice(result.length).trim();
}
