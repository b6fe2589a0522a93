// Put how a game stands into words for its banner.

import { say } from "./words.js";

/** Why a button that ends a turn has done nothing. */
const BUTTONS = new Set(["nothing_to_end", "not_put_down", "not_on_turn"]);

/** What a player can be asked to do in a game at a table. */
const DOES = new Set(["throw", "draw", "lay", "bid", "pick", "line"]);

/** The people's name for a player, and the player's own: "Ada (Red)". */
export function nameOf(game, player) {
  const seat = (game.players ?? []).find((each) => each.player === player);
  const numbered = /^p([1-9])$/u.exec(player);
  const own = seat?.name ?? (numbered ? say("player.numbered", { number: numbered[1] }) : say(`player.${player}`));
  const person = game.people?.[player];
  const whole = own.replace(/ (?=\d+$)/u, "\u00A0"); // "Player 1" stays in one line
  return person ? say("players.named", { person, player: whole }) : whole;
}

/** Who is to act; empty when the game is over. */
export const onTurn = (game) => game.actor ?? (game.turn === "over" ? "" : game.turn);

/** What the banner says: {side, tone, title, hint, steps, answers, offers}. */
export function banner(game) {
  if (!game)
    return { side: "wait", title: say("page.board.waiting"), hint: say("players.empty.hint"), offers: ["new"] };
  if (game.exercise?.state === "finished") return practised(game);
  if (game.outcome) return over(game);
  if (game.paused) return paused(game);
  if (game.phase === "wrong") return wrong(game);
  if (game.phase === "asking") return asking(game);
  if (game.opponent?.on_turn) return engine(game);
  if (game.opponent?.announced) return offTurn(game);
  const said = game.exercise ? exercise(game) : game.glasses ? glasses(game) : table(game);
  const invites = game.opponent?.invites;
  if (invites) return { ...said, hint: [invites, said.hint].filter(Boolean).join(" ") };
  // Nobody who reads this is to lift or throw anything.
  return game.demonstration ? { ...said, hint: say("players.demonstration"), offers: [] } : said;
}

/** What it says besides: the warning or the help of a coach, and an offer of a draw with its answers. */
export function talk(said, game) {
  const { warning, helped, draw } = game?.talk ?? {};
  if (helped && !warning && !draw) return { ...said, hint: [helped, said.hint].filter(Boolean).join(" ") };
  if (!warning && !draw) return said;
  const own = draw ? `${draw.sentence}${draw.by_person ? "" : ` ${say("opponent.draw.thinks")}`}` : warning;
  const hint = [own, said.hint].filter(Boolean).join(" ");
  const offers = draw?.by_person ? [...(said.offers ?? []), "answer_draw"] : said.offers;
  return { ...said, tone: "ask", hint, offers };
}

/** What it says when the board does not answer. */
export const notLive = () => ({
  side: "stop",
  tone: "bad",
  title: say("page.not_live"),
  hint: say("players.not_live.hint"),
});

/** Which step of which lesson is at the board, or that it is a puzzle. */
function whichStep({ title, step, steps }) {
  if (steps <= 1) return title;
  return say("page.named", { name: title, value: say("learn.step", { number: step, all: steps }) });
}

/** A lesson or a puzzle is at the board: what it asks for, or what is said of what was done. */
function exercise(game) {
  const played = game.glasses ? glasses(game) : table(game);
  const { state, text, timed } = game.exercise;
  const asked = [state === "wrong" ? say("exercise.taken_back") : "", text].filter(Boolean).join(" ");
  // Where time decides, somebody may be asked to wait with a piece in the air.
  const told = game.phase === "agreed" || (timed && game.phase === "in_hand");
  const hint = game.reason || !told ? played.hint : asked;
  return { ...played, tone: state === "done" ? "" : "ask", title: whichStep(game.exercise), hint };
}

function practised(game) {
  const { text, title } = game.exercise;
  return { side: "both", title, hint: text, offers: ["new"] };
}

/** An engine is on turn: it thinks, or hands make the turn that it has announced, step by step. */
function engine(game) {
  const { name, announced, invites } = game.opponent;
  const side = onTurn(game);
  // Nobody who reads this is to lift or lay anything.
  const shown = game.demonstration ? say("players.demonstration") : "";
  const mayWait = !game.opponent.distant && game.glasses?.some((glass) => glass.running);
  const waiting = shown || invites || game.reason || (mayWait ? say("opponent.may_wait") : "");
  if (!announced) return { side, title: say("opponent.thinks", { name }), hint: waiting };
  if (shown) return { side, title: announced.sentence, hint: shown, steps: announced.steps };
  const does = announced.confirmed ? "opponent.carry_out.confirm" : "opponent.carry_out";
  const hints = [say(announced.steps.length || announced.confirmed ? does : "opponent.finish")];
  if (announced.counts_in !== null) hints.push(say("opponent.at", { seconds: announced.counts_in }));
  if (game.opponent.friendly) hints.push(say("opponent.friendly"));
  const offers = announced.confirmed ? ["carried_out"] : [];
  return { side, tone: "ask", title: announced.sentence, hint: hints.join(" "), steps: announced.steps, offers };
}

