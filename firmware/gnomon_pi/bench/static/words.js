// The only module that puts the state of the game into words for the banner.

export const name = (player) => player.charAt(0).toUpperCase() + player.slice(1);
const other = (player) => (player === "red" ? "black" : "red");
const plural = (count, word) => `${count} ${word}${count === 1 ? "" : "s"}`;

/** What the banner says: {side, tone, title, hint, steps, actions}; actions are words for the caller to wire. */
export function banner(game, playing, atTable = false) {
  if (game === null) return atTable ? nothingAtTheTable() : nothingYet();
  if (game.outcome) return over(game);
  if (game.paused) return paused();
  if (game.phase === "wrong") return wrong(game);
  if (game.phase === "asking") return asking(game);
  return { ...turn(game), ...(playing ? { hint: "The hands are playing by themselves.", actions: ["stop"] } : {}) };
}

/** What the banner says when the board does not answer. */
export const NOT_LIVE = {
  side: "stop",
  tone: "bad",
  title: "Not live",
  hint: "The board does not answer: what you see may be old. This page comes back by itself.",
};

function nothingYet() {
  return {
    side: "both",
    title: "A board, six glasses, 64 rings",
    hint: "Start a game: move the glasses yourself, or let it play and watch.",
    actions: ["new", "watch"],
  };
}

function nothingAtTheTable() {
  return { side: "both", title: "What shall it be?", hint: "Choose a game: make the moves yourself, or let it play and watch.", actions: ["new"] };
}

function over(game) {
  const { winner } = game.outcome;
  const left = game.rings_left;
  return {
    side: winner ?? "both",
    title: winner ? `${name(winner)} wins` : "A draw",
    hint: `${game.outcome.sentence.replace(/^.*?[.!] /, "")} Rings left: red ${left.red}, black ${left.black}.`,
    actions: ["new", "watch"],
  };
}


function paused() {
  return {
    side: "wait",
    title: "Paused",
    hint: "No sand runs. The arbiter's button goes on.",
    actions: ["resume"],
  };
}

function wrong(game) {
  return {
    side: "stop",
    tone: "bad",
    title: "Put the board right",
    hint: game.phase_sentence,
    steps: game.repairs,
    actions: ["repair"],
  };
}

function asking(game) {
  return { side: "both", tone: "bad", title: game.question || "What happened?", actions: ["choices"] };
}

function turn(game) {
  const side = game.turn;
  const mover = name(side);
  if (game.phase === "in hand") {
    const from = game.origin ? ` from ${game.origin}` : "";
    const turning = game.level > 1 ? "Turn it over and put it" : "Put it";
    return { side, title: `${mover}: glass${from} in hand`, hint: `${turning} on an empty space next to ${game.origin || "where it stood"}.` };
  }
  if (game.phase === "may go on") {
    return {
      side,
      title: `${mover} may drop a ring on ${game.target}`,
      hint: "Or press the button, and the turn is over.",
      actions: ["ring", "done"],
    };
  }
  if (game.phase === "unsettled") return { side, title: `${mover} to play`, hint: "The board is looking …" };
  if (game.plies.length === 0) {
    return {
      side,
      title: `${mover} begins`,
      hint: `Pick up a ${side} glass: tap it or drag it to an empty space next to it. Or let it play.`,
      actions: ["watch"],
    };
  }
  return { side, title: `${mover} to play`, hint: hint(game) };
}

function hint(game) {
  if (game.level === 3 && game.timer15?.running) {
    return `The 15-second glass runs: ${game.turn} must lift a glass before it is empty.`;
  }
  const last = game.plies.at(-1);
  if (last?.text.endsWith("=") && last.player === other(game.turn) && game.rings_left[game.turn] > 0) {
    return `Pick up a ${game.turn} glass. ${name(last.player)} dropped no ring: one of ${game.turn}'s may fall there first.`;
  }
  return `Pick up a ${game.turn} glass.`;
}

/** A space in words, for those who do not see it. */
export function spaceInWords(space, rings, glass, seconds) {
  const stands = glass ? `${glass.player} glass${seconds === null ? "" : seconds > 0 ? `, ${Math.ceil(seconds)} seconds left` : ", stopped or empty"}` : "empty";
  const full = rings >= space.capacity ? ", full" : "";
  return `${space.name}: ${stands}, ${rings} of ${plural(space.capacity, "ring")}${full}`;
}
