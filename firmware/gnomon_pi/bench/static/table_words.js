// The only module that puts the state of a game at a table into words for the banner.

/** The sign of a player: by name where the game gives him a colour, else by his seat. */
export function signOf(game, player) {
  if (player === "black" || player === "white") return player;
  const role = game.players.find((each) => each.player === player)?.role ?? "";
  if (role.startsWith("the saboteur")) return "saboteur";
  if (role === "North and South") return "seat-1";
  if (role === "East and West") return "seat-2";
  const seat = game.players.findIndex((each) => each.player === player);
  const ofSeat = { "north-south": 0, "east-west": 1, high: 0, low: 1 }[player] ?? seat;
  return ofSeat < 0 ? "both" : `seat-${ofSeat + 1}`;
}

/** What the banner says: {side, tone, title, hint, steps, actions}; actions are words for the caller to wire. */
export function tableBanner(game, playing, hint) {
  const side = signOf(game, game.actor);
  if (game.outcome) {
    return { side: signOf(game, game.outcome.winner), title: game.outcome.result, hint: `${rest(game.outcome)} ${game.score_sentence}`, actions: ["new", "watch"] };
  }
  if (game.paused) return { side: "wait", title: "Paused", hint: "The arbiter's button goes on.", actions: ["resume"] };
  if (game.phase === "wrong") return { side: "stop", tone: "bad", title: "Put the board right", hint: game.reason ?? "", steps: game.repairs, actions: ["repair"] };
  if (game.phase === "asking") return { side, tone: "bad", title: game.question ?? "Which was it?", actions: ["answers"] };
  if (playing) return { side, title: doing(game), hint: "The hands are playing by themselves.", actions: ["stop"] };
  if (game.code) return { side: "stop", tone: "bad", title: `Not allowed, ${game.actor_name}`, hint: hint || game.reason, actions: ["chance", "picked"] };
  const looks = { "in hand": "A tile is being laid.", "may go on": "The tile lies well: let go of it.", unsettled: "The board is looking …" };
  return { side, title: doing(game), hint: hint || looks[game.phase] || game.request, actions: ["chance", "picked", ...(game.plies.length ? [] : ["watch"])] };
}

function doing(game) {
  const verb = { throw: "throws", draw: "draws a tile", lay: "lays", bid: "bids", pick: "picks", line: "draws a line" }[game.due] ?? "moves";
  return `${game.actor_name} ${verb}`;
}

function rest({ sentence, result }) {
  return sentence.slice(result.length).trim();
}