/** A person is on turn, and hands are to do something for the engine meanwhile: turn the 15-second glass. */
function offTurn(game) {
  const { announced } = game.opponent;
  const hints = [say("opponent.off_turn.do")];
  if (announced.counts_in !== null) hints.push(say("opponent.off_turn.at", { seconds: announced.counts_in }));
  const offers = announced.confirmed ? ["carried_out"] : [];
  return {
    side: onTurn(game),
    tone: "ask",
    title: announced.sentence,
    hint: hints.join(" "),
    steps: announced.steps,
    offers,
  };
}

function paused(game) {
  // A board is free for another game while its own is paused, if that was put away.
  if (game.free) {
    return { side: "pause", title: say("players.put_away"), hint: say("players.put_away.hint"), offers: ["new"] };
  }
  if (game.demonstration) {
    return { side: "pause", title: say("players.demonstration.paused"), hint: say("watching.demo.paused") };
  }
  const usual = say(game.traits?.has_sand ? "players.paused.sand" : "players.paused.hint");
  const hint = game.code === "correct" ? game.phase_sentence : usual;
  // What the arbiter has corrected is followed on the board while the game waits.
  return game.repairs.length
    ? {
        side: "pause",
        title: say("players.paused"),
        hint: game.phase_sentence ?? game.reason ?? "",
        steps: game.repairs,
      }
    : { side: "pause", title: say("players.paused"), hint };
}

function over(game) {
  const { winner, reason, sentence } = game.outcome;
  const nobody = reason === "abandoned" ? say("players.over.void") : say("players.over.draw");
  const why = (sentence ?? "").replace(/^[^.!]*[.!]\s*/u, "");
  const title = winner ? say("players.over.won", { name: nameOf(game, winner) }) : nobody;
  return {
    side: winner ?? "both",
    title,
    hint: [why, score(game)].filter(Boolean).join(" "),
    offers: ["new", "replay"],
  };
}

function score(game) {
  if (game.score_sentence !== undefined) return game.score_sentence;
  const left = Object.entries(game.rings_left).map(([player, rings]) => `${say(`player.${player}`)} ${rings}`);
  return say("players.rings_left", { rings: left.join(", ") });
}

function wrong(game) {
  const hint = game.phase_sentence ?? game.reason ?? "";
  if (game.exercise?.state === "setting out" && game.code === "by_hand")
    return { side: onTurn(game), tone: "ask", title: whichStep(game.exercise), hint, steps: game.repairs };
  return { side: "stop", tone: "bad", title: say("players.wrong"), hint, steps: game.repairs };
}

function asking(game) {
  const answers = (game.answers ?? game.choices.map((choice) => ({ choice, text: choice, button: null }))).map(
    (each) => ({ ...each, said: game.said?.[each.choice] }),
  );
  return {
    side: "ask",
    tone: "ask",
    title: game.question || say("players.asking"),
    hint: say("players.asking.hint"),
    answers,
  };
}

function glasses(game) {
  const side = game.turn;
  const name = nameOf(game, side);
  const toPlay = say("players.to_play", { name });
  if (BUTTONS.has(game.code)) return { side, title: toPlay, hint: game.phase_sentence };
  if (game.phase === "in hand") {
    const key = game.level > 1 ? "players.in_hand.turned" : "players.in_hand.hint";
    return {
      side,
      title: say("players.in_hand", { name }),
      hint: say(key, { space: game.origin || game.glasses.find((glass) => glass.in_hand)?.space || "–" }),
    };
  }
  if (game.phase === "may go on") {
    return { side, title: say("players.may_drop", { name, space: game.target }), hint: say("players.may_drop.hint") };
  }
  if (game.phase === "unsettled")
    return { side, title: toPlay, hint: game.repairs.length ? "" : say("players.unsettled"), steps: game.repairs };
  if (game.timer15?.running && game.timer15.binds) return { side, title: toPlay, hint: say("players.timer15.binds") };
  if (game.plies.length === 0)
    return { side, title: say("players.begins", { name }), hint: say("players.begins.hint") };
  const coach = game.temperament === "coach" ? "players.lift.coach" : "players.lift";
  return { side, title: toPlay, hint: say(coach) };
}

/** What is said while something is being done at the board. */
function looks(phase) {
  const key = {
    "in hand": "players.tile.being_laid",
    "may go on": "players.tile.lies_well",
    unsettled: "players.unsettled",
  }[phase];
  return key && say(key);
}

function table(game) {
  const side = onTurn(game);
  // With the clock alone nobody knows who begins before it runs.
  if (game.due === "press" && game.clock?.started === false) {
    return { side: "wait", title: say("players.clock.start"), hint: game.request };
  }
  const does = DOES.has(game.due) ? game.due : "move";
  const title = say(`players.does.${does}`, { name: nameOf(game, side) });
  const hint = game.reason ? `${say("players.refused")} ${game.reason}` : (looks(game.phase) ?? game.request);
  const offers = game.is_natures ? [game.due === "throw" ? "throw" : "draw"] : [];
  return { side, tone: game.reason ? "ask" : "", title, hint, offers };
}
